//! Keys and identities: the item type of a key, and the keys of an object.

use thiserror::Error;

use crate::matching::{Texts, ValueRefusal};
use crate::messages::list;
use crate::model::{ItemType, Key, KeyForm, Model, Names, Object, PARTITION_KEY_MAX_BYTES, SORT_KEY_MAX_BYTES, TypeId};
use crate::nearest::{Differs, Near};
use crate::slot::lowered;
use crate::template::base;

/// The prefix of the partition keys of Instep's own items. No template of an item type may begin
/// with it.
pub const BOOKKEEPING_PREFIX: &str = "INSTEP#";

/// The attribute with the content of Instep's own items, beside their key and their time to live.
pub const BOOKKEEPING_ATTRIBUTE: &str = "instep";

/// The item that a key belongs to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Identity {
    /// An item that the model describes.
    Item {
        /// The object.
        object: Object,
        /// False if the key has upper case in a name that Cognito names have in lower case. Another
        /// item could then have the same Cognito name.
        canonical: bool,
    },
    /// One of Instep's own items.
    Bookkeeping,
    /// An item that no item type describes, and the item type with the most similar templates.
    Unknown(Option<Near>),
}

impl Identity {
    /// Whether the key could be mistaken for that of another item.
    #[must_use]
    pub const fn is_forged(&self) -> bool {
        matches!(self, Self::Unknown(Some(Near { differs: Differs::Forged { .. }, .. })))
    }
}

/// An object has no key that identifies it alone. No message contains a value.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum RenderError {
    /// The item type has no key with these names.
    #[error("`{item}` has no key made of {names}")]
    NoForm {
        /// The item type.
        item: String,
        /// The names given, for people.
        names: String,
    },
    /// The value of a name is not allowed in a key.
    #[error("the text of `{name}` cannot stand in a key of `{item}`: {why}")]
    Name {
        /// The item type.
        item: String,
        /// The name.
        name: String,
        /// What is wrong with the value.
        why: String,
    },
    /// The key would be parsed as another object.
    #[error("a key of `{item}` with these names would be read as {as_what}")]
    ReadsAs {
        /// The item type.
        item: String,
        /// The item type that it would be parsed as.
        as_what: String,
    },
    /// The key is too long for DynamoDB.
    #[error("a {part} of `{item}` would have {bytes} bytes; DynamoDB's limit is {limit}")]
    TooLong {
        /// The item type.
        item: String,
        /// Partition or sort key.
        part: &'static str,
        /// Its length.
        bytes: usize,
        /// DynamoDB's limit.
        limit: usize,
    },
}

impl Model {
    /// The item that a key belongs to.
    #[must_use]
    pub fn identify(&self, key: &Key) -> Identity {
        if key.pk.starts_with(BOOKKEEPING_PREFIX) {
            return Identity::Bookkeeping;
        }
        for (of, item) in self.types() {
            let texts = self.texts(item);
            if let Some(names) = item.forms.iter().find_map(|form| texts.read_key(form, key)) {
                let canonical = self.is_canonical(&texts, &names);
                return Identity::Item { object: Object { of, names }, canonical };
            }
        }
        Identity::Unknown(self.nearest(key))
    }

    /// The item type of a key, whether or not the key is canonical.
    pub(crate) fn type_of(&self, key: &Key) -> Option<TypeId> {
        let reads = |item: &ItemType| item.forms.iter().any(|form| self.texts(item).read_key(form, key).is_some());
        self.types().find(|(_, item)| reads(item)).map(|(of, _)| of)
    }

    /// All spellings of an object's key. The first is the one that Instep writes.
    ///
    /// # Errors
    /// A key would be parsed as another object. This check prevents forged keys: a value cannot
    /// turn one key into another.
    pub fn keys(&self, object: &Object) -> Result<Vec<Key>, RenderError> {
        let item = self.item(object.of);
        // No item is of a value.
        if item.user_value.is_some() {
            return Ok(Vec::new());
        }
        let forms: Vec<&KeyForm> = item.forms.iter().filter(|form| form.names.iter().eq(object.names.keys())).collect();
        if forms.is_empty() {
            let names: Vec<String> = object.names.keys().map(|name| format!("`{name}`")).collect();
            let names = if names.is_empty() { "no names".to_owned() } else { names.join(", ") };
            return Err(RenderError::NoForm { item: item.name.clone(), names });
        }
        // Spellings that are too long for DynamoDB are left out. At least one must remain.
        let mut refused = None;
        let mut keys = Vec::with_capacity(forms.len());
        for form in forms {
            match self.key(object, item, form) {
                Ok(key) => keys.push(key),
                Err(error @ RenderError::TooLong { .. }) => refused = Some(error),
                Err(error) => return Err(error),
            }
        }
        match (keys.is_empty(), refused) {
            (true, Some(error)) => Err(error),
            (_, _) => Ok(keys),
        }
    }

    /// The names of an item type's key in the order of its forms, each once.
    #[must_use]
    pub fn key_order(&self, of: TypeId) -> Vec<&str> {
        self.item(of).key_order()
    }

    /// Why an object that an item names cannot exist, if only some names of its key are known. No
    /// message contains a value.
    ///
    /// # Errors
    /// A name has a value that no key has, or that another item could share a Cognito name with.
    pub fn check_names(&self, object: &Object) -> Result<(), RenderError> {
        let item = self.item(object.of);
        let texts = self.texts(item);
        let error = |name: &str, why: String| RenderError::Name { item: item.name.clone(), name: name.to_owned(), why };
        // Names beside the key say nothing about it: whether they lead to an item, its index says.
        for (name, text) in object.names.iter().filter(|(name, _)| item.has_in_key(name)) {
            if let Some(why) = texts.refused_in(&item.forms, name, text) {
                return Err(error(name, why));
            }
            if !self.is_canonical_text(&texts, name, text) {
                return Err(error(name, "it contains upper case".to_owned()));
            }
        }
        Ok(())
    }

    /// The value of a name as the keys of an item type have it.
    #[must_use]
    pub fn as_in_key(&self, of: TypeId, name: &str, text: &str) -> String {
        let mut slots = self.item(of).forms.iter().flat_map(KeyForm::slots);
        if slots.any(|slot| slot.name == name && slot.lower) { text.to_lowercase() } else { text.to_owned() }
    }

    pub(crate) fn texts<'a>(&'a self, item: &'a ItemType) -> Texts<'a> {
        Texts { names: &self.names, forbidden: &self.derived.forbidden, values: &item.values }
    }

    /// Whether an object is the one of those that differ in case only to which Cognito names belong.
    #[must_use]
    pub fn has_canonical_key(&self, object: &Object) -> bool {
        self.has_canonical_names() || self.is_canonical(&self.texts(self.item(object.of)), &object.names)
    }

    /// Whether Cognito names have no name in lower case, so that every object has a canonical key.
    #[must_use]
    pub fn has_canonical_names(&self) -> bool {
        self.derived.lowered.is_empty()
    }

    /// Of the objects that differ from this one in case only, the one to which Cognito names belong.
    #[must_use]
    pub fn canonical(&self, object: &Object) -> Object {
        let texts = self.texts(self.item(object.of));
        let canonical = |(name, text): (&String, &String)| {
            let is_canonical = self.is_canonical_text(&texts, name, text);
            (name.clone(), if is_canonical { text.clone() } else { text.to_lowercase() })
        };
        Object { of: object.of, names: object.names.iter().map(canonical).collect() }
    }

    /// INVARIANT 1, one target for one item: of keys that differ in case only, just one has a
    /// Cognito name.
    fn is_canonical(&self, texts: &Texts<'_>, names: &Names) -> bool {
        names.iter().all(|(name, text)| self.is_canonical_text(texts, name, text))
    }

    fn is_canonical_text(&self, texts: &Texts<'_>, name: &str, text: &str) -> bool {
        let inner = texts.inner(name, text).unwrap_or_default();
        let is_lowered = self.derived.lowered.contains(base(name));
        (!is_lowered || lowered(text) == text) && self.is_canonical(texts, &inner)
    }

    fn key(&self, object: &Object, item: &ItemType, form: &KeyForm) -> Result<Key, RenderError> {
        let lookup = |name: &str| object.names.get(name);
        let missing = |error: crate::template::MissingName| RenderError::Name {
            item: item.name.clone(),
            name: error.name,
            why: "it has none".to_owned(),
        };
        let pk = form.pk.render(&lookup).map_err(missing)?;
        let sk = form.sk.render(&lookup).map_err(missing)?;
        let key = Key { pk, sk };
        let limits = [("partition key", &key.pk, PARTITION_KEY_MAX_BYTES), ("sort key", &key.sk, SORT_KEY_MAX_BYTES)];
        for (part, text, limit) in limits {
            if text.len() > limit {
                return Err(RenderError::TooLong { item: item.name.clone(), part, bytes: text.len(), limit });
            }
        }
        // INVARIANT 2 and 7: a key that would be parsed as another object is never read and never
        // written.
        if key.pk.starts_with(BOOKKEEPING_PREFIX) {
            return Err(RenderError::ReadsAs {
                item: item.name.clone(),
                as_what: "one of Instep's own items".to_owned(),
            });
        }
        for (of, other) in self.types() {
            let texts = self.texts(other);
            for read in &other.forms {
                if of == object.of && texts.reads_as(read, &key, &object.names) {
                    return Ok(key);
                }
                if texts.read_key(read, &key).is_some() {
                    return Err(self.refuse(object, item, form, Some(of)));
                }
            }
        }
        Err(self.refuse(object, item, form, None))
    }

    /// Why a key is not parsed as the object that it was rendered from.
    fn refuse(&self, object: &Object, item: &ItemType, form: &KeyForm, read: Option<TypeId>) -> RenderError {
        let texts = self.texts(item);
        let name_error =
            |name: &str, why: String| RenderError::Name { item: item.name.clone(), name: name.to_owned(), why };
        for (name, text) in &object.names {
            if let Err(refusal) = texts.check(name, text) {
                return name_error(name, refusal.for_people(&texts, name));
            }
        }
        for slot in form.slots() {
            let text = object.names.get(&slot.name).map_or("", String::as_str);
            if let Some(why) = slot.refuses(text) {
                return name_error(&slot.name, format!("{why}, but the key has `{slot}`"));
            }
        }
        let as_what = match read {
            Some(of) if of == object.of => format!("another `{}`", item.name),
            Some(of) => format!("`{}`", self.item(of).name),
            None => "no item that the model describes".to_owned(),
        };
        RenderError::ReadsAs { item: item.name.clone(), as_what }
    }
}

impl ValueRefusal {
    /// The reason, without the value.
    pub(crate) fn for_people(self, texts: &Texts<'_>, name: &str) -> String {
        match self {
            Self::Empty => "it is empty".to_owned(),
            Self::Holds(c) => {
                let end = texts.end(name, c).map(ToString::to_string).unwrap_or_default();
                format!("it contains `{c}`, which ends `{name}` in {end}")
            }
            Self::NotAValue => format!("it is not one of {}", list(texts.values_of(name).unwrap_or_default())),
            Self::NotLike => {
                format!("it does not match `{}`", texts.like_of(name).map(ToString::to_string).unwrap_or_default())
            }
        }
    }
}
