//! What depends on an object is brought in step with it, page by page: deleted where the object is gone, ensured where it is there.
//! What does not fit goes on as a job under the object's tombstone, whose own stream record starts the next pass.

use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;

use instep_flow::bookkeeping::{self, Job};
use instep_flow::effect::{Action, Effect, Expect, Phase, Spread};
use instep_flow::find::{self, State};
use instep_flow::report::EffectReport;
use instep_flow::settle::{self, Page, Settled, Unit};
use instep_flow::truth::{Asks, Found, Truth, View};
use instep_model::{Find, Item, Key, Link, LinkId, Object, Up};
use jiff::Timestamp;
use tokio::time::Instant;

use super::{Applied, Held, Lines, Written};
use crate::attributes::{item_from_sdk, item_to_sdk};
use crate::call::{Backoff, Failure};
use crate::handler::{Instep, Run};

/// Rows of one page.
pub(super) const PAGE_ROWS: usize = 100;

/// Pages of one pass; what is left goes on as a job. INVARIANT 8: memory and time of an invocation do not grow with a cascade.
const PASS_PAGES_MAX: usize = 20;

/// Rows of one page of what is ensured: each may cost some calls at Cognito's rate.
const ENSURED_ROWS: usize = 25;

/// Rounds over one page before it is given up as moving.
const ROUNDS_MAX: usize = 10;

/// How often what another parent kept is tried before it is left.
const KEPT_TRIES_MAX: usize = 3;

/// Time that a pass leaves before the deadline for what comes after it.
const DEADLINE_MARGIN: Duration = Duration::from_secs(5);

/// Looks for one page before it is given up as moving; each answers questions that the one before it raised.
const LOOKS_MAX: usize = 8;

/// Where a pass ended.
enum End {
    /// Nothing is left.
    Finished,
    /// To go on from here.
    Unfinished(Job),
}

/// The items behind one link of an object that is gone or there.
struct Behind<'a> {
    link: LinkId,
    object: &'a Object,
    gone: bool,
}

type Effects = BTreeMap<Effect, BTreeSet<usize>>;

/// Items as they were looked at.
type Items = BTreeSet<(Object, Item)>;

/// Why a pass stopped.
pub(super) enum Stop {
    Failed(&'static str, Failure),
    /// The object came or went meanwhile.
    Moved,
}

impl Instep {
    pub(super) async fn spread(&self, spread: &Spread, held: &Held, run: &Run, lines: &mut Lines) -> Applied {
        let done = match spread.removed_at {
            Some(removed_at) => self.spread_gone(&spread.object, removed_at, held, run, lines).await,
            None => {
                let job = Job { pass: 1, ..Job::default() };
                self.pass(&spread.object, spread.state(), job, held, run, lines).await.map(|end| (end, None))
            }
        };
        if let Some(refused) = refused(&done, lines) {
            return refused;
        }
        match done {
            Ok((End::Finished, _)) => Applied::Held,
            Ok((End::Unfinished(job), seen)) => self.defer(spread, seen, &job, run).await,
            Err(Stop::Moved) => Applied::Moved,
            Err(Stop::Failed(operation, failure)) => Applied::failed(operation, &failure),
        }
    }

    /// What was deleted of an object that came back is left to a job, which may wait for what fails now.
    pub(super) async fn bring_back(&self, object: &Object, run: &Run) -> Applied {
        let spread = Spread { object: object.clone(), removed_at: None, back: true };
        self.defer(&spread, None, &Job { pass: 1, ..Job::default() }, run).await
    }

    /// Leaves the rest to a job. Where the object is there, an old tombstone or a job under way may stand in its place.
    async fn defer(&self, spread: &Spread, seen: Option<Item>, job: &Job, run: &Run) -> Applied {
        let seen_removed = seen.as_ref().and_then(bookkeeping::removed_at);
        let removed_at = seen_removed.or(spread.removed_at).unwrap_or(run.now);
        if seen.is_some() {
            return self.put_job(&spread.object, removed_at, seen, Some(job), run).await;
        }
        let key = bookkeeping::gone_key(&self.model, &spread.object);
        let mut truth = Truth::default();
        if let Err(failure) =
            self.look(&Asks { keys: [key.clone()].into(), ..Asks::default() }, &mut truth, run.deadline).await
        {
            return Applied::failed("BatchGetItem", &failure);
        }
        let seen = View::new(&self.model, &truth).item(&key).flatten().cloned();
        // A job that stands there is of another life of the object, or has more to go over than this one: taken over, it begins anew.
        let anew = |under_way: Job| Job { pass: under_way.pass + 1, gone: job.gone, ..Job::default() };
        let job =
            seen.as_ref().and_then(bookkeeping::job).map_or_else(|| job.clone(), |(under_way, _)| anew(under_way));
        self.put_job(&spread.object, removed_at, seen, Some(&job), run).await
    }

    /// The tombstone is written before the first child is looked for, so that of a child written meanwhile either this pass or
    /// the child's own record sees the other.
    async fn spread_gone(
        &self,
        object: &Object,
        removed_at: Timestamp,
        held: &Held,
        run: &Run,
        lines: &mut Lines,
    ) -> Result<(End, Option<Item>), Stop> {
        let keys = self.tombstone_keys(object);
        let mut truth = Truth::default();
        let asks = Asks { keys: keys.keys().cloned().collect(), ..Asks::default() };
        self.look(&asks, &mut truth, run.deadline).await.map_err(|failure| Stop::Failed("BatchGetItem", failure))?;
        let mut view = View::new(&self.model, &truth);
        let mut seen = None;
        for (key, known) in &keys {
            let before = view.item(key).flatten();
            let latest = bookkeeping::latest_removal(before, removed_at);
            if let (Some((job, _)), false) = (before.and_then(bookkeeping::job), run.dry_run) {
                // Its place may be of another life of the object: it begins anew, by its own record.
                let anew = Job { pass: job.pass + 1, gone: true, ..Job::default() };
                return match self.put_job(object, latest, before.cloned(), Some(&anew), run).await {
                    Applied::Held => Ok((End::Finished, None)),
                    Applied::Failed(why) => Err(Stop::Failed("PutItem", Failure::Transient(why))),
                    Applied::Left | Applied::Moved | Applied::Refused { .. } => Err(Stop::Moved),
                };
            }
            let item = bookkeeping::tombstone(&self.model, key, object, latest, None);
            if !run.dry_run && before != Some(&item) {
                let put = [Action::Put { key: key.clone(), item: item.clone(), expect: as_seen(before) }];
                match self.write(&[], &put, run.deadline).await {
                    Ok(Written::Done) => {}
                    Ok(Written::Moved) => return Err(Stop::Moved),
                    Err(failure) => return Err(Stop::Failed("PutItem", failure)),
                }
            }
            if known.names.len() == object.names.len() {
                seen = Some(item);
            }
        }
        let end =
            self.pass(object, State::Gone, Job { pass: 1, gone: true, ..Job::default() }, held, run, lines).await?;
        match end {
            End::Finished if self.has_last_pass(object, State::Gone) && !run.dry_run => {
                Ok((End::Unfinished(self.last_pass(1, State::Gone, run)), seen))
            }
            End::Finished | End::Unfinished(_) => Ok((end, seen)),
        }
    }

    /// Goes on with the job of a tombstone.
    pub(crate) async fn resume(
        &self,
        key: &Key,
        (started, held): (Instant, &Held),
        records: &BTreeSet<usize>,
        run: &Run,
        reports: &mut Vec<EffectReport>,
    ) -> Applied {
        let mut lines = Lines::default();
        let applied = self.resume_job(key, (started, held), run, &mut lines).await;
        let records: Vec<usize> = records.iter().copied().collect();
        reports.extend(lines.reports.into_iter().map(|line| EffectReport { records: records.clone(), ..line }));
        applied
    }

    async fn resume_job(&self, key: &Key, (started, held): (Instant, &Held), run: &Run, lines: &mut Lines) -> Applied {
        let mut truth = Truth::default();
        let asks = Asks { keys: [key.clone()].into(), ..Asks::default() };
        if let Err(failure) = self.look(&asks, &mut truth, run.deadline).await {
            return Applied::failed("BatchGetItem", &failure);
        }
        let mut view = View::new(&self.model, &truth);
        let Some(Some(item)) = view.item(key) else { return Applied::Held };
        let (Some((job, removed_at)), Some(object)) = (bookkeeping::job(item), bookkeeping::object(&self.model, item))
        else {
            return Applied::Held;
        };
        if run.dry_run {
            return Applied::Held;
        }
        if let Some(at) = job.not_before_ms {
            // Measured from the start of the run: a batch of jobs waits once.
            let wait = u64::try_from(at.saturating_sub(run.now.as_millisecond())).unwrap_or_default();
            let until = started + Duration::from_millis(wait).min(self.settings.index_lag);
            if run.deadline.is_some_and(|deadline| until >= deadline) {
                return Applied::Failed("the index has not caught up before the deadline".to_owned());
            }
            tokio::time::sleep_until(until).await;
        }
        let last = job.not_before_ms.is_some();
        let pass = job.pass;
        let state = match self.is_there(&object, run).await {
            Ok(true) => State::Back,
            Ok(false) => State::Gone,
            Err(failure) => return Applied::failed("BatchGetItem", &failure),
        };
        let gone = state == State::Gone;
        // A place from another life of the object leads nowhere.
        let job = if job.gone == gone { job } else { Job { pass, gone, ..Job::default() } };
        let is_first = !gone && job.link == 0 && job.cursor.is_none() && job.not_before_ms.is_none();
        let own = if is_first { self.itself(&object, held, run, lines).await } else { Ok(()) };
        let end = match own {
            Ok(()) => self.pass(&object, state, job, held, run, lines).await,
            Err(stop) => Err(stop),
        };
        if let Some(refused) = refused(&end, lines) {
            // The job stays where it is, for whoever runs its record again.
            return refused;
        }
        match end {
            Ok(End::Finished) => {
                let again = (!last && self.has_last_pass(&object, state)).then(|| self.last_pass(pass + 1, state, run));
                self.put_job(&object, removed_at, Some(item.clone()), again.as_ref(), run).await
            }
            Ok(End::Unfinished(job)) => {
                let job = Job { pass: pass + 1, ..job };
                self.put_job(&object, removed_at, Some(item.clone()), Some(&job), run).await
            }
            Err(Stop::Moved) => Applied::Moved,
            Err(Stop::Failed(operation, failure)) => Applied::failed(operation, &failure),
        }
    }

    /// Whether anything that a pass goes over hangs on what an index says.
    fn has_last_pass(&self, object: &Object, state: State) -> bool {
        let mut links = self.model.links_to(object.of).filter(|(_, link)| find::follows(&self.model, link, state));
        links.any(|(_, link)| finds_by_index(link) || leads_by_index(link))
    }

    /// Once more from the start, when indexes have caught up.
    fn last_pass(&self, pass: u64, state: State, run: &Run) -> Job {
        let lag_ms = i64::try_from(self.settings.index_lag.as_millis()).unwrap_or(i64::MAX);
        let gone = state == State::Gone;
        Job { pass, gone, not_before_ms: Some(run.now.as_millisecond().saturating_add(lag_ms)), ..Job::default() }
    }

    /// Writes where the work stands, on condition that nobody else did. Of an object that is there no tombstone stays.
    async fn put_job(
        &self,
        object: &Object,
        removed_at: Timestamp,
        seen: Option<Item>,
        job: Option<&Job>,
        run: &Run,
    ) -> Applied {
        if run.dry_run {
            return Applied::Held;
        }
        let key = bookkeeping::gone_key(&self.model, object);
        let there = match self.is_there(object, run).await {
            Ok(there) => there,
            Err(failure) => return Applied::failed("BatchGetItem", &failure),
        };
        let action = if there && job.is_none() {
            Action::Delete { key: key.clone(), expect: as_seen(seen.as_ref()) }
        } else {
            let item = bookkeeping::tombstone(&self.model, &key, object, removed_at, job);
            Action::Put { key: key.clone(), item, expect: as_seen(seen.as_ref()) }
        };
        match self.write(&[], &[action], run.deadline).await {
            // Another pass has gone on from here; it carries the work.
            Ok(Written::Done | Written::Moved) => Applied::Held,
            Err(failure) => Applied::failed("PutItem", &failure),
        }
    }

    /// The tombstones of an object: one for each set of names under which children know it.
    fn tombstone_keys(&self, object: &Object) -> BTreeMap<Key, Object> {
        let links = self.model.links_to(object.of).filter(|(_, link)| link.goes);
        let known = links.map(|(_, link)| find::as_known(link, object)).chain([object.clone()]);
        known.map(|known| (bookkeeping::gone_key(&self.model, &known), known)).collect()
    }

    /// One pass over everything that depends on an object, in the model's order of links. An object that came or went since it was
    /// looked at fails the transactions' checks, or the look after this one.
    async fn pass(
        &self,
        object: &Object,
        state: State,
        job: Job,
        held: &Held,
        run: &Run,
        lines: &mut Lines,
    ) -> Result<End, Stop> {
        let gone = state == State::Gone;
        let mut pages = 0;
        let mut cursor = None;
        let mut noted = job.cursor.as_ref();
        for (id, link) in self.model.links_to(object.of) {
            let now = match job.not_before_ms {
                // What a consistent read found once needs no second look.
                Some(_) => finds_by_index(link) || leads_by_index(link),
                // INVARIANT 2: that another item now has a parent's name, an index may say too late for this pass.
                None => !(gone && leads_by_index(link)) || run.dry_run,
            };
            if id.0 < job.link || !find::follows(&self.model, link, state) || !now {
                continue;
            }
            let Some(query) = find::query(&self.model, id, object) else { continue };
            if id.0 == job.link {
                cursor = noted.take().map(item_to_sdk);
            }
            let page_rows = if gone { PAGE_ROWS } else { ENSURED_ROWS };
            loop {
                // At least one page a pass: a job that only counted passes would never end.
                if pages >= PASS_PAGES_MAX
                    || pages > 0 && run.deadline.is_some_and(|deadline| Instant::now() + DEADLINE_MARGIN >= deadline)
                {
                    let cursor = cursor.map(item_from_sdk);
                    return Ok(End::Unfinished(Job { link: id.0, cursor, ..job.clone() }));
                }
                pages += 1;
                let page = self.rows(&query, cursor.take(), page_rows, run.deadline).await;
                let page = page.map_err(|failure| Stop::Failed("Query", failure))?;
                self.page(&Behind { link: id, object, gone }, &page.rows, held, run, lines).await?;
                cursor = page.next;
                if cursor.is_none() {
                    break;
                }
            }
        }
        Ok(End::Finished)
    }

    async fn is_there(&self, object: &Object, run: &Run) -> Result<bool, Failure> {
        let keys = self.model.keys(object).unwrap_or_default();
        let mut truth = Truth::default();
        self.look(&Asks { keys: keys.into_iter().collect(), ..Asks::default() }, &mut truth, run.deadline).await?;
        let mut view = View::new(&self.model, &truth);
        Ok(matches!(view.object(object), Found::Present(..))
            || self.model.item(object.of).assumed.contains(&object.names))
    }

    /// Settles and applies one page, and looks again until nothing is left to do.
    async fn page(
        &self,
        behind: &Behind<'_>,
        rows: &[Item],
        held: &Held,
        run: &Run,
        lines: &mut Lines,
    ) -> Result<(), Stop> {
        let context = run.context(BTreeMap::new());
        let mut truth = Truth::default();
        let first = self.look_through(&mut truth, run, |truth| {
            let page = settle::page(&self.model, truth, &context, behind.link, behind.object, behind.gone, rows);
            (page.settled.asks.clone(), page)
        });
        let page = first.await?;
        if behind.gone {
            return self.delete_page(behind, rows, page.units, run, lines).await;
        }
        let Page { settled, items, .. } = page;
        let again = |truth: &Truth, items: &Items| settle::again(&self.model, truth, &context, items);
        self.bring((settled.effects, items), truth, again, held, run, lines).await
    }

    /// Brings an object itself in step with its item.
    async fn itself(&self, object: &Object, held: &Held, run: &Run, lines: &mut Lines) -> Result<(), Stop> {
        let context = run.context(BTreeMap::new());
        let again = |truth: &Truth, items: &Items| settle::itself(&self.model, truth, &context, object, items);
        let mut truth = Truth::default();
        let first = self.asked(&mut truth, &Items::new(), &again, run).await?;
        self.bring(first, truth, again, held, run, lines).await
    }

    /// Applies what items ask for, and looks again until nothing is left to do.
    async fn bring(
        &self,
        (mut asked, mut items): (Effects, Items),
        mut truth: Truth,
        again: impl Fn(&Truth, &Items) -> (Settled, Items),
        held: &Held,
        run: &Run,
        lines: &mut Lines,
    ) -> Result<(), Stop> {
        // Nobody else knows what is given here: it is looked after, and taken back, as long as there is time.
        let mut patience = Backoff::patient(run.deadline);
        let mut holds: BTreeSet<Effect> = asked.keys().filter(|effect| held.contains(effect)).cloned().collect();
        for _ in 0..ROUNDS_MAX {
            let mut due = asked.clone();
            due.retain(|effect, _| !holds.contains(effect));
            if due.is_empty() {
                return Ok(());
            }
            let (moved, stop) = self.apply_page(due, held, run, lines).await;
            holds = asked.into_keys().filter(|effect| !moved.contains(effect)).collect();
            if run.dry_run {
                return Ok(());
            }
            // INVARIANT 2: what was given is looked at again; what no longer holds of it is undone.
            asked = self.look_back(&mut truth, &mut items, &again, &mut patience, run).await?;
            if let Some(stop) = stop {
                // What of it no longer holds is taken back before the rest is left.
                loop {
                    asked.retain(|effect, _| effect.phase() == Phase::Take && !holds.contains(effect));
                    let (left, _) = self.apply_page(asked.clone(), held, run, lines).await;
                    if left.is_empty() {
                        return Err(stop);
                    }
                    if !patience.wait().await {
                        held.stuck();
                        return Err(stop);
                    }
                    holds.extend(asked.into_keys().filter(|effect| !left.contains(effect)));
                    // It may be right again by now.
                    asked = self.look_back(&mut truth, &mut items, &again, &mut patience, run).await?;
                }
            }
        }
        Err(Stop::Moved)
    }

    /// What items ask for when they are looked at again, as they are now and were at each look before.
    async fn look_back(
        &self,
        truth: &mut Truth,
        items: &mut Items,
        again: &impl Fn(&Truth, &Items) -> (Settled, Items),
        patience: &mut Backoff,
        run: &Run,
    ) -> Result<Effects, Stop> {
        let asks = truth.looked_at();
        loop {
            *truth = Truth::default();
            let looked = match self.look(&asks, truth, run.deadline).await {
                Ok(()) => self.asked(truth, items, again, run).await,
                Err(failure) => Err(Stop::Failed("BatchGetItem", failure)),
            };
            match looked {
                Ok((effects, now)) => {
                    items.extend(now);
                    return Ok(effects);
                }
                Err(Stop::Failed(..)) if patience.wait().await => {}
                Err(stop) => return Err(stop),
            }
        }
    }

    /// What items ask for, and what they are now.
    async fn asked(
        &self,
        truth: &mut Truth,
        items: &Items,
        again: &impl Fn(&Truth, &Items) -> (Settled, Items),
        run: &Run,
    ) -> Result<(Effects, Items), Stop> {
        let settle = |truth: &Truth| {
            let (settled, now) = again(truth, items);
            (settled.asks, (settled.effects, now))
        };
        self.look_through(truth, run, settle).await
    }

    /// Deletes what is behind a page. What another parent kept, which came or went since it was looked at, is settled again: nobody
    /// else would.
    async fn delete_page(
        &self,
        behind: &Behind<'_>,
        rows: &[Item],
        mut units: Vec<Unit>,
        run: &Run,
        lines: &mut Lines,
    ) -> Result<(), Stop> {
        let context = run.context(BTreeMap::new());
        for tries in 1.. {
            let kept = self.delete_units(behind.object, units, run, lines).await?;
            // INVARIANT 8: what keeps changing is left.
            if kept.is_empty() || tries == KEPT_TRIES_MAX {
                break;
            }
            let mut truth = Truth::default();
            let again = self.look_through(&mut truth, run, |truth| {
                let page = settle::page(&self.model, truth, &context, behind.link, behind.object, behind.gone, rows);
                (page.settled.asks, page.units)
            });
            units = again.await?;
            units.retain(|unit| kept.contains(&unit.target));
        }
        Ok(())
    }

    /// Settles, looking at what it asks for until nothing is left to ask.
    async fn look_through<T>(
        &self,
        truth: &mut Truth,
        run: &Run,
        settle: impl Fn(&Truth) -> (Asks, T),
    ) -> Result<T, Stop> {
        for _ in 0..LOOKS_MAX {
            let (asks, settled) = settle(truth);
            if asks.is_empty() {
                return Ok(settled);
            }
            self.look(&asks, truth, run.deadline).await.map_err(|failure| Stop::Failed("BatchGetItem", failure))?;
        }
        Err(Stop::Moved)
    }

    /// Applies effects of a page: those that do not hold after it, and why the rest of the page has to be left, if it has.
    async fn apply_page(
        &self,
        due: BTreeMap<Effect, BTreeSet<usize>>,
        held: &Held,
        run: &Run,
        lines: &mut Lines,
    ) -> (BTreeSet<Effect>, Option<Stop>) {
        let mut reports = Vec::new();
        let outcomes = Box::pin(self.apply(due, held, run, &mut reports)).await;
        lines.reports.extend(reports);
        let mut moved = BTreeSet::new();
        let mut stop = None;
        for (effect, _, applied) in outcomes {
            match applied {
                Applied::Moved => {
                    moved.insert(effect);
                }
                Applied::Held | Applied::Left => {}
                // INVARIANT 6: it waits behind the record that brought it; the others go on.
                Applied::Refused { code, reason } => lines.refused = lines.refused.take().or(Some((code, reason))),
                Applied::Failed(why) => {
                    moved.insert(effect);
                    stop = stop.or(Some(Stop::Failed("", Failure::Transient(why))));
                }
            }
        }
        (moved, stop)
    }
}

/// What of all that was brought can never be; a failing service comes before it.
fn refused<T>(ended: &Result<T, Stop>, lines: &mut Lines) -> Option<Applied> {
    let (code, reason) = lines.refused.take().filter(|_| ended.is_ok())?;
    Some(Applied::Refused { code, reason })
}

/// Whether the items behind a link are found through an index.
const fn finds_by_index(link: &Link) -> bool {
    matches!(link.find, Find::Index { .. })
}

/// Whether an index says which item a link leads to.
const fn leads_by_index(link: &Link) -> bool {
    matches!(link.up, Up::Index { .. })
}

/// The condition that a bookkeeping item still is as it was seen.
fn as_seen(seen: Option<&Item>) -> Expect {
    let fields = seen.and_then(|item| item.get(bookkeeping::FIELDS)).cloned();
    match fields {
        Some(fields) => Expect::Like(BTreeMap::from([(bookkeeping::FIELDS.to_owned(), Some(fields))])),
        None => Expect::Absent,
    }
}
