//! The accounts under the names of items that Instep did not make, each with what decides whether a backfill adopts it.

use std::collections::BTreeMap;

use instep_model::{ADDRESSES, Model, VERIFIED_ATTRIBUTE};
use jiff::Timestamp;
use serde::Serialize;

use super::cognito::{Found, ensured, unbound_from};
use crate::account::{self, Account, AccountState, FoundUser, Verdict};
use crate::effect::{Effects, EnsureUser};
use crate::queries;

/// An account under the name of an item's user, which is not known to be the item's.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct ExistingUser {
    /// The user name, as the model knows it.
    pub user: String,
    /// The item.
    pub item: String,
    /// `UserStatus`
    pub status: String,
    /// Whether it can sign in.
    pub enabled: bool,
    /// `UserCreateDate`
    pub created: Option<Timestamp>,
    /// How its addresses compare with those of the item. An address that the item does not have is left out.
    pub addresses: BTreeMap<String, AddressMatch>,
    /// What `instep backfill --adopt-before TIME` does with it, if it was created before TIME.
    pub backfill: Adoption,
    /// What decides that.
    pub because: &'static str,
}

/// How an address of an account compares with the item's.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum AddressMatch {
    /// It is equal, and its owner has confirmed it.
    Verified,
    /// It is equal.
    Unverified,
    /// It is another one.
    Differs,
    /// The account has none.
    Missing,
}

/// What a backfill does with an account for which a person vouches.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Adoption {
    /// It serves the item from then on.
    Adopts,
    /// Nothing, until its owner confirms the sign-up.
    Waits,
    /// It gets nothing, and the item's record is parked.
    Parks,
}

impl AddressMatch {
    /// The match in reports.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Self::Verified => "equal and verified",
            Self::Unverified => "equal, not verified",
            Self::Differs => "another one",
            Self::Missing => "none",
        }
    }
}

impl Adoption {
    /// It in reports.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Self::Adopts => "adopts",
            Self::Waits => "waits",
            Self::Parks => "parks",
        }
    }
}

/// Those of a part of the pool.
#[must_use]
pub fn of_existing(model: &Model, found: &Found, effects: &Effects) -> Vec<ExistingUser> {
    let existing = found.users().iter().filter_map(|(user, objects)| {
        let ensure = ensured(effects, objects)?;
        let account = unbound_from(user, ensure)?;
        let noted = account.account();
        // Instep made it, for an earlier item or in an attempt that did not end, and no person keeps it. A run knows what
        // to do.
        let is_own =
            |mark: &String| account::is_own_mark(model, mark) && !account::is_made_for_another(model, &ensure.of, mark);
        if user.mark().is_some_and(is_own) && !account.is_foreign(user.sub()) {
            return None;
        }
        let found = user.found();
        let (backfill, because) = decided(model, ensure, noted, &found);
        let wanted = |name: &str| ensure.state.attributes.get(name)?.as_ref();
        let addresses = ADDRESSES.iter().filter_map(|name| {
            let wanted = wanted(name)?;
            let verified = format!("{name}{VERIFIED_ATTRIBUTE}");
            let is_verified = user.attributes.get(&verified).is_some_and(|text| text == "true");
            let compared = match user.attributes.get(*name) {
                None => AddressMatch::Missing,
                Some(actual) if actual != wanted => AddressMatch::Differs,
                Some(_) if is_verified => AddressMatch::Verified,
                Some(_) => AddressMatch::Unverified,
            };
            Some(((*name).to_owned(), compared))
        });
        Some(ExistingUser {
            user: user.name.clone(),
            item: queries::label_of(model, &ensure.of),
            enabled: user.enabled,
            created: found.created,
            addresses: addresses.collect(),
            backfill,
            because,
            status: found.status,
        })
    });
    existing.collect()
}

/// What a backfill would do, by the rule that runs use.
fn decided(model: &Model, ensure: &EnsureUser, noted: Option<Account>, found: &FoundUser) -> (Adoption, &'static str) {
    let is_replaced = noted.as_ref().is_some_and(|account| matches!(account.state, AccountState::Bound { .. }));
    // A run would begin an attempt. Only an account with a mark of this model could be of one.
    let none = Account {
        nonce: String::new(),
        since: Timestamp::UNIX_EPOCH,
        after: None,
        state: AccountState::Attempt { old: None },
    };
    match account::judge(model, (&ensure.user, &ensure.of), &noted.unwrap_or(none), found, Some(Timestamp::MAX)) {
        Verdict::Serves | Verdict::Replace if is_replaced => {
            (Adoption::Adopts, "the item had another account, which is gone")
        }
        Verdict::Serves if found.mark.is_some() => {
            (Adoption::Adopts, "it served an earlier item, and a person keeps it")
        }
        Verdict::Serves | Verdict::Replace => (Adoption::Adopts, origin(&found.status)),
        Verdict::Pending => (Adoption::Waits, "somebody has signed up, and has not confirmed that"),
        Verdict::Foreign if found.mark.as_deref().is_some_and(|mark| account::is_own_mark(model, mark)) => {
            (Adoption::Parks, "Instep made it for another item")
        }
        Verdict::Foreign if found.mark.as_deref().is_some_and(account::is_mark) => {
            (Adoption::Parks, "it has the mark of another model")
        }
        Verdict::Foreign => (Adoption::Parks, "a user with this status serves no item"),
    }
}

/// What a status says of who made a user.
fn origin(status: &str) -> &'static str {
    match status {
        "FORCE_CHANGE_PASSWORD" => "an administrator made it, and nobody has signed in",
        "EXTERNAL_PROVIDER" => "an identity provider has it",
        _ => "somebody signed up, or used an invitation",
    }
}
