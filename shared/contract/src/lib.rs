#![doc = include_str!("../README.md")]

mod event;
mod parked;

pub use event::{
    CONTRACT_VERSION, Cause, Conflict, Data, Detail, Event, EventPosition, EventVerb, ItemKind, Metadata, Omitted,
    OmittedPart, SnapshotMark, ValueType,
};
pub use parked::{Origin, PARKED_VERSION, ParkedMessage, Provenance, S3Object};
