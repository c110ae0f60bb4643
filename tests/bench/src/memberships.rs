//! What the changes of a workload do to memberships, worked out without Instep's code.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::Value;

/// A user and a group of the user pool.
pub type UserInGroup = (String, String);

/// The memberships before and after a record, of one user in one group of the table. `None` if neither image has a
/// role.
fn change(record: &Value) -> Option<(String, Option<UserInGroup>, Option<UserInGroup>)> {
    let body = record.get("dynamodb")?;
    let membership = |image: &str| {
        let text = |name: &str| body.pointer(&format!("/{image}/{name}/S")).and_then(Value::as_str);
        Some((text("email")?.to_owned(), format!("{}|||{}", text("groupId")?, text("role")?)))
    };
    let (old, new) = (membership("OldImage"), membership("NewImage"));
    let key = body.get("Keys").map(Value::to_string).unwrap_or_default();
    (old.is_some() || new.is_some()).then_some((key, old, new))
}

/// What the table grants before the records, and after them.
#[must_use]
pub fn before_and_after(records: &[Value]) -> [BTreeSet<UserInGroup>; 2] {
    let mut of: BTreeMap<String, [Option<UserInGroup>; 2]> = BTreeMap::new();
    for (key, old, new) in records.iter().filter_map(change) {
        of.entry(key).or_insert_with(|| [old, None])[1] = new;
    }
    let (before, after): (Vec<_>, Vec<_>) = of.into_values().map(|[before, after]| (before, after)).unzip();
    [before, after].map(|all| all.into_iter().flatten().collect())
}

/// The memberships that are not the same after the records as before them.
pub(crate) fn net_changes(records: &[Value]) -> usize {
    let [before, after] = before_and_after(records);
    before.symmetric_difference(&after).count()
}

/// The memberships that the records grant or revoke, each once.
pub(crate) fn named(records: &[Value]) -> usize {
    let changed = records.iter().filter_map(change).filter(|(_, old, new)| old != new);
    changed.flat_map(|(_, old, new)| [old, new]).flatten().collect::<BTreeSet<_>>().len()
}
