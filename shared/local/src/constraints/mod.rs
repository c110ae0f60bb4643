//! What AWS accepts as the members of a request: which are required, lengths, ranges, patterns and enumerations.
//!
//! The facts are those that AWS publishes in the models of its APIs. `generate.py` has written them to `aws.json`
//! for the operations of the stack. Each request is checked against them before its service sees it, so no
//! stand-in has such a rule of its own. Rules that only a service's documentation has are in that stand-in.

mod check;
mod data;
#[cfg(test)]
mod tests;

pub(crate) use check::check;

use data::service;

/// The operations of a service, by the prefix of its targets. Empty for a service that the stack does not have.
pub(crate) fn operations(prefix: &str) -> Vec<&'static str> {
    service(prefix).map(|service| service.operations.keys().map(String::as_str).collect()).unwrap_or_default()
}
