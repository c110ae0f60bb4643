#![doc = include_str!("../README.md")]

mod apply;
mod attributes;
mod call;
pub mod calls;
pub mod clock;
mod codes;
mod cognito;
pub mod connect;
mod handler;
mod instep;
mod pace;
mod park;
mod part;
mod publish;
mod queue;
mod read;
mod record;
pub mod redrive;
mod scan;
mod send;
pub mod sweep;
mod table;
pub mod writer;

// The benchmark makes as many calls at the same time.
pub use apply::{CONCURRENT_LANES, CONCURRENT_TRANSACTIONS};
pub use attributes::{item_from_sdk, key_to_sdk};
pub use call::{CallFailure, call};
pub use codes::{Unlisted, noting_unlisted};
pub use handler::{QueueMessage, WorkEntry, WorkReport};
pub use instep::{Clients, Instep, Parking, RunOptions, Settings};
pub use park::{GIVEN_UP_PREFIX, PARKED_PREFIX};
pub use publish::CONCURRENT_PUTS;
pub use queue::{NotSent, Sending};
pub use read::CONCURRENT_READS;
pub use record::{LambdaRecord, RecordError};
pub use scan::{ScanPage, as_created};
