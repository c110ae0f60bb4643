//! What the images of a batch touch.

use instep_model::Item;

use crate::plan::Input;

/// What `view` returns for the images in the batch: for both images of each record that changed it,
/// and for the image of each work message. `None` if no record changed it and no work message names
/// the object.
pub(super) fn touched<T: PartialEq>(input: &Input, view: impl Fn(&Item) -> T) -> Option<Vec<T>> {
    let mut values: Vec<T> = input.named.iter().filter_map(|named| named.image.as_ref()).map(&view).collect();
    let mut moved = !input.named.is_empty();
    for change in input.changes() {
        let old = change.old.as_ref().map(&view);
        let new = change.new.as_ref().map(&view);
        if old != new {
            moved = true;
            values.extend(old.into_iter().chain(new));
        }
    }
    moved.then_some(values)
}
