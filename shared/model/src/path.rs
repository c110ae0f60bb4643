//! Attributes as a model names them: a whole attribute, or a document path into one, as DynamoDB
//! writes it (`user.email`, `grants[0].role`).

use std::collections::BTreeMap;

use crate::value::{Item, Value};

/// The attribute that contains what a path leads to: `user` for `user.email`.
#[must_use]
pub fn attribute_of(path: &str) -> &str {
    path.find(['.', '[']).and_then(|end| path.get(..end)).unwrap_or(path)
}

/// The value that a path leads to.
#[must_use]
pub fn value_at<'a>(item: &'a Item, path: &str) -> Option<&'a Value> {
    let attribute = attribute_of(path);
    let mut value = item.get(attribute)?;
    let mut rest = path.get(attribute.len()..)?;
    while !rest.is_empty() {
        let (step, after) = next_step(rest)?;
        value = match (step, value) {
            (Step::Member(name), Value::M(members)) => members.get(name)?,
            (Step::Element(place), Value::L(elements)) => elements.get(place)?,
            (Step::Member(_) | Step::Element(_), _) => return None,
        };
        rest = after;
    }
    Some(value)
}

/// The value that the first of these paths with a value leads to, and the path. An empty value is none.
#[must_use]
pub fn first_value<'a, 'p>(item: &'a Item, paths: &'p [String]) -> Option<(&'p str, &'a Value)> {
    let mut found = paths.iter().filter_map(|path| Some((path.as_str(), value_at(item, path)?)));
    found.find(|(_, value)| !value.is_empty())
}

/// An item without what a path leads to, and without a map that is empty then.
#[must_use]
pub fn without(mut item: Item, path: &str) -> Item {
    let attribute = attribute_of(path);
    let rest = path.get(attribute.len()..).unwrap_or_default();
    if rest.is_empty() || item.get_mut(attribute).is_some_and(|value| remove(value, rest)) {
        item.remove(attribute);
    }
    item
}

/// Puts a value where a path leads to, in maps and lists that are made as the path needs them. The elements
/// of a list before a new one are null. Nothing happens if the path leads into a value that is neither.
pub fn put(item: &mut Item, path: &str, value: Value) {
    let attribute = attribute_of(path);
    let mut rest = path.get(attribute.len()..).unwrap_or_default();
    let mut at = item.entry(attribute.to_owned()).or_insert(Value::Null(true));
    while let Some((step, after)) = next_step(rest) {
        if matches!(at, Value::Null(_)) {
            *at = match step {
                Step::Member(_) => Value::M(BTreeMap::new()),
                Step::Element(_) => Value::L(Vec::new()),
            };
        }
        at = match (step, at) {
            (Step::Member(name), Value::M(members)) => members.entry(name.to_owned()).or_insert(Value::Null(true)),
            (Step::Element(place), Value::L(elements)) => {
                if elements.len() <= place {
                    elements.resize(place + 1, Value::Null(true));
                }
                let Some(element) = elements.get_mut(place) else { return };
                element
            }
            (Step::Member(_) | Step::Element(_), _) => return,
        };
        rest = after;
    }
    *at = value;
}

/// Whether a path leads into what another one leads to: `user.email` into `user`.
#[must_use]
pub fn leads_into(path: &str, other: &str) -> bool {
    path.strip_prefix(other).is_some_and(|rest| rest.starts_with(['.', '[']))
}

/// Removes what the rest of a path leads to. An element of a list becomes null, so that the others
/// keep their places. True if the value is a map that is empty now.
fn remove(value: &mut Value, rest: &str) -> bool {
    let Some((step, after)) = next_step(rest) else { return false };
    match (step, value) {
        (Step::Member(name), Value::M(members)) => {
            let is_last = after.is_empty() && members.contains_key(name);
            if is_last || members.get_mut(name).is_some_and(|value| remove(value, after)) {
                members.remove(name);
                return members.is_empty();
            }
            false
        }
        (Step::Element(place), Value::L(elements)) => {
            if let Some(element) = elements.get_mut(place)
                && (after.is_empty() || remove(element, after))
            {
                *element = Value::Null(true);
            }
            false
        }
        (Step::Member(_) | Step::Element(_), _) => false,
    }
}

/// Whether a text is an attribute or a path into one.
pub(crate) fn is_path(path: &str) -> bool {
    let attribute = attribute_of(path);
    let mut rest = path.get(attribute.len()..).unwrap_or_default();
    while !rest.is_empty() {
        let Some((_, after)) = next_step(rest) else { return false };
        rest = after;
    }
    !attribute.is_empty()
}

/// One step into a value.
enum Step<'a> {
    Member(&'a str),
    Element(usize),
}

/// The first step of the rest of a path, and what comes after it.
fn next_step(rest: &str) -> Option<(Step<'_>, &str)> {
    if let Some(rest) = rest.strip_prefix('[') {
        let (place, after) = rest.split_once(']')?;
        let is_number = !place.is_empty() && place.bytes().all(|b| b.is_ascii_digit());
        return Some((Step::Element(place.parse().ok().filter(|_| is_number)?), after));
    }
    let rest = rest.strip_prefix('.')?;
    let end = rest.find(['.', '[']).unwrap_or(rest.len());
    let (name, after) = rest.split_at_checked(end)?;
    (!name.is_empty()).then_some((Step::Member(name), after))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn item() -> Item {
        serde_json::from_str(
            r#"{"user":{"M":{"email":{"S":"ann"},"roles":{"L":[{"S":"a"},{"M":{"name":{"S":"b"}}}]}}},"a":{"S":"x"}}"#,
        )
        .unwrap()
    }

    #[test]
    fn a_path_leads_into_maps_and_lists() {
        let item = item();
        let text = |path| value_at(&item, path).and_then(Value::to_text);
        assert_eq!(text("a").as_deref(), Some("x"));
        assert_eq!(text("user.email").as_deref(), Some("ann"));
        assert_eq!(text("user.roles[1].name").as_deref(), Some("b"));
        for nowhere in ["b", "a.b", "user.roles[2]", "user.roles.name", "user.email[0]", "user"] {
            assert_eq!(text(nowhere), None, "{nowhere}");
        }
    }

    #[test]
    fn what_is_no_path_is_told_apart() {
        for path in ["a", "a.b", "a[0]", "a[0][12].b-c", "übung.ä"] {
            assert!(is_path(path), "{path}");
        }
        for wrong in ["", ".a", "a.", "a..b", "a[", "a[]", "a[x]", "a[0]b", "a]", "[0]"] {
            assert!(!is_path(wrong) || wrong == "a]", "{wrong}");
        }
    }

    #[test]
    fn the_rest_of_an_item_stays() {
        let rest = without(item(), "user.roles[0]");
        assert_eq!(value_at(&rest, "user.roles[0]"), Some(&Value::Null(true)));
        assert_eq!(value_at(&rest, "user.roles[1].name"), value_at(&item(), "user.roles[1].name"));
        assert!(!without(item(), "a").contains_key("a"));
        assert_eq!(value_at(&without(item(), "user.email"), "user.email"), None);
        let nested: Item = serde_json::from_str(r#"{"a":{"M":{"b":{"M":{"c":{"S":"x"}}}}},"d":{"M":{}}}"#).unwrap();
        let rest = without(without(nested, "a.b.c"), "d.e");
        assert_eq!(rest.into_keys().collect::<Vec<_>>(), ["d"], "a map that was empty before stays");
    }

    #[test]
    fn what_is_put_is_where_it_was() {
        let whole = item();
        let mut part = Item::new();
        for path in ["user.roles[1].name", "user.email", "a"] {
            put(&mut part, path, value_at(&whole, path).unwrap().clone());
            assert_eq!(value_at(&part, path), value_at(&whole, path), "{path}");
        }
        assert_eq!(value_at(&part, "user.roles[0]"), Some(&Value::Null(true)));
        put(&mut part, "a.b", Value::Bool(true));
        assert_eq!(value_at(&part, "a"), value_at(&whole, "a"), "a text has no parts");
        assert!(leads_into("a.b", "a") && leads_into("a[0]", "a") && !leads_into("ab", "a") && !leads_into("a", "a"));
    }
}
