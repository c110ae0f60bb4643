//! One page of what depends on a thing: goes where the thing is gone, is ensured where it is there.

use std::collections::BTreeSet;

use instep_model::{Find, Item, Key, LinkId, Model, Thing};

use super::{Context, Settled, Settling, belonging};
use crate::effect::{Action, Check};
use crate::plan::Seen;
use crate::truth::{Found, Truth};
use crate::{bookkeeping, find, read};

/// What a page of rows asks for.
#[derive(Debug, Default)]
pub struct Page {
    /// Where the thing is gone: what is deleted, to be packed into transactions with a check that the thing still is gone.
    pub units: Vec<Unit>,
    /// Where the thing is there: what is ensured.
    pub settled: Settled,
    /// Where the thing is there: the items behind the rows, as they were looked at.
    pub items: BTreeSet<(Thing, Item)>,
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

/// The checks that a thing still is gone.
#[must_use]
pub fn still_gone(model: &Model, thing: &Thing) -> Vec<Check> {
    belonging::absent(model, thing)
}

/// What a page of the rows behind `link` asks for, `thing` being gone or there.
#[must_use]
pub fn page(
    model: &Model,
    truth: &Truth,
    context: &Context,
    link: LinkId,
    thing: &Thing,
    gone: bool,
    rows: &[Item],
) -> Page {
    let mut settling = Settling::new(model, truth, context);
    let mut units = Vec::new();
    let mut items = BTreeSet::new();
    for row in rows {
        let Some((key, from, item)) = settling.row(link, thing, row) else { continue };
        if gone {
            if let Some((checks, actions)) = settling.take(link, &from, &key, &item) {
                let target = settling.label(&from);
                units.push(Unit { target, checks, actions });
            }
        } else {
            settling.thing(&from, &refresh(None));
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
    items: &BTreeSet<(Thing, Item)>,
) -> (Settled, BTreeSet<(Thing, Item)>) {
    let mut settling = Settling::new(model, truth, context);
    let mut now = BTreeSet::new();
    for (thing, was) in items {
        settling.thing(thing, &refresh(Some(was.clone())));
        if let Found::Present(_, item) = settling.view.thing(thing) {
            now.insert((thing.clone(), item.clone()));
        }
    }
    (settling.finish(), now)
}

/// What a thing that is there asks for by itself: its user, its groups, and what it is a member of, by now and as it was at whichever look.
/// And what it is now, where it still is there.
#[must_use]
pub fn itself(
    model: &Model,
    truth: &Truth,
    context: &Context,
    thing: &Thing,
    items: &BTreeSet<(Thing, Item)>,
) -> (Settled, BTreeSet<(Thing, Item)>) {
    let mut settling = Settling::new(model, truth, context);
    let mut now = BTreeSet::new();
    match settling.view.thing(thing) {
        Found::Present(_, item) => {
            now.insert((thing.clone(), item.clone()));
            settling.itself(thing);
        }
        Found::Absent if model.item(thing.of).assumed.contains(&thing.names) => settling.itself(thing),
        Found::Absent => settling.unmake(thing),
        Found::Unseen => {}
    }
    for was in items.iter().map(|(_, was)| Some(was.clone())).chain([None]) {
        settling.thing(thing, &refresh(was));
    }
    (settling.finish(), now)
}

/// Seen for no change of its own.
fn refresh<'a>(was: Option<Item>) -> Seen<'a> {
    Seen { changes: Vec::new(), refresh: BTreeSet::from([0]), was }
}

impl Settling<'_> {
    /// The item behind a row, where it depends on `thing` in truth.
    fn row(&mut self, id: LinkId, thing: &Thing, row: &Item) -> Option<(Key, Thing, Item)> {
        let model = self.model;
        let link = model.link(id);
        let (key, from, item) = if matches!(link.find, Find::BackReference) {
            let from = bookkeeping::thing(model, row)?;
            match self.view.thing(&from) {
                Found::Present(key, item) => (key, from, item.clone()),
                // What refers no longer does: its own removal takes the back-reference away.
                Found::Absent | Found::Unseen => return None,
            }
        } else {
            let (key, from) = find::identify(model, row)?;
            (key, from, row.clone())
        };
        let known = find::as_known(link, thing);
        (from.of == link.from && read::target(model, id, &from, Some(&item)).as_ref() == Some(&known))
            .then_some((key, from, item))
    }
}
