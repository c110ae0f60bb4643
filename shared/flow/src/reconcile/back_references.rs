//! Back-references and addresses: bookkeeping items that lead from an object to the items that refer to it.

use std::collections::{BTreeMap, BTreeSet};

use instep_model::{Item, Key, Link, LinkId, Object, ToDependents};

use super::{Pass, children};
use crate::bookkeeping::{self, BookkeepingKind};
use crate::effect::{Action, Expect, Write, WriteReason};
use crate::plan::Mentions;

impl Pass<'_> {
    /// Back-references and addresses that no item needs any more are deleted, on condition that the
    /// item is unchanged since it was read: if it refers to the object again, or exists again, the run
    /// over that write writes them itself. Several references to one object share one.
    pub(super) fn references(&mut self, object: &Object, mentions: &Mentions, items: &[(Key, &Item)]) {
        let model = self.model;
        let by_reference = |(_, link): &(LinkId, &Link)| matches!(link.find, ToDependents::BackReference);
        let links: Vec<(LinkId, &Link)> = model.links_from(object.of).filter(by_reference).collect();
        let references = |image: &Item| bookkeeping::references(model, object, image);
        let needed: BTreeSet<Key> = items.iter().flat_map(|(_, item)| references(item).into_keys()).collect();
        let images = mentions.changes().flat_map(|change| change.old.iter().chain(&change.new));
        let named: BTreeMap<Key, (Object, Item)> = images.flat_map(references).collect();
        for (key, (from, _)) in named.iter().filter(|(key, _)| !needed.contains(*key)) {
            let mut checks = children::absent(model, object);
            for (key, item) in items {
                let linking = links.iter().flat_map(|(id, _)| self.linking(*id, object, item)).collect();
                let expect = children::as_they_are(linking);
                checks.iter_mut().filter(|check| check.key == *key).for_each(|check| check.expect = expect.clone());
            }
            let (what, reason) = if BookkeepingKind::of(key) == Some(BookkeepingKind::Address) {
                ("address", WriteReason::AddressEnds(object.of))
            } else {
                ("back-reference", WriteReason::RefersNoMore(object.of))
            };
            let label = format!("{what} of {}", self.label(from));
            let actions = vec![Action::Delete { key: key.clone(), expect: Expect::Any }];
            self.write(Write::follow(reason, label, actions).checking(checks), &mentions.entries());
        }
    }
}
