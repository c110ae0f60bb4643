//! A model file as it is written: TOML with places, and the shapes of its words.

mod answers;
mod cognito;
mod draft;
mod due;
mod extends;
mod group_settings;
mod guard;
mod item;
mod reads;
mod reference;
mod relations;
mod resolved;
mod tree;
mod user_value;
mod value_type;
mod words;

pub(crate) use answers::{DraftConveys, DraftPermits, DraftWithin};
pub(crate) use cognito::{DraftGroups, DraftMember, DraftUser};
pub(crate) use draft::{DraftModel, Oneof};
pub(crate) use due::DraftDue;
pub(crate) use extends::{Files, NoFiles, OnDisk, read_file};
pub(crate) use group_settings::{DraftOfGroups, DraftPrecedence};
pub(crate) use guard::{DraftClaim, DraftGuard, GuardFind};
pub(crate) use item::{DraftIndexKeys, DraftItem};
pub(crate) use reads::DraftRead;
pub(crate) use reference::{DraftScope, FindWord, Reference, no_such_type};
pub(crate) use relations::{DraftEdge, DraftGrant, ROLE};
pub(crate) use words::{DraftCondition, DraftTests};

use crate::errors::Mistakes;
use crate::source::SourceFile;

/// Reads the first source and all that it extends. Returns the words, and the text of one file that says the same.
/// `None` if there is an error that leaves nothing to read.
pub(crate) fn read(
    sources: &mut Vec<SourceFile>,
    files: &dyn Files,
    mistakes: &mut Mistakes,
) -> Option<(DraftModel, String)> {
    let tree = tree::read_all(sources, files, mistakes)?;
    Some((draft::read_draft(&tree, mistakes)?, resolved::text(&tree)))
}
