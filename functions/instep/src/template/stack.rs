//! The whole template: the project's own `template.yaml`, with the model-dependent parts generated
//! for this model.

use std::path::{Path, PathBuf};

use instep_console::model_source::ModelSource;
use instep_doctor::access::{deletes_users, uses_cognito};
use instep_flow::due::needs_clock;
use instep_flow::filter::Filter;
use instep_model::{ACCOUNT_MARK, CUSTOM_ATTRIBUTE, DEVELOPER_ATTRIBUTE, Model};
use miette::{IntoDiagnostic as _, miette};

use super::layer::Layer;
use super::table::quoted;
use super::{blocks, plain, policies, sign_up, table};
use crate::cli::template::{NewResource, StackArgs};

/// The template that ships with Instep, generated for one of the shipped models.
const TEMPLATE: &str = include_str!("../../../../template.yaml");

/// The plain form of the template for a model.
pub(super) fn plain(origin: &ModelSource, args: &StackArgs) -> miette::Result<String> {
    let model = origin.load()?;
    if args.create.contains(&NewResource::Pool) && !uses_cognito(&model) {
        return Err(miette!(
            help = "leave `pool` out of `--create`",
            "the model `{}` needs no user pool: it uses nothing of Cognito",
            model.name
        ));
    }
    let layer = Layer::of(origin)?;
    let archive = layer.as_ref().map(Layer::archive).transpose()?;
    let sam = filled(&model, layer.as_ref(), Path::new(""));
    let layer = archive.as_ref().map(|(name, _)| name.as_str());
    plain::plain(&sam, args, layer)
}

/// SAM's form of the template for a model. Paths in it are relative to the folder of `out`, if that is known.
pub(super) fn sam(origin: &ModelSource, out: Option<&Path>) -> miette::Result<String> {
    let layer = Layer::of(origin)?;
    let folder = layer.as_ref().map(|layer| relative(&layer.folder, out)).transpose()?;
    Ok(filled(&origin.load()?, layer.as_ref(), &folder.unwrap_or_default()))
}

/// The template with the parts that depend on the model. `folder` is that of the layer.
fn filled(model: &Model, layer: Option<&Layer>, folder: &Path) -> String {
    let name = || layer.map_or_else(|| model.name.clone(), Layer::model_path);
    let layers: Vec<String> = layer.iter().map(|_| "Layers: [!Ref ModelLayer]".to_owned()).collect();
    let block = |block: &str| match block {
        "name" => vec![format!("INSTEP_MODEL: {}", quoted(&name()))],
        "layer" => layer.iter().flat_map(|_| layer_resource(folder)).collect(),
        "layers" => layers.clone(),
        "table" => table::properties(model),
        "source" => vec![format!("source: [{}]", quoted(&model.source))],
        "filters" => filters(model),
        "pool" => pool(model),
        "sign-up" => sign_up::resources(model, &layers),
        "sign-up-output" => sign_up::outputs(model),
        "clock" => vec![format!("Enabled: {}", needs_clock(model))],
        "clock-alarm" => {
            vec![format!("TreatMissingData: {}", if needs_clock(model) { "breaching" } else { "notBreaching" })]
        }
        // A test fills each block of the template.
        _ => policies::of_block(model, block).unwrap_or_else(|| vec![format!("# no such block: {block}")]),
    };
    blocks::fill(TEMPLATE, block, |condition| match condition {
        "cognito" => uses_cognito(model),
        "deletes-users" => deletes_users(model),
        _ => true,
    })
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
    lines.extend(sign_up::pool(model));
    let custom = model.custom_user_attributes();
    if !custom.is_empty() {
        lines.push("Schema:".to_owned());
        lines.extend(custom.into_iter().map(|name| {
            let (own, only) = match name.strip_prefix(DEVELOPER_ATTRIBUTE) {
                Some(own) => (own, ", DeveloperOnlyAttribute: true"),
                None => (name, ""),
            };
            let own = quoted(own.strip_prefix(CUSTOM_ATTRIBUTE).unwrap_or(own));
            // Nobody changes who made a user.
            let mutable = name != ACCOUNT_MARK;
            format!("  - {{ Name: {own}, AttributeDataType: String, Mutable: {mutable}{only} }}")
        }));
    }
    lines
}

/// The resource of the layer.
fn layer_resource(folder: &Path) -> Vec<String> {
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
fn relative(folder: &Path, out: Option<&Path>) -> miette::Result<PathBuf> {
    let Some(out) = out else { return Ok(folder.to_owned()) };
    let base = std::path::absolute(out.parent().unwrap_or(out)).into_diagnostic()?;
    let folder = std::path::absolute(folder).into_diagnostic()?;
    Ok(folder.strip_prefix(base).map(Path::to_owned).unwrap_or(folder))
}
