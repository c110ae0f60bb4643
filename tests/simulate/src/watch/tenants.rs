//! The tenants of events. Subscribers have rules that select by them.

use std::collections::{BTreeMap, BTreeSet};

use instep_model::{Item, Object, Verb};
use serde_json::Value;

use super::Watch;
use crate::implied::TenantSource;

/// What the items of an object said at some time: none if it did not exist then.
type Said = BTreeSet<Option<String>>;

/// For each object, what its items said, and since when, in milliseconds.
pub(super) type SaidTenants = BTreeMap<Object, Vec<(i64, Said)>>;

impl Watch {
    /// Notes what the items of an object say after a write.
    pub(super) fn note_tenant(&mut self, object: &Object, at_ms: i64) {
        if self.implied.model.tenant.is_empty() {
            return;
        }
        let keys = self.spellings.get(object).into_iter().flatten();
        let rows = keys.filter_map(|key| self.implied.rows().get(key));
        let said: Said = rows.map(|row| self.implied.tenant_of(object, Some(&row.item))).collect();
        self.tenants.entry(object.clone()).or_default().push((at_ms, said));
    }

    /// Promise 9: whether an event has a tenant that nothing said while its run went on.
    pub(super) fn of_another_tenant(&self, process: usize, detail: &Value) -> bool {
        let text = |name: &str| detail.pointer(name).and_then(Value::as_str).unwrap_or_default();
        let tenant = detail.pointer("/metadata/tenant").and_then(Value::as_str).map(str::to_owned);
        let is_possible = |object: &Object, image: &Item| self.tenants_of(object, image, process).contains(&tenant);
        if text("/metadata/cause") == "due" {
            // Time did it to one of the images that its item had.
            let writes = self.due.values().filter_map(|due| due.written.as_ref());
            let own = writes.filter(|write| self.item_text(&write.object) == text("/metadata/item"));
            let mut images =
                own.flat_map(|write| write.old.iter().chain(&write.new).map(|image| (&write.object, image)));
            return !images.any(|(object, image)| is_possible(object, image));
        }
        // A claim may be that of another item, and a bad item refers to nothing that can be told.
        let number: u128 = text("/metadata/sequence").parse().unwrap_or_default();
        let is_of_a_claim = [Verb::Conflicted, Verb::Resolved].iter().any(|verb| text("/metadata/verb") == verb.word());
        let due = self.due.get(&number).filter(|due| !due.is_bad && !is_of_a_claim);
        due.and_then(|due| due.written.as_ref()).is_some_and(|write| {
            let is_revoked = text("/metadata/verb") == Verb::Revoked.word();
            let image = write.old.as_ref().filter(|_| is_revoked).or(write.new.as_ref()).or(write.old.as_ref());
            image.is_some_and(|image| !is_possible(&write.object, image))
        })
    }

    /// The tenants that an event of an image may have, if this process publishes it now.
    fn tenants_of(&self, object: &Object, image: &Item, process: usize) -> Said {
        let others = match self.implied.tenant_source(object, image) {
            TenantSource::Record(tenant) => return Said::from([tenant]),
            TenantSource::Items(others) => others,
        };
        let began_ms = self.invocations.get(&process).map_or(i64::MIN, |invocation| invocation.began_ms);
        let mut possible = Said::new();
        for other in others {
            let said = self.said_since(&other, began_ms);
            possible.extend(said.iter().filter(|tenant| tenant.is_some()).cloned());
            let (is_gone, is_assumed) = (self.may_be_gone(&other, began_ms), self.implied.is_assumed(&other));
            if is_gone && !is_assumed {
                possible.insert(None);
            }
            // Another item is asked only if this one exists and says nothing.
            let is_silent = said.contains(&None) || is_gone && is_assumed;
            if !is_silent {
                return possible;
            }
        }
        possible.insert(None);
        possible
    }

    /// What the items of an object said at a moment, or since.
    fn said_since(&self, object: &Object, since_ms: i64) -> Said {
        self.states_since(object, since_ms).flatten().cloned().collect()
    }

    /// Whether an object did not exist at a moment, or at one since.
    fn may_be_gone(&self, object: &Object, since_ms: i64) -> bool {
        self.states_since(object, since_ms).any(BTreeSet::is_empty)
    }

    fn states_since(&self, object: &Object, since_ms: i64) -> impl Iterator<Item = &Said> {
        let all = self.tenants.get(object).map_or(&[][..], Vec::as_slice);
        let before = all.partition_point(|(at_ms, _)| *at_ms < since_ms);
        let never = (before == 0).then_some(&NEVER);
        never.into_iter().chain(all.iter().skip(before.saturating_sub(1)).map(|(_, said)| said))
    }
}

/// Before its first write, no item said anything.
static NEVER: Said = Said::new();
