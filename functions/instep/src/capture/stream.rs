//! Reads the stream of a table behind a DynamoDB endpoint: every shard, parents before their
//! children, from its oldest record to its end.

use std::collections::{BTreeMap, BTreeSet};

use aws_sdk_dynamodbstreams::Client;
use aws_sdk_dynamodbstreams::error::{ProvideErrorMetadata, SdkError};
use aws_sdk_dynamodbstreams::types::{Record, Shard, ShardIteratorType};
use aws_types::SdkConfig;
use instep_aws::LambdaRecord;
use instep_console::sdk_error::explain;
use miette::{IntoDiagnostic as _, miette};
use serde_json::value::RawValue;

/// The number of consecutive empty pages that count as the end of an open shard. An open shard has
/// no end, and DynamoDB can return empty pages before further records.
const EMPTY_PAGES_END: usize = 10;

/// The same for a closed shard, which has an end: the limit is for a stand-in that does not say so.
const EMPTY_PAGES_MAX: usize = 1_000;

/// All records of the stream, in Lambda's form, with the stream ARN `shown` (by default the
/// stream's own).
pub(super) async fn read(config: &SdkConfig, table: &str, shown: Option<&str>) -> miette::Result<Vec<Box<RawValue>>> {
    let tables = aws_sdk_dynamodb::Client::new(config);
    let answer =
        tables.describe_table().table_name(table).send().await.map_err(|error| failed("describe the table", &error))?;
    let arn = answer.table.and_then(|table| table.latest_stream_arn).ok_or_else(|| {
        miette!(help = "enable it with NEW_AND_OLD_IMAGES, then write", "table `{table}` has no stream")
    })?;
    // arn:aws:dynamodb:REGION:ACCOUNT:table/NAME/stream/LABEL
    let shown = shown.unwrap_or(&arn);
    let region = shown.split(':').nth(3).unwrap_or_default();
    let client = Client::new(config);
    let mut all = Vec::new();
    let shards = shards(&client, &arn).await?;
    let is_closed =
        |shard: &&Shard| shard.sequence_number_range().is_some_and(|range| range.ending_sequence_number().is_some());
    let closed: BTreeSet<String> = shards.iter().filter(is_closed).filter_map(|shard| shard.shard_id.clone()).collect();
    for shard in in_order(shards) {
        let most = if closed.contains(&shard) { EMPTY_PAGES_MAX } else { EMPTY_PAGES_END };
        shard_records(&client, &arn, (&shard, most), |record| {
            let record = LambdaRecord::new(record, shown, region).into_diagnostic()?;
            if !record.changes_nothing() {
                all.push(record.raw().into_diagnostic()?);
            }
            Ok(())
        })
        .await?;
    }
    Ok(all)
}

async fn shards(client: &Client, arn: &str) -> miette::Result<Vec<Shard>> {
    let mut shards = Vec::new();
    let mut after = None;
    loop {
        let request = client.describe_stream().stream_arn(arn).set_exclusive_start_shard_id(after);
        let answer = request.send().await.map_err(|error| failed("describe the stream", &error))?;
        let Some(stream) = answer.stream_description else { return Ok(shards) };
        shards.extend(stream.shards.unwrap_or_default());
        after = stream.last_evaluated_shard_id;
        if after.is_none() {
            return Ok(shards);
        }
    }
}

/// Shard ids, each after its parent's, so that one item's records are in order across shards. Shard
/// ids begin with the creation time of the shard, which orders the rest.
fn in_order(shards: Vec<Shard>) -> Vec<String> {
    let mut parents: BTreeMap<String, Option<String>> =
        shards.into_iter().filter_map(|shard| Some((shard.shard_id?, shard.parent_shard_id))).collect();
    let mut done = BTreeSet::new();
    let mut order = Vec::new();
    while !parents.is_empty() {
        // A parent that is not listed has been trimmed.
        let is_free = |parent: &Option<String>| match parent {
            Some(parent) => done.contains(parent) || !parents.contains_key(parent),
            None => true,
        };
        let free: Vec<String> =
            parents.iter().filter(|(_, parent)| is_free(parent)).map(|(id, _)| id.clone()).collect();
        // Shards have no cycles. If a stand-in's shards have one, they keep the listed order.
        let free = if free.is_empty() { parents.keys().cloned().collect() } else { free };
        for id in free {
            parents.remove(&id);
            done.insert(id.clone());
            order.push(id);
        }
    }
    order
}

async fn shard_records(
    client: &Client,
    arn: &str,
    (shard, empty_pages_max): (&str, usize),
    mut each: impl FnMut(&Record) -> miette::Result<()>,
) -> miette::Result<()> {
    let request = client.get_shard_iterator().stream_arn(arn).shard_id(shard);
    let request = request.shard_iterator_type(ShardIteratorType::TrimHorizon);
    let answer = request.send().await.map_err(|error| failed("find the beginning of a shard", &error))?;
    let mut iterator = answer.shard_iterator;
    let mut empty_pages = 0;
    while let Some(at) = iterator {
        let answer =
            client.get_records().shard_iterator(at).send().await.map_err(|error| failed("read a shard", &error))?;
        iterator = answer.next_shard_iterator;
        let records = answer.records.unwrap_or_default();
        empty_pages = if records.is_empty() { empty_pages + 1 } else { 0 };
        if empty_pages == empty_pages_max {
            break;
        }
        records.iter().try_for_each(&mut each)?;
    }
    Ok(())
}

fn failed<E: ProvideErrorMetadata + std::error::Error + 'static>(what: &str, error: &SdkError<E>) -> miette::Report {
    miette!("cannot {what}: {}", explain(error))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shard(id: &str, parent: Option<&str>) -> Shard {
        Shard::builder().shard_id(id).set_parent_shard_id(parent.map(str::to_owned)).build()
    }

    #[test]
    fn parents_come_before_children() {
        let shards = vec![shard("c", Some("d")), shard("d", Some("z")), shard("a", Some("c")), shard("b", None)];
        assert_eq!(in_order(shards), ["b", "d", "c", "a"]);
        assert_eq!(in_order(vec![shard("a", Some("b")), shard("b", Some("a"))]), ["a", "b"]);
    }
}
