//! Guards: items whose existence reserves a unique value for an item of another type.

use std::collections::{BTreeMap, BTreeSet};

use crate::item_names::ItemNames;
use crate::slots::Types;
use crate::text::ValueForm;
use crate::tokens::forms;
use crate::words::norm;

/// A guard.
#[derive(Debug, Clone)]
pub(crate) struct GuardGuess {
    pub(crate) owner: usize,
    /// By name of the guard's key: the owner's attribute.
    pub(crate) claims: BTreeMap<String, String>,
    /// By name of the owner's key: the guard's attribute.
    pub(crate) by: BTreeMap<String, String>,
    /// By name of the guard's key: how the key spells the owner's attribute.
    forms: BTreeMap<String, ValueForm>,
}

/// Notes in the slots of guards how their keys spell the values of their owners: a key in lower case of a value in
/// upper case would otherwise be no claim of the owner, and Instep would delete the guard.
pub(crate) fn spell<'g>(guards: impl Iterator<Item = Option<&'g GuardGuess>>, types: &mut Types) {
    for (of, guard) in types.types.iter().zip(guards) {
        let Some(guard) = guard else { continue };
        for at in of.key_slots() {
            let Some(slot) = types.slots.get_mut(at) else { continue };
            if let (Some(form), Some(attribute)) = (guard.forms.get(&slot.name), guard.claims.get(&slot.name)) {
                slot.attributes.insert(attribute.clone(), (slot.values.len(), *form));
            }
        }
    }
}

/// A guard has at most so many attributes that say something.
const ATTRIBUTES_MAX: usize = 4;

/// Words in the name or key of an item type that reserves values.
const WORDS: [&str; 11] =
    ["uniq", "guard", "lock", "lookup", "email", "username", "reserv", "slot", "handle", "phone", "nickname"];

/// The guard that each item type is. `None` for one that is none.
pub(crate) fn guards(names: &ItemNames<'_>) -> Vec<Option<GuardGuess>> {
    let all: Vec<Option<GuardGuess>> = (0..names.types.types.len()).map(|at| guard(names, at)).collect();
    // What owns a guard is none itself.
    let is_guard = |at: usize| all.get(at).is_some_and(Option::is_some);
    all.iter().map(|guard| guard.clone().filter(|guard| !is_guard(guard.owner))).collect()
}

/// How well an owner fits: whether all names of its key are known, the values in common, and that few attributes are
/// left over.
type Fit = (bool, usize, std::cmp::Reverse<usize>, std::cmp::Reverse<usize>);

fn guard(names: &ItemNames<'_>, at: usize) -> Option<GuardGuess> {
    let content: BTreeSet<&str> = names.attributes(at).into_iter().filter(|name| !is_meta(names, name)).collect();
    if names.key_names(at).is_empty() || content.len() > ATTRIBUTES_MAX {
        return None;
    }
    let mut best: Option<(Fit, GuardGuess)> = None;
    for owner in (0..names.types.types.len()).filter(|owner| *owner != at) {
        let found = with_owner(names, at, owner, &content);
        if let Some((fit, guard)) = found.filter(|(fit, _)| best.as_ref().is_none_or(|(best, _)| fit > best)) {
            best = Some((fit, guard));
        }
    }
    let ((is_owned, ..), guard) = best?;
    let of = names.types.types.get(at)?;
    let text = format!("{} {}", of.name.to_ascii_lowercase(), constants(names, at));
    let is_called_so = WORDS.iter().any(|word| text.contains(word));
    (is_called_so || is_owned && content.len() <= 2).then_some(guard)
}

/// The constants of a type's key, in lower case.
fn constants(names: &ItemNames<'_>, at: usize) -> String {
    let of = names.types.types.get(at).into_iter();
    let texts = of.flat_map(|of| crate::text::constants(&of.pk).chain(crate::text::constants(&of.sk)));
    texts.collect::<String>().to_ascii_lowercase()
}

/// Attributes that say when and by whom an item was written, or are a key of an index.
fn is_meta(names: &ItemNames<'_>, attribute: &str) -> bool {
    const WORDS: [&str; 4] = ["created", "updated", "modified", "expire"];
    const WHOLE: [&str; 5] = ["version", "schemaversion", "timestamp", "ttl", "expiration"];
    let plain = norm(attribute);
    WORDS.iter().any(|word| plain.starts_with(word))
        || WHOLE.contains(&plain.as_str())
        || names.table.schema.is_plain(attribute)
}

fn with_owner(names: &ItemNames<'_>, at: usize, owner: usize, content: &BTreeSet<&str>) -> Option<(Fit, GuardGuess)> {
    let own = names.key_names(at);
    let of_owner = names.key_names(owner);
    let attributes = names.attributes(owner);
    if of_owner.is_empty() || attributes.len() < 2 {
        return None;
    }
    let claims = claims(names, at, owner, &attributes);
    let claimed: usize = claims.values().map(|(count, _)| count).sum();
    let others: BTreeSet<&str> = own.iter().filter(|name| !claims.contains_key(**name)).copied().collect();
    if claims.is_empty() || !others.is_subset(&of_owner) {
        return None;
    }
    let by = owner_attributes(names, at, owner, &of_owner);
    let is_owned = by.len() == of_owner.len();
    if !is_owned && !content.is_empty() {
        return None;
    }
    let is_left = |name: &&&str| {
        let is_used = by.values().any(|by| by == **name)
            || own.contains(**name)
            || claims.values().any(|(_, attribute)| attribute == **name);
        !is_used && !repeats(names, at, name)
    };
    let left = content.iter().filter(is_left).count();
    if left > 1 {
        return None;
    }
    let fit = (is_owned, claimed, std::cmp::Reverse(left), std::cmp::Reverse(of_owner.len()));
    let claims: BTreeMap<String, String> = claims.into_iter().map(|(name, (_, attribute))| (name, attribute)).collect();
    let spelt = |(name, attribute): (&String, &String)| Some((name.clone(), form(names, at, owner, name, attribute)?));
    let forms = claims.iter().filter_map(spelt).collect();
    Some((fit, GuardGuess { owner, claims, by, forms }))
}

/// By name of the guard's key: the owner's attribute that has its values, and how many.
fn claims(
    names: &ItemNames<'_>,
    at: usize,
    owner: usize,
    attributes: &BTreeSet<&str>,
) -> BTreeMap<String, (usize, String)> {
    let of_owner = names.key_names(owner);
    let key_attributes: BTreeSet<&String> = names
        .types
        .types
        .get(owner)
        .into_iter()
        .flat_map(|of| of.key_slots())
        .filter_map(|at| names.types.slots.get(at))
        .flat_map(|slot| slot.attributes.keys())
        .collect();
    let own = names.types.types.get(at).into_iter().flat_map(|of| of.key_slots());
    let own: Vec<_> = own.filter_map(|at| names.types.slots.get(at)).collect();
    // A key that says so can reserve a value that is also in its owner's key.
    let says_unique = constants(names, at).contains("uniq");
    let is_free =
        |name: &str| says_unique || !of_owner.contains(name) && !key_attributes.iter().any(|key| *key == name);
    let mut claims: BTreeMap<String, (usize, String)> = BTreeMap::new();
    for attribute in attributes.iter().filter(|name| is_free(name)) {
        // Few pairs of attributes and keys have any value in common: most need no look at the items.
        let is_possible = |slot: &crate::slots::ValueSlot| {
            let has = |value: &&String| {
                names.table.attributes_with.get(*value).is_some_and(|names| names.contains(*attribute))
            };
            slot.set.iter().filter(has).count() * 2 >= slot.set.len()
        };
        if !own.iter().any(|slot| is_possible(slot)) {
            continue;
        }
        let values: BTreeSet<String> = names
            .items(owner)
            .filter_map(|(_, item)| item.get(*attribute))
            .flat_map(|value| forms(value).into_iter().map(|(text, _)| text))
            .collect();
        for slot in &own {
            let count = slot.set.iter().filter(|value| values.contains(*value)).count();
            if count * 2 < slot.set.len() || count == 0 {
                continue;
            }
            let better =
                |(best, name): &(usize, String)| (*attribute == slot.name, count) > (*name == slot.name, *best);
            if claims.get(&slot.name).is_none_or(better) {
                claims.insert(slot.name.clone(), (count, (*attribute).to_owned()));
            }
        }
    }
    claims
}

/// How a guard's key spells the owner's attribute. `None` if it is as it is.
fn form(names: &ItemNames<'_>, at: usize, owner: usize, name: &str, attribute: &str) -> Option<ValueForm> {
    let in_keys: BTreeSet<&str> = names.items(at).filter_map(|(place, _)| names.in_key(at, place, name)).collect();
    let values = names.items(owner).filter_map(|(_, item)| item.get(attribute));
    let used = values.flat_map(forms).filter(|(text, _)| in_keys.contains(text.as_str())).map(|(_, form)| form);
    used.max().filter(|form| *form != ValueForm::default())
}

/// By name of the owner's key: the guard's attribute that has its values.
fn owner_attributes(
    names: &ItemNames<'_>,
    at: usize,
    owner: usize,
    of_owner: &BTreeSet<&str>,
) -> BTreeMap<String, String> {
    let mut by = BTreeMap::new();
    for key in of_owner {
        let values: BTreeSet<String> = names
            .items(owner)
            .filter_map(|(place, _)| names.in_key(owner, place, key))
            .map(str::to_lowercase)
            .collect();
        let count = |attribute: &str| {
            let all: Vec<String> = names
                .items(at)
                .filter_map(|(_, item)| item.get(attribute)?.to_text().map(|text| text.to_lowercase()))
                .collect();
            let known = all.iter().filter(|value| values.contains(*value)).count();
            (known > 0 && known * 2 >= all.len()).then_some(known)
        };
        let found = names.attributes(at).into_iter().filter_map(|name| Some((name == *key, count(name)?, name)));
        if let Some((_, _, name)) =
            found.max_by_key(|(is_same, count, name)| (*is_same, *count, std::cmp::Reverse(*name)))
        {
            by.insert((*key).to_owned(), name.to_owned());
        } else if names.key_names(at).contains(key) {
            by.insert((*key).to_owned(), (*key).to_owned());
        }
    }
    by
}

/// Whether an attribute of a guard says nothing new: all items have one value, or the key has it.
fn repeats(names: &ItemNames<'_>, at: usize, attribute: &str) -> bool {
    let all: Vec<_> = names.items(at).filter_map(|(_, item)| Some((item, item.get(attribute)?))).collect();
    let is_constant =
        all.len() > 1 && all.iter().all(|(_, value)| all.first().is_some_and(|(_, first)| first == value));
    let in_key = all.iter().all(|(item, value)| {
        let text = value.to_text().map(|text| text.to_lowercase()).unwrap_or_default();
        names.table.keys(item).iter().any(|key| key.to_lowercase().contains(&text))
    });
    is_constant || in_key
}
