//! `instep contract diff`.

use std::path::Path;
use std::process::ExitCode;

use instep_console::model_source::ModelSource;
use instep_console::output::Output;
use instep_documents::{CONTRACT_FORM, ContractDifference, ContractVerdict, at, contract, diff};
use miette::{IntoDiagnostic as _, WrapErr as _, miette};
use serde_json::{Value, json};

use crate::cli::contract::DiffArgs;
use crate::subscribers;

/// Subscribers have to do something.
const NOT_COMPATIBLE: u8 = 1;

/// The document with all schemas, in a folder of documents.
pub(super) const CONTRACT: &str = "contract.json";

/// Prints the differences.
pub(super) fn run(args: &DiffArgs, out: &mut Output) -> miette::Result<ExitCode> {
    let (old, new) = (read(&args.old)?, read(&args.new)?);
    let found = diff(&old, &new);
    if args.json {
        for one in &found {
            let ContractDifference { verdict, event, field, what, is_countable: _ } = one;
            let line = json!({"verdict": verdict.word(), "event": event, "field": field, "what": what});
            out.line(&line.to_string())?;
        }
    } else if !subscribers::print(&subscribers::of_contract(&found).collect::<Vec<_>>(), "", out)? {
        out.line("No difference.")?;
    }
    let verdict = ContractVerdict::of(&found);
    // A subscriber that knows the old version does not take events of the new one for its own.
    let is_raised = at(&old, "/version") != at(&new, "/version");
    if !is_raised && !args.json {
        advice(verdict, at(&old, "/version").as_str().unwrap_or_default(), out)?;
    }
    out.flush()?;
    let is_compatible = is_raised || verdict == ContractVerdict::Compatible;
    Ok(if is_compatible { ExitCode::SUCCESS } else { ExitCode::from(NOT_COMPATIBLE) })
}

/// Prints what to do.
fn advice(verdict: ContractVerdict, version: &str, out: &mut Output) -> miette::Result<()> {
    let advice = match verdict {
        ContractVerdict::Compatible => return Ok(()),
        ContractVerdict::Rebuild => {
            "No event tells subscribers what changes. Undo it, or let them build their rows anew from a snapshot"
                .to_owned()
        }
        ContractVerdict::Breaking => format!("This breaks subscribers of version {version}. Undo it, or tell them"),
    };
    out.line(&format!("\n{advice}: docs/guide/subscribers.md, \"Versions\", says how."))
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
    let form = at(&contract, "/instepContract");
    if *form != CONTRACT_FORM {
        return Err(miette!(
            help = "name the model of which it is, or write it anew from that model: `instep contract MODEL --out DIR`",
            "cannot compare `{}`: it has form {form}, of another version of Instep, and this one compares form {CONTRACT_FORM}",
            file.display()
        ));
    }
    Ok(contract)
}
