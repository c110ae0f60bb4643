//! The attributes of an item on which effects depend.

use std::collections::BTreeSet;

use instep_model::template::Template;
use instep_model::{Condition, Grant, Identity, Item, Model, Roles, TypeId, attribute_of};

use crate::claims::guards_of;

/// The names whose text becomes part of effects of this item type, and which its key does not have.
#[must_use]
pub(crate) fn names_read(model: &Model, of: TypeId) -> BTreeSet<String> {
    let ty = model.item(of);
    let mut templates: Vec<&Template> = ty.members.iter().map(|member| &member.group).collect();
    for (_, guard) in guards_of(model, of) {
        templates.extend(guard.claims.iter().flat_map(|claim| claim.names.values()));
    }
    for (_, link) in model.links_from(of) {
        templates.extend(link.names.values());
    }
    let bound: BTreeSet<&str> = ty.forms.iter().flat_map(|form| &form.names).map(String::as_str).collect();
    let single = |template: &Template| {
        let names = template.names().filter(|name| template.each() != Some(*name) && !bound.contains(*name));
        names.map(str::to_owned).collect::<Vec<_>>()
    };
    let mut names: BTreeSet<String> = templates.into_iter().flat_map(single).collect();
    if let Some(grant) = &ty.grant {
        // The value of this name is a role of the grant.
        let is_role = |name: &String| ty.members.iter().any(|member| *name == member.role);
        names.retain(|name| matches!(grant.roles, Roles::None) || !is_role(name));
    }
    if let Some(Grant { roles: Roles::Attribute(spellings), .. }) = &ty.grant {
        names.retain(|name| !spellings.contains(name));
    }
    // In a Cognito attribute, roles are a text like any other.
    names.extend(ty.user.iter().flat_map(|user| &user.attributes).flat_map(|(_, template)| single(template)));
    let of_roles = ty.grant.iter().filter_map(|grant| match &grant.roles {
        Roles::Template(template) => Some(template),
        Roles::Attribute(_) | Roles::None => None,
    });
    names.extend(of_roles.flat_map(single));
    let times = ty.due.iter().map(|due| due.at.as_str());
    names.extend(times.filter(|name| !bound.contains(name)).map(str::to_owned));
    names
}

/// The names that select what a reference leads to, or become part of events, and have attributes of their own.
pub(crate) fn names_shown(model: &Model, of: TypeId) -> BTreeSet<String> {
    let ty = model.item(of);
    let words = ty.verb_words.values().flatten().map(|word| &word.word);
    let templates = ty.entity.iter().chain(&ty.entity_id).chain(words);
    let by = model.links_from(of).filter_map(|(_, link)| Some(link.when.as_ref()?.0.as_str()));
    let names = templates.flat_map(Template::names).chain(by).chain(model.tenant.iter().map(String::as_str));
    names.filter(|name| model.listed_attributes(name).is_some()).map(str::to_owned).collect()
}

/// The names of an item type whose values are lists.
pub(crate) fn lists(model: &Model, of: TypeId) -> BTreeSet<String> {
    let groups = model.item(of).members.iter().filter_map(|member| member.group.each().map(str::to_owned));
    groups.chain(model.links_from(of).filter_map(|(_, link)| link.each.clone())).collect()
}

/// The attributes of an item type on which effects depend: keys, index keys, and what templates and
/// conditions read.
#[must_use]
pub(crate) fn attributes_needed(model: &Model, of: TypeId) -> BTreeSet<String> {
    let ty = model.item(of);
    let mut needed: BTreeSet<String> =
        names_read(model, of).iter().flat_map(|name| whole_attributes(model, of, name)).collect();
    needed.extend(lists(model, of).iter().flat_map(|name| whole_attributes(model, of, name)));
    needed.extend([model.table.pk.clone(), model.table.sk.clone()]);
    needed.extend(model.table.type_attribute.clone());
    for keys in &ty.index_keys {
        let index = model.index_at(keys.index);
        needed.extend(index.pk.iter().chain(index.sk.iter().flatten()).cloned());
        let names = [Some(&keys.pk), keys.sk.as_ref()].into_iter().flatten().flat_map(Template::names);
        needed.extend(names.flat_map(|name| whole_attributes(model, of, name)));
    }
    if let Some(grant) = &ty.grant {
        if let Roles::Attribute(spellings) = &grant.roles {
            needed.extend(spellings.iter().map(|path| attribute_of(path).to_owned()));
        }
        needed.extend(grant.from.iter().chain(&grant.until).map(|path| attribute_of(path).to_owned()));
    }
    needed.extend(conditions(model, of).into_iter().flat_map(Condition::attributes).map(str::to_owned));
    for due in &ty.due {
        needed.extend(whole_attributes(model, of, &due.at));
        needed.extend(due.when.attributes().map(str::to_owned));
    }
    for claim in guards_of(model, of).flat_map(|(_, guard)| &guard.claims) {
        let both = claim.when.attributes().chain(claim.transfer.iter().flat_map(Condition::attributes));
        needed.extend(both.map(str::to_owned));
    }
    if let Some(guard) = &ty.guard {
        needed.extend(guard.owner_attributes.iter().map(|(_, attribute)| attribute.clone()));
    }
    for (_, link) in model.links_from(of) {
        needed.extend(link.when.iter().flat_map(|(name, _)| whole_attributes(model, of, name)));
    }
    needed
}

/// The attributes of an item type that a run reads of an item: those on which effects depend, and those whose values
/// make the item invalid.
#[must_use]
pub fn attributes_read(model: &Model, of: TypeId) -> BTreeSet<String> {
    let mut read = attributes_needed(model, of);
    read.extend(names_shown(model, of).iter().flat_map(|name| whole_attributes(model, of, name)));
    read
}

/// The attributes of an item type that events show or depend on, and those that effects depend on. None of them is
/// masked as a copy of a secret: events show them anyway, and a record that is handled later has to give the same
/// events.
pub(crate) fn attributes_in_use(model: &Model, of: TypeId) -> BTreeSet<String> {
    let ty = model.item(of);
    let mut used = attributes_read(model, of);
    let words = ty.verb_words.values().flatten();
    let paths = words.flat_map(|word| word.when.attributes().chain(word.changed.iter().map(String::as_str)));
    let paths = paths.chain(ty.attributes.iter().map(String::as_str));
    let paths = paths.chain(model.correlation.iter().map(String::as_str));
    used.extend(paths.map(|path| attribute_of(path).to_owned()));
    // The last revocation of a subject depends on when its item was written.
    let grants = model.items.iter().filter_map(|item| item.grant.as_ref()?.last.as_ref());
    used.extend(grants.flat_map(|last| last.written.iter().map(|path| attribute_of(path).to_owned())));
    used
}

/// The attributes of an item type whose values are in the keys of secret items: those of unique values and of
/// references.
#[must_use]
pub(crate) fn attributes_of_secret_keys(model: &Model, of: TypeId) -> BTreeSet<String> {
    let secret = model.items.iter().enumerate().filter(|(_, ty)| ty.secret);
    secret.flat_map(|(place, _)| model.attributes_in_keys_of(of, TypeId(place))).collect()
}

/// The top-level attributes from which a name is read if it is not in the key.
fn whole_attributes(model: &Model, of: TypeId, name: &str) -> Vec<String> {
    model.paths_with(of, name).iter().map(|path| attribute_of(path).to_owned()).collect()
}

/// The conditions of an item type, without those of its claims.
pub(crate) fn conditions(model: &Model, of: TypeId) -> Vec<&Condition> {
    let ty = model.item(of);
    let user = ty.user.iter().flat_map(|user| [Some(&user.when), user.disabled.as_ref()]).flatten();
    let links = model.links_from(of).map(|(_, link)| &link.condition);
    let grant = ty.grant.iter().map(|grant| &grant.when);
    let members = ty.members.iter().map(|member| &member.when);
    user.chain(links).chain(grant).chain(members).chain(ty.groups.iter().map(|groups| &groups.when)).collect()
}

/// The part of an item that a run reads: it is valid if the whole item is. Of an item that the model does not
/// describe, and of a bookkeeping item, the key.
#[must_use]
pub fn needed_item(model: &Model, item: &Item) -> Item {
    let needed = match model.table.key_of(item).map(|key| model.identify(&key)) {
        Some(Identity::Item { object, .. }) => attributes_read(model, object.of),
        Some(Identity::Bookkeeping | Identity::Unknown(_)) | None => {
            [model.table.pk.clone(), model.table.sk.clone()].into()
        }
    };
    let own = item.iter().filter(|(name, _)| needed.contains(*name));
    own.map(|(name, value)| (name.clone(), value.clone())).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Promise 1: what a message, a masked record or a backfill keeps of an item says everything that it implies, also
    /// by a name inside another attribute.
    #[test]
    fn an_attribute_with_a_name_inside_is_needed() {
        let model = r#"
model = "own"
table = { pk = "pk", sk = "sk" }
[names.urn]
like = "urn:{kind}:{teamId}"
[items.Team]
pk = "T#{teamId}"
sk = "T#{urn}"
[items.Note]
pk = "N#{noteId}"
sk = "N"
parent = { type = "Team", teamId = "{teamId}", urn = "{place}", find = "back-reference" }
"#;
        let model = Model::parse("own.toml", model).unwrap();
        let of = model.type_named("Note").unwrap();
        let needed = ["place", "pk", "sk", "teamId", "urn"].map(str::to_owned);
        assert_eq!(attributes_needed(&model, of), needed.into());
    }
}
