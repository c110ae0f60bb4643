//! Look, apply, publish: the only crate that talks to AWS.

pub mod calls;
pub mod handler;
