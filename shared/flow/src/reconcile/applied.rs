//! What a driver reports of an effect.

/// The code of a record whose user cannot be made, because the account under its name is somebody else's.
pub const EXISTING_USER: &str = "existing-user";

/// The code of a record whose user cannot be made, because the deletion of an earlier one waits for a person.
pub const USER_HELD: &str = "user-held";

/// The outcome of an effect.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Applied {
    /// It was applied, or there was nothing to do.
    Done {
        /// A user or group was created, or may have been because an answer was lost.
        created: bool,
    },
    /// A user was created, but another part of its creation, such as the invitation, failed for
    /// good: its record is parked.
    CreatedInPart {
        /// A stable code.
        code: &'static str,
        /// What is missing and how to fix it.
        reason: String,
    },
    /// It was not applied, and a retry would not change that: Instep does not manage its subject,
    /// the user or membership is pending, or no user pool is configured.
    Skipped,
    /// A condition was not met: the table has changed.
    Changed,
    /// Cognito does not know the user or group of a membership.
    Missing(Missing),
    /// A service failed.
    Failed(String),
    /// It can never be applied.
    Refused {
        /// A stable code.
        code: &'static str,
        /// What is wrong and how to fix it.
        reason: String,
    },
}

impl Applied {
    /// It was applied, and nothing was created.
    pub const DONE: Self = Self::Done { created: false };
}

/// What Cognito does not know.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Missing {
    /// The user.
    User,
    /// The group.
    Group,
}
