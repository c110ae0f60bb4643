//! Who can imply a membership, by its names alone: what was read decides whether they do.

use instep_model::{CognitoMember, LinkId, Model, Names, Object, Roles, Subject, TypeId, UserValue};

use crate::implied::{Membership, user_value};

/// The items of one type that can imply a membership.
#[derive(Debug)]
pub(crate) enum Askers {
    /// The membership determines the item.
    One(Object),
    /// Those that refer to the user over this link.
    Of(LinkId, Object),
    /// The names of the membership lead to none.
    Unknown,
}

/// Whether a rule that can imply a membership says that its user is signed out once it is removed.
pub(crate) fn signs_out(model: &Model, membership: &Membership) -> bool {
    let rules = model.types().flat_map(|(of, ty)| ty.members.iter().map(move |rule| (of, rule)));
    rules.filter(|(_, rule)| rule.sign_out).any(|(of, rule)| askers_by(model, of, rule, membership, None).is_some())
}

/// Who can imply a membership: for each rule of an item type whose templates can give its names. `user` is the
/// membership's, if it is known: its name may not say everything about it.
pub(crate) fn askers(model: &Model, membership: &Membership, user: Option<&Object>) -> Vec<(TypeId, Askers)> {
    let rules = model.types().flat_map(|(of, ty)| ty.members.iter().map(move |rule| (of, rule)));
    rules.filter_map(|(of, rule)| Some((of, askers_by(model, of, rule, membership, user)?))).collect()
}

fn askers_by(
    model: &Model,
    of: TypeId,
    rule: &CognitoMember,
    membership: &Membership,
    user: Option<&Object>,
) -> Option<Askers> {
    let names_of_user = |of: TypeId| match user.filter(|user| user.of == of) {
        Some(user) => Some(user.names.clone()),
        None => model.read_name(of, &model.item(of).user.as_ref()?.name, &membership.user),
    };
    let (mut names, role) = group_names(model, of, rule, &membership.group)?;
    if let (Some(grant), Some(role)) = (&model.item(of).grant, role)
        && let Roles::Template(template) = &grant.roles
    {
        merge(&mut names, model.certain(of, template, model.read_name(of, template, &role)?))?;
    }
    if (user_value(model, rule) == Some(UserValue::Sub)) != membership.sub {
        return None;
    }
    let mut refers = None;
    match &rule.user {
        Subject::Itself => merge(&mut names, names_of_user(of)?)?,
        Subject::Link(link) => {
            let to = model.link(*link).to;
            let user = names_of_user(to)?;
            merge(&mut names, model.names_before(model.link(*link), &user))?;
            refers = model.object_named(to, &user).map(|user| (*link, user));
        }
    }
    Some(match (model.object_named(of, &names), refers) {
        (Some(object), _) => Askers::One(object),
        (None, Some((link, user))) => Askers::Of(link, user),
        (None, None) => Askers::Unknown,
    })
}

/// What the name of a group says about the items that can imply a membership in it, and the role.
fn group_names(model: &Model, of: TypeId, rule: &CognitoMember, group: &str) -> Option<(Names, Option<String>)> {
    let Some(link) = rule.group_link() else {
        let names = model.read_name(of, &rule.group, group)?;
        let role = names.get(&rule.role).cloned();
        let mut names = model.certain(of, &rule.group, names);
        // `{role}` stands for the role of the grant, not for a name of the item.
        if model.item(of).grant.is_some() {
            names.remove(&rule.role);
        }
        return Some((names, role));
    };
    let link = model.link(link);
    let names = model.read_name(link.to, &rule.group, group)?;
    let role = names.get(&rule.role).cloned();
    Some((model.names_before(link, &names), role))
}

/// Adds names. `None` if one of them has another value already.
fn merge(names: &mut Names, more: Names) -> Option<()> {
    for (name, text) in more {
        if names.get(&name).is_some_and(|before| *before != text) {
            return None;
        }
        names.insert(name, text);
    }
    Some(())
}
