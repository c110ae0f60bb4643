#![doc = include_str!("../README.md")]

pub mod calls_alone;
pub mod flow;
pub mod large_models;
pub mod memberships;
pub mod mix;
pub mod page;
pub mod program;
pub mod server;
pub mod small;
pub mod stages;
pub mod standin;
pub mod tokens;
pub mod wrong;

use std::time::Duration;

use instep_model::ModelErrors;
use rustix::time::{ClockId, clock_gettime};

/// The mistakes of a model, a line each.
#[must_use]
pub fn mistakes(errors: &ModelErrors) -> String {
    errors.problems().iter().map(|problem| format!("{}: {problem}\n", problem.place())).collect()
}

/// The CPU time of this thread.
pub(crate) fn thread_cpu() -> Duration {
    let rustix::time::Timespec { tv_sec, tv_nsec } = clock_gettime(ClockId::ThreadCPUTime);
    let whole = Duration::from_secs(u64::try_from(tv_sec).unwrap_or_default());
    whole + Duration::from_nanos(u64::try_from(tv_nsec).unwrap_or_default())
}

/// Peak memory of this process, in MB.
pub(crate) fn peak_mb() -> f64 {
    let text = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = text.lines().find(|line| line.starts_with("VmHWM")).unwrap_or_default();
    line.split_whitespace().nth(1).and_then(|kb| kb.parse::<f64>().ok()).unwrap_or_default() / 1000.0
}
