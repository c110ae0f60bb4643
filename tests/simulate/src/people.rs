//! Who writes the table: as people's programs do, over few names, so that they meet. What they write follows from the model file.

use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;

use instep_model::template::base;
use instep_model::{
    CognitoUser, Find, Identity, Item, Key, KeyForm, Link, Model, Names, Object, Roles, Subject, TypeId, Up, Value,
};

use crate::net::{Net, pause};

/// Ids that all names share, so that references lead somewhere.
const IDS: [&str; 3] = ["a", "b", "c"];

/// Roles where the model has no closed set.
const ROLES: [&str; 3] = ["r1", "r2", "r3"];

/// Moments: past, and to come.
const MOMENTS: [&str; 2] = ["2020-01-01T00:00:00Z", "2030-01-01T00:00:00Z"];

/// How often somebody looks for a scene that a design has.
const SCENE_TRIES: usize = 10;

/// Bytes of a fat attribute.
const FAT_BYTES: usize = 380_000;

/// Groups that Cognito has room for of one user. Source: Amazon Cognito Developer Guide, Quotas.
const GROUPS_OF_USER_MAX: usize = 100;

/// In what no event, no log and no group may show.
pub const SECRET: &str = "SECRET";

/// In what only the table and a parked record may show: an attribute that the model does not name.
pub const UNNAMED: &str = "UNNAMED";

/// One writer's life.
pub async fn write(net: &Net, times: usize) {
    let writer = Writer { net, model: &net.model };
    for _ in 0..times {
        match net.chance.below(100) {
            0..3 => grant_again(net).await,
            3..12 => drop(on_and_off(net).await),
            12..14 => drop(held_twice(net).await),
            _ => {}
        }
        for (key, item) in writer.once() {
            net.write(key, item);
            // Two writes of one thought, and somebody between them.
            match net.chance.below(20) {
                0..4 => pause(net, 200).await,
                // Long enough for what came first to be settled.
                4 => pause(net, 6_000).await,
                _ => {}
            }
        }
        // Some write in one go.
        if !net.chance.of_thousand(300) {
            pause(net, 800).await;
        }
    }
}

/// The life of a writer of a crowded world: so many times it does what only comes to something where much of it happens at the same
/// moment. Whether it wrote at the worst moment, so that nobody should write after it and mend what came of it.
pub async fn write_scenes(net: &Net, times: usize) -> bool {
    for _ in 0..times {
        for _ in 0..SCENE_TRIES {
            match scene(net).await {
                Some(true) => {
                    // What was written last is handled before what is held lands, or after it.
                    pause(net, 4_000).await;
                    return true;
                }
                Some(false) => break,
                None => {}
            }
        }
    }
    // Where nothing worse came of it.
    for _ in 0..SCENE_TRIES {
        let scene = if net.chance.of_thousand(500) { shown_late(net).await } else { muted_and_back(net).await };
        if let Some(is_worst) = scene {
            pause(net, 4_000).await;
            return is_worst;
        }
    }
    false
}

/// One scene; none where the design has not what it is about.
async fn scene(net: &Net) -> Option<bool> {
    match net.chance.below(34) {
        0..2 => on_and_off(net).await,
        2 => held_twice(net).await,
        3..5 => held_again(net).await,
        5..8 => contended(net).await,
        8..11 => needed_and_gone(net).await,
        11..13 => last_and_again(net).await,
        13..15 => brought_together(net).await,
        15..17 => job_and_revocation(net).await,
        17..19 => needed_and_new(net).await,
        19..21 => taken_and_back(net).await,
        21..23 => taken_late(net).await,
        23..26 => made_and_changed(net).await,
        26..29 => deleted_late(net).await,
        29..31 => undone_and_back(net).await,
        31..33 => released_late(net).await,
        _ => garbage_and_gone(net).await,
    }
}

/// Somebody writes a parent with so many children, before them or after, and may delete it.
pub async fn write_wide(net: &Net, children: usize) {
    let writer = Writer { net, model: &net.model };
    let has_user = |of: TypeId| net.model.item(of).user.is_some();
    let has_room = |link: &Link| {
        children <= GROUPS_OF_USER_MAX || net.model.item(link.from).member.is_none() || !has_user(link.to)
    };
    let is_wide = |link: &&Link| {
        (link.goes || link.needed) && link.takes.is_none() && !writer.is_guard(link.from) && has_room(link)
    };
    let Some(link) = writer.one(&net.model.links.iter().filter(is_wide).collect::<Vec<_>>()) else { return };
    let Some((key, parent)) = writer.place(link.to, &Names::new()) else { return };
    let item = writer.item(&key, &parent, None);
    let is_first = writer.often(500);
    if is_first {
        net.write(key.clone(), Some(item.clone()));
    }
    for place in 0..children {
        let mut given = back_to(link, &parent);
        for name in net.model.key_order(link.from) {
            given.entry(name.to_owned()).or_insert_with(|| format!("w{place}"));
        }
        for (key, item) in writer.fresh(link.from, &given) {
            net.write(key, item);
        }
    }
    pause(net, 2_000).await;
    if !is_first {
        net.write(key.clone(), Some(item));
        pause(net, 6_000).await;
    }
    if link.goes && writer.often(800) {
        net.write(key, None);
    }
}

/// Something and what it hangs on go and come and change, as fast as they are handled.
async fn on_and_off(net: &Net) -> Option<bool> {
    let writer = Writer { net, model: &net.model };
    let mut there = writer.there();
    there.retain(|(_, object, _)| !writer.is_guard(object.of));
    let one = writer.one(&there)?;
    let hangs_on = |child: &(Key, Object, Item), parent: &Object| {
        let mut links = net.model.links_from(child.1.of);
        links.any(|(id, _)| net.watch().implied.target(id, &child.1, &child.2).as_ref() == Some(parent))
    };
    there.retain(|other| hangs_on(other, &one.1) || hangs_on(&one, &other.1));
    let some = [Some(one), writer.one(&there)].map(Vec::from_iter).concat();
    for _ in 0..2 + net.chance.below(5) {
        let (key, object, item) = writer.one(&some)?;
        let next = writer.other_way(&key, &object, &item, || writer.often(300));
        net.write(key, next);
        pause(net, 400).await;
    }
    Some(false)
}

/// Two want the same unique values, now the one with more right to them and now the other.
async fn contended(net: &Net) -> Option<bool> {
    let writer = Writer { net, model: &net.model };
    let Rivals { rows: mut two, names, rights } = writer.rivals(2)?;
    for _ in 0..3 + net.chance.below(5) {
        let place = net.chance.below(two.len());
        let (key, item) = two.get_mut(place)?;
        if let Some((name, value)) = writer.one(&rights)
            && item.remove(&name).is_none()
        {
            item.insert(name, value);
        }
        let mut now = item.clone();
        if let Some(name) = writer.one(&names).filter(|_| writer.often(200)) {
            now.remove(&name);
        }
        let goes = writer.often(200) && writer.item_at(key).is_some();
        net.write(key.clone(), (!goes).then_some(now));
        settled_or_not(net).await;
    }
    let Some((right, value)) = writer.one(&rights).filter(|_| writer.often(500)) else { return Some(false) };
    // In the end each has the right to it, one after the other, and the first loses it.
    two.iter_mut().for_each(|(_, item)| drop(item.insert(right.clone(), value.clone())));
    for (key, item) in &two {
        net.write(key.clone(), Some(item.clone()));
        tokio::time::sleep(SETTLED).await;
    }
    let (key, mut item) = two.swap_remove(0);
    item.remove(&right);
    net.write(key.clone(), Some(item.clone()));
    // What else it has changes while the value is taken from it.
    if !net.ambush(&["TransactWriteItems"]).await {
        return Some(false);
    }
    writer.one(&names).into_iter().for_each(|name| drop(item.remove(&name)));
    net.write(key, Some(item));
    Some(writer.often(500))
}

/// One gives up a value for which a stronger one waits, and a weak one comes through another shard and takes it before that is handled.
async fn released_late(net: &Net) -> Option<bool> {
    let writer = Writer { net, model: &net.model };
    let Rivals { mut rows, names, rights } = writer.rivals(3)?;
    if rights.is_empty() {
        return None;
    }
    let is_apart = |(one, other): (&Row, &Row)| net.table().are_apart(&one.0.pk, &other.0.pk);
    let place = rows.iter().position(|row| rows.first().is_some_and(|first| is_apart((first, row))))?;
    let (weak, mut item) = rows.swap_remove(place);
    net.write(weak.clone(), None);
    for (key, item) in &mut rows {
        item.extend(rights.iter().cloned());
        net.write(key.clone(), Some(item.clone()));
        tokio::time::sleep(SETTLED).await;
    }
    let (holder, mut without) = rows.swap_remove(0);
    names.iter().for_each(|name| drop(without.remove(name)));
    net.write(holder, writer.often(500).then_some(without));
    if !net.hold(&["TransactWriteItems"], Duration::from_secs(3)).await {
        return Some(false);
    }
    rights.iter().for_each(|(name, _)| drop(item.remove(name)));
    net.write(weak, Some(item));
    Some(true)
}

/// Long enough for what was written to be settled, or not.
async fn settled_or_not(net: &Net) {
    if net.chance.of_thousand(500) {
        tokio::time::sleep(SETTLED).await;
    } else {
        pause(net, 600).await;
    }
}

/// Somebody writes what nobody should, perhaps more of it than a message holds, and takes it away; meanwhile nothing may be parked.
async fn garbage_and_gone(net: &Net) -> Option<bool> {
    let writer = Writer { net, model: &net.model };
    let mut garbage = writer.garbage();
    let is_fat = writer.often(100);
    for item in garbage.iter_mut().filter_map(|(_, item)| item.as_mut()).filter(|_| is_fat) {
        fatten(item, "note");
    }
    garbage.iter().for_each(|(key, item)| net.write(key.clone(), item.clone()));
    if writer.often(300) {
        net.breaks("SendMessageBatch", Duration::from_secs(60));
    }
    settled_or_not(net).await;
    if writer.often(500) {
        for (key, item) in &garbage {
            let more = Item::from([("more".to_owned(), Value::Bool(true))]);
            net.write(key.clone(), item.clone().map(|item| item.into_iter().chain(more).collect()));
        }
        settled_or_not(net).await;
    }
    let is_any = !garbage.is_empty();
    garbage.into_iter().for_each(|(key, _)| net.write(key, None));
    is_any.then_some(false)
}

/// Something gives, or waits, and what it needs comes and goes at the same moment.
async fn needed_and_gone(net: &Net) -> Option<bool> {
    let writer = Writer { net, model: &net.model };
    let (object, (key, item), needed) = writer.giving()?;
    let one = writer.one(&needed)?;
    // It waits, or what it needs is there, or neither is.
    let (waits, is_new) = (writer.often(400), writer.often(300));
    for (key, item) in needed.into_iter().filter(|other| *other != one) {
        net.write(key, Some(item));
    }
    net.write(one.0.clone(), (!waits && !is_new).then(|| one.1.clone()));
    net.write(key.clone(), waits.then(|| item.clone()));
    tokio::time::sleep(SETTLED).await;
    let mut next = usize::from(waits);
    if is_new {
        net.write(one.0.clone(), Some(one.1.clone()));
    }
    let both = [(key, item), one];
    let mut is_over = false;
    for _ in 0..2 + net.chance.below(4) {
        let Some((key, item)) = both.get(next) else { break };
        let is_changed = next == 0 && writer.often(200);
        let is_full = waits && writer.often(200);
        if is_full {
            net.fill();
        }
        net.write(key.clone(), writer.other_way(key, &object, item, || is_changed));
        if is_over || is_full {
            is_over |= writer.often(500);
            break;
        }
        // Others come in the same batch, for which something may fail.
        if writer.often(200) {
            let mut alike = object.names.clone();
            alike.retain(|_, _| writer.often(700));
            writer.fresh(object.of, &alike).into_iter().for_each(|(key, item)| net.write(key, item));
        }
        // At any moment, or at the worst, when perhaps the change's own run is over.
        if writer.often(500) {
            pause(net, 1_000).await;
        }
        if writer.often(700) {
            is_over = net.ambush(&GIVING_AND_TAKING).await && writer.often(300);
        }
        next = net.chance.below(2);
    }
    Some(is_over)
}

/// Two who wait are brought what waits for them in one batch, and the first loses it at that moment.
async fn brought_together(net: &Net) -> Option<bool> {
    let writer = Writer { net, model: &net.model };
    let mut places = (0..10).filter_map(|_| writer.place_where(|of| writer.gives(of)));
    let (key, object) = places.next()?;
    let Some((other_key, other)) = places.find(|(_, other)| other.of == object.of && *other != object) else {
        return Some(false);
    };
    let mut last = Vec::new();
    let place = net.chance.below(2);
    for (key, object) in [(&key, &object), (&other_key, &other)] {
        let item = writer.item(key, object, None);
        for (number, (needed, item)) in writer.needed(object, &item).enumerate() {
            net.write(needed.clone(), (number != place).then(|| item.clone()));
            last.extend((number == place).then_some((needed, item)));
        }
        net.write(key.clone(), Some(item));
    }
    tokio::time::sleep(SETTLED).await;
    last.into_iter().for_each(|(key, item)| net.write(key, Some(item)));
    if !net.ambush(&["AdminAddUserToGroup"]).await {
        return Some(false);
    }
    // Longer than anybody tries: than any invocation has.
    net.breaks("AdminRemoveUserFromGroup", Duration::from_secs(400));
    net.write(key, None);
    Some(writer.often(500))
}

/// Something gives as soon as what it needs comes, makes a user or a group for it, and what it needs goes at that moment.
async fn needed_and_new(net: &Net) -> Option<bool> {
    const MAKING: [&str; 2] = ["CreateGroup", "AdminCreateUser"];
    let writer = Writer { net, model: &net.model };
    let (own, needed, one) = (0..5).find_map(|_| writer.apart())?;
    let (key, item) = own;
    net.write(key.clone(), None);
    writer.write_all_but(&one.0, needed);
    tokio::time::sleep(SETTLED).await;
    net.write(one.0.clone(), Some(one.1.clone()));
    net.write(key, Some(item));
    // The one that makes it for its own item, and the one that makes it on demand, in either order.
    let are_both = writer.often(500);
    if !net.ambush(&MAKING).await || are_both && !net.ambush(&MAKING).await {
        return Some(false);
    }
    if writer.often(300) {
        net.breaks("AdminAddUserToGroup", Duration::from_secs(8));
    }
    let changed = match net.model.identify(&one.0) {
        Identity::Item { object, .. } if writer.often(400) => Some(writer.item(&one.0, &object, Some(&one.1))),
        Identity::Item { .. } | Identity::Unknown { .. } | Identity::Bookkeeping => None,
    };
    net.write(one.0, changed);
    Some(writer.often(700))
}

/// What gives is written before what it needs comes, or comes back, and finds it through an index that need not show it yet.
async fn shown_late(net: &Net) -> Option<bool> {
    let writer = Writer { net, model: &net.model };
    let (object, (key, item), needed) = writer.giving()?;
    let by_index =
        net.model.links_from(object.of).filter(|(_, link)| link.needed && matches!(link.find, Find::Index { .. }));
    let (id, _) = writer.one(&by_index.collect::<Vec<_>>())?;
    let late = writer.key_of(&net.watch().implied.target(id, &object, &item)?)?;
    let late_item = writer.item_at(&late).or_else(|| Some(needed.iter().find(|row| row.0 == late)?.1.clone()))?;
    let comes_back = writer.often(500);
    net.write(key.clone(), None);
    for (key, item) in needed {
        let is_there = key != late || comes_back;
        net.write(key, is_there.then_some(item));
    }
    tokio::time::sleep(SETTLED).await;
    if comes_back {
        // Its own run gives, and then it has nobody to give to.
        net.write(late.clone(), None);
        pause(net, 800).await;
        net.write(late.clone(), Some(late_item.clone()));
        net.write(key, Some(item));
        pause(net, 300).await;
        net.write(late.clone(), None);
    } else {
        net.write(key, Some(item));
    }
    pause(net, 600).await;
    net.write(late, Some(late_item));
    Some(writer.often(700))
}

/// What gives nothing while a parent is gone is found so by a run for another, and the parent is back before it takes that along.
async fn muted_and_back(net: &Net) -> Option<bool> {
    let writer = Writer { net, model: &net.model };
    let (object, own, needed) = writer.giving()?;
    let links = || net.model.links_from(object.of);
    let (id, link) = writer.one(&links().filter(|(_, link)| link.goes && !link.needed).collect::<Vec<_>>())?;
    let (to_user, user_link) = links().find(|(_, link)| link.needed && net.model.item(link.to).user.is_some())?;
    let target = |id| net.watch().implied.target(id, &object, &own.1);
    let (user, parent) = (target(to_user)?, target(id)?);
    let subject = writer.key_of(&user)?;
    let (key, parent) = writer.place(link.to, &parent.names)?;
    let item = writer.item(&key, &parent, None);
    // One that was gone before, and another that gives to the same user.
    for is_there in [true, false, true] {
        net.write(key.clone(), is_there.then(|| item.clone()));
        tokio::time::sleep(SETTLED).await;
    }
    let more = || writer.place(object.of, &back_to(user_link, &user));
    let (more_key, more) = (0..5).find_map(|_| more().filter(|(key, _)| *key != own.0))?;
    let more_item = writer.item(&more_key, &more, None);
    let needed_more: Vec<_> = writer.needed(&more, &more_item).collect();
    for (key, item) in needed.into_iter().chain(needed_more).chain([(more_key, more_item), own]) {
        net.write(key, Some(item));
    }
    net.write(key.clone(), Some(item.clone()));
    tokio::time::sleep(SETTLED).await;
    net.write(key.clone(), None);
    let is_held = net.hold(&["TransactWriteItems"], Duration::from_secs(2)).await;
    net.wants_again(subject);
    pause(net, 1_500).await;
    net.write(key, Some(item));
    Some(is_held && writer.often(700))
}

/// What was given by a run is taken back by it, for something went, and is right again by then.
async fn taken_and_back(net: &Net) -> Option<bool> {
    let writer = Writer { net, model: &net.model };
    let (own, needed, one) = (0..5).find_map(|_| writer.apart())?;
    // What comes gives, and the other goes and comes back.
    let (comes, goes) = if writer.often(500) { (one, own) } else { (own, one) };
    for (key, item) in needed.into_iter().chain([goes.clone()]) {
        net.write(key, Some(item));
    }
    net.write(comes.0.clone(), None);
    tokio::time::sleep(SETTLED).await;
    // It may have gone along.
    net.write(goes.0.clone(), Some(goes.1.clone()));
    tokio::time::sleep(SETTLED).await;
    net.write(comes.0, Some(comes.1));
    if !net.ambush(&["AdminAddUserToGroup"]).await {
        return Some(false);
    }
    net.write(goes.0.clone(), None);
    // Its own run is over by then.
    tokio::time::sleep(Duration::from_secs(1)).await;
    if !net.ambush(&["AdminRemoveUserFromGroup"]).await {
        return Some(false);
    }
    net.write(goes.0, Some(goes.1));
    Some(writer.often(700))
}

/// What something brought is taken back for it went, so late that it came anew meanwhile, and its own run has given; or that fails for longer
/// than a call is tried.
async fn taken_late(net: &Net) -> Option<bool> {
    let writer = Writer { net, model: &net.model };
    let ((key, item), needed, one) = (0..5).find_map(|_| writer.apart())?;
    net.write(key.clone(), Some(item.clone()));
    writer.write_all_but(&one.0, needed);
    tokio::time::sleep(SETTLED).await;
    net.write(one.0, Some(one.1));
    if !net.hold(&["AdminAddUserToGroup"], Duration::from_secs(3)).await {
        return Some(false);
    }
    net.write(key.clone(), None);
    // Its own run is over by then.
    tokio::time::sleep(Duration::from_secs(2)).await;
    match writer.below(4) {
        0 => net.breaks("AdminRemoveUserFromGroup", Duration::from_secs(30)),
        1 => {
            net.breaks("AdminRemoveUserFromGroup", Duration::from_secs(120));
            tokio::time::sleep(2 * SETTLED).await;
            net.write(key, Some(item));
        }
        _ => {
            if !net.hold(&["AdminRemoveUserFromGroup"], Duration::from_secs(4)).await {
                return Some(false);
            }
            net.write(key, Some(item));
        }
    }
    Some(true)
}

/// A record of old is run again and deletes what it brought, which comes anew at that moment and gives something else.
async fn deleted_late(net: &Net) -> Option<bool> {
    let writer = Writer { net, model: &net.model };
    let has_own = |of: TypeId| {
        let ty = net.model.item(of);
        ty.user.is_some() && ty.member.is_some()
    };
    let (key, object) = writer.place_where(has_own)?;
    let item = || writer.item(&key, &object, None);
    let needed: Vec<_> = writer.needed(&object, &item()).filter(|(needed, _)| *needed != key).collect();
    for (key, item) in needed.into_iter().chain([(key.clone(), item())]) {
        net.write(key, Some(item));
    }
    tokio::time::sleep(SETTLED).await;
    net.write(key.clone(), None);
    tokio::time::sleep(SETTLED).await;
    net.wants_again(key.clone());
    if !net.hold(&["AdminDeleteUser"], Duration::from_secs(3)).await {
        return Some(false);
    }
    net.write(key.clone(), Some(item()));
    // Its own run is over by then.
    tokio::time::sleep(Duration::from_secs(2)).await;
    if writer.often(500) && net.hold(&["AdminAddUserToGroup"], Duration::from_secs(3)).await {
        net.write(key.clone(), Some(item()));
    }
    Some(true)
}

/// A user goes while he gets something, for which he is made on demand; he comes back while that is undone, and something of it fails.
async fn undone_and_back(net: &Net) -> Option<bool> {
    let writer = Writer { net, model: &net.model };
    let of_user = |all: &(Row, Vec<Row>, Row)| writer.user_at(&all.2.0).is_some();
    let ((own, item), needed, (key, user)) = (0..20).find_map(|_| writer.apart().filter(of_user))?;
    net.write(own.clone(), None);
    needed.into_iter().for_each(|(key, item)| net.write(key, Some(item)));
    // He has more than that.
    let Identity::Item { object, .. } = net.model.identify(&key) else { return None };
    let giving: Vec<_> =
        net.model.links_to(object.of).map(|(_, link)| link).filter(|link| writer.gives(link.from)).collect();
    for _ in 0..3 {
        let link = writer.one(&giving)?;
        let Some((key, other)) = writer.place(link.from, &back_to(link, &object)).filter(|(key, _)| *key != own) else {
            continue;
        };
        let item = writer.item(&key, &other, None);
        for (key, item) in writer.needed(&other, &item).chain([(key, item.clone())]) {
            net.write(key, Some(item));
        }
    }
    tokio::time::sleep(SETTLED).await;
    net.write(own, Some(item));
    if !net.hold(&["AdminAddUserToGroup"], Duration::from_secs(3)).await {
        return Some(false);
    }
    net.write(key.clone(), None);
    // Its own run is over by then.
    tokio::time::sleep(Duration::from_secs(2)).await;
    // That he was made again may not be heard.
    if writer.often(300) {
        return Some(net.lose_answer(&["AdminCreateUser"]).await);
    }
    if writer.often(700) {
        net.breaks("AdminRemoveUserFromGroup", Duration::from_secs(60));
    }
    // That which fails is tried before.
    for _ in 0..4 {
        if net.hold(&["AdminDeleteUser"], Duration::from_secs(4)).await {
            net.write(key, Some(user));
            return Some(true);
        }
    }
    Some(false)
}

/// A user is made for a member by a run that looked at its item before that changed, whose own run is over by then.
async fn made_and_changed(net: &Net) -> Option<bool> {
    let writer = Writer { net, model: &net.model };
    let of_user = |(own, needed, (key, item)): (Row, Vec<Row>, Row)| {
        let disabled = &writer.user_at(&key).filter(|user| !user.disabled.is_empty())?.disabled;
        Some((own, needed, (key, item), disabled))
    };
    let Some(((own, item), needed, (key, mut enabled), disabled)) =
        (0..20).find_map(|_| writer.apart().and_then(of_user))
    else {
        return Some(false);
    };
    disabled.iter().for_each(|(name, _)| drop(enabled.remove(name)));
    let off = enabled.clone().into_iter().chain(disabled.iter().cloned()).collect();
    let goes_on = writer.often(500);
    let (was, is) = if goes_on { (off, enabled) } else { (enabled, off) };
    net.write(own.clone(), None);
    writer.write_all_but(&key, needed);
    tokio::time::sleep(SETTLED).await;
    net.write(key.clone(), Some(was));
    // The item's own run, so that the member's makes the user.
    if !net.hold(&["AdminCreateUser"], Duration::from_millis(1_500)).await {
        return Some(false);
    }
    net.write(own, Some(item));
    let how_late = Duration::from_secs(4);
    if goes_on {
        let is_held = net.hold(&["AdminDisableUser"], how_late).await;
        net.write(key, Some(is));
        return Some(is_held);
    }
    if !net.hold_answer(&["AdminAddUserToGroup"], how_late).await {
        return Some(false);
    }
    net.write(key, Some(is));
    tokio::time::sleep(SETTLED).await;
    // Whoever enables the user now has an old look, and nobody comes after it.
    Some(net.crash_after(&["AdminEnableUser"]).await)
}

/// What needs another pass comes back, and somebody loses what he has, in the batch in which that pass begins.
async fn job_and_revocation(net: &Net) -> Option<bool> {
    let writer = Writer { net, model: &net.model };
    let has_last_pass = |of: TypeId| {
        let mut links = net.model.links_to(of).map(|(_, link)| link);
        links.any(|link| link.goes && (matches!(link.find, Find::Index { .. }) || matches!(link.up, Up::Index { .. })))
    };
    let mut all = Vec::new();
    for _ in 0..2 {
        let (_, (key, item), needed) = writer.giving()?;
        for (key, item) in needed.iter().cloned().chain([(key.clone(), item.clone())]) {
            net.write(key, Some(item));
        }
        all.push((key, item, needed));
    }
    let [(key, item, needed), (other, ..)] = all.as_slice() else { return None };
    let of = |key: &Key| net.watch().implied.rows().get(key).map(|row| row.object.of);
    let passes: Vec<_> = needed.iter().filter(|(key, _)| of(key).is_some_and(has_last_pass)).cloned().collect();
    let (parent, back) = writer.one(&passes)?;
    tokio::time::sleep(2 * SETTLED).await;
    net.write(parent.clone(), None);
    // The tombstone, and then the job under it.
    if !net.ambush(&["PutItem"]).await || !net.ambush(&["PutItem"]).await {
        return Some(false);
    }
    net.breaks("AdminRemoveUserFromGroup", Duration::from_secs(10));
    net.write(other.clone(), None);
    net.write(parent, Some(back));
    net.write(key.clone(), Some(item.clone()));
    Some(writer.often(500))
}

/// The last grant of a subject goes; the subject goes, or another grant comes, or both, at the same moment.
async fn last_and_again(net: &Net) -> Option<bool> {
    let writer = Writer { net, model: &net.model };
    let (key, object) = writer.place_where(|of| writer.has_last(of))?;
    let Some(Subject::Link(link)) = net.model.item(object.of).grant.as_ref().map(|grant| &grant.subject) else {
        return Some(false);
    };
    let subject = |object: &Object, item: &Item| net.watch().implied.target(*link, object, item);
    let item = writer.item(&key, &object, None);
    let of = subject(&object, &item)?;
    let needed: Vec<_> = writer.needed(&object, &item).collect();
    for (key, item) in needed.into_iter().chain([(key.clone(), item.clone())]) {
        net.write(key, Some(item));
    }
    let mut others = writer.there();
    others.retain(|(other, object, item)| {
        *other != key && writer.has_last(object.of) && subject(object, item).as_ref() == Some(&of)
    });
    others.into_iter().for_each(|(key, ..)| net.write(key, None));
    let own = || {
        let mut keys = net.model.keys(&of).ok()?.into_iter();
        keys.find_map(|key| writer.item_at(&key).map(|item| (key, item)))
    };
    // The subject may get what it had not.
    let gets = own().filter(|_| writer.often(300)).and_then(|(own, full)| Some((own, writer.bare(&of, &full)?, full)));
    if let Some((own, bare, _)) = &gets {
        net.write(own.clone(), Some(bare.clone()));
    }
    tokio::time::sleep(2 * SETTLED).await;
    net.write(key.clone(), None);
    if let Some((own, _, full)) = gets {
        let is_held = net.hold(&["TransactWriteItems"], Duration::from_secs(3)).await;
        net.write(own, Some(full));
        net.write(key, Some(item));
        return Some(is_held);
    }
    if writer.often(200) {
        // The grant is back before the subject is deleted, and the answer to that is lost.
        let is_near = net.ambush(&["AdminListGroupsForUser"]).await;
        net.write(key, Some(item));
        return Some(is_near && net.lose_answer(&["TransactWriteItems"]).await);
    }
    let is_over = if writer.often(500) {
        // The call before that which deletes the subject, and then that.
        net.ambush(&["AdminListGroupsForUser"]).await && net.ambush(&["TransactWriteItems"]).await && writer.often(300)
    } else {
        pause(net, 1_200).await;
        false
    };
    if let Some((own, _)) = own().filter(|_| writer.often(600)) {
        net.write(own, None);
        pause(net, 200).await;
    }
    net.write(key, Some(item));
    Some(is_over)
}

/// What goes with the last of its parents has two, and loses one or both.
async fn held_twice(net: &Net) -> Option<bool> {
    let parents = parents_of_one(net, 1);
    let has_any = !parents.is_empty();
    for parent in parents {
        pause(net, 8_000).await;
        net.write(parent, None);
        if net.chance.of_thousand(500) {
            break;
        }
    }
    has_any.then_some(false)
}

/// What goes with the last of its parents loses both, and one comes back at that moment.
async fn held_again(net: &Net) -> Option<bool> {
    let writer = Writer { net, model: &net.model };
    let parents: Vec<_> =
        parents_of_one(net, 10).into_iter().filter_map(|key| Some((key.clone(), writer.item_at(&key)?))).collect();
    if parents.is_empty() {
        return None;
    }
    tokio::time::sleep(SETTLED).await;
    parents.iter().for_each(|(key, _)| net.write(key.clone(), None));
    // The call that looks for what goes, and then that which deletes it.
    if !net.ambush(&["Query"]).await || !net.ambush(&["TransactWriteItems"]).await {
        return Some(false);
    }
    writer.one(&parents).into_iter().for_each(|(key, item)| net.write(key, Some(item)));
    Some(writer.often(800))
}

/// The parents of something that goes with the last of them, which is there, and so are they: two, where so many tries find one that
/// can have two.
fn parents_of_one(net: &Net, tries: usize) -> Vec<Key> {
    let writer = Writer { net, model: &net.model };
    let mut parents = Vec::new();
    let takes = net.model.links.iter().filter_map(|link| Some((link, net.model.link(link.takes?))));
    let Some((up, down)) = writer.one(&takes.collect::<Vec<_>>()) else { return parents };
    let families = (0..tries).filter_map(|_| {
        let (_, child) = writer.place(down.to, &Names::new())?;
        // Not every place will do, and some are the same.
        let edges = (0..10).filter_map(|_| Some(writer.place(up.from, &back_to(down, &child))?.1));
        Some((edges.collect::<BTreeSet<_>>(), child))
    });
    let Some((edges, child)) = families.max_by_key(|(edges, _)| edges.len().min(2)) else { return parents };
    for edge in edges.into_iter().take(2) {
        for object in writer.ends(&edge).into_iter().flatten().chain([edge]) {
            let Some(key) = writer.key_of(&object) else { continue };
            if writer.item_at(&key).is_none() {
                net.write(key.clone(), Some(writer.item(&key, &object, None)));
            }
            parents.extend((object.of == up.to && object != child).then_some(key));
        }
    }
    parents
}

/// An attribute with as much as an item holds, which holds no more than one such. In JSON a quotation mark is two, and a record with
/// two such images no message; events do not show a note.
fn fatten(item: &mut Item, name: &str) {
    item.retain(|_, value| value.as_s().is_none_or(|text| text.len() < FAT_BYTES));
    let letter = if name == "note" { "\"" } else { "x" };
    item.insert(name.to_owned(), Value::S(letter.repeat(FAT_BYTES)));
}

/// The names of a child's key that lead back to a parent.
fn back_to(link: &Link, parent: &Object) -> Names {
    let names = link.names.iter().filter_map(|(name, text)| {
        let own = text.names().next()?;
        Some((own.to_owned(), parent.names.get(name)?.clone()))
    });
    names.collect()
}

/// Somebody revokes a grant that may be the last, and grants it anew.
pub async fn grant_again(net: &Net) {
    let writer = Writer { net, model: &net.model };
    let grants: Vec<_> = writer.there().into_iter().filter(|(_, object, _)| writer.has_last(object.of)).collect();
    let Some((key, _, item)) = writer.one(&grants) else { return };
    net.write(key.clone(), None);
    pause(net, 1_500).await;
    net.write(key, Some(item));
}

/// Names of groups that items ask for, and that somebody else made before.
pub fn groups_alike(net: &Net) -> Vec<String> {
    let writer = Writer { net, model: &net.model };
    let types = (0..net.model.items.len()).map(TypeId).filter(|of| net.model.item(*of).groups.is_some());
    let objects = types.filter(|_| writer.often(200)).filter_map(|of| Some(writer.place(of, &Names::new())?.1));
    objects.filter_map(|object| net.watch().implied.groups(&object).into_iter().next()).collect()
}

/// Deletes what is garbage, so that its records can be settled.
pub fn tidy(net: &Net) {
    let garbage: Vec<Key> = net.watch().implied.garbage().cloned().collect();
    for key in garbage {
        net.write(key, None);
    }
}

/// Longer than it takes until a write is settled, most of the time.
const SETTLED: Duration = Duration::from_secs(3);

/// The calls that give something or take it away.
const GIVING_AND_TAKING: [&str; 6] = [
    "CreateGroup",
    "AdminCreateUser",
    "AdminAddUserToGroup",
    "AdminRemoveUserFromGroup",
    "DeleteGroup",
    "AdminDeleteUser",
];

type Writes = Vec<(Key, Option<Item>)>;

type Row = (Key, Item);

/// Several who want the same unique values.
struct Rivals {
    rows: Vec<Row>,
    /// Attributes of which the values are made.
    names: Vec<String>,
    /// Attributes with which one takes a value from another.
    rights: Vec<(String, Value)>,
}

struct Writer<'a> {
    net: &'a Net,
    model: &'a Model,
}

impl Writer<'_> {
    fn below(&self, end: usize) -> usize {
        self.net.chance.below(end)
    }

    fn often(&self, thousandths: usize) -> bool {
        self.net.chance.of_thousand(thousandths)
    }

    fn one<T: Clone>(&self, of: &[T]) -> Option<T> {
        self.net.chance.pick(of).cloned()
    }

    /// What is there, of people's.
    fn there(&self) -> Vec<(Key, Object, Item)> {
        let watch = self.net.watch();
        let rows = watch.implied.rows().iter();
        rows.map(|(key, row)| (key.clone(), row.object.clone(), row.item.clone())).collect()
    }

    fn item_at(&self, key: &Key) -> Option<Item> {
        self.net.watch().implied.rows().get(key).map(|row| row.item.clone())
    }

    fn once(&self) -> Writes {
        let there = self.there();
        let picked = self.one(&there);
        match (self.below(100), picked) {
            (0..3, _) => self.garbage(),
            (3..6, Some((_, object, _))) => self.all_of(&object, &there),
            (6..25, Some((key, object, _))) if !self.is_guard(object.of) => vec![(key, None)],
            // A guard goes by hand only now and then.
            (6..8, Some((key, ..))) => vec![(key, None)],
            (25..45, Some((key, object, item))) => self.changed(key, &object, item),
            (45..50, Some((_, object, item))) => self.values_moved(&object, &item, &there),
            // The same again, which leaves no record.
            (50..53, Some((key, _, item))) => vec![(key, Some(item))],
            (53..60, Some((key, object, _))) => self.gone_while_children_come(key, &object),
            (60..65, Some((key, object, item))) => self.elsewhere(key, &object, &item),
            (65..75, _) => self.whole(),
            (_, _) => self.something(),
        }
    }

    /// What an item needs, whether it is there or not.
    fn needed(&self, object: &Object, item: &Item) -> impl Iterator<Item = (Key, Item)> {
        let links = self.model.links_from(object.of);
        let targets: Vec<_> = links.filter_map(|(id, _)| self.net.watch().implied.target(id, object, item)).collect();
        targets.into_iter().filter_map(|needed| {
            let key = self.key_of(&needed)?;
            let item = self.item_at(&key).unwrap_or_else(|| self.item(&key, &needed, None));
            Some((key, item))
        })
    }

    /// The first of the keys that an object may have.
    fn key_of(&self, object: &Object) -> Option<Key> {
        self.model.keys(object).ok()?.into_iter().next()
    }

    /// What is there goes or changes, and what is not there comes.
    fn other_way(&self, key: &Key, object: &Object, item: &Item, is_changed: impl FnOnce() -> bool) -> Option<Item> {
        match self.item_at(key) {
            Some(now) if is_changed() => Some(self.item(key, object, Some(&now))),
            Some(_) => None,
            None => Some(item.clone()),
        }
    }

    /// Something that gives, its item, and all that it needs.
    fn giving(&self) -> Option<(Object, Row, Vec<Row>)> {
        let (key, object) = self.place_where(|of| self.gives(of))?;
        let item = self.item(&key, &object, None);
        let needed = self.needed(&object, &item).collect();
        Some((object, (key, item), needed))
    }

    /// Something that gives, all that it needs, and one of those, which comes through another shard.
    fn apart(&self) -> Option<(Row, Vec<Row>, Row)> {
        let (_, own, needed) = self.giving()?;
        let is_apart = |(other, _): &&Row| self.net.table().are_apart(&own.0.pk, &other.pk);
        let one = self.one(&needed.iter().filter(is_apart).cloned().collect::<Vec<_>>())?;
        Some((own, needed, one))
    }

    /// So many of a type who want the same unique values.
    fn rivals(&self, count: usize) -> Option<Rivals> {
        let guards = self.model.items.iter().filter_map(|ty| ty.guard.as_ref());
        let guard = self.one(&guards.collect::<Vec<_>>())?;
        let places = (0..10 * count).filter_map(|_| self.place(guard.owner, &Names::new()));
        let mut places = places.map(|(key, object)| (object, key)).collect::<BTreeMap<_, _>>().into_iter();
        let (first, key) = places.next()?;
        let mut item = self.item(&key, &first, None);
        item.extend(guard.claims.iter().flat_map(|claim| claim.when.clone()));
        let templates = guard.claims.iter().flat_map(|claim| claim.names.values());
        let mut names = Vec::new();
        for name in templates.flat_map(instep_model::template::Template::names) {
            let spellings = self.model.attributes_of(name);
            if let (Some(first), false) =
                (spellings.first(), spellings.iter().any(|spelling| item.contains_key(spelling)))
            {
                item.insert(first.clone(), Value::S(self.name(guard.owner, name, &Names::new())));
            }
            names.extend(spellings);
        }
        let others = places.map(|(object, key)| {
            let mut same = item.clone();
            same.extend(self.keyed(&key));
            self.indexed(&object, &mut same);
            (key, same)
        });
        let mut rows: Vec<_> = others.chain([(key.clone(), item.clone())]).take(count).collect();
        let first = self.below(rows.len());
        rows.rotate_left(first);
        let rights = guard.claims.iter().flat_map(|claim| claim.transfer.iter().flatten()).cloned().collect();
        (rows.len() == count).then_some(Rivals { rows, names, rights })
    }

    /// An item without something of it that the model names, where it has such.
    fn bare(&self, object: &Object, item: &Item) -> Option<Item> {
        let lasts = self.model.items.iter().filter_map(|ty| ty.grant.as_ref()?.last.as_ref());
        let written: BTreeSet<&String> = lasts.flat_map(|last| &last.written).collect();
        let names = self.model.item(object.of).attributes.iter();
        let names = names.filter(|name| item.contains_key(*name) && !written.contains(name) && !self.is_key(name));
        let name = self.one(&names.collect::<Vec<_>>())?;
        let mut bare = item.clone();
        bare.remove(name);
        Some(bare)
    }

    /// What is said of the user for whom an item stands, where it stands for one.
    fn user_at(&self, key: &Key) -> Option<&CognitoUser> {
        match self.model.identify(key) {
            Identity::Item { object, .. } => self.model.item(object.of).user.as_ref(),
            Identity::Unknown { .. } | Identity::Bookkeeping => None,
        }
    }

    /// Writes items, of which one is not there.
    fn write_all_but(&self, one: &Key, items: Vec<Row>) {
        for (key, item) in items {
            let is_there = key != *one;
            self.net.write(key, is_there.then_some(item));
        }
    }

    /// Whether items of a type give access.
    fn gives(&self, of: TypeId) -> bool {
        let ty = self.model.item(of);
        ty.grant.is_some() || ty.member.is_some()
    }

    /// Whether a subject goes with the last of its grants of a type.
    fn has_last(&self, of: TypeId) -> bool {
        self.model.item(of).grant.as_ref().is_some_and(|grant| grant.last.is_some())
    }

    /// An object of one of these types, and its key.
    fn place_where(&self, is_wanted: impl Fn(TypeId) -> bool) -> Option<(Key, Object)> {
        let types: Vec<_> = (0..self.model.items.len()).map(TypeId).filter(|of| is_wanted(*of)).collect();
        self.place(self.one(&types)?, &Names::new())
    }

    fn is_guard(&self, of: TypeId) -> bool {
        self.model.item(of).guard.is_some()
    }

    /// Something of any type comes, or is written anew.
    fn something(&self) -> Writes {
        let types = 0..self.model.items.len();
        let weigh = |place: usize| {
            let ty = self.model.item(TypeId(place));
            let is_wanted = ty.user.is_some() || ty.groups.is_some() || ty.grant.is_some() || ty.member.is_some();
            std::iter::repeat_n(TypeId(place), if is_wanted { 4 } else { 2 })
        };
        let Some(of) = self.one(&types.flat_map(weigh).collect::<Vec<_>>()).filter(|of| !self.is_guard(*of)) else {
            return Vec::new();
        };
        self.fresh(of, &Names::new())
    }

    /// Something that gives comes with all that it needs, in any order.
    fn whole(&self) -> Writes {
        let Some((key, object)) = self.place_where(|of| self.gives(of)) else { return self.something() };
        let item = self.item(&key, &object, None);
        let mut writes = vec![(key, Some(item.clone()))];
        for (key, item) in self.needed(&object, &item).filter(|(key, _)| self.item_at(key).is_none()) {
            writes.insert(self.below(writes.len() + 1), (key, Some(item)));
        }
        writes
    }

    /// An item of a type, with these names where they fit; now and then with the guards that its writer brings along.
    fn fresh(&self, of: TypeId, given: &Names) -> Writes {
        let Some((key, object)) = self.place(of, given) else { return Vec::new() };
        let item = self.item(&key, &object, None);
        let mut writes = Vec::new();
        if self.often(300) {
            let canonical = true;
            let claimed = self.net.watch().implied.row(object.clone(), canonical, item.clone()).values;
            for guard in claimed.into_keys() {
                let Some(place) = self.key_of(&guard) else { continue };
                if self.item_at(&place).is_none() {
                    writes.push((place.clone(), Some(self.guard(&place, &guard, &object))));
                }
            }
        }
        writes.push((key, Some(item)));
        writes
    }

    fn guard(&self, key: &Key, guard: &Object, owner: &Object) -> Item {
        let mut item = self.keyed(key);
        let Some(rule) = &self.model.item(guard.of).guard else { return item };
        for (name, attribute) in &rule.owner_attributes {
            item.extend(owner.names.get(name).map(|text| (attribute.clone(), Value::S(text.clone()))));
        }
        item
    }

    /// An object of a type, and the key under which it is there, or is written.
    fn place(&self, of: TypeId, given: &Names) -> Option<(Key, Object)> {
        let form: &KeyForm = self.net.chance.pick(&self.model.item(of).forms)?;
        let names = form.names.iter().map(|name| (name.clone(), self.name(of, name, given)));
        let object = self.alone(Object { of, names: names.collect() });
        // Nothing is its own ancestor where a child goes with its last parent.
        if let [Some(one), Some(other)] = self.ends(&object)
            && one <= other
        {
            return None;
        }
        let keys = self.model.keys(&object).ok()?;
        let there = keys.iter().find(|key| self.item_at(key).is_some());
        let key = there.cloned().or_else(|| if self.often(800) { keys.first().cloned() } else { self.one(&keys) })?;
        Some((key, object))
    }

    /// An object whose id others know and nothing else of it, where no index leads to it: no other has that id, or nobody could tell them
    /// apart.
    fn alone(&self, object: Object) -> Object {
        let mut links = self.model.links_to(object.of).map(|(_, link)| link);
        let Some(link) = links.find(|link| matches!(link.up, Up::Unknown)) else { return object };
        let Some(id) = object.names.iter().find_map(|(name, id)| link.names.contains_key(name).then_some(id)) else {
            return object;
        };
        let forms = &self.model.item(object.of).forms;
        let Some(form) = forms.get(id.bytes().map(usize::from).sum::<usize>() % forms.len()) else { return object };
        let name = |name: &String| {
            (name.clone(), object.names.get(name).filter(|_| link.names.contains_key(name)).unwrap_or(id).clone())
        };
        Object { of: object.of, names: form.names.iter().map(name).collect() }
    }

    /// The two ends of an edge that takes one of them.
    fn ends(&self, object: &Object) -> [Option<Object>; 2] {
        let links: Vec<_> = self.model.links_from(object.of).collect();
        let Some((from, to)) = links.iter().find_map(|(id, link)| Some((*id, link.takes?))) else {
            return [None, None];
        };
        [from, to].map(|id| self.net.watch().implied.target(id, object, &Item::new()))
    }

    /// A name's text: the given one, or any.
    fn name(&self, of: TypeId, name: &str, given: &Names) -> String {
        let own = base(name);
        let mut closed = self.net.watch().implied.closed(of, own).to_vec();
        let when = self.model.links.iter().filter_map(|link| link.when.as_ref()).filter(|(by, _)| by == own);
        closed.extend(when.map(|(_, value)| value.clone()));
        let is_any = |text: &&String| closed.is_empty() || closed.contains(text);
        if let Some(text) = given.get(name).filter(is_any).filter(|_| self.often(950)) {
            return text.clone();
        }
        if !closed.is_empty() {
            return self.one(&closed).unwrap_or_default();
        }
        let rule = self.model.names.get(own);
        if let Some(like) = rule.and_then(|rule| rule.like.as_ref()) {
            return like.render(&|inner| Some(self.name(of, inner, &Names::new()))).unwrap_or_default();
        }
        if rule.is_some_and(|rule| rule.is.is_some()) {
            return self.one(&MOMENTS).unwrap_or_default().to_owned();
        }
        let assumed = self.model.items.iter().flat_map(|ty| &ty.assumed).find_map(|names| names.get(own));
        match assumed {
            Some(text) if self.often(250) => text.clone(),
            Some(_) | None => self.value(own),
        }
    }

    fn value(&self, name: &str) -> String {
        // Most of what people write is about a few.
        let id = if self.often(600) { IDS.first().copied() } else { self.one(&IDS) }.unwrap_or_default();
        match name.to_lowercase() {
            name if name.contains("email") => format!("{id}@x.example"),
            name if name.contains("phone") => format!("+1555000{}", self.below(3)),
            // Few kinds: most of what has one is of the same.
            name if name.contains("resourcetype") => "System.User".to_owned(),
            name if name == "domain" => "d".to_owned(),
            _ => id.to_owned(),
        }
    }

    fn keyed(&self, key: &Key) -> Item {
        let table = &self.model.table;
        Item::from([(table.pk.clone(), Value::S(key.pk.clone())), (table.sk.clone(), Value::S(key.sk.clone()))])
    }

    /// An item with all that its type may have; `before` is what it was, where only some of it changes.
    fn item(&self, key: &Key, object: &Object, before: Option<&Item>) -> Item {
        let ty = self.model.item(object.of);
        let mut item = before.cloned().unwrap_or_else(|| self.keyed(key));
        for (name, values) in self.attributes(object.of) {
            // A change is of one or two attributes.
            if object.names.contains_key(&name) || before.is_some() && !self.often(300) {
                continue;
            }
            let spellings = self.model.attributes_of(&name);
            let spelled = if self.often(900) { spellings.first().cloned() } else { self.one(&spellings) };
            for spelling in &spellings {
                item.remove(spelling);
            }
            if self.often(850) {
                let any = || Value::S(self.name(object.of, &name, &Names::new()));
                let value = self.one(&values).filter(|_| self.often(600)).unwrap_or_else(any);
                item.extend(spelled.map(|spelling| (spelling, value)));
            }
        }
        if let Some(grant) = &ty.grant {
            self.grant(object, grant, before.is_some(), &mut item);
        }
        let now = Value::S(self.net.now().to_string());
        let written = self.model.items.iter().filter_map(|ty| ty.grant.as_ref()?.last.as_ref());
        let written: BTreeSet<&String> = written.flat_map(|last| &last.written).collect();
        item.extend(written.into_iter().filter(|_| self.often(700)).map(|name| (name.clone(), now.clone())));
        item.insert("note".to_owned(), Value::S(format!("{UNNAMED}{}", self.below(3))));
        if self.net.is_fat && self.often(150) {
            // As much as an item holds, with both images: more than a message, and few of them in a call.
            let listed = self.one(&ty.attributes).filter(|name| !self.is_read(ty, name));
            let name = listed.filter(|_| self.often(700)).unwrap_or_else(|| "note".to_owned());
            fatten(&mut item, &name);
        }
        for name in &self.model.secret {
            item.insert(name.clone(), Value::S(format!("{SECRET}{}", self.below(3))));
        }
        if ty.secret {
            item.insert("token".to_owned(), Value::S(format!("{SECRET}{}", self.below(3))));
        }
        if let (Some(attribute), Some(value)) = (&self.model.table.type_attribute, ty.type_values.first()) {
            let value = if self.often(20) { "Other" } else { value };
            item.insert(attribute.clone(), Value::S(value.to_owned()));
        }
        self.indexed(object, &mut item);
        item
    }

    fn grant(&self, object: &Object, grant: &instep_model::Grant, is_change: bool, item: &mut Item) {
        if let Roles::Attribute(spellings) = &grant.roles
            && (!is_change || self.often(500))
        {
            let name = spellings.first().cloned().unwrap_or_default();
            let mut closed = self.net.watch().implied.closed(object.of, &name).to_vec();
            if closed.is_empty() {
                closed = ROLES.map(str::to_owned).to_vec();
            } else if self.often(30) {
                closed.push("king".to_owned());
            }
            let role = || self.one(&closed).unwrap_or_default();
            let several: BTreeSet<String> = (0..self.below(4)).map(|_| role()).collect();
            let value = match self.below(6) {
                0 => Some(Value::L(several.into_iter().map(Value::S).collect())),
                1 if !several.is_empty() => Some(Value::Ss(several.into_iter().collect())),
                2 if self.often(100) => Some(Value::N("1".to_owned())),
                3 if self.often(200) => None,
                _ => Some(Value::S(role())),
            };
            item.remove(&name);
            item.extend(value.map(|value| (name, value)));
        }
        for names in [&grant.from, &grant.until] {
            let Some(name) = names.first() else { continue };
            if !is_change || self.often(300) {
                item.remove(name);
                if self.often(300) {
                    let text = if self.often(50) { "soon" } else { self.one(&MOMENTS).unwrap_or_default() };
                    item.insert(name.clone(), Value::S(text.to_owned()));
                }
            }
        }
    }

    /// The index attributes, as good writers write them; those that Instep keeps they get wrong now and then.
    fn indexed(&self, object: &Object, item: &mut Item) {
        let ty = self.model.item(object.of);
        for keys in &ty.index_keys {
            let index = self.model.index_at(keys.index);
            let own = [Some((&index.pk, &keys.pk)), index.sk.as_ref().zip(keys.sk.as_ref())];
            for (spellings, template) in own.into_iter().flatten() {
                let Some(name) = spellings.first().filter(|name| !self.is_key(name)) else { continue };
                let mut bare = item.clone();
                bare.remove(name);
                let text = template.render(&self.model.lookup(object.of, &object.names, Some(&bare))).ok();
                // What an index alone says of an item, a writer of it knows.
                let is_other_form = template
                    .names()
                    .any(|own| !object.names.contains_key(own) && ty.forms.iter().any(|form| form.names.contains(own)));
                let any = || template.render(&|own| Some(self.name(object.of, own, &object.names))).ok();
                let text = text.or_else(any).filter(|_| !is_other_form);
                if keys.keep && self.often(500) {
                    item.extend(self.often(300).then(|| (name.clone(), Value::S("wrong".to_owned()))));
                } else {
                    item.extend(text.map(|text| (name.clone(), Value::S(text))));
                }
            }
        }
    }

    fn is_key(&self, name: &str) -> bool {
        [&self.model.table.pk, &self.model.table.sk].into_iter().any(|key| key == name)
    }

    /// Names that items of a type take from attributes, with values that matter somewhere.
    fn attributes(&self, of: TypeId) -> BTreeMap<String, Vec<Value>> {
        let ty = self.model.item(of);
        let mut found: BTreeMap<String, Vec<Value>> = BTreeMap::new();
        let mut templates: Vec<&instep_model::template::Template> = Vec::new();
        let mut values = Vec::new();
        templates.extend(ty.user.iter().flat_map(|user| user.attributes.iter().map(|(_, text)| text)));
        values.extend(ty.user.iter().flat_map(|user| &user.disabled));
        templates.extend(ty.member.iter().filter(|member| member.group_of.is_none()).map(|member| &member.group));
        templates.extend(ty.index_keys.iter().flat_map(|keys| std::iter::once(&keys.pk).chain(&keys.sk)));
        templates.extend(ty.entity.iter().chain(ty.verb_words.values()));
        templates.extend(self.model.links_from(of).flat_map(|(_, link)| link.names.values()));
        let guards = self.model.items.iter().filter_map(|ty| ty.guard.as_ref()).filter(|guard| guard.owner == of);
        for claim in guards.flat_map(|guard| &guard.claims) {
            templates.extend(claim.names.values());
            values.extend(claim.when.iter().chain(claim.transfer.iter().flatten()));
        }
        for (name, value) in values {
            found.entry(name.clone()).or_default().push(value.clone());
        }
        for name in templates.into_iter().flat_map(instep_model::template::Template::names) {
            found.entry(name.to_owned()).or_default();
        }
        let roles = ty.grant.iter().filter_map(|grant| match &grant.roles {
            Roles::Attribute(spellings) => spellings.first(),
            Roles::None | Roles::Template(_) => None,
        });
        roles.for_each(|name| drop(found.remove(name)));
        let key_names: BTreeSet<&String> = ty.forms.iter().flat_map(|form| &form.names).collect();
        found.retain(|name, _| {
            let is_in_key = |key: &&String| *key == name || self.is_within(key, name);
            name != "role" && !key_names.iter().any(is_in_key)
        });
        found
    }

    /// Whether a name is part of another's text: `resourceId` of `urn`.
    fn is_within(&self, outer: &str, name: &str) -> bool {
        let like = self.model.names.get(base(outer)).and_then(|rule| rule.like.as_ref());
        like.is_some_and(|like| like.names().any(|inner| inner == name))
    }

    /// Whether something follows from an attribute.
    fn is_read(&self, ty: &instep_model::ItemType, name: &str) -> bool {
        let of = self.model.type_named(&ty.name);
        let keys = ty.forms.iter().flat_map(|form| &form.names).any(|key| key == name);
        let roles = ty
            .grant
            .iter()
            .any(|grant| matches!(&grant.roles, Roles::Attribute(names) if names.iter().any(|own| own == name)));
        keys || roles || self.is_key(name) || of.is_some_and(|of| self.attributes(of).contains_key(name))
    }

    fn changed(&self, key: Key, object: &Object, item: Item) -> Writes {
        if self.is_guard(object.of) {
            return Vec::new();
        }
        vec![(key.clone(), Some(self.item(&key, object, Some(&item))))]
    }

    /// Two of a type change what makes their unique values, in one order or the other, or one takes what the other has.
    fn values_moved(&self, object: &Object, item: &Item, there: &[(Key, Object, Item)]) -> Writes {
        let guards: Vec<_> = self
            .model
            .items
            .iter()
            .filter_map(|ty| ty.guard.as_ref())
            .filter(|guard| guard.owner == object.of)
            .collect();
        let others: Vec<_> = there.iter().filter(|(_, other, _)| other.of == object.of && other != object).collect();
        let (Some((key, _, other)), false) = (self.one(&others).cloned(), guards.is_empty()) else { return Vec::new() };
        let names = guards.iter().flat_map(|guard| &guard.claims).flat_map(|claim| {
            let names = claim.names.values().flat_map(instep_model::template::Template::names).map(str::to_owned);
            names.chain(claim.when.iter().chain(claim.transfer.iter().flatten()).map(|(name, _)| name.clone()))
        });
        let names: BTreeSet<String> = names.filter(|name| !object.names.contains_key(name)).collect();
        let (mut mine, mut yours) = (item.clone(), other.clone());
        for name in names.iter().flat_map(|name| self.model.attributes_of(name)) {
            let (had, has) = (mine.remove(&name), yours.remove(&name));
            yours.extend(had.map(|value| (name.clone(), value)));
            if self.often(500) {
                mine.extend(has.map(|value| (name.clone(), value)));
            }
        }
        let own = self.model.table.key_of(item);
        let mut writes: Writes = vec![(key.clone(), Some(yours))];
        writes.extend(own.map(|key| (key, Some(mine))));
        if self.often(500) {
            writes.reverse();
        }
        writes
    }

    /// A parent goes while what belongs to it is written.
    fn gone_while_children_come(&self, key: Key, object: &Object) -> Writes {
        let mut writes = vec![(key, None)];
        let children: Vec<_> = self.model.links_to(object.of).map(|(_, link)| link).collect();
        for _ in 0..1 + self.below(3) {
            let Some(link) = self.one(&children) else { break };
            writes.extend(self.fresh(link.from, &back_to(link, object)));
        }
        if self.often(500) {
            writes.rotate_left(1);
        }
        writes
    }

    /// An item moves to another key: a child to another parent, an edge to another end.
    fn elsewhere(&self, key: Key, object: &Object, item: &Item) -> Writes {
        if self.is_guard(object.of) {
            return Vec::new();
        }
        let kept = object.names.iter().filter(|_| self.often(600)).map(|(name, text)| (name.clone(), text.clone()));
        let Some((to, moved)) = self.place(object.of, &kept.collect()) else { return Vec::new() };
        let mut new = item.clone();
        new.extend(self.keyed(&to));
        self.indexed(&moved, &mut new);
        let mut writes = vec![(key, None), (to, Some(new))];
        if self.often(500) {
            writes.reverse();
        }
        writes
    }

    /// All that has an object's names goes at once, or some of it.
    fn all_of(&self, object: &Object, there: &[(Key, Object, Item)]) -> Writes {
        let shares = |other: &Object| object.names.iter().all(|(name, text)| other.names.get(name) == Some(text));
        let mine = there.iter().filter(|(_, other, _)| shares(other) && !self.is_guard(other.of));
        mine.map(|(key, ..)| (key.clone(), None)).collect()
    }

    /// What nobody should write: keys of no type, names with separators in them, keys in the wrong case.
    fn garbage(&self) -> Writes {
        let of = TypeId(self.below(self.model.items.len()));
        let Some((key, object)) = self.place(of, &Names::new()) else { return Vec::new() };
        if self.is_guard(of) {
            return Vec::new();
        }
        let key = match self.below(3) {
            0 => Key { pk: key.pk, sk: format!("??{}", key.sk) },
            1 => Key { pk: format!("{}#x", key.pk), sk: key.sk },
            _ => Key { pk: key.pk.to_uppercase(), sk: key.sk.to_uppercase() },
        };
        // Another type's key is no garbage, and what is not canonical may be.
        let is_garbage = match self.model.identify(&key) {
            Identity::Item { canonical, .. } => !canonical,
            Identity::Unknown { .. } => true,
            Identity::Bookkeeping => false,
        };
        if !is_garbage {
            return Vec::new();
        }
        let mut item = self.item(&key, &object, None);
        item.extend(self.keyed(&key));
        vec![(key, Some(item))]
    }
}
