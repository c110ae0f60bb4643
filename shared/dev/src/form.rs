//! The model as the page needs it: what a form of each item type asks for, and what follows from an item.

use std::collections::BTreeSet;

use instep_model::{Condition, ItemType, Model, Moment, Roles, TypeId, attribute_of, follows, keys_of, kinds};
use serde_json::{Value, json};

/// The model for the page.
pub(super) fn model(model: &Model) -> Value {
    let types: Vec<Value> = (0..model.items.len()).map(|place| item_type(model, TypeId(place))).collect();
    json!({
        "name": model.name, "source": model.source, "pk": model.table.pk, "sk": model.table.sk,
        "services": super::faults::SERVICES, "types": types,
    })
}

fn item_type(model: &Model, of: TypeId) -> Value {
    let item = model.item(of);
    let form = item.forms.first();
    let in_key = |name: &&str| form.is_some_and(|form| form.names.contains(*name));
    let names: Vec<Value> = model.key_order(of).into_iter().filter(in_key).map(|name| field(model, of, name)).collect();
    let own: BTreeSet<String> = item.forms.iter().flat_map(|form| form.names.iter()).cloned().collect();
    let attributes = attributes(model, of);
    let attributes = attributes.iter().filter(|name| !own.contains(*name)).map(|name| field(model, of, name));
    json!({
        "name": item.name, "kinds": kinds(item), "keys": keys_of(item), "names": names,
        "attributes": attributes.collect::<Vec<_>>(), "follows": follows(model, of), "secret": item.secret,
    })
}

fn field(model: &Model, of: TypeId, name: &str) -> Value {
    let rule = model.names.get(name);
    let moment = rule.and_then(|rule| rule.is).map(|moment| match moment {
        Moment::Date => "date",
        Moment::Time => "time",
    });
    let attribute = model.attributes_of(name).into_iter().next().unwrap_or_else(|| name.to_owned());
    let is_secret = model.secret.contains(&attribute);
    json!({"name": name, "attribute": attribute, "values": model.closed_set(of, name), "moment": moment, "secret": is_secret})
}

/// The attributes of an item type that the model names, as far as something follows from them.
fn attributes(model: &Model, of: TypeId) -> BTreeSet<String> {
    let item = model.item(of);
    let mut names: BTreeSet<String> = item.attributes.iter().cloned().collect();
    let mut add = |name: &str| {
        names.insert(attribute_of(name).to_owned());
    };
    of_grant(item, &mut add);
    let users = item.user.iter().flat_map(|user| {
        let attributes = user.attributes.iter().flat_map(|(_, template)| template.names());
        attributes.chain(tested(&user.when)).chain(user.disabled.iter().flat_map(tested))
    });
    users.for_each(&mut add);
    for member in &item.members {
        let own = member.group_of.is_none();
        member.group.names().filter(|_| own).chain(tested(&member.when)).for_each(&mut add);
    }
    if let Some(guard) = &item.guard {
        guard.owner_attributes.iter().for_each(|(_, attribute)| add(attribute));
    }
    for guard in model.items.iter().filter_map(|item| item.guard.as_ref()).filter(|guard| guard.owner == of) {
        let claims = guard.claims.iter();
        claims
            .flat_map(|claim| claim.names.values().flat_map(|name| name.names()).chain(tested(&claim.when)))
            .for_each(&mut add);
    }
    for (_, link) in model.links_from(of) {
        link.names.values().flat_map(|name| name.names()).for_each(&mut add);
        link.when.iter().for_each(|(name, _)| add(name));
        tested(&link.condition).for_each(&mut add);
    }
    for due in &item.due {
        add(&due.at);
        tested(&due.when).for_each(&mut add);
    }
    // A name with a qualifier (`parent.urn`) is in the key, not an attribute.
    names.retain(|name| !name.contains('.'));
    names
}

fn of_grant(item: &ItemType, add: &mut impl FnMut(&str)) {
    let Some(grant) = &item.grant else { return };
    match &grant.roles {
        Roles::None => {}
        Roles::Template(template) => template.names().for_each(&mut *add),
        Roles::Attribute(spellings) => spellings.first().into_iter().for_each(|name| add(name)),
    }
    grant.from.first().into_iter().chain(grant.until.first()).for_each(|name| add(name));
    tested(&grant.when).for_each(add);
}

fn tested(condition: &Condition) -> impl Iterator<Item = &str> {
    condition.tests.iter().map(|(name, _)| name.as_str())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_form_asks_for_the_key_and_for_what_matters() {
        let shown = model(&Model::shipped("access-management").unwrap());
        let of = |name: &str| shown["types"].as_array().unwrap().iter().find(|of| of["name"] == name).unwrap().clone();
        let names = |fields: &Value| -> Vec<String> {
            fields.as_array().unwrap().iter().map(|field| field["name"].as_str().unwrap().to_owned()).collect()
        };
        let membership = of("Membership");
        assert_eq!(names(&membership["names"]), ["email", "groupId"]);
        assert!(names(&membership["attributes"]).contains(&"role".to_owned()));
        let role = membership["attributes"].as_array().unwrap().iter().find(|field| field["name"] == "role").unwrap();
        assert_eq!(role["values"], json!(["admin", "contributor", "reader"]));
        assert!(!names(&of("User")["attributes"]).contains(&"email".to_owned()), "it is in the key");
    }

    #[test]
    fn every_shipped_model_has_a_form_for_each_item_type() {
        for name in instep_model::shipped_names() {
            let shown = model(&Model::shipped(name).unwrap());
            assert!(
                shown["types"].as_array().unwrap().iter().all(|of| !of["names"].as_array().unwrap().is_empty()),
                "{name}"
            );
        }
    }
}
