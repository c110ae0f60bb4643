//! Publish: the events of handled and parked records, in batches of ten, in stream order.

use aws_sdk_eventbridge::primitives::DateTime;
use aws_sdk_eventbridge::types::PutEventsRequestEntry;
use instep_flow::report::{Entry, EventReport};

use crate::call::{Backoff, call};
use crate::instep::{Instep, Run};

/// Entries of one PutEvents, and bytes of all of them. Source: EventBridge API reference,
/// PutEvents, and EventBridge user guide, "Calculating PutEvents event entry size".
const ENTRIES_MAX: usize = 10;
const REQUEST_BYTES_MAX: usize = 1_048_576;

/// The bytes that an entry's time adds to that size.
const TIME_BYTES: usize = 14;

/// Error codes of an entry that a retry cannot help. Source: EventBridge API reference,
/// PutEventsResultEntry.
const PERMANENT: [&str; 3] = ["InvalidArgument", "MalformedDetail", "InvalidAccountIdException"];

/// An event that could not be published.
pub(crate) struct Unpublished {
    /// The place of its record in the batch.
    pub(crate) record: usize,
    /// Why, and whether a retry can help.
    pub(crate) why: String,
    pub(crate) permanent: bool,
}

impl Instep {
    /// Publishes in order. Published events are reported; the others are returned.
    pub(crate) async fn publish(
        &self,
        events: Vec<EventReport>,
        run: &Run,
        published: &mut Vec<EventReport>,
    ) -> Vec<Unpublished> {
        let mut unpublished = Vec::new();
        let mut batch: Vec<EventReport> = Vec::new();
        let mut bytes = 0;
        for event in events {
            let size = size(&event.entry);
            if size > REQUEST_BYTES_MAX {
                let why = format!(
                    "the event has {size} bytes, but EventBridge accepts {REQUEST_BYTES_MAX}: publish fewer attributes"
                );
                unpublished.push(Unpublished { record: event.record, why, permanent: true });
                continue;
            }
            if batch.len() == ENTRIES_MAX || bytes + size > REQUEST_BYTES_MAX {
                self.put_events(std::mem::take(&mut batch), run, published, &mut unpublished).await;
                bytes = 0;
            }
            // INVARIANT 5: after an event has failed, no further batch is published, because its
            // events may have to follow the failed one.
            if unpublished.iter().any(|event| !event.permanent) {
                return unpublished;
            }
            bytes += size;
            batch.push(event);
        }
        if !batch.is_empty() {
            self.put_events(batch, run, published, &mut unpublished).await;
        }
        unpublished
    }

    /// PutEvents fails entry by entry, with status 200. Failed entries are put again.
    async fn put_events(
        &self,
        batch: Vec<EventReport>,
        run: &Run,
        published: &mut Vec<EventReport>,
        unpublished: &mut Vec<Unpublished>,
    ) {
        let mut left = batch;
        let mut backoff = Backoff::new(run.deadline);
        loop {
            let entries: Vec<_> = left.iter().map(|event| entry(&event.entry, run.trace.as_deref())).collect();
            let put = || self.clients.events.put_events().set_entries(Some(entries.clone())).send();
            let answer = match call(run.deadline, put).await {
                Ok(answer) => answer,
                // One bad entry fails the call: each entry is put alone, and classified alone.
                Err(failure) if failure.is_permanent() && left.len() > 1 => {
                    for event in left {
                        Box::pin(self.put_events(vec![event], run, published, unpublished)).await;
                    }
                    return;
                }
                Err(failure) => {
                    let why = failure.words("PutEvents");
                    let permanent = failure.is_permanent();
                    unpublished.extend(left.into_iter().map(|event| Unpublished {
                        record: event.record,
                        why: why.clone(),
                        permanent,
                    }));
                    return;
                }
            };
            let results = answer.entries.unwrap_or_default();
            let mut failed = Vec::new();
            for (place, event) in left.into_iter().enumerate() {
                // An entry without a result is in an unknown state: it is put again under the same
                // id.
                let result = results.get(place);
                let code = result.map_or(Some("no result"), |result| result.error_code());
                match code {
                    None => published.push(event),
                    Some(code) if PERMANENT.contains(&code) => {
                        let why = format!("PutEvents answered {code} for an event");
                        unpublished.push(Unpublished { record: event.record, why, permanent: true });
                    }
                    Some(code) => failed.push((event, code.to_owned())),
                }
            }
            if failed.is_empty() {
                return;
            }
            if !backoff.wait().await {
                unpublished.extend(failed.into_iter().map(|(event, code)| Unpublished {
                    record: event.record,
                    why: format!("PutEvents answered {code} for an event"),
                    permanent: false,
                }));
                return;
            }
            left = failed.into_iter().map(|(event, _)| event).collect();
        }
    }
}

fn size(entry: &Entry) -> usize {
    entry.source.len() + entry.detail_type.len() + entry.detail.len() + entry.time.as_ref().map_or(0, |_| TIME_BYTES)
}

fn entry(entry: &Entry, trace: Option<&str>) -> PutEventsRequestEntry {
    let time = entry.time.as_ref().and_then(|time| time.parse::<jiff::Timestamp>().ok());
    PutEventsRequestEntry::builder()
        .source(&entry.source)
        .detail_type(&entry.detail_type)
        .detail(&entry.detail)
        .event_bus_name(&entry.event_bus_name)
        .set_time(time.map(|time| DateTime::from_secs(time.as_second())))
        .set_trace_header(trace.map(str::to_owned))
        .build()
}
