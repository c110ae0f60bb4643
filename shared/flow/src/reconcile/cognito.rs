//! Cognito: the users, groups and memberships that the table implies.

use std::collections::{BTreeMap, BTreeSet};

use instep_model::{Find, Item, Key, Link, LinkId, Made, Model, Object, Up};

use super::seen::touched;
use super::{Reconciling, belonging};
use crate::bookkeeping;
use crate::effect::{Action, AddMember, CreatePolicy, Effect, EnsureUser, Expect, IfMissing, Phase};
use crate::plan::Hand;
use crate::read::{self, Membership};
use crate::work::NamedObject;

impl Reconciling<'_> {
    /// The Cognito user of an item.
    pub(super) fn user(&mut self, object: &Object, hand: &Hand, item: Option<&Item>) {
        let model = self.model;
        let Some(user) = &model.item(object.of).user else { return };
        if touched(hand, |image| read::user_image(model, user, object, image)).is_none() {
            return;
        }
        let Some(name) = read::user_name(model, object) else { return };
        let places = hand.places();
        let Some(item) = item else {
            if user.delete && self.may_delete(object, hand) {
                self.add_effect(Effect::DeleteUser { user: name, of: object.clone() }, &places);
            }
            return;
        };
        let fresh = !hand.by_message() && hand.changes().all(|change| change.old.is_none());
        let state = read::user_state(model, user, object, item);
        let attributes = |image: &Item| read::user_state(model, user, object, image).attributes;
        let only_disabled = !state.enabled && touched(hand, attributes).is_none();
        // A user is disabled before anything is granted.
        if !state.enabled {
            self.add_effect(Effect::DisableUser { user: name.clone() }, &places);
        }
        if !only_disabled {
            let ensure = EnsureUser { user: name, of: object.clone(), create: user.create.into(), fresh, state };
            self.add_effect(Effect::EnsureUser(ensure), &places);
        }
    }

    /// The Cognito groups of an item.
    pub(super) fn groups(&mut self, object: &Object, hand: &Hand, item: Option<&Item>) {
        let model = self.model;
        if model.item(object.of).groups.is_none() || hand.named.is_empty() && !hand.shows_creation_or_removal() {
            return;
        }
        let exists = item.is_some() || model.item(object.of).assumed.contains(&object.names);
        if !exists && !self.may_delete(object, hand) {
            return;
        }
        for group in read::groups(model, object) {
            let of = object.clone();
            let effect = if exists { Effect::EnsureGroup { group, of } } else { Effect::DeleteGroup { group, of } };
            self.add_effect(effect, &hand.places());
        }
    }

    /// Whether the user or group of an object that does not exist may be deleted. A message that
    /// only named the object, so that it could be created, does not delete it: its own record does.
    fn may_delete(&self, object: &Object, hand: &Hand) -> bool {
        !hand.changes.is_empty()
            || hand.was_redelivered()
            || self.memory.created.contains(object)
            || self.memory.deleted.contains(object)
    }

    /// The memberships that an item implies. Those that its images in the batch name are granted if
    /// the table implies them now, and removed if it does not.
    ///
    /// INVARIANT 2: nothing is granted that no image in the batch names. A later record or message
    /// names it.
    pub(super) fn members(&mut self, object: &Object, hand: &Hand, items: &[(Key, &Item)]) {
        let model = self.model;
        if model.item(object.of).member.is_none() {
            return;
        }
        let named = self.named_memberships(object, hand);
        if named.is_empty() {
            return;
        }
        let mut desired: BTreeMap<Membership, &Item> = BTreeMap::new();
        let mut known = true;
        for (_, item) in items {
            match self.desired_memberships(object, item, hand) {
                Some(memberships) => desired.extend(memberships.into_iter().map(|membership| (membership, *item))),
                None => known = false,
            }
        }
        let mut others = BTreeMap::new();
        for membership in named.iter().filter(|membership| !desired.contains_key(*membership)) {
            match self.another_that_implies(object, hand, membership) {
                Some(other) => drop(others.insert(membership.clone(), other)),
                None => known = false,
            }
        }
        if !known {
            return;
        }
        for membership in named {
            let implied = match desired.get(&membership) {
                Some(item) => self.add_member(object, item, hand, membership.clone()),
                None => others.remove(&membership).flatten(),
            };
            match implied {
                Some(add) => self.add_membership_effect(add, &hand.places()),
                None => self.add_effect(Effect::RemoveMember(membership), &hand.places()),
            }
        }
    }

    /// The memberships that images in the batch name: those that a change granted or revoked, all
    /// of an item if the window of its grant changed, and all of an image in a message.
    pub(super) fn named_memberships(&self, object: &Object, hand: &Hand) -> BTreeSet<Membership> {
        let ty = self.model.item(object.of);
        let memberships = |image: &Item| read::memberships(self.model, object, image);
        let view = |image: &Item| (memberships(image), read::window(ty, image));
        let mut named: BTreeSet<Membership> =
            hand.named.iter().filter_map(|named| named.image.as_ref()).flat_map(memberships).collect();
        for change in hand.changes() {
            let (old, old_window) = change.old.as_ref().map(view).unwrap_or_default();
            let (new, new_window) = change.new.as_ref().map(view).unwrap_or_default();
            if old_window == new_window {
                named.extend(old.symmetric_difference(&new).cloned());
            } else {
                named.extend(old.into_iter().chain(new));
            }
        }
        named
    }

    /// The effect that adds a membership, and what follows if Cognito does not know its user or
    /// group.
    pub(super) fn add_member(
        &self,
        object: &Object,
        item: &Item,
        hand: &Hand,
        membership: Membership,
    ) -> Option<AddMember> {
        let model = self.model;
        let member = model.item(object.of).member.as_ref()?;
        let image = self.image_naming(object, hand, &membership).unwrap_or(item);
        let subject = read::subject(model, &member.user, object, Some(item))?;
        let creates = model.item(subject.of).user.as_ref().map(|user| CreatePolicy::from(user.create));
        let if_no_user = match creates {
            None | Some(CreatePolicy::Never) => IfMissing::Pending,
            Some(CreatePolicy::Invite | CreatePolicy::Silent) => IfMissing::HandOn(subject),
        };
        let group_of = member.group_of.and_then(|link| read::target(model, link, object, Some(item)));
        let if_no_group = match (member.made, group_of) {
            (Made::ByHand, _) => IfMissing::Pending,
            (Made::WithItem, Some(group)) => IfMissing::HandOn(group),
            (Made::OnDemand, _) | (Made::WithItem, None) => IfMissing::Create,
        };
        let image = read::needed_image(model, object, image);
        let grant = NamedObject::new(model, object, Some(image));
        Some(AddMember { membership, grant, if_no_user, if_no_group })
    }

    /// The last image in the batch that names a membership.
    pub(super) fn image_naming<'h>(
        &self,
        object: &Object,
        hand: &'h Hand,
        membership: &Membership,
    ) -> Option<&'h Item> {
        let changes = hand.changes().rev().flat_map(|change| change.new.iter().chain(&change.old));
        let mut images = changes.chain(hand.named.iter().filter_map(|named| named.image.as_ref()));
        images.find(|image| read::memberships(self.model, object, image).contains(membership))
    }

    /// The memberships that an item implies now. `None` while it is not known.
    pub(super) fn desired_memberships(
        &mut self,
        object: &Object,
        item: &Item,
        hand: &Hand,
    ) -> Option<BTreeSet<Membership>> {
        let (model, places) = (self.model, &hand.places());
        if model.item(object.of).grant.as_ref().is_some_and(|grant| !read::in_window(grant, item, self.now)) {
            self.note(places, "outside its window: grants nothing now");
            return Some(BTreeSet::new());
        }
        let (mut known, mut pending) = (true, false);
        for (id, link) in model.links_from(object.of) {
            let Some(target) = read::target(model, id, object, Some(item)) else { continue };
            match self.is_pending_on(id, object, item, &target) {
                None => known = false,
                Some(false) => {}
                Some(true) => {
                    pending = true;
                    if link.needed && matches!(link.up, Up::Key) {
                        self.note(places, &format!("pending: {} does not exist", self.label(&target)));
                    }
                    self.ask_again_late(link, object, item, hand);
                }
            }
        }
        known.then(|| if pending { BTreeSet::new() } else { read::memberships(model, object, item) })
    }

    /// Whether an item grants nothing because an object that it is linked to does not exist. `None`
    /// while it is not known.
    fn is_pending_on(&mut self, id: LinkId, object: &Object, item: &Item, target: &Object) -> Option<bool> {
        let link = self.model.link(id);
        if link.needed && matches!(link.up, Up::Key) {
            return self.exists(target).map(|exists| !exists);
        }
        // An item that is deleted with its parent grants nothing while the parent is deleted, also
        // if the item was written later.
        if !link.deleted_with || self.deleted_parent(link, target)?.is_none() {
            return Some(false);
        }
        self.has_namesake(id, object, item).map(|has| !has)
    }

    /// A pending grant that its missing object has to find through an index sends itself on once,
    /// delayed until the index has caught up: the run over the object may query an index that does
    /// not contain the grant yet. INVARIANT 1.
    fn ask_again_late(&mut self, link: &Link, object: &Object, item: &Item, hand: &Hand) {
        if !link.find.queries_index() || hand.is_late() {
            return;
        }
        let image = read::needed_image(self.model, object, item);
        let named = NamedObject { late: true, ..NamedObject::new(self.model, object, Some(image)) };
        self.add_effect(Effect::HandOn(vec![named]), &hand.places());
    }

    /// Back-references that no item needs any more are deleted, on condition that the referring
    /// item is unchanged since it was read: an item that refers again has written its own.
    pub(super) fn references(&mut self, object: &Object, hand: &Hand, items: &[(Key, &Item)]) {
        let model = self.model;
        for (id, link) in model.links_from(object.of) {
            if !matches!(link.find, Find::BackReference) {
                continue;
            }
            let refers_to: BTreeSet<Object> =
                items.iter().filter_map(|(_, item)| read::target(model, id, object, Some(item))).collect();
            let images = hand.changes().flat_map(|change| change.old.iter().chain(&change.new));
            let targets: BTreeSet<Object> =
                images.filter_map(|image| read::target(model, id, object, Some(image))).collect();
            for target in targets.difference(&refers_to) {
                let mut checks = belonging::absent(model, object);
                for (key, item) in items {
                    let expect = self.as_linked(link, object, item);
                    checks.iter_mut().filter(|check| check.key == *key).for_each(|check| check.expect = expect.clone());
                }
                let key = bookkeeping::reference_key(model, target, object);
                let label = format!("back-reference of {}", self.label(target));
                let actions = vec![Action::Delete { key, expect: Expect::Any }];
                self.write((Phase::Follow, false), label, (checks, actions), &hand.places());
            }
        }
    }
}

impl AddMember {
    /// What is handed on if Cognito does not know the user or the group: the grant, its user and
    /// its group, in one message. A run over all three may create them.
    #[must_use]
    pub fn hand_on(&self, model: &Model) -> Vec<NamedObject> {
        let named = |missing: &IfMissing| match missing {
            IfMissing::HandOn(object) => Some(NamedObject::new(model, object, None)),
            IfMissing::Pending | IfMissing::Create => None,
        };
        named(&self.if_no_user).into_iter().chain(named(&self.if_no_group)).chain([self.grant.clone()]).collect()
    }
}
