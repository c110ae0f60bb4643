//! Conditions with alternatives: each of them adds something, and together they do not always hold.
//!
//! For each name, the values that its tests tell apart are tried: those that the condition mentions, another one, and
//! none.

use crate::errors::{Mistake, Mistakes};
use crate::file::{DraftCondition, DraftTests};
use crate::model::Test;
use crate::source::Located;
use crate::value::{Item, Value};

use super::context::{Context, TypeContext};

/// The maximum number of alternatives of one condition.
const ALTERNATIVES_MAX: usize = 16;

/// The maximum number of tests that are tried to say whether one condition follows from others. Few conditions need a
/// hundred.
const TRIES_MAX: usize = 20_000;

pub(super) fn check(context: &Context<'_>, entry: &TypeContext<'_>, all: &DraftCondition, mistakes: &mut Mistakes) {
    let Some(last) = all.last().filter(|_| all.len() > 1) else { return };
    if all.len() > ALTERNATIVES_MAX {
        let message = format!("a condition has at most {ALTERNATIVES_MAX} alternatives, and this has {}", all.len());
        let help = "list the values of an attribute in one alternative: `{ kind = [\"a\", \"b\"] }`";
        mistakes.add(Mistake::new(last.span, message, "too many").help(help));
        return;
    }
    let mut search = Search { context, entry, all, tries_left: TRIES_MAX };
    let others = |place: usize| {
        let others = all.iter().enumerate().filter(move |(other, _)| *other != place);
        others.map(|(_, tests)| tests.value.iter().collect()).collect::<Vec<Vec<&NamedTest>>>()
    };
    if search.hold(others(all.len()), &Vec::new()) {
        let help = "remove the condition, or one of its alternatives";
        mistakes.add(Mistake::new(last.span, "one of these alternatives always holds", "always true").help(help));
    } else {
        // Of two that are alike, the later one is reported.
        let adds_nothing = (0..all.len()).rev().find(|place| {
            all.get(*place).is_some_and(|tests| search.hold(others(*place), &tests.value))
        });
        if let Some(tests) = adds_nothing.and_then(|place| all.get(place)) {
            let message = "whenever this holds, another alternative of the condition holds, too";
            mistakes.add(Mistake::new(tests.span, message, "adds nothing").help("remove it"));
        }
    }
    if search.tries_left == 0 {
        let message = "cannot determine whether each of these alternatives has an effect";
        let help = "test fewer attributes in one condition";
        mistakes.add(Mistake::new(last.span, message, "too many tests").help(help));
    }
}

type NamedTest = (Located<String>, Test);

struct Search<'a> {
    context: &'a Context<'a>,
    entry: &'a TypeContext<'a>,
    all: &'a DraftCondition,
    tries_left: usize,
}

impl Search<'_> {
    /// Whether one of the alternatives holds wherever all tests of `within` are true. No, once there are no tries left.
    ///
    /// It calls itself once for each name, and each call takes a try for each test that is left.
    fn hold(&mut self, alternatives: Vec<Vec<&NamedTest>>, within: &DraftTests) -> bool {
        let Some((name, _)) = alternatives.iter().flatten().next().filter(|_| !alternatives.iter().any(Vec::is_empty))
        else {
            return !alternatives.is_empty();
        };
        self.values(&name.value).into_iter().all(|value| {
            let tests = alternatives.iter().map(Vec::len).sum::<usize>();
            self.tries_left = self.tries_left.saturating_sub(tests);
            if self.tries_left == 0 {
                return false;
            }
            let passes = |(own, test): &NamedTest| own.value != name.value || test.holds(value.as_ref());
            if !within.iter().all(passes) {
                return true;
            }
            let left = alternatives.iter().filter(|tests| tests.iter().all(|test| passes(test)));
            let left = left.map(|tests| tests.iter().copied().filter(|(own, _)| own.value != name.value).collect());
            self.hold(left.collect(), within)
        })
    }

    /// The values of a name that tests can tell apart. `None`: it has none.
    fn values(&self, name: &str) -> Vec<Option<Value>> {
        let in_key = self.entry.is_in_every_key(name);
        // No test has a map.
        let other = [None, Some(Value::M(Item::new()))].into_iter().filter(|value| !in_key || value.is_some());
        let tests = self.all.iter().flat_map(|tests| &tests.value).filter(|(own, _)| own.value == name);
        let mentioned = tests.flat_map(|(_, test)| &test.values).cloned();
        match self.context.texts(self.entry.id).values_of(name).filter(|_| in_key) {
            Some(values) => values.iter().cloned().map(|value| Some(Value::S(value))).collect(),
            None => other.chain(mentioned.map(Some)).collect(),
        }
    }
}
