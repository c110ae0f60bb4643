//! Replaying against a table as it is: nothing is written by replay itself, the records go straight to the handler.

use std::path::Path;
use std::time::Instant;

use instep_aws::redrive::Runner;
use instep_aws::{Instep, Run};
use instep_flow::work::Origin;
use instep_local::{Clock, PumpOptions, Stack, StackOptions};
use miette::{IntoDiagnostic as _, miette};
use serde_json::value::RawValue;

use crate::remote::{Remote, Scope, Target};
use crate::replay::driver::Driver;
use crate::replay::play::{instep, live_run};
use crate::replay::{Job, kept};
use crate::tell::ledger::{Ledger, Slot};
use crate::tell::{Summary, Teller};

/// Records handed to one run. Source: the event source mapping's own default batch size.
const BATCH: usize = 100;

/// Replays against `target`: a directory, an endpoint or AWS.
///
/// # Errors
/// The arguments do not go with the target, it cannot be opened, or the output not be written.
pub(super) async fn run(job: &Job<'_>, target: &str, teller: &mut Teller<'_>) -> miette::Result<Summary> {
    let Some(remote) = Target::named(target) else { return embedded(job, Path::new(target), teller).await };
    if job.args.state {
        return Err(miette!(
            help = "`--state` tells of the embedded stack only, in memory or kept in a directory",
            "`--state` does not go with `--against {target}`"
        ));
    }
    let started = Instant::now();
    // Captures of one table may be replayed against a copy of it under another name; a capture of two may not.
    let scope = Scope { records_of: job.survey.table.clone(), parking: None };
    let Remote { instep, calls } = Remote::open_verified(&job.model, remote, &job.args.deployment, scope).await?;
    all(job, &instep, teller).await?;
    teller.summary(calls.snapshot(), started.elapsed())
}

async fn embedded(job: &Job<'_>, dir: &Path, teller: &mut Teller<'_>) -> miette::Result<Summary> {
    let started = Instant::now();
    let table = kept::manifest(dir)?.table;
    let scratch = if job.args.dry_run { Some(kept::copy(dir)?) } else { None };
    let path = scratch.as_ref().map_or(dir, tempfile::TempDir::path);
    let options = StackOptions { dir: Some(path.to_owned()), table, clock: Clock::new(job.now) };
    let stack = Stack::open(&job.model, options).await.into_diagnostic()?;
    if !job.args.dry_run {
        teller.keep_parked(&kept::parked(dir))?;
    }
    // The directory's table may have another name than the captures'.
    all(job, &instep(job, &stack, job.survey.table.clone()), teller).await?;
    if !job.args.dry_run {
        // What the replay's own effects wrote is live: its records were never handled.
        let mut pump = stack.pump(PumpOptions::default()).into_diagnostic()?;
        let instep = instep(job, &stack, Some(stack.table().to_owned()));
        Driver::new(&instep, &job.model.table, live_run(job), teller).drain(&mut pump).await?;
    }
    let summary = teller.summary(stack.calls().snapshot(), started.elapsed())?;
    if job.args.state {
        let state = stack.state().await.into_diagnostic()?;
        teller.state(&job.model, state)?;
    }
    stack.close().await;
    Ok(summary)
}

async fn all(job: &Job<'_>, instep: &Instep, teller: &mut Teller<'_>) -> miette::Result<()> {
    let dry_run = job.args.dry_run;
    let run = Run { now: job.now, origin: Origin::Captured, publish: true, dry_run, deadline: None, trace: None };
    let mut runner = Runner::new(instep, run);
    let mut batch = Vec::with_capacity(BATCH);
    for source in &job.sources {
        for entry in source.entries()? {
            match entry.record() {
                Ok(raw) => batch.push((source.name.clone(), raw)),
                Err(garbled) => {
                    deliver(&mut runner, teller, &std::mem::take(&mut batch)).await?;
                    teller.garbled(&job.model, &source.name, &garbled)?;
                }
            }
            if batch.len() == BATCH {
                deliver(&mut runner, teller, &std::mem::take(&mut batch)).await?;
            }
        }
    }
    deliver(&mut runner, teller, &batch).await
}

/// Hands a batch over, and tells what comes of it.
async fn deliver(
    runner: &mut Runner<'_>,
    teller: &mut Teller<'_>,
    batch: &[(String, Box<RawValue>)],
) -> miette::Result<()> {
    let records: Vec<Box<RawValue>> = batch.iter().map(|(_, raw)| raw.clone()).collect();
    let mut ledger = Ledger::default();
    let told = |from: usize, report| {
        let slots = batch.iter().enumerate().skip(from);
        // A capture may hold one record twice: the place tells them apart, the sequence number would not.
        let slots = slots.map(|(place, (file, raw))| Slot { id: place.to_string(), raw, file: Some(file.clone()) });
        ledger.tell(teller, slots.collect(), report)
    };
    runner.run(&records, told).await?;
    ledger.close(teller)
}
