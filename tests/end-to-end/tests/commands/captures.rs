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
    instep_in(&[], args)
}

/// Runs `instep` with these variables of the environment.
fn instep_in(environment: &[(&str, &str)], args: &[&str]) -> std::process::Output {
    let mut command = Command::new(binary());
    command.env_remove("INSTEP_TABLE").env_remove("INSTEP_REDACT_KEY");
    command.args(args).envs(environment.iter().copied()).output().unwrap()
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

/// What a deployment or a redaction needs may be set for all commands of a shell.
#[test]
fn the_environment_of_a_deployment_does_not_change_a_capture_of_writes() {
    let writes = root().join("tests/writes/access-management/01-user-created.json");
    let args = ["capture", "--model", "access-management", "--writes", writes.to_str().unwrap()];
    let expected = instep(&args).stdout;
    for variable in [("INSTEP_TABLE", "production"), ("INSTEP_REDACT_KEY", "secret")] {
        let ran = instep_in(&[variable], &args);
        assert!(ran.status.success(), "{}", String::from_utf8_lossy(&ran.stderr));
        assert!(ran.stdout == expected, "{variable:?} changes the capture");
    }
    let redacting = [&args[..], &["--redact", "email"]].concat();
    let keyed = instep_in(&[("INSTEP_REDACT_KEY", "secret")], &redacting).stdout;
    assert!(keyed == instep(&[&redacting[..], &["--redact-key", "secret"]].concat()).stdout);
    assert!(keyed != instep(&redacting).stdout);
    let refused = instep(&[&args[..], &["--redact-key", "secret"]].concat());
    assert_eq!(refused.status.code(), Some(2), "an option that has no effect");
}

#[test]
fn a_deployment_is_captured_by_the_name_of_its_table() {
    let args = ["capture", "--endpoint", "http://127.0.0.1:9"];
    let nameless = instep(&args);
    assert_eq!(nameless.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&nameless.stderr).contains("(or INSTEP_TABLE)"), "{nameless:?}");
}

/// A kept stack has its own table, whatever the environment of a deployment says.
#[test]
fn the_environment_of_a_deployment_does_not_change_a_capture_of_a_kept_stack() {
    let dir = tempfile::tempdir().unwrap();
    let data = dir.path().join("data");
    let history = root().join("events/access-management/01-user-created.json");
    assert!(instep(&["replay", history.to_str().unwrap(), "--data", data.to_str().unwrap()]).status.success());
    let args = ["capture", "--data", data.to_str().unwrap()];
    let ran = instep_in(&[("INSTEP_TABLE", "production")], &args);
    assert!(ran.status.success() && ran.stdout == instep(&args).stdout, "{}", String::from_utf8_lossy(&ran.stderr));
    assert!(!ran.stdout.is_empty());
}

#[test]
fn a_byte_order_mark_is_no_part_of_a_file_of_writes() {
    let dir = tempfile::tempdir().unwrap();
    let writes = root().join("tests/writes/access-management/01-user-created.json");
    let marked = dir.path().join("marked.json");
    std::fs::write(&marked, format!("\u{feff}{}", std::fs::read_to_string(&writes).unwrap())).unwrap();
    let capture =
        |file: &Path| instep(&["capture", "--model", "access-management", "--writes", file.to_str().unwrap()]);
    let ran = capture(&marked);
    assert!(ran.status.success(), "{}", String::from_utf8_lossy(&ran.stderr));
    assert!(ran.stdout == capture(&writes).stdout);
}
