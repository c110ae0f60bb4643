//! A change of a model over a table that keeps the models: what is known of them, and what it ends with.

use super::plan::cases::{PlannedChange, RANK, case};
use super::plan::{PlannedFiles, found};
use super::support::{Ran, instep};

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
            "plan" => vec!["plan", &model, "--data", &data, "--now", "2026-06-03T09:00:00Z"],
            command => vec![command, "--model", &model, "--data", &data],
        };
        instep(&[&args, more].concat())
    }

    fn status(&self) -> Ran {
        self.run("change", "new.toml", &["--json"])
    }

    fn hash(&self) -> String {
        self.status().lines[0]["current"].as_str().unwrap().to_owned()
    }
}

/// A plan needs no file of the old model: before the deployment it is the one that is deployed, and after it the one
/// that was, until a person says that nothing of it is left.
#[test]
fn a_plan_knows_the_deployed_model() {
    let table = Deployed::of(&DROPPED);
    let old = table.path("old.toml");
    let with_file = table.run("plan", "new.toml", &["--against", &old, "--json"]);
    let before = table.run("plan", "new.toml", &["--json"]);
    assert_eq!(found(&before.lines[0]), found(&with_file.lines[0]), "{}", before.stderr);
    assert_eq!((before.status, table.status().status), (1, 0));
    let first = table.hash();
    table.deploy("new.toml");
    let status = table.status();
    assert_eq!((status.status, &status.lines[0]["state"]), (1, &"changing".into()));
    assert_eq!(status.lines[0]["previous"], serde_json::json!([first]));
    let after = table.run("plan", "new.toml", &["--against", "deployed", "--json"]);
    assert_eq!(found(&after.lines[0]), found(&with_file.lines[0]), "the role's memberships are still there");
    let wrong = table.run("change", "new.toml", &["--complete", &first]);
    assert_eq!((wrong.status, table.status().status), (2, 1), "that one is not deployed: {}", wrong.stderr);
    assert_eq!(table.run("change", "new.toml", &["--complete", &table.hash()]).status, 0);
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
    assert_eq!(table.status().status, 0);
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
