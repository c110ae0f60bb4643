//! The layer of the functions that has a model file which is not shipped, and the models that it extends.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use instep_console::model_source::ModelSource;
use instep_model::Model;
use miette::{IntoDiagnostic as _, Result, WrapErr as _, miette};
use sha2::{Digest as _, Sha256};

use super::zip;

/// Where a layer's files are in a function. Source: AWS Lambda Developer Guide, "Managing Lambda
/// dependencies with layers".
const ROOT: &str = "/opt";

/// How many bytes of its digest name an archive.
const DIGEST_BYTES: usize = 8;

/// The folder of a model file.
pub(super) struct Layer {
    pub(super) folder: PathBuf,
    /// The model's name in it.
    file: String,
    /// The files of the folder, by their names.
    files: Vec<(String, Vec<u8>)>,
}

impl Layer {
    /// The layer of a model. `None` if the functions have the model already.
    pub(super) fn of(origin: &ModelSource) -> Result<Option<Self>> {
        let ModelSource::File(path) = origin else { return Ok(None) };
        let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
        let file = path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
        let mut files = Vec::new();
        for entry in std::fs::read_dir(folder).into_diagnostic()? {
            let other = entry.into_diagnostic()?.path();
            if other.is_dir() || other.extension().is_none_or(|ending| ending != "toml") {
                return Err(miette!(
                    help = "move the model into a folder of its own, such as `model/`",
                    "the folder of `{}` becomes a layer of the functions, but has more than models: `{}`",
                    path.display(),
                    other.display()
                ));
            }
            let content = std::fs::read(&other).into_diagnostic();
            let content = content.wrap_err_with(|| format!("cannot read `{}`", other.display()))?;
            let name = other.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
            files.push((name, content));
        }
        files.sort();
        // A model that it extends must be in the same folder.
        Model::load_within(path, folder)?;
        Ok(Some(Self { folder: folder.to_owned(), file, files }))
    }

    /// The path of the model in a function.
    pub(super) fn model_path(&self) -> String {
        format!("{ROOT}/{}", self.file)
    }

    /// The archive, and its name. A changed model has another name, which CloudFormation sees.
    pub(super) fn archive(&self) -> Result<(String, Vec<u8>)> {
        let archive = zip::archive(&self.files)?;
        let mut name = "model-".to_owned();
        for byte in Sha256::digest(&archive).iter().take(DIGEST_BYTES) {
            let _ = write!(name, "{byte:02x}");
        }
        Ok((name + ".zip", archive))
    }
}
