//! The reference of a grant or a membership to its subject.

use crate::errors::{Mistake, Mistakes};
use crate::file::Reference;
use crate::model::{LinkRole, Subject};

use super::context::TypeContext;
use super::links::{LinkReason, Links, Resolution};

/// The subject of a grant or a membership.
pub(super) fn subject(
    entry: &TypeContext<'_>,
    reference: &Reference,
    role: LinkRole,
    links: &mut Links<'_, '_>,
    mistakes: &mut Mistakes,
) -> Option<Subject> {
    let reason = LinkReason { role, needed: true, role_text: None };
    match links.resolve(entry.id, reference, &reason, mistakes) {
        Resolution::Itself => Some(Subject::Itself),
        Resolution::Links(links) => match links.as_slice() {
            [link] => Some(Subject::Link(*link)),
            _ => {
                let message = format!("`{}` can be of several item types", reference.to.value);
                let help = format!("a `{}` is always of one item type: name that", reason.role.word());
                mistakes.add(Mistake::new(reference.to.span, message, "which of them?").help(help));
                None
            }
        },
        Resolution::Failed => None,
    }
}
