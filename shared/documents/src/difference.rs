//! A difference between two contracts, and what it means for a subscriber.

use std::fmt;

/// What a subscriber has to do about a difference.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum ContractVerdict {
    /// Nothing.
    Compatible,
    /// Its program is right, its rows are not, and no event tells it: it has to build them anew.
    Rebuild,
    /// Its rules or its program have to change, and then its rows.
    Breaking,
}

impl ContractVerdict {
    /// All verdicts, the hardest first.
    pub const ALL: [Self; 3] = [Self::Breaking, Self::Rebuild, Self::Compatible];

    /// The word for programs.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Self::Compatible => "compatible",
            Self::Rebuild => "rebuild",
            Self::Breaking => "breaks",
        }
    }

    /// The verdict on all of these differences.
    #[must_use]
    pub fn of(found: &[ContractDifference]) -> Self {
        found.iter().map(|one| one.verdict).max().unwrap_or(Self::Compatible)
    }
}

/// A difference between two contracts.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct ContractDifference {
    /// What a subscriber that follows the rules of the contract has to do.
    pub verdict: ContractVerdict,
    /// The event's `DetailType`, or the item type. Empty: the contract as a whole.
    pub event: String,
    /// The field, from the event's top. Empty: the event as a whole.
    pub field: String,
    /// What changed.
    pub what: String,
    /// Whether it concerns only items and grants that a count over the table finds.
    pub is_countable: bool,
}

impl fmt::Display for ContractDifference {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.event.is_empty() {
            return write!(f, "{}", self.what);
        }
        write!(f, "`{}`", self.event)?;
        if !self.field.is_empty() {
            write!(f, ", field `{}`", self.field)?;
        }
        write!(f, ": {}", self.what)
    }
}
