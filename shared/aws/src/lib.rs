//! The runtime: look, apply, park, publish and redrive, over AWS.

mod apply;
mod attributes;
mod call;
pub mod calls;
pub mod connect;
pub mod handler;
mod look;
mod pace;
mod park;
mod parts;
mod publish;
mod record;
pub mod redrive;
pub mod writer;

pub use attributes::{item_from_sdk, key_to_sdk};
pub use call::{Failure, call};
pub use park::{GIVEN_UP_PREFIX, PARKED_PREFIX, Parking};
pub use record::{LambdaRecord, RecordError};
