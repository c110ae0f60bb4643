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
    pub(crate) kind: ShapeType,
    /// The members of a structure that must be there.
    #[serde(default)]
    pub(crate) required: Vec<String>,
    /// The least length of a string, a list or a map, or the least number.
    pub(crate) min: Option<i64>,
    /// The greatest.
    pub(crate) max: Option<i64>,
    pub(crate) pattern: Option<ValuePattern>,
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
    /// Nothing in a request of up to so many bytes violates the shape: its parts have greatest lengths alone.
    #[serde(skip, default = "everything")]
    pub(crate) harmless: usize,
}

const fn everything() -> usize {
    usize::MAX
}

impl Shape {
    fn parts(&self) -> impl Iterator<Item = &String> {
        self.members.values().chain(&self.of).chain(&self.key).chain(&self.value)
    }

    /// As `harmless`, without the parts.
    fn own_harmless(&self) -> usize {
        let is_short_wrong = !self.required.is_empty()
            || self.min.is_some_and(|min| min > 0)
            || self.pattern.is_some()
            || !self.values.is_empty()
            || self.kind == ShapeType::Number;
        let max = self.max.map_or(usize::MAX, |max| usize::try_from(max).unwrap_or(0));
        if is_short_wrong { 0 } else { max }
    }
}

/// The type of a value.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum ShapeType {
    Structure,
    List,
    Map,
    String,
    Number,
}

/// A regular expression that the whole value must match.
#[derive(Debug, Deserialize)]
#[serde(try_from = "String")]
pub(crate) struct ValuePattern {
    /// As AWS writes it.
    pub(crate) text: String,
    pub(crate) whole: Regex,
}

impl TryFrom<String> for ValuePattern {
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
    static DATA: LazyLock<Option<Data>> = LazyLock::new(|| {
        let mut data: Data = serde_json::from_str(include_str!("aws.json")).ok()?;
        data.services.values_mut().for_each(Service::measure);
        Some(data)
    });
    DATA.as_ref()?.services.get(prefix)
}

impl Service {
    /// Finds up to which size a request can be read without a look at a shape. Shapes contain each other, so it repeats
    /// until nothing changes.
    fn measure(&mut self) {
        loop {
            let part = |name: &String| self.shapes.get(name).map_or(usize::MAX, |part| part.harmless);
            let least = |shape: &Shape| shape.parts().map(part).fold(shape.own_harmless(), usize::min);
            let measured: Vec<usize> = self.shapes.values().map(least).collect();
            let mut is_changed = false;
            for (shape, harmless) in self.shapes.values_mut().zip(measured) {
                is_changed |= shape.harmless != harmless;
                shape.harmless = harmless;
            }
            if !is_changed {
                return;
            }
        }
    }

    /// A shape by its name. `None` for one without constraints.
    pub(crate) fn shape(&self, name: Option<&String>) -> Option<&Shape> {
        self.shapes.get(name?)
    }
}
