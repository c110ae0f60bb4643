//! Why an effect follows: the setting of the model that asks for it, and what it found. And why nothing follows from
//! a write.
//!
//! An effect has its reason as positions in the model. Only here does it become words, when somebody asks for them.
//! INVARIANT 9: they name items as reports do, and have no value of an attribute but a role.

use std::collections::BTreeSet;

use instep_model::{CognitoMember, Condition, Link, LinkRole, Model, Object, Roles, Subject, TypeId, first_value};

use crate::askers::askers;
use crate::change::Change;
use crate::effect::{AddMember, DeletePage, DeleteSubject, Effect, EnsureUser, WriteReason};
use crate::implied::{self, Membership};
use crate::queries;
use crate::work::{Dependents, Extent, NamedObject, Which};

/// Why an effect is desired, in one sentence without a full stop.
#[must_use]
pub fn because(model: &Model, effect: &Effect) -> String {
    let label = |object: &Object| queries::label_of(model, object);
    match effect {
        Effect::AddMember(add) => added(model, add),
        Effect::RemoveMember(membership) => removed(model, membership),
        Effect::SignOut { .. } => {
            let of = model.types().filter(|(_, ty)| ty.members.iter().any(|member| member.sign_out)).map(|(of, _)| of);
            of_types(model, "cognito.member.sign_out", of, "a membership of the user was removed")
        }
        Effect::EnsureUser(EnsureUser { of, .. }) => {
            says(model, "cognito.user", of.of, &exists(&label(of), user_condition(model, of)))
        }
        Effect::DisableUser { user, .. } => match queries::objects_with_user(model, user).first() {
            Some(of) => says(model, "cognito.user.disabled", of.of, &format!("the condition holds for {}", label(of))),
            None => "the model says when a user is disabled".to_owned(),
        },
        Effect::DeleteUser { of, .. } => {
            says(model, "cognito.user", of.of, &does_not_exist(&label(of), user_condition(model, of)))
        }
        Effect::EnsureGroup { group, of, .. } => {
            says(model, "cognito.groups", of.of, &exists(&label(of), group_condition(model, of, group).flatten()))
        }
        Effect::DeleteGroup { group, of, .. } => match group_condition(model, of, group) {
            Some(when) => says(model, "cognito.groups", of.of, &does_not_exist(&label(of), when)),
            None => {
                let found = format!("the group goes with {}, which was deleted", label(of));
                of_types(model, "cognito.member", queries::with_members(model, group).map(|(of, ..)| of), &found)
            }
        },
        Effect::Write(write) | Effect::DeleteSubject(DeleteSubject { write, .. }) => written(model, write.reason.0),
        Effect::MarkDeleted(_) => {
            "a child that is written from now on has to find that its parent was deleted".to_owned()
        }
        Effect::DeletePage(DeletePage { target, link, .. }) => {
            let link = model.link(link.0);
            says(model, &setting_of(link), link.from, &format!("{target} was deleted"))
        }
        Effect::SendObjects(objects) => sent(objects),
        Effect::SendDependents(dependents) => continued(model, dependents),
    }
}

/// A setting of an item type, and what it found.
fn says(model: &Model, setting: &str, of: TypeId, found: &str) -> String {
    of_types(model, setting, [of], found)
}

fn of_types(model: &Model, setting: &str, of: impl IntoIterator<Item = TypeId>, found: &str) -> String {
    let types: BTreeSet<&str> = of.into_iter().map(|of| model.item(of).name.as_str()).collect();
    let types: Vec<&str> = types.into_iter().collect();
    if types.is_empty() { found.to_owned() } else { format!("`{setting}` of {}: {found}", types.join(", ")) }
}

fn exists(label: &str, when: Option<&Condition>) -> String {
    match when {
        None => format!("{label} exists"),
        Some(when) => format!("{label} exists, and {when}"),
    }
}

fn does_not_exist(label: &str, when: Option<&Condition>) -> String {
    match when {
        None => format!("{label} does not exist"),
        Some(when) => format!("{label} does not exist, or not: {when}"),
    }
}

fn user_condition<'m>(model: &'m Model, of: &Object) -> Option<&'m Condition> {
    model.item(of.of).user.as_ref().map(|user| &user.when).filter(|when| !when.is_empty())
}

/// The condition of a group that an item type has. `None` if it is a group on demand.
fn group_condition<'m>(model: &'m Model, of: &Object, group: &str) -> Option<Option<&'m Condition>> {
    let (rule, _) = implied::groups(model, of).into_iter().find(|(_, name)| name == group)?;
    let groups = model.item(of.of).groups.get(rule)?;
    Some(Some(&groups.when).filter(|when| !when.is_empty()))
}

/// Why a membership is added: which rule of the grant implies it, for whom, in which item's group, and for which role.
fn added(model: &Model, AddMember { membership, grant, image, .. }: &AddMember) -> String {
    member(model, grant, image, membership).unwrap_or_else(|| {
        says(model, "cognito.member", grant.of, &format!("{} implies it", queries::label_of(model, grant)))
    })
}

/// Which setting of an item implies a membership, and how. `None` if none does.
#[must_use]
pub fn member(model: &Model, grant: &Object, item: &instep_model::Item, membership: &Membership) -> Option<String> {
    let mut rules = model.item(grant.of).members.iter();
    let rule = rules.find(|rule| implied::memberships_of(model, rule, grant, item).contains(membership))?;
    let named = |object: &Object| queries::label_named_by(model, grant.of, object);
    let label = queries::label_of(model, grant);
    let makes = match &rule.user {
        Subject::Itself => format!("{label} is a member"),
        Subject::Link(_) => {
            let user = implied::subject(model, &rule.user, grant, Some(item))?;
            format!("{label} makes {} a member", named(&user))
        }
    };
    let by_group = implied::memberships_by_group(model, rule, grant, item, &implied::roles(model, grant, item));
    let owner = by_group.into_iter().find(|(_, own)| own.contains(membership)).and_then(|(of, _)| of);
    let of_owner = owner.as_ref().map(|owner| format!(" of {}", named(owner))).unwrap_or_default();
    let role = role(model, grant.of, rule, &membership.group).filter(|_| !model.item(grant.of).secret);
    let for_role = role.map(|role| format!(" for role `{role}`")).unwrap_or_default();
    let found = format!("{makes} of the group{of_owner}{for_role}");
    Some(says(model, "cognito.member", grant.of, &found))
}

/// The role in the name of a group.
fn role(model: &Model, of: TypeId, rule: &CognitoMember, group: &str) -> Option<String> {
    let of = rule.group_link().map_or(of, |link| model.link(link).to);
    model.read_name(of, &rule.group, group)?.remove(&rule.role)
}

/// Why a membership is removed: no item implies it now.
fn removed(model: &Model, membership: &Membership) -> String {
    let asking: BTreeSet<TypeId> = askers(model, membership, None).into_iter().map(|(of, _)| of).collect();
    let names: Vec<&str> = asking.iter().map(|of| model.item(*of).name.as_str()).collect();
    let none = match names.as_slice() {
        [] => return "no setting of the model implies the membership".to_owned(),
        names => format!("no {} implies the membership now", names.join(" and no ")),
    };
    of_types(model, "cognito.member", asking, &none)
}

/// A reference as the model writes it.
fn setting_of(link: &Link) -> String {
    match &link.role {
        LinkRole::Parent => "parent".to_owned(),
        LinkRole::EdgeEnd(end) => format!("edge.{end}"),
        LinkRole::Owner => "guard.owner".to_owned(),
        role @ (LinkRole::Subject | LinkRole::Scope | LinkRole::Role) => format!("grant.{}", role.word()),
        role @ (LinkRole::Within | LinkRole::Inherits | LinkRole::Permits) => role.word().to_owned(),
        role @ (LinkRole::User | LinkRole::Group) => format!("cognito.member.{}", role.word()),
    }
}

fn written(model: &Model, reason: WriteReason) -> String {
    let at = |setting: &str, of: TypeId, found: &str| says(model, setting, of, found);
    match reason {
        WriteReason::GoesWith(link) => {
            let link = model.link(link);
            at(&setting_of(link), link.from, &format!("its {} was deleted", model.item(link.to).name))
        }
        WriteReason::Claimed(guard) => at("guard", guard, "an owner has the value, and no other owner holds it"),
        WriteReason::TakenOver(guard) => {
            at("claims.transfer", guard, "an owner has the value with a stronger claim than its holder")
        }
        WriteReason::Adopted(guard) => at("guard", guard, "the guard names no owner, and an owner has its value"),
        WriteReason::Released(guard) => at("guard", guard, "its owner no longer has the value, and nobody claims it"),
        WriteReason::ClaimWaits(guard) => at("guard", guard, "another owner holds the value, so this claim is pending"),
        WriteReason::ClaimEnds(guard) => at("guard", guard, "the owner holds the value, or claims it no longer"),
        WriteReason::RefersNoMore(of) => format!("a {} refers to it no longer", model.item(of).name),
        WriteReason::AddressEnds(of) => {
            format!("the {} was deleted, or others find it by another name", model.item(of).name)
        }
        WriteReason::HasMoment(of) => of_times(model, of, "the item has this time"),
        WriteReason::HasNoMoment(of) => of_times(model, of, "the item has this time no longer"),
        WriteReason::Due(of) => at("due", of, "its time has come"),
        WriteReason::IndexKeys(of) => at("keep", of, "the index attributes differ from the templates"),
        WriteReason::LastGrant(of) => of_last_grants(model, of, "its last grant was revoked"),
        WriteReason::GrantAfterAll(of) => of_last_grants(model, of, "it has a grant after all"),
        WriteReason::WrittenAgain(of) => of_last_grants(model, of, "it was written again"),
        WriteReason::GroupEntry(of) => at("cognito.member", of, "a parent with which the group goes has to find it"),
        WriteReason::GroupsGo(of) => format!("{} was deleted, and its groups on demand with it", model.item(of).name),
    }
}

/// The settings of an item type that have times.
fn of_times(model: &Model, of: TypeId, found: &str) -> String {
    let ty = model.item(of);
    let grant = ty.grant.iter();
    let windows = grant.flat_map(|grant| [("grant.from", &grant.from), ("grant.until", &grant.until)]);
    let windows = windows.filter(|(_, spellings)| !spellings.is_empty()).map(|(setting, _)| setting);
    let rules = (!ty.due.is_empty()).then_some("due");
    let settings: Vec<&str> = windows.chain(rules).collect();
    says(model, &settings.join("` or `"), of, found)
}

/// The grants whose last revocation deletes a subject of this type.
fn of_last_grants(model: &Model, subject: TypeId, found: &str) -> String {
    let grants = model.links_to(subject).map(|(_, link)| link.from);
    let ends = |of: &TypeId| model.item(*of).grant.as_ref().is_some_and(|grant| grant.last.is_some());
    let found = format!("{found} ({})", model.item(subject).name);
    of_types(model, "grant.last", grants.filter(ends), &found)
}

fn sent(objects: &[NamedObject]) -> String {
    if objects.iter().any(|object| object.late) {
        "an index may not show yet what it depends on: it is reconciled once more".to_owned()
    } else {
        "no record of this run names them: another run reconciles them".to_owned()
    }
}

fn continued(model: &Model, dependents: &Dependents) -> String {
    let of = dependents.object(model).map_or_else(|| dependents.of.clone(), |of| queries::label_of(model, &of));
    match (&dependents.which, dependents.extent) {
        (_, Extent::Late) => format!("an index may not show yet what depends on {of}"),
        (Which::Groups, Extent::All) => format!("{of} was deleted, and has more groups than one run deletes"),
        (Which::From(_), Extent::All) => format!("more depends on {of} than one run changes"),
        (Which::All, Extent::All) => format!("what depends on {of} has to be reconciled"),
    }
}

/// Why an item grants nothing or has nothing in Cognito, by its own attributes: a condition that does not hold, or an
/// absent role. What it waits for is a note of the run.
#[must_use]
pub fn withheld(model: &Model, object: &Object, item: &instep_model::Item) -> Vec<String> {
    let ty = model.item(object.of);
    let mut found = Vec::new();
    let mut unless = |setting: &str, when: &Condition, then: &str| {
        if !when.holds(&object.names, item) {
            found.push(says(model, setting, object.of, &format!("{then}, because not: {when}")));
        }
    };
    if let Some(user) = &ty.user {
        unless("cognito.user.when", &user.when, "no Cognito user");
    }
    ty.groups.iter().for_each(|groups| unless("cognito.groups.when", &groups.when, "no such groups"));
    ty.members.iter().for_each(|member| unless("cognito.member.when", &member.when, "no membership"));
    if let Some(grant) = &ty.grant {
        unless("grant.when", &grant.when, "grants nothing");
        if grant.when.holds(&object.names, item) && implied::roles(model, object, item).is_empty() {
            let why = match &grant.roles {
                Roles::None => "it has no role".to_owned(),
                Roles::Attribute(names) if first_value(item, names).is_none_or(|(_, value)| value.is_empty()) => {
                    format!("`{}` is absent or empty", names.join("` and `"))
                }
                Roles::Attribute(names) => format!("`{}` has no value that the model allows", names.join("` or `")),
                Roles::Template(template) => format!("the item lacks a part of `{template}`"),
            };
            found.push(says(model, "grant.roles", object.of, &format!("grants nothing, because {why}")));
        }
    }
    found
}

/// Why a write has fewer effects than one might expect. `is_idle`: it has no effect and no event, so it says why in any
/// case.
#[must_use]
pub fn nothing(model: &Model, change: &Change, is_idle: bool) -> Vec<String> {
    let mut found = change.new.as_ref().map(|new| withheld(model, &change.object, new)).unwrap_or_default();
    if is_idle && found.is_empty() {
        let ty = model.item(change.object.of);
        let name = &ty.name;
        let asks = ty.user.is_some() || !ty.groups.is_empty() || !ty.members.is_empty() || ty.guard.is_some();
        found.push(if change.old.is_some() && change.new.is_some() {
            format!("nothing that the model reads of a {name} has changed")
        } else if asks || !ty.publish.is_empty() {
            format!("what the model asks for with this {name} is in place")
        } else {
            format!("the model asks for nothing with a {name}, and publishes no event of it")
        });
    }
    found
}
