//! Questions: what people and programs ask.

use instep_flow::queries::label_of;
use instep_model::{Item, LinkId, Model, Names, Object, Permission, Scope, Subject, TypeId, Within};
use thiserror::Error;

/// An item that a question names: by all names of its key, or by some that lead to it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NamedItem {
    /// Its type.
    pub of: TypeId,
    /// Its names.
    pub names: Names,
}

impl NamedItem {
    /// An item of a type, by names and their values. `None` if the model has no such type.
    #[must_use]
    pub fn new<'n>(model: &Model, of: &str, names: impl IntoIterator<Item = (&'n str, &'n str)>) -> Option<Self> {
        let of = model.type_named(of)?;
        let names = names.into_iter().map(|(name, text)| (name.to_owned(), model.as_in_key(of, name, text))).collect();
        Some(Self { of, names })
    }
}

impl NamedItem {
    /// Its name in answers. INVARIANT 9: of a secret item, only the type.
    #[must_use]
    pub fn label(&self, model: &Model) -> String {
        label(model, &Object { of: self.of, names: self.names.clone() }, None)
    }
}

/// The name of an object in answers: by its id, as far as its names and its item say it. INVARIANT 9: of a secret item, only
/// the type.
pub(crate) fn label(model: &Model, object: &Object, item: Option<&Item>) -> String {
    let ty = model.item(object.of);
    let id = ty.entity_id.as_ref().filter(|_| !ty.secret);
    let text = id.and_then(|id| id.render(&model.lookup(object.of, &object.names, item)).ok());
    text.map_or_else(|| label_of(model, object), |text| format!("{} {text}", ty.name))
}

/// Where something is to be done.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum AskedPlace {
    /// In no scope in particular: only a grant that counts everywhere allows it.
    Nowhere,
    /// At an item.
    Item(NamedItem),
    /// At a scope that is only a text.
    Text(String),
}

/// What is to be done.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum WantedAccess {
    /// Any grant suffices.
    Access,
    /// A role.
    Role(String),
    /// A permission.
    Permission(String),
}

impl WantedAccess {
    /// The kind, as a word of output. Empty for any grant.
    #[must_use]
    pub const fn kind(&self) -> &'static str {
        match self {
            Self::Access => "",
            Self::Role(_) => "role",
            Self::Permission(_) => "permission",
        }
    }

    /// The role or the permission.
    #[must_use]
    pub fn text(&self) -> Option<String> {
        match self {
            Self::Access => None,
            Self::Role(text) | Self::Permission(text) => Some(text.clone()),
        }
    }
}

/// A question.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Question {
    /// Whether a subject may do something.
    Can {
        /// Who.
        subject: NamedItem,
        /// What.
        wanted: WantedAccess,
        /// Where.
        at: AskedPlace,
    },
    /// What a subject may do: its grants and permissions, without those that apply below.
    What {
        /// Who.
        subject: NamedItem,
    },
    /// The scopes whose grants apply at an item, the nearest first.
    Scopes {
        /// Where.
        at: NamedItem,
    },
    /// The subjects that may do something at a place.
    Who {
        /// What.
        wanted: WantedAccess,
        /// Where.
        at: AskedPlace,
        /// Where the page begins: the `next` of the page before.
        from: Option<String>,
    },
}

/// A question that the model cannot answer. It is the question that is wrong, and not a deny.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum RefusedQuestion {
    /// The model has no grants at all.
    #[error("the model has no grants, so nobody may do anything by it")]
    NoGrants,
    /// Items of this type get no roles.
    #[error("no grant has a {of} as its subject")]
    NoSubject {
        /// The item type.
        of: String,
    },
    /// No item permits anything of this form.
    #[error("no permission of the model has the form of `{permission}`{}", forms(.known))]
    NoSuchForm {
        /// What was asked.
        permission: String,
        /// The forms that there are.
        known: Vec<String>,
    },
    /// Nothing leads to an item by these names.
    #[error("nothing leads from {names} to a {of}: give all names of its key, or of an index")]
    NoWay {
        /// The item type.
        of: String,
        /// The names that were given.
        names: String,
    },
    /// The type is secret.
    #[error("a {of} is secret: no answer tells anything of it")]
    Secret {
        /// The item type.
        of: String,
    },
    /// No grant has a scope of this kind.
    #[error("no grant of a {subject} has {at} as its scope, or anything that it is in")]
    NoScope {
        /// The type of the subject.
        subject: String,
        /// What was asked.
        at: String,
    },
    /// Nobody can list grants without a scope.
    #[error("name a scope: no key, index or back-reference leads to all grants of a model")]
    NoPlace,
    /// Nothing leads from a scope to its grants.
    #[error(
        "no key, index or back-reference leads from {at} to its grants: give {grants} an index whose partition key has the \
         scope, or a scope that is an item, with `find = \"back-reference\"`"
    )]
    NoWayBack {
        /// What was asked.
        at: String,
        /// The types of the grants.
        grants: String,
    },
    /// The page does not begin where one ended.
    #[error("this is no cursor of a page")]
    Cursor,
}

fn forms(known: &[String]) -> String {
    if known.is_empty() { String::new() } else { format!(": write {}", known.join(" or ")) }
}

/// The names that the grants of a subject share with it: its values fill in what a question does not say.
pub(crate) fn shared_names(model: &Model, subject: TypeId) -> Vec<&String> {
    let grants = grants_of(model, subject).into_iter().filter_map(|of| model.item(of).grant.as_ref());
    grants.flat_map(|grant| &grant.same).collect()
}

/// Whether something leads to an item. `more` are names that are filled in.
pub(crate) fn check_item(
    model: &Model,
    NamedItem { of, names }: &NamedItem,
    more: &[&String],
) -> Result<(), RefusedQuestion> {
    let name = model.item(*of).name.clone();
    if model.item(*of).secret {
        return Err(RefusedQuestion::Secret { of: name });
    }
    // What has a value that no key has does not exist, whatever leads to the others.
    let plain: Names = names.keys().chain(more.iter().copied()).map(|name| (name.clone(), "1".to_owned())).collect();
    if model.ways_to_find(*of, names).is_empty() && model.ways_to_find(*of, &plain).is_empty() {
        let names: Vec<String> = names.keys().map(|name| format!("`{name}`")).collect();
        let names = if names.is_empty() { "no names".to_owned() } else { names.join(", ") };
        return Err(RefusedQuestion::NoWay { of: name, names });
    }
    Ok(())
}

/// The item types whose grants have a subject of this type.
#[must_use]
pub fn grants_of(model: &Model, subject: TypeId) -> Vec<TypeId> {
    let is_of = |(of, ty): &(TypeId, &instep_model::ItemType)| match ty.grant.as_ref().map(|grant| &grant.subject) {
        Some(Subject::Itself) => *of == subject,
        Some(Subject::Link(link)) => model.link(*link).to == subject,
        None => false,
    };
    model.types().filter(is_of).map(|(of, _)| of).collect()
}

/// What a text says as a permission of each type that gives some.
pub(crate) fn permissions(model: &Model, text: &str) -> Vec<(TypeId, Permission)> {
    let read = |(of, ty): (TypeId, &instep_model::ItemType)| Some((of, ty.permits.as_ref()?.read(text)?));
    model.types().filter_map(read).collect()
}

/// The types of the items at which something can be asked about the grants of a subject: scopes, and what is in them.
#[must_use]
pub fn scope_types(model: &Model, subject: TypeId) -> Vec<TypeId> {
    let mut types: Vec<TypeId> = Vec::new();
    for of in grants_of(model, subject) {
        if let Some(Scope::Links(links)) = model.item(of).grant.as_ref().map(|grant| &grant.scope) {
            types.extend(links.iter().map(|link| model.link(*link).to));
        }
    }
    // What is in a scope: until nothing is added.
    loop {
        let is_in = |ty: &instep_model::ItemType| match &ty.within {
            Some(Within::Items(links)) => links.iter().any(|link| types.contains(&link.to)),
            Some(Within::Path { .. }) | None => false,
        };
        let conveyed = model.items.iter().filter_map(|ty| ty.conveys.as_ref());
        let leads = |links: &[LinkId]| links.iter().any(|link| types.contains(&model.link(*link).to));
        let ends = conveyed.filter(|conveys| leads(&conveys.from)).flat_map(|conveys| &conveys.to);
        let more = model.types().filter(|(_, ty)| is_in(ty)).map(|(of, _)| of);
        let more: Vec<TypeId> =
            more.chain(ends.map(|link| model.link(*link).to)).filter(|of| !types.contains(of)).collect();
        if more.is_empty() {
            types.sort();
            types.dedup();
            return types;
        }
        types.extend(more);
    }
}
