//! What a lane keeps of the differences that it has found.

use instep_flow::sweep::plan::{KEPT_MAX, REPORTED_MAX};
use instep_flow::sweep::{Candidate, Piece, State};

use crate::instep::{Instep, Run};

/// The objects of a sweep after which one with nothing to repair is only counted: half of those that a state
/// has room for.
const REPORTED_OBJECTS_MAX: usize = 250;

impl Instep {
    /// Keeps differences, and says so in the outcome of the step.
    pub(super) async fn keep_found(
        &self,
        state: &State,
        name: String,
        found: Vec<Candidate>,
        piece: &mut Piece,
        run: &Run,
    ) -> Result<(), String> {
        let all = found.len();
        piece.tally.found = all as u64;
        let (mut reported, mut found): (Vec<_>, Vec<_>) = found.into_iter().partition(|candidate| candidate.reported);
        found.truncate(KEPT_MAX);
        // The state has room for only so many objects, and the rest of it is for what is repaired.
        let has_enough = found.is_empty() && state.found.len() >= REPORTED_OBJECTS_MAX;
        let dropped = reported.split_off(if has_enough { 0 } else { reported.len().min(REPORTED_MAX) });
        let of_writers = dropped.iter().filter(|candidate| candidate.kind.is_of_writers());
        piece.tally.more_of_writers = of_writers.count() as u64;
        found.append(&mut reported);
        piece.tally.more = (all - found.len()) as u64;
        if found.is_empty() {
            return Ok(());
        }
        self.keep_json(&state.id, &name, &found, run).await?;
        piece.found = Some(name);
        Ok(())
    }
}
