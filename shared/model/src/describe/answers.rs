//! What only answers read of an item type, a sentence each.

use crate::model::{Conveys, ItemType, Link, Model, Permits, Within};

use super::{add, only_while};

pub(super) fn of_answers(model: &Model, item: &ItemType) -> Vec<String> {
    let mut says = Vec::new();
    says.extend(item.within.as_ref().map(|within| of_within(model, within)));
    if let Some(Conveys { end, when, to: _, from: _ }) = &item.conveys {
        says.push(format!("in answers: what applies at its other end applies to its {end}, too{}", only_while(when)));
    }
    if let Some(Permits { permission, list, any, role }) = &item.permits {
        let each = list.as_ref().map(|list| format!(" for each map in {list}")).unwrap_or_default();
        let any = any.as_ref().map(|any| format!(", where {any} is any value")).unwrap_or_default();
        let to = role.as_ref().map(|link| format!(" its {}", model.item(link.to).name)).unwrap_or_default();
        says.push(format!("in answers: permits{to} {permission}{each}{any}"));
    }
    if let Some(link) = &item.inherits {
        let to = &model.item(link.to).name;
        says.push(format!("in answers: has the permissions of the {to} with {}, too", names(link)));
    }
    if let Some(grant) = item.grant.as_ref().filter(|grant| !grant.same.is_empty()) {
        says.push(format!("in answers: counts if subject, scope and role have one {}", grant.same.join(" and one ")));
    }
    says
}

fn of_within(model: &Model, within: &Within) -> String {
    match within {
        Within::Items(links) => {
            let mut items: Vec<&str> = Vec::new();
            links.iter().for_each(|link| add(&mut items, &model.item(link.to).name));
            format!("in answers: what applies in its {} applies here, too", items.join(" or "))
        }
        Within::Path { name, separator } => {
            format!(
                "in answers: what applies in the leading parts of its {name}, between {separator}, applies here, too"
            )
        }
    }
}

fn names(link: &Link) -> String {
    let names: Vec<String> = link.names.iter().map(|(name, template)| format!("{name} = {template}")).collect();
    names.join(" and ")
}
