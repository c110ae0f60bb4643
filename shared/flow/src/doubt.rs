//! What a run cannot know of earlier runs: whether one of them has done what it is asked for.

use serde::{Deserialize, Serialize};

/// What an earlier run may have done of what an entry asks for.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum Doubt {
    /// Nothing.
    #[default]
    Sure,
    /// What it says of each object: it replaces a message that a run had no time for.
    Replaces,
    /// Any of it: a run over it may have crashed.
    MayBeDone,
}

impl Doubt {
    /// That of something that was delivered so often.
    #[must_use]
    pub const fn after(deliveries: u32) -> Self {
        if deliveries > 1 { Self::MayBeDone } else { Self::Sure }
    }

    /// Whether there is none.
    #[must_use]
    pub const fn is_sure(&self) -> bool {
        matches!(self, Self::Sure)
    }
}
