//! References of an item type to others.

use std::collections::BTreeMap;

use super::tree::{Node, NodeValue};
use super::words::{DraftCondition, Words, one_or_more, template, text, unknown_word};
use crate::errors::{Mistake, Mistakes};
use crate::model::UserValue;
use crate::source::Located;
use crate::template::Template;

/// A reference to an item type or a `oneof`.
#[derive(Debug, Clone)]
pub(crate) struct Reference {
    pub(crate) to: Located<String>,
    /// The other item must exist; `?` after the name says that it need not.
    pub(crate) needed: bool,
    pub(crate) find: Option<FindWord>,
    /// The reference counts only while this holds, and where the condition is written.
    pub(crate) when: Option<Located<DraftCondition>>,
    /// The attributes in which the item says when it was written.
    pub(crate) written: Vec<Located<String>>,
    /// The key names of the other item that the reference gives.
    pub(crate) names: Vec<(Located<String>, Located<Template>)>,
}

impl Reference {
    /// Whether another reference leads to the same item in the same way.
    pub(crate) fn leads_as(&self, other: &Self) -> bool {
        let names = |reference: &Self| -> BTreeMap<String, String> {
            reference.names.iter().map(|(name, text)| (name.value.clone(), text.value.to_string())).collect()
        };
        self.to.value == other.to.value && self.when.is_some() == other.when.is_some() && names(self) == names(other)
    }
}

/// How the other item finds its dependents, if the model says so.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum FindWord {
    BackReference,
    Sweep,
}

/// A scope or a Cognito group: that of an item, or only a value.
#[derive(Debug)]
pub(crate) enum DraftScope {
    Item(Reference),
    Value(Located<Template>),
}

pub(super) fn references(node: &Node, mistakes: &mut Mistakes) -> Vec<Reference> {
    one_or_more(node).into_iter().filter_map(|node| reference(node, mistakes)).collect()
}

/// `"User"`, `"Scope?"`, or `{ type = "User", find = "sweep", user_id = "{owner_id}" }`.
pub(crate) fn reference(node: &Node, mistakes: &mut Mistakes) -> Option<Reference> {
    let (to, find, when, written, names) = if let NodeValue::Table(_) = node.value {
        let mut words = Words::of(node, "a reference", mistakes)?;
        let Some(to) = words.text("type", mistakes) else {
            words.required("type", "\"the item type referred to\"", mistakes);
            return None;
        };
        let choices = [("back-reference", FindWord::BackReference), ("sweep", FindWord::Sweep)];
        let find = words.choice("find", &choices, mistakes);
        let at = words.get("when").map(|node| node.span);
        let when = at.map(|at| Located::new(at, words.condition("when", mistakes)));
        // The remaining words map key names of the other item. They are checked when all item types
        // are known.
        let written = words.texts("written", mistakes);
        (to, find, when, written, words.rest_as_templates(mistakes))
    } else {
        (text(node, mistakes)?, None, None, Vec::new(), Vec::new())
    };
    if to.value == UserValue::TYPE {
        mistakes.add(no_such_type(&to, &[]));
        return None;
    }
    let needed = !to.value.ends_with('?');
    let to = Located::new(to.span, to.value.trim_end_matches('?').to_owned());
    Some(Reference { to, needed, find, when, written, names })
}

/// A string with a name in it is a value. Any other string, and a table, refer to an item.
pub(super) fn item_or_value(node: &Node, mistakes: &mut Mistakes) -> Option<DraftScope> {
    if is_template(node) {
        template(node, mistakes).map(DraftScope::Value)
    } else {
        reference(node, mistakes).map(DraftScope::Item)
    }
}

/// Whether a string has a name in it.
pub(super) fn is_template(node: &Node) -> bool {
    matches!(&node.value, NodeValue::Text(text) if text.contains(['{', '}']))
}

/// A reference to an item type that does not exist.
pub(crate) fn no_such_type(to: &Located<String>, known: &[&str]) -> Mistake {
    unknown_word(&to.value, to.span, "not an item type of this model", known)
}
