//! What only answers read, as it is written: where access applies, and what a role permits.

use super::reference::{Reference, reference, references};
use super::tree::{Node, NodeValue};
use super::words::{DraftCondition, Words, text};
use crate::errors::Mistakes;
use crate::source::{Located, Span};
use crate::template::Template;

/// What separates the parts of a path.
const SEPARATOR: &str = "/";

/// What an item is in.
#[derive(Debug)]
pub(crate) enum DraftWithin {
    Items(Vec<Reference>),
    Path { name: Located<String>, separator: Located<String> },
}

/// The end of an edge to which access flows.
#[derive(Debug)]
pub(crate) struct DraftConveys {
    pub(crate) to: Located<String>,
    pub(crate) when: DraftCondition,
}

/// The permissions that an item gives.
#[derive(Debug)]
pub(crate) struct DraftPermits {
    pub(crate) span: Span,
    pub(crate) permission: Located<Template>,
    pub(crate) list: Option<Located<String>>,
    pub(crate) any: Option<Located<String>>,
    pub(crate) role: Option<Reference>,
}

/// `"Client"`, a list of references, or `{ path = "groupId", separator = "/" }`.
pub(super) fn read_within(node: &Node, mistakes: &mut Mistakes) -> Option<DraftWithin> {
    if !is_path(node) {
        return Some(DraftWithin::Items(references(node, mistakes)));
    }
    let mut words = Words::of(node, "`within`", mistakes)?;
    let name = words.text("path", mistakes);
    if name.is_none() {
        words.required("path", "\"folderId\"", mistakes);
    }
    let at = words.get("separator").map_or(node.span, |node| node.span);
    let separator = words.text("separator", mistakes).unwrap_or_else(|| Located::new(at, SEPARATOR.to_owned()));
    words.done(&[], mistakes);
    Some(DraftWithin::Path { name: name?, separator })
}

/// A reference always has a `type`, and its other words can be names of the other item's key.
fn is_path(node: &Node) -> bool {
    let NodeValue::Table(entries) = &node.value else { return false };
    let has = |word: &str| entries.iter().any(|entry| entry.key == word);
    (has("path") || has("separator")) && !has("type")
}

/// `"child"`, or `{ to = "member", when = { … } }`.
pub(super) fn read_conveys(node: &Node, mistakes: &mut Mistakes) -> Option<DraftConveys> {
    if !matches!(node.value, NodeValue::Table(_)) {
        return Some(DraftConveys { to: text(node, mistakes)?, when: Vec::new() });
    }
    let mut words = Words::of(node, "`conveys`", mistakes)?;
    let to = words.text("to", mistakes);
    if to.is_none() {
        words.required("to", "\"child\"", mistakes);
    }
    let when = words.condition("when", mistakes);
    words.done(&[], mistakes);
    Some(DraftConveys { to: to?, when })
}

/// `{ as = "{module}:{action}", list = "permissions", any = "*", role = "Role" }`.
pub(super) fn read_permits(node: &Node, mistakes: &mut Mistakes) -> Option<DraftPermits> {
    let mut words = Words::of(node, "`permits`", mistakes)?;
    let permission = words.template("as", mistakes);
    if words.get("as").is_none() {
        words.required("as", "\"{action}:{resource}\"", mistakes);
    }
    let list = words.text("list", mistakes);
    let any = words.text("any", mistakes);
    let role = words.get("role").and_then(|node| reference(node, mistakes));
    words.done(&[], mistakes);
    Some(DraftPermits { span: node.span, permission: permission?, list, any, role })
}
