//! Items as the model's templates render them: keys, type and index attributes, and guards with
//! their owner.

use std::borrow::Cow;
use std::collections::BTreeMap;

use instep_model::{Item, Key, Model, Object, Value};
use jiff::Timestamp;

use crate::effect::Expect;

/// Adds to an item the attributes that its templates render: key, type, and every index key that
/// can be rendered.
pub(crate) fn complete(model: &Model, object: &Object, key: &Key, item: &mut Item) {
    let ty = model.item(object.of);
    if let (Some(attribute), Some(value)) = (&model.table.type_attribute, ty.type_values.first()) {
        item.insert(attribute.clone(), Value::S(value.clone()));
    }
    for keys in &ty.index_keys {
        let index = model.index_at(keys.index);
        let parts =
            [(index.pk.first(), Some(&keys.pk)), (index.sk.as_ref().and_then(|sk| sk.first()), keys.sk.as_ref())];
        for (attribute, template) in parts {
            let text =
                template.and_then(|template| template.render(&model.lookup(object.of, &object.names, Some(item))).ok());
            if let (Some(attribute), Some(text)) = (attribute, text) {
                item.insert(attribute.clone(), Value::S(text));
            }
        }
    }
    item.insert(model.table.pk.clone(), Value::S(key.pk.clone()));
    item.insert(model.table.sk.clone(), Value::S(key.sk.clone()));
}

/// A guard that reserves its value for `owner`.
pub(crate) fn guard(model: &Model, guard: &Object, owner: &Object, key: &Key, now: Timestamp) -> Item {
    let mut item = Item::new();
    let writes = model.item(guard.of).guard.as_ref().map_or(&[][..], |rule| &rule.writes);
    let lookup = model.lookup(guard.of, &guard.names, None);
    let now = now.to_string();
    for (name, template) in writes {
        if let Ok(text) = template.render(&|name| if name == "now" { Some(Cow::from(&now)) } else { lookup(name) }) {
            item.insert(name.clone(), Value::S(text));
        }
    }
    if writes.is_empty() {
        item.extend(guard.names.iter().map(|(name, value)| (name.clone(), Value::S(value.clone()))));
    }
    // The owner may have a name that is in the guard's key, too.
    item.extend(owner_attributes(model, guard, owner));
    complete(model, guard, key, &mut item);
    item
}

/// The attributes with which a guard names its owner.
pub(crate) fn owner_attributes(model: &Model, guard: &Object, owner: &Object) -> BTreeMap<String, Value> {
    let rule = model.item(guard.of).guard.iter();
    rule.flat_map(|rule| &rule.owner_attributes)
        .filter_map(|(name, attribute)| Some((attribute.clone(), Value::S(owner.names.get(name)?.clone()))))
        .collect()
}

/// The condition that a guard names this owner.
pub(crate) fn names_owner(model: &Model, guard: &Object, owner: &Object) -> Expect {
    Expect::Like(owner_attributes(model, guard, owner).into_iter().map(|(name, value)| (name, Some(value))).collect())
}
