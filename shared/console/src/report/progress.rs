//! A progress bar on standard error.

use std::io::IsTerminal as _;
use std::sync::atomic::{AtomicBool, Ordering};

use indicatif::{ProgressBar, ProgressState, ProgressStyle};

/// Shorter runs have no progress bar.
const WORTH_RECORDS: u64 = 200;

/// Whether no progress is shown in this process.
static IS_HIDDEN: AtomicBool = AtomicBool::new(false);

/// Shows no progress from now on.
pub fn hide() {
    IS_HIDDEN.store(true, Ordering::Relaxed);
}

fn is_shown() -> bool {
    std::io::stderr().is_terminal() && !IS_HIDDEN.load(Ordering::Relaxed)
}

/// The progress of a run.
pub struct RunProgress {
    bar: Option<ProgressBar>,
}

impl RunProgress {
    /// A bar for `total` records, if standard error is a terminal.
    pub fn new(total: u64) -> Self {
        if total <= WORTH_RECORDS || !is_shown() {
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
        if !is_shown() {
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
                ProgressStyle::with_template("{bar:40} {human_pos} of about {human_len} · {rate} · {eta} left {msg}")
        {
            // In whole numbers.
            let rate = |state: &ProgressState, text: &mut dyn std::fmt::Write| {
                // An error cannot be reported here.
                let _ = write!(text, "{:.0}/s", state.per_sec());
            };
            bar.set_style(style.with_key("rate", rate));
        }
        progress
    }

    /// Counts some. If there are more than were expected, there are as many as that.
    pub fn more(&self, count: u64) {
        if let Some(bar) = &self.bar {
            bar.inc(count);
            if bar.length().is_some_and(|total| total < bar.position()) {
                bar.set_length(bar.position());
            }
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
        self.more(1);
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
