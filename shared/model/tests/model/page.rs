//! The example of `docs/MODEL.md` is a valid model, and means what the page says.

use expect_test::expect;
use instep_model::{Identity, Model, describe};

use crate::{key, rendered};

/// The page's only block of TOML.
fn example() -> String {
    let page = std::fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/MODEL.md")).unwrap();
    let blocks: Vec<&str> = page.split("```toml\n").skip(1).collect();
    assert_eq!(blocks.len(), 1);
    blocks[0].split("```").next().unwrap().to_owned()
}

#[test]
fn the_worked_example_loads_and_its_table_is_read() {
    let model = Model::parse("MODEL.md", &example()).unwrap_or_else(|errors| panic!("{}", rendered(&errors)));
    let rows = [
        ("PERSON#p1", "PERSON", "Person"),
        ("EMAIL#ann@example.com", "EMAIL", "Email"),
        ("TEAM#t1", "TEAM", "Team"),
        ("TEAM#t1", "SEAT#p1", "Seat"),
        ("TEAM#t1", "BOARD#b1", "Board"),
    ];
    for (pk, sk, item) in rows {
        let Identity::Item { object, canonical: true } = model.identify(&key(pk, sk)) else { panic!("{pk} / {sk}") };
        assert_eq!(model.item(object.of).name, item);
    }
    expect![[r#"
        boards
          table     keys PK and SK; indexes GSI1
          items     5 types; others are parked; keys that begin with INSTEP# are Instep's own
          events    source com.example.boards, detail type {Entity} {Verb}

        Item types, in the order in which a key is tried
          Person  entity  PERSON#{personId} / PERSON
          Email   guard   EMAIL#{email|lower} / EMAIL
          Team    entity  TEAM#{teamId} / TEAM
          Seat    grant   TEAM#{teamId} / SEAT#{personId}
          Board   entity  TEAM#{teamId} / BOARD#{boardId}

        Access paths
          Seat -> Team (parent)
            down  partition TEAM#{teamId}, sort keys that begin with SEAT#
            up    by key, teamId = {teamId}
          Seat -> Person (parent)
            down  index GSI1, partition PERSON#{personId}, sort keys that begin with TEAM#
            up    by key, personId = {personId}
          Board -> Team (parent)
            down  partition TEAM#{teamId}, sort keys that begin with BOARD#
            up    by key, teamId = {teamId}

        Reactions
          Person  Cognito user {personId}: created without a message, disabled while state is blocked,
                    deleted with the item
                  Cognito user attributes: email = {email}
          Email   reserves a value for the Person that its personId names
                  unique: email = {email|lower}
          Team    Cognito groups team:{teamId}:{role}, one for each role (owner, editor, viewer)
          Seat    deleted when its Team or Person is deleted
                  pending while its Team or Person does not exist
                  grants its Person roles (attribute role) in its Team
                  Person is a member of Cognito group team:{teamId}:{role}, created with its item
          Board   deleted when its Team is deleted

        Events
          Person  created, updated, deleted, conflicted
                  with name, state
          Email   none
          Team    created, updated, deleted
                  with name
          Seat    updated, revoked, granted as its subject
                  with role
          Board   created, updated, deleted
                  with title
    "#]]
    .assert_eq(&describe(&model));
}

#[test]
fn without_its_index_the_example_is_refused_as_the_page_says() {
    let line = "GSI1 = { pk = \"PERSON#{personId}\", sk = \"TEAM#{teamId}\" }\n";
    let without = example().replace(line, "");
    assert_ne!(without, example());
    let errors = Model::parse("MODEL.md", &without).unwrap_err();
    let messages: Vec<String> = errors.problems().iter().map(ToString::to_string).collect();
    assert_eq!(messages, ["no template leads from a `Person` to its `Seat` items"]);
}

#[test]
fn every_word_of_the_language_is_on_the_page() {
    let page = std::fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/MODEL.md")).unwrap();
    let words = "model extends source detail_type correlation table indexes names oneof cognito.marker items pk sk type ttl \
                 unknown secret values attribute like is entity id events publish verb assumed parent edge takes grant \
                 subject scope roles from until last guard owner by writes claims when transfer cognito.user create \
                 delete disabled attributes cognito.groups cognito.member user group made present word changed cause pad each formerly due at set find keep written";
    for word in words.split_whitespace() {
        let said =
            [format!("`{word}`"), format!("`{word}"), format!("|{word}"), format!("{word} = "), format!(".{word}`")];
        assert!(said.iter().any(|said| page.contains(said)), "`{word}` is not on the page");
    }
}
