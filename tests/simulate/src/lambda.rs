//! What AWS Lambda does: a poller for each shard, batches that come again, are cut and are given up, processes that one invocation has
//! at a time.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use instep_aws::redrive::{Place, Redrive, Tally, Told};
use instep_aws::{Delivered, Instep, Run, Sending, WorkReport};
use instep_flow::filter::Filter;
use instep_flow::report::{Outcome, Report};
use instep_flow::stream_record::sequence;
use instep_flow::work::Origin;
use instep_model::Key;
use instep_stream_function::response;
use serde_json::json;
use serde_json::value::RawValue;
use tokio::sync::Mutex;
use tokio::time::Instant;

use crate::net::{Net, QUOTA, pause};
use crate::queue;
use crate::{BUCKET, GIVEN_UP, QUEUE, WORK_DEAD_LETTERS};

/// How long an invocation may take beyond its deadline before it counts as cut off.
const GRACE: Duration = Duration::from_secs(1);

/// How long an invocation has where nothing is short.
const LONG: Duration = Duration::from_secs(300);

/// How often a batch is tried while faults come, and how often when they do not any more.
const ATTEMPTS: usize = 4;
const ATTEMPTS_CALM: usize = 40;

/// Deliveries of the work queue, and seconds of waiting for it, that a world without faults may take.
const WORK_ATTEMPTS: usize = 20_000;

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
        self.net.watch().finished(process.id);
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
        self.net.watch().finished(process.id);
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

    /// Delivers records again until a run over them ends well.
    async fn until_done(&self, records: &[Box<RawValue>], budget: Duration) {
        for _ in 0..ATTEMPTS_CALM {
            match self.invoke(records, budget).await {
                Ended::Reported(report) if report.retry_from().is_none() => return,
                Ended::Reported(_) | Ended::Crashed => pause(&self.net, 2_000).await,
            }
        }
    }

    /// Delivers messages again until runs over them end well.
    async fn until_worked(&self, mut messages: Vec<Delivered>, budget: Duration) {
        for _ in 0..ATTEMPTS_CALM {
            messages.iter_mut().for_each(|message| message.receives += 1);
            match self.invoke_work(&messages, budget).await {
                Ended::Reported(report) if report.failed.is_empty() => return,
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
        self.net.note_handed_on();
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
            match self.invoke(&records, self.budget(calm)).await {
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
                                self.until_done(&records, self.budget(calm)).await;
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

    /// Delivers some messages of the work queue. Whether there were any.
    pub async fn work(&self, calm: bool) -> bool {
        let mut messages = queue::receive(&self.net);
        if messages.is_empty() {
            return false;
        }
        if !calm {
            // A standard queue keeps no order, and a poller need not get all that is visible.
            messages = self.net.chance.shuffled(messages);
            if messages.len() > 1 && self.net.chance.of_thousand(300) {
                let left = messages.split_off(1 + self.net.chance.below(messages.len() - 1));
                queue::release(&self.net, &left);
            }
        }
        let delivered: Vec<Delivered> = messages.iter().map(|message| message.delivered.clone()).collect();
        match self.invoke_work(&delivered, self.budget(calm)).await {
            Ended::Crashed => self.net.count("WorkCrashed"),
            Ended::Reported(WorkReport { failed, .. }) => {
                if !failed.is_empty() {
                    self.net.count("WorkFailed");
                }
                let is_done = |message: &queue::Received| !failed.contains(&message.delivered.id);
                let (done, left): (Vec<_>, Vec<_>) = messages.into_iter().partition(is_done);
                if !calm && !self.is_quiet && self.net.chance.of_thousand(80) {
                    self.net.count("WorkDeliveredTwice");
                    let again: Vec<Delivered> = done.iter().map(|message| message.delivered.clone()).collect();
                    self.until_worked(again, self.budget(calm)).await;
                }
                queue::delete(&self.net, &done);
                // What failed becomes visible when its timeout is over; now and then sooner.
                if self.net.chance.of_thousand(500) {
                    queue::release(&self.net, &left);
                }
            }
        }
        true
    }

    /// Delivers all of the work queue, also what is delayed or hidden.
    pub async fn drain_work(&self) {
        for _ in 0..WORK_ATTEMPTS {
            if !self.net.log().broken.is_empty() || queue::is_empty(&self.net) {
                return;
            }
            if !self.work(true).await {
                tokio::time::sleep(Duration::from_secs(1)).await;
            }
        }
        self.net.broken("8: the work queue comes to no end".to_owned());
    }

    /// Sends any earlier records to the work queue, as a replay of captures does.
    pub async fn replay(&self) {
        let records: Vec<_> = {
            let table = self.net.table();
            let all: Vec<_> = table.shards().iter().flatten().collect();
            let count = 1 + self.net.chance.below(8);
            (0..count).filter_map(|_| self.net.chance.pick(&all)).map(|record| record.raw.clone()).collect()
        };
        self.send_again(records).await;
    }

    /// Sends the last record of an item to the work queue.
    pub async fn replay_last_of(&self, key: Key) {
        let key = (key.pk, key.sk);
        let last = {
            let table = self.net.table();
            let all = table.shards().iter().flatten();
            all.filter(|record| record.key == key).max_by_key(|record| record.sequence).map(|record| record.raw.clone())
        };
        self.send_again(last.into_iter().collect()).await;
    }

    /// Sends records. Who replays need not begin again where that broke off.
    async fn send_again(&self, records: Vec<Box<RawValue>>) {
        let Some(process) = self.net.chance.pick(&self.processes) else { return };
        if records.is_empty() {
            return;
        }
        self.net.count("Replayed");
        let _busy = process.busy.lock().await;
        let run = self.run(LONG);
        let sends = process.instep.send_records(&records, Sending::REPLAY, &run);
        tokio::select! {
            biased;
            () = self.net.crashed(process.id) => self.net.note(|| format!("process {} crashes", process.id)),
            _ = sends => {}
        }
    }

    /// Sends what the table holds to the work queue, item by item.
    pub async fn backfill(&self) {
        let Some(process) = self.net.chance.pick(&self.processes) else { return };
        let _busy = process.busy.lock().await;
        self.net.note(|| format!("process {} backfills", process.id));
        self.net.count("Backfilled");
        let mut redrive = Redrive::new(&process.instep, self.run(LONG));
        let read = redrive.table(&mut nobody).await;
        if read.is_err() || redrive.tally().more {
            self.net.broken(format!("1: a backfill comes to no end: {read:?}, {:?}", redrive.tally()));
        }
    }

    /// Sends what failed to the work queue.
    pub async fn redrive(&self) -> Tally {
        let Some(process) = self.net.chance.pick(&self.processes) else { return Tally::default() };
        let _busy = process.busy.lock().await;
        let mut redrive = Redrive::new(&process.instep, self.run(Duration::from_secs(600)));
        let places = [
            Place::Bucket { bucket: BUCKET.to_owned(), prefix: GIVEN_UP.to_owned() },
            Place::Queue(QUEUE.to_owned()),
            Place::Queue(WORK_DEAD_LETTERS.to_owned()),
        ];
        self.net.note(|| format!("process {} redrives", process.id));
        let run = async {
            for place in &places {
                let _ = redrive.place(place, &mut nobody).await;
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
fn nobody(_: Told<'_>) {}
