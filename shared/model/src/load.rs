//! From a model's text to the model: reads it, compiles it, and reports every error.

use std::cell::RefCell;
use std::path::{Path, PathBuf};

use crate::compile::compile;
use crate::errors::{Mistakes, ModelErrors};
use crate::file::{self, Files, NoFiles, OnDisk};
use crate::model::Model;
use crate::shipped::shipped_text;
use crate::source::SourceFile;

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

    /// As [`Model::load`]. Returns also the files that the model consists of, and those that it lacks: if one of them
    /// changes, the model can.
    pub fn load_with_files(path: &Path) -> (Result<Self, ModelErrors>, Vec<PathBuf>) {
        let files = OnDisk { asked: RefCell::new(vec![path.to_owned()]), ..OnDisk::default() };
        let loaded = load(path, &files);
        (loaded, files.asked.into_inner())
    }

    /// Reads a model file that is deployed with all of `folder`. What it extends must be in the
    /// folder or ship with Instep.
    ///
    /// # Errors
    /// As [`Model::load`].
    pub fn load_within(path: &Path, folder: &Path) -> Result<Self, ModelErrors> {
        load(path, &OnDisk { within: Some(folder), ..OnDisk::default() })
    }

    /// A model that ships with Instep.
    #[must_use]
    pub fn shipped(name: &str) -> Option<Self> {
        // A test loads every one of them.
        read(&format!("{name}.toml"), shipped_text(name)?, &NoFiles).ok()
    }
}

fn load(path: &Path, files: &OnDisk<'_>) -> Result<Model, ModelErrors> {
    let name = path.display().to_string();
    match file::read_file(path) {
        Ok(text) => read(&name, &text, files),
        Err(why) => Err(ModelErrors::unreadable(&name, &why)),
    }
}

fn read(source_name: &str, text: &str, files: &dyn Files) -> Result<Model, ModelErrors> {
    let mut sources = vec![SourceFile { name: source_name.to_owned(), text: text.to_owned() }];
    let mut mistakes = Mistakes::default();
    let model = match file::read(&mut sources, files, &mut mistakes) {
        // A file with wrong words is not checked further, since errors that only follow from those
        // would hide them.
        Some((draft, text)) if mistakes.is_empty() => compile(&draft, &mut mistakes).map(|mut model| {
            model.derived.text = text;
            model
        }),
        Some(_) | None => None,
    };
    match model {
        Some(mut model) if mistakes.is_empty() => {
            model.derived.locate(&sources);
            Ok(model)
        }
        Some(_) | None => Err(ModelErrors::new(&sources, mistakes)),
    }
}
