//! Condition expressions, and the placeholders for names and values.

use serde_json::Value;

use super::{JsonItem, Refused, invalid};

pub(super) fn holds(term: &str, body: &Value, item: Option<&JsonItem>) -> Result<bool, Refused> {
    if let Some((one, other)) = term.split_once(" OR ") {
        return Ok(holds(one, body, item)? || holds(other, body, item)?);
    }
    let inner = |word: &str| term.strip_prefix(word).and_then(|rest| rest.strip_suffix(')'));
    let has = |name: &str| Ok(item.is_some_and(|item| item.contains_key(name)));
    if let Some(name) = inner("attribute_exists(") {
        return has(name_of(body, name)?);
    }
    if let Some(name) = inner("attribute_not_exists(") {
        return has(name_of(body, name)?).map(|has: bool| !has);
    }
    if let Some((name, value)) = term.split_once(" < ") {
        let there = item.and_then(|item| item.get(name_of(body, name).ok()?)).and_then(number);
        let limit = number(value_of(body, value)?).ok_or_else(invalid)?;
        return Ok(there.is_some_and(|there| there < limit));
    }
    let (name, value) = term.split_once(" = ").ok_or_else(invalid)?;
    let (name, value) = (name_of(body, name)?, value_of(body, value)?);
    Ok(item.and_then(|item| item.get(name)) == Some(value))
}

/// A number that Instep counts with.
pub(super) fn number(value: &Value) -> Option<i64> {
    value.get("N")?.as_str()?.parse().ok()
}

pub(super) fn name_of<'a>(body: &'a Value, place: &str) -> Result<&'a str, Refused> {
    let names = body.get("ExpressionAttributeNames").and_then(|names| names.get(place));
    names.and_then(Value::as_str).ok_or_else(invalid)
}

pub(super) fn value_of<'a>(body: &'a Value, place: &str) -> Result<&'a Value, Refused> {
    body.get("ExpressionAttributeValues").and_then(|values| values.get(place)).ok_or_else(invalid)
}
