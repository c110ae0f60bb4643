//! The work queue: sends the work that a run does not do itself.

use std::collections::{BTreeMap, BTreeSet};

use instep_contract::S3Object;
use instep_flow::doubt::Doubt;
use instep_flow::effect::{Effect, Effects};
use instep_flow::mask;
use instep_flow::pack::pack;
use instep_flow::reconcile::Applied;
use instep_flow::work::{self, BadMessage, NamedObject, Origin, Which, Work, WorkMessage};
use jiff::Timestamp;
use serde_json::value::RawValue;

use crate::apply::Outcomes;
use crate::call::CallFailure;
use crate::instep::Instep;
use crate::park::Unkept;
use crate::queue::Queue;
use crate::run_options::RunOptions;
use crate::send::{DELAY_SECONDS_MAX, Outgoing, chunked};

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
    /// As in [`RunOptions`].
    pub adopt_before: Option<Timestamp>,
}

impl Sending {
    /// A replay of captures.
    pub const REPLAY: Self =
        Self { origin: Origin::Captured, publish: true, records_of: None, redrives: 0, adopt_before: None };
}

/// Some records were not sent to the work queue.
#[derive(Debug, Clone, Default, PartialEq, Eq, thiserror::Error)]
#[error("{}", self.why())]
pub struct NotSent {
    /// How many of the call were sent.
    pub sent: usize,
    /// The places of those that are refused for good, and why. A retry does not help.
    pub refused: Vec<(usize, String)>,
    /// A service failed, and a retry of the others may succeed.
    pub failed: Option<String>,
}

impl NotSent {
    fn refuse(&mut self, place: usize, why: String) {
        self.refused.push((place, why));
    }

    fn fail(&mut self, why: String) {
        self.failed.get_or_insert(why);
    }

    fn why(&self) -> &str {
        let refused = self.refused.first().map(|(_, why)| why);
        self.failed.as_ref().or(refused).map_or("", String::as_str)
    }
}

/// Objects that stay in one message, and the place of the effect that sends them.
type Group = (usize, Vec<NamedObject>);

impl Queue {
    /// Sends the work of effects to the work queue, and returns what came of each. `hops` has, for each entry
    /// of the batch, the number of runs that led to it.
    ///
    /// INVARIANT 6: what the queue refuses is refused alone.
    pub(crate) async fn send_effects(&self, sent: Effects, hops: &[u32], run: &RunOptions) -> Outcomes {
        let mut groups: BTreeMap<(u32, bool), Vec<Group>> = BTreeMap::new();
        // The messages, each with the positions of its effects.
        let (mut messages, mut of) = (Vec::new(), Vec::new());
        for (at, (effect, entries)) in sent.iter().enumerate() {
            let hop = entries.iter().filter_map(|entry| hops.get(entry.0)).max().copied().unwrap_or_default();
            if let Effect::SendObjects(objects) = &**effect {
                let late = objects.iter().any(|object| object.late);
                groups.entry((hop + 1, late)).or_default().push((at, objects.clone()));
            } else if let Effect::SendDependents(dependents) = &**effect {
                // The next page of a fan-out or cascade, or of groups, does not count as another hop.
                let hop = if dependents.which == Which::All { hop + 1 } else { hop };
                messages.push(self.message(hop, run, Work::Dependents(dependents.clone()), dependents.is_delayed()));
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
        let mut unsent: BTreeMap<usize, CallFailure> = BTreeMap::new();
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
        sent.into_iter().enumerate().map(|(at, (effect, entries))| (effect, entries, applied(at))).collect()
    }

    /// Sends a parked work message or a dead letter again, with its count of hops set to zero. A run over
    /// it may have died.
    pub(crate) async fn send_again(&self, work: &RawValue, redrives: u32, run: &RunOptions) -> Result<(), CallFailure> {
        let message = WorkMessage::parse(&self.model, &self.settings.table, work.get());
        let text = match message {
            Ok(message) => {
                serde_json::to_string(&WorkMessage { hops: 0, redrives, doubt: Doubt::MayBeDone, ..message })
                    .unwrap_or_default()
            }
            // The work function parks it again, with the reason, unless only its count of hops was wrong.
            Err(error) => work::counted_anew(work.get(), matches!(error, BadMessage::Endless(_)), redrives),
        };
        let unsent = self.send_to_work(vec![Outgoing::new(&text)], run).await;
        unsent.into_iter().next().map_or(Ok(()), |(_, failure)| Err(failure))
    }

    /// Sends messages to the work queue. If it does not acknowledge all, the error says why.
    pub(crate) async fn send_work(&self, messages: Vec<Outgoing>, run: &RunOptions) -> Result<(), String> {
        match self.send_to_work(messages, run).await.into_iter().next() {
            None => Ok(()),
            Some((_, failure)) => Err(failure.words(OPERATION)),
        }
    }

    /// Sends messages to the work queue. Returns the places of those that were not sent, with the reason. One
    /// that is too large for the queue is written to the bucket first.
    async fn send_to_work(&self, messages: Vec<Outgoing>, run: &RunOptions) -> Vec<(usize, CallFailure)> {
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

    /// A message with this work. If `delayed`, it is delivered once indexes have caught up.
    pub(crate) fn message(&self, hops: u32, run: &RunOptions, work: Work, delayed: bool) -> Outgoing {
        self.outgoing(&WorkMessage::new(&self.model, &self.settings.table, hops, run.now, work), delayed)
    }

    pub(crate) fn outgoing(&self, message: &WorkMessage, delayed: bool) -> Outgoing {
        let lag_seconds = self.settings.index_lag.as_millis().div_ceil(1000);
        let delay = i32::try_from(lag_seconds).unwrap_or(DELAY_SECONDS_MAX).min(DELAY_SECONDS_MAX);
        Outgoing { delay_seconds: if delayed { delay } else { 0 }, ..Outgoing::of_work(message) }
    }

    /// Sends records to the work queue. Returns how many were sent.
    ///
    /// INVARIANT 6: a record that is refused for good is refused alone. The others are sent.
    pub(crate) async fn send_records(
        &self,
        records: &[Box<RawValue>],
        sending: Sending,
        run: &RunOptions,
    ) -> Result<usize, NotSent> {
        let records_of = sending.records_of.or_else(|| self.settings.records_of.clone());
        let records_of = records_of.filter(|table| !self.settings.is_own(table));
        let sending = Sending { records_of, ..sending };
        let (mut sent, mut unsent) = (0, NotSent::default());
        let mut carried = Vec::with_capacity(records.len());
        for (place, record) in records.iter().enumerate() {
            let record = mask::for_queue(&self.model, record);
            if record.get().len() <= RECORD_BYTES_MAX {
                carried.push((place, Carried::Record(record)));
                continue;
            }
            match self.keep_record(&record, run).await {
                Ok(object) => carried.push((place, Carried::Object(object))),
                Err(Unkept::NoBucket(why)) => unsent.refuse(place, why),
                Err(Unkept::Failed(why)) => unsent.fail(why),
            }
        }
        let mut chunks = by_message(carried, |(_, record)| record.bytes());
        while !chunks.is_empty() {
            let messages = chunks.iter().map(|chunk| self.records_message(chunk, &sending, run)).collect();
            let failures: BTreeMap<usize, CallFailure> = self.send_to_work(messages, run).await.into_iter().collect();
            for (at, chunk) in std::mem::take(&mut chunks).into_iter().enumerate() {
                match (failures.get(&at), chunk.as_slice()) {
                    (None, _) => sent += chunk.len(),
                    (Some(failure), [(place, _)]) if failure.is_permanent() => {
                        unsent.refuse(*place, failure.words(OPERATION));
                    }
                    (Some(failure), _) if failure.is_permanent() => {
                        chunks.extend(chunk.into_iter().map(|record| vec![record]));
                    }
                    (Some(failure), _) => unsent.fail(failure.words(OPERATION)),
                }
            }
        }
        if unsent == NotSent::default() { Ok(sent) } else { Err(NotSent { sent, ..unsent }) }
    }

    fn records_message(&self, chunk: &[(usize, Carried)], sending: &Sending, run: &RunOptions) -> Outgoing {
        let &Sending { origin, publish, ref records_of, redrives, adopt_before } = sending;
        let (mut records, mut objects) = (Vec::new(), Vec::new());
        for (_, carried) in chunk {
            match carried {
                Carried::Record(record) => records.push(record.clone()),
                Carried::Object(object) => objects.push(object.clone()),
            }
        }
        let records_of = records_of.clone();
        let work = Work::Records(work::Records { origin, publish, records, objects, records_of, adopt_before });
        let message = WorkMessage::new(&self.model, &self.settings.table, 0, run.now, work);
        self.outgoing(&WorkMessage { redrives, ..message }, false)
    }
}

impl Instep {
    /// Sends records to the work queue. Returns how many were sent.
    ///
    /// # Errors
    /// Some were not sent.
    pub async fn send_records(
        &self,
        records: &[Box<RawValue>],
        sending: Sending,
        run: &RunOptions,
    ) -> Result<usize, NotSent> {
        self.queue.send_records(records, sending, run).await
    }
}

/// A record as a message has it.
enum Carried {
    Record(Box<RawValue>),
    Object(S3Object),
}

impl Carried {
    fn bytes(&self) -> usize {
        match self {
            Self::Record(record) => record.get().len(),
            Self::Object(S3Object { bucket, key }) => bucket.len() + key.len(),
        }
    }
}

/// Puts what one call sends into messages, in its order.
pub(crate) fn by_message<T>(all: Vec<T>, bytes_of: impl Fn(&T) -> usize) -> Vec<Vec<T>> {
    chunked(all, work::OBJECTS_MAX, BODY_BYTES_GOAL, bytes_of)
}

/// What came of an effect whose message was not sent.
fn not_sent(failure: &CallFailure) -> Applied {
    let words = failure.words(OPERATION);
    if failure.is_permanent() {
        let reason = format!("{words}: the work queue never accepts what follows from it; write a smaller item");
        return Applied::Refused { code: "message-refused", reason };
    }
    Applied::Failed(words)
}
