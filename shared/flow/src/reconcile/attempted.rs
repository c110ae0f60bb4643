//! What a run may have done, if it fails.

use std::collections::BTreeSet;

use instep_model::Object;

use super::applied::Applied;
use crate::effect::Effect;
use crate::work::NamedObject;

/// What a run may have done. Who handles its entries again, or replaces their messages, marks what follows from
/// it as [unsure](NamedObject::unsure).
#[derive(Debug, Default, Clone)]
pub struct Attempted {
    /// Objects whose user or group it may have created or deleted.
    pub objects: BTreeSet<Object>,
    /// The places in the batch of the entries for which it may have applied other effects.
    pub places: BTreeSet<usize>,
}

impl Attempted {
    pub(super) fn add(&mut self, effect: &Effect, places: &BTreeSet<usize>, applied: &Applied) {
        match (effect.ensures(), effect.deletes(), applied) {
            (_, _, Applied::Skipped | Applied::Missing(_) | Applied::Refused { .. })
            | (Some(_), _, Applied::Done { created: false }) => {}
            (Some(of), ..) | (_, Some(of), _) => drop(self.objects.insert(of.clone())),
            (None, None, _) => self.places.extend(places),
        }
    }

    /// Adds what was attempted by a run whose batch began at place `from`.
    pub fn add_run(&mut self, from: usize, run: Self) {
        self.objects.extend(run.objects);
        self.places.extend(run.places.into_iter().map(|place| from + place));
    }

    /// Whether the run may have done something for an object that the message at a place names. Where a
    /// message names an object only so that its user or groups exist, nothing else is done for it.
    #[must_use]
    pub fn touches(&self, place: usize, object: &Object, named: &NamedObject) -> bool {
        let asks_for_more = named.image.is_some() || named.late || named.come.is_some();
        self.objects.contains(object) || asks_for_more && self.places.contains(&place)
    }
}
