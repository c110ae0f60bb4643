//! What stands for `{role}` in the reference to the item of a role.

use crate::errors::{Mistake, Mistakes};
use crate::file::{ROLE, Reference};
use crate::source::Located;
use crate::template::Template;

/// A name that a reference gives, and its template.
type GivenName = (Located<String>, Located<Template>);

/// A template of the reference to the item of a role, with what gives the role in the place of `{role}`.
pub(super) fn with_role(
    reference: &Reference,
    (name, template, given): (&str, &Template, Option<&GivenName>),
    text: &Template,
    mistakes: &mut Mistakes,
) -> Option<Template> {
    let at = given.map_or(reference.to.span, |(_, template)| template.span);
    if template.each() == Some(ROLE) {
        let help = format!("write `{name} = \"{}\"`", template.source().replace("|each", ""));
        let message = "`{role}` stands for each of the roles already";
        mistakes.add(Mistake::new(at, message, "`|each` has no effect").help(&help));
        return None;
    }
    let with = template.with(ROLE, text);
    if with.is_none() {
        let message = format!("`{template}` changes the text of `{{role}}`, which is `{text}`");
        let help = format!("write the names of `{text}` here, each with its own transform");
        mistakes.add(Mistake::new(at, message, "cannot be combined").help(&help));
    }
    with
}

/// A reference to the item of a role that does not depend on the role.
pub(super) fn no_role(reference: &Reference, to: &str, text: &Template) -> Mistake {
    let message = format!("this leads to one `{to}`, whatever the role is");
    let name = reference.names.first().map_or("…", |(name, _)| name.value.as_str());
    let help =
        format!("name the role, such as `{{ type = \"{to}\", {name} = \"{{role}}\" }}`: `{{role}}` is `{text}` here");
    Mistake::new(reference.to.span, message, "the item of which role?").help(&help)
}

/// The role in an index key is one role.
pub(super) fn one_role(reference: &Reference, name: &str) -> Mistake {
    let message = format!("`{name}` is a name in an index key, so it is one role");
    let help = format!("write `roles = \"{{{name}}}\"`: the index then leads to the grants of a role");
    Mistake::new(reference.to.span, message, "not a list").help(&help)
}
