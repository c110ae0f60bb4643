//! Refuses secret attributes whose values become part of names, or say what an earlier image of an
//! item had.

use std::collections::{BTreeMap, BTreeSet};

use crate::errors::{Mistake, Mistakes};
use crate::file::Draft;
use crate::model::{Claim, Condition, ItemType, KeyForm, Model, Names, Roles, Scope, TypeId};
use crate::path::attribute_of;
use crate::template::Template;
use crate::uses::{ItemPart, Purpose, Reads, Use};

/// A record that is handled again has its secrets masked (INVARIANT 9), so nothing in it could say
/// which membership, value or reference the item had before: that would stay for ever. Only what
/// follows from the present item alone may follow from a secret: the state of a Cognito user.
pub(super) fn check(draft: &Draft, model: &Model, mistakes: &mut Mistakes) {
    if draft.table.secret.is_empty() {
        return;
    }
    let uses = uses(model);
    for secret in &draft.table.secret {
        let Some(what) = uses.get(&secret.value) else { continue };
        let message = format!("`{}` is secret, and {what}", secret.value);
        let help = "remove it from `secret`: Instep could not take back what followed from an earlier value, because \
                    messages contain no secrets. Only `disabled` and `attributes` of a Cognito user may follow from a \
                    secret";
        mistakes.add(Mistake::new(secret.span, message, "decides").help(help));
    }
}

/// For each attribute from which names or earlier effects follow: one of these uses.
fn uses(model: &Model) -> BTreeMap<String, String> {
    let mut uses = BTreeMap::new();
    let table = &model.table;
    let own = [&table.pk, &table.sk, &table.ttl].into_iter().chain(&table.type_attribute);
    for attribute in own.chain(model.indexes.iter().flat_map(|index| index.pk.iter().chain(index.sk.iter().flatten())))
    {
        uses.insert(attribute.clone(), "is a key, the TTL or the type attribute of the table".to_owned());
    }
    for attribute in &model.correlation {
        uses.insert(attribute_of(attribute).to_owned(), "is the correlation id of events".to_owned());
    }
    for grant in model.items.iter().filter_map(|ty| ty.grant.as_ref()) {
        for path in grant.last.iter().flat_map(|last| &last.written) {
            let what = "says whether the subject was written since the last grant was revoked";
            uses.insert(attribute_of(path).to_owned(), what.to_owned());
        }
    }
    for (place, ty) in model.items.iter().enumerate() {
        let of = Uses { model, of: TypeId(place), ty };
        for (what, attributes) in of.all() {
            for attribute in attributes {
                uses.entry(attribute).or_insert_with(|| format!("{what} of `{}` follows from it", ty.name));
            }
        }
    }
    uses
}

/// The uses of attributes in one item type.
struct Uses<'a> {
    model: &'a Model,
    of: TypeId,
    ty: &'a ItemType,
}

impl Uses<'_> {
    fn all(&self) -> Vec<(&'static str, BTreeSet<String>)> {
        let ty = self.ty;
        let words = || ty.verb_words.values().flatten();
        let events = ty.entity.iter().chain(&ty.entity_id).chain(words().map(|word| &word.word));
        let tests = words().flat_map(|word| word.when.attributes().chain(word.changed.iter().map(|p| attribute_of(p))));
        let index_keys = ty.index_keys.iter().flat_map(|keys| [Some(&keys.pk), keys.sk.as_ref()]).flatten();
        let links = || self.model.links_from(self.of).map(|(_, link)| link);
        let by = links().filter_map(|link| Some(link.when.as_ref()?.0.as_str()));
        let groups = ty.members.iter().filter(|member| member.group_of.is_none()).map(|member| &member.group);
        vec![
            ("an event", self.templates(events)),
            ("an event", tests.map(str::to_owned).collect()),
            ("an index key", self.templates(index_keys)),
            ("a reference", self.templates(links().flat_map(|link| link.names.values()))),
            ("a reference", self.names(by)),
            ("the tenant of events", self.names(self.model.tenant.iter().map(String::as_str))),
            ("a `due` rule", self.names(ty.due.iter().map(|due| due.at.as_str()))),
            ("a `due` rule", ty.due.iter().flat_map(|due| due.when.attributes()).map(str::to_owned).collect()),
            ("the grant", self.grant()),
            ("the Cognito group", self.templates(groups)),
            ("the Cognito user, group or membership", self.conditions()),
            ("a unique value", self.claims()),
            (
                "the owner",
                ty.guard.iter().flat_map(|guard| &guard.owner_attributes).map(|(_, name)| name.clone()).collect(),
            ),
        ]
    }

    fn grant(&self) -> BTreeSet<String> {
        let Some(grant) = &self.ty.grant else { return BTreeSet::new() };
        let window = grant.from.iter().chain(&grant.until).map(|path| attribute_of(path));
        let mut found: BTreeSet<String> = window.chain(grant.when.attributes()).map(str::to_owned).collect();
        match &grant.roles {
            Roles::None => {}
            Roles::Template(template) => found.extend(self.templates([template])),
            Roles::Attribute(spellings) => found.extend(spellings.iter().map(|path| attribute_of(path).to_owned())),
        }
        match &grant.scope {
            Scope::Global | Scope::Links(_) => {}
            Scope::Value(template) => found.extend(self.templates([template])),
        }
        found
    }

    fn claims(&self) -> BTreeSet<String> {
        let guards = self.model.items.iter().filter_map(|ty| ty.guard.as_ref());
        let claims = || guards.clone().filter(|guard| guard.owner == self.of).flat_map(|guard| &guard.claims);
        let conditions = |claim: &Claim| -> Vec<String> {
            let both = claim.when.attributes().chain(claim.transfer.iter().flat_map(Condition::attributes));
            both.map(str::to_owned).collect()
        };
        let mut found = self.templates(claims().flat_map(|claim| claim.names.values()));
        found.extend(claims().flat_map(conditions));
        found
    }

    /// The attributes that say whether the item has a parent, a user, groups and memberships.
    fn conditions(&self) -> BTreeSet<String> {
        let ty = self.ty;
        let own = ty.user.iter().map(|user| &user.when).chain(ty.groups.iter().map(|groups| &groups.when));
        let links = self.model.links_from(self.of).map(|(_, link)| &link.condition);
        let all = own.chain(ty.members.iter().map(|member| &member.when)).chain(links);
        all.flat_map(Condition::attributes).map(str::to_owned).collect()
    }

    fn templates<'t>(&self, templates: impl IntoIterator<Item = &'t Template>) -> BTreeSet<String> {
        self.names(templates.into_iter().flat_map(Template::names))
    }

    /// The attributes from which these names take their values, if no key contains them.
    fn names<'n>(&self, names: impl IntoIterator<Item = &'n str>) -> BTreeSet<String> {
        let forms = || self.ty.forms.iter();
        let bound = forms().flat_map(|form| &form.names).filter(|name| forms().all(|form| form.names.contains(*name)));
        // Any text does: only which names have one counts.
        let bound: Names = bound.map(|name| (name.clone(), "1".to_owned())).collect();
        names.into_iter().flat_map(|name| self.model.sources(self.of, &bound, name)).collect()
    }
}

/// What can follow from an attribute. If several do, the error says the first.
const FOLLOWS: [&str; 10] = [
    "an event",
    "an index key",
    "a reference",
    "the tenant of events",
    "a `due` rule",
    "the grant",
    "the Cognito group",
    "the Cognito user, group or membership",
    "a unique value",
    "the owner",
];

/// What follows from a use. `None` if it may be secret: the present item alone says what follows.
fn follows(of: &Use) -> Option<&'static str> {
    let is_condition = of.purpose == Purpose::When;
    match of.part {
        ItemPart::Event if of.purpose == Purpose::Tenant => Some("the tenant of events"),
        ItemPart::Event => (of.purpose == Purpose::Text).then_some("an event"),
        ItemPart::Word(_) => Some("an event"),
        ItemPart::IndexKeys => Some("an index key"),
        ItemPart::Link(_) if is_condition => Some("the Cognito user, group or membership"),
        ItemPart::Link(_) => Some("a reference"),
        ItemPart::Due => Some("a `due` rule"),
        ItemPart::Grant => Some("the grant"),
        ItemPart::Member if !is_condition => Some("the Cognito group"),
        ItemPart::User | ItemPart::Groups | ItemPart::Member => {
            is_condition.then_some("the Cognito user, group or membership")
        }
        ItemPart::Claim(_) => Some("a unique value"),
        ItemPart::Guard => Some("the owner"),
        ItemPart::LastRevocation(_) => None,
    }
}

/// As [`uses`], for one item type, by the list of its uses.
fn of_type(model: &Model, of: TypeId, found: &mut BTreeMap<String, String>) {
    let ty = model.item(of);
    let in_all = |name: &&String| ty.forms.iter().all(|form: &KeyForm| form.names.contains(*name));
    let bound = ty.forms.iter().flat_map(|form| &form.names).filter(in_all);
    // Any text does: only which names have one counts.
    let bound: Names = bound.map(|name| (name.clone(), "1".to_owned())).collect();
    for what in FOLLOWS {
        for of_what in model.uses(of).iter().filter(|of| follows(of) == Some(what)) {
            let attributes = match &of_what.reads {
                // An attribute comes before a name in the key.
                Reads::Test(name, _) => [attribute_of(name).to_owned()].into(),
                Reads::Name(_) | Reads::List(_) | Reads::Theirs(_) | Reads::Paths(_) => {
                    of_what.sources(model, of, &bound)
                }
            };
            for attribute in attributes {
                found.entry(attribute).or_insert_with(|| format!("{what} of `{}` follows from it", ty.name));
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::*;

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

    #[test]
    fn the_uses_say_what_the_enumeration_said() {
        let mut found = Vec::new();
        texts(Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../..")), &mut found);
        let mut models = 0;
        for text in found.iter().filter(|text| Model::parse("m", text).is_ok()) {
            let lines: Vec<&str> = text.lines().collect();
            for place in 0..=lines.len() {
                let kept = lines.iter().enumerate().filter(|(other, _)| *other != place).map(|(_, line)| *line);
                let Ok(model) = Model::parse("m", &kept.collect::<Vec<_>>().join("\n")) else { continue };
                models += 1;
                for of in (0..model.items.len()).map(TypeId) {
                    let (mut old, mut new) = (BTreeMap::new(), BTreeMap::new());
                    let ty = model.item(of);
                    for (what, attributes) in (Uses { model: &model, of, ty }).all() {
                        for attribute in attributes {
                            old.entry(attribute).or_insert_with(|| format!("{what} of `{}` follows from it", ty.name));
                        }
                    }
                    of_type(&model, of, &mut new);
                    assert_eq!(new, old, "{} {} {:#?}", model.name, ty.name, model.uses(of));
                }
            }
        }
        println!("{models} models");
        assert!(models > 500, "{models}");
    }
}
