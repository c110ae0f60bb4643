//! Work messages: the work that a run sends to the work queue instead of doing it.
//!
//! A run changes what its records and messages name, and a bounded amount that follows from it. The work
//! queue delivers a message until a run over it succeeds, or moves it to the dead-letter queue. So no work is kept
//! only in memory.

mod bad_message;
mod dependents;
mod extra;
mod masked;
mod records;

use std::collections::BTreeMap;

use instep_contract::S3Object;
use instep_model::{Item, Link, Model, Names, Object, UserValue};
use jiff::{SignedDuration, Timestamp};
use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;

use crate::bookkeeping;
use crate::doubt::Doubt;
use crate::due::{ArrivedMoment, MomentKind};
use crate::former_models::FormerModels;
use crate::stream_record::RecordPlace;

pub use bad_message::BadMessage;
pub use dependents::{Dependents, Extent, PageCursor, Which};
pub use extra::Leftovers;
pub use instep_contract::Origin;
pub use records::Records;

/// The version of the messages. A message of another version is parked.
pub const WORK_VERSION: &str = "1";

/// The maximum number of objects in a message: each may need several calls to Cognito, whose rate
/// is limited.
pub const OBJECTS_MAX: usize = 25;

/// The maximum number of times that work may lead to further work. A message with more hops is
/// parked: no sequence of writes needs more than a few, so a longer chain is a bug. INVARIANT 8.
/// The pages of one fan-out or cascade count as one hop: their number is bounded by the number of
/// rows.
pub const HOPS_MAX: u32 = 100;

/// How long after it was sent a message may delete what only its age shows to be left over. The work queue delivers a
/// message 30 times, 12 minutes apart (`WorkQueue` in the template). One that is older was redriven or copied, or has
/// waited behind other work all that time.
const LIVE: SignedDuration = SignedDuration::from_hours(6);

/// How much the clock of a sender may be ahead.
const CLOCK_SKEW: SignedDuration = SignedDuration::from_mins(5);

/// Whether what happened at `since` is recent enough that nothing written after it is taken for older. INVARIANT 2: an
/// unknown time is not, nor is one in the future.
#[must_use]
pub fn is_live(since: Option<Timestamp>, now: Timestamp) -> bool {
    since.is_some_and(|since| (-CLOCK_SKEW..=LIVE).contains(&now.duration_since(since)))
}

/// A message on the work queue.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct WorkMessage {
    /// [`WORK_VERSION`].
    pub version: String,
    /// The model's name.
    pub model: String,
    /// The hash of the sender's model. Empty in a message of an earlier version.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub model_hash: String,
    /// The table's name.
    pub table: String,
    /// The number of runs, one after another, that led to this message. If the message is kept in the bucket, the
    /// count is that of the message that points to it: a redrive sets that one to zero, and the object stays as it is.
    pub hops: u32,
    /// When it was sent. A copy and a redriven message keep the time. `None` in a message of an earlier version.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub sent_at: Option<Timestamp>,
    /// How often an event source mapping has redriven this work from the queue of parked records.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub redrives: u32,
    /// What a run may have done of it. Any of it, if it was redriven, or replaces a message that was, that was received
    /// more than once, or that names no objects. If it replaces one that names objects, those that the run may have
    /// touched have a [`NamedObject::doubt`], here or in another message.
    #[serde(default, skip_serializing_if = "Doubt::is_sure")]
    pub doubt: Doubt,
    /// What is to be done.
    pub work: Work,
}

/// What a message asks for.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum Work {
    /// Reconcile these objects.
    Reconcile(Vec<NamedObject>),
    /// Continue with the dependents of an object: delete a page of them if the object is deleted,
    /// or send a page of them to the work queue if it exists.
    Dependents(Dependents),
    /// Handle these stream records again: a replay or a redrive.
    Records(Records),
    /// Delete what of this the table does not imply: a sweep has found it.
    Extra(Leftovers),
    /// Do what the message in this object asks for: it is too large for the queue.
    Kept(S3Object),
}

/// An object that a message names.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct NamedObject {
    /// Its item type's name.
    #[serde(rename = "type")]
    pub of: String,
    /// The names in its key.
    pub names: Names,
    /// The attributes on which memberships depend, from the image that led to the message. A run
    /// over the message may grant the memberships that the image names.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub image: Option<Item>,
    /// The message was delayed until indexes had caught up, so the object is not sent again for
    /// that reason.
    #[serde(default, skip_serializing_if = "is_false")]
    pub late: bool,
    /// A moment of the object that has come.
    #[serde(default, rename = "come", skip_serializing_if = "Option::is_none")]
    pub moment: Option<ArrivedMoment>,
    /// An earlier run may have created or deleted its user or groups, or a group on demand, or a sweep has
    /// found its user or groups in Cognito. The run deletes those that the table does not imply, and sends the
    /// dependents to the work queue.
    #[serde(default, skip_serializing_if = "Doubt::is_sure")]
    pub doubt: Doubt,
    /// It follows from something that the live stream or the clock has ended, and a membership that the image names may
    /// have to end with that: then its user is signed out, if the model says so.
    #[serde(default, skip_serializing_if = "is_false")]
    pub revokes: bool,
    /// As in [`Records`].
    #[serde(default, rename = "adoptBefore", skip_serializing_if = "Option::is_none")]
    pub adopt_before: Option<Timestamp>,
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde passes fields by reference")]
pub(crate) const fn is_false(flag: &bool) -> bool {
    !*flag
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde passes fields by reference")]
const fn is_zero(count: &u32) -> bool {
    *count == 0
}

impl Work {
    /// What the message asks for, in item types and numbers.
    #[must_use]
    pub fn summary(&self) -> String {
        match self {
            Self::Reconcile(objects) if objects.iter().all(|object| object.moment.is_some()) => {
                format!("reconcile {}, whose time has come", counted(objects))
            }
            Self::Reconcile(objects) => format!("reconcile {}", counted(objects)),
            Self::Dependents(dependents) => dependents.summary(),
            Self::Extra(extra) => extra.summary(),
            Self::Records(records) => format!("handle {} records", records.count()),
            Self::Kept(_) => "a message in the bucket".to_owned(),
        }
    }

    /// Marks the objects that it names and a run may have touched. False if it names none: then all
    /// of it counts as delivered again.
    pub fn mark_unsure(&mut self, model: &Model, mut touches: impl FnMut(&Object, &NamedObject) -> bool) -> bool {
        let Self::Reconcile(objects) = self else { return false };
        for named in objects {
            if named.object(model).is_some_and(|object| touches(&object, named)) {
                named.doubt = Doubt::MayBeDone;
            }
        }
        true
    }

    fn divided(self, handled: usize) -> Vec<Self> {
        match self {
            Self::Records(records) => records.divided(handled).into_iter().map(Self::Records).collect(),
            Self::Reconcile(objects) => halves(objects).into_iter().map(Self::Reconcile).collect(),
            Self::Extra(extra) => extra.divided().into_iter().map(Self::Extra).collect(),
            // A run handles only so many dependents. A message in the bucket names an object and what that needs.
            Self::Dependents(_) | Self::Kept(_) => Vec::new(),
        }
    }
}

/// How often a message was redriven, as it says, even if it cannot be handled.
#[must_use]
pub fn redrives_of(text: &str) -> u32 {
    count_of(text, "redrives")
}

/// The number of runs that led to a message, as it says, even if it cannot be handled.
#[must_use]
pub fn hops_of(text: &str) -> u32 {
    count_of(text, "hops")
}

fn count_of(text: &str, name: &str) -> u32 {
    let fields = serde_json::from_str::<BTreeMap<String, &RawValue>>(text).unwrap_or_default();
    fields.get(name).and_then(|count| serde_json::from_str(count.get()).ok()).unwrap_or_default()
}

/// The text of a message that cannot be handled as it is, with another count of redrives, and of hops if
/// asked to. INVARIANT 8: it may be parked again, and the count limits how often.
#[must_use]
pub fn counted_anew(text: &str, without_hops: bool, redrives: u32) -> String {
    let Ok(mut fields) = serde_json::from_str::<serde_json::Map<String, serde_json::Value>>(text) else {
        return text.to_owned();
    };
    fields.insert("redrives".to_owned(), redrives.into());
    if without_hops {
        fields.insert("hops".to_owned(), 0.into());
    }
    serde_json::Value::Object(fields).to_string()
}

/// Two halves, or nothing if there are fewer than two.
pub(crate) fn halves<T>(mut all: Vec<T>) -> Vec<Vec<T>> {
    if all.len() < 2 {
        return Vec::new();
    }
    let second = all.split_off(all.len() / 2);
    vec![all, second]
}

/// How many objects of each type there are.
#[must_use]
pub fn counted(objects: &[NamedObject]) -> String {
    let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
    for object in objects {
        let of = if object.of == UserValue::TYPE { "account" } else { &object.of };
        *counts.entry(of).or_default() += 1;
    }
    counts.iter().map(|(of, count)| format!("{count} {of}")).collect::<Vec<_>>().join(", ")
}

impl NamedObject {
    /// The object, as a message names it.
    #[must_use]
    pub fn new(model: &Model, object: &Object, image: Option<Item>) -> Self {
        Self {
            of: model.item(object.of).stable_name().to_owned(),
            names: object.names.clone(),
            image,
            late: false,
            moment: None,
            doubt: Doubt::Sure,
            revokes: false,
            adopt_before: None,
        }
    }

    /// What the item of a moment says. `None` if Instep did not write it.
    #[must_use]
    pub fn of_moment(item: &Item) -> Option<Self> {
        let fields = bookkeeping::fields(item)?;
        let text = |name: &str| fields.get(name)?.as_s();
        let kind = MomentKind::ALL.into_iter().find(|kind| Some(kind.word()) == text("turn"))?;
        let epoch = text("epoch").unwrap_or_default().to_owned();
        let place = RecordPlace { epoch, sequence: text("sequence")?.to_owned() };
        let moment = ArrivedMoment { at: text("at")?.parse().ok()?, kind, place };
        Some(Self {
            of: text("of")?.to_owned(),
            names: bookkeeping::names(fields.get("names")?)?,
            image: bookkeeping::image_of_moment(fields),
            late: false,
            moment: Some(moment),
            doubt: Doubt::Sure,
            revokes: false,
            adopt_before: None,
        })
    }

    /// Whether it says that a `due` rule applies now. Then a run does that for the object, and nothing else,
    /// unless another message names it, too.
    #[must_use]
    pub fn is_of_rule(&self) -> bool {
        is_of_rule(self.moment.as_ref())
    }

    /// The object in this model. `None` if the model has no such item type.
    #[must_use]
    pub fn object(&self, model: &Model) -> Option<Object> {
        object(model, &self.of, &self.names)
    }
}

/// Whether a moment is that of a `due` rule.
pub(crate) fn is_of_rule(moment: Option<&ArrivedMoment>) -> bool {
    moment.is_some_and(|moment| moment.kind == MomentKind::Rule)
}

/// The object that a message names. `None` if the model has no such item type, or none with these
/// names in its key.
fn object(model: &Model, of: &str, names: &Names) -> Option<Object> {
    let of = model.type_named(of)?;
    let has_form = model.item(of).forms.iter().any(|form| form.names.iter().eq(names.keys()));
    // Some items know it by names beside its key.
    let has_others = || {
        let is_known = |link: &Link| {
            !link.beside_key.is_empty()
                && link.beside_key.iter().all(|name| names.contains_key(name))
                && names.keys().all(|name| link.names.contains_key(name))
        };
        model.links_to(of).any(|(_, link)| is_known(link))
    };
    (has_form || has_others()).then(|| Object { of, names: names.clone() })
}

impl WorkMessage {
    /// A message.
    #[must_use]
    pub fn new(model: &Model, table: &str, hops: u32, now: Timestamp, work: Work) -> Self {
        let (version, model_hash, table) = (WORK_VERSION.to_owned(), model.text_hash(), table.to_owned());
        let (model, sent_at) = (model.name.clone(), Some(now));
        Self { version, model, model_hash, table, hops, sent_at, redrives: 0, doubt: Doubt::Sure, work }
    }

    /// A message that replaces this one after a run. It is as new as the run, unless this one was old.
    /// `touches` says whether the run may have created or deleted the user or groups of an object, or some
    /// of its memberships.
    #[must_use]
    pub fn replaced(
        mut self,
        model: &Model,
        now: Timestamp,
        touches: impl FnMut(&Object, &NamedObject) -> bool,
    ) -> Self {
        let is_marked = self.work.mark_unsure(model, touches);
        let sent_at = if is_live(self.sent_at, now) { Some(now) } else { self.sent_at };
        let replaces = if is_marked { Doubt::Replaces } else { Doubt::MayBeDone };
        Self { doubt: self.doubt.max(replaces), sent_at, ..self }
    }

    /// Smaller messages for what is left after a run that has handled the first records: the rest, or
    /// if nothing is handled, two halves. Empty if the message cannot be divided.
    #[must_use]
    pub fn divided(self, handled: usize) -> Vec<Self> {
        let Self { version, model, model_hash, table, hops, sent_at, redrives, doubt, work } = self;
        let part = |work| {
            let (version, model, table) = (version.clone(), model.clone(), table.clone());
            Self { version, model, model_hash: model_hash.clone(), table, hops, sent_at, redrives, doubt, work }
        };
        work.divided(handled).into_iter().map(part).collect()
    }

    /// Parses a message for this model and table.
    ///
    /// # Errors
    /// Why the message cannot be handled, without quotes from its images.
    pub fn parse(model: &Model, table: &str, text: &str) -> Result<Self, BadMessage> {
        Self::parse_looking_back(model, &FormerModels::default(), table, text)
    }

    /// As [`WorkMessage::parse`], also for what only former models know. The deployed model makes nothing of that.
    ///
    /// # Errors
    /// As those of [`WorkMessage::parse`].
    pub fn parse_looking_back(
        model: &Model,
        former: &FormerModels,
        table: &str,
        text: &str,
    ) -> Result<Self, BadMessage> {
        let message = Self::parse_kept(model, former, table, text)?;
        if message.hops > HOPS_MAX {
            return Err(BadMessage::Endless(message.hops));
        }
        Ok(message)
    }

    /// As [`WorkMessage::parse`], for the text of a message in the bucket, whose [`WorkMessage::hops`] do not count.
    ///
    /// # Errors
    /// As those of [`WorkMessage::parse`].
    pub fn parse_kept(model: &Model, former: &FormerModels, table: &str, text: &str) -> Result<Self, BadMessage> {
        #[derive(Deserialize)]
        struct Header {
            version: String,
        }
        let malformed = |error: serde_json::Error| {
            BadMessage::Malformed(format!("invalid at line {}, column {}", error.line(), error.column()))
        };
        let header: Header = serde_json::from_str(text).map_err(malformed)?;
        if header.version != WORK_VERSION {
            return Err(BadMessage::Version(header.version));
        }
        let mut message: Self = serde_json::from_str(text).map_err(malformed)?;
        if message.model != model.name || message.table != table {
            return Err(BadMessage::Elsewhere { model: message.model, table: message.table });
        }
        if !message.work.remove_masked(model) {
            return Err(BadMessage::Masked);
        }
        let Some(unknown) = message.unknown(model, former) else { return Ok(message) };
        let is_foreign = |hash: &str| !hash.is_empty() && hash != model.text_hash() && !former.has(hash);
        Err(if is_foreign(&message.model_hash) { BadMessage::Later(unknown) } else { BadMessage::Unknown(unknown) })
    }

    /// The type of something that neither the model nor a former one has.
    fn unknown(&self, model: &Model, former: &FormerModels) -> Option<String> {
        let mut models = [model].into_iter().chain(former.all());
        match &self.work {
            Work::Reconcile(objects) => {
                let is_known = |named: &&NamedObject| models.clone().any(|model| named.object(model).is_some());
                objects.iter().find(|named| !is_known(named)).map(|named| named.of.clone())
            }
            Work::Dependents(dependents) => {
                (!models.any(|model| dependents.is_known(model))).then(|| dependents.of.clone())
            }
            Work::Records(_) | Work::Extra(_) | Work::Kept(_) => None,
        }
    }
}

#[cfg(test)]
mod tests;
