//! Reads a pattern. It refuses what EventBridge refuses, so that a pattern that works here works in a rule.

use std::path::Path;

use miette::{IntoDiagnostic as _, WrapErr as _, miette};
use serde_json::{Map, Value};

use super::{Affix, Comparison, Field, Pattern, Test, Text};

const HELP: &str =
    "a pattern is JSON such as {\"detail\": {\"metadata\": {\"verb\": [\"granted\"]}}}, or a file with it";

/// EventBridge takes from two branches.
const BRANCHES_MIN: usize = 2;

impl Pattern {
    /// Reads a pattern, or the file that has it.
    ///
    /// # Errors
    /// The text is no pattern.
    pub(in crate::events) fn read(text: &str) -> miette::Result<Self> {
        let is_file = !text.trim_start().starts_with('{') && Path::new(text).is_file();
        let text = if is_file {
            std::fs::read_to_string(text).into_diagnostic().wrap_err_with(|| format!("cannot read `{text}`"))?
        } else {
            text.to_owned()
        };
        match serde_json::from_str(&text) {
            Ok(Value::Object(fields)) => Ok(Self(object(&fields, "")?)),
            Ok(_) => Err(miette!(help = HELP, "the pattern is no object")),
            Err(error) => Err(miette!(help = HELP, "the pattern is no JSON: {error}")),
        }
    }
}

fn object(fields: &Map<String, Value>, above: &str) -> miette::Result<Vec<Field>> {
    if fields.is_empty() {
        let place = if above.is_empty() { "the pattern".to_owned() } else { format!("`{above}`") };
        return Err(miette!(help = HELP, "{place} tests nothing"));
    }
    fields.iter().map(|(name, value)| field(name, value, above)).collect()
}

fn field(name: &str, value: &Value, above: &str) -> miette::Result<Field> {
    let path = if above.is_empty() { name.to_owned() } else { format!("{above}.{name}") };
    if name == "$or" {
        let branches: Vec<_> = value.as_array().into_iter().flatten().filter_map(Value::as_object).collect();
        if branches.len() < BRANCHES_MIN || Some(branches.len()) != value.as_array().map(Vec::len) {
            return Err(miette!(help = HELP, "`{path}` is no list of two or more patterns"));
        }
        return Ok(Field::Or(branches.into_iter().map(|one| object(one, above)).collect::<miette::Result<_>>()?));
    }
    // `a.b` is the field `b` in `a`.
    let (name, inner) = name.split_once('.').map_or((name, None), |(name, inner)| (name, Some(inner)));
    if let Some(inner) = inner {
        let above = if above.is_empty() { name.to_owned() } else { format!("{above}.{name}") };
        return Ok(Field::Inner(name.to_owned(), vec![field(inner, value, &above)?]));
    }
    match value {
        Value::Object(inner) => Ok(Field::Inner(name.to_owned(), object(inner, &path)?)),
        Value::Array(tests) if !tests.is_empty() => {
            let read = |one| test(one).ok_or_else(|| miette!(help = HELP, "`{path}` has no such test: {one}"));
            Ok(Field::Tests(name.to_owned(), tests.iter().map(read).collect::<miette::Result<_>>()?))
        }
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) | Value::Array(_) => {
            Err(miette!(help = "write a list: `[\"admin\"]`", "`{path}` is no list of values"))
        }
    }
}

/// `None`: there is no such test.
fn test(value: &Value) -> Option<Test> {
    let Value::Object(_) = value else {
        return (!value.is_array()).then(|| Test::Same(value.clone()));
    };
    let (operator, argument) = only(value)?;
    match operator {
        "exists" => argument.as_bool().map(Test::Exists),
        "numeric" => numeric(argument.as_array()?).map(Test::Numeric),
        "anything-but" => anything_but(argument).map(Test::AnythingBut),
        _ => text(operator, argument).map(Test::Text),
    }
}

/// The one field of an object.
fn only(value: &Value) -> Option<(&str, &Value)> {
    let fields = value.as_object().filter(|fields| fields.len() == 1)?;
    fields.iter().next().map(|(name, value)| (name.as_str(), value))
}

fn text(operator: &str, argument: &Value) -> Option<Text> {
    match operator {
        "prefix" => affix(argument).map(Text::Prefix),
        "suffix" => affix(argument).map(Text::Suffix),
        "equals-ignore-case" => argument.as_str().map(|text| Text::IgnoreCase(text.to_lowercase())),
        "wildcard" => wildcard(argument.as_str()?).map(Text::Wildcard),
        _ => None,
    }
}

fn affix(argument: &Value) -> Option<Affix> {
    if let Some(text) = argument.as_str() {
        return Some(Affix { text: text.to_owned(), ignores_case: false });
    }
    let ("equals-ignore-case", text) = only(argument)? else { return None };
    Some(Affix { text: text.as_str()?.to_lowercase(), ignores_case: true })
}

/// `\*` is an asterisk, and `\\` a backslash. Two asterisks in a row are refused.
fn wildcard(pattern: &str) -> Option<Vec<String>> {
    let (mut parts, mut part) = (Vec::new(), String::new());
    let mut characters = pattern.chars().peekable();
    while let Some(character) = characters.next() {
        match character {
            '*' if characters.peek() == Some(&'*') => return None,
            '*' => parts.push(std::mem::take(&mut part)),
            '\\' => part.push(characters.next().filter(|next| matches!(next, '*' | '\\'))?),
            _ => part.push(character),
        }
    }
    parts.push(part);
    Some(parts)
}

/// A string or a number, strings or numbers, or an operator of strings with one string or several.
fn anything_but(argument: &Value) -> Option<Vec<Test>> {
    if argument.is_object() {
        let (operator, argument) = only(argument)?;
        let is_affix = matches!(operator, "prefix" | "suffix");
        let one = |argument: &Value| {
            // EventBridge takes no empty affix here.
            let is_wrong = !argument.is_string() || is_affix && argument.as_str() == Some("");
            if is_wrong { None } else { text(operator, argument).map(Test::Text) }
        };
        return match argument {
            Value::Array(all) if !all.is_empty() => all.iter().map(one).collect(),
            Value::Array(_) => None,
            Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) | Value::Object(_) => {
                Some(vec![one(argument)?])
            }
        };
    }
    let all = argument.as_array().map_or_else(|| std::slice::from_ref(argument), Vec::as_slice);
    let is_alike = all.iter().all(Value::is_string) || all.iter().all(Value::is_number);
    (is_alike && !all.is_empty()).then(|| all.iter().cloned().map(Test::Same).collect())
}

/// `["<", 10]`, or a range: `[">", 0, "<=", 5]`.
fn numeric(parts: &[Value]) -> Option<Vec<(Comparison, f64)>> {
    use Comparison::{Greater, GreaterOrEqual, Less, LessOrEqual};
    let read = |operator: &Value, limit: &Value| Some((comparison(operator.as_str()?)?, limit.as_f64()?));
    match parts {
        [operator, limit] => Some(vec![read(operator, limit)?]),
        [from, bottom, to, top] => {
            let (from, to) = (read(from, bottom)?, read(to, top)?);
            let is_range = matches!(from.0, Greater | GreaterOrEqual) && matches!(to.0, Less | LessOrEqual);
            (is_range && from.1 < to.1).then(|| vec![from, to])
        }
        _ => None,
    }
}

fn comparison(operator: &str) -> Option<Comparison> {
    match operator {
        "=" => Some(Comparison::Equal),
        "<" => Some(Comparison::Less),
        "<=" => Some(Comparison::LessOrEqual),
        ">" => Some(Comparison::Greater),
        ">=" => Some(Comparison::GreaterOrEqual),
        _ => None,
    }
}
