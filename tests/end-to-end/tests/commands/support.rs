//! Runs the command line, and parses its output.

use std::collections::{BTreeMap, BTreeSet};
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::{Arc, Mutex, OnceLock};

use contract_check::Contract;
use instep_model::Model;
use jiff::{SignedDuration, Timestamp};
use serde_json::Value;

pub fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").canonicalize().unwrap()
}

/// The designs that have captures under `events/`.
pub const DESIGNS: [&str; 9] = [
    "access-management",
    "account-management",
    "authorization",
    "bookings",
    "invoicing",
    "platform",
    "relational-store",
    "relational-store-1n",
    "version-control",
];

/// A design's model, and its name for `--model`.
pub fn model_of(design: &str) -> (Model, String) {
    let file = root().join("events").join(design).join("model.toml");
    if file.exists() {
        return (Model::load(&file).unwrap(), file.to_str().unwrap().to_owned());
    }
    (Model::shipped(design).unwrap(), design.to_owned())
}

/// The binary `instep`. Cargo passes its path only to the tests of its own package. It is in the
/// parent folder of the test executables.
///
/// `cargo test` and `cargo test --workspace` build it for `functions/instep/tests/binary.rs`. One
/// that an earlier command has built, before a source changed, would prove nothing.
pub fn binary() -> PathBuf {
    static BUILT: OnceLock<PathBuf> = OnceLock::new();
    BUILT.get_or_init(built).clone()
}

fn built() -> PathBuf {
    let test = std::env::current_exe().unwrap();
    let built = test.ancestors().nth(2).unwrap();
    let binary = built.join(format!("instep{}", std::env::consts::EXE_SUFFIX));
    let how = "run `cargo build --workspace --bins` first";
    assert!(binary.exists(), "there is no {}: {how}", binary.display());
    let changed = |path: &Path| path.metadata().and_then(|metadata| metadata.modified()).ok();
    // Cargo lists there what the binary is made of, once a command has asked for the binary. In a clean checkout none has, and
    // `cargo test` has just built it.
    let sources = std::fs::read_to_string(built.join("instep.d")).unwrap_or_default();
    let later = sources.split_whitespace().skip(1).find(|source| changed(Path::new(source)) > changed(&binary));
    assert_eq!(later, None, "changed after {} was built: {how}", binary.display());
    binary
}

pub struct Ran {
    pub status: i32,
    pub lines: Vec<Value>,
    pub stdout: String,
    pub stderr: String,
}

impl Ran {
    /// The lines of one kind.
    pub fn of(&self, kind: &str) -> Vec<&Value> {
        self.lines.iter().filter(|line| line["kind"] == kind).collect()
    }

    pub fn summary(&self) -> &Value {
        self.of("summary")[0]
    }

    /// The final state, as it was printed.
    pub fn state(&self) -> Vec<&Value> {
        self.of("state")
    }
}

/// Runs `instep` from the project's root.
pub fn instep(args: &[&str]) -> Ran {
    instep_with(args, "")
}

/// The replay of a capture or of a folder, with its reasons and its final state. Each is run once for all tests: it is deterministic.
pub fn replayed(path: &str) -> &'static Ran {
    static RUNS: Mutex<BTreeMap<String, &'static OnceLock<Ran>>> = Mutex::new(BTreeMap::new());
    let run: &OnceLock<Ran> = RUNS.lock().unwrap().entry(path.to_owned()).or_insert_with(|| Box::leak(Box::default()));
    run.get_or_init(|| instep(&["replay", path, "--why", "--json", "--state"]))
}

/// Runs `instep` with this text on its standard input.
pub fn instep_with(args: &[&str], input: &str) -> Ran {
    let mut command = Command::new(binary());
    for name in ["TABLE", "MODEL", "USER_POOL", "BUS", "PARKED_QUEUE", "BUCKET", "LOG"] {
        command.env_remove(format!("INSTEP_{name}"));
    }
    let mut child = command
        .args(args)
        .current_dir(root())
        .env("NO_COLOR", "1")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    // A command that does not read its input may exit before the input is written.
    let _ = child.stdin.take().unwrap().write_all(input.as_bytes());
    let output = child.wait_with_output().unwrap();
    let stdout = String::from_utf8(output.stdout).unwrap();
    let lines: Vec<Value> = stdout.lines().filter_map(|line| serde_json::from_str(line).ok()).collect();
    lines
        .iter()
        .filter(|line| line["kind"] == "event")
        .for_each(|line| assert_is_of_the_contract(&line["event"], args));
    Ran { status: output.status.code().unwrap(), lines, stdout, stderr: String::from_utf8(output.stderr).unwrap() }
}

/// A published event is as the schemas of its model say.
fn assert_is_of_the_contract(entry: &Value, args: &[&str]) {
    static CONTRACTS: Mutex<BTreeMap<String, Arc<Contract>>> = Mutex::new(BTreeMap::new());
    let name = entry["detail"]["metadata"]["model"].as_str().unwrap();
    let is_given = args.iter().any(|arg| arg.ends_with(".toml"));
    let known = CONTRACTS.lock().unwrap().get(name).cloned().filter(|_| !is_given);
    let contract = known.unwrap_or_else(|| {
        let own = || ["events", "tests/foreign"].into_iter().find_map(|folder| model_in(&root().join(folder), name));
        let given =
            || args.iter().filter(|arg| arg.ends_with(".toml")).find_map(|arg| Model::load(&root().join(arg)).ok());
        let model = given().or_else(|| Model::shipped(name)).or_else(own).unwrap_or_else(|| panic!("no model {name}"));
        let contract = Arc::new(Contract::of(&model));
        // Another test may give another model the same name.
        if !is_given {
            CONTRACTS.lock().unwrap().insert(name.to_owned(), Arc::clone(&contract));
        }
        contract
    });
    let text = |field: &str| entry[field].as_str().unwrap();
    assert_eq!(contract.check(text("source"), text("detail-type"), &entry["detail"].to_string()), Ok(()));
}

/// The model of that name in one of the folders of a folder.
fn model_in(folder: &Path, name: &str) -> Option<Model> {
    let folders = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    let models = folders.map(|folder| folder.join("model.toml")).filter(|file| file.is_file());
    models.filter_map(|file| Model::load(&file).ok()).find(|model| model.name == name)
}

/// The captures of a folder under `events/`, in path order.
pub fn captures(folder: &str) -> Vec<PathBuf> {
    let mut files: Vec<PathBuf> = std::fs::read_dir(root().join("events").join(folder))
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .filter(|path| path.extension().is_some_and(|ending| ending == "json"))
        .collect();
    files.sort();
    files
}

/// The items that remain in the table.
pub fn items(ran: &Ran) -> Vec<&Value> {
    ran.state().into_iter().filter(|state| state["of"] == "item").map(|state| &state["item"]).collect()
}

/// A text attribute.
pub fn s<'a>(item: &'a Value, name: &str) -> Option<&'a str> {
    item[name]["S"].as_str()
}

/// Checks the bookkeeping items at the end of a history: only tombstones, accounts, how many users were deleted,
/// back-references of existing items, addresses, groups on demand that exist, and moments that are still to come.
pub fn assert_only_lasting_bookkeeping(ran: &Ran, pk: &str) {
    for item in items(ran) {
        let pk = s(item, pk).unwrap();
        if let Some(kind) = pk.strip_prefix("INSTEP#").and_then(|rest| rest.split('#').next()) {
            assert!(["GONE", "REF", "AT", "GROUP", "DUE", "ACCOUNT", "LIMIT"].contains(&kind), "left over: {item}");
            if kind == "DUE" {
                let at: Timestamp = s(&item["instep"]["M"], "at").unwrap().parse().unwrap();
                assert!(Some(at) > end(ran), "left over: {item}");
            }
            if kind == "GROUP" {
                // The sort key is the group's name.
                let exists = |state: &&Value| {
                    state["of"] == "group"
                        && item.as_object().unwrap().values().any(|value| value["S"] == state["name"])
                };
                assert!(ran.state().into_iter().any(|state| exists(&state)), "left over: {item}");
            }
            if kind == "GONE" {
                assert!(item["instep"]["M"]["removedAt"]["S"].is_string(), "no moment of the deletion: {item}");
            }
        }
    }
}

/// The users of items `User` whose deletion waits, and when they are deleted.
pub fn users_that_wait(ran: &Ran) -> BTreeMap<String, Timestamp> {
    let of_users = items(ran).into_iter().filter(|item| item["instep"]["M"]["turn"]["S"] == "delete-user");
    let named = of_users.map(|item| {
        // Where a secret item has the name, too, only the key has it.
        let (_, name) = s(item, "SK").or_else(|| s(item, "sk")).unwrap().rsplit_once('=').unwrap();
        (name.to_owned(), s(&item["instep"]["M"], "at").unwrap().parse().unwrap())
    });
    named.collect()
}

/// When the last record was written of which an event tells.
pub fn end(ran: &Ran) -> Option<Timestamp> {
    let metadata = ran.of("event").into_iter().map(|event| &event["event"]["detail"]["metadata"]);
    metadata.map(|metadata| metadata["recordedAt"].as_str().unwrap().parse().unwrap()).max()
}

/// Checks the users of items `User` that were deleted: each is disabled, and deleted `days` after its item. Returns those
/// whose deletion waits. None that Instep made is missing.
pub fn assert_deleted_later(ran: &Ran, days: i64) -> BTreeSet<String> {
    let mut deleted = BTreeMap::new();
    for event in ran.of("event") {
        let metadata = &event["event"]["detail"]["metadata"];
        let text = |name: &str| metadata[name].as_str().unwrap().to_owned();
        if metadata["entity"] == "User" && metadata["verb"] == "deleted" {
            deleted.insert(text("entityId"), text("recordedAt").parse::<Timestamp>().unwrap());
        } else if metadata["entity"] == "User" && metadata["verb"] == "created" {
            deleted.remove(metadata["entityId"].as_str().unwrap());
        }
    }
    let due = |at: &Timestamp| *at + SignedDuration::from_hours(24 * days);
    let waiting = users_that_wait(ran);
    for (name, at) in &waiting {
        let user = ran.state().into_iter().find(|state| state["of"] == "user" && state["username"] == name.as_str());
        assert_eq!(user.unwrap_or_else(|| panic!("no user {name}"))["enabled"], false, "{name}");
        assert_eq!(deleted.get(name).map(due), Some(*at), "{name}");
    }
    let (now, made) =
        (end(ran), ran.of("effect").into_iter().filter(|effect| effect["operation"] == "AdminCreateUser"));
    for name in made.filter(|effect| effect["outcome"] == "done").map(|effect| effect["target"].as_str().unwrap()) {
        let is_over = deleted.get(name).is_none_or(|at| Some(due(at)) <= now);
        assert!(is_over || waiting.contains_key(name), "{name} was deleted too early");
    }
    waiting.into_keys().collect()
}

/// Every change of a published item type has an event, after its record (promise 4). One that changes nothing that events
/// show has none, and neither has a grant without a role.
pub fn assert_no_event_is_missing(ran: &Ran, silent: &[&str]) {
    let published: BTreeSet<u64> = ran.of("event").iter().map(|event| event["n"].as_u64().unwrap()).collect();
    let details = ran.of("event").into_iter().map(|event| &event["event"]["detail"]["metadata"]);
    let of_grants = details.filter(|metadata| metadata["kind"] == "grant");
    let grants: BTreeSet<&str> =
        of_grants.filter_map(|metadata| metadata["item"].as_str()?.split(' ').next()).collect();
    let may_show_nothing =
        |record: &Value| record["verb"] == "updated" || grants.contains(record["item"].as_str().unwrap());
    for record in ran.of("record").into_iter().filter(|record| record["outcome"] == "handled") {
        let item = record["item"].as_str().unwrap();
        if !silent.contains(&item) && !may_show_nothing(record) {
            assert!(published.contains(&record["n"].as_u64().unwrap()), "nothing was published of {record}");
        }
    }
    // What time did may be told of again, by a later record.
    let metadata = ran.of("event").into_iter().map(|event| &event["event"]["detail"]["metadata"]);
    let by_records = metadata.filter(|metadata| metadata["cause"] != "due");
    let ids: Vec<&str> = by_records.map(|metadata| metadata["id"].as_str().unwrap()).collect();
    assert_eq!(ids.len(), ids.iter().collect::<BTreeSet<_>>().len(), "two events under one id");
}
