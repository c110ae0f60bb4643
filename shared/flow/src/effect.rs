//! Effects: idempotent steps that bring something in step with the truth, as data.

use std::collections::BTreeMap;

use instep_model::{Create, Item, Key, Object, Value};
use jiff::Timestamp;

use crate::find::State;
use crate::read::UserState;

/// One idempotent step.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub enum Effect {
    /// The Cognito group goes, and with it every membership in it.
    DeleteGroup {
        /// Group name.
        group: String,
    },
    /// The user is not in the group.
    RemoveMember {
        /// User name.
        user: String,
        /// Group name.
        group: String,
    },
    /// The user cannot sign in.
    DisableUser {
        /// User name.
        user: String,
    },
    /// The Cognito user goes.
    DeleteUser {
        /// User name.
        user: String,
    },
    /// The Cognito group is there.
    EnsureGroup {
        /// Group name.
        group: String,
    },
    /// The Cognito user is there and as the item says.
    EnsureUser(EnsureUser),
    /// The user is in the group.
    AddMember {
        /// User name.
        user: String,
        /// Group name.
        group: String,
        /// Whether a missing group is made.
        make_group: bool,
        /// What a missing user is made from.
        make_user: Option<EnsureUser>,
        /// The object that brings the group.
        group_of: Option<Object>,
        /// The object that stands for the user.
        user_of: Option<Object>,
    },
    /// A conditional write to the table.
    Write(Write),
    /// What depends on an object is brought in step with it: goes where it is gone, is ensured where it is there.
    Spread(Spread),
    /// An object's user or groups were deleted, and it is there again: a job brings back what it has and what depends on it.
    BringBack {
        /// The object.
        object: Object,
    },
    /// The subject's last grant was revoked: the subject goes.
    EndSubject(EndSubject),
}

/// A Cognito user as its item says.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct EnsureUser {
    /// User name.
    pub user: String,
    /// How users come to be.
    pub create: CreatePolicy,
    /// Whether the item was just created, so that the user probably is not there yet.
    pub fresh: bool,
    /// What the user is to be.
    pub state: UserState,
}

/// [`Create`], with an order.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum CreatePolicy {
    /// Created with Cognito's invitation.
    Invite,
    /// Created without a message.
    Silent,
    /// Not by Instep.
    Never,
}

impl From<Create> for CreatePolicy {
    fn from(create: Create) -> Self {
        match create {
            Create::Invite => Self::Invite,
            Create::Silent => Self::Silent,
            Create::Never => Self::Never,
        }
    }
}

/// What depends on an object is brought in step with it.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Spread {
    /// The object.
    pub object: Object,
    /// When it was removed, where its removal was seen: then its tombstone is written first.
    pub removed_at: Option<Timestamp>,
    /// It was gone before: what gave nothing meanwhile gives again.
    pub back: bool,
}

impl Spread {
    /// What became of the object.
    #[must_use]
    pub const fn state(&self) -> State {
        match (self.removed_at, self.back) {
            (Some(_), _) => State::Gone,
            (None, true) => State::Back,
            (None, false) => State::There,
        }
    }
}

/// The subject of a last revocation goes, if nothing moved.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct EndSubject {
    /// The subject.
    pub subject: Object,
    /// Its key.
    pub key: Key,
    /// The item as it was looked at.
    pub item: Item,
    /// Its Cognito user.
    pub user: Option<String>,
    /// The item type of the grants that must all be gone.
    pub grants: instep_model::TypeId,
}

/// When in a round an effect is applied. What takes access away goes first, before anything is given.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Phase {
    /// Access goes.
    Take,
    /// Unique values come free or move.
    Release,
    /// Users and groups come to be.
    Ensure,
    /// Access and unique values are given.
    Give,
    /// What follows inside the table.
    Follow,
}

impl Phase {
    /// In the order in which they are applied.
    pub const ALL: [Self; 5] = [Self::Take, Self::Release, Self::Ensure, Self::Give, Self::Follow];
}

impl Effect {
    /// Whether this one makes untrue what the other made true.
    #[must_use]
    pub fn undoes(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::RemoveMember { user, group }, Self::AddMember { user: u, group: g, .. })
            | (Self::AddMember { user, group, .. }, Self::RemoveMember { user: u, group: g }) => {
                (user, group) == (u, g)
            }
            (Self::DeleteGroup { group }, Self::EnsureGroup { group: g } | Self::AddMember { group: g, .. })
            | (Self::EnsureGroup { group }, Self::DeleteGroup { group: g }) => group == g,
            (
                Self::DeleteUser { user },
                Self::EnsureUser(EnsureUser { user: u, .. }) | Self::AddMember { user: u, .. },
            )
            | (Self::EnsureUser(EnsureUser { user, .. }), Self::DeleteUser { user: u }) => user == u,
            (Self::EnsureUser(ensure), Self::DisableUser { user }) => ensure.state.enabled && ensure.user == *user,
            (Self::DisableUser { user }, Self::EnsureUser(ensure)) => ensure.state.enabled && ensure.user == *user,
            (_, _) => false,
        }
    }

    /// When it is applied.
    #[must_use]
    pub const fn phase(&self) -> Phase {
        match self {
            // INVARIANT 3: nothing is given before everything that is to be taken away is gone.
            Self::DeleteGroup { .. }
            | Self::RemoveMember { .. }
            | Self::DisableUser { .. }
            | Self::DeleteUser { .. } => Phase::Take,
            // It gives nothing yet, and is owed whatever fails.
            Self::BringBack { .. } => Phase::Take,
            Self::EnsureGroup { .. } | Self::EnsureUser(_) => Phase::Ensure,
            Self::AddMember { .. } => Phase::Give,
            Self::Write(write) => write.phase,
            Self::Spread(_) | Self::EndSubject(_) => Phase::Follow,
        }
    }

    /// What it acts on: effects on one subject run one after another, those on different subjects at the same time.
    #[must_use]
    pub fn subject(&self) -> &str {
        match self {
            Self::DeleteGroup { group } | Self::EnsureGroup { group } => group,
            Self::RemoveMember { user, .. }
            | Self::DisableUser { user }
            | Self::DeleteUser { user }
            | Self::AddMember { user, .. }
            | Self::EnsureUser(EnsureUser { user, .. }) => user,
            Self::Write(write) => &write.target,
            // One at a time: each pages through the table for itself.
            Self::Spread(_) | Self::BringBack { .. } | Self::EndSubject(_) => "",
        }
    }
}

/// A conditional write to the table: all of its actions or none.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Write {
    /// When it is applied.
    pub phase: Phase,
    /// What it acts on, for people.
    pub target: String,
    /// What must hold of items that it does not write.
    pub checks: Vec<Check>,
    /// What it writes.
    pub actions: Vec<Action>,
}

/// What must hold of an item.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Check {
    /// The item.
    pub key: Key,
    /// What must hold.
    pub expect: Expect,
}

/// A condition on an item.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub enum Expect {
    /// Whatever it is.
    Any,
    /// It is not there.
    Absent,
    /// It is there.
    Present,
    /// It is there, and these attributes are so; none: not there.
    Like(BTreeMap<String, Option<Value>>),
}

/// One write.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub enum Action {
    /// The item is written whole.
    Put {
        /// Its key.
        key: Key,
        /// The item.
        item: Item,
        /// What must hold before.
        expect: Expect,
    },
    /// The item is deleted.
    Delete {
        /// Its key.
        key: Key,
        /// What must hold before.
        expect: Expect,
    },
    /// Attributes are set, or removed where none is given.
    Set {
        /// Its key.
        key: Key,
        /// The attributes.
        attributes: BTreeMap<String, Option<Value>>,
        /// What must hold before.
        expect: Expect,
    },
}

impl Action {
    /// The item that is written.
    #[must_use]
    pub const fn key(&self) -> &Key {
        match self {
            Self::Put { key, .. } | Self::Delete { key, .. } | Self::Set { key, .. } => key,
        }
    }
}
