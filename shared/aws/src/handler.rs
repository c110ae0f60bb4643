//! The whole flow over one batch of records: decode, plan, look, settle, apply, look again, publish, report.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;
use std::time::Duration;

use aws_types::SdkConfig;
use instep_flow::decode::{Change, Decoded, Reject, decode};
use instep_flow::effect::Effect;
use instep_flow::events::{Publishing, events};
use instep_flow::mask;
use instep_flow::plan::Plan;
use instep_flow::report::{ChangeReport, EffectReport, EventReport, Outcome, Parked, RecordReport, Report};
use instep_flow::settle::{Conflict, Context, Settled, settle};
use instep_flow::truth::Truth;
use instep_model::Model;
use serde_json::value::RawValue;
use tokio::time::Instant;

use crate::apply::{Applied, Held, Outcomes};
use crate::call::Failure;
use crate::pace::Pace;

/// Rounds of settling and applying before a truth that never stands still is left to a retry. INVARIANT 8.
const ROUNDS_MAX: usize = 10;

/// Looks of one round; each answers questions that the one before it raised.
const LOOKS_MAX: usize = 10;

/// The SDK clients. Production, local and simulated runs differ only in the HTTP client of the configuration.
#[derive(Debug, Clone)]
pub struct Clients {
    pub(crate) dynamodb: aws_sdk_dynamodb::Client,
    pub(crate) cognito: aws_sdk_cognitoidentityprovider::Client,
    pub(crate) events: aws_sdk_eventbridge::Client,
}

impl Clients {
    /// Clients over one configuration. It should leave retries to Instep (`RetryConfig::disabled()`): the SDK's own take
    /// Cognito's hard quotas for throttling.
    #[must_use]
    pub fn new(config: &SdkConfig) -> Self {
        Self {
            dynamodb: aws_sdk_dynamodb::Client::new(config),
            cognito: aws_sdk_cognitoidentityprovider::Client::new(config),
            events: aws_sdk_eventbridge::Client::new(config),
        }
    }
}

/// What Instep brings in step.
#[derive(Debug, Clone)]
pub struct Settings {
    /// The table's name.
    pub table: String,
    /// The table that records must come from; none: any. It differs from [`Settings::table`] where captures of one table are
    /// replayed against another.
    pub records_of: Option<String>,
    /// The Cognito user pool's id; without one nothing is done in Cognito.
    pub user_pool: Option<String>,
    /// The event bus's name.
    pub bus: String,
    /// Calls a second that this process may make to Cognito; none: as many as it can.
    pub cognito_rate: Option<u32>,
    /// How long after a cascade through an index that index is asked once more: it lags behind the table.
    pub index_lag: Duration,
}

/// How one batch is to be run.
#[derive(Debug, Clone)]
pub struct Run {
    /// The time that it is.
    pub now: jiff::Timestamp,
    /// Records come from a replay: marked in events, and the last revocation rule rests.
    pub replay: bool,
    /// Whether events are published.
    pub publish: bool,
    /// Say what would be done and do nothing.
    pub dry_run: bool,
    /// When the invocation must have ended.
    pub deadline: Option<Instant>,
}

/// Instep on one table.
#[derive(Debug, Clone)]
pub struct Instep {
    pub(crate) model: Arc<Model>,
    pub(crate) clients: Clients,
    pub(crate) settings: Settings,
    pub(crate) pace: Arc<Pace>,
}

/// Where one record of a batch stands.
#[derive(Debug)]
struct Standing {
    change: Option<Box<Change>>,
    state: State,
}

#[derive(Debug)]
enum State {
    Settled,
    Skipped(&'static str),
    Parked { code: &'static str, reason: String },
    Retry(String),
}

impl Instep {
    /// Instep for a table that `model` describes.
    #[must_use]
    pub fn new(model: Arc<Model>, clients: Clients, settings: Settings) -> Self {
        let pace = Arc::new(Pace::new(settings.cognito_rate));
        Self { model, clients, settings, pace }
    }

    /// Brings in step what `records` (raw stream records in Lambda's shape) touched, and publishes. Never fails as a
    /// whole: the report says what became of each record, [`Report::retry_from`] what Lambda is to deliver again.
    pub async fn handle(&self, records: &[Box<RawValue>], run: &Run) -> Report {
        let mut report = Report::default();
        let decoded: Vec<_> = records.iter().map(|raw| self.decode(raw)).collect();
        let mut plan = Plan::default();
        for (place, decoded) in decoded.iter().enumerate() {
            match decoded {
                Ok(Decoded::Change(change)) => plan.add(&self.model, place, change),
                Ok(Decoded::Bookkeeping(change)) => plan.add_bookkeeping(&self.model, place, change),
                Ok(Decoded::Nothing(_)) => {}
                // INVARIANT 6: a bad record takes nothing with it, and what it took away still goes.
                Err(reject) => {
                    if let Some(change) = reject.in_step() {
                        plan.add(&self.model, place, change);
                    }
                }
            }
        }
        let worked = self.work(&plan, run, &mut report.effects).await;
        drop(plan);
        let mut standings: Vec<Standing> = decoded.into_iter().map(Standing::from).collect();
        for (records, verdict) in worked.verdicts {
            for record in records {
                if let Some(standing) = standings.get_mut(record) {
                    standing.worsen(&verdict);
                }
            }
        }
        hold_back(&mut standings);
        if run.publish && !run.dry_run {
            self.publish_all(&mut standings, &worked.conflicts, run, &mut report.events).await;
        }
        let notes = worked.notes;
        report.records = standings
            .into_iter()
            .enumerate()
            .zip(records)
            .map(|((place, standing), raw)| {
                let notes = notes.iter().filter(|(record, _)| *record == place).map(|(_, note)| note.clone());
                self.record_report(standing, raw, notes.collect())
            })
            .collect();
        report
    }

    fn decode(&self, raw: &RawValue) -> Result<Decoded, Reject> {
        decode(&self.model, self.settings.records_of.as_deref(), raw)
    }

    /// Settles and applies until the truth stands still.
    async fn work(&self, plan: &Plan<'_>, run: &Run, reports: &mut Vec<EffectReport>) -> Worked {
        let mut worked = Worked::default();
        let everything = everything(plan);
        if everything.is_empty() {
            return worked;
        }
        if let Err(failure) = self.write_references(plan, run).await {
            worked.failed(everything, failure.words("PutItem"));
            return worked;
        }
        let started = Instant::now();
        let held = Held::default();
        let mut truth = Truth::default();
        for round in 0..=ROUNDS_MAX {
            let context = Context { now: run.now, live: !run.replay, made: held.made() };
            let settled = match self.settle(plan, &mut truth, &context, run).await {
                Ok(settled) => settled,
                Err(why) => {
                    worked.failed(everything, why);
                    return worked;
                }
            };
            worked.conflicts = settled.conflicts;
            worked.notes.extend(settled.notes);
            let due: BTreeMap<_, _> =
                settled.effects.iter().filter(|(effect, _)| !held.contains(effect)).map(own).collect();
            // INVARIANT 1: only a look that asks for nothing new ends the work.
            if due.is_empty() {
                break;
            }
            if round == ROUNDS_MAX {
                worked.failed(due.into_values().flatten().collect(), "the items keep changing".to_owned());
                break;
            }
            held.retain(&settled.effects);
            held.undone(settled.undone);
            let outcomes = self.apply(due, &held, run, reports).await;
            if worked.judge(outcomes) || run.dry_run {
                break;
            }
            truth = match self.look_again(&truth, run).await {
                Ok(truth) => truth,
                Err(failure) => {
                    worked.failed(everything, failure.words("BatchGetItem"));
                    return worked;
                }
            };
        }
        for (key, records) in &plan.jobs {
            let applied = self.resume(key, started, records, run, reports).await;
            worked.verdict(records.clone(), applied);
        }
        worked
    }

    /// INVARIANT 2: a back-reference is written before what it refers to is looked at, so that of two racing sides one sees
    /// the other.
    async fn write_references(&self, plan: &Plan<'_>, run: &Run) -> Result<(), Failure> {
        if run.dry_run {
            return Ok(());
        }
        let items: Vec<_> = plan.references.values().map(|(item, _)| item).collect();
        self.put_all(&items, run.deadline).await
    }

    /// Settles, looking at what it asks for until nothing is left to ask.
    async fn settle(
        &self,
        plan: &Plan<'_>,
        truth: &mut Truth,
        context: &Context,
        run: &Run,
    ) -> Result<Settled, String> {
        for _ in 0..LOOKS_MAX {
            let settled = settle(plan, &self.model, truth, context);
            if settled.asks.is_empty() {
                return Ok(settled);
            }
            self.look(&settled.asks, truth, run.deadline).await.map_err(|failure| failure.words("BatchGetItem"))?;
        }
        Err("one look leads to another without end".to_owned())
    }

    async fn look_again(&self, truth: &Truth, run: &Run) -> Result<Truth, Failure> {
        let mut again = Truth::default();
        self.look(&truth.looked_at(), &mut again, run.deadline).await?;
        Ok(again)
    }

    /// Publishes the events of the records that are settled or parked.
    async fn publish_all(
        &self,
        standings: &mut [Standing],
        conflicts: &BTreeSet<Conflict>,
        run: &Run,
        published: &mut Vec<EventReport>,
    ) {
        let mut due = Vec::new();
        for (record, standing) in standings.iter().enumerate() {
            let parked = match standing.state {
                State::Settled => false,
                State::Parked { .. } => true,
                State::Skipped(_) => continue,
                // INVARIANT 4: no event before its effects; what is to be retried and all after it come again.
                State::Retry(_) => break,
            };
            let Some(change) = &standing.change else { continue };
            let lost: Vec<_> = conflicts.iter().filter(|conflict| conflict.record == record).collect();
            let publishing = Publishing { bus: &self.settings.bus, replay: run.replay, parked };
            let entries = events(&self.model, change, &lost, publishing);
            due.extend(entries.into_iter().map(|entry| EventReport { record, entry }));
        }
        for event in self.publish(due, run, published).await {
            if let Some(standing) = standings.get_mut(event.record) {
                standing.worsen(&if event.permanent {
                    Applied::Refused { code: "event-refused", reason: event.why }
                } else {
                    Applied::Failed(event.why)
                });
            }
        }
        hold_back(standings);
    }

    fn record_report(&self, standing: Standing, raw: &RawValue, notes: Vec<String>) -> RecordReport {
        let change = standing.change.as_ref().map(|change| self.change_report(change, notes));
        let outcome = match standing.state {
            State::Settled => Outcome::Settled,
            State::Skipped(why) => Outcome::Skipped { why },
            State::Retry(why) => Outcome::Retry { why },
            State::Parked { code, reason } => {
                Outcome::Parked(Box::new(Parked { code, reason, record: mask::record(&self.model, raw) }))
            }
        };
        RecordReport { sequence: standing.change.map(|change| change.sequence), change, outcome }
    }

    fn change_report(&self, change: &Change, notes: Vec<String>) -> ChangeReport {
        let ty = self.model.item(change.thing.of);
        let verb = match (&change.old, &change.new) {
            (None, _) => "created",
            (_, None) => "deleted",
            (Some(_), Some(_)) => "updated",
        };
        let old = change.old.iter().flatten();
        let new = change.new.iter().flatten();
        let mut changed: Vec<String> = match (&change.old, &change.new) {
            (Some(before), Some(after)) => old
                .chain(new)
                .filter(|(name, _)| before.get(*name) != after.get(*name))
                .map(|(name, _)| name.clone())
                .collect(),
            (_, _) => Vec::new(),
        };
        changed.sort();
        changed.dedup();
        let id = if ty.secret { String::new() } else { self.model.id_text(&change.thing) };
        ChangeReport {
            item: ty.name.clone(),
            id,
            verb,
            changed,
            notes: change.notes.iter().cloned().chain(notes).collect(),
        }
    }
}

/// What came of the work on a batch.
#[derive(Debug, Default)]
struct Worked {
    verdicts: Vec<(BTreeSet<usize>, Applied)>,
    conflicts: BTreeSet<Conflict>,
    notes: BTreeSet<(usize, String)>,
}

impl Worked {
    fn failed(&mut self, records: BTreeSet<usize>, why: String) {
        self.verdicts.push((records, Applied::Failed(why)));
    }

    fn verdict(&mut self, records: BTreeSet<usize>, applied: Applied) {
        let applied =
            if applied == Applied::Moved { Applied::Failed("the items keep changing".to_owned()) } else { applied };
        self.verdicts.push((records, applied));
    }

    /// Notes what came of effects; whether a failing service ends the work.
    fn judge(&mut self, outcomes: Outcomes) -> bool {
        let mut ends = false;
        for (_, records, applied) in outcomes {
            match &applied {
                Applied::Held | Applied::Left | Applied::Moved => {}
                Applied::Refused { .. } => {
                    self.verdicts.push((records, applied));
                }
                Applied::Failed(_) => {
                    ends = true;
                    self.verdicts.push((records, applied));
                }
            }
        }
        ends
    }
}

impl From<Result<Decoded, Reject>> for Standing {
    fn from(decoded: Result<Decoded, Reject>) -> Self {
        match decoded {
            Ok(Decoded::Change(change)) => Self { change: Some(change), state: State::Settled },
            Ok(Decoded::Bookkeeping(_)) => Self { change: None, state: State::Skipped("Instep's own bookkeeping") },
            Ok(Decoded::Nothing(why)) => Self { change: None, state: State::Skipped(why) },
            Err(Reject { code, reason, change }) => Self { change, state: State::Parked { code, reason } },
        }
    }
}

impl Standing {
    /// A failing service outweighs a record that can never be served: it may be served yet.
    fn worsen(&mut self, applied: &Applied) {
        match (applied, &self.state) {
            (Applied::Failed(why), State::Settled | State::Skipped(_) | State::Parked { .. }) => {
                self.state = State::Retry(why.clone())
            }
            (Applied::Refused { code, reason }, State::Settled | State::Skipped(_)) => {
                self.state = State::Parked { code, reason: reason.clone() };
            }
            (Applied::Failed(_) | Applied::Refused { .. }, _) | (Applied::Held | Applied::Left | Applied::Moved, _) => {
            }
        }
    }
}

/// Lambda delivers everything after the first record that is to be retried again: it is all left to that.
fn hold_back(standings: &mut [Standing]) {
    let Some(first) = standings.iter().position(|standing| matches!(standing.state, State::Retry(_))) else { return };
    for standing in standings.iter_mut().skip(first + 1) {
        if !matches!(standing.state, State::Retry(_)) {
            standing.state = State::Retry("a record before it is left to retry".to_owned());
        }
    }
}

/// The places in the batch of all records that ask for anything.
fn everything(plan: &Plan<'_>) -> BTreeSet<usize> {
    let things = plan.things.values().flat_map(instep_flow::plan::Seen::records);
    things.chain(plan.guards.values().flatten().copied()).chain(plan.jobs.values().flatten().copied()).collect()
}

fn own((effect, records): (&Effect, &BTreeSet<usize>)) -> (Effect, BTreeSet<usize>) {
    (effect.clone(), records.clone())
}
