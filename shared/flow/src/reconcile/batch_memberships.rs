//! What the entries of an object name by themselves, whatever the table has. All passes of a run share it.

use std::borrow::Cow;
use std::collections::BTreeSet;
use std::sync::{Arc, OnceLock};

use instep_model::{Item, Key, Object};
use jiff::Timestamp;

use super::Pass;
use crate::account::SKEW;
use crate::change::Change;
use crate::implied::{self, Membership};
use crate::plan::{Mentions, MessageMention};
use crate::valid;

/// What the entries of one object name.
#[derive(Debug, Clone, Default)]
pub(super) struct BatchMemberships {
    /// The keys of the object's items.
    pub(super) keys: Vec<Key>,
    /// What the images of each change imply.
    pub(super) changes: Vec<OldAndNew>,
    /// What the image of each message implies.
    messages: Vec<(BTreeSet<Membership>, Needed)>,
    /// [`Pass::named_memberships`]
    memberships: BTreeSet<Membership>,
}

/// What an image implies.
#[derive(Debug, Clone)]
pub(super) struct ImpliedMemberships {
    /// The memberships that it names, also if it is not valid: they may have to end.
    pub(super) memberships: BTreeSet<Membership>,
    /// Whether it asks for nothing impossible. No image asks for nothing.
    pub(super) is_valid: bool,
    needed: Needed,
}

/// What a message carries of an image. It is computed once for all memberships of the image: there may be thousands.
type Needed = OnceLock<Arc<Item>>;

/// What the old and the new image of a change imply.
pub(super) type OldAndNew = [ImpliedMemberships; 2];

impl<'a> Pass<'a> {
    /// What the entries of an object name, and its keys. `None` if they can have no effect.
    pub(super) fn names(&self, object: &Object, mentions: &Mentions) -> Option<BatchMemberships> {
        let changes = self.implied_by_changes(object, mentions);
        let keys = || self.model.keys(object).unwrap_or_default();
        self.reacts(object, mentions, &changes)
            .then(|| BatchMemberships { keys: keys(), ..self.find_named(object, mentions, changes) })
    }

    fn find_named(&self, object: &Object, mentions: &Mentions, changes: Vec<OldAndNew>) -> BatchMemberships {
        if self.model.item(object.of).members.is_empty() {
            return BatchMemberships { changes, ..BatchMemberships::default() };
        }
        let of_message = |image: Option<&Item>| (self.implied_by(object, image), Needed::new());
        let messages: Vec<_> = mentions.named.iter().map(|named| of_message(named.image.as_ref())).collect();
        let by_change =
            mentions.changes().zip(&changes).flat_map(|(change, implied)| self.named_by(object, change, implied));
        let memberships = messages.iter().flat_map(|(implied, _)| implied).cloned().chain(by_change).collect();
        BatchMemberships { keys: Vec::new(), changes, messages, memberships }
    }

    /// What the entries of an object name: it is known of the one that this pass is at.
    pub(super) fn named(&self, object: &Object, mentions: &Mentions) -> Cow<'a, BatchMemberships> {
        match self.at.filter(|(at, ..)| *at == object) {
            Some((.., named)) => Cow::Borrowed(named),
            None => Cow::Owned(self.find_named(object, mentions, self.implied_by_changes(object, mentions))),
        }
    }

    fn implied_by_changes(&self, object: &Object, mentions: &Mentions) -> Vec<OldAndNew> {
        mentions.changes().map(|change| self.old_and_new(object, change)).collect()
    }

    fn implied_by(&self, object: &Object, image: Option<&Item>) -> BTreeSet<Membership> {
        image.map(|image| implied::memberships(self.model, object, image)).unwrap_or_default()
    }

    fn old_and_new(&self, object: &Object, change: &Change) -> OldAndNew {
        let ty = self.model.item(object.of);
        // The items of other types give nothing.
        let of_cognito = ty.user.is_some() || !ty.groups.is_empty() || !ty.members.is_empty();
        let gives = of_cognito || ty.grant.is_some();
        [&change.old, &change.new].map(|image| ImpliedMemberships {
            memberships: self.implied_by(object, image.as_ref()),
            is_valid: image.as_ref().is_none_or(|image| !gives || self.is_valid(object, image)),
            needed: Needed::new(),
        })
    }

    /// Whether an item asks for nothing impossible. The item that the table has is usually that of the last record.
    pub(super) fn is_valid(&self, object: &Object, item: &Item) -> bool {
        let known = self.at.filter(|(at, ..)| *at == object).and_then(|(_, mentions, named)| {
            let mut changes = mentions.changes.iter().zip(&named.changes).rev();
            changes.find(|(delivered, _)| delivered.change.new.as_ref() == Some(item))
        });
        known.map_or_else(|| valid::item(self.model, object, item).is_ok(), |(_, [_, new])| new.is_valid)
    }

    /// Whether a change of an object made an item invalid that was valid, or the other way round.
    pub(super) fn is_validity_changed(&self, object: &Object, mentions: &Mentions) -> bool {
        self.named(object, mentions).changes.iter().any(|[old, new]| old.is_valid != new.is_valid)
    }

    /// The memberships that images in the batch name: those that a change granted or revoked, all
    /// of an item if the window of its grant or an item that it refers to changed, and all of an
    /// image in a message.
    pub(super) fn named_memberships(&self, object: &Object, mentions: &Mentions) -> Cow<'a, BTreeSet<Membership>> {
        match self.named(object, mentions) {
            Cow::Borrowed(named) => Cow::Borrowed(&named.memberships),
            Cow::Owned(named) => Cow::Owned(named.memberships),
        }
    }

    /// The memberships that one change of an item names.
    pub(super) fn memberships_named_by(&self, object: &Object, change: &Change) -> BTreeSet<Membership> {
        self.named_by(object, change, &self.old_and_new(object, change))
    }

    fn named_by(&self, object: &Object, change: &Change, [old, new]: &OldAndNew) -> BTreeSet<Membership> {
        let ty = self.model.item(object.of);
        let (Some(old_image), Some(new_image)) = (&change.old, &change.new) else {
            return old.memberships.union(&new.memberships).cloned().collect();
        };
        // Of a list of roles, each depends only on its own item: what one that comes or goes refers to is no matter
        // of the others.
        let own = |image: &Item| -> BTreeSet<Option<String>> {
            implied::roles(self.model, object, image).into_iter().collect()
        };
        let of_roles = ty.grant.as_ref().map_or(&[][..], |grant| &grant.role_links);
        let roles: Vec<Option<String>> = match of_roles {
            [] => Vec::new(),
            [..] => own(old_image).intersection(&own(new_image)).cloned().collect(),
        };
        let targets = |image: &Item| -> BTreeSet<Object> {
            let mut targets = BTreeSet::new();
            for (id, link) in self.model.links_from(object.of) {
                if !of_roles.contains(&id) || link.each.is_none() || link.deleted_with {
                    targets.extend(implied::targets(self.model, id, object, Some(image)));
                } else if self.model.applies(link, &object.names, Some(image)) {
                    let texts = roles.iter().map(|role| role.as_deref().unwrap_or_default());
                    let names = |text| self.model.link_target_of(link, &object.names, Some(image), text);
                    targets.extend(texts.filter_map(names).map(|names| implied::identified(self.model, link, names)));
                }
            }
            targets
        };
        // A membership may be pending on what the item refers to, and an item that asks for something impossible
        // grants none.
        let needs = |image: &Item| (implied::window(ty, image), targets(image));
        if old.is_valid == new.is_valid && needs(old_image) == needs(new_image) {
            old.memberships.symmetric_difference(&new.memberships).cloned().collect()
        } else {
            old.memberships.union(&new.memberships).cloned().collect()
        }
    }

    /// Whether the entries of an object show that a membership was in force until now, as far as the object says: what it
    /// depends on may have been missing.
    ///
    /// A run that dies after it has removed the membership leaves no trace of that in Cognito or the table. So the next
    /// delivery of its entries has to say the same as the first.
    pub(super) fn was_in_force(&self, object: &Object, mentions: &Mentions, membership: &Membership) -> bool {
        let grant = self.model.item(object.of).grant.as_ref();
        let is_open = |image: &Item, at: Timestamp| {
            // A window that opens so soon may have been open already, by another clock.
            let ats = [at, at.saturating_add(SKEW).unwrap_or(at)];
            grant.is_none_or(|grant| ats.into_iter().any(|at| implied::in_window(grant, image, at)))
        };
        let named = self.named(object, mentions);
        let mut changes = mentions.changes.iter().zip(&named.changes);
        let by_record = changes.any(|(delivered, [was, _])| {
            let (change, at) = (&delivered.change, delivered.change.recorded_at.unwrap_or(self.times.now));
            let was_open = || change.old.as_ref().is_some_and(|old| is_open(old, at));
            delivered.may_revoke() && was.is_valid && was.memberships.contains(membership) && was_open()
        });
        let mut messages = mentions.named.iter().zip(&named.messages);
        let was_open = |mention: &MessageMention| {
            mention.is_of_an_end() || mention.image.as_ref().is_some_and(|image| is_open(image, self.times.now))
        };
        by_record
            || messages.any(|(mention, (implied, _))| {
                mention.may_revoke() && implied.contains(membership) && was_open(mention)
            })
    }

    /// The last image in the batch that names a membership.
    pub(super) fn image_naming<'h>(
        &self,
        object: &Object,
        mentions: &'h Mentions,
        membership: &Membership,
    ) -> Option<&'h Item> {
        naming(&self.named(object, mentions), mentions, membership).map(|(image, _)| image)
    }

    /// What a message carries of the last image in the batch that names a membership.
    pub(super) fn needed_image_naming(
        &self,
        object: &Object,
        mentions: &Mentions,
        membership: &Membership,
    ) -> Option<Arc<Item>> {
        let named = self.named(object, mentions);
        let (image, needed) = naming(&named, mentions, membership)?;
        let needed = needed.get_or_init(|| Arc::new(implied::needed_image(self.model, object, image)));
        Some(Arc::clone(needed))
    }
}

fn naming<'h, 'n>(
    named: &'n BatchMemberships,
    mentions: &'h Mentions,
    membership: &Membership,
) -> Option<(&'h Item, &'n Needed)> {
    let changes = mentions.changes.iter().zip(&named.changes).rev();
    let images = changes.flat_map(|(delivered, [old, new])| {
        let change = &delivered.change;
        [(&change.new, &new.memberships, &new.needed), (&change.old, &old.memberships, &old.needed)]
    });
    let messages = mentions.named.iter().zip(&named.messages);
    let messages = messages.map(|(named, (implied, needed))| (&named.image, implied, needed));
    let (image, _, needed) = images.chain(messages).find(|(_, implied, _)| implied.contains(membership))?;
    Some((image.as_ref()?, needed))
}
