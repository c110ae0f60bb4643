//! The queries over the uses of an item type that replace `attributes.rs`, and their equality with it.

use std::collections::{BTreeMap, BTreeSet};

use instep_model::{Item, ItemPart, Model, Names, Purpose, Reads, Sources, TypeId, Use, Value, attribute_of};

use crate::image::{Parts, Reading};

/// The names whose text becomes part of effects of this item type, and which its key does not have.
pub(crate) fn names_read(model: &Model, of: TypeId) -> BTreeSet<String> {
    let forms = &model.item(of).forms;
    let is_in_key = |name: &String| forms.iter().any(|form| form.names.contains(name));
    let name = |of: &Use| match (&of.reads, of.purpose) {
        (Reads::Name(_) | Reads::Theirs(_), Purpose::StandsForRole) => None,
        (Reads::Name(name) | Reads::Theirs(name), _) => Some(name.clone()),
        (Reads::List(_) | Reads::Paths(_) | Reads::Test(..), _) => None,
    };
    let is_effect = |of: &&Use| match of.purpose {
        Purpose::Text => !matches!(of.part, ItemPart::Event | ItemPart::Word(_) | ItemPart::IndexKeys),
        Purpose::Role | Purpose::UserAttribute => true,
        _ => false,
    };
    let names = model.uses(of).iter().filter(is_effect).filter_map(name);
    names.filter(|name| !is_in_key(name)).collect()
}

/// The names that select what a reference leads to, or become part of events, and have attributes of their own.
pub(crate) fn names_shown(model: &Model, of: TypeId) -> BTreeSet<String> {
    let is_shown = |of: &&Use| match of.purpose {
        Purpose::Text => matches!(of.part, ItemPart::Event | ItemPart::Word(_)),
        Purpose::Selects | Purpose::Tenant => true,
        _ => false,
    };
    let names = model.uses(of).iter().filter(is_shown).filter_map(|of| match &of.reads {
        Reads::Name(name) => Some(name),
        Reads::List(_) | Reads::Theirs(_) | Reads::Paths(_) | Reads::Test(..) => None,
    });
    names.filter(|name| model.listed_attributes(name).is_some()).cloned().collect()
}

/// The names of an item type whose values are lists.
pub(crate) fn lists(model: &Model, of: TypeId) -> BTreeSet<String> {
    let list = |of: &Use| match &of.reads {
        Reads::List(name) => Some(name.clone()),
        Reads::Name(_) | Reads::Theirs(_) | Reads::Paths(_) | Reads::Test(..) => None,
    };
    model.uses(of).iter().filter_map(list).collect()
}

/// Whether effects follow from a use, and not only events.
fn has_effects(of: &Use) -> bool {
    let is_of_effects = match of.part {
        ItemPart::Event | ItemPart::Word(_) | ItemPart::LastRevocation(_) => false,
        ItemPart::IndexKeys
        | ItemPart::Link(_)
        | ItemPart::Grant
        | ItemPart::User
        | ItemPart::Groups
        | ItemPart::Member
        | ItemPart::Due
        | ItemPart::Guard
        | ItemPart::Claim(_) => true,
    };
    is_of_effects && !matches!(of.purpose, Purpose::Scope | Purpose::StandsForRole)
}

/// The attributes of an item type on which effects depend: keys, index keys, and what templates and
/// conditions read.
pub(crate) fn attributes_needed(model: &Model, of: TypeId) -> BTreeSet<String> {
    let ty = model.item(of);
    let mut needed: BTreeSet<String> = [&model.table.pk, &model.table.sk].map(Clone::clone).into();
    needed.extend(model.table.type_attribute.clone());
    let indexes = ty.index_keys.iter().map(|keys| model.index_at(keys.index));
    needed.extend(indexes.flat_map(|index| index.pk.iter().chain(index.sk.iter().flatten()).cloned()));
    let read = names_read(model, of);
    for of_part in model.uses(of).iter().filter(|of| has_effects(of)) {
        match &of_part.reads {
            Reads::Theirs(name) | Reads::Name(name) => {
                let is_asked = read.contains(name)
                    || matches!(of_part.part, ItemPart::IndexKeys | ItemPart::Due)
                    || of_part.purpose == Purpose::Selects;
                needed.extend(is_asked.then(|| model.sources(of, &Names::new(), name)).into_iter().flatten());
            }
            Reads::List(_) | Reads::Paths(_) | Reads::Test(..) => {
                needed.extend(of_part.sources(model, of, &Names::new()));
            }
        }
    }
    needed
}

/// The attributes in the conditions of an item type, without those of its claims.
pub(crate) fn attributes_tested(model: &Model, of: TypeId) -> impl Iterator<Item = &str> {
    model.uses(of).iter().filter_map(|of| match (of.part, &of.reads) {
        (
            ItemPart::User | ItemPart::Link(_) | ItemPart::Grant | ItemPart::Member | ItemPart::Groups,
            Reads::Test(name, _),
        ) => Some(attribute_of(name)),
        _ => None,
    })
}

/// What of an item its memberships depend on.
pub(crate) fn parts<'m>(model: &'m Model, of: TypeId, key_names: &Names) -> Parts<'m> {
    let mut parts = Parts::default();
    let mut add = |path: String, reading| parts.paths.entry(path).or_default().push(reading);
    let mut names: BTreeSet<&str> = BTreeSet::new();
    let is_asked = |of: &&Use| {
        matches!(of.part, ItemPart::Member | ItemPart::Link(_) | ItemPart::Grant) && of.purpose != Purpose::Scope
    };
    for of_part in model.uses(of).iter().filter(is_asked) {
        match &of_part.reads {
            Reads::Name(name) | Reads::Theirs(name) => drop(names.insert(name)),
            Reads::List(name) => model.attributes_of(name).into_iter().for_each(|path| add(path, Reading::List)),
            Reads::Paths(paths) => {
                let reading = if of_part.purpose == Purpose::Role { Reading::List } else { Reading::Text };
                paths.iter().for_each(|path| add(path.clone(), reading));
            }
            Reads::Test(name, test) => add(name.clone(), Reading::Tests(test)),
        }
    }
    for name in names {
        let Sources { paths, attributes } = model.source_paths(of, key_names, name);
        paths.into_iter().for_each(|path| add(path, Reading::Text));
        parts.attributes.extend(attributes);
    }
    parts
}

/// The attributes that some parts of an item read, with their values.
pub(crate) fn values(
    model: &Model,
    (of, key_names): (TypeId, &Names),
    item: &Item,
    is_asked: impl Fn(&Use) -> bool,
) -> BTreeMap<String, Option<Value>> {
    let asked = model.uses(of).iter().filter(|of| is_asked(of));
    let attributes = asked.flat_map(|of_part| of_part.sources(model, of, key_names));
    attributes.map(|name| (name.clone(), item.get(&name).cloned())).collect()
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use instep_model::template::Template;
    use instep_model::{Condition, Link, Object};

    use super::*;
    use crate::{attributes, image};

    /// The texts of all models of the repository: files, and raw strings of tests.
    fn texts(folder: &Path, found: &mut Vec<String>) {
        for entry in std::fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            let name = path.file_name().unwrap().to_str().unwrap().to_owned();
            if path.is_dir() && !["target", ".git", "node_modules"].contains(&name.as_str()) {
                texts(&path, found);
            } else if name.ends_with(".toml") {
                found.push(std::fs::read_to_string(&path).unwrap());
            } else if name.ends_with(".rs") {
                let text = std::fs::read_to_string(&path).unwrap();
                let raw = text.split("r#\"").skip(1).filter_map(|rest| Some(rest.split_once("\"#")?.0.to_owned()));
                found.extend(raw.filter(|raw| raw.contains("model = ")));
            }
        }
    }

    fn variants(text: &str) -> impl Iterator<Item = String> {
        let lines: Vec<&str> = text.lines().collect();
        let without = |place: usize| {
            let kept = lines.iter().enumerate().filter(|(other, _)| *other != place).map(|(_, line)| *line);
            kept.collect::<Vec<_>>().join("\n")
        };
        (0..=lines.len()).map(without).collect::<Vec<_>>().into_iter()
    }

    fn old_linking(model: &Model, link: &Link, row: &Object) -> BTreeSet<String> {
        let names = link.names.values().flat_map(Template::names);
        let names = names.chain(link.when.iter().map(|(name, _)| name.as_str()));
        names
            .flat_map(|name| model.sources(row.of, &row.names, name))
            .chain(link.condition.attributes().filter(|name| !row.names.contains_key(*name)).map(str::to_owned))
            .collect()
    }

    #[test]
    fn the_uses_say_what_the_enumerations_said() {
        let mut found = Vec::new();
        texts(Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../..")), &mut found);
        let (mut models, mut types, mut uses) = (0, 0, 0);
        for model in found.iter().filter(|text| Model::parse("m", text).is_ok()).flat_map(|text| variants(text)) {
            let Ok(model) = Model::parse("m", &model) else { continue };
            models += 1;
            for of in (0..model.items.len()).map(TypeId) {
                let ty = model.item(of);
                types += 1;
                uses += model.uses(of).len();
                let at = format!("{} {} {:#?}", model.name, ty.name, model.uses(of));
                assert_eq!(names_read(&model, of), attributes::names_read(&model, of), "names read {at}");
                assert_eq!(names_shown(&model, of), attributes::names_shown(&model, of), "names shown {at}");
                assert_eq!(lists(&model, of), attributes::lists(&model, of), "lists {at}");
                assert_eq!(attributes_needed(&model, of), attributes::attributes_needed(&model, of), "needed {at}");
                let tested: BTreeSet<&str> = attributes_tested(&model, of).collect();
                let conditions = attributes::conditions(&model, of);
                assert_eq!(tested, conditions.into_iter().flat_map(Condition::attributes).collect(), "tested {at}");
                for form in &ty.forms {
                    let names = form.names.iter().map(|name| (name.clone(), "1".to_owned())).collect();
                    let object = Object { of, names };
                    let (new, old) = (parts(&model, of, &object.names), image::parts(&model, &object));
                    assert_eq!(new.attributes, old.attributes, "image {at}");
                    let set = |parts: &Parts<'_>| -> BTreeMap<String, BTreeSet<String>> {
                        let one = |(path, read): (&String, &Vec<Reading<'_>>)| {
                            (path.clone(), read.iter().map(|reading| format!("{reading:?}")).collect())
                        };
                        parts.paths.iter().map(one).collect()
                    };
                    assert_eq!(set(&new), set(&old), "image {at}");
                    let item = Item::new();
                    for (id, link) in model.links_from(of) {
                        let new = values(&model, (of, &object.names), &item, |of| of.part == ItemPart::Link(id));
                        assert_eq!(new.into_keys().collect::<BTreeSet<_>>(), old_linking(&model, link, &object), "{at}");
                    }
                    let of_times = |of: &Use| match of.part {
                        ItemPart::Link(_) | ItemPart::Due => true,
                        _ => of.purpose == Purpose::Window,
                    };
                    let new = values(&model, (of, &object.names), &item, of_times);
                    let old = crate::reconcile::extra::attributes(&model, &object);
                    assert_eq!(new.into_keys().collect::<BTreeSet<_>>(), old.collect(), "extra {at}");
                }
            }
        }
        println!("{models} models, {types} item types, {uses} uses");
        assert!(models > 500, "{models}");
    }
}
