//! Whether a write of an existing item changed anything that its events show. If not, it has no `updated`.

use instep_model::{Item, ItemType, Model, Roles, without};

use super::{Occurrence, listed, named, word};
use crate::change::Change;
use crate::tenants;

/// Whether a write changed what the events of an item say of it: a published attribute, the entity, its id, the tenant,
/// or the word for the verb. The roles of a grant have events of their own, and the correlation id is of the write, not of
/// the item.
pub(super) fn is_shown(model: &Model, ty: &ItemType, change: &Change, old: &Item, new: &Item) -> bool {
    let says = |image: &Item| {
        let name = named(model, &change.object, Some(image));
        (listed(ty, &beside_roles(ty, image)), name, tenants::of_record(model, &change.object, image))
    };
    // What a write that changes nothing would be called.
    let unchanged = Change { new: Some(old.clone()), ..change.clone() };
    let own_word = word(model, change, &Occurrence::Updated, new);
    says(old) != says(new) || own_word != word(model, &unchanged, &Occurrence::Updated, old)
}

/// An image without the roles of a grant that is nothing else.
fn beside_roles(ty: &ItemType, image: &Item) -> Item {
    let spellings: &[String] = match ty.grant.as_ref().map(|grant| &grant.roles) {
        Some(Roles::Attribute(spellings)) if !ty.is_entity => spellings,
        Some(Roles::Attribute(_) | Roles::None | Roles::Template(_)) | None => &[],
    };
    spellings.iter().fold(image.clone(), |rest, path| without(rest, path))
}
