//! Replays against an existing table: sends the records to the work queue, and writes no items
//! itself.
//!
//! The work queue delivers them until a run over them succeeds. So an interrupted replay leaves
//! nothing half-done.

use std::path::Path;
use std::time::Instant;

use instep_aws::{Instep, QueueMessage, RunOptions, Sending};
use instep_console::data_dir;
use instep_console::report::{Reporter, RunSummary};
use instep_flow::work::{Origin, Records, Work, WorkMessage};
use instep_local::{Clock, PumpOptions, QueueHandler as _, Stack, StackOptions};
use miette::{IntoDiagnostic as _, miette};
use serde_json::value::RawValue;

use crate::remote::{Needs, Remote, Target};
use crate::replay::ReplayInput;
use crate::replay::driver::Driver;
use crate::replay::embedded::{end, instep, live_run, queue_pump};

/// Records of one message.
const BATCH: usize = 25;

/// Replays against `target`: a directory, an endpoint or AWS.
pub(super) async fn run(
    input: &ReplayInput<'_>,
    target: &str,
    reporter: &mut Reporter<'_>,
) -> miette::Result<RunSummary> {
    let Some(remote) = Target::named(target) else { return embedded(input, Path::new(target), reporter).await };
    if input.args.state {
        return Err(miette!(
            help = "`--state` prints the state of an embedded stack only, in memory or in a directory",
            "`--state` cannot be used with `--against {target}`"
        ));
    }
    let started = Instant::now();
    // Captures of one table may be replayed against a copy of it under another name; a capture of
    // two may not.
    let records_of = input.records_of().map(|table| table.to_string());
    let needs = Needs { records_of, needs_queue: true, ..Needs::default() };
    let Remote { instep, calls } = Remote::open_verified(&input.model, remote, &input.args.deployment, needs).await?;
    if input.args.dry_run {
        try_all(input, &instep, reporter).await?;
    } else {
        let sent = send_all(input, &instep, reporter).await?;
        let queue = &instep.settings().work_queue;
        reporter.remark(&format!("{sent} records sent to {queue}: the deployment's work function handles them"))?;
    }
    reporter.summary(calls.snapshot(), started.elapsed())
}

async fn embedded(input: &ReplayInput<'_>, dir: &Path, reporter: &mut Reporter<'_>) -> miette::Result<RunSummary> {
    let started = Instant::now();
    let table = data_dir::manifest(dir)?.table;
    let scratch = if input.args.dry_run { Some(data_dir::copy(dir)?) } else { None };
    let path = scratch.as_ref().map_or(dir, tempfile::TempDir::path);
    let options = StackOptions { dir: Some(path.to_owned()), table, clock: Clock::new(input.now) };
    let stack = Stack::open(&input.model, options).await.into_diagnostic()?;
    if !input.args.dry_run {
        reporter.keep_parked(&data_dir::parked(dir))?;
    }
    // The directory's table may have another name than the captures'.
    let replaying = instep(input, &stack, input.records_of().map(|table| table.to_string()));
    if input.args.dry_run {
        try_all(input, &replaying, reporter).await?;
    } else {
        let mut queue = queue_pump(&stack)?;
        let mut pump = stack.pump(PumpOptions::default()).into_diagnostic()?;
        let mut driver = Driver::new(&replaying, live_run(input), reporter);
        send_through(input, &replaying, &mut driver).await?;
        driver.drain_queue(&mut queue).await?;
        // The records of the replay's own writes are live: nothing has handled them yet.
        let live = instep(input, &stack, Some(stack.table().to_owned()));
        Driver::new(&live, live_run(input), reporter).drain(&mut pump, &mut queue).await?;
    }
    let summary = reporter.summary(stack.calls().snapshot(), started.elapsed())?;
    end(input, stack, reporter).await?;
    Ok(summary)
}

/// Sends every record to the embedded work queue, and tells the driver the file of each.
async fn send_through(input: &ReplayInput<'_>, instep: &Instep, driver: &mut Driver<'_, '_>) -> miette::Result<()> {
    let run = live_run(input);
    for (source, entry) in input.entries() {
        match entry.record() {
            Ok(raw) => {
                driver.sent(raw, &source.name);
                send(instep, &[raw.to_owned()], entry.publishes(), &run).await?;
            }
            Err(garbled) => driver.reporter().garbled(&input.model, &source.name, &garbled)?,
        }
    }
    Ok(())
}

/// Sends every record. Returns their number.
async fn send_all(input: &ReplayInput<'_>, instep: &Instep, reporter: &mut Reporter<'_>) -> miette::Result<usize> {
    let run = live_run(input);
    let mut sent = 0;
    let (mut records, mut publish) = (Vec::new(), true);
    for (source, entry) in input.entries() {
        match entry.record() {
            Ok(raw) => {
                if records.len() == BATCH || entry.publishes() != publish {
                    sent += send(instep, &std::mem::take(&mut records), publish, &run).await?;
                }
                publish = entry.publishes();
                records.push(raw.to_owned());
            }
            Err(garbled) => reporter.garbled(&input.model, &source.name, &garbled)?,
        }
    }
    Ok(sent + send(instep, &records, publish, &run).await?)
}

async fn send(instep: &Instep, records: &[Box<RawValue>], publish: bool, run: &RunOptions) -> miette::Result<usize> {
    let sent = instep.send_records(records, Sending { publish, ..Sending::REPLAY }, run).await;
    sent.map_err(|why| miette!(help = "run the same command again", "cannot send the records to the work queue: {why}"))
}

/// Prints what would be done: passes the messages, instead of sending them, to a dry run.
async fn try_all(input: &ReplayInput<'_>, instep: &Instep, reporter: &mut Reporter<'_>) -> miette::Result<()> {
    let mut driver = Driver::new(instep, live_run(input), reporter);
    let mut tries = 0_u64;
    for (source, entry) in input.entries() {
        match entry.record() {
            Ok(raw) => {
                driver.sent(raw, &source.name);
                let (origin, records_of) = (Origin::Captured, instep.settings().records_of.clone());
                let (records, publish) = (vec![raw.to_owned()], entry.publishes());
                let records = Records { origin, records, objects: vec![], records_of, publish, adopt_before: None };
                let table = &instep.settings().table;
                let message = WorkMessage::new(&input.model, table, 0, live_run(input).now, Work::Records(records));
                let body = serde_json::to_string(&message).into_diagnostic()?;
                tries += 1;
                let id = format!("dry run {tries}");
                let _ = driver.handle(&[QueueMessage { id, body, receives: 1 }]).await;
                driver.failed()?;
            }
            Err(garbled) => driver.reporter().garbled(&input.model, &source.name, &garbled)?,
        }
    }
    driver.close()
}
