//! What AWS has a limited number or length of, as far as the model fixes it.

use crate::errors::{Mistake, Mistakes};
use crate::file::DraftModel;
use crate::model::Model;
use crate::published::{DETAIL_TYPE_CHARS_MAX, Name};
use crate::user_attributes::CUSTOM_ATTRIBUTES_MAX;

/// The number of global secondary indexes of a table. Source: Amazon DynamoDB Developer Guide, "Quotas in Amazon
/// DynamoDB", secondary indexes per table. AWS raises it on request, but what a model says must hold without that.
const INDEXES_MAX: usize = 20;

pub(super) fn check(draft: &DraftModel, model: &Model, mistakes: &mut Mistakes) {
    if let Some(index) = draft.indexes.get(INDEXES_MAX) {
        let message = format!("the table has {} indexes", draft.indexes.len());
        let help = format!("a DynamoDB table has at most {INDEXES_MAX}: let item types share an index");
        mistakes.add(Mistake::new(index.name.span, message, "one too many").help(help));
    }
    check_custom_attributes(draft, model, mistakes);
    check_event_names(draft, model, mistakes);
}

fn check_custom_attributes(draft: &DraftModel, model: &Model, mistakes: &mut Mistakes) {
    let own = model.custom_user_attributes();
    if own.len() <= CUSTOM_ATTRIBUTES_MAX {
        return;
    }
    let users = draft.items.iter().filter_map(|item| item.user.as_ref());
    let mut names = users.flat_map(|user| &user.attributes).filter(|(name, _)| own.contains(name.value.as_str()));
    let last = names.next_back();
    let span = last.map_or(draft.span, |(name, _)| name.span);
    let message = format!("users have {} custom attributes", own.len());
    let help = format!("a user pool has at most {CUSTOM_ATTRIBUTES_MAX}: put some of them into one attribute");
    mistakes.add(Mistake::new(span, message, "too many").help(help));
}

/// A name that no item can shorten.
fn check_event_names(draft: &DraftModel, model: &Model, mistakes: &mut Mistakes) {
    for published in model.published() {
        let fixed = published.names.iter().filter_map(|name| match &name.detail_type {
            Name::Fixed(text) => Some(text),
            Name::Open { .. } => None,
        });
        let Some(long) = fixed.max_by_key(|text| text.chars().count()) else { continue };
        let chars = long.chars().count();
        if chars > DETAIL_TYPE_CHARS_MAX {
            let name = &model.item(published.of).name;
            let span =
                draft.items.iter().find(|item| item.name.value == *name).map_or(draft.span, |item| item.name.span);
            let message = format!("events of `{name}` have a name of {chars} characters (`DetailType`)");
            let help = format!(
                "EventBridge takes at most {DETAIL_TYPE_CHARS_MAX}: shorten the item type's `entity`, the word for \
                 `{}` or `detail_type`",
                published.verb.word()
            );
            mistakes.add(Mistake::new(span, message, "too long").help(help));
        }
    }
}
