//! A loaded and checked table model, as plain data.

mod answers;
mod cognito;
mod condition;
mod grant;
mod guard;
mod id_form;
mod ids;
mod item_type;
mod item_use;
mod link;
mod read;
mod table;

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;

use crate::source::{SourceFile, Span};
use crate::template::Template;

pub(crate) use answers::separators;
pub use answers::*;
pub use cognito::*;
pub use condition::*;
pub use grant::*;
pub use guard::*;
pub(crate) use id_form::IdForm;
pub use ids::*;
pub use item_type::*;
pub use item_use::*;
pub use link::*;
pub use read::*;
pub use table::*;

/// One single-table design: key templates, item types, and what follows from each.
#[derive(Debug, Clone)]
pub struct Model {
    /// The model's name, part of every event's id.
    pub name: String,
    /// EventBridge `SourceFile` of the model's events.
    pub source: String,
    /// EventBridge `DetailType`, a template of `{Entity}` and `{Verb}`.
    pub detail_type: Template,
    /// The attribute (spellings) with the correlation id that events carry.
    pub correlation: Vec<String>,
    /// The names whose value is the tenant that events carry: the first that has one.
    pub tenant: Vec<String>,
    /// Attributes that never leave the table, not even in a parked record.
    pub secret: BTreeSet<String>,
    /// The table's own attributes.
    pub table: TableSchema,
    /// Secondary indexes.
    pub indexes: Vec<Index>,
    /// The rules for names, wherever they are used.
    pub names: BTreeMap<String, NameRule>,
    /// Item types, the narrowest key templates first. The first that matches a key is its type.
    pub items: Vec<ItemType>,
    /// Which items depend on which.
    pub links: Vec<Link>,
    /// The access patterns of programs, by name. The stream does not use them.
    pub reads: Vec<NamedRead>,
    /// How Instep tells its own Cognito groups from groups that people create.
    pub marker: Marker,
    /// What a sweep does with memberships that no item implies.
    pub extra_members: ExtraPolicy,
    /// What a sweep does with users whose item does not exist.
    pub extra_users: ExtraPolicy,
    /// What a sweep does with children that are left of a deleted parent.
    pub orphans: ExtraPolicy,
    /// What follows from the other fields, computed once.
    pub(crate) derived: Derived,
}

impl Derived {
    /// Says where the templates are.
    pub(crate) fn locate(&mut self, sources: &[SourceFile]) {
        for end in self.forbidden.values_mut().flat_map(Ends::values_mut) {
            end.place = sources.get(end.span.source).map_or_else(String::new, |source| source.place(end.span.start));
        }
    }
}

/// The characters that end a name, each with the template in which it does.
pub(crate) type Ends = BTreeMap<char, End>;

/// The template in which a character ends a name.
#[derive(Debug, Clone)]
pub(crate) struct End {
    pub(crate) template: Template,
    pub(crate) span: Span,
    /// The template's file, line and column.
    pub(crate) place: String,
}

impl fmt::Display for End {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "`{}` ({})", self.template, self.place)
    }
}

/// What follows from the fields of a model.
#[derive(Debug, Clone, Default)]
pub(crate) struct Derived {
    /// Characters that a base name never contains: the first of each constant that follows it in a
    /// template.
    pub(crate) forbidden: BTreeMap<String, Ends>,
    /// Base names that Cognito names have in lower case.
    pub(crate) lowered: BTreeSet<String>,
    /// By item type: the links to what it depends on.
    pub(crate) links_from: Vec<Vec<LinkId>>,
    /// By item type: the links from its dependents.
    pub(crate) links_to: Vec<Vec<LinkId>>,
    /// By item type: how ids are written.
    pub(crate) ids: Vec<IdForm>,
    /// A fingerprint of the item types and the names in their keys.
    pub(crate) fingerprint: String,
    /// By item type: what it reads.
    pub(crate) uses: Vec<TypeUses>,
    /// The model's text, with all that it extends.
    pub(crate) text: String,
    /// By link: the ways to dependents of former models that this one does not have.
    pub(crate) former_ways: BTreeMap<LinkId, Vec<ToDependents>>,
}
