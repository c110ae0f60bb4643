//! What the state of a sweep consists of, and what a step adds to it.

use std::collections::BTreeMap;

use instep_model::Item;
use jiff::Timestamp;
use serde::{Deserialize, Serialize};

use super::super::Kind;

/// How a sweep is divided.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Layout {
    /// Whether there is a pool.
    pub has_pool: bool,
    /// The segments of the table.
    pub segments: u32,
    /// The parts of the names of users, each of which fits the memory of a process.
    pub parts: u32,
    /// The groups whose members are listed.
    #[serde(default)]
    pub listed: u32,
    /// The objects with groups.
    #[serde(default)]
    pub group_objects: u32,
    /// The chunks of differences.
    #[serde(default)]
    pub chunks: u32,
    /// How the pool spells names.
    #[serde(default)]
    pub spelling: Spelling,
}

/// How a pool spells the names of its users.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Spelling {
    /// `Bob` and `bob` are one user.
    pub folds_case: bool,
    /// The attributes by which users sign in. Cognito then generates the user names.
    pub by: Vec<String>,
}

/// Where a unit continues.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum Place {
    /// In the pool: the group among those of the unit, and the page. `restarts` counts how often the
    /// service no longer knew the page.
    Page {
        /// The group.
        group: usize,
        /// The token of the page.
        token: Option<String>,
        /// Restarts of this list.
        restarts: u32,
    },
    /// In the table: after this key.
    After(Item),
    /// In a part: it is divided once more, into `of` shares.
    Share {
        /// Their number.
        of: u64,
        /// This one.
        nth: u64,
    },
    /// At this chunk.
    Chunk(u32),
}

/// The unit of a lane.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Unit {
    /// List the groups.
    Groups,
    /// List the users.
    Users,
    /// List the members of the groups whose place leaves `nth` when divided by `of`.
    Members {
        /// The remainder.
        nth: u32,
        /// The divisor.
        of: u32,
    },
    /// Read a segment of the table.
    Segment(u32),
    /// Compare a part.
    Part(u32),
    /// Put all differences together.
    Gather,
    /// Read a chunk of differences once more.
    Chunk(u32),
    /// Send the repairs.
    Send,
}

/// A lane: one worker's share of a phase.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Lane {
    /// The number of its steps so far.
    pub step: u64,
    /// Its unit in the present phase.
    pub unit: Option<u32>,
    /// The steps of the unit that are done.
    pub done: u32,
    /// Where the unit continues.
    pub place: Option<Place>,
    /// Who wrote it last.
    pub by: String,
    /// When the message of its next step was to be sent, or sent again. Lanes that one write has moved
    /// have the same time: see [`State::moved_with`](super::State::moved_with).
    pub moved: Timestamp,
}

/// What a sweep has counted.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct Tally {
    /// The items of the table.
    pub items: u64,
    /// The users of the pool.
    pub users: u64,
    /// Its groups.
    pub groups: u64,
    /// The memberships in groups of the model.
    pub members: u64,
    /// The read units of the scan.
    pub read_units: f64,
    /// Differences of the first read.
    pub found: u64,
    /// Those of them that the sweep does not keep: the next sweep finds them.
    pub more: u64,
    /// Those of them that writers chose.
    #[serde(default)]
    pub more_of_writers: u64,
    /// Those that the second read did not show.
    pub in_progress: u64,
    /// Differences that both reads show, by kind.
    pub kinds: BTreeMap<Kind, u64>,
    /// Those of them that can be repaired.
    pub repairable: u64,
    /// Drift that a sweep only reports.
    pub reported: u64,
    /// Those whose repair takes something out of Cognito.
    pub removals: u64,
    /// Repairs, or items of a backfill, that were sent.
    pub sent: u64,
    /// Items that a backfill left out, because they fit no message.
    pub left_out: u64,
}

impl Tally {
    /// Adds what something else has counted.
    pub fn add(&mut self, more: &Self) {
        self.items += more.items;
        self.users += more.users;
        self.groups += more.groups;
        self.members += more.members;
        self.read_units += more.read_units;
        self.found += more.found;
        self.more += more.more;
        self.more_of_writers += more.more_of_writers;
        self.in_progress += more.in_progress;
        for (kind, count) in &more.kinds {
            *self.kinds.entry(*kind).or_default() += count;
        }
        self.repairable += more.repairable;
        self.reported += more.reported;
        self.removals += more.removals;
        self.sent += more.sent;
        self.left_out += more.left_out;
    }

    /// Whether drift is left that was only counted.
    #[must_use]
    pub const fn has_more_drift(&self) -> bool {
        self.more > self.more_of_writers
    }

    /// The differences that are drift, and not what writers chose.
    #[must_use]
    pub fn drift(&self) -> u64 {
        self.kinds.iter().filter(|(kind, _)| !kind.is_of_writers()).map(|(_, count)| count).sum()
    }
}

/// What a step has done.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Piece {
    /// Where the unit continues. `None` if it is done.
    pub place: Option<Place>,
    /// What it has counted.
    pub tally: Tally,
    /// The object with the differences that it has found.
    pub found: Option<String>,
    /// How the pool spells names.
    pub spelling: Option<Spelling>,
    /// Groups whose members are listed.
    pub listed: u32,
    /// The chunks of differences.
    pub chunks: u32,
}
