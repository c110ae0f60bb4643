//! `instep check`: describes a table model to its author, or explains what a change of it means.

use std::process::ExitCode;

use instep_model::{Model, ModelChange, describe, escaped};

use crate::cli::Check;
use crate::model_source::ModelSource;
use crate::output::{Output, WIDTH};

/// A change needs further steps.
const STEPS_NEEDED: u8 = 1;

/// Loads the model and prints its description, or what a change to it means.
///
/// # Errors
/// A model is invalid; the error shows the place and the fix.
pub(crate) fn run(args: &Check, out: &mut Output) -> miette::Result<ExitCode> {
    let model = ModelSource::named(&args.model)?.load()?;
    let Some(against) = &args.against else {
        out.line(describe(&model).trim_end())?;
        out.flush()?;
        return Ok(ExitCode::SUCCESS);
    };
    let old = ModelSource::named(against)?.load()?;
    let needs_steps = explain(&model, &old, out)?;
    out.flush()?;
    Ok(if needs_steps { ExitCode::from(STEPS_NEEDED) } else { ExitCode::SUCCESS })
}

/// Prints what a change means. True if it needs further steps.
fn explain(model: &Model, old: &Model, out: &mut Output) -> miette::Result<bool> {
    let changes = model.changes_since(old);
    if changes.is_empty() {
        out.line("Everything that was made under the old model is still found: deploy the new one.")?;
        return Ok(false);
    }
    let (steps, notes): (Vec<&ModelChange>, Vec<&ModelChange>) =
        changes.iter().partition(|change| change.fix.is_some());
    for (title, changes) in [("Needs further steps", &steps), ("Good to know", &notes)] {
        if changes.is_empty() {
            continue;
        }
        out.line(title)?;
        for change in changes {
            out.line(&format!("  {}", escaped(&change.what)))?;
            paragraph(&change.meaning, "    ", out)?;
            if let Some(fix) = &change.fix {
                paragraph(fix, "    -> ", out)?;
            }
        }
    }
    Ok(!steps.is_empty())
}

/// A text, wrapped. Its further lines begin below its first word.
fn paragraph(text: &str, indent: &str, out: &mut Output) -> miette::Result<()> {
    let text = escaped(text);
    let mut line = String::from(indent);
    for word in text.split(' ') {
        if line.chars().count() + 1 + word.chars().count() > WIDTH && line.trim() != "" {
            out.line(line.trim_end())?;
            line = " ".repeat(indent.len());
        }
        line.push_str(word);
        line.push(' ');
    }
    out.line(line.trim_end())
}
