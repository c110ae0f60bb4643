//! Reads the template's YAML as JSON. CloudFormation's short forms (`!Ref`) become the long ones, which JSON needs.

use miette::{Result, miette};
use saphyr_parser::{Event, Parser, ScalarStyle, ScanError, Span, StrInput, Tag};
use serde_json::{Map, Number, Value};

/// The value of a YAML text with one document.
///
/// # Errors
/// If the text is no YAML, has a key twice, or has what CloudFormation does not read: an alias.
pub(super) fn read(text: &str) -> Result<Value> {
    let mut reader = Reader { events: Parser::new_from_str(text), line: 0 };
    let mut event = reader.next()?;
    while matches!(event, Event::StreamStart | Event::DocumentStart(_)) {
        event = reader.next()?;
    }
    reader.value(event)
}

/// A value on one line, as the template writes it: texts that name something are quoted, words of CloudFormation are not.
pub(super) fn flow(value: &Value) -> String {
    match value {
        Value::Object(members) if members.is_empty() => "{}".to_owned(),
        Value::Object(members) => {
            let member = |(name, value): (&String, &Value)| format!("{}: {}", word(name), member(name, value));
            format!("{{ {} }}", members.iter().map(member).collect::<Vec<_>>().join(", "))
        }
        Value::Array(values) => format!("[{}]", values.iter().map(flow).collect::<Vec<_>>().join(", ")),
        Value::String(text) => word(text),
        Value::Null | Value::Bool(_) | Value::Number(_) => value.to_string(),
    }
}

/// The value of a member.
pub(super) fn member(name: &str, value: &Value) -> String {
    if value.is_string() && ["AttributeName", "IndexName", "Name"].contains(&name) {
        return value.to_string();
    }
    flow(value)
}

/// A text without quotes, if YAML reads it as that text.
fn word(text: &str) -> String {
    let is_word = text.starts_with(|c: char| c.is_ascii_alphabetic())
        && text.chars().all(|c| c.is_ascii_alphanumeric() || c == '_');
    let means_more = ["true", "false", "null", "yes", "no", "on", "off", "y", "n"];
    if is_word && !means_more.contains(&text.to_ascii_lowercase().as_str()) {
        text.to_owned()
    } else {
        Value::from(text).to_string()
    }
}

struct Reader<'text> {
    events: Parser<'text, StrInput<'text>>,
    /// The line of the last event.
    line: usize,
}

impl<'text> Reader<'text> {
    fn next(&mut self) -> Result<Event<'text>> {
        let next: Option<Result<(Event, Span), ScanError>> = self.events.next();
        let (event, span) = next.ok_or_else(|| self.wrong("it ends too soon"))?.map_err(|error| miette!("{error}"))?;
        self.line = span.start.line();
        Ok(event)
    }

    fn wrong(&self, what: &str) -> miette::Report {
        miette!("line {} of the template: {what}", self.line)
    }

    /// The value that begins with an event.
    fn value(&mut self, event: Event) -> Result<Value> {
        match event {
            Event::Scalar(text, style, _, tag) => Ok(tagged(tag.as_deref(), scalar(&text, style))),
            Event::SequenceStart(_, tag) => Ok(tagged(tag.as_deref(), Value::Array(self.sequence()?))),
            Event::MappingStart(_, tag) => Ok(tagged(tag.as_deref(), Value::Object(self.mapping()?))),
            Event::Alias(_) => Err(self.wrong("CloudFormation reads no aliases")),
            Event::Nothing
            | Event::StreamStart
            | Event::StreamEnd
            | Event::DocumentStart(_)
            | Event::DocumentEnd
            | Event::SequenceEnd
            | Event::MappingEnd => Err(self.wrong("a value is missing")),
        }
    }

    fn sequence(&mut self) -> Result<Vec<Value>> {
        let mut values = Vec::new();
        loop {
            let event = self.next()?;
            if event == Event::SequenceEnd {
                return Ok(values);
            }
            values.push(self.value(event)?);
        }
    }

    fn mapping(&mut self) -> Result<Map<String, Value>> {
        let mut entries = Map::new();
        loop {
            let event = self.next()?;
            if event == Event::MappingEnd {
                return Ok(entries);
            }
            let Event::Scalar(name, ..) = event else { return Err(self.wrong("a key is no text")) };
            let event = self.next()?;
            let value = self.value(event)?;
            if entries.insert(name.clone().into_owned(), value).is_some() {
                return Err(self.wrong(&format!("`{name}` is there twice")));
            }
        }
    }
}

/// A scalar without quotes may be a number, a truth value or null.
fn scalar(text: &str, style: ScalarStyle) -> Value {
    if style != ScalarStyle::Plain {
        return Value::from(text);
    }
    match text {
        "" | "~" | "null" => Value::Null,
        "true" => Value::Bool(true),
        "false" => Value::Bool(false),
        _ => serde_json::from_str::<Number>(text).map_or_else(|_| Value::from(text), Value::Number),
    }
}

/// The long form of a short one: `!Sub x` is `{"Fn::Sub": "x"}`.
fn tagged(tag: Option<&Tag>, value: Value) -> Value {
    let Some(tag) = tag else { return value };
    let (name, value) = match (tag.suffix.as_str(), value) {
        (name @ ("Ref" | "Condition"), value) => (name.to_owned(), value),
        ("GetAtt", Value::String(path)) => {
            let (of, attribute) = path.split_once('.').unwrap_or((&path, ""));
            ("Fn::GetAtt".to_owned(), Value::from(vec![of, attribute]))
        }
        (name, value) => (format!("Fn::{name}"), value),
    };
    Value::Object(Map::from_iter([(name, value)]))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn short_forms_become_long_ones() {
        let text =
            "a: !Ref X\nb: !If [C, !GetAtt Y.Arn, !Sub \"${Z}/*\"]\nc: { d: null, e: 12, f: \"12\", g: rate(1 day) }\n";
        let expected = json!({
            "a": { "Ref": "X" },
            "b": { "Fn::If": ["C", { "Fn::GetAtt": ["Y", "Arn"] }, { "Fn::Sub": "${Z}/*" }] },
            "c": { "d": null, "e": 12, "f": "12", "g": "rate(1 day)" },
        });
        assert_eq!(read(text).unwrap(), expected);
    }

    #[test]
    fn a_value_on_one_line_is_read_as_what_it_was() {
        let value = json!({
            "Name": "true", "Kind": "no", "On": "a: b", "Fn::If": ["C", { "Ref": "AWS::NoValue" }, [true, 1, "1", null]],
            "Text": "it's \"\u{fc}\" # {x}, [y]", "Empty": {}, "None": [], "No": "",
        });
        assert_eq!(read(&format!("a: {}\n", flow(&value))).unwrap(), json!({ "a": value }));
        let entry = json!({ "Name": "note", "AttributeDataType": "String", "Mutable": true });
        assert_eq!(flow(&entry), "{ Name: \"note\", AttributeDataType: String, Mutable: true }");
    }

    #[test]
    fn what_cloudformation_would_not_read_is_refused() {
        for (text, why) in
            [("a: 1\na: 2\n", "`a` is there twice"), ("a: &x 1\nb: *x\n", "aliases"), ("a: [", "expected node content")]
        {
            let refused = read(text).unwrap_err().to_string();
            assert!(refused.contains(why), "{refused}");
        }
    }
}
