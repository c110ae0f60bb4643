//! What a rule prevents: each rule is switched off around the product's own loop, by a driver that
//! does without it.

use instep_flow::bookkeeping::{BookkeepingKind, FIELDS};
use instep_flow::doubt::Doubt;
use instep_flow::effect::{Action, Check, Effect, Expect};
use instep_flow::entries::EntryId;
use instep_flow::plan::Plan;
use instep_flow::reconcile::Applied;
use instep_flow::work::NamedObject;
use instep_model::{Item as Attributes, Key, Value};

use crate::breach::Breach;
use crate::design;
use crate::rules::{Rule, Rules};
use crate::state::State;
use crate::table::is_met;
use crate::world::{SmallObject, SmallWorld};

/// A write: its checks and actions.
type Conditions = (Vec<Check>, Vec<Action>);

impl State<'_> {
    /// Without [`Rule::GrantOnlyInHand`] a run also names what the table implies as it begins.
    pub(crate) fn name_present(&self, world: &SmallWorld, plan: &mut Plan) {
        if world.rules.has(Rule::GrantOnlyInHand) {
            return;
        }
        let model = &self.design.model;
        let objects: Vec<_> = plan.objects.keys().cloned().collect();
        for object in objects {
            let present = self.design.known(&object).and_then(|known| Some((known, self.table.items.get(&known)?)));
            if let Some((known, item)) = present {
                let image = design::item(world, known, *item);
                plan.add_named(model, EntryId(0), &NamedObject::new(model, &object, Some(image)), Doubt::Sure);
            }
        }
    }

    /// Whether a message of a run is not sent.
    pub(crate) fn is_unsent(&self, rules: &Rules, run: usize, effect: &Effect) -> bool {
        let has_created = self.runs.get(run).is_some_and(|run| run.has_created);
        match effect {
            Effect::SendObjects(objects) if objects.iter().any(|object| object.late) => !rules.has(Rule::LatePending),
            // A missing user or group is named without an image.
            Effect::SendObjects(objects) if objects.iter().all(|object| object.image.is_some()) => {
                !rules.has(Rule::FanOut) || !rules.has(Rule::FanOutOfExisting) && !has_created
            }
            Effect::SendDependents(of) => of.is_delayed() && !rules.has(Rule::LateDependents),
            Effect::SendObjects(_)
            | Effect::DeleteGroup { .. }
            | Effect::RemoveMember(_)
            | Effect::SignOut { .. }
            | Effect::DisableUser { .. }
            | Effect::DeleteUser { .. }
            | Effect::EnsureGroup { .. }
            | Effect::EnsureUser(_)
            | Effect::AddMember(_)
            | Effect::Write(_)
            | Effect::MarkDeleted(_)
            | Effect::DeleteSubject(_)
            | Effect::DeletePage(_) => false,
        }
    }

    /// Whether a run does not read a tombstone: that of an object that it does not hold.
    pub(crate) fn hides_tombstone(&self, world: &SmallWorld, run: usize, key: &Key) -> bool {
        let is_of = |of: &SmallObject| self.design.tombstone(world, *of).as_ref() == Some(key);
        !world.rules.has(Rule::ChildReadsTombstone)
            && BookkeepingKind::of(key) == Some(BookkeepingKind::Tombstone)
            && !self.runs.get(run).is_some_and(|run| run.holds.iter().any(is_of))
    }

    /// Whether a run does not restore a subject.
    pub(crate) fn leaves_subject(&self, rules: &Rules, run: usize, actions: &[Action]) -> bool {
        let [Action::Put { key, .. }, Action::Delete { .. }] = actions else { return false };
        let (Some(SmallObject::User(user)), Some(run)) = (self.design.object(key), self.runs.get(run)) else {
            return false;
        };
        let is_grant =
            |of: &&SmallObject| matches!(of, SmallObject::Grant(of, _) if *of == user) && self.table.has(**of);
        run.holds.iter().any(|of| is_grant(&of)) && !rules.has(Rule::GrantRestores)
            || run.holds.contains(&SmallObject::User(user)) && !rules.has(Rule::RemovalRestores)
            || run.holds.is_empty() && !rules.has(Rule::LateRestores)
    }

    /// A write without the conditions, and the kept item, of the rules that are off.
    pub(crate) fn weaken(&mut self, world: &SmallWorld, (mut checks, mut actions): Conditions) -> Conditions {
        let rules = &world.rules;
        let kind = |check: &Check| match (&check.expect, BookkeepingKind::of(&check.key)) {
            (Expect::Absent, None) => Some(Rule::ParentIsAbsent),
            (Expect::Present, None) => Some(Rule::ForgetChecksSubject),
            (Expect::Absent | Expect::Like(_), Some(BookkeepingKind::Tombstone)) => Some(Rule::CascadeChecksTombstone),
            (_, _) => None,
        };
        checks.retain(|check| kind(check).is_none_or(|rule| rules.has(rule)));
        for action in &mut actions {
            match action {
                Action::Put { key, item, .. }
                    if BookkeepingKind::of(key) == Some(BookkeepingKind::Tombstone)
                        && !rules.has(Rule::KeepSubject) =>
                {
                    if let Some(Value::M(fields)) = item.get_mut(FIELDS) {
                        fields.remove("item");
                    }
                }
                Action::Delete { key, expect } if !rules.has(Rule::SubjectIsUnchanged) => {
                    let Some(SmallObject::User(user)) = self.design.object(key) else { continue };
                    if !is_met(expect, self.table.get(world, self.design, key).as_ref()) {
                        self.breaches.insert(Breach::DeletedAlthoughWritten(user));
                    }
                    *expect = Expect::Present;
                }
                Action::Put { .. } | Action::Delete { .. } | Action::Set { .. } => {}
            }
        }
        (checks, actions)
    }
}

/// The bookkeeping item that a run writes later than it should.
pub(crate) fn late_tombstone(rules: &Rules, effect: &Effect) -> Option<(Key, Attributes)> {
    let Effect::MarkDeleted(marked) = effect else { return None };
    (!rules.has(Rule::TombstoneFirst)).then(|| (marked.key.clone(), marked.item.clone()))
}

/// What a run is told of an effect.
pub(crate) fn told(rules: &Rules, applied: Applied) -> Applied {
    match applied {
        Applied::Missing(_) if !rules.has(Rule::HandOnMissing) => Applied::Skipped,
        Applied::Missing(_)
        | Applied::Done { .. }
        | Applied::CreatedInPart { .. }
        | Applied::Skipped
        | Applied::Changed
        | Applied::Failed(_)
        | Applied::Refused { .. } => applied,
    }
}
