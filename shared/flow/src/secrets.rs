//! Secret attributes in keys and images: removed from what is reconciled, masked in what is parked.

use instep_model::{Item, Key, Model};

/// What replaces a secret.
pub(crate) const MASK: &str = "***";

/// Whether a key was masked. Then nothing says which secret item it was.
pub(crate) fn is_masked(key: &Key) -> bool {
    key.pk == MASK && key.sk == MASK
}

/// Removes the attributes that the model calls secret. INVARIANT 9: an image without them can show
/// none of them downstream.
pub(crate) fn remove(model: &Model, image: &mut Item) {
    image.retain(|name, _| !model.secret.contains(name));
}

/// The item without the attributes that the model calls secret: as the images of a change show it.
pub(crate) fn without(model: &Model, item: &Item) -> Item {
    let shown = item.iter().filter(|(name, _)| !model.secret.contains(*name));
    shown.map(|(name, value)| (name.clone(), value.clone())).collect()
}
