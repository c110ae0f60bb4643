//! How the keys of two forms relate: whether one form contains the other, and a key that both
//! match.

use std::collections::{BTreeMap, BTreeSet, VecDeque};

use crate::matching::Texts;
use crate::model::{Key, KeyForm};
use crate::template::{Part, Slot, Template, is_url_encoded, prefix};

// ---- Containment, by reading the narrow form's templates with the wide form's ----

/// A piece of what a template renders: a character, or the value of a name.
#[derive(Debug, Clone, PartialEq, Eq)]
enum Piece {
    Char(char),
    Slot(Slot),
}

/// Whether every key of `narrow` is a key of `wide`. False if that cannot be shown.
pub(super) fn contains(wide_texts: &Texts<'_>, wide: &KeyForm, narrow_texts: &Texts<'_>, narrow: &KeyForm) -> bool {
    let reader = Reader { wide: wide_texts, narrow: narrow_texts };
    let mut bound = BTreeMap::new();
    reader.read(&wide.pk, &reader.pieces(&narrow.pk), &mut bound)
        && reader.read(&wide.sk, &reader.pieces(&narrow.sk), &mut bound)
}

struct Reader<'a> {
    wide: &'a Texts<'a>,
    narrow: &'a Texts<'a>,
}

/// The pieces that the wide form's names match; the flag says whether they are URL-encoded.
type Bound = BTreeMap<String, (bool, Vec<Piece>)>;

impl Reader<'_> {
    /// The narrow template in pieces, with the shapes of names expanded.
    fn pieces(&self, template: &Template) -> Vec<Piece> {
        template.parts().iter().flat_map(|part| self.pieces_of(part)).collect()
    }

    fn pieces_of(&self, part: &Part) -> Vec<Piece> {
        match part {
            Part::Constant(constant) => constant.chars().map(Piece::Char).collect(),
            Part::Name(slot) if slot.urlencode || self.narrow.values_of(&slot.name).is_some() => {
                vec![Piece::Slot(slot.clone())]
            }
            Part::Name(slot) => match self.narrow.like_of(&slot.name) {
                None => vec![Piece::Slot(slot.clone())],
                Some(like) => {
                    let inner = like.parts().iter().map(|part| inner_part(part, slot));
                    inner.flat_map(|part| self.pieces_of(&part)).collect()
                }
            },
        }
    }

    fn read(&self, template: &Template, pieces: &[Piece], bound: &mut Bound) -> bool {
        let mut rest = pieces;
        let parts = template.parts();
        for (place, part) in parts.iter().enumerate() {
            match part {
                Part::Constant(constant) => {
                    for c in constant.chars() {
                        match rest.split_first() {
                            Some((Piece::Char(found), tail)) if *found == c => rest = tail,
                            Some(_) | None => return false,
                        }
                    }
                }
                Part::Name(slot) => {
                    let end = match parts.get(place + 1) {
                        Some(Part::Constant(next)) => {
                            let first = next.chars().next();
                            let found =
                                rest.iter().position(|piece| matches!(piece, Piece::Char(c) if Some(*c) == first));
                            let Some(end) = found else { return false };
                            end
                        }
                        Some(Part::Name(_)) | None => rest.len(),
                    };
                    let Some((text, tail)) = rest.split_at_checked(end) else { return false };
                    let next = parts.get(place + 1);
                    if !self.holds(slot, text) || !ends_before(self, slot, text, next) || !agree(bound, slot, text) {
                        return false;
                    }
                    rest = tail;
                }
            }
        }
        rest.is_empty()
    }

    /// Whether the wide form's name can have every value that these pieces render.
    fn holds(&self, slot: &Slot, text: &[Piece]) -> bool {
        if let Some(constant) = as_text(text) {
            return slot.invert(&constant).is_some_and(|text| self.wide.check(&slot.name, &text).is_ok());
        }
        if let [Piece::Slot(inner)] = text
            && let Some(values) = self.narrow.values_of(&inner.name)
        {
            let rendered = values.iter().map(|value| slot.invert(&inner.apply(value)));
            return rendered
                .into_iter()
                .all(|text| text.is_some_and(|text| self.wide.check(&slot.name, &text).is_ok()));
        }
        if self.wide.values_of(&slot.name).is_some() {
            return false;
        }
        let encoded = match text {
            [Piece::Slot(inner)] if slot.urlencode => inner.urlencode,
            _ => !slot.urlencode,
        };
        let lower = !slot.lower || text.iter().all(|piece| self.is_lower(piece));
        let forbidden = self.wide.forbidden_in(&slot.name);
        let clear = forbidden.into_iter().all(|c| text.iter().all(|piece| self.never_holds(piece, c, slot.urlencode)));
        let shaped = self.wide.like_of(&slot.name).is_none_or(|like| match text {
            [Piece::Slot(inner)] if inner.urlencode => self.narrow.like_of(&inner.name) == Some(like),
            _ => self.read(like, text, &mut Bound::new()),
        });
        encoded && lower && clear && shaped
    }

    fn is_lower(&self, piece: &Piece) -> bool {
        match piece {
            Piece::Char(c) => c.to_lowercase().eq([*c]),
            Piece::Slot(inner) => {
                let values = self.narrow.values_of(&inner.name);
                inner.lower || values.is_some_and(|values| values.iter().all(|value| value.to_lowercase() == *value))
            }
        }
    }

    /// `decoded` asks for the name's value, not for its URL-encoded form.
    fn never_holds(&self, piece: &Piece, c: char, decoded: bool) -> bool {
        match piece {
            Piece::Char(own) => *own != c,
            Piece::Slot(inner) => {
                if inner.urlencode && !decoded && is_url_encoded(c) && c != '%' {
                    return true;
                }
                if inner.urlencode && !decoded && (c == '%' || c.is_ascii_hexdigit()) {
                    return false;
                }
                match self.narrow.values_of(&inner.name) {
                    Some(values) => values.iter().all(|value| !inner.apply(value).contains(c)),
                    None => self.narrow.forbidden_in(&inner.name).any(|own| own == c),
                }
            }
        }
    }
}

/// Nothing in `text` renders the character that ends the wide form's name.
fn ends_before(reader: &Reader<'_>, slot: &Slot, text: &[Piece], next: Option<&Part>) -> bool {
    let Some(Part::Constant(next)) = next else { return true };
    let Some(first) = next.chars().next() else { return true };
    // For an encoded name, its rendered form counts.
    slot.urlencode || text.iter().all(|piece| reader.never_holds(piece, first, false))
}

fn agree(bound: &mut Bound, slot: &Slot, text: &[Piece]) -> bool {
    let read = (slot.urlencode, text.to_vec());
    let agrees = bound.get(&slot.name).is_none_or(|before| *before == read);
    bound.insert(slot.name.clone(), read);
    agrees
}

fn as_text(pieces: &[Piece]) -> Option<String> {
    let chars = pieces.iter().map(|piece| match piece {
        Piece::Char(c) => Some(*c),
        Piece::Slot(_) => None,
    });
    chars.collect()
}

/// A part of a name's shape, as it is rendered in the place of the name.
fn inner_part(part: &Part, outer: &Slot) -> Part {
    match part {
        Part::Constant(constant) => Part::Constant(outer.apply(constant)),
        Part::Name(inner) => Part::Name(Slot {
            name: format!("{}{}", prefix(&outer.name), inner.name),
            lower: inner.lower || outer.lower,
            pad: inner.pad.or(outer.pad),
            urlencode: inner.urlencode || outer.urlencode,
            each: false,
        }),
    }
}

// ---- A key of both, by walking both forms at once ----

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
    OneOf(Vec<Vec<char>>),
}

/// A position in a form's steps: the step, and in it the value and how many of its characters (for
/// [`Step::Text`]: some).
type State = (usize, usize, usize);

/// Both forms' states.
type Pair = (State, State);

/// A key that both forms match, if there is one. Keys are tried until names that are used twice
/// have one value.
pub(super) fn witness(one: &Texts<'_>, first: &KeyForm, other: &Texts<'_>, second: &KeyForm) -> Option<Key> {
    let key = common(&steps(one, first), &steps(other, second))?;
    let mut tries: VecDeque<Key> = VecDeque::from([key]);
    let mut seen: BTreeSet<Key> = BTreeSet::new();
    while let Some(key) = tries.pop_front() {
        let fits_first = one.read_key(first, &key).is_some();
        let fits_second = other.read_key(second, &key).is_some();
        if fits_first && fits_second {
            return Some(key);
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
    None
}

/// Keys of a form in which names that are used twice have the value that one of them has in `key`.
fn agreeing(texts: &Texts<'_>, form: &KeyForm, key: &Key) -> Vec<Key> {
    let mut found: BTreeMap<String, Vec<String>> = BTreeMap::new();
    let mut note = |name: &str, value: String| {
        found.entry(name.to_owned()).or_default().push(value);
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

fn add_steps(texts: &Texts<'_>, parts: &[Part], steps: &mut Vec<Step>) {
    for part in parts {
        match part {
            Part::Constant(constant) => steps.extend(constant.chars().map(Step::Char)),
            Part::Name(slot) => {
                if let Some(values) = texts.values_of(&slot.name) {
                    let values = values.iter().map(|value| slot.apply(value).chars().collect());
                    steps.push(Step::OneOf(values.collect()));
                } else if let Some(like) = texts.like_of(&slot.name).filter(|_| !slot.urlencode) {
                    let inner: Vec<Part> = like.parts().iter().map(|part| inner_part(part, slot)).collect();
                    add_steps(texts, &inner, steps);
                } else {
                    let not = texts.forbidden_in(&slot.name).collect();
                    steps.push(Step::Text { not, lower: slot.lower, urlencode: slot.urlencode });
                }
            }
        }
    }
}

/// The shortest text that both walks accept, breadth first over pairs of states: there are finitely
/// many.
fn common(first: &[Step], second: &[Step]) -> Option<Key> {
    let alphabet = alphabet(first.iter().chain(second));
    let start: Pair = ((0, 0, 0), (0, 0, 0));
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
            Step::OneOf(values) => asked.extend(values.iter().flatten()),
        }
    }
    let fresh = ('a'..='z').rev().chain('0'..='9').filter(|c| !asked.contains(c) && !refused.contains(c)).take(2);
    let fresh: Vec<char> = fresh.collect();
    // Unused characters first, so that an example is readable.
    fresh.into_iter().chain(asked).collect()
}

fn accepts(steps: &[Step], (at, _, some): State) -> bool {
    at == steps.len() || (at + 1 == steps.len() && some > 0 && matches!(steps.get(at), Some(Step::Text { .. })))
}

fn next(steps: &[Step], (at, value, some): State, c: char) -> Vec<State> {
    match steps.get(at) {
        None => Vec::new(),
        Some(Step::Char(own)) => {
            if *own == c {
                vec![(at + 1, 0, 0)]
            } else {
                Vec::new()
            }
        }
        Some(Step::Text { not, lower, urlencode }) => {
            let fits = c != BETWEEN
                && !not.contains(&c)
                && (!lower || c.to_lowercase().eq([c]))
                && (!urlencode || !is_url_encoded(c));
            let mut states = if some > 0 { next(steps, (at + 1, 0, 0), c) } else { Vec::new() };
            states.extend(fits.then_some((at, 0, 1)));
            states
        }
        Some(Step::OneOf(values)) => {
            let open = values.iter().enumerate().filter(|(place, _)| some == 0 || *place == value);
            let steps = open.filter(|(_, text)| text.get(some) == Some(&c));
            steps
                .map(|(place, text)| if some + 1 == text.len() { (at + 1, 0, 0) } else { (at, place, some + 1) })
                .collect()
        }
    }
}
