//! What a sweep costs, on the embedded stack: calls and time for a table of so many items.
//!
//! `cargo run --release --example sweep -- 10000` prints a line for each operation. Of ten items, three are
//! users, one in a thousand is a team, and the others are memberships of these users in these teams.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::{Duration, Instant};

use aws_sdk_dynamodb::types::{AttributeValue, PutRequest, WriteRequest};
use instep_aws::sweep::SweepOptions;
use instep_aws::{Clients, Instep, Parking, QueueMessage, RunOptions, Settings};
use instep_flow::deletion_limit::DELETIONS_PER_HOUR;
use instep_local::{Clock, Handler, PumpOptions, QueueHandler, QueueOptions, QueuePumpOptions, Stack, StackOptions};
use instep_model::Model;
use serde_json::value::RawValue;

const MODEL: &str = include_str!("sweep.toml");

/// The queue of parked records, and the bucket.
const PARKED: &str = "https://sqs.us-east-1.amazonaws.com/000000000000/parked";
const BUCKET: &str = "bucket";

/// Items of one BatchWriteItem.
const WRITTEN: usize = 25;

type Failed = Box<dyn std::error::Error>;

struct Silent<'a>(&'a Instep, RunOptions);

impl Handler for Silent<'_> {
    async fn handle(&mut self, records: &[Box<RawValue>]) -> Result<Vec<String>, String> {
        let report = self.0.handle(records, &self.1).await;
        Ok(report.records.into_iter().filter(|one| one.outcome.is_retry()).filter_map(|one| one.sequence).collect())
    }
}

impl QueueHandler for Silent<'_> {
    async fn handle(&mut self, messages: &[QueueMessage]) -> Result<Vec<String>, String> {
        Ok(self.0.work(messages, &self.1).await.failed)
    }
}

#[tokio::main(flavor = "current_thread")]
#[expect(clippy::print_stdout, reason = "it prints what it measures")]
async fn main() -> Result<(), Failed> {
    let count: usize = std::env::args().nth(1).unwrap_or_default().parse().unwrap_or(10_000);
    let model = Arc::new(Model::parse("cost.toml", MODEL)?);
    let now = jiff::Timestamp::UNIX_EPOCH;
    let options = StackOptions { dir: None, table: "cost".to_owned(), clock: Clock::new(now) };
    let stack = Stack::open(&model, options).await?;
    let settings = Settings {
        table: stack.table().to_owned(),
        records_of: None,
        table_arn: None,
        user_pool: Some(stack.user_pool().to_owned()),
        bus: stack.bus().to_owned(),
        work_queue: stack.work_queue().to_owned(),
        cognito_interval: None,
        deletions_per_hour: DELETIONS_PER_HOUR,
        index_lag: Duration::ZERO,
        parking: Some(Parking { queue_url: PARKED.to_owned(), bucket: BUCKET.to_owned() }),
    };
    stack.make_queue(PARKED, QueueOptions::default());
    stack.make_bucket(BUCKET);
    let instep = Instep::new(Arc::clone(&model), Clients::new(&stack.sdk_config()), settings);
    let run = RunOptions { now, publish: false, dry_run: false, deadline: None, adopt_before: None, trace: None };
    write(&stack, count).await?;
    let mut silent = Silent(&instep, run.clone());
    stack.pump(PumpOptions::default())?.drain(&mut silent).await?;
    stack.queue_pump(stack.work_queue(), QueuePumpOptions::default())?.drain(&mut silent).await?;
    let before = stack.calls().snapshot();
    let started = Instant::now();
    let options = SweepOptions { grace: Duration::ZERO, repair: false, removals_max: 0, only: None, sweep: None };
    let swept = instep.sweep(&options, &run, &|_| {}).await?;
    println!(
        "{} items, {} users, {} groups, {} memberships: {} differences in {:.1} s",
        swept.tally.items,
        swept.tally.users,
        swept.tally.groups,
        swept.tally.members,
        swept.differences.len(),
        started.elapsed().as_secs_f64()
    );
    println!("  {:<24} {:>8.1}", "read units of the scan", swept.tally.read_units);
    print_calls(&before, &stack.calls().snapshot());
    print_bytes(&stack);
    Ok(())
}

#[expect(clippy::print_stdout, reason = "it prints what it measures")]
fn print_bytes(stack: &Stack) {
    let bytes: usize = stack.objects(BUCKET).iter().map(|(_, body)| body.len()).sum();
    println!("  {:<24} {bytes:>8}", "bytes in the bucket");
}

#[expect(clippy::print_stdout, reason = "it prints what it measures")]
fn print_calls(before: &BTreeMap<String, u64>, after: &BTreeMap<String, u64>) {
    let made =
        |name: &String| after.get(name).copied().unwrap_or_default() - before.get(name).copied().unwrap_or_default();
    let calls: BTreeMap<&String, u64> =
        after.keys().map(|name| (name, made(name))).filter(|(_, made)| *made > 0).collect();
    calls.iter().for_each(|(name, made)| println!("  {name:<24} {made:>8}"));
}

async fn write(stack: &Stack, count: usize) -> Result<(), Failed> {
    let client = aws_sdk_dynamodb::Client::new(&stack.uncounted_config());
    let text = |value: String| AttributeValue::S(value);
    let (users, teams) = (count * 3 / 10, (count / 1_000).max(1));
    let user = |place: usize| {
        vec![("pk", format!("U#u{place}")), ("sk", "U".to_owned()), ("email", format!("u{place}@x.example"))]
    };
    let team = |place: usize| vec![("pk", format!("T#t{place}")), ("sk", "T".to_owned())];
    let seat = |place: usize| {
        let (user, team) = (place % users, (place / users + place) % teams);
        let keys = [("pk", format!("T#t{team}")), ("sk", format!("SEAT#u{user}"))];
        let index = [("g1p", format!("U#u{user}")), ("g1s", format!("SEAT#t{team}"))];
        keys.into_iter().chain(index).collect()
    };
    let seats = count - users - teams;
    let items: Vec<Vec<(&str, String)>> =
        (0..users).map(user).chain((0..teams).map(team)).chain((0..seats).map(seat)).collect();
    for items in items.chunks(WRITTEN) {
        let puts = items.iter().map(|item| {
            let item = item.iter().map(|(name, value)| ((*name).to_owned(), text(value.clone()))).collect();
            PutRequest::builder()
                .set_item(Some(item))
                .build()
                .map(|put| WriteRequest::builder().put_request(put).build())
        });
        let puts: Result<Vec<_>, _> = puts.collect();
        client.batch_write_item().request_items(stack.table(), puts?).send().await?;
    }
    Ok(())
}
