//! The order of the records of a capture.

use std::collections::HashMap;

use instep_captures::CapturedEntry;
use instep_console::record::key_text;
use instep_flow::stream_record::StreamRecord;

/// The number of digits of the longest sequence number.
const SEQUENCE_DIGITS: usize = 40;

/// Orders the records of a file by sequence number, if the file has two records of one item in the
/// wrong order. True if it did. Otherwise the file's order stays: sequence numbers of different
/// shards have no common order.
pub(super) fn in_sequence(entries: &mut Vec<CapturedEntry>) -> bool {
    let mut latest: HashMap<String, String> = HashMap::new();
    let mut places = Vec::new();
    let mut is_ordered = true;
    for (place, entry) in entries.iter().enumerate() {
        let Ok(raw) = entry.record() else { continue };
        let record = StreamRecord::parse(raw);
        let Some(sequence) = record.sequence().map(|digits| format!("{digits:0>SEQUENCE_DIGITS$}")) else { continue };
        if let Some(key) = key_text(&record) {
            let before = latest.insert(key, sequence.clone());
            is_ordered &= before.is_none_or(|before| before <= sequence);
        }
        places.push((sequence, place));
    }
    if is_ordered {
        return false;
    }
    let mut sorted = places.clone();
    sorted.sort();
    let mut taken: Vec<Option<CapturedEntry>> = std::mem::take(entries).into_iter().map(Some).collect();
    let from: HashMap<usize, usize> = places.iter().zip(&sorted).map(|((_, to), (_, from))| (*to, *from)).collect();
    for place in 0..taken.len() {
        let from = from.get(&place).copied().unwrap_or(place);
        entries.extend(taken.get_mut(from).and_then(Option::take));
    }
    true
}
