//! What a person does on the page: writes items, stops the stream, lets time pass, makes a service fail.

use aws_sdk_dynamodb::error::{ProvideErrorMetadata, SdkError};
use aws_sdk_dynamodb::operation::put_item::builders::PutItemFluentBuilder;
use instep_aws::{item_to_sdk, key_to_sdk};
use instep_console::sdk_error::explain;
use instep_console::writer::{Expression, expression};
use instep_flow::effect::Action;
use instep_flow::writer;
use instep_local::{APP_CLIENT, CONFIRMATION_CODE};
use instep_model::{BOOKKEEPING_PREFIX, Item, Key, Names, Object};
use jiff::{SignedDuration, Timestamp};
use serde::Deserialize;
use serde_json::json;

use super::Port;
use super::queries::QueryResult;
use crate::faults::SERVICES;
use crate::shared_state::UserCommand;

/// The longest time that can pass at once: more than the life of a tombstone.
const PASS_DAYS_MAX: i64 = 3_660;

/// A write.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) enum RequestedWrite {
    /// A new item of a type. Its key follows from the names.
    Create { r#type: String, names: Names, attributes: Item },
    /// Other values of attributes.
    Change { key: [String; 2], set: Item, remove: Vec<String> },
    /// The item goes.
    Delete { key: [String; 2] },
    /// A whole item, whatever the model says.
    Put { item: Item },
}

/// Somebody signs up, and confirms it.
#[derive(Debug, Deserialize)]
pub(super) struct SignsUp {
    name: String,
}

/// Nobody signs in here: any password does.
const PASSWORD: &str = "Instep-dev-1";

/// Makes an account as its owner would. The pool's trigger tells Instep of it.
pub(super) async fn sign_up(port: &Port, SignsUp { name }: SignsUp) -> QueryResult {
    let cognito = port.instep.clients().cognito();
    let made = cognito.sign_up().client_id(APP_CLIENT).username(&name).password(PASSWORD).send().await;
    let made = made.map_err(|error| format!("Cognito refuses it: {}", explain(&error)))?;
    let confirm = cognito.confirm_sign_up().client_id(APP_CLIENT).username(&name).confirmation_code(CONFIRMATION_CODE);
    confirm.send().await.map_err(|error| format!("Cognito refuses it: {}", explain(&error)))?;
    port.hub.changed(|versions| versions.cognito += 1);
    Ok(json!({"name": name, "sub": made.user_sub()}))
}

/// Something else.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) enum ControlCommand {
    Pause,
    Resume,
    Step,
    PassSeconds(i64),
    PassUntil(Timestamp),
    Fail(String),
    Recover(String),
    Load {
        name: String,
        text: String,
    },
    SendAgain(u64),
    /// The `metadata.id` of an event.
    ForwardAgain(String),
}

pub(super) fn act(port: &Port, act: ControlCommand) -> QueryResult {
    let hub = &port.hub;
    match act {
        ControlCommand::Pause => hub.pause(true),
        ControlCommand::Resume => hub.pause(false),
        ControlCommand::Step if hub.is_paused() && hub.is_idle() && hub.loading().is_none() => {
            return Err("nothing waits: write something first".to_owned());
        }
        ControlCommand::Step if hub.is_paused() => hub.step(),
        ControlCommand::Step => return Err("the stream is not stopped: there is no step to make".to_owned()),
        ControlCommand::PassSeconds(seconds) => {
            pass(port, hub.clock.now().checked_add(SignedDuration::from_secs(seconds)).ok())?
        }
        ControlCommand::PassUntil(until) => pass(port, Some(until))?,
        ControlCommand::Fail(service) => fail(port, &service, true)?,
        ControlCommand::Recover(service) => fail(port, &service, false)?,
        ControlCommand::SendAgain(node) if hub.traces().node(node).is_none_or(|node| node.parked.is_none()) => {
            return Err("this record is not parked".to_owned());
        }
        ControlCommand::SendAgain(node) => hub.ask(UserCommand::SendAgain(node)),
        ControlCommand::ForwardAgain(id) => {
            let forwarding = port.forwarding.as_ref().ok_or("`instep dev` runs without `--forward`")?;
            if !forwarding.again(&id) {
                return Err("this event is not remembered any more".to_owned());
            }
        }
        ControlCommand::Load { name, text } => hub.ask(UserCommand::Load { name, text }),
    }
    Ok(json!({}))
}

fn pass(port: &Port, until: Option<Timestamp>) -> Result<(), String> {
    let now = port.hub.clock.now();
    let last = now.checked_add(SignedDuration::from_hours(24 * PASS_DAYS_MAX)).unwrap_or(Timestamp::MAX);
    match until.filter(|until| *until > now && *until <= last) {
        Some(until) => {
            port.hub.ask(UserCommand::PassTime(until));
            Ok(())
        }
        None => Err(format!("time runs forward, by {PASS_DAYS_MAX} days at most; it is {now}")),
    }
}

fn fail(port: &Port, service: &str, fails: bool) -> Result<(), String> {
    if !port.hub.failures.set(service, fails) {
        return Err(format!("there is no service `{service}`, but {}", SERVICES.join(", ")));
    }
    port.hub.changed(|versions| versions.state += 1);
    port.hub.wake.notify_one();
    Ok(())
}

pub(super) async fn write(port: &Port, write: RequestedWrite) -> QueryResult {
    let key = match write {
        RequestedWrite::Create { r#type, names, attributes } => create(port, &r#type, &names, &attributes).await?,
        RequestedWrite::Put { item } => {
            let key = port.model().table.key_of(&item);
            let (pk, sk) = (&port.model().table.pk, &port.model().table.sk);
            let key = key.ok_or_else(|| format!("an item of this table has the texts `{pk}` and `{sk}`: its key"))?;
            own(&key)?;
            let written = put(port, &item).send().await;
            written.map_err(|error| format!("the table refuses it: {}", explain(&error)))?;
            key
        }
        RequestedWrite::Change { key, set, remove } => change(port, as_key(key), &set, &remove).await?,
        RequestedWrite::Delete { key } => {
            let key = as_key(key);
            own(&key)?;
            let delete = port.writer.delete_item().table_name(&port.hub.table);
            let deleted = delete.set_key(Some(key_to_sdk(port.model(), &key))).send().await;
            deleted.map_err(|error| format!("the table refuses it: {}", explain(&error)))?;
            key
        }
    };
    Ok(json!({"key": [key.pk, key.sk]}))
}

fn as_key([pk, sk]: [String; 2]) -> Key {
    Key { pk, sk }
}

pub(super) fn own(key: &Key) -> Result<(), String> {
    if key.pk.starts_with(BOOKKEEPING_PREFIX) {
        return Err("this is one of Instep's own items: Instep writes and deletes it".to_owned());
    }
    Ok(())
}

async fn create(port: &Port, of: &str, names: &Names, attributes: &Item) -> Result<Key, String> {
    let model = port.model();
    let object: Object = writer::object(model, of, names).map_err(|error| error.to_string())?;
    let made = writer::create(model, &object, attributes, port.hub.clock.now()).map_err(|error| error.to_string())?;
    let keys = model.keys(&object).map_err(|error| error.to_string())?;
    let is_it = |action: Action| match action {
        Action::Put { key, item, .. } if keys.contains(&key) => Some((key, item)),
        Action::Put { .. } | Action::Delete { .. } | Action::Set { .. } => None,
    };
    // Without the guards of its unique values, as most applications write: Instep adds them.
    let (key, item) = made.actions().into_iter().find_map(is_it).ok_or("the item has no key")?;
    let exists = "an item with this key exists: choose it to change it, or give other names";
    put_new(port, &item).send().await.map_err(|error| refused(&error, exists))?;
    Ok(key)
}

fn put(port: &Port, item: &Item) -> PutItemFluentBuilder {
    port.writer.put_item().table_name(&port.hub.table).set_item(Some(item_to_sdk(item)))
}

/// A put that no item under the same key lets through.
pub(super) fn put_new(port: &Port, item: &Item) -> PutItemFluentBuilder {
    let put = put(port, item).condition_expression("attribute_not_exists(#pk)");
    put.expression_attribute_names("#pk", &port.model().table.pk)
}

async fn change(port: &Port, key: Key, set: &Item, remove: &[String]) -> Result<Key, String> {
    own(&key)?;
    let table = &port.model().table;
    let is_key = |name: &String| *name == table.pk || *name == table.sk;
    if set.keys().chain(remove).any(is_key) {
        return Err("the key of an item cannot change: create another item, and delete this one".to_owned());
    }
    if set.is_empty() && remove.is_empty() {
        return Err("nothing is changed".to_owned());
    }
    let Expression { text, mut names, values } = expression(set, remove);
    names.insert("#pk".to_owned(), table.pk.clone());
    let update = port.writer.update_item().table_name(&port.hub.table).set_key(Some(key_to_sdk(port.model(), &key)));
    let update = update.update_expression(text);
    let update = update.condition_expression("attribute_exists(#pk)").set_expression_attribute_names(Some(names));
    let update = update.set_expression_attribute_values((!values.is_empty()).then_some(values));
    let gone = "the item does not exist any more";
    update.send().await.map(|_| key).map_err(|error| refused(&error, gone))
}

/// Why a write with a condition was not made. `unmet` says it of the condition.
pub(super) fn refused<E: ProvideErrorMetadata + std::error::Error + 'static>(
    error: &SdkError<E>,
    unmet: &str,
) -> String {
    if is_unmet(error) { unmet.to_owned() } else { format!("the table refuses it: {}", explain(error)) }
}

/// Whether a condition of a write was not met.
pub(super) fn is_unmet<E: ProvideErrorMetadata>(error: &SdkError<E>) -> bool {
    error.code() == Some("ConditionalCheckFailedException")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_the_page_sends_is_read() {
        let write = r#"{"create": {"type": "User", "names": {"email": "a@b"}, "attributes": {"state": {"S": "x"}}}}"#;
        assert!(matches!(serde_json::from_str(write).unwrap(), RequestedWrite::Create { .. }));
        assert!(matches!(serde_json::from_str(r#""pause""#).unwrap(), ControlCommand::Pause));
        assert!(matches!(serde_json::from_str(r#"{"passSeconds": 60}"#).unwrap(), ControlCommand::PassSeconds(60)));
        assert!(matches!(serde_json::from_str(r#"{"sendAgain": 7}"#).unwrap(), ControlCommand::SendAgain(7)));
    }
}
