//! The stream records of the traces, as they were delivered: for captures, and to undo a deletion.

use std::collections::BTreeMap;

use serde_json::value::RawValue;

/// The most bytes of records that are kept. The oldest are forgotten first.
const BYTES_MAX: usize = 64 << 20;

/// Records by the nodes that they are.
#[derive(Debug, Default)]
pub(super) struct KeptRecords {
    by_node: BTreeMap<u64, Box<RawValue>>,
    bytes: usize,
}

impl KeptRecords {
    /// Keeps the record of a node.
    pub(super) fn keep(&mut self, node: u64, raw: &RawValue) {
        self.bytes += raw.get().len();
        self.by_node.insert(node, raw.to_owned());
        while self.bytes > BYTES_MAX
            && let Some((_, oldest)) = self.by_node.pop_first()
        {
            self.bytes -= oldest.get().len();
        }
    }

    /// The record of a node, if it is still kept.
    pub(super) fn get(&self, node: u64) -> Option<&RawValue> {
        self.by_node.get(&node).map(Box::as_ref)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_oldest_records_are_forgotten() {
        let long = serde_json::value::to_raw_value(&"x".repeat(BYTES_MAX / 3)).unwrap();
        let mut kept = KeptRecords::default();
        (1..=4).for_each(|node| kept.keep(node, &long));
        assert_eq!([1, 2, 3, 4].map(|node| kept.get(node).is_some()), [false, false, true, true]);
    }
}
