//! Items older than the first captured record: writes them, and reconciles without publishing.

use std::collections::{BTreeSet, HashSet};

use instep_aws::{Instep, QueueMessage, RunOptions, WorkReport};
use instep_console::record::{self, Captured};
use instep_console::report::Reporter;
use instep_flow::report::{Outcome, Report};
use instep_flow::{implied, queries};
use instep_local::{Handler, NotWritten, Pump, QueueHandler, QueuePump, Stack};
use instep_model::{Item, Key, Model};
use miette::{IntoDiagnostic as _, miette};
use serde_json::value::RawValue;
use sha2::{Digest as _, Sha256};

use crate::replay::ReplayInput;

/// A set of keys, each as 16 bytes of a hash, so that all keys of a long input fit in memory.
#[derive(Debug, Default)]
pub(super) struct Keys(HashSet<[u8; 16]>);

impl Keys {
    /// Adds a key. `false` if it was in the set.
    pub(super) fn insert(&mut self, key: &Key) -> bool {
        self.0.insert(Self::hash(key))
    }

    fn hash(key: &Key) -> [u8; 16] {
        let mut hash = Sha256::new();
        hash.update(key.pk.len().to_be_bytes());
        hash.update(key.pk.as_bytes());
        hash.update(key.sk.as_bytes());
        let mut short = [0; 16];
        short.iter_mut().zip(hash.finalize()).for_each(|(to, byte)| *to = byte);
        short
    }
}

/// The outcome of reconciling these items.
#[derive(Debug, Default)]
struct Seeded {
    items: u64,
    effects: u64,
    parked: Vec<String>,
    left: Vec<String>,
}

/// Writes the items that the captures show as older than the first record.
pub(super) async fn seed(
    input: &ReplayInput<'_>,
    stack: &Stack,
    instep: &Instep,
    (pump, queue): (&mut Pump, &mut QueuePump),
    reporter: &mut Reporter<'_>,
) -> miette::Result<()> {
    let mut groups = BTreeSet::new();
    let mut seeded = Seeded { items: put_all(input, stack, &mut groups)?, ..Seeded::default() };
    if seeded.items == 0 {
        return Ok(());
    }
    make_groups(stack, groups).await?;
    let run =
        RunOptions { now: input.now, publish: false, dry_run: false, deadline: None, adopt_before: None, trace: None };
    let mut silent = SilentHandler { instep, run, seeded: &mut seeded };
    let mut given_up = 0;
    loop {
        let drained = pump.drain(&mut silent).await.into_diagnostic()?;
        given_up += drained.given_up.iter().map(|given_up| given_up.records.len()).sum::<usize>();
        let worked = queue.drain(&mut silent).await.into_diagnostic()?;
        given_up += worked.dead_letters.len();
        if worked.batches == 0 {
            break;
        }
    }
    let (items, effects) = (seeded.items, seeded.effects);
    reporter.remark(&format!("older than the first record: {items} written, {effects} effects, no events"))?;
    for reason in &seeded.parked {
        reporter.remark(&format!("  one of them could not be handled: {reason}"))?;
        tracing::warn!("an item older than the first record could not be handled: {reason}");
    }
    if given_up > 0 {
        let why = seeded.left.last().map_or("", String::as_str);
        tracing::warn!("{given_up} items older than the first record are left to retry: {why}");
        reporter.left_before(given_up);
    }
    Ok(())
}

/// Writes each key's first old image. Adds to `groups` the Cognito groups of these items that
/// people created.
fn put_all(input: &ReplayInput<'_>, stack: &Stack, groups: &mut BTreeSet<String>) -> miette::Result<u64> {
    let table = input.records_of();
    let mut keys = Keys::default();
    let mut items = 0;
    for (_, entry) in input.entries() {
        let Ok(raw) = entry.record() else { continue };
        let Ok(captured) = record::read(raw, &input.model.table, table.as_ref()) else { continue };
        if captured.is_bookkeeping() || !keys.insert(&captured.key) {
            continue;
        }
        let Captured { old: Some(old), .. } = captured else { continue };
        match stack.put(&old) {
            Ok(()) => {
                items += 1;
                groups.extend(made_by_hand(&input.model, &old));
            }
            // Its record will be replayed, and reports the error.
            Err(error @ NotWritten::Refused(_)) => tracing::warn!("an old image was not written: {error}"),
            Err(error @ NotWritten::Failed(_)) => return Err(miette!("{error}")),
        }
    }
    Ok(items)
}

/// The Cognito groups of an item that people create. Instep never does, so these groups existed
/// before, too.
fn made_by_hand(model: &Model, item: &Item) -> BTreeSet<String> {
    let Some((_, object)) = queries::identify(model, item) else { return BTreeSet::new() };
    let by_hand = model.item(object.of).members.iter().any(|member| member.is_by_hand());
    let memberships = if by_hand { implied::memberships(model, &object, item) } else { BTreeSet::new() };
    memberships.into_iter().map(|membership| membership.group).collect()
}

/// Creates Cognito groups as people do, without Instep's mark.
async fn make_groups(stack: &Stack, groups: BTreeSet<String>) -> miette::Result<()> {
    let client = aws_sdk_cognitoidentityprovider::Client::new(&stack.uncounted_config());
    for group in groups {
        let made = client.create_group().user_pool_id(stack.user_pool()).group_name(group).send().await;
        match made.map_err(aws_sdk_cognitoidentityprovider::error::SdkError::into_service_error) {
            Ok(_) => {}
            Err(error) if error.is_group_exists_exception() => {}
            Err(error) => return Err(error).into_diagnostic(),
        }
    }
    Ok(())
}

/// Runs the flow without a report.
struct SilentHandler<'a> {
    instep: &'a Instep,
    run: RunOptions,
    seeded: &'a mut Seeded,
}

impl Handler for SilentHandler<'_> {
    async fn handle(&mut self, records: &[Box<RawValue>]) -> Result<Vec<String>, String> {
        let report = self.instep.handle(records, &self.run).await;
        Ok(self.note(report))
    }
}

impl QueueHandler for SilentHandler<'_> {
    async fn handle(&mut self, messages: &[QueueMessage]) -> Result<Vec<String>, String> {
        let WorkReport { failed, report, .. } = self.instep.work(messages, &self.run).await;
        self.note(report);
        Ok(failed)
    }
}

impl SilentHandler<'_> {
    /// Adds a report. Returns the sequence numbers of the records that are left to retry.
    fn note(&mut self, report: Report) -> Vec<String> {
        self.seeded.effects += u64::try_from(report.effects.len()).unwrap_or(u64::MAX);
        let mut failed = Vec::new();
        for record in report.records {
            match record.outcome {
                Outcome::Handled | Outcome::Skipped { .. } => {}
                Outcome::Parked(parked) => self.seeded.parked.push(format!("{}: {}", parked.code, parked.reason)),
                Outcome::Retry { why } => {
                    failed.push(record.sequence.unwrap_or_default());
                    self.seeded.left.push(why);
                }
            }
        }
        failed
    }
}
