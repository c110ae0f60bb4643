//! The pure stages by themselves: decode, plan, reconcile, events.

use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;

use instep_flow::answers::{Answers, Asks, Page, Query};
use instep_flow::decode::{Decoded, decode};
use instep_flow::effect::Effect;
use instep_flow::entries::EntryId;
use instep_flow::events::{Publishing, events};
use instep_flow::plan::{Delivery, Plan};
use instep_flow::reconcile::{Applied, Next, Reconciler};
use instep_flow::tenants::Tenants;
use instep_model::{Item, Key, Model, Value};
use jiff::Timestamp;
use serde_json::value::RawValue;

use crate::thread_cpu;

/// CPU time of each stage over a batch.
#[derive(Debug, Clone, Copy, Default)]
pub struct Stages {
    /// Records to changes.
    pub decode: Duration,
    /// Changes to a plan.
    pub plan: Duration,
    /// The loop: what to read, and what follows from it.
    pub reconcile: Duration,
}

/// The table of a batch, for a loop without services.
#[derive(Debug, Default)]
pub struct Truth {
    items: BTreeMap<Key, Item>,
}

impl Truth {
    /// A table with these items, in DynamoDB's JSON.
    #[must_use]
    pub fn new(items: &[serde_json::Value]) -> Self {
        let text = |item: &Item, name: &str| item.get(name).and_then(Value::as_s).unwrap_or_default().to_owned();
        let item = |json: &serde_json::Value| {
            let item: Item = serde_json::from_value(json.clone()).ok()?;
            Some((Key { pk: text(&item, "PK"), sk: text(&item, "SK") }, item))
        };
        Self { items: items.iter().filter_map(item).collect() }
    }

    fn rows(&self, query: &Query) -> Vec<Item> {
        if query.index.is_some() {
            return Vec::new();
        }
        let from = Key { pk: query.pk.clone(), sk: query.sk_prefix.clone() };
        let rows = self.items.range(from..);
        let own = rows.take_while(|(key, _)| key.pk == query.pk && key.sk.starts_with(&query.sk_prefix));
        own.map(|(_, item)| item.clone()).collect()
    }

    fn answer(&self, asks: Asks) -> Answers {
        let mut answers = Answers::default();
        for key in asks.keys {
            let item = self.items.get(&key).cloned();
            answers.item(key, item);
        }
        for query in asks.queries {
            let rows = self.rows(&query);
            answers.rows(query, rows);
        }
        for ask in asks.pages {
            let rows = self.rows(&ask.query);
            answers.page(ask, Page { rows, next: None });
        }
        for user in asks.groups_of {
            answers.groups_of(user, BTreeSet::new());
        }
        answers
    }
}

/// Runs the stages over a batch, without its events. Every effect counts as applied.
#[must_use]
pub fn stages(model: &Model, records: &[Box<RawValue>], truth: &Truth) -> Stages {
    let began = thread_cpu();
    let decoded: Vec<_> = records.iter().map(|record| decode(model, None, record)).collect();
    let decoded_at = thread_cpu();
    let mut plan = Plan::default();
    for (place, decoded) in decoded.iter().enumerate() {
        if let Ok(Decoded::Change(change)) = decoded {
            plan.add(model, EntryId(place), change, Delivery::STREAM);
        }
    }
    let planned_at = thread_cpu();
    let mut others = Duration::ZERO;
    let mut reconciler = Reconciler::new(model, plan, Timestamp::UNIX_EPOCH);
    loop {
        match reconciler.next() {
            Next::Read(asks) => {
                let began = thread_cpu();
                let answers = truth.answer(asks);
                others += thread_cpu().saturating_sub(began);
                reconciler.answer(answers, Duration::ZERO);
            }
            Next::Apply(effects) => {
                for (effect, places) in effects {
                    let created = matches!(*effect, Effect::EnsureGroup { .. });
                    reconciler.applied(&effect, &places, Applied::Done { created });
                }
            }
            Next::Done(_) => break,
        }
    }
    Stages {
        decode: decoded_at.saturating_sub(began),
        plan: planned_at.saturating_sub(decoded_at),
        reconcile: thread_cpu().saturating_sub(planned_at).saturating_sub(others),
    }
}

/// How long the events of a batch take.
#[must_use]
pub fn of_events(model: &Model, records: &[Box<RawValue>]) -> Duration {
    let changes: Vec<_> = records.iter().filter_map(|record| decode(model, None, record).ok()).collect();
    let publishing = Publishing { bus: "bus", replay: false, parked: false, tenants: &Tenants::new(), snapshot: None };
    let of = |decoded: &Decoded| match decoded {
        Decoded::Change(change) => events(model, change, &[], &[], publishing),
        Decoded::Bookkeeping(_) | Decoded::Nothing(_) => Vec::new(),
    };
    let began = thread_cpu();
    let published: Vec<_> = changes.iter().map(of).collect();
    let took = thread_cpu().saturating_sub(began);
    drop(published);
    took
}
