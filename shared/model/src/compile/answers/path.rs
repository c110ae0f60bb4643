//! Ids that are paths.

use crate::errors::{Mistake, Mistakes};
use crate::messages::list;
use crate::model::{KeyForm, Within};
use crate::source::Located;

use super::super::context::{Context, TypeContext};

/// A leading part of an id is the id of another item, so an id has only plain text and separators.
pub(super) fn path(
    context: &Context<'_>,
    entry: &TypeContext<'_>,
    (name, separator): (&Located<String>, &Located<String>),
    mistakes: &mut Mistakes,
) -> Option<Within> {
    let before = mistakes.len();
    let of = context.name(entry.id);
    let is_only = |form: &KeyForm| form.names.iter().eq([&name.value]);
    if !entry.forms.iter().all(is_only) {
        let known: Vec<&String> = entry.key_names.iter().collect();
        let message = format!("`{}` is not the only name in the key of `{of}`", name.value);
        let help = format!(
            "its key has {}: name the item that it is in, such as `within = {{ type = \"{of}\", … }}`",
            list(&known)
        );
        mistakes.add(Mistake::new(name.span, message, "no path").help(help));
        return None;
    }
    let texts = context.texts(entry.id);
    let is_padded = entry.forms.iter().flat_map(KeyForm::slots).any(|slot| slot.pad.is_some());
    let why = match (texts.values_of(&name.value), texts.like_of(&name.value)) {
        (Some(_), _) => Some("has fixed values"),
        (None, Some(_)) => Some("has a shape"),
        (None, None) if is_padded => Some("is a number"),
        (None, None) => None,
    };
    if let Some(why) = why {
        let message = format!("`{}` {why}, so no part of it is another one", name.value);
        let help = "remove `within`, or name the item that it is in by a reference";
        mistakes.add(Mistake::new(name.span, message, "no path").help(help));
    }
    check_separator(context, entry, (name, separator), mistakes);
    (mistakes.len() == before).then(|| Within::Path { name: name.value.clone(), separator: separator.value.clone() })
}

/// An id can contain the separator.
fn check_separator(
    context: &Context<'_>,
    entry: &TypeContext<'_>,
    (name, separator): (&Located<String>, &Located<String>),
    mistakes: &mut Mistakes,
) {
    let texts = context.texts(entry.id);
    let help = "write the separator that ids have, such as `separator = \".\"`";
    let end = separator.value.chars().find_map(|c| Some((c, texts.end(&name.value, c)?)));
    if let Some((character, end)) = end {
        let message = format!("`{character}` ends `{}` in `{}`, so no id contains it", name.value, end.template);
        mistakes
            .add(Mistake::new(separator.span, message, "never in an id").also(end.span, "this template").help(help));
    } else if context.is_lower_in_key(entry.id, &name.value) && separator.value.to_lowercase() != separator.value {
        let message = format!("the key has `{}` in lower case, so no id contains `{}`", name.value, separator.value);
        mistakes.add(Mistake::new(separator.span, message, "never in an id").help(help));
    }
}
