//! The change from earlier models to the deployed one: sweeps that repair, round after round, until one of them finds
//! nothing to repair. Such a sweep knows the earlier models: what these made and the deployed one does not imply is
//! taken away, and not only reported.
//!
//! Items of Instep's own that only an earlier model needs go last: they may be the only way to items of which nothing
//! else is written yet.

use instep_flow::bookkeeping::as_read;
use instep_flow::model_history::{ChangeRound, ModelHistory};
use instep_flow::sweep::SweepTally;
use instep_flow::sweep::plan::{Mode, SweepRequest};
use instep_model::Model;

use super::plan::{SweepError, SweepSummary};
use super::{FoundDifference, SweepListener};
use crate::instep::Instep;
use crate::model_history::DeployedModels;
use crate::run_options::RunOptions;

/// What a round of a change has found and done.
#[derive(Debug)]
pub struct RoundResult {
    /// What was counted.
    pub summary: SweepSummary,
    /// The differences that both reads show.
    pub differences: Vec<FoundDifference>,
    /// What is known of the models now. `None`: another process has ended the change, or another model is deployed.
    pub history: Option<ModelHistory>,
}

impl Instep {
    /// The history, if a change to this model is under way.
    pub(super) async fn change_under_way(&self, run: &RunOptions) -> Result<Option<ModelHistory>, String> {
        let known = self.deployed_models(run).await?.map(|known| known.history);
        let hash = self.model.text_hash();
        Ok(known.filter(|history| !history.is_complete() && history.current == hash))
    }

    /// Refuses a repair while a change is under way: it would delete items of Instep's own that are the only way to
    /// others.
    pub(super) async fn refuse_repair(&self, run: &RunOptions) -> Result<(), SweepError> {
        match self.change_under_way(run).await? {
            None => Ok(()),
            Some(history) => Err(SweepError::Refused(format!(
                "the change to the model {} is not complete, and repairs what a sweep would: `instep change --status` \
                 says how far it is",
                history.current
            ))),
        }
    }

    /// Whether the change to this model is under way: a repair then is a round of it.
    ///
    /// # Errors
    /// The table cannot be read.
    pub async fn is_changing(&self, run: &RunOptions) -> Result<bool, String> {
        Ok(self.change_under_way(run).await?.is_some())
    }

    /// Instep as a sweep needs it: with the earlier models that its change looks at.
    pub(super) async fn of_sweep(&self, sweep: &str, run: &RunOptions) -> Result<Self, String> {
        let division = self.division(sweep, run).await?;
        let hashes: Vec<&str> = division.of.former.iter().map(String::as_str).collect();
        let former: Result<Vec<Model>, String> = self.kept_models(&hashes, run).await?.into_iter().collect();
        Ok(self.with_former(former?))
    }

    /// What a plan is asked. A change that a person has approved may remove all that it has to.
    pub(super) async fn approved(
        &self,
        sweep: &str,
        ask: &SweepRequest,
        run: &RunOptions,
    ) -> Result<SweepRequest, String> {
        if ask.mode != Mode::Change || !self.is_approved(sweep, run).await? {
            return Ok(ask.clone());
        }
        Ok(SweepRequest { max_removals: u64::MAX, ..ask.clone() })
    }

    /// Whether a person has approved of the change of a sweep.
    async fn is_approved(&self, sweep: &str, run: &RunOptions) -> Result<bool, String> {
        let former = self.division(sweep, run).await?.of.former;
        let history = self.change_under_way(run).await?;
        Ok(history.is_some_and(|history| history.is_approved && history.previous == former))
    }

    /// Whether items of Instep's own may go that only earlier models need.
    pub(super) async fn may_delete_own(&self, sweep: &str, run: &RunOptions) -> Result<bool, String> {
        let tally: SweepTally = self.standing(sweep, Mode::Change, run).await?.tally;
        Ok(tally.may_delete_own(self.is_approved(sweep, run).await?))
    }

    /// Notes what a round of a change has done. Returns what is known of the models then. `None`: the change is over, or
    /// is another one by now.
    ///
    /// # Errors
    /// A service failed, or another process writes the same.
    pub async fn end_round(
        &self,
        sweep: &str,
        summary: &SweepSummary,
        run: &RunOptions,
    ) -> Result<Option<ModelHistory>, SweepError> {
        let former = self.division(sweep, run).await?.of.former;
        let Some(DeployedModels { history, item }) = self.deployed_models(run).await? else { return Ok(None) };
        if former.is_empty() || history.current != self.model.text_hash() || history.previous != former {
            return Ok(None);
        }
        let SweepSummary { tally, is_stopped, .. } = summary;
        let round = ChangeRound {
            too_many: is_stopped.then_some(tally.removals),
            repaired: tally.repaired(),
            left: tally.left(),
        };
        let next = history.after(round, run.now);
        if !self.put_model(next.item(&self.model), as_read(Some(&item)), run).await? {
            return Err(SweepError::Failed("the history of models has changed meanwhile: try again".to_owned()));
        }
        if next.is_complete() {
            self.leave_behind(&history.previous, run).await?;
        }
        Ok(Some(next))
    }

    /// Does a round of the change to this model, in this process. `None`: no change to it is under way.
    ///
    /// # Errors
    /// A service failed. What was sent was sent.
    pub async fn change_round(
        &self,
        (max_removals, grace_seconds): (u64, u32),
        run: &RunOptions,
        listener: SweepListener<'_>,
    ) -> Result<Option<RoundResult>, String> {
        if !self.is_changing(run).await? {
            return Ok(None);
        }
        let sweep = self.new_sweep(run);
        let ask = SweepRequest { mode: Mode::Change, max_removals, grace_seconds, ran: None };
        let summary = self.drive(&sweep, ask, run, listener).await?;
        let differences = self.differences_found(&sweep, run).await?;
        let history = self.end_round(&sweep, &summary, run).await?;
        Ok(Some(RoundResult { summary, differences, history }))
    }

    /// Notes that a person approves of what the change to the deployed model removes, and of what it leaves. `None`: it is
    /// complete, or the change is to another model.
    ///
    /// # Errors
    /// A service failed.
    pub async fn approve_change(&self, hash: &str, run: &RunOptions) -> Result<Option<ModelHistory>, String> {
        let Some(DeployedModels { history, item }) = self.deployed_models(run).await? else { return Ok(None) };
        if history.is_complete() || history.current != hash {
            return Ok(None);
        }
        let next = history.approved();
        let is_noted = self.put_model(next.item(&self.model), as_read(Some(&item)), run).await?;
        Ok(is_noted.then_some(next))
    }
}
