//! What is run again in a world at rest changes nothing.

use std::collections::BTreeMap;

use crate::lambda::Lambda;
use crate::net::Net;
use crate::rest::rest;
use crate::table::{Item, Key};
use crate::world::{IN_THE_END, by_hand, users_by_hand};

/// What was run again changed, and should not have.
pub(super) async fn changed(lambda: &Lambda, name: &str, run: impl Future<Output = ()>) -> Vec<String> {
    let net = &lambda.net;
    net.watch().checked(2);
    let (is_to_mend, may_go) = {
        let watch = net.watch();
        let mut rows = watch.implied.rows().values();
        (watch.is_to_mend(), rows.any(|row| watch.implied.is_orphan(row)))
    };
    // One that knows by an id alone what went, and what is there too: staying and going are both right.
    if may_go {
        net.count("(window: a parent of that id went, and one is there)");
    }
    let before = (net.services.pool(), items(net));
    run.await;
    rest(lambda, lambda.checkpoints.len()).await;
    let after = (net.services.pool(), items(net));
    let mut wrong = Vec::new();
    // What a window left, it may mend.
    if before.0 != after.0 && !is_to_mend && !may_go {
        wrong.push(format!("2: {name} changed the pool: {:?} became {:?}", before.0, after.0));
    }
    let differ = |one: &BTreeMap<Key, Item>, other: &BTreeMap<Key, Item>| {
        let keys = one.iter().filter(|(key, item)| other.get(*key) != Some(item)).map(|(key, _)| key.clone());
        keys.collect::<Vec<_>>()
    };
    if before.1 != after.1 && !may_go {
        let (was, is) = (differ(&before.1, &after.1), differ(&after.1, &before.1));
        wrong.push(format!("2: {name} changed items: {was:?} became {is:?}"));
    }
    wrong
}

/// Promise 1 of a backfill: it gives what waited for people to make a group or a user, and whatever a window left out.
pub(super) async fn backfilled(lambda: &Lambda) -> Vec<String> {
    let (net, model) = (&lambda.net, &lambda.net.model);
    let mut wrong = changed(lambda, "a backfill", lambda.backfill()).await;
    let (groups, users) = (by_hand(model, IN_THE_END), users_by_hand(model, IN_THE_END));
    if !groups.is_empty() || !users.is_empty() {
        wrong.extend(net.people_make(groups, users).err());
        lambda.backfill().await;
        rest(lambda, lambda.checkpoints.len()).await;
    }
    let left = super::at_rest(net).0.into_iter().chain(net.watch().lacking());
    wrong.extend(left.map(|what| format!("{what}, after a backfill")));
    wrong
}

/// All items. Of several that went under one id, a tombstone names the last that was run: any of them will do.
fn items(net: &Net) -> BTreeMap<Key, Item> {
    let is_tombstone = |key: &Key| key.0.starts_with("INSTEP#GONE#");
    let table = net.table();
    let plain = table
        .items()
        .iter()
        .map(|(key, item)| (key.clone(), if is_tombstone(key) { Item::new() } else { item.clone() }));
    plain.collect()
}
