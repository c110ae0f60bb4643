//! Windows of grants that time opens and closes, and the events of that.

use std::collections::{BTreeMap, BTreeSet};

use instep_model::{Item, Key, Object, Verb};
use serde_json::Value;

use super::{SLOW_MS, Watch, WatchFinding};
use crate::implied::{Fact, ImpliedRow, Role, moved, window};

/// What time did: to which item, as events name it, whether it granted or revoked, which role, and
/// when, in milliseconds.
type Turn = (String, Verb, Role, i64);

/// What time did so far, and what was heard of it.
#[derive(Debug, Default)]
pub(super) struct Turns {
    /// What images of items said.
    said: BTreeSet<Turn>,
    /// What must be heard. `Some`: only if the item is still like this in the end.
    due: BTreeMap<Turn, Option<(Key, Item)>>,
    /// The ids of what was heard.
    heard: BTreeMap<Turn, String>,
}

impl Watch {
    /// Lets time pass: windows open and close.
    pub fn pass(&mut self, now_ms: i64) {
        while let Some((at_ms, changed)) = self.implied.pass_next(now_ms) {
            for (key, before) in changed {
                let Some(row) = self.implied.rows().get(&key).cloned() else { continue };
                self.note_turn(moved(Some(&before), Some(&row)), at_ms);
                for ask in &row.asks {
                    self.asked
                        .entry(ask.pair.clone())
                        .or_default()
                        .insert(ask.needs.iter().map(|need| need.known.clone()).collect());
                }
                for (group, parents) in row.on_demand() {
                    self.on_demand.entry(group.clone()).or_insert_with(|| parents.clone());
                }
                self.turn(&key, &row, at_ms);
            }
            self.written_ms = at_ms;
            self.compare(self.sequence + 1, BTreeSet::new());
        }
    }

    /// Notes what an item that was just written is to a process whose clock is slow, if its window
    /// opened or closed shortly before.
    pub(super) fn note_just_turned(&mut self, key: &Key, written_ms: i64) {
        let Some(row) = self.implied.rows().get(key).cloned() else { return };
        let Some(grant) = &self.implied.model.item(row.object.of).grant else { return };
        let (opens, closes) = window(grant, &row.item);
        for at_ms in [opens, closes].into_iter().flatten() {
            if at_ms <= written_ms && written_ms - at_ms <= SLOW_MS {
                let earlier = self.implied.row_at(&row, at_ms - 1);
                self.note_turn(moved(Some(&earlier), Some(&row)), at_ms);
                for (group, parents) in earlier.on_demand() {
                    self.on_demand.entry(group.clone()).or_insert_with(|| parents.clone());
                }
                for ask in earlier.asks {
                    self.asked
                        .entry(ask.pair)
                        .or_default()
                        .insert(ask.needs.iter().map(|need| need.known.clone()).collect());
                }
            }
        }
    }

    fn note_turn(&mut self, facts: impl IntoIterator<Item = Fact>, at_ms: i64) {
        for fact in facts {
            let last_ms = self.by_time.entry(fact).or_insert(at_ms);
            *last_ms = at_ms.max(*last_ms);
        }
    }

    /// An item that was deleted may miss what time did to it. If it is written again, that record says
    /// what it grants.
    pub(super) fn forget_turns(&mut self, key: &Key) {
        self.turns.due.retain(|_, as_is| as_is.as_ref().is_none_or(|(of, _)| of != key));
    }

    fn turn(&mut self, key: &Key, row: &ImpliedRow, at_ms: i64) {
        if row.is_bad {
            return;
        }
        let given = |at_ms| self.implied.given(&row.object, Some(&row.item), at_ms);
        let (before, after) = (given(at_ms - 1), given(at_ms));
        let item = self.item_text(&row.object);
        for role in before.difference(&after) {
            self.turns.due.insert((item.clone(), Verb::Revoked, role.clone(), at_ms), None);
        }
        for role in after.difference(&before) {
            let as_is = Some((key.clone(), row.item.clone()));
            self.turns.due.insert((item.clone(), Verb::Granted, role.clone(), at_ms), as_is);
        }
    }

    /// Notes what an image says of its window.
    pub(super) fn note_window(&mut self, object: &Object, image: &Item) {
        let Some(grant) = &self.implied.model.item(object.of).grant else { return };
        let (opens, closes) = window(grant, image);
        // A window that closes before it opens does neither.
        if opens.zip(closes).is_some_and(|(opens, closes)| closes <= opens) {
            return;
        }
        let item = self.item_text(object);
        for role in self.implied.roles_of(object, image) {
            let turn = |verb, at_ms| (item.clone(), verb, role.clone(), at_ms);
            self.turns.said.extend(opens.map(|at_ms| turn(Verb::Granted, at_ms)));
            self.turns.said.extend(closes.map(|at_ms| turn(Verb::Revoked, at_ms)));
        }
    }

    /// The item of events of an object.
    pub(super) fn item_text(&self, object: &Object) -> String {
        let ty = self.implied.model.item(object.of);
        let name = ty.stable_name();
        if ty.secret || ty.guard.is_some() {
            return name.to_owned();
        }
        // The names in the order of the keys. If there can be several, what joins them is escaped in their values.
        let names = self.implied.model.key_order(object.of);
        let is_joined = names.len() > 1;
        let value = |text: &String| if is_joined { text.replace('%', "%25").replace('/', "%2F") } else { text.clone() };
        let values = names.iter().filter_map(|name| object.names.get(*name).map(value));
        format!("{name} {}", values.collect::<Vec<_>>().join("/"))
    }

    /// Promises 4 and 5: checks the event of a window that time opened or closed.
    pub(super) fn turned(&mut self, detail_type: &str, detail: &Value) -> Option<WatchFinding> {
        let text = |name: &str| detail.pointer(name).and_then(Value::as_str).unwrap_or_default().to_owned();
        let broken = |what: &str| Some(WatchFinding::Broken(format!("{what}: {detail_type} {detail}")));
        let verb = Verb::ALL.into_iter().find(|verb| verb.word() == text("/metadata/verb"));
        let at_ms = text("/metadata/recordedAt").parse::<jiff::Timestamp>().ok().map(jiff::Timestamp::as_millisecond);
        let (Some(verb), Some(at_ms)) = (verb, at_ms) else { return broken("4: no moment") };
        let role = Some(text("/data/role")).filter(|role| !role.is_empty());
        let turn = (text("/metadata/item"), verb, role, at_ms);
        // A record says in whole seconds when it was written.
        if at_ms.div_euclid(1000) > self.implied.now_ms().div_euclid(1000) {
            return broken("4: an event of a moment that has not come");
        }
        if !self.turns.said.contains(&turn) {
            return broken("4: an event of a moment that no item has");
        }
        let id = text("/metadata/id");
        if *self.turns.heard.entry(turn).or_insert_with(|| id.clone()) != id {
            return broken("4: one moment has two ids");
        }
        None
    }

    /// Promise 4: what time did was heard.
    #[must_use]
    pub fn unheard(&self) -> Vec<String> {
        let is_due = |as_is: &Option<(Key, Item)>| {
            as_is.as_ref().is_none_or(|(key, item)| self.implied.rows().get(key).is_some_and(|row| row.item == *item))
        };
        let published = |of: &str, verb: &Verb| {
            let name = of.split(' ').next().unwrap_or_default();
            self.implied.model.items.iter().any(|ty| ty.stable_name() == name && ty.publish.contains(verb))
        };
        let due = self.turns.due.iter().filter(|((item, verb, ..), as_is)| published(item, verb) && is_due(as_is));
        let unheard = due.filter(|(turn, _)| !self.turns.heard.contains_key(*turn));
        unheard.map(|(turn, _)| format!("4: {turn:?} was never published")).collect()
    }

    /// Promise 1: rules that are due and were not applied.
    #[must_use]
    pub fn overdue(&self) -> Vec<String> {
        let rows = self.implied.rows().iter().filter(|(_, row)| !row.is_bad);
        let is_due = |row: &ImpliedRow| {
            let rules = self.implied.rules(&row.object, &row.item);
            rules.iter().any(|(at_ms, _)| *at_ms <= self.implied.now_ms())
        };
        rows.filter(|(_, row)| is_due(row)).map(|(key, _)| format!("1: a rule of {key:?} is due")).collect()
    }

    /// How many windows time has opened or closed.
    #[must_use]
    pub fn turns(&self) -> usize {
        self.turns.due.len()
    }
}
