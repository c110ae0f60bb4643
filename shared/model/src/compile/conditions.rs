//! Conditions on names with fixed values: each value is one of them. A condition reads attributes and the names
//! in the key, not those inside the shape of another name.

use crate::errors::{Mistake, Mistakes};
use crate::file::DraftCondition;
use crate::messages::{list, near_word};
use crate::model::Test;
use crate::source::Located;
use crate::value::Value;

use super::context::{Context, TypeContext};
use super::ineffective::{conditions, conditions_of_claims, names};
use super::items::names_from_key;

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

/// An attribute of a name in the key comes before the key, and may have another form of a value.
fn check_all(context: &Context<'_>, entry: &TypeContext<'_>, conditions: &[&DraftCondition], mistakes: &mut Mistakes) {
    let (inner, used) = (names_from_key(context, entry.id), names(entry.draft));
    for (name, test) in conditions.iter().copied().flatten() {
        let in_key = entry.is_in_every_key(&name.value);
        if !in_key && context.listed_attributes(&name.value).is_none() && inner.contains(&name.value) {
            let message =
                format!("`{}` is inside another name of the key, and a condition does not look there", name.value);
            let help =
                format!("if the items have it as an attribute, too, write `names.{0}.attribute = \"{0}\"`", name.value);
            mistakes.add(Mistake::new(name.span, message, "never true").help(help));
        }
        if !in_key && let Some(mistake) = context.other_attribute(name, "a condition reads") {
            mistakes.add(mistake);
            continue;
        }
        // Elsewhere it is any attribute.
        if !in_key && !used.contains(&name.value.as_str()) {
            continue;
        }
        if let (Test::OneOf(tested), Some(values)) = (test, context.texts(entry.id).values_of(&name.value)) {
            let never = tested.iter().filter(|value| !can_have(values, value, in_key));
            never.for_each(|value| mistakes.add(is_never(entry, (name, in_key), value, values)));
        }
    }
}

fn can_have(values: &[String], value: &Value, in_key: bool) -> bool {
    let is_same = |one: &String, text: &str| one == text || in_key && one.to_lowercase() == text.to_lowercase();
    value.to_text().is_some_and(|text| values.iter().any(|one| is_same(one, &text)))
}

fn is_never(
    entry: &TypeContext<'_>,
    (name, in_key): (&Located<String>, bool),
    value: &Value,
    values: &[String],
) -> Mistake {
    let text = value.to_text().unwrap_or_default();
    let values: Vec<&str> = values.iter().map(String::as_str).collect();
    let help = match near_word(&text, &values) {
        Some(near) => format!("did you mean `{near}`?"),
        None => format!("its values are {}: remove `{text}`, or add the value", list(&values)),
    };
    let of = if in_key { "in the key of" } else { "of" };
    let message = format!("`{}` {of} `{}` is never `{text}`", name.value, entry.draft.name.value);
    Mistake::new(name.span, message, "never true").help(help)
}
