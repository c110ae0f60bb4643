//! Models in one order and as texts: what is equal in them means the same.

use std::collections::BTreeSet;
use std::fmt::Debug;

use super::link_text;
use crate::model::{GroupOwner, ItemType, LinkId, Model, ReadKey, Scope, TypeId};

/// The model with everything in one order whose order means nothing. No position of a group is left.
pub(super) fn ordered(model: &Model) -> Model {
    let mut ordered = model.clone();
    for (name, rule) in &mut ordered.names {
        rule.values.sort();
        if rule.attributes.is_empty() {
            rule.attributes.push(name.clone());
        }
    }
    ordered.names.retain(|name, rule| {
        let is_default = rule.values.is_empty() && rule.like.is_none() && rule.is.is_none();
        !is_default || rule.attributes.as_slice() != std::slice::from_ref(name)
    });
    ordered.items.iter_mut().for_each(|item| order(model, item));
    ordered.reads.sort_by(|one, other| one.name.cmp(&other.name));
    for read in &mut ordered.reads {
        if let ReadKey::Range(range) = &mut read.key {
            // It follows from the item types.
            range.dropped.clear();
        }
    }
    ordered
}

fn order(model: &Model, item: &mut ItemType) {
    item.attributes.sort();
    item.type_values.sort();
    item.assumed.sort();
    item.values.values_mut().for_each(|values| values.sort());
    item.index_keys.sort_by(|one, other| model.index_at(one.index).name.cmp(&model.index_at(other.index).name));
    item.groups.sort_by(|one, other| one.name.source().cmp(other.name.source()));
    if let Some(grant) = &mut item.grant {
        sort_links(model, &mut grant.role_links);
        grant.role_names.sort();
        if let Scope::Links(links) = &mut grant.scope {
            sort_links(model, links);
        }
    }
    if let Some(user) = &mut item.user {
        user.attributes.sort_by(|(one, _), (other, _)| one.cmp(other));
        user.unique.sort_by(|one, other| one.attribute.cmp(&other.attribute));
    }
    for member in &mut item.members {
        member.shared_with.sort_by_key(|of| model.item(*of).stable_name());
        match &mut member.group_owner {
            // The group's template says which one it is.
            GroupOwner::Link(_, place) | GroupOwner::Itself(place) => *place = 0,
            GroupOwner::Nothing { deleted_with } => sort_links(model, deleted_with),
            GroupOwner::People => {}
        }
    }
    item.members.sort_by_cached_key(|member| text(model, member));
}

fn sort_links(model: &Model, links: &mut [LinkId]) {
    links.sort_by_cached_key(|id| link_text(model, model.link(*id)));
}

/// The whole model.
pub(super) fn whole(model: &Model) -> Vec<String> {
    let Model {
        name,
        source,
        detail_type,
        correlation,
        tenant,
        secret,
        table,
        indexes,
        names,
        items,
        links,
        reads,
        marker,
        extra_members,
        extra_users,
        orphans,
        derived: _,
    } = model;
    let (indexes, items, links) = (texts(model, indexes), texts(model, items), texts(model, links));
    let reads = texts(model, reads);
    let all: [&dyn Debug; 16] = [
        name,
        source,
        detail_type,
        correlation,
        tenant,
        secret,
        table,
        &indexes,
        names,
        &items,
        &links,
        &reads,
        marker,
        extra_members,
        extra_users,
        orphans,
    ];
    all.iter().map(|value| text(model, *value)).collect()
}

/// The texts of values whose order means nothing.
pub(super) fn texts<T: Debug>(model: &Model, values: &[T]) -> BTreeSet<String> {
    values.iter().map(|value| text(model, value)).collect()
}

/// The text of a value, with item types, links and indexes by name.
pub(super) fn text<T: Debug + ?Sized>(model: &Model, value: &T) -> String {
    let debug = format!("{value:?}");
    let mut text = String::with_capacity(debug.len());
    let mut rest = debug.as_str();
    while let Some(first) = rest.chars().next() {
        if first == '"' {
            let (quoted, after) = rest.split_at(quoted_length(rest));
            text.push_str(quoted);
            rest = after;
        } else if let Some((name, after)) = position(model, rest) {
            text.push_str(&name);
            rest = after;
        } else {
            text.push(first);
            rest = rest.get(first.len_utf8()..).unwrap_or_default();
        }
    }
    text
}

/// The length of the quoted text with which this begins.
fn quoted_length(text: &str) -> usize {
    let mut is_escaped = false;
    for (at, c) in text.char_indices().skip(1) {
        match c {
            '"' if !is_escaped => return at + 1,
            _ => is_escaped = c == '\\' && !is_escaped,
        }
    }
    text.len()
}

/// The name for a position with which a text begins, and what follows.
fn position<'t>(model: &Model, text: &'t str) -> Option<(String, &'t str)> {
    ["TypeId(", "LinkId(", "index: Some(", "index: "].into_iter().find_map(|word| {
        let after = text.strip_prefix(word)?;
        let end = after.find(|c: char| !c.is_ascii_digit()).unwrap_or(after.len());
        let (digits, after) = after.split_at(end);
        let place: usize = digits.parse().ok()?;
        let name = match word {
            "TypeId(" => model.item(TypeId(place)).stable_name().to_owned(),
            "LinkId(" => link_text(model, model.link(LinkId(place))),
            _ => model.index_at(place).name.clone(),
        };
        Some((format!("{word}{name}"), after))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn positions_are_names_and_texts_stay_as_they_are() {
        let items = "[items.A]\npk = \"A#{a}\"\nsk = \"A\"\n[items.B]\npk = \"B#{b}\"\nsk = \"B\"\n";
        let model = Model::parse("m.toml", &format!("model = \"m\"\ntable = {{ pk = \"PK\", sk = \"SK\" }}\n{items}"));
        let model = model.unwrap();
        let place = model.type_named("B").unwrap();
        assert_eq!(text(&model, &("TypeId(0) \\\" TypeId(1)", place)), "(\"TypeId(0) \\\\\\\" TypeId(1)\", TypeId(B))");
    }
}
