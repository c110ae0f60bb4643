//! AWS Lambda: pollers of shards and of the work queue, retries, bisected batches, on-failure
//! objects. A process handles one invocation at a time.

mod change;
mod clock;
mod rerun;
mod shard;
mod work_queue;

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, OnceLock};
use std::time::Duration;

use instep_aws::{Instep, QueueMessage, RunOptions, WorkReport};
use instep_flow::filter::Filter;
use instep_flow::report::Report;
use instep_flow::stream_record::sequence;
use instep_flow::work::Origin;
use serde_json::value::RawValue;
use tokio::sync::Mutex;
use tokio::time::Instant;

use crate::net::Net;
use crate::queue;
use crate::watch::Batch;

/// How far an invocation may exceed its deadline before Lambda ends it.
const GRACE: Duration = Duration::from_secs(1);

/// The timeout of the functions, in most worlds.
pub const TIMEOUT: Duration = Duration::from_secs(300);

/// The timeout of the functions in worlds where a full batch takes longer than that.
pub const SMALL_TIMEOUT: Duration = Duration::from_secs(40);

/// Attempts for a batch while faults happen, and when they have ended.
const ATTEMPTS: usize = 4;
const ATTEMPTS_CALM: usize = 40;

/// A process of the function.
#[derive(Debug)]
pub struct Process {
    /// Its number.
    pub id: usize,
    /// The runtime of the process.
    pub instep: Instep,
    /// The runtime after a deployment, if there is one in this world.
    pub next: Option<Instep>,
    /// Whether the deployment has reached this process.
    pub is_deployed: AtomicBool,
    /// The runtime with a model that lacks an item type, once somebody has made that mistake.
    pub mistaken: OnceLock<Instep>,
    /// Whether the mistake is deployed.
    pub is_mistaken: AtomicBool,
    /// Locked during an invocation.
    pub busy: Mutex<()>,
}

impl Process {
    /// A process before any deployment.
    #[must_use]
    pub fn new(id: usize, instep: Instep, next: Option<Instep>) -> Self {
        let (is_deployed, is_mistaken) = (AtomicBool::new(false), AtomicBool::new(false));
        Self { id, instep, next, is_deployed, mistaken: OnceLock::new(), is_mistaken, busy: Mutex::new(()) }
    }

    /// The runtime that handles the next invocation.
    #[must_use]
    pub fn instep(&self) -> &Instep {
        let mistaken = self.mistaken.get().filter(|_| self.is_mistaken.load(Ordering::Relaxed));
        let next = self.next.as_ref().filter(|_| self.is_deployed.load(Ordering::Relaxed));
        mistaken.or(next).unwrap_or(&self.instep)
    }
}

/// The functions and their pollers.
#[derive(Debug)]
pub struct Lambda {
    /// The world.
    pub net: Arc<Net>,
    /// The processes.
    pub processes: Vec<Process>,
    /// The filter of the event source mapping.
    pub filter: Option<Filter>,
    /// The batch size.
    pub batch: usize,
    /// The position of each shard's poller.
    pub checkpoints: Vec<AtomicUsize>,
    /// Nothing disturbs what writers set up: no deadline is short, and no batch is delivered twice.
    pub is_quiet: bool,
    /// Pollers of the work queue.
    pub workers: usize,
    /// The timeout of the functions for records and messages.
    pub timeout: Duration,
    /// Copies of messages that are done, at most `KEPT_OF_A_KIND` of each kind.
    pub kept: std::sync::Mutex<BTreeMap<&'static str, Vec<QueueMessage>>>,
    /// How much slower than the world's the clocks of some processes are.
    pub slow: Duration,
}

/// How an invocation ended.
enum Ended<T> {
    Reported(T),
    Crashed,
}

impl<T> Ended<Option<T>> {
    /// `None`: the invocation has failed before it did anything.
    fn or_crashed(self) -> Ended<T> {
        match self {
            Self::Reported(Some(report)) => Ended::Reported(report),
            Self::Reported(None) | Self::Crashed => Ended::Crashed,
        }
    }
}

impl Lambda {
    /// Deploys another version to a process.
    pub fn deploy(&self, process: &Process) {
        if process.next.is_some() && !process.is_deployed.swap(true, Ordering::Relaxed) {
            self.net.note(|| format!("process {} has the new model", process.id));
            self.net.count("Deployed");
        }
    }

    fn run(&self, budget: Duration) -> RunOptions {
        let deadline = Some(Instant::now() + budget);
        RunOptions { now: self.net.now(), publish: true, dry_run: false, deadline, adopt_before: None, trace: None }
    }

    /// The options of a run of a process, whose clock may be slow.
    fn run_of(&self, process: &Process, budget: Duration) -> RunOptions {
        let run = self.run(budget);
        let slow = if process.id % 2 == 1 { self.slow } else { Duration::ZERO };
        RunOptions { now: run.now.checked_sub(slow).unwrap_or(run.now), ..run }
    }

    fn batch_within(&self, budget: Duration) -> Batch {
        Batch { is_short: budget < self.timeout, may_start_over: budget < TIMEOUT, ..Batch::default() }
    }

    /// Invokes a process with records.
    async fn invoke(&self, records: &[Box<RawValue>], budget: Duration) -> Ended<Report> {
        let Some(process) = self.net.chance.pick(&self.processes) else { return Ended::Crashed };
        let _busy = process.busy.lock().await;
        let sequences = records.iter().filter_map(|record| sequence(record)?.parse().ok());
        let records_of = sequences.map(|sequence| (Origin::Stream, sequence)).collect();
        let batch = Batch { records: records_of, ..self.batch_within(budget) };
        let now_ms = self.net.now().as_millisecond();
        self.net.watch().began(process.id, batch, now_ms);
        self.net.note(|| format!("process {} is handed {} records", process.id, records.len()));
        let run = self.run_of(process, budget);
        let instep = process.instep();
        let handled = async {
            instep.look_back(&run).await.ok()?;
            Some(instep.handle(records, &run).await)
        };
        let ended = self.until_it_ends(process, budget, handled).await.or_crashed();
        let is_done = matches!(&ended, Ended::Reported(report) if report.retry_from().is_none());
        let found = self.net.watch().finished(process.id, is_done);
        self.net.found(found);
        ended
    }

    /// Invokes a process with work messages.
    async fn invoke_work(&self, messages: &[QueueMessage], budget: Duration) -> Ended<WorkReport> {
        let Some(process) = self.net.chance.pick(&self.processes) else { return Ended::Crashed };
        let _busy = process.busy.lock().await;
        let mut batch = Batch { has_captures_only: true, ..self.batch_within(budget) };
        for held in messages.iter().map(queue::held) {
            batch.has_captures_only &= held.origin == Some(Origin::Captured);
            let origin = held.origin.unwrap_or(Origin::Captured);
            batch.records.extend(held.sequences.into_iter().map(|sequence| (origin, sequence)));
            batch.continued.extend(held.continues.and_then(|dependents| dependents.object(&self.net.model)));
            batch.orphans.extend(held.orphans);
            batch.has_failed_pointers |= held.has_pointers && origin == Origin::Failed;
        }
        let now_ms = self.net.now().as_millisecond();
        self.net.watch().began(process.id, batch, now_ms);
        self.net.note(|| {
            let bodies: Vec<&str> = messages.iter().map(|message| message.body.as_str()).collect();
            format!("process {} is handed messages {bodies:?}", process.id)
        });
        let run = self.run_of(process, budget);
        let instep = process.instep();
        let handled = async {
            instep.look_back(&run).await.ok()?;
            Some(instep.work(messages, &run).await)
        };
        let ended = self.until_it_ends(process, budget, handled).await.or_crashed();
        let is_replaced = matches!(&ended, Ended::Reported(report) if !report.replaced.is_empty());
        if is_replaced {
            self.net.count("WorkReplaced");
        }
        let is_done = !is_replaced && matches!(&ended, Ended::Reported(report) if report.failed.is_empty());
        let found = self.net.watch().finished(process.id, is_done);
        self.net.found(found);
        ended
    }

    async fn until_it_ends<T>(
        &self,
        process: &Process,
        budget: Duration,
        handled: impl Future<Output = T>,
    ) -> Ended<T> {
        tokio::select! {
            biased;
            () = self.net.crashed(process.id) => {
                self.net.note(|| format!("process {} crashes", process.id));
                Ended::Crashed
            }
            ended = tokio::time::timeout(budget + GRACE, handled) => match ended {
                Ok(report) => Ended::Reported(report),
                Err(_) => {
                    self.net.broken(format!("8: an invocation outlives its deadline of {budget:?}"));
                    Ended::Crashed
                }
            },
        }
    }

    /// Draws the deadline of an invocation. Sometimes it is too short for the batch.
    fn budget(&self, calm: bool) -> Duration {
        if !calm && !self.is_quiet && self.net.chance.of_thousand(100) {
            self.net.count("ShortOfTime");
            Duration::from_secs(2) + self.net.chance.time(2_000)
        } else {
            self.timeout
        }
    }
}
