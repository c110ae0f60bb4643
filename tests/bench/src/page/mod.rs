//! The page with the figures.

mod texts;

use std::fmt::Write as _;
use std::time::Duration;

use crate::flow::Cost;
use crate::mix::{EVENTS_OF_CALL, Mix};
use crate::program::{CALLS_ALONE, Measured, OWN};
use crate::small::Small;
use crate::stages::Stages;
use crate::tokens::{ANSWER, Import, SignIns};
use crate::wrong::ANSWER_MAX;
use texts::{ALONE, BEYOND, CALLS, FEWEST, IMPORT, OTHERS, SIGN_INS, SMALL, STAGES, WORKLOAD};

/// Everything that was measured.
#[derive(Debug, Default)]
pub struct Results {
    /// The command that measured it, and the machine.
    pub command: String,
    /// What the machine is.
    pub machine: String,
    /// Batches in process, plain and hot, and what each cost.
    pub mixes: Vec<(&'static str, Mix, Cost)>,
    /// Memberships in the user pool after the hot batch that the table does not grant, and the other way round.
    pub wrong: (usize, usize),
    /// CPU time of the flow in process, in milliseconds.
    pub in_process_ms: f64,
    /// The stages over 1,000 records.
    pub stages: Stages,
    /// CPU time to make their events.
    pub events: Duration,
    /// The small batches.
    pub small: Vec<Small>,
    /// Sign-ins of users with groups in tokens alone.
    pub sign_ins: Vec<SignIns>,
    /// An import.
    pub import: Option<Import>,
    /// The function and its rivals without a delay, and with one.
    pub programs: Vec<(u64, Vec<Measured>)>,
    /// The peak memory of the function and of the calls alone in MB, by the records of a batch.
    pub memory: Vec<(usize, f64, f64)>,
    /// The size of the function's binary, in MB.
    pub binary_mb: Option<f64>,
}

/// The page, in Markdown.
#[must_use]
pub fn page(results: &Results) -> String {
    let mut page = String::from("# Performance\n\n");
    let _ = write!(
        page,
        "Written by the benchmark, on {}{}\n\n```sh\n{}\n```\n\n\
         {WORKLOAD}",
        results.machine,
        if cfg!(debug_assertions) { ". A debug build: a release build takes a\nfraction of the time." } else { ":" },
        results.command
    );
    calls(&mut page, results);
    times(&mut page, results);
    tokens(&mut page, results);
    programs(&mut page, results);
    page
}

fn grouped(number: usize) -> String {
    let digits = number.to_string();
    let mut text = String::new();
    for (place, digit) in digits.chars().enumerate() {
        if place > 0 && (digits.len() - place).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// What one call holds at most of what it is counted in. Source: the services' API references.
fn most(operation: &str) -> Option<u64> {
    match operation {
        "BatchGetItem" | "TransactWriteItems" => Some(100),
        "PutEvents" => Some(EVENTS_OF_CALL as u64),
        _ => None,
    }
}

fn calls(page: &mut String, results: &Results) {
    page.push_str(CALLS);
    for (name, mix, cost) in &results.mixes {
        let _ = write!(
            page,
            "### The {name} mix\n\n| operation | calls | keys, actions or events | calls, if each were full |\n\
             | --- | ---: | ---: | ---: |\n"
        );
        let mut fewest = 0;
        for (operation, (count, units)) in &cost.calls {
            let (units, full) = match most(operation) {
                Some(most) => (units.to_string(), units.div_ceil(most)),
                None => ("–".to_owned(), *count),
            };
            fewest += full;
            let _ = writeln!(page, "| {operation} | {count} | {units} | {full} |");
        }
        let baseline: usize = mix.baseline.values().sum();
        let parts: Vec<String> = mix.baseline.iter().map(|(name, count)| format!("{name} {count}")).collect();
        let _ = write!(
            page,
            "| **all** | **{}** | | **{fewest}** |\n| baseline | {baseline} | | |\n\nThe baseline: {}. The records \
             grant or revoke {}\ndifferent pairs of a user and a group; {} of these differ after the batch from before it.\n\n",
            cost.total(),
            parts.join(", "),
            mix.named,
            mix.net_changes
        );
    }
    let (granted, missing) = results.wrong;
    let _ = write!(
        page,
        "With random response times of up to {} ms, the user pool has {granted} memberships after the hot batch that the table\n\
         does not grant, and lacks {missing} that it grants.\n\n",
        ANSWER_MAX.as_millis()
    );
    page.push_str(FEWEST);
    page.push_str(SMALL);
    page.push_str("| batch | sequential calls | all calls |\n| --- | ---: | --- |\n");
    for small in &results.small {
        let _ = writeln!(page, "| {} | {} | {} |", small.name, small.depth, small.calls.join(", "));
    }
}

fn times(page: &mut String, results: &Results) {
    let us = |time: Duration| time.as_secs_f64() * 1000.0;
    let Stages { decode, plan, reconcile } = results.stages;
    let _ = write!(
        page,
        "\n## CPU time\n\nA batch of 1,000 records took {:.0} ms of CPU, with in-process HTTP and without the CPU time of the\nfakes: the median of nine. {STAGES}\
         | stage | µs a record |\n| --- | ---: |\n| decode | {:.1} |\n| plan | {:.1} |\n| reconcile | {:.1} |\n| events | {:.1} |\n",
        results.in_process_ms,
        us(decode),
        us(plan),
        us(reconcile),
        us(results.events)
    );
}

fn tokens(page: &mut String, results: &Results) {
    let _ = write!(
        page,
        "\n## Groups in tokens\n\n{SIGN_INS} {} ms:\n\n| grants of the user | calls | CPU µs | median ms | 99th percentile ms |\n\
         | ---: | ---: | ---: | ---: | ---: |\n",
        ANSWER.as_millis()
    );
    let ms = |time: Duration| time.as_secs_f64() * 1000.0;
    for SignIns { grants, calls, cpu, p50, p99 } in &results.sign_ins {
        let (cpu, p50, p99) = (cpu.as_micros(), ms(*p50), ms(*p99));
        let _ = writeln!(page, "| {} | {calls} | {cpu} | {p50:.1} | {p99:.1} |", grouped(*grants));
    }
    if let Some(Import { grants, in_pool, in_tokens }) = &results.import {
        let _ = write!(
            page,
            "\nAn import of {} grants takes {:.0} minutes with groups in the pool, and {:.0} seconds with groups in tokens\n{IMPORT}",
            grouped(*grants),
            in_pool.as_secs_f64() / 60.0,
            in_tokens.as_secs_f64()
        );
    }
}

fn programs(page: &mut String, results: &Results) {
    let Some((_, first)) = results.programs.first() else { return };
    page.push_str("\n## The built function, over localhost\n\n");
    page.push_str(ALONE);
    if first.iter().any(is_other) {
        page.push_str(OTHERS);
        for Measured { name, about, .. } in first.iter().filter(|program| is_other(program)) {
            let _ = writeln!(page, "- *{name}*: {}", about.as_deref().unwrap_or("no description"));
        }
        page.push('\n');
    }
    if let Some(mb) = results.binary_mb {
        let _ = write!(page, "Instep's binary is {mb:.1} MB.\n\n");
    }
    for (delay, programs) in &results.programs {
        let own = programs.first().cloned().unwrap_or_default();
        let _ = write!(
            page,
            "Each service answers after {delay} ms:\n\n| | API calls | events | CPU ms | wall-clock ms | peak MB | start to ready ms |\n\
             | --- | ---: | ---: | ---: | ---: | ---: | ---: |\n"
        );
        for program in programs {
            let ratio = |value: f64, own: f64| {
                if program.name == OWN || own <= 0.0 { String::new() } else { format!(" ({:.1})", value / own) }
            };
            let _ = writeln!(
                page,
                "| {} | {:.0} | {:.0} | {:.0}{} | {:.0}{} | {} | {} |",
                program.name,
                program.total(),
                program.events,
                program.cpu_ms,
                ratio(program.cpu_ms, own.cpu_ms),
                program.wall_ms,
                ratio(program.wall_ms, own.wall_ms),
                or_dash(program.peak_mb),
                or_dash(program.ready_ms)
            );
        }
        page.push('\n');
    }
    beyond(page, results);
    page.push_str(
        "Peak memory in MB, by the records of a batch:\n\n| records of a batch | Instep | the calls alone |\n",
    );
    page.push_str("| ---: | ---: | ---: |\n");
    for (records, own, alone) in &results.memory {
        let _ = writeln!(page, "| {} | {own:.1} | {alone:.1} |", grouped(*records));
    }
}

fn or_dash(value: Option<f64>) -> String {
    value.map_or("–".to_owned(), |value| format!("{value:.1}"))
}

/// Whether a program is neither Instep nor the calls alone.
fn is_other(program: &Measured) -> bool {
    !matches!(program.name.as_str(), OWN | CALLS_ALONE)
}

/// Where the CPU time of the function goes, as far as it is measured.
fn beyond(page: &mut String, results: &Results) {
    let Some((_, programs)) = results.programs.first() else { return };
    let (own, alone) = (named(programs, OWN).cpu_ms, named(programs, CALLS_ALONE).cpu_ms);
    let ms = |time: Duration| time.as_secs_f64() * 1000.0;
    let Stages { decode, plan, reconcile } = results.stages;
    let (decode, decide, events) = (ms(decode), ms(plan + reconcile), ms(results.events));
    let _ = write!(
        page,
        "Of Instep's {own:.1} ms of CPU, {alone:.1} ms are those of the calls alone. Decoding takes {decode:.1} ms, plan and reconcile\n\
         {decide:.1} ms, and making the events {events:.1} ms. The remaining {:.1} ms {BEYOND}",
        own - alone - decode - decide - events
    );
}

fn named(programs: &[Measured], name: &str) -> Measured {
    programs.iter().find(|program| program.name == name).cloned().unwrap_or_default()
}
