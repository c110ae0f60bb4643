//! Look, apply, publish: the only crate that talks to AWS.

mod apply;
mod attributes;
mod call;
pub mod calls;
pub mod handler;
mod look;
mod pace;
mod publish;
pub mod writer;

pub use attributes::item_from_sdk;
