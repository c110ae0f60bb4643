//! A parent is created again while the cascade deletes its child.
//!
//! A child has two parents and is deleted with the last of them. A writer deletes both parents at
//! once. The cascade queries for the child and begins to delete it. At that moment the writer
//! creates one parent again. The child must stay in the end.

use super::{Played, WRITE_ON};
use crate::writers::odds::Odds;
use crate::writers::writer::{Disturbed, DrawnWriter, calls};

const FAMILIES: usize = 10;
const WRITERS_STOP: Odds = Odds::percent(80);

pub(crate) async fn play(writer: &DrawnWriter<'_>) -> Played {
    let parents = writer.put_child_of_two(FAMILIES);
    if parents.is_empty() {
        return None;
    }
    writer.let_reconcile().await;
    parents.iter().for_each(|parent| writer.delete(&parent.key));
    if writer.disturb(&[calls::QUERY]).await == Disturbed::Missed
        || writer.disturb(&[calls::TRANSACT_WRITE]).await == Disturbed::Missed
    {
        return WRITE_ON;
    }
    if let Some(parent) = writer.pick(&parents) {
        writer.put(&parent);
    }
    writer.stop_with(WRITERS_STOP)
}
