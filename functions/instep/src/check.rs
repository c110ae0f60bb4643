//! `instep check`: describes a table model to its author.

use std::process::ExitCode;

use crate::cli::Check;
use crate::model_source::ModelSource;
use crate::output::Output;

/// Loads the model and prints its description.
///
/// # Errors
/// The model is invalid; the error shows the place and the fix.
pub(crate) fn run(args: &Check, out: &mut Output) -> miette::Result<ExitCode> {
    let model = ModelSource::named(&args.model)?.load()?;
    out.line(instep_model::describe(&model).trim_end())?;
    out.flush()?;
    Ok(ExitCode::SUCCESS)
}
