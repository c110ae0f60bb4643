//! Time in a replay: the moments that come between two records, and those up to `--now`.

use instep_aws::clock::SETTLED;
use jiff::Timestamp;
use miette::miette;

use super::embedded::Replayer;

impl Replayer<'_, '_, '_> {
    /// Lets time pass: everything that becomes due until then is done, at its moment.
    pub(super) async fn pass_time(&mut self, until: Timestamp) -> miette::Result<()> {
        if self.input.args.dry_run {
            return Ok(());
        }
        while let Some(moment) = self.driver.reported.moments.first().copied() {
            let Ok(sent) = moment.checked_add(SETTLED) else { break };
            if sent > until {
                break;
            }
            self.drain().await?;
            if sent > self.stack.clock().now() {
                self.stack.clock().set(sent);
            }
            let tick = self.driver.instep().tick(&self.driver.run()).await;
            tick.map_err(|why| miette!("the clock cannot send what is due: {why}"))?;
            self.driver.reported.moments.remove(&moment);
            self.driver.drain(&mut self.pump, &mut self.queue).await?;
        }
        if until > self.stack.clock().now() {
            self.stack.clock().set(until);
        }
        Ok(())
    }
}
