//! What former models made of items, and the deployed model does not: found where a former model would look for it. Pure.
//!
//! The deployed model alone says what is true. A former one says where to look: what its meaning of a record or message
//! names is looked up again, as what a sweep finds, and stays only if the deployed model implies it.

use std::collections::BTreeSet;

use instep_model::{CognitoMember, Identity, Item, Key, Model, Object};

use crate::doubt::Doubt;
use crate::entries::EntryId;
use crate::implied::{self, Membership};
use crate::plan::Plan;
use crate::work::{Dependents, Extent, Which};

/// An item that a record or message shows, with its images.
#[derive(Debug)]
pub struct ShownItem<'a> {
    /// The item in the deployed model. `None` if that does not describe it.
    pub object: Option<&'a Object>,
    /// The item in the former model.
    pub former: &'a Object,
    /// What is shown of it.
    pub images: Vec<&'a Item>,
}

impl Plan {
    /// Adds what a former model made of an item, as an entry shows it, and the deployed model does not make of it.
    pub fn look_back(&mut self, entry: EntryId, model: &Model, former: &Model, shown: &ShownItem<'_>) {
        let ShownItem { object, former: was, images } = shown;
        let images = || images.iter().copied();
        let memberships = |model, object| -> BTreeSet<Membership> {
            images().flat_map(|image| implied::memberships(model, object, image)).collect()
        };
        let claims = |model, object| -> BTreeSet<Object> {
            images().flat_map(|image| implied::claims(model, object, image).into_keys()).collect()
        };
        // A model without memberships in the pool has no right to remove any.
        let mut rules = model.items.iter().flat_map(|item| &item.members);
        if rules.any(|rule| !rule.in_token) {
            let kept = object.map(|object| memberships(model, object)).unwrap_or_default();
            let gone: BTreeSet<Membership> = memberships(former, was).difference(&kept).cloned().collect();
            for parent in images().flat_map(|image| parents_of_groups(former, was, image, &gone)) {
                if parent.object(model).is_some() {
                    self.add_dependents(entry, &parent, Doubt::Sure, true);
                }
            }
            for membership in gone {
                self.members.entry(membership).or_default().insert(entry);
            }
        }
        let kept = object.map(|object| claims(model, object)).unwrap_or_default();
        let guards = claims(former, was).into_iter().filter_map(|guard| present_guard(model, former, &guard));
        for guard in guards.filter(|guard| !kept.contains(guard)) {
            self.guards.entry(guard).or_default().insert(entry);
        }
    }
}

/// The parents with which the groups of memberships go. One that is deleted may have looked for its groups before a run
/// under the former model, which has died since, made one of these: it does so again.
fn parents_of_groups(former: &Model, was: &Object, image: &Item, gone: &BTreeSet<Membership>) -> BTreeSet<Dependents> {
    let rules = former.item(was.of).members.iter().filter(|rule| !rule.group_deleted_with().is_empty());
    let rules = rules.filter(|rule| !implied::memberships_of(former, rule, was, image).is_disjoint(gone));
    let parents = rules.flat_map(CognitoMember::group_deleted_with);
    let parents = parents.filter_map(|id| implied::target(former, *id, was, Some(image)));
    parents.map(|parent| Dependents::of(former, &parent, Which::Groups, Extent::All)).collect()
}

/// The guard of a former model as the deployed model knows it. `None`: it is an item like others now.
fn present_guard(model: &Model, former: &Model, guard: &Object) -> Option<Object> {
    let key: Key = former.keys(guard).ok()?.into_iter().next()?;
    match model.identify(&key) {
        Identity::Item { object, .. } => model.item(object.of).guard.is_some().then_some(object),
        Identity::Bookkeeping | Identity::Unknown(_) => None,
    }
}
