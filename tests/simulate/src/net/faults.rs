//! Faults that happen to calls at random.

use std::sync::PoisonError;
use std::time::Duration;

use serde_json::Value;
use tokio::time::Instant;

use super::{COGNITO, Net};

/// How long an outage lasts: longer than a call is retried.
pub(super) const OUTAGE_LEAST: Duration = Duration::from_secs(4);
const OUTAGE_MORE_MS: usize = 12_000;

/// How long Cognito may ignore that a user or group was just created or deleted.
const FLAPS_FOR: Duration = Duration::from_millis(800);

/// How long the group quota of Cognito stays exhausted.
const FULL: Duration = Duration::from_secs(10);

/// Cognito's error for an exhausted quota.
pub const QUOTA: &str = "LimitExceededException";

/// How many of a thousand calls have each fault.
#[derive(Debug, Clone, Copy, Default)]
pub struct Rates {
    /// The service throttles the call.
    pub throttle: usize,
    /// The service answers with an internal error.
    pub server: usize,
    /// A timeout without an effect.
    pub timeout_before: usize,
    /// A timeout after the effect.
    pub timeout_after: usize,
    /// The connection breaks after the effect.
    pub reset: usize,
    /// The process crashes before the call.
    pub crash_before: usize,
    /// The process crashes after the effect.
    pub crash_after: usize,
    /// A batch call leaves some of its keys or items unprocessed.
    pub unprocessed: usize,
    /// Some entries of a batch call fail.
    pub partial: usize,
    /// A transaction conflicts with another.
    pub conflict: usize,
    /// The group quota of Cognito is exhausted.
    pub quota: usize,
    /// A service or one of its operations fails for all callers for some seconds.
    pub outage: usize,
    /// The request or its answer is slow.
    pub slow: usize,
    /// Cognito ignores that a user or group was just created or deleted.
    pub flap: usize,
    /// A request to Cognito takes effect long after its timeout. Zero unless `Options::late` is
    /// set.
    pub late: usize,
}

/// What happens to one call.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Fate {
    Fine,
    Throttle,
    Server,
    TimeoutBefore,
    TimeoutAfter,
    Reset,
    CrashBefore,
    CrashAfter,
    Unprocessed,
    Partial,
    Conflict,
    Quota,
    Flap,
    Late,
    Outage,
    SlowBefore,
    SlowAfter,
}

impl Fate {
    /// Whether all or part of the call fails. A slow call does not fail.
    pub(super) const fn has_failed(self) -> bool {
        !matches!(self, Self::Fine | Self::SlowBefore | Self::SlowAfter)
    }
}

impl Net {
    /// Sets the rates of all faults.
    pub fn set_rates(&self, rates: Rates) {
        *self.rates.lock().unwrap_or_else(PoisonError::into_inner) = rates;
    }

    /// How often each kind of fault happens.
    pub fn rates(&self) -> Rates {
        *self.rates.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Lets a service or one of its operations fail for so long.
    pub fn breaks(&self, what: &str, how_long: Duration) {
        let mut out = self.out.lock().unwrap_or_else(PoisonError::into_inner);
        *out = Some((what.to_owned(), Instant::now() + how_long));
    }

    /// Exhausts the group quota of Cognito for a while, in worlds that have quota faults.
    pub fn fill(&self) {
        *self.full.lock().unwrap_or_else(PoisonError::into_inner) = Some(Instant::now());
    }

    /// The error with which Cognito would ignore a recent change. Removals do not get one: Instep
    /// believes their "not found".
    pub(super) fn flap(&self, operation: &str, body: &Value) -> Option<&'static str> {
        let text = |name: &str| body.get(name).and_then(Value::as_str);
        let recent = self.recent.lock().unwrap_or_else(PoisonError::into_inner);
        let state = |kind: &str, name: &str| {
            let (at, exists) = recent.get(&format!("{kind}:{}", text(name)?))?;
            (at.elapsed() < FLAPS_FOR).then_some(*exists)
        };
        let (group, user) = (state("group", "GroupName"), state("user", "Username"));
        match operation {
            "CreateGroup" => (group == Some(false)).then_some("GroupExistsException"),
            "AdminCreateUser" => (user == Some(false)).then_some("UsernameExistsException"),
            "UpdateGroup" => (group == Some(true)).then_some("ResourceNotFoundException"),
            "AdminGetUser" | "AdminUpdateUserAttributes" | "AdminEnableUser" | "AdminDisableUser" => {
                (user == Some(true)).then_some("UserNotFoundException")
            }
            "AdminAddUserToGroup" if user == Some(true) => Some("UserNotFoundException"),
            "AdminAddUserToGroup" => (group == Some(true)).then_some("ResourceNotFoundException"),
            _ => None,
        }
    }

    pub(super) fn fate(&self, operation: &str, service: &str, flaps: bool) -> Fate {
        let is_cognito = service == COGNITO;
        let rates = *self.rates.lock().unwrap_or_else(PoisonError::into_inner);
        let is_batch = operation.starts_with("Batch");
        let is_entries = ["PutEvents", "SendMessageBatch"].contains(&operation);
        let kinds = [
            (rates.throttle, Fate::Throttle),
            (rates.server, Fate::Server),
            (rates.timeout_before, Fate::TimeoutBefore),
            (rates.timeout_after, Fate::TimeoutAfter),
            (rates.reset, Fate::Reset),
            (rates.crash_before, Fate::CrashBefore),
            (rates.crash_after, Fate::CrashAfter),
            (if is_batch { rates.unprocessed } else { 0 }, Fate::Unprocessed),
            (if is_entries { rates.partial } else { 0 }, Fate::Partial),
            (if operation == "TransactWriteItems" { rates.conflict } else { 0 }, Fate::Conflict),
            (if operation == "CreateGroup" { rates.quota } else { 0 }, Fate::Quota),
            (if flaps { rates.flap } else { 0 }, Fate::Flap),
            (if is_cognito { rates.late } else { 0 }, Fate::Late),
            (rates.slow, Fate::SlowBefore),
            (rates.slow, Fate::SlowAfter),
        ];
        let drawn =
            kinds.into_iter().find(|(rate, _)| self.chance.of_thousand(*rate)).map_or(Fate::Fine, |(_, fate)| fate);
        let mut full = self.full.lock().unwrap_or_else(PoisonError::into_inner);
        let is_full = operation == "CreateGroup" && rates.quota > 0 && full.is_some_and(|at| at.elapsed() < FULL);
        if drawn == Fate::Quota {
            *full = Some(Instant::now());
        }
        if self.is_out([service, operation], rates.outage) {
            Fate::Outage
        } else if !drawn.has_failed() && is_full {
            Fate::Quota
        } else {
            drawn
        }
    }

    /// Whether a service or one of its operations has an outage. Draws whether one begins.
    fn is_out(&self, what: [&str; 2], often: usize) -> bool {
        if self.chance.of_thousand(often) {
            let of = self.chance.pick(&what).copied().unwrap_or_default();
            self.breaks(of, OUTAGE_LEAST + self.chance.time(OUTAGE_MORE_MS));
        }
        let out = self.out.lock().unwrap_or_else(PoisonError::into_inner);
        often > 0 && out.as_ref().is_some_and(|(of, until)| what.contains(&of.as_str()) && Instant::now() < *until)
    }
}
