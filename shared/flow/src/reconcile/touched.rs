//! What the images of a batch touch.

use instep_model::{Item, Key};

use crate::plan::{DeliveredChange, Mentions};
use crate::work::Origin;

/// What `view` returns for the images in the batch: for both images of each record that changed it,
/// and for the image of each work message. `None` if no record changed it and no work message names
/// the object.
pub(super) fn touched<T: PartialEq>(mentions: &Mentions, view: impl Fn(&Item) -> T) -> Option<Vec<T>> {
    let mut values: Vec<T> = mentions.named.iter().filter_map(|named| named.image.as_ref()).map(&view).collect();
    let mut moved = !mentions.named.is_empty();
    for change in mentions.changes() {
        let old = change.old.as_ref().map(&view);
        let new = change.new.as_ref().map(&view);
        if old != new {
            moved = true;
            values.extend(old.into_iter().chain(new));
        }
    }
    moved.then_some(values)
}

/// The changes of an item in a batch. INVARIANT 2: a captured record may be of any age, and shows
/// nothing.
pub(super) fn own_changes<'a>(
    mentions: &'a Mentions,
    key: &'a Key,
) -> impl DoubleEndedIterator<Item = &'a DeliveredChange> {
    let is_own = move |delivered: &&DeliveredChange| {
        delivered.change.key == *key && !matches!(delivered.delivery.origin, Origin::Captured)
    };
    mentions.changes.iter().filter(is_own)
}
