//! Refuses secret attributes whose values become part of names, or say what an earlier image of an
//! item had.

use std::collections::{BTreeMap, BTreeSet};

use crate::errors::{Mistake, Mistakes};
use crate::file::Draft;
use crate::model::{Claim, Condition, ItemType, Model, Names, Roles, Scope, TypeId};
use crate::path::attribute_of;
use crate::template::Template;

/// A record that is handled again has its secrets masked (INVARIANT 9), so nothing in it could say
/// which membership, value or reference the item had before: that would stay for ever. Only what
/// follows from the present item alone may follow from a secret: the state of a Cognito user.
pub(super) fn check(draft: &Draft, model: &Model, mistakes: &mut Mistakes) {
    if draft.table.secret.is_empty() {
        return;
    }
    let uses = uses(model);
    for secret in &draft.table.secret {
        let Some(what) = uses.get(&secret.value) else { continue };
        let message = format!("`{}` is secret, and {what}", secret.value);
        let help = "remove it from `secret`: Instep could not take back what followed from an earlier value, because \
                    messages contain no secrets. Only `disabled` and `attributes` of a Cognito user may follow from a \
                    secret";
        mistakes.add(Mistake::new(secret.span, message, "decides").help(help));
    }
}

/// For each attribute from which names or earlier effects follow: one of these uses.
fn uses(model: &Model) -> BTreeMap<String, String> {
    let mut uses = BTreeMap::new();
    let table = &model.table;
    let own = [&table.pk, &table.sk, &table.ttl].into_iter().chain(&table.type_attribute);
    for attribute in own.chain(model.indexes.iter().flat_map(|index| index.pk.iter().chain(index.sk.iter().flatten())))
    {
        uses.insert(attribute.clone(), "is a key, the TTL or the type attribute of the table".to_owned());
    }
    for attribute in &model.correlation {
        uses.insert(attribute_of(attribute).to_owned(), "is the correlation id of events".to_owned());
    }
    for grant in model.items.iter().filter_map(|ty| ty.grant.as_ref()) {
        for path in grant.last.iter().flat_map(|last| &last.written) {
            let what = "says whether the subject was written since the last grant was revoked";
            uses.insert(attribute_of(path).to_owned(), what.to_owned());
        }
    }
    for (place, ty) in model.items.iter().enumerate() {
        let of = Uses { model, of: TypeId(place), ty };
        for (what, attributes) in of.all() {
            for attribute in attributes {
                uses.entry(attribute).or_insert_with(|| format!("{what} of `{}` follows from it", ty.name));
            }
        }
    }
    uses
}

/// The uses of attributes in one item type.
struct Uses<'a> {
    model: &'a Model,
    of: TypeId,
    ty: &'a ItemType,
}

impl Uses<'_> {
    fn all(&self) -> Vec<(&'static str, BTreeSet<String>)> {
        let ty = self.ty;
        let words = || ty.verb_words.values().flatten();
        let events = ty.entity.iter().chain(&ty.entity_id).chain(words().map(|word| &word.word));
        let tests = words().flat_map(|word| word.when.attributes().chain(word.changed.iter().map(|p| attribute_of(p))));
        let index_keys = ty.index_keys.iter().flat_map(|keys| [Some(&keys.pk), keys.sk.as_ref()]).flatten();
        let links = || self.model.links_from(self.of).map(|(_, link)| link);
        let by = links().filter_map(|link| Some(link.when.as_ref()?.0.as_str()));
        let groups = ty.members.iter().filter(|member| member.group_of.is_none()).map(|member| &member.group);
        vec![
            ("an event", self.templates(events)),
            ("an event", tests.map(str::to_owned).collect()),
            ("an index key", self.templates(index_keys)),
            ("a reference", self.templates(links().flat_map(|link| link.names.values()))),
            ("a reference", self.names(by)),
            ("the tenant of events", self.names(self.model.tenant.iter().map(String::as_str))),
            ("a `due` rule", self.names(ty.due.iter().map(|due| due.at.as_str()))),
            ("a `due` rule", ty.due.iter().flat_map(|due| due.when.attributes()).map(str::to_owned).collect()),
            ("the grant", self.grant()),
            ("the Cognito group", self.templates(groups)),
            ("the Cognito user, group or membership", self.conditions()),
            ("a unique value", self.claims()),
            (
                "the owner",
                ty.guard.iter().flat_map(|guard| &guard.owner_attributes).map(|(_, name)| name.clone()).collect(),
            ),
        ]
    }

    fn grant(&self) -> BTreeSet<String> {
        let Some(grant) = &self.ty.grant else { return BTreeSet::new() };
        let window = grant.from.iter().chain(&grant.until).map(|path| attribute_of(path));
        let mut found: BTreeSet<String> = window.chain(grant.when.attributes()).map(str::to_owned).collect();
        match &grant.roles {
            Roles::None => {}
            Roles::Template(template) => found.extend(self.templates([template])),
            Roles::Attribute(spellings) => found.extend(spellings.iter().map(|path| attribute_of(path).to_owned())),
        }
        match &grant.scope {
            Scope::Global | Scope::Links(_) => {}
            Scope::Value(template) => found.extend(self.templates([template])),
        }
        found
    }

    fn claims(&self) -> BTreeSet<String> {
        let guards = self.model.items.iter().filter_map(|ty| ty.guard.as_ref());
        let claims = || guards.clone().filter(|guard| guard.owner == self.of).flat_map(|guard| &guard.claims);
        let conditions = |claim: &Claim| -> Vec<String> {
            let both = claim.when.attributes().chain(claim.transfer.iter().flat_map(Condition::attributes));
            both.map(str::to_owned).collect()
        };
        let mut found = self.templates(claims().flat_map(|claim| claim.names.values()));
        found.extend(claims().flat_map(conditions));
        found
    }

    /// The attributes that say whether the item has a parent, a user, groups and memberships.
    fn conditions(&self) -> BTreeSet<String> {
        let ty = self.ty;
        let own = ty.user.iter().map(|user| &user.when).chain(ty.groups.iter().map(|groups| &groups.when));
        let links = self.model.links_from(self.of).map(|(_, link)| &link.condition);
        let all = own.chain(ty.members.iter().map(|member| &member.when)).chain(links);
        all.flat_map(Condition::attributes).map(str::to_owned).collect()
    }

    fn templates<'t>(&self, templates: impl IntoIterator<Item = &'t Template>) -> BTreeSet<String> {
        self.names(templates.into_iter().flat_map(Template::names))
    }

    /// The attributes from which these names take their values, if no key contains them.
    fn names<'n>(&self, names: impl IntoIterator<Item = &'n str>) -> BTreeSet<String> {
        let forms = || self.ty.forms.iter();
        let bound = forms().flat_map(|form| &form.names).filter(|name| forms().all(|form| form.names.contains(*name)));
        // Any text does: only which names have one counts.
        let bound: Names = bound.map(|name| (name.clone(), "1".to_owned())).collect();
        names.into_iter().flat_map(|name| self.model.sources(self.of, &bound, name)).collect()
    }
}
