//! A progress bar on standard error, for people who wait.

use std::io::IsTerminal as _;

use indicatif::{ProgressBar, ProgressStyle};

/// Shorter runs are over before anybody looks.
const WORTH_RECORDS: u64 = 200;

/// How far a run is.
pub(crate) struct Progress {
    bar: Option<ProgressBar>,
}

impl Progress {
    /// A bar for `total` records, where somebody sees it.
    pub(crate) fn new(total: u64) -> Self {
        if total <= WORTH_RECORDS || !std::io::stderr().is_terminal() {
            return Self { bar: None };
        }
        let bar = ProgressBar::new(total);
        if let Ok(style) = ProgressStyle::with_template("{bar:40} {human_pos}/{human_len} records · {eta} left") {
            bar.set_style(style);
        }
        Self { bar: Some(bar) }
    }

    /// A count of what nobody knows the end of, where somebody sees it.
    pub(crate) fn counting() -> Self {
        if !std::io::stderr().is_terminal() {
            return Self { bar: None };
        }
        let bar = ProgressBar::new_spinner();
        if let Ok(style) = ProgressStyle::with_template("{spinner} {human_pos} records · {elapsed}") {
            bar.set_style(style);
        }
        Self { bar: Some(bar) }
    }

    /// One more record is through.
    pub(crate) fn one(&self) {
        if let Some(bar) = &self.bar {
            bar.inc(1);
        }
    }

    /// Runs `write`; where what it writes goes to the same terminal, without the bar in between.
    pub(crate) fn aside<T>(&self, write: impl FnOnce() -> T) -> T {
        match &self.bar {
            Some(bar) if std::io::stdout().is_terminal() => bar.suspend(write),
            Some(_) | None => write(),
        }
    }

    /// The run is over.
    pub(crate) fn end(&self) {
        if let Some(bar) = &self.bar {
            bar.finish_and_clear();
        }
    }
}
