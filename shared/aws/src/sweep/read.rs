//! The first reads: the groups, users and members of the pool, and the segments of the table. Each reads a
//! bounded amount from a cursor, and says where the next one continues.

use futures::stream::{self, StreamExt as _, TryStreamExt as _};
use instep_flow::account::SUB;
use instep_flow::sweep::units::{Spelling, UnitCursor};
use instep_flow::sweep::{
    Candidate, Difference, GroupMark, Groups, KeptWant, NameHash, SweepTally, Wanted, members_in,
};
use instep_model::{Item, UserValue};

use super::SweepListener;
use super::table::{CHECKED, CONCURRENT_CHECKS};
use crate::attributes::{item_from_sdk, item_to_sdk};
use crate::call::CallFailure;
use crate::instep::Instep;
use crate::run_options::RunOptions;
use crate::scan::as_found;

/// The items of a page of the table.
pub(super) const SEGMENT_ROWS: i32 = 2_000;

/// The items of a page that a backfill sends.
const BACKFILL_ROWS: i32 = 250;

/// How often a list is begun again because Cognito no longer knows the token of its next page.
const RESTARTS_MAX: u32 = 5;

/// What was read.
#[derive(Debug, Default)]
pub(super) struct Reading {
    /// Where the next read continues. `None` if there is nothing left.
    pub(super) cursor: Option<UnitCursor>,
    pub(super) tally: SweepTally,
    pub(super) groups: Groups,
    /// The users and memberships of the pool.
    pub(super) names: Vec<NameHash>,
    /// What the items want of the pool.
    pub(super) wanted: Vec<KeptWant>,
    pub(super) found: Vec<Candidate>,
}

/// A segment of the table, and where to read it.
pub(super) struct Segment<'a> {
    pub(super) nth: u32,
    pub(super) of: u32,
    pub(super) from: Option<&'a UnitCursor>,
}

/// The progress through lists of the pool.
struct Listing {
    /// The list among those of the unit.
    list: usize,
    token: Option<String>,
    restarts: u32,
}

impl Listing {
    fn of(cursor: Option<&UnitCursor>) -> Self {
        match cursor {
            Some(UnitCursor::Page { list, token, restarts }) => {
                Self { list: *list, token: token.clone(), restarts: *restarts }
            }
            Some(UnitCursor::After(_)) | None => Self { list: 0, token: None, restarts: 0 },
        }
    }

    fn cursor(self) -> UnitCursor {
        UnitCursor::Page { list: self.list, token: self.token, restarts: self.restarts }
    }

    /// Takes the answer to the call for the next page. `None`: the list begins again.
    fn take<T>(
        &mut self,
        operation: &str,
        answer: Result<(T, Option<String>), CallFailure>,
    ) -> Result<Option<T>, String> {
        match answer {
            Ok((page, more)) => {
                self.token = more;
                Ok(Some(page))
            }
            Err(failure) if self.restart(&failure) => Ok(None),
            Err(failure) => Err(failure.words(operation)),
        }
    }

    /// Begins the list again, if the service no longer knows the token: it is valid for some time only.
    fn restart(&mut self, failure: &CallFailure) -> bool {
        let is_unknown = self.token.is_some() && failure.is("InvalidParameterException");
        self.restarts += u32::from(is_unknown);
        self.token = self.token.take().filter(|_| !is_unknown);
        is_unknown && self.restarts <= RESTARTS_MAX
    }
}

impl Instep {
    /// The calls to Cognito that the rate allows in this time. A step that is done again then does the same.
    pub(super) fn calls_in(&self, time_ms: u64, most: u64) -> u64 {
        let interval_ms = self.settings.cognito_interval.map_or(0, |interval| interval.as_millis());
        let interval_ms = u64::try_from(interval_ms).unwrap_or(time_ms);
        time_ms.checked_div(interval_ms).unwrap_or(most).clamp(1, most)
    }

    /// Lists groups, with at most so many calls.
    pub(super) async fn read_groups(
        &self,
        pool: &str,
        cursor: Option<&UnitCursor>,
        calls: u64,
        run: &RunOptions,
    ) -> Result<Reading, String> {
        let (mut reading, mut listing, mut own) = (Reading::default(), Listing::of(cursor), Vec::new());
        for _ in 0..calls {
            let page = self.cognito.groups_page(pool, listing.token.clone(), run).await;
            let Some(groups) = listing.take("ListGroups", page)? else { continue };
            reading.groups.extend(groups.iter().map(|group| (group.name.clone(), group.listed())));
            own.extend(groups.into_iter().filter(|group| group.mark == GroupMark::Own));
            if listing.token.is_none() {
                break;
            }
        }
        reading.cursor = listing.token.is_some().then(|| listing.cursor());
        reading.tally.groups = reading.groups.len() as u64;
        for groups in own.chunks(CHECKED) {
            let found = self.check_pool(Vec::new(), groups.to_vec(), Vec::new(), run).await?;
            reading.found.extend(candidates(&found));
        }
        Ok(reading)
    }

    /// The groups whose members a sweep lists.
    pub(super) fn listed_groups(&self, groups: &Groups) -> Vec<String> {
        let is_former = |group: &str, mark| {
            self.former.iter().any(|former| members_in(&former.model, group, mark) || former.model.is_group_name(group))
        };
        let listed = groups
            .iter()
            .filter(|(group, listed)| members_in(&self.model, group, listed.mark) || is_former(group, listed.mark));
        listed.map(|(group, _)| group.clone()).collect()
    }

    /// Lists users, with at most so many calls.
    pub(super) async fn read_users(
        &self,
        pool: &str,
        spelling: &Spelling,
        cursor: Option<&UnitCursor>,
        calls: u64,
        run: &RunOptions,
    ) -> Result<Reading, String> {
        let (mut reading, mut listing) = (Reading::default(), Listing::of(cursor));
        for _ in 0..calls {
            let page = self.cognito.users(pool, spelling, listing.token.clone(), run).await;
            let Some(users) = listing.take("ListUsers", page)? else { continue };
            reading.tally.users += users.len() as u64;
            reading.names.extend(users.iter().map(|user| NameHash::user(&user.name, spelling.folds_case)));
            if self.model.user_value().is_some_and(|(_, value)| value == UserValue::Sub) {
                reading
                    .names
                    .extend(users.iter().filter_map(|user| user.attributes.get(SUB)).map(|sub| NameHash::sub(sub)));
            }
            reading.found.extend(candidates(&self.check_pool(users, Vec::new(), Vec::new(), run).await?));
            if listing.token.is_none() {
                break;
            }
        }
        reading.cursor = listing.token.is_some().then(|| listing.cursor());
        Ok(reading)
    }

    /// Lists the members of groups, 60 a call, with at most so many calls.
    pub(super) async fn read_members(
        &self,
        (pool, groups): (&str, &[String]),
        spelling: &Spelling,
        cursor: Option<&UnitCursor>,
        calls: u64,
        run: &RunOptions,
    ) -> Result<Reading, String> {
        let (mut reading, mut listing) = (Reading::default(), Listing::of(cursor));
        for _ in 0..calls {
            let Some(group) = groups.get(listing.list) else { break };
            let page = self.cognito.members(pool, group, spelling, listing.token.clone(), run).await;
            let Some(members) = listing.take("ListUsersInGroup", page)? else { continue };
            reading.tally.members += members.len() as u64;
            reading.names.extend(members.iter().map(|member| NameHash::member(member, spelling.folds_case)));
            reading.found.extend(candidates(&self.check_pool(Vec::new(), Vec::new(), members, run).await?));
            if listing.token.is_none() {
                (listing.list, listing.restarts) = (listing.list + 1, 0);
            }
        }
        reading.cursor = (listing.list < groups.len()).then(|| listing.cursor());
        Ok(reading)
    }

    /// Reads a page of a segment, and checks its items. Without `groups`, there is no pool.
    pub(super) async fn read_items(
        &self,
        segment: Segment<'_>,
        groups: Option<&Groups>,
        spelling: &Spelling,
        run: &RunOptions,
    ) -> Result<Reading, String> {
        let (mut reading, items) = self.read_page(segment, SEGMENT_ROWS, run).await?;
        let chunks: Vec<Vec<Item>> = items.chunks(CHECKED).map(<[Item]>::to_vec).collect();
        let checks = stream::iter(chunks).map(|items| self.check_apart(items, groups, run));
        let checked: Vec<(Vec<Difference>, Vec<Wanted>)> = checks.buffered(CONCURRENT_CHECKS).try_collect().await?;
        for (differences, wanted) in checked {
            reading.found.extend(candidates(&differences));
            reading.wanted.extend(wanted.iter().map(|wanted| KeptWant::new(wanted, spelling.folds_case)));
        }
        Ok(reading)
    }

    /// Sends a page of a segment, each item as if it had just been created. It publishes nothing, because nothing
    /// was written now.
    pub(super) async fn backfill_items(
        &self,
        segment: Segment<'_>,
        run: &RunOptions,
        listener: SweepListener<'_>,
    ) -> Result<Reading, String> {
        let (mut reading, items) = self.read_page(segment, BACKFILL_ROWS, run).await?;
        let records: Vec<_> = items.iter().filter_map(|item| as_found(&self.model, item)).collect();
        let left_out = self.send_found(&records, run, listener).await?;
        reading.tally.left_out = left_out;
        reading.tally.sent = records.len() as u64 - left_out;
        Ok(reading)
    }

    async fn read_page(
        &self,
        segment: Segment<'_>,
        rows: i32,
        run: &RunOptions,
    ) -> Result<(Reading, Vec<Item>), String> {
        let from = match segment.from {
            Some(UnitCursor::After(key)) => Some(item_to_sdk(key)),
            Some(UnitCursor::Page { .. }) | None => None,
        };
        let page = self.segment_page((segment.nth, segment.of), from, rows, run.deadline).await;
        let page = page.map_err(|failure| failure.words("Scan"))?;
        let cursor = page.next.map(|key| UnitCursor::After(item_from_sdk(key)));
        let mut reading = Reading { cursor, ..Reading::default() };
        reading.tally.items = page.items.len() as u64;
        reading.tally.read_units = page.capacity;
        Ok((reading, page.items))
    }
}

pub(super) fn candidates(found: &[Difference]) -> Vec<Candidate> {
    found.iter().map(Candidate::of).collect()
}

/// Those of a list whose place leaves `nth` when divided by `of`.
pub(super) fn share_of(groups: Vec<String>, nth: u32, of: u32) -> Vec<String> {
    let is_own = |place: usize| u32::try_from(place).is_ok_and(|place| place % of.max(1) == nth);
    groups.into_iter().enumerate().filter(|(place, _)| is_own(*place)).map(|(_, group)| group).collect()
}
