//! Who wrote the item of a stream record. The stream does not say it, but every write passes here.
//!
//! It is for the traces only: no effect depends on it. Writes of one key that happen at once can be taken for each
//! other.

use std::collections::{BTreeSet, HashMap, VecDeque};

use instep_model::Key;

use super::request::Leaves;

/// Who writes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Who {
    /// A client of the port.
    Application,
    /// A form of the page.
    Page,
    /// A replayed file.
    File(String),
    /// Instep, in this delivery.
    Instep(u64),
}

#[derive(Debug)]
struct Written {
    who: Who,
    leaves: Leaves,
    /// The number of drained streams so far.
    drains: u64,
}

/// The writes whose records the stream has not delivered yet.
#[derive(Debug, Default)]
pub(super) struct Origins {
    written: HashMap<Key, VecDeque<Written>>,
    /// The deliveries that sent the messages of the work queue, by the ids of these.
    sent: HashMap<String, u64>,
    drains: u64,
}

impl Origins {
    /// Notes a write that begins: its record may come before its answer.
    pub(super) fn begins(&mut self, who: &Who, key: &Key, leaves: Leaves) {
        let written = Written { who: who.clone(), leaves, drains: self.drains };
        self.written.entry(key.clone()).or_default().push_back(written);
    }

    /// A write has failed.
    pub(super) fn failed(&mut self, who: &Who, key: &Key, leaves: Leaves) {
        let Some(written) = self.written.get_mut(key) else { return };
        let place = written.iter().rposition(|written| written.who == *who && written.leaves == leaves);
        place.into_iter().for_each(|place| drop(written.remove(place)));
    }

    /// Notes a message of the work queue.
    pub(super) fn sent(&mut self, delivery: u64, message: &str) {
        self.sent.insert(message.to_owned(), delivery);
    }

    /// Who wrote the next record of a key. Writes before it made no record: they changed nothing.
    pub(super) fn of_record(&mut self, key: &Key, leaves: Leaves) -> Option<Who> {
        let written = self.written.get_mut(key)?;
        let place = written.iter().position(|written| written.leaves == leaves)?;
        let who = written.drain(..=place).next_back().map(|written| written.who);
        if written.is_empty() {
            self.written.remove(key);
        }
        who
    }

    /// The delivery that sent a message.
    pub(super) fn of_message(&self, message: &str) -> Option<u64> {
        self.sent.get(message).copied()
    }

    /// The deliveries with a message that is not handled yet.
    pub(super) fn waiting(&self) -> BTreeSet<u64> {
        self.sent.values().copied().collect()
    }

    /// Forgets a message that is handled.
    pub(super) fn forget(&mut self, message: &str) {
        self.sent.remove(message);
    }

    /// The stream is empty. Writes of before the last time that it was have no record.
    pub(super) fn drained(&mut self) {
        let drains = self.drains;
        self.written.retain(|_, written| {
            written.retain(|written| written.drains >= drains);
            !written.is_empty()
        });
        self.drains += 1;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_record_belongs_to_the_next_write_of_its_kind() {
        let key = Key { pk: "a".into(), sk: "b".into() };
        let mut origins = Origins::default();
        origins.begins(&Who::Instep(7), &key, Leaves::Nothing);
        origins.begins(&Who::Application, &key, Leaves::Item);
        origins.begins(&Who::Page, &key, Leaves::Item);
        // The deletion found no item, so it has no record.
        assert_eq!(origins.of_record(&key, Leaves::Item), Some(Who::Application));
        assert_eq!(origins.of_record(&key, Leaves::Nothing), None);
        assert_eq!(origins.of_record(&key, Leaves::Item), Some(Who::Page));
        assert_eq!(origins.of_record(&key, Leaves::Item), None);
        origins.begins(&Who::Instep(7), &key, Leaves::Item);
        origins.begins(&Who::Application, &key, Leaves::Item);
        origins.failed(&Who::Instep(7), &key, Leaves::Item);
        assert_eq!(origins.of_record(&key, Leaves::Item), Some(Who::Application), "the other write has failed");
        origins.begins(&Who::Instep(7), &key, Leaves::Nothing);
        origins.drained();
        origins.drained();
        assert_eq!(origins.of_record(&key, Leaves::Nothing), None);
    }
}
