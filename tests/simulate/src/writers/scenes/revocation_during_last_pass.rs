//! A grant is revoked in the batch in which a cascade begins its last pass.
//!
//! Two grants are in force. A writer deletes a dependency of the first grant. The cascade finds the
//! dependents through an index, so that it needs a last pass. While Instep puts the job of the
//! cascade, the writer creates the dependency again and deletes the second grant.
//!
//! The removal of memberships fails for some seconds. Instep must give nothing before a failed
//! revocation.

use std::time::Duration;

use instep_model::{Key, ToParent, TypeId};

use super::{Played, WRITE_ON};
use crate::writers::cast::DrawnGrant;
use crate::writers::odds::Odds;
use crate::writers::writer::{Disturbed, DrawnWriter, calls};

const REMOVAL_FAILS_FOR: Duration = Duration::from_secs(10);
const WRITERS_STOP: Odds = Odds::EVEN;

pub(super) async fn play(writer: &DrawnWriter<'_>) -> Played {
    let DrawnGrant { own: first, dependencies } = put_grant(writer)?;
    let DrawnGrant { own: second, .. } = put_grant(writer)?;
    let of = |key: &Key| writer.net.watch().implied.rows().get(key).map(|row| row.object.of);
    let has_last_pass = |key: &Key| of(key).is_some_and(|of| has_last_pass(writer, of));
    let parents: Vec<_> = dependencies.into_iter().filter(|parent| has_last_pass(&parent.key)).collect();
    let parent = writer.pick(&parents)?;
    writer.let_cascades_reconcile().await;
    writer.delete(&parent.key);
    // The first call puts the tombstone. The second puts the job of the cascade.
    if writer.disturb(&[calls::PUT_ITEM]).await == Disturbed::Missed
        || writer.disturb(&[calls::PUT_ITEM]).await == Disturbed::Missed
    {
        return WRITE_ON;
    }
    writer.fail(calls::REMOVE_USER_FROM_GROUP, REMOVAL_FAILS_FOR);
    writer.delete(&second.key);
    writer.put(&parent);
    writer.put(&first);
    writer.stop_with(WRITERS_STOP)
}

fn put_grant(writer: &DrawnWriter<'_>) -> Option<DrawnGrant> {
    let grant = writer.draw_grant()?;
    writer.put_all(grant.dependencies.iter().chain([&grant.own]));
    Some(grant)
}

/// Whether a cascade from this type reads an index, which may be late: a last pass reads it again.
fn has_last_pass(writer: &DrawnWriter<'_>, of: TypeId) -> bool {
    let mut links = writer.model.links_to(of).map(|(_, link)| link);
    links.any(|link| link.deleted_with && (link.find.queries_index() || matches!(link.up, ToParent::Index { .. })))
}
