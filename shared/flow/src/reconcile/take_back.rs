//! What an earlier model made in Cognito of an item whose names this model refuses is taken back.

use instep_model::{Item, Key, Object};

use super::Pass;
use super::extra::Standing;
use super::refusal::Refusal;
use crate::effect::{Aside, Effect};
use crate::plan::{DeliveredChange, Mentions};
use crate::{former, implied, queries};

impl Pass<'_> {
    /// Takes back what an earlier model made of the images of an object, unless another item implies it.
    ///
    /// A pool may take names that differ in case only for one. So what has the name of an item that exists, but for
    /// the case, stays, and the entry is parked. So does the user or group that an item of another type may have.
    pub(super) fn take_back(&mut self, object: &Object, mentions: &Mentions, items: &[(Key, &Item)]) {
        if self.model.has_canonical_names() {
            return;
        }
        self.take_back_memberships(object, mentions);
        if !self.model.has_canonical_key(object) {
            let item = items.first().map(|(_, item)| *item);
            let may_delete = self.may_delete(object, mentions);
            // A deletion that waits goes on, whoever asks.
            let waits = self.account(object).is_ok_and(|account| account.is_some_and(|item| item.waiting().is_some()));
            if may_delete || waits {
                self.take_back_user(object, mentions, item, waits);
            }
            if may_delete {
                self.take_back_groups(object, mentions, item);
            }
        }
    }

    /// Whether an earlier model may have made something of what a record shows.
    pub(super) fn has_former(&self, object: &Object, mentions: &Mentions) -> bool {
        let model = self.model;
        let is_former = |image: &Item| !former::memberships(model, object, image).is_empty();
        !model.has_canonical_names()
            && (!model.has_canonical_key(object)
                || mentions.changes().filter_map(|change| change.old.as_ref()).any(is_former))
    }

    fn take_back_memberships(&mut self, object: &Object, mentions: &Mentions) {
        let (model, entries) = (self.model, mentions.entries());
        let former = |image: &Item| former::memberships(model, object, image);
        let mut touched: Vec<_> = mentions.named.iter().filter_map(|named| named.image.as_ref()).map(former).collect();
        for change in mentions.changes() {
            let mut old = change.old.as_ref().map(former).unwrap_or_default();
            let new = change.new.as_ref().map(former).unwrap_or_default();
            old.retain(|membership, _| !new.contains_key(membership));
            touched.push(old);
        }
        for (membership, made) in touched.into_iter().flatten() {
            let Ok(found) = self.extra_member(&membership, &entries) else { continue };
            if found == Standing::Extra && mentions.changes.iter().any(DeliveredChange::may_revoke) {
                self.sign_out(&membership);
            }
            let others = made.into_iter().filter(|other| *other != membership);
            let (same, mut taken): (Vec<_>, Vec<_>) = others.partition(|other| other.group == membership.group);
            match found {
                Standing::Extra => taken.extend(same),
                Standing::Implied if same.is_empty() => {}
                Standing::Implied | Standing::Unclear => self.refuse(&entries, Refusal::OtherSpelling),
            }
            // INVARIANT 2: an item whose names this model takes as they are may imply the same.
            for other in taken {
                if self.extra_member(&other, &entries) == Ok(Standing::Unclear) {
                    self.refuse(&entries, Refusal::OtherSpelling);
                }
            }
        }
    }

    /// INVARIANT 3: the user of an item that gives it up is deleted, and that of one that is disabled is disabled.
    fn take_back_user(&mut self, object: &Object, mentions: &Mentions, item: Option<&Item>, waits: bool) {
        let model = self.model;
        let (Some(rule), Some(user)) = (&model.item(object.of).user, former::user(model, object)) else { return };
        let images = mentions.changes().filter_map(|change| change.old.as_ref());
        let mut images = images.chain(mentions.named.iter().filter_map(|named| named.image.as_ref()));
        if !waits && !images.any(|image| implied::has_user(model, object, image)) {
            return;
        }
        let effect = match item.filter(|item| implied::has_user(model, object, item)) {
            Some(item) if implied::user_state(model, rule, object, item).enabled => return,
            Some(_) => Effect::DisableUser { user: user.clone(), username: Aside(None) },
            None if rule.delete => {
                let Ok(account) = self.account(object) else { return };
                let (of, removal) = (object.clone(), Aside(self.last_removal(object)));
                Effect::DeleteUser { user: user.clone(), of, account: Aside(account), removal }
            }
            None => return,
        };
        let mut owners = queries::objects_with_user(model, &user);
        owners.push(model.canonical(object));
        self.take_back_unless_owned(effect, &owners, mentions);
    }

    fn take_back_groups(&mut self, object: &Object, mentions: &Mentions, item: Option<&Item>) {
        let own: Vec<String> =
            implied::groups(self.model, &self.model.canonical(object)).into_iter().map(|(_, group)| group).collect();
        let active = item.map(|item| implied::active_groups(self.model, object, item)).unwrap_or_default();
        let given_up =
            former::groups(self.model, object).into_iter().filter(|(rule, _)| active.get(*rule) != Some(&true));
        for group in given_up.map(|(_, group)| group).filter(|group| !own.contains(group)) {
            if queries::with_members(self.model, &group).next().is_some() {
                self.refuse(&mentions.entries(), Refusal::OtherSpelling);
                continue;
            }
            let owners = queries::objects_with_group(self.model, &group);
            let effect = Effect::DeleteGroup { group, of: object.clone(), created: None };
            self.take_back_unless_owned(effect, &owners, mentions);
        }
    }

    /// INVARIANT 2: what an item that exists may imply stays.
    fn take_back_unless_owned(&mut self, effect: Effect, owners: &[Object], mentions: &Mentions) {
        let model = self.model;
        let owners = owners.iter().filter(|owner| model.has_canonical_key(owner));
        let exist: Vec<_> = owners.map(|owner| self.exists(owner)).collect();
        if exist.contains(&Ok(true)) {
            self.refuse(&mentions.entries(), Refusal::OtherSpelling);
        } else if exist.iter().all(Result::is_ok) {
            self.add_effect(effect, &mentions.entries());
        }
    }
}
