//! What subscribers build on is kept: the published documents are fresh, their examples valid, and no
//! change breaks what was released.

use std::path::{Path, PathBuf};

use contract_check::check_published;
use instep_model::shipped_names;
use instep_patterns::Pattern;
use serde_json::Value;

use crate::support::{instep, root};

/// The documents in the tree: those of one model, as an example.
const EXAMPLE: &str = "access-management";

/// All files below a folder, by their path in it.
fn files(folder: &Path) -> Vec<(PathBuf, String)> {
    let mut found = Vec::new();
    let mut open = vec![folder.to_owned()];
    while let Some(next) = open.pop() {
        for entry in std::fs::read_dir(next).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                open.push(path);
            } else {
                found.push((path.strip_prefix(folder).unwrap().to_owned(), std::fs::read_to_string(&path).unwrap()));
            }
        }
    }
    found.sort();
    found
}

fn json(path: &Path) -> Value {
    serde_json::from_str(&std::fs::read_to_string(path).unwrap()).unwrap()
}

/// A subscriber deletes what a snapshot does not have when it hears the end. So each published rule pattern that matches
/// entries of a snapshot matches its beginning and its end, and one that can match no entry matches neither.
#[test]
fn each_rule_pattern_matches_a_snapshot_whole_or_not_at_all() {
    let matches_none =
        ["everything-but-replays", "verb-updated", "verb-deleted", "verb-revoked", "verb-conflicted", "verb-resolved"];
    let mut checked = 0;
    for model in shipped_names() {
        let dir = tempfile::tempdir().unwrap();
        let path = |name: &str| dir.path().join(name).to_str().unwrap().to_owned();
        let (captures, out, data) = (format!("events/{model}"), path("out"), path("data"));
        if !root().join(&captures).exists() {
            continue;
        }
        assert_eq!(instep(&["contract", model, "--events", &captures, "--out", &out]).status, 0);
        assert!([0, 1].contains(&instep(&["replay", &captures, "--model", model, "--data", &data]).status));
        let taken = instep(&["contract", "snapshot", "--model", model, "--data", &data]);
        assert_eq!(taken.status, 0, "{}", taken.stderr);
        let [started, entries @ .., ended] = taken.lines.as_slice() else { panic!("{model}: {}", taken.stdout) };
        assert_eq!(
            (&started["detail"]["metadata"]["verb"], &ended["detail"]["metadata"]["verb"]),
            (&"started".into(), &"ended".into())
        );
        for rule in json(&dir.path().join("out").join("rule-patterns.json")).as_array().unwrap() {
            let name = rule["name"].as_str().unwrap();
            let pattern = Pattern::read(&rule["pattern"].to_string()).unwrap();
            let is_none = matches_none.contains(&name);
            assert_eq!([started, ended].map(|mark| pattern.matches(mark)), [!is_none; 2], "{model}: {rule}");
            let matched = entries.iter().filter(|entry| pattern.matches(entry)).count();
            assert!(matched == 0 || !is_none, "{model}: {rule} matches {matched} entries");
            checked += matched;
        }
    }
    assert!(checked > 100, "{checked}");
}

/// The documents of every shipped model, as CI makes them for the tools of others.
#[test]
fn the_published_documents_are_right() {
    for model in shipped_names() {
        let dir = tempfile::tempdir().unwrap();
        let out = dir.path().join("out");
        let captures = format!("events/{model}");
        let mut args = vec!["contract", model, "--out", out.to_str().unwrap()];
        let has_captures = root().join(&captures).is_dir();
        if has_captures {
            args.extend(["--events", &captures]);
        }
        let ran = instep(&args);
        assert_eq!(ran.status, 0, "{}", ran.stderr);
        no_schema_has_a_format(&out);
        if has_captures {
            every_event_has_a_valid_example(&out);
        }
        if *model == EXAMPLE {
            is_in_the_tree(&out);
        }
    }
}

fn is_in_the_tree(made: &Path) {
    let (there, fresh) = (files(&root().join("docs/contract").join(EXAMPLE)), files(made));
    let help = "`docs/contract/regenerate` makes the documents anew";
    let paths = |files: &[(PathBuf, String)]| files.iter().map(|(path, _)| path.clone()).collect::<Vec<_>>();
    assert_eq!(paths(&there), paths(&fresh), "{help}");
    for ((path, old), (_, new)) in there.iter().zip(&fresh) {
        assert!(old == new, "docs/contract/{EXAMPLE}/{} is stale: {help}", path.display());
    }
}

/// The schemas compile in any validator: `format` is left to each, and some refuse those that they do not know.
fn no_schema_has_a_format(made: &Path) {
    fn formats(schema: &Value) -> usize {
        match schema {
            Value::Object(fields) => {
                let own = usize::from(fields.get("format").is_some_and(Value::is_string));
                own + fields.values().map(formats).sum::<usize>()
            }
            Value::Array(values) => values.iter().map(formats).sum(),
            Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => 0,
        }
    }
    for (path, text) in files(made) {
        if path.extension().is_some_and(|extension| extension == "json") {
            let found = formats(&serde_json::from_str(&text).unwrap());
            assert_eq!(found, 0, "{}", path.display());
        }
    }
}

fn every_event_has_a_valid_example(made: &Path) {
    let contract = json(&made.join("contract.json"));
    for event in contract["events"].as_array().unwrap() {
        let name = event["name"].as_str().unwrap();
        let file = made.join(format!("examples/{name}.json"));
        // No capture changes what events show of some of the items.
        if !file.exists() && name.ends_with("Updated") {
            continue;
        }
        let example = json(&file);
        assert_eq!(check_published(&event["schema"], &example), Ok(()), "{}: {name}", contract["model"]);
    }
}

/// What fails before the new documents are there leaves the old ones.
#[test]
fn documents_are_replaced_only_by_new_ones() {
    let dir = tempfile::tempdir().unwrap();
    let out = dir.path().join("out");
    let args = ["contract", "access-management", "--out", out.to_str().unwrap(), "--force", "--events"];
    let write = |captures: &str| instep(&[&args[..], &[captures]].concat());
    assert_eq!(write("events/access-management/01-user-created.json").status, 0);
    let before = files(&out);
    let broken = dir.path().join("broken.json");
    std::fs::write(&broken, "no capture").unwrap();
    for captures in ["no/such/file.json", broken.to_str().unwrap()] {
        assert_eq!(write(captures).status, 2);
        assert!(files(&out) == before, "documents are gone after {captures}");
    }
    assert_eq!(write("events/access-management/08-group-created.json").status, 0);
    let names = |files: Vec<(PathBuf, String)>| files.into_iter().map(|(path, _)| path).collect::<Vec<_>>();
    assert_ne!(names(files(&out)), names(before), "old examples are replaced");
}

/// CI compares the contract with the released one. A breaking change fails here, and names the field.
#[test]
fn what_was_released_is_kept() {
    for model in shipped_names() {
        let released = format!("docs/contract/released/{model}.json");
        let ran = instep(&["contract", "diff", &released, model]);
        assert_eq!(ran.status, 0, "a change of {model} breaks subscribers:\n{}{}", ran.stdout, ran.stderr);
    }
}

/// The contract of the example, with one schema changed: its file, and the folder that it is in until the test ends.
fn changed(event: &str, change: impl Fn(&mut Value)) -> (tempfile::TempDir, String) {
    let mut contract = json(&root().join("docs/contract").join(EXAMPLE).join("contract.json"));
    let events = contract["events"].as_array_mut().unwrap();
    change(&mut events.iter_mut().find(|one| one["name"] == event).unwrap()["schema"]);
    let dir = tempfile::tempdir().unwrap();
    let file = dir.path().join("contract.json");
    std::fs::write(&file, contract.to_string()).unwrap();
    (dir, file.to_str().unwrap().to_owned())
}

#[test]
fn a_breaking_change_names_the_event_and_the_field() {
    let (_dir, new) = changed("UserGranted", |schema| {
        schema
            .pointer_mut("/properties/detail/properties/data/properties")
            .unwrap()
            .as_object_mut()
            .unwrap()
            .remove("role");
    });
    let ran = instep(&["contract", "diff", "access-management", &new]);
    assert_eq!(ran.status, 1, "{}", ran.stderr);
    assert!(
        ran.stdout.contains("Breaking\n  `User Granted`, field `detail.data.role`: it is removed"),
        "{}",
        ran.stdout
    );
    // The other direction adds a field that events were published without.
    let ran = instep(&["contract", "diff", &new, "access-management", "--json"]);
    assert_eq!(ran.status, 1, "{}", ran.stderr);
    assert_eq!((&ran.lines[0]["verdict"], &ran.lines[0]["field"]), (&"breaks".into(), &"detail.data.role".into()));
}

#[test]
fn a_compatible_change_breaks_nothing() {
    let (_dir, new) = changed("UserGranted", |schema| {
        let metadata = schema.pointer_mut("/properties/detail/properties/metadata/properties").unwrap();
        metadata["region"] = serde_json::json!({"type": "string"});
        metadata["cause"]["enum"].as_array_mut().unwrap().push("cascade".into());
    });
    let ran = instep(&["contract", "diff", "access-management", &new]);
    assert_eq!(ran.status, 0, "{}", ran.stdout);
    assert!(ran.stdout.contains("field `detail.metadata.region`: it is new"), "{}", ran.stdout);
    assert!(ran.stdout.contains("field `detail.metadata.cause`: it can be \"cascade\", too"), "{}", ran.stdout);
}

/// A model of one's own is compared in the same way.
#[test]
fn a_changed_model_is_compared() {
    let dir = tempfile::tempdir().unwrap();
    let file = dir.path().join("model.toml");
    let text = std::fs::read_to_string(root().join("events/bookings/model.toml")).unwrap();
    let diff = |changed: String| {
        std::fs::write(&file, changed).unwrap();
        instep(&["contract", "diff", "events/bookings/model.toml", file.to_str().unwrap()])
    };
    let same = diff(text.clone());
    assert_eq!((same.status, same.stdout.as_str()), (0, "No difference.\n"), "{}", same.stderr);
    let fewer = diff(text.replace("events = [\"title\", \"seats\"]", "events = [\"title\"]"));
    assert_eq!(fewer.status, 1);
    assert!(fewer.stdout.contains("`Room Updated`, field `detail.data.new.seats`: it is removed"), "{}", fewer.stdout);
    let silent = diff(text.replace("publish = [\"created\", \"deleted\"]", "publish = [\"created\"]"));
    assert!(silent.stdout.contains("`Hold Deleted`: it is no longer published"), "{}", silent.stdout);
    let renamed = diff(text.replace("entity = \"Venue\"", "entity = \"Place\""));
    assert!(renamed.stdout.contains("`Venue Created`: it is no longer published"), "{}", renamed.stdout);
    let more = diff(text.replace("events = [\"title\", \"seats\"]", "events = [\"title\", \"seats\", \"floor\"]"));
    assert_eq!(more.status, 0, "{}", more.stdout);
    assert!(more.stdout.contains("field `detail.data.new.floor`: it is new"), "{}", more.stdout);
}

/// Without `entity`, events of a grant or an edge have its item type's name. So a new name changes theirs.
#[test]
fn a_renamed_item_type_changes_the_names_of_its_events() {
    let dir = tempfile::tempdir().unwrap();
    let file = dir.path().join("model.toml");
    let text = std::fs::read_to_string(root().join("shared/model/models/access-management.toml")).unwrap();
    let diff = |entity: &str| {
        let renamed = format!("[items.Ancestry]\nformerly = \"Hierarchy\"\n{entity}");
        let read = text.replace("items = \"Hierarchy\"", "items = \"Ancestry\"");
        std::fs::write(&file, read.replace("[items.Hierarchy]", &renamed)).unwrap();
        instep(&["contract", "diff", "access-management", file.to_str().unwrap()])
    };
    let renamed = diff("");
    assert_eq!(renamed.status, 1, "{}", renamed.stderr);
    for verb in ["Created", "Deleted"] {
        let gone = format!("  `Hierarchy {verb}`: it is no longer published\n");
        let there = format!("  `Ancestry {verb}`: it is published now\n");
        assert!(renamed.stdout.contains(&gone) && renamed.stdout.contains(&there), "{}", renamed.stdout);
    }
    let kept = diff("entity = \"Hierarchy\"\n");
    assert_eq!(kept.status, 0, "with `entity`, nothing breaks: {}{}", kept.stdout, kept.stderr);
}

/// What happens to a schema, at the place of `role`, and what is said of it.
type Break = (&'static str, fn(&mut Value), &'static str);

/// Each kind of change that breaks a subscriber is said with the name of the event and of the field.
#[test]
fn each_kind_of_break_names_the_field() {
    const METADATA: &str = "/properties/detail/properties/metadata";
    fn fields(schema: &mut Value) -> &mut serde_json::Map<String, Value> {
        schema.pointer_mut(&format!("{METADATA}/properties")).unwrap().as_object_mut().unwrap()
    }
    fn require(schema: &mut Value, name: &str) {
        schema
            .pointer_mut("/properties/detail/properties/data/required")
            .unwrap()
            .as_array_mut()
            .unwrap()
            .push(name.into());
    }
    let breaks: [Break; 6] = [
        ("removed", |schema| drop(fields(schema).remove("tenant")), "field `detail.metadata.tenant`: it is removed"),
        (
            "renamed",
            |schema| {
                let tenant = fields(schema).remove("tenant").unwrap();
                fields(schema).insert("account".to_owned(), tenant);
            },
            "field `detail.metadata.tenant`: it is removed, or renamed to `account`",
        ),
        (
            "narrowed",
            |schema| fields(schema)["correlationId"]["type"] = "string".into(),
            "field `detail.metadata.correlationId`: its type is narrowed",
        ),
        ("required", |schema| require(schema, "omitted"), "field `detail.data.omitted`: it is required now"),
        (
            "no longer",
            |schema| {
                let parts = "/properties/detail/properties/data/properties/omitted/properties/parts/items/enum";
                schema.pointer_mut(parts).unwrap().as_array_mut().unwrap().retain(|part| part != "new");
            },
            "field `detail.data.omitted.parts[]`: it is never \"new\" any more",
        ),
        (
            "verb",
            |schema| fields(schema)["verb"] = serde_json::json!({"type": "string", "const": "given"}),
            "field `detail.metadata.verb`: it was always \"granted\" and is always \"given\"",
        ),
    ];
    for (kind, change, says) in breaks {
        let (_dir, new) = changed("UserGranted", change);
        let ran = instep(&["contract", "diff", "access-management", &new]);
        let says = format!("  `User Granted`, {says}");
        assert!(ran.status == 1 && ran.stdout.contains(&says), "{kind}: {}{}", ran.stdout, ran.stderr);
    }
}

#[test]
fn wrong_usage_says_what_to_do() {
    let dir = tempfile::tempdir().unwrap();
    std::fs::write(dir.path().join("mine.txt"), "x").unwrap();
    let out = dir.path().to_str().unwrap();
    let others = instep(&["contract", "authorization", "--out", out]);
    assert_eq!(others.status, 2);
    assert!(
        others.stderr.contains("has other files") && others.stderr.contains("name a new folder"),
        "{}",
        others.stderr
    );
    assert!(dir.path().join("mine.txt").exists());
    let fresh = dir.path().join("fresh");
    let write =
        |force: &[&str]| instep(&[&["contract", "authorization", "--out", fresh.to_str().unwrap()], force].concat());
    assert_eq!(write(&[]).status, 0);
    let again = write(&[]);
    assert_eq!(again.status, 2);
    assert!(again.stderr.contains("`--force` replaces them"), "{}", again.stderr);
    std::fs::write(fresh.join("examples-of-mine"), "x").unwrap();
    assert_eq!(write(&["--force"]).status, 0);
    let none = instep(&["contract", "diff", out, "authorization"]);
    assert_eq!(none.status, 2);
    assert!(none.stderr.contains("has no `contract.json`"), "{}", none.stderr);
    let missing = instep(&["contract"]);
    assert_eq!(missing.status, 2);
    assert!(missing.stderr.contains("--out <DIR>"), "{}", missing.stderr);
}

/// What the contract of another version does not say would seem to be no difference.
#[test]
fn a_contract_of_another_version_is_not_compared() {
    let mut contract = json(&root().join("docs/contract").join(EXAMPLE).join("contract.json"));
    contract["instepContract"] = 1.into();
    let dir = tempfile::tempdir().unwrap();
    let file = dir.path().join("contract.json");
    std::fs::write(&file, contract.to_string()).unwrap();
    let ran = instep(&["contract", "diff", file.to_str().unwrap(), EXAMPLE]);
    assert_eq!((ran.status, ran.stdout.as_str()), (2, ""), "{}", ran.stderr);
    assert!(ran.stderr.contains("cannot compare") && ran.stderr.contains("or write it anew"), "{}", ran.stderr);
}
