//! `instep capture`: writes a table's stream to files that `replay` reads.

pub(crate) mod make;
mod stream;

use std::fs::File;
use std::io::{ErrorKind, Write as _};
use std::path::Path;
use std::process::ExitCode;

use aws_config::retry::RetryConfig;
use instep_aws::calls::Calls;
use instep_console::capture::pretty;
use instep_console::capture::redact::{self, Redaction};
use instep_console::output::Output;
use instep_flow::stream_record::StreamRecord;
use instep_local::Clock;
use miette::{IntoDiagnostic as _, WrapErr as _, miette};
use serde_json::value::RawValue;

use crate::cli::CaptureArgs;
use crate::names;
use crate::remote::Target;
use crate::workspace::kept;

/// Captures.
pub(crate) async fn run(args: CaptureArgs, out: &mut Output) -> miette::Result<ExitCode> {
    // Checked before anything is read: a long capture must not be lost because the file exists.
    if let Some(path) = args.out.as_deref().filter(|path| !args.force && path.exists()) {
        return Err(exists(path));
    }
    let mut records = records(&args).await?;
    if let Some(after) = &args.after {
        records.retain(|raw| is_after(raw, after));
    }
    if !args.redact.is_empty() {
        let redaction = Redaction::new(args.redact.iter().cloned(), redact_key(&args)?);
        records = redaction.apply(&records).into_diagnostic().wrap_err("cannot redact a record")?;
    }
    let text = pretty::event(&records);
    match &args.out {
        Some(path) => write(path, &text, args.force)?,
        None => {
            out.text(&text)?;
            out.flush()?;
        }
    }
    Ok(ExitCode::SUCCESS)
}

/// The key that is given, or a new one. An empty one could be guessed.
fn redact_key(args: &CaptureArgs) -> miette::Result<String> {
    let given = args.redact_key.as_ref().filter(|key| !key.is_empty());
    if let Some(key) = given.or(args.environment.redact_key.as_ref()).filter(|key| !key.is_empty()) {
        return Ok(key.clone());
    }
    let key = redact::random_key().into_diagnostic().wrap_err("cannot make a key for the redaction")?;
    tracing::warn!(
        "the key of this redaction is kept nowhere: for the same replacements in another capture, add `--redact-key {key}` \
         to it; whoever has it can check guesses of the original values"
    );
    Ok(key)
}

async fn records(args: &CaptureArgs) -> miette::Result<Vec<Box<RawValue>>> {
    let from = &args.from;
    if let Some(dir) = &from.data {
        return embedded(args, dir).await;
    }
    if let Some(file) = &from.writes {
        return make::records(args, file).await;
    }
    let table = args.table.as_ref().or(args.environment.table.as_ref());
    let table = table.ok_or_else(|| miette!("AWS or an endpoint needs `--table NAME` (or INSTEP_TABLE)"))?;
    names::table(table).map_err(|why| miette!("{why}, as `--table` or INSTEP_TABLE"))?;
    let config = Target::of_endpoint(from.endpoint.as_deref()).connect(&Calls::default()).await;
    // Reading has no error classes of its own, so the SDK's retries are on.
    let config = config.into_builder().retry_config(RetryConfig::standard()).build();
    stream::read(&config, table, None).await
}

/// The whole stream of a kept stack, with the times of its writes.
async fn embedded(args: &CaptureArgs, dir: &Path) -> miette::Result<Vec<Box<RawValue>>> {
    let (_, stack) = kept(dir, args.model.as_deref(), args.table.as_deref(), Clock::default()).await?;
    let records = stream::read(&stack.uncounted_config(), stack.table(), Some(stack.stream_arn())).await;
    stack.close().await;
    records
}

/// Whether a record is after the one with this sequence number. Sequence numbers have up to 40
/// digits.
fn is_after(raw: &RawValue, after: &str) -> bool {
    let digits = |text: &str| format!("{:0>40}", text.trim_start_matches('0'));
    StreamRecord::parse(raw).sequence().is_some_and(|sequence| digits(sequence) > digits(after))
}

fn write(path: &Path, text: &str, force: bool) -> miette::Result<()> {
    let context = || format!("cannot write `{}`", path.display());
    if let Some(folder) = path.parent() {
        std::fs::create_dir_all(folder).into_diagnostic().wrap_err_with(context)?;
    }
    let mut options = File::options();
    options.write(true).create(force).truncate(force).create_new(!force);
    let mut file = match options.open(path) {
        Err(error) if error.kind() == ErrorKind::AlreadyExists => return Err(exists(path)),
        file => file.into_diagnostic().wrap_err_with(context)?,
    };
    file.write_all(text.as_bytes()).into_diagnostic().wrap_err_with(context)
}

fn exists(path: &Path) -> miette::Report {
    miette!(help = "`--force` overwrites it", "`{}` already exists", path.display())
}
