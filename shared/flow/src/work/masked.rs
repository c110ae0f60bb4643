//! Work messages that were parked, of which keys and names of secret items are masked.

use instep_model::{Key, Model, Names};

use super::Work;
use crate::secrets::{MASK, is_masked, is_secret_type};

impl Work {
    /// Removes from a message what was masked when it was parked. False if nothing is left to do.
    pub(super) fn remove_masked(&mut self, model: &Model) -> bool {
        let is_shown = |key: &Key| !is_masked(key);
        match self {
            Self::Reconcile(objects) => {
                let before = objects.len();
                objects.retain(|object| !is_secret_type(model, &object.of) || !are_masked(&object.names));
                before == 0 || !objects.is_empty()
            }
            Self::Dependents(dependents) => !is_secret_type(model, &dependents.of) || !are_masked(&dependents.names),
            Self::Extra(extra) => {
                let was_empty = extra.is_empty();
                extra.bookkeeping.retain(is_shown);
                extra.orphans.retain(is_shown);
                was_empty || !extra.is_empty()
            }
            Self::Records(_) | Self::Kept(_) => true,
        }
    }
}

/// Whether names were masked. Then the object cannot be identified.
fn are_masked(names: &Names) -> bool {
    !names.is_empty() && names.values().all(|text| text == MASK)
}
