//! Reconcile: compares what a batch names with what was read, and returns effects, or what must be
//! read first. Pure.
//!
//! [`Reconciler`] is the one loop that production, the tests and the simulation drive.

mod account_groups;
mod applied;
mod attempted;
mod back_references;
mod batch_memberships;
mod batch_part;
mod children;
mod children_kept;
mod dependents;
mod desired_memberships;
mod extra;
mod finding;
mod groups_on_demand;
mod guards;
mod index_keys;
mod late;
mod memberships;
mod moments;
mod pages;
mod reconciler;
mod refusal;
mod shared_memberships;
mod sign_out;
mod split;
mod subjects;
mod take_back;
mod tenants;
mod touched;
mod unique_end;
mod usernames;
mod users_and_groups;

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use instep_model::{Item, Key, Model, Object, ToParent};
use jiff::Timestamp;

pub use account_groups::{
    AccountGroups, AccountGroupsStep, ImpliedGroups, SigningInAccount, is_made_by_hand, is_of_model, roles_of_groups,
};
pub use applied::{Applied, EXISTING_USER, Missing, USER_HELD};
pub use attempted::Attempted;
pub use batch_part::RunOutcome;
pub use finding::{Finding, FindingKind};
pub(crate) use index_keys::corrected;
pub use moments::WindowChange;
pub use reconciler::{Next, Reconciler};

use crate::answers::{Answers, Asks, View};
use crate::bookkeeping;
use crate::effect::{Action, AddMember, Aside, Effect, Effects, EnsureUser, Write};
use crate::entries::{Entries, EntryId};
use crate::group_settings::precedences;
use crate::implied::{self, Membership};
use crate::known::Known;
use crate::plan::{Mentions, Plan};
use crate::tenants::Tenants;
use batch_memberships::{BatchMemberships, OldAndNew};
use batch_part::Progress;
use refusal::Refusal;

/// The result of one pass over a plan.
#[derive(Debug, Default)]
struct PassResult {
    /// Effects, with the entries that ask for each.
    effects: Effects,
    /// Remarks on entries.
    notes: BTreeSet<(EntryId, String)>,
    /// Claims of unique values that lost.
    conflicts: BTreeSet<LostClaim>,
    /// Windows that time opened or closed.
    window_changes: BTreeSet<WindowChange>,
    /// For a record, the items under other spellings of its key.
    others: BTreeMap<EntryId, Vec<Item>>,
    /// The tenants for the events of grants.
    tenants: Tenants,
    /// What stays as it is, and people should know.
    findings: BTreeSet<Finding>,
    /// Why entries are parked.
    refused: BTreeSet<(Entries, Refusal)>,
    /// What must be read before the result is complete.
    asks: Asks,
}

/// A claim of a unique value that lost against its holder.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct LostClaim {
    /// The record that claims the value.
    pub record: EntryId,
    /// The guard.
    pub guard: Object,
    /// The claimant.
    pub claimant: Object,
    /// The owner that has the value.
    pub holder: Object,
}

/// The times of a pass.
#[derive(Debug, Clone, Copy, Hash)]
struct Times {
    /// When the run began.
    now: Timestamp,
    /// When it had read the answers. A window may close while a run waits for Cognito, and then nothing
    /// but this run takes back what it grants after that.
    present: Timestamp,
}

/// One pass over a plan. It starts again whenever more was read.
struct Pass<'a> {
    model: &'a Model,
    plan: &'a Plan,
    view: View<'a>,
    times: Times,
    progress: &'a Progress,
    /// The object that the pass is at, its entries, and what they name.
    at: Option<(&'a Object, &'a Mentions, &'a BatchMemberships)>,
    desired: PassResult,
    guards: BTreeMap<Object, guards::Touch>,
    /// The guards that this pass gives to an owner, each with its key and that owner.
    given: BTreeMap<Object, (Key, Object)>,
    /// The memberships whose users are signed out once this run has removed them.
    sign_outs: BTreeSet<Membership>,
    /// The users that have unique values, until it is known who holds these.
    users: BTreeMap<Object, (EnsureUser, Entries)>,
    /// For each tombstone, the object that was deleted last. `None` until a cascade needs it.
    latest_deleted: Option<BTreeMap<Key, (Timestamp, Object)>>,
}

/// What the entries of each object of a plan name, in their order. `None` for an object on which they can
/// have no effect. That depends on the plan alone.
fn named_in(model: &Model, plan: &Plan, now: Timestamp) -> Vec<Option<BatchMemberships>> {
    let (answers, progress) = (Answers::default(), Progress::default());
    let pass = Pass::new(model, plan, &answers, Times { now, present: now }, &progress);
    plan.objects.iter().map(|(object, mentions)| pass.names(object, mentions)).collect()
}

/// Computes the effects for everything that a plan names. `named` is as [`named_in`] returns it.
fn reconcile<'a>(mut pass: Pass<'a>, named: &'a [Option<BatchMemberships>]) -> PassResult {
    let plan = pass.plan;
    for ((object, mentions), named) in plan.objects.iter().zip(named) {
        if let Some(named) = named {
            pass.at = Some((object, mentions, named));
            pass.object(object, mentions, &named.keys);
        }
        pass.tenants(object, mentions);
    }
    pass.at = None;
    for (dependents, continued) in &plan.dependents {
        let _ = pass.continue_dependents(dependents, continued);
    }
    pass.extra();
    for (guard, entries) in &plan.guards {
        let touch = pass.guards.entry(guard.clone()).or_default();
        touch.records.extend(entries);
        touch.released = true;
    }
    pass.finish()
}

impl<'a> Pass<'a> {
    fn new(model: &'a Model, plan: &'a Plan, answers: &'a Answers, times: Times, progress: &'a Progress) -> Self {
        let (view, desired) = (View::new(model, answers), PassResult::default());
        let (guards, given, users) = (BTreeMap::new(), BTreeMap::new(), BTreeMap::new());
        let (sign_outs, latest_deleted) = (BTreeSet::new(), None);
        Self { model, plan, view, times, progress, at: None, desired, guards, given, sign_outs, users, latest_deleted }
    }
}

impl Pass<'_> {
    fn finish(mut self) -> PassResult {
        for (guard, touch) in std::mem::take(&mut self.guards) {
            let _ = self.guard(&guard, &touch);
            let _ = self.users_of_owners(&guard, &touch);
            let _ = self.edges_of_owners(&guard, &touch);
            self.refuse_too_long(&touch.records);
        }
        for (object, (ensure, entries)) in std::mem::take(&mut self.users) {
            let _ = self.user_with_values(&object, ensure, &entries);
        }
        // If two entries of a batch disagree about a membership, a group or a user, the effect that
        // adds or ensures it wins.
        let counterparts: Vec<_> = self.desired.effects.keys().filter_map(|effect| effect.counterpart()).collect();
        for effect in counterparts {
            self.desired.effects.remove(&effect);
        }
        self.keep_off_the_deleted();
        self.sign_outs();
        self.name_accounts();
        self.desired.asks = self.view.asks;
        self.desired
    }

    /// What is deleted is not corrected first. The deletion may ask for the item as it was read.
    fn keep_off_the_deleted(&mut self) {
        let actions = self.desired.effects.keys().flat_map(|effect| effect.actions());
        let deleted = actions.filter(|action| matches!(action, Action::Delete { .. }));
        let deleted: BTreeSet<Key> = deleted.map(|action| action.key().clone()).collect();
        let is_void = |action: &Action| matches!(action, Action::Set { key, .. } if deleted.contains(key));
        self.desired.effects.retain(|effect, _| effect.actions().is_empty() || !effect.actions().iter().all(is_void));
    }

    /// What a pass does to an object, step by step. A step that must read more asks for it, and the next steps ask in the
    /// same pass: only here is that dropped.
    fn object(&mut self, object: &Object, mentions: &Mentions, keys: &[Key]) {
        if self.model.item(object.of).user_value.is_some() {
            let _ = self.signed_up(object, mentions);
            return;
        }
        // An object may have several items, one for each spelling of its key. Each is reconciled by
        // itself. Where there can be only one, as for the Cognito user, the first is used.
        let Ok(items) = self.view.items_under(keys) else {
            self.ask_ahead(object, mentions);
            let _ = self.view.take_too_long();
            return;
        };
        let item = items.first().map(|(_, item)| *item);
        self.take_back(object, mentions, &items);
        let is_canonical = self.model.has_canonical_key(object);
        if !is_canonical && !items.is_empty() {
            // It implies nothing until it is written under another key: its record is parked. What it gives up is
            // released.
            self.references(object, mentions, &items);
            self.claims(object, mentions, item);
            return self.refuse_too_long(&mentions.entries());
        }
        if mentions.is_of_rules_only() {
            // The record of the rule's write leads to everything else.
            for (key, item) in &items {
                self.rules(object, mentions, key, item);
            }
            return;
        }
        self.note_other_spellings(mentions, &items);
        // The names in lower case belong to another item.
        if is_canonical {
            self.user(object, mentions, item);
            self.groups(object, mentions, item);
        }
        let _ = self.members(object, mentions, &items);
        self.references(object, mentions, &items);
        self.claims(object, mentions, item);
        self.own_guard(object, mentions);
        // A key that one of these steps makes of the object is its own fault. One of a dependent is that of the dependent's
        // record, so the next steps come after.
        self.refuse_too_long(&mentions.entries());
        // After `user` and `groups`: dependents wait until what these ensure or delete is applied.
        let _ = self.dependents(object, mentions, item);
        // After `members`: a subject waits until the memberships that they remove are removed.
        let _ = self.last_revoked(object, mentions, item);
        let _ = self.view.take_too_long();
        for (key, item) in &items {
            self.restore_own_subject(object, mentions, item);
            self.delete_with_parent(object, mentions, key, item);
            self.index_keys(object, key, item, mentions);
            self.rules(object, mentions, key, item);
        }
        self.moments(object, mentions, &items);
        self.window_changes(object, mentions, &items);
        self.refuse_too_long(&mentions.entries());
    }

    /// What is under other spellings of the keys of records that took something away.
    fn note_other_spellings(&mut self, mentions: &Mentions, items: &[(Key, &Item)]) {
        for delivered in mentions.changes.iter().filter(|delivered| delivered.change.old.is_some()) {
            let others = items.iter().filter(|(key, _)| *key != delivered.change.key);
            let others: Vec<Item> = others.map(|(_, item)| (*item).clone()).collect();
            if !others.is_empty() {
                self.desired.others.insert(delivered.entry, others);
            }
        }
    }

    /// INVARIANT 6: one key that is too long would make a whole read fail, and the batch with it. No
    /// item has such a key, so the others are read, and the entry that asked is parked.
    fn refuse_too_long(&mut self, entries: &Entries) {
        if self.view.take_too_long() {
            self.refuse(entries, Refusal::KeyTooLong);
        }
    }

    fn refuse(&mut self, entries: &Entries, why: Refusal) {
        self.desired.refused.insert((entries.clone(), why));
    }

    /// Whether the batch can lead to an effect on the object. If not, nothing is read. `implied` has what
    /// each change implies.
    fn reacts(&self, object: &Object, mentions: &Mentions, implied: &[OldAndNew]) -> bool {
        let model = self.model;
        let ty = model.item(object.of);
        let view = |image: &Option<Item>, with_user: bool| {
            image.as_ref().map(|image| {
                let user = ty.user.as_ref().filter(|_| with_user && implied::has_user(model, object, image));
                let user = user.map(|user| implied::user_image(model, user, object, image));
                let active = (implied::active_groups(model, object, image), precedences(model, object, image));
                let claims = implied::claims(model, object, image).into_iter();
                let claims: Vec<_> = claims.map(|(guard, claimed)| (guard, claimed.stronger)).collect();
                let links =
                    model.links_from(object.of).flat_map(|(id, _)| implied::targets(model, id, object, Some(image)));
                (user, active, implied::window(ty, image), claims, links.collect::<Vec<_>>())
            })
        };
        let moved = |(change, [old, new]): (&crate::decode::Change, &OldAndNew)| {
            if (&old.memberships, old.is_valid) != (&new.memberships, new.is_valid) {
                return true;
            }
            // A user that people create is not created with its item, nor deleted unless the model says so. If an
            // item that exists gets or loses its user, its dependents gain or lose access.
            let is_kept = change.old.is_some() && change.new.is_some();
            let with_user = ty.user.as_ref().is_some_and(|user| {
                is_kept || !implied::is_left_to_people(user) || user.delete && change.new.is_none()
            });
            view(&change.old, with_user).unwrap_or_default() != view(&change.new, with_user).unwrap_or_default()
        };
        let mut links = model.links_to(object.of);
        let has_dependents = links.any(|(_, link)| {
            link.needed
                || (link.deleted_with && mentions.shows_removal())
                || crate::queries::suspends_grants(model, link)
        });
        // Another spelling of the item may have the user, and its events depend on whether there is one.
        let may_have_another_user = ty.user.is_some() && ty.forms.len() > 1;
        let is_grant = ty.grant.is_some();
        let takes_away = |change: &crate::decode::Change| change.old.is_some() && (is_grant || change.new.is_none());
        let may_be_another = ty.forms.len() > 1 && !ty.publish.is_empty() && mentions.changes().any(takes_away);
        !mentions.named.is_empty()
            || self.has_former(object, mentions)
            || may_be_another
            || mentions.changes().zip(implied).any(moved)
            || mentions.shows_creation_or_removal()
                && (!ty.groups.is_empty() || has_dependents || may_have_another_user)
            || ty.guard.is_some() && mentions.changes().any(|change| change.old.is_some())
            || ty.index_keys.iter().any(|keys| keys.keep.writes())
            || self.has_news_of_time(object, mentions)
            || self.user_or_groups_changed(object, mentions)
    }

    /// Asks in advance for what is needed after the object itself was read, to save rounds of
    /// reading.
    fn ask_ahead(&mut self, object: &Object, mentions: &Mentions) {
        let _ = self.account(object);
        self.ask_for_usernames(object, mentions);
        let changes = mentions.changes().filter_map(|change| change.new.as_ref());
        for image in changes.chain(mentions.named.iter().filter_map(|named| named.image.as_ref())) {
            for (id, link) in self.model.links_from(object.of) {
                for target in implied::targets(self.model, id, object, Some(image)) {
                    match link.up {
                        ToParent::Key => _ = self.view.object(&target),
                        // The names in the item suffice only for addresses and the key of the tombstone.
                        ToParent::Unknown => {
                            let addresses = link.needed.then(|| crate::queries::addresses(self.model, &target));
                            let _ = addresses.map(|addresses| self.view.rows(&addresses));
                            let tombstone = link.deleted_with.then(|| bookkeeping::tombstone_key(self.model, &target));
                            let _ = tombstone.map(|key| self.view.item(&key));
                        }
                        ToParent::Partition(_) if link.needed => {
                            for query in crate::queries::up(self.model, id, &target.names) {
                                let _ = self.view.rows(&query);
                            }
                        }
                        ToParent::Partition(_) | ToParent::Index { .. } => {}
                    }
                }
            }
            for guard in implied::claims(self.model, object, image).into_keys() {
                let _ = self.view.object(&guard);
            }
            for member in &self.model.item(object.of).members {
                let subject = implied::subject(self.model, &member.user, object, Some(image));
                let _ = subject.map(|subject| self.account(&subject));
            }
            self.ask_for_group_items(object, image);
        }
        match mentions.changes().next_back() {
            Some(change) if change.old.is_none() => {
                let _ = self.was_deleted_before(object);
                self.ask_for_kept_item(object);
            }
            Some(change) if change.new.is_none() => {
                self.ask_for_tombstones(object);
                self.ask_for_subject(object, change);
            }
            Some(_) | None => {}
        }
    }

    fn add_effect(&mut self, effect: impl Into<Arc<Effect>>, entries: &Entries) {
        self.desired.effects.entry(effect.into()).or_default().extend(entries);
    }

    /// One call adds a membership, even if several entries of the batch imply it.
    fn add_membership_effect(&mut self, add: AddMember, entries: &Entries) {
        let membership = add.membership.clone();
        let effect = Arc::new(Effect::AddMember(add));
        let is_same =
            |other: &&Arc<Effect>| matches!(&***other, Effect::AddMember(other) if other.membership == membership);
        // Effects are in the order of their memberships, so an equal one is the next before or after it.
        let effects = &self.desired.effects;
        let before = effects.range::<Arc<Effect>, _>(..=&effect).next_back().map(|(other, _)| other).filter(is_same);
        let same = before
            .or_else(|| effects.range::<Arc<Effect>, _>(&effect..).next().map(|(other, _)| other).filter(is_same))
            .cloned();
        self.add_effect(same.unwrap_or(effect), entries);
    }

    fn note(&mut self, entries: &Entries, text: &str) {
        self.desired.notes.extend(entries.iter().map(|entry| (entry, text.to_owned())));
    }

    fn write(&mut self, write: Write, entries: &Entries) {
        self.add_effect(Effect::Write(write), entries);
    }

    fn label(&self, object: &Object) -> String {
        crate::queries::label_of(self.model, object)
    }

    /// Whether an object exists, or counts as existing without an item.
    fn exists(&mut self, object: &Object) -> Known<bool> {
        Ok(self.model.item(object.of).exists_without_item(&object.names) || self.view.object(object)?.is_some())
    }
}

impl Effect {
    /// What it writes into the table under conditions.
    fn actions(&self) -> &[Action] {
        self.as_write().map_or(&[], |write| write.actions.as_slice())
    }

    /// The effect that must not be applied while this one is desired.
    fn counterpart(&self) -> Option<Self> {
        match self {
            Self::AddMember(add) => Some(Self::RemoveMember(add.membership.clone())),
            Self::EnsureGroup { group, of, .. } => {
                Some(Self::DeleteGroup { group: group.clone(), of: of.clone(), created: None })
            }
            Self::EnsureUser(ensure) => {
                let (user, of) = (ensure.user.clone(), ensure.of.clone());
                Some(Self::DeleteUser { user, of, account: ensure.account.clone(), removal: Aside::default() })
            }
            Self::DeleteGroup { .. }
            | Self::RemoveMember(_)
            | Self::SignOut { .. }
            | Self::DisableUser { .. }
            | Self::DeleteUser { .. }
            | Self::Write(_)
            | Self::MarkDeleted(_)
            | Self::DeleteSubject(_)
            | Self::DeletePage(_)
            | Self::SendObjects(_)
            | Self::SendDependents(_) => None,
        }
    }
}
