//! A poller of the work queue.

use std::time::Duration;

use instep_aws::{Delivered, WorkReport};

use super::{ATTEMPTS_CALM, Ended, Lambda};
use crate::net::pause;
use crate::queue;

/// Deliveries of the work queue, and seconds of waiting for it, that a world without faults may take.
const WORK_ATTEMPTS: usize = 20_000;

impl Lambda {
    /// Delivers some messages of the work queue. Whether there were any.
    pub async fn work(&self, calm: bool) -> bool {
        let mut messages = queue::receive(&self.net);
        if messages.is_empty() {
            return false;
        }
        if !calm {
            // A standard queue keeps no order, and a poller need not get all that is visible.
            messages = self.net.chance.shuffled(messages);
            if messages.len() > 1 && self.net.chance.of_thousand(300) {
                let left = messages.split_off(1 + self.net.chance.below(messages.len() - 1));
                queue::release(&self.net, &left);
            }
        }
        let delivered: Vec<Delivered> = messages.iter().map(|message| message.delivered.clone()).collect();
        match self.invoke_work(&delivered, self.budget(calm)).await {
            Ended::Crashed => self.net.count("WorkCrashed"),
            Ended::Reported(WorkReport { failed, .. }) => {
                if !failed.is_empty() {
                    self.net.count("WorkFailed");
                }
                let is_done = |message: &queue::Received| !failed.contains(&message.delivered.id);
                let (done, left): (Vec<_>, Vec<_>) = messages.into_iter().partition(is_done);
                if !calm && !self.is_quiet && self.net.chance.of_thousand(80) {
                    self.net.count("WorkDeliveredTwice");
                    let again: Vec<Delivered> = done.iter().map(|message| message.delivered.clone()).collect();
                    self.until_worked(again, self.budget(calm)).await;
                }
                queue::delete(&self.net, &done);
                // What failed becomes visible when its timeout is over; now and then sooner.
                if self.net.chance.of_thousand(500) {
                    queue::release(&self.net, &left);
                }
            }
        }
        true
    }

    /// Delivers all of the work queue, also what is delayed or hidden.
    pub async fn drain_work(&self) {
        for _ in 0..WORK_ATTEMPTS {
            if !self.net.log().broken.is_empty() || queue::is_empty(&self.net) {
                return;
            }
            if !self.work(true).await {
                tokio::time::sleep(Duration::from_secs(1)).await;
            }
        }
        self.net.broken("8: the work queue comes to no end".to_owned());
    }

    /// Delivers messages again until runs over them end well.
    async fn until_worked(&self, mut messages: Vec<Delivered>, budget: Duration) {
        for _ in 0..ATTEMPTS_CALM {
            messages.iter_mut().for_each(|message| message.receives += 1);
            match self.invoke_work(&messages, budget).await {
                Ended::Reported(report) if report.failed.is_empty() => return,
                Ended::Reported(_) | Ended::Crashed => pause(&self.net, 2_000).await,
            }
        }
    }
}
