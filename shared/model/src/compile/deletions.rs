//! What is deleted over a reference can be found, and stays deleted.

use std::collections::BTreeSet;

use crate::errors::{Mistake, Mistakes};
use crate::file::FindWord;
use crate::model::{Link, LinkRole};
use crate::source::Span;

use super::context::Context;

/// A link, the place of its reference, and its `find`.
pub(super) type Said<'l> = (&'l Link, Span, Option<FindWord>);

pub(super) fn check(context: &Context<'_>, links: &[Said<'_>], mistakes: &mut Mistakes) {
    check_taken(context, links, mistakes);
    check_guards(context, links, mistakes);
}

/// A guard exists as long as its claim: one that is deleted with anything but its owner would be claimed
/// again.
fn check_guards(context: &Context<'_>, links: &[Said<'_>], mistakes: &mut Mistakes) {
    for (link, at, _) in links.iter().filter(|(link, ..)| link.deleted_with) {
        let (from, to) = (context.entry(link.from).draft, context.name(link.to));
        let Some(guard) = &from.guard else { continue };
        let (from, owner) = (&from.name.value, &guard.owner.value);
        if owner == to {
            if link.role == LinkRole::Parent {
                let message = format!("a `{from}` goes with its owner, the `{to}` that its own attributes name");
                let help = "remove this `parent`, and say in `guard` how a deleted owner finds it: \
                            `find = \"back-reference\"`, or `find = \"query\"` if a partition or an index leads to it";
                mistakes.add(Mistake::new(*at, message, "of its owner").help(help));
            }
            continue;
        }
        let message = format!("a `{from}` that is deleted with its `{to}` would be claimed again for its `{owner}`");
        let help =
            format!("let `{to}` be a parent of `{owner}` instead: the guards of a deleted `{owner}` are released");
        mistakes.add(Mistake::new(*at, message, "deletes a guard").help(help));
    }
}

/// A child is deleted with its last parent only if Instep finds its edges.
fn check_taken(context: &Context<'_>, links: &[Said<'_>], mistakes: &mut Mistakes) {
    let ends: BTreeSet<usize> = links.iter().filter_map(|(link, ..)| link.cascades_to).map(|end| end.0).collect();
    let ends = ends.into_iter().filter_map(|end| links.get(end));
    for (link, at, find) in links.iter().filter(|(link, ..)| link.cascades_to.is_some()) {
        if matches!(find, Some(FindWord::Sweep)) {
            let (from, to) = (context.name(link.from), context.name(link.to));
            let message = format!("a deleted `{to}` cannot find its `{from}` items, so `takes` would delete nothing");
            let help = "remove `find = \"sweep\"`, or write `find = \"back-reference\"`";
            mistakes.add(Mistake::new(*at, message, "`find` at the other end than that of `takes`").help(help));
        }
    }
    for (link, at, find) in ends {
        let (from, to) = (context.name(link.from), context.name(link.to));
        if matches!(find, Some(FindWord::Sweep)) {
            let message = format!("a `{to}` cannot find its other `{from}` items, so `takes` would delete none");
            let help = "remove `find = \"sweep\"`, or write `find = \"back-reference\"`";
            mistakes.add(Mistake::new(*at, message, "`find` at the end that `takes` names").help(help));
        }
        if context.entry(link.to).draft.guard.is_some() {
            let message = format!("`takes` deletes a `{to}`, and a guard exists as long as its claim");
            let help = "remove `takes`: let the edge lead to the owner of the guard";
            mistakes.add(Mistake::new(*at, message, "would be claimed again").help(help));
        }
        // An index may lead to several items with the other names.
        if let Some(missing) = context.missing_in_key(link) {
            let message = format!("`takes` deletes a `{to}`, and a `{from}` does not know the `{missing}` in its key");
            let help =
                format!("give it in the reference, `{{ type = \"{to}\", {missing} = \"{{…}}\" }}`; or remove `takes`");
            mistakes.add(Mistake::new(*at, message, "which of them is the child?").help(help));
        }
    }
}
