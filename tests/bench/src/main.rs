//! Measures what a batch costs: the shipped flow over the real SDK clients, and stand-ins of the
//! services.

use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Arc;
use std::time::Duration;

use bench::flow::{Cost, Flow};
use bench::mix::{self, Mix};
use bench::page::{self, Results};
use bench::program::{self, Measured, StandIn};
use bench::stages::{Truth, of_events, stages};
use bench::standin::StandInServices;
use bench::{calls_alone, large_models, mistakes, server, small, tokens, wrong};
use clap::{Parser, Subcommand};
use instep_model::Model;

/// The model of the workload.
const MODEL: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/model.toml");

/// The records of the workload.
const RECORDS: usize = 1_000;

/// The part of the changes that are of memberships written earlier in the batch, in the hot mix, in
/// percent.
const HOT: u8 = 60;

/// The records of batches whose peak memory is measured. An event source mapping sends up to 100 at a time, unless
/// it says otherwise. Source: AWS Lambda Developer Guide, "Using AWS Lambda with Amazon DynamoDB".
const MEMORY_OF: [usize; 3] = [10, 100, RECORDS];

/// How often a batch is measured, and what the median is of.
const TIMES: usize = 9;

/// The answers of the services on loopback take so long, in milliseconds.
const DELAYS_MS: [u64; 2] = [0, 10];

/// Measures what a batch of the flow costs, and writes the figures into the documents.
///
/// Without --function only what runs in this process is measured.
#[derive(Debug, Parser)]
#[command(name = "bench", version)]
struct Cli {
    #[command(subcommand)]
    command: Option<Hidden>,
    /// The built function: `cargo build --release --bin stream` writes target/release/stream
    #[arg(long, value_name = "BINARY")]
    function: Option<PathBuf>,
    /// Also run the programs of this folder on the same events, and print ratios.
    ///
    /// Each executable file of the folder is one. BENCH_EVENT is the path of the event, BENCH_RUNS how many
    /// batches to measure, AWS_ENDPOINT_URL where the services are. It prints as its last line JSON with
    /// `cpu_ms` and `wall_ms`, the medians of a batch, and `batches`, all that it handled, with those that
    /// warm it up; `peak_mb` and `ready_ms` if it knows them, and `about`, a sentence on what it is.
    #[arg(long, value_name = "DIR", requires = "function")]
    rivals: Option<PathBuf>,
    /// Write performance.md into this folder
    #[arg(long, value_name = "DIR")]
    write: Option<PathBuf>,
}

#[derive(Debug, Subcommand)]
enum Hidden {
    /// The stand-in of the services
    #[command(hide = true)]
    StandIn,
    /// The calls of a batch, without the flow
    #[command(hide = true)]
    CallsAlone,
    /// One batch over the HTTP client in process, or the pure stages, for a profiler
    #[command(hide = true)]
    Once {
        /// `batch`, `decode`, `reconcile`, `events`, `model`
        what: String,
        /// How often
        #[arg(default_value_t = 1)]
        times: usize,
    },
}

fn main() -> ExitCode {
    let done = match Cli::parse() {
        Cli { command: Some(Hidden::StandIn), .. } => run(false, server::serve()),
        Cli { command: Some(Hidden::CallsAlone), .. } => run(false, calls_alone::run()).and_then(|line| said(&line)),
        Cli { command: Some(Hidden::Once { what, times }), .. } => once(&what, times),
        cli => measure(&cli),
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(why) => {
            let _ = writeln!(std::io::stderr(), "error: {why}");
            ExitCode::FAILURE
        }
    }
}

fn said(line: &str) -> Result<(), String> {
    writeln!(std::io::stdout(), "{line}").map_err(|error| error.to_string())
}

/// Runs a future. With a paused clock, time passes only while everything waits.
fn run<T>(paused: bool, future: impl Future<Output = Result<T, String>>) -> Result<T, String> {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().start_paused(paused).build();
    runtime.map_err(|error| error.to_string())?.block_on(future)
}

fn model() -> Result<Arc<Model>, String> {
    Model::load(Path::new(MODEL)).map(Arc::new).map_err(|errors| mistakes(&errors))
}

fn once(what: &str, times: usize) -> Result<(), String> {
    let (model, mix) = (model()?, Mix::new(RECORDS, 1, 0));
    let (records, items) = (mix.raw(), mix::table(&mix.records));
    for _ in 0..times {
        match what {
            "batch" => {
                let flow = Flow::new(&model, StandInServices::new(items.clone()), Duration::ZERO);
                run(false, flow.batch(&records))?;
            }
            "decode" => records.iter().for_each(|record| drop(instep_flow::decode::decode(&model, None, record))),
            "reconcile" => drop(stages(&model, &records, &Truth::new(&items))),
            "events" => drop(of_events(&model, &records)),
            "model" => large_models::load()?,
            _ => return Err(format!("`{what}` is none of `batch`, `decode`, `reconcile`, `events`, `model`")),
        }
    }
    Ok(())
}

fn measure(cli: &Cli) -> Result<(), String> {
    let model = model()?;
    let mut results = Results { command: command(), machine: machine(), ..Results::default() };
    in_process(&model, &mut results)?;
    results.small = run(true, small::small(&model))?;
    let models = tokens::models(Path::new(MODEL))?;
    results.sign_ins = run(false, tokens::sign_ins(&models[1]))?;
    results.import = Some(run(true, tokens::import(&models))?);
    if let Some(binary) = &cli.function {
        let binary = &binary.canonicalize().map_err(|error| format!("{}: {error}", binary.display()))?;
        #[expect(clippy::cast_precision_loss, reason = "a binary has a few MB")]
        let mb = |file: std::fs::Metadata| file.len() as f64 / 1e6;
        results.binary_mb = binary.metadata().ok().map(mb);
        programs(cli, binary, &mut results)?;
    }
    let page = page::page(&results);
    said(&page)?;
    if let Some(folder) = &cli.write {
        let path = folder.join("performance.md");
        std::fs::write(&path, &page).map_err(|error| format!("{}: {error}", path.display()))?;
    }
    Ok(())
}

fn in_process(model: &Arc<Model>, results: &mut Results) -> Result<(), String> {
    for (name, hot) in [("plain", 0), ("hot", HOT)] {
        let mix = Mix::new(RECORDS, 1, hot);
        let (records, items) = (mix.raw(), mix::table(&mix.records));
        let flow = Flow::new(model, StandInServices::new(items.clone()), Duration::ZERO);
        let mut cpu = Vec::new();
        let mut last = Cost::default();
        for _ in 0..TIMES {
            flow.reset(StandInServices::new(items.clone()));
            let cost = run(false, flow.batch(&records))?;
            cpu.push(cost.cpu.as_secs_f64() * 1000.0);
            last = cost;
        }
        if hot == 0 {
            results.in_process_ms = program::median(&mut cpu);
            results.stages = stages(model, &records, &Truth::new(&items));
            results.events = of_events(model, &records);
        }
        results.mixes.push((name, mix, last));
    }
    results.wrong = run(true, wrong::count(model, &Mix::new(RECORDS, 1, HOT), 1))?;
    Ok(())
}

fn programs(cli: &Cli, binary: &Path, results: &mut Results) -> Result<(), String> {
    let (event, file) = event(RECORDS)?;
    for delay in DELAYS_MS {
        results.programs.push((delay, of_delay(cli, binary, (&event, file.path()), delay)?));
    }
    for records in MEMORY_OF {
        let (event, file) = self::event(records)?;
        let [own, alone] = own_and_alone(&StandIn::start()?, binary, (&event, file.path()), 0)?;
        results.memory.push((records, own.peak_mb.unwrap_or_default(), alone.peak_mb.unwrap_or_default()));
    }
    Ok(())
}

/// An event of so many records, also in a file, which ends with this value.
fn event(records: usize) -> Result<(String, tempfile::NamedTempFile), String> {
    let event = Mix::new(records, 1, 0).event();
    let file = tempfile::NamedTempFile::new().map_err(|error| format!("a file for the event: {error}"))?;
    std::fs::write(file.path(), &event).map_err(|error| format!("{}: {error}", file.path().display()))?;
    Ok((event, file))
}

/// The function, and the calls alone that it makes.
fn own_and_alone(stand_in: &StandIn, binary: &Path, event: (&str, &Path), delay: u64) -> Result<[Measured; 2], String> {
    let own = stand_in.run_function((binary, Path::new(MODEL)), event.0, delay, TIMES)?;
    let alone = stand_in.run_calls_alone(&own.calls, event, delay, TIMES)?;
    Ok([own, alone])
}

fn of_delay(cli: &Cli, binary: &Path, event: (&str, &Path), delay: u64) -> Result<Vec<Measured>, String> {
    let stand_in = StandIn::start()?;
    let mut all = Vec::from(own_and_alone(&stand_in, binary, event, delay)?);
    if let Some(folder) = &cli.rivals {
        let folder = folder.canonicalize().map_err(|error| format!("{}: {error}", folder.display()))?;
        all.extend(stand_in.run_rivals(&folder, event, delay, TIMES)?);
    }
    Ok(all)
}

/// The command line, without this machine's paths.
fn command() -> String {
    let args = std::env::args().skip(1);
    let name = |arg: String| {
        let is_path = arg.starts_with('/');
        if is_path { Path::new(&arg).file_name().unwrap_or_default().to_string_lossy().into_owned() } else { arg }
    };
    let args: Vec<String> = args.map(name).collect();
    let profile = if cfg!(debug_assertions) { "" } else { "--release " };
    format!("cargo run {profile}--bin bench -- {}", args.join(" "))
}

fn machine() -> String {
    let cpus = std::fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    let model = cpus.lines().find_map(|line| line.strip_prefix("model name")?.split(": ").nth(1));
    let count = std::thread::available_parallelism().map_or(1, std::num::NonZero::get);
    format!("{} with {count} cores", model.unwrap_or("a machine"))
}
