#![doc = include_str!("../README.md")]

mod delivered;
mod event;
mod parked;

pub use delivered::{DeliveredEvent, delivery_id};
pub use event::{
    CONTRACT_VERSION, Cause, Conflict, Data, Detail, Event, EventPosition, EventVerb, ItemKind, Metadata, Omitted,
    OmittedPart, SNAPSHOT_ENTITY, SnapshotMark, ValueType,
};
pub use parked::{Origin, PARKED_VERSION, ParkedMessage, Provenance, S3Object};
