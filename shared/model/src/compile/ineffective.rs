//! Words that would have no effect: each is refused, so that a model does what it says.
//!
//! These checks do not ask `uses`: they run before there is a model, and name the place in the file.

use std::collections::BTreeSet;

use crate::errors::{Mistake, Mistakes};
use crate::file::{DraftCondition, DraftGroups, DraftItem, DraftModel, DraftScope, DraftWithin, ROLE, Reference};
use crate::messages::near_word;
use crate::model::ExtraPolicy;
use crate::path::{attribute_of, is_path};
use crate::source::{Located, Span};
use crate::template::{Template, base};

pub(super) fn check(draft: &DraftModel, mistakes: &mut Mistakes) {
    check_paths(draft, mistakes);
    check_rules(draft, mistakes);
    check_oneof(draft, mistakes);
    check_references(draft, mistakes);
    check_lists(draft, mistakes);
    check_extra(draft, mistakes);
    if draft.table.type_attribute.is_none() {
        for value in draft.items.iter().flat_map(|item| &item.type_values) {
            let message = "the table has no attribute with the item type's name";
            let help = "name it, `table.type = \"Type\"`, or remove this";
            mistakes.add(Mistake::new(value.span, message, "has no effect").help(help));
        }
    }
}

/// A path leads into a map or list. Attributes that Instep writes or masks are whole.
fn check_paths(draft: &DraftModel, mistakes: &mut Mistakes) {
    let table = draft.table.secret.iter().chain(&draft.table.type_attribute).chain([&draft.table.ttl]);
    for attribute in draft.items.iter().flat_map(written).chain(table).filter(|name| name.value.contains(['.', '['])) {
        let message =
            format!("`{}` is a path into a map or list, and here a whole attribute is needed", attribute.value);
        let help = format!("write `{}`, or give the value an attribute of its own", attribute_of(&attribute.value));
        mistakes.add(Mistake::new(attribute.span, message, "not a whole attribute").help(help));
    }
    let read =
        draft.items.iter().flat_map(read).chain(draft.correlation.iter().map(|name| (name.value.as_str(), name.span)));
    let of_names = draft
        .names
        .iter()
        .flat_map(|(name, said)| said.rule.attributes.iter().map(move |attribute| (attribute.as_str(), name.span)));
    for (attribute, at) in read.chain(of_names).filter(|(attribute, _)| !is_path(attribute)) {
        let message = format!("`{attribute}` is neither an attribute nor a path into one");
        let help = "write a path as DynamoDB does: `user.email` in a map, `grants[0].role` in a list";
        mistakes.add(Mistake::new(at, message, "never matches").help(help));
    }
    for (name, said) in &draft.names {
        let is_alone = said.values.is_empty() && said.like.is_none();
        if name.value.contains('.') && said.rule.attributes.is_empty() && is_alone {
            let message = format!("the rule for `{}` names no attribute", name.value);
            let help = "a name with a dot follows the rule of its last part: add `attribute`, or remove the rule";
            mistakes.add(Mistake::new(name.span, message, "has no effect").help(help));
        }
    }
}

/// The attributes and paths that an item type reads, each with its place.
fn read(item: &DraftItem) -> Vec<(&str, Span)> {
    let mut names: Vec<&Located<String>> = item.events.iter().collect();
    names.extend(item.verb.iter().flat_map(|(_, word)| &word.changed));
    if let Some(grant) = &item.grant {
        names.extend(&grant.roles);
    }
    names.extend(times(item));
    names.extend(item.permits.iter().filter_map(|permits| permits.list.as_ref()));
    let conditions = conditions(item).into_iter().chain(conditions_of_claims(item));
    names.extend(conditions.flatten().flat_map(|tests| &tests.value).map(|(name, _)| name));
    names.into_iter().map(|name| (name.value.as_str(), name.span)).collect()
}

/// The attributes that Instep writes into items of a type.
fn written(item: &DraftItem) -> Vec<&Located<String>> {
    let guard = item.guard.iter();
    let of_guard = guard.flat_map(|guard| {
        guard.by.iter().map(|(_, attribute)| attribute).chain(guard.writes.iter().map(|(attribute, _)| attribute))
    });
    of_guard.chain(item.due.iter().flat_map(|due| &due.set).map(|(name, _)| name)).collect()
}

/// A sweep removes only what items of the model can have in Cognito, and children.
fn check_extra(draft: &DraftModel, mistakes: &mut Mistakes) {
    let has_members = draft.items.iter().any(|item| !item.members.is_empty());
    let deletes_users = draft.items.iter().any(|item| item.user.as_ref().is_some_and(|user| user.delete));
    let mut refuse = |extra: &Option<Located<ExtraPolicy>>, message: &str, help: &str| {
        if let Some(extra) = extra {
            mistakes.add(Mistake::new(extra.span, message, "has no effect").help(help));
        }
    };
    if !draft.items.iter().any(|item| !item.parents.is_empty() || item.edge.is_some()) {
        refuse(&draft.table.orphans, "no item type has a `parent` or an `edge`", "add one, or remove this");
    }
    if !has_members {
        refuse(&draft.cognito.extra_members, "no item type has a `cognito.member`", "add one, or remove this");
    }
    if !deletes_users {
        let help = "add a `cognito.user`, or let its `delete` be true, or remove this";
        refuse(&draft.cognito.extra_users, "Instep deletes no users of this model", help);
    }
}

/// A list gives several names, and most names are one.
fn check_lists(draft: &DraftModel, mistakes: &mut Mistakes) {
    let mut single: Vec<&Located<Template>> = vec![&draft.detail_type];
    single.extend(draft.names.iter().filter_map(|(_, said)| said.like.as_ref()));
    for item in &draft.items {
        single.extend(item.pk.iter().chain(&item.sk));
        single.extend(item.indexes.iter().flat_map(|keys| keys.pk.iter().chain(&keys.sk)));
        single.extend(item.entity.iter().chain(&item.id).chain(item.verb.iter().map(|(_, word)| &word.word)));
        single.extend(
            item.user.iter().flat_map(|user| [&user.name].into_iter().chain(user.attributes.iter().map(|a| &a.1))),
        );
        single.extend(item.groups.iter().flat_map(DraftGroups::templates));
        let grant = item.grant.iter();
        single.extend(grant.flat_map(|grant| grant.roles_template.iter().chain(grant.scope.iter().filter_map(value))));
        single.extend(item.permits.iter().map(|permits| &permits.permission));
        let guard = item.guard.iter();
        single.extend(guard.flat_map(|guard| {
            let claimed = guard.claims.iter().flatten().flat_map(|claim| &claim.names);
            guard.writes.iter().chain(claimed).map(|(_, template)| template)
        }));
    }
    for template in single {
        if let Some(name) = template.value.each() {
            let message = format!("`{{{name}|each}}` is a list, and here a single string is needed");
            let help = "a list can stand in a `parent` and in the `group` of a `cognito.member`";
            mistakes.add(Mistake::new(template.span, message, "which of them?").help(help));
        }
    }
}

/// A scope or group that is no item's.
fn value(scope: &DraftScope) -> Option<&Located<Template>> {
    if let DraftScope::Value(template) = scope { Some(template) } else { None }
}

/// The conditions of a guard's claims, which are on the owner.
pub(super) fn conditions_of_claims(item: &DraftItem) -> Vec<&DraftCondition> {
    let claims = item.guard.iter().flat_map(|guard| &guard.claims).flatten();
    claims.flat_map(|claim| [Some(&claim.when), claim.transfer.as_ref()]).flatten().collect()
}

/// The conditions of an item type on its own items.
pub(super) fn conditions(item: &DraftItem) -> Vec<&DraftCondition> {
    let mut conditions: Vec<&DraftCondition> = Vec::new();
    conditions.extend(item.grant.iter().map(|grant| &grant.when));
    conditions.extend(item.edge.iter().filter_map(|edge| Some(&edge.conveys.as_ref()?.when)));
    conditions.extend(item.user.iter().flat_map(|user| [Some(&user.when), user.disabled.as_ref()]).flatten());
    conditions.extend(item.groups.iter().map(|groups| &groups.when));
    conditions.extend(item.members.iter().map(|member| &member.when));
    conditions.extend(item.due.iter().map(|due| &due.when));
    conditions.extend(item.verb.iter().map(|(_, word)| &word.when));
    conditions.extend(references(item).into_iter().filter_map(|reference| Some(&reference.when.as_ref()?.value)));
    conditions
}

/// A rule is for a name that something uses.
fn check_rules(draft: &DraftModel, mistakes: &mut Mistakes) {
    let mut used: BTreeSet<&str> = draft.items.iter().flat_map(names).map(base).collect();
    used.extend(draft.oneof.iter().map(|oneof| base(&oneof.by.value)));
    let same = draft.items.iter().filter_map(|item| item.grant.as_ref()).flat_map(|grant| &grant.same);
    used.extend(same.map(|name| base(&name.value)));
    let cases = draft.oneof.iter().flat_map(|oneof| &oneof.cases).flat_map(|(_, case)| &case.names);
    used.extend(cases.flat_map(|(name, template)| template.value.names().chain([name.value.as_str()])).map(base));
    // A shape counts if its own name is used. Shapes are nested no deeper than there are shapes.
    for _ in &draft.names {
        let before = used.len();
        for (name, said) in &draft.names {
            if let Some(like) = said.like.as_ref().filter(|_| used.contains(base(&name.value))) {
                used.extend(like.value.names());
            }
        }
        if used.len() == before {
            break;
        }
    }
    let due: BTreeSet<&str> = draft.items.iter().flat_map(|item| &item.due).map(|due| due.at.value.as_str()).collect();
    let read: BTreeSet<&str> =
        draft.items.iter().flat_map(times).chain(&draft.correlation).map(|name| name.value.as_str()).collect();
    for (name, said) in &draft.names {
        // Of a time or a correlation id, only the attribute counts.
        let is_read = said.values.is_empty() && said.like.is_none() && read.contains(name.value.as_str());
        if !used.contains(base(&name.value)) && !is_read {
            let known: Vec<&str> = used.iter().copied().collect();
            let help = match near_word(&name.value, &known) {
                Some(near) => format!("did you mean `{near}`?"),
                None => "remove the rule, or use the name".to_owned(),
            };
            let message = format!("no item type uses the name `{}`", name.value);
            mistakes.add(Mistake::new(name.span, message, "has no effect").help(help));
        } else if said.rule.is.is_some() && !name.value.contains('.') && !due.contains(name.value.as_str()) {
            let message = format!("no `due` rule uses the time `{}`", name.value);
            mistakes.add(Mistake::new(name.span, message, "`is` has no effect").help("remove `is`"));
        }
    }
}

/// The attributes with the times of an item type's grant.
fn times(item: &DraftItem) -> impl Iterator<Item = &Located<String>> {
    let grant = item.grant.iter();
    grant.flat_map(|grant| grant.from.iter().chain(&grant.until).chain(grant.last.iter().flatten()))
}

/// The names that an item type uses: in its keys and wherever a name is an attribute.
pub(super) fn names(item: &DraftItem) -> Vec<&str> {
    let mut names = own_names(item);
    let given = references(item).into_iter().flat_map(|reference| &reference.names);
    names.extend(given.map(|(name, _)| name.value.as_str()));
    for (name, template) in item.guard.iter().flat_map(|guard| &guard.claims).flatten().flat_map(|claim| &claim.names) {
        names.push(&name.value);
        names.extend(template.value.names());
    }
    names
}

/// Those of these names that its own items have: not what it calls the names of others.
pub(super) fn own_names(item: &DraftItem) -> Vec<&str> {
    let mut templates: Vec<&Template> = item.pk.iter().chain(&item.sk).map(|template| &template.value).collect();
    templates.extend(item.indexes.iter().flat_map(|keys| keys.pk.iter().chain(&keys.sk)).map(|key| &key.value));
    let words = item.verb.iter().map(|(_, word)| &word.word).chain(&item.entity).chain(&item.id);
    templates.extend(item.groups.iter().flat_map(DraftGroups::templates).map(|template| &template.value));
    templates.extend(words.map(|word| &word.value));
    if let Some(user) = &item.user {
        templates.push(&user.name.value);
        templates.extend(user.attributes.iter().map(|(_, template)| &template.value));
    }
    let scope = item.grant.iter().filter_map(|grant| grant.scope.as_ref());
    for scope in scope.chain(item.members.iter().map(|member| &member.group)) {
        if let DraftScope::Value(template) = scope {
            templates.push(&template.value);
        }
    }
    templates.extend(item.grant.iter().filter_map(|grant| grant.roles_template.as_ref()).map(|roles| &roles.value));
    let given = references(item).into_iter().flat_map(|reference| &reference.names);
    templates.extend(given.map(|(_, template)| &template.value));
    // Of a list, the names are those of its elements.
    let permits = item.permits.iter().filter(|permits| permits.list.is_none());
    templates.extend(permits.map(|permits| &permits.permission.value));
    let roles = item.grant.iter().flat_map(|grant| &grant.roles);
    let mut names: Vec<&str> = roles.map(|role| role.value.as_str()).collect();
    names.extend(item.due.iter().map(|due| due.at.value.as_str()));
    names.extend(templates.into_iter().flat_map(Template::names));
    names
}

pub(super) fn references(item: &DraftItem) -> Vec<&Reference> {
    let mut references: Vec<&Reference> = item.parents.iter().collect();
    references.extend(item.edge.iter().flat_map(|edge| &edge.ends).map(|(_, end)| end));
    let grant = item.grant.as_ref();
    references.extend(grant.map(|grant| &grant.subject));
    references.extend(grant.and_then(|grant| grant.role.as_ref()));
    references.extend(item.members.iter().map(|member| &member.user));
    references.extend(item.within.iter().flat_map(|within| match within {
        DraftWithin::Items(references) => references.as_slice(),
        DraftWithin::Path { name: _, separator: _ } => &[],
    }));
    references.extend(item.inherits.iter().chain(item.permits.iter().filter_map(|permits| permits.role.as_ref())));
    let scope = grant.and_then(|grant| grant.scope.as_ref()).into_iter();
    references.extend(scope.chain(item.members.iter().map(|member| &member.group)).filter_map(|scope| match scope {
        DraftScope::Item(reference) => Some(reference),
        DraftScope::Value(_) => None,
    }));
    references
}

/// A case of a `oneof` says only which item it is. Every `oneof` is referred to.
fn check_oneof(draft: &DraftModel, mistakes: &mut Mistakes) {
    for (_, case) in draft.oneof.iter().flat_map(|oneof| &oneof.cases) {
        if let Some(when) = &case.when {
            let help = "write it where the `oneof` is the `parent`, `{ type = \"…\", when = { … } }`; it then \
                        counts for every case";
            mistakes.add(Mistake::new(when.span, "a case of a `oneof` has no condition", "here").help(help));
        }
        if !case.needed {
            let message = format!("`?` has no effect in a case of a `oneof`: `{}?`", case.to.value);
            let help = "remove `?`, or write it where a grant names the `oneof`; it then counts for every case";
            mistakes.add(Mistake::new(case.to.span, message, "here").help(help));
        }
    }
    let referred: BTreeSet<&str> =
        draft.items.iter().flat_map(references).map(|reference| reference.to.value.as_str()).collect();
    for oneof in draft.oneof.iter().filter(|oneof| !referred.contains(oneof.name.value.as_str())) {
        let message = format!("no item type refers to `{}`", oneof.name.value);
        let help = "remove it, or name it in a reference, such as `parent`";
        mistakes.add(Mistake::new(oneof.name.span, message, "has no effect").help(help));
    }
}

/// No pool has a group that is in tokens alone.
fn check_tokens(item: &DraftItem, mistakes: &mut Mistakes) {
    for member in item.members.iter().filter(|member| member.in_token.is_some()) {
        if let Some(made) = &member.made {
            let message = "`made` has no effect: the group is in tokens alone, so nobody makes it";
            mistakes.add(Mistake::new(made.span, message, "here").help("remove `made`, or `in = \"token\"`"));
        }
        if let Some(at) = member.sign_out {
            let message = "`sign_out` has no effect: the group is in tokens alone, so no membership is removed";
            let help = "remove `sign_out`, or `in = \"token\"`: access ends with the last token";
            mistakes.add(Mistake::new(at, message, "here").help(help));
        }
    }
}

/// A membership needs the items that have its user and its group.
fn check_member_ends(item: &DraftItem, mistakes: &mut Mistakes) {
    for member in &item.members {
        let group = if let DraftScope::Item(reference) = &member.group { Some(reference) } else { None };
        for reference in [&member.user].into_iter().chain(group).filter(|reference| !reference.needed) {
            let to = &reference.to.value;
            let message = format!("a membership needs its `{to}`, which has the Cognito user or group");
            mistakes.add(Mistake::new(reference.to.span, message, "`?` has no effect").help("remove `?`"));
        }
    }
}

/// A reference leads to one item, and only a grant needs its parents.
fn check_references(draft: &DraftModel, mistakes: &mut Mistakes) {
    for item in &draft.items {
        check_member_ends(item, mistakes);
        check_tokens(item, mistakes);
        for reference in item.parents.iter().chain(item.edge.iter().flat_map(|edge| &edge.ends).map(|(_, end)| end)) {
            if !reference.needed && item.grant.is_none() {
                let message = format!("`?` has no effect here: no item needs its `{}` to exist", reference.to.value);
                mistakes.add(Mistake::new(reference.to.span, message, "here").help("remove `?`"));
            }
        }
        let roles: Vec<&str> = match &item.grant {
            // One that is only `{role}` gives the role that the attribute has.
            Some(grant)
                if grant.roles_template.as_ref().is_some_and(|template| template.value.to_string() == "{role}") =>
            {
                continue;
            }
            Some(grant) if !grant.roles.is_empty() || grant.roles_template.is_some() => {
                grant.roles.iter().map(|role| role.value.as_str()).chain([ROLE]).collect()
            }
            Some(_) | None => continue,
        };
        let in_key = |name: &str| item.pk.iter().chain(&item.sk).any(|key| key.value.names().any(|own| own == name));
        // The reference to the item of a role leads to one for each.
        let of_role = item.grant.as_ref().and_then(|grant| grant.role.as_ref());
        let others = references(item).into_iter().filter(|own| !of_role.is_some_and(|of| std::ptr::eq(*own, of)));
        for (_, template) in others.flat_map(|reference| &reference.names) {
            if let Some(name) = template.value.names().find(|name| roles.contains(name) && !in_key(name)) {
                let message = format!("`{{{name}}}` can be several roles, and a reference leads to one item");
                let help = "write an item for each role, with the role in its key; or name another attribute here";
                mistakes.add(Mistake::new(template.span, message, "which of them?").help(help));
            }
        }
    }
}
