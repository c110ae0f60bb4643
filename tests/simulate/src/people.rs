//! What the model leaves to people.

use instep_local::first_sub;
use instep_model::{CognitoMember, Create, Model};

/// Names of groups and users that the model leaves to people. Items may ask for three names. People
/// create two before the run and one at the end.
pub(crate) const BEFORE: &[&str] = &["a", "b"];
pub(crate) const IN_THE_END: &[&str] = &["c"];

/// What the names of accounts of people who sign up begin with. Items name these accounts by their `sub`.
const GUEST: &str = "guest-";

/// What the names of accounts begin with that have the name of another for an alias.
const ALSO: &str = "also-";

/// The user names under which people sign up: one for each id, and a stranger's, who takes the `sub` of another account
/// for a name.
pub(crate) fn guests() -> Vec<String> {
    let names = BEFORE.iter().chain(IN_THE_END).map(|id| guest(id));
    names.chain(BEFORE.first().map(|id| sub_of(id))).collect()
}

fn guest(id: &str) -> String {
    format!("{GUEST}{id}")
}

/// The `sub` of the account of an id, whether somebody has signed up or not.
pub(crate) fn sub_of(id: &str) -> String {
    first_sub(&guest(id))
}

/// The user name of an account that people make and that has the name of another as an alias.
pub(crate) fn also(name: &str) -> String {
    format!("{ALSO}{name}")
}

/// Whether people have made an account, of which Instep changes nothing.
pub(crate) fn is_guest(name: &str) -> bool {
    name.starts_with(ALSO) || guests().iter().any(|guest| guest == name)
}

/// The given names, if people create groups under this model.
pub(crate) fn by_hand<'a>(model: &Model, names: &'a [&'a str]) -> &'a [&'a str] {
    let is_by_hand = |member: &CognitoMember| member.is_by_hand();
    if model.items.iter().flat_map(|ty| &ty.members).any(is_by_hand) { names } else { &[] }
}

/// The given names, if people create users under this model.
pub(crate) fn users_by_hand<'a>(model: &Model, names: &'a [&'a str]) -> &'a [&'a str] {
    let mut users = model.with_keys().filter_map(|ty| ty.user.as_ref());
    if users.any(|user| user.create == Create::Never) { names } else { &[] }
}
