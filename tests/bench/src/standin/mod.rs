//! The services that the flow calls, as far as it needs them: a table that answers with the truth and
//! checks conditions, a user pool that accepts everything and keeps who is in which group, a bus, and a
//! queue. Calls are counted.

mod table;

use std::collections::{BTreeMap, BTreeSet};

use serde_json::{Value, json};

use crate::memberships::UserInGroup;
use table::StandInTable;

/// The stand-in of all services.
#[derive(Debug, Default)]
pub struct StandInServices {
    table: StandInTable,
    /// Calls, and the keys, entries or rows of each, by operation.
    pub calls: BTreeMap<String, (u64, u64)>,
    /// Who is in which group of the user pool.
    pub members: BTreeSet<UserInGroup>,
}

/// An answer: its status and its body.
pub type StandInAnswer = (u16, Value);

/// The content type of the answers.
pub const CONTENT_TYPE: &str = "application/x-amz-json-1.1";

impl StandInServices {
    /// Services with these items in the table.
    #[must_use]
    pub fn new(items: Vec<Value>) -> Self {
        Self { table: StandInTable::new(items), ..Self::default() }
    }

    /// The same services, whose table no write changes.
    #[must_use]
    pub fn frozen(mut self) -> Self {
        self.table.is_frozen = true;
        self
    }

    /// Answers a call. `target` is the header `x-amz-target`.
    pub fn answer(&mut self, target: &str, body: &[u8]) -> StandInAnswer {
        let operation = target.rsplit('.').next().unwrap_or(target);
        let body: Value = serde_json::from_slice(body).unwrap_or_default();
        let (answer, entries) = self.call(operation, &body);
        let count = self.calls.entry(operation.to_owned()).or_default();
        *count = (count.0 + 1, count.1 + entries);
        match answer {
            Ok(body) => (200, body),
            Err(refusal) => (400, refusal),
        }
    }

    fn call(&mut self, operation: &str, body: &Value) -> (Result<Value, Value>, u64) {
        match operation {
            "PutEvents" => {
                let count = body.get("Entries").and_then(Value::as_array).map_or(0, Vec::len);
                let entries = vec![json!({"EventId": "11710aed-b79e-4468-a20b-bb3c0c3b4860"}); count];
                (Ok(json!({"FailedEntryCount": 0, "Entries": entries})), count as u64)
            }
            "SendMessageBatch" => {
                let entries = body.get("Entries").and_then(Value::as_array).cloned().unwrap_or_default();
                let text =
                    |entry: &Value, name: &str| entry.get(name).and_then(Value::as_str).unwrap_or_default().to_owned();
                let sent = |entry: &Value| {
                    let hash = "d41d8cd98f00b204e9800998ecf8427e";
                    json!({"Id": text(entry, "Id"), "MessageId": text(entry, "Id"), "MD5OfMessageBody": hash})
                };
                let sent: Vec<Value> = entries.iter().map(sent).collect();
                (Ok(json!({"Successful": sent, "Failed": []})), entries.len() as u64)
            }
            "DescribeUserPool" => {
                let pool = body.get("UserPoolId");
                let names = json!({"CaseSensitive": true});
                (Ok(json!({"UserPool": {"Id": pool, "UsernameConfiguration": names, "SchemaAttributes": []}})), 1)
            }
            "DescribeEventBus" => {
                (Ok(json!({"Name": "bus", "Arn": "arn:aws:events:eu-west-1:123456789012:event-bus/bus"})), 1)
            }
            "AdminGetUser" => {
                let name = body.get("Username");
                (Ok(json!({"Username": name, "Enabled": true, "UserStatus": "CONFIRMED", "UserAttributes": []})), 1)
            }
            "AdminAddUserToGroup" | "AdminRemoveUserFromGroup" => {
                let text = |name: &str| body.get(name).and_then(Value::as_str).unwrap_or_default().to_owned();
                let member = (text("Username"), text("GroupName"));
                let _ = match operation {
                    "AdminAddUserToGroup" => self.members.insert(member),
                    _ => self.members.remove(&member),
                };
                (Ok(json!({})), 1)
            }
            _ => self.table.call(operation, body),
        }
    }
}
