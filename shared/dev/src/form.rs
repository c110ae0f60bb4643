//! The model as the page needs it: what a form of each item type asks for, and what follows from an item.

use std::collections::BTreeMap;

use instep_model::{Model, Purpose, Reads, TimeFormat, TypeId, Use, attribute_of, follows, keys_of, kinds};
use serde_json::{Value, json};

/// The model for the page, in this run.
pub(super) fn model(model: &Model, run: &str) -> Value {
    let types: Vec<Value> =
        model.types().filter(|(_, ty)| ty.user_value.is_none()).map(|(of, _)| item_type(model, of)).collect();
    json!({
        "signUp": model.user_value().map(|(_, value)| value.word()),
        "run": run, "name": model.name, "source": model.source, "pk": model.table.pk, "sk": model.table.sk,
        "services": super::faults::SERVICES, "types": types,
    })
}

fn item_type(model: &Model, of: TypeId) -> Value {
    let item = model.item(of);
    let form = item.forms.first();
    let in_key = |name: &&str| form.is_some_and(|form| form.names.contains(*name));
    let names = model.key_order(of).into_iter().filter(in_key);
    let names: Vec<Value> = names.map(|name| field(model, of, name, Some(name))).collect();
    let attributes = attributes(model, of);
    let attributes = attributes.iter().map(|(attribute, name)| field(model, of, attribute, name.as_deref()));
    json!({
        "name": item.name, "kinds": kinds(item), "keys": keys_of(item), "names": names,
        "attributes": attributes.collect::<Vec<_>>(), "follows": follows(model, of), "secret": item.secret,
    })
}

/// A field for an attribute, or a name in the key. Without a name, only parts of the attribute are read: it is a map or
/// a list.
fn field(model: &Model, of: TypeId, attribute: &str, name: Option<&str>) -> Value {
    let has_parts = name.is_none();
    let name = name.unwrap_or(attribute);
    let rule = model.names.get(name);
    let moment = rule.and_then(|rule| rule.is).map(|moment| match moment {
        TimeFormat::Date => "date",
        TimeFormat::Time => "time",
    });
    let (values, secret) = (model.closed_set(of, name), model.secret.contains(attribute));
    json!({
        "name": name, "attribute": attribute, "values": values, "moment": moment, "secret": secret,
        "hasParts": has_parts,
    })
}

/// The whole attributes that an item type itself reads, each with the name that it has, or else its own. `None` if only
/// parts of it are read. Of several spellings, only the first: a new item needs one of them. What the key gives is
/// no attribute.
fn attributes(model: &Model, of: TypeId) -> BTreeMap<String, Option<String>> {
    let form = model.item(of).forms.first();
    let mut found: BTreeMap<String, Option<String>> = BTreeMap::new();
    // The tenant and the correlation id are the model's, not those of an item type.
    let is_own = |of: &&Use| !matches!(of.purpose, Purpose::Tenant | Purpose::Correlation);
    for of_this in model.uses(of).iter().filter(is_own) {
        let (name, paths) = match &of_this.reads {
            Reads::Name(name) | Reads::List(name) => (Some(name), &model.attributes_of(name)[..]),
            Reads::Paths(paths) => (paths.first(), &paths[..]),
            Reads::Test(path, _) => (Some(path), std::slice::from_ref(path)),
        };
        let (Some(name), Some(path)) = (name, paths.first()) else { continue };
        if form.is_some_and(|form| model.is_given(of, form, name)) {
            continue;
        }
        let attribute = attribute_of(path);
        let known = found.entry(attribute.to_owned()).or_default();
        if attribute == path && known.as_deref().is_none_or(|known| known == attribute) {
            *known = Some(name.clone());
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_form_asks_for_the_key_and_for_what_matters() {
        let shown = model(&Model::shipped("access-management").unwrap(), "1");
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
            let shown = model(&Model::shipped(name).unwrap(), "1");
            let has_names = |of: &Value| of["names"].as_array().is_some_and(|names| !names.is_empty());
            assert!(shown["types"].as_array().unwrap().iter().all(has_names), "{name}");
        }
    }

    /// Everything from which something follows, and nothing that does not exist.
    #[test]
    fn a_form_has_each_attribute_that_the_item_type_reads_and_no_other() {
        let own = r#"
model = "own"
table = { pk = "pk", sk = "sk" }
[indexes.byDay]
pk = "D"
sk = "DS"
[names.day]
attribute = ["dayOf.show", "day"]
[names.place]
attribute = ["venue", "place"]
[items.Team]
pk = "T#{teamId}"
sk = "T"
entity = "Team"
publish = ["created", "updated"]
events = ["lineup[0]", "note"]
verb.updated = [{ word = "closed", when = { phase = "closed" } }, { word = "moved", changed = ["venue"] }]
byDay = { pk = "DAY#{day}", sk = "{place}" }
cognito.groups = { name = "{teamId}", when = { status = "open" } }
[items.Handle]
pk = "H#{handle}"
sk = "H"
guard = { owner = "Team", by = { teamId = "ownerId" } }
claims = [{ handle = "{handle}", transfer = { when = { verified = true } } }]
[items.Pass]
pk = "T#{teamId}"
sk = "P#{userId}"
grant = { subject = { type = "Person", find = "back-reference" }, scope = "Team", roles = "{kind}", from = ["opens", "opened"] }
cognito.member = { user = "Person", group = "{teamId}:{role}" }
[items.Person]
pk = "P#{userId}"
sk = "P"
cognito.user = { name = "{userId}" }
"#;
        let own = Model::parse("own.toml", own).unwrap();
        let shipped = Model::shipped("access-management").unwrap();
        for (model, name, expected) in [
            (&own, "Team", &["dayOf", "handle", "lineup", "note", "phase", "status", "place", "verified"][..]),
            (&own, "Handle", &["ownerId"]),
            (&own, "Pass", &["kind", "opens"]),
            (&shipped, "Hierarchy", &[]),
        ] {
            let form = item_type(model, model.type_named(name).unwrap());
            let fields = form["attributes"].as_array().unwrap();
            let shown: Vec<&str> = fields.iter().map(|field| field["name"].as_str().unwrap()).collect();
            assert_eq!(shown, expected, "{name}");
            for field in fields {
                let attribute = field["attribute"].as_str().unwrap();
                assert_eq!(attribute, if field["name"] == "place" { "venue" } else { field["name"].as_str().unwrap() });
                assert_eq!(field["hasParts"], ["dayOf", "lineup"].contains(&attribute), "{attribute}");
            }
        }
    }
}
