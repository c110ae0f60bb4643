//! The kinds of findings, with what people read of each.

use instep_model::ChangeVerdict;
use serde::Serialize;

/// The part of a plan in which a finding is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum TransitionSection {
    /// The user pool.
    Cognito,
    /// The table.
    Table,
    /// Who receives events.
    Subscribers,
}

/// Who does what a finding asks for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum DoneBy {
    /// The change that the deployment starts.
    Change,
    /// The next sweep that repairs.
    Sweep,
    /// People.
    You,
}

impl DoneBy {
    /// It for people.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Self::Change => "the change",
            Self::Sweep => "a sweep that repairs",
            Self::You => "you",
        }
    }
}

/// What people read of a kind.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct KindRow {
    /// Its name on the command line and in JSON.
    pub word: &'static str,
    /// Where it is.
    pub section: TransitionSection,
    /// `+` it is made, `-` it was made by the old model and is to go, `~` it changes, `!` people should know, `?` it was
    /// nobody's before.
    pub sign: char,
    /// Who does it.
    pub by: DoneBy,
    /// Whether somebody has to do something. Of access that is given or taken, no event tells subscribers.
    pub is_step: bool,
    /// What is counted.
    pub what: &'static str,
}

const fn row(
    word: &'static str,
    section: TransitionSection,
    sign: char,
    by: DoneBy,
    is_step: bool,
    what: &'static str,
) -> KindRow {
    KindRow { word, section, sign, by, is_step, what }
}

/// A kind of difference between what two models make of a table and a pool.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum TransitionKind {
    /// Memberships that the new model gives.
    Given,
    /// Memberships that the old model made, and the new one does not imply.
    Taken,
    /// Users that the new model makes.
    NewUsers,
    /// Users that the old model made, and the new one does not imply.
    LeftUsers,
    /// Groups that the new model makes.
    NewGroups,
    /// Groups that the old model made, and the new one does not imply.
    LeftGroups,
    /// Groups that the old model made, and the new one leaves to people.
    PeoplesGroups,
    /// Users that the new model changes.
    UserState,
    /// Groups that the new model changes.
    GroupSettings,
    /// What only the old model managed of a user.
    Unmanaged,
    /// Memberships that neither model implies.
    Unimplied,
    /// The same, of which the new model lets a sweep remove them.
    SweptMembers,
    /// Users that neither model implies, of which the new model lets a sweep delete them.
    SweptUsers,
    /// Items that only the old model handles.
    Parked,
    /// Items that only the new model handles.
    Handled,
    /// Items with other names in their keys.
    RenamedNames,
    /// Items that no longer go with what they depend on.
    Stays,
    /// Items that go with what they depend on from now on.
    Goes,
    /// Items whose access is no longer found from what they depend on.
    Unfound,
    /// Items whose parent does not exist, as only the new model sees.
    Orphans,
    /// Items without a parent, of which the new model lets a sweep delete them.
    SweptOrphans,
    /// Items that are deleted.
    DeletedItems,
    /// Guards that are written.
    NewGuards,
    /// Pending claims that are written.
    NewClaims,
    /// Back-references that are written.
    NewReferences,
    /// Times that are noted.
    NewMoments,
    /// Entries of groups on demand that are written.
    NewGroupEntries,
    /// Items that Instep changes.
    Written,
    /// Pending claims that nothing needs any more.
    LeftClaims,
    /// Back-references that nothing needs any more.
    LeftReferences,
    /// Noted times that nothing needs any more.
    LeftMoments,
    /// Entries of groups on demand that nothing needs any more.
    LeftGroupEntries,
    /// Grants that begin or end, or are others, without an event.
    Untold,
    /// Items that events call something else.
    RenamedInEvents,
    /// Subjects that are deleted with their next last grant.
    LastGrants,
}

impl TransitionKind {
    /// All, in the order of a plan.
    pub const ALL: [Self; 35] = [
        Self::Given,
        Self::Taken,
        Self::NewUsers,
        Self::LeftUsers,
        Self::NewGroups,
        Self::LeftGroups,
        Self::PeoplesGroups,
        Self::UserState,
        Self::GroupSettings,
        Self::Unmanaged,
        Self::Unimplied,
        Self::SweptMembers,
        Self::SweptUsers,
        Self::Parked,
        Self::Handled,
        Self::RenamedNames,
        Self::Stays,
        Self::Goes,
        Self::Unfound,
        Self::Orphans,
        Self::SweptOrphans,
        Self::DeletedItems,
        Self::NewGuards,
        Self::NewClaims,
        Self::NewReferences,
        Self::NewMoments,
        Self::NewGroupEntries,
        Self::Written,
        Self::LeftClaims,
        Self::LeftReferences,
        Self::LeftMoments,
        Self::LeftGroupEntries,
        Self::Untold,
        Self::RenamedInEvents,
        Self::LastGrants,
    ];

    /// What people read of it.
    #[must_use]
    #[rustfmt::skip]
    pub const fn row(self) -> KindRow {
        use DoneBy::{Change, Sweep, You};
        use TransitionSection::{Cognito, Subscribers, Table};
        match self {
            Self::Given => row("given", Cognito, '+', Change, true, "memberships: gives access"),
            Self::Taken => row("taken", Cognito, '-', Change, true, "memberships that only OLD implies: takes access"),
            Self::NewUsers => row("new-users", Cognito, '+', Change, false, "users"),
            Self::LeftUsers => row("left-users", Cognito, '-', You, true, "users that OLD made"),
            Self::NewGroups => row("new-groups", Cognito, '+', Change, false, "groups"),
            Self::LeftGroups => row("left-groups", Cognito, '-', You, true, "groups that OLD made"),
            Self::PeoplesGroups => row("peoples-groups", Cognito, '!', You, true, "groups that OLD made, and that only people delete under NEW"),
            Self::UserState => row("user-state", Cognito, '~', Change, false, "users whose state changes"),
            Self::GroupSettings => row("group-settings", Cognito, '~', Change, false, "groups whose precedence or IAM role changes"),
            Self::Unmanaged => row("unmanaged", Cognito, '!', You, true, "user state that NEW does not manage and OLD did"),
            Self::Unimplied => row("unimplied", Cognito, '?', You, false, "memberships that neither model implies"),
            Self::SweptMembers => row("swept-members", Cognito, '-', Sweep, true, "memberships that no item implies: NEW lets a sweep remove them"),
            Self::SweptUsers => row("swept-users", Cognito, '-', Sweep, true, "users that no item implies: NEW lets a sweep delete them"),
            Self::Parked => row("parked", Table, '!', You, true, "items whose records are not handled"),
            Self::Handled => row("handled", Table, '+', Change, false, "items whose records were not handled"),
            Self::RenamedNames => row("renamed-names", Table, '!', You, true, "items with other names in their keys: what Instep noted of them is not found"),
            Self::Stays => row("stays", Table, '!', You, true, "items that stay when what they depend on is deleted, and went under OLD"),
            Self::Goes => row("goes", Table, '!', You, true, "items that go when what they depend on is deleted, and stayed under OLD"),
            Self::Unfound => row("unfound", Table, '!', You, true, "items whose access is not taken when what they depend on is deleted, and was under OLD"),
            Self::Orphans => row("orphans", Table, '!', You, true, "items whose parent does not exist"),
            Self::SweptOrphans => row("swept-orphans", Table, '-', Sweep, true, "items whose parent does not exist: NEW lets a sweep delete them"),
            Self::DeletedItems => row("deleted-items", Table, '-', Change, true, "ITEMS that NEW deletes when it handles what they belong to"),
            Self::NewGuards => row("new-guards", Table, '+', Change, false, "guards"),
            Self::NewClaims => row("new-claims", Table, '+', Change, false, "pending claims"),
            Self::NewReferences => row("new-references", Table, '+', Change, false, "back-references"),
            Self::NewMoments => row("new-times", Table, '+', Change, false, "noted times"),
            Self::NewGroupEntries => row("new-group-entries", Table, '+', Change, false, "entries of groups on demand"),
            Self::Written => row("written", Table, '~', Change, false, "items that Instep writes (index keys, guards, `due` rules)"),
            Self::LeftClaims => row("left-claims", Table, '-', Change, false, "pending claims and guards that NEW does not need"),
            Self::LeftReferences => row("left-references", Table, '-', Change, false, "back-references"),
            Self::LeftMoments => row("left-times", Table, '-', Change, false, "noted times"),
            Self::LeftGroupEntries => row("left-group-entries", Table, '-', You, false, "entries of groups on demand, which do no harm"),
            Self::Untold => row("untold", Subscribers, '!', You, true, "grants that begin or end without an event"),
            Self::RenamedInEvents => row("renamed-in-events", Subscribers, '!', You, true, "items that events call something else: entity, id or tenant"),
            Self::LastGrants => row("last-grants", Table, '!', You, false, "subjects with one grant left: its revocation deletes them"),
        }
    }

    /// What it says of the deployment.
    #[must_use]
    pub const fn verdict(self) -> ChangeVerdict {
        if self.row().is_step { ChangeVerdict::DeployWithSteps } else { ChangeVerdict::Deploy }
    }

    /// Whether it gives or takes access, or destroys something.
    #[must_use]
    pub const fn is_red(self) -> bool {
        matches!(
            self,
            Self::Given
                | Self::Taken
                | Self::LeftUsers
                | Self::LeftGroups
                | Self::SweptMembers
                | Self::SweptUsers
                | Self::SweptOrphans
                | Self::DeletedItems
        )
    }
}
