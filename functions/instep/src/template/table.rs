//! The table that a model describes, as CloudFormation properties.

use std::collections::BTreeSet;

use instep_model::{Index, Model};

/// The table's properties that depend on the model.
pub(super) fn properties(model: &Model) -> Vec<String> {
    let table = &model.table;
    let mut attributes = BTreeSet::from([table.pk.as_str(), table.sk.as_str()]);
    for index in &model.indexes {
        let (pk, sk) = keys(index);
        attributes.extend([Some(pk), sk].into_iter().flatten());
    }
    let mut lines = vec!["AttributeDefinitions:".to_owned()];
    lines.extend(attributes.iter().map(|name| format!("  - {{ AttributeName: {}, AttributeType: S }}", quoted(name))));
    lines.push("KeySchema:".to_owned());
    lines.extend(schema(&table.pk, Some(&table.sk)).map(|line| format!("  {line}")));
    if !model.indexes.is_empty() {
        lines.push("GlobalSecondaryIndexes:".to_owned());
    }
    for index in &model.indexes {
        let (pk, sk) = keys(index);
        lines.push(format!("  - IndexName: {}", quoted(&index.name)));
        lines.push("    KeySchema:".to_owned());
        lines.extend(schema(pk, sk).map(|line| format!("      {line}")));
        lines.push("    Projection: { ProjectionType: ALL }".to_owned());
    }
    lines.push(format!("TimeToLiveSpecification: {{ AttributeName: {}, Enabled: true }}", quoted(&table.ttl)));
    lines.push("StreamSpecification: { StreamViewType: NEW_AND_OLD_IMAGES }".to_owned());
    lines
}

/// An index's key attributes: the first spelling of each.
fn keys(index: &Index) -> (&str, Option<&str>) {
    let pk = index.pk.first().map_or("", String::as_str);
    (pk, index.sk.as_ref().and_then(|sk| sk.first()).map(String::as_str))
}

fn schema(pk: &str, sk: Option<&str>) -> impl Iterator<Item = String> {
    let key = |name: &str, kind: &str| format!("- {{ AttributeName: {}, KeyType: {kind} }}", quoted(name));
    [Some(key(pk, "HASH")), sk.map(|sk| key(sk, "RANGE"))].into_iter().flatten()
}

/// A text as a quoted YAML string.
pub(super) fn quoted(text: &str) -> String {
    serde_json::Value::from(text).to_string()
}
