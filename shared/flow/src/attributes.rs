//! The attributes of an item on which effects depend.

use std::collections::{BTreeMap, BTreeSet};

use crate::tenants;

use instep_model::{Identity, Item, ItemPart, Model, Names, Object, Purpose, Reads, TypeId, Use, Value, attribute_of};

/// The names whose text becomes part of effects of this item type.
pub(crate) fn names_read(model: &Model, of: TypeId) -> BTreeSet<&str> {
    let is_read = |of: &&Use| has_effects(of) && of.part != ItemPart::IndexKeys && of.purpose != Purpose::Selects;
    model.uses(of).iter().filter(is_read).filter_map(name).collect()
}

/// The names that select what a reference leads to, or become part of events, and have attributes of their own.
pub(crate) fn names_shown(model: &Model, of: TypeId) -> BTreeSet<&str> {
    let is_shown = |of: &&Use| match of.purpose {
        Purpose::Text => matches!(of.part, ItemPart::Event | ItemPart::Word(_)),
        Purpose::Selects | Purpose::Tenant => true,
        Purpose::Role
        | Purpose::Window
        | Purpose::Scope
        | Purpose::When
        | Purpose::Disabled
        | Purpose::Transfer
        | Purpose::UserAttribute
        | Purpose::Precedence
        | Purpose::Changed
        | Purpose::Shown
        | Purpose::Correlation
        | Purpose::Written => false,
    };
    let names = model.uses(of).iter().filter(is_shown).filter_map(name);
    names.filter(|name| model.listed_attributes(name).is_some()).collect()
}

/// The names of an item type whose values are lists.
pub(crate) fn lists<'m>(model: &'m Model, of: TypeId) -> BTreeSet<&'m str> {
    let list = |of: &'m Use| match &of.reads {
        Reads::List(name) => Some(name.as_str()),
        Reads::Name(_) | Reads::Paths(_) | Reads::Test(..) => None,
    };
    model.uses(of).iter().filter_map(list).collect()
}

/// The name whose text a use reads.
fn name(of: &Use) -> Option<&str> {
    match &of.reads {
        Reads::Name(name) => Some(name),
        Reads::List(_) | Reads::Paths(_) | Reads::Test(..) => None,
    }
}

/// Whether effects follow from a use, and not only events.
const fn has_effects(of: &Use) -> bool {
    // It leads to a finding at most.
    if matches!(of.purpose, Purpose::Written) {
        return false;
    }
    match of.part {
        ItemPart::Event | ItemPart::Word(_) | ItemPart::LastRevocation(_) => false,
        // A scope that is only a value has no effect.
        ItemPart::Grant => !matches!(of.purpose, Purpose::Scope),
        ItemPart::IndexKeys
        | ItemPart::Member
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
    let key_names = model.names_in_each_key(of);
    let uses = model.uses(of).iter().filter(|of| has_effects(of));
    needed.extend(uses.flat_map(|of_this| of_this.sources(model, of, &key_names)));
    needed
}

/// The attributes of an item type that a run reads of an item: those on which effects depend, and those whose values
/// make the item invalid.
#[must_use]
pub fn attributes_read(model: &Model, of: TypeId) -> BTreeSet<String> {
    let mut read = attributes_needed(model, of);
    read.extend(names_shown(model, of).iter().flat_map(|name| model.sources(of, &Names::new(), name)));
    let written = model.links_from(of).flat_map(|(_, link)| &link.written);
    read.extend(written.map(|path| attribute_of(path).to_owned()));
    read
}

/// The attributes that a run reads of items of any type which its batch does not name.
#[must_use]
pub fn attributes_read_of_others(model: &Model) -> BTreeSet<String> {
    let types = model.types().flat_map(|(of, _)| attributes_read(model, of));
    types.chain(tenants::attributes(model)).collect()
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
    let secret = model.types().filter(|(_, ty)| ty.secret);
    secret.flat_map(|(secret, _)| model.attributes_in_keys_of(of, secret)).collect()
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

    /// Promises 6 and 9: a name in the key of another item, and one that stands for a role, are no names of this item.
    /// An attribute that is called so parks no record and is kept nowhere.
    #[test]
    fn an_attribute_called_like_the_name_of_something_else_is_not_read() {
        let model = r#"
model = "own"
table = { pk = "pk", sk = "sk" }
[items.Person]
pk = "P#{userId}"
sk = "P"
cognito.user = { name = "{userId}" }
[items.Team]
pk = "T#{teamId}"
sk = "T"
cognito.groups = "{teamId}"
[items.Seat]
pk = "P#{person}"
sk = "S#{seatId}"
[items.Seat.cognito.member]
user = { type = "Person", userId = "{person}" }
group = { type = "Team", teamId = "{team}", find = "back-reference" }
[items.Pass]
pk = "P#{userId}"
sk = "T#{teamId}"
grant = { subject = "Person", scope = { type = "Team", find = "back-reference" }, roles = "{kind}" }
cognito.member = { user = "Person", group = "{teamId}:{role}" }
"#;
        let secret = model.replace("sk = \"sk\" }", "sk = \"sk\", secret = [\"role\"] }");
        assert!(secret != model && Model::parse("own.toml", &secret).is_ok(), "nothing follows from this `role`");
        let model = Model::parse("own.toml", model).unwrap();
        let text = |text: &str| Value::S(text.to_owned());
        for (name, key, like_another, read) in [
            ("Seat", &[("person", "p"), ("seatId", "1")], "teamId", "team"),
            ("Pass", &[("teamId", "t"), ("userId", "u")], "role", "kind"),
        ] {
            let of = model.type_named(name).unwrap();
            let names = key.iter().map(|(name, text)| ((*name).to_owned(), (*text).to_owned())).collect();
            let object = Object { of, names };
            let mut item = Item::from([(read.to_owned(), text("x"))]);
            let image = crate::implied::needed_image(&model, &object, &item);
            item.insert(like_another.to_owned(), Value::L(vec![text("x")]));
            assert_eq!(crate::valid::item(&model, &object, &item), Ok(()), "{name}");
            assert!(!attributes_needed(&model, of).contains(like_another), "{name}");
            assert_eq!(crate::implied::needed_image(&model, &object, &item), image, "{name}");
        }
    }

    /// Promise 1: what a message, a masked record or a backfill keeps of an item says everything that it implies, also by
    /// a name inside another attribute, and by one that only another form of the key has.
    #[test]
    fn an_attribute_that_replaces_a_name_of_another_form_is_needed() {
        let shaped = r#"
names.urn.like = "urn:{kind}:{teamId}"
[items.Team]
pk = "T#{teamId}"
sk = "T#{urn}"
[items.Note]
pk = "N#{noteId}"
sk = "N"
parent = { type = "Team", teamId = "{teamId}", urn = "{place}", find = "back-reference" }
"#;
        let in_one_form = r#"
[items.Team]
pk = "T#{teamId}"
sk = "T"
[items.Note]
pk = ["T#{teamId}", "N#{noteId}"]
sk = ["N#{noteId}", "N"]
parent = { type = "Team", teamId = "{teamId}", find = "back-reference" }
"#;
        for (items, needed) in
            [(shaped, &["place", "pk", "sk", "teamId", "urn"][..]), (in_one_form, &["pk", "sk", "teamId"])]
        {
            let text = format!("model = \"own\"\ntable = {{ pk = \"pk\", sk = \"sk\" }}\n{items}");
            let model = Model::parse("own.toml", &text).unwrap();
            let of = model.type_named("Note").unwrap();
            assert_eq!(attributes_needed(&model, of), needed.iter().map(|name| (*name).to_owned()).collect());
        }
    }
}
