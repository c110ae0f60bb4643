//! `can`: whether a subject may do something somewhere.

use std::collections::BTreeSet;

use instep_flow::due;
use instep_model::{Names, Object, Scope, Subject, TypeId, Within};
use jiff::Timestamp;

use crate::answer::{Allowed, Answer, Denied, NEAR_MAX, Reason};
use crate::evaluation::{Evaluation, EvaluationStop, FoundItem, Read, each};
use crate::grants::{GrantCandidate, GrantFailures, InForce, gaps};
use crate::question::{AskedPlace, NamedItem, WantedAccess, grants_of, permissions, shared_names};
use crate::roles::{GivenPermission, RoleItem};
use crate::scopes::{conveying, leading_parts, others_of_grant};

/// The levels of scopes that are asked for before anything is known.
const LEVELS_AHEAD: usize = 8;

/// What a subject is.
pub(crate) enum SubjectState<'a> {
    /// It exists, and may do what its grants say until this moment.
    Active(FoundItem<'a>, Option<Timestamp>),
    /// It may do nothing.
    Refused(Reason),
}

impl<'a> Evaluation<'_, 'a> {
    /// Whether a subject may do something.
    pub(crate) fn can(&mut self, subject: &NamedItem, wanted: &WantedAccess, at: &AskedPlace) -> Read<Answer> {
        let _ = self.find(subject.of, &subject.names);
        match at {
            AskedPlace::Nowhere => {}
            AskedPlace::Item(at) => self.ask_ahead_at(subject, at, wanted),
            AskedPlace::Text(text) => self.ask_ahead_at_text(subject, text, wanted),
        }
        let (subject, until) = match self.subject(subject)? {
            SubjectState::Active(found, until) => (found, until),
            SubjectState::Refused(reason) => return Ok(deny(reason)),
        };
        let mut failures = GrantFailures::default();
        match self.decide(&subject, wanted, at, &mut failures) {
            Ok(Some(mut allowed)) => {
                allowed.until = earlier(allowed.until, until);
                return Ok(Answer::Allow(allowed));
            }
            Ok(None) => {}
            Err(EvaluationStop::Undecided) => drop(failures.reasons.insert(Reason::Undecided)),
            Err(EvaluationStop::Unread) => return Err(EvaluationStop::Unread),
        }
        if failures.reasons.is_empty() {
            failures.reasons.insert(Reason::NoGrant);
        }
        let near = failures.near.into_iter().take(NEAR_MAX).collect();
        Ok(Answer::Deny(Denied { reasons: failures.reasons, near }))
    }

    fn decide(
        &mut self,
        subject: &FoundItem<'a>,
        wanted: &WantedAccess,
        at: &AskedPlace,
        failures: &mut GrantFailures,
    ) -> Read<Option<Allowed>> {
        let everywhere = self.grants_everywhere(subject, failures);
        let start = match at {
            AskedPlace::Item(at) => match self.scope(subject, at)? {
                Ok(found) => Some(found),
                Err(reason) => {
                    failures.reasons.insert(reason);
                    return Ok(None);
                }
            },
            AskedPlace::Nowhere | AskedPlace::Text(_) => None,
        };
        let mut candidates = everywhere?;
        if let AskedPlace::Text(text) = at {
            candidates.extend(self.grants_at_text(subject, text, wanted)?);
        }
        let found = self.first_that_counts(subject, candidates, wanted, failures);
        let Some(start) = start else { return found };
        let mut allowed = None;
        let gaps = self.gaps_of(subject);
        let climbed = self.climb(&start, &gaps, &mut |this, level| {
            let candidates = this.grants_at(subject, level, wanted, failures)?;
            allowed = this.first_that_counts(subject, candidates, wanted, failures)?;
            Ok(allowed.is_some())
        });
        // A grant that counts everywhere is asked for in the same rounds as those at scopes.
        match found? {
            Some(found) => Ok(Some(found)),
            None => climbed.map(|()| allowed),
        }
    }

    /// The subject's values of all names that grants must share with it.
    pub(crate) fn gaps_of(&self, subject: &FoundItem<'_>) -> Names {
        let grants = grants_of(self.model, subject.object.of).into_iter().filter_map(|of| self.grant_of(of));
        grants.flat_map(|grant| gaps(self, grant, subject)).collect()
    }

    /// The subject, with what `due` rules have changed by now, although the clock may not have written it yet.
    pub(crate) fn subject(&mut self, asked: &NamedItem) -> Read<SubjectState<'a>> {
        let model = self.model;
        let mut found = self.find(asked.of, &asked.names)?;
        let Some(mut subject) = found.pop() else { return Ok(SubjectState::Refused(Reason::NoSubject)) };
        if !found.is_empty() {
            return Ok(SubjectState::Refused(Reason::Ambiguous));
        }
        let is_disabled = |item: &instep_model::Item, object: &Object| {
            let disabled = model.item(object.of).user.as_ref().and_then(|user| user.disabled.as_ref());
            disabled.is_some_and(|disabled| disabled.holds(&object.names, item))
        };
        let mut until = None;
        for (at, item) in due::applied(model, &subject.object, &subject.item) {
            if at <= self.now {
                subject.item = std::borrow::Cow::Owned(item);
            } else if is_disabled(&item, &subject.object) {
                until = earlier(until, Some(at));
            }
        }
        if is_disabled(&subject.item, &subject.object) {
            return Ok(SubjectState::Refused(Reason::Disabled));
        }
        Ok(SubjectState::Active(subject, until))
    }

    /// The item at which something is to be done. The subject's values fill in what the question does not say.
    fn scope(&mut self, subject: &FoundItem<'a>, asked: &NamedItem) -> Read<Result<FoundItem<'a>, Reason>> {
        let model = self.model;
        let gaps = self.gaps_of(subject).into_iter().filter(|(name, _)| model.may_be_found_by(asked.of, name));
        let mut names: Names = gaps.collect();
        names.extend(asked.names.clone());
        let mut found = self.find(asked.of, &names)?;
        if found.is_empty() {
            found.extend(self.assumed(asked.of, &asked.names));
        }
        let Some(scope) = found.pop() else { return Ok(Err(Reason::NoScope)) };
        if !found.is_empty() {
            return Ok(Err(Reason::Ambiguous));
        }
        let is_proven = self.proves(&scope, asked, subject.object.of)?;
        Ok(if is_proven { Ok(scope) } else { Err(Reason::NoScope) })
    }

    /// Whether a scope has the names that a question gives: by itself, or by what it is in.
    ///
    /// INVARIANT 2: nobody gets an answer about an item by putting it where it is not.
    fn proves(&mut self, scope: &FoundItem<'a>, asked: &NamedItem, subject: TypeId) -> Read<bool> {
        // Each grant has to prove those that it shares with its subject.
        let shared = shared_names(self.model, subject);
        let mut unproven = asked.names.clone();
        unproven.retain(|name, _| !shared.contains(&name) && self.value(scope, name).is_none());
        if unproven.is_empty() {
            return Ok(true);
        }
        let mut left = unproven.clone();
        let mut differs = false;
        self.climb(scope, &unproven, &mut |this, level| {
            for scope in level {
                let crate::scopes::ScopeAt::Item(found) = scope else { continue };
                left.retain(|name, text| match this.value(found, name) {
                    Some(value) => {
                        differs |= *value != *text;
                        false
                    }
                    None => true,
                });
            }
            Ok(left.is_empty() || differs)
        })?;
        Ok(left.is_empty() && !differs)
    }

    /// Of the grants that count, the one that counts the longest.
    fn first_that_counts(
        &mut self,
        subject: &FoundItem<'a>,
        candidates: Vec<GrantCandidate<'a>>,
        wanted: &WantedAccess,
        failures: &mut GrantFailures,
    ) -> Read<Option<Allowed>> {
        let model = self.model;
        let in_force = self.in_force(subject, candidates, failures)?;
        let asked = if let WantedAccess::Permission(text) = wanted { permissions(model, text) } else { Vec::new() };
        let is_asked = |given: &GivenPermission| {
            let permits = model.item(given.by_type).permits.as_ref();
            let mut asked = asked.iter().filter(|(of, _)| *of == given.by_type);
            permits.is_some_and(|permits| asked.any(|(_, asked)| permits.allows(&given.permission, asked)))
        };
        let checked: Vec<Vec<Result<Allowed, Reason>>> =
            each(&in_force, |grant| self.roles_that_count(subject, grant, wanted, &is_asked))?;
        let mut best: Option<Allowed> = None;
        for (grant, checked) in in_force.iter().zip(checked) {
            for role in checked {
                match role {
                    Ok(allowed) if best.as_ref().is_none_or(|best| lasts_longer(&allowed, best)) => {
                        best = Some(allowed)
                    }
                    Ok(_) => {}
                    Err(reason) => failures.add(model, &grant.grant, reason),
                }
            }
        }
        Ok(best)
    }

    /// The roles of a grant that allow it, or why each does not.
    fn roles_that_count(
        &mut self,
        subject: &FoundItem<'a>,
        in_force: &InForce<'a>,
        wanted: &WantedAccess,
        is_asked: &dyn Fn(&GivenPermission) -> bool,
    ) -> Read<Vec<Result<Allowed, Reason>>> {
        let Some(grant) = self.grant_of(in_force.grant.object.of) else { return Ok(Vec::new()) };
        let gaps = gaps(self, grant, subject);
        let mut roles: Vec<Option<String>> = in_force.roles.clone();
        if let WantedAccess::Role(wanted) = wanted {
            roles.retain(|role| role.as_ref() == Some(wanted));
            if roles.is_empty() {
                return Ok(vec![Err(Reason::NotPermitted)]);
            }
        }
        each(roles, |role| {
            let needs_permission = matches!(wanted, WantedAccess::Permission(_));
            let item: RoleItem<'a> = self.role_item(&in_force.grant, role.as_deref(), &gaps, needs_permission)?;
            let item = match item {
                Ok(item) => item,
                Err(reason) => return Ok(Err(reason)),
            };
            let permitted_by = if needs_permission {
                let Some(item) = item else { return Ok(Err(Reason::NotPermitted)) };
                let permitted = self.permitted(&item, is_asked)?;
                match permitted.permissions.into_iter().find(|given| is_asked(given)) {
                    Some(given) => Some(given.by),
                    None if permitted.is_cut => return Ok(Err(Reason::Undecided)),
                    None => return Ok(Err(Reason::NotPermitted)),
                }
            } else {
                None
            };
            let (grant, at) = (self.shown_key(&in_force.grant), self.place(&in_force.scope));
            Ok(Ok(Allowed { grant, role, at, permitted_by, until: in_force.until, same: gaps.clone() }))
        })
    }

    /// Asks for what the names of a question lead to, unproven: the scope, what it is in, and the grants there. It is read in the
    /// first round, and proven afterwards.
    pub(crate) fn ask_ahead_at(&mut self, subject: &NamedItem, at: &NamedItem, wanted: &WantedAccess) {
        let model = self.model;
        let mut level: Vec<(TypeId, Names)> = vec![(at.of, at.names.clone())];
        let mut seen: BTreeSet<(TypeId, Names)> = level.iter().cloned().collect();
        for _ in 0..LEVELS_AHEAD {
            let mut up = Vec::new();
            for (of, names) in level {
                let _ = self.find(of, &names);
                let object = Object { of, names };
                for grant in grants_of(model, subject.of) {
                    for (_, names) in self.names_of_grants(grant, &subject.names, &object, wanted) {
                        self.ask_for_grant(grant, names);
                    }
                }
                self.ask_ahead_along_edges(&object, &mut up);
                match &model.item(of).within {
                    None => {}
                    Some(Within::Path { name, separator }) => {
                        let above = leading_parts(&object, name, separator).into_iter().take(crate::scopes::SCOPES_MAX);
                        up.extend(above.map(|object| (object.of, object.names)));
                    }
                    Some(Within::Items(links)) => up.extend(links.iter().filter_map(|link| {
                        let mut names = at.names.clone();
                        names.retain(|name, _| model.may_be_found_by(link.to, name));
                        names.extend(model.reference_names(link, &object.names, None, None)?);
                        Some((link.to, names))
                    })),
                }
            }
            level = up.into_iter().filter(|at| seen.insert(at.clone())).collect();
            if level.is_empty() {
                return;
            }
        }
    }

    /// Asks for the edges that convey access to an object, and notes what they are seen to lead to.
    fn ask_ahead_along_edges(&mut self, object: &Object, up: &mut Vec<(TypeId, Names)>) {
        let model = self.model;
        for (edge, conveys, names_of) in conveying(model, object.of) {
            let names = names_of(&object.names);
            let _ = self.find(edge, &names);
            up.extend(self.far_ends_shown(edge, &names, conveys));
        }
    }

    /// Asks for a grant, and for what else it needs that its names lead to.
    fn ask_for_grant(&mut self, of: TypeId, names: Names) {
        let model = self.model;
        let _ = self.find(of, &names);
        for (_, link) in others_of_grant(model, of) {
            if let Some(names) = model.reference_names(link, &names, None, None) {
                let _ = self.find(link.to, &names);
            }
        }
    }

    fn ask_ahead_at_text(&mut self, subject: &NamedItem, text: &str, wanted: &WantedAccess) {
        let model = self.model;
        for of in grants_of(model, subject.of) {
            let Some(grant) = self.grant_of(of) else { continue };
            let Scope::Value(template) = &grant.scope else { continue };
            let (Subject::Link(_), Some(of_scope)) = (&grant.subject, model.read_text(of, template, text)) else {
                continue;
            };
            if let Some(mut names) = self.names_of_subject(of, &subject.names) {
                names.extend(of_scope);
                self.ask_for_grant(of, self.with_role(grant, names, wanted));
            }
        }
    }
}

fn deny(reason: Reason) -> Answer {
    Answer::Deny(Denied { reasons: [reason].into(), ..Denied::default() })
}

/// The earlier of two moments. `None` is never.
pub(crate) fn earlier(one: Option<Timestamp>, other: Option<Timestamp>) -> Option<Timestamp> {
    match (one, other) {
        (Some(one), Some(other)) => Some(one.min(other)),
        (one, other) => one.or(other),
    }
}

fn lasts_longer(one: &Allowed, other: &Allowed) -> bool {
    match (one.until, other.until) {
        (None, Some(_)) => true,
        (Some(one), Some(other)) => one > other,
        (_, None) => false,
    }
}
