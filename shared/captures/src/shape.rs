//! What a JSON text is, by its keys: a record, a work message, or a part of a capture.

use serde::de::IgnoredAny;

/// The keys of a stream record. A JSON object with none of them is no record.
const RECORD_KEYS: [&str; 4] = ["dynamodb", "eventName", "eventID", "eventSourceARN"];

/// The keys of a work message. An object with all of them is a work message.
const WORK_KEYS: [&str; 3] = ["version", "hops", "work"];

/// Texts that distinguish a damaged capture from a text that never was a capture.
const CAPTURE_MARKS: [&str; 5] = ["\"Records\"", "\"dynamodb\"", "\"eventName\"", "\"eventID\"", "\"payload\""];

/// Whether the text is an object with at least one key of a stream record.
pub(super) fn is_record(text: &str) -> bool {
    text.trim_start().starts_with('{') && top_level_keys(text).iter().any(|key| RECORD_KEYS.contains(&key.as_str()))
}

/// Whether the text is a message of the work queue.
pub(super) fn is_work(text: &str) -> bool {
    let keys = top_level_keys(text);
    WORK_KEYS.iter().all(|key| keys.iter().any(|own| own == key))
}

/// Whether the text, whole or damaged, has a mark of a capture.
pub(super) fn looks_like_capture(text: &str) -> bool {
    text.trim_start().starts_with(['{', '[']) && CAPTURE_MARKS.iter().any(|mark| text.contains(mark))
}

/// The names of an object's members. Stops at damage.
pub(super) fn top_level_keys(text: &str) -> Vec<String> {
    let mut keys = Vec::new();
    let mut rest = text.trim_start().strip_prefix('{').unwrap_or_default();
    loop {
        rest = rest.trim_start_matches(|c: char| c.is_ascii_whitespace() || c == ',');
        let Some((key, after)) = take::<String>(rest) else { return keys };
        keys.push(key);
        let Some(value) = after.trim_start().strip_prefix(':') else { return keys };
        let Some((_, after)) = take::<IgnoredAny>(value) else { return keys };
        rest = after;
    }
}

/// The value at the beginning of `text`, and what follows it.
fn take<'a, T: serde::Deserialize<'a>>(text: &'a str) -> Option<(T, &'a str)> {
    let mut stream = serde_json::Deserializer::from_str(text).into_iter::<T>();
    let value = stream.next()?.ok()?;
    Some((value, text.get(stream.byte_offset()..)?))
}
