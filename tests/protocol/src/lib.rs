//! Small worlds around the product's own loop, and all that can happen in them.
//!
//! # What a world is
//!
//! A table holds users, groups, grants and children. Cognito holds users, groups and memberships.
//! The table implies what Cognito must hold, and that a child exists only with its parent. Writers
//! change the table. Each write leaves a record in a shard of the stream. *Runs* reconcile: a run
//! holds records or messages of the work queue, reads the table, and applies effects.
//!
//! A [`State`] is everything at one moment: the table, its indexes, its bookkeeping items, Cognito,
//! the stream, the work queue, and the runs in progress. A [`Step`] leads from one state to the
//! next. A step is a write, a delivery, a fault, an index that catches up, or **one call** of a
//! run: one item read, one page queried, one effect applied. What a run computes between two calls
//! is part of the step before it, because nothing else can observe it. So the steps of concurrent
//! runs interleave at every point where they can matter.
//!
//! A [`World`] is what stays the same: how many objects there are, how dependents are found, which
//! shard has whose records, which faults may still happen ([`Budget`]), and the [`Rules`] of the
//! protocol.
//!
//! # What is the product's
//!
//! A [`Run`] holds a `Reconciler`, which a run in production drives, too. A [`Design`] writes the
//! world's table model as text, and the product loads it. Records are JSON that the product
//! decodes, messages are JSON that it writes and parses, and its reads, conditions and writes are
//! executed as they are. The table, its index, Cognito, the stream and the queue are the world's. So
//! is the truth: [`World::implied`] and the checks use nothing of the product.
//!
//! # What is checked
//!
//! [`Breach`] lists it. At rest (no record, message or run is left) Cognito equals what the table
//! implies, each grant has its back-references, nothing exists below a deleted parent, and last
//! revocations deleted no subject that has a grant. At any time a run revokes before it grants, and
//! deletes no child of a parent that exists. A world whose steps never end is a breach, too.
//!
//! # The rules
//!
//! [`Rule`] lists the rules. `tests/rules.rs` switches each off and finds a small world that
//! breaks. The product has no switches: a driver around its loop does without the rule.
//!
//! # How worlds are explored
//!
//! [`random`] makes a world from a seed and walks through it, with slow and fast runs. [`explore`]
//! visits every state of a small world and gives a shortest history that leads to a breach.
//!
//! `tests/races.rs` shows a history through each race that stays open by design.
//!
//! # What is left out
//!
//! Guards, windows of grants, disabled users, marks of groups, edges and other parents, index keys,
//! rates, deadlines, limits of hops, and parents known by id only. `tests/simulate` runs the product
//! through those.

mod calls;
mod check;
mod cognito;
mod design;
pub mod explore;
mod message;
pub mod random;
mod rules;
mod run;
mod show;
mod state;
mod step;
mod table;
mod without;
mod world;

pub use check::Breach;
pub use cognito::{Cognito, Membership};
pub use design::Design;
pub use message::Message;
pub use rules::{Rule, Rules};
pub use run::{Answer, Ask, Run, Source};
pub use state::State;
pub use step::Step;
pub use table::{Item, Record, Table, Written};
pub use world::{Budget, Find, Link, Object, Race, World};
