//! Sweeps: one repairs what late requests broke, and one of a correct world changes nothing.

use std::time::Duration;

use instep_aws::sweep::{Options, Swept};
use instep_flow::sweep::About;
use instep_model::Extra;

use crate::drain::drain_world;
use crate::lambda::Lambda;
use crate::watch::STRANGER;

/// The time between the two reads of a difference.
const GRACE: Duration = Duration::from_secs(60);

/// Sweeps and repairs, and delivers the repairs.
pub(super) async fn sweep(lambda: &Lambda) -> Option<Swept> {
    let options = Options { grace: GRACE, repair: true, removals_max: usize::MAX, segments: 2, only: None };
    match lambda.sweep(&options).await {
        Ok(swept) => {
            lambda.net.note(|| format!("a sweep found {:?}", swept.differences));
            for (kind, count) in swept.counts() {
                (0..count).for_each(|_| lambda.net.count(&format!("(drift: {})", kind.word())));
            }
            drain_world(lambda, lambda.checkpoints.len()).await;
            Some(swept)
        }
        Err(why) => {
            lambda.net.broken(format!("1: a sweep failed: {why}"));
            None
        }
    }
}

/// Promise 1: a sweep of a correct world repairs nothing.
pub(super) async fn changed_nothing(lambda: &Lambda) -> Vec<String> {
    let Some(swept) = sweep(lambda).await else { return Vec::new() };
    // Somebody else's user may have a name that an item could have.
    let is_stranger = |about: &About| match about {
        About::User(user) => user == STRANGER,
        About::Member(member) => member.user == STRANGER,
        About::Group(_) | About::Item(..) => false,
    };
    let drift = swept.differences.iter().filter(|found| !found.kind.is_of_writers() && !is_stranger(&found.about));
    drift.map(|found| format!("1: a sweep of a correct world found {found:?}")).collect()
}

/// Promise 1: a sweep repairs what people change in the pool, and what is lost of the bookkeeping items.
/// What the model does not let it remove, it reports.
pub(super) async fn drifted(lambda: &Lambda) -> Vec<String> {
    let net = &lambda.net;
    if net.model.extra_members != Extra::Remove {
        return Vec::new();
    }
    let done = match net.drift(&net.chance) {
        Ok(done) => done,
        Err(why) => return vec![why],
    };
    net.note(|| format!("people change {done:?}"));
    if done.is_empty() {
        return Vec::new();
    }
    net.count("Drifted");
    drain_world(lambda, lambda.checkpoints.len()).await;
    sweep(lambda).await;
    let left = super::at_rest(net).0;
    left.into_iter().map(|what| format!("{what}, after a sweep of {done:?}")).collect()
}
