//! What is published of item types.

use std::collections::BTreeSet;

use crate::errors::{Mistake, Mistakes};
use crate::messages::list;
use crate::model::{ItemType, Verb};
use crate::source::{Located, Span};

use super::context::TypeContext;

/// Each word for a verb can apply.
fn check_words(entry: &TypeContext<'_>, mistakes: &mut Mistakes) {
    let mut defaults: Vec<(Verb, Span)> = Vec::new();
    for (verb, word) in &entry.draft.verb {
        if let Some((_, before)) = defaults.iter().find(|(other, _)| other == verb) {
            let mistake = Mistake::new(word.span, "this word never applies", "after a word for every write");
            mistakes.add(mistake.also(*before, "this applies to every write").help("put that word last"));
        }
        if word.when.is_empty() && word.by_ttl.is_none() && word.changed.is_empty() {
            defaults.push((*verb, word.span));
        }
        let is_deletion = matches!(verb, Verb::Deleted | Verb::Revoked);
        if let Some(at) = word.by_ttl.filter(|_| !is_deletion) {
            let message = format!("`{}` is never caused by TTL", verb.word());
            mistakes.add(Mistake::new(at, message, "never applies").help("TTL only deletes items: remove `cause`"));
        }
        if let Some(changed) = word.changed.first().filter(|_| matches!(verb, Verb::Created | Verb::Deleted)) {
            let message = format!("`{}` has no changed attributes", verb.word());
            let help = "remove `changed`: only existing items change";
            mistakes.add(Mistake::new(changed.span, message, "never applies").help(help));
        }
    }
}

/// The verbs that are published of an item type: those of its kinds, or those that the model lists.
pub(super) fn publish(entry: &TypeContext<'_>, item: &mut ItemType, is_owner: bool, mistakes: &mut Mistakes) {
    let quiet = item.secret || item.guard.is_some();
    let mut can: BTreeSet<Verb> = BTreeSet::new();
    if item.is_entity {
        can.extend([Verb::Created, Verb::Updated, Verb::Deleted]);
    }
    if item.grant.is_some() {
        can.extend([Verb::Granted, Verb::Revoked, Verb::Updated]);
    }
    let mut does = if quiet { BTreeSet::new() } else { can.clone() };
    if is_owner {
        let of_claims = [Verb::Conflicted, Verb::Resolved];
        can.extend(of_claims);
        does.extend(of_claims.into_iter().filter(|_| !item.secret));
    }
    if let Some(said) = &entry.draft.publish {
        does = said.iter().map(|verb| verb.value).collect();
        check_said(item, said, &can, mistakes);
    }
    check_words(entry, mistakes);
    for (verb, word) in entry.draft.verb.iter().filter(|(verb, _)| !does.contains(verb)) {
        let words: Vec<&str> = does.iter().map(|verb| verb.word()).collect();
        let message = format!("`{1}` does not publish `{0}`", verb.word(), item.name);
        mistakes.add(Mistake::new(word.span, message, "never used").help(format!("published: {}", list(&words))));
    }
    let unused = entry.draft.events.first().map(|first| first.span).or(entry.draft.id.as_ref().map(|id| id.span));
    if let Some(at) = unused.filter(|_| does.is_empty()) {
        let message = format!("`{}` publishes no events", item.name);
        mistakes.add(Mistake::new(at, message, "has no effect").help(unpublished(item)));
    }
    item.publish = does;
    if let Some(said) = entry.draft.publish_unchanged.as_ref().filter(|said| said.value) {
        item.publish_unchanged = item.publish.contains(&Verb::Updated);
        if !item.publish_unchanged {
            let message = format!("`{}` publishes no `updated`", item.name);
            let help = "remove `publish_unchanged`, or let `publish` list `updated`";
            mistakes.add(Mistake::new(said.span, message, "has no effect").help(help));
        }
    }
}

/// The verbs that the model lists can be published.
fn check_said(item: &ItemType, said: &[Located<Verb>], can: &BTreeSet<Verb>, mistakes: &mut Mistakes) {
    if let Some(first) = said.first().filter(|_| item.secret) {
        let message = format!("`{}` is secret, so it has no events", item.name);
        mistakes.add(Mistake::new(first.span, message, "here").help("remove `publish` or `secret`"));
        return;
    }
    let words: Vec<&str> = can.iter().map(|verb| verb.word()).collect();
    let own = if can.is_empty() { "it has none".to_owned() } else { format!("its events are {}", list(&words)) };
    for verb in said.iter().filter(|verb| !can.contains(&verb.value)) {
        let message = format!("`{1}` items have no `{0}` events", verb.value.word(), item.name);
        let help = match verb.value {
            Verb::Created | Verb::Updated | Verb::Deleted => {
                format!("{own}; to publish this one, add `entity = \"{}\"`", item.name)
            }
            Verb::Granted | Verb::Revoked => format!("{own}; only items with a `grant` have this one"),
            Verb::Conflicted | Verb::Resolved => format!("{own}; only owners of guards have this one"),
        };
        mistakes.add(Mistake::new(verb.span, message, "here").help(help));
    }
}

/// How an item type without events gets some.
fn unpublished(item: &ItemType) -> &'static str {
    if item.secret {
        "items with `secret` have no events: remove this"
    } else if item.guard.is_some() && item.is_entity {
        "of a guard, Instep publishes only what `publish` lists: add `publish = [\"created\"]`, or remove this"
    } else {
        "add `entity`, `edge` or `grant`, which have events; or remove this"
    }
}

/// An entity that is no subject, and that publishes nothing because it is a guard or secret.
pub(super) fn check_entity(entry: &TypeContext<'_>, item: &ItemType, mistakes: &mut Mistakes) {
    let quiet = item.secret || item.guard.is_some();
    if let Some(entity) = entry.draft.entity.first().filter(|_| quiet && item.publish.is_empty()) {
        let message = format!("`{}` publishes no events, so no event has its entity", item.name);
        mistakes.add(Mistake::new(entity.span, message, "has no effect").help(unpublished(item)));
    }
}
