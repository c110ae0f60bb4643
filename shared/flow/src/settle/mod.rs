//! Settle: objects and the truth give effects. Pure: what is not known yet is asked for, and settling starts again when it was
//! looked at.

mod belonging;
mod cognito;
mod guards;
mod spread;

use std::collections::{BTreeMap, BTreeSet};

use instep_model::{Item, Key, Model, Object};
use jiff::Timestamp;

pub use spread::{Page, Unit, again, itself, page, still_gone};

use crate::decode::Change;
use crate::effect::{Effect, Phase, Write};
use crate::plan::{Plan, Seen};
use crate::read;
use crate::truth::{Asks, Found, Truth, View};

/// What settling takes as given beside the plan and the truth.
#[derive(Debug, Clone)]
pub struct Context {
    /// The time that it is.
    pub now: Timestamp,
    /// The records come from the live stream, not from a replay.
    pub live: bool,
    /// Objects whose Cognito group or user this run made because a membership needed it, or deleted, and whether it has deleted that
    /// since: the object may have gone meanwhile, and come back.
    pub made: BTreeMap<Object, bool>,
}

/// What settling gave.
#[derive(Debug, Default)]
pub struct Settled {
    /// What is to be true, and the places in the batch of the records that ask for it.
    pub effects: BTreeMap<Effect, BTreeSet<usize>>,
    /// Objects worth saying of a record.
    pub notes: BTreeSet<(usize, String)>,
    /// Claims of unique values that lost.
    pub conflicts: BTreeSet<Conflict>,
    /// Objects that are gone, and with them their users and groups.
    pub undone: BTreeSet<Object>,
    /// When that was written last which waits for something that would find it through an index.
    pub waits_since: Option<Timestamp>,
    /// What must be looked at before all of it is known.
    pub asks: Asks,
}

/// A claim of a unique value that lost against its holder.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Conflict {
    /// Place in the batch of the record that claims.
    pub record: usize,
    /// The guard.
    pub guard: Object,
    /// Who claims.
    pub claimant: Object,
    /// Who holds the value.
    pub holder: Object,
}

/// Effects for all that a batch touched.
#[must_use]
pub fn settle(plan: &Plan<'_>, model: &Model, truth: &Truth, context: &Context) -> Settled {
    let mut settling = Settling::new(model, truth, context);
    for (object, seen) in &plan.objects {
        settling.object(object, seen);
    }
    for (object, undone) in &context.made {
        settling.made(object, *undone);
    }
    for (guard, records) in &plan.guards {
        let touch = settling.guards.entry(guard.clone()).or_default();
        touch.records.extend(records);
        touch.released = true;
    }
    settling.finish()
}

struct Settling<'a> {
    model: &'a Model,
    view: View<'a>,
    context: &'a Context,
    settled: Settled,
    guards: BTreeMap<Object, guards::Touch>,
}

impl<'a> Settling<'a> {
    fn new(model: &'a Model, truth: &'a Truth, context: &'a Context) -> Self {
        Self { model, view: View::new(model, truth), context, settled: Settled::default(), guards: BTreeMap::new() }
    }

    fn finish(mut self) -> Settled {
        for (guard, touch) in std::mem::take(&mut self.guards) {
            self.guard(&guard, &touch);
        }
        // A membership that two items speak of is held while either holds it.
        let given: Vec<_> = self.settled.effects.keys().filter_map(Effect::taken_back_by).collect();
        for effect in given {
            self.settled.effects.remove(&effect);
        }
        self.settled.asks = self.view.asks;
        self.settled
    }

    fn object(&mut self, object: &Object, seen: &Seen<'_>) {
        if !self.reacts(object, seen) {
            return;
        }
        let truth = match self.view.object(object) {
            Found::Unseen => return self.ask_ahead(object, seen),
            Found::Absent => None,
            Found::Present(key, item) => Some((key, item)),
        };
        let item = truth.as_ref().map(|(_, item)| *item);
        self.user(object, seen, item);
        self.groups(object, seen, item);
        self.members(object, seen, item);
        self.references(object, seen, truth.as_ref().map(|(key, item)| (key, *item)));
        self.claims(object, seen, item);
        self.own_guard(object, seen);
        self.dependents(object, seen, item);
        self.last_revoked(object, seen, item);
        if let Some((key, item)) = truth {
            self.belonging(object, seen, &key, item);
            self.index_keys(object, &key, item, seen);
        }
    }

    /// Whether anything could follow from what was seen: where nothing can, nothing is looked at.
    fn reacts(&self, object: &Object, seen: &Seen<'_>) -> bool {
        let model = self.model;
        let ty = model.item(object.of);
        let asked = |image: &Option<Item>| {
            image.as_ref().map(|image| {
                let user = ty.user.as_ref().map(|user| read::user_state(model, user, object, image));
                let members = (read::memberships(model, object, image), read::window(ty, image));
                let claims = read::claims(model, object, image).into_iter();
                let claims: Vec<_> = claims.map(|(guard, claimed)| (guard, claimed.stronger)).collect();
                let links =
                    model.links_from(object.of).filter_map(|(id, _)| read::target(model, id, object, Some(image)));
                (user, members, claims, links.collect::<Vec<_>>())
            })
        };
        let moved = |(_, change): &(usize, &Change)| {
            asked(&change.old).unwrap_or_default() != asked(&change.new).unwrap_or_default()
        };
        let mut links = model.links_to(object.of);
        let spreads =
            links.any(|(_, link)| link.needed || (link.goes && went(seen)) || crate::find::mutes(model, link));
        !seen.refresh.is_empty()
            || seen.changes.iter().any(moved)
            || came_or_went(seen) && (ty.groups.is_some() || spreads)
            || ty.guard.is_some() && seen.changes.iter().any(|(_, change)| change.old.is_some())
            || ty.index_keys.iter().any(|keys| keys.keep)
    }

    /// Asks at once for what will be needed when the object itself was looked at: fewer rounds of looking.
    fn ask_ahead(&mut self, object: &Object, seen: &Seen<'_>) {
        let images = seen.changes.iter().filter_map(|(_, change)| change.new.as_ref());
        for image in images {
            for (id, link) in self.model.links_from(object.of) {
                let Some(target) = read::target(self.model, id, object, Some(image)) else { continue };
                match link.up {
                    instep_model::Up::Key => drop(self.view.object(&target)),
                    // Whether it was removed is all that can be told of it.
                    instep_model::Up::Unknown if link.goes => {
                        let _ = self.view.item(&crate::bookkeeping::gone_key(self.model, &target));
                    }
                    instep_model::Up::Index { .. } | instep_model::Up::Unknown => {}
                }
            }
            for guard in read::claims(self.model, object, image).into_keys() {
                let _ = self.view.object(&guard);
            }
        }
        if seen.changes.last().is_some_and(|(_, change)| change.old.is_none()) {
            let _ = self.has_tombstone(object);
        }
    }

    fn state(&mut self, effect: Effect, records: &BTreeSet<usize>) {
        self.settled.effects.entry(effect).or_default().extend(records);
    }

    fn note(&mut self, records: &BTreeSet<usize>, text: &str) {
        self.settled.notes.extend(records.iter().map(|record| (*record, text.to_owned())));
    }

    fn write(
        &mut self,
        phase: Phase,
        target: String,
        write: (Vec<crate::effect::Check>, Vec<crate::effect::Action>),
        records: &BTreeSet<usize>,
    ) {
        let (checks, actions) = write;
        // DynamoDB refuses a transaction that names one item twice; an action's own condition says enough.
        let checks: BTreeMap<Key, crate::effect::Check> = checks
            .into_iter()
            .filter(|check| !actions.iter().any(|action| *action.key() == check.key))
            .map(|check| (check.key.clone(), check))
            .collect();
        let checks = checks.into_values().collect();
        self.state(Effect::Write(Write { phase, target, checks, actions }), records);
    }

    fn label(&self, object: &Object) -> String {
        crate::find::label_of(self.model, object)
    }

    /// Whether an object is there, or is taken to be there without an item; none while it is not known.
    fn is_there(&mut self, object: &Object) -> Option<bool> {
        if self.model.item(object.of).assumed.contains(&object.names) {
            return Some(true);
        }
        match self.view.object(object) {
            Found::Unseen => None,
            Found::Absent => Some(false),
            Found::Present(..) => Some(true),
        }
    }
}

impl Effect {
    /// The effect that this one stands against.
    fn taken_back_by(&self) -> Option<Self> {
        match self {
            Self::AddMember { user, group, .. } => {
                Some(Self::RemoveMember { user: user.clone(), group: group.clone() })
            }
            Self::EnsureGroup { group } => Some(Self::DeleteGroup { group: group.clone() }),
            Self::EnsureUser(ensure) => Some(Self::DeleteUser { user: ensure.user.clone() }),
            Self::DeleteGroup { .. }
            | Self::RemoveMember { .. }
            | Self::DisableUser { .. }
            | Self::DeleteUser { .. }
            | Self::Write(_)
            | Self::Spread(_)
            | Self::BringBack { .. }
            | Self::EndSubject(_) => None,
        }
    }
}

/// Whether an item appeared or went in any of the changes seen.
fn came_or_went(seen: &Seen<'_>) -> bool {
    seen.changes.iter().any(|(_, change)| change.old.is_none() || change.new.is_none())
}

/// Whether an item was seen to go.
fn went(seen: &Seen<'_>) -> bool {
    seen.changes.iter().any(|(_, change)| change.new.is_none())
}

/// What `view` reads off the images of changes that moved it; none where no change did.
fn touched<T: PartialEq>(seen: &Seen<'_>, view: impl Fn(&Item) -> T) -> Option<Vec<T>> {
    let mut values = Vec::new();
    let mut moved = !seen.refresh.is_empty();
    for (_, change) in &seen.changes {
        let old = change.old.as_ref().map(&view);
        let new = change.new.as_ref().map(&view);
        if old != new {
            moved = true;
            values.extend(old.into_iter().chain(new));
        }
    }
    moved.then_some(values)
}
