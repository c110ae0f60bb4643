//! Items of every size: nothing that Instep sends, writes or reads may fail for its size.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use aws_smithy_runtime_api::client::http::{
    HttpClient, HttpConnector, HttpConnectorFuture, HttpConnectorSettings, SharedHttpClient, SharedHttpConnector,
};
use aws_smithy_runtime_api::client::orchestrator::HttpRequest;
use aws_smithy_runtime_api::client::runtime_components::RuntimeComponents;
use instep_aws::{Clients, RunOptions};
use instep_flow::report::{Outcome, Report};
use instep_local::{Fault, PumpOptions};
use jiff::SignedDuration;
use serde_json::{Value, json};

use crate::own::{self, keys, parked, put};
use crate::world::{BUCKET, Batches, World, now, run};

const MODEL: &str = r#"
[items.Person]
pk = "P#{personId}"
sk = "P"
cognito.user = { name = "{personId}", create = "silent" }

[items.Team]
pk = "T#{teamId}"
sk = "T"
cognito.groups = "team|{teamId}"

[items.Seat]
pk = "T#{teamId}"
sk = "SEAT#{personId}"
GSI1 = { pk = "P#{personId}", sk = "SEAT#{teamId}" }
parent = ["Team", "Person"]
grant = { subject = "Person", scope = "Team", roles = "access.roles", until = "closes" }
cognito.member = { user = "Person", group = "Team" }
events = ["closes"]

[indexes]
GSI1 = { pk = "g1p", sk = "g1s" }
"#;

const GROUP: &str = "team|t";

/// Different roles whose JSON is five times as long as what DynamoDB counts: more than a message of a queue has.
fn many_roles() -> Value {
    let control = "\u{1}".repeat(30);
    (0..6_500).map(|role| json!(format!("{control}{role:x}"))).collect()
}

async fn seat(world: &World, more: Value) {
    let mut item = json!({"g1p": "P#p", "g1s": "SEAT#t"});
    item.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
    put(world, ("T#t", "SEAT#p"), item).await;
}

async fn person_and_team(world: &World) {
    put(world, ("P#p", "P"), json!({})).await;
    put(world, ("T#t", "T"), json!({})).await;
}

fn retried(reports: &[Report]) -> usize {
    let records = reports.iter().flat_map(|report| &report.records);
    records.filter(|record| record.outcome.is_retry()).count()
}

/// Promise 6: what stands beside a role is no part of a message, however large it is.
#[tokio::test]
async fn a_large_grant_is_granted() {
    let world = own::world(MODEL).await;
    seat(&world, json!({"access": {"roles": ["a"], "flags": vec![true; 75_000]}})).await;
    person_and_team(&world).await;
    let reports = world.drain().await;
    assert_eq!((retried(&reports), parked(&reports)), (0, vec![]));
    assert_eq!(world.members(GROUP).await, ["p"]);
}

/// Promise 6: a message that is larger than the queue takes is handled by way of the bucket.
#[tokio::test]
async fn a_message_that_fits_no_queue_goes_by_the_bucket() {
    let world = own::world(MODEL).await.parking();
    seat(&world, json!({"access": {"roles": many_roles()}})).await;
    world.drain().await;
    person_and_team(&world).await;
    let reports = world.drain().await;
    assert_eq!((retried(&reports), parked(&reports)), (0, vec![]));
    let objects = world.stack.objects(BUCKET);
    assert!(objects.iter().all(|(key, body)| key.starts_with("parked/own/work-") && body.len() > 1_048_576));
    let hops = |body: &[u8]| serde_json::from_slice::<Value>(body).unwrap()["hops"].as_u64();
    assert!(objects.iter().all(|(_, body)| hops(body) == Some(1)));
    assert!(!objects.is_empty());
    assert_eq!(world.members(GROUP).await, ["p"]);
}

/// Promise 6: without a bucket, the record that leads to such a message is parked, and the others are handled.
#[tokio::test]
async fn a_message_that_nothing_takes_parks_its_record_alone() {
    let world = own::world(MODEL).await;
    seat(&world, json!({"access": {"roles": many_roles()}})).await;
    world.drain().await;
    put(&world, ("T#t", "T"), json!({})).await;
    put(&world, ("P#p", "P"), json!({})).await;
    put(&world, ("P#q", "P"), json!({})).await;
    put(&world, ("T#u", "T"), json!({})).await;
    put(&world, ("T#u", "SEAT#q"), json!({"g1p": "P#q", "g1s": "SEAT#u", "access": {"roles": ["a"]}})).await;
    let reports = world.drain().await;
    assert_eq!(retried(&reports), 0);
    let codes = parked(&reports);
    assert!(!codes.is_empty() && codes.iter().all(|code| *code == "message-refused"), "{codes:?}");
    assert_eq!(world.members("team|u").await, ["q"], "the others are handled");
    assert!(world.members(GROUP).await.is_empty(), "nothing is granted");
}

/// Promise 6: an entry that the queue refuses for good fails neither its call nor its batch. One whose code is not
/// known is sent again.
#[tokio::test]
async fn what_the_queue_refuses_is_refused_alone() {
    let world = own::world(MODEL).await;
    let batch = |code: &str| Fault::Entries { places: vec![0], code: code.to_owned() };
    for person in ["p", "q"] {
        put(
            &world,
            ("T#t", &format!("SEAT#{person}")),
            json!({"g1p": format!("P#{person}"), "g1s": "SEAT#t", "access": {"roles": ["a"]}}),
        )
        .await;
    }
    world.drain().await;
    put(&world, ("T#t", "T"), json!({})).await;
    put(&world, ("P#p", "P"), json!({})).await;
    let records = crate::gate::take_records(&world).await;
    world.stack.faults().next("SendMessageBatch", 1, batch("Teapot"));
    let report = world.instep.handle(&records, &run()).await;
    assert_eq!(report.retry_from(), None, "a code that is not known is retried");
    assert_eq!(report.unlisted.values().sum::<u64>(), 1, "and counted: {:?}", report.unlisted);
    world.stack.faults().next("SendMessageBatch", 1, batch("InvalidMessageContents"));
    let report = world.instep.handle(&records, &run()).await;
    assert_eq!(report.retry_from(), None);
    assert!(
        report
            .records
            .iter()
            .any(|record| matches!(&record.outcome, Outcome::Parked(why) if why.code == "message-refused"))
    );
}

/// Promise 1: the end of a grant comes, however large its item is: with roles that fit no item of a moment, too.
#[tokio::test]
async fn the_end_of_a_large_grant_comes() {
    let same: Value = vec![json!("a"); 90_000].into();
    for roles in [same, many_roles()] {
        let world = own::world(MODEL).await.parking();
        person_and_team(&world).await;
        let closes = now() + SignedDuration::from_secs(60);
        seat(&world, json!({"access": {"roles": roles}, "closes": closes.to_string()})).await;
        let reports = world.drain().await;
        assert_eq!((retried(&reports), parked(&reports)), (0, vec![]));
        assert_eq!(world.members(GROUP).await, ["p"]);
        let later = RunOptions { now: closes + SignedDuration::from_secs(10), ..run() };
        world.stack.clock().set(later.now);
        assert_eq!(world.instep.tick(&later).await.unwrap().sent, 1);
        let reports = world.drain_with(later).await;
        assert_eq!((retried(&reports), parked(&reports)), (0, vec![]));
        assert!(world.members(GROUP).await.is_empty());
        assert!(world.verbs().iter().any(|verb| verb.ends_with("Revoked")), "{:?}", world.verbs());
    }
}

/// Promise 1: a moment that the work queue refuses for good stops no other one, and no tick. Its item stays. What is
/// refused for its image alone is sent without it.
#[tokio::test]
async fn a_moment_that_the_queue_refuses_stops_no_other_one() {
    let world = own::world(MODEL).await.parking();
    person_and_team(&world).await;
    let closes = now() + SignedDuration::from_secs(60);
    seat(&world, json!({"access": {"roles": ["a"]}, "closes": closes.to_string()})).await;
    put(&world, ("P#q", "P"), json!({})).await;
    let other = json!({"g1p": "P#q", "g1s": "SEAT#t", "access": {"roles": ["a"]}, "closes": closes.to_string()});
    put(&world, ("T#t", "SEAT#q"), other).await;
    world.drain().await;
    let later = RunOptions { now: closes + SignedDuration::from_secs(10), ..run() };
    world.stack.clock().set(later.now);
    let refuse_the_first_of = |calls: u64| {
        let fault = Fault::Entries { places: vec![0], code: "InvalidMessageContents".to_owned() };
        world.stack.faults().next("SendMessageBatch", calls, fault);
    };
    // Both in one message, then each alone, then the one without its image.
    refuse_the_first_of(3);
    let tick = world.instep.tick(&later).await.unwrap();
    assert_eq!((tick.sent, tick.refused), (1, 1));
    world.drain_with(later.clone()).await;
    assert_eq!(world.members(GROUP).await.len(), 1, "the other one ends");
    // The next tick tries again.
    refuse_the_first_of(1);
    let tick = world.instep.tick(&later).await.unwrap();
    assert_eq!((tick.sent, tick.refused), (1, 0), "without its image it is sent");
    let reports = world.drain_with(later).await;
    assert_eq!((retried(&reports), parked(&reports)), (0, vec![]));
    assert!(world.members(GROUP).await.is_empty());
}

/// Promise 6: a parked record that the queue refuses for good is kept in the bucket, and a message points to it. Its
/// batch does not come back.
#[tokio::test]
async fn a_parked_record_that_the_queue_refuses_is_kept_in_the_bucket() {
    let world = own::world(MODEL).await.parking();
    seat(&world, json!({"access": {"roles": [1]}})).await;
    let records = crate::gate::take_records(&world).await;
    let fault = Fault::Entries { places: vec![0], code: "InvalidMessageContents".to_owned() };
    world.stack.faults().next("SendMessageBatch", 1, fault);
    let report = world.instep.handle(&records, &run()).await;
    assert_eq!(report.retry_from(), None);
    let messages = world.parked(crate::world::QUEUE);
    assert_eq!(messages.len(), 1);
    let objects = world.stack.objects(BUCKET);
    assert!(messages[0].get("record").is_none());
    assert_eq!(messages[0]["s3"]["key"], objects[0].0.as_str());
    assert_eq!(objects[0].1, records[0].get().as_bytes());
}

/// How a large value is written.
#[derive(Debug, Clone, Copy)]
enum Shape {
    Text,
    /// Six bytes of JSON for each of DynamoDB.
    Control,
    /// Seven bytes of JSON for each of DynamoDB, in a third of the value: three in all.
    Flags,
    Nested,
    Texts,
    Numbers,
    Binary,
    Binaries,
}

const SHAPES: [Shape; 8] = [
    Shape::Text,
    Shape::Control,
    Shape::Flags,
    Shape::Nested,
    Shape::Texts,
    Shape::Numbers,
    Shape::Binary,
    Shape::Binaries,
];

impl Shape {
    /// A value of about so many bytes, as DynamoDB counts them. Its time grows with its elements, so these are few.
    /// The JSON of the largest flags and control characters is still longer than a message of any service.
    fn of(self, bytes: usize) -> Value {
        const ELEMENT_BYTES: usize = 100;
        // A number has at most 38 digits. Source: Amazon DynamoDB Developer Guide, "Supported data types". Two are a
        // byte, and each number has a byte more.
        const NUMBER_DIGITS: usize = 38;
        const NUMBER_BYTES: usize = NUMBER_DIGITS / 2 + 1;
        let elements = |element_bytes: usize, digits: usize| -> Value {
            (0..=bytes / element_bytes).map(|at| json!(format!("1{at:0width$}", width = digits - 1))).collect()
        };
        match self {
            Self::Text => json!("x".repeat(bytes)),
            Self::Control => json!("\u{1}".repeat(bytes)),
            Self::Flags => json!([vec![true; bytes / 3 / 2], "x".repeat(bytes * 2 / 3)]),
            Self::Nested => json!({"a": [{"b": "x".repeat(bytes / 2)}, ["y".repeat(bytes / 2)]]}),
            Self::Texts => json!({"$ss": elements(ELEMENT_BYTES, ELEMENT_BYTES)}),
            Self::Numbers => json!({"$ns": elements(NUMBER_BYTES, NUMBER_DIGITS)}),
            Self::Binary => json!({"$b": "x".repeat(bytes)}),
            Self::Binaries => json!({"$bs": elements(ELEMENT_BYTES, ELEMENT_BYTES)}),
        }
    }
}

/// Where a large value is.
#[derive(Debug, Clone, Copy)]
enum Beside {
    /// In the map that has the roles.
    Roles,
    /// In an attribute that events show.
    Shown,
    /// In a secret attribute.
    Secret,
}

const PLACES: [Beside; 3] = [Beside::Roles, Beside::Shown, Beside::Secret];

/// A seat with two large values.
#[derive(Debug)]
struct Large {
    /// The value, where it is, and its bytes.
    first: (Shape, Beside, usize),
    /// Another, in an attribute that Instep does not know.
    second: (Shape, usize),
    /// Whether the grant has an end.
    closes: bool,
}

impl Large {
    /// One of the cases, which have each shape in each place. The sizes and the other shape are drawn.
    fn drawn(case: usize, random: &mut u64) -> Self {
        // Leaves room for the other attributes. Source of the limit of 400 KB: Amazon DynamoDB Developer Guide,
        // "Service, account, and table quotas".
        const BYTES_MAX: usize = 380_000;
        let mut draw = |below: usize| {
            // Constants of Knuth's MMIX generator: the same cases each time.
            *random = random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            usize::try_from(*random >> 33).unwrap() % below
        };
        // One of three is nearly full.
        let all = if draw(3) == 0 { BYTES_MAX } else { draw(BYTES_MAX) + 1 };
        let bytes = if draw(2) == 0 { all } else { draw(all) + 1 };
        let first = (SHAPES[case % SHAPES.len()], PLACES[case % PLACES.len()], bytes);
        Self { first, second: (SHAPES[draw(SHAPES.len())], (all - bytes).max(1)), closes: draw(3) > 0 }
    }

    async fn put(&self, world: &World, closes: jiff::Timestamp) {
        let (shape, beside, bytes) = self.first;
        let mut item = json!({"access": {"roles": ["a"]}, "pin": "1234", "more": self.second.0.of(self.second.1)});
        match beside {
            Beside::Roles => item["access"]["bulk"] = shape.of(bytes),
            Beside::Shown => item["note"] = shape.of(bytes),
            Beside::Secret => item["pin"] = shape.of(bytes),
        }
        if self.closes {
            item["closes"] = json!(closes.to_string());
        }
        seat(world, item).await;
    }
}

/// How long a case may take.
const DEADLINE: std::time::Duration = std::time::Duration::from_secs(120);

/// A large seat is granted after it has waited, ends in time, is granted again, and is deleted with its person. The
/// stack refuses a message, an event, an item or a call above the limit of its service.
async fn lives(large: &Large) {
    let model = MODEL.replace("events = [\"closes\"]", "events = [\"closes\", \"note\"]");
    let world = own::world_with("pk = \"pk\", sk = \"sk\", secret = [\"pin\"]", &model).await.parking();
    let is_well = |reports: &[Report]| assert_eq!((retried(reports), parked(reports)), (0, vec![]));
    let closes = now() + SignedDuration::from_secs(60);
    large.put(&world, closes).await;
    is_well(&world.drain().await);
    person_and_team(&world).await;
    is_well(&world.drain().await);
    assert_eq!(world.members(GROUP).await, ["p"]);
    let later = RunOptions { now: closes + SignedDuration::from_secs(10), ..run() };
    world.stack.clock().set(later.now);
    assert_eq!(world.instep.tick(&later).await.unwrap().sent, usize::from(large.closes));
    is_well(&world.drain_with(later.clone()).await);
    assert_eq!(world.members(GROUP).await.is_empty(), large.closes);
    large.put(&world, closes + SignedDuration::from_secs(3_600)).await;
    is_well(&world.drain_with(later.clone()).await);
    assert_eq!(world.members(GROUP).await, ["p"]);
    world.delete(("pk", "sk"), ("P#p", "P")).await;
    is_well(&world.drain_with(later).await);
    assert!(world.members(GROUP).await.is_empty());
    assert_eq!(keys(&world).await, ["T#t T"], "the seat is deleted with its person");
}

/// Promises 1 and 6: an item of any size and shape takes every path, and nothing of it comes back.
#[tokio::test]
async fn an_item_of_any_size_and_shape_lives_and_ends() {
    let mut random = 1;
    for case in 0..SHAPES.len() * PLACES.len() {
        let large = Large::drawn(case, &mut random);
        assert!(tokio::time::timeout(DEADLINE, lives(&large)).await.is_ok(), "{large:?} takes too long");
    }
}

/// Sums the bytes of the answers of DynamoDB.
#[derive(Debug, Clone)]
struct Weighed(SharedHttpClient, Arc<AtomicUsize>);

#[derive(Debug, Clone)]
struct WeighedConnector(SharedHttpConnector, Arc<AtomicUsize>);

impl HttpClient for Weighed {
    fn http_connector(&self, settings: &HttpConnectorSettings, components: &RuntimeComponents) -> SharedHttpConnector {
        SharedHttpConnector::new(WeighedConnector(self.0.http_connector(settings, components), Arc::clone(&self.1)))
    }
}

impl HttpConnector for WeighedConnector {
    fn call(&self, request: HttpRequest) -> HttpConnectorFuture {
        let Self(inner, bytes) = self.clone();
        let is_of_the_table =
            request.headers().get("x-amz-target").is_some_and(|target| target.starts_with("DynamoDB"));
        HttpConnectorFuture::new(async move {
            let answer = inner.call(request).await;
            let body = answer.as_ref().ok().and_then(|answer| answer.body().bytes());
            let read = body.filter(|_| is_of_the_table).map_or(0, <[u8]>::len);
            bytes.fetch_add(read, Ordering::Relaxed);
            answer
        })
    }
}

/// The bytes that a batch reads which deletes parents with children of this size, found by key and by an index.
async fn bytes_read(child_bytes: usize) -> usize {
    const PARENTS: usize = 4;
    const CHILDREN: usize = 40;
    let world = own::world(MODEL).await;
    for parent in 0..PARENTS {
        put(&world, ("T#x", &format!("T{parent}")), json!({})).await;
        put(&world, (&format!("P#{parent}"), "P"), json!({})).await;
        for child in 0..CHILDREN {
            let key = (format!("T#{child}"), format!("SEAT#{parent}"));
            let more =
                json!({"g1p": format!("P#{parent}"), "g1s": format!("SEAT#{child}"), "note": "x".repeat(child_bytes)});
            put(&world, (&key.0, &key.1), more).await;
        }
    }
    world.stack.pump(PumpOptions::default()).unwrap().skip_to_end().unwrap();
    for parent in 0..PARENTS {
        world.delete(("pk", "sk"), (&format!("P#{parent}"), "P")).await;
    }
    let bytes = Arc::new(AtomicUsize::new(0));
    let config = world.stack.sdk_config();
    let client = SharedHttpClient::new(Weighed(config.http_client().unwrap(), Arc::clone(&bytes)));
    let instep = world.handler(Clients::new(&config.to_builder().http_client(client).build()));
    let records = crate::gate::take_records(&world).await;
    let mut batches = Batches { instep: &instep, run: run(), reports: Vec::new() };
    instep_local::Handler::handle(&mut batches, &records).await.unwrap();
    let left = keys(&world).await;
    assert!(left.iter().all(|key| !key.contains(" SEAT#")), "all children are deleted: {left:?}");
    bytes.load(Ordering::Relaxed)
}

/// Promise 8: what a cascade holds in memory does not depend on the size of the children: a batch may delete a
/// hundred parents with 96 children of 100 KB each, which are 960 MB. `tests/blackbox/memory.py` measures that.
#[tokio::test]
async fn a_cascade_reads_nothing_of_its_children_but_what_it_needs() {
    let (small, large) = (bytes_read(1).await, bytes_read(20_000).await);
    assert!(large < small + small / 10, "{large} bytes of children of 20 KB, {small} of small ones");
    assert!(small < 4 * 40 * 3_000, "{small} bytes: less than 3 KB for a child");
}
