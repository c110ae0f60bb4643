//! The memberships that an item implies: granted, or removed if the table implies them no longer.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use instep_model::{CognitoMember, GroupOwner, Item, Key, Model, Object};

use super::Pass;
use crate::effect::{AddMember, Aside, CreatePolicy, Effect, IfMissing};
use crate::group_settings::groups_of;
use crate::implied::{self, Membership};
use crate::known::{Known, all};
use crate::plan::Mentions;
use crate::work::NamedObject;

impl Pass<'_> {
    /// The memberships that an item implies. Those that its images in the batch name are granted if
    /// the table implies them now, and removed if it does not.
    ///
    /// INVARIANT 2: nothing is granted that no image in the batch names. A later record or message
    /// names it.
    pub(super) fn members(&mut self, object: &Object, mentions: &Mentions, items: &[(Key, &Item)]) -> Known<()> {
        let model = self.model;
        if model.item(object.of).members.is_empty() {
            return Ok(());
        }
        let mut named = self.named_memberships(object, mentions);
        self.send_what_time_changed(object, mentions, items, &named);
        let open = self.open_memberships(object, items, &mentions.entries())?;
        if !open.is_empty() {
            named.to_mut().retain(|membership| !open.contains(membership));
        }
        if named.is_empty() {
            return Ok(());
        }
        let mut desired: BTreeMap<Membership, &Item> = BTreeMap::new();
        let items: Known<()> = all(items, |(_, item)| {
            let memberships = self.desired_memberships(object, item, mentions)?;
            desired.extend(memberships.into_iter().map(|membership| (membership, *item)));
            Ok(())
        });
        let (mut others, mut stays) = (BTreeMap::new(), BTreeSet::new());
        let not_desired = named.iter().filter(|membership| !desired.contains_key(*membership));
        let not_desired: Known<()> = all(not_desired, |membership| {
            match self.another_that_implies(object, mentions, membership)? {
                Ok(other) => drop(others.insert(membership.clone(), other)),
                Err(why) => {
                    self.refuse(&mentions.entries(), why);
                    stays.insert(membership.clone());
                }
            }
            Ok(())
        });
        items.and(not_desired)?;
        for membership in named.iter().filter(|membership| !stays.contains(*membership)) {
            if desired.contains_key(membership) && self.is_withheld(object, mentions, membership) {
                if self.progress.added.contains(membership) {
                    self.add_effect(Effect::RemoveMember(membership.clone()), &mentions.entries());
                }
                continue;
            }
            let implied = match desired.get(membership) {
                Some(item) => {
                    self.confirm_shared(object, mentions, membership);
                    self.add_member(object, item, mentions, membership.clone())
                }
                None => others.remove(membership).flatten(),
            };
            match implied {
                Some(add) => {
                    if let IfMissing::Create(items, _) = &add.if_no_group {
                        self.keep_group_items(add.grant.of, &add.membership.group, items, mentions);
                    }
                    self.add_membership_effect(add, &mentions.entries());
                }
                None => self.take_membership(object, mentions, membership),
            }
        }
        Ok(())
    }

    /// Removes a membership that no item implies.
    fn take_membership(&mut self, object: &Object, mentions: &Mentions, membership: &Membership) {
        self.delete_group_made_too_late(object, mentions, membership);
        self.add_effect(Effect::RemoveMember(membership.clone()), &mentions.entries());
        if self.model.signs_out() && self.was_in_force(object, mentions, membership) {
            self.sign_out(membership);
        }
    }

    /// Sends an object whose window opened or closed to the work queue, if its item implies memberships that the batch
    /// does not name: it has changed since the moment was noted.
    fn send_what_time_changed(
        &mut self,
        object: &Object,
        mentions: &Mentions,
        items: &[(Key, &Item)],
        named: &BTreeSet<Membership>,
    ) {
        if mentions.named.iter().all(|named| named.moment.is_none()) {
            return;
        }
        let is_new = |item: &Item| !implied::memberships(self.model, object, item).is_subset(named);
        let images: Vec<Item> = items
            .iter()
            .filter(|(_, item)| is_new(item))
            .map(|(_, item)| implied::needed_image(self.model, object, item))
            .collect();
        for image in images {
            let named = NamedObject::new(self.model, object, Some(image));
            self.add_effect(Effect::SendObjects(vec![named]), &mentions.entries());
        }
    }

    /// The effect that adds a membership, and what to do if its user or group does not exist in
    /// Cognito.
    pub(super) fn add_member(
        &mut self,
        object: &Object,
        item: &Item,
        mentions: &Mentions,
        membership: Membership,
    ) -> Option<AddMember> {
        let model = self.model;
        // The callers have found that the item implies the membership: only which rule does is open.
        let rules = &model.item(object.of).members;
        let implies = |rule: &&CognitoMember| implied::memberships_of(model, rule, object, item).contains(&membership);
        let member = if let [only] = rules.as_slice() { only } else { rules.iter().find(implies)? };
        let subject = implied::subject(model, &member.user, object, Some(item))?;
        let creates = model.item(subject.of).user.as_ref().map(|user| CreatePolicy::from(user.create));
        let if_no_user = match creates {
            None | Some(CreatePolicy::Never) => IfMissing::Pending,
            Some(CreatePolicy::Invite | CreatePolicy::Silent) => IfMissing::Send(subject.clone()),
        };
        let group_of = || {
            let roles = implied::roles(model, object, item);
            let by_group = implied::memberships_by_group(model, member, object, item, &roles);
            by_group.into_iter().find(|(_, own)| own.contains(&membership)).and_then(|(of, _)| of)
        };
        let create = || {
            let own = groups_of(model, object, Some(item)).into_iter().find(|own| own.name == membership.group);
            let settings = own.map(|own| own.settings).unwrap_or_default();
            IfMissing::Create(self.group_items(member, object, item, &membership.group), settings)
        };
        let if_no_group = match member.group_owner {
            GroupOwner::People => IfMissing::Pending,
            GroupOwner::Link(..) => group_of().map_or_else(create, IfMissing::Send),
            GroupOwner::Itself(_) | GroupOwner::Nothing { .. } => create(),
        };
        let image = self.needed_image_naming(object, mentions, &membership);
        let image = image.unwrap_or_else(|| Arc::new(implied::needed_image(model, object, item)));
        // While it is unread, the pass ends before anything is applied.
        let subject = model.canonical(&subject);
        let removal = self.last_removal(&subject);
        let is_bound = self.account(&subject).ok()?.is_none_or(|account| account.is_bound_after(removal.as_ref()));
        let unbound = Aside((!is_bound).then_some(subject));
        let (grant, adopt_before) = (object.clone(), Aside(mentions.adopt_before()));
        Some(AddMember { membership, grant, image, if_no_user, if_no_group, unbound, adopt_before })
    }
}

impl AddMember {
    /// What is sent to the work queue if Cognito does not know the user or the group: the grant,
    /// its user and its group, in one message. A run over all three may create them.
    #[must_use]
    pub fn to_send(&self, model: &Model) -> Vec<NamedObject> {
        let named = |missing: &IfMissing| match missing {
            IfMissing::Send(object) => Some(NamedObject::new(model, object, None)),
            IfMissing::Pending | IfMissing::Create(..) => None,
        };
        let image = implied::image_of_membership(model, &self.grant, &self.image, &self.membership);
        let grant = NamedObject::new(model, &self.grant, Some(image));
        let user = named(&self.if_no_user).map(|user| NamedObject { adopt_before: self.adopt_before.0, ..user });
        user.into_iter().chain(named(&self.if_no_group)).chain([grant]).collect()
    }
}
