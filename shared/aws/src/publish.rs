//! Publish: the events of handled and parked records, in batches of ten, those of an item in stream
//! order.

use std::collections::{BTreeMap, HashMap, VecDeque};

use aws_sdk_eventbridge::primitives::DateTime;
use aws_sdk_eventbridge::types::PutEventsRequestEntry;
use futures::stream::{FuturesUnordered, StreamExt as _};
use instep_flow::entries::EntryId;
use instep_flow::report::{EventEntry, EventReport};
use instep_model::DETAIL_TYPE_CHARS_MAX;

use crate::call::{Backoff, CallFailure, call};
use crate::run_options::RunOptions;

/// Entries of one PutEvents, and bytes of all of them. Source: EventBridge API reference,
/// PutEvents, and EventBridge user guide, "Calculating PutEvents event entry size".
const ENTRIES_MAX: usize = 10;
const REQUEST_BYTES_MAX: usize = 1_048_576;

/// The number of concurrent calls.
pub const CONCURRENT_PUTS: usize = 64;

/// The number of batches among which the next one is chosen. INVARIANT 8: the choice costs the same
/// however many there are.
const SCANNED_BATCHES: usize = 200;

/// The number of batches with room among which an item's events find a place. INVARIANT 8: as above.
const OPEN_BATCHES: usize = 16;

/// The bytes that an entry's time adds to that size.
const TIME_BYTES: usize = 14;

/// What stands for the code of an entry without a result.
const NO_RESULT: &str = "no result";

/// Why an event is not published after another one has failed.
const FOLLOWS: &str = "PutEvents failed for another event, which this one may have to follow";

/// An event that could not be published.
pub(crate) struct Unpublished {
    /// Its record.
    pub(crate) record: EntryId,
    /// Why, and whether a retry can help.
    pub(crate) why: String,
    pub(crate) permanent: bool,
}

/// An event that is due, and its item.
pub(crate) struct ToPublish {
    /// A hash of the object: for subscribers, all spellings of a key are one item. If two are equal by
    /// chance, the events of both keep their order.
    pub(crate) item: u64,
    pub(crate) event: EventReport,
}

/// An event with its item, and its place among all that are due.
type Numbered = (usize, ToPublish);

/// Events of one call.
struct Batch {
    due: Vec<Numbered>,
    bytes: usize,
    /// The batch before it that ends with an event of the same item.
    after: Option<usize>,
}

/// The client that puts events on buses.
#[derive(Debug, Clone)]
pub(crate) struct Bus {
    pub(crate) events: aws_sdk_eventbridge::Client,
}

impl Bus {
    /// Publishes the events of each item in order, and those of different items at the same time.
    /// Published events are reported; the others are returned.
    pub(crate) async fn publish(
        &self,
        events: Vec<ToPublish>,
        run: &RunOptions,
        published: &mut Vec<EventReport>,
    ) -> Vec<Unpublished> {
        let (batches, mut unpublished) = batches(events);
        let mut put: HashMap<usize, Vec<Numbered>> = HashMap::new();
        let mut waiting: BTreeMap<usize, Batch> = batches.into_iter().enumerate().collect();
        let mut running = FuturesUnordered::new();
        loop {
            // INVARIANT 5: after an event has failed, no further batch is published, because its
            // events may have to follow the failed one.
            let has_failed = unpublished.iter().any(|event| !event.permanent);
            let room = if has_failed { 0 } else { CONCURRENT_PUTS - running.len() };
            // A batch follows those that are put already, or it waits for one that runs.
            let is_free = |(_, batch): &(&usize, &Batch)| batch.after.is_none_or(|before| put.contains_key(&before));
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
        let mut done: Vec<Numbered> = put.into_values().flatten().collect();
        done.sort_unstable_by_key(|(number, _)| *number);
        published.extend(done.into_iter().map(|(_, due)| due.event));
        let left = waiting.into_values().flat_map(|batch| batch.due);
        unpublished.extend(left.map(|(_, due)| Unpublished {
            record: due.event.record,
            why: FOLLOWS.to_owned(),
            permanent: false,
        }));
        unpublished
    }

    async fn put_batch(&self, batch: Vec<Numbered>, run: &RunOptions) -> (Vec<Numbered>, Vec<Unpublished>) {
        let (mut published, mut unpublished) = (Vec::new(), Vec::new());
        self.put_events(batch, run, &mut published, &mut unpublished).await;
        (published, unpublished)
    }

    /// PutEvents fails entry by entry, with status 200. Failed entries are put again.
    async fn put_events(
        &self,
        batch: Vec<Numbered>,
        run: &RunOptions,
        published: &mut Vec<Numbered>,
        unpublished: &mut Vec<Unpublished>,
    ) {
        let not_put = |(_, due): Numbered, why, permanent| Unpublished { record: due.event.record, why, permanent };
        let mut left = batch;
        let mut backoff = Backoff::new(run.deadline);
        loop {
            let entries = || left.iter().map(|(_, due)| entry(&due.event.entry, run.trace.as_deref())).collect();
            let put = || self.events.put_events().set_entries(Some(entries())).send();
            let answer = match call(run.deadline, put).await {
                Ok(answer) => answer,
                // One bad entry fails the call: each entry is put alone, and classified alone.
                Err(failure) if failure.is_permanent() && left.len() > 1 => {
                    for due in left {
                        // INVARIANT 5: as after a call that failed.
                        if unpublished.iter().any(|event| !event.permanent) {
                            unpublished.push(not_put(due, FOLLOWS.to_owned(), false));
                        } else {
                            Box::pin(self.put_events(vec![due], run, published, unpublished)).await;
                        }
                    }
                    return;
                }
                Err(failure) => {
                    let (words, permanent) = (failure.words("PutEvents"), failure.is_permanent());
                    unpublished.extend(left.into_iter().map(|due| {
                        let why = if permanent { refused(&due.1.event.entry, &words) } else { words.clone() };
                        not_put(due, why, permanent)
                    }));
                    return;
                }
            };
            let results = answer.entries.unwrap_or_default();
            let mut failed: Vec<(Numbered, String)> = Vec::new();
            for (place, due) in left.into_iter().enumerate() {
                // An entry without a result is in an unknown state: it is put again under the same
                // id. INVARIANT 5: so is one that follows a failed entry of its item.
                let code = results.get(place).map_or(Some(NO_RESULT), |result| result.error_code());
                let why = match code {
                    Some(code) => format!("PutEvents answered {code} for an event"),
                    None if failed.iter().any(|((_, other), _)| other.item == due.1.item) => FOLLOWS.to_owned(),
                    None => {
                        published.push(due);
                        continue;
                    }
                };
                if code.is_some_and(|code| code != NO_RESULT && CallFailure::of_entry(code).is_permanent()) {
                    let why = refused(&due.1.event.entry, &why);
                    unpublished.push(not_put(due, why, true));
                } else {
                    failed.push((due, why));
                }
            }
            if failed.is_empty() {
                return;
            }
            if !backoff.wait().await {
                unpublished.extend(failed.into_iter().map(|(due, why)| not_put(due, why, false)));
                return;
            }
            left = failed.into_iter().map(|(due, _)| due).collect();
        }
    }
}

/// Divides events into the batches of calls. Events that are too large are returned, too.
///
/// The events of an item are in one batch, if they fit: then no call has to wait for another.
fn batches(events: Vec<ToPublish>) -> (Vec<Batch>, Vec<Unpublished>) {
    let (items, unpublished) = by_item(events);
    let mut batches: Vec<Batch> = Vec::new();
    let mut open: VecDeque<usize> = VecDeque::new();
    for events in items {
        let mut before = None;
        for part in parts(events) {
            let has_room = |place: &usize| batches.get(*place).is_some_and(|batch| batch.has_room_for(&part));
            // What follows another part gets a new batch: a batch follows only those before it.
            let shared = if before.is_none() { open.iter().copied().find(has_room) } else { None };
            let place = shared.unwrap_or(batches.len());
            match batches.get_mut(place) {
                Some(batch) => batch.join(part),
                None => {
                    batches.push(Batch { after: before, ..part });
                    open.push_back(place);
                }
            }
            before = Some(place);
        }
        open.retain(|place| batches.get(*place).is_some_and(|batch| !batch.is_full()));
        while open.len() > OPEN_BATCHES {
            open.pop_front();
        }
    }
    for batch in &mut batches {
        batch.due.sort_unstable_by_key(|(number, _)| *number);
    }
    (batches, unpublished)
}

/// The events of each item, in the order of its first one, and those that are too large.
fn by_item(due: Vec<ToPublish>) -> (Vec<Vec<Numbered>>, Vec<Unpublished>) {
    let (mut items, mut unpublished): (Vec<Vec<Numbered>>, _) = (Vec::new(), Vec::new());
    let mut place_of: HashMap<u64, usize> = HashMap::new();
    for (number, due) in due.into_iter().enumerate() {
        let size = size(&due.event.entry);
        if size > REQUEST_BYTES_MAX {
            let why = refused(&due.event.entry, "the event was not put");
            unpublished.push(Unpublished { record: due.event.record, why, permanent: true });
            continue;
        }
        let place = *place_of.entry(due.item).or_insert(items.len());
        match items.get_mut(place) {
            Some(events) => events.push((number, due)),
            None => items.push(vec![(number, due)]),
        }
    }
    (items, unpublished)
}

/// The events of an item, in as few batches as they fit into. Only the last of these has room.
fn parts(events: Vec<Numbered>) -> Vec<Batch> {
    let mut parts: Vec<Batch> = Vec::new();
    for (number, due) in events {
        let one = Batch { bytes: size(&due.event.entry), due: vec![(number, due)], after: None };
        match parts.last_mut().filter(|last| last.has_room_for(&one)) {
            Some(last) => last.join(one),
            None => parts.push(one),
        }
    }
    parts
}

impl Batch {
    fn is_full(&self) -> bool {
        self.due.len() >= ENTRIES_MAX
    }

    fn has_room_for(&self, other: &Self) -> bool {
        self.due.len() + other.due.len() <= ENTRIES_MAX && self.bytes + other.bytes <= REQUEST_BYTES_MAX
    }

    fn join(&mut self, other: Self) {
        self.due.extend(other.due);
        self.bytes += other.bytes;
    }
}

fn size(entry: &EventEntry) -> usize {
    entry.source.len() + entry.detail_type.len() + entry.detail.len() + entry.time.as_ref().map_or(0, |_| TIME_BYTES)
}

/// Why the bus does not take an event, and what to change. INVARIANT 9: its name may have the value of an attribute,
/// and is not shown.
fn refused(entry: &EventEntry, words: &str) -> String {
    let (bytes, chars) = (size(entry), entry.detail_type.chars().count());
    let why = if bytes > REQUEST_BYTES_MAX {
        format!("it has {bytes} bytes, and EventBridge takes at most {REQUEST_BYTES_MAX}: publish fewer attributes")
    } else if chars > DETAIL_TYPE_CHARS_MAX {
        format!(
            "its name (`DetailType`) has {chars} characters, and EventBridge takes at most {DETAIL_TYPE_CHARS_MAX}: \
             shorten the attribute that `entity` is made of, or `detail_type` in the model"
        )
    } else {
        format!(
            "it has {bytes} bytes and a name (`DetailType`) of {chars} characters, which EventBridge should take: look \
             up the code in its API Reference, PutEvents"
        )
    };
    format!("{words}: {why}; then redrive the record")
}

fn entry(entry: &EventEntry, trace: Option<&str>) -> PutEventsRequestEntry {
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

#[cfg(test)]
mod tests {
    use super::*;

    fn event(record: EntryId, bytes: usize) -> EventReport {
        let entry = EventEntry {
            source: String::new(),
            detail_type: String::new(),
            detail: "x".repeat(bytes),
            event_bus_name: String::new(),
            time: None,
        };
        EventReport { record, entry }
    }

    /// Promise 5: the events of an item are in their order, in one batch or in batches that wait for each
    /// other. Promise 8: no batch is too large, and none waits for ever.
    #[test]
    fn the_events_of_an_item_keep_their_order_in_few_batches() {
        let seed = fastrand::u64(..);
        let mut random = fastrand::Rng::with_seed(seed);
        for _ in 0..200 {
            let (count, items) = (random.usize(0..300), random.u64(1..300));
            let large = random.bool();
            let of: Vec<u64> = (0..count).map(|_| random.u64(0..items)).collect();
            let mut bytes = || if large { random.usize(0..REQUEST_BYTES_MAX / 3) } else { 1_000 };
            let due = of
                .iter()
                .enumerate()
                .map(|(record, item)| ToPublish { item: *item, event: event(EntryId(record), bytes()) });
            let (batches, unpublished) = batches(due.collect());
            assert!(unpublished.is_empty(), "seed {seed}");
            let mut put: Vec<usize> = Vec::new();
            let mut last: HashMap<u64, (usize, usize)> = HashMap::new();
            for (place, batch) in batches.iter().enumerate() {
                let sizes = batch.due.iter().map(|(_, due)| size(&due.event.entry)).sum::<usize>();
                assert!(batch.due.len() <= ENTRIES_MAX && sizes <= REQUEST_BYTES_MAX, "seed {seed}");
                for (number, due) in &batch.due {
                    put.push(due.event.record.0);
                    let (before, at) = last.insert(due.item, (*number, place)).unwrap_or((*number, place));
                    assert!(before <= *number, "seed {seed}: an event comes before an earlier one of its item");
                    let waits = std::iter::successors(Some(place), |place| batches[*place].after);
                    assert!(waits.into_iter().any(|place| place == at), "seed {seed}: a batch does not wait");
                }
                assert!(batch.after.is_none_or(|after| after < place), "seed {seed}");
                assert!(batch.due.is_sorted_by_key(|(number, _)| *number), "seed {seed}: a call has another order");
            }
            put.sort_unstable();
            assert_eq!(put, (0..count).collect::<Vec<_>>(), "seed {seed}: each event is in one batch");
            if !large {
                assert!(batches.len() <= count.div_ceil(ENTRIES_MAX) + OPEN_BATCHES, "seed {seed}");
            }
        }
    }

    /// The calls of one batch of records need not wait for each other.
    #[test]
    fn events_of_items_that_change_twice_fill_their_calls() {
        let due =
            (0..1_000).map(|record| ToPublish { item: (record % 700) as u64, event: event(EntryId(record), 500) });
        let (batches, _) = batches(due.collect());
        assert_eq!(batches.len(), 100);
        assert!(batches.iter().all(|batch| batch.after.is_none()));
    }
}
