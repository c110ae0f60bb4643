//! Designs of other people, under `tests/foreign`: a model, a history of writes, and the end state
//! that was written down before the first run.

use std::collections::BTreeMap;
use std::path::Path;

use instep_model::Model;
use serde::Deserialize;
use serde_json::Value;

use crate::support::instep;

#[derive(Debug, PartialEq, Deserialize)]
#[serde(rename_all = "camelCase")]
struct Expected {
    items: Vec<String>,
    users: BTreeMap<String, User>,
    groups: BTreeMap<String, Vec<String>>,
    /// Those that some groups have.
    #[serde(default)]
    group_settings: BTreeMap<String, GroupSettings>,
    events: Vec<String>,
}

#[derive(Debug, Default, PartialEq, Deserialize)]
#[serde(rename_all = "camelCase", default)]
struct GroupSettings {
    precedence: Option<i64>,
    iam_role: Option<String>,
}

#[derive(Debug, PartialEq, Deserialize)]
struct User {
    enabled: bool,
}

fn folder() -> std::path::PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../foreign")
}

/// The end state of a replay, as the expectations spell it. The order of the events of one cascade is
/// promised nowhere, so the events are sorted.
fn replayed(design: &Path) -> Expected {
    let path = |name: &str| design.join(name).display().to_string();
    let (model, writes) = (path("model.toml"), path("writes.json"));
    let ran = instep(&["replay", &writes, "--model", &model, "--json", "--state"]);
    let table = Model::load(model.as_ref()).unwrap().table;
    let state = ran.state();
    let of = |kind: &str| state.iter().copied().filter(move |line| line["of"] == kind).collect::<Vec<_>>();
    let value = |item: &Value, name: &str| item["item"][name]["S"].as_str().unwrap_or_default().to_owned();
    let items = of("item").into_iter().map(|item| format!("{} | {}", value(item, &table.pk), value(item, &table.sk)));
    let mut items: Vec<String> = items.filter(|key| !key.starts_with("INSTEP#")).collect();
    items.sort();
    let name = |value: &Value, field: &str| value[field].as_str().unwrap_or_default().to_owned();
    let members = |group: &Value| serde_json::from_value(group["members"].clone()).unwrap();
    let enabled = |user: &Value| User { enabled: user["enabled"].as_bool().unwrap() };
    let mut events: Vec<String> = ran.of("event").iter().map(|event| name(&event["event"], "detail-type")).collect();
    events.sort();
    Expected {
        items,
        users: of("user").into_iter().map(|user| (name(user, "username"), enabled(user))).collect(),
        groups: of("group").into_iter().map(|group| (name(group, "name"), members(group))).collect(),
        group_settings: of("group")
            .into_iter()
            .map(|group| (name(group, "name"), serde_json::from_value(group.clone()).unwrap()))
            .filter(|(_, settings)| *settings != GroupSettings::default())
            .collect(),
        events,
    }
}

#[test]
fn each_design_ends_as_it_was_foretold() {
    let mut designs: Vec<_> = std::fs::read_dir(folder()).unwrap().map(|entry| entry.unwrap().path()).collect();
    designs.retain(|path| path.is_dir());
    designs.sort();
    assert!(designs.len() >= 4);
    for design in designs {
        let text = std::fs::read_to_string(design.join("expected.json")).unwrap();
        let mut expected: Expected = serde_json::from_str(&text).unwrap();
        expected.events.sort();
        expected.items.sort();
        assert_eq!(replayed(&design), expected, "{}", design.display());
    }
}
