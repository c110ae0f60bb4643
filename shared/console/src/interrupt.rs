//! What an interrupt by Ctrl-C does to a command that runs for long.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

/// The exit status after a second interrupt, as a shell gives it.
pub const INTERRUPTED: i32 = 130;

/// Interrupts within this time are one: some programs that start others pass on one Ctrl-C twice.
pub const ONE_INTERRUPT: Duration = Duration::from_millis(500);

/// Sets `stop` at Ctrl-C, and says what happens then. The second Ctrl-C ends the process at once.
pub async fn stop_at_interrupt(stop: Arc<AtomicBool>, what: &'static str) {
    // An error means that no interrupt can be seen.
    if tokio::signal::ctrl_c().await.is_err() {
        return;
    }
    stop.store(true, Ordering::Relaxed);
    tracing::warn!("interrupted: {what}");
    tokio::time::sleep(ONE_INTERRUPT).await;
    if tokio::signal::ctrl_c().await.is_ok() {
        std::process::exit(INTERRUPTED);
    }
}
