//! Conditional writes to the table.

use std::collections::{BTreeMap, HashMap};
use std::sync::{Mutex, PoisonError};

use aws_sdk_dynamodb::error::{BuildError, SdkError};
use aws_sdk_dynamodb::operation::transact_write_items::TransactWriteItemsError;
use aws_sdk_dynamodb::types::{
    AttributeValue, CancellationReason, ConditionCheck, Delete, Put, TransactWriteItem, Update,
};
use instep_flow::effect::{Action, Check, Expect};
use instep_model::{BOOKKEEPING_ATTRIBUTE, Key, Value};
use tokio::time::Instant;

use crate::attributes::{item_to_sdk, key_to_sdk, to_sdk};
use crate::call::{Backoff, CallFailure, call};
use crate::table::Table;

/// The maximum actions of one TransactWriteItems. Source: DynamoDB API reference,
/// TransactWriteItems.
pub(crate) const TRANSACTION_ACTIONS_MAX: usize = 100;

/// The reason of an action that did not fail.
const NO_ERROR: &str = "None";

/// The error of a single write whose condition failed.
const CONDITION_REFUSED: &str = "ConditionalCheckFailedException";

/// The reason of an action whose condition failed, in a cancelled transaction.
const CONDITION_FAILED: &str = "ConditionalCheckFailed";

/// The outcome of a write.
pub(crate) enum WriteResult {
    Done,
    /// A condition failed: the table has changed.
    Changed,
}

/// The outcome of writes that are counted.
pub(crate) enum Counted {
    Done,
    /// The number has reached its limit.
    Full,
    /// The item that stops them is there.
    Stopped,
    /// Another condition failed: the table has changed.
    Changed,
}

/// The outcome of a transaction.
pub(crate) enum Transacted {
    Done,
    /// Conditions failed: the places of their checks and actions, counted through both.
    Refused(Vec<usize>),
}

/// A name for one transaction, which DynamoDB recognises for 10 minutes. Source: DynamoDB API
/// reference, TransactWriteItems, "ClientRequestToken".
pub(crate) fn new_token() -> String {
    format!("{:032x}", fastrand::u128(..))
}

impl Table {
    /// Writes all actions if all checks succeed, otherwise none.
    pub(crate) async fn write(
        &self,
        checks: &[Check],
        actions: &[Action],
        deadline: Option<Instant>,
    ) -> Result<WriteResult, CallFailure> {
        let written = match (checks, actions) {
            ([], [action]) => self.write_one(action, deadline).await,
            (_, _) => {
                return Ok(match self.transact(&new_token(), checks, actions, deadline).await? {
                    Transacted::Done => WriteResult::Done,
                    Transacted::Refused(_) => WriteResult::Changed,
                });
            }
        };
        match written {
            Ok(()) => Ok(WriteResult::Done),
            Err(failure) if failure.is(CONDITION_REFUSED) => Ok(WriteResult::Changed),
            Err(failure) => Err(failure),
        }
    }

    async fn write_one(&self, action: &Action, deadline: Option<Instant>) -> Result<(), CallFailure> {
        let dynamodb = &self.dynamodb;
        let table = &self.name;
        match action {
            Action::Put { item, expect, .. } => {
                let condition = self.condition(expect);
                let item = item_to_sdk(item);
                let put = || {
                    let request = dynamodb.put_item().table_name(table).set_item(Some(item.clone()));
                    let request = request.set_condition_expression(condition.expression());
                    request
                        .set_expression_attribute_names(condition.names())
                        .set_expression_attribute_values(condition.values())
                        .send()
                };
                call(deadline, put).await.map(drop)
            }
            Action::Delete { key, expect } => {
                let condition = self.condition(expect);
                let key = key_to_sdk(&self.model, key);
                let delete = || {
                    let request = dynamodb.delete_item().table_name(table).set_key(Some(key.clone()));
                    let request = request.set_condition_expression(condition.expression());
                    request
                        .set_expression_attribute_names(condition.names())
                        .set_expression_attribute_values(condition.values())
                        .send()
                };
                call(deadline, delete).await.map(drop)
            }
            Action::Set { key, attributes, expect } => {
                let mut condition = self.condition(expect);
                let update = condition.update(attributes);
                let key = key_to_sdk(&self.model, key);
                let set = || {
                    let request = dynamodb.update_item().table_name(table).set_key(Some(key.clone()));
                    let request = request.update_expression(&update).set_condition_expression(condition.expression());
                    request
                        .set_expression_attribute_names(condition.names())
                        .set_expression_attribute_values(condition.values())
                        .send()
                };
                call(deadline, set).await.map(drop)
            }
        }
    }

    /// Writes all actions or none, as one idempotent request: if an answer was lost, the next
    /// attempt with the same token receives the same outcome.
    pub(crate) async fn transact(
        &self,
        token: &str,
        checks: &[Check],
        actions: &[Action],
        deadline: Option<Instant>,
    ) -> Result<Transacted, CallFailure> {
        let items: Result<Vec<_>, _> = checks
            .iter()
            .map(|check| self.check(check))
            .chain(actions.iter().map(|action| self.action(action)))
            .collect();
        let items = items.map_err(|error| CallFailure::Transient(error.to_string()))?;
        self.send_transaction(token, &items, deadline).await
    }

    async fn send_transaction(
        &self,
        token: &str,
        items: &[TransactWriteItem],
        deadline: Option<Instant>,
    ) -> Result<Transacted, CallFailure> {
        let mut backoff = Backoff::new(deadline);
        loop {
            let reasons = Mutex::new(Vec::new());
            let answer = call(deadline, || {
                let request = self.dynamodb.transact_write_items().client_request_token(token);
                let send = request.set_transact_items(Some(items.to_vec())).send();
                let reasons = &reasons;
                async move {
                    let answer = send.await;
                    *reasons.lock().unwrap_or_else(PoisonError::into_inner) = cancellation_reasons(&answer);
                    answer
                }
            })
            .await;
            let reasons = reasons.into_inner().unwrap_or_else(PoisonError::into_inner);
            match answer {
                Ok(_) => return Ok(Transacted::Done),
                Err(failure) if failure.is("TransactionCanceledException") => {
                    let failed = reasons.iter().enumerate().filter(|(_, reason)| reason.code == CONDITION_FAILED);
                    let failed: Vec<usize> = failed.map(|(place, _)| place).collect();
                    if !failed.is_empty() {
                        return Ok(Transacted::Refused(failed));
                    }
                    if let Some(wrong) = reasons.into_iter().find(Reason::is_permanent) {
                        return Err(CallFailure::Answer {
                            code: "ValidationException".to_owned(),
                            message: wrong.message,
                        });
                    }
                    if !backoff.wait().await {
                        return Err(CallFailure::Transient("transaction conflict".to_owned()));
                    }
                }
                Err(failure) => return Err(failure),
            }
        }
    }

    /// Writes all actions, and adds 1 to a number, if `stop` holds and the number is below `limit`. Otherwise nothing is
    /// written. `number` is the key of its item, and when that is deleted.
    pub(crate) async fn count(
        &self,
        stop: Check,
        number: (Key, i64),
        limit: u32,
        actions: &[Action],
        deadline: Option<Instant>,
    ) -> Result<Counted, CallFailure> {
        if limit == 0 {
            return Ok(Counted::Full);
        }
        let counted = [self.check(&stop), self.add_one(number, limit)].into_iter();
        let items: Result<Vec<_>, _> = counted.chain(actions.iter().map(|action| self.action(action))).collect();
        let items = items.map_err(|error| CallFailure::Transient(error.to_string()))?;
        Ok(match self.send_transaction(&new_token(), &items, deadline).await? {
            Transacted::Done => Counted::Done,
            Transacted::Refused(places) if places.contains(&0) => Counted::Stopped,
            Transacted::Refused(places) if places.contains(&1) => Counted::Full,
            Transacted::Refused(_) => Counted::Changed,
        })
    }

    fn add_one(&self, (key, expires): (Key, i64), limit: u32) -> Result<TransactWriteItem, BuildError> {
        let number = |number: i64| AttributeValue::N(number.to_string());
        let update = Update::builder()
            .table_name(&self.name)
            .set_key(Some(key_to_sdk(&self.model, &key)))
            .update_expression("SET #ttl = :ttl ADD #count :one")
            .condition_expression("attribute_not_exists(#count) OR #count < :limit")
            .expression_attribute_names("#count", BOOKKEEPING_ATTRIBUTE)
            .expression_attribute_names("#ttl", &self.model.table.ttl)
            .expression_attribute_values(":one", number(1))
            .expression_attribute_values(":ttl", number(expires))
            .expression_attribute_values(":limit", number(limit.into()))
            .build()?;
        Ok(TransactWriteItem::builder().update(update).build())
    }

    fn check(&self, check: &Check) -> Result<TransactWriteItem, BuildError> {
        let condition = self.condition(&check.expect);
        let item = ConditionCheck::builder()
            .table_name(&self.name)
            .set_key(Some(key_to_sdk(&self.model, &check.key)))
            .set_condition_expression(condition.expression())
            .set_expression_attribute_names(condition.names())
            .set_expression_attribute_values(condition.values())
            .build()?;
        Ok(TransactWriteItem::builder().condition_check(item).build())
    }

    fn action(&self, action: &Action) -> Result<TransactWriteItem, BuildError> {
        let table = &self.name;
        let item = TransactWriteItem::builder();
        Ok(match action {
            Action::Put { item: put, expect, .. } => {
                let condition = self.condition(expect);
                let put = Put::builder().table_name(table).set_item(Some(item_to_sdk(put)));
                let put = put.set_condition_expression(condition.expression());
                let put = put.set_expression_attribute_names(condition.names());
                item.put(put.set_expression_attribute_values(condition.values()).build()?).build()
            }
            Action::Delete { key, expect } => {
                let condition = self.condition(expect);
                let delete = Delete::builder().table_name(table).set_key(Some(key_to_sdk(&self.model, key)));
                let delete = delete.set_condition_expression(condition.expression());
                let delete = delete.set_expression_attribute_names(condition.names());
                item.delete(delete.set_expression_attribute_values(condition.values()).build()?).build()
            }
            Action::Set { key, attributes, expect } => {
                let mut condition = self.condition(expect);
                let update = condition.update(attributes);
                let set = Update::builder().table_name(table).set_key(Some(key_to_sdk(&self.model, key)));
                let set = set.update_expression(update).set_condition_expression(condition.expression());
                let set = set.set_expression_attribute_names(condition.names());
                item.update(set.set_expression_attribute_values(condition.values()).build()?).build()
            }
        })
    }

    fn condition(&self, expect: &Expect) -> Condition {
        let mut condition = Condition::default();
        let pk = |condition: &mut Condition| condition.name(&self.model.table.pk);
        match expect {
            Expect::Any => {}
            Expect::Absent => {
                let pk = pk(&mut condition);
                condition.terms.push(format!("attribute_not_exists({pk})"));
            }
            Expect::Present => {
                let pk = pk(&mut condition);
                condition.terms.push(format!("attribute_exists({pk})"));
            }
            Expect::Like(attributes) => {
                let pk = pk(&mut condition);
                condition.terms.push(format!("attribute_exists({pk})"));
                for (name, value) in attributes {
                    let name = condition.name(name);
                    let term = match value {
                        Some(value) => format!("{name} = {}", condition.value(value)),
                        None => format!("attribute_not_exists({name})"),
                    };
                    condition.terms.push(term);
                }
            }
        }
        condition
    }
}

/// An expression with its names and values.
#[derive(Default)]
struct Condition {
    terms: Vec<String>,
    names: BTreeMap<String, String>,
    values: BTreeMap<String, AttributeValue>,
}

impl Condition {
    fn name(&mut self, name: &str) -> String {
        let place = format!("#n{}", self.names.len());
        self.names.insert(place.clone(), name.to_owned());
        place
    }

    fn value(&mut self, value: &Value) -> String {
        let place = format!(":v{}", self.values.len());
        self.values.insert(place.clone(), to_sdk(value));
        place
    }

    /// An update expression that shares this condition's names and values.
    fn update(&mut self, attributes: &BTreeMap<String, Option<Value>>) -> String {
        let (mut set, mut remove) = (Vec::new(), Vec::new());
        for (name, value) in attributes {
            let name = self.name(name);
            match value {
                Some(value) => set.push(format!("{name} = {}", self.value(value))),
                None => remove.push(name),
            }
        }
        let clause = |word: &str, terms: Vec<String>| {
            if terms.is_empty() { None } else { Some(format!("{word} {}", terms.join(", "))) }
        };
        [clause("SET", set), clause("REMOVE", remove)].into_iter().flatten().collect::<Vec<_>>().join(" ")
    }

    fn expression(&self) -> Option<String> {
        (!self.terms.is_empty()).then(|| self.terms.join(" AND "))
    }

    fn names(&self) -> Option<HashMap<String, String>> {
        (!self.names.is_empty()).then(|| self.names.clone().into_iter().collect())
    }

    fn values(&self) -> Option<HashMap<String, AttributeValue>> {
        (!self.values.is_empty()).then(|| self.values.clone().into_iter().collect())
    }
}

/// Why an action of a cancelled transaction failed.
struct Reason {
    code: String,
    message: String,
}

impl Reason {
    /// Whether the transaction can never succeed unchanged.
    fn is_permanent(&self) -> bool {
        self.code != NO_ERROR && CallFailure::of_entry(&self.code).is_permanent()
    }
}

#[expect(clippy::wildcard_enum_match_arm, reason = "the SDK's enums may grow")]
fn cancellation_reasons<T>(answer: &Result<T, SdkError<TransactWriteItemsError>>) -> Vec<Reason> {
    match answer {
        Err(SdkError::ServiceError(context)) => match context.err() {
            TransactWriteItemsError::TransactionCanceledException(cancelled) => {
                let reason = |reason: &CancellationReason| {
                    let code = reason.code().unwrap_or(NO_ERROR).to_owned();
                    Reason { message: reason.message().unwrap_or(&code).to_owned(), code }
                };
                cancelled.cancellation_reasons().iter().map(reason).collect()
            }
            _ => Vec::new(),
        },
        _ => Vec::new(),
    }
}
