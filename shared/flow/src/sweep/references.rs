//! Where the references of items lead: an id with a prefix, or in another case, leads nowhere, and no single
//! item shows that.

use std::collections::{BTreeMap, BTreeSet};

use instep_model::{Identity, Item, Link, LinkId, Model, Names, Object, ToParent};

use crate::answers::{Answers, Asks, Query, View};
use crate::{implied, queries};

/// The maximum number of references that are followed over one link.
pub const FOLLOWED_MAX: usize = 1_000;

/// What the items of a table refer to.
#[derive(Debug, Default)]
pub struct References {
    leads: BTreeMap<LinkId, Vec<Lead>>,
    /// The objects that were read, under the names of references that give only a part of a key.
    known: BTreeSet<Object>,
}

/// Where a reference leads.
#[derive(Debug)]
struct Lead {
    target: Object,
    /// The queries for it, if it has to be queried, and the names that a row must agree with.
    queried: Option<(Vec<Query>, Names)>,
    /// Only a part of its key is given, and no query leads to it.
    is_part: bool,
}

/// How many references over a link lead to an item.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Followed {
    /// The link.
    pub link: LinkId,
    /// The references, at most [`FOLLOWED_MAX`].
    pub followed: usize,
    /// Those that lead to an item. `None` if that depends on items that were not read.
    pub leading: Option<usize>,
    /// The name in reports of what one of the others names.
    pub nothing: Option<String>,
}

impl References {
    /// Adds items of the table.
    pub fn add(&mut self, model: &Model, items: &[Item]) {
        for item in items {
            let Some(Identity::Item { object, .. }) = model.table.key_of(item).map(|key| model.identify(&key)) else {
                continue;
            };
            let parts = model.links_to(object.of).filter(|(_, link)| matches!(link.up, ToParent::Unknown));
            self.known.extend(parts.map(|(_, link)| queries::as_known(link, &object)));
            for (id, _) in model.links_from(object.of) {
                let leads = self.leads.entry(id).or_default();
                let room = FOLLOWED_MAX.saturating_sub(leads.len());
                leads.extend(leads_of(model, id, &object, item).take(room));
            }
        }
    }

    /// What must be read to follow them.
    #[must_use]
    pub fn asks(&self, model: &Model) -> Asks {
        let mut asks = Asks::default();
        for lead in self.leads.values().flatten() {
            match &lead.queried {
                Some((queries, _)) => asks.queries.extend(queries.iter().cloned()),
                None => asks.keys.extend(model.keys(&lead.target).unwrap_or_default()),
            }
        }
        asks
    }

    /// How many lead to an item, in the model's order. `is_whole` says that all items of the table were added.
    #[must_use]
    pub fn follow(&self, model: &Model, answers: &Answers, is_whole: bool) -> Vec<Followed> {
        let mut view = View::new(model, answers);
        let mut all = Vec::new();
        for (link, leads) in self.leads.iter().filter(|(_, leads)| !leads.is_empty()) {
            let (mut leading, mut nothing, mut is_sure) = (0, None, true);
            for lead in leads {
                if self.leads_to_one(&mut view, model.link(*link), lead) {
                    leading += 1;
                } else {
                    is_sure &= is_whole || !lead.is_part;
                    nothing.get_or_insert_with(|| queries::label_through(model, model.link(*link), &lead.target));
                }
            }
            all.push(Followed { link: *link, followed: leads.len(), leading: is_sure.then_some(leading), nothing });
        }
        all
    }

    fn leads_to_one(&self, view: &mut View<'_>, link: &Link, lead: &Lead) -> bool {
        let (model, target) = (view.model, &lead.target);
        let is_it = |names: &Names| implied::has_names_in_key(link, names, target);
        if model.item(target.of).user_value.is_some() || model.item(target.of).assumed.iter().any(is_it) {
            return true;
        }
        match &lead.queried {
            Some((queries, names)) => {
                let rows = queries.iter().flat_map(|query| view.rows(query).unwrap_or_default());
                let found: Vec<_> = rows.filter_map(|row| queries::identify(model, row)).collect();
                let is_meant = |found: &Object| found.of == target.of && is_it(&found.names);
                found.iter().any(|(_, found)| is_meant(found) && model.agrees(names, found))
            }
            None if lead.is_part => self.known.contains(target),
            None => matches!(view.object(target), Ok(Some(_))),
        }
    }
}

/// Where an item leads over a link: to one item, or to one for each text of a list.
fn leads_of<'m>(model: &'m Model, id: LinkId, object: &Object, item: &Item) -> impl Iterator<Item = Lead> + use<'m> {
    let link = model.link(id);
    let is_part = matches!(link.up, ToParent::Unknown);
    let targets = model.link_targets(link, &object.names, Some(item)).into_iter();
    let leads = targets.map(move |names| {
        let target = implied::identified(model, link, names.clone());
        let queried = Some((queries::up(model, id, &names), names)).filter(|(queries, _)| !queries.is_empty());
        Lead { target, queried, is_part }
    });
    // No item has such a key.
    leads.filter(|lead| model.check_names(&lead.target).is_ok())
}
