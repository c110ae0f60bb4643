//! The rule of the last revocation: it counts all grants of a subject, so all have to be found, and each of
//! them has to find the subject.

use crate::errors::{Mistake, Mistakes};
use crate::model::{ItemType, Link, LinkId, Subject, ToDependents};

use crate::template::Template;

use super::context::Context;
use super::items::names_from_key;

pub(super) fn check(context: &Context<'_>, items: &[ItemType], links: &[Link], mistakes: &mut Mistakes) {
    let subject_link = |item: &ItemType| match item.grant.as_ref().map(|grant| &grant.subject) {
        Some(Subject::Link(LinkId(link))) => links.get(*link),
        Some(Subject::Itself) | None => None,
    };
    let has_last = |item: &&ItemType| item.grant.as_ref().is_some_and(|grant| grant.last.is_some());
    let deleted: Vec<_> = items.iter().filter(has_last).filter_map(subject_link).map(|link| link.to).collect();
    for (entry, item) in context.items.iter().zip(items) {
        let Some(link) = subject_link(item).filter(|link| deleted.contains(&link.to)) else { continue };
        let Some(grant) = &entry.draft.grant else { continue };
        let has_last = grant.last.is_some();
        let (of, subject) = (&entry.draft.name.value, context.name(link.to));
        if let Some(missing) = context.missing_in_key(link) {
            let message =
                format!("`last` deletes a `{subject}`, and a `{of}` does not know the `{missing}` in its key");
            let help = if has_last {
                format!("put it into the key of `{of}`; or remove `last`")
            } else {
                format!(
                    "give it in the reference, `{{ type = \"{subject}\", {missing} = \"{{…}}\" }}`; or remove `last`"
                )
            };
            mistakes.add(Mistake::new(grant.subject.to.span, message, "which of them is its subject?").help(help));
            continue;
        }
        if has_last && context.entry(link.to).draft.guard.is_some() {
            let message = format!("`last` deletes a `{subject}`, and a guard exists as long as its claim");
            let help = "remove `last`: let the owner of the guard be the subject";
            mistakes.add(Mistake::new(grant.subject.to.span, message, "would be claimed again").help(help));
        }
        let in_key = names_from_key(context, entry.id);
        let mut sources = link.names.values().flat_map(Template::names).filter(|_| has_last);
        if let Some(name) = sources.find(|name| !in_key.contains(*name)) {
            let message = format!("an update of a `{of}` can give it another `{subject}`, by its attribute `{name}`");
            let help = format!(
                "`last` acts when a grant is deleted: put the names of `{subject}` into the key of `{of}`, or remove `last`"
            );
            mistakes.add(Mistake::new(grant.subject.to.span, message, "is not in its key").help(help));
        }
        let ToDependents::Sweep = link.find else { continue };
        let message =
            format!("`last` deletes a `{subject}` without grants, and nothing leads from it to its `{of}` items");
        let help = format!(
            "write `{{ type = \"{subject}\", find = \"back-reference\" }}`, or give `{of}` an index whose partition \
             key uses only names from the key of `{subject}`; or remove `last`"
        );
        mistakes.add(Mistake::new(grant.subject.to.span, message, "has it any left?").help(help));
    }
}
