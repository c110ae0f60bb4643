//! What a model publishes: for each item type and verb, the names under which its events come, and
//! what is in them. The published documents are made from it.

use std::collections::BTreeSet;

use crate::model::{Grant, ItemType, Link, Model, Roles, Scope, Subject, ToParent, TypeId, Verb};
use crate::template::{Template, TemplatePart, base, prefix};

/// The length of an event's `DetailType`, in characters. Source: Amazon EventBridge API Reference,
/// PutEventsRequestEntry, `DetailType`.
pub const DETAIL_TYPE_CHARS_MAX: usize = 128;

/// The events of one item type with one verb.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Published {
    /// The item type whose attributes and keys they have.
    pub of: TypeId,
    /// The verb in their metadata.
    pub verb: Verb,
    /// Their names: the entity's, and the one in `DetailType`. They have at least one.
    pub names: Vec<EventName>,
    /// The item type that they are about: the subject of a grant, else the item type itself.
    pub about: TypeId,
    /// The names in the key.
    pub keys: Vec<KeyName>,
    /// The attributes in `old` and `new`.
    pub attributes: Vec<String>,
    /// The role.
    pub role: TextOf,
    /// The scope.
    pub scope: TextOf,
    /// The entity of the scope.
    pub scope_entity: TextOf,
    /// The guards that a conflict, or its end, can be about.
    pub guards: Vec<String>,
}

/// A name under which events come.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct EventName {
    /// The entity's name.
    pub entity: Name,
    /// `DetailType`.
    pub detail_type: Name,
}

/// A name that the model fixes, or that an item decides.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub enum Name {
    /// Always this text.
    Fixed(String),
    /// Decided by values of the item.
    Open {
        /// As the model writes it, such as `{kind} Created`.
        shown: String,
        /// A regular expression that such names match. It has no more syntax than ECMA-262 has.
        pattern: String,
    },
}

/// A name in a key.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct KeyName {
    /// The name.
    pub name: String,
    /// Its values. Empty: any text.
    pub values: Vec<String>,
    /// Whether every form of the key has it.
    pub is_always: bool,
}

/// A text that an event has, or has not.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum TextOf {
    /// It has none.
    Never,
    /// It has one if the item says it.
    Sometimes(Vec<String>),
    /// It always has one. The values, if they are a closed set.
    Always(Vec<String>),
}

impl Model {
    /// Everything that the model publishes, in the order of its item types.
    #[must_use]
    pub fn published(&self) -> Vec<Published> {
        let mut all = Vec::new();
        for (of, item) in self.types() {
            let verbs = Verb::ALL.iter().filter(|verb| item.publish.contains(verb));
            all.extend(verbs.filter_map(|verb| self.published_of(of, *verb)));
        }
        all
    }

    /// `DetailType` of an event about an entity, with this word for the verb.
    #[must_use]
    pub fn event_name(&self, entity: &str, word: &str) -> Option<String> {
        let name = self.detail_type.render(&|name| match name {
            "Entity" => Some(entity.to_owned()),
            "Verb" => Some(capital(word)),
            _ => None,
        });
        name.ok()
    }

    fn published_of(&self, of: TypeId, verb: Verb) -> Option<Published> {
        let item = self.item(of);
        let is_grants = matches!(verb, Verb::Granted | Verb::Revoked);
        let grant = item.grant.as_ref().filter(|_| is_grants);
        let words = self.words(of, item, verb);
        let most = TEXTS_MAX / words.len().max(1);
        let (about, mut entities) = match grant.map(|grant| &grant.subject) {
            Some(Subject::Link(link)) => {
                let link = self.link(*link);
                let mut entities = self.entities(link.to, false, most);
                if !self.is_always_known(of, link) {
                    entities.extend(self.entities(of, true, most));
                }
                (link.to, entities)
            }
            Some(Subject::Itself) | None => (of, self.entities(of, verb != Verb::Resolved, most)),
        };
        entities.dedup();
        let names: BTreeSet<EventName> = entities
            .iter()
            .flat_map(|entity| words.iter().map(move |word| (entity, word)))
            .map(|(entity, word)| EventName {
                entity: entity.clone(),
                detail_type: join(&self.detail_type, entity, &capitalised(word)),
            })
            .collect();
        let is_of_a_claim = matches!(verb, Verb::Conflicted | Verb::Resolved);
        let guards = if is_of_a_claim { self.guards_of(of) } else { Vec::new() };
        if is_of_a_claim && guards.is_empty() {
            return None;
        }
        // Only the key of the owner is known: the record is of its guard.
        let shown = if verb == Verb::Resolved { &[][..] } else { &item.attributes };
        Some(Published {
            of,
            verb,
            names: names.into_iter().collect(),
            about,
            keys: self.key_names(of),
            attributes: shown.iter().collect::<BTreeSet<_>>().into_iter().cloned().collect(),
            role: grant.map_or(TextOf::Never, |grant| self.roles_of(of, grant)),
            scope: grant.map_or(TextOf::Never, |grant| self.scope_of(of, grant)),
            scope_entity: grant.map_or(TextOf::Never, |grant| self.scope_entity_of(of, grant)),
            guards,
        })
    }

    /// The names of the guards that an item type owns.
    pub(crate) fn guards_of(&self, owner: TypeId) -> Vec<String> {
        let owned = |item: &&ItemType| item.guard.as_ref().is_some_and(|guard| guard.owner == owner);
        self.items.iter().filter(owned).map(|item| item.name.clone()).collect()
    }

    /// The names that an item type's entity can have, as `events::entity` in the flow chooses them: the
    /// first template whose names have values. Without the item, only the key gives values.
    fn entities(&self, of: TypeId, has_item: bool, most: usize) -> Vec<Name> {
        let item = self.item(of);
        let in_key = self.bound_by_key(of);
        let mut found = Vec::new();
        for template in &item.entity {
            let is_sure = template.names().all(|name| in_key.contains(name));
            if is_sure || has_item {
                found.extend(self.texts_of(of, template, is_sure, most));
            }
            if is_sure {
                return found;
            }
        }
        found.push(Name::Fixed(item.name.clone()));
        found
    }

    /// The words that a verb can have in `DetailType`.
    fn words(&self, of: TypeId, item: &ItemType, verb: Verb) -> Vec<Name> {
        let in_key = self.bound_by_key(of);
        let mut found = Vec::new();
        for word in item.verb_words.get(&verb).into_iter().flatten() {
            let is_sure = word.word.names().all(|name| in_key.contains(name));
            found.extend(self.texts_of(of, &word.word, is_sure, TEXTS_MAX));
            if is_sure && word.is_default() {
                return found;
            }
        }
        found.push(Name::Fixed(verb.word().to_owned()));
        found
    }

    /// The texts that a template can give. If all of its names have closed sets, those of the sets,
    /// unless they are more than `most`; and others, if attributes decide, because nothing keeps an attribute
    /// within its set.
    fn texts_of(&self, of: TypeId, template: &Template, is_of_key: bool, most: usize) -> Vec<Name> {
        let mut texts = vec![String::new()];
        let mut is_closed = true;
        let mut pattern = String::new();
        for part in template.parts() {
            match part {
                TemplatePart::Constant(constant) => {
                    texts.iter_mut().for_each(|text| text.push_str(constant));
                    pattern.push_str(&escaped_pattern(constant));
                }
                TemplatePart::Name(slot) => {
                    let values = self.closed_set(of, &slot.name);
                    is_closed &= !values.is_empty() && texts.len().saturating_mul(values.len()) <= most;
                    let with = |text: &String| -> Vec<String> {
                        values.iter().map(|value| format!("{text}{}", slot.apply(value))).collect()
                    };
                    texts = if is_closed { texts.iter().flat_map(with).collect() } else { Vec::new() };
                    pattern.push_str(ANY);
                }
            }
        }
        let mut found: Vec<Name> = if is_closed { texts.into_iter().map(Name::Fixed).collect() } else { Vec::new() };
        if !is_closed || !is_of_key {
            found.push(Name::Open { shown: template.source().to_owned(), pattern });
        }
        found
    }

    fn key_names(&self, of: TypeId) -> Vec<KeyName> {
        let item = self.item(of);
        let name = |name: &str| KeyName {
            name: name.to_owned(),
            values: self.closed_set(of, name).to_vec(),
            is_always: item.forms.iter().all(|form| form.names.contains(name)),
        };
        self.key_order(of).into_iter().map(name).collect()
    }

    /// The names that every form of a key binds, and those inside their shapes.
    fn bound_by_key(&self, of: TypeId) -> BTreeSet<String> {
        let names = self.key_names(of).into_iter().filter(|name| name.is_always).map(|name| name.name);
        let mut bound: BTreeSet<String> = names.collect();
        let mut open: Vec<String> = bound.iter().cloned().collect();
        // This ends: the loader refuses shapes that contain themselves.
        while let Some(name) = open.pop() {
            let like = self.names.get(base(&name)).and_then(|rule| rule.like.as_ref());
            for inner in like.into_iter().flat_map(Template::names) {
                let inner = format!("{}{inner}", prefix(&name));
                bound.insert(inner.clone());
                open.push(inner);
            }
        }
        bound
    }

    /// Whether the key of every item says where a link leads.
    fn is_always_known(&self, of: TypeId, link: &Link) -> bool {
        let in_key = self.bound_by_key(of);
        let is_bound = |template: &Template| template.names().all(|name| in_key.contains(name));
        let is_plain = link.when.is_none() && link.condition.is_empty() && link.each.is_none();
        is_plain && matches!(link.up, ToParent::Key) && link.names.values().all(is_bound)
    }

    fn roles_of(&self, of: TypeId, grant: &Grant) -> TextOf {
        match &grant.roles {
            Roles::None => TextOf::Never,
            Roles::Attribute(_) => TextOf::Always(self.common_set(of, &grant.role_names)),
            Roles::Template(template) => {
                let name = template.as_single().filter(|slot| *slot.to_string() == *format!("{{{}}}", slot.name));
                let values = name.map(|slot| self.closed_set(of, &slot.name).to_vec());
                TextOf::Always(values.unwrap_or_default())
            }
        }
    }

    /// The values in the closed sets of all of these names.
    fn common_set(&self, of: TypeId, names: &[String]) -> Vec<String> {
        let mut sets = names.iter().map(|name| self.closed_set(of, name)).filter(|set| !set.is_empty());
        let mut common: Vec<String> = sets.next().unwrap_or_default().to_vec();
        sets.for_each(|set| common.retain(|value| set.contains(value)));
        common
    }

    fn scope_of(&self, of: TypeId, grant: &Grant) -> TextOf {
        let in_key = self.bound_by_key(of);
        match &grant.scope {
            Scope::Global => TextOf::Never,
            Scope::Value(template) if template.names().all(|name| in_key.contains(name)) => TextOf::Always(Vec::new()),
            Scope::Links(links) if links.iter().any(|link| self.is_always_known(of, self.link(*link))) => {
                TextOf::Always(Vec::new())
            }
            Scope::Value(_) | Scope::Links(_) => TextOf::Sometimes(Vec::new()),
        }
    }
}

impl Model {
    /// The entities that the scopes of a grant can have. A scope that is only a value has none.
    fn scope_entity_of(&self, of: TypeId, grant: &Grant) -> TextOf {
        let Scope::Links(links) = &grant.scope else { return TextOf::Never };
        let entities = links.iter().flat_map(|link| self.entities(self.link(*link).to, false, TEXTS_MAX));
        let fixed = entities.map(|entity| match entity {
            Name::Fixed(text) => Some(text),
            Name::Open { .. } => None,
        });
        let fixed: BTreeSet<String> = fixed.collect::<Option<_>>().unwrap_or_default();
        let fixed: Vec<String> = fixed.into_iter().collect();
        match self.scope_of(of, grant) {
            TextOf::Never => TextOf::Never,
            TextOf::Sometimes(_) => TextOf::Sometimes(fixed),
            TextOf::Always(_) => TextOf::Always(fixed),
        }
    }
}

/// How many names the events of an item type and a verb can have before a pattern stands for them.
const TEXTS_MAX: usize = 1_000;

/// What a name can be in a pattern.
const ANY: &str = "[\\s\\S]+";

fn capital(word: &str) -> String {
    let mut chars = word.chars();
    chars.next().map(|first| first.to_uppercase().chain(chars).collect()).unwrap_or_default()
}

fn capitalised(word: &Name) -> Name {
    match word {
        Name::Fixed(text) => Name::Fixed(capital(text)),
        Name::Open { shown, pattern } if shown.starts_with('{') => {
            Name::Open { shown: shown.clone(), pattern: pattern.clone() }
        }
        Name::Open { shown, pattern } => Name::Open { shown: capital(shown), pattern: capital(pattern) },
    }
}

fn join(detail_type: &Template, entity: &Name, verb: &Name) -> Name {
    let (mut text, mut pattern, mut is_fixed) = (String::new(), String::new(), true);
    for part in detail_type.parts() {
        match part {
            TemplatePart::Constant(constant) => {
                text.push_str(constant);
                pattern.push_str(&escaped_pattern(constant));
            }
            TemplatePart::Name(slot) => match if slot.name == "Entity" { entity } else { verb } {
                Name::Fixed(fixed) => {
                    text.push_str(&slot.apply(fixed));
                    pattern.push_str(&escaped_pattern(&slot.apply(fixed)));
                }
                Name::Open { shown, pattern: open } => {
                    is_fixed = false;
                    text.push_str(shown);
                    // A transform changes what the name matches.
                    let is_as_it_is = slot.apply(open) == *open && slot.apply("A #") == "A #";
                    pattern.push_str(if is_as_it_is { open } else { ANY });
                }
            },
        }
    }
    if is_fixed { Name::Fixed(text) } else { Name::Open { shown: text, pattern } }
}

/// A text as a regular expression that matches it.
fn escaped_pattern(text: &str) -> String {
    let mut pattern = String::with_capacity(text.len());
    for c in text.chars() {
        if "\\^$.|?*+()[]{}".contains(c) {
            pattern.push('\\');
        }
        pattern.push(c);
    }
    pattern
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(name: &Name) -> &str {
        match name {
            Name::Fixed(text) => text,
            Name::Open { shown, .. } => shown,
        }
    }

    fn detail_types(model: &Model) -> Vec<String> {
        let mut all = Vec::new();
        for published in model.published() {
            let item = &model.item(published.of).name;
            let names = published.names.iter().map(|name| shown(&name.detail_type));
            all.extend(names.map(|name| format!("{item}: {name}")));
        }
        all
    }

    #[test]
    fn a_grant_is_published_under_its_subject() {
        let model = Model::shipped("access-management").unwrap();
        let all = detail_types(&model);
        assert!(all.contains(&"Membership: User Granted".to_owned()), "{all:?}");
        assert!(all.contains(&"Membership: Membership Updated".to_owned()), "{all:?}");
        assert!(all.contains(&"Hierarchy: Hierarchy Created".to_owned()), "{all:?}");
        assert!(!all.iter().any(|name| name.contains("Conflicted")), "no guard: {all:?}");
    }

    #[test]
    fn an_item_that_decides_its_name_has_an_open_one() {
        let model = Model::shipped("relational-store").unwrap();
        let published = model.published();
        let resource = published.iter().find(|one| model.item(one.of).name == "Resource").unwrap();
        let names: Vec<&str> = resource.names.iter().map(|name| shown(&name.detail_type)).collect();
        assert_eq!(names, ["{_resourceType} Created", "{resourceType} Created"]);
        let Name::Open { pattern, .. } = &resource.names[0].detail_type else { unreachable!("open") };
        assert_eq!(pattern, "[\\s\\S]+ Created");
    }

    #[test]
    fn values_of_a_word_are_named_one_by_one() {
        let all = detail_types(&Model::shipped("platform").unwrap());
        for name in ["sent", "failed", "skipped", "created"].map(capital) {
            assert!(all.contains(&format!("NotificationAudit: Notification {name}")), "{all:?}");
        }
        assert!(all.contains(&"NotificationAudit: Notification {deliveryStatus}".to_owned()), "{all:?}");
    }

    /// Five names of ten values each would be a hundred thousand event types.
    #[test]
    fn a_pattern_stands_for_too_many_values() {
        let values: Vec<String> = (0..10).map(|value| format!("\"v{value}\"")).collect();
        let set = |name: &str| format!("{name} = [{}]\n", values.join(", "));
        let text = format!(
            "model = \"m\"\ntable = {{ pk = \"PK\", sk = \"SK\" }}\n[names]\n{}[items.A]\n\
             pk = \"{{a}}#{{b}}#{{c}}#{{d}}#{{e}}\"\nsk = \"A\"\nentity = \"{{a}}-{{b}}-{{c}}-{{d}}-{{e}}\"\n\
             [items.B]\npk = \"B#{{a}}#{{b}}\"\nsk = \"B\"\nentity = \"{{a}}-{{b}}\"\n",
            ["a", "b", "c", "d", "e"].map(set).concat()
        );
        let all = detail_types(&Model::parse("m.toml", &text).unwrap());
        assert_eq!(all.len(), 2 + 200);
        assert!(all.contains(&"A: {a}-{b}-{c}-{d}-{e} Created".to_owned()), "{all:?}");
    }

    fn capital(word: &str) -> String {
        shown(&capitalised(&Name::Fixed(word.to_owned()))).to_owned()
    }
}
