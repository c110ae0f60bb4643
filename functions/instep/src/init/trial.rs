//! Replays the input with the draft on the embedded stack, and says what was parked, deleted and changed.

use std::collections::BTreeMap;

use instep_draft::{Draft, Schema};
use instep_flow::mask;
use instep_model::{BOOKKEEPING_ATTRIBUTE, BOOKKEEPING_PREFIX, Identity, Item, Key};
use jiff::{SignedDuration, Timestamp};
use miette::{IntoDiagnostic as _, WrapErr as _};
use serde_json::{Value, json};

use super::seen::SeenHistory;
use crate::replay;

/// The most writes that are replayed: more take minutes, and tell nothing new.
const WRITES_MAX: usize = 2_000;

/// The seconds between two writes. A child that is written within 10 seconds of its parent's deletion is deleted with
/// it, so these are more.
const BETWEEN_SECONDS: i64 = 60;

/// What a replay of the input with the draft did, in lines for people. They contain no value of an item.
pub(super) async fn remarks(draft: &Draft, schema: &Schema, history: &SeenHistory) -> miette::Result<Vec<String>> {
    let folder = tempfile::tempdir().into_diagnostic().wrap_err("cannot make a folder for the replay")?;
    let (model, capture) = (folder.path().join("model.toml"), folder.path().join("writes.json"));
    let write = |path: &std::path::Path, text: &str| std::fs::write(path, text).into_diagnostic();
    write(&model, &draft.text)?;
    let writes = history.writes.get(..WRITES_MAX).unwrap_or(&history.writes);
    write(&capture, &records(schema, writes).to_string())?;
    let lines = replay::lines(&capture, &model.display().to_string(), &["--state"]).await?;
    let mut expected: BTreeMap<&Key, &Item> = BTreeMap::new();
    for (key, _, new) in writes {
        match new {
            Some(item) => expected.insert(key, item),
            None => expected.remove(key),
        };
    }
    let mut remarks = vec![format!("A replay of {} writes with this draft, without Cognito:", writes.len())];
    if writes.len() < history.writes.len() {
        remarks.push(format!("  ({} more were not replayed)", history.writes.len() - writes.len()));
    }
    remarks.extend(parked(&lines));
    remarks.extend(unlike(draft, schema, &expected, &lines));
    Ok(remarks)
}

/// The writes as a capture.
fn records(schema: &Schema, writes: &[(Key, Option<Item>, Option<Item>)]) -> Value {
    let mut time = Timestamp::UNIX_EPOCH + SignedDuration::from_hours(24 * 365 * 50);
    let record = |(place, (key, old, new)): (usize, &(Key, Option<Item>, Option<Item>))| {
        time += SignedDuration::from_secs(BETWEEN_SECONDS);
        let event = match (old, new) {
            (_, None) => "REMOVE",
            (None, Some(_)) => "INSERT",
            (Some(_), Some(_)) => "MODIFY",
        };
        let mut body = json!({
            "Keys": { &schema.pk: { "S": key.pk }, &schema.sk: { "S": key.sk } },
            "SequenceNumber": format!("{place:021}"),
            "ApproximateCreationDateTime": time.as_second(),
            "StreamViewType": "NEW_AND_OLD_IMAGES",
        });
        if let Some(body) = body.as_object_mut() {
            let images = [("OldImage", old), ("NewImage", new)];
            body.extend(images.into_iter().filter_map(|(name, image)| Some((name.to_owned(), json!(image.as_ref()?)))));
        }
        json!({ "eventID": place.to_string(), "eventName": event, "eventSource": "aws:dynamodb", "dynamodb": body })
    };
    json!({ "Records": writes.iter().enumerate().map(record).collect::<Vec<_>>() })
}

/// What was parked, by the code of the reason. A reason itself may quote a value.
fn parked(lines: &[Value]) -> Vec<String> {
    let mut codes: BTreeMap<&str, usize> = BTreeMap::new();
    let is_parked = |line: &&Value| line.get("kind").is_some_and(|kind| kind == "parked");
    for code in lines.iter().filter(is_parked).filter_map(|line| line.get("code")?.as_str()) {
        *codes.entry(code).or_default() += 1;
    }
    if codes.is_empty() {
        return vec!["  no record was parked".to_owned()];
    }
    codes.into_iter().map(|(code, count)| format!("  decide: {count} parked: {code}")).collect()
}

/// The items that are not as the writers left them, by item type.
fn unlike(draft: &Draft, schema: &Schema, expected: &BTreeMap<&Key, &Item>, lines: &[Value]) -> Vec<String> {
    let is_item = |line: &&Value| line.get("kind").is_some_and(|kind| kind == "state") && line.get("item").is_some();
    let items = lines.iter().filter(is_item).filter_map(|line| serde_json::from_value(line.get("item")?.clone()).ok());
    let text = |item: &Item, name: &str| item.get(name).and_then(instep_model::Value::as_s).map(str::to_owned);
    let key = |item: &Item| Some(Key { pk: text(item, &schema.pk)?, sk: text(item, &schema.sk)? });
    let found: BTreeMap<Key, Item> = items.filter_map(|item| Some((key(&item)?, item))).collect();
    let mut counts: BTreeMap<(&str, String), usize> = BTreeMap::new();
    for (key, item) in expected {
        let what = match found.get(*key) {
            None => "deleted",
            Some(other) if is_changed(draft, item, other) => "changed",
            Some(_) => continue,
        };
        *counts.entry((what, type_of(draft, key))).or_default() += 1;
    }
    let is_new = |key: &&Key| !key.pk.starts_with(BOOKKEEPING_PREFIX) && !expected.contains_key(key);
    for key in found.keys().filter(is_new) {
        *counts.entry(("created", type_of(draft, key))).or_default() += 1;
    }
    if counts.is_empty() {
        return vec!["  no item was deleted, changed or created".to_owned()];
    }
    let remark = |((what, of), count): ((&str, String), usize)| format!("  decide: it {what} {count} of {of}");
    counts.into_iter().map(remark).collect()
}

/// Whether the application's part of an item differs from what the replay shows of it, which has the secrets masked.
fn is_changed(draft: &Draft, item: &Item, other: &Item) -> bool {
    let mut own = other.clone();
    own.remove(BOOKKEEPING_ATTRIBUTE);
    mask::item(&draft.model, item.clone()) != own
}

fn type_of(draft: &Draft, key: &Key) -> String {
    match draft.model.identify(key) {
        Identity::Item { object, .. } => draft.model.item(object.of).name.clone(),
        Identity::Bookkeeping | Identity::Unknown { .. } => "no item type".to_owned(),
    }
}
