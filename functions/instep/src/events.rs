//! `instep events`: follows published events, live, filtered by a rule pattern.

mod pattern;
mod source;

use std::process::ExitCode;

use instep_model::escaped;
use serde_json::Value;

use crate::cli::contract::Events;
use crate::output::Output;
use pattern::Pattern;
use source::Source;

/// Prints events until it is interrupted, or until there are no more.
///
/// # Errors
/// The pattern is wrong, or the events cannot be read.
pub(crate) async fn run(args: Events, out: &mut Output) -> miette::Result<ExitCode> {
    let pattern = args.pattern.as_deref().map(Pattern::read).transpose()?;
    let mut source = Source::open(&args).await?;
    let mut left = args.most.unwrap_or(u64::MAX);
    let mut is_warned = false;
    while left > 0 {
        let next = tokio::select! {
            next = source.next(args.until_empty) => next?,
            // A person ends it: what was printed is complete.
            _ = tokio::signal::ctrl_c() => None,
        };
        let Some(event) = next else { break };
        if !is_warned && event.get("source").is_none() {
            is_warned = pattern.as_ref().is_some_and(warn_of_envelope);
        }
        if pattern.as_ref().is_none_or(|pattern| pattern.matches(&event)) {
            left -= 1;
            out.line(&if args.json { event.to_string() } else { as_text(&event) })?;
            out.flush()?;
        }
    }
    source.finish().await?;
    Ok(ExitCode::SUCCESS)
}

/// A rule with `InputPath: $.detail` delivers the detail alone: then the rule's own pattern has seen the rest.
fn warn_of_envelope(pattern: &Pattern) -> bool {
    let tested: Vec<&str> = ["source", "detail-type"].into_iter().filter(|name| pattern.has(name)).collect();
    for name in &tested {
        tracing::warn!("the queue has the details of events alone: `{name}` matches none");
    }
    !tested.is_empty()
}

/// A line for people.
fn as_text(event: &Value) -> String {
    let text = |pointer: &str| event.pointer(pointer).and_then(Value::as_str);
    let metadata = |name: &str| text(&format!("/detail/metadata/{name}")).unwrap_or("?");
    let time = text("/detail/metadata/recordedAt").or_else(|| text("/time")).unwrap_or("                    ");
    let name =
        text("/detail-type").map_or_else(|| format!("{} {}", metadata("entity"), metadata("verb")), str::to_owned);
    let mut line = format!("{time}  {name}");
    if let Some(id) = text("/detail/metadata/entityId") {
        line.push_str(&format!("  {id}"));
    }
    for (name, before) in [("role", ": "), ("scope", " in ")] {
        if let Some(value) = text(&format!("/detail/data/{name}")) {
            line.push_str(&format!("{before}{value}"));
        }
    }
    let changed = event.pointer("/detail/data/changed").and_then(Value::as_array);
    let is_update = text("/detail/metadata/verb") == Some("updated");
    if let Some(changed) = changed.filter(|changed| is_update && !changed.is_empty()) {
        let names: Vec<&str> = changed.iter().filter_map(Value::as_str).collect();
        line.push_str(&format!("  changed {}", names.join(", ")));
    }
    if let Some(cause) = text("/detail/metadata/cause").filter(|cause| *cause != "write") {
        line.push_str(&format!("  [{cause}]"));
    }
    for mark in ["replay", "parked"] {
        if event.pointer(&format!("/detail/metadata/{mark}")) == Some(&Value::Bool(true)) {
            line.push_str(&format!("  [{mark}]"));
        }
    }
    escaped(&line)
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn a_line_says_what_happened() {
        let event = json!({"detail-type": "User Granted", "detail": {
            "metadata": {"entityId": "a@example.com", "verb": "granted", "recordedAt": "2026-03-13T10:00:00Z",
                "cause": "due", "replay": true, "parked": false},
            "data": {"role": "admin", "scope": "/ghana", "changed": []}}});
        assert_eq!(
            as_text(&event),
            "2026-03-13T10:00:00Z  User Granted  a@example.com: admin in /ghana  [due]  [replay]"
        );
        let detail =
            json!({"detail": {"metadata": {"entity": "User", "entityId": "a", "verb": "created"}, "data": {}}});
        assert_eq!(as_text(&detail).trim(), "User created  a");
    }
}
