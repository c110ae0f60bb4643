//! Running the command line, and reading what it says.

use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use serde_json::Value;

pub fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").canonicalize().unwrap()
}

pub struct Ran {
    pub status: i32,
    pub lines: Vec<Value>,
    pub stdout: String,
    pub stderr: String,
}

impl Ran {
    /// The lines of a kind.
    pub fn of(&self, kind: &str) -> Vec<&Value> {
        self.lines.iter().filter(|line| line["kind"] == kind).collect()
    }

    pub fn summary(&self) -> &Value {
        self.of("summary")[0]
    }

    /// What the world looks like, as it was printed.
    pub fn state(&self) -> Vec<&Value> {
        self.of("state")
    }
}

/// Runs `instep` from the project's root.
pub fn instep(args: &[&str]) -> Ran {
    instep_with(args, "")
}

/// Runs `instep` with a text on its standard input.
pub fn instep_with(args: &[&str], input: &str) -> Ran {
    let mut child = Command::new(env!("CARGO_BIN_EXE_instep"))
        .args(args)
        .current_dir(root())
        .env("NO_COLOR", "1")
        .env_remove("INSTEP_TABLE")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    // A command that does not read its input may be gone before it is written.
    let _ = child.stdin.take().unwrap().write_all(input.as_bytes());
    let output = child.wait_with_output().unwrap();
    let stdout = String::from_utf8(output.stdout).unwrap();
    let lines = stdout.lines().filter_map(|line| serde_json::from_str(line).ok()).collect();
    Ran { status: output.status.code().unwrap(), lines, stdout, stderr: String::from_utf8(output.stderr).unwrap() }
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
