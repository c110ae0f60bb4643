//! The common small batches: how many calls each makes, and how many of them one after another. That
//! is the latency that people feel.

use std::sync::Arc;
use std::time::Duration;

use instep_model::Model;

use crate::flow::Flow;
use crate::mix;
use crate::standin::StandInServices;

/// How long each answer takes. The clock stands still while nothing waits, so only this counts.
const ANSWER: Duration = Duration::from_millis(10);

/// What a small batch costs.
#[derive(Debug)]
pub struct Small {
    /// The batch.
    pub name: &'static str,
    /// Its calls by operation, with how many there are if they are several.
    pub calls: Vec<String>,
    /// The calls that are made one after another.
    pub depth: u64,
}

/// Runs the small batches. The clock of the runtime has to be paused.
///
/// # Errors
/// A record was not handled.
pub async fn small(model: &Arc<Model>) -> Result<Vec<Small>, String> {
    let mut all = Vec::new();
    for (name, records) in mix::small() {
        let flow = Flow::new(model, StandInServices::new(mix::table(&records)), ANSWER);
        let raw: Vec<_> = records.iter().filter_map(|record| serde_json::value::to_raw_value(record).ok()).collect();
        let cost = flow.batch(&raw).await?;
        let depth = cost.wall.as_millis().div_ceil(ANSWER.as_millis());
        let calls =
            cost.calls.into_iter().map(|(name, (count, _))| if count == 1 { name } else { format!("{count} {name}") });
        all.push(Small { name, calls: calls.collect(), depth: u64::try_from(depth).unwrap_or(u64::MAX) });
    }
    Ok(all)
}
