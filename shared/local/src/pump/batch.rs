//! A batch on its way to the handler.

use super::source::PendingRecord;

/// A batch or a part of one.
#[derive(Debug)]
pub(super) struct DeliveryBatch {
    pub(super) records: Vec<PendingRecord>,
    /// The number of retries that it has used up.
    pub(super) retries: u32,
    pub(super) invocations: u32,
    /// Whether the last invocation failed as a whole, rather than reporting records.
    pub(super) has_error: bool,
}

impl DeliveryBatch {
    pub(super) fn split_off(&mut self, at: usize) -> Self {
        let records = self.records.split_off(at);
        Self { records, retries: self.retries, invocations: self.invocations, has_error: self.has_error }
    }

    pub(super) fn first(&self) -> String {
        self.records.first().map(|record| record.sequence.clone()).unwrap_or_default()
    }

    pub(super) fn last(&self) -> String {
        self.records.last().map(|record| record.sequence.clone()).unwrap_or_default()
    }
}
