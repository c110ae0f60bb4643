//! `instep contract diff`.

use std::path::Path;
use std::process::ExitCode;

use instep_console::model_source::ModelSource;
use instep_console::output::Output;
use instep_documents::{ContractDifference, at, contract, diff};
use instep_model::escaped;
use miette::{IntoDiagnostic as _, WrapErr as _, miette};
use serde_json::{Value, json};

use crate::cli::contract::DiffArgs;

/// Something breaks.
const BREAKS: u8 = 1;

/// The document with all schemas, in a folder of documents.
pub(super) const CONTRACT: &str = "contract.json";

/// Prints the differences.
pub(super) fn run(args: &DiffArgs, out: &mut Output) -> miette::Result<ExitCode> {
    let (old, new) = (read(&args.old)?, read(&args.new)?);
    let found = diff(&old, &new);
    if args.json {
        for one in &found {
            let ContractDifference { is_breaking, event, field, what } = one;
            out.line(&json!({"breaking": is_breaking, "event": event, "field": field, "what": what}).to_string())?;
        }
    } else {
        print(&found, out)?;
    }
    let breaks = found.iter().any(|one| one.is_breaking);
    // A subscriber that knows the old version does not take events of the new one for its own.
    let is_raised = at(&old, "/version") != at(&new, "/version");
    if breaks && !is_raised && !args.json {
        let version = at(&old, "/version").as_str().unwrap_or_default();
        out.line(&format!(
            "\nThis breaks subscribers of version {version}. Undo it, or tell them: docs/guide/subscribers.md, \"Versions\", says how."
        ))?;
    }
    out.flush()?;
    Ok(if breaks && !is_raised { ExitCode::from(BREAKS) } else { ExitCode::SUCCESS })
}

fn print(found: &[ContractDifference], out: &mut Output) -> miette::Result<()> {
    if found.is_empty() {
        return out.line("No difference.");
    }
    for (title, is_breaking) in [("Breaking", true), ("Compatible", false)] {
        let own: Vec<&ContractDifference> = found.iter().filter(|one| one.is_breaking == is_breaking).collect();
        if own.is_empty() {
            continue;
        }
        out.line(title)?;
        for one in own {
            out.line(&format!("  {}", escaped(&one.to_string())))?;
        }
    }
    Ok(())
}

/// The contract of a model, a folder or a file.
fn read(named: &str) -> miette::Result<Value> {
    let path = Path::new(named);
    let file = if path.is_dir() { path.join(CONTRACT) } else { path.to_owned() };
    if path.is_dir() && !file.is_file() {
        return Err(miette!(
            help = "`instep contract MODEL --out DIR` writes such a folder",
            "`{}` has no `{CONTRACT}`",
            path.display()
        ));
    }
    if file.extension().is_none_or(|ending| ending != "json") {
        return Ok(contract(&ModelSource::named(named)?.load()?));
    }
    let text = std::fs::read_to_string(&file).into_diagnostic();
    let text = text.wrap_err_with(|| format!("cannot read `{}`", file.display()))?;
    let contract: Value =
        serde_json::from_str(&text).into_diagnostic().wrap_err_with(|| format!("`{}` is no JSON", file.display()))?;
    if at(&contract, "/instepContract").is_null() {
        return Err(miette!(
            help = "name a model, a folder that `instep contract` wrote, or the `contract.json` in it",
            "`{}` is no contract",
            file.display()
        ));
    }
    Ok(contract)
}
