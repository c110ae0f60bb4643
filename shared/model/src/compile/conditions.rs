//! Conditions on names in the key: each value is one that a key can have there.

use crate::errors::{Mistake, Mistakes};
use crate::file::DraftCondition;
use crate::messages::{list, near_word};
use crate::model::Test;
use crate::source::At;
use crate::value::Value;

use super::context::{Context, Entry};
use super::ineffective::{conditions, conditions_of_claims};

pub(super) fn check(context: &Context<'_>, mistakes: &mut Mistakes) {
    for entry in &context.items {
        check_all(context, entry, &conditions(entry.draft), mistakes);
        // Claims are those of the owner.
        let owner = entry.draft.guard.as_ref().and_then(|guard| context.type_id(&guard.owner.value));
        if let Some(owner) = owner {
            check_all(context, context.entry(owner), &conditions_of_claims(entry.draft), mistakes);
        }
    }
}

fn check_all(context: &Context<'_>, entry: &Entry<'_>, conditions: &[&DraftCondition], mistakes: &mut Mistakes) {
    let in_key = |name: &str| entry.forms.iter().all(|form| form.names.contains(name));
    for (name, test) in conditions.iter().copied().flatten().filter(|(name, _)| in_key(&name.value)) {
        if let Test::OneOf(values) = test {
            let never = values.iter().filter(|value| !can_have(context, entry, &name.value, value));
            never.for_each(|value| mistakes.add(is_never(context, entry, name, value)));
        }
    }
}

/// Whether an item can have a value of a condition: one of the name's set, if it has one. An attribute
/// of this name comes before the key, and may have another form.
fn can_have(context: &Context<'_>, entry: &Entry<'_>, name: &str, value: &Value) -> bool {
    let Some(values) = context.texts(entry.id).values_of(name) else { return true };
    value.to_text().is_some_and(|text| values.iter().any(|one| one.to_lowercase() == text.to_lowercase()))
}

fn is_never(context: &Context<'_>, entry: &Entry<'_>, name: &At<String>, value: &Value) -> Mistake {
    let text = value.to_text().unwrap_or_default();
    let values: Vec<&str> =
        context.texts(entry.id).values_of(&name.value).into_iter().flatten().map(String::as_str).collect();
    let help = match near_word(&text, &values) {
        Some(near) => format!("did you mean `{near}`?"),
        None => format!("its values are {}: remove `{text}`, or add the value", list(&values)),
    };
    let message = format!("`{}` in the key of `{}` is never `{text}`", name.value, entry.draft.name.value);
    Mistake::new(name.span, message, "never true").help(help)
}
