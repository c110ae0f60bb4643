//! The documents that subscribers build on, made from the event types of `instep-contract` and a
//! table model: JSON Schemas, an AsyncAPI document, declarations for TypeScript and Python, rule
//! patterns for EventBridge, examples and a page for people. Pure: text in, text out.
//!
//! - [`EventType`]: what comes under one `DetailType`.
//! - [`contract`]: all schemas of a model in one JSON document, which [`diff`] compares.
//! - [`documents`]: every file that `instep contract` writes.

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

pub use diff::{Difference, diff};
pub use draft_04::as_draft_04;
pub use event_type::{EventType, Variant};
pub use files::{contract, documents, events_without_example};
pub use patterns::{RulePattern, rule_patterns};
pub use schema::{Openness, at, event_schema};
