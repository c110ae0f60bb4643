//! Accounts that people make themselves: a membership names one by a value.

use super::reference::{FindWord, Reference};
use super::tree::{Node, NodeValue};
use super::words::Words;
use crate::errors::{Mistake, Mistakes};
use crate::model::UserValue;
use crate::source::Located;

/// Whether the user of a membership is a value: `{ sub = "…" }` or `{ name = "…" }`.
pub(super) fn is_user_value(node: &Node) -> bool {
    let has = |words: &[&str]| match &node.value {
        NodeValue::Table(entries) => entries.iter().any(|entry| words.contains(&entry.key.as_str())),
        NodeValue::Text(_) | NodeValue::Number(_) | NodeValue::Flag(_) | NodeValue::List(_) | NodeValue::Moment => {
            false
        }
    };
    has(&["sub", "name"]) && !has(&["type"])
}

/// A reference to a value. Instep writes a back-reference from it to each item that names it.
pub(super) fn read_user_value(node: &Node, mistakes: &mut Mistakes) -> Option<Reference> {
    let mut words = Words::of(node, "a user", mistakes)?;
    let sub = words.template("sub", mistakes).map(|template| (UserValue::Sub, template));
    let name = words.template("name", mistakes).map(|template| (UserValue::Name, template));
    words.done(&[], mistakes);
    if let (Some((_, sub)), Some((_, name))) = (&sub, &name) {
        let help = "write `sub` if your ids come from a token; its owner alone can have it. Remove the other";
        mistakes.add(
            Mistake::new(name.span, "a member is known by `sub` or by `name`", "and this")
                .also(sub.span, "this")
                .help(help),
        );
        return None;
    }
    let (value, template) = sub.or(name)?;
    let names = vec![(Located::new(template.span, value.name().to_owned()), template)];
    let to = Located::new(node.span, UserValue::TYPE.to_owned());
    Some(Reference { to, needed: true, find: Some(FindWord::BackReference), when: None, written: Vec::new(), names })
}
