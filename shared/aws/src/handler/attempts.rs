//! The attempts of an invocation at its entries.

use std::ops::Range;

use instep_flow::entries::EntryId;
use instep_flow::reconcile::Attempted;
use instep_flow::report::Report;
use tokio::time::Instant;

use super::entries::BatchEntry;
use super::time;
use crate::instep::Instep;
use crate::run_options::RunOptions;

/// What the attempts of an invocation have come to so far.
#[derive(Default)]
struct SoFar {
    report: Report,
    /// What they may have done for entries that are not handled.
    attempted: Attempted,
}

impl Instep {
    /// Handles entries. Returns what was attempted for those that are not handled, too.
    pub(super) async fn entries(&self, entries: &[BatchEntry<'_>], run: &RunOptions) -> (Report, Attempted) {
        let throttles = self.cognito.pace.throttles();
        let SoFar { mut report, attempted } = match run.deadline {
            Some(deadline) => self.in_time(entries, deadline, run).await,
            None => {
                let (report, _, attempted) = Box::pin(self.batch(entries, run)).await;
                SoFar { report, attempted }
            }
        };
        report.throttles = self.cognito.pace.throttles() - throttles;
        (report, attempted)
    }

    /// INVARIANT 8: an invocation that runs out of time must make progress, or the next one would
    /// run out of time, too. If the time was too short for all entries, the first one is handled alone, in
    /// all the time that is left: that has the effect of a smaller batch. Then some of the others are.
    async fn in_time(&self, entries: &[BatchEntry<'_>], deadline: Instant, run: &RunOptions) -> SoFar {
        let (mut so_far, started) = (SoFar::default(), Instant::now());
        let run = |share: f64| {
            let now = Instant::now();
            let time = deadline.saturating_duration_since(now).mul_f64(share);
            RunOptions { deadline: Some(now + time), ..run.later(now - started) }
        };
        let first = run(time::first_share(entries.len()));
        let (mut is_over, failed_from) = self.attempt(entries, 0..entries.len(), &first, &mut so_far).await;
        if is_over && entries.len() > 1 {
            let again = self.further(entries, &so_far.attempted);
            (is_over, _) = self.attempt(&again, 0..1, &run(1.0), &mut so_far).await;
            let end = time::rest_end(entries.len(), failed_from.map(|entry| entry.0));
            if so_far.report.retry_from() != Some(0) && time::is_enough_for_the_rest(started, deadline) {
                let again = self.further(entries, &so_far.attempted);
                self.attempt(&again, 1..end, &run(time::REST_SHARE), &mut so_far).await;
            }
        }
        so_far.report.is_out_of_time = is_over;
        so_far
    }

    /// The entries of a further attempt.
    fn further<'r>(&self, entries: &[BatchEntry<'r>], attempted: &Attempted) -> Vec<BatchEntry<'r>> {
        let again = |(place, entry): (usize, &BatchEntry<'r>)| {
            entry.again(&self.model, |object, named| attempted.touches(EntryId(place), object, named))
        };
        entries.iter().enumerate().map(again).collect()
    }

    /// Handles some of the entries, and notes their outcomes. Returns whether the time was over before the
    /// first of them was handled, and the first one with an effect that failed. If the first one failed long
    /// before the time was over, a service is failing.
    async fn attempt(
        &self,
        entries: &[BatchEntry<'_>],
        range: Range<usize>,
        run: &RunOptions,
        SoFar { report, attempted }: &mut SoFar,
    ) -> (bool, Option<EntryId>) {
        let started = Instant::now();
        let time = run.deadline.map(|deadline| deadline.saturating_duration_since(started)).unwrap_or_default();
        let (from, entries) = (range.start, entries.get(range).unwrap_or_default());
        // On the heap: the SDK's futures are large, and this one contains several of them.
        let (done, failed_from, touched) = Box::pin(self.batch(entries, run)).await;
        let is_over = done.retry_from() == Some(0) && started.elapsed() * 2 >= time;
        attempted.add_run(from, touched);
        let handled = entries.iter().zip(&done.records).filter(|(_, record)| !record.outcome.is_retry());
        for named in handled.flat_map(|(entry, _)| entry.named()) {
            named.object(&self.model).iter().for_each(|object| attempted.followed(object, named));
        }
        report.replace(from, done);
        (is_over, failed_from)
    }
}
