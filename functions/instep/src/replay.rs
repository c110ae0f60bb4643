//! `instep replay`: replays captured stream events, and prints everything that follows from them.

mod against;
pub(crate) mod data_dir;
mod driver;
mod embedded;
mod seed;

use std::process::ExitCode;
use std::sync::Arc;

use instep_captures::Entry;
use instep_flow::stream_record::StreamRecord;
use instep_model::Model;
use jiff::Timestamp;

use crate::cli::Replay;
use crate::clock;
use crate::input::{self, Source};
use crate::model_source;
use crate::output::Output;
use crate::remote::Target;
use crate::report::{Format, Reporter, Summary};

/// A record was parked, or is left to retry.
const INCOMPLETE: u8 = 1;

/// A file of captured records.
struct CaptureFile {
    /// The path; `-` for standard input.
    name: String,
    entries: Vec<Entry>,
}

impl CaptureFile {
    fn read(source: Source) -> miette::Result<Self> {
        let entries = source.entries()?;
        Ok(Self { name: source.name, entries })
    }
}

/// The input of a replay, and its options.
struct ReplayInput<'a> {
    args: &'a Replay,
    sources: Vec<CaptureFile>,
    model: Arc<Model>,
    survey: Survey,
    /// The present time.
    now: Timestamp,
}

/// What is known from the whole input before the replay.
#[derive(Debug, Default)]
struct Survey {
    /// The number of records, and of texts that are not records.
    entries: u64,
    /// The table of the first record that names one.
    table: Option<String>,
    /// The first time of any record.
    first: Option<Timestamp>,
    /// The latest time of any record.
    latest: Option<Timestamp>,
}

/// Replays.
///
/// # Errors
/// The arguments contradict each other, the input cannot be read, or the stack fails.
pub(crate) async fn run(args: Replay, out: &mut Output) -> miette::Result<ExitCode> {
    let sources = input::find(&args.paths)?;
    // A URL or `aws` is a deployment, which the environment may name.
    let is_remote = args.against.as_deref().is_some_and(|target| Target::named(target).is_some());
    let named = if is_remote { args.deployment.model(args.model.as_deref()) } else { args.model.as_deref() };
    let origin = model_source::find(named, sources.iter().map(Source::path))?;
    let model = Arc::new(origin.load()?);
    // Each file is read and parsed once.
    let sources = sources.into_iter().map(CaptureFile::read).collect::<miette::Result<Vec<_>>>()?;
    let survey = survey(&sources);
    if args.now.is_none() && survey.latest.is_none() && survey.entries > 0 {
        tracing::warn!("no record has the time when it was written: the present time counts; set another with `--now`");
    }
    // A deployment is reconciled with the machine's time: a grant that has expired since must not
    // be restored. A replay on the embedded stack uses the captures' time, so that the same input
    // gives the same output on any day. Captures without any time leave only the machine's.
    let present = is_remote.then(clock::now);
    let now = args.now.or(present).or(survey.latest).unwrap_or_else(clock::now);
    let format = if args.json { Format::Json } else { Format::Text };
    let mut reporter = Reporter::new(out, format, survey.entries);
    let input = ReplayInput { args: &args, sources, model, survey, now };
    let summary = match &args.against {
        None => embedded::run(&input, &mut reporter).await,
        Some(target) => against::run(&input, target, &mut reporter).await,
    }?;
    reporter.flush()?;
    Ok(status(&summary))
}

fn status(summary: &Summary) -> ExitCode {
    if summary.is_complete() { ExitCode::SUCCESS } else { ExitCode::from(INCOMPLETE) }
}

impl ReplayInput<'_> {
    /// The table's name.
    fn table(&self) -> String {
        let named = self.args.deployment.table.clone().or_else(|| self.survey.table.clone());
        named.unwrap_or_else(|| self.model.name.clone())
    }
}

fn survey(sources: &[CaptureFile]) -> Survey {
    let mut survey = Survey::default();
    for source in sources {
        for entry in &source.entries {
            survey.entries += 1;
            let Ok(raw) = entry.record() else { continue };
            let record = StreamRecord::parse(raw);
            let time = record.recorded_at();
            survey.table = survey.table.or(record.table);
            survey.first = survey.first.or(time);
            survey.latest = survey.latest.max(time);
        }
    }
    survey
}
