//! What the model leaves to people.

use instep_model::{CognitoMember, Create, Model};

/// Names of groups and users that the model leaves to people. Items may ask for three names. People
/// create two before the run and one at the end.
pub(crate) const BEFORE: &[&str] = &["a", "b"];
pub(crate) const IN_THE_END: &[&str] = &["c"];

/// The given names, if people create groups under this model.
pub(crate) fn by_hand<'a>(model: &Model, names: &'a [&'a str]) -> &'a [&'a str] {
    let is_by_hand = |member: &CognitoMember| member.is_by_hand();
    if model.items.iter().flat_map(|ty| &ty.members).any(is_by_hand) { names } else { &[] }
}

/// The given names, if people create users under this model.
pub(crate) fn users_by_hand<'a>(model: &Model, names: &'a [&'a str]) -> &'a [&'a str] {
    let mut users = model.items.iter().filter_map(|ty| ty.user.as_ref());
    if users.any(|user| user.create == Create::Never) { names } else { &[] }
}
