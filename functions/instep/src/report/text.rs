//! The report for people: a paragraph for each record, in a hundred columns, without attribute
//! values.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::time::Duration;

use instep_aws::redrive::Tally;
use instep_flow::report::{EffectOutcome, EffectReport, Entry};
use instep_flow::stream_record::StreamRecord;
use instep_local::WorldState;
use instep_model::Value;
use jiff::Timestamp;
use owo_colors::OwoColorize as _;

use crate::output::WIDTH;
use crate::record;
use crate::report::{Outcome, Parked, Record, Summary};

/// The indentation of the lines below a record.
const INDENT: usize = 6;

/// The width of the first word of these lines (`not done`).
const WORD: usize = 8;

/// The remaining width of these lines.
const ROOM: usize = WIDTH - INDENT - WORD - 1;

/// The widths of a record's number, of its time, and of its origin: a time and the end of a
/// sequence number.
const NUMBER: usize = 4;
const TIME: usize = 19;
const FROM: usize = TIME + 1 + 1 + SEQUENCE_END;

/// The number of a sequence number's last digits that are shown. They are enough to find it.
const SEQUENCE_END: usize = 6;

/// The origin of a record that Instep's own write caused.
const OWN: &str = "↳ from Instep's own write";

/// The origin of a message of the work queue.
const WORK: &str = "↳ from the work queue";

pub(super) fn record(record: &Record<'_>) -> String {
    let from = if record.work.is_some() {
        WORK.to_owned()
    } else if record.own() {
        OWN.to_owned()
    } else {
        let when = record.time.map_or_else(|| "no time".to_owned(), readable);
        let sequence = record.sequence.map(sequence_end).unwrap_or_default();
        format!("{when:<TIME$} {sequence}")
    };
    let asks = record.work.map_or_else(String::new, |work| format!(" {}", fit(work, WIDTH - NUMBER - 1 - FROM - 1)));
    let what = record.change.map_or(asks, |change| {
        let room = WIDTH - NUMBER - 1 - FROM - 1 - change.item.chars().count() - 1 - 1 - change.verb.len();
        format!(" {} {} {}", change.item, fit(&change.id, room), verb(change.verb))
    });
    let mut text = format!("{:>NUMBER$} {:<FROM$}{what}", record.n.bold(), from.dimmed()).trim_end().to_owned();
    let changed = record.change.filter(|change| change.verb == "updated").map(|change| change.changed.join(", "));
    let mut rows = |name: &str, what: &str| {
        for (place, part) in wrap(what, ROOM).iter().enumerate() {
            let _ = write!(text, "\n{}", word(if place == 0 { name } else { "" }, &part.dimmed().to_string()));
        }
    };
    if let Some(changed) = changed.filter(|changed| !changed.is_empty()) {
        rows("changed", &changed);
    }
    for note in record.change.iter().flat_map(|change| &change.notes) {
        rows("note", note);
    }
    if record.outcome == Outcome::Skipped {
        rows("skipped", record.why.unwrap_or_default());
    }
    text
}

pub(super) fn effect(effect: &EffectReport) -> String {
    let outcome = match effect.outcome {
        EffectOutcome::Done => "done",
        EffectOutcome::Already => "already",
        EffectOutcome::NotDone => "not done",
    };
    let head = format!("{} {}", effect.service, effect.operation);
    let target = fit(&effect.target, ROOM.saturating_sub(head.chars().count() + 1));
    let mut text = match effect.outcome {
        EffectOutcome::Done => word(&outcome.green().to_string(), &format!("{head} {target}")),
        EffectOutcome::Already => word(&outcome.dimmed().to_string(), &format!("{head} {target}").dimmed().to_string()),
        EffectOutcome::NotDone => word(&outcome.yellow().to_string(), &format!("{head} {target}")),
    };
    for part in effect.why.iter().flat_map(|why| wrap(&format!("({why})"), ROOM)) {
        let _ = write!(text, "\n{}", word("", &part));
    }
    text
}

pub(super) fn events(entries: &[&Entry]) -> String {
    let names: Vec<&str> = entries.iter().map(|entry| entry.detail_type.as_str()).collect();
    let parts = wrap(&names.join(", "), ROOM);
    let label = if entries.len() == 1 { "event" } else { "events" };
    let lines = parts.iter().enumerate();
    let lines = lines.map(|(place, part)| word(if place == 0 { label } else { "" }, &part.cyan().to_string()));
    lines.collect::<Vec<_>>().join("\n")
}

pub(super) fn parked(parked: &Parked<'_>) -> String {
    let parts = wrap(&format!("{}: {}", parked.code, parked.reason), ROOM);
    let lines = parts.iter().enumerate();
    let lines = lines.map(|(place, part)| word(&(if place == 0 { "parked" } else { "" }).red().to_string(), part));
    // The record is masked, and its key with it.
    let key = parked.is_nameless.then(|| record::key_text(&StreamRecord::parse(parked.record))).flatten();
    lines.chain(key.map(|key| word("key", &fit(&key, ROOM)))).collect::<Vec<_>>().join("\n")
}

pub(super) fn retry(n: u64, why: &str) -> String {
    let parts = wrap(&format!("record {n}: {why}"), ROOM);
    let lines = parts.iter().enumerate();
    let lines = lines.map(|(place, part)| word(&(if place == 0 { "retry" } else { "" }).yellow().to_string(), part));
    lines.collect::<Vec<_>>().join("\n")
}

pub(super) fn remark(text: &str) -> String {
    text.dimmed().to_string()
}

pub(super) fn summary(summary: &Summary, took: Duration) -> String {
    let mut text = format!(
        "\n{} {}, {} more from Instep's own writes, {} work {}: {} {}",
        summary.records.bold(),
        plural(summary.records, "record"),
        summary.own,
        summary.messages,
        plural(summary.messages, "message"),
        summary.changes,
        plural(summary.changes, "change"),
    );
    let mut row = |name: &str, what: &str| {
        for (place, part) in wrap(what, WIDTH - 12).iter().enumerate() {
            let _ = write!(text, "\n  {:<9} {part}", if place == 0 { name } else { "" });
        }
    };
    row(
        "effects",
        &format!(
            "{}: {} done, {} already, {} not done",
            summary.effects, summary.done, summary.already, summary.not_done
        ),
    );
    row("events", &summary.events.to_string());
    if summary.skipped > 0 {
        row("skipped", &summary.skipped.to_string());
    }
    row("parked", &summary.parked.to_string());
    let left = if summary.left > 0 { format!(", {} to retry", summary.left) } else { String::new() };
    row("retries", &format!("{}{left}", summary.retries));
    let calls: Vec<String> = summary.api_calls.iter().map(|(name, count)| format!("{name} {count}")).collect();
    row("API calls", &format!("{}: {}", summary.api_calls.values().sum::<u64>(), calls.join(", ")));
    row("took", &format!("{:.1} s", took.as_secs_f64()));
    text
}

pub(super) fn state(state: &WorldState, (pk, sk): (&str, &str)) -> String {
    let mut text = format!("\n{} {} in the table", state.items.len(), plural_of(state.items.len(), "item"));
    for item in &state.items {
        let part = |name: &str| item.get(name).and_then(Value::as_s).unwrap_or_default();
        let half = (WIDTH - 7) / 2;
        let _ = write!(text, "\n  {}  {}", fit(part(pk), half), fit(part(sk), half).dimmed());
    }
    let _ = write!(text, "\n{} Cognito {}", state.groups.len(), plural_of(state.groups.len(), "group"));
    for group in &state.groups {
        let members =
            if group.members.is_empty() { "no members".dimmed().to_string() } else { group.members.join(", ") };
        let _ = write!(text, "\n  {}: {members}", group.name);
    }
    let _ = write!(text, "\n{} Cognito {}", state.users.len(), plural_of(state.users.len(), "user"));
    for user in &state.users {
        let _ = write!(text, "\n  {}{}", user.username, if user.enabled { "" } else { " (disabled)" });
    }
    text
}

/// The calls of a command that only sends.
pub(super) fn calls(api_calls: &BTreeMap<String, u64>, took: Duration) -> String {
    let calls: Vec<String> = api_calls.iter().map(|(name, count)| format!("{name} {count}")).collect();
    let all = format!("{}: {}", api_calls.values().sum::<u64>(), calls.join(", "));
    let mut text = String::new();
    for (place, part) in wrap(&all, WIDTH - 12).iter().enumerate() {
        let _ = write!(text, "\n  {:<9} {part}", if place == 0 { "API calls" } else { "" });
    }
    let _ = write!(text, "\n  {:<9} {:.1} s", "took", took.as_secs_f64());
    text
}

/// The counts of a redrive: what was sent to the work queue, and what stays.
pub(super) fn tally(tally: &Tally, dry_run: bool) -> String {
    let Tally { sent, done, kept, unreadable, expired, more } = *tally;
    let verb = if dry_run { "would be sent" } else { "sent" };
    let mut text = format!("{sent} {verb} to the work queue");
    if done + kept > 0 {
        let _ = write!(text, "\nmessages, objects and files: {done} sent completely, {kept} kept");
    }
    if unreadable > 0 {
        let _ = write!(text, "\n  {unreadable} are not readable as records");
    }
    if expired > 0 {
        let _ = write!(text, "\n  {expired} no longer in the stream: run a backfill (docs/RUNBOOK.md)");
    }
    if more {
        let _ = write!(text, "\n  some were not sent: run the same command again");
    }
    text
}

fn word(word: &str, text: &str) -> String {
    let shown = anstream::adapter::strip_str(word).to_string().chars().count();
    let pad = " ".repeat(WORD.saturating_sub(shown));
    format!("{}{word}{pad} {text}", " ".repeat(INDENT)).trim_end().to_owned()
}

fn verb(verb: &str) -> String {
    match verb {
        "created" => verb.green().to_string(),
        "deleted" => verb.red().to_string(),
        _ => verb.yellow().to_string(),
    }
}

fn readable(time: Timestamp) -> String {
    time.strftime("%Y-%m-%d %H:%M:%S").to_string()
}

fn sequence_end(sequence: &str) -> String {
    let skip = sequence.chars().count().saturating_sub(SEQUENCE_END);
    let end: String = sequence.chars().skip(skip).collect();
    if skip > 0 { format!("…{end}") } else { end }
}

fn plural(count: u64, word: &str) -> String {
    if count == 1 { word.to_owned() } else { format!("{word}s") }
}

fn plural_of(count: usize, word: &str) -> String {
    plural(u64::try_from(count).unwrap_or(u64::MAX), word)
}

/// The text in at most `width` columns. A longer text loses its middle, because ids differ at their
/// ends.
fn fit(text: &str, width: usize) -> String {
    let chars: Vec<char> = text.chars().map(|c| if c.is_control() { '\u{fffd}' } else { c }).collect();
    if chars.len() <= width {
        return chars.into_iter().collect();
    }
    let keep = width.saturating_sub(1);
    let end = keep / 2;
    let mut text: String = chars.iter().take(keep - end).collect();
    text.push('…');
    text.extend(chars.iter().skip(chars.len() - end));
    text
}

/// The text in lines of at most `width` columns, broken between words.
fn wrap(text: &str, width: usize) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    for word in text.split_whitespace() {
        match lines.last_mut() {
            Some(line) if line.chars().count() + 1 + word.chars().count() <= width => {
                line.push(' ');
                line.push_str(word);
            }
            Some(_) | None => lines.push(fit(word, width)),
        }
    }
    if lines.is_empty() { vec![String::new()] } else { lines }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_ids_lose_their_middle_and_long_texts_wrap() {
        assert_eq!(fit("0123456789", 10), "0123456789");
        assert_eq!(fit("0123456789a", 10), "01234…789a");
        assert_eq!(fit("a\nb", 10), "a\u{fffd}b");
        assert_eq!(wrap("one two three", 8), ["one two", "three"]);
        assert_eq!(wrap("", 8), [""]);
    }

    #[test]
    fn no_line_is_wider_than_it_may_be() {
        let change = instep_flow::report::ChangeReport {
            item: "ParentChildRelationship".to_owned(),
            id: "x".repeat(300),
            verb: "updated",
            changed: vec!["attribute".to_owned(); 20],
            notes: vec!["word ".repeat(60)],
        };
        let line = Record {
            n: 1234,
            sequence: Some("000000000000000000001"),
            time: Some(Timestamp::UNIX_EPOCH),
            change: Some(&change),
            outcome: Outcome::Handled,
            why: None,
            work: None,
            file: Some("f"),
        };
        let text = anstream::adapter::strip_str(&record(&line)).to_string();
        assert!(text.lines().all(|line| line.chars().count() <= WIDTH), "{text}");
        assert!(text.starts_with("1234 1970-01-01 00:00:00"), "{text}");
    }
}
