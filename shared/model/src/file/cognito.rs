//! The Cognito user, groups and membership of an item type as they are written.

use super::reference::{DraftScope, Reference, item_or_value, reference};
use super::tree::{Kind, Node};
use super::words::{Words, choice, templates, text};
use crate::errors::Mistakes;
use crate::model::{Create, Made};
use crate::source::At;
use crate::template::Template;
use crate::value::Value;

#[derive(Debug)]
pub(crate) struct DraftUser {
    pub(crate) name: At<Template>,
    pub(crate) create: Create,
    pub(crate) delete: bool,
    pub(crate) disabled: Vec<(At<String>, Value)>,
    pub(crate) attributes: Vec<(At<String>, At<Template>)>,
}

#[derive(Debug)]
pub(crate) struct DraftMember {
    pub(crate) user: Reference,
    pub(crate) group: DraftScope,
    pub(crate) made: Option<At<Made>>,
}

type Cognito = (Option<DraftUser>, Option<At<Template>>, Option<DraftMember>);

pub(super) fn read_cognito(mut words: Words<'_>, mistakes: &mut Mistakes) -> Cognito {
    let user = words.get("user").and_then(|node| read_user(node, mistakes));
    let groups = words.template("groups", mistakes);
    let member = words.get("member").and_then(|node| read_member(node, mistakes));
    words.done(&[], mistakes);
    (user, groups, member)
}

fn read_user(node: &Node, mistakes: &mut Mistakes) -> Option<DraftUser> {
    let mut words = Words::of(node, "`cognito.user`", mistakes)?;
    let name = words.template("name", mistakes);
    if words.get("name").is_none() {
        words.required("name", "\"{userId}\"", mistakes);
    }
    let create = match words.get("create") {
        Some(Node { value: Kind::Flag(false), .. }) => Some(Create::Never),
        Some(node) => text(node, mistakes)
            .and_then(|word| choice(&word, &[("invite", Create::Invite), ("silent", Create::Silent)], mistakes)),
        None => None,
    };
    // Cognito sends no message to users unless the model says so.
    let create = create.unwrap_or(Create::Silent);
    let delete = words.flag("delete", mistakes).unwrap_or(create != Create::Never);
    let disabled = words.values("disabled", mistakes);
    let attributes = words.get("attributes").map(|node| templates(node, "`attributes`", mistakes));
    words.done(&[], mistakes);
    Some(DraftUser { name: name?, create, delete, disabled, attributes: attributes.unwrap_or_default() })
}

fn read_member(node: &Node, mistakes: &mut Mistakes) -> Option<DraftMember> {
    let mut words = Words::of(node, "`cognito.member`", mistakes)?;
    let user = words.get("user").map(|node| reference(node, mistakes));
    let group = words.get("group").map(|node| item_or_value(node, mistakes));
    if user.is_none() {
        words.required("user", "\"User\"", mistakes);
    }
    if group.is_none() {
        words.required("group", "\"{tenantId}:{role}\"", mistakes);
    }
    let at = words.get("made").map(|node| node.span);
    let choices = [("with-item", Made::WithItem), ("on-demand", Made::OnDemand), ("by-hand", Made::ByHand)];
    let made = words.choice("made", &choices, mistakes);
    words.done(&[], mistakes);
    let made = at.zip(made).map(|(at, made)| At::new(at, made));
    Some(DraftMember { user: user.flatten()?, group: group.flatten()?, made })
}
