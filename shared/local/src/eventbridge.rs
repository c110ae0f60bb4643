//! EventBridge: the `default` bus and one other bus.
//!
//! A bus that does not exist accepts events and loses them, as the service does. Entries are
//! checked as the service documents it. Accepted entries are kept in order.

use std::fmt;
use std::sync::{Mutex, MutexGuard, OnceLock, PoisonError};

use instep_contract::DeliveredEvent;
use instep_model::DETAIL_TYPE_CHARS_MAX;
use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use crate::clock::Clock;
use crate::dir::LineFile;
use crate::error::LocalError;
use crate::faults::Fault;
use crate::ident;
use crate::wire::{ErrorResponse, OperationResult};

/// The maximum number of bytes of one PutEvents call. Source: Amazon EventBridge User Guide,
/// "Calculating PutEvents event entry size".
const REQUEST_BYTES_MAX: usize = 1024 * 1024;

/// The bytes that an entry's `Time` adds to its size. Source: as above.
const TIME_BYTES: usize = 14;

/// The bus that exists in every account.
const DEFAULT_BUS: &str = "default";

/// An entry that was put on a bus.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "PascalCase")]
pub struct PublishedEntry {
    /// The id that PutEvents returned.
    pub event_id: String,
    /// The bus's name.
    pub event_bus_name: String,
    /// `Source`.
    pub source: String,
    /// `DetailType`.
    pub detail_type: String,
    /// `Detail`: JSON as text, unchanged.
    pub detail: String,
    /// `Resources`.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub resources: Vec<String>,
    /// `Time`, RFC 3339. If the entry has none, the time of the call.
    pub time: String,
    /// `TraceHeader`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub trace_header: Option<String>,
}

impl PublishedEntry {
    /// The event that a target gets.
    #[must_use]
    pub fn delivered(&self) -> Value {
        let event = DeliveredEvent {
            version: DeliveredEvent::VERSION,
            id: self.event_id.clone(),
            detail_type: &self.detail_type,
            source: &self.source,
            account: ident::ACCOUNT,
            time: Some(&self.time),
            region: ident::REGION,
            resources: &self.resources,
            detail: serde_json::from_str(&self.detail).unwrap_or_default(),
        };
        event.to_json()
    }
}

/// Is told of each entry that a bus accepts.
pub type EventWatcher = Box<dyn Fn(&PublishedEntry) + Send + Sync>;

/// The buses.
pub(crate) struct EventBus {
    name: String,
    arn_prefix: String,
    state: Mutex<State>,
    watcher: OnceLock<EventWatcher>,
}

impl fmt::Debug for EventBus {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("EventBus").field("name", &self.name).finish_non_exhaustive()
    }
}

#[derive(Debug)]
struct State {
    published: Vec<PublishedEntry>,
    lines: Option<LineFile>,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "PascalCase")]
struct PutEvents {
    entries: Option<Vec<Entry>>,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "PascalCase")]
struct Entry {
    time: Option<f64>,
    source: Option<String>,
    resources: Option<Vec<String>>,
    detail_type: Option<String>,
    detail: Option<String>,
    event_bus_name: Option<String>,
    trace_header: Option<String>,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "PascalCase")]
struct DescribeEventBus {
    name: Option<String>,
}

impl EventBus {
    /// The bus `name`, with the entries that `lines` contain.
    pub(crate) fn new(
        name: &str,
        arn_prefix: &str,
        lines: Option<(LineFile, Vec<String>)>,
    ) -> Result<Self, LocalError> {
        let mut published = Vec::new();
        if let Some((lines, old)) = &lines {
            for (place, line) in old.iter().enumerate() {
                let event = serde_json::from_str(line).map_err(|error| lines.damaged(place, error.to_string()))?;
                published.push(event);
            }
        }
        let lines = lines.map(|(lines, _)| lines);
        let state = Mutex::new(State { published, lines });
        Ok(Self { name: name.to_owned(), arn_prefix: arn_prefix.to_owned(), state, watcher: OnceLock::new() })
    }

    pub(crate) fn name(&self) -> &str {
        &self.name
    }

    /// The first watcher stays.
    pub(crate) fn watch(&self, watcher: EventWatcher) {
        self.watcher.get_or_init(|| watcher);
    }

    pub(crate) fn published(&self) -> Vec<PublishedEntry> {
        self.state().published.clone()
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(crate) fn call(&self, operation: &str, body: &[u8], clock: &Clock, fault: Option<&Fault>) -> OperationResult {
        match operation {
            "PutEvents" => self.put_events(&parse(body)?, clock, fault),
            "DescribeEventBus" => self.describe(&parse(body)?),
            _ => Err(ErrorResponse::unknown_operation(&format!("AWSEvents.{operation}"))),
        }
    }

    fn describe(&self, request: &DescribeEventBus) -> OperationResult {
        let name = bus_name(request.name.as_deref());
        if name != self.name && name != DEFAULT_BUS {
            return Err(ErrorResponse::new("ResourceNotFoundException", format!("Event bus {name} does not exist.")));
        }
        Ok(json!({"Name": name, "Arn": format!("{}event-bus/{name}", self.arn_prefix)}))
    }

    fn put_events(&self, request: &PutEvents, clock: &Clock, fault: Option<&Fault>) -> OperationResult {
        let entries = request.entries.as_deref().unwrap_or_default();
        check_request(entries)?;
        let mut failed = 0;
        let mut results = Vec::with_capacity(entries.len());
        let mut state = self.state();
        for (place, entry) in entries.iter().enumerate() {
            let outcome = injected(fault, place).map_or_else(|| check_entry(entry), Err);
            results.push(match outcome {
                Ok(()) => {
                    let id = self.accept(&mut state, entry, clock)?;
                    json!({ "EventId": id })
                }
                Err(refusal) => {
                    failed += 1;
                    json!({"ErrorCode": refusal.code, "ErrorMessage": refusal.message})
                }
            });
        }
        Ok(json!({"FailedEntryCount": failed, "Entries": results}))
    }

    fn accept(&self, state: &mut State, entry: &Entry, clock: &Clock) -> Result<String, ErrorResponse> {
        let bus = bus_name(entry.event_bus_name.as_deref());
        let id = ident::uuid(&["event", &state.published.len().to_string()]);
        if bus != self.name && bus != DEFAULT_BUS {
            return Ok(ident::uuid(&["lost event", bus, &state.published.len().to_string()]));
        }
        let time = entry.time.and_then(epoch_seconds).unwrap_or_else(|| clock.now());
        let published = PublishedEntry {
            event_id: id.clone(),
            event_bus_name: bus.to_owned(),
            source: entry.source.clone().unwrap_or_default(),
            detail_type: entry.detail_type.clone().unwrap_or_default(),
            detail: entry.detail.clone().unwrap_or_default(),
            resources: entry.resources.clone().unwrap_or_default(),
            time: time.to_string(),
            trace_header: entry.trace_header.clone(),
        };
        if let Some(lines) = &mut state.lines {
            let line = serde_json::to_vec(&published).map_err(|error| ErrorResponse::unreadable(&error))?;
            lines.append(line).map_err(|error| ErrorResponse {
                status: 500,
                code: "InternalException".to_owned(),
                message: error.to_string(),
            })?;
        }
        if let Some(watcher) = self.watcher.get() {
            watcher(&published);
        }
        state.published.push(published);
        Ok(id)
    }
}

fn parse<'de, T: Deserialize<'de>>(body: &'de [u8]) -> Result<T, ErrorResponse> {
    serde_json::from_slice(body).map_err(|error| ErrorResponse::unreadable(&error))
}

/// A bus is named by its name, or by its ARN, which ends with the name.
fn bus_name(given: Option<&str>) -> &str {
    let given = given.filter(|name| !name.is_empty()).unwrap_or(DEFAULT_BUS);
    given.rsplit_once("event-bus/").map_or(given, |(_, name)| name)
}

#[expect(clippy::cast_possible_truncation, reason = "epoch seconds with milliseconds: far inside i64")]
fn epoch_seconds(seconds: f64) -> Option<Timestamp> {
    Timestamp::from_millisecond((seconds * 1000.0).round() as i64).ok()
}

/// Checks the constraints whose violation fails the whole call.
fn check_request(entries: &[Entry]) -> Result<(), ErrorResponse> {
    if entries.iter().map(entry_bytes).sum::<usize>() > REQUEST_BYTES_MAX {
        return Err(ErrorResponse::new(
            "ValidationException",
            "Total size of the entries in the request is over the limit.",
        ));
    }
    Ok(())
}

fn entry_bytes(entry: &Entry) -> usize {
    let text = |text: &Option<String>| text.as_ref().map_or(0, String::len);
    entry.time.map_or(0, |_| TIME_BYTES)
        + text(&entry.source)
        + text(&entry.detail_type)
        + text(&entry.detail)
        + entry.resources.iter().flatten().map(String::len).sum::<usize>()
}

/// Checks the constraints whose violation fails one entry.
fn check_entry(entry: &Entry) -> Result<(), ErrorResponse> {
    let required = [("Source", &entry.source), ("DetailType", &entry.detail_type), ("Detail", &entry.detail)];
    for (name, value) in required {
        if value.as_ref().is_none_or(String::is_empty) {
            return Err(ErrorResponse::new(
                "InvalidArgument",
                format!("Parameter {name} is not valid. Reason: {name} is a required argument."),
            ));
        }
    }
    if entry.detail_type.as_ref().is_some_and(|name| name.chars().count() > DETAIL_TYPE_CHARS_MAX) {
        let message =
            format!("Parameter DetailType is not valid. Reason: it exceeds {DETAIL_TYPE_CHARS_MAX} characters.");
        return Err(ErrorResponse::new("InvalidArgument", message));
    }
    if entry.source.as_ref().is_some_and(|source| source.starts_with("aws.")) {
        return Err(ErrorResponse::new("NotAuthorizedForSourceException", "Not authorized for the source."));
    }
    let detail = serde_json::from_str::<Value>(entry.detail.as_deref().unwrap_or_default());
    if !detail.is_ok_and(|detail| detail.is_object()) {
        return Err(ErrorResponse::new("MalformedDetail", "Detail is malformed."));
    }
    Ok(())
}

fn injected(fault: Option<&Fault>, place: usize) -> Option<ErrorResponse> {
    let code = fault?.of_entry(place)?;
    Some(ErrorResponse::new(code, "a fault of this entry, as the test asked for"))
}
