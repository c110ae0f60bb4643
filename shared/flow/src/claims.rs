//! The unique values of an item, and the owner that a guard names.

use std::collections::{BTreeMap, BTreeSet};

use instep_model::template::Template;
use instep_model::{
    Claim, CognitoUser, Condition, Item, Model, Names, Object, RenderError, TypeId, UniqueAttribute, UniqueEnd, Value,
    value_at,
};

/// The guard types whose values items of a type can own.
pub(crate) fn guards_of(model: &Model, owner: TypeId) -> impl Iterator<Item = (TypeId, &instep_model::Guard)> {
    model.types().filter_map(move |(of, ty)| Some((of, ty.guard.as_ref().filter(|guard| guard.owner == owner)?)))
}

/// One unique value that an owner has.
#[derive(Debug, Default, Clone, PartialEq, Eq)]
pub struct Claimed {
    /// Whether the model's `transfer` condition is met: then the claim takes the value from a
    /// holder whose claim is not stronger.
    pub stronger: bool,
    /// The attributes that the claim depends on, with their present values.
    pub depends_on: BTreeMap<String, Option<Value>>,
}

/// The unique values of an item, keyed by guard. A value that cannot be part of a guard's key is
/// left out: its record is parked.
#[must_use]
pub fn claims(model: &Model, object: &Object, item: &Item) -> BTreeMap<Object, Claimed> {
    let mut found: BTreeMap<Object, Claimed> = BTreeMap::new();
    for (guard, claim) in claimed_guards(model, object, item) {
        if model.keys(&guard).is_ok() {
            let stronger = claim.transfer.as_ref().is_some_and(|when| when.holds(&object.names, item));
            // Two claims of an item can give the same guard.
            let claimed = found.entry(guard).or_default();
            claimed.stronger |= stronger;
            claimed.depends_on.extend(depends_on(model, object, claim, item));
        }
    }
    found
}

/// The attributes of an item's user that are unique values, each with the guards by which the item holds it. Without one,
/// the item claims no such value, and the user does not have it.
pub(crate) fn unique_attributes<'m>(
    model: &Model,
    user: &'m CognitoUser,
    object: &Object,
    item: &Item,
) -> BTreeMap<&'m str, BTreeSet<Object>> {
    let mut found: BTreeMap<&str, BTreeSet<Object>> = BTreeMap::new();
    if user.unique.is_empty() {
        return found;
    }
    let claimed = claimed_guards(model, object, item);
    for UniqueAttribute { attribute, guard, claim } in &user.unique {
        found.entry(attribute).or_default().extend(guards_by(model, &claimed, (*guard, *claim)).cloned());
    }
    found
}

/// The guard of an edge of which the item at an end has at most one: it names the edge that is in effect. `None`: the
/// item claims none.
#[must_use]
pub fn guard_of_edge(model: &Model, unique: &UniqueEnd, edge: &Object, item: &Item) -> Option<Object> {
    guards_by(model, &claimed_guards(model, edge, item), (unique.guard, unique.claim)).next().cloned()
}

/// Of the guards that an item claims, those by one claim of a guard type.
fn guards_by<'a>(
    model: &'a Model,
    claimed: &'a [(Object, &'a Claim)],
    (of, claim): (TypeId, usize),
) -> impl Iterator<Item = &'a Object> {
    let rule = model.item(of).guard.as_ref().and_then(|rule| rule.claims.get(claim));
    let is_by = move |made: &Claim| rule.is_some_and(|rule| std::ptr::eq(rule, made));
    claimed.iter().filter(move |(guard, made)| is_by(made) && model.keys(guard).is_ok()).map(|(guard, _)| guard)
}

/// Whether a claim of the model can lead to a guard: the texts that begin the names that it gives agree.
pub(crate) fn may_be_claimed(model: &Model, guard: &Object) -> bool {
    let claims = model.item(guard.of).guard.iter().flat_map(|rule| &rule.claims);
    let gives = |(name, template): (&String, &Template)| {
        let Some(text) = guard.names.get(name) else { return true };
        let (text, constant) = (text.to_lowercase(), template.leading_constant().to_lowercase());
        if template.names().next().is_none() { text == constant } else { text.starts_with(&constant) }
    };
    claims.into_iter().any(|claim| claim.names.iter().all(gives))
}

/// The error if a claim of an item needs a guard whose key cannot exist. `None` if every claim can
/// be written.
pub(crate) fn unwritable_claim(model: &Model, object: &Object, item: &Item) -> Option<RenderError> {
    claimed_guards(model, object, item).into_iter().find_map(|(guard, _)| model.keys(&guard).err())
}

/// The attributes of an item that make the unique value of a guard, with what they contain. If no
/// attribute does, the names in the guard's key.
pub(crate) fn claimed_values(model: &Model, object: &Object, item: &Item, guard: &Object) -> BTreeMap<String, String> {
    let claims = claimed_guards(model, object, item).into_iter().filter(|(claimed, _)| claimed == guard);
    let names = claims.flat_map(|(_, claim)| claim.names.values().flat_map(Template::names));
    let own = names.filter(|name| !object.names.contains_key(*name)).flat_map(|name| model.attributes_of(name));
    let values: BTreeMap<String, String> =
        own.filter_map(|path| Some((path.clone(), value_at(item, &path)?.to_text()?.into_owned()))).collect();
    if values.is_empty() { guard.names.clone() } else { values }
}

fn claimed_guards<'a>(model: &'a Model, object: &Object, item: &Item) -> Vec<(Object, &'a Claim)> {
    let lookup = model.lookup(object.of, &object.names, Some(item));
    let mut guards = Vec::new();
    for (of, guard) in guards_of(model, object.of) {
        for claim in guard.claims.iter().filter(|claim| claim.when.holds(&object.names, item)) {
            let names: Option<Names> =
                claim.names.iter().map(|(name, value)| Some((name.clone(), value.render(&lookup).ok()?))).collect();
            guards.extend(names.map(|names| (Object { of, names }, claim)));
        }
    }
    guards
}

/// The attributes that a claim reads, with the values of the item. This is one claim; the uses of an owner are those
/// of all its claims.
fn depends_on(model: &Model, object: &Object, claim: &Claim, item: &Item) -> BTreeMap<String, Option<Value>> {
    let names = claim.names.values().flat_map(Template::names);
    let mut attributes: BTreeSet<String> =
        names.flat_map(|name| model.sources(object.of, &object.names, name)).collect();
    let both = claim.when.attributes().chain(claim.transfer.iter().flat_map(Condition::attributes));
    attributes.extend(both.map(str::to_owned));
    attributes.into_iter().map(|name| (name.clone(), item.get(&name).cloned())).collect()
}

/// The attributes that any claim of an owner reads, with the values of the item. A condition on
/// them checks that the owner's claims are unchanged since it was read.
#[must_use]
pub fn claim_attributes(model: &Model, object: &Object, item: &Item) -> BTreeMap<String, Option<Value>> {
    guards_of(model, object.of)
        .flat_map(|(_, guard)| &guard.claims)
        .flat_map(|claim| depends_on(model, object, claim, item))
        .collect()
}

/// The owner that a guard names.
#[must_use]
pub fn owner(model: &Model, guard: &Object, item: &Item) -> Option<Object> {
    let of = model.item(guard.of).guard.as_ref()?.owner;
    Some(Object { of, names: model.owner_names(guard.of, item)? })
}
