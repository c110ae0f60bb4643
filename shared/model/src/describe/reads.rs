//! Named reads, a few sentences each.

use crate::model::{Model, NamedRead, ReadKey, ReadRange, TypeId};

/// What each read returns, from where, and what it lacks.
pub(super) fn reads(model: &Model) -> Vec<(String, Vec<String>)> {
    model.reads.iter().map(|read| (read.name.clone(), of_read(model, read))).collect()
}

fn of_read(model: &Model, read: &NamedRead) -> Vec<String> {
    // Whoever adds a word says here what it means.
    let NamedRead { name: _, items, index, given, fixed, partial, key, follow } = read;
    let place = index.map_or_else(String::new, |index| format!("index {}, ", model.index_at(index).name));
    let mut says = match key {
        ReadKey::Item => {
            let keys = items.iter().flat_map(|of| &model.item(*of).forms);
            let keys: Vec<String> = keys
                .filter(|form| form.names.iter().all(|name| given.contains(name) || fixed.contains_key(name)))
                .map(|form| format!("{} / {}", form.pk, form.sk))
                .collect();
            let fixed: String = fixed.iter().map(|(name, text)| format!(", where {name} is {text}")).collect();
            vec![format!("{} by key {}{fixed}", names(model, items), keys.join(" or "))]
        }
        ReadKey::Range(range) => {
            vec![format!("{} of {place}partition {}{}", names(model, items), range.pk, sorted(range))]
        }
    };
    if let ReadKey::Range(range) = key
        && !range.dropped.is_empty()
    {
        says.push(format!("also reads and drops {}", names(model, &range.dropped)));
    }
    if let Some(follow) = follow {
        says.push(format!("then reads what the {} of each leads to", follow.end));
    }
    if *partial {
        let index = index.map_or("", |index| model.index_at(index).name.as_str());
        says.push(format!("partial: Instep does not keep {index}, so items may be missing"));
    }
    says
}

fn sorted(ReadRange { pk: _, sort, is_whole, bound, descending, rows: _, dropped: _ }: &ReadRange) -> String {
    let order = if *descending { ", from the last sort key to the first" } else { "" };
    let part = match (bound, is_whole, sort.source()) {
        (Some(bound), _, before) if bound.is_range => {
            format!(", sort keys from {before}{0} to {before}{0}, both included", bound.value)
        }
        (Some(bound), _, before) => format!(", sort keys that begin with {before}{}", bound.value),
        (None, true, sort) => format!(", sort key {sort}"),
        (None, false, "") => String::new(),
        (None, false, sort) => format!(", sort keys that begin with {sort}"),
    };
    part + order
}

fn names(model: &Model, items: &[TypeId]) -> String {
    items.iter().map(|of| model.item(*of).name.as_str()).collect::<Vec<_>>().join(", ")
}
