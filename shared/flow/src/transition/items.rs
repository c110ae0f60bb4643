//! What differs in the table, and for subscribers.

use std::collections::{BTreeMap, BTreeSet};

use instep_model::{ExtraPolicy, Key};

use super::{Compared, FoundText, TransitionKind};
use crate::bookkeeping::BookkeepingKind;
use crate::meaning::{ItemMeaning, MeantGrant};
use crate::sweep::is_guard;

impl Compared<'_> {
    pub(super) fn items(&mut self) {
        self.handled();
        self.lifetimes();
        self.guards_of_owners();
        self.orphans();
        self.own_items();
        self.events();
        self.last_grants();
    }

    /// What both models say of each item.
    fn meanings(&self) -> impl Iterator<Item = (&Key, &ItemMeaning, &ItemMeaning)> {
        let new = &self.new.1.meanings;
        self.old.1.meanings.iter().filter_map(|(key, was)| Some((key, was, new.get(key)?)))
    }

    /// Which items' records are handled.
    fn handled(&mut self) {
        let mut found = Vec::new();
        for (key, was, is) in self.meanings() {
            if was.item.is_some() && was.item == is.item && !was.names.keys().eq(is.names.keys()) {
                found.push((TransitionKind::RenamedNames, "", self.key(key)));
            }
            match (was.refused, is.refused) {
                (None, Some(why)) => found.push((TransitionKind::Parked, why, self.key(key))),
                (Some(why), None) => found.push((TransitionKind::Handled, why, self.key(key))),
                (Some(_), Some(_)) | (None, None) => {}
            }
        }
        found.into_iter().for_each(|(kind, why, key)| self.found.add_because(kind, why, key));
    }

    /// Which items are deleted with what they depend on.
    fn lifetimes(&mut self) {
        let labels: BTreeSet<&String> = self.new.1.meanings.values().map(|meaning| &meaning.label).collect();
        let mut found = Vec::new();
        for (key, was, is) in self.meanings() {
            for (label, before) in &was.depends_on {
                let after = is.depends_on.get(label);
                let text = || self.key(key).then(&format!(" with its {}", before.on));
                if before.goes() && !after.is_some_and(|after| after.goes()) {
                    found.push((TransitionKind::Stays, text()));
                } else if before.found_by.is_some() && after.is_none_or(|after| after.found_by.is_none()) {
                    found.push((TransitionKind::Unfound, text()));
                }
            }
            for (label, after) in is.depends_on.iter().filter(|(_, after)| after.goes()) {
                let went = was.depends_on.get(label).is_some_and(|before| before.goes());
                if !went && was.refused.is_none() && labels.contains(label) {
                    found.push((TransitionKind::Goes, self.key(key).then(&format!(" with its {}", after.on))));
                }
            }
        }
        found.into_iter().for_each(|(kind, text)| self.found.add(kind, text));
    }

    /// Which guards are released with their owners.
    fn guards_of_owners(&mut self) {
        let mut found = Vec::new();
        for (_, was, is) in self.meanings() {
            let owner = was.item.as_deref().unwrap_or_default();
            let lost = was.claims.difference(&is.claims).filter(|guard| self.table.has(guard));
            found.extend(lost.map(|guard| self.key(guard).then(&format!(" with its {owner}"))));
        }
        found.into_iter().for_each(|text| self.found.add(TransitionKind::Stays, text));
    }

    fn orphans(&mut self) {
        let (old, new) = (&self.old.1, &self.new.1);
        let is_swept = self.old.0.orphans == ExtraPolicy::Report && self.new.0.orphans == ExtraPolicy::Remove;
        for key in &new.orphans {
            if is_swept {
                self.found.add(TransitionKind::SweptOrphans, self.key(key));
            } else if !old.orphans.contains(key) {
                self.found.add(TransitionKind::Orphans, self.key(key));
            }
        }
    }

    /// What Instep writes: its own items, guards, and attributes of others' items.
    fn own_items(&mut self) {
        let (old, new, table) = (&self.old.1, &self.new.1, self.table);
        for key in new.puts.difference(&old.puts) {
            if let Some(kind) = kind_of_put(key, table.has(key)) {
                self.found.add(kind, self.key(key));
            }
        }
        for key in new.deletes.difference(&old.deletes) {
            let kind = match BookkeepingKind::of(key) {
                None if is_guard(self.new.0, key) => Some(TransitionKind::LeftClaims),
                None => Some(TransitionKind::DeletedItems),
                Some(kind) => kind_of_left(kind),
            };
            if let Some(kind) = kind {
                self.found.add(kind, self.key(key));
            }
        }
        // Of these, the new model may not even know the type.
        let wanted: BTreeSet<&Key> = new.meanings.values().flat_map(|meaning| &meaning.own).collect();
        let noted = old.meanings.values().flat_map(|meaning| &meaning.own);
        for key in noted.filter(|key| table.has(key) && !wanted.contains(key)) {
            if let Some(kind) = BookkeepingKind::of(key).and_then(kind_of_left) {
                self.found.add(kind, self.key(key));
            }
        }
        for key in new.sets.difference(&old.sets) {
            self.found.add(TransitionKind::Written, self.key(key));
        }
        for key in new.group_entries.iter().filter(|key| !table.has(key)) {
            self.found.add(TransitionKind::NewGroupEntries, self.key(key));
        }
        for key in old.group_entries.difference(&new.group_entries).filter(|key| table.has(key)) {
            self.found.add(TransitionKind::LeftGroupEntries, self.key(key));
        }
    }

    /// What no event tells, and what events call something else.
    fn events(&mut self) {
        let mut found = Vec::new();
        for (key, was, is) in self.meanings().filter(|(_, was, is)| was.refused.is_none() && is.refused.is_none()) {
            if was.event.is_some() && is.event.is_some() && was.event != is.event {
                found.push((TransitionKind::RenamedInEvents, self.key(key)));
            }
            for MeantGrant { subject, scope, role } in was.grants.symmetric_difference(&is.grants) {
                let role = role.as_ref().map(|role| format!(" as {role}")).unwrap_or_default();
                let scope = scope.as_ref().map(|scope| format!(" in {scope}")).unwrap_or_default();
                found.push((TransitionKind::Untold, self.object(subject).then(&format!("{scope}{role}"))));
            }
        }
        found.into_iter().for_each(|(kind, text)| self.found.add(kind, text));
    }

    /// Which subjects the last revocation deletes, as only the new model says.
    fn last_grants(&mut self) {
        let has_last = |model: &instep_model::Model, item: &str| {
            let of = model.type_named(item).map(|of| model.item(of));
            of.and_then(|of| of.grant.as_ref()).is_some_and(|grant| grant.last.is_some())
        };
        let mut grants: BTreeMap<&String, usize> = BTreeMap::new();
        for (_, was, is) in self.meanings().filter(|(_, _, is)| is.refused.is_none()) {
            let (before, now) = (was.item.as_deref().unwrap_or_default(), is.item.as_deref().unwrap_or_default());
            if has_last(self.new.0, now) && !has_last(self.old.0, before) {
                let subjects: BTreeSet<&String> = is.grants.iter().map(|grant| &grant.subject).collect();
                subjects.into_iter().for_each(|subject| *grants.entry(subject).or_default() += 1);
            }
        }
        let last: Vec<FoundText> =
            grants.into_iter().filter(|(_, count)| *count == 1).map(|(subject, _)| self.object(subject)).collect();
        last.into_iter().for_each(|subject| self.found.add(TransitionKind::LastGrants, subject));
    }
}

/// What is said of an item that Instep puts under a key.
fn kind_of_put(key: &Key, exists: bool) -> Option<TransitionKind> {
    match BookkeepingKind::of(key) {
        Some(BookkeepingKind::Reference | BookkeepingKind::Address) => Some(TransitionKind::NewReferences),
        Some(BookkeepingKind::Due) => Some(TransitionKind::NewMoments),
        Some(BookkeepingKind::Claim) => Some(TransitionKind::NewClaims),
        Some(
            BookkeepingKind::Tombstone
            | BookkeepingKind::Group
            | BookkeepingKind::Account
            | BookkeepingKind::Limit
            | BookkeepingKind::Model,
        ) => None,
        None if exists => Some(TransitionKind::Written),
        None => Some(TransitionKind::NewGuards),
    }
}

/// What is said of one of Instep's own items that nothing needs.
const fn kind_of_left(kind: BookkeepingKind) -> Option<TransitionKind> {
    match kind {
        BookkeepingKind::Reference | BookkeepingKind::Address => Some(TransitionKind::LeftReferences),
        BookkeepingKind::Due => Some(TransitionKind::LeftMoments),
        BookkeepingKind::Claim => Some(TransitionKind::LeftClaims),
        BookkeepingKind::Tombstone
        | BookkeepingKind::Group
        | BookkeepingKind::Account
        | BookkeepingKind::Limit
        | BookkeepingKind::Model => None,
    }
}
