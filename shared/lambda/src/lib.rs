//! What Instep's Lambda functions share: configuration read once, clients built once, what is needed verified before anything is
//! handled; structured logs, metrics, and the time that an invocation has.

pub mod config;
mod function;
mod logs;
mod metrics;
mod time;

pub use function::{Failure, Function, serve, serve_unverified};
pub use metrics::{Detail, Worked};
