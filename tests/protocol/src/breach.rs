//! Broken promises.

use std::fmt::{self, Display};

use crate::world::{SmallMembership, SmallObject};

/// A broken promise.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Breach {
    /// At rest: a Cognito user is not what the table implies.
    User(u8),
    /// At rest: a Cognito group of a role is missing, or left over.
    Group(u8, u8),
    /// At rest: a membership is missing.
    NoMember(SmallMembership),
    /// At rest: a membership is left over.
    Member(SmallMembership),
    /// At rest: back-references are not those of the grants that exist.
    References,
    /// At rest: a dependent exists, and what it belongs to was deleted.
    Orphan(SmallObject),
    /// At rest: a grant exists, and a last revocation deleted its subject.
    NoSubject(u8),
    /// At rest: a user exists that a writer deleted, or with a value that a writer replaced.
    Resurrected(u8),
    /// At any time: a subject was deleted for a last revocation, and no grant of it was revoked
    /// since it was written.
    DeletedWithoutRevocation(u8),
    /// At any time: a subject was deleted for a last revocation, although a writer wrote it after
    /// the run had read it.
    DeletedAlthoughWritten(u8),
    /// At any time: a dependent of an object that exists was deleted.
    DeletedBelow(SmallObject),
    /// At any time: a grant was deleted below a subject that no writer deleted.
    DeletedGrant(SmallObject),
    /// At rest: a child that no writer deleted does not exist, and its parent, which no writer
    /// deleted, exists.
    LostChild(SmallObject),
    /// At any time: a run granted while it had something left to revoke.
    GrantedFirst(SmallMembership),
    /// At any time: a membership was granted that no moment implied since its run began to read.
    Torn(SmallMembership),
    /// At any time: a membership of somebody who signs up was changed by a user name, which may be another's.
    ByName(SmallMembership),
    /// At any time: the product asked for what no world has, or refused a record or message of its
    /// own.
    Strange(String),
    /// The steps do not end.
    Endless,
}

impl Display for Breach {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{self:?}")
    }
}
