//! The first reads of a lane: see [`super::super::read`].

use instep_flow::sweep::{GroupMark, Groups, Lane, Mode, Names, Piece, State};

use super::super::read::{Reading, Segment, share_of};
use super::super::store::by_part;
use crate::instep::{Instep, Run};

/// How long a step reads the pool: a message of the table's own changes that arrives meanwhile waits no
/// longer than that.
const STEP_MS: u64 = 8_000;

/// The maximum number of calls to Cognito, each for a page, of a step.
const CALLS_MAX: u64 = 100;

impl Instep {
    pub(super) fn calls_of_a_step(&self) -> u64 {
        self.calls_in(STEP_MS, CALLS_MAX)
    }

    pub(super) async fn list_groups(&self, state: &State, lane: &Lane, run: &Run) -> Result<Piece, String> {
        let Some(pool) = &self.settings.user_pool else { return Ok(Piece::default()) };
        let mut piece = Piece::default();
        if lane.place.is_none() {
            piece.spelling = Some(self.spelling(pool, run).await.map_err(|failure| failure.words("DescribeUserPool"))?);
        }
        let reading = self.read_groups(pool, lane.place.as_ref(), self.calls_of_a_step(), run).await?;
        piece.listed = u32::try_from(self.listed_groups(&reading.groups).len()).unwrap_or(u32::MAX);
        let kept = reading.groups.iter().map(|(group, mark)| (group, *mark == GroupMark::Own));
        let kept: Vec<(&String, bool)> = kept.collect();
        self.keep_json(&state.id, &groups_name(lane.done), &kept, run).await?;
        self.keep_reading(state, lane, reading, piece, run).await
    }

    pub(super) async fn list_users(&self, state: &State, lane: &Lane, run: &Run) -> Result<Piece, String> {
        let Some(pool) = &self.settings.user_pool else { return Ok(Piece::default()) };
        let calls = self.calls_of_a_step();
        let reading = self.read_users(pool, &state.layout.spelling, lane.place.as_ref(), calls, run).await?;
        self.keep_names(state, lane, &reading, run).await?;
        self.keep_reading(state, lane, reading, Piece::default(), run).await
    }

    /// Lists the members of the groups whose place leaves `nth` when divided by `of`.
    pub(super) async fn list_members(
        &self,
        state: &State,
        lane: &Lane,
        (nth, of): (u32, u32),
        run: &Run,
    ) -> Result<Piece, String> {
        let Some(pool) = &self.settings.user_pool else { return Ok(Piece::default()) };
        let own = share_of(self.listed_groups(&self.kept_groups(state, run).await?), nth, of);
        let (calls, spelling) = (self.calls_of_a_step(), &state.layout.spelling);
        let reading = self.read_members((pool, &own), spelling, lane.place.as_ref(), calls, run).await?;
        self.keep_names(state, lane, &reading, run).await?;
        self.keep_reading(state, lane, reading, Piece::default(), run).await
    }

    /// Reads a page of a segment of the table.
    pub(super) async fn read_segment(
        &self,
        state: &State,
        lane: &Lane,
        segment: u32,
        run: &Run,
    ) -> Result<Piece, String> {
        let segment = Segment { nth: segment, of: state.layout.segments, from: lane.place.as_ref() };
        if state.mode == Mode::Backfill {
            let Reading { place, tally, .. } = self.backfill_items(segment, run, &|_| {}).await?;
            return Ok(Piece { place, tally, ..Piece::default() });
        }
        let groups = if state.layout.has_pool { Some(self.kept_groups(state, run).await?) } else { None };
        let mut reading = self.read_items(segment, groups.as_ref(), &state.layout.spelling, run).await?;
        if state.layout.has_pool {
            let parts = by_part(std::mem::take(&mut reading.wanted), state.layout.parts)?;
            self.keep_parts(&state.id, &wanted_name(lane.unit.unwrap_or_default(), lane.done), parts, run).await?;
        }
        self.keep_reading(state, lane, reading, Piece::default(), run).await
    }

    /// The groups of the pool, as the sweep has listed them.
    pub(super) async fn kept_groups(&self, state: &State, run: &Run) -> Result<Groups, String> {
        let mut groups = Groups::new();
        for nth in 0..state.layout.group_objects {
            let kept: Vec<(String, bool)> = self.kept_json(&state.id, &groups_name(nth), run).await?;
            let mark = |is_own| if is_own { GroupMark::Own } else { GroupMark::Unmarked };
            groups.extend(kept.into_iter().map(|(group, is_own)| (group, mark(is_own))));
        }
        Ok(groups)
    }

    async fn keep_reading(
        &self,
        state: &State,
        lane: &Lane,
        reading: Reading,
        mut piece: Piece,
        run: &Run,
    ) -> Result<Piece, String> {
        (piece.place, piece.tally) = (reading.place, reading.tally);
        self.keep_found(state, found_name(state, lane), reading.found, &mut piece, run).await?;
        Ok(piece)
    }

    async fn keep_names(&self, state: &State, lane: &Lane, reading: &Reading, run: &Run) -> Result<(), String> {
        let parts = Names::encode_parts(&reading.names, state.layout.parts);
        self.keep_parts(&state.id, &names_name(lane.unit.unwrap_or_default(), lane.done), parts, run).await
    }
}

/// The name of the object with the groups of a step.
fn groups_name(nth: u32) -> String {
    format!("groups-{nth}")
}

/// The name of the objects with the names of the pool that a step of a unit has read.
pub(super) fn names_name(unit: u32, step: u32) -> String {
    format!("names-{unit}-{step}")
}

/// The name of the objects with what the items want that a step of a unit has read.
pub(super) fn wanted_name(unit: u32, step: u32) -> String {
    format!("wanted-{unit}-{step}")
}

/// The name of the object with what a step has found.
pub(super) fn found_name(state: &State, lane: &Lane) -> String {
    format!("found-{}-{}-{}", state.phase.word(), lane.unit.unwrap_or_default(), lane.done)
}
