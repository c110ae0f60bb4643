//! One page of what depends on an object: goes where the object is gone, is ensured where it is there.

use std::collections::BTreeSet;

use instep_model::{Find, Item, Key, LinkId, Model, Object};

use super::{Context, Settled, Settling, belonging};
use crate::effect::{Action, Check};
use crate::plan::Seen;
use crate::truth::{Found, Truth};
use crate::{bookkeeping, find, read};

/// What a page of rows asks for.
#[derive(Debug, Default)]
pub struct Page {
    /// Where the object is gone: what is deleted, to be packed into transactions with a check that the object still is gone.
    pub units: Vec<Unit>,
    /// Where the object is there: what is ensured.
    pub settled: Settled,
    /// Where the object is there: the items behind the rows, as they were looked at.
    pub items: BTreeSet<(Object, Item)>,
}

/// Deletions that belong together.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Unit {
    /// What goes, for people.
    pub target: String,
    /// What must hold.
    pub checks: Vec<Check>,
    /// What is deleted.
    pub actions: Vec<Action>,
}

/// The checks that an object still is gone.
#[must_use]
pub fn still_gone(model: &Model, object: &Object) -> Vec<Check> {
    belonging::absent(model, object)
}

/// What a page of the rows behind `link` asks for, `object` being gone or there.
#[must_use]
pub fn page(
    model: &Model,
    truth: &Truth,
    context: &Context,
    link: LinkId,
    object: &Object,
    gone: bool,
    rows: &[Item],
) -> Page {
    let mut settling = Settling::new(model, truth, context);
    let mut units = Vec::new();
    let mut items = BTreeSet::new();
    for row in rows {
        let Some((key, from, item)) = settling.row(link, object, row) else { continue };
        if gone {
            if let Some((checks, actions)) = settling.take(link, &from, &key, &item) {
                let target = settling.label(&from);
                units.push(Unit { target, checks, actions });
            }
        } else {
            settling.object(&from, &refresh(None));
            items.insert((from, item));
        }
    }
    Page { units, settled: settling.finish(), items }
}

/// What the items of a page ask for when they are looked at again, and what they are now: one that went or changed meanwhile has
/// undone what it gave, as it was at whichever look.
#[must_use]
pub fn again(
    model: &Model,
    truth: &Truth,
    context: &Context,
    items: &BTreeSet<(Object, Item)>,
) -> (Settled, BTreeSet<(Object, Item)>) {
    let mut settling = Settling::new(model, truth, context);
    let mut now = BTreeSet::new();
    for (object, was) in items {
        settling.object(object, &refresh(Some(was.clone())));
        if let Found::Present(_, item) = settling.view.object(object) {
            now.insert((object.clone(), item.clone()));
        }
    }
    (settling.finish(), now)
}

/// What an object that is there asks for by itself: its user, its groups, and what it is a member of, by now and as it was at whichever look.
/// And what it is now, where it still is there.
#[must_use]
pub fn itself(
    model: &Model,
    truth: &Truth,
    context: &Context,
    object: &Object,
    items: &BTreeSet<(Object, Item)>,
) -> (Settled, BTreeSet<(Object, Item)>) {
    let mut settling = Settling::new(model, truth, context);
    let mut now = BTreeSet::new();
    match settling.view.object(object) {
        Found::Present(_, item) => {
            now.insert((object.clone(), item.clone()));
            settling.itself(object);
        }
        Found::Absent if model.item(object.of).assumed.contains(&object.names) => settling.itself(object),
        Found::Absent => settling.unmake(object),
        Found::Unseen => {}
    }
    for was in items.iter().map(|(_, was)| Some(was.clone())).chain([None]) {
        settling.object(object, &refresh(was));
    }
    (settling.finish(), now)
}

/// Seen for no change of its own.
fn refresh<'a>(was: Option<Item>) -> Seen<'a> {
    Seen { changes: Vec::new(), refresh: BTreeSet::from([0]), was }
}

impl Settling<'_> {
    /// The item behind a row, where it depends on `object` in truth.
    fn row(&mut self, id: LinkId, object: &Object, row: &Item) -> Option<(Key, Object, Item)> {
        let model = self.model;
        let link = model.link(id);
        let (key, from, item) = if matches!(link.find, Find::BackReference) {
            let from = bookkeeping::object(model, row)?;
            match self.view.object(&from) {
                Found::Present(key, item) => (key, from, item.clone()),
                // What refers no longer does: its own removal takes the back-reference away.
                Found::Absent | Found::Unseen => return None,
            }
        } else {
            let (key, from) = find::identify(model, row)?;
            (key, from, row.clone())
        };
        let known = find::as_known(link, object);
        (from.of == link.from && read::target(model, id, &from, Some(&item)).as_ref() == Some(&known))
            .then_some((key, from, item))
    }
}
