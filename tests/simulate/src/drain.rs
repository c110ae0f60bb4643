//! Drains a world: delivers and redrives until no record and no message is left.

use std::time::Duration;

use instep_local::QueuedMessage;

use crate::lambda::Lambda;
use crate::watch::{LATE_CASCADE, NOT_CANONICAL, OTHER_SPELLING};
use crate::{BUCKET, GIVEN_UP, QUEUE, WORK, WORK_DEAD_LETTERS, queue};

/// Longer than the visibility timeout and the lag of indexes.
const HIDDEN: Duration = Duration::from_secs(1_000);

/// Rounds in which a world without writers and faults must be drained.
const ROUNDS: usize = 30;

/// Delivers until nothing but what is parked is left to do.
pub(crate) async fn settle(lambda: &Lambda, shards: usize) {
    for _ in 0..3 {
        for shard in 0..shards {
            lambda.drain(shard).await;
        }
        lambda.drain_work().await;
        tokio::time::sleep(HIDDEN).await;
        lambda.tick_all().await;
    }
}

/// Delivers and redrives until nothing is left to do.
pub(crate) async fn drain_world(lambda: &Lambda, shards: usize) {
    for round in 0.. {
        for shard in 0..shards {
            lambda.drain(shard).await;
        }
        lambda.drain_work().await;
        // By then the indexes have caught up, and messages of a redrive that crashed are visible
        // again.
        tokio::time::sleep(HIDDEN).await;
        let sent = lambda.tick_all().await;
        // Nothing but another model helps the records of items that the model does not describe. A person looks at what
        // may be left under a name that is not in lower case, and at children of a parent that was deleted hours ago.
        // They were redriven once.
        if round > 0 {
            let left_to_people = ["unknown-item", "forged-key", NOT_CANONICAL, OTHER_SPELLING, LATE_CASCADE];
            queue::take_off(&lambda.net, QUEUE, &left_to_people);
        }
        let waits = lambda.go_on().await;
        let tally = lambda.redrive().await;
        let is_delivered = (0..shards).all(|shard| lambda.is_through(shard));
        let services = &lambda.net.services;
        // A record that was parked without its secret key stays parked: only an operator can
        // resolve it.
        let is_masked = |message: &QueuedMessage| message.body.contains("***");
        // An object stays in the bucket for a month if the message that points to it was never
        // sent.
        let is_left = |(key, _): &(String, Vec<u8>)| !key.starts_with(GIVEN_UP);
        let is_redriven = services.messages(QUEUE).iter().all(is_masked)
            && services.objects(BUCKET).iter().all(is_left)
            && services.messages(WORK).is_empty()
            && services.messages(WORK_DEAD_LETTERS).is_empty();
        let is_through = is_delivered && is_redriven && tally.done == 0 && sent == 0 && !waits;
        if is_through || !lambda.net.log().broken.is_empty() {
            return;
        }
        if round == ROUNDS {
            let messages = lambda.net.services.messages(QUEUE);
            let left = messages.first().map_or_else(String::new, |message| message.body.clone());
            lambda
                .net
                .broken(format!("8: the world cannot be drained; {tally:?}; {} messages: {left}", messages.len()));
            return;
        }
    }
}
