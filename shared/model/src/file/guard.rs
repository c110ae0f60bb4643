//! Guards and claims as they are written.

use super::tree::Node;
use super::words::{DraftCondition, Words, entries, templates, text};
use crate::errors::Mistakes;
use crate::source::Located;
use crate::template::Template;

#[derive(Debug)]
pub(crate) struct DraftGuard {
    pub(crate) owner: Located<String>,
    /// Key name of the owner, and the guard's attribute with its value.
    pub(crate) by: Vec<(Located<String>, Located<String>)>,
    pub(crate) writes: Vec<(Located<String>, Located<Template>)>,
    /// How a deleted owner finds the guards that name it, and where the model says so. Without it, claims alone lead
    /// from an owner to its guards.
    pub(crate) find: Option<Located<GuardFind>>,
    /// How owners claim values. Without it, an owner claims the value of the names in the guard's key. Empty: no owner
    /// claims any.
    pub(crate) claims: Option<Vec<DraftClaim>>,
}

/// How a deleted owner finds the guards that name it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum GuardFind {
    /// By a query of a partition or an index.
    Query,
    /// By back-references.
    BackReference,
}

#[derive(Debug)]
pub(crate) struct DraftClaim {
    pub(crate) when: DraftCondition,
    pub(crate) names: Vec<(Located<String>, Located<Template>)>,
    pub(crate) transfer: Option<DraftCondition>,
}

pub(super) fn read_guard(node: &Node, mistakes: &mut Mistakes) -> Option<DraftGuard> {
    let mut words = Words::of(node, "`guard`", mistakes)?;
    let owner = words.text("owner", mistakes);
    if owner.is_none() {
        words.required("owner", "\"User\"", mistakes);
    }
    let mut by = Vec::new();
    for entry in words.get("by").map_or(&[][..], |node| entries(node, "`by`", mistakes)) {
        by.extend(text(&entry.node, mistakes).map(|attribute| (entry.name(), attribute)));
    }
    let writes = words.get("writes").map(|node| templates(node, "`writes`", mistakes)).unwrap_or_default();
    let choices = [("query", GuardFind::Query), ("back-reference", GuardFind::BackReference)];
    let at = words.get("find").map(|node| node.span);
    let find = at.zip(words.choice("find", &choices, mistakes)).map(|(at, find)| Located::new(at, find));
    words.done(&[], mistakes);
    Some(DraftGuard { owner: owner?, by, writes, find, claims: None })
}

pub(super) fn read_claim(node: &Node, mistakes: &mut Mistakes) -> Option<DraftClaim> {
    let mut words = Words::of(node, "a claim", mistakes)?;
    let when = words.condition("when", mistakes);
    let transfer = words.get("transfer").and_then(|node| Words::of(node, "`transfer`", mistakes));
    let transfer = transfer.map(|mut words| {
        let when = words.condition("when", mistakes);
        if when.is_empty() {
            words.required("when", "{ verified = true }", mistakes);
        }
        words.done(&[], mistakes);
        when
    });
    Some(DraftClaim { when, names: words.rest_as_templates(mistakes), transfer })
}
