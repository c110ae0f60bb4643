//! Accounts: which Cognito user serves an item whose user Instep creates. Pure.
//!
//! The account item of an object says so. Without it, no membership is added: a user name says who an account is
//! meant for, and not who made it. Each write to it is conditional on the item as it was read.
//!
//! The *nonce* is random, and noted before the account is made. The account has it in its *mark*. Nobody can know it
//! before, so the mark proves who made the account, also after an answer was lost.

use std::collections::BTreeMap;
use std::fmt;

use instep_model::{ACCOUNT_MARK, Create, Item, Key, Model, Object, Value};
use jiff::{SignedDuration, Timestamp};
use sha2::{Digest as _, Sha256};

use crate::bookkeeping::{self, BookkeepingKind};
use crate::due::{Moment, MomentKind};
use crate::stream_record::RecordPlace;
use crate::table_write::{Action, Expect};

/// Sort key of an account item.
const ACCOUNT_SK: &str = "ACCOUNT";

/// The beginning of each mark, of users and of groups, before the name of a model.
pub(crate) const MARK: &str = "instep:";

const NONCE: &str = "nonce";
const SINCE: &str = "since";
/// The attribute with the id that Cognito generates, and the field of an account item with it.
pub const SUB: &str = "sub";
const USERNAME: &str = "username";
const OLD: &str = "old";
const FOREIGN: &str = "foreign";
const FROM: &str = "from";
const UNTIL: &str = "until";
const APPROVED: &str = "approved";
const ENABLED: &str = "enabled";
const REPLACED: &str = "replaced";
const AFTER: &str = "after";

/// The characters of the random part of a nonce.
const NONCE_CHARS: usize = 32;

/// The bytes of the hash of whom an account is made for.
const OWNER_BYTES: usize = 8;

/// How much the clocks of processes and of DynamoDB may differ, with the second of a record's time. An account that is
/// so little younger than a deletion counts as older.
pub(crate) const SKEW: SignedDuration = SignedDuration::from_secs(3);

/// What an account item says.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Account {
    /// 128 random bits in hexadecimal, of the account that is to be made or was made, and [`nonce_end`].
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

impl Removal {
    /// Reads its text.
    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        let (at, sequence) = text.split_once('/')?;
        Some(Self { at: at.parse().ok()?, sequence: sequence.to_owned() })
    }
}

impl fmt::Display for Removal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.at, self.sequence)
    }
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
    /// Its item was deleted. It is disabled, and deleted later.
    Waiting(Waiting),
    /// The account under the name is somebody else's, or is kept for no item. It gets no access.
    Foreign {
        /// Its `sub`.
        sub: String,
    },
}

/// An account whose deletion waits.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Waiting {
    /// Its `sub`.
    pub sub: String,
    /// Its user name.
    pub username: String,
    /// When that began.
    pub since: Timestamp,
    /// When it is deleted. [`HELD`] if a person has to say so.
    pub until: Timestamp,
    /// A person says that it is deleted.
    pub is_approved: bool,
    /// Whether Instep has disabled it. It was enabled before.
    pub was_enabled: bool,
    /// Whether the item exists, and another account has to serve it.
    pub is_replaced: bool,
}

/// Why a user is not deleted that a person has to decide about.
pub const WHY_HELD: &str = "held: `instep users go-on` lets it be deleted";

/// The time of a deletion that waits for a person.
pub const HELD: Timestamp = Timestamp::MAX;

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

/// Whether the user of an object is known by its address: the pool may have made another name.
#[must_use]
pub fn is_named_by_address(model: &Model, object: &Object) -> bool {
    model.item(object.of).user.as_ref().is_some_and(|user| user.named_by_address)
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
    let has = |name: &str| fields.contains_key(name);
    let state = match (text(SUB), text(UNTIL), text(FOREIGN)) {
        (Some(sub), None, _) => AccountState::Bound { sub, username: text(USERNAME)? },
        (Some(sub), Some(until), _) => AccountState::Waiting(Waiting {
            sub,
            username: text(USERNAME)?,
            since: text(FROM)?.parse().ok()?,
            until: until.parse().ok()?,
            is_approved: has(APPROVED),
            was_enabled: has(ENABLED),
            is_replaced: has(REPLACED),
        }),
        (None, _, Some(sub)) => AccountState::Foreign { sub },
        (None, _, None) => AccountState::Attempt { old: text(OLD) },
    };
    let after = text(AFTER).and_then(|text| Removal::parse(&text));
    Some(Account { nonce: text(NONCE)?, since: text(SINCE)?.parse().ok()?, after, state })
}

/// The mark of an account.
#[must_use]
pub fn mark(model: &Model, nonce: &str) -> String {
    format!("{MARK}{}:{nonce}", model.name)
}

/// Whether this is the mark of an account that Instep made, for any model.
#[must_use]
pub fn is_mark(mark: &str) -> bool {
    mark.starts_with(MARK)
}

/// Whether a mark is one of this model.
#[must_use]
pub fn is_own_mark(model: &Model, mark: &str) -> bool {
    nonce_of(model, mark).is_some()
}

fn nonce_of<'m>(model: &Model, mark: &'m str) -> Option<&'m str> {
    let nonce = mark.strip_prefix(MARK).and_then(|rest| rest.strip_prefix(&model.name)?.strip_prefix(':'));
    nonce.filter(|nonce| !nonce.contains(':'))
}

/// What the nonce of an account ends with if its user is known by an address: whom it is made for. INVARIANT 2: the
/// address may become that of another item.
#[must_use]
pub fn nonce_end(model: &Model, of: &Object) -> String {
    if is_named_by_address(model, of) { owner(model, of) } else { String::new() }
}

fn owner(model: &Model, of: &Object) -> String {
    let hash = Sha256::digest(account_key(model, of).pk.as_bytes());
    bookkeeping::hex(hash.get(..OWNER_BYTES).unwrap_or_default())
}

/// The object that an account with this mark was made for, as a hash, if the mark says it.
fn owner_in<'m>(model: &Model, mark: &'m str) -> Option<&'m str> {
    nonce_of(model, mark)?.get(NONCE_CHARS..).filter(|owner| !owner.is_empty())
}

/// Whether a mark says that the account was made for this object.
#[must_use]
pub fn is_made_for(model: &Model, of: &Object, mark: &str) -> bool {
    owner_in(model, mark).is_some_and(|own| own == owner(model, of))
}

/// Whether a mark says that the account was made for another object.
#[must_use]
pub fn is_made_for_another(model: &Model, of: &Object, mark: &str) -> bool {
    owner_in(model, mark).is_some_and(|own| own != owner(model, of))
}

/// Whether a user that was found under a name may serve the object that has this account. `adopt_before`: a person vouches
/// for the users that were created before.
#[must_use]
pub fn judge(
    model: &Model,
    (name, of): (&str, &Object),
    account: &Account,
    found: &FoundUser,
    adopt_before: Option<Timestamp>,
) -> Verdict {
    let is_vouched = || adopt_before.zip(found.created).is_some_and(|(before, created)| created < before);
    match (&account.state, &found.mark) {
        (AccountState::Bound { sub, .. }, _) if *sub == found.sub => return Verdict::Serves,
        (_, Some(own)) if is_made_for_another(model, of, own) => return Verdict::Foreign,
        // A person has said that it is kept for no item.
        (AccountState::Foreign { sub }, Some(own)) if *sub == found.sub && is_own_mark(model, own) => {
            return if is_vouched() { Verdict::Serves } else { Verdict::Foreign };
        }
        (AccountState::Attempt { .. }, Some(own)) if *own == mark(model, &account.nonce) => return Verdict::Serves,
        (_, Some(own)) if is_own_mark(model, own) => return Verdict::Replace,
        (_, Some(other)) if is_mark(other) => return Verdict::Foreign,
        (_, _) => {}
    }
    match found.status.as_str() {
        // Whether an account that the pool has named can serve is asked when it is bound.
        _ if found.is_other_than(name) && !found.has_generated_name() => Verdict::Foreign,
        "UNCONFIRMED" => Verdict::Pending,
        "CONFIRMED" | "FORCE_CHANGE_PASSWORD" | "RESET_REQUIRED" | "EXTERNAL_PROVIDER" if is_vouched() => {
            Verdict::Serves
        }
        _ => Verdict::Foreign,
    }
}

impl Account {
    /// The user name of the account that serves the item, or served it.
    #[must_use]
    pub fn username(&self) -> Option<&str> {
        match &self.state {
            AccountState::Bound { username, .. } | AccountState::Waiting(Waiting { username, .. }) => Some(username),
            AccountState::Attempt { .. } | AccountState::Foreign { .. } => None,
        }
    }

    /// Whether it was made for an earlier item: the item was deleted since, and written again before any run saw that.
    ///
    /// INVARIANT 2: the time before the reads that led to it decides. The time of its creation is later than what its
    /// run has read.
    #[must_use]
    pub fn is_older_than(&self, removal: &Removal) -> bool {
        let is_known = self.after.as_ref().is_some_and(|after| after >= removal);
        let may_serve = match self.state {
            AccountState::Attempt { .. } | AccountState::Bound { .. } => true,
            AccountState::Waiting(_) | AccountState::Foreign { .. } => false,
        };
        !is_known && may_serve && self.since.duration_since(removal.at) <= SKEW
    }

    /// Whether the account with this `sub` is known to be nobody's that has an item.
    #[must_use]
    pub fn is_foreign(&self, found: &str) -> bool {
        matches!(&self.state, AccountState::Foreign { sub } if sub == found)
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

    /// Whether the account under the name is known not to serve its object: it is somebody else's, or its deletion waits.
    #[must_use]
    pub fn serves_nobody(&self) -> bool {
        self.account().is_some_and(|account| match account.state {
            AccountState::Waiting(_) | AccountState::Foreign { .. } => true,
            AccountState::Attempt { .. } | AccountState::Bound { .. } => false,
        })
    }

    /// Whether the account with this `sub` is known not to be its object's.
    #[must_use]
    pub fn is_foreign(&self, found: &str) -> bool {
        self.account().is_some_and(|account| account.is_foreign(found))
    }

    /// The account whose deletion waits.
    #[must_use]
    pub fn waiting(&self) -> Option<Waiting> {
        match self.account()?.state {
            AccountState::Waiting(waiting) => Some(waiting),
            AccountState::Attempt { .. } | AccountState::Bound { .. } | AccountState::Foreign { .. } => None,
        }
    }

    /// The writes that make it say this, and what it is after that. The moment at which an account is deleted is noted,
    /// and forgotten, together with what it says.
    #[must_use]
    pub fn change(&self, model: &Model, account: &Account) -> (Vec<Action>, Self) {
        let (put, next) = self.put(model, account);
        let moment = |item: &Self| item.waiting().map(|waiting| waiting.moment());
        let (was, is) = (moment(self), moment(&next));
        let mut actions = vec![put];
        if was != is {
            actions.extend(was.map(|moment| self.forget(model, moment)));
            actions.extend(is.map(|moment| {
                let (key, item) = bookkeeping::due(model, &self.of, None, moment, &RecordPlace::default());
                Action::Put { key, item, expect: Expect::Any }
            }));
        }
        (actions, next)
    }

    /// The write of what it says, and what it is after that.
    fn put(&self, model: &Model, account: &Account) -> (Action, Self) {
        let text = |value: &str| Value::S(value.to_owned());
        let mut fields = vec![(NONCE, text(&account.nonce)), (SINCE, Value::S(account.since.to_string()))];
        fields.extend(account.after.as_ref().map(|after| (AFTER, Value::S(after.to_string()))));
        match &account.state {
            AccountState::Attempt { old } => fields.extend(old.as_deref().map(|old| (OLD, text(old)))),
            AccountState::Bound { sub, username } => fields.extend([(SUB, text(sub)), (USERNAME, text(username))]),
            AccountState::Waiting(waiting) => {
                let Waiting { sub, username, since, until, is_approved, was_enabled, is_replaced } = waiting;
                let time = |time: &Timestamp| Value::S(time.to_string());
                fields.extend([
                    (SUB, text(sub)),
                    (USERNAME, text(username)),
                    (FROM, time(since)),
                    (UNTIL, time(until)),
                ]);
                let says = [(APPROVED, is_approved), (ENABLED, was_enabled), (REPLACED, is_replaced)];
                fields.extend(says.into_iter().filter(|(_, is)| **is).map(|(name, _)| (name, Value::Bool(true))));
            }
            AccountState::Foreign { sub } => fields.push((FOREIGN, text(sub))),
        }
        let item = bookkeeping::item(model, &self.key, &self.of, fields);
        let action = Action::Put { key: self.key.clone(), item: item.clone(), expect: self.as_read() };
        (action, Self { read: Some(item), is_confirmed: true, ..self.clone() })
    }

    /// The writes that delete it.
    #[must_use]
    pub fn delete(&self, model: &Model) -> Vec<Action> {
        let own = Action::Delete { key: self.key.clone(), expect: self.as_read() };
        let moment = self.waiting().map(|waiting| self.forget(model, waiting.moment()));
        [own].into_iter().chain(moment).collect()
    }

    fn forget(&self, model: &Model, moment: Moment) -> Action {
        Action::Delete { key: bookkeeping::due_key(model, &self.of, moment), expect: Expect::Any }
    }

    /// The condition that it is as it was read.
    #[must_use]
    pub fn as_read(&self) -> Expect {
        bookkeeping::as_read(self.read.as_ref())
    }
}

impl Waiting {
    /// Whether it is deleted now.
    #[must_use]
    pub fn is_over(&self, now: Timestamp) -> bool {
        self.is_approved || self.until <= now
    }

    /// Whether a person has to say that it is deleted.
    #[must_use]
    pub fn is_held(&self) -> bool {
        self.until == HELD && !self.is_approved
    }

    /// When it is deleted, as a moment of its object.
    #[must_use]
    pub const fn moment(&self) -> Moment {
        Moment { at: self.until, kind: MomentKind::DeleteUser }
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

    /// Whether what was asked for is not the user's name, but a sign-in alias or an address of the user: that can become
    /// another user's.
    #[must_use]
    pub fn is_other_than(&self, name: &str) -> bool {
        self.username.to_lowercase() != name.to_lowercase()
    }

    /// Whether the pool has made its name: its users sign in by an address.
    #[must_use]
    pub fn has_generated_name(&self) -> bool {
        self.username == self.sub
    }

    /// Whether Instep may delete the user in the place of this account of an object: the account item has its `sub`, or it
    /// has a mark of this model, which was not made for another object.
    #[must_use]
    pub fn is_own(&self, model: &Model, of: &Object, account: Option<&Account>) -> bool {
        let is_noted = account.is_some_and(|account| match &account.state {
            AccountState::Attempt { old } => old.as_deref() == Some(&self.sub),
            AccountState::Bound { sub, .. } | AccountState::Waiting(Waiting { sub, .. }) => *sub == self.sub,
            AccountState::Foreign { .. } => false,
        });
        let is_kept = account.is_some_and(|account| account.is_foreign(&self.sub));
        let is_own = |mark: &String| is_own_mark(model, mark) && !is_made_for_another(model, of, mark);
        is_noted || !is_kept && self.mark.as_ref().is_some_and(is_own)
    }
}

#[cfg(test)]
mod tests {
    use instep_model::{Names, TypeId};

    use super::*;

    fn at(second: i64) -> Timestamp {
        Timestamp::from_second(second).unwrap()
    }

    fn account(state: AccountState) -> Account {
        Account { nonce: "n1".to_owned(), since: at(100), after: None, state }
    }

    fn person(id: &str) -> Object {
        Object { of: TypeId(0), names: Names::from([("userId".to_owned(), id.to_owned())]) }
    }

    /// Promises 2 and 9: an account that was made for one item, and has the address of another by now, neither serves that
    /// one, also if a person vouches for it, nor is deleted for it.
    #[test]
    fn the_account_of_another_item_is_left_alone() {
        const TEXT: &str = r#"
            model = "clients"
            table = { pk = "pk", sk = "sk" }
            [items.Client]
            pk = "C:{email}"
            sk = "C"
            cognito.user = { name = "{email}", attributes = { email = "{email}" } }
        "#;
        let model = Model::parse("clients.toml", TEXT).unwrap();
        let client =
            |email: &str| Object { of: TypeId(0), names: Names::from([("email".to_owned(), email.to_owned())]) };
        let nonce = |random: char, of| format!("{}{}", String::from(random).repeat(NONCE_CHARS), nonce_end(&model, of));
        let (ann, bob) = (client("ann@example.com"), client("bob@example.com"));
        let found = |nonce: &str| FoundUser {
            sub: "s1".to_owned(),
            username: "s1".to_owned(),
            status: "CONFIRMED".to_owned(),
            mark: Some(mark(&model, nonce)),
            created: Some(at(50)),
        };
        let judged = |of, state, found: &FoundUser| {
            let account = Account { nonce: nonce('b', of), ..account(state) };
            let judged = judge(&model, ("bob@example.com", of), &account, found, Some(at(60)));
            (judged, found.is_own(&model, of, Some(&account)))
        };
        let attempt = || AccountState::Attempt { old: None };
        let foreign = || AccountState::Foreign { sub: "s1".to_owned() };
        assert_eq!(judged(&bob, attempt(), &found(&nonce('a', &bob))), (Verdict::Replace, true));
        assert_eq!(judged(&bob, attempt(), &found(&nonce('b', &bob))), (Verdict::Serves, true));
        assert_eq!(judged(&bob, attempt(), &found(&nonce('a', &ann))), (Verdict::Foreign, false));
        assert_eq!(judged(&bob, foreign(), &found(&nonce('a', &ann))), (Verdict::Foreign, false));
        assert_eq!(judged(&bob, foreign(), &found(&nonce('a', &bob))), (Verdict::Serves, false));
        // A mark of a user that is known by a name says nothing of the item.
        assert_eq!(judged(&bob, attempt(), &found("a")), (Verdict::Replace, true));
        let by_name = Model::parse("clients.toml", &TEXT.replace("{ email = ", "{ nickname = ")).unwrap();
        assert_eq!(nonce_end(&by_name, &ann), "");
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
        let of = person("ann");
        for (case, account, found, expected) in cases {
            let [username, sub, status, mark] = *found.split(' ').collect::<Vec<_>>() else { unreachable!() };
            let (username, sub, status) = (username.to_owned(), sub.to_owned(), status.to_owned());
            let mark = Some(mark.to_owned()).filter(|mark| mark != "-");
            let found = FoundUser { sub, username, status, mark, created: Some(at(50)) };
            let judged = [None, Some(at(60))]
                .map(|before| format!("{:?}", judge(&model, ("ann", &of), &account, &found, before)));
            assert_eq!(judged.join(" "), expected, "{case}");
            let later = format!("{:?}", judge(&model, ("ann", &of), &account, &found, Some(at(50))));
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
            AccountState::Waiting(waiting(at(9))),
            AccountState::Waiting(Waiting { is_approved: true, was_enabled: true, ..waiting(HELD) }),
            AccountState::Waiting(Waiting { is_replaced: true, ..waiting(HELD) }),
            AccountState::Foreign { sub: "s2".to_owned() },
        ] {
            let account = Account { after: Some(removal.clone()), ..account(state) };
            assert_eq!(item.put(&model, &account).1.account(), Some(account));
        }
    }

    fn waiting(until: Timestamp) -> Waiting {
        let (sub, username) = ("s1".to_owned(), "ann".to_owned());
        Waiting { sub, username, since: at(3), until, is_approved: false, was_enabled: false, is_replaced: false }
    }

    /// A deletion that waits has its moment in the table as long as the account item says so.
    #[test]
    fn a_deletion_that_waits_has_a_moment() {
        let model = Model::shipped("access-management").unwrap();
        let of =
            Object { of: model.type_named("User").unwrap(), names: [("userId".to_owned(), "ann".to_owned())].into() };
        let (key, read_at) = (account_key(&model, &of), at(1));
        let item = AccountItem { of, key, read: None, read_at, is_confirmed: false };
        let kinds = |actions: &[Action]| -> String {
            let kind = |action: &Action| if matches!(action, Action::Put { .. }) { 'p' } else { 'd' };
            actions.iter().map(kind).collect()
        };
        let (put, waits) = item.change(&model, &account(AccountState::Waiting(waiting(at(9)))));
        let (moved, held) = waits.change(&model, &account(AccountState::Waiting(waiting(HELD))));
        let approved = Waiting { is_approved: true, ..waiting(HELD) };
        let (said, _) = held.change(&model, &account(AccountState::Waiting(approved)));
        let (over, _) = held.change(&model, &account(AccountState::Attempt { old: Some("s1".to_owned()) }));
        assert_eq!(
            [put, moved, said, over, held.delete(&model)].map(|actions| kinds(&actions)),
            ["pp", "pdp", "p", "pd", "dd"]
        );
    }
}
