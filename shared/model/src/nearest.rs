//! The item type that comes nearest to a key of no item type, and what prevents a match.

use std::fmt;

use crate::matching::{ValueRefusal, read_loosely};
use crate::messages::near_beginning;
use crate::model::{ItemType, Key, KeyForm, Model, Names, SORT_KEY_MAX_BYTES};

/// The item type that comes nearest to a key of no item type.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Near {
    /// The item type.
    pub item: String,
    /// What prevents a match.
    pub differs: Differs,
}

/// What prevents a key from being one of an item type. No text contains a part of the key.
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
        let found = || [true, false].into_iter().flat_map(|agree| self.items.iter().map(move |item| (item, agree)));
        let mut in_the_way = found().filter_map(|(item, agree)| Some((item, self.in_the_way(item, key, agree)?)));
        let near = |item: &ItemType, differs: Differs| Some(Near { item: item.name.clone(), differs });
        let name = in_the_way.next();
        match (name, self.beginning(key)) {
            (Some((item, (name, ValueRefusal::Holds(character)))), _) => {
                let end = self.texts(item).end(&name, character);
                let template = end.map(ToString::to_string).unwrap_or_default();
                near(item, Differs::Forged { name, character, template })
            }
            (_, Some((item, differs))) => near(item, differs),
            (Some((item, (name, ValueRefusal::Empty | ValueRefusal::NotAValue | ValueRefusal::NotLike))), None) => {
                near(item, Differs::Value { name })
            }
            (None, None) => self.same_beginning(key).and_then(|item| near(item, Differs::Otherwise)),
        }
    }

    /// The item type whose keys begin most nearly as this one, if none begins exactly so.
    fn beginning(&self, key: &Key) -> Option<(&ItemType, Differs)> {
        let forms = || self.items.iter().flat_map(|item| item.forms.iter().map(move |form| (item, form)));
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
        for item in &self.items {
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

fn begins(text: &str, constant: &str) -> bool {
    !constant.is_empty() && text.starts_with(constant)
}
