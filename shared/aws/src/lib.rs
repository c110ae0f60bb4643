//! Read, apply, publish, park and redrive: the runtime, over AWS.

mod apply;
mod attributes;
mod call;
pub mod calls;
pub mod clock;
pub mod connect;
mod handler;
mod instep;
mod pace;
mod park;
mod publish;
mod queue;
mod read;
mod record;
pub mod redrive;
mod send;
pub mod sweep;
pub mod writer;

pub use attributes::{item_from_sdk, key_to_sdk};
pub use call::{Failure, call};
pub use handler::{Delivered, WorkReport};
pub use instep::{Clients, Instep, Parking, Run, Settings};
pub use park::{GIVEN_UP_PREFIX, PARKED_PREFIX};
pub use queue::Sending;
pub use record::{LambdaRecord, RecordError};
