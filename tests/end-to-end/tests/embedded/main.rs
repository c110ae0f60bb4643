//! The handler on an embedded stack: what happens under faults, races and deadlines.

#![expect(clippy::unwrap_used, clippy::indexing_slicing, reason = "a test stops where it cannot go on")]
#![expect(unreachable_pub, reason = "shared by test files")]

mod deadline;
mod doctor;
mod flow;
mod parking;
mod world;
mod writers;

// `lag.rs`, `races.rs` and `redrive.rs` still speak of jobs in tombstones and of redrives that handle records: they are not built until
// they are ported to the work queue.
