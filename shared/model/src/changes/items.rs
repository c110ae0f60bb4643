//! Item types: which are gone, new or renamed, and what each consists of.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Debug;

use super::{CHANGE, DRAIN, DROP_GROUPS, Found, MEANT, REBUILD, SettingClass, TAKE};
use crate::matching::Texts;
use crate::model::{CognitoUser, Grant, Guard, ItemType, Key, KeyForm, Model, Names};

impl Found<'_> {
    /// Item types, by their first names.
    pub(super) fn items(&mut self, was: &[ItemType], is: &[ItemType]) {
        for before in was {
            match is.iter().find(|after| after.stable_name() == before.stable_name()) {
                // No item is of this type: links and members say what follows.
                Some(after) if before.user_value.is_some() => {
                    let what = format!("items of a {}", after.label());
                    self.compare(&what, before, after, |found| found.user_value(&what));
                }
                Some(after) => {
                    let what = format!("items.{}", after.label());
                    self.compare(&what, before, after, |found| found.item(before, after));
                    self.taken(before, after);
                }
                None => self.removed(before),
            }
        }
        for after in is {
            if !was.iter().any(|before| before.stable_name() == after.stable_name()) {
                self.added(after);
            }
        }
    }

    fn removed(&mut self, before: &ItemType) {
        let (name, first) = (before.label(), before.stable_name());
        let what = format!("items.{name}");
        if before.user_value.is_some() {
            let meaning = "no item names people who sign up in this way any more";
            return self.note(SettingClass::Cognito, what, meaning);
        }
        if let Some(taker) = before.forms.iter().find_map(|form| type_of(self.old, before, form, self.new)) {
            let meaning = format!(
                "`{}` has its keys: bookkeeping and work messages say `{first}` and are not found, and events get other ids",
                taker.name
            );
            let fix = format!("write `formerly = \"{first}\"` in `[items.{}]`", taker.name);
            return self.refuse(SettingClass::Identity, what, meaning, fix);
        }
        let mut left = vec!["items"];
        left.extend(before.user.as_ref().map(|_| "Cognito users"));
        left.extend((!before.groups.is_empty()).then_some("Cognito groups"));
        left.extend(before.guard.as_ref().map(|_| "reserved values"));
        let meaning = format!(
            "its {} stay, and nothing deletes them any more; their records are parked, and a redriven deletion is lost",
            left.join(", ")
        );
        let mut steps = vec!["under the old model, delete these items first", DRAIN, "deploy the new model"];
        if !before.members.is_empty() {
            steps.extend([CHANGE, TAKE]);
        }
        self.steps(SettingClass::Identity, what, meaning, &steps);
    }

    fn added(&mut self, after: &ItemType) {
        let what = format!("items.{}", after.label());
        if after.user_value.is_some() {
            return self.note(SettingClass::Cognito, what, "items name people who sign up in this way from now on");
        }
        let owner = after.forms.iter().find_map(|form| type_of(self.new, after, form, self.old));
        match owner {
            Some(owner) if self.new.items.iter().any(|item| item.stable_name() == owner.stable_name()) => {
                let meaning = format!(
                    "it takes over keys of `{}`: what was made for these items is not found under the new type",
                    owner.name
                );
                let fix = "give it keys of its own, or move these items first, under the old model";
                self.refuse(SettingClass::Identity, what, meaning, fix);
            }
            // The type that is gone says so.
            Some(owner) => self.note(SettingClass::Identity, what, format!("it has the keys of `{}`", owner.name)),
            None => {
                let meaning = "nothing was made yet for items that exist; records of them that are parked stay parked";
                let steps = [CHANGE, "redrive what was parked of them (`instep redrive`)"];
                self.steps(SettingClass::Identity, what, meaning, &steps);
            }
        }
    }

    fn item(&mut self, before: &ItemType, after: &ItemType) {
        let ItemType {
            name,
            formerly,
            forms,
            index_keys,
            type_values,
            values,
            entity,
            entity_id,
            publish,
            publish_unchanged,
            verb_words,
            attributes,
            is_entity,
            is_edge,
            secret,
            assumed,
            user_value,
            unique_end,
            grant,
            guard,
            user,
            groups,
            members,
            due,
            within,
            conveys,
            permits,
            inherits,
        } = before;
        let at = &*format!("items.{}", after.label());
        self.compare(at, &(name, formerly), &(&after.name, &after.formerly), |found| {
            let meaning = format!("it was `{name}`; bookkeeping, work messages and ids of events keep its first name");
            found.note(SettingClass::Identity, at, meaning);
        });
        self.keys(at, forms, after);
        self.index_keys(at, index_keys, after);
        self.type_values(at, type_values, after);
        self.own_values(at, values, after);
        self.entity((name, entity), after);
        self.compare(&format!("{at}.id"), entity_id, &after.entity_id, |found| found.entity_id(at));
        self.published(at, publish, attributes, after);
        self.publish_unchanged(at, *publish_unchanged, after.publish_unchanged);
        self.compare(&format!("{at}.verb"), verb_words, &after.verb_words, |found| found.verb_words(at));
        self.kind(at, (*is_entity, *is_edge), *secret, after);
        self.compare(&format!("{at}.assumed"), assumed, &after.assumed, |found| found.assumed(at, assumed, after));
        self.compare(at, user_value, &after.user_value, |found| found.user_value(at));
        self.compare(&format!("{at}.edge.unique"), unique_end, &after.unique_end, |found| {
            found.unique_end(at, unique_end.as_ref(), after.unique_end.as_ref());
        });
        self.access(at, (grant.as_ref(), guard.as_ref(), user.as_ref()), after);
        self.compare(&format!("{at}.cognito.groups"), groups, &after.groups, |found| found.groups(at, groups, after));
        self.compare(&format!("{at}.cognito.member"), members, &after.members, |found| {
            found.members(at, members, &after.members);
        });
        self.compare(&format!("{at}.due"), due, &after.due, |found| found.due(at, due, &after.due));
        self.words_of_answers(at, [within, conveys, permits, inherits], after);
    }

    /// The values of the attribute that says the type.
    fn type_values(&mut self, at: &str, was: &[String], after: &ItemType) {
        let what = format!("{at}.type");
        self.compare(&what, was, after.type_values.as_slice(), |found| {
            found.note(SettingClass::Records, what.clone(), "items with another type than their keys say are reported");
        });
    }

    /// What only answers read of an item type.
    fn words_of_answers(&mut self, at: &str, before: [&dyn Debug; 4], after: &ItemType) {
        let words = ["within", "edge.conveys", "permits", "inherits"];
        let after: [&dyn Debug; 4] = [&after.within, &after.conveys, &after.permits, &after.inherits];
        for ((word, was), is) in words.into_iter().zip(before).zip(after) {
            let what = format!("{at}.{word}");
            self.compare(&what, was, is, |found| found.answers(what.clone()));
        }
    }

    /// A setting that only answers read.
    pub(super) fn answers(&mut self, what: String) {
        let meaning = "answers follow this from the deployment on: nothing else does, and no item is written";
        self.note(SettingClass::Answers, what, meaning);
    }

    /// By what items name people who sign up.
    fn user_value(&mut self, what: &str) {
        let meaning = "items name people who sign up by another value";
        self.steps(SettingClass::Cognito, what, meaning, &[CHANGE, TAKE]);
    }

    /// Closed sets of this item type only.
    fn own_values(&mut self, at: &str, values: &BTreeMap<String, Vec<String>>, after: &ItemType) {
        let no_values = Vec::new();
        let names: BTreeSet<&String> = values.keys().chain(after.values.keys()).collect();
        for name in names {
            let (was, is) = (values.get(name).unwrap_or(&no_values), after.values.get(name).unwrap_or(&no_values));
            self.values(&format!("{at}.values.{name}"), name, was, is);
        }
    }

    fn access(
        &mut self,
        at: &str,
        (grant, guard, user): (Option<&Grant>, Option<&Guard>, Option<&CognitoUser>),
        after: &ItemType,
    ) {
        let what = format!("{at}.grant");
        self.compare(&what, &grant, &after.grant.as_ref(), |found| found.grant(at, grant, after));
        let what = format!("{at}.guard");
        self.compare(&what, &guard, &after.guard.as_ref(), |found| found.guard(at, guard, after));
        let what = format!("{at}.cognito.user");
        self.compare(&what, &user, &after.user.as_ref(), |found| found.user(at, user, after));
    }

    /// What exists without an item.
    fn assumed(&mut self, at: &str, was: &[Names], after: &ItemType) {
        let what = format!("{at}.assumed");
        if was.iter().any(|names| !after.assumed.contains(names)) {
            let meaning = "grants in it are pending from now on, so their memberships are taken; its groups stay";
            let steps = [CHANGE, TAKE, DROP_GROUPS, REBUILD];
            self.steps(SettingClass::Grants, what.clone(), meaning, &steps);
        }
        if after.assumed.iter().any(|names| !was.contains(names)) {
            let meaning = "it exists from now on: grants in it that were pending give access, and its groups are made";
            self.steps(SettingClass::Grants, what, meaning, &[MEANT, CHANGE]);
        }
    }
}

/// The type that another model sees in a key of an item type, if it is another type: for one key with a text for
/// each name that the name can have.
pub(super) fn type_of<'m>(model: &Model, item: &ItemType, form: &KeyForm, other: &'m Model) -> Option<&'m ItemType> {
    let key = sample_key(model, item, form)?;
    // A narrower type of the same model can have this key.
    model.type_of(&key).filter(|of| model.item(*of).stable_name() == item.stable_name())?;
    let found = other.item(other.type_of(&key)?);
    (found.stable_name() != item.stable_name()).then_some(found)
}

/// A key of a form, with a text for each name that it can have.
fn sample_key(model: &Model, item: &ItemType, form: &KeyForm) -> Option<Key> {
    let texts = model.texts(item);
    let pk = form.pk.render(&|name| sample(&texts, name)).ok()?;
    let sk = form.sk.render(&|name| sample(&texts, name)).ok()?;
    Some(Key { pk, sk })
}

/// A text that a name can have. Each plain name, also a padded one, can be a digit.
fn sample(texts: &Texts<'_>, name: &str) -> Option<String> {
    match (texts.values_of(name), texts.like_of(name)) {
        (Some(values), _) => values.first().cloned(),
        (None, Some(like)) => like.render(&|inner| sample(texts, inner)).ok(),
        (None, None) => Some("1".to_owned()),
    }
}
