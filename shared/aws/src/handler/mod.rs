//! The whole flow over one batch of records: decode, plan, look, settle, apply, look again, publish, report.

mod standing;
mod time;

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;
use std::time::Duration;

use aws_types::SdkConfig;
use instep_flow::decode::{Decoded, Reject, decode};
use instep_flow::effect::{Effect, Phase};
use instep_flow::events::{Publishing, events};
use instep_flow::plan::Plan;
use instep_flow::report::{EffectReport, EventReport, Report};
use instep_flow::settle::{Conflict, Context, Settled, settle};
use instep_flow::truth::{Asks, Truth, View};
use instep_model::{Key, Model, Object};
use jiff::{SignedDuration, Timestamp};
use serde_json::value::RawValue;
use tokio::time::Instant;

use crate::apply::{Applied, Held, Outcomes};
use crate::call::{Backoff, Failure};
use crate::pace::Pace;
use crate::park::Parking;
use standing::Standings;

/// Rounds of settling and applying before a truth that never stands still is left to a retry. INVARIANT 8.
const ROUNDS_MAX: usize = 10;

/// Why what comes after a failure is not done.
const FAILED: &str = "a service failed before it was done";

/// Looks of one round; each answers questions that the one before it raised.
const LOOKS_MAX: usize = 10;

/// The SDK clients. Production, local and simulated runs differ only in the HTTP client of the configuration.
#[derive(Debug, Clone)]
pub struct Clients {
    pub(crate) dynamodb: aws_sdk_dynamodb::Client,
    pub(crate) cognito: aws_sdk_cognitoidentityprovider::Client,
    pub(crate) events: aws_sdk_eventbridge::Client,
    pub(crate) sqs: aws_sdk_sqs::Client,
    pub(crate) s3: aws_sdk_s3::Client,
    pub(crate) streams: aws_sdk_dynamodbstreams::Client,
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
            sqs: aws_sdk_sqs::Client::new(config),
            s3: s3(config),
            streams: aws_sdk_dynamodbstreams::Client::new(config),
        }
    }
}

/// An endpoint that stands in for AWS has no host name for each bucket.
fn s3(config: &SdkConfig) -> aws_sdk_s3::Client {
    let path_style = config.endpoint_url().is_some();
    aws_sdk_s3::Client::from_conf(aws_sdk_s3::config::Builder::from(config).force_path_style(path_style).build())
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
    /// Time between two calls of this process to Cognito; none: as many as it can.
    pub cognito_interval: Option<Duration>,
    /// How long an index may lag behind the table: what hangs on one is looked at once more after that.
    pub index_lag: Duration,
    /// Where parked records go; none: they are only reported.
    pub parking: Option<Parking>,
}

/// Where records come from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Origin {
    /// The live stream.
    Stream,
    /// This deployment's own failures: what the stream brought and nobody could settle then.
    Failed,
    /// Captures, of whatever age and origin: nobody is ended for a last revocation in them.
    Captured,
}

/// How one batch is to be run.
#[derive(Debug, Clone)]
pub struct Run {
    /// The time that it is.
    pub now: Timestamp,
    /// Where the records come from.
    pub origin: Origin,
    /// Whether events are published.
    pub publish: bool,
    /// Say what would be done and do nothing; events are then only reported.
    pub dry_run: bool,
    /// When all must have been done: effects, parking and events.
    pub deadline: Option<Instant>,
    /// The X-Ray trace header of the invocation, handed on with events.
    pub trace: Option<String>,
}

impl Run {
    /// What settling has to know of it.
    pub(crate) fn context(&self, made: BTreeMap<Object, bool>) -> Context {
        Context { now: self.now, live: self.origin != Origin::Captured, made }
    }
}

/// Instep on one table.
#[derive(Debug, Clone)]
pub struct Instep {
    pub(crate) model: Arc<Model>,
    pub(crate) clients: Clients,
    pub(crate) settings: Settings,
    pub(crate) pace: Arc<Pace>,
}

impl Instep {
    /// Instep for a table that `model` describes.
    #[must_use]
    pub fn new(model: Arc<Model>, clients: Clients, settings: Settings) -> Self {
        let pace = Arc::new(Pace::new(settings.cognito_interval));
        Self { model, clients, settings, pace }
    }

    /// The same Instep, where parked records are only reported: for who keeps them already.
    #[must_use]
    pub fn without_parking(&self) -> Self {
        Self { settings: Settings { parking: None, ..self.settings.clone() }, ..self.clone() }
    }

    /// Where parked records go.
    #[must_use]
    pub fn parking(&self) -> Option<&Parking> {
        self.settings.parking.as_ref()
    }

    /// The model.
    #[must_use]
    pub fn model(&self) -> &Model {
        &self.model
    }

    /// Brings in step what `records` (raw stream records in Lambda's shape) touched, parks what can never be, and publishes.
    /// Never fails as a whole: the report says what became of each record, [`Report::retry_from`] what Lambda is to deliver
    /// again. Where the time until [`Run::deadline`] is too short for all, as many of the first records are settled as fit.
    pub async fn handle(&self, records: &[Box<RawValue>], run: &Run) -> Report {
        let throttles = self.pace.throttles();
        let mut report = match run.deadline {
            Some(deadline) => self.in_time(records, deadline, run).await,
            None => self.batch(records, &Held::default(), run).await,
        };
        report.throttles = self.pace.throttles() - throttles;
        report
    }

    /// INVARIANT 8: an invocation that comes to no end must not leave everything to the next, which would not either.
    async fn in_time(&self, records: &[Box<RawValue>], deadline: Instant, run: &Run) -> Report {
        let mut report = Report::default();
        for (count, share) in time::attempts(records.len()) {
            let started = Instant::now();
            let time = deadline.saturating_duration_since(started).mul_f64(share);
            let run = Run { deadline: Some(started + time), ..run.clone() };
            let head = records.get(..count).unwrap_or(records);
            let held = Held::default();
            report.begin_with(self.batch(head, &held, &run).await);
            // A service that fails is not a matter of time. INVARIANT 3: where something could not be taken back, nothing more is given.
            let is_late = started.elapsed() * 2 >= time;
            if report.retry_from() != Some(0) || !is_late || held.is_stuck() {
                break;
            }
        }
        report
    }

    async fn batch(&self, records: &[Box<RawValue>], held: &Held, run: &Run) -> Report {
        let mut report = Report::default();
        let mut decoded: Vec<_> = records.iter().map(|raw| self.decode(raw)).collect();
        if run.origin != Origin::Stream {
            decoded = self.mended(decoded, run).await;
        }
        let mut plan = Plan::default();
        for (place, decoded) in decoded.iter().enumerate() {
            match decoded {
                Ok(Decoded::Change(change)) => plan.add(&self.model, place, change),
                Ok(Decoded::Bookkeeping(change)) => plan.add_bookkeeping(&self.model, place, change),
                Ok(Decoded::Told(_) | Decoded::Nothing(_)) => {}
                // INVARIANT 6: a bad record takes nothing with it, and what it took away still goes.
                Err(reject) => {
                    if let Some(change) = reject.in_step() {
                        plan.add(&self.model, place, change);
                    }
                }
            }
        }
        let work = Run { deadline: run.deadline.map(time::work_until), ..run.clone() };
        let worked = self.work(&plan, held, (&work, run), &mut report.effects).await;
        drop(plan);
        report.conflicts = worked.conflicts.len();
        let mut standings = Standings::new(&self.model, decoded, records);
        for (records, verdict) in worked.verdicts {
            for record in records {
                standings.worsen(record, &verdict);
            }
        }
        standings.hold_back();
        if run.dry_run {
            report.events = self.due_events(&standings, &worked.conflicts, run);
        } else {
            self.close(&mut standings, &worked.conflicts, run, &mut report.events).await;
        }
        report.records = standings.into_reports(worked.notes);
        report
    }

    /// Records that asked for the impossible when they were written, and no longer do: their items are mended, or gone. Without a
    /// look they would park at every redrive, for a record does not change.
    async fn mended(&self, decoded: Vec<Result<Decoded, Reject>>, run: &Run) -> Vec<Result<Decoded, Reject>> {
        let rejects = decoded.iter().filter_map(|decoded| decoded.as_ref().err());
        let keys: BTreeSet<Key> = rejects.filter_map(|reject| reject.key.clone()).collect();
        if keys.is_empty() {
            return decoded;
        }
        let mut truth = Truth::default();
        // What cannot be looked at stays as it is.
        if self.look(&Asks { keys, ..Asks::default() }, &mut truth, run.deadline).await.is_err() {
            return decoded;
        }
        let mut view = View::new(&self.model, &truth);
        let mut judge = |reject: Reject| {
            let present = reject.key.as_ref().and_then(|key| view.item(key)).flatten();
            reject.mended(&self.model, present)
        };
        decoded.into_iter().map(|decoded| decoded.or_else(&mut judge)).collect()
    }

    /// Parks and publishes: an event that says that its record was parked comes after the queue said so.
    async fn close(
        &self,
        standings: &mut Standings<'_>,
        conflicts: &BTreeSet<Conflict>,
        run: &Run,
        published: &mut Vec<EventReport>,
    ) {
        self.park_all(standings, run).await;
        self.publish_all(standings, conflicts, run, published).await;
        // An event that the bus can never take sets its record aside.
        self.park_all(standings, run).await;
    }

    async fn park_all(&self, standings: &mut Standings<'_>, run: &Run) {
        let unparked = self.park(standings.to_park(), run).await;
        for record in unparked {
            standings.worsen(record.place, &Applied::Failed(record.why));
        }
        standings.hold_back();
        standings.all_parked();
    }

    fn decode(&self, raw: &RawValue) -> Result<Decoded, Reject> {
        decode(&self.model, self.settings.records_of.as_deref(), raw)
    }

    /// Brings in step what a plan touched, and goes on with jobs. `closing` is the run with the time that is kept for what comes after.
    async fn work(
        &self,
        plan: &Plan<'_>,
        held: &Held,
        (run, closing): (&Run, &Run),
        reports: &mut Vec<EffectReport>,
    ) -> Worked {
        let mut worked = Worked { everything: everything(plan), ..Worked::default() };
        if worked.everything.is_empty() {
            return worked;
        }
        if let Err(failure) = self.write_references(plan, run).await {
            worked.all_failed(failure.words("PutItem"));
            return worked;
        }
        let started = Instant::now();
        if !self.until_still(plan, held, (run, closing), reports, &mut worked).await {
            return worked;
        }
        let made = held.made().len();
        for (key, records) in &plan.jobs {
            // INVARIANT 3: a job may give, and a revocation that failed holds that back, too.
            let applied = match worked.ends {
                Some(why) => Applied::Failed(why.to_owned()),
                None => self.resume(key, (started, held), records, run, reports).await,
            };
            if matches!(applied, Applied::Failed(_)) {
                worked.ends = worked.ends.or(Some(FAILED));
            }
            worked.verdict(records.clone(), applied);
        }
        // What jobs made on demand may be of what went meanwhile.
        if held.made().len() > made {
            self.until_still(plan, held, (run, closing), reports, &mut worked).await;
        }
        worked
    }

    /// Settles and applies until the truth stands still, or nothing can be looked at any more: then all has failed, and it is false.
    async fn until_still(
        &self,
        plan: &Plan<'_>,
        held: &Held,
        (run, closing): (&Run, &Run),
        reports: &mut Vec<EffectReport>,
        worked: &mut Worked,
    ) -> bool {
        let mut truth = Truth::default();
        let mut looking = if worked.ends.is_some() { closing } else { run };
        // Nobody else knows what the run itself made: it is looked after, and undone, as long as there is time.
        let mut patience = Backoff::patient(run.deadline);
        let mut has_waited = false;
        // INVARIANT 8: where the work ends, only what the run itself made is undone, each once.
        let mut round = 1;
        while round <= 2 * ROUNDS_MAX {
            let context = run.context(held.made());
            let settled = match self.settle(plan, &mut truth, &context, looking).await {
                Ok(settled) => settled,
                Err(_) if !held.made().is_empty() && patience.wait().await => {
                    truth = Truth::default();
                    continue;
                }
                Err(why) => {
                    worked.all_failed(why);
                    return false;
                }
            };
            worked.conflicts = settled.conflicts;
            worked.notes.extend(settled.notes);
            let mut due: BTreeMap<_, _> =
                settled.effects.iter().filter(|(effect, _)| !held.contains(effect)).map(own).collect();
            // INVARIANT 1: only a look that asks for nothing new ends the work, also that of what was done before a service failed. Then what
            // records ask for comes again with them. What the run made on demand nobody else knows: it goes with its item even so, and
            // what went is brought back.
            if let Some(why) = worked.ends {
                let left = due.extract_if(.., |effect, records| !records.is_empty() || effect.phase() != Phase::Take);
                left.for_each(|(_, records)| worked.failed(records, why));
            }
            if due.is_empty() {
                let lag = self.lag_of(settled.waits_since, run).filter(|_| !has_waited && worked.ends.is_none());
                let Some(lag) = lag else { break };
                if run.deadline.is_some_and(|deadline| Instant::now() + lag >= deadline) {
                    worked.all_failed("an index need not show before the deadline what waits");
                    return false;
                }
                // INVARIANT 1: who came meanwhile may have asked an index that did not show yet what waits here. Whoever comes later
                // is shown it.
                tokio::time::sleep(lag).await;
                has_waited = true;
            } else {
                held.retain(&settled.effects);
                held.undone(settled.undone);
                let outcomes = self.apply(due, held, looking, reports).await;
                let has_failed = worked.judge(outcomes);
                let is_over = has_failed && worked.ends.is_some();
                if run.dry_run {
                    break;
                }
                if is_over && !patience.wait().await {
                    held.stuck();
                    break;
                }
                if has_failed {
                    looking = closing;
                    worked.ends = Some(FAILED);
                } else if round == ROUNDS_MAX {
                    worked.ends = worked.ends.or(Some("the items keep changing"));
                }
                round += usize::from(!is_over);
            }
            truth = match self.look_again(&truth, looking).await {
                Ok(truth) => truth,
                Err(_) if !held.made().is_empty() && patience.wait().await => Truth::default(),
                Err(failure) => {
                    worked.all_failed(failure.words("BatchGetItem"));
                    return false;
                }
            };
        }
        true
    }

    /// How long indexes may need until they show what waits; none where nothing does that they need not show yet.
    fn lag_of(&self, waits_since: Option<Timestamp>, run: &Run) -> Option<Duration> {
        let lag = Some(self.settings.index_lag).filter(|lag| !lag.is_zero())?;
        // A record's time has no fraction.
        let is_fresh =
            run.now.duration_since(waits_since?) <= SignedDuration::try_from(lag).ok()? + SignedDuration::from_secs(1);
        (is_fresh && run.origin != Origin::Captured && !run.dry_run).then_some(lag)
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

    /// The events of the records that are settled or parked.
    fn due_events(&self, standings: &Standings<'_>, conflicts: &BTreeSet<Conflict>, run: &Run) -> Vec<EventReport> {
        let mut due = Vec::new();
        if !run.publish {
            return due;
        }
        let replay = run.origin != Origin::Stream;
        for (record, parked, change) in standings.to_publish() {
            // What parks again was heard when it parked.
            if parked && run.origin == Origin::Failed && self.settings.parking.is_none() {
                continue;
            }
            let lost: Vec<_> = conflicts.iter().filter(|conflict| conflict.record == record).collect();
            let publishing = Publishing { bus: &self.settings.bus, replay, parked };
            let entries = events(&self.model, change, &lost, publishing);
            due.extend(entries.into_iter().map(|entry| EventReport { record, entry }));
        }
        due
    }

    /// Publishes the events of the records that are settled or parked.
    async fn publish_all(
        &self,
        standings: &mut Standings<'_>,
        conflicts: &BTreeSet<Conflict>,
        run: &Run,
        published: &mut Vec<EventReport>,
    ) {
        let due = self.due_events(standings, conflicts, run);
        for event in self.publish(due, run, published).await {
            let applied = if event.permanent {
                Applied::Refused { code: "event-refused", reason: event.why }
            } else {
                Applied::Failed(event.why)
            };
            standings.worsen(event.record, &applied);
        }
        standings.hold_back();
    }
}

/// What came of the work on a batch.
#[derive(Debug, Default)]
struct Worked {
    /// All of its records.
    everything: BTreeSet<usize>,
    verdicts: Vec<(BTreeSet<usize>, Applied)>,
    conflicts: BTreeSet<Conflict>,
    notes: BTreeSet<(usize, String)>,
    /// Why nothing is applied any more.
    ends: Option<&'static str>,
}

impl Worked {
    fn failed(&mut self, records: BTreeSet<usize>, why: impl Into<String>) {
        self.verdict(records, Applied::Failed(why.into()));
    }

    fn all_failed(&mut self, why: impl Into<String>) {
        self.failed(BTreeSet::new(), why);
    }

    /// Of an effect that undoes what the run itself made, all records are meant.
    fn verdict(&mut self, records: BTreeSet<usize>, applied: Applied) {
        let applied =
            if applied == Applied::Moved { Applied::Failed("the items keep changing".to_owned()) } else { applied };
        let records = if records.is_empty() { self.everything.clone() } else { records };
        self.verdicts.push((records, applied));
    }

    /// Notes what came of effects; whether a failing service ends the work.
    fn judge(&mut self, outcomes: Outcomes) -> bool {
        let mut ends = false;
        for (_, records, applied) in outcomes {
            match &applied {
                Applied::Held | Applied::Left | Applied::Moved => {}
                // What the run itself asks for parks nobody's record.
                Applied::Refused { .. } => self.verdicts.push((records, applied)),
                Applied::Failed(_) => {
                    ends = true;
                    self.verdict(records, applied);
                }
            }
        }
        ends
    }
}

/// All records that a plan is of.
fn everything(plan: &Plan<'_>) -> BTreeSet<usize> {
    let objects = plan.objects.values().flat_map(instep_flow::plan::Seen::records);
    objects.chain(plan.guards.values().flatten().copied()).chain(plan.jobs.values().flatten().copied()).collect()
}

fn own((effect, records): (&Effect, &BTreeSet<usize>)) -> (Effect, BTreeSet<usize>) {
    (effect.clone(), records.clone())
}
