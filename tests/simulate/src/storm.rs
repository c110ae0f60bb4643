//! Runs writers, pollers, replays and redrives at the same time, until the writers are done.

use std::sync::Arc;
use std::time::Duration;

use tokio::sync::watch::Receiver;
use tokio::task::JoinSet;

use crate::chance::Chance;
use crate::lambda::Lambda;
use crate::writers::{self, NextWrites};
use crate::{Options, net};

/// How long a replay that a writer asks for takes to begin.
const BEFORE_A_REPLAY: Duration = Duration::from_millis(100);

/// In how many milliseconds a deployment reaches all processes.
const DEPLOYED_MS: usize = 6_000;

/// How many children the parent of a wide world has: more than one page of a cascade.
const WIDE: std::ops::Range<usize> = 4_500..6_000;

/// Runs everything concurrently until the writers are done.
pub(crate) async fn storm(lambda: &Arc<Lambda>, shards: usize, options: Options) {
    let (net, is_crowded) = (&lambda.net, options.crowded);
    let mut writers = JoinSet::new();
    let writers_more = if lambda.is_quiet { 0 } else { net.chance.below(3) };
    for _ in 0..=writers_more {
        // The next scene may repair what one scene broke, so crowded worlds play few.
        let (least, more) = if is_crowded { (1, 3) } else { (3, 20) };
        let (net, times) = (Arc::clone(net), least + net.chance.below(more));
        writers.spawn_local(async move {
            if is_crowded {
                return writers::play_scenes(&net, times).await;
            }
            writers::write_every_day(&net, times).await;
            NextWrites::Continue
        });
    }
    if let Some(children) = children(&net.chance, options) {
        let net = Arc::clone(net);
        writers.spawn_local(async move {
            writers::write_wide_parent(&net, children).await;
            NextWrites::Continue
        });
    }
    let (stop, stopped) = tokio::sync::watch::channel(false);
    let mut others = deliveries(lambda, shards, is_crowded, &stopped);
    while let Some(ended) = writers.join_next().await {
        if matches!(ended, Ok(NextWrites::Stop)) {
            writers.abort_all();
        }
    }
    let _ = stop.send(true);
    while others.join_next().await.is_some() {}
}

/// How many children a writer gives one parent. `None` if no writer does so in this world.
fn children(chance: &Chance, options: Options) -> Option<usize> {
    if options.wide {
        return Some(WIDE.start + chance.below(WIDE.len()));
    }
    (!options.crowded && chance.of_thousand(40)).then(|| 30 + chance.below(150))
}

/// Starts the clocks.
fn clocks(lambda: &Arc<Lambda>, stopped: &Receiver<bool>, others: &mut JoinSet<()>) {
    // The schedule's minutes are short or long here, and some worlds have no clock until their end.
    if !lambda.net.chance.of_thousand(850) {
        return;
    }
    let interval_ms = 1_000 + lambda.net.chance.below(60_000);
    for _ in 0..1 + usize::from(lambda.net.chance.of_thousand(200)) {
        let (lambda, stopped) = (Arc::clone(lambda), stopped.clone());
        others.spawn_local(async move {
            while !*stopped.borrow() {
                net::pause(&lambda.net, interval_ms).await;
                lambda.tick(false).await;
            }
        });
    }
}

/// Starts the pollers of the shards and of the work queue, replays and redrives. They run until
/// they are stopped.
fn deliveries(lambda: &Arc<Lambda>, shards: usize, is_crowded: bool, stopped: &Receiver<bool>) -> JoinSet<()> {
    let mut others = JoinSet::new();
    for shard in 0..shards {
        let (lambda, stopped) = (Arc::clone(lambda), stopped.clone());
        others.spawn_local(async move {
            while !*stopped.borrow() {
                net::pause(&lambda.net, 400).await;
                lambda.deliver(shard, false).await;
            }
        });
    }
    for _ in 0..lambda.workers {
        let (lambda, stopped) = (Arc::clone(lambda), stopped.clone());
        others.spawn_local(async move {
            while !*stopped.borrow() {
                net::pause(&lambda.net, 300).await;
                lambda.work(false).await;
            }
        });
    }
    // Lambda replaces the processes one by one: for a while, some have the old model.
    for process in lambda.processes.iter().filter(|process| process.next.is_some()) {
        let (lambda, mut stopped, place) = (Arc::clone(lambda), stopped.clone(), process.id);
        others.spawn_local(async move {
            tokio::select! {
                // Without this, the random order of the runtime decides, and not the seed. So it would among those that
                // are stopped: they get the new model one after another, when the storm is over.
                biased;
                _ = stopped.changed() => return,
                () = net::pause(&lambda.net, DEPLOYED_MS) => {}
            }
            lambda.processes.iter().filter(|process| process.id == place).for_each(|process| lambda.deploy(process));
        });
    }
    clocks(lambda, stopped, &mut others);
    // A replay could repair what a scene broke.
    let again = if lambda.is_quiet { &[][..] } else { &[true, false] };
    for is_replay in again.iter().copied() {
        let (lambda, stopped) = (Arc::clone(lambda), stopped.clone());
        others.spawn_local(async move {
            while !*stopped.borrow() {
                net::pause(&lambda.net, 4_000).await;
                if is_replay {
                    lambda.replay().await;
                } else {
                    lambda.redrive().await;
                }
            }
        });
    }
    if is_crowded {
        let (lambda, stopped) = (Arc::clone(lambda), stopped.clone());
        others.spawn_local(async move {
            while !*stopped.borrow() {
                tokio::time::sleep(BEFORE_A_REPLAY).await;
                if let Some(record) = lambda.net.take_asked_replay() {
                    lambda.replay_one(&record).await;
                }
            }
        });
    }
    others
}
