//! A fact outside the table, and its state.

use instep_model::Object;

/// A fact outside an item that follows from the table.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub enum Fact {
    /// A user in a group.
    Member(String, String),
    /// A Cognito user, enabled or disabled.
    User(String),
    /// An attribute of a Cognito user.
    Attribute(String, String),
    /// A Cognito group that an item defines.
    Group(String),
    /// The precedence or the IAM role of a Cognito group.
    GroupSetting(String, &'static str),
    /// A unique value, named by its guard, and an object that has or holds it.
    Value(Object, Object),
}

/// The desired state of a fact. Facts without a state must not exist.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum FactState {
    /// It exists and has this value.
    Is(String),
    /// It will be removed. Until then it may exist or not.
    Either,
}

/// The value of an enabled user.
const ON: &str = "enabled";

/// The value of a disabled user.
pub const OFF: &str = "disabled";

/// The facts of a Cognito group.
pub fn group_facts(name: &str, precedence: Option<String>, iam_role: Option<String>) -> Vec<(Fact, String)> {
    let setting = |which, value: Option<String>| value.map(|value| (Fact::GroupSetting(name.to_owned(), which), value));
    let settings = [setting(PRECEDENCE, precedence), setting(IAM_ROLE, iam_role)];
    std::iter::once((Fact::Group(name.to_owned()), String::new())).chain(settings.into_iter().flatten()).collect()
}

/// The precedence of a group, among its settings.
pub const PRECEDENCE: &str = "precedence";

/// Its IAM role.
const IAM_ROLE: &str = "IAM role";

/// The facts of a Cognito user.
pub fn user_facts<'a>(
    name: &str,
    is_enabled: bool,
    attributes: impl Iterator<Item = (&'a str, String)>,
) -> Vec<(Fact, String)> {
    let user = (Fact::User(name.to_owned()), if is_enabled { ON } else { OFF }.to_owned());
    let attributes = attributes.map(|(attribute, text)| (Fact::Attribute(name.to_owned(), attribute.to_owned()), text));
    std::iter::once(user).chain(attributes).collect()
}
