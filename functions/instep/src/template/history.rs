//! The template that a stack was deployed with, as far as the next one depends on it.

use std::path::{Path, PathBuf};

use instep_console::model_source::ModelSource;
use miette::{IntoDiagnostic as _, Result, WrapErr as _, miette};
use serde_json::{Value, json};

use super::expand::{merge, take, text};
use super::form::{Form, OWN, own_lines};
use super::layer::{self, Layer, layer_resource, relative};
use super::{blocks, plain, table, yaml};

/// A resource that every template of Instep has.
const ALWAYS: &str = "/Resources/StreamFunction/Properties";

/// A template that is deployed, or taken as deployed.
pub(super) struct DeployedTemplate {
    pub(super) path: PathBuf,
    text: String,
    pub(super) template: Value,
}

impl DeployedTemplate {
    /// The template in a file. `None` if the file is empty.
    pub(super) fn read(path: &Path) -> Result<Option<Self>> {
        let text = std::fs::read_to_string(path).into_diagnostic();
        Self::of(path, text.wrap_err_with(|| format!("cannot read `{}`", path.display()))?)
    }

    /// A template of which a file has the text.
    pub(super) fn of(path: &Path, text: String) -> Result<Option<Self>> {
        if text.trim().is_empty() {
            return Ok(None);
        }
        let read = if text.trim_start().starts_with('{') {
            serde_json::from_str(&text).map_err(|error| miette!("{error}"))
        } else {
            yaml::read(&text)
        };
        let is_ours = |template: &Value| template.pointer(ALWAYS).is_some();
        let read = read
            .and_then(|template| if is_ours(&template) { Ok(template) } else { Err(miette!("it lacks `{ALWAYS}`")) });
        let template = read.map_err(|why| {
            miette!(
                help = "name the template that is deployed: `--against FILE`. With `--fresh` there is none, and the \
                        template is that of a new stack",
                "`{}` is no template that Instep wrote: {why}",
                path.display()
            )
        })?;
        Ok(Some(Self { path: path.to_owned(), text, template }))
    }

    pub(super) fn form(&self) -> Form {
        if self.template.get("Transform").is_some() { Form::Sam } else { Form::Plain }
    }

    /// Its name, for people.
    pub(super) fn name(&self) -> String {
        self.path.display().to_string()
    }

    /// The properties of the table that the stack creates.
    pub(super) fn table(&self) -> Option<&Value> {
        self.template.pointer("/Resources/Table/Properties")
    }

    /// The properties of the pool that the stack creates.
    pub(super) fn pool(&self) -> Option<&Value> {
        self.template.pointer("/Resources/UserPool/Properties")
    }

    /// What the template says of itself.
    pub(super) fn own(&self, name: &str) -> &str {
        self.template.pointer("/Metadata").and_then(|all| all.get(OWN)).map_or("", |own| text(own, name))
    }

    /// The name or path of the model, as the functions have it.
    fn model(&self) -> &str {
        let of_all = self.template.pointer("/Globals/Function/Environment/Variables");
        let own = self.template.pointer(ALWAYS).and_then(|all| all.pointer("/Environment/Variables"));
        let named = [of_all, own].into_iter().flatten().map(|variables| text(variables, "INSTEP_MODEL"));
        named.max_by_key(|name| name.len()).unwrap_or_default()
    }

    /// The name of the model, if the template says it.
    pub(super) fn model_name(&self) -> Option<&str> {
        let name = self.own("Model");
        let shipped = Some(self.model()).filter(|model| !model.is_empty() && !model.starts_with('/'));
        if name.is_empty() { shipped } else { Some(name) }
    }

    /// The folder of the model's layer.
    fn folder(&self) -> Option<PathBuf> {
        let folder = self.template.pointer("/Resources/ModelLayer/Properties/ContentUri")?.as_str()?;
        Some(self.path.parent().unwrap_or(Path::new("")).join(folder))
    }

    /// Whether `sam build` would build the functions with the model that is deployed: it takes what the folder has by
    /// then, or what the source ships.
    pub(super) fn builds_the_same_model(&self) -> bool {
        let origin = match self.folder() {
            Some(folder) => ModelSource::File(folder.join(self.model().rsplit('/').next().unwrap_or_default())),
            None => ModelSource::Shipped(self.model().to_owned()),
        };
        let layer = Layer::of(&origin);
        layer.and_then(|layer| layer::digest(&origin, layer.as_ref())).is_ok_and(|digest| digest == self.own("Digest"))
    }

    /// The same template with another table. `step` is what it says of itself beside what it says of its model.
    pub(super) fn with_table(&self, table: &Value, step: Value, out: Option<&Path>) -> Result<String> {
        let mut own = self.template.pointer("/Metadata").and_then(|all| all.get(OWN)).cloned().unwrap_or(json!({}));
        for name in ["Step", "Next"] {
            take(&mut own, name);
        }
        merge(&mut own, step);
        let step = text(&own, "Step").to_owned();
        match self.form() {
            Form::Plain => {
                let mut template = self.template.clone();
                let change = json!({ "Resources": { "Table": { "Properties": table } }, "Metadata": { OWN: own } });
                merge(&mut template, change);
                Ok(plain::lines(template))
            }
            Form::Sam => {
                let folder = self.folder().map(|folder| relative(&folder, out)).transpose()?;
                let block = |name: &str| match name {
                    "own" => Some(own_lines(&own)),
                    "table" => Some(table::lines(table)),
                    "layer" => folder.as_deref().map(layer_resource),
                    _ => None,
                };
                let text = blocks::fill(&self.text, block, |_| true);
                let read = Self::of(&self.path, text.clone())?;
                let is_there = |read: &Self| {
                    let of = |table| (table::indexes(table), table::time_to_live(table));
                    read.table().is_some_and(|there| of(there) == of(table)) && read.own("Step") == step
                };
                if read.as_ref().is_none_or(|read| !is_there(read)) {
                    return Err(miette!(
                        help =
                            "put the comments back as they are in a template that Instep writes, around the same lines",
                        "`{}` does not have its lines `# from the model: own` and `# from the model: table`, each with its \
                         `# end`: the next step changes what is between them",
                        self.name()
                    ));
                }
                Ok(text)
            }
        }
    }
}
