//! Secret attributes. Effects depend on them as on any other attribute. They are removed from what
//! is published, and masked in what is parked or sent to the work queue.

use std::borrow::Cow;

use instep_model::{Item, Key, Model, Value};

use crate::change::Change;

/// What replaces a secret.
pub(crate) const MASK: &str = "***";

/// Whether a key was masked. Then the item cannot be identified.
pub(crate) fn is_masked(key: &Key) -> bool {
    key.pk == MASK && key.sk == MASK
}

/// Whether an item type is secret. One that the model does not describe may be.
pub(crate) fn is_secret_type(model: &Model, of: &str) -> bool {
    model.type_named(of).is_none_or(|of| model.item(of).secret)
}

/// Whether two images of an item are equal. Secrets and their copies are ignored, because they are masked in
/// images from the work queue.
pub(crate) fn same(model: &Model, image: &Item, other: &Item) -> bool {
    let is_mask = |item: &Item, name: &String| item.get(name).and_then(Value::as_s) == Some(MASK);
    let shown = |mut item: Item, own: &Item, with: &Item| {
        item.retain(|name, _| !is_mask(own, name) && !is_mask(with, name));
        item
    };
    shown(without(model, image), image, other) == shown(without(model, other), other, image)
}

fn without(model: &Model, item: &Item) -> Item {
    let shown = item.iter().filter(|(name, _)| !model.secret.contains(*name));
    shown.map(|(name, value)| (name.clone(), value.clone())).collect()
}

/// The change without secret attributes. INVARIANT 9: events are made from it, so they contain no
/// secret.
pub(crate) fn shown<'c>(model: &Model, change: &'c Change) -> Cow<'c, Change> {
    if model.secret.is_empty() {
        return Cow::Borrowed(change);
    }
    let image = |image: &Option<Item>| image.as_ref().map(|image| without(model, image));
    Cow::Owned(Change { old: image(&change.old), new: image(&change.new), ..change.clone() })
}
