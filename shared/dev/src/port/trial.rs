//! What a deletion would do: it is done, by the same flow, on a copy of the table and of the user pool.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;
use std::time::Duration;

use aws_sdk_dynamodb::Client;
use instep_aws::{Clients, Instep, QueueMessage, RunOptions, WorkReport, key_to_sdk};
use instep_console::sdk_error::explain;
use instep_flow::report::{Outcome, Report};
use instep_local::{Clock, Handler, PumpOptions, QueueHandler, QueuePumpOptions, Stack, StackOptions, WorldState};
use instep_model::{Identity, Key, Model};
use jiff::Timestamp;
use miette::{IntoDiagnostic as _, miette};
use serde_json::value::RawValue;
use serde_json::{Value, json};

use super::commands::own;
use super::queries::QueryResult;
use super::{Port, on_one_thread};

/// The most items of a table that is copied: more take longer than a person waits.
const ITEMS_MAX: usize = 20_000;

/// How long a trial takes at most.
const TIME: Duration = Duration::from_secs(20);

/// What the deletion of an item would do.
pub(super) async fn deletion(port: Arc<Port>, key: Key) -> QueryResult {
    own(&key)?;
    let items = port.count_items().await?;
    if items > ITEMS_MAX {
        return Ok(json!({"unknown": format!(
            "the table has {items} items, and only a table with up to {ITEMS_MAX} is copied to try it"
        )}));
    }
    let in_time = async move || {
        let tried = tokio::time::timeout(TIME, tried(&port, &key)).await;
        tried.unwrap_or_else(|_| Err(miette!("it takes more than {} seconds to try it", TIME.as_secs())))
    };
    let tried = on_one_thread(in_time).await?;
    Ok(tried.unwrap_or_else(|why| json!({"unknown": why.to_string()})))
}

async fn tried(port: &Port, key: &Key) -> miette::Result<Value> {
    let model = port.instep.model();
    let (mut items, mut is_there) = (Vec::new(), false);
    let each = |of: Key, item| {
        is_there |= of == *key;
        items.push(item);
    };
    port.reader.each_item(each).await?;
    if !is_there {
        return Err(miette!("the table has no such item now"));
    }
    let now = port.hub.clock.now();
    let options = StackOptions { dir: None, table: port.hub.table.clone(), clock: Clock::new(now) };
    let copy = Stack::open(model, options).await.into_diagnostic()?;
    copy.import(&items).into_diagnostic()?;
    port.front.copy_pool_to(&copy);
    let before = copy.state().await.into_diagnostic()?;
    let instep = Instep::new(Arc::new(model.clone()), Clients::new(&copy.sdk_config()), copy.settings());
    let delete = Client::new(&copy.uncounted_config()).delete_item().table_name(copy.table());
    let deleted = delete.set_key(Some(key_to_sdk(model, key))).send().await;
    deleted.map_err(|error| miette!("the table refuses it: {}", explain(&error)))?;
    let parked = drained(&copy, &instep, now).await?;
    let after = copy.state().await.into_diagnostic()?;
    drop(instep);
    copy.close().await;
    Ok(difference(model, key, (&before, &after), &parked))
}

/// Delivers everything, and returns the codes of what was parked.
async fn drained(copy: &Stack, instep: &Instep, now: Timestamp) -> miette::Result<BTreeSet<String>> {
    let mut pump = copy.pump(PumpOptions::default()).into_diagnostic()?;
    let mut queue = copy.queue_pump(copy.work_queue(), QueuePumpOptions::default()).into_diagnostic()?;
    let run = RunOptions { now, publish: true, dry_run: false, deadline: None, adopt_before: None, trace: None };
    let mut trial = Trial { instep, run, parked: BTreeSet::new() };
    loop {
        pump.drain(&mut trial).await.into_diagnostic()?;
        if queue.drain(&mut trial).await.into_diagnostic()?.batches == 0 {
            return Ok(trial.parked);
        }
    }
}

/// Runs Instep on the copy.
struct Trial<'a> {
    instep: &'a Instep,
    run: RunOptions,
    parked: BTreeSet<String>,
}

impl Trial<'_> {
    fn note(&mut self, report: &Report) {
        let parked = report.records.iter().filter_map(|record| match &record.outcome {
            Outcome::Parked(parked) => Some(parked.code.to_string()),
            Outcome::Handled | Outcome::Skipped { .. } | Outcome::Retry { .. } => None,
        });
        self.parked.extend(parked);
    }
}

impl Handler for Trial<'_> {
    async fn handle(&mut self, records: &[Box<RawValue>]) -> Result<Vec<String>, String> {
        let report = self.instep.handle(records, &self.run).await;
        self.note(&report);
        Ok(report.retried())
    }
}

impl QueueHandler for Trial<'_> {
    async fn handle(&mut self, messages: &[QueueMessage]) -> Result<Vec<String>, String> {
        let WorkReport { failed, report, .. } = self.instep.work(messages, &self.run).await;
        self.note(&report);
        Ok(failed)
    }
}

/// What is there before and not after, beside the item itself: items by type, groups, users and memberships.
fn difference(
    model: &Model,
    key: &Key,
    (before, after): (&WorldState, &WorldState),
    parked: &BTreeSet<String>,
) -> Value {
    let keys = |state: &WorldState| -> BTreeSet<Key> {
        state.items.iter().filter_map(|item| model.table.key_of(item)).collect()
    };
    let mut items: BTreeMap<&str, usize> = BTreeMap::new();
    for gone in keys(before).difference(&keys(after)).filter(|gone| *gone != key) {
        let of = match model.identify(gone) {
            Identity::Item { object, .. } => model.item(object.of).name.as_str(),
            Identity::Unknown(_) => "item of no known type",
            Identity::Bookkeeping => continue,
        };
        *items.entry(of).or_default() += 1;
    }
    let groups =
        |state: &WorldState| -> BTreeSet<String> { state.groups.iter().map(|group| group.name.clone()).collect() };
    let users =
        |state: &WorldState| -> BTreeSet<String> { state.users.iter().map(|user| user.username.clone()).collect() };
    let members = |state: &WorldState| -> BTreeSet<(String, String)> {
        let of = |group: &instep_local::GroupState| {
            let name = group.name.clone();
            group.members.clone().into_iter().map(move |member| (name.clone(), member))
        };
        state.groups.iter().flat_map(of).collect()
    };
    let mut items: Vec<(&str, usize)> = items.into_iter().collect();
    items.sort_by_key(|(_, count)| std::cmp::Reverse(*count));
    json!({
        "items": items, "parked": parked,
        "groups": groups(before).difference(&groups(after)).count(),
        "users": users(before).difference(&users(after)).count(),
        "memberships": members(before).difference(&members(after)).count(),
    })
}

#[cfg(test)]
mod tests {
    use instep_local::{GroupState, UserState};
    use instep_model::{Item, Value as Attribute};

    use super::*;

    #[test]
    fn what_is_gone_is_counted_by_item_type_and_without_the_item_itself() {
        let model = Model::shipped("access-management").unwrap();
        let item = |pk: &str, sk: &str| -> Item {
            [("pk".to_owned(), Attribute::S(pk.into())), ("sk".to_owned(), Attribute::S(sk.into()))].into()
        };
        let users = |names: &[&str]| -> Vec<UserState> {
            let user =
                |name: &&str| UserState { username: (*name).to_owned(), enabled: true, attributes: BTreeMap::new() };
            names.iter().map(user).collect()
        };
        let group = |name: &str, members: &[&str]| GroupState {
            name: name.to_owned(),
            members: members.iter().map(|member| (*member).to_owned()).collect(),
            precedence: None,
            iam_role: None,
        };
        let before = WorldState {
            items: vec![item("G:/x", "G:/x"), item("U:a@b", "G:/x"), item("U:c@d", "G:/x"), item("U:a@b", "U:a@b")],
            groups: vec![group("/x|||reader", &["a@b", "c@d"]), group("/y|||reader", &["a@b"])],
            users: users(&["a@b", "c@d"]),
        };
        let after = WorldState {
            items: vec![item("U:a@b", "U:a@b"), item("INSTEP#TOMB#x", "x")],
            groups: vec![group("/y|||reader", &["a@b"])],
            users: users(&["a@b"]),
        };
        let key = Key { pk: "G:/x".into(), sk: "G:/x".into() };
        assert_eq!(
            difference(&model, &key, (&before, &after), &BTreeSet::new()),
            json!({"items": [["Membership", 2]], "parked": [], "groups": 1, "users": 1, "memberships": 2})
        );
    }
}
