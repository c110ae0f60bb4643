//! What a change of the contract means for a subscriber that was written for the old one, and keeps rows as the page for
//! subscribers says.

use std::collections::BTreeSet;

use serde_json::{Map, Value, json};

use crate::difference::{ContractDifference, ContractVerdict};
use crate::rows_diff;
use crate::schema::{FORMAT_OF_U32, at};

/// The differences between two documents of [`crate::contract`], the breaking ones first.
#[must_use]
pub fn diff(old: &Value, new: &Value) -> Vec<ContractDifference> {
    let mut found = Vec::new();
    for (name, what) in [("source", "the source"), ("model", "the model's name, which is part of every id,")] {
        if old.get(name) != new.get(name) {
            let what = format!("{what} was {} and is {}", at(old, &format!("/{name}")), at(new, &format!("/{name}")));
            let verdict = ContractVerdict::Breaking;
            let (event, field) = (String::new(), String::new());
            found.push(ContractDifference { verdict, event, field, what, is_countable: false });
        }
    }
    rows_diff::compare(old, new, &mut found);
    let by_type = |contract: &Value| -> Vec<(String, Value)> {
        let events = at(contract, "/events").as_array().cloned().unwrap_or_default();
        let named = |event: Value| {
            (at(&event, "/detailType").as_str().unwrap_or_default().to_owned(), at(&event, "/schema").clone())
        };
        events.into_iter().map(named).collect()
    };
    let (before, after) = (by_type(old), by_type(new));
    for (event, schema) in &before {
        let mut of = Of { event, found: &mut found };
        match after.iter().find(|(other, _)| other == event) {
            Some((_, other)) => of.compare("", schema, other),
            None => of.breaks("", "it is no longer published"),
        }
    }
    for (event, _) in after.iter().filter(|(event, _)| !before.iter().any(|(other, _)| other == event)) {
        Of { event, found: &mut found }.adds("", "it is published now");
    }
    found.sort_by(|one, other| other.verdict.cmp(&one.verdict).then_with(|| one.cmp(other)));
    found
}

/// The differences of one event.
struct Of<'a> {
    event: &'a str,
    found: &'a mut Vec<ContractDifference>,
}

impl Of<'_> {
    fn note(&mut self, verdict: ContractVerdict, field: &str, what: impl Into<String>) {
        let (event, field, what) = (self.event.to_owned(), field.to_owned(), what.into());
        self.found.push(ContractDifference { verdict, event, field, what, is_countable: false });
    }

    fn breaks(&mut self, field: &str, what: impl Into<String>) {
        self.note(ContractVerdict::Breaking, field, what);
    }

    fn adds(&mut self, field: &str, what: impl Into<String>) {
        self.note(ContractVerdict::Compatible, field, what);
    }

    fn compare(&mut self, field: &str, old: &Value, new: &Value) {
        let (before, after) = (variants(old), variants(new));
        if before.len() > 1 || after.len() > 1 {
            self.variants(field, &before, &after);
            return;
        }
        let (Some(old), Some(new)) = (before.first(), after.first()) else { return };
        self.types(field, old, new);
        self.values(field, old, new);
        for word in ["pattern", "minimum", "maximum", "maxItems", "maxProperties"] {
            let (old, new) = (limit(old, word), limit(new, word));
            if old != new {
                let says = |limit: Option<Value>| limit.map_or_else(|| "none".to_owned(), |limit| limit.to_string());
                self.breaks(field, format!("`{word}` was {} and is {}", says(old), says(new)));
            }
        }
        self.fields(field, old, new);
        match (old.get("items"), new.get("items")) {
            (Some(old), Some(new)) => self.compare(&format!("{field}[]"), old, new),
            (None, None) => {}
            (_, _) => self.breaks(field, "its elements have another type"),
        }
    }

    /// Events about several item types: each is compared with the same one.
    fn variants(&mut self, field: &str, before: &[&Value], after: &[&Value]) {
        let title = |schema: &Value| at(schema, "/title").as_str().unwrap_or_default().to_owned();
        for old in before {
            match after.iter().find(|new| title(new) == title(old)) {
                Some(new) => self.compare(field, old, new),
                None => self.breaks(field, format!("it no longer comes of items of type {}", title(old))),
            }
        }
        for new in after.iter().filter(|new| !before.iter().any(|old| title(old) == title(new))) {
            self.adds(field, format!("it comes of items of type {}, too", title(new)));
        }
    }

    fn types(&mut self, field: &str, old: &Value, new: &Value) {
        let (before, after) = (types(old), types(new));
        if before != after {
            let kind = if after.is_subset(&before) && !after.is_empty() { "narrowed" } else { "changed" };
            let says = |types: &BTreeSet<&str>| {
                if types.is_empty() { "any".to_owned() } else { types.iter().copied().collect::<Vec<_>>().join(" or ") }
            };
            self.breaks(field, format!("its type is {kind}: it was {} and is {}", says(&before), says(&after)));
        }
    }

    /// Values of constants and enumerations.
    fn values(&mut self, field: &str, old: &Value, new: &Value) {
        match (values(old), values(new)) {
            (Some(before), Some(after)) => {
                let gone: Vec<&str> = before.difference(&after).map(String::as_str).collect();
                let more: Vec<&str> = after.difference(&before).map(String::as_str).collect();
                if !gone.is_empty() && !more.is_empty() && before.len() == 1 && after.len() == 1 {
                    self.breaks(field, format!("it was always {} and is always {}", gone.join(", "), more.join(", ")));
                } else {
                    if !gone.is_empty() {
                        self.breaks(field, format!("it is never {} any more", gone.join(" or ")));
                    }
                    if !more.is_empty() {
                        self.adds(field, format!("it can be {}, too", more.join(" or ")));
                    }
                }
            }
            (Some(_), None) => self.breaks(field, "it can have any value now, and had one of a list"),
            (None, Some(after)) => {
                let after: Vec<&str> = after.iter().map(String::as_str).collect();
                self.breaks(field, format!("it is narrowed to {}", after.join(" or ")));
            }
            (None, None) => {}
        }
    }

    fn fields(&mut self, field: &str, old: &Value, new: &Value) {
        let nothing = Map::new();
        let properties = |schema: &Value| schema.get("properties").and_then(Value::as_object).cloned();
        let (before, after) = (properties(old), properties(new));
        let (before, after) = (before.as_ref().unwrap_or(&nothing), after.as_ref().unwrap_or(&nothing));
        let path = |name: &str| if field.is_empty() { name.to_owned() } else { format!("{field}.{name}") };
        let added: Vec<&String> = after.keys().filter(|name| !before.contains_key(*name)).collect();
        for (name, schema) in before {
            let Some(other) = after.get(name) else {
                let same = added.iter().find(|other| after.get(**other).map(types) == Some(types(schema)));
                let renamed = same.map(|other| format!(", or renamed to `{other}`")).unwrap_or_default();
                self.breaks(&path(name), format!("it is removed{renamed}"));
                continue;
            };
            match (is_required(old, name), is_required(new, name)) {
                (true, false) => self.breaks(&path(name), "it can be absent now, and was always there"),
                (false, true) => {
                    self.breaks(&path(name), "it is required now: events that were published before may lack it");
                }
                (true, true) | (false, false) => {}
            }
            self.compare(&path(name), schema, other);
        }
        for name in added {
            if is_required(new, name) {
                let what = "it is new and required: events that were published before lack it";
                self.breaks(&path(name), what);
            } else {
                self.adds(&path(name), "it is new");
            }
        }
    }
}

fn variants(schema: &Value) -> Vec<&Value> {
    schema.get("anyOf").and_then(Value::as_array).map_or_else(|| vec![schema], |all| all.iter().collect())
}

fn types(schema: &Value) -> BTreeSet<&str> {
    match schema.get("type") {
        Some(Value::Array(types)) => types.iter().filter_map(Value::as_str).collect(),
        Some(Value::String(name)) => BTreeSet::from([name.as_str()]),
        Some(_) | None => BTreeSet::new(),
    }
}

fn values(schema: &Value) -> Option<BTreeSet<String>> {
    let all = schema.get("enum").and_then(Value::as_array).cloned();
    let all = all.or_else(|| schema.get("const").map(|one| vec![one.clone()]))?;
    Some(all.iter().map(Value::to_string).collect())
}

/// A limit that a schema states. Contracts of earlier versions state that of an index as a format of Rust's.
fn limit(schema: &Value, word: &str) -> Option<Value> {
    let is_u32 = schema.get("format").is_some_and(|format| format == FORMAT_OF_U32);
    if word == "maximum" && is_u32 { Some(json!(u32::MAX)) } else { schema.get(word).cloned() }
}

fn is_required(schema: &Value, name: &str) -> bool {
    schema.get("required").and_then(Value::as_array).is_some_and(|all| all.contains(&json!(name)))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn contract(schema: Value) -> Value {
        json!({"source": "s", "model": "m", "events": [{"detailType": "User Granted", "schema": schema}]})
    }

    /// What a change of one field is called.
    fn found(old: Value, new: Value) -> Vec<String> {
        let object = |field: Value| contract(json!({"type": "object", "properties": {"f": field}, "required": ["f"]}));
        let found = diff(&object(old), &object(new));
        found
            .iter()
            .map(|one| format!("{}{one}", if one.verdict == ContractVerdict::Breaking { "! " } else { "" }))
            .collect()
    }

    #[test]
    fn each_kind_of_change_is_judged() {
        let text = || json!({"type": "string"});
        let list = |of: &str| json!({"type": "array", "items": {"type": of}});
        let nullable = json!({"type": ["string", "null"]});
        for (old, new, expected) in [
            (text(), text(), &[][..]),
            (text(), json!({"type": "string", "description": "words break nothing"}), &[]),
            (text(), nullable.clone(), &["! f: its type is changed: it was string and is null or string"]),
            (nullable, text(), &["! f: its type is narrowed: it was null or string and is string"]),
            (
                json!({"enum": ["a", "b"]}),
                json!({"enum": ["a", "c"]}),
                &["! f: it is never \"b\" any more", "f: it can be \"c\", too"],
            ),
            (json!({"const": "a"}), json!({"const": "b"}), &["! f: it was always \"a\" and is always \"b\""]),
            (
                json!({"type": "integer", "format": "uint32", "minimum": 0}),
                json!({"type": "integer", "minimum": 1, "maximum": 4_294_967_295_u32}),
                &["! f: `minimum` was 0 and is 1"],
            ),
            (text(), json!({"type": "string", "enum": ["a"]}), &["! f: it is narrowed to \"a\""]),
            (list("string"), list("integer"), &["! f[]: its type is changed: it was string and is integer"]),
        ] {
            let judged = found(old.clone(), new.clone());
            let judged = judged
                .iter()
                .map(|one| one.replace("`User Granted`, field `f`", "f").replace("`User Granted`, field `f[]`", "f[]"));
            assert_eq!(judged.collect::<Vec<_>>(), expected, "{old} -> {new}");
        }
    }

    #[test]
    fn fields_and_events_are_judged() {
        let with = |fields: Value, required: Value| {
            contract(json!({"type": "object", "properties": fields, "required": required}))
        };
        let text = json!({"type": "string"});
        let old = with(json!({"a": text, "b": text}), json!(["a"]));
        let words = |new: Value| diff(&old, &new).iter().map(ToString::to_string).collect::<Vec<_>>();
        assert_eq!(
            words(with(json!({"a": text, "c": text}), json!(["a"]))),
            ["`User Granted`, field `b`: it is removed, or renamed to `c`", "`User Granted`, field `c`: it is new"]
        );
        assert_eq!(
            words(with(json!({"a": text, "b": text}), json!([]))),
            ["`User Granted`, field `a`: it can be absent now, and was always there"]
        );
        assert_eq!(
            words(with(json!({"a": text, "b": text}), json!(["a", "b"]))),
            ["`User Granted`, field `b`: it is required now: events that were published before may lack it"]
        );
        let nothing = json!({"source": "s", "model": "m", "events": []});
        assert_eq!(words(nothing.clone()), ["`User Granted`: it is no longer published"]);
        assert!(diff(&nothing, &old).iter().all(|one| one.verdict == ContractVerdict::Compatible));
        let mut renamed = old.clone();
        renamed["source"] = json!("t");
        assert_eq!(words(renamed), ["the source was \"s\" and is \"t\""]);
    }

    #[test]
    fn variants_are_compared_with_their_own() {
        let variant =
            |title: &str, role: Value| json!({"title": title, "type": "object", "properties": {"role": role}});
        let text = json!({"type": "string"});
        let old = contract(json!({"anyOf": [variant("User", text.clone()), variant("TenantGrant", text.clone())]}));
        let fewer = contract(variant("TenantGrant", text.clone()));
        let words = |new: &Value| diff(&old, new).iter().map(ToString::to_string).collect::<Vec<_>>();
        assert_eq!(words(&fewer), ["`User Granted`: it no longer comes of items of type User"]);
        let other =
            contract(json!({"anyOf": [variant("TenantGrant", json!({"type": "null"})), variant("User", text)]}));
        assert_eq!(words(&other), ["`User Granted`, field `role`: its type is changed: it was string and is null"]);
    }
}
