//! Words that would have no effect: each is refused, so that a model does what it says.

use std::collections::BTreeSet;

use crate::errors::{Mistake, Mistakes};
use crate::file::{Draft, DraftItem, DraftScope, Reference};
use crate::messages::near_word;
use crate::source::{At, Span};
use crate::template::{Template, base};

pub(super) fn check(draft: &Draft, mistakes: &mut Mistakes) {
    check_paths(draft, mistakes);
    check_rules(draft, mistakes);
    check_references(draft, mistakes);
    if draft.table.type_attribute.is_none() {
        for value in draft.items.iter().flat_map(|item| &item.type_values) {
            let message = "the table has no attribute with the item type's name";
            let help = "name it, `table.type = \"Type\"`, or remove this";
            mistakes.add(Mistake::new(value.span, message, "has no effect").help(help));
        }
    }
}

/// Attributes are whole: a path into a map or a list would never match.
fn check_paths(draft: &Draft, mistakes: &mut Mistakes) {
    let table = draft.table.secret.iter().chain(&draft.table.type_attribute).chain(&draft.correlation);
    let own = draft.items.iter().flat_map(attributes).chain(table.map(|name| (name.value.as_str(), name.span)));
    let of_names = draft
        .names
        .iter()
        .flat_map(|(name, said)| said.rule.attributes.iter().map(move |attribute| (attribute.as_str(), name.span)));
    for (attribute, at) in own.chain(of_names).filter(|(attribute, _)| attribute.contains(['.', '['])) {
        let message = format!("`{attribute}` is a path into a map or list, and Instep reads whole attributes");
        let plain = attribute.replace(['.', '['], "_").replace(']', "");
        let help = format!("write the value as an attribute of its own, such as `{plain}`, and name that here");
        mistakes.add(Mistake::new(at, message, "never matches").help(help));
    }
    for (name, said) in &draft.names {
        let is_alone = said.values.is_empty() && said.like.is_none();
        if name.value.contains('.') && said.rule.attributes.is_empty() && is_alone {
            let message = format!("the rule for `{}` names no attribute", name.value);
            let help = "a name with a point follows the rule of its last part: add `attribute`, or remove the rule";
            mistakes.add(Mistake::new(name.span, message, "has no effect").help(help));
        }
    }
}

/// The attributes that an item type names, each with its place.
fn attributes(item: &DraftItem) -> Vec<(&str, Span)> {
    let mut names: Vec<&At<String>> = item.events.iter().collect();
    if let Some(grant) = &item.grant {
        names.extend(grant.roles.iter().chain(&grant.from).chain(&grant.until).chain(grant.last.iter().flatten()));
    }
    names.extend(item.user.iter().flat_map(|user| &user.disabled).map(|(name, _)| name));
    if let Some(guard) = &item.guard {
        names.extend(guard.by.iter().map(|(_, attribute)| attribute));
        names.extend(guard.writes.iter().map(|(attribute, _)| attribute));
        let values = guard.claims.iter().flat_map(|claim| claim.when.iter().chain(claim.transfer.iter().flatten()));
        names.extend(values.map(|(name, _)| name));
    }
    names.extend(item.due.iter().flat_map(|due| due.when.iter().chain(&due.set)).map(|(name, _)| name));
    names.into_iter().map(|name| (name.value.as_str(), name.span)).collect()
}

/// A rule is for a name that something uses.
fn check_rules(draft: &Draft, mistakes: &mut Mistakes) {
    let mut used: BTreeSet<&str> = draft.items.iter().flat_map(names).map(base).collect();
    used.extend(draft.oneof.iter().map(|oneof| base(&oneof.by.value)));
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
    for (name, said) in &draft.names {
        if !used.contains(base(&name.value)) {
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

/// The names that an item type uses: in its keys and wherever a name is an attribute.
fn names(item: &DraftItem) -> Vec<&str> {
    let mut templates: Vec<&Template> = item.pk.iter().chain(&item.sk).map(|template| &template.value).collect();
    templates.extend(item.indexes.iter().flat_map(|keys| keys.pk.iter().chain(&keys.sk)).map(|key| &key.value));
    let words = item.verb.iter().map(|(_, word)| word).chain(&item.entity).chain(&item.id).chain(&item.groups);
    templates.extend(words.map(|word| &word.value));
    if let Some(user) = &item.user {
        templates.push(&user.name.value);
        templates.extend(user.attributes.iter().map(|(_, template)| &template.value));
    }
    let scopes = [item.grant.as_ref().and_then(|g| g.scope.as_ref()), item.member.as_ref().map(|m| &m.group)];
    for scope in scopes.into_iter().flatten() {
        if let DraftScope::Value(template) = scope {
            templates.push(&template.value);
        }
    }
    templates.extend(item.grant.iter().filter_map(|grant| grant.roles_template.as_ref()).map(|roles| &roles.value));
    let mut names: Vec<&str> = Vec::new();
    for (name, template) in references(item).into_iter().flat_map(|reference| &reference.names) {
        names.push(&name.value);
        templates.push(&template.value);
    }
    if let Some(guard) = &item.guard {
        for (name, template) in guard.claims.iter().flat_map(|claim| &claim.names) {
            names.push(&name.value);
            templates.push(&template.value);
        }
    }
    names.extend(item.grant.iter().flat_map(|grant| &grant.roles).map(|role| role.value.as_str()));
    names.extend(item.due.iter().map(|due| due.at.value.as_str()));
    names.extend(templates.into_iter().flat_map(Template::names));
    names
}

fn references(item: &DraftItem) -> Vec<&Reference> {
    let mut references: Vec<&Reference> = item.parents.iter().collect();
    references.extend(item.edge.iter().flat_map(|edge| &edge.ends).map(|(_, end)| end));
    let grant = item.grant.as_ref();
    references.extend(grant.map(|grant| &grant.subject));
    let member = item.member.as_ref();
    references.extend(member.map(|member| &member.user));
    let scopes = [grant.and_then(|grant| grant.scope.as_ref()), member.map(|member| &member.group)];
    references.extend(scopes.into_iter().flatten().filter_map(|scope| match scope {
        DraftScope::Item(reference) => Some(reference),
        DraftScope::Value(_) => None,
    }));
    references
}

/// A reference leads to one item, and a parent is not needed. Every `oneof` is referred to.
fn check_references(draft: &Draft, mistakes: &mut Mistakes) {
    let mut referred: BTreeSet<&str> = BTreeSet::new();
    for item in &draft.items {
        referred.extend(references(item).into_iter().map(|reference| reference.to.value.as_str()));
        for reference in item.parents.iter().chain(item.edge.iter().flat_map(|edge| &edge.ends).map(|(_, end)| end)) {
            if !reference.needed {
                let message = format!("`?` has no effect here: no item needs its `{}` to exist", reference.to.value);
                mistakes.add(Mistake::new(reference.to.span, message, "here").help("remove `?`"));
            }
        }
        let roles: Vec<&str> = match &item.grant {
            Some(grant) if !grant.roles.is_empty() => {
                grant.roles.iter().map(|role| role.value.as_str()).chain([super::cognito::ROLE]).collect()
            }
            Some(_) | None => continue,
        };
        let in_key = |name: &str| item.pk.iter().chain(&item.sk).any(|key| key.value.names().any(|own| own == name));
        for (_, template) in references(item).into_iter().flat_map(|reference| &reference.names) {
            if let Some(name) = template.value.names().find(|name| roles.contains(name) && !in_key(name)) {
                let message = format!("`{{{name}}}` can be several roles, and a reference leads to one item");
                let help = "write an item for each role, with the role in its key; or name another attribute here";
                mistakes.add(Mistake::new(template.span, message, "which of them?").help(help));
            }
        }
    }
    for oneof in draft.oneof.iter().filter(|oneof| !referred.contains(oneof.name.value.as_str())) {
        let message = format!("no item type refers to `{}`", oneof.name.value);
        let help = "remove it, or name it in a reference, such as `parent`";
        mistakes.add(Mistake::new(oneof.name.span, message, "has no effect").help(help));
    }
}
