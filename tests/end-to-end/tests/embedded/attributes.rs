//! The attributes from which references, groups and users take their values.

use serde_json::{Value, json};

use crate::own::{keys, parked, put, world};

/// Promise 2: an attribute comes before a name inside the shape of another attribute.
#[tokio::test]
async fn an_attribute_comes_before_a_name_inside_another() {
    let world = world(
        r#"
[names.urn]
like = "urn:{kind}:{teamId}"
[items.Team]
pk = "T#{teamId}"
sk = "T"
[items.Thing]
pk = "X#{urn}"
sk = "X"
[items.Note]
pk = "N#{noteId}"
sk = "N"
parent = { type = "Team", teamId = "{teamId}", find = "back-reference" }
"#,
    )
    .await;
    put(&world, ("T#red", "T"), json!({})).await;
    put(&world, ("T#blue", "T"), json!({})).await;
    put(&world, ("N#both", "N"), json!({"teamId": "red", "urn": "urn:note:blue"})).await;
    put(&world, ("N#urn", "N"), json!({"urn": "urn:note:blue"})).await;
    world.drain().await;
    world.delete(("pk", "sk"), ("T#blue", "T")).await;
    world.drain().await;
    assert_eq!(keys(&world).await, ["N#both N", "T#red T"]);
    world.delete(("pk", "sk"), ("T#red", "T")).await;
    world.drain().await;
    assert_eq!(keys(&world).await, [""; 0]);
}

/// Promise 2: an index key says a name only if no attribute does, also not inside another name.
#[tokio::test]
async fn an_attribute_comes_before_an_index_key() {
    let world = world(
        r#"
[names]
urn = { like = "urn/{teamId}" }
arn = { like = "arn/{teamId}" }
[items.Team]
pk = "T#{teamId}"
sk = "T"
[items.Thing]
pk = "X#{urn}"
sk = "X"
[items.Note]
pk = "N#{noteId}"
sk = "N"
GSI1 = { pk = "{arn}", sk = "N" }
parent = { type = "Team", teamId = "{teamId}", find = "back-reference" }
[indexes]
GSI1 = { pk = "g1p", sk = "g1s" }
"#,
    )
    .await;
    for team in ["T#red", "T#blue"] {
        put(&world, (team, "T"), json!({})).await;
    }
    put(&world, ("N#1", "N"), json!({"urn": "urn/red", "g1p": "arn/blue", "g1s": "N"})).await;
    put(&world, ("N#2", "N"), json!({"g1p": "arn/blue", "g1s": "N"})).await;
    world.drain().await;
    world.delete(("pk", "sk"), ("T#blue", "T")).await;
    world.drain().await;
    assert_eq!(keys(&world).await, ["N#1 N", "T#red T"]);
}

/// Promise 6: an attribute that only has the name of something in the model parks nothing and hides nothing.
#[tokio::test]
async fn an_attribute_of_the_same_name_is_left_alone() {
    let world = world(
        r#"
[names.urn]
like = "urn/{place}/{teamId}"
[indexes]
GSI1 = { pk = "g1p", sk = "g1s" }
[items.Team]
pk = "T#{teamId}"
sk = "T"
[items.Thing]
pk = "X#{urn}"
sk = "X"
[oneof.Owner]
by = "about"
team = { type = "Team", teamId = "{owner}" }
[items.Note]
pk = "N#{noteId}"
sk = "N"
GSI1 = { pk = "{about}#{owner}", sk = "N" }
parent = "Owner"
[items.Page]
pk = "P#{pageId}"
sk = "P"
parent = { type = "Team", teamId = "{teamId}", find = "back-reference" }
[items.Part]
pk = "X#{urn}"
sk = "PART"
parent = { type = "Team", find = "back-reference" }
"#,
    )
    .await;
    put(&world, ("T#t", "T"), json!({})).await;
    put(&world, ("N#1", "N"), json!({"about": {"a": "map"}, "g1p": "team#t", "g1s": "N"})).await;
    put(&world, ("P#1", "P"), json!({"teamId": "t", "urn": ["a", "list"]})).await;
    put(&world, ("X#urn/here/t", "PART"), json!({"urn": {"a": "map"}, "teamId": {"a": "map"}})).await;
    assert_eq!(parked(&world.drain().await), [""; 0]);
    world.delete(("pk", "sk"), ("T#t", "T")).await;
    world.drain().await;
    assert_eq!(keys(&world).await, [""; 0]);
}

/// Promise 7: the names of two spellings together are no key, so such a reference can lead nowhere.
#[tokio::test]
async fn a_reference_with_the_names_of_two_spellings_is_parked() {
    let world = world(
        r#"
[items.Team]
pk = ["T#{teamId}", "OLD#{number}"]
sk = "T"
[items.Note]
pk = "N#{noteId}"
sk = "N"
parent = { type = "Team", teamId = "{team}", number = "{old}", find = "back-reference" }
"#,
    )
    .await;
    for team in ["T#a", "OLD#1"] {
        put(&world, (team, "T"), json!({})).await;
    }
    for (note, more) in [("N#1", json!({"team": "a"})), ("N#2", json!({"old": "1"}))] {
        put(&world, (note, "N"), more).await;
    }
    assert_eq!(parked(&world.drain().await), [""; 0]);
    put(&world, ("N#3", "N"), json!({"team": "a", "old": "1"})).await;
    assert_eq!(parked(&world.drain().await), ["wrong-value"]);
    world.delete(("pk", "sk"), ("OLD#1", "T")).await;
    world.drain().await;
    assert_eq!(keys(&world).await, ["N#1 N", "N#3 N", "T#a T"]);
}

/// Promise 7: of several attributes the first that is not empty counts, also if it is no text. A list of roles is no
/// Cognito attribute: the record is parked, and the roles count.
#[tokio::test]
async fn a_value_that_is_no_text_is_parked_and_no_other_is_taken() {
    let model = r#"
[names]
team = { attribute = ["team", "oldTeam"] }
[items.Person]
pk = "P#{personId}"
sk = "P"
cognito.user = { name = "{personId}", attributes = { "custom:level" = "{level}" } }
grant = { subject = "Person", roles = "level" }
cognito.member = { user = "Person", group = "team:{team}:{role}" }
"#;
    let both = |team: Value, level: Value| json!({"team": team, "oldTeam": "blue", "level": level});
    for (item, code, found) in [
        (both(json!(""), json!("a")), None, &["team:blue:a"][..]),
        (both(json!(["red"]), json!("a")), Some("wrong-type"), &[]),
        (both(json!("red"), json!(["a", "b"])), Some("wrong-type"), &[]),
    ] {
        let world = world(model).await;
        put(&world, ("P#ann", "P"), item).await;
        assert_eq!(parked(&world.drain().await).first().copied(), code);
        assert_eq!(crate::own::groups(&world).await, found);
    }
}
