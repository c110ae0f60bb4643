//! The table's side: what each item implies, compared with the pool and the table.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use instep_model::{ExtraPolicy, Identity, Item, Key, Link, LinkId, Model, Object, ToParent};
use jiff::Timestamp;

use super::{About, Difference, DifferenceKind, GroupMark, Groups, ListedGroup, PoolView, Repair, Wanted, is_guard};
use crate::answers::{Answers, Asks, View};
use crate::bookkeeping::{self, BookkeepingKind};
use crate::entries::{Entries, EntryId};
use instep_contract::Cause;

use crate::change::{BookkeepingChange, Change};
use crate::due::needs_clock;
use crate::effect::{Action, AddMember, CreatePolicy, Effect, Effects, EnsureUser, IfMissing, Write, WriteReason};
use crate::implied::{self, Membership};
use crate::pending;
use crate::plan::{Delivery, Plan};
use crate::queries;
use crate::reconcile::Finding;
use crate::valid;
use crate::work::{Leftovers, NamedObject, Origin};

/// How long after its moment something may be undone: the clock ticks once a minute, and a busy work
/// queue needs some time.
const DUE_GRACE_SECONDS: i64 = 10 * 60;

/// What people can do about an item that cannot be handled.
const CORRECT: &str = "correct the item: its record is parked until then";

/// The sequence number of a record that no stream has.
const NO_SEQUENCE: &str = "0";

/// What a page of the table asks for, and where each place in the plan comes from.
#[derive(Debug, Default)]
pub struct ItemsPlan {
    /// The plan.
    pub plan: Plan,
    /// The key at each place.
    pub(super) keys: Vec<Key>,
    /// What is wrong by itself.
    wrong: Vec<Difference>,
    /// When the parents were deleted after whose deletion their accounts were made.
    pub(super) removals: BTreeMap<Object, Timestamp>,
}

/// What an item refers to.
pub(super) struct ItemReference<'p> {
    /// The item's place in the plan.
    pub(super) entry: EntryId,
    pub(super) item: &'p Item,
    pub(super) link: LinkId,
    pub(super) target: Object,
}

impl ItemsPlan {
    /// A plan over items, each as if it had just been created, and over guards as if each had just
    /// been deleted: then its owner is asked.
    #[must_use]
    pub fn new(model: &Model, items: Vec<Item>, now: Timestamp) -> Self {
        let mut page = Self::default();
        for item in items {
            if let Some(key) = model.table.key_of(&item) {
                page.add(model, key, item, now);
            }
        }
        page
    }

    fn add(&mut self, model: &Model, key: Key, item: Item, now: Timestamp) {
        let entry = EntryId(self.keys.len());
        let delivery = Delivery { origin: Origin::Captured, ..Delivery::STREAM };
        self.keys.push(key.clone());
        let (object, canonical) = match model.identify(&key) {
            Identity::Item { object, canonical } => (object, canonical),
            Identity::Bookkeeping => return self.add_entry(model, entry, key, item, now),
            // `unknown` in the model says whether such items are expected.
            Identity::Unknown(_) => return,
        };
        let is_guard = model.item(object.of).guard.is_some();
        if is_guard {
            for (key, (_, reference)) in bookkeeping::references(model, &object, &item) {
                self.plan.references.entry(key).or_insert_with(|| (reference, Entries::new())).1.insert(entry);
            }
        }
        let (old, new) = if is_guard { (Some(item), None) } else { (None, Some(item)) };
        let (epoch, sequence, cause) = (String::new(), NO_SEQUENCE.to_owned(), Cause::Write);
        let change = Change { notes: Vec::new(), object, key, old, new, epoch, sequence, recorded_at: None, cause };
        match valid::change(model, &change, canonical) {
            Ok(()) => self.plan.add(model, entry, &Arc::new(change), delivery),
            Err(reject) => self.wrong.push(bad_item(model, &change.key, reject.reason)),
        }
    }

    fn add_entry(&mut self, model: &Model, entry: EntryId, key: Key, item: Item, now: Timestamp) {
        match BookkeepingKind::of(&key) {
            Some(BookkeepingKind::Reference | BookkeepingKind::Address) => {
                drop(self.plan.bookkeeping.insert(key, Entries::from(entry)))
            }
            Some(BookkeepingKind::Due) => match bookkeeping::due_at(&key) {
                // The clock of a model without times sends nothing. An earlier model had some.
                Some(at) if at > now || !needs_clock(model) => {
                    self.plan.bookkeeping.insert(key, Entries::from(entry));
                }
                Some(at) if at.as_second() + DUE_GRACE_SECONDS < now.as_second() => self.overdue(model, key, &item),
                Some(_) | None => {}
            },
            // An earlier model had such guards.
            Some(BookkeepingKind::Claim) if bookkeeping::claimed_guard(model, &item).is_none() => {
                drop(self.plan.bookkeeping.insert(key, Entries::from(entry)))
            }
            Some(BookkeepingKind::Claim) => {
                let change = BookkeepingChange { key, new: Some(item) };
                self.plan.add_bookkeeping(model, entry, &change);
            }
            Some(
                BookkeepingKind::Tombstone
                | BookkeepingKind::Group
                | BookkeepingKind::Account
                | BookkeepingKind::Limit
                | BookkeepingKind::Model,
            )
            | None => {}
        }
    }

    fn overdue(&mut self, model: &Model, key: Key, item: &Item) {
        let Some(named) = NamedObject::of_moment(item) else { return };
        let label = named.object(model).map_or_else(|| named.of.clone(), |object| queries::label_of(model, &object));
        let at = named.moment.map(|moment| moment.at.to_string()).unwrap_or_default();
        self.wrong.push(Difference {
            kind: DifferenceKind::Due,
            about: About::Item(label, key),
            why: format!("its moment came at {at}, and the clock has not sent it"),
            repair: Repair::Clock,
        });
    }

    /// The keys that have to be read, besides what the reconciler asks for: the back-references that the
    /// items need.
    pub fn references(&self) -> impl Iterator<Item = &Key> {
        self.plan.references.keys()
    }

    /// What the items refer to over such links.
    pub(super) fn references_over(&self, model: &Model, is_such: impl Fn(&Link) -> bool) -> Vec<ItemReference<'_>> {
        let mut found = Vec::new();
        for (object, input) in &self.plan.objects {
            for delivered in &input.changes {
                let (entry, Some(item)) = (delivered.entry, &delivered.change.new) else { continue };
                for (link, _) in model.links_from(object.of).filter(|(_, link)| is_such(link)) {
                    let targets = implied::targets(model, link, object, Some(item)).into_iter();
                    found.extend(targets.map(|target| ItemReference { entry, item, link, target }));
                }
            }
        }
        found
    }

    /// The parents of the items, as far as an item determines the key of its parent, or its partition: for each,
    /// the items that refer to it, and by which link.
    #[must_use]
    pub fn parents(&self, model: &Model) -> BTreeMap<Object, BTreeSet<(EntryId, LinkId)>> {
        let mut parents: BTreeMap<Object, BTreeSet<(EntryId, LinkId)>> = BTreeMap::new();
        for reference in self.references_over(model, |link| link.deleted_with && is_consistent(&link.up)) {
            let ItemReference { entry, link, target, .. } = reference;
            if !model.item(target.of).assumed.iter().any(|names| implied::has_names(names, &target)) {
                parents.entry(target).or_default().insert((entry, link));
            }
        }
        parents
    }

    /// What has to be read to tell which of these parents exist.
    #[must_use]
    pub fn asks(model: &Model, parents: &BTreeMap<Object, BTreeSet<(EntryId, LinkId)>>) -> Asks {
        let mut asks = Asks::default();
        for (parent, items) in parents {
            let queries = items.iter().flat_map(|(_, id)| queries::up(model, *id, &parent.names));
            asks.queries.extend(queries);
            asks.keys.extend(model.keys(parent).unwrap_or_default());
        }
        asks
    }

    /// Whether one of these parents may exist: it was read, or not all were.
    #[must_use]
    pub fn may_exist(model: &Model, parent: &Object, items: &BTreeSet<(EntryId, LinkId)>, answers: &Answers) -> bool {
        let mut view = View::new(model, answers);
        let is_there = view.items(parent).is_ok_and(|items| !items.is_empty());
        let mut queries = items.iter().flat_map(|(_, id)| queries::up(model, *id, &parent.names));
        let is_it = |row: &Item| {
            let found = queries::identify(model, row);
            found.is_some_and(|(_, found)| found.of == parent.of && implied::has_names(&found.names, parent))
        };
        is_there
            || queries.any(|query| view.is_cut(&query) || view.rows(&query).is_ok_and(|rows| rows.iter().any(is_it)))
    }

    /// Notes on the items whose parents do not exist.
    pub fn without_parents(
        &self,
        model: &Model,
        absent: &BTreeMap<Object, BTreeSet<(EntryId, LinkId)>>,
    ) -> impl Iterator<Item = (EntryId, String)> {
        absent.iter().flat_map(move |(parent, items)| {
            let why = |id| pending::on_link(model, model.link(id), parent);
            items.iter().map(move |(entry, id)| (*entry, why(*id)))
        })
    }

    /// What is wrong by itself, and the items that need one of these missing back-references.
    #[must_use]
    pub fn without(&mut self, model: &Model, absent: &BTreeSet<Key>) -> Vec<Difference> {
        let missing = self.plan.references.iter().filter(|(key, _)| absent.contains(*key));
        let missing = missing.filter_map(|(_, (_, entries))| self.keys.get(entries.first()?.0)).map(|key| Difference {
            kind: DifferenceKind::Bookkeeping,
            about: About::item(model, key),
            why: "its back-reference or address is missing: what it refers to, or what needs it, would not find it"
                .to_owned(),
            repair: Repair::Items(BTreeSet::from([key.clone()])),
        });
        let missing: Vec<Difference> = missing.collect();
        let mut wrong = std::mem::take(&mut self.wrong);
        wrong.extend(missing);
        wrong
    }

    /// The key of the first of some entries.
    fn key(&self, entries: &Entries) -> Option<&Key> {
        self.keys.get(entries.first()?.0)
    }

    /// The items whose parents, or whose other ends, do not exist, each with all that it lacks.
    #[must_use]
    pub fn orphans(&self, model: &Model, notes: &BTreeSet<(EntryId, String)>) -> Vec<Difference> {
        let mut lacks: BTreeMap<EntryId, Vec<&str>> = BTreeMap::new();
        for (entry, why) in notes {
            lacks.entry(*entry).or_default().push(why);
        }
        let orphan = |(entry, whys): (EntryId, Vec<&str>)| {
            Some(Difference {
                kind: DifferenceKind::Orphan,
                about: About::item(model, self.keys.get(entry.0)?),
                why: whys.join("; "),
                repair: Repair::Report(
                    "write what is missing, or take the reference out of the item, or delete the item",
                ),
            })
        };
        lacks.into_iter().filter_map(orphan).collect()
    }

    /// The guards that nobody may need: Instep leaves them to people.
    #[must_use]
    pub fn guards(&self, model: &Model, findings: &BTreeSet<Finding>) -> Vec<Difference> {
        let guard = |Finding { entry, why, .. }: &Finding| {
            let key = self.keys.get(entry.0).filter(|key| is_guard(model, key))?;
            let repair = Repair::Report("write its owner, give it another owner, or delete it");
            Some(Difference {
                kind: DifferenceKind::UnownedGuard,
                about: About::item(model, key),
                why: why.clone(),
                repair,
            })
        };
        findings.iter().filter(|finding| finding.kind.is_of_guard()).filter_map(guard).collect()
    }

    /// The tombstones that an item's parents have if they were deleted, and which of these orphans each
    /// concerns. Empty if the model does not let a sweep delete orphans.
    #[must_use]
    pub fn tombstones(&self, model: &Model, orphans: &[Difference]) -> BTreeMap<Key, BTreeSet<Key>> {
        let mut tombstones: BTreeMap<Key, BTreeSet<Key>> = BTreeMap::new();
        if model.orphans != ExtraPolicy::Remove || orphans.is_empty() {
            return tombstones;
        }
        let keys: BTreeSet<&Key> = orphans.iter().filter_map(|orphan| orphan.about.key()).collect();
        for ItemReference { entry, target, .. } in self.references_over(model, |link| link.deleted_with) {
            if let Some(key) = self.keys.get(entry.0).filter(|key| keys.contains(key)) {
                let tombstone = bookkeeping::tombstone_key(model, &target);
                tombstones.entry(tombstone).or_default().insert(key.clone());
            }
        }
        tombstones
    }

    /// An item that needs a key that DynamoDB does not allow.
    #[must_use]
    pub fn refused(&self, model: &Model, entries: &Entries, why: String) -> Option<Difference> {
        self.key(entries).map(|key| bad_item(model, key, why))
    }
}

/// Whether an item finds what it depends on by consistent reads.
const fn is_consistent(up: &ToParent) -> bool {
    match up {
        ToParent::Key | ToParent::Partition(_) => true,
        ToParent::Index { .. } | ToParent::Unknown => false,
    }
}

/// An item whose record is parked.
fn bad_item(model: &Model, key: &Key, why: String) -> Difference {
    Difference { kind: DifferenceKind::BadItem, about: About::item(model, key), why, repair: Repair::Report(CORRECT) }
}

/// The differences that the effects of a page of items show. Applied to a table and a pool without
/// drift, they would change nothing.
#[must_use]
pub fn of_items(model: &Model, page: &ItemsPlan, effects: &Effects, pool: Option<&PoolView>) -> Vec<Difference> {
    let (mut found, wanted) = wanted(model, page, effects, pool.map(PoolView::groups));
    let lacking = wanted.into_iter().filter(|wanted| pool.is_some_and(|pool| pool.lacks(wanted)));
    found.extend(lacking.map(|wanted| wanted.difference));
    found
}

/// The differences that the effects of a page of items show without knowledge of users, and what the
/// items want of users. Without `groups`, there is no pool.
#[must_use]
pub fn wanted(
    model: &Model,
    page: &ItemsPlan,
    effects: &Effects,
    groups: Option<&Groups>,
) -> (Vec<Difference>, Vec<Wanted>) {
    let (mut differences, mut wanted) = (page.unconfirmed(model, groups), Vec::new());
    for (effect, entries) in effects {
        let keys: BTreeSet<Key> = entries.iter().filter_map(|entry| page.keys.get(entry.0).cloned()).collect();
        let Some(key) = page.key(entries) else { continue };
        let is_over = effect.as_write().is_some_and(refers_no_more);
        let is_entry = |key: &Key| match BookkeepingKind::of(key) {
            Some(BookkeepingKind::Reference | BookkeepingKind::Address | BookkeepingKind::Due) => true,
            Some(BookkeepingKind::Claim) => is_over,
            Some(_) | None => false,
        };
        let repair = if keys.iter().all(is_entry) {
            Repair::Extra(Leftovers { bookkeeping: keys.into_iter().collect(), ..Leftovers::default() })
        } else {
            Repair::Items(keys)
        };
        let difference = |(kind, about, why)| Difference { kind, about, why, repair };
        match of_effect(model, effect, key, groups) {
            None => {}
            Some(Shown::Now(found)) => differences.push(difference(found)),
            Some(Shown::IfLacking { user, sub, group, only_if_user, found }) => {
                wanted.push(Wanted { user, sub, group, only_if_user, difference: difference(found) });
            }
        }
    }
    (differences, wanted)
}

/// What an effect shows.
enum Shown {
    /// A difference.
    Now((DifferenceKind, About, String)),
    /// A difference if the pool lacks this.
    IfLacking {
        user: String,
        sub: bool,
        group: Option<String>,
        only_if_user: bool,
        found: (DifferenceKind, About, String),
    },
}

/// What an effect would change that the item under a key asks for.
fn of_effect(model: &Model, effect: &Effect, key: &Key, groups: Option<&Groups>) -> Option<Shown> {
    let implied = || format!("implied by {}", queries::label(model, key));
    Some(match effect {
        // A group of a deleted parent is found in the pool.
        Effect::Write(write)
            if write.actions.iter().all(|action| BookkeepingKind::of(action.key()) == Some(BookkeepingKind::Group)) =>
        {
            return None;
        }
        Effect::Write(write) => {
            let (kind, why) = of_write(model, write);
            let key = write.actions.first()?.key();
            let label =
                if BookkeepingKind::of(key).is_some() { write.target.clone() } else { queries::label(model, key) };
            Shown::Now((kind, About::Item(label, key.clone()), why))
        }
        Effect::AddMember(AddMember { membership, if_no_user, if_no_group, .. }) => {
            let Membership { user, group, sub, .. } = membership;
            if *if_no_group == IfMissing::Pending && !groups?.contains_key(group) {
                return None;
            }
            groups?;
            let found = (DifferenceKind::MissingMember, About::Member(membership.clone()), implied());
            let only_if_user = *if_no_user == IfMissing::Pending;
            Shown::IfLacking { user: user.clone(), sub: *sub, group: Some(group.clone()), only_if_user, found }
        }
        Effect::EnsureUser(EnsureUser { user, create, .. }) => {
            groups?;
            if *create == CreatePolicy::Never {
                return None;
            }
            let found = (DifferenceKind::MissingUser, About::User(user.clone()), implied());
            Shown::IfLacking { user: user.clone(), sub: false, group: None, only_if_user: false, found }
        }
        Effect::EnsureGroup { group, .. } => match groups?.get(group) {
            None => Shown::Now((DifferenceKind::MissingGroup, About::Group(group.clone()), implied())),
            Some(ListedGroup { mark: GroupMark::Unmarked, .. }) => {
                let why = format!("{} has it: with the mark, Instep manages it", queries::label(model, key));
                Shown::Now((DifferenceKind::UnmarkedGroup, About::Group(group.clone()), why))
            }
            Some(ListedGroup { mark: GroupMark::Own, .. }) => return None,
        },
        // What has to go is found in the pool, from the other side. What goes to the work queue was
        // sent when the item was written.
        Effect::RemoveMember(_)
        | Effect::SignOut { .. }
        | Effect::DisableUser { .. }
        | Effect::DeleteUser { .. }
        | Effect::DeleteGroup { .. }
        | Effect::MarkDeleted(_)
        | Effect::DeleteSubject(_)
        | Effect::DeletePage(_)
        | Effect::SendObjects(_)
        | Effect::SendDependents(_) => return None,
    })
}

/// Whether a write deletes what an item or an earlier model no longer has.
fn refers_no_more(write: &Write) -> bool {
    matches!(write.reason.0, WriteReason::RefersNoMore(_))
}

/// What a write to the table would correct.
fn of_write(model: &Model, write: &Write) -> (DifferenceKind, String) {
    let guard = |key: &Key| is_guard(model, key) || BookkeepingKind::of(key) == Some(BookkeepingKind::Claim);
    if write.actions.iter().any(|action| guard(action.key())) && !refers_no_more(write) {
        return (DifferenceKind::Guard, write.target.clone());
    }
    let indexed = |name: &String| {
        let mut indexes = model.indexes.iter();
        indexes.any(|index| index.pk.contains(name) || index.sk.as_ref().is_some_and(|sk| sk.contains(name)))
    };
    match write.actions.first() {
        Some(Action::Set { attributes, .. }) if attributes.keys().all(indexed) => {
            let names: Vec<&str> = attributes.keys().map(String::as_str).collect();
            (DifferenceKind::IndexKey, format!("{} differs from its template", names.join(", ")))
        }
        Some(Action::Set { .. }) => (DifferenceKind::Due, "a `due` rule is due, and was not applied".to_owned()),
        Some(Action::Put { key, .. }) if BookkeepingKind::of(key).is_some() => {
            (DifferenceKind::Bookkeeping, "Instep has not noted it as the item is".to_owned())
        }
        Some(Action::Delete { key, .. }) if BookkeepingKind::of(key).is_some() => {
            (DifferenceKind::Bookkeeping, "left over: nothing needs it".to_owned())
        }
        Some(Action::Put { .. } | Action::Delete { .. }) | None => (DifferenceKind::Subject, write.target.clone()),
    }
}
