//! Cognito users.

use std::collections::BTreeSet;

use super::{CHANGE, Found, MEANT, SettingClass, TAKE};
use crate::model::{CognitoUser, Create, ItemType, Model, UniqueAttribute};

/// So that users go that no item has any more.
const DROP_USERS: &str =
    "then delete the users that it leaves, if nobody needs them: passwords and MFA do not come back";

impl Found<'_> {
    pub(super) fn user(&mut self, at: &str, before: Option<&CognitoUser>, after: &ItemType) {
        let what = format!("{at}.cognito.user");
        match (before, &after.user) {
            (Some(was), Some(is)) => self.users(&what, was, is),
            (Some(was), None) => {
                let name = &was.name;
                let meaning = format!("the Cognito users `{name}` stay, without the memberships that Instep made");
                self.steps(SettingClass::Cognito, what, meaning, &[MEANT, CHANGE, TAKE, DROP_USERS]);
            }
            (None, is) => {
                let mails = is.as_ref().is_some_and(|is| is.create == Create::Invite);
                let meaning = "existing items have no Cognito users yet. Memberships that waited for them give access";
                let mails = if mails { "each user of it gets an invitation by mail: make sure of that" } else { MEANT };
                self.steps(SettingClass::Cognito, what, meaning, &[mails, CHANGE]);
            }
        }
    }

    fn users(&mut self, what: &str, before: &CognitoUser, is: &CognitoUser) {
        let CognitoUser { name, when, create, delete, grace, disabled, attributes, unique, named_by_address } = before;
        if *name != is.name {
            let meaning = format!(
                "the users `{name}` stay, without the memberships that Instep made, beside new users `{}`",
                is.name
            );
            self.steps(SettingClass::Cognito, format!("{what}.name"), meaning, &[CHANGE, TAKE, DROP_USERS]);
        }
        if *when != is.when {
            let meaning = "users for which the condition held, and does not any more, stay, without the memberships that \
                           Instep made; items for which it holds now have no users yet";
            self.steps(SettingClass::Cognito, format!("{what}.when"), meaning, &[MEANT, CHANGE, TAKE, DROP_USERS]);
        }
        if *create != is.create {
            let meaning = match is.create {
                Create::Invite => "from now on, each new user gets an invitation by mail",
                Create::Silent => "from now on, new users are made without a message",
                Create::Never => "from now on, Instep makes no users",
            };
            let what = format!("{what}.create");
            if *create == Create::Never {
                let meaning = format!("{meaning}; existing items without a user have none until they are written");
                self.steps(SettingClass::Cognito, what, meaning, &[MEANT, CHANGE]);
            } else {
                self.note(SettingClass::Cognito, what, meaning);
            }
        }
        self.deletion(&format!("{what}.delete"), (*delete, is.delete), grace.is_some(), *grace == is.grace);
        self.compare(&format!("{what}.disabled"), disabled, &is.disabled, |found| {
            let what = format!("{what}.disabled");
            if is.disabled.is_none() {
                let meaning = "users that are disabled stay so, and no sweep says so";
                let steps = ["before the deployment, enable those who may sign in, or keep the setting"];
                found.steps(SettingClass::Cognito, what, meaning, &steps);
            } else {
                let meaning = "existing users stay enabled or disabled until their items change";
                found.steps(SettingClass::Cognito, what, meaning, &[CHANGE]);
            }
        });
        self.user_attributes(&format!("{what}.attributes"), attributes, &is.attributes);
        if unique_in(self.old, unique) != unique_in(self.new, &is.unique) {
            let meaning = "users have other attributes only while they hold the value: existing users keep their state";
            self.steps(SettingClass::Cognito, format!("{what}.attributes"), meaning, &[CHANGE]);
        }
        if *named_by_address != is.named_by_address {
            let meaning = "the names of users begin or cease to be addresses: a pool that takes addresses for names does not \
                           fit both";
            let step =
                "make sure that the pool has the `UsernameAttributes` that the new names need: no pool changes them";
            self.steps(SettingClass::Stack, format!("{what}.name"), meaning, &[step]);
        }
    }

    fn deletion(&mut self, what: &str, (was, is): (bool, bool), waited: bool, waits_as_long: bool) {
        if was != is {
            let meaning = if is {
                "from now on, users are deleted with their items"
            } else {
                "from now on, users stay when their items are deleted"
            };
            self.note(SettingClass::Cognito, what, meaning);
        }
        if !waits_as_long && waited {
            let meaning = "users whose items were deleted before wait for the time that was noted then";
            let fix = "`instep users held` lists them, and `instep users delete` deletes one at once";
            self.steps(SettingClass::Time, what, meaning, &[fix]);
        } else if !waits_as_long {
            self.note(SettingClass::Time, what, "from now on, users are kept for a while when their items are deleted");
        }
    }

    fn user_attributes(
        &mut self,
        what: &str,
        was: &[(String, crate::template::Template)],
        is: &[(String, crate::template::Template)],
    ) {
        for (name, _) in was {
            if !is.iter().any(|(other, _)| other == name) {
                let meaning =
                    format!("existing users keep the last `{name}`, which nothing changes again: no sweep says so");
                let step = "after the deployment, set or remove it by hand where it is wrong";
                self.steps(SettingClass::Cognito, format!("{what}.{name}"), meaning, &[step]);
            }
        }
        for (name, template) in is {
            if !was.iter().any(|(other, before)| other == name && before == template) {
                let meaning = "existing users keep what they have until their items change";
                self.steps(SettingClass::Cognito, format!("{what}.{name}"), meaning, &[CHANGE]);
            }
        }
    }
}

/// The attributes of users that are unique values, the guard types of each, and their claims.
fn unique_in<'m>(model: &'m Model, unique: &'m [UniqueAttribute]) -> BTreeSet<(&'m str, &'m str, usize)> {
    let named = |UniqueAttribute { attribute, guard, claim }: &'m UniqueAttribute| {
        (attribute.as_str(), model.item(*guard).stable_name(), *claim)
    };
    unique.iter().map(named).collect()
}
