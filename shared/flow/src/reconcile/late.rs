//! What is reconciled once more after the indexes have caught up. A message says so, which is delayed for as long.

use std::collections::BTreeSet;

use instep_model::{Item, Link, Object};

use super::Reconciling;
use super::dependents::Extent;
use crate::effect::Effect;
use crate::find::{self, Presence};
use crate::plan::Input;
use crate::read;
use crate::work::{Dependents, NamedObject};

impl Reconciling<'_> {
    /// If only an index can find a pending grant, or what the grant waits for, the run sends the grant
    /// to the work queue once, delayed until the index has caught up. Otherwise the grant could stay
    /// pending: the run over the missing object may query an index that does not contain the grant
    /// yet. INVARIANT 1.
    pub(super) fn ask_again_late(&mut self, link: &Link, object: &Object, item: &Item, input: &Input) {
        if link.find.queries_index() || find::resolves_by_index(link) {
            self.ask_once_more_late(object, item, input);
        }
    }

    /// The object is reconciled once more after the indexes have caught up. INVARIANT 1.
    ///
    /// INVARIANT 3: of records that this run parks, no message is sent. It would grant what they ask for. They are
    /// reconciled when they are redriven.
    pub(super) fn ask_once_more_late(&mut self, object: &Object, image: &Item, input: &Input) {
        if input.is_late() || self.is_refused(input) {
            return;
        }
        let image = read::needed_image(self.model, object, image);
        let named = NamedObject { late: true, ..NamedObject::new(self.model, object, Some(image)) };
        self.add_effect(Effect::HandOn(vec![named]), &input.places());
    }

    /// Asks for the dependents once more after the indexes that lead to them have caught up.
    /// INVARIANT 1.
    pub(super) fn ask_for_dependents_late(&mut self, object: &Object, places: &BTreeSet<usize>) {
        let late = |presence| !self.queries(object, presence, Extent::Late).is_empty();
        if late(Presence::Deleted) || late(Presence::Restored) {
            self.add_effect(Effect::Continue(Dependents { late: true, ..Dependents::of(self.model, object) }), places);
        }
    }
}
