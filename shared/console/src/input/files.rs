//! Which files are captures.

use std::path::{Path, PathBuf};

use miette::{IntoDiagnostic as _, WrapErr as _, miette};

use super::CaptureInput;

/// The extensions of captures in a folder. A file that is named itself can have any extension.
const EXTENSIONS: [&str; 3] = ["json", "jsonl", "ndjson"];

/// All captures under `paths`. Folders are read in path order.
pub fn find(paths: &[PathBuf]) -> miette::Result<Vec<CaptureInput>> {
    let mut found = Vec::new();
    for path in paths {
        if path.as_os_str() == "-" {
            found.push(CaptureInput::stdin()?);
            continue;
        }
        if !path.is_dir() {
            found.push(CaptureInput::file(path.clone())?);
            continue;
        }
        let before = found.len();
        for file in walk(path)? {
            found.push(CaptureInput { is_found: true, ..CaptureInput::file(file)? });
        }
        if found.len() == before {
            return Err(miette!(
                help = "captures are files that end in .json, .jsonl or .ndjson",
                "no captures under `{}`",
                path.display()
            ));
        }
    }
    Ok(found)
}

fn walk(root: &Path) -> miette::Result<Vec<PathBuf>> {
    let mut files = Vec::new();
    let mut folders = vec![root.to_owned()];
    while let Some(folder) = folders.pop() {
        let context = || format!("cannot read `{}`", folder.display());
        for entry in std::fs::read_dir(&folder).into_diagnostic().wrap_err_with(context)? {
            let entry = entry.into_diagnostic().wrap_err_with(context)?;
            let path = entry.path();
            // Links to folders are not followed: a link to an ancestor would never end.
            if entry.file_type().into_diagnostic().wrap_err_with(context)?.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|ext| EXTENSIONS.iter().any(|known| ext.eq_ignore_ascii_case(known)))
            {
                files.push(path);
            }
        }
    }
    files.sort();
    Ok(files)
}
