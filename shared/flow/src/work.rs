//! Work messages: the work that a run sends to the work queue instead of doing it.
//!
//! A run changes what its records and messages name, and a bounded amount that follows from it. The work
//! queue delivers a message until a run over it succeeds, or moves it to the dead-letter queue. So no work is kept only in memory.

mod bad_message;

use std::collections::BTreeMap;

use instep_contract::S3Object;
use instep_model::{Item, Key, Model, Names, Object};
use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;
use sha2::{Digest as _, Sha256};

use crate::bookkeeping;
use crate::due::Come;
use crate::find::{self, LinkQuery};
use crate::read::Membership;
use crate::reads::Cursor;
use crate::sweep::SweepWork;

pub use bad_message::BadMessage;
pub use instep_contract::Origin;

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

/// The number of bytes of a query's fingerprint.
const FINGERPRINT_BYTES: usize = 8;

/// A message on the work queue.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct WorkMessage {
    /// [`WORK_VERSION`].
    pub version: String,
    /// The model's name.
    pub model: String,
    /// The table's name.
    pub table: String,
    /// The number of runs, one after another, that led to this message.
    pub hops: u32,
    /// How often an event source mapping has redriven this work from the queue of parked records.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub redrives: u32,
    /// It replaces an earlier message, or was redriven: a run may have done some of it.
    #[serde(default, skip_serializing_if = "is_false")]
    pub again: bool,
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
    Extra(Extra),
    /// Start a sweep, or do its next step.
    Sweep(SweepWork),
}

/// What a sweep has found in Cognito or among the bookkeeping items, and the table does not imply. The
/// run decides by what it reads.
#[derive(Debug, Clone, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Extra {
    /// Memberships.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub members: Vec<Membership>,
    /// Groups that were created on demand.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub groups: Vec<String>,
    /// Bookkeeping items.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub entries: Vec<Key>,
    /// Children whose parent was deleted.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub orphans: Vec<Key>,
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
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub come: Option<Come>,
    /// Cognito may have its user or groups although the table does not imply them: a sweep has found
    /// that. The run deletes them, unless the table implies them when it reads.
    #[serde(default, skip_serializing_if = "is_false")]
    pub extra: bool,
}

/// The dependents of an object.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct Dependents {
    /// Its item type's name.
    #[serde(rename = "type")]
    pub of: String,
    /// The names in its key.
    pub names: Names,
    /// Where to continue. `None` starts with the first page of every link.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub place: Option<Place>,
    /// Only the dependents that are found through an index, after the index has caught up.
    #[serde(default, skip_serializing_if = "is_false")]
    pub late: bool,
    /// Only the Cognito groups that were created on demand for items of a deleted object.
    #[serde(default, skip_serializing_if = "is_false")]
    pub groups: bool,
}

/// A position in the dependents of an object.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct Place {
    /// The item type of the dependents.
    pub from: String,
    /// The query, as a fingerprint of its link and templates.
    pub query: String,
    /// The last row of the previous page.
    pub after: Cursor,
}

/// Stream records that are to be handled again.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Records {
    /// Where they were delivered from.
    pub origin: Origin,
    /// The records, in Lambda's shape.
    pub records: Vec<Box<RawValue>>,
    /// Records that are too large for a message, in a bucket.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub objects: Vec<S3Object>,
    /// The table of the records, if the sender's settings name another one than the deployment's
    /// own.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub records_of: Option<String>,
    /// Whether their events are published. A backfill publishes nothing, because its items were not
    /// written now.
    #[serde(default = "yes", skip_serializing_if = "is_true")]
    pub publish: bool,
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde passes fields by reference")]
pub(crate) const fn is_false(flag: &bool) -> bool {
    !*flag
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde passes fields by reference")]
const fn is_true(flag: &bool) -> bool {
    *flag
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde passes fields by reference")]
const fn is_zero(count: &u32) -> bool {
    *count == 0
}

const fn yes() -> bool {
    true
}

impl Work {
    /// What the message asks for, in item types and numbers.
    #[must_use]
    pub fn summary(&self) -> String {
        match self {
            Self::Reconcile(objects) if objects.iter().all(|object| object.come.is_some()) => {
                format!("reconcile {}, whose time has come", counted(objects))
            }
            Self::Reconcile(objects) => format!("reconcile {}", counted(objects)),
            Self::Dependents(dependents) => dependents.summary(),
            Self::Extra(extra) => extra.summary(),
            Self::Sweep(sweep) => sweep.summary(),
            Self::Records(records) => format!("handle {} records", records.count()),
        }
    }

    fn divided(self, handled: usize) -> Vec<Self> {
        match self {
            Self::Records(records) => records.divided(handled).into_iter().map(Self::Records).collect(),
            Self::Reconcile(objects) => halves(objects).into_iter().map(Self::Reconcile).collect(),
            Self::Extra(extra) => extra.divided().into_iter().map(Self::Extra).collect(),
            // A run handles only so many dependents, and a step of a sweep ends in time by itself.
            Self::Dependents(_) | Self::Sweep(_) => Vec::new(),
        }
    }
}

/// How often a message was redriven, as it says, even if it cannot be handled.
#[must_use]
pub fn redrives_of(text: &str) -> u32 {
    #[derive(Deserialize)]
    struct Redriven {
        #[serde(default)]
        redrives: u32,
    }
    serde_json::from_str(text).map_or(0, |Redriven { redrives }| redrives)
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

impl Records {
    /// The number of records.
    #[must_use]
    pub fn count(&self) -> usize {
        self.records.len() + self.objects.len()
    }

    /// What is left after the first `handled` records, or if there are none, two halves.
    fn divided(mut self, handled: usize) -> Vec<Self> {
        let at = if handled == 0 { self.count() / 2 } else { handled };
        if at == 0 || at >= self.count() {
            return Vec::new();
        }
        let of_objects = at.saturating_sub(self.records.len());
        let records = self.records.split_off(at.min(self.records.len()));
        let objects = self.objects.split_off(of_objects);
        let rest = Self { records, objects, records_of: self.records_of.clone(), ..self };
        if handled == 0 { vec![self, rest] } else { vec![rest] }
    }
}

/// How many objects of each type there are.
#[must_use]
pub fn counted(objects: &[NamedObject]) -> String {
    let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
    for object in objects {
        *counts.entry(object.of.as_str()).or_default() += 1;
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
            come: None,
            extra: false,
        }
    }

    /// The object in this model. `None` if the model has no such item type.
    #[must_use]
    pub fn object(&self, model: &Model) -> Option<Object> {
        object(model, &self.of, &self.names)
    }
}

impl Extra {
    fn summary(&self) -> String {
        let Self { members, groups, entries, orphans } = self;
        format!(
            "delete what is left over of {} memberships, {} groups, {} bookkeeping items, {} children",
            members.len(),
            groups.len(),
            entries.len(),
            orphans.len()
        )
    }

    /// Two halves, or nothing if it names fewer than two things.
    fn divided(self) -> Vec<Self> {
        let Self { members, groups, entries, orphans } = self;
        let members = members.into_iter().map(|member| Self { members: vec![member], ..Self::default() });
        let groups = groups.into_iter().map(|group| Self { groups: vec![group], ..Self::default() });
        let entries = entries.into_iter().map(|entry| Self { entries: vec![entry], ..Self::default() });
        let orphans = orphans.into_iter().map(|orphan| Self { orphans: vec![orphan], ..Self::default() });
        let all: Vec<Self> = members.chain(groups).chain(entries).chain(orphans).collect();
        halves(all).into_iter().map(|half| half.into_iter().fold(Self::default(), Self::with)).collect()
    }

    /// All that two messages name.
    #[must_use]
    pub fn with(mut self, other: Self) -> Self {
        self.members.extend(other.members);
        self.groups.extend(other.groups);
        self.entries.extend(other.entries);
        self.orphans.extend(other.orphans);
        self
    }

    /// Whether it names nothing.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.members.is_empty() && self.groups.is_empty() && self.entries.is_empty() && self.orphans.is_empty()
    }
}

impl Dependents {
    /// What the message asks for.
    #[must_use]
    pub fn summary(&self) -> String {
        let later = if self.late { ", once indexes have caught up" } else { "" };
        let what = if self.groups { "groups on demand" } else { "dependents" };
        format!("{what} of a {}{later}", self.of)
    }

    /// The dependents of an object, from the first page on.
    #[must_use]
    pub fn of(model: &Model, object: &Object) -> Self {
        let of = model.item(object.of).stable_name().to_owned();
        Self { of, names: object.names.clone(), place: None, late: false, groups: false }
    }

    /// The object in this model. `None` if the model has no such item type.
    #[must_use]
    pub fn object(&self, model: &Model) -> Option<Object> {
        object(model, &self.of, &self.names)
    }

    /// The query to continue with, and the row to continue after. The inner `None` means every
    /// query of every link. The outer `None` means that the model has no such query.
    #[must_use]
    pub fn start(&self, model: &Model, object: &Object) -> Option<Option<(LinkQuery, Cursor)>> {
        let Some(place) = &self.place else { return Some(None) };
        let from = model.type_named(&place.from)?;
        let links = model.links_to(object.of).filter(|(_, link)| link.from == from);
        let mut queries = links.flat_map(|(link, _)| find::queries(model, link));
        // A query of an earlier model may be none of this one.
        let query = queries.find(|query| fingerprint(model, *query) == place.query)?;
        Some(Some((query, place.after.clone())))
    }
}

impl Place {
    /// A position in the rows of a query.
    #[must_use]
    pub fn new(model: &Model, query: LinkQuery, after: Cursor) -> Self {
        let from = model.item(model.link(query.link).from).stable_name().to_owned();
        Self { from, query: fingerprint(model, query), after }
    }
}

/// A fingerprint of a query: the same wherever its link stands in the model.
fn fingerprint(model: &Model, query: LinkQuery) -> String {
    let name = model.query_name(model.link(query.link), query.nth);
    bookkeeping::hex(Sha256::digest(name.as_bytes()).get(..FINGERPRINT_BYTES).unwrap_or_default())
}

/// The object that a message names. `None` if the model has no such item type, or none with these
/// names in its key.
fn object(model: &Model, of: &str, names: &Names) -> Option<Object> {
    let of = model.type_named(of)?;
    let has_form = model.item(of).forms.iter().any(|form| form.names.iter().eq(names.keys()));
    has_form.then(|| Object { of, names: names.clone() })
}

impl WorkMessage {
    /// A message.
    #[must_use]
    pub fn new(model: &Model, table: &str, hops: u32, work: Work) -> Self {
        let (version, model, table) = (WORK_VERSION.to_owned(), model.name.clone(), table.to_owned());
        Self { version, model, table, hops, redrives: 0, again: false, work }
    }

    /// A message that replaces this one.
    #[must_use]
    pub fn again(self) -> Self {
        Self { again: true, ..self }
    }

    /// Smaller messages for what is left after a run that has handled the first records: the rest, or
    /// if nothing is handled, two halves. Empty if the message cannot be divided.
    #[must_use]
    pub fn divided(self, handled: usize) -> Vec<Self> {
        let Self { version, model, table, hops, redrives, again: _, work } = self;
        let part = |work| {
            let (version, model, table) = (version.clone(), model.clone(), table.clone());
            Self { version, model, table, hops, redrives, again: true, work }
        };
        work.divided(handled).into_iter().map(part).collect()
    }

    /// Parses a message for this model and table.
    ///
    /// # Errors
    /// Why the message cannot be handled, without quotes from its images.
    pub fn parse(model: &Model, table: &str, text: &str) -> Result<Self, BadMessage> {
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
        let message: Self = serde_json::from_str(text).map_err(malformed)?;
        if message.model != model.name || message.table != table {
            return Err(BadMessage::Elsewhere { model: message.model, table: message.table });
        }
        if message.hops > HOPS_MAX {
            return Err(BadMessage::Endless(message.hops));
        }
        if let Some(unknown) = message.unknown(model) {
            return Err(BadMessage::Unknown(unknown));
        }
        Ok(message)
    }

    fn unknown(&self, model: &Model) -> Option<String> {
        match &self.work {
            Work::Reconcile(objects) => {
                objects.iter().find(|object| object.object(model).is_none()).map(|object| object.of.clone())
            }
            Work::Dependents(dependents) => {
                let object = dependents.object(model);
                let start = object.and_then(|object| dependents.start(model, &object));
                start.is_none().then(|| dependents.of.clone())
            }
            Work::Records(_) | Work::Extra(_) | Work::Sweep(_) => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use instep_model::Model;
    use serde_json::{Value, json};

    use super::*;

    fn records(count: usize, kept: usize) -> Work {
        let record = |place: usize| RawValue::from_string(place.to_string()).unwrap();
        let object = |place: usize| serde_json::from_value(json!({"bucket": "b", "key": place.to_string()})).unwrap();
        let (records, objects) = ((0..count).map(record).collect(), (count..count + kept).map(object).collect());
        Work::Records(Records { origin: Origin::Failed, records, objects, records_of: None, publish: true })
    }

    /// Parts of a message that has `work`, after `handled` of its records were handled.
    fn parts(work: Work, handled: usize) -> Vec<Value> {
        let model = Model::shipped("platform").unwrap();
        let message = WorkMessage { redrives: 2, ..WorkMessage::new(&model, "table", 7, work) };
        let parts = message.divided(handled);
        let parts: Vec<Value> = parts.iter().map(|part| serde_json::to_value(part).unwrap()).collect();
        assert!(parts.iter().all(|part| part["again"] == true && part["hops"] == 7 && part["redrives"] == 2));
        parts
    }

    /// Promise 6: the parts have exactly what is left.
    #[test]
    fn the_parts_of_a_message_have_what_is_left() {
        let numbers = |part: &Value| {
            let [all, kept] = ["records", "objects"].map(|name| part["work"]["records"][name].as_array().cloned());
            let kept = kept.into_iter().flatten().map(|object| object["key"].as_str().unwrap().parse().unwrap());
            all.into_iter().flatten().map(|record| record.as_u64().unwrap()).chain(kept).collect::<Vec<u64>>()
        };
        for (count, kept) in [(0, 3), (1, 0), (1, 1), (2, 0), (3, 2), (25, 0)] {
            for handled in 0..count + kept {
                let parts: Vec<Vec<u64>> = parts(records(count, kept), handled).iter().map(numbers).collect();
                if count + kept == 1 {
                    assert!(parts.is_empty(), "one record cannot be divided");
                    continue;
                }
                assert_eq!(parts.concat(), (handled as u64..(count + kept) as u64).collect::<Vec<u64>>());
                assert_eq!(parts.len(), if handled == 0 { 2 } else { 1 });
                assert!(parts.iter().all(|part| !part.is_empty()));
            }
        }
    }

    #[test]
    fn objects_and_what_a_sweep_has_found_are_halved() {
        let object = |id: &str| json!({"type": "T", "names": {"id": id}});
        let work = |work: Value| serde_json::from_value::<Work>(work).unwrap();
        let halves = parts(work(json!({"reconcile": [object("a"), object("b"), object("c")]})), 0);
        let works: Vec<&Value> = halves.iter().map(|half| &half["work"]).collect();
        assert_eq!(works, [&json!({"reconcile": [object("a")]}), &json!({"reconcile": [object("b"), object("c")]})]);
        assert!(parts(work(json!({"reconcile": [object("a")]})), 0).is_empty());
        let halves = parts(work(json!({"extra": {"groups": ["a", "b"], "members": [{"user": "u", "group": "a"}]}})), 0);
        let works: Vec<&Value> = halves.iter().map(|half| &half["work"]).collect();
        let first = json!({"extra": {"members": [{"user": "u", "group": "a"}]}});
        assert_eq!(works, [&first, &json!({"extra": {"groups": ["a", "b"]}})]);
    }
}
