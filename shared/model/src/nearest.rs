//! The item type that comes nearest to a key of no item type, and what prevents a match.

use std::fmt;

use crate::matching::{Texts, ValueRefusal, read_loosely};
use crate::messages::near_beginning;
use crate::model::{ItemType, Key, KeyForm, Model, Names, SORT_KEY_MAX_BYTES};
use crate::slot::{Slot, lowered};
use crate::template::{Template, TemplatePart};

/// The item type that comes nearest to a key of no item type.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Near {
    /// The item type.
    pub item: String,
    /// What prevents a match.
    pub differs: Differs,
}

/// What prevents a key from being one of an item type. No text contains a part of the key, but for a text of the
/// model that the key has in another case.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Differs {
    /// The value of a name contains a character that ends the name in a template, so the key could be mistaken for
    /// another.
    Forged {
        /// The name.
        name: String,
        /// The character.
        character: char,
        /// The template, and its file, line and column.
        template: String,
    },
    /// The value of a name is not one that it can have.
    Value {
        /// The name.
        name: String,
    },
    /// Only upper and lower case differ.
    Case {
        /// What the model has: a constant of a template, a fixed value, or a name in lower case.
        written: String,
        /// What the key has there. `None` for the value of a name in lower case.
        found: Option<String>,
    },
    /// A key attribute begins almost as those of the item type do.
    Beginning {
        /// The key attribute.
        attribute: String,
        /// The constant with which it begins in keys of the item type.
        constant: String,
        /// Whether it is written in another case.
        is_case: bool,
    },
    /// More than one thing.
    Otherwise,
}

impl fmt::Display for Near {
    /// What the key is like, and how it differs.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let item = &self.item;
        match &self.differs {
            Differs::Forged { name, character, template } => write!(
                f,
                "the key is like that of a {item}, but its `{name}` contains `{character}`, which ends `{name}` in {template}"
            ),
            Differs::Value { name } => write!(f, "{item} comes nearest, but its `{name}` never has this value"),
            Differs::Case { written, found } => {
                write!(f, "it has the form of {item}, except for upper and lower case: the model has `{written}`, ")?;
                match found {
                    Some(found) => write!(f, "the key `{found}`"),
                    None => f.write_str("the key upper case there"),
                }
            }
            Differs::Beginning { attribute, constant, is_case } => {
                write!(f, "{item} comes nearest: its `{attribute}` begins with `{constant}`")?;
                if *is_case { f.write_str(", and upper and lower case differ") } else { Ok(()) }
            }
            Differs::Otherwise => write!(f, "{item} comes nearest"),
        }
    }
}

impl Model {
    /// The item type that is most similar to a key that no item type matches.
    pub(crate) fn nearest(&self, key: &Key) -> Option<Near> {
        let found = || [true, false].into_iter().flat_map(|agree| self.with_keys().map(move |item| (item, agree)));
        let mut in_the_way = found().filter_map(|(item, agree)| Some((item, self.in_the_way(item, key, agree)?)));
        let near = |item: &ItemType, differs: Differs| Some(Near { item: item.name.clone(), differs });
        let name = in_the_way.next();
        if let Some((item, (name, ValueRefusal::Holds(character)))) = name {
            let end = self.texts(item).end(&name, character);
            let template = end.map(ToString::to_string).unwrap_or_default();
            return near(item, Differs::Forged { name, character, template });
        }
        if let Some((item, differs)) = self.in_another_case(key) {
            return near(item, differs);
        }
        match (name, self.beginning(key)) {
            (_, Some((item, differs))) => near(item, differs),
            (Some((item, (name, _))), None) => near(item, Differs::Value { name }),
            (None, None) => self.same_beginning(key).and_then(|item| near(item, Differs::Otherwise)),
        }
    }

    /// The first item type that has the key, if upper and lower case do not count.
    fn in_another_case(&self, key: &Key) -> Option<(&ItemType, Differs)> {
        self.with_keys().find_map(|item| {
            let texts = self.texts(item);
            item.forms.iter().find_map(|form| {
                let mut differs = None;
                let pk = recased(texts, &form.pk, &key.pk, &mut differs)?;
                let sk = recased(texts, &form.sk, &key.sk, &mut differs)?;
                texts.read_key(form, &Key { pk, sk })?;
                Some((item, differs?))
            })
        })
    }

    /// The item type whose keys begin most nearly as this one, if none begins exactly so.
    fn beginning(&self, key: &Key) -> Option<(&ItemType, Differs)> {
        let forms = || self.with_keys().flat_map(|item| item.forms.iter().map(move |form| (item, form)));
        let is_pk = |form: &KeyForm| begins(&key.pk, form.pk.leading_constant());
        let any_pk = forms().any(|(_, form)| is_pk(form));
        if forms().any(|(_, form)| is_pk(form) && key.sk.starts_with(form.sk.leading_constant())) {
            return None;
        }
        let (attribute, text) = if any_pk { (&self.table.sk, &key.sk) } else { (&self.table.pk, &key.pk) };
        let alike = forms().filter(|(_, form)| !any_pk || is_pk(form)).filter_map(|(item, form)| {
            let constant = if any_pk { form.sk.leading_constant() } else { form.pk.leading_constant() };
            Some((near_beginning(text, constant)?, item, constant))
        });
        // Of several, the first.
        let best = alike.reduce(|best, one| if one.0 > best.0 { one } else { best });
        best.map(|(_, item, constant)| {
            let begins = text.get(..constant.len());
            let is_case = begins.is_some_and(|begins| begins.to_lowercase() == constant.to_lowercase());
            let (attribute, constant) = (attribute.clone(), constant.to_owned());
            (item, Differs::Beginning { attribute, constant, is_case })
        })
    }

    /// The item type that has the longest beginning in common with a key.
    fn same_beginning(&self, key: &Key) -> Option<&ItemType> {
        let mut near: Option<(usize, &ItemType)> = None;
        for item in self.with_keys() {
            for form in item.forms.iter().filter(|form| begins(&key.pk, form.pk.leading_constant())) {
                let sort = form.sk.leading_constant();
                let sort_fits = if key.sk.starts_with(sort) { sort.len() } else { 0 };
                let fits = form.pk.leading_constant().len() * SORT_KEY_MAX_BYTES + sort_fits;
                if near.is_none_or(|(before, _)| fits > before) {
                    near = Some((fits, item));
                }
            }
        }
        near.map(|(_, item)| item)
    }

    /// The one name whose value prevents a key from matching an item type.
    fn in_the_way(&self, item: &ItemType, key: &Key, agree: bool) -> Option<(String, ValueRefusal)> {
        let texts = self.texts(item);
        item.forms.iter().find_map(|form| {
            let mut found = read_loosely(&form.pk, &key.pk)?;
            found.extend(read_loosely(&form.sk, &key.sk)?);
            let mut names = Names::new();
            for (name, text) in &found {
                let before = names.insert(name.clone(), text.clone());
                if agree && before.is_some_and(|before| before != *text) {
                    return None;
                }
            }
            let constant = form.pk.leading_constant().len() + form.sk.leading_constant().len();
            let refused = found.into_iter().filter_map(|(name, text)| {
                let refusal = texts.check(&name, &text).err()?;
                (constant > 0 && refusal != ValueRefusal::Empty).then_some((name, refusal))
            });
            // A forbidden character counts more than a value outside its closed set.
            let mut refused: Vec<_> = refused.collect();
            refused.sort_by_key(|(_, refusal)| !matches!(refusal, ValueRefusal::Holds(_)));
            refused.into_iter().next()
        })
    }
}

/// A text of a template in which everything that the model has in one case is in that case, and where it is not
/// yet so for the first time.
fn recased(texts: Texts<'_>, template: &Template, text: &str, differs: &mut Option<Differs>) -> Option<String> {
    let mut note = |written: String, found: Option<&str>| {
        differs.get_or_insert(Differs::Case { written, found: found.map(str::to_owned) });
    };
    let (mut all, mut rest) = (String::new(), text);
    let parts = template.parts();
    for (place, part) in parts.iter().enumerate() {
        match part {
            TemplatePart::Constant(constant) => {
                let (found, tail) = rest.split_at_checked(constant.len())?;
                if !found.eq_ignore_ascii_case(constant) {
                    return None;
                }
                if found != constant {
                    note(constant.clone(), Some(found));
                }
                all.push_str(constant);
                rest = tail;
            }
            TemplatePart::Name(slot) => {
                let (raw, tail) = value_before(rest, parts.get(place + 1))?;
                if let Some(values) = texts.values_of(&slot.name) {
                    let value = values.iter().find(|value| slot.apply(value).eq_ignore_ascii_case(raw))?;
                    if slot.apply(value) != raw {
                        note(value.clone(), Some(raw));
                    }
                    all.push_str(&slot.apply(value));
                } else if slot.lower {
                    let as_it_is = Slot { lower: false, ..slot.clone() };
                    let value = as_it_is.invert(raw)?;
                    if lowered(&value) != value {
                        note(slot.to_string(), None);
                    }
                    all.push_str(&slot.apply(&value));
                } else {
                    all.push_str(raw);
                }
                rest = tail;
            }
        }
    }
    rest.is_empty().then_some(all)
}

/// Splits off the value of a name, given the template's next part, in whichever case.
fn value_before<'t>(rest: &'t str, next: Option<&TemplatePart>) -> Option<(&'t str, &'t str)> {
    match next {
        Some(TemplatePart::Constant(constant)) => {
            let first = constant.chars().next()?;
            rest.split_at_checked(rest.find(|c: char| c.eq_ignore_ascii_case(&first))?)
        }
        Some(TemplatePart::Name(_)) | None => Some((rest, "")),
    }
}

fn begins(text: &str, constant: &str) -> bool {
    !constant.is_empty() && text.starts_with(constant)
}
