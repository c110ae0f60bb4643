//! Builds the world of a seed, runs it and checks it.

use std::sync::Arc;
use std::sync::atomic::AtomicUsize;
use std::time::Duration;

use instep_flow::filter::Filter;
use instep_local::{Clock, PoolOptions, QueueOptions, Services, SignIn};
use instep_model::{ExtraPolicy, Model, shipped_text};

use crate::chance::Chance;
use crate::change::LaterModel;
use crate::drain::{drain_world, settle};
use crate::lambda::{Lambda, Process, SMALL_TIMEOUT, TIMEOUT};
use crate::net::{Net, Rates};
use crate::people::{BEFORE, by_hand, users_by_hand};
use crate::process::instep;
use crate::storm::storm;
use crate::table::SimulatedTable;
use crate::{
    BUCKET, Options, QUEUE, TABLE, WORK, WORK_DEAD_LETTERS, WORK_HIDDEN, WorldOutcome, change, check, deployment,
    designs, sign_in, watch, writers,
};

/// Receives of a work message before it becomes a dead letter. The number is small so that some do.
const WORK_RECEIVES: u32 = 6;

/// Worlds draw their deployment by themselves, so that the rest of a seed's world does not depend on it.
const DEPLOYMENTS: u64 = 0xDE_9107;

/// So do they draw what the users of their pool sign in with.
const POOLS: u64 = 0x90_0150;

/// So do they draw whether groups are in tokens alone.
const TOKENS: u64 = 0x70_4E15;

/// So do they draw the model that they change to.
const CHANGES: u64 = 0xC4_A96E;

/// How many of a thousand models have their groups in tokens alone, if they may.
const IN_TOKENS: usize = 120;

/// How many of a thousand requests to Cognito take effect late, if `Options::late` is set.
const LATE: usize = 20;

pub(crate) async fn live(seed: u64, options: Options) -> Result<WorldOutcome, String> {
    let chance = Chance::new(seed);
    let Some(design) = design(&chance, seed, options)? else { return Ok(WorldOutcome::refused()) };
    let (sign_in, (model, text)) = sign_in::drawn(&Chance::new(seed ^ POOLS), design)?;
    let later = change::drawn(&Chance::new(seed ^ CHANGES), &model, &text).filter(|_| options.changing);
    if options.changing && later.is_none() {
        return Ok(WorldOutcome::refused());
    }
    let clock = Clock::new("2026-05-01T09:00:00Z".parse().map_err(|error: jiff::Error| error.to_string())?);
    let services = services(sign_in, &model, &clock)?;
    // Crowded worlds have enough processes for all invocations. Otherwise two would seldom overlap.
    let (shards, processes) =
        if options.crowded { (2 + chance.below(2), 6) } else { (1 + chance.below(3), 1 + chance.below(3)) };
    let table = SimulatedTable::new(TABLE, (&model.table.pk, &model.table.sk), shards);
    let net = Arc::new(Net::new(chance, &model, (services, clock), table, processes, options.traced));
    net.others()?;
    net.people_make(by_hand(&model, BEFORE), users_by_hand(&model, BEFORE))?;
    // Half of the crowded worlds are quiet: no random faults, and one scene at a time.
    let is_quiet = options.strange || options.crowded && net.chance.of_thousand(500);
    let new = deployed(&Chance::new(seed ^ DEPLOYMENTS), &text, &model, options)?;
    if let Some((new, _)) = &new {
        net.watch().allow_events_of(new);
    }
    let process = |id: usize| {
        Process::new(id, instep(&model, &net, id, seed), new.as_ref().map(|(new, _)| instep(new, &net, id, seed)))
    };
    let lambda = Arc::new(Lambda {
        net: Arc::clone(&net),
        processes: (0..processes).map(process).collect(),
        filter: net.chance.of_thousand(700).then(|| Filter::of(&model)),
        batch: [1, 3, 10, 100].get(net.chance.below(4)).copied().unwrap_or(10),
        checkpoints: (0..shards).map(|_| AtomicUsize::new(0)).collect(),
        is_quiet,
        workers: 1 + net.chance.below(3),
        timeout: timeout(seed),
        kept: std::sync::Mutex::default(),
        slow: net.chance.time(usize::try_from(watch::SLOW_MS).unwrap_or_default()),
    });
    net.note(|| {
        let Lambda { batch, .. } = &*lambda;
        format!("seed {seed}: {}, users sign in with {sign_in:?}, {shards} shards, {processes} processes, batches of {batch}\n{text}", model.name)
            + &new.as_ref().map(|(_, text)| format!("deployed later:\n{text}")).unwrap_or_default()
    });
    net.set_rates(rates(&net.chance, options, is_quiet));
    drop(net);
    Box::pin(lived(lambda, later, options)).await
}

/// Runs a world, and checks it.
async fn lived(mut lambda: Arc<Lambda>, later: Option<LaterModel>, options: Options) -> Result<WorldOutcome, String> {
    let shards = lambda.checkpoints.len();
    if later.is_some() {
        lambda.net.table().keep_history();
        change::note_first(&lambda).await?;
    }
    storm(&lambda, shards, options).await;
    if let Some(later) = &later {
        lambda = change::deploy(lambda, later, options).await?;
    }
    let net = &lambda.net;
    lambda.processes.iter().for_each(|process| lambda.deploy(process));
    net.set_rates(Rates::default());
    net.note(|| "calm".to_owned());
    writers::delete_garbage(net);
    people_come_and_go(&lambda, shards).await?;
    drain_world(&lambda, shards).await;
    match &later {
        None => check::judge(&lambda, options.late).await,
        Some(later) => change::judge(&lambda, later).await,
    }
    let log = std::mem::take(&mut *net.log());
    let words = crate::words::words(&net.watch());
    Ok(WorldOutcome {
        broken: log.broken,
        faults: log.faults,
        calls: log.calls,
        words,
        checks: std::mem::take(&mut net.watch().checks),
        model: net.model.name.clone(),
        trace: log.trace.unwrap_or_default(),
        table: net.table().listing(),
    })
}

/// The timeout of the functions: small in one of four worlds in which Cognito is slow.
const fn timeout(seed: u64) -> Duration {
    if seed % 16 == 8 { SMALL_TIMEOUT } else { TIMEOUT }
}

/// The model of a world, and its text. `None` if the loader refuses it.
fn design(chance: &Chance, seed: u64, options: Options) -> Result<Option<(Arc<Model>, String)>, String> {
    let drawn = if options.strange {
        designs::strange(chance)?
    } else if options.changing {
        Some(designs::changeable(chance)?)
    } else {
        Some(designs::design(chance, options.crowded)?)
    };
    let drawn = drawn.map(|(model, text)| {
        let own = if Chance::new(seed ^ TOKENS).of_thousand(IN_TOKENS) { in_tokens(&model, &text) } else { None };
        own.unwrap_or((model, text))
    });
    Ok(drawn.map(|(mut model, text)| {
        if options.late || seed % 2 == 1 {
            lets_sweeps_remove(&mut model);
        }
        (model, text)
    }))
}

/// A model with all its groups in tokens alone. `None` for one without members, or whose rules the loader refuses there.
fn in_tokens(model: &Model, text: &str) -> Option<(Arc<Model>, String)> {
    let text = if text.is_empty() { shipped_text(&model.name)? } else { text };
    let of_line = |line: &str| {
        let is_rule = ["member = ", "cognito.member = "].iter().any(|begin| line.trim_start().starts_with(begin));
        if is_rule { line.replace("{ user =", "{ in = \"token\", user =") } else { line.to_owned() }
    };
    let text = text.lines().map(of_line).collect::<Vec<_>>().join("\n");
    let model = Model::parse("tokens.toml", &text).ok()?;
    model.has_token_groups().then(|| (Arc::new(model), text))
}

/// In some worlds, the model that a deployment brings, and its text.
fn deployed(
    chance: &Chance,
    text: &str,
    old: &Model,
    options: Options,
) -> Result<Option<(Arc<Model>, String)>, String> {
    // Another example is written in words that `deployment` does not know.
    if !text.starts_with("model = \"random\"") || options.strange || options.changing || !chance.of_thousand(300) {
        return Ok(None);
    }
    let text = deployment::rewritten(chance, text);
    let mut model = Model::parse("deployed.toml", &text).map_err(|errors| format!("{errors}\n{text}"))?;
    (model.extra_members, model.extra_users) = (old.extra_members, old.extra_users);
    Ok(Some((Arc::new(model), text)))
}

/// Somebody may sign up. Accounts that people made under names of users have no access when nothing is left to do, and
/// then are gone.
async fn people_come_and_go(lambda: &Lambda, shards: usize) -> Result<(), String> {
    if lambda.net.chance.seed.is_multiple_of(2) {
        lambda.net.somebody_signs_up()?;
    }
    if lambda.net.watch().takers.is_empty() {
        return Ok(());
    }
    settle(lambda, shards).await;
    lambda.net.takers_leave()
}

/// What a late request has left over is nobody else's.
fn lets_sweeps_remove(model: &mut Arc<Model>) {
    let model = Arc::make_mut(model);
    model.extra_members = ExtraPolicy::Remove;
    // The loader refuses that of the users where people sign up.
    if model.user_value().is_none() {
        model.extra_users = ExtraPolicy::Remove;
    }
}

/// Cognito, EventBridge, the queues and the bucket.
fn services(sign_in: SignIn, model: &Model, clock: &Clock) -> Result<Services, String> {
    let pool = PoolOptions { sign_in, ..PoolOptions::of(model) };
    let services = Services::in_memory(pool, clock).map_err(|error| error.to_string())?;
    services.make_queue(QUEUE, QueueOptions::default());
    services.make_queue(WORK_DEAD_LETTERS, QueueOptions::default());
    let dead_letters = Some((WORK_RECEIVES, WORK_DEAD_LETTERS.to_owned()));
    let work = QueueOptions { dead_letters, visibility_timeout: WORK_HIDDEN, ..QueueOptions::default() };
    services.make_queue(WORK, work);
    services.make_bucket(BUCKET);
    Ok(services)
}

/// Draws how often each kind of fault happens in this world. Some kinds never happen.
fn rates(chance: &Chance, options: Options, is_quiet: bool) -> Rates {
    let rates = usual_rates(chance);
    let rates = if options.strange {
        Rates::default()
    } else if is_quiet {
        Rates { outage: 1, quota: 1, ..Rates::default() }
    } else if options.crowded {
        Rates { slow: 50, outage: 5, quota: 8 * rates.quota + 1, crash_before: 0, crash_after: 0, ..rates }
    } else {
        rates
    };
    Rates { late: if options.late { LATE } else { 0 }, ..rates }
}

fn usual_rates(chance: &Chance) -> Rates {
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
