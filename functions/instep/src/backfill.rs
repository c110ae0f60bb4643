//! `instep backfill`: sends the items of the table to the work queue.

use std::process::ExitCode;
use std::sync::Once;
use std::time::Instant;

use instep_aws::RunOptions;
use instep_aws::sweep::SweepProgress;
use instep_console::clock;
use instep_console::output::Output;
use instep_console::report::progress::RunProgress;
use instep_console::report::{Format, Reporter};
use instep_flow::sweep::SweepTally;
use instep_flow::sweep::plan::{Mode, SweepStart};
use miette::miette;
use serde_json::json;

use crate::cli;
use crate::remote::{Needs, Remote};
use crate::sweep::{Machine, SweepFolder};

/// Items were left out.
const INCOMPLETE: u8 = 1;

/// Backfills.
pub(crate) async fn run(args: cli::BackfillArgs, out: &mut Output) -> miette::Result<ExitCode> {
    if args.start {
        let start = SweepStart { mode: Mode::Backfill, max_removals: 0, grace_seconds: 0, sweep: None, change: false };
        let name = Machine::open(args.machine.as_deref(), args.at.target()).await?.start(&start).await?;
        out.line(&format!("the execution {name} starts; `instep sweep --status` says how far it is"))?;
        out.flush()?;
        return Ok(ExitCode::SUCCESS);
    }
    let model = args.at.model()?;
    let started = Instant::now();
    let needs = Needs { needs_queue: true, ..Needs::default() };
    let Remote { instep, calls } = Remote::open_verified(&model, args.at.target(), &args.at.deployment, needs).await?;
    let run = RunOptions {
        now: clock::now(),
        publish: true,
        dry_run: args.dry_run,
        deadline: None,
        adopt_before: args.adopt_before,
        trace: None,
    };
    let kept = SweepFolder::open(None)?;
    let (bar, told) = (RunProgress::counting(), Once::new());
    let listener = |progress| match progress {
        SweepProgress::Items(count) => bar.more(count),
        SweepProgress::Backlogged(messages) => {
            bar.say(&format!("waits: {messages} messages are in the work queue"));
            told.call_once(|| tracing::warn!(messages, "waits while so many messages are in the work queue"));
        }
        SweepProgress::LeftOut(item) => {
            tracing::warn!(item, "left out: what Instep needs of it does not fit a message")
        }
        SweepProgress::Pool(_) | SweepProgress::Waiting(_) | SweepProgress::Sent(_) => {}
    };
    let sent = kept.of(&instep).backfill(&run, &listener).await;
    bar.end();
    let tally = sent.map_err(|why| {
        miette!(help = "run the same command again: what is sent twice does no harm", "the backfill did not end: {why}")
    })?;
    let format = if args.json { Format::Json } else { Format::Text };
    Reporter::counting(out, format).sent_in_all(calls.snapshot(), started.elapsed())?;
    out.line(&summary(&tally, args.json, args.dry_run))?;
    out.flush()?;
    Ok(if tally.left_out == 0 { ExitCode::SUCCESS } else { ExitCode::from(INCOMPLETE) })
}

fn summary(tally: &SweepTally, is_json: bool, is_dry: bool) -> String {
    let SweepTally { items, sent, left_out, .. } = tally;
    if is_json {
        return json!({"kind": "backfill", "items": items, "sent": sent, "leftOut": left_out}).to_string();
    }
    let verb = if is_dry { "would be sent" } else { "sent" };
    let mut text = format!("{sent} {verb} to the work queue");
    if *left_out > 0 {
        text.push_str(&format!("\n  {left_out} left out: too large for a message (docs/operate/runbook.md, Backfill)"));
    }
    text
}
