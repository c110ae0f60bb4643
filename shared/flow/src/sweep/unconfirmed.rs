//! Items that may be of an earlier parent, which was deleted and written again before Instep handled that.
//!
//! Where Instep then makes the account or the groups of the parent again, these say when it was deleted. Nothing else does.

use std::collections::BTreeMap;

use instep_model::{Key, Model, Object};
use jiff::Timestamp;

use super::items::ItemReference;
use super::{About, Difference, DifferenceKind, Groups, ItemsPlan, Repair};
use crate::account;
use crate::answers::View;
use crate::group_settings::groups_of;
use crate::queries;
use crate::written::was_written_since;

impl ItemsPlan {
    /// The items, each with a parent whose earlier children `written` tells from its own.
    fn children(&self, model: &Model) -> impl Iterator<Item = ItemReference<'_>> {
        let references = self.references_over(model, |link| !link.written.is_empty()).into_iter();
        references.map(|child| ItemReference { target: model.canonical(&child.target), ..child })
    }

    /// The account items of these parents.
    #[must_use]
    pub fn accounts_of_parents(&self, model: &Model) -> BTreeMap<Key, Object> {
        let parents = self.children(model).map(|child| child.target);
        let kept = parents.filter(|parent| account::is_kept_for(model, parent));
        kept.map(|parent| (account::account_key(model, &parent), parent)).collect()
    }

    /// Notes what these account items say.
    pub fn note_removals(&mut self, accounts: BTreeMap<Key, Object>, view: &mut View<'_>) {
        let noted = accounts.into_iter().filter_map(|(key, parent)| {
            let item = view.item(&key).ok().flatten()?;
            Some((parent, account::account(item)?.after?.at))
        });
        self.removals.extend(noted);
    }

    /// The items that do not say that they were written after a deletion of their parent.
    pub(super) fn unconfirmed(&self, model: &Model, groups: Option<&Groups>) -> Vec<Difference> {
        let removed_at = |parent: &Object| -> Option<Timestamp> {
            let own = groups_of(model, parent, None).into_iter();
            let of_groups = own.filter_map(|own| groups?.get(&own.name)?.after);
            of_groups.chain(self.removals.get(parent).copied()).max()
        };
        let unconfirmed = self.children(model).filter_map(|ItemReference { entry, item, link, target }| {
            let at = removed_at(&target).filter(|at| !was_written_since(item, &model.link(link).written, *at))?;
            let parent = queries::label_of(model, &target);
            Some(Difference {
                kind: DifferenceKind::Unconfirmed,
                about: About::item(model, self.keys.get(entry.0)?),
                why: format!("{parent} was deleted at {at} and written again, and this may be of the earlier one"),
                repair: Repair::Report("write it again if it belongs to the new one, or delete it"),
            })
        });
        unconfirmed.collect()
    }
}
