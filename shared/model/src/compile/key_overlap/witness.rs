//! A key that two forms match, by walking both forms at once. The walk looks at each character by
//! itself: it goes too far for a name that is used twice, and for a URL-encoded one.

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet, VecDeque};

use crate::matching::Texts;
use crate::model::{Key, KeyForm};
use crate::template::{Template, TemplatePart, is_url_encoded};

/// Separates partition and sort key. No name contains it here.
const BETWEEN: char = '\u{1}';
/// How many keys are tried to give names that are used twice one value.
const TRIES_MAX: usize = 64;

/// One step of a form: what the next characters can be.
#[derive(Debug)]
enum Step {
    Char(char),
    /// One or more characters.
    Text {
        not: BTreeSet<char>,
        lower: bool,
        urlencode: bool,
    },
    /// A number: at least `width` digits, and no zero before more of them.
    Number {
        not: BTreeSet<char>,
        width: usize,
    },
    OneOf(Beginnings),
}

/// The texts of a closed set by their beginnings: texts that begin alike are walked together. The
/// first is the empty one.
#[derive(Debug)]
struct Beginnings(Vec<Beginning>);

#[derive(Debug, Default)]
struct Beginning {
    /// The beginnings that are one character longer.
    longer: BTreeMap<char, usize>,
    is_whole: bool,
}

impl Beginnings {
    fn of(texts: impl Iterator<Item = String>) -> Self {
        let mut all = vec![Beginning::default()];
        for text in texts {
            let mut at = 0;
            for c in text.chars() {
                let new = all.len();
                let Some(beginning) = all.get_mut(at) else { break };
                at = *beginning.longer.entry(c).or_insert(new);
                if at == new {
                    all.push(Beginning::default());
                }
            }
            all.get_mut(at).into_iter().for_each(|beginning| beginning.is_whole = true);
        }
        Self(all)
    }

    fn chars(&self) -> impl Iterator<Item = &char> {
        self.0.iter().flat_map(|beginning| beginning.longer.keys())
    }

    /// The beginning that is longer by `c`, and its place.
    fn longer(&self, at: usize, c: char) -> Option<(usize, &Beginning)> {
        let place = *self.0.get(at)?.longer.get(&c)?;
        Some((place, self.0.get(place)?))
    }
}

/// A position in a form's steps: the step, and how far it is in it.
type State = (usize, Within);

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Within {
    Start,
    /// After whole characters.
    Text,
    /// In a character that is URL-encoded: as many hexadecimal digits follow.
    Encoded(u8),
    /// After digits: how many, counted up to the width, and whether the first is a zero.
    Digits(usize, bool),
    /// The place of the beginning.
    OneOf(usize),
}

/// Both forms' states.
type Pair = (State, State);

/// A key that both forms match.
#[derive(Debug, PartialEq, Eq)]
pub(in crate::compile) struct Witness {
    pub(in crate::compile) key: Key,
    /// False if it is only similar to such a key: the walk does not show that there is none.
    pub(in crate::compile) is_sure: bool,
}

/// A key that both forms match, if there may be one. Keys are tried until names that are used twice
/// have one value.
pub(in crate::compile) fn witness(
    one: &Texts<'_>,
    first: &KeyForm,
    other: &Texts<'_>,
    second: &KeyForm,
) -> Option<Witness> {
    let similar = common(&steps(one, first), &steps(other, second))?;
    let mut tries: VecDeque<Key> = VecDeque::from([similar.clone()]);
    let mut seen: BTreeSet<Key> = BTreeSet::new();
    while let Some(key) = tries.pop_front() {
        let fits_first = one.read_key(first, &key).is_some();
        let fits_second = other.read_key(second, &key).is_some();
        if fits_first && fits_second {
            return Some(Witness { key, is_sure: true });
        }
        if seen.len() >= TRIES_MAX || !seen.insert(key.clone()) {
            continue;
        }
        if !fits_first {
            tries.extend(agreeing(one, first, &key));
        }
        if !fits_second {
            tries.extend(agreeing(other, second, &key));
        }
    }
    if never_twice(first, other, second) || never_twice(second, one, first) {
        return None;
    }
    Some(Witness { key: similar, is_sure: false })
}

/// Whether a key of the first form has one text in both places, and one of the other never has.
fn never_twice(form: &KeyForm, texts: &Texts<'_>, other: &KeyForm) -> bool {
    let ended = |template: &Template| {
        let mut steps = Vec::new();
        add_steps(texts, template.parts(), &mut steps);
        steps.push(Step::Char(BETWEEN));
        steps
    };
    form.pk == form.sk && common(&ended(&other.pk), &ended(&other.sk)).is_none()
}

/// Keys of a form in which names that are used twice have the value that one of them has in `key`.
fn agreeing(texts: &Texts<'_>, form: &KeyForm, key: &Key) -> Vec<Key> {
    let mut found: BTreeMap<String, Vec<String>> = BTreeMap::new();
    let mut note = |name: &str, value: Cow<'_, str>| {
        found.entry(name.to_owned()).or_default().push(value.into_owned());
        true
    };
    if !texts.walk(&form.pk, &key.pk, &mut note) || !texts.walk(&form.sk, &key.sk, &mut note) {
        return Vec::new();
    }
    let most = found.values().map(Vec::len).max().unwrap_or_default();
    let keys = (0..most).filter_map(|place| {
        let pick = |name: &str| found.get(name).and_then(|texts| texts.get(place).or(texts.first())).cloned();
        Some(Key { pk: form.pk.render(&pick).ok()?, sk: form.sk.render(&pick).ok()? })
    });
    keys.collect()
}

fn steps(texts: &Texts<'_>, form: &KeyForm) -> Vec<Step> {
    let mut steps = Vec::new();
    add_steps(texts, form.pk.parts(), &mut steps);
    steps.push(Step::Char(BETWEEN));
    add_steps(texts, form.sk.parts(), &mut steps);
    steps
}

fn add_steps(texts: &Texts<'_>, parts: &[TemplatePart], steps: &mut Vec<Step>) {
    for part in parts {
        match part {
            TemplatePart::Constant(constant) => steps.extend(constant.chars().map(Step::Char)),
            TemplatePart::Name(slot) => {
                if let Some(values) = texts.values_of(&slot.name) {
                    steps.push(Step::OneOf(Beginnings::of(values.iter().map(|value| slot.apply(value).into_owned()))));
                } else if let Some(like) = texts.like_of(&slot.name).filter(|like| !slot.urlencode || is_plain(like)) {
                    let inner: Vec<TemplatePart> = like.parts().iter().map(|part| part.within(slot)).collect();
                    add_steps(texts, &inner, steps);
                } else {
                    let not = texts.forbidden_in(&slot.name).collect();
                    steps.push(match slot.pad {
                        Some(width) => Step::Number { not, width },
                        None => Step::Text { not, lower: slot.lower, urlencode: slot.urlencode },
                    });
                }
            }
        }
    }
}

/// Whether a shape has no URL-encoded name. Such a name in a URL-encoded shape is encoded twice.
fn is_plain(like: &Template) -> bool {
    like.slots().all(|slot| !slot.urlencode)
}

/// The shortest text that both walks accept, breadth first over pairs of states: there are finitely
/// many.
fn common(first: &[Step], second: &[Step]) -> Option<Key> {
    let alphabet = alphabet(first.iter().chain(second));
    let start: Pair = ((0, Within::Start), (0, Within::Start));
    let mut came: BTreeMap<Pair, Option<(Pair, char)>> = BTreeMap::from([(start, None)]);
    let mut queue = VecDeque::from([start]);
    while let Some(pair) = queue.pop_front() {
        if accepts(first, pair.0) && accepts(second, pair.1) {
            let mut text = Vec::new();
            let mut at = pair;
            while let Some(Some((before, c))) = came.get(&at) {
                text.push(*c);
                at = *before;
            }
            let text: String = text.into_iter().rev().collect();
            return text.split_once(BETWEEN).map(|(pk, sk)| Key { pk: pk.to_owned(), sk: sk.to_owned() });
        }
        for c in &alphabet {
            for one in next(first, pair.0, *c) {
                for other in next(second, pair.1, *c) {
                    came.entry((one, other)).or_insert_with(|| {
                        queue.push_back((one, other));
                        Some((pair, *c))
                    });
                }
            }
        }
    }
    None
}

/// Every character that some step needs, and a few that none does.
fn alphabet<'a>(steps: impl Iterator<Item = &'a Step>) -> Vec<char> {
    let mut asked: BTreeSet<char> = BTreeSet::new();
    let mut refused: BTreeSet<char> = BTreeSet::new();
    for step in steps {
        match step {
            Step::Char(c) => asked.extend([c]),
            Step::Text { not, .. } => refused.extend(not),
            Step::Number { .. } => asked.extend('0'..='9'),
            Step::OneOf(values) => asked.extend(values.chars()),
        }
    }
    if asked.contains(&'%') {
        // An encoded `%` is `%25`.
        asked.extend(['2', '5']);
    }
    let fresh = ('a'..='z').rev().chain('0'..='9').filter(|c| !asked.contains(c) && !refused.contains(c)).take(2);
    let fresh: Vec<char> = fresh.collect();
    // Unused characters first, so that an example is readable.
    fresh.into_iter().chain(asked).collect()
}

fn accepts(steps: &[Step], (at, within): State) -> bool {
    at == steps.len() || (at + 1 == steps.len() && steps.get(at).is_some_and(|step| may_end(step, within)))
}

/// Whether a step may end here. A character or a value ends by itself.
fn may_end(step: &Step, within: Within) -> bool {
    match step {
        Step::Text { .. } => within == Within::Text,
        Step::Number { width, .. } => matches!(within, Within::Digits(count, _) if count >= *width),
        Step::Char(_) | Step::OneOf(_) => false,
    }
}

fn next(steps: &[Step], (at, within): State, c: char) -> Vec<State> {
    let Some(step) = steps.get(at) else { return Vec::new() };
    let mut states = if may_end(step, within) { next(steps, (at + 1, Within::Start), c) } else { Vec::new() };
    match step {
        Step::Char(own) => states.extend((*own == c).then_some((at + 1, Within::Start))),
        Step::Text { .. } | Step::Number { .. } => {
            states.extend(one_more(step, within, c).map(|within| (at, within)));
        }
        Step::OneOf(values) => {
            let place = if let Within::OneOf(place) = within { place } else { 0 };
            if let Some((place, beginning)) = values.longer(place, c) {
                states.extend(beginning.is_whole.then_some((at + 1, Within::Start)));
                states.extend((!beginning.longer.is_empty()).then_some((at, Within::OneOf(place))));
            }
        }
    }
    states
}

/// How far a text or number is after this character.
fn one_more(step: &Step, within: Within, c: char) -> Option<Within> {
    match (step, within) {
        (Step::Text { .. }, Within::Encoded(more)) => {
            let after = if more > 1 { Within::Encoded(more - 1) } else { Within::Text };
            (c.is_ascii_digit() || ('A'..='F').contains(&c)).then_some(after)
        }
        (Step::Text { urlencode: true, .. }, _) if c == '%' => Some(Within::Encoded(2)),
        (Step::Text { not, lower, urlencode }, _) => {
            let fits = c != BETWEEN
                && !not.contains(&c)
                && (!lower || c.to_lowercase().eq([c]))
                && (!urlencode || !is_url_encoded(c));
            fits.then_some(Within::Text)
        }
        (Step::Number { not, width }, _) => {
            // The zeros before a number are none of its own.
            let fits = c == '0' || c.is_ascii_digit() && !not.contains(&c);
            let Within::Digits(count, starts_with_zero) = within else {
                return fits.then_some(Within::Digits(1, c == '0'));
            };
            let is_too_long = starts_with_zero && count >= *width;
            (fits && !is_too_long).then_some(Within::Digits((count + 1).min(*width), starts_with_zero))
        }
        (Step::Char(_) | Step::OneOf(_), _) => None,
    }
}
