//! `instep contract snapshot`: the present items as events.

use std::process::ExitCode;

use instep_aws::as_created;
use instep_console::clock;
use instep_console::output::Output;
use instep_documents::at;
use instep_flow::decode::{Change, Decoded, decode};
use instep_flow::events::{Publishing, Tenants, events};
use instep_model::{Item, Model};
use jiff::Timestamp;
use miette::miette;
use serde_json::{Value, json};

use crate::cli::contract::SnapshotArgs;
use crate::remote::Needs;
use crate::workspace::Workspace;

/// Prints the snapshot.
pub(super) async fn run(args: SnapshotArgs, out: &mut Output) -> miette::Result<ExitCode> {
    let now = args.now.unwrap_or_else(clock::now);
    let workspace = Workspace::open(&args.workspace, Some(now), Needs { only_table: true, ..Needs::default() }).await?;
    let mut from = None;
    loop {
        // A write that the read does not show, and whose event came before the subscription, would be lost.
        let page = workspace.instep.scan_page_consistently(from, None).await;
        let page = page.map_err(|why| {
            miette!(help = "`instep doctor` checks the table", "cannot read the table: {}", why.words("Scan"))
        })?;
        let changes: Vec<Change> = page.items.iter().filter_map(|item| created(&workspace.model, item, now)).collect();
        let tenants = workspace.instep.tenants(&changes, &workspace.run).await;
        let tenants = tenants.map_err(|why| miette!("cannot read the subjects and scopes of grants: {why}"))?;
        for change in &changes {
            for event in of_change(&workspace.model, change, &tenants) {
                out.line(&event.to_string())?;
            }
        }
        out.flush()?;
        from = page.next;
        if from.is_none() {
            workspace.close().await;
            return Ok(ExitCode::SUCCESS);
        }
    }
}

/// The creation of an item, as if it happened now.
fn created(model: &Model, item: &Item, now: Timestamp) -> Option<Change> {
    let record = as_created(model, item)?;
    // An item that asks for something impossible is in the table all the same.
    let change = match decode(model, None, &record) {
        Ok(Decoded::Change(change)) => change,
        Err(reject) => reject.change?,
        Ok(Decoded::Bookkeeping(_) | Decoded::Nothing(_)) => return None,
    };
    // The time decides whether the window of a grant is open.
    Some(Change { recorded_at: Some(now), ..Change::clone(&change) })
}

/// The events of a change, as EventBridge would deliver them.
fn of_change(model: &Model, change: &Change, tenants: &Tenants) -> Vec<Value> {
    let publishing = Publishing { bus: "", replay: true, parked: false, tenants };
    let entries = events(model, change, &[], &[], publishing).into_iter();
    let event = |entry: instep_flow::report::EventEntry| {
        let detail: Value = serde_json::from_str(&entry.detail).unwrap_or_default();
        json!({"detail-type": entry.detail_type, "source": entry.source, "time": entry.time, "detail": detail})
    };
    // A grant that gives nothing now would be `updated`: nothing of that is known.
    let is_state = |event: &Value| at(event, "/detail/metadata/verb").as_str() != Some("updated");
    entries.map(event).filter(is_state).collect()
}
