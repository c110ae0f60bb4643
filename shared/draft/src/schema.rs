//! The keys of the table and of its indexes: described by DynamoDB, or told from the names of attributes.

use std::collections::{BTreeMap, BTreeSet};

use instep_model::{Item, Value};
use serde_json::Value as Json;

use crate::NoDraft;

/// The keys of a table and of its indexes.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Schema {
    /// The partition key attribute.
    pub pk: String,
    /// The sort key attribute.
    pub sk: String,
    /// The indexes with string keys.
    pub indexes: Vec<SchemaIndex>,
    /// Indexes that a model cannot have, because a key of theirs is no string.
    pub unusable: Vec<String>,
    /// The TTL attribute, if DynamoDB said one.
    pub ttl: Option<String>,
    /// DynamoDB described it: nothing is a guess from names.
    pub is_described: bool,
}

/// An index.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SchemaIndex {
    /// Its name.
    pub name: String,
    /// Its partition key attribute.
    pub pk: String,
    /// Its sort key attribute.
    pub sk: Option<String>,
}

/// One attribute of a key, as DynamoDB describes it.
#[derive(Debug, Clone)]
pub struct KeyAttribute {
    /// The attribute.
    pub name: String,
    /// Whether it is the partition key.
    pub is_partition: bool,
    /// Whether it is a string.
    pub is_string: bool,
}

/// Names of a partition key and of a sort key, without `_` and in lower case.
const PARTITION_NAMES: [&str; 5] = ["pk", "partitionkey", "hashkey", "hk", "partition"];
const SORT_NAMES: [&str; 5] = ["sk", "sortkey", "rangekey", "rk", "sort"];

impl Schema {
    /// A described table.
    ///
    /// # Errors
    /// Instep cannot use its keys.
    pub fn new(keys: &[KeyAttribute], indexes: Vec<(String, Vec<KeyAttribute>)>) -> Result<Self, NoDraft> {
        if let Some(other) = keys.iter().find(|key| !key.is_string) {
            return Err(NoDraft::KeyIsNoString { name: other.name.clone() });
        }
        let named = |keys: &[KeyAttribute], is_partition: bool| {
            keys.iter().find(|key| key.is_partition == is_partition).map(|key| key.name.clone())
        };
        let pk = named(keys, true).ok_or_else(|| NoDraft::NotDescribed { what: "it has no partition key".into() })?;
        let sk = named(keys, false).ok_or(NoDraft::NoSortKey)?;
        let mut schema = Self { pk, sk, is_described: true, ..Self::default() };
        for (name, keys) in indexes {
            match named(&keys, true).filter(|_| keys.iter().all(|key| key.is_string)) {
                Some(pk) => schema.indexes.push(SchemaIndex { name, pk, sk: named(&keys, false) }),
                None => schema.unusable.push(name),
            }
        }
        schema.indexes.sort_by(|one, other| one.name.cmp(&other.name));
        Ok(schema)
    }

    /// A table from the JSON that `aws dynamodb describe-table` prints.
    ///
    /// # Errors
    /// The JSON is something else, or Instep cannot use the table's keys.
    pub fn described(json: &Json) -> Result<Self, NoDraft> {
        let table = json.get("Table").unwrap_or(json);
        let text = |json: &Json, field: &str| json.get(field).and_then(Json::as_str).map(str::to_owned);
        let list = |json: &Json, field: &str| json.get(field).and_then(Json::as_array).cloned().unwrap_or_default();
        let types: BTreeMap<String, String> = list(table, "AttributeDefinitions")
            .iter()
            .filter_map(|of| Some((text(of, "AttributeName")?, text(of, "AttributeType")?)))
            .collect();
        let keys = |json: &Json| -> Vec<KeyAttribute> {
            let keys = list(json, "KeySchema").into_iter().filter_map(|key| {
                let name = text(&key, "AttributeName")?;
                let is_string = types.get(&name).is_some_and(|of| of == "S");
                Some(KeyAttribute { name, is_partition: text(&key, "KeyType")? == "HASH", is_string })
            });
            keys.collect()
        };
        if list(table, "KeySchema").is_empty() {
            return Err(NoDraft::NotDescribed { what: "it has no `KeySchema`".to_owned() });
        }
        let indexes = ["GlobalSecondaryIndexes", "LocalSecondaryIndexes"];
        let indexes = indexes.into_iter().flat_map(|field| list(table, field));
        Self::new(&keys(table), indexes.filter_map(|index| Some((text(&index, "IndexName")?, keys(&index)))).collect())
    }

    /// A table whose keys are told from the names of its attributes: `keys` are those of stream records, if there are
    /// any.
    ///
    /// # Errors
    /// Nothing says which they are.
    pub fn guessed(images: &[Item], keys: &BTreeSet<String>) -> Result<Self, NoDraft> {
        if images.is_empty() {
            return Err(NoDraft::NoItems);
        }
        let mut strings: BTreeMap<&str, usize> = BTreeMap::new();
        for image in images {
            for name in image.iter().filter(|(_, value)| value.as_s().is_some()).map(|(name, _)| name.as_str()) {
                *strings.entry(name).or_default() += 1;
            }
        }
        let everywhere = |name: &&&str| strings.get(**name) == Some(&images.len());
        let all: Vec<&str> = strings.keys().filter(everywhere).copied().collect();
        let known = |names: &[&str]| all.iter().find(|name| names.contains(&plain(name).as_str())).copied();
        let (pk, sk) = match (known(&PARTITION_NAMES), known(&SORT_NAMES)) {
            (Some(pk), Some(sk)) => (pk.to_owned(), sk.to_owned()),
            (pk, _) => of_records(images, keys).ok_or_else(|| not_in_all(images, pk))?,
        };
        let indexes = indexes(strings.keys().copied().filter(|name| *name != pk && *name != sk));
        Ok(Self { pk, sk, indexes, ..Self::default() })
    }

    /// The attributes of all keys.
    pub(crate) fn attributes(&self) -> BTreeSet<&str> {
        let indexes = self.indexes.iter().flat_map(|index| [Some(&index.pk), index.sk.as_ref()]).flatten();
        indexes.chain([&self.pk, &self.sk]).map(String::as_str).collect()
    }

    /// Whether an attribute of an index also has a meaning of its own, such as `email` or `createdAt`.
    pub(crate) fn is_plain(&self, attribute: &str) -> bool {
        let is_of_table = attribute == self.pk || attribute == self.sk;
        !is_of_table && self.attributes().contains(attribute) && part_of(attribute).is_none()
    }
}

/// Why no keys were found: those with a usual name may be no strings.
fn not_in_all(images: &[Item], pk: Option<&str>) -> NoDraft {
    let names: BTreeSet<&String> = images.iter().flat_map(Item::keys).collect();
    let usual = |names: &[&str], name: &str| names.contains(&plain(name).as_str());
    let no_string = |name: &&&String| {
        let mut values = images.iter().filter_map(|image| image.get(**name));
        (usual(&PARTITION_NAMES, name) || usual(&SORT_NAMES, name)) && values.all(|value| value.as_s().is_none())
    };
    match names.iter().find(no_string) {
        Some(name) => NoDraft::KeyIsNoString { name: (*name).clone() },
        None if pk.is_some() && !names.iter().any(|name| usual(&SORT_NAMES, name)) => NoDraft::NoSortKey,
        None => NoDraft::NoKeys,
    }
}

/// The two keys of records: the one with fewer values is the partition.
fn of_records(images: &[Item], keys: &BTreeSet<String>) -> Option<(String, String)> {
    let mut names = keys.iter();
    let (Some(one), Some(other), None) = (names.next(), names.next(), names.next()) else { return None };
    let values = |name: &String| images.iter().filter_map(|image| image.get(name)?.as_s()).collect::<BTreeSet<&str>>();
    let (first, second) = (values(one), values(other));
    if first.is_empty() || second.is_empty() {
        return None;
    }
    Some(if first.len() <= second.len() { (one.clone(), other.clone()) } else { (other.clone(), one.clone()) })
}

/// Indexes whose attributes are called like keys: `GSI1PK` and `GSI1SK`.
fn indexes<'a>(attributes: impl Iterator<Item = &'a str>) -> Vec<SchemaIndex> {
    let mut found: BTreeMap<String, (Option<String>, Option<String>)> = BTreeMap::new();
    for attribute in attributes {
        let Some((index, is_partition)) = part_of(attribute) else { continue };
        let entry = found.entry(index).or_default();
        if is_partition { entry.0 = Some(attribute.to_owned()) } else { entry.1 = Some(attribute.to_owned()) }
    }
    let index = |(name, (pk, sk)): (String, (Option<String>, Option<String>))| Some(SchemaIndex { name, pk: pk?, sk });
    found.into_iter().filter_map(index).collect()
}

/// The index of an attribute that is called like a key, and whether it is the partition key.
fn part_of(attribute: &str) -> Option<(String, bool)> {
    let ends = [("pk", true), ("hk", true), ("sk", false), ("rk", false)];
    let long = [("partitionkey", true), ("hashkey", true), ("sortkey", false), ("rangekey", false)];
    let lower = attribute.to_ascii_lowercase();
    let with_underscore = long.iter().map(|(end, is)| (end.replace("key", "_key"), *is));
    let all = ends.iter().chain(&long).map(|(end, is)| ((*end).to_owned(), *is)).chain(with_underscore);
    let mut found = all.filter_map(|(end, is_partition)| {
        let index = attribute.get(..lower.strip_suffix(&end)?.len())?.trim_end_matches('_');
        (!index.is_empty()).then(|| (index.to_owned(), is_partition))
    });
    // The longest ending leaves the shortest name.
    found.by_ref().min_by_key(|(index, _)| index.len())
}

fn plain(name: &str) -> String {
    name.replace('_', "").to_ascii_lowercase()
}

/// Whether all values of an attribute that has any are epoch seconds of this century.
pub(crate) fn is_epoch(value: &Value) -> bool {
    const FIRST: u64 = 1_000_000_000;
    const LAST: u64 = 6_000_000_000;
    matches!(value, Value::N(digits) if digits.parse().is_ok_and(|seconds: u64| (FIRST..LAST).contains(&seconds)))
}
