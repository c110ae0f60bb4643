//! The handler on an embedded stack, with faults, races and deadlines.

#![expect(clippy::unwrap_used, clippy::indexing_slicing, reason = "a test stops where it cannot go on")]
#![expect(unreachable_pub, reason = "shared by test files")]

mod accepted;
mod attributes;
mod backfill;
mod changed_model;
mod children;
mod conditions;
mod contract;
mod deadline;
mod doctor;
mod examples;
mod flow;
mod gate;
mod guard_races;
mod impossible;
mod kept;
mod lag;
mod large;
mod last_revocation;
mod lists;
mod looked_up;
mod on_demand;
mod own;
mod own_groups;
mod parked;
mod parking;
mod provenance;
mod races;
mod redrive;
mod redrive_mapping;
mod redrive_places;
mod references;
mod refused;
mod secrets;
mod shared_membership;
mod spellings;
mod sweep;
mod sweep_units;
mod takes;
mod time;
mod world;
mod writers;
