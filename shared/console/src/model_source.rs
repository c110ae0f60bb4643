//! Determines the table model of a capture.

use std::path::{Path, PathBuf};

use instep_model::{Model, shipped_names};
use miette::miette;

/// A folder's own model.
const MODEL_FILE: &str = "model.toml";

/// The root of the working tree. Models above it are not used.
const ROOT_MARK: &str = ".git";

/// The name of a table of the embedded stack, if nothing says another: the model's, if DynamoDB takes
/// it.
pub fn default_table(model: &Model) -> String {
    if instep_local::is_table_name(&model.name) { model.name.clone() } else { "table".to_owned() }
}

/// The origin of a model. Two captures can be replayed together if their origins are equal.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ModelSource {
    /// Part of the program.
    Shipped(String),
    /// A file.
    File(PathBuf),
}

impl ModelSource {
    /// The origin that `--model NAME|FILE` names.
    pub fn named(name: &str) -> miette::Result<Self> {
        if shipped_names().contains(&name) {
            return Ok(Self::Shipped(name.to_owned()));
        }
        let path = Path::new(name);
        if path.is_file() {
            return Ok(Self::File(path.to_owned()));
        }
        let shown = instep_model::escaped(name);
        if path.exists() {
            return Err(miette!(help = shipped_help(), "`{shown}` is not a file"));
        }
        let help = match instep_model::suggestion(name, shipped_names()) {
            Some(near) => format!("did you mean `{near}`? {}", shipped_help()),
            None => shipped_help(),
        };
        Err(miette!(help = help, "there is no model `{shown}`: neither a shipped one nor a file"))
    }

    /// The origin for the capture at `path`: a `model.toml` beside it or above it, within the
    /// working tree; otherwise the nearest folder with the name of a shipped model.
    fn of_capture(path: &Path) -> Option<Self> {
        // The path is used as written. A relative path gets the current directory as prefix.
        let path = std::path::absolute(path).ok()?;
        for folder in path.ancestors().skip(1) {
            let file = folder.join(MODEL_FILE);
            if file.is_file() {
                return Some(Self::File(file));
            }
            if folder.join(ROOT_MARK).exists() {
                break;
            }
        }
        path.ancestors()
            .skip(1)
            .filter_map(|folder| folder.file_name()?.to_str())
            .find(|name| shipped_names().contains(name))
            .map(|name| Self::Shipped(name.to_owned()))
    }

    /// The model itself.
    pub fn load(&self) -> miette::Result<Model> {
        match self {
            Self::Shipped(name) => Model::shipped(name).ok_or_else(|| miette!("there is no shipped model `{name}`")),
            Self::File(path) => Ok(Model::load(path)?),
        }
    }
}

impl std::fmt::Display for ModelSource {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Shipped(name) => f.write_str(name),
            Self::File(path) => write!(f, "{}", path.display()),
        }
    }
}

/// The one model of all these captures (none: standard input).
pub fn find<'a>(named: Option<&str>, captures: impl Iterator<Item = Option<&'a Path>>) -> miette::Result<ModelSource> {
    if let Some(name) = named {
        return ModelSource::named(name);
    }
    let mut found: Option<(ModelSource, &Path)> = None;
    for path in captures {
        let path = path.ok_or_else(|| miette!(help = shipped_help(), "standard input needs `--model NAME|FILE`"))?;
        let origin = ModelSource::of_capture(path).ok_or_else(|| {
            miette!(
                help = shipped_help(),
                "cannot determine the model from the folders of `{}`; set `--model NAME|FILE`",
                path.display()
            )
        })?;
        match &found {
            Some((first, by)) if *first != origin => {
                return Err(miette!(
                    help = "replay the captures of one model at a time, or set `--model`",
                    "`{}` is of model `{first}` and `{}` of `{origin}`",
                    by.display(),
                    path.display()
                ));
            }
            Some(_) => {}
            None => found = Some((origin, path)),
        }
    }
    found.map(|(origin, _)| origin).ok_or_else(|| miette!(help = shipped_help(), "`--model NAME|FILE` is needed"))
}

/// The model, which must be named.
pub fn needed(named: Option<&str>) -> miette::Result<ModelSource> {
    match named {
        Some(name) => ModelSource::named(name),
        None => Err(miette!(help = shipped_help(), "`--model NAME|FILE` is needed (or INSTEP_MODEL)")),
    }
}

/// A help text with the names of the shipped models.
pub fn shipped_help() -> String {
    format!("shipped models: {}", shipped_names().join(", "))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(named: Option<&str>, paths: &[&Path]) -> Result<ModelSource, String> {
        find(named, paths.iter().map(|path| Some(*path)))
            .map_err(|error| error.chain().map(ToString::to_string).collect::<Vec<_>>().join(": "))
    }

    #[test]
    fn a_folder_name_selects_a_shipped_model() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("access-management/more/01-a.json");
        assert_eq!(found(None, &[&path]), Ok(ModelSource::Shipped("access-management".to_owned())));
        assert!(
            found(None, &[&dir.path().join("elsewhere/01-a.json")]).unwrap_err().contains("cannot determine the model")
        );
    }

    #[test]
    fn a_model_file_above_has_precedence_within_the_working_tree() {
        let dir = tempfile::tempdir().unwrap();
        let tree = dir.path().join("tree");
        let captures = tree.join("relational-store/deep");
        std::fs::create_dir_all(&captures).unwrap();
        std::fs::write(dir.path().join(MODEL_FILE), "").unwrap();
        std::fs::create_dir(tree.join(ROOT_MARK)).unwrap();
        let path = captures.join("a.json");
        assert_eq!(found(None, &[&path]), Ok(ModelSource::Shipped("relational-store".to_owned())));
        std::fs::write(tree.join(MODEL_FILE), "").unwrap();
        assert_eq!(found(None, &[&path]), Ok(ModelSource::File(tree.join(MODEL_FILE))));
        std::fs::write(captures.join(MODEL_FILE), "").unwrap();
        assert_eq!(found(None, &[&path]), Ok(ModelSource::File(captures.join(MODEL_FILE))));
    }

    #[test]
    fn captures_of_two_models_are_refused_unless_one_is_given() {
        let dir = tempfile::tempdir().unwrap();
        let paths = [dir.path().join("access-management/a.json"), dir.path().join("relational-store/b.json")];
        let paths: Vec<&Path> = paths.iter().map(PathBuf::as_path).collect();
        let refused = found(None, &paths).unwrap_err();
        assert!(
            refused.contains("of model `access-management`") && refused.contains("of `relational-store`"),
            "{refused}"
        );
        assert_eq!(found(Some("access-management"), &paths), Ok(ModelSource::Shipped("access-management".to_owned())));
        assert!(found(Some("acces-management"), &paths).unwrap_err().contains("there is no model `acces-management`"));
        assert!(find(None, std::iter::once(None)).unwrap_err().to_string().contains("standard input needs"));
    }
}
