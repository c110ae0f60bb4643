//! The values that a name can have, and how a template parses a text.
//!
//! Matching needs no backtracking. The value of a name never contains the first character of a
//! constant that follows the name anywhere in the model. So the value ends at the first such
//! character. Any other name takes the rest.

use std::borrow::Cow;
use std::collections::BTreeMap;

use crate::model::{End, Ends, Key, KeyForm, NameRule, Names};
use crate::template::{Template, TemplatePart, base, prefix};

/// The values that the names of one item type can have.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Texts<'a> {
    /// The model's rules, by base name.
    pub(crate) names: &'a BTreeMap<String, NameRule>,
    /// Characters that a base name never contains.
    pub(crate) forbidden: &'a BTreeMap<String, Ends>,
    /// The item type's own closed sets.
    pub(crate) values: &'a BTreeMap<String, Vec<String>>,
}

/// The attributes, or paths, under which the rule of a name lists it, first spelling first.
pub(crate) fn listed<'a>(rules: &'a BTreeMap<String, NameRule>, name: &str) -> Option<&'a [String]> {
    rules.get(name).map(|rule| rule.attributes.as_slice()).filter(|listed| !listed.is_empty())
}

/// Why a text cannot be the value of a name.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum ValueRefusal {
    /// It is empty.
    Empty,
    /// It contains a character that ends the name in some template.
    Holds(char),
    /// It is not one of the name's values.
    NotAValue,
    /// It does not have the name's shape.
    NotLike,
}

impl<'a> Texts<'a> {
    /// The closed set of a name, if it has one.
    pub(crate) fn values_of(&self, name: &str) -> Option<&'a [String]> {
        let own = self.values.get(name).or_else(|| self.values.get(base(name)));
        let values = own.or_else(|| self.names.get(base(name)).map(|rule| &rule.values))?;
        (!values.is_empty()).then_some(values)
    }

    /// The shape of a name, if it has one.
    pub(crate) fn like_of(&self, name: &str) -> Option<&'a Template> {
        self.names.get(base(name)).and_then(|rule| rule.like.as_ref())
    }

    /// The characters that a name never contains.
    pub(crate) fn forbidden_in(&self, name: &str) -> impl Iterator<Item = char> + 'a {
        self.forbidden.get(base(name)).into_iter().flat_map(BTreeMap::keys).copied()
    }

    /// The template in which a character ends a name.
    pub(crate) fn end(&self, name: &str, character: char) -> Option<&'a End> {
        self.forbidden.get(base(name))?.get(&character)
    }

    /// Whether a text can be the value of a name.
    pub(crate) fn check(&self, name: &str, text: &str) -> Result<(), ValueRefusal> {
        if text.is_empty() {
            return Err(ValueRefusal::Empty);
        }
        if let Some(values) = self.values_of(name) {
            return if values.iter().any(|value| value == text) { Ok(()) } else { Err(ValueRefusal::NotAValue) };
        }
        if let Some(c) = self.forbidden_in(name).find(|c| text.contains(*c)) {
            return Err(ValueRefusal::Holds(c));
        }
        match self.like_of(name) {
            Some(like) if !self.read(like, text, &mut Names::new()) => Err(ValueRefusal::NotLike),
            Some(_) | None => Ok(()),
        }
    }

    /// Why a text cannot be the value of a name in keys of these forms.
    pub(crate) fn refused_in(&self, forms: &[KeyForm], name: &str, text: &str) -> Option<String> {
        if let Err(refusal) = self.check(name, text) {
            return Some(refusal.for_people(self, name));
        }
        let mut slots = forms.iter().flat_map(KeyForm::slots).filter(|slot| slot.name == name);
        slots.find_map(|slot| slot.refuses(text)).map(str::to_owned)
    }

    /// Parses `text` with `template`. False if it does not match; `bound` is then meaningless.
    pub(crate) fn read(&self, template: &Template, text: &str, bound: &mut Names) -> bool {
        self.walk(template, text, &mut |name, value| {
            if let Some(before) = bound.get(name) {
                return *before == value;
            }
            bound.insert(name.to_owned(), value.into_owned());
            true
        })
    }

    /// Parses `text` and passes each name's value to `found`, until that returns false.
    pub(crate) fn walk(
        &self,
        template: &Template,
        text: &str,
        found: &mut dyn FnMut(&str, Cow<'_, str>) -> bool,
    ) -> bool {
        let mut rest = text;
        let parts = template.parts();
        for (place, part) in parts.iter().enumerate() {
            match part {
                TemplatePart::Constant(constant) => match rest.strip_prefix(constant.as_str()) {
                    Some(tail) => rest = tail,
                    None => return false,
                },
                TemplatePart::Name(slot) => {
                    let Some((raw, tail)) = split_before(rest, parts.get(place + 1)) else { return false };
                    let Some(value) = slot.invert(raw) else { return false };
                    if self.check(&slot.name, &value).is_err() || !found(&slot.name, value) {
                        return false;
                    }
                    rest = tail;
                }
            }
        }
        rest.is_empty()
    }

    /// Parses a key, partition and sort key jointly.
    pub(crate) fn read_key(&self, form: &KeyForm, key: &Key) -> Option<Names> {
        // Most keys of other types already differ here.
        if !key.sk.starts_with(form.sk.leading_constant()) {
            return None;
        }
        let mut bound = Names::new();
        (self.read(&form.pk, &key.pk, &mut bound) && self.read(&form.sk, &key.sk, &mut bound)).then_some(bound)
    }

    /// Whether [`Texts::read_key`] returns these names.
    pub(crate) fn reads_as(&self, form: &KeyForm, key: &Key, names: &Names) -> bool {
        let mut agrees = |name: &str, value: Cow<'_, str>| names.get(name).is_some_and(|text| *text == value);
        form.names.iter().eq(names.keys())
            && self.walk(&form.pk, &key.pk, &mut agrees)
            && self.walk(&form.sk, &key.sk, &mut agrees)
    }

    /// Whether a name in the shape of `outer` always has the text that it has there. A name in the
    /// key itself comes first, then those in the shapes of the key's names. Before those in other
    /// shapes comes an attribute.
    pub(crate) fn is_only_source(&self, in_key: &dyn Fn(&str) -> bool, outer: &str, inner: &str) -> bool {
        let outers = self.outers(inner);
        let given: Vec<&String> = outers.iter().filter(|outer| self.is_given(in_key, outer)).collect();
        !in_key(inner) && given == [outer]
    }

    /// Whether a key gives a name: by itself, or inside a name with a shape.
    pub(crate) fn is_given(&self, in_key: &dyn Fn(&str) -> bool, name: &str) -> bool {
        // This ends: shapes do not contain themselves.
        in_key(name) || self.outers(name).iter().any(|outer| self.is_given(in_key, outer))
    }

    /// The names whose shapes contain a name.
    pub(crate) fn outers(&self, inner: &str) -> Vec<String> {
        let contains = |like: &Template| like.names().any(|name| name == base(inner));
        let rules = self.names.iter().filter(|(_, rule)| rule.like.as_ref().is_some_and(contains));
        rules.map(|(outer, _)| format!("{}{outer}", prefix(inner))).collect()
    }

    /// The names that the shape of `name` binds in `text`, without the prefix of `name`.
    pub(crate) fn inner(&self, name: &str, text: &str) -> Option<Names> {
        let mut bound = Names::new();
        self.read(self.like_of(name)?, text, &mut bound).then_some(bound)
    }
}

/// Splits off the value of a name, given the template's next part.
fn split_before<'t>(rest: &'t str, next: Option<&TemplatePart>) -> Option<(&'t str, &'t str)> {
    match next {
        Some(TemplatePart::Constant(constant)) => rest.split_at_checked(rest.find(constant.chars().next()?)?),
        Some(TemplatePart::Name(_)) | None => Some((rest, "")),
    }
}

/// The values that the names of a template would have if each could have any value. Every constant
/// matches at its first occurrence, the last one at the end. `None` if the text does not match even
/// so.
pub(crate) fn read_loosely(template: &Template, text: &str) -> Option<Vec<(String, String)>> {
    let mut found = Vec::new();
    let mut rest = text;
    let mut open: Option<&str> = None;
    let last = template.parts().len().saturating_sub(1);
    for (place, part) in template.parts().iter().enumerate() {
        match (part, open) {
            (TemplatePart::Name(slot), _) => open = Some(&slot.name),
            (TemplatePart::Constant(constant), None) => rest = rest.strip_prefix(constant.as_str())?,
            (TemplatePart::Constant(constant), Some(name)) => {
                let at = if place == last {
                    rest.ends_with(constant.as_str()).then(|| rest.len() - constant.len())?
                } else {
                    rest.find(constant.as_str())?
                };
                found.push((name.to_owned(), rest.get(..at)?.to_owned()));
                rest = rest.get(at + constant.len()..)?;
                open = None;
            }
        }
    }
    match open {
        Some(name) => found.push((name.to_owned(), rest.to_owned())),
        None if rest.is_empty() => {}
        None => return None,
    }
    Some(found)
}
