//! What a person at a shell expects: examples that run, `| head`, completions, and Ctrl-C.

use std::io::{BufRead as _, BufReader, Read as _};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::Duration;

use tempfile::TempDir;

use crate::support::{binary, instep, root};

/// A folder with what the examples name.
fn folder() -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    for name in ["events", "examples"] {
        copy(&root().join(name), &folder.path().join(name));
    }
    let item = r#"{"Items": [{"pk": {"S": "U:ann"}, "sk": {"S": "U:ann"}}], "Count": 1, "ScannedCount": 1}"#;
    std::fs::write(folder.path().join("scan.json"), item).unwrap();
    let schema = r#"{"Table": {"TableName": "app", "KeySchema": [{"AttributeName": "pk", "KeyType": "HASH"},
        {"AttributeName": "sk", "KeyType": "RANGE"}], "AttributeDefinitions": [{"AttributeName": "pk",
        "AttributeType": "S"}, {"AttributeName": "sk", "AttributeType": "S"}]}}"#;
    std::fs::write(folder.path().join("schema.json"), schema).unwrap();
    folder
}

fn copy(from: &Path, to: &Path) {
    std::fs::create_dir(to).unwrap();
    for entry in std::fs::read_dir(from).unwrap() {
        let entry = entry.unwrap();
        let to = to.join(entry.file_name());
        if entry.path().is_dir() {
            copy(&entry.path(), &to);
        } else {
            std::fs::copy(entry.path(), to).unwrap();
        }
    }
}

/// A line of a shell, in a folder.
fn shell(line: &str, folder: &Path) -> Command {
    let mut command = Command::new("bash");
    let line = format!("PATH='{}':$PATH; {line}", binary().parent().unwrap().display());
    command.args(["-c", &line]).current_dir(folder).env_remove("INSTEP_LOG");
    command
}

/// A process that ends with its test.
struct Running(Child);

impl Drop for Running {
    fn drop(&mut self) {
        // An error means that it has ended.
        let _ = self.0.kill();
    }
}

impl Running {
    /// Interrupts it, and returns its exit status.
    fn interrupt(mut self) -> i32 {
        let sent = Command::new("kill").args(["-INT", &self.0.id().to_string()]).status().unwrap();
        assert!(sent.success());
        self.0.wait().unwrap().code().unwrap()
    }
}

/// `instep dev` on any free port, and its address.
fn dev(line: &str, folder: &Path) -> (Running, String) {
    let mut dev = shell(&format!("exec {line} --port 0"), folder).stdout(Stdio::piped()).spawn().unwrap();
    let lines = BufReader::new(dev.stdout.take().unwrap()).lines().map_while(Result::ok);
    let said: Vec<String> = lines.take_while(|line| line != "Ctrl-C ends it.").collect();
    let page = said.iter().find_map(|line| line.trim().strip_prefix("page"));
    (Running(dev), page.unwrap().trim().to_owned())
}

/// The examples in the help of each command, in the order in which the help of all lists the commands.
fn examples() -> Vec<String> {
    let help = instep(&["--help"]).stdout;
    let listed = help.lines().skip_while(|line| *line != "Model:").take_while(|line| *line != "Options:");
    let commands = listed.filter_map(|line| line.strip_prefix("  ")?.split(' ').next()).filter(|name| *name != "help");
    let of = |command: &str| {
        let help = instep(&[command, "--help"]).stdout;
        let examples =
            help.lines().skip_while(|line| *line != "Examples:").skip(1).map_while(|line| line.strip_prefix("  "));
        let examples: Vec<String> = examples.map(str::to_owned).collect();
        assert!(!examples.is_empty(), "`instep {command}` has no examples");
        examples
    };
    commands.flat_map(of).filter(|line| !line.starts_with("aws ")).collect()
}

/// Each example of the help does what it says, in the order of the help: one uses what another has written. A command that names the
/// usual address of `instep dev` needs no other option.
#[test]
fn the_examples_of_the_help_run() {
    let folder = folder();
    let (running, url) = dev("instep dev access-management --load events/access-management", folder.path());
    // `data` is written by an example of `replay`, and others of commands before it read it.
    let (replays, others): (Vec<_>, Vec<_>) =
        examples().into_iter().partition(|line| line.starts_with("instep replay"));
    for line in replays.into_iter().chain(others) {
        if line.starts_with("instep dev") {
            let (dev, _) = dev(line.trim_end_matches(" --port 0"), folder.path());
            assert_eq!(dev.interrupt(), 0, "{line}");
            continue;
        }
        let line = line.replace("http://127.0.0.1:4747", &url).replace("--repair", "--repair --grace 0");
        let ran = shell(&line, folder.path()).output().unwrap();
        let code = ran.status.code().unwrap();
        assert!(code == 0, "`{line}` exits with {code}:\n{}", String::from_utf8_lossy(&ran.stderr));
    }
    assert_eq!(running.interrupt(), 0);
}

/// What only prints ends when nobody reads it. What writes a table is done to its end, and says so.
#[test]
fn a_reader_that_goes_away_ends_what_only_prints() {
    let folder = folder();
    let ran = shell("instep replay events/access-management | head -1; echo ${PIPESTATUS[@]}", folder.path());
    let ran = { ran }.output().unwrap();
    assert!(String::from_utf8_lossy(&ran.stdout).ends_with("0 0\n"), "{ran:?}");
    assert!(ran.stderr.is_empty(), "{ran:?}");
    let ran = shell(
        "instep replay events/access-management --data data | head -1; instep due --data data | head -1",
        folder.path(),
    );
    let said = String::from_utf8_lossy(&{ ran }.output().unwrap().stderr).into_owned();
    assert!(said.contains("standard output is closed: what remains is done, and not printed"), "{said}");
    // All of it was written: the same replay with a reader finds nothing to create.
    let (half, whole) = (folder.path().join("data/table.sqlite"), folder.path().join("whole/table.sqlite"));
    shell("instep replay events/access-management --data whole", folder.path()).output().unwrap();
    assert_eq!(std::fs::metadata(half).unwrap().len(), std::fs::metadata(whole).unwrap().len());
}

/// Ctrl-C ends a replay into a directory after what it has written is handled, and the directory can be used.
#[test]
fn an_interrupted_replay_says_how_far_it_is() {
    let folder = folder();
    let captures = "events/access-management ".repeat(20);
    let mut replay = shell(&format!("exec instep replay {captures} --data data"), folder.path());
    let mut replay = replay.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    let mut printed = BufReader::new(replay.stdout.take().unwrap());
    let mut first = String::new();
    printed.read_line(&mut first).unwrap();
    let rest = std::thread::spawn(move || {
        let mut rest = String::new();
        printed.read_to_string(&mut rest).unwrap();
        rest
    });
    std::thread::sleep(Duration::from_millis(300));
    assert_eq!(Running(replay).interrupt(), 1);
    let rest = rest.join().unwrap();
    assert!(rest.contains("interrupted: ") && rest.contains(" of 2040 written") && rest.contains("to retry"), "{rest}");
    let next = shell("instep replay events/access-management/20-group-removed.json --data data", folder.path())
        .output()
        .unwrap();
    assert!(next.status.success(), "{next:?}");
}

/// A shell is offered commands, options, and the names of models.
#[test]
fn a_shell_completes_names_of_models() {
    let offered = |words: &[&str]| {
        let ran = Command::new(binary()).args(["--", "instep"]).args(words).env("COMPLETE", "fish").output().unwrap();
        String::from_utf8(ran.stdout).unwrap()
    };
    assert!(offered(&["che"]).starts_with("check\t"), "{}", offered(&["che"]));
    assert!(offered(&["check", "plat"]).starts_with("platform\n"), "{}", offered(&["check", "plat"]));
    assert!(offered(&["replay", "--model", "rel"]).starts_with("relational-store\n"));
    assert!(offered(&["sweep", "--rep"]).starts_with("--repair\t"));
}

/// `-q` leaves errors, `-v` adds what is done. Colours are for terminals, unless they are asked for.
#[test]
fn how_much_is_said_and_in_which_colours() {
    let warned =
        |more: &[&str]| instep(&[&["replay", "events/hostile", "--model", "access-management"], more].concat()).stderr;
    assert!(warned(&["--quiet"]).is_empty() && warned(&["-vv"]).len() > warned(&[]).len());
    assert!(instep(&["check", "nothing", "-q"]).stderr.contains("there is no model `nothing`"));
    let colored = |color: &str| instep(&["replay", "events/hostile", "--color", color]).stdout.contains('\u{1b}');
    assert!(colored("always") && !colored("auto") && !colored("never"));
    assert_eq!(instep(&["check", "platform", "-q", "-v"]).status, 2);
}
