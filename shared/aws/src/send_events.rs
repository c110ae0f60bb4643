//! Events that no run publishes, such as those of a snapshot.

use instep_flow::entries::EntryId;
use instep_flow::report::{EventEntry, EventReport};

use crate::instep::Instep;
use crate::publish::ToPublish;
use crate::run_options::RunOptions;
use crate::send::Outgoing;

impl Instep {
    /// Puts events on the bus that each names.
    ///
    /// # Errors
    /// Some were not put. It says why, of the first.
    pub async fn put_events(&self, entries: Vec<EventEntry>, run: &RunOptions) -> Result<(), String> {
        let all = entries.len();
        let to_publish = |(place, entry)| {
            let record = EntryId(place);
            // They have no order.
            ToPublish { item: place as u64, event: EventReport { record, entry } }
        };
        let due = entries.into_iter().enumerate().map(to_publish).collect();
        let unpublished = self.bus.publish(due, run, &mut Vec::new()).await;
        let left = unpublished.len();
        unpublished.first().map_or(Ok(()), |event| Err(format!("{left} of {all} events were not put: {}", event.why)))
    }

    /// Sends texts to a queue.
    ///
    /// # Errors
    /// Some were not sent. It says why, of the first.
    pub async fn send_texts(&self, queue_url: &str, texts: impl Iterator<Item = String>) -> Result<(), String> {
        let messages: Vec<Outgoing> = texts.map(|text| Outgoing::new(&text)).collect();
        let all = messages.len();
        let unsent = self.queue.send(queue_url, messages, None).await;
        let left = unsent.len();
        let why = |why: &crate::call::CallFailure| why.words("SendMessageBatch");
        unsent
            .first()
            .map_or(Ok(()), |(_, failure)| Err(format!("{left} of {all} messages were not sent: {}", why(failure))))
    }
}
