//! Drift: differences between what the table implies and what is there, found by a sweep.
//!
//! A sweep asks the same [`crate::reconcile::Reconciler`] that a run asks, applies nothing, and
//! compares the effects with the user pool. What is left to do is a difference. Repairs are work
//! messages: the run over a message reads again, and decides.

mod cognito;
mod existing;
mod former;
mod items;
pub mod plan;
mod pool;
mod references;
mod tally;
mod unconfirmed;
pub mod units;
mod wanted;

pub use cognito::{Found, members_in, of_groups, of_members, of_users, pool_plan};
pub use existing::{AddressMatch, Adoption, ExistingUser, of_existing};
pub use former::{FormerPool, former_links};
pub use items::{ItemsPlan, of_items, wanted};
pub use pool::{GroupMark, Groups, ListedGroup, PoolGroup, PoolUser, PoolView};
pub use references::{FOLLOWED_MAX, Followed, References};
pub use tally::SweepTally;
pub use wanted::{Candidate, KeptWant, NameHash, PoolNames, Wanted};

use std::collections::BTreeSet;
use std::fmt;

use instep_model::{Identity, Key, Model};
use serde::{Deserialize, Serialize};

use crate::implied::Membership;
use crate::queries;
use crate::work::{Leftovers, NamedObject};

/// A kind of difference.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum DifferenceKind {
    /// The table implies a membership that Cognito does not have.
    MissingMember,
    /// Cognito has a membership that no item implies.
    ExtraMember,
    /// An item has a user that Cognito does not have.
    MissingUser,
    /// Cognito has a user whose item does not exist, or has no user now.
    ExtraUser,
    /// Attributes of a user, or whether the user is enabled, differ from the item.
    UserDiffers,
    /// Nothing says that the account under the name of an item's user is the item's.
    UnboundUser,
    /// An item has a group that Cognito does not have.
    MissingGroup,
    /// Cognito has a group of Instep whose item does not exist, or has no such group now.
    ExtraGroup,
    /// A group that an item has lacks the mark of Instep.
    UnmarkedGroup,
    /// The precedence or the IAM role of a group differs from what the model and the item say.
    GroupDiffers,
    /// A unique value has no guard, or a guard's owner does not have the value, or a claim is pending
    /// without need.
    Guard,
    /// A guard names no owner, or one that does not exist, or no claim leads to it.
    UnownedGuard,
    /// An index key differs from its template.
    IndexKey,
    /// The time of something has come, and it was not done.
    Due,
    /// A bookkeeping item is missing, or left over.
    Bookkeeping,
    /// A subject was deleted, and has a grant.
    Subject,
    /// An item's parent, or what it grants access to, does not exist, or another edge of its child is in effect.
    Orphan,
    /// An item may be of an earlier parent, which was deleted and written again.
    Unconfirmed,
    /// An item cannot be handled: its records are parked.
    BadItem,
    /// Cognito has a membership that an earlier model implies, and this one does not.
    FormerMember,
    /// Cognito has a user that an earlier model implies, and this one does not.
    FormerUser,
    /// Cognito has a group that an earlier model implies, and no template of this one gives its name.
    FormerGroup,
    /// An item stays when what it depends on is deleted, and went under an earlier model.
    FormerLink,
}

impl DifferenceKind {
    /// All kinds.
    pub const ALL: [Self; 23] = [
        Self::MissingMember,
        Self::ExtraMember,
        Self::MissingUser,
        Self::ExtraUser,
        Self::UserDiffers,
        Self::UnboundUser,
        Self::MissingGroup,
        Self::ExtraGroup,
        Self::UnmarkedGroup,
        Self::GroupDiffers,
        Self::Guard,
        Self::UnownedGuard,
        Self::IndexKey,
        Self::Due,
        Self::Bookkeeping,
        Self::Subject,
        Self::Orphan,
        Self::Unconfirmed,
        Self::BadItem,
        Self::FormerMember,
        Self::FormerUser,
        Self::FormerGroup,
        Self::FormerLink,
    ];

    /// The kind in reports and metrics.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Self::MissingMember => "missing-member",
            Self::ExtraMember => "extra-member",
            Self::MissingUser => "missing-user",
            Self::ExtraUser => "extra-user",
            Self::UserDiffers => "user-differs",
            Self::UnboundUser => "unbound-user",
            Self::MissingGroup => "missing-group",
            Self::ExtraGroup => "extra-group",
            Self::UnmarkedGroup => "unmarked-group",
            Self::GroupDiffers => "group-differs",
            Self::Guard => "guard",
            Self::UnownedGuard => "unowned-guard",
            Self::IndexKey => "index-key",
            Self::Due => "due",
            Self::Bookkeeping => "bookkeeping",
            Self::Subject => "subject",
            Self::Orphan => "orphan",
            Self::Unconfirmed => "unconfirmed",
            Self::BadItem => "bad-item",
            Self::FormerMember => "former-member",
            Self::FormerUser => "former-user",
            Self::FormerGroup => "former-group",
            Self::FormerLink => "former-link",
        }
    }

    /// Whether it is a state that the table's writers chose, and not one that Instep should have
    /// prevented: an orphan is pending, a parent was written again too soon, the records of a bad item are parked, and a
    /// guard may be reserved for an owner that is still to come. So is what people decide about after a change of the
    /// model.
    #[must_use]
    pub const fn is_of_writers(self) -> bool {
        matches!(self, Self::Orphan | Self::Unconfirmed | Self::BadItem | Self::UnownedGuard) || self.is_left()
    }

    /// Whether an earlier model left it, and people decide about it.
    #[must_use]
    pub const fn is_left(self) -> bool {
        matches!(self, Self::FormerUser | Self::FormerGroup | Self::FormerLink)
    }
}

/// A difference.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Difference {
    /// Its kind.
    pub kind: DifferenceKind,
    /// What differs.
    pub about: About,
    /// Why, and what follows.
    pub why: String,
    /// How it is repaired.
    pub repair: Repair,
}

/// What a difference is about.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum About {
    /// A membership.
    Member(Membership),
    /// A user.
    User(String),
    /// A group.
    Group(String),
    /// An item of the table: its name in reports, and its key.
    Item(String, Key),
}

impl fmt::Display for About {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Member(Membership { user, group, .. }) => write!(f, "{user} in {group}"),
            Self::User(text) | Self::Group(text) | Self::Item(text, _) => f.write_str(text),
        }
    }
}

/// How a difference is repaired: by a message on the work queue.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Repair {
    /// The items under these keys are handled as if they had just been created, and guards as if they
    /// had just been deleted: then their owners are asked. Nothing is published.
    Items(BTreeSet<Key>),
    /// An object is reconciled.
    Named(NamedObject),
    /// What the clock did not send is sent.
    Clock,
    /// What the table does not imply is deleted.
    Extra(Leftovers),
    /// It is only reported: what people can do.
    Report(&'static str),
}

impl Difference {
    /// The orphan under a key, of which a sweep may delete what is left of a deleted parent.
    pub fn let_go(&mut self, left: &BTreeSet<Key>) {
        if let (DifferenceKind::Orphan, Some(key)) = (self.kind, self.about.key())
            && left.contains(key)
        {
            self.repair = Repair::Extra(Leftovers { orphans: vec![key.clone()], ..Leftovers::default() });
        }
    }

    /// Whether a sweep repairs it.
    #[must_use]
    pub const fn is_repairable(&self) -> bool {
        !matches!(self.repair, Repair::Report(_))
    }

    /// What people can do, if a sweep does not repair it.
    #[must_use]
    pub const fn advice(&self) -> Option<&'static str> {
        if let Repair::Report(what) = self.repair { Some(what) } else { None }
    }

    /// Whether the repair takes something out of Cognito, or deletes a child.
    #[must_use]
    pub const fn removes(&self) -> bool {
        matches!(
            self.kind,
            DifferenceKind::ExtraMember
                | DifferenceKind::ExtraUser
                | DifferenceKind::ExtraGroup
                | DifferenceKind::Orphan
                | DifferenceKind::FormerMember
        ) && self.is_repairable()
    }

    /// Whether the repair deletes only items of Instep's own. A change does that last: they may lead to items that
    /// nothing else leads to yet.
    #[must_use]
    pub fn deletes_own(&self) -> bool {
        matches!(&self.repair, Repair::Extra(Leftovers { members, groups, bookkeeping, orphans })
            if members.is_empty() && groups.is_empty() && orphans.is_empty() && !bookkeeping.is_empty())
    }
}

impl About {
    /// The key of the item that it is about.
    #[must_use]
    pub const fn key(&self) -> Option<&Key> {
        if let Self::Item(_, key) = self { Some(key) } else { None }
    }

    /// The item under a key.
    fn item(model: &Model, key: &Key) -> Self {
        Self::Item(queries::label(model, key), key.clone())
    }
}

/// Whether the item under a key is a guard.
#[must_use]
pub fn is_guard(model: &Model, key: &Key) -> bool {
    matches!(model.identify(key), Identity::Item { object, .. } if model.item(object.of).guard.is_some())
}
