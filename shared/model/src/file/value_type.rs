//! The values by which memberships name accounts of people who sign up, as an item type of their own.

use super::cognito::{DraftMember, DraftUser};
use super::item::DraftItem;
use crate::errors::{Mistake, Mistakes};
use crate::identity::BOOKKEEPING_PREFIX;
use crate::model::{Create, UserValue};
use crate::source::{Located, Span};
use crate::template::{Template, TemplatePart};

impl DraftMember {
    /// The value by which it names its user.
    pub(crate) fn user_value(&self) -> Option<(UserValue, &Located<Template>)> {
        if self.user.to.value != UserValue::TYPE {
            return None;
        }
        let (name, template) = self.user.names.first()?;
        let value = [UserValue::Sub, UserValue::Name].into_iter().find(|value| value.name() == name.value)?;
        Some((value, template))
    }
}

/// The item type of the values that these items name. A model has values of one kind.
pub(super) fn value_type(items: &[DraftItem], mistakes: &mut Mistakes) -> Option<DraftItem> {
    let values = || items.iter().flat_map(|item| &item.members).filter_map(DraftMember::user_value);
    let (value, at) = values().next()?;
    if let Some((_, other)) = values().find(|(other, _)| *other != value) {
        let message = "one model names people who sign up by `sub` and by `name`";
        let help = "Instep could not see that two memberships are one: use `sub` in all, if ids come from a token; or \
                    `name` in all";
        mistakes.add(Mistake::new(other.span, message, "and this").also(at.span, "this").help(help));
    }
    Some(of_value(value, at.span))
}

/// No item has such a key: it stands for the value in what is common to all item types.
fn of_value(value: UserValue, span: Span) -> DraftItem {
    let constant = |text: String| Template::from_parts([TemplatePart::Constant(text)]);
    let name = Template::single(value.name());
    let prefix = constant(format!("{BOOKKEEPING_PREFIX}USER#"));
    let pk = Template::from_parts(prefix.parts().iter().chain(name.parts()).cloned());
    let user = DraftUser {
        name: Located::new(span, name),
        when: Vec::new(),
        create: Create::Never,
        delete: false,
        grace: None,
        disabled: None,
        attributes: Vec::new(),
    };
    DraftItem {
        name: Located::new(span, UserValue::TYPE.to_owned()),
        formerly: None,
        pk: vec![Located::new(span, pk)],
        sk: vec![Located::new(span, constant("USER".to_owned()))],
        type_values: Vec::new(),
        values: Vec::new(),
        entity: Vec::new(),
        id: None,
        publish: Some(Vec::new()),
        publish_unchanged: None,
        verb: Vec::new(),
        events: Vec::new(),
        secret: false,
        assumed: Vec::new(),
        user_value: Some(value),
        indexes: Vec::new(),
        parents: Vec::new(),
        edge: None,
        grant: None,
        guard: None,
        user: Some(user),
        groups: Vec::new(),
        members: Vec::new(),
        due: Vec::new(),
        within: None,
        permits: None,
        inherits: None,
    }
}
