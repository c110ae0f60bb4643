//! `instep plan`: pairs of models over a table that the old one has made, each with what a person has to hear before the
//! new one is deployed.

pub mod cases;

use std::path::Path;
use std::thread;

use serde_json::Value;

use super::support::{DESIGNS, Ran, instep, model_of};
use cases::{Edits, FLEET, PlannedChange, RANK, UNTIL, case, of_access, of_keys_and_references, of_time_and_guards};

fn edited(model: &str, edits: Edits) -> String {
    edits.iter().fold(model.to_owned(), |model, (was, is)| {
        assert!(model.contains(was), "the model has no\n{was}");
        model.replace(was, is)
    })
}

/// The files of a case: the models, and the folder of a table that the old one has made.
pub struct PlannedFiles {
    folder: tempfile::TempDir,
}

impl PlannedFiles {
    pub fn of(case: &PlannedChange) -> Self {
        let files = Self { folder: tempfile::tempdir().unwrap() };
        let old = edited(FLEET, case.old);
        std::fs::write(files.path("new.toml"), edited(&old, case.new)).unwrap();
        std::fs::write(files.path("old.toml"), old).unwrap();
        std::fs::write(files.path("writes.json"), format!("[{}]", case.writes.join(","))).unwrap();
        let made = instep(&[
            "replay",
            &files.path("writes.json"),
            "--model",
            &files.path("old.toml"),
            "--data",
            &files.path("data"),
        ]);
        assert_eq!(made.status, 0, "{}: {}{}", case.name, made.stdout, made.stderr);
        files
    }

    pub fn path(&self, name: &str) -> String {
        Path::new(self.folder.path()).join(name).to_str().unwrap().to_owned()
    }

    /// Plans over the table.
    fn plan(&self, more: &[&str]) -> Ran {
        let (new, old, data) = (self.path("new.toml"), self.path("old.toml"), self.path("data"));
        let args = ["plan", &new, "--against", &old, "--data", &data, "--now", "2026-06-03T09:00:00Z"];
        instep(&[&args, more].concat())
    }
}

/// What a plan has found, in short.
pub fn found(plan: &Value) -> String {
    let of = |finding: &Value| {
        let code = finding["code"].as_str().filter(|code| !code.is_empty());
        let code = code.map(|code| format!(" ({code})")).unwrap_or_default();
        format!("{} {}{code}", finding["kind"].as_str().unwrap(), finding["count"])
    };
    plan["findings"].as_array().unwrap().iter().map(of).collect::<Vec<_>>().join(", ")
}

fn assert_planned(cases: Vec<PlannedChange>, more: &[&str]) {
    let wrong = |case: &PlannedChange| {
        let ran = PlannedFiles::of(case).plan(&[&["--json"], more].concat());
        let found = ran.lines.first().map(found).unwrap_or_else(|| ran.stderr.clone());
        let is_right = (ran.status, found.as_str()) == (case.status, case.found);
        (!is_right)
            .then(|| format!("{}: exit {}, {found}\n  not: {}, {}", case.name, ran.status, case.status, case.found))
    };
    // Each waits for processes of its own.
    let wrong: Vec<String> = thread::scope(|scope| {
        let halves = cases
            .chunks(cases.len().div_ceil(2))
            .map(|half| scope.spawn(move || half.iter().filter_map(wrong).collect::<Vec<_>>()));
        let halves: Vec<_> = halves.collect();
        halves.into_iter().flat_map(|half| half.join().unwrap()).collect()
    });
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// Access that a change leaves, gives or takes is counted, and such a change is never "deploy".
#[test]
fn a_plan_counts_access() {
    assert_planned(of_access(), &[]);
}

/// Where the pool has what OLD makes, a plan that does not read it counts the same.
#[test]
fn a_plan_without_the_pool_counts_access() {
    assert_planned(of_access(), &["--no-pool"]);
    let files = PlannedFiles::of(&case("a role dropped", &[(RANK, "rank = [\"mate\", \"cook\"]")], 1, ""));
    let ran = files.plan(&["--no-pool"]);
    assert!(ran.stdout.contains("(the pool was not read: what OLD makes counts as what exists)"), "{}", ran.stdout);
    let (new, old) = (files.path("new.toml"), files.path("old.toml"));
    assert_eq!(instep(&["plan", &new, "--against", &old, "--no-pool"]).status, 2);
}

#[test]
fn a_plan_counts_times_and_guards() {
    assert_planned(of_time_and_guards(), &[]);
}

/// What is no longer found or handled is counted, and what nothing touches is not.
#[test]
fn a_plan_counts_what_keys_and_references_lose() {
    assert_planned(of_keys_and_references(), &[]);
}

/// It reads: the table and the pool are as before, and a second plan says the same.
#[test]
fn a_plan_changes_nothing() {
    let files = PlannedFiles::of(&case("a role dropped", &[(RANK, "rank = [\"mate\", \"cook\"]")], 1, ""));
    let state = || {
        std::fs::write(files.path("none.json"), "[]").unwrap();
        let (none, data, old) = (files.path("none.json"), files.path("data"), files.path("old.toml"));
        let ran = instep(&["replay", &none, "--model", &old, "--data", &data, "--json", "--state"]);
        ran.state().into_iter().map(Value::to_string).collect::<Vec<_>>()
    };
    let before = state();
    let first = files.plan(&[]);
    assert_eq!((first.status, state()), (1, before));
    assert_eq!(files.plan(&[]).stdout, first.stdout);
    assert!(first.stdout.contains("takes 1 memberships; deletes 0 users, 1 groups"), "{}", first.stdout);
    assert_eq!(files.plan(&["--items", "taken"]).stdout, "eve in ship:s1:captain\n");
    assert_eq!(files.plan(&["--items", "given"]).stdout, "");
    assert_eq!(files.plan(&["--items", "everything"]).status, 2);
}

/// INVARIANT 9: what a model keeps secret is counted, and not shown.
#[test]
fn a_plan_shows_no_secret_key() {
    const SECRET: &str = "guard = { owner = \"Sailor\" }\nsecret = true\n";
    const SECRET_MAIL: &str =
        "[items.Mail]\npk = \"MAIL#{mail|lower}\"\nsk = \"MAIL\"\nguard = { owner = \"Sailor\" }\nsecret = true\n";
    let dropped = case("a secret guard dropped", &[(SECRET_MAIL, "")], 1, "parked 2 (unknown-item), stays 2");
    let dropped = dropped.from(&[("guard = { owner = \"Sailor\" }\n", SECRET)]);
    let ran = PlannedFiles::of(&dropped).plan(&["--json"]);
    assert_eq!((ran.status, found(&ran.lines[0]).as_str()), (1, dropped.found));
    assert!(!ran.stdout.contains("MAIL#"), "{}", ran.stdout);
}

/// What a person reads: the sections in their order, each step with its command.
#[test]
fn a_plan_without_a_table_counts_nothing() {
    let files = PlannedFiles::of(&case("grants end", &[UNTIL], 1, ""));
    let (new, old) = (files.path("new.toml"), files.path("old.toml"));
    let ran = instep(&["plan", &new, "--against", &old]);
    assert_eq!(ran.status, 1, "{}", ran.stderr);
    let titles = ran.stdout.lines().filter(|line| !line.starts_with(' ')).collect::<Vec<_>>();
    assert_eq!(titles[..4], ["Model", "Subscribers", "Stack", "Steps"]);
    assert_eq!(titles[4..], ["deploy, with steps. Nothing was counted: no table was named."]);
    let check = instep(&["check", &new, "--against", &old]);
    assert_eq!((check.status, instep(&["plan", &new, "--against", &old, "--items", "taken"]).status), (1, 2));
    assert_eq!(instep(&["plan", &old, "--against", &old]).status, 0);
    assert_eq!(instep(&["plan", &new]).status, 2);
    // The same words, from the same code.
    let words = |text: &str| text.lines().skip(1).take(3).map(str::to_owned).collect::<Vec<_>>();
    assert_eq!(words(&ran.stdout), words(&check.stdout));
}

/// A model that does not change has nothing to do, whatever the table has.
#[test]
fn nothing_changes_between_a_model_and_itself() {
    for design in DESIGNS.into_iter().step_by(2) {
        let (_, model) = model_of(design);
        let folder = tempfile::tempdir().unwrap();
        let data = folder.path().join("data").to_str().unwrap().to_owned();
        instep(&["replay", &format!("events/{design}"), "--data", &data]);
        let ran = instep(&["plan", &model, "--against", &model, "--data", &data, "--json"]);
        let plan = ran.lines.first().unwrap_or_else(|| panic!("{}", ran.stderr));
        let steps = plan["findings"].as_array().unwrap().iter().filter(|found| found["kind"] != "unimplied");
        assert_eq!((ran.status, steps.count()), (0, 0), "{design}: {plan}");
    }
}
