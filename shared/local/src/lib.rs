#![doc = include_str!("../README.md")]

mod clock;
mod cognito;
mod constraints;
mod dialect;
mod dir;
mod engine;
mod error;
mod eventbridge;
mod faults;
mod folder;
mod front;
mod ident;
mod in_process;
mod journal;
mod operands;
pub mod private;
mod pump;
mod queue_pump;
mod router;
mod s3;
mod services;
mod sqs;
mod stack;
mod stream_index;
mod table;
#[cfg(test)]
mod tests;
mod unprocessed;
mod wire;

pub use clock::Clock;
pub use cognito::{APP_CLIENT, CONFIRMATION_CODE, GroupState, PoolOptions, SignIn, SignUpWatcher, UserState};
pub use engine::NotWritten;
pub use error::LocalError;
pub use eventbridge::{EventWatcher, PublishedEntry};
pub use faults::{Fault, Faults};
pub use folder::Folder;
pub use front::Front;
pub use ident::{ACCOUNT, REGION};
pub use pump::{DeliveryOutcome, Drained, GivenUp, Handler, Overlay, Pump, PumpOptions, ReadFrom, Retry};
pub use queue_pump::{QueueDrained, QueueHandler, QueuePump, QueuePumpOptions, Returned};
pub use services::{BUS, Services, USER_POOL, WORK_DEAD_LETTERS, WORK_QUEUE, first_sub, operation, refuse};
pub use sqs::{QueueCounts, QueueOptions, QueuedMessage};
pub use stack::{Stack, StackOptions, WorldState, sdk_config};
pub use table::is_table_name;
