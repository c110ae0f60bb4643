//! Replays, backfills and redrives.

use std::time::Duration;

use instep_aws::Run;
use instep_aws::Sending;
use instep_aws::redrive::{Redrive, RedriveProgress, Store, Tally};
use instep_aws::sweep::{Options, Swept};
use serde_json::value::RawValue;

use super::{LONG, Lambda};
use crate::net::RecordOf;
use crate::{BUCKET, GIVEN_UP, QUEUE, WORK_DEAD_LETTERS};

impl Lambda {
    /// Replays some earlier records, as from captures.
    pub async fn replay(&self) {
        let records: Vec<_> = {
            let table = self.net.table();
            let all: Vec<_> = table.shards().iter().flatten().collect();
            let count = 1 + self.net.chance.below(8);
            (0..count).filter_map(|_| self.net.chance.pick(&all)).map(|record| record.raw.clone()).collect()
        };
        self.send_again(records).await;
    }

    /// Replays one record of an item.
    pub async fn replay_one(&self, record: &RecordOf) {
        let (RecordOf::First(key) | RecordOf::Last(key)) = record;
        let found = {
            let table = self.net.table();
            let all = table.shards().iter().flatten();
            let own = all.filter(|record| (&record.key.0, &record.key.1) == (&key.pk, &key.sk));
            let found = match record {
                RecordOf::First(_) => own.min_by_key(|record| record.sequence),
                RecordOf::Last(_) => own.max_by_key(|record| record.sequence),
            };
            found.map(|record| record.raw.clone())
        };
        self.send_again(found.into_iter().collect()).await;
    }

    /// Sends records to the work queue. A crash breaks the replay off, and no later replay
    /// completes it.
    async fn send_again(&self, records: Vec<Box<RawValue>>) {
        let Some(process) = self.net.chance.pick(&self.processes) else { return };
        if records.is_empty() {
            return;
        }
        self.net.count("Replayed");
        let _busy = process.busy.lock().await;
        let run = self.run(LONG);
        let sends = process.instep().send_records(&records, Sending::REPLAY, &run);
        tokio::select! {
            biased;
            () = self.net.crashed(process.id) => self.net.note(|| format!("process {} crashes", process.id)),
            _ = sends => {}
        }
    }

    /// Sweeps.
    ///
    /// # Errors
    /// A service failed.
    pub async fn sweep(&self, options: &Options) -> Result<Swept, String> {
        let Some(process) = self.net.chance.pick(&self.processes) else { return Ok(Swept::default()) };
        let _busy = process.busy.lock().await;
        let run = Run { deadline: None, ..self.run(LONG) };
        process.instep().sweep(options, &run, &|_| {}).await
    }

    /// Runs a backfill.
    pub async fn backfill(&self) {
        let Some(process) = self.net.chance.pick(&self.processes) else { return };
        let _busy = process.busy.lock().await;
        self.net.note(|| format!("process {} backfills", process.id));
        self.net.count("Backfilled");
        let mut redrive = Redrive::new(process.instep(), self.run(LONG));
        let read = redrive.table(&mut ignore).await;
        if read.is_err() || redrive.tally().more {
            self.net.broken(format!("1: a backfill does not complete: {read:?}, {:?}", redrive.tally()));
        }
    }

    /// Redrives the on-failure objects, the parked messages and the dead letters.
    pub async fn redrive(&self) -> Tally {
        let Some(process) = self.net.chance.pick(&self.processes) else { return Tally::default() };
        let _busy = process.busy.lock().await;
        let mut redrive = Redrive::new(process.instep(), self.run(Duration::from_secs(600)));
        let places = [
            Store::Bucket { bucket: BUCKET.to_owned(), prefix: GIVEN_UP.to_owned() },
            Store::Queue(QUEUE.to_owned()),
            Store::Queue(WORK_DEAD_LETTERS.to_owned()),
        ];
        self.net.watch().redrive_began(process.id);
        self.net.note(|| format!("process {} redrives", process.id));
        let run = async {
            for place in &places {
                let _ = redrive.send_stored(place, &mut ignore).await;
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

/// A listener that ignores everything.
fn ignore(_: RedriveProgress<'_>) {}
