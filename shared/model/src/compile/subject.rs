//! The reference of a grant or a membership to its subject.

use crate::errors::{Mistake, Mistakes};
use crate::file::Reference;
use crate::model::Subject;

use super::context::Entry;
use super::links::{LinkReason, Links, Resolution};

/// The subject of a grant or a membership.
pub(super) fn subject(
    entry: &Entry<'_>,
    reference: &Reference,
    role: &str,
    links: &mut Links<'_, '_>,
    mistakes: &mut Mistakes,
) -> Option<Subject> {
    let reason = LinkReason { role, deleted_with: false, needed: true, is_edge_end: false };
    match links.resolve(entry.id, reference, reason, mistakes) {
        Resolution::Itself => Some(Subject::Itself),
        Resolution::Links(links) => match links.as_slice() {
            [link] => Some(Subject::Link(*link)),
            _ => {
                let message = format!("`{}` can be of several item types", reference.to.value);
                let help = format!("a `{role}` is always of one item type: name that");
                mistakes.add(Mistake::new(reference.to.span, message, "which of them?").help(help));
                None
            }
        },
        Resolution::Failed => None,
    }
}
