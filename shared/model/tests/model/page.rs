//! The example of `docs/guide/first-model.md` is a valid model, and means what the page says.

use std::collections::BTreeSet;

use expect_test::expect;
use instep_model::template::TRANSFORMS;
use instep_model::{Identity, Model, describe};

use crate::{key, parsed, rendered};

/// The page's first block of TOML.
fn example() -> String {
    let page =
        std::fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/guide/first-model.md")).unwrap();
    let block = page.split("```toml\n").nth(1).unwrap();
    block.split("```").next().unwrap().to_owned()
}

#[test]
fn the_worked_example_loads_and_its_table_is_read() {
    let model = Model::parse("first-model.md", &example()).unwrap_or_else(|errors| panic!("{}", rendered(&errors)));
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

        Names, and the characters that their values never contain
          teamId  : (in team:{teamId}:{role})

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
                  email only while its Email names it
          Email   reserves a value for the Person that its personId names
                  unique: email = {email|lower}
          Team    Cognito groups team:{teamId}:{role}, one for each role (owner, editor, viewer)
          Seat    deleted when its Team or Person is deleted
                  pending while its Team or Person does not exist
                  grants its Person roles (attribute role) in its Team
                  Person is a member of Cognito group team:{teamId}:{role}, created with its item
          Board   deleted when its Team is deleted

        Events
          Person  created, updated, deleted, resolved, conflicted
                  with name, state
          Email   none
          Team    created, updated, deleted
                  with name
          Seat    revoked, granted as its subject
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
    let errors = Model::parse("first-model.md", &without).unwrap_err();
    let messages: Vec<String> = errors.problems().iter().map(ToString::to_string).collect();
    assert_eq!(messages, ["no template leads from a `Person` to its `Seat` items"]);
}

/// The words after each place of the source where `opening` is followed by a text.
fn literals<'s>(source: &'s str, opening: &str) -> Vec<(&'s str, &'s str)> {
    let after = source.split(opening).skip(1).filter_map(|rest| rest.trim_start().strip_prefix('"'));
    after.filter_map(|rest| rest.split_once('"')).collect()
}

/// Every word that the parser asks for, and every value that it accepts for a word, as the parser's
/// source has them: `words.text("model", …)`, `[("park", Unknown::Park), …]`, `entry.key == "present"`.
fn accepted_words() -> BTreeSet<String> {
    let mut words = BTreeSet::new();
    for file in std::fs::read_dir(concat!(env!("CARGO_MANIFEST_DIR"), "/src/file")).unwrap() {
        let source = std::fs::read_to_string(file.unwrap().path()).unwrap();
        let kinds = ["get", "text", "texts", "template", "templates", "values", "condition", "flag", "choice"];
        for kind in kinds {
            words.extend(literals(&source, &format!("words.{kind}(")).into_iter().map(|(word, _)| word.to_owned()));
        }
        words.extend(literals(&source, ".key == ").into_iter().map(|(word, _)| word.to_owned()));
        // A word and what it means: the meaning is a path of types, or `()`.
        let meaning = |rest: &str| {
            rest.strip_prefix(", ").is_some_and(|rest| rest.starts_with(|c: char| c.is_uppercase() || c == '('))
        };
        words.extend(
            literals(&source, "(").into_iter().filter(|(_, rest)| meaning(rest)).map(|(word, _)| word.to_owned()),
        );
    }
    words.retain(|word| !word.contains(' '));
    words.extend(TRANSFORMS.map(|transform| transform.trim_end_matches(":…").to_owned()));
    words
}

/// The words in the code of a page: those between backticks, and those of its blocks.
fn words_in_code(page: &str) -> BTreeSet<String> {
    let code = page.split("```").enumerate().flat_map(|(place, part)| {
        let inline = if place % 2 == 0 { 2 } else { 1 };
        part.split('`').skip(inline - 1).step_by(inline)
    });
    let is_word = |c: char| c.is_alphanumeric() || matches!(c, '_' | '-');
    code.flat_map(|code| code.split(move |c| !is_word(c))).map(str::to_owned).collect()
}

#[test]
fn every_word_of_the_language_is_on_a_page() {
    let read =
        |page: &str| std::fs::read_to_string(format!("{}/../../docs/{page}", env!("CARGO_MANIFEST_DIR"))).unwrap();
    let pages = ["guide/first-model.md", "reference/templates.md", "reference/settings.md"].map(read).concat();
    let (accepted, on_page) = (accepted_words(), words_in_code(&pages));
    let accepted: Vec<&str> = accepted.iter().map(String::as_str).collect();
    let lines: Vec<String> = accepted.chunks(10).map(|words| words.join(" ") + "\n").collect();
    expect![[r#"
        after any as assumed at attribute attributes back-reference begins by
        by-hand cause changed claims cognito conflicted conveys correlation create created
        date delete deleted descending description detail_type disabled due each edge
        entity events extends extra fill find follow formerly from given
        grant granted group groups guard iam_role id in index indexes
        inherits invite is items keep last like list lower made
        marker member model name names not on-demand oneof owner pad
        parent park partial path permits pk precedence present publish query
        range reads remove report resolved revoked role roles same scope
        secret separator set sign_out silent sk skip source sub subject
        sweep table takes tenant time to transfer ttl type unique
        unknown until updated urlencode user values verb when where with-item
        within word writes written
    "#]]
    .assert_eq(&lines.concat());
    let missing: Vec<&&str> = accepted.iter().filter(|word| !on_page.contains(**word)).collect();
    assert!(missing.is_empty(), "the pages say nothing of {missing:?}");
}

/// A query that does not name the whole target also reads what belongs to others, and the text says so.
#[test]
fn a_query_that_reads_the_items_of_others_is_named() {
    let text = |target: &str| {
        let text = format!(
            r##"
[items.Person]
pk = "TENANT#{{tenantId}}"
sk = "PERSON#{{personId}}"
[items.Seat]
pk = "TENANT#{{tenantId}}"
sk = "SEAT#{{teamId}}#{{personId}}"
parent = {target}
"##
        );
        describe(&parsed(&text))
    };
    let others = "together with those of\n            other Person items";
    assert!(text(r#""Person""#).contains(others), "{}", text(r#""Person""#));
    let precise = text(r#"{ type = "Person", find = "back-reference" }"#);
    assert!(!precise.contains("together with"), "{precise}");
}
