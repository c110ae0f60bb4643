//! Another model is deployed in the middle of the traffic: records and work messages of the model before it are under
//! way, and the change that a deployment starts runs while writers write.

mod models;

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use instep_flow::filter::Filter;
use instep_flow::model_history::{ChangeWait, ModelHistory, WaitsFor};

use crate::drain::settle;
use crate::lambda::{Lambda, Process};
use crate::net::{Net, Rates, pause};
use crate::process::instep;
use crate::storm::storm;
use crate::watch::Watch;
use crate::{Options, check, writers};

pub(crate) use models::{LaterModel, drawn};

/// In how many milliseconds the deployment is over: then all functions have the model, and the change begins.
const OVER_MS: usize = 12_000;

/// Rounds in which a change is complete, with all approvals.
const ROUNDS: usize = 60;

/// What a change may remove until a person approves: all that a world has, or nearly nothing.
const REMOVALS: [u64; 3] = [1_000, 1_000, 1];

/// The seconds between the two reads of a difference.
const GRACE_SECONDS: [u32; 2] = [2, 60];

/// The model of the world is noted, as the first deployment does it.
pub(crate) async fn note_first(lambda: &Lambda) -> Result<(), String> {
    lambda.note_model().await
}

/// The world under another model, which is deployed, and whose change is complete.
pub(crate) async fn deploy(lambda: Arc<Lambda>, later: &LaterModel, options: Options) -> Result<Arc<Lambda>, String> {
    const IN_USE: &str = "the world before the deployment is still in use";
    let Lambda { net, processes, filter, batch, checkpoints, is_quiet, workers, timeout, kept, slow } =
        Arc::into_inner(lambda).ok_or(IN_USE)?;
    let count = processes.len();
    drop(processes);
    let rates = net.rates();
    let net = Arc::new(Arc::into_inner(net).ok_or(IN_USE)?.under(&later.new));
    let seed = net.chance.seed;
    let process = |id| Process::new(id, instep(&later.old, &net, id, seed), Some(instep(&later.new, &net, id, seed)));
    let lambda = Arc::new(Lambda {
        processes: (0..count).map(process).collect(),
        filter: filter.map(|_| Filter::of(&later.new)),
        batch,
        checkpoints,
        is_quiet,
        workers,
        timeout,
        kept,
        slow,
        net,
    });
    lambda.net.note(|| format!("{} is deployed:\n{}", later.what, later.text));
    lambda.net.count(&format!("(changed: {})", later.what));
    lambda.net.set_rates(rates);
    let (is_over, hash) = (AtomicBool::new(false), later.new.text_hash());
    let traffic = async {
        storm(&lambda, lambda.checkpoints.len(), options).await;
        is_over.store(true, Ordering::Relaxed);
    };
    let (changed, ()) = tokio::join!(change(&lambda, &hash, &is_over), traffic);
    lambda.net.set_rates(Rates::default());
    if let Err(why) = changed {
        lambda.net.broken(why);
    }
    Ok(lambda)
}

/// The deployment ends, and its change runs until it is complete.
async fn change(lambda: &Lambda, hash: &str, is_over: &AtomicBool) -> Result<(), String> {
    let net = &lambda.net;
    pause(net, OVER_MS).await;
    lambda.processes.iter().for_each(|process| lambda.deploy(process));
    lambda.note_model().await?;
    let removals = net.chance.pick(&REMOVALS).copied().unwrap_or_default();
    let grace = net.chance.pick(&GRACE_SECONDS).copied().unwrap_or_default();
    let mut is_clean = false;
    for _ in 0..ROUNDS {
        let Some(history) = lambda.change_round(removals, grace).await? else {
            return Err("1: the table has lost its models".to_owned());
        };
        net.note(|| format!("a round of the change has ended: {history:?}"));
        match history {
            history if history.is_complete() => return Ok(()),
            ModelHistory { waits: Some(ChangeWait { what, .. }), .. } => {
                net.count(&format!("(a change waits: {})", what.word()));
                // Traffic makes differences as long as it lasts, and so do items that ask for something impossible.
                if what == WaitsFor::Repairs && is_over.load(Ordering::Relaxed) {
                    if is_clean {
                        return Err("8: the change finds differences again and again".to_owned());
                    }
                    writers::delete_garbage(net);
                    is_clean = true;
                }
                lambda.approve(hash).await?;
            }
            ModelHistory { .. } => {}
        }
        if is_over.load(Ordering::Relaxed) {
            let rates = net.rates();
            net.set_rates(Rates::default());
            settle(lambda, lambda.checkpoints.len()).await;
            // A person lets users be deleted whose deletion waits.
            lambda.go_on().await;
            lambda.redrive().await;
            net.set_rates(rates);
        } else {
            pause(net, OVER_MS).await;
        }
        if !net.log().broken.is_empty() {
            return Ok(());
        }
    }
    Err("8: the change does not end".to_owned())
}

/// Checks the world once it is drained.
pub(crate) async fn judge(lambda: &Lambda, later: &LaterModel) {
    let net = &lambda.net;
    if net.log().broken.is_empty() {
        let former = former(net, later);
        check::changed(lambda, &former).await;
    }
}

/// A watch over the whole history of the table under the model before.
fn former(net: &Net, later: &LaterModel) -> Watch {
    let mut former = Watch::new(&later.old);
    let history = net.table().history().to_vec();
    former.follow(history, &net.watch());
    former
}
