//! Cognito: the users, groups and memberships that the table implies.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use instep_model::{CognitoMember, Find, Item, Key, Link, LinkId, Made, Model, Object};

use super::touched::touched;
use super::{Reconciling, belonging};
use crate::bookkeeping::{self, Kind};
use crate::effect::{Action, AddMember, CreatePolicy, Effect, EnsureUser, Expect, IfMissing, Phase};
use crate::plan::Input;
use crate::read::{self, Membership};
use crate::work::NamedObject;

impl Reconciling<'_> {
    /// The Cognito user of an item.
    pub(super) fn user(&mut self, object: &Object, input: &Input, item: Option<&Item>) {
        let model = self.model;
        let Some(user) = &model.item(object.of).user else { return };
        let view = |image: &Item| {
            let has_user = read::has_user(model, object, image);
            has_user.then(|| read::user_image(model, user, object, image))
        };
        if touched(input, view).is_none() && !self.is_validity_changed(object, input) {
            return;
        }
        let Some(name) = read::user_name(model, object) else { return };
        let places = input.places();
        let Some(item) = item.filter(|item| read::has_user(model, object, item)) else {
            if user.delete && self.may_delete(object, input) {
                self.add_effect(Effect::DeleteUser { user: name, of: object.clone() }, &places);
            }
            return;
        };
        // A sweep names the users that it compares with their items.
        if read::is_left_to_people(user) && input.named.is_empty() {
            return;
        }
        let fresh = !input.by_message() && input.changes().all(|change| change.old.is_none());
        let state = read::user_state(model, user, object, item);
        let attributes = |image: &Item| {
            read::has_user(model, object, image).then(|| read::user_state(model, user, object, image).attributes)
        };
        let is_unknown = self.memory.unknown_users.contains(name.as_str());
        let only_disabled = !state.enabled && touched(input, attributes).is_none();
        // A user is disabled before anything is granted.
        if !state.enabled {
            self.add_effect(Effect::DisableUser { user: name.clone() }, &places);
        }
        if self.is_parked(object, input, item) {
            return;
        }
        if !only_disabled || is_unknown {
            // Nobody is invited only to be disabled.
            let create = match user.create.into() {
                CreatePolicy::Invite if only_disabled => CreatePolicy::Silent,
                create @ (CreatePolicy::Invite | CreatePolicy::Silent | CreatePolicy::Never) => create,
            };
            let ensure = EnsureUser { user: name, of: object.clone(), create, fresh, state };
            self.add_effect(Effect::EnsureUser(ensure), &places);
        }
    }

    /// The Cognito groups of an item.
    pub(super) fn groups(&mut self, object: &Object, input: &Input, item: Option<&Item>) {
        let model = self.model;
        let ty = model.item(object.of);
        if ty.groups.is_empty() {
            return;
        }
        let view = |image: &Item| read::active_groups(model, object, image);
        if touched(input, view).is_none() && !self.is_validity_changed(object, input) {
            return;
        }
        let is_parked = item.is_some_and(|item| self.is_parked(object, input, item));
        let is_assumed = ty.assumed.contains(&object.names);
        let active = match item {
            Some(item) => read::active_groups(model, object, item),
            None => ty.groups.iter().map(|groups| is_assumed && groups.when.is_empty()).collect(),
        };
        for (rule, group) in read::groups(model, object) {
            let of = object.clone();
            let effect = match active.get(rule) {
                Some(true) if is_parked => continue,
                Some(true) => Effect::EnsureGroup { group, of },
                Some(false) | None if self.may_delete(object, input) => {
                    Effect::DeleteGroup { group, of, created: None }
                }
                Some(false) | None => continue,
            };
            self.add_effect(effect, &input.places());
        }
    }

    /// Whether the user or group of an object that does not exist may be deleted. A message that
    /// only named the object, so that it could be created, does not delete it: its own record does.
    pub(super) fn may_delete(&self, object: &Object, input: &Input) -> bool {
        !input.changes.is_empty()
            || input.was_redelivered()
            || self.memory.created.contains(object)
            || self.memory.deleted.contains(object)
    }

    /// The memberships that an item implies. Those that its images in the batch name are granted if
    /// the table implies them now, and removed if it does not.
    ///
    /// INVARIANT 2: nothing is granted that no image in the batch names. A later record or message
    /// names it.
    pub(super) fn members(&mut self, object: &Object, input: &Input, items: &[(Key, &Item)]) {
        let model = self.model;
        if model.item(object.of).members.is_empty() {
            return;
        }
        let named = self.named_memberships(object, input);
        self.hand_on_what_turned(object, input, items, &named);
        if named.is_empty() {
            return;
        }
        let mut desired: BTreeMap<Membership, &Item> = BTreeMap::new();
        let mut known = true;
        for (_, item) in items {
            match self.desired_memberships(object, item, input) {
                Some(memberships) => desired.extend(memberships.into_iter().map(|membership| (membership, *item))),
                None => known = false,
            }
        }
        let (mut others, mut stays) = (BTreeMap::new(), BTreeSet::new());
        for membership in named.iter().filter(|membership| !desired.contains_key(*membership)) {
            match self.another_that_implies(object, input, membership) {
                Some(Ok(other)) => drop(others.insert(membership.clone(), other)),
                Some(Err(why)) => {
                    self.refuse(&input.places(), why);
                    stays.insert(membership.clone());
                }
                None => known = false,
            }
        }
        if !known {
            return;
        }
        for membership in named.iter().filter(|membership| !stays.contains(*membership)) {
            if desired.contains_key(membership) && self.is_withheld(object, input, membership) {
                if self.memory.added.contains(membership) {
                    self.add_effect(Effect::RemoveMember(membership.clone()), &input.places());
                }
                continue;
            }
            let implied = match desired.get(membership) {
                Some(item) => {
                    self.confirm_shared(object, input, membership);
                    self.add_member(object, item, input, membership.clone())
                }
                None => others.remove(membership).flatten(),
            };
            match implied {
                Some(add) => {
                    if let IfMissing::Create(entries) = &add.if_no_group {
                        self.keep_group_entries(&add.membership.group, entries, input);
                    }
                    self.add_membership_effect(add, &input.places());
                }
                None => {
                    self.delete_group_made_too_late(object, input, membership);
                    self.add_effect(Effect::RemoveMember(membership.clone()), &input.places());
                }
            }
        }
    }

    /// Hands on an object whose window opened or closed, if its item implies memberships that the batch
    /// does not name: it has changed since the moment was noted.
    fn hand_on_what_turned(
        &mut self,
        object: &Object,
        input: &Input,
        items: &[(Key, &Item)],
        named: &BTreeSet<Membership>,
    ) {
        if input.named.iter().all(|named| named.come.is_none()) {
            return;
        }
        let is_new = |item: &Item| !read::memberships(self.model, object, item).is_subset(named);
        let images: Vec<Item> = items
            .iter()
            .filter(|(_, item)| is_new(item))
            .map(|(_, item)| read::needed_image(self.model, object, item))
            .collect();
        for image in images {
            let named = NamedObject::new(self.model, object, Some(image));
            self.add_effect(Effect::HandOn(vec![named]), &input.places());
        }
    }

    /// The effect that adds a membership, and what to do if its user or group does not exist in
    /// Cognito.
    pub(super) fn add_member(
        &self,
        object: &Object,
        item: &Item,
        input: &Input,
        membership: Membership,
    ) -> Option<AddMember> {
        let model = self.model;
        // The callers have found that the item implies the membership: only which rule does is open.
        let rules = &model.item(object.of).members;
        let implies = |rule: &&CognitoMember| read::memberships_of(model, rule, object, item).contains(&membership);
        let member = if let [only] = rules.as_slice() { only } else { rules.iter().find(implies)? };
        let subject = read::subject(model, &member.user, object, Some(item))?;
        let creates = model.item(subject.of).user.as_ref().map(|user| CreatePolicy::from(user.create));
        let if_no_user = match creates {
            None | Some(CreatePolicy::Never) => IfMissing::Pending,
            Some(CreatePolicy::Invite | CreatePolicy::Silent) => IfMissing::HandOn(subject),
        };
        let group_of = || {
            let by_group = read::memberships_by_group(model, member, object, item);
            by_group.into_iter().find(|(_, own)| own.contains(&membership)).and_then(|(of, _)| of)
        };
        let create = || IfMissing::Create(self.group_entries(member, object, item, &membership.group));
        let if_no_group = match member.made {
            Made::ByHand => IfMissing::Pending,
            Made::WithItem => group_of().map_or_else(create, IfMissing::HandOn),
            Made::OnDemand => create(),
        };
        let image = self.needed_image_naming(object, input, &membership);
        let image = image.unwrap_or_else(|| Arc::new(read::needed_image(model, object, item)));
        Some(AddMember { membership, grant: object.clone(), image, if_no_user, if_no_group })
    }

    /// Back-references and addresses that no item needs any more are deleted, on condition that the
    /// item is unchanged since it was read: if it refers to the object again, or exists again, the run
    /// over that write writes them itself. Several references to one object share one.
    pub(super) fn references(&mut self, object: &Object, input: &Input, items: &[(Key, &Item)]) {
        let model = self.model;
        let by_reference = |(_, link): &(LinkId, &Link)| matches!(link.find, Find::BackReference);
        let links: Vec<(LinkId, &Link)> = model.links_from(object.of).filter(by_reference).collect();
        let references = |image: &Item| bookkeeping::references(model, object, image);
        let needed: BTreeSet<Key> = items.iter().flat_map(|(_, item)| references(item).into_keys()).collect();
        let images = input.changes().flat_map(|change| change.old.iter().chain(&change.new));
        let named: BTreeMap<Key, (Object, Item)> = images.flat_map(references).collect();
        for (key, (from, _)) in named.iter().filter(|(key, _)| !needed.contains(*key)) {
            let mut checks = belonging::absent(model, object);
            for (key, item) in items {
                let linking = links.iter().flat_map(|(id, _)| self.linking(*id, object, item)).collect();
                let expect = belonging::as_they_are(linking);
                checks.iter_mut().filter(|check| check.key == *key).for_each(|check| check.expect = expect.clone());
            }
            let what = if Kind::of(key) == Some(Kind::Address) { "address" } else { "back-reference" };
            let label = format!("{what} of {}", self.label(from));
            let actions = vec![Action::Delete { key: key.clone(), expect: Expect::Any }];
            self.write((Phase::Follow, false), label, (checks, actions), &input.places());
        }
    }
}

impl AddMember {
    /// What is sent to the work queue if Cognito does not know the user or the group: the grant,
    /// its user and its group, in one message. A run over all three may create them.
    #[must_use]
    pub fn hand_on(&self, model: &Model) -> Vec<NamedObject> {
        let named = |missing: &IfMissing| match missing {
            IfMissing::HandOn(object) => Some(NamedObject::new(model, object, None)),
            IfMissing::Pending | IfMissing::Create(_) => None,
        };
        let image = read::image_of_membership(model, &self.grant, &self.image, &self.membership);
        let grant = NamedObject::new(model, &self.grant, Some(image));
        named(&self.if_no_user).into_iter().chain(named(&self.if_no_group)).chain([grant]).collect()
    }
}
