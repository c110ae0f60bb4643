#![doc = include_str!("../README.md")]

mod apply;
mod attributes;
mod call;
pub mod calls;
mod clients;
pub mod clock;
mod codes;
mod cognito;
pub mod connect;
mod final_objects;
mod handler;
mod instep;
mod model_history;
mod pace;
mod park;
mod part;
mod publish;
mod queue;
mod read;
pub mod reader;
mod record;
pub mod redrive;
mod run_options;
mod scan;
mod send;
mod send_events;
mod send_work;
mod settings;
mod sign_up;
pub mod sweep;
mod table;
mod tenants;
pub mod token;
mod waiting_users;
pub mod writer;

// The benchmark makes as many calls at the same time.
pub use apply::{CONCURRENT_LANES, CONCURRENT_TRANSACTIONS};
pub use attributes::{item_from_sdk, item_to_sdk, key_to_sdk, to_sdk as value_to_sdk};
pub use call::{CONCURRENT_READS, CallFailure, call};
pub use clients::Clients;
pub use codes::{Unlisted, noting_unlisted};
pub use handler::{QueueMessage, WorkEntry, WorkReport};
pub use instep::Instep;
pub use instep_flow::deletion_limit::DELETIONS_PER_HOUR;
pub use model_history::DeployedModels;
pub use park::{GIVEN_UP_PREFIX, PARKED_PREFIX};
pub use publish::CONCURRENT_PUTS;
pub use sign_up::SignUp;

pub use record::{LambdaRecord, RecordError};
pub use run_options::RunOptions;
pub use scan::{ScanPage, as_created};
pub use send_work::{NotSent, Sending};
pub use settings::{Parking, Settings};
pub use waiting_users::{Decision, WaitingUser};
