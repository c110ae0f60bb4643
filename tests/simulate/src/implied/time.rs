//! Time: windows of grants and `due` rules, read by code of the oracle's own.

use std::collections::BTreeSet;

use instep_model::{Grant, Item, Key, Object, Value};
use jiff::Timestamp;

use super::condition::{first_of, meets, set_value};
use super::said::said;
use super::{Implied, ImpliedRow};

/// A role that a grant has, by its name. `None` if the grant's roles have no names.
pub type Role = Option<String>;

/// A time in milliseconds. The worlds write times as RFC 3339 only.
#[must_use]
pub fn moment_ms(value: &Value) -> Option<i64> {
    value.as_s()?.parse::<Timestamp>().ok().map(Timestamp::as_millisecond)
}

/// A bound of a window: absent, or a time, or something that is no time.
fn bound(names: &[String], item: &Item) -> Option<Option<i64>> {
    first_of(item, names).map(|value| moment_ms(&value))
}

pub(super) fn is_open(grant: Option<&Grant>, item: &Item, now_ms: i64) -> bool {
    let Some(grant) = grant else { return true };
    let has_begun = bound(&grant.from, item).is_none_or(|from| from.is_some_and(|from| from <= now_ms));
    let has_not_ended = bound(&grant.until, item).is_none_or(|until| until.is_some_and(|until| until > now_ms));
    has_begun && has_not_ended
}

/// When a window opens and closes.
#[must_use]
pub fn window(grant: &Grant, item: &Item) -> (Option<i64>, Option<i64>) {
    (bound(&grant.from, item).flatten(), bound(&grant.until, item).flatten())
}

/// Whether the window had closed when a record was written, which says so in whole seconds.
pub(super) fn had_closed(grant: &Grant, item: &Item, written_ms: i64) -> bool {
    let (opens, closes) = window(grant, item);
    closes.is_some_and(|closes| {
        opens.is_none_or(|opens| opens < closes) && closes.div_euclid(1000) <= written_ms.div_euclid(1000)
    })
}

impl Implied {
    /// Lets time pass until the next moment of an item, at most until `now_ms`. Returns the moment,
    /// and the items that have it, as they were read before.
    pub fn pass_next(&mut self, now_ms: i64) -> Option<(i64, Vec<(Key, ImpliedRow)>)> {
        let Some(at_ms) = self.moments.first().map(|(at_ms, _)| *at_ms).filter(|at_ms| *at_ms <= now_ms) else {
            self.now_ms = self.now_ms.max(now_ms);
            return None;
        };
        self.now_ms = self.now_ms.max(at_ms);
        let mut changed = Vec::new();
        while let Some((at, key)) = self.moments.pop_first() {
            if at > at_ms {
                self.moments.insert((at, key));
                break;
            }
            let Some(before) = self.rows.get(&key).cloned() else { continue };
            let now = self.row(before.object.clone(), !before.is_void, before.item.clone());
            if let Some(row) = self.rows.get_mut(&key) {
                (row.asks, row.in_tokens, row.on_demand) = (now.asks, now.in_tokens, now.on_demand);
            }
            self.sources.passed(&key);
            changed.push((key, before));
        }
        Some((at_ms, changed))
    }

    /// What an item was read as at an earlier moment.
    pub fn row_at(&mut self, row: &ImpliedRow, at_ms: i64) -> ImpliedRow {
        let now_ms = std::mem::replace(&mut self.now_ms, at_ms);
        let earlier = self.row(row.object.clone(), !row.is_void, row.item.clone());
        self.now_ms = now_ms;
        earlier
    }

    /// The present, in milliseconds.
    #[must_use]
    pub const fn now_ms(&self) -> i64 {
        self.now_ms
    }

    /// Notes the moments of an item that are still to come.
    pub(super) fn note_moments(&mut self, key: &Key, item: &Item, object: &Object) {
        let grant = self.model.item(object.of).grant.as_ref();
        let (opens, closes) = grant.map(|grant| window(grant, item)).unwrap_or_default();
        let to_come = [opens, closes].into_iter().flatten().filter(|at_ms| *at_ms > self.now_ms);
        let to_come: Vec<_> = to_come.map(|at_ms| (at_ms, key.clone())).collect();
        self.moments.extend(to_come);
    }

    /// The times at which `due` rules of an item apply, each with the item that the rule makes.
    #[must_use]
    pub fn rules(&self, object: &Object, item: &Item) -> Vec<(i64, Item)> {
        let rules = self.model.item(object.of).due.iter().filter(|rule| meets(&rule.when, object, item));
        let applied = rules.filter_map(|rule| {
            let text = said(&self.model, object, Some(item))(&rule.at)?;
            let mut after = item.clone();
            for (name, value) in &rule.set {
                set_value(&mut after, name, Some(value.clone()));
            }
            Some((moment_ms(&Value::S(text))?, after))
        });
        applied.collect()
    }

    /// The moments of an item that Instep has to note, and what happens then.
    #[must_use]
    pub fn to_come(&self, row: &ImpliedRow) -> BTreeSet<(i64, &'static str)> {
        let mut found = BTreeSet::new();
        if let Some(grant) = &self.model.item(row.object.of).grant
            && !self.roles_of(&row.object, &row.item).is_empty()
        {
            let (opens, closes) = window(grant, &row.item);
            found.extend(opens.map(|at_ms| (at_ms, "opens")));
            found.extend(closes.map(|at_ms| (at_ms, "closes")));
        }
        found.extend(self.rules(&row.object, &row.item).into_iter().map(|(at_ms, _)| (at_ms, "rule")));
        found.retain(|(at_ms, _)| *at_ms > self.now_ms);
        found
    }
}
