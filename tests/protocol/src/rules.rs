//! The rules of the protocol, each with a switch. `without.rs` drives the product's loop without
//! them.
//!
//! Two rules of last revocations have no switch, for no driver can do without them: the cascade of
//! a subject that a last revocation deleted deletes no grant, and a grant that the run holds counts
//! as another grant. `tests/simulate/mutations` has a patch for each (126 and 128).

use std::collections::BTreeSet;
use std::fmt::{self, Display};

/// A rule. The numbers are those of the list in `docs/design/work-queue.md`; cascades and last
/// revocations have none.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Rule {
    /// 1: a run grants only what an image in its hands names and the table implies.
    GrantOnlyInHand,
    /// 2: a run revokes before it grants.
    RevokeFirst,
    /// 2: after its effects a run reads again, until nothing new follows.
    ReadAgain,
    /// 3: if Cognito does not know the user or group of a membership, the run sends one message
    /// with the grant, its user and its group.
    HandOnMissing,
    /// 4: a run that handles a creation hands the dependents on.
    FanOut,
    /// 4: it does so also when Cognito already has the container.
    FanOutOfExisting,
    /// 5: a pending grant that an index has to find sends itself on once, delayed.
    LatePending,
    /// 5: a run that handles a deletion asks for the dependents once more, delayed.
    LateDependents,
    /// 6: a replay only sends its records to the work queue.
    ReplayByQueue,
    /// 7: after a failing call the whole batch is delivered again.
    RetryWholeBatch,
    /// 8: a creation whose answer was lost counts as a creation.
    LostCreationCounts,
    /// 8: a message that was delivered before may have created or deleted what it names.
    RedeliveryCounts,
    /// 9: back-references are written before anything is read.
    ReferenceFirst,
    /// Cascade: the tombstone is written before the first child is queried.
    TombstoneFirst,
    /// Cascade: a child whose own record finds its parent's tombstone is deleted.
    ChildReadsTombstone,
    /// Cascade: a transaction that deletes children checks that the parent still does not exist.
    ParentIsAbsent,
    /// Last revocation: the transaction that deletes the subject keeps its item in the tombstone.
    KeepSubject,
    /// Last revocation: the transaction checks that the subject's item is what was read.
    SubjectIsUnchanged,
    /// Last revocation: a run that finds a grant without its subject restores the subject.
    GrantRestores,
    /// Last revocation: the run over the subject's own removal looks for grants, too.
    RemovalRestores,
    /// Last revocation: the transaction that deletes the tombstone of a subject that exists again
    /// checks that the subject exists.
    ForgetChecksSubject,
    /// Last revocation: when the index has caught up, the run over the dependents of a subject that
    /// does not exist looks for grants once more.
    LateRestores,
    /// Last revocation: a transaction that deletes a grant with its subject checks that the
    /// tombstone keeps no item.
    CascadeChecksTombstone,
    /// Last revocation: a replayed revocation deletes no subject.
    ReplayRevokesNoSubject,
}

/// The rules of the protocol.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Rules {
    off: BTreeSet<Rule>,
}

impl Rule {
    /// All rules.
    pub const ALL: [Self; 24] = [
        Self::GrantOnlyInHand,
        Self::RevokeFirst,
        Self::ReadAgain,
        Self::HandOnMissing,
        Self::FanOut,
        Self::FanOutOfExisting,
        Self::LatePending,
        Self::LateDependents,
        Self::ReplayByQueue,
        Self::RetryWholeBatch,
        Self::LostCreationCounts,
        Self::RedeliveryCounts,
        Self::ReferenceFirst,
        Self::TombstoneFirst,
        Self::ChildReadsTombstone,
        Self::ParentIsAbsent,
        Self::KeepSubject,
        Self::SubjectIsUnchanged,
        Self::GrantRestores,
        Self::RemovalRestores,
        Self::ForgetChecksSubject,
        Self::LateRestores,
        Self::CascadeChecksTombstone,
        Self::ReplayRevokesNoSubject,
    ];
}

impl Rules {
    /// Every rule.
    pub const ALL: Self = Self { off: BTreeSet::new() };

    /// The protocol without some rules.
    #[must_use]
    pub fn without<const N: usize>(rules: [Rule; N]) -> Self {
        Self { off: BTreeSet::from(rules) }
    }

    /// Whether a rule is on.
    #[must_use]
    pub fn has(&self, rule: Rule) -> bool {
        !self.off.contains(&rule)
    }
}

impl Display for Rule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{self:?}")
    }
}
