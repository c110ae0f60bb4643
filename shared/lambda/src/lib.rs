//! What Instep's Lambda functions share: configuration and clients that are created once, checks
//! before anything is handled, structured logs, metrics, and the deadline of an invocation.

pub mod config;
mod function;
mod logs;
mod metrics;
mod time;

pub use function::{Failure, Function, serve, serve_unverified};
pub use metrics::{Detail, WorkOutcome};
