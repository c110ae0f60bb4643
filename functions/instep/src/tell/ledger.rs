//! Remembers the reported records, so that a record that is delivered again is reported once.

use std::collections::{HashMap, HashSet};

use instep_flow::report::{EffectReport, EventReport, Outcome as Became, RecordReport, Report};
use instep_flow::stream_record::StreamRecord;
use serde_json::value::RawValue;

use crate::tell::{Outcome, Parked, Record, Teller};

/// The records since the last delivery without a retry.
#[derive(Debug, Default)]
pub(crate) struct Ledger {
    known: HashMap<String, Known>,
    told: HashSet<String>,
    /// Records that need another delivery, in the order of the first.
    waiting: Vec<Waiting>,
}

/// The state of a record over its deliveries.
#[derive(Debug, Clone)]
struct Known {
    n: u64,
    file: Option<String>,
}

#[derive(Debug)]
struct Waiting {
    slot: String,
    report: RecordReport,
    raw: Box<RawValue>,
}

/// One delivered record.
pub(crate) struct Slot<'a> {
    /// The id of this record in the ledger.
    pub(crate) id: String,
    pub(crate) raw: &'a RawValue,
    /// The captured record's file. `None` for a record that Instep's own write caused.
    pub(crate) file: Option<String>,
}

impl Ledger {
    /// Whether this record was delivered before.
    pub(crate) fn knows(&self, id: &str) -> bool {
        self.known.contains_key(id)
    }

    /// Reports the outcome of a delivery.
    ///
    /// # Errors
    /// The output cannot be written.
    pub(crate) fn tell(&mut self, teller: &mut Teller<'_>, slots: Vec<Slot<'_>>, report: Report) -> miette::Result<()> {
        let Report { records, effects, events, .. } = report;
        let retries = records.iter().any(|record| matches!(record.outcome, Became::Retry { .. }));
        for (place, (slot, record)) in slots.into_iter().zip(records).enumerate() {
            let of_record = Follows {
                effects: effects.iter().filter(|effect| effect.records.first() == Some(&place)).collect(),
                events: events.iter().filter(|event| event.record == place).collect(),
            };
            self.one(teller, slot, record, &of_record)?;
        }
        // A delivery without a retry completes the deliveries that it repeated. The ledger must not
        // keep a whole long cascade in memory.
        if !retries && self.waiting.is_empty() {
            self.known.clear();
            self.told.clear();
        }
        Ok(())
    }

    fn one(
        &mut self,
        teller: &mut Teller<'_>,
        slot: Slot<'_>,
        report: RecordReport,
        follows: &Follows<'_>,
    ) -> miette::Result<()> {
        let Slot { id, raw, file } = slot;
        let known = self.known.entry(id.clone()).or_insert_with(|| Known { n: teller.next_n(), file }).clone();
        let n = known.n;
        if let Became::Retry { why } = &report.outcome {
            teller.retry(n, why)?;
            follows.tell(teller, n)?;
            if !self.told.contains(&id) && !self.waiting.iter().any(|waiting| waiting.slot == id) {
                self.waiting.push(Waiting { slot: id, report, raw: raw.to_owned() });
            }
            return Ok(());
        }
        self.waiting.retain(|waiting| waiting.slot != id);
        let first = self.told.insert(id);
        let is_idle = report.work.is_some() && matches!(report.outcome, Became::Handled) && follows.is_empty();
        if first {
            tell_record(teller, &known, &report, raw, is_idle)?;
        }
        follows.tell(teller, n)?;
        match &report.outcome {
            Became::Parked(parked) if first => {
                let (code, reason) = (parked.code, parked.reason.as_str());
                teller.parked(&Parked { n, code, reason, record: &parked.record, is_nameless: report.change.is_none() })
            }
            Became::Parked(_) | Became::Handled | Became::Skipped { .. } | Became::Retry { .. } => Ok(()),
        }
    }

    /// Ends the deliveries: records that still need one are left to retry.
    ///
    /// # Errors
    /// The output cannot be written.
    pub(crate) fn close(&mut self, teller: &mut Teller<'_>) -> miette::Result<()> {
        for Waiting { slot, report, raw } in std::mem::take(&mut self.waiting) {
            if let Some(known) = self.known.get(&slot) {
                tell_record(teller, known, &report, &raw, false)?;
            }
        }
        *self = Self::default();
        Ok(())
    }
}

/// The consequences of one record.
struct Follows<'a> {
    effects: Vec<&'a EffectReport>,
    events: Vec<&'a EventReport>,
}

impl Follows<'_> {
    fn is_empty(&self) -> bool {
        self.effects.is_empty() && self.events.is_empty()
    }

    fn tell(&self, teller: &mut Teller<'_>, n: u64) -> miette::Result<()> {
        for effect in &self.effects {
            teller.effect(n, effect)?;
        }
        teller.events(n, &self.events.iter().map(|event| &event.entry).collect::<Vec<_>>())
    }
}

fn tell_record(
    teller: &mut Teller<'_>,
    known: &Known,
    report: &RecordReport,
    raw: &RawValue,
    is_idle: bool,
) -> miette::Result<()> {
    let (outcome, why) = match &report.outcome {
        Became::Handled => (Outcome::Handled, None),
        Became::Skipped { why } => (Outcome::Skipped, Some(*why)),
        Became::Parked(_) => (Outcome::Parked, None),
        Became::Retry { .. } => (Outcome::Retry, None),
    };
    let parsed = StreamRecord::parse(raw);
    let (time, sequence) = (parsed.recorded_at(), report.sequence.as_deref().or(parsed.sequence()));
    let (n, file, work) = (known.n, known.file.as_deref(), report.work.as_deref());
    let record = Record { n, sequence, time, change: report.change.as_ref(), outcome, why, work, file };
    if is_idle { teller.idle_message(&record) } else { teller.record(&record) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::output::Output;
    use crate::tell::Form;

    fn report(outcome: Became) -> Report {
        let record = RecordReport { sequence: Some("7".to_owned()), change: None, work: None, outcome };
        Report { records: vec![record], ..Report::default() }
    }

    fn slot(raw: &RawValue) -> Vec<Slot<'_>> {
        vec![Slot { id: "7".to_owned(), raw, file: Some("f".to_owned()) }]
    }

    #[test]
    fn a_record_delivered_again_is_one_record() {
        let raw = RawValue::from_string("{}".to_owned()).unwrap();
        let mut out = Output::to(std::io::sink());
        let mut teller = Teller::new(&mut out, Form::Json, 1);
        let mut ledger = Ledger::default();
        let retry = || report(Became::Retry { why: "throttled".to_owned() });
        ledger.tell(&mut teller, slot(&raw), retry()).unwrap();
        ledger.tell(&mut teller, slot(&raw), retry()).unwrap();
        ledger.tell(&mut teller, slot(&raw), report(Became::Handled)).unwrap();
        ledger.close(&mut teller).unwrap();
        let summary = teller.summary(Default::default(), Default::default()).unwrap();
        assert_eq!((summary.records, summary.retries, summary.left), (1, 2, 0));
        assert!(summary.is_complete());
    }

    #[test]
    fn what_waits_at_the_end_is_left() {
        let raw = RawValue::from_string("{}".to_owned()).unwrap();
        let mut out = Output::to(std::io::sink());
        let mut teller = Teller::new(&mut out, Form::Json, 1);
        let mut ledger = Ledger::default();
        ledger.tell(&mut teller, slot(&raw), report(Became::Retry { why: "down".to_owned() })).unwrap();
        ledger.close(&mut teller).unwrap();
        let summary = teller.summary(Default::default(), Default::default()).unwrap();
        assert_eq!((summary.records, summary.left), (1, 1));
        assert!(!summary.is_complete());
    }
}
