//! The resources that Instep reconciles.

use std::time::Duration;

use instep_flow::table_id::TableId;

/// Where parked records and messages are sent.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Parking {
    /// The SQS queue's URL.
    pub queue_url: String,
    /// The S3 bucket for records and work messages that do not fit a queue.
    pub bucket: String,
}

/// The resources that Instep reconciles.
#[derive(Debug, Clone)]
pub struct Settings {
    /// The table's name.
    pub table: String,
    /// The table that records must come from, by its name or its ARN. `None` accepts records of any table. It
    /// differs from [`Settings::table`] if captures of one table are replayed against another.
    pub records_of: Option<String>,
    /// The table's ARN, if it is known: which account and region [`Settings::table`] is in.
    pub table_arn: Option<String>,
    /// The Cognito user pool's id. Without it, Instep makes no calls to Cognito.
    pub user_pool: Option<String>,
    /// The event bus's name.
    pub bus: String,
    /// The URL of the work queue.
    pub work_queue: String,
    /// Time between two calls of this process to Cognito. `None` does not limit them.
    pub cognito_interval: Option<Duration>,
    /// The most users that are deleted in an hour. The deletion of any other waits for a person.
    pub deletions_per_hour: u32,
    /// The time after which an index has caught up with the table. What depends on an index is then
    /// read again.
    pub index_lag: Duration,
    /// Where parked records are sent. `None` only reports them.
    pub parking: Option<Parking>,
}

impl Settings {
    /// Whether this name or ARN is that of the deployment's own table. A name is, if it is equal. An ARN is, if it is
    /// known to be the same: a table of this name may be in another account or region.
    pub(crate) fn is_own(&self, table: &str) -> bool {
        let own = self.table_arn.as_deref().and_then(TableId::parse);
        match TableId::parse(table) {
            Some(table) if table.is_arn() => own.is_some_and(|own| own == table),
            Some(table) => table.name() == self.table,
            None => false,
        }
    }
}
