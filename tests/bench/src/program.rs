//! Programs on the loopback interface: the built function, and what it is compared with. Each runs on
//! one core, and the stand-in on another.

use std::collections::BTreeMap;
use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::TcpStream;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use serde_json::Value;

use crate::server;

/// The variable with the calls of a batch, by operation.
pub(crate) const COUNTS: &str = "BENCH_CALLS";

/// How often and how long the answer of a function is awaited.
const POLL: Duration = Duration::from_millis(2);
const PATIENCE: Duration = Duration::from_secs(120);

/// The variable with the time at which a program was started, in microseconds since 1970.
const STARTED: &str = "BENCH_STARTED";

/// The name of the built function.
pub const OWN: &str = "Instep";

/// The name of the program that makes the calls of a batch alone.
pub const CALLS_ALONE: &str = "the calls alone";

/// What a program measured, or what was measured of it.
#[derive(Debug, Clone, Default)]
pub struct Measured {
    /// Its name.
    pub name: String,
    /// Calls of one batch, by operation.
    pub calls: BTreeMap<String, f64>,
    /// Events that it published for one batch.
    pub events: f64,
    /// CPU time of a batch: the median, in milliseconds.
    pub cpu_ms: f64,
    /// Time by the clock of a batch: the median, in milliseconds.
    pub wall_ms: f64,
    /// Peak memory of the process, in MB.
    pub peak_mb: Option<f64>,
    /// From the start of the process until it asks for the first event, in milliseconds.
    pub ready_ms: Option<f64>,
    /// What it is, in a sentence.
    pub about: Option<String>,
}

impl Measured {
    /// All calls of a batch.
    #[must_use]
    pub fn total(&self) -> f64 {
        self.calls.values().sum()
    }
}

/// A process that ends with this value.
struct Process(Child);

impl Drop for Process {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

/// The stand-in in a process of its own.
pub struct StandIn {
    _process: Process,
    port: u16,
}

/// Starts a program on one core, if the system can do that. A process inherits the cores of the thread that
/// starts it.
#[cfg(target_os = "linux")]
fn spawn_on(core: usize, command: &mut Command) -> std::io::Result<Child> {
    use rustix::thread::{CpuSet, sched_getaffinity, sched_setaffinity};
    let Ok(own) = sched_getaffinity(None) else { return command.spawn() };
    let mut only = CpuSet::new();
    only.set(core);
    let _ = sched_setaffinity(None, &only);
    let child = command.spawn();
    let _ = sched_setaffinity(None, &own);
    child
}

#[cfg(not(target_os = "linux"))]
fn spawn_on(_core: usize, command: &mut Command) -> std::io::Result<Child> {
    command.spawn()
}

/// The variable with the file of root certificates, and that file on Debian. There each certificate is also in
/// a file of its own, and a program reads both. On Lambda's image they are in one file, and its directory has
/// only links to it. Source: pull request 1661 of `aws/aws-lambda-dotnet`.
const ROOTS: (&str, &str) = ("SSL_CERT_FILE", "/etc/ssl/certs/ca-certificates.crt");

/// [`ROOTS`], if the file is there.
fn roots() -> Option<(&'static str, &'static str)> {
    Path::new(ROOTS.1).exists().then_some(ROOTS)
}

impl StandIn {
    /// Starts the stand-in.
    ///
    /// # Errors
    /// The process does not start.
    pub fn start() -> Result<Self, String> {
        let own = std::env::current_exe().map_err(|error| format!("this program is not found: {error}"))?;
        let child = spawn_on(1, Command::new(own).arg("stand-in").stdout(Stdio::piped()));
        let mut child = child.map_err(|error| format!("the stand-in does not start: {error}"))?;
        let mut line = String::new();
        let stdout = child.stdout.take().ok_or("the stand-in has no output")?;
        BufReader::new(stdout).read_line(&mut line).map_err(|error| format!("the stand-in says nothing: {error}"))?;
        let port = line.trim().parse().map_err(|_| format!("the stand-in names no port: `{}`", line.trim()))?;
        Ok(Self { _process: Process(child), port })
    }

    fn url(&self) -> String {
        format!("http://127.0.0.1:{}", self.port)
    }

    /// Asks the stand-in itself.
    fn ask(&self, path: &str, body: &str) -> Result<Value, String> {
        let failed = |error: std::io::Error| format!("the stand-in does not answer: {error}");
        let mut stream = TcpStream::connect(("127.0.0.1", self.port)).map_err(failed)?;
        let head =
            format!("POST {path} HTTP/1.1\r\nhost: x\r\nconnection: close\r\ncontent-length: {}\r\n\r\n", body.len());
        stream.write_all(head.as_bytes()).and_then(|()| stream.write_all(body.as_bytes())).map_err(failed)?;
        let mut answer = String::new();
        stream.read_to_string(&mut answer).map_err(failed)?;
        let (_, body) = answer.split_once("\r\n\r\n").unwrap_or_default();
        serde_json::from_str(body).map_err(|_| format!("the stand-in answered `{body}`"))
    }

    /// Runs the built function over an event, `times` times, with answers that take `delay_ms`.
    ///
    /// # Errors
    /// The function does not start, or does not handle the event.
    pub fn run_function(
        &self,
        (binary, model): (&Path, &Path),
        event: &str,
        delay_ms: u64,
        times: usize,
    ) -> Result<Measured, String> {
        let mut measured = Measured { name: OWN.to_owned(), ..Measured::default() };
        let mut starts = Vec::new();
        let mut last = None;
        for _ in 0..times {
            drop(last.take());
            let (process, ready_ms) = self.start_and_wait((binary, model), delay_ms)?;
            starts.push(ready_ms);
            last = Some(process);
        }
        let mut process = last.ok_or("a measurement of nothing")?;
        let pid = process.0.id();
        measured.ready_ms = Some(median(&mut starts));
        let (mut cpu, mut wall) = (Vec::new(), Vec::new());
        for responses in 1..=times as u64 {
            let before = cpu_ms(pid);
            self.ask("/batch", event)?;
            let is_answered = |stats: &Value| stats.get("responses").and_then(Value::as_u64) == Some(responses);
            let stats = self.wait_until(&mut process, is_answered)?;
            let failed = stats
                .pointer("/failures/batchItemFailures")
                .and_then(Value::as_array)
                .is_none_or(|all| !all.is_empty());
            if failed {
                return Err(format!(
                    "the function did not handle the batch: {}",
                    stats.get("failures").unwrap_or(&Value::Null)
                ));
            }
            std::thread::sleep(POLL);
            cpu.push(cpu_ms(pid) - before);
            wall.push(stats.get("took_us").and_then(Value::as_f64).unwrap_or_default() / 1000.0);
            (measured.calls, measured.events) = (calls(&stats, 1.0), events(&stats, 1.0));
        }
        (measured.cpu_ms, measured.wall_ms) = (median(&mut cpu), median(&mut wall));
        measured.peak_mb = peak_mb(pid);
        Ok(measured)
    }

    /// Starts the function, and waits until it asks for its first event. Returns the milliseconds until
    /// then.
    fn start_and_wait(&self, (binary, model): (&Path, &Path), delay_ms: u64) -> Result<(Process, f64), String> {
        self.ask(&format!("/delay/{delay_ms}"), "")?;
        let began_us = server::now_us();
        let mut process = Process(self.start_function(binary, model)?);
        let ready_us = |stats: &Value| stats.get("ready_us").and_then(Value::as_u64);
        let stats = self.wait_until(&mut process, |stats| ready_us(stats).is_some())?;
        let took_us = u128::from(ready_us(&stats).unwrap_or_default()).saturating_sub(began_us);
        #[expect(clippy::cast_precision_loss, reason = "a start takes less than a minute")]
        Ok((process, took_us as f64 / 1000.0))
    }

    fn start_function(&self, binary: &Path, model: &Path) -> Result<Child, String> {
        let url = self.url();
        let variables = [
            ("AWS_LAMBDA_RUNTIME_API", format!("127.0.0.1:{}", self.port)),
            ("AWS_LAMBDA_FUNCTION_NAME", "bench".to_owned()),
            ("AWS_LAMBDA_FUNCTION_MEMORY_SIZE", "256".to_owned()),
            ("AWS_LAMBDA_FUNCTION_VERSION", "1".to_owned()),
            ("AWS_REGION", "eu-west-1".to_owned()),
            ("AWS_ACCESS_KEY_ID", "bench".to_owned()),
            ("AWS_SECRET_ACCESS_KEY", "bench".to_owned()),
            ("AWS_ENDPOINT_URL", url.clone()),
            ("INSTEP_MODEL", model.display().to_string()),
            ("INSTEP_TABLE", "app".to_owned()),
            ("INSTEP_USER_POOL", "eu-west-1_abcdefghi".to_owned()),
            ("INSTEP_BUS", "bus".to_owned()),
            ("INSTEP_PARKED_QUEUE", format!("{url}/123456789012/parked")),
            ("INSTEP_WORK_QUEUE_URL", format!("{url}/123456789012/work")),
            ("INSTEP_BUCKET", "bucket".to_owned()),
            ("INSTEP_COGNITO_RATE", "1000".to_owned()),
            ("INSTEP_LOG", "warn".to_owned()),
            ("INSTEP_METRICS", "off".to_owned()),
        ];
        let mut command = Command::new(binary);
        command.env_clear().envs(variables).envs(roots()).stdout(Stdio::null());
        spawn_on(0, &mut command).map_err(|error| format!("`{}` does not start: {error}", binary.display()))
    }

    fn wait_until(&self, process: &mut Process, is_so: impl Fn(&Value) -> bool) -> Result<Value, String> {
        let began = Instant::now();
        while began.elapsed() < PATIENCE {
            if let Ok(Some(status)) = process.0.try_wait() {
                return Err(format!("the function ended with {status}: run it with INSTEP_LOG=info to see why"));
            }
            let stats = self.ask("/stats", "")?;
            if is_so(&stats) {
                return Ok(stats);
            }
            std::thread::sleep(POLL);
        }
        Err(format!("the function did not answer in {} s", PATIENCE.as_secs()))
    }

    /// Runs what Instep is compared with: each executable file of a folder. It gets the event's path in
    /// `BENCH_EVENT` and the number of batches in `BENCH_RUNS`, calls AWS at `AWS_ENDPOINT_URL`, and
    /// prints as its last line JSON with `cpu_ms` and `wall_ms` (medians of a batch), `batches` (all
    /// that it handled), `peak_mb` and `ready_ms` if it knows them, and `about`, a sentence on what it is.
    ///
    /// # Errors
    /// A program fails, or prints something else.
    pub fn run_rivals(
        &self,
        folder: &Path,
        event: (&str, &Path),
        delay_ms: u64,
        times: usize,
    ) -> Result<Vec<Measured>, String> {
        let mut all = Vec::new();
        for program in executables(folder)? {
            let mut command = Command::new(&program);
            command.current_dir(folder);
            let name = program.file_stem().unwrap_or_default().to_string_lossy().into_owned();
            all.push(self.run_program(name, command, event, delay_ms, times)?);
        }
        Ok(all)
    }

    /// Runs a program that makes the calls of a batch alone, as many as `counts` says.
    ///
    /// # Errors
    /// The program fails.
    pub fn run_calls_alone(
        &self,
        counts: &BTreeMap<String, f64>,
        event: (&str, &Path),
        delay_ms: u64,
        times: usize,
    ) -> Result<Measured, String> {
        #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "these are counts")]
        let counts: BTreeMap<&String, u64> = counts.iter().map(|(name, count)| (name, *count as u64)).collect();
        let own = std::env::current_exe().map_err(|error| format!("this program is not found: {error}"))?;
        let counts = serde_json::json!(counts).to_string();
        let mut command = Command::new(own);
        // The environment may name more root certificates.
        command.env_clear().arg("calls-alone").env(COUNTS, counts);
        self.run_program(CALLS_ALONE.to_owned(), command, event, delay_ms, times)
    }

    /// Runs a program that measures itself.
    fn run_program(
        &self,
        name: String,
        mut command: Command,
        (event, path): (&str, &Path),
        delay_ms: u64,
        times: usize,
    ) -> Result<Measured, String> {
        self.ask(&format!("/delay/{delay_ms}"), "")?;
        self.ask("/load", event)?;
        command.env("AWS_ENDPOINT_URL", self.url()).env("BENCH_EVENT", path).env("BENCH_RUNS", times.to_string());
        command
            .env("AWS_REGION", "eu-west-1")
            .env("AWS_ACCESS_KEY_ID", "bench")
            .env("AWS_SECRET_ACCESS_KEY", "bench")
            .envs(roots())
            .env(STARTED, server::now_us().to_string());
        let child = spawn_on(0, command.stdout(Stdio::piped()));
        let output = child.and_then(Child::wait_with_output);
        let output = output.map_err(|error| format!("`{name}` does not start: {error}"))?;
        let printed = String::from_utf8_lossy(&output.stdout);
        let line = printed.lines().last().unwrap_or_default();
        let said: Value = serde_json::from_str(line)
            .map_err(|_| format!("`{name}` printed `{line}` last; see `bench --help` for what it has to print"))?;
        let number = |name: &str| said.get(name).and_then(Value::as_f64);
        let batches = number("batches").unwrap_or(1.0).max(1.0);
        let (Some(cpu_ms), Some(wall_ms)) = (number("cpu_ms"), number("wall_ms")) else {
            return Err(format!("`{name}` printed no `cpu_ms` and `wall_ms`: `{line}`"));
        };
        let stats = self.ask("/stats", "")?;
        let (calls, events) = (calls(&stats, batches), events(&stats, batches));
        let about = said.get("about").and_then(Value::as_str).map(str::to_owned);
        let (peak_mb, ready_ms) = (number("peak_mb"), number("ready_ms"));
        Ok(Measured { name, calls, events, cpu_ms, wall_ms, peak_mb, ready_ms, about })
    }
}

fn executables(folder: &Path) -> Result<Vec<PathBuf>, String> {
    use std::os::unix::fs::PermissionsExt as _;
    let entries = std::fs::read_dir(folder).map_err(|error| format!("{}: {error}", folder.display()))?;
    let is_program =
        |path: &PathBuf| path.metadata().is_ok_and(|file| file.is_file() && file.permissions().mode() & 0o100 != 0);
    let mut found: Vec<PathBuf> = entries.flatten().map(|entry| entry.path()).filter(is_program).collect();
    found.sort();
    if found.is_empty() {
        return Err(format!("{} has no executable file", folder.display()));
    }
    Ok(found)
}

fn calls(stats: &Value, batches: f64) -> BTreeMap<String, f64> {
    let calls = stats.get("calls").and_then(Value::as_object).into_iter().flatten();
    let count = |value: &Value| value.get(0).and_then(Value::as_f64).unwrap_or_default() / batches;
    calls.filter(|(name, _)| !name.starts_with("Describe")).map(|(name, value)| (name.clone(), count(value))).collect()
}

fn events(stats: &Value, batches: f64) -> f64 {
    stats.pointer("/calls/PutEvents/1").and_then(Value::as_f64).unwrap_or_default() / batches
}

/// The CPU time of a process that has one busy thread, in milliseconds. The kernel adds up what a thread
/// has used when it stops, so it is exact while the process waits.
fn cpu_ms(pid: u32) -> f64 {
    let text = std::fs::read_to_string(format!("/proc/{pid}/schedstat")).unwrap_or_default();
    let ns: f64 = text.split_whitespace().next().and_then(|ns| ns.parse().ok()).unwrap_or_default();
    ns / 1_000_000.0
}

fn peak_mb(pid: u32) -> Option<f64> {
    let text = std::fs::read_to_string(format!("/proc/{pid}/status")).ok()?;
    let line = text.lines().find(|line| line.starts_with("VmHWM"))?;
    let kb: f64 = line.split_whitespace().nth(1)?.parse().ok()?;
    Some(kb / 1000.0)
}

/// The middle of some values.
pub fn median(values: &mut [f64]) -> f64 {
    values.sort_by(f64::total_cmp);
    values.get(values.len() / 2).copied().unwrap_or_default()
}
