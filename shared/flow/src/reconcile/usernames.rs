//! The names that a pool has made for the accounts of users.
//!
//! Where people sign in by an address, that is the name of an account only as long as nobody changes it, and then it may be
//! another account's. INVARIANT 2: so whoever has an account item is called by the name in it.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use instep_model::{Model, Object};

use super::Pass;
use crate::account::is_named_by_address;
use crate::effect::Effect;
use crate::known::{Known, all};
use crate::plan::Mentions;
use crate::queries;

/// Whether users of any type are known by their addresses.
fn are_named_by_address(model: &Model) -> bool {
    model.items.iter().filter_map(|ty| ty.user.as_ref()).any(|user| user.named_by_address)
}

impl Pass<'_> {
    /// The name that the pool has made for the account of a user, if it is another one.
    pub(super) fn username(&mut self, user: &str) -> Known<Option<String>> {
        let model = self.model;
        let objects = queries::objects_with_user(model, user);
        let objects = objects.iter().filter(|object| is_named_by_address(model, object));
        let accounts: Vec<_> = all(objects, |object| self.account(object))?;
        let accounts = accounts.into_iter().flatten().filter_map(|item| item.account());
        let mut made = accounts.filter_map(|account| account.username().map(str::to_owned));
        Ok(made.find(|made| made != user))
    }

    /// Asks for the accounts of the users of the memberships that an object's images name.
    pub(super) fn ask_for_usernames(&mut self, object: &Object, mentions: &Mentions) {
        if are_named_by_address(self.model) {
            for membership in self.named_memberships(object, mentions).iter().filter(|membership| !membership.sub) {
                let _ = self.username(&membership.user);
            }
        }
    }

    /// Gives the effects on users the names that the pool has made.
    pub(super) fn name_accounts(&mut self) {
        if !are_named_by_address(self.model) {
            return;
        }
        let named = self.desired.effects.keys().filter_map(|effect| effect.named_user());
        let users: BTreeSet<String> = named.map(str::to_owned).collect();
        let mut made = BTreeMap::new();
        for user in users {
            // While it is unread, the pass ends before anything is applied.
            if let Ok(Some(username)) = self.username(&user) {
                made.insert(user, username);
            }
        }
        if made.is_empty() {
            return;
        }
        let effects = std::mem::take(&mut self.desired.effects).into_iter();
        let named = effects.map(|(effect, entries)| match effect.named_user().and_then(|user| made.get(user)) {
            Some(username) => (Arc::new(Effect::clone(&effect).by_username(username)), entries),
            None => (effect, entries),
        });
        self.desired.effects = named.collect();
    }
}
