//! The events of one record. They depend on the record and the model, and on nothing else except
//! which claims lost, and the tenant that the items of a grant's subject and scope say.

mod by_time;
mod fit;
mod json;
mod snapshot;
mod update;

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};

use instep_contract::{CONTRACT_VERSION, Cause, Conflict, Data, Detail, EventVerb, ItemKind, Metadata, SnapshotMark};
use instep_model::{EventKind, Grant, Item, ItemType, Model, Object, Scope, Verb, VerbWord, first_value, value_at};
use serde_json::Map;
use sha2::{Digest as _, Sha256};

use crate::bookkeeping::hex;
use crate::change::Change;
use crate::due;
use crate::implied;
use crate::reconcile::LostClaim;
use crate::report::EventEntry;
use crate::resolution::resolved;
use crate::secrets;
use crate::stream_record::padded;
use crate::tenants::{self, Tenants};

pub use by_time::window_events;
use by_time::{all_by_time, closed_before};
pub use fit::DETAIL_BYTES_MAX;
use json::{json, member, note_types};
pub use snapshot::{ChangedSince, Snapshot};

/// The number of bytes of the hash that is an event's id.
const ID_BYTES: usize = 16;

/// How the records of a run are published.
#[derive(Debug, Clone, Copy)]
pub struct Publishing<'a> {
    /// The event bus.
    pub bus: &'a str,
    /// The run is a replay.
    pub replay: bool,
    /// The record is parked.
    pub parked: bool,
    /// The tenants that the run has read for the events of grants.
    pub tenants: &'a Tenants,
    /// The snapshot that the events are of, if they report no change.
    pub snapshot: Option<&'a SnapshotMark>,
}

/// The events of one record, in the order in which they are published. `others` has the items that are under
/// other spellings of its key.
///
/// INVARIANT 4: while another spelling exists, the object exists, and so do the roles that it grants. An event says
/// nothing else.
#[must_use]
pub fn events(
    model: &Model,
    change: &Change,
    conflicts: &[&LostClaim],
    others: &[Item],
    publishing: Publishing<'_>,
) -> Vec<EventEntry> {
    let change = &*secrets::shown(model, change);
    let ty = model.item(change.object.of);
    // A write to the guard itself can also make a claim lose, or get its value. Then the event is about the owner, not
    // about the guard.
    let is_published = |occurrence: &Occurrence<'_>| {
        let of = occurrence.claimant().map_or(ty, |claimant| model.item(claimant.of));
        // Of a grant that gives nothing now, a snapshot knows nothing, and of a claim it knows no end.
        let is_state = publishing.snapshot.is_none() || !matches!(occurrence.verb(), Verb::Updated | Verb::Resolved);
        is_state && of.publish.contains(&occurrence.verb())
    };
    // What time did comes before what the record says.
    let closed = closed_before(model, change);
    let by_time = closed.iter().flat_map(|(_, roles)| roles).cloned().map(Occurrence::Closed).enumerate();
    let mut entries = match &closed {
        Some((closing, _)) => all_by_time(model, closing, by_time, publishing),
        None => Vec::new(),
    };
    let before = entries.len();
    let own: Vec<_> = occurrences(model, ty, change).into_iter().filter(is_published).collect();
    // Which claims lost can differ from run to run. The index of an event stays the same: it is the
    // index of the claim among all claims of the item.
    let claims = match &change.new {
        Some(new) if !conflicts.is_empty() => implied::claims(model, &change.object, new),
        Some(_) | None => BTreeMap::new(),
    };
    let first = own.len();
    let place =
        |conflict: &LostClaim| first + claims.keys().position(|guard| *guard == conflict.guard).unwrap_or_default();
    let lost = conflicts.iter().map(|conflict| (place(conflict), Occurrence::Conflicted(conflict)));
    let kept = roles_of_others(model, ty, change, others);
    let is_so = |(_, occurrence): &(usize, Occurrence<'_>)| match occurrence {
        Occurrence::Deleted => others.is_empty(),
        Occurrence::Revoked(role) => !kept.contains(role),
        Occurrence::Created
        | Occurrence::Updated
        | Occurrence::Granted(_)
        | Occurrence::Opened(_)
        | Occurrence::Closed(_)
        | Occurrence::Resolved(_)
        | Occurrence::Conflicted(_) => true,
    };
    // An event that is left out keeps its place.
    let own = own.into_iter().enumerate().filter(is_so);
    let all = own.chain(lost.filter(|(_, occurrence)| is_published(occurrence)));
    entries.extend(all.filter_map(|(index, occurrence)| entry(model, change, &occurrence, before + index, publishing)));
    entries
}

enum Occurrence<'a> {
    Created,
    Updated,
    Deleted,
    Revoked(Option<String>),
    Granted(Option<String>),
    /// The window of a grant opened.
    Opened(Option<String>),
    /// The window of a grant closed.
    Closed(Option<String>),
    /// The pending claim of this owner got the value of the changed guard.
    Resolved(Object),
    Conflicted(&'a LostClaim),
}

impl Occurrence<'_> {
    const fn verb(&self) -> Verb {
        match self {
            Self::Created => Verb::Created,
            Self::Updated => Verb::Updated,
            Self::Deleted => Verb::Deleted,
            Self::Revoked(_) | Self::Closed(_) => Verb::Revoked,
            Self::Granted(_) | Self::Opened(_) => Verb::Granted,
            Self::Resolved(_) => Verb::Resolved,
            Self::Conflicted(_) => Verb::Conflicted,
        }
    }

    /// The owner whose claim lost or got its value.
    const fn claimant(&self) -> Option<&Object> {
        match self {
            Self::Resolved(claimant) => Some(claimant),
            Self::Conflicted(conflict) => Some(&conflict.claimant),
            Self::Created
            | Self::Updated
            | Self::Deleted
            | Self::Revoked(_)
            | Self::Granted(_)
            | Self::Opened(_)
            | Self::Closed(_) => None,
        }
    }

    /// Distinguishes the events of one record that have the same verb.
    fn part(&self, model: &Model) -> String {
        match self {
            Self::Created | Self::Updated | Self::Deleted | Self::Resolved(_) => String::new(),
            Self::Revoked(role) | Self::Granted(role) | Self::Opened(role) | Self::Closed(role) => {
                role.clone().unwrap_or_default()
            }
            Self::Conflicted(conflict) => {
                format!("{}/{}", model.item(conflict.guard.of).stable_name(), model.id_text(&conflict.guard))
            }
        }
    }
}

fn occurrences<'a>(model: &Model, ty: &ItemType, change: &Change) -> Vec<Occurrence<'a>> {
    let mut found = Vec::new();
    let (revoked, granted) = match &ty.grant {
        Some(grant) => role_changes(model, grant, change),
        None => (Vec::new(), Vec::new()),
    };
    match (&change.old, &change.new) {
        (None, Some(_)) if ty.is_entity => found.push(Occurrence::Created),
        (Some(old), Some(new)) if ty.publish_unchanged || update::is_shown(model, ty, change, old, new) => {
            found.push(Occurrence::Updated);
        }
        (_, _) => {}
    }
    found.extend(revoked.into_iter().map(Occurrence::Revoked));
    found.extend(granted.into_iter().map(Occurrence::Granted));
    if change.new.is_none() && ty.is_entity {
        found.push(Occurrence::Deleted);
    }
    found.extend(resolved(model, change).map(Occurrence::Resolved));
    found
}

/// The roles that the change revoked and granted, if their window was open at the time of the
/// record. A grant of another subject or in another scope is another grant.
fn role_changes(model: &Model, grant: &Grant, change: &Change) -> (Vec<Option<String>>, Vec<Option<String>>) {
    let roles = |image: &Option<Item>| -> BTreeSet<Option<String>> {
        let Some(image) = image else { return BTreeSet::new() };
        let open = change.recorded_at.is_none_or(|at| implied::in_window(grant, image, at));
        if open { implied::roles(model, &change.object, image).into_iter().collect() } else { BTreeSet::new() }
    };
    let closed = change.old.as_ref().zip(change.recorded_at).and_then(|(old, at)| due::closed_before(grant, old, at));
    let old = if closed.is_some() { BTreeSet::new() } else { roles(&change.old) };
    let new = roles(&change.new);
    let whom = |image: &Option<Item>| Some(whom(model, grant, &change.object, image.as_ref()?));
    if change.old.is_some() && change.new.is_some() && whom(&change.old) != whom(&change.new) {
        return (old.into_iter().collect(), new.into_iter().collect());
    }
    (old.difference(&new).cloned().collect(), new.difference(&old).cloned().collect())
}

/// The roles that other spellings of a grant grant to the same subject in the same scope.
fn roles_of_others(model: &Model, ty: &ItemType, change: &Change, others: &[Item]) -> BTreeSet<Option<String>> {
    let (Some(grant), Some(old)) = (&ty.grant, &change.old) else { return BTreeSet::new() };
    let whom = whom(model, grant, &change.object, old);
    let grants = |item: &&Item| {
        let is_open = change.recorded_at.is_none_or(|at| implied::in_window(grant, item, at));
        is_open && self::whom(model, grant, &change.object, item) == whom
    };
    others.iter().filter(grants).flat_map(|item| implied::roles(model, &change.object, item)).collect()
}

/// Whose roles an image of a grant gives, and where: in an item, or in what is only a value.
type Whom = (Option<Object>, Option<Object>, Option<String>);

fn whom(model: &Model, grant: &Grant, object: &Object, image: &Item) -> Whom {
    let subject = implied::subject(model, &grant.subject, object, Some(image));
    let scope = implied::scope_item(model, grant, object, image);
    // Two items of two types can have one id.
    let value = if scope.is_some() { None } else { implied::scope_text(model, grant, object, image) };
    (subject, scope, value)
}

fn entry(
    model: &Model,
    change: &Change,
    occurrence: &Occurrence<'_>,
    index: usize,
    publishing: Publishing<'_>,
) -> Option<EventEntry> {
    let ty = model.item(change.object.of);
    let image = change.new.as_ref().or(change.old.as_ref())?;
    let before = match occurrence {
        Occurrence::Revoked(_) | Occurrence::Closed(_) => change.old.as_ref().unwrap_or(image),
        Occurrence::Created
        | Occurrence::Updated
        | Occurrence::Deleted
        | Occurrence::Granted(_)
        | Occurrence::Opened(_)
        | Occurrence::Resolved(_)
        | Occurrence::Conflicted(_) => image,
    };
    let (entity, entity_id) = entity(model, change, occurrence, before);
    let verb = occurrence.verb();
    let word = word(model, change, occurrence, image);
    let detail_type = model.event_name(&entity, word.as_deref().unwrap_or(verb.word()))?;
    let detail = Detail {
        metadata: Metadata {
            id: id(model, change, occurrence),
            version: CONTRACT_VERSION.to_owned(),
            model: model.name.clone(),
            entity,
            entity_id,
            verb: event_verb(verb),
            item: item_text(model, ty, change),
            kind: item_kind(ty.kind()),
            epoch: change.epoch.clone(),
            sequence: padded(&change.sequence),
            index: u32::try_from(index).unwrap_or(u32::MAX),
            recorded_at: change.recorded_at.map(|at| at.to_string()),
            cause: change.cause,
            correlation_id: first_value(image, &model.correlation)
                .and_then(|(_, value)| value.to_text())
                .map(Cow::into_owned),
            tenant: tenant(model, change, shown_object(change, occurrence), before, publishing.tenants),
            replay: publishing.replay,
            parked: publishing.parked,
            snapshot: None,
        },
        data: data(model, ty, change, occurrence, before),
    };
    let detail = if let Some(mark) = publishing.snapshot { snapshot::entry(detail, mark) } else { detail };
    Some(EventEntry {
        source: model.source.clone(),
        detail_type,
        detail: fit::text(model, change, detail)?,
        event_bus_name: publishing.bus.to_owned(),
        time: change.recorded_at.map(|at| at.to_string()),
    })
}

const fn item_kind(kind: EventKind) -> ItemKind {
    match kind {
        EventKind::Guard => ItemKind::Guard,
        EventKind::Entity => ItemKind::Entity,
        EventKind::Edge => ItemKind::Edge,
        EventKind::Grant => ItemKind::Grant,
        EventKind::Plain => ItemKind::Plain,
    }
}

const fn event_verb(verb: Verb) -> EventVerb {
    match verb {
        Verb::Created => EventVerb::Created,
        Verb::Updated => EventVerb::Updated,
        Verb::Deleted => EventVerb::Deleted,
        Verb::Granted => EventVerb::Granted,
        Verb::Revoked => EventVerb::Revoked,
        Verb::Resolved => EventVerb::Resolved,
        Verb::Conflicted => EventVerb::Conflicted,
    }
}

/// The object whose keys an event has: the claimant of a claim, else the changed item.
const fn shown_object<'c>(change: &'c Change, occurrence: &'c Occurrence<'_>) -> &'c Object {
    if let Some(claimant) = occurrence.claimant() { claimant } else { &change.object }
}

/// INVARIANT 9: of a write to a guard, only the claimant's key counts, because the guard's has a value
/// that no event shows.
fn tenant(model: &Model, change: &Change, shown: &Object, image: &Item, tenants: &Tenants) -> Option<String> {
    if *shown == change.object {
        tenants::tenant(model, shown, image, tenants)
    } else {
        tenants::said(model, shown, None)
    }
}

/// The word that replaces a verb: the first that applies to the change and can be rendered from the
/// image. Of a claimant, if the record is of the guard, only the key is known.
fn word(model: &Model, change: &Change, occurrence: &Occurrence<'_>, image: &Item) -> Option<String> {
    let shown = shown_object(change, occurrence);
    let is_own = *shown == change.object;
    let words = model.item(shown.of).verb_words.get(&occurrence.verb())?;
    let lookup = model.lookup(shown.of, &shown.names, is_own.then_some(image));
    let counts = |word: &&VerbWord| if is_own { applies(word, change) } else { word.is_default() };
    words.iter().filter(counts).find_map(|word| word.word.render(&lookup).ok())
}

fn applies(word: &VerbWord, change: &Change) -> bool {
    let holds = |image: &Item| word.when.holds(&change.object.names, image);
    let is_true = word.when.is_empty()
        || match (&change.old, &change.new) {
            (Some(old), Some(new)) => !holds(old) && holds(new),
            (Some(image), None) | (None, Some(image)) => holds(image),
            (None, None) => false,
        };
    let value = |image: &Option<Item>, path: &str| image.as_ref().and_then(|image| value_at(image, path)).cloned();
    let is_changed = |path: &String| value(&change.old, path) != value(&change.new, path);
    is_true
        && (!word.by_ttl || change.cause == Cause::Ttl)
        && (word.changed.is_empty() || word.changed.iter().any(is_changed))
}

/// The entity of an event: the subject of a grant, the owner of a claim, or the item itself.
fn entity(model: &Model, change: &Change, occurrence: &Occurrence<'_>, image: &Item) -> (String, String) {
    let own = (change.object.clone(), Some(image));
    let (object, image) = match occurrence {
        Occurrence::Granted(_) | Occurrence::Revoked(_) | Occurrence::Opened(_) | Occurrence::Closed(_) => {
            let grant = model.item(change.object.of).grant.as_ref();
            let subject =
                grant.and_then(|grant| implied::named_subject(model, &grant.subject, &change.object, Some(image)));
            subject.filter(|subject| *subject != change.object).map_or(own, |subject| (subject, None))
        }
        Occurrence::Conflicted(LostClaim { claimant, .. }) | Occurrence::Resolved(claimant)
            if *claimant != change.object =>
        {
            (claimant.clone(), None)
        }
        Occurrence::Created
        | Occurrence::Updated
        | Occurrence::Deleted
        | Occurrence::Resolved(_)
        | Occurrence::Conflicted(_) => own,
    };
    named(model, &object, image)
}

/// What events call an object: its entity and its id.
pub(crate) fn named(model: &Model, object: &Object, image: Option<&Item>) -> (String, String) {
    let ty = model.item(object.of);
    let lookup = model.lookup(object.of, &object.names, image);
    let name = ty.entity.iter().find_map(|template| template.render(&lookup).ok()).unwrap_or_else(|| ty.name.clone());
    let id = ty.entity_id.as_ref().and_then(|id| id.render(&lookup).ok()).unwrap_or_else(|| model.id_text(object));
    (name, id)
}

fn data(model: &Model, ty: &ItemType, change: &Change, occurrence: &Occurrence<'_>, image: &Item) -> Data {
    let listed = |item: &Option<Item>| item.as_ref().map(|item| listed(ty, item)).unwrap_or_default();
    let object = shown_object(change, occurrence);
    let (old, new) =
        if *object == change.object { (listed(&change.old), listed(&change.new)) } else { (Map::new(), Map::new()) };
    let mut types = BTreeMap::new();
    for (part, image, shown) in [("/old", &change.old, &old), ("/new", &change.new, &new)] {
        for path in shown.keys() {
            let value = image.as_ref().and_then(|image| value_at(image, path));
            value.into_iter().for_each(|value| note_types(value, &member(part, path), &mut types));
        }
    }
    let mut changed: Vec<String> =
        old.keys().chain(new.keys()).filter(|name| old.get(*name) != new.get(*name)).cloned().collect();
    changed.sort();
    changed.dedup();
    let (role, (scope_entity, scope)) = match occurrence {
        Occurrence::Granted(role) | Occurrence::Revoked(role) | Occurrence::Opened(role) | Occurrence::Closed(role) => {
            (role.clone(), scope(model, ty, change, image))
        }
        Occurrence::Created
        | Occurrence::Updated
        | Occurrence::Deleted
        | Occurrence::Resolved(_)
        | Occurrence::Conflicted(_) => (None, (None, None)),
    };
    let conflict = |guard: &Object, holder: &Object| {
        Some(Conflict { guard: model.item(guard.of).name.clone(), holder: model.id_text(holder) })
    };
    let guard = match occurrence {
        Occurrence::Conflicted(lost) => conflict(&lost.guard, &lost.holder),
        Occurrence::Resolved(owner) => conflict(&change.object, owner),
        Occurrence::Created
        | Occurrence::Updated
        | Occurrence::Deleted
        | Occurrence::Granted(_)
        | Occurrence::Revoked(_)
        | Occurrence::Opened(_)
        | Occurrence::Closed(_) => None,
    };
    let keys =
        object.names.iter().map(|(name, value)| (name.clone(), serde_json::Value::from(value.as_str()))).collect();
    Data { keys, old, new, changed, types, role, scope, scope_entity, guard, omitted: None }
}

/// The attributes of an image that events show.
///
/// INVARIANT 9: only attributes that the model lists.
fn listed(ty: &ItemType, item: &Item) -> Map<String, serde_json::Value> {
    let sorted: BTreeSet<&String> = ty.attributes.iter().collect();
    sorted.into_iter().filter_map(|path| Some((path.clone(), json(value_at(item, path)?)))).collect()
}

/// The entity of a grant's scope, and its id or value.
fn scope(model: &Model, ty: &ItemType, change: &Change, image: &Item) -> (Option<String>, Option<String>) {
    let Some(grant) = &ty.grant else { return (None, None) };
    match &grant.scope {
        Scope::Global => (None, None),
        Scope::Value(_) => (None, implied::scope_text(model, grant, &change.object, image)),
        Scope::Links(links) => {
            let scope = implied::named_scope_object(model, links, &change.object, image);
            let entity = scope.as_ref().map(|scope| named(model, scope, None).0);
            (entity, scope.map(|scope| model.id_text(&scope)))
        }
    }
}

/// The id of an event. It is the same for the same change, however often and from wherever it is
/// read: it depends on the model, the key, the sequence number, the verb, and what distinguishes
/// the events of one record.
fn id(model: &Model, change: &Change, occurrence: &Occurrence<'_>) -> String {
    let moment = change.recorded_at.map(|at| at.to_string()).unwrap_or_default();
    let sequence = match occurrence {
        // Time did it, and no record. A sequence number has no other characters than digits.
        Occurrence::Opened(_) | Occurrence::Closed(_) => moment.as_str(),
        Occurrence::Created
        | Occurrence::Updated
        | Occurrence::Deleted
        | Occurrence::Revoked(_)
        | Occurrence::Granted(_)
        | Occurrence::Resolved(_)
        | Occurrence::Conflicted(_) => change.sequence.trim_start_matches('0'),
    };
    let part = occurrence.part(model);
    let ty = model.item(change.object.of);
    let mut parts = vec![model.name.as_str(), ty.stable_name(), sequence, occurrence.verb().word(), part.as_str()];
    for (name, value) in &change.object.names {
        parts.extend([name.as_str(), value.as_str()]);
    }
    hash(&parts)
}

/// An id that follows from parts.
fn hash(parts: &[&str]) -> String {
    let mut hash = Sha256::new();
    for part in parts {
        // The length comes first, so that different lists of parts never give the same bytes.
        hash.update((part.len() as u64).to_be_bytes());
        hash.update(part.as_bytes());
    }
    hex(hash.finalize().get(..ID_BYTES).unwrap_or_default())
}

/// The changed item: its type and id.
///
/// INVARIANT 9: the keys of guards and of secret items have values that no event shows.
fn item_text(model: &Model, ty: &ItemType, change: &Change) -> String {
    if ty.secret || ty.guard.is_some() {
        model.type_text(change.object.of).into_owned()
    } else {
        model.item_text(&change.object)
    }
}
