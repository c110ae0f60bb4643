//! What an item says for a name, and to which items it refers, read by code of the oracle's own.

use std::borrow::Cow;
use std::collections::BTreeMap;

use instep_model::template::{Template, base};
use instep_model::{BOOKKEEPING_ATTRIBUTE, Item, Keep, Link, Model, Names, Object, TypeId, Value};

use super::condition::value_of;

/// The text of a name, from the first of these that has one: the key; names inside those of the key; attributes;
/// names inside those; index keys, but those that always follow from the rest; names inside those.
pub(crate) fn said<'a>(
    model: &'a Model,
    object: &'a Object,
    item: Option<&'a Item>,
) -> impl Fn(&str) -> Option<String> + 'a {
    move |name| {
        let in_key = |name: &str| object.names.get(name).cloned().filter(|text| !text.is_empty());
        let key = |name: &str| in_key(name).or_else(|| inside(model, object.of, name, &in_key));
        let attribute = |name: &str| key(name).or_else(|| in_attribute(model, item?, name));
        let index = |name: &str| attribute(name).or_else(|| in_index(model, object.of, item?, name));
        let of = |outer: &dyn Fn(&str) -> Option<String>| inside(model, object.of, name, outer);
        let own = attribute(name).or_else(|| of(&attribute));
        own.or_else(|| in_index(model, object.of, item?, name)).or_else(|| of(&index)).filter(|text| !text.is_empty())
    }
}

/// The text of a field of a bookkeeping item.
pub(crate) fn noted<'i>(item: &'i Item, field: &str) -> Option<&'i str> {
    let Some(Value::M(fields)) = item.get(BOOKKEEPING_ATTRIBUTE) else { return None };
    fields.get(field).and_then(Value::as_s)
}

/// The names of the item to which a link without a list leads.
pub(super) fn target(model: &Model, link: &Link, object: &Object, item: &Item) -> Option<Names> {
    let said = said(model, object, Some(item));
    if link.when.as_ref().is_some_and(|(by, value)| said(by).as_ref() != Some(value)) {
        return None;
    }
    let mut found = Names::new();
    let mut is_all_of_key = true;
    for (name, template) in &link.names {
        match template.render(&said) {
            Ok(text) => drop(found.insert(name.clone(), text)),
            Err(_) => is_all_of_key &= !model.key_order(link.to).contains(&name.as_str()),
        }
    }
    let is_form = || model.item(link.to).forms.iter().any(|form| form.names.iter().eq(found.keys()));
    (is_all_of_key || is_form()).then_some(found)
}

/// An attribute under which the model lists a name says it, even if it is no text. One that only is called so may be
/// something else.
fn in_attribute(model: &Model, item: &Item, name: &str) -> Option<String> {
    let listed = model.names.get(name).map(|rule| rule.attributes.as_slice()).unwrap_or_default();
    if listed.is_empty() {
        return value_of(item, name)?.to_text().filter(|text| !text.is_empty()).map(Cow::into_owned);
    }
    let mut there = listed.iter().filter_map(|path| value_of(item, path));
    let counts = there.find(|value| !matches!(value, Value::Null(_)) && *value != Value::S(String::new()))?;
    Some(counts.to_text().unwrap_or_default().into_owned())
}

fn in_index(model: &Model, of: TypeId, item: &Item, name: &str) -> Option<String> {
    model.item(of).index_keys.iter().filter(|keys| keys.keep != Keep::Always).find_map(|keys| {
        let index = model.index_at(keys.index);
        let sk = index.sk.iter().zip(&keys.sk);
        [(&index.pk, &keys.pk)].into_iter().chain(sk).find_map(|(attributes, template)| {
            let mut texts = attributes.iter().filter_map(|attribute| item.get(attribute)?.to_text());
            read(model, of, template, &texts.find(|text| !text.is_empty())?)?.remove(name)
        })
    })
}

/// A name inside the shape of another, of which `outer` gives the text. `a.id` is inside `a.urn`.
fn inside(model: &Model, of: TypeId, name: &str, outer: &dyn Fn(&str) -> Option<String>) -> Option<String> {
    let prefix = name.strip_suffix(base(name)).unwrap_or_default();
    model.names.iter().find_map(|(own, rule)| {
        let like = rule.like.as_ref().filter(|like| like.names().any(|inner| inner == base(name)))?;
        let own = format!("{prefix}{own}");
        let text = outer(&own).or_else(|| inside(model, of, &own, outer))?;
        read(model, of, like, &text)?.remove(base(name))
    })
}

/// The values of the names of a template that has given this text. `None` if it cannot have.
fn read(model: &Model, of: TypeId, template: &Template, text: &str) -> Option<BTreeMap<String, String>> {
    let mut found = BTreeMap::new();
    let (mut source, mut text) = (template.source(), text);
    while let Some((constant, rest)) = source.split_once('{') {
        let (slot, rest) = rest.split_once('}')?;
        text = text.strip_prefix(constant)?;
        let end = rest.chars().next().map_or(Some(text.len()), |next| text.find(next))?;
        let (raw, after) = text.split_at(end);
        let mut words = slot.split('|');
        let name = words.next()?;
        let value = words.try_fold(raw.to_owned(), |value, word| undone(word, value))?;
        let allowed = model.closed_set(of, name);
        let is_one = allowed.is_empty() || allowed.contains(&value);
        let like = model.names.get(base(name)).and_then(|rule| rule.like.as_ref());
        let has_shape = like.is_none_or(|like| read(model, of, like, &value).is_some());
        let is_same = found.get(name).is_none_or(|before| *before == value);
        if value.is_empty() || !is_one || !has_shape || !is_same {
            return None;
        }
        found.insert(name.to_owned(), value);
        (source, text) = (rest, after);
    }
    (source == text).then_some(found)
}

/// The value before a transform: `42` for `0042` and `pad:4`.
fn undone(word: &str, text: String) -> Option<String> {
    match word.split_once(':') {
        Some(("pad", digits)) => {
            let short = text.trim_start_matches('0');
            let value = if short.is_empty() { "0" } else { short }.to_owned();
            let is_padded = text.len() == digits.parse::<usize>().ok()?.max(value.len());
            (is_padded && text.bytes().all(|digit| digit.is_ascii_digit())).then_some(value)
        }
        // No text of a world has a character that is encoded or in upper case.
        _ => Some(text),
    }
}
