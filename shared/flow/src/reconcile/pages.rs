//! A page of the dependents of an object: deleted in transactions, or sent to the work queue in a
//! message.

use std::collections::BTreeSet;

use instep_model::{Find, Item, Key, LinkId, Object};

use super::Reconciling;
use super::refusal::Refusal;
use crate::effect::{DeletePage, Effect, Unit};
use crate::find::{self, LinkQuery};
use crate::reads::{Cursor, PageAsk};
use crate::work::{self, Dependents, NamedObject, Place};
use crate::{bookkeeping, read};

/// The maximum number of rows in a page that is deleted. A transaction has at most 100 actions and
/// checks. With usual checks, such as that the parent does not exist, a page is one transaction.
const DELETED_ROWS: usize = 96;

/// The maximum number of rows in a page that is sent to the work queue: those that fit into one
/// message.
const HANDED_ON_ROWS: usize = work::OBJECTS_MAX;

/// Where a run continues in the dependents of an object.
#[derive(Debug)]
pub(super) struct Start {
    /// The query.
    pub(super) query: LinkQuery,
    /// The row to continue after.
    pub(super) after: Option<Cursor>,
    /// The index has caught up.
    pub(super) late: bool,
}

impl<'a> Reconciling<'a> {
    /// Deletes a page, unless it is too late to tell what was written since the deletion.
    pub(super) fn delete_page(&mut self, object: &Object, start: Start, is_live: bool, places: &BTreeSet<usize>) {
        let Start { query, after, late } = start;
        let id = query.link;
        let Some(ask) = self.page_ask(object, query, after, DELETED_ROWS) else { return };
        let Some(page) = self.view.page(&ask) else { return };
        // INVARIANT 2: no grant is deleted with a subject that Instep deleted because it found no
        // grant, even if Instep deletes the subject only after this run has read the tombstone.
        let mut checks = super::belonging::absent(self.model, object);
        if self.is_last_link(id, self.model.link(id).from) {
            match self.kept_item(object) {
                None => return,
                Some(Some(_)) => {
                    let _ = self.restore_if_granted(object, places);
                    return;
                }
                Some(None) => checks.extend(self.same_tombstone(object)),
            }
        }
        if !self.memory.deleted_pages.contains(&ask) {
            let Some(units) = self.units_of_page(object, query, &page.rows, places) else { return };
            if !is_live {
                // INVARIANT 2: nobody can tell which of them were written since. A sweep lists those of both kinds.
                if !units.is_empty() || page.next.is_some() {
                    self.refuse(places, Refusal::LateCascade);
                }
                return;
            }
            if !units.is_empty() {
                let target = self.label(object);
                self.add_effect(Effect::DeletePage(DeletePage { target, page: ask, checks, units }), places);
            }
        }
        self.continue_after(object, query, page.next.clone(), late, places);
    }

    /// What is deleted with an object, for each dependent in some rows. `None` if more must be read first.
    fn units_of_page(
        &mut self,
        object: &Object,
        query: LinkQuery,
        rows: &[Item],
        places: &BTreeSet<usize>,
    ) -> Option<Vec<Unit>> {
        let id = query.link;
        let (mut units, mut known) = (Vec::new(), true);
        for row in rows {
            let Some(found) = self.dependents_of_row(query, object, row) else {
                known = false;
                continue;
            };
            for (key, from, item) in found {
                let expect = self.as_linked(id, &from, &item);
                match self.deletion(id, &from, (&key, &item), expect, places) {
                    None => known = false,
                    Some(None) => {}
                    Some(Some((checks, actions))) => {
                        units.push(Unit { target: self.label(&from), checks, actions });
                    }
                }
            }
        }
        known.then_some(units)
    }

    pub(super) fn hand_on_page(
        &mut self,
        object: &Object,
        query: LinkQuery,
        after: Option<Cursor>,
        late: bool,
        places: &BTreeSet<usize>,
    ) {
        let model = self.model;
        let Some(ask) = self.page_ask(object, query, after, HANDED_ON_ROWS) else { return };
        let Some(page) = self.view.page(&ask) else { return };
        let (mut named, mut known) = (Vec::new(), true);
        for row in &page.rows {
            let Some(found) = self.dependents_of_row(query, object, row) else {
                known = false;
                continue;
            };
            for (_, from, item) in found.iter().filter(|(_, from, item)| !self.is_in_hand(from, item)) {
                let image = read::needed_image(model, from, item);
                named.push(NamedObject::new(model, from, Some(image)));
            }
        }
        if !known {
            return;
        }
        if !named.is_empty() {
            self.add_effect(Effect::HandOn(named), places);
        }
        self.continue_after(object, query, page.next.clone(), late, places);
    }

    fn continue_after(
        &mut self,
        object: &Object,
        query: LinkQuery,
        next: Option<Cursor>,
        late: bool,
        places: &BTreeSet<usize>,
    ) {
        if let Some(after) = next {
            let place = Some(Place::new(self.model, query, after));
            self.add_effect(Effect::Continue(Dependents { place, late, ..Dependents::of(self.model, object) }), places);
        }
    }

    fn page_ask(&self, object: &Object, query: LinkQuery, after: Option<Cursor>, rows_max: usize) -> Option<PageAsk> {
        Some(PageAsk { query: find::query(self.model, query, object)?, after, rows_max })
    }

    /// All rows of the items that depend on an object. The inner `None` means that they cannot be
    /// queried, the outer `None` that more must be read first.
    pub(super) fn dependents_of(&mut self, link: LinkId, object: &Object) -> Option<Option<Vec<&'a Item>>> {
        let queries: Vec<LinkQuery> = find::queries(self.model, link).collect();
        let queries: Option<Vec<_>> = queries.iter().map(|query| find::query(self.model, *query, object)).collect();
        let Some(queries) = queries.filter(|queries| !queries.is_empty()) else { return Some(None) };
        let rows: Vec<Option<&'a [Item]>> = queries.iter().map(|query| self.view.rows(query)).collect();
        let rows: Option<Vec<&'a [Item]>> = rows.into_iter().collect();
        rows.map(|rows| Some(rows.into_iter().flatten().collect()))
    }

    /// Whether an object has more dependents over a link than a run reads.
    pub(super) fn has_unread_dependents(&self, link: LinkId, object: &Object) -> bool {
        let mut queries = find::queries(self.model, link).filter_map(|query| find::query(self.model, query, object));
        queries.any(|query| self.view.is_cut(&query))
    }

    /// The items of a row that depend on `object`. `None` if more must be read first.
    fn dependents_of_row(&mut self, query: LinkQuery, object: &Object, row: &Item) -> Option<Vec<(Key, Object, Item)>> {
        let model = self.model;
        let id = query.link;
        let link = model.link(id);
        let found: Vec<(Key, Object, Item)> = if matches!(link.find, Find::BackReference) {
            let Some(from) = bookkeeping::object(model, row) else { return Some(Vec::new()) };
            // If the referring item is deleted, its own record deletes the back-reference.
            let items = self.view.items(&from)?;
            items.into_iter().map(|(key, item)| (key, from.clone(), item.clone())).collect()
        } else {
            let Some((key, from)) = find::identify(model, row) else { return Some(Vec::new()) };
            if !find::is_by_index(model, query) {
                vec![(key, from, row.clone())]
            } else if find::is_in_table_query(model, id, object, &key) {
                return Some(Vec::new());
            } else {
                // An index may show an item late, or only some of its attributes.
                let item = self.view.item(&key)?;
                item.map(|item| (key, from, item.clone())).into_iter().collect()
            }
        };
        let known = find::as_known(link, object);
        Some(found.into_iter().filter(|(_, from, item)| self.depends_on(id, &known, from, item)).collect())
    }

    /// Whether an item depends over a link on an object that it knows by these names. A query may also find
    /// what depends on others. The object may have a key that is not canonical: what an earlier model let depend on it
    /// is deleted with it.
    pub(super) fn depends_on(&self, id: LinkId, known: &Object, from: &Object, item: &Item) -> bool {
        from.of == self.model.link(id).from && read::named_targets(self.model, id, from, Some(item)).contains(known)
    }
}
