//! What a `due` rule sets is what an item may have. Otherwise Instep would park the record of its own write.

use crate::errors::{Mistake, Mistakes};
use crate::messages::list;
use crate::moment::{end, is_too_far};
use crate::source::Located;
use crate::value::Value;

use super::context::{Context, TypeContext};

pub(super) fn check(context: &Context<'_>, mistakes: &mut Mistakes) {
    for entry in &context.items {
        for (attribute, value) in entry.draft.due.iter().flat_map(|due| &due.set) {
            if let Some(mistake) = context.other_attribute(attribute, "a `due` rule sets") {
                mistakes.add(mistake);
                continue;
            }
            let Some(help) = refused_time(context, entry, attribute, value)
                .or_else(|| refused_role(context, entry, attribute, value))
            else {
                continue;
            };
            let text = value.to_text().unwrap_or_default();
            let message = format!("`{}` of a `{}` cannot be `{text}`", attribute.value, entry.draft.name.value);
            mistakes.add(Mistake::new(attribute.span, message, "would be parked").help(help));
        }
    }
}

/// Whether a name has its value in an attribute.
fn is_in(context: &Context<'_>, name: &str, attribute: &Located<String>) -> bool {
    context.attributes_of_name(name).contains(&attribute.value)
}

/// A time of the grant, or that of a `due` rule.
fn refused_time(
    context: &Context<'_>,
    entry: &TypeContext<'_>,
    attribute: &Located<String>,
    value: &Value,
) -> Option<String> {
    let of_grant = entry.draft.grant.iter().flat_map(|grant| grant.from.iter().chain(&grant.until));
    let mut times = of_grant.chain(entry.draft.due.iter().map(|due| &due.at));
    if !times.any(|name| is_in(context, &name.value, attribute)) {
        return None;
    }
    match end(value) {
        None => Some("it is a time: write it as RFC 3339 (`2026-01-31T09:00:00Z`) or as a date".to_owned()),
        Some(at) if is_too_far(at) => {
            Some("a time is before the year 2200: write an earlier one, or `\"\"` for none".to_owned())
        }
        Some(_) => None,
    }
}

/// A role of the grant. Roles are strings, and among the fixed values of their names.
fn refused_role(
    context: &Context<'_>,
    entry: &TypeContext<'_>,
    attribute: &Located<String>,
    value: &Value,
) -> Option<String> {
    let grant = entry.draft.grant.as_ref()?;
    let is_own = |name: &&str| is_in(context, name, attribute);
    let roles = || grant.roles.iter().map(|role| role.value.as_str()).filter(is_own);
    if roles().next().is_some() && !matches!(value, Value::S(_)) {
        return Some("roles are strings: write it in quotes".to_owned());
    }
    let of_template = grant.roles_template.iter().flat_map(|template| template.value.names());
    let of_template = of_template.filter(|name| !entry.key_names.contains(*name)).filter(is_own);
    roles().chain(of_template).find_map(|name| {
        let values = context.texts(entry.id).values_of(name)?;
        let is_outside = value.to_text().is_none_or(|text| !values.iter().any(|value| *value == text));
        is_outside.then(|| format!("its values are {}: set one of them, or add the value", list(values)))
    })
}
