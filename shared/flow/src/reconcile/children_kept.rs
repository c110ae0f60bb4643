//! Children of an item that was written again before Instep handled its deletion.

use std::collections::{BTreeMap, BTreeSet};

use instep_model::{Object, TypeId};

use super::Pass;
use super::finding::FindingKind;
use super::pages::FirstPage;
use crate::bookkeeping;
use crate::entries::Entries;
use crate::known::{Known, all};
use crate::plan::Mentions;
use crate::queries::Presence;
use crate::work::Extent;
use crate::written::was_written_since;

impl Pass<'_> {
    /// Says how many children an object has that was written again before this run, the first one over its deletion. They
    /// stay: at most the items themselves say which of them are of the earlier item. So people should know. One page of
    /// each query is counted.
    pub(super) fn count_children_kept(&mut self, object: &Object, mentions: &Mentions) -> Known<()> {
        let Some(removal) = mentions.last_removal() else { return Ok(()) };
        let queries = self.queries(object, Presence::Deleted, Extent::All);
        if queries.is_empty() {
            return Ok(());
        }
        // Otherwise an earlier run has deleted the children, and these were written since.
        let tombstone = self.view.item(&bookkeeping::tombstone_key(self.model, object));
        let has_begun = tombstone?.and_then(bookkeeping::removed_at).is_some_and(|noted| noted >= removal.at);
        if has_begun {
            return Ok(());
        }
        let pages: Vec<_> = all(queries, |query| {
            let Some(FirstPage { found, is_cut }) = self.first_dependents(object, query)? else { return Ok(None) };
            let link = self.model.link(query.link);
            let earlier = found.into_iter().filter(|(_, item)| !was_written_since(item, &link.written, removal.at));
            Ok(Some((link.from, earlier.map(|(child, _)| child).collect::<Vec<_>>(), is_cut)))
        })?;
        let removals = mentions.changes.iter().filter(|delivered| delivered.change.new.is_none());
        let entries: Entries = removals.map(|delivered| delivered.entry).next_back().into_iter().collect();
        let mut by_type: BTreeMap<TypeId, (BTreeSet<Object>, bool)> = BTreeMap::new();
        for (of, found, is_cut) in pages.into_iter().flatten() {
            let known = by_type.entry(of).or_default();
            known.0.extend(found);
            known.1 |= is_cut;
        }
        for (of, (children, is_cut)) in by_type.into_iter().filter(|(_, (children, _))| !children.is_empty()) {
            self.say_kept(object, (of, children.len(), is_cut), &entries);
        }
        Ok(())
    }

    fn say_kept(&mut self, object: &Object, (of, count, is_cut): (TypeId, usize, bool), entries: &Entries) {
        let (name, at_least) = (&self.model.item(of).name, if is_cut { "at least " } else { "" });
        let why = format!(
            "{at_least}{count} {name} of {} stay: it was written again before its deletion was handled",
            self.label(object)
        );
        let count = u64::try_from(count).unwrap_or(u64::MAX);
        self.finding(entries, FindingKind::ChildrenKept, of, &why, count);
    }
}
