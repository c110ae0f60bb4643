//! The models that captures and keys are judged by.

use std::collections::BTreeSet;
use std::sync::LazyLock;

use instep_flow::filter::Filter;
use instep_model::{Model, Unknown, shipped_names};

use crate::root;

/// A model with what follows from it.
#[derive(Debug)]
pub struct Design {
    /// The model.
    pub model: Model,
    /// The same, but all that its events would carry is secret.
    pub secretive: Model,
    /// Its filters, where unknown items are parked and where they are left alone.
    pub filters: [Filter; 2],
}

impl Design {
    /// What follows from a model.
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

/// Every model that ships with Instep, and the example of one's own.
pub static DESIGNS: LazyLock<Vec<Design>> = LazyLock::new(|| {
    let bookings = root().join("events/bookings/model.toml");
    let bookings = Model::load(&bookings).unwrap_or_else(|error| panic!("{}: {error}", bookings.display()));
    let shipped = shipped_names().iter().map(|name| Model::shipped(name).unwrap_or_else(|| panic!("{name}")));
    shipped.chain([bookings]).map(Design::of).collect()
});
