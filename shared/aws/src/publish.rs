//! Publish: the events of handled and parked records, in batches of ten, those of an item in stream
//! order.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use aws_sdk_eventbridge::primitives::DateTime;
use aws_sdk_eventbridge::types::PutEventsRequestEntry;
use futures::stream::{FuturesUnordered, StreamExt as _};
use instep_flow::report::{Entry, EventReport};

use crate::call::{Backoff, call};
use crate::instep::{Instep, Run};

/// Entries of one PutEvents, and bytes of all of them. Source: EventBridge API reference,
/// PutEvents, and EventBridge user guide, "Calculating PutEvents event entry size".
const ENTRIES_MAX: usize = 10;
const REQUEST_BYTES_MAX: usize = 1_048_576;

/// The number of concurrent calls.
pub const CONCURRENT_PUTS: usize = 40;

/// The number of batches among which the next one is chosen. INVARIANT 8: the choice costs the same
/// however many there are.
const SCANNED_BATCHES: usize = 200;

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

/// An event that is due, and its item.
pub(crate) struct Due {
    /// A hash of the item's key. If two are equal by chance, one event waits for the other.
    pub(crate) item: u64,
    pub(crate) event: EventReport,
}

/// Events of one call.
struct Batch {
    due: Vec<EventReport>,
    /// The batches before that have events of the same items.
    after: BTreeSet<usize>,
}

impl Instep {
    /// Publishes the events of each item in order, and those of different items at the same time.
    /// Published events are reported; the others are returned.
    pub(crate) async fn publish(
        &self,
        events: Vec<Due>,
        run: &Run,
        published: &mut Vec<EventReport>,
    ) -> Vec<Unpublished> {
        let (batches, mut unpublished) = batches(events);
        let mut put: BTreeMap<usize, Vec<EventReport>> = BTreeMap::new();
        let mut waiting: BTreeMap<usize, Batch> = batches.into_iter().enumerate().collect();
        let mut running = FuturesUnordered::new();
        loop {
            // INVARIANT 5: after an event has failed, no further batch is published, because its
            // events may have to follow the failed one.
            let has_failed = unpublished.iter().any(|event| !event.permanent);
            let room = if has_failed { 0 } else { CONCURRENT_PUTS - running.len() };
            // A batch follows those that are put already, or it waits for one that runs.
            let is_free = |(_, batch): &(&usize, &Batch)| batch.after.iter().all(|before| put.contains_key(before));
            let free: Vec<usize> =
                waiting.iter().take(SCANNED_BATCHES).filter(is_free).map(|(place, _)| *place).take(room).collect();
            for place in free {
                let Some(batch) = waiting.remove(&place) else { continue };
                running.push(Box::pin(async move { (place, self.put_batch(batch.due, run).await) }));
            }
            let Some((place, (done, failed))) = running.next().await else { break };
            put.insert(place, done);
            unpublished.extend(failed);
        }
        published.extend(put.into_values().flatten());
        let left = waiting.into_values().flat_map(|batch| batch.due);
        let why = "PutEvents failed for another event, which this one may have to follow";
        unpublished.extend(left.map(|event| Unpublished {
            record: event.record,
            why: why.to_owned(),
            permanent: false,
        }));
        unpublished
    }

    async fn put_batch(&self, batch: Vec<EventReport>, run: &Run) -> (Vec<EventReport>, Vec<Unpublished>) {
        let (mut published, mut unpublished) = (Vec::new(), Vec::new());
        self.put_events(batch, run, &mut published, &mut unpublished).await;
        (published, unpublished)
    }

    /// PutEvents fails entry by entry, with status 200. Failed entries are put again.
    async fn put_events(
        &self,
        batch: Vec<EventReport>,
        run: &Run,
        published: &mut Vec<EventReport>,
        unpublished: &mut Vec<Unpublished>,
    ) {
        let not_put = |event: EventReport, why, permanent| Unpublished { record: event.record, why, permanent };
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
                    let (why, permanent) = (failure.words("PutEvents"), failure.is_permanent());
                    unpublished.extend(left.into_iter().map(|event| not_put(event, why.clone(), permanent)));
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
                let Some(code) = code else {
                    published.push(event);
                    continue;
                };
                let why = format!("PutEvents answered {code} for an event");
                if PERMANENT.contains(&code) {
                    unpublished.push(not_put(event, why, true));
                } else {
                    failed.push((event, why));
                }
            }
            if failed.is_empty() {
                return;
            }
            if !backoff.wait().await {
                unpublished.extend(failed.into_iter().map(|(event, why)| not_put(event, why, false)));
                return;
            }
            left = failed.into_iter().map(|(event, _)| event).collect();
        }
    }
}

/// Divides events into the batches of calls. Events that are too large are returned, too.
fn batches(events: Vec<Due>) -> (Vec<Batch>, Vec<Unpublished>) {
    let (mut batches, mut unpublished): (Vec<Batch>, _) = (Vec::new(), Vec::new());
    let mut bytes = 0;
    let mut last_of: HashMap<u64, usize> = HashMap::new();
    for Due { item, event } in events {
        let size = size(&event.entry);
        if size > REQUEST_BYTES_MAX {
            let why = format!(
                "the event has {size} bytes, but EventBridge accepts {REQUEST_BYTES_MAX}: publish fewer attributes"
            );
            unpublished.push(Unpublished { record: event.record, why, permanent: true });
            continue;
        }
        if batches.last().is_none_or(|batch| batch.due.len() == ENTRIES_MAX || bytes + size > REQUEST_BYTES_MAX) {
            batches.push(Batch { due: Vec::new(), after: BTreeSet::new() });
            bytes = 0;
        }
        bytes += size;
        let place = batches.len() - 1;
        let before = last_of.insert(item, place).filter(|before| *before != place);
        if let Some(batch) = batches.last_mut() {
            batch.due.push(event);
            // That batch follows those before it that have an event of the item.
            batch.after.extend(before);
        }
    }
    (batches, unpublished)
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
