//! The models for the targets of captures and keys.

use std::collections::BTreeSet;
use std::sync::LazyLock;

use instep_flow::filter::Filter;
use instep_model::{Model, Unknown, shipped_names};

use crate::root;

/// A model and what is derived from it.
#[derive(Debug)]
pub struct FuzzDesign {
    /// The model.
    pub model: Model,
    /// The same model, with all attributes of its events secret.
    pub secretive: Model,
    /// Its filters, with both options for unknown items.
    pub filters: [Filter; 2],
}

impl FuzzDesign {
    /// Derives the rest from a model.
    #[must_use]
    pub fn of(model: Model) -> Self {
        let mut secretive = model.clone();
        let listed: BTreeSet<String> = model.items.iter().flat_map(|item| item.attributes.iter().cloned()).collect();
        secretive.secret.extend(listed);
        let filters = [Unknown::Park, Unknown::Skip].map(|unknown| {
            let mut model = model.clone();
            model.table.unknown = unknown;
            Filter::of(&model)
        });
        Self { model, secretive, filters }
    }
}

/// Every shipped model, and the example model.
pub static DESIGNS: LazyLock<Vec<FuzzDesign>> = LazyLock::new(|| {
    let bookings = root().join("events/bookings/model.toml");
    let bookings = Model::load(&bookings).unwrap_or_else(|error| panic!("{}: {error}", bookings.display()));
    let shipped = shipped_names().iter().map(|name| Model::shipped(name).unwrap_or_else(|| panic!("{name}")));
    shipped.chain([bookings]).map(FuzzDesign::of).collect()
});
