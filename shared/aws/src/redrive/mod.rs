//! Redrive: whatever failed is sent to the work queue, from every form in which it is kept. What the queue has acknowledged is deleted
//! where it was kept; everything else stays there. So a redrive can be stopped and started again at any time.

mod gather;
mod objects;
mod queue;
mod stream;
mod table;

use std::collections::BTreeMap;
use std::time::Duration;

use instep_captures::Garbled;
use instep_contract::S3Object;
use instep_flow::filter::Filter;
use instep_flow::work::Origin;
use serde::Serialize;
use serde_json::value::RawValue;
use tokio::time::Instant;

use crate::call::Failure;
use crate::instep::{Instep, Run};
use crate::queue::Sending;
use gather::Piece;
use queue::{MESSAGES_MAX, Message};
pub use table::{Page, as_created};

/// Messages that stay in a queue before a redrive ends: they are hidden from it until then, and it remembers each.
const KEPT_MAX: usize = 10_000;

/// How often an event source mapping redrives one record. With the delay of a message that parks again, that is half a day.
const REDRIVES_MAX: u32 = 50;

/// Time that is left before the deadline when nothing more is begun.
const MARGIN: Duration = Duration::from_secs(30);

/// Where failed work is kept.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Place {
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

/// A service failed, and the redrive ended early.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct RedriveError(String);

impl RedriveError {
    fn of(operation: &str) -> impl Fn(Failure) -> Self + '_ {
        move |failure| Self(failure.words(operation))
    }
}

/// What came of one message, object or text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Verdict {
    /// All of it is on the work queue.
    Sent,
    /// Something of it cannot be handled: it stays where it is.
    Kept,
    /// A service failed: it stays, and is worth another try.
    Left,
}

/// What a redrive came to.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Tally {
    /// Records that were sent to the work queue.
    pub sent: u64,
    /// What could not be read as a record.
    pub unreadable: u64,
    /// Parts of the stream that are no longer in it.
    pub expired: u64,
    /// Messages, objects and texts of which everything was sent.
    pub done: u64,
    /// Messages, objects and texts that stay where they are.
    pub kept: u64,
    /// The time was over, or enough was kept, before everything was sent.
    pub more: bool,
}

impl Tally {
    /// Whether nothing is left to do.
    #[must_use]
    pub const fn is_complete(&self) -> bool {
        self.kept == 0 && !self.more
    }
}

/// What a redrive tells while it goes on.
#[derive(Debug)]
pub enum Told<'a> {
    /// Records were sent.
    Sent {
        /// The message, object or text.
        name: &'a str,
        /// Its records.
        records: &'a [Box<RawValue>],
    },
    /// Something cannot be handled.
    Unreadable {
        /// The message, object or text.
        name: &'a str,
        /// What it is.
        garbled: &'a Garbled,
    },
    /// A service failed.
    Left {
        /// The message, object or text.
        name: &'a str,
        /// Why.
        why: &'a str,
    },
}

/// Takes what a redrive tells.
pub type Listener<'a> = &'a mut (dyn FnMut(Told<'_>) + Send);

/// Sends failed work to the work queue.
#[derive(Debug)]
pub struct Redrive<'a> {
    instep: &'a Instep,
    filter: Filter,
    run: Run,
    tally: Tally,
}

/// Code and reason of a part of the stream that is gone.
const EXPIRED: &str = "left-the-stream";

impl<'a> Redrive<'a> {
    /// A redrive. Of `run` it takes the time, the deadline, and whether to do nothing.
    #[must_use]
    pub fn new(instep: &'a Instep, run: Run) -> Self {
        Self { instep, filter: Filter::of(instep.model()), run, tally: Tally::default() }
    }

    /// What it came to so far.
    #[must_use]
    pub fn tally(&self) -> &Tally {
        &self.tally
    }

    /// Sends what is kept at `place`.
    ///
    /// # Errors
    /// A service failed.
    pub async fn place(&mut self, place: &Place, told: Listener<'_>) -> Result<(), RedriveError> {
        match place {
            Place::Queue(url) => self.queue(url, told).await,
            Place::Bucket { bucket, prefix } => self.bucket(bucket, prefix, told).await,
        }
    }

    /// Sends the records of a text.
    pub async fn text(&mut self, name: &str, text: &str, origin: Origin, told: Listener<'_>) -> Verdict {
        let piece = self.gather(name, text).await;
        self.piece(piece, origin, told).await
    }

    /// Sends what messages hold that an event source mapping deletes: what came of each.
    ///
    /// INVARIANT 8: what parks again is delivered here again. A message that was redriven often enough stays, and ends as a dead
    /// letter.
    pub async fn messages(&mut self, messages: &[(String, String)], told: Listener<'_>) -> Vec<Verdict> {
        let mut verdicts = Vec::with_capacity(messages.len());
        for (name, body) in messages {
            let mut piece = self.gather(name, body).await;
            piece.redrives = 1 + gather::redrives_before(body);
            if piece.redrives > REDRIVES_MAX {
                let why = format!("it was redriven {REDRIVES_MAX} times, and parked each time");
                told(Told::Left { name, why: &why });
                self.tally.kept += 1;
                verdicts.push(Verdict::Kept);
            } else {
                verdicts.push(self.piece(piece, Origin::Failed, told).await);
            }
        }
        verdicts
    }

    /// Sends the whole table, each item as if it had just been created. Nothing of it is published: none of it happened now.
    ///
    /// # Errors
    /// A service failed.
    pub async fn table(&mut self, told: Listener<'_>) -> Result<(), RedriveError> {
        let model = self.instep.model();
        let mut from = None;
        loop {
            let page = self.instep.scan_page(from, self.run.deadline).await.map_err(RedriveError::of("Scan"))?;
            let records: Vec<_> = page.items.iter().filter_map(|item| as_created(model, item)).collect();
            let backfill = Sending { publish: false, ..Sending::REPLAY };
            self.send(&records, backfill).await.map_err(RedriveError)?;
            told(Told::Sent { name: "table", records: &records });
            from = page.next;
            if from.is_none() {
                return Ok(());
            }
        }
    }

    async fn send(&mut self, records: &[Box<RawValue>], how: Sending) -> Result<(), String> {
        if !self.run.dry_run {
            self.instep.send_records(records, how, &self.run).await?;
        }
        self.tally.sent += records.len() as u64;
        Ok(())
    }

    async fn queue(&mut self, url: &str, told: Listener<'_>) -> Result<(), RedriveError> {
        // What came of each message so far: a queue may deliver one twice.
        let mut known: BTreeMap<String, Verdict> = BTreeMap::new();
        let mut kept: Vec<Message> = Vec::new();
        let mut rounds = 0;
        let started_ms = self.run.now.as_millisecond();
        let ended = loop {
            if self.is_late() || kept.len() >= KEPT_MAX {
                self.tally.more = true;
                break Ok(());
            }
            let messages = match self.instep.receive(url, self.run.deadline).await {
                Ok(messages) => messages,
                Err(failure) => break Err(RedriveError::of("ReceiveMessage")(failure)),
            };
            let new: Vec<Message> =
                messages.iter().filter(|message| !known.contains_key(&message.id)).cloned().collect();
            // INVARIANT 8: a queue that delivers nothing, or long enough nothing but what it delivered before, has been gone through.
            rounds = if new.is_empty() { rounds + 1 } else { 0 };
            let is_through = messages.is_empty() || rounds > known.len() / MESSAGES_MAX;
            for message in &new {
                // INVARIANT 8: what this redrive led to parks in the same queue. The next redrive sends it.
                let verdict = if message.sent_at_ms.is_some_and(|sent| sent > started_ms) {
                    Verdict::Kept
                } else {
                    self.text(&message.id, &message.body, Origin::Failed, told).await
                };
                known.insert(message.id.clone(), verdict);
            }
            let is_down = new.iter().any(|message| known.get(&message.id) == Some(&Verdict::Left));
            let is_sent = |message: &Message| known.get(&message.id) == Some(&Verdict::Sent) && !self.run.dry_run;
            let (sent, stays): (Vec<_>, Vec<_>) = messages.into_iter().map(Message::bare).partition(is_sent);
            kept.extend(stays);
            if let Err(failure) = self.instep.delete_messages(url, &sent, self.run.deadline).await {
                break Err(RedriveError::of("DeleteMessageBatch")(failure));
            }
            self.tally.more |= is_down;
            if is_down || is_through {
                break Ok(());
            }
        };
        // A message that is not released becomes visible when its timeout is over.
        let released = self.instep.release_messages(url, &kept, None).await;
        ended.and(released.map_err(RedriveError::of("ChangeMessageVisibilityBatch")))
    }

    async fn bucket(&mut self, bucket: &str, prefix: &str, told: Listener<'_>) -> Result<(), RedriveError> {
        let mut next = None;
        loop {
            let page = self.instep.list(bucket, prefix, next, self.run.deadline).await;
            let page = page.map_err(RedriveError::of("ListObjectsV2"))?;
            for key in page.keys {
                if self.is_late() {
                    self.tally.more = true;
                    return Ok(());
                }
                let object = S3Object { bucket: bucket.to_owned(), key };
                match self.object(&object, told).await? {
                    Some(Verdict::Left) => {
                        self.tally.more = true;
                        return Ok(());
                    }
                    Some(Verdict::Sent) if !self.run.dry_run => {
                        let deleted = self.instep.delete(&object, self.run.deadline).await;
                        deleted.map_err(RedriveError::of("DeleteObject"))?;
                    }
                    Some(Verdict::Sent | Verdict::Kept) | None => {}
                }
            }
            next = page.next;
            if next.is_none() {
                return Ok(());
            }
        }
    }

    /// Sends what an object holds. `None` where somebody else has sent and deleted it.
    async fn object(&mut self, object: &S3Object, told: Listener<'_>) -> Result<Option<Verdict>, RedriveError> {
        let name = format!("s3://{}/{}", object.bucket, object.key);
        let piece = match self.instep.read_object(object, self.run.deadline).await {
            Ok(text) => self.gather(&name, &text).await,
            Err(failure) if failure.is("NoSuchKey") => return Ok(None),
            Err(failure) => {
                let mut piece = Piece::named(&name);
                piece.not_fetched(object, &failure);
                piece
            }
        };
        Ok(Some(self.piece(piece, Origin::Failed, told).await))
    }

    fn is_late(&self) -> bool {
        self.run.deadline.is_some_and(|deadline| Instant::now() + MARGIN >= deadline)
    }

    /// Sends a piece, and tells what came of it.
    async fn piece(&mut self, piece: Piece, origin: Origin, told: Listener<'_>) -> Verdict {
        for garbled in &piece.unreadable {
            self.tally.unreadable += u64::from(garbled.code != EXPIRED);
            self.tally.expired += u64::from(garbled.code == EXPIRED);
            told(Told::Unreadable { name: &piece.name, garbled });
        }
        let verdict = self.send_piece(&piece, origin, told).await;
        match verdict {
            Verdict::Sent => self.tally.done += 1,
            Verdict::Kept | Verdict::Left => self.tally.kept += 1,
        }
        verdict
    }

    async fn send_piece(&mut self, piece: &Piece, origin: Origin, told: Listener<'_>) -> Verdict {
        let sending = Sending { origin, publish: true, redrives: piece.redrives };
        let sent = match self.send(&piece.records, sending).await {
            Ok(()) => self.send_work(piece).await,
            Err(why) => Err(why),
        };
        if let Some(why) = sent.err().or_else(|| piece.failed.clone()) {
            told(Told::Left { name: &piece.name, why: &why });
            return Verdict::Left;
        }
        if !piece.records.is_empty() {
            told(Told::Sent { name: &piece.name, records: &piece.records });
        }
        if piece.unreadable.is_empty() { Verdict::Sent } else { Verdict::Kept }
    }

    /// Work messages that were parked go back to the work queue.
    async fn send_work(&mut self, piece: &Piece) -> Result<(), String> {
        for work in &piece.work {
            if !self.run.dry_run {
                self.instep.send_again(work, piece.redrives, &self.run).await?;
            }
            self.tally.sent += 1;
        }
        Ok(())
    }
}
