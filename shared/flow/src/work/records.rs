//! The work that handles stream records again.

use instep_contract::{Origin, S3Object};
use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;

/// Stream records that are to be handled again.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Records {
    /// Where they were delivered from.
    pub origin: Origin,
    /// The records, in Lambda's shape.
    pub records: Vec<Box<RawValue>>,
    /// Records that are too large for a message, in a bucket.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub objects: Vec<S3Object>,
    /// The table of the records, if the sender's settings name another one than the deployment's
    /// own.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub records_of: Option<String>,
    /// Whether their events are published. A backfill publishes nothing, because its items were not
    /// written now.
    #[serde(default = "yes", skip_serializing_if = "is_true")]
    pub publish: bool,
    /// A person vouches for the users of the pool that were created before this: they may serve the items of these
    /// records.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub adopt_before: Option<Timestamp>,
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde passes fields by reference")]
const fn is_true(flag: &bool) -> bool {
    *flag
}

const fn yes() -> bool {
    true
}

impl Records {
    /// The number of records.
    #[must_use]
    pub fn count(&self) -> usize {
        self.records.len() + self.objects.len()
    }

    /// What is left after the first `handled` records, or if there are none, two halves.
    pub(super) fn divided(mut self, handled: usize) -> Vec<Self> {
        let at = if handled == 0 { self.count() / 2 } else { handled };
        if at == 0 || at >= self.count() {
            return Vec::new();
        }
        let of_objects = at.saturating_sub(self.records.len());
        let records = self.records.split_off(at.min(self.records.len()));
        let objects = self.objects.split_off(of_objects);
        let rest = Self { records, objects, records_of: self.records_of.clone(), ..self };
        if handled == 0 { vec![self, rest] } else { vec![rest] }
    }
}
