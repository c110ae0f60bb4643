//! Look, apply, publish: the only crate that talks to AWS.

pub mod access;
mod apply;
mod attributes;
mod call;
pub mod calls;
pub mod connect;
pub mod doctor;
pub mod handler;
mod look;
mod pace;
mod park;
mod publish;
mod record;
pub mod redrive;
pub mod verify;
pub mod writer;

pub use attributes::item_from_sdk;
pub use park::{GIVEN_UP_PREFIX, Parking};
pub use record::{LambdaRecord, RecordError};
