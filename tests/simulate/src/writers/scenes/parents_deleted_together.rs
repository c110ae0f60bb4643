//! One of two parents that are deleted together is created again.
//!
//! Two parents have children. A writer deletes both parents at once, so one run deletes the children
//! of both, and one transaction may do so. When the transaction is under way, the writer creates one
//! of the parents again. The children of that parent must stay in the end.

use instep_model::{Link, Names};

use super::{Played, WRITE_ON};
use crate::writers::names::back_to;
use crate::writers::odds::Odds;
use crate::writers::writer::{Disturbed, DrawnWriter, calls};

/// A parent has fewer children than this, and one more.
const CHILDREN_MORE: usize = 2;

/// The first transaction may be that of the tombstones.
const FIRST_IS_OF_TOMBSTONES: Odds = Odds::EVEN;
const WRITERS_STOP: Odds = Odds::percent(80);

pub(super) async fn play(writer: &DrawnWriter<'_>) -> Played {
    let links = writer.model.links.iter();
    let links: Vec<&Link> =
        links.filter(|link| link.deleted_with && link.cascades_to.is_none() && !writer.is_guard(link.from)).collect();
    let link = writer.pick(&links)?;
    let [one, other] = [(); 2].map(|()| writer.place(link.to, &Names::new()));
    let parents = [writer.actor_at(one?), writer.actor_at(other?)];
    let [one, other] = &parents;
    if one.object == other.object || writer.net.table().are_apart(&one.key.pk, &other.key.pk) {
        return None;
    }
    for parent in &parents {
        writer.put(parent);
        for _ in 0..=writer.below(CHILDREN_MORE) {
            writer.create(link.from, &back_to(link, &parent.object)).into_iter().for_each(|write| writer.write(write));
        }
    }
    writer.let_cascades_reconcile().await;
    parents.iter().for_each(|parent| writer.delete(&parent.key));
    let transactions = 1 + usize::from(writer.happens(FIRST_IS_OF_TOMBSTONES));
    for _ in 0..transactions {
        if writer.disturb(&[calls::TRANSACT_WRITE]).await == Disturbed::Missed {
            return WRITE_ON;
        }
    }
    writer.put(&writer.pick(&parents)?);
    writer.stop_with(WRITERS_STOP)
}
