//! The loop: delivers the stream and the work queue one batch after another, lets time pass, and replays files.

use std::sync::Arc;
use std::time::Duration;

use instep_aws::Sending;
use instep_aws::clock::SETTLED;
use instep_flow::work::Origin;
use instep_local::{Pump, QueuePump, Stack};
use jiff::Timestamp;
use miette::IntoDiagnostic as _;
use tokio::time::Instant;

use super::deliver::Deliverer;
use super::load::Loader;
use super::model_switch::ModelSwitch;
use super::shared_state::{Hub, UserCommand};
use super::trace_node::{NodeOutcome, TraceNode};

/// The wait before a failed delivery is repeated: the first and the longest.
const RETRY_FIRST: Duration = Duration::from_millis(500);
const RETRY_MAX: Duration = Duration::from_secs(8);

/// How often the loop looks without being woken: for hidden messages, for what becomes due, and for expired items.
const LOOK: Duration = Duration::from_millis(500);

/// How often items past their time to live are deleted.
const EXPIRE: Duration = Duration::from_secs(60);

/// Delivers until it is told to stop.
pub(super) struct Conductor<'a, 'b> {
    pub(super) hub: Arc<Hub>,
    pub(super) stack: &'a Stack,
    pub(super) deliverer: Deliverer<'a, 'b>,
    /// Delivers batches, and one record at a time.
    pub(super) pumps: (Pump, Pump),
    pub(super) queues: (QueuePump, QueuePump),
    pub(super) loader: Loader<'a>,
    pub(super) switch: ModelSwitch,
    pub(super) retry: StreamRetry,
    pub(super) passing: Option<Timestamp>,
    pub(super) expired: Instant,
    pub(super) remarks: usize,
}

/// When the stream is delivered again.
#[derive(Debug, Default)]
pub(super) struct StreamRetry {
    failures: u32,
    at: Option<Instant>,
}

impl StreamRetry {
    fn failed(&mut self) {
        let wait = RETRY_FIRST.saturating_mul(2_u32.saturating_pow(self.failures)).min(RETRY_MAX);
        self.failures += 1;
        self.at = Some(Instant::now() + wait);
    }

    fn is_waiting(&self) -> bool {
        self.at.is_some_and(|at| at > Instant::now())
    }
}

impl Conductor<'_, '_> {
    /// Delivers until it is told to stop.
    pub(super) async fn run(&mut self) -> miette::Result<()> {
        let run = self.deliverer.run();
        self.deliverer.reported.learn_moments(&run).await?;
        let mut stop = self.hub.stop.subscribe();
        while !*stop.borrow() {
            self.hub.clock.now();
            self.say()?;
            self.follow_model().await?;
            if self.turn().await? {
                // Other tasks of this thread, such as the port, have their turn.
                tokio::task::yield_now().await;
                continue;
            }
            let wait = self.retry.at.map_or(LOOK, |at| at.saturating_duration_since(Instant::now()).min(LOOK));
            tokio::select! {
                () = self.hub.wake.notified() => {}
                () = tokio::time::sleep(wait) => {}
                _ = stop.changed() => {}
            }
        }
        Ok(())
    }

    /// Runs another model from now on, if its file has changed. No delivery runs meanwhile. What was to be delivered
    /// again is, by the other model.
    async fn follow_model(&mut self) -> miette::Result<()> {
        let Some(news) = self.hub.model_news() else { return Ok(()) };
        let switched = self.switch.follow(&self.hub, self.stack, news).await;
        if let Some(instep) = switched.instep {
            self.deliverer.reported.instep = instep;
            // A person has probably changed the model because of what failed.
            self.retry = StreamRetry::default();
        }
        self.deliverer.reported.reporter.remark(&switched.text)?;
        self.deliverer.reported.reporter.flush()
    }

    /// Does one thing. `false` if there is nothing to do now.
    async fn turn(&mut self) -> miette::Result<bool> {
        let hub = Arc::clone(&self.hub);
        let _held = hub.delivering.lock().await;
        if self.hub.may_deliver() && (self.deliver().await? || self.work().await?) {
            self.hub.set_idle(false);
            return Ok(true);
        }
        if self.hub.may_deliver() && self.is_idle() {
            self.hub.origins().drained();
            if self.tick_next().await? || self.load_next().await? || self.next_ask().await || self.expire()? {
                return Ok(true);
            }
        }
        self.hub.set_idle(self.is_idle() && !self.hub.may_have_records());
        Ok(false)
    }

    fn is_idle(&self) -> bool {
        let counts = self.stack.queue_counts(self.stack.work_queue());
        self.retry.at.is_none() && counts.visible + counts.not_visible + counts.delayed == 0
    }

    /// Delivers the next batch of the stream.
    async fn deliver(&mut self) -> miette::Result<bool> {
        if self.retry.is_waiting() {
            return Ok(false);
        }
        let pump = if self.hub.is_paused() { &mut self.pumps.1 } else { &mut self.pumps.0 };
        let had_more = self.hub.may_have_records();
        self.hub.asked_stream();
        let step = pump.step(&mut self.deliverer).await.into_diagnostic()?;
        self.failed()?;
        if step.is_some() && had_more {
            self.hub.more_records();
        }
        let Some(step) = step else {
            self.retry = StreamRetry::default();
            return Ok(false);
        };
        self.hub.used_step();
        if step.failed.is_some() {
            self.retry.failed()
        } else {
            self.retry = StreamRetry::default()
        }
        self.hub.set_retry(self.retry.at);
        Ok(true)
    }

    /// Delivers the next messages of the work queue.
    async fn work(&mut self) -> miette::Result<bool> {
        let queue = if self.hub.is_paused() { &mut self.queues.1 } else { &mut self.queues.0 };
        let step = queue.step(&mut self.deliverer).await.into_diagnostic()?;
        self.failed()?;
        if step.is_some() {
            self.hub.used_step();
        }
        Ok(step.is_some())
    }

    fn failed(&mut self) -> miette::Result<()> {
        self.deliverer.reported.failed()
    }

    /// Sends the next moment that has come to the work queue. If time passes, it comes at its own time.
    async fn tick_next(&mut self) -> miette::Result<bool> {
        let now = self.hub.clock.now();
        let until = self.passing.unwrap_or(now).max(now);
        let next = self.deliverer.reported.moments.first().copied();
        let due =
            next.and_then(|moment| Some((moment, moment.checked_add(SETTLED).ok()?))).filter(|(_, at)| *at <= until);
        let Some((moment, at)) = due else {
            let Some(until) = self.passing.take() else { return Ok(false) };
            if until > now {
                self.hub.clock.jump(until);
            }
            self.stack.sweep_ttl().into_diagnostic()?;
            self.hub.touch_all();
            self.hub.changed(|versions| versions.state += 1);
            return Ok(true);
        };
        if at > now {
            self.hub.clock.jump(at);
        }
        let delivery = self.deliverer.begin();
        let node = TraceNode {
            delivery,
            kind: "clock",
            origin: "clock",
            at: self.hub.clock.now().to_string(),
            label: format!("the clock: what became due at {moment}"),
            ..TraceNode::default()
        };
        let node = self.hub.traces().add(node, None);
        let tick = self.deliverer.reported.instep.tick(&self.deliverer.run()).await;
        self.hub.traces().done(&self.hub.model(), node, &NodeOutcome::default());
        match tick {
            Ok(_) => {
                self.deliverer.reported.moments.remove(&moment);
            }
            // The next look tries again: the moment stays in the table.
            Err(why) => {
                self.hub.remark(format!("the clock cannot send what is due: {why}"));
                self.retry.failed();
            }
        }
        Ok(true)
    }

    async fn load_next(&mut self) -> miette::Result<bool> {
        let did = self.loader.next(&self.hub).await?;
        if did {
            self.hub.used_step();
        }
        Ok(did)
    }

    async fn next_ask(&mut self) -> bool {
        match self.hub.next_ask() {
            None => return false,
            Some(UserCommand::PassTime(until)) => self.passing = Some(until),
            Some(UserCommand::SendAgain(node)) => self.send_again(node).await,
            Some(UserCommand::Load { name, text }) => {
                if let Err(error) = self.loader.add(&self.hub, name, &text) {
                    self.hub.remark(format!("{error}"));
                }
            }
        }
        true
    }

    /// Sends a parked record to the work queue, as `instep redrive parked` does.
    async fn send_again(&mut self, node: u64) {
        let Some(record) = self.hub.records().get(node).map(ToOwned::to_owned) else {
            return self.hub.remark("this record is not kept any more: write its item again".to_owned());
        };
        self.deliverer.begin();
        let sending = Sending { origin: Origin::Failed, ..Sending::REPLAY };
        let sent = self.deliverer.reported.instep.send_records(&[record], sending, &self.deliverer.run()).await;
        if let Err(why) = sent {
            self.hub.remark(format!("the record cannot be sent again: {why}"));
        }
    }

    /// Deletes what is past its time to live.
    fn expire(&mut self) -> miette::Result<bool> {
        if self.expired.elapsed() < EXPIRE {
            return Ok(false);
        }
        self.expired = Instant::now();
        let removed = self.stack.sweep_ttl().into_diagnostic()?;
        if removed > 0 {
            self.hub.touch_all();
        }
        Ok(removed > 0)
    }

    /// Prints the new remarks.
    fn say(&mut self) -> miette::Result<()> {
        for remark in self.hub.remarks(self.remarks) {
            self.remarks += 1;
            self.deliverer.reported.reporter.remark(&remark)?;
            self.deliverer.reported.reporter.flush()?;
            self.hub.changed(|versions| versions.state += 1);
        }
        Ok(())
    }
}
