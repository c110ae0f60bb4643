//! Edges and grants as they are written.

use super::answers::{DraftConveys, read_conveys};
use super::reference::{DraftScope, Reference, is_template, item_or_value, reference};
use super::tree::{Node, NodeValue};
use super::words::{DraftCondition, Words, template, texts};
use crate::errors::{Mistake, Mistakes};
use crate::source::{Located, Span};
use crate::template::Template;

/// The name for one of a grant's roles.
pub(crate) const ROLE: &str = "role";

#[derive(Debug)]
pub(crate) struct DraftEdge {
    pub(crate) span: Span,
    pub(crate) ends: Vec<(Located<String>, Reference)>,
    pub(crate) takes: Option<Located<String>>,
    pub(crate) unique: Option<Located<String>>,
    pub(crate) conveys: Option<DraftConveys>,
}

#[derive(Debug)]
pub(crate) struct DraftGrant {
    pub(crate) subject: Reference,
    pub(crate) scope: Option<DraftScope>,
    pub(crate) roles: Vec<Located<String>>,
    pub(crate) roles_template: Option<Located<Template>>,
    /// The item of each role.
    pub(crate) role: Option<Reference>,
    /// Names that subject, scope and role must have in common.
    pub(crate) same: Vec<Located<String>>,
    pub(crate) from: Vec<Located<String>>,
    pub(crate) until: Vec<Located<String>>,
    pub(crate) when: DraftCondition,
    pub(crate) last: Option<Vec<Located<String>>>,
}

pub(super) fn read_edge(node: &Node, mistakes: &mut Mistakes) -> Option<DraftEdge> {
    let mut words = Words::of(node, "`edge`", mistakes)?;
    let takes = words.text("takes", mistakes);
    let unique = words.text("unique", mistakes);
    let conveys = words.get("conveys").and_then(|node| read_conveys(node, mistakes));
    let mut ends = Vec::new();
    for entry in words.rest() {
        ends.extend(reference(&entry.node, mistakes).map(|end| (entry.name(), end)));
    }
    Some(DraftEdge { span: node.span, ends, takes, unique, conveys })
}

pub(super) fn read_grant(node: &Node, mistakes: &mut Mistakes) -> Option<DraftGrant> {
    let mut words = Words::of(node, "`grant`", mistakes)?;
    let subject = words.get("subject").map(|node| reference(node, mistakes));
    if subject.is_none() {
        words.required("subject", "\"User\"", mistakes);
    }
    let scope = words.get("scope").and_then(|node| item_or_value(node, mistakes));
    let roles = words.get("roles");
    let roles_template = roles.filter(|node| is_template(node)).and_then(|node| template(node, mistakes));
    let roles = roles.filter(|node| !is_template(node)).map(|node| texts(node, mistakes)).unwrap_or_default();
    let role = words.get("role").and_then(|node| reference(node, mistakes));
    let same = words.texts("same", mistakes);
    let from = words.texts("from", mistakes);
    let until = words.texts("until", mistakes);
    let when = words.condition("when", mistakes);
    let last = words.get("last").and_then(|node| read_last(node, mistakes));
    words.done(&[], mistakes);
    Some(DraftGrant { subject: subject.flatten()?, scope, roles, roles_template, role, same, from, until, when, last })
}

fn read_last(node: &Node, mistakes: &mut Mistakes) -> Option<Vec<Located<String>>> {
    const EXAMPLE: &str = "last = { delete = \"subject\", written = [\"updatedAt\"] }";
    if !matches!(node.value, NodeValue::Table(_)) {
        let label = "what is deleted, and which of its attributes have the time of its last write";
        mistakes.add(Mistake::new(node.span, "`last` must be a table", label).help(format!("write `{EXAMPLE}`")));
        return None;
    }
    let mut words = Words::of(node, "`last`", mistakes)?;
    if words.choice("delete", &[("subject", ())], mistakes).is_none() && words.get("delete").is_none() {
        words.required("delete", "\"subject\"", mistakes);
    }
    let written = words.texts("written", mistakes);
    if written.is_empty() {
        words.required("written", "[\"updatedAt\"]", mistakes);
    }
    words.done(&[], mistakes);
    Some(written)
}
