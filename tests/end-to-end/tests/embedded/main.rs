//! The handler on an embedded stack, with faults, races and deadlines.

#![expect(clippy::unwrap_used, clippy::indexing_slicing, reason = "a test stops where it cannot go on")]
#![expect(unreachable_pub, reason = "shared by test files")]

mod accepted;
mod addresses;
mod authorizer;
mod backfill;
mod changed_model;
mod conditions;
mod contract;
mod deadline;
mod doctor;
mod examples;
mod gate;
mod impossible;
mod large;
mod on_demand;
mod own;
mod parking;
mod provenance;
mod redrive;
mod redrive_mapping;
mod redrive_places;
mod secrets;
mod snapshots;
mod stories;
mod sweep;
mod sweep_units;
mod time;
mod world;
mod writers;
