//! EventBridge's rule patterns. Source: Amazon EventBridge User Guide, "Comparison operators in event
//! patterns". `ip-address` (`cidr`) is not among them: no event of Instep has an address.

use std::path::Path;

use miette::{IntoDiagnostic as _, WrapErr as _, miette};
use serde_json::{Map, Value};

/// A rule pattern.
#[derive(Debug)]
pub(super) struct Pattern(Map<String, Value>);

const HELP: &str =
    "a pattern is JSON such as {\"detail\": {\"metadata\": {\"verb\": [\"granted\"]}}}, or a file with it";

impl Pattern {
    /// Reads a pattern, or the file that has it.
    ///
    /// # Errors
    /// The text is no pattern.
    pub(super) fn read(text: &str) -> miette::Result<Self> {
        let is_file = !text.trim_start().starts_with('{') && Path::new(text).is_file();
        let text = if is_file {
            std::fs::read_to_string(text).into_diagnostic().wrap_err_with(|| format!("cannot read `{text}`"))?
        } else {
            text.to_owned()
        };
        match serde_json::from_str(&text) {
            Ok(Value::Object(fields)) => {
                check(&fields, "")?;
                Ok(Self(fields))
            }
            Ok(_) => Err(miette!(help = HELP, "the pattern is no object")),
            Err(error) => Err(miette!(help = HELP, "the pattern is no JSON: {error}")),
        }
    }

    /// Whether an event matches.
    pub(super) fn matches(&self, event: &Value) -> bool {
        object(&self.0, Some(event))
    }
}

/// Finds what EventBridge would refuse.
fn check(fields: &Map<String, Value>, above: &str) -> miette::Result<()> {
    for (name, value) in fields {
        let path = if above.is_empty() { name.clone() } else { format!("{above}.{name}") };
        match (name.as_str(), value) {
            ("$or", Value::Array(all)) if !all.is_empty() && all.iter().all(Value::is_object) => {
                all.iter().filter_map(Value::as_object).try_for_each(|one| check(one, above))?;
            }
            (_, Value::Object(inner)) => check(inner, &path)?,
            (_, Value::Array(tests)) if !tests.is_empty() => {
                if let Some(wrong) = tests.iter().find(|test| !is_test(test)) {
                    return Err(miette!(help = HELP, "`{path}` has no such test: {wrong}"));
                }
            }
            (_, _) => return Err(miette!(help = "write a list: `[\"admin\"]`", "`{path}` is no list of values")),
        }
    }
    Ok(())
}

const OPERATORS: [&str; 7] =
    ["prefix", "suffix", "equals-ignore-case", "wildcard", "anything-but", "exists", "numeric"];

fn is_test(test: &Value) -> bool {
    match test {
        Value::Object(fields) => fields.len() == 1 && fields.keys().all(|name| OPERATORS.contains(&name.as_str())),
        Value::Array(_) => false,
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => true,
    }
}

/// All fields match. `$or` matches if one of its patterns does.
fn object(fields: &Map<String, Value>, event: Option<&Value>) -> bool {
    fields.iter().all(|(name, pattern)| match (name.as_str(), pattern) {
        ("$or", Value::Array(all)) => all.iter().filter_map(Value::as_object).any(|one| object(one, event)),
        (_, Value::Object(inner)) => object(inner, event.and_then(|event| event.get(name))),
        (_, Value::Array(tests)) => list(tests, event.and_then(|event| event.get(name))),
        (_, _) => false,
    })
}

/// One of the tests holds for the value, or for an element of it if it is a list.
fn list(tests: &[Value], value: Option<&Value>) -> bool {
    tests.iter().any(|test| match (test.get("exists").and_then(Value::as_bool), value) {
        (Some(wanted), value) => wanted == value.is_some(),
        (None, Some(Value::Array(elements))) => elements.iter().any(|element| holds(test, element)),
        (None, Some(value)) => holds(test, value),
        (None, None) => false,
    })
}

fn holds(test: &Value, value: &Value) -> bool {
    let Value::Object(fields) = test else { return is_same(test, value) };
    let text = value.as_str();
    fields.iter().all(|(operator, argument)| {
        let (wanted, text) = (argument.as_str(), text.unwrap_or_default());
        let is_text = value.is_string();
        match (operator.as_str(), wanted) {
            ("prefix", Some(wanted)) => is_text && text.starts_with(wanted),
            ("suffix", Some(wanted)) => is_text && text.ends_with(wanted),
            ("equals-ignore-case", Some(wanted)) => is_text && text.to_lowercase() == wanted.to_lowercase(),
            ("wildcard", Some(wanted)) => is_text && wildcard(wanted, text),
            ("anything-but", _) => anything_but(argument, value),
            ("numeric", _) => numeric(argument, value),
            (_, _) => false,
        }
    })
}

fn is_same(wanted: &Value, value: &Value) -> bool {
    match (wanted.as_f64(), value.as_f64()) {
        (Some(wanted), Some(value)) => (wanted - value).abs() < f64::EPSILON,
        (_, _) => wanted == value,
    }
}

fn anything_but(argument: &Value, value: &Value) -> bool {
    match argument {
        Value::Array(all) => !all.iter().any(|one| is_same(one, value)),
        Value::Object(_) => value.is_string() && !holds(argument, value),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => !is_same(argument, value),
    }
}

/// `["<", 10]`, `[">", 0, "<=", 5]`.
fn numeric(argument: &Value, value: &Value) -> bool {
    let (Some(parts), Some(number)) = (argument.as_array(), value.as_f64()) else { return false };
    !parts.is_empty()
        && parts.chunks(2).all(|pair| {
            let [operator, limit] = pair else { return false };
            let (Some(operator), Some(limit)) = (operator.as_str(), limit.as_f64()) else { return false };
            match operator {
                "=" => (number - limit).abs() < f64::EPSILON,
                "<" => number < limit,
                "<=" => number <= limit,
                ">" => number > limit,
                ">=" => number >= limit,
                _ => false,
            }
        })
}

/// `*` stands for any text.
fn wildcard(pattern: &str, text: &str) -> bool {
    let parts: Vec<&str> = pattern.split('*').collect();
    let [first, middle @ .., last] = parts.as_slice() else { return pattern == text };
    let Some(rest) = text.strip_prefix(first) else { return false };
    let Some(mut rest) = rest.strip_suffix(last) else { return false };
    for part in middle {
        let Some((_, after)) = rest.split_once(part) else { return false };
        rest = after;
    }
    true
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn matches(pattern: &Value, event: &Value) -> bool {
        Pattern::read(&pattern.to_string()).unwrap().matches(event)
    }

    #[test]
    fn operators_mean_what_the_service_says() {
        let event = json!({"source": "a.b", "detail": {"role": "admin", "n": 5, "list": ["x", "y"], "flag": false, "nil": null}});
        for (detail, expected) in [
            (json!({"role": ["reader", "admin"]}), true),
            (json!({"role": ["reader"]}), false),
            (json!({"role": [{"prefix": "ad"}], "n": [5]}), true),
            (json!({"role": [{"suffix": "min"}], "n": [6]}), false),
            (json!({"role": [{"equals-ignore-case": "ADMIN"}]}), true),
            (json!({"role": [{"wildcard": "a*m*n"}]}), true),
            (json!({"role": [{"wildcard": "a*x"}]}), false),
            (json!({"role": [{"anything-but": ["reader"]}]}), true),
            (json!({"role": [{"anything-but": "admin"}]}), false),
            (json!({"role": [{"anything-but": {"prefix": "ad"}}]}), false),
            (json!({"absent": [{"anything-but": "x"}]}), false),
            (json!({"absent": [{"exists": false}], "role": [{"exists": true}]}), true),
            (json!({"list": ["y"]}), true),
            (json!({"list": ["z"]}), false),
            (json!({"n": [{"numeric": [">", 0, "<=", 5]}]}), true),
            (json!({"n": [{"numeric": ["<", 5]}]}), false),
            (json!({"flag": [false], "nil": [null]}), true),
            (json!({"$or": [{"role": ["reader"]}, {"n": [5]}]}), true),
            (json!({"$or": [{"role": ["reader"]}, {"n": [6]}]}), false),
        ] {
            assert_eq!(matches(&json!({"detail": detail}), &event), expected, "{detail}");
        }
        assert!(matches(&json!({}), &event));
    }

    #[test]
    fn a_wrong_pattern_says_where() {
        let refused = |text: &str| Pattern::read(text).unwrap_err().to_string();
        assert_eq!(refused(r#"{"detail": {"role": "admin"}}"#), "`detail.role` is no list of values");
        assert_eq!(
            refused(r#"{"detail": {"role": [{"begins": "a"}]}}"#),
            "`detail.role` has no such test: {\"begins\":\"a\"}"
        );
        assert!(refused("granted").starts_with("the pattern is no JSON"));
    }
}
