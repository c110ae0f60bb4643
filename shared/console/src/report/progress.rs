//! A progress bar on standard error.

use std::io::IsTerminal as _;

use indicatif::{ProgressBar, ProgressStyle};

/// Shorter runs have no progress bar.
const WORTH_RECORDS: u64 = 200;

/// The progress of a run.
pub struct RunProgress {
    bar: Option<ProgressBar>,
}

impl RunProgress {
    /// A bar for `total` records, if standard error is a terminal.
    pub fn new(total: u64) -> Self {
        if total <= WORTH_RECORDS || !std::io::stderr().is_terminal() {
            return Self { bar: None };
        }
        let bar = ProgressBar::new(total);
        if let Ok(style) = ProgressStyle::with_template("{bar:40} {human_pos}/{human_len} records · {eta} left") {
            bar.set_style(style);
        }
        Self { bar: Some(bar) }
    }

    /// A counter for an unknown number of records, if standard error is a terminal.
    pub fn counting() -> Self {
        if !std::io::stderr().is_terminal() {
            return Self { bar: None };
        }
        let bar = ProgressBar::new_spinner();
        if let Ok(style) = ProgressStyle::with_template("{spinner} {human_pos} records · {elapsed}") {
            bar.set_style(style);
        }
        Self { bar: Some(bar) }
    }

    /// A bar for about `total` items and entries of the pool, if standard error is a terminal.
    pub fn of(total: u64) -> Self {
        let progress = Self::new(total);
        if let Some(bar) = &progress.bar
            && let Ok(style) =
                ProgressStyle::with_template("{bar:40} {human_pos} of about {human_len} · {per_sec} · {eta} left {msg}")
        {
            bar.set_style(style);
        }
        progress
    }

    /// Counts some.
    pub fn more(&self, count: u64) {
        if let Some(bar) = &self.bar {
            bar.inc(count);
        }
    }

    /// Says what it does now.
    pub fn say(&self, what: &str) {
        if let Some(bar) = &self.bar {
            bar.set_message(what.to_owned());
        }
    }

    /// Counts one record.
    pub fn one(&self) {
        if let Some(bar) = &self.bar {
            bar.inc(1);
        }
    }

    /// Runs `write`. If it writes to the same terminal, hides the bar meanwhile.
    pub fn without_bar<T>(&self, write: impl FnOnce() -> T) -> T {
        match &self.bar {
            Some(bar) if std::io::stdout().is_terminal() => bar.suspend(write),
            Some(_) | None => write(),
        }
    }

    /// Ends the progress.
    pub fn end(&self) {
        if let Some(bar) = &self.bar {
            bar.finish_and_clear();
        }
    }
}
