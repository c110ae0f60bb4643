//! What a model was understood to say, for people.

use crate::model::Model;

/// What was understood of a model.
#[must_use]
pub fn describe(model: &Model) -> String {
    model.name.clone()
}
