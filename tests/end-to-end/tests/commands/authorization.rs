//! The system `authorization` end to end, through the command line. Tests derive the expected state
//! from the table alone.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::Value;

use crate::support::{
    Ran, assert_deleted_later, assert_no_event_is_missing, assert_only_lasting_bookkeeping, captures, items, replayed,
    root, s,
};

const SYSTEM: &str = "authorization";

/// Item types that reserve a value for an owner and publish nothing.
const GUARDS: [&str; 4] = ["UserEmail", "UserPhone", "UserPreferredUsername", "TenantName"];

/// For each guard: the prefix of its key, the attribute with the value, the prefix of its owner's
/// key, and the attribute with the owner.
const GUARD_KEYS: [(&str, &str, &str, &str); 4] = [
    ("USER_EMAIL#", "email", "USER#", "userId"),
    ("USER_PHONE#", "phone", "USER#", "userId"),
    ("USER_PREFERREDUSERNAME#", "preferredUsername", "USER#", "userId"),
    ("TENANT_NAME#", "name", "TENANT#", "tenantId"),
];

/// Cognito's name for each mirrored attribute.
const MIRRORED: [(&str, &str); 5] = [
    ("email", "email"),
    ("phone_number", "phone"),
    ("preferred_username", "preferredUsername"),
    ("given_name", "givenName"),
    ("family_name", "familyName"),
];

fn folder() -> &'static Ran {
    let ran = replayed("events/authorization");
    assert_eq!(ran.status, 0, "{}", ran.stderr);
    ran
}

/// Items by key, without bookkeeping items.
fn table(ran: &Ran) -> BTreeMap<(&str, &str), &Value> {
    let items = items(ran).into_iter().map(|item| ((s(item, "PK").unwrap(), s(item, "SK").unwrap()), item));
    items.filter(|((pk, _), _)| !pk.starts_with("INSTEP#")).collect()
}

fn roles(item: &Value) -> BTreeSet<&str> {
    item["roles"]["L"].as_array().into_iter().flatten().map(|role| role["S"].as_str().unwrap()).collect()
}

/// The roles of each user in each tenant, according to the table. Every grant has an existing
/// tenant and user.
fn grants<'a>(table: &BTreeMap<(&'a str, &'a str), &'a Value>) -> BTreeSet<(Option<&'a str>, &'a str, &'a str)> {
    let mut grants = BTreeSet::new();
    for ((pk, sk), item) in table {
        let Some(user) = sk.strip_prefix("USER#") else { continue };
        assert!(table.contains_key(&(*sk, *sk)) && table.contains_key(&(*pk, *pk)), "an orphan or waiting: {pk} {sk}");
        grants.extend(roles(item).into_iter().map(|role| (pk.strip_prefix("TENANT#"), user, role)));
    }
    grants
}

/// Promise 1: the members of each Cognito group are those of the effective grants, and users have
/// the attributes of their items.
#[test]
fn cognito_is_reconciled() {
    let ran = folder();
    let table = table(ran);
    let grants = grants(&table);
    let mut members: BTreeMap<String, BTreeSet<&str>> = BTreeMap::new();
    for (tenant, user, role) in &grants {
        let group = tenant.map_or_else(|| format!("global|{role}"), |tenant| format!("tenant|{tenant}|{role}"));
        members.entry(group).or_default().insert(user);
    }
    let state = ran.state();
    let mut emptied = 0;
    for group in state.iter().filter(|state| state["of"] == "group") {
        let found: BTreeSet<&str> =
            group["members"].as_array().unwrap().iter().map(|name| name.as_str().unwrap()).collect();
        emptied += usize::from(found.is_empty());
        assert_eq!(found, members.remove(group["name"].as_str().unwrap()).unwrap_or_default(), "{}", group["name"]);
    }
    assert!(members.is_empty(), "no such groups: {members:?}");
    assert!(grants.len() > 15 && emptied > 5, "the history shows too little: {} {emptied}", grants.len());

    let users: BTreeMap<&str, BTreeMap<&str, &str>> = table
        .iter()
        .filter(|((pk, sk), _)| pk == sk && pk.starts_with("USER#"))
        .map(|((pk, _), item)| {
            let mirrored = MIRRORED.iter().filter_map(|(cognito, own)| Some((*cognito, s(item, own)?)));
            (pk.strip_prefix("USER#").unwrap(), mirrored.collect())
        })
        .collect();
    let waiting = assert_deleted_later(ran, 30);
    assert!(waiting.len() > 3, "the history shows too little: {waiting:?}");
    let found: BTreeMap<&str, BTreeMap<&str, &str>> = state
        .iter()
        .filter(|state| state["of"] == "user" && !waiting.contains(state["username"].as_str().unwrap()))
        .map(|user| {
            assert_eq!(user["enabled"], true);
            let attributes = user["attributes"].as_object().unwrap().iter();
            let attributes = attributes.filter(|(name, _)| !["sub", "custom:instep"].contains(&name.as_str()));
            let attributes = attributes.map(|(name, value)| (name.as_str(), value.as_str().unwrap()));
            (user["username"].as_str().unwrap(), attributes.collect())
        })
        .collect();
    assert_eq!(found, users);
    assert!(users.len() > 25 && users.values().any(|user| user.len() < MIRRORED.len()), "the history shows too little");
}

/// Promise 7: each value has one holder, each guard names the value's owner, and no claim is
/// pending at the end.
#[test]
fn guards_have_their_holders() {
    let ran = folder();
    let table = table(ran);
    let mut held = 0;
    for (prefix, attribute, owner_prefix, owner_attribute) in GUARD_KEYS {
        for ((pk, sk), item) in table.iter().filter(|((pk, _), _)| pk.starts_with(prefix)) {
            assert_eq!(pk, sk);
            let owner = format!("{owner_prefix}{}", s(item, owner_attribute).unwrap());
            let owner = table.get(&(owner.as_str(), owner.as_str())).unwrap_or_else(|| panic!("{pk} is nobody's"));
            assert_eq!(s(owner, attribute), pk.strip_prefix(prefix), "{pk} is held by one that does not have it");
            assert_eq!(s(item, attribute), pk.strip_prefix(prefix));
            let names: BTreeSet<&str> = item.as_object().unwrap().keys().map(String::as_str).collect();
            // That its owner's claim was pending.
            let names: BTreeSet<&str> = names.into_iter().filter(|name| *name != "instep").collect();
            assert_eq!(names, BTreeSet::from(["PK", "SK", "Type", attribute, owner_attribute]), "{pk}");
            held += 1;
        }
        for ((pk, sk), item) in table.iter().filter(|((pk, sk), _)| pk == sk && pk.starts_with(owner_prefix)) {
            if let Some(value) = s(item, attribute) {
                let guard = format!("{prefix}{value}");
                let guard = table.get(&(guard.as_str(), guard.as_str()));
                let guard = guard.unwrap_or_else(|| panic!("{sk} has no guard for its {attribute}"));
                assert_eq!(s(guard, owner_attribute), pk.strip_prefix(owner_prefix), "{pk}'s {attribute} is another's");
            }
        }
    }
    assert!(held > 80, "the history shows too little: {held}");
    assert_only_lasting_bookkeeping(ran, "PK");
}

/// Promise 4: the events alone tell a subscriber which objects exist and who has which role.
#[test]
fn events_describe_every_change() {
    let ran = folder();
    assert_no_event_is_missing(ran, &GUARDS);
    let table = table(ran);
    let mut there: BTreeMap<(String, String), Value> = BTreeMap::new();
    let mut given: BTreeSet<(Option<String>, String, String)> = BTreeSet::new();
    let mut conflicts: BTreeMap<String, usize> = BTreeMap::new();
    for event in ran.of("event") {
        let (detail, kind) = (&event["event"]["detail"], event["event"]["detail-type"].as_str().unwrap());
        assert_eq!(event["event"]["source"], "instep.authorization");
        let (metadata, data) = (&detail["metadata"], &detail["data"]);
        let entity = (metadata["entity"].as_str().unwrap().to_owned(), data["keys"].to_string());
        let text = |value: &Value| value.as_str().map(str::to_owned);
        let grant = || (text(&data["scope"]), text(&metadata["entityId"]).unwrap(), text(&data["role"]).unwrap());
        match metadata["verb"].as_str().unwrap() {
            "created" => assert!(there.insert(entity, data["new"].clone()).is_none(), "{kind} twice: {detail}"),
            "deleted" => assert!(there.remove(&entity).is_some(), "{kind} of nothing: {detail}"),
            "updated" if entity.0 == "TenantGrant" => {}
            "updated" => assert!(there.insert(entity, data["new"].clone()).is_some(), "{kind} of nothing: {detail}"),
            "granted" => assert!(given.insert(grant()), "{kind} twice: {detail}"),
            "revoked" => assert!(given.remove(&grant()), "{kind} of nothing: {detail}"),
            "resolved" => {}
            verb => {
                assert_eq!(verb, "conflicted");
                *conflicts.entry(text(&data["guard"]["guard"]).unwrap()).or_default() += 1;
            }
        }
    }
    let owned = |(tenant, user, role): (Option<&str>, &str, &str)| {
        (tenant.map(str::to_owned), user.to_owned(), role.to_owned())
    };
    assert_eq!(given, grants(&table).into_iter().map(owned).collect());
    let entities = |name: &str| there.keys().filter(|(entity, _)| entity == name).count();
    let kept = |pk: &str, sk: &str| table.keys().filter(|key| key.0.starts_with(pk) && key.1.starts_with(sk)).count();
    assert_eq!(entities("Tenant"), kept("TENANT#", "TENANT#"));
    assert_eq!(entities("User"), kept("USER#", "USER#"));
    assert_eq!(entities("Role"), kept("ROLE_SCOPE#", "ROLE_NAME#"));
    assert_eq!(entities("Policy"), kept("GLOBAL", "POLICY_NAME#"));
    for ((entity, keys), new) in there.iter().filter(|((entity, _), _)| entity == "User") {
        let keys: Value = serde_json::from_str(keys).unwrap();
        let key = format!("USER#{}", keys["userId"].as_str().unwrap());
        let item = table[&(key.as_str(), key.as_str())];
        for (_, name) in MIRRORED {
            assert_eq!(new[name].as_str(), s(item, name), "{entity} {keys}");
        }
    }
    assert_eq!(conflicts, GUARDS.map(|guard| (guard.to_owned(), conflicts[guard])).into());
}

/// A change of a role list makes no calls for roles that are unchanged: Cognito accepts few calls a
/// second.
#[test]
fn no_membership_is_given_twice() {
    let ran = folder();
    let mut members: BTreeSet<(&str, &str)> = BTreeSet::new();
    for effect in ran.of("effect").into_iter().filter(|effect| effect["outcome"] == "done") {
        let target = effect["target"].as_str().unwrap();
        match effect["operation"].as_str().unwrap() {
            "AdminAddUserToGroup" => assert!(members.insert(target.split_once(" in ").unwrap()), "twice: {effect}"),
            "AdminRemoveUserFromGroup" => {
                assert!(members.remove(&target.split_once(" in ").unwrap()), "not there: {effect}");
            }
            "AdminDeleteUser" => members.retain(|(user, _)| *user != target),
            _ => {}
        }
    }
    assert!(members.len() > 15, "the history shows too little: {}", members.len());
}

/// Each capture is complete: at its end nothing is pending, and no item lacks its parents.
#[test]
fn every_capture_is_complete() {
    for capture in captures(SYSTEM) {
        let ran = replayed(capture.strip_prefix(root()).unwrap().to_str().unwrap());
        assert_eq!(ran.status, 0, "{}: {}", capture.display(), ran.stderr);
        let _ = grants(&table(ran));
        assert_only_lasting_bookkeeping(ran, "PK");
        assert_no_event_is_missing(ran, &GUARDS);
    }
}
