//! The example consumer, over events of which some were lost: once it has a snapshot, it says what the table says.

use std::collections::{BTreeMap, BTreeSet};

use instep_consumer_function::{Row, Rows};
use instep_contract::{Cause, Detail};
use instep_local::{Clock, Stack, StackOptions};
use instep_model::Model;
use jiff::{SignedDuration, Timestamp};
use serde_json::Value;

use crate::support::instep;

/// The models that have grants.
const MODELS: [&str; 4] = ["access-management", "account-management", "authorization", "platform"];

const SEEDS: u64 = 20;

/// The consumer's table.
const TABLE: &str = r#"
model = "consumer"
[table]
pk = "subject"
sk = "grant"
[items.Row]
pk = "{entity}#{entityId}"
sk = "{hash}"
"#;

/// What was published of all captured histories of a model, and a snapshot an hour after the last.
struct Published {
    events: Vec<Detail>,
    snapshot: Vec<Detail>,
}

impl Published {
    fn of(model: &str) -> Self {
        let dir = tempfile::tempdir().unwrap();
        let data = dir.path().join("data").to_str().unwrap().to_owned();
        let ran = instep(&["replay", &format!("events/{model}"), "--model", model, "--data", &data, "--json"]);
        let events: Vec<Detail> = ran.of("event").iter().map(|event| detail(&event["event"]["detail"])).collect();
        let last =
            events.iter().filter_map(|event| event.metadata.recorded_at.as_ref()?.parse::<Timestamp>().ok()).max();
        let now = last.unwrap().saturating_add(SignedDuration::from_hours(1)).unwrap().to_string();
        let taken = instep(&["contract", "snapshot", "--data", &data, "--now", &now]);
        assert_eq!(taken.status, 0, "{}", taken.stderr);
        Self { events, snapshot: taken.lines.iter().map(|event| detail(&event["detail"])).collect() }
    }

    /// The snapshot, with some events between its own, in any order, and some after them.
    fn with_snapshot<'a>(&'a self, some: &[&'a Detail], random: &mut fastrand::Rng) -> Vec<&'a Detail> {
        let (during, after) = some.split_at(some.len() / 2);
        let mut all: Vec<&Detail> = self.snapshot.iter().chain(during.iter().copied()).collect();
        random.shuffle(&mut all);
        all.extend(after);
        all
    }

    /// A snapshot of some items, such as one of what has changed since a time.
    fn part(&self) -> Vec<Detail> {
        let mut part: Vec<Detail> = self.snapshot.iter().take(self.snapshot.len() / 2).cloned().collect();
        part.extend(self.snapshot.last().cloned());
        if let Some(mark) = part.last_mut().and_then(|ended| ended.metadata.snapshot.as_mut()) {
            mark.complete = Some(false);
        }
        part
    }

    /// The events that tell of grants: the others change no row.
    fn grants(&self) -> Vec<&Detail> {
        self.events.iter().filter(|event| ["granted", "revoked"].contains(&verb(event).as_str())).collect()
    }
}

fn detail(value: &Value) -> Detail {
    serde_json::from_value(value.clone()).unwrap()
}

/// A quarter of them.
fn quarter<'a>(events: &[&'a Detail], random: &mut fastrand::Rng) -> Vec<&'a Detail> {
    random.choose_multiple(events.iter().copied(), events.len() / 4)
}

fn verb(detail: &Detail) -> String {
    serde_json::to_value(detail.metadata.verb).unwrap().as_str().unwrap().to_owned()
}

/// What a new table of the consumer says after these events.
async fn read_model(events: impl IntoIterator<Item = &Detail>) -> Vec<Row> {
    let model = Model::parse("consumer.toml", TABLE).unwrap();
    let clock = Clock::new(Timestamp::UNIX_EPOCH);
    let stack = Stack::open(&model, StackOptions { dir: None, table: "consumer".to_owned(), clock }).await.unwrap();
    let rows = Rows::new(aws_sdk_dynamodb::Client::new(&stack.uncounted_config()), stack.table().to_owned());
    for event in events {
        rows.apply(event).await.unwrap();
    }
    let found = rows.all().await.unwrap();
    stack.close().await;
    found
}

/// A tenth of the events never comes, or all rows are lost and a quarter of the events comes again: in both cases the
/// snapshot makes it right, whatever comes before, between and after its events.
#[tokio::test]
async fn a_snapshot_repairs_what_was_lost() {
    let (mut broken, mut granted) = (0, 0);
    for model in MODELS {
        let published = Published::of(model);
        let grants = published.grants();
        let truth = read_model(&published.snapshot).await;
        assert_eq!(read_model(grants.iter().copied()).await, truth, "{model}: every event, and nothing lost");
        granted += truth.len();
        let part = published.part();
        let with_a_part = grants.iter().copied().chain(&part);
        assert_eq!(read_model(with_a_part).await, truth, "{model}: the end of a part deletes nothing");
        for seed in 0..SEEDS {
            let mut random = fastrand::Rng::with_seed(seed);
            let mut left: Vec<&Detail> = grants.iter().copied().filter(|_| random.f32() >= 0.1).collect();
            random.shuffle(&mut left);
            let again = quarter(&left, &mut random);
            let lossy = [left, published.with_snapshot(&again, &mut random)].concat();
            assert_eq!(read_model(lossy.iter().copied()).await, truth, "{model}, seed {seed}: a tenth was lost");
            let old = published.with_snapshot(&quarter(&grants, &mut random), &mut random);
            assert_eq!(read_model(old).await, truth, "{model}, seed {seed}: all rows were lost");
            let without_end = lossy.into_iter().filter(|event| verb(event) != "ended");
            broken += usize::from(read_model(without_end).await != truth);
        }
    }
    assert!(broken > 0, "nothing shows that the end of a snapshot deletes what is gone");
    assert!(granted > 20, "only {granted} grants in the end");
}

/// A restored table has a new stream, whose sequence numbers begin anew: its events count nevertheless, and those of the
/// former stream that come late do not.
#[tokio::test]
async fn a_new_stream_is_not_ignored() {
    let published = Published::of("access-management");
    let grants = published.grants();
    let former = |event: &&Detail| {
        let mut event = Detail::clone(event);
        event.metadata.epoch = "2000-01-01T00:00:00.000".to_owned();
        event.metadata.sequence.replace_range(..1, "9");
        event
    };
    let mut of_items: BTreeMap<&str, Vec<&Detail>> = BTreeMap::new();
    for event in &grants {
        of_items.entry(&event.metadata.item).or_default().push(event);
    }
    let halves = || of_items.values().map(|events| events.split_at(events.len() / 2));
    let before: Vec<Detail> = halves().flat_map(|(half, _)| half.iter().map(former)).collect();
    let after: Vec<&Detail> = halves().flat_map(|(_, half)| half).copied().collect();
    let truth = read_model(grants.iter().copied()).await;
    assert_eq!(read_model(before.iter().chain(after.iter().copied())).await, truth, "in order");
    assert_eq!(read_model(after.iter().copied().chain(&before)).await, truth, "the former stream comes last");
    let without = |event: &Detail| {
        let mut event = event.clone();
        event.metadata.epoch = String::new();
        event
    };
    let without: Vec<Detail> = before.iter().chain(after.iter().copied()).map(without).collect();
    assert_ne!(read_model(&without).await, truth, "nothing shows that the epoch decides");
}

/// Promise 5: an event says the stream of its record, also when a window opens or closes long after that record.
#[test]
fn an_event_says_the_stream_of_its_record() {
    let published = Published::of("account-management");
    let has_record = |event: &&Detail| event.metadata.sequence.bytes().any(|digit| digit != b'0');
    let of_records: Vec<&Detail> = published.events.iter().filter(has_record).collect();
    assert!(of_records.iter().any(|event| event.metadata.cause == Cause::Due), "a window opened or closed");
    let epochs: BTreeSet<&str> = of_records.iter().map(|event| event.metadata.epoch.as_str()).collect();
    assert!(epochs.len() == 1 && !epochs.contains(""), "{epochs:?}");
}
