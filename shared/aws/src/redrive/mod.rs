//! Redrive: whatever failed is run again, from every form in which it lies about. What is settled is taken away from where it
//! lay; everything else stays there, so a redrive can be broken off and begun again at any time.

mod objects;
mod queue;
mod runner;
mod stream;
mod table;

use std::collections::{BTreeMap, VecDeque};
use std::time::Duration;

use instep_captures::{Entry, Garbled, StreamBatch};
use instep_contract::S3Object;
use instep_flow::filter::Filter;
use instep_flow::report::{Outcome, Report};
use serde::Serialize;
use serde_json::value::{RawValue, to_raw_value};
use tokio::time::Instant;

use crate::call::Failure;
use crate::handler::{Instep, Origin, Run};
use queue::{MESSAGES_MAX, Message};
pub use runner::Runner;
use stream::Read;
pub use table::{Page, as_created};

/// Records that are run at a time. Source: the event source mapping's own default batch size.
const BATCH: usize = 100;

/// Messages that stay in a queue before a run ends: they are hidden from it until then, and it remembers each.
const KEPT_MAX: usize = 10_000;

/// How deep one object may point to another: a message to a record, or to a batch's object.
const FETCHES_MAX: usize = 3;

/// Time that is left before the deadline when nothing more is begun.
const MARGIN: Duration = Duration::from_secs(30);

/// Where failed work lies.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Source {
    /// A queue: of parked records, or of pointers that Lambda or a topic sent there.
    Queue(String),
    /// Objects of a bucket: those of Lambda's on-failure destination.
    Bucket {
        /// The bucket's name.
        bucket: String,
        /// What their keys begin with.
        prefix: String,
    },
}

/// What came of one message, object or text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Verdict {
    /// All of it is settled, or parked anew.
    Done,
    /// Something of it cannot be run: it stays where it lies.
    Kept,
    /// A service failed: it stays, and is worth another try.
    Left,
}

/// What a redrive came to.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Tally {
    /// Records of which all that follows is in place.
    pub settled: u64,
    /// Records of which nothing follows.
    pub skipped: u64,
    /// Records that parked again.
    pub parked: u64,
    /// Records left to retry, as a service failed.
    pub left: u64,
    /// What could not be read as a record.
    pub unreadable: u64,
    /// Parts of the stream that are no longer in it.
    pub expired: u64,
    /// Messages, objects and texts of which nothing is left to do.
    pub done: u64,
    /// Messages, objects and texts that stay where they lie.
    pub kept: u64,
    /// The time was over, or enough was kept, before all was run.
    pub more: bool,
}

impl Tally {
    /// Whether nothing is left to do.
    #[must_use]
    pub fn is_settled(&self) -> bool {
        self.kept == 0 && self.parked == 0 && !self.more
    }
}

/// A record, and the message, object or text that it lay in.
#[derive(Debug, Clone)]
pub struct Found {
    /// Where it lay.
    pub name: String,
    /// The record.
    pub record: Box<RawValue>,
}

/// Who is told what happens; nothing is done with what it leaves out.
pub trait Listener {
    /// Why it cannot be told.
    type Error;

    /// What came of a delivery of records, with the place of the first of them in its batch.
    ///
    /// # Errors
    /// The listener's own.
    fn ran(&mut self, _first: usize, _records: &[Found], _report: Report) -> Result<(), Self::Error> {
        Ok(())
    }

    /// No delivery of these records is to come.
    ///
    /// # Errors
    /// The listener's own.
    fn ended(&mut self) -> Result<(), Self::Error> {
        Ok(())
    }

    /// Something that cannot be run.
    ///
    /// # Errors
    /// The listener's own.
    fn unreadable(&mut self, _name: &str, _garbled: &Garbled) -> Result<(), Self::Error> {
        Ok(())
    }

    /// Something that a service did not give.
    ///
    /// # Errors
    /// The listener's own.
    fn left(&mut self, _name: &str, _why: &str) -> Result<(), Self::Error> {
        Ok(())
    }
}

/// Runs again what failed.
#[derive(Debug)]
pub struct Redrive<'a> {
    instep: &'a Instep,
    filter: Filter,
    run: Run,
    tally: Tally,
}

/// What one message, object or text holds.
#[derive(Default)]
struct Piece {
    name: String,
    records: Vec<Box<RawValue>>,
    unreadable: Vec<Garbled>,
    /// A service failed before all of it was there.
    failed: Option<String>,
}

/// Code and reason of a part of the stream that is gone.
const EXPIRED: &str = "left-the-stream";

impl<'a> Redrive<'a> {
    /// A redrive whose batches are run as `run` says; their origin is where they are found.
    #[must_use]
    pub fn new(instep: &'a Instep, run: Run) -> Self {
        Self { instep, filter: Filter::of(instep.model()), run, tally: Tally::default() }
    }

    /// What it came to so far.
    #[must_use]
    pub fn tally(&self) -> &Tally {
        &self.tally
    }

    /// Runs what lies at `source`. The error within is a service's that kept it from being read.
    ///
    /// # Errors
    /// Those of the listener.
    pub async fn source<L: Listener>(
        &mut self,
        source: Source,
        listener: &mut L,
    ) -> Result<Result<(), String>, L::Error> {
        self.run.origin = Origin::Failed;
        match source {
            Source::Queue(url) => self.queue(&url, listener).await,
            Source::Bucket { bucket, prefix } => self.bucket(&bucket, &prefix, listener).await,
        }
    }

    /// Runs what a text holds that somebody captured, and keeps whatever comes of it: what parks is not parked anew.
    ///
    /// # Errors
    /// Those of the listener.
    pub async fn capture<L: Listener>(&mut self, name: &str, text: &str, listener: &mut L) -> Result<(), L::Error> {
        self.run.origin = Origin::Captured;
        let piece = self.gather(name, text).await;
        self.pieces(vec![piece], false, listener).await.map(drop)
    }

    /// Runs what a text holds that failed, and lies nowhere else.
    ///
    /// # Errors
    /// Those of the listener.
    pub async fn failed<L: Listener>(&mut self, name: &str, text: &str, listener: &mut L) -> Result<(), L::Error> {
        self.run.origin = Origin::Failed;
        let piece = self.gather(name, text).await;
        self.pieces(vec![piece], true, listener).await.map(drop)
    }

    /// Runs messages that somebody else takes away: what came of each. What parks again stays in its message.
    ///
    /// # Errors
    /// Those of the listener.
    pub async fn messages<L: Listener>(
        &mut self,
        messages: &[(String, String)],
        listener: &mut L,
    ) -> Result<Vec<Verdict>, L::Error> {
        self.run.origin = Origin::Failed;
        let mut pieces = Vec::with_capacity(messages.len());
        for (name, body) in messages {
            pieces.push(self.gather(name, body).await);
        }
        self.pieces(pieces, false, listener).await
    }

    /// Runs the whole table, each item as if it had just been created: what its items imply is made true. For who publishes
    /// nothing: none of it happened now.
    ///
    /// # Errors
    /// Those of the listener.
    pub async fn table<L: Listener>(&mut self, listener: &mut L) -> Result<Result<(), String>, L::Error> {
        self.run.origin = Origin::Captured;
        let model = self.instep.model();
        let mut from = None;
        loop {
            let page = match self.instep.scan_page(from, self.run.deadline).await {
                Ok(page) => page,
                Err(failure) => return Ok(Err(failure.words("Scan"))),
            };
            let records = page.items.iter().filter_map(|item| as_created(model, item)).collect();
            let piece = Piece { name: "table".to_owned(), records, ..Piece::default() };
            let verdicts = self.pieces(vec![piece], false, listener).await?;
            if verdicts.contains(&Verdict::Left) {
                self.tally.more = true;
                return Ok(Ok(()));
            }
            from = page.next;
            if from.is_none() {
                return Ok(Ok(()));
            }
        }
    }

    async fn queue<L: Listener>(&mut self, url: &str, listener: &mut L) -> Result<Result<(), String>, L::Error> {
        // What came of each message so far: a queue may give one twice.
        let mut known: BTreeMap<String, Verdict> = BTreeMap::new();
        let mut kept: Vec<Message> = Vec::new();
        let mut rounds = 0;
        let ended = loop {
            if self.is_late() || kept.len() >= KEPT_MAX {
                self.tally.more = true;
                break Ok(());
            }
            let messages = match self.instep.receive(url, self.run.deadline).await {
                Ok(messages) => messages,
                Err(failure) => break Err(failure.words("ReceiveMessage")),
            };
            let new = |message: &&Message| !known.contains_key(&message.id);
            let bodies: Vec<_> =
                messages.iter().filter(new).map(|message| (message.id.clone(), message.body.clone())).collect();
            // INVARIANT 8: a queue that gives nothing, or long enough nothing but what it gave before, has been gone through.
            rounds = if bodies.is_empty() { rounds + 1 } else { 0 };
            let is_through = messages.is_empty() || rounds > known.len() / MESSAGES_MAX;
            let verdicts = self.messages(&bodies, listener).await?;
            let is_down = verdicts.contains(&Verdict::Left);
            known.extend(bodies.into_iter().map(|(id, _)| id).zip(verdicts));
            let is_done = |message: &Message| known.get(&message.id) == Some(&Verdict::Done) && !self.run.dry_run;
            let (done, stays): (Vec<_>, Vec<_>) = messages.into_iter().map(Message::bare).partition(is_done);
            kept.extend(stays);
            if let Err(failure) = self.instep.delete_messages(url, &done, self.run.deadline).await {
                break Err(failure.words("DeleteMessageBatch"));
            }
            if is_down {
                self.tally.more = true;
            }
            if is_down || is_through {
                break Ok(());
            }
        };
        // What is not released shows itself when its time is over.
        let released = self.instep.release_messages(url, &kept, None).await;
        Ok(ended.and(released.map_err(|failure| failure.words("ChangeMessageVisibilityBatch"))))
    }

    async fn bucket<L: Listener>(
        &mut self,
        bucket: &str,
        prefix: &str,
        listener: &mut L,
    ) -> Result<Result<(), String>, L::Error> {
        let mut next = None;
        loop {
            let page = match self.instep.list(bucket, prefix, next, self.run.deadline).await {
                Ok(page) => page,
                Err(failure) => return Ok(Err(failure.words("ListObjectsV2"))),
            };
            for key in page.keys {
                if self.is_late() {
                    self.tally.more = true;
                    return Ok(Ok(()));
                }
                let object = S3Object { bucket: bucket.to_owned(), key };
                let name = format!("s3://{bucket}/{}", object.key);
                let piece = match self.instep.read(&object, self.run.deadline).await {
                    Ok(text) => self.gather(&name, &text).await,
                    // Somebody else has run it.
                    Err(failure) if failure.is("NoSuchKey") => continue,
                    Err(failure) => {
                        let mut piece = Piece { name, ..Piece::default() };
                        piece.not_fetched(&object, &failure);
                        piece
                    }
                };
                let verdicts = self.pieces(vec![piece], true, listener).await?;
                if verdicts.contains(&Verdict::Left) {
                    self.tally.more = true;
                    return Ok(Ok(()));
                }
                if verdicts == [Verdict::Done]
                    && !self.run.dry_run
                    && let Err(failure) = self.instep.delete(&object, self.run.deadline).await
                {
                    return Ok(Err(failure.words("DeleteObject")));
                }
            }
            next = page.next;
            if next.is_none() {
                return Ok(Ok(()));
            }
        }
    }

    fn is_late(&self) -> bool {
        self.run.deadline.is_some_and(|deadline| Instant::now() + MARGIN >= deadline)
    }

    /// Takes a text apart, and fetches what it only points to.
    async fn gather(&self, name: &str, text: &str) -> Piece {
        let mut piece = Piece { name: name.to_owned(), ..Piece::default() };
        let mut texts = VecDeque::from([(text.to_owned(), 0)]);
        while let Some((text, depth)) = texts.pop_front() {
            let entries = match instep_captures::entries(name, &text) {
                Ok(entries) => entries,
                Err(error) => {
                    piece.unreadable(&text, "no-capture", error.to_string());
                    continue;
                }
            };
            for entry in entries {
                match entry {
                    Entry::Record(record) => piece.records.push(record),
                    Entry::Garbled(garbled) => piece.unreadable.push(garbled),
                    Entry::Batch(batch) => self.gather_batch(&mut piece, &batch).await,
                    Entry::Object(object) if depth < FETCHES_MAX => {
                        match self.instep.read(&object, self.run.deadline).await {
                            Ok(text) => texts.push_back((text, depth + 1)),
                            Err(failure) => piece.not_fetched(&object, &failure),
                        }
                    }
                    Entry::Object(object) => {
                        piece.unreadable(
                            &object.key,
                            "no-capture",
                            "one object points to another without end".to_owned(),
                        );
                    }
                }
            }
        }
        piece
    }

    async fn gather_batch(&self, piece: &mut Piece, batch: &StreamBatch) {
        let StreamBatch { stream_arn, shard_id, first, last } = batch;
        let what = format!("records {first} to {last} of shard {shard_id}");
        // The mapping that gave them up had filtered them.
        let wanted = |record: &RawValue| self.filter.lets_through(record);
        let lost = match self.instep.read_again(batch, wanted, self.run.deadline).await {
            Ok(Read::Records(records)) => {
                piece.records.extend(records);
                return;
            }
            Ok(Read::Rest(records)) => {
                piece.records.extend(records);
                format!("the first of {what} left the stream, which keeps them for 24 hours, and the others are run")
            }
            Ok(Read::Gone) => format!("{what} left the stream, which keeps them for 24 hours"),
            Ok(Read::Unknown) => format!("{what} are gone: there is no such shard (any more) in {stream_arn}"),
            Err(failure) => {
                piece.failed = Some(failure.words("GetRecords"));
                return;
            }
        };
        let mend = "bring what they touched in step from the table itself (see Backfill in docs/RUNBOOK.md)";
        piece.unreadable(&what, EXPIRED, format!("{lost}: {mend}"));
    }

    /// Runs pieces together, and says what came of each.
    async fn pieces<L: Listener>(
        &mut self,
        pieces: Vec<Piece>,
        parks: bool,
        listener: &mut L,
    ) -> Result<Vec<Verdict>, L::Error> {
        let parks = parks && self.instep.settings.parking.is_some();
        let instep = if parks { self.instep.clone() } else { self.instep.without_parking() };
        let mut verdicts = Vec::with_capacity(pieces.len());
        let mut records = Vec::new();
        for (place, piece) in pieces.into_iter().enumerate() {
            for garbled in &piece.unreadable {
                self.tally.unreadable += u64::from(garbled.code != EXPIRED);
                self.tally.expired += u64::from(garbled.code == EXPIRED);
                listener.unreadable(&piece.name, garbled)?;
            }
            verdicts.push(match &piece.failed {
                Some(why) => {
                    self.tally.left += 1;
                    listener.left(&piece.name, why)?;
                    Verdict::Left
                }
                None if !piece.unreadable.is_empty() => Verdict::Kept,
                None => Verdict::Done,
            });
            let name = &piece.name;
            records.extend(piece.records.into_iter().map(|record| (place, Found { name: name.clone(), record })));
        }
        let mut runner = Runner::new(&instep, self.run.clone());
        for batch in records.chunks(BATCH) {
            let raw: Vec<Box<RawValue>> = batch.iter().map(|(_, found)| found.record.clone()).collect();
            let found: Vec<Found> = batch.iter().map(|(_, found)| found.clone()).collect();
            let mut outcomes: Vec<Verdict> = Vec::new();
            let tally = &mut self.tally;
            runner
                .run(&raw, |from, report| {
                    outcomes.truncate(from);
                    outcomes.extend(report.records.iter().map(|record| verdict(&record.outcome, parks)));
                    let last = report.retry_from().unwrap_or(report.records.len());
                    report.records.iter().take(last).for_each(|record| tally.count(&record.outcome));
                    listener.ran(from, found.get(from..).unwrap_or_default(), report)
                })
                .await?;
            listener.ended()?;
            self.tally.left += outcomes.iter().filter(|outcome| **outcome == Verdict::Left).count() as u64;
            for ((piece, _), outcome) in batch.iter().zip(outcomes) {
                if let Some(verdict) = verdicts.get_mut(*piece) {
                    *verdict = worse(*verdict, outcome);
                }
            }
        }
        for verdict in &verdicts {
            match verdict {
                Verdict::Done => self.tally.done += 1,
                Verdict::Kept | Verdict::Left => self.tally.kept += 1,
            }
        }
        Ok(verdicts)
    }
}

impl Piece {
    fn unreadable(&mut self, text: &str, code: &'static str, reason: String) {
        let text = to_raw_value(text).unwrap_or_else(|_| RawValue::NULL.to_owned());
        self.unreadable.push(Garbled { code, reason, text });
    }

    fn not_fetched(&mut self, object: &S3Object, failure: &Failure) {
        let name = format!("s3://{}/{}", object.bucket, object.key);
        match failure {
            Failure::Transient(_) | Failure::OutOfTime => self.failed = Some(failure.words("GetObject")),
            Failure::Answer { .. } => {
                let reason = format!("{} for {name}, where the record is kept", failure.words("GetObject"));
                self.unreadable(&name, "no-object", reason);
            }
        }
    }
}

impl Tally {
    fn count(&mut self, outcome: &Outcome) {
        match outcome {
            Outcome::Settled => self.settled += 1,
            Outcome::Skipped { .. } => self.skipped += 1,
            Outcome::Parked(_) => self.parked += 1,
            // Counted when no delivery is to come.
            Outcome::Retry { .. } => {}
        }
    }
}

fn verdict(outcome: &Outcome, parks: bool) -> Verdict {
    match outcome {
        Outcome::Settled | Outcome::Skipped { .. } => Verdict::Done,
        Outcome::Parked(_) if parks => Verdict::Done,
        Outcome::Parked(_) => Verdict::Kept,
        Outcome::Retry { .. } => Verdict::Left,
    }
}

fn worse(one: Verdict, other: Verdict) -> Verdict {
    match (one, other) {
        (Verdict::Left, _) | (_, Verdict::Left) => Verdict::Left,
        (Verdict::Kept, _) | (_, Verdict::Kept) => Verdict::Kept,
        (Verdict::Done, Verdict::Done) => Verdict::Done,
    }
}
