//! A membership that several items can imply stays until none of them does.

use std::collections::BTreeSet;

use instep_model::{CognitoMember, Object, Subject};

use super::Pass;
use super::refusal::Refusal;
use crate::effect::AddMember;
use crate::implied::{self, Membership};
use crate::known::{Known, all, first};
use crate::plan::Mentions;
use crate::queries;

impl Pass<'_> {
    /// The effect that adds a membership which `object` does not imply, if another item does. An error
    /// if too many items could: then the membership stays as it is.
    pub(super) fn another_that_implies(
        &mut self,
        object: &Object,
        mentions: &Mentions,
        membership: &Membership,
    ) -> Known<Result<Option<AddMember>, Refusal>> {
        let model = self.model;
        let mut rules = model.item(object.of).members.iter();
        if rules.clone().all(|rule| rule.shared_with.is_empty()) {
            return Ok(Ok(None));
        }
        let Some(image) = self.image_naming(object, mentions, membership) else { return Ok(Ok(None)) };
        let names = |rule: &&CognitoMember| implied::memberships_of(model, rule, object, image).contains(membership);
        let Some(member) = rules.find(names).filter(|member| !member.shared_with.is_empty()) else {
            return Ok(Ok(None));
        };
        let Some(user) = implied::subject(model, &member.user, object, Some(image)) else { return Ok(Ok(None)) };
        let others = || member.shared_with.iter().flat_map(|of| &model.item(*of).members);
        if others().any(|other| self.is_found_by_index(&other.user)) {
            self.ask_once_more_late(object, image, mentions);
        }
        let implied = first(self.objects_of_user(member, object, &user)?, |other| {
            first(self.view.items(&other)?, |(_, item)| {
                let implies = implied::memberships(model, &other, item).contains(membership)
                    && self.desired_memberships(&other, item, mentions)?.contains(membership);
                Ok(implies.then(|| self.add_member(&other, item, mentions, membership.clone())))
            })
        });
        if let Ok(Some(add)) = implied {
            return Ok(Ok(add));
        }
        let unread = others().filter_map(|other| match other.user {
            Subject::Link(link) if self.has_unread_dependents(link, &user) => Some(link),
            Subject::Link(_) | Subject::Itself => None,
        });
        for link in unread.collect::<Vec<_>>() {
            // Without the user, none of them is in force.
            if !model.link(link).needed || self.exists(&user)? {
                return implied.map(|_| Err(Refusal::TooManyItems));
            }
        }
        implied.map(|_| Ok(None))
    }

    /// The other objects that can imply a membership of a user.
    fn objects_of_user(&mut self, member: &CognitoMember, object: &Object, user: &Object) -> Known<BTreeSet<Object>> {
        let model = self.model;
        let rules =
            member.shared_with.iter().flat_map(|of| model.item(*of).members.iter().map(move |rule| (*of, rule)));
        let found: Vec<BTreeSet<Object>> = all(rules, |(of, rule)| {
            let Subject::Link(link) = &rule.user else { return Ok(BTreeSet::from([user.clone()])) };
            let rows = self.dependents_of(*link, user)?.into_iter().flatten();
            Ok(rows.filter_map(|row| queries::dependent(model, *link, row)).filter(|found| found.of == of).collect())
        })?;
        Ok(found.into_iter().flatten().filter(|found| found != object).collect())
    }

    /// Reconciles a membership that `object` implies once more if a run over another item that can
    /// imply it finds `object` only by an index: that run may have queried the index before it
    /// showed `object`, and may remove the membership after this run adds it.
    pub(super) fn confirm_shared(&mut self, object: &Object, mentions: &Mentions, membership: &Membership) {
        let model = self.model;
        let rules = model.item(object.of).members.iter();
        let mut by_index = rules.filter(|rule| !rule.shared_with.is_empty() && self.is_found_by_index(&rule.user));
        if by_index.clone().next().is_none() {
            return;
        }
        let Some(image) = self.image_naming(object, mentions, membership) else { return };
        if by_index.any(|rule| implied::memberships_of(model, rule, object, image).contains(membership)) {
            self.ask_once_more_late(object, image, mentions);
        }
    }

    /// Whether only an index leads from a user to the items that refer to it.
    fn is_found_by_index(&self, user: &Subject) -> bool {
        matches!(user, Subject::Link(link) if self.model.link(*link).find.queries_index())
    }
}
