//! `instep check`: a table model, read back to whoever wrote it.

use std::process::ExitCode;

use crate::cli::Check;
use crate::found::Origin;
use crate::output::Output;

/// Loads the model and prints what it says.
///
/// # Errors
/// The model is not sound; the error shows where and how to mend it.
pub(crate) fn run(args: &Check, out: &mut Output) -> miette::Result<ExitCode> {
    let model = Origin::named(&args.model)?.load()?;
    out.line(instep_model::describe(&model).trim_end())?;
    out.flush()?;
    Ok(ExitCode::SUCCESS)
}
