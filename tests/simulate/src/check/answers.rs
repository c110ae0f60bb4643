//! Answers of a drained world: the grants that count are those whose memberships the table implies.

use std::collections::BTreeMap;

use instep_answers::{Answer, Asking, AskingStep, GrantKey, Holdings, NamedItem, Question, Reason};
use instep_flow::transition::StoredTable;
use instep_model::{GroupOwner, Link, LinkId, Object, Scope, Subject, ToParent};
use jiff::Timestamp;

use crate::implied::ImpliedRow;
use crate::watch::Watch;

/// Promise 1: what answers say and what the table implies, where they differ.
pub(super) fn wrong(watch: &Watch, now: Timestamp) -> Vec<String> {
    let (implied, model) = (&watch.implied, &watch.implied.model);
    let table = implied.rows().values().map(|row| row.item.clone());
    let table = StoredTable::new([model, model], table.chain(implied.books.values().cloned()).collect());
    let mut held: BTreeMap<Object, Option<Holdings>> = BTreeMap::new();
    let mut wrong = Vec::new();
    for (key, row) in implied.rows() {
        let Some(subject) = subject(watch, row) else { continue };
        let holdings = held.entry(subject.clone()).or_insert_with(|| {
            let subject = NamedItem { of: subject.of, names: subject.names.clone() };
            let mut asking = Asking::new(model, Question::What { subject }, now).ok()?;
            loop {
                match asking.next() {
                    AskingStep::Read(asks) => asking.read(table.answers(&asks, None)),
                    AskingStep::Done(Answer::Holds(holdings)) => break Some(holdings),
                    AskingStep::Done(Answer::Allow(_) | Answer::Deny(_) | Answer::Scopes(_) | Answer::Who(_)) => {
                        break None;
                    }
                }
            }
        });
        let Some(holdings) = holdings else { continue };
        // Who is disabled keeps memberships, and may do nothing.
        if holdings.reasons.contains(&Reason::Disabled) {
            continue;
        }
        let grant = GrantKey::from(key.clone());
        let counts = holdings.grants.iter().any(|held| held.grant.as_ref() == Some(&grant));
        let (surely, maybe) = implied.in_force(row);
        if surely && !counts {
            wrong.push(format!(
                "1: no answer counts {} | {}, whose memberships the table implies: {:?}",
                key.pk, key.sk, holdings.reasons
            ));
        }
        if counts && !maybe {
            wrong.push(format!("2: an answer counts {} | {}, which implies no membership", key.pk, key.sk));
        }
    }
    wrong
}

/// The subject of a grant, if it can be compared: it has memberships of the same user, everything that it needs is named by
/// whole keys, memberships wait for its scope and the items of its roles as answers do, and for no list of groups: an answer
/// does not ask whether one of them exists.
fn subject(watch: &Watch, row: &ImpliedRow) -> Option<Object> {
    let (implied, model) = (&watch.implied, &watch.implied.model);
    let ty = model.item(row.object.of);
    let grant = ty.grant.as_ref()?;
    let Subject::Link(link) = grant.subject else { return None };
    let is_of_subject = |user: &Subject| matches!(user, Subject::Link(user) if *user == link);
    let is_whole = |link: &Link| matches!(link.up, ToParent::Key);
    let is_listed = |group: &GroupOwner| matches!(group, GroupOwner::Link(link, _) if model.link(*link).each.is_some());
    let mut needed = model.links_from(row.object.of).filter(|(_, link)| link.needed || link.deleted_with);
    let is_needed = |link: &LinkId| model.link(*link).needed;
    let scopes = if let Scope::Links(links) = &grant.scope { links.as_slice() } else { &[] };
    let is_comparable = !ty.members.is_empty()
        && ty
            .members
            .iter()
            .all(|member| is_of_subject(&member.user) && member.when.is_empty() && !is_listed(&member.group_owner))
        && scopes.iter().chain(&grant.role_links).all(is_needed)
        && grant.same.is_empty()
        && needed.all(|(_, link)| is_whole(link));
    if !is_comparable {
        return None;
    }
    implied.target(link, &row.object, &row.item)
}
