//! A page of the dependents of an object: deleted in transactions, or sent to the work queue in a
//! message.

use instep_model::{Item, Key, LinkId, Object, Way};

use super::Pass;
use super::refusal::Refusal;
use crate::answers::{Cursor, PageAsk};
use crate::effect::{Aside, DeletePage, Effect, JointDeletion};
use crate::entries::Entries;
use crate::known::{Known, all};
use crate::queries::{self, LinkQuery};
use crate::work::{self, Dependents, Extent, NamedObject, PageCursor, Which};
use crate::{bookkeeping, implied};

/// The maximum number of rows in a page that is deleted. A transaction has at most 100 actions and
/// checks. With usual checks, such as that the parent does not exist, a page is one transaction.
const DELETED_ROWS: usize = 96;

/// The maximum number of rows in a page that is sent to the work queue: those that fit into one
/// message.
const SENT_ROWS: usize = work::OBJECTS_MAX;

/// Where a run continues in the dependents of an object.
#[derive(Debug)]
pub(super) struct PageStart {
    /// The query.
    pub(super) query: LinkQuery,
    /// The row to continue after.
    pub(super) after: Option<Cursor>,
    /// The links by which it looks.
    pub(super) extent: Extent,
}

/// The first page of what depends on an object.
pub(super) struct FirstPage<'a> {
    pub(super) found: Vec<(Object, &'a Item)>,
    /// There are more pages.
    pub(super) is_cut: bool,
}

impl<'a> Pass<'a> {
    /// Deletes a page, unless it is too late to tell what was written since the deletion.
    pub(super) fn delete_page(
        &mut self,
        object: &Object,
        start: PageStart,
        is_live: bool,
        entries: &Entries,
    ) -> Known<()> {
        let PageStart { query, after, extent } = start;
        let id = query.link;
        let Some(ask) = self.page_ask(object, query, after, DELETED_ROWS) else { return Ok(()) };
        let page = self.view.page(&ask)?;
        // INVARIANT 2: no grant is deleted with a subject that Instep deleted because it found no
        // grant, even if Instep deletes the subject only after this run has read the tombstone.
        let mut checks = super::children::absent(self.model, object);
        if self.is_last_link(id, self.model.link(id).from) {
            if self.kept_item(object)?.is_some() {
                return self.restore_if_granted(object, entries).map(drop);
            }
            checks.push(self.same_tombstone(object)?);
        }
        let is_deleted = self.progress.deleted_pages.contains(&ask);
        // A guard that others claim is released in each pass, until none of the rows names its owner.
        if !is_deleted || self.model.is_of_owner(self.model.link(id)) {
            let units = self.units_of_page(object, query, &page.rows, entries)?;
            if is_deleted {
                // What the query shows since belongs to the next page.
            } else if !is_live {
                // INVARIANT 2: nobody can tell which of them were written since. A sweep lists those of both kinds.
                if !units.is_empty() || page.next.is_some() {
                    self.refuse(entries, Refusal::LateCascade);
                }
                return Ok(());
            } else if !units.is_empty() {
                let target = self.label(object);
                self.add_effect(
                    Effect::DeletePage(DeletePage { target, link: Aside(id), page: ask, checks, units }),
                    entries,
                );
            }
        }
        self.continue_after(object, query, page.next.clone(), extent, entries);
        Ok(())
    }

    /// What is deleted with an object, for each dependent in some rows.
    fn units_of_page(
        &mut self,
        object: &Object,
        query: LinkQuery,
        rows: &'a [Item],
        entries: &Entries,
    ) -> Known<Vec<JointDeletion>> {
        let id = query.link;
        let units: Vec<Vec<Option<JointDeletion>>> = all(rows, |row| {
            all(self.dependents_of_row(query, object, row)?, |(key, from, item)| {
                // It may have a next owner, who gets it at once.
                if self.guards.contains_key(&from) && self.model.is_of_owner(self.model.link(id)) {
                    self.release_of_deleted(&from, object, entries);
                    return Ok(None);
                }
                let expect = self.as_linked(id, &from, item);
                let deletion = self.deletion(id, &from, &key, item, expect, entries)?;
                Ok(deletion.map(|(checks, actions)| JointDeletion { target: self.label(&from), checks, actions }))
            })
        })?;
        Ok(units.into_iter().flatten().flatten().collect())
    }

    pub(super) fn send_page(&mut self, object: &Object, start: PageStart, entries: &Entries) -> Known<()> {
        let PageStart { query, after, extent } = start;
        let model = self.model;
        let Some(ask) = self.page_ask(object, query, after, SENT_ROWS) else { return Ok(()) };
        let page = self.view.page(&ask)?;
        let found: Vec<_> = all(&page.rows, |row| self.dependents_of_row(query, object, row))?;
        let found = found.iter().flatten().filter(|(_, from, item)| !self.is_in_hand(from, item));
        let named =
            found.map(|(_, from, item)| NamedObject::new(model, from, Some(implied::needed_image(model, from, item))));
        let named: Vec<NamedObject> = named.collect();
        if !named.is_empty() {
            self.add_effect(Effect::SendObjects(named), entries);
        }
        self.continue_after(object, query, page.next.clone(), extent, entries);
        Ok(())
    }

    /// The items on the first page of a query that depend on an object. `None`: they cannot be queried.
    pub(super) fn first_dependents(&mut self, object: &Object, query: LinkQuery) -> Known<Option<FirstPage<'a>>> {
        let Some(ask) = self.page_ask(object, query, None, DELETED_ROWS) else { return Ok(None) };
        let page = self.view.page(&ask)?;
        let found: Vec<_> = all(&page.rows, |row| self.dependents_of_row(query, object, row))?;
        let found = found.into_iter().flatten().map(|(_, from, item)| (from, item)).collect();
        Ok(Some(FirstPage { found, is_cut: page.next.is_some() }))
    }

    fn continue_after(
        &mut self,
        object: &Object,
        query: LinkQuery,
        next: Option<Cursor>,
        extent: Extent,
        entries: &Entries,
    ) {
        if let Some(after) = next {
            let next = Which::From(PageCursor::new(self.model, query, after));
            self.add_effect(Effect::SendDependents(Dependents::of(self.model, object, next, extent)), entries);
        }
    }

    fn page_ask(&self, object: &Object, query: LinkQuery, after: Option<Cursor>, rows_max: usize) -> Option<PageAsk> {
        Some(PageAsk { query: queries::query(self.model, query, object)?, after, rows_max })
    }

    /// All rows of the items that depend on an object. `None`: they cannot be queried.
    pub(super) fn dependents_of(&mut self, link: LinkId, object: &Object) -> Known<Option<Vec<&'a Item>>> {
        queries::dependents_of(&mut self.view, self.model, link, object)
    }

    /// Whether an object has more dependents over a link than a run reads.
    pub(super) fn has_unread_dependents(&self, link: LinkId, object: &Object) -> bool {
        let mut queries =
            queries::queries(self.model, link).filter_map(|query| queries::query(self.model, query, object));
        queries.any(|query| self.view.is_cut(&query))
    }

    /// The items of a row that depend on `object`.
    fn dependents_of_row(
        &mut self,
        query: LinkQuery,
        object: &Object,
        row: &'a Item,
    ) -> Known<Vec<(Key, Object, &'a Item)>> {
        let model = self.model;
        let id = query.link;
        let link = model.link(id);
        let mut found: Vec<(Key, Object, &'a Item)> = if model.ways(id).nth(query.nth) == Some(Way::BackReference) {
            let Some(from) = bookkeeping::object(model, row) else { return Ok(Vec::new()) };
            // If the referring item is deleted, its own record deletes the back-reference.
            self.view.items(&from)?.into_iter().map(|(key, item)| (key, from.clone(), item)).collect()
        } else {
            let Some((key, from)) = queries::identify(model, row) else { return Ok(Vec::new()) };
            if !queries::is_by_index(model, query) {
                vec![(key, from, row)]
            } else if queries::is_in_table_query(model, id, object, &key) {
                return Ok(Vec::new());
            } else {
                // An index may show an item late, or only some of its attributes.
                self.view.item(&key)?.map(|item| (key, from, item)).into_iter().collect()
            }
        };
        let known = queries::as_known(link, object);
        found.retain(|(_, from, item)| self.depends_on(id, &known, from, item));
        Ok(found)
    }

    /// Whether an item depends over a link on an object that it knows by these names. A query may also find
    /// what depends on others. The object may have a key that is not canonical: what an earlier model let depend on it
    /// is deleted with it.
    pub(super) fn depends_on(&self, id: LinkId, known: &Object, from: &Object, item: &Item) -> bool {
        from.of == self.model.link(id).from && implied::named_targets(self.model, id, from, Some(item)).contains(known)
    }
}
