//! The files that a model file extends, and how they are found.

use std::cell::RefCell;
use std::path::{Path, PathBuf};

use crate::messages::near_word;
use crate::shipped::{shipped_names, shipped_text};
use crate::source::SourceFile;

/// Finds the text of a file that another extends.
pub(crate) trait Files {
    /// The file's name and its text. The name is for messages, and is the base of relative paths in
    /// the file.
    ///
    /// # Errors
    /// Why it cannot be read.
    fn text(&self, from: &str, path: &str) -> Result<SourceFile, String>;
}

/// No files: only models that ship with Instep can be extended.
pub(crate) struct NoFiles;

impl Files for NoFiles {
    fn text(&self, _from: &str, _path: &str) -> Result<SourceFile, String> {
        Err("this model was not read from a file, so it has no folder".to_owned())
    }
}

/// Files, relative to the file that extends them.
#[derive(Default)]
pub(crate) struct OnDisk<'a> {
    /// The folder that they must be in. `None`: anywhere.
    pub(crate) within: Option<&'a Path>,
    /// The files that were asked for, also those that cannot be read.
    pub(crate) asked: RefCell<Vec<PathBuf>>,
}

impl Files for OnDisk<'_> {
    fn text(&self, from: &str, path: &str) -> Result<SourceFile, String> {
        let folder = Path::new(from).parent().map(Path::to_path_buf).unwrap_or_default();
        let path: PathBuf = folder.join(path);
        let is_in = |folder: &Path| Some(path.canonicalize().ok()?.starts_with(folder.canonicalize().ok()?));
        if let Some(folder) = self.within.filter(|folder| is_in(folder) == Some(false)) {
            return Err(format!("it is not in the folder `{}`, and only that folder is packed", folder.display()));
        }
        self.asked.borrow_mut().push(path.clone());
        let text = read_file(&path)?;
        Ok(SourceFile { name: path.display().to_string(), text })
    }
}

/// The maximum size of a model file, in bytes. A model of 10,000 item types has a fifth of it.
const FILE_MAX: u64 = 16 << 20;

/// The text of a model file. A device, a pipe or a folder is no file: reading one might never end.
pub(crate) fn read_file(path: &Path) -> Result<String, String> {
    let about = std::fs::metadata(path).map_err(|error| error.to_string())?;
    if !about.is_file() {
        return Err("it is not a file".to_owned());
    }
    if about.len() > FILE_MAX {
        return Err(format!("it has more than {} MB", FILE_MAX >> 20));
    }
    std::fs::read_to_string(path).map_err(|error| error.to_string())
}

/// The text of an extended model: one that ships with Instep, or a file.
pub(super) fn extended(from: &str, name: &str, files: &dyn Files) -> Result<SourceFile, String> {
    if let Some(text) = shipped_text(name) {
        return Ok(SourceFile { name: format!("{name}.toml"), text: text.to_owned() });
    }
    if Path::new(name).extension().is_none() && !name.contains('/') {
        return Err(near_word(name, shipped_names()).map_or_else(
            || format!("there is no shipped model of that name; there are {}", shipped_names().join(", ")),
            |near| format!("did you mean `{near}`?"),
        ));
    }
    files.text(from, name)
}
