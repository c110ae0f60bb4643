//! The events that subscribers of Instep receive, and the messages of parked records, as types that
//! serialise to exactly what is sent. The crate depends on serde only: a consumer in Rust needs
//! nothing else of Instep.
//!
//! [`Event`] is what EventBridge delivers. Its [`Detail`] is what Instep publishes.
//!
//! # A consumer
//!
//! EventBridge delivers at least once and in any order. [`Place`] orders the events of one item, and
//! the id is the same for the same change, so a read model keeps the last place of each row:
//!
//! ```
//! use std::collections::BTreeMap;
//! use instep_contract::{Event, Place, Verb};
//!
//! # let body = r#"{"version": "0", "id": "6a7e8feb-b491-4cf7-a9f1-bf3703467718", "detail-type": "User Granted",
//! #   "source": "instep.access-management", "account": "111122223333", "time": "2026-03-13T10:00:00Z",
//! #   "region": "eu-west-1", "resources": [], "detail": {"metadata": {"id": "a362da1032e1d4809b538121c06bb548",
//! #   "version": "1", "model": "access-management", "entity": "User", "entityId": "kofi@example.com",
//! #   "verb": "granted", "item": "Membership kofi@example.com//ghana",
//! #   "sequence": "0000000000000000000100001773396000000000", "index": 2, "recordedAt": "2026-03-13T10:00:00Z",
//! #   "cause": "write", "correlationId": null, "tenant": null, "replay": false, "parked": false},
//! #   "data": {"keys": {"email": "kofi@example.com", "groupId": "/ghana"}, "old": {}, "new": {"role": "admin"},
//! #   "changed": ["role"], "role": "admin", "scope": "/ghana"}}}"#;
//! // Who has which role where: the last place of each row, and whether it was a grant.
//! let mut rows: BTreeMap<[Option<String>; 4], (Place, bool)> = BTreeMap::new();
//! let event: Event = serde_json::from_str(body)?;
//! let (metadata, data) = (event.detail.metadata, event.detail.data);
//! if matches!(metadata.verb, Verb::Granted | Verb::Revoked) {
//!     let place = metadata.place();
//!     let row = [Some(metadata.item), Some(metadata.entity_id), data.scope, data.role];
//!     let is_newer = rows.get(&row).is_none_or(|(known, _)| *known < place);
//!     if is_newer {
//!         rows.insert(row, (place, metadata.verb == Verb::Granted));
//!     }
//! }
//! assert_eq!(rows.len(), 1);
//! # Ok::<(), serde_json::Error>(())
//! ```
//!
//! `functions/consumer` is such a consumer on Lambda. `docs/EVENTS.md` has the rules in words.
//!
//! # Versions
//!
//! A new version of this crate may add fields, verbs and causes: unknown fields are ignored, an
//! unknown verb is [`Verb::Other`] and an unknown cause is [`Cause::Other`]. Every other change
//! raises [`CONTRACT_VERSION`].

mod event;
mod parked;

pub use event::{CONTRACT_VERSION, Cause, Conflict, Data, Detail, Event, Metadata, Omitted, OmittedPart, Place, Verb};
pub use parked::{Origin, PARKED_VERSION, ParkedMessage, Provenance, S3Object};
