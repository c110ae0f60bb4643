//! Keys of items, and of indexes.

use super::items::type_of;
use super::{CHANGE, DRAIN, Found, MEANT, REBUILD, SettingClass};
use crate::model::{IndexKeys, ItemType, Keep, KeyForm};
use crate::template::Template;

impl Found<'_> {
    pub(super) fn keys(&mut self, at: &str, was: &[KeyForm], after: &ItemType) {
        let what = format!("{at}.pk, sk");
        self.compare(&what, was, after.forms.as_slice(), |found| {
            for form in was.iter().filter(|form| !has_form(&after.forms, form)) {
                found.key_gone(&what, form, after);
            }
            if was.iter().any(|form| !has_form(&after.forms, form)) {
                return;
            }
            if after.forms.iter().any(|form| !has_form(was, form)) {
                let meaning = "items with the new spelling of the key belong to this item type from now on";
                found.note(SettingClass::Keys, what.clone(), meaning);
            } else {
                found.note(
                    SettingClass::Keys,
                    what.clone(),
                    "Instep writes another spelling of the key first from now on",
                );
            }
        });
    }

    /// Keys that another item type has in the other model, also if the templates are as before: a narrower one counts.
    pub(super) fn taken(&mut self, before: &ItemType, after: &ItemType) {
        let what = format!("items.{}.pk, sk", after.label());
        if let Some(taker) = before.forms.iter().find_map(|form| type_of(self.old, before, form, self.new)) {
            let meaning =
                format!("`{}` takes over its keys: what was made for these items is not found any more", taker.name);
            self.refuse(SettingClass::Identity, what.clone(), meaning, "keep the keys of the two apart");
        }
        if let Some(giver) = after.forms.iter().find_map(|form| type_of(self.new, after, form, self.old)) {
            let meaning =
                format!("it takes over keys of `{}`: what was made for these items is not found any more", giver.name);
            self.refuse(SettingClass::Identity, what, meaning, "keep the keys of the two apart");
        }
    }

    fn key_gone(&mut self, what: &str, KeyForm { pk, sk, names }: &KeyForm, after: &ItemType) {
        let text = |names: &std::collections::BTreeSet<String>| {
            names.iter().map(|name| format!("`{name}`")).collect::<Vec<_>>().join(", ")
        };
        if let Some(other) = after.forms.iter().find(|other| has_shape(other, pk, sk)) {
            let (was, is) = (text(names), text(&other.names));
            let meaning = format!(
                "the key has {is} instead of {was}: back-references, tombstones and pending claims that say {was} are not \
                 found, so children stay when this is deleted, and events have other names"
            );
            let keep = "keep the old names: `names.N.attribute` gives a name another attribute";
            let steps = [keep, "if they must change, delete nothing until this is done", CHANGE, REBUILD];
            return self.steps(SettingClass::Keys, what, meaning, &steps);
        }
        let meaning = format!(
            "items with the key {pk} / {sk} belong to no item type any more: they are parked, no cascade finds them, and a \
             sweep lists nothing"
        );
        let is_owner = self.new.type_named(&after.name).is_some_and(|of| !self.new.guards_of(of).is_empty());
        if is_owner {
            let fix = "keep it: the owner of a guard has one spelling of its key";
            return self.refuse(SettingClass::Keys, what, meaning, fix);
        }
        let steps = [
            "deploy a model with both spellings, the new one first",
            "write these items under the new key, and delete the old ones",
            DRAIN,
            "then deploy this model",
            REBUILD,
        ];
        self.steps(SettingClass::Keys, what, meaning, &steps);
    }

    /// The attributes of the indexes.
    pub(super) fn index_keys(&mut self, at: &str, was: &[IndexKeys], after: &ItemType) {
        let is = &after.index_keys;
        for IndexKeys { index, pk, sk, keep } in was {
            let name = &self.old.index_at(*index).name;
            let what = format!("{at}.{name}");
            let Some(now) = is.iter().find(|now| self.new.index_at(now.index).name == *name) else {
                self.index_keys_gone(&what, after, [Some(pk), sk.as_ref()]);
                continue;
            };
            if *pk != now.pk || *sk != now.sk {
                self.keys_to_write(&what, now.keep);
            } else if *keep != now.keep {
                self.keep(&what, *keep, now.keep);
            }
            let first = |spellings: Option<&Vec<String>>| spellings.and_then(|all| all.first().cloned());
            let (was, is) = (self.old.index_at(*index), self.new.index_at(now.index));
            if first(Some(&was.pk)) != first(Some(&is.pk)) || first(was.sk.as_ref()) != first(is.sk.as_ref()) {
                self.keys_to_write(&what, now.keep);
            }
        }
        for now in is {
            let name = &self.new.index_at(now.index).name;
            if !was.iter().any(|was| self.old.index_at(was.index).name == *name) {
                self.keys_to_write(&format!("{at}.{name}"), now.keep);
            }
        }
    }

    /// An item can name something by its index key alone.
    fn index_keys_gone(&mut self, what: &str, after: &ItemType, templates: [Option<&Template>; 2]) {
        let in_key = |name: &str| after.forms.iter().all(|form| form.names.contains(name));
        if templates.into_iter().flatten().flat_map(Template::names).all(in_key) {
            self.note(SettingClass::Finding, what, "Instep no longer looks for such items in this index");
        } else {
            let meaning = "names that an item has in this index key alone have no value any more: it loses what it refers to \
                           by them";
            let step = "before the deployment, write these names into attributes of each such item";
            self.steps(SettingClass::Source, what, meaning, &[step, MEANT]);
        }
    }

    /// Items that exist do not have the keys that the model says.
    fn keys_to_write(&mut self, what: &str, keep: Keep) {
        if keep.writes() {
            let meaning = "existing items keep the index keys that they have until their next change: until then, no deletion \
                           finds them by this index";
            let step = format!("{CHANGE}: it writes the keys");
            self.steps(SettingClass::Finding, what, meaning, &[&step, "delete nothing that they depend on until then"]);
        } else {
            let meaning = "existing items do not have these keys: they and their grants stay when what they depend on is \
                           deleted, and no sweep says so";
            let step = "before the deployment, write the keys into every such item, or add `keep = true`: the change that a \
                        deployment starts writes them";
            self.steps(SettingClass::Finding, what, meaning, &[step]);
        }
    }

    fn keep(&mut self, what: &str, was: Keep, is: Keep) {
        match (was, is) {
            (Keep::No, _) | (Keep::Fill, Keep::Always) => {
                let meaning = "existing items keep the index keys that they have until their next change. What has another \
                               key is found once Instep has corrected that, and goes with what it depends on";
                self.steps(SettingClass::Finding, format!("{what}.keep"), meaning, &[CHANGE]);
            }
            (Keep::Always | Keep::Fill, _) => {
                let meaning = "Instep corrects fewer keys from now on: an item with a wrong one is not found by it";
                self.note(SettingClass::Finding, format!("{what}.keep"), meaning);
            }
        }
    }
}

fn has_form(forms: &[KeyForm], form: &KeyForm) -> bool {
    forms.iter().any(|other| other.pk == form.pk && other.sk == form.sk)
}

/// Whether a form matches the keys of two templates, and differs in names only.
fn has_shape(form: &KeyForm, pk: &Template, sk: &Template) -> bool {
    let shape = |template: &Template| -> String {
        let mut text = template.source().to_owned();
        for name in template.names() {
            text = text.replace(&format!("{{{name}"), "{");
        }
        text
    };
    shape(&form.pk) == shape(pk) && shape(&form.sk) == shape(sk)
}
