//! The command line as people run it: `instep` in a process of its own.

#![expect(clippy::unwrap_used, clippy::indexing_slicing, clippy::panic, reason = "a test stops where it cannot go on")]
#![expect(unreachable_pub, reason = "shared by test files")]

mod account_management;
mod answers;
mod authorization;
mod captures;
mod change;
mod check;
mod consumer;
mod contract;
mod deployment;
mod documents;
mod events;
mod filter;
mod foreign;
mod forms;
mod golden;
mod imports;
mod init;
mod plan;
mod platform;
mod questions;
mod reads;
mod redrive;
mod replay;
mod routes;
mod secrets;
mod shell;
mod subscribers;
mod support;
mod sweep;
mod systems;
mod template;
mod type_names;
