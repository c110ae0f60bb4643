//! JSON as the engine sees it: an object's fields in their order, and an event as the values of its paths.

use std::fmt;

use serde::de::{Deserialize, Deserializer, MapAccess, Visitor};
use serde_json::Value;
use serde_json::value::RawValue;

use super::Elements;

/// The fields of an object, in their order, also those whose name comes twice, each with its value's text. The
/// text of a number says more than a double.
pub(crate) struct Fields<'t>(pub(crate) Vec<(String, &'t RawValue)>);

/// A value of an event, at a path.
pub(crate) struct Field {
    pub(crate) path: String,
    pub(crate) leaf: Leaf,
    pub(crate) elements: Elements,
}

/// A value that is no object and no list.
#[derive(Debug)]
pub(crate) enum Leaf {
    Text(String),
    Number {
        text: String,
        /// `None`: a double would be another number.
        value: Option<f64>,
    },
    /// `true`, `false` or `null`.
    Word(String),
}

impl Leaf {
    /// A number by its text.
    pub(crate) fn of_number(text: &str) -> Self {
        let value = text.parse::<f64>().ok().filter(|value| value.is_finite());
        let value = value.filter(|value| decimal(text) == decimal(&format!("{value:e}")));
        Self::Number { text: text.to_owned(), value }
    }

    fn of(value: &Value) -> Option<Self> {
        match value {
            Value::Null | Value::Bool(_) => Some(Self::Word(value.to_string())),
            Value::Number(number) => Some(Self::of_number(&number.to_string())),
            Value::String(text) => Some(Self::Text(text.clone())),
            Value::Array(_) | Value::Object(_) => None,
        }
    }

    /// A value by its JSON. `None`: it is an object or a list.
    pub(crate) fn read(json: &str) -> Option<Self> {
        if json.starts_with(|first: char| first == '-' || first.is_ascii_digit()) {
            return Some(Self::of_number(json));
        }
        serde_json::from_str(json).ok().as_ref().and_then(Self::of)
    }

    pub(crate) fn text(&self) -> Option<&str> {
        match self {
            Self::Text(text) => Some(text),
            Self::Number { .. } | Self::Word(_) => None,
        }
    }

    pub(crate) fn number(&self) -> Option<f64> {
        match self {
            Self::Number { value, .. } => *value,
            Self::Text(_) | Self::Word(_) => None,
        }
    }

    /// Numbers that doubles cannot tell apart are compared by their texts.
    pub(crate) fn is_same(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::Text(one), Self::Text(other)) | (Self::Word(one), Self::Word(other)) => one == other,
            (Self::Number { text: one, value }, Self::Number { text: other, value: of_other }) => {
                value.zip(*of_other).map_or(one == other, |(one, other)| one == other)
            }
            (Self::Text(_) | Self::Number { .. } | Self::Word(_), _) => false,
        }
    }
}

/// The sign, the digits without zeros at the ends, and the exponent of a number.
fn decimal(text: &str) -> Option<(bool, String, i64)> {
    let (sign, text) = text.strip_prefix('-').map_or((false, text), |text| (true, text));
    let (digits, exponent) = text.split_once(['e', 'E']).unwrap_or((text, "0"));
    let (whole, fraction) = digits.split_once('.').unwrap_or((digits, ""));
    let digits = format!("{whole}{fraction}");
    let kept = digits.trim_end_matches('0');
    let places = i64::try_from(digits.len() - kept.len()).ok()? - i64::try_from(fraction.len()).ok()?;
    let kept = kept.trim_start_matches('0');
    if kept.is_empty() {
        return Some((false, String::new(), 0));
    }
    Some((sign, kept.to_owned(), exponent.parse::<i64>().ok()?.checked_add(places)?))
}

/// The values of an event.
pub(crate) fn fields(event: &Value) -> Vec<Field> {
    let mut found = Found { fields: Vec::new(), lists: 0 };
    found.add("", event, &Elements::new());
    found.fields
}

struct Found {
    fields: Vec<Field>,
    lists: usize,
}

impl Found {
    fn add(&mut self, path: &str, value: &Value, elements: &Elements) {
        match value {
            Value::Object(inner) => {
                // The engine skips a field whose name is empty.
                for (name, value) in inner.iter().filter(|(name, _)| !name.is_empty()) {
                    let path = if path.is_empty() { name.clone() } else { format!("{path}.{name}") };
                    self.add(&path, value, elements);
                }
            }
            Value::Array(inner) => {
                let list = self.lists;
                self.lists += 1;
                for (place, value) in inner.iter().enumerate() {
                    let mut elements = elements.clone();
                    // A value in a list of values is that of the field: it is in no element.
                    if value.is_object() || value.is_array() {
                        elements.insert(list, place);
                    }
                    self.add(path, value, &elements);
                }
            }
            Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {
                let field =
                    Leaf::of(value).map(|leaf| Field { path: path.to_owned(), leaf, elements: elements.clone() });
                self.fields.extend(field);
            }
        }
    }
}

impl<'t> Deserialize<'t> for Fields<'t> {
    fn deserialize<D: Deserializer<'t>>(deserializer: D) -> Result<Self, D::Error> {
        struct Reader;
        impl<'t> Visitor<'t> for Reader {
            type Value = Fields<'t>;

            fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
                formatter.write_str("an object")
            }

            fn visit_map<A: MapAccess<'t>>(self, mut map: A) -> Result<Fields<'t>, A::Error> {
                let mut fields = Vec::new();
                while let Some(field) = map.next_entry()? {
                    fields.push(field);
                }
                Ok(Fields(fields))
            }
        }
        deserializer.deserialize_map(Reader)
    }
}
