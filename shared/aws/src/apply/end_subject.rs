//! The last grant of a subject was revoked: its item is deleted as it was looked at, then grants are looked for once more. The
//! Cognito user, which is in no group any more, is deleted by the item's own removal record.
//!
//! DynamoDB has no condition "nothing else exists": a grant written between the look and the deletion is found by the look
//! after it, and the item is put back.

use instep_flow::effect::{Action, EndSubject, Expect};
use instep_flow::find;
use instep_flow::report::Done;
use instep_model::Subject;

use super::{Applied, Lines, Written};
use crate::call::Failure;
use crate::handler::{Instep, Run};

const OPERATION: &str = "TransactWriteItems";

/// Most attributes that the deletion is conditioned on; an expression holds 4 KB. Of an item with more, those that say when it
/// was written. Source: DynamoDB developer guide, "Service, account, and table quotas".
const CONDITION_ATTRIBUTES_MAX: usize = 100;

impl Instep {
    pub(super) async fn end_subject(&self, end: &EndSubject, run: &Run, lines: &mut Lines) -> Applied {
        let target = find::label_of(&self.model, &end.subject);
        match self.in_any_group(end, run).await {
            Ok(false) => {}
            Ok(true) => {
                let why = "Cognito reports other groups of the user".to_owned();
                lines.add("dynamodb", OPERATION, target, Done::Undone, Some(why));
                return Applied::Left;
            }
            Err(failure) => return Applied::failed("AdminListGroupsForUser", &failure),
        }
        // INVARIANT 2: whether it was this or somebody else who deleted the item must be known also where an answer was lost.
        let delete = Action::Delete { key: end.key.clone(), expect: self.unchanged(end) };
        match self.transact(&[], &[delete], run.deadline).await {
            Ok(Written::Done) => lines.add("dynamodb", OPERATION, target, Done::Done, None),
            Ok(Written::Moved) => {
                let why = "written or deleted since: it is left".to_owned();
                lines.add("dynamodb", OPERATION, target, Done::Undone, Some(why));
                return Applied::Moved;
            }
            Err(failure) => return Applied::failed(OPERATION, &failure),
        }
        match self.has_grants(end, run).await {
            Ok(false) => Applied::Held,
            Ok(true) => self.put_back(end, run, lines).await,
            Err(failure) => Applied::failed("Query", &failure),
        }
    }

    /// The condition that the item still is as it was looked at, and has none of the attributes that the model names besides: what came
    /// meanwhile would be lost where the item is put back.
    fn unchanged(&self, end: &EndSubject) -> Expect {
        let last = self.model.item(end.grants).grant.as_ref().and_then(|grant| grant.last.as_ref());
        let written = last.map_or(&[][..], |last| last.written.as_slice());
        let few = end.item.len() <= CONDITION_ATTRIBUTES_MAX;
        let attributes = end.item.iter().filter(|(name, _)| few || written.contains(name));
        let ty = self.model.item(end.subject.of);
        let disabled = ty.user.iter().flat_map(|user| &user.disabled).map(|(name, _)| name);
        let absent = ty.attributes.iter().chain(written).chain(disabled).filter(|name| !end.item.contains_key(*name));
        let seen = attributes.map(|(name, value)| (name.clone(), Some(value.clone())));
        Expect::Like(seen.chain(absent.map(|name| (name.clone(), None))).collect())
    }

    /// Whether Cognito reports a group of the user: people add groups by hand. Those that an identity provider made by itself
    /// do not count.
    async fn in_any_group(&self, end: &EndSubject, run: &Run) -> Result<bool, Failure> {
        let (Some(pool), Some(user)) = (&self.settings.user_pool, &end.user) else { return Ok(false) };
        let provider = format!("{pool}_");
        let mut next = None;
        loop {
            let list = || {
                let request = self.clients.cognito.admin_list_groups_for_user().user_pool_id(pool).username(user);
                request.set_next_token(next.clone()).send()
            };
            let answer = match self.cognito_call(run, list).await {
                Ok(answer) => answer,
                Err(failure) if failure.is("UserNotFoundException") => return Ok(false),
                Err(failure) => return Err(failure),
            };
            if answer.groups().iter().filter_map(|group| group.group_name()).any(|name| !name.starts_with(&provider)) {
                return Ok(true);
            }
            // INVARIANT 8: a user has at most 100 groups, so the pages end.
            next = answer.next_token;
            if next.is_none() {
                return Ok(false);
            }
        }
    }

    async fn has_grants(&self, end: &EndSubject, run: &Run) -> Result<bool, Failure> {
        let grant = self.model.item(end.grants).grant.as_ref();
        let Some(Subject::Link(link)) = grant.map(|grant| &grant.subject) else { return Ok(false) };
        let Some(query) = find::query(&self.model, *link, &end.subject) else { return Ok(false) };
        let mut next = None;
        loop {
            let page = self.rows(&query, next, super::spread::PAGE_ROWS, run.deadline).await?;
            let mut objects = page.rows.iter().filter_map(|row| find::identify(&self.model, row));
            if objects.any(|(_, object)| object.of == end.grants) {
                return Ok(true);
            }
            next = page.next;
            if next.is_none() {
                return Ok(false);
            }
        }
    }

    /// Puts back the item of a subject that stays after all; its own records do the rest.
    async fn put_back(&self, end: &EndSubject, run: &Run, lines: &mut Lines) -> Applied {
        let put = [Action::Put { key: end.key.clone(), item: end.item.clone(), expect: Expect::Absent }];
        match self.write(&[], &put, run.deadline).await {
            Ok(Written::Done) => {
                let target = find::label_of(&self.model, &end.subject);
                lines.add("dynamodb", "PutItem", target, Done::Done, Some("a grant came meanwhile".to_owned()));
                Applied::Moved
            }
            // Somebody else wrote it.
            Ok(Written::Moved) => Applied::Moved,
            Err(failure) => Applied::failed("PutItem", &failure),
        }
    }
}
