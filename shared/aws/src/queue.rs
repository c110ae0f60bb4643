//! The work queue: sends the work that a run does not do itself.

use std::collections::{BTreeMap, BTreeSet};

use instep_flow::effect::{Effect, Effects};
use instep_flow::mask;
use instep_flow::pack::pack;
use instep_flow::reconcile::Applied;
use instep_flow::work::{self, BadMessage, Dependents, NamedObject, Origin, Work, WorkMessage};
use serde_json::value::RawValue;

use crate::apply::Outcomes;
use crate::call::Failure;
use crate::instep::{Instep, Run};
use crate::send::{DELAY_SECONDS_MAX, Outgoing};

/// The maximum bytes of a message of objects or records. It leaves room for escapes in a message.
pub(crate) const BODY_BYTES_GOAL: usize = 256 * 1024;

/// The maximum bytes of a record in a message, besides the message's own fields. A larger record is
/// kept in the bucket.
pub(crate) const RECORD_BYTES_MAX: usize = 1_000_000;

const OPERATION: &str = "SendMessageBatch";

/// How records are sent.
#[derive(Debug, Clone)]
pub struct Sending {
    /// The origin of the records.
    pub origin: Origin,
    /// Whether their events are published.
    pub publish: bool,
    /// Their table, if it is another one than the settings say.
    pub records_of: Option<String>,
    /// How often an event source mapping has redriven them, including this time.
    pub redrives: u32,
}

impl Sending {
    /// A replay of captures.
    pub const REPLAY: Self = Self { origin: Origin::Captured, publish: true, records_of: None, redrives: 0 };
}

/// Effects that send work to the work queue, each with the places in the batch that cause it.
pub(crate) type HandedOn = Effects;

/// Objects that stay in one message, and the place of the effect that sends them.
type Group = (usize, Vec<NamedObject>);

impl Instep {
    /// Sends work to the work queue, and returns what came of each effect. `hops` has, for each place in the
    /// batch, the number of runs that led to the entry.
    ///
    /// INVARIANT 6: what the queue refuses is refused alone.
    pub(crate) async fn hand_on(&self, handed_on: HandedOn, hops: &[u32], run: &Run) -> Outcomes {
        let mut groups: BTreeMap<(u32, bool), Vec<Group>> = BTreeMap::new();
        // The messages, each with the places of its effects.
        let (mut messages, mut of) = (Vec::new(), Vec::new());
        for (at, (effect, places)) in handed_on.iter().enumerate() {
            let hop = places.iter().filter_map(|place| hops.get(*place)).max().copied().unwrap_or_default();
            if let Effect::HandOn(objects) = &**effect {
                let late = objects.iter().any(|object| object.late);
                groups.entry((hop + 1, late)).or_default().push((at, objects.clone()));
            } else if let Effect::Continue(dependents) = &**effect {
                // The next page of a fan-out or cascade, or of groups, does not count as another hop.
                let hop = if dependents.place.is_some() || dependents.groups { hop } else { hop + 1 };
                messages.push(self.message(hop, run, Work::Dependents(dependents.clone()), is_delayed(dependents)));
                of.push(BTreeSet::from([at]));
            }
        }
        for ((hop, late), groups) in groups {
            let (at, groups): (Vec<usize>, Vec<Vec<NamedObject>>) = groups.into_iter().unzip();
            for packed in pack(groups, BODY_BYTES_GOAL) {
                messages.push(self.message(hop, run, Work::Reconcile(packed.objects.into_iter().collect()), late));
                of.push(packed.of.into_iter().filter_map(|group| at.get(group).copied()).collect());
            }
        }
        let mut unsent: BTreeMap<usize, Failure> = BTreeMap::new();
        for (message, failure) in self.send_to_work(messages, run).await {
            for at in of.get(message).into_iter().flatten() {
                // A retry may succeed: a failure of the queue comes before a refusal.
                unsent
                    .entry(*at)
                    .and_modify(|known| {
                        if known.is_permanent() {
                            *known = failure.clone();
                        }
                    })
                    .or_insert_with(|| failure.clone());
            }
        }
        let applied = |at| unsent.get(&at).map_or(Applied::DONE, not_sent);
        handed_on.into_iter().enumerate().map(|(at, (effect, places))| (effect, places, applied(at))).collect()
    }

    /// Sends a parked work message or a dead letter again, with its count of hops set to zero. A run over
    /// it may have died.
    pub(crate) async fn send_again(&self, work: &RawValue, redrives: u32, run: &Run) -> Result<(), String> {
        let message = WorkMessage::parse(&self.model, &self.settings.table, work.get());
        let text = match message {
            Ok(message) => {
                serde_json::to_string(&WorkMessage { hops: 0, redrives, again: true, ..message }).unwrap_or_default()
            }
            // The work function parks it again, with the reason, unless only its count of hops was wrong.
            Err(error) => work::counted_anew(work.get(), matches!(error, BadMessage::Endless(_)), redrives),
        };
        self.send_work(vec![Outgoing::new(&text)], run).await
    }

    /// Sends messages to the work queue. If it does not acknowledge all, the error says why.
    pub(crate) async fn send_work(&self, messages: Vec<Outgoing>, run: &Run) -> Result<(), String> {
        match self.send_to_work(messages, run).await.into_iter().next() {
            None => Ok(()),
            Some((_, failure)) => Err(failure.words(OPERATION)),
        }
    }

    /// Sends messages to the work queue. Returns the places of those that were not sent, with the reason. One
    /// that is too large for the queue is written to the bucket first.
    async fn send_to_work(&self, messages: Vec<Outgoing>, run: &Run) -> Vec<(usize, Failure)> {
        let (mut fitting, mut places, mut unsent) = (Vec::new(), Vec::new(), Vec::new());
        for (place, message) in messages.into_iter().enumerate() {
            match self.fitting(message, run).await {
                Ok(message) => {
                    fitting.push(message);
                    places.push(place);
                }
                Err(failure) => unsent.push((place, failure)),
            }
        }
        let refused = self.send(&self.settings.work_queue, fitting, run.deadline).await;
        unsent.extend(refused.into_iter().filter_map(|(at, failure)| Some((*places.get(at)?, failure))));
        unsent
    }

    fn message(&self, hops: u32, run: &Run, work: Work, delayed: bool) -> Outgoing {
        self.outgoing(&WorkMessage::new(&self.model, &self.settings.table, hops, run.now, work), delayed)
    }

    pub(crate) fn outgoing(&self, message: &WorkMessage, delayed: bool) -> Outgoing {
        let lag_seconds = self.settings.index_lag.as_millis().div_ceil(1000);
        let delay = i32::try_from(lag_seconds).unwrap_or(DELAY_SECONDS_MAX).min(DELAY_SECONDS_MAX);
        Outgoing { delay_seconds: if delayed { delay } else { 0 }, ..work_outgoing(message) }
    }

    /// Sends records to the work queue. Returns how many were sent; the error says why the rest was
    /// not.
    ///
    /// # Errors
    /// The queue refused them.
    pub async fn send_records(&self, records: &[Box<RawValue>], sending: Sending, run: &Run) -> Result<usize, String> {
        let Sending { origin, publish, records_of, redrives } = sending;
        let records_of =
            records_of.or_else(|| self.settings.records_of.clone()).filter(|table| *table != self.settings.table);
        let mut chunks: Vec<work::Records> = Vec::new();
        let mut bytes = 0;
        for record in records {
            let record = mask::for_queue(&self.model, record);
            let length = record.get().len();
            let is_full = |chunk: &work::Records| chunk.count() >= work::OBJECTS_MAX;
            if chunks.last().is_none_or(is_full) || bytes + length > BODY_BYTES_GOAL {
                let (records, objects, records_of) = (Vec::new(), Vec::new(), records_of.clone());
                chunks.push(work::Records { origin, publish, records, objects, records_of });
                bytes = 0;
            }
            let Some(chunk) = chunks.last_mut() else { continue };
            if length > RECORD_BYTES_MAX {
                chunk.objects.push(self.keep_record(&record, run).await?);
            } else {
                bytes += length;
                chunk.records.push(record);
            }
        }
        let mut sent = 0;
        for chunk in chunks {
            let count = chunk.count();
            let message = WorkMessage::new(&self.model, &self.settings.table, 0, run.now, Work::Records(chunk));
            let message = self.outgoing(&WorkMessage { redrives, ..message }, false);
            self.send_work(vec![message], run).await?;
            sent += count;
        }
        Ok(sent)
    }
}

/// A message of the work queue, delivered at once.
pub(crate) fn work_outgoing(message: &WorkMessage) -> Outgoing {
    // A message consists of strings and maps with string keys, so writing it cannot fail.
    Outgoing::new(&serde_json::to_string(message).unwrap_or_default())
}

/// What came of an effect whose message was not sent.
fn not_sent(failure: &Failure) -> Applied {
    let words = failure.words(OPERATION);
    if failure.is_permanent() {
        let reason = format!("{words}: the work queue never accepts what follows from it; write a smaller item");
        return Applied::Refused { code: "message-refused", reason };
    }
    Applied::Failed(words)
}

/// Whether a message is delayed until indexes have caught up. Only the first page is: messages for
/// further pages are sent without a delay.
const fn is_delayed(dependents: &Dependents) -> bool {
    dependents.late && dependents.place.is_none()
}
