//! Model files: TOML with positions, so that every error shows its place.

mod draft;
mod draft_item;
mod errors;
mod tree;
mod words;

use std::path::{Path, PathBuf};

pub(crate) use draft::*;
pub(crate) use draft_item::*;
pub(crate) use errors::{Mistake, Mistakes, near_word};
pub use errors::{ModelErrors, Problem};

use crate::compile::compile;
use crate::model::Model;
use crate::shipped::{shipped_names, shipped_text};

/// A place in one of the files that make a model.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub(crate) struct Span {
    pub(crate) source: usize,
    pub(crate) start: usize,
    pub(crate) len: usize,
}

/// A value and where it is written.
#[derive(Debug, Clone)]
pub(crate) struct At<T> {
    pub(crate) span: Span,
    pub(crate) value: T,
}

impl<T> At<T> {
    pub(crate) fn new(span: Span, value: T) -> Self {
        Self { span, value }
    }
}

/// One of the files that make a model.
#[derive(Debug, Clone)]
pub(crate) struct Source {
    pub(crate) name: String,
    pub(crate) text: String,
}

/// Finds the text of a file that another extends.
pub(crate) trait Files {
    /// The file's name and its text. The name is for messages, and is the base of relative paths in
    /// the file.
    ///
    /// # Errors
    /// Why it cannot be read.
    fn text(&self, from: &str, path: &str) -> Result<Source, String>;
}

/// No files: only models that ship with Instep can be extended.
pub(crate) struct NoFiles;

impl Files for NoFiles {
    fn text(&self, _from: &str, _path: &str) -> Result<Source, String> {
        Err("this model was not read from a file, so there is no folder to look in".to_owned())
    }
}

/// Files, relative to the file that extends them.
#[derive(Default)]
struct OnDisk<'a> {
    /// The folder that they must be in. `None`: anywhere.
    within: Option<&'a Path>,
}

impl Files for OnDisk<'_> {
    fn text(&self, from: &str, path: &str) -> Result<Source, String> {
        let folder = Path::new(from).parent().map(Path::to_path_buf).unwrap_or_default();
        let path: PathBuf = folder.join(path);
        let is_in = |folder: &Path| Some(path.canonicalize().ok()?.starts_with(folder.canonicalize().ok()?));
        if let Some(folder) = self.within.filter(|folder| is_in(folder) == Some(false)) {
            return Err(format!("it is not in the folder `{}`, and only what is goes along", folder.display()));
        }
        let text = std::fs::read_to_string(&path).map_err(|error| error.to_string())?;
        Ok(Source { name: path.display().to_string(), text })
    }
}

impl Model {
    /// Reads a model from its text. `source_name` names the text in messages.
    ///
    /// # Errors
    /// All errors found, each with its place and the fix.
    pub fn parse(source_name: &str, text: &str) -> Result<Self, ModelErrors> {
        read(source_name, text, &NoFiles)
    }

    /// Reads a model file. It may extend a model that ships with Instep, or a file relative to it.
    ///
    /// # Errors
    /// The file cannot be read; or all errors found, each with its place and the fix.
    pub fn load(path: &Path) -> Result<Self, ModelErrors> {
        load(path, &OnDisk::default())
    }

    /// Reads a model file that is deployed with all of `folder`. What it extends must be in the
    /// folder or ship with Instep.
    ///
    /// # Errors
    /// As [`Model::load`].
    pub fn load_within(path: &Path, folder: &Path) -> Result<Self, ModelErrors> {
        load(path, &OnDisk { within: Some(folder) })
    }
}

fn load(path: &Path, files: &OnDisk<'_>) -> Result<Model, ModelErrors> {
    let name = path.display().to_string();
    match std::fs::read_to_string(path) {
        Ok(text) => read(&name, &text, files),
        Err(error) => Err(ModelErrors::unreadable(&name, &error.to_string())),
    }
}

pub(crate) fn read(source_name: &str, text: &str, files: &dyn Files) -> Result<Model, ModelErrors> {
    let mut sources = vec![Source { name: source_name.to_owned(), text: text.to_owned() }];
    let mut mistakes = Mistakes::default();
    let model = tree::read_all(&mut sources, files, &mut mistakes).and_then(|tree| {
        let draft = draft::read_draft(&tree, &mut mistakes);
        // A file with wrong words is not checked further, since errors that only follow from those
        // would hide them.
        mistakes.is_empty().then(|| draft.and_then(|draft| compile(&draft, &mut mistakes))).flatten()
    });
    match model {
        Some(model) if mistakes.is_empty() => Ok(model),
        Some(_) | None => Err(ModelErrors::new(&sources, mistakes)),
    }
}

/// The text of an extended model: one that ships with Instep, or a file.
fn extended(from: &str, name: &str, files: &dyn Files) -> Result<Source, String> {
    if let Some(text) = shipped_text(name) {
        return Ok(Source { name: format!("{name}.toml"), text: text.to_owned() });
    }
    if Path::new(name).extension().is_none() && !name.contains('/') {
        return Err(near_word(name, shipped_names()).map_or_else(
            || format!("no model of that name comes with Instep; these do: {}", shipped_names().join(", ")),
            |near| format!("did you mean `{near}`?"),
        ));
    }
    files.text(from, name)
}
