//! The promises under faults. The shipped flow runs with the real SDK clients in a world of our making: a table with shards and indexes
//! that lag, Cognito, EventBridge, queues, writers, an event source mapping, crashes. One thread, a clock of its own, and one seed
//! for everything: the same seed gives the same run.

pub mod chance;
pub mod check;
pub mod designs;
pub mod implied;
pub mod lambda;
pub mod net;
pub mod queue;
mod rest;
mod storm;
pub mod table;
pub mod watch;
mod world;
pub mod writers;

use std::collections::BTreeMap;
use std::time::Duration;

/// The table's name.
const TABLE: &str = "table";

/// The queue of parked records, and the bucket.
pub(crate) const QUEUE: &str = "https://sqs.us-east-1.amazonaws.com/000000000000/parked";
pub(crate) const BUCKET: &str = "bucket";

/// The work queue, and where messages go that were received too often.
pub(crate) const WORK: &str = "https://sqs.us-east-1.amazonaws.com/000000000000/work";
pub(crate) const WORK_DEAD_LETTERS: &str = "https://sqs.us-east-1.amazonaws.com/000000000000/work-dead";

/// How long a work message is hidden when it was received.
pub(crate) const WORK_HIDDEN: Duration = Duration::from_secs(40);

/// Where Lambda puts what it gives up.
pub(crate) const GIVEN_UP: &str = "aws/lambda/";

/// What came of a run.
#[derive(Debug)]
pub struct Outcome {
    /// Promises that were broken; empty: none.
    pub broken: Vec<String>,
    /// Faults that happened, by kind.
    pub faults: BTreeMap<String, u64>,
    /// Calls, by operation.
    pub calls: BTreeMap<String, u64>,
    /// Checks, by promise.
    pub checks: BTreeMap<u8, u64>,
    /// The table's model.
    pub model: String,
    /// What happened, line by line, where it was asked for.
    pub trace: Vec<String>,
    /// What was in the table at the end.
    pub table: String,
}

/// How a world is run.
#[derive(Debug, Clone, Copy, Default)]
pub struct Options {
    /// Everything that happens is noted.
    pub traced: bool,
    /// Requests to Cognito may land after their timeout. Nothing but a sweep can mend what that breaks.
    pub late: bool,
    /// Most of what happens is about the same few, at the same moment: races show sooner.
    pub crowded: bool,
    /// Somebody writes a parent with more children than one invocation brings in step or takes along.
    pub wide: bool,
}

/// Runs the world of a seed.
///
/// # Errors
/// The world cannot be made.
pub fn run(seed: u64, options: Options) -> Result<Outcome, String> {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_time().start_paused(true).build();
    runtime
        .map_err(|error| error.to_string())?
        .block_on(tokio::task::LocalSet::new().run_until(world::live(seed, options)))
}
