//! What the users of a world's pool sign in with.

use std::sync::Arc;

use instep_local::SignIn;
use instep_model::Model;

use crate::chance::Chance;

/// The domain of the addresses under which users are made.
pub(crate) const DOMAIN: &str = "x.example";

/// The attribute that makes an alias without being verified.
pub(crate) const ALIAS: &str = "preferred_username";

/// Draws it, and names the users of a random model by their addresses if the pool is one that makes their names.
///
/// # Errors
/// The loader's message, if it refuses the model.
pub(crate) fn drawn(
    chance: &Chance,
    (model, text): (Arc<Model>, String),
) -> Result<(SignIn, (Arc<Model>, String)), String> {
    // What users sign in by must not be what an item says: a call for one user could reach another.
    let mut users = model.items.iter().filter_map(|ty| ty.user.as_ref());
    let has_aliases = users.any(|user| user.attributes.iter().any(|(name, _)| name == ALIAS));
    if !has_aliases && chance.of_thousand(300) {
        return Ok((SignIn::Aliases, (model, text)));
    }
    let own = named_by_addresses(&text).filter(|_| model.user_value().is_none() && chance.of_thousand(400));
    let Some(text) = own else { return Ok((SignIn::Names, (model, text))) };
    let mut own = Model::parse("addresses.toml", &text).map_err(|errors| format!("{errors}\n{text}"))?;
    (own.extra_members, own.extra_users) = (model.extra_members, model.extra_users);
    Ok((SignIn::Addresses, (Arc::new(own), text)))
}

/// The text of a random model whose users are known by their addresses. `None` for others, and where people make the
/// users.
fn named_by_addresses(text: &str) -> Option<String> {
    let line = text.lines().find(|line| line.starts_with("cognito.user = { name = \"{personId"))?;
    if !text.starts_with("model = \"random\"") || line.contains("create = false") {
        return None;
    }
    let name = line.split('"').nth(1)?;
    let address = format!("{name}@{DOMAIN}");
    let own = line.replacen(name, &address, 1).replace("email = \"{email}\"", &format!("email = \"{address}\""));
    Some(text.replace(line, &own))
}
