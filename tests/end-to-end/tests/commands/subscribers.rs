//! The verdict on a change of a model is its effect on a subscriber that keeps rows: each change is made, and the shipped
//! consumer hears the events of before and after. What ends wrong after "compatible" is a failure.

use std::collections::{BTreeMap, BTreeSet};

use instep_consumer_function::{Row, Rows, handle};
use instep_documents::ContractVerdict::{self, Breaking, Compatible, Rebuild};
use instep_documents::{contract, diff};
use instep_local::{Clock, Stack, StackOptions};
use instep_model::Model;
use lambda_runtime::{Context, LambdaEvent};
use serde_json::value::to_raw_value;
use serde_json::{Value, json};

use crate::support::{instep, root};

/// Ships, and who has which rank on them.
const FLEET: &str = r##"
model = "fleet"
source = "org.example.fleet"
[table]
pk = "PK"
sk = "SK"
unknown = "skip"

[names]
rank = ["mate", "cook", "guest"]

[items.Sailor]
pk = "SAILOR#{sailorId}"
sk = "SAILOR"
entity = "Sailor"
events = ["name"]

[items.Ship]
pk = "SHIP#{shipId}"
sk = "SHIP"
entity = "Ship"
events = ["name"]

[items.Berth]
pk = "SHIP#{shipId}"
sk = "BERTH#{sailorId}"
parent = "Ship"
grant = { subject = { type = "Sailor", find = "back-reference" }, scope = "Ship", roles = "rank" }
events = ["rank"]

[items.Log]
pk = "SHIP#{shipId}"
sk = "LOG#{logId}"
entity = "Log"
parent = "Ship"
events = ["title"]
"##;

/// What the table has when the new model is deployed. Time has passed since bob's berth ended, where it ends.
fn before() -> Value {
    let put = |at: &str, pk: &str, sk: &str, more: Value| {
        let mut item = json!({"PK": pk, "SK": sk});
        item.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        json!({"at": format!("2026-06-{at}:00Z"), "put": item})
    };
    json!([
        put("01T10:00", "SHIP#s1", "SHIP", json!({"name": "One", "harbour": "h1"})),
        put("01T10:01", "SAILOR#ann", "SAILOR", json!({"name": "Ann"})),
        put("01T10:02", "SAILOR#bob", "SAILOR", json!({"name": "Bob"})),
        put("01T10:03", "SHIP#s1", "BERTH#ann", json!({"rank": "mate"})),
        put("01T10:04", "SHIP#s1", "BERTH#bob", json!({"rank": "cook", "until": "2026-06-02T00:00:00Z"})),
        put("01T10:05", "SHIP#s1", "LOG#l1", json!({"title": "first"})),
        put("01T10:06", "SHIP#s1", "PASS#bob", json!({"rank": "guest"})),
        put("03T10:00", "SHIP#s2", "SHIP", json!({"name": "Two"})),
    ])
}

/// What happens under the new model.
#[derive(Clone, Copy)]
enum After {
    ShipIsWrittenAgain,
    BerthGoes,
    SailorGoes,
    LogGoes,
    ShipGoes,
}

impl After {
    fn writes(self) -> Value {
        let delete = |pk: &str, sk: &str| json!({"delete": {"PK": pk, "SK": sk}});
        let mut write = match self {
            Self::ShipIsWrittenAgain => json!({"put": {"PK": "SHIP#s2", "SK": "SHIP", "name": "Two", "harbour": "h2"}}),
            Self::BerthGoes => delete("SHIP#s1", "BERTH#ann"),
            Self::SailorGoes => delete("SAILOR#ann", "SAILOR"),
            Self::LogGoes => delete("SHIP#s1", "LOG#l1"),
            Self::ShipGoes => delete("SHIP#s1", "SHIP"),
        };
        write["at"] = "2026-06-05T10:00:00Z".into();
        json!([write])
    }
}

const NOW: &str = "2026-06-06T10:00:00Z";

/// A change: its name; what OLD says instead of [`FLEET`]; what NEW says instead of OLD; what happens then; the verdict;
/// and whether the rows of a subscriber that did nothing are wrong.
type Change = (
    &'static str,
    &'static [(&'static str, &'static str)],
    &'static [(&'static str, &'static str)],
    After,
    ContractVerdict,
    bool,
);

const SUBJECT: &str = "subject = { type = \"Sailor\", find = \"back-reference\" }, scope = \"Ship\"";
const GRANT: &str = "roles = \"rank\" }";
const LOG: &str = "entity = \"Log\"\nparent = \"Ship\"\nevents = [\"title\"]";

#[rustfmt::skip]
const CHANGES: &[Change] = &[
    ("another id", &[], &[("entity = \"Ship\"\n", "entity = \"Ship\"\nid = \"S-{shipId}\"\n")], After::BerthGoes, Breaking, true),
    ("another entity", &[], &[("entity = \"Sailor\"", "entity = \"Person\"")], After::SailorGoes, Breaking, true),
    ("another entity of the scope", &[], &[("entity = \"Ship\"", "entity = \"Vessel\"")], After::BerthGoes, Breaking, true),
    ("a type renamed", &[], &[("[items.Log]", "[items.Page]")], After::LogGoes, Breaking, true),
    ("a type renamed, with `formerly`", &[], &[("[items.Log]", "[items.Page]\nformerly = \"Log\"")], After::LogGoes, Compatible, false),
    ("a grant renamed", &[], &[("[items.Berth]", "[items.Bunk]")], After::BerthGoes, Breaking, true),
    ("a grant renamed, with `formerly`", &[], &[("[items.Berth]", "[items.Bunk]\nformerly = \"Berth\"")], After::BerthGoes, Compatible, false),
    ("scope: an item is a value", &[], &[("scope = \"Ship\"", "scope = \"ship/{shipId}\"")], After::BerthGoes, Breaking, true),
    ("no scope", &[], &[("scope = \"Ship\", ", "")], After::BerthGoes, Breaking, true),
    ("another role", &[("roles = \"rank\"", "roles = \"{rank}\"")], &[("roles = \"{rank}\"", "roles = \"x-{rank}\"")], After::BerthGoes, Breaking, true),
    ("roles in another attribute", &[], &[("rank = [\"mate\", \"cook\", \"guest\"]", "rank = { values = [\"mate\", \"cook\", \"guest\"], attribute = \"grade\" }")], After::BerthGoes, Rebuild, true),
    ("roles in a further attribute", &[], &[("rank = [\"mate\", \"cook\", \"guest\"]", "rank = { values = [\"mate\", \"cook\", \"guest\"], attribute = [\"grade\", \"rank\"] }")], After::BerthGoes, Compatible, false),
    ("another subject", &[], &[(SUBJECT, "subject = \"Ship\", scope = { type = \"Sailor\", find = \"back-reference\" }")], After::BerthGoes, Breaking, true),
    ("an entity is none", &[], &[(LOG, "parent = \"Ship\"")], After::LogGoes, Breaking, true),
    ("an entity is a grant, too", &[], &[(LOG, "entity = \"Log\"\nparent = \"Ship\"\nevents = [\"title\"]\ngrant = { subject = \"Ship\", roles = \"{logId}\" }")], After::BerthGoes, Breaking, false),
    ("no tenant", &[("[table]", "tenant = \"shipId\"\n[table]")], &[("tenant = \"shipId\"\n", "")], After::BerthGoes, Breaking, false),
    ("another tenant", &[("[table]", "tenant = \"shipId\"\n[table]")], &[("tenant = \"shipId\"", "tenant = \"harbour\"")], After::BerthGoes, Breaking, false),
    ("the id in another attribute", &[("[names]", "[names]\ncode = { attribute = \"harbour\" }"), ("entity = \"Ship\"\n", "entity = \"Ship\"\nid = \"{code}\"\n")], &[("attribute = \"harbour\"", "attribute = \"quay\"")], After::BerthGoes, Rebuild, true),
    ("a tenant", &[], &[("[table]", "tenant = \"shipId\"\n[table]")], After::BerthGoes, Compatible, false),
    ("another end", &[(GRANT, "roles = \"rank\", until = \"until\" }")], &[("until = \"until\"", "until = \"ends\"")], After::BerthGoes, Rebuild, true),
    ("an end", &[], &[(GRANT, "roles = \"rank\", until = \"until\" }")], After::BerthGoes, Rebuild, true),
    ("a beginning", &[], &[(GRANT, "roles = \"rank\", from = \"until\" }")], After::BerthGoes, Rebuild, false),
    ("a condition", &[], &[(GRANT, "roles = \"rank\", when = { active = true } }")], After::BerthGoes, Rebuild, true),
    ("no revocations", &[], &[("events = [\"rank\"]", "events = [\"rank\"]\npublish = [\"granted\"]")], After::BerthGoes, Breaking, true),
    ("grants from now on", &[("events = [\"rank\"]", "events = [\"rank\"]\npublish = [\"revoked\"]")], &[("publish = [\"revoked\"]", "publish = [\"granted\", \"revoked\"]")], After::LogGoes, Rebuild, false),
    ("another word", &[], &[("entity = \"Log\"\n", "entity = \"Log\"\nverb.deleted = \"archived\"\n")], After::LogGoes, Breaking, true),
    ("another form of names", &[], &[("[table]", "detail_type = \"{Entity}.{Verb}\"\n[table]")], After::BerthGoes, Breaking, true),
    ("another source", &[], &[("org.example.fleet", "org.example.navy")], After::BerthGoes, Breaking, true),
    ("a role less", &[], &[("[\"mate\", \"cook\", \"guest\"]", "[\"cook\", \"guest\"]")], After::BerthGoes, Breaking, true),
    ("a role more", &[], &[("[\"mate\", \"cook\", \"guest\"]", "[\"mate\", \"cook\", \"guest\", \"pilot\"]")], After::BerthGoes, Compatible, false),
    ("a key in lower case", &[], &[("LOG#{logId}", "LOG#{logId|lower}")], After::LogGoes, Rebuild, false),
    ("another key", &[], &[("LOG#{logId}", "PAGE#{logId}")], After::LogGoes, Rebuild, true),
    ("a further key", &[], &[("sk = \"LOG#{logId}\"", "sk = [\"LOG#{logId}\", \"PAGE#{logId}\"]")], After::LogGoes, Rebuild, false),
    ("a grant more", &[], &[("[items.Log]", "[items.Pass]\npk = \"SHIP#{shipId}\"\nsk = \"PASS#{sailorId}\"\ngrant = { subject = { type = \"Sailor\", find = \"back-reference\" }, scope = \"Ship\", roles = \"rank\" }\n\n[items.Log]")], After::BerthGoes, Rebuild, true),
    ("an entity more", &[], &[("[items.Log]", "[items.Pass]\npk = \"SHIP#{shipId}\"\nsk = \"PASS#{sailorId}\"\nentity = \"Pass\"\n\n[items.Log]")], After::BerthGoes, Compatible, false),
    ("a type less", &[], &[("\n[items.Log]\npk = \"SHIP#{shipId}\"\nsk = \"LOG#{logId}\"\nentity = \"Log\"\nparent = \"Ship\"\nevents = [\"title\"]\n", "")], After::LogGoes, Breaking, true),
    ("an attribute more", &[], &[("events = [\"rank\"]", "events = [\"rank\", \"since\"]")], After::BerthGoes, Compatible, false),
    ("an attribute less", &[], &[("events = [\"title\"]", "")], After::LogGoes, Breaking, false),
    ("every write", &[], &[("entity = \"Ship\"\n", "entity = \"Ship\"\npublish_unchanged = true\n")], After::ShipIsWrittenAgain, Compatible, false),
    ("no longer every write", &[("entity = \"Ship\"\n", "entity = \"Ship\"\npublish_unchanged = true\n")], &[("publish_unchanged = true\n", "")], After::ShipIsWrittenAgain, Compatible, false),
    ("a correlation", &[], &[("[table]", "correlation = \"trace\"\n[table]")], After::BerthGoes, Compatible, false),
    ("no parent", &[], &[("parent = \"Ship\"\ngrant", "grant")], After::ShipGoes, Compatible, false),
    ("groups", &[], &[("entity = \"Ship\"\n", "entity = \"Ship\"\ncognito.groups = \"ship:{shipId}\"\n")], After::BerthGoes, Compatible, false),
];

fn edited(text: &str, edits: &[(&str, &str)], name: &str) -> String {
    edits.iter().fold(text.to_owned(), |text, (from, to)| {
        assert!(text.contains(from), "{name}: the model does not say {from}");
        text.replacen(from, to, 1)
    })
}

/// What a subscriber of the old contract listens to.
struct Rule {
    source: Value,
    detail_types: BTreeSet<String>,
}

impl Rule {
    fn of(contract: &Value) -> Self {
        let types = contract["events"].as_array().unwrap().iter().map(|event| event["detailType"].as_str().unwrap());
        Self { source: contract["source"].clone(), detail_types: types.map(str::to_owned).collect() }
    }

    fn matches(&self, event: &Value) -> bool {
        event["source"] == self.source && self.detail_types.contains(event["detail-type"].as_str().unwrap())
    }
}

/// The events that a replay published, as they are delivered.
fn replayed(path: &str, model: &str, data: &str) -> Vec<Value> {
    let ran = instep(&["replay", path, "--model", model, "--data", data, "--json"]);
    assert!([0, 1].contains(&ran.status), "{}", ran.stderr);
    ran.of("event").iter().map(|line| line["event"].clone()).collect()
}

/// The rows of a subscriber: those of grants, which the shipped consumer keeps, and those of entities and edges.
type ReadModel = (Vec<Row>, BTreeSet<(String, String)>);

async fn read_model(events: &[&Value]) -> ReadModel {
    let consumer =
        "model = \"consumer\"\n[table]\npk = \"subject\"\nsk = \"grant\"\n[items.Row]\npk = \"{a}\"\nsk = \"{b}\"";
    let clock = Clock::new(jiff::Timestamp::UNIX_EPOCH);
    let options = StackOptions { dir: None, table: "consumer".to_owned(), clock };
    let stack = Stack::open(&Model::parse("consumer.toml", consumer).unwrap(), options).await.unwrap();
    let rows = Rows::new(aws_sdk_dynamodb::Client::new(&stack.uncounted_config()), stack.table().to_owned());
    for batch in events.chunks(10) {
        let message =
            |(place, event): (usize, &&Value)| json!({"messageId": place.to_string(), "body": event.to_string()});
        let records: Vec<Value> = batch.iter().enumerate().map(message).collect();
        let payload = to_raw_value(&json!({"Records": records})).unwrap();
        let response = handle(&rows, LambdaEvent::new(payload, Context::default())).await.unwrap();
        assert!(response.batch_item_failures.is_empty());
    }
    let all = rows.all().await.unwrap();
    stack.close().await;
    (all, entities(events))
}

/// The place of the last event of an item, and its row, if it has one.
type LastEvent<'a> = ((&'a str, u64), Option<(String, String)>);

/// By item, as the page for subscribers says: the last event decides. `updated` of a grant begins no row.
fn entities(events: &[&Value]) -> BTreeSet<(String, String)> {
    let mut rows: BTreeMap<&str, LastEvent<'_>> = BTreeMap::new();
    for metadata in events.iter().map(|event| &event["detail"]["metadata"]) {
        let text = |name: &str| metadata[name].as_str().unwrap();
        let is_row =
            ["entity", "edge"].contains(&text("kind")) && ["created", "updated", "deleted"].contains(&text("verb"));
        let place = (text("sequence"), metadata["index"].as_u64().unwrap());
        if is_row && rows.get(text("item")).is_none_or(|(last, _)| *last < place) {
            let named = (text("entity").to_owned(), text("entityId").to_owned());
            rows.insert(text("item"), (place, (text("verb") != "deleted").then_some(named)));
        }
    }
    rows.into_values().filter_map(|(_, row)| row).collect()
}

/// The present state as events, under a model.
fn snapshot(model: &str, data: &str) -> Vec<Value> {
    let taken = instep(&["contract", "snapshot", "--model", model, "--data", data, "--now", NOW]);
    assert_eq!(taken.status, 0, "{}", taken.stderr);
    taken.lines.iter().filter(|line| line["detail"]["data"].is_object()).cloned().collect()
}

/// Whether the rows of a subscriber that heard all this are wrong under the new model.
fn ends_wrong(heard: &[Value], new: &str, data: &str, known: &Value) -> bool {
    let rule = Rule::of(known);
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    let rows = |events: &[Value]| {
        let matched: Vec<&Value> = events.iter().filter(|event| rule.matches(event)).collect();
        runtime.block_on(read_model(&matched))
    };
    rows(heard) != rows(&snapshot(new, data))
}

fn check(changes: &[Change]) {
    let dir = tempfile::tempdir().unwrap();
    let write = |name: &str, text: &str| {
        let path = dir.path().join(name);
        std::fs::write(&path, text).unwrap();
        path.to_str().unwrap().to_owned()
    };
    let history = write("before.json", &before().to_string());
    let mut failures = Vec::new();
    for (name, was, is, after, expected, is_wrong) in changes {
        let old = edited(FLEET, was, name);
        let (before, new) = (write("old.toml", &old), write("new.toml", &edited(&old, is, name)));
        let known = contract(&Model::load(before.as_ref()).unwrap());
        let found = diff(&known, &contract(&Model::load(new.as_ref()).unwrap_or_else(|why| panic!("{name}: {why:?}"))));
        let verdict = ContractVerdict::of(&found);
        let after = write("after.json", &after.writes().to_string());
        let data = tempfile::tempdir().unwrap();
        let data = data.path().join("data").to_str().unwrap().to_owned();
        let mut heard = replayed(&history, &before, &data);
        heard.extend(replayed(&after, &new, &data));
        let ends_wrong = ends_wrong(&heard, &new, &data, &known);
        if verdict != *expected || ends_wrong != *is_wrong {
            let found: Vec<String> = found.iter().map(|one| format!("{:?} {one}", one.verdict)).collect();
            failures.push(format!("{name}: {verdict:?}, ends wrong: {ends_wrong}\n  {}", found.join("\n  ")));
        }
        assert!(verdict != Compatible || !ends_wrong, "{name} is no compatible change: {found:#?}");
    }
    assert!(failures.is_empty(), "{}", failures.join("\n"));
}

#[test]
fn a_subscriber_is_right_after_a_compatible_change() {
    check(&CHANGES[..CHANGES.len() / 2]);
}

#[test]
fn a_subscriber_is_right_after_a_compatible_change_of_the_rest() {
    check(&CHANGES[CHANGES.len() / 2..]);
}

/// The same for changes of shipped models, over all of their captures. The subscriber began with a snapshot.
#[test]
fn a_changed_shipped_model_breaks_its_subscribers() {
    let dir = tempfile::tempdir().unwrap();
    let after = dir.path().join("after.json");
    std::fs::write(&after, r#"[{"at": "2026-06-05T10:00:00Z", "delete": {"pk": "G:/wales", "sk": "G:/wales"}}]"#)
        .unwrap();
    for (model, from, to, is_wrong) in [
        ("account-management", "id = \"{project_id}\"", "id = \"{client_id}/{project_id}\"", true),
        ("account-management", "tenant = \"client_id\"\n", "", false),
        ("access-management", "Group", "Team", true),
    ] {
        let text = std::fs::read_to_string(root().join(format!("shared/model/models/{model}.toml"))).unwrap();
        assert!(text.contains(from), "{model} does not say {from}");
        // The name of a type is in many places. Its entity stays.
        let changed = text.replace(from, to).replace("entity = \"Team\"", "entity = \"Group\"");
        let new = dir.path().join("new.toml");
        std::fs::write(&new, changed).unwrap();
        let new = new.to_str().unwrap();
        let known = contract(&Model::shipped(model).unwrap());
        let found = diff(&known, &contract(&Model::load(new.as_ref()).unwrap()));
        assert_eq!(ContractVerdict::of(&found), Breaking, "{model}: {from}: {found:#?}");
        let data = tempfile::tempdir().unwrap();
        let data = data.path().join("data").to_str().unwrap().to_owned();
        replayed(&format!("events/{model}"), model, &data);
        let mut heard = snapshot(model, &data);
        if model == "access-management" {
            heard.extend(replayed(after.to_str().unwrap(), new, &data));
        }
        assert_eq!(ends_wrong(&heard, new, &data, &known), is_wrong, "{model}: {from}");
    }
}
