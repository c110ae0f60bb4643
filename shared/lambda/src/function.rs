//! A function from its start to its last invocation.

use std::collections::BTreeMap;
use std::fmt;
use std::future::Future;
use std::io::Write as _;
use std::process::ExitCode;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use instep_aws::calls::Calls;
use instep_aws::clock::Tick;
use instep_aws::connect;
use instep_aws::sweep::SweepSummary;
use instep_aws::token::IssuedGroups;
use instep_aws::{Clients, Instep, RunOptions, Unlisted};
use instep_doctor::{CheckResult, Doctor, Level};
use instep_flow::model_history::ModelHistory;
use instep_flow::report::{Outcome, Report};
use instep_flow::sweep::SweepTally;
use instep_flow::sweep::plan::Mode;
use jiff::Timestamp;
use lambda_runtime::{Context, Diagnostic, LambdaEvent, service_fn};
use serde::Serialize;
use serde_json::value::RawValue;
use tokio::time::Instant;
use tracing::{Instrument as _, debug, error, info, info_span, warn};

use crate::config::{Config, FUNCTION_NAME, TokenSettings, environment, is_in_lambda, log_level};
use crate::findings::Findings;
use crate::metrics::{Measurements, Metrics, MetricsDetail, WorkOutcome};
use crate::{logs, time};

/// The maximum time of the checks at the start. Lambda allows ten seconds for the whole start.
/// Source: AWS Lambda Developer Guide, "Understanding the Lambda execution environment lifecycle".
const VERIFY_TIME: Duration = Duration::from_secs(5);

/// The maximum number of characters in a trace header. Source: Amazon EventBridge API Reference,
/// "PutEventsRequestEntry".
const TRACE_MAX: usize = 500;

/// A Lambda function around Instep.
#[derive(Debug)]
pub struct Function {
    /// The runtime that handles records and messages.
    pub instep: Instep,
    /// What the function of tokens needs.
    pub tokens: TokenSettings,
    calls: Calls,
    metrics: Metrics,
    verified: AtomicBool,
    findings: Findings,
}

/// An invocation that fails as a whole.
#[derive(Clone, PartialEq, Eq, thiserror::Error)]
#[error("{kind}: {message}")]
pub struct InvocationFailure {
    /// A stable code.
    pub kind: &'static str,
    /// What is wrong and how to fix it. It contains no attribute values.
    pub message: String,
}

/// The runtime logs a failure in this form.
impl fmt::Debug for InvocationFailure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl From<InvocationFailure> for Diagnostic {
    fn from(failure: InvocationFailure) -> Self {
        Self { error_type: format!("Instep.{}", failure.kind), error_message: failure.message }
    }
}

/// Whether a function checks table, pool and bus before it serves.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum StartCheck {
    /// It does.
    Verified,
    /// Its role cannot check them, because it does not touch all of them.
    Unverified,
}

/// Starts a function and serves its invocations with `handle`, until Lambda ends the process.
/// Errors are in the log.
pub async fn serve<F, Fut, T>(start: StartCheck, handle: F) -> ExitCode
where
    F: Fn(Arc<Function>, LambdaEvent<Box<RawValue>>) -> Fut,
    Fut: Future<Output = Result<T, InvocationFailure>>,
    T: Serialize,
{
    serve_with(|| Function::start(start), |function, event, _| handle(function, event)).await
}

/// As [`serve`], for a function with a state of its own, which `start` makes. `handle` also gets the present time.
pub async fn serve_with<S, Start, F, Fut, T>(start: impl FnOnce() -> Start, handle: F) -> ExitCode
where
    Start: Future<Output = Result<S, Vec<String>>>,
    F: Fn(Arc<S>, LambdaEvent<Box<RawValue>>, Timestamp) -> Fut,
    Fut: Future<Output = Result<T, InvocationFailure>>,
    T: Serialize,
{
    logs::start(log_level(&environment));
    let state = match start().await {
        Ok(state) => Arc::new(state),
        Err(problems) => {
            for problem in problems {
                error!(problem, "cannot start");
            }
            return ExitCode::FAILURE;
        }
    };
    run_service(|event| handle(Arc::clone(&state), event, time::now())).await
}

/// Answers invocations, until Lambda ends the process.
async fn run_service<F, Fut, T>(answer: F) -> ExitCode
where
    F: Fn(LambdaEvent<Box<RawValue>>) -> Fut,
    Fut: Future<Output = Result<T, InvocationFailure>>,
    T: Serialize,
{
    let service = service_fn(|event: LambdaEvent<Box<RawValue>>| {
        let span = info_span!("invocation", requestId = event.context.request_id);
        answer(event).instrument(span)
    });
    match lambda_runtime::run(service).await {
        Ok(()) => ExitCode::SUCCESS,
        Err(why) => {
            error!(problem = %why, "the runtime ended");
            ExitCode::FAILURE
        }
    }
}

/// As [`serve`], for a function that must not keep anybody from what invokes it: it answers with the event as it is, also
/// if its configuration is wrong.
pub async fn serve_open<F, Fut>(handle: F) -> ExitCode
where
    F: Fn(Arc<Function>, LambdaEvent<Box<RawValue>>) -> Fut,
    Fut: Future<Output = Box<RawValue>>,
{
    logs::start(log_level(&environment));
    let function = Function::start(StartCheck::Unverified).await.map(Arc::new);
    for problem in function.as_ref().err().into_iter().flatten() {
        error!(problem, "does nothing");
    }
    if !is_in_lambda(&environment) {
        return ExitCode::FAILURE;
    }
    run_service(|event| {
        let (function, handle) = (function.as_ref().ok().map(Arc::clone), &handle);
        async move {
            Ok(match function {
                Some(function) => handle(function, event).await,
                None => {
                    let function = environment(FUNCTION_NAME).unwrap_or_default();
                    print(Metrics { function, detail: MetricsDetail::Totals }.sign_up(false, time::now()));
                    event.payload
                }
            })
        }
    })
    .await
}

impl Function {
    async fn start(start: StartCheck) -> Result<Self, Vec<String>> {
        let Config { model, settings, tokens, metrics, function } =
            Config::read(&environment).map_err(|errors| errors.iter().map(ToString::to_string).collect::<Vec<_>>())?;
        let calls = Calls::default();
        let clients = Clients::new(&connect::lambda(&calls).await);
        let instep = Instep::new(Arc::new(model), clients, settings);
        let metrics = Metrics { function, detail: metrics };
        let verified = AtomicBool::new(false);
        let function = Self { instep, tokens, calls, metrics, verified, findings: Findings::default() };
        let found =
            if start == StartCheck::Verified { function.check(Instant::now() + VERIFY_TIME).await } else { Vec::new() };
        let wrong = found.iter().filter(|finding| finding.level == Level::Wrong).map(words).collect::<Vec<_>>();
        if !wrong.is_empty() {
            return Err(wrong);
        }
        info!(verified = function.verified.load(Ordering::Relaxed), "started");
        Ok(function)
    }

    /// Checks the resources that the function needs, and remembers if all of them are available.
    async fn check(&self, deadline: Instant) -> Vec<CheckResult> {
        let found = Doctor::of(&self.instep).verify(Some(deadline)).await;
        for finding in found.iter().filter(|finding| finding.level == Level::Unknown) {
            warn!(of = finding.resource, says = finding.message, "not verified yet");
        }
        if found.iter().all(|finding| finding.level < Level::Unknown) {
            self.verified.store(true, Ordering::Relaxed);
        }
        found
    }

    /// Ensures that the resources that the function needs are available. A service that did not
    /// answer at the start is asked again.
    ///
    /// # Errors
    /// A resource is not available, or its service does not answer.
    pub async fn verified(&self) -> Result<(), InvocationFailure> {
        if self.verified.load(Ordering::Relaxed) {
            return Ok(());
        }
        let found = self.check(Instant::now() + VERIFY_TIME).await;
        let missing = found.iter().filter(|finding| finding.level >= Level::Unknown).map(words).collect::<Vec<_>>();
        if missing.is_empty() {
            return Ok(());
        }
        Err(InvocationFailure { kind: "NotVerified", message: missing.join("; ") })
    }

    /// Ensures that this process knows the models before the deployed one that may have left something.
    ///
    /// # Errors
    /// The table cannot be read.
    pub async fn look_back(&self, run: &RunOptions) -> Result<(), InvocationFailure> {
        let failed = |message| InvocationFailure { kind: "NotVerified", message };
        for why in self.instep.look_back(run).await.map_err(failed)? {
            warn!(why, "only sweeps find what a former model made");
        }
        Ok(())
    }

    /// The settings for running an invocation.
    #[must_use]
    pub fn run(&self, context: &Context) -> RunOptions {
        let now = time::now();
        RunOptions {
            now,
            publish: true,
            dry_run: false,
            deadline: time::left(now, context.deadline).map(|left| Instant::now() + left),
            adopt_before: None,
            trace: context.xray_trace_id.clone().filter(|trace| (1..=TRACE_MAX).contains(&trace.len())),
        }
    }

    /// The number of API calls so far, by operation.
    #[must_use]
    pub fn calls(&self) -> BTreeMap<String, u64> {
        self.calls.snapshot()
    }

    /// Logs the outcome of a batch, as lines and as metrics. `oldest` is when its oldest record was
    /// written, `before` are the calls before the batch.
    pub fn report_batch(
        &self,
        report: &Report,
        oldest: Option<Timestamp>,
        before: &BTreeMap<String, u64>,
        now: Timestamp,
    ) {
        let oldest_ms = oldest.map(|oldest| now.as_millisecond() - oldest.as_millisecond());
        self.write_report(report, oldest_ms, None, before, now);
    }

    /// Logs the outcome of a batch of work messages, as lines and as metrics. `before` are the
    /// calls before the batch.
    pub fn report_work(&self, report: &Report, work: WorkOutcome, before: &BTreeMap<String, u64>, now: Timestamp) {
        info!(handled = work.handled, replaced = work.replaced, failed = work.failed, "work");
        self.write_report(report, None, Some(work), before, now);
    }

    /// Logs what an invocation without a batch has called, as metrics, and what its tick of the clock has done: `None` if
    /// that failed, or if it is no tick. `unlisted` are the codes that Instep does not know, and `before` are the calls
    /// before it.
    pub fn report_calls(
        &self,
        tick: Option<&Tick>,
        unlisted: &Unlisted,
        before: &BTreeMap<String, u64>,
        now: Timestamp,
    ) {
        if let Some(tick) = tick {
            info!(sent = tick.sent, behind = tick.is_behind, "tick");
            if tick.unreadable > 0 {
                warn!(items = tick.unreadable, "items among the moments were not Instep's: deleted");
            }
            if tick.refused > 0 {
                warn!(moments = tick.refused, "the work queue refuses moments for good: their items stay");
            }
        }
        log_unlisted(unlisted);
        let calls = self.calls.since(before).values().sum();
        print(self.metrics.calls(tick, unlisted, calls, now));
    }

    /// Logs whether Instep was told of a sign-up, as a line and as metrics. INVARIANT 9: not whose it was.
    pub fn report_sign_up(&self, is_sent: bool, now: Timestamp) {
        if is_sent {
            info!("a sign-up");
        } else {
            error!("the work queue does not answer: Instep is not told of a sign-up");
        }
        print(self.metrics.sign_up(is_sent, now));
    }

    /// Logs what became of a token, as a line and as metrics: its groups, nothing for one without a user, or why there is
    /// none. INVARIANT 9: not whose it is, and no group.
    pub fn report_token(&self, issued: Result<Option<&IssuedGroups>, &String>, now: Timestamp) {
        match issued {
            Ok(None) => debug!("a token of an application"),
            Ok(Some(IssuedGroups { groups, left_out, is_incomplete: false, .. })) => {
                debug!(groups, left_out, "a token")
            }
            Ok(Some(IssuedGroups { groups, left_out, .. })) => {
                warn!(groups, left_out, "a token lacks groups, and says so")
            }
            Err(why) => error!(why, "the groups of a token are not known: nobody gets it"),
        }
        let is_incomplete = matches!(issued, Ok(Some(IssuedGroups { is_incomplete: true, .. })));
        print(self.metrics.token(issued.is_err(), is_incomplete, now));
    }

    /// Logs the end of a sweep or a backfill, as a line and as metrics. Who differs is in the bucket, and in no log.
    pub fn report_sweep(&self, sweep: &str, mode: Mode, summary: &SweepSummary, now: Timestamp) {
        let SweepSummary { tally, is_stopped: stopped, .. } = summary;
        let SweepTally { items, users, members, more, in_progress, removals, sent, left_out, .. } = tally;
        let drift = tally.drift();
        info!(
            sweep,
            mode = mode.word(),
            items,
            users,
            members,
            drift,
            more,
            in_progress,
            removals,
            sent,
            left_out,
            stopped,
            "a sweep has ended"
        );
        print(self.metrics.swept(mode, summary, now));
    }

    /// Logs what the change to the deployed model waits for, as a line and as metrics. `None`: there is none.
    pub fn report_change(&self, history: Option<&ModelHistory>, now: Timestamp) {
        let waits = history.and_then(|history| history.waits);
        if let Some(history) = history {
            let (state, rounds) = (history.state(), history.rounds);
            let (waits, count) = (waits.map(|waits| waits.what.word()), waits.map(|waits| waits.count));
            info!(state, rounds, waits, count, "a round of the change to the deployed model has ended");
        }
        print(self.metrics.change(waits.is_some(), now));
    }

    fn write_report(
        &self,
        report: &Report,
        oldest_ms: Option<i64>,
        work: Option<WorkOutcome>,
        before: &BTreeMap<String, u64>,
        now: Timestamp,
    ) {
        log(report);
        for (kind, item, count) in self.findings.to_log(&report.findings, now) {
            warn!(finding = kind.word(), item, count, "stays as it is, and may be a mistake");
        }
        let calls = self.calls.since(before);
        print(self.metrics.lines(&Measurements { report, calls: &calls, oldest_ms, work, now }));
    }
}

fn print(lines: Vec<String>) {
    let mut stdout = std::io::stdout().lock();
    for line in lines {
        // An error here cannot be reported: standard output is the log.
        let _ = writeln!(stdout, "{line}");
    }
    let _ = stdout.flush();
}

fn words(finding: &CheckResult) -> String {
    match &finding.fix {
        Some(fix) => format!("{}: {}: {fix}", finding.resource, finding.message),
        None => format!("{}: {}", finding.resource, finding.message),
    }
}

/// INVARIANT 9: only item types, sequence numbers, codes and counts; no key, no attribute, and no
/// subject of an effect.
fn log(report: &Report) {
    let (mut handled, mut skipped, mut parked, mut retried) = (0_u32, 0_u32, 0_u32, 0_u32);
    for record in &report.records {
        let item = record.change.as_ref().map(|change| change.item.as_str());
        let change = record.change.as_ref().map(|change| change.verb);
        let sequence = record.sequence.as_deref();
        match &record.outcome {
            Outcome::Handled => {
                handled += 1;
                debug!(item, change, sequence, "handled");
            }
            Outcome::Skipped { why } => {
                skipped += 1;
                debug!(sequence, why, "skipped");
            }
            Outcome::Parked(why) => {
                parked += 1;
                warn!(item, change, sequence, code = why.code, reason = why.reason, "parked");
            }
            Outcome::Retry { why } => {
                if retried == 0 {
                    warn!(item, change, sequence, why, "left to retry, with all records after it");
                }
                retried += 1;
            }
        }
    }
    for effect in &report.effects {
        debug!(service = effect.service, operation = effect.operation, outcome = ?effect.outcome, "effect");
    }
    log_unlisted(&report.unlisted);
    let (effects, events) = (report.effects.len(), report.events.len());
    info!(records = report.records.len(), handled, skipped, parked, retried, effects, events, "batch");
}

fn log_unlisted(unlisted: &Unlisted) {
    for (code, times) in unlisted {
        warn!(code, times, "a service answered with an error code that Instep does not know");
    }
}
