//! What EventBridge makes of an entry of PutEvents.

use serde::Serialize;
use serde_json::Value;

/// An event as a target of a rule gets it. Source: Amazon EventBridge User Guide, "Event structure reference".
#[derive(Debug, Serialize)]
#[serde(rename_all = "kebab-case")]
pub struct DeliveredEvent<'a> {
    /// The version of EventBridge's envelope.
    pub version: &'static str,
    /// EventBridge's id of this delivery.
    pub id: String,
    /// `DetailType`.
    pub detail_type: &'a str,
    /// `Source`.
    pub source: &'a str,
    /// The account of the bus.
    pub account: &'a str,
    /// `Time`. Absent if the entry has none: EventBridge then takes the time of the call.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub time: Option<&'a str>,
    /// The region of the bus.
    pub region: &'a str,
    /// `Resources`.
    pub resources: &'a [String],
    /// `Detail`.
    pub detail: Value,
}

impl DeliveredEvent<'_> {
    /// The version of all events.
    pub const VERSION: &'static str = "0";

    /// The event as JSON.
    #[must_use]
    pub fn to_json(&self) -> Value {
        // It has only strings and JSON, so writing it cannot fail.
        serde_json::to_value(self).unwrap_or_default()
    }
}

/// 32 hexadecimal digits in the form of EventBridge's ids.
#[must_use]
pub fn delivery_id(digits: &str) -> String {
    let part = |range: std::ops::Range<usize>| digits.get(range).unwrap_or_default();
    [part(0..8), part(8..12), part(12..16), part(16..20), part(20..32)].join("-")
}
