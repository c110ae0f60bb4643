//! Effects: idempotent steps towards the desired state, as data.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::sync::Arc;

use instep_model::{Create, Item, Key, LinkId, Object};
use jiff::Timestamp;

use crate::account::{AccountItem, Removal};
use crate::answers::PageAsk;
use crate::entries::Entries;
use crate::group_settings::GroupSettings;
use crate::implied::{DesiredUser, Membership};
use crate::sets::Sets;
use crate::work::{Dependents, NamedObject};

pub(crate) use crate::table_write::CONDITION_ATTRIBUTES_MAX;
pub use crate::table_write::{Action, Aside, Check, Expect, WriteReason};

/// Effects, each with the entries that ask for it.
pub type Effects = BTreeMap<Arc<Effect>, Entries>;

/// One idempotent step.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Effect {
    /// Delete the Cognito group, and with it every membership in it.
    DeleteGroup {
        /// Group name.
        group: String,
        /// The object whose group it is.
        of: Object,
        /// For a group on demand: when it was created, as its bookkeeping item says. If another run
        /// creates it again, it is another group, and has to be deleted again.
        created: Option<String>,
    },
    /// Remove the user from the group.
    RemoveMember(Membership),
    /// End the sessions of a user who has lost a membership.
    SignOut {
        /// The user, by name or by `sub`.
        user: String,
        /// As in [`Membership`].
        sub: bool,
        /// As in [`Membership`].
        username: Aside<Option<String>>,
    },
    /// Disable the user.
    DisableUser {
        /// User name.
        user: String,
        /// As in [`Membership`].
        username: Aside<Option<String>>,
    },
    /// Delete the Cognito user.
    DeleteUser {
        /// User name.
        user: String,
        /// The object whose user it is.
        of: Object,
        /// Its account item. `None` if Instep does not make its user: then the name alone counts.
        account: Aside<Option<AccountItem>>,
        /// As in [`EnsureUser`].
        removal: Aside<Option<Removal>>,
    },
    /// Create the Cognito group unless it exists, and give it these settings.
    EnsureGroup {
        /// Group name.
        group: String,
        /// The object whose group it is.
        of: Object,
        /// What it has beside its name.
        settings: GroupSettings,
        /// The last deletion of the item that the live stream showed. A group that is older is made again, without the
        /// members that people added to it.
        removal: Aside<Option<Removal>>,
    },
    /// Create the Cognito user unless it exists, and set the state that its item implies.
    EnsureUser(EnsureUser),
    /// Add the user to the group.
    AddMember(AddMember),
    /// Write to the table, under conditions.
    Write(Write),
    /// Mark an object as deleted, before its dependents are deleted.
    MarkDeleted(MarkDeleted),
    /// Delete a subject with its last grant.
    DeleteSubject(DeleteSubject),
    /// Delete a page of the dependents of a deleted object.
    DeletePage(DeletePage),
    /// Send these objects to the work queue, in one message.
    SendObjects(Vec<NamedObject>),
    /// Send a message to the work queue that continues with the dependents of an object.
    SendDependents(Dependents),
}

/// A Cognito user, and the state that its item implies.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct EnsureUser {
    /// User name.
    pub user: String,
    /// The object whose user it is.
    pub of: Object,
    /// Who creates users.
    pub create: CreatePolicy,
    /// Its account item. `None` if Instep does not make its user.
    pub account: Aside<Option<AccountItem>>,
    /// A user that was created before may serve the item, although Instep did not make it.
    pub adopt_before: Option<Timestamp>,
    /// The last deletion of the item that the live stream showed. An older account does not serve the item.
    pub removal: Aside<Option<Removal>>,
    /// The desired state.
    pub state: DesiredUser,
    /// The addresses of the item, also those that it does not hold: they say whether the item of a user whose deletion
    /// waits was written again for the same person.
    pub addresses: Aside<BTreeMap<String, Option<String>>>,
    /// The guards that name the user's item only once this round has given them to it: without that, the state is
    /// another one.
    pub claims: Aside<BTreeSet<Key>>,
}

/// [`Create`] with an ordering, so that effects can be sorted.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum CreatePolicy {
    /// Created with Cognito's invitation.
    Invite,
    /// Created without a message.
    Silent,
    /// Instep does not create users.
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

/// A membership to be added.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct AddMember {
    /// The membership.
    pub membership: Membership,
    /// The grant that implies it.
    pub grant: Object,
    /// The needed parts of the image that led to it. The memberships of an image share them.
    pub image: Arc<Item>,
    /// What to do if the user does not exist in Cognito.
    pub if_no_user: IfMissing,
    /// What to do if the group does not exist in Cognito.
    pub if_no_group: IfMissing,
    /// The object whose account item does not say yet which account serves it. While it does not, nothing is added.
    pub unbound: Aside<Option<Object>>,
    /// As in [`EnsureUser`].
    pub adopt_before: Aside<Option<Timestamp>>,
}

/// What to do if the user or group of a membership does not exist in Cognito.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum IfMissing {
    /// Instep does not create it: the membership is pending.
    Pending,
    /// No other item has the group: these bookkeeping items are written, then it is created with its first
    /// member.
    Create(Vec<Action>, GroupSettings),
    /// This object has the user or group: it is sent to the work queue together with the grant.
    Send(Object),
}

/// Deletion of a page of the dependents of a deleted object.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct DeletePage {
    /// The name of the deleted object in reports.
    pub target: String,
    /// The page.
    pub page: PageAsk,
    /// The conditions that the object still does not exist.
    pub checks: Vec<Check>,
    /// What is deleted.
    pub units: Vec<JointDeletion>,
    /// The link over which the dependents depend on it.
    pub link: Aside<LinkId>,
}

/// Deletions that succeed or fail together.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct JointDeletion {
    /// The name in reports of what is deleted.
    pub target: String,
    /// The conditions.
    pub checks: Vec<Check>,
    /// The deletions.
    pub actions: Vec<Action>,
}

/// The phase of a round in which an effect is applied.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Phase {
    /// Revoke access.
    Revoke,
    /// End sessions. Only now does a new token lack what was revoked.
    SignOut,
    /// Release, move and claim unique values: the users of their owners follow.
    Release,
    /// Create users and groups.
    Ensure,
    /// Grant access, and note the claims that wait.
    Grant,
    /// Other writes to the table.
    Follow,
    /// Send messages to the work queue.
    Send,
}

impl Effect {
    /// Whether this effect undoes what the other one did.
    #[must_use]
    pub fn undoes(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::RemoveMember(removed), Self::AddMember(added))
            | (Self::AddMember(added), Self::RemoveMember(removed)) => *removed == added.membership,
            (Self::DeleteGroup { group, .. }, Self::EnsureGroup { group: other, .. })
            | (Self::EnsureGroup { group, .. }, Self::DeleteGroup { group: other, .. }) => group == other,
            (Self::DeleteGroup { group, .. }, Self::AddMember(added)) => *group == added.membership.group,
            (Self::DeleteUser { user, .. }, Self::EnsureUser(ensured))
            | (Self::EnsureUser(ensured), Self::DeleteUser { user, .. }) => *user == ensured.user,
            (Self::DeleteUser { user, .. }, Self::AddMember(added)) => *user == added.membership.user,
            // A session that began since has the membership.
            (Self::RemoveMember(removed), Self::SignOut { user, sub, .. }) => {
                (&removed.user, &removed.sub) == (user, sub)
            }
            (Self::EnsureUser(ensured), Self::DisableUser { user, .. })
            | (Self::DisableUser { user, .. }, Self::EnsureUser(ensured)) => {
                ensured.state.enabled && ensured.user == *user
            }
            // Of two states of one user or group, the one that was applied last is in effect.
            (Self::EnsureGroup { group, settings, .. }, Self::EnsureGroup { group: other, settings: others, .. }) => {
                group == other && settings != others
            }
            (Self::EnsureUser(ensured), Self::EnsureUser(other)) => ensured.user == other.user && ensured != other,
            (_, _) => false,
        }
    }

    /// Whether this relies on a write: then it is not applied unless the write is done.
    #[must_use]
    pub fn relies_on(&self, write: &Write) -> bool {
        let Self::EnsureUser(EnsureUser { claims: Aside(claims), .. }) = self else { return false };
        write.actions.iter().any(|action| claims.contains(action.key()))
    }

    /// The user whom this gives a membership, takes one from, signs out or disables, if it is known by name.
    #[must_use]
    pub fn named_user(&self) -> Option<&str> {
        if let Self::RemoveMember(Membership { user, sub: false, .. })
        | Self::AddMember(AddMember { membership: Membership { user, sub: false, .. }, .. })
        | Self::SignOut { user, sub: false, .. }
        | Self::DisableUser { user, .. } = self
        {
            Some(user)
        } else {
            None
        }
    }

    /// The same, about the user by the name that the pool has made.
    #[must_use]
    pub fn by_username(mut self, made: &str) -> Self {
        if let Self::RemoveMember(Membership { username, .. })
        | Self::AddMember(AddMember { membership: Membership { username, .. }, .. })
        | Self::SignOut { username, .. }
        | Self::DisableUser { username, .. } = &mut self
        {
            *username = Aside(Some(made.to_owned()));
        }
        self
    }

    /// The object whose user or group this ensures.
    #[must_use]
    pub const fn ensures(&self) -> Option<&Object> {
        if let Self::EnsureGroup { of, .. } | Self::EnsureUser(EnsureUser { of, .. }) = self { Some(of) } else { None }
    }

    /// The object whose user or group this deletes.
    #[must_use]
    pub const fn deletes(&self) -> Option<&Object> {
        if let Self::DeleteGroup { of, .. } | Self::DeleteUser { of, .. } = self { Some(of) } else { None }
    }

    /// When it is applied.
    #[must_use]
    pub const fn phase(&self) -> Phase {
        match self {
            // INVARIANT 3: every effect that revokes access is applied before any that grants it.
            Self::DeleteGroup { .. } | Self::RemoveMember(_) | Self::DisableUser { .. } | Self::DeleteUser { .. } => {
                Phase::Revoke
            }
            Self::SignOut { .. } => Phase::SignOut,
            Self::EnsureGroup { .. } | Self::EnsureUser(_) => Phase::Ensure,
            Self::AddMember(_) => Phase::Grant,
            Self::Write(write) | Self::DeleteSubject(DeleteSubject { write, .. }) => write.phase,
            Self::MarkDeleted(_) | Self::DeletePage(_) => Phase::Follow,
            Self::SendObjects(_) | Self::SendDependents(_) => Phase::Send,
        }
    }

    /// Whether everything is read again after the effect. The conditions of a write to the table
    /// make that unnecessary, unless another run writes first and reads afterwards.
    #[must_use]
    pub const fn needs_second_read(&self) -> bool {
        match self {
            Self::DeleteGroup { .. }
            | Self::RemoveMember(_)
            | Self::DisableUser { .. }
            | Self::DeleteUser { .. }
            | Self::EnsureGroup { .. }
            | Self::EnsureUser(_)
            | Self::AddMember(_) => true,
            Self::Write(write) | Self::DeleteSubject(DeleteSubject { write, .. }) => write.second_read,
            Self::SignOut { .. }
            | Self::MarkDeleted(_)
            | Self::DeletePage(_)
            | Self::SendObjects(_)
            | Self::SendDependents(_) => false,
        }
    }

    /// The write under conditions that it is, if it is one.
    #[must_use]
    pub const fn as_write(&self) -> Option<&Write> {
        if let Self::Write(write) | Self::DeleteSubject(DeleteSubject { write, .. }) = self {
            Some(write)
        } else {
            None
        }
    }

    /// What the effect touches: see [`lanes`].
    fn touched(&self) -> Vec<Touched<'_>> {
        match self {
            Self::DeleteGroup { group, .. } | Self::EnsureGroup { group, .. } => vec![Touched::Group(group)],
            // Cognito takes several members of a group at the same time.
            Self::RemoveMember(Membership { user, .. })
            | Self::SignOut { user, .. }
            | Self::DisableUser { user, .. }
            | Self::DeleteUser { user, .. }
            | Self::EnsureUser(EnsureUser { user, .. })
            | Self::AddMember(AddMember { membership: Membership { user, .. }, .. }) => vec![Touched::User(user)],
            Self::Write(write) | Self::DeleteSubject(DeleteSubject { write, .. }) => {
                write.keys().map(Touched::Item).collect()
            }
            // Tombstones are written together, pages are deleted together, and messages sent together.
            Self::MarkDeleted(_) | Self::DeletePage(_) | Self::SendObjects(_) | Self::SendDependents(_) => Vec::new(),
        }
    }
}

/// Something that effects change, or make a condition on.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
enum Touched<'e> {
    Group(&'e str),
    User(&'e str),
    Item(&'e Key),
}

/// The lanes of some effects: for each, the places of its effects. The effects of a lane are applied one after another, those of
/// different lanes concurrently. Two effects that touch the same are in one lane: DynamoDB would cancel one of two
/// transactions that check or write one item at the same time.
#[must_use]
pub fn lanes<'e>(effects: impl IntoIterator<Item = &'e Effect>) -> Vec<Vec<usize>> {
    let mut first_of: HashMap<Touched<'_>, usize> = HashMap::new();
    let mut sets = Sets::default();
    let mut count = 0;
    for (at, effect) in effects.into_iter().enumerate() {
        let same = effect.touched().into_iter().map(|touched| *first_of.entry(touched).or_insert(at));
        sets.join([at].into_iter().chain(same));
        count = at + 1;
    }
    let mut lanes: BTreeMap<usize, Vec<usize>> = BTreeMap::new();
    (0..count).for_each(|at| lanes.entry(sets.root(at)).or_default().push(at));
    lanes.into_values().collect()
}

/// The tombstone of an object that was deleted: whoever writes a child of it from now on finds the tombstone.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct MarkDeleted {
    /// The name of the deleted object in reports.
    pub target: String,
    /// The tombstone's key.
    pub key: Key,
    /// The tombstone.
    pub item: Item,
    /// The condition on the tombstone before.
    pub expect: Expect,
}

impl MarkDeleted {
    /// The write.
    #[must_use]
    pub fn action(&self) -> Action {
        Action::Put { key: self.key.clone(), item: self.item.clone(), expect: self.expect.clone() }
    }
}

/// The deletion of a subject that has no grant any more. Its tombstone keeps its item, in the same transaction.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct DeleteSubject {
    /// The transaction.
    pub write: Write,
    /// The tombstone that keeps the item.
    pub tombstone: Key,
}

/// A conditional write to the table: all of its actions or none.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Write {
    /// When it is applied.
    pub phase: Phase,
    /// Whether everything is read again after it.
    pub second_read: bool,
    /// The name in reports of what is written.
    pub target: String,
    /// The conditions on items that it does not write.
    pub checks: Vec<Check>,
    /// What it writes.
    pub actions: Vec<Action>,
    /// What it follows from.
    pub reason: Aside<WriteReason>,
}

impl Write {
    /// A write of a phase. What it changes is not read again after it.
    #[must_use]
    pub const fn in_phase(phase: Phase, reason: WriteReason, target: String, actions: Vec<Action>) -> Self {
        Self { phase, second_read: false, reason: Aside(reason), target, checks: Vec::new(), actions }
    }

    /// A write that follows from what was revoked and granted.
    #[must_use]
    pub const fn follow(reason: WriteReason, target: String, actions: Vec<Action>) -> Self {
        Self::in_phase(Phase::Follow, reason, target, actions)
    }

    /// Under these conditions. DynamoDB refuses a transaction that names one item twice: of an item that it writes, the
    /// condition of the action itself is enough.
    #[must_use]
    pub fn checking(self, checks: impl IntoIterator<Item = Check>) -> Self {
        let others = |check: &Check| self.actions.iter().all(|action| *action.key() != check.key);
        let checks = checks.into_iter().filter(others).map(|check| (check.key.clone(), check));
        let checks: BTreeMap<Key, Check> = checks.collect();
        Self { checks: checks.into_values().collect(), ..self }
    }

    /// After it, everything is read again: another run may have changed what it follows from.
    #[must_use]
    pub fn and_read_again(self) -> Self {
        Self { second_read: true, ..self }
    }

    /// The items that it writes or has a condition on.
    fn keys(&self) -> impl Iterator<Item = &Key> {
        self.checks.iter().map(|check| &check.key).chain(self.actions.iter().map(Action::key))
    }
}
