//! Event types: what comes under one `DetailType`.

use std::collections::{BTreeMap, BTreeSet};

use instep_contract::{EventVerb, SNAPSHOT_ENTITY};
use instep_model::{Model, Name, Published};

use crate::identifier::{RESERVED, identifier, union};

/// What comes under one `DetailType`, or under the names that items of one type decide.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct EventType {
    /// A name for files and declarations: letters and digits, unique within the model.
    pub name: String,
    /// `DetailType`: one fixed text, or one or more open names.
    pub detail_types: Vec<Name>,
    /// What it can be about, one for each item type.
    pub variants: Vec<Variant>,
    /// Whether it is the beginning or the end of a snapshot. A model whose names do not say the verb has one for both.
    pub snapshot: Vec<EventVerb>,
}

/// The events of one item type under a `DetailType`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Variant {
    /// What the model says of them.
    pub published: Published,
    /// The entity names that they can have under this `DetailType`.
    pub entities: Vec<Name>,
}

/// The verbs of the beginning and the end of a snapshot, which no model changes.
pub(crate) const SNAPSHOT_VERBS: [(EventVerb, &str); 2] =
    [(EventVerb::Started, "started"), (EventVerb::Ended, "ended")];

impl EventType {
    /// The event types of a model, sorted by name.
    #[must_use]
    pub fn all(model: &Model) -> Vec<Self> {
        let mut groups: BTreeMap<Group, Self> = BTreeMap::new();
        for published in model.published() {
            let by_type: BTreeSet<Name> = published.names.iter().map(|name| name.detail_type.clone()).collect();
            for detail_type in by_type {
                let own = published.names.iter().filter(|name| name.detail_type == detail_type);
                let entities: BTreeSet<Name> = own.map(|name| name.entity.clone()).collect();
                let (group, name) = match &detail_type {
                    Name::Fixed(text) => (Group::Fixed(text.clone()), identifier(text)),
                    Name::Open { .. } => {
                        let item = &model.item(published.of).name;
                        let text = format!("{item} {}", published.verb.word());
                        (Group::Open(published.of.0, published.verb.word()), identifier(&text))
                    }
                };
                let event = groups.entry(group).or_insert_with(|| Self::empty(name));
                if !event.detail_types.contains(&detail_type) {
                    event.detail_types.push(detail_type.clone());
                }
                event.add(&published, entities);
            }
        }
        for (verb, word) in SNAPSHOT_VERBS {
            let Some(text) = model.event_name(SNAPSHOT_ENTITY, word) else { continue };
            let event = groups.entry(Group::Fixed(text.clone())).or_insert_with(|| Self::empty(identifier(&text)));
            event.detail_types = vec![Name::Fixed(text)];
            event.snapshot.push(verb);
        }
        with_unique_names(model, groups.into_values().collect())
    }

    const fn empty(name: String) -> Self {
        Self { name, detail_types: Vec::new(), variants: Vec::new(), snapshot: Vec::new() }
    }

    fn add(&mut self, published: &Published, entities: BTreeSet<Name>) {
        match self.variants.iter_mut().find(|variant| variant.published == *published) {
            Some(variant) => {
                let all: BTreeSet<Name> = variant.entities.drain(..).chain(entities).collect();
                variant.entities = all.into_iter().collect();
            }
            None => {
                self.variants.push(Variant { published: published.clone(), entities: entities.into_iter().collect() })
            }
        }
    }

    /// The `DetailType`, if it is one fixed text.
    #[must_use]
    pub fn fixed(&self) -> Option<&str> {
        match self.detail_types.as_slice() {
            [Name::Fixed(text)] => Some(text),
            _ => None,
        }
    }

    /// The `DetailType` for people.
    #[must_use]
    pub fn shown(&self) -> String {
        let shown = |name: &Name| match name {
            Name::Fixed(text) => text.clone(),
            Name::Open { shown, .. } => shown.clone(),
        };
        self.detail_types.iter().map(shown).collect::<Vec<_>>().join(" or ")
    }
}

#[derive(Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Group {
    Fixed(String),
    Open(usize, &'static str),
}

/// Two texts can give one identifier: the later ones get a number.
fn with_unique_names(model: &Model, mut events: Vec<EventType>) -> Vec<EventType> {
    let of_declarations = RESERVED.iter().map(|name| name.to_lowercase());
    let mut taken: BTreeSet<String> = of_declarations.chain([union(model).to_lowercase()]).collect();
    for event in &mut events {
        let own = event.name.clone();
        let mut nth = 2;
        // File systems may take names for equal that differ in case only.
        while !taken.insert(event.name.to_lowercase()) {
            event.name = format!("{own}{nth}");
            nth += 1;
        }
    }
    events.sort_by(|one, other| one.name.cmp(&other.name));
    events
}
