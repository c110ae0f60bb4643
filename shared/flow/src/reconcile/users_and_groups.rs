//! The Cognito users and groups that items have.

use instep_model::{Item, Object};

use super::Pass;
use super::touched::touched;
use crate::effect::{CreatePolicy, Effect, EnsureUser};
use crate::implied;
use crate::plan::Mentions;

impl Pass<'_> {
    /// The Cognito user of an item.
    pub(super) fn user(&mut self, object: &Object, mentions: &Mentions, item: Option<&Item>) {
        let model = self.model;
        let Some(user) = &model.item(object.of).user else { return };
        let view = |image: &Item| {
            let has_user = implied::has_user(model, object, image);
            has_user.then(|| implied::user_image(model, user, object, image))
        };
        if touched(mentions, view).is_none() && !self.is_validity_changed(object, mentions) {
            return;
        }
        let Some(name) = implied::user_name(model, object) else { return };
        let entries = mentions.entries();
        let Some(item) = item.filter(|item| implied::has_user(model, object, item)) else {
            if user.delete && self.may_delete(object, mentions) {
                self.add_effect(Effect::DeleteUser { user: name, of: object.clone() }, &entries);
            }
            return;
        };
        // A sweep names the users that it compares with their items.
        if implied::is_left_to_people(user) && mentions.named.is_empty() {
            return;
        }
        let fresh = !mentions.by_message() && mentions.changes().all(|change| change.old.is_none());
        let state = implied::user_state(model, user, object, item);
        let attributes = |image: &Item| {
            implied::has_user(model, object, image).then(|| implied::user_state(model, user, object, image).attributes)
        };
        let is_unknown = self.progress.unknown_users.contains(name.as_str());
        let only_disabled = !state.enabled && touched(mentions, attributes).is_none();
        // A user is disabled before anything is granted.
        if !state.enabled {
            self.add_effect(Effect::DisableUser { user: name.clone() }, &entries);
        }
        if self.is_parked(object, mentions, item) {
            return;
        }
        if !only_disabled || is_unknown {
            // Nobody is invited only to be disabled.
            let create = match user.create.into() {
                CreatePolicy::Invite if only_disabled => CreatePolicy::Silent,
                create @ (CreatePolicy::Invite | CreatePolicy::Silent | CreatePolicy::Never) => create,
            };
            let ensure = EnsureUser { user: name, of: object.clone(), create, fresh, state };
            self.add_effect(Effect::EnsureUser(ensure), &entries);
        }
    }

    /// The Cognito groups of an item.
    pub(super) fn groups(&mut self, object: &Object, mentions: &Mentions, item: Option<&Item>) {
        let model = self.model;
        let ty = model.item(object.of);
        if ty.groups.is_empty() {
            return;
        }
        let view = |image: &Item| implied::active_groups(model, object, image);
        if touched(mentions, view).is_none() && !self.is_validity_changed(object, mentions) {
            return;
        }
        let is_parked = item.is_some_and(|item| self.is_parked(object, mentions, item));
        let is_assumed = ty.assumed.contains(&object.names);
        let active = match item {
            Some(item) => implied::active_groups(model, object, item),
            None => ty.groups.iter().map(|groups| is_assumed && groups.when.is_empty()).collect(),
        };
        for (rule, group) in implied::groups(model, object) {
            let of = object.clone();
            let effect = match active.get(rule) {
                Some(true) if is_parked => continue,
                Some(true) => Effect::EnsureGroup { group, of },
                Some(false) | None if self.may_delete(object, mentions) => {
                    Effect::DeleteGroup { group, of, created: None }
                }
                Some(false) | None => continue,
            };
            self.add_effect(effect, &mentions.entries());
        }
    }

    /// Whether the user or group of an object that does not exist may be deleted. A message that
    /// only named the object, so that it could be created, does not delete it: its own record does.
    pub(super) fn may_delete(&self, object: &Object, mentions: &Mentions) -> bool {
        !mentions.changes.is_empty()
            || mentions.may_be_done()
            || self.progress.created.contains(object)
            || self.progress.deleted.contains(object)
    }
}
