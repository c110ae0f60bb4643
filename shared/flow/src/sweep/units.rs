//! The units of a sweep or a backfill: bounded pieces of work that one invocation after another does, and
//! what is known of each.
//!
//! All that is known of a unit is one object, its [`UnitProgress`]. A step reads it, works from its cursor,
//! writes results under a name of its own, and then writes the progress on condition that it is as it was
//! read. So a step that dies, comes twice or overlaps with another counts once.

use std::fmt;
use std::str::FromStr;

use instep_model::Item;
use jiff::Timestamp;
use serde::{Deserialize, Serialize};

use super::SweepTally;

/// A unit. Its text, such as `segment-3`, is its name in the bucket and in the input of the driver.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub enum SweepUnit {
    /// List the groups.
    Groups,
    /// List the users. It is one chain of tokens.
    Users,
    /// List the members of the groups whose place leaves this when divided by the number of such units.
    Members(u32),
    /// Read a segment of the table.
    Segment(u32),
    /// Compare a share of the names of a part with what the table wants.
    Compare {
        /// The part.
        part: u32,
        /// The share.
        share: u32,
        /// The number of shares of the part.
        of: u32,
    },
    /// Read a chunk of differences once more.
    Confirm(u32),
    /// Write the back-references that a confirmed chunk says are lost.
    References(u32),
    /// Send the repairs of a confirmed chunk.
    Send(u32),
    /// Send a segment of the table.
    Backfill(u32),
}

impl fmt::Display for SweepUnit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Groups => f.write_str("groups-0"),
            Self::Users => f.write_str("users-0"),
            Self::Members(nth) => write!(f, "members-{nth}"),
            Self::Segment(nth) => write!(f, "segment-{nth}"),
            Self::Compare { part, share, of } => write!(f, "compare-{part}-{share}-{of}"),
            Self::Confirm(nth) => write!(f, "confirm-{nth}"),
            Self::References(nth) => write!(f, "references-{nth}"),
            Self::Send(nth) => write!(f, "send-{nth}"),
            Self::Backfill(nth) => write!(f, "backfill-{nth}"),
        }
    }
}

/// A text that is not the name of a unit.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("`{0}` is not the name of a unit, such as `segment-3`")]
pub struct NoUnit(String);

impl FromStr for SweepUnit {
    type Err = NoUnit;

    fn from_str(text: &str) -> Result<Self, NoUnit> {
        let mut words = text.split('-');
        let kind = words.next().unwrap_or_default();
        let numbers: Option<Vec<u32>> = words.map(|word| word.parse().ok()).collect();
        let unit = match (kind, numbers.as_deref().unwrap_or_default()) {
            ("groups", [0]) => Self::Groups,
            ("users", [0]) => Self::Users,
            ("members", [nth]) => Self::Members(*nth),
            ("segment", [nth]) => Self::Segment(*nth),
            ("compare", [part, share, of]) => Self::Compare { part: *part, share: *share, of: *of },
            ("confirm", [nth]) => Self::Confirm(*nth),
            ("references", [nth]) => Self::References(*nth),
            ("send", [nth]) => Self::Send(*nth),
            ("backfill", [nth]) => Self::Backfill(*nth),
            _ => return Err(NoUnit(text.to_owned())),
        };
        // Another spelling of a number, such as `+3`, would be another name in the bucket.
        if unit.to_string() == text { Ok(unit) } else { Err(NoUnit(text.to_owned())) }
    }
}

impl TryFrom<String> for SweepUnit {
    type Error = NoUnit;

    fn try_from(text: String) -> Result<Self, NoUnit> {
        text.parse()
    }
}

impl From<SweepUnit> for String {
    fn from(unit: SweepUnit) -> Self {
        unit.to_string()
    }
}

/// The longest name of a sweep: that of an execution. Source: AWS Step Functions API Reference, StartExecution.
const NAME_MAX: usize = 80;

/// Before the number of a round of a change.
const ROUND: &str = "-round-";

/// The longest part of a name before that.
const ROUND_BASE_MAX: usize = 60;

/// The name of a sweep. It is a part of keys in the bucket, and of nothing else there.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct SweepName(String);

/// A text that is not the name of a sweep.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("`{0}` is no name of a sweep: write 1 to {NAME_MAX} letters, digits, `-` and `_`")]
pub struct NoSweepName(String);

impl SweepName {
    /// The name.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl TryFrom<String> for SweepName {
    type Error = NoSweepName;

    fn try_from(text: String) -> Result<Self, NoSweepName> {
        let is_name = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'-' || byte == b'_';
        if (1..=NAME_MAX).contains(&text.len()) && text.bytes().all(is_name) {
            Ok(Self(text))
        } else {
            Err(NoSweepName(text.escape_default().to_string()))
        }
    }
}

impl FromStr for SweepName {
    type Err = NoSweepName;

    fn from_str(text: &str) -> Result<Self, NoSweepName> {
        text.to_owned().try_into()
    }
}

impl SweepName {
    /// The name of the next round of a change.
    #[must_use]
    pub fn next_round(&self) -> Self {
        let (base, round) = self.0.rsplit_once(ROUND).unwrap_or((self.0.as_str(), ""));
        match round.parse::<u32>() {
            Ok(round) => Self(format!("{base}{ROUND}{}", round.saturating_add(1))),
            // All characters have one byte.
            Err(_) => Self(format!("{}{ROUND}2", self.0.get(..ROUND_BASE_MAX).unwrap_or(&self.0))),
        }
    }
}

impl From<SweepName> for String {
    fn from(name: SweepName) -> Self {
        name.0
    }
}

/// How a sweep is divided. It is written once: the sizes that the services tell change every few hours, and a
/// sweep that goes on later must find the same division.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Division {
    /// When the sweep began.
    pub began: Timestamp,
    /// What it sweeps. A sweep goes on with nothing else.
    pub of: SweepTarget,
    /// The segments of the table.
    pub segments: u32,
    /// The parts of the names of users.
    pub parts: u32,
    /// How the pool spells names.
    pub spelling: Spelling,
}

/// What a sweep sweeps.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct SweepTarget {
    /// The model's name.
    pub model: String,
    /// The table.
    pub table: String,
    /// The user pool's id, if there is one.
    pub user_pool: Option<String>,
    /// The hashes of the earlier models of which a change looks for what they have left.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub former: Vec<String>,
}

impl Division {
    /// Whether there is a pool.
    #[must_use]
    pub const fn has_pool(&self) -> bool {
        self.of.user_pool.is_some()
    }
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
pub enum UnitCursor {
    /// In the pool: the list among those of the unit, and the page. `restarts` counts how often the service no
    /// longer knew the page.
    Page {
        /// The list.
        list: usize,
        /// The token of the page.
        token: Option<String>,
        /// Restarts of this list.
        restarts: u32,
    },
    /// In the table: after this key.
    After(Item),
}

/// What is known of a unit.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct UnitProgress {
    /// The steps that count, in their order: each has written its results under its own name.
    pub steps: Vec<StepName>,
    /// Where the unit continues.
    pub cursor: Option<UnitCursor>,
    /// Whether the unit is done.
    pub done: bool,
    /// The names that it has read, by part.
    pub names: Vec<u64>,
    /// What it has counted.
    pub tally: SweepTally,
}

/// A step that counts.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct StepName {
    /// Under which its results are.
    pub name: String,
    /// Whether it has found differences.
    pub found: bool,
}

/// What a step has done.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct StepResult {
    /// Where the unit continues. `None` if it is done.
    pub cursor: Option<UnitCursor>,
    /// The names that it has read, by part.
    pub names: Vec<u64>,
    /// Whether it has found differences.
    pub found: bool,
    /// What it has counted.
    pub tally: SweepTally,
}

/// A step that has read, and got no further.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("a step has read, and got no further")]
pub struct NoProgress;

impl UnitProgress {
    /// The progress after a step. `name` is that of its results, if it has any.
    ///
    /// # Errors
    /// INVARIANT 8: the step would continue where it began. A driver that called it again would do so for
    /// ever.
    pub fn after(&self, name: Option<String>, outcome: StepResult) -> Result<Self, NoProgress> {
        let StepResult { cursor, names, found, tally } = outcome;
        if cursor.is_some() && cursor == self.cursor {
            return Err(NoProgress);
        }
        let mut next = Self { done: cursor.is_none(), cursor, ..self.clone() };
        next.steps.extend(name.map(|name| StepName { name, found }));
        next.names.resize(next.names.len().max(names.len()), 0);
        next.names.iter_mut().zip(names).for_each(|(all, more)| *all += more);
        next.tally.add(&tally);
        Ok(next)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Each unit has one name, and a name that is not exactly one is refused.
    #[test]
    fn a_unit_is_its_name() {
        let all = [
            SweepUnit::Groups,
            SweepUnit::Users,
            SweepUnit::Members(31),
            SweepUnit::Segment(0),
            SweepUnit::Compare { part: 1, share: 2, of: 3 },
            SweepUnit::Confirm(7),
            SweepUnit::References(7),
            SweepUnit::Send(7),
            SweepUnit::Backfill(63),
        ];
        for unit in all {
            assert_eq!(unit.to_string().parse(), Ok(unit));
        }
        for text in ["", "groups", "groups-1", "segment", "segment-", "segment-+3", "segment-03", "segment-3-3", "x-1"]
        {
            assert_eq!(text.parse::<SweepUnit>(), Err(NoUnit(text.to_owned())));
        }
    }

    /// A name cannot lead to what others keep in the bucket.
    #[test]
    fn a_name_of_a_sweep_is_one_word_of_a_key() {
        for name in ["20261128T043603Z-9f31c2d0", "a_b", &"x".repeat(NAME_MAX)] {
            assert_eq!(name.parse::<SweepName>().map(String::from).as_deref(), Ok(name));
        }
        for text in ["", "a/b", "..", "a b", "é", &"x".repeat(NAME_MAX + 1)] {
            assert!(text.parse::<SweepName>().is_err(), "{text}");
        }
    }

    /// Each round of a change has a name of its own, however long that of the execution is.
    #[test]
    fn rounds_have_names() {
        let next = |text: &str| text.parse::<SweepName>().unwrap().next_round();
        assert_eq!((next("a").as_str(), next("a").next_round().as_str()), ("a-round-2", "a-round-3"));
        let long = next(&"x".repeat(NAME_MAX));
        assert!(long.as_str().parse::<SweepName>().is_ok() && long.as_str().ends_with("x-round-2"));
    }

    /// INVARIANT 8: a step that gets no further is an error, and never a reason to call again.
    #[test]
    fn a_step_gets_further() {
        let at = |list| Some(UnitCursor::Page { list, token: None, restarts: 0 });
        let step = |cursor| StepResult {
            cursor,
            names: vec![1, 2],
            found: true,
            tally: SweepTally { users: 3, ..SweepTally::default() },
        };
        let first = UnitProgress::default().after(Some("a".to_owned()), step(at(1))).unwrap();
        assert_eq!(first.after(Some("b".to_owned()), step(at(1))), Err(NoProgress));
        let second = first.after(Some("b".to_owned()), step(None)).unwrap();
        assert_eq!((second.done, second.names, second.tally.users, second.steps.len()), (true, vec![2, 4], 6, 2));
    }
}
