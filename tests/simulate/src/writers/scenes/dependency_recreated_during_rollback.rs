//! A grant or its dependency is created again while the grant is rolled back.
//!
//! A grant and its dependency are on two shards. One of them is in the table, and a writer creates
//! the other. While Instep creates the membership, the writer deletes the first. Instep has to roll
//! back the membership. While Instep removes the membership, the writer creates the first again.
//! The membership must be there in the end.

use std::time::Duration;

use super::{Played, WRITE_ON};
use crate::writers::cast::SplitGrant;
use crate::writers::odds::Odds;
use crate::writers::writer::{Disturbed, DrawnWriter, calls};

const DRAWS: usize = 5;
const DEPENDENCY_COMES_LAST: Odds = Odds::EVEN;

/// Longer than the run for the deletion lasts.
const RUN_OF_THE_DELETION: Duration = Duration::from_secs(1);
const WRITERS_STOP: Odds = Odds::percent(70);

pub(super) async fn play(writer: &DrawnWriter<'_>) -> Played {
    let SplitGrant { own, dependencies, remote } = (0..DRAWS).find_map(|_| writer.draw_split_grant())?;
    let (last, returning) = if writer.happens(DEPENDENCY_COMES_LAST) { (remote, own) } else { (own, remote) };
    writer.put_all(dependencies.iter().chain([&returning]));
    writer.delete(&last.key);
    writer.let_reconcile().await;
    // The cascade may have deleted it with the other.
    writer.put(&returning);
    writer.let_reconcile().await;
    writer.put(&last);
    if writer.disturb(&[calls::ADD_USER_TO_GROUP]).await == Disturbed::Missed {
        return WRITE_ON;
    }
    writer.delete(&returning.key);
    tokio::time::sleep(RUN_OF_THE_DELETION).await;
    if writer.disturb(&[calls::REMOVE_USER_FROM_GROUP]).await == Disturbed::Missed {
        return WRITE_ON;
    }
    writer.put(&returning);
    writer.stop_with(WRITERS_STOP)
}
