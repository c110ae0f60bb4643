//! The captures under `events/` are exactly what `instep capture` creates from the writes under
//! `tests/writes/`.

use std::collections::BTreeSet;
use std::path::Path;
use std::process::Command;

use crate::support::{binary, root};

/// The names of a folder's JSON files.
fn names(folder: &Path) -> BTreeSet<String> {
    let entries = std::fs::read_dir(folder).unwrap_or_else(|error| panic!("{}: {error}", folder.display()));
    let names = entries.map(|entry| entry.unwrap().file_name().into_string().unwrap());
    names.filter(|name| name.ends_with(".json")).collect()
}

fn instep(args: &[&str]) -> std::process::Output {
    Command::new(binary()).args(args).env_remove("INSTEP_TABLE").output().unwrap()
}

fn check(system: &str) {
    let writes = root().join("tests/writes").join(system);
    let events = root().join("events").join(system);
    assert_eq!(names(&writes), names(&events), "each capture has its writes, and the other way round");
    // A folder has its own model, or has the name of a shipped model.
    let own = events.join("model.toml");
    let model = if own.exists() { own.to_str().unwrap() } else { system };
    for name in names(&writes) {
        let output = instep(&["capture", "--writes", writes.join(&name).to_str().unwrap(), "--model", model]);
        assert!(output.status.success(), "{name}: {}", String::from_utf8_lossy(&output.stderr));
        let made = String::from_utf8(output.stdout).unwrap();
        let kept = std::fs::read_to_string(events.join(&name)).unwrap();
        assert!(made == kept, "{system}/{name} differs from its writes; run tests/writes/regenerate");
    }
}

#[test]
fn captures_are_what_their_writes_make() {
    for folder in std::fs::read_dir(root().join("tests/writes")).unwrap() {
        let folder = folder.unwrap();
        if folder.file_type().unwrap().is_dir() {
            check(&folder.file_name().into_string().unwrap());
        }
    }
}

#[test]
fn a_capture_is_not_overwritten_without_force() {
    let dir = tempfile::tempdir().unwrap();
    let out = dir.path().join("a.json");
    let writes = root().join("tests/writes/access-management/01-user-created.json");
    let args = ["capture", "--model", "access-management", "--writes", writes.to_str().unwrap(), "--out"];
    let args = [&args[..], &[out.to_str().unwrap()]].concat();
    assert!(instep(&args).status.success());
    let again = instep(&args);
    assert_eq!(again.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&again.stderr).contains("already exists"));
    assert!(instep(&[&args[..], &["--force"]].concat()).status.success());
}

#[test]
fn a_redacted_capture_holds_no_address_and_plays() {
    let dir = tempfile::tempdir().unwrap();
    let out = dir.path().join("redacted.json");
    let writes = root().join("tests/writes/access-management/16-last-membership-revoked.json");
    let args = ["capture", "--model", "access-management", "--redact", "email", "--writes", writes.to_str().unwrap()];
    assert!(instep(&[&args[..], &["--out", out.to_str().unwrap()]].concat()).status.success());
    let text = std::fs::read_to_string(&out).unwrap();
    assert!(!text.contains("@example.com") && text.contains("@redacted.example"), "{text}");
    let replay = instep(&["replay", "--model", "access-management", "--json", out.to_str().unwrap()]);
    assert_eq!(replay.status.code(), Some(0), "{}", String::from_utf8_lossy(&replay.stderr));
    assert!(
        String::from_utf8_lossy(&replay.stdout).contains("\"User Deleted\""),
        "the last membership is still the last"
    );
}
