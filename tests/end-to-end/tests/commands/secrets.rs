//! Nothing secret is shown: not the keys of secret items, and no copy of a secret value.

use std::path::Path;

use crate::support::instep;

/// Tokens, invitations and hashes are secret. The attribute `pin` of a person is, too.
const MODEL: &str = r#"
model = "hidden"
[table]
pk = "PK"
sk = "SK"
secret = ["pin"]
[names]
role = ["owner", "viewer"]
[items.Person]
pk = "PERSON#{personId}"
sk = "PERSON"
entity = "Person"
events = ["name"]
cognito.user = { name = "{personId}" }
[items.Team]
pk = "TEAM#{teamId}"
sk = "TEAM"
entity = "Team"
cognito.groups = "team:{teamId}:{role}"
[items.Token]
pk = "TOKEN#{tokenId}"
sk = "TOKEN"
secret = true
parent = { type = "Person", personId = "{personId}", find = "back-reference" }
due = [{ at = "expiresOn", when = { status = "on" }, set = { status = "off" } }]
[items.Invite]
pk = "INVITE#{code}"
sk = "INVITE"
secret = true
parent = { type = "Team", teamId = "{teamId}", find = "back-reference" }
grant = { subject = { type = "Person", personId = "{personId}", find = "back-reference" }, scope = { type = "Team", teamId = "{teamId}", find = "back-reference" }, roles = "role" }
cognito.member = { user = { type = "Person", personId = "{personId}", find = "back-reference" }, group = { type = "Team", teamId = "{teamId}", find = "back-reference" } }
[items.Pass]
pk = "PASS#{personId}"
sk = "PASS#{teamId}"
secret = true
parent = "Person"
grant = { subject = "Person", scope = { type = "Team", find = "back-reference" }, roles = "role", until = "until" }
[items.Hash]
pk = "HASH#{hash}"
sk = "HASH"
secret = true
guard = { owner = "Person" }
[names.expiresOn]
is = "date"
"#;

/// Each secret contains `HUSH`. Some records are parked, a value is taken, and a moment is still to come.
const WRITES: &str = r#"[
{"at":"2026-06-01T10:00:00Z","put":{"PK":"TEAM#t","SK":"TEAM"}},
{"at":"2026-06-01T10:00:01Z","put":{"PK":"TOKEN#HUSH1","SK":"TOKEN","personId":"p","expiresOn":"2026-07-01","status":"on","x":"HUSH"}},
{"at":"2026-06-01T10:00:02Z","put":{"PK":"INVITE#HUSH2","SK":"INVITE","personId":"p","teamId":"t","role":"owner"}},
{"at":"2026-06-01T10:00:03Z","put":{"PK":"PERSON#p","SK":"PERSON","hash":"HUSH3","pin":"HUSH4","GSI9PK":"PIN#hush4"}},
{"at":"2026-06-01T10:00:03Z","put":{"PK":"PERSON#q","SK":"PERSON","hash":"HUSH3"}},
{"at":"2026-06-01T10:00:04Z","put":{"PK":"TOKEN#HUSH5","SK":"TOKEN","personId":["HUSH"],"expiresOn":"HUSH"}},
{"at":"2026-06-01T10:00:04Z","put":{"PK":"PASS#HUSH9","SK":"PASS#HUSH10","role":"owner","until":"2099-07-01"}},
{"at":"2026-06-01T10:00:05Z","put":{"PK":"ODD#HUSH6","SK":"HUSH7","pin":"HUSH8"}}
]"#;

fn shows_nothing(text: &str) {
    let line = text.lines().find(|line| line.to_lowercase().contains("hush"));
    assert!(line.is_none(), "{line:?}");
}

/// Promise 9: neither the report nor the state nor an explanation shows a secret.
#[test]
fn no_command_shows_a_secret() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    let (model, writes, data) = (path("model.toml"), path("writes.json"), path("data"));
    std::fs::write(&model, MODEL).unwrap();
    std::fs::write(&writes, WRITES).unwrap();
    for more in [&["--state"][..], &["--state", "--json"]] {
        let ran = instep(&[&["replay", &writes, "--model", &model][..], more].concat());
        assert!(ran.status == 1 && !ran.stdout.is_empty(), "{}", ran.stderr);
        shows_nothing(&ran.stdout);
        shows_nothing(&ran.stderr);
    }
    let ran = instep(&["replay", &writes, "--model", &model, "--data", &data]);
    assert_eq!(ran.status, 1, "{}", ran.stderr);
    shows_nothing(&std::fs::read_to_string(Path::new(&data).join("parked.jsonl")).unwrap());
    for object in [&["p"][..], &["Team=t"], &["--key", "INVITE#HUSH2", "INVITE"], &["--key", "TOKEN#HUSH1", "TOKEN"]] {
        for json in [&[][..], &["--json"]] {
            let ran = instep(&[&["explain", "--data", &data, "--model", &model][..], object, json].concat());
            assert!(ran.status <= 1 && !ran.stdout.is_empty(), "{object:?} {}", ran.stderr);
            shows_nothing(&ran.stdout);
        }
    }
    for json in [&[][..], &["--json"]] {
        for command in ["due", "sweep"] {
            let ran = instep(&[&[command, "--data", &data, "--model", &model][..], json].concat());
            assert!(ran.status <= 1 && ran.stdout.contains("Pass"), "{command} {}{}", ran.stdout, ran.stderr);
            shows_nothing(&ran.stdout);
        }
    }
    let ran = instep(&["check", &model, "--data", &data]);
    let (_, references) = ran.stdout.split_once("References of all").unwrap();
    assert!(references.contains("there is no Person"), "{references}");
    shows_nothing(references);
}

/// A stack's directory has unmasked items: only its owner can read it, also one of an earlier version.
#[cfg(unix)]
#[test]
fn a_directory_belongs_to_its_owner_alone() {
    use std::os::unix::fs::PermissionsExt as _;
    let folder = tempfile::tempdir().unwrap();
    let data = folder.path().join("data");
    let writes = folder.path().join("writes.json");
    std::fs::write(&writes, r#"[{"put": {"pk": "G:/a", "sk": "G:/a"}}, {"put": {"pk": "X", "sk": "X"}}]"#).unwrap();
    let (data_text, writes) = (data.to_str().unwrap(), writes.to_str().unwrap());
    let replay = || instep(&["replay", writes, "--model", "access-management", "--data", data_text]);
    let modes = || {
        let files = std::fs::read_dir(&data).unwrap().map(|entry| entry.unwrap().path());
        let mode = |path: &Path| std::fs::metadata(path).unwrap().permissions().mode() & 0o777;
        (mode(&data), files.map(|path| (mode(&path), path)).collect::<Vec<_>>())
    };
    let is_private = |(folder, files): (u32, Vec<(u32, std::path::PathBuf)>)| {
        assert!(files.len() > 5, "{files:?}");
        folder == 0o700 && files.iter().all(|(mode, _)| *mode == 0o600)
    };
    assert_eq!(replay().status, 1);
    assert!(is_private(modes()), "{:?}", modes());
    std::fs::set_permissions(&data, std::fs::Permissions::from_mode(0o755)).unwrap();
    for (_, path) in modes().1 {
        std::fs::set_permissions(path, std::fs::Permissions::from_mode(0o644)).unwrap();
    }
    replay();
    assert!(is_private(modes()), "{:?}", modes());
}

/// A redaction without a key makes one that nobody can guess, and says it once.
#[test]
fn a_redaction_makes_its_own_key() {
    let redact = |more: &[&str]| {
        let args = ["capture", "--model", "access-management", "--redact", "email", "--writes"];
        let writes = "tests/writes/access-management/01-user-created.json";
        let ran = instep(&[&args[..], &[writes], more].concat());
        assert_eq!(ran.status, 0, "{}", ran.stderr);
        (ran.stdout, ran.stderr)
    };
    let ((first, said), (second, _)) = (redact(&[]), redact(&[]));
    assert_ne!(first, second);
    let key = said.split("--redact-key ").nth(1).and_then(|rest| rest.split('`').next()).unwrap();
    assert!(key.len() == 32 && !first.contains(key), "{said}");
    let (again, silent) = redact(&["--redact-key", key]);
    assert_eq!((again, silent.contains(key)), (first, false));
    assert_ne!(redact(&["--redact-key", ""]).0, redact(&["--redact-key", ""]).0, "an empty key could be guessed");
}

/// Promise 6: records of a table of the same name in another account are parked, in one run and in a later one.
#[test]
fn records_of_a_namesake_are_parked() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    let own = std::fs::read_to_string(crate::support::root().join("events/access-management/01-user-created.json"));
    let own = own.unwrap();
    let records: serde_json::Value = serde_json::from_str(&own).unwrap();
    let arn = records["Records"][0]["eventSourceARN"].as_str().unwrap().to_owned();
    let account = arn.split(':').nth(4).unwrap();
    let foreign = own.replace(account, "999999999999");
    let (first, second, data) = (path("1.json"), path("2.json"), path("data"));
    std::fs::write(&first, &own).unwrap();
    std::fs::write(&second, &foreign).unwrap();
    let codes = |args: &[&str]| {
        let ran = instep(&[&["replay", "--model", "access-management", "--json"][..], args].concat());
        let codes = ran.of("parked").iter().map(|line| line["code"].as_str().unwrap().to_owned()).collect::<Vec<_>>();
        (codes, ran.of("event").len())
    };
    let (alone, events) = codes(&[&first]);
    assert!(alone.is_empty() && events > 0);
    let (both, of_both) = codes(&[&first, &second]);
    assert!(!both.is_empty() && both.iter().all(|code| code == "other-table") && of_both == events, "{both:?}");
    assert_eq!(codes(&[&first, "--data", &data]).1, events);
    let (later, of_later) = codes(&[&second, "--data", &data]);
    assert!(!later.is_empty() && later.iter().all(|code| code == "other-table") && of_later == 0, "{later:?}");
    let named = arn.split("/stream/").next().unwrap();
    assert_eq!(codes(&[&second, "--table", named]), (later, 0));
}
