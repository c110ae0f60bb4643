//! A kept stack's directory, as far as replay and capture use it themselves.

use std::path::{Path, PathBuf};

use instep_flow::table_id::TableId;
use instep_local::private;
use miette::{IntoDiagnostic as _, WrapErr as _, miette};
use serde::Deserialize;
use tempfile::TempDir;

/// The file with the purpose of the directory.
const MANIFEST: &str = "instep.json";

/// The lock of the process that has the directory open. It is never copied.
const LOCK: &str = "instep.lock";

/// Parked records, one a line.
const PARKED: &str = "parked.jsonl";

/// The ARN of the table whose records are replayed into the directory.
const RECORDS_OF: &str = "records-of.txt";

/// The model and table of a directory.
#[derive(Debug, Deserialize)]
pub struct Manifest {
    /// The model's name.
    pub model: String,
    /// The table's name.
    pub table: String,
}

/// Whether a directory contains a stack.
pub fn is_stack(dir: &Path) -> bool {
    dir.join(MANIFEST).is_file()
}

/// Reads the model and table of a directory.
pub fn manifest(dir: &Path) -> miette::Result<Manifest> {
    let path = dir.join(MANIFEST);
    if !path.is_file() {
        return Err(miette!(help = "`instep replay --data DIR` creates one", "`{}` contains no stack", dir.display()));
    }
    let text = std::fs::read(&path).into_diagnostic().wrap_err_with(|| format!("cannot read `{}`", path.display()))?;
    serde_json::from_slice(&text).into_diagnostic().wrap_err_with(|| format!("`{}` is damaged", path.display()))
}

/// The file of a directory's parked records.
pub fn parked(dir: &Path) -> PathBuf {
    dir.join(PARKED)
}

/// The table whose records an earlier replay into the directory had, if their captures name it.
pub fn records_of(dir: &Path) -> Option<TableId> {
    TableId::parse(std::fs::read_to_string(dir.join(RECORDS_OF)).ok()?.trim())
}

/// Keeps the table whose records are replayed into the directory.
pub fn keep_records_of(dir: &Path, table: &TableId) -> miette::Result<()> {
    let path = dir.join(RECORDS_OF);
    private::write(&path, format!("{table}\n").as_bytes())
        .into_diagnostic()
        .wrap_err_with(|| format!("cannot write `{}`", path.display()))
}

/// A copy of the directory, which is deleted after the run.
pub fn copy(dir: &Path) -> miette::Result<TempDir> {
    let scratch = TempDir::with_prefix("instep-").into_diagnostic().wrap_err("cannot make a temporary directory")?;
    if dir.is_dir() {
        copy_into(dir, scratch.path())
            .into_diagnostic()
            .wrap_err_with(|| format!("cannot copy `{}`", dir.display()))?;
    }
    Ok(scratch)
}

fn copy_into(from: &Path, to: &Path) -> std::io::Result<()> {
    for entry in std::fs::read_dir(from)? {
        let entry = entry?;
        let target = to.join(entry.file_name());
        if entry.file_type()?.is_dir() {
            std::fs::create_dir(&target)?;
            copy_into(&entry.path(), &target)?;
        } else if entry.file_name() != LOCK {
            std::fs::copy(entry.path(), &target)?;
        }
    }
    Ok(())
}
