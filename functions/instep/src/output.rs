//! Standard output: one lock, one buffer, colours only where they show, and quiet when nobody reads any more.

use std::io::{self, BufWriter, Write};

use anstream::AutoStream;

/// Columns that people's output keeps to.
pub(crate) const WIDTH: usize = 100;

/// Where results go.
pub(crate) struct Output {
    to: BufWriter<Box<dyn Write + Send>>,
}

/// Nobody reads standard output any more.
#[derive(Debug)]
struct BrokenPipe;

impl std::fmt::Display for BrokenPipe {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("nobody reads the output")
    }
}

impl std::error::Error for BrokenPipe {}
impl miette::Diagnostic for BrokenPipe {}

impl Output {
    pub(crate) fn stdout() -> Self {
        // anstream takes colours away where there is no terminal, or where NO_COLOR or CLICOLOR say so.
        Self { to: BufWriter::new(Box::new(AutoStream::auto(io::stdout()))) }
    }

    /// A line, or several.
    ///
    /// # Errors
    /// Standard output cannot be written.
    pub(crate) fn line(&mut self, text: &str) -> miette::Result<()> {
        self.text(text)?;
        self.text("\n")
    }

    /// Text as it is.
    ///
    /// # Errors
    /// Standard output cannot be written.
    pub(crate) fn text(&mut self, text: &str) -> miette::Result<()> {
        self.to.write_all(text.as_bytes()).map_err(failed)
    }

    /// Lets a reader see what there is so far.
    ///
    /// # Errors
    /// Standard output cannot be written.
    pub(crate) fn flush(&mut self) -> miette::Result<()> {
        self.to.flush().map_err(failed)
    }
}

fn failed(error: io::Error) -> miette::Report {
    if error.kind() == io::ErrorKind::BrokenPipe {
        miette::Report::new(BrokenPipe)
    } else {
        miette::miette!("cannot write standard output: {error}")
    }
}

/// Whether the error is only that nobody reads the output.
pub(crate) fn is_broken_pipe(error: &miette::Report) -> bool {
    error.downcast_ref::<BrokenPipe>().is_some()
}

/// An error on standard error.
pub(crate) fn complain(error: &miette::Report) {
    let mut stderr = anstream::stderr().lock();
    // There is nobody left to tell where this fails.
    let _ = writeln!(stderr, "{error:?}");
}

#[cfg(test)]
impl Output {
    /// Output that a test reads.
    pub(crate) fn to(writer: impl Write + Send + 'static) -> Self {
        Self { to: BufWriter::new(Box::new(writer)) }
    }
}
