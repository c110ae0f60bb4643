//! How many memberships are wrong after a batch whose answers take random times.

use std::sync::Arc;
use std::time::Duration;

use instep_model::Model;

use crate::flow::Flow;
use crate::memberships::before_and_after;
use crate::mix::{self, Mix};
use crate::standin::StandInServices;

/// The longest that an answer takes, where answers take random times.
pub(crate) const ANSWER_MAX: Duration = Duration::from_millis(20);

/// Handles a batch with answers that take random times. Returns how many memberships the user pool has then that
/// the table does not grant, and how many the table grants that the user pool lacks.
///
/// # Errors
/// A record was not handled.
pub async fn count(model: &Arc<Model>, mix: &Mix, seed: u64) -> Result<(usize, usize), String> {
    let [before, after] = before_and_after(&mix.records);
    let mut services = StandInServices::new(mix::table(&mix.records));
    services.members = before;
    let flow = Flow::new(model, services, ANSWER_MAX);
    flow.vary(seed);
    flow.batch(&mix.raw()).await?;
    let members = flow.members();
    Ok((members.difference(&after).count(), after.difference(&members).count()))
}
