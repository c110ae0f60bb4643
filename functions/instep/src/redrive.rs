//! `instep redrive`: sends stored failed work to the work queue. `instep backfill`: sends the items
//! of the table.

use std::process::ExitCode;
use std::sync::Arc;
use std::time::Instant;

use instep_aws::Run;
use instep_aws::calls::Calls;
use instep_aws::redrive::{Place as Kept, Redrive, Tally, Told};
use instep_aws::{GIVEN_UP_PREFIX, Parking};
use instep_flow::work::Origin;
use instep_model::Model;
use miette::{Report as Complaint, miette};

use crate::cli;
use crate::clock;
use crate::found;
use crate::input;
use crate::output::Output;
use crate::remote::{Remote, Scope, Target};
use crate::tell::{Form, Teller};

/// Something could not be handled.
const INCOMPLETE: u8 = 1;

/// Redrives: sends failed work to the work queue.
///
/// # Errors
/// The arguments contradict each other, a source cannot be read, or the output cannot be written.
pub(crate) async fn run(args: cli::Redrive, out: &mut Output) -> miette::Result<ExitCode> {
    let places = places(&args)?;
    let model = Arc::new(model(&args, &places)?);
    let target = Target::of_endpoint(args.endpoint.as_deref())?;
    let records_of = args.records_of.as_ref().or_else(|| args.deployment.table()).cloned();
    let scope = Scope { records_of, parking: parking(&args), needs_queue: true };
    let started = Instant::now();
    let Remote { instep, calls } = Remote::open_verified(&model, target, &args.deployment, scope).await?;
    let mut redrive = Redrive::new(&instep, now(args.dry_run));
    let mut telling = Telling::new(out, args.json, &model);
    let mut unread = None;
    for place in places {
        match place {
            Place::File(file) => {
                let text = file.text()?;
                redrive.text(&file.name, &text, Origin::Captured, &mut |told| telling.told(&told)).await;
            }
            Place::Elsewhere(name, kept) => {
                if let Err(why) = redrive.place(&kept, &mut |told| telling.told(&told)).await {
                    unread = Some(miette!("`{name}` could not be read to its end: {why}"));
                }
            }
        }
        telling.failed()?;
        if unread.is_some() {
            break;
        }
    }
    // If nothing was found, there is no summary.
    if unread.is_none() || *redrive.tally() != Tally::default() {
        telling.end(redrive.tally(), &calls, started, args.dry_run)?;
    }
    match unread {
        Some(unread) => Err(unread),
        None => Ok(status(redrive.tally())),
    }
}

/// Backfills: sends the items of the table to the work queue.
///
/// # Errors
/// A name is missing, the model is invalid, the table cannot be read, or the output cannot be
/// written.
pub(crate) async fn backfill(args: cli::Backfill, out: &mut Output) -> miette::Result<ExitCode> {
    let target = Target::of_endpoint(args.endpoint.as_deref())?;
    let model = Arc::new(found::needed(args.deployment.model(args.model.as_deref()))?.load()?);
    let started = Instant::now();
    let scope = Scope { needs_queue: true, ..Scope::default() };
    let Remote { instep, calls } = Remote::open_verified(&model, target, &args.deployment, scope).await?;
    let mut redrive = Redrive::new(&instep, now(args.dry_run));
    let mut telling = Telling::new(out, args.json, &model);
    let read = redrive.table(&mut |told| telling.told(&told)).await;
    telling.end(redrive.tally(), &calls, started, args.dry_run)?;
    read.map_err(|why| miette!("the table could not be read to its end: {why}"))?;
    Ok(status(redrive.tally()))
}

fn now(dry_run: bool) -> Run {
    Run { now: clock::now(), publish: true, dry_run, deadline: None, trace: None }
}

fn status(tally: &Tally) -> ExitCode {
    if tally.is_complete() { ExitCode::SUCCESS } else { ExitCode::from(INCOMPLETE) }
}

fn parking(args: &cli::Redrive) -> Option<Parking> {
    let (queue_url, bucket) = (args.parked_queue.clone()?, args.bucket.clone()?);
    Some(Parking { queue_url, bucket })
}

/// A place of failed work, with its name on the command line.
enum Place {
    Elsewhere(String, Kept),
    File(input::Source),
}

fn places(args: &cli::Redrive) -> miette::Result<Vec<Place>> {
    let mut places = Vec::new();
    for name in &args.sources {
        match elsewhere(args, name)? {
            Some(source) => places.push(Place::Elsewhere(name.clone(), source)),
            None => places.extend(files(name)?.into_iter().map(Place::File)),
        }
    }
    Ok(places)
}

/// Files, or standard input. They must be captures.
fn files(name: &str) -> miette::Result<Vec<input::Source>> {
    let found = input::find(&[name.into()]).map_err(|error| {
        error.wrap_err(format!(
            "`{name}` is not a file, a folder, `-`, s3://BUCKET, a queue's URL, `parked` or `failed`"
        ))
    })?;
    for source in &found {
        source.entries()?;
    }
    Ok(found)
}

/// A queue or a bucket. `None` for a file, or an invalid name.
fn elsewhere(args: &cli::Redrive, name: &str) -> miette::Result<Option<Kept>> {
    let needed = |value: &Option<String>, option: &str, variable: &str| {
        value.clone().ok_or_else(|| miette!("`{name}` needs `--{option}` (or {variable})"))
    };
    if name == "parked" {
        return Ok(Some(Kept::Queue(needed(&args.parked_queue, "parked-queue", "INSTEP_PARKED_QUEUE")?)));
    }
    if name == "failed" {
        let bucket = needed(&args.bucket, "bucket", "INSTEP_BUCKET")?;
        return Ok(Some(Kept::Bucket { bucket, prefix: GIVEN_UP_PREFIX.to_owned() }));
    }
    if let Some(rest) = name.strip_prefix("s3://") {
        let (bucket, prefix) = rest.split_once('/').unwrap_or((rest, ""));
        if bucket.is_empty() {
            return Err(miette!(help = "write s3://BUCKET or s3://BUCKET/PREFIX", "`{name}` has no bucket name"));
        }
        return Ok(Some(Kept::Bucket { bucket: bucket.to_owned(), prefix: prefix.to_owned() }));
    }
    let is_url = ["http://", "https://"].iter().any(|scheme| name.starts_with(scheme));
    Ok(is_url.then(|| Kept::Queue(name.to_owned())))
}

fn model(args: &cli::Redrive, places: &[Place]) -> miette::Result<Model> {
    let files = places.iter().filter_map(|place| match place {
        Place::File(source) => Some(source.path()),
        Place::Elsewhere(..) => None,
    });
    let named = args.deployment.model(args.model.as_deref());
    if !places.iter().any(|place| matches!(place, Place::File(_))) {
        return found::needed(named)?.load();
    }
    found::find(named, files)?.load()
}

/// Reports the progress.
struct Telling<'a, 'b> {
    teller: Teller<'b>,
    model: &'a Model,
    /// Why the output could not be written.
    failed: Option<Complaint>,
}

impl<'a, 'b> Telling<'a, 'b> {
    fn new(out: &'b mut Output, json: bool, model: &'a Model) -> Self {
        let form = if json { Form::Json } else { Form::People };
        Self { teller: Teller::counting(out, form), model, failed: None }
    }

    fn told(&mut self, told: &Told<'_>) {
        let written = match told {
            Told::Sent { name, records } => self.teller.sent(name, records.len()),
            Told::Unreadable { name, garbled } => self.teller.garbled(self.model, name, garbled),
            Told::Left { name, why } => {
                tracing::warn!(name, why, "left to retry");
                Ok(())
            }
        };
        self.failed = self.failed.take().or(written.err());
    }

    fn failed(&mut self) -> miette::Result<()> {
        self.failed.take().map_or(Ok(()), Err)
    }

    fn end(&mut self, tally: &Tally, calls: &Calls, started: Instant, dry_run: bool) -> miette::Result<()> {
        self.failed()?;
        self.teller.sent_in_all(calls.snapshot(), started.elapsed())?;
        self.teller.tally(tally, dry_run)?;
        self.teller.flush()
    }
}
