//! Replays on the embedded stack: writes each captured change again, and the table's own stream
//! invokes Instep.

use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;

use aws_sdk_dynamodb::Client;
use aws_sdk_dynamodb::error::{ProvideErrorMetadata, SdkError};
use aws_sdk_dynamodb::types::ReturnValue;
use instep_aws::{Clients, Instep, RunOptions, Settings, key_to_sdk};
use instep_console::data_dir;
use instep_console::interrupt::stop_at_interrupt;
use instep_console::record::{self, Captured, Unplayable};
use instep_console::report::{ParkedLine, RecordLine, Reporter, RunSummary};
use instep_console::sdk_error::explain;
use instep_console::steps;
use instep_console::writer::{StepWriter, has_item};
use instep_flow::mask;
use instep_flow::stream_record::{RecordKind, StreamRecord};
use instep_flow::table_id::TableId;
use instep_local::{Clock, NotWritten, Overlay, Pump, PumpOptions, QueuePump, QueuePumpOptions, Stack, StackOptions};
use instep_model::Model;
use miette::{IntoDiagnostic as _, WrapErr as _, miette};
use serde_json::value::RawValue;

use super::CaptureFile;
use crate::replay::ReplayInput;
use crate::replay::driver::{Driver, Pending, skipped};
use crate::replay::seed::{Keys, seed};

/// Replays the whole input.
pub(super) async fn run(input: &ReplayInput<'_>, reporter: &mut Reporter<'_>) -> miette::Result<RunSummary> {
    let started = Instant::now();
    if let (Some(now), Some(latest)) = (input.args.now, input.survey.latest)
        && now < latest
    {
        return Err(miette!(
            help = "time does not run backwards: choose a later time, or replay fewer records",
            "`--now {now}` is before the last record, which is of {latest}"
        ));
    }
    let scratch = input.args.data.as_deref().filter(|_| input.args.dry_run).map(data_dir::copy).transpose()?;
    let dir = scratch.as_ref().map(tempfile::TempDir::path).or(input.args.data.as_deref());
    let clock = Clock::new(input.survey.first.unwrap_or(input.now));
    let options = StackOptions { dir: dir.map(Path::to_owned), table: input.table(), clock };
    let stack = Stack::deploy(&input.model, options).await.into_diagnostic()?;
    if let (Some(dir), false) = (&input.args.data, input.args.dry_run) {
        reporter.keep_parked(&data_dir::parked(dir))?;
        if let Some(table) = input.records_of().filter(TableId::is_arn) {
            data_dir::keep_records_of(dir, &table)?;
        }
    }
    let instep = instep(input, &stack, Some(stack.table().to_owned()));
    let mut pump = stack.pump(PumpOptions::default()).into_diagnostic()?;
    let mut queue = queue_pump(&stack)?;
    let live = live_run(input);
    if dir.is_some() {
        note_model(input, &stack).await;
        // Records that an earlier run left in the stream are live: their events are published.
        Driver::new(&instep, live.clone(), reporter).drain(&mut pump, &mut queue).await?;
    }
    seed(input, &stack, &instep, (&mut pump, &mut queue), reporter).await?;
    let before = stack.calls().snapshot();
    let mut replayer = Replayer {
        input,
        client: Client::new(&stack.uncounted_config()),
        stack: &stack,
        driver: Driver::new(&instep, live, reporter).with_clock(stack.clock()),
        pump,
        queue,
        seen: Keys::default(),
        written: 0,
        played: 0,
        stop: Arc::default(),
    };
    if dir.is_some() {
        let run = replayer.driver.run();
        replayer.driver.reported.learn_moments(&run).await?;
    }
    replayer.play_through().await?;
    let calls = stack.calls().since(&before);
    let summary = reporter.summary(calls, started.elapsed())?;
    end(input, stack, reporter).await?;
    Ok(summary)
}

/// Prints the state of a stack, if that was asked for, and closes it.
pub(super) async fn end(input: &ReplayInput<'_>, stack: Stack, reporter: &mut Reporter<'_>) -> miette::Result<()> {
    if input.args.state {
        let state = stack.state().await.into_diagnostic()?;
        reporter.state(&input.model, state)?;
    }
    stack.close().await;
    Ok(())
}

/// Instep on an embedded stack, for records of the table named `records_of`.
pub(super) fn instep(input: &ReplayInput<'_>, stack: &Stack, records_of: Option<String>) -> Instep {
    let deletions_per_hour = input.args.deployment.max_user_deletions;
    let settings = Settings { records_of, deletions_per_hour, ..stack.settings() };
    Instep::new(input.model.clone(), Clients::new(&stack.sdk_config()), settings).with_marks_from(0)
}

/// Notes in a kept table which model is deployed, as the function of sweeps does.
async fn note_model(input: &ReplayInput<'_>, stack: &Stack) {
    let instep = Instep::new(input.model.clone(), Clients::new(&stack.uncounted_config()), stack.settings());
    if let Err(why) = instep.note_model(&live_run(input)).await {
        tracing::warn!("the table does not keep the model: {why}");
    }
}

/// The options of a run behind the table's own stream.
pub(super) fn live_run(input: &ReplayInput<'_>) -> RunOptions {
    let dry_run = input.args.dry_run;
    RunOptions { now: input.now, publish: true, dry_run, deadline: None, adopt_before: None, trace: None }
}

/// The pump of the stack's work queue.
pub(super) fn queue_pump(stack: &Stack) -> miette::Result<QueuePump> {
    stack.queue_pump(stack.work_queue(), QueuePumpOptions::default()).into_diagnostic()
}

pub(super) struct Replayer<'a, 'b, 'c> {
    pub(super) input: &'a ReplayInput<'a>,
    pub(super) stack: &'a Stack,
    client: Client,
    pub(super) driver: Driver<'b, 'c>,
    pub(super) pump: Pump,
    pub(super) queue: QueuePump,
    /// The keys that the input has shown so far.
    seen: Keys,
    /// The number of changes written since the stream was read.
    written: u16,
    /// The number of records and steps that were written, or cannot be.
    played: u64,
    /// After an interrupt, no more is written.
    stop: Arc<AtomicBool>,
}

/// What a replay into a directory does after Ctrl-C.
const ON_INTERRUPT: &str = "it ends after what it has written is handled; another Ctrl-C ends it at once, and the next \
                            replay into the directory handles that";

impl Replayer<'_, '_, '_> {
    /// Writes everything and lets the time pass, unless it is interrupted.
    async fn play_through(&mut self) -> miette::Result<()> {
        let ReplayInput { args, survey, now, .. } = self.input;
        if args.data.is_some() && !args.dry_run {
            tokio::spawn(stop_at_interrupt(Arc::clone(&self.stop), ON_INTERRUPT));
        }
        self.all().await?;
        if !self.is_stopped() {
            return self.pass_time(*now).await;
        }
        let left = survey.entries.saturating_sub(self.played);
        let reporter = self.driver.reporter();
        reporter.left_before(usize::try_from(left).unwrap_or(usize::MAX));
        reporter.remark(&format!("interrupted: {} of {} written", self.played, survey.entries))
    }

    async fn all(&mut self) -> miette::Result<()> {
        for source in &self.input.sources {
            self.all_steps(source).await?;
            for entry in &source.entries {
                if self.is_stopped() {
                    return self.drain().await;
                }
                self.played += 1;
                match entry.record() {
                    Ok(raw) => self.one(source, raw.to_owned()).await?,
                    Err(garbled) => {
                        self.drain().await?;
                        self.driver.reporter().garbled(&self.input.model, &source.name, &garbled)?;
                    }
                }
            }
        }
        self.drain().await
    }

    /// Makes the writes of a file of writes. Those of a transaction are written together.
    async fn all_steps(&mut self, source: &CaptureFile) -> miette::Result<()> {
        let writer = StepWriter { client: self.client.clone(), stack: self.stack };
        for (place, step) in source.steps.iter().enumerate() {
            if self.is_stopped() {
                return Ok(());
            }
            if let Some(at) = step.at {
                self.pass_time(at).await?;
            }
            writer.step(step).await.wrap_err_with(|| format!("`{}`, step {}", source.name, place + 1))?;
            for (key, captured) in steps::keys(step, &self.input.model.table) {
                self.driver.expect(key, Pending { file: source.name.clone(), captured });
            }
            self.played += u64::try_from(steps::count(std::slice::from_ref(step))).unwrap_or_default();
            self.written += 1;
            if self.written >= self.input.args.batch {
                self.drain().await?;
            }
        }
        Ok(())
    }

    fn is_stopped(&self) -> bool {
        self.stop.load(Ordering::Relaxed)
    }

    async fn one(&mut self, source: &CaptureFile, raw: Box<RawValue>) -> miette::Result<()> {
        match self.replay_record(source, &raw).await? {
            Ok(()) => Ok(()),
            Err(unplayable) => {
                // In the input's order: earlier writes are reported first.
                self.drain().await?;
                unplayable_record(self.driver.reporter(), &self.input.model, source, &raw, &unplayable)
            }
        }
    }

    async fn replay_record(&mut self, source: &CaptureFile, raw: &RawValue) -> miette::Result<Result<(), Unplayable>> {
        let captured = match record::read(raw, &self.input.model.table, self.input.records_of().as_ref()) {
            Ok(captured) => captured,
            Err(Unplayable { code: "other-table", .. }) if self.input.leaves_out(raw) => {
                self.drain().await?;
                skipped(self.driver.reporter(), raw, &source.name, "a record of another table than `--table`")?;
                return Ok(Ok(()));
            }
            Err(unplayable) => return Ok(Err(unplayable)),
        };
        if captured.is_bookkeeping() {
            self.drain().await?;
            skipped(self.driver.reporter(), raw, &source.name, "Instep writes its own items again")?;
            return Ok(Ok(()));
        }
        let known = !self.seen.insert(&captured.key);
        if let Err(unplayable) = captured.put() {
            return Ok(Err(unplayable));
        }
        if !known
            && captured.event != RecordKind::Insert
            && captured.old.is_none()
            && !has_item(&self.client, self.stack.table(), key_to_sdk(&self.input.model, &captured.key)).await?
        {
            return Ok(Err(Unplayable::new(
                "no-old-image",
                "the record has no old image, no earlier record shows the item, and the table does not have it",
            )));
        }
        if let Some(time) = StreamRecord::parse(raw).recorded_at() {
            self.pass_time(time).await?;
            self.stack.clock().set(time);
        }
        match self.write(&captured).await {
            Ok(true) => {}
            Ok(false) => {
                self.drain().await?;
                skipped(self.driver.reporter(), raw, &source.name, "the table has no such item")?;
                return Ok(Ok(()));
            }
            Err(error @ NotWritten::Refused(_)) => return Ok(Err(Unplayable::new("refused-write", error.to_string()))),
            Err(error @ NotWritten::Failed(_)) => return Err(miette!("{error}")),
        }
        self.written += 1;
        let Captured { key, user_identity, time, .. } = captured;
        // Without a time in the capture, nobody knows when the item was written.
        let time = Some(time.unwrap_or_else(|| RawValue::NULL.to_owned()));
        self.pump.overlay(key.clone(), Overlay { time, user_identity });
        self.driver.expect(key, Pending { file: source.name.clone(), captured: raw.to_owned() });
        if self.written >= self.input.args.batch {
            self.drain().await?;
        }
        Ok(Ok(()))
    }

    /// Delivers the written changes, and what follows from them.
    pub(super) async fn drain(&mut self) -> miette::Result<()> {
        if std::mem::take(&mut self.written) == 0 {
            return Ok(());
        }
        self.driver.drain(&mut self.pump, &mut self.queue).await
    }

    /// Writes the change. `false` if there was nothing to delete, which causes no stream record.
    async fn write(&self, captured: &Captured) -> Result<bool, NotWritten> {
        let table = self.stack.table();
        match (captured.event, &captured.new) {
            (RecordKind::Insert | RecordKind::Modify, Some(new)) => self.stack.put(new).map(|()| true),
            (RecordKind::Insert | RecordKind::Modify, None) => Ok(false),
            (RecordKind::Remove, _) => {
                let key = key_to_sdk(&self.input.model, &captured.key);
                let delete = self.client.delete_item().table_name(table).set_key(Some(key));
                let answer = delete.return_values(ReturnValue::AllOld).send().await.map_err(|error| refused(&error))?;
                Ok(answer.attributes.is_some())
            }
        }
    }
}

fn refused<E: ProvideErrorMetadata + std::error::Error + 'static>(error: &SdkError<E>) -> NotWritten {
    match error.as_service_error() {
        Some(service) if service.code() == Some("ValidationException") => {
            NotWritten::Refused(service.message().unwrap_or("no reason given").to_owned())
        }
        Some(_) | None => NotWritten::Failed(explain(error)),
    }
}

fn unplayable_record(
    reporter: &mut Reporter<'_>,
    model: &Model,
    source: &CaptureFile,
    raw: &RawValue,
    Unplayable { code, reason }: &Unplayable,
) -> miette::Result<()> {
    let n = reporter.next_n();
    let record = StreamRecord::parse(raw);
    let nothing = RecordLine::nothing(n, &source.name);
    reporter.record(&RecordLine { sequence: record.sequence(), time: record.recorded_at(), ..nothing })?;
    reporter.parked(&ParkedLine { n, code, reason, record: &mask::record(model, raw), is_nameless: true })
}
