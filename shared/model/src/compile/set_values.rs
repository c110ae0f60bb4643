//! What a `due` rule sets is what an item may have. Otherwise Instep would park the record of its own write.

use crate::errors::{Mistake, Mistakes};
use crate::messages::list;
use crate::moment::end;
use crate::source::At;
use crate::value::Value;

use super::context::{Context, Entry};
use super::ineffective::names;

pub(super) fn check(context: &Context<'_>, mistakes: &mut Mistakes) {
    for entry in &context.items {
        for (attribute, value) in entry.draft.due.iter().flat_map(|due| &due.set).filter(|(_, value)| !value.is_empty())
        {
            let message = format!("`{}` of `{}` cannot be set to this", attribute.value, entry.draft.name.value);
            let mut refuse = |help: String| {
                mistakes.add(Mistake::new(attribute.span, message.clone(), "would be parked").help(help));
            };
            if is_time(context, entry, attribute) && end(value).is_none() {
                refuse("it is a time: write it as RFC 3339 (`2026-01-31T09:00:00Z`) or as a date".to_owned());
            } else if let Some(values) = outside(context, entry, attribute, value) {
                refuse(format!("its values are {}: set one of them, or add the value", list(&values)));
            }
        }
    }
}

/// Whether an attribute is a time of the grant, or that of a `due` rule.
fn is_time(context: &Context<'_>, entry: &Entry<'_>, attribute: &At<String>) -> bool {
    let of_grant = entry.draft.grant.iter().flat_map(|grant| grant.from.iter().chain(&grant.until));
    let mut names = of_grant.chain(entry.draft.due.iter().map(|due| &due.at));
    names.any(|name| context.attributes_of(std::slice::from_ref(name)).contains(&attribute.value))
}

/// The fixed values of a name that an attribute contains, if the value is none of them.
fn outside<'a>(
    context: &'a Context<'_>,
    entry: &Entry<'_>,
    attribute: &At<String>,
    value: &Value,
) -> Option<Vec<&'a str>> {
    let names = names(entry.draft).into_iter().map(|name| At::new(attribute.span, name.to_owned()));
    let mut named = names.filter(|name| context.attributes_of(std::slice::from_ref(name)).contains(&attribute.value));
    named.find_map(|name| {
        let values = context.texts(entry.id).values_of(&name.value)?;
        let is_outside = value.to_text().is_none_or(|text| !values.contains(&text));
        is_outside.then(|| values.iter().map(String::as_str).collect())
    })
}
