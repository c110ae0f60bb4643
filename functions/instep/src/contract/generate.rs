//! `instep contract MODEL --out DIR`.

use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Arc;

use instep_console::input;
use instep_console::model_source::ModelSource;
use instep_console::output::Output;
use instep_documents::{documents, events_without_example};
use instep_flow::events::Snapshot;
use instep_flow::report::BusPlace;
use instep_model::Model;
use jiff::{SignedDuration, Timestamp};
use miette::{IntoDiagnostic as _, WrapErr as _, miette};
use serde_json::{Value, json};

use super::compare::CONTRACT;
use crate::cli::contract::GenerateArgs;
use crate::replay;

/// The folders in which every file is one of these documents.
const FOLDERS: [&str; 3] = ["schemas", "schemas-draft-04", "examples"];

/// Account and region of the examples. The account is the one that AWS's documents use.
const ACCOUNT: &str = "111122223333";
const REGION: &str = "eu-west-1";

/// When the snapshot of the examples was taken.
const TAKEN_AT: SignedDuration = SignedDuration::from_hours(24 * 365 * 56);

/// Writes the documents.
pub(super) async fn run(args: &GenerateArgs, out: &mut Output) -> miette::Result<ExitCode> {
    let (Some(name), Some(dir)) = (&args.model, &args.out) else {
        return Err(miette!(help = "`instep contract MODEL --out DIR`", "a model and a folder are needed"));
    };
    let model = Arc::new(ModelSource::named(name)?.load()?);
    check_room(dir, args.force)?;
    let mut published: Vec<Value> = snapshot(&model).collect();
    for path in captures(&args.events)? {
        let entries = replay::published(&path, name).await?;
        published.extend(entries.into_iter().map(of_examples));
    }
    let files = documents(&model, &published);
    // Only now, when there is something to write: whatever fails before leaves the old documents.
    remove_old(dir)?;
    for (name, text) in &files {
        write(&dir.join(name), text)?;
    }
    out.line(&format!("{} documents of {} in {}", files.len(), model.name, dir.display()))?;
    let without = events_without_example(&model, &published);
    if !without.is_empty() {
        let help = if args.events.is_empty() { ": `--events PATH` replays captures for examples" } else { "" };
        out.line(&format!("without an example: {}{help}", without.join(", ")))?;
    }
    out.flush()?;
    Ok(ExitCode::SUCCESS)
}

/// Refuses a folder with other files, or with documents that are not to be replaced.
fn check_room(dir: &Path, force: bool) -> miette::Result<()> {
    if dir.exists() && !dir.is_dir() {
        return Err(miette!(help = "name a folder", "`{}` is a file", dir.display()));
    }
    let is_empty = !dir.exists() || std::fs::read_dir(dir).into_diagnostic()?.next().is_none();
    if is_empty {
        return Ok(());
    }
    let is_ours = dir.join(CONTRACT).is_file();
    if !is_ours {
        let help = "name a new folder: the documents have one of their own";
        return Err(miette!(help = help, "`{}` has other files", dir.display()));
    }
    if !force {
        return Err(miette!(help = "`--force` replaces them", "`{}` has documents already", dir.display()));
    }
    Ok(())
}

/// Removes the documents of a folder that are one of many.
fn remove_old(dir: &Path) -> miette::Result<()> {
    for folder in FOLDERS.map(|folder| dir.join(folder)).iter().filter(|folder| folder.is_dir()) {
        std::fs::remove_dir_all(folder)
            .into_diagnostic()
            .wrap_err_with(|| format!("cannot replace `{}`", folder.display()))?;
    }
    Ok(())
}

/// The capture files, in path order: each is a history of its own.
fn captures(paths: &[PathBuf]) -> miette::Result<Vec<PathBuf>> {
    if paths.is_empty() {
        return Ok(Vec::new());
    }
    let sources = input::find(paths)?;
    Ok(sources.iter().filter_map(|source| source.path().map(Path::to_owned)).collect())
}

/// An event of a replay, as one of the account and the region of the examples.
fn of_examples(mut event: Value) -> Value {
    if let Some(fields) = event.as_object_mut() {
        fields.insert("account".to_owned(), json!(ACCOUNT));
        fields.insert("region".to_owned(), json!(REGION));
    }
    event
}

/// The beginning and the end of a snapshot.
fn snapshot(model: &Model) -> impl Iterator<Item = Value> {
    let snapshot =
        Snapshot::begin(model, "users", "", Timestamp::UNIX_EPOCH.saturating_add(TAKEN_AT).unwrap_or_default());
    let from = BusPlace { account: ACCOUNT.to_owned(), region: REGION.to_owned() };
    let entries = [snapshot.started(model), snapshot.ended(model, 0, true)];
    entries.into_iter().flatten().map(move |entry| entry.delivered(&from))
}

fn write(path: &Path, text: &str) -> miette::Result<()> {
    let folder = path.parent().unwrap_or(path);
    let written = std::fs::create_dir_all(folder).and_then(|()| std::fs::write(path, text));
    written.into_diagnostic().wrap_err_with(|| format!("cannot write `{}`", path.display()))
}
