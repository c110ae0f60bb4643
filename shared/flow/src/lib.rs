//! Decode, plan, settle: what follows from a batch of stream records, as data. No I/O; time is an input.

pub mod bookkeeping;
pub mod decode;
pub mod effect;
pub mod events;
pub mod filter;
pub mod find;
mod items;
pub mod mask;
pub mod plan;
pub mod read;
pub mod report;
pub mod settle;
pub mod truth;
pub mod valid;
pub mod writer;
