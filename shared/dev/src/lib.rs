#![doc = include_str!("../README.md")]

mod clock;
mod deliver;
mod delivery_loop;
mod faults;
mod form;
mod forwarding;
mod http_tap;
mod index;
mod load;
mod model_switch;
mod origins;
mod port;
mod records;
mod request;
mod search;
mod shared_state;
mod trace_node;
mod traces;
mod watch;

use std::io::IsTerminal as _;
use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::Arc;
use std::time::{Duration, Instant};

use instep_aws::{Clients, Instep, RunOptions, SignUp};
use instep_console::data_dir;
use instep_console::forward::ForwardTarget;
use instep_console::interrupt::{INTERRUPTED, ONE_INTERRUPT};
use instep_console::model_source::{ModelSource, default_table};
use instep_console::output::Output;
use instep_console::report::{Format, Reporter};
use instep_local::{PumpOptions, QueueOptions, QueuePumpOptions, Stack, StackOptions};
use miette::{IntoDiagnostic as _, miette};
use tokio::sync::mpsc;

use self::clock::LiveClock;
use self::deliver::Deliverer;
use self::delivery_loop::{Conductor, StreamRetry};
use self::faults::Failures;
use self::forwarding::Forwarding;
use self::http_tap::{Caller, Running, watched};
use self::load::Loader;
use self::model_switch::{ModelSwitch, look_back, note_model};
use self::port::{CurrentPort, Port, Sockets};
use self::shared_state::Hub;
use self::watch::Watched;

/// How long a failed work message is hidden. On AWS it is longer; here a person waits for it.
const HIDDEN: Duration = Duration::from_secs(3);

/// The receives after which a work message is moved to the dead-letter queue: many, because a service fails as long
/// as a person likes. Source: Amazon SQS API Reference, `RedrivePolicy`, `maxReceiveCount`.
const RECEIVES_MAX: u32 = 1_000;

/// How long the port has to end its requests.
const ENDING: Duration = Duration::from_secs(3);

/// What runs, and where.
#[derive(Debug)]
pub struct DevOptions {
    /// The table model: the name of a shipped model, or a file.
    pub model: String,
    /// The directory that keeps table, users and events. In memory if there is none.
    pub data: Option<PathBuf>,
    /// The port of the page and of AWS's APIs; 0 for any free one.
    pub port: u16,
    /// The table's name, if it is not the model's.
    pub table: Option<String>,
    /// The captures, files of writes, and folders of them, to begin with. If it is empty, the model's example.
    pub load: Option<Vec<PathBuf>>,
    /// The share of Instep's calls that fail, from 0 to 1.
    pub faults: Option<f64>,
    /// Whether a changed file of the model is compiled and runs from then on.
    /// `None`: if it runs at a terminal.
    pub watch: Option<bool>,
    /// The server to which each event is sent.
    pub forward: Option<ForwardTarget>,
    /// The name of what the environment has that reaches a real account. It is only shown.
    pub credentials: Option<String>,
}

/// Runs until it is interrupted.
///
/// # Errors
/// The model is invalid, the port is in use, a file cannot be read, or the stack fails.
pub async fn run(args: DevOptions, out: &mut Output) -> miette::Result<ExitCode> {
    let started = Instant::now();
    let source = ModelSource::named(&args.model)?;
    // Before it is loaded: a change in between is one, too.
    let model_files = watched_file(&args, &source)?.map(Watched::new);
    let model = Arc::new(source.load()?);
    let texts = match &args.load {
        Some(paths) => load::texts(paths, &args.model)?,
        None => Vec::new(),
    };
    let sockets = Sockets::open(args.port).await?;
    let clock = LiveClock::starting(instep_console::clock::now());
    // A kept table has its name: an earlier run, or `replay`, has given it.
    let kept = args.data.as_deref().filter(|dir| data_dir::is_stack(dir)).map(data_dir::manifest).transpose()?;
    let table = args.table.clone().or(kept.map(|kept| kept.table)).unwrap_or_else(|| default_table(&model));
    let options = StackOptions { dir: args.data.clone(), table, clock: clock.of_stack().clone() };
    let stack = Stack::deploy(&model, options).await.into_diagnostic()?;
    let (sign_ups, confirmed) = mpsc::unbounded_channel();
    stack.watch_sign_ups(Box::new(move |event| drop(sign_ups.send(event.to_owned()))));
    let failures = Failures::at(args.faults.unwrap_or_default());
    let hub = Arc::new(Hub::new(Arc::clone(&model), stack.table().to_owned(), clock, failures));
    let running = Running::default();
    let config = watched(stack.sdk_config(), &hub, Caller::Instep(running.clone()));
    let instep = Instep::new(Arc::clone(&model), Clients::new(&config), stack.settings());
    let mut loader = Loader::new(&stack);
    for (name, text) in texts {
        loader.add(&hub, name, &text)?;
    }
    // What a capture says of time is over when it is replayed.
    if let Ok(start) = hub.clock.now().checked_sub(loader.span()) {
        hub.clock.jump(start);
    }
    note_model(&hub, &stack, Arc::clone(&model)).await;
    look_back(&hub, &instep).await;
    // Before it says that Ctrl-C ends it.
    tokio::spawn(interrupted(Arc::clone(&hub), Signals::caught().into_diagnostic()?));
    introduce(out, &args, &stack, sockets.number)?;
    let forwarding = args.forward.clone().map(|target| Forwarding::start(target, &stack, &hub));
    let port = Port { forwarding, ..Port::new(&hub, &stack, model, sockets.number, source) };
    let current = CurrentPort::new(port);
    let served = sockets.serve(&current);
    tokio::spawn(tell_of_sign_ups(confirmed, current.clone(), Arc::clone(&hub)));
    // It ends when the hub stops.
    model_files.map(|files| tokio::spawn(files.run(Arc::clone(&hub))));
    let mut reporter = Reporter::new(out, Format::Text, 0);
    let calls = stack.calls().clone();
    let deliverer = Deliverer::new(instep, Arc::clone(&hub), &mut reporter, running);
    let mut conductor = conductor(&hub, &stack, deliverer, loader, ModelSwitch { config, current })?;
    let ended = tokio::select! {
        ended = conductor.run() => ended,
        // A delivery that is cut off is delivered again by the next process, as on AWS after a crash.
        () = patience(&hub) => Ok(()),
    };
    drop(conductor);
    hub.stop.send_replace(true);
    for served in served {
        // A client that holds its connection open does not hold up the end.
        let _ = tokio::time::timeout(ENDING, served).await;
    }
    ended?;
    reporter.summary(calls.snapshot(), started.elapsed())?;
    reporter.flush()?;
    // The same: connections that clients hold open end with the process.
    let _ = tokio::time::timeout(ENDING, stack.close()).await;
    Ok(ExitCode::SUCCESS)
}

/// Does what the function behind the pool's trigger does.
async fn tell_of_sign_ups(mut events: mpsc::UnboundedReceiver<String>, current: CurrentPort, hub: Arc<Hub>) {
    while let Some(event) = events.recv().await {
        let Some(sign_up) = SignUp::of_event(&event) else { continue };
        let (port, now) = (current.get(), hub.clock.now());
        let run = RunOptions { now, publish: true, dry_run: false, deadline: None, adopt_before: None, trace: None };
        if let Err(why) = port.instep.signed_up(&sign_up, &run).await {
            hub.remark(format!("Instep is not told of a sign-up: {why}"));
        }
        hub.wake.notify_one();
    }
}

fn conductor<'a, 'b>(
    hub: &Arc<Hub>,
    stack: &'a Stack,
    deliverer: Deliverer<'a, 'b>,
    loader: Loader<'a>,
    switch: ModelSwitch,
) -> miette::Result<Conductor<'a, 'b>> {
    let dead_letters = Some((RECEIVES_MAX, stack.work_dead_letters().to_owned()));
    let queue = QueueOptions { dead_letters, visibility_timeout: HIDDEN, ..QueueOptions::default() };
    stack.make_queue(stack.work_queue(), queue);
    let pump = |batch_size| stack.pump(PumpOptions { batch_size, ..PumpOptions::default() }).into_diagnostic();
    let queue = |batch_size| {
        let options = QueuePumpOptions { batch_size, function_timeout: HIDDEN };
        stack.queue_pump(stack.work_queue(), options).into_diagnostic()
    };
    Ok(Conductor {
        hub: Arc::clone(hub),
        stack,
        deliverer,
        pumps: (pump(PumpOptions::default().batch_size)?, pump(1)?),
        queues: (queue(QueuePumpOptions::default().batch_size)?, queue(1)?),
        loader,
        switch,
        retry: StreamRetry::default(),
        passing: None,
        expired: tokio::time::Instant::now(),
        remarks: 0,
    })
}

/// The file that is watched, if one is.
fn watched_file(args: &DevOptions, source: &ModelSource) -> miette::Result<Option<PathBuf>> {
    match source {
        ModelSource::File(path) => Ok(args.watch.unwrap_or_else(is_at_terminal).then(|| path.clone())),
        ModelSource::Shipped(name) if args.watch == Some(true) => Err(miette!(
            help = "name a file: a copy of the model, or one that says `extends`",
            "`--watch` watches a file, and `{name}` is part of this program"
        )),
        ModelSource::Shipped(_) => Ok(None),
    }
}

/// Whether a person has started it, and not a script.
fn is_at_terminal() -> bool {
    std::io::stdin().is_terminal() && std::io::stdout().is_terminal()
}

/// Says what runs, and where.
fn introduce(out: &mut Output, args: &DevOptions, stack: &Stack, number: u16) -> miette::Result<()> {
    let url = format!("http://127.0.0.1:{number}");
    let kept = args.data.as_ref().map_or_else(
        || "in memory: nothing is left when it ends (`--data DIR` keeps it)".to_owned(),
        |dir| format!("kept in {}", dir.display()),
    );
    out.line(&format!("instep dev, model {}", args.model))?;
    out.line(&format!("  page       {url}"))?;
    out.line(&format!("  AWS APIs   {url}   AWS_ENDPOINT_URL={url}, any region and credentials"))?;
    out.line(&format!("  table      {}", stack.table()))?;
    out.line(&format!("  user pool  {}", stack.user_pool()))?;
    out.line(&format!("  event bus  {}", stack.bus()))?;
    out.line(&format!("  state      {kept}"))?;
    if let Some(rate) = args.faults.filter(|rate| *rate > 0.0) {
        out.line(&format!("  faults     {rate} of Instep's calls fail"))?;
    }
    if let Some(found) = &args.credentials {
        out.line(&format!("  note       {found} is set here: nothing is sent to AWS, everything is on 127.0.0.1"))?;
    }
    out.line("Ctrl-C ends it.\n")?;
    out.flush()
}

/// Stops at an interrupt. A second one ends the process at once.
async fn interrupted(hub: Arc<Hub>, mut signals: Signals) {
    signals.next().await;
    hub.stop.send_replace(true);
    tokio::time::sleep(ONE_INTERRUPT).await;
    signals.next().await;
    std::process::exit(INTERRUPTED);
}

/// Waits until a delivery has had its time to end.
async fn patience(hub: &Hub) {
    // An error means that the hub is gone.
    let _ = hub.stop.subscribe().wait_for(|stop| *stop).await;
    tokio::time::sleep(ENDING).await;
}

/// Ctrl-C, and the request to end. They are caught from the moment when this is made: before its task runs.
struct Signals {
    #[cfg(unix)]
    interrupt: tokio::signal::unix::Signal,
    #[cfg(unix)]
    terminate: tokio::signal::unix::Signal,
}

impl Signals {
    #[cfg(unix)]
    fn caught() -> std::io::Result<Self> {
        use tokio::signal::unix::{SignalKind, signal};
        Ok(Self { interrupt: signal(SignalKind::interrupt())?, terminate: signal(SignalKind::terminate())? })
    }

    #[cfg(not(unix))]
    fn caught() -> std::io::Result<Self> {
        Ok(Self {})
    }

    #[cfg(unix)]
    async fn next(&mut self) {
        tokio::select! {
            _ = self.interrupt.recv() => {}
            _ = self.terminate.recv() => {}
        }
    }

    #[cfg(not(unix))]
    async fn next(&mut self) {
        // An error means that there is no such signal.
        let _ = tokio::signal::ctrl_c().await;
    }
}
