//! `instep contract snapshot`: the present items as events, printed or sent.

use std::process::ExitCode;

use instep_aws::as_created;
use instep_console::clock;
use instep_console::output::Output;
use instep_flow::decode::{Change, Decoded, decode};
use instep_flow::events::Snapshot;
use instep_flow::report::{BusPlace, EventEntry};
use instep_model::{Item, Model};
use instep_patterns::Pattern;
use miette::miette;

use crate::cli::contract::{Recipient, SnapshotArgs};
use crate::events::read_pattern;
use crate::remote::Needs;
use crate::workspace::Workspace;

/// A snapshot that is being taken.
struct Taking<'a> {
    workspace: &'a Workspace,
    snapshot: Snapshot,
    pattern: Option<Pattern>,
    to: Option<Recipient>,
    /// Whence its events are delivered.
    from: BusPlace,
    /// The events between the beginning and the end, so far.
    count: usize,
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
    let workspace = Workspace::open(&args.workspace, Some(now), Needs { only_table: true, ..Needs::default() }).await?;
    let from = workspace.bus_place().await?;
    let table = &workspace.instep.settings().table;
    let snapshot = Snapshot::begin(&workspace.model, table, bus, now);
    let mut taking = Taking { workspace: &workspace, snapshot, pattern, to: args.to.clone(), from, count: 0 };
    let taken = taking.take(out).await;
    let count = taking.count;
    workspace.close().await;
    taken?;
    if args.to.is_some() {
        out.line(&format!("sent a snapshot of {count} event{}", if count == 1 { "" } else { "s" }))?;
    }
    Ok(ExitCode::SUCCESS)
}

impl Taking<'_> {
    async fn take(&mut self, out: &mut Output) -> miette::Result<()> {
        let model = &self.workspace.model;
        self.hand_on(self.snapshot.started(model).into_iter().collect(), out).await?;
        let read = self.entries(out).await;
        let ended = self.snapshot.ended(model, self.count, read.is_ok());
        // Without its end, or with this one, a subscriber deletes nothing.
        let told = self.hand_on(ended.into_iter().collect(), out).await;
        read.and(told)
    }

    async fn entries(&mut self, out: &mut Output) -> miette::Result<()> {
        let Workspace { instep, model, run, .. } = self.workspace;
        let mut from = None;
        loop {
            // A write that the read does not show, and whose event came before the subscription, would be lost.
            let page = instep.scan_page_consistently(from, None).await;
            let page = page.map_err(|why| {
                miette!(help = "`instep doctor` checks the table", "cannot read the table: {}", why.words("Scan"))
            })?;
            let changes: Vec<Change> = page.items.iter().filter_map(|item| created(model, item)).collect();
            let tenants = instep.tenants(&changes, run).await;
            let tenants = tenants.map_err(|why| miette!("cannot read the subjects and scopes of grants: {why}"))?;
            let entries = changes.iter().flat_map(|change| self.snapshot.entries(model, change, &tenants));
            let is_wanted = |entry: &EventEntry| {
                self.pattern.as_ref().is_none_or(|pattern| pattern.matches(&entry.delivered(&self.from)))
            };
            let entries: Vec<EventEntry> = entries.filter(is_wanted).collect();
            self.count += entries.len();
            self.hand_on(entries, out).await?;
            from = page.next;
            if from.is_none() {
                return Ok(());
            }
        }
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

/// The creation of an item.
fn created(model: &Model, item: &Item) -> Option<Change> {
    let record = as_created(model, item)?;
    // An item that asks for something impossible is in the table all the same.
    let change = match decode(model, None, &record) {
        Ok(Decoded::Change(change)) => change,
        Err(reject) => reject.change?,
        Ok(Decoded::Bookkeeping(_) | Decoded::Nothing(_)) => return None,
    };
    Some(Change::clone(&change))
}
