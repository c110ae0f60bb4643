//! Pending claims that get their values.

use std::collections::BTreeMap;

use instep_model::{BOOKKEEPING_ATTRIBUTE, BOOKKEEPING_PREFIX, Identity, Item, Key, Names, Object, Value, Verb};

use super::Watch;
use crate::implied::DueEvent;
use crate::table::Written;

/// The start of the partition keys of pending claims.
const CLAIMS: &str = "CLAIM#";

impl Watch {
    /// The guards that one call writes, and of which it ends the pending claim of the owner that they name: the events
    /// that must follow.
    pub(super) fn resolved(&self, writes: &[Written]) -> BTreeMap<Key, DueEvent> {
        let model = &self.implied.model;
        let ended: Vec<(Object, Object)> = writes.iter().filter_map(|write| self.ended_claim(write)).collect();
        let named = writes.iter().filter(|_| !ended.is_empty()).filter_map(|write| {
            let Identity::Item { object, canonical } = model.identify(&write.key) else { return None };
            let owner = self.implied.row(object.clone(), canonical, write.new.clone()?).owner?;
            Some((write.key.clone(), (object, owner)))
        });
        named
            .filter(|(_, claim)| ended.contains(claim) && model.item(claim.1.of).publish.contains(&Verb::Resolved))
            .map(|(key, (_, owner))| (key, (Verb::Resolved, Some(names_text(&owner.names)))))
            .collect()
    }

    /// The guard and the owner of a pending claim that a write deletes.
    fn ended_claim(&self, write: &Written) -> Option<(Object, Object)> {
        write.key.pk.strip_prefix(BOOKKEEPING_PREFIX)?.strip_prefix(CLAIMS)?;
        let old = write.old.as_ref().filter(|_| write.new.is_none())?;
        Some((self.named_in(old, "guard", "guardNames")?, self.named_in(old, "of", "names")?))
    }

    fn named_in(&self, item: &Item, of: &str, names: &str) -> Option<Object> {
        let Some(Value::M(fields)) = item.get(BOOKKEEPING_ATTRIBUTE) else { return None };
        let Some(Value::M(names)) = fields.get(names) else { return None };
        let of = self.implied.model.type_named(fields.get(of)?.as_s()?)?;
        let names = names.iter().map(|(name, value)| Some((name.clone(), value.as_s()?.to_owned())));
        Some(Object { of, names: names.collect::<Option<Names>>()? })
    }
}

/// The names of an owner, as an event's `data.keys` has them.
pub(super) fn names_text(names: &Names) -> String {
    names.iter().map(|(name, value)| format!("{name}={value}")).collect::<Vec<_>>().join("&")
}
