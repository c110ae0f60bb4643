//! Checks a drained world whose model has changed: the table and the pool are as if the new model had been deployed from
//! the start, but for what a plan leaves to people.

use std::collections::{BTreeMap, BTreeSet};

use instep_flow::bookkeeping::BookkeepingKind;
use instep_local::UserState;
use instep_model::{ItemType, Key, Link, LinkId, Model, TypeId};

use super::{accounts, belonging, books};
use crate::implied::{Fact, noted};
use crate::lambda::Lambda;
use crate::net::Net;
use crate::watch::Watch;

/// What people decide about after a change.
#[derive(Debug, Default)]
struct Left {
    /// Users whom only the former model makes: a password and a `sub` do not come back. And those of the new model whose account
    /// a process that still had the former model took for one of a former name.
    users: BTreeSet<String>,
    /// The items of groups on demand that only the former model deleted with a parent: the groups stay.
    groups: BTreeSet<Key>,
    /// Memberships of the former model, where no function may remove any, and those in groups that it has made and that are
    /// people's now.
    members: BTreeSet<Fact>,
    /// The links by which only the former model finds older children, through an index that no function queries any more: a
    /// child stays whose parent is deleted before the change is complete.
    children: BTreeSet<LinkId>,
    /// The types whose users the former model deletes. What it has begun, the new one may not end.
    deletes: BTreeSet<TypeId>,
}

impl Left {
    fn of(former: &Watch, net: &Net) -> Self {
        let watch = net.watch();
        let is_implied = |user: &str| watch.implied.facts().contains_key(&Fact::User(user.to_owned()));
        let users = former.ever_implied().filter_map(|fact| match fact {
            Fact::User(user) => (!is_implied(user)).then(|| user.clone()),
            Fact::Attribute(..) | Fact::Member(..) | Fact::Group(_) | Fact::GroupSetting(..) | Fact::Value(..) => None,
        });
        let users = users.chain(given_up(former, &watch, net)).collect();
        let groups = former.all_group_entries().difference(&watch.all_group_entries()).cloned().collect();
        let members = former.ever_implied().filter(|fact| matches!(fact, Fact::Member(..)));
        let members = members.filter(|_| watch.implied.leaves_members()).cloned();
        let members = members.chain(watch.implied.asked_of_people()).collect();
        let (was, model) = (&former.implied.model, &watch.implied.model);
        Self { users, groups, members, children: out_of_reach(was, model), deletes: deleted_by(was, model) }
    }

    /// Whether a fact that the model does not imply may stay.
    fn has(&self, fact: &Fact) -> bool {
        match fact {
            Fact::User(user) | Fact::Attribute(user, _) => self.users.contains(user),
            Fact::Member(..) => self.members.contains(fact),
            Fact::Group(_) | Fact::GroupSetting(..) | Fact::Value(..) => false,
        }
    }
}

/// Links that the former model follows by indexes which the model does not query.
fn out_of_reach(former: &Model, model: &Model) -> BTreeSet<LinkId> {
    let names = |model: &Model, link: &Link| -> BTreeSet<String> {
        link.find.queries().iter().filter_map(|query| Some(model.index_at(query.index?).name.clone())).collect()
    };
    let queried: BTreeSet<String> = model.links.iter().flat_map(|link| names(model, link)).collect();
    let is_lost = |link: &Link| {
        let ends = |model: &Model, link: &Link| [link.from, link.to].map(|of| model.item(of).stable_name().to_owned());
        let is_same = |was: &&Link| ends(former, was) == ends(model, link);
        let mut were = former.links.iter().filter(is_same).flat_map(|was| names(former, was));
        were.any(|name| !queried.contains(&name))
    };
    (0..).map(LinkId).zip(&model.links).filter(|(_, link)| is_lost(link)).map(|(id, _)| id).collect()
}

/// Types whose users the former model deletes.
fn deleted_by(former: &Model, model: &Model) -> BTreeSet<TypeId> {
    let deletes = |was: &ItemType| was.user.as_ref().is_some_and(|user| user.delete);
    let deleted: BTreeSet<&str> = former.items.iter().filter(|was| deletes(was)).map(ItemType::stable_name).collect();
    let types = (0..).map(TypeId).zip(&model.items);
    types.filter(|(_, item)| deleted.contains(item.stable_name())).map(|(id, _)| id).collect()
}

/// Users whom account items have named before they named one whom only the former model makes.
fn given_up(former: &Watch, watch: &Watch, net: &Net) -> Vec<String> {
    let users = |watch: &Watch| -> BTreeSet<Fact> {
        watch.ever_implied().filter(|fact| matches!(fact, Fact::User(_))).cloned().collect()
    };
    let only_former: BTreeSet<Fact> = users(former).difference(&users(watch)).cloned().collect();
    let mut named: BTreeMap<Key, BTreeSet<String>> = BTreeMap::new();
    let mut given_up = Vec::new();
    for write in net.table().history() {
        if BookkeepingKind::of(&write.key) != Some(BookkeepingKind::Account) {
            continue;
        }
        let Some(user) = write.new.as_ref().and_then(|item| noted(item, "username")) else { continue };
        let earlier = named.entry(write.key.clone()).or_default();
        if only_former.contains(&Fact::User(user.to_owned())) {
            given_up.extend(earlier.iter().cloned());
        } else {
            earlier.insert(user.to_owned());
        }
    }
    given_up
}

/// Promise 1, and 2: replays, also of records from before the deployment, change nothing.
pub(crate) async fn changed(lambda: &Lambda, former: &Watch) {
    let net = &lambda.net;
    let left = Left::of(former, net);
    let mut wrong = at_rest(net, &left);
    if wrong.is_empty() {
        let replay = async {
            for _ in 0..3 {
                lambda.replay().await;
            }
        };
        wrong = super::reruns::changed(lambda, "a replay", replay).await;
        // A replay may name the user of an item that has none any more, which is left to people until then.
        if !left.users.is_empty() {
            wrong.clear();
        }
        wrong.extend(at_rest(net, &left).into_iter().map(|what| format!("{what}, after a replay")));
    }
    wrong.into_iter().for_each(|what| net.broken(what));
}

fn at_rest(net: &Net, left: &Left) -> Vec<String> {
    let users: Vec<UserState> = net.groups_and_users().1;
    let now = net.now();
    let mut watch = net.watch();
    [1, 7].into_iter().for_each(|promise| watch.checked(promise));
    let mut wrong = watch.wrong_but(|fact| left.has(fact));
    wrong.extend(belonging(&watch, &left.children).0);
    wrong.extend(books(&watch, &left.groups));
    wrong.extend(accounts(&watch, &users, &left.users, &left.deletes));
    wrong.extend(super::answers::wrong(&watch, now));
    wrong
}
