//! Remembers the reported records, so that a record that is delivered again is reported once.

use std::collections::{HashMap, HashSet};

use instep_flow::entries::EntryId;
use instep_flow::report::{EffectReport, EventReport, Outcome, RecordReport, Report};
use instep_flow::stream_record::StreamRecord;
use serde_json::value::RawValue;

use crate::report::{LineOutcome, ParkedLine, RecordLine, Reporter};

/// The records since the last delivery without a retry.
#[derive(Debug, Default)]
pub struct ReportedRecords {
    known: HashMap<String, RecordState>,
    reported: HashSet<String>,
    /// Records that need another delivery, in the order of the first.
    retrying: Vec<Retrying>,
}

/// The state of a record over its deliveries.
#[derive(Debug, Clone)]
struct RecordState {
    n: u64,
    file: Option<String>,
}

#[derive(Debug)]
struct Retrying {
    id: String,
    report: RecordReport,
    raw: Box<RawValue>,
}

/// One delivered record.
pub struct DeliveredRecord<'a> {
    /// The id of this record. A record that is delivered again has the same id.
    pub id: String,
    /// The record.
    pub raw: &'a RawValue,
    /// The captured record's file, or that time to live deleted the item. `None` for a record that Instep's own write
    /// caused.
    pub file: Option<String>,
}

impl ReportedRecords {
    /// Whether this record was delivered before.
    pub fn knows(&self, id: &str) -> bool {
        self.known.contains_key(id)
    }

    /// A message is replaced by new ones, and is not delivered again.
    pub fn replaced(&mut self, message: &str) {
        let is_other = |id: &str| id.rsplit_once('/').is_none_or(|(of, _)| of != message);
        self.retrying.retain(|retrying| is_other(&retrying.id));
    }

    /// Reports the outcome of a delivery.
    pub fn report(
        &mut self,
        reporter: &mut Reporter<'_>,
        delivered_records: Vec<DeliveredRecord<'_>>,
        report: Report,
    ) -> miette::Result<()> {
        let Report { records, effects, events, .. } = report;
        let retries = records.iter().any(|record| matches!(record.outcome, Outcome::Retry { .. }));
        for (place, (delivered, record)) in delivered_records.into_iter().zip(records).enumerate() {
            let id = EntryId(place);
            let of_record = Consequences {
                effects: effects.iter().filter(|effect| effect.records.first() == Some(&id)).collect(),
                events: events.iter().filter(|event| event.record == id).collect(),
            };
            self.one(reporter, delivered, record, &of_record)?;
        }
        // A delivery without a retry completes the deliveries that it repeated. The records of a
        // whole long cascade must not stay in memory.
        if !retries && self.retrying.is_empty() {
            self.known.clear();
            self.reported.clear();
        }
        Ok(())
    }

    fn one(
        &mut self,
        reporter: &mut Reporter<'_>,
        delivered: DeliveredRecord<'_>,
        report: RecordReport,
        consequences: &Consequences<'_>,
    ) -> miette::Result<()> {
        let DeliveredRecord { id, raw, file } = delivered;
        let known = self.known.entry(id.clone()).or_insert_with(|| RecordState { n: reporter.next_n(), file }).clone();
        let n = known.n;
        if let Outcome::Retry { why } = &report.outcome {
            reporter.retry(n, why)?;
            consequences.report(reporter, n)?;
            if !self.reported.contains(&id) && !self.retrying.iter().any(|retrying| retrying.id == id) {
                self.retrying.push(Retrying { id, report, raw: raw.to_owned() });
            }
            return Ok(());
        }
        self.retrying.retain(|retrying| retrying.id != id);
        let first = self.reported.insert(id);
        let is_idle = report.work.is_some() && matches!(report.outcome, Outcome::Handled) && consequences.is_empty();
        if first {
            report_record(reporter, &known, &report, raw, is_idle)?;
            if matches!(report.outcome, Outcome::Handled) {
                let notes = report.change.iter().flat_map(|change| &change.notes).count();
                reporter.nothing(n, raw, consequences.is_empty() && notes == 0)?;
            }
        }
        consequences.report(reporter, n)?;
        match &report.outcome {
            Outcome::Parked(parked) if first => {
                let (code, reason) = (parked.code, parked.reason.as_str());
                reporter.parked(&ParkedLine {
                    n,
                    code,
                    reason,
                    record: &parked.record,
                    is_nameless: report.change.is_none(),
                })
            }
            Outcome::Parked(_) | Outcome::Handled | Outcome::Skipped { .. } | Outcome::Retry { .. } => Ok(()),
        }
    }

    /// Ends the deliveries: records that still need one are left to retry.
    pub fn close(&mut self, reporter: &mut Reporter<'_>) -> miette::Result<()> {
        for Retrying { id, report, raw } in std::mem::take(&mut self.retrying) {
            if let Some(known) = self.known.get(&id) {
                report_record(reporter, known, &report, &raw, false)?;
            }
        }
        *self = Self::default();
        Ok(())
    }
}

/// The consequences of one record.
struct Consequences<'a> {
    effects: Vec<&'a EffectReport>,
    events: Vec<&'a EventReport>,
}

impl Consequences<'_> {
    fn is_empty(&self) -> bool {
        self.effects.is_empty() && self.events.is_empty()
    }

    fn report(&self, reporter: &mut Reporter<'_>, n: u64) -> miette::Result<()> {
        for effect in &self.effects {
            reporter.effect(n, effect)?;
        }
        reporter.events(n, &self.events.iter().map(|event| &event.entry).collect::<Vec<_>>())
    }
}

fn report_record(
    reporter: &mut Reporter<'_>,
    known: &RecordState,
    report: &RecordReport,
    raw: &RawValue,
    is_idle: bool,
) -> miette::Result<()> {
    let (outcome, why) = match &report.outcome {
        Outcome::Handled => (LineOutcome::Handled, None),
        Outcome::Skipped { why } => (LineOutcome::Skipped, Some(*why)),
        Outcome::Parked(_) => (LineOutcome::Parked, None),
        Outcome::Retry { .. } => (LineOutcome::Retry, None),
    };
    let parsed = StreamRecord::parse(raw);
    let (time, sequence) = (parsed.recorded_at(), report.sequence.as_deref().or(parsed.sequence()));
    let (n, file, work) = (known.n, known.file.as_deref(), report.work.as_deref());
    let record = RecordLine { n, sequence, time, change: report.change.as_ref(), outcome, why, work, file };
    if is_idle { reporter.idle_message(&record) } else { reporter.record(&record) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::output::Output;
    use crate::report::Format;

    fn report(outcome: Outcome) -> Report {
        let record = RecordReport { sequence: Some("7".to_owned()), change: None, work: None, outcome };
        Report { records: vec![record], ..Report::default() }
    }

    fn delivered(raw: &RawValue) -> Vec<DeliveredRecord<'_>> {
        vec![DeliveredRecord { id: "7".to_owned(), raw, file: Some("f".to_owned()) }]
    }

    #[test]
    fn a_record_delivered_again_is_one_record() {
        let raw = RawValue::from_string("{}".to_owned()).unwrap();
        let mut out = Output::to(std::io::sink());
        let mut reporter = Reporter::new(&mut out, Format::Json, 1);
        let mut reported = ReportedRecords::default();
        let retry = || report(Outcome::Retry { why: "throttled".to_owned() });
        reported.report(&mut reporter, delivered(&raw), retry()).unwrap();
        reported.report(&mut reporter, delivered(&raw), retry()).unwrap();
        reported.report(&mut reporter, delivered(&raw), report(Outcome::Handled)).unwrap();
        reported.close(&mut reporter).unwrap();
        let summary = reporter.summary(Default::default(), Default::default()).unwrap();
        assert_eq!((summary.records, summary.retries, summary.left), (1, 2, 0));
        assert!(summary.is_complete());
    }

    #[test]
    fn a_record_that_needs_a_retry_at_the_end_is_left() {
        let raw = RawValue::from_string("{}".to_owned()).unwrap();
        let mut out = Output::to(std::io::sink());
        let mut reporter = Reporter::new(&mut out, Format::Json, 1);
        let mut reported = ReportedRecords::default();
        reported.report(&mut reporter, delivered(&raw), report(Outcome::Retry { why: "down".to_owned() })).unwrap();
        reported.close(&mut reporter).unwrap();
        let summary = reporter.summary(Default::default(), Default::default()).unwrap();
        assert_eq!((summary.records, summary.left), (1, 1));
        assert!(!summary.is_complete());
    }
}
