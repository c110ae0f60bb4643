//! What subscribers receive.

use std::collections::BTreeSet;

use super::{Found, MEANT, REBUILD, SettingClass, TELL};
use crate::model::{ItemType, Verb};
use crate::template::Template;

impl Found<'_> {
    /// Which events subscribers match.
    pub(super) fn entity(&mut self, (was, before): (&str, &[Template]), after: &ItemType) {
        let text = |entity: &[Template], name: &str| match entity {
            [] => name.to_owned(),
            _ => entity.iter().map(ToString::to_string).collect::<Vec<_>>().join(", "),
        };
        let (was, is) = (text(before, was), text(&after.entity, &after.name));
        if was != is {
            let meaning = format!("subscribers to `{was}` no longer match, and rows of that name stay");
            self.steps(SettingClass::Events, format!("items.{}.entity", after.name), meaning, &[TELL, REBUILD]);
        } else if before.is_empty() != after.entity.is_empty() {
            self.note(SettingClass::Events, format!("items.{}.entity", after.name), format!("events still say `{is}`"));
        }
    }

    pub(super) fn entity_id(&mut self, at: &str) {
        let meaning = "events name the item by another id: rows of the old id stay, also when the item is deleted";
        self.steps(SettingClass::Events, format!("{at}.id"), meaning, &[TELL, REBUILD]);
    }

    pub(super) fn publish_unchanged(&mut self, at: &str, was: bool, is: bool) {
        if was == is {
            return;
        }
        let meaning = if is {
            "each write publishes an `updated` from now on, also one that changes nothing that events show"
        } else {
            "a write that changes nothing that events show publishes nothing from now on"
        };
        self.note(SettingClass::Events, format!("{at}.publish_unchanged"), meaning);
    }

    pub(super) fn verb_words(&mut self, at: &str) {
        let meaning = "events have other words for what happened: rules that select by the old ones match nothing";
        self.steps(SettingClass::Events, format!("{at}.verb"), meaning, &[TELL]);
    }

    /// What is published, and what events carry.
    pub(super) fn published(&mut self, at: &str, verbs: &BTreeSet<Verb>, attributes: &[String], after: &ItemType) {
        let words = |verbs: Vec<&Verb>| verbs.into_iter().map(|verb| verb.word().to_owned()).collect::<Vec<_>>();
        let without = |one: &[String], other: &[String]| -> Vec<String> {
            one.iter().filter(|path| !other.contains(path)).cloned().collect()
        };
        let lost = [
            (
                "publish",
                words(verbs.difference(&after.publish).collect()),
                words(after.publish.difference(verbs).collect()),
            ),
            ("events", without(attributes, &after.attributes), without(&after.attributes, attributes)),
        ];
        for (what, gone, new) in lost {
            let what = format!("{at}.{what}");
            if !gone.is_empty() {
                let meaning = format!("subscribers no longer receive {}: what they keep of it stays", gone.join(", "));
                self.steps(SettingClass::Events, what.clone(), meaning, &[TELL]);
            }
            if !new.is_empty() {
                let meaning = format!("subscribers receive {} from now on, and know nothing of before", new.join(", "));
                self.note(SettingClass::Events, what, meaning);
            }
        }
    }

    /// Which verbs there are, and whether anything is shown.
    pub(super) fn kind(&mut self, at: &str, (is_entity, is_edge): (bool, bool), is_secret: bool, after: &ItemType) {
        if is_entity != after.is_entity || is_edge != after.is_edge {
            let meaning = "its events begin or cease to be those of an entity or an edge: rows stay after a deletion";
            self.steps(SettingClass::Events, at, meaning, &[TELL, REBUILD]);
        }
        let what = format!("{at}.secret");
        match (is_secret, after.secret) {
            (false, true) => {
                let meaning =
                    "its events stop, and nothing of it can be redriven. Copies in queues, buckets and archives stay";
                self.steps(SettingClass::Privacy, what, meaning, &[TELL, "delete the copies by hand"]);
            }
            (true, false) => {
                let meaning = "its values can be in events, logs and parked records from now on";
                self.steps(SettingClass::Privacy, what, meaning, &[MEANT]);
            }
            (_, _) => {}
        }
    }
}
