//! What follows the first reads: comparing, reading differences once more, and sending repairs.

use std::collections::{BTreeMap, BTreeSet};

use futures::stream::{self, StreamExt as _, TryStreamExt as _};
use instep_flow::sweep::plan::{KEPT_MAX, REPORTED_MAX};
use instep_flow::sweep::{Candidate, Lane, Mode, Piece, Place, State};

use super::super::confirm::{Confirmed, tally_of};
use super::super::repairs::lost_references;
use super::super::store::{CONCURRENT_OBJECTS, part_name};
use super::FoundDifference;
use super::read::{found_name, names_name, wanted_name};
use crate::instep::{Instep, Run};

/// The maximum number of shares of a part.
const SHARES_MAX: u64 = 1 << 20;

/// The maximum number of differences in a chunk.
const CHUNK_MAX: u64 = 25;

/// The calls to Cognito that reading a difference once more needs: its user, the groups of the user, and
/// the group.
const CALLS: u64 = 3;

impl Instep {
    /// Compares a share of the names of a part with what the table wants of it.
    pub(super) async fn compare_part(&self, state: &State, lane: &Lane, part: u32, run: &Run) -> Result<Piece, String> {
        let share = match &lane.place {
            Some(Place::Share { of, nth }) => (*of, *nth),
            Some(Place::After(_) | Place::Page { .. } | Place::Chunk(_)) | None => (1, 0),
        };
        let parts = state.layout.parts;
        let place = usize::try_from(part).unwrap_or_default();
        let first_segment = state.place_of_segment(0);
        let objects = |from: u32, to: u32, name: fn(u32, u32) -> String| {
            let steps =
                (from..to).map(|unit| (unit, usize::try_from(unit).ok().and_then(|unit| state.steps.get(unit))));
            let names = steps.flat_map(move |(unit, steps)| {
                (0..steps.copied().unwrap_or_default()).map(move |step| name(unit, step))
            });
            names.map(|name| part_name(&name, place)).collect::<Vec<String>>()
        };
        let (of_pool, of_table) = (
            objects(0, first_segment, names_name),
            objects(first_segment, first_segment + state.layout.segments, wanted_name),
        );
        let Some((found, more)) = self.lacking(&state.id, (&of_pool, &of_table), parts, share, run).await? else {
            // Too many for the memory of a process: the part is divided further, and begun again.
            if share.0 >= SHARES_MAX {
                return Err(format!("a share of {SHARES_MAX} does not fit the memory of a process"));
            }
            let place = Place::Share { of: share.0 * 2, nth: 0 };
            return Ok(Piece { place: Some(place), ..Piece::default() });
        };
        let (of, nth) = share;
        let place = (nth + 1 < of).then(|| Place::Share { of, nth: nth + 1 });
        let mut piece = Piece { place, ..Piece::default() };
        self.keep_found(state, found_name(state, lane), found, &mut piece, run).await?;
        piece.tally.found += more;
        piece.tally.more += more;
        Ok(piece)
    }

    /// Puts together what all steps have found, each difference once.
    pub(super) async fn gather_found(&self, state: &State, run: &Run) -> Result<Piece, String> {
        let mut all: BTreeSet<Candidate> = BTreeSet::new();
        let (mut piece, mut kept, mut reported) = (Piece::default(), 0, BTreeMap::new());
        for name in &state.found {
            let found: Vec<Candidate> = self.kept_json(&state.id, name, run).await?;
            for candidate in found {
                let is_known = |known: &Candidate| known.kind == candidate.kind && known.about == candidate.about;
                if all.range(Candidate { keys: BTreeSet::new(), ..candidate.clone() }..).next().is_some_and(is_known) {
                    continue;
                }
                let (count, most) = if candidate.reported {
                    (reported.entry(candidate.kind).or_insert(0), REPORTED_MAX)
                } else {
                    (&mut kept, KEPT_MAX)
                };
                *count += 1;
                if *count <= most {
                    all.insert(candidate);
                } else {
                    piece.tally.more += 1;
                    piece.tally.more_of_writers += u64::from(candidate.kind.is_of_writers());
                }
            }
        }
        let all: Vec<Candidate> = all.into_iter().collect();
        // A chunk is one step.
        let size = usize::try_from((self.calls_of_a_step() / CALLS).clamp(1, CHUNK_MAX)).unwrap_or(1);
        let chunks = all
            .chunks(size)
            .enumerate()
            .map(|(nth, chunk)| async move { self.keep_json(&state.id, &chunk_name(nth), &chunk, run).await });
        stream::iter(chunks).buffer_unordered(CONCURRENT_OBJECTS).try_collect::<()>().await?;
        piece.chunks = u32::try_from(all.len().div_ceil(size)).unwrap_or(u32::MAX);
        Ok(piece)
    }

    /// Reads a chunk of differences once more.
    pub(super) async fn confirm_chunk(&self, state: &State, chunk: u32, run: &Run) -> Result<Piece, String> {
        let nth = usize::try_from(chunk).unwrap_or_default();
        let found: Vec<Candidate> = self.kept_json(&state.id, &chunk_name(nth), run).await?;
        let confirmed = self.confirmed(&found, run).await?;
        if state.mode == Mode::Repair {
            self.write_lost_references(&lost_references(&confirmed), run).await?;
        }
        let mut piece = Piece::default();
        piece.tally = tally_of(found.len(), &confirmed);
        let kept = Confirmed::of(&confirmed);
        self.keep_json(&state.id, &confirmed_name(nth), &kept, run).await?;
        Ok(piece)
    }

    /// Sends the repairs of one chunk.
    pub(super) async fn send_repairs(&self, state: &State, lane: &Lane, run: &Run) -> Result<Piece, String> {
        let chunk = match &lane.place {
            Some(Place::Chunk(chunk)) => *chunk,
            Some(Place::After(_) | Place::Page { .. } | Place::Share { .. }) | None => 0,
        };
        let nth = usize::try_from(chunk).unwrap_or_default();
        let Confirmed { repairs, .. } = self.kept_json(&state.id, &confirmed_name(nth), run).await?;
        let mut piece = Piece::default();
        piece.tally.sent = self.repair(&repairs, run).await? as u64;
        piece.place = (chunk + 1 < state.layout.chunks).then_some(Place::Chunk(chunk + 1));
        Ok(piece)
    }

    /// The differences that both reads of a sweep showed.
    ///
    /// # Errors
    /// The bucket cannot be read.
    pub async fn differences_of(&self, state: &State, run: &Run) -> Result<Vec<FoundDifference>, String> {
        let mut all = Vec::new();
        for nth in 0..usize::try_from(state.layout.chunks).unwrap_or_default() {
            let Confirmed { differences, .. } = self.kept_json(&state.id, &confirmed_name(nth), run).await?;
            all.extend(differences);
        }
        Ok(all)
    }
}

fn chunk_name(nth: usize) -> String {
    format!("chunk-{nth}")
}

fn confirmed_name(nth: usize) -> String {
    format!("confirmed-{nth}")
}
