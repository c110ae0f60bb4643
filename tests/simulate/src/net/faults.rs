//! What goes wrong with calls by chance.

use std::sync::PoisonError;
use std::time::Duration;

use serde_json::Value;
use tokio::time::Instant;

use super::{COGNITO, Net};

/// How long a service fails where it fails for everybody: longer than a call is tried again.
pub(super) const OUTAGE_LEAST: Duration = Duration::from_secs(4);
const OUTAGE_MORE_MS: usize = 12_000;

/// How long after a creation or a deletion Cognito may answer as if it had not been.
const FLAPS: Duration = Duration::from_millis(800);

/// How long Cognito has no room for a group, once it has none.
const FULL: Duration = Duration::from_secs(10);

/// What it answers then.
pub const QUOTA: &str = "LimitExceededException";

/// How often in a thousand calls each fault comes.
#[derive(Debug, Clone, Copy, Default)]
pub struct Rates {
    /// The service refuses for the rate.
    pub throttle: usize,
    /// The service fails.
    pub server: usize,
    /// No answer, and no effect.
    pub timeout_before: usize,
    /// No answer, after the effect.
    pub timeout_after: usize,
    /// The connection breaks after the effect.
    pub reset: usize,
    /// The process ends before the call.
    pub crash_before: usize,
    /// The process ends after the effect.
    pub crash_after: usize,
    /// A batch hands back some of its keys or items.
    pub unprocessed: usize,
    /// Some entries of a batch fail.
    pub partial: usize,
    /// A transaction meets another.
    pub conflict: usize,
    /// Cognito has no room for a group.
    pub quota: usize,
    /// A service, or an operation of it, fails for some seconds, whoever calls it.
    pub outage: usize,
    /// A request takes long to come, or its answer does.
    pub slow: usize,
    /// Cognito answers as if what was just made were not there, or what just went still were.
    pub flap: usize,
    /// A request to Cognito has its effect long after its timeout. Off unless asked for.
    pub late: usize,
}

/// What comes of one call.
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
    /// Whether the call fails, or some of it: it is not only late.
    pub(super) const fn has_failed(self) -> bool {
        !matches!(self, Self::Fine | Self::SlowBefore | Self::SlowAfter)
    }
}

impl Net {
    /// Sets how often faults come.
    pub fn set_rates(&self, rates: Rates) {
        *self.rates.lock().unwrap_or_else(PoisonError::into_inner) = rates;
    }

    /// A service, or an operation of it, fails for so long.
    pub fn breaks(&self, what: &str, how_long: Duration) {
        let mut out = self.out.lock().unwrap_or_else(PoisonError::into_inner);
        *out = Some((what.to_owned(), Instant::now() + how_long));
    }

    /// Cognito has no room for a group for a while, where quotas are reached at all.
    pub fn fill(&self) {
        *self.full.lock().unwrap_or_else(PoisonError::into_inner) = Some(Instant::now());
    }

    /// The code with which Cognito would answer as if the last moment had not been. What is taken away is spared: a "not found" is
    /// believed there.
    pub(super) fn flap(&self, operation: &str, body: &Value) -> Option<&'static str> {
        let text = |name: &str| body.get(name).and_then(Value::as_str);
        let recent = self.recent.lock().unwrap_or_else(PoisonError::into_inner);
        let state = |kind: &str, name: &str| {
            let (at, is_there) = recent.get(&format!("{kind}:{}", text(name)?))?;
            (at.elapsed() < FLAPS).then_some(*is_there)
        };
        let (group, user) = (state("group", "GroupName"), state("user", "Username"));
        match operation {
            "CreateGroup" => (group == Some(false)).then_some("GroupExistsException"),
            "AdminCreateUser" => (user == Some(false)).then_some("UsernameExistsException"),
            "UpdateGroup" => (group == Some(true)).then_some("ResourceNotFoundException"),
            "AdminGetUser" | "AdminUpdateUserAttributes" | "AdminEnableUser" => {
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

    /// Whether a service, or one operation of it, fails for everybody, as it does now and then for some seconds.
    fn is_out(&self, what: [&str; 2], often: usize) -> bool {
        if self.chance.of_thousand(often) {
            let of = self.chance.pick(&what).copied().unwrap_or_default();
            self.breaks(of, OUTAGE_LEAST + self.chance.time(OUTAGE_MORE_MS));
        }
        let out = self.out.lock().unwrap_or_else(PoisonError::into_inner);
        often > 0 && out.as_ref().is_some_and(|(of, until)| what.contains(&of.as_str()) && Instant::now() < *until)
    }
}
