#![doc = include_str!("../README.md")]

mod compile;
mod groups;
mod guards;
mod item_names;
mod names;
mod relations;
mod schema;
mod slots;
mod text;
mod tokens;
mod words;
mod write;

use std::collections::BTreeMap;

use instep_model::{BOOKKEEPING_PREFIX, Item, Key, Model, Value};

pub use schema::{KeyAttribute, Schema, SchemaIndex};

/// The most items that are looked at. More tell nothing new, and take time in proportion.
pub const ITEMS_MAX: usize = 50_000;

/// A table model that compiles.
#[derive(Debug)]
pub struct Draft {
    /// The file.
    pub text: String,
    /// The model that it compiles to.
    pub model: Model,
    /// The number of lines that became comments, because `instep check` would refuse them.
    pub refused: usize,
}

/// Why there is no draft.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum NoDraft {
    /// No item was seen.
    #[error("no item was seen: a draft is made from items")]
    NoItems,
    /// Nothing says which attributes are the table's keys.
    #[error("cannot tell the keys of the table: no two attributes called like `PK` and `SK` are strings in all items")]
    NoKeys,
    /// The table has no sort key.
    #[error("the table has no sort key: Instep's own items are in the same table and need one")]
    NoSortKey,
    /// A key is no string.
    #[error("the key `{name}` of the table is not a string: the keys of a table must be strings")]
    KeyIsNoString {
        /// The attribute.
        name: String,
    },
    /// The output of DescribeTable is none.
    #[error("this is not the output of `aws dynamodb describe-table`: {what}")]
    NotDescribed {
        /// What is missing.
        what: String,
    },
    /// Every item type would be refused.
    #[error("no item type can be made of these keys: {why}")]
    Refused {
        /// The first reason.
        why: String,
    },
}

impl NoDraft {
    /// How to fix it.
    #[must_use]
    pub const fn help(&self) -> &'static str {
        match self {
            Self::NoItems => "give captures, a file of writes, the output of a scan, or an export with items",
            Self::NoKeys => "give the output of `aws dynamodb describe-table` with `--schema FILE`",
            Self::NoSortKey | Self::KeyIsNoString { .. } => {
                "move the items to a table with a string partition key and a string sort key"
            }
            Self::NotDescribed { .. } => "write it with `aws dynamodb describe-table --table-name NAME > schema.json`",
            Self::Refused { .. } => "write the model by hand: docs/guide/first-model.md begins with an example",
        }
    }
}

/// Drafts a model named `name` from items, of which several may be images of one item.
///
/// # Errors
/// There is no item, or none of the item types that it would have compiles.
pub fn draft(name: &str, schema: &Schema, images: impl IntoIterator<Item = Item>) -> Result<Draft, NoDraft> {
    let (items, skipped) = one_for_each_key(schema, images);
    if items.is_empty() {
        return Err(NoDraft::NoItems);
    }
    let table = tokens::SampleTable::of(schema, items);
    let groups = groups::groups(&table);
    let mut found = slots::types(&table, groups);
    names::name(&table, &mut found);
    let relations = relations::relate(&table, &found);
    guards::spell(relations.of.iter().map(|relation| relation.guard.as_ref()), &mut found);
    let lines = write::lines(name, &table, &found, &relations, skipped);
    compile::compiled(lines)
}

/// One item for each key, from all images of it, and the number of images without string keys. Instep's own items are
/// left out.
fn one_for_each_key(schema: &Schema, images: impl IntoIterator<Item = Item>) -> (Vec<Item>, usize) {
    let mut items: BTreeMap<Key, Item> = BTreeMap::new();
    let mut skipped = 0;
    for image in images {
        let part = |name: &str| image.get(name).and_then(Value::as_s).map(str::to_owned);
        let Some((pk, sk)) = part(&schema.pk).zip(part(&schema.sk)) else {
            skipped += 1;
            continue;
        };
        if pk.starts_with(BOOKKEEPING_PREFIX) {
            continue;
        }
        let key = Key { pk, sk };
        if items.len() < ITEMS_MAX || items.contains_key(&key) {
            items.entry(key).or_default().extend(image);
        }
    }
    (items.into_values().collect(), skipped)
}
