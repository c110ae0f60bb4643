//! Named reads, a few sentences each.

use crate::model::{Model, NamedRead, ReadKey, ReadRange, TypeId};

/// What each read returns, from where, and what it lacks.
pub(super) fn reads(model: &Model) -> Vec<(String, Vec<String>)> {
    model.reads.iter().map(|read| (read.name.clone(), of_read(model, read))).collect()
}

fn of_read(model: &Model, read: &NamedRead) -> Vec<String> {
    let items = names(model, &read.items);
    let place = read.index.map_or_else(String::new, |index| format!("index {}, ", model.index_at(index).name));
    let mut says = match &read.key {
        ReadKey::Item => {
            let keys = read.items.iter().flat_map(|of| &model.item(*of).forms);
            let keys: Vec<String> = keys
                .filter(|form| form.names.iter().all(|name| read.given.contains(name) || read.fixed.contains_key(name)))
                .map(|form| format!("{} / {}", form.pk, form.sk))
                .collect();
            let fixed: String = read.fixed.iter().map(|(name, text)| format!(", where {name} is {text}")).collect();
            vec![format!("{items} by key {}{fixed}", keys.join(" or "))]
        }
        ReadKey::Range(range) => {
            let order = if range.descending { ", from the last sort key to the first" } else { "" };
            vec![format!("{items} of {place}partition {}{}{order}", range.pk, sorted(range))]
        }
    };
    if let ReadKey::Range(range) = &read.key
        && !range.dropped.is_empty()
    {
        says.push(format!("also reads and drops {}", names(model, &range.dropped)));
    }
    if let Some(follow) = &read.follow {
        says.push(format!("then reads what the {} of each leads to", follow.end));
    }
    if read.partial {
        let index = read.index.map_or("", |index| model.index_at(index).name.as_str());
        says.push(format!("partial: Instep does not keep {index}, so items may be missing"));
    }
    says
}

fn sorted(ReadRange { sort, is_whole, bound, .. }: &ReadRange) -> String {
    match (bound, is_whole, sort.source()) {
        (Some(bound), _, before) if bound.is_range => {
            format!(", sort keys from {before}{0} to {before}{0}, both included", bound.value)
        }
        (Some(bound), _, before) => format!(", sort keys that begin with {before}{}", bound.value),
        (None, true, sort) => format!(", sort key {sort}"),
        (None, false, "") => String::new(),
        (None, false, sort) => format!(", sort keys that begin with {sort}"),
    }
}

fn names(model: &Model, items: &[TypeId]) -> String {
    items.iter().map(|of| model.item(*of).name.as_str()).collect::<Vec<_>>().join(", ")
}
