//! Time: the moments of an item that are still to come, and what its moments that have come lead to.

use std::collections::{BTreeMap, BTreeSet};

use instep_model::{Item, Key, Object, is_too_far};
use jiff::Timestamp;

use super::Pass;
use super::children::as_they_are;
use crate::bookkeeping;
use crate::due::{self, ArrivedMoment, Moment, MomentKind};
use crate::effect::{Action, Expect, Write, WriteReason};
use crate::entries::EntryId;
use crate::implied;
use crate::plan::{DeliveredChange, Mentions};
use crate::work::{NamedObject, Origin};

/// A window that opened or closed, as time did it: no record says so.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct WindowChange {
    /// The message that says that the moment has come.
    pub entry: EntryId,
    /// The grant.
    pub object: Object,
    /// Its item's key.
    pub key: Key,
    /// Its item.
    pub item: Item,
    /// The moment.
    pub moment: ArrivedMoment,
    /// The roles that it grants since, or no longer grants.
    pub roles: Vec<Option<String>>,
}

impl Pass<'_> {
    /// Keeps an item in the table for each moment of an object that is still to come.
    ///
    /// When a moment comes, the table decides: nothing follows from one that was moved since.
    pub(super) fn moments(&mut self, object: &Object, mentions: &Mentions, items: &[(Key, &Item)]) {
        let model = self.model;
        if !due::has_moments(model.item(object.of)) {
            return;
        }
        let present: BTreeMap<Moment, &Item> = items
            .iter()
            .flat_map(|(_, item)| due::moments(model, object, item).into_iter().map(move |moment| (moment, *item)))
            // The record of an item with such a time is parked.
            .filter(|(moment, _)| !is_too_far(moment.at))
            .collect();
        let images = mentions.changes().flat_map(|change| [&change.old, &change.new]).flatten();
        let touched: BTreeSet<Moment> = images.flat_map(|image| due::moments(model, object, image)).collect();
        // A moment that no record of this run names is noted by the run over the record that does. This one might
        // do so after the run over a later record has deleted it, and no attempt at this one would delete it again.
        for moment in touched {
            if let Some(item) = present.get(&moment) {
                if moment.at > self.times.now && self.is_to_be_noted(object, mentions, moment)
                    || is_unheard(mentions, moment)
                {
                    self.note_moment(object, mentions, item, moment);
                }
            } else if moment.at > self.times.now {
                // The clock sends a moment that has come, and deletes its item.
                let delete = Action::Delete { key: bookkeeping::due_key(model, object, moment), expect: Expect::Any };
                // Another run may have put it since, for an item that has the moment again.
                let target = format!("{} of {}", what(moment.kind), self.label(object));
                self.write(
                    Write::follow(WriteReason::HasNoMoment(object.of), target, vec![delete]).and_read_again(),
                    &mentions.entries(),
                );
            }
        }
    }

    /// Whether a record of an object may change what is noted of its moments, or a rule is due.
    pub(super) fn has_news_of_time(&self, object: &Object, mentions: &Mentions) -> bool {
        let ty = self.model.item(object.of);
        let moments = |image: &Option<Item>| -> BTreeSet<Moment> {
            image.as_ref().map(|image| due::moments(self.model, object, image)).unwrap_or_default()
        };
        // What is noted of a window says which record was the last.
        let of_windows = |moment: &Moment| moment.kind != MomentKind::Rule || moment.at <= self.times.now;
        due::has_moments(ty)
            && mentions.changes().any(|change| {
                let new = moments(&change.new);
                new.iter().any(of_windows) || new != moments(&change.old)
            })
    }

    /// Whether the item of a moment may be missing, or say too little. That of a window says which
    /// record was the last. That of a rule says nothing of the record.
    fn is_to_be_noted(&self, object: &Object, mentions: &Mentions, moment: Moment) -> bool {
        let is_new = |image: &Option<Item>| {
            image.as_ref().is_none_or(|image| !due::moments(self.model, object, image).contains(&moment))
        };
        moment.kind != MomentKind::Rule || mentions.by_message() || mentions.changes().any(|change| is_new(&change.old))
    }

    fn note_moment(&mut self, object: &Object, mentions: &Mentions, item: &Item, moment: Moment) {
        let model = self.model;
        let live = mentions.changes.iter().rfind(|delivered| matches!(delivered.delivery.origin, Origin::Stream));
        let mut place = live
            .or(mentions.changes.last())
            .map(|delivered: &DeliveredChange| delivered.change.place())
            .unwrap_or_default();
        // A record of the live stream is the latest of its item. Any other may be older than the one that
        // the entry is about.
        let expect = if live.is_some() {
            Expect::Any
        } else {
            let Ok(noted) = self.view.item(&bookkeeping::due_key(model, object, moment)) else { return };
            if let Some(named) = noted.and_then(NamedObject::of_moment) {
                // A rule applies to the item as it is read then.
                if moment.kind == MomentKind::Rule || named.image == bookkeeping::noted_image(model, object, item) {
                    return;
                }
                let later = named.moment.map(|noted| noted.place).filter(|other| *other > place);
                place = later.unwrap_or(place);
            }
            bookkeeping::as_read(noted)
        };
        let (key, item) = bookkeeping::due(model, object, Some(item), moment, &place);
        let target = format!("{} of {}", what(moment.kind), self.label(object));
        // The item may change meanwhile: the next read says so.
        let reason = WriteReason::HasMoment(object.of);
        let noted = Write::follow(reason, target, vec![Action::Put { key, item, expect }]);
        self.write(noted.and_read_again(), &mentions.entries());
    }

    /// Applies the `due` rules whose time has come, each on condition that the item is as it was
    /// read. The record of the write publishes the change.
    pub(super) fn rules(&mut self, object: &Object, mentions: &Mentions, key: &Key, item: &Item) {
        let model = self.model;
        let rules: Vec<_> = due::rules(model, object, item).filter(|(_, at)| *at <= self.times.now).collect();
        // One at a time: after its write, another may not apply any more.
        let Some((rule, _)) = rules.into_iter().min_by_key(|(_, at)| *at) else { return };
        let expect = as_they_are(due::sources(model, object, item, rule));
        let attributes = rule.set.iter().map(|(name, value)| (name.clone(), Some(value.clone()))).collect();
        let set = Action::Set { key: key.clone(), attributes, expect };
        self.write(Write::follow(WriteReason::Due(object.of), self.label(object), vec![set]), &mentions.entries());
    }

    /// What subscribers have to hear of the moments that have come. If the item has changed since,
    /// the record of that write says it.
    pub(super) fn window_changes(&mut self, object: &Object, mentions: &Mentions, items: &[(Key, &Item)]) {
        let model = self.model;
        let Some(grant) = &model.item(object.of).grant else { return };
        for named in &mentions.named {
            let Some(moment) = named.moment.as_ref().filter(|moment| moment.at <= self.times.now) else { continue };
            let noted = named.image.as_ref().map(|image| implied::roles(model, object, image));
            let is_before = |closes: Option<Timestamp>| closes.is_none_or(|closes| moment.at < closes);
            let opened = named.image.as_ref().is_none_or(|image| is_before(due::window(grant, image).1));
            for (key, item) in items {
                // It granted nothing. What an earlier state of it granted, and published, ends all the same.
                if moment.kind != MomentKind::Closes && !self.is_valid(object, item) {
                    continue;
                }
                let (opens, closes) = due::window(grant, item);
                let is_so = match moment.kind {
                    // It may have closed since, but not before it opened.
                    MomentKind::Opens => {
                        opens == Some(moment.at) && is_before(closes)
                            || opened && implied::in_window(grant, item, self.times.now)
                    }
                    MomentKind::Closes => closes == Some(moment.at) && opens.is_none_or(|opens| opens < moment.at),
                    MomentKind::Rule | MomentKind::DeleteUser => false,
                };
                // Roles that changed since are told of by the record of that write. Without an image, none
                // are known to have changed.
                let mut roles = implied::roles(model, object, item);
                roles.retain(|role| noted.as_ref().is_none_or(|noted| noted.contains(role)));
                if is_so && !roles.is_empty() {
                    let (object, item) = (object.clone(), (*item).clone());
                    let window_change = WindowChange {
                        entry: named.entry,
                        object,
                        key: key.clone(),
                        item,
                        moment: moment.clone(),
                        roles,
                    };
                    self.desired.window_changes.insert(window_change);
                }
            }
        }
    }
}

/// Whether the window opened or closed after a record of the batch was written: its events do not tell of it.
/// A capture may be of any age, and all that followed from its records was heard long ago.
fn is_unheard(mentions: &Mentions, moment: Moment) -> bool {
    let fresh = mentions.changes.iter().filter(|delivered| !matches!(delivered.delivery.origin, Origin::Captured));
    let mut written = fresh.filter_map(|delivered| delivered.change.recorded_at);
    moment.kind != MomentKind::Rule && written.any(|written| written < moment.at)
}

/// A moment, for reports.
const fn what(kind: MomentKind) -> &'static str {
    match kind {
        MomentKind::Opens => "the start",
        MomentKind::Closes => "the end",
        MomentKind::Rule => "the due time",
        MomentKind::DeleteUser => "the deletion of the user",
    }
}
