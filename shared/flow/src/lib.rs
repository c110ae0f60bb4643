//! Decode, plan and reconcile: computes the effects, events and work messages of a batch, as data.
//! No I/O; time is an input.

mod attributes;
pub mod bookkeeping;
mod change;
mod claims;
pub mod decode;
pub mod due;
pub mod effect;
pub mod events;
pub mod filter;
pub mod find;
mod former;
mod image;
mod items;
mod known_names;
pub mod mask;
pub mod pack;
pub mod plan;
pub mod read;
pub mod reads;
pub mod reconcile;
pub mod report;
mod secrets;
pub mod stream_record;
pub mod sweep;
pub mod table_id;
mod table_write;
pub mod valid;
pub mod work;
pub mod writer;
