//! Park: sends records to a queue if a retry now would not help. A record or a work message that does not
//! fit a queue, and a parked record that its queue refuses for good, is written to a bucket, with a pointer in
//! the queue.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use aws_sdk_s3::primitives::ByteStream;
use instep_contract::{PARKED_VERSION, ParkedMessage, Provenance, S3Object};
use instep_flow::entries::EntryId;
use instep_flow::report::Parked;
use instep_flow::stream_record;
use instep_flow::work::{self, Work, WorkMessage};
use serde_json::value::RawValue;
use sha2::{Digest as _, Sha256};

use crate::call::{CallFailure, call};
use crate::queue::Queue;
use crate::run_options::RunOptions;
use crate::send::{DELAY_SECONDS_MAX, MESSAGE_BYTES_MAX, Outgoing};
use crate::settings::Parking;

/// The key prefix of records and work messages in the bucket.
pub const PARKED_PREFIX: &str = "parked/";

/// The key prefix of the objects of Lambda's on-failure destination. Source: AWS Lambda Developer
/// Guide, "Retain discarded records for a DynamoDB event source".
pub const GIVEN_UP_PREFIX: &str = "aws/lambda/";

/// The number of bytes of the hash in an object's key.
const KEY_HASH_BYTES: usize = 12;

/// What the keys of the objects with messages of the work queue have instead of a sequence number.
const MESSAGES: &str = "work";

/// The code of a message that fits neither the queue nor a bucket. Source: Amazon SQS API Reference,
/// SendMessageBatch, "Errors".
const TOO_LONG: &str = "BatchRequestTooLong";

/// A record to park.
pub(crate) struct ToPark<'a> {
    /// Its entry in the batch.
    pub(crate) entry: EntryId,
    pub(crate) sequence: Option<String>,
    /// How often an event source mapping has redriven it.
    pub(crate) redrives: u32,
    pub(crate) provenance: Provenance,
    pub(crate) parked: &'a Parked,
}

/// How a message has its record.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Form {
    /// In itself.
    Whole,
    /// In the bucket: it is too large for the queue, or the queue refuses it for good.
    Pointer,
}

/// Why a record was not written to the bucket.
pub(crate) enum Unkept {
    /// The settings name no bucket.
    NoBucket(String),
    /// A service failed.
    Failed(String),
}

/// A record that could not be parked.
pub(crate) struct Unparked {
    pub(crate) entry: EntryId,
    pub(crate) why: String,
}

impl Queue {
    /// Parks records. INVARIANT 6: a record counts as parked when the queue has acknowledged it.
    /// The records that the queue did not acknowledge are returned.
    pub(crate) async fn park(&self, due: Vec<ToPark<'_>>, run: &RunOptions) -> Vec<Unparked> {
        let Some(parking) = &self.settings.parking else { return Vec::new() };
        let mut unparked = Vec::new();
        let mut left: Vec<(ToPark<'_>, Form)> = due.into_iter().map(|due| (due, Form::Whole)).collect();
        while !left.is_empty() {
            let (mut sending, mut messages) = (Vec::new(), Vec::new());
            for (due, form) in left {
                match self.message_of(parking, &due, form, run).await {
                    Ok((message, form)) => {
                        sending.push((due, form));
                        messages.push(message);
                    }
                    Err(why) => unparked.push(Unparked { entry: due.entry, why }),
                }
            }
            let unsent = self.send(&parking.queue_url, messages, run.deadline).await;
            let unsent: BTreeMap<usize, CallFailure> = unsent.into_iter().collect();
            left = Vec::new();
            for (at, (due, form)) in sending.into_iter().enumerate() {
                match (unsent.get(&at), form) {
                    (None, _) => {}
                    // INVARIANT 6: what the queue refuses for good would be delivered again without end.
                    (Some(failure), Form::Whole) if failure.is_permanent() => left.push((due, Form::Pointer)),
                    (Some(failure), Form::Whole | Form::Pointer) => {
                        unparked.push(Unparked { entry: due.entry, why: failure.words("SendMessageBatch") });
                    }
                }
            }
        }
        unparked
    }

    /// The message of a record, and its form. A record that does not fit is written to the bucket first.
    async fn message_of(
        &self,
        parking: &Parking,
        due: &ToPark<'_>,
        form: Form,
        run: &RunOptions,
    ) -> Result<(Outgoing, Form), String> {
        let ToPark { sequence, redrives, provenance, parked, .. } = due;
        let mut message = ParkedMessage {
            version: PARKED_VERSION.to_owned(),
            model: self.model.name.clone(),
            table: self.settings.table.clone(),
            code: parked.code.to_owned(),
            reason: parked.reason.clone(),
            parked_at: run.now.to_string(),
            redrives: *redrives,
            sequence: sequence.clone(),
            provenance: provenance.clone(),
            record: Some(parked.record.clone()),
            s3: None,
        };
        let outgoing = outgoing(&message)?;
        if form == Form::Whole && outgoing.body.len() <= MESSAGE_BYTES_MAX {
            return Ok((outgoing, Form::Whole));
        }
        let key = object_key(&self.model.name, message.sequence.as_deref(), parked.record.get());
        self.keep(parking, &key, parked.record.get(), run).await?;
        message.record = None;
        message.s3 = Some(S3Object { bucket: parking.bucket.clone(), key });
        Ok((self::outgoing(&message)?, Form::Pointer))
    }

    /// Writes a record that does not fit a message of the work queue to the bucket.
    pub(crate) async fn keep_record(&self, record: &RawValue, run: &RunOptions) -> Result<S3Object, Unkept> {
        let Some(parking) = &self.settings.parking else {
            return Err(Unkept::NoBucket(format!(
                "a record of {} bytes does not fit a message, and no bucket is named to keep it in: name the \
                 deployment's with `--bucket` if the command has that option, or run it without that record",
                record.get().len()
            )));
        };
        let key = object_key(&self.model.name, stream_record::sequence(record).as_deref(), record.get());
        self.keep(parking, &key, record.get(), run).await.map_err(Unkept::Failed)?;
        Ok(S3Object { bucket: parking.bucket.clone(), key })
    }

    /// Writes a message that does not fit the work queue to the bucket. Returns the work that points to it.
    async fn keep_message(&self, text: &str, run: &RunOptions) -> Result<Work, CallFailure> {
        let Some(parking) = &self.settings.parking else {
            return Err(CallFailure::Answer {
                code: TOO_LONG.to_owned(),
                message: "no bucket is named to keep it in".to_owned(),
            });
        };
        let key = object_key(&self.model.name, Some(MESSAGES), text);
        self.keep(parking, &key, text, run).await.map_err(CallFailure::Transient)?;
        Ok(Work::Kept(S3Object { bucket: parking.bucket.clone(), key }))
    }

    /// A message of the work queue that fits it: the message itself, or one that points to it.
    pub(crate) async fn fitting(&self, message: Outgoing, run: &RunOptions) -> Result<Outgoing, CallFailure> {
        if message.body.len() <= MESSAGE_BYTES_MAX {
            return Ok(message);
        }
        let work = self.keep_message(&message.body, run).await?;
        let pointer = WorkMessage::new(&self.model, &self.settings.table, work::hops_of(&message.body), run.now, work);
        let redrives = work::redrives_of(&message.body);
        Ok(Outgoing { delay_seconds: message.delay_seconds, ..Outgoing::of_work(&WorkMessage { redrives, ..pointer }) })
    }

    async fn keep(&self, parking: &Parking, key: &str, record: &str, run: &RunOptions) -> Result<(), String> {
        let put = || {
            let request = self.clients.s3().put_object().bucket(&parking.bucket).key(key);
            request.content_type("application/json").body(ByteStream::from(record.as_bytes().to_vec())).send()
        };
        call(run.deadline, put).await.map(drop).map_err(|failure| failure.words("PutObject"))
    }
}

fn outgoing(message: &ParkedMessage) -> Result<Outgoing, String> {
    let text = serde_json::to_string(message).map_err(|error| format!("the message cannot be written: {error}"))?;
    // INVARIANT 8: without a delay, an event source mapping that redrives parked records would
    // redrive the record again at once.
    let delay_seconds = if message.redrives > 0 { DELAY_SECONDS_MAX } else { 0 };
    Ok(Outgoing { delay_seconds, ..Outgoing::new(&text) })
}

/// The key of a record's object. It is the same for the same record, so a record that is parked
/// again overwrites its own object.
fn object_key(model: &str, sequence: Option<&str>, record: &str) -> String {
    let mut key = format!("{PARKED_PREFIX}{model}/{}-", sequence.unwrap_or("unknown"));
    for byte in Sha256::digest(record.as_bytes()).iter().take(KEY_HASH_BYTES) {
        let _ = write!(key, "{byte:02x}");
    }
    key + ".json"
}
