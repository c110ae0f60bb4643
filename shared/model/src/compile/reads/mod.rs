//! Named reads: the key condition of each follows from the templates of its item types.

mod bounds;
mod rows;

use std::collections::BTreeSet;

use crate::errors::{Mistake, Mistakes};
use crate::file::DraftRead;
use crate::messages::{list, near_word};
use crate::model::{ItemType, Link, LinkId, LinkRole, NamedRead, Names, ReadFollow, ReadKey, ToParent, TypeId};
use crate::source::Located;

use super::context::Context;
use rows::{FoundRow, KnownRead};

pub(super) fn reads(
    context: &Context<'_>,
    items: &[ItemType],
    links: &[Link],
    mistakes: &mut Mistakes,
) -> Vec<NamedRead> {
    let reads = context.draft.reads.iter();
    reads.filter_map(|draft| read(context, draft, items, links, mistakes)).collect()
}

fn read(
    context: &Context<'_>,
    draft: &DraftRead,
    items: &[ItemType],
    links: &[Link],
    mistakes: &mut Mistakes,
) -> Option<NamedRead> {
    let before = mistakes.len();
    let types = types(context, draft, mistakes);
    let index = index(context, draft, mistakes);
    let (given, fixed) = names(draft, mistakes);
    if mistakes.len() > before {
        return None;
    }
    let known = KnownRead { draft, items: types, index, given, fixed };
    let follow = draft.follow.as_ref().map(|end| follow(context, &known, (end, items), links, mistakes));
    let found = rows::rows(context, &known, mistakes)?;
    let is_partial = partial(context, &known, &found, mistakes);
    check_fixed(context, &known, mistakes);
    let key = match rows::item(&known, &found) {
        true => ReadKey::Item,
        false => ReadKey::Range(Box::new(bounds::range(context, &known, &found, mistakes)?)),
    };
    check_descending(context, &known, &key, mistakes);
    if mistakes.len() > before {
        return None;
    }
    let KnownRead { items, given, fixed, .. } = known;
    let follow = follow.flatten();
    Some(NamedRead { name: draft.name.value.clone(), items, index, given, fixed, partial: is_partial, key, follow })
}

fn types(context: &Context<'_>, draft: &DraftRead, mistakes: &mut Mistakes) -> Vec<TypeId> {
    let mut types: Vec<TypeId> = Vec::new();
    for item in &draft.items {
        let of = context.type_id(&item.value).filter(|of| context.entry(*of).draft.user_value.is_none());
        let Some(of) = of else {
            let known: Vec<&str> = context
                .items
                .iter()
                .filter(|entry| entry.draft.user_value.is_none())
                .map(|entry| entry.draft.name.value.as_str())
                .collect();
            let help = match near_word(&item.value, &known) {
                Some(near) => format!("did you mean `{near}`?"),
                None => format!("known here: {}", list(&known)),
            };
            mistakes
                .add(Mistake::new(item.span, format!("`{}` is not an item type", item.value), "not known").help(help));
            continue;
        };
        if context.entry(of).draft.secret {
            let message = format!("`{}` is secret, and a read would return its items", item.value);
            mistakes.add(Mistake::new(item.span, message, "secret").help("remove it from the read"));
        }
        if types.contains(&of) {
            let message = format!("`{}` is here twice", item.value);
            mistakes.add(Mistake::new(item.span, message, "the same again").help("remove one of them"));
        }
        types.push(of);
    }
    types
}

fn index(context: &Context<'_>, draft: &DraftRead, mistakes: &mut Mistakes) -> Option<usize> {
    let index = draft.index.as_ref()?;
    let place = context.indexes.iter().position(|known| known.name == index.value);
    if place.is_none() {
        let known: Vec<&str> = context.indexes.iter().map(|known| known.name.as_str()).collect();
        let help = match near_word(&index.value, &known) {
            Some(near) => format!("did you mean `{near}`?"),
            None if known.is_empty() => "the model has no `indexes`: remove this".to_owned(),
            None => format!("known here: {}", list(&known)),
        };
        mistakes.add(Mistake::new(index.span, format!("`{}` is not an index", index.value), "not known").help(help));
    }
    place
}

/// The names that the caller gives, and those with a fixed value.
fn names(draft: &DraftRead, mistakes: &mut Mistakes) -> (Vec<String>, Names) {
    let mut seen: BTreeSet<&str> = BTreeSet::new();
    let bounds = draft.range.iter().chain(&draft.begins);
    for name in draft.fixed.iter().map(|(name, _)| name).chain(&draft.given).chain(bounds) {
        if !seen.insert(&name.value) {
            let message = format!("the read says `{}` twice", name.value);
            let help = "a name is in one of `given`, `where`, `range` and `begins`: remove the others";
            mistakes.add(Mistake::new(name.span, message, "the same again").help(help));
        }
    }
    let given = draft.given.iter().map(|name| name.value.clone()).collect();
    (given, draft.fixed.iter().map(|(name, text)| (name.value.clone(), text.value.clone())).collect())
}

/// A fixed value is one that a key can have.
fn check_fixed(context: &Context<'_>, read: &KnownRead<'_>, mistakes: &mut Mistakes) {
    for (name, text) in &read.draft.fixed {
        let refused = |of: &TypeId| {
            let entry = context.entry(*of);
            context.texts(*of).refused_in(&entry.forms, &name.value, &text.value)
        };
        if let Some(why) = read.items.iter().find_map(refused) {
            let message = format!("`{}` is never `{}`: {why}", name.value, text.value);
            mistakes.add(Mistake::new(text.span, message, "finds nothing").help("write a value that the key can have"));
        }
    }
}

/// Whether the index may lack items, as the read has to say.
fn partial(context: &Context<'_>, read: &KnownRead<'_>, found: &[FoundRow], mistakes: &mut Mistakes) -> bool {
    let draft = read.draft;
    let lacking: BTreeSet<TypeId> = found.iter().filter(|row| !row.is_kept).map(|row| row.of).collect();
    let index = draft.index.as_ref().map_or("", |index| index.value.as_str());
    let of: Vec<&str> = lacking.iter().map(|of| context.name(*of)).collect();
    match (draft.partial, lacking.is_empty(), &draft.index) {
        (Some(span), true, None) => {
            let help = "remove it: a read of the table itself lacks nothing";
            mistakes.add(Mistake::new(span, "`partial` has no effect without `index`", "no effect").help(help));
        }
        (Some(span), true, Some(_)) => {
            let message = format!("`partial` has no effect: Instep keeps {index} for all of these items");
            mistakes.add(Mistake::new(span, message, "no effect").help("remove it"));
        }
        (None, false, Some(at)) => {
            let message = format!("Instep does not keep {index} of {}, so the read may lack items", of.join(", "));
            let help =
                "write `partial = true` to accept that; or give the item type's keys of this index `keep = \"fill\"`";
            mistakes.add(Mistake::new(at.span, message, "may lack items").help(help));
        }
        (Some(_), false, _) | (None, _, _) => {}
    }
    !lacking.is_empty()
}

/// Only rows that have an order are read from the last to the first.
fn check_descending(context: &Context<'_>, read: &KnownRead<'_>, key: &ReadKey, mistakes: &mut Mistakes) {
    let Some(span) = read.draft.descending else { return };
    let index = read.index.and_then(|place| context.indexes.get(place));
    let why = match (key, index) {
        (ReadKey::Item, _) => "the whole key is given, so the read is of one item".to_owned(),
        (ReadKey::Range(range), _) if range.is_whole => format!("all rows have one sort key, `{}`", range.sort),
        (ReadKey::Range(_), Some(index)) if index.sk.is_none() => format!("{} has no sort key", index.name),
        (ReadKey::Range(_), _) => return,
    };
    let message = format!("`descending` has no effect: {why}");
    mistakes.add(Mistake::new(span, message, "no effect").help("remove it"));
}

/// The end of the edges that is read after them.
fn follow(
    context: &Context<'_>,
    read: &KnownRead<'_>,
    (end, items): (&Located<String>, &[ItemType]),
    links: &[Link],
    mistakes: &mut Mistakes,
) -> Option<ReadFollow> {
    let mut followed = Vec::new();
    for of in &read.items {
        let (name, draft) = (context.name(*of), context.entry(*of).draft);
        let is_end =
            |link: &Link| link.from == *of && matches!(&link.role, LinkRole::EdgeEnd(own) if *own == end.value);
        let of_end: Vec<(LinkId, &Link)> = links
            .iter()
            .enumerate()
            .map(|(place, link)| (LinkId(place), link))
            .filter(|(_, link)| is_end(link))
            .collect();
        if of_end.is_empty() {
            let ends = draft.edge.iter().flat_map(|edge| &edge.ends).map(|(name, _)| name.value.as_str());
            let ends: Vec<&str> = ends.collect();
            let message = format!("`{}` is not an end of `{name}`", end.value);
            let help = match ends.is_empty() {
                true => format!("`{name}` is not an edge: remove `follow`"),
                false => format!("its ends are {}", list(&ends)),
            };
            mistakes.add(Mistake::new(end.span, message, "not known").help(help));
        }
        for (id, link) in of_end {
            let to = context.name(link.to);
            if !matches!(link.up, ToParent::Key) {
                let message = format!("a `{name}` does not know the whole key of its `{}`", end.value);
                let help = format!("give the edge all names in the key of `{to}`, or remove `follow`");
                mistakes.add(Mistake::new(end.span, message, "cannot be read by key").help(help));
            } else if items.get(link.to.0).is_some_and(|item| item.secret) {
                let message = format!("`{to}` is secret, and the read would return its items");
                mistakes.add(Mistake::new(end.span, message, "secret").help("remove `follow`"));
            }
            followed.push(id);
        }
    }
    Some(ReadFollow { end: end.value.clone(), links: followed })
}
