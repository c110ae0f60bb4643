//! The calls of a batch alone: a program that makes the calls that Instep makes, with the same clients and
//! as many at the same time, keeps what it reads, and decides nothing. A function that makes these calls in this
//! way cannot need less CPU time, memory, or time.

use std::borrow::Cow;
use std::collections::{BTreeMap, HashMap};
use std::time::{Duration, Instant};

use aws_sdk_dynamodb::types::{AttributeValue, Delete, KeysAndAttributes, TransactWriteItem};
use aws_sdk_eventbridge::types::PutEventsRequestEntry;
use aws_smithy_types::error::display::DisplayErrorContext;
use futures::stream::{self, StreamExt as _, TryStreamExt as _};
use instep_aws::calls::Calls;
use instep_aws::{CONCURRENT_LANES, CONCURRENT_PUTS, CONCURRENT_READS, CONCURRENT_TRANSACTIONS, Clients, connect};
use serde::Deserialize;
use serde_json::json;
use serde_json::value::RawValue;

use crate::mix::EVENTS_OF_CALL;
use crate::program::{self, COUNTS};
use crate::{peak_mb, thread_cpu};

/// Names that the stand-in does not check.
const TABLE: &str = "app";
const POOL: &str = "eu-west-1_abcdefghi";
const BUS: &str = "bus";

/// The keys of one BatchGetItem, and the actions that Instep's TransactWriteItems have in the mean.
const KEYS: usize = 100;
const ACTIONS: usize = 93;

/// An item, as the SDK returns it.
type Item = HashMap<String, AttributeValue>;

/// What the calls are about: an event's records, and how many calls there are.
struct Batch<'a> {
    keys: Vec<(String, String)>,
    details: Vec<&'a str>,
    counts: BTreeMap<String, usize>,
}

/// An event, as far as the calls need it.
#[derive(Deserialize)]
struct Event<'a> {
    #[serde(rename = "Records", borrow)]
    records: Vec<Record<'a>>,
}

#[derive(Deserialize)]
struct Record<'a> {
    #[serde(borrow)]
    dynamodb: Body<'a>,
}

#[derive(Deserialize)]
#[serde(rename_all = "PascalCase")]
struct Body<'a> {
    #[serde(borrow)]
    keys: Keys<'a>,
    #[serde(borrow)]
    new_image: Option<&'a RawValue>,
}

#[derive(Deserialize)]
#[serde(rename_all = "UPPERCASE")]
struct Keys<'a> {
    #[serde(borrow)]
    pk: Text<'a>,
    #[serde(borrow)]
    sk: Text<'a>,
}

#[derive(Deserialize)]
struct Text<'a> {
    #[serde(rename = "S", borrow)]
    s: Cow<'a, str>,
}

/// Makes the calls of each of some batches, and returns what was measured, as a line of JSON.
///
/// # Errors
/// A variable is missing, or a call fails.
pub async fn run() -> Result<String, String> {
    #[expect(clippy::disallowed_methods, reason = "the benchmark starts this program, and has no other configuration")]
    let variable = |name: &str| std::env::var(name).map_err(|_| format!("{name} is not set"));
    let clients = Clients::new(&connect::lambda(&Calls::default()).await);
    // As Instep does before it asks for the first event.
    futures::try_join!(
        async { clients.dynamodb().describe_table().table_name(TABLE).send().await.map(drop).map_err(why) },
        async { clients.cognito().describe_user_pool().user_pool_id(POOL).send().await.map(drop).map_err(why) },
        async { clients.events().describe_event_bus().name(BUS).send().await.map(drop).map_err(why) },
    )?;
    let event = std::fs::read_to_string(variable("BENCH_EVENT")?).map_err(|error| error.to_string())?;
    let counts = serde_json::from_str(&variable(COUNTS)?).map_err(|error| error.to_string())?;
    let batch = Batch::new(&event, counts)?;
    let times: usize = variable("BENCH_RUNS")?.parse().map_err(|_| "BENCH_RUNS is no number".to_owned())?;
    let (mut cpu, mut wall) = (Vec::new(), Vec::new());
    for _ in 0..times {
        let (cpu_before, began) = (thread_cpu(), Instant::now());
        batch.calls(&clients).await?;
        cpu.push(ms(thread_cpu().saturating_sub(cpu_before)));
        wall.push(ms(began.elapsed()));
    }
    let measured = json!({
        "cpu_ms": program::median(&mut cpu), "wall_ms": program::median(&mut wall), "batches": times,
        "peak_mb": peak_mb(),
    });
    Ok(measured.to_string())
}

fn ms(time: Duration) -> f64 {
    time.as_secs_f64() * 1000.0
}

fn why(error: impl std::error::Error) -> String {
    DisplayErrorContext(error).to_string()
}

impl<'a> Batch<'a> {
    fn new(event: &'a str, counts: BTreeMap<String, usize>) -> Result<Self, String> {
        let event: Event<'_> = serde_json::from_str(event).map_err(|error| error.to_string())?;
        let bodies = event.records.into_iter().map(|record| record.dynamodb);
        let (keys, details): (Vec<_>, Vec<_>) = bodies.map(|body| (body.keys, body.new_image)).unzip();
        let keys: Vec<_> = keys.into_iter().map(|keys| (keys.pk.s.into_owned(), keys.sk.s.into_owned())).collect();
        let details: Vec<_> = details.into_iter().flatten().map(RawValue::get).collect();
        if keys.is_empty() || details.is_empty() {
            return Err("the event has no keys or no images".to_owned());
        }
        Ok(Self { keys, details, counts })
    }

    fn count(&self, operation: &str) -> usize {
        self.counts.get(operation).copied().unwrap_or_default()
    }

    /// The keys of the records, again and again.
    fn cycled(&self) -> impl Iterator<Item = &(String, String)> {
        self.keys.iter().cycle()
    }

    /// As a run makes them: read the items, query, write and change memberships, read again, publish.
    async fn calls(&self, clients: &Clients) -> Result<(), String> {
        let reads = self.count("BatchGetItem");
        let looked = self.read(clients, 0..reads / 2).await?;
        let found = self.query(clients).await?;
        futures::try_join!(self.transact(clients), self.change_memberships(clients))?;
        let looked_again = self.read(clients, reads / 2..reads).await?;
        self.publish(clients).await?;
        drop((looked, found, looked_again));
        Ok(())
    }

    async fn read(&self, clients: &Clients, calls: std::ops::Range<usize>) -> Result<Vec<Item>, String> {
        let read = |call: usize| async move {
            let keys = self.cycled().skip(call * KEYS % self.keys.len()).take(KEYS);
            let mut keys: Vec<_> = keys.collect();
            keys.sort();
            keys.dedup();
            let keys = keys.into_iter().map(|(pk, sk)| key(pk, sk).into()).collect();
            let keys = KeysAndAttributes::builder().set_keys(Some(keys)).consistent_read(true).build();
            let keys = keys.map_err(|error| error.to_string())?;
            let answer = clients.dynamodb().batch_get_item().request_items(TABLE, keys).send().await.map_err(why)?;
            Ok(answer.responses.unwrap_or_default().into_values().flatten().collect::<Vec<_>>())
        };
        stream::iter(calls).map(read).buffer_unordered(CONCURRENT_READS).try_concat().await
    }

    async fn query(&self, clients: &Clients) -> Result<Vec<Item>, String> {
        // Of each removed parent the children, and of each new user the memberships, of which there are none.
        let of = |(pk, sk): &(String, String)| match pk.strip_prefix("Resource#") {
            Some(parent) => Some(format!("Parent#{parent}")),
            None => (pk == sk && pk.starts_with("U:")).then(|| format!("{pk}#none")),
        };
        let partitions: Vec<String> = self.keys.iter().filter_map(of).collect();
        let query = |pk: String| async move {
            let query = clients.dynamodb().query().table_name(TABLE).key_condition_expression("#pk = :pk");
            let query = query.expression_attribute_names("#pk", "PK").consistent_read(true);
            let query = query.expression_attribute_values(":pk", AttributeValue::S(pk));
            Ok(query.send().await.map_err(why)?.items.unwrap_or_default())
        };
        let queries = partitions.into_iter().cycle().take(self.count("Query"));
        stream::iter(queries).map(query).buffer_unordered(CONCURRENT_READS).try_concat().await
    }

    async fn transact(&self, clients: &Clients) -> Result<(), String> {
        let transact = |call: usize| async move {
            let action = |(pk, sk): &(String, String)| {
                let key = key(&format!("Parent#{pk}"), &format!("Child#{call}#{sk}"));
                let delete = Delete::builder().table_name(TABLE).set_key(Some(key.into()));
                let delete = delete.build().map_err(|error| error.to_string())?;
                Ok(TransactWriteItem::builder().delete(delete).build())
            };
            let actions = self.cycled().take(ACTIONS).map(action).collect::<Result<Vec<_>, String>>()?;
            let write = clients.dynamodb().transact_write_items().set_transact_items(Some(actions));
            write.send().await.map(drop).map_err(why)
        };
        let calls = 0..self.count("TransactWriteItems");
        stream::iter(calls).map(transact).buffer_unordered(CONCURRENT_TRANSACTIONS).try_collect().await
    }

    async fn change_memberships(&self, clients: &Clients) -> Result<(), String> {
        let added = self.count("AdminAddUserToGroup");
        let all = added + self.count("AdminRemoveUserFromGroup");
        let change = |(place, (user, group)): (usize, &(String, String))| {
            let (user, group, cognito) = (user.clone(), group.clone(), clients.cognito());
            async move {
                if place < added {
                    let add = cognito.admin_add_user_to_group().user_pool_id(POOL).username(user).group_name(group);
                    add.send().await.map(drop).map_err(why)
                } else {
                    let remove = cognito.admin_remove_user_from_group().user_pool_id(POOL).username(user);
                    remove.group_name(group).send().await.map(drop).map_err(why)
                }
            }
        };
        let changes = self.cycled().enumerate().take(all);
        stream::iter(changes).map(change).buffer_unordered(CONCURRENT_LANES).try_collect().await
    }

    async fn publish(&self, clients: &Clients) -> Result<(), String> {
        let entry = |detail: &&str| {
            let entry = PutEventsRequestEntry::builder().event_bus_name(BUS).source("instep.bench");
            entry.detail_type("Membership Created").detail(*detail).build()
        };
        let put = |call: usize| async move {
            let details = self.details.iter().cycle().skip(call * EVENTS_OF_CALL % self.details.len());
            let entries = details.take(EVENTS_OF_CALL).map(entry).collect();
            clients.events().put_events().set_entries(Some(entries)).send().await.map(drop).map_err(why)
        };
        stream::iter(0..self.count("PutEvents")).map(put).buffer_unordered(CONCURRENT_PUTS).try_collect().await
    }
}

fn key(pk: &str, sk: &str) -> [(String, AttributeValue); 2] {
    let text = |text: &str| AttributeValue::S(text.to_owned());
    [("PK".to_owned(), text(pk)), ("SK".to_owned(), text(sk))]
}
