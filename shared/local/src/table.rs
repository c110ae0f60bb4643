//! The table: created from the model, or compared with it.

use std::collections::{BTreeMap, BTreeSet};

use aws_sdk_dynamodb::Client;
use aws_sdk_dynamodb::operation::describe_table::DescribeTableError;
use aws_sdk_dynamodb::types::{
    AttributeDefinition, BillingMode, CreateGlobalSecondaryIndexAction, DeleteGlobalSecondaryIndexAction,
    GlobalSecondaryIndex, GlobalSecondaryIndexUpdate, KeySchemaElement, KeyType, Projection, ProjectionType,
    ScalarAttributeType, StreamSpecification, StreamViewType, TableDescription, TimeToLiveSpecification,
    TimeToLiveStatus,
};
use aws_smithy_types::error::operation::BuildError;
use instep_aws::item_from_sdk;
use instep_model::{Item, Model};

use crate::error::LocalError;

/// Whether DynamoDB accepts the name of a table. Source: Amazon DynamoDB API Reference, CreateTable, `TableName`.
#[must_use]
pub fn is_table_name(name: &str) -> bool {
    let is_allowed = |byte: u8| byte.is_ascii_alphanumeric() || b"_.-".contains(&byte);
    (3..=255).contains(&name.len()) && name.bytes().all(is_allowed)
}

/// Keys of the table or of an index: partition key and, if there is one, sort key.
type Keys = (String, Option<String>);

/// The properties of a table that the model determines.
#[derive(Debug, PartialEq, Eq)]
struct Shape {
    keys: Keys,
    indexes: BTreeMap<String, Keys>,
    ttl: Option<String>,
}

impl Shape {
    fn of(model: &Model) -> Self {
        let first = |spellings: &[String]| spellings.first().cloned();
        let indexes = model
            .indexes
            .iter()
            .filter_map(|index| Some((index.name.clone(), (first(&index.pk)?, index.sk.as_deref().and_then(first)))));
        Self {
            keys: (model.table.pk.clone(), Some(model.table.sk.clone())),
            indexes: indexes.collect(),
            ttl: Some(model.table.ttl.clone()),
        }
    }

    fn check(&self, table: &str, theirs: &Self) -> Result<(), LocalError> {
        self.check_fixed(table, theirs)?;
        match self.changed_indexes(theirs).next() {
            None => Ok(()),
            Some(name) => {
                let (ours, theirs) = (self.indexes.get(name), theirs.indexes.get(name));
                Err(differs(table, format!("its index `{name}`"), words(theirs), words(ours)))
            }
        }
    }

    /// Checks what cannot change while the table has items.
    fn check_fixed(&self, table: &str, theirs: &Self) -> Result<(), LocalError> {
        if self.keys != theirs.keys {
            return Err(differs(table, "its key".to_owned(), words(Some(&theirs.keys)), words(Some(&self.keys))));
        }
        if self.ttl != theirs.ttl {
            let words = |ttl: &Option<String>| ttl.as_ref().map_or("none".to_owned(), |ttl| format!("`{ttl}`"));
            return Err(differs(table, "its TTL attribute".to_owned(), words(&theirs.ttl), words(&self.ttl)));
        }
        Ok(())
    }

    /// The names of the indexes that only one of the two has, or that have other keys.
    fn changed_indexes<'a>(&'a self, theirs: &'a Self) -> impl Iterator<Item = &'a String> {
        let names: BTreeSet<&String> = self.indexes.keys().chain(theirs.indexes.keys()).collect();
        names.into_iter().filter(|name| self.indexes.get(*name) != theirs.indexes.get(*name))
    }
}

fn differs(table: &str, what: String, theirs: String, ours: String) -> LocalError {
    LocalError::Table { table: table.to_owned(), what, theirs, ours }
}

fn words(keys: Option<&Keys>) -> String {
    match keys {
        None => "absent".to_owned(),
        Some((pk, None)) => format!("`{pk}`"),
        Some((pk, Some(sk))) => format!("`{pk}`, `{sk}`"),
    }
}

/// Creates the table that the model describes, or checks that the existing one agrees with it, also in its indexes if
/// it has to have those of the model.
pub(crate) async fn ensure(
    client: &Client,
    table: &str,
    model: &Model,
    has_its_indexes: bool,
) -> Result<(), LocalError> {
    let shape = Shape::of(model);
    match client.describe_table().table_name(table).send().await {
        Ok(answer) => {
            let mut theirs = existing(client, table, answer.table.as_ref()).await?;
            // A process that is killed between the two calls that create a table leaves it without
            // a TTL.
            if theirs.ttl.is_none() {
                set_ttl(client, table, &model.table.ttl).await?;
                theirs.ttl.clone_from(&shape.ttl);
            }
            if has_its_indexes { shape.check(table, &theirs) } else { shape.check_fixed(table, &theirs) }
        }
        Err(error) if error.as_service_error().is_some_and(DescribeTableError::is_resource_not_found_exception) => {
            create(client, table, &shape).await?;
            set_ttl(client, table, &model.table.ttl).await
        }
        Err(error) => Err(LocalError::sdk("describe the table")(error)),
    }
}

/// Changes the indexes of an existing table to those of the model. Everything else must agree already.
pub(crate) async fn follow(client: &Client, table: &str, model: &Model) -> Result<(), LocalError> {
    let ours = Shape::of(model);
    let answer = client.describe_table().table_name(table).send().await;
    let answer = answer.map_err(LocalError::sdk("describe the table"))?;
    let theirs = existing(client, table, answer.table.as_ref()).await?;
    ours.check_fixed(table, &theirs)?;
    let unbuilt = LocalError::engine::<BuildError>;
    // DynamoDB changes one index with a request.
    for name in ours.changed_indexes(&theirs) {
        if theirs.indexes.contains_key(name) {
            let delete = DeleteGlobalSecondaryIndexAction::builder().index_name(name).build();
            let delete = delete.map_err(unbuilt("delete an index"))?;
            let change = GlobalSecondaryIndexUpdate::builder().delete(delete).build();
            let update = client.update_table().table_name(table).global_secondary_index_updates(change);
            update.send().await.map_err(LocalError::sdk("delete an index"))?;
        }
        if let Some(keys) = ours.indexes.get(name) {
            let change = created_index(name, keys).map_err(unbuilt("make an index"))?;
            let definitions = definitions(std::iter::once(&ours.keys).chain(std::iter::once(keys)));
            let definitions = definitions.map_err(unbuilt("make an index"))?;
            let update = client.update_table().table_name(table).set_attribute_definitions(Some(definitions));
            let update = update.global_secondary_index_updates(change);
            update.send().await.map_err(LocalError::sdk("make an index"))?;
        }
    }
    Ok(())
}

fn created_index(name: &str, keys: &Keys) -> Result<GlobalSecondaryIndexUpdate, BuildError> {
    let create = CreateGlobalSecondaryIndexAction::builder().index_name(name).set_key_schema(Some(schema(keys)?));
    let projection = Projection::builder().projection_type(ProjectionType::All).build();
    Ok(GlobalSecondaryIndexUpdate::builder().create(create.projection(projection).build()?).build())
}

async fn create(client: &Client, table: &str, shape: &Shape) -> Result<(), LocalError> {
    let unbuilt = LocalError::engine::<BuildError>("make the table");
    let request = request(client.create_table().table_name(table), shape).map_err(unbuilt)?;
    request.send().await.map(drop).map_err(LocalError::sdk("make the table"))
}

type CreateTable = aws_sdk_dynamodb::operation::create_table::builders::CreateTableFluentBuilder;

fn request(mut request: CreateTable, shape: &Shape) -> Result<CreateTable, BuildError> {
    let keys = std::iter::once(&shape.keys).chain(shape.indexes.values());
    request = request.set_attribute_definitions(Some(definitions(keys)?));
    for (name, keys) in &shape.indexes {
        let projection = Projection::builder().projection_type(ProjectionType::All).build();
        let index =
            GlobalSecondaryIndex::builder().index_name(name).set_key_schema(Some(schema(keys)?)).projection(projection);
        request = request.global_secondary_indexes(index.build()?);
    }
    let stream = StreamSpecification::builder().stream_enabled(true).stream_view_type(StreamViewType::NewAndOldImages);
    Ok(request
        .set_key_schema(Some(schema(&shape.keys)?))
        .billing_mode(BillingMode::PayPerRequest)
        .stream_specification(stream.build()?))
}

/// The definitions of the attributes of these keys: texts.
fn definitions<'a>(keys: impl Iterator<Item = &'a Keys>) -> Result<Vec<AttributeDefinition>, BuildError> {
    let attributes: BTreeSet<&String> = keys.flat_map(|(pk, sk)| std::iter::once(pk).chain(sk)).collect();
    let definition = |name| AttributeDefinition::builder().attribute_name(name).attribute_type(ScalarAttributeType::S);
    attributes.into_iter().map(|name| definition(name).build()).collect()
}

fn schema((pk, sk): &Keys) -> Result<Vec<KeySchemaElement>, BuildError> {
    let element = |name: &String, kind| KeySchemaElement::builder().attribute_name(name).key_type(kind).build();
    std::iter::once(element(pk, KeyType::Hash)).chain(sk.iter().map(|sk| element(sk, KeyType::Range))).collect()
}

async fn set_ttl(client: &Client, table: &str, attribute: &str) -> Result<(), LocalError> {
    let specification = TimeToLiveSpecification::builder()
        .enabled(true)
        .attribute_name(attribute)
        .build()
        .map_err(LocalError::engine("set the table's TTL"))?;
    let request = client.update_time_to_live().table_name(table).time_to_live_specification(specification);
    request.send().await.map(drop).map_err(LocalError::sdk("set the table's TTL"))
}

async fn ttl(client: &Client, table: &str) -> Result<Option<String>, LocalError> {
    let answer = client.describe_time_to_live().table_name(table).send().await;
    let description = answer.map_err(LocalError::sdk("describe the table's TTL"))?.time_to_live_description;
    Ok(description
        .filter(|ttl| ttl.time_to_live_status() == Some(&TimeToLiveStatus::Enabled))
        .and_then(|ttl| ttl.attribute_name))
}

/// The properties of an existing table.
async fn existing(client: &Client, table: &str, description: Option<&TableDescription>) -> Result<Shape, LocalError> {
    Ok(Shape { ttl: ttl(client, table).await?, ..described(description) })
}

fn described(table: Option<&TableDescription>) -> Shape {
    let indexes = table.into_iter().flat_map(TableDescription::global_secondary_indexes);
    Shape {
        keys: keys(table.map(TableDescription::key_schema).unwrap_or_default()),
        indexes: indexes
            .map(|index| (index.index_name().unwrap_or_default().to_owned(), keys(index.key_schema())))
            .collect(),
        ttl: None,
    }
}

fn keys(schema: &[KeySchemaElement]) -> Keys {
    let of = |kind: &KeyType| {
        schema.iter().find(|element| element.key_type() == kind).map(|element| element.attribute_name().to_owned())
    };
    (of(&KeyType::Hash).unwrap_or_default(), of(&KeyType::Range))
}

/// All items of the table, sorted by key.
pub(crate) async fn items(client: &Client, table: &str, model_keys: (&str, &str)) -> Result<Vec<Item>, LocalError> {
    let mut items = Vec::new();
    let mut start = None;
    loop {
        let request = client.scan().table_name(table).consistent_read(true).set_exclusive_start_key(start);
        let page = request.send().await.map_err(LocalError::sdk("read the table"))?;
        items.extend(page.items.unwrap_or_default().into_iter().map(item_from_sdk));
        start = page.last_evaluated_key;
        if start.is_none() {
            break;
        }
    }
    let (pk, sk) = model_keys;
    items.sort_by(|a, b| (a.get(pk), a.get(sk)).cmp(&(b.get(pk), b.get(sk))));
    Ok(items)
}
