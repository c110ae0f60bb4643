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
pub mod table;
pub mod watch;
pub mod writers;

use std::collections::BTreeMap;
use std::sync::Arc;
use std::sync::atomic::AtomicUsize;
use std::time::Duration;

use aws_smithy_runtime_api::client::http::SharedHttpClient;
use instep_aws::Parking;
use instep_aws::{Clients, Instep, Settings};
use instep_flow::filter::Filter;
use instep_local::{BUS, Clock, Message, QueueOptions, Services, USER_POOL, sdk_config};
use instep_model::{CognitoMember, Create, Made, Model};
use tokio::sync::Mutex;
use tokio::sync::watch::Receiver;
use tokio::task::JoinSet;

use chance::Chance;
use lambda::{Lambda, Process};
use net::{Line, Net, Rates};
use table::{Item, Key, Table};

/// The table's name.
const TABLE: &str = "table";

/// The queue of parked records, and the bucket.
pub(crate) const QUEUE: &str = "https://sqs.us-east-1.amazonaws.com/000000000000/parked";
pub(crate) const BUCKET: &str = "bucket";

/// The work queue, and where messages go that were received too often.
pub(crate) const WORK: &str = "https://sqs.us-east-1.amazonaws.com/000000000000/work";
pub(crate) const WORK_DEAD_LETTERS: &str = "https://sqs.us-east-1.amazonaws.com/000000000000/work-dead";

/// Receives of a work message before it is a dead letter: few, so that some are.
const WORK_RECEIVES: u32 = 6;

/// How long a work message is hidden when it was received.
pub(crate) const WORK_HIDDEN: Duration = Duration::from_secs(40);

/// Where Lambda puts what it gives up.
pub(crate) const GIVEN_UP: &str = "aws/lambda/";

/// Longer than a message is hidden, and an index lags.
const HIDDEN: Duration = Duration::from_secs(1_000);

/// How soon what somebody wants to be run again is.
const AGAIN: Duration = Duration::from_millis(100);

/// Rounds in which a world without writers and faults has to come to rest.
const ROUNDS: usize = 30;

/// Calls that one write may cost, replays and retries taken together, before something runs in circles.
const CALLS_A_WRITE: u64 = 2_000;

/// How often in a thousand a request to Cognito lands late, where that is asked for.
const LATE: usize = 20;

/// What people make themselves, where a model leaves it to them: of three that items may name two before anything is written, and one in
/// the end.
const BEFORE: &[&str] = &["a", "b"];
const IN_THE_END: &[&str] = &["c"];

/// How many children a parent has where more are asked for than one pass goes through.
const WIDE: std::ops::Range<usize> = 4_500..6_000;

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
    runtime.map_err(|error| error.to_string())?.block_on(tokio::task::LocalSet::new().run_until(live(seed, options)))
}

async fn live(seed: u64, options: Options) -> Result<Outcome, String> {
    let chance = Chance::new(seed);
    let model = designs::design(&chance, options.crowded)?;
    let clock = Clock::new("2026-05-01T09:00:00Z".parse().map_err(|error: jiff::Error| error.to_string())?);
    let services = Services::in_memory(&clock).map_err(|error| error.to_string())?;
    services.make_queue(QUEUE, QueueOptions::default());
    services.make_queue(WORK_DEAD_LETTERS, QueueOptions::default());
    let dead_letters = Some((WORK_RECEIVES, WORK_DEAD_LETTERS.to_owned()));
    services
        .make_queue(WORK, QueueOptions { dead_letters, visibility_timeout: WORK_HIDDEN, ..QueueOptions::default() });
    services.make_bucket(BUCKET);
    // In crowded worlds nobody waits for a process, or two would seldom meet.
    let (shards, processes) =
        if options.crowded { (2 + chance.below(2), 6) } else { (1 + chance.below(3), 1 + chance.below(3)) };
    let table = Table::new(TABLE, (&model.table.pk, &model.table.sk), shards);
    let net = Arc::new(Net::new(chance, &model, (services, clock), table, processes, options.traced));
    net.others()?;
    net.people_make(by_hand(&model, BEFORE), users_by_hand(&model, BEFORE))?;
    // In half of the crowded worlds nothing fails by chance, and one scene is played at a time.
    let is_quiet = options.crowded && net.chance.of_thousand(500);
    let process = |id: usize| Process { id, instep: instep(&model, &net, id), busy: Mutex::new(()) };
    let lambda = Arc::new(Lambda {
        net: Arc::clone(&net),
        processes: (0..processes).map(process).collect(),
        filter: net.chance.of_thousand(700).then(|| Filter::of(&model)),
        batch: [1, 3, 10, 100].get(net.chance.below(4)).copied().unwrap_or(10),
        checkpoints: (0..shards).map(|_| AtomicUsize::new(0)).collect(),
        is_quiet,
        workers: 1 + net.chance.below(3),
    });
    net.note(|| {
        format!("seed {seed}: {}, {shards} shards, {processes} processes, batches of {}", model.name, lambda.batch)
    });
    let rates = rates(&net.chance);
    let rates = if is_quiet {
        Rates { outage: 1, quota: 1, ..Rates::default() }
    } else if options.crowded {
        Rates { slow: 50, outage: 5, quota: 8 * rates.quota + 1, crash_before: 0, crash_after: 0, ..rates }
    } else {
        rates
    };
    net.set_rates(Rates { late: if options.late { LATE } else { 0 }, ..rates });
    storm(&lambda, shards, options).await;
    net.set_rates(Rates::default());
    net.note(|| "calm".to_owned());
    writers::delete_garbage(&net);
    rest(&lambda, shards).await;
    judge(&lambda).await;
    let log = std::mem::take(&mut *net.log());
    let listing = net.table().listing();
    Ok(Outcome {
        broken: log.broken,
        faults: log.faults,
        calls: log.calls,
        checks: std::mem::take(&mut net.watch().checks),
        model: model.name.clone(),
        trace: log.trace.unwrap_or_default(),
        table: listing,
    })
}

/// Those of some groups that people make.
fn by_hand<'a>(model: &Model, names: &'a [&'a str]) -> &'a [&'a str] {
    let is_by_hand = |member: &CognitoMember| member.made == Made::ByHand;
    if model.items.iter().filter_map(|ty| ty.member.as_ref()).any(is_by_hand) { names } else { &[] }
}

/// Those of some users that people make.
fn users_by_hand<'a>(model: &Model, names: &'a [&'a str]) -> &'a [&'a str] {
    let mut users = model.items.iter().filter_map(|ty| ty.user.as_ref());
    if users.any(|user| user.create == Create::Never) { names } else { &[] }
}

fn instep(model: &Arc<Model>, net: &Arc<Net>, process: usize) -> Instep {
    let http = SharedHttpClient::new(Line { net: Arc::clone(net), process });
    let settings = Settings {
        table: TABLE.to_owned(),
        records_of: Some(TABLE.to_owned()),
        user_pool: Some(USER_POOL.to_owned()),
        bus: BUS.to_owned(),
        work_queue: WORK.to_owned(),
        cognito_interval: None,
        index_lag: Duration::from_millis(watch::INDEX_LAG_MS.unsigned_abs()),
        parking: Some(Parking { queue_url: QUEUE.to_owned(), bucket: BUCKET.to_owned() }),
    };
    Instep::new(Arc::clone(model), Clients::new(&sdk_config("https://simulated.invalid", http)), settings)
}

/// How bad this world is: each kind of fault by itself, some of them often, some never.
fn rates(chance: &Chance) -> Rates {
    let rate = |most: usize| if chance.of_thousand(400) { 0 } else { chance.below(most + 1) };
    Rates {
        throttle: rate(60),
        server: rate(40),
        timeout_before: rate(20),
        timeout_after: rate(20),
        reset: rate(20),
        crash_before: rate(10),
        crash_after: rate(10),
        unprocessed: rate(200),
        partial: rate(200),
        conflict: rate(100),
        quota: rate(40),
        outage: rate(5),
        slow: rate(60),
        flap: rate(300),
        late: 0,
    }
}

/// How many children somebody gives one parent, where somebody does.
fn children(chance: &Chance, options: Options) -> Option<usize> {
    if options.wide {
        return Some(WIDE.start + chance.below(WIDE.len()));
    }
    (!options.crowded && chance.of_thousand(40)).then(|| 30 + chance.below(150))
}

/// Writers write, shards are delivered, records are replayed and failures redriven, all at the same time.
async fn storm(lambda: &Arc<Lambda>, shards: usize, options: Options) {
    let (net, is_crowded) = (&lambda.net, options.crowded);
    let mut writers = JoinSet::new();
    let writers_more = if lambda.is_quiet { 0 } else { net.chance.below(3) };
    for _ in 0..=writers_more {
        // What is wrong after one scene, the next may mend.
        let (least, more) = if is_crowded { (1, 3) } else { (3, 20) };
        let (net, times) = (Arc::clone(net), least + net.chance.below(more));
        writers.spawn_local(async move {
            if is_crowded {
                return writers::play_scenes(&net, times).await == writers::NextWrites::Stop;
            }
            writers::write_every_day(&net, times).await;
            false
        });
    }
    if let Some(children) = children(&net.chance, options) {
        let net = Arc::clone(net);
        writers.spawn_local(async move {
            writers::write_wide_parent(&net, children).await;
            false
        });
    }
    let (stop, stopped) = tokio::sync::watch::channel(false);
    let mut others = deliveries(lambda, shards, is_crowded, &stopped);
    while let Some(ended) = writers.join_next().await {
        if matches!(ended, Ok(true)) {
            writers.abort_all();
        }
    }
    let _ = stop.send(true);
    while others.join_next().await.is_some() {}
}

/// Pollers of the shards and of the work queue, and people who replay and redrive, until they are stopped.
fn deliveries(lambda: &Arc<Lambda>, shards: usize, is_crowded: bool, stopped: &Receiver<bool>) -> JoinSet<()> {
    let mut others = JoinSet::new();
    for shard in 0..shards {
        let (lambda, stopped) = (Arc::clone(lambda), stopped.clone());
        others.spawn_local(async move {
            while !*stopped.borrow() {
                net::pause(&lambda.net, 400).await;
                lambda.deliver(shard, false).await;
            }
        });
    }
    for _ in 0..lambda.workers {
        let (lambda, stopped) = (Arc::clone(lambda), stopped.clone());
        others.spawn_local(async move {
            while !*stopped.borrow() {
                net::pause(&lambda.net, 300).await;
                lambda.work(false).await;
            }
        });
    }
    // What is run again may mend what broke.
    let again = if lambda.is_quiet { &[][..] } else { &[true, false] };
    for is_replay in again.iter().copied() {
        let (lambda, stopped) = (Arc::clone(lambda), stopped.clone());
        others.spawn_local(async move {
            while !*stopped.borrow() {
                net::pause(&lambda.net, 4_000).await;
                if is_replay {
                    lambda.replay().await;
                } else {
                    lambda.redrive().await;
                }
            }
        });
    }
    if is_crowded {
        let (lambda, stopped) = (Arc::clone(lambda), stopped.clone());
        others.spawn_local(async move {
            while !*stopped.borrow() {
                tokio::time::sleep(AGAIN).await;
                if let Some(key) = lambda.net.wanted_again() {
                    lambda.replay_last_of(key).await;
                }
            }
        });
    }
    others
}

/// Delivers and redrives until nothing is left to do.
async fn rest(lambda: &Lambda, shards: usize) {
    for round in 0.. {
        for shard in 0..shards {
            lambda.drain(shard).await;
        }
        lambda.drain_work().await;
        // What indexes show late is there by now, and messages that a redrive received and crashed with show themselves again.
        tokio::time::sleep(HIDDEN).await;
        let tally = lambda.redrive().await;
        let is_delivered = (0..shards).all(|shard| lambda.is_through(shard));
        let services = &lambda.net.services;
        // What was parked without its key, for the model keeps secrets, is the operator's.
        let is_masked = |message: &Message| message.body.contains("***");
        // A record that was put into the bucket for a message that was never sent stays there for a month.
        let is_left = |(key, _): &(String, Vec<u8>)| !key.starts_with(GIVEN_UP);
        let is_redriven = services.messages(QUEUE).iter().all(is_masked)
            && services.objects(BUCKET).iter().all(is_left)
            && services.messages(WORK).is_empty()
            && services.messages(WORK_DEAD_LETTERS).is_empty();
        let is_through = is_delivered && is_redriven && tally.done == 0;
        if is_through || !lambda.net.log().broken.is_empty() {
            return;
        }
        if round == ROUNDS {
            let messages = lambda.net.services.messages(QUEUE);
            let left = messages.first().map_or_else(String::new, |message| message.body.clone());
            lambda.net.broken(format!("8: the world comes to no rest; {tally:?}; {} messages: {left}", messages.len()));
            return;
        }
    }
}

/// Holds a world at rest against what it should be.
async fn judge(lambda: &Lambda) {
    let net = &lambda.net;
    if !net.log().broken.is_empty() {
        return;
    }
    let (mut wrong, windows) = check::at_rest(net);
    for (window, times) in windows {
        (0..times).for_each(|_| net.count(&format!("(window: {window})")));
    }
    let (calls, writes) =
        (net.log().calls.values().sum::<u64>(), net.table().shards().iter().map(Vec::len).sum::<usize>() as u64);
    if calls > CALLS_A_WRITE * (writes + 10) {
        wrong.push(format!("8: {calls} calls for {writes} writes"));
    }
    // Promise 2: whatever is run again now changes nothing.
    let replay = async {
        for _ in 0..3 {
            lambda.replay().await;
        }
    };
    wrong.extend(changed(lambda, "a replay", replay).await);
    if wrong.is_empty() {
        wrong = backfilled(lambda).await;
    }
    for what in wrong {
        net.broken(what);
    }
}

/// What was run again changed, and should not have.
async fn changed(lambda: &Lambda, name: &str, run: impl Future<Output = ()>) -> Vec<String> {
    let net = &lambda.net;
    net.watch().checked(2);
    let (is_to_mend, may_go) = {
        let watch = net.watch();
        let mut rows = watch.implied.rows().values();
        (watch.is_to_mend(), rows.any(|row| watch.implied.is_orphan(row)))
    };
    // One that knows by an id alone what went, and what is there too: staying and going are both right.
    if may_go {
        net.count("(window: a parent of that id went, and one is there)");
    }
    let before = (net.services.pool(), items(net));
    run.await;
    rest(lambda, lambda.checkpoints.len()).await;
    let after = (net.services.pool(), items(net));
    let mut wrong = Vec::new();
    // What a window left, it may mend.
    if before.0 != after.0 && !is_to_mend && !may_go {
        wrong.push(format!("2: {name} changed the pool: {:?} became {:?}", before.0, after.0));
    }
    let differ = |one: &BTreeMap<Key, Item>, other: &BTreeMap<Key, Item>| {
        let keys = one.iter().filter(|(key, item)| other.get(*key) != Some(item)).map(|(key, _)| key.clone());
        keys.collect::<Vec<_>>()
    };
    if before.1 != after.1 && !may_go {
        let (was, is) = (differ(&before.1, &after.1), differ(&after.1, &before.1));
        wrong.push(format!("2: {name} changed items: {was:?} became {is:?}"));
    }
    wrong
}

/// Promise 1 of a backfill: it gives what waited for people to make a group or a user, and whatever a window left out.
async fn backfilled(lambda: &Lambda) -> Vec<String> {
    let (net, model) = (&lambda.net, &lambda.net.model);
    let mut wrong = changed(lambda, "a backfill", lambda.backfill()).await;
    let (groups, users) = (by_hand(model, IN_THE_END), users_by_hand(model, IN_THE_END));
    if !groups.is_empty() || !users.is_empty() {
        wrong.extend(net.people_make(groups, users).err());
        lambda.backfill().await;
        rest(lambda, lambda.checkpoints.len()).await;
    }
    let left = check::at_rest(net).0.into_iter().chain(net.watch().lacking());
    wrong.extend(left.map(|what| format!("{what}, after a backfill")));
    wrong
}

/// All items. Of several that went under one id, a tombstone names the last that was run: any of them will do.
fn items(net: &Net) -> BTreeMap<Key, Item> {
    let is_tombstone = |key: &Key| key.0.starts_with("INSTEP#GONE#");
    let table = net.table();
    let plain = table
        .items()
        .iter()
        .map(|(key, item)| (key.clone(), if is_tombstone(key) { Item::new() } else { item.clone() }));
    plain.collect()
}
