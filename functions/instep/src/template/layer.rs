//! The layer of the functions that has a model file which is not shipped, and the models that it extends.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use instep_console::model_source::ModelSource;
use instep_model::{Model, shipped_names, shipped_text};
use miette::{IntoDiagnostic as _, Result, WrapErr as _, miette};
use sha2::{Digest as _, Sha256};

use super::table::quoted;
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
        in_function(&self.file)
    }

    /// The archive, and its name. A changed model has another name, which CloudFormation sees.
    pub(super) fn archive(&self) -> Result<(String, Vec<u8>)> {
        let archive = zip::archive(&self.files)?;
        Ok((format!("model-{}.zip", short(&Sha256::digest(&archive))), archive))
    }
}

/// What tells a model from what it was before: a digest of the files of its layer, and of the shipped models that it is,
/// names or may extend.
pub(super) fn digest(origin: &ModelSource, layer: Option<&Layer>) -> Result<String> {
    let mut digest = Sha256::new();
    let mut texts = Vec::new();
    if let ModelSource::Shipped(name) = origin {
        texts.push(format!("\"{name}\""));
    }
    if let Some(layer) = layer {
        digest.update(layer.archive()?.1);
        texts.extend(layer.files.iter().map(|(_, content)| String::from_utf8_lossy(content).into_owned()));
    }
    let mut named = BTreeMap::new();
    while let Some(text) = texts.pop() {
        let is_named = |name: &str| [format!("\"{name}\""), format!("'{name}'")].iter().any(|name| text.contains(name));
        for name in shipped_names().iter().filter(|name| is_named(name)) {
            let shipped = shipped_text(name).unwrap_or_default();
            if named.insert(*name, shipped).is_none() {
                texts.push(shipped.to_owned());
            }
        }
    }
    named.values().for_each(|text| digest.update(text));
    Ok(short(&digest.finalize()))
}

/// The path of a file of a layer in a function.
pub(super) fn in_function(file: &str) -> String {
    format!("{ROOT}/{file}")
}

/// The beginning of a digest, as text.
fn short(digest: &[u8]) -> String {
    digest.iter().take(DIGEST_BYTES).fold(String::new(), |mut text, byte| {
        let _ = write!(text, "{byte:02x}");
        text
    })
}

/// The resource of the layer.
pub(super) fn layer_resource(folder: &Path) -> Vec<String> {
    vec![
        "ModelLayer:".to_owned(),
        "  Type: AWS::Serverless::LayerVersion".to_owned(),
        "  Properties:".to_owned(),
        "    Description: The table model".to_owned(),
        format!("    ContentUri: {}", quoted(&folder.to_string_lossy())),
        "    RetentionPolicy: Delete".to_owned(),
    ]
}

/// A folder as seen from that of the file to write, if it is below.
pub(super) fn relative(folder: &Path, out: Option<&Path>) -> Result<PathBuf> {
    let Some(out) = out else { return Ok(folder.to_owned()) };
    // A file that is named without a folder has the empty one.
    let absolute = |path: &Path| std::path::absolute(Path::new(".").join(path)).into_diagnostic();
    let base = absolute(out.parent().unwrap_or(out))?;
    let folder = absolute(folder)?;
    Ok(folder.strip_prefix(base).map(Path::to_owned).unwrap_or(folder))
}
