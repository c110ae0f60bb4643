//! Errors of the stack itself, as opposed to error responses of its services.

use std::fmt::Display;
use std::path::{Path, PathBuf};

use aws_smithy_types::error::display::DisplayErrorContext;

/// Why the stack cannot continue.
#[derive(Debug, thiserror::Error)]
pub enum LocalError {
    /// A file or folder cannot be read or written.
    #[error("cannot {what} `{}`: {source}", path.display())]
    Io {
        /// The operation (`read`, `write` …).
        what: &'static str,
        /// The file or folder.
        path: PathBuf,
        /// The error of the operating system.
        source: std::io::Error,
    },
    /// Another process has the directory open.
    #[error("`{}` is in use by another process; wait for it to end or choose another directory", .0.display())]
    Locked(PathBuf),
    /// A file, where a directory is expected.
    #[error("`{}` is a file, not a directory; choose another (`--data DIR`)", .0.display())]
    NoDirectory(PathBuf),
    /// The directory has other content.
    #[error("`{}` is neither empty nor made by instep; choose another directory", .0.display())]
    NotOurs(PathBuf),
    /// The directory was created for another model, another table, or another version of Instep.
    #[error("`{}` was made for {what} `{theirs}`, not `{ours}`; choose another directory", path.display())]
    MadeFor {
        /// The directory.
        path: PathBuf,
        /// The property that differs: `model`, `table`, `format`.
        what: &'static str,
        /// The value of the directory.
        theirs: String,
        /// The expected value.
        ours: String,
    },
    /// DynamoDB has no table of this name.
    #[error(
        "`{0}` cannot be the name of a table in DynamoDB: it has 3 to 255 letters, digits, `_`, `.` and `-`; choose \
         another name (`--table NAME`)"
    )]
    TableName(String),
    /// The existing table differs from the model's.
    #[error(
        "table `{table}` does not agree with the model: {what} is {theirs}, the model says {ours}. `instep dev MODEL --data DIR` \
         changes the indexes of a kept table, and nothing changes its key and its TTL attribute"
    )]
    Table {
        /// The table.
        table: String,
        /// The property that differs.
        what: String,
        /// The value of the table.
        theirs: String,
        /// The value of the model.
        ours: String,
    },
    /// A file of the directory is damaged.
    #[error("`{}` is damaged at line {line}: {why}", path.display())]
    Damaged {
        /// The file.
        path: PathBuf,
        /// The line number, starting at 1.
        line: usize,
        /// What is wrong.
        why: String,
    },
    /// The embedded DynamoDB engine failed.
    #[error("the embedded DynamoDB engine cannot {what}: {why}")]
    Engine {
        /// The operation.
        what: &'static str,
        /// The reason that the engine gave.
        why: String,
    },
    /// A stream record lacks something that every stream record has.
    #[error(transparent)]
    Record(#[from] instep_aws::RecordError),
    /// A pump option is outside of Lambda's limits.
    #[error("{what} is {given}, Lambda allows {allowed}")]
    Option {
        /// The option.
        what: &'static str,
        /// Its value.
        given: String,
        /// The allowed values.
        allowed: &'static str,
    },
    /// The stream never becomes empty.
    #[error(
        "the stream never becomes empty: {deliveries} batches of records that the handler's own writes made were \
         delivered, and there are more"
    )]
    StreamNeverEmpty {
        /// The number of batches of such records.
        deliveries: u64,
    },
    /// A queue never becomes empty.
    #[error("the queue `{url}` never becomes empty: {deliveries} batches were delivered, and there are more messages")]
    QueueNeverEmpty {
        /// The queue.
        url: String,
        /// The number of batches.
        deliveries: u64,
    },
}

impl LocalError {
    pub(crate) fn io(what: &'static str, path: &Path) -> impl FnOnce(std::io::Error) -> Self {
        move |source| Self::Io { what, path: path.to_owned(), source }
    }

    /// Converts an error of a call to the engine's server.
    pub(crate) fn sdk<E: std::error::Error>(what: &'static str) -> impl FnOnce(E) -> Self {
        move |error| Self::Engine { what, why: DisplayErrorContext(&error).to_string() }
    }

    /// Converts an error of a direct call to the engine.
    pub(crate) fn engine<E: Display>(what: &'static str) -> impl FnOnce(E) -> Self {
        move |error| Self::Engine { what, why: error.to_string() }
    }
}
