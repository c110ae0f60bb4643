//! Last revocations: a subject is deleted with its last grant, and restored if it has a grant after
//! all.

use super::Pass;
use crate::effect::{Answer, Ask, Effect, Write};
use crate::message::Hand;
use crate::rules::Rule;
use crate::table::{Item, Record, Tombstone};
use crate::world::{Link, Object};

impl Pass<'_> {
    /// Deletes the subject of a revoked grant if it has no other grant. Restores a subject that was
    /// deleted and has a grant.
    pub(super) fn last_revoked(&mut self, grant: Object, hand: &Hand, item: Option<Item>) {
        let Object::Grant(user, _) = grant else { return };
        let user = Object::User(user);
        if item.is_some() {
            return self.restore_of_grant(user);
        }
        let mut removals = hand.changes.iter().filter(|seen| seen.record.new.is_none());
        let Some(seen) = removals.next_back() else { return };
        match self.item(user) {
            None => {}
            Some(None) => drop(self.restore_if_granted(user)),
            Some(Some(item)) if !seen.replayed || !self.has(Rule::ReplayRevokesNoSubject) => {
                self.delete_subject(user, item, seen.record);
            }
            Some(Some(_)) => {}
        }
    }

    fn delete_subject(&mut self, user: Object, item: Item, revoked: Record) {
        let was_written_since = item.written >= revoked.at;
        if was_written_since || !self.has_revoked_all(user) {
            return;
        }
        let before = self.tombstone(user);
        if self.has(Rule::GrantsInHandCount) && self.has_grant_in_hand(user) != Some(false) {
            return;
        }
        if self.other_grants(user) != Some(false) || self.has_other_groups(user) != Some(false) {
            return;
        }
        let Some(before) = before else { return };
        let kept = self.has(Rule::KeepSubject).then_some(item);
        let tombstone = Tombstone { removed_at: self.started_at, kept };
        self.write(Write::DeleteSubject { user, item, tombstone, before });
    }

    /// Whether this run has removed every membership of a user that it has to remove.
    fn has_revoked_all(&self, user: Object) -> bool {
        let mut removals = self.desired.effects.iter().filter(|effect| match effect {
            Effect::RemoveMember(member) => Object::User(member.user) == user,
            Effect::WriteReference { .. }
            | Effect::DeleteGroup(..)
            | Effect::DeleteUser(_)
            | Effect::EnsureUser(..)
            | Effect::EnsureGroup(..)
            | Effect::AddMember(..)
            | Effect::Write(_)
            | Effect::HandOn(_)
            | Effect::Continue(_) => false,
        });
        removals.all(|effect| self.is_applied(effect))
    }

    /// Whether this run holds a grant of a subject that exists. `None` while it is not known.
    fn has_grant_in_hand(&mut self, user: Object) -> Option<bool> {
        let of_user = |object: &&Object| self.world.target(Link::GrantOfUser, **object, 1) == Some(user);
        let grants: Vec<Object> = self.plan.hands.keys().filter(of_user).copied().collect();
        self.any_exists(&grants)
    }

    fn any_exists(&mut self, objects: &[Object]) -> Option<bool> {
        let exist: Vec<Option<bool>> = objects.iter().map(|object| self.exists(*object)).collect();
        if exist.contains(&Some(true)) {
            return Some(true);
        }
        exist.iter().all(Option::is_some).then_some(false)
    }

    /// Whether a subject has a grant. `None` while it is not known. What an index or a
    /// back-reference shows is read by its key.
    fn other_grants(&mut self, user: Object) -> Option<bool> {
        let (rows, _) = self.rows(Ask::Grants(user))?;
        let grants: Vec<Object> = rows.into_iter().map(|(row, _)| row).collect();
        self.any_exists(&grants)
    }

    /// Whether Cognito reports groups of the user from which this run has not removed it. `None`
    /// while it is not known.
    fn has_other_groups(&mut self, user: Object) -> Option<bool> {
        let Object::User(name) = user else { return Some(false) };
        let groups = match self.answer(Ask::Groups(name))? {
            Answer::Groups(groups) => groups.clone(),
            Answer::Item(_) | Answer::Tombstone(_) | Answer::Rows(..) => return None,
        };
        let removed = |membership| self.memory.applied.contains(&Effect::RemoveMember(membership));
        Some(!groups.into_iter().all(removed))
    }

    /// A grant exists without its subject: the subject is restored if a last revocation deleted it.
    fn restore_of_grant(&mut self, user: Object) {
        if self.has(Rule::GrantRestores)
            && self.item(user) == Some(None)
            && let Some(Some(tombstone)) = self.tombstone(user)
            && tombstone.kept.is_some()
        {
            self.write(Write::Restore { user, tombstone });
        }
    }

    /// Restores a subject that a last revocation deleted, if it has a grant. Whether it has; `None`
    /// while it is not known.
    pub(super) fn restore_if_granted(&mut self, user: Object) -> Option<bool> {
        let Some(tombstone) = self.tombstone(user)?.filter(|tombstone| tombstone.kept.is_some()) else {
            return Some(false);
        };
        let granted = self.other_grants(user)?;
        if granted {
            self.write(Write::Restore { user, tombstone });
        }
        Some(granted)
    }

    /// Whether a subject's removal is that of its last revocation, or an earlier one. `None` while
    /// it is not known.
    pub(super) fn own_last_revocation(&mut self, user: Object, hand: &Hand) -> Option<bool> {
        if !self.world.is_last(Link::GrantOfUser) || !matches!(user, Object::User(_)) {
            return Some(false);
        }
        let Some(tombstone) = self.tombstone(user)? else { return Some(false) };
        let mut removals = hand.changes.iter().filter(|seen| seen.record.new.is_none()).map(|seen| seen.record);
        let (Some(kept), Some(last)) = (tombstone.kept, removals.next_back()) else { return Some(false) };
        Some(last.at < tombstone.removed_at || last.old == Some(kept))
    }

    /// A subject that exists again needs no kept item: a later removal has another cause.
    pub(super) fn forget_kept_item(&mut self, user: Object) {
        if self.world.is_last(Link::GrantOfUser)
            && matches!(user, Object::User(_))
            && let Some(Some(tombstone)) = self.tombstone(user)
            && tombstone.kept.is_some()
        {
            self.write(Write::Forget { user, tombstone });
        }
    }
}
