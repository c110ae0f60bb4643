//! What a sweep has found: memberships and groups that Cognito has, and bookkeeping items. Each stays
//! if the table implies it.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use instep_model::{
    CognitoMember, ExtraPolicy, Identity, Item, ItemPart, Key, LinkId, Model, Names, Object, Purpose, Roles, Subject,
    TypeId, Use,
};

use super::Pass;
use super::children::absent;
use crate::bookkeeping::{self, BookkeepingKind};
use crate::due;
use crate::effect::{Action, AddMember, Effect, Expect, Write};
use crate::implied::{self, Membership};
use crate::known::{Known, all, first};
use crate::plan::{Mentions, MessageMention};
use crate::queries;
use crate::work::Dependents;

/// The items of one type that can imply a membership.
enum Askers {
    /// The membership determines the item.
    One(Object),
    /// Those that refer to the user over this link.
    Of(LinkId, Object),
    /// The names of the membership lead to none.
    Unknown,
}

/// What a membership that Cognito may have turns out to be.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Standing {
    /// An item implies it.
    Implied,
    /// No item implies it.
    Extra,
    /// There is no way to tell.
    Unclear,
}

impl Pass<'_> {
    /// Reconciles what a sweep has found.
    pub(super) fn extra(&mut self) {
        let plan = self.plan;
        for (membership, places) in &plan.members {
            let _ = self.extra_member(membership, places);
        }
        for (group, places) in &plan.groups {
            let _ = self.extra_group(group, places);
        }
        for (key, places) in &plan.entries {
            let _ = self.extra_entry(key, places);
        }
        for (key, places) in &plan.orphans {
            let _ = self.orphan(key, places);
        }
    }

    /// A child that is left of a deleted parent is deleted, whenever it was written. The deletion is
    /// remembered by the parent's tombstone: a child whose parent never existed stays.
    fn orphan(&mut self, key: &Key, places: &BTreeSet<usize>) -> Known<()> {
        let model = self.model;
        // The model may have changed since the message was sent.
        if model.orphans != ExtraPolicy::Remove {
            return Ok(());
        }
        let Some(item) = self.view.item(key)? else { return Ok(()) };
        let Identity::Item { object, .. } = model.identify(key) else { return Ok(()) };
        for (id, link) in model.links_from(object.of).filter(|(_, link)| link.deleted_with) {
            for known in implied::targets(model, id, &object, Some(item)) {
                let Ok(Some((parent, _))) = self.deleted_parent(link, &known) else { continue };
                // A grant restores a subject that was deleted with its last one.
                if self.is_last_link(id, object.of) && self.kept_item(&parent) != Ok(None) {
                    continue;
                }
                let expect = self.as_linked(id, &object, item);
                let Ok(Some((mut checks, actions))) = self.deletion(id, &object, (key, item), expect, places) else {
                    continue;
                };
                checks.extend(absent(model, &parent));
                let parent = queries::label_through(model, link, &parent);
                self.note(places, &format!("deleted with {parent}, which was deleted"));
                let label = self.label(&object);
                self.write(Write::follow(label, actions).checking(checks), places);
                return Ok(());
            }
        }
        Ok(())
    }

    /// Removes a membership unless an item implies it.
    pub(super) fn extra_member(&mut self, membership: &Membership, places: &BTreeSet<usize>) -> Known<Standing> {
        let named =
            |place: &usize| MessageMention { place: *place, image: None, late: true, redelivered: false, moment: None };
        let mentions = Mentions { changes: Vec::new(), named: places.iter().map(named).collect() };
        Ok(match self.implied_by_an_item(membership, &mentions)? {
            // This run may have removed it before the item was written.
            Ok(Some(add)) => {
                self.add_membership_effect(add, places);
                Standing::Implied
            }
            Ok(None) => {
                self.add_effect(Effect::RemoveMember(membership.clone()), places);
                Standing::Extra
            }
            Err(why) => {
                self.note(places, why);
                Standing::Unclear
            }
        })
    }

    /// The effect that adds a membership, if an item implies it. An error if there is no way to tell.
    fn implied_by_an_item(
        &mut self,
        membership: &Membership,
        mentions: &Mentions,
    ) -> Known<Result<Option<AddMember>, &'static str>> {
        let model = self.model;
        let (mut is_unclear, mut is_cut) = (false, false);
        let implied = first(askers(model, membership), |(of, askers)| {
            let objects = match askers {
                Askers::One(object) => BTreeSet::from([object]),
                Askers::Of(link, user) => {
                    is_cut |= self.has_unread_dependents(link, &user);
                    let rows = self.dependents_of(link, &user)?;
                    is_unclear |= rows.is_none();
                    let found = rows.into_iter().flatten().filter_map(|row| queries::dependent(model, link, row));
                    found.filter(|found| found.of == of).collect()
                }
                Askers::Unknown => {
                    is_unclear = true;
                    BTreeSet::new()
                }
            };
            first(objects, |object| self.member_by(&object, membership, mentions))
        })?;
        Ok(match implied {
            Some(add) => Ok(Some(add)),
            None if is_unclear => Err("stays: the model gives no way to find the items that can imply it"),
            None if is_cut => Err("stays: more items can imply it than a run reads"),
            None => Ok(None),
        })
    }

    /// The effect that adds a membership, if an object implies it.
    fn member_by(&mut self, object: &Object, membership: &Membership, mentions: &Mentions) -> Known<Option<AddMember>> {
        for (_, item) in self.view.items(object)? {
            if implied::memberships(self.model, object, item).contains(membership)
                && self.desired_memberships(object, item, mentions)?.contains(membership)
            {
                return Ok(self.add_member(object, item, mentions, membership.clone()));
            }
        }
        Ok(None)
    }

    /// A group on demand is deleted with any of the parents that its name determines. A group that stays
    /// has the bookkeeping items by which its parents find it.
    fn extra_group(&mut self, group: &str, places: &BTreeSet<usize>) -> Known<()> {
        let (mut over, mut stays) = (None, false);
        let by_rule = self.parents_of(group)?;
        for parents in &by_rule {
            match parents.iter().find(|(_, is_over)| *is_over) {
                Some((parent, _)) => over = Some(parent.clone()),
                None => stays = true,
            }
        }
        let is_own =
            |effect: &Arc<Effect>| matches!(&**effect, Effect::DeleteGroup { group: deleted, .. } if deleted == group);
        let deleted = self.memory.applied.iter().any(is_own);
        match over {
            Some(of) if !stays => {
                let group = group.to_owned();
                self.add_effect(Effect::DeleteGroup { group, of, created: None }, places);
            }
            // This run has deleted it, and the parent was written again meanwhile: its dependents are
            // reconciled.
            Some(_) | None if deleted => {
                for (parent, _) in by_rule.iter().flatten() {
                    self.add_effect(Effect::SendDependents(Dependents::of(self.model, parent)), places);
                }
            }
            Some(_) | None => self.extra_group_entries(group, places),
        }
        Ok(())
    }

    fn extra_group_entries(&mut self, group: &str, places: &BTreeSet<usize>) {
        let by_rule = |(rule, asker): (&CognitoMember, Object)| self.group_entries(rule, &asker, &Item::new(), group);
        let entries: Vec<Vec<Action>> = askers_of_group(self.model, group).map(by_rule).collect();
        for entries in entries {
            if self.lacks_an_entry(&entries) {
                // A parent that is deleted meanwhile does not find the group: the next read does.
                let target = format!("entry of group {group}");
                self.write(Write::follow(target, entries).and_read_again(), places);
            }
        }
    }

    /// For each rule that can ask for a group: the parents that the group's name determines, and whether
    /// the group is deleted with each now.
    fn parents_of(&mut self, group: &str) -> Known<Vec<Vec<(Object, bool)>>> {
        let model = self.model;
        let by_rule: Vec<Vec<_>> = all(askers_of_group(model, group), |(rule, asker)| {
            let parents = rule.group_deleted_with().iter();
            let parents = parents.filter_map(|id| Some((*id, implied::target(model, *id, &asker, None)?)));
            all(parents, |(id, parent)| {
                let link = model.link(id);
                if self.deleted_parent(link, &parent)?.is_none() {
                    return Ok((parent, false));
                }
                // Another item of that id may exist: the name does not say which of them it means.
                let namesake = model.link_target(link, &asker.names, None);
                Ok((parent, !self.has_namesake_by(id, namesake)?))
            })
        })?;
        Ok(by_rule.into_iter().filter(|parents| !parents.is_empty()).collect())
    }

    /// A back-reference from an item that no longer refers, and a moment of an item that no longer has
    /// it, are deleted on condition that the item is as it was read.
    fn extra_entry(&mut self, key: &Key, places: &BTreeSet<usize>) -> Known<()> {
        let model = self.model;
        let Some(entry) = self.view.item(key)? else { return Ok(()) };
        let Some(object) = bookkeeping::object(model, entry) else { return Ok(()) };
        let items = self.view.items(&object)?;
        let needs = |item: &Item| match BookkeepingKind::of(key) {
            Some(BookkeepingKind::Reference | BookkeepingKind::Address) => {
                bookkeeping::references(model, &object, item).contains_key(key)
            }
            Some(BookkeepingKind::Due) => {
                due::moments(model, &object, item).iter().any(|at| bookkeeping::due_key(model, &object, *at) == *key)
            }
            Some(BookkeepingKind::Tombstone | BookkeepingKind::Claim | BookkeepingKind::Group) | None => true,
        };
        if items.iter().any(|(_, item)| needs(item)) {
            return Ok(());
        }
        let mut checks = absent(model, &object);
        for (of, item) in items {
            let expect = Expect::Like(implied::values_read(model, &object, item, says_when_or_where));
            checks.iter_mut().filter(|check| check.key == of).for_each(|check| check.expect = expect.clone());
        }
        let delete = Action::Delete { key: key.clone(), expect: bookkeeping::as_read(Some(entry)) };
        let what = match BookkeepingKind::of(key) {
            Some(BookkeepingKind::Due) => "moment of",
            Some(BookkeepingKind::Address) => "address of",
            Some(
                BookkeepingKind::Reference
                | BookkeepingKind::Tombstone
                | BookkeepingKind::Claim
                | BookkeepingKind::Group,
            )
            | None => "back-reference from",
        };
        let target = format!("{what} {}", self.label(&object));
        self.write(Write::follow(target, vec![delete]).checking(checks).and_read_again(), places);
        Ok(())
    }
}

/// The rules that create a group on demand, and what its name says about the items that ask for it.
fn askers_of_group<'a>(model: &'a Model, group: &'a str) -> impl Iterator<Item = (&'a CognitoMember, Object)> {
    let on_demand = queries::with_members(model, group).filter(|(_, rule, _)| rule.is_on_demand());
    on_demand.map(|(of, rule, names)| (rule, Object { of, names }))
}

/// Whether references and moments of an object follow from a use.
fn says_when_or_where(of: &Use) -> bool {
    matches!(of.part, ItemPart::Link(_) | ItemPart::Due) || of.purpose == Purpose::Window
}

/// Who can imply a membership: for each rule of an item type whose templates can give its names.
fn askers(model: &Model, membership: &Membership) -> Vec<(TypeId, Askers)> {
    let rules = model.types().flat_map(|(of, ty)| ty.members.iter().map(move |rule| (of, rule)));
    rules.filter_map(|(of, rule)| Some((of, askers_by(model, of, rule, membership)?))).collect()
}

fn askers_by(model: &Model, of: TypeId, rule: &CognitoMember, membership: &Membership) -> Option<Askers> {
    let (mut names, role) = group_names(model, of, rule, &membership.group)?;
    if let (Some(grant), Some(role)) = (&model.item(of).grant, role)
        && let Roles::Template(template) = &grant.roles
    {
        merge(&mut names, model.certain(of, template, model.read_name(of, template, &role)?))?;
    }
    let mut refers = None;
    match &rule.user {
        Subject::Itself => {
            let user = model.item(of).user.as_ref()?;
            merge(&mut names, model.read_name(of, &user.name, &membership.user)?)?;
        }
        Subject::Link(link) => {
            let to = model.link(*link).to;
            let user = model.item(to).user.as_ref()?;
            let user = model.read_name(to, &user.name, &membership.user)?;
            merge(&mut names, model.names_before(model.link(*link), &user))?;
            refers = model.object_named(to, &user).map(|user| (*link, user));
        }
    }
    Some(match (model.object_named(of, &names), refers) {
        (Some(object), _) => Askers::One(object),
        (None, Some((link, user))) => Askers::Of(link, user),
        (None, None) => Askers::Unknown,
    })
}

/// What the name of a group says about the items that can imply a membership in it, and the role.
fn group_names(model: &Model, of: TypeId, rule: &CognitoMember, group: &str) -> Option<(Names, Option<String>)> {
    let Some(link) = rule.group_link() else {
        let names = model.read_name(of, &rule.group, group)?;
        let role = names.get(&rule.role).cloned();
        let mut names = model.certain(of, &rule.group, names);
        // `{role}` stands for the role of the grant, not for a name of the item.
        if model.item(of).grant.is_some() {
            names.remove(&rule.role);
        }
        return Some((names, role));
    };
    let link = model.link(link);
    let names = model.read_name(link.to, &rule.group, group)?;
    let role = names.get(&rule.role).cloned();
    Some((model.names_before(link, &names), role))
}

/// Adds names. `None` if one of them has another value already.
fn merge(names: &mut Names, more: Names) -> Option<()> {
    let more: BTreeMap<String, String> = more;
    for (name, text) in more {
        if names.get(&name).is_some_and(|before| *before != text) {
            return None;
        }
        names.insert(name, text);
    }
    Some(())
}
