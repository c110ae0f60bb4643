//! The cases of a `oneof`: each is for a value that the deciding name can have.

use crate::errors::{Mistake, Mistakes};
use crate::file::Oneof;
use crate::messages::{list, near_word};
use crate::slot::Slot;
use crate::source::Located;

use super::context::{Context, TypeContext};
use super::ineffective::references;

pub(super) fn check(context: &Context<'_>, mistakes: &mut Mistakes) {
    for oneof in &context.draft.oneof {
        let refers = |entry: &&TypeContext<'_>| {
            let by = &oneof.by.value;
            entry.known.contains(by) && references(entry.draft).iter().any(|own| own.to.value == oneof.name.value)
        };
        let entries: Vec<&TypeContext<'_>> = context.items.iter().filter(refers).collect();
        for (value, _) in &oneof.cases {
            if !entries.is_empty() && !entries.iter().any(|entry| can_be(context, entry, &oneof.by.value, &value.value))
            {
                mistakes.add(never(context, &entries, oneof, value));
            }
        }
    }
}

/// Whether a key of an item type can have a value in the place of a name.
fn can_be(context: &Context<'_>, entry: &TypeContext<'_>, name: &str, value: &str) -> bool {
    let refuses = |slot: &Slot| slot.name == name && slot.refuses(value).is_some();
    context.texts(entry.id).check(name, value).is_ok() && entry.forms.iter().any(|form| !form.slots().any(refuses))
}

fn never(context: &Context<'_>, entries: &[&TypeContext<'_>], oneof: &Oneof, value: &Located<String>) -> Mistake {
    let by = &oneof.by.value;
    let mut values: Vec<&str> = Vec::new();
    for own in entries.iter().filter_map(|entry| context.texts(entry.id).values_of(by)).flatten() {
        values.extend((!values.contains(&own.as_str())).then_some(own.as_str()));
    }
    let help = match near_word(&value.value, &values) {
        Some(near) => format!("did you mean `{near}`?"),
        None if values.is_empty() => {
            format!(
                "write it as the keys have `{by}`: without a character that ends it in a template, in the same case"
            )
        }
        None => format!("its values are {}: remove the case, or add the value", list(&values)),
    };
    Mistake::new(value.span, format!("`{by}` is never `{}`", value.value), "never applies").help(help)
}
