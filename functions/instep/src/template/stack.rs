//! The whole template: the project's own `template.yaml`, with the model-dependent parts generated
//! for this model.

use std::path::Path;

use instep_console::model_source::ModelSource;
use instep_doctor::access::deletes_users;
use instep_flow::due::needs_clock;
use instep_flow::filter::Filter;
use instep_model::Model;
use miette::{Result, miette};
use serde_json::{Value, json};

use super::authorizer::{self, RoutesInLayer};
use super::form::{Form, own_lines};
use super::layer::{self, Layer, layer_resource, relative};
use super::pool::PoolProperties;
use super::table::quoted;
use super::{blocks, plain, policies, sign_up, snapshots, table, tokens};
use crate::cli::template::{NewResource, StackArgs};

/// The template that ships with Instep, generated for one of the shipped models.
const TEMPLATE: &str = include_str!("../../../../template.yaml");

/// What a template is generated from.
pub(super) struct WantedStack<'a> {
    pub(super) args: &'a StackArgs,
    pub(super) model: Model,
    layer: Option<Layer>,
    /// The routes of an API, if the stack has an authorizer.
    routes: Option<RoutesInLayer>,
    /// Whether a function says which groups tokens get.
    has_tokens: bool,
    /// The model's.
    pub(super) digest: String,
}

/// The parts of a template that also depend on the stack that exists.
pub(super) struct Parts {
    /// The table's properties.
    pub(super) table: Value,
    pub(super) pool: PoolProperties,
    /// What the template says of itself.
    pub(super) own: Value,
}

impl<'a> WantedStack<'a> {
    pub(super) fn new(origin: &ModelSource, args: &'a StackArgs) -> Result<Self> {
        let model = origin.load()?;
        if args.create.contains(&NewResource::Pool) && !model.uses_cognito() {
            return Err(miette!(
                help = "leave `pool` out of `--create`",
                "the model `{}` needs no user pool: it uses nothing of Cognito",
                model.name
            ));
        }
        if args.archive && !args.create.contains(&NewResource::Bus) {
            return Err(miette!(
                help = "add `bus` to `--create`, or make the archive where you make the bus",
                "`--archive` is of the bus that the stack creates, and it creates none"
            ));
        }
        let has_tokens = tokens::are_wanted(&model, args.tokens)?;
        let layer = Layer::of(origin)?;
        let routes = RoutesInLayer::of(args.routes.as_deref(), &model, layer.as_ref())?;
        let digest = layer::digest(origin, layer.as_ref())?;
        Ok(Self { args, model, layer, routes, has_tokens, digest })
    }

    pub(super) fn form(&self) -> Form {
        if self.args.sam { Form::Sam } else { Form::Plain }
    }

    /// The parts of a new stack.
    pub(super) fn new_parts(&self) -> Parts {
        Parts { table: table::of(&self.model), pool: PoolProperties::of(&self.model), own: self.own() }
    }

    /// What a template says of its model. The plain form says only what nothing else in it does: it is as large as a
    /// request may be.
    pub(super) fn own(&self) -> Value {
        match self.form() {
            Form::Sam => json!({ "Model": self.model.name, "Digest": self.digest }),
            Form::Plain if self.layer.is_some() => json!({ "Model": self.model.name }),
            Form::Plain => json!({}),
        }
    }

    /// The template. Paths in SAM's form are relative to the folder of the file to write, if that is known.
    pub(super) fn text(&self, parts: &Parts) -> Result<String> {
        let layer = self.layer.as_ref();
        match self.form() {
            Form::Plain => {
                let archive = layer.map(Layer::archive).transpose()?;
                plain::plain(&self.filled(parts, Path::new("")), self.args, archive.as_ref().map(|(name, _)| &**name))
            }
            Form::Sam => {
                let folder = layer.map(|layer| relative(&layer.folder, self.args.out.as_deref())).transpose()?;
                Ok(self.filled(parts, &folder.unwrap_or_default()))
            }
        }
    }

    /// The template of SAM with the parts that depend on the model. `folder` is that of the layer.
    fn filled(&self, parts: &Parts, folder: &Path) -> String {
        let model = &self.model;
        let layer = self.layer.as_ref();
        let name = || layer.map_or_else(|| model.name.clone(), Layer::model_path);
        let layers: Vec<String> = layer.iter().map(|_| "Layers: [!Ref ModelLayer]".to_owned()).collect();
        let block = |block: &str| match block {
            "own" => own_lines(&parts.own),
            "name" => vec![format!("INSTEP_MODEL: {}", quoted(&name()))],
            "layer" => layer.iter().flat_map(|_| layer_resource(folder)).collect(),
            "layers" => layers.clone(),
            "table" => table::lines(&parts.table),
            "source" => vec![format!("source: [{}]", quoted(&model.source))],
            "filters" => filters(model),
            "pool" => parts.pool.properties(model, self.has_tokens),
            "kept" => parts.pool.remark(),
            "sign-up" => sign_up::resources(model, &layers),
            "sign-up-output" => sign_up::outputs(model),
            "tokens" if self.has_tokens => tokens::resources(model, &layers, parts.pool.ignores_case()),
            "tokens-output" if self.has_tokens => tokens::outputs(),
            "tokens" | "tokens-output" => Vec::new(),
            "snapshots" => {
                let schedule = self.args.snapshots.iter();
                schedule.flat_map(|schedule| snapshots::resources(model, schedule)).collect()
            }
            "clock" => vec![format!("Enabled: {}", needs_clock(model))],
            "clock-alarm" => {
                vec![format!("TreatMissingData: {}", if needs_clock(model) { "breaching" } else { "notBreaching" })]
            }
            // A test fills each block of the template.
            _ => authorizer::block(block, (self.routes.as_ref(), &self.args.api), model, &layers)
                .or_else(|| policies::of_block(model, block))
                .unwrap_or_else(|| vec![format!("# no such block: {block}")]),
        };
        blocks::fill(
            TEMPLATE,
            |name| Some(block(name)),
            |condition| match condition {
                "cognito" => model.uses_cognito(),
                "deletes-users" => deletes_users(model),
                _ => true,
            },
        )
    }
}

fn filters(model: &Model) -> Vec<String> {
    Filter::of(model).patterns().iter().map(|pattern| format!("- Pattern: '{}'", pattern.replace('\'', "''"))).collect()
}
