//! Conditions on names in the key: each value is one of the name's set.

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

/// An attribute of a name comes before the key, and may have another form of a value: so only a name with
/// a closed set is checked.
fn check_all(context: &Context<'_>, entry: &Entry<'_>, conditions: &[&DraftCondition], mistakes: &mut Mistakes) {
    for (name, test) in conditions.iter().copied().flatten().filter(|(name, _)| entry.is_in_every_key(&name.value)) {
        if let (Test::OneOf(tested), Some(values)) = (test, context.texts(entry.id).values_of(&name.value)) {
            let never = tested.iter().filter(|value| !can_have(values, value));
            never.for_each(|value| mistakes.add(is_never(entry, name, value, values)));
        }
    }
}

fn can_have(values: &[String], value: &Value) -> bool {
    value.to_text().is_some_and(|text| values.iter().any(|one| one.to_lowercase() == text.to_lowercase()))
}

fn is_never(entry: &Entry<'_>, name: &At<String>, value: &Value, values: &[String]) -> Mistake {
    let text = value.to_text().unwrap_or_default();
    let values: Vec<&str> = values.iter().map(String::as_str).collect();
    let help = match near_word(&text, &values) {
        Some(near) => format!("did you mean `{near}`?"),
        None => format!("its values are {}: remove `{text}`, or add the value", list(&values)),
    };
    let message = format!("`{}` in the key of `{}` is never `{text}`", name.value, entry.draft.name.value);
    Mistake::new(name.span, message, "never true").help(help)
}
