//! Who made a write.

/// Who made a write.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum WriteCause {
    /// A writer or Instep.
    Write,
    /// DynamoDB's time to live, which only deletes.
    TimeToLive,
}

impl WriteCause {
    /// The cause as events name it.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Self::Write => "write",
            Self::TimeToLive => "ttl",
        }
    }
}
