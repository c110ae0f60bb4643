//! The sweeps and backfills of a deployment: executions of its state machine.

use std::process::ExitCode;

use aws_sdk_sfn::Client;
use aws_sdk_sfn::operation::describe_execution::DescribeExecutionOutput;
use aws_sdk_sfn::types::{ExecutionListItem, ExecutionStatus};
use instep_aws::calls::Calls;
use instep_aws::sweep::{FoundDifference, SweepStatus, SweepSummary};
use instep_aws::{Instep, RunOptions, call};
use instep_console::output::Output;
use instep_flow::sweep::SweepTally;
use instep_flow::sweep::plan::{Mode, SweepStart};
use instep_model::escaped;
use miette::miette;
use serde_json::{Value, json};

use super::LEFT;
use crate::cli;
use crate::remote::{self, Needs, Target};
use crate::workspace::Workspace;

/// The error of an execution that found another one under way.
const UNDER_WAY: &str = "SweepUnderWay";

/// The state machine of a deployment.
pub(crate) struct Machine {
    client: Client,
    arn: String,
}

impl Machine {
    pub(crate) async fn open(arn: Option<&str>, target: Target<'_>) -> miette::Result<Self> {
        let arn = arn.ok_or_else(|| {
            miette!(
                help = "the output `SweepMachineArn` of the deployed stack has it",
                "`--machine` (or INSTEP_SWEEP_MACHINE) is needed"
            )
        })?;
        let config = remote::config(target, &Calls::default()).await?;
        Ok(Self { client: Client::new(&config), arn: arn.to_owned() })
    }

    /// Starts an execution. Returns its name, which is that of a new sweep.
    pub(crate) async fn start(&self, start: &SweepStart) -> miette::Result<String> {
        let input = json!(start).to_string();
        let send = || self.client.start_execution().state_machine_arn(&self.arn).input(&input).send();
        let started = call(None, send).await;
        let started = started.map_err(|why| miette!("it was not started: {}", why.words("StartExecution")))?;
        Ok(name_of(&started.execution_arn).to_owned())
    }

    async fn executions(&self, status: Option<ExecutionStatus>) -> miette::Result<Vec<ExecutionListItem>> {
        let list = || {
            let list = self.client.list_executions().state_machine_arn(&self.arn).max_results(10);
            list.set_status_filter(status.clone()).send()
        };
        let listed = call(None, list).await.map_err(|why| miette!("{}", why.words("ListExecutions")))?;
        Ok(listed.executions)
    }

    /// Stops the executions that are running. Returns their names.
    async fn stop(&self) -> miette::Result<Vec<String>> {
        let mut stopped = Vec::new();
        for execution in self.executions(Some(ExecutionStatus::Running)).await? {
            let stop = || self.client.stop_execution().execution_arn(&execution.execution_arn).send();
            call(None, stop).await.map_err(|why| miette!("{}", why.words("StopExecution")))?;
            stopped.push(execution.name);
        }
        Ok(stopped)
    }

    /// The execution that is running, or the last one.
    async fn last(&self) -> miette::Result<Option<DescribeExecutionOutput>> {
        let mut all = self.executions(Some(ExecutionStatus::Running)).await?;
        if all.is_empty() {
            all = self.executions(None).await?;
        }
        // The first of those that run goes on, and the others end. Of those that have ended it is the newest.
        let is_first = all.iter().all(|execution| execution.status == ExecutionStatus::Running);
        let Some(execution) = (if is_first { all.last() } else { all.first() }) else { return Ok(None) };
        let describe = || self.client.describe_execution().execution_arn(&execution.execution_arn).send();
        let described = call(None, describe).await.map_err(|why| miette!("{}", why.words("DescribeExecution")))?;
        Ok(Some(described))
    }
}

fn name_of(arn: &str) -> &str {
    arn.rsplit(':').next().unwrap_or_default()
}

/// Starts a sweep.
pub(super) async fn start(args: &cli::SweepArgs, grace_seconds: u32, out: &mut Output) -> miette::Result<ExitCode> {
    let machine = open(args).await?;
    let mode = if args.repair { Mode::Repair } else { Mode::Report };
    let start =
        SweepStart { mode, max_removals: args.max_removals, grace_seconds, sweep: args.of.clone(), change: false };
    let name = machine.start(&start).await?;
    if !args.workspace.json {
        out.line(&format!("the execution {name} starts; `instep sweep --status` says how far it is"))?;
        out.line("if another sweep or backfill is under way, that one goes on, and this one ends")?;
    }
    out.flush()?;
    Ok(ExitCode::SUCCESS)
}

/// Stops the sweep that is under way.
pub(super) async fn stop(args: &cli::SweepArgs, out: &mut Output) -> miette::Result<ExitCode> {
    let stopped = open(args).await?.stop().await?;
    for name in &stopped {
        out.line(&format!("stopped: {name}; `instep sweep --start --of {name}` does what is left of it"))?;
    }
    if stopped.is_empty() {
        out.line("no sweep is under way")?;
    }
    out.flush()?;
    Ok(ExitCode::SUCCESS)
}

/// Prints the sweep that is under way, or the last one.
pub(super) async fn status(args: &cli::SweepArgs, out: &mut Output) -> miette::Result<ExitCode> {
    let Some(execution) = open(args).await?.last().await? else {
        if !args.workspace.json {
            out.line("no sweep was started yet")?;
        }
        out.flush()?;
        return Ok(ExitCode::SUCCESS);
    };
    let said = Said::of(&execution);
    let bucket = match &args.bucket {
        Some(bucket) => Some(Bucket::read(args, bucket, &said).await?),
        None => None,
    };
    if let Some(Bucket { found, .. }) = &bucket
        && !said.is_running
    {
        for difference in found {
            out.line(&if args.workspace.json {
                json!(difference).to_string()
            } else {
                super::as_text(difference, true)
            })?;
        }
    }
    out.line(&if args.workspace.json { said.as_json(bucket.as_ref()) } else { said.as_text(bucket.as_ref()) })?;
    out.flush()?;
    Ok(if said.is_left() { ExitCode::from(LEFT) } else { ExitCode::SUCCESS })
}

async fn open(args: &cli::SweepArgs) -> miette::Result<Machine> {
    Machine::open(args.machine.as_deref(), args.workspace.at.target()).await
}

/// What the bucket has of a sweep.
struct Bucket {
    standing: SweepStatus,
    found: Vec<FoundDifference>,
}

impl Bucket {
    async fn read(args: &cli::SweepArgs, bucket: &str, said: &Said) -> miette::Result<Self> {
        let needs = Needs { only_table: true, bucket: Some(bucket.to_owned()), ..Needs::default() };
        let workspace = Workspace::open(&args.workspace, None, needs).await?;
        let read = Self::of(&workspace.instep, said, &workspace.run).await;
        read.map_err(|why| {
            miette!(help = "S3 deletes what a sweep has read after 14 days", "the bucket cannot be read: {why}")
        })
    }

    async fn of(instep: &Instep, said: &Said, run: &RunOptions) -> Result<Self, String> {
        let standing = instep.standing(&said.sweep, said.mode, run).await?;
        Ok(Self { standing, found: instep.differences_found(&said.sweep, run).await? })
    }
}

/// What an execution says.
struct Said {
    sweep: String,
    mode: Mode,
    state: String,
    is_running: bool,
    began: String,
    ended: Option<String>,
    /// The error and its cause, if it failed.
    failed: Option<String>,
    summary: Option<SweepSummary>,
    max_removals: u64,
}

impl Said {
    fn of(execution: &DescribeExecutionOutput) -> Self {
        let start = execution.input.as_deref().and_then(|text| serde_json::from_str::<SweepStart>(text).ok());
        let own_name = execution.name.clone().unwrap_or_default();
        let sweep = start.as_ref().and_then(|start| start.sweep.clone()).map_or(own_name, String::from);
        let error = execution.error.as_ref().map(|error| match error.as_str() {
            UNDER_WAY => "another sweep or backfill was under way".to_owned(),
            _ => format!("{error}: {}", execution.cause.as_deref().unwrap_or_default()),
        });
        Self {
            sweep,
            mode: start.as_ref().map_or(Mode::Report, |start| start.mode),
            state: execution.status.as_str().to_lowercase(),
            is_running: execution.status == ExecutionStatus::Running,
            began: execution.start_date.to_string(),
            ended: execution.stop_date.as_ref().map(ToString::to_string),
            failed: error,
            summary: execution.output.as_deref().and_then(|text| serde_json::from_str(text).ok()),
            max_removals: start.map_or(0, |start| start.max_removals),
        }
    }

    /// Whether something needs a person.
    fn is_left(&self) -> bool {
        let Some(SweepSummary { tally, is_stopped, .. }) = &self.summary else { return !self.is_running };
        let left = if self.mode.repairs() && !is_stopped { tally.reported } else { tally.drift() };
        left > 0 || *is_stopped || tally.has_more_drift() || tally.left_out > 0
    }

    fn as_json(&self, bucket: Option<&Bucket>) -> String {
        let standing = bucket.map(|bucket| &bucket.standing);
        let tally = self.summary.as_ref().map(|summary| &summary.tally).or(standing.map(|standing| &standing.tally));
        let phase = standing.and_then(|standing| standing.phase);
        let units: Option<Value> = phase.map(|(phase, done, all)| json!({"phase": phase, "done": done, "all": all}));
        json!({
            "sweep": self.sweep, "mode": self.mode.word(), "state": self.state, "began": self.began,
            "ended": self.ended, "failed": self.failed, "units": units, "tally": tally,
            "stopped": self.summary.as_ref().is_some_and(|summary| summary.is_stopped),
        })
        .to_string()
    }

    fn as_text(&self, bucket: Option<&Bucket>) -> String {
        let Self { sweep, state, began, .. } = self;
        let ended = self.ended.as_ref().map(|ended| format!(" to {ended}")).unwrap_or_default();
        let mut lines = vec![format!("sweep {sweep} ({}): {state}, {began}{ended}", self.mode.word())];
        lines.extend(self.failed.as_ref().map(|why| escaped(why).to_string()));
        let standing = bucket.map(|bucket| &bucket.standing);
        if let Some((phase, done, all)) = standing.and_then(|standing| standing.phase).filter(|_| self.is_running) {
            lines.push(format!("phase {}: {done} of {all} units done", phase.word()));
        }
        let counted = self.summary.as_ref().map(|summary| &summary.tally);
        if let Some(tally) = counted.or(standing.map(|standing| &standing.tally)) {
            lines.extend(counts(self.mode, tally));
        }
        if let Some(SweepSummary { tally, is_stopped: true, .. }) = &self.summary {
            lines.push(format!(
                "nothing was sent: the repairs would remove {} memberships, users, groups and orphans, and the sweep \
                 may remove {}. Check the model; if it is right, `instep sweep --start --repair --of {sweep}` with a \
                 higher `--max-removals`",
                tally.removals, self.max_removals
            ));
        }
        if bucket.is_none() && counted.is_some_and(|tally| tally.drift() > 0) {
            lines.push("`--bucket` (or INSTEP_BUCKET) lists them".to_owned());
        }
        lines.join("\n")
    }
}

fn counts(mode: Mode, tally: &SweepTally) -> Vec<String> {
    let SweepTally { items, sent, left_out, .. } = tally;
    if mode == Mode::Backfill {
        let left_out = if *left_out > 0 { format!(", {left_out} left out") } else { String::new() };
        return vec![format!("read: {items} items; sent: {sent}{left_out}")];
    }
    let mut lines = vec![super::read_line(tally)];
    lines.extend(super::found_lines(tally, "the next sweep finds them"));
    if mode.repairs() {
        let left_out = if *left_out > 0 { format!(", {left_out} items left out") } else { String::new() };
        lines.push(format!("{} sent{left_out}", super::repairs(*sent)));
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::*;

    fn execution(status: ExecutionStatus, input: &str, output: Option<&str>) -> DescribeExecutionOutput {
        let at = aws_sdk_sfn::primitives::DateTime::from_secs(1_800_000_000);
        let execution = DescribeExecutionOutput::builder().execution_arn("arn").state_machine_arn("arn").name("e");
        let execution = execution.status(status).start_date(at).input(input).set_output(output.map(str::to_owned));
        execution.build().unwrap()
    }

    /// What people and programs learn of an execution, and whether something is left to do.
    #[test]
    fn an_execution_says_what_it_has_found() {
        let running = Said::of(&execution(ExecutionStatus::Running, r#"{"mode":"report"}"#, None));
        assert_eq!(
            (running.as_text(None).as_str(), running.is_left()),
            ("sweep e (report): running, 2027-01-15T08:00:00Z", false)
        );
        let tally = r#""tally":{"items":9,"kinds":{"extra-member":2},"removals":2,"repairable":2,"sent":2}"#;
        let output = |stopped: bool| format!(r#"{{"began":"2027-01-15T08:00:00Z",{tally},"isStopped":{stopped}}}"#);
        let input = r#"{"mode":"repair","maxRemovals":1,"graceSeconds":60,"sweep":"earlier"}"#;
        let repaired = Said::of(&execution(ExecutionStatus::Succeeded, input, Some(&output(false))));
        assert!(
            !repaired.is_left() && repaired.as_text(None).contains("\n2 differences: 2 extra-member\n2 repairs sent")
        );
        let stopped = Said::of(&execution(ExecutionStatus::Succeeded, input, Some(&output(true))));
        assert!(stopped.is_left() && stopped.as_text(None).contains("`instep sweep --start --repair --of earlier`"));
        let mut failed = execution(ExecutionStatus::Failed, input, None);
        failed.error = Some(UNDER_WAY.to_owned());
        let failed = Said::of(&failed);
        assert!(failed.is_left() && failed.as_text(None).contains("another sweep or backfill was under way"));
    }
}
