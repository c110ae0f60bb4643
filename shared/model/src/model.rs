//! A loaded and checked table model, as plain data.

use std::collections::{BTreeMap, BTreeSet};

use crate::template::Template;
use crate::value::{Item, Value};

/// Names and their values, as a key's templates bind them (`email` → `a@b.example`).
pub type Names = BTreeMap<String, String>;

/// An item type's position in [`Model::items`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct TypeId(pub usize);

/// A link's position in [`Model::links`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct LinkId(pub usize);

/// A primary key: partition key, then sort key. The tables of Instep have string keys.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Key {
    /// The partition key's value.
    pub pk: String,
    /// The sort key's value.
    pub sk: String,
}

/// An item's identity: its type and the names in its key. All spellings of one key are one object.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Object {
    /// The item type.
    pub of: TypeId,
    /// The names in the key.
    pub names: Names,
}

/// One single-table design: key templates, item types, and what follows from each.
#[derive(Debug, Clone)]
pub struct Model {
    /// The model's name, part of every event's id.
    pub name: String,
    /// EventBridge `Source` of the model's events.
    pub source: String,
    /// EventBridge `DetailType`, a template of `{Entity}` and `{Verb}`.
    pub detail_type: Template,
    /// The attribute (spellings) with the correlation id that events carry.
    pub correlation: Vec<String>,
    /// Attributes that never leave the table, not even in a parked record.
    pub secret: BTreeSet<String>,
    /// The table's own attributes.
    pub table: Table,
    /// Secondary indexes.
    pub indexes: Vec<Index>,
    /// The rules for names, wherever they are used.
    pub names: BTreeMap<String, NameRule>,
    /// Item types, the narrowest key templates first. The first that matches a key is its type.
    pub items: Vec<ItemType>,
    /// Which items depend on which.
    pub links: Vec<Link>,
    /// How Instep tells its own Cognito groups from groups that people create.
    pub marker: Marker,
    /// What follows from the other fields, computed once.
    pub(crate) derived: Derived,
}

/// What follows from the fields of a model.
#[derive(Debug, Clone, Default)]
pub(crate) struct Derived {
    /// Characters that a base name never contains: the first of each constant that follows it in a
    /// template.
    pub(crate) forbidden: BTreeMap<String, BTreeSet<char>>,
    /// Base names that Cognito names have in lower case.
    pub(crate) lowered: BTreeSet<String>,
    /// By item type: the links to what it depends on.
    pub(crate) links_from: Vec<Vec<LinkId>>,
    /// By item type: the links from its dependents.
    pub(crate) links_to: Vec<Vec<LinkId>>,
}

/// The table's own attributes.
#[derive(Debug, Clone)]
pub struct Table {
    /// Partition key attribute.
    pub pk: String,
    /// Sort key attribute.
    pub sk: String,
    /// Attribute that names an item's type. It never decides; a disagreement is reported.
    pub type_attribute: Option<String>,
    /// TTL attribute (epoch seconds). Bookkeeping items use it too.
    pub ttl: String,
    /// What happens to an item that no template matches.
    pub unknown: Unknown,
}

impl Table {
    /// The primary key among an item's attributes. `None` if a part is missing or is not a string.
    #[must_use]
    pub fn key_of(&self, item: &Item) -> Option<Key> {
        let part = |name: &str| item.get(name).and_then(Value::as_s).map(str::to_owned);
        Some(Key { pk: part(&self.pk)?, sk: part(&self.sk)? })
    }
}

/// What happens to a record of an item that no item type describes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Unknown {
    /// It is parked, so that a gap in the model is noticed.
    Park,
    /// It is counted and skipped.
    Skip,
}

/// A secondary index.
#[derive(Debug, Clone)]
pub struct Index {
    /// The index's name.
    pub name: String,
    /// Spellings of the partition key attribute; the first is the index's own.
    pub pk: Vec<String>,
    /// Spellings of the sort key attribute.
    pub sk: Option<Vec<String>>,
}

/// The rules for a name: its values, and the attributes that contain it.
#[derive(Debug, Clone, Default)]
pub struct NameRule {
    /// The closed set of values, if there is one.
    pub values: Vec<String>,
    /// Attributes that contain it, first spelling first; by default the name itself.
    pub attributes: Vec<String>,
    /// The shape of its value, which binds further names.
    pub like: Option<Template>,
    /// A date or an instant.
    pub is: Option<Moment>,
}

/// How a time is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Moment {
    /// A day in UTC, which is past when it has ended.
    Date,
    /// An instant (RFC 3339, or epoch seconds).
    Time,
}

/// One kind of item.
#[derive(Debug, Clone)]
pub struct ItemType {
    /// Its name in the model.
    pub name: String,
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
    /// The verbs that are published. Empty for guards and secrets.
    pub publish: BTreeSet<Verb>,
    /// Words that replace a verb in `DetailType`.
    pub verb_words: BTreeMap<Verb, Template>,
    /// Attributes that events carry.
    pub attributes: Vec<String>,
    /// True for an entity or an edge: its `created`, `updated` and `deleted` can be published.
    pub is_entity: bool,
    /// No value of such an item reaches an event, a log or a parked record.
    pub secret: bool,
    /// Identities that exist whether or not there is an item.
    pub assumed: Vec<Names>,
    /// A grant of access.
    pub grant: Option<Grant>,
    /// A guard on a unique value.
    pub guard: Option<Guard>,
    /// The Cognito user of this item.
    pub user: Option<CognitoUser>,
    /// The Cognito groups of this item.
    pub groups: Option<CognitoGroups>,
    /// The Cognito membership that this item implies.
    pub member: Option<CognitoMember>,
    /// What becomes due by time.
    pub due: Vec<Due>,
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

/// An item type's attributes of one index.
#[derive(Debug, Clone)]
pub struct IndexKeys {
    /// The index, by its position in [`Model::indexes`].
    pub index: usize,
    /// Partition attribute's template.
    pub pk: Template,
    /// Sort attribute's template. `None` if the index is sorted by one of the table's own keys.
    pub sk: Option<Template>,
    /// Whether Instep corrects the attributes if they differ from the templates.
    pub keep: bool,
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
}

impl Verb {
    /// All verbs, in the order in which one record's events are published.
    pub const ALL: [Self; 6] =
        [Self::Created, Self::Updated, Self::Revoked, Self::Granted, Self::Deleted, Self::Conflicted];

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
        }
    }
}

/// A dependency of one item type on another: a parent, an end of an edge, a grant's subject or
/// scope.
#[derive(Debug, Clone)]
pub struct Link {
    /// The type that depends.
    pub from: TypeId,
    /// The type that it depends on.
    pub to: TypeId,
    /// The link exists only for items whose name has this value (a reference by type).
    pub when: Option<(String, String)>,
    /// The key names of the other item, each a template over this item's names and attributes. If
    /// this item does not determine a key name, it is missing here, and [`Link::up`] says how to
    /// find the other item. If that is [`Up::Index`], the other names that its templates take are
    /// here too.
    pub names: BTreeMap<String, Template>,
    /// How an item finds the other item.
    pub up: Up,
    /// How the other item finds its dependents.
    pub find: Find,
    /// The item is deleted with the other item.
    pub goes: bool,
    /// The item has no effect while the other item does not exist (a grant's subject and scope).
    pub needed: bool,
    /// For an edge whose `takes` names its other end: the link of that end. The item at that end is
    /// deleted with the last existing item at this end.
    pub takes: Option<LinkId>,
    /// The end of the edge (`parent`, `member` …), or the word of the model that creates the link.
    pub role: String,
}

/// How an item finds the item that it depends on.
#[derive(Debug, Clone)]
pub enum Up {
    /// It knows all names of the other item's key.
    Key,
    /// It knows some: it queries an index, then confirms the result by a consistent read.
    Index {
        /// The index.
        index: usize,
        /// The index's partition value, over the names that [`Link::names`] gives.
        pk: Template,
        /// The index's sort value, if it can be rendered completely.
        sk: Option<Template>,
    },
    /// It cannot find the other item.
    Unknown,
}

/// How Instep finds the dependents of an object.
#[derive(Debug, Clone)]
pub enum Find {
    /// They share a partition of the table.
    Partition {
        /// The partition, over the object's key names.
        pk: Template,
        /// The beginning of their sort keys: as much of the template as the object's names render.
        /// It has only constants and names, and may be empty.
        sk_prefix: Template,
    },
    /// They share a partition of an index.
    Index {
        /// The index.
        index: usize,
        /// The partition, over the object's key names.
        pk: Template,
        /// The beginning of their index sort keys.
        sk_prefix: Template,
    },
    /// The templates give no way: Instep keeps a back-reference to each under the object.
    BackReference,
    /// They are left to the sweep, because the model says so.
    Sweep,
}

/// An item that gives a subject one or more roles in a scope.
#[derive(Debug, Clone)]
pub struct Grant {
    /// The subject that gets the roles.
    pub subject: Subject,
    /// The scope of the roles.
    pub scope: Scope,
    /// The roles.
    pub roles: Roles,
    /// Attribute spellings: the time from which the grant is valid.
    pub from: Vec<String>,
    /// Attribute spellings: the time from which the grant is no longer valid.
    pub until: Vec<String>,
    /// What the last revocation does to the subject.
    pub last: Option<LastRevoked>,
}

/// The subject of a grant or a membership.
#[derive(Debug, Clone)]
pub enum Subject {
    /// The item itself.
    Itself,
    /// The item at the other end of a link.
    Link(LinkId),
}

/// The scope of a grant.
#[derive(Debug, Clone)]
pub enum Scope {
    /// Everywhere.
    Global,
    /// In the item that a link leads to: of these links, the one whose `when` is true.
    Links(Vec<LinkId>),
    /// In a scope that is only a value and not an item.
    Value(Template),
}

/// Where a grant's roles are written.
#[derive(Debug, Clone)]
pub enum Roles {
    /// No roles: the grant exists or it does not.
    None,
    /// A template over the item's names and attributes.
    Template(Template),
    /// An attribute (spellings): a string, or a list or set of strings.
    Attribute(Vec<String>),
}

/// The subject is deleted when its last grant of this type is revoked.
#[derive(Debug, Clone)]
pub struct LastRevoked {
    /// Attributes (RFC 3339) of the subject with the time of its last write. The rule applies only
    /// if one of them is present and all are older than the revocation.
    pub written: Vec<String>,
}

/// An item whose existence reserves a unique value for its owner.
#[derive(Debug, Clone)]
pub struct Guard {
    /// The owner's type.
    pub owner: TypeId,
    /// The attribute of the guard for each key name of the owner: (key name, attribute).
    pub owner_attributes: Vec<(String, String)>,
    /// The unique values of an owner.
    pub claims: Vec<Claim>,
    /// What Instep writes to a guard beside its key, its type and its owner.
    pub writes: Vec<(String, Template)>,
}

/// One unique value of an owner.
#[derive(Debug, Clone)]
pub struct Claim {
    /// The claim exists for owners whose attributes have these values.
    pub when: Vec<(String, Value)>,
    /// The guard's key names, each a template over the owner's names and attributes. An owner
    /// without a value for one of them claims nothing.
    pub names: BTreeMap<String, Template>,
    /// A claimant with these attribute values takes the value from a holder without them.
    pub transfer: Option<Vec<(String, Value)>>,
}

/// How Instep tells its own Cognito groups from others.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Marker {
    /// The group's description begins with `instep:` and the model's name.
    Description,
    /// Every group whose name matches a group template of the model belongs to Instep.
    Name,
}

/// The Cognito user of an item.
#[derive(Debug, Clone)]
pub struct CognitoUser {
    /// User name, a template over the item's key names.
    pub name: Template,
    /// How users are created.
    pub create: Create,
    /// Whether the user is deleted with the item.
    pub delete: bool,
    /// The user is disabled while these attributes have these values.
    pub disabled: Vec<(String, Value)>,
    /// Cognito attributes, each a template over the item's names and attributes.
    pub attributes: Vec<(String, Template)>,
}

/// How Cognito users are created.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Create {
    /// Created with Cognito's invitation.
    Invite,
    /// Created without a message.
    Silent,
    /// Not by Instep.
    Never,
}

/// The Cognito groups of an item.
#[derive(Debug, Clone)]
pub struct CognitoGroups {
    /// Group name, a template over the item's key names and at most one name that the key does not
    /// bind. That name has a closed set, and each of its values gives a group.
    pub name: Template,
    /// That name.
    pub each: Option<String>,
}

/// The Cognito membership that an item implies.
#[derive(Debug, Clone)]
pub struct CognitoMember {
    /// The user.
    pub user: Subject,
    /// Group name: a template over `{role}` and the item's names and attributes. With
    /// [`CognitoMember::group_of`], it is over `{role}` and the key names of the item at that link.
    pub group: Template,
    /// The link to the item that has the group.
    pub group_of: Option<LinkId>,
    /// When the group is created.
    pub made: Made,
}

/// When the group of a membership is created.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Made {
    /// With the item that has it, and on demand while that item exists.
    WithItem,
    /// When its first membership is added.
    OnDemand,
    /// By people: while the group does not exist, the membership is pending.
    ByHand,
}

/// A change that becomes due by time.
#[derive(Debug, Clone)]
pub struct Due {
    /// The name with the time.
    pub at: String,
    /// Attribute values for which the rule applies.
    pub when: Vec<(String, Value)>,
    /// Attribute values that are set at that time.
    pub set: Vec<(String, Value)>,
}
