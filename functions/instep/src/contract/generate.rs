//! `instep contract MODEL --out DIR`.

use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Arc;

use instep_console::input;
use instep_console::model_source::ModelSource;
use instep_console::output::Output;
use instep_documents::{at, documents, events_without_example};
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

/// Writes the documents.
pub(super) async fn run(args: &GenerateArgs, out: &mut Output) -> miette::Result<ExitCode> {
    let (Some(name), Some(dir)) = (&args.model, &args.out) else {
        return Err(miette!(help = "`instep contract MODEL --out DIR`", "a model and a folder are needed"));
    };
    let model = Arc::new(ModelSource::named(name)?.load()?);
    check_room(dir, args.force)?;
    let mut published = Vec::new();
    for path in captures(&args.events)? {
        let entries = replay::published(&path, name).await?;
        published.extend(entries.into_iter().map(delivered));
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

/// An entry of PutEvents as EventBridge delivers it.
fn delivered(entry: Value) -> Value {
    let id = at(&entry, "/Detail/metadata/id").as_str().unwrap_or_default();
    let part = |from: usize, to: usize| id.get(from..to).unwrap_or_default();
    let id = [part(0, 8), part(8, 12), part(12, 16), part(16, 20), part(20, 32)].join("-");
    json!({
        "version": "0",
        "id": id,
        "detail-type": at(&entry, "/DetailType"),
        "source": at(&entry, "/Source"),
        "account": ACCOUNT,
        "time": at(&entry, "/Time"),
        "region": REGION,
        "resources": [],
        "detail": at(&entry, "/Detail"),
    })
}

fn write(path: &Path, text: &str) -> miette::Result<()> {
    let folder = path.parent().unwrap_or(path);
    let written = std::fs::create_dir_all(folder).and_then(|()| std::fs::write(path, text));
    written.into_diagnostic().wrap_err_with(|| format!("cannot write `{}`", path.display()))
}
