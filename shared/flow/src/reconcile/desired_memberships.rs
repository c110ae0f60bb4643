//! The memberships that an item implies now: those of the present table, within its window, whose user
//! and group have their items.

use std::collections::BTreeSet;

use instep_model::{
    CognitoMember, Condition, Grant, GroupOwner, Item, LinkId, Names, Object, Subject, ToParent, TypeId,
};

use super::Pass;
use super::batch_memberships::OldAndNew;
use crate::account::AccountItem;
use crate::change::Change;
use crate::implied::{self, Membership};
use crate::known::{Known, all};
use crate::plan::{DeliveredChange, Mentions};
use crate::{pending, queries};

impl Pass<'_> {
    /// The memberships that an item implies now.
    pub(super) fn desired_memberships(
        &mut self,
        object: &Object,
        item: &Item,
        mentions: &Mentions,
    ) -> Known<BTreeSet<Membership>> {
        let (model, entries) = (self.model, &mentions.entries());
        // INVARIANT 2: an item that asks for something impossible grants nothing, also not the part of it that is
        // possible. What an earlier state of it granted ends, so that it depends on the table alone.
        if !self.is_valid(object, item) {
            self.note(entries, "asks for something impossible: grants nothing");
            return Ok(BTreeSet::new());
        }
        // INVARIANT 2: a window that opens while the run reads may belong to an item that was deleted before it
        // opened. The message of that moment grants.
        let is_open =
            |grant: &Grant| [self.times.now, self.times.present].iter().all(|at| implied::in_window(grant, item, *at));
        if model.item(object.of).grant.as_ref().is_some_and(|grant| !is_open(grant)) {
            self.note(entries, "outside its window: grants nothing now");
            return Ok(BTreeSet::new());
        }
        let may_grant = self.may_grant(object, item, entries);
        let targets = model.links_from(object.of).flat_map(|(id, link)| {
            implied::targets(model, id, object, Some(item)).into_iter().map(move |target| (id, link, target))
        });
        let pending: Known<Vec<bool>> = all(targets, |(id, link, target)| {
            let is_pending = self.is_pending_on(id, object, item, &target)?;
            if is_pending {
                if link.needed {
                    self.leads_to_nothing(id, object, mentions, &target);
                }
                self.ask_again_late(link, object, item, mentions);
            }
            Ok(is_pending)
        });
        let roles = self.roles_in_force(object, item, mentions);
        if pending?.contains(&true) || !may_grant? {
            return Ok(BTreeSet::new());
        }
        let roles = roles?;
        let members = model.item(object.of).members.iter();
        let by_group = members
            .flat_map(|member| {
                implied::memberships_by_group(model, member, object, item, &roles)
                    .into_iter()
                    .map(move |of| (member, of))
            })
            .filter(|(_, (_, memberships))| !memberships.is_empty());
        let active: Vec<BTreeSet<Membership>> = all(by_group, |(member, (group_of, memberships))| {
            let is_active = self.ends_are_active(member, group_of.as_ref(), object, item, mentions)?;
            Ok(if is_active { memberships } else { BTreeSet::new() })
        })?;
        Ok(active.into_iter().flatten().collect())
    }

    /// Whether an item is given no user and no group: it asks for something impossible, or nothing in the batch but
    /// records that this run parks leads to it.
    ///
    /// INVARIANT 3: such an item loses what it does not ask for, and is given nothing.
    pub(super) fn is_parked(&self, object: &Object, mentions: &Mentions, item: &Item) -> bool {
        self.is_refused(mentions) || !self.is_valid(object, item)
    }

    /// Whether this run parks all records of an object. A message may have objects of several records: what one
    /// of them asks for is no reason to take anything from the others.
    pub(super) fn is_refused(&self, mentions: &Mentions) -> bool {
        let is_refused = |delivered: &DeliveredChange| self.progress.refused.contains(delivered.entry);
        mentions.named.is_empty() && !mentions.changes.is_empty() && mentions.changes.iter().all(is_refused)
    }

    /// Whether a membership that an item implies is not granted, because only records that this run parks ask
    /// for it. What was in force before them stays.
    pub(super) fn is_withheld(&self, object: &Object, mentions: &Mentions, membership: &Membership) -> bool {
        let grant = self.model.item(object.of).grant.as_ref();
        let was_in_force = |(change, [was, _]): (&Change, &OldAndNew)| {
            let at = change.recorded_at.unwrap_or(self.times.now);
            let was_open = |old| grant.is_none_or(|grant| implied::in_window(grant, old, at));
            was.is_valid && was.memberships.contains(membership) && change.old.as_ref().is_some_and(was_open)
        };
        self.is_refused(mentions) && !mentions.changes().zip(&self.named(object, mentions).changes).any(was_in_force)
    }

    /// Whether the items that have the user and the group of a membership have them now.
    fn ends_are_active(
        &mut self,
        member: &CognitoMember,
        group_of: Option<&Object>,
        object: &Object,
        item: &Item,
        mentions: &Mentions,
    ) -> Known<bool> {
        let model = self.model;
        let is_always = |to: TypeId| model.item(to).user.as_ref().is_some_and(|user| user.when.is_empty());
        let has_user = |of: &Object, item: &Item| implied::has_user(model, of, item);
        let user = match &member.user {
            Subject::Itself => Ok(has_user(object, item)),
            Subject::Link(link) if is_always(model.link(*link).to) => Ok(true),
            Subject::Link(link) => {
                let user = implied::target(model, *link, object, Some(item));
                self.end_is_active(*link, user.as_ref(), object, item, mentions, has_user)
            }
        };
        let is_always = |link: LinkId, entry: usize| {
            let link = model.link(link);
            let when = model.item(link.to).groups.get(entry).map(|groups| &groups.when);
            link.each.is_none() && when.is_some_and(Condition::is_empty)
        };
        let active_groups = |of: &Object, item: &Item| implied::active_groups(model, of, item);
        let group = match member.group_owner {
            GroupOwner::Link(link, entry) if is_always(link, entry) => Ok(true),
            GroupOwner::Link(link, entry) => {
                let has_group = |of: &Object, item: &Item| active_groups(of, item).get(entry) == Some(&true);
                self.end_is_active(link, group_of, object, item, mentions, has_group)
            }
            GroupOwner::Itself(entry) => Ok(active_groups(object, item).get(entry) == Some(&true)),
            GroupOwner::Nothing { .. } | GroupOwner::People => Ok(true),
        };
        let is_own = self.is_own_account(member, object, item, mentions);
        Ok(user? && group? && is_own?)
    }

    /// Whether the account under the name of a member is not known to serve nobody. INVARIANT 2: such an account gets no
    /// access, and loses what it has.
    fn is_own_account(
        &mut self,
        member: &CognitoMember,
        object: &Object,
        item: &Item,
        mentions: &Mentions,
    ) -> Known<bool> {
        let model = self.model;
        let Some(subject) = implied::subject(model, &member.user, object, Some(item)) else { return Ok(true) };
        let account = self.account(&model.canonical(&subject))?;
        let Some(account) = account.filter(AccountItem::serves_nobody) else { return Ok(true) };
        let label = queries::label_of(model, &subject);
        let why = match account.waiting() {
            Some(_) => format!("withheld: the account of {label} waits for its deletion"),
            None => format!("withheld: the account under the name of {label} is not its own"),
        };
        self.note(&mentions.entries(), &why);
        // The run that makes the account asks for its grants, and an index may not show this one yet.
        if let Subject::Link(link) = member.user {
            self.ask_again_late(model.link(link), object, item, mentions);
        }
        Ok(false)
    }

    /// Whether the item at the other end of a link has its user or group now, which it has under a condition.
    fn end_is_active(
        &mut self,
        id: LinkId,
        target: Option<&Object>,
        object: &Object,
        item: &Item,
        mentions: &Mentions,
        counts: impl Fn(&Object, &Item) -> bool,
    ) -> Known<bool> {
        let model = self.model;
        let link = model.link(id);
        let Some(target) = target else { return Ok(false) };
        let found = self.view.object(target)?;
        let does = match &found {
            None => model.item(target.of).exists_without_item(&target.names) || !link.needed,
            Some((_, other)) => counts(target, other),
        };
        if !does {
            // A condition is what the model wants: nobody has to write anything.
            let note = match found {
                None => pending::on_link(model, link, target),
                Some(_) => {
                    let label = queries::label_through(model, link, target);
                    format!("withheld: {label} has no such user or group now, because its condition does not hold")
                }
            };
            self.note(&mentions.entries(), &note);
            self.ask_again_late(link, object, item, mentions);
        }
        Ok(does)
    }

    /// The roles of an item that are in force: if each is an item, those whose item exists.
    ///
    /// INVARIANT 2: a role whose item cannot be named is not in force.
    fn roles_in_force(&mut self, object: &Object, item: &Item, mentions: &Mentions) -> Known<Vec<Option<String>>> {
        let model = self.model;
        let links = model.item(object.of).grant.iter().flat_map(|grant| &grant.role_links);
        let of_each = |id: &LinkId| {
            let link = model.link(*id);
            link.needed && link.each.is_some() && model.applies(link, &object.names, Some(item))
        };
        let links: Vec<LinkId> = links.copied().filter(of_each).collect();
        let mut roles = implied::roles(model, object, item);
        let exist: Vec<bool> = all(&roles, |role| {
            let text = role.as_deref().unwrap_or_default();
            let exist: Vec<bool> = all(&links, |id| self.role_exists(*id, object, item, text, mentions))?;
            Ok(!exist.contains(&false))
        })?;
        let mut exist = exist.into_iter();
        roles.retain(|_| exist.next() == Some(true));
        Ok(roles)
    }

    /// Whether the item of one of several roles exists.
    fn role_exists(
        &mut self,
        id: LinkId,
        object: &Object,
        item: &Item,
        role: &str,
        mentions: &Mentions,
    ) -> Known<bool> {
        let link = self.model.link(id);
        let Some(names) = self.model.link_target_of(link, &object.names, Some(item), role) else {
            self.note(&mentions.entries(), &pending::on(&self.model.item(link.to).name));
            return Ok(false);
        };
        let target = implied::identified(self.model, link, names.clone());
        let exists = self.needed_exists(id, &target, || Some(names))?;
        if !exists {
            self.leads_to_nothing(id, object, mentions, &target);
            self.ask_again_late(link, object, item, mentions);
        }
        Ok(exists)
    }

    /// Whether an object that an item needs exists. `names`: those by which the link knows it, if it has to be queried.
    fn needed_exists(&mut self, id: LinkId, target: &Object, names: impl FnOnce() -> Option<Names>) -> Known<bool> {
        match self.model.link(id).up {
            ToParent::Key => self.exists(target),
            ToParent::Partition(_) | ToParent::Index { .. } => match names() {
                Some(names) => self.is_found_by(id, &names),
                None => Ok(false),
            },
            ToParent::Unknown => self.exists_by_address(target),
        }
    }

    /// Whether an item grants nothing because an object that it is linked to does not exist.
    fn is_pending_on(&mut self, id: LinkId, object: &Object, item: &Item, target: &Object) -> Known<bool> {
        let link = self.model.link(id);
        // If the link leads to a list, each membership depends only on its own group, and each role on its own item.
        if link.needed && link.each.is_none() {
            let names = || self.model.link_target(link, &object.names, Some(item));
            return Ok(!self.needed_exists(id, target, names)?);
        }
        // An item that is deleted with its parent grants nothing while the parent is deleted, even
        // if the item was written later.
        if !link.deleted_with || !link.leads_down() || self.deleted_parent(link, target)?.is_none() {
            return Ok(false);
        }
        Ok(link.each.is_some() || !self.is_found(id, object, item)?)
    }
}
