//! `instep redrive`: sends stored failed work to the work queue.

use std::process::ExitCode;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Instant;

use instep_aws::GIVEN_UP_PREFIX;
use instep_aws::RunOptions;
use instep_aws::calls::Calls;
use instep_aws::redrive::{Redrive, RedriveProgress, RedriveTally, Store};
use instep_console::clock;
use instep_console::input;
use instep_console::interrupt::stop_at_interrupt;
use instep_console::model_source;
use instep_console::output::Output;
use instep_console::report::{Format, Reporter};
use instep_flow::work::Origin;
use instep_model::Model;
use miette::{Report, miette};

use crate::cli;
use crate::names;
use crate::remote::{Needs, Remote, Target};

/// Something could not be handled.
const INCOMPLETE: u8 = 1;

/// Redrives: sends failed work to the work queue.
pub(crate) async fn run(args: cli::RedriveArgs, out: &mut Output) -> miette::Result<ExitCode> {
    let places = places(&args)?;
    let model = Arc::new(model(&args, &places)?);
    let started = Instant::now();
    let Remote { instep, calls } =
        Remote::open_verified(&model, args.at.target(), &args.at.deployment, needs(&args)).await?;
    let mut redrive = Redrive::new(&instep, now(args.dry_run));
    let mut reporter = RedriveReporter::new(out, args.json, &model);
    let stop = redrive.stop();
    tokio::spawn(stop_at_interrupt(Arc::clone(&stop), ON_INTERRUPT));
    let (mut unread, mut untouched) = (None, 0_usize);
    for place in places {
        if stop.load(Ordering::Relaxed) {
            untouched += 1;
            continue;
        }
        match place {
            FailedWork::File(file) => {
                let text = file.text()?;
                redrive.text(&file.name, text, Origin::Captured, &mut |progress| reporter.observe(&progress)).await;
            }
            FailedWork::Store(name, store) => {
                if let Err(why) = redrive.send_stored(&store, &mut |progress| reporter.observe(&progress)).await {
                    unread = Some(miette!("`{name}` could not be read to its end: {why}"));
                }
            }
        }
        reporter.failed()?;
        if unread.is_some() {
            break;
        }
    }
    // If nothing was found, there is no summary.
    if unread.is_none() || *redrive.tally() != RedriveTally::default() {
        reporter.end(redrive.tally(), &calls, started, args.dry_run)?;
    }
    match unread {
        Some(unread) => Err(unread),
        None if untouched > 0 => {
            tracing::warn!("files and sources that were not read: {untouched}; run the same command again");
            Ok(ExitCode::from(INCOMPLETE))
        }
        None => Ok(status(redrive.tally())),
    }
}

/// What a redrive does after Ctrl-C: it holds messages that it has to release.
const ON_INTERRUPT: &str = "it ends after the messages that it has received; another Ctrl-C ends it at once, and leaves \
                            messages hidden for 15 minutes";

fn now(dry_run: bool) -> RunOptions {
    RunOptions { now: clock::now(), publish: true, dry_run, deadline: None, adopt_before: None, trace: None }
}

fn status(tally: &RedriveTally) -> ExitCode {
    if tally.is_complete() { ExitCode::SUCCESS } else { ExitCode::from(INCOMPLETE) }
}

/// A redrive parks nothing itself. It needs the bucket for records that fit no message of the work
/// queue.
fn needs(args: &cli::RedriveArgs) -> Needs {
    let records_of = args.records_of.as_ref().or_else(|| args.at.deployment.table()).cloned();
    Needs { records_of, bucket: args.failed.bucket.clone(), needs_queue: true, ..Needs::default() }
}

/// A place of failed work, with its name on the command line.
enum FailedWork {
    Store(String, Store),
    File(input::CaptureInput),
}

fn places(args: &cli::RedriveArgs) -> miette::Result<Vec<FailedWork>> {
    let mut places = Vec::new();
    for name in &args.sources {
        match store(args, name)? {
            Some(source) => places.push(FailedWork::Store(name.clone(), source)),
            None => places.extend(files(name)?.into_iter().map(FailedWork::File)),
        }
    }
    Ok(places)
}

/// Files, or standard input. They must be captures. What is no capture in a folder is left out.
fn files(name: &str) -> miette::Result<Vec<input::CaptureInput>> {
    let found = input::find(&[name.into()]).map_err(|error| {
        error.wrap_err(format!(
            "`{name}` is not a file, a folder, `-`, s3://BUCKET, a queue's URL, `parked` or `failed`"
        ))
    })?;
    let mut captures = Vec::new();
    for source in found {
        let text = source.text()?;
        if source.capture(&text)?.is_some() {
            captures.push(source);
        }
    }
    if captures.is_empty() {
        return Err(input::no_capture());
    }
    Ok(captures)
}

/// A queue or a bucket. `None` for a file, or an invalid name.
fn store(args: &cli::RedriveArgs, name: &str) -> miette::Result<Option<Store>> {
    let needed = |value: &Option<String>, option: &str, variable: &str| {
        value.clone().ok_or_else(|| miette!("`{name}` needs `--{option}` (or {variable})"))
    };
    if name == "parked" {
        return Ok(Some(Store::Queue(needed(&args.failed.parked_queue, "parked-queue", "INSTEP_PARKED_QUEUE")?)));
    }
    if name == "failed" {
        let bucket = needed(&args.failed.bucket, "bucket", "INSTEP_BUCKET")?;
        return Ok(Some(Store::Bucket { bucket, prefix: GIVEN_UP_PREFIX.to_owned() }));
    }
    if let Some(rest) = name.strip_prefix("s3://") {
        let (bucket, prefix) = rest.split_once('/').unwrap_or((rest, ""));
        names::bucket(bucket).map_err(|why| miette!(help = "write s3://BUCKET or s3://BUCKET/PREFIX", "{why}"))?;
        return Ok(Some(Store::Bucket { bucket: bucket.to_owned(), prefix: prefix.to_owned() }));
    }
    if Target::named(name).is_some_and(|target| target != Target::Aws) {
        return Ok(Some(Store::Queue(names::url(name).map_err(|why| miette!("{why}"))?)));
    }
    Ok(None)
}

fn model(args: &cli::RedriveArgs, places: &[FailedWork]) -> miette::Result<Model> {
    let files = places.iter().filter_map(|place| match place {
        FailedWork::File(source) => Some(source.path()),
        FailedWork::Store(..) => None,
    });
    let named = args.at.deployment.model(args.at.model.as_deref());
    if !places.iter().any(|place| matches!(place, FailedWork::File(_))) {
        return model_source::needed(named)?.load();
    }
    model_source::find(named, files)?.load()
}

/// Reports the progress.
struct RedriveReporter<'a, 'b> {
    reporter: Reporter<'b>,
    model: &'a Model,
    /// Why the output could not be written.
    failed: Option<Report>,
}

impl<'a, 'b> RedriveReporter<'a, 'b> {
    fn new(out: &'b mut Output, json: bool, model: &'a Model) -> Self {
        let format = if json { Format::Json } else { Format::Text };
        Self { reporter: Reporter::counting(out, format), model, failed: None }
    }

    fn observe(&mut self, progress: &RedriveProgress<'_>) {
        let written = match progress {
            RedriveProgress::Sent { name, records } => self.reporter.sent(name, records.len()),
            RedriveProgress::Unreadable { name, garbled } => self.reporter.garbled(self.model, name, garbled),
            RedriveProgress::Left { name, why } => {
                tracing::warn!(name, why, "left to retry");
                Ok(())
            }
        };
        self.failed = self.failed.take().or(written.err());
    }

    fn failed(&mut self) -> miette::Result<()> {
        self.failed.take().map_or(Ok(()), Err)
    }

    fn end(&mut self, tally: &RedriveTally, calls: &Calls, started: Instant, dry_run: bool) -> miette::Result<()> {
        self.failed()?;
        self.reporter.sent_in_all(calls.snapshot(), started.elapsed())?;
        self.reporter.tally(tally, dry_run)?;
        self.reporter.flush()
    }
}

#[cfg(test)]
mod tests {
    use clap::Parser as _;

    use crate::cli::{Cli, Command};

    /// A batch that Lambda gave up on may have a record that fits no message: it goes to the bucket,
    /// also if no queue of parked records is named.
    #[test]
    fn a_redrive_keeps_large_records_in_the_bucket() {
        let words = ["instep", "redrive", "failed", "--bucket", "failed", "--table", "teams"];
        let Command::Redrive(args) = Cli::try_parse_from(words).unwrap().command else { panic!("no redrive") };
        assert_eq!(super::needs(&args).bucket.as_deref(), Some("failed"));
    }

    /// A folder may have other files: they are left out as `replay` leaves them out.
    #[test]
    fn other_json_in_a_folder_is_left_out() {
        let folder = tempfile::tempdir().unwrap();
        let path = |name: &str| folder.path().join(name).display().to_string();
        for (name, text) in [("object.json", "{\"name\": \"site\"}"), ("array.json", "[{\"name\": \"site\"}]")] {
            std::fs::write(path(name), text).unwrap();
        }
        let files = |name: &str| super::files(&path(name));
        assert_eq!(files("").unwrap_err().to_string(), "no file of the folder is a capture");
        let record = r#"{"eventID":"1","eventName":"INSERT","dynamodb":{"Keys":{"pk":{"S":"1"}}}}"#;
        std::fs::write(path("records.json"), record).unwrap();
        let found = files("").unwrap();
        assert_eq!(found.iter().map(|source| source.name.clone()).collect::<Vec<_>>(), [path("records.json")]);
        assert!(files("array.json").unwrap_err().to_string().contains("is not a capture"), "it was named itself");
    }
}
