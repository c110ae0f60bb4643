//! What users are called. A pool whose users sign in by an address makes their names: everything else knows such a user
//! by the address under which it was made, whatever address it has since.

use instep_local::{GroupState, SignIn, UserState};
use serde_json::Value;

use super::Net;
use crate::implied::Fact;

impl Net {
    /// A user was made under a name.
    pub(super) fn note_name(&self, name: &str) {
        let user = self.services.user(name);
        let Some(user) = user.filter(|user| user.attributes.get("sub") == Some(&user.username)) else { return };
        self.watch().given.insert(user.username, name.to_owned());
    }

    /// What the user is called whom a request names.
    pub(super) fn called(&self, name: &str) -> String {
        self.watch().called(name).to_owned()
    }

    /// The facts that a request to Cognito changes.
    pub(super) fn facts(&self, body: &Value) -> Vec<Fact> {
        let text = |name: &str| body.get(name).and_then(Value::as_str).map(str::to_owned);
        match (text("Username").map(|user| self.called(&user)), text("GroupName")) {
            (Some(user), Some(group)) => vec![Fact::Member(user, group)],
            (Some(user), None) => vec![Fact::User(user)],
            (None, Some(group)) => vec![Fact::Group(group)],
            (None, None) => Vec::new(),
        }
    }

    /// The user that a name stands for, or that was made under it. One that has it for an alias is another.
    #[must_use]
    pub fn user(&self, name: &str) -> Option<UserState> {
        let made: Vec<String> = {
            let watch = self.watch();
            let under = watch.given.iter().filter(|(_, given)| *given == name);
            under.map(|(username, _)| username.clone()).collect()
        };
        let user = made.iter().find_map(|username| self.services.user(username));
        let is_alias = |user: &UserState| {
            let names = [Some(&user.username), user.attributes.get("sub")];
            let is_own = names.into_iter().flatten().any(|own| own.to_lowercase() == name.to_lowercase());
            self.services.sign_in() == SignIn::Aliases && !is_own
        };
        let mut user = user.or_else(|| self.services.user(name).filter(|user| !is_alias(user)))?;
        user.username = self.called(&user.username);
        Some(user)
    }

    /// The groups and users of the pool, with the names that Cognito has.
    #[must_use]
    pub fn as_cognito_has_them(&self) -> (Vec<GroupState>, Vec<UserState>) {
        self.services.pool()
    }

    /// Groups and users of the pool.
    #[must_use]
    pub fn groups_and_users(&self) -> (Vec<GroupState>, Vec<UserState>) {
        let (mut groups, mut users) = self.services.pool();
        let watch = self.watch();
        let call = |name: &mut String| *name = watch.called(name).to_owned();
        groups.iter_mut().for_each(|group| {
            group.members.iter_mut().for_each(call);
            group.members.sort_unstable();
        });
        users.iter_mut().for_each(|user| call(&mut user.username));
        (groups, users)
    }
}
