#![doc = include_str!("../README.md")]

use std::sync::Arc;

use instep_aws::sweep::{Planned, SweepError, SweepSummary};
use instep_aws::{RunOptions, noting_unlisted};
use instep_flow::model_history::NotNoted;
use instep_flow::sweep::plan::{Mode, SweepPhase, SweepRequest, SweepStart};
use instep_flow::sweep::units::{SweepName, SweepUnit};
use instep_lambda::{Function, InvocationFailure};
use jiff::Timestamp;
use lambda_runtime::LambdaEvent;
use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;
use tokio::time::Instant;
use tracing::warn;

pub mod snapshot;

/// The part of an invocation's time in which steps begin, in thirds. The rest is for the step under way.
const STEPS_BEGIN_THIRDS: u32 = 2;

/// What the state machine asks for.
#[derive(Debug, Deserialize)]
#[serde(tag = "do", rename_all = "camelCase", rename_all_fields = "camelCase", deny_unknown_fields)]
enum Task {
    /// Begin a sweep, unless another one is under way.
    Begin {
        /// The input of the execution.
        input: SweepStart,
        /// The execution's name.
        name: String,
        /// The execution's ARN.
        execution: String,
        /// The executions that are running, as far as the service knows.
        running: Vec<Execution>,
    },
    /// Say which units come next.
    Plan {
        sweep: SweepName,
        mode: Mode,
        max_removals: u64,
        grace_seconds: u32,
        /// The phase that was just run.
        ran: Option<SweepPhase>,
    },
    /// Do steps of a unit.
    Unit { sweep: SweepName, unit: SweepUnit },
    /// Send more of a snapshot to the bus.
    Snapshot {
        /// When the execution started, before the first read: its retries go on with the same snapshot.
        started_at: Timestamp,
    },
    /// Send the end of a snapshot that cannot go on.
    EndSnapshot { started_at: Timestamp },
}

/// An execution of the state machine. Source: AWS Step Functions API Reference, ExecutionListItem.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "PascalCase")]
struct Execution {
    execution_arn: String,
    start_date: Timestamp,
}

/// The answer. The names are those that the state machine reads.
#[derive(Debug, Serialize)]
#[serde(untagged)]
pub enum SweepResponse {
    /// Of a task that begins a sweep.
    Begun(Box<Begun>),
    /// Of a task that plans.
    Next(Box<NextTask>),
    /// Of a task of a unit.
    Done {
        /// Whether the unit is done. If not, it is to be invoked again.
        done: bool,
    },
    /// Of a task of a snapshot.
    Taken {
        /// Whether its end was sent. If not, it is to be invoked again.
        over: bool,
    },
}

/// What the states after the first one read.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Begun {
    /// Another sweep is under way.
    late: bool,
    sweep: String,
    mode: Mode,
    max_removals: u64,
    grace_seconds: u32,
    /// The answer before the first plan.
    plan: Plan,
}

#[derive(Debug, Default, Serialize)]
struct Plan {
    next: NextTask,
}

/// What comes next.
#[derive(Debug, Default, Serialize)]
pub struct NextTask {
    /// Nothing.
    over: bool,
    /// The sweep: each round of a change is one of its own.
    sweep: String,
    phase: Option<SweepPhase>,
    /// The key of the list of units, which the map reads.
    key: String,
    /// The units that run at once.
    concurrency: u32,
    /// The seconds to wait before.
    wait: u32,
    /// What the repairs would remove.
    removals: u64,
    /// What the sweep has found and done, at its end.
    summary: Option<SweepSummary>,
}

/// Does a task.
///
/// # Errors
/// The task is none, the sweep cannot go on, or a service failed. The state machine retries only the last one.
pub async fn handle(
    function: Arc<Function>,
    event: LambdaEvent<Box<RawValue>>,
) -> Result<SweepResponse, InvocationFailure> {
    let LambdaEvent { payload, context } = event;
    let task = serde_json::from_str::<Task>(payload.get()).map_err(|why| invalid(&why))?;
    let run = function.run(&context);
    let before = function.calls();
    let (done, unlisted) = noting_unlisted(Box::pin(done(&function, task, &run))).await;
    function.report_calls(None, &unlisted, &before, run.now);
    done
}

fn invalid(why: &impl ToString) -> InvocationFailure {
    InvocationFailure { kind: "InvalidInput", message: why.to_string() }
}

fn failed(why: SweepError) -> InvocationFailure {
    match why {
        SweepError::Refused(message) => InvocationFailure { kind: "SweepRefused", message },
        SweepError::Failed(message) => InvocationFailure { kind: "SweepFailed", message },
    }
}

async fn done(function: &Function, task: Task, run: &RunOptions) -> Result<SweepResponse, InvocationFailure> {
    match task {
        Task::Begin { input, name, execution, running } => {
            let SweepStart { mode, max_removals, grace_seconds, sweep, change } = input;
            let sweep = match sweep {
                Some(sweep) => sweep,
                None => SweepName::try_from(name).map_err(|why| invalid(&why))?,
            };
            let late = is_late(&execution, &running);
            let mut mode = mode;
            if late {
                warn!("a sweep was to start, and another one is still under way");
            } else {
                note_model(function, run).await?;
                mode = changing(function, mode, change, run).await?;
                function.instep.begin_sweep(sweep.as_str(), mode, run).await.map_err(failed)?;
            }
            let sweep = sweep.as_str().to_owned();
            let plan = Plan { next: NextTask { sweep: sweep.clone(), ..NextTask::default() } };
            let begun = Begun { late, sweep, mode, max_removals, grace_seconds, plan };
            Ok(SweepResponse::Begun(Box::new(begun)))
        }
        Task::Plan { sweep, mode, max_removals, grace_seconds, ran } => {
            let ask = SweepRequest { mode, max_removals, grace_seconds, ran };
            let mut planned = function.instep.plan_sweep(sweep.as_str(), &ask, run).await.map_err(failed)?;
            let mut round = sweep;
            if let (Mode::Change, Planned::Over(summary)) = (mode, &planned) {
                let ended = function.instep.end_round(round.as_str(), summary, run).await.map_err(failed)?;
                function.report_change(ended.as_ref(), run.now);
                if ended.is_some_and(|history| history.goes_on()) {
                    function.report_sweep(round.as_str(), mode, summary, run.now);
                    round = round.next_round();
                    let ask = SweepRequest { ran: None, ..ask };
                    function.instep.begin_sweep(round.as_str(), mode, run).await.map_err(failed)?;
                    planned = function.instep.plan_sweep(round.as_str(), &ask, run).await.map_err(failed)?;
                }
            }
            Ok(SweepResponse::Next(Box::new(next(function, round.as_str(), mode, planned, run))))
        }
        Task::Snapshot { started_at } => {
            Ok(SweepResponse::Taken { over: snapshot::go_on(&function.instep, started_at, steps_end(run), run).await? })
        }
        Task::EndSnapshot { started_at } => {
            snapshot::give_up(&function.instep, started_at, run).await?;
            Ok(SweepResponse::Taken { over: true })
        }
        Task::Unit { sweep, unit } => {
            let stop = steps_end(run);
            let done = function.instep.sweep_unit(sweep.as_str(), unit, stop, run, &|_| {}).await;
            done.map(|done| SweepResponse::Done { done }).map_err(|why| failed(SweepError::Failed(why)))
        }
    }
}

/// When no more steps begin in an invocation.
fn steps_end(run: &RunOptions) -> Option<Instant> {
    let now = Instant::now();
    run.deadline.map(|deadline| now + deadline.saturating_duration_since(now) / 3 * STEPS_BEGIN_THIRDS)
}

/// A repair, and a scheduled sweep of any kind, is a round of the change that is under way, if one is.
async fn changing(
    function: &Function,
    mode: Mode,
    is_asked: bool,
    run: &RunOptions,
) -> Result<Mode, InvocationFailure> {
    if mode != Mode::Repair && !is_asked {
        return Ok(mode);
    }
    let is_changing = function.instep.is_changing(run).await;
    let is_changing = is_changing.map_err(|why| failed(SweepError::Failed(why)))?;
    Ok(if is_changing { Mode::Change } else { mode })
}

/// Notes which model is deployed. A rule starts a sweep when a deployment has ended: then all functions have the model.
/// A model that is not noted keeps no sweep from its work.
async fn note_model(function: &Function, run: &RunOptions) -> Result<(), InvocationFailure> {
    match function.instep.note_model(run).await {
        Ok(_) => Ok(()),
        Err(NotNoted::Failed(why)) => Err(failed(SweepError::Failed(why))),
        Err(why) => {
            warn!(%why, "the table does not keep the deployed model");
            Ok(())
        }
    }
}

fn next(function: &Function, sweep: &str, mode: Mode, planned: Planned, run: &RunOptions) -> NextTask {
    match planned {
        Planned::Over(summary) => {
            function.report_sweep(sweep, mode, &summary, run.now);
            NextTask { over: true, sweep: sweep.to_owned(), summary: Some(*summary), ..NextTask::default() }
        }
        Planned::Run { phase, key, wait, removals, .. } => NextTask {
            sweep: sweep.to_owned(),
            phase: Some(phase),
            key,
            concurrency: phase.concurrency(),
            wait,
            removals,
            ..NextTask::default()
        },
    }
}

/// Whether another execution goes first. The list is eventually consistent: if it lacks this execution, all that it
/// has are earlier.
fn is_late(execution: &str, running: &[Execution]) -> bool {
    let order = |of: &Execution| (of.start_date, of.execution_arn.clone());
    let own = running.iter().find(|of| of.execution_arn == execution).map(order);
    running.iter().any(|of| own.as_ref().is_none_or(|own| order(of) < *own))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn execution(name: &str, second: i64) -> Execution {
        Execution { execution_arn: name.to_owned(), start_date: Timestamp::from_second(second).unwrap() }
    }

    /// One sweep at a time: the one that started first goes on.
    #[test]
    fn the_first_execution_goes_on() {
        let two = [execution("b", 2), execution("a", 1)];
        assert!(!is_late("a", &two) && is_late("b", &two));
        let at_once = [execution("b", 1), execution("a", 1)];
        assert!(!is_late("a", &at_once) && is_late("b", &at_once));
        assert!(!is_late("a", &[]) && !is_late("a", &two[1..]) && is_late("c", &two));
    }

    /// What people and the schedule give to an execution. A mistyped word must not start another sweep than was meant.
    #[test]
    fn tasks_are_read_strictly() {
        let begin = |input: &str| {
            let text = format!(r#"{{"do":"begin","input":{input},"name":"n","execution":"a","running":[]}}"#);
            serde_json::from_str::<Task>(&text).map_err(|error| error.to_string())
        };
        let Ok(Task::Begin { input, .. }) = begin(r#"{"mode":"repair"}"#) else { panic!("no task") };
        let expected =
            SweepStart { mode: Mode::Repair, max_removals: 0, grace_seconds: 60, sweep: None, change: false };
        assert_eq!(input, expected, "it removes nothing if nothing is said of that");
        let scheduled = begin(r#"{"mode":"report","maxRemovals":100,"change":true}"#);
        assert!(matches!(scheduled, Ok(Task::Begin { input: SweepStart { change: true, .. }, .. })));
        for (input, why) in [
            ("{}", "missing field `mode`"),
            (r#"{"mode":"repairs"}"#, "unknown variant `repairs`"),
            (r#"{"mode":"repair","maxremovals":1}"#, "unknown field `maxremovals`"),
            (r#"{"mode":"report","sweep":"../parked"}"#, "`../parked` is no name of a sweep"),
        ] {
            let said = begin(input).unwrap_err();
            assert!(said.contains(why), "{input}: {said}");
        }
        let running = r#"[{"ExecutionArn":"a","Name":"n","StartDate":"2026-11-28T04:36:03.123Z","Status":"RUNNING"}]"#;
        let text =
            format!(r#"{{"do":"begin","input":{{"mode":"report"}},"name":"n","execution":"a","running":{running}}}"#);
        assert!(serde_json::from_str::<Task>(&text).is_ok());
        let first = r#"{"do":"snapshot","startedAt":"2026-11-28T04:36:03.123Z"}"#;
        assert!(matches!(serde_json::from_str::<Task>(first), Ok(Task::Snapshot { .. })));
        let unit = r#"{"do":"unit","sweep":"s","unit":"segment-3"}"#;
        assert!(matches!(serde_json::from_str::<Task>(unit), Ok(Task::Unit { unit: SweepUnit::Segment(3), .. })));
        assert!(serde_json::from_str::<Task>(&unit.replace("-3", "-x")).is_err());
    }
}
