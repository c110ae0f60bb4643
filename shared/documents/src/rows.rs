//! What decides the rows of subscribers: which item an event is of, whose role it gives, and where these values come from.
//! All texts are canonical: they are the same wherever a model says something, and in whatever order.

use std::collections::{BTreeMap, BTreeSet};

use instep_model::template::{Template, base};
use instep_model::{Grant, ItemType, Link, Model, Roles, Scope, Subject, TypeId, Verb};
use serde_json::{Map, Value, json};

use crate::schema::set;

/// For each item type that events are about, by its first name.
pub(crate) fn rows(model: &Model) -> Value {
    let rows = model.types().filter(|(of, item)| item.user_value.is_none() && is_in_events(model, *of, item));
    rows.map(|(of, item)| (item.stable_name().to_owned(), row(model, of, item))).collect::<Map<_, _>>().into()
}

/// Whether events of anything are about items of a type, or name them as the subject or scope of a grant.
fn is_in_events(model: &Model, of: TypeId, item: &ItemType) -> bool {
    !item.publish.is_empty() || is_named(model, of)
}

/// Whether published grants name items of a type.
fn is_named(model: &Model, of: TypeId) -> bool {
    let grants = model.items.iter().filter(|other| !other.publish.is_empty()).filter_map(|other| other.grant.as_ref());
    let names = |grant: &Grant| {
        let scopes = if let Scope::Links(links) = &grant.scope { links.as_slice() } else { &[] };
        grant.subject.link().iter().chain(scopes).any(|link| model.link(*link).to == of)
    };
    grants.into_iter().any(names)
}

/// Whether events say the entity of items of a type. Those of a grant's roles say that of its subject.
fn has_own_entity(model: &Model, of: TypeId, item: &ItemType) -> bool {
    let is_itself = item.grant.as_ref().is_some_and(|grant| grant.subject.link().is_none());
    let is_own = |verb: &Verb| is_itself || !matches!(verb, Verb::Granted | Verb::Revoked);
    item.publish.iter().any(is_own) || is_named(model, of)
}

fn row(model: &Model, of: TypeId, item: &ItemType) -> Value {
    let mut read = Read { model, of, names: BTreeSet::new() };
    let mut entity: Vec<String> = item.entity.iter().map(|template| read.template(template)).collect();
    if entity.is_empty() {
        entity.push(item.name.clone());
    }
    entity.retain(|_| has_own_entity(model, of, item));
    let entity_id = item.entity_id.as_ref().map(|template| read.template(template));
    let grant = item.grant.as_ref().map(|grant| read.grant(grant));
    model.tenant.iter().for_each(|name| read.name(name));
    let keys: BTreeSet<String> = instep_model::keys_of(item).into_iter().collect();
    let mut row = json!({
        "kind": item.kind().word(),
        "keys": keys,
        "id": model.id_templates(of),
        "entity": entity,
        "publish": item.publish.iter().map(|verb| verb.word()).collect::<Vec<_>>(),
        "from": read.sources(),
    });
    if let Some(entity_id) = entity_id {
        set(&mut row, "entityId", json!(entity_id));
    }
    if let Some(grant) = grant {
        set(&mut row, "grant", grant);
    }
    row
}

/// What the events of an item type read.
struct Read<'m> {
    model: &'m Model,
    of: TypeId,
    names: BTreeSet<String>,
}

impl Read<'_> {
    fn name(&mut self, name: &str) {
        self.names.insert(name.to_owned());
    }

    fn template(&mut self, template: &Template) -> String {
        template.names().for_each(|name| self.name(name));
        template.to_string()
    }

    fn grant(&mut self, grant: &Grant) -> Value {
        let subject = match &grant.subject {
            Subject::Itself => "itself".to_owned(),
            Subject::Link(link) => self.link(self.model.link(*link)),
        };
        let scope = match &grant.scope {
            Scope::Global => Value::Null,
            Scope::Value(template) => json!(format!("value {}", self.template(template))),
            Scope::Links(links) => {
                let links = links.iter().map(|link| self.link(self.model.link(*link)));
                json!(links.collect::<BTreeSet<_>>())
            }
        };
        let (roles, attributes) = match &grant.roles {
            Roles::None => (Value::Null, Vec::new()),
            Roles::Template(template) => (json!(self.template(template)), Vec::new()),
            Roles::Attribute(spellings) => (json!("attribute"), spellings.clone()),
        };
        json!({
            "subject": subject, "scope": scope, "roles": roles, "roleAttributes": attributes,
            "window": {"from": grant.from, "until": grant.until}, "when": grant.when.to_string(),
        })
    }

    /// Where a reference leads, by the first name of the other's type.
    fn link(&mut self, link: &Link) -> String {
        let names: Vec<String> =
            link.names.iter().map(|(name, template)| format!("{name}={}", self.template(template))).collect();
        let when = link.when.iter().map(|(name, value)| {
            self.names.insert(name.clone());
            format!(" if {name} is {value}")
        });
        let when: String = when.collect();
        let condition = if link.condition.is_empty() { String::new() } else { format!(" if {}", link.condition) };
        format!("{}({}){when}{condition}", self.model.item(link.to).stable_name(), names.join(", "))
    }

    /// Where the names come from that the key does not have.
    fn sources(&self) -> BTreeMap<&str, Vec<String>> {
        let item = self.model.item(self.of);
        let in_each_key = |name: &str| item.forms.iter().all(|form| form.names.contains(name));
        let others = self.names.iter().filter(|name| !in_each_key(name));
        others.map(|name| (name.as_str(), self.source(name))).collect()
    }

    fn source(&self, name: &str) -> Vec<String> {
        let (model, item) = (self.model, self.model.item(self.of));
        let has = |template: &Template| template.names().any(|own| base(own) == base(name));
        let is_shown = |path: &String| !model.secret.contains(path.split('.').next().unwrap_or_default());
        let mut found: Vec<String> = model.attributes_of(name).into_iter().filter(is_shown).collect();
        let shapes = model.names.iter().filter_map(|(outer, rule)| Some((outer, rule.like.as_ref()?)));
        for (outer, like) in shapes.filter(|(outer, like)| has(like) || outer.as_str() == base(name)) {
            found.push(format!("in `{outer}` as {like}"));
        }
        for keys in &item.index_keys {
            for template in [Some(&keys.pk), keys.sk.as_ref()].into_iter().flatten().filter(|template| has(template)) {
                found.push(format!("in index {} as {template}", model.index_at(keys.index).name));
            }
        }
        found
    }
}
