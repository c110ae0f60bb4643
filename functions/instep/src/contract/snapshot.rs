//! `instep contract snapshot`: the present items as events, printed or sent.

use std::process::ExitCode;

use instep_aws::SnapshotProgress;
use instep_console::clock;
use instep_console::output::Output;
use instep_flow::events::ChangedSince;
use instep_flow::report::{BusPlace, EventEntry};
use instep_patterns::Pattern;
use miette::miette;

use crate::cli::contract::{Recipient, SnapshotArgs};
use crate::events::read_pattern;
use crate::remote::Needs;
use crate::workspace::Workspace;

/// Where a snapshot goes.
struct Taking<'a> {
    workspace: &'a Workspace,
    pattern: Option<Pattern>,
    to: Option<Recipient>,
    /// Whence its events are delivered.
    from: BusPlace,
}

/// Prints or sends the snapshot.
pub(super) async fn run(args: SnapshotArgs, out: &mut Output) -> miette::Result<ExitCode> {
    let pattern = args.pattern.as_deref().map(read_pattern).transpose()?;
    let bus = match &args.to {
        Some(Recipient::Bus(_)) if pattern.is_some() => {
            return Err(miette!(
                help = "send it to the queue of the one subscriber that the pattern is of, or leave the pattern out",
                "`--pattern` selects for one subscriber, and all subscribers of a bus would delete what it leaves out"
            ));
        }
        Some(Recipient::Bus(bus)) => bus.as_str(),
        Some(Recipient::Queue(_)) | None => "",
    };
    // Before the first read: what is written from now on has its own events.
    let now = args.now.unwrap_or_else(clock::now);
    let since = args.since.map(|at| ChangedSince { at, written: args.written });
    if let Some(since) = since.as_ref().filter(|since| since.at > now) {
        return Err(miette!(
            help = "name a time before which you have received everything",
            "`--since {}` is in the future: it is {now}",
            since.at
        ));
    }
    let workspace = Workspace::open(&args.workspace, Some(now), Needs { only_table: true, ..Needs::default() }).await?;
    let from = workspace.bus_place().await?;
    let begun = workspace.instep.begin_snapshot(bus, now);
    let mut progress = match &since {
        Some(since) => begun.of_changes(since.clone()),
        None => begun,
    };
    let taken = Taking { workspace: &workspace, pattern, to: args.to.clone(), from }.take(&mut progress, out).await;
    workspace.close().await;
    taken?;
    if let Some(since) = since {
        say_what_it_is(&since, progress.left_out());
    }
    let count = progress.count();
    if args.to.is_some() {
        out.line(&format!("sent a snapshot of {count} event{}", if count == 1 { "" } else { "s" }))?;
    }
    Ok(ExitCode::SUCCESS)
}

/// Says that the snapshot is a part, or that it left out nothing: then the attribute may be another one.
fn say_what_it_is(ChangedSince { at, written }: &ChangedSince, left_out: usize) {
    if left_out == 0 {
        let written = written.join("`, `");
        tracing::warn!(
            "no item was left out: none says by `{written}` that it was written before {at}. Is `--written` right?"
        );
    }
    tracing::warn!(
        left_out,
        "this is a part, of what may have changed since {at}: a subscriber deletes nothing after it"
    );
}

impl Taking<'_> {
    async fn take(&self, progress: &mut SnapshotProgress, out: &mut Output) -> miette::Result<()> {
        let taken = self.steps(progress, out).await;
        if taken.is_err() {
            // Without its end, or with this one, a subscriber deletes nothing.
            let ended = self.workspace.instep.snapshot_end(progress, false);
            return taken.and(self.hand_on(ended, out).await);
        }
        taken
    }

    async fn steps(&self, progress: &mut SnapshotProgress, out: &mut Output) -> miette::Result<()> {
        let Workspace { instep, run, .. } = self.workspace;
        let is_wanted = |entry: &EventEntry| {
            self.pattern.as_ref().is_none_or(|pattern| pattern.matches(&entry.delivered(&self.from)))
        };
        while !progress.is_over() {
            let step = instep.snapshot_step(progress, is_wanted, run).await;
            let (entries, after) = step.map_err(|why| miette!(help = "`instep doctor` checks the table", "{why}"))?;
            self.hand_on(entries, out).await?;
            *progress = after;
        }
        Ok(())
    }

    async fn hand_on(&self, entries: Vec<EventEntry>, out: &mut Output) -> miette::Result<()> {
        let Workspace { instep, run, .. } = self.workspace;
        let bodies = || entries.iter().map(|entry| entry.delivered(&self.from).to_string());
        let sent = match &self.to {
            None => {
                for body in bodies() {
                    out.line(&body)?;
                }
                return out.flush();
            }
            Some(Recipient::Queue(url)) => instep.send_texts(url, bodies()).await,
            Some(Recipient::Bus(_)) => instep.put_events(entries, run).await,
        };
        sent.map_err(|why| miette!(help = "take it again: a snapshot without its end deletes nothing", "{why}"))
    }
}
