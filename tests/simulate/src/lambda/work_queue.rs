//! The pollers of the work queue.

use std::collections::BTreeMap;
use std::sync::PoisonError;
use std::time::Duration;

use instep_aws::{QueueMessage, WorkReport};

use super::{ATTEMPTS_CALM, Ended, Lambda};
use crate::net::pause;
use crate::watch::LATE_CASCADE;
use crate::{QUEUE, WORK, queue};

/// Attempts to drain the work queue in a world without faults. An attempt is a delivery or a second
/// of waiting.
pub(super) const WORK_ATTEMPTS: usize = 20_000;

/// The length of a message that a finding shows.
const WORK_SHOWN: usize = 120;

/// How many copies of messages of a kind a world keeps, and the kinds.
pub(super) const KEPT_OF_A_KIND: usize = 3;
const KINDS: [&str; 4] = ["reconcile", "dependents", "records", "extra"];

impl Lambda {
    /// Keeps copies of some messages, as a dead-letter queue or a person may.
    fn keep(&self, messages: &[queue::ReceivedMessages]) {
        let mut kept = self.kept.lock().unwrap_or_else(PoisonError::into_inner);
        for message in messages {
            let is_of = |kind: &&str| message.delivered.body.contains(&format!("\"work\":{{\"{kind}\":"));
            let Some(kind) = KINDS.into_iter().find(is_of) else { continue };
            let own = kept.entry(kind).or_default();
            if own.len() < KEPT_OF_A_KIND {
                own.push(message.delivered.clone());
            }
        }
    }

    /// Delivers the copies that were kept, and takes what is parked because it came too late off its queue: a person
    /// decides about that.
    pub async fn deliver_old(&self) {
        let kept = std::mem::take(&mut *self.kept.lock().unwrap_or_else(PoisonError::into_inner));
        for (kind, messages) in kept {
            self.net.count(&format!("OldMessages: {kind}"));
            self.until_worked(messages, self.timeout).await;
        }
        if queue::take_off(&self.net, QUEUE, &[LATE_CASCADE]) > 0 {
            self.net.count("ParkedAsTooLate");
        }
    }

    /// Delivers a batch of messages. Returns whether there were any.
    pub async fn work(&self, calm: bool) -> bool {
        let mut messages = queue::receive(&self.net, WORK);
        if messages.is_empty() {
            return false;
        }
        if !calm {
            // A standard queue keeps no order, and a receive may miss visible messages.
            messages = self.net.chance.shuffled(messages);
            if messages.len() > 1 && self.net.chance.of_thousand(300) {
                let left = messages.split_off(1 + self.net.chance.below(messages.len() - 1));
                queue::release(&self.net, WORK, &left);
            }
        }
        let delivered: Vec<QueueMessage> = messages.iter().map(|message| message.delivered.clone()).collect();
        match self.invoke_work(&delivered, self.budget(calm)).await {
            Ended::Crashed => self.net.count("WorkCrashed"),
            Ended::Reported(WorkReport { failed, .. }) => {
                if !failed.is_empty() {
                    self.net.count("WorkFailed");
                }
                let is_done = |message: &queue::ReceivedMessages| !failed.contains(&message.delivered.id);
                let (done, left): (Vec<_>, Vec<_>) = messages.into_iter().partition(is_done);
                if !calm && !self.is_quiet && self.net.chance.of_thousand(80) {
                    self.net.count("WorkDeliveredTwice");
                    let again: Vec<QueueMessage> = done.iter().map(|message| message.delivered.clone()).collect();
                    self.until_worked(again, self.budget(calm)).await;
                }
                self.keep(&done);
                queue::delete(&self.net, WORK, &done);
                // A failed message becomes visible after its timeout, sometimes sooner.
                if self.net.chance.of_thousand(500) {
                    queue::release(&self.net, WORK, &left);
                }
            }
        }
        true
    }

    /// Delivers all messages of the work queue, including delayed and hidden ones.
    pub async fn drain_work(&self) {
        for _ in 0..WORK_ATTEMPTS {
            if !self.net.log().broken.is_empty() || queue::is_empty(&self.net) {
                return;
            }
            if !self.work(true).await {
                tokio::time::sleep(Duration::from_secs(1)).await;
            }
        }
        let mut left: BTreeMap<String, usize> = BTreeMap::new();
        for message in self.net.services.messages(WORK) {
            let work = message.body.split_once("\"work\":").map_or("", |(_, work)| work);
            *left.entry(work.chars().take(WORK_SHOWN).collect()).or_default() += 1;
        }
        self.net.broken(format!("8: the work queue cannot be drained: {left:?}"));
    }

    /// Delivers messages again until runs over them succeed.
    async fn until_worked(&self, mut messages: Vec<QueueMessage>, budget: Duration) {
        for _ in 0..ATTEMPTS_CALM {
            messages.iter_mut().for_each(|message| message.receives += 1);
            match self.invoke_work(&messages, budget).await {
                Ended::Reported(report) if report.failed.is_empty() => return,
                Ended::Reported(_) | Ended::Crashed => pause(&self.net, 2_000).await,
            }
        }
    }
}
