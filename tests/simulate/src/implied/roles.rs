//! Roles, the time windows of grants, and the events that a write must publish.

use std::collections::{BTreeMap, BTreeSet};

use instep_model::{Item, Object, Precedence, Roles, Scope, Subject, Value, Verb, VerbWord};

use super::condition::{first_of, is_nothing, meets, set_value, value_of};
use super::said::said;
use super::tenant::TenantSource;
use super::time::{Role, had_closed, is_open, moment_ms};
use super::{DueEvent, Implied};
use crate::cause::WriteCause;

impl Implied {
    /// The valid roles that an item names, and whether all roles that it names are valid.
    fn roles(&self, object: &Object, item: &Item) -> (BTreeSet<Option<String>>, bool) {
        let nameless = || (BTreeSet::from([None]), true);
        let Some(grant) = &self.model.item(object.of).grant else { return nameless() };
        match &grant.roles {
            Roles::None => nameless(),
            Roles::Template(template) => {
                let lookup = said(&self.model, object, Some(item));
                let is_valid = |name: &str| lookup(name).is_none_or(|text| self.is_in_set(object, name, &text));
                if !template.names().all(is_valid) {
                    return (BTreeSet::new(), false);
                }
                (template.render(&lookup).ok().into_iter().map(Some).collect(), true)
            }
            Roles::Attribute(spellings) => {
                let texts = match first_of(item, spellings) {
                    None => Some(Vec::new()),
                    Some(Value::S(text)) => Some(vec![text]),
                    Some(Value::Ss(texts)) => Some(texts),
                    Some(Value::L(values)) => values.iter().map(|value| value.as_s().map(str::to_owned)).collect(),
                    Some(_) => None,
                };
                let Some(texts) = texts else { return (BTreeSet::new(), false) };
                let named: BTreeSet<_> = texts.into_iter().filter(|text| !text.is_empty()).collect();
                let count = named.len();
                let is_role = |text: &String| grant.role_names.iter().all(|name| self.is_in_set(object, name, text));
                let roles: BTreeSet<_> = named.into_iter().filter(is_role).map(Some).collect();
                let are_all = roles.len() == count;
                (roles, are_all)
            }
        }
    }

    fn is_in_set(&self, object: &Object, name: &str, text: &str) -> bool {
        let closed = self.closed(object.of, name);
        closed.is_empty() || closed.iter().any(|value| value == text)
    }

    /// The roles that an image grants at a time. Outside its window it grants none.
    pub(crate) fn given(&self, object: &Object, item: Option<&Item>, at_ms: i64) -> BTreeSet<Role> {
        let grant = self.model.item(object.of).grant.as_ref();
        item.filter(|item| is_open(grant, item, at_ms)).map(|item| self.roles_of(object, item)).unwrap_or_default()
    }

    /// The roles that an image grants while its window is open.
    pub(crate) fn roles_of(&self, object: &Object, item: &Item) -> BTreeSet<Role> {
        let grant = self.model.item(object.of).grant.as_ref();
        let grants = grant.is_none_or(|grant| meets(&grant.when, object, item));
        if grants { self.roles(object, item).0 } else { BTreeSet::new() }
    }

    pub(super) fn asks_the_impossible(&self, object: &Object, item: &Item) -> bool {
        let ty = self.model.item(object.of);
        let is_list = |name: &String| match first_of(item, &self.model.attributes_of(name)) {
            Some(Value::L(values)) => values.iter().all(|value| value.as_s().is_some()),
            Some(Value::S(_) | Value::Ss(_)) | None => true,
            Some(_) => false,
        };
        let of_links = self.model.links_from(object.of).filter_map(|(_, link)| link.each.clone());
        let of_groups = ty.members.iter().filter_map(|member| member.group.each().map(str::to_owned));
        if !of_links.chain(of_groups).all(|name| is_list(&name)) {
            return true;
        }
        let lookup = said(&self.model, object, Some(item));
        let is_no_time = |text: String| !text.is_empty() && moment_ms(&Value::S(text)).is_none();
        if ty.due.iter().any(|rule| lookup(&rule.at).is_some_and(is_no_time)) {
            return true;
        }
        let mut precedences = ty.groups.iter().filter_map(|groups| match &groups.precedence {
            Some(Precedence::OfItem(text)) => text.render(&lookup).ok(),
            Some(Precedence::Fixed(_)) | None => None,
        });
        let is_precedence = |text: &String| text.chars().all(|c| c.is_ascii_digit()) && text.parse::<i32>().is_ok();
        if !precedences.all(|text| is_precedence(&text)) {
            return true;
        }
        let Some(grant) = &ty.grant else { return false };
        let is_moment =
            |name: &String| item.get(name).is_none_or(|value| is_nothing(value) || moment_ms(value).is_some());
        !self.roles(object, item).1 || !grant.from.iter().chain(&grant.until).all(is_moment)
    }

    /// Whose roles an image gives, and where.
    fn whom(&self, object: &Object, item: Option<&Item>) -> Option<(Option<Object>, Vec<Object>, Option<String>)> {
        let (grant, item) = (self.model.item(object.of).grant.as_ref()?, item?);
        let subject = match &grant.subject {
            Subject::Itself => None,
            Subject::Link(link) => self.target(*link, object, item),
        };
        let (links, value) = match &grant.scope {
            Scope::Global => (Vec::new(), None),
            Scope::Links(links) => (links.iter().filter_map(|link| self.target(*link, object, item)).collect(), None),
            Scope::Value(text) => (Vec::new(), text.render(&said(&self.model, object, Some(item))).ok()),
        };
        Some((subject, links, value))
    }

    /// The word that stands for each verb of a write.
    #[must_use]
    pub fn verb_words(
        &self,
        object: &Object,
        old: Option<&Item>,
        new: Option<&Item>,
        cause: WriteCause,
    ) -> BTreeMap<Verb, String> {
        let Some(image) = new.or(old) else { return BTreeMap::new() };
        let lookup = said(&self.model, object, Some(image));
        let applies = |word: &VerbWord| {
            let holds = |item: Option<&Item>| item.is_some_and(|item| meets(&word.when, object, item));
            let is_so = match (old, new) {
                (Some(_), Some(_)) => holds(new) && !holds(old),
                (_, _) => holds(Some(image)),
            };
            let value = |item: Option<&Item>, path: &str| item.and_then(|item| value_of(item, path));
            let has_changed = word.changed.iter().any(|path| value(old, path) != value(new, path));
            let is_cause = !word.by_ttl || cause == WriteCause::TimeToLive;
            is_cause && (word.when.is_empty() || is_so) && (word.changed.is_empty() || has_changed)
        };
        let words = self.model.item(object.of).verb_words.iter();
        let first =
            |words: &[VerbWord]| words.iter().filter(|word| applies(word)).find_map(|w| w.word.render(&lookup).ok());
        words.filter_map(|(verb, words)| Some((*verb, first(words)?))).collect()
    }

    /// The events that a write must publish, in any order, without those of windows that time
    /// opened or closed. A record says when it was written in whole seconds.
    #[must_use]
    pub fn due_events(
        &self,
        object: &Object,
        old: Option<&Item>,
        new: Option<&Item>,
        written_ms: i64,
    ) -> BTreeSet<DueEvent> {
        let written_ms = written_ms.div_euclid(1000) * 1000;
        let ty = self.model.item(object.of);
        let mut events = BTreeSet::new();
        match (old, new) {
            (None, _) if ty.is_entity => drop(events.insert((Verb::Created, None))),
            (_, None) if ty.is_entity => drop(events.insert((Verb::Deleted, None))),
            (Some(old), Some(new)) if ty.publish_unchanged || self.shows_another(object, old, new) => {
                events.insert((Verb::Updated, None));
            }
            (_, _) => {}
        }
        if let Some(grant) = &ty.grant {
            let before = old.filter(|old| !had_closed(grant, old, written_ms));
            let (was, is) = (self.given(object, before, written_ms), self.given(object, new, written_ms));
            let moves = old.is_some() && new.is_some() && self.whom(object, old) != self.whom(object, new);
            let taken =
                was.iter().filter(|role| moves || !is.contains(*role)).map(|role| (Verb::Revoked, role.clone()));
            let given =
                is.iter().filter(|role| moves || !was.contains(*role)).map(|role| (Verb::Granted, role.clone()));
            events.extend(taken.chain(given));
        }
        events.retain(|(verb, _)| ty.publish.contains(verb));
        events
    }
    /// Whether two images of an item differ in what its events show of them: listed attributes beside the roles, which
    /// have events of their own, the entity and its id, the tenant, and the word for the verb.
    fn shows_another(&self, object: &Object, old: &Item, new: &Item) -> bool {
        let ty = self.model.item(object.of);
        let image = |item: &Item| {
            let mut item = item.clone();
            item.retain(|name, _| !self.model.secret.contains(name));
            item
        };
        let shown = |item: &Item| -> Vec<Option<Value>> {
            let mut item = item.clone();
            if let (false, Some(Roles::Attribute(spellings))) =
                (ty.is_entity, ty.grant.as_ref().map(|grant| &grant.roles))
            {
                spellings.iter().for_each(|path| set_value(&mut item, path, None));
            }
            ty.attributes.iter().map(|path| value_of(&item, path).map(in_order)).collect()
        };
        let called = |item: &Item| {
            let said = said(&self.model, object, Some(item));
            let entity = ty.entity.iter().find_map(|template| template.render(&said).ok());
            let id = ty.entity_id.as_ref().and_then(|template| template.render(&said).ok());
            let tenant = match self.tenant_source(object, item) {
                TenantSource::Record(tenant) => tenant,
                TenantSource::Items(_) => None,
            };
            (entity, id, tenant)
        };
        let (old, new) = (&image(old), &image(new));
        let word = |was| self.verb_words(object, was, Some(new), WriteCause::Write).remove(&Verb::Updated);
        let (word, of_old) = (word(Some(old)), self.verb_words(object, Some(old), Some(old), WriteCause::Write));
        shown(old) != shown(new) || called(old) != called(new) || word != of_old.get(&Verb::Updated).cloned()
    }
}

/// A value as JSON shows it: a set is a list of its elements in order.
fn in_order(value: Value) -> Value {
    let sorted = |mut texts: Vec<String>, of: fn(String) -> Value| {
        texts.sort();
        Value::L(texts.into_iter().map(of).collect())
    };
    match value {
        Value::Ss(texts) => sorted(texts, Value::S),
        Value::Ns(numbers) => sorted(numbers, Value::N),
        Value::L(values) => Value::L(values.into_iter().map(in_order).collect()),
        Value::M(members) => Value::M(members.into_iter().map(|(name, value)| (name, in_order(value))).collect()),
        Value::Bs(_) | Value::S(_) | Value::N(_) | Value::B(_) | Value::Bool(_) | Value::Null(_) => value,
    }
}
