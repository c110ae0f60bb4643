//! What a table model says, after it was read and checked: plain data.

use std::collections::{BTreeMap, BTreeSet};

use crate::template::Template;
use crate::value::{Item, Value};

/// Names and their texts, as a key's templates bind them (`email` → `a@b.example`).
pub type Names = BTreeMap<String, String>;

/// An item's place in [`Model::items`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct TypeId(pub usize);

/// A link's place in [`Model::links`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct LinkId(pub usize);

/// A primary key, in the table's own order. Instep's tables have string keys.
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
    /// EventBridge `DetailType`, over `{Entity}` and `{Verb}`.
    pub detail_type: Template,
    /// Attribute (spellings) that holds a correlation id, handed on in events.
    pub correlation: Vec<String>,
    /// Attributes that never leave the table, not even in a parked record.
    pub secret: BTreeSet<String>,
    /// The table's own attributes.
    pub table: Table,
    /// Secondary indexes.
    pub indexes: Vec<Index>,
    /// What the model says of a name wherever it stands.
    pub names: BTreeMap<String, NameRule>,
    /// Item types, the narrowest key templates first: the first that matches a key is its type.
    pub items: Vec<ItemType>,
    /// Which items depend on which.
    pub links: Vec<Link>,
    /// How a Cognito group of ours is told from one made by hand.
    pub marker: Marker,
    /// What follows from the rest, worked out once.
    pub(crate) derived: Derived,
}

/// What follows from a model's own words.
#[derive(Debug, Clone, Default)]
pub(crate) struct Derived {
    /// Characters that a base name never holds: the first of each constant that follows it in a template.
    pub(crate) forbidden: BTreeMap<String, BTreeSet<char>>,
    /// Base names that Cognito names hold in lower case.
    pub(crate) lowered: BTreeSet<String>,
    /// By item type: what it depends on.
    pub(crate) links_from: Vec<Vec<LinkId>>,
    /// By item type: what depends on it.
    pub(crate) links_to: Vec<Vec<LinkId>>,
}

/// The table's own attributes.
#[derive(Debug, Clone)]
pub struct Table {
    /// Partition key attribute.
    pub pk: String,
    /// Sort key attribute.
    pub sk: String,
    /// Attribute that names an item's type; never decides, a disagreement is logged.
    pub type_attribute: Option<String>,
    /// TTL attribute (epoch seconds). Bookkeeping items use it too.
    pub ttl: String,
    /// What to do with an item that no template matches.
    pub unknown: Unknown,
}

impl Table {
    /// The primary key among an item's attributes; none where a part of it is missing, or is no text.
    #[must_use]
    pub fn key_of(&self, item: &Item) -> Option<Key> {
        let part = |name: &str| item.get(name).and_then(Value::as_s).map(str::to_owned);
        Some(Key { pk: part(&self.pk)?, sk: part(&self.sk)? })
    }
}

/// What happens to a record of an item that no item type describes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Unknown {
    /// Parked, so that a gap in the model is seen.
    Park,
    /// Counted and left alone.
    Skip,
}

/// A secondary index.
#[derive(Debug, Clone)]
pub struct Index {
    /// The index's name.
    pub name: String,
    /// Partition key attribute's spellings; the first is the index's own.
    pub pk: Vec<String>,
    /// Sort key attribute's spellings.
    pub sk: Option<Vec<String>>,
}

/// What the model says of a name: which values it takes and which attributes hold it.
#[derive(Debug, Clone, Default)]
pub struct NameRule {
    /// The closed set of values, where there is one.
    pub values: Vec<String>,
    /// Attributes that hold it, first spelling first; by default the name itself.
    pub attributes: Vec<String>,
    /// The shape of its text, which binds further names.
    pub like: Option<Template>,
    /// A date or an instant.
    pub is: Option<Moment>,
}

/// How a moment is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Moment {
    /// A day in UTC; it is past when the day has ended.
    Date,
    /// An instant (RFC 3339, or epoch seconds).
    Time,
}

/// One kind of item.
#[derive(Debug, Clone)]
pub struct ItemType {
    /// Its name in the model.
    pub name: String,
    /// How its key is written. Forms that bind the same names are spellings of one identity: the first is
    /// written, all are looked at.
    pub forms: Vec<KeyForm>,
    /// Its index attributes.
    pub index_keys: Vec<IndexKeys>,
    /// Values of the type attribute that agree with the keys.
    pub type_values: Vec<String>,
    /// Closed sets that hold for this item type only.
    pub values: BTreeMap<String, Vec<String>>,
    /// Entity name in events: templates, the first that renders is taken. Empty: the item type's own name.
    pub entity: Vec<Template>,
    /// Entity id in events; by default the key's names joined by `/`.
    pub entity_id: Option<Template>,
    /// What is published. Empty for guards and secrets.
    pub publish: BTreeSet<Verb>,
    /// Words that take a verb's place in `DetailType`.
    pub verb_words: BTreeMap<Verb, Template>,
    /// Attributes that events carry.
    pub attributes: Vec<String>,
    /// True for a type that is an entity or an edge in its own right: created, updated, deleted are published of it.
    pub is_entity: bool,
    /// Nothing of such an item reaches an event, a log or a parked record.
    pub secret: bool,
    /// Identities that exist whether or not there is an item.
    pub assumed: Vec<Names>,
    /// A grant of access.
    pub grant: Option<Grant>,
    /// A guard on a unique value.
    pub guard: Option<Guard>,
    /// The Cognito user that this item stands for.
    pub user: Option<CognitoUser>,
    /// The Cognito groups that this item brings.
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
    /// The names that both bind.
    pub names: BTreeSet<String>,
}

/// An item type's attributes of one index.
#[derive(Debug, Clone)]
pub struct IndexKeys {
    /// Which index, by place in [`Model::indexes`].
    pub index: usize,
    /// Partition attribute's template.
    pub pk: Template,
    /// Sort attribute's template; none where the index is sorted by one of the table's own keys.
    pub sk: Option<Template>,
    /// Whether Instep keeps the attributes in step with what the templates say.
    pub keep: bool,
}

/// What happened to an item, as an event names it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Verb {
    /// An item appeared.
    Created,
    /// An item changed.
    Updated,
    /// An item went.
    Deleted,
    /// A role was given.
    Granted,
    /// A role was taken.
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

/// A dependence of one item type on another: a parent, an end of an edge, a grant's subject or scope.
#[derive(Debug, Clone)]
pub struct Link {
    /// The type that depends.
    pub from: TypeId,
    /// The type that it depends on.
    pub to: TypeId,
    /// Holds only for items whose name has this value (a reference by type).
    pub when: Option<(String, String)>,
    /// The other's key names, each a template over this item's names and attributes. A key name that is missing here
    /// cannot be told from this item: [`Link::up`] says how the other is then found. Where that is [`Up::Index`], the
    /// further names that its templates take are here too.
    pub names: BTreeMap<String, Template>,
    /// How an item finds the other.
    pub up: Up,
    /// How the other finds the items that depend on it.
    pub find: Find,
    /// The item goes when the other is removed.
    pub goes: bool,
    /// The item has no effect while the other is absent (a grant's subject and scope).
    pub needed: bool,
    /// For an edge whose `takes` names its other end: that end's link. The item at that end goes with the last live
    /// item at this end.
    pub takes: Option<LinkId>,
    /// The end of an edge that this link is (`parent`, `member` …), or the word that made the link.
    pub role: String,
}

/// How an item finds the item that it depends on.
#[derive(Debug, Clone)]
pub enum Up {
    /// All names of the other's key are known.
    Key,
    /// Some are known: through an index, then confirmed by a consistent read of what was found.
    Index {
        /// Which index.
        index: usize,
        /// The index's partition value, over the names that [`Link::names`] gives.
        pk: Template,
        /// The index's sort value, where it can be rendered whole.
        sk: Option<Template>,
    },
    /// Not at all.
    Unknown,
}

/// How the items that depend on an object are found.
#[derive(Debug, Clone)]
pub enum Find {
    /// They share a partition of the table.
    Partition {
        /// The partition, over the object's key names.
        pk: Template,
        /// What their sort keys begin with: as much of the template as the object's names render. Constants and names
        /// only; may be an empty template.
        sk_prefix: Template,
    },
    /// They share a partition of an index.
    Index {
        /// Which index.
        index: usize,
        /// The partition, over the object's key names.
        pk: Template,
        /// What their index sort keys begin with.
        sk_prefix: Template,
    },
    /// Templates give no way: each keeps a back-reference under the object.
    BackReference,
    /// Left to the sweep, by the model's own word.
    Sweep,
}

/// An item that gives a subject one or more roles in a scope.
#[derive(Debug, Clone)]
pub struct Grant {
    /// Who is given something.
    pub subject: Subject,
    /// In what.
    pub scope: Scope,
    /// Which roles.
    pub roles: Roles,
    /// Attribute spellings: not in force before.
    pub from: Vec<String>,
    /// Attribute spellings: not in force from then on.
    pub until: Vec<String>,
    /// What the last revocation does to the subject.
    pub last: Option<LastRevoked>,
}

/// Who a grant or a membership is for.
#[derive(Debug, Clone)]
pub enum Subject {
    /// The item itself.
    Itself,
    /// The item at the other end of a link.
    Link(LinkId),
}

/// What a grant is valid in.
#[derive(Debug, Clone)]
pub enum Scope {
    /// Everywhere.
    Global,
    /// In the item that a link leads to: of these links the one whose `when` holds.
    Links(Vec<LinkId>),
    /// In something that is only a value.
    Value(Template),
}

/// Where a grant's roles are written.
#[derive(Debug, Clone)]
pub enum Roles {
    /// No roles: it holds or it does not.
    None,
    /// A text over the item's names and attributes.
    Template(Template),
    /// An attribute (spellings): one text, a list or a set of texts.
    Attribute(Vec<String>),
}

/// The subject is deleted when its last grant of this type is revoked.
#[derive(Debug, Clone)]
pub struct LastRevoked {
    /// Attributes (RFC 3339) of the subject that say when it was last written. The rule fires only where one of them is there
    /// and all are older than the revocation.
    pub written: Vec<String>,
}

/// An item whose existence holds a unique value for its owner.
#[derive(Debug, Clone)]
pub struct Guard {
    /// The owner's type.
    pub owner: TypeId,
    /// Which attribute of the guard holds which key name of the owner: (key name, attribute).
    pub owner_attributes: Vec<(String, String)>,
    /// Which values of an owner are unique.
    pub claims: Vec<Claim>,
    /// What a guard that Instep writes contains beside its key, its type and its owner.
    pub writes: Vec<(String, Template)>,
}

/// One unique value of an owner.
#[derive(Debug, Clone)]
pub struct Claim {
    /// Holds for owners whose attributes have these values.
    pub when: Vec<(String, Value)>,
    /// The guard's key names, each a template over the owner's names and attributes. An owner that lacks one claims nothing.
    pub names: BTreeMap<String, Template>,
    /// A claimant with these attribute values takes the value from a holder without them.
    pub transfer: Option<Vec<(String, Value)>>,
}

/// How Cognito groups of ours are told from others.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Marker {
    /// The group's description begins with `instep:` and the model's name.
    Description,
    /// Every group whose name matches one of the model's group templates is ours.
    Name,
}

/// The Cognito user that an item stands for.
#[derive(Debug, Clone)]
pub struct CognitoUser {
    /// User name, over the item's key names.
    pub name: Template,
    /// How users come to be.
    pub create: Create,
    /// Whether the user goes with the item.
    pub delete: bool,
    /// The user is disabled while these attributes have these values.
    pub disabled: Vec<(String, Value)>,
    /// Cognito attributes, each over the item's names and attributes.
    pub attributes: Vec<(String, Template)>,
}

/// How Cognito users come to be.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Create {
    /// Created with Cognito's invitation.
    Invite,
    /// Created without a message.
    Silent,
    /// Not by Instep.
    Never,
}

/// The Cognito groups that an item brings.
#[derive(Debug, Clone)]
pub struct CognitoGroups {
    /// Group name, over the item's key names and at most one name with a closed set that the key does not bind: then
    /// there is a group for each value.
    pub name: Template,
    /// That name.
    pub each: Option<String>,
}

/// The Cognito membership that an item implies.
#[derive(Debug, Clone)]
pub struct CognitoMember {
    /// Whose.
    pub user: Subject,
    /// Group name over the item's names and attributes and `{role}`, or, with [`CognitoMember::group_of`], over the key
    /// names of what that link leads to and `{role}`.
    pub group: Template,
    /// The link to the item that brings the group.
    pub group_of: Option<LinkId>,
    /// When the group is made.
    pub made: Made,
}

/// When the group of a membership is made.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Made {
    /// By the item that brings it; on demand while that item exists.
    WithItem,
    /// When its first member comes.
    OnDemand,
    /// By people: a group that is not there is waited for.
    ByHand,
}

/// Something that becomes due by time.
#[derive(Debug, Clone)]
pub struct Due {
    /// The name that holds the moment.
    pub at: String,
    /// Attribute values that it holds for.
    pub when: Vec<(String, Value)>,
    /// Attribute values that are then set.
    pub set: Vec<(String, Value)>,
}
