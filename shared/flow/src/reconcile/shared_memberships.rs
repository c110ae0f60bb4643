//! A membership that several items can imply stays until none of them does.

use instep_model::{CognitoMember, LinkId, Object, Subject, TypeId};

use super::Pass;
use super::refusal::Refusal;
use crate::askers::{Askers, askers};
use crate::effect::AddMember;
use crate::implied::{self, Membership};
use crate::known::{Known, first};
use crate::plan::Mentions;

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
        let others: Vec<_> = askers(model, membership, Some(&user))
            .into_iter()
            .filter(|(of, _)| member.shared_with.contains(of))
            .collect();
        if others.iter().any(|(_, askers)| matches!(askers, Askers::Of(link, _) if self.is_found_by_index(*link))) {
            self.ask_once_more_late(object, image, mentions);
        }
        let implied = first(&others, |(of, askers)| {
            let objects = self.objects_of(*of, askers)?.into_iter().flatten();
            first(objects.filter(|other| other != object), |other| self.member_by(&other, membership, mentions))
        });
        if let Ok(Some(add)) = implied {
            return Ok(Ok(Some(add)));
        }
        for (_, askers) in &others {
            let Askers::Of(link, user) = askers else { continue };
            // Without the user, none of them is in force.
            if self.has_unread_dependents(*link, user) && (!model.link(*link).needed || self.exists(user)?) {
                return implied.map(|_| Err(Refusal::TooManyItems));
            }
        }
        implied.map(|_| Ok(None))
    }

    /// Reconciles a membership that `object` implies once more if a run over another item that can
    /// imply it finds `object` only by an index: that run may have queried the index before it
    /// showed `object`, and may remove the membership after this run adds it.
    pub(super) fn confirm_shared(&mut self, object: &Object, mentions: &Mentions, membership: &Membership) {
        let model = self.model;
        let mut rules = model.item(object.of).members.iter().filter(|rule| !rule.shared_with.is_empty());
        let is_by_index = |rule: &&CognitoMember| matches!(rule.user, Subject::Link(id) if self.is_found_by_index(id));
        if !rules.clone().any(|rule| is_by_index(&rule)) {
            return;
        }
        let Some(image) = self.image_naming(object, mentions, membership) else { return };
        let names = |rule: &&CognitoMember| implied::memberships_of(model, rule, object, image).contains(membership);
        let Some(rule) = rules.find(|rule| is_by_index(rule) && names(rule)) else { return };
        let user = implied::subject(model, &rule.user, object, Some(image));
        let finds_by_index = |(of, askers): &(TypeId, Askers)| {
            *of == object.of && matches!(askers, Askers::Of(link, _) if self.is_found_by_index(*link))
        };
        if askers(model, membership, user.as_ref()).iter().any(finds_by_index) {
            self.ask_once_more_late(object, image, mentions);
        }
    }

    /// Whether only an index leads over a link to the items that refer to an object.
    fn is_found_by_index(&self, link: LinkId) -> bool {
        self.model.link(link).find.queries_index()
    }
}
