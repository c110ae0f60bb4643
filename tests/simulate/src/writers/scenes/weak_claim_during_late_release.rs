//! A weak rival claims a value during its late release.
//!
//! Two rivals have strong claims to a value. The first holds the value, and the claim of the other
//! is pending. The first gives up the value, and the transaction for that is late. Meanwhile a weak
//! rival on another shard claims the value. The strong rival must hold the value in the end.

use std::time::Duration;

use super::{NextWrites, Played, WRITE_ON};
use crate::writers::cast::Rivals;
use crate::writers::odds::Odds;
use crate::writers::writer::{Actor, Disturbed, DrawnWriter, calls};

const RELEASE_IS_LATE_BY: Duration = Duration::from_secs(3);
const HOLDER_STAYS_WITHOUT_THE_VALUE: Odds = Odds::EVEN;

pub(super) async fn play(writer: &DrawnWriter<'_>) -> Played {
    let Rivals { mut actors, claimed, strengths } = writer.draw_rivals(3)?;
    if strengths.is_empty() {
        return None;
    }
    let is_remote = |first: &Actor, rival: &Actor| writer.net.table().are_apart(&first.key.pk, &rival.key.pk);
    let place = actors.iter().position(|rival| actors.first().is_some_and(|first| is_remote(first, rival)))?;
    let mut weak = actors.swap_remove(place);
    writer.delete(&weak.key);
    for strong in &mut actors {
        strengths.iter().for_each(|strength| strength.set(&mut strong.item));
        writer.put(strong);
        writer.let_reconcile().await;
    }
    let mut holder = actors.swap_remove(0);
    claimed.iter().for_each(|name| drop(holder.item.remove(name)));
    if writer.happens(HOLDER_STAYS_WITHOUT_THE_VALUE) {
        writer.put(&holder);
    } else {
        writer.delete(&holder.key);
    }
    if writer.delay(&[calls::TRANSACT_WRITE], RELEASE_IS_LATE_BY).await == Disturbed::Missed {
        return WRITE_ON;
    }
    strengths.iter().for_each(|strength| drop(weak.item.remove(&strength.name)));
    writer.put(&weak);
    Some(NextWrites::Stop)
}
