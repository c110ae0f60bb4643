//! Assertions about any record: it is decoded or rejected, planned, reconciled and reported.

use std::collections::{BTreeMap, BTreeSet};

use instep_flow::answers::{Answers, Page, Query};
use instep_flow::decode::{Change, Decoded, decode};
use instep_flow::effect::{Action, AddMember, DeleteSubject, Effect};
use instep_flow::entries::EntryId;
use instep_flow::events::{Publishing, events};
use instep_flow::mask;
use instep_flow::plan::{Delivery, Plan};
use instep_flow::reconcile::{Applied, Next, Reconciler, RunOutcome};
use instep_flow::report::EventEntry;
use instep_flow::tenants::Tenants;
use instep_model::{Identity, Item, Key, Model, Value};
use jiff::Timestamp;
use serde_json::value::{RawValue, to_raw_value};

use crate::designs::FuzzDesign;

/// The secret value. It contains white space, which no Cognito name may contain, so it is also an
/// invalid name.
pub const SECRET: &str = "s3cr3t m4rk";

/// The number of steps after which a run must have ended.
const STEPS_MAX: usize = 400;

const PUBLISHING: Publishing<'static> =
    Publishing { bus: "bus", replay: false, parked: false, tenants: &TENANTS, snapshot: None };
/// A record that is published without a run.
static TENANTS: Tenants = Tenants::new();

/// Checks the promises for a batch of records and for each record alone.
///
/// # Panics
/// A promise is broken.
pub fn follow(design: &FuzzDesign, records: &[Box<RawValue>]) {
    for record in records {
        alone(design, record);
        shows_no_secret(&design.secretive, record, |model, name| model.secret.contains(name));
        shows_no_secret(&design.model, record, |model, name| model.secret.contains(name));
        shows_no_value_where_refused(&design.model, record);
    }
    let decoded: Vec<Decoded> = records.iter().filter_map(|record| decode(&design.model, None, record).ok()).collect();
    let plan = plan(&design.model, &decoded);
    for truth in [BTreeMap::new(), as_written(&design.model, &decoded)] {
        drop(reconciled(&design.model, &plan, &truth));
    }
}

/// One record: if anything follows from it, the filters let it pass.
fn alone(design: &FuzzDesign, record: &RawValue) {
    let model = &design.model;
    let decoded = match decode(model, None, record) {
        Ok(decoded) => [decoded],
        Err(reject) => {
            assert!(!reject.code.is_empty() && !reject.reason.is_empty());
            let there = reject.change.as_ref().and_then(|change| change.new.clone());
            drop(reject.clone().fixed(model, there.as_ref()));
            drop(reject.fixed(model, None));
            return;
        }
    };
    let plan = plan(model, &decoded);
    let mut follows = !plan.references.is_empty();
    for table in [BTreeMap::new(), as_written(model, &decoded)] {
        let (reconciled, effects) = reconciled(model, &plan, &table);
        follows |= effects > 0 || !all_events(model, &decoded, &reconciled).is_empty();
    }
    for filter in &design.filters {
        assert!(!follows || filter.lets_through(record), "left out, though something follows: {record}");
    }
}

fn plan(model: &Model, decoded: &[Decoded]) -> Plan {
    let mut plan = Plan::default();
    for (place, decoded) in decoded.iter().enumerate() {
        match decoded {
            Decoded::Change(change) => plan.add(model, EntryId(place), change, Delivery::STREAM),
            Decoded::Bookkeeping(change) => plan.add_bookkeeping(model, EntryId(place), change),
            Decoded::Nothing(_) => {}
        }
    }
    plan
}

/// The table as the records leave it.
fn as_written(model: &Model, decoded: &[Decoded]) -> BTreeMap<Key, Item> {
    let mut table = BTreeMap::new();
    for decoded in decoded {
        let (key, new) = match decoded {
            Decoded::Change(change) => (&change.key, &change.new),
            Decoded::Bookkeeping(change) => (&change.key, &change.new),
            Decoded::Nothing(_) => continue,
        };
        match new {
            // An image that is not under its own key is no item of a table.
            Some(item) if model.table.key_of(item).as_ref() == Some(key) => table.insert(key.clone(), item.clone()),
            Some(_) | None => table.remove(key),
        };
    }
    table
}

/// Reconciles with answers from `table`, which effects do not change. Returns the number of
/// effects.
fn reconciled(model: &Model, plan: &Plan, table: &BTreeMap<Key, Item>) -> (RunOutcome, usize) {
    let mut reconciler = Reconciler::new(model, plan.clone(), Timestamp::UNIX_EPOCH);
    let mut count = 0;
    for _ in 0..STEPS_MAX {
        match reconciler.next() {
            Next::Done(reconciled) => return (reconciled, count),
            Next::Apply(effects) => {
                for (effect, places) in effects {
                    can_be_made(model, &effect);
                    count += 1;
                    reconciler.applied(&effect, &places, Applied::DONE);
                }
            }
            Next::Read(asks) => {
                let mut answers = Answers::default();
                for key in asks.keys {
                    answers.item(key.clone(), table.get(&key).cloned());
                }
                let rows = |query: &Query| table.values().filter(|item| is_in(query, item)).cloned().collect();
                for query in asks.queries {
                    let rows = rows(&query);
                    answers.rows(query, rows);
                }
                for ask in asks.pages {
                    let page = Page { rows: rows(&ask.query), next: None };
                    answers.page(ask, page);
                }
                for user in asks.groups_of {
                    answers.groups_of(user, BTreeSet::new());
                }
                reconciler.answer(answers, std::time::Duration::ZERO);
            }
        }
    }
    panic!("a run never ends");
}

fn is_in(query: &Query, item: &Item) -> bool {
    let text = |name: &str| item.get(name).and_then(Value::as_s);
    text(&query.pk_attribute) == Some(&query.pk)
        && (query.sk_prefix.is_empty()
            || text(&query.sk_attribute).is_some_and(|text| text.starts_with(&query.sk_prefix)))
}

/// Checks what DynamoDB and Cognito require: no item twice in a transaction, no key that the model
/// does not describe, no name with white space.
fn can_be_made(model: &Model, effect: &Effect) {
    let named = |name: &String| assert!(!name.is_empty() && !name.contains(char::is_whitespace), "{effect:?}");
    match effect {
        Effect::MarkDeleted(marked) => {
            assert!(!matches!(model.identify(&marked.key), Identity::Unknown(_)), "a key of nothing: {marked:?}");
        }
        Effect::Write(write) | Effect::DeleteSubject(DeleteSubject { write, .. }) => {
            let keys = write.checks.iter().map(|check| &check.key).chain(write.actions.iter().map(Action::key));
            let mut seen = BTreeSet::new();
            for key in keys {
                assert!(seen.insert(key), "one item twice in a transaction: {write:?}");
                assert!(!matches!(model.identify(key), Identity::Unknown(_)), "a key of nothing: {write:?}");
            }
        }
        Effect::DeleteGroup { group, .. } | Effect::EnsureGroup { group, .. } => named(group),
        Effect::RemoveMember(membership) | Effect::AddMember(AddMember { membership, .. }) => {
            named(&membership.user);
            named(&membership.group);
        }
        Effect::SignOut { user, .. } | Effect::DisableUser { user, .. } | Effect::DeleteUser { user, .. } => {
            named(user)
        }
        Effect::EnsureUser(ensure) => named(&ensure.user),
        Effect::SendObjects(objects) => {
            assert!(objects.iter().all(|object| object.object(model).is_some()), "{effect:?}")
        }
        Effect::SendDependents(dependents) => assert!(dependents.object(model).is_some(), "{effect:?}"),
        Effect::DeletePage(_) => {}
    }
}

/// The events of all records. They contain only what the model lists.
fn all_events(model: &Model, decoded: &[Decoded], reconciled: &RunOutcome) -> Vec<EventEntry> {
    let mut all_events = Vec::new();
    for (place, decoded) in decoded.iter().enumerate() {
        let Decoded::Change(change) = decoded else { continue };
        let conflicts: Vec<_> = reconciled.conflicts.iter().filter(|conflict| conflict.record.0 == place).collect();
        let entries = events(model, change, &conflicts, &[], PUBLISHING);
        let ids: BTreeSet<_> = entries.iter().map(|entry| listed_only(model, change, entry)).collect();
        assert_eq!(ids.len(), entries.len(), "two events with one id: {change:?}");
        assert!(entries.is_empty() || !model.item(change.object.of).secret, "an event of a secret item: {change:?}");
        all_events.extend(entries);
    }
    all_events
}

/// Asserts that an event contains only what is listed. Returns its id.
fn listed_only(model: &Model, change: &Change, entry: &EventEntry) -> String {
    assert!(!entry.source.is_empty() && !entry.detail_type.is_empty(), "{entry:?}");
    let detail: serde_json::Value =
        serde_json::from_str(&entry.detail).unwrap_or_else(|error| panic!("{error}: {}", entry.detail));
    let listed = &model.item(change.object.of).attributes;
    for part in ["/data/old", "/data/new"] {
        let shown = detail.pointer(part).and_then(serde_json::Value::as_object);
        for name in shown.into_iter().flat_map(serde_json::Map::keys) {
            assert!(listed.contains(name), "`{name}` is not listed: {}", entry.detail);
        }
    }
    detail.pointer("/metadata/id").and_then(serde_json::Value::as_str).unwrap_or_default().to_owned()
}

/// INVARIANT 9: no event, note, label, reason or parked record contains a secret.
fn shows_no_secret(model: &Model, record: &RawValue, is_secret: impl Fn(&Model, &str) -> bool) {
    let is_key = |name: &str| name == model.table.pk || name == model.table.sk;
    let Some(record) = with_secrets(record, |name| !is_key(name) && is_secret(model, name)) else { return };
    let parked = mask::record(model, &record);
    assert!(!parked.get().contains(SECRET), "a secret is parked: {parked}");
    let decoded = match decode(model, None, &record) {
        Ok(decoded) => [decoded],
        Err(reject) => return assert!(!reject.reason.contains(SECRET), "a secret in a reason: {}", reject.reason),
    };
    let plan = plan(model, &decoded);
    let (reconciled, _) = reconciled(model, &plan, &as_written(model, &decoded));
    let queued = mask::for_queue(model, &record);
    assert!(!queued.get().contains(SECRET), "a secret on the work queue: {queued}");
    for entry in all_events(model, &decoded, &reconciled) {
        assert!(!format!("{entry:?}").contains(SECRET), "a secret is published: {entry:?}");
    }
    for (_, note) in &reconciled.notes {
        assert!(!note.contains(SECRET), "a secret is noted: {note}");
    }
}

/// INVARIANT 9: the reason of a rejection contains no attribute value.
fn shows_no_value_where_refused(model: &Model, record: &RawValue) {
    let is_key = |name: &str| name == model.table.pk || name == model.table.sk;
    let Some(record) = with_secrets(record, |name| !is_key(name)) else { return };
    if let Err(reject) = decode(model, None, &record) {
        assert!(!reject.reason.contains(SECRET), "{}", reject.reason);
    }
}

/// The record with [`SECRET`] in only these attributes. `None` if it has none of them.
fn with_secrets(record: &RawValue, is_secret: impl Fn(&str) -> bool) -> Option<Box<RawValue>> {
    if record.get().contains(SECRET) {
        return None;
    }
    let mut record: serde_json::Value = serde_json::from_str(record.get()).ok()?;
    let body = record.get_mut("dynamodb")?.as_object_mut()?;
    let mut any = false;
    for image in ["OldImage", "NewImage"] {
        for (name, value) in body.get_mut(image).and_then(|image| image.as_object_mut()).into_iter().flatten() {
            if is_secret(name) {
                *value = serde_json::json!({ "S": SECRET });
                any = true;
            }
        }
    }
    any.then(|| to_raw_value(&record).ok()).flatten()
}
