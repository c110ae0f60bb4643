//! The attributes of an item on which effects depend.

use std::collections::{BTreeMap, BTreeSet};

use instep_model::{Identity, Item, ItemPart, Model, Names, Object, Purpose, Reads, TypeId, Use, Value, attribute_of};

/// The names whose text becomes part of effects of this item type, and which its key does not have.
#[must_use]
pub(crate) fn names_read(model: &Model, of: TypeId) -> BTreeSet<String> {
    let is_read = |of: &&Use| has_effects(of) && of.part != ItemPart::IndexKeys && of.purpose != Purpose::Selects;
    let names = model.uses(of).iter().filter(is_read).filter_map(name);
    names.filter(|name| !is_in_key(model, of, name)).map(str::to_owned).collect()
}

/// The names that select what a reference leads to, or become part of events, and have attributes of their own.
pub(crate) fn names_shown(model: &Model, of: TypeId) -> BTreeSet<String> {
    let is_shown = |of: &&Use| match of.purpose {
        Purpose::Text => matches!(of.part, ItemPart::Event | ItemPart::Word(_)),
        Purpose::Selects | Purpose::Tenant => true,
        Purpose::Role
        | Purpose::StandsForRole
        | Purpose::Window
        | Purpose::Scope
        | Purpose::When
        | Purpose::Disabled
        | Purpose::Transfer
        | Purpose::UserAttribute
        | Purpose::Changed
        | Purpose::Shown
        | Purpose::Correlation
        | Purpose::Written => false,
    };
    let names = model.uses(of).iter().filter(is_shown).filter_map(name);
    names.filter(|name| model.listed_attributes(name).is_some()).map(str::to_owned).collect()
}

/// The names of an item type whose values are lists.
pub(crate) fn lists(model: &Model, of: TypeId) -> BTreeSet<String> {
    let list = |of: &Use| match &of.reads {
        Reads::List(name) => Some(name.clone()),
        Reads::Name(_) | Reads::Theirs(_) | Reads::Paths(_) | Reads::Test(..) => None,
    };
    model.uses(of).iter().filter_map(list).collect()
}

/// The name whose text a use reads.
fn name(of: &Use) -> Option<&str> {
    match &of.reads {
        Reads::Name(name) | Reads::Theirs(name) => Some(name),
        Reads::List(_) | Reads::Paths(_) | Reads::Test(..) => None,
    }
}

fn is_in_key(model: &Model, of: TypeId, name: &str) -> bool {
    model.item(of).forms.iter().any(|form| form.names.contains(name))
}

/// Whether effects follow from a use, and not only events.
const fn has_effects(of: &Use) -> bool {
    match of.part {
        ItemPart::Event | ItemPart::Word(_) | ItemPart::LastRevocation(_) => false,
        // The grant itself says which role a name stands for. A scope that is only a value has no effect.
        ItemPart::Grant | ItemPart::Member => !matches!(of.purpose, Purpose::StandsForRole | Purpose::Scope),
        ItemPart::IndexKeys
        | ItemPart::Link(_)
        | ItemPart::User
        | ItemPart::Groups
        | ItemPart::Due
        | ItemPart::Guard
        | ItemPart::Claim(_) => true,
    }
}

/// The attributes of an item type on which effects depend: keys, index keys, and what templates and
/// conditions read.
#[must_use]
pub(crate) fn attributes_needed(model: &Model, of: TypeId) -> BTreeSet<String> {
    let mut needed: BTreeSet<String> = [model.table.pk.clone(), model.table.sk.clone()].into();
    needed.extend(model.table.type_attribute.clone());
    for keys in &model.item(of).index_keys {
        let index = model.index_at(keys.index);
        needed.extend(index.pk.iter().chain(index.sk.iter().flatten()).cloned());
    }
    for of_this in model.uses(of).iter().filter(|of| has_effects(of)) {
        let may_be_in_key =
            matches!(of_this.part, ItemPart::IndexKeys | ItemPart::Due) || of_this.purpose == Purpose::Selects;
        match name(of_this) {
            Some(name) if !may_be_in_key && is_in_key(model, of, name) => {}
            Some(name) => needed.extend(model.sources(of, &Names::new(), name)),
            None => needed.extend(of_this.sources(model, of, &Names::new())),
        }
    }
    needed
}

/// The attributes of an item type that a run reads of an item: those on which effects depend, and those whose values
/// make the item invalid.
#[must_use]
pub fn attributes_read(model: &Model, of: TypeId) -> BTreeSet<String> {
    let mut read = attributes_needed(model, of);
    read.extend(names_shown(model, of).iter().flat_map(|name| model.sources(of, &Names::new(), name)));
    read
}

/// The attributes of an item type that events show or depend on, and those that effects depend on. None of them is
/// masked as a copy of a secret: events show them anyway, and a record that is handled later has to give the same
/// events.
pub(crate) fn attributes_in_use(model: &Model, of: TypeId) -> BTreeSet<String> {
    let mut used = attributes_read(model, of);
    let paths = |of: &Use| match (&of.reads, of.part) {
        (Reads::Paths(paths), ItemPart::Event | ItemPart::Word(_)) => paths.clone(),
        (Reads::Test(path, _), ItemPart::Word(_)) => vec![path.clone()],
        (_, _) => Vec::new(),
    };
    used.extend(model.uses(of).iter().flat_map(paths).map(|path| attribute_of(&path).to_owned()));
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

/// The attributes in the conditions of an item type, without those of its claims, its `due` rules and its words.
pub(crate) fn attributes_tested(model: &Model, of: TypeId) -> impl Iterator<Item = &str> {
    model.uses(of).iter().filter_map(|of| match (&of.reads, of.part) {
        (
            Reads::Test(name, _),
            ItemPart::User | ItemPart::Link(_) | ItemPart::Grant | ItemPart::Member | ItemPart::Groups,
        ) => Some(attribute_of(name)),
        (_, _) => None,
    })
}

/// The attributes that some of the uses of an object's item read, with their values. A name in the key is no
/// attribute.
pub(crate) fn values_read(
    model: &Model,
    object: &Object,
    item: &Item,
    is_asked: impl Fn(&Use) -> bool,
) -> BTreeMap<String, Option<Value>> {
    let is_key = |of: &Use| matches!(&of.reads, Reads::Test(name, _) if object.names.contains_key(attribute_of(name)));
    let asked = model.uses(object.of).iter().filter(|of| is_asked(of) && !is_key(of));
    let attributes = asked.flat_map(|of| of.sources(model, object.of, &object.names));
    attributes.map(|name| (name.clone(), item.get(&name).cloned())).collect()
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
