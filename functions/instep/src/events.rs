//! `instep events`: follows published events, live, filtered by a rule pattern.

mod source;

use std::path::Path;
use std::process::ExitCode;

use instep_console::output::{Output, ReaderGone, print_error};
use instep_model::escaped;
use instep_patterns::Pattern;
use miette::{IntoDiagnostic as _, WrapErr as _, miette};
use serde_json::Value;

use crate::cli::contract::EventsArgs;
use source::{EventSource, SourcedEvent};

/// The exit status if a server did not take an event.
const NOT_TAKEN: u8 = 1;

/// Prints events until it is interrupted, or until there are no more.
pub(crate) async fn run(args: EventsArgs, out: &mut Output) -> miette::Result<ExitCode> {
    let pattern = args.pattern.as_deref().map(read_pattern).transpose()?;
    follow(&args, pattern.as_ref(), EventSource::open(&args).await?, out).await
}

/// Reads a pattern, or the file that has it.
pub(crate) fn read_pattern(text: &str) -> miette::Result<Pattern> {
    let is_file = !text.trim_start().starts_with('{') && Path::new(text).is_file();
    let text = if is_file {
        std::fs::read_to_string(text).into_diagnostic().wrap_err_with(|| format!("cannot read `{text}`"))?
    } else {
        text.to_owned()
    };
    Pattern::read(&text).map_err(|error| miette!(help = error.help(), "{error}"))
}

async fn follow(
    args: &EventsArgs,
    pattern: Option<&Pattern>,
    mut source: EventSource,
    out: &mut Output,
) -> miette::Result<ExitCode> {
    let mut left = if args.id.is_some() { 1 } else { args.most.unwrap_or(u64::MAX) };
    let mut is_warned = false;
    while left > 0 {
        let next = tokio::select! {
            next = source.next(args.until_empty || args.id.is_some()) => next?,
            // A person ends it: what was printed is complete.
            _ = tokio::signal::ctrl_c() => None,
        };
        let Some(SourcedEvent { event, receipt }) = next else { break };
        if !is_warned && event.get("source").is_none() {
            is_warned = pattern.is_some_and(warn_of_envelope);
        }
        let has_id =
            args.id.as_deref().is_none_or(|id| event.pointer("/detail/metadata/id").is_some_and(|own| own == id));
        if has_id && pattern.is_none_or(|pattern| pattern.matches(&event)) {
            left -= 1;
            if let Some(target) = &args.forward
                && let Err(why) = target.send(&event).await
            {
                // What was sent before is handled. The message of this one stays in its queue.
                source.finish().await?;
                print_error(&miette!(help = "the events after it were not sent", "an event was not taken: {why}"));
                return Ok(ExitCode::from(NOT_TAKEN));
            }
            let text = if args.json { event.to_string() } else { as_text(&event) };
            match out.line(&text).and_then(|()| out.flush()) {
                // The reader is gone, such as `head`: nobody has this event, so its message stays.
                Err(error) if error.is::<ReaderGone>() => break,
                printed => printed?,
            }
        }
        source.handled(receipt);
    }
    source.finish().await?;
    match &args.id {
        Some(id) if left > 0 => Err(miette!(
            help = "`instep events --data DIR --until-empty --json` prints the events that are there",
            "there is no event with the id {}",
            escaped(id)
        )),
        Some(_) | None => Ok(ExitCode::SUCCESS),
    }
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
    use std::io;

    use aws_sdk_sqs::types::SendMessageBatchRequestEntry;
    use instep_aws::Clients;
    use instep_local::{Clock, QueueOptions, Stack, StackOptions};
    use instep_model::Model;
    use serde_json::json;

    use super::*;

    /// A reader such as `head -n 1`: it closes the pipe after a line.
    #[derive(Default)]
    struct OneLine(bool);

    impl io::Write for OneLine {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            if std::mem::replace(&mut self.0, true) { Err(io::ErrorKind::BrokenPipe.into()) } else { Ok(bytes.len()) }
        }

        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }

    /// An event that nobody has read stays in the queue, and a reader that has gone ends the command.
    #[tokio::test]
    async fn what_is_not_read_is_not_deleted() {
        let model = Model::shipped("access-management").unwrap();
        let options = StackOptions { dir: None, table: "table".to_owned(), clock: Clock::default() };
        let stack = Stack::open(&model, options).await.unwrap();
        let url = "https://sqs.eu-west-1.amazonaws.com/000000000000/events";
        stack.make_queue(url, QueueOptions::default());
        let clients = Clients::new(&stack.uncounted_config());
        let entry = |n: usize| {
            let body = json!({"detail": {"metadata": {"entityId": n.to_string()}}}).to_string();
            SendMessageBatchRequestEntry::builder().id(n.to_string()).message_body(body).build().unwrap()
        };
        let send = clients.sqs().send_message_batch().queue_url(url).set_entries(Some((0..3).map(entry).collect()));
        send.send().await.unwrap();
        let cli = <crate::cli::Cli as clap::Parser>::try_parse_from(["instep", "events", "--queue", url]).unwrap();
        let crate::cli::Command::Events(args) = cli.command else { unreachable!() };
        let mut out = Output::to(OneLine::default());
        let following = follow(&args, None, EventSource::of_queue(clients, url, false), &mut out);
        tokio::time::timeout(std::time::Duration::from_secs(5), following).await.unwrap().unwrap();
        let left: Vec<String> = stack.messages(url).into_iter().map(|message| message.body).collect();
        assert_eq!(left.len(), 2, "{left:?}");
        assert!(!left.iter().any(|body| body.contains("\"0\"")), "{left:?}");
        stack.close().await;
    }

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
