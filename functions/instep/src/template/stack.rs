//! The whole template: the project's own `template.yaml`, with the model-dependent parts generated
//! for this model.

use std::path::{Path, PathBuf};

use instep_console::model_source::ModelSource;
use instep_doctor::access::uses_cognito;
use instep_flow::due::needs_clock;
use instep_flow::filter::Filter;
use instep_model::{CUSTOM_ATTRIBUTE, DEVELOPER_ATTRIBUTE, Model};
use miette::{IntoDiagnostic as _, miette};

use super::table::quoted;
use super::{blocks, policies, table};

/// The template that ships with Instep, generated for one of the shipped models.
const TEMPLATE: &str = include_str!("../../../../template.yaml");

/// Where a layer's files are in a function. Source: AWS Lambda Developer Guide, "Managing Lambda
/// dependencies with layers".
const LAYER: &str = "/opt";

/// The template for a model. Paths in it are relative to the folder of `out`, if that is known.
pub(super) fn template(origin: &ModelSource, out: Option<&Path>) -> miette::Result<String> {
    let model = origin.load()?;
    let layer = match origin {
        ModelSource::Shipped(_) => None,
        ModelSource::File(path) => Some(Layer::of(path, out)?),
    };
    let block = |name: &str| match name {
        "name" => vec![format!("INSTEP_MODEL: {}", quoted(&model_name(&model, layer.as_ref())))],
        "layer" => layer.iter().flat_map(Layer::resource).collect(),
        "layers" => layer.iter().map(|_| "Layers: [!Ref ModelLayer]".to_owned()).collect(),
        "table" => table::properties(&model),
        "source" => vec![format!("source: [{}]", quoted(&model.source))],
        "filters" => filters(&model),
        "pool" => pool(&model),
        "clock" => vec![format!("Enabled: {}", needs_clock(&model))],
        "clock-alarm" => {
            vec![format!("TreatMissingData: {}", if needs_clock(&model) { "breaching" } else { "notBreaching" })]
        }
        // A test fills each block of the template.
        _ => policies::of_block(&model, name).unwrap_or_else(|| vec![format!("# no such block: {name}")]),
    };
    Ok(blocks::fill(TEMPLATE, block, |condition| condition != "cognito" || uses_cognito(&model)))
}

fn model_name(model: &Model, layer: Option<&Layer>) -> String {
    layer.map_or_else(|| model.name.clone(), |layer| format!("{LAYER}/{}", layer.file))
}

fn filters(model: &Model) -> Vec<String> {
    Filter::of(model).patterns().iter().map(|pattern| format!("- Pattern: '{}'", pattern.replace('\'', "''"))).collect()
}

/// The properties of a new user pool that depend on the model: whether user names are
/// case-sensitive, and the custom attributes.
fn pool(model: &Model) -> Vec<String> {
    // If user names are in lower case, users can sign in with any case.
    let in_lower_case = model.has_lowered_users();
    let mut lines = vec![format!("UsernameConfiguration: {{ CaseSensitive: {} }}", !in_lower_case)];
    let custom = model.custom_user_attributes();
    if !custom.is_empty() {
        lines.push("Schema:".to_owned());
        lines.extend(custom.into_iter().map(|name| {
            let (own, only) = match name.strip_prefix(DEVELOPER_ATTRIBUTE) {
                Some(own) => (own, ", DeveloperOnlyAttribute: true"),
                None => (name, ""),
            };
            let own = quoted(own.strip_prefix(CUSTOM_ATTRIBUTE).unwrap_or(own));
            format!("  - {{ Name: {own}, AttributeDataType: String, Mutable: true{only} }}")
        }));
    }
    lines
}

/// The layer of the functions with a model file that is not shipped.
struct Layer {
    /// The folder that is packed.
    folder: PathBuf,
    /// The model's name in it.
    file: String,
}

impl Layer {
    fn of(path: &Path, out: Option<&Path>) -> miette::Result<Self> {
        let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
        let file = path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
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
        }
        // A model that it extends must be in the same folder.
        Model::load_within(path, folder)?;
        let base = out.map(|out| std::path::absolute(out.parent().unwrap_or(out))).transpose().into_diagnostic()?;
        let folder = match base {
            Some(base) => {
                let folder = std::path::absolute(folder).into_diagnostic()?;
                folder.strip_prefix(base).map(Path::to_owned).unwrap_or(folder)
            }
            None => folder.to_owned(),
        };
        Ok(Self { folder, file })
    }

    fn resource(&self) -> Vec<String> {
        [
            "ModelLayer:".to_owned(),
            "  Type: AWS::Serverless::LayerVersion".to_owned(),
            "  Properties:".to_owned(),
            "    Description: The table model".to_owned(),
            format!("    ContentUri: {}", quoted(&self.folder.to_string_lossy())),
            "    RetentionPolicy: Delete".to_owned(),
        ]
        .to_vec()
    }
}
