//! The events of windows that time opens and closes. No record tells of that.

use instep_contract::Cause;
use instep_model::{Item, Key, Model, Object};
use jiff::Timestamp;

use super::{Occurrence, Publishing, entry};
use crate::change::Change;
use crate::due::{self, MomentKind};
use crate::implied;
use crate::reconcile::WindowChange;
use crate::report::EventEntry;
use crate::secrets;
use crate::stream_record::RecordPlace;

/// The index of the first event of a window that opened or closed. A record has fewer events, so
/// these come after those of the record for which the moment was noted.
const OPENS_INDEX: usize = 10_000;
const CLOSES_INDEX: usize = 20_000;

/// The events of a window that time opened or closed, in the order in which they are published.
///
/// Each has the id that it has however often, and from whatever message or record, it is published:
/// it depends on the moment instead of a record.
#[must_use]
pub fn window_events(model: &Model, change: &WindowChange, publishing: Publishing<'_>) -> Vec<EventEntry> {
    let WindowChange { object, key, item, moment, roles, .. } = change;
    let first = match moment.kind {
        MomentKind::Opens => OPENS_INDEX,
        MomentKind::Closes | MomentKind::Rule | MomentKind::DeleteUser => CLOSES_INDEX,
    };
    let change = by_time(object, key, item, moment.at, moment.place.clone());
    let occurrences = roles.iter().enumerate().filter_map(|(index, role)| match moment.kind {
        MomentKind::Opens => Some((first + index, Occurrence::Opened(role.clone()))),
        MomentKind::Closes => Some((first + index, Occurrence::Closed(role.clone()))),
        MomentKind::Rule | MomentKind::DeleteUser => None,
    });
    all_by_time(model, &change, occurrences, publishing)
}

/// What time did to an item at a moment, as a change of which no record tells.
fn by_time(object: &Object, key: &Key, item: &Item, at: Timestamp, place: RecordPlace) -> Change {
    Change {
        object: object.clone(),
        key: key.clone(),
        old: Some(item.clone()),
        new: Some(item.clone()),
        epoch: place.epoch,
        sequence: place.sequence,
        recorded_at: Some(at),
        cause: Cause::Due,
        notes: Vec::new(),
    }
}

pub(super) fn all_by_time<'a>(
    model: &Model,
    change: &Change,
    occurrences: impl Iterator<Item = (usize, Occurrence<'a>)>,
    publishing: Publishing<'_>,
) -> Vec<EventEntry> {
    let change = &*secrets::shown(model, change);
    let publish = &model.item(change.object.of).publish;
    let published = occurrences.filter(|(_, occurrence)| publish.contains(&occurrence.verb()));
    published.filter_map(|(index, occurrence)| entry(model, change, &occurrence, index, publishing)).collect()
}

/// The roles of a grant that time had revoked before the record was written, and whose `revoked` may
/// not have been published: the record deletes the grant, or changes what it grants.
pub(super) fn closed_before(model: &Model, change: &Change) -> Option<(Change, Vec<Option<String>>)> {
    let grant = model.item(change.object.of).grant.as_ref()?;
    let old = change.old.as_ref()?;
    let at = due::closed_before(grant, old, change.recorded_at?)?;
    let grants = |image: &Item| {
        let whom = super::whom(model, grant, &change.object, image);
        (implied::roles(model, &change.object, image), due::window(grant, image), whom)
    };
    if change.new.as_ref().is_some_and(|new| grants(new) == grants(old)) {
        return None;
    }
    let roles = implied::roles(model, &change.object, old);
    Some((by_time(&change.object, &change.key, old, at, change.place()), roles))
}
