//! `instep replay`: replays captured stream events, and prints everything that follows from them.

mod against;
mod driver;
mod embedded;
mod order;
mod seed;
mod time;

use std::collections::BTreeSet;
use std::path::Path;
use std::process::ExitCode;
use std::sync::{Arc, Mutex, PoisonError};

use clap::Parser as _;
use instep_captures::CapturedEntry;
use instep_console::clock;
use instep_console::data_dir;
use instep_console::input::{self, CaptureInput};
use instep_console::model_source;
use instep_console::output::Output;
use instep_console::report::{Format, Reporter, RunSummary};
use instep_console::steps;
use instep_console::writes::WriteStep;
use instep_flow::stream_record::StreamRecord;
use instep_flow::table_id::TableId;
use instep_model::{Model, escaped};
use jiff::Timestamp;
use miette::miette;
use serde_json::value::RawValue;

use crate::cli::{Cli, Command, ReplayArgs};
use crate::remote::Target;

/// A record was parked, or is left to retry.
const INCOMPLETE: u8 = 1;

/// A file of captured records.
struct CaptureFile {
    /// The path; `-` for standard input.
    name: String,
    entries: Vec<CapturedEntry>,
    /// The steps of a file of writes, which has no entries.
    steps: Vec<WriteStep>,
}

impl CaptureFile {
    /// `None` for a file of a folder that is no capture.
    fn read(source: CaptureInput) -> miette::Result<Option<Self>> {
        let text = source.text()?;
        if let Ok(utf8) = text.utf8(&source.name)
            && let Some(steps) = steps::of(&source.name, utf8)?
        {
            return Ok(Some(Self { name: source.name, entries: Vec::new(), steps }));
        }
        let Some(mut entries) = source.capture(&text)? else { return Ok(None) };
        if order::in_sequence(&mut entries) {
            tracing::warn!("`{}` is not in stream order: its records are ordered by sequence number", source.name);
        }
        Ok(Some(Self { name: source.name, entries, steps: Vec::new() }))
    }
}

/// From so many records on, records without the model's keys are an error of the whole capture.
const RECORDS_OF_ANOTHER_TABLE: u64 = 2;

/// The input of a replay, and its options.
struct ReplayInput<'a> {
    args: &'a ReplayArgs,
    sources: Vec<CaptureFile>,
    model: Arc<Model>,
    survey: Survey,
    /// The table whose records an earlier replay into the directory had.
    of_directory: Option<TableId>,
    /// The present time.
    now: Timestamp,
}

/// What is known from the whole input before the replay.
#[derive(Debug, Default)]
struct Survey {
    /// The number of records, and of texts that are not records.
    entries: u64,
    /// The table of the first record that names one.
    table: Option<TableId>,
    /// The tables of all records.
    tables: BTreeSet<TableId>,
    /// The key attributes of records, and whether any record has those of the model's table.
    key_names: BTreeSet<String>,
    has_own_keys: bool,
    /// The first time of any record.
    first: Option<Timestamp>,
    /// The latest time of any record.
    latest: Option<Timestamp>,
}

/// Replays.
pub(crate) async fn run(mut args: ReplayArgs, out: &mut Output) -> miette::Result<ExitCode> {
    // A URL or `aws` is a deployment, which the environment may name.
    let remote = args.against.as_deref().and_then(Target::named);
    let is_remote = remote.is_some();
    if let Some(target) = remote {
        args.deployment.complete(target).await;
    }
    if is_remote && args.now.is_some() && !args.dry_run {
        return Err(miette!(
            help = "the deployment's work function handles the records, at the time when it does; `--dry-run` says what it would do at another",
            "`--now` can be used with `--against URL|aws` only for a `--dry-run`"
        ));
    }
    let sources = input::find(&args.paths)?;
    let named = if is_remote { args.deployment.model(args.model.as_deref()) } else { args.model.as_deref() };
    let origin = model_source::find(named, sources.iter().map(CaptureInput::path))?;
    let model = Arc::new(origin.load()?);
    // Each file is read and parsed once.
    let sources = sources.into_iter().filter_map(|source| CaptureFile::read(source).transpose());
    let sources = sources.collect::<miette::Result<Vec<_>>>()?;
    if sources.is_empty() {
        return Err(input::no_capture());
    }
    if args.against.is_some() && sources.iter().any(|source| !source.steps.is_empty()) {
        return Err(miette!(
            help = "`instep dev MODEL --load FILE` does the writes; `instep capture --writes FILE` makes a capture of it, which has records",
            "a file of writes cannot be used with `--against`: it has no records"
        ));
    }
    let survey = survey(&sources, &model);
    survey.check_keys(&model)?;
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
    if args.why {
        reporter.with_reasons(&model);
    }
    let of_directory = args.data.as_deref().and_then(data_dir::records_of);
    let input = ReplayInput { args: &args, sources, model, survey, of_directory, now };
    let summary = match &args.against {
        None => embedded::run(&input, &mut reporter).await,
        Some(target) => against::run(&input, target, &mut reporter).await,
    }?;
    reporter.flush()?;
    Ok(status(&summary))
}

/// The events of a history, in order, as EventBridge delivers them.
pub(crate) async fn published(path: &Path, model: &str) -> miette::Result<Vec<serde_json::Value>> {
    let mut events = lines(path, model, &[]).await?;
    events.retain(|line| line.get("kind").is_some_and(|kind| kind == "event"));
    Ok(events.iter_mut().filter_map(|line| line.get_mut("event").map(serde_json::Value::take)).collect())
}

/// What a replay prints for programs, with `more` of its options.
pub(crate) async fn lines(path: &Path, model: &str, more: &[&str]) -> miette::Result<Vec<serde_json::Value>> {
    let args = [&["instep", "replay", "--json", "--model", model], more, &["--"]].concat();
    let args = args.into_iter().map(std::ffi::OsString::from).chain([path.into()]);
    let cli = Cli::try_parse_from(args).map_err(|error| miette!("{error}"))?;
    let Command::Replay(args) = cli.command else { return Ok(Vec::new()) };
    let text = Memory::default();
    run(*args, &mut Output::to(text.clone())).await?;
    let text = text.0.lock().unwrap_or_else(PoisonError::into_inner);
    Ok(text.split(|byte| *byte == b'\n').filter_map(|line| serde_json::from_slice(line).ok()).collect())
}

/// Output that is kept.
#[derive(Clone, Default)]
struct Memory(Arc<Mutex<Vec<u8>>>);

impl std::io::Write for Memory {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}

fn status(summary: &RunSummary) -> ExitCode {
    if summary.is_complete() { ExitCode::SUCCESS } else { ExitCode::from(INCOMPLETE) }
}

impl ReplayInput<'_> {
    /// All entries, each with its file.
    fn entries(&self) -> impl Iterator<Item = (&CaptureFile, &CapturedEntry)> {
        self.sources.iter().flat_map(|source| source.entries.iter().map(move |entry| (source, entry)))
    }

    /// The table whose records are replayed: the one that is named, if the captures have records of
    /// it or its ARN is given, else the one whose records the directory has, else that of the first record.
    fn records_of(&self) -> Option<TableId> {
        let first = self.survey.table.as_ref();
        let of_directory = self.of_directory.as_ref().filter(|kept| first.is_none_or(|t| t.name() == kept.name()));
        self.selected().or_else(|| of_directory.or(first).cloned())
    }

    /// The table that is named. A name alone may be that of another table, to which the records are
    /// applied. The captures say where a table of that name is.
    fn selected(&self) -> Option<TableId> {
        let named = TableId::parse(self.args.deployment.table.as_deref()?)?;
        let of_first = self.survey.table.iter().chain(&self.survey.tables).find(|table| named.may_be(table));
        if named.is_arn() { Some(named) } else { of_first.cloned() }
    }

    /// Whether a record is of another table than the one that is named. One of the same name in another account
    /// or region is not left out in silence.
    fn leaves_out(&self, raw: &RawValue) -> bool {
        let table = StreamRecord::parse(raw).table;
        let is_other = |named: TableId| table.is_none_or(|table| table.name() != named.name());
        self.selected().is_some_and(is_other)
    }

    /// The table's name.
    fn table(&self) -> String {
        let named = self.args.deployment.table.as_deref().and_then(TableId::parse);
        let table = named.as_ref().or(self.survey.table.as_ref());
        table.map_or_else(|| instep_console::model_source::default_table(&self.model), |table| table.name().to_owned())
    }
}

impl Survey {
    /// One error instead of one for each record: the capture is of another table.
    fn check_keys(&self, model: &Model) -> miette::Result<()> {
        if self.has_own_keys || self.key_names.is_empty() || self.entries < RECORDS_OF_ANOTHER_TABLE {
            return Ok(());
        }
        let (pk, sk) = (&model.table.pk, &model.table.sk);
        let names: Vec<String> = self.key_names.iter().map(|name| format!("`{}`", escaped(name))).collect();
        Err(miette!(
            help = "name the model of this table with `--model`, or correct `pk` and `sk` under `[table]`",
            "no record has the keys `{pk}` and `{sk}` of the model `{}`: the records have {}",
            model.name,
            names.join(", ")
        ))
    }
}

fn survey(sources: &[CaptureFile], model: &Model) -> Survey {
    let mut survey = Survey::default();
    for source in sources {
        survey.entries += u64::try_from(steps::count(&source.steps)).unwrap_or_default();
        survey.has_own_keys |= !source.steps.is_empty();
        survey.first = survey.first.or(source.steps.first().and_then(|step| step.at));
        survey.latest = survey.latest.max(steps::latest(&source.steps));
        for entry in &source.entries {
            survey.entries += 1;
            let Ok(raw) = entry.record() else { continue };
            let record = StreamRecord::parse(raw);
            if let Some(keys) = &record.keys {
                let names = [&model.table.pk, &model.table.sk];
                survey.has_own_keys |= names.into_iter().all(|name| keys.contains_key(name));
                survey.key_names.extend(keys.keys().cloned());
            }
            let time = record.recorded_at();
            survey.tables.extend(record.table.clone());
            survey.table = survey.table.or(record.table);
            survey.first = survey.first.or(time);
            survey.latest = survey.latest.max(time);
        }
    }
    survey
}
