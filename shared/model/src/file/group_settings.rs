//! The precedence and the IAM role of groups as they are written.

use super::tree::{Node, NodeValue};
use super::words::{entries, template};
use crate::errors::{Mistake, Mistakes};
use crate::group_settings::{PRECEDENCE_MAX, account_of_iam_role, group_precedence};
use crate::source::Located;
use crate::template::Template;

#[derive(Debug)]
pub(crate) enum DraftPrecedence {
    Fixed(DraftOfGroups<i32>),
    OfItem(Located<Template>),
}

#[derive(Debug)]
pub(crate) enum DraftOfGroups<T> {
    All(T),
    Each(Vec<(Located<String>, T)>),
}

/// A number, a table of numbers, or a template of an attribute with the number.
pub(super) fn read_precedence(node: &Node, mistakes: &mut Mistakes) -> Option<DraftPrecedence> {
    match &node.value {
        NodeValue::Text(text) if text.contains('{') => template(node, mistakes).map(DraftPrecedence::OfItem),
        NodeValue::Text(_)
        | NodeValue::Number(_)
        | NodeValue::Flag(_)
        | NodeValue::List(_)
        | NodeValue::Table(_)
        | NodeValue::Moment => read_of_groups(node, read_number, mistakes).map(DraftPrecedence::Fixed),
    }
}

/// A value for all groups, or a table with a value for some of them.
pub(super) fn read_of_groups<T>(
    node: &Node,
    read: impl Fn(&Node, &mut Mistakes) -> Option<T>,
    mistakes: &mut Mistakes,
) -> Option<DraftOfGroups<T>> {
    if !matches!(node.value, NodeValue::Table(_)) {
        return read(node, mistakes).map(DraftOfGroups::All);
    }
    let entries = entries(node, "this", mistakes);
    if entries.is_empty() {
        let help = "write a value for each role, such as `{ lead = …, player = … }`, or remove the key";
        mistakes.add(Mistake::new(node.span, "this table has no value", "of no group").help(help));
    }
    let each = entries.iter().filter_map(|entry| Some((entry.name(), read(&entry.node, mistakes)?)));
    Some(DraftOfGroups::Each(each.collect()))
}

fn read_number(node: &Node, mistakes: &mut Mistakes) -> Option<i32> {
    let number = match &node.value {
        NodeValue::Number(text) => group_precedence(text),
        NodeValue::Text(_) | NodeValue::Flag(_) | NodeValue::List(_) | NodeValue::Table(_) | NodeValue::Moment => None,
    };
    if number.is_none() {
        let message = format!("a precedence is a whole number from 0 to {PRECEDENCE_MAX}");
        let help = "write a number without quotes; the group with the lowest one comes first. For a number in an \
                    attribute of the item, write its name in braces, such as `\"{rank}\"`";
        mistakes.add(Mistake::new(node.span, message, "Cognito refuses this").help(help));
    }
    number
}

/// The ARN of an IAM role.
pub(super) fn read_iam_role(node: &Node, mistakes: &mut Mistakes) -> Option<String> {
    const HELP: &str = "write the whole ARN, such as `\"arn:aws:iam::123456789012:role/lead\"`";
    let text = match &node.value {
        NodeValue::Text(text) => Some(text),
        NodeValue::Number(_) | NodeValue::Flag(_) | NodeValue::List(_) | NodeValue::Table(_) | NodeValue::Moment => {
            None
        }
    };
    if text.is_some_and(|text| text.contains('{')) {
        let help = "whoever can write an item could choose what members may do in AWS: write the whole ARN, or a \
                    table with an ARN for each role";
        mistakes.add(Mistake::new(node.span, "no item gives an IAM role", "this is a template").help(help));
        return None;
    }
    let arn = text.filter(|text| account_of_iam_role(text).is_some());
    if arn.is_none() {
        mistakes.add(Mistake::new(node.span, "this is not the ARN of an IAM role", "here").help(HELP));
    }
    arn.cloned()
}
