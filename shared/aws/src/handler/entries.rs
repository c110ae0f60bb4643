//! The entries of a batch: stream records, and the objects of work messages.

use std::borrow::Cow;
use std::collections::BTreeSet;
use std::sync::Arc;

use instep_contract::{Provenance, S3Object};
use instep_flow::answers::{Asks, View};
use instep_flow::decode::{Change, Decoded, Reject, decode};
use instep_flow::doubt::Doubt;
use instep_flow::entries::EntryId;
use instep_flow::former_models::FormerModels;
use instep_flow::look_back::ShownItem;
use instep_flow::plan::{Delivery, Plan};
use instep_flow::work::{self, BadMessage, NamedObject, Origin, Records, Work, WorkMessage};
use instep_model::{Identity, Key, Model, Object};
use jiff::Timestamp;
use serde_json::value::RawValue;

use crate::instep::Instep;
use crate::run_options::RunOptions;

/// A message that a queue delivered.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct QueueMessage {
    /// Its id.
    pub id: String,
    /// Its text.
    pub body: String,
    /// How often the queue has delivered it, including this time: `ApproximateReceiveCount`.
    pub receives: u32,
}

/// The history of an entry.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct History {
    /// The number of runs that led to it, each of which sent work to the next.
    pub(super) hops: u32,
    /// How often an event source mapping has redriven it.
    pub(super) redrives: u32,
}

/// One entry of a batch.
#[derive(Debug, Clone)]
pub(super) enum BatchEntry<'r> {
    /// A stream record.
    Record { raw: Cow<'r, RawValue>, delivery: Delivery, history: History, records_of: Option<String>, publish: bool },
    /// The work of a work message.
    Work { work: Work, doubt: Doubt, is_live: bool, history: History, raw: Box<RawValue> },
    /// A message that cannot be handled.
    Bad { error: BadMessage, history: History, raw: Box<RawValue> },
    /// A record that could not be fetched, because a service failed.
    Unread { why: String, doubt: Doubt, history: History, raw: Box<RawValue> },
}

impl<'r> BatchEntry<'r> {
    pub(super) fn stream(raw: &'r RawValue) -> Self {
        Self::Record {
            raw: Cow::Borrowed(raw),
            delivery: Delivery::STREAM,
            history: History::default(),
            records_of: None,
            publish: true,
        }
    }

    /// The entry in a further attempt of an invocation: the one before may have done some of it, as `touches`
    /// says. What came from the stream needs no such note, because its images say what may be there.
    pub(super) fn again(&self, model: &Model, touches: impl FnMut(&Object, &NamedObject) -> bool) -> Self {
        let mut again = self.clone();
        match &mut again {
            Self::Record { delivery, .. } if delivery.origin != Origin::Stream => delivery.doubt = Doubt::MayBeDone,
            Self::Work { work, doubt, .. } => {
                if !work.mark_unsure(model, touches) {
                    *doubt = Doubt::MayBeDone;
                }
            }
            Self::Record { .. } | Self::Bad { .. } | Self::Unread { .. } => {}
        }
        again
    }

    /// Whether its message was delivered before, or replaces one that was.
    pub(super) const fn was_delivered_before(&self) -> bool {
        match self {
            Self::Record { delivery: Delivery { doubt, .. }, .. }
            | Self::Work { doubt, .. }
            | Self::Unread { doubt, .. } => !doubt.is_sure(),
            Self::Bad { .. } => false,
        }
    }

    pub(super) fn history(&self) -> History {
        match self {
            Self::Record { history, .. }
            | Self::Work { history, .. }
            | Self::Bad { history, .. }
            | Self::Unread { history, .. } => *history,
        }
    }

    pub(super) fn raw(&self) -> &RawValue {
        match self {
            Self::Record { raw, .. } => raw,
            Self::Work { raw, .. } | Self::Bad { raw, .. } | Self::Unread { raw, .. } => raw,
        }
    }

    /// The objects that a message names.
    pub(super) const fn named(&self) -> &[NamedObject] {
        if let Self::Work { work: Work::Reconcile(objects), .. } = self { objects.as_slice() } else { &[] }
    }

    /// The moments that have come, as a message says.
    pub(super) fn moments(&self) -> impl Iterator<Item = Timestamp> {
        self.named().iter().filter_map(|named| Some(named.moment.as_ref()?.at))
    }

    /// The record's origin. A message that names objects comes from this deployment.
    pub(super) const fn origin(&self) -> Origin {
        match self {
            Self::Record { delivery, .. } => delivery.origin,
            Self::Work { .. } | Self::Bad { .. } | Self::Unread { .. } => Origin::Failed,
        }
    }

    /// Where its record came from, if it is parked. A work message says that by itself.
    pub(super) fn provenance(&self) -> Provenance {
        let Self::Record { delivery, records_of, publish, .. } = self else { return Provenance::default() };
        let origin = (delivery.origin == Origin::Captured).then_some(Origin::Captured);
        Provenance { origin, publish: *publish, records_of: records_of.clone() }
    }

    pub(super) const fn is_published(&self) -> bool {
        matches!(self, Self::Record { publish: true, .. })
    }

    fn decode(&self, model: &Model, records_of: Option<&str>) -> Meaning {
        match self {
            Self::Record { raw, records_of: own, .. } => {
                Meaning::Record(decode(model, own.as_deref().or(records_of), raw))
            }
            // INVARIANT 2: what was left over then may have been written since. The next sweep finds it anew.
            Self::Work { work: Work::Extra(_), is_live: false, .. } => Meaning::Record(Ok(Decoded::Nothing(
                "a sweep found it too long ago: the next sweep finds what is left",
            ))),
            Self::Work { .. } => Meaning::Work,
            Self::Unread { why, .. } => Meaning::Unread(why.clone()),
            Self::Bad { error, .. } => {
                Meaning::Record(Err(Reject { code: error.code(), reason: error.to_string(), change: None, key: None }))
            }
        }
    }
}

/// The meaning of an entry.
pub(super) enum Meaning {
    /// A record, or why it cannot be handled.
    Record(Result<Decoded, Reject>),
    /// A work message.
    Work,
    /// It could not be fetched.
    Unread(String),
}

impl Meaning {
    /// What a record says of an item that the model describes, whatever else is wrong with it.
    fn change(&self) -> Option<&Arc<Change>> {
        match self {
            Self::Record(Ok(Decoded::Change(change))) => Some(change),
            Self::Record(Err(reject)) => reject.change.as_ref(),
            Self::Record(Ok(Decoded::Nothing(_) | Decoded::Bookkeeping(_))) | Self::Work | Self::Unread(_) => None,
        }
    }
}

impl Instep {
    /// The entries of a message. `None`: it is for a process with another model. The processes of a deployment are replaced
    /// one after another.
    pub(super) async fn entries_of(
        &self,
        message: &QueueMessage,
        run: &RunOptions,
    ) -> Option<Vec<BatchEntry<'static>>> {
        let text = || text_of(message);
        let bad = |error| {
            let history = History { hops: 0, redrives: work::redrives_of(&message.body) };
            let is_later = matches!(error, BadMessage::Later(_));
            (!is_later).then(|| vec![BatchEntry::Bad { error, history, raw: text() }])
        };
        let (table, former) = (&self.settings.table, self.former_models());
        let parsed = match WorkMessage::parse_looking_back(self.model_of_batches(), former, table, &message.body) {
            Err(error) => return bad(error),
            Ok(parsed) => parsed,
        };
        let doubt = parsed.doubt.max(Doubt::after(message.receives));
        let history = History { hops: parsed.hops, redrives: parsed.redrives };
        let parsed = match self.kept(parsed, run).await {
            Ok(Ok(whole)) => whole,
            Ok(Err(error)) => return bad(error),
            Err(why) => return Some(vec![BatchEntry::Unread { why, doubt, history, raw: text() }]),
        };
        let WorkMessage { hops, redrives, sent_at, work, .. } = parsed;
        let doubt = parsed.doubt.max(doubt);
        let history = History { hops, redrives };
        let Work::Records(Records { origin, records, objects, records_of, publish, adopt_before }) = work else {
            let is_live = work::is_live(sent_at, run.now);
            return Some(vec![BatchEntry::Work { work, doubt, is_live, history, raw: text() }]);
        };
        // INVARIANT 2: no message is from the live stream, whatever it says: its records may be old.
        let origin = if origin == Origin::Stream { Origin::Failed } else { origin };
        let delivery = Delivery { origin, doubt, adopt_before };
        let record = |raw| BatchEntry::Record {
            raw: Cow::Owned(raw),
            delivery,
            history,
            records_of: records_of.clone(),
            publish,
        };
        let mut entries: Vec<BatchEntry> = records.into_iter().map(record).collect();
        for object in objects {
            entries.push(match self.kept_text(object, run).await {
                Ok(Ok(raw)) => record(raw),
                Ok(Err(error)) => BatchEntry::Bad { error, history, raw: text() },
                Err(why) => BatchEntry::Unread { why, doubt, history, raw: text() },
            });
        }
        Some(entries)
    }

    /// The message that a message points to, or the message itself. The inner error says why it can never be
    /// handled, the outer one that a service failed.
    async fn kept(&self, pointer: WorkMessage, run: &RunOptions) -> Result<Result<WorkMessage, BadMessage>, String> {
        let Work::Kept(object) = &pointer.work else { return Ok(Ok(pointer)) };
        let whole = self.kept_text(object.clone(), run).await?.and_then(|text| {
            let table = &self.settings.table;
            let whole = WorkMessage::parse_kept(self.model_of_batches(), self.former_models(), table, text.get())?;
            // INVARIANT 8: a message that points to a message is not Instep's.
            if matches!(whole.work, Work::Kept(_)) { Err(BadMessage::NoRecord(object.clone())) } else { Ok(whole) }
        });
        Ok(whole.map(|whole| WorkMessage {
            hops: pointer.hops,
            redrives: whole.redrives.max(pointer.redrives),
            doubt: whole.doubt.max(pointer.doubt),
            ..whole
        }))
    }

    /// The JSON text of an object. The errors are as those of [`Self::kept`].
    async fn kept_text(&self, object: S3Object, run: &RunOptions) -> Result<Result<Box<RawValue>, BadMessage>, String> {
        match self.read_object(&object, run.deadline).await {
            Ok(bytes) => {
                let text = String::from_utf8(bytes).ok().and_then(|text| RawValue::from_string(text).ok());
                Ok(text.ok_or(BadMessage::NoRecord(object)))
            }
            Err(failure) if failure.is("NoSuchKey") => Ok(Err(BadMessage::Lost(object))),
            Err(failure) => Err(failure.words("GetObject")),
        }
    }

    pub(super) async fn meanings(&self, entries: &[BatchEntry<'_>], run: &RunOptions) -> Vec<Meaning> {
        let records_of = self.settings.records_of.as_deref();
        let meanings = entries.iter().map(|entry| entry.decode(&self.model, records_of)).collect();
        self.fixed_since(entries, meanings, run).await
    }

    /// Rechecks records that asked for something impossible when they were written and are handled
    /// again: their items may have been fixed or deleted. Without this read they would be parked at
    /// every redrive, because a record does not change.
    async fn fixed_since(&self, entries: &[BatchEntry<'_>], meanings: Vec<Meaning>, run: &RunOptions) -> Vec<Meaning> {
        let rejected = |(entry, meaning): (&BatchEntry<'_>, &Meaning)| match meaning {
            Meaning::Record(Err(reject)) if entry.origin() != Origin::Stream => reject.key.clone(),
            Meaning::Record(_) | Meaning::Work | Meaning::Unread(_) => None,
        };
        let keys: BTreeSet<Key> = entries.iter().zip(&meanings).filter_map(rejected).collect();
        if keys.is_empty() {
            return meanings;
        }
        // If the read fails, the record stays rejected.
        let Ok(answers) = self.read(&Asks { keys, ..Asks::default() }, run).await else { return meanings };
        let mut view = View::new(&self.model, &answers);
        let mut recheck = |entry: &BatchEntry<'_>, meaning| match meaning {
            Meaning::Record(Err(reject)) if entry.origin() != Origin::Stream => {
                let present = reject.key.as_ref().and_then(|key| view.item(key).ok()).flatten();
                Meaning::Record(reject.fixed(&self.model, present))
            }
            other @ (Meaning::Record(_) | Meaning::Work | Meaning::Unread(_)) => other,
        };
        entries.iter().zip(meanings).map(|(entry, meaning)| recheck(entry, meaning)).collect()
    }
}

/// A message's text as JSON: unchanged if it is JSON, otherwise as a JSON string.
fn text_of(message: &QueueMessage) -> Box<RawValue> {
    let own = RawValue::from_string(message.body.clone());
    own.or_else(|_| serde_json::value::to_raw_value(&message.body)).unwrap_or_else(|_| RawValue::NULL.to_owned())
}

impl Instep {
    /// Adds to a plan what former models made of the items that entries show.
    pub(super) fn look_back_from(&self, plan: &mut Plan, entries: &[BatchEntry<'_>], meanings: &[Meaning]) {
        let look_back = self.former_models();
        if look_back.all().next().is_none() {
            return;
        }
        for (place, (entry, meaning)) in entries.iter().zip(meanings).enumerate() {
            let id = EntryId(place);
            for named in entry.named() {
                let images: Vec<_> = named.image.iter().collect();
                let object = named.object(&self.model);
                for former in look_back.all() {
                    let Some(was) = named.object(former) else { continue };
                    plan.look_back(
                        id,
                        &self.model,
                        former,
                        &ShownItem { object: object.as_ref(), former: &was, images: images.clone() },
                    );
                }
            }
            match meaning.change() {
                Some(change) => self.look_back_at(plan, id, change, look_back),
                None => self.look_back_at_unknown(plan, id, entry, look_back),
            }
        }
    }

    fn look_back_at(&self, plan: &mut Plan, id: EntryId, change: &Change, look_back: &FormerModels) {
        for former in look_back.at(change.recorded_at) {
            if let Identity::Item { object: was, .. } = former.identify(&change.key) {
                let images = change.old.iter().chain(&change.new).collect();
                plan.look_back(
                    id,
                    &self.model,
                    former,
                    &ShownItem { object: Some(&change.object), former: &was, images },
                );
            }
        }
    }

    /// Looks back from a record whose key only a former model knows.
    fn look_back_at_unknown(&self, plan: &mut Plan, id: EntryId, entry: &BatchEntry<'_>, look_back: &FormerModels) {
        for former in look_back.all() {
            if let Some(change) = entry.decode(former, self.settings.records_of.as_deref()).change() {
                let images = change.old.iter().chain(&change.new).collect();
                plan.look_back(id, &self.model, former, &ShownItem { object: None, former: &change.object, images });
            }
        }
    }
}

/// The plan of a batch: the objects that its entries name.
pub(super) fn plan(model: &Model, entries: &[BatchEntry<'_>], meanings: &[Meaning]) -> Plan {
    let mut plan = Plan::default();
    for (place, (entry, meaning)) in entries.iter().zip(meanings).enumerate() {
        let id = EntryId(place);
        let delivery = match entry {
            BatchEntry::Record { delivery, .. } => *delivery,
            BatchEntry::Work { .. } | BatchEntry::Bad { .. } | BatchEntry::Unread { .. } => Delivery::STREAM,
        };
        match meaning {
            Meaning::Record(Ok(Decoded::Change(change))) => plan.add(model, id, change, delivery),
            Meaning::Record(Ok(Decoded::Bookkeeping(change))) => plan.add_bookkeeping(model, id, change),
            Meaning::Record(Ok(Decoded::Nothing(_))) => {}
            // INVARIANT 6: a bad record affects no other record, and what it revoked is still
            // removed.
            Meaning::Record(Err(reject)) => {
                if let Some(change) = reject.to_reconcile() {
                    plan.add(model, id, change, delivery);
                }
            }
            Meaning::Unread(_) => {}
            Meaning::Work => add_work(model, &mut plan, id, entry),
        }
    }
    plan
}

fn add_work(model: &Model, plan: &mut Plan, id: EntryId, entry: &BatchEntry<'_>) {
    let BatchEntry::Work { work, doubt, is_live, .. } = entry else { return };
    match work {
        Work::Reconcile(objects) => {
            objects.iter().for_each(|object| plan.add_named(model, id, object, *doubt));
        }
        Work::Dependents(dependents) => plan.add_dependents(id, dependents, *doubt, *is_live),
        Work::Extra(extra) => plan.add_extra(id, extra),
        // What a message points to was read.
        Work::Records(_) | Work::Kept(_) => {}
    }
}
