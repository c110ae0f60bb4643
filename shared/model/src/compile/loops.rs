//! INVARIANT 8: Instep's own writes become stream records that it handles. This module refuses
//! models with which it would write for ever.
//!
//! Everything else ends: cascades delete and never put; a released guard is claimed once; an edge
//! that takes its child deletes it; and a value is transferred only to a claimant that has what the
//! holder lacks.

use std::collections::{BTreeMap, BTreeSet};

use crate::errors::{Mistake, Mistakes};
use crate::file::{DraftCondition, DraftDue, DraftTests};
use crate::model::{ItemType, Test};
use crate::source::Located;
use crate::template::Template;
use crate::value::Value;

use super::context::{Context, TypeContext};
use super::items::{kept, key_attributes, names_from_key};

/// The maximum number of states that are explored for one rule. Ten independent rules need half of
/// it.
const STATES_MAX: usize = 1_000;

pub(super) fn check(context: &Context<'_>, items: &[ItemType], mistakes: &mut Mistakes) {
    for entry in &context.items {
        check_kept(context, entry, mistakes);
        check_due(entry, mistakes);
    }
    check_guards(context, items, mistakes);
}

/// A kept attribute that follows from itself or from two templates would be written for ever.
fn check_kept(context: &Context<'_>, entry: &TypeContext<'_>, mistakes: &mut Mistakes) {
    let kept = kept(context, entry);
    for (attribute, templates) in &kept {
        let Some(template) = templates.first() else { continue };
        for other in templates.iter().skip(1).filter(|other| other.value != template.value) {
            let message = format!("two templates set `{attribute}`");
            let mistake =
                Mistake::new(other.span, message, "this would overwrite").also(template.span, "what this writes");
            mistakes.add(mistake.help("each write by one would cause a write by the other: keep one of them"));
        }
        // Everything that the attribute follows from, also through other kept attributes.
        let mut open: Vec<&Located<Template>> = templates.clone();
        let mut seen: BTreeSet<String> = BTreeSet::new();
        while let Some(next) = open.pop() {
            for source in next.value.names().flat_map(|name| sources(context, entry, name)) {
                if seen.insert(source.clone()) {
                    open.extend(kept.get(&source).into_iter().flatten());
                }
            }
        }
        if seen.contains(attribute) {
            let message = format!("`{attribute}` depends on itself");
            let help = "its template uses it, or an attribute that depends on it: each write would cause the next";
            mistakes.add(Mistake::new(template.span, message, "never ends").help(help));
        }
    }
    check_written_keys(context, entry, &kept, mistakes);
    for (tested, _) in entry.draft.due.iter().flat_map(|due| &due.when).flat_map(|tests| &tests.value) {
        if let Some(template) = kept.get(&tested.value).and_then(|templates| templates.first()) {
            let message = format!("`due` tests `{}`, which `keep` writes after each `set`", tested.value);
            let mistake = Mistake::new(tested.span, message, "does it become due again?").also(template.span, "this");
            mistakes.add(mistake.help("test the attribute that the template uses"));
        }
    }
    for (set, _) in entry.draft.due.iter().flat_map(|due| &due.set) {
        if let Some(template) = kept.get(&set.value).and_then(|templates| templates.first()) {
            let message = format!("`{}` is set by both `due` and `keep`", set.value);
            let mistake = Mistake::new(set.span, message, "this would be overwritten").also(template.span, "by this");
            mistakes.add(mistake.help("set the attribute that the template uses; the index key then follows"));
        }
    }
}

/// An index key that Instep writes is in no attribute that has another value: the key of another index, or the
/// item type's name.
fn check_written_keys(
    context: &Context<'_>,
    entry: &TypeContext<'_>,
    kept: &BTreeMap<String, Vec<&Located<Template>>>,
    mistakes: &mut Mistakes,
) {
    let all = key_attributes(context, entry, |_| true);
    let is_written = |attribute: &String| kept.contains_key(attribute) || entry.draft.guard.is_some();
    for (attribute, templates) in all.iter().filter(|(attribute, _)| is_written(attribute)) {
        let Some(first) = kept.get(attribute).unwrap_or(templates).first() else { continue };
        let differs = |other: &&&Located<Template>| other.value != first.value;
        // Of two kept ones, another mistake says it.
        let is_kept = |other: &Located<Template>| {
            kept.get(attribute).is_some_and(|kept| kept.iter().any(|own| own.span == other.span))
        };
        if let Some(other) = templates.iter().find(differs).filter(|other| !is_kept(other)) {
            let message = format!("`{attribute}` is a key of two indexes, and Instep would write this one into it");
            let mistake = Mistake::new(first.span, message, "overwrites").also(other.span, "what this says");
            mistakes.add(mistake.help("give both the same template, or give one of the indexes another attribute"));
        }
        let is_type = context.draft.table.type_attribute.as_ref().is_some_and(|own| own.value == *attribute);
        let text = first.value.to_string();
        let types = &entry.draft.type_values;
        let is_own = match types.first() {
            None => text == entry.draft.name.value,
            // A new guard has the first.
            Some(own) if entry.draft.guard.is_some() => text == own.value,
            Some(_) => types.iter().any(|own| text == own.value),
        };
        let is_itself = first.value.as_single().is_some_and(|slot| slot.name == *attribute);
        if is_type && !is_own && !is_itself {
            let message = format!("`{attribute}` has the item type's name, and Instep would write this into it");
            let help = "write the `type` of this item type here, or give the index an attribute of its own";
            mistakes.add(Mistake::new(first.span, message, "overwrites the type").help(help));
        }
    }
}

/// The attributes from which an item's names are read, as [`crate::Model::sources`] says: none for
/// a name that its key gives.
fn sources(context: &Context<'_>, entry: &TypeContext<'_>, name: &str) -> BTreeSet<String> {
    if names_from_key(context, entry.id).contains(name) {
        return BTreeSet::new();
    }
    // This ends: shapes do not contain themselves.
    let outers = context.texts(entry.id).outers(name);
    let mut found: BTreeSet<String> = outers.iter().flat_map(|outer| sources(context, entry, outer)).collect();
    found.extend(context.attributes_of_name(name));
    for keys in entry.draft.indexes.iter().filter(|keys| !keys.keep.writes()) {
        let Some(index) = context.indexes.iter().find(|index| index.name == keys.index.value) else { continue };
        for (attributes, template) in [(Some(&index.pk), &keys.pk), (index.sk.as_ref(), &keys.sk)] {
            if template.iter().any(|template| template.value.names().any(|own| own == name)) {
                found.extend(attributes.into_iter().flatten().cloned());
            }
        }
    }
    found
}

/// Known attribute values of an item.
type State<'a> = BTreeMap<&'a str, &'a Value>;

/// Explores which rules become due after each other. A rule that can become due again by rules
/// alone would never end.
fn check_due(entry: &TypeContext<'_>, mistakes: &mut Mistakes) {
    for due in &entry.draft.due {
        if due.when.is_empty() {
            let help = "add the values for which it applies, such as `when = { status = \"active\" }`, one of which `set` changes";
            let mistake = Mistake::new(due.span, "this stays due without end", "no `when` ends it");
            mistakes.add(mistake.help(help));
            continue;
        }
        let message = "this rule makes itself due again";
        let help = "`set` must give an attribute of `when` another value, and no other rule may reverse it";
        let mistake = match comes_again(due, &entry.draft.due) {
            None => continue,
            Some(Again::AtOnce) => Mistake::new(due.span, message, "`when` is still true after `set`").help(help),
            Some(Again::After(other)) => {
                let mistake = Mistake::new(due.span, message, "after this");
                mistake.also(other.span, "this makes it due again").help(help)
            }
            Some(Again::Unknown) => {
                let message = "cannot determine whether this becomes due again";
                mistakes.add(Mistake::new(due.span, message, "too many rules").help("remove some of the rules"));
                return;
            }
        };
        mistakes.add(mistake);
    }
}

/// How a rule can be due again after itself.
enum Again<'a> {
    AtOnce,
    /// Through other rules, of which this is the last.
    After(&'a DraftDue),
    /// There are more states than are explored.
    Unknown,
}

fn comes_again<'a>(due: &'a DraftDue, all: &'a [DraftDue]) -> Option<Again<'a>> {
    let mut open: Vec<State<'a>> = Vec::new();
    for tests in &due.when {
        let start = after(&State::new(), &tests.value, due);
        if agrees(&start, &due.when) {
            return Some(Again::AtOnce);
        }
        open.push(start);
    }
    let mut seen: BTreeSet<State<'a>> = BTreeSet::new();
    while let Some(state_now) = open.pop() {
        let steps = all.iter().flat_map(|other| other.when.iter().map(move |tests| (other, &tests.value)));
        for (other, tests) in steps.filter(|(_, tests)| can_pass(&state_now, tests)) {
            let after = after(&state_now, tests, other);
            if agrees(&after, &due.when) && !std::ptr::eq(other, due) {
                return Some(Again::After(other));
            }
            if seen.insert(after.clone()) {
                open.push(after);
            }
            if seen.len() > STATES_MAX {
                return Some(Again::Unknown);
            }
        }
    }
    None
}

/// What is known after a rule that applied because these tests were true.
fn after<'a>(before: &State<'a>, tests: &'a DraftTests, rule: &'a DraftDue) -> State<'a> {
    let only = |(attribute, test): &'a (Located<String>, Test)| Some((attribute.value.as_str(), test.only_value()?));
    let set = rule.set.iter().map(|(attribute, value)| (attribute.value.as_str(), value));
    let mut after = before.clone();
    after.extend(tests.iter().filter_map(only).chain(set));
    after
}

/// Whether a condition can hold with these known values.
fn agrees(known: &State<'_>, when: &DraftCondition) -> bool {
    when.iter().any(|tests| can_pass(known, &tests.value))
}

fn can_pass(known: &State<'_>, tests: &DraftTests) -> bool {
    tests
        .iter()
        .all(|(attribute, test)| known.get(attribute.value.as_str()).is_none_or(|known| test.holds(Some(known))))
}

/// A guard that is an owner claims guards when it is written. In a ring of guards that would never
/// end.
fn check_guards(context: &Context<'_>, items: &[ItemType], mistakes: &mut Mistakes) {
    for entry in &context.items {
        let Some(guard) = &entry.draft.guard else { continue };
        let mut owner = items.get(entry.id.0).and_then(|item| item.guard.as_ref()).map(|guard| guard.owner);
        // This ends: a chain of owners that is longer than the number of item types is a ring.
        for _ in 0..items.len() {
            let Some(of) = owner else { break };
            if of == entry.id {
                let message = format!("`{}` guards itself, through its owner", entry.draft.name.value);
                let help = "each claim would cause another: give one of these guards an owner that is not a guard";
                mistakes.add(Mistake::new(guard.owner.span, message, "leads back to this guard").help(help));
                break;
            }
            owner = items.get(of.0).and_then(|item| item.guard.as_ref()).map(|guard| guard.owner);
        }
    }
}
