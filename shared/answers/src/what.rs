//! `what`: the grants of a subject that count, and the permissions that follow; `scopes`: whose grants apply at an item.

use std::collections::BTreeSet;

use instep_model::{Names, Object, Scope, Subject};

use crate::answer::{Answer, Holding, Holdings, Reason};
use crate::can::{SubjectState, earlier};
use crate::evaluation::{Evaluation, EvaluationStop, FoundItem, Read, each};
use crate::grants::{GrantCandidate, GrantFailures, GrantScope, InForce, gaps};
use crate::question::{NamedItem, WantedAccess, grants_of};
use crate::roles::Permitted;
use crate::scopes::ScopeAt;

/// A grant that does not count, and why.
type FailedGrant<'a> = (FoundItem<'a>, Reason);

/// What a role of a grant gives.
struct HeldRole {
    holding: Holding,
    /// The permissions, each with its place.
    permissions: BTreeSet<String>,
    /// Whether there are more roles than a question follows.
    is_cut: bool,
}

impl<'a> Evaluation<'_, 'a> {
    /// What a subject may do.
    pub(crate) fn what(&mut self, asked: &NamedItem) -> Read<Answer> {
        let ahead = self.find(asked.of, &asked.names);
        for of in grants_of(self.model, asked.of) {
            let _ = self.grants_by_subject(of, &Object { of: asked.of, names: asked.names.clone() });
        }
        ahead?;
        let (subject, until) = match self.subject(asked)? {
            SubjectState::Active(found, until) => (found, until),
            SubjectState::Refused(reason) => {
                return Ok(Answer::Holds(Holdings { reasons: [reason].into(), ..Holdings::default() }));
            }
        };
        let mut failures = GrantFailures::default();
        match self.holdings(&subject, &mut failures) {
            Ok(mut holdings) => {
                let with_end = |holding: Holding| Holding { until: earlier(holding.until, until), ..holding };
                holdings.grants = holdings.grants.into_iter().map(with_end).collect();
                holdings.reasons.extend(failures.reasons);
                holdings.near = failures.near;
                Ok(Answer::Holds(holdings))
            }
            Err(EvaluationStop::Undecided) => {
                Ok(Answer::Holds(Holdings { reasons: [Reason::Undecided].into(), ..Holdings::default() }))
            }
            Err(EvaluationStop::Unread) => Err(EvaluationStop::Unread),
        }
    }

    fn holdings(&mut self, subject: &FoundItem<'a>, failures: &mut GrantFailures) -> Read<Holdings> {
        let model = self.model;
        let types = grants_of(model, subject.object.of);
        let found: Vec<Vec<Result<GrantCandidate<'a>, FailedGrant<'a>>>> = each(types, |of| {
            let Some(grant) = self.grant_of(of) else { return Ok(Vec::new()) };
            let grants = match grant.subject {
                Subject::Itself => vec![subject.clone()],
                Subject::Link(_) => self.grants_by_subject(of, &subject.object)?.unwrap_or_else(|| {
                    failures.reasons.insert(Reason::Undecided);
                    Vec::new()
                }),
            };
            let own = grants.into_iter().filter(|found| self.is_subject(grant, found, subject)).collect::<Vec<_>>();
            each(own, |grant| self.candidate(subject, grant))
        })?;
        let mut candidates = Vec::new();
        for found in found.into_iter().flatten() {
            match found {
                Ok(candidate) => candidates.push(candidate),
                Err((grant, reason)) => failures.add(model, &grant, reason),
            }
        }
        let in_force = self.in_force(subject, candidates, failures)?;
        let held: Vec<Vec<Result<HeldRole, Reason>>> = each(&in_force, |grant| self.held(subject, grant))?;
        let mut all = Holdings::default();
        for (in_force, roles) in in_force.iter().zip(held) {
            for role in roles {
                match role {
                    Ok(HeldRole { holding, permissions, is_cut }) => {
                        all.grants.insert(holding);
                        all.permissions.extend(permissions);
                        all.reasons.extend(is_cut.then_some(Reason::Undecided));
                    }
                    Err(reason) => failures.add(model, &in_force.grant, reason),
                }
            }
        }
        Ok(all)
    }

    /// A grant with its scope, or why it has none.
    fn candidate(
        &mut self,
        subject: &FoundItem<'a>,
        found: FoundItem<'a>,
    ) -> Read<Result<GrantCandidate<'a>, FailedGrant<'a>>> {
        let model = self.model;
        let Some(grant) = self.grant_of(found.object.of) else { return Ok(Err((found, Reason::NoGrant))) };
        let scope = match &grant.scope {
            Scope::Global => Some(GrantScope::Everywhere),
            Scope::Value(_) => {
                let text = instep_flow::implied::scope_text(model, grant, &found.object, &found.item);
                text.map(GrantScope::Text)
            }
            Scope::Links(links) => {
                let gaps = gaps(self, grant, subject);
                let at: Vec<Option<Vec<FoundItem<'a>>>> =
                    each(links, |link| self.at(model.link(*link), &found, None, &gaps))?;
                let mut at: Vec<FoundItem<'a>> = at.into_iter().flatten().flatten().collect();
                match (at.pop(), at.is_empty()) {
                    (Some(_), false) => return Ok(Err((found, Reason::Ambiguous))),
                    (at, _) => at.map(GrantScope::Item),
                }
            }
        };
        Ok(match scope {
            Some(scope) => Ok(GrantCandidate { grant: found, scope, by: None }),
            None => Err((found, Reason::ScopeGone)),
        })
    }

    /// What each role of a grant gives, or why the role does not count.
    fn held(&mut self, subject: &FoundItem<'a>, in_force: &InForce<'a>) -> Read<Vec<Result<HeldRole, Reason>>> {
        let Some(grant) = self.grant_of(in_force.grant.object.of) else { return Ok(Vec::new()) };
        let (gaps, at) = (gaps(self, grant, subject), self.place(&in_force.scope));
        each(&in_force.roles, |role| {
            let item = match self.role_item(&in_force.grant, role.as_deref(), &gaps, true)? {
                Ok(item) => item,
                Err(reason) => return Ok(Err(reason)),
            };
            let permitted = match item {
                Some(item) => self.permitted(&item, &|_| false)?,
                None => Permitted::default(),
            };
            let (role, grant) = (role.clone(), self.shown_key(&in_force.grant));
            let holding = Holding { role, at: at.clone(), until: in_force.until, grant };
            let there = |text: String| Holding { role: Some(text), ..holding.clone() }.text();
            let permissions = permitted.permissions.into_iter().map(|given| there(given.permission.text)).collect();
            Ok(Ok(HeldRole { holding, permissions, is_cut: permitted.is_cut }))
        })
    }

    /// The scopes whose grants apply at an item.
    pub(crate) fn scopes(&mut self, at: &NamedItem) -> Read<Answer> {
        self.ask_ahead_at(at, at, &WantedAccess::Access);
        let mut found = self.find(at.of, &at.names)?;
        found.extend(self.assumed(at.of, &at.names).filter(|_| found.is_empty()));
        let Some(start) = found.pop().filter(|_| found.is_empty()) else {
            return Ok(Answer::Scopes(Vec::new()));
        };
        let mut labels = Vec::new();
        self.climb(&start, &Names::new(), &mut |this, level| {
            let items = level.iter().filter_map(|scope| match scope {
                ScopeAt::Item(found) => Some(this.label(found)),
                ScopeAt::Gone(_) => None,
            });
            labels.extend(items);
            Ok(false)
        })?;
        Ok(Answer::Scopes(labels))
    }
}
