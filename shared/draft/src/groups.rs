//! Groups of items whose keys have the same constants in the same places: each is an item type.

use std::collections::{BTreeMap, BTreeSet};

use instep_model::{Item, Value};

use crate::tokens::{Facts, SampleTable, Token, TokenKind};
use crate::words::{is_upper, is_word};

/// More groups than a table has item types: then words of keys were taken for constants that are values.
const GROUPS_MAX: usize = 150;

/// The most items of a group that are compared with those of another.
const COMPARED_MAX: usize = 200;

/// What a group has at one place of its keys.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum KeyPlace {
    Constant(String),
    Value,
    /// A value that is the whole key, and how it begins: `user-`.
    Whole(String),
}

/// The places of the partition key and of the sort key, and whether both are one value.
type Shape = ([Vec<KeyPlace>; 2], bool);

/// A group: the items, by their places in the table.
#[derive(Debug, Clone, Default)]
pub(crate) struct KeyGroup {
    pub(crate) items: Vec<usize>,
}

/// The groups of the table's items.
pub(crate) fn groups(table: &SampleTable<'_>) -> Vec<KeyGroup> {
    let mut groups: BTreeMap<Shape, KeyGroup> = BTreeMap::new();
    for (place, item) in table.items.iter().enumerate() {
        let facts = Facts::of(table, item);
        let keys = table.keys(item).map(|key| places(&table.tokens(key, &facts)));
        groups.entry((keys, false)).or_default().items.push(place);
    }
    if groups.len() > GROUPS_MAX {
        groups = without_lower_words(groups);
    }
    let mut merging = Merging { table, groups };
    merging.merge();
    merging.join_last_words();
    merging.join_lone_words();
    merging.split_equal();
    let mut groups: Vec<KeyGroup> = merging.groups.into_values().collect();
    if groups.len() > GROUPS_MAX {
        groups.sort_by_key(|group| std::cmp::Reverse(group.items.len()));
        groups.truncate(GROUPS_MAX);
    }
    for group in &mut groups {
        group.items.sort_unstable();
    }
    groups
}

fn places(tokens: &[Token]) -> Vec<KeyPlace> {
    let place = |token: &Token| match token.kind {
        TokenKind::Constant => KeyPlace::Constant(token.text.clone()),
        TokenKind::Word => KeyPlace::Value,
        TokenKind::Value if tokens.len() == 1 => KeyPlace::Whole(beginning(&token.text)),
        TokenKind::Value => KeyPlace::Value,
    };
    tokens.iter().map(place).collect()
}

/// How an id begins: `user-` of `user-1`. Empty if it has no such beginning.
pub(crate) fn beginning(id: &str) -> String {
    let Some(at) = id.find(['-', '_']) else { return String::new() };
    let (word, rest) = id.split_at_checked(at + 1).unwrap_or_default();
    let is_word = at > 0 && word.bytes().take(at).all(|byte| byte.is_ascii_alphabetic());
    if is_word && !rest.is_empty() && !id.contains('@') { word.to_owned() } else { String::new() }
}

/// The groups with values in the places of all lower-case words but the first of several.
fn without_lower_words(groups: BTreeMap<Shape, KeyGroup>) -> BTreeMap<Shape, KeyGroup> {
    let mut fewer: BTreeMap<Shape, KeyGroup> = BTreeMap::new();
    for ((keys, equal), group) in groups {
        let keys = keys.map(|places| {
            let alone = places.len() == 1;
            let value = |place: KeyPlace| match place {
                KeyPlace::Constant(word) if !word.is_empty() && !is_upper(&word) => {
                    if alone {
                        KeyPlace::Whole(String::new())
                    } else {
                        KeyPlace::Value
                    }
                }
                KeyPlace::Constant(_) | KeyPlace::Value | KeyPlace::Whole(_) => place,
            };
            places.into_iter().map(value).collect()
        });
        fewer.entry((keys, equal)).or_default().items.extend(group.items);
    }
    fewer
}

struct Merging<'t, 'a> {
    table: &'t SampleTable<'a>,
    groups: BTreeMap<Shape, KeyGroup>,
}

/// What is compared of a group.
struct Known<'t> {
    attributes: BTreeSet<&'t str>,
    types: BTreeSet<Option<&'t str>>,
}

impl<'t> Merging<'t, '_> {
    fn known(&self, group: &KeyGroup) -> Known<'t> {
        let items: Vec<&Item> = self.items(group).take(COMPARED_MAX).collect();
        Known {
            attributes: items.iter().flat_map(|item| self.table.attributes(item).map(|(name, _)| name)).collect(),
            types: items.iter().map(|item| self.table.type_of(item)).collect(),
        }
    }

    fn items<'s>(&self, group: &'s KeyGroup) -> impl Iterator<Item = &'t Item> + use<'s, 't, '_> {
        let items = &self.table.items;
        group.items.iter().filter_map(move |place| items.get(*place))
    }

    /// Merges two groups whose difference is a value, until there are none.
    fn merge(&mut self) {
        // INVARIANT 8: each round leaves a group less.
        while let Some((one, other, merged)) = self.next_pair() {
            let mut group = self.groups.remove(&one).unwrap_or_default();
            group.items.extend(self.groups.remove(&other).unwrap_or_default().items);
            self.groups.entry(merged).or_default().items.extend(group.items);
        }
    }

    fn next_pair(&self) -> Option<(Shape, Shape, Shape)> {
        let all: Vec<(&Shape, &KeyGroup, Known<'t>)> =
            self.groups.iter().map(|(shape, group)| (shape, group, self.known(group))).collect();
        for (at, one) in all.iter().enumerate() {
            for other in all.iter().skip(at + 1) {
                if let Some(merged) = self.merged(one, other) {
                    return Some((one.0.clone(), other.0.clone(), merged));
                }
            }
        }
        None
    }

    /// The shape of two groups that are one. `None` if they are two.
    fn merged(
        &self,
        (shape, group, known): &(&Shape, &KeyGroup, Known<'t>),
        (other_shape, other_group, other_known): &(&Shape, &KeyGroup, Known<'t>),
    ) -> Option<Shape> {
        let differences = differences(&shape.0, &other_shape.0)?;
        let with = |values: &[(usize, usize)]| {
            let mut merged = (*shape).clone();
            for (key, place) in values {
                let places = merged.0.get_mut(*key)?;
                let alone = places.len() == 1;
                *places.get_mut(*place)? = if alone { KeyPlace::Whole(String::new()) } else { KeyPlace::Value };
            }
            Some(merged)
        };
        let pairs: Vec<(&KeyPlace, &KeyPlace)> = differences
            .iter()
            .filter_map(|(key, place)| Some((shape.0.get(*key)?.get(*place)?, other_shape.0.get(*key)?.get(*place)?)))
            .collect();
        let (&[at], &[(one, other)]) = (&differences[..], &pairs[..]) else {
            // Several words where the other group has values.
            let is_word =
                |((_, place), pair): (&(usize, usize), &(&KeyPlace, &KeyPlace))| *place > 0 && is_word_and_value(pair);
            return differences.iter().zip(&pairs).all(is_word).then(|| with(&differences)).flatten();
        };
        let is_typed = self.table.type_attribute.is_some();
        if is_typed && known.types != other_known.types {
            return None;
        }
        let (common, all) = (
            known.attributes.intersection(&other_known.attributes).count(),
            known.attributes.union(&other_known.attributes).count().max(1),
        );
        let alone = shape.0.get(at.0).is_some_and(|places| places.len() == 1);
        let is_one = match (one, other) {
            (KeyPlace::Constant(one), KeyPlace::Constant(other)) if one.is_empty() || other.is_empty() => false,
            (KeyPlace::Constant(one), KeyPlace::Constant(_)) if alone && is_upper(one) => false,
            (KeyPlace::Constant(one), KeyPlace::Constant(other)) => {
                let is_lower = |word: &str| !word.chars().any(|c| c.is_ascii_uppercase());
                self.have_in_common((group, one), (other_group, other))
                    || at.1 > 0 && common * 10 > all * 8 && is_lower(one) && is_lower(other)
            }
            (KeyPlace::Constant(word), _) | (_, KeyPlace::Constant(word)) => {
                !word.is_empty() && !is_upper(word) && (is_typed || common * 10 > all * 6)
            }
            (KeyPlace::Whole(_), KeyPlace::Whole(_)) => is_typed && at.1 == 0 && alone,
            (KeyPlace::Value | KeyPlace::Whole(_), KeyPlace::Value | KeyPlace::Whole(_)) => {
                is_typed || common * 10 > all * 6
            }
        };
        is_one.then(|| with(&[at])).flatten()
    }

    /// Whether one attribute has the one word in all items of the one group, and the other in all of the other.
    fn have_in_common(&self, one: (&KeyGroup, &str), other: (&KeyGroup, &str)) -> bool {
        let with = |(group, word): (&KeyGroup, &str)| {
            let mut common: Option<BTreeSet<&str>> = None;
            for item in self.items(group) {
                let has = |value: &Value| value.as_s() == Some(word);
                let own: BTreeSet<&str> =
                    self.table.attributes(item).filter(|(_, value)| has(value)).map(|(name, _)| name).collect();
                common = Some(common.map_or(own.clone(), |common| common.intersection(&own).copied().collect()));
            }
            common.unwrap_or_default()
        };
        !with(one).is_disjoint(&with(other))
    }

    /// A last word that is where another group has a value is one, too.
    fn join_last_words(&mut self) {
        for shape in self.groups.keys().cloned().collect::<Vec<_>>() {
            let mut wider = shape.clone();
            for places in &mut wider.0 {
                let is_after = places.len() > 1;
                if let Some(last) = places.last_mut()
                    && is_after
                    && matches!(last, KeyPlace::Constant(word) if !word.is_empty() && !is_upper(word))
                {
                    *last = KeyPlace::Value;
                }
            }
            if wider != shape && self.groups.contains_key(&wider) {
                let group = self.groups.remove(&shape).unwrap_or_default();
                self.groups.entry(wider).or_default().items.extend(group.items);
            }
        }
    }

    /// Words that never repeat, in one place of otherwise equal keys (`USERNAME` / `ann`), are values.
    fn join_lone_words(&mut self) {
        let mut lone: BTreeMap<Shape, Vec<Shape>> = BTreeMap::new();
        for (shape, group) in self.groups.iter().filter(|(_, group)| group.items.len() == 1) {
            for (key, places) in shape.0.iter().enumerate() {
                for (at, place) in places.iter().enumerate() {
                    if !matches!(place, KeyPlace::Constant(word) if is_word(word) && !is_upper(word)) {
                        continue;
                    }
                    let mut wider = shape.clone();
                    let value = if places.len() == 1 { KeyPlace::Whole(String::new()) } else { KeyPlace::Value };
                    if let Some(place) = wider.0.get_mut(key).and_then(|places| places.get_mut(at)) {
                        *place = value;
                    }
                    let typed = self.items(group).all(|item| self.table.type_of(item).is_some());
                    if typed || self.table.type_attribute.is_none() {
                        lone.entry(wider).or_default().push(shape.clone());
                    }
                }
            }
        }
        for (wider, shapes) in lone.into_iter().filter(|(_, shapes)| shapes.len() > 2) {
            let types: BTreeSet<Option<&str>> = shapes
                .iter()
                .filter_map(|shape| self.groups.get(shape))
                .flat_map(|group| self.items(group).map(|item| self.table.type_of(item)))
                .collect();
            if types.len() > 1 {
                continue;
            }
            let taken: Vec<usize> =
                shapes.iter().filter_map(|shape| self.groups.remove(shape)).flat_map(|group| group.items).collect();
            self.groups.entry(wider).or_default().items.extend(taken);
        }
    }

    /// In keys of one form, such as `G:a` / `G:b`, the items with two equal values are an item type of their own.
    fn split_equal(&mut self) {
        for shape in self.groups.keys().cloned().collect::<Vec<_>>() {
            let ([pk, sk], _) = &shape;
            let values = pk.iter().filter(|place| !matches!(place, KeyPlace::Constant(_))).count();
            let Some(group) = self.groups.get(&shape).filter(|_| pk == sk && values == 1) else { continue };
            let is_equal = |place: &usize| {
                self.table.items.get(*place).is_some_and(|item| {
                    let [pk, sk] = self.table.keys(item);
                    pk == sk
                })
            };
            let (equal, other): (Vec<usize>, Vec<usize>) = group.items.iter().partition(|place| is_equal(place));
            if equal.is_empty() || other.is_empty() {
                continue;
            }
            self.groups.insert((shape.0.clone(), true), KeyGroup { items: equal });
            self.groups.insert(shape, KeyGroup { items: other });
        }
    }
}

/// Where two keys differ. `None` if they have different numbers of places, or do not differ.
fn differences(one: &[Vec<KeyPlace>; 2], other: &[Vec<KeyPlace>; 2]) -> Option<Vec<(usize, usize)>> {
    let mut all = Vec::new();
    for (key, (one, other)) in one.iter().zip(other).enumerate() {
        if one.len() != other.len() {
            return None;
        }
        let places = one.iter().zip(other).enumerate().filter(|(_, (one, other))| one != other);
        all.extend(places.map(|(place, _)| (key, place)));
    }
    (!all.is_empty()).then_some(all)
}

fn is_word_and_value(pair: &(&KeyPlace, &KeyPlace)) -> bool {
    match pair {
        (KeyPlace::Constant(word), KeyPlace::Value) | (KeyPlace::Value, KeyPlace::Constant(word)) => {
            !word.is_empty() && !is_upper(word)
        }
        (
            KeyPlace::Constant(_) | KeyPlace::Value | KeyPlace::Whole(_),
            KeyPlace::Constant(_) | KeyPlace::Value | KeyPlace::Whole(_),
        ) => false,
    }
}
