//! Messages of a queue: received, and deleted when all their content is sent.

use aws_sdk_sqs::types::{
    ChangeMessageVisibilityBatchRequestEntry, DeleteMessageBatchRequestEntry, MessageSystemAttributeName,
};
use tokio::time::Instant;

use crate::call::{CallFailure, call};
use crate::instep::Instep;

/// The maximum messages of one receive. Source: Amazon SQS API Reference, ReceiveMessage.
pub(super) const MESSAGES_MAX: usize = 10;

/// How long a receive waits for messages. Without a wait it queries only some of the queue's
/// servers. Source: Amazon SQS Developer Guide, "Amazon SQS short and long polling".
const WAIT_SECONDS: i32 = 2;

/// How long a received message is hidden from others, and from this run. It is long enough to
/// handle the ten messages of a receive.
const HIDDEN_SECONDS: i32 = 900;

/// A received message.
#[derive(Debug, Clone)]
pub(super) struct ReceivedMessage {
    pub(super) id: String,
    pub(super) receipt: String,
    pub(super) body: String,
    /// When it was sent, in epoch milliseconds.
    pub(super) sent_at_ms: Option<i64>,
}

impl ReceivedMessage {
    /// The message without its body.
    pub(super) fn bare(self) -> Self {
        Self { body: String::new(), ..self }
    }
}

impl Instep {
    pub(super) async fn receive(
        &self,
        queue_url: &str,
        deadline: Option<Instant>,
    ) -> Result<Vec<ReceivedMessage>, CallFailure> {
        let receive = || {
            let request = self.clients.sqs().receive_message().queue_url(queue_url);
            request
                .max_number_of_messages(i32::try_from(MESSAGES_MAX).unwrap_or(1))
                .wait_time_seconds(WAIT_SECONDS)
                .visibility_timeout(HIDDEN_SECONDS)
                .message_system_attribute_names(MessageSystemAttributeName::SentTimestamp)
                .send()
        };
        let answer = call(deadline, receive).await?;
        let messages = answer.messages.unwrap_or_default().into_iter();
        let message = |message: aws_sdk_sqs::types::Message| {
            let attributes = message.attributes.unwrap_or_default();
            let sent_at_ms = attributes.get(&MessageSystemAttributeName::SentTimestamp).and_then(|at| at.parse().ok());
            Some(ReceivedMessage {
                id: message.message_id?,
                receipt: message.receipt_handle?,
                body: message.body?,
                sent_at_ms,
            })
        };
        Ok(messages.filter_map(message).collect())
    }

    /// Deletes messages. If that fails, a message is delivered again; handling it again changes
    /// nothing.
    pub(super) async fn delete_messages(
        &self,
        queue_url: &str,
        messages: &[ReceivedMessage],
        deadline: Option<Instant>,
    ) -> Result<(), CallFailure> {
        let entry = |(place, message): (usize, &ReceivedMessage)| {
            let entry = DeleteMessageBatchRequestEntry::builder().id(place.to_string());
            entry.receipt_handle(&message.receipt).build().ok()
        };
        for batch in messages.chunks(MESSAGES_MAX) {
            let entries: Vec<_> = batch.iter().enumerate().filter_map(entry).collect();
            let delete = || {
                let request = self.clients.sqs().delete_message_batch().queue_url(queue_url);
                request.set_entries(Some(entries.clone())).send()
            };
            let answer = call(deadline, delete).await?;
            if let Some(failed) = answer.failed().first() {
                return Err(CallFailure::Transient(format!("{} for a message", failed.code())));
            }
        }
        Ok(())
    }

    /// Makes messages visible to the next receive.
    pub(super) async fn release_messages(
        &self,
        queue_url: &str,
        messages: &[ReceivedMessage],
        deadline: Option<Instant>,
    ) -> Result<(), CallFailure> {
        let entry = |(place, message): (usize, &ReceivedMessage)| {
            let entry = ChangeMessageVisibilityBatchRequestEntry::builder().id(place.to_string());
            entry.receipt_handle(&message.receipt).visibility_timeout(0).build().ok()
        };
        for batch in messages.chunks(MESSAGES_MAX) {
            let entries: Vec<_> = batch.iter().enumerate().filter_map(entry).collect();
            let release = || {
                let request = self.clients.sqs().change_message_visibility_batch().queue_url(queue_url);
                request.set_entries(Some(entries.clone())).send()
            };
            // A message that is not released becomes visible after its timeout.
            call(deadline, release).await?;
        }
        Ok(())
    }
}
