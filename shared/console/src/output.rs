//! Standard output: one lock, one buffer, colours only on a terminal, and an end when the reader has closed it.

use std::fmt;
use std::io::{self, BufWriter, IsTerminal as _, Write};

use anstream::AutoStream;

/// The maximum width of the output for people, unless a terminal has another.
pub const WIDTH: usize = 100;

/// The output for results.
pub struct Output {
    to: BufWriter<Box<dyn Write + Send>>,
    /// The width of the terminal. `None`: the output is not a terminal.
    columns: Option<usize>,
    /// The reader has closed the pipe: `instep replay … | head`.
    is_unread: bool,
    /// The work goes on without a reader.
    outlives_reader: bool,
}

/// The reader has closed the pipe, so there is nothing left to do.
#[derive(Debug)]
pub struct ReaderGone;

impl fmt::Display for ReaderGone {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("standard output is closed")
    }
}

impl std::error::Error for ReaderGone {}

impl miette::Diagnostic for ReaderGone {}

impl Output {
    /// Standard output.
    pub fn stdout() -> Self {
        // anstream removes colours if there is no terminal, or if NO_COLOR or CLICOLOR demand it.
        let size = terminal_size::terminal_size_of(io::stdout());
        let columns = size.map_or(WIDTH, |(columns, _)| usize::from(columns.0));
        let is_terminal = io::stdout().is_terminal();
        Self::new(Box::new(AutoStream::auto(io::stdout())), is_terminal.then_some(columns))
    }

    fn new(to: Box<dyn Write + Send>, columns: Option<usize>) -> Self {
        Self { to: BufWriter::new(to), columns, is_unread: false, outlives_reader: false }
    }

    /// Output of work that is done to its end, whether or not it is read.
    #[must_use]
    pub fn outliving_reader(self) -> Self {
        Self { outlives_reader: true, ..self }
    }

    /// The width of the terminal. `None`: the output is not a terminal.
    pub fn columns(&self) -> Option<usize> {
        self.columns
    }

    /// A line, or several.
    pub fn line(&mut self, text: &str) -> miette::Result<()> {
        self.text(text)?;
        self.text("\n")
    }

    /// Text as it is.
    pub fn text(&mut self, text: &str) -> miette::Result<()> {
        if self.is_unread {
            return Ok(());
        }
        let written = self.to.write_all(text.as_bytes());
        self.note_broken_pipe(written)
    }

    /// Flushes the output so far.
    pub fn flush(&mut self) -> miette::Result<()> {
        if self.is_unread {
            return Ok(());
        }
        let flushed = self.to.flush();
        self.note_broken_pipe(flushed)
    }

    fn note_broken_pipe(&mut self, written: io::Result<()>) -> miette::Result<()> {
        match written {
            Err(error) if error.kind() == io::ErrorKind::BrokenPipe => {
                if !self.outlives_reader {
                    return Err(ReaderGone.into());
                }
                self.is_unread = true;
                tracing::warn!("standard output is closed: what remains is done, and not printed");
                Ok(())
            }
            written => written.map_err(|error| miette::miette!("cannot write standard output: {error}")),
        }
    }
}

/// An error as [`print_error`] prints it, without colours.
#[must_use]
pub fn error_text(error: &miette::Report) -> String {
    anstream::adapter::strip_str(&format!("{error:?}")).to_string()
}

/// An error on standard error.
pub fn print_error(error: &miette::Report) {
    let mut stderr = anstream::stderr().lock();
    // An error here cannot be reported.
    let _ = writeln!(stderr, "{error:?}");
}

impl Output {
    /// Output that the program itself reads.
    pub fn to(writer: impl Write + Send + 'static) -> Self {
        Self::new(Box::new(writer), None)
    }
}
