//! Records handed to Instep beside the stream: until nothing of them is left to retry, or that has been tried often enough.

use std::time::Duration;

use instep_flow::report::{Outcome, RecordReport, Report};
use serde_json::value::RawValue;
use tokio::time::Instant;

use crate::handler::{Instep, Run};

/// How often records are tried again before what is left of them is reported.
const RETRIES_MAX: u32 = 3;

/// The wait before the first of these, doubled each time.
const BACKOFF_FIRST: Duration = Duration::from_millis(200);

/// Hands records over, as a batch at a time.
#[derive(Debug)]
pub struct Runner<'a> {
    instep: &'a Instep,
    run: Run,
    /// A service failed for longer than is worth waiting: what follows is left to retry without trying, so that nothing
    /// overtakes what was left before it.
    down: bool,
}

impl<'a> Runner<'a> {
    /// A runner whose batches are run as `run` says.
    #[must_use]
    pub fn new(instep: &'a Instep, run: Run) -> Self {
        Self { instep, run, down: false }
    }

    /// Hands `records` over and tells `told` what came of each delivery, with the place of its first record. Returns the place of
    /// the first record that is left to retry, where there is one.
    ///
    /// # Errors
    /// Those of `told`.
    pub async fn run<E>(
        &mut self,
        records: &[Box<RawValue>],
        mut told: impl FnMut(usize, Report) -> Result<(), E>,
    ) -> Result<Option<usize>, E> {
        let mut from = 0;
        let mut retries = 0;
        while let Some(rest) = records.get(from..).filter(|rest| !rest.is_empty()) {
            let report = if self.down { untried(rest.len()) } else { self.instep.handle(rest, &self.run).await };
            let retry_from = report.retry_from();
            told(from, report)?;
            let Some(place) = retry_from else { return Ok(None) };
            // Progress starts the count anew.
            retries = if place > 0 { 1 } else { retries + 1 };
            from += place;
            let wait = BACKOFF_FIRST * 2_u32.pow(retries.min(RETRIES_MAX) - 1);
            let is_late = self.run.deadline.is_some_and(|deadline| Instant::now() + wait >= deadline);
            if self.down || retries > RETRIES_MAX || is_late {
                self.down = true;
                return Ok(Some(from));
            }
            tokio::time::sleep(wait).await;
        }
        Ok(None)
    }
}

/// Records that nobody tried.
fn untried(count: usize) -> Report {
    let record = || RecordReport {
        sequence: None,
        change: None,
        outcome: Outcome::Retry { why: "not tried: a service failed before".to_owned() },
    };
    Report { records: std::iter::repeat_with(record).take(count).collect(), ..Report::default() }
}
