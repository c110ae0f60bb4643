//! The facts, read from `aws.json`.

use std::collections::{BTreeMap, HashMap};
use std::sync::LazyLock;

use regex::Regex;
use serde::Deserialize;

/// The generated file.
#[derive(Debug, Deserialize)]
struct Data {
    services: HashMap<String, Service>,
}

/// The constraints of one service.
#[derive(Debug, Deserialize)]
pub(crate) struct Service {
    /// The shape of each operation's request. `None` if nothing constrains it.
    pub(crate) operations: BTreeMap<String, Option<String>>,
    /// The shapes that have a constraint, or have a part with one, by their names.
    pub(crate) shapes: HashMap<String, Shape>,
}

/// What a value must be.
#[derive(Debug, Deserialize)]
pub(crate) struct Shape {
    #[serde(rename = "type")]
    pub(crate) kind: Type,
    /// The members of a structure that must be there.
    #[serde(default)]
    pub(crate) required: Vec<String>,
    /// The least length of a string, a list or a map, or the least number.
    pub(crate) min: Option<i64>,
    /// The greatest.
    pub(crate) max: Option<i64>,
    pub(crate) pattern: Option<Pattern>,
    #[serde(default, rename = "enum")]
    pub(crate) values: Vec<String>,
    /// Errors do not repeat the value.
    #[serde(default)]
    pub(crate) sensitive: bool,
    /// The shapes of the members of a structure, of those that have constraints.
    #[serde(default)]
    pub(crate) members: HashMap<String, String>,
    /// The shape of the elements of a list.
    pub(crate) of: Option<String>,
    /// The shapes of the keys and of the values of a map.
    pub(crate) key: Option<String>,
    pub(crate) value: Option<String>,
}

/// The type of a value.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Type {
    Structure,
    List,
    Map,
    String,
    Number,
}

/// A regular expression that the whole value must match.
#[derive(Debug, Deserialize)]
#[serde(try_from = "String")]
pub(crate) struct Pattern {
    /// As AWS writes it.
    pub(crate) text: String,
    pub(crate) whole: Regex,
}

impl TryFrom<String> for Pattern {
    type Error = regex::Error;

    fn try_from(text: String) -> Result<Self, regex::Error> {
        // AWS's expressions are Java's, in which `\w` is ASCII.
        let whole = Regex::new(&format!("^(?:{})$", text.replace(r"\w", "A-Za-z0-9_")))?;
        Ok(Self { text, whole })
    }
}

/// The constraints of the service whose targets have this prefix.
pub(crate) fn service(prefix: &str) -> Option<&'static Service> {
    // The file is part of this crate, and a test reads it. Without it every request is refused.
    static DATA: LazyLock<Option<Data>> = LazyLock::new(|| serde_json::from_str(include_str!("aws.json")).ok());
    DATA.as_ref()?.services.get(prefix)
}

impl Service {
    /// A shape by its name. `None` for one without constraints.
    pub(crate) fn shape(&self, name: Option<&String>) -> Option<&Shape> {
        self.shapes.get(name?)
    }
}
