//! The last grant of a subject was revoked: disable, delete the item as it was looked at, look again. The Cognito user itself
//! is deleted by the item's own removal record.
//!
//! DynamoDB has no condition "nothing else exists": a grant written between the look and the deletion is found by the look
//! after it, and the item is put back. Until then, some milliseconds, the subject is disabled.

use instep_flow::effect::{Action, EndSubject, EnsureUser, Expect};
use instep_flow::report::Done;
use instep_flow::{find, read};
use instep_model::Subject;

use super::{Applied, Lines, Written};
use crate::call::Failure;
use crate::handler::{Instep, Run};

const OPERATION: &str = "DeleteItem";

impl Instep {
    pub(super) async fn end_subject(&self, end: &EndSubject, run: &Run, lines: &mut Lines) -> Applied {
        let target = find::label_of(&self.model, &end.subject);
        match self.in_any_group(end, run).await {
            Ok(false) => {}
            Ok(true) => {
                lines.add(
                    "dynamodb",
                    OPERATION,
                    target,
                    Done::Undone,
                    Some("Cognito reports other groups of the user".to_owned()),
                );
                return Applied::Left;
            }
            Err(failure) => return Applied::failed("AdminListGroupsForUser", &failure),
        }
        if let Some(user) = &end.user {
            let disabled = self.disable_user(user, run, lines).await;
            if disabled != Applied::Held && disabled != Applied::Left {
                return disabled;
            }
        }
        let unchanged = end.item.iter().map(|(name, value)| (name.clone(), Some(value.clone()))).collect();
        let delete = [Action::Delete { key: end.key.clone(), expect: Expect::Like(unchanged) }];
        match self.write(&[], &delete, run.deadline).await {
            Ok(Written::Done) => lines.add("dynamodb", OPERATION, target, Done::Done, None),
            Ok(Written::Moved) => {
                lines.add("dynamodb", OPERATION, target, Done::Undone, Some("written since: it stays".to_owned()));
                return self.restore(end, false, run, lines).await;
            }
            Err(failure) => return Applied::failed(OPERATION, &failure),
        }
        match self.has_grants(end, run).await {
            Ok(false) => Applied::Held,
            Ok(true) => self.restore(end, true, run, lines).await,
            Err(failure) => Applied::failed("Query", &failure),
        }
    }

    /// Whether Cognito reports a group of the user: people add groups by hand. Those that an identity provider made by itself
    /// do not count.
    async fn in_any_group(&self, end: &EndSubject, run: &Run) -> Result<bool, Failure> {
        let (Some(pool), Some(user)) = (&self.settings.user_pool, &end.user) else { return Ok(false) };
        let provider = format!("{pool}_");
        let mut next = None;
        loop {
            let list = || {
                self.clients
                    .cognito
                    .admin_list_groups_for_user()
                    .user_pool_id(pool)
                    .username(user)
                    .set_next_token(next.clone())
                    .send()
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
            let mut things = page.rows.iter().filter_map(|row| find::identify(&self.model, row));
            if things.any(|(_, thing)| thing.of == end.grants) {
                return Ok(true);
            }
            next = page.next;
            if next.is_none() {
                return Ok(false);
            }
        }
    }

    /// Puts back what was taken from a subject that stays after all.
    async fn restore(&self, end: &EndSubject, deleted: bool, run: &Run, lines: &mut Lines) -> Applied {
        if deleted {
            let put = [Action::Put { key: end.key.clone(), item: end.item.clone(), expect: Expect::Absent }];
            match self.write(&[], &put, run.deadline).await {
                Ok(Written::Done) => {
                    let target = find::label_of(&self.model, &end.subject);
                    lines.add("dynamodb", "PutItem", target, Done::Done, Some("a grant came meanwhile".to_owned()));
                }
                Ok(Written::Moved) => {}
                Err(failure) => return Applied::failed("PutItem", &failure),
            }
        }
        let (Some(user), Some(rule)) = (&end.user, &self.model.item(end.subject.of).user) else {
            return Applied::Moved;
        };
        let state = read::user_state(&self.model, rule, &end.subject, &end.item);
        let ensure = EnsureUser { user: user.clone(), create: rule.create.into(), fresh: false, state };
        match self.ensure_user(&ensure, run, lines).await {
            // Everything is looked at once more: the item may say something else by now.
            Applied::Held => Applied::Moved,
            undone @ (Applied::Left | Applied::Moved | Applied::Failed(_) | Applied::Refused { .. }) => undone,
        }
    }
}
