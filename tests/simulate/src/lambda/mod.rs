//! What AWS Lambda does: a poller for each shard, batches that come again, are cut and are given up, processes that one invocation has
//! at a time.

mod rerun;
mod shard;
mod work_queue;

use std::sync::Arc;
use std::sync::atomic::AtomicUsize;
use std::time::Duration;

use instep_aws::{Delivered, Instep, Run, WorkReport};
use instep_flow::filter::Filter;
use instep_flow::report::Report;
use instep_flow::stream_record::sequence;
use instep_flow::work::Origin;
use serde_json::value::RawValue;
use tokio::sync::Mutex;
use tokio::time::Instant;

use crate::net::Net;
use crate::queue;

/// How long an invocation may take beyond its deadline before it counts as cut off.
const GRACE: Duration = Duration::from_secs(1);

/// How long an invocation has where nothing is short.
const LONG: Duration = Duration::from_secs(300);

/// How often a batch is tried while faults come, and how often when they do not any more.
const ATTEMPTS: usize = 4;
const ATTEMPTS_CALM: usize = 40;

/// A process of the function.
#[derive(Debug)]
pub struct Process {
    /// Its number.
    pub id: usize,
    /// Instep in it.
    pub instep: Instep,
    /// One invocation has it at a time.
    pub busy: Mutex<()>,
}

/// The functions and what invokes them.
#[derive(Debug)]
pub struct Lambda {
    /// The world.
    pub net: Arc<Net>,
    /// The processes.
    pub processes: Vec<Process>,
    /// What comes through.
    pub filter: Option<Filter>,
    /// Records at a time.
    pub batch: usize,
    /// Where each shard's poller is.
    pub checkpoints: Vec<AtomicUsize>,
    /// Nothing comes between what writers set up: no batch is short of time or comes twice.
    pub is_quiet: bool,
    /// Pollers of the work queue.
    pub workers: usize,
}

/// How an invocation ended.
enum Ended<T> {
    Reported(T),
    Crashed,
}

impl Lambda {
    fn run(&self, budget: Duration) -> Run {
        let deadline = Some(Instant::now() + budget);
        Run { now: self.net.now(), publish: true, dry_run: false, deadline, trace: None }
    }

    /// Hands records to a process.
    async fn invoke(&self, records: &[Box<RawValue>], budget: Duration) -> Ended<Report> {
        let Some(process) = self.net.chance.pick(&self.processes) else { return Ended::Crashed };
        let _busy = process.busy.lock().await;
        let sequences = records.iter().filter_map(|record| sequence(record)?.parse().ok());
        let now_ms = self.net.now().as_millisecond();
        self.net.watch().began(process.id, sequences, now_ms, (false, budget < LONG));
        self.net.note(|| format!("process {} is handed {} records", process.id, records.len()));
        let run = self.run(budget);
        let ended = self.until_it_ends(process, budget, process.instep.handle(records, &run)).await;
        let is_done = matches!(&ended, Ended::Reported(report) if report.retry_from().is_none());
        let found = self.net.watch().finished(process.id, is_done);
        self.net.found(found);
        ended
    }

    /// Hands work messages to a process.
    async fn invoke_work(&self, messages: &[Delivered], budget: Duration) -> Ended<WorkReport> {
        let Some(process) = self.net.chance.pick(&self.processes) else { return Ended::Crashed };
        let _busy = process.busy.lock().await;
        let held: Vec<queue::Held> = messages.iter().map(queue::held).collect();
        let sequences = held.iter().flat_map(|held| held.sequences.iter().copied());
        // What this deployment could not handle in time may end a subject, also beside captures.
        let is_capture = held.iter().any(|held| held.origin == Some(Origin::Captured))
            && !held.iter().any(|held| held.origin == Some(Origin::Failed));
        let now_ms = self.net.now().as_millisecond();
        self.net.watch().began(process.id, sequences, now_ms, (is_capture, budget < LONG));
        self.net.note(|| {
            let bodies: Vec<&str> = messages.iter().map(|message| message.body.as_str()).collect();
            format!("process {} is handed messages {bodies:?}", process.id)
        });
        let run = self.run(budget);
        let ended = self.until_it_ends(process, budget, process.instep.work(messages, &run)).await;
        let is_done = matches!(&ended, Ended::Reported(report) if report.failed.is_empty());
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

    /// How long an invocation has: now and then too short for its batch.
    fn budget(&self, calm: bool) -> Duration {
        if !calm && !self.is_quiet && self.net.chance.of_thousand(100) {
            self.net.count("ShortOfTime");
            Duration::from_secs(2) + self.net.chance.time(2_000)
        } else {
            LONG
        }
    }
}
