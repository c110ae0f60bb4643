//! The page and the picture with the figures.

use std::fmt::Write as _;

use crate::growth::Line;
use crate::mix::Mix;
use crate::program::{CALLS_ALONE, Measured, OWN};
use crate::small::Small;
use crate::stages::Stages;

/// Everything that was measured.
#[derive(Debug, Default)]
pub struct Results {
    /// The command that measured it, and the machine.
    pub command: String,
    /// What the machine is.
    pub machine: String,
    /// The calls of a batch in process, plain and hot, with the floor of each.
    pub mixes: Vec<(&'static str, Mix, std::collections::BTreeMap<String, u64>)>,
    /// CPU time of the flow in process, in milliseconds.
    pub in_process_ms: f64,
    /// The stages over 1,000 records.
    pub stages: Stages,
    /// The small batches.
    pub small: Vec<Small>,
    /// The function and its rivals without a delay, and with one.
    pub programs: Vec<(u64, Vec<Measured>)>,
    /// The peak memory of the function and of the calls alone in MB, by the records of a batch.
    pub memory: Vec<(usize, f64, f64)>,
    /// The size of the function's binary, in MB.
    pub binary_mb: Option<f64>,
    /// What grows.
    pub growth: Vec<Growth>,
}

/// Something that grows: the title, the head of the table, and its lines.
pub type Growth = (&'static str, &'static str, Vec<Line>);

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
    programs(&mut page, results);
    for (title, head, lines) in &results.growth {
        let columns = head.matches('|').count() - 1;
        let _ = write!(page, "\n## {title}\n\n{head}\n|{}\n", " ---: |".repeat(columns));
        for line in lines {
            let _ = writeln!(page, "| {} | {} |", grouped(line.of), line.cells.join(" | "));
        }
    }
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

fn calls(page: &mut String, results: &Results) {
    page.push_str(
        "## Calls of a batch\n\n\
         The baseline is a function that reads the table only to find the children of a deleted parent. It\n\
         makes one Cognito call for each change, and fills each BatchWriteItem and PutEvents call. It can grant\n\
         access that has since been revoked. In the hot mix, Instep makes fewer calls: one Cognito call for a\n\
         membership, however many records of the batch change it.\n\n",
    );
    for (name, mix, calls) in &results.mixes {
        let total: u64 = calls.values().sum();
        let floor: usize = mix.floor.values().sum();
        let _ = write!(page, "### The {name} mix\n\n| operation | calls |\n| --- | ---: |\n");
        for (operation, count) in calls {
            let _ = writeln!(page, "| {operation} | {count} |");
        }
        let floors: Vec<String> = mix.floor.iter().map(|(name, count)| format!("{name} {count}")).collect();
        let _ = write!(
            page,
            "| **all** | **{total}** |\n| baseline | {floor} |\n\nThe baseline: {}. The records grant or revoke {}\nmemberships, of which {} are not the same after the batch as before it.\n\n",
            floors.join(", "),
            mix.named,
            mix.net_changes
        );
    }
    page.push_str(FEWEST);
    page.push_str("## The common small batches\n\nA sequential call waits for the one before it, so only sequential calls add latency.\n\n");
    page.push_str("| batch | calls | sequential calls |\n| --- | ---: | ---: |\n");
    for small in &results.small {
        let _ = writeln!(page, "| {} | {} | {} |", small.name, small.calls, small.depth);
    }
}

fn times(page: &mut String, results: &Results) {
    let us = |time: std::time::Duration| time.as_secs_f64() * 1000.0;
    let Stages { decode, plan, reconcile } = results.stages;
    let _ = write!(
        page,
        "\n## CPU time\n\nA batch of 1,000 records took {:.0} ms of CPU, with in-process HTTP and without the CPU time of the\nfakes. {STAGES}\
         | stage | µs a record |\n| --- | ---: |\n| decode | {:.1} |\n| plan | {:.1} |\n| reconcile | {:.1} |\n",
        results.in_process_ms,
        us(decode),
        us(plan),
        us(reconcile)
    );
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
            "Each service answers after {delay} ms:\n\n| | API calls | CPU ms | wall-clock ms | peak MB | start to ready ms |\n\
             | --- | ---: | ---: | ---: | ---: | ---: |\n"
        );
        for program in programs {
            let ratio = |value: f64, own: f64| {
                if program.name == OWN || own <= 0.0 { String::new() } else { format!(" ({:.1})", value / own) }
            };
            let _ = writeln!(
                page,
                "| {} | {:.0} | {:.0}{} | {:.0}{} | {} | {} |",
                program.name,
                program.total(),
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
    floors(page, results);
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

/// How far Instep is from the floor, and both from the lowest figure of the other programs.
fn floors(page: &mut String, results: &Results) {
    page.push_str(NEAR);
    page.push_str("| | Instep | the floor | lowest of the others | Instep ÷ lowest | floor ÷ lowest |\n");
    page.push_str("| --- | ---: | ---: | ---: | ---: | ---: |\n");
    for (delay, programs) in &results.programs {
        let (own, floor) = (named(programs, OWN), named(programs, CALLS_ALONE));
        let mut line = |name: &str, has_floor: bool, of: fn(&Measured) -> f64| {
            let best = programs
                .iter()
                .filter(|program| is_other(program))
                .map(of)
                .filter(|value| *value > 0.0)
                .reduce(f64::min);
            let ratio = |value: f64| best.map_or("–".to_owned(), |best| format!("{:.2}", value / best));
            let (own, floor) = (of(&own), has_floor.then(|| of(&floor)));
            let floor_ratio = floor.map_or("–".to_owned(), ratio);
            let _ = writeln!(
                page,
                "| {name} | {own:.1} | {} | {} | {} | {floor_ratio} |",
                or_dash(floor),
                or_dash(best),
                ratio(own)
            );
        };
        if *delay == 0 {
            line("CPU ms", true, |program| program.cpu_ms);
            line("peak MB", true, |program| program.peak_mb.unwrap_or_default());
            line("start to ready ms", false, |program| program.ready_ms.unwrap_or_default());
        } else {
            line(&format!("wall-clock ms, {delay} ms a call"), true, |program| program.wall_ms);
        }
    }
    let ms = |time: std::time::Duration| time.as_secs_f64() * 1000.0;
    let Stages { decode, plan, reconcile } = results.stages;
    let (decode, decide) = (ms(decode), ms(plan + reconcile));
    let _ = write!(
        page,
        "\nBeyond its calls, Instep takes {decode:.1} ms of CPU to parse the records, which any function has to do, and\n{decide:.1} ms to decide what follows from them. {BEYOND}"
    );
}

fn named(programs: &[Measured], name: &str) -> Measured {
    programs.iter().find(|program| program.name == name).cloned().unwrap_or_default()
}

/// The workload, and how it is measured.
const WORKLOAD: &str = "\
The workload has 1,000 records: 400 insertions (100 users, 50 groups, 250 memberships), 300 changes to
memberships (100 change the role, 50 another attribute, 150 are removals), 100 deleted parents with ten
children each, and 200 records that need no action. In the hot mix, 60% of the changes are to memberships
that an earlier record of the batch wrote. In the model of the workload, people create the Cognito users and
groups, and Instep changes only who is a member.

In-memory fakes stand in for the AWS services. Times depend on the machine: compare only times of one
execution of the benchmark. CPU time is that of the thread that is measured. Other processes still affect
it, through caches and the frequency of the CPU, and they lengthen wall-clock times.

![calls, CPU time and wall-clock time](performance.svg)

";

/// What the stages do.
const STAGES: &str = "\
Decode parses a record, plan collects what the record could affect, and reconcile decides what to
do. The rest is the calls of the SDK, and the events. Other sections measure a batch of 1,000 records in
other ways, so their figures differ.

";

/// What the program is that only makes the calls.
const ALONE: &str = "\
*The calls alone* is a program that makes as many calls of each operation as Instep, with the same SDK
clients and as many at the same time, and decides nothing. It checks the same resources at its start, and
keeps what it reads until a batch ends. It is the floor: a function that makes these calls with the AWS
SDK for Rust cannot need less CPU time or memory. Its start is no floor, because it is a part of the
benchmark's larger binary.

A start ends when the program asks for its first event; before that, Instep checks that the table, the
pool and the bus exist. Both programs read the machine's root certificates from one file, as on Lambda. In
brackets: a figure divided by Instep's.

";

/// What the programs are that Instep is compared with.
const OTHERS: &str = "\
The other programs were measured in the same execution. They handle the same events without reading the
present state of the table, and are not in this repository:

";

/// What the table of the floors has.
const NEAR: &str = "\
### Distance from the floor

Each row compares with the other program that needs least in it.

";

/// What Instep needs beyond its calls.
const BEYOND: &str = "\
The rest goes on events, and on converting requests and
responses, which the calls alone do not.

The extra memory holds the batch: its records until they are published or parked, the items that were read
until they are no longer needed, and the effects until they are applied.

";

/// Why fewer calls would break a promise.
const FEWEST: &str = "\
### Why not fewer

- *Cognito*: one call for each membership that a record grants or revokes, whatever the table says now. A
  membership that a batch grants and then revokes needs its call, too: an earlier attempt at the same batch
  may have granted it and stopped, and nothing else would revoke it.
- *Query*: one for the children of each deleted parent, and one for the memberships of each new user: a
  membership may have been written before its user, and then waits for the user.
- *BatchGetItem*: up to 100 items a call. Instep reads the items that the records name before it acts, and
  those that its effects depend on again afterwards.
- *TransactWriteItems*: up to 100 actions a call. The tombstones of the parents, which mark them as deleted,
  go first, then the deletions of the children, each with a check that its parent still does not exist.
- *PutEvents*: up to ten events a call. The workload has 1,000 events: three for a changed role, and one for
  each other change.

If each call were full, the plain mix would need 600 + 200 + 20 + 13 + 100 = 933 calls.

";

/// The height of a bar with its gap, and the width of the longest.
const BAR: usize = 22;
const WIDTH: f64 = 320.0;

/// The picture: a group of bars for each figure.
#[must_use]
pub fn picture(results: &Results) -> String {
    let mut groups: Vec<(String, Vec<(String, f64)>)> = Vec::new();
    for (name, mix, calls) in &results.mixes {
        let total: u64 = calls.values().sum();
        let floor: usize = mix.floor.values().sum();
        #[expect(clippy::cast_precision_loss, reason = "counts are small")]
        let bars = vec![("Instep".to_owned(), total as f64), ("baseline".to_owned(), floor as f64)];
        groups.push((format!("API calls, {name} mix"), bars));
    }
    for (delay, programs) in &results.programs {
        let bars =
            |of: fn(&Measured) -> f64| programs.iter().map(|program| (program.name.clone(), of(program))).collect();
        if *delay == 0 {
            groups.push(("CPU ms for 1,000 records".to_owned(), bars(|program| program.cpu_ms)));
        } else {
            groups.push((format!("wall-clock ms, {delay} ms a call"), bars(|program| program.wall_ms)));
        }
    }
    for (title, _, lines) in &results.growth {
        if title.starts_with("Many records") || title.starts_with("Children") {
            let bars = lines.iter().map(|line| (grouped(line.of), line.resident_mb)).collect();
            // The lines after the title are for the page.
            let title = title.lines().next().unwrap_or_default().to_lowercase();
            groups.push((format!("MB resident: {title}"), bars));
        }
    }
    let rows: usize = groups.iter().map(|(_, bars)| bars.len() + 2).sum();
    let mut picture = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"640\" height=\"{}\" font-family=\"sans-serif\" font-size=\"13\">\n\
         <rect width=\"100%\" height=\"100%\" fill=\"#fff\"/>\n",
        rows * BAR + 10
    );
    let mut y = 0;
    for (title, bars) in groups {
        y += BAR;
        let _ = writeln!(picture, "<text x=\"10\" y=\"{y}\" font-weight=\"bold\">{title}</text>");
        let longest = bars.iter().map(|(_, value)| *value).fold(f64::MIN_POSITIVE, f64::max);
        for (place, (name, value)) in bars.iter().enumerate() {
            y += BAR;
            let (width, colour) = (value / longest * WIDTH, if place == 0 { "#1f6f5c" } else { "#9aa5b1" });
            let _ = writeln!(
                picture,
                "<text x=\"180\" y=\"{y}\" text-anchor=\"end\">{name}</text><rect x=\"190\" y=\"{}\" width=\"{width:.0}\" \
                 height=\"14\" fill=\"{colour}\"/><text x=\"{:.0}\" y=\"{y}\">{value:.0}</text>",
                y - 12,
                196.0 + width
            );
        }
        y += BAR;
    }
    picture + "</svg>\n"
}
