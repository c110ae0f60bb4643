//! The attributes of Cognito users: their names, their values where the model fixes them, and which are unique.

use std::collections::BTreeSet;

use crate::errors::{Mistake, Mistakes};
use crate::messages::{list, near_word};
use crate::model::{Model, TypeId, UniqueAttribute};
use crate::source::Located;
use crate::template::Template;
use crate::user_attributes::{
    ACCOUNT_MARK, COGNITO_USER_ATTRIBUTES, CUSTOM_ATTRIBUTE, DEVELOPER_ATTRIBUTE, VERIFIED_ATTRIBUTE,
    user_attribute_refusal,
};

use super::context::{Context, TypeContext};

/// The longest name of a custom attribute, without its prefix.
const CUSTOM_ATTRIBUTE_MAX_CHARS: usize = 20;

/// Notes which attributes of users are unique values: those that are made of the same attributes of the item as a claim.
/// What the item's key or the tenant says counts on neither side: a value that is unique within a tenant is unique.
/// Whether an address is verified goes with the address.
pub(super) fn relate(model: &mut Model) {
    let unique: Vec<Vec<UniqueAttribute>> = model.types().map(|(of, _)| unique(model, of)).collect();
    for (item, unique) in model.items.iter_mut().zip(unique) {
        item.user.iter_mut().for_each(|user| user.unique.clone_from(&unique));
    }
}

fn unique(model: &Model, of: TypeId) -> Vec<UniqueAttribute> {
    let Some(user) = &model.item(of).user else { return Vec::new() };
    let in_key = model.key_order(of);
    let made_of = |templates: &mut dyn Iterator<Item = &Template>| -> BTreeSet<String> {
        let names: BTreeSet<&str> = templates.flat_map(Template::names).collect();
        let own = names.into_iter().filter(|name| !in_key.contains(name) && !model.tenant.iter().any(|of| of == name));
        own.flat_map(|name| model.paths_with(of, name)).collect()
    };
    let mut found = Vec::new();
    for (guard, rule) in model.types().filter_map(|(guard, ty)| Some((guard, ty.guard.as_ref()?))) {
        for (claim, rule) in rule.claims.iter().enumerate().filter(|_| rule.owner == of) {
            let claimed = made_of(&mut rule.names.values());
            let is_claimed = |(name, template): &&(String, Template)| {
                let address = name.strip_suffix(VERIFIED_ATTRIBUTE);
                let address = address.and_then(|address| user.attributes.iter().find(|(other, _)| other == address));
                let template = address.map_or(template, |(_, template)| template);
                !claimed.is_empty() && made_of(&mut std::iter::once(template)) == claimed
            };
            let claimed = user.attributes.iter().filter(is_claimed);
            found.extend(claimed.map(|(name, _)| UniqueAttribute { attribute: name.clone(), guard, claim }));
        }
    }
    found
}

/// Checks one attribute of an item type's user.
pub(super) fn check(
    context: &Context<'_>,
    entry: &TypeContext<'_>,
    (attribute, template): (&Located<String>, &Located<Template>),
    mistakes: &mut Mistakes,
) {
    check_name(attribute, mistakes);
    for value in fixed_values(context, entry, &template.value) {
        let Some(why) = user_attribute_refusal(&attribute.value, &value) else { continue };
        let shown: String = value.chars().take(SHOWN_CHARS_MAX).collect();
        let message = format!("Cognito refuses `{shown}` as a user's `{}`", attribute.value);
        mistakes.add(Mistake::new(template.span, message, "never accepted").help(why));
        return;
    }
}

/// The characters of a value that an error shows.
const SHOWN_CHARS_MAX: usize = 60;

/// The texts that a template can have, if it has no name, or one whose values are fixed.
pub(super) fn fixed_values(context: &Context<'_>, entry: &TypeContext<'_>, template: &Template) -> Vec<String> {
    let mut names: Vec<&str> = template.names().collect();
    names.dedup();
    let value = |value: &str| template.render(&|_| Some(value)).ok();
    match names.as_slice() {
        [] => value("").into_iter().collect(),
        [name] => {
            let values = context.texts(entry.id).values_of(name).unwrap_or_default();
            values.iter().filter_map(|text| value(text)).collect()
        }
        _ => Vec::new(),
    }
}

/// The names of user attributes: those of OpenID Connect, and custom ones. Source: Amazon Cognito Developer Guide,
/// "Working with user attributes", and the API's `AttributeType`: at most 32 characters.
fn check_name(attribute: &Located<String>, mistakes: &mut Mistakes) {
    let name = &attribute.value;
    if name == ACCOUNT_MARK {
        let message = format!("the user attribute `{name}` is Instep's own");
        let help = "it shows which users Instep made: give the attribute another name";
        mistakes.add(Mistake::new(attribute.span, message, "set by Instep").help(help));
        return;
    }
    let custom = name.strip_prefix(DEVELOPER_ATTRIBUTE).unwrap_or(name).strip_prefix(CUSTOM_ATTRIBUTE);
    let is_known = COGNITO_USER_ATTRIBUTES.contains(&name.as_str());
    let fits = custom.is_some_and(|own| !own.is_empty() && own.chars().count() <= CUSTOM_ATTRIBUTE_MAX_CHARS);
    if is_known || fits && !name.contains(char::is_whitespace) {
        return;
    }
    let help = match near_word(name, &COGNITO_USER_ATTRIBUTES) {
        Some(near) => format!("did you mean `{near}`? Your own begin with `custom:`"),
        None => format!(
            "it takes {}, and your own: `custom:` and 1 to {CUSTOM_ATTRIBUTE_MAX_CHARS} characters",
            list(&COGNITO_USER_ATTRIBUTES)
        ),
    };
    let message = format!("Cognito takes no user attribute `{name}`");
    mistakes.add(Mistake::new(attribute.span, message, "never accepted").help(help));
}
