//! `instep template`: generates the parts of a deployment from a model.

mod blocks;
mod policies;
mod stack;
mod table;

use std::process::ExitCode;

use instep_console::model_source::ModelSource;
use instep_console::output::Output;
use instep_flow::filter::Filter;
use miette::{IntoDiagnostic as _, WrapErr as _, miette};
use serde_json::{Value, json};

use crate::cli::TemplateCommand;

/// The folder of the functions in the template.
const FUNCTIONS: &str = "functions";

/// Prints the part that the command names.
pub(crate) fn run(args: TemplateCommand, out: &mut Output) -> miette::Result<ExitCode> {
    let text = match &args {
        TemplateCommand::Stack { model, out, .. } => stack::template(&ModelSource::named(model)?, out.as_deref())?,
        TemplateCommand::Filters(of) => criteria(&of.model)?,
        TemplateCommand::Table(of) => table::properties(&ModelSource::named(&of.model)?.load()?).join("\n") + "\n",
        TemplateCommand::Policies(of) => policies::all(&ModelSource::named(&of.model)?.load()?),
    };
    if let TemplateCommand::Stack { out: Some(path), force, .. } = &args {
        if path.is_dir() {
            return Err(miette!(
                help = "name a file: `--out FOLDER/template.yaml`",
                "`{}` is a folder",
                path.display()
            ));
        }
        if path.exists() && !force {
            return Err(miette!(help = "`--force` overwrites it", "`{}` already exists", path.display()));
        }
        let written = std::fs::write(path, text);
        written.into_diagnostic().wrap_err_with(|| format!("cannot write `{}`", path.display()))?;
        let beside = path.parent().unwrap_or(path).join(FUNCTIONS);
        if !beside.is_dir() {
            tracing::warn!("`sam build` needs `{}`, which does not exist", beside.display());
        }
        return Ok(ExitCode::SUCCESS);
    }
    out.text(&text)?;
    out.flush()?;
    Ok(ExitCode::SUCCESS)
}

/// Filter criteria as `aws lambda create-event-source-mapping --filter-criteria` takes them.
fn criteria(model: &str) -> miette::Result<String> {
    let model = ModelSource::named(model)?.load()?;
    let filters: Vec<Value> =
        Filter::of(&model).patterns().iter().map(|pattern| json!({ "Pattern": pattern })).collect();
    let text = serde_json::to_string_pretty(&json!({ "Filters": filters })).into_diagnostic()?;
    Ok(text + "\n")
}
