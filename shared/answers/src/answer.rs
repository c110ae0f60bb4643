//! Answers: allow or deny, and why.

use std::collections::BTreeSet;

use instep_model::{Key, Names};
use jiff::Timestamp;
use serde::Serialize;

/// An answer to a [`Question`](crate::Question).
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Answer {
    /// The subject may.
    Allow(Allowed),
    /// The subject may not.
    Deny(Denied),
    /// What a subject may do.
    Holds(Holdings),
    /// The scopes whose grants apply at an item, the nearest first.
    Scopes(Vec<String>),
    /// The subjects that may do something at a place.
    Who(Holders),
}

/// The subjects that may do something at a place: a page of them.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Holders {
    /// The subjects.
    pub subjects: Vec<Holder>,
    /// Whether the pages together have all. They do not where grants count everywhere, or an index may lack some.
    pub is_complete: bool,
    /// Why there are none, or not all.
    pub reasons: BTreeSet<Reason>,
    /// Where the next page begins. `None` after the last page.
    pub next: Option<String>,
}

/// A subject, and why it may.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Holder {
    /// The subject.
    pub subject: String,
    /// Why.
    pub allowed: Allowed,
}

/// Why a subject may do something.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Allowed {
    /// The key of the grant. `None` if it is secret.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub grant: Option<GrantKey>,
    /// The role that counts.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub role: Option<String>,
    /// The scope of the grant: where the question is, or what that is in. `everywhere` if the grant has none.
    pub at: String,
    /// What permits it: the item of the role, one that it inherits from, or one that links it to the permission.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub permitted_by: Option<String>,
    /// When this ends by itself.
    #[serde(skip)]
    pub until: Option<Timestamp>,
    /// What subject, scope and role have in common: the names that the grant's `same` says, with their values.
    #[serde(skip)]
    pub same: Names,
}

/// The key of a grant.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize)]
pub struct GrantKey(pub String, pub String);

impl From<Key> for GrantKey {
    fn from(key: Key) -> Self {
        Self(key.pk, key.sk)
    }
}

/// Why a subject may not do something.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Denied {
    /// The reasons.
    pub reasons: BTreeSet<Reason>,
    /// Grants that fail one rule: at most [`NEAR_MAX`].
    pub near: BTreeSet<NearGrant>,
}

/// The grants that a deny lists.
pub const NEAR_MAX: usize = 10;

/// A grant that does not count, and why.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize)]
pub struct NearGrant {
    /// Its key.
    pub grant: GrantKey,
    /// The rule that it fails.
    pub reason: Reason,
}

/// Why a grant does not count, or nothing does.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Reason {
    /// The subject does not exist.
    NoSubject,
    /// The subject is disabled.
    Disabled,
    /// The item that the question names as the scope does not exist.
    NoScope,
    /// The scope of a grant does not exist.
    ScopeGone,
    /// Something else that a grant needs does not exist.
    Pending,
    /// No grant leads there.
    NoGrant,
    /// The window of a grant is not open yet.
    NotYet,
    /// The window of a grant is closed.
    Ended,
    /// A time of a grant is no time.
    BadTime,
    /// The condition of a grant does not hold.
    Condition,
    /// Subject, scope and role of a grant do not have in common what they must.
    Tenant,
    /// The item of a role does not exist.
    NoRole,
    /// Names lead to several items.
    Ambiguous,
    /// The role is another one, or does not permit it.
    NotPermitted,
    /// There is more to read than one question may.
    Undecided,
}

impl Reason {
    /// All reasons.
    pub const ALL: [Self; 15] = [
        Self::NoSubject,
        Self::Disabled,
        Self::NoScope,
        Self::ScopeGone,
        Self::Pending,
        Self::NoGrant,
        Self::NotYet,
        Self::Ended,
        Self::BadTime,
        Self::Condition,
        Self::Tenant,
        Self::NoRole,
        Self::Ambiguous,
        Self::NotPermitted,
        Self::Undecided,
    ];

    /// The word in output.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Self::NoSubject => "no-subject",
            Self::Disabled => "disabled",
            Self::NoScope => "no-scope",
            Self::ScopeGone => "scope-gone",
            Self::Pending => "pending",
            Self::NoGrant => "no-grant",
            Self::NotYet => "not-yet",
            Self::Ended => "ended",
            Self::BadTime => "bad-time",
            Self::Condition => "condition",
            Self::Tenant => "tenant",
            Self::NoRole => "no-role",
            Self::Ambiguous => "ambiguous",
            Self::NotPermitted => "not-permitted",
            Self::Undecided => "undecided",
        }
    }

    /// The reason in a sentence.
    #[must_use]
    pub const fn sentence(self) -> &'static str {
        match self {
            Self::NoSubject => "the subject does not exist",
            Self::Disabled => "the subject is disabled",
            Self::NoScope => "the scope does not exist",
            Self::ScopeGone => "the scope of a grant does not exist",
            Self::Pending => "something that a grant needs does not exist",
            Self::NoGrant => "no grant of the subject applies there",
            Self::NotYet => "the window of a grant is not open yet",
            Self::Ended => "the window of a grant is closed",
            Self::BadTime => "a time of a grant cannot be read",
            Self::Condition => "the condition of a grant does not hold",
            Self::Tenant => "subject, scope and role are not of the same owner",
            Self::NoRole => "the item of a role does not exist",
            Self::Ambiguous => "the names lead to several items",
            Self::NotPermitted => "no role that the subject has there permits it",
            Self::Undecided => "there is more to read than one question may",
        }
    }
}

/// What a subject may do.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Holdings {
    /// The grants that count.
    pub grants: BTreeSet<Holding>,
    /// The permissions that follow, each with its place.
    pub permissions: BTreeSet<String>,
    /// Why there are none, or not all.
    pub reasons: BTreeSet<Reason>,
    /// Grants that do not count: at most [`NEAR_MAX`].
    pub near: BTreeSet<NearGrant>,
}

impl Holdings {
    /// Whether the subject may do anything at all, and all of it is listed.
    #[must_use]
    pub fn is_complete(&self) -> bool {
        let ends = [Reason::NoSubject, Reason::Disabled, Reason::Undecided];
        !self.reasons.iter().any(|reason| ends.contains(reason))
    }
}

/// A role in a scope.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Holding {
    /// The role. `None` if the grant has no roles.
    pub role: Option<String>,
    /// The scope.
    pub at: String,
    /// When it ends by itself.
    pub until: Option<Timestamp>,
    /// The key of the grant. `None` if it is secret.
    pub grant: Option<GrantKey>,
}

impl Holding {
    /// As people read it.
    #[must_use]
    pub fn text(&self) -> String {
        let role = self.role.as_ref().map(|role| format!("{role} ")).unwrap_or_default();
        if self.at == EVERYWHERE { format!("{role}{EVERYWHERE}") } else { format!("{role}at {}", self.at) }
    }
}

/// The place of a grant without a scope.
pub(crate) const EVERYWHERE: &str = "everywhere";
