//! A file of writes to a table, from which a capture is created.
//!
//! A JSON array of steps (or JSON Lines, a step each). A step has one of
//!
//! - `put`: the whole item;
//! - `update`: `{"key": {…}, "set": {…}, "remove": ["…"]}`;
//! - `delete`: the key;
//! - `ttl`: the key of an item that expires by `at`, and that DynamoDB then deletes;
//! - `transact`: an array of `put`, `update` and `delete` that happen together;
//!
//! and `at` (RFC 3339), by default the time of the step before; `"before": true` for writes before
//! the capture begins; and `note`, a comment. Strings, numbers, booleans, null, arrays and objects
//! are `S`, `N`, `BOOL`, `NULL`, `L` and `M`. `{"$n": "…"}` is a number of any length,
//! `{"$b": "…"}` is bytes in base64; `{"$ss": […]}`, `{"$ns": […]}` and `{"$bs": […]}` are sets.

use instep_model::{Bytes, Item, Value};
use jiff::Timestamp;
use miette::{IntoDiagnostic as _, WrapErr as _, miette};
use serde::Deserialize;
use serde_json::Value as Json;

/// From this size on, numbers may lose digits when JSON is parsed. They must be written as `$n`.
const EXACT_BELOW: f64 = 1e15;

/// One step: the writes that happen together, and their time.
#[derive(Debug, PartialEq)]
pub struct WriteStep {
    /// The time. `None` before the first `at`.
    pub at: Option<Timestamp>,
    /// Done before the capture begins.
    pub before: bool,
    /// The writes.
    pub act: StepWrites,
}

/// The writes of a step.
#[derive(Debug, PartialEq)]
pub enum StepWrites {
    /// One write.
    One(ItemWrite),
    /// The writes of a transaction.
    Transact(Vec<ItemWrite>),
    /// DynamoDB deletes the item, because it has expired.
    Ttl(Item),
}

/// One write of one item.
#[derive(Debug, PartialEq)]
pub enum ItemWrite {
    /// The whole item.
    Put(Item),
    /// Attributes of an item.
    Update {
        /// The item's key.
        key: Item,
        /// The attributes that get a value.
        set: Item,
        /// The attributes that are removed.
        remove: Vec<String>,
    },
    /// The item with this key is deleted.
    Delete(Item),
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct RawStep {
    at: Option<String>,
    #[serde(default)]
    #[expect(dead_code, reason = "for whoever reads the file")]
    note: Option<String>,
    #[serde(default)]
    before: bool,
    put: Option<RawItem>,
    update: Option<RawUpdate>,
    delete: Option<RawItem>,
    ttl: Option<RawItem>,
    transact: Option<Vec<RawWrite>>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields, rename_all = "lowercase")]
enum RawWrite {
    Put(RawItem),
    Update(RawUpdate),
    Delete(RawItem),
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct RawUpdate {
    key: RawItem,
    #[serde(default)]
    set: RawItem,
    #[serde(default)]
    remove: Vec<String>,
}

type RawItem = serde_json::Map<String, Json>;

/// What a step of a file of writes has, and no record of a stream.
const STEP_WORDS: [&str; 5] = ["put", "update", "delete", "ttl", "transact"];

/// Whether a text is meant to be a file of writes: its first entry has a word of a step.
pub fn are_meant(text: &str) -> bool {
    let first: Option<Json> = if text.trim_start().starts_with('[') {
        serde_json::from_str::<Vec<Json>>(text).ok().and_then(|entries| entries.into_iter().next())
    } else {
        serde_json::Deserializer::from_str(text).into_iter().next().and_then(Result::ok)
    };
    first.is_some_and(|entry| STEP_WORDS.iter().any(|word| entry.get(*word).is_some()))
}

/// Parses the steps of the file named `file`.
pub fn parse(file: &str, text: &str) -> miette::Result<Vec<WriteStep>> {
    let raw: Vec<RawStep> = if text.trim_start().starts_with('[') {
        serde_json::from_str(text)
    } else {
        serde_json::Deserializer::from_str(text).into_iter().collect()
    }
    .into_diagnostic()
    .wrap_err_with(|| format!("`{file}` is not a file of writes, which `capture --writes` and `replay` read"))?;
    let mut at = None;
    let mut began = false;
    raw.into_iter()
        .enumerate()
        .map(|(place, step)| {
            let step = step.read(at, began).wrap_err_with(|| format!("`{file}`, step {}", place + 1))?;
            at = step.at;
            began = !step.before;
            Ok(step)
        })
        .collect()
}

impl RawStep {
    fn read(self, at_before: Option<Timestamp>, began: bool) -> miette::Result<WriteStep> {
        if self.before && began {
            return Err(miette!("`before` is allowed only in the first steps: a capture has no gaps"));
        }
        let before = self.before;
        let at = match self.at {
            Some(text) => Some(text.parse().map_err(|_| miette!("`at` is not an RFC 3339 time: `{text}`"))?),
            None => at_before,
        };
        let mut acts = Vec::new();
        if let Some(put) = self.put {
            acts.push(StepWrites::One(RawWrite::Put(put).read()?));
        }
        if let Some(update) = self.update {
            acts.push(StepWrites::One(RawWrite::Update(update).read()?));
        }
        if let Some(delete) = self.delete {
            acts.push(StepWrites::One(RawWrite::Delete(delete).read()?));
        }
        if let Some(key) = self.ttl {
            acts.push(StepWrites::Ttl(item(key)?));
        }
        if let Some(writes) = self.transact {
            acts.push(StepWrites::Transact(writes.into_iter().map(RawWrite::read).collect::<miette::Result<_>>()?));
        }
        match (acts.pop(), acts.is_empty()) {
            (Some(act), true) => Ok(WriteStep { at, before, act }),
            (_, _) => Err(miette!("a step has one of `put`, `update`, `delete`, `ttl`, `transact`")),
        }
    }
}

impl RawWrite {
    fn read(self) -> miette::Result<ItemWrite> {
        Ok(match self {
            Self::Put(raw) => ItemWrite::Put(item(raw)?),
            Self::Delete(raw) => ItemWrite::Delete(item(raw)?),
            Self::Update(RawUpdate { key, set, remove }) => {
                ItemWrite::Update { key: item(key)?, set: item(set)?, remove }
            }
        })
    }
}

fn item(raw: RawItem) -> miette::Result<Item> {
    raw.into_iter()
        .map(|(name, json)| Ok((name.clone(), value(json).wrap_err_with(|| format!("attribute `{name}`"))?)))
        .collect()
}

fn value(json: Json) -> miette::Result<Value> {
    Ok(match json {
        Json::Null => Value::Null(true),
        Json::Bool(flag) => Value::Bool(flag),
        Json::String(text) => Value::S(text),
        Json::Number(number) => {
            if number.is_f64() && number.as_f64().is_none_or(|float| float.abs() >= EXACT_BELOW) {
                return Err(miette!("write a number this long as a string: {{\"$n\": \"{number}\"}}"));
            }
            Value::N(number.to_string())
        }
        Json::Array(values) => Value::L(values.into_iter().map(value).collect::<miette::Result<_>>()?),
        Json::Object(map) => match tagged(&map)? {
            Some(value) => value,
            None => Value::M(item(map)?),
        },
    })
}

/// Parses `{"$b": "…"}` and the other tags.
fn tagged(map: &RawItem) -> miette::Result<Option<Value>> {
    let Some((tag, json)) = map.iter().next().filter(|(tag, _)| map.len() == 1 && tag.starts_with('$')) else {
        return Ok(None);
    };
    let text = || json.as_str().map(str::to_owned).ok_or_else(|| miette!("`{tag}` needs a string"));
    let texts = || -> miette::Result<Vec<String>> {
        let list = json.as_array().ok_or_else(|| miette!("`{tag}` needs an array of strings"))?;
        list.iter()
            .map(|json| match json {
                Json::String(text) => Ok(text.clone()),
                Json::Number(number) if !number.is_f64() => Ok(number.to_string()),
                Json::Null | Json::Bool(_) | Json::Number(_) | Json::Array(_) | Json::Object(_) => {
                    Err(miette!("`{tag}` needs an array of strings"))
                }
            })
            .collect()
    };
    Ok(Some(match tag.as_str() {
        "$n" => Value::N(text()?),
        "$b" => Value::B(bytes(&text()?)?),
        "$ss" => Value::Ss(texts()?),
        "$ns" => Value::Ns(texts()?),
        "$bs" => Value::Bs(texts()?.iter().map(|text| bytes(text)).collect::<miette::Result<_>>()?),
        _ => return Err(miette!("`{tag}` is not one of `$n`, `$b`, `$ss`, `$ns`, `$bs`")),
    }))
}

fn bytes(text: &str) -> miette::Result<Bytes> {
    serde_json::from_value(Json::String(text.to_owned())).map_err(|error| miette!("not base64: {error}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn one(text: &str) -> String {
        match parse("w.json", text) {
            Ok(steps) => format!("{steps:?}"),
            Err(error) => error.chain().map(ToString::to_string).collect::<Vec<_>>().join(": "),
        }
    }

    #[test]
    fn plain_json_becomes_typed() {
        let steps = parse(
            "w.json",
            r#"[{"at": "2026-03-01T09:00:00Z", "note": "all types", "put": {"pk": "a", "n": 7, "f": 1.5, "t": true, "z": null,
                "l": ["x", {"y": 1}], "big": {"$n": "12345678901234567890123456789012345678"}, "b": {"$b": "AAE="},
                "ss": {"$ss": ["p"]}, "ns": {"$ns": [1, "2"]}, "bs": {"$bs": ["AA=="]}, "e": "", "m": {}}},
               {"delete": {"pk": "a"}}]"#,
        )
        .unwrap();
        let [
            WriteStep { act: StepWrites::One(ItemWrite::Put(item)), .. },
            WriteStep { at, act: StepWrites::One(ItemWrite::Delete(_)), .. },
        ] = &steps[..]
        else {
            panic!("{steps:?}")
        };
        assert_eq!(
            serde_json::to_string(item).unwrap(),
            concat!(
                r#"{"b":{"B":"AAE="},"big":{"N":"12345678901234567890123456789012345678"},"bs":{"BS":["AA=="]},"#,
                r#""e":{"S":""},"f":{"N":"1.5"},"l":{"L":[{"S":"x"},{"M":{"y":{"N":"1"}}}]},"m":{"M":{}},"n":{"N":"7"},"#,
                r#""ns":{"NS":["1","2"]},"pk":{"S":"a"},"ss":{"SS":["p"]},"t":{"BOOL":true},"z":{"NULL":true}}"#
            )
        );
        assert_eq!(at.unwrap().to_string(), "2026-03-01T09:00:00Z", "the time of the step before");
    }

    #[test]
    fn every_step_is_read_also_from_lines() {
        let text = r#"{"update": {"key": {"pk": "a"}, "set": {"x": "1"}, "remove": ["y"]}}
            {"ttl": {"pk": "a"}}
            {"transact": [{"put": {"pk": "a"}}, {"delete": {"pk": "b"}}]}"#;
        assert_eq!(parse("w.jsonl", text).unwrap().len(), 3);
    }

    #[test]
    fn errors_name_their_place() {
        assert!(one(r#"[{"at": "soon", "put": {}}]"#).contains("step 1: `at` is not an RFC 3339 time: `soon`"));
        assert!(one(r#"[{"put": {}, "delete": {}}]"#).contains("a step has one of"));
        assert!(one(r#"[{"at": "2026-03-01T09:00:00Z"}]"#).contains("a step has one of"));
        assert!(one(r#"[{"put": {}}, {"before": true, "put": {}}]"#).contains("step 2: `before` is allowed only"));
        assert!(one(r#"[{"putt": {}}]"#).contains("unknown field `putt`"));
        assert!(one(r#"[{"put": {"a": {"$x": "1"}}}]"#).contains("attribute `a`: `$x` is not one of"));
        assert!(one(r#"[{"put": {"a": 12345678901234567890123}}]"#).contains("$n"));
    }
}
