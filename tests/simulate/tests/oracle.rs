//! Checks the oracle of the simulation against hand-written answers.

#![expect(clippy::unwrap_used, reason = "a test stops where it cannot go on")]

use std::collections::BTreeSet;
use std::sync::Arc;

use instep_model::{Identity, Item, Key, Model, Value, Verb};
use simulate::chance::Chance;
use simulate::designs;
use simulate::implied::{EdgeState, Fact, FactState, Implied, OFF};

/// Partition key, sort key, and text attributes.
type Row<'a> = (&'a str, &'a str, &'a [(&'a str, &'a str)]);

fn table(model: &str, items: &[Row<'_>]) -> Implied {
    let model = Arc::new(Model::shipped(model).unwrap());
    let mut implied = Implied::new(Arc::clone(&model));
    implied.made_by_hand(&["staff"], &[]);
    for (pk, sk, more) in items {
        let key = Key { pk: (*pk).to_owned(), sk: (*sk).to_owned() };
        implied.write(&key, Some(item(&model, &key, more)), 0);
    }
    implied
}

fn item(model: &Model, key: &Key, more: &[(&str, &str)]) -> Item {
    let own = [(model.table.pk.as_str(), key.pk.as_str()), (model.table.sk.as_str(), key.sk.as_str())];
    let all = own.into_iter().chain(more.iter().copied());
    all.map(|(name, text)| (name.to_owned(), Value::S(text.to_owned()))).collect()
}

fn members(implied: &Implied) -> Vec<String> {
    let facts = implied.facts().into_iter();
    let member = |(fact, state)| match (fact, state) {
        (Fact::Member(user, group), FactState::Is(_)) => Some(format!("{user} in {group}")),
        _ => None,
    };
    facts.filter_map(member).collect()
}

#[test]
fn a_membership_needs_its_user_and_its_group() {
    const USER: Row<'_> = ("U:ann", "U", &[("state", "disabled")]);
    const GROUP: Row<'_> = ("G:/a", "G:/a", &[]);
    const GRANT: Row<'_> = ("U:ann", "G:/a", &[("role", "reader")]);
    let of = |items: &[_]| members(&table("access-management", items));
    assert_eq!(of(&[USER, GROUP, GRANT]), ["ann in /a|||reader"]);
    assert!(of(&[USER, GRANT]).is_empty() && of(&[GROUP, GRANT]).is_empty() && of(&[USER, GROUP]).is_empty());
    assert!(of(&[USER, GROUP, ("U:ann", "G:/a", &[("role", "king")])]).is_empty());
    assert_eq!(of(&[USER, ("U:ann", "G:/", &[("role", "admin")])]), ["ann in /|||admin"], "the root has no item");
    let facts = table("access-management", &[USER, GROUP]).facts();
    assert_eq!(facts.get(&Fact::User("ann".to_owned())), Some(&FactState::Is(OFF.to_owned())));
    assert!(facts.contains_key(&Fact::Group("/a|||admin".to_owned())));
}

#[test]
fn each_system_has_its_memberships() {
    let user = ("USER#u", "METADATA", &[][..]);
    let client = ("CLIENT#c", "METADATA", &[][..]);
    let role = ("CLIENT#c", "ROLE#r", &[][..]);
    let assigned = ("USER#u", "ROLE#client#c#r", &[][..]);
    let early = ("USER#u", "ROLE#client#c#r", &[("start_at", "2030-01-01T00:00:00Z")][..]);
    let of = |items: &[_]| members(&table("account-management", items));
    assert_eq!(of(&[user, client, role, assigned]), ["u in client:c:r"]);
    assert!(of(&[user, client, role, early]).is_empty());
    assert!(of(&[user, role, assigned]).is_empty() && of(&[user, client, assigned]).is_empty());

    let user = ("USER#u", "USER#u", &[("roles", "r1")][..]);
    let grant = ("TENANT#t", "USER#u", &[("roles", "r2")][..]);
    let tenant = ("TENANT#t", "TENANT#t", &[][..]);
    assert_eq!(members(&table("authorization", &[user, grant, tenant])), ["u in global|r1", "u in tenant|t|r2"]);
    assert_eq!(members(&table("authorization", &[user, grant])), ["u in global|r1"]);

    let of = |group| members(&table("platform", &[("USER#u", "METADATA", &[("assignedGroup", group)][..])]));
    assert_eq!(of("staff"), ["u in staff"]);
    assert!(of("nobody made it").is_empty() && of("others").is_empty());
}

#[test]
fn a_value_has_one_holder_who_has_it() {
    let user = |id: &'static str, verified: bool| {
        let urn = format!("urn:d:System.User::{id}");
        let key = Key { pk: format!("Resource#{urn}"), sk: format!("Resource#{urn}") };
        let model = Model::shipped("relational-store").unwrap();
        let mut item = item(&model, &key, &[("_resourceType", "System.User"), ("emailAddress", "e")]);
        item.insert("emailAddressVerified".to_owned(), Value::Bool(verified));
        (key, item)
    };
    let wrong = |guard_of: Option<&str>, users: &[(Key, Item)]| {
        let mut implied = table("relational-store", &[]);
        for (key, item) in users {
            implied.write(key, Some(item.clone()), 0);
        }
        if let Some(owner) = guard_of {
            let key = Key {
                pk: "UniqueKeyValue#System.User#emailAddress#e".to_owned(),
                sk: "UniqueKeyValue#System.User#emailAddress".to_owned(),
            };
            let urn = format!("urn:d:System.User::{owner}");
            let guard = item(&implied.model, &key, &[("associatedRecordUrn", urn.as_str())]);
            implied.write(&key, Some(guard), 0);
        }
        implied.wrong_values().len()
    };
    let (weak, strong) = (user("a", false), user("b", true));
    assert_eq!(wrong(Some("a"), std::slice::from_ref(&weak)), 0);
    assert_eq!(wrong(None, std::slice::from_ref(&weak)), 1, "no claimant holds the value");
    assert_eq!(
        wrong(Some("b"), std::slice::from_ref(&weak)),
        2,
        "the holder does not have the value, and the other claimant does not hold it"
    );
    assert_eq!(wrong(Some("a"), &[weak.clone(), strong.clone()]), 1, "the stronger one has to have it");
    assert_eq!(wrong(Some("b"), &[weak, strong]), 0);
}

#[test]
fn an_item_is_left_over_only_if_its_parent_was_deleted() {
    let tool = ("WORKSTREAM#w", "TOOL#t", &[][..]);
    let stream = |account| Key { pk: format!("ACCOUNT#{account}"), sk: "WORKSTREAM#w".to_owned() };
    let mut implied = table("platform", &[tool]);
    let is_left = |implied: &Implied| implied.rows().values().filter(|row| implied.is_orphan(row)).count();
    assert_eq!(is_left(&implied), 0, "it may have been written first");
    for account in ["a", "b"] {
        let item = item(&implied.model, &stream(account), &[]);
        implied.write(&stream(account), Some(item), 0);
    }
    implied.write(&stream("a"), None, 0);
    assert_eq!(is_left(&implied), 0, "another parent with that id exists");
    implied.write(&stream("b"), None, 0);
    assert_eq!(is_left(&implied), 1);
}

#[test]
fn a_change_of_role_publishes_two_events() {
    let model = Arc::new(Model::shipped("access-management").unwrap());
    let implied = Implied::new(Arc::clone(&model));
    let key = Key { pk: "U:ann".to_owned(), sk: "G:/a".to_owned() };
    let Identity::Item { object, .. } = model.identify(&key) else { unreachable!() };
    let of = |role: &str| item(&model, &key, &[("role", role)]);
    let events = implied.due_events(&object, Some(&of("admin")), Some(&of("reader")), 0);
    let role = |role: &str| Some(role.to_owned());
    assert_eq!(events, BTreeSet::from([(Verb::Revoked, role("admin")), (Verb::Granted, role("reader"))]));
    // A grant without a role publishes nothing.
    assert_eq!(implied.due_events(&object, None, Some(&of("king")), 0), BTreeSet::new());
}

/// Every random model loads.
#[test]
fn random_models_load() {
    for (seed, is_crowded) in (0..300).flat_map(|seed| [(seed, false), (seed, true)]) {
        let text = designs::random(&Chance::new(seed), is_crowded);
        assert!(Model::parse("random.toml", &text).is_ok(), "seed {seed}:\n{text}");
    }
}

/// Of two edges of one child, the one counts that the guard names, while it exists.
#[test]
fn one_edge_of_a_child_counts() {
    const MODEL: &str = r##"
model = "store"
table = { pk = "PK", sk = "SK" }
[items.Folder]
pk = "FOLDER#{folderId}"
sk = "FOLDER"
[items.File]
pk = "FILE#{fileId}"
sk = "FILE"
[items.Within]
pk = "FOLDER#{folderId}"
sk = "FILE#{fileId}"
edge = { parent = "Folder", child = { type = "File", find = "back-reference" }, takes = "child", unique = "child" }
[items.Place]
pk = "PLACE#{fileId}"
sk = "PLACE"
guard.owner = "Within"
"##;
    let model = Arc::new(Model::parse("store.toml", MODEL).unwrap());
    let mut implied = Implied::new(Arc::clone(&model));
    let key = |pk: &str, sk: &str| Key { pk: pk.to_owned(), sk: sk.to_owned() };
    let states = |implied: &Implied| {
        let state = |pk: &str| implied.rows().get(&key(pk, "FILE#x")).map(|row| implied.edge_state(row));
        (state("FOLDER#a"), state("FOLDER#b"))
    };
    for folder in ["FOLDER#a", "FOLDER#b"] {
        let key = key(folder, "FILE#x");
        implied.write(&key, Some(item(&model, &key, &[])), 0);
    }
    assert_eq!(states(&implied), (Some(EdgeState::Open), Some(EdgeState::Open)));
    let place = key("PLACE#x", "PLACE");
    implied.write(&place, Some(item(&model, &place, &[("folderId", "a"), ("fileId", "x")])), 0);
    assert_eq!(states(&implied), (Some(EdgeState::Counts), Some(EdgeState::Waits)));
    implied.write(&key("FOLDER#a", "FILE#x"), None, 0);
    assert_eq!(states(&implied), (None, Some(EdgeState::Open)));
}
