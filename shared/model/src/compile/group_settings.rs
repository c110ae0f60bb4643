//! The precedence and the IAM roles of an item's groups.

use crate::errors::{Mistake, Mistakes};
use crate::file::{DraftOfGroups, DraftPrecedence};
use crate::group_settings::{PRECEDENCE_MAX, group_precedence};
use crate::messages::list;
use crate::model::{OfGroups, Precedence};
use crate::source::Located;
use crate::template::Template;

use super::context::{Context, TypeContext};
use super::items::check_names;
use super::user_attributes::fixed_values;

/// The precedence of groups. `each` is the name that gives a group for each of its values.
pub(super) fn precedence(
    context: &Context<'_>,
    entry: &TypeContext<'_>,
    draft: &DraftPrecedence,
    each: Option<&str>,
    mistakes: &mut Mistakes,
) -> Precedence {
    match draft {
        DraftPrecedence::Fixed(fixed) => {
            Precedence::Fixed(of_groups(context, entry, ("precedence", fixed), each, mistakes))
        }
        DraftPrecedence::OfItem(template) => {
            check_of_item(context, entry, template, each, mistakes);
            Precedence::OfItem(template.value.clone())
        }
    }
}

/// Checks a template of an attribute with the precedence.
fn check_of_item(
    context: &Context<'_>,
    entry: &TypeContext<'_>,
    template: &Located<Template>,
    each: Option<&str>,
    mistakes: &mut Mistakes,
) {
    if let Some(each) = each.filter(|each| template.value.names().any(|name| name == *each)) {
        let message = format!("`{each}` gives a group for each of its values");
        let help = format!("write a table with a number for each of them: {}", values(context, entry, each));
        mistakes.add(Mistake::new(template.span, message, "which of them?").help(help));
        return;
    }
    check_names(context, entry.id, template, &[], mistakes);
    let mut fixed = fixed_values(context, entry, &template.value).into_iter();
    if let Some(value) = fixed.find(|value| group_precedence(value).is_none()) {
        let message = format!("`{value}` is no precedence");
        let help = format!("Cognito takes a whole number from 0 to {PRECEDENCE_MAX}: name an attribute with numbers");
        mistakes.add(Mistake::new(template.span, message, "its value is fixed").help(help));
    }
}

/// A setting of groups.
pub(super) fn of_groups<T: Clone>(
    context: &Context<'_>,
    entry: &TypeContext<'_>,
    (setting, draft): (&str, &DraftOfGroups<T>),
    each: Option<&str>,
    mistakes: &mut Mistakes,
) -> OfGroups<T> {
    let table = match draft {
        DraftOfGroups::All(all) => return OfGroups::All(all.clone()),
        DraftOfGroups::Each(table) => table,
    };
    for (value, _) in table {
        let Some(each) = each else {
            let message = "these groups are not one for each of some values";
            let help = format!("write one value, `{setting} = …`, or add a name with fixed values to the groups' name");
            mistakes.add(Mistake::new(value.span, message, "of which group?").help(help));
            break;
        };
        let known = context.texts(entry.id).values_of(each).unwrap_or_default();
        if !known.contains(&value.value) {
            let message = format!("there is no group for `{}`: `{each}` is never that", value.value);
            let help = format!("there are groups for {}", values(context, entry, each));
            mistakes.add(Mistake::new(value.span, message, "of which group?").help(help));
        }
    }
    OfGroups::Each(table.iter().map(|(value, setting)| (value.value.clone(), setting.clone())).collect())
}

/// The values of a name, for people.
fn values(context: &Context<'_>, entry: &TypeContext<'_>, name: &str) -> String {
    let known: Vec<&str> =
        context.texts(entry.id).values_of(name).unwrap_or_default().iter().map(String::as_str).collect();
    list(&known)
}
