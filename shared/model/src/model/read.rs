//! Named reads: the access patterns of the programs that use a table.

use super::ids::{LinkId, Names, TypeId};
use crate::template::Template;

/// An access pattern: the items of some types that have some names.
#[derive(Debug, Clone)]
pub struct NamedRead {
    /// Its name.
    pub name: String,
    /// The types of the items that it returns.
    pub items: Vec<TypeId>,
    /// The index, or `None` for the table itself, which is read strongly consistently.
    pub index: Option<usize>,
    /// The names whose values the caller gives.
    pub given: Vec<String>,
    /// Names that have one value in this read.
    pub fixed: Names,
    /// Whether Instep does not keep the index for all of these items, so that it may lack some.
    pub partial: bool,
    /// Where the items are.
    pub key: ReadKey,
    /// What is read after that.
    pub follow: Option<ReadFollow>,
}

/// Where the items of a read are.
#[derive(Debug, Clone)]
pub enum ReadKey {
    /// Under one key, in each of its spellings.
    Item,
    /// In a part of a partition.
    Range(Box<ReadRange>),
}

/// A part of a partition, as templates over the given names.
#[derive(Debug, Clone)]
pub struct ReadRange {
    /// The partition.
    pub pk: Template,
    /// What the sort keys of all these items begin with.
    pub sort: Template,
    /// Whether that is the whole sort key.
    pub is_whole: bool,
    /// How the caller limits the next name of the sort key.
    pub bound: Option<ReadBound>,
    /// Whether its rows are read from the last sort key to the first.
    pub descending: bool,
    /// What the sort keys of each item type begin with: what else begins with `sort` is dropped.
    pub rows: Vec<ReadRow>,
    /// Other item types that are read and dropped, because they are in the same part.
    pub dropped: Vec<TypeId>,
}

/// The rows of one item type.
#[derive(Debug, Clone)]
pub struct ReadRow {
    /// The item type.
    pub of: TypeId,
    /// What their sort keys begin with.
    pub sort: Template,
    /// Whether that is the whole sort key.
    pub is_whole: bool,
}

/// How the caller limits a name of the sort key.
#[derive(Debug, Clone)]
pub struct ReadBound {
    /// The name.
    pub name: String,
    /// The name as the sort key has it.
    pub value: Template,
    /// `true`: a first and a last value, both inclusive. `false`: how the value begins.
    pub is_range: bool,
}

/// The items that an end of the edges names, read strongly consistently.
#[derive(Debug, Clone)]
pub struct ReadFollow {
    /// The end.
    pub end: String,
    /// The links of the end.
    pub links: Vec<LinkId>,
}
