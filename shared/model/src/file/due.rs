//! What becomes due by time, as it is written.

use super::tree::Node;
use super::words::{DraftCondition, Words, one_or_more};
use crate::errors::Mistakes;
use crate::source::{Located, Span};
use crate::value::Value;

#[derive(Debug)]
pub(crate) struct DraftDue {
    pub(crate) span: Span,
    pub(crate) at: Located<String>,
    pub(crate) when: DraftCondition,
    pub(crate) set: Vec<(Located<String>, Value)>,
}

pub(super) fn read_dues(node: &Node, mistakes: &mut Mistakes) -> Vec<DraftDue> {
    let mut read = Vec::new();
    for node in one_or_more(node) {
        let Some(mut words) = Words::of(node, "`due`", mistakes) else { continue };
        let at = words.text("at", mistakes);
        if at.is_none() {
            words.required("at", "\"end_date\"", mistakes);
        }
        let when = words.condition("when", mistakes);
        let set = words.values("set", mistakes);
        if set.is_empty() {
            words.required("set", "{ status = \"expired\" }", mistakes);
        }
        words.done(&[], mistakes);
        read.extend(at.map(|at| DraftDue { span: node.span, at, when, set }));
    }
    read
}
