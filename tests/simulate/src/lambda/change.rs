//! The change that a deployment starts.

use instep_flow::model_history::ModelHistory;
use instep_flow::sweep::plan::{Mode, SweepRequest};

use super::Lambda;

impl Lambda {
    /// Notes which model is deployed.
    ///
    /// # Errors
    /// It fails again and again.
    pub async fn note_model(&self) -> Result<(), String> {
        let noted = self
            .until_it_succeeds(async |instep, run| instep.note_model(run).await.map_err(|why| why.to_string()))
            .await;
        noted.map(drop)
    }

    /// Does a round of the change. Returns what is known of the models then.
    ///
    /// # Errors
    /// It does not end.
    pub async fn change_round(&self, max_removals: u64, grace_seconds: u32) -> Result<Option<ModelHistory>, String> {
        let sweep = self.new_sweep();
        let ask = SweepRequest { mode: Mode::Change, max_removals, grace_seconds, ran: None };
        let summary = self.drive(&sweep, ask).await?;
        self.until_it_succeeds(async |instep, run| instep.end_round(&sweep, &summary, run).await.map_err(String::from))
            .await?;
        self.until_it_succeeds(async |instep, run| Ok(instep.deployed_models(run).await?.map(|known| known.history)))
            .await
    }

    /// A person approves of what a change removes and leaves.
    ///
    /// # Errors
    /// It fails again and again.
    pub async fn approve(&self, hash: &str) -> Result<(), String> {
        self.until_it_succeeds(async |instep, run| instep.approve_change(hash, run).await).await.map(drop)
    }
}
