//! The loop over one part of a batch: read, reconcile, apply, and read again until nothing new
//! follows. [`super::Reconciler`] drives the parts of a batch together.

use std::collections::{BTreeMap, BTreeSet};
use std::hash::{Hash, Hasher};
use std::sync::Arc;
use std::time::Duration;

use instep_model::{Item, Key, Model, Object};
use jiff::Timestamp;

use super::applied::{Applied, EXISTING_USER, Missing, USER_HELD};
use super::batch_memberships::BatchMemberships;
use super::refusal::Refusal;
use super::{Attempted, Finding, LostClaim, Pass, PassResult, Times, WindowChange, named_in, reconcile};
use crate::account::AccountItem;
use crate::answers::{Answers, Asks};
use crate::effect::{AddMember, Aside, Effect, Effects, EnsureUser, IfMissing, Phase};
use crate::entries::{Entries, EntryId};
use crate::implied::Membership;
use crate::plan::Plan;
use crate::tenants::Tenants;

/// The maximum number of rounds of applying and reading again. If effects still follow after them,
/// the batch must be delivered again. INVARIANT 8.
const ROUNDS_MAX: usize = 10;

/// The maximum number of reads in a round. Each read follows from the answers to the one before.
/// INVARIANT 8.
const READS_MAX: usize = 12;

/// The outcome of a run.
#[derive(Debug, Default)]
pub struct RunOutcome {
    /// Why the run failed. Everything in the batch must be delivered again: what was done before
    /// the failure may depend on a read that the failure prevented.
    pub failed: Option<String>,
    /// The first entry with an effect that failed. `None` if no effect failed: a read did, or the loop
    /// gave up.
    pub failed_from: Option<EntryId>,
    /// What the run may have done.
    pub attempted: Attempted,
    /// What can never be done, by the entries that ask for it: code and reason.
    pub refused: Vec<(Entries, &'static str, String)>,
    /// Claims of unique values that lost.
    pub conflicts: BTreeSet<LostClaim>,
    /// Windows that time opened or closed.
    pub window_changes: BTreeSet<WindowChange>,
    /// For a record, the items under other spellings of its key.
    pub others: BTreeMap<EntryId, Vec<Item>>,
    /// The tenants for the events of grants.
    pub tenants: Tenants,
    /// What stays as it is, and people should know.
    pub findings: BTreeSet<Finding>,
    /// Remarks on entries.
    pub notes: BTreeSet<(EntryId, String)>,
}

/// What this run has done so far. If the run crashes, no work is lost: its records and messages are
/// delivered again.
#[derive(Debug, Default, Clone, Hash)]
pub(super) struct Progress {
    /// Effects that are applied, and those that can never be.
    pub(super) applied: BTreeSet<Arc<Effect>>,
    /// Objects whose user or group this run created, or may have.
    pub(super) created: BTreeSet<Object>,
    /// Objects whose user or group this run deleted.
    pub(super) deleted: BTreeSet<Object>,
    /// Users whom Cognito did not know when this run was to disable them.
    pub(super) unknown_users: BTreeSet<String>,
    /// Objects whose users this run began to make and whose account item changed meanwhile, each with the nonce that it
    /// had before.
    pub(super) unconfirmed: BTreeMap<Object, Option<String>>,
    /// Objects of which this run knows that their accounts serve them.
    bound: BTreeSet<Object>,
    /// Objects whose users neither this run nor a repetition makes.
    undecided: BTreeSet<Object>,
    /// Objects under whose users' names this run found somebody else's account.
    pub(super) foreign: BTreeSet<Object>,
    /// Groups on demand to which this run added a member.
    pub(super) groups_on_demand: BTreeSet<String>,
    /// Groups on demand that this run has deleted, and to which it has added no member since.
    pub(super) groups_gone: BTreeSet<String>,
    /// The number of groups on demand that this run was to delete with an object.
    pub(super) groups_deleted: BTreeMap<Object, usize>,
    /// Pages of dependents that this run deleted.
    pub(super) deleted_pages: BTreeSet<crate::answers::PageAsk>,
    /// Memberships that this run has added, and not removed since.
    pub(super) added: BTreeSet<Membership>,
    /// The entries that this run parks.
    pub(super) refused: Entries,
    /// Tombstones in which this run has kept a subject that it deleted.
    pub(super) kept: BTreeSet<Key>,
    /// Memberships that are sent to the work queue with their grants, because Cognito does not know the user or
    /// group.
    sent: Effects,
}

/// The loop over one part of a batch.
#[derive(Debug, Clone)]
pub(super) struct BatchPart<'a> {
    model: &'a Model,
    plan: Plan,
    /// What the entries of each object of the plan name.
    named: Vec<Option<BatchMemberships>>,
    times: Times,
    answers: Answers,
    progress: Progress,
    /// The effects of the last pass, without those that are applied already.
    desired: BTreeSet<Arc<Effect>>,
    due: Effects,
    /// What has to be read before the next pass.
    waits_for: Option<Asks>,
    is_begun: bool,
    is_done: bool,
    reads_again: bool,
    reads: usize,
    rounds: usize,
    failed: Option<String>,
    failed_from: Option<EntryId>,
    attempted: Attempted,
    refused: Vec<(Entries, &'static str, String)>,
    /// Why entries are parked without an effect that was refused.
    parked: BTreeSet<(Entries, Refusal)>,
    /// Effects that can never be applied, and why.
    impossible: BTreeMap<Arc<Effect>, (&'static str, String)>,
    conflicts: BTreeSet<LostClaim>,
    window_changes: BTreeSet<WindowChange>,
    others: BTreeMap<EntryId, Vec<Item>>,
    tenants: Tenants,
    findings: BTreeSet<Finding>,
    notes: BTreeSet<(EntryId, String)>,
}

/// Hashes what decides the next steps. The model is the same in all runs. The counts of reads and
/// rounds only stop a run that would not end.
impl Hash for BatchPart<'_> {
    fn hash<H: Hasher>(&self, to: &mut H) {
        let Self { model: _, plan, times, answers, progress, desired, due, reads_again, .. } = self;
        (plan, times, answers, progress, desired, due, reads_again).hash(to);
        (&self.waits_for, self.is_begun, self.is_done).hash(to);
        (
            &self.failed,
            &self.refused,
            &self.impossible,
            &self.conflicts,
            &self.window_changes,
            &self.findings,
            &self.notes,
        )
            .hash(to);
    }
}

impl<'a> BatchPart<'a> {
    /// The loop over a part of a plan.
    pub(super) fn new(model: &'a Model, plan: Plan, now: Timestamp) -> Self {
        Self {
            model,
            named: named_in(model, &plan, now),
            plan,
            times: Times { now, present: now },
            answers: Answers::default(),
            progress: Progress::default(),
            desired: BTreeSet::new(),
            due: BTreeMap::new(),
            waits_for: None,
            is_begun: false,
            is_done: false,
            reads_again: false,
            reads: 0,
            rounds: 0,
            failed: None,
            failed_from: None,
            attempted: Attempted::default(),
            refused: Vec::new(),
            parked: BTreeSet::new(),
            impossible: BTreeMap::new(),
            conflicts: BTreeSet::new(),
            window_changes: BTreeSet::new(),
            others: BTreeMap::new(),
            tenants: Tenants::new(),
            findings: BTreeSet::new(),
            notes: BTreeSet::new(),
        }
    }

    /// Goes on until the part has to read or to apply something, or is done.
    pub(super) fn advance(&mut self) {
        if self.is_done || self.failed.is_some() || self.waits_for.is_some() || !self.due.is_empty() {
            return;
        }
        self.waits_for = self.pass();
        self.is_begun |= self.waits_for.is_none();
        self.is_done = self.waits_for.is_none() && self.due.is_empty();
    }

    /// What the part has to read first, once it has advanced.
    pub(super) fn waits_for(&self) -> Option<&Asks> {
        self.waits_for.as_ref()
    }

    /// Whether the part knows what follows from its first reads.
    pub(super) const fn is_begun(&self) -> bool {
        self.is_begun
    }

    /// Why the part failed.
    pub(super) fn failure(&self) -> Option<&str> {
        self.failed.as_deref()
    }

    /// The phase of the effects that are due next.
    pub(super) fn phase(&self) -> Option<Phase> {
        self.due.keys().map(|effect| effect.phase()).min()
    }

    /// The due effects of a phase.
    pub(super) fn take(&mut self, phase: Phase) -> Effects {
        let (now, later) = std::mem::take(&mut self.due).into_iter().partition(|(effect, _)| effect.phase() == phase);
        self.due = later;
        now.into_iter().map(|(effect, entries)| (self.with_account(effect), entries)).collect()
    }

    /// A membership is added if this run has bound the account that it is for.
    fn with_account(&self, effect: Arc<Effect>) -> Arc<Effect> {
        let Effect::AddMember(add @ AddMember { unbound: Aside(Some(object)), .. }) = &*effect else { return effect };
        if !self.progress.bound.contains(object) {
            return effect;
        }
        Arc::new(Effect::AddMember(AddMember { unbound: Aside(None), ..add.clone() }))
    }

    /// All due effects.
    pub(super) fn take_all(&mut self) -> Effects {
        std::mem::take(&mut self.due)
    }

    /// One pass. After it, either the due effects are known, or what must be read first.
    fn pass(&mut self) -> Option<Asks> {
        if std::mem::take(&mut self.reads_again) {
            // INVARIANT 1: a run ends only after it has read again what it could have changed, and
            // nothing new follows.
            self.rounds += 1;
            self.reads = 0;
            if self.rounds > ROUNDS_MAX {
                self.failed = Some("the items keep changing".to_owned());
                return None;
            }
            let asks = self.answers.ask_again();
            if !asks.is_empty() {
                return Some(asks);
            }
        }
        let desired = self.desired();
        if !desired.asks.is_empty() {
            self.reads += 1;
            if self.reads > READS_MAX {
                self.failed = Some("one read leads to another without an end".to_owned());
                return None;
            }
            return Some(desired.asks);
        }
        self.reads = 0;
        self.conflicts = desired.conflicts;
        self.window_changes = desired.window_changes;
        self.others = desired.others;
        // This run may itself have deleted a subject whose last grant was revoked.
        self.tenants.extend(desired.tenants);
        self.findings = desired.findings;
        self.parked.extend(desired.refused);
        self.notes.extend(desired.notes);
        let mut effects = desired.effects;
        for (effect, entries) in &self.progress.sent {
            // INVARIANT 3: of a record that this run parks, only what was in force before it is still desired.
            let is_withheld = entries.is_subset(&self.progress.refused) && !effects.contains_key(effect);
            if let (Effect::AddMember(add), false) = (&**effect, is_withheld) {
                effects.entry(Arc::new(Effect::SendObjects(add.to_send(self.model)))).or_default().extend(entries);
            }
        }
        // An effect that is no longer desired must be applied again if it is desired again.
        self.progress.applied.retain(|effect| effects.contains_key(effect));
        self.desired = effects.keys().cloned().collect();
        effects.retain(|effect, _| !self.progress.applied.contains(effect));
        self.due = effects;
        None
    }

    /// What follows from what was read. INVARIANT 8: each repetition knows of one more entry that is parked.
    fn desired(&mut self) -> PassResult {
        loop {
            let pass = Pass::new(self.model, &self.plan, &self.answers, self.times, &self.progress);
            let desired = reconcile(pass, &self.named);
            let known = self.progress.refused.len();
            self.progress.refused.extend(desired.refused.iter().flat_map(|(entries, _)| entries));
            if self.progress.refused.len() == known {
                return desired;
            }
        }
    }

    /// An entry is parked: what it alone asks for is not granted any more.
    fn refuse(&mut self, entries: &Entries) {
        self.progress.refused.extend(entries);
        let is_left = |effect: &Effect, entries: &Entries| {
            !matches!(effect, Effect::AddMember(_)) || !entries.is_subset(&self.progress.refused)
        };
        self.due.retain(|effect, entries| is_left(effect, entries));
    }

    /// The outcome.
    pub(super) fn ended(&mut self) -> RunOutcome {
        let parked = std::mem::take(&mut self.parked).into_iter();
        let mut refused: Vec<_> = parked.map(|(entries, why)| (entries, why.code(), why.reason().to_owned())).collect();
        refused.append(&mut self.refused);
        RunOutcome {
            failed: self.failed.clone(),
            failed_from: self.failed_from,
            attempted: std::mem::take(&mut self.attempted),
            refused,
            conflicts: std::mem::take(&mut self.conflicts),
            window_changes: std::mem::take(&mut self.window_changes),
            others: std::mem::take(&mut self.others),
            tenants: std::mem::take(&mut self.tenants),
            findings: std::mem::take(&mut self.findings),
            notes: std::mem::take(&mut self.notes),
        }
    }

    /// Adds the answers to what the part waits for, so long after the run began.
    pub(super) fn answer(&mut self, take: impl FnOnce(&Asks) -> Answers, passed: Duration) {
        self.times.present = self.times.now.saturating_add(passed).unwrap_or(self.times.now);
        if let Some(asks) = self.waits_for.take() {
            self.answers.extend(take(&asks));
        }
    }

    /// Records that a read failed.
    pub(super) fn read_failed(&mut self, why: String) {
        self.failed = Some(why);
    }

    /// Records the outcome of an effect.
    pub(super) fn applied(&mut self, effect: &Arc<Effect>, entries: &Entries, applied: Applied) {
        self.reads_again |= effect.needs_second_read();
        self.attempted.add(effect, entries, &applied);
        if let (Some(write), false) = (effect.as_write(), matches!(applied, Applied::Done { .. })) {
            self.due.retain(|due, _| !due.relies_on(write));
        }
        if let Effect::DeleteGroup { of, created: Some(_), .. } = &**effect {
            *self.progress.groups_deleted.entry(of.clone()).or_default() += 1;
        }
        if let (Effect::AddMember(add), Applied::Done { .. }) = (&**effect, &applied) {
            self.progress.added.insert(add.membership.clone());
        } else if let Effect::RemoveMember(membership) = &**effect {
            self.progress.added.remove(membership);
        }
        self.note_account(effect, &applied);
        match applied {
            Applied::Done { created } => {
                let is_ours = effect.ensures().is_some_and(|of| self.progress.unconfirmed.contains_key(of));
                self.note_containers(effect, created || is_ours);
                self.note_page(effect);
                if let Effect::DeleteSubject(deleted) = &**effect {
                    self.progress.kept.insert(deleted.tombstone.clone());
                }
                self.mark_applied(effect);
            }
            Applied::CreatedInPart { code, reason } => {
                self.note_containers(effect, true);
                self.refuse(entries);
                self.refused.push((entries.clone(), code, reason));
                self.mark_applied(effect);
            }
            Applied::Skipped => self.mark_applied(effect),
            Applied::Changed => {
                self.reads_again = true;
                if matches!(**effect, Effect::DeletePage(_)) {
                    self.answers.forget_pages();
                }
            }
            Applied::Missing(missing) => self.missing(effect, entries, missing),
            Applied::Failed(why) => {
                self.failed.get_or_insert(why);
                self.failed_from = self.failed_from.into_iter().chain(entries.first()).min();
            }
            Applied::Refused { code, reason } => {
                self.note_page(effect);
                self.impossible.insert(Arc::clone(effect), (code, reason.clone()));
                self.refuse(entries);
                self.refused.push((entries.clone(), code, reason));
                self.mark_applied(effect);
            }
        }
    }

    /// A page is handled, although the service may have refused to delete some of it: the next one follows.
    fn note_page(&mut self, effect: &Effect) {
        if let Effect::DeletePage(page) = effect {
            self.progress.deleted_pages.insert(page.page.clone());
        }
    }

    fn mark_applied(&mut self, effect: &Arc<Effect>) {
        self.progress.applied.retain(|other| !effect.undoes(other));
        self.progress.applied.insert(Arc::clone(effect));
    }

    /// The run records what it learns of the accounts of objects.
    fn note_account(&mut self, effect: &Effect, applied: &Applied) {
        if let (Effect::DeleteUser { of, .. }, Applied::Done { .. }) = (effect, applied) {
            self.progress.bound.remove(of);
        }
        let Effect::EnsureUser(EnsureUser { user, of, account, .. }) = effect else { return };
        // A user that was just made is a member of no group, whatever this run has given to an earlier one.
        if matches!(applied, Applied::Done { created: true } | Applied::CreatedInPart { .. }) {
            let is_of = |other: &Effect| matches!(other, Effect::AddMember(add) if add.membership.user == *user);
            self.progress.applied.retain(|other| !is_of(other));
        }
        let of = of.clone();
        match applied {
            Applied::Done { .. } | Applied::CreatedInPart { .. } => drop(self.progress.bound.insert(of)),
            Applied::Skipped => drop(self.progress.undecided.insert(of)),
            // This run or another one has written the account item meanwhile.
            Applied::Changed => {
                let nonce = account.0.as_ref().and_then(AccountItem::account).map(|account| account.nonce);
                self.progress.unconfirmed.insert(of, nonce);
            }
            Applied::Refused { code, .. } if [EXISTING_USER, USER_HELD].contains(code) => {
                self.progress.foreign.insert(of);
            }
            Applied::Refused { .. } | Applied::Missing(_) | Applied::Failed(_) => {}
        }
    }

    /// The run records which users and groups it created or deleted.
    fn note_containers(&mut self, effect: &Effect, created: bool) {
        let progress = &mut self.progress;
        if let Effect::DeleteGroup { group, created: Some(_), .. } = effect {
            progress.groups_gone.insert(group.clone());
        }
        if let Some(of) = effect.deletes() {
            progress.deleted.insert(of.clone());
            progress.created.remove(of);
        } else if let Some(of) = effect.ensures().filter(|_| created) {
            progress.created.insert(of.clone());
        } else if let Effect::AddMember(add) = effect
            && matches!(add.if_no_group, IfMissing::Create(..))
        {
            progress.groups_on_demand.insert(add.membership.group.clone());
            progress.groups_gone.remove(&add.membership.group);
        }
    }

    /// Cognito does not know a user that it is to disable: the next pass ensures the user.
    ///
    /// Or it does not know the user or group of a membership. If this run ensures that user or
    /// group, it ensures it again. Otherwise the grant is sent to the work queue together with
    /// them.
    fn missing(&mut self, effect: &Arc<Effect>, entries: &Entries, missing: Missing) {
        if let Effect::DisableUser { user, .. } = &**effect {
            self.progress.unknown_users.insert(user.clone());
            return self.mark_applied(effect);
        }
        let Effect::AddMember(add) = &**effect else { return };
        let if_missing = match missing {
            Missing::User => &add.if_no_user,
            Missing::Group => &add.if_no_group,
        };
        let IfMissing::Send(object) = if_missing else { return self.mark_applied(effect) };
        let ensures = |effect: &Arc<Effect>| {
            let is_group = matches!(**effect, Effect::EnsureGroup { .. });
            effect.ensures() == Some(object) && is_group == (missing == Missing::Group)
        };
        if let Some((code, reason)) = self.impossible.iter().find(|(effect, _)| ensures(effect)).map(|(_, why)| why) {
            // Its user or group can never be created: the grant is refused together with it.
            self.refused.push((entries.clone(), code, reason.clone()));
            self.refuse(entries);
            self.mark_applied(effect);
        } else if missing == Missing::User && self.progress.undecided.contains(object) {
            self.mark_applied(effect);
        } else if self.desired.iter().any(ensures) {
            self.progress.applied.retain(|effect| !ensures(effect));
        } else {
            // If a message names the item, this run does not create its user or group: it asks for something
            // impossible. The run over the record that corrects it finds the grant.
            if self.plan.objects.get(object).is_none_or(|mentions| mentions.named.is_empty()) {
                self.progress.sent.entry(Arc::clone(effect)).or_default().extend(entries);
            }
            self.mark_applied(effect);
        }
    }
}
