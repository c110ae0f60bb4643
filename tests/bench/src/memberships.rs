//! What the changes of a workload do to memberships.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::Value;

/// The key of a record, and its role before and after. `None` if neither image has a role.
fn change(record: &Value) -> Option<(String, Option<String>, Option<String>)> {
    let body = record.get("dynamodb")?;
    let role = |image: &str| body.pointer(&format!("/{image}/role/S")).and_then(Value::as_str).map(str::to_owned);
    let (old, new) = (role("OldImage"), role("NewImage"));
    let key = body.get("Keys").map(Value::to_string).unwrap_or_default();
    (old.is_some() || new.is_some()).then_some((key, old, new))
}

/// Changes to memberships, if each is changed once.
pub(crate) fn net_changes(records: &[Value]) -> usize {
    let mut of: BTreeMap<String, (Option<String>, Option<String>)> = BTreeMap::new();
    for (key, old, new) in records.iter().filter_map(change) {
        of.entry(key).or_insert_with(|| (old, None)).1 = new;
    }
    let moved = of.values().filter(|(first, last)| first != last);
    moved.map(|(first, last)| usize::from(first.is_some()) + usize::from(last.is_some())).sum()
}

/// The memberships that changes grant or revoke, each once.
pub(crate) fn named(records: &[Value]) -> usize {
    let changed = records.iter().filter_map(change).filter(|(_, old, new)| old != new);
    let named =
        changed.flat_map(|(key, old, new)| [old, new].into_iter().flatten().map(move |role| (key.clone(), role)));
    named.collect::<BTreeSet<_>>().len()
}
