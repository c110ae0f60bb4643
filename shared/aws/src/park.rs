//! Park: records that running again now would not help, set aside in a queue; what does not fit a message goes to a bucket, with
//! a pointer in the queue.

use std::fmt::Write as _;

use aws_sdk_s3::primitives::ByteStream;
use aws_sdk_sqs::types::SendMessageBatchRequestEntry;
use instep_contract::{PARKED_VERSION, ParkedMessage, S3Object};
use instep_flow::report::Parked;
use sha2::{Digest as _, Sha256};

use crate::call::{Backoff, call};
use crate::handler::{Instep, Run};

/// Entries of one SendMessageBatch. Source: Amazon SQS API Reference, SendMessageBatch.
const ENTRIES_MAX: usize = 10;

/// Bytes of a message, and of all messages of one SendMessageBatch. Source: as above.
const MESSAGE_BYTES_MAX: usize = 1_048_576;

/// What the bucket's objects with parked records begin with.
pub const PARKED_PREFIX: &str = "parked/";

/// What Lambda's on-failure destination puts its objects under. Source: AWS Lambda Developer Guide, "Retain discarded records
/// for a DynamoDB event source".
pub const GIVEN_UP_PREFIX: &str = "aws/lambda/";

/// Bytes of the hash that an object's key shows.
const KEY_HASH_BYTES: usize = 12;

/// Where parked records go.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Parking {
    /// The SQS queue's URL.
    pub queue_url: String,
    /// The S3 bucket for records that do not fit a message.
    pub bucket: String,
}

/// A record to be parked.
pub(crate) struct Due<'a> {
    /// Its place in the batch.
    pub(crate) place: usize,
    pub(crate) sequence: Option<String>,
    pub(crate) parked: &'a Parked,
}

/// A record that could not be parked.
pub(crate) struct Unparked {
    pub(crate) place: usize,
    pub(crate) why: String,
}

/// A message on its way.
struct Message {
    place: usize,
    body: String,
}

impl Instep {
    /// Parks records. INVARIANT 6: one counts as parked when the queue has acknowledged it, so those that it has not are
    /// returned.
    pub(crate) async fn park(&self, due: Vec<Due<'_>>, run: &Run) -> Vec<Unparked> {
        let Some(parking) = &self.settings.parking else { return Vec::new() };
        let mut unparked = Vec::new();
        let mut batch: Vec<Message> = Vec::new();
        let mut bytes = 0;
        for due in due {
            let place = due.place;
            let message = match self.message(parking, due, run).await {
                Ok(message) => message,
                Err(why) => {
                    unparked.push(Unparked { place, why });
                    continue;
                }
            };
            if batch.len() == ENTRIES_MAX || bytes + message.body.len() > MESSAGE_BYTES_MAX {
                self.send(parking, std::mem::take(&mut batch), run, &mut unparked).await;
                bytes = 0;
            }
            bytes += message.body.len();
            batch.push(message);
        }
        if !batch.is_empty() {
            self.send(parking, batch, run, &mut unparked).await;
        }
        unparked
    }

    /// The message of a record; a record that does not fit is put into the bucket first.
    async fn message(&self, parking: &Parking, due: Due<'_>, run: &Run) -> Result<Message, String> {
        let Due { place, sequence, parked } = due;
        let mut message = ParkedMessage {
            version: PARKED_VERSION.to_owned(),
            model: self.model.name.clone(),
            table: self.settings.table.clone(),
            code: parked.code.to_owned(),
            reason: parked.reason.clone(),
            parked_at: run.now.to_string(),
            sequence,
            record: Some(parked.record.clone()),
            s3: None,
        };
        let body = text(&message)?;
        if body.len() <= MESSAGE_BYTES_MAX {
            return Ok(Message { place, body });
        }
        let key = object_key(&self.model.name, message.sequence.as_deref(), parked.record.get());
        self.keep(parking, &key, parked.record.get(), run).await?;
        message.record = None;
        message.s3 = Some(S3Object { bucket: parking.bucket.clone(), key });
        Ok(Message { place, body: text(&message)? })
    }

    async fn keep(&self, parking: &Parking, key: &str, record: &str, run: &Run) -> Result<(), String> {
        let put = || {
            let request = self.clients.s3.put_object().bucket(&parking.bucket).key(key);
            request.content_type("application/json").body(ByteStream::from(record.as_bytes().to_vec())).send()
        };
        call(run.deadline, put).await.map(drop).map_err(|failure| failure.words("PutObject"))
    }

    /// SendMessageBatch fails entry by entry, with status 200: what failed is sent again.
    async fn send(&self, parking: &Parking, batch: Vec<Message>, run: &Run, unparked: &mut Vec<Unparked>) {
        let mut left = batch;
        let mut backoff = Backoff::new(run.deadline);
        loop {
            let entries: Vec<_> = left.iter().enumerate().filter_map(|(id, message)| entry(id, message)).collect();
            let send = || {
                let request = self.clients.sqs.send_message_batch().queue_url(&parking.queue_url);
                request.set_entries(Some(entries.clone())).send()
            };
            let answer = match call(run.deadline, send).await {
                Ok(answer) => answer,
                Err(failure) => {
                    let why = failure.words("SendMessageBatch");
                    unparked
                        .extend(left.into_iter().map(|message| Unparked { place: message.place, why: why.clone() }));
                    return;
                }
            };
            // What is not acknowledged by name is not parked.
            let acknowledged = |id: usize| answer.successful().iter().any(|entry| entry.id() == id.to_string());
            let failed: Vec<(Message, String)> = left
                .into_iter()
                .enumerate()
                .filter(|(id, _)| !acknowledged(*id))
                .map(|(id, message)| {
                    let refusal = answer.failed().iter().find(|entry| entry.id() == id.to_string());
                    (message, refusal.map_or("nothing", |entry| entry.code()).to_owned())
                })
                .collect();
            if failed.is_empty() {
                return;
            }
            if !backoff.wait().await {
                unparked.extend(failed.into_iter().map(|(message, code)| Unparked {
                    place: message.place,
                    why: format!("SendMessageBatch answered {code} for a message"),
                }));
                return;
            }
            left = failed.into_iter().map(|(message, _)| message).collect();
        }
    }
}

fn entry(id: usize, message: &Message) -> Option<SendMessageBatchRequestEntry> {
    SendMessageBatchRequestEntry::builder().id(id.to_string()).message_body(&message.body).build().ok()
}

/// A message as text. SQS takes the characters that XML does; JSON can say the others in other letters.
fn text(message: &ParkedMessage) -> Result<String, String> {
    let text = serde_json::to_string(message).map_err(|error| format!("the message cannot be written: {error}"))?;
    if !text.contains(['\u{FFFE}', '\u{FFFF}']) {
        return Ok(text);
    }
    // Outside its strings JSON has no such characters.
    Ok(text.replace('\u{FFFE}', "\\ufffe").replace('\u{FFFF}', "\\uffff"))
}

/// The same for the same record: parked again, it takes its own place.
fn object_key(model: &str, sequence: Option<&str>, record: &str) -> String {
    let mut key = format!("{PARKED_PREFIX}{model}/{}-", sequence.unwrap_or("unknown"));
    for byte in Sha256::digest(record.as_bytes()).iter().take(KEY_HASH_BYTES) {
        let _ = write!(key, "{byte:02x}");
    }
    key + ".json"
}
