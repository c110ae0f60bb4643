//! What a run cannot know of earlier runs: whether one of them has done what it is asked for.

use serde::{Deserialize, Serialize};

use crate::plan::{DeliveredChange, Mentions};
use crate::work::Origin;

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

impl Mentions {
    /// Whether an earlier run over the same record or message may have crashed.
    #[must_use]
    pub fn may_be_done(&self) -> bool {
        let of_messages = self.named.iter().map(|named| named.doubt);
        let of_records = self.changes.iter().map(|delivered| delivered.delivery.doubt);
        of_messages.chain(of_records).max() == Some(Doubt::MayBeDone)
    }

    /// As [`Self::may_be_done`], also of what the stream delivered: it does not say that it delivers a record again, and
    /// a record of its failures was delivered before. So each record that is not captured counts.
    #[must_use]
    pub fn may_be_done_unsaid(&self) -> bool {
        self.may_be_done()
            || self.changes.iter().any(|delivered| !matches!(delivered.delivery.origin, Origin::Captured))
    }

    /// Whether the work queue delivered a record of it or a message that names it.
    #[must_use]
    pub fn by_message(&self) -> bool {
        !self.named.is_empty() || self.changes.iter().any(DeliveredChange::is_by_message)
    }
}

impl DeliveredChange {
    /// Whether it was delivered by the work queue and not by the live stream.
    pub(crate) const fn is_by_message(&self) -> bool {
        !matches!(self.delivery.origin, Origin::Stream)
    }
}
