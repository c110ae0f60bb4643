//! A model file as it is written: TOML with places, and the shapes of its words.

mod draft;
mod draft_item;
mod extends;
mod tree;
mod words;

pub(crate) use draft::*;
pub(crate) use draft_item::*;
pub(crate) use extends::{Files, NoFiles, OnDisk};

use crate::errors::Mistakes;
use crate::source::Source;

/// Reads the first source and all that it extends. `None` if there is an error that leaves nothing
/// to read.
pub(crate) fn read(sources: &mut Vec<Source>, files: &dyn Files, mistakes: &mut Mistakes) -> Option<Draft> {
    let tree = tree::read_all(sources, files, mistakes)?;
    draft::read_draft(&tree, mistakes)
}
