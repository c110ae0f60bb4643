//! A change of a model over a table that keeps the models: what is known of them, and what it ends with.

use std::collections::{BTreeMap, BTreeSet};
use std::thread;

use serde_json::Value;

use super::plan::cases::{
    LOG_PARENT, MEMBER, PlannedChange, RANK, case, of_access, of_keys_and_references, of_time_and_guards,
};
use super::plan::{PlannedFiles, found};
use super::support::{Ran, instep};

const NOW: &str = "2026-06-03T09:00:00Z";

const DROPPED: PlannedChange = case("a role dropped", &[(RANK, "rank = [\"mate\", \"cook\"]")], 1, "");

/// A table that the old model has made.
struct Deployed {
    files: PlannedFiles,
}

impl Deployed {
    fn of(change: &PlannedChange) -> Self {
        let files = PlannedFiles::of(change);
        std::fs::write(files.path("none.json"), "[]").unwrap();
        Self { files }
    }

    fn path(&self, name: &str) -> String {
        self.files.path(name)
    }

    /// Deploys a model.
    fn deploy(&self, model: &str) -> Ran {
        let (none, model, data) = (self.path("none.json"), self.path(model), self.path("data"));
        let ran = instep(&["replay", &none, "--model", &model, "--data", &data]);
        assert_eq!(ran.status, 0, "{}", ran.stderr);
        ran
    }

    fn run(&self, command: &str, model: &str, more: &[&str]) -> Ran {
        let (model, data) = (self.path(model), self.path("data"));
        let args = match command {
            "plan" => vec!["plan", &model, "--data", &data, "--now", NOW],
            command => vec![command, "--model", &model, "--data", &data],
        };
        instep(&[&args, more].concat())
    }

    fn status(&self) -> Ran {
        self.run("change", "new.toml", &["--json"])
    }

    /// Does the change to the new model.
    fn change(&self, more: &[&str]) -> Ran {
        self.run("change", "new.toml", &[&["--run", "--json", "--now", NOW], more].concat())
    }

    /// What a person who approves types.
    fn approve(&self) -> Ran {
        self.run("change", "new.toml", &["--approve", &self.hash(), "--json"])
    }

    /// The table, the users and the groups.
    fn state(&self, model: &str, data: &str, input: &str) -> BTreeSet<String> {
        let (model, data, input) = (self.path(model), self.path(data), self.path(input));
        let ran = instep(&["replay", &input, "--model", &model, "--data", &data, "--now", NOW, "--json", "--state"]);
        assert_eq!(ran.of("summary").len(), 1, "{}", ran.stderr);
        ran.state().into_iter().filter_map(comparable).collect()
    }

    fn hash(&self) -> String {
        self.status().lines[0]["current"].as_str().unwrap().to_owned()
    }
}

/// What is compared of a line of the state: of Instep's own items the keys, and of users not which account they are.
fn comparable(line: &Value) -> Option<String> {
    let mut line = line.clone();
    if let Some(pk) = line["item"]["PK"]["S"].as_str().filter(|pk| pk.starts_with("INSTEP#")) {
        let is_kept = !["INSTEP#MODEL", "INSTEP#LIMIT", "INSTEP#GONE"].iter().any(|kind| pk.starts_with(kind));
        return is_kept.then(|| format!("{pk} | {}", line["item"]["SK"]["S"]));
    }
    if let Some(attributes) = line["attributes"].as_object_mut() {
        attributes.retain(|name, _| !["sub", "custom:instep"].contains(&name.as_str()));
    }
    Some(line.to_string())
}

/// The kinds of findings after a change that are for people, or say what will be, beside [`REMAINS`].
const OF_PEOPLE: [&str; 10] = [
    "renamed-names",
    "stays",
    "goes",
    "unfound",
    "untold",
    "renamed-in-events",
    "last-grants",
    "handled",
    "swept-members",
    "swept-users",
];

/// The kinds of what is still there, which people decide about: the end differs from that of a new table.
const REMAINS: [&str; 9] = [
    "left-users",
    "left-groups",
    "peoples-groups",
    "unmanaged",
    "unimplied",
    "parked",
    "orphans",
    "left-claims",
    "left-group-entries",
];

/// What is wrong with the end of a change.
fn wrong_end(change: &PlannedChange) -> Option<String> {
    let table = Deployed::of(change);
    let none = table.path("none.json");
    let (new, data) = (table.path("new.toml"), table.path("data"));
    let deployed = instep(&["replay", &none, "--model", &new, "--data", &data]);
    // A kept table has the TTL attribute of its first model.
    if deployed.stderr.contains("does not agree with the model") {
        return None;
    }
    let before = table.run("plan", "new.toml", &["--json"]);
    let mut ran = table.change(&[]);
    if ran.status == 1 {
        assert_eq!(ran.lines.last().unwrap()["state"], "waiting", "{}: {}{}", change.name, ran.stdout, ran.stderr);
        table.approve();
        ran = table.change(&[]);
    }
    if ran.status != 0 {
        return Some(format!("{}: {}{}", change.name, ran.stdout, ran.stderr));
    }
    let old = table.path("old.toml");
    let after = table.run("plan", "new.toml", &["--against", &old, "--json"]);
    let found_after = found(&after.lines[0]);
    let kinds: Vec<&str> = found_after.split(", ").filter_map(|found| found.split(' ').next()).collect();
    // Whose a membership is, is not known if only upper and lower case differ.
    let is_doubtful = |kind: &str| kind == "taken" && found_after.contains("key-not-canonical");
    let is_of_people = |kind: &&str| OF_PEOPLE.contains(kind) || REMAINS.contains(kind);
    let is_left = |kind: &&&str| !kind.is_empty() && !is_of_people(kind) && !is_doubtful(kind);
    let left: Vec<&&str> = kinds.iter().filter(is_left).collect();
    if !left.is_empty() {
        return Some(format!("{}: {left:?} is left of {}", change.name, found(&before.lines[0])));
    }
    let is = table.state("new.toml", "data", "none.json");
    let should = table.state("new.toml", "fresh", "writes.json");
    let differs: Vec<&String> = is.symmetric_difference(&should).collect();
    let is_named = kinds.iter().any(|kind| REMAINS.contains(kind));
    (!is_named && !differs.is_empty()).then(|| format!("{}: {differs:#?}", change.name))
}

/// Promise 1, for a change: once it is complete, the table and the pool are as if the model had been the new one from the
/// start, or what is left is named.
#[test]
fn a_change_ends_as_a_new_table_would() {
    let mut cases: Vec<PlannedChange> = of_access();
    cases.extend(of_time_and_guards());
    cases.extend(of_keys_and_references());
    // An item keeps its account, and no other is made for it; a guard keeps the attributes that named its owner before.
    // docs/operate/changing.md says not to change these.
    let no_way = ["another name of users", "a guard names its owner"];
    cases.retain(|change| change.status < 2 && !no_way.contains(&change.name));
    let wrong: Vec<String> = thread::scope(|scope| {
        let halves = cases.chunks(cases.len().div_ceil(2));
        let halves = halves.map(|half| scope.spawn(move || half.iter().filter_map(wrong_end).collect::<Vec<_>>()));
        halves.collect::<Vec<_>>().into_iter().flat_map(|half| half.join().unwrap()).collect()
    });
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// Access that the new model does not imply goes without a question, and no user is deleted.
#[test]
fn a_change_takes_access_and_deletes_no_user() {
    let table = Deployed::of(&case("users dropped", &[(super::plan::cases::USER, ""), (MEMBER, "")], 1, ""));
    table.deploy("new.toml");
    let waits = table.change(&[]);
    let mut kinds: BTreeMap<&str, usize> = BTreeMap::new();
    waits.lines.iter().filter_map(|line| line["kind"].as_str()).for_each(|kind| *kinds.entry(kind).or_default() += 1);
    assert_eq!(waits.status, 1, "{}", waits.stdout);
    assert_eq!(kinds.get("former-member"), Some(&2), "{}", waits.stdout);
    let status = table.status();
    assert_eq!(status.lines[0]["waits"]["for"], "decisions", "{}", status.stdout);
    let state = table.state("new.toml", "data", "none.json");
    let users = state.iter().filter(|line| line.contains("\"user\"")).count();
    assert_eq!(users, 2, "{state:#?}");
    let plan = table.run("plan", "new.toml", &["--json"]);
    assert!(
        !found(&plan.lines[0]).contains("taken") && found(&plan.lines[0]).contains("left-users 2"),
        "{}",
        plan.stdout
    );
    assert_eq!((table.approve().status, table.change(&[]).status), (1, 0));
}

/// A change that would take much waits for a person, and does nothing until then.
#[test]
fn a_change_waits_above_its_limit() {
    let table = Deployed::of(&case("a member dropped", &[(MEMBER, "")], 1, ""));
    table.deploy("new.toml");
    let before = table.state("new.toml", "data", "none.json");
    let waits = table.change(&["--max-removals", "1"]);
    let status = &table.status().lines[0];
    assert_eq!((waits.status, &status["waits"]["for"], &status["waits"]["count"]), (1, &"removals".into(), &2.into()));
    assert_eq!(table.state("new.toml", "data", "none.json"), before);
    assert_eq!(table.run("change", "new.toml", &["--approve", "0123456789abcdef"]).status, 2);
    table.approve();
    assert_eq!(table.change(&["--max-removals", "1"]).status, 0);
}

/// Back-references go last: not before what they lead to is found otherwise, or a person has let it stay.
#[test]
fn a_change_keeps_the_only_way_to_an_item() {
    const BY_INDEX: &str =
        "BySailor = { pk = \"LOGS#{of}\", sk = \"LOG#{log}\" }\nparent = { type = \"Ship\", ship = \"{of}\" }";
    let table = Deployed::of(&case("found by an index", &[(LOG_PARENT, BY_INDEX)], 1, ""));
    table.deploy("new.toml");
    let reference = |state: &BTreeSet<String>| state.iter().any(|line| line.starts_with("INSTEP#REF#Ship"));
    let refused = table.run("sweep", "new.toml", &["--repair"]);
    assert!(refused.status == 2 && refused.stderr.contains("instep change --status"), "{}", refused.stderr);
    assert_eq!(table.change(&[]).status, 1);
    assert!(reference(&table.state("new.toml", "data", "none.json")));
    table.approve();
    assert_eq!(table.change(&[]).status, 0);
    assert!(!reference(&table.state("new.toml", "data", "none.json")));
    assert_eq!(table.run("sweep", "new.toml", &["--repair"]).status, 0);
}

/// A plan needs no file of the old model: before the deployment it is the one that is deployed, and after it the one
/// that was, until nothing of it is left.
#[test]
fn a_plan_knows_the_deployed_model() {
    let table = Deployed::of(&DROPPED);
    let old = table.path("old.toml");
    let with_file = table.run("plan", "new.toml", &["--against", &old, "--json"]);
    let before = table.run("plan", "new.toml", &["--json"]);
    assert_eq!(found(&before.lines[0]), found(&with_file.lines[0]), "{}", before.stderr);
    let status = table.status();
    // That the change to the deployed model is complete says nothing of the new one, which is named.
    assert_eq!((before.status, status.status, &status.lines[0]["state"]), (1, 1, &"complete".into()));
    let said = table.run("change", "new.toml", &[]).stdout;
    assert!(said.contains("is not deployed, or no sweep has noted it yet"), "{said}");
    let first = table.hash();
    table.deploy("new.toml");
    let status = table.status();
    assert_eq!((status.status, &status.lines[0]["state"]), (1, &"changing".into()));
    assert_eq!(status.lines[0]["previous"], serde_json::json!([first]));
    let after = table.run("plan", "new.toml", &["--against", "deployed", "--json"]);
    assert_eq!(found(&after.lines[0]), found(&with_file.lines[0]), "the role's memberships are still there");
    let wrong = table.run("change", "new.toml", &["--approve", &first]);
    assert_eq!((wrong.status, table.status().status), (2, 1), "that one is not deployed: {}", wrong.stderr);
    table.approve();
    assert_eq!(table.change(&[]).status, 0);
    let done = table.run("plan", "new.toml", &["--json"]);
    assert_eq!((done.status, table.status().status), (0, 0), "{}", done.stdout);
    assert_eq!(done.lines[0]["settings"], serde_json::json!([]));
}

/// The text that the table keeps is the model: with it, a plan says what it says with the file.
#[test]
fn the_table_keeps_the_text_of_a_model() {
    let table = Deployed::of(&DROPPED);
    let text = table.run("change", "old.toml", &["--text", &table.hash()]);
    std::fs::write(table.path("kept.toml"), &text.stdout).unwrap();
    let same = instep(&["plan", &table.path("kept.toml"), "--against", &table.path("old.toml"), "--json"]);
    assert_eq!((same.status, &same.lines[0]["settings"]), (0, &serde_json::json!([])), "{}", text.stdout);
    assert_eq!(table.run("change", "old.toml", &["--text", "0123456789abcdef"]).status, 2);
}

/// Four models at most: a further one is not noted, and its deployment says so.
#[test]
fn a_fourth_change_waits() {
    let table = Deployed::of(&DROPPED);
    let old = std::fs::read_to_string(table.path("old.toml")).unwrap();
    let mut said = Vec::new();
    for rank in ["mate", "cook", "pilot", "bosun"] {
        std::fs::write(table.path("next.toml"), old.replace("\"captain\"", &format!("\"captain\", \"{rank}-1\"")))
            .unwrap();
        said.push(table.deploy("next.toml").stderr);
    }
    let status = table.status();
    assert_eq!(status.lines[0]["previous"].as_array().map(Vec::len), Some(3), "{}", status.stdout);
    let refused = said.iter().map(|said| said.contains("3 earlier models may have left something")).collect::<Vec<_>>();
    assert_eq!(refused, [false, false, false, true], "{said:?}");
}

/// Instep's own stream, sweeps, snapshots and drafts leave these items alone.
#[test]
fn nothing_else_takes_notice_of_the_models() {
    let table = Deployed::of(&DROPPED);
    let swept = table.run("sweep", "old.toml", &["--json"]);
    assert_eq!((swept.status, swept.lines.len()), (0, 1), "{}", swept.stdout);
    let again = table.deploy("old.toml");
    assert!(!again.stdout.contains("INSTEP#MODEL"), "{}", again.stdout);
    let data = table.path("data");
    let snapshot = instep(&["contract", "snapshot", "--model", &table.path("old.toml"), "--data", &data]);
    assert!(snapshot.status == 0 && !snapshot.stdout.contains("INSTEP#"), "{}{}", snapshot.stdout, snapshot.stderr);
    assert_eq!(table.run("sweep", "old.toml", &["--repair", "--json"]).lines[0]["sent"], 0);
    assert_eq!(table.status().lines[0]["state"], "complete");
}

/// Without a table, nothing says which model is deployed; with one that says nothing, the fix is named.
#[test]
fn a_plan_against_nothing_is_refused() {
    let table = Deployed::of(&DROPPED);
    let new = table.path("new.toml");
    for args in [vec!["plan", &new], vec!["plan", &new, "--against", "deployed"]] {
        let ran = instep(&args);
        assert!(ran.status == 2 && ran.stderr.contains("--against OLD"), "{}", ran.stderr);
    }
}
