//! Where a command reads: a deployment, or a kept embedded stack.

use std::path::Path;
use std::sync::Arc;

use instep_aws::{Clients, Instep, Parking, QueueMessage, RunOptions, Settings, call};
use instep_console::clock;
use instep_console::data_dir;
use instep_console::model_source::ModelSource;
use instep_console::report::embedded_bus;
use instep_flow::report::BusPlace;
use instep_flow::table_id::TableId;
use instep_local::{Clock, Handler, PumpOptions, QueueHandler, QueueOptions, QueuePumpOptions, Stack, StackOptions};
use instep_model::Model;
use jiff::Timestamp;
use miette::{IntoDiagnostic as _, WrapErr as _, miette};
use serde_json::value::RawValue;

use crate::cli;
use crate::names;
use crate::remote::{Needs, Remote};

/// The queue of parked records of an embedded stack.
const PARKED: &str = "https://sqs.us-east-1.amazonaws.com/000000000000/parked";

/// A deployment, or a kept embedded stack, opened.
pub(crate) struct Workspace {
    pub(crate) model: Arc<Model>,
    pub(crate) instep: Instep,
    pub(crate) run: RunOptions,
    stack: Option<Stack>,
}

impl Workspace {
    /// Opens it.
    pub(crate) async fn open(args: &cli::WorkspaceArgs, now: Option<Timestamp>, needs: Needs) -> miette::Result<Self> {
        let model = match &args.data {
            None => args.at.model()?,
            Some(dir) => Arc::new(model_of(dir, args.at.model.as_deref())?),
        };
        Self::open_with(model, args, now, needs).await
    }

    /// Opens it with this model, whatever the options name.
    pub(crate) async fn open_with(
        model: Arc<Model>,
        args: &cli::WorkspaceArgs,
        now: Option<Timestamp>,
        needs: Needs,
    ) -> miette::Result<Self> {
        let now = now.unwrap_or_else(clock::now);
        let run = RunOptions { now, publish: true, dry_run: false, deadline: None, adopt_before: None, trace: None };
        let Some(dir) = &args.data else {
            let target = args.at.target();
            let remote = if needs.only_table {
                Remote::open(&model, target, &args.at.deployment, needs).await?
            } else {
                Remote::open_verified(&model, target, &args.at.deployment, needs).await?
            };
            let instep = remote.instep;
            return Ok(Self { model, instep, run, stack: None });
        };
        let stack = kept_stack(dir, &model, None, Clock::new(now), needs.any_indexes).await?;
        // What a sweep reads is kept as long as this command runs.
        let parking = needs.bucket.map(|bucket| Parking { queue_url: PARKED.to_owned(), bucket });
        if let Some(parking) = &parking {
            stack.make_bucket(&parking.bucket);
            stack.make_queue(PARKED, QueueOptions::default());
        }
        let deletions_per_hour = args.at.deployment.max_user_deletions;
        let settings = Settings { parking, deletions_per_hour, ..stack.settings() };
        let instep = Instep::new(Arc::clone(&model), Clients::new(&stack.uncounted_config()), settings);
        Ok(Self { model, instep, run, stack: Some(stack) })
    }

    /// On the embedded stack: delivers what the stream and the work queue contain, until both are empty.
    /// Elsewhere, the deployment's functions do that.
    pub(crate) async fn deliver(&self) -> miette::Result<()> {
        let Some(stack) = &self.stack else { return Ok(()) };
        let mut pump = stack.pump(PumpOptions::default()).into_diagnostic()?;
        let mut queue = stack.queue_pump(stack.work_queue(), QueuePumpOptions::default()).into_diagnostic()?;
        let mut silent = Silent { instep: &self.instep, run: &self.run };
        loop {
            pump.drain(&mut silent).await.into_diagnostic()?;
            // INVARIANT 8: work ends, and so do the writes that it causes.
            if queue.drain(&mut silent).await.into_diagnostic()?.batches == 0 {
                return Ok(());
            }
        }
    }

    /// Where its bus is: in the account and the region of its table.
    pub(crate) async fn bus_place(&self) -> miette::Result<BusPlace> {
        if self.is_embedded() {
            return Ok(embedded_bus());
        }
        let table = &self.instep.settings().table;
        let describe = || self.instep.clients().dynamodb().describe_table().table_name(table).send();
        let described = call(None, describe).await.map_err(|failure| {
            miette!(help = "`instep doctor` prints the details", "{} for `{table}`", failure.words("DescribeTable"))
        })?;
        let arn = described.table.and_then(|table| TableId::parse(&table.table_arn?));
        let place = arn.as_ref().and_then(TableId::account_and_region);
        let place = place.map(|(account, region)| BusPlace { account: account.to_owned(), region: region.to_owned() });
        place.ok_or_else(|| miette!(help = "name an endpoint that gives its tables ARNs", "`{table}` has no ARN"))
    }

    /// Whether it is an embedded stack.
    pub(crate) const fn is_embedded(&self) -> bool {
        self.stack.is_some()
    }

    /// Closes it.
    pub(crate) async fn close(self) {
        if let Some(stack) = self.stack {
            stack.close().await;
        }
    }
}

/// The stack that a directory keeps, and its model. A model or a table that is named counts instead of the directory's.
pub(crate) async fn kept(
    dir: &Path,
    model: Option<&str>,
    table: Option<&str>,
    clock: Clock,
) -> miette::Result<(Model, Stack)> {
    let model = model_of(dir, model)?;
    let stack = kept_stack(dir, &model, table, clock, false).await?;
    Ok((model, stack))
}

/// The model that is named, or that of a directory.
fn model_of(dir: &Path, named: Option<&str>) -> miette::Result<Model> {
    let manifest = data_dir::manifest(dir)?;
    ModelSource::named(named.unwrap_or(&manifest.model))
        .wrap_err("set `--model` to the model that the directory was created for")?
        .load()
}

/// The stack of a directory.
async fn kept_stack(
    dir: &Path,
    model: &Model,
    table: Option<&str>,
    clock: Clock,
    any_indexes: bool,
) -> miette::Result<Stack> {
    let table = table.map_or(data_dir::manifest(dir)?.table, names::name_of_table);
    let options = StackOptions { dir: Some(dir.to_owned()), table, clock };
    if any_indexes {
        return Stack::open_of_any_indexes(model, options).await.into_diagnostic();
    }
    Stack::open(model, options).await.into_diagnostic()
}

/// Handles what is delivered, without a report.
struct Silent<'a> {
    instep: &'a Instep,
    run: &'a RunOptions,
}

impl Handler for Silent<'_> {
    async fn handle(&mut self, records: &[Box<RawValue>]) -> Result<Vec<String>, String> {
        Ok(self.instep.handle(records, self.run).await.retried())
    }
}

impl QueueHandler for Silent<'_> {
    async fn handle(&mut self, messages: &[QueueMessage]) -> Result<Vec<String>, String> {
        Ok(self.instep.work(messages, self.run).await.failed)
    }
}
