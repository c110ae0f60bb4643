//! Read, apply, publish: the only crate that talks to AWS.

pub mod access;
mod apply;
mod attributes;
mod call;
pub mod calls;
pub mod connect;
pub mod doctor;
pub mod handler;
pub mod instep;
mod pace;
mod park;
mod publish;
mod queue;
mod read;
mod record;
pub mod redrive;
mod send;
pub mod verify;
pub mod writer;

pub use attributes::item_from_sdk;
pub use instep::Parking;
pub use park::GIVEN_UP_PREFIX;
pub use record::{LambdaRecord, RecordError};
