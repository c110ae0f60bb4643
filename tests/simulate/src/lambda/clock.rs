//! The clock: a schedule that is late, early and there twice.

use std::time::Duration;

use jiff::SignedDuration;

use super::{Ended, Lambda, TIMEOUT};
use crate::watch::Batch;

/// How far the clock's own clock is off, in milliseconds at most.
const OFF_MS: usize = 2_000;

/// Ticks in which a world without faults has sent what is due.
const TICKS: usize = 50;

impl Lambda {
    /// Ticks once. Returns how many moments were sent, or `None` if the tick failed.
    pub async fn tick(&self, is_calm: bool) -> Option<usize> {
        let process = self.net.chance.pick(&self.processes)?;
        let _busy = process.busy.lock().await;
        let now_ms = self.net.now().as_millisecond();
        let batch = Batch { is_clock: !is_calm, ..Batch::default() };
        self.net.watch().began(process.id, batch, now_ms);
        let mut run = self.run(TIMEOUT);
        if !is_calm {
            let off_ms = i64::try_from(self.net.chance.below(2 * OFF_MS)).unwrap_or_default() - 2_000;
            run.now = run.now.checked_add(SignedDuration::from_millis(off_ms)).unwrap_or(run.now);
        }
        let ended = self.until_it_ends(process, TIMEOUT, process.instep().tick(&run)).await;
        let found = self.net.watch().finished(process.id, false);
        self.net.found(found);
        match ended {
            Ended::Reported(Ok(tick)) => {
                (0..tick.sent).for_each(|_| self.net.count("MomentSent"));
                Some(tick.sent)
            }
            Ended::Reported(Err(why)) => {
                self.net.note(|| format!("the clock fails: {why}"));
                None
            }
            Ended::Crashed => None,
        }
    }

    /// Ticks until nothing more is due. Returns how many moments were sent.
    pub async fn tick_all(&self) -> usize {
        let mut sent = 0;
        for _ in 0..TICKS {
            match self.tick(true).await {
                Some(0) => return sent,
                Some(more) => sent += more,
                None => tokio::time::sleep(Duration::from_secs(1)).await,
            }
        }
        self.net.broken("8: the clock never has sent everything".to_owned());
        sent
    }
}
