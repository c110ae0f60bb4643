//! `instep template`: generates the parts of a deployment from a model.

mod added_function;
mod authorizer;
mod blocks;
mod expand;
mod form;
mod functions;
mod history;
mod layer;
mod next;
mod plain;
mod policies;
mod pool;
mod refusal;
mod refusals;
mod release;
mod sign_up;
mod snapshots;
mod stack;
mod table;
mod tokens;
mod yaml;
mod zip;

use std::path::Path;
use std::process::ExitCode;

use instep_console::model_source::ModelSource;
use instep_console::output::Output;
use instep_flow::filter::Filter;
use instep_model::Model;
use miette::{IntoDiagnostic as _, WrapErr as _, miette};
use serde_json::{Value, json};

use crate::cli::template::{OfModel, StackArgs, TemplateCommand};
use release::SOURCES;
use stack::WantedStack;

/// Prints the part that the command names.
pub(crate) async fn run(command: TemplateCommand, out: &mut Output) -> miette::Result<ExitCode> {
    match &command {
        TemplateCommand::Stack(args) => stack(args, out)?,
        TemplateCommand::Functions(args) => functions::copy(args, out).await?,
        TemplateCommand::Filters(of) => out.text(&criteria(&of.load()?)?)?,
        TemplateCommand::Table(of) => out.text(&(table::properties(&of.load()?).join("\n") + "\n"))?,
        TemplateCommand::Policies(of) => out.text(&policies::all(&of.load()?))?,
    }
    out.flush()?;
    Ok(ExitCode::SUCCESS)
}

fn stack(args: &StackArgs, out: &mut Output) -> miette::Result<()> {
    let stack = WantedStack::new(&ModelSource::named(&args.of.model)?, args)?;
    let Some(path) = &args.out else { return out.text(&stack.text(&stack.new_parts())?) };
    check_file(args, path)?;
    let history = next::history(&stack)?;
    let next = history.as_ref().map(|history| next::next(&stack, history)).transpose()?;
    let text = match &next {
        Some(next) => next.text.clone(),
        None => stack.text(&stack.new_parts())?,
    };
    let written = std::fs::write(path, text);
    written.into_diagnostic().wrap_err_with(|| format!("cannot write `{}`", path.display()))?;
    let beside = path.parent().unwrap_or(path).join(SOURCES);
    if args.sam && !beside.is_dir() {
        tracing::warn!("`sam build` needs `{}`, which does not exist", beside.display());
    }
    let told = next.iter().zip(&history).flat_map(|(next, history)| next.told(history, stack.form()));
    told.into_iter().try_for_each(|line| out.line(&line))
}

/// The file can be written, and has the right name.
fn check_file(args: &StackArgs, path: &Path) -> miette::Result<()> {
    if path.is_dir() {
        return Err(miette!(help = "name a file: `--out FOLDER/template.json`", "`{}` is a folder", path.display()));
    }
    if !args.sam && path.extension().is_some_and(|ending| ending == "yaml" || ending == "yml") {
        return Err(miette!(
            help = "name a `.json` file, or write the form for SAM with `--sam`",
            "the template is JSON, and `{}` would not say so",
            path.display()
        ));
    }
    if path.exists() && !args.force {
        return Err(miette!(help = "`--force` overwrites it", "`{}` already exists", path.display()));
    }
    Ok(())
}

impl OfModel {
    fn load(&self) -> miette::Result<Model> {
        ModelSource::named(&self.model)?.load()
    }
}

/// Filter criteria as `aws lambda create-event-source-mapping --filter-criteria` takes them.
fn criteria(model: &Model) -> miette::Result<String> {
    let filters: Vec<Value> =
        Filter::of(model).patterns().iter().map(|pattern| json!({ "Pattern": pattern })).collect();
    let text = serde_json::to_string_pretty(&json!({ "Filters": filters })).into_diagnostic()?;
    Ok(text + "\n")
}
