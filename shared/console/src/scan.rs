//! Items as `aws dynamodb scan` prints them, and as an export to S3 has them.

use std::borrow::Cow;
use std::collections::HashMap;

use instep_model::{BOOKKEEPING_ATTRIBUTE, BOOKKEEPING_PREFIX, Item, Value};
use miette::miette;
use serde::Deserialize;
use serde::de::IgnoredAny;

/// What a scan prints, or a line of an export. Source: Amazon DynamoDB Developer Guide, "DynamoDB table export output
/// format".
#[derive(Deserialize)]
struct Scanned {
    #[serde(rename = "Items")]
    items: Option<Vec<Item>>,
    #[serde(rename = "Item")]
    item: Option<Item>,
}

/// The items of a text, without those that Instep keeps for itself: another Instep has its own. `None` if the text is neither.
pub(crate) fn items(file: &str, text: &str) -> miette::Result<Option<Vec<Item>>> {
    if !is_scan(text) {
        return Ok(None);
    }
    let mut found = Vec::new();
    for scanned in serde_json::Deserializer::from_str(text).into_iter::<Scanned>() {
        let Scanned { items, item } = scanned.map_err(|error| not_json(file, &error))?;
        found.extend(items.into_iter().flatten().chain(item));
    }
    found.retain(|item| !is_own(item));
    Ok(Some(found))
}

fn is_own(item: &Item) -> bool {
    let is_key = |value: &Value| value.as_s().is_some_and(|text| text.starts_with(BOOKKEEPING_PREFIX));
    item.contains_key(BOOKKEEPING_ATTRIBUTE) && item.values().any(is_key)
}

/// Whether the first value of a text has items. The rest may be damaged.
fn is_scan(text: &str) -> bool {
    let Some(object) = text.trim_start().strip_prefix('{') else { return false };
    let first = object.trim_start();
    if first.starts_with("\"Item\"") || first.starts_with("\"Items\"") {
        return true;
    }
    // `Count` may come first. Nothing is kept of what is read: it may be a large capture.
    let mut values = serde_json::Deserializer::from_str(text).into_iter::<HashMap<Cow<'_, str>, IgnoredAny>>();
    let first = values.next().and_then(Result::ok);
    first.is_some_and(|first| first.contains_key("Items") || first.contains_key("Item"))
}

/// An error of JSON, without the value that it is about: that may be personal.
pub fn not_json(name: &str, error: &serde_json::Error) -> miette::Report {
    miette!(
        help = "items are in DynamoDB JSON, `{{\"name\": {{\"S\": \"…\"}}}}`, as the AWS CLI and an export write them",
        "`{name}` cannot be read at line {}, column {}",
        error.line(),
        error.column()
    )
}
