//! Formats JSON without changing a value: numbers, strings and escapes keep their text. A parser
//! with its own number types cannot guarantee that.

use serde::de::{Deserialize, Deserializer, MapAccess, SeqAccess, Visitor};
use serde_json::value::RawValue;

/// Objects and arrays without nested ones are on one line up to this width.
const LINE_CHARS: usize = 100;

const INDENT: &str = "  ";

/// JSON as far as its layout matters. Scalars are slices of the text.
enum Tree<'a> {
    Scalar(&'a str),
    Array(Vec<&'a RawValue>),
    Object(Vec<(&'a RawValue, &'a RawValue)>),
}

/// An event with these records, formatted for people and comparable for programs. It ends with a
/// newline.
#[must_use]
pub fn event(records: &[Box<RawValue>]) -> String {
    let mut out = String::from("{\n  \"Records\": [");
    for (place, record) in records.iter().enumerate() {
        out.push_str(if place == 0 { "\n    " } else { ",\n    " });
        write(&mut out, record.get(), 2);
    }
    out.push_str(if records.is_empty() { "]\n}\n" } else { "\n  ]\n}\n" });
    out
}

fn write(out: &mut String, text: &str, depth: usize) {
    if let Some(line) = one_line(text) {
        out.push_str(&line);
        return;
    }
    match tree(text) {
        Tree::Scalar(text) => out.push_str(text),
        Tree::Array(values) => block(out, ('[', ']'), &values, depth, |out, value| write(out, value.get(), depth + 1)),
        Tree::Object(members) => block(out, ('{', '}'), &members, depth, |out, (key, value)| {
            out.push_str(key.get());
            out.push_str(": ");
            write(out, value.get(), depth + 1);
        }),
    }
}

fn block<T>(out: &mut String, ends: (char, char), of: &[T], depth: usize, mut each: impl FnMut(&mut String, &T)) {
    out.push(ends.0);
    for (place, one) in of.iter().enumerate() {
        out.push_str(if place == 0 { "\n" } else { ",\n" });
        out.push_str(&INDENT.repeat(depth + 1));
        each(out, one);
    }
    out.push('\n');
    out.push_str(&INDENT.repeat(depth));
    out.push(ends.1);
}

/// The value on one line, if it is short enough and not nested.
fn one_line(text: &str) -> Option<String> {
    let flat = |value: &&RawValue| !value.get().starts_with(['{', '[']);
    let line = match tree(text) {
        Tree::Scalar(text) => return Some(text.to_owned()),
        Tree::Array(values) if values.iter().all(flat) => {
            format!("[{}]", values.iter().map(|value| value.get()).collect::<Vec<_>>().join(", "))
        }
        // One more level is allowed, because `{"L": [{"S": "a"}]}` would need five lines. An image
        // has a line for each attribute.
        Tree::Object(members) if matches!(&members[..], [_]) || members.iter().all(|(_, value)| flat(value)) => {
            let mut parts = Vec::new();
            for (key, value) in &members {
                parts.push(format!("{}: {}", key.get(), one_line(value.get())?));
            }
            if parts.is_empty() { "{}".to_owned() } else { format!("{{ {} }}", parts.join(", ")) }
        }
        Tree::Array(_) | Tree::Object(_) => return None,
    };
    (line.chars().count() <= LINE_CHARS).then_some(line)
}

fn tree(text: &str) -> Tree<'_> {
    let text = text.trim();
    // The text of a RawValue is valid JSON. If it does not parse as an object, it is another type.
    serde_json::from_str(text).unwrap_or(Tree::Scalar(text))
}

impl<'de: 'a, 'a> Deserialize<'de> for Tree<'a> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Build;
        impl<'de> Visitor<'de> for Build {
            type Value = Tree<'de>;

            fn expecting(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.write_str("an object or an array")
            }

            fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<Self::Value, A::Error> {
                let mut values = Vec::new();
                while let Some(value) = seq.next_element()? {
                    values.push(value);
                }
                Ok(Tree::Array(values))
            }

            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Self::Value, A::Error> {
                let mut members = Vec::new();
                while let Some(member) = map.next_entry()? {
                    members.push(member);
                }
                Ok(Tree::Object(members))
            }
        }
        deserializer.deserialize_any(Build)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn raw(text: &str) -> Box<RawValue> {
        RawValue::from_string(text.to_owned()).unwrap()
    }

    #[test]
    fn no_value_changes() {
        let text = r#"{"a":{"N":"1E+2"},"t":1700000000.10,"u":"\u00e9\/","e":{},"l":{"L":[]},"e":{"SS":["x","y"]}}"#;
        let out = event(&[raw(text)]);
        assert_eq!(
            out,
            concat!(
                "{\n  \"Records\": [\n    {\n      \"a\": { \"N\": \"1E+2\" },\n      \"t\": 1700000000.10,\n",
                "      \"u\": \"\\u00e9\\/\",\n      \"e\": {},\n      \"l\": { \"L\": [] },\n",
                "      \"e\": { \"SS\": [\"x\", \"y\"] }\n    }\n  ]\n}\n"
            )
        );
        assert!(serde_json::from_str::<serde_json::Value>(&out).is_ok());
    }

    #[test]
    fn laying_out_again_changes_nothing() {
        let text =
            r#"{"dynamodb":{"Keys":{"pk":{"S":"a"},"sk":{"S":"b"}},"m":{"M":{"x":{"L":[{"S":"1"},{"S":"2"}]}}}}}"#;
        let once = event(&[raw(text), raw("{}")]);
        let records: serde_json::Map<String, serde_json::Value> = serde_json::from_str(&once).unwrap();
        assert_eq!(records["Records"][0], serde_json::from_str::<serde_json::Value>(text).unwrap());
        #[derive(serde::Deserialize)]
        struct Event {
            #[serde(rename = "Records")]
            records: Vec<Box<RawValue>>,
        }
        let again: Event = serde_json::from_str(&once).unwrap();
        assert_eq!(event(&again.records), once);
        assert_eq!(event(&[]), "{\n  \"Records\": []\n}\n");
    }
}
