//! Captured stream events: files, folders and standard input, one file in memory at a time.

mod files;
#[cfg(test)]
mod tests;

use std::io::Read as _;
use std::path::PathBuf;

use instep_captures::{CaptureText, CapturedEntry, NotACapture};
use miette::{IntoDiagnostic as _, WrapErr as _, miette};

pub use files::find;

/// The name of standard input in reports.
const STDIN: &str = "-";

/// One file of captured records, or standard input.
#[derive(Debug)]
pub struct CaptureInput {
    /// The path, as given or found; `-` for standard input.
    pub name: String,
    content: Content,
    /// It was found in a folder, not named. What is no capture there is left out.
    is_found: bool,
}

#[derive(Debug)]
enum Content {
    /// Read each time it is needed.
    File(PathBuf),
    /// Read once: standard input and pipes cannot be read again.
    Kept(CaptureText),
}

impl CaptureInput {
    /// Standard input, read to its end.
    pub fn stdin() -> miette::Result<Self> {
        let mut bytes = Vec::new();
        std::io::stdin().lock().read_to_end(&mut bytes).into_diagnostic().wrap_err("cannot read standard input")?;
        Ok(Self { name: STDIN.to_owned(), content: Content::Kept(CaptureText::of(bytes)), is_found: false })
    }

    /// A file. A pipe is read at once, because it can be read only once.
    pub fn file(path: PathBuf) -> miette::Result<Self> {
        let name = path.display().to_string();
        let regular =
            std::fs::metadata(&path).into_diagnostic().wrap_err_with(|| format!("cannot read `{name}`"))?.is_file();
        let content = if regular { Content::File(path) } else { Content::Kept(read(&path)?) };
        Ok(Self { name, content, is_found: false })
    }

    /// The file's path; none for standard input.
    pub fn path(&self) -> Option<&std::path::Path> {
        (self.name != STDIN).then(|| std::path::Path::new(&self.name))
    }

    /// The entries of its text, in their order. `None` for a file that is no capture and was found in a folder.
    pub fn capture(&self, text: &CaptureText) -> miette::Result<Option<Vec<CapturedEntry>>> {
        match text.entries(&self.name) {
            Ok(entries) => Ok(Some(entries)),
            Err(error) if self.is_found => {
                tracing::warn!("left out: {error}");
                Ok(None)
            }
            Err(error) => Err(miette!(help = NotACapture::HELP, "{error}")),
        }
    }

    /// The whole text.
    pub fn text(&self) -> miette::Result<CaptureText> {
        match &self.content {
            Content::File(path) => read(path),
            Content::Kept(text) => Ok(text.clone()),
        }
    }
}

/// The error of a folder in which every file was left out.
pub fn no_capture() -> miette::Report {
    miette!(help = NotACapture::HELP, "no file of the folder is a capture")
}

fn read(path: &std::path::Path) -> miette::Result<CaptureText> {
    let bytes = std::fs::read(path).into_diagnostic().wrap_err_with(|| format!("cannot read `{}`", path.display()))?;
    Ok(CaptureText::of(bytes))
}
