//! Metrics, in CloudWatch's embedded format: log lines from which CloudWatch extracts metrics.
//! Source: Amazon CloudWatch User Guide, "Specification: Embedded metric format".

use std::collections::BTreeMap;

use instep_aws::Unlisted;
use instep_aws::clock::Tick;
use instep_aws::sweep::SweepSummary;
use instep_flow::account::WHY_HELD;
use instep_flow::report::{EffectOutcome, Outcome, Report};
use instep_flow::sweep::plan::Mode;
use jiff::Timestamp;
use serde_json::{Map, Value, json};

/// The namespace.
const NAMESPACE: &str = "Instep";

/// The dimension that every metric has: the function's name.
const FUNCTION: &str = "Function";

/// How detailed the metrics are.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum MetricsDetail {
    /// Totals, and their parts: by item type and change, outcome, operation, code.
    Full,
    /// Totals only. Each combination of dimensions is a metric that costs money.
    Totals,
    /// Nothing.
    Off,
}

/// The outcome of one invocation.
#[derive(Debug)]
pub(crate) struct Measurements<'a> {
    pub(crate) report: &'a Report,
    /// API calls, by operation.
    pub(crate) calls: &'a BTreeMap<String, u64>,
    /// The age of the oldest record, in milliseconds.
    pub(crate) oldest_ms: Option<i64>,
    /// The outcome of the messages, if the batch had work messages.
    pub(crate) work: Option<WorkOutcome>,
    pub(crate) now: Timestamp,
}

/// The outcome of a batch of work messages.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct WorkOutcome {
    /// The number of messages that were handled and are deleted from the queue.
    pub handled: usize,
    /// The number of messages that new ones have replaced, because the time was over.
    pub replaced: usize,
    /// The number of messages that failed and are delivered again.
    pub failed: usize,
    /// When the oldest message was sent.
    pub oldest: Option<Timestamp>,
    /// The earliest moment that has come and is handled.
    pub due: Option<Timestamp>,
}

/// The metric of the codes that Instep does not know.
fn unknown_errors(unlisted: &Unlisted) -> (&'static str, &'static str, Value) {
    ("UnknownErrors", "Count", json!(unlisted.values().sum::<u64>()))
}

/// Writes the metrics of one function.
#[derive(Debug)]
pub(crate) struct Metrics {
    pub(crate) function: String,
    pub(crate) detail: MetricsDetail,
}

impl Metrics {
    /// The lines of one invocation.
    pub(crate) fn lines(&self, measurements: &Measurements<'_>) -> Vec<String> {
        if self.detail == MetricsDetail::Off {
            return Vec::new();
        }
        let mut lines = vec![self.totals(measurements)];
        if self.detail == MetricsDetail::Full {
            let parts = breakdown(measurements.report).into_iter().chain(calls(measurements.calls));
            lines.extend(parts.map(|part| self.part(measurements.now, part)));
        }
        lines
    }

    /// The line of an invocation without a batch. `DueDelay` is how long ago the earliest moment came that a tick of
    /// the clock found, in milliseconds: zero if none was due. A tick that failed has sent an unknown number.
    pub(crate) fn calls(&self, tick: Option<&Tick>, unlisted: &Unlisted, calls: u64, now: Timestamp) -> Vec<String> {
        if self.detail == MetricsDetail::Off {
            return Vec::new();
        }
        let mut values = vec![("ApiCalls", "Count", json!(calls)), unknown_errors(unlisted)];
        if let Some(tick) = tick {
            let delay_ms = tick.oldest.map_or(0, |oldest| (now.as_millisecond() - oldest.as_millisecond()).max(0));
            values.push(("DueSent", "Count", json!(tick.sent)));
            values.push(("DueDelay", "Milliseconds", json!(delay_ms)));
        }
        vec![self.line(now, &[], &values)]
    }

    /// The line of a sign-up: whether the work queue has its message.
    pub(crate) fn sign_up(&self, is_sent: bool, now: Timestamp) -> Vec<String> {
        if self.detail == MetricsDetail::Off {
            return Vec::new();
        }
        let values = [("SignUps", "Count", json!(1)), ("SignUpsLost", "Count", json!(u8::from(!is_sent)))];
        vec![self.line(now, &[], &values)]
    }

    /// The line of a token: whether nobody got it, and whether it lacks groups.
    pub(crate) fn token(&self, is_failed: bool, is_incomplete: bool, now: Timestamp) -> Vec<String> {
        if self.detail == MetricsDetail::Off {
            return Vec::new();
        }
        let count = |is: bool| json!(u8::from(is));
        let values = [
            ("Tokens", "Count", json!(1)),
            ("TokensFailed", "Count", count(is_failed)),
            ("TokensIncomplete", "Count", count(is_incomplete)),
        ];
        vec![self.line(now, &[], &values)]
    }

    /// The lines of a sweep that has ended: it says what it has found, also if that is nothing.
    pub(crate) fn swept(&self, mode: Mode, summary: &SweepSummary, now: Timestamp) -> Vec<String> {
        if self.detail == MetricsDetail::Off || mode == Mode::Backfill {
            return Vec::new();
        }
        let mut lines = Vec::new();
        let SweepSummary { began, tally, is_stopped } = summary;
        let seconds = (now.as_millisecond() - began.as_millisecond()).max(0) / 1_000;
        let values = [
            ("DriftFound", "Count", json!(tally.drift() + tally.more)),
            ("DriftRepaired", "Count", json!(tally.sent)),
            ("DriftInProgress", "Count", json!(tally.in_progress)),
            ("SweepRemovals", "Count", json!(tally.removals)),
            ("SweepStopped", "Count", json!(u8::from(*is_stopped))),
            ("SweepEnded", "Count", json!(1)),
            ("SweepTime", "Seconds", json!(seconds)),
        ];
        lines.push(self.line(now, &[], &values));
        if self.detail == MetricsDetail::Full {
            let kinds = tally.kinds.iter();
            let parts = kinds.map(|(kind, count)| ("DriftFound", vec![("Kind", kind.word().to_owned())], *count));
            lines.extend(parts.map(|part| self.part(now, part)));
        }
        lines
    }

    /// Whether the change to the deployed model waits for a person.
    pub(crate) fn change(&self, is_waiting: bool, now: Timestamp) -> Vec<String> {
        if self.detail == MetricsDetail::Off {
            return Vec::new();
        }
        vec![self.line(now, &[], &[("ChangeWaiting", "Count", json!(u8::from(is_waiting)))])]
    }

    /// Totals are written even if they are zero: an alarm must see that nothing is wrong.
    fn totals(&self, measurements: &Measurements<'_>) -> String {
        let Measurements { report, calls, oldest_ms, work, now } = measurements;
        let count =
            |wanted: fn(&Outcome) -> bool| report.records.iter().filter(|record| wanted(&record.outcome)).count();
        let mut values = vec![
            ("Records", "Count", json!(report.records.len())),
            ("Parked", "Count", json!(count(|outcome| matches!(outcome, Outcome::Parked(_))))),
            ("Retried", "Count", json!(count(|outcome| matches!(outcome, Outcome::Retry { .. })))),
            ("Effects", "Count", json!(report.effects.len())),
            ("Events", "Count", json!(report.events.len())),
            ("Conflicts", "Count", json!(report.conflicts)),
            ("Findings", "Count", json!(report.findings.values().sum::<u64>())),
            ("ApiCalls", "Count", json!(calls.values().sum::<u64>())),
            ("CognitoThrottles", "Count", json!(report.throttles)),
            unknown_errors(&report.unlisted),
        ];
        let held = report.effects.iter().filter(|effect| effect.why.as_deref() == Some(WHY_HELD)).count();
        values.push(("UsersHeld", "Count", json!(held)));
        values.extend(oldest_ms.map(|ms| ("OldestRecordAge", "Milliseconds", json!(ms.max(0)))));
        if let Some(WorkOutcome { handled, failed, oldest, due, .. }) = work {
            values.push(("WorkHandled", "Count", json!(handled)));
            values.push(("WorkFailed", "Count", json!(failed)));
            let age = |oldest: &Timestamp| json!((now.as_millisecond() - oldest.as_millisecond()).max(0));
            values.extend(oldest.as_ref().map(|oldest| ("OldestWorkAge", "Milliseconds", age(oldest))));
            values.extend(due.as_ref().map(|due| ("DueDelay", "Milliseconds", age(due))));
        }
        self.line(*now, &[], &values)
    }

    fn part(&self, now: Timestamp, (metric, dimensions, count): Part) -> String {
        self.line(now, &dimensions, &[(metric, "Count", json!(count))])
    }

    fn line(&self, now: Timestamp, dimensions: &[(&str, String)], values: &[(&str, &str, Value)]) -> String {
        let names: Vec<&str> = [FUNCTION].into_iter().chain(dimensions.iter().map(|(name, _)| *name)).collect();
        let metrics: Vec<Value> = values.iter().map(|(name, unit, _)| json!({"Name": name, "Unit": unit})).collect();
        let mut line = Map::new();
        let directive = json!({"Namespace": NAMESPACE, "Dimensions": [names], "Metrics": metrics});
        line.insert("_aws".to_owned(), json!({"Timestamp": now.as_millisecond(), "CloudWatchMetrics": [directive]}));
        line.insert(FUNCTION.to_owned(), json!(self.function));
        line.extend(dimensions.iter().map(|(name, value)| ((*name).to_owned(), json!(value))));
        line.extend(values.iter().map(|(name, _, value)| ((*name).to_owned(), value.clone())));
        Value::Object(line).to_string()
    }
}

/// Dimensions in addition to the function, with their values.
type Dimensions = Vec<(&'static str, String)>;

/// A metric, its dimensions, and a count.
type Part = (&'static str, Dimensions, u64);

fn breakdown(report: &Report) -> Vec<Part> {
    let mut counts: BTreeMap<(&'static str, Dimensions), u64> = BTreeMap::new();
    let mut count = |metric, dimensions: Dimensions| *counts.entry((metric, dimensions)).or_default() += 1;
    for record in &report.records {
        if let Some(change) = &record.change {
            count("Records", vec![("ItemType", change.item.clone()), ("Change", change.verb.to_owned())]);
        }
        if let Outcome::Parked(parked) = &record.outcome {
            count("Parked", vec![("Code", parked.code.to_owned())]);
        }
    }
    for effect in &report.effects {
        let outcome = match effect.outcome {
            EffectOutcome::Done => "done",
            EffectOutcome::Already => "already",
            EffectOutcome::NotDone => "not-done",
        };
        count("Effects", vec![("Outcome", outcome.to_owned())]);
    }
    let findings = report.findings.iter().map(|((kind, item), count)| {
        ("Findings", vec![("Finding", kind.word().to_owned()), ("ItemType", item.clone())], *count)
    });
    let counts = counts.into_iter().map(|((metric, dimensions), count)| (metric, dimensions, count));
    counts.chain(findings).collect()
}

fn calls(calls: &BTreeMap<String, u64>) -> impl Iterator<Item = Part> + '_ {
    calls.iter().map(|(operation, count)| ("ApiCalls", vec![("Operation", operation.clone())], *count))
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use instep_flow::effect::Effect;
    use instep_flow::reconcile::FindingKind;
    use instep_flow::report::{ChangeReport, EffectReport, Parked, RecordReport};
    use instep_flow::sweep::{DifferenceKind, SweepTally};
    use jiff::SignedDuration;
    use serde_json::value::RawValue;

    use super::*;

    fn report() -> Report {
        let record = |outcome, verb| RecordReport {
            work: None,
            sequence: Some("1".to_owned()),
            change: Some(ChangeReport {
                item: "User".to_owned(),
                id: "ann@example.com".to_owned(),
                verb,
                changed: vec!["email".to_owned()],
                notes: Vec::new(),
            }),
            outcome,
        };
        let parked = Parked { code: "wrong-type", reason: "r".to_owned(), record: RawValue::NULL.to_owned() };
        let effect = EffectReport {
            records: vec![instep_flow::entries::EntryId(0)],
            effect: Arc::new(Effect::DisableUser { user: String::new(), username: Default::default() }),
            service: "cognito",
            operation: "AdminCreateUser",
            target: "ann@example.com".to_owned(),
            outcome: EffectOutcome::Done,
            why: None,
        };
        Report {
            records: vec![record(Outcome::Handled, "created"), record(Outcome::Parked(Box::new(parked)), "updated")],
            effects: vec![effect.clone(), effect],
            events: Vec::new(),
            conflicts: 1,
            findings: BTreeMap::from([((FindingKind::OwnerMissing, "Email".to_owned()), 2)]),
            throttles: 3,
            unlisted: BTreeMap::from([("Teapot".to_owned(), 2)]),
            is_out_of_time: false,
        }
    }

    fn lines(detail: MetricsDetail) -> Vec<String> {
        let calls = BTreeMap::from([("AdminCreateUser".to_owned(), 2), ("BatchGetItem".to_owned(), 1)]);
        let now = Timestamp::from_second(1_800_000_000).unwrap();
        let metrics = Metrics { function: "stream".to_owned(), detail };
        metrics.lines(&Measurements { report: &report(), calls: &calls, oldest_ms: Some(1_500), work: None, now })
    }

    /// The metrics of a batch of work messages: those of its records, and those of the messages.
    #[test]
    fn metrics_of_work() {
        let now = Timestamp::from_second(1_800_000_000).unwrap();
        let metrics = Metrics { function: "work".to_owned(), detail: MetricsDetail::Totals };
        let totals = |sent_ms: Option<i64>| {
            let oldest = sent_ms.map(|ms| Timestamp::from_millisecond(ms).unwrap());
            let due = oldest.map(|oldest| oldest - SignedDuration::from_secs(30));
            let work = Some(WorkOutcome { handled: 9, replaced: 0, failed: 1, oldest, due });
            let measurements = Measurements { report: &report(), calls: &BTreeMap::new(), oldest_ms: None, work, now };
            let [line] = metrics.lines(&measurements).try_into().unwrap();
            serde_json::from_str::<Value>(&line).unwrap()
        };
        let line = totals(Some(1_799_999_400_000));
        let values = ["WorkHandled", "WorkFailed", "OldestWorkAge", "Parked"].map(|name| line[name].as_i64());
        assert_eq!(values, [Some(9), Some(1), Some(600_000), Some(1)]);
        let declared = line["_aws"]["CloudWatchMetrics"][0]["Metrics"].as_array().unwrap();
        assert_eq!(line["DueDelay"].as_i64(), line["OldestWorkAge"].as_i64().map(|age| age + 30_000));
        let age = json!({"Name": "OldestWorkAge", "Unit": "Milliseconds"});
        assert!(declared.contains(&age), "CloudWatch knows of it: {declared:?}");
        assert_eq!(totals(None).get("OldestWorkAge"), None, "nobody knows when they were sent");
        assert_eq!(totals(Some(1_800_000_001_000))["OldestWorkAge"], 0, "the clocks differ");
    }

    /// A tick that failed has its codes, and no delay that would look well. So do invocations of the redrive and sweep
    /// functions, whose alarms watch the codes that are not known.
    #[test]
    fn metrics_of_calls() {
        let now = Timestamp::from_second(1_800_000_000).unwrap();
        let metrics = Metrics { function: "clock".to_owned(), detail: MetricsDetail::Full };
        let line = |tick: Option<&Tick>, unlisted: &Unlisted| {
            let [line] = metrics.calls(tick, unlisted, 3, now).try_into().unwrap();
            let line = serde_json::from_str::<Value>(&line).unwrap();
            ["DueSent", "DueDelay", "ApiCalls", "UnknownErrors"].map(|name| line[name].as_u64())
        };
        let tick = Tick { sent: 2, oldest: Some(now - SignedDuration::from_secs(9)), ..Tick::default() };
        assert_eq!(line(Some(&tick), &Unlisted::new()), [Some(2), Some(9_000), Some(3), Some(0)]);
        assert_eq!(line(None, &BTreeMap::from([("Teapot".to_owned(), 2)])), [None, None, Some(3), Some(2)]);
        let off = Metrics { function: String::new(), detail: MetricsDetail::Off };
        assert!(off.calls(None, &Unlisted::new(), 0, now).is_empty());
    }

    /// What the alarm needs: also that nothing was lost.
    #[test]
    fn metrics_of_a_sign_up() {
        let now = Timestamp::from_second(1_800_000_000).unwrap();
        let metrics = Metrics { function: "signup".to_owned(), detail: MetricsDetail::Totals };
        let values = |is_sent: bool| {
            let [line] = metrics.sign_up(is_sent, now).try_into().unwrap();
            let line = serde_json::from_str::<Value>(&line).unwrap();
            ["SignUps", "SignUpsLost"].map(|name| line[name].as_u64())
        };
        assert_eq!((values(true), values(false)), ([Some(1), Some(0)], [Some(1), Some(1)]));
    }

    /// What the alarms need: also that nothing failed.
    #[test]
    fn metrics_of_a_token() {
        let now = Timestamp::from_second(1_800_000_000).unwrap();
        let metrics = Metrics { function: "token".to_owned(), detail: MetricsDetail::Totals };
        let values = |is_failed, is_incomplete| {
            let [line] = metrics.token(is_failed, is_incomplete, now).try_into().unwrap();
            let line = serde_json::from_str::<Value>(&line).unwrap();
            ["Tokens", "TokensFailed", "TokensIncomplete"].map(|name| line[name].as_u64())
        };
        assert_eq!(values(false, false), [Some(1), Some(0), Some(0)]);
        assert_eq!((values(true, false)[1], values(false, true)[2]), (Some(1), Some(1)));
    }

    /// An alarm sees that a change waits, and that it waits no more.
    #[test]
    fn metrics_of_a_change() {
        let now = Timestamp::from_second(1_800_000_000).unwrap();
        let metrics = Metrics { function: "sweep".to_owned(), detail: MetricsDetail::Totals };
        let waits = |is_waiting| {
            let [line] = metrics.change(is_waiting, now).try_into().unwrap();
            serde_json::from_str::<Value>(&line).unwrap()["ChangeWaiting"].as_u64()
        };
        assert_eq!((waits(true), waits(false)), (Some(1), Some(0)));
    }

    /// What alarms need of a sweep: also if it has found nothing. Kinds are the breakdown.
    #[test]
    fn metrics_of_a_sweep() {
        let now = Timestamp::from_second(1_800_000_000).unwrap();
        let began = now - SignedDuration::from_secs(90);
        let mut summary = SweepSummary { began, tally: SweepTally::default(), is_stopped: false };
        let lines = |summary: &SweepSummary, detail, mode| {
            let metrics = Metrics { function: "sweep".to_owned(), detail };
            let lines = metrics.swept(mode, summary, now).into_iter();
            lines.map(|line| serde_json::from_str::<Value>(&line).unwrap()).collect::<Vec<_>>()
        };
        let values = |line: &Value| {
            ["DriftFound", "DriftRepaired", "SweepRemovals", "SweepStopped", "SweepEnded", "SweepTime"]
                .map(|name| line[name].as_u64().unwrap())
        };
        let [line] = lines(&summary, MetricsDetail::Full, Mode::Report).try_into().unwrap();
        assert_eq!(values(&line), [0, 0, 0, 0, 1, 90]);
        summary.tally.kinds = BTreeMap::from([(DifferenceKind::ExtraMember, 2), (DifferenceKind::Orphan, 5)]);
        (summary.tally.removals, summary.is_stopped) = (2, true);
        let [line] = lines(&summary, MetricsDetail::Totals, Mode::Repair).try_into().unwrap();
        assert_eq!(values(&line), [2, 0, 2, 1, 1, 90], "orphans are no drift");
        let kinds = lines(&summary, MetricsDetail::Full, Mode::Repair).split_off(1);
        let kinds: Vec<_> = kinds.iter().map(|line| (line["Kind"].as_str(), line["DriftFound"].as_u64())).collect();
        assert_eq!(kinds, [(Some("extra-member"), Some(2)), (Some("orphan"), Some(5))]);
        assert!(lines(&summary, MetricsDetail::Off, Mode::Repair).is_empty());
        assert!(lines(&summary, MetricsDetail::Full, Mode::Backfill).is_empty(), "a backfill compares nothing");
    }

    /// Promise 9: no line contains personal data.
    #[test]
    fn metrics_of_records() {
        let full = lines(MetricsDetail::Full);
        expect_test::expect_file!["metrics.txt"].assert_eq(&(full.join("\n") + "\n"));
        assert!(full.iter().all(|line| !line.contains("example.com") && !line.contains("ann")));
        assert_eq!(lines(MetricsDetail::Totals), full[..1]);
        assert!(lines(MetricsDetail::Off).is_empty());
    }
}
