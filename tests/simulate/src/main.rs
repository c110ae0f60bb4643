//! Runs many seeds, or one and tells all that happened.

use std::collections::BTreeMap;
use std::io::Write as _;
use std::process::ExitCode;
use std::sync::Mutex;
use std::sync::PoisonError;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Instant;

use clap::Parser;
use simulate::{Options, Outcome, run};

/// Run the shipped flow in worlds that do their worst, and check the promises
#[derive(Debug, Parser)]
struct Args {
    /// How many seeds.
    #[arg(long, default_value_t = 1_000)]
    seeds: u64,
    /// The first of them.
    #[arg(long, default_value_t = 0)]
    from: u64,
    /// Run this one and tell all that happens.
    #[arg(long, conflicts_with_all = ["seeds", "from"])]
    seed: Option<u64>,
    /// Requests to Cognito may land after their timeout: says how often that did harm, which only a sweep can mend.
    #[arg(long)]
    late: bool,
    /// Most of what happens is about the same few, at the same moment: races show sooner.
    #[arg(long)]
    crowded: bool,
    /// Somebody writes a parent with thousands of children, more than one invocation takes along: a seed takes some ten seconds.
    #[arg(long)]
    wide: bool,
}

fn main() -> ExitCode {
    let args = Args::parse();
    let Args { late, crowded, wide, .. } = args;
    let options = Options { traced: args.seed.is_some(), late, crowded, wide };
    match args.seed {
        Some(seed) => one(seed, options),
        None => many(args.from, args.seeds, options),
    }
}

fn one(seed: u64, options: Options) -> ExitCode {
    let mut out = std::io::stdout().lock();
    match run(seed, options) {
        Ok(Outcome { broken, trace, table, .. }) => {
            let _ = writeln!(out, "{}\n\nthe table:\n{table}", trace.join("\n"));
            let _ = writeln!(out, "{} broken\n{}", broken.len(), broken.join("\n"));
            if broken.is_empty() { ExitCode::SUCCESS } else { ExitCode::FAILURE }
        }
        Err(why) => {
            let _ = writeln!(out, "{why}");
            ExitCode::FAILURE
        }
    }
}

#[derive(Default)]
struct Sum {
    faults: BTreeMap<String, u64>,
    calls: BTreeMap<String, u64>,
    checks: BTreeMap<u8, u64>,
    models: BTreeMap<String, u64>,
    broken: Vec<(u64, String)>,
}

fn many(from: u64, seeds: u64, options: Options) -> ExitCode {
    let next = AtomicU64::new(from);
    let sum = Mutex::new(Sum::default());
    let started = Instant::now();
    let work = || {
        loop {
            let seed = next.fetch_add(1, Ordering::Relaxed);
            if seed >= from.saturating_add(seeds) {
                return;
            }
            let ran = run(seed, options);
            let mut sum = sum.lock().unwrap_or_else(PoisonError::into_inner);
            match ran {
                Ok(outcome) => {
                    for (fault, count) in outcome.faults {
                        *sum.faults.entry(fault).or_default() += count;
                    }
                    *sum.models.entry(outcome.model).or_default() += 1;
                    for (promise, count) in outcome.checks {
                        *sum.checks.entry(promise).or_default() += count;
                    }
                    for (operation, count) in outcome.calls {
                        *sum.calls.entry(operation).or_default() += count;
                    }
                    sum.broken.extend(outcome.broken.first().map(|what| (seed, what.clone())));
                }
                Err(why) => sum.broken.push((seed, why)),
            }
        }
    };
    let threads = std::thread::available_parallelism().map_or(1, usize::from);
    std::thread::scope(|scope| (0..threads).for_each(|_| drop(scope.spawn(work))));
    let took = started.elapsed().as_secs_f64();
    let mut sum = sum.into_inner().unwrap_or_else(PoisonError::into_inner);
    sum.broken.sort();
    let mut out = std::io::stdout().lock();
    #[expect(clippy::cast_precision_loss, reason = "for people")]
    let speed = seeds as f64 / took;
    let _ = writeln!(out, "{seeds} seeds from {from} in {took:.1} s: {speed:.0} runs a second");
    let _ = writeln!(out, "models:   {}", list(&sum.models));
    let _ = writeln!(out, "faults:   {}", list(&sum.faults));
    let _ = writeln!(out, "calls:    {}", list(&sum.calls));
    let checks = sum.checks.iter().map(|(promise, count)| format!("{promise}: {count}"));
    let _ = writeln!(out, "promises: {}", checks.collect::<Vec<_>>().join(", "));
    let _ = writeln!(out, "broken:   {}", sum.broken.len());
    for (seed, what) in sum.broken.iter().take(20) {
        let short: String = what.chars().take(300).collect();
        let late = if options.late { " --late" } else { "" };
        let crowded = if options.crowded { " --crowded" } else { "" };
        let wide = if options.wide { " --wide" } else { "" };
        let _ = writeln!(out, "  {short}\n    cargo run -p simulate -- --seed {seed}{late}{crowded}{wide}");
    }
    if sum.broken.is_empty() { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

fn list(counts: &BTreeMap<String, u64>) -> String {
    counts.iter().map(|(name, count)| format!("{name} {count}")).collect::<Vec<_>>().join(", ")
}
