//! What becomes due by time: the moments at which the window of a grant opens or closes, those from which a `due` rule
//! applies, and those at which the user of a deleted item is deleted.
//!
//! Instep keeps an item in the table for each moment that is still to come. A clock sends each to
//! the work queue when its moment has come. The run over that message reads the table, which alone
//! says what is true then. So a moment that comes twice, late, or for an item that has changed since
//! does no harm.

use std::collections::{BTreeMap, BTreeSet};

use instep_model::{DueRule, Grant, Item, ItemType, Model, Object, Value, beginning, end};
use jiff::Timestamp;
use serde::{Deserialize, Serialize};

use crate::implied;
use crate::stream_record::RecordPlace;

/// What happens at a moment.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum MomentKind {
    /// The window of a grant opens.
    Opens,
    /// The window of a grant closes.
    Closes,
    /// A `due` rule applies from now on.
    Rule,
    /// The user of an item that was deleted is deleted.
    #[serde(rename = "delete-user")]
    DeleteUser,
}

impl MomentKind {
    /// All kinds.
    pub const ALL: [Self; 4] = [Self::Opens, Self::Closes, Self::Rule, Self::DeleteUser];

    /// The kind as the keys of bookkeeping items name it.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Self::Opens => "opens",
            Self::Closes => "closes",
            Self::Rule => "rule",
            Self::DeleteUser => "delete-user",
        }
    }
}

/// A moment of an item.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Moment {
    /// When it comes.
    pub at: Timestamp,
    /// What happens then.
    pub kind: MomentKind,
}

/// A moment that has come, in a work message.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct ArrivedMoment {
    /// The moment.
    pub at: Timestamp,
    /// What happens then.
    #[serde(rename = "turn")]
    pub kind: MomentKind,
    /// The place of the last record that the moment was noted for. Empty if it was noted without a
    /// record of the stream, as in a backfill.
    #[serde(flatten)]
    pub place: RecordPlace,
}

/// The moments of an item of this type, past and future.
#[must_use]
pub fn moments(model: &Model, object: &Object, image: &Item) -> BTreeSet<Moment> {
    let ty = model.item(object.of);
    let mut found = BTreeSet::new();
    if let Some(grant) = ty.grant.as_ref().filter(|_| !implied::roles(model, object, image).is_empty()) {
        let (opens, closes) = window(grant, image);
        found.extend(opens.map(|at| Moment { at, kind: MomentKind::Opens }));
        found.extend(closes.map(|at| Moment { at, kind: MomentKind::Closes }));
    }
    found.extend(rules(model, object, image).map(|(_, at)| Moment { at, kind: MomentKind::Rule }));
    found
}

/// The `due` rules whose conditions hold, and the moments from which they apply.
pub(crate) fn rules<'a>(
    model: &'a Model,
    object: &'a Object,
    image: &'a Item,
) -> impl Iterator<Item = (&'a DueRule, Timestamp)> {
    let rules = model.item(object.of).due.iter().filter(|due| due.when.holds(&object.names, image));
    rules.filter_map(|due| Some((due, end(&time_of(model, object, image, due)?)?)))
}

/// What an item becomes by its `due` rules, one after the other, with the moment of each.
#[must_use]
pub fn applied(model: &Model, object: &Object, image: &Item) -> Vec<(Timestamp, Item)> {
    let mut states: Vec<(Timestamp, Item)> = Vec::new();
    // INVARIANT 8: each rule applies once.
    for _ in &model.item(object.of).due {
        let present = states.last().map_or(image, |(_, item)| item);
        let changes = |due: &DueRule| due.set.iter().any(|(name, value)| present.get(name) != Some(value));
        let next = rules(model, object, present).filter(|(due, _)| changes(due)).min_by_key(|(_, at)| *at);
        let Some((due, at)) = next else { break };
        let mut item = present.clone();
        item.extend(due.set.iter().cloned());
        let at = states.last().map_or(at, |(before, _)| at.max(*before));
        states.push((at, item));
    }
    states
}

/// The time of a `due` rule, as it is written.
pub(crate) fn time_of(model: &Model, object: &Object, image: &Item, due: &DueRule) -> Option<Value> {
    let text = model.lookup(object.of, &object.names, Some(image))(&due.at)?;
    (!text.is_empty()).then(|| Value::S(text.into_owned()))
}

/// When the window of a grant opens and closes, as far as the image says it.
pub(crate) fn window(grant: &Grant, image: &Item) -> (Option<Timestamp>, Option<Timestamp>) {
    (implied::time(&grant.from, image).and_then(beginning), implied::time(&grant.until, image).and_then(end))
}

/// When the window of a grant closed, if it was ever open and had closed when the record was
/// written.
///
/// A record says when it was written in whole seconds, so a write in the second in which the window
/// closes counts as later.
pub(crate) fn closed_before(grant: &Grant, image: &Item, written: Timestamp) -> Option<Timestamp> {
    let (opens, closes) = window(grant, image);
    let closes = closes.filter(|closes| opens.is_none_or(|opens| opens < *closes))?;
    (closes.as_second() <= written.as_second()).then_some(closes)
}

/// Whether items of a type have moments.
#[must_use]
pub fn has_moments(ty: &ItemType) -> bool {
    !ty.due.is_empty() || ty.grant.as_ref().is_some_and(|grant| !grant.from.is_empty() || !grant.until.is_empty())
}

/// Whether a model needs the clock: it has items with moments, or users that are deleted later than their items.
#[must_use]
pub fn needs_clock(model: &Model) -> bool {
    let keeps_users = |ty: &ItemType| ty.user.as_ref().is_some_and(|user| user.grace.is_some());
    model.items.iter().any(|ty| has_moments(ty) || keeps_users(ty))
}

/// The attributes that a `due` rule depends on, with their values: its write has the condition that
/// they are unchanged. This is one rule; the uses of an item type are those of all its rules.
pub(crate) fn sources(model: &Model, object: &Object, image: &Item, due: &DueRule) -> BTreeMap<String, Option<Value>> {
    let names = model.sources(object.of, &object.names, &due.at).into_iter();
    let conditions = due.when.attributes().filter(|name| !object.names.contains_key(*name)).map(str::to_owned);
    names.chain(conditions).map(|name| (name.clone(), image.get(&name).cloned())).collect()
}
