//! `instep doctor`: reports what a deployment lacks, and the fix.

use std::collections::BTreeMap;
use std::process::ExitCode;

use instep_aws::Parking;
use instep_console::output::Output;
use instep_doctor::{CheckResult, Doctor, Examination, Level};
use owo_colors::OwoColorize as _;
use serde::Serialize;

use crate::cli;
use crate::remote::{Needs, Remote, Target};

/// Something is wrong.
const WRONG: u8 = 1;

/// The width of a finding's resource.
const OF: usize = 13;

/// Runs the checks.
pub(crate) async fn run(args: cli::DoctorArgs, out: &mut Output) -> miette::Result<ExitCode> {
    let (target, model) = (args.at.target(), args.at.model()?);
    let parking = args.failed.parked_queue.clone().zip(args.failed.bucket.clone());
    let parking = parking.map(|(queue_url, bucket)| Parking { queue_url, bucket });
    let needs = Needs { parking, ..Needs::default() };
    let Remote { instep, .. } = Remote::open(&model, target, &args.at.deployment, needs).await?;
    let examination = Examination { is_aws: target == Target::Aws, scan: args.scan };
    let mut counts: BTreeMap<Level, usize> = BTreeMap::new();
    let told = |finding: CheckResult| {
        *counts.entry(finding.level).or_default() += 1;
        out.line(&if args.json { json(&finding) } else { text(&finding) })?;
        // Some checks take a while.
        out.flush()
    };
    Doctor::of(&instep).examine(examination, told).await?;
    let [fine, notes, unknown, wrong] = [Level::Fine, Level::Note, Level::Unknown, Level::Wrong]
        .map(|level| counts.get(&level).copied().unwrap_or_default());
    if !args.json {
        out.line(&format!("\n{fine} fine, {notes} notes, {unknown} unknown, {wrong} wrong"))?;
        out.flush()?;
    }
    Ok(if wrong + unknown == 0 { ExitCode::SUCCESS } else { ExitCode::from(WRONG) })
}

fn word(level: Level) -> &'static str {
    match level {
        Level::Fine => "fine",
        Level::Note => "note",
        Level::Unknown => "unknown",
        Level::Wrong => "wrong",
    }
}

fn text(finding: &CheckResult) -> String {
    let word = word(finding.level);
    let padded = format!("{word:<7}");
    let word = match finding.level {
        Level::Fine => padded.green().to_string(),
        Level::Note => padded.yellow().to_string(),
        Level::Unknown | Level::Wrong => padded.red().to_string(),
    };
    let says = format!("{word} {:<OF$} {}", finding.resource, finding.message);
    match &finding.fix {
        Some(fix) => format!("{says}\n{:indent$}fix: {fix}", "", indent = OF + 9),
        None => says,
    }
}

fn json(finding: &CheckResult) -> String {
    #[derive(Serialize)]
    struct Line<'a> {
        of: &'a str,
        level: &'a str,
        says: &'a str,
        #[serde(skip_serializing_if = "Option::is_none")]
        fix: Option<&'a str>,
    }
    let line =
        Line { of: finding.resource, level: word(finding.level), says: &finding.message, fix: finding.fix.as_deref() };
    serde_json::to_string(&line).unwrap_or_default()
}
