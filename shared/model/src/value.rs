//! DynamoDB attribute values, in DynamoDB's own JSON, without loss.

use std::borrow::Cow;
use std::collections::BTreeMap;

use crate::number::Number;
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// A DynamoDB item: attribute names and values.
pub type Item = BTreeMap<String, Value>;

/// One attribute value, spelled in JSON as DynamoDB spells it (`{"S": "text"}`).
///
/// Numbers stay text: DynamoDB's have up to 38 digits, and a float has fewer.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub enum Value {
    /// Text.
    S(String),
    /// A number, as its digits.
    N(String),
    /// Bytes, base64 in JSON.
    B(Bytes),
    /// A boolean.
    #[serde(rename = "BOOL")]
    Bool(bool),
    /// Null. DynamoDB always writes the flag as `true`.
    #[serde(rename = "NULL")]
    Null(bool),
    /// A list.
    L(Vec<Value>),
    /// A map.
    M(BTreeMap<String, Value>),
    /// A set of texts.
    #[serde(rename = "SS")]
    Ss(Vec<String>),
    /// A set of numbers.
    #[serde(rename = "NS")]
    Ns(Vec<String>),
    /// A set of bytes.
    #[serde(rename = "BS")]
    Bs(Vec<Bytes>),
}

impl Value {
    /// The text of a string value.
    #[must_use]
    pub fn as_s(&self) -> Option<&str> {
        match self {
            Self::S(text) => Some(text),
            Self::N(_)
            | Self::B(_)
            | Self::Bool(_)
            | Self::Null(_)
            | Self::L(_)
            | Self::M(_)
            | Self::Ss(_)
            | Self::Ns(_)
            | Self::Bs(_) => None,
        }
    }

    /// A string, or a list or set of strings. `None` for any other value.
    #[must_use]
    pub fn texts(&self) -> Option<Vec<String>> {
        match self {
            Self::S(text) => Some(vec![text.clone()]),
            Self::Ss(texts) => Some(texts.clone()),
            Self::L(values) => values.iter().map(|value| value.as_s().map(str::to_owned)).collect(),
            Self::Null(_) => Some(Vec::new()),
            Self::N(_) | Self::B(_) | Self::Bool(_) | Self::M(_) | Self::Ns(_) | Self::Bs(_) => None,
        }
    }

    /// Whether it counts as absent: null, an empty text, or a list or set of none.
    #[must_use]
    pub const fn is_empty(&self) -> bool {
        match self {
            Self::Null(_) => true,
            Self::S(text) => text.is_empty(),
            Self::L(values) => values.is_empty(),
            Self::Ss(texts) => texts.is_empty(),
            Self::N(_) | Self::B(_) | Self::Bool(_) | Self::M(_) | Self::Ns(_) | Self::Bs(_) => false,
        }
    }

    /// Whether DynamoDB takes two values for the same: numbers by their value, sets in any order.
    #[must_use]
    pub fn is_same(&self, other: &Self) -> bool {
        let number = |one: &str, other: &str| Number::parse(one) == Number::parse(other);
        match (self, other) {
            (Self::N(one), Self::N(other)) => one == other || number(one, other),
            (Self::Ns(one), Self::Ns(other)) => {
                one.len() == other.len() && one.iter().all(|one| other.iter().any(|other| number(one, other)))
            }
            (Self::Ss(one), Self::Ss(other)) => one.len() == other.len() && one.iter().all(|one| other.contains(one)),
            (Self::Bs(one), Self::Bs(other)) => one.len() == other.len() && one.iter().all(|one| other.contains(one)),
            (Self::L(one), Self::L(other)) => {
                one.len() == other.len() && one.iter().zip(other).all(|(one, other)| one.is_same(other))
            }
            (Self::M(one), Self::M(other)) => {
                let same = |(name, one): (&String, &Self)| other.get(name).is_some_and(|other| one.is_same(other));
                one.len() == other.len() && one.iter().all(same)
            }
            (_, _) => self == other,
        }
    }

    /// DynamoDB's name for this value's type (`S`, `N`, `BOOL` …).
    #[must_use]
    pub const fn type_name(&self) -> &'static str {
        match self {
            Self::S(_) => "S",
            Self::N(_) => "N",
            Self::B(_) => "B",
            Self::Bool(_) => "BOOL",
            Self::Null(_) => "NULL",
            Self::L(_) => "L",
            Self::M(_) => "M",
            Self::Ss(_) => "SS",
            Self::Ns(_) => "NS",
            Self::Bs(_) => "BS",
        }
    }

    /// The value as the text that a template renders: strings, numbers and booleans; nothing else.
    #[must_use]
    pub fn to_text(&self) -> Option<Cow<'_, str>> {
        match self {
            Self::S(text) | Self::N(text) => Some(Cow::from(text)),
            Self::Bool(flag) => Some(Cow::from(if *flag { "true" } else { "false" })),
            Self::B(_) | Self::Null(_) | Self::L(_) | Self::M(_) | Self::Ss(_) | Self::Ns(_) | Self::Bs(_) => None,
        }
    }
}

/// Bytes, base64 in JSON.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Bytes(pub Vec<u8>);

impl Serialize for Bytes {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(&STANDARD.encode(&self.0))
    }
}

impl<'de> Deserialize<'de> for Bytes {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = String::deserialize(deserializer)?;
        STANDARD.decode(text).map(Self).map_err(serde::de::Error::custom)
    }
}
