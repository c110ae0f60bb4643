//! Runs many seeds, or one seed with a trace of everything that happened.

use std::collections::BTreeMap;
use std::fs::OpenOptions;
use std::hash::{DefaultHasher, Hash as _, Hasher as _};
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::Instant;

use clap::Parser;
use simulate::chance::fresh_start;
use simulate::{Options, WorldOutcome, run};

/// One turn of `--forever`: how many seeds of each kind of world. Kinds that find more or cost less
/// get more.
const TURN: [(u64, Options); 6] = [
    (1_000, Options { traced: false, late: false, crowded: false, wide: false, strange: false, changing: false }),
    (200, Options { traced: false, late: false, crowded: true, wide: false, strange: false, changing: false }),
    (40, Options { traced: false, late: true, crowded: false, wide: false, strange: false, changing: false }),
    (1, Options { traced: false, late: false, crowded: false, wide: true, strange: false, changing: false }),
    (400, Options { traced: false, late: false, crowded: false, wide: false, strange: true, changing: false }),
    (200, Options { traced: false, late: false, crowded: false, wide: false, strange: false, changing: true }),
];

/// Broken seeds that a summary lists.
const LISTED_MAX: usize = 20;

/// Run the shipped flow in worlds with faults, and check the promises
#[derive(Debug, Parser)]
struct Args {
    /// How many seeds to run.
    #[arg(long, default_value_t = 1_000)]
    seeds: u64,
    /// The first seed. The default is random, and the summary names it.
    #[arg(long)]
    from: Option<u64>,
    /// Run one seed and print its trace.
    #[arg(long, conflicts_with_all = ["seeds", "from", "forever"])]
    seed: Option<u64>,
    /// Run fresh seeds of all kinds of worlds until stopped (Ctrl-C), a turn of each kind after
    /// another.
    #[arg(long, conflicts_with_all = ["seeds", "from", "late", "crowded", "wide", "strange", "changing"])]
    forever: bool,
    /// Append each seed that breaks a promise to this file, as soon as it is found.
    #[arg(long, value_name = "FILE", default_value_if("forever", "true", "broken-seeds.txt"))]
    record: Option<PathBuf>,
    /// Requests to Cognito may complete after their timeout. A sweep repairs what they break.
    #[arg(long)]
    late: bool,
    /// Most writes are about the same few objects at the same moment, so that races are likely.
    #[arg(long)]
    crowded: bool,
    /// A parent has thousands of children, more than one invocation deletes. A seed takes some ten
    /// seconds.
    #[arg(long)]
    wide: bool,
    /// The model is a random one with some of its words changed. Each is refused, or does what it
    /// says.
    #[arg(long)]
    strange: bool,
    /// Another model is deployed in the middle of the traffic. In the end, the world is as if it had been the model from the
    /// start.
    #[arg(long, conflicts_with_all = ["late", "crowded", "wide", "strange"])]
    changing: bool,
    /// Print for each seed the number of its calls and a digest of its whole trace, and no summary. A change that is
    /// to change no behaviour leaves all digests as they are: print them before and after, from the same seed.
    #[arg(long, conflicts_with_all = ["seed", "forever"], requires = "from")]
    digests: bool,
}

fn main() -> ExitCode {
    let args = Args::parse();
    let Args { late, crowded, wide, strange, changing, digests, .. } = args;
    let options = Options { traced: args.seed.is_some() || digests, late, crowded, wide, strange, changing };
    if let Some(seed) = args.seed {
        return one(seed, options);
    }
    let record = args.record.as_deref();
    if args.forever {
        loop {
            for (seeds, options) in TURN {
                many(fresh_start(), seeds, options, record);
            }
        }
    }
    many(args.from.unwrap_or_else(fresh_start), args.seeds, options, record)
}

fn one(seed: u64, options: Options) -> ExitCode {
    let mut out = std::io::stdout().lock();
    match run(seed, options) {
        Ok(WorldOutcome { broken, trace, table, .. }) => {
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
    /// Worlds whose model has each word, and those in which the word had an effect.
    words: BTreeMap<&'static str, (u64, u64)>,
    broken: Vec<(u64, String)>,
    /// The calls of each traced seed, and a digest of its trace.
    digests: BTreeMap<u64, (u64, u64)>,
}

impl Sum {
    fn add(&mut self, seed: u64, outcome: WorldOutcome) {
        if !outcome.trace.is_empty() {
            let mut digest = DefaultHasher::new();
            (&outcome.trace, &outcome.table).hash(&mut digest);
            self.digests.insert(seed, (outcome.calls.values().sum(), digest.finish()));
        }
        for (fault, count) in outcome.faults {
            *self.faults.entry(fault).or_default() += count;
        }
        for (promise, count) in outcome.checks {
            *self.checks.entry(promise).or_default() += count;
        }
        for (operation, count) in outcome.calls {
            *self.calls.entry(operation).or_default() += count;
        }
        for (word, has_effect) in outcome.words {
            let (drawn, effective) = self.words.entry(word).or_default();
            (*drawn, *effective) = (*drawn + 1, *effective + u64::from(has_effect));
        }
        *self.models.entry(outcome.model).or_default() += 1;
    }
}

fn many(from: u64, seeds: u64, options: Options, record: Option<&Path>) -> ExitCode {
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
            let broken = match ran {
                Ok(mut outcome) => {
                    let broken = std::mem::take(&mut outcome.broken).into_iter().next();
                    sum.add(seed, outcome);
                    broken
                }
                Err(why) => Some(why),
            };
            if let Some(what) = broken {
                note(record, seed, options, &what);
                sum.broken.push((seed, what));
            }
        }
    };
    let threads = std::thread::available_parallelism().map_or(1, usize::from);
    std::thread::scope(|scope| (0..threads).for_each(|_| drop(scope.spawn(work))));
    let sum = sum.into_inner().unwrap_or_else(PoisonError::into_inner);
    summarize(sum, (from, seeds), options, started.elapsed().as_secs_f64())
}

/// Appends a broken seed to the file at once, so that a stopped run loses nothing.
fn note(record: Option<&Path>, seed: u64, options: Options, what: &str) {
    let Some(path) = record else { return };
    let line = format!("{}\n    {what}\n", command(seed, options));
    let written =
        OpenOptions::new().create(true).append(true).open(path).and_then(|mut file| file.write_all(line.as_bytes()));
    if let Err(error) = written {
        let _ = writeln!(std::io::stderr(), "cannot write {}: {error}", path.display());
    }
}

fn summarize(mut sum: Sum, (from, seeds): (u64, u64), options: Options, seconds: f64) -> ExitCode {
    sum.broken.sort();
    let mut out = std::io::stdout().lock();
    if options.traced {
        for (seed, (calls, digest)) in &sum.digests {
            let _ = writeln!(out, "{seed} {calls} {digest:016x}");
        }
        return ExitCode::SUCCESS;
    }
    #[expect(clippy::cast_precision_loss, reason = "for people")]
    let speed = seeds as f64 / seconds;
    let _ = writeln!(out, "{seeds} seeds from {from}{} in {seconds:.1} s: {speed:.0} runs a second", flags(options));
    let _ = writeln!(out, "models:   {}", list(&sum.models));
    let words = sum.words.iter().map(|(word, (drawn, effective))| format!("{word} {effective}/{drawn}"));
    let _ = writeln!(out, "words (effective/drawn): {}", words.collect::<Vec<_>>().join(", "));
    let _ = writeln!(out, "faults:   {}", list(&sum.faults));
    let _ = writeln!(out, "calls:    {}", list(&sum.calls));
    let checks = sum.checks.iter().map(|(promise, count)| format!("{promise}: {count}"));
    let _ = writeln!(out, "promises: {}", checks.collect::<Vec<_>>().join(", "));
    let _ = writeln!(out, "broken:   {}", sum.broken.len());
    for (seed, what) in sum.broken.iter().take(LISTED_MAX) {
        let short: String = what.chars().take(300).collect();
        let _ = writeln!(out, "  {short}\n    {}", command(*seed, options));
    }
    if sum.broken.is_empty() { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

/// The command that repeats a seed.
fn command(seed: u64, options: Options) -> String {
    format!("cargo run --bin simulate -- --seed {seed}{}", flags(options))
}

fn flags(options: Options) -> String {
    let Options { late, crowded, wide, strange, changing, .. } = options;
    let flags = [
        (late, " --late"),
        (crowded, " --crowded"),
        (wide, " --wide"),
        (strange, " --strange"),
        (changing, " --changing"),
    ];
    flags.into_iter().filter(|(is_set, _)| *is_set).map(|(_, flag)| flag).collect()
}

fn list(counts: &BTreeMap<String, u64>) -> String {
    counts.iter().map(|(name, count)| format!("{name} {count}")).collect::<Vec<_>>().join(", ")
}
