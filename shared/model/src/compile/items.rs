//! Item types without their relations: forms, index keys, entity, assumed identities, due rules.

use std::collections::{BTreeMap, BTreeSet};

use crate::errors::{Mistake, Mistakes};
use crate::file::{DraftCondition, DraftIndexKeys, DraftItem};
use crate::messages::{list, near_word};
use crate::model::{Condition, DueRule, Index, IndexKeys, ItemType, KeyForm, Names, Test, TypeId, Verb, VerbWord};
use crate::path::attribute_of;
use crate::source::Located;
use crate::template::{Template, base, prefix};
use crate::value::Value;

use super::context::{Context, TypeContext};

pub(super) fn items(context: &Context<'_>, mistakes: &mut Mistakes) -> Vec<ItemType> {
    context.items.iter().map(|entry| item(context, entry, mistakes)).collect()
}

fn item(context: &Context<'_>, entry: &TypeContext<'_>, mistakes: &mut Mistakes) -> ItemType {
    let draft = entry.draft;
    for attribute in &draft.events {
        let whole = attribute_of(&attribute.value);
        if let Some(secret) = context.draft.table.secret.iter().find(|secret| secret.value == whole) {
            let message = format!("`{}` is secret and cannot be in an event", attribute.value);
            let mistake = Mistake::new(attribute.span, message, "here").also(secret.span, "secret");
            mistakes.add(mistake.help("remove it from one of the two lists"));
        }
    }
    let words = draft.verb.iter().map(|(_, word)| &word.word);
    for template in draft.entity.iter().chain(&draft.id).chain(words) {
        check_names(context, entry.id, template, &[], mistakes);
    }
    let type_values: Vec<String> = plain(&draft.type_values);
    ItemType {
        name: draft.name.value.clone(),
        formerly: draft.formerly.as_ref().map(|name| name.value.clone()),
        forms: entry.forms.clone(),
        index_keys: draft.indexes.iter().filter_map(|keys| index_keys(context, entry, keys, mistakes)).collect(),
        type_values: if type_values.is_empty() { vec![draft.name.value.clone()] } else { type_values },
        values: context.rules.values.get(&draft.name.value).cloned().unwrap_or_default(),
        entity: draft.entity.iter().map(|template| template.value.clone()).collect(),
        entity_id: draft.id.as_ref().map(|template| template.value.clone()),
        publish: BTreeSet::new(),
        publish_unchanged: false,
        verb_words: verb_words(draft),
        attributes: plain(&draft.events),
        is_entity: !draft.entity.is_empty() || draft.edge.is_some(),
        is_edge: draft.edge.is_some(),
        secret: draft.secret,
        assumed: draft.assumed.iter().filter_map(|names| assumed(context, entry, names, mistakes)).collect(),
        user_value: draft.user_value,
        unique_end: None,
        grant: None,
        guard: None,
        user: None,
        groups: Vec::new(),
        members: Vec::new(),
        due: dues(context, entry, mistakes),
        within: None,
        conveys: None,
        permits: None,
        inherits: None,
    }
}

fn verb_words(draft: &DraftItem) -> BTreeMap<Verb, Vec<VerbWord>> {
    let mut words: BTreeMap<Verb, Vec<VerbWord>> = BTreeMap::new();
    for (verb, word) in &draft.verb {
        words.entry(*verb).or_default().push(VerbWord {
            word: word.word.value.clone(),
            when: plain_condition(&word.when),
            by_ttl: word.by_ttl.is_some(),
            changed: plain(&word.changed),
        });
    }
    words
}

pub(super) fn plain(list: &[Located<String>]) -> Vec<String> {
    list.iter().map(|text| text.value.clone()).collect()
}

fn plain_values(values: &[(Located<String>, Value)]) -> Vec<(String, Value)> {
    values.iter().map(|(attribute, value)| (attribute.value.clone(), value.clone())).collect()
}

pub(super) fn plain_condition(condition: &DraftCondition) -> Condition {
    let plain = |(name, test): &(Located<String>, Test)| (name.value.clone(), test.clone());
    Condition { alternatives: condition.iter().map(|tests| tests.value.iter().map(plain).collect()).collect() }
}

/// A name with a dot is an end of the key, or has a rule of its own. No attribute has such a name.
pub(super) fn check_names(
    context: &Context<'_>,
    of: TypeId,
    template: &Located<Template>,
    more: &[&str],
    mistakes: &mut Mistakes,
) {
    let entry = context.entry(of);
    for name in template.value.names().filter(|name| name.contains('.') && !more.contains(name)) {
        if !entry.known.contains(name) && !context.rules.names.contains_key(name) {
            let known: Vec<&str> = entry.known.iter().map(String::as_str).chain(more.iter().copied()).collect();
            mistakes.add(unbound(template, name, &known, "names with a dot that are known here:"));
        }
    }
}

fn index_keys(
    context: &Context<'_>,
    entry: &TypeContext<'_>,
    keys: &DraftIndexKeys,
    mistakes: &mut Mistakes,
) -> Option<IndexKeys> {
    let place = context.indexes.iter().position(|index| index.name == keys.index.value)?;
    let (index, form) = (context.indexes.get(place)?, entry.forms.first()?);
    let own_pk = context.own_key(&index.pk, form);
    let own_sk = index.sk.as_ref().map(|attributes| context.own_key(attributes, form));
    let follows = |template: &Located<Template>, which: &str| {
        let message = format!("the {which} key of index `{}` is the table's own", index.name);
        Mistake::new(template.span, message, "here").help("remove it: the item's key determines it")
    };
    let lacks = |word: &str| {
        let message = format!("`{}` lacks the `{word}` of index `{}`", entry.draft.name.value, index.name);
        let help = format!("add `{word} = \"…\"`: an item without it is not in the index");
        Mistake::new(keys.index.span, message, "here").help(help)
    };
    match (&own_pk, &keys.pk) {
        (Some(_), Some(pk)) => mistakes.add(follows(pk, "partition")),
        (None, None) => mistakes.add(lacks("pk")),
        (Some(_), None) | (None, Some(_)) => {}
    }
    match (&own_sk, &keys.sk) {
        (Some(Some(_)), Some(sk)) => mistakes.add(follows(sk, "sort")),
        (Some(None), None) => mistakes.add(lacks("sk")),
        (None, Some(sk)) => {
            let message = format!("index `{}` has no sort key", index.name);
            mistakes.add(Mistake::new(sk.span, message, "here").help("remove it, or give the index a `sk`"));
        }
        (Some(Some(_)) | None, None) | (Some(None), Some(_)) => {}
    }
    for template in keys.pk.iter().chain(&keys.sk) {
        check_names(context, entry.id, template, &[], mistakes);
    }
    if keys.keep.writes() && keys.pk.is_none() && keys.sk.is_none() {
        let message = format!("no key of index `{}` can be kept up to date", index.name);
        mistakes.add(Mistake::new(keys.index.span, message, "keys of items never change").help("remove `keep`"));
    }
    let pk = own_pk.or_else(|| keys.pk.as_ref().map(|pk| pk.value.clone()))?;
    Some(IndexKeys { index: place, pk, sk: keys.sk.as_ref().map(|sk| sk.value.clone()), keep: keys.keep })
}

fn assumed(
    context: &Context<'_>,
    entry: &TypeContext<'_>,
    given: &Located<Vec<(Located<String>, String)>>,
    mistakes: &mut Mistakes,
) -> Option<Names> {
    let names: Names = given.value.iter().map(|(name, text)| (name.value.clone(), text.clone())).collect();
    if !entry.forms.iter().any(|form| form.names.iter().eq(names.keys())) {
        let known: Vec<&String> = entry.key_names.iter().collect();
        let message = format!("these are not the names in the key of `{}`", entry.draft.name.value);
        let help = format!("give exactly the names in its key: {}", list(&known));
        mistakes.add(Mistake::new(given.span, message, "here").help(help));
        return None;
    }
    for (name, text) in &given.value {
        let is_lower = context.is_lower_in_key(entry.id, &name.value);
        if is_lower && text.to_lowercase() != *text {
            let message = format!("`{text}` is not in lower case, but the key has `{}` in lower case", name.value);
            mistakes.add(Mistake::new(name.span, message, "never matches").help("write it in lower case"));
        }
        let mut slots = entry.forms.iter().flat_map(KeyForm::slots);
        if slots.any(|slot| slot.name == name.value && slot.refuses_to_pad(text).is_some()) {
            let message = format!("`{text}` is not a number without leading zeros, but the key pads `{}`", name.value);
            mistakes.add(Mistake::new(name.span, message, "never matches").help("write the number without zeros"));
        }
        if context.texts(entry.id).check(&name.value, text).is_err() {
            let message = format!("`{text}` cannot be a `{}`", name.value);
            let help = "a name contains no character that follows it in a template, and only its fixed values";
            mistakes.add(Mistake::new(name.span, message, "here").help(help));
        }
    }
    Some(names)
}

fn dues(context: &Context<'_>, entry: &TypeContext<'_>, mistakes: &mut Mistakes) -> Vec<DueRule> {
    let mut dues = Vec::new();
    for due in &entry.draft.due {
        let rule = context.rules.names.get(&due.at.value);
        if rule.is_none_or(|rule| rule.is.is_none()) {
            let message = format!("the model does not declare `{}` as a date or time", due.at.value);
            let help = format!("add `{} = {{ is = \"date\" }}` (or `\"time\"`) to `[names]`", due.at.value);
            mistakes.add(Mistake::new(due.at.span, message, "here").help(help));
        }
        let keys = [&context.draft.table.pk.value, &context.draft.table.sk.value];
        for (attribute, _) in due.set.iter().filter(|(attribute, _)| keys.contains(&&attribute.value)) {
            let message = format!("`{}` is a key of the table and cannot be set", attribute.value);
            mistakes.add(Mistake::new(attribute.span, message, "here").help("keys of items never change"));
        }
        let is_text = |value: &Value| matches!(value, Value::S(text) if !text.is_empty());
        for (attribute, _) in due.set.iter().filter(|(_, value)| !is_text(value)) {
            let has_it =
                |index: &&Index| index.pk.iter().chain(index.sk.iter().flatten()).any(|own| *own == attribute.value);
            let Some(index) = context.indexes.iter().find(has_it) else { continue };
            let message =
                format!("`{}` is a key of the index `{}`: DynamoDB refuses this", attribute.value, index.name);
            mistakes.add(Mistake::new(attribute.span, message, "here").help("write a string that is not empty"));
        }
        dues.push(DueRule { at: due.at.value.clone(), when: plain_condition(&due.when), set: plain_values(&due.set) });
    }
    dues
}

/// The names that a type's key binds: its own, and those inside their shapes. If there are several
/// forms, the names that all bind.
pub(super) fn names_from_key(context: &Context<'_>, of: TypeId) -> BTreeSet<String> {
    let entry = context.entry(of);
    let in_all = |name: &&String| entry.is_in_every_key(name);
    names_within(context, entry.key_names.iter().filter(in_all).cloned().collect())
}

/// These names, and those inside their shapes.
pub(super) fn names_within(context: &Context<'_>, mut names: BTreeSet<String>) -> BTreeSet<String> {
    let mut open: Vec<String> = names.iter().cloned().collect();
    // This ends: shapes do not contain themselves.
    while let Some(name) = open.pop() {
        let like = context.rules.names.get(base(&name)).and_then(|rule| rule.like.as_ref());
        for inner in like.into_iter().flat_map(Template::names) {
            let inner = format!("{}{inner}", prefix(&name));
            names.insert(inner.clone());
            open.push(inner);
        }
    }
    names
}

/// Every attribute that Instep keeps, with its template and the place of that.
pub(super) fn kept<'a>(
    context: &'a Context<'_>,
    entry: &'a TypeContext<'_>,
) -> BTreeMap<String, Vec<&'a Located<Template>>> {
    key_attributes(context, entry, |keys| keys.keep.writes())
}

/// The attributes of some of an item type's index keys, with their templates and the places of these.
pub(super) fn key_attributes<'a>(
    context: &'a Context<'_>,
    entry: &'a TypeContext<'_>,
    counts: impl Fn(&DraftIndexKeys) -> bool,
) -> BTreeMap<String, Vec<&'a Located<Template>>> {
    let mut kept: BTreeMap<String, Vec<&Located<Template>>> = BTreeMap::new();
    for keys in entry.draft.indexes.iter().filter(|keys| counts(keys)) {
        let Some(index) = context.indexes.iter().find(|index| index.name == keys.index.value) else { continue };
        let sk = index.sk.as_ref().and_then(|attributes| attributes.first());
        for (attribute, template) in [(index.pk.first(), &keys.pk), (sk, &keys.sk)] {
            if let (Some(attribute), Some(template)) = (attribute, template) {
                kept.entry(attribute.clone()).or_default().push(template);
            }
        }
    }
    kept
}

/// A name in a template that nothing binds. `known` are the bound names.
pub(super) fn unbound<T: std::fmt::Display>(at: &Located<T>, name: &str, known: &[&str], made_of: &str) -> Mistake {
    let help = match near_word(name, known) {
        Some(near) => format!("did you mean `{near}`? {made_of} {}", list(known)),
        None if known.is_empty() => "remove the name".to_owned(),
        None => format!("{made_of} {}", list(known)),
    };
    Mistake::new(at.span, format!("`{name}` in `{}` has no source", at.value), "here").help(help)
}
