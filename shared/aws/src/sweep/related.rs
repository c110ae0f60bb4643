//! One object, what depends on it, and what Cognito has of it.

use std::collections::{BTreeMap, BTreeSet};

use instep_flow::answers::{Answers, View};
use instep_flow::effect::Aside;
use instep_flow::implied::{self, Membership};
use instep_flow::queries::{self, is_by_sub};
use instep_flow::sweep::{GroupMark, PoolGroup, PoolUser};
use instep_model::{Item, Key, Object, UserValue};

use crate::instep::Instep;
use crate::run_options::RunOptions;

/// An object, what depends on it, and what Cognito has of it.
#[derive(Debug, Default)]
pub struct Related {
    /// The object's own items, then those of its dependents.
    pub items: Vec<(Key, Item)>,
    /// The user, if Cognito has it.
    pub users: Vec<PoolUser>,
    /// Those of the object's groups that Cognito has and that are Instep's own.
    pub groups: Vec<PoolGroup>,
    /// The memberships of the user, and those in the groups.
    pub members: Vec<Membership>,
}

impl Instep {
    /// Reads an object, what depends on it, and what Cognito has of it.
    ///
    /// # Errors
    /// A service failed.
    pub async fn related_to(&self, object: &Object, run: &RunOptions) -> Result<Related, String> {
        let model = &self.model;
        let mut related = Related::default();
        let mut objects = vec![object.clone()];
        objects.extend(self.dependents_of(object, run).await?);
        let keys: BTreeSet<Key> = objects.iter().flat_map(|object| model.keys(object).unwrap_or_default()).collect();
        let found = self.items_at(&keys, run).await?;
        let found: BTreeMap<Key, Item> =
            found.into_iter().filter_map(|item| Some((model.table.key_of(&item)?, item))).collect();
        for key in objects.iter().flat_map(|object| model.keys(object).unwrap_or_default()) {
            related.items.extend(found.get(&key).map(|item| (key, item.clone())));
        }
        let Some(pool) = &self.settings.user_pool else { return Ok(related) };
        let by_sub = model.item(object.of).user_value == Some(UserValue::Sub);
        let name = match implied::user_name(model, object) {
            Some(sub) if by_sub => self.cognito.name_by_sub(pool, &sub, run).await?,
            other => other,
        };
        if let Some(name) = name
            && let Some(user) = self.cognito.user(pool, &name, run).await?
        {
            let groups = self.cognito.groups_of(&name, run).await;
            let groups = groups.map_err(|failure| failure.words("AdminListGroupsForUser"))?;
            // Those of the model's groups in which members are known in another way do not follow from this object.
            let own = groups.into_iter().filter(|group| is_by_sub(model, group) == by_sub);
            let known = implied::user_name(model, object).filter(|_| by_sub).unwrap_or(name);
            let username = Aside(user.made().filter(|_| !by_sub).map(str::to_owned));
            let member =
                |group| Membership { sub: by_sub, username: username.clone(), ..Membership::named(&known, group) };
            related.members.extend(own.map(member));
            related.users.push(user);
        }
        for (_, group) in implied::groups(model, object) {
            let Some(group) = self.cognito.group(pool, &group, run).await? else { continue };
            related.members.extend(self.cognito.all_members(pool, &group.name, run).await?);
            related.groups.extend(Some(group).filter(|group| group.mark == GroupMark::Own));
        }
        // Groups that the model does not manage are nobody's drift.
        let managed: BTreeSet<String> = self.cognito.managed(pool, &related.members, run).await?;
        related.members.retain(|member| managed.contains(&member.group));
        Ok(related)
    }

    /// The items that refer to an object, as far as the model gives a way to find them.
    async fn dependents_of(&self, object: &Object, run: &RunOptions) -> Result<BTreeSet<Object>, String> {
        let model = &self.model;
        let links = || model.links_to(object.of).filter(|(_, link)| link.leads_down()).map(|(id, _)| id);
        let nothing = Answers::default();
        let mut view = View::new(model, &nothing);
        links().for_each(|id| drop(queries::dependents_of(&mut view, model, id, object)));
        let answers = self.read(&view.asks, run).await?;
        let mut view = View::new(model, &answers);
        let mut found = BTreeSet::new();
        for id in links() {
            let rows = queries::dependents_of(&mut view, model, id, object).ok().flatten().unwrap_or_default();
            let dependents = rows.into_iter().filter_map(|row| queries::dependent(model, row));
            found.extend(dependents.filter(|dependent| dependent.of == model.link(id).from));
        }
        found.remove(object);
        Ok(found)
    }
}
