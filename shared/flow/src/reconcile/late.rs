//! What is reconciled once more after the indexes have caught up. A message says so, which is delayed for as long.

use instep_model::{Item, Link, Object};

use super::Pass;
use crate::effect::Effect;
use crate::entries::Entries;
use crate::implied;
use crate::plan::Mentions;
use crate::queries::{self, Presence};
use crate::work::{Dependents, Extent, NamedObject, Which};

impl Pass<'_> {
    /// If only an index can find a pending grant, or what the grant waits for, the run sends the grant
    /// to the work queue once, delayed until the index has caught up. Otherwise the grant could stay
    /// pending: the run over the missing object may query an index that does not contain the grant
    /// yet. INVARIANT 1.
    pub(super) fn ask_again_late(&mut self, link: &Link, object: &Object, item: &Item, mentions: &Mentions) {
        if link.find.queries_index() || queries::resolves_by_index(link) {
            self.ask_once_more_late(object, item, mentions);
        }
    }

    /// The object is reconciled once more after the indexes have caught up. INVARIANT 1.
    ///
    /// INVARIANT 3: of records that this run parks, no message is sent. It would grant what they ask for. They are
    /// reconciled when they are redriven.
    pub(super) fn ask_once_more_late(&mut self, object: &Object, image: &Item, mentions: &Mentions) {
        if mentions.is_late() || self.is_refused(mentions) {
            return;
        }
        let image = implied::needed_image(self.model, object, image);
        let named = NamedObject { late: true, ..NamedObject::new(self.model, object, Some(image)) };
        self.add_effect(Effect::SendObjects(vec![named]), &mentions.entries());
    }

    /// Asks for the dependents once more after the indexes that lead to them have caught up.
    /// INVARIANT 1.
    pub(super) fn ask_for_dependents_late(&mut self, object: &Object, entries: &Entries) {
        let late = |presence| !self.queries(object, presence, Extent::Late).is_empty();
        if late(Presence::Deleted) || late(Presence::Restored) {
            self.add_effect(
                Effect::SendDependents(Dependents::of(self.model, object, Which::All, Extent::Late)),
                entries,
            );
        }
    }
}
