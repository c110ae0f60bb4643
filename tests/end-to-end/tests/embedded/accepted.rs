//! What `instep check` accepts comes true: words of own models, each in a small world.

use aws_sdk_dynamodb::types::{
    AttributeDefinition, CreateGlobalSecondaryIndexAction, DeleteGlobalSecondaryIndexAction,
    GlobalSecondaryIndexUpdate, KeySchemaElement, KeyType, Projection, ProjectionType, ScalarAttributeType,
};
use serde_json::json;

use crate::gate::{held_at, take_records};
use crate::own::{groups, keys, parked, put, world};
use crate::world::{World, pk};

const TEAMS: &str = r#"
[names]
level = ["owner", "guest"]
[items.Person]
pk = "P#{personId}"
sk = "P"
entity = "Person"
cognito.user = { name = "{personId}" }
[items.Team]
pk = "T#{teamId}"
sk = "T"
entity = "Team"
cognito.groups = "{level}|{teamId}"
[items.Seat]
pk = "T#{teamId}"
sk = "SEAT#{personId}"
parent = ["Team", { type = "Person", find = "back-reference" }]
grant = { subject = "Person", scope = "Team", roles = "rank" }
cognito.member = { user = "Person", group = "Team" }
"#;

/// Promise 1: a role outside the closed set of the groups creates none, whatever the set's name.
#[tokio::test]
async fn an_unlisted_role_creates_no_group() {
    let world = world(TEAMS).await;
    for (pk, sk) in [("P#ann", "P"), ("P#bob", "P"), ("T#red", "T")] {
        put(&world, (pk, sk), json!({})).await;
    }
    put(&world, ("T#red", "SEAT#ann"), json!({"rank": "owner"})).await;
    put(&world, ("T#red", "SEAT#bob"), json!({"rank": "king"})).await;
    let reports = world.drain().await;
    assert_eq!(parked(&reports), ["cognito-name"]);
    assert_eq!(groups(&world).await, ["guest|red", "owner|red"]);
    assert_eq!(world.members("owner|red").await, ["ann"]);
}

/// Promise 1: the closed set of a grant's roles holds where other attributes have the name.
#[tokio::test]
async fn a_closed_set_holds_in_every_spelling() {
    let text = TEAMS
        .replace("level = [\"owner\", \"guest\"]", "level = { values = [\"owner\"], attribute = [\"lvl\", \"lev\"] }")
        .replace("cognito.groups = \"{level}|{teamId}\"\n", "")
        .replace("roles = \"rank\"", "roles = \"level\"")
        .replace("group = \"Team\"", "group = \"{role}|{teamId}\"");
    let world = world(&text).await;
    for (pk, sk) in [("P#ann", "P"), ("P#bob", "P"), ("T#red", "T")] {
        put(&world, (pk, sk), json!({})).await;
    }
    put(&world, ("T#red", "SEAT#ann"), json!({"lev": "owner"})).await;
    put(&world, ("T#red", "SEAT#bob"), json!({"lvl": "king"})).await;
    let reports = world.drain().await;
    assert_eq!(parked(&reports), ["wrong-value"]);
    assert_eq!(groups(&world).await, ["owner|red"]);
}

const EMAILS: &str = r#"
[items.Person]
pk = "P#{personId|lower}"
sk = "P"
entity = "Person"
events = ["email"]
cognito.user = { name = "{personId}" }
[items.Email]
pk = "EMAIL#{email|lower}"
sk = "EMAIL#{email|lower|urlencode}"
guard = { owner = "Person" }
[[items.Email.claims]]
email = "{email}"
[items.Note]
pk = "NOTE#{noteId}"
sk = "NOTE"
entity = "Note"
events = ["author"]
parent = { type = "Person", personId = "{author}", find = "back-reference" }
"#;

/// Promise 7: a claim has the form of the guard's key, so two spellings are one value.
#[tokio::test]
async fn a_claim_is_written_as_the_key_of_its_guard() {
    let world = world(EMAILS).await;
    put(&world, ("P#ann", "P"), json!({"email": "Ann@X.com"})).await;
    world.drain().await;
    put(&world, ("P#bob", "P"), json!({"email": "ann@x.com"})).await;
    world.drain().await;
    assert_eq!(keys(&world).await, ["EMAIL#ann@x.com EMAIL#ann%40x.com", "P#ann P", "P#bob P"]);
    assert_eq!(world.verbs(), ["Person Created", "Person Created", "Person Conflicted"]);
    world.delete(("pk", "sk"), ("P#ann", "P")).await;
    world.drain().await;
    let guard = world.state().await.items.into_iter().find(|item| pk(item, "pk").starts_with("EMAIL")).unwrap();
    assert_eq!(pk(&guard, "personId"), "bob");
}

/// Promise 7: a writer's guard may name its owner in another spelling.
#[tokio::test]
async fn an_owner_is_known_in_every_spelling() {
    let world = world(EMAILS).await;
    put(&world, ("EMAIL#ann@x.com", "EMAIL#ann%40x.com"), json!({"personId": "Ann"})).await;
    put(&world, ("P#ann", "P"), json!({"email": "ann@x.com"})).await;
    put(&world, ("P#bob", "P"), json!({"email": "ann@x.com"})).await;
    world.drain().await;
    assert_eq!(world.verbs(), ["Person Created", "Person Created", "Person Conflicted"]);
}

/// Promise 7: a guard names its owner, though its own key has a name of the owner's key.
#[tokio::test]
async fn a_guard_names_its_owner_under_a_name_of_its_own_key() {
    let text = EMAILS.replace("{email|lower", "{personId|lower").replace("\nemail = ", "\npersonId = ");
    let world = world(&text).await;
    for pk in ["P#ann", "P#bob"] {
        put(&world, (pk, "P"), json!({"email": "ann@x.com"})).await;
    }
    world.drain().await;
    assert_eq!(world.verbs(), ["Person Created", "Person Created", "Person Conflicted"]);
    let guard = world.state().await.items.into_iter().find(|item| pk(item, "pk").starts_with("EMAIL")).unwrap();
    assert_eq!((pk(&guard, "pk"), pk(&guard, "personId")), ("EMAIL#ann@x.com", "ann"));
}

/// Promise 6: a value that no guard's key can have is parked, and never left out silently.
#[tokio::test]
async fn a_claim_without_a_key_is_parked() {
    let world = world(&EMAILS.replace("sk = \"EMAIL#{email|lower|urlencode}\"", "sk = \"{email|lower}#EMAIL\"")).await;
    put(&world, ("P#ann", "P"), json!({"email": "ann#x"})).await;
    put(&world, ("P#bob", "P"), json!({"email": "x".repeat(3_000)})).await;
    let reports = world.drain().await;
    assert_eq!(parked(&reports), ["wrong-value", "wrong-value"]);
}

/// Promise 1: two items never share a Cognito user, though its name has a number of one width.
#[tokio::test]
async fn a_number_with_leading_zeros_has_no_padded_user() {
    let bots = "[items.Bot]\npk = \"BOT#{no}\"\nsk = \"BOT\"\ncognito.user = { name = \"bot-{no|pad:4}\" }\n";
    let world = world(bots).await;
    for pk in ["BOT#7", "BOT#007"] {
        put(&world, (pk, "BOT"), json!({})).await;
    }
    let mut reports = world.drain().await;
    world.delete(("pk", "sk"), ("BOT#007", "BOT")).await;
    reports.extend(world.drain().await);
    assert_eq!(parked(&reports), ["cognito-name"]);
    let users: Vec<String> = world.state().await.users.into_iter().map(|user| user.username).collect();
    assert_eq!(users, ["bot-0007"]);
}

/// Promise 1: a reference has the form of the key that it leads to, and one that leads to no key is parked.
#[tokio::test]
async fn a_reference_is_written_as_the_key_that_it_leads_to() {
    let world = world(&format!("{EMAILS}[items.Dog]\npk = \"{{personId|lower}}#DOG\"\nsk = \"DOG\"\n")).await;
    put(&world, ("P#ann", "P"), json!({})).await;
    put(&world, ("NOTE#1", "NOTE"), json!({"author": "Ann"})).await;
    put(&world, ("NOTE#2", "NOTE"), json!({"author": "ann#bob"})).await;
    let reports = world.drain().await;
    assert_eq!(parked(&reports), ["wrong-value"]);
    world.delete(("pk", "sk"), ("P#ann", "P")).await;
    world.drain().await;
    assert_eq!(keys(&world).await, ["NOTE#2 NOTE"]);
}

const SCOPED: &str = r#"
[oneof.Scope]
by = "kind"
team = { type = "Team", teamId = "{scopeId}" }
house = { type = "House", houseId = "{scopeId}" }
[indexes]
GSI1 = { pk = "g1p", sk = "g1s" }
[items.Team]
pk = "T#{teamId}"
sk = "T"
entity = "Team"
[items.House]
pk = "H#{houseId}"
sk = "H"
entity = "House"
[items.Note]
pk = "N#{noteId}"
sk = "N"
GSI1 = { pk = "{kind}#{scopeId}", sk = "N" }
entity = "Note"
parent = { type = "Scope", find = "back-reference" }
"#;

/// Promise 2: a child that moves to a parent of another type between the read and the deletion stays.
#[tokio::test]
async fn a_child_that_changed_the_type_of_its_parent_stays() {
    let world = world(SCOPED).await;
    for (pk, sk) in [("T#1", "T"), ("H#1", "H")] {
        put(&world, (pk, sk), json!({})).await;
    }
    let note = |kind: &str| json!({"kind": kind, "scopeId": "1"});
    put(&world, ("N#n", "N"), note("team")).await;
    world.drain().await;
    world.delete(("pk", "sk"), ("T#1", "T")).await;
    let records = take_records(&world).await;
    held_at(&world, "TransactWriteItems", &records, put(&world, ("N#n", "N"), note("house"))).await;
    world.drain().await;
    assert_eq!(keys(&world).await, ["H#1 H", "N#n N"]);
}

/// Promise 2: the same if only a key of an index names the parent.
#[tokio::test]
async fn a_child_that_moved_to_another_parent_by_its_index_key_stays() {
    let text = "[indexes]\nGSI1 = { pk = \"g1p\", sk = \"g1s\" }\n\
                [items.Team]\npk = \"T#{teamId}\"\nsk = \"T\"\nentity = \"Team\"\n\
                [items.Note]\npk = \"N#{noteId}\"\nsk = \"N\"\nentity = \"Note\"\nparent = \"Team\"\n\
                GSI1 = { pk = \"TEAM#{teamId}\", sk = \"N\" }\n";
    let world = world(text).await;
    put(&world, ("T#1", "T"), json!({})).await;
    put(&world, ("T#2", "T"), json!({})).await;
    put(&world, ("N#n", "N"), json!({"g1p": "TEAM#1", "g1s": "N"})).await;
    world.drain().await;
    world.delete(("pk", "sk"), ("T#1", "T")).await;
    let records = take_records(&world).await;
    let moved = put(&world, ("N#n", "N"), json!({"g1p": "TEAM#2", "g1s": "N"}));
    held_at(&world, "TransactWriteItems", &records, moved).await;
    world.drain().await;
    assert_eq!(keys(&world).await, ["N#n N", "T#2 T"]);
}

/// Promise 2: an identity that exists without an item still exists when such an item is deleted.
#[tokio::test]
async fn what_belongs_to_an_assumed_identity_stays_when_its_item_is_deleted() {
    let text = r#"
[items.Person]
pk = "P#{personId}"
sk = "P"
cognito.user = { name = "{personId}" }
[items.Town]
pk = "T#{townId}"
sk = "TOWN"
assumed = [{ townId = "root" }]
[items.Street]
pk = "T#{townId}"
sk = "S#{streetId}"
parent = "Town"
[items.Seat]
pk = "T#{townId}"
sk = "SEAT#{personId}"
parent = "Town"
grant = { subject = { type = "Person", find = "back-reference" }, scope = "Town" }
cognito.member = { user = { type = "Person", find = "back-reference" }, group = "town:{townId}" }
"#;
    let world = world(text).await;
    put(&world, ("P#ann", "P"), json!({})).await;
    for town in ["T#root", "T#a"] {
        for sk in ["TOWN", "S#1", "SEAT#ann"] {
            put(&world, (town, sk), json!({})).await;
        }
    }
    world.drain().await;
    assert_eq!(groups(&world).await, ["town:a", "town:root"]);
    for town in ["T#root", "T#a"] {
        world.delete(("pk", "sk"), (town, "TOWN")).await;
    }
    world.drain().await;
    assert_eq!(keys(&world).await, ["P#ann P", "T#root S#1", "T#root SEAT#ann"]);
    assert_eq!(groups(&world).await, ["town:root"]);
    assert_eq!(world.members("town:root").await, ["ann"]);
}

/// Promise 1: DynamoDB compares numbers by their value.
#[tokio::test]
async fn a_number_is_the_same_however_it_is_written() {
    let text = "[items.Person]\npk = \"P#{personId}\"\nsk = \"P\"\nentity = \"Person\"\n\
                cognito.user = { name = \"{personId}\", disabled = { level = 1.0 } }\n";
    let world = world(text).await;
    put(&world, ("P#ann", "P"), json!({"level": 1})).await;
    put(&world, ("P#bob", "P"), json!({"level": 10})).await;
    world.drain().await;
    let users = world.state().await.users;
    let enabled: Vec<_> = users.iter().map(|user| (user.username.as_str(), user.enabled)).collect();
    assert_eq!(enabled, [("ann", false), ("bob", true)]);
}

/// Promise 1: of an index only the keys are used, so it may project nothing else.
#[tokio::test]
async fn an_index_that_projects_only_keys_is_enough() {
    let text = "[indexes]\nGSI1 = { pk = \"g1p\", sk = \"g1s\" }\n\
                [items.Person]\npk = \"P#{personId}\"\nsk = \"P\"\nentity = \"Person\"\n\
                [items.Note]\npk = \"N#{noteId}\"\nsk = \"N\"\nentity = \"Note\"\nparent = \"Person\"\n\
                GSI1 = { pk = \"PERSON#{personId}\", sk = \"N\" }\n";
    let world = world(text).await;
    keys_only(&world).await;
    put(&world, ("P#1", "P"), json!({})).await;
    put(&world, ("N#n", "N"), json!({"personId": "1", "g1p": "PERSON#1", "g1s": "N"})).await;
    world.drain().await;
    world.delete(("pk", "sk"), ("P#1", "P")).await;
    world.drain().await;
    assert_eq!(keys(&world).await, [""; 0]);
}

/// Makes the index anew, with keys alone.
async fn keys_only(world: &World) {
    let update = || world.client.update_table().table_name("table");
    let drop = DeleteGlobalSecondaryIndexAction::builder().index_name("GSI1").build().unwrap();
    let drop = GlobalSecondaryIndexUpdate::builder().delete(drop).build();
    update().global_secondary_index_updates(drop).send().await.unwrap();
    let key = |name: &str, of: KeyType| KeySchemaElement::builder().attribute_name(name).key_type(of).build().unwrap();
    let named = |name: &str| {
        AttributeDefinition::builder().attribute_name(name).attribute_type(ScalarAttributeType::S).build().unwrap()
    };
    let create = CreateGlobalSecondaryIndexAction::builder()
        .index_name("GSI1")
        .key_schema(key("g1p", KeyType::Hash))
        .key_schema(key("g1s", KeyType::Range))
        .projection(Projection::builder().projection_type(ProjectionType::KeysOnly).build())
        .build()
        .unwrap();
    let create = GlobalSecondaryIndexUpdate::builder().create(create).build();
    let attributes = ["pk", "sk", "g1p", "g1s"].map(named);
    update()
        .set_attribute_definitions(Some(attributes.to_vec()))
        .global_secondary_index_updates(create)
        .send()
        .await
        .unwrap();
}

/// A scope without groups. The grants in it stay when it is deleted, and grant nothing then.
const SCOPES: &str = r#"
[names]
level = ["owner", "guest"]
[indexes]
GSI1 = { pk = "g1p", sk = "g1s" }
[items.Person]
pk = "P#{personId}"
sk = "P"
cognito.user = { name = "{personId}" }
[items.Project]
pk = "J#{projectId}"
sk = "J"
[items.Seat]
pk = "P#{personId}"
sk = "SEAT#{projectId}"
GSI1 = { pk = "J#{projectId}", sk = "SEAT#{personId}" }
grant = { subject = "Person", scope = "Project", roles = "level" }
cognito.member = { user = "Person", group = "{projectId}|{role}", made = "on-demand" }
"#;

/// Promise 1: a grant whose scope is deleted loses its membership, although neither its user nor its
/// group is deleted with the scope, and gets it back with the scope.
#[tokio::test]
async fn a_membership_goes_with_a_scope_that_has_no_group() {
    let world = world(SCOPES).await;
    put(&world, ("P#ann", "P"), json!({})).await;
    put(&world, ("J#roof", "J"), json!({})).await;
    put(&world, ("P#ann", "SEAT#roof"), json!({"level": "owner", "g1p": "J#roof", "g1s": "SEAT#ann"})).await;
    world.drain().await;
    assert_eq!(world.members("roof|owner").await, ["ann"]);
    world.delete(("pk", "sk"), ("J#roof", "J")).await;
    world.drain().await;
    assert_eq!(world.members("roof|owner").await, [""; 0]);
    put(&world, ("J#roof", "J"), json!({})).await;
    world.drain().await;
    assert_eq!(world.members("roof|owner").await, ["ann"]);
}

/// Promise 7: if two claims of an item give the same guard, each counts.
#[tokio::test]
async fn two_claims_of_one_value_are_as_strong_as_the_stronger() {
    const ADDRESSES: &str = r#"
[items.Person]
pk = "P#{personId}"
sk = "P"
entity = "Person"
[items.Address]
pk = "A#{address|lower}"
sk = "A"
guard = { owner = "Person" }
[[items.Address.claims]]
address = "{email}"
transfer = { when = { verified = true } }
[[items.Address.claims]]
address = "{backup}"
"#;
    let world = world(ADDRESSES).await;
    put(&world, ("P#ann", "P"), json!({"email": "x"})).await;
    world.drain().await;
    put(&world, ("P#bob", "P"), json!({"email": "x", "backup": "X", "verified": true})).await;
    world.drain().await;
    let guard = world.state().await.items.into_iter().find(|item| pk(item, "pk") == "A#x").unwrap();
    assert_eq!(pk(&guard, "personId"), "bob");
}

/// Promise 1: roles that a template makes of an attribute also count if the grant comes first. A value that the
/// template cannot give back gives no role, and its record is parked.
#[tokio::test]
async fn roles_of_a_template_are_read_from_an_attribute() {
    let world = world(
        r#"
[names]
ends = { is = "time" }
[items.Person]
pk = "P#{personId}"
sk = "P"
cognito.user = { name = "{personId}" }
[items.Seat]
pk = "T#{teamId}"
sk = "SEAT#{personId}"
grant = { subject = { type = "Person", find = "back-reference" }, scope = "{teamId}", roles = "{level|pad:3}" }
cognito.member = { user = "Person", group = "team:{teamId}:{role}" }
due = { at = "ends", when = { state = "open" }, set = { state = "shut" } }
"#,
    )
    .await;
    put(&world, ("T#red", "SEAT#ann"), json!({"level": "7"})).await;
    world.drain().await;
    put(&world, ("P#ann", "P"), json!({})).await;
    world.drain().await;
    assert_eq!(world.members("team:red:007").await, ["ann"]);
    for (level, ends, code) in [
        (json!("x"), json!(""), "wrong-value"),
        (json!("07"), json!(""), "wrong-value"),
        (json!(["7"]), json!(""), "wrong-type"),
        (json!("7"), json!(["2026-05-02"]), "wrong-type"),
    ] {
        put(&world, ("T#red", "SEAT#ann"), json!({"level": level, "ends": ends, "state": "open"})).await;
        assert_eq!(parked(&world.drain().await), [code], "{level} {ends}");
    }
}
