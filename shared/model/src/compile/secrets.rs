//! Refuses secret attributes whose values become part of names, or say what an earlier image of an
//! item had.

use std::collections::BTreeMap;

use crate::errors::{Mistake, Mistakes};
use crate::file::DraftModel;
use crate::model::{ItemPart, Model, Purpose, TypeId, Use};
use crate::path::attribute_of;

/// A record that is handled again has its secrets masked (INVARIANT 9), so nothing in it could say
/// which membership, value or reference the item had before: that would stay for ever. Only what
/// follows from the present item alone may follow from a secret: the state of a Cognito user.
pub(super) fn check(draft: &DraftModel, model: &Model, mistakes: &mut Mistakes) {
    if draft.table.secret.is_empty() {
        return;
    }
    let uses = uses(model);
    for secret in &draft.table.secret {
        let Some(what) = uses.get(&secret.value) else { continue };
        let message = format!("`{}` is secret, and {what}", secret.value);
        let help = "remove it from `secret`: Instep could not take back what followed from an earlier value, because \
                    messages contain no secrets. Only `disabled` and `attributes` of a Cognito user may follow from a \
                    secret";
        mistakes.add(Mistake::new(secret.span, message, "decides").help(help));
    }
}

/// For each attribute from which names or earlier effects follow: one of these uses.
fn uses(model: &Model) -> BTreeMap<String, String> {
    let mut uses = BTreeMap::new();
    let table = &model.table;
    let own = [&table.pk, &table.sk, &table.ttl].into_iter().chain(&table.type_attribute);
    for attribute in own.chain(model.indexes.iter().flat_map(|index| index.pk.iter().chain(index.sk.iter().flatten())))
    {
        uses.insert(attribute.clone(), "is a key, the TTL or the type attribute of the table".to_owned());
    }
    for attribute in &model.correlation {
        uses.insert(attribute_of(attribute).to_owned(), "is the correlation id of events".to_owned());
    }
    for grant in model.items.iter().filter_map(|ty| ty.grant.as_ref()) {
        for path in grant.last.iter().flat_map(|last| &last.written) {
            let what = "says whether the subject was written since the last grant was revoked";
            uses.insert(attribute_of(path).to_owned(), what.to_owned());
        }
    }
    for path in model.links.iter().flat_map(|link| &link.written) {
        let what = "says whether an item was written since its parent was deleted";
        uses.insert(attribute_of(path).to_owned(), what.to_owned());
    }
    (0..model.items.len()).for_each(|place| of_type(model, TypeId(place), &mut uses));
    uses
}

/// What follows from an attribute. If several do, the error says the first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Follows {
    Event,
    IndexKey,
    Reference,
    Tenant,
    Due,
    Grant,
    Group,
    Cognito,
    UniqueValue,
    Owner,
}

impl Follows {
    const fn words(self) -> &'static str {
        match self {
            Self::Event => "an event",
            Self::IndexKey => "an index key",
            Self::Reference => "a reference",
            Self::Tenant => "the tenant of events",
            Self::Due => "a `due` rule",
            Self::Grant => "the grant",
            Self::Group => "the Cognito group",
            Self::Cognito => "the Cognito user, group or membership",
            Self::UniqueValue => "a unique value",
            Self::Owner => "the owner",
        }
    }

    /// What follows from a use. `None` if the attribute may be secret.
    const fn of(of: &Use) -> Option<Self> {
        let is_condition = match of.purpose {
            // The present item alone says what follows, and events do not show secrets.
            Purpose::Disabled | Purpose::UserAttribute | Purpose::Shown => return None,
            // `uses` says these once for the whole model.
            Purpose::Correlation | Purpose::Written => return None,
            Purpose::Tenant => return Some(Self::Tenant),
            Purpose::Precedence => return Some(Self::Cognito),
            Purpose::When => true,
            Purpose::Text
            | Purpose::Role
            | Purpose::Window
            | Purpose::Scope
            | Purpose::Selects
            | Purpose::Transfer
            | Purpose::Changed => false,
        };
        Some(match of.part {
            ItemPart::Event | ItemPart::Word(_) => Self::Event,
            ItemPart::IndexKeys => Self::IndexKey,
            ItemPart::Link(_) if !is_condition => Self::Reference,
            ItemPart::Member if !is_condition => Self::Group,
            // The key gives these names.
            ItemPart::User | ItemPart::Groups if !is_condition => return None,
            ItemPart::Link(_) | ItemPart::Member | ItemPart::User | ItemPart::Groups => Self::Cognito,
            ItemPart::Due => Self::Due,
            ItemPart::Grant => Self::Grant,
            ItemPart::Claim(_) => Self::UniqueValue,
            ItemPart::Guard => Self::Owner,
            ItemPart::LastRevocation(_) => return None,
        })
    }
}

/// The uses of attributes in one item type.
fn of_type(model: &Model, of: TypeId, found: &mut BTreeMap<String, String>) {
    let ty = model.item(of);
    let key_names = model.names_in_each_key(of);
    let mut uses: Vec<(Follows, &Use)> = model.uses(of).iter().filter_map(|of| Some((Follows::of(of)?, of))).collect();
    uses.sort_by_key(|(follows, _)| *follows);
    for (follows, of_this) in uses {
        for attribute in of_this.sources(model, of, &key_names) {
            let says = || format!("{} of `{}` follows from it", follows.words(), ty.name);
            found.entry(attribute).or_insert_with(says);
        }
    }
}
