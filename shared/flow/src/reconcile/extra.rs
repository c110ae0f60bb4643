//! What a sweep has found: memberships and groups that Cognito has, and bookkeeping items. Each stays
//! if the table implies it.

use std::collections::BTreeSet;
use std::sync::Arc;

use instep_model::{CognitoMember, ExtraPolicy, Identity, Item, ItemPart, Key, Model, Object, Purpose, TypeId, Use};

use super::Pass;
use super::children::absent;
use crate::account::AccountItem;
use crate::askers::{Askers, askers};
use crate::bookkeeping::{self, BookkeepingKind};
use crate::due::{self, MomentKind};
use crate::effect::{Action, AddMember, Check, Effect, Expect, Write, WriteReason};
use crate::entries::Entries;
use crate::implied::{self, Membership};
use crate::known::{Known, all, first};
use crate::plan::Mentions;
use crate::queries;
use crate::work::{Dependents, Extent, Which};

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
        for (membership, entries) in &plan.members {
            if self.extra_member(membership, entries) == Ok(Standing::Extra) {
                self.sign_out(membership);
            }
        }
        for (group, entries) in &plan.groups {
            let _ = self.extra_group(group, entries);
        }
        for (key, entries) in &plan.bookkeeping {
            let _ = self.extra_entry(key, entries);
        }
        for (key, entries) in &plan.orphans {
            let _ = self.orphan(key, entries);
        }
    }

    /// A child that is left of a deleted parent is deleted, whenever it was written. The deletion is
    /// remembered by the parent's tombstone: a child whose parent never existed stays.
    fn orphan(&mut self, key: &Key, entries: &Entries) -> Known<()> {
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
                let Ok(Some((mut checks, actions))) = self.deletion(id, &object, key, item, expect, entries) else {
                    continue;
                };
                checks.extend(absent(model, &parent));
                let parent = queries::label_through(model, link, &parent);
                self.note(entries, &format!("deleted with {parent}, which was deleted"));
                let label = self.label(&object);
                self.write(Write::follow(WriteReason::GoesWith(id), label, actions).checking(checks), entries);
                return Ok(());
            }
        }
        Ok(())
    }

    /// Removes a membership unless an item implies it.
    pub(super) fn extra_member(&mut self, membership: &Membership, entries: &Entries) -> Known<Standing> {
        let mentions = Mentions::late(entries.iter());
        Ok(match self.implied_by_an_item(membership, &mentions)? {
            // This run may have removed it before the item was written.
            Ok(Some(add)) => {
                self.add_membership_effect(add, entries);
                Standing::Implied
            }
            Ok(None) => {
                self.add_effect(Effect::RemoveMember(membership.clone()), entries);
                Standing::Extra
            }
            Err(why) => {
                self.note(entries, why);
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
        let implied = first(askers(model, membership, None), |(of, askers)| {
            if let Askers::Of(link, user) = &askers {
                is_cut |= self.has_unread_dependents(*link, user);
            }
            let objects = self.objects_of(of, &askers)?;
            is_unclear |= objects.is_none();
            first(objects.into_iter().flatten(), |object| self.member_by(&object, membership, mentions))
        })?;
        Ok(match implied {
            Some(add) => Ok(Some(add)),
            None if is_unclear => Err("stays: the model gives no way to find the items that can imply it"),
            None if is_cut => Err("stays: more items can imply it than a run reads"),
            None => Ok(None),
        })
    }

    /// The objects of a type that can imply a membership. `None` if the model gives no way to find them.
    pub(super) fn objects_of(&mut self, of: TypeId, askers: &Askers) -> Known<Option<BTreeSet<Object>>> {
        let model = self.model;
        Ok(match askers {
            Askers::One(object) => Some(BTreeSet::from([object.clone()])),
            Askers::Of(link, user) => self.dependents_of(*link, user)?.map(|rows| {
                let found = rows.into_iter().filter_map(|row| queries::dependent(model, row));
                found.filter(|found| found.of == of).collect()
            }),
            Askers::Unknown => None,
        })
    }

    /// The effect that adds a membership, if an object implies it.
    pub(super) fn member_by(
        &mut self,
        object: &Object,
        membership: &Membership,
        mentions: &Mentions,
    ) -> Known<Option<AddMember>> {
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
    fn extra_group(&mut self, group: &str, entries: &Entries) -> Known<()> {
        if self.model.is_token_group(group) {
            self.left_group(group, entries);
            return Ok(());
        }
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
        let deleted = self.progress.applied.iter().any(is_own);
        match over {
            Some(of) if !stays => {
                let group = group.to_owned();
                self.add_effect(Effect::DeleteGroup { group, of, created: None }, entries);
            }
            // This run has deleted it, and the parent was written again meanwhile: its dependents are
            // reconciled.
            Some(_) | None if deleted => {
                for (parent, _) in by_rule.iter().flatten() {
                    self.add_effect(
                        Effect::SendDependents(Dependents::of(self.model, parent, Which::All, Extent::All)),
                        entries,
                    );
                }
            }
            Some(_) | None => self.extra_group_items(group, entries),
        }
        Ok(())
    }

    /// A group that is in tokens alone is left in the pool by an earlier model. INVARIANT 2: what the pool says of it counts
    /// for nothing.
    fn left_group(&mut self, group: &str, entries: &Entries) {
        let model = self.model;
        let mut owners = queries::objects_with_group(model, group);
        owners.extend(queries::with_members(model, group).map(|(of, _, names)| Object { of, names }));
        // The model may have changed since the message was sent.
        if let Some(of) = owners.pop().filter(|_| model.extra_members == ExtraPolicy::Remove) {
            self.add_effect(Effect::DeleteGroup { group: group.to_owned(), of, created: None }, entries);
        }
    }

    fn extra_group_items(&mut self, group: &str, entries: &Entries) {
        let by_rule =
            |(rule, asker): (&CognitoMember, Object)| (asker.of, self.group_items(rule, &asker, &Item::new(), group));
        let items: Vec<(TypeId, Vec<Action>)> = askers_of_group(self.model, group).map(by_rule).collect();
        for (of, items) in items {
            if self.lacks_an_item(&items) {
                self.write_group_items(of, group, items, entries);
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
    fn extra_entry(&mut self, key: &Key, entries: &Entries) -> Known<()> {
        let model = self.model;
        let Some(kept) = self.view.item(key)? else { return Ok(()) };
        let Some(object) = bookkeeping::object(model, kept) else { return Ok(()) };
        if bookkeeping::due_kind(key) == Some(MomentKind::DeleteUser) {
            return self.extra_deletion(key, &object, entries);
        }
        let items = self.view.items(&object)?;
        let needs = |item: &Item| match BookkeepingKind::of(key) {
            Some(BookkeepingKind::Reference | BookkeepingKind::Address) => {
                bookkeeping::references(model, &object, item).contains_key(key)
            }
            Some(BookkeepingKind::Due) => {
                due::moments(model, &object, item).iter().any(|at| bookkeeping::due_key(model, &object, *at) == *key)
            }
            Some(BookkeepingKind::Claim) => bookkeeping::claimed_guard(model, kept).is_some(),
            Some(
                BookkeepingKind::Tombstone
                | BookkeepingKind::Group
                | BookkeepingKind::Account
                | BookkeepingKind::Limit
                | BookkeepingKind::Model,
            )
            | None => true,
        };
        if items.iter().any(|(_, item)| needs(item)) {
            return Ok(());
        }
        let mut checks = absent(model, &object);
        for (of, item) in items {
            let expect = Expect::Like(implied::values_read(model, &object, item, says_when_or_where));
            checks.iter_mut().filter(|check| check.key == of).for_each(|check| check.expect = expect.clone());
        }
        let delete = Action::Delete { key: key.clone(), expect: bookkeeping::as_read(Some(kept)) };
        let (what, reason) = match BookkeepingKind::of(key) {
            Some(BookkeepingKind::Due) => ("moment of", WriteReason::HasNoMoment(object.of)),
            Some(BookkeepingKind::Address) => ("address of", WriteReason::AddressEnds(object.of)),
            Some(BookkeepingKind::Claim) => ("pending claim of", WriteReason::RefersNoMore(object.of)),
            Some(
                BookkeepingKind::Reference
                | BookkeepingKind::Tombstone
                | BookkeepingKind::Group
                | BookkeepingKind::Account
                | BookkeepingKind::Limit
                | BookkeepingKind::Model,
            )
            | None => ("back-reference from", WriteReason::RefersNoMore(object.of)),
        };
        let target = format!("{what} {}", self.label(&object));
        self.write(Write::follow(reason, target, vec![delete]).checking(checks).and_read_again(), entries);
        Ok(())
    }

    /// The moment at which a user is deleted goes with what the account item says.
    fn extra_deletion(&mut self, key: &Key, object: &Object, entries: &Entries) -> Known<()> {
        let model = self.model;
        let Some(kept) = self.view.item(key)? else { return Ok(()) };
        let account = self.account(object)?;
        let waiting = account.as_ref().and_then(AccountItem::waiting);
        if waiting.is_some_and(|waiting| bookkeeping::due_key(model, object, waiting.moment()) == *key) {
            return Ok(());
        }
        let as_read = |account: AccountItem| Check { expect: account.as_read(), key: account.key };
        let checks: Vec<Check> = account.map(as_read).into_iter().collect();
        let delete = Action::Delete { key: key.clone(), expect: bookkeeping::as_read(Some(kept)) };
        let target = format!("moment of {}", self.label(object));
        let reason = WriteReason::HasNoMoment(object.of);
        self.write(Write::follow(reason, target, vec![delete]).checking(checks).and_read_again(), entries);
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
