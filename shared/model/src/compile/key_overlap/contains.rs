//! Whether one form of a key contains another, by reading the narrow form's templates with the wide
//! form's.

use std::collections::BTreeMap;

use crate::matching::Texts;
use crate::model::KeyForm;
use crate::template::{Slot, Template, TemplatePart, is_url_encoded};

/// A piece of what a template renders: a character, or the value of a name.
#[derive(Debug, Clone, PartialEq, Eq)]
enum Piece {
    Char(char),
    Slot(Slot),
}

/// Whether every key of `narrow` is a key of `wide`. False if that cannot be shown.
pub(in crate::compile) fn contains(
    wide_texts: &Texts<'_>,
    wide: &KeyForm,
    narrow_texts: &Texts<'_>,
    narrow: &KeyForm,
) -> bool {
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

    fn pieces_of(&self, part: &TemplatePart) -> Vec<Piece> {
        match part {
            TemplatePart::Constant(constant) => constant.chars().map(Piece::Char).collect(),
            TemplatePart::Name(slot) if slot.urlencode || self.narrow.values_of(&slot.name).is_some() => {
                vec![Piece::Slot(slot.clone())]
            }
            TemplatePart::Name(slot) => match self.narrow.like_of(&slot.name) {
                None => vec![Piece::Slot(slot.clone())],
                Some(like) => {
                    let inner = like.parts().iter().map(|part| part.within(slot));
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
                TemplatePart::Constant(constant) => {
                    for c in constant.chars() {
                        match rest.split_first() {
                            Some((Piece::Char(found), tail)) if *found == c => rest = tail,
                            Some(_) | None => return false,
                        }
                    }
                }
                TemplatePart::Name(slot) => {
                    let end = match parts.get(place + 1) {
                        Some(TemplatePart::Constant(next)) => {
                            let first = next.chars().next();
                            let found =
                                rest.iter().position(|piece| matches!(piece, Piece::Char(c) if Some(*c) == first));
                            let Some(end) = found else { return false };
                            end
                        }
                        Some(TemplatePart::Name(_)) | None => rest.len(),
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
            let is_allowed = |text: &str| self.wide.check(&slot.name, text).is_ok();
            return values.iter().all(|value| slot.invert(&inner.apply(value)).is_some_and(|text| is_allowed(&text)));
        }
        if self.wide.values_of(&slot.name).is_some() {
            return false;
        }
        let encoded = match text {
            [Piece::Slot(inner)] if slot.urlencode => inner.urlencode,
            _ => !slot.urlencode,
        };
        let padded = slot.pad.is_none() || matches!(text, [Piece::Slot(inner)] if inner.pad == slot.pad);
        let lower = !slot.lower || text.iter().all(|piece| self.is_lower(piece));
        let forbidden = self.wide.forbidden_in(&slot.name);
        let clear = forbidden.into_iter().all(|c| text.iter().all(|piece| self.never_holds(piece, c, slot.urlencode)));
        let shaped = self.wide.like_of(&slot.name).is_none_or(|like| match text {
            [Piece::Slot(inner)] if inner.urlencode => self.narrow.like_of(&inner.name) == Some(like),
            _ => self.read(like, text, &mut Bound::new()),
        });
        encoded && padded && lower && clear && shaped
    }

    fn is_lower(&self, piece: &Piece) -> bool {
        match piece {
            Piece::Char(c) => c.to_lowercase().eq([*c]),
            Piece::Slot(inner) => {
                let values = self.narrow.values_of(&inner.name);
                inner.lower
                    || inner.pad.is_some()
                    || values.is_some_and(|values| values.iter().all(|value| value.to_lowercase() == *value))
            }
        }
    }

    /// `decoded` asks for the name's value, not for its URL-encoded form.
    fn never_holds(&self, piece: &Piece, c: char, decoded: bool) -> bool {
        match piece {
            Piece::Char(own) => *own != c,
            Piece::Slot(inner) => {
                if inner.pad.is_some() && (c == '0' || !c.is_ascii_digit()) {
                    return c != '0';
                }
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
fn ends_before(reader: &Reader<'_>, slot: &Slot, text: &[Piece], next: Option<&TemplatePart>) -> bool {
    let Some(TemplatePart::Constant(next)) = next else { return true };
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
