//! Conditions that would hold always or never, in whole or in part: values that a name never has, tests of names in
//! the key, and alternatives. A condition reads attributes and the names in the key, not those inside the shape of
//! another name.

use std::collections::BTreeSet;
use std::slice::from_ref;

use crate::errors::{Mistake, Mistakes};
use crate::file::DraftCondition;
use crate::messages::{list, near_word};
use crate::model::Test;
use crate::source::Located;
use crate::value::Value;

use super::alternatives;
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

fn check_all(context: &Context<'_>, entry: &TypeContext<'_>, conditions: &[&DraftCondition], mistakes: &mut Mistakes) {
    let (inner, used) = (names_from_key(context, entry.id), names(entry.draft));
    for condition in conditions {
        let before = mistakes.len();
        for (name, test) in condition.iter().flat_map(|tests| &tests.value) {
            check_test(context, entry, (name, test), (&inner, &used), mistakes);
        }
        // What is wrong with the alternatives may follow from what is wrong with a test.
        if mistakes.len() == before {
            alternatives::check(context, entry, condition, mistakes);
        }
    }
}

/// An attribute of a name in the key comes before the key, and may have another form of a value.
fn check_test(
    context: &Context<'_>,
    entry: &TypeContext<'_>,
    (name, test): (&Located<String>, &Test),
    (inner, used): (&BTreeSet<String>, &[&str]),
    mistakes: &mut Mistakes,
) {
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
        return;
    }
    if in_key && test.absent {
        let message = format!("`{}` is in the key of every `{}`, and never absent", name.value, entry.draft.name.value);
        let help = "remove this test, or the absence from its list";
        let label = if test.not { "always present" } else { "never absent" };
        mistakes.add(Mistake::new(name.span, message, label).help(help));
        return;
    }
    // Elsewhere it is any attribute.
    let values = context.texts(entry.id).values_of(&name.value);
    let Some(values) = values.filter(|_| in_key || used.contains(&name.value.as_str())) else { return };
    let never: Vec<&Value> = test.values.iter().filter(|value| !can_have(values, value, in_key)).collect();
    never.iter().for_each(|value| mistakes.add(is_never(entry, (name, in_key), value, values, test)));
    let is_tested = |value: &String| test.values.iter().any(|tested| can_have(from_ref(value), tested, true));
    if in_key && never.is_empty() && values.iter().all(is_tested) {
        let (message, label) = if test.not {
            (
                format!("`{}` in the key of `{}` is always one of these", name.value, entry.draft.name.value),
                "never true",
            )
        } else {
            (format!("`{}` in the key of `{}` has no other value", name.value, entry.draft.name.value), "always true")
        };
        mistakes.add(Mistake::new(name.span, message, label).help("leave out a value, or remove this test"));
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
    test: &Test,
) -> Mistake {
    let text = value.to_text().unwrap_or_default();
    let values: Vec<&str> = values.iter().map(String::as_str).collect();
    let help = match near_word(&text, &values) {
        Some(near) => format!("did you mean `{near}`?"),
        None => format!("its values are {}: remove `{text}`, or add the value", list(&values)),
    };
    let of = if in_key { "in the key of" } else { "of" };
    let message = format!("`{}` {of} `{}` is never `{text}`", name.value, entry.draft.name.value);
    Mistake::new(name.span, message, if test.not { "has no effect" } else { "never true" }).help(help)
}
