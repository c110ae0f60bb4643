//! What AWS Lambda does: a poller for each shard, batches that come again, are cut and are given up, processes that one invocation has
//! at a time.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use instep_aws::{Instep, Run};
use instep_flow::work::Origin;
use instep_aws::redrive::{Listener, Redrive, Source, Tally};
use instep_flow::decode::sequence;
use instep_flow::filter::Filter;
use instep_flow::report::{Outcome, Report};
use instep_model::Key;
use instep_stream_function::response;
use serde_json::json;
use serde_json::value::RawValue;
use tokio::sync::Mutex;
use tokio::time::Instant;

use crate::net::{Net, QUOTA, pause};
use crate::{BUCKET, GIVEN_UP, QUEUE};

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
}

/// How an invocation ended.
enum Ended {
    Reported(Report),
    Crashed,
}

impl Lambda {
    fn run(&self, origin: Origin, budget: Duration) -> Run {
        let deadline = Some(Instant::now() + budget);
        Run { now: self.net.now(), origin, publish: true, dry_run: false, deadline, trace: None }
    }

    async fn invoke(&self, records: &[Box<RawValue>], origin: Origin, budget: Duration) -> Ended {
        let Some(process) = self.net.chance.pick(&self.processes) else { return Ended::Crashed };
        let _busy = process.busy.lock().await;
        let sequences = records.iter().filter_map(|record| sequence(record)?.parse().ok());
        let now_ms = self.net.now().as_millisecond();
        self.net.watch().began(process.id, sequences, now_ms, (origin == Origin::Captured, budget < LONG));
        let ended = self.handled(process, records, origin, budget).await;
        if matches!(ended, Ended::Crashed) {
            self.net.watch().disturbed(process.id);
        }
        let found = self.net.watch().finished(process.id);
        self.net.found(found);
        ended
    }

    async fn handled(&self, process: &Process, records: &[Box<RawValue>], origin: Origin, budget: Duration) -> Ended {
        let run = self.run(origin, budget);
        let handled = async {
            let without = process.instep.without_parking();
            let instep = if origin == Origin::Captured { &without } else { &process.instep };
            instep.handle(records, &run).await
        };
        self.net.note(|| format!("process {} is handed {} records ({origin:?})", process.id, records.len()));
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

    /// What crashed or is left to retry is begun again, as Lambda and people do.
    async fn until_settled(&self, records: &[Box<RawValue>], origin: Origin, budget: Duration) {
        for _ in 0..ATTEMPTS_CALM {
            match self.invoke(records, origin, budget).await {
                Ended::Reported(report) if report.retry_from().is_none() => return,
                Ended::Reported(_) | Ended::Crashed => pause(&self.net, 2_000).await,
            }
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

    /// The records that are to be delivered next: those that come through the filter.
    fn next(&self, shard: usize, most: usize) -> (usize, Vec<Box<RawValue>>, usize) {
        let from = self.checkpoints.get(shard).map_or(0, |checkpoint| checkpoint.load(Ordering::Relaxed));
        let table = self.net.table();
        let records = table.shards().get(shard).map(Vec::as_slice).unwrap_or_default();
        let taken: Vec<_> = records.iter().skip(from).take(most).collect();
        let passes = |raw: &RawValue| self.filter.as_ref().is_none_or(|filter| filter.lets_through(raw));
        let through = taken.iter().filter(|record| passes(&record.raw)).map(|record| record.raw.clone()).collect();
        (from, through, from + taken.len())
    }

    /// Moves a shard's place past what was settled.
    fn move_past(&self, shard: usize, from: usize, to: usize) {
        let passed: Vec<u128> = {
            let table = self.net.table();
            let records = table.shards().get(shard).map(Vec::as_slice).unwrap_or_default();
            records.iter().take(to).skip(from).map(|record| record.sequence).collect()
        };
        let found: Vec<_> = passed.into_iter().filter_map(|sequence| self.net.watch().passed(sequence)).collect();
        self.net.found(found);
        self.move_to(shard, to);
    }

    fn move_to(&self, shard: usize, place: usize) {
        if let Some(checkpoint) = self.checkpoints.get(shard) {
            checkpoint.store(place, Ordering::Relaxed);
        }
    }

    /// The place in a shard of the record with this sequence number.
    fn place_of(&self, shard: usize, identifier: &str) -> Option<usize> {
        let table = self.net.table();
        let records = table.shards().get(shard)?;
        let sequence: u128 = identifier.parse().ok()?;
        records.iter().position(|record| record.sequence == sequence)
    }

    /// Whether all of a shard was delivered.
    pub fn is_through(&self, shard: usize) -> bool {
        let place = self.checkpoints.get(shard).map_or(0, |checkpoint| checkpoint.load(Ordering::Relaxed));
        self.net.table().shards().get(shard).is_none_or(|records| place >= records.len())
    }

    /// Counts where a shard is ahead of another: what was written later comes first.
    fn count_reordered(&self, shard: usize, from: usize) {
        let next = |shard: usize, from: usize| -> Option<u128> {
            Some(self.net.table().shards().get(shard)?.get(from)?.sequence)
        };
        let own = next(shard, from);
        let places = self.checkpoints.iter().map(|checkpoint| checkpoint.load(Ordering::Relaxed)).enumerate();
        if places
            .filter(|(other, _)| *other != shard)
            .any(|(other, place)| next(other, place).is_some_and(|n| own > Some(n)))
        {
            self.net.count("ShardsReordered");
        }
    }

    /// Delivers one batch until it is settled or given up.
    pub async fn deliver(&self, shard: usize, calm: bool) {
        let mut most = self.batch;
        for attempt in 0..if calm { ATTEMPTS_CALM } else { ATTEMPTS } {
            let (from, records, to) = self.next(shard, most);
            if records.is_empty() {
                self.move_past(shard, from, to);
                return;
            }
            self.count_reordered(shard, from);
            self.net.note(|| format!("shard {shard} delivers {from} to {to}, attempt {}", attempt + 1));
            match self.invoke(&records, Origin::Stream, self.budget(calm)).await {
                Ended::Crashed => {
                    // Bisecting.
                    if most > 1 && self.net.chance.of_thousand(500) {
                        self.net.count("Bisected");
                        most = most.div_ceil(2);
                    }
                }
                Ended::Reported(report) => {
                    let is_quota = |outcome: &Outcome| matches!(outcome, Outcome::Retry { why } if why.contains(QUOTA));
                    if report.records.iter().any(|record| is_quota(&record.outcome)) {
                        self.net.broken("6: what a hard quota refuses is left to retry".to_owned());
                    }
                    let failed = response(&records, &report).batch_item_failures;
                    if !failed.is_empty() && !calm {
                        self.net.count("BatchItemFailures");
                    }
                    match failed.first().and_then(|failure| failure.item_identifier.clone()) {
                        None => {
                            self.move_past(shard, from, to);
                            if !calm && !self.is_quiet && self.net.chance.of_thousand(80) {
                                self.net.count("DeliveredTwice");
                                self.until_settled(&records, Origin::Stream, self.budget(calm)).await;
                            }
                            return;
                        }
                        Some(identifier) => match self.place_of(shard, &identifier) {
                            Some(place) if (from..to).contains(&place) => self.move_past(shard, from, place),
                            _ => self.net.broken(format!("6: {identifier} is no record of the batch")),
                        },
                    }
                }
            }
            pause(&self.net, 2_000).await;
        }
        if calm {
            let (_, records, _) = self.next(shard, 1);
            let record = records.first().map_or("", |record| record.get()).to_owned();
            self.net.broken(format!("8: shard {shard} comes to no end at {record}"));
        }
        // The destination gets what is left of the batch.
        let (_, records, to) = self.next(shard, most);
        self.net.count("GivenUp");
        let key = format!("{GIVEN_UP}{shard}/{to:08}");
        let event: Vec<&str> = records.iter().map(|record| record.get()).collect();
        let payload = format!("{{\"Records\":[{}]}}", event.join(","));
        let object = json!({"version": "1.0", "payload": payload}).to_string();
        self.net.services.put_object(BUCKET, &key, object.into_bytes());
        self.move_to(shard, to);
    }

    /// Delivers all of a shard.
    pub async fn drain(&self, shard: usize) {
        while !self.is_through(shard) && self.net.log().broken.is_empty() {
            self.deliver(shard, true).await;
        }
    }

    /// Runs any earlier records again, as a replay of captures does.
    pub async fn replay(&self) {
        let records: Vec<_> = {
            let table = self.net.table();
            let all: Vec<_> = table.shards().iter().flatten().collect();
            let count = 1 + self.net.chance.below(8);
            (0..count).filter_map(|_| self.net.chance.pick(&all)).map(|record| record.raw.clone()).collect()
        };
        self.run_again(records).await;
    }

    /// Runs the last record of an item again.
    pub async fn replay_last_of(&self, key: Key) {
        let key = (key.pk, key.sk);
        let last = {
            let table = self.net.table();
            let all = table.shards().iter().flatten();
            all.filter(|record| record.key == key).max_by_key(|record| record.sequence).map(|record| record.raw.clone())
        };
        self.run_again(last.into_iter().collect()).await;
    }

    async fn run_again(&self, records: Vec<Box<RawValue>>) {
        if !records.is_empty() {
            self.net.count("Replayed");
            self.until_settled(&records, Origin::Captured, LONG).await;
        }
    }

    /// Runs what the table holds, item by item.
    pub async fn backfill(&self) {
        let Some(process) = self.net.chance.pick(&self.processes) else { return };
        let _busy = process.busy.lock().await;
        let run = Run { publish: false, deadline: None, ..self.run(Origin::Captured, LONG) };
        self.net.note(|| format!("process {} backfills", process.id));
        self.net.count("Backfilled");
        let mut redrive = Redrive::new(&process.instep, run);
        let Ok(read) = redrive.table(&mut Nobody).await;
        if read.is_err() || redrive.tally().more {
            self.net.broken(format!("1: a backfill comes to no end: {read:?}, {:?}", redrive.tally()));
        }
    }

    /// Runs again what failed.
    pub async fn redrive(&self) -> Tally {
        let Some(process) = self.net.chance.pick(&self.processes) else { return Tally::default() };
        let _busy = process.busy.lock().await;
        let mut redrive = Redrive::new(&process.instep, self.run(Origin::Failed, Duration::from_secs(600)));
        let sources = [
            Source::Bucket { bucket: BUCKET.to_owned(), prefix: GIVEN_UP.to_owned() },
            Source::Queue(QUEUE.to_owned()),
        ];
        self.net.note(|| format!("process {} redrives", process.id));
        let run = async {
            for source in sources {
                let Ok(_) = redrive.source(source, &mut Nobody).await;
            }
        };
        tokio::select! {
            biased;
            () = self.net.crashed(process.id) => self.net.note(|| format!("process {} crashes", process.id)),
            () = run => {}
        }
        self.net.count("Redriven");
        redrive.tally().clone()
    }
}

/// Who listens to nothing.
struct Nobody;

impl Listener for Nobody {
    type Error = std::convert::Infallible;
}
