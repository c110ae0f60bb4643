#![doc = include_str!("../README.md")]

pub mod config;
mod findings;
mod function;
mod logs;
mod metrics;
mod time;

pub use function::{Function, InvocationFailure, StartCheck, serve, serve_open, serve_with};
/// Starts the log at the level that the environment sets, for a function that needs no more of this crate.
pub fn start_logs() {
    logs::start(config::log_level(&config::environment));
}

pub use config::environment;
pub use metrics::{MetricsDetail, WorkOutcome};
