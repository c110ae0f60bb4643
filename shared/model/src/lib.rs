//! Table models: key templates (render and match), item types, the shipped models. Pure.

mod model;
pub mod template;
mod value;

pub use model::*;
pub use value::*;
