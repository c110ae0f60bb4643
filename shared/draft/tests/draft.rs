//! Drafts of small tables, of hostile ones, and of any.

#![expect(clippy::unwrap_used, reason = "a test stops where it cannot go on")]

use std::collections::{BTreeMap, BTreeSet};

use expect_test::expect;
use instep_draft::{Draft, NoDraft, Schema, draft};
use instep_model::{Bytes, Identity, Item, Key, Model, Value};
use proptest::prelude::*;

/// An item of `name=value` pairs.
fn item(text: &str) -> Item {
    let pair = |pair: &str| {
        let (name, value) = pair.split_once('=').unwrap();
        (name.to_owned(), Value::S(value.to_owned()))
    };
    text.split_whitespace().map(pair).collect()
}

fn items(lines: &str) -> Vec<Item> {
    lines.lines().map(str::trim).filter(|line| !line.is_empty()).map(item).collect()
}

fn drafted(items: &[Item]) -> Result<Draft, NoDraft> {
    draft("mine", &Schema::guessed(items, &BTreeSet::new())?, items.iter().cloned())
}

fn type_of(draft: &Draft, pk: &str, sk: &str) -> String {
    match draft.model.identify(&Key { pk: pk.to_owned(), sk: sk.to_owned() }) {
        Identity::Item { object, .. } => draft.model.item(object.of).name.clone(),
        Identity::Bookkeeping | Identity::Unknown { .. } => "none".to_owned(),
    }
}

/// The table of the worked example in docs/guide/first-model.md.
const BOARDS: &str = "
    PK=PERSON#p1 SK=PERSON personId=p1 name=Ann email=Ann@example.com state=active
    PK=PERSON#p2 SK=PERSON personId=p2 name=Bo email=bo@example.com state=active
    PK=EMAIL#ann@example.com SK=EMAIL personId=p1
    PK=EMAIL#bo@example.com SK=EMAIL personId=p2
    PK=TEAM#t1 SK=TEAM teamId=t1 name=Red
    PK=TEAM#t1 SK=SEAT#p1 GSI1PK=PERSON#p1 GSI1SK=TEAM#t1 role=owner teamId=t1 personId=p1
    PK=TEAM#t1 SK=BOARD#b1 boardId=b1 title=Plans teamId=t1";

#[test]
fn the_worked_example_gives_its_own_model() {
    let draft = drafted(&items(BOARDS)).unwrap();
    expect![[r##"
        # A draft by `instep init`, from 7 items: a proposal. Read it line by line.
        # Active lines have the evidence beside them. `decide:` marks what the items cannot say.
        model = "mine"
        source = "com.example.mine"

        [table]
        pk = "PK"
        sk = "SK"

        [indexes] # by the names of attributes: compare with the table
        GSI1 = { pk = "GSI1PK", sk = "GSI1SK" }

        [items.Email] # 2 items
        pk = "EMAIL#{email|lower}"
        sk = "EMAIL"
        guard = { owner = "Person" } # email is `email` of Person
        # decide: Instep creates a guard for each such value, and deletes it when the owner no longer has the value.

        [items.Person] # 2 items
        pk = "PERSON#{personId}"
        sk = "PERSON"
        entity = "Person"
        # decide: does Cognito know a person by personId? cognito.user = { name = "{personId}", attributes = { email = "{email}" } }
        # decide: does something depend on state? See conditions (`when`, `disabled`)
        # decide: which attributes may subscribers see? events = ["email", "name", "state"]

        [items.Board] # 1 item
        pk = "TEAM#{teamId}"
        sk = "BOARD#{boardId}"
        entity = "Board"
        parent = "Team" # Team: 1 of 1 exist
        # decide: which attributes may subscribers see? events = ["title"]

        [items.Seat] # 1 item
        pk = "TEAM#{teamId}"
        sk = "SEAT#{personId}"
        GSI1 = { pk = "PERSON#{personId}", sk = "TEAM#{teamId}" }
        parent = ["Person", "Team"] # Person: 1 of 1 exist; Team: 1 of 1 exist
        grant = { subject = "Person", scope = "Team", roles = "role" } # roles in 1 of 1, 1 different role
        # decide: a Cognito group for each scope and role? cognito.member = { user = "Person", group = "seat:{teamId}:{role}" }
        # decide: which attributes may subscribers see? events = ["role"]

        [items.Team] # 1 item
        pk = "TEAM#{teamId}"
        sk = "TEAM"
        entity = "Team"
        # decide: which attributes may subscribers see? events = ["name"]
    "##]].assert_eq(&draft.text);
}

/// Promise 2: an index that finds items of one parent by a person does not make them the person's. No item type is
/// called a person here: the one with addresses is.
#[test]
fn what_an_index_finds_by_a_person_stays_when_the_person_goes() {
    let text = drafted(&items(
        "
        PK=CLINIC#c1 SK=CLINIC clinicId=c1 name=North
        PK=STAFF#ann SK=PROFILE username=ann email=ann@example.com
        PK=STAFF#bo SK=PROFILE username=bo email=bo@example.com
        PK=CLINIC#c1 SK=STAFF#ann GSI1PK=STAFF#ann GSI1SK=CLINIC#c1 clinicId=c1 username=ann role=vet
        PK=CLINIC#c1 SK=STAFF#bo GSI1PK=STAFF#bo GSI1SK=CLINIC#c1 clinicId=c1 username=bo role=nurse
        PK=CLINIC#c1 SK=VISIT#v1 GSI1PK=STAFF#ann GSI1SK=VISIT#v1 clinicId=c1 visitId=v1 vet=ann
        PK=CLINIC#c1 SK=VISIT#v2 GSI1PK=STAFF#bo GSI1SK=VISIT#v2 clinicId=c1 visitId=v2 vet=bo",
    ))
    .unwrap()
    .text;
    let of =
        |item: &str| text.split("\n\n").find(|block| block.contains(&format!("sk = \"{item}#{{"))).unwrap().to_owned();
    let visit = of("VISIT");
    assert!(visit.contains("\nparent = \"Clinic\" #"), "{visit}");
    assert!(visit.contains("\n# decide: only an index names it"), "{visit}");
    assert!(!visit.contains("grant ="), "{visit}");
    assert!(of("STAFF").contains("\ngrant = { subject = "), "{}", of("STAFF"));
    assert!(text.contains("does Cognito know a person by username?"), "{text}");
    let without =
        drafted(&items("PK=CLINIC#c1 SK=CLINIC clinicId=c1\nPK=CLINIC#c2 SK=CLINIC clinicId=c2")).unwrap().text;
    assert!(without.contains("# decide: who signs in?") && !text.contains("who signs in?"), "{without}");
}

/// A wrong parent deletes items: one that few of the items show is left to people.
#[test]
fn a_parent_that_few_items_show_is_no_active_line() {
    let teams =
        |count: usize| (1..=count).map(|n| format!("PK=TEAM#t{n} SK=TEAM teamId=t{n} name=x\n")).collect::<String>();
    let boards = |count: usize| {
        (1..=count).map(|n| format!("PK=TEAM#t{n} SK=BOARD#b{n} boardId=b{n} teamId=t{n}\n")).collect::<String>()
    };
    let text = |teams: String, more: String| drafted(&items(&(teams + &more))).unwrap().text;
    for (exist, is_active) in [(11, true), (10, true), (8, false), (6, false), (1, false)] {
        let text = text(teams(exist), boards(11));
        let line = format!("parent = \"Team\" # Team: {exist} of 11 exist");
        assert!(text.contains(&line), "{text}");
        assert_eq!(text.contains(&format!("\n{line}")), is_active, "{text}");
    }
    let people = "PK=USER#u1 SK=USER userId=u1 mail=x\nPK=USER#u2 SK=USER userId=u2 mail=x\n";
    let note =
        |at: usize, of: &str, id: &str| format!("PK=NOTE#n{at} SK=OWNER#{of}#{id} noteId=n{at} ownerType={of}\n");
    for (missing, is_active) in [("2", true), ("9", false)] {
        let last = note(4, "user", &format!("u{missing}"));
        let notes = [note(1, "team", "t1"), note(2, "team", "t2"), note(3, "user", "u1"), last];
        let text = text(teams(2) + people, notes.concat());
        assert!(text.contains("Reference: by ownerType"), "{text}");
        assert_eq!(text.contains("\nparent = { type = \"OwnerReference\""), is_active, "{text}");
    }
}

/// What a model cannot describe is refused, with the fix.
#[test]
fn what_has_no_model_is_refused() {
    let refused = |items: &[Item]| drafted(items).unwrap_err();
    assert_eq!(refused(&[]), NoDraft::NoItems);
    assert_eq!(refused(&items("PK=a name=b")), NoDraft::NoSortKey);
    assert_eq!(refused(&items("name=a title=b")), NoDraft::NoKeys);
    let numbered = |value: Value| Item::from([("PK".to_owned(), Value::S("a".to_owned())), ("SK".to_owned(), value)]);
    for value in [Value::N("1".to_owned()), Value::B(Bytes(vec![1]))] {
        assert_eq!(refused(&[numbered(value)]), NoDraft::KeyIsNoString { name: "SK".to_owned() });
    }
    let json = |text: &str| Schema::described(&serde_json::from_str(text).unwrap());
    let hash = r#"{"AttributeName": "id", "KeyType": "HASH"}"#;
    let of = |keys: &str, kind: &str| {
        format!(
            r#"{{"Table": {{"KeySchema": [{keys}], "AttributeDefinitions": [{{"AttributeName": "id", "AttributeType": "{kind}"}}]}}}}"#
        )
    };
    assert_eq!(json(&of(hash, "S")), Err(NoDraft::NoSortKey));
    assert_eq!(json(&of(hash, "N")), Err(NoDraft::KeyIsNoString { name: "id".to_owned() }));
    assert!(matches!(json("{}"), Err(NoDraft::NotDescribed { .. })));
    assert!(refused(&[]).help().contains("scan"));
}

/// An index whose key is no string is said, and left out. Others are active, also on a plain attribute.
#[test]
fn indexes_are_as_the_table_says() {
    let json = r#"{"Table": {
        "KeySchema": [{"AttributeName": "a", "KeyType": "HASH"}, {"AttributeName": "b", "KeyType": "RANGE"}],
        "AttributeDefinitions": [{"AttributeName": "a", "AttributeType": "S"}, {"AttributeName": "b", "AttributeType": "S"},
            {"AttributeName": "rank", "AttributeType": "N"}, {"AttributeName": "email", "AttributeType": "S"}],
        "GlobalSecondaryIndexes": [
            {"IndexName": "byRank", "KeySchema": [{"AttributeName": "a", "KeyType": "HASH"}, {"AttributeName": "rank", "KeyType": "RANGE"}]},
            {"IndexName": "byEmail", "KeySchema": [{"AttributeName": "email", "KeyType": "HASH"}]}]}}"#;
    let schema = Schema::described(&serde_json::from_str(json).unwrap()).unwrap();
    let draft = draft("mine", &schema, items("a=USER#u1 b=USER userId=u1 email=a@b.example")).unwrap();
    assert!(draft.text.contains("The index `byRank` has a key that is no string"), "{}", draft.text);
    assert!(draft.text.contains("byEmail = { pk = \"{email}\" }"), "{}", draft.text);
}

/// Ids that are a whole key are told apart by how they begin.
#[test]
fn ids_with_prefixes_have_a_shape() {
    let draft = drafted(&items(
        "pk=user-1 sk=PROFILE userId=user-1 name=Ann
         pk=user-2 sk=PROFILE userId=user-2 name=Bo
         pk=team-1 sk=PROFILE teamId=team-1 name=Red
         pk=team-2 sk=PROFILE teamId=team-2 name=Blue",
    ))
    .unwrap();
    assert_eq!((draft.refused, draft.model.items.len()), (0, 2), "{}", draft.text);
    assert_ne!(type_of(&draft, "user-9", "PROFILE"), type_of(&draft, "team-9", "PROFILE"));
}

/// Keys as ElectroDB, OneTable and dynamodb-toolbox write them, in one table.
#[test]
fn keys_of_libraries_are_read() {
    let draft = drafted(&items(
        "pk=$app#orgid_o1 sk=$org_1 orgId=o1 __edb_e__=org __edb_v__=1
         pk=$app#orgid_o2 sk=$org_1 orgId=o2 __edb_e__=org __edb_v__=1
         pk=$app#orgid_o1 sk=$task_1#taskid_t1 orgId=o1 taskId=t1 __edb_e__=task __edb_v__=1
         pk=$app#orgid_o1 sk=$task_1#taskid_t2 orgId=o1 taskId=t2 __edb_e__=task __edb_v__=1",
    ))
    .unwrap();
    assert_eq!(draft.refused, 0, "{}", draft.text);
    assert!(draft.text.contains("sk = \"$task_1#taskid_{taskId}\""), "{}", draft.text);
    assert!(draft.text.contains("parent = \"Org\""), "{}", draft.text);
    // In a collection, the entity of a sort key looks like a value with a label.
    let draft = drafted(&items(
        "pk=$app#orgid_o1 sk=$all#org_1 orgId=o1 __edb_e__=org __edb_v__=1
         pk=$app#orgid_o2 sk=$all#org_1 orgId=o2 __edb_e__=org __edb_v__=1
         pk=$app#orgid_o1 sk=$all#task_1#taskid_t1 orgId=o1 taskId=t1 __edb_e__=task __edb_v__=1
         pk=$app#orgid_o1 sk=$all#task_1#taskid_t2 orgId=o1 taskId=t2 __edb_e__=task __edb_v__=1",
    ))
    .unwrap();
    assert_eq!(draft.refused, 0, "{}", draft.text);
    assert!(draft.text.contains("sk = \"$all#org_1\""), "{}", draft.text);
    assert!(draft.text.contains("parent = \"Org\""), "{}", draft.text);
    let draft = drafted(&items(
        "PK=account:a1 SK=account:a1 _type=Account id=a1
         PK=account:a2 SK=account:a2 _type=Account id=a2
         PK=account:a1 SK=user:u1 _type=User accountId=a1 id=u1
         PK=account:a2 SK=user:u2 _type=User accountId=a2 id=u2",
    ))
    .unwrap();
    assert_eq!(draft.refused, 0, "{}", draft.text);
    assert!(draft.text.contains("parent = \"Account\""), "{}", draft.text);
}

/// A draft has no values of attributes: they may be personal or secret.
#[test]
fn no_value_is_quoted() {
    let draft = drafted(&items(
        "PK=USER#u1 SK=USER userId=u1 name=Zebedee email=zebedee@secret.example password=hunter2 role=emperor
         PK=USER#u2 SK=USER userId=u2 name=Yolanda email=yolanda@secret.example password=hunter3 role=emperor
         PK=EMAIL#zebedee@secret.example SK=EMAIL userId=u1
         PK=TEAM#t1 SK=TEAM teamId=t1 status=besieged apiToken=abcdef yolanda@secret.example=yes
         PK=TEAM#t1 SK=MEMBER#u1 userId=u1 teamId=t1 role=emperor
         PK=TEAM#t1 SK=NOTE#xavier text=quixotic
         PK=TEAM#t1 SK=NOTE#wilma text=quixotic",
    ))
    .unwrap();
    let secret = [
        "zebedee",
        "yolanda",
        "secret.example",
        "hunter",
        "emperor",
        "besieged",
        "abcdef",
        "quixotic",
        "xavier",
        "wilma",
    ];
    for word in secret {
        assert!(!draft.text.to_lowercase().contains(word), "{word}:\n{}", draft.text);
    }
    assert!(draft.text.contains("secret = [\"apiToken\", \"password\"]"), "{}", draft.text);
}

/// Attributes as large as DynamoDB takes them, lists, and keys with many separators.
#[test]
fn large_items_are_read() {
    let mut large = item(&format!("PK=USER#u1 SK=USER userId=u1 text={}", "x".repeat(390_000)));
    large.insert("list".to_owned(), Value::L(vec![Value::Null(true); 10_000]));
    let deep = item(&format!("PK=USER#u1 SK={}", "A#".repeat(500)));
    assert!(drafted(&[large, deep]).is_ok());
}

/// Many item types of one form, as when ids are words, do not make a draft of thousands of lines.
#[test]
fn words_that_are_ids_are_no_constants() {
    let word = |number: usize| -> String {
        [number / 676 % 26, number / 26 % 26, number % 26].iter().map(|at| char::from(b'a' + *at as u8)).collect()
    };
    let many: Vec<Item> =
        (0..3_000).map(|at| item(&format!("PK={}#{} SK=PROFILE v=1", word(at), word(at * 7)))).collect();
    let draft = drafted(&many).unwrap();
    assert!(draft.model.items.len() <= 2, "{}", draft.text);
}

/// Parts of keys that are easily mistaken for one another.
fn key() -> impl Strategy<Value = String> {
    let piece = prop_oneof![
        4 => prop::sample::select(vec![
            "#", "|", ":", "/", "~", "-", "_", ".", "{", "}", "\"", "\\", "\u{7f}", "\n", "é", "USER", "user", "TEAM", "EMAIL", "A", "a",
            "METADATA", "$app", "orgid_", "user-", "INSTEP", "type", "find", "when", "parent.", "instep", "each", "|lower", "%2F",
        ]).prop_map(str::to_owned),
        3 => "[0-9]{1,3}",
        1 => "[a-z]{1,6}@[a-z]{1,3}\\.example",
        1 => "2026-0[1-9]-1[0-9]",
    ];
    prop::collection::vec(piece, 1..6).prop_map(|pieces| pieces.concat())
}

fn value() -> impl Strategy<Value = Value> {
    prop_oneof![
        6 => key().prop_map(Value::S),
        1 => "[0-9]{1,10}".prop_map(Value::N),
        1 => any::<bool>().prop_map(Value::Bool),
        1 => Just(Value::Null(true)),
        1 => prop::collection::vec(key(), 0..3).prop_map(Value::Ss),
        1 => prop::collection::vec(key().prop_map(Value::S), 0..3).prop_map(Value::L),
        1 => Just(Value::B(Bytes(vec![0, 255]))),
    ]
}

fn attribute() -> impl Strategy<Value = String> {
    prop_oneof![
        8 => prop::sample::select(vec![
            "GSI1PK", "GSI1SK", "type", "_type", "entityType", "id", "userId", "teamId", "email", "role", "status", "name", "ttl",
            "password", "find", "when", "instep", "parent", "due", "entity", "pkpk", "gsi1_pk", "expiresAt", "pk", "sk",
        ]).prop_map(str::to_owned),
        1 => key(),
    ]
}

/// A table: few different keys and values, so that items have much in common.
fn table() -> impl Strategy<Value = Vec<Item>> {
    (prop::collection::vec(key(), 1..5), prop::collection::vec(value(), 1..5)).prop_flat_map(|(keys, values)| {
        let keys = prop::sample::select(keys);
        let value = prop_oneof![2 => keys.clone().prop_map(Value::S), 2 => prop::sample::select(values), 1 => value()];
        let attributes = prop::collection::btree_map(attribute(), value, 0..6);
        let item = (prop_oneof![3 => keys.clone(), 1 => key()], prop_oneof![3 => keys, 1 => key()], attributes);
        let item = item.prop_map(|(pk, sk, mut item): (_, _, BTreeMap<String, Value>)| {
            item.insert("PK".to_owned(), Value::S(pk));
            item.insert("SK".to_owned(), Value::S(sk));
            item
        });
        prop::collection::vec(item, 1..14)
    })
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 400, ..ProptestConfig::default() })]

    /// Whatever was seen, the draft is a model that `check` accepts, or there is none and a reason.
    #[test]
    fn a_draft_of_any_table_compiles(items in table()) {
        match drafted(&items) {
            Ok(draft) => {
                prop_assert!(Model::parse("again", &draft.text).is_ok(), "{}", draft.text);
                prop_assert!(!draft.model.items.is_empty());
            }
            Err(why) => prop_assert!(!why.to_string().is_empty() && !why.help().is_empty()),
        }
    }

    /// The same items give the same draft, in whatever order they come.
    #[test]
    fn the_order_of_items_does_not_matter(items in table(), seed in any::<u64>()) {
        // Two images of one item are in the order of the stream.
        let mut keys = BTreeSet::new();
        let items: Vec<Item> = items.into_iter().filter(|item| keys.insert((item["PK"].clone(), item["SK"].clone()))).collect();
        let mut other = items.clone();
        let turn = seed as usize % items.len();
        other.rotate_left(turn);
        other.reverse();
        let text = |items: &[Item]| drafted(items).map(|draft| draft.text);
        prop_assert_eq!(text(&items), text(&other));
    }
}
