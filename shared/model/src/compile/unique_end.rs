//! Edges of which an item at one end has at most one: the guard that names the one in effect.

use std::collections::BTreeSet;

use crate::errors::{Mistake, Mistakes};
use crate::messages::list;
use crate::model::{Claim, ItemType, Link, LinkId, ToParent, TypeId, UniqueEnd};
use crate::source::Located;
use crate::template::Template;

use super::context::{Context, TypeContext};
use super::links::Links;

/// The ends of an edge, and the links to each.
pub(super) type EdgeEnds<'e> = Vec<(&'e str, Vec<LinkId>)>;

/// An edge that says `unique`.
pub(super) struct EdgeWithUniqueEnd<'c, 'd> {
    pub(super) entry: &'c TypeContext<'d>,
    pub(super) unique: &'c Located<String>,
    pub(super) ends: EdgeEnds<'c>,
}

/// The links of the end of an edge that a word names. `None` if there is none: an error was reported.
pub(super) fn end_named<'e>(
    word: &Located<String>,
    ends: &'e EdgeEnds<'_>,
    mistakes: &mut Mistakes,
) -> Option<&'e [LinkId]> {
    let found = ends.iter().find(|(name, _)| *name == word.value);
    if found.is_none() && !ends.is_empty() {
        let known: Vec<&str> = ends.iter().map(|(name, _)| *name).collect();
        let message = format!("`{}` is not an end of this edge", word.value);
        mistakes.add(Mistake::new(word.span, message, "not known").help(format!("its ends are {}", list(&known))));
    }
    found.map(|(_, links)| links.as_slice())
}

/// What `unique` means for an edge.
pub(super) fn of_edge(
    context: &Context<'_>,
    EdgeWithUniqueEnd { entry, unique, ends }: &EdgeWithUniqueEnd<'_, '_>,
    items: &[ItemType],
    links: &Links<'_, '_>,
    mistakes: &mut Mistakes,
) -> Option<UniqueEnd> {
    let edge = &entry.draft.name.value;
    let takes = entry.draft.edge.as_ref().and_then(|edge| edge.takes.as_ref());
    if takes.is_none() && entry.draft.members.is_empty() {
        let message =
            format!("a `{edge}` takes nothing along and implies no membership: there is no effect to keep back");
        let help =
            "remove `unique`: a guard whose `owner` is this edge publishes the conflict without it; or add `takes`";
        mistakes.add(Mistake::new(unique.span, message, "has no effect").help(help));
        return None;
    }
    let (end, end_links) = (&unique.value, end_named(unique, ends, mistakes)?);
    let only = if let [link] = end_links { links.get(*link) } else { None };
    // A reference by type with one case still has items of which it leads nowhere.
    let Some(link) = only.filter(|link| link.when.is_none()) else {
        if !end_links.is_empty() {
            let message = format!("`{end}` can be of several item types");
            let help = "name one item type at the end that `unique` names";
            mistakes.add(Mistake::new(unique.span, message, "one for each of which?").help(help));
        }
        return None;
    };
    let to = context.name(link.to);
    if !matches!(link.up, ToParent::Key) {
        let missing = context.missing_in_key(link).unwrap_or_default();
        let message = format!("a `{edge}` does not know the `{missing}` in the key of its `{to}`");
        let help =
            format!("give it in the reference, `{{ type = \"{to}\", {missing} = \"{{…}}\" }}`; or remove `unique`");
        mistakes.add(Mistake::new(unique.span, message, "which of them has one edge?").help(help));
        return None;
    }
    let mut guards = items.iter().enumerate().filter_map(|(of, item)| {
        let guard = item.guard.as_ref().filter(|guard| guard.owner == entry.id)?;
        let claim = guard.claims.iter().position(|claim| is_of(link, claim))?;
        Some(UniqueEnd { end: end.clone(), guard: TypeId(of), claim })
    });
    let found = guards.next();
    if found.is_none() {
        let names: Vec<String> = link.names.values().map(ToString::to_string).collect();
        let message = format!("no guard reserves a `{to}` for one `{edge}`");
        let help = format!(
            "add an item type with `guard.owner = \"{edge}\"` and a claim of {}, without `when` and `transfer`: it names \
             the `{edge}` that is in effect",
            list(&names)
        );
        mistakes.add(Mistake::new(unique.span, message, "which one is it?").help(help));
    }
    found
}

/// Whether every item that a link leads to has one value in a claim, and no other has that one: the claim is made of what
/// the key of that item is made of, and of constants.
fn is_of(link: &Link, claim: &Claim) -> bool {
    let Claim { when, names, transfer } = claim;
    let has_names = |template: &&Template| template.names().next().is_some();
    let made_of = |templates: &mut dyn Iterator<Item = &Template>| -> BTreeSet<String> {
        templates.filter(has_names).map(ToString::to_string).collect()
    };
    when.is_empty() && transfer.is_none() && made_of(&mut names.values()) == made_of(&mut link.names.values())
}
