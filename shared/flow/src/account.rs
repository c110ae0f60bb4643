//! Accounts: which Cognito user serves an item whose user Instep creates. Pure.
//!
//! The account item of an object says so. Without it, no membership is added: a user name says who an account is
//! meant for, and not who made it. Each write to it is conditional on the item as it was read.
//!
//! The *nonce* is random, and noted before the account is made. The account has it in its *mark*. Nobody can know it
//! before, so the mark proves who made the account, also after an answer was lost.

use std::collections::BTreeMap;

use instep_model::{ACCOUNT_MARK, Create, Item, Key, Model, Object, Value};
use jiff::{SignedDuration, Timestamp};

use crate::bookkeeping::{self, BookkeepingKind};
use crate::table_write::{Action, Expect};

/// Sort key of an account item.
const ACCOUNT_SK: &str = "ACCOUNT";

/// The beginning of each mark, before the name of a model.
const MARK: &str = "instep:";

const NONCE: &str = "nonce";
const SINCE: &str = "since";
/// The attribute with the id that Cognito generates, and the field of an account item with it.
pub const SUB: &str = "sub";
const USERNAME: &str = "username";
const OLD: &str = "old";
const FOREIGN: &str = "foreign";
const AFTER: &str = "after";

/// How much the clocks of processes and of DynamoDB may differ, with the second of a record's time. An account that is
/// so little younger than a deletion counts as older.
pub(crate) const SKEW: SignedDuration = SignedDuration::from_secs(3);

/// What an account item says.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Account {
    /// 128 random bits in hexadecimal, of the account that is to be made or was made.
    pub nonce: String,
    /// A time before the reads that led to the nonce.
    pub since: Timestamp,
    /// The last deletion of the item that was known when the nonce was noted. It never counts again.
    pub after: Option<Removal>,
    /// How far it has come.
    pub state: AccountState,
}

/// A deletion of an item, as its record says.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Removal {
    /// The second.
    pub at: Timestamp,
    /// The sequence number, padded: within a second it decides.
    pub sequence: String,
}

/// How far an account has come.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum AccountState {
    /// It is to be made, or may have been.
    Attempt {
        /// The `sub` of an earlier account that is deleted first.
        old: Option<String>,
    },
    /// It serves the item.
    Bound {
        /// Its `sub`.
        sub: String,
        /// Its user name: the pool may have made that.
        username: String,
    },
    /// The account under the name is somebody else's. It gets no access.
    Foreign {
        /// Its `sub`.
        sub: String,
    },
}

/// The account item of an object, as a run has read it.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct AccountItem {
    /// The object.
    pub of: Object,
    /// Its key.
    pub key: Key,
    /// What was read.
    pub read: Option<Item>,
    /// A time before it was read.
    pub read_at: Timestamp,
    /// Whether this run has read everything again after it first saw the nonce. Until then the nonce may be of an
    /// earlier item, and is not used.
    pub is_confirmed: bool,
}

/// A Cognito user that was found under the name of an account.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FoundUser {
    /// `sub`
    pub sub: String,
    /// `Username`
    pub username: String,
    /// `UserStatus`
    pub status: String,
    /// The value of [`ACCOUNT_MARK`].
    pub mark: Option<String>,
    /// `UserCreateDate`
    pub created: Option<Timestamp>,
}

/// Whether a user that was found may serve an item.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Verdict {
    /// It is the account of the item.
    Serves,
    /// Instep made it for an earlier item, or in a race that it lost. It never serves: it is deleted, and a new one made.
    Replace,
    /// It is somebody's who has signed up and not confirmed: nothing is decided.
    Pending,
    /// It is somebody else's.
    Foreign,
}

/// Whether Instep makes the accounts of a type, and so keeps account items.
#[must_use]
pub fn is_kept_for(model: &Model, object: &Object) -> bool {
    model.item(object.of).user.as_ref().is_some_and(|user| user.create != Create::Never)
}

/// The key of the account item of an object.
#[must_use]
pub fn account_key(model: &Model, of: &Object) -> Key {
    Key { pk: bookkeeping::partition(model, BookkeepingKind::Account, of), sk: ACCOUNT_SK.to_owned() }
}

/// What an account item says. `None` for one that says nothing that this version knows.
#[must_use]
pub fn account(item: &Item) -> Option<Account> {
    let fields = bookkeeping::fields(item)?;
    let text = |name: &str| fields.get(name).and_then(Value::as_s).map(str::to_owned);
    let state = match (text(SUB), text(FOREIGN)) {
        (Some(sub), _) => AccountState::Bound { sub, username: text(USERNAME)? },
        (None, Some(sub)) => AccountState::Foreign { sub },
        (None, None) => AccountState::Attempt { old: text(OLD) },
    };
    let after = text(AFTER).and_then(|text| {
        let (at, sequence) = text.split_once('/')?;
        Some(Removal { at: at.parse().ok()?, sequence: sequence.to_owned() })
    });
    Some(Account { nonce: text(NONCE)?, since: text(SINCE)?.parse().ok()?, after, state })
}

/// The mark of an account.
#[must_use]
pub fn mark(model: &Model, nonce: &str) -> String {
    format!("{MARK}{}:{nonce}", model.name)
}

/// Whether a mark is one of this model.
#[must_use]
pub fn is_own_mark(model: &Model, mark: &str) -> bool {
    let nonce = mark.strip_prefix(MARK).and_then(|rest| rest.strip_prefix(&model.name)?.strip_prefix(':'));
    nonce.is_some_and(|nonce| !nonce.contains(':'))
}

/// Whether a user that was found under a name may serve the item that has this account. `adopt_before`: a person vouches
/// for the users that were created before.
#[must_use]
pub fn judge(
    model: &Model,
    name: &str,
    account: &Account,
    found: &FoundUser,
    adopt_before: Option<Timestamp>,
) -> Verdict {
    match (&account.state, &found.mark) {
        (AccountState::Bound { sub, .. }, _) if *sub == found.sub => return Verdict::Serves,
        (AccountState::Attempt { .. }, Some(own)) if *own == mark(model, &account.nonce) => return Verdict::Serves,
        (_, Some(own)) if is_own_mark(model, own) => return Verdict::Replace,
        (_, Some(other)) if other.starts_with(MARK) => return Verdict::Foreign,
        (_, _) => {}
    }
    let is_vouched = || adopt_before.zip(found.created).is_some_and(|(before, created)| created < before);
    match found.status.as_str() {
        _ if found.is_other_than(name) => Verdict::Foreign,
        "UNCONFIRMED" => Verdict::Pending,
        "CONFIRMED" | "FORCE_CHANGE_PASSWORD" | "RESET_REQUIRED" | "EXTERNAL_PROVIDER" if is_vouched() => {
            Verdict::Serves
        }
        _ => Verdict::Foreign,
    }
}

impl Account {
    /// Whether it was made for an earlier item: the item was deleted since, and written again before any run saw that.
    ///
    /// INVARIANT 2: the time before the reads that led to it decides. The time of its creation is later than what its
    /// run has read.
    #[must_use]
    pub fn is_older_than(&self, removal: &Removal) -> bool {
        let is_known = self.after.as_ref().is_some_and(|after| after >= removal);
        let is_foreign = matches!(self.state, AccountState::Foreign { .. });
        !is_known && !is_foreign && self.since.duration_since(removal.at) <= SKEW
    }
}

impl AccountItem {
    /// What it says.
    #[must_use]
    pub fn account(&self) -> Option<Account> {
        self.read.as_ref().and_then(account)
    }

    /// Whether the account with this `sub` serves its object.
    #[must_use]
    pub fn serves(&self, found: &str) -> bool {
        self.account().is_some_and(|account| matches!(account.state, AccountState::Bound { sub, .. } if sub == found))
    }

    /// Whether it says which account serves its object.
    #[must_use]
    pub fn is_bound(&self) -> bool {
        self.account().is_some_and(|account| matches!(account.state, AccountState::Bound { .. }))
    }

    /// As [`Self::is_bound`], if the item was deleted then: an older account does not serve it.
    #[must_use]
    pub fn is_bound_after(&self, removal: Option<&Removal>) -> bool {
        let is_older = |account: Account| removal.is_some_and(|removal| account.is_older_than(removal));
        self.is_bound() && !self.account().is_some_and(is_older)
    }

    /// Whether the account under the name is somebody else's.
    #[must_use]
    pub fn is_foreign(&self) -> bool {
        self.account().is_some_and(|account| matches!(account.state, AccountState::Foreign { .. }))
    }

    /// The write that makes it say this, and what it is after that.
    #[must_use]
    pub fn put(&self, model: &Model, account: &Account) -> (Action, Self) {
        let text = |value: &str| Value::S(value.to_owned());
        let mut fields = vec![(NONCE, text(&account.nonce)), (SINCE, Value::S(account.since.to_string()))];
        fields
            .extend(account.after.as_ref().map(|Removal { at, sequence }| (AFTER, text(&format!("{at}/{sequence}")))));
        match &account.state {
            AccountState::Attempt { old } => fields.extend(old.as_deref().map(|old| (OLD, text(old)))),
            AccountState::Bound { sub, username } => fields.extend([(SUB, text(sub)), (USERNAME, text(username))]),
            AccountState::Foreign { sub } => fields.push((FOREIGN, text(sub))),
        }
        let item = bookkeeping::item(model, &self.key, &self.of, fields);
        let action = Action::Put { key: self.key.clone(), item: item.clone(), expect: self.as_read() };
        (action, Self { read: Some(item), is_confirmed: true, ..self.clone() })
    }

    /// The write that deletes it.
    #[must_use]
    pub fn delete(&self) -> Action {
        Action::Delete { key: self.key.clone(), expect: self.as_read() }
    }

    fn as_read(&self) -> Expect {
        bookkeeping::as_read(self.read.as_ref())
    }
}

impl FoundUser {
    /// A user, by its answer's parts.
    #[must_use]
    pub fn new(
        username: &str,
        status: &str,
        created: Option<Timestamp>,
        attributes: &BTreeMap<String, String>,
    ) -> Self {
        Self {
            sub: attributes.get(SUB).cloned().unwrap_or_default(),
            username: username.to_owned(),
            status: status.to_owned(),
            mark: attributes.get(ACCOUNT_MARK).cloned(),
            created,
        }
    }

    /// Whether this is another user than the one that was asked for: in a pool with sign-in aliases, a name may be the
    /// alias of another user. Where users sign in by an address, the pool makes the names, equal to `sub`.
    #[must_use]
    pub fn is_other_than(&self, name: &str) -> bool {
        self.username.to_lowercase() != name.to_lowercase() && self.username != self.sub
    }

    /// Whether Instep may delete the user in the place of this account: the account item has its `sub`, or it has a mark
    /// of this model.
    #[must_use]
    pub fn is_own(&self, model: &Model, account: Option<&Account>) -> bool {
        let is_noted = account.is_some_and(|account| match &account.state {
            AccountState::Attempt { old } => old.as_deref() == Some(&self.sub),
            AccountState::Bound { sub, .. } => *sub == self.sub,
            AccountState::Foreign { .. } => false,
        });
        is_noted || self.mark.as_ref().is_some_and(|mark| is_own_mark(model, mark))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(second: i64) -> Timestamp {
        Timestamp::from_second(second).unwrap()
    }

    fn account(state: AccountState) -> Account {
        Account { nonce: "n1".to_owned(), since: at(100), after: None, state }
    }

    /// Promise 2: which account that is found under a name may serve an item, without and with a person who vouches for
    /// it.
    #[test]
    fn only_an_account_that_is_known_serves() {
        let model = Model::shipped("access-management").unwrap();
        let attempt = || account(AccountState::Attempt { old: None });
        let bound = || account(AccountState::Bound { sub: "s1".to_owned(), username: "ann".to_owned() });
        let foreign = || account(AccountState::Foreign { sub: "s1".to_owned() });
        let (own, earlier) = ("instep:access-management:n1", "instep:access-management:n0");
        let cases = [
            ("bound", bound(), "ann s1 CONFIRMED -", "Serves Serves"),
            ("bound, and not confirmed by a person", bound(), "ann s1 UNCONFIRMED -", "Serves Serves"),
            ("this attempt", attempt(), &format!("ann s2 FORCE_CHANGE_PASSWORD {own}"), "Serves Serves"),
            ("an earlier attempt", attempt(), &format!("ann s2 FORCE_CHANGE_PASSWORD {earlier}"), "Replace Replace"),
            (
                "an earlier attempt in place of the bound one",
                bound(),
                &format!("ann s2 CONFIRMED {earlier}"),
                "Replace Replace",
            ),
            (
                "of a model with this one's name at its beginning",
                attempt(),
                "ann s2 CONFIRMED instep:access-management:v2:n1",
                "Foreign Foreign",
            ),
            ("of another model", attempt(), "ann s2 CONFIRMED instep:other:n1", "Foreign Foreign"),
            ("an alias", attempt(), "bob s2 CONFIRMED -", "Foreign Foreign"),
            ("a name that the pool made", attempt(), "s2 s2 CONFIRMED -", "Foreign Serves"),
            ("another spelling of the name", attempt(), "Ann s2 CONFIRMED -", "Foreign Serves"),
            ("archived", attempt(), "ann s2 ARCHIVED -", "Foreign Foreign"),
            ("compromised", attempt(), "ann s2 COMPROMISED -", "Foreign Foreign"),
            ("no known status", attempt(), "ann s2 UNKNOWN -", "Foreign Foreign"),
            ("has signed up and not confirmed", attempt(), "ann s2 UNCONFIRMED -", "Pending Pending"),
            ("in place of the bound one", bound(), "ann s2 CONFIRMED -", "Foreign Serves"),
            ("made by an administrator", attempt(), "ann s2 FORCE_CHANGE_PASSWORD -", "Foreign Serves"),
            ("has signed up", attempt(), "ann s2 CONFIRMED -", "Foreign Serves"),
            ("its password is reset", attempt(), "ann s2 RESET_REQUIRED -", "Foreign Serves"),
            ("of an identity provider", attempt(), "ann s2 EXTERNAL_PROVIDER -", "Foreign Serves"),
            ("known to be somebody else's", foreign(), "ann s1 CONFIRMED -", "Foreign Serves"),
        ];
        for (case, account, found, expected) in cases {
            let [username, sub, status, mark] = *found.split(' ').collect::<Vec<_>>() else { unreachable!() };
            let (username, sub, status) = (username.to_owned(), sub.to_owned(), status.to_owned());
            let mark = Some(mark.to_owned()).filter(|mark| mark != "-");
            let found = FoundUser { sub, username, status, mark, created: Some(at(50)) };
            let judged =
                [None, Some(at(60))].map(|before| format!("{:?}", judge(&model, "ann", &account, &found, before)));
            assert_eq!(judged.join(" "), expected, "{case}");
            let later = format!("{:?}", judge(&model, "ann", &account, &found, Some(at(50))));
            assert_eq!(Some(later.as_str()), expected.split(' ').next(), "{case}: it was not there before");
        }
    }

    /// Promise 2: an account is older than a deletion if its run may have read the item before it. A deletion that was
    /// known then does not count.
    #[test]
    fn an_account_of_before_a_deletion_is_older() {
        let removal = |second, sequence: &str| Removal { at: at(second), sequence: sequence.to_owned() };
        let bound = |after| Account {
            after,
            ..account(AccountState::Bound { sub: "s".to_owned(), username: "ann".to_owned() })
        };
        assert!(bound(None).is_older_than(&removal(100, "2")));
        assert!(bound(None).is_older_than(&removal(97, "2")), "clocks differ");
        assert!(!bound(None).is_older_than(&removal(96, "2")));
        assert!(!bound(Some(removal(100, "2"))).is_older_than(&removal(100, "2")));
        assert!(bound(Some(removal(100, "2"))).is_older_than(&removal(100, "3")));
        assert!(!account(AccountState::Foreign { sub: "s".to_owned() }).is_older_than(&removal(100, "2")));
    }

    /// What is written is read back, and nothing else is.
    #[test]
    fn an_account_item_is_read_back() {
        let model = Model::shipped("access-management").unwrap();
        let of =
            Object { of: model.type_named("User").unwrap(), names: [("userId".to_owned(), "ann".to_owned())].into() };
        let (key, read_at) = (account_key(&model, &of), at(1));
        let item = AccountItem { of, key, read: None, read_at, is_confirmed: false };
        let removal = Removal { at: at(7), sequence: "0003".to_owned() };
        for state in [
            AccountState::Attempt { old: None },
            AccountState::Attempt { old: Some("s0".to_owned()) },
            AccountState::Bound { sub: "s1".to_owned(), username: "ann".to_owned() },
            AccountState::Foreign { sub: "s2".to_owned() },
        ] {
            let account = Account { after: Some(removal.clone()), ..account(state) };
            assert_eq!(item.put(&model, &account).1.account(), Some(account));
        }
    }
}
