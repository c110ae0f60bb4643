//! A grant is revoked and created again.
//!
//! The grant may be the last of its subject. Instep deletes the subject with its last grant. A
//! moment later a writer creates the same grant again, perhaps before the revocation is handled.
//! Grant and subject must be there in the end.

use crate::writers::writer::DrawnWriter;

const BEFORE_THE_RENEWAL_MS: usize = 1_500;

pub(crate) async fn play(writer: &DrawnWriter<'_>) {
    let mut grants = writer.all();
    grants.retain(|grant| writer.ends_its_subject(grant.object.of));
    let Some(grant) = writer.pick(&grants) else { return };
    writer.delete(&grant.key);
    writer.pause(BEFORE_THE_RENEWAL_MS).await;
    writer.put(&grant);
}
