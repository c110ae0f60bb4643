//! Checks that replays and backfills of a drained world change nothing.

use std::collections::BTreeMap;

use instep_flow::bookkeeping;
use instep_model::BOOKKEEPING_ATTRIBUTE;
use serde_json::Value;

use crate::drain::drain_world;
use crate::lambda::Lambda;
use crate::net::Net;
use crate::people::{IN_THE_END, by_hand, users_by_hand};
use crate::table::{JsonItem, JsonKey};

/// Runs something again. Returns what it changed and should not have changed.
pub(super) async fn changed(lambda: &Lambda, name: &str, run: impl Future<Output = ()>) -> Vec<String> {
    let net = &lambda.net;
    net.watch().checked(2);
    let before = (net.services.pool(), items(net));
    run.await;
    drain_world(lambda, lambda.checkpoints.len()).await;
    let after = (net.services.pool(), items(net));
    let mut wrong = Vec::new();
    if before.0 != after.0 {
        wrong.push(format!("2: {name} changed the pool: {:?} became {:?}", before.0, after.0));
    }
    let differ = |one: &BTreeMap<JsonKey, JsonItem>, other: &BTreeMap<JsonKey, JsonItem>| {
        let keys = one.iter().filter(|(key, item)| other.get(*key) != Some(item)).map(|(key, _)| key.clone());
        keys.collect::<Vec<_>>()
    };
    if before.1 != after.1 {
        let (was, is) = (differ(&before.1, &after.1), differ(&after.1, &before.1));
        wrong.push(format!("2: {name} changed items: {was:?} became {is:?}"));
    }
    wrong
}

/// Promise 1: a backfill grants what was waiting for people to create a group or a user, and
/// repairs what any window left behind.
pub(super) async fn backfilled(lambda: &Lambda) -> Vec<String> {
    let (net, model) = (&lambda.net, &lambda.net.model);
    let mut wrong = changed(lambda, "a backfill", lambda.backfill()).await;
    let (groups, users) = (by_hand(model, IN_THE_END), users_by_hand(model, IN_THE_END));
    if !groups.is_empty() || !users.is_empty() {
        wrong.extend(net.people_make(groups, users).err());
        lambda.backfill().await;
        drain_world(lambda, lambda.checkpoints.len()).await;
    }
    let left = super::at_rest(net).0.into_iter().chain(net.watch().lacking());
    wrong.extend(left.map(|what| format!("{what}, after a backfill")));
    wrong
}

/// All items but those of groups on demand: a run that removes a membership may note its group,
/// and [`super::at_rest`] checks which are allowed. The content of tombstones is left out: if several objects with one id
/// were deleted, the tombstone names any of them. So is the model that wrote a bookkeeping item: after a change, a record that
/// comes again writes it again.
fn items(net: &Net) -> BTreeMap<JsonKey, JsonItem> {
    let is_tombstone = |key: &JsonKey| key.0.starts_with("INSTEP#GONE#");
    let table = net.table();
    let plain = table
        .items()
        .iter()
        .filter(|(key, _)| !key.0.starts_with("INSTEP#GROUP#"))
        .map(|(key, item)| (key.clone(), if is_tombstone(key) { JsonItem::new() } else { by_no_model(item) }));
    plain.collect()
}

fn by_no_model(item: &JsonItem) -> JsonItem {
    let mut item = item.clone();
    let noted = item.get_mut(BOOKKEEPING_ATTRIBUTE).and_then(|noted| noted.get_mut("M")).and_then(Value::as_object_mut);
    noted.and_then(|noted| noted.remove(bookkeeping::MODEL));
    item
}
