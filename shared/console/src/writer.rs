//! Makes the writes of a file on an embedded table.

use std::collections::HashMap;

use aws_sdk_dynamodb::Client;
use aws_sdk_dynamodb::error::{ProvideErrorMetadata, SdkError};
use aws_sdk_dynamodb::types::{AttributeValue, Delete, Put, TransactWriteItem, Update};
use instep_aws::{item_to_sdk, value_to_sdk};
use instep_local::Stack;
use instep_model::Item;
use miette::{IntoDiagnostic as _, miette};

use crate::sdk_error::explain;
use crate::writes::{ItemWrite, StepWrites, WriteStep};

/// Makes the writes of steps.
pub struct StepWriter<'a> {
    /// The client that writes.
    pub client: Client,
    /// The stack of the table.
    pub stack: &'a Stack,
}

impl StepWriter<'_> {
    /// Makes the writes of a step, at the time of the step. Those of a transaction happen together.
    pub async fn step(&self, step: &WriteStep) -> miette::Result<()> {
        if let Some(at) = step.at {
            self.stack.clock().set(at);
        }
        match &step.act {
            StepWrites::One(write) => self.one(write).await,
            StepWrites::Transact(writes) => self.transact(writes).await,
            StepWrites::Ttl(key) => self.ttl(key).await,
        }
    }

    async fn one(&self, write: &ItemWrite) -> miette::Result<()> {
        let table = self.stack.table();
        match write {
            ItemWrite::Put(item) => {
                let put = self.client.put_item().table_name(table).set_item(Some(item_to_sdk(item)));
                put.send().await.map(|_| ()).map_err(|error| refused(&error))
            }
            ItemWrite::Delete(key) => {
                let delete = self.client.delete_item().table_name(table).set_key(Some(item_to_sdk(key)));
                delete.send().await.map(|_| ()).map_err(|error| refused(&error))
            }
            ItemWrite::Update { key, set, remove } => {
                let Expression { text, names, values } = expression(set, remove);
                let update = self.client.update_item().table_name(table).set_key(Some(item_to_sdk(key)));
                let update = update.update_expression(text).set_expression_attribute_names(Some(names));
                let update = update.set_expression_attribute_values((!values.is_empty()).then_some(values));
                update.send().await.map(|_| ()).map_err(|error| refused(&error))
            }
        }
    }

    async fn transact(&self, writes: &[ItemWrite]) -> miette::Result<()> {
        let items = writes.iter().map(|write| self.transact_item(write)).collect::<miette::Result<_>>()?;
        let transact = self.client.transact_write_items().set_transact_items(Some(items));
        transact.send().await.map(|_| ()).map_err(|error| refused(&error))
    }

    fn transact_item(&self, write: &ItemWrite) -> miette::Result<TransactWriteItem> {
        let table = self.stack.table();
        let item = TransactWriteItem::builder();
        Ok(match write {
            ItemWrite::Put(new) => {
                item.put(Put::builder().table_name(table).set_item(Some(item_to_sdk(new))).build().into_diagnostic()?)
            }
            ItemWrite::Delete(key) => item
                .delete(Delete::builder().table_name(table).set_key(Some(item_to_sdk(key))).build().into_diagnostic()?),
            ItemWrite::Update { key, set, remove } => {
                let Expression { text, names, values } = expression(set, remove);
                let update =
                    Update::builder().table_name(table).set_key(Some(item_to_sdk(key))).update_expression(text);
                let update = update.set_expression_attribute_names(Some(names));
                let update = update.set_expression_attribute_values((!values.is_empty()).then_some(values));
                item.update(update.build().into_diagnostic()?)
            }
        }
        .build())
    }

    /// DynamoDB's own deletion of an expired item.
    async fn ttl(&self, key: &Item) -> miette::Result<()> {
        if !self.has_item(key).await? {
            return Err(miette!("there is no such item to delete"));
        }
        self.stack.sweep_ttl().into_diagnostic()?;
        if self.has_item(key).await? {
            return Err(miette!(
                help = "with `--data`, the clock of this machine decides, and not `at`: leave `--data` out, or give the item \
                        an earlier time to live",
                "the item's time to live has not expired, or it has none"
            ));
        }
        Ok(())
    }

    async fn has_item(&self, key: &Item) -> miette::Result<bool> {
        has_item(&self.client, self.stack.table(), item_to_sdk(key)).await
    }
}

/// Whether a table has an item.
pub async fn has_item(client: &Client, table: &str, key: HashMap<String, AttributeValue>) -> miette::Result<bool> {
    let get = client.get_item().table_name(table).set_key(Some(key)).consistent_read(true);
    let answer = get.send().await.map_err(|error| miette!("cannot read the table: {}", explain(&error)))?;
    Ok(answer.item.is_some())
}

/// The expression of an update.
pub struct Expression {
    /// Its text.
    pub text: String,
    /// What its names stand for.
    pub names: HashMap<String, String>,
    /// What its values stand for.
    pub values: HashMap<String, AttributeValue>,
}

/// The expression that sets attributes and removes others.
pub fn expression(set: &Item, remove: &[String]) -> Expression {
    let sets: Vec<String> = (0..set.len()).map(|place| format!("#s{place} = :s{place}")).collect();
    let removes: Vec<String> = (0..remove.len()).map(|place| format!("#r{place}")).collect();
    let clause = |word: &str, parts: Vec<String>| {
        if parts.is_empty() { String::new() } else { format!("{word} {} ", parts.join(", ")) }
    };
    let text = (clause("SET", sets) + &clause("REMOVE", removes)).trim_end().to_owned();
    let set_names = set.keys().enumerate().map(|(place, name)| (format!("#s{place}"), name.clone()));
    let remove_names = remove.iter().enumerate().map(|(place, name)| (format!("#r{place}"), name.clone()));
    let values = set.values().enumerate().map(|(place, value)| (format!(":s{place}"), value_to_sdk(value)));
    Expression { text, names: set_names.chain(remove_names).collect(), values: values.collect() }
}

fn refused<E: ProvideErrorMetadata + std::error::Error + 'static>(error: &SdkError<E>) -> miette::Report {
    miette!("the table refuses the write: {}", explain(error))
}
