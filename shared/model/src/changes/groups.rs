//! Cognito groups and memberships.

use std::collections::BTreeMap;

use super::{ATTACH, CHANGE, DETACH, DROP_GROUPS, Found, LEFT, MEANT, SettingClass, TAKE, link_text};
use crate::model::{CognitoGroups, CognitoMember, GroupOwner, ItemType, LinkId, Model, OfGroups, Precedence, Subject};

/// What tells one membership of an item type from another: the group's template, the links of the group and of the
/// user.
type MemberKey = (String, Option<String>, Option<String>);

impl Found<'_> {
    pub(super) fn groups(&mut self, at: &str, before: &[CognitoGroups], after: &ItemType) {
        let at = format!("{at}.cognito.groups");
        let has = |all: &[CognitoGroups], one: &CognitoGroups| all.iter().any(|other| other.name == one.name);
        for groups in before.iter().filter(|groups| !has(&after.groups, groups)) {
            let meaning = format!("the groups `{}` stay, without the members that Instep made", groups.name);
            self.steps(SettingClass::Cognito, at.clone(), meaning, &[CHANGE, TAKE, DROP_GROUPS]);
        }
        if after.groups.iter().any(|groups| !has(before, groups)) {
            self.steps(SettingClass::Cognito, at.clone(), "existing items do not have the new groups yet", &[CHANGE]);
        }
        for CognitoGroups { name, each, when, precedence, iam_role, in_token } in before {
            let Some(now) = after.groups.iter().find(|other| other.name == *name) else { continue };
            if *each != now.each {
                let meaning = "another name in the group's template stands for each of its values";
                self.steps(SettingClass::Cognito, at.clone(), meaning, &[CHANGE, TAKE, DROP_GROUPS]);
            }
            if now.when != *when {
                let meaning = "groups for which the condition held, and does not any more, stay, without the members that Instep \
                               made; items for which it holds now have none yet";
                let steps = [MEANT, CHANGE, TAKE, DROP_GROUPS];
                self.steps(SettingClass::Cognito, format!("{at}.when"), meaning, &steps);
            }
            if *in_token != now.in_token {
                self.in_token(&at, now.in_token);
            }
            self.precedence(&at, precedence.as_ref(), now.precedence.as_ref());
            self.iam_role(&at, iam_role.as_ref(), now.iam_role.as_ref());
        }
    }

    /// Cognito has no call that takes a precedence away, so a group keeps one of which the model no longer says
    /// anything.
    fn precedence(&mut self, what: &str, before: Option<&Precedence>, after: Option<&Precedence>) {
        let what = format!("{what}.precedence");
        let is_dropped = match (before, after) {
            (Some(Precedence::Fixed(before)), Some(Precedence::Fixed(after))) => drops(before, after),
            (Some(_), Some(Precedence::OfItem(_)) | None) => before != after,
            (None, _) | (Some(Precedence::OfItem(_)), Some(Precedence::Fixed(_))) => false,
        };
        if is_dropped {
            let meaning = "groups of which the model no longer says the precedence keep the one that they have";
            let step = "after the deployment, set it by hand where it is wrong";
            self.steps(SettingClass::Cognito, what.clone(), meaning, &[step]);
        }
        if before != after && after.is_some() {
            let meaning = "existing groups keep their precedence until their items change";
            self.steps(SettingClass::Cognito, what, meaning, &[CHANGE]);
        }
    }

    /// The same is so for IAM roles, which give access.
    fn iam_role(&mut self, what: &str, before: Option<&OfGroups<String>>, after: Option<&OfGroups<String>>) {
        let what = format!("{what}.iam_role");
        if before.is_some_and(|before| after.is_none_or(|after| drops(before, after))) {
            let meaning = "groups of which the model no longer says the IAM role keep the one that they have, and \
                           their members can still get its credentials";
            let step = "before the deployment, give them a role that allows nothing, or change the role's trust policy";
            self.steps(SettingClass::Cognito, what.clone(), meaning, &[step]);
        }
        if before != after && after.is_some() {
            let meaning = "existing groups keep their IAM role until their items change";
            self.steps(SettingClass::Cognito, what, meaning, &[CHANGE]);
        }
    }

    pub(super) fn members(&mut self, at: &str, before: &[CognitoMember], after: &[CognitoMember]) {
        let what = format!("{at}.cognito.member");
        let of = |model: &Model, members: &[CognitoMember]| -> BTreeMap<MemberKey, CognitoMember> {
            members.iter().map(|member| (member_key(model, member), member.clone())).collect()
        };
        let (was, is) = (of(self.old, before), of(self.new, after));
        for (group, _, _) in was.keys().filter(|key| !is.contains_key(*key)) {
            let meaning = format!("no item implies memberships in `{group}` any more");
            self.steps(SettingClass::Cognito, what.clone(), meaning, &[MEANT, CHANGE, TAKE]);
        }
        if is.keys().any(|key| !was.contains_key(key)) {
            let meaning = "existing items do not have the new memberships yet: each gives access";
            self.steps(SettingClass::Cognito, what.clone(), meaning, &[MEANT, CHANGE]);
        }
        for (key, member) in &was {
            if let Some(now) = is.get(key) {
                self.compare(&what, member, now, |found| found.member(&what, member, now));
            }
        }
    }

    fn member(&mut self, what: &str, before: &CognitoMember, is: &CognitoMember) {
        let CognitoMember { user, group, role, group_owner, when, sign_out, in_token, shared_with } = before;
        self.compare(what, &(user, group, role), &(&is.user, &is.group, &is.role), |found| {
            let meaning = "another user is the member, or another role";
            found.steps(SettingClass::Cognito, what, meaning, &[CHANGE, TAKE]);
        });
        if *when != is.when {
            let meaning = "memberships for which the condition held, and does not any more, are taken; items for which it \
                           holds now have none yet";
            self.steps(SettingClass::Cognito, format!("{what}.when"), meaning, &[MEANT, CHANGE, TAKE]);
        }
        if *sign_out != is.sign_out {
            let meaning = if is.sign_out {
                "users are signed out when a membership is removed from now on; sessions of those who lost one before go on"
            } else {
                "users who lose a membership stay signed in from now on"
            };
            self.note(SettingClass::Cognito, format!("{what}.sign_out"), meaning);
        }
        if *in_token != is.in_token {
            self.in_token(&format!("{what}.in"), is.in_token);
            return;
        }
        self.compare(what, group_owner, &is.group_owner, |found| found.made(what, group_owner, &is.group_owner));
        self.compare(what, shared_with, &is.shared_with, |found| {
            let meaning = "items of other types can imply the same membership from now on, or cannot any more";
            found.note(SettingClass::Cognito, what, meaning);
        });
    }

    /// Whether groups are in tokens alone.
    fn in_token(&mut self, what: &str, is: bool) {
        if is {
            let meaning = "these groups and memberships are in tokens alone: the pool keeps those that it has, and nothing \
                           removes them there; without the function of tokens, no token has these groups";
            self.steps(SettingClass::Cognito, what, meaning, &[ATTACH, LEFT]);
        } else {
            let meaning = "these groups and memberships are in the pool from now on, which does not have them yet";
            self.steps(SettingClass::Cognito, what, meaning, &[CHANGE, DETACH]);
        }
    }

    /// What has the group.
    fn made(&mut self, what: &str, was: &GroupOwner, is: &GroupOwner) {
        match (was, is) {
            (GroupOwner::Nothing { deleted_with }, GroupOwner::Nothing { deleted_with: now }) => {
                let parents = |model: &Model, links: &[LinkId]| {
                    let labels = links.iter().map(|link| model.item(model.link(*link).to).label());
                    labels.collect::<Vec<_>>().join(", ")
                };
                let (was, is) = (parents(self.old, deleted_with), parents(self.new, now));
                let meaning = format!("groups that exist are deleted with [{was}], and new ones with [{is}]");
                self.steps(SettingClass::Cognito, what, meaning, &[CHANGE]);
            }
            (_, GroupOwner::People) => {
                let meaning = "groups that Instep created stay with their members, also when everything that implies them is \
                               deleted, and no sweep lists them";
                let step = "keep these groups as yours, or delete them by hand before the deployment";
                self.steps(SettingClass::Cognito, format!("{what}.made"), meaning, &[step]);
            }
            (GroupOwner::People, _) => {
                let meaning = "groups that people made are not marked: Instep never deletes them. Those that are missing are \
                               made";
                self.steps(SettingClass::Cognito, format!("{what}.made"), meaning, &[MEANT, CHANGE]);
            }
            (_, _) => {
                let meaning = "something else has the groups from now on, and they are made and deleted with that";
                self.steps(SettingClass::Cognito, format!("{what}.made"), meaning, &[CHANGE, DROP_GROUPS]);
            }
        }
    }
}

fn member_key(model: &Model, member: &CognitoMember) -> MemberKey {
    let group_of = member.group_link().map(|link| link_text(model, model.link(link)));
    let user = match &member.user {
        Subject::Itself => None,
        Subject::Link(link) => Some(link_text(model, model.link(*link))),
    };
    (member.group.to_string(), group_of, user)
}

/// Whether a setting has a value for some groups, and later none for these.
fn drops<T>(before: &OfGroups<T>, after: &OfGroups<T>) -> bool {
    match (before, after) {
        (_, OfGroups::All(_)) => false,
        (OfGroups::All(_), OfGroups::Each(_)) => true,
        (OfGroups::Each(before), OfGroups::Each(after)) => before.keys().any(|value| !after.contains_key(value)),
    }
}
