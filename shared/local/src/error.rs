//! What can go wrong with the stack itself. What a service answers to the code under test is not among it.

use std::fmt::Display;
use std::path::{Path, PathBuf};

use aws_smithy_types::error::display::DisplayErrorContext;

/// Why the stack cannot go on.
#[derive(Debug, thiserror::Error)]
pub enum LocalError {
    /// A file or folder cannot be read or written.
    #[error("cannot {what} `{}`: {source}", path.display())]
    Io {
        /// What was tried (`read`, `write` …).
        what: &'static str,
        /// On what.
        path: PathBuf,
        /// The system's reason.
        source: std::io::Error,
    },
    /// Another process has the directory open.
    #[error("`{}` is in use by another process; wait for it to end or choose another directory", .0.display())]
    Locked(PathBuf),
    /// The directory holds something else.
    #[error("`{}` is neither empty nor made by instep; choose another directory", .0.display())]
    NotOurs(PathBuf),
    /// The directory was made for something else: another model, another table, another version of Instep.
    #[error("`{}` was made for {what} `{theirs}`, not `{ours}`; choose another directory", path.display())]
    MadeFor {
        /// The directory.
        path: PathBuf,
        /// What differs: `model`, `table`, `format`.
        what: &'static str,
        /// What it was made for.
        theirs: String,
        /// What is wanted.
        ours: String,
    },
    /// The table that is there is not the one that the model describes.
    #[error("table `{table}` does not agree with the model: {what} is {theirs}, the model says {ours}")]
    Table {
        /// The table.
        table: String,
        /// What differs.
        what: String,
        /// As it is.
        theirs: String,
        /// As the model has it.
        ours: String,
    },
    /// A file of the directory is damaged.
    #[error("`{}` is damaged at line {line}: {why}", path.display())]
    Damaged {
        /// The file.
        path: PathBuf,
        /// Counted from 1.
        line: usize,
        /// What is wrong.
        why: String,
    },
    /// The embedded DynamoDB engine failed.
    #[error("the embedded DynamoDB engine cannot {what}: {why}")]
    Engine {
        /// What was asked of it.
        what: &'static str,
        /// Its reason.
        why: String,
    },
    /// A stream record lacks something that every stream record has.
    #[error(transparent)]
    Record(#[from] instep_aws::RecordError),
    /// The pump was asked for something that Lambda does not allow.
    #[error("{what} is {given}, Lambda allows {allowed}")]
    Option {
        /// Which option.
        what: &'static str,
        /// The value given.
        given: String,
        /// What is allowed.
        allowed: &'static str,
    },
    /// The stream does not come to rest.
    #[error(
        "the stream does not come to rest: {deliveries} batches of records that the handler's own writes made were \
         delivered, and there are more"
    )]
    StreamNeverEmpty {
        /// How many batches of such records.
        deliveries: u64,
    },
    /// A queue does not come to rest.
    #[error(
        "the queue `{url}` does not come to rest: {deliveries} batches were delivered, and there are more messages"
    )]
    QueueNeverEmpty {
        /// The queue.
        url: String,
        /// How many batches.
        deliveries: u64,
    },
}

impl LocalError {
    pub(crate) fn io(what: &'static str, path: &Path) -> impl FnOnce(std::io::Error) -> Self {
        move |source| Self::Io { what, path: path.to_owned(), source }
    }

    /// An engine's answer over the wire.
    pub(crate) fn sdk<E: std::error::Error>(what: &'static str) -> impl FnOnce(E) -> Self {
        move |error| Self::Engine { what, why: DisplayErrorContext(&error).to_string() }
    }

    /// An engine's answer in process.
    pub(crate) fn engine<E: Display>(what: &'static str) -> impl FnOnce(E) -> Self {
        move |error| Self::Engine { what, why: error.to_string() }
    }
}
