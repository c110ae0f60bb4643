//! Cognito: users, groups and memberships as the truth implies them.

use std::collections::BTreeSet;

use instep_model::{Find, Item, Key, LastRevoked, Made, Object, Subject, Up};

use super::{Settling, belonging, came_or_went, touched, went};
use crate::bookkeeping;
use crate::decode::Change;
use crate::effect::{Action, Check, Effect, EndSubject, EnsureUser, Expect, Phase};
use crate::plan::Seen;
use crate::read::{self, Membership};
use crate::truth::Found;

impl Settling<'_> {
    /// The Cognito user that an item stands for.
    pub(super) fn user(&mut self, object: &Object, seen: &Seen<'_>, item: Option<&Item>) {
        let model = self.model;
        let Some(user) = &model.item(object.of).user else { return };
        if seen.changes.is_empty() || touched(seen, |image| read::user_state(model, user, object, image)).is_none() {
            return;
        }
        let records = seen.records();
        let fresh = seen.changes.iter().all(|(_, change)| change.old.is_none());
        match (self.ensure_user(object, item, fresh), item) {
            (Some(ensure), Some(_)) => {
                let attributes = |image: &Item| read::user_state(model, user, object, image).attributes;
                let only_disabled = !ensure.state.enabled && touched(seen, attributes).is_none();
                self.user_as_it_is(ensure, only_disabled, &records);
            }
            (_, None) => self.user_goes(object, &records),
            (None, Some(_)) => {}
        }
    }

    /// The user of an object that is gone. One that stays when its item goes stays also where a member had it made: somebody else may
    /// have made it.
    fn user_goes(&mut self, object: &Object, records: &BTreeSet<usize>) {
        let has_to_go = self.model.item(object.of).user.as_ref().is_some_and(|user| user.delete);
        if let Some(user) = read::user_name(self.model, object).filter(|_| has_to_go) {
            self.state(Effect::DeleteUser { user }, records);
            // It may come back before that lands, and its records do not show all that it has then.
            self.settled.undone.insert(object.clone());
        }
    }

    /// A user as its item has it. Who is disabled is so before anything is given, with the rest or alone.
    fn user_as_it_is(&mut self, ensure: EnsureUser, only_disabled: bool, records: &BTreeSet<usize>) {
        if !ensure.state.enabled {
            self.state(Effect::DisableUser { user: ensure.user.clone() }, records);
        }
        if !only_disabled {
            self.state(Effect::EnsureUser(ensure), records);
        }
    }

    fn ensure_user(&self, object: &Object, item: Option<&Item>, fresh: bool) -> Option<EnsureUser> {
        let rule = self.model.item(object.of).user.as_ref()?;
        let state = read::user_state(self.model, rule, object, item?);
        Some(EnsureUser { user: read::user_name(self.model, object)?, create: rule.create.into(), fresh, state })
    }

    /// The Cognito groups that an item brings.
    pub(super) fn groups(&mut self, object: &Object, seen: &Seen<'_>, item: Option<&Item>) {
        if self.model.item(object.of).groups.is_none() || !came_or_went(seen) {
            return;
        }
        let there = item.is_some() || self.model.item(object.of).assumed.contains(&object.names);
        self.groups_as(object, there, &seen.records());
    }

    fn groups_as(&mut self, object: &Object, there: bool, records: &BTreeSet<usize>) {
        for group in read::groups(self.model, object) {
            let effect = if there { Effect::EnsureGroup { group } } else { Effect::DeleteGroup { group } };
            self.state(effect, records);
        }
    }

    /// An object whose group or user this run made on demand, or deleted: where its item is gone, so are they; where it came back
    /// after that, all of it comes again. A user is as its item has it by now: its own run may have come before.
    pub(super) fn made(&mut self, object: &Object, undone: bool) {
        let records = BTreeSet::new();
        match self.is_there(object) {
            None => {}
            Some(true) if undone => self.state(Effect::BringBack { object: object.clone() }, &records),
            Some(true) => self.user_now(object, &records),
            Some(false) => {
                self.unmake(object);
                self.settled.undone.insert(object.clone());
            }
        }
    }

    /// The Cognito user and groups of an object that is gone.
    pub(super) fn unmake(&mut self, object: &Object) {
        let records = BTreeSet::new();
        self.groups_as(object, false, &records);
        self.user_goes(object, &records);
    }

    /// The Cognito user and groups of an object that is there.
    pub(super) fn itself(&mut self, object: &Object) {
        let records = BTreeSet::new();
        self.user_now(object, &records);
        self.groups_as(object, true, &records);
    }

    fn user_now(&mut self, object: &Object, records: &BTreeSet<usize>) {
        let Found::Present(_, item) = self.view.object(object) else { return };
        if let Some(ensure) = self.ensure_user(object, Some(item), false) {
            self.user_as_it_is(ensure, false, records);
        }
    }

    /// The Cognito memberships that an item implies: those that came or went and are not held are undone, those held are
    /// ensured. What a change left as it was is no business of its record.
    pub(super) fn members(&mut self, object: &Object, seen: &Seen<'_>, item: Option<&Item>) {
        let model = self.model;
        let Some(member) = &model.item(object.of).member else { return };
        let mut candidates = self.moved_memberships(object, seen);
        candidates.extend(seen.was.iter().flat_map(|was| read::memberships(model, object, was)));
        if candidates.is_empty() && seen.refresh.is_empty() {
            return;
        }
        let records = seen.records();
        // INVARIANT 2: what is held follows from the truth alone; images only say where to look.
        let Some(held) = self.held(object, item, seen) else { return };
        if !seen.refresh.is_empty() {
            candidates.extend(held.iter().cloned());
        }
        for membership in candidates {
            let Membership { user, group } = membership.clone();
            if !held.contains(&membership) {
                self.state(Effect::RemoveMember { user, group }, &records);
                continue;
            }
            let user_of = item.and_then(|item| read::subject(model, &member.user, object, Some(item)));
            let make_user = user_of.as_ref().and_then(|subject| match self.view.object(subject) {
                Found::Present(_, item) => self.ensure_user(subject, Some(item), false),
                Found::Absent | Found::Unseen => None,
            });
            let make_group = member.made != Made::ByHand;
            let group_of = member.group_of.and_then(|link| read::target(model, link, object, item));
            self.state(Effect::AddMember { user, group, make_group, make_user, group_of, user_of }, &records);
        }
    }

    /// The memberships that the changes seen gave or took; all of an item's where the window of its grant moved.
    fn moved_memberships(&self, object: &Object, seen: &Seen<'_>) -> BTreeSet<Membership> {
        let ty = self.model.item(object.of);
        let view = |image: &Item| (read::memberships(self.model, object, image), read::window(ty, image));
        let mut moved = BTreeSet::new();
        for (_, change) in &seen.changes {
            let (old, old_window) = change.old.as_ref().map(view).unwrap_or_default();
            let (new, new_window) = change.new.as_ref().map(view).unwrap_or_default();
            if old_window == new_window {
                moved.extend(old.symmetric_difference(&new).cloned());
            } else {
                moved.extend(old.into_iter().chain(new));
            }
        }
        moved
    }

    /// The memberships in force; none while it is not known.
    fn held(&mut self, object: &Object, item: Option<&Item>, seen: &Seen<'_>) -> Option<BTreeSet<Membership>> {
        let Some(item) = item else { return Some(BTreeSet::new()) };
        let (model, records) = (self.model, &seen.records());
        if model.item(object.of).grant.as_ref().is_some_and(|grant| !read::in_window(grant, item, self.context.now)) {
            self.note(records, "outside its window: grants nothing now");
            return Some(BTreeSet::new());
        }
        let mut known = true;
        let mut waits = false;
        for (id, link) in model.links_from(object.of) {
            let Some(target) = read::target(model, id, object, Some(item)) else { continue };
            if !link.needed || !matches!(link.up, Up::Key) {
                // It goes with what was removed, so it gives nothing any more, also where it was written later.
                waits |= link.goes
                    && self.removed_parent(link, &target).is_some()
                    && self.has_namesake(id, object, item) == Some(false);
                continue;
            }
            match self.is_there(&target) {
                None => known = false,
                Some(true) => {}
                Some(false) => {
                    waits = true;
                    self.note(records, &format!("waits for {}", self.label(&target)));
                    if matches!(link.find, Find::Index { .. }) {
                        let written = seen.changes.iter().filter_map(|(_, change)| change.recorded_at).max();
                        self.settled.waits_since = self.settled.waits_since.max(written);
                    }
                }
            }
        }
        if !known {
            return None;
        }
        Some(if waits { BTreeSet::new() } else { read::memberships(model, object, item) })
    }

    /// Back-references that no longer stand for anything go, on condition that what referred still is as it was looked at:
    /// one that came back has written its own anew.
    pub(super) fn references(&mut self, object: &Object, seen: &Seen<'_>, truth: Option<(&Key, &Item)>) {
        let model = self.model;
        for (id, link) in model.links_from(object.of) {
            if !matches!(link.find, Find::BackReference) {
                continue;
            }
            let held = truth.and_then(|(_, item)| read::target(model, id, object, Some(item)));
            let images = seen.changes.iter().flat_map(|(_, change)| change.old.iter().chain(&change.new));
            let targets: BTreeSet<Object> =
                images.filter_map(|image| read::target(model, id, object, Some(image))).collect();
            for target in targets.into_iter().filter(|target| held.as_ref() != Some(target)) {
                let checks = match truth {
                    Some((key, item)) => vec![Check { key: key.clone(), expect: self.as_linked(link, object, item) }],
                    None => belonging::absent(model, object),
                };
                let key = bookkeeping::reference_key(model, &target, object);
                let label = format!("back-reference of {}", self.label(&target));
                let actions = vec![Action::Delete { key, expect: Expect::Any }];
                self.write(Phase::Follow, label, (checks, actions), &seen.records());
            }
        }
    }

    /// The last grant of a subject was revoked: the subject goes, if nothing speaks for it.
    pub(super) fn last_revoked(&mut self, object: &Object, seen: &Seen<'_>, item: Option<&Item>) {
        let model = self.model;
        let Some(grant) = &model.item(object.of).grant else { return };
        let (Some(last), Subject::Link(link)) = (&grant.last, &grant.subject) else { return };
        // INVARIANT 2: old captures never end anybody.
        if !self.context.live || item.is_some() || !went(seen) {
            return;
        }
        let Some((_, change)) = seen.changes.iter().rev().find(|(_, change)| change.new.is_none()) else { return };
        let Some(subject) = read::target(model, *link, object, change.old.as_ref()) else { return };
        let Found::Present(key, item) = self.view.object(&subject) else { return };
        if !older(last, item, change) {
            self.note(
                &seen.records(),
                "the last grant, but the subject was written since, or does not say when: it stays",
            );
            return;
        }
        let Some(query) = crate::find::query(model, *link, &subject) else { return };
        let Some(rows) = self.view.rows(&query) else { return };
        let others = rows.iter().filter_map(|row| crate::find::identify(model, row));
        if others.into_iter().any(|(_, other)| other.of == object.of) {
            return;
        }
        let user = read::user_name(model, &subject);
        let end = EndSubject { subject, key, item: item.clone(), user, grants: object.of };
        self.state(Effect::EndSubject(end), &seen.records());
    }
}

/// Whether the subject was last written in a second before that of the revocation: a record's time has no fraction.
fn older(last: &LastRevoked, subject: &Item, change: &Change) -> bool {
    let Some(revoked) = change.recorded_at else { return false };
    let mut written = last.written.iter().filter_map(|name| subject.get(name)).peekable();
    written.peek().is_some()
        && written.all(|value| read::moment(value).is_some_and(|at| at.as_second() < revoked.as_second()))
}
