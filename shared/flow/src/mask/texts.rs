//! The values of secret attributes, which may also stand in other attributes: in an index key, a link, a log entry.

use std::collections::BTreeSet;

use instep_model::{Item, Model, Value as InstepValue};
use serde_json::Value;

/// The shortest value that is looked for elsewhere. A shorter one stands in many texts by chance.
const LOOKED_FOR_CHARS: usize = 4;

/// The values of the secret attributes of one record or item, in lower case.
#[derive(Debug, Default)]
pub(super) struct SecretTexts(BTreeSet<String>);

impl SecretTexts {
    pub(super) fn of_items<'a>(model: &Model, items: impl IntoIterator<Item = &'a Item>) -> Self {
        let secret = |item: &'a Item| item.iter().filter(|(name, _)| model.secret.contains(*name));
        let mut found = Self::default();
        for (_, value) in items.into_iter().flat_map(secret) {
            found.add(&serde_json::to_value(value).unwrap_or_default());
        }
        found
    }

    pub(super) fn of_images<'a>(model: &Model, images: impl Iterator<Item = &'a Value>) -> Self {
        let mut found = Self::default();
        for (_, value) in images.filter_map(Value::as_object).flatten().filter(|(name, _)| model.secret.contains(*name))
        {
            found.add(value);
        }
        found
    }

    fn add(&mut self, value: &Value) {
        each_text(value, Names::Skipped, &mut |text| {
            if text.chars().count() >= LOOKED_FOR_CHARS {
                self.0.insert(text.to_lowercase());
            }
        });
    }

    /// Whether one of them stands in a value, in upper or lower case.
    pub(super) fn stand_in_json(&self, value: &Value) -> bool {
        let mut stand = false;
        each_text(value, Names::Included, &mut |text| stand |= self.stand_in_text(text));
        stand
    }

    /// Whether one of them stands in a value, in upper or lower case.
    pub(super) fn stand_in(&self, value: &InstepValue) -> bool {
        !self.0.is_empty() && serde_json::to_value(value).is_ok_and(|value| self.stand_in_json(&value))
    }

    fn stand_in_text(&self, text: &str) -> bool {
        if self.0.is_empty() {
            return false;
        }
        let text = text.to_lowercase();
        self.0.iter().any(|secret| text.contains(secret.as_str()))
    }
}

/// Whether the names in maps count as texts. No name is secret, but a secret may be used as a name.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Names {
    Included,
    Skipped,
}

/// Calls `found` with each text of a typed attribute value.
fn each_text(value: &Value, names: Names, found: &mut impl FnMut(&str)) {
    // INVARIANT 8: DynamoDB nests 32 levels at most, and serde_json refuses more than 128.
    for (tag, value) in value.as_object().into_iter().flatten() {
        match (tag.as_str(), value) {
            ("M", Value::Object(values)) => {
                for (name, value) in values {
                    if names == Names::Included {
                        found(name);
                    }
                    each_text(value, names, found);
                }
            }
            ("L", Value::Array(values)) => values.iter().for_each(|value| each_text(value, names, found)),
            (_, Value::Array(texts)) => texts.iter().filter_map(Value::as_str).for_each(&mut *found),
            (_, Value::String(text)) => found(text),
            (_, Value::Object(_) | Value::Null | Value::Bool(_) | Value::Number(_)) => {}
        }
    }
}
