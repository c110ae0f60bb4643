#![doc = include_str!("../README.md")]

pub mod cause;
pub mod chance;
mod change;
pub mod check;
pub mod deployment;
pub mod designs;
mod drain;
pub mod implied;
pub mod lambda;
pub mod net;
mod people;
mod process;
pub mod queue;
mod sign_in;
mod storm;
pub mod strange;
pub mod table;
mod unusual;
pub mod watch;
pub mod words;
mod world;
pub mod writers;

use std::collections::BTreeMap;
use std::time::Duration;

/// The table's name.
const TABLE: &str = "table";

/// The queue of parked records, and the bucket.
pub(crate) const QUEUE: &str = "https://sqs.us-east-1.amazonaws.com/000000000000/parked";
pub(crate) const BUCKET: &str = "bucket";

/// The work queue and its dead-letter queue.
pub(crate) const WORK: &str = "https://sqs.us-east-1.amazonaws.com/000000000000/work";
pub(crate) const WORK_DEAD_LETTERS: &str = "https://sqs.us-east-1.amazonaws.com/000000000000/work-dead";

/// The visibility timeout of the work queue.
pub(crate) const WORK_HIDDEN: Duration = Duration::from_secs(40);

/// The prefix of the objects with which Lambda reports batches that it has given up.
pub(crate) const GIVEN_UP: &str = "aws/lambda/";

/// The outcome of a run.
#[derive(Debug)]
pub struct WorldOutcome {
    /// Each broken promise. Empty if all were kept.
    pub broken: Vec<String>,
    /// Faults that happened, by kind.
    pub faults: BTreeMap<String, u64>,
    /// Calls, by operation.
    pub calls: BTreeMap<String, u64>,
    /// Checks, by promise.
    pub checks: BTreeMap<u8, u64>,
    /// The words of the model, and whether each had an effect.
    pub words: words::UsedWords,
    /// The table's model.
    pub model: String,
    /// Everything that happened, line by line, if `Options::traced` is set.
    pub trace: Vec<String>,
    /// The items of the table at the end.
    pub table: String,
}

impl WorldOutcome {
    /// The outcome of a world whose model is refused.
    pub(crate) fn refused() -> Self {
        Self {
            broken: Vec::new(),
            faults: BTreeMap::new(),
            calls: BTreeMap::new(),
            checks: BTreeMap::new(),
            words: words::UsedWords::new(),
            model: "refused".to_owned(),
            trace: Vec::new(),
            table: String::new(),
        }
    }
}

/// How a world is run.
#[derive(Debug, Clone, Copy, Default)]
pub struct Options {
    /// The run records a trace.
    pub traced: bool,
    /// Requests to Cognito may take effect after their timeout. Only a sweep can repair the result, and
    /// has to.
    pub late: bool,
    /// Most writes are about the same few objects at the same moment, so that races are likely.
    pub crowded: bool,
    /// A writer gives one parent more children than one invocation can handle.
    pub wide: bool,
    /// The model is a random one with some of its words changed. It is refused, or does what it says.
    /// Nothing else goes wrong.
    pub strange: bool,
    /// Another model is deployed in the middle of the traffic. In the end, the world is as if it had been the model from the
    /// start.
    pub changing: bool,
}

/// Runs the world of a seed.
///
/// # Errors
/// The model of the world does not load, or a stand-in refuses its setup.
pub fn run(seed: u64, options: Options) -> Result<WorldOutcome, String> {
    // The random names of transactions and of a sweep's steps: everything runs in this thread.
    fastrand::seed(seed);
    let runtime = tokio::runtime::Builder::new_current_thread().enable_time().start_paused(true).build();
    runtime
        .map_err(|error| error.to_string())?
        .block_on(tokio::task::LocalSet::new().run_until(world::live(seed, options)))
}
