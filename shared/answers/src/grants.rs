//! Grants: how those of a subject at a scope are found, and which of them count.

use std::collections::{BTreeMap, BTreeSet};

use instep_flow::queries::{self, LinkQuery};
use instep_flow::{implied, mask, valid};
use instep_model::{
    Grant, Item, Key, LinkId, Model, Names, Object, Roles, Scope, Subject, ToDependents, TypeId, beginning, end,
    first_value,
};
use jiff::Timestamp;

use crate::answer::{EVERYWHERE, GrantKey, NearGrant, Reason};
use crate::evaluation::{Evaluation, FoundItem, Read, each};
use crate::question::{WantedAccess, grants_of};
use crate::scopes::ScopeAt;

/// Where a grant applies.
#[derive(Debug, Clone)]
pub(crate) enum GrantScope<'a> {
    Everywhere,
    Text(String),
    Item(FoundItem<'a>),
}

/// A grant of the subject, and the scope for which it was found.
#[derive(Debug, Clone)]
pub(crate) struct GrantCandidate<'a> {
    pub(crate) grant: FoundItem<'a>,
    pub(crate) scope: GrantScope<'a>,
    /// The reference by which it names the scope, if the scope was asked for.
    pub(crate) by: Option<LinkId>,
}

/// A grant that is in force, without its roles.
#[derive(Debug)]
pub(crate) struct InForce<'a> {
    pub(crate) grant: FoundItem<'a>,
    pub(crate) scope: GrantScope<'a>,
    /// The roles. A grant without roles has one that is `None`.
    pub(crate) roles: Vec<Option<String>>,
    /// When its window closes.
    pub(crate) until: Option<Timestamp>,
}

/// Why grants do not count.
#[derive(Debug, Clone, Default)]
pub(crate) struct GrantFailures {
    pub(crate) reasons: BTreeSet<Reason>,
    pub(crate) near: BTreeSet<NearGrant>,
}

impl GrantFailures {
    /// Adds a grant that fails one rule.
    pub(crate) fn add(&mut self, model: &Model, grant: &FoundItem<'_>, reason: Reason) {
        self.reasons.insert(reason);
        if let Some(grant) = shown_key(model, grant) {
            self.near.insert(NearGrant { grant, reason });
        }
    }
}

/// The key of an item, as answers show it. INVARIANT 9: not that of a secret item.
fn shown_key(model: &Model, found: &FoundItem<'_>) -> Option<GrantKey> {
    found.key.as_ref().filter(|key| mask::key(model, key).is_some()).cloned().map(GrantKey::from)
}

/// The names that a grant must share with its subject, with the subject's values.
pub(crate) fn gaps(evaluation: &Evaluation<'_, '_>, grant: &Grant, subject: &FoundItem<'_>) -> Names {
    let shared = grant.same.iter();
    shared.filter_map(|name| Some((name.clone(), evaluation.value(subject, name)?.into_owned()))).collect()
}

impl<'a> Evaluation<'_, 'a> {
    /// The grant of an item type.
    pub(crate) fn grant_of(&self, of: TypeId) -> Option<&'a Grant> {
        self.model.item(of).grant.as_ref()
    }

    /// The names that the grants of a subject have: `None` if its items are their own subject.
    pub(crate) fn names_of_subject(&self, of: TypeId, subject: &Names) -> Option<Names> {
        match self.grant_of(of)?.subject {
            Subject::Itself => None,
            Subject::Link(link) => Some(self.model.names_before(self.model.link(link), subject)),
        }
    }

    /// The names of the grants of a subject at a scope: one for each reference that can lead there.
    pub(crate) fn names_of_grants(
        &self,
        of: TypeId,
        subject: &Names,
        scope: &Object,
        wanted: &WantedAccess,
    ) -> Vec<(LinkId, Names)> {
        let Some(grant) = self.grant_of(of) else { return Vec::new() };
        // An item that is its own subject is its own grant.
        let of_subject = self.names_of_subject(of, subject).unwrap_or_else(|| subject.clone());
        let Scope::Links(links) = &grant.scope else { return Vec::new() };
        let to_scope = links.iter().filter(|link| self.model.link(**link).to == scope.of);
        let both = to_scope.filter_map(|link| {
            let of_scope = self.model.names_before(self.model.link(*link), &scope.names);
            let differs = |(name, text): (&String, &String)| of_scope.get(name).is_some_and(|other| other != text);
            if of_subject.iter().any(differs) {
                return None;
            }
            let mut names = of_subject.clone();
            names.extend(of_scope);
            Some((*link, self.with_role(grant, names, wanted)))
        });
        both.collect()
    }

    /// A role that is a name in the key of its grant leads to the grant.
    pub(crate) fn with_role(&self, grant: &Grant, mut names: Names, wanted: &WantedAccess) -> Names {
        if let (Roles::Template(template), WantedAccess::Role(role)) = (&grant.roles, wanted) {
            let mut in_role = template.names();
            if let (Some(name), None) = (in_role.next(), in_role.next())
                && template.source() == format!("{{{name}}}")
            {
                names.insert(name.to_owned(), role.clone());
            }
        }
        names
    }

    /// The grants of a type that an object may have, as the object finds its dependents. `None` if the model leaves them to a
    /// sweep.
    pub(crate) fn grants_by_subject(&mut self, of: TypeId, subject: &Object) -> Read<Option<Vec<FoundItem<'a>>>> {
        let Some(Subject::Link(id)) = self.grant_of(of).map(|grant| &grant.subject) else {
            return Ok(Some(Vec::new()));
        };
        self.dependents(of, *id, subject)
    }

    /// The items of a subject that is its own grant: one under each spelling of its key.
    fn spellings(&mut self, subject: &FoundItem<'a>) -> Read<Vec<FoundItem<'a>>> {
        let found = self.find_each(subject.object.of, &subject.object.names)?;
        // What `due` rules have changed by now is in the subject.
        let as_now = |found: FoundItem<'a>| if found.key == subject.key { subject.clone() } else { found };
        Ok(found.into_iter().map(as_now).collect())
    }

    /// The items of a type that an object finds by a reference to it. `None` if the model leaves them to a sweep.
    pub(crate) fn dependents(&mut self, of: TypeId, id: LinkId, object: &Object) -> Read<Option<Vec<FoundItem<'a>>>> {
        let model = self.model;
        let parts: Vec<LinkQuery> = queries::queries(model, id).collect();
        if parts.is_empty() {
            return Ok(None);
        }
        let found: Vec<Vec<FoundItem<'a>>> = each(parts, |part| {
            let Some(query) = queries::query(model, part, object) else { return Ok(Vec::new()) };
            let rows = self.rows_of(&query)?;
            if !queries::is_by_index(model, part) && matches!(model.link(id).find, ToDependents::Queries(_)) {
                return Ok(rows.iter().filter_map(|row| self.as_found(of, model.table.key_of(row)?, row)).collect());
            }
            let shown: Vec<Object> = rows.iter().filter_map(|row| queries::dependent(model, row)).collect();
            let items: Vec<Vec<_>> = each(shown, |shown| Ok(self.view.items(&shown)?))?;
            Ok(items.into_iter().flatten().filter_map(|(key, item)| self.as_found(of, key, item)).collect())
        })?;
        let mut single: BTreeMap<Option<Key>, FoundItem<'a>> = BTreeMap::new();
        for found in found.into_iter().flatten() {
            single.entry(found.key.clone()).or_insert(found);
        }
        Ok(Some(single.into_values().collect()))
    }

    /// The grants of a subject that are found without any scope: its own, and those that count everywhere.
    pub(crate) fn grants_everywhere(
        &mut self,
        subject: &FoundItem<'a>,
        failures: &mut GrantFailures,
    ) -> Read<Vec<GrantCandidate<'a>>> {
        let types = grants_of(self.model, subject.object.of);
        let found: Vec<Vec<GrantCandidate<'a>>> = each(types, |of| {
            let Some(grant) = self.grant_of(of).filter(|grant| matches!(grant.scope, Scope::Global)) else {
                return Ok(Vec::new());
            };
            let candidates = match grant.subject {
                Subject::Itself => self.spellings(subject)?,
                Subject::Link(_) => self.grants_by_subject(of, &subject.object)?.unwrap_or_else(|| {
                    failures.reasons.insert(Reason::Undecided);
                    Vec::new()
                }),
            };
            let own = candidates.into_iter().filter(|found| self.is_subject(grant, found, subject));
            Ok(own.map(|grant| GrantCandidate { grant, scope: GrantScope::Everywhere, by: None }).collect())
        })?;
        Ok(found.into_iter().flatten().collect())
    }

    /// The grants of a subject whose scope is this text.
    pub(crate) fn grants_at_text(
        &mut self,
        subject: &FoundItem<'a>,
        text: &str,
        wanted: &WantedAccess,
    ) -> Read<Vec<GrantCandidate<'a>>> {
        let model = self.model;
        let types = grants_of(model, subject.object.of);
        let found: Vec<Vec<GrantCandidate<'a>>> = each(types, |of| {
            let Some(grant) = self.grant_of(of) else { return Ok(Vec::new()) };
            let Scope::Value(template) = &grant.scope else { return Ok(Vec::new()) };
            let Some(of_scope) = model.read_text(of, template, text) else { return Ok(Vec::new()) };
            let candidates = match self.names_of_subject(of, &subject.object.names) {
                None => self.spellings(subject)?,
                Some(mut names) => {
                    names.extend(of_scope);
                    self.find_each(of, &self.with_role(grant, names, wanted))?
                }
            };
            let is_there = |found: &FoundItem<'a>| {
                let scope = implied::scope_text(model, grant, &found.object, &found.item);
                self.is_subject(grant, found, subject) && scope.as_deref() == Some(text)
            };
            let there = candidates.into_iter().filter(is_there);
            Ok(there
                .map(|grant| GrantCandidate { grant, scope: GrantScope::Text(text.to_owned()), by: None })
                .collect())
        })?;
        Ok(found.into_iter().flatten().collect())
    }

    /// The grants of a subject at these scopes. Those at a scope that does not exist are failures.
    pub(crate) fn grants_at(
        &mut self,
        subject: &FoundItem<'a>,
        scopes: &[ScopeAt<'a>],
        wanted: &WantedAccess,
        failures: &mut GrantFailures,
    ) -> Read<Vec<GrantCandidate<'a>>> {
        let model = self.model;
        let mut asked = Vec::new();
        for of in grants_of(model, subject.object.of) {
            for scope in scopes {
                let names = self.names_of_grants(of, &subject.object.names, scope.object(), wanted);
                asked.extend(names.into_iter().map(|(link, names)| (of, scope, link, names)));
            }
        }
        let found: Vec<Vec<_>> = each(asked, |(of, scope, link, names)| {
            let found = self.find_each(of, &names)?;
            Ok(found.into_iter().map(|grant| (grant, scope, link)).collect())
        })?;
        let mut candidates = Vec::new();
        for (found, scope, link) in found.into_iter().flatten() {
            let Some(grant) = self.grant_of(found.object.of) else { continue };
            if !self.is_subject(grant, &found, subject) {
                continue;
            }
            match scope {
                ScopeAt::Gone(object) => {
                    let names = model.reference_names(model.link(link), &found.object.names, Some(&found.item), None);
                    if names.is_some_and(|names| model.agrees(&names, object)) {
                        failures.add(model, &found, Reason::ScopeGone);
                    }
                }
                ScopeAt::Item(item) => {
                    if self.leads_to(model.link(link), &found, item) {
                        candidates.push(GrantCandidate {
                            grant: found,
                            scope: GrantScope::Item(item.clone()),
                            by: Some(link),
                        });
                    }
                }
            }
        }
        Ok(candidates)
    }

    /// Whether a grant names this subject.
    pub(crate) fn is_subject(&self, grant: &Grant, found: &FoundItem<'_>, subject: &FoundItem<'_>) -> bool {
        match grant.subject {
            Subject::Itself => found.object == subject.object,
            Subject::Link(link) => self.leads_to(self.model.link(link), found, subject),
        }
    }

    /// The grants that are in force at this moment: those whose item asks for nothing impossible, whose condition holds and
    /// whose window is open, whose subject and scope have in common what they must, and whose other items exist.
    pub(crate) fn in_force(
        &mut self,
        subject: &FoundItem<'a>,
        candidates: Vec<GrantCandidate<'a>>,
        failures: &mut GrantFailures,
    ) -> Read<Vec<InForce<'a>>> {
        let checked: Vec<(GrantCandidate<'a>, Result<InForceParts, Option<Reason>>)> = each(candidates, |candidate| {
            let checked = self.check(subject, &candidate)?;
            Ok((candidate, checked))
        })?;
        let mut counting = Vec::new();
        for (GrantCandidate { grant, scope, .. }, checked) in checked {
            match checked {
                Ok((roles, until)) => counting.push(InForce { grant, scope, roles, until }),
                Err(Some(reason)) => failures.add(self.model, &grant, reason),
                Err(None) => {}
            }
        }
        Ok(counting)
    }

    /// The roles and the end of a grant that is in force, or the rule that it fails. It may be none that an answer names.
    fn check(
        &mut self,
        subject: &FoundItem<'a>,
        GrantCandidate { grant: found, scope, by }: &GrantCandidate<'a>,
    ) -> Read<Result<InForceParts, Option<Reason>>> {
        let (model, now) = (self.model, self.now);
        let Some(grant) = self.grant_of(found.object.of) else { return Ok(Err(None)) };
        if !grant.when.holds(&found.object.names, &found.item) {
            return Ok(Err(Some(Reason::Condition)));
        }
        let until = match window(grant, &found.item, now) {
            Ok(until) => until,
            Err(reason) => return Ok(Err(Some(reason))),
        };
        // The record of such an item is parked, and it grants nothing.
        if valid::item(model, &found.object, &found.item).is_err() {
            return Ok(Err(None));
        }
        let is_alike = self.is_alike(grant, subject, scope);
        let (is_pending, is_set_aside) = (self.is_pending(found), self.is_set_aside(found));
        let is_clear = self.is_clear(grant, subject, (found, scope, *by));
        if !is_alike? {
            return Ok(Err(Some(Reason::Tenant)));
        }
        if is_pending? || is_set_aside? {
            return Ok(Err(Some(Reason::Pending)));
        }
        if !is_clear? {
            return Ok(Err(Some(Reason::Ambiguous)));
        }
        let roles = implied::roles(model, &found.object, &found.item);
        Ok(if roles.is_empty() { Err(None) } else { Ok((roles, until)) })
    }

    /// Whether a grant names one subject and one scope.
    fn is_clear(
        &mut self,
        grant: &Grant,
        subject: &FoundItem<'a>,
        (found, scope, by): (&FoundItem<'a>, &GrantScope<'a>, Option<LinkId>),
    ) -> Read<bool> {
        let model = self.model;
        let gaps = gaps(self, grant, subject);
        let of_subject = match grant.subject {
            Subject::Itself => Ok(true),
            Subject::Link(link) => self.leads_to_one(model.link(link), found, subject, &gaps),
        };
        let of_scope = match (scope, by) {
            (GrantScope::Item(scope), Some(link)) => self.leads_to_one(model.link(link), found, scope, &gaps),
            (GrantScope::Item(_) | GrantScope::Everywhere | GrantScope::Text(_), _) => Ok(true),
        };
        Ok(of_subject? && of_scope?)
    }

    /// Whether subject and scope have in common what the grant says. If the item of the scope does not say it, what it is in
    /// has to.
    fn is_alike(&mut self, grant: &Grant, subject: &FoundItem<'a>, scope: &GrantScope<'a>) -> Read<bool> {
        let GrantScope::Item(scope) = scope else { return Ok(true) };
        let alike: Vec<bool> = each(&grant.same, |name| {
            let own = self.value(subject, name).map(std::borrow::Cow::into_owned);
            let there = self.value(scope, name).map(std::borrow::Cow::into_owned);
            let there = match (&own, there) {
                (Some(own), None) => {
                    let gap = Names::from([(name.clone(), own.clone())]);
                    let up = self.within(scope, &gap)?;
                    up.iter().find_map(|scope| match scope {
                        ScopeAt::Item(found) => Some(self.value(found, name)?.into_owned()),
                        ScopeAt::Gone(_) => None,
                    })
                }
                (_, there) => there,
            };
            Ok(own == there)
        })?;
        Ok(!alike.contains(&false))
    }

    /// The key of a grant, as answers show it.
    pub(crate) fn shown_key(&self, grant: &FoundItem<'_>) -> Option<GrantKey> {
        shown_key(self.model, grant)
    }

    /// The name of a scope in answers.
    pub(crate) fn place(&self, scope: &GrantScope<'_>) -> String {
        match scope {
            GrantScope::Everywhere => EVERYWHERE.to_owned(),
            GrantScope::Text(text) => text.clone(),
            GrantScope::Item(found) => self.label(found),
        }
    }
}

type InForceParts = (Vec<Option<String>>, Option<Timestamp>);

/// When the window of a grant closes, if it is open.
fn window(grant: &Grant, item: &Item, now: Timestamp) -> Result<Option<Timestamp>, Reason> {
    let from = first_value(item, &grant.from).map(|(_, value)| beginning(value).ok_or(Reason::BadTime)).transpose()?;
    let until = first_value(item, &grant.until).map(|(_, value)| end(value).ok_or(Reason::BadTime)).transpose()?;
    if from.is_some_and(|from| from > now) {
        return Err(Reason::NotYet);
    }
    if until.is_some_and(|until| until <= now) {
        return Err(Reason::Ended);
    }
    Ok(until)
}
