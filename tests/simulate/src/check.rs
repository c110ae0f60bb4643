//! What a table of the access-management system implies, and what of the world disagrees with it. Written from the system's own
//! description: it shares no code with the product.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::Value;

use crate::net::Net;
use crate::table::{Item, Key};

const ROLES: [&str; 3] = ["admin", "contributor", "reader"];

fn text<'a>(item: &'a Item, name: &str) -> Option<&'a str> {
    item.get(name)?.get("S")?.as_str()
}

fn user_there(items: &BTreeMap<Key, Item>, pk: &str) -> bool {
    ["U", pk].iter().any(|sk| items.contains_key(&(pk.to_owned(), (*sk).to_owned())))
}

fn group_there(items: &BTreeMap<Key, Item>, key: &str) -> bool {
    key == "G:/" || items.contains_key(&(key.to_owned(), key.to_owned()))
}

/// Users in groups.
#[must_use]
pub fn memberships(items: &BTreeMap<Key, Item>) -> BTreeSet<(String, String)> {
    let mut found = BTreeSet::new();
    for ((pk, sk), item) in items {
        let (Some(user), Some(group)) = (pk.strip_prefix("U:"), sk.strip_prefix("G:")) else { continue };
        let role = text(item, "role").filter(|role| ROLES.contains(role));
        if let Some(role) = role.filter(|_| user_there(items, pk) && group_there(items, sk)) {
            found.insert((user.to_owned(), format!("{group}|||{role}")));
        }
    }
    found
}

/// One of the things that a membership is made of.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub enum Part {
    /// The user is there.
    User(String),
    /// The group is there.
    Group(String),
    /// The user is given the role in the group.
    Grant(String, String),
}

/// The parts that are there.
#[must_use]
pub fn parts(items: &BTreeMap<Key, Item>) -> BTreeSet<Part> {
    let mut found = BTreeSet::from([Part::Group("/".to_owned())]);
    for ((pk, sk), item) in items {
        match (pk.strip_prefix("U:"), sk.strip_prefix("G:"), pk.strip_prefix("G:")) {
            (Some(user), Some(group), _) => {
                let grant = |role| Part::Grant(user.to_owned(), format!("{group}|||{role}"));
                found.extend(text(item, "role").map(grant));
            }
            (Some(user), None, _) if sk == "U" || sk == pk => drop(found.insert(Part::User(user.to_owned()))),
            (None, _, Some(group)) if pk == sk => drop(found.insert(Part::Group(group.to_owned()))),
            _ => {}
        }
    }
    found
}

/// The parts that a membership is made of.
#[must_use]
pub fn parts_of(user: &str, group: &str) -> [Part; 3] {
    let scope = group.split_once("|||").map_or(group, |(scope, _)| scope);
    [Part::User(user.to_owned()), Part::Group(scope.to_owned()), Part::Grant(user.to_owned(), group.to_owned())]
}

/// Promises 1 and 7 of a world at rest.
#[must_use]
pub fn convergence(net: &Net, crashed: bool) -> Vec<String> {
    let table = net.table();
    let items = table.items();
    let (groups, users) = net.services.pool();
    let mut wrong = Vec::new();

    let wanted = memberships(items);
    let found: BTreeSet<(String, String)> = groups
        .iter()
        .flat_map(|group| group.members.iter().map(|member| (member.clone(), group.name.clone())))
        .collect();
    wrong.extend(found.difference(&wanted).map(|(user, group)| format!("1: {user} is in {group}, and should not be")));
    wrong.extend(wanted.difference(&found).map(|(user, group)| format!("1: {user} is not in {group}, and should be")));

    let mut enabled = BTreeMap::new();
    let mut names = BTreeSet::new();
    for ((pk, sk), item) in items {
        match (pk.strip_prefix("U:"), pk.strip_prefix("G:")) {
            (Some(user), _) if sk == pk || sk == "U" => {
                enabled.insert(user.to_owned(), text(item, "state") != Some("disabled"));
            }
            (Some(_), _) if sk.starts_with("G:") => {
                let is_left = gone(items, pk, sk);
                wrong.extend(is_left.then(|| format!("1: {pk} | {sk} is left of what went")));
            }
            (None, Some(group)) if pk == sk => names.extend(ROLES.map(|role| format!("{group}|||{role}"))),
            _ => {}
        }
    }
    let there: BTreeMap<String, bool> = users.into_iter().map(|user| (user.username, user.enabled)).collect();
    if there != enabled {
        wrong.push(format!("1: users are {there:?}, and should be {enabled:?}"));
    }
    for group in &groups {
        let is_root = group.name.starts_with("/|||");
        // A group that was made on demand while its item went, by a process that crashed, is left to the sweep if it is empty.
        let is_window = crashed && group.members.is_empty();
        if !is_root && !names.contains(&group.name) && !is_window {
            wrong.push(format!("1: the group {} is there, and should not be", group.name));
        }
    }
    let named: BTreeSet<&String> = groups.iter().map(|group| &group.name).collect();
    wrong.extend(
        names.iter().filter(|name| !named.contains(name)).map(|name| format!("1: the group {name} is missing")),
    );
    wrong
}

/// Whether a membership has lost an end that was seen to be removed.
fn gone(items: &BTreeMap<Key, Item>, pk: &str, sk: &str) -> bool {
    let tombstone = |thing: String| items.keys().any(|(key, _)| *key == format!("INSTEP#GONE#{thing}"));
    let user = pk.trim_start_matches("U:");
    let group = sk.trim_start_matches("G:").replace('/', "%2F");
    !user_there(items, pk) && tombstone(format!("User/email={user}"))
        || !group_there(items, sk) && tombstone(format!("Group/groupId={group}"))
}

/// Promise 4: every change of what is published was heard, and nothing else was.
#[must_use]
pub fn events(net: &Net) -> Vec<String> {
    let table = net.table();
    let mut due = BTreeMap::new();
    for record in table.shards().iter().flatten() {
        let (pk, sk) = &record.key;
        let is_published = pk.starts_with("U:") && (sk == pk || sk == "U" || sk.starts_with("G:"))
            || pk.starts_with("G:") && (sk == pk || sk.starts_with("G:"));
        due.insert(record.sequence, (is_published, format!("{pk} | {sk}")));
    }
    let mut wrong = Vec::new();
    let mut heard = BTreeSet::new();
    for event in net.services.published() {
        let detail: Value = serde_json::from_str(&event.detail).unwrap_or_default();
        let sequence = detail.pointer("/metadata/sequence").and_then(Value::as_str);
        let number = sequence.and_then(|text| text.trim_start_matches('0').parse::<u128>().ok());
        match number.filter(|number| due.contains_key(number)) {
            Some(number) => drop(heard.insert(number)),
            None => wrong.push(format!("4: {} was heard of what never was: {}", event.detail_type, event.detail)),
        }
    }
    let published = due.iter().filter(|(_, (is_published, _))| *is_published);
    let unheard = published.filter(|(number, _)| !heard.contains(number));
    wrong.extend(unheard.map(|(number, (_, key))| format!("4: the change {number} of {key} was never heard")));
    wrong
}
