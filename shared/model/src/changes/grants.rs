//! Grants, and what becomes due by time.

use super::{CHANGE, Found, MEANT, REBUILD, SettingClass, TAKE, TELL};
use crate::model::{DueRule, Grant, ItemType, LastRevoked, Roles};

impl Found<'_> {
    pub(super) fn grant(&mut self, at: &str, before: Option<&Grant>, after: &ItemType) {
        let at = format!("{at}.grant");
        match (before, &after.grant) {
            (Some(was), Some(is)) => self.grants(&at, was, is),
            (Some(_), None) => {
                let meaning = "no `revoked` is published for what exists: rows of subscribers stay";
                self.steps(SettingClass::Grants, at, meaning, &[TELL, CHANGE, TAKE, REBUILD]);
            }
            (None, _) => {
                let meaning = "no `granted` is published for what exists: subscribers do not know it";
                self.steps(SettingClass::Grants, at, meaning, &[CHANGE, REBUILD]);
            }
        }
    }

    fn grants(&mut self, at: &str, before: &Grant, is: &Grant) {
        let Grant { subject, scope, roles, role_names, role_links, same, from, until, when, last } = before;
        let breaks = [TELL, CHANGE, TAKE, REBUILD];
        let what = format!("{at}.subject");
        self.compare(&what, subject, &is.subject, |found| {
            found.steps(
                SettingClass::Grants,
                what.clone(),
                "grants have another subject: the old one loses its access",
                &breaks,
            );
        });
        let what = format!("{at}.scope");
        self.compare(&what, scope, &is.scope, |found| {
            let meaning = "events of grants name another scope: rows of the old one never end. What waits for the old scope \
                           may give access now";
            found.steps(SettingClass::Grants, what.clone(), meaning, &breaks);
        });
        let what = format!("{at}.roles");
        self.compare(&what, &(roles, role_names), &(&is.roles, &is.role_names), |found| {
            if *role_names == is.role_names && adds_attributes(roles, &is.roles) {
                let meaning = "a grant without the further attribute keeps its roles; one that has it already has those roles";
                return found.note(SettingClass::Source, what.clone(), meaning);
            }
            let meaning = "the roles of grants that exist are somewhere else now: a grant without them there gives nothing";
            let both = "if an attribute moves: name both attributes, the new one first, and write each item with it, before \
                        the old one goes";
            found.steps(SettingClass::Grants, what.clone(), meaning, &[both, TELL, CHANGE, TAKE, REBUILD]);
        });
        let what = format!("{at}.role");
        self.compare(&what, role_links, &is.role_links, |found| {
            let meaning = "existing grants stay in force although the item of their role does not exist, or are pending \
                           although it does";
            found.steps(SettingClass::Grants, what.clone(), meaning, &[CHANGE, TAKE, REBUILD]);
        });
        let what = format!("{at}.same");
        self.compare(&what, same, &is.same, |found| found.answers(what.clone()));
        self.window(&format!("{at}.from"), from, &is.from);
        self.window(&format!("{at}.until"), until, &is.until);
        let what = format!("{at}.when");
        self.compare(&what, when, &is.when, |found| {
            let meaning = "grants for which the condition held, and does not any more, keep their access; those for which it \
                           holds now have none until they are written";
            found.steps(SettingClass::Grants, what.clone(), meaning, &[MEANT, CHANGE, TAKE, REBUILD]);
        });
        self.last(&format!("{at}.last"), last.as_ref(), is.last.as_ref());
    }

    /// From when, or until when, a grant is in force.
    fn window(&mut self, what: &str, was: &[String], is: &[String]) {
        if was == is {
            return;
        }
        let meaning = match (was.is_empty(), is.is_empty()) {
            (true, _) => {
                "no time is noted yet for grants that exist. Those that have not begun, or have ended, lose their access"
            }
            (false, true) => {
                "grants whose time has not come, or is over, are in force from now on, and get their access"
            }
            (false, false) => {
                "the times that are noted for grants that exist are the old ones. Some get access by the new ones, and others \
                 lose it"
            }
        };
        self.steps(SettingClass::Time, what, meaning, &[MEANT, CHANGE, TAKE, REBUILD]);
    }

    /// What the last revocation does.
    fn last(&mut self, what: &str, was: Option<&LastRevoked>, is: Option<&LastRevoked>) {
        match (was, is) {
            (None, Some(_)) => {
                let meaning = "from now on, a subject is deleted with its last grant";
                self.note(SettingClass::Grants, what, meaning);
            }
            (Some(_), None) => {
                self.note(SettingClass::Grants, what, "from now on, a subject stays without its last grant")
            }
            (Some(LastRevoked { written }), Some(is)) if *written != is.written => {
                let meaning =
                    "other attributes say from now on whether a subject was written since its last grant ended";
                self.note(SettingClass::Grants, format!("{what}.written"), meaning);
            }
            (_, _) => {}
        }
    }

    /// What becomes due by time.
    pub(super) fn due(&mut self, at: &str, was: &[DueRule], is: &[DueRule]) {
        let what = format!("{at}.due");
        let text = |DueRule { at, when, set }: &DueRule| format!("{at:?} {when:?} {set:?}");
        let (before, after): (Vec<String>, Vec<String>) =
            (was.iter().map(text).collect(), is.iter().map(text).collect());
        if after.iter().any(|rule| !before.contains(rule)) {
            let meaning = "no time is noted for items that exist, so the rule never applies to them. Where the time is over, \
                           it applies at once";
            self.steps(SettingClass::Time, what.clone(), meaning, &[MEANT, CHANGE]);
        } else {
            self.note(SettingClass::Time, what, "times that are noted come, and then nothing is done");
        }
    }
}

/// Whether roles are in the attributes of before, or in further ones, which count first.
fn adds_attributes(was: &Roles, is: &Roles) -> bool {
    matches!((was, is), (Roles::Attribute(was), Roles::Attribute(is)) if is.ends_with(was))
}
