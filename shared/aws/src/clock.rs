//! The clock: sends the moments that have come to the work queue, and deletes their items. It does
//! nothing else: the run over the message reads what is true.
//!
//! An item is deleted after the queue has acknowledged its message. So a clock that dies in between,
//! or a second clock, sends it twice, which does no harm.

use std::collections::{BTreeMap, HashMap};

use aws_sdk_dynamodb::types::AttributeValue;
use futures::stream::{self, StreamExt as _, TryStreamExt as _};
use instep_flow::bookkeeping;
use instep_flow::due::needs_clock;
use instep_flow::effect::{Action, Expect};
use instep_flow::work::{NamedObject, Work, WorkMessage};
use instep_model::{Item, Key};
use jiff::{SignedDuration, Timestamp};
use tokio::time::{Duration, Instant};

use crate::attributes::item_from_sdk;
use crate::call::{CallFailure, call};
use crate::instep::Instep;
use crate::run_options::RunOptions;
use crate::send_work::by_message;

/// How long after a moment its message is sent. It is longer than the difference between the clocks
/// of AWS: a write that a record dates before the moment is in the table then.
pub const SETTLED: SignedDuration = SignedDuration::from_secs(5);

/// The maximum moments that one tick sends. After an outage, further ticks send the rest: in order,
/// and no faster than the work queue's workers can begin with them.
pub const TICK_MAX: usize = 10_000;

/// The moments that are read from a shard at once.
const PAGE_ROWS: i32 = 400;

/// The number of concurrent deletions.
const CONCURRENT_DELETES: usize = 50;

/// The time that a further round of a tick may need.
const ROUND: Duration = Duration::from_secs(5);

/// What a tick of the clock has done.
#[derive(Debug, Default, Clone, PartialEq, Eq)]
pub struct Tick {
    /// The moments that were sent to the work queue.
    pub sent: usize,
    /// The earliest moment that had come when the tick began.
    pub oldest: Option<Timestamp>,
    /// Whether moments that have come are left for the next tick.
    pub is_behind: bool,
    /// Items that no Instep wrote in this form. They were deleted.
    pub unreadable: usize,
    /// The moments that the work queue refuses for good. Their items stay, and the next tick tries again.
    pub refused: usize,
}

/// An item as the SDK has it.
type SdkItem = HashMap<String, AttributeValue>;

/// A page of a shard's items.
struct Page {
    items: Vec<Item>,
    next: Option<SdkItem>,
}

/// The first moments of all shards.
struct Due {
    /// In their order.
    entries: Vec<Entry>,
    /// The sort key up to which all moments were read. `None` if these are all.
    end: Option<String>,
}

/// What came of sending moments.
#[derive(Default)]
struct Sent {
    /// Deletions of the items that are done with.
    done: Vec<Action>,
    sent: usize,
    refused: usize,
    failed: Option<CallFailure>,
}

/// A moment's item.
struct Entry {
    key: Key,
    /// The condition on which it is deleted: it is as it was read.
    as_read: Expect,
    named: Option<NamedObject>,
}

impl Instep {
    /// Sends the moments that have come to the work queue, in their order.
    ///
    /// # Errors
    /// A service failed. What was not sent is sent by the next tick.
    pub async fn tick(&self, run: &RunOptions) -> Result<Tick, String> {
        let mut tick = Tick::default();
        if !needs_clock(&self.model) {
            return Ok(tick);
        }
        let Ok(come) = run.now.checked_sub(SETTLED) else { return Ok(tick) };
        let mut after = None;
        // INVARIANT 8: each round begins after the last one, also if items of that one are left.
        loop {
            let Due { entries, end } = self.come(come, after, run).await.map_err(|failure| failure.words("Query"))?;
            let at = |entry: &Entry| Some(entry.named.as_ref()?.moment.as_ref()?.at);
            tick.oldest = tick.oldest.or_else(|| entries.iter().find_map(at));
            tick.unreadable += entries.iter().filter(|entry| entry.named.is_none()).count();
            let Sent { done, sent, refused, failed } = self.send_come(entries, run).await;
            self.delete_all(&done, run).await.map_err(|failure| failure.words("DeleteItem"))?;
            tick.sent += sent;
            tick.refused += refused;
            if let Some(failure) = failed {
                return Err(failure.words("SendMessageBatch"));
            }
            let is_late = run.deadline.is_some_and(|deadline| deadline < Instant::now() + ROUND);
            tick.is_behind = end.is_some();
            if end.is_none() || is_late || tick.sent >= TICK_MAX {
                return Ok(tick);
            }
            after = end;
        }
    }

    /// The first `most` moments that are noted, in their order, and whether there are more. `until`
    /// leaves out what comes later.
    ///
    /// # Errors
    /// A service failed.
    pub async fn upcoming(
        &self,
        until: Option<Timestamp>,
        most: usize,
        run: &RunOptions,
    ) -> Result<(Vec<NamedObject>, bool), String> {
        let until = until.unwrap_or(Timestamp::MAX);
        let mut entries = Vec::new();
        let mut has_more = false;
        for shard in 0..bookkeeping::DUE_SHARDS {
            let mut after = None;
            let mut own = 0;
            loop {
                let page = self.shard(shard, until, after, run).await.map_err(|failure| failure.words("Query"))?;
                own += page.items.len();
                entries.extend(page.items.into_iter().filter_map(|item| self.entry(item)));
                after = page.next;
                has_more |= after.is_some() && own >= most;
                if after.is_none() || own >= most {
                    break;
                }
            }
        }
        entries.sort_by(|one, other| one.key.sk.cmp(&other.key.sk));
        has_more |= entries.len() > most;
        let upcoming = entries.into_iter().filter_map(|entry| entry.named).take(most).collect();
        Ok((upcoming, has_more))
    }

    fn entry(&self, item: Item) -> Option<Entry> {
        let named = NamedObject::of_moment(&item);
        let as_read = if named.is_some() { bookkeeping::as_read(Some(&item)) } else { Expect::Any };
        Some(Entry { key: self.model.table.key_of(&item)?, as_read, named })
    }

    /// The first moments after the sort key `after` and up to `until`.
    async fn come(&self, until: Timestamp, after: Option<String>, run: &RunOptions) -> Result<Due, CallFailure> {
        let table = &self.model.table;
        let start = |shard: u8| {
            let own = |sk| [(&table.pk, bookkeeping::due_partition(shard)), (&table.sk, sk)];
            after.clone().map(|sk| own(sk).map(|(name, text)| (name.clone(), AttributeValue::S(text))).into())
        };
        let shards = stream::iter(0..bookkeeping::DUE_SHARDS).map(|shard| self.shard(shard, until, start(shard), run));
        let pages: Vec<Page> = shards.buffered(usize::from(bookkeeping::DUE_SHARDS)).try_collect().await?;
        let key = |item: &Item| table.key_of(item);
        // What follows the last item of a page that is not the last may be earlier than items of other
        // shards.
        let ends = pages.iter().filter(|page| page.next.is_some()).filter_map(|page| key(page.items.last()?));
        let end: Option<String> = ends.map(|key| key.sk).min();
        let items = pages.into_iter().flat_map(|page| page.items);
        let mut entries: Vec<Entry> = items.filter_map(|item| self.entry(item)).collect();
        entries.retain(|entry| end.as_ref().is_none_or(|end| entry.key.sk <= *end));
        entries.sort_by(|one, other| one.key.sk.cmp(&other.key.sk));
        Ok(Due { entries, end })
    }

    async fn shard(
        &self,
        shard: u8,
        until: Timestamp,
        after: Option<SdkItem>,
        run: &RunOptions,
    ) -> Result<Page, CallFailure> {
        let table = &self.model.table;
        // `0` follows the separator after the time.
        let end = format!("{}0", bookkeeping::due_prefix(until));
        let query = || {
            let request = self.clients.dynamodb.query().table_name(&self.settings.table).consistent_read(true);
            request
                .key_condition_expression("#pk = :pk AND #sk < :end")
                .expression_attribute_names("#pk", &table.pk)
                .expression_attribute_names("#sk", &table.sk)
                .expression_attribute_values(":pk", AttributeValue::S(bookkeeping::due_partition(shard)))
                .expression_attribute_values(":end", AttributeValue::S(end.clone()))
                .limit(PAGE_ROWS)
                .set_exclusive_start_key(after.clone())
                .send()
        };
        let answer = call(run.deadline, query).await?;
        let items = answer.items.unwrap_or_default().into_iter().map(item_from_sdk).collect();
        Ok(Page { items, next: answer.last_evaluated_key })
    }

    /// Sends moments. What the queue refuses for good is divided, and sent again.
    ///
    /// INVARIANT 6: a moment that the queue refuses for good is refused alone, and its item stays.
    async fn send_come(&self, entries: Vec<Entry>, run: &RunOptions) -> Sent {
        let (moments, unreadable): (Vec<Entry>, Vec<Entry>) =
            entries.into_iter().partition(|entry| entry.named.is_some());
        let mut all = Sent { done: unreadable.into_iter().map(Entry::delete).collect(), ..Sent::default() };
        let bytes_of = |entry: &Entry| serde_json::to_string(&entry.named).map_or(0, |text| text.len());
        let mut chunks = by_message(moments, bytes_of);
        while !chunks.is_empty() {
            let named = |chunk: &Vec<Entry>| chunk.iter().filter_map(|entry| entry.named.clone()).collect();
            let message =
                |objects| WorkMessage::new(&self.model, &self.settings.table, 0, run.now, Work::Reconcile(objects));
            let outgoing = chunks.iter().map(|chunk| self.queue.outgoing(&message(named(chunk)), false)).collect();
            let unsent = self.queue.send(&self.settings.work_queue, outgoing, run.deadline).await;
            let unsent: BTreeMap<usize, CallFailure> = unsent.into_iter().collect();
            for (place, chunk) in std::mem::take(&mut chunks).into_iter().enumerate() {
                match unsent.get(&place) {
                    None => {
                        all.sent += chunk.len();
                        all.done.extend(chunk.into_iter().map(Entry::delete));
                    }
                    Some(failure) if failure.is_permanent() => match divided(chunk) {
                        parts if parts.is_empty() => all.refused += 1,
                        parts => chunks.extend(parts),
                    },
                    Some(failure) => all.failed = Some(failure.clone()),
                }
            }
        }
        all
    }

    /// INVARIANT 4: an item that was written again since it was read stays. Its moment says something
    /// that the message does not say, and the next tick sends it.
    async fn delete_all(&self, deletes: &[Action], run: &RunOptions) -> Result<(), CallFailure> {
        let delete = |delete| self.table.write(&[], std::slice::from_ref(delete), run.deadline);
        // INVARIANT 6: an item that cannot be deleted keeps no other one.
        let deleted: Vec<_> = stream::iter(deletes).map(delete).buffer_unordered(CONCURRENT_DELETES).collect().await;
        deleted.into_iter().try_for_each(|deleted| deleted.map(drop))
    }
}

impl Entry {
    fn delete(self) -> Action {
        Action::Delete { key: self.key, expect: self.as_read }
    }
}

/// What is sent instead of a message that the queue refuses for good: each moment alone, then that moment without
/// its image. The run over it reads the item. Empty if nothing is left to try.
fn divided(chunk: Vec<Entry>) -> Vec<Vec<Entry>> {
    let is_one = chunk.len() == 1;
    let smaller = |entry: Entry| match entry.named {
        Some(named) if is_one => {
            let bare = NamedObject { image: None, ..named.clone() };
            (bare != named).then_some(Entry { named: Some(bare), ..entry })
        }
        named => Some(Entry { named, ..entry }),
    };
    chunk.into_iter().filter_map(smaller).map(|entry| vec![entry]).collect()
}
