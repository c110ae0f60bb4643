//! What a named read reads, given the values of its names.

use thiserror::Error;

use crate::identity::RenderError;
use crate::matching::Texts;
use crate::messages::list;
use crate::model::{
    ItemType, Key, KeyForm, Model, NamedRead, Names, Object, PARTITION_KEY_MAX_BYTES, ReadBound, ReadKey, ReadRange,
    ReadRow, SORT_KEY_MAX_BYTES, TypeId,
};
use crate::slot::{Slot, lowered};
use crate::template::Template;

/// The greatest character: what begins with a text sorts before the text and this.
const GREATEST: char = '\u{10ffff}';

/// What stands between the first and the last value of a range.
const TO: &str = "..";

/// What is read for a named read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ReadCondition {
    /// The items under these keys: the spellings of one key.
    Keys(Vec<Key>),
    /// A part of a partition.
    Part(PartitionPart),
}

/// A part of a partition of the table or of an index.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PartitionPart {
    /// The index, or `None` for the table itself.
    pub index: Option<usize>,
    /// The partition.
    pub pk: String,
    /// The sort keys to read.
    pub sort: SortCondition,
    /// Whether they are read from the last to the first.
    pub descending: bool,
    /// The sort keys of the items of each type that the read returns.
    pub rows: Vec<(TypeId, SortCondition)>,
}

/// A condition on a sort key.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum SortCondition {
    /// Every sort key.
    Any,
    /// This one.
    Is(String),
    /// Those that begin so.
    Begins(String),
    /// Those from the first to the second, both included. The first may be empty.
    Between(String, String),
}

impl SortCondition {
    /// Whether a sort key meets it.
    #[must_use]
    pub fn allows(&self, sort: &str) -> bool {
        match self {
            Self::Any => true,
            Self::Is(text) => sort == text,
            Self::Begins(text) => sort.starts_with(text.as_str()),
            Self::Between(from, to) => from.as_str() <= sort && sort <= to.as_str(),
        }
    }

    fn of(text: String, is_whole: bool) -> Self {
        if is_whole {
            return Self::Is(text);
        }
        if text.is_empty() { Self::Any } else { Self::Begins(text) }
    }
}

/// A read that cannot be done. No message contains a value.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum ReadRefusal {
    /// The model has no such read.
    #[error("the model has no read `{read}`{}", known_reads(.known))]
    NoSuchRead {
        /// What was asked.
        read: String,
        /// The reads that there are.
        known: Vec<String>,
    },
    /// A name has no value.
    #[error("`{read}` needs a value for `{name}`")]
    Missing {
        /// The read.
        read: String,
        /// The name.
        name: String,
    },
    /// The read has no such name.
    #[error("`{read}` takes no `{name}`: {}", taken_names(.takes))]
    Unknown {
        /// The read.
        read: String,
        /// The name.
        name: String,
        /// The names that it takes.
        takes: Vec<String>,
    },
    /// No key has this value: it would be read back as another one.
    #[error("no key has this value of `{name}`: {why}")]
    Value {
        /// The name.
        name: String,
        /// What is wrong with it.
        why: String,
    },
    /// The key has no such item.
    #[error(transparent)]
    Key(#[from] RenderError),
}

fn known_reads(known: &[String]) -> String {
    if known.is_empty() { String::new() } else { format!(": it has {}", list(known)) }
}

fn taken_names(takes: &[String]) -> String {
    if takes.is_empty() { "it takes no names".to_owned() } else { format!("it takes {}", list(takes)) }
}

impl NamedRead {
    /// How the caller limits a name of the sort key.
    #[must_use]
    pub fn bound(&self) -> Option<&ReadBound> {
        match &self.key {
            ReadKey::Item => None,
            ReadKey::Range(range) => range.bound.as_ref(),
        }
    }

    /// The condition with the templates in place of texts: `{from}` and `{to}` are the ends of a range.
    #[must_use]
    pub fn condition(&self, model: &Model) -> ReadCondition {
        let text = |template: &Template| template.source().to_owned();
        match &self.key {
            ReadKey::Item => {
                let forms = self.items.iter().flat_map(|of| &model.item(*of).forms);
                let is_given = |name: &String| self.given.contains(name) || self.fixed.contains_key(name);
                let forms = forms.filter(|form| form.names.iter().all(is_given));
                let with_fixed = |template: &Template| {
                    let fixed = self.fixed.iter().map(|(name, text)| (name, Template::constant(text)));
                    fixed
                        .fold(template.clone(), |template, (name, text)| template.with(name, &text).unwrap_or(template))
                };
                let key = |form: &KeyForm| Key { pk: text(&with_fixed(&form.pk)), sk: text(&with_fixed(&form.sk)) };
                ReadCondition::Keys(forms.map(key).collect())
            }
            ReadKey::Range(range) => {
                let begins = text(&range.sort);
                let end = |bound: &ReadBound, name: &str| {
                    let value = bound.value.with(&bound.name, &Template::single(name));
                    format!("{begins}{}", value.unwrap_or_default())
                };
                let sort = match &range.bound {
                    Some(bound) if bound.is_range => {
                        SortCondition::Between(end(bound, "from"), format!("{}{GREATEST}", end(bound, "to")))
                    }
                    Some(bound) => SortCondition::Begins(format!("{begins}{}", bound.value)),
                    None => SortCondition::of(begins.clone(), range.is_whole),
                };
                let row = |row: &ReadRow| (row.of, SortCondition::of(text(&row.sort), row.is_whole));
                let rows = range.rows.iter().map(row).collect();
                let (pk, descending) = (text(&range.pk), range.descending);
                ReadCondition::Part(PartitionPart { index: self.index, pk, sort, descending, rows })
            }
        }
    }

    /// The names that a caller gives.
    pub fn takes(&self) -> impl Iterator<Item = &String> {
        self.given.iter().chain(self.bound().map(|bound| &bound.name))
    }
}

impl Model {
    /// The read of this name.
    ///
    /// # Errors
    /// The model has no such read.
    pub fn read_named(&self, name: &str) -> Result<&NamedRead, ReadRefusal> {
        let refusal = || ReadRefusal::NoSuchRead {
            read: name.to_owned(),
            known: self.reads.iter().map(|read| read.name.clone()).collect(),
        };
        self.reads.iter().find(|read| read.name == name).ok_or_else(refusal)
    }

    /// What is read for a named read. A name of which the read has a range has `FROM..TO`; either may be left out.
    ///
    /// # Errors
    /// A name is missing or unknown, or has a value that no key has: no value can turn one key into another.
    pub fn read_condition(&self, read: &NamedRead, names: &Names) -> Result<ReadCondition, ReadRefusal> {
        if let Some(name) = names.keys().find(|name| !read.takes().any(|own| own == *name)) {
            let takes = read.takes().cloned().collect();
            return Err(ReadRefusal::Unknown { read: read.name.clone(), name: name.clone(), takes });
        }
        let mut values = read.fixed.clone();
        for name in &read.given {
            let missing = || ReadRefusal::Missing { read: read.name.clone(), name: name.clone() };
            let text = self.as_read(read, name, names.get(name).ok_or_else(missing)?);
            self.check_value(read, name, &text)?;
            values.insert(name.clone(), text);
        }
        match &read.key {
            ReadKey::Item => {
                let Some(of) = read.items.first() else { return Ok(ReadCondition::Keys(Vec::new())) };
                Ok(ReadCondition::Keys(self.keys(&Object { of: *of, names: values })?))
            }
            ReadKey::Range(range) => {
                let limit = range.bound.as_ref().and_then(|bound| Some((bound, names.get(&bound.name)?)));
                self.part(read, range, &values, limit).map(ReadCondition::Part)
            }
        }
    }

    fn part(
        &self,
        read: &NamedRead,
        range: &ReadRange,
        values: &Names,
        limit: Option<(&ReadBound, &String)>,
    ) -> Result<PartitionPart, ReadRefusal> {
        // The loader refuses a read whose templates have another name.
        let render = |template: &Template| {
            let missing = |error: crate::template::MissingName| ReadRefusal::Missing {
                read: read.name.clone(),
                name: error.name,
            };
            template.render(&|name| values.get(name)).map_err(missing)
        };
        let (pk, begins) = (render(&range.pk)?, render(&range.sort)?);
        let (sort, rows) = match limit {
            Some((bound, text)) => {
                let sort = self.limited(read, bound, &begins, text)?;
                let rows = range.rows.iter().map(|row| (row.of, sort.clone())).collect();
                (sort, rows)
            }
            None => {
                let row = |row: &ReadRow| Ok((row.of, SortCondition::of(render(&row.sort)?, row.is_whole)));
                let rows: Result<_, ReadRefusal> = range.rows.iter().map(row).collect();
                (SortCondition::of(begins, range.is_whole), rows?)
            }
        };
        let longest = match &sort {
            SortCondition::Any => 0,
            SortCondition::Is(text) | SortCondition::Begins(text) => text.len(),
            SortCondition::Between(from, to) => from.len().max(to.len()),
        };
        if pk.len() > PARTITION_KEY_MAX_BYTES || longest > SORT_KEY_MAX_BYTES {
            let name = read.takes().next().cloned().unwrap_or_default();
            return Err(ReadRefusal::Value { name, why: "the key would be too long for DynamoDB".to_owned() });
        }
        Ok(PartitionPart { index: read.index, pk, sort, descending: range.descending, rows })
    }

    /// The sort keys between two values of a name, or with values that begin so.
    fn limited(
        &self,
        read: &NamedRead,
        bound: &ReadBound,
        begins: &str,
        text: &str,
    ) -> Result<SortCondition, ReadRefusal> {
        let name = &bound.name;
        let in_key = |value: &str| {
            let value = self.as_read(read, name, value);
            self.check_bound(read, bound, &value)?;
            let text = bound.value.render(&|_| Some(&value)).unwrap_or_default();
            Ok::<_, ReadRefusal>(format!("{begins}{text}"))
        };
        if !bound.is_range {
            return Ok(SortCondition::Begins(in_key(text)?));
        }
        let refusal = |why: &str| ReadRefusal::Value { name: name.clone(), why: why.to_owned() };
        let (from, to) = text.split_once(TO).ok_or_else(|| refusal("write FROM..TO"))?;
        if from.is_empty() && to.is_empty() || to.contains(TO) {
            return Err(refusal("write FROM..TO, FROM.. or ..TO"));
        }
        let from = if from.is_empty() { begins.to_owned() } else { in_key(from)? };
        let to = if to.is_empty() { begins.to_owned() } else { in_key(to)? };
        // What begins with the last value is included: `2026-05-01#1` sorts after `2026-05-01`.
        Ok(SortCondition::Between(from, format!("{to}{GREATEST}")))
    }

    /// A value as the keys of a read have it.
    fn as_read(&self, read: &NamedRead, name: &str, text: &str) -> String {
        let is_lower = self.slots_of(read).any(|slot| slot.name == name && slot.lower);
        if is_lower { lowered(text).into_owned() } else { text.to_owned() }
    }

    /// The names in the keys of a read.
    fn slots_of<'r>(&'r self, read: &'r NamedRead) -> impl Iterator<Item = &'r Slot> {
        let (item, range) = match &read.key {
            ReadKey::Item => (Some(&read.items), None),
            ReadKey::Range(range) => (None, Some(range)),
        };
        let of_items = item.into_iter().flatten().flat_map(|of| &self.item(*of).forms).flat_map(|form| form.slots());
        let of_range = range.into_iter().flat_map(|range| {
            let rows = range.rows.iter().map(|row| &row.sort);
            let bound = range.bound.as_ref().map(|bound| &bound.value);
            [&range.pk, &range.sort].into_iter().chain(rows).chain(bound).flat_map(Template::slots)
        });
        of_items.chain(of_range)
    }

    fn texts_of_items<'r>(&'r self, read: &'r NamedRead) -> impl Iterator<Item = Texts<'r>> {
        read.items.iter().map(|of| self.item(*of)).map(|ty: &ItemType| self.texts(ty))
    }

    /// INVARIANT 2: no value of a name is read back as another one, or reaches into the next name.
    fn check_value(&self, read: &NamedRead, name: &str, text: &str) -> Result<(), ReadRefusal> {
        let refused =
            self.texts_of_items(read).find_map(|texts| Some(texts.check(name, text).err()?.for_people(&texts, name)));
        let mut slots = self.slots_of(read).filter(|slot| slot.name == name);
        let refused = refused.or_else(|| slots.find_map(|slot| slot.refuses(text)).map(str::to_owned));
        refused.map_or(Ok(()), |why| Err(ReadRefusal::Value { name: name.to_owned(), why }))
    }

    /// The same for a first or last value, or for how a value begins.
    fn check_bound(&self, read: &NamedRead, bound: &ReadBound, text: &str) -> Result<(), ReadRefusal> {
        let name = &bound.name;
        let refused = self.texts_of_items(read).find_map(|texts| match texts.values_of(name) {
            _ if text.is_empty() => Some("it is empty".to_owned()),
            Some(values) if values.iter().any(|value| value.starts_with(text)) => None,
            Some(values) => Some(format!("none of {} begins so", list(values))),
            None => {
                let end = texts.forbidden_in(name).find(|c| text.contains(*c))?;
                Some(crate::matching::ValueRefusal::Holds(end).for_people(&texts, name))
            }
        });
        let of_slot = |slot: &Slot| {
            let is_long = slot.pad.is_some_and(|width| text.len() > width);
            slot.refuses(text).or_else(|| is_long.then_some("it has more digits than the key has room for"))
        };
        let refused = refused.or_else(|| bound.value.slots().find_map(of_slot).map(str::to_owned));
        refused.map_or(Ok(()), |why| Err(ReadRefusal::Value { name: name.clone(), why }))
    }
}
