//! What differs in Cognito.

use std::collections::BTreeSet;

use instep_model::{ExtraPolicy, Model};

use super::whole::ImpliedUser;
use super::{Compared, TransitionKind};
use crate::effect::CreatePolicy;
use crate::implied::Membership;
use crate::queries;
use crate::sweep::{About, PoolUser};

impl Compared<'_> {
    pub(super) fn cognito(&mut self) {
        self.members();
        self.users();
        self.groups();
    }

    fn members(&mut self) {
        let (old, new) = (&self.old.1, &self.new.1);
        let text = |member: &Membership| About::Member(member.clone()).to_string();
        for member in new.members.difference(&self.pool.members) {
            self.found.add(TransitionKind::Given, text(member));
        }
        let kept: BTreeSet<&Membership> = new.refused().flat_map(|meaning| &meaning.members).collect();
        let is_removed = removes(self.old.0.extra_members, self.new.0.extra_members);
        // Of what is in tokens from now on, the setting says what follows.
        let is_in_pool = |member: &&Membership| !self.new.0.is_token_group(&member.group);
        for member in self.pool.members.difference(&new.members).filter(is_in_pool) {
            if old.members.contains(member) {
                if !kept.contains(member) {
                    self.found.add(TransitionKind::Taken, text(member));
                }
            } else if is_removed {
                self.found.add(TransitionKind::SweptMembers, text(member));
            } else {
                self.found.add(TransitionKind::Unimplied, text(member));
            }
        }
    }

    fn users(&mut self) {
        let (old, new) = (&self.old.1, &self.new.1);
        for (name, implied) in &new.users {
            let Some(user) = self.pool.users.get(name) else {
                if implied.create != CreatePolicy::Never {
                    self.found.add(TransitionKind::NewUsers, name);
                }
                continue;
            };
            // What differed before is drift, which a sweep lists.
            let is_new = old.users.get(name).is_none_or(|was| !was.is_like(implied));
            if let Some(differs) = differing(user, implied).filter(|_| is_new) {
                self.found.add(TransitionKind::UserState, format!("{name}: {differs}"));
            }
            for what in old.users.get(name).map(|was| unmanaged(user, was, implied)).unwrap_or_default() {
                self.found.add(TransitionKind::Unmanaged, format!("{name}: {what} stays"));
            }
        }
        let kept: BTreeSet<&String> =
            new.refused().filter_map(|meaning| meaning.user.as_ref()).map(|user| &user.name).collect();
        let is_removed = removes(self.old.0.extra_users, self.new.0.extra_users);
        for name in self.pool.users.keys().filter(|name| !new.users.contains_key(*name)) {
            if old.users.contains_key(name) {
                if !kept.contains(name) {
                    self.found.add(TransitionKind::LeftUsers, name);
                }
            } else if is_removed && !queries::objects_with_user(self.new.0, name).is_empty() {
                self.found.add(TransitionKind::SweptUsers, name);
            }
        }
    }

    fn groups(&mut self) {
        let (old, new) = (&self.old.1, &self.new.1);
        for (name, settings) in &new.groups {
            match self.pool.groups.get(name) {
                None => self.found.add(TransitionKind::NewGroups, name),
                Some(group) => {
                    let lacking = settings.lacking(&group.settings);
                    let is_new = old.groups.get(name) != Some(settings);
                    if is_new && (lacking.precedence.is_some() || lacking.iam_role.is_some()) {
                        self.found.add(TransitionKind::GroupSettings, name);
                    }
                }
            }
        }
        let kept: BTreeSet<&String> = new.refused().flat_map(|meaning| &meaning.groups).collect();
        let is_in_token = |name: &String| self.new.0.is_token_group(name);
        let is_left =
            |name: &&String| old.groups.contains_key(*name) && !new.groups.contains_key(*name) && !is_in_token(name);
        for name in self.pool.groups.keys().filter(is_left) {
            if is_by_hand(self.new.0, name) {
                self.found.add(TransitionKind::PeoplesGroups, name);
            } else if !kept.contains(name) {
                self.found.add(TransitionKind::LeftGroups, name);
            }
        }
    }
}

/// Whether the new model lets a sweep remove what the old one only reported.
fn removes(was: ExtraPolicy, is: ExtraPolicy) -> bool {
    was == ExtraPolicy::Report && is == ExtraPolicy::Remove
}

/// Whether a model leaves a group to people.
fn is_by_hand(model: &Model, group: &str) -> bool {
    queries::with_members(model, group).any(|(_, rule, _)| rule.is_by_hand())
}

/// How a user differs from what a model says.
fn differing(user: &PoolUser, implied: &ImpliedUser) -> Option<String> {
    let mut differs: Vec<&str> = Vec::new();
    if implied.is_state_managed && user.enabled != implied.state.enabled {
        differs.push(if implied.state.enabled { "is enabled" } else { "is disabled" });
    }
    let wrong = implied.state.attributes.iter().filter(|(name, value)| {
        let actual = user.attributes.get(*name).map(String::as_str).unwrap_or_default();
        value.as_deref().unwrap_or_default() != actual
    });
    differs.extend(wrong.map(|(name, _)| name.as_str()));
    (!differs.is_empty()).then(|| differs.join(", "))
}

/// What only the old model managed of a user, and what the user has of it.
fn unmanaged(user: &PoolUser, was: &ImpliedUser, is: &ImpliedUser) -> Vec<String> {
    let has = |name: &&String| user.attributes.get(*name).is_some_and(|text| !text.is_empty());
    let names = was.state.attributes.keys().filter(|name| !is.state.attributes.contains_key(*name));
    let mut found: Vec<String> = names.filter(has).cloned().collect();
    if was.is_state_managed && !is.is_state_managed && !user.enabled {
        found.push("disabled".to_owned());
    }
    found
}
