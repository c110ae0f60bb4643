//! Guards, and the edges that are in effect by one.

use super::{CHANGE, Found, MEANT, SettingClass};
use crate::model::{Claim, Guard, ItemType, UniqueEnd};

impl Found<'_> {
    pub(super) fn guard(&mut self, at: &str, before: Option<&Guard>, after: &ItemType) {
        let at = format!("{at}.guard");
        match (before, &after.guard) {
            (Some(was), Some(is)) => self.guards(&at, was, is),
            (Some(_), None) => {
                let meaning = "guards that exist stay, and reserve nothing any more";
                self.steps(SettingClass::Guards, at, meaning, &["after the deployment, delete them by hand"]);
            }
            (None, _) => {
                let meaning = "owners that exist have reserved nothing yet, and two of them may have one value";
                let then = "then look at each `guard` and conflict that `instep sweep` lists";
                self.steps(SettingClass::Guards, at, meaning, &[CHANGE, then]);
            }
        }
    }

    fn guards(&mut self, at: &str, before: &Guard, is: &Guard) {
        let Guard { owner, owner_attributes, owner_link, claims, writes } = before;
        self.compare(&format!("{at}.owner"), owner, &is.owner, |found| {
            let meaning = "guards that exist belong to items of another type";
            found.refuse(
                SettingClass::Guards,
                format!("{at}.owner"),
                meaning,
                "keep it, and make a new item type for the other guards",
            );
        });
        let what = format!("{at}.by");
        self.compare(&what, owner_attributes, &is.owner_attributes, |found| {
            let meaning = "guards that exist name their owner in other attributes: they have no owner any more, and nobody \
                           releases them if the owner goes first";
            let steps = ["keep the attributes", "if they must change, write the new ones into each guard before the deployment"];
            found.steps(SettingClass::Guards, what.clone(), meaning, &steps);
        });
        self.compare(&format!("{at}.find"), owner_link, &is.owner_link, |found| {
            let meaning = "a deleted owner finds its guards in another way, or by its claims alone";
            found.steps(SettingClass::Finding, format!("{at}.find"), meaning, &[CHANGE]);
        });
        let what = format!("{at}.claims");
        self.compare(&what, claims, &is.claims, |found| found.claims(&what, claims, &is.claims));
        self.compare(&format!("{at}.writes"), writes, &is.writes, |found| {
            let meaning = "guards that exist stay as they are: only those that Instep writes from now on have this";
            found.note(SettingClass::Guards, format!("{at}.writes"), meaning);
        });
    }

    fn claims(&mut self, what: &str, was: &[Claim], is: &[Claim]) {
        if is.is_empty() {
            let meaning = "no owner claims a value any more: guards that exist stay as long as their owners do";
            return self.steps(SettingClass::Guards, what, meaning, &[MEANT]);
        }
        let values = |claims: &[Claim]| -> Vec<String> {
            claims
                .iter()
                .map(|Claim { when, names, transfer }| format!("{names:?}{when:?} {}", transfer.is_some()))
                .collect()
        };
        if values(was) == values(is) {
            let meaning = "another claimant takes over the value, at the next write of one of the two";
            return self.steps(SettingClass::Guards, format!("{what}.transfer"), meaning, &[MEANT, CHANGE]);
        }
        let meaning = "owners claim other values: the guards of the old values stay until their owners change, and the new \
                       values are not reserved";
        let then = "then look at each `guard`, `unowned-guard` and conflict that `instep sweep` lists";
        self.steps(SettingClass::Guards, what, meaning, &[CHANGE, then]);
    }

    /// Which edges are in effect.
    pub(super) fn unique_end(&mut self, at: &str, was: Option<&UniqueEnd>, is: Option<&UniqueEnd>) {
        let what = format!("{at}.edge.unique");
        match is {
            Some(UniqueEnd { end, guard, claim }) => {
                let guard_name = &self.new.item(*guard).name;
                let is_same = was.is_some_and(|was| was.end == *end && !self.differs(&was.guard, guard));
                if is_same && was.is_some_and(|was| was.claim != *claim) {
                    let meaning = format!("the claims of {guard_name} stand in another order");
                    return self.note(SettingClass::Guards, what, meaning);
                }
                let meaning = format!(
                    "of several edges of one {end}, all count until their {guard_name} names one of them; then the others \
                     have no effect"
                );
                self.steps(SettingClass::Guards, what, meaning, &[CHANGE]);
            }
            None => {
                self.steps(
                    SettingClass::Guards,
                    what,
                    "edges that had no effect take effect with their next change",
                    &[CHANGE],
                );
            }
        }
    }
}
