//! The poller of a shard.

use std::sync::atomic::Ordering;
use std::time::Duration;

use instep_flow::report::Outcome;
use instep_stream_function::response;
use serde_json::json;
use serde_json::value::RawValue;

use super::{ATTEMPTS, ATTEMPTS_CALM, Ended, Lambda};
use crate::net::{QUOTA, pause};
use crate::{BUCKET, GIVEN_UP};

impl Lambda {
    /// Delivers one batch until it is handled, or until its attempts are used up.
    pub async fn deliver(&self, shard: usize, calm: bool) {
        let (mut most, mut attempt) = (self.batch, 0);
        while attempt < if calm { ATTEMPTS_CALM } else { ATTEMPTS } {
            attempt += 1;
            let (from, records, to) = self.next(shard, most);
            if records.is_empty() {
                self.move_past(shard, from, to);
                return;
            }
            self.count_reordered(shard, from);
            self.net.note(|| format!("shard {shard} delivers {from} to {to}, attempt {attempt}"));
            match self.invoke(&records, self.budget(calm)).await {
                Ended::Crashed => {
                    // Lambda splits a batch after a failed invocation (bisect).
                    if most > 1 && self.net.chance.of_thousand(500) {
                        self.net.count("Bisected");
                        most = most.div_ceil(2);
                    }
                }
                Ended::Reported(report) => {
                    let is_quota = |outcome: &Outcome| matches!(outcome, Outcome::Retry { why } if why.contains(QUOTA));
                    if report.records.iter().any(|record| is_quota(&record.outcome)) {
                        self.net.broken("6: a record that met a hard quota is retried".to_owned());
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
                            Some(place) if (from..to).contains(&place) => {
                                self.move_past(shard, from, place);
                                // In the end each attempt has to make progress, however many it takes.
                                attempt = if calm && place > from { 0 } else { attempt };
                            }
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
            self.net.broken(format!("8: shard {shard} makes no progress at {record}"));
        }
        self.give_up(shard, most);
    }

    /// The on-failure destination gets the rest of a batch.
    fn give_up(&self, shard: usize, most: usize) {
        let (_, records, to) = self.next(shard, most);
        self.net.count("GivenUp");
        let key = format!("{GIVEN_UP}{shard}/{to:08}");
        let event: Vec<&str> = records.iter().map(|record| record.get()).collect();
        let payload = format!("{{\"Records\":[{}]}}", event.join(","));
        let object = json!({"version": "1.0", "payload": payload}).to_string();
        self.net.services.put_object(BUCKET, &key, object.into_bytes());
        self.move_to(shard, to);
    }

    /// Delivers all records of a shard.
    pub async fn drain(&self, shard: usize) {
        while !self.is_through(shard) && self.net.log().broken.is_empty() {
            self.deliver(shard, true).await;
        }
    }

    /// Whether all records of a shard were delivered.
    pub fn is_through(&self, shard: usize) -> bool {
        let place = self.checkpoints.get(shard).map_or(0, |checkpoint| checkpoint.load(Ordering::Relaxed));
        self.net.table().shards().get(shard).is_none_or(|records| place >= records.len())
    }

    /// The next records that pass the filter.
    fn next(&self, shard: usize, most: usize) -> (usize, Vec<Box<RawValue>>, usize) {
        let from = self.checkpoints.get(shard).map_or(0, |checkpoint| checkpoint.load(Ordering::Relaxed));
        let table = self.net.table();
        let records = table.shards().get(shard).map(Vec::as_slice).unwrap_or_default();
        let taken: Vec<_> = records.iter().skip(from).take(most).collect();
        let passes = |raw: &RawValue| self.filter.as_ref().is_none_or(|filter| filter.lets_through(raw));
        let through = taken.iter().filter(|record| passes(&record.raw)).map(|record| record.raw.clone()).collect();
        (from, through, from + taken.len())
    }

    /// Moves a shard's position past handled records.
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

    /// The position of the record with this sequence number.
    fn place_of(&self, shard: usize, identifier: &str) -> Option<usize> {
        let table = self.net.table();
        let records = table.shards().get(shard)?;
        let sequence: u128 = identifier.parse().ok()?;
        records.iter().position(|record| record.sequence == sequence)
    }

    /// Counts batches that overtake an earlier record of another shard.
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

    /// Delivers records again until a run succeeds.
    async fn until_done(&self, records: &[Box<RawValue>], budget: Duration) {
        for _ in 0..ATTEMPTS_CALM {
            match self.invoke(records, budget).await {
                Ended::Reported(report) if report.retry_from().is_none() => return,
                Ended::Reported(_) | Ended::Crashed => pause(&self.net, 2_000).await,
            }
        }
    }
}
