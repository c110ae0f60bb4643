//! What comes late to a drained world: records that were parked under a wrong model, and copies of messages that are
//! days old.

use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Duration;

use instep_model::{Identity, Item, Key, Model, Unknown};

use super::{at_rest, reruns};
use crate::drain::drain_world;
use crate::lambda::Lambda;
use crate::net::Net;
use crate::process::instep;
use crate::watch::{Due, LATE_CASCADE};

/// How many items are deleted under a wrong model, and how many children are written long after their parent's
/// deletion.
const ITEMS: usize = 2;

/// Longer than any message is live.
const DAYS: Duration = Duration::from_secs(3 * 24 * 60 * 60);

/// Promise 1: deletions that are parked under a model without their item type, and redriven before the model is right,
/// are parked again, and handled once it is right.
pub(super) async fn under_a_wrong_model(lambda: &Lambda) -> Vec<String> {
    let net = &lambda.net;
    let Some((wrong, keys)) = mistake(net) else { return Vec::new() };
    net.count("MistakenModel");
    net.watch().excused = Some("unknown-item");
    for process in &lambda.processes {
        let _ = process.mistaken.set(instep(&wrong, net, process.id, 1));
        process.is_mistaken.store(true, Ordering::Relaxed);
    }
    for key in keys {
        net.write(key, None);
    }
    for shard in 0..lambda.checkpoints.len() {
        lambda.drain(shard).await;
    }
    lambda.redrive().await;
    lambda.drain_work().await;
    lambda.processes.iter().for_each(|process| process.is_mistaken.store(false, Ordering::Relaxed));
    net.watch().excused = None;
    drain_world(lambda, lambda.checkpoints.len()).await;
    at_rest(net).0.into_iter().map(|what| format!("{what}, after a wrong model")).collect()
}

/// A model that lacks an item type, and the keys of items of that type, if it then parks their records.
fn mistake(net: &Net) -> Option<(Arc<Model>, Vec<Key>)> {
    let watch = net.watch();
    let rows: Vec<_> = watch.implied.rows().iter().filter(|(_, row)| !row.is_void && !row.is_bad).collect();
    let (_, one) = net.chance.pick(&rows)?;
    let of = one.object.of;
    let mut wrong = Model::clone(&net.model);
    let ty = wrong.items.get_mut(of.0)?;
    if ty.guard.is_some() || wrong.table.unknown != Unknown::Park {
        return None;
    }
    ty.forms.clear();
    // Of an item that may be secret, only the names of its attributes are parked: no redrive helps.
    if wrong.items.iter().any(|ty| ty.secret) {
        return None;
    }
    let is_unknown =
        |key: &Key| matches!(wrong.identify(key), Identity::Unknown(_)) && !wrong.identify(key).is_forged();
    let keys = rows.iter().filter(|(_, row)| row.object.of == of).map(|(key, _)| (*key).clone());
    let keys: Vec<Key> = keys.take(ITEMS).collect();
    keys.iter().all(is_unknown).then(|| (Arc::new(wrong), keys))
}

/// Promise 2: copies of messages that come days later change nothing, not even children that were written long after
/// the deletion of their parent.
pub(super) async fn old_messages(lambda: &Lambda) -> Vec<String> {
    let (net, shards) = (&lambda.net, lambda.checkpoints.len());
    tokio::time::sleep(DAYS).await;
    lambda.tick_all().await;
    drain_world(lambda, shards).await;
    for (key, item) in late_children(net) {
        net.count("LateChild");
        net.write(key, Some(item));
    }
    drain_world(lambda, shards).await;
    net.watch().excused = Some(LATE_CASCADE);
    let mut wrong = reruns::changed(lambda, "an old message", lambda.deliver_old()).await;
    wrong.extend(at_rest(net).0.into_iter().map(|what| format!("{what}, after an old message")));
    wrong
}

/// Items that were deleted, and of whose parents one was deleted.
fn late_children(net: &Net) -> Vec<(Key, Item)> {
    let watch = net.watch();
    let removed = watch.due.values().filter_map(Due::written).filter(|write| write.new.is_none());
    let children = removed.filter_map(|write| {
        let item = write.old.clone()?;
        let key = net.model.table.key_of(&item)?;
        let row = watch.implied.row(write.object.clone(), true, item.clone());
        let is_late = row.parents.iter().any(|parent| watch.implied.is_deleted(parent));
        let is_good = !row.is_bad && !watch.may_restore_a_bad_subject(&row);
        // A guard of a deleted owner is released, whenever a record of either is handled.
        let is_guard = net.model.item(row.object.of).guard.is_some();
        (is_late && is_good && !is_guard && !watch.implied.rows().contains_key(&key)).then_some((key, item))
    });
    children.take(ITEMS).collect()
}
