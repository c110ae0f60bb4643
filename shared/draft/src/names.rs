//! The names of values and of item types. Two slots have one name if they are the same thing.

use std::collections::{BTreeMap, BTreeSet};

use crate::groups::beginning;
use crate::slots::{TypeGuess, Types, ValueSlot};
use crate::text::constants;
use crate::tokens::SampleTable;
use crate::words::{
    camel, is_digits, is_empty_word, is_generic, is_plain_name, is_time, is_word, lower_camel, norm, snake,
};

/// The most values of a slot that are compared with those of others.
const COMPARED_MAX: usize = 1_000;

/// The percentage of a slot's values that another set of slots must have to be the same thing.
const SAME_PERCENT: usize = 60;

/// The names that values have if nothing says a better one.
const PLAIN_KEYS: [&str; 5] = ["name", "slug", "code", "key", "value"];

/// Names all slots, and then all item types.
pub(crate) fn name(table: &SampleTable<'_>, types: &mut Types) {
    join_by_context(&mut types.slots);
    join_by_values(&mut types.slots);
    name_classes(table, types);
    find_ends(types);
    name_types(table, types);
}

/// One class instead of two.
fn join(slots: &mut [ValueSlot], one: usize, other: usize) {
    let (Some(kept), Some(gone)) = (slots.get(one).map(|slot| slot.class), slots.get(other).map(|slot| slot.class))
    else {
        return;
    };
    slots.iter_mut().filter(|slot| slot.class == gone).for_each(|slot| slot.class = kept);
}

/// Whether most values look like ids, and not like words.
fn has_ids(slot: &ValueSlot) -> bool {
    let is_id = |value: &&String| value.len() > 9 || value.contains(|c: char| c.is_ascii_digit() || c == '@');
    slot.set.iter().filter(is_id).count() * 2 >= slot.set.len()
}

/// What ids look like: `t-81` and `t-9` have one shape.
fn shapes(slot: &ValueSlot) -> BTreeSet<String> {
    let shape = |value: &String| {
        let head = beginning(value);
        let mut shape = head.clone();
        for c in value.get(head.len()..).unwrap_or_default().chars() {
            let kind = match c {
                'a'..='z' => 'a',
                'A'..='Z' => 'A',
                '0'..='9' => '9',
                other => other,
            };
            if !shape.ends_with(kind) {
                shape.push(kind);
            }
        }
        shape
    };
    slot.set.iter().take(COMPARED_MAX).map(shape).collect()
}

/// Joins slots after the same word, and slots of one item type that always have one value.
fn join_by_context(slots: &mut [ValueSlot]) {
    let mut pairs = Vec::new();
    for (at, one) in slots.iter().enumerate() {
        for (beside, other) in slots.iter().enumerate().skip(at + 1) {
            let is_same = if one.of == other.of { is_always_equal(one, other) } else { is_after_one_word(one, other) };
            if is_same {
                pairs.push((at, beside));
            }
        }
    }
    pairs.into_iter().for_each(|(one, other)| join(slots, one, other));
}

fn is_always_equal(one: &ValueSlot, other: &ValueSlot) -> bool {
    let same_word = norm(&one.context) == norm(&other.context);
    if one.items == other.items {
        return one.values == other.values && (same_word || one.set.len() > 1 || one.is_in_index && has_ids(one));
    }
    let values: BTreeMap<usize, &String> = other.items.iter().copied().zip(&other.values).collect();
    let mut common = one.items.iter().zip(&one.values).filter_map(|(item, value)| Some((value, *values.get(item)?)));
    let mut is_any = false;
    let is_equal = common.by_ref().all(|(value, other)| {
        is_any = true;
        value == other
    });
    is_any && is_equal && (same_word || one.set.len() > 1 || has_ids(one))
}

fn is_after_one_word(one: &ValueSlot, other: &ValueSlot) -> bool {
    let is_word = !one.context.is_empty() && !is_empty_word(&one.context);
    if !is_word || norm(&one.context) != norm(&other.context) {
        return false;
    }
    let alike = || has_ids(one) && has_ids(other) && !shapes(one).is_disjoint(&shapes(other));
    !one.set.is_disjoint(&other.set) || alike()
}

/// Joins a slot with the one class that has most of its values. A slot whose values are those of several classes is a
/// reference by type, and stays what it is.
fn join_by_values(slots: &mut [ValueSlot]) {
    let mut with: BTreeMap<String, Vec<usize>> = BTreeMap::new();
    for (at, slot) in slots.iter().enumerate() {
        for value in slot.set.iter().take(COMPARED_MAX) {
            with.entry(value.clone()).or_default().push(at);
        }
    }
    for at in 0..slots.len() {
        if let Some((class, _)) = slots.get(at).and_then(|slot| class_of_values(slots, slot, &with))
            && let Some(other) = slots.iter().position(|slot| slot.class == class)
            && fits_whole_class(slots, at, class)
        {
            join(slots, other, at);
        }
    }
}

/// The class with most of a slot's values, and how many.
fn class_of_values(
    slots: &[ValueSlot],
    slot: &ValueSlot,
    with: &BTreeMap<String, Vec<usize>>,
) -> Option<(usize, usize)> {
    if !has_ids(slot) || slot.set.iter().all(|value| is_time(value) || is_digits(value)) {
        return None;
    }
    let mut counts: BTreeMap<usize, usize> = BTreeMap::new();
    let values: Vec<&String> = slot.set.iter().take(COMPARED_MAX).collect();
    for value in &values {
        let others = with.get(*value).into_iter().flatten().filter_map(|at| slots.get(*at)).filter(|other| {
            let is_own = other.of == slot.of && !other.is_in_index && !slot.is_in_index;
            let is_known = !other.context.is_empty() || !other.attributes.is_empty();
            other.class != slot.class && !is_own && is_known
        });
        let classes: BTreeSet<usize> = others.map(|other| other.class).collect();
        classes.into_iter().for_each(|class| *counts.entry(class).or_default() += 1);
    }
    let mut best: Vec<(usize, usize)> = counts.into_iter().collect();
    best.sort_by_key(|(class, count)| (std::cmp::Reverse(*count), *class));
    let (class, count) = *best.first()?;
    let second = best.get(1).map_or(0, |(_, count)| *count);
    let is_clear =
        second * 10 <= values.len() || (count - second) * 2 > values.len() || count == second && best.len() == 2;
    (count * 100 >= SAME_PERCENT * values.len() && is_clear).then_some((class, count))
}

/// Whether the values of a slot's whole class are mostly those of another.
fn fits_whole_class(slots: &[ValueSlot], at: usize, class: usize) -> bool {
    let values = |class: usize| -> BTreeSet<&String> {
        slots.iter().filter(|slot| slot.class == class).flat_map(|slot| &slot.set).collect()
    };
    let Some(own) = slots.get(at).map(|slot| values(slot.class)) else { return false };
    let other = values(class);
    own.intersection(&other).count() * 100 >= SAME_PERCENT * own.len()
}

/// Gives each class a name.
fn name_classes(table: &SampleTable<'_>, types: &mut Types) {
    let mut classes: BTreeMap<usize, Vec<usize>> = BTreeMap::new();
    for (at, slot) in types.slots.iter().enumerate() {
        classes.entry(slot.class).or_default().push(at);
    }
    let is_snake = has_snake_case(table);
    let mut order: Vec<Vec<usize>> = classes.into_values().collect();
    let size = |class: &Vec<usize>| -> usize {
        class.iter().filter_map(|at| types.slots.get(*at)).map(|slot| slot.values.len()).sum()
    };
    order.sort_by_key(|class| std::cmp::Reverse(size(class)));
    // By item type: the names that it has.
    let mut used: BTreeMap<usize, BTreeSet<String>> = BTreeMap::new();
    for class in order {
        let slots: Vec<&ValueSlot> = class.iter().filter_map(|at| types.slots.get(*at)).collect();
        let of: BTreeSet<usize> = slots.iter().map(|slot| slot.of).collect();
        let naming = Naming { table, types: &types.types, slots: &slots, is_snake };
        let first = naming.name();
        let is_free = |name: &String| of.iter().all(|of| used.get(of).is_none_or(|used| !used.contains(name)));
        let end = if is_snake { "_" } else { "" };
        let mut numbered = (2..).map(|number: usize| format!("{first}{end}{number}"));
        let name = if is_free(&first) { first.clone() } else { numbered.find(is_free).unwrap_or_default() };
        for of in of {
            used.entry(of).or_default().insert(name.clone());
        }
        for at in class {
            if let Some(slot) = types.slots.get_mut(at) {
                slot.name.clone_from(&name);
            }
        }
    }
}

/// Whether the table's attributes are written like `user_id` and not like `userId`.
fn has_snake_case(table: &SampleTable<'_>) -> bool {
    let names: BTreeSet<&str> =
        table.items.iter().flat_map(|item| table.attributes(item)).map(|(name, _)| name.trim_matches('_')).collect();
    let snake = names.iter().filter(|name| name.contains('_')).count();
    let camel = names.iter().filter(|name| name.chars().skip(1).any(|c| c.is_ascii_uppercase()));
    snake > camel.count()
}

struct Naming<'n, 'a> {
    table: &'n SampleTable<'a>,
    types: &'n [TypeGuess],
    slots: &'n [&'n ValueSlot],
    is_snake: bool,
}

impl Naming<'_, '_> {
    fn name(&self) -> String {
        let named = self.by_attribute().or_else(|| self.by_attribute_elsewhere()).filter(|name| is_plain_name(name));
        named.unwrap_or_else(|| self.by_word())
    }

    /// The attribute that most often has the value.
    fn by_attribute(&self) -> Option<String> {
        let mut votes: BTreeMap<&String, usize> = BTreeMap::new();
        for slot in self.slots {
            for (name, (count, _)) in slot.attributes.iter().filter(|(name, _)| !is_generic(name)) {
                let word = norm(&slot.context);
                let near = if !word.is_empty() && norm(name).contains(&word) { 4 } else { 2 };
                *votes.entry(name).or_default() += count * if slot.is_in_index { near / 2 } else { near };
            }
        }
        let best = votes.into_iter().max_by_key(|(name, votes)| (*votes, std::cmp::Reverse((*name).clone())));
        best.map(|(name, _)| name.clone())
    }

    /// An attribute of other items that has most of the values.
    fn by_attribute_elsewhere(&self) -> Option<String> {
        let values: BTreeSet<&String> = self.slots.iter().flat_map(|slot| &slot.set).take(COMPARED_MAX).collect();
        let mut counts: BTreeMap<&String, usize> = BTreeMap::new();
        for name in values.iter().filter_map(|value| self.table.attributes_with.get(*value)).flatten() {
            *counts.entry(name).or_default() += 1;
        }
        let words: BTreeSet<String> = self.slots.iter().map(|slot| norm(&slot.context)).collect();
        let is_near = |name: &str| words.contains(&norm(name));
        let is_part = |name: &str| words.iter().any(|word| !word.is_empty() && norm(name).contains(word));
        let fits = counts
            .into_iter()
            .filter(|(name, count)| count * 100 >= SAME_PERCENT * values.len() && (!is_generic(name) || is_near(name)));
        let best = fits.max_by_key(|(name, count)| {
            (is_near(name), *count, is_part(name), std::cmp::Reverse((name.len(), (*name).clone())))
        });
        best.map(|(name, _)| name.clone())
    }

    /// A name made of the constant before it, and of what the values look like.
    fn by_word(&self) -> String {
        let base = snake(&self.base());
        let base = if base.is_empty() { "x".to_owned() } else { base };
        let suffix = self.suffix();
        let types: BTreeSet<usize> = self.slots.iter().map(|slot| slot.of).collect();
        if PLAIN_KEYS.contains(&suffix.as_str()) && types.len() == 1 {
            return suffix;
        }
        let joined = if suffix.is_empty() { base } else { format!("{base}_{suffix}") };
        let name = if self.is_snake { joined } else { lower_camel(&joined) };
        if is_plain_name(&name) { name } else { format!("x_{name}").chars().take(40).collect() }
    }

    fn base(&self) -> String {
        let mut words: BTreeMap<&str, usize> = BTreeMap::new();
        for slot in self.slots.iter().filter(|slot| !slot.context.is_empty()) {
            *words.entry(slot.context.as_str()).or_default() += 1;
        }
        if let Some((word, _)) = words.into_iter().max_by_key(|(word, count)| (*count, std::cmp::Reverse(*word))) {
            return word.to_owned();
        }
        let Some(slot) = self.slots.first() else { return String::new() };
        let heads: BTreeSet<String> = slot.set.iter().map(|value| beginning(value)).collect();
        if let (Some(head), 1) = (heads.first().filter(|head| !head.is_empty()), heads.len()) {
            return head.clone();
        }
        let of = self.types.get(slot.of);
        let keys = of.into_iter().flat_map(|of| constants(&of.sk).chain(constants(&of.pk)));
        let mut words = keys.flat_map(|text| text.split(|c: char| !c.is_ascii_alphabetic() && c != '_'));
        words.find(|word| is_word(word)).unwrap_or_default().to_owned()
    }

    fn suffix(&self) -> String {
        let mut values = self.slots.iter().flat_map(|slot| &slot.set);
        if values.clone().all(|value| is_time(value)) {
            return if values.all(|value| value.len() == "2026-01-31".len()) { "date" } else { "time" }.to_owned();
        }
        let generic = self.slots.iter().flat_map(|slot| slot.attributes.keys()).find(|name| is_generic(name));
        if let Some(name) = generic.filter(|name| PLAIN_KEYS.contains(&name.as_str())) {
            return name.clone();
        }
        let is_id = |value: &String| value.len() > 12 || value.contains(|c: char| c.is_ascii_digit());
        if generic.is_some() || values.all(is_id) { "id".to_owned() } else { String::new() }
    }
}

/// Two values of one name in one key are the ends of an edge.
fn find_ends(types: &mut Types) {
    for of in &mut types.types {
        let mut by_name: BTreeMap<String, Vec<usize>> = BTreeMap::new();
        for at in of.key_slots() {
            if let Some(slot) = types.slots.get(at) {
                by_name.entry(slot.name.clone()).or_default().push(at);
            }
        }
        let own: Vec<usize> = of.key_slots().chain(of.index_slots()).collect();
        for (name, at) in by_name {
            let values = |at: &usize| types.slots.get(*at).map(|slot| slot.values.clone());
            let mut different: Vec<Vec<String>> = Vec::new();
            for values in at.iter().filter_map(values) {
                if !different.contains(&values) {
                    different.push(values);
                }
            }
            if different.len() != 2 || !of.ends.is_empty() {
                continue;
            }
            let labels = labels(&at.iter().filter_map(|at| types.slots.get(*at)).collect::<Vec<_>>(), &different);
            for at in &own {
                if let Some(slot) = types.slots.get_mut(*at).filter(|slot| slot.name == name) {
                    let place = different.iter().position(|values| *values == slot.values);
                    slot.end = place.and_then(|place| labels.get(place)).cloned();
                }
            }
            of.ends = labels;
        }
    }
}

/// What the ends are called: the words before them, or `parent` and `child`.
fn labels(slots: &[&ValueSlot], different: &[Vec<String>]) -> Vec<String> {
    let word = |values: &Vec<String>| {
        let context = slots.iter().find(|slot| slot.values == *values).map(|slot| slot.context.as_str());
        context.unwrap_or_default().chars().filter(char::is_ascii_alphabetic).collect::<String>().to_ascii_lowercase()
    };
    let words: Vec<String> = different.iter().map(word).collect();
    let is_usable = words.iter().all(|word| !word.is_empty()) && words.first() != words.last();
    if is_usable { words } else { vec!["parent".to_owned(), "child".to_owned()] }
}

/// Gives each item type a name: its type attribute's value, or a word of its key.
fn name_types(table: &SampleTable<'_>, types: &mut Types) {
    let mut counts: BTreeMap<&String, usize> = BTreeMap::new();
    types.types.iter().flat_map(|of| &of.type_values).for_each(|value| *counts.entry(value).or_default() += 1);
    let own = |of: &TypeGuess| match &of.type_values[..] {
        [value] if counts.get(value) == Some(&1) && is_word(value) => camel(value),
        _ => by_keys(table, of),
    };
    let names: Vec<String> = types.types.iter().map(own).collect();
    let mut order: Vec<usize> = (0..names.len()).collect();
    // The item type with the fewest values and the most items has the plain name.
    let names_of = |of: &TypeGuess| {
        let slots = of.key_slots().filter_map(|at| types.slots.get(at));
        slots.map(|slot| slot.name.as_str()).collect::<BTreeSet<_>>().len()
    };
    let rank = |at: &usize| types.types.get(*at).map(|of| (names_of(of), std::cmp::Reverse(of.items.len())));
    order.sort_by_key(rank);
    let mut used: BTreeSet<String> = BTreeSet::new();
    for at in order {
        let Some(name) = names.get(at) else { continue };
        let name = if name.is_empty() { "Item".to_owned() } else { name.clone() };
        let free = if used.contains(&name) { free_name(types, at, &name, &used) } else { name };
        used.insert(free.clone());
        if let Some(of) = types.types.get_mut(at) {
            of.name = free;
        }
    }
}

/// A name that no other item type has: with the word of the partition, or with a number.
fn free_name(types: &Types, at: usize, name: &str, used: &BTreeSet<String>) -> String {
    let of = types.types.get(at);
    let word = of.and_then(|of| words(&constants(&of.pk).collect::<Vec<_>>()).into_iter().next());
    let slot = of.and_then(|of| types.slots.get(of.key_slots().next()?)).map(|slot| slot.name.clone());
    let before = word.or(slot).map(|word| camel(&word)).unwrap_or_default();
    let longer = format!("{before}{name}");
    if before != name && !before.is_empty() && !used.contains(&longer) {
        return longer;
    }
    let mut numbered = (2..).map(|number: usize| format!("{name}{number}"));
    numbered.find(|name| !used.contains(name)).unwrap_or_default()
}

fn words(constants: &[&str]) -> Vec<String> {
    let all =
        constants.iter().flat_map(|text| text.split(|c: char| !c.is_ascii_alphanumeric() && !matches!(c, '_' | '-')));
    all.filter(|word| word.chars().any(|c| c.is_ascii_alphabetic())).map(str::to_owned).collect()
}

fn by_keys(table: &SampleTable<'_>, of: &TypeGuess) -> String {
    let [pk, sk] = [&of.pk, &of.sk].map(|parts| words(&constants(parts).collect::<Vec<_>>()));
    let [pk_slots, sk_slots] = [&of.pk, &of.sk].map(|parts| crate::text::slots(parts).count());
    let full = sk.iter().find(|word| !is_empty_word(word));
    if !of.ends.is_empty() {
        return camel(pk.first().map_or("", String::as_str)) + "Edge";
    }
    let named = match (full, pk.first()) {
        (Some(word), Some(first)) if pk_slots > 0 && sk_slots > 0 && word != first => word,
        (Some(word), None) => word,
        (Some(word), Some(_)) if pk_slots == 0 && sk_slots > 0 => word,
        (_, Some(first)) => first,
        (None, None) => {
            let item = of.items.first().and_then(|place| table.items.get(*place));
            return item.map(|item| camel(&beginning(table.keys(item)[0]))).unwrap_or_default();
        }
    };
    camel(named)
}
