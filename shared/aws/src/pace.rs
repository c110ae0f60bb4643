//! Keeps a process within its share of Cognito's quotas, and adapts when Cognito throttles all the
//! same: other processes, or people, may use more than their share.
//!
//! Effects that revoke access are in an earlier phase than those that grant it, so they have taken
//! their turns before. Live work has the right of way over bulk work because the work function has a
//! share of its own.

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use tokio::time::Instant;

/// How much of what was not used before may be used at once. Calls that were late, and the pauses
/// between two batches, cost no quota.
const BURST: Duration = Duration::from_millis(200);

/// What is left of the rate after Cognito throttled a call, and the smallest part of it.
const AFTER_THROTTLE: f64 = 0.7;
const FACTOR_MIN: f64 = 0.1;

/// The part of the rate that comes back in a second.
const RECOVERY: f64 = 0.05;

/// The time in which several throttled calls are one sign: they were under way at the same time.
const ONE_SIGN: Duration = Duration::from_millis(500);

/// A category of Cognito's operations, with a quota of its own.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Category {
    /// UserResourceUpdate and UserUpdate: memberships, and changes of users.
    Users,
    /// UserRead: one user.
    UserRead,
    /// UserCreation.
    UserCreation,
    /// UserResourceRead: the groups of a user.
    UserGroups,
    /// UserList: users, and members of a group.
    UserList,
    /// UserPoolRead and UserPoolResourceRead: the pool, and its groups.
    GroupRead,
    /// UserPoolResourceUpdate: groups are created, changed and deleted.
    Groups,
}

impl Category {
    const COUNT: usize = 7;

    /// Calls a second of an account in a region. Where two categories are one here, the smaller
    /// quota; of changes of groups, 5 a second of one operation on one pool. Source: Amazon Cognito
    /// Developer Guide, "Quotas in Amazon Cognito".
    const fn quota(self) -> f64 {
        match self {
            Self::Users => 25.0,
            Self::UserRead => 120.0,
            Self::UserCreation | Self::UserGroups => 50.0,
            Self::UserList => 30.0,
            Self::GroupRead => 15.0,
            Self::Groups => 5.0,
        }
    }
}

/// The state of a category.
#[derive(Debug, Clone, Copy)]
struct Meter {
    /// When the next call is due if none is late.
    due: Option<Instant>,
    /// The part of the rate that is used, at a time.
    factor: (f64, Option<Instant>),
}

/// Limits calls to an even rate in each category.
#[derive(Debug)]
pub(crate) struct Pace {
    /// The part of each quota that belongs to this process. `None` does not limit the calls, until
    /// Cognito throttles one.
    share: Option<f64>,
    meters: Mutex<[Meter; Category::COUNT]>,
    throttles: AtomicU64,
}

impl Meter {
    const NEW: Self = Self { due: None, factor: (1.0, None) };

    /// The part of the rate at present.
    fn present(&self, now: Instant) -> f64 {
        let (factor, since) = self.factor;
        let passed = since.map_or(Duration::ZERO, |since| now.saturating_duration_since(since));
        (factor + passed.as_secs_f64() * RECOVERY).min(1.0)
    }
}

impl Pace {
    /// One change of a membership in each `interval`, and as many other calls as belong to it.
    pub(crate) fn new(interval: Option<Duration>) -> Self {
        let rate = interval.map(|interval| 1.0 / interval.as_secs_f64().max(f64::EPSILON));
        Self {
            share: rate.map(|rate| rate / Category::Users.quota()),
            meters: Mutex::new([Meter::NEW; Category::COUNT]),
            throttles: AtomicU64::new(0),
        }
    }

    /// Waits until the next call is allowed. Returns `false`, without a wait, if that is after the
    /// deadline.
    pub(crate) async fn turn(&self, category: Category, deadline: Option<Instant>) -> bool {
        let now = Instant::now();
        let at = {
            let mut meters = self.meters.lock().unwrap_or_else(PoisonError::into_inner);
            let Some(meter) = meters.get_mut(category as usize) else { return true };
            let factor = meter.present(now);
            if self.share.is_none() && factor >= 1.0 {
                return true;
            }
            let rate = category.quota() * self.share.unwrap_or(1.0) * factor;
            let at = meter.due.map_or(now, |due| due.max(now.checked_sub(BURST).unwrap_or(now)));
            if deadline.is_some_and(|deadline| at >= deadline) {
                return false;
            }
            meter.due = Some(at + Duration::from_secs_f64(1.0 / rate.max(f64::EPSILON)));
            at
        };
        if at > now {
            tokio::time::sleep_until(at).await;
        }
        true
    }

    /// Notes a throttled call: the next ones are slower, and get faster again while none is
    /// throttled.
    pub(crate) fn throttled(&self, category: Category) {
        self.throttles.fetch_add(1, Ordering::Relaxed);
        let now = Instant::now();
        let mut meters = self.meters.lock().unwrap_or_else(PoisonError::into_inner);
        let Some(meter) = meters.get_mut(category as usize) else { return };
        let is_new = meter.factor.1.is_none_or(|since| now.saturating_duration_since(since) >= ONE_SIGN);
        if is_new {
            meter.factor = ((meter.present(now) * AFTER_THROTTLE).max(FACTOR_MIN), Some(now));
        }
    }

    /// The number of throttled calls.
    pub(crate) fn throttles(&self) -> u64 {
        self.throttles.load(Ordering::Relaxed)
    }
}
