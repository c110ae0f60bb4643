//! The directory that persists a stack: its files, and how each is written, so that the next
//! process can continue after a crash.
//!
//! | file | content | written |
//! | --- | --- | --- |
//! | `instep.json` | format version, model, table | once, first, by rename |
//! | `instep.lock` | nothing: its lock keeps a second process out | – |
//! | `table.sqlite` | the table and its stream | by the engine |
//! | `cognito.jsonl` | the requests that changed Cognito | line by line |
//! | `events.jsonl` | the entries put on the bus | line by line |
//! | `queues.jsonl` | the requests that changed the queues | line by line |
//! | `checkpoint.json` | up to where the stream was handled | by rename |
//! | `on-failure/` | batches given up, an object each | by rename |
//!
//! Only the owner of the files can read them.
//!
//! Each line is written with one call. Lines survive a crash of the process, but not of the
//! machine.

use std::fs::{self, File, TryLockError};
use std::io::Write as _;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use crate::error::LocalError;
use crate::private;

/// The version of the file formats. It is raised by a change that an older Instep cannot read.
const FORMAT: u32 = 2;

const MANIFEST: &str = "instep.json";
const LOCK: &str = "instep.lock";

/// What the directory was created for.
#[derive(Debug, Serialize, Deserialize)]
struct Manifest {
    format: u32,
    model: String,
    table: String,
}

/// A directory that only this process uses.
#[derive(Debug)]
pub(crate) struct Dir {
    path: PathBuf,
    /// The lock, held as long as the file is open.
    _lock: File,
}

impl Dir {
    /// Opens or creates the directory for `table` under `model`.
    pub(crate) fn open(path: &Path, model: &str, table: &str) -> Result<Self, LocalError> {
        if path.is_file() {
            return Err(LocalError::NoDirectory(path.to_owned()));
        }
        private::create_folder(path).map_err(LocalError::io("make", path))?;
        if !path.join(MANIFEST).exists() && has_other_files(path)? {
            return Err(LocalError::NotOurs(path.to_owned()));
        }
        let lock = lock(path)?;
        // Checked again under the lock, because another process may have created it.
        let is_new = !path.join(MANIFEST).exists();
        // INVARIANT 9: the directory has the items as they are, with all secrets.
        private::restrict(path).map_err(LocalError::io("take from other users", path))?;
        let dir = Self { path: path.to_owned(), _lock: lock };
        // SQLite gives its other files the permissions of the database.
        let database = dir.table();
        private::options().append(true).create(true).open(&database).map_err(LocalError::io("make", &database))?;
        let ours = Manifest { format: FORMAT, model: model.to_owned(), table: table.to_owned() };
        if is_new {
            let text = serde_json::to_vec(&ours).map_err(LocalError::engine("write the directory's manifest"))?;
            write_whole(&dir.path.join(MANIFEST), &text)?;
        } else {
            dir.check(&ours)?;
        }
        Ok(dir)
    }

    fn check(&self, ours: &Manifest) -> Result<(), LocalError> {
        let path = self.path.join(MANIFEST);
        let text = fs::read(&path).map_err(LocalError::io("read", &path))?;
        let theirs: Manifest = serde_json::from_slice(&text).map_err(|error| LocalError::Damaged {
            path,
            line: error.line(),
            why: error.to_string(),
        })?;
        let differs = |what, theirs: String, ours: String| {
            Err(LocalError::MadeFor { path: self.path.clone(), what, theirs, ours })
        };
        if theirs.format != ours.format {
            return differs("format", theirs.format.to_string(), ours.format.to_string());
        }
        if theirs.model != ours.model {
            return differs("model", theirs.model, ours.model.clone());
        }
        if theirs.table != ours.table {
            return differs("table", theirs.table, ours.table.clone());
        }
        Ok(())
    }

    pub(crate) fn table(&self) -> PathBuf {
        self.path.join("table.sqlite")
    }

    pub(crate) fn cognito(&self) -> PathBuf {
        self.path.join("cognito.jsonl")
    }

    pub(crate) fn events(&self) -> PathBuf {
        self.path.join("events.jsonl")
    }

    pub(crate) fn queues(&self) -> PathBuf {
        self.path.join("queues.jsonl")
    }

    pub(crate) fn checkpoint(&self) -> PathBuf {
        self.path.join("checkpoint.json")
    }

    pub(crate) fn on_failure(&self) -> PathBuf {
        self.path.join("on-failure")
    }
}

/// Whether a directory has files other than the lock file and an unfinished manifest, which remain
/// if a process is killed early.
fn has_other_files(path: &Path) -> Result<bool, LocalError> {
    for entry in fs::read_dir(path).map_err(LocalError::io("read", path))? {
        let name = entry.map_err(LocalError::io("read", path))?.file_name();
        if name != LOCK && name != temporary(Path::new(MANIFEST)).as_os_str() {
            return Ok(true);
        }
    }
    Ok(false)
}

/// Locks a directory for this process.
pub(crate) fn lock(path: &Path) -> Result<File, LocalError> {
    let at = path.join(LOCK);
    let file =
        private::options().create(true).truncate(false).write(true).open(&at).map_err(LocalError::io("open", &at))?;
    match file.try_lock() {
        Ok(()) => Ok(file),
        Err(TryLockError::WouldBlock) => Err(LocalError::Locked(path.to_owned())),
        Err(TryLockError::Error(source)) => Err(LocalError::Io { what: "lock", path: at, source }),
    }
}

/// Replaces a file atomically.
pub(crate) fn write_whole(path: &Path, content: &[u8]) -> Result<(), LocalError> {
    let temporary = temporary(path);
    private::write(&temporary, content).map_err(LocalError::io("write", &temporary))?;
    fs::rename(&temporary, path).map_err(LocalError::io("write", path))
}

fn temporary(path: &Path) -> PathBuf {
    path.with_extension("new")
}

/// An append-only file of lines.
#[derive(Debug)]
pub(crate) struct LineFile {
    path: PathBuf,
    file: File,
}

impl LineFile {
    /// Opens or creates the file, and returns its lines. Cuts off an incomplete last line that a
    /// killed process left: its request was never answered.
    pub(crate) fn open(path: &Path) -> Result<(Self, Vec<String>), LocalError> {
        let mut text = match fs::read(path) {
            Ok(text) => text,
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => Vec::new(),
            Err(error) => return Err(LocalError::io("read", path)(error)),
        };
        let whole = text.iter().rposition(|byte| *byte == b'\n').map_or(0, |last| last + 1);
        let file = private::options().create(true).append(true).open(path).map_err(LocalError::io("open", path))?;
        if whole < text.len() {
            file.set_len(whole as u64).map_err(LocalError::io("cut", path))?;
            text.truncate(whole);
        }
        let text = String::from_utf8(text).map_err(|error| LocalError::Damaged {
            path: path.to_owned(),
            line: 1,
            why: error.to_string(),
        })?;
        Ok((Self { path: path.to_owned(), file }, text.lines().map(str::to_owned).collect()))
    }

    /// An error about the line with this index.
    pub(crate) fn damaged(&self, place: usize, why: String) -> LocalError {
        LocalError::Damaged { path: self.path.clone(), line: place + 1, why }
    }

    /// Appends a line.
    pub(crate) fn append(&mut self, mut line: Vec<u8>) -> Result<(), LocalError> {
        line.push(b'\n');
        self.file.write_all(&line).map_err(LocalError::io("write", &self.path))
    }

    /// Replaces all lines by one.
    pub(crate) fn replace(&mut self, mut line: Vec<u8>) -> Result<(), LocalError> {
        line.push(b'\n');
        write_whole(&self.path, &line)?;
        self.file = File::options().append(true).open(&self.path).map_err(LocalError::io("open", &self.path))?;
        Ok(())
    }
}
