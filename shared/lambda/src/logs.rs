//! Logs: one JSON object a line, with `timestamp`, `level` and `message` where Lambda expects them,
//! and no personal data. Source: AWS Lambda Developer Guide, "Log and monitor Lambda functions", on
//! JSON structured logs of custom runtimes.

use tracing::level_filters::LevelFilter;
use tracing_subscriber::Layer as _;
use tracing_subscriber::filter::Targets;
use tracing_subscriber::layer::SubscriberExt as _;
use tracing_subscriber::util::SubscriberInitExt as _;

/// The crates of Instep that log.
const OURS: [&str; 7] = [
    "instep_lambda",
    "instep_stream_function",
    "instep_work_function",
    "instep_redrive_function",
    "instep_clock_function",
    "instep_authorizer_function",
    "instep_consumer_function",
];

/// Starts the log. Below warnings, only lines of Instep's own crates are logged: those of the SDK
/// would show what is sent. INVARIANT 9.
pub(crate) fn start(level: LevelFilter) {
    let ours = OURS.map(|name| (name, level));
    let others = level.min(LevelFilter::WARN);
    let filter = Targets::new().with_default(others).with_targets(ours);
    let lines = tracing_subscriber::fmt::layer()
        .json()
        .flatten_event(true)
        .with_current_span(true)
        .with_span_list(false)
        .with_target(false)
        .with_writer(std::io::stdout);
    // A second call, in a test, does not replace the first subscriber.
    let _ = tracing_subscriber::registry().with(lines.with_filter(filter)).try_init();
}
