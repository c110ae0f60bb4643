//! Conditions with alternatives: each of them adds something, and together they do not always hold.
//!
//! For each name, the values that its tests tell apart are tried: those that the condition mentions, another one, and
//! none.

use std::borrow::Cow;
use std::collections::BTreeSet;

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
        let message = format!("a list has at most {ALTERNATIVES_MAX} conditions, and this has {}", all.len());
        let help = "list the values of an attribute in one condition: `{ kind = [\"a\", \"b\"] }`";
        mistakes.add(Mistake::new(last.span, message, "too many").help(help));
        return;
    }
    let mut search = Search { context, entry, all, tries_left: TRIES_MAX };
    let others = |place: usize| {
        let others = all.iter().enumerate().filter(move |(other, _)| *other != place);
        others.map(|(_, tests)| tests.value.iter().collect()).collect::<Vec<Vec<&NamedTest>>>()
    };
    if search.hold(others(all.len()), &Vec::new()) {
        let help = "remove the key, or one of the conditions";
        mistakes.add(Mistake::new(last.span, "one of these conditions always holds", "always true").help(help));
    } else {
        // Of two that are alike, the later one is reported.
        let adds_nothing = (0..all.len())
            .rev()
            .find(|place| all.get(*place).is_some_and(|tests| search.hold(others(*place), &tests.value)));
        if let Some(tests) = adds_nothing.and_then(|place| all.get(place)) {
            let message = "whenever this holds, another condition of the list holds, too";
            mistakes.add(Mistake::new(tests.span, message, "adds nothing").help("remove it"));
        }
    }
    if search.tries_left == 0 {
        let message = "cannot determine whether each of these conditions adds something";
        let help = "list fewer conditions, or test fewer attributes";
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
        self.values(&name.value).iter().all(|value| {
            let tests = alternatives.iter().map(Vec::len).sum::<usize>();
            self.tries_left = self.tries_left.saturating_sub(tests);
            if self.tries_left == 0 {
                return false;
            }
            let passes = |(own, test): &NamedTest| own.value != name.value || self.passes(&name.value, value, test);
            if !within.iter().all(passes) {
                return true;
            }
            let left = alternatives.iter().filter(|tests| tests.iter().all(|test| passes(test)));
            let left = left.map(|tests| tests.iter().copied().filter(|(own, _)| own.value != name.value).collect());
            self.hold(left.collect(), within)
        })
    }

    /// The values of a name that tests can tell apart. `None`: it has none. Those in the key are texts.
    fn values(&self, name: &str) -> BTreeSet<Option<Value>> {
        let tests = self.all.iter().flat_map(|tests| &tests.value).filter(|(own, _)| own.value == name);
        let mentioned = tests.flat_map(|(_, test)| &test.values);
        if !self.entry.is_in_every_key(name) {
            // No test has a map.
            return mentioned.cloned().map(Some).chain([None, Some(Value::M(Item::new()))]).collect();
        }
        let text = |text: String| Some(Value::S(text));
        match self.context.texts(self.entry.id).values_of(name) {
            Some(values) => values.iter().cloned().map(text).collect(),
            // No key has a zero character that a test has.
            None => {
                mentioned.filter_map(Value::to_text).map(Cow::into_owned).chain(["\0".to_owned()]).map(text).collect()
            }
        }
    }

    fn passes(&self, name: &str, value: &Option<Value>, test: &Test) -> bool {
        match value {
            Some(Value::S(text)) if self.entry.is_in_every_key(name) => test.holds_in_key(text),
            value => test.holds(value.as_ref()),
        }
    }
}
