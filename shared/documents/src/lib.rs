#![doc = include_str!("../README.md")]

mod asyncapi;
mod diff;
mod draft_04;
mod event_type;
mod files;
mod html;
mod patterns;
mod python;
mod schema;
mod typescript;
mod words;

pub use diff::{ContractDifference, diff};
pub use draft_04::as_draft_04;
pub use event_type::{EventType, Variant};
pub use files::{contract, documents, events_without_example};
pub use patterns::{RulePattern, rule_patterns};
pub use schema::{Openness, at, event_schema};
