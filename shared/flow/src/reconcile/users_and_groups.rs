//! The Cognito users and groups that items have.

use std::collections::{BTreeMap, BTreeSet};

use instep_model::{ADDRESSES, CognitoUser, Item, Object};

use super::Pass;
use super::touched::touched;
use crate::account::{self, AccountItem, Removal};
use crate::effect::{Aside, CreatePolicy, Effect, EnsureUser};
use crate::entries::Entries;
use crate::group_settings::{ObjectGroup, groups_of, precedences};
use crate::implied::{self, DesiredUser};
use crate::known::Known;
use crate::plan::Mentions;

/// Without an invitation.
fn silent(create: CreatePolicy) -> CreatePolicy {
    if create == CreatePolicy::Invite { CreatePolicy::Silent } else { create }
}

/// The addresses in the state of a user.
fn addresses(state: &DesiredUser) -> Aside<BTreeMap<String, Option<String>>> {
    let is_address = |name: &&String| ADDRESSES.contains(&name.as_str());
    let known = state.attributes.keys().filter(is_address);
    Aside(known.map(|name| (name.clone(), state.attributes.get(name).cloned().flatten())).collect())
}

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
        let Ok(account) = self.account(object) else { return };
        let Some(item) = item.filter(|item| implied::has_user(model, object, item)) else {
            // A deletion that waits goes on, whoever asks.
            let waits = account.as_ref().is_some_and(AccountItem::serves_nobody);
            if user.delete && (waits || self.may_delete(object, mentions)) {
                let (of, removal) = (object.clone(), Aside(self.last_removal(object)));
                self.add_effect(Effect::DeleteUser { user: name, of, account: Aside(account), removal }, &entries);
            }
            return;
        };
        // A sweep names the users that it compares with their items.
        if implied::is_left_to_people(user) && mentions.named.is_empty() {
            return;
        }
        let state = implied::user_state(model, user, object, item);
        let attributes = |image: &Item| {
            implied::has_user(model, object, image).then(|| {
                // One that is a unique value also depends on who claims it.
                let state = implied::user_state(model, user, object, image);
                (state.attributes, implied::unique_attributes(model, user, object, image))
            })
        };
        // Nobody else's account is disabled.
        let is_bound = account.as_ref().is_none_or(AccountItem::is_bound);
        let is_unknown = self.progress.unknown_users.contains(name.as_str()) || !is_bound;
        let only_disabled = !state.enabled && touched(mentions, attributes).is_none();
        // A user is disabled before anything is granted.
        if !state.enabled && is_bound {
            self.add_effect(Effect::DisableUser { user: name.clone(), username: Aside(None) }, &entries);
        }
        if self.is_parked(object, mentions, item) {
            return;
        }
        if !only_disabled || is_unknown {
            // Nobody is invited only to be disabled.
            let create = if only_disabled { silent(user.create.into()) } else { user.create.into() };
            let (of, account, claims) = (object.clone(), Aside(account), Aside::default());
            let (adopt_before, removal) = (mentions.adopt_before(), Aside(self.last_removal(object)));
            let addresses = addresses(&state);
            let ensure =
                EnsureUser { user: name, of, create, account, adopt_before, removal, state, addresses, claims };
            self.ensure_user(user, object, item, ensure, &entries);
        }
    }

    /// The account item of an object, as it was read. `None` if Instep does not make its user.
    pub(super) fn account(&mut self, object: &Object) -> Known<Option<AccountItem>> {
        if !account::is_kept_for(self.model, object) {
            return Ok(None);
        }
        let key = account::account_key(self.model, object);
        let read = self.view.item(&key)?.cloned();
        let nonce = read.as_ref().and_then(account::account).map(|account| account.nonce);
        let is_confirmed = self.progress.unconfirmed.get(object).is_some_and(|seen| *seen == nonce);
        Ok(Some(AccountItem { of: object.clone(), key, read, read_at: self.times.now, is_confirmed }))
    }

    /// The last deletion of an item that records in the batch show, if its account goes with it.
    pub(super) fn last_removal(&self, object: &Object) -> Option<Removal> {
        let is_kept = self.model.item(object.of).user.as_ref().is_none_or(|user| !user.delete);
        self.plan.objects.get(object).filter(|_| !is_kept).and_then(Mentions::last_removal)
    }

    /// Ensures a user. One with unique values waits until the pass knows who holds these.
    fn ensure_user(&mut self, user: &CognitoUser, object: &Object, item: &Item, ensure: EnsureUser, entries: &Entries) {
        if user.unique.is_empty() {
            return self.add_effect(Effect::EnsureUser(ensure), entries);
        }
        for guard in implied::unique_attributes(self.model, user, object, item).into_values().flatten() {
            // A message that only names the item leads to no claim, and a value that nobody has is the item's.
            let Ok(holder) = self.holder(&guard) else { continue };
            if holder.as_ref() != Some(object) {
                self.touch_guard(&guard, object, entries);
            }
        }
        self.users.entry(object.clone()).or_insert((ensure, Entries::default())).1.extend(entries);
    }

    /// The user of an owner that claims the value of a guard, which was given to it, or taken from it: the user gets the
    /// value, or loses it. An owner that no longer claims the value has a record of its own that says so.
    pub(super) fn user_of_owner(&mut self, owner: &Object, guard: &Object, entries: &Entries) -> Known<()> {
        let model = self.model;
        let Some(user) = model.item(owner.of).user.as_ref().filter(|user| !user.unique.is_empty()) else {
            return Ok(());
        };
        if self.users.contains_key(owner) || !model.has_canonical_key(owner) {
            return Ok(());
        }
        let Some((_, item)) = self.view.object(owner)? else { return Ok(()) };
        if !implied::unique_attributes(model, user, owner, item).values().any(|guards| guards.contains(guard)) {
            return Ok(());
        }
        let is_refused = self.plan.objects.get(owner).is_some_and(|mentions| self.is_refused(mentions));
        let name = implied::user_name(model, owner).filter(|_| implied::has_user(model, owner, item));
        let Some(name) = name.filter(|_| !is_refused && self.is_valid(owner, item)) else { return Ok(()) };
        let state = implied::user_state(model, user, owner, item);
        let create = if state.enabled { user.create.into() } else { silent(user.create.into()) };
        let account = Aside(self.account(owner)?);
        let (of, adopt_before, removal, claims) = (owner.clone(), None, Aside::default(), Aside::default());
        let addresses = addresses(&state);
        let ensure = EnsureUser { user: name, of, create, account, adopt_before, removal, state, addresses, claims };
        self.users.insert(owner.clone(), (ensure, entries.clone()));
        Ok(())
    }

    /// Ensures a user without the values that its item does not hold. INVARIANT 7: at most one user has a unique value.
    pub(super) fn user_with_values(&mut self, object: &Object, mut ensure: EnsureUser, entries: &Entries) -> Known<()> {
        let model = self.model;
        let Some(user) = &model.item(object.of).user else { return Ok(()) };
        let Some((_, item)) = self.view.object(object)? else { return Ok(()) };
        let (mut claims, mut is_without) = (BTreeSet::new(), false);
        for (attribute, guards) in implied::unique_attributes(model, user, object, item) {
            let mut is_held = !guards.is_empty();
            for guard in &guards {
                let holder = self.holder(guard)?;
                let given = self.given.get(guard);
                is_held &= given.map(|(_, owner)| owner).or(holder.as_ref()) == Some(object);
                claims.extend(given.map(|(key, _)| key.clone()));
            }
            if !is_held && let Some(Some(_)) = ensure.state.attributes.insert(attribute.to_owned(), None) {
                is_without = true;
                self.note(entries, &format!("`{attribute}` is not set in Cognito: the item does not hold the value"));
            }
        }
        // Cognito invites nobody whom it cannot reach.
        let is_set = |name: &&str| ensure.state.attributes.get(*name).is_some_and(Option::is_some);
        if is_without && !ADDRESSES.iter().any(is_set) {
            ensure.create = silent(ensure.create);
        }
        ensure.claims = Aside(claims);
        self.add_effect(Effect::EnsureUser(ensure), entries);
        Ok(())
    }

    /// The Cognito groups of an item.
    pub(super) fn groups(&mut self, object: &Object, mentions: &Mentions, item: Option<&Item>) {
        let model = self.model;
        let ty = model.item(object.of);
        if ty.groups.is_empty() {
            return;
        }
        let view = |image: &Item| (implied::active_groups(model, object, image), precedences(model, object, image));
        if touched(mentions, view).is_none() && !self.is_validity_changed(object, mentions) {
            return;
        }
        let is_parked = item.is_some_and(|item| self.is_parked(object, mentions, item));
        let is_assumed = ty.assumed.contains(&object.names);
        let active = match item {
            Some(item) => implied::active_groups(model, object, item),
            None => ty.groups.iter().map(|groups| is_assumed && groups.when.is_empty()).collect(),
        };
        for ObjectGroup { rule, name: group, settings } in groups_of(model, object, item) {
            let of = object.clone();
            let effect = match active.get(rule) {
                Some(true) if is_parked => continue,
                Some(true) => {
                    // An object that the model assumes to exist outlives its item, and so do its groups.
                    let removal = Aside(mentions.last_removal().filter(|_| !is_assumed));
                    Effect::EnsureGroup { group, of, settings, removal }
                }
                Some(false) | None if self.may_delete(object, mentions) => {
                    Effect::DeleteGroup { group, of, created: None }
                }
                Some(false) | None => continue,
            };
            self.add_effect(effect, &mentions.entries());
        }
    }

    /// Whether the user or group of an object that does not exist may be deleted. A message that
    /// only named the object, so that it could be created, does not delete it: its own record does. If this run began to
    /// make the user, that record may have been handled before the user was there.
    pub(super) fn may_delete(&self, object: &Object, mentions: &Mentions) -> bool {
        !mentions.changes.is_empty()
            || mentions.may_be_done()
            || self.progress.created.contains(object)
            || self.progress.deleted.contains(object)
            || self.progress.unconfirmed.contains_key(object)
    }
}
