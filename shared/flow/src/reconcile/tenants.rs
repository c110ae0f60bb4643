//! The tenants of events that the record does not say: those of grants whose subject or scope says them.

use instep_model::Object;

use super::Pass;
use crate::plan::Mentions;
use crate::tenants;

impl Pass<'_> {
    /// Reads the tenants of an object's events, together with what its entries ask for. So that costs no round of
    /// reading, unless nothing else is to be read.
    pub(super) fn tenants(&mut self, object: &Object, mentions: &Mentions) {
        let images = mentions.changes().flat_map(|change| [&change.old, &change.new]).flatten();
        // A moment publishes events of the present item.
        let moments = mentions.named.iter().filter(|named| named.moment.is_some());
        let present = match moments.clone().next().map(|_| self.view.items(object)) {
            Some(Ok(items)) => items,
            Some(Err(_)) | None => Vec::new(),
        };
        let noted = moments.filter_map(|named| named.image.as_ref());
        for image in images.chain(noted).chain(present.into_iter().map(|(_, item)| item)) {
            let _ = tenants::read(&mut self.view, object, image, &mut self.desired.tenants);
        }
        // No item has a key that is too long. Whether that parks the record was decided before.
        let _ = self.view.take_too_long();
    }
}
