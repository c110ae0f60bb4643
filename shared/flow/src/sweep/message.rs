//! The work messages of a sweep that the work function does.

use serde::{Deserialize, Serialize};

/// The seconds between the two reads of a difference, if a message does not say them.
const GRACE_SECONDS: u32 = 60;

/// What a message of the work queue says to a sweep.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum SweepWork {
    /// Start, unless a sweep is under way.
    Start(Start),
    /// Do one step.
    Step(Step),
}

/// What a sweep does with what it finds.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Mode {
    /// It only reports.
    Report,
    /// It sends repairs.
    Repair,
    /// It compares nothing, and sends every item of the table as a backfill does.
    Backfill,
}

impl Mode {
    /// The mode in messages and reports.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Self::Report => "report",
            Self::Repair => "repair",
            Self::Backfill => "backfill",
        }
    }
}

/// How a sweep starts. A schedule sends this message, or a person.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Start {
    /// What it does with what it finds.
    pub mode: Mode,
    /// The maximum of what it removes from Cognito.
    #[serde(default)]
    pub max_removals: u64,
    /// The number of workers that share it.
    #[serde(default = "one")]
    pub workers: u32,
    /// The seconds between the two reads of a difference.
    #[serde(default = "grace")]
    pub grace_seconds: u32,
}

/// The next step of a lane. A lane has at most one such message that counts.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Step {
    /// The sweep.
    pub sweep: String,
    /// The lane.
    pub lane: usize,
    /// The lane's step. A message of an earlier one is void.
    pub step: u64,
}

const fn one() -> u32 {
    1
}

const fn grace() -> u32 {
    GRACE_SECONDS
}

impl SweepWork {
    /// What the message asks for.
    #[must_use]
    pub fn summary(&self) -> String {
        match self {
            Self::Start(Start { mode: Mode::Backfill, .. }) => "start a backfill".to_owned(),
            Self::Start(Start { mode, .. }) => format!("start a sweep ({})", mode.word()),
            Self::Step(Step { lane, step, .. }) => format!("step {step} of lane {lane} of a sweep"),
        }
    }
}
