//! Item types: keys, events, and what follows from an item.

use std::collections::{BTreeMap, BTreeSet};

use super::answers::{Conveys, Permits, Within};
use super::cognito::{CognitoGroups, CognitoMember, CognitoUser, UserValue};
use super::condition::Condition;
use super::grant::Grant;
use super::guard::Guard;
use super::ids::{Names, TypeId};
use super::link::Link;
use crate::template::{Slot, Template};
use crate::value::Value;

/// One kind of item.
#[derive(Debug, Clone)]
pub struct ItemType {
    /// Its name in the model.
    pub name: String,
    /// The name that it had before. Bookkeeping, work messages and the ids of events keep that name.
    pub formerly: Option<String>,
    /// The forms of its key. Forms that bind the same names are spellings of one identity: Instep
    /// writes the first and reads all.
    pub forms: Vec<KeyForm>,
    /// Its index attributes.
    pub index_keys: Vec<IndexKeys>,
    /// Values of the type attribute that agree with the keys.
    pub type_values: Vec<String>,
    /// Closed sets of this item type only.
    pub values: BTreeMap<String, Vec<String>>,
    /// Entity name in events: the first template that renders. Empty: the item type's own name.
    pub entity: Vec<Template>,
    /// Entity id in events; by default the key's names joined by `/`.
    pub entity_id: Option<Template>,
    /// The verbs that are published. By default none for guards and secrets.
    pub publish: BTreeSet<Verb>,
    /// An `updated` is published for every write of an existing item, also if it changed nothing that events show.
    pub publish_unchanged: bool,
    /// Words that replace a verb in `DetailType`: the first that applies.
    pub verb_words: BTreeMap<Verb, Vec<VerbWord>>,
    /// Attributes that events carry.
    pub attributes: Vec<String>,
    /// True for an entity or an edge: its `created`, `updated` and `deleted` can be published.
    pub is_entity: bool,
    /// True for an edge.
    pub is_edge: bool,
    /// No value of such an item reaches an event, a log or a parked record.
    pub secret: bool,
    /// Identities that exist whether or not there is an item.
    pub assumed: Vec<Names>,
    /// No item is of this type: it has the values by which items name accounts of people who sign up. A value counts
    /// as existing.
    pub user_value: Option<UserValue>,
    /// An edge of which each item at one of its ends has at most one.
    pub unique_end: Option<UniqueEnd>,
    /// A grant of access.
    pub grant: Option<Grant>,
    /// A guard on a unique value.
    pub guard: Option<Guard>,
    /// The Cognito user of this item.
    pub user: Option<CognitoUser>,
    /// The Cognito groups of this item.
    pub groups: Vec<CognitoGroups>,
    /// The Cognito memberships that this item implies.
    pub members: Vec<CognitoMember>,
    /// What becomes due by time.
    pub due: Vec<DueRule>,
    /// What the item is in, for answers.
    pub within: Option<Within>,
    /// For an edge: where access flows along it.
    pub conveys: Option<Conveys>,
    /// The permissions that the item gives.
    pub permits: Option<Permits>,
    /// For the item of a role: the role whose permissions it has, too.
    pub inherits: Option<Link>,
}

impl ItemType {
    /// The name in bookkeeping, work messages and the ids of events.
    #[must_use]
    pub fn stable_name(&self) -> &str {
        self.formerly.as_deref().unwrap_or(&self.name)
    }

    /// What it is to subscribers.
    #[must_use]
    pub const fn kind(&self) -> EventKind {
        if self.guard.is_some() {
            EventKind::Guard
        } else if self.is_edge {
            EventKind::Edge
        } else if self.is_entity {
            EventKind::Entity
        } else if self.grant.is_some() {
            EventKind::Grant
        } else {
            EventKind::Plain
        }
    }

    /// Its name in output for people.
    #[must_use]
    pub fn label(&self) -> &str {
        match self.user_value {
            Some(value) => value.label(),
            None => &self.name,
        }
    }

    /// Whether an identity counts as existing, whether or not there is an item.
    #[must_use]
    pub fn exists_without_item(&self, names: &Names) -> bool {
        self.user_value.is_some() || self.assumed.contains(names)
    }

    /// Whether a form of the key has a name.
    #[must_use]
    pub fn has_in_key(&self, name: &str) -> bool {
        self.forms.iter().any(|form| form.names.contains(name))
    }

    pub(crate) fn key_order(&self) -> Vec<&str> {
        let mut ordered: Vec<&str> = Vec::new();
        for name in self.forms.iter().flat_map(|form| form.pk.names().chain(form.sk.names())) {
            if !ordered.contains(&name) {
                ordered.push(name);
            }
        }
        ordered
    }
}

/// At most one edge for each item at an end. The edge that the guard names is in effect. Another one waits for the
/// guard, as any claim of a unique value does, and has no effect while the first exists.
#[derive(Debug, Clone)]
pub struct UniqueEnd {
    /// The name of the end.
    pub end: String,
    /// The type of the guards. Edges own them.
    pub guard: TypeId,
    /// The place, in the guard's claims, of the one that is made of the key of the item at the end.
    pub claim: usize,
}

/// One way to write an item type's key.
#[derive(Debug, Clone)]
pub struct KeyForm {
    /// Partition key template.
    pub pk: Template,
    /// Sort key template.
    pub sk: Template,
    /// The names that the two bind.
    pub names: BTreeSet<String>,
}

impl KeyForm {
    /// The names in the two templates, as they are written there.
    pub(crate) fn slots(&self) -> impl Iterator<Item = &Slot> {
        self.pk.slots().chain(self.sk.slots())
    }
}

/// An item type's attributes of one index.
#[derive(Debug, Clone)]
pub struct IndexKeys {
    /// The index, by its position in [`Model::indexes`](super::Model::indexes).
    pub index: usize,
    /// Partition attribute's template.
    pub pk: Template,
    /// Sort attribute's template. `None` if the index is sorted by one of the table's own keys.
    pub sk: Option<Template>,
    /// What Instep writes into the attributes.
    pub keep: Keep,
}

/// What Instep writes into the attributes of an index.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Keep {
    /// Nothing: their writers do.
    No,
    /// What the key and the other attributes give. It removes none: an item may name something by its index key alone.
    Fill,
    /// What the templates give. It removes what they do not.
    Always,
}

impl Keep {
    /// Whether Instep writes the attributes.
    #[must_use]
    pub const fn writes(self) -> bool {
        !matches!(self, Self::No)
    }

    /// Whether the attributes give names to other templates. Those that Instep always writes follow from what gives them.
    #[must_use]
    pub const fn gives_names(self) -> bool {
        !matches!(self, Self::Always)
    }
}

/// What happened to an item, as an event names it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Verb {
    /// An item was created.
    Created,
    /// An item changed.
    Updated,
    /// An item was deleted.
    Deleted,
    /// A role was granted.
    Granted,
    /// A role was revoked.
    Revoked,
    /// A claim of a unique value lost against its holder.
    Conflicted,
    /// A pending claim of a unique value got it.
    Resolved,
}

impl Verb {
    /// All verbs, in the order in which one record's events are published.
    pub const ALL: [Self; 7] =
        [Self::Created, Self::Updated, Self::Revoked, Self::Granted, Self::Deleted, Self::Resolved, Self::Conflicted];

    /// The word in a model file and in an event's metadata.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Self::Created => "created",
            Self::Updated => "updated",
            Self::Deleted => "deleted",
            Self::Granted => "granted",
            Self::Revoked => "revoked",
            Self::Conflicted => "conflicted",
            Self::Resolved => "resolved",
        }
    }
}

/// What the items of a type are to subscribers. An item that is several of these is the first of them.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum EventKind {
    /// It reserves a unique value.
    Guard,
    /// It relates two items.
    Edge,
    /// It has a name in events.
    Entity,
    /// It gives roles.
    Grant,
    /// None of these.
    Plain,
}

impl EventKind {
    /// The word in an event's metadata.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Self::Guard => "guard",
            Self::Entity => "entity",
            Self::Edge => "edge",
            Self::Grant => "grant",
            Self::Plain => "plain",
        }
    }
}

/// A word that replaces a verb in `DetailType`.
#[derive(Debug, Clone)]
pub struct VerbWord {
    /// The word, a template over the item's names and attributes.
    pub word: Template,
    /// It applies if this became true with the write: of a new item if it is true, of a deleted one
    /// if it was.
    pub when: Condition,
    /// It applies to items that TTL deleted.
    pub by_ttl: bool,
    /// It applies if one of these attributes changed. Empty: to every write.
    pub changed: Vec<String>,
}

impl VerbWord {
    /// Whether it applies to every write.
    #[must_use]
    pub const fn is_default(&self) -> bool {
        self.when.is_empty() && !self.by_ttl && self.changed.is_empty()
    }
}

/// A change that becomes due by time.
#[derive(Debug, Clone)]
pub struct DueRule {
    /// The name with the time.
    pub at: String,
    /// The rule applies while this holds.
    pub when: Condition,
    /// Attribute values that are set at that time.
    pub set: Vec<(String, Value)>,
}
