//! Redrive: sends failed work of every stored form to the work queue. Stored work is deleted when
//! the queue has acknowledged it; everything else stays. So a redrive can be stopped and started
//! again at any time.

mod gather;
mod objects;
mod queue;
mod stream;

use std::collections::BTreeMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use instep_captures::{CaptureText, Garbled};
use instep_contract::{Provenance, S3Object};
use instep_flow::filter::Filter;
use instep_flow::work::Origin;
use serde::Serialize;
use serde_json::value::RawValue;
use tokio::time::Instant;

use crate::call::CallFailure;
use crate::instep::Instep;
use crate::park::PARKED_PREFIX;
use crate::run_options::RunOptions;
use crate::send_work::{NotSent, Sending};
use gather::Content;
use queue::{MESSAGES_MAX, ReceivedMessage};

/// The number of kept messages after which a redrive ends. Until then they are hidden, and the
/// redrive keeps each in memory.
const KEPT_MAX: usize = 10_000;

/// The maximum number of times that an event source mapping redrives one record. A message that is
/// parked again is delayed by 15 minutes, so this takes half a day.
const REDRIVES_MAX: u32 = 50;

/// The time before the deadline at which no further work starts.
const MARGIN: Duration = Duration::from_secs(30);

/// Where failed work is stored.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Store {
    /// A queue of parked records, or of pointers that Lambda or a topic sent.
    Queue(String),
    /// Objects of a bucket, such as those of Lambda's on-failure destination.
    Bucket {
        /// The bucket's name.
        bucket: String,
        /// The prefix of their keys.
        prefix: String,
    },
}

/// A service failed, and the redrive ended early.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct RedriveError(String);

impl RedriveError {
    fn of(operation: &str) -> impl Fn(CallFailure) -> Self + '_ {
        move |failure| Self(failure.words(operation))
    }
}

/// The outcome of one message, object or text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RedriveOutcome {
    /// All of it is on the work queue.
    Sent,
    /// It stays: a part of it cannot be handled, it was redriven too often, or it was parked after
    /// the redrive began.
    Kept,
    /// A service failed: it stays, and a retry may succeed.
    Left,
}

/// The counts of a redrive.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct RedriveTally {
    /// Records that were sent to the work queue.
    pub sent: u64,
    /// The number of texts that could not be read as records.
    pub unreadable: u64,
    /// Ranges of records that are no longer in the stream.
    pub expired: u64,
    /// Messages, objects and texts that were sent completely.
    pub done: u64,
    /// Messages, objects and texts that stay.
    pub kept: u64,
    /// The time ended, it was stopped, or too many messages were kept, before everything was sent.
    pub more: bool,
}

impl RedriveTally {
    /// Whether nothing remains to do.
    #[must_use]
    pub const fn is_complete(&self) -> bool {
        self.kept == 0 && !self.more
    }
}

/// The progress of a redrive.
#[derive(Debug)]
pub enum RedriveProgress<'a> {
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

/// Receives the progress of a redrive.
pub type RedriveListener<'a> = &'a mut (dyn FnMut(RedriveProgress<'_>) + Send);

/// Sends failed work to the work queue.
#[derive(Debug)]
pub struct Redrive<'a> {
    instep: &'a Instep,
    filter: Filter,
    run: RunOptions,
    tally: RedriveTally,
    stop: Arc<AtomicBool>,
}

/// The code for a range of records that are no longer in the stream.
const EXPIRED: &str = "left-the-stream";

impl<'a> Redrive<'a> {
    /// A redrive. From `run` it uses the time, the deadline and `dry_run`.
    #[must_use]
    pub fn new(instep: &'a Instep, run: RunOptions) -> Self {
        Self { instep, filter: Filter::of(instep.model()), run, tally: RedriveTally::default(), stop: Arc::default() }
    }

    /// Set to true, it ends the redrive after the messages that were received. No message stays hidden.
    #[must_use]
    pub fn stop(&self) -> Arc<AtomicBool> {
        Arc::clone(&self.stop)
    }

    /// The counts so far.
    #[must_use]
    pub fn tally(&self) -> &RedriveTally {
        &self.tally
    }

    /// Sends what is stored at `place`.
    ///
    /// # Errors
    /// A service failed.
    pub async fn send_stored(&mut self, place: &Store, listener: RedriveListener<'_>) -> Result<(), RedriveError> {
        match place {
            Store::Queue(url) => self.queue(url, listener).await,
            Store::Bucket { bucket, prefix } => self.bucket(bucket, prefix, listener).await,
        }
    }

    /// Sends the records of a text.
    pub async fn text(
        &mut self,
        name: &str,
        text: impl Into<CaptureText>,
        origin: Origin,
        listener: RedriveListener<'_>,
    ) -> RedriveOutcome {
        let content = self.gather(name, text.into()).await;
        self.content(content, origin, listener).await
    }

    /// Sends the content of messages that an event source mapping deletes. Returns the outcome of
    /// each.
    ///
    /// INVARIANT 8: a record that is parked again is delivered here again. A message that was
    /// redriven too often stays, and is moved to the dead-letter queue.
    pub async fn messages(
        &mut self,
        messages: &[(String, String)],
        listener: RedriveListener<'_>,
    ) -> Vec<RedriveOutcome> {
        let mut outcomes = Vec::with_capacity(messages.len());
        for (name, body) in messages {
            let redrives = 1 + gather::redrives_before(body);
            if redrives > REDRIVES_MAX {
                let why = format!("it was redriven {REDRIVES_MAX} times, and parked each time");
                listener(RedriveProgress::Left { name, why: &why });
                self.tally.kept += 1;
                outcomes.push(RedriveOutcome::Kept);
            } else {
                let content = Content { redrives, ..self.gather(name, body.as_str().into()).await };
                outcomes.push(self.content(content, Origin::Failed, listener).await);
            }
        }
        outcomes
    }

    async fn send(&mut self, records: &[Box<RawValue>], how: Sending) -> Result<(), NotSent> {
        let sent =
            if self.run.dry_run { Ok(records.len()) } else { self.instep.send_records(records, how, &self.run).await };
        self.tally.sent += sent.as_ref().map_or_else(|unsent| unsent.sent, |sent| *sent) as u64;
        sent.map(drop)
    }

    async fn queue(&mut self, url: &str, listener: RedriveListener<'_>) -> Result<(), RedriveError> {
        // The outcome of each message so far. A queue may deliver one twice.
        let mut known: BTreeMap<String, RedriveOutcome> = BTreeMap::new();
        let mut kept: Vec<ReceivedMessage> = Vec::new();
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
            let new: Vec<ReceivedMessage> =
                messages.iter().filter(|message| !known.contains_key(&message.id)).cloned().collect();
            // INVARIANT 8: the loop ends when the queue delivers nothing or, for enough rounds,
            // only messages that it delivered before.
            rounds = if new.is_empty() { rounds + 1 } else { 0 };
            let is_through = messages.is_empty() || rounds > known.len() / MESSAGES_MAX;
            for message in &new {
                // INVARIANT 8: records that are parked again because of this redrive arrive in the
                // same queue. The next redrive sends them.
                let outcome = if message.sent_at_ms.is_some_and(|sent| sent > started_ms) {
                    RedriveOutcome::Kept
                } else {
                    self.text(&message.id, message.body.as_str(), Origin::Failed, listener).await
                };
                known.insert(message.id.clone(), outcome);
            }
            let is_down = new.iter().any(|message| known.get(&message.id) == Some(&RedriveOutcome::Left));
            let is_sent =
                |message: &ReceivedMessage| known.get(&message.id) == Some(&RedriveOutcome::Sent) && !self.run.dry_run;
            let (sent, stays): (Vec<_>, Vec<_>) = messages.into_iter().map(ReceivedMessage::bare).partition(is_sent);
            kept.extend(stays);
            if let Err(failure) = self.instep.delete_messages(url, &sent, self.run.deadline).await {
                break Err(RedriveError::of("DeleteMessageBatch")(failure));
            }
            self.tally.more |= is_down;
            if is_down || is_through {
                break Ok(());
            }
        };
        // A message that is not released becomes visible after its timeout.
        let released = self.instep.release_messages(url, &kept, None).await;
        ended.and(released.map_err(RedriveError::of("ChangeMessageVisibilityBatch")))
    }

    async fn bucket(&mut self, bucket: &str, prefix: &str, listener: RedriveListener<'_>) -> Result<(), RedriveError> {
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
                match self.object(&object, listener).await? {
                    Some(RedriveOutcome::Left) => {
                        self.tally.more = true;
                        return Ok(());
                    }
                    // INVARIANT 6: messages point to the objects of parked records, so these stay until they expire.
                    Some(RedriveOutcome::Sent) if !self.run.dry_run && !object.key.starts_with(PARKED_PREFIX) => {
                        let deleted = self.instep.delete(&object, self.run.deadline).await;
                        deleted.map_err(RedriveError::of("DeleteObject"))?;
                    }
                    Some(RedriveOutcome::Sent | RedriveOutcome::Kept) | None => {}
                }
            }
            next = page.next;
            if next.is_none() {
                return Ok(());
            }
        }
    }

    /// Sends the content of an object. `None` if another redrive has sent and deleted it.
    async fn object(
        &mut self,
        object: &S3Object,
        listener: RedriveListener<'_>,
    ) -> Result<Option<RedriveOutcome>, RedriveError> {
        let name = format!("s3://{}/{}", object.bucket, object.key);
        let content = match self.instep.read_object(object, self.run.deadline).await {
            Ok(bytes) => self.gather(&name, CaptureText::of(bytes)).await,
            Err(failure) if failure.is("NoSuchKey") => return Ok(None),
            Err(failure) => {
                let mut content = Content::named(&name);
                content.not_fetched(object, &failure);
                content
            }
        };
        Ok(Some(self.content(content, Origin::Failed, listener).await))
    }

    fn is_late(&self) -> bool {
        self.stop.load(Ordering::Relaxed)
            || self.run.deadline.is_some_and(|deadline| Instant::now() + MARGIN >= deadline)
    }

    /// Sends the content of one message, object or text, and reports the outcome.
    async fn content(&mut self, content: Content, origin: Origin, listener: RedriveListener<'_>) -> RedriveOutcome {
        for garbled in &content.unreadable {
            self.tally.unreadable += u64::from(garbled.code != EXPIRED);
            self.tally.expired += u64::from(garbled.code == EXPIRED);
            listener(RedriveProgress::Unreadable { name: &content.name, garbled });
        }
        let outcome = self.send_content(&content, origin, listener).await;
        match outcome {
            RedriveOutcome::Sent => self.tally.done += 1,
            RedriveOutcome::Kept | RedriveOutcome::Left => self.tally.kept += 1,
        }
        outcome
    }

    async fn send_content(
        &mut self,
        content: &Content,
        origin: Origin,
        listener: RedriveListener<'_>,
    ) -> RedriveOutcome {
        let mut refused = Vec::new();
        let sent = match self.send_all(content, origin, &mut refused).await {
            Ok(()) => self.send_work(content, &mut refused).await,
            Err(why) => Err(why),
        };
        for garbled in &refused {
            self.tally.unreadable += 1;
            listener(RedriveProgress::Unreadable { name: &content.name, garbled });
        }
        if let Some(why) = sent.err().or_else(|| content.failed.clone()) {
            listener(RedriveProgress::Left { name: &content.name, why: &why });
            return RedriveOutcome::Left;
        }
        let is_sent = |record: &RawValue| !refused.iter().any(|garbled| garbled.text.get() == record.get());
        for records in content.records.values() {
            let records: Vec<_> = records.iter().filter(|record| is_sent(record)).cloned().collect();
            if !records.is_empty() {
                listener(RedriveProgress::Sent { name: &content.name, records: &records });
            }
        }
        if content.unreadable.is_empty() && refused.is_empty() { RedriveOutcome::Sent } else { RedriveOutcome::Kept }
    }

    /// Sends records as they were handled before they were parked. INVARIANT 2: a captured record stays
    /// one, because it may be of any age. INVARIANT 6: what is refused for good keeps nothing else from being sent.
    async fn send_all(&mut self, content: &Content, origin: Origin, refused: &mut Vec<Garbled>) -> Result<(), String> {
        let redrives = content.redrives;
        for (Provenance { origin: own, publish, records_of }, records) in &content.records {
            let origin = own.unwrap_or(origin).max(origin);
            let sending =
                Sending { origin, publish: *publish, records_of: records_of.clone(), redrives, ..Sending::REPLAY };
            let Err(unsent) = self.send(records, sending).await else { continue };
            for (place, why) in unsent.refused {
                refused.extend(records.get(place).map(|record| self::refused(record, why)));
            }
            if let Some(why) = unsent.failed {
                return Err(why);
            }
        }
        Ok(())
    }

    /// Sends parked work messages to the work queue again.
    async fn send_work(&mut self, content: &Content, refused: &mut Vec<Garbled>) -> Result<(), String> {
        for work in &content.work {
            let sends = self.instep.queue.send_again(work, content.redrives, &self.run);
            let sent = if self.run.dry_run { Ok(()) } else { sends.await };
            match sent {
                Ok(()) => self.tally.sent += 1,
                Err(failure) if failure.is_permanent() => {
                    refused.push(self::refused(work, failure.words("SendMessageBatch")));
                }
                Err(failure) => return Err(failure.words("SendMessageBatch")),
            }
        }
        Ok(())
    }
}

/// A record or work message that the work queue refuses for good.
fn refused(text: &RawValue, why: String) -> Garbled {
    Garbled { code: "message-refused", reason: why, text: text.to_owned() }
}
