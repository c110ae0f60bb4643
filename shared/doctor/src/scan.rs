//! Reads the whole table once: reports the items that Instep could not handle, and the quotas that
//! would be exceeded.

use std::collections::hash_map::DefaultHasher;
use std::collections::{BTreeMap, HashMap, HashSet};
use std::hash::{Hash, Hasher as _};

use instep_aws::CallFailure;
use instep_aws::as_created;
use instep_flow::decode::{Decoded, decode};
use instep_flow::{bookkeeping, implied, mask};
use instep_model::{Item, Model, Object};

use crate::Doctor;
use crate::examine::{POOL_GROUPS_MAX, USER_GROUPS_MAX, quota};
use crate::verify::CheckResult;

const OF: &str = "scan";

/// The maximum keys that are shown of items with the same error.
const EXAMPLES_MAX: usize = 3;

/// The counts of a table.
#[derive(Debug, Default)]
struct ScanCounts {
    items: usize,
    /// The reasons for which items would be parked, with the number of items and some keys.
    rejects: BTreeMap<(&'static str, String), (usize, Vec<String>)>,
    /// The hashes of the groups that would exist. Names are not kept.
    groups: HashSet<u64>,
    /// The number of groups of each user, by the hash of the user.
    memberships: HashMap<u64, usize>,
    /// How many bookkeeping items were written under a model with other identities.
    of_another_model: usize,
    capacity: f64,
}

impl Doctor<'_> {
    pub(crate) async fn scan(&self) -> Vec<CheckResult> {
        let mut counts = ScanCounts::default();
        let mut from = None;
        loop {
            let page = match self.instep.scan_page(from, None).await {
                Ok(page) => page,
                Err(failure) => return vec![failed(&self.settings.table, &failure)],
            };
            counts.capacity += page.capacity;
            for item in page.items {
                counts.item(self.model, item);
            }
            from = page.next;
            if from.is_none() {
                return counts.findings();
            }
        }
    }
}

fn failed(table: &str, failure: &CallFailure) -> CheckResult {
    CheckResult::of_failure(OF, "Scan", table, failure)
}

impl ScanCounts {
    /// Counts an item as if it had just been written.
    fn item(&mut self, model: &Model, item: Item) {
        self.items += 1;
        self.of_another_model += usize::from(bookkeeping::is_of_another_model(model, &item));
        let Some(record) = as_created(model, &item) else { return };
        match decode(model, None, &record) {
            Ok(Decoded::Change(change)) => self.implied(model, &change.object, &item),
            Ok(Decoded::Bookkeeping(_) | Decoded::Nothing(_)) => {}
            Err(reject) => {
                let (count, keys) = self.rejects.entry((reject.code, reject.reason)).or_default();
                *count += 1;
                if keys.len() < EXAMPLES_MAX {
                    keys.extend(model.table.key_of(&item).and_then(|key| mask::key(model, &key)));
                }
            }
        }
    }

    fn implied(&mut self, model: &Model, object: &Object, item: &Item) {
        let counting = implied::active_groups(model, object, item);
        let groups = implied::groups(model, object).into_iter();
        let groups = groups.filter(|(rule, _)| counting.get(*rule) == Some(&true));
        self.groups.extend(groups.map(|(_, group)| hash(&group)));
        for membership in implied::memberships(model, object, item) {
            self.groups.insert(hash(&membership.group));
            *self.memberships.entry(hash(&membership.user)).or_default() += 1;
        }
    }

    fn findings(self) -> Vec<CheckResult> {
        let message = format!("{} items read, {} capacity units used", self.items, self.capacity);
        let mut found = vec![CheckResult::fine(OF, message)];
        for ((code, reason), (count, keys)) in self.rejects {
            let items = if count == 1 { "item" } else { "items" };
            let such = if keys.is_empty() { String::new() } else { format!(" [{}]", keys.join("; ")) };
            let message = format!("{count} {items} would be parked ({code}): {reason}{such}");
            found.push(CheckResult::wrong(OF, message, "fix the items, or the model"));
        }
        if self.of_another_model > 0 {
            let message = format!(
                "{} of Instep's own items were written under a model with other item types, or other names in keys",
                self.of_another_model
            );
            let fix = "run `instep check` with `--against` the model before, and follow its steps";
            found.push(CheckResult::note(OF, message, fix));
        }
        found.push(quota(OF, "groups would be in the pool", self.groups.len(), POOL_GROUPS_MAX));
        let most = self.memberships.values().copied().max().unwrap_or_default();
        let over = self.memberships.values().filter(|count| **count > USER_GROUPS_MAX).count();
        if over > 0 {
            let users = if over == 1 { "user" } else { "users" };
            let message = format!("{over} {users} would be in more than {USER_GROUPS_MAX} groups, one in {most}");
            found.push(CheckResult::wrong(OF, message, "Cognito refuses more: grant fewer roles, or in wider scopes"));
        }
        found
    }
}

fn hash(name: &String) -> u64 {
    let mut hasher = DefaultHasher::new();
    name.hash(&mut hasher);
    hasher.finish()
}
