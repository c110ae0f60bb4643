//! Reads a table: DescribeTable, DescribeTimeToLive and Scan, and nothing that writes.

use std::collections::BTreeSet;
use std::io::{IsTerminal as _, Write as _};

use aws_sdk_dynamodb::Client;
use aws_sdk_dynamodb::types::{
    AttributeDefinition, KeySchemaElement, KeyType, ScalarAttributeType, TableDescription, TimeToLiveStatus,
};
use instep_aws::calls::Calls;
use instep_aws::item_from_sdk;
use instep_console::sdk_error::explain;
use instep_draft::{ITEMS_MAX, KeyAttribute, Schema};
use instep_model::BOOKKEEPING_PREFIX;
use miette::{IntoDiagnostic as _, WrapErr as _, miette};

use super::seen::{SeenWrite, SeenWrites};
use crate::cli::InitArgs;
use crate::remote::Target;

/// The items of one answer. An answer also has at most 1 MB (Amazon DynamoDB API Reference, "Scan").
const PAGE: i32 = 500;

/// The items of a table, and its keys.
pub(super) async fn table(args: &InitArgs, table: &str) -> miette::Result<(SeenWrites, Schema)> {
    if !args.yes {
        ask(table, args.sample)?;
    }
    let target = Target::of_endpoint(args.endpoint.as_deref());
    let client = Client::new(&target.connect(&Calls::default()).await);
    let cannot = |what: &str, why: String| miette!("cannot {what} the table `{table}`: {why}");
    let described = client.describe_table().table_name(table).send().await;
    let described = described.map_err(|error| cannot("describe", explain(&error)))?.table;
    let described = described.ok_or_else(|| cannot("describe", "the answer is empty".to_owned()))?;
    let mut schema = schema(&described).map_err(super::refused)?;
    // An endpoint that stands in for DynamoDB may not know this call, and the draft does without it.
    if let Ok(answer) = client.describe_time_to_live().table_name(table).send().await {
        let ttl = answer.time_to_live_description;
        let enabled = ttl.filter(|ttl| ttl.time_to_live_status() == Some(&TimeToLiveStatus::Enabled));
        schema.ttl = enabled.and_then(|ttl| ttl.attribute_name);
    }
    let mut seen = SeenWrites::default();
    let mut partitions = BTreeSet::new();
    let mut from = None;
    // A scan returns the items of a partition one after the other, and partitions in the order of a hash: so the
    // first ones are whole, and a sample of all.
    loop {
        let scan = client.scan().table_name(table).limit(PAGE).set_exclusive_start_key(from);
        let page = scan.send().await.map_err(|error| cannot("scan", explain(&error)))?;
        for item in page.items.unwrap_or_default().into_iter().map(item_from_sdk) {
            let partition = item.get(&schema.pk).and_then(|value| value.as_s());
            // Instep's own partitions tell nothing of the table.
            if let Some(partition) = partition.filter(|partition| !partition.starts_with(BOOKKEEPING_PREFIX)) {
                partitions.insert(partition.to_owned());
            }
            if partitions.len() > args.sample as usize || seen.changes.len() >= ITEMS_MAX {
                return Ok((seen, schema));
            }
            seen.changes.push(SeenWrite::Put(item));
        }
        from = page.last_evaluated_key.filter(|key| !key.is_empty());
        if from.is_none() {
            return Ok((seen, schema));
        }
    }
}

/// Asks before it reads: a scan uses the table's read capacity.
fn ask(table: &str, sample: u32) -> miette::Result<()> {
    if !std::io::stdin().is_terminal() {
        return Err(miette!(
            help = "`--yes` reads it without the question; a scan uses the table's read capacity",
            "`init --table` asks before it reads `{table}`, and standard input is no terminal"
        ));
    }
    let mut stderr = std::io::stderr().lock();
    let asked = write!(stderr, "Read up to {sample} partitions of the table `{table}`? Nothing is written. [y/N] ");
    asked.and_then(|()| stderr.flush()).into_diagnostic().wrap_err("cannot ask")?;
    let mut answer = String::new();
    std::io::stdin().read_line(&mut answer).into_diagnostic().wrap_err("cannot read the answer")?;
    match answer.trim().to_ascii_lowercase().as_str() {
        "y" | "yes" => Ok(()),
        _ => Err(miette!("nothing was read")),
    }
}

fn schema(table: &TableDescription) -> Result<Schema, instep_draft::NoDraft> {
    let keys = |keys: &[KeySchemaElement]| {
        keys.iter().map(|key| attribute(key, table.attribute_definitions())).collect::<Vec<_>>()
    };
    let global = table.global_secondary_indexes().iter().map(|index| (index.index_name(), index.key_schema()));
    let local = table.local_secondary_indexes().iter().map(|index| (index.index_name(), index.key_schema()));
    let indexes = global.chain(local).filter_map(|(name, schema)| Some((name?.to_owned(), keys(schema)))).collect();
    Schema::new(&keys(table.key_schema()), indexes)
}

fn attribute(key: &KeySchemaElement, definitions: &[AttributeDefinition]) -> KeyAttribute {
    let own = definitions.iter().find(|definition| definition.attribute_name() == key.attribute_name());
    KeyAttribute {
        name: key.attribute_name().to_owned(),
        is_partition: *key.key_type() == KeyType::Hash,
        is_string: own.is_some_and(|own| *own.attribute_type() == ScalarAttributeType::S),
    }
}
