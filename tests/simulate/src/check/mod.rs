//! Checks of a drained world, in addition to the watch.

mod answers;
mod changed;
mod late;
mod reruns;
mod sweeps;
mod tokens;

use std::collections::{BTreeMap, BTreeSet};

use instep_flow::bookkeeping::{self, BookkeepingKind};
use instep_flow::due::{Moment, MomentKind};
use instep_local::UserState;
use instep_model::{ACCOUNT_MARK, ExtraPolicy, Key, LinkId, Object, ToDependents, ToParent, TypeId};

pub(crate) use changed::changed;

use crate::implied::{ImpliedRow, Parent, noted};
use crate::lambda::Lambda;
use crate::net::Net;
use crate::watch::{OTHERS, STRANGER, Watch};

/// The limit of calls for each write, with all replays and retries. More calls mean an endless
/// loop.
const CALLS_A_WRITE: u64 = 2_000;

/// Checks a drained world. Where requests were late, only after a sweep: no protocol can prevent what
/// they break.
pub(crate) async fn judge(lambda: &Lambda, is_late: bool) {
    let net = &lambda.net;
    if is_late {
        Box::pin(sweeps::sweep(lambda)).await;
    }
    if !net.log().broken.is_empty() {
        return;
    }
    let (mut wrong, stay) = at_rest(net);
    let (dead, other): (Vec<_>, Vec<_>) = wrong.into_iter().partition(|what| is_of_a_dead_duplicate(what));
    wrong = other;
    if !dead.is_empty() && wrong.is_empty() {
        net.count("(open race: a duplicate that dies)");
        Box::pin(sweeps::sweep(lambda)).await;
        wrong = at_rest(net).0;
    }
    (0..stay).for_each(|_| net.count("(open race: a child changed before its creation was redriven)"));
    if wrong.is_empty() {
        wrong = sweeps::changed_nothing(lambda).await;
    }
    let (calls, writes) =
        (net.log().calls.values().sum::<u64>(), net.table().shards().iter().map(Vec::len).sum::<usize>() as u64);
    if calls > CALLS_A_WRITE * (writes + 10) {
        wrong.push(format!("8: {calls} calls for {writes} writes"));
    }
    if wrong.is_empty() {
        wrong = sweeps::drifted(lambda).await;
    }
    // Promise 2: replays of a drained world change nothing.
    let replay = async {
        for _ in 0..3 {
            lambda.replay().await;
        }
    };
    wrong.extend(reruns::changed(lambda, "a replay", replay).await);
    if wrong.is_empty() {
        wrong = reruns::backfilled(lambda).await;
    }
    if wrong.is_empty() && net.log().broken.is_empty() {
        wrong = late::under_a_wrong_model(lambda).await;
    }
    if wrong.is_empty() && net.log().broken.is_empty() {
        wrong = late::old_messages(lambda).await;
    }
    for what in wrong {
        net.broken(what);
    }
}

/// Whether a run over records that another run has handled left a back-reference, and died.
fn is_of_a_dead_duplicate(what: &str) -> bool {
    what.starts_with("1: INSTEP#REF#") && what.ends_with("is left over")
}

/// Promises 1, 4, 7 and 9 of a drained world: what is broken, and how many children may stay.
#[must_use]
pub fn at_rest(net: &Net) -> (Vec<String>, usize) {
    let (pool_groups, pool_users) = net.as_cognito_has_them();
    let (groups, users) = net.groups_and_users();
    let now = net.now();
    let mut watch = net.watch();
    [1, 4, 7, 8, 9].into_iter().for_each(|promise| watch.checked(promise));
    let mut wrong = watch.wrong();
    wrong.extend(watch.lost_subjects());
    wrong.extend(watch.unpublished());
    wrong.extend(watch.unheard());
    wrong.extend(watch.overdue());
    let (left, stay) = belonging(&watch, &BTreeSet::new());
    wrong.extend(left);
    wrong.extend(books(&watch, &BTreeSet::new()));
    wrong.extend(accounts(&watch, &users, &BTreeSet::new(), &BTreeSet::new()));
    wrong.extend(watch.sessions_left(&users));
    wrong.extend(watch.misread(&groups, &users));
    wrong.extend(answers::wrong(&watch, now));
    wrong.extend(tokens::wrong(&watch, &pool_groups, &pool_users, now));
    let others = groups.iter().find(|group| group.name == OTHERS);
    let model = &watch.implied.model;
    // A model may let sweeps remove what no item implies, whoever made it.
    let is_removed = [model.extra_members, model.extra_users].contains(&ExtraPolicy::Remove);
    let is_kept = is_removed
        || others.is_some_and(|group| group.members == [STRANGER])
            && users.iter().any(|user| user.username == STRANGER && user.enabled);
    if !is_kept {
        wrong.push(format!("9: the group of others is {others:?}"));
    }
    (wrong, stay)
}

/// Promise 1: no child of a deleted parent is left, and index keys match their templates. Also how
/// many children may stay.
fn belonging(watch: &Watch, may_stay_by: &BTreeSet<LinkId>) -> (Vec<String>, usize) {
    let rows = watch.implied.rows();
    let must_go = |row: &ImpliedRow, parent: &Parent| {
        let link = watch.implied.model.link(parent.link);
        // If the item knows its parent by an incomplete key and some object matches, the watch
        // cannot tell whether that object is the parent. The child may stay or be deleted.
        let is_one_of_several = !matches!(link.up, ToParent::Key) && watch.implied.exists(&parent.known);
        !may_stay_by.contains(&parent.link)
            && watch.implied.is_deleted(parent)
            && watch.implied.was_linked_before(row, parent)
            && !matches!(link.find, ToDependents::Sweep)
            && !is_one_of_several
    };
    let parents = |row: &ImpliedRow| -> Vec<Parent> {
        row.parents.iter().filter(|parent| must_go(row, parent)).cloned().collect()
    };
    let left = rows.iter().map(|(key, row)| (key, row, parents(row))).filter(|(_, _, parents)| !parents.is_empty());
    let (stay, left): (Vec<_>, Vec<_>) =
        left.partition(|(_, row, parents)| parents.iter().all(|parent| watch.may_stay(row, parent)));
    let left = left.iter().map(|(key, _, _)| format!("1: {} | {} is left, and its parent was deleted", key.pk, key.sk));
    let keys = rows.iter().flat_map(|(key, row)| {
        let names = watch.wrong_index_keys(row).into_iter();
        names.map(move |name| format!("1: {name} of {} | {} is wrong", key.pk, key.sk))
    });
    (left.chain(keys).collect(), stay.len())
}

/// Promises 1, 7 and 8: bookkeeping items are complete, and none is left over but these items of groups.
fn books(watch: &Watch, may_be: &BTreeSet<Key>) -> Vec<String> {
    let (implied, model) = (&watch.implied, &watch.implied.model);
    let mut due: BTreeSet<Key> = BTreeSet::new();
    for row in implied.rows().values() {
        let links =
            model.links_from(row.object.of).filter(|(_, link)| matches!(link.find, ToDependents::BackReference));
        let targets = links.flat_map(|(id, _)| implied.noted_targets(id, &row.object, &row.item));
        due.extend(targets.map(|target| bookkeeping::reference_key(model, &target, &row.object)));
        let addressed = implied.addressed(&row.object).into_iter();
        due.extend(addressed.map(|known| bookkeeping::address(model, &known, &row.object).0));
    }
    let guards = implied.rows().values().filter(|row| row.owner.is_some() && model.item(row.object.of).guard.is_some());
    for guard in guards {
        let waiting: Vec<&Object> = implied.claimants(&guard.object).into_keys().collect();
        let waiting = waiting.into_iter().filter(|owner| guard.owner.as_ref() != Some(*owner));
        due.extend(waiting.map(|owner| bookkeeping::claim_key(model, &guard.object, owner)));
    }
    let is_kind = |key: &Key, kind| BookkeepingKind::of(key) == Some(kind);
    let others = [BookkeepingKind::Tombstone, BookkeepingKind::Account, BookkeepingKind::Limit, BookkeepingKind::Model];
    let is_kept = |key: &&Key| !others.iter().any(|kind| is_kind(key, *kind));
    let there: BTreeSet<Key> = implied.books.keys().filter(is_kept).cloned().collect();
    let (groups_due, groups_allowed) = watch.group_entries();
    let (moments, there): (BTreeSet<Key>, BTreeSet<Key>) =
        there.into_iter().partition(|key| is_kind(key, BookkeepingKind::Due));
    let moments = wrong_moments(watch, &moments);
    let (groups, there): (BTreeSet<Key>, BTreeSet<Key>) =
        there.into_iter().partition(|key| is_kind(key, BookkeepingKind::Group));
    let missing = due.difference(&there).chain(groups_due.difference(&groups));
    let missing = missing.map(|key| format!("1: {} | {} is missing", key.pk, key.sk));
    let left = there.difference(&due).chain(groups.difference(&groups_allowed).filter(|key| !may_be.contains(key)));
    let left = left.map(|key| format!("1: {} | {} is left over", key.pk, key.sk));
    missing.chain(left).chain(moments).collect()
}

/// Promise 1: of each user that Instep made, but for some, one account item says whom it serves, and no account item says
/// anything else. It may say that an account is to be made if nothing can make it: its item asks for something impossible.
/// `begun`: types of which a former model may have begun to delete a user that this one keeps.
fn accounts(watch: &Watch, users: &[UserState], may_be: &BTreeSet<String>, begun: &BTreeSet<TypeId>) -> Vec<String> {
    let marks: BTreeMap<&str, &String> =
        users.iter().filter_map(|user| Some((user.username.as_str(), user.attributes.get(ACCOUNT_MARK)?))).collect();
    let made = users.iter().filter(|user| marks.contains_key(user.username.as_str()));
    let mut made: BTreeMap<String, &str> =
        made.filter_map(|user| Some((user.attributes.get("sub")?.clone(), user.username.as_str()))).collect();
    let mut wrong = Vec::new();
    let is_taken =
        |name: Option<&str>| name.is_some_and(|name| users.iter().any(|user| user.username == watch.called(name)));
    let is_account = |key: &Key| BookkeepingKind::of(key) == Some(BookkeepingKind::Account);
    for (key, item) in watch.implied.books.iter().filter(|(key, _)| is_account(key)) {
        // Much time has passed, and a person has let the deletions go on.
        if let Some(until) = noted(item, "until") {
            wrong.push(format!("1: {} waits until {until}", key.pk));
        }
        match noted(item, "sub") {
            // If no account has the name, people deleted it: what the table implies of the user says whether it is missing.
            Some(sub) if made.remove(sub).is_none() && is_taken(noted(item, "username")) => {
                wrong.push(format!("1: {} says that {sub} serves it, and Instep made no such user", key.pk));
            }
            Some(_) => {}
            None => {
                let model = &watch.implied.model;
                let of = bookkeeping::object(model, item);
                let is_kept = |of: &Object| model.item(of.of).user.as_ref().is_some_and(|user| !user.delete);
                let is_there = of.as_ref().is_some_and(|of| watch.implied.exists(of));
                // The item of a user who is kept may have been deleted before its account was noted: the mark says whose it is.
                let is_kept = !is_there && of.as_ref().is_some_and(is_kept);
                let is_begun = is_kept && of.as_ref().is_some_and(|of| begun.contains(&of.of));
                if noted(item, "old").is_some() && !is_begun || !is_there && !is_kept {
                    wrong.push(format!("1: {} is left over: {item:?}", key.pk));
                }
                let nonce = noted(item, "nonce").unwrap_or_default();
                made.retain(|_, user| !is_kept || !marks.get(user).is_some_and(|mark| mark.ends_with(nonce)));
            }
        }
    }
    let unserved = made.values().filter(|user| !may_be.contains(watch.called(user)));
    wrong.extend(unserved.map(|user| format!("1: no account item says whom {user} serves")));
    wrong
}

/// Promise 1: Instep has noted every moment that is still to come, and no other. It may note those
/// of an item that asks for something impossible.
fn wrong_moments(watch: &Watch, there: &BTreeSet<Key>) -> Vec<String> {
    let (implied, model) = (&watch.implied, &watch.implied.model);
    let (mut due, mut allowed) = (BTreeSet::new(), BTreeSet::new());
    for row in implied.rows().values().filter(|row| !row.is_void) {
        for (at_ms, what) in implied.to_come(row) {
            let kind = MomentKind::ALL.into_iter().find(|kind| kind.word() == what);
            let Some((at, kind)) = jiff::Timestamp::from_millisecond(at_ms).ok().zip(kind) else { continue };
            let key = bookkeeping::due_key(model, &row.object, Moment { at, kind });
            if !row.is_bad {
                due.insert(key.clone());
            }
            allowed.insert(key);
        }
    }
    let missing = due.difference(there).map(|key| format!("1: {} | {} is missing", key.pk, key.sk));
    let left = there.difference(&allowed).map(|key| format!("1: {} | {} is left over", key.pk, key.sk));
    missing.chain(left).collect()
}
