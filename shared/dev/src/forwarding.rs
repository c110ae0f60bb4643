//! `--forward`: each event goes to a server on this machine, one after another, and can be sent again.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex, PoisonError};

use instep_console::forward::ForwardTarget;
use instep_local::{PublishedEntry, Stack};
use serde_json::Value;
use tokio::sync::mpsc::{UnboundedReceiver, UnboundedSender, unbounded_channel};

use super::shared_state::{EVENTS_MAX, Hub};

/// What is sent to the server, and what was.
#[derive(Debug, Clone)]
pub(super) struct Forwarding {
    pub(super) url: String,
    queue: UnboundedSender<Value>,
    /// The events that the page shows, as they were sent.
    sent: Arc<Mutex<VecDeque<Value>>>,
}

impl Forwarding {
    /// Sends each event of the stack to a server from now on.
    pub(super) fn start(target: ForwardTarget, stack: &Stack, hub: &Arc<Hub>) -> Self {
        let (queue, events) = unbounded_channel();
        let forwarding = Self { url: target.url(), queue, sent: Arc::default() };
        let published = forwarding.clone();
        stack.watch_events(Box::new(move |entry: &PublishedEntry| published.event(entry.delivered())));
        tokio::spawn(deliver(target, events, Arc::clone(hub)));
        forwarding
    }

    fn event(&self, event: Value) {
        let mut sent = self.sent.lock().unwrap_or_else(PoisonError::into_inner);
        if sent.len() == EVENTS_MAX {
            sent.pop_front();
        }
        sent.push_back(event.clone());
        // The receiver ends with the process.
        let _ = self.queue.send(event);
    }

    /// Sends the event with this `metadata.id` again. `false` if it is not remembered.
    pub(super) fn again(&self, id: &str) -> bool {
        let sent = self.sent.lock().unwrap_or_else(PoisonError::into_inner);
        let is_it = |event: &&Value| event.pointer("/detail/metadata/id").and_then(Value::as_str) == Some(id);
        sent.iter().rev().find(is_it).is_some_and(|event| self.queue.send(event.clone()).is_ok())
    }
}

async fn deliver(target: ForwardTarget, mut events: UnboundedReceiver<Value>, hub: Arc<Hub>) {
    while let Some(event) = events.recv().await {
        if let Err(why) = target.send(&event).await {
            let id = event.pointer("/detail/metadata/id").and_then(Value::as_str).unwrap_or_default();
            hub.remark(format!("the event {id} was not forwarded: {why}"));
        }
    }
}
