//! Two rivals trade a unique value.
//!
//! Both rivals claim the same values. In each round one of them gets a stronger or a weaker claim,
//! or is deleted. The round before may not be reconciled yet.
//!
//! Half of the scenes have a finale. Both rivals get a strong claim, one after the other. Then the
//! first rival loses its strength, and Instep takes the value from it. During that transaction the
//! first rival changes once more.

use super::{Played, WRITE_ON};
use crate::writers::cast::Rivals;
use crate::writers::odds::Odds;
use crate::writers::writer::{Actor, Disturbed, DrawnWriter, calls};

const ROUNDS_LEAST: usize = 3;
const ROUNDS_MORE: usize = 5;
const RIVAL_LACKS_PART_OF_THE_VALUE: Odds = Odds::percent(20);
const RIVAL_IS_DELETED: Odds = Odds::percent(20);
const THERE_IS_A_FINALE: Odds = Odds::EVEN;
const WRITERS_STOP: Odds = Odds::EVEN;

pub(super) async fn play(writer: &DrawnWriter<'_>) -> Played {
    let mut rivals = writer.draw_rivals(2)?;
    for _ in 0..ROUNDS_LEAST + writer.below(ROUNDS_MORE) {
        change_one(writer, &mut rivals)?;
        writer.may_let_reconcile().await;
    }
    finale(writer, rivals).await
}

/// One rival gets or loses its strength. It may be deleted, or may lack a part of the value.
fn change_one(writer: &DrawnWriter<'_>, Rivals { actors, claimed, strengths }: &mut Rivals) -> Option<()> {
    let place = writer.below(actors.len());
    let rival = actors.get_mut(place)?;
    if let Some(strength) = writer.pick(strengths)
        && rival.item.remove(&strength.name).is_none()
    {
        strength.set(&mut rival.item);
    }
    let mut now = rival.clone();
    if let Some(name) = writer.pick(claimed).filter(|_| writer.happens(RIVAL_LACKS_PART_OF_THE_VALUE)) {
        now.item.remove(&name);
    }
    if writer.happens(RIVAL_IS_DELETED) && writer.item_at(&now.key).is_some() {
        writer.delete(&now.key);
    } else {
        writer.put(&now);
    }
    Some(())
}

async fn finale(writer: &DrawnWriter<'_>, rivals: Rivals) -> Played {
    let Rivals { mut actors, claimed, strengths } = rivals;
    let Some(strength) = writer.pick(&strengths).filter(|_| writer.happens(THERE_IS_A_FINALE)) else { return WRITE_ON };
    actors.iter_mut().for_each(|rival| strength.set(&mut rival.item));
    for rival in &actors {
        writer.put(rival);
        writer.let_reconcile().await;
    }
    let mut first: Actor = actors.swap_remove(0);
    first.item.remove(&strength.name);
    writer.put(&first);
    if writer.disturb(&[calls::TRANSACT_WRITE]).await == Disturbed::Missed {
        return WRITE_ON;
    }
    if let Some(name) = writer.pick(&claimed) {
        first.item.remove(&name);
    }
    writer.put(&first);
    writer.stop_with(WRITERS_STOP)
}
