//! Subjects, which are deleted with their last grant.

use instep_model::{Identity, LinkId, Object, Subject};

use super::Watch;
use crate::implied::Row;

impl Watch {
    /// Promise 2: subjects that Instep deleted for their last revocation, and that have a grant and no item at rest.
    #[must_use]
    pub fn lost_subjects(&self) -> Vec<String> {
        let ended = self.ended.keys().filter(|key| !self.implied.rows().contains_key(*key));
        let subjects = ended.filter_map(|key| match self.implied.model.identify(key) {
            Identity::Item { object, .. } => Some(object),
            Identity::Bookkeeping | Identity::Unknown { .. } => None,
        });
        let lost = subjects.filter(|object| self.is_subject(object) && self.has_grants(object));
        lost.map(|object| format!("2: {object:?} has a grant, and Instep deleted it")).collect()
    }

    /// The links by which grants whose last revocation counts lead to their subjects.
    fn last_links(&self) -> impl Iterator<Item = (usize, LinkId)> {
        let types = self.implied.model.items.iter().enumerate();
        types.filter_map(|(of, ty)| {
            let grant = ty.grant.as_ref().filter(|grant| grant.last.is_some())?;
            match grant.subject {
                Subject::Link(link) => Some((of, link)),
                Subject::Itself => None,
            }
        })
    }

    /// Whether an object goes with its last grant.
    pub(super) fn is_subject(&self, object: &Object) -> bool {
        self.last_links().any(|(_, link)| self.implied.model.link(link).to == object.of)
    }

    fn has_grants(&self, subject: &Object) -> bool {
        self.last_links().any(|(of, link)| {
            let leads = |row: &Row| self.implied.target(link, &row.object, &row.item).as_ref() == Some(subject);
            self.implied.rows().values().any(|row| row.object.of.0 == of && leads(row))
        })
    }
}
