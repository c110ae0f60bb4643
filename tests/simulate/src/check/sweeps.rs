//! Sweeps: one repairs what late requests broke, and one of a correct world changes nothing.

use std::time::Duration;

use instep_aws::sweep::{FoundDifference, SweepOptions};
use instep_flow::sweep::DifferenceKind;
use instep_model::{ExtraPolicy, ItemType};

use crate::drain::drain_world;
use crate::lambda::Lambda;
use crate::net::{Net, Rates};
use crate::people::is_guest;
use crate::watch::STRANGER;

/// The time between the two reads of a difference.
const GRACE: Duration = Duration::from_secs(60);

/// Sweeps and repairs, and delivers the repairs. Returns the differences.
pub(super) async fn sweep(lambda: &Lambda) -> Option<Vec<FoundDifference>> {
    let net = &lambda.net;
    match Box::pin(driven(lambda)).await {
        Ok(found) => {
            net.note(|| format!("a sweep found {found:?}"));
            found.iter().for_each(|found| net.count(&format!("(drift: {})", found.kind.word())));
            drain_world(lambda, lambda.checkpoints.len()).await;
            Some(found)
        }
        Err(why) => {
            net.broken(format!("1: a sweep failed: {why}"));
            None
        }
    }
}

/// A sweep of the driver. Invocations of its units die, calls fail, and each unit may be done by two
/// invocations at once; sometimes two drivers share the sweep.
async fn driven(lambda: &Lambda) -> Result<Vec<FoundDifference>, String> {
    let net = &lambda.net;
    let is_disturbed = net.chance.of_thousand(700);
    if is_disturbed {
        net.set_rates(faults(net));
    }
    let sweep = lambda.new_sweep();
    let options =
        SweepOptions { grace: GRACE, repair: true, removals_max: u64::MAX, only: None, sweep: Some(sweep.clone()) };
    let has_two = net.chance.of_thousand(300);
    let swept = if has_two {
        net.count("SweptByTwo");
        let (one, other) = tokio::join!(lambda.drive(&sweep, options.ask()), lambda.drive(&sweep, options.ask()));
        one.and(other)
    } else {
        lambda.drive(&sweep, options.ask()).await
    };
    net.set_rates(Rates::default());
    swept?;
    // It has nothing left to do, and says what was found.
    lambda.sweep(&options).await.map(|swept| swept.differences)
}

/// What goes wrong during a sweep.
fn faults(net: &Net) -> Rates {
    let rate = |most: usize| net.chance.below(most + 1);
    Rates {
        throttle: rate(40),
        server: rate(30),
        timeout_before: rate(10),
        timeout_after: rate(20),
        reset: rate(20),
        crash_before: rate(20),
        crash_after: rate(20),
        unprocessed: rate(100),
        partial: rate(100),
        ..Rates::default()
    }
}

/// The levels of children that only sweeps find.
const LEVELS: usize = 5;

fn is_of_writers(found: &FoundDifference) -> bool {
    found.kind.is_of_writers()
}

/// Promise 1: a sweep of a correct world repairs nothing.
pub(super) async fn changed_nothing(lambda: &Lambda) -> Vec<String> {
    let Some(mut found) = Box::pin(sweep(lambda)).await else { return Vec::new() };
    // Somebody else's user may have a name that an item could have.
    let is_stranger = |found: &FoundDifference| {
        let name = found.about.split([' ', '@']).next().unwrap_or_default();
        let is_user = found.kind.word().ends_with("user");
        name == STRANGER && (is_user || found.about.contains(" in ")) || is_user && is_guest(name)
    };
    // A writer may name an owner long after its deletion: that guard is the sweep's to release.
    let is_late_guard = |found: &FoundDifference| {
        let mut types = lambda.net.model.items.iter().filter(|ty| is_of_no_claim(ty));
        found.kind == DifferenceKind::Guard && types.any(|ty| found.about.starts_with(&ty.name))
    };
    let drift = found.iter().filter(|found| !is_of_writers(found) && !is_stranger(found) && !is_late_guard(found));
    let mut wrong: Vec<String> = drift.map(|found| format!("1: a sweep of a correct world found {found:?}")).collect();
    wrong.extend(guards_of_the_deleted(&lambda.net));
    if lambda.net.model.orphans == ExtraPolicy::Remove {
        // What a sweep deletes may be the parent of items that only a sweep finds: the next one does.
        let deletes = |found: &FoundDifference| found.kind == DifferenceKind::Orphan && found.removes;
        for _ in 0..LEVELS {
            if orphans(&lambda.net).is_empty() || !found.iter().any(deletes) {
                break;
            }
            let Some(next) = Box::pin(sweep(lambda)).await else { return wrong };
            found = next;
        }
        wrong.extend(orphans(&lambda.net));
        wrong.extend(super::at_rest(&lambda.net).0);
    }
    wrong
}

fn is_of_no_claim(ty: &ItemType) -> bool {
    ty.guard.as_ref().is_some_and(|guard| guard.claims.is_empty())
}

/// Promise 7: a sweep has released the guards that name a deleted owner, whenever they were written.
fn guards_of_the_deleted(net: &Net) -> Vec<String> {
    let watch = net.watch();
    let left = watch.implied.guards_of_the_deleted();
    left.map(|(key, _)| format!("7: {} | {} names a deleted owner, and a sweep left it", key.pk, key.sk)).collect()
}

/// Promise 1: a sweep has deleted what was left of deleted parents, whenever it was written.
fn orphans(net: &Net) -> Vec<String> {
    let watch = net.watch();
    let left = watch.implied.rows().iter().filter(|(_, row)| watch.is_left(row));
    left.map(|(key, _)| format!("1: {} | {} is an orphan, and a sweep left it", key.pk, key.sk)).collect()
}

/// Promise 1: a sweep repairs what people change in the pool, and what is lost of the bookkeeping items.
/// What the model does not let it remove, it reports.
pub(super) async fn drifted(lambda: &Lambda) -> Vec<String> {
    let net = &lambda.net;
    if net.model.extra_members != ExtraPolicy::Remove {
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
    Box::pin(sweep(lambda)).await;
    let left = super::at_rest(net).0;
    left.into_iter().map(|what| format!("{what}, after a sweep of {done:?}")).collect()
}
