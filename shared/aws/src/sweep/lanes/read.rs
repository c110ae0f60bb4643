//! The first reads: the groups, users and members of the pool, and the segments of the table.

use futures::stream::{self, StreamExt as _, TryStreamExt as _};
use instep_flow::sweep::{
    Candidate, Difference, GroupMark, Groups, Kept, Lane, Mode, Name, Names, Piece, Place, State, Wanted, members_in,
};
use instep_model::Item;

use super::super::table::{CHECKED, CONCURRENT_CHECKS};
use crate::attributes::{item_from_sdk, item_to_sdk};
use crate::call::Failure;
use crate::instep::{Instep, Run};
use crate::queue::Sending;
use crate::redrive::as_found;

/// How long a step reads the pool: a message of the table's own changes that arrives meanwhile waits no
/// longer than that.
const STEP_MS: u64 = 8_000;

/// The maximum number of calls to Cognito, each for a page, of a step.
const CALLS_MAX: u64 = 100;

/// The items of a page of the table.
const SEGMENT_ROWS: i32 = 2_000;

/// The items of a page that a backfill sends: their messages are handled before the next page is read,
/// because its message is behind them in the queue.
const BACKFILL_ROWS: i32 = 250;

/// How often a list is begun again because Cognito no longer knows the token of its next page.
const RESTARTS_MAX: u32 = 5;

/// The progress of a step through lists of the pool.
struct Listing {
    /// The list among those of the unit.
    list: usize,
    token: Option<String>,
    restarts: u32,
}

impl Listing {
    fn of(lane: &Lane) -> Self {
        match &lane.place {
            Some(Place::Page { group, token, restarts }) => {
                Self { list: *group, token: token.clone(), restarts: *restarts }
            }
            Some(Place::After(_) | Place::Share { .. } | Place::Chunk(_)) | None => {
                Self { list: 0, token: None, restarts: 0 }
            }
        }
    }

    fn place(self) -> Place {
        Place::Page { group: self.list, token: self.token, restarts: self.restarts }
    }

    /// Begins the list again, if the service no longer knows the token: it is valid for some time only.
    fn restart(&mut self, failure: &Failure) -> bool {
        let is_unknown = self.token.is_some() && failure.is("InvalidParameterException");
        self.restarts += u32::from(is_unknown);
        self.token = self.token.take().filter(|_| !is_unknown);
        is_unknown && self.restarts <= RESTARTS_MAX
    }
}

impl Instep {
    /// The calls to Cognito of a step: what the rate allows in its time. A step that is done again then
    /// does the same.
    pub(super) fn calls_of_a_step(&self) -> u64 {
        let interval_ms = self.settings.cognito_interval.map_or(0, |interval| interval.as_millis());
        let interval_ms = u64::try_from(interval_ms).unwrap_or(STEP_MS);
        STEP_MS.checked_div(interval_ms).unwrap_or(CALLS_MAX).clamp(1, CALLS_MAX)
    }

    pub(super) async fn list_groups(&self, state: &State, lane: &Lane, run: &Run) -> Result<Piece, String> {
        let Some(pool) = &self.settings.user_pool else { return Ok(Piece::default()) };
        let mut piece = Piece::default();
        if lane.place.is_none() {
            piece.spelling = Some(self.spelling(pool, run).await.map_err(|failure| failure.words("DescribeUserPool"))?);
        }
        let mut listing = Listing::of(lane);
        let mut groups = Groups::new();
        for _ in 0..self.calls_of_a_step() {
            let page = match self.groups_page(pool, listing.token.clone(), run).await {
                Ok(page) => page,
                Err(failure) if listing.restart(&failure) => continue,
                Err(failure) => return Err(failure.words("ListGroups")),
            };
            groups.extend(page.0);
            listing.token = page.1;
            if listing.token.is_none() {
                break;
            }
        }
        piece.place = listing.token.is_some().then(|| listing.place());
        piece.tally.groups = groups.len() as u64;
        let listed = groups.iter().filter(|(group, mark)| members_in(&self.model, group, **mark)).count();
        piece.listed = u32::try_from(listed).unwrap_or(u32::MAX);
        let kept: Vec<(&String, bool)> = groups.iter().map(|(group, mark)| (group, *mark == GroupMark::Own)).collect();
        self.keep_json(&state.id, &groups_name(lane.done), &kept, run).await?;
        let own: Vec<String> = kept.iter().filter(|(_, is_own)| *is_own).map(|(group, _)| (*group).clone()).collect();
        let mut found = Vec::new();
        for groups in own.chunks(CHECKED) {
            found.extend(self.check_pool(Vec::new(), groups.to_vec(), Vec::new(), run).await?);
        }
        self.keep_found(state, found_name(state, lane), candidates(&found), &mut piece, run).await?;
        Ok(piece)
    }

    pub(super) async fn list_users(&self, state: &State, lane: &Lane, run: &Run) -> Result<Piece, String> {
        let Some(pool) = &self.settings.user_pool else { return Ok(Piece::default()) };
        let spelling = &state.layout.spelling;
        let (mut piece, mut listing) = (Piece::default(), Listing::of(lane));
        let (mut names, mut found) = (Vec::new(), Vec::new());
        for _ in 0..self.calls_of_a_step() {
            let (users, more) = match self.users(pool, spelling, listing.token.clone(), run).await {
                Ok(page) => page,
                Err(failure) if listing.restart(&failure) => continue,
                Err(failure) => return Err(failure.words("ListUsers")),
            };
            piece.tally.users += users.len() as u64;
            names.extend(users.iter().map(|user| Name::user(&user.name, spelling.folds_case)));
            found.extend(candidates(&self.check_pool(users, Vec::new(), Vec::new(), run).await?));
            listing.token = more;
            if listing.token.is_none() {
                break;
            }
        }
        piece.place = listing.token.is_some().then(|| listing.place());
        self.keep_names(state, lane, &names, run).await?;
        self.keep_found(state, found_name(state, lane), found, &mut piece, run).await?;
        Ok(piece)
    }

    /// Lists the members of the groups whose place leaves `nth` when divided by `of`, 60 a call.
    pub(super) async fn list_members(
        &self,
        state: &State,
        lane: &Lane,
        (nth, of): (u32, u32),
        run: &Run,
    ) -> Result<Piece, String> {
        let Some(pool) = &self.settings.user_pool else { return Ok(Piece::default()) };
        let spelling = &state.layout.spelling;
        let is_own = |place: usize| u32::try_from(place).is_ok_and(|place| place % of.max(1) == nth);
        let groups = self.kept_groups(state, run).await?;
        let listed = groups.iter().filter(|(group, mark)| members_in(&self.model, group, **mark));
        let own: Vec<&String> =
            listed.enumerate().filter(|(place, _)| is_own(*place)).map(|(_, (group, _))| group).collect();
        let (mut piece, mut listing) = (Piece::default(), Listing::of(lane));
        let (mut names, mut found) = (Vec::new(), Vec::new());
        for _ in 0..self.calls_of_a_step() {
            let Some(group) = own.get(listing.list) else { break };
            let (members, more) = match self.members(pool, group, spelling, listing.token.clone(), run).await {
                Ok(page) => page,
                Err(failure) if listing.restart(&failure) => continue,
                Err(failure) => return Err(failure.words("ListUsersInGroup")),
            };
            piece.tally.members += members.len() as u64;
            names.extend(members.iter().map(|member| Name::member(member, spelling.folds_case)));
            found.extend(candidates(&self.check_pool(Vec::new(), Vec::new(), members, run).await?));
            listing.token = more;
            if listing.token.is_none() {
                (listing.list, listing.restarts) = (listing.list + 1, 0);
            }
        }
        piece.place = (listing.list < own.len()).then(|| listing.place());
        self.keep_names(state, lane, &names, run).await?;
        self.keep_found(state, found_name(state, lane), found, &mut piece, run).await?;
        Ok(piece)
    }

    /// Reads a page of a segment of the table.
    pub(super) async fn read_segment(
        &self,
        state: &State,
        lane: &Lane,
        segment: u32,
        run: &Run,
    ) -> Result<Piece, String> {
        let from = match &lane.place {
            Some(Place::After(key)) => Some(item_to_sdk(key)),
            Some(Place::Page { .. } | Place::Share { .. } | Place::Chunk(_)) | None => None,
        };
        let is_backfill = state.mode == Mode::Backfill;
        let rows = if is_backfill { BACKFILL_ROWS } else { SEGMENT_ROWS };
        let page = self.segment_page((segment, state.layout.segments), from, Some(rows), run).await;
        let page = page.map_err(|failure| failure.words("Scan"))?;
        let mut piece = Piece { place: page.next.map(|key| Place::After(item_from_sdk(key))), ..Piece::default() };
        piece.tally.items = page.items.len() as u64;
        piece.tally.read_units = page.capacity;
        if is_backfill {
            let records: Vec<_> = page.items.iter().filter_map(|item| as_found(&self.model, item)).collect();
            let sent = self.send_records(&records, Sending { publish: false, ..Sending::REPLAY }, run).await;
            let sent = sent.map_err(|unsent| unsent.to_string())?;
            piece.tally.sent = sent as u64;
            return Ok(piece);
        }
        let groups = if state.layout.has_pool { Some(self.kept_groups(state, run).await?) } else { None };
        let chunks: Vec<Vec<Item>> = page.items.chunks(CHECKED).map(<[Item]>::to_vec).collect();
        let checks = stream::iter(chunks).map(|items| self.check_apart(items, groups.as_ref(), run));
        let checked: Vec<(Vec<Difference>, Vec<Wanted>)> = checks.buffered(CONCURRENT_CHECKS).try_collect().await?;
        let mut found = Vec::new();
        let mut parts: Vec<Vec<Kept>> = (0..state.layout.parts).map(|_| Vec::new()).collect();
        for (differences, wanted) in checked {
            found.extend(candidates(&differences));
            for wanted in wanted {
                let kept = Kept::new(&wanted, state.layout.spelling.folds_case);
                let part = usize::try_from(kept.part(state.layout.parts)).unwrap_or_default();
                parts.get_mut(part).into_iter().for_each(|part| part.push(kept.clone()));
            }
        }
        if state.layout.has_pool {
            let parts: Result<Vec<Vec<u8>>, _> = parts.iter().map(serde_json::to_vec).collect();
            let parts = parts.map_err(|error| format!("what the table wants cannot be written: {error}"))?;
            self.keep_parts(&state.id, &wanted_name(lane.unit.unwrap_or_default(), lane.done), parts, run).await?;
        }
        self.keep_found(state, found_name(state, lane), found, &mut piece, run).await?;
        Ok(piece)
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

    async fn keep_names(&self, state: &State, lane: &Lane, names: &[Name], run: &Run) -> Result<(), String> {
        let part = |part: u32| {
            let own = names.iter().filter(|name| name.user.part(state.layout.parts) == part);
            Names::encode(own.copied())
        };
        let parts = (0..state.layout.parts).map(part).collect();
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

pub(super) fn candidates(found: &[Difference]) -> Vec<Candidate> {
    found.iter().map(Candidate::of).collect()
}
