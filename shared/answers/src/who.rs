//! `who`: the subjects that may do something at a scope: its grants lead to them, and each is checked as `can` does.

use std::collections::BTreeSet;

use instep_model::{Keep, Link, LinkId, Model, Names, Object, Scope, Subject, ToDependents, TypeId, WayQuery, Within};

use crate::answer::{Answer, Holder, Holders, Reason};
use crate::cursor;
use crate::evaluation::{Evaluation, EvaluationStop, FoundItem, Read, each};
use crate::question::{AskedPlace, NamedItem, RefusedQuestion, WantedAccess, check_item, label};
use crate::scopes::{ScopeAt, conveying};

/// The subjects that one page checks.
pub const PAGE_SUBJECTS: usize = 100;

/// The subjects that grants lead to.
struct Candidates {
    subjects: BTreeSet<Object>,
    /// Whether these are all.
    is_complete: bool,
}

/// The types of what an item of this type is in, and its own.
fn types_above(model: &Model, of: TypeId) -> BTreeSet<TypeId> {
    let mut seen: BTreeSet<TypeId> = BTreeSet::new();
    let mut open = vec![of];
    while let Some(of) = open.pop() {
        if !seen.insert(of) {
            continue;
        }
        if let Some(Within::Items(links)) = &model.item(of).within {
            open.extend(links.iter().map(|link| link.to));
        }
        let from = conveying(model, of).into_iter().flat_map(|(_, conveys, _)| &conveys.from);
        open.extend(from.map(|link| model.link(*link).to));
    }
    seen
}

/// The references of grants to scopes of these types.
fn to_scopes<'m>(model: &'m Model, types: &'m BTreeSet<TypeId>) -> impl Iterator<Item = (TypeId, LinkId, &'m Link)> {
    let links = model.types().flat_map(|(of, ty)| match ty.grant.as_ref().map(|grant| &grant.scope) {
        Some(Scope::Links(links)) => links.iter().map(|link| (of, *link)).collect(),
        Some(Scope::Global | Scope::Value(_)) | None => Vec::new(),
    });
    links.map(|(of, id)| (of, id, model.link(id))).filter(|(_, _, link)| types.contains(&link.to))
}

/// The types of grants whose scope is a text, and the names of those with this text.
fn with_text(model: &Model, text: &str) -> Vec<(TypeId, Names)> {
    let read = |(of, ty): (TypeId, &instep_model::ItemType)| match &ty.grant.as_ref()?.scope {
        Scope::Value(template) => Some((of, model.read_text(of, template, text)?)),
        Scope::Links(_) | Scope::Global => None,
    };
    model.types().filter_map(read).collect()
}

/// Whether Instep keeps what leads to items of a type through an index: others may be missing there.
fn is_kept(model: &Model, of: TypeId, index: Option<usize>) -> bool {
    let Some(place) = index else { return true };
    let own = model.item(of).index_keys.iter().find(|keys| keys.index == place);
    let index = model.index_at(place);
    let is_of_table =
        |attributes: &Vec<String>| attributes.contains(&model.table.pk) || attributes.contains(&model.table.sk);
    own.is_some_and(|keys| keys.keep != Keep::No) || is_of_table(&index.pk) && index.sk.as_ref().is_none_or(is_of_table)
}

/// Whether `who` lists everybody, in words, by the type of the scope.
#[must_use]
pub fn who_lists(model: &Model) -> Vec<(String, String)> {
    let all: BTreeSet<TypeId> = model.types().map(|(of, _)| of).collect();
    let scopes: BTreeSet<TypeId> = to_scopes(model, &all).map(|(_, _, link)| link.to).collect();
    let names = |types: BTreeSet<TypeId>| {
        types.into_iter().map(|of| model.item(of).name.as_str()).collect::<Vec<_>>().join(", ")
    };
    let everywhere = |(of, ty): (TypeId, &instep_model::ItemType)| {
        ty.grant.as_ref().is_some_and(|grant| matches!(grant.scope, Scope::Global)).then_some(of)
    };
    let everywhere: BTreeSet<TypeId> = model.types().filter_map(everywhere).collect();
    let says = |of: TypeId| {
        let types = types_above(model, of);
        let lost = to_scopes(model, &types).filter(|(_, _, link)| !link.leads_down()).map(|(of, ..)| of);
        let lost: BTreeSet<TypeId> = lost.collect();
        if to_scopes(model, &types).all(|(_, _, link)| !link.leads_down()) {
            return format!("refused: no key, index or back-reference leads to {}", names(lost));
        }
        let is_late =
            |of: TypeId, link: &Link| link.find.queries().iter().any(|query| !is_kept(model, of, query.index));
        let unkept = to_scopes(model, &types).filter(|(of, _, link)| is_late(*of, link)).map(|(of, ..)| of);
        let lacks = [
            (lost, "nothing leads to"),
            (unkept.collect(), "Instep does not keep the index that leads to"),
            (everywhere.clone(), "no scope leads to grants that count everywhere:"),
        ];
        let lacks: Vec<String> = lacks
            .into_iter()
            .filter(|(of, _)| !of.is_empty())
            .map(|(of, why)| format!("{why} {}", names(of)))
            .collect();
        if lacks.is_empty() { "complete".to_owned() } else { format!("not complete: {}", lacks.join("; ")) }
    };
    scopes.into_iter().map(|of| (model.item(of).name.clone(), says(of))).collect()
}

/// Whether anything leads from a place to grants there.
pub(crate) fn check_who(model: &Model, at: &AskedPlace) -> Result<(), RefusedQuestion> {
    let name = |of: TypeId| model.item(of).name.clone();
    let (place, leading): (String, Vec<(TypeId, bool)>) = match at {
        AskedPlace::Nowhere => return Err(RefusedQuestion::NoPlace),
        AskedPlace::Item(at) => {
            check_item(model, at, &[])?;
            let types = types_above(model, at.of);
            let links = to_scopes(model, &types);
            (format!("a {}", name(at.of)), links.map(|(of, _, link)| (of, link.leads_down())).collect())
        }
        AskedPlace::Text(text) => {
            let leading = with_text(model, text).into_iter();
            let leading = leading.map(|(of, names)| (of, !model.ways_to_find(of, &names).is_empty()));
            (format!("`{text}`"), leading.collect())
        }
    };
    if leading.is_empty() {
        return Err(RefusedQuestion::NoScope { subject: "anybody".to_owned(), at: place });
    }
    if leading.iter().any(|(_, leads)| *leads) {
        return Ok(());
    }
    let grants: BTreeSet<String> = leading.into_iter().map(|(of, _)| format!("`{}`", name(of))).collect();
    Err(RefusedQuestion::NoWayBack { at: place, grants: grants.into_iter().collect::<Vec<_>>().join(", ") })
}

/// The subject after which a page begins.
pub(crate) fn after(model: &Model, from: Option<&str>) -> Result<Option<Object>, RefusedQuestion> {
    let Some(from) = from else { return Ok(None) };
    let read = || {
        let (of, names): (String, Names) = cursor::decode(from)?;
        Some(Object { of: model.type_named(&of)?, names })
    };
    read().map(Some).ok_or(RefusedQuestion::Cursor)
}

impl<'a> Evaluation<'_, 'a> {
    /// The subjects that may do something at a place.
    pub(crate) fn who(&mut self, at: &AskedPlace, wanted: &WantedAccess, after: Option<&Object>) -> Read<Answer> {
        let model = self.model;
        let has_everywhere =
            model.items.iter().any(|ty| ty.grant.as_ref().is_some_and(|grant| matches!(grant.scope, Scope::Global)));
        let mut found = Candidates { subjects: BTreeSet::new(), is_complete: !has_everywhere };
        let collected = match at {
            AskedPlace::Nowhere => Ok(None),
            AskedPlace::Item(at) => self.subjects_at(at, &mut found),
            AskedPlace::Text(text) => self.subjects_at_text(text, &mut found).map(|()| None),
        };
        let mut holders = Holders::default();
        match collected {
            Ok(None) => {}
            Ok(Some(reason)) => {
                holders.reasons.insert(reason);
                return Ok(Answer::Who(holders));
            }
            Err(EvaluationStop::Undecided) => drop(holders.reasons.insert(Reason::Undecided)),
            Err(EvaluationStop::Unread) => return Err(EvaluationStop::Unread),
        }
        let secret = found.subjects.len();
        // INVARIANT 9: no answer tells anything of a secret item.
        found.subjects.retain(|subject| !model.item(subject.of).secret);
        found.is_complete &= found.subjects.len() == secret;
        let mut rest = found.subjects.into_iter().filter(|subject| after.is_none_or(|after| subject > after));
        let page: Vec<Object> = rest.by_ref().take(PAGE_SUBJECTS).collect();
        if rest.next().is_some() {
            let last = page.last().map(|last| (model.item(last.of).name.clone(), last.names.clone()));
            holders.next = last.map(|last| cursor::encode(&last));
        }
        let checked: Vec<(String, Answer)> = each(page, |subject| {
            let named = NamedItem { of: subject.of, names: subject.names.clone() };
            let answer = self.can(&named, wanted, at)?;
            let items = self.find(subject.of, &subject.names)?;
            let item = items.first().map(|found| &*found.item);
            Ok((label(model, &subject, item), answer))
        })?;
        holders.is_complete = found.is_complete;
        for (subject, answer) in checked {
            match answer {
                Answer::Allow(allowed) => holders.subjects.push(Holder { subject, allowed }),
                Answer::Deny(denied) if denied.reasons.contains(&Reason::Undecided) => {
                    holders.reasons.insert(Reason::Undecided);
                }
                Answer::Deny(_) | Answer::Holds(_) | Answer::Scopes(_) | Answer::Who(_) => {}
            }
        }
        holders.is_complete &= holders.reasons.is_empty();
        Ok(Answer::Who(holders))
    }

    /// Collects the subjects of the grants at an item and at what it is in. A reason if there is no such item.
    fn subjects_at(&mut self, at: &NamedItem, found: &mut Candidates) -> Read<Option<Reason>> {
        self.ask_ahead_at(at, at, &WantedAccess::Access);
        let mut items = self.find(at.of, &at.names)?;
        items.extend(self.assumed(at.of, &at.names).filter(|_| items.is_empty()));
        let Some(start) = items.pop() else { return Ok(Some(Reason::NoScope)) };
        if !items.is_empty() {
            return Ok(Some(Reason::Ambiguous));
        }
        self.climb(&start, &Names::new(), &mut |this, level| {
            let items: Vec<&FoundItem<'a>> = level
                .iter()
                .filter_map(|scope| match scope {
                    ScopeAt::Item(found) => Some(found),
                    ScopeAt::Gone(_) => None,
                })
                .collect();
            let of_level: Vec<Candidates> = each(items, |scope| this.subjects_of(scope))?;
            for candidates in of_level {
                found.subjects.extend(candidates.subjects);
                found.is_complete &= candidates.is_complete;
            }
            Ok(false)
        })?;
        Ok(None)
    }

    /// The subjects of the grants at one scope.
    fn subjects_of(&mut self, scope: &FoundItem<'a>) -> Read<Candidates> {
        let model = self.model;
        let types: BTreeSet<TypeId> = [scope.object.of].into();
        let links: Vec<_> = to_scopes(model, &types).collect();
        let found: Vec<Candidates> = each(links, |(of, id, link)| {
            let mut found = Candidates { subjects: BTreeSet::new(), is_complete: true };
            let grants = match self.dependents(of, id, &scope.object) {
                Ok(Some(grants)) => grants,
                Ok(None) | Err(EvaluationStop::Undecided) => {
                    found.is_complete = false;
                    return Ok(found);
                }
                Err(EvaluationStop::Unread) => return Err(EvaluationStop::Unread),
            };
            if let ToDependents::Queries(queries) = &link.find {
                found.is_complete = queries.iter().all(|query| is_kept(model, of, query.index));
            }
            let there: Vec<FoundItem<'a>> =
                grants.into_iter().filter(|grant| self.leads_to(link, grant, scope)).collect();
            let subjects: Vec<Vec<Object>> = each(there, |grant| self.subjects_of_grant(&grant))?;
            found.subjects.extend(subjects.into_iter().flatten());
            Ok(found)
        })?;
        let is_led = self.is_led_without_subject(scope)?;
        let is_complete = is_led && found.iter().all(|found| found.is_complete);
        Ok(Candidates { subjects: found.into_iter().flat_map(|found| found.subjects).collect(), is_complete })
    }

    /// Whether what an item is in is found without a name that a subject would fill in.
    fn is_led_without_subject(&mut self, scope: &FoundItem<'a>) -> Read<bool> {
        let model = self.model;
        let Some(Within::Items(links)) = &model.item(scope.object.of).within else { return Ok(true) };
        let shared: BTreeSet<&String> =
            model.items.iter().filter_map(|ty| ty.grant.as_ref()).flat_map(|grant| &grant.same).collect();
        let none = Names::new();
        let led: Vec<bool> = each(links, |link| {
            let Some(names) = self.names_at(link, scope, None, &none) else { return Ok(true) };
            let lacks = |name: &&&String| model.may_be_found_by(link.to, name) && !names.contains_key(**name);
            if !shared.iter().any(|name| lacks(&name)) {
                return Ok(true);
            }
            Ok(self.at(link, scope, None, &none)?.is_none_or(|found| found.len() == 1))
        })?;
        Ok(!led.contains(&false))
    }

    fn subjects_at_text(&mut self, text: &str, found: &mut Candidates) -> Read<()> {
        let model = self.model;
        for (of, names) in with_text(model, text) {
            let ways = model.ways_to_find(of, &names);
            let is_led = |query: &WayQuery| is_kept(model, of, query.index);
            found.is_complete &= !ways.is_empty() && ways.queries.iter().all(is_led);
            let grants = self.find(of, &names)?;
            let subjects: Vec<Vec<Object>> = each(grants, |grant| self.subjects_of_grant(&grant))?;
            found.subjects.extend(subjects.into_iter().flatten());
        }
        Ok(())
    }

    /// The subjects that a grant can mean. Each is checked afterwards.
    fn subjects_of_grant(&mut self, grant: &FoundItem<'a>) -> Read<Vec<Object>> {
        match self.grant_of(grant.object.of).map(|grant| &grant.subject) {
            None => Ok(Vec::new()),
            Some(Subject::Itself) => Ok(vec![grant.object.clone()]),
            Some(Subject::Link(link)) => {
                let found = self.at(self.model.link(*link), grant, None, &Names::new())?;
                Ok(found.into_iter().flatten().map(|found| found.object).collect())
            }
        }
    }
}
