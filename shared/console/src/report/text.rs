//! The report for people: a paragraph for each record, in the width of the terminal, without
//! attribute values.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::time::Duration;

use instep_aws::redrive::RedriveTally;
use instep_flow::report::{EffectOutcome, EffectReport, EventEntry};
use instep_flow::stream_record::StreamRecord;
use instep_local::WorldState;
use instep_model::Value;
use jiff::Timestamp;
use owo_colors::OwoColorize as _;

use crate::record;
use crate::report::layout::Layout;
use crate::report::{LineOutcome, ParkedLine, RecordLine, RunSummary};

/// The indentation of the lines below a record.
const INDENT: usize = 6;

/// The width of the first word of these lines (`not done`).
const WORD: usize = 8;

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

pub(super) fn record(layout: Layout, record: &RecordLine<'_>) -> String {
    let from = if record.work.is_some() {
        WORK.to_owned()
    } else if record.own() {
        OWN.to_owned()
    } else {
        let when = record.time.map_or_else(|| "no time".to_owned(), readable);
        let sequence = record.sequence.map(sequence_end).unwrap_or_default();
        format!("{when:<TIME$} {sequence}")
    };
    let head = format!("{:>NUMBER$} {:<FROM$}", record.n.bold(), from.dimmed());
    let mut text = match (record.change, record.work) {
        (Some(change), _) => {
            let width = |text: &str| text.chars().count();
            let whole = width(&change.item) + 1 + width(&change.id) + 1 + width(change.verb);
            beside_or_below(layout, &head, whole, |room| {
                // A long name of an item type leaves half of the line for the id.
                let item = layout.fit(&change.item, room.saturating_sub(change.verb.len() + 2) / 2);
                let id = layout.fit(&change.id, room.saturating_sub(width(&item) + change.verb.len() + 2));
                format!("{item} {id} {}", verb(change.verb))
            })
        }
        (None, Some(work)) => beside_or_below(layout, &head, work.chars().count(), |room| layout.fit(work, room)),
        (None, None) => head.trim_end().to_owned(),
    };
    let changed = record.change.filter(|change| change.verb == "updated").map(|change| change.changed.join(", "));
    let mut rows = |name: &str, what: &str| {
        text.push('\n');
        text.push_str(&rows(layout, name, what, |part| part.dimmed().to_string()));
    };
    if let Some(changed) = changed.filter(|changed| !changed.is_empty()) {
        rows("changed", &changed);
    }
    for note in record.change.iter().flat_map(|change| &change.notes) {
        rows("note", note);
    }
    if record.outcome == LineOutcome::Skipped {
        rows("skipped", record.why.unwrap_or_default());
    }
    text
}

pub(super) fn effect(layout: Layout, effect: &EffectReport) -> String {
    let outcome = match effect.outcome {
        EffectOutcome::Done => "done",
        EffectOutcome::Already => "already",
        EffectOutcome::NotDone => "not done",
    };
    let head = format!("{} {}", effect.service, effect.operation);
    let room = room(layout);
    let beside = room.saturating_sub(head.chars().count() + 1);
    // A target that does not fit beside the call is below it.
    let is_beside = layout.has_room(effect.target.chars().count(), beside);
    let what = if is_beside { format!("{head} {}", layout.fit(&effect.target, beside)) } else { head };
    let dimmed = |text: &str| match effect.outcome {
        EffectOutcome::Already => text.dimmed().to_string(),
        EffectOutcome::Done | EffectOutcome::NotDone => text.to_owned(),
    };
    let mark = match effect.outcome {
        EffectOutcome::Done => outcome.green().to_string(),
        EffectOutcome::Already => outcome.dimmed().to_string(),
        EffectOutcome::NotDone => outcome.yellow().to_string(),
    };
    let mut text = word(&mark, &dimmed(&what));
    if !is_beside {
        let _ = write!(text, "\n{}", word("", &dimmed(&layout.fit(&effect.target, room))));
    }
    for part in effect.why.iter().flat_map(|why| layout.wrap(&format!("({why})"), room)) {
        let _ = write!(text, "\n{}", word("", &part));
    }
    text
}

pub(super) fn because(layout: Layout, why: &str) -> String {
    rows(layout, "because", why, |part| part.dimmed().to_string())
}

pub(super) fn events(layout: Layout, entries: &[&EventEntry]) -> String {
    let names: Vec<&str> = entries.iter().map(|entry| entry.detail_type.as_str()).collect();
    let label = if entries.len() == 1 { "event" } else { "events" };
    rows(layout, label, &names.join(", "), |part| part.cyan().to_string())
}

pub(super) fn parked(layout: Layout, parked: &ParkedLine<'_>) -> String {
    let why = format!("{}: {}", parked.code, parked.reason);
    let mut text = rows(layout, &"parked".red().to_string(), &why, str::to_owned);
    // The record is masked, and its key with it.
    if let Some(key) = parked.is_nameless.then(|| record::key_text(&StreamRecord::parse(parked.record))).flatten() {
        let _ = write!(text, "\n{}", word("key", &layout.fit(&key, room(layout))));
    }
    text
}

pub(super) fn retry(layout: Layout, n: u64, why: &str) -> String {
    rows(layout, &"retry".yellow().to_string(), &format!("record {n}: {why}"), str::to_owned)
}

pub(super) fn remark(text: &str) -> String {
    text.dimmed().to_string()
}

pub(super) fn summary(layout: Layout, summary: &RunSummary, took: Duration) -> String {
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
    let mut row = |name: &str, what: &str| text += &summary_row(layout, name, what);
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
    text + &calls(layout, &summary.api_calls, took)
}

/// A row of the summary.
fn summary_row(layout: Layout, name: &str, what: &str) -> String {
    let parts = layout.wrap(what, layout.width - 12).into_iter().enumerate();
    parts.map(|(place, part)| format!("\n  {:<9} {part}", if place == 0 { name } else { "" })).collect()
}

pub(super) fn state(layout: Layout, state: &WorldState, (pk, sk): (&str, &str)) -> String {
    let mut text = format!("\n{} {} in the table", state.items.len(), plural_of(state.items.len(), "item"));
    for item in &state.items {
        let part = |name: &str| item.get(name).and_then(Value::as_s).unwrap_or_default();
        let half = (layout.width - 7) / 2;
        let _ = write!(text, "\n  {}  {}", layout.fit(part(pk), half), layout.fit(part(sk), half).dimmed());
    }
    let _ = write!(text, "\n{} Cognito {}", state.groups.len(), plural_of(state.groups.len(), "group"));
    for group in &state.groups {
        let members =
            if group.members.is_empty() { "no members".dimmed().to_string() } else { group.members.join(", ") };
        let _ = write!(text, "\n  {}: {members}", group.name);
        let _ = group.precedence.map(|precedence| write!(text, "; precedence {precedence}"));
        let _ = group.iam_role.as_ref().map(|role| write!(text, "; IAM role {role}"));
    }
    let _ = write!(text, "\n{} Cognito {}", state.users.len(), plural_of(state.users.len(), "user"));
    for user in &state.users {
        let _ = write!(text, "\n  {}{}", user.username, if user.enabled { "" } else { " (disabled)" });
    }
    text
}

/// The last rows of a summary: the calls, and the time.
pub(super) fn calls(layout: Layout, api_calls: &BTreeMap<String, u64>, took: Duration) -> String {
    let calls: Vec<String> = api_calls.iter().map(|(name, count)| format!("{name} {count}")).collect();
    let all = format!("{}: {}", api_calls.values().sum::<u64>(), calls.join(", "));
    summary_row(layout, "API calls", &all) + &summary_row(layout, "took", &format!("{:.1} s", took.as_secs_f64()))
}

/// The counts of a redrive: what was sent to the work queue, and what stays.
pub(super) fn tally(tally: &RedriveTally, dry_run: bool) -> String {
    let RedriveTally { sent, done, kept, unreadable, expired, more } = *tally;
    let verb = if dry_run { "would be sent" } else { "sent" };
    let mut text = format!("{sent} {verb} to the work queue");
    if done + kept > 0 {
        let _ = write!(text, "\nmessages, objects and files: {done} sent completely, {kept} kept");
    }
    if unreadable > 0 {
        let _ = write!(text, "\n  {unreadable} are not readable as records");
    }
    if expired > 0 {
        let _ = write!(text, "\n  {expired} no longer in the stream: run a backfill (docs/operate/runbook.md)");
    }
    if more {
        let _ = write!(text, "\n  some were not sent: run the same command again");
    }
    text
}

/// The width of the texts below a record.
fn room(layout: Layout) -> usize {
    layout.width - INDENT - WORD - 1
}

/// A text beside the number and the origin of a record, or in the next line if it does not fit
/// there: `whole` is its full width. The origin is at most `FROM` wide.
fn beside_or_below(layout: Layout, head: &str, whole: usize, text: impl Fn(usize) -> String) -> String {
    let beside = layout.width.saturating_sub(NUMBER + 1 + FROM + 1);
    if layout.has_room(whole, beside) {
        format!("{head} {}", text(beside))
    } else {
        format!("{}\n{}{}", head.trim_end(), " ".repeat(INDENT), text(layout.width - INDENT))
    }
}

/// A text below a record, in rows: the word is in the first one.
fn rows(layout: Layout, first: &str, text: &str, colour: impl Fn(&str) -> String) -> String {
    let parts = layout.wrap(text, room(layout));
    let rows = parts.iter().enumerate().map(|(place, part)| word(if place == 0 { first } else { "" }, &colour(part)));
    rows.collect::<Vec<_>>().join("\n")
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

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use instep_flow::effect::Effect;

    use super::*;

    fn change(item: &str, id: &str) -> instep_flow::report::ChangeReport {
        let (changed, notes) = (vec!["attribute".to_owned(); 20], vec!["word ".repeat(60)]);
        instep_flow::report::ChangeReport { item: item.to_owned(), id: id.to_owned(), verb: "updated", changed, notes }
    }

    /// The lines of a change, without colours.
    fn lines(columns: Option<usize>, change: &instep_flow::report::ChangeReport) -> Vec<String> {
        let line = RecordLine {
            n: 1234,
            sequence: Some("000000000000000000001"),
            time: Some(Timestamp::UNIX_EPOCH),
            change: Some(change),
            outcome: LineOutcome::Handled,
            why: None,
            work: None,
            file: Some("f"),
        };
        let text = anstream::adapter::strip_str(&record(Layout::new(columns), &line)).to_string();
        text.lines().map(str::to_owned).collect()
    }

    #[test]
    fn no_line_is_wider_than_the_terminal() {
        let items = ["Item".to_owned(), "ParentChildRelationship".to_owned(), "x".repeat(100)];
        for (columns, item) in
            [40, 60, 80, 100, 200].iter().flat_map(|columns| items.iter().map(move |item| (columns, item)))
        {
            let lines = lines(Some(*columns), &change(item, &"x".repeat(300)));
            assert!(lines.iter().all(|line| line.chars().count() <= *columns), "{columns}: {lines:?}");
            assert!(lines[0].starts_with("1234 1970-01-01 00:00:00"), "{lines:?}");
        }
    }

    /// The user and the group of a membership show in every width, and piped they are whole.
    #[test]
    fn a_membership_shows_its_user_and_its_group() {
        let change =
            change("Membership", "johannes.van.der.waals@physics.example.com//netherlands/amsterdam-science-park");
        let shown = |columns| {
            lines(columns, &change).into_iter().take_while(|line| !line.contains("changed")).collect::<Vec<_>>()
        };
        let below = |text: &str| ["1234 1970-01-01 00:00:00 …000001".to_owned(), format!("      {text}")];
        assert_eq!(shown(Some(60)), below("Membership johan…e.com//netherlands/amste…park updated"));
        assert_eq!(
            shown(Some(80)),
            below("Membership johannes.v…xample.com//netherlands/amsterdam-…ence-park updated")
        );
        assert_eq!(shown(Some(200)), [format!("1234 1970-01-01 00:00:00 …000001 Membership {} updated", change.id)]);
        assert_eq!(shown(None), shown(Some(200)));
    }

    #[test]
    fn a_call_shows_its_user_and_its_group() {
        let report = EffectReport {
            service: "cognito",
            operation: "AdminRemoveUserFromGroup",
            target: "johannes.van.der.waals@physics.example.com in /netherlands/amsterdam-science-park|||reader"
                .to_owned(),
            outcome: EffectOutcome::Done,
            why: None,
            records: Vec::new(),
            effect: Arc::new(Effect::DisableUser { user: String::new(), username: Default::default() }),
        };
        let shown = |columns| anstream::adapter::strip_str(&effect(Layout::new(columns), &report)).to_string();
        let below = |text: &str| format!("      done     cognito AdminRemoveUserFromGroup\n               {text}");
        assert_eq!(shown(Some(60)), below("johan….com in /nethe…ands/amste…park|||reader"));
        assert_eq!(shown(Some(80)), below("johannes.v…ample.com in /netherlands/amsterdam…ence-park|||reader"));
        let whole = format!("      done     cognito AdminRemoveUserFromGroup {}", report.target);
        assert_eq!(shown(Some(200)), whole);
        assert_eq!(shown(None), shown(Some(200)));
    }
}
