//! Verify: checks that table, pool and bus exist and match the model. Each function does this
//! before it handles anything, and `instep doctor` does it first.

use std::collections::{BTreeMap, BTreeSet};

use aws_sdk_cognitoidentityprovider::types::{SchemaAttributeType, UserPoolType};
use aws_sdk_dynamodb::types::{
    AttributeDefinition, KeySchemaElement, KeyType, ScalarAttributeType, StreamViewType, TableDescription,
};
use instep_aws::{CallFailure, call};
use instep_model::{ACCOUNT_MARK, Index, Model, account_of_iam_role};
use tokio::time::Instant;

use crate::Doctor;

/// The result of one check.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CheckResult {
    /// The resource: `table`, `pool`, `bus` …
    pub resource: &'static str,
    /// The severity.
    pub level: Level,
    /// The finding. It contains no attribute values.
    pub message: String,
    /// The fix, if there is one.
    pub fix: Option<String>,
}

/// The severity of a finding.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Level {
    /// Correct.
    Fine,
    /// It works, with a remark.
    Note,
    /// A service did not answer, so the state is unknown.
    Unknown,
    /// It does not work.
    Wrong,
}

impl CheckResult {
    /// A correct resource.
    #[must_use]
    pub fn fine(resource: &'static str, message: impl Into<String>) -> Self {
        Self { resource, level: Level::Fine, message: message.into(), fix: None }
    }

    /// A remark, and a possible fix.
    #[must_use]
    pub fn note(resource: &'static str, message: impl Into<String>, fix: impl Into<String>) -> Self {
        Self { resource, level: Level::Note, message: message.into(), fix: Some(fix.into()) }
    }

    /// An error, and its fix.
    #[must_use]
    pub fn wrong(resource: &'static str, message: impl Into<String>, fix: impl Into<String>) -> Self {
        Self { resource, level: Level::Wrong, message: message.into(), fix: Some(fix.into()) }
    }

    fn unknown(resource: &'static str, message: String) -> Self {
        Self { resource, level: Level::Unknown, message, fix: Some("try again".to_owned()) }
    }

    /// The finding of a failed call for a resource.
    pub(crate) fn of_failure(resource: &'static str, operation: &str, name: &str, failure: &CallFailure) -> Self {
        let words = failure.words(operation);
        match failure {
            CallFailure::Transient(_) | CallFailure::OutOfTime => Self::unknown(resource, words),
            failure if failure.is("ResourceNotFoundException") => Self::wrong(
                resource,
                format!("`{name}` does not exist"),
                "create it, or correct its name, region or account",
            ),
            failure if failure.is_expired() => {
                Self::wrong(resource, format!("{words}: the credentials have expired"), "sign in again")
            }
            failure if failure.is_denied() => {
                Self::wrong(resource, words, format!("allow the caller {operation} on `{name}`"))
            }
            CallFailure::Answer { .. } => {
                Self::wrong(resource, format!("{words} for `{name}`"), "correct its name, or fix what the answer says")
            }
        }
    }
}

impl Doctor<'_> {
    /// Checks table, pool and bus concurrently.
    pub async fn verify(&self, deadline: Option<Instant>) -> Vec<CheckResult> {
        let (mut found, pool, bus) =
            futures::join!(self.verify_table(deadline), self.verify_pool(deadline), self.verify_bus(deadline));
        found.extend(pool);
        found.push(bus);
        found
    }

    async fn verify_table(&self, deadline: Option<Instant>) -> Vec<CheckResult> {
        let name = &self.settings.table;
        let describe = || self.clients.dynamodb().describe_table().table_name(name).send();
        match call(deadline, describe).await {
            Ok(answer) => match answer.table {
                Some(table) => check_table(self.model, name, &table),
                None => vec![CheckResult::unknown("table", "DescribeTable returned no table".to_owned())],
            },
            Err(failure) => vec![CheckResult::of_failure("table", "DescribeTable", name, &failure)],
        }
    }

    async fn verify_pool(&self, deadline: Option<Instant>) -> Vec<CheckResult> {
        if !self.model.uses_cognito() {
            return Vec::new();
        }
        let Some(pool) = &self.settings.user_pool else {
            return vec![CheckResult::wrong(
                "pool",
                "the model needs Cognito, but no user pool is named",
                "name a user pool",
            )];
        };
        let describe = || self.clients.cognito().describe_user_pool().user_pool_id(pool).send();
        match call(deadline, describe).await {
            Ok(answer) => {
                let described = answer.user_pool.unwrap_or_else(|| UserPoolType::builder().build());
                let schema = described.schema_attributes.unwrap_or_default();
                let mut found = check_schema(self.model, pool, &schema);
                found.extend(described.arn.and_then(|arn| check_iam_roles(self.model, &arn)));
                found
            }
            Err(failure) => vec![CheckResult::of_failure("pool", "DescribeUserPool", pool, &failure)],
        }
    }

    /// PutEvents to a bus that does not exist returns no error, so this asks for the bus itself.
    async fn verify_bus(&self, deadline: Option<Instant>) -> CheckResult {
        let bus = &self.settings.bus;
        let describe = || self.clients.events().describe_event_bus().name(bus).send();
        match call(deadline, describe).await {
            Ok(_) => CheckResult::fine("bus", format!("`{bus}` exists")),
            Err(failure) => CheckResult::of_failure("bus", "DescribeEventBus", bus, &failure),
        }
    }
}

fn check_table(model: &Model, name: &str, table: &TableDescription) -> Vec<CheckResult> {
    let types: BTreeMap<&str, &ScalarAttributeType> = table
        .attribute_definitions()
        .iter()
        .map(|AttributeDefinition { attribute_name, attribute_type, .. }| (attribute_name.as_str(), attribute_type))
        .collect();
    let mut found = Vec::new();
    let wanted = (model.table.pk.as_str(), Some(model.table.sk.as_str()));
    let keys = keys(table.key_schema());
    if keys != (Some(wanted.0), wanted.1) {
        let message = format!(
            "`{name}` has the keys {}, but the model has {}",
            for_people(keys),
            for_people((Some(wanted.0), wanted.1))
        );
        found.push(CheckResult::wrong(
            "table",
            message,
            "correct `pk` and `sk` under [table], or use the table of the model",
        ));
    }
    for attribute in [&model.table.pk, &model.table.sk] {
        if types.get(attribute.as_str()).is_some_and(|ty| **ty != ScalarAttributeType::S) {
            let message = format!("the key attribute `{attribute}` is not of type S");
            found.push(CheckResult::wrong("table", message, "Instep needs a table whose keys are strings (type S)"));
        }
    }
    found.extend(check_stream(name, table));
    let asked: BTreeSet<usize> = model.queried_indexes().collect();
    for (place, index) in model.indexes.iter().enumerate() {
        let finding = check_index(index, table);
        // Instep does not depend on an index that only readers use.
        let level = |finding: CheckResult| {
            if asked.contains(&place) { finding } else { CheckResult { level: Level::Note, ..finding } }
        };
        found.extend(finding.map(level));
    }
    if found.iter().all(|finding| finding.level < Level::Unknown) {
        found.push(CheckResult::fine("table", format!("`{name}` has the model's keys and a stream with both images")));
    }
    found
}

fn check_stream(name: &str, table: &TableDescription) -> Option<CheckResult> {
    let fix = "enable the stream with StreamViewType NEW_AND_OLD_IMAGES; first disable a stream of another type";
    match table.stream_specification() {
        Some(stream) if stream.stream_enabled() => match stream.stream_view_type() {
            Some(StreamViewType::NewAndOldImages) => None,
            view => {
                let view = view.map_or("none", StreamViewType::as_str);
                Some(CheckResult::wrong(
                    "table",
                    format!("the stream of `{name}` has the view type {view}, not NEW_AND_OLD_IMAGES"),
                    fix,
                ))
            }
        },
        Some(_) | None => Some(CheckResult::wrong("table", format!("`{name}` has no stream"), fix)),
    }
}

fn check_index(index: &Index, table: &TableDescription) -> Option<CheckResult> {
    let name = index.name.as_str();
    let global = table.global_secondary_indexes().iter().map(|index| (index.index_name(), index.key_schema()));
    let local = table.local_secondary_indexes().iter().map(|index| (index.index_name(), index.key_schema()));
    let Some((_, schema)) = global.chain(local).find(|(found, _)| *found == Some(name)) else {
        let message = format!("the model has an index `{name}`, but the table does not");
        return Some(CheckResult::wrong("index", message, "create the index, or remove it from the model"));
    };
    let keys = keys(schema);
    let wanted =
        (index.pk.first().map(String::as_str), index.sk.as_ref().and_then(|sk| sk.first()).map(String::as_str));
    // An index may have a sort key that the model does not need.
    if keys.0 == wanted.0 && (wanted.1.is_none() || keys.1 == wanted.1) {
        return None;
    }
    let message = format!("index `{name}` has the keys {}, but the model has {}", for_people(keys), for_people(wanted));
    Some(CheckResult::wrong(
        "index",
        message,
        "correct the index's attributes under [indexes]: the first spelling is the index's own",
    ))
}

fn keys(schema: &[KeySchemaElement]) -> (Option<&str>, Option<&str>) {
    let name_of =
        |kind: &KeyType| schema.iter().find(|key| key.key_type() == kind).map(KeySchemaElement::attribute_name);
    (name_of(&KeyType::Hash), name_of(&KeyType::Range))
}

fn for_people((pk, sk): (Option<&str>, Option<&str>)) -> String {
    let named = [pk, sk].into_iter().flatten().map(|name| format!("`{name}`")).collect::<Vec<_>>();
    named.join(" and ")
}

/// Nobody can pass a role of another account. Source: IAM User Guide, "Grant a user permissions to pass a role to an AWS
/// service".
fn check_iam_roles(model: &Model, pool_arn: &str) -> Option<CheckResult> {
    let account = pool_arn.split(':').nth(4)?;
    let is_foreign = |role: &&&str| account_of_iam_role(role).is_some_and(|of| of != account);
    let role = model.iam_roles().iter().find(is_foreign).map(|role| format!("`{role}`"))?;
    let message = format!("the pool is in the account {account}, and the IAM role {role} is not");
    let fix =
        "on AWS, Cognito refuses the group: use a model with the roles of this account; it can extend a shared one";
    Some(CheckResult::note("pool", message, fix))
}

/// Cognito refuses a user with an attribute that the pool does not have.
fn check_schema(model: &Model, pool: &str, schema: &[SchemaAttributeType]) -> Vec<CheckResult> {
    let mut found = Vec::new();
    let given = || model.items.iter().filter_map(|item| item.user.as_ref()).flat_map(|user| &user.attributes);
    let known = |name: &str| schema.iter().any(|attribute| attribute.name() == Some(name));
    for (name, _) in given() {
        // A stand-in may not report a pool's attributes.
        if !schema.is_empty() && !known(name) {
            let message = format!("the model sets the attribute `{name}`, which pool `{pool}` does not have");
            let fix = "add it to the pool as a mutable string, or remove it from the model";
            found.push(CheckResult::wrong("pool", message, fix));
        }
    }
    if model.custom_user_attributes().contains(ACCOUNT_MARK) && !schema.is_empty() && !known(ACCOUNT_MARK) {
        let message =
            format!("pool `{pool}` lacks the attribute `{ACCOUNT_MARK}`, by which Instep knows the users it made");
        let fix = format!(
            "aws cognito-idp add-custom-attributes --user-pool-id {pool} --custom-attributes \
             Name=instep,AttributeDataType=String,Mutable=false"
        );
        found.push(CheckResult::wrong("pool", message, fix));
    }
    let creates = model
        .items
        .iter()
        .any(|item| item.user.as_ref().is_some_and(|user| user.create != instep_model::Create::Never));
    for attribute in schema.iter().filter(|attribute| attribute.required() == Some(true) && creates) {
        let name = attribute.name().unwrap_or_default();
        let mut users = model.items.iter().filter_map(|item| item.user.as_ref());
        if users.any(|user| user.unique.iter().any(|unique| unique.attribute == name)) {
            let message = format!(
                "pool `{pool}` requires the attribute `{name}`, which a user has only while it holds the value"
            );
            let fix = "Cognito refuses a user without it, so the record of an item whose value another one holds is parked: \
                       use a pool that does not require it, or make sure of the value before you write the item";
            found.push(CheckResult::note("pool", message, fix));
        }
        if name != "sub" && !given().any(|(given, _)| given == name) {
            let message = format!("pool `{pool}` requires the attribute `{name}`, which the model does not set");
            let fix = "set it in the model under `cognito.user.attributes`: Cognito refuses a user without it";
            found.push(CheckResult::wrong("pool", message, fix));
        }
    }
    if found.iter().all(|finding| finding.level < Level::Unknown) {
        found.push(CheckResult::fine("pool", format!("`{pool}` exists and has the attributes that the model sets")));
    }
    found
}

#[cfg(test)]
mod tests {
    use aws_sdk_dynamodb::types::{GlobalSecondaryIndexDescription, StreamSpecification};

    use super::*;

    fn key(name: &str, kind: KeyType) -> KeySchemaElement {
        KeySchemaElement::builder().attribute_name(name).key_type(kind).build().unwrap()
    }

    fn table(change: impl FnOnce(&mut TableDescription)) -> Vec<String> {
        let index = GlobalSecondaryIndexDescription::builder().index_name("InvertedIndex");
        let index = index.key_schema(key("SK", KeyType::Hash)).key_schema(key("PK", KeyType::Range)).build();
        let readers = GlobalSecondaryIndexDescription::builder().index_name("ResourcesByAccountIndex");
        let readers =
            readers.key_schema(key("_accountUrn", KeyType::Hash)).key_schema(key("urn", KeyType::Range)).build();
        let stream = StreamSpecification::builder().stream_enabled(true);
        let mut table = TableDescription::builder()
            .key_schema(key("PK", KeyType::Hash))
            .key_schema(key("SK", KeyType::Range))
            .global_secondary_indexes(index)
            .global_secondary_indexes(readers)
            .stream_specification(stream.stream_view_type(StreamViewType::NewAndOldImages).build().unwrap())
            .build();
        change(&mut table);
        let model = Model::shipped("relational-store").unwrap();
        let found = check_table(&model, "t", &table);
        found.into_iter().map(|finding| format!("{:?} {}", finding.level, finding.message)).collect()
    }

    #[test]
    fn a_table_is_held_against_the_model() {
        assert_eq!(table(|_| {}), ["Fine `t` has the model's keys and a stream with both images"]);
        assert_eq!(table(|table| table.stream_specification = None), ["Wrong `t` has no stream"]);
        let view = |table: &mut TableDescription, view| {
            table.stream_specification.as_mut().unwrap().stream_view_type = Some(view);
        };
        assert_eq!(
            table(|table| view(table, StreamViewType::KeysOnly)),
            ["Wrong the stream of `t` has the view type KEYS_ONLY, not NEW_AND_OLD_IMAGES"]
        );
        assert_eq!(
            table(|table| table.key_schema = Some(vec![key("id", KeyType::Hash)])),
            ["Wrong `t` has the keys `id`, but the model has `PK` and `SK`"]
        );
        assert_eq!(
            table(|table| drop(table.global_secondary_indexes.as_mut().unwrap().remove(0))),
            ["Wrong the model has an index `InvertedIndex`, but the table does not"]
        );
        assert_eq!(
            table(|table| drop(table.global_secondary_indexes.as_mut().unwrap().remove(1))),
            [
                "Note the model has an index `ResourcesByAccountIndex`, but the table does not",
                "Fine `t` has the model's keys and a stream with both images"
            ],
            "nothing follows through it: it is for readers"
        );
        assert_eq!(
            table(|table| {
                let index = &mut table.global_secondary_indexes.as_mut().unwrap()[0];
                index.key_schema = Some(vec![key("siKey", KeyType::Hash)]);
            }),
            ["Wrong index `InvertedIndex` has the keys `siKey`, but the model has `SK` and `PK`"]
        );
        let number = AttributeDefinition::builder().attribute_name("SK").attribute_type(ScalarAttributeType::N);
        assert_eq!(
            table(|table| table.attribute_definitions = Some(vec![number.build().unwrap()])),
            ["Wrong the key attribute `SK` is not of type S"]
        );
    }

    /// Cognito refuses a user without a required attribute, and one that does not hold its value has none.
    #[test]
    fn a_pool_that_requires_a_unique_attribute_is_told() {
        let email = SchemaAttributeType::builder().name("email").required(true).build();
        let mark = SchemaAttributeType::builder().name(ACCOUNT_MARK).build();
        let found = check_schema(&Model::shipped("account-management").unwrap(), "p", &[email, mark]);
        let found: Vec<String> =
            found.iter().map(|finding| format!("{:?} {}", finding.level, finding.message)).collect();
        let expected = [
            "Note pool `p` requires the attribute `email`, which a user has only while it holds the value",
            "Fine `p` exists and has the attributes that the model sets",
        ];
        assert_eq!(found, expected);
    }

    #[test]
    fn a_pool_must_know_the_attributes_and_require_no_other() {
        let schema = |names: &[(&str, bool)]| {
            let attribute = |(name, required): &(&str, bool)| {
                SchemaAttributeType::builder().name(*name).required(*required).build()
            };
            let schema: Vec<_> = names.iter().map(attribute).collect();
            let found = check_schema(&Model::shipped("access-management").unwrap(), "p", &schema);
            found.into_iter().map(|finding| finding.message).collect::<Vec<_>>()
        };
        let fine = ["`p` exists and has the attributes that the model sets"];
        assert_eq!(schema(&[]), fine);
        let mark = (ACCOUNT_MARK, false);
        assert_eq!(schema(&[("email", true), ("sub", true), ("name", false), mark]), fine);
        assert_eq!(schema(&[mark]), ["the model sets the attribute `email`, which pool `p` does not have"]);
        assert_eq!(
            schema(&[("email", false)]),
            ["pool `p` lacks the attribute `custom:instep`, by which Instep knows the users it made"]
        );
        assert_eq!(
            schema(&[("email", false), ("name", true), mark]),
            ["pool `p` requires the attribute `name`, which the model does not set"]
        );
    }
}
