//! The pace of calls to Cognito, in virtual time, against a stand-in that enforces its quota.

#![allow(clippy::unwrap_used, reason = "a test fails by a panic")]

use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use bench::flow::{Flow, Quota};
use bench::mix;
use bench::standin::StandInServices;
use instep_model::Model;
use serde_json::value::RawValue;
use tokio::time::Instant;

/// Changes of memberships a second. Source: Amazon Cognito Developer Guide, "Quotas in Amazon Cognito".
const QUOTA: u32 = 25;

const CHANGES: usize = 4_000;

/// The records of a batch.
const BATCH: usize = 100;

/// How long an answer takes.
const ANSWER: Duration = Duration::from_millis(40);

fn grants(from: usize) -> (Vec<Box<RawValue>>, Vec<serde_json::Value>) {
    let records: Vec<_> = (from..from + BATCH).map(mix::grant).collect();
    let raw = records.iter().map(|record| serde_json::value::to_raw_value(record).unwrap()).collect();
    (raw, mix::table(&records))
}

/// Handles [`CHANGES`] grants at a rate, while Cognito allows `allowed(second)`. Returns the seconds that
/// it took, and the part of the calls that Cognito refused.
async fn run(rate: u32, allowed: impl Fn(u64) -> u32) -> (f64, f64) {
    let model = Path::new(env!("CARGO_MANIFEST_DIR")).join("model.toml");
    let flow = Flow::at_rate(&Arc::new(Model::load(&model).unwrap()), StandInServices::default(), ANSWER, rate);
    flow.enforce(Quota::new(QUOTA));
    let began = Instant::now();
    for from in (0..CHANGES).step_by(BATCH) {
        flow.allow(allowed(began.elapsed().as_secs()));
        let (records, items) = grants(from);
        flow.reset(StandInServices::new(items));
        flow.batch(&records).await.unwrap();
    }
    let (refused, taken) = flow.refused();
    assert_eq!(taken, CHANGES as u64);
    (began.elapsed().as_secs_f64(), refused as f64 / (refused + taken) as f64)
}

/// Many changes take no longer than the quota makes them, and Cognito throttles hardly any.
#[tokio::test(start_paused = true)]
async fn many_changes_take_what_the_quota_makes_them_take() {
    let (seconds, refused) = run(QUOTA, |_| QUOTA).await;
    let floor = CHANGES as f64 / f64::from(QUOTA);
    assert!(seconds <= floor * 1.05, "{seconds} s, where {floor} s are the floor");
    assert!(refused < 0.01, "Cognito refused {:.2}%", refused * 100.0);
}

/// Where others use half of the quota for a while, the calls slow down, and get faster again.
#[tokio::test(start_paused = true)]
async fn the_pace_follows_what_cognito_allows() {
    let (seconds, refused) = run(QUOTA, |second| if (40..80).contains(&second) { 12 } else { QUOTA }).await;
    // In the 40 seconds with 12 a second, 520 changes fewer are possible.
    let floor = CHANGES as f64 / f64::from(QUOTA) + 520.0 / f64::from(QUOTA);
    assert!(seconds <= floor * 1.15, "{seconds} s, where {floor} s are the floor");
    assert!(refused < 0.05, "Cognito refused {:.2}%", refused * 100.0);
}
