//! What an interrupt by Ctrl-C does to a command that runs for long.

use std::time::Duration;

/// The exit status after a second interrupt, as a shell gives it.
pub const INTERRUPTED: i32 = 130;

/// Interrupts within this time are one: some programs that start others pass on one Ctrl-C twice.
pub const ONE_INTERRUPT: Duration = Duration::from_millis(500);
