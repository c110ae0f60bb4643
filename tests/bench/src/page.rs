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
    /// What grows: title, head of the table, lines.
    pub growth: Vec<(&'static str, &'static str, Vec<Line>)>,
}

/// The page, in Markdown.
#[must_use]
pub fn page(results: &Results) -> String {
    let mut page = String::from("# Performance\n\n");
    let _ = write!(
        page,
        "Written by the benchmark, on {}{}\n\n```sh\n{}\n```\n\n\
         The workload has 1,000 records: 400 insertions, 300 changes of memberships, 100 deleted parents with\n\
         ten children each, and 200 records that need no action. In the hot mix, 60% of the changes are to\n\
         memberships that an earlier record of the batch wrote. In-memory fakes stand in for the AWS\n\
         services. Times depend on the machine: compare only times of one run. CPU times are of the CPU clock of\n\
         the thread. Other programs still affect them, through caches and the frequency of the CPU. Times by\n\
         the clock are longer while others use the machine.\n\n\
         ![calls, CPU time and time by the clock](performance.svg)\n\n",
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
         access that has since been revoked. Instep can need fewer calls than this baseline, because it\n\
         applies only the last of several changes to one membership.\n\n",
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
            "| **all** | **{total}** |\n| baseline | {floor} |\n\nThe baseline: {}. The records give or take {}\nmemberships, and {} differ after the batch.\n\n",
            floors.join(", "),
            mix.named,
            mix.net_changes
        );
    }
    page.push_str(FEWEST);
    page.push_str("## The common small batches\n\nOnly calls made one after another add latency. The last column counts them.\n\n");
    page.push_str("| batch | calls | one after another |\n| --- | ---: | ---: |\n");
    for small in &results.small {
        let _ = writeln!(page, "| {} | {} | {} |", small.name, small.calls, small.depth);
    }
}

fn times(page: &mut String, results: &Results) {
    let us = |time: std::time::Duration| time.as_secs_f64() * 1000.0;
    let Stages { decode, plan, reconcile } = results.stages;
    let _ = write!(
        page,
        "\n## CPU time\n\nA batch of 1,000 records took {:.0} ms of CPU, with in-process HTTP and without the CPU time of the\nfakes.\n\n\
         | stage | µs a record |\n| --- | ---: |\n| decode | {:.1} |\n| plan | {:.1} |\n| reconcile | {:.1} |\n",
        results.in_process_ms,
        us(decode),
        us(plan),
        us(reconcile)
    );
}

fn programs(page: &mut String, results: &Results) {
    let Some((_, first)) = results.programs.first() else { return };
    page.push_str("\n## The built function, on loopback\n\n");
    page.push_str(ALONE);
    if first.iter().any(is_other) {
        page.push_str("The other programs ran in the same run. They handle the same events without reading what the table\nhas now, and are not in this repository.\n\n");
    }
    if let Some(mb) = results.binary_mb {
        let _ = write!(page, "The binary has {mb:.1} MB.\n\n");
    }
    for (delay, programs) in &results.programs {
        let own = programs.first().cloned().unwrap_or_default();
        let _ = write!(
            page,
            "Answers after {delay} ms:\n\n| | API calls | CPU ms | wall-clock ms | peak MB | start to ready ms |\n\
             | --- | ---: | ---: | ---: | ---: | ---: |\n"
        );
        for program in programs {
            let ratio = |value: f64, own: f64| {
                if program.name == OWN || own <= 0.0 { String::new() } else { format!(" ({:.1})", value / own) }
            };
            let or_dash = |value: Option<f64>| value.map_or("–".to_owned(), |value| format!("{value:.1}"));
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

/// Whether a program is neither Instep nor the calls alone.
fn is_other(program: &Measured) -> bool {
    !matches!(program.name.as_str(), OWN | CALLS_ALONE)
}

/// How far Instep is from the floor, and both from the best of the other programs.
fn floors(page: &mut String, results: &Results) {
    page.push_str("### How near the floor\n\n| | Instep | the floor | the best other program | Instep, ratio to it | the floor, ratio to it |\n");
    page.push_str("| --- | ---: | ---: | ---: | ---: | ---: |\n");
    for (delay, programs) in &results.programs {
        let (own, floor) = (named(programs, OWN), named(programs, CALLS_ALONE));
        let mut line = |name: &str, of: fn(&Measured) -> f64| {
            let best = programs
                .iter()
                .filter(|program| is_other(program))
                .map(of)
                .filter(|value| *value > 0.0)
                .reduce(f64::min);
            let ratio = |value: f64| best.map_or("–".to_owned(), |best| format!("{:.2}", value / best));
            let best_text = best.map_or("–".to_owned(), |best| format!("{best:.1}"));
            let (own, floor) = (of(&own), of(&floor));
            let _ =
                writeln!(page, "| {name} | {own:.1} | {floor:.1} | {best_text} | {} | {} |", ratio(own), ratio(floor));
        };
        if *delay == 0 {
            line("CPU ms", |program| program.cpu_ms);
            line("peak MB", |program| program.peak_mb.unwrap_or_default());
            line("start to ready ms", |program| program.ready_ms.unwrap_or_default());
        } else {
            line(&format!("wall-clock ms, {delay} ms a call"), |program| program.wall_ms);
        }
    }
    let ms = |time: std::time::Duration| time.as_secs_f64() * 1000.0;
    let Stages { decode, plan, reconcile } = results.stages;
    let (decode, decide) = (ms(decode), ms(plan + reconcile));
    let _ = write!(
        page,
        "\nOf CPU time, any function also needs some to parse the records: Instep takes {decode:.1} ms. To decide what\nfollows from them, it takes {decide:.1} ms. {BEYOND}"
    );
}

fn named(programs: &[Measured], name: &str) -> Measured {
    programs.iter().find(|program| program.name == name).cloned().unwrap_or_default()
}

/// What the program is that only makes the calls.
const ALONE: &str = "\
*The calls alone* is a program that makes as many calls of each operation as Instep, with the same SDK
clients and as many at the same time, and decides nothing. It checks the same resources at its start, and
keeps what it reads until a batch ends. It is the floor: a function that makes these calls with the AWS
SDK for Rust cannot need less than that. Only its start is not exactly that of a smallest program: its
binary is the benchmark's. Both read the machine's root certificates from one file, as on Lambda. In
brackets: the ratio to Instep.

";

/// What Instep needs beyond its calls.
const BEYOND: &str = "\
The rest is for events, and for requests and answers, which Instep
converts, and the calls alone do not.

The memory beyond the calls is the batch's. Its records stay in memory until they are published or parked,
what was read until nothing follows from it, and what is to be done until its phase.

";

/// Why fewer calls would break a promise.
const FEWEST: &str = "\
### Why not fewer

- *Cognito*: one call for each membership that a record gives or takes, whatever the table says now. A
  membership that a batch gives and takes again needs its call, too: an earlier attempt at the same batch
  may have stopped in between, and nothing else would take back what it gave.
- *Query*: one for the children of each deleted parent, and one for the memberships of each new user. A
  membership may have been written before its user, and waits for it.
- *BatchGetItem*: 100 items a call, and each item that a record names is read.
- *TransactWriteItems*: 100 actions a call. The tombstones of the parents go first, then the children,
  with a check that their parent still does not exist.
- *PutEvents*: ten events a call, and each change is published.

With full calls, the plain mix needs 600 + 200 + 20 + 13 + 100 = 933 calls.

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
        if title.starts_with("Records") || title.starts_with("Children") {
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
