//! Replays on the embedded stack: writes each captured change again, and the table's own stream
//! invokes Instep.

use std::path::Path;
use std::time::{Duration, Instant};

use aws_sdk_dynamodb::Client;
use aws_sdk_dynamodb::error::{ProvideErrorMetadata, SdkError};
use aws_sdk_dynamodb::types::ReturnValue;
use instep_aws::{Clients, Instep, Run, Settings};
use instep_flow::mask;
use instep_flow::stream_record::{Event, StreamRecord};
use instep_local::{Clock, Overlay, Pump, PumpOptions, QueuePump, QueuePumpOptions, Stack, StackOptions};
use instep_model::{Item, Key, Model};
use miette::{IntoDiagnostic as _, miette};
use serde_json::value::RawValue;

use super::Input;
use crate::item;
use crate::record::{self, Captured, Unplayable};
use crate::replay::Job;
use crate::replay::driver::{Driver, Pending, skipped};
use crate::replay::kept;
use crate::replay::seed::{Keys, seed};
use crate::tell::{Parked, Record, Summary, Teller};

/// Replays the whole input.
///
/// # Errors
/// The stack cannot be opened or fails, the input cannot be read, or the output cannot be written.
pub(super) async fn run(job: &Job<'_>, teller: &mut Teller<'_>) -> miette::Result<Summary> {
    let started = Instant::now();
    let scratch = job.args.data.as_deref().filter(|_| job.args.dry_run).map(kept::copy).transpose()?;
    let dir = scratch.as_ref().map(tempfile::TempDir::path).or(job.args.data.as_deref());
    let clock = Clock::new(job.survey.first.unwrap_or(job.now));
    let options = StackOptions { dir: dir.map(Path::to_owned), table: job.table(), clock };
    let stack = Stack::open(&job.model, options).await.into_diagnostic()?;
    if let (Some(dir), false) = (&job.args.data, job.args.dry_run) {
        teller.keep_parked(&kept::parked(dir))?;
    }
    let instep = instep(job, &stack, Some(stack.table().to_owned()));
    let mut pump = stack.pump(PumpOptions::default()).into_diagnostic()?;
    let mut queue = queue_pump(&stack)?;
    let live = live_run(job);
    if dir.is_some() {
        // Records that an earlier run left in the stream are live: their events are published.
        Driver::new(&instep, &job.model.table, live.clone(), teller).drain(&mut pump, &mut queue).await?;
    }
    seed(job, &stack, &instep, (&mut pump, &mut queue), teller).await?;
    let before = stack.calls().snapshot();
    let mut player = Player {
        job,
        client: Client::new(&stack.uncounted_config()),
        stack: &stack,
        driver: Driver::new(&instep, &job.model.table, live, teller),
        pump,
        queue,
        seen: Keys::default(),
        written: 0,
    };
    player.all().await?;
    let calls = kept::since(stack.calls().snapshot(), &before);
    let summary = teller.summary(calls, started.elapsed())?;
    if job.args.state {
        let state = stack.state().await.into_diagnostic()?;
        teller.state(&job.model, state)?;
    }
    stack.close().await;
    Ok(summary)
}

/// Instep on an embedded stack, for records of the table named `records_of`.
pub(super) fn instep(job: &Job<'_>, stack: &Stack, records_of: Option<String>) -> Instep {
    let settings = Settings {
        table: stack.table().to_owned(),
        records_of,
        user_pool: Some(stack.user_pool().to_owned()),
        bus: stack.bus().to_owned(),
        work_queue: stack.work_queue().to_owned(),
        cognito_interval: None,
        index_lag: Duration::ZERO,
        parking: None,
    };
    Instep::new(job.model.clone(), Clients::new(&stack.sdk_config()), settings)
}

/// The options of a run behind the table's own stream.
pub(super) fn live_run(job: &Job<'_>) -> Run {
    let dry_run = job.args.dry_run;
    Run { now: job.now, publish: true, dry_run, deadline: None, trace: None }
}

/// The pump of the stack's work queue.
pub(super) fn queue_pump(stack: &Stack) -> miette::Result<QueuePump> {
    stack.queue_pump(stack.work_queue(), QueuePumpOptions::default()).into_diagnostic()
}

/// Why a write failed.
pub(super) enum Refused {
    /// The table refuses the item permanently.
    Item(String),
    /// The table failed.
    Table(miette::Report),
}

struct Player<'a, 'b, 'c> {
    job: &'a Job<'a>,
    stack: &'a Stack,
    client: Client,
    driver: Driver<'b, 'c>,
    pump: Pump,
    queue: QueuePump,
    /// The keys that the input has shown so far.
    seen: Keys,
    /// The number of changes written since the stream was read.
    written: u16,
}

impl Player<'_, '_, '_> {
    async fn all(&mut self) -> miette::Result<()> {
        for source in &self.job.sources {
            for entry in &source.entries {
                match entry.record() {
                    Ok(raw) => self.one(source, raw.to_owned()).await?,
                    Err(garbled) => {
                        self.drain().await?;
                        self.driver.teller().garbled(&self.job.model, &source.name, &garbled)?;
                    }
                }
            }
        }
        self.drain().await
    }

    async fn one(&mut self, source: &Input, raw: Box<RawValue>) -> miette::Result<()> {
        match self.play(source, &raw).await? {
            Ok(()) => Ok(()),
            Err(unplayable) => {
                // In the input's order: earlier writes are reported first.
                self.drain().await?;
                unplayable_record(self.driver.teller(), &self.job.model, source, &raw, &unplayable)
            }
        }
    }

    async fn play(&mut self, source: &Input, raw: &RawValue) -> miette::Result<Result<(), Unplayable>> {
        let captured = match record::read(raw, &self.job.model.table, self.job.survey.table.as_deref()) {
            Ok(captured) => captured,
            Err(unplayable) => return Ok(Err(unplayable)),
        };
        if captured.is_bookkeeping() {
            self.drain().await?;
            skipped(self.driver.teller(), raw, &source.name, "Instep writes its own items again")?;
            return Ok(Ok(()));
        }
        let known = !self.seen.insert(&captured.key);
        if let Err(unplayable) = captured.put() {
            return Ok(Err(unplayable));
        }
        if !known && captured.event != Event::Insert && captured.old.is_none() && !self.holds(&captured.key).await? {
            return Ok(Err(Unplayable::new(
                "no-old-image",
                "the record has no old image, no earlier record shows the item, and the table does not have it",
            )));
        }
        if let Some(time) = StreamRecord::parse(raw).recorded_at() {
            self.stack.clock().set(time);
        }
        match self.write(&captured).await {
            Ok(true) => {}
            Ok(false) => {
                self.drain().await?;
                skipped(self.driver.teller(), raw, &source.name, "the table has no such item")?;
                return Ok(Ok(()));
            }
            Err(Refused::Item(why)) => return Ok(Err(Unplayable::new("refused-write", why))),
            Err(Refused::Table(error)) => return Err(error),
        }
        self.written += 1;
        let Captured { key, user_identity, time, .. } = captured;
        self.pump.overlay(key.clone(), Overlay { time, user_identity });
        self.driver.expect(key, Pending { file: source.name.clone(), captured: raw.to_owned() });
        if self.written >= self.job.args.batch {
            self.drain().await?;
        }
        Ok(Ok(()))
    }

    /// Delivers the written changes, and what follows from them.
    async fn drain(&mut self) -> miette::Result<()> {
        if std::mem::take(&mut self.written) == 0 {
            return Ok(());
        }
        self.driver.drain(&mut self.pump, &mut self.queue).await
    }

    async fn holds(&self, key: &Key) -> miette::Result<bool> {
        let key = item::key_to_sdk(&self.job.model.table, key);
        let get = self.client.get_item().table_name(self.stack.table()).set_key(Some(key)).consistent_read(true);
        let answer = get.send().await.map_err(|error| miette!("cannot read the table: {}", item::explain(&error)))?;
        Ok(answer.item.is_some())
    }

    /// Writes the change. `false` if there was nothing to delete, which causes no stream record.
    async fn write(&self, captured: &Captured) -> Result<bool, Refused> {
        let table = self.stack.table();
        match (captured.event, &captured.new) {
            (Event::Insert | Event::Modify, Some(new)) => put(&self.client, table, new).await.map(|()| true),
            (Event::Insert | Event::Modify, None) => Ok(false),
            (Event::Remove, _) => {
                let key = item::key_to_sdk(&self.job.model.table, &captured.key);
                let delete = self.client.delete_item().table_name(table).set_key(Some(key));
                let answer = delete.return_values(ReturnValue::AllOld).send().await.map_err(|error| refused(&error))?;
                Ok(answer.attributes.is_some())
            }
        }
    }
}

/// Puts an item.
pub(super) async fn put(client: &Client, table: &str, item: &Item) -> Result<(), Refused> {
    let put = client.put_item().table_name(table).set_item(Some(item::to_sdk(item)));
    put.send().await.map(|_| ()).map_err(|error| refused(&error))
}

fn refused<E: ProvideErrorMetadata + std::error::Error + 'static>(error: &SdkError<E>) -> Refused {
    match error.as_service_error() {
        Some(service) if service.code() == Some("ValidationException") => {
            Refused::Item(format!("the table refuses it: {}", service.message().unwrap_or("no reason given")))
        }
        Some(_) | None => Refused::Table(miette!("cannot write the table: {}", item::explain(error))),
    }
}

fn unplayable_record(
    teller: &mut Teller<'_>,
    model: &Model,
    source: &Input,
    raw: &RawValue,
    Unplayable { code, reason }: &Unplayable,
) -> miette::Result<()> {
    let n = teller.next_n();
    let record = StreamRecord::parse(raw);
    let nothing = Record::nothing(n, &source.name);
    teller.record(&Record { sequence: record.sequence(), time: record.recorded_at(), ..nothing })?;
    teller.parked(&Parked { n, code, reason, record: &mask::record(model, raw), is_nameless: true })
}
