//! Creates a capture from real writes on a new embedded table. Instep does not run: the stream has
//! only the writers' changes.

use std::path::Path;

use aws_sdk_dynamodb::Client;
use instep_console::input::CaptureInput;
use instep_console::model_source::{ModelSource, default_table};
use instep_console::writer::StepWriter;
use instep_console::writes;
use instep_local::{Clock, PumpOptions, ReadFrom, Stack, StackOptions};
use miette::{IntoDiagnostic as _, WrapErr as _, miette};
use serde_json::value::RawValue;

use crate::cli::CaptureArgs;
use crate::names;

/// The records of the writes in `file`.
pub(super) async fn records(args: &CaptureArgs, file: &Path) -> miette::Result<Vec<Box<RawValue>>> {
    let name = file.display().to_string();
    let model = match &args.model {
        Some(name) => ModelSource::named(name)?.load()?,
        None => return Err(miette!("set `--model`")),
    };
    let text = CaptureInput::file(file.to_owned())?.text()?;
    let steps = writes::parse(&name, text.utf8(&name).map_err(|why| miette!("{why}"))?)?;
    let clock = Clock::new(steps.first().and_then(|step| step.at).unwrap_or_default());
    let table = args.table.as_deref().map_or_else(|| default_table(&model), names::name_of_table);
    let options = StackOptions { dir: None, table, clock };
    let stack = Stack::open(&model, options).await.into_diagnostic()?;
    let mut pump = stack.pump(PumpOptions::default()).into_diagnostic()?;
    let writer = StepWriter { client: Client::new(&stack.uncounted_config()), stack: &stack };
    for (place, step) in steps.iter().enumerate() {
        writer.step(step).await.wrap_err_with(|| format!("`{name}`, step {}", place + 1))?;
        if step.before {
            pump.skip_to_end().into_diagnostic()?;
        }
    }
    let records = pump.read_all(ReadFrom::Checkpoint).into_diagnostic();
    stack.close().await;
    records
}
