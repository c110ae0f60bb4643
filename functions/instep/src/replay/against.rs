//! Replaying against a table as it is: nothing is written by replay itself, the records go straight to the handler.

use std::path::Path;
use std::time::{Duration, Instant};

use instep_aws::calls::Calls;
use instep_aws::handler::{Clients, Instep, Run, Settings};
use instep_flow::report::{Outcome, RecordReport, Report};
use instep_local::{Clock, PumpOptions, Stack, StackOptions};
use instep_model::Model;
use miette::{IntoDiagnostic as _, miette};
use serde_json::value::RawValue;

use crate::connect;
use crate::input::Entry;
use crate::replay::driver::Driver;
use crate::replay::ledger::{Ledger, Slot};
use crate::replay::play::{garbled_entry, instep, live_run};
use crate::replay::tell::{Summary, Teller};
use crate::replay::{Job, kept};

/// Records handed to one run. Source: the event source mapping's own default batch size.
const BATCH: usize = 100;

/// How often a batch is tried again before what is left of it is reported.
const RETRIES_MAX: u32 = 3;

/// Cognito allows 25 membership changes a second to a whole account and region; a replay leaves most of them to the
/// function that runs live. Source: Amazon Cognito Developer Guide, "Quotas", UserManagement operations.
const COGNITO_CALLS_A_SECOND: u32 = 10;

/// Indexes lag behind their table for fractions of a second as a rule; nobody promises less than this.
const INDEX_LAG: Duration = Duration::from_secs(2);

/// The wait before the first of these, doubled each time.
const BACKOFF_FIRST: Duration = Duration::from_millis(200);

/// Replays against `target`: a directory, an endpoint or AWS.
///
/// # Errors
/// The arguments do not go with the target, it cannot be opened, or the output not be written.
pub(super) async fn run(job: &Job<'_>, target: &str, teller: &mut Teller<'_>) -> miette::Result<Summary> {
    let endpoint = ["http://", "https://"].iter().any(|scheme| target.starts_with(scheme));
    if target != "aws" && !endpoint {
        return embedded(job, Path::new(target), teller).await;
    }
    if job.args.state {
        return Err(miette!(
            help = "`--state` tells of the embedded stack only, in memory or kept in a directory",
            "`--state` does not go with `--against {target}`"
        ));
    }
    let settings = settings(job, endpoint)?;
    let started = Instant::now();
    let calls = Calls::default();
    let config = if endpoint { connect::endpoint(target, &calls).await } else { connect::aws(&calls).await };
    let instep = Instep::new(job.model.clone(), Clients::new(&config), settings);
    all(job, &instep, teller).await?;
    teller.summary(calls.snapshot(), started.elapsed())
}

fn settings(job: &Job<'_>, endpoint: bool) -> miette::Result<Settings> {
    let needed = |value: &Option<String>, option: &str| {
        value.clone().ok_or_else(|| miette!("`--against` an endpoint or AWS needs `--{option}`"))
    };
    let user_pool = if uses_cognito(&job.model) {
        Some(needed(&job.args.user_pool, "user-pool")?)
    } else {
        job.args.user_pool.clone()
    };
    Ok(Settings {
        table: needed(&job.args.table, "table")?,
        // Captures of one table may be replayed against a copy of it under another name; a capture of two may not.
        records_of: job.survey.table.clone(),
        user_pool,
        bus: needed(&job.args.bus, "bus")?,
        cognito_rate: (!endpoint).then_some(COGNITO_CALLS_A_SECOND),
        index_lag: INDEX_LAG,
    })
}

fn uses_cognito(model: &Model) -> bool {
    model.items.iter().any(|item| item.user.is_some() || item.groups.is_some() || item.member.is_some())
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
        teller.state(&state, (&job.model.table.pk, &job.model.table.sk))?;
    }
    stack.close().await;
    Ok(summary)
}

async fn all(job: &Job<'_>, instep: &Instep, teller: &mut Teller<'_>) -> miette::Result<()> {
    let mut to = Delivery { job, instep, down: false };
    let mut batch = Vec::with_capacity(BATCH);
    for source in &job.sources {
        for entry in source.entries()? {
            match entry {
                Entry::Record(raw) => batch.push((source.name.clone(), raw)),
                Entry::Garbled(garbled) => {
                    to.deliver(teller, &std::mem::take(&mut batch)).await?;
                    garbled_entry(teller, &job.model, source, &garbled)?;
                }
            }
            if batch.len() == BATCH {
                to.deliver(teller, &std::mem::take(&mut batch)).await?;
            }
        }
    }
    to.deliver(teller, &batch).await
}

struct Delivery<'a> {
    job: &'a Job<'a>,
    instep: &'a Instep,
    /// A service failed for longer than is worth waiting: what follows is left to retry without trying, so that nothing
    /// overtakes what was left before it.
    down: bool,
}

impl Delivery<'_> {
    /// Hands a batch over until nothing of it is left to retry, or it has been tried often enough.
    async fn deliver(&mut self, teller: &mut Teller<'_>, batch: &[(String, Box<RawValue>)]) -> miette::Result<()> {
        let dry_run = self.job.args.dry_run;
        let run = Run { now: self.job.now, replay: true, publish: !dry_run, dry_run, deadline: None };
        let records: Vec<Box<RawValue>> = batch.iter().map(|(_, raw)| raw.clone()).collect();
        let mut ledger = Ledger::default();
        let mut from = 0;
        let mut retries = 0;
        while let Some(rest) = records.get(from..).filter(|rest| !rest.is_empty()) {
            let report = if self.down { untried(rest.len()) } else { self.instep.handle(rest, &run).await };
            let retry_from = report.retry_from();
            let slots = batch.iter().enumerate().skip(from);
            // A capture may hold one record twice: the place tells them apart, the sequence number would not.
            let slots = slots.map(|(place, (file, raw))| Slot { id: place.to_string(), raw, file: Some(file.clone()) });
            ledger.tell(teller, slots.collect(), report)?;
            let Some(place) = retry_from.filter(|_| !self.down) else { break };
            // Progress starts the count anew.
            retries = if place > 0 { 1 } else { retries + 1 };
            from += place;
            if retries > RETRIES_MAX {
                self.down = true;
                break;
            }
            tokio::time::sleep(BACKOFF_FIRST * 2_u32.pow(retries - 1)).await;
        }
        ledger.close(teller)
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
