//! The work that deletes the dependents of an object, or sends them to the work queue, page by page.

use instep_model::{Model, Names, Object};
use serde::{Deserialize, Serialize};
use sha2::{Digest as _, Sha256};

use super::{is_false, object};
use crate::answers::Cursor;
use crate::bookkeeping;
use crate::queries::{self, LinkQuery};

/// The number of bytes of a query's fingerprint.
const FINGERPRINT_BYTES: usize = 8;

/// Some of the dependents of an object.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct Dependents {
    /// Its item type's name.
    #[serde(rename = "type")]
    pub of: String,
    /// The names in its key.
    pub names: Names,
    /// Which ones.
    #[serde(default, skip_serializing_if = "Which::is_all")]
    pub which: Which,
    /// By which links.
    #[serde(default, skip_serializing_if = "Extent::is_all")]
    pub extent: Extent,
    /// As in [`NamedObject`](super::NamedObject).
    #[serde(default, skip_serializing_if = "is_false")]
    pub revokes: bool,
}

/// Which dependents of an object.
#[derive(Debug, Clone, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum Which {
    /// All: the first page of every query.
    #[default]
    All,
    /// The next page of one query.
    From(PageCursor),
    /// The Cognito groups that were created on demand for items of the object.
    Groups,
}

/// The links by which dependents are found.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum Extent {
    /// Every link.
    #[default]
    All,
    /// Those that lead through an index, after the index has caught up.
    Late,
}

/// The end of a page in the rows of a query.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct PageCursor {
    /// The item type of the dependents.
    pub from: String,
    /// The query, as a fingerprint of its link and templates.
    pub query: String,
    /// The last row of the page.
    pub after: Cursor,
}

impl Which {
    const fn is_all(&self) -> bool {
        matches!(self, Self::All)
    }
}

impl Extent {
    #[expect(clippy::trivially_copy_pass_by_ref, reason = "serde passes fields by reference")]
    const fn is_all(&self) -> bool {
        matches!(self, Self::All)
    }
}

impl Dependents {
    /// What the message asks for.
    #[must_use]
    pub fn summary(&self) -> String {
        let later = if self.extent == Extent::Late { ", once indexes have caught up" } else { "" };
        let what = if self.which == Which::Groups { "groups on demand" } else { "dependents" };
        format!("{what} of a {}{later}", self.of)
    }

    /// Some dependents of an object.
    #[must_use]
    pub fn of(model: &Model, object: &Object, which: Which, extent: Extent) -> Self {
        let of = model.item(object.of).stable_name().to_owned();
        Self { of, names: object.names.clone(), which, extent, revokes: false }
    }

    /// The object in this model. `None` if the model has no such item type.
    #[must_use]
    pub fn object(&self, model: &Model) -> Option<Object> {
        object(model, &self.of, &self.names)
    }

    /// Whether the model has the item type, and the query to continue with.
    #[must_use]
    pub fn is_known(&self, model: &Model) -> bool {
        self.object(model).is_some_and(|object| match &self.which {
            Which::All | Which::Groups => true,
            Which::From(cursor) => cursor.query(model, &object).is_some(),
        })
    }

    /// Whether indexes have to catch up before it. A further page follows the first one at once.
    #[must_use]
    pub fn is_delayed(&self) -> bool {
        self.extent == Extent::Late && !matches!(self.which, Which::From(_))
    }
}

impl PageCursor {
    /// The end of a page.
    #[must_use]
    pub fn new(model: &Model, query: LinkQuery, after: Cursor) -> Self {
        let from = model.item(model.link(query.link).from).stable_name().to_owned();
        Self { from, query: fingerprint(model, query), after }
    }

    /// The query for dependents of an object. A query of an earlier model may be none of this one.
    #[must_use]
    pub fn query(&self, model: &Model, object: &Object) -> Option<LinkQuery> {
        let from = model.type_named(&self.from)?;
        let links = model.links_to(object.of).filter(|(_, link)| link.from == from);
        links.flat_map(|(link, _)| queries::queries(model, link)).find(|query| fingerprint(model, *query) == self.query)
    }
}

/// A fingerprint of a query: the same wherever its link stands in the model.
fn fingerprint(model: &Model, query: LinkQuery) -> String {
    let name = model.query_name(query.link, query.nth);
    bookkeeping::hex(Sha256::digest(name.as_bytes()).get(..FINGERPRINT_BYTES).unwrap_or_default())
}
