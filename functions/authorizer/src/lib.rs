#![doc = include_str!("../README.md")]

mod authorizer;
mod config;
pub mod event;
mod keys;
mod tokens;

pub use authorizer::Authorizer;
pub use config::{AUTHORIZER_VARIABLES, AuthorizerConfig, AuthorizerOptions};
pub use keys::PoolKeys;
pub use tokens::{TokenFailure, TokenUse, Tokens};
