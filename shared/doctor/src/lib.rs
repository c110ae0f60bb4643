#![doc = include_str!("../README.md")]

pub mod access;
mod examine;
mod permissions;
mod scan;
mod tokens;
mod verify;

use instep_aws::{Clients, Instep, Settings};
use instep_model::Model;

pub use examine::Examination;
pub use verify::{CheckResult, Level};

/// Checks the resources of an Instep, with its own clients.
#[derive(Debug, Clone, Copy)]
pub struct Doctor<'a> {
    instep: &'a Instep,
    model: &'a Model,
    clients: &'a Clients,
    settings: &'a Settings,
}

impl<'a> Doctor<'a> {
    /// The doctor of `instep`.
    #[must_use]
    pub fn of(instep: &'a Instep) -> Self {
        Self { instep, model: instep.model(), clients: instep.clients(), settings: instep.settings() }
    }
}
