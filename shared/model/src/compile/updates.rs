//! Item types of which no write changes anything that events show: they publish no `updated`.

use crate::errors::{Mistake, Mistakes};
use crate::file::DraftModel;
use crate::model::{Model, Roles, TypeId, Verb};
use crate::template::{Template, base};

/// Takes `updated` from these. It is a mistake to ask for it.
pub(super) fn relate(draft: &DraftModel, model: &mut Model, mistakes: &mut Mistakes) {
    let silent: Vec<usize> = (0..model.items.len()).filter(|place| !shows_changes(model, TypeId(*place))).collect();
    for place in silent {
        let Some(item) = model.items.get_mut(place) else { continue };
        item.publish.remove(&Verb::Updated);
        let own = draft.items.iter().find(|own| own.name.value == item.name);
        let said =
            own.and_then(|own| own.publish.as_ref()).into_iter().flatten().find(|verb| verb.value == Verb::Updated);
        if let Some(said) = said {
            let message = format!("no write of `{}` changes anything that its events show", item.name);
            let help = "list attributes in `events`; or add `publish_unchanged = true`, which publishes an `updated` for every \
                        write; or remove `updated`";
            mistakes.add(Mistake::new(said.span, message, "never published").help(help));
        }
    }
}

/// Whether a write of an existing item can change what its events show.
fn shows_changes(model: &Model, of: TypeId) -> bool {
    let item = model.item(of);
    if item.publish_unchanged || item.verb_words.contains_key(&Verb::Updated) {
        return true;
    }
    let roles: &[String] = match item.grant.as_ref().map(|grant| &grant.roles) {
        Some(Roles::Attribute(spellings)) if !item.is_entity => spellings,
        Some(Roles::Attribute(_) | Roles::None | Roles::Template(_)) | None => &[],
    };
    let is_in_key = |name: &str| item.forms.iter().all(|form| form.names.iter().any(|own| own == base(name)));
    let mut texts = item.entity.iter().chain(&item.entity_id).flat_map(Template::names);
    let mut tenants = model.tenant.iter();
    item.attributes.iter().any(|path| !roles.contains(path))
        || texts.any(|name| !is_in_key(name))
        || tenants.any(|name| !is_in_key(name))
}
