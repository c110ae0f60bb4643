//! The requests of SQS.

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

use crate::wire::ErrorResponse;

/// A request. Requests that change a queue are written to the journal.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(super) enum SqsRequest {
    SendMessageBatch(BatchRequest<Send>),
    ReceiveMessage(Receive),
    DeleteMessageBatch(BatchRequest<Receipt>),
    ChangeMessageVisibilityBatch(BatchRequest<Receipt>),
    GetQueueAttributes(GetAttributes),
    GetQueueUrl(GetUrl),
}

#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(rename_all = "PascalCase")]
pub(super) struct BatchRequest<T> {
    pub(super) queue_url: String,
    pub(super) entries: Vec<T>,
}

#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(rename_all = "PascalCase")]
pub(super) struct Send {
    pub(super) id: String,
    pub(super) message_body: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) delay_seconds: Option<i64>,
}

#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(rename_all = "PascalCase")]
pub(super) struct Receipt {
    pub(super) id: String,
    pub(super) receipt_handle: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) visibility_timeout: Option<i64>,
}

#[derive(Debug, Clone, Default, Serialize, Deserialize)]
#[serde(rename_all = "PascalCase")]
pub(super) struct Receive {
    pub(super) queue_url: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) max_number_of_messages: Option<usize>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) visibility_timeout: Option<i64>,
    /// The older name of [`Receive::message_system_attribute_names`], which SQS still accepts.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(super) attribute_names: Vec<String>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(super) message_system_attribute_names: Vec<String>,
}

#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(rename_all = "PascalCase")]
pub(super) struct GetAttributes {
    pub(super) queue_url: String,
    #[serde(default)]
    pub(super) attribute_names: Vec<String>,
}

#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(rename_all = "PascalCase")]
pub(super) struct GetUrl {
    pub(super) queue_name: String,
}

impl SqsRequest {
    /// Parses the body of a call.
    pub(super) fn read(operation: &str, body: &[u8]) -> Result<Self, ErrorResponse> {
        Ok(match operation {
            "SendMessageBatch" => Self::SendMessageBatch(parse(body)?),
            "ReceiveMessage" => Self::ReceiveMessage(parse(body)?),
            "DeleteMessageBatch" => Self::DeleteMessageBatch(parse(body)?),
            "ChangeMessageVisibilityBatch" => Self::ChangeMessageVisibilityBatch(parse(body)?),
            "GetQueueAttributes" => Self::GetQueueAttributes(parse(body)?),
            "GetQueueUrl" => Self::GetQueueUrl(parse(body)?),
            _ => return Err(ErrorResponse::unknown_operation(&format!("AmazonSQS.{operation}"))),
        })
    }
}

/// Whether the caller requests the attribute `name`.
pub(super) fn asks_for(names: &[String], name: &str) -> bool {
    names.iter().any(|asked| asked == "All" || asked == name)
}

fn parse<T: DeserializeOwned>(body: &[u8]) -> Result<T, ErrorResponse> {
    serde_json::from_slice(body).map_err(|error| ErrorResponse::unreadable(&error))
}
