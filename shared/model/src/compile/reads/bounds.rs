//! The part of a partition that a read queries, and what else is there.

use std::collections::BTreeSet;

use crate::errors::{Mistake, Mistakes};
use crate::model::{KeyForm, ReadBound, ReadRange, ReadRow, TypeId};
use crate::template::{Slot, Template, TemplatePart};

use super::super::context::Context;
use super::super::key_overlap::witness;
use super::super::paths::common_prefix;
use super::rows::{FoundRow, KnownRead, in_index};

/// A name that no model has: it stands for the rest of a sort key.
const REST: &str = "instep:rest";

/// What a read queries. `None` if there is no such query: then there is an error.
pub(super) fn range(
    context: &Context<'_>,
    read: &KnownRead<'_>,
    rows: &[FoundRow],
    mistakes: &mut Mistakes,
) -> Option<ReadRange> {
    let first = rows.first()?;
    if let Some(other) = rows.iter().find(|row| row.pk != first.pk) {
        let message = if other.of == first.of {
            format!(
                "spellings of `{}` are in different partitions: `{}`, `{}`",
                context.name(first.of),
                first.pk,
                other.pk
            )
        } else {
            format!("the items are in different partitions: `{}`, `{}`", first.pk, other.pk)
        };
        let at = read.draft.items.first()?.span;
        let help = "one read queries one partition: make a read of each";
        mistakes.add(Mistake::new(at, message, "not in one partition").help(help));
        return None;
    }
    let sorts = rows.iter().map(|row| row.sort.clone());
    let sort = sorts.reduce(|one, other| common_prefix(&one, &other)).unwrap_or_default();
    let is_whole = rows.iter().all(|row| row.is_whole && row.sort == sort);
    let bound = bound(context, read, rows, mistakes);
    let of_rows = rows.iter().map(|row| ReadRow { of: row.of, sort: row.sort.clone(), is_whole: row.is_whole });
    let rows: Vec<ReadRow> = of_rows.collect();
    let dropped = dropped(context, read, (&first.pk, &sort, is_whole));
    let descending = read.draft.descending.is_some();
    Some(ReadRange { pk: first.pk.clone(), sort, is_whole, bound, descending, rows, dropped })
}

/// How the caller limits the next name of the sort key.
fn bound(context: &Context<'_>, read: &KnownRead<'_>, rows: &[FoundRow], mistakes: &mut Mistakes) -> Option<ReadBound> {
    let is_range = read.draft.range.is_some();
    let name = read.draft.range.as_ref().or(read.draft.begins.as_ref())?;
    let is_next = |row: &&FoundRow| row.next.as_ref().is_some_and(|next| next.name == name.value);
    if let Some(row) = rows.iter().find(|row| !is_next(row)) {
        let message = format!("`{}` is not the next name in `{}` of `{}`", name.value, row.sk, context.name(row.of));
        let help = match &row.next {
            Some(next) => format!("write `{}`, or give the names before this one", next.name),
            None => "remove it: nothing of the sort key is open".to_owned(),
        };
        mistakes.add(Mistake::new(name.span, message, "not next").help(help));
        return None;
    }
    let first = rows.first()?;
    if let Some(row) = rows.iter().find(|row| row.sort != first.sort || row.next != first.next) {
        let message = format!("`{}` is at different places: `{}`, `{}`", name.value, first.sk, row.sk);
        mistakes.add(Mistake::new(name.span, message, "not in one range").help("make a read of each item type"));
        return None;
    }
    let slot = first.next.as_ref()?;
    let refused = if is_range && slot.urlencode {
        Some("is URL-encoded in the key, which does not sort as its values do")
    } else if !is_range && slot.pad.is_some() {
        Some("is padded in the key, so no key begins as a value does")
    } else {
        None
    };
    if let Some(why) = refused {
        mistakes.add(Mistake::new(name.span, format!("`{}` {why}", name.value), "here").help("remove it"));
        return None;
    }
    let value = Template::from_parts([TemplatePart::Name(Slot { each: false, ..slot.clone() })]);
    Some(ReadBound { name: name.value.clone(), value, is_range })
}

/// The other item types that have keys in this part of the partition.
fn dropped(
    context: &Context<'_>,
    read: &KnownRead<'_>,
    (pk, sort, is_whole): (&Template, &Template, bool),
) -> Vec<TypeId> {
    let range = form(pk, &range_of(sort, is_whole));
    let Some(of) = read.items.first() else { return Vec::new() };
    let texts = context.texts(*of);
    let is_there = |other: &TypeId| {
        let forms = context.entry(*other).forms.iter();
        let forms: Vec<KeyForm> = match read.index {
            None => forms.cloned().collect(),
            Some(index) => {
                let rows = forms.filter_map(|own| in_index(context, read, *other, (index, own)));
                rows.map(|row| form(&row.pk, &row.sk)).collect()
            }
        };
        forms.iter().any(|form| witness(&texts, &range, &context.texts(*other), form).is_some())
    };
    let others = context.items.iter().filter(|entry| entry.draft.user_value.is_none()).map(|entry| entry.id);
    let mut dropped: Vec<TypeId> = others.filter(|other| !read.items.contains(other)).filter(is_there).collect();
    dropped.sort_by_key(|of| context.name(*of));
    dropped
}

/// A sort key of the part of the partition.
fn range_of(sort: &Template, is_whole: bool) -> Template {
    let rest = TemplatePart::Name(Slot::plain(REST));
    // Two names are never adjacent: what a name at the end has is a part of the rest.
    let known = sort.parts().iter().enumerate().filter(|(place, part)| {
        is_whole || place + 1 < sort.parts().len() || matches!(part, TemplatePart::Constant(_))
    });
    let known: Vec<TemplatePart> = known.map(|(_, part)| part.clone()).collect();
    Template::from_parts(known.into_iter().chain((!is_whole).then_some(rest)))
}

fn form(pk: &Template, sk: &Template) -> KeyForm {
    let names: BTreeSet<String> = pk.names().chain(sk.names()).map(str::to_owned).collect();
    KeyForm { pk: pk.clone(), sk: sk.clone(), names }
}
