//! The Cognito user, groups and membership of an item type as they are written.

use std::time::Duration;

use super::group_settings::{DraftOfGroups, DraftPrecedence, read_iam_role, read_of_groups, read_precedence};
use super::reference::{DraftScope, Reference, is_template, item_or_value, reference};
use super::tree::{Node, NodeValue};
use super::user_value::{is_user_value, read_user_value};
use super::words::{DraftCondition, Words, choice, condition, one_or_more, template, templates, text};
use crate::duration::{DAYS_MAX, read_duration};
use crate::errors::{Mistake, Mistakes};
use crate::model::{Create, Made};
use crate::source::{Located, Span};
use crate::template::Template;

#[derive(Debug)]
pub(crate) struct DraftUser {
    pub(crate) name: Located<Template>,
    pub(crate) when: DraftCondition,
    pub(crate) create: Create,
    pub(crate) delete: bool,
    /// How long the user is kept, disabled.
    pub(crate) grace: Option<Duration>,
    pub(crate) disabled: Option<DraftCondition>,
    pub(crate) attributes: Vec<(Located<String>, Located<Template>)>,
}

#[derive(Debug)]
pub(crate) struct DraftMember {
    pub(crate) user: Reference,
    pub(crate) group: DraftScope,
    pub(crate) made: Option<Located<Made>>,
    pub(crate) when: DraftCondition,
    /// Where it says that the user is signed out.
    pub(crate) sign_out: Option<Span>,
    /// Where it says that the group is in tokens alone.
    pub(crate) in_token: Option<Span>,
}

/// Groups of an item.
#[derive(Debug)]
pub(crate) struct DraftGroups {
    pub(crate) name: Located<Template>,
    pub(crate) when: DraftCondition,
    pub(crate) precedence: Option<DraftPrecedence>,
    pub(crate) iam_role: Option<DraftOfGroups<String>>,
}

impl DraftGroups {
    /// Its templates.
    pub(crate) fn templates(&self) -> impl Iterator<Item = &Located<Template>> {
        let precedence = self.precedence.iter().filter_map(|precedence| match precedence {
            DraftPrecedence::OfItem(template) => Some(template),
            DraftPrecedence::Fixed(_) => None,
        });
        [&self.name].into_iter().chain(precedence)
    }
}

type Cognito = (Option<DraftUser>, Vec<DraftGroups>, Vec<DraftMember>);

pub(super) fn read_cognito(mut words: Words<'_>, mistakes: &mut Mistakes) -> Cognito {
    let user = words.get("user").and_then(|node| read_user(node, mistakes));
    let groups = words.get("groups").map(one_or_more).unwrap_or_default();
    let groups = groups.into_iter().filter_map(|node| read_groups(node, mistakes)).collect();
    let members = words.get("member").map(one_or_more).unwrap_or_default();
    let members = members.into_iter().filter_map(|node| read_member(node, mistakes)).collect();
    words.done(&[], mistakes);
    (user, groups, members)
}

/// A template, or a table with `name`.
fn read_groups(node: &Node, mistakes: &mut Mistakes) -> Option<DraftGroups> {
    if !matches!(node.value, NodeValue::Table(_)) {
        return Some(DraftGroups {
            name: template(node, mistakes)?,
            when: Vec::new(),
            precedence: None,
            iam_role: None,
        });
    }
    let mut words = Words::of(node, "`cognito.groups`", mistakes)?;
    let name = words.template("name", mistakes);
    if words.get("name").is_none() {
        words.required("name", "\"team:{teamId}\"", mistakes);
    }
    let when = words.condition("when", mistakes);
    let precedence = words.get("precedence").and_then(|node| read_precedence(node, mistakes));
    let iam_role = words.get("iam_role").and_then(|node| read_of_groups(node, read_iam_role, mistakes));
    words.done(&[], mistakes);
    Some(DraftGroups { name: name?, when, precedence, iam_role })
}

fn read_user(node: &Node, mistakes: &mut Mistakes) -> Option<DraftUser> {
    let mut words = Words::of(node, "`cognito.user`", mistakes)?;
    let name = words.template("name", mistakes);
    if words.get("name").is_none() {
        words.required("name", "\"{userId}\"", mistakes);
    }
    let create = match words.get("create") {
        Some(Node { value: NodeValue::Flag(false), .. }) => Some(Create::Never),
        Some(node) => text(node, mistakes)
            .and_then(|word| choice(&word, &[("invite", Create::Invite), ("silent", Create::Silent)], mistakes)),
        None => None,
    };
    // Cognito sends no message to users unless the model says so.
    let create = create.unwrap_or(Create::Silent);
    let (delete, grace) = words.get("delete").and_then(|node| read_delete(node, create, mistakes)).unzip();
    let delete = delete.unwrap_or(create != Create::Never);
    let disabled = words.get("disabled").map(|node| condition(node, mistakes));
    let when = words.condition("when", mistakes);
    let attributes = words.get("attributes").map(|node| templates(node, "`attributes`", mistakes));
    words.done(&[], mistakes);
    let attributes = attributes.unwrap_or_default();
    Some(DraftUser { name: name?, when, create, delete, grace: grace.flatten(), disabled, attributes })
}

/// Whether the user is deleted with its item, and how long after.
fn read_delete(node: &Node, create: Create, mistakes: &mut Mistakes) -> Option<(bool, Option<Duration>)> {
    match &node.value {
        NodeValue::Flag(delete) => Some((*delete, None)),
        NodeValue::Table(_) if create == Create::Never => {
            let message = "Instep does not know whose account that is, later: people create these users";
            let help =
                "write `delete = true`, which deletes the user at once, or leave it out: then people delete the user";
            mistakes.add(Mistake::new(node.span, message, "needs a user that Instep creates").help(help));
            None
        }
        NodeValue::Table(_) => {
            let mut words = Words::of(node, "`delete`", mistakes)?;
            let after = words.text("after", mistakes);
            words.required("after", "\"7d\"", mistakes);
            words.done(&[], mistakes);
            let after = after?;
            let grace = read_duration(&after.value);
            if grace.is_none() {
                let help = format!("write a whole number and `s`, `m`, `h` or `d`, at most {DAYS_MAX} days: `\"7d\"`");
                mistakes.add(Mistake::new(after.span, "this is no length of time", "not known here").help(help));
            }
            Some((true, Some(grace?)))
        }
        NodeValue::Text(_) | NodeValue::Number(_) | NodeValue::List(_) | NodeValue::Moment => {
            let help = "write `delete = { after = \"7d\" }` to keep the user for a while, disabled";
            let mistake = Mistake::new(node.span, "`delete` must be `true`, `false`, or a table", "not known here");
            mistakes.add(mistake.help(help));
            None
        }
    }
}

fn read_member(node: &Node, mistakes: &mut Mistakes) -> Option<DraftMember> {
    let mut words = Words::of(node, "`cognito.member`", mistakes)?;
    let user = words.get("user").map(|node| read_member_user(node, mistakes));
    let group = words.get("group").map(|node| read_group(node, mistakes));
    if user.is_none() {
        words.required("user", "\"User\"", mistakes);
    }
    if group.is_none() {
        words.required("group", "\"{tenantId}:{role}\"", mistakes);
    }
    let at = words.get("made").map(|node| node.span);
    let choices = [("with-item", Made::WithItem), ("on-demand", Made::OnDemand), ("by-hand", Made::ByHand)];
    let made = words.choice("made", &choices, mistakes);
    let when = words.condition("when", mistakes);
    let at_sign_out = words.get("sign_out").map(|node| node.span);
    let sign_out = at_sign_out.filter(|_| words.flag("sign_out", mistakes).unwrap_or_default());
    let at_in = words.get("in").map(|node| node.span);
    let in_token =
        at_in.filter(|_| words.choice("in", &[("pool", false), ("token", true)], mistakes).unwrap_or_default());
    words.done(&[], mistakes);
    let made = at.zip(made).map(|(at, made)| Located::new(at, made));
    Some(DraftMember { user: user.flatten()?, group: group.flatten()?, made, when, sign_out, in_token })
}

/// A reference, or the value by which the item names the account of somebody who signs up.
fn read_member_user(node: &Node, mistakes: &mut Mistakes) -> Option<Reference> {
    if is_user_value(node) {
        return read_user_value(node, mistakes);
    }
    if is_template(node) {
        let message = "a string with a name in it does not say what it is of the user";
        let NodeValue::Text(text) = &node.value else { return None };
        let help = format!(
            "write `{{ sub = \"{text}\" }}` if that is the `sub` of somebody who signs up, or the name of an item type \
             with a `cognito.user`"
        );
        mistakes.add(Mistake::new(node.span, message, "its `sub`, or its name?").help(help));
        return None;
    }
    reference(node, mistakes)
}

/// A reference, a template, or `{ name = "staff" }` for a group whose name is constant.
fn read_group(node: &Node, mistakes: &mut Mistakes) -> Option<DraftScope> {
    let is_named = matches!(&node.value, NodeValue::Table(entries) if entries.iter().any(|entry| entry.key == "name"));
    let is_reference =
        matches!(&node.value, NodeValue::Table(entries) if entries.iter().any(|entry| entry.key == "type"));
    if !is_named || is_reference {
        return item_or_value(node, mistakes);
    }
    let mut words = Words::of(node, "a group", mistakes)?;
    let name = words.template("name", mistakes);
    words.done(&[], mistakes);
    name.map(DraftScope::Value)
}
