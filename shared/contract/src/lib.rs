#![doc = include_str!("../README.md")]

mod event;
mod parked;

pub use event::{
    CONTRACT_VERSION, Cause, Conflict, Data, Detail, Event, EventPosition, EventVerb, Metadata, Omitted, OmittedPart,
    SnapshotMark,
};
pub use parked::{Origin, PARKED_VERSION, ParkedMessage, Provenance, S3Object};
