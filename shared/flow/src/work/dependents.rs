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

/// The dependents of an object.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct Dependents {
    /// Its item type's name.
    #[serde(rename = "type")]
    pub of: String,
    /// The names in its key.
    pub names: Names,
    /// Where to continue. `None` starts with the first page of every link.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub place: Option<PageCursor>,
    /// Only the dependents that are found through an index, after the index has caught up.
    #[serde(default, skip_serializing_if = "is_false")]
    pub late: bool,
    /// Only the Cognito groups that were created on demand for items of a deleted object.
    #[serde(default, skip_serializing_if = "is_false")]
    pub groups: bool,
}

/// A position in the dependents of an object.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct PageCursor {
    /// The item type of the dependents.
    pub from: String,
    /// The query, as a fingerprint of its link and templates.
    pub query: String,
    /// The last row of the previous page.
    pub after: Cursor,
}

impl Dependents {
    /// What the message asks for.
    #[must_use]
    pub fn summary(&self) -> String {
        let later = if self.late { ", once indexes have caught up" } else { "" };
        let what = if self.groups { "groups on demand" } else { "dependents" };
        format!("{what} of a {}{later}", self.of)
    }

    /// The dependents of an object, from the first page on.
    #[must_use]
    pub fn of(model: &Model, object: &Object) -> Self {
        let of = model.item(object.of).stable_name().to_owned();
        Self { of, names: object.names.clone(), place: None, late: false, groups: false }
    }

    /// The object in this model. `None` if the model has no such item type.
    #[must_use]
    pub fn object(&self, model: &Model) -> Option<Object> {
        object(model, &self.of, &self.names)
    }

    /// The query to continue with, and the row to continue after. The inner `None` means every
    /// query of every link. The outer `None` means that the model has no such query.
    #[must_use]
    pub fn start(&self, model: &Model, object: &Object) -> Option<Option<(LinkQuery, Cursor)>> {
        let Some(place) = &self.place else { return Some(None) };
        let from = model.type_named(&place.from)?;
        let links = model.links_to(object.of).filter(|(_, link)| link.from == from);
        let mut queries = links.flat_map(|(link, _)| queries::queries(model, link));
        // A query of an earlier model may be none of this one.
        let query = queries.find(|query| fingerprint(model, *query) == place.query)?;
        Some(Some((query, place.after.clone())))
    }
}

impl PageCursor {
    /// A position in the rows of a query.
    #[must_use]
    pub fn new(model: &Model, query: LinkQuery, after: Cursor) -> Self {
        let from = model.item(model.link(query.link).from).stable_name().to_owned();
        Self { from, query: fingerprint(model, query), after }
    }
}

/// A fingerprint of a query: the same wherever its link stands in the model.
fn fingerprint(model: &Model, query: LinkQuery) -> String {
    let name = model.query_name(model.link(query.link), query.nth);
    bookkeeping::hex(Sha256::digest(name.as_bytes()).get(..FINGERPRINT_BYTES).unwrap_or_default())
}
