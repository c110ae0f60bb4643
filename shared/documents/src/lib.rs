#![doc = include_str!("../README.md")]

mod asyncapi;
mod declared;
mod diff;
mod difference;
mod draft_04;
mod event_type;
mod files;
mod go;
mod html;
mod identifier;
mod java;
mod model_schema;
mod patterns;
mod python;
mod rows;
mod rows_diff;
mod schema;
mod settings_page;
mod typescript;
mod words;

pub use diff::diff;
pub use difference::{ContractDifference, ContractVerdict};
pub use draft_04::as_draft_04;
pub use event_type::{EventType, Variant};
pub use files::{CONTRACT_FORM, contract, documents, events_without_example};
pub use model_schema::model_schema;
pub use patterns::{RulePattern, rule_patterns};
pub use schema::{Openness, at, event_schema};
pub use settings_page::{SettingSample, settings_page};
