#![doc = include_str!("../README.md")]

mod address;
mod json;
mod read;
mod text;

use std::cmp::Ordering;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use serde_json::Value;

use address::Range;
use json::{Field, Leaf};
use text::TextTest;

pub use read::PatternError;

/// A rule pattern: the ways to match it. `$or` makes several of one.
#[derive(Debug)]
pub struct Pattern(Vec<Way>);

/// What an event must have to match: for each path, a value for which one of the tests holds. In the order in
/// which the engine tests them: an absence in a list is of the elements that the paths before it leave.
#[derive(Debug, Clone, Default)]
struct Way(BTreeMap<Path, Arc<[Test]>>);

/// The names of a field and of those above it, with dots between them. In the order of UTF-16, as the engine is
/// written in Java.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Path(String);

/// A test of a field.
#[derive(Debug)]
enum Test {
    Exists(bool),
    Same(Leaf),
    Address(Range),
    Text(TextTest),
    AnythingBut(Vec<Test>),
    Numeric(Vec<(Comparison, f64)>),
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Comparison {
    Equal,
    Less,
    LessOrEqual,
    Greater,
    GreaterOrEqual,
}

/// The element of each list of objects that the values found so far are in. All must be in the same ones.
type Elements = BTreeMap<usize, usize>;

impl Pattern {
    /// Whether an event matches.
    #[must_use]
    pub fn matches(&self, event: &Value) -> bool {
        let fields = json::fields(event);
        self.0.iter().any(|way| {
            let tests: Vec<_> = way.0.iter().map(|(path, tests)| (path.0.as_str(), &**tests)).collect();
            all(&tests, &fields, &Elements::new())
        })
    }

    /// Whether it tests a field of this name at an event's top, or one in it.
    #[must_use]
    pub fn has(&self, name: &str) -> bool {
        let is_of =
            |path: &Path| path.0.strip_prefix(name).is_some_and(|rest| rest.is_empty() || rest.starts_with('.'));
        self.0.iter().any(|way| way.0.keys().any(is_of))
    }
}

impl Ord for Path {
    fn cmp(&self, other: &Self) -> Ordering {
        self.0.encode_utf16().cmp(other.0.encode_utf16())
    }
}

impl PartialOrd for Path {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

fn all(tests: &[(&str, &[Test])], event: &[Field], so_far: &Elements) -> bool {
    let Some(((path, alternatives), rest)) = tests.split_first() else { return true };
    let found: Vec<(&Leaf, Elements)> = event
        .iter()
        .filter(|field| field.path == *path)
        .filter_map(|field| Some((&field.leaf, joined(so_far, &field.elements)?)))
        .collect();
    let may_be_absent = alternatives.iter().any(|test| matches!(test, Test::Exists(false)));
    if found.is_empty() {
        return may_be_absent && all(rest, event, so_far);
    }
    // Values in different elements count once, unless a later path is in the same list: otherwise the work would
    // grow with the product of the lengths of all lists.
    let of_rest = |field: &&Field| rest.iter().any(|(path, _)| *path == field.path);
    let open: BTreeSet<usize> = event.iter().filter(of_rest).flat_map(|field| field.elements.keys().copied()).collect();
    let held = found.into_iter().filter(|(leaf, _)| alternatives.iter().any(|test| test.holds(leaf)));
    let left: BTreeSet<Elements> =
        held.map(|(_, elements)| elements.into_iter().filter(|(list, _)| open.contains(list)).collect()).collect();
    left.iter().any(|elements| all(rest, event, elements))
}

/// `None`: another element of a list is meant already.
fn joined(so_far: &Elements, more: &Elements) -> Option<Elements> {
    let is_same = |(list, element)| so_far.get(list).is_none_or(|other| other == element);
    more.iter().all(is_same).then(|| so_far.iter().chain(more).map(|(list, element)| (*list, *element)).collect())
}

impl Test {
    fn holds(&self, leaf: &Leaf) -> bool {
        match self {
            Self::Exists(wanted) => *wanted,
            Self::Same(wanted) => wanted.is_same(leaf),
            Self::Address(range) => leaf.text().is_some_and(|text| range.has(text)),
            Self::Text(test) => leaf.text().is_some_and(|text| test.holds(text)),
            Self::AnythingBut(tests) => !tests.iter().any(|test| test.holds(leaf)),
            Self::Numeric(limits) => leaf
                .number()
                .is_some_and(|number| limits.iter().all(|(comparison, limit)| comparison.holds(number, *limit))),
        }
    }
}

impl Comparison {
    fn holds(self, number: f64, limit: f64) -> bool {
        match self {
            Self::Equal => number == limit,
            Self::Less => number < limit,
            Self::LessOrEqual => number <= limit,
            Self::Greater => number > limit,
            Self::GreaterOrEqual => number >= limit,
        }
    }
}

#[cfg(test)]
mod tests;
