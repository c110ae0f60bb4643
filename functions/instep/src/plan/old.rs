//! The old model of a plan, as the table says which one was deployed.

use std::sync::Arc;

use instep_model::Model;
use jiff::Timestamp;
use miette::{Report, miette};

use crate::cli::WorkspaceArgs;
use crate::remote::Needs;
use crate::workspace::Workspace;

/// The word for it.
pub(super) const DEPLOYED: &str = "deployed";

/// The model that was deployed before another one.
pub(super) struct OldModel {
    pub(super) model: Model,
    pub(super) hash: String,
    /// Whether the other one is deployed by now.
    pub(super) is_new_deployed: bool,
}

/// Without a table, nothing says which model is deployed.
pub(super) fn needed() -> Report {
    miette!(
        help = "name the model with `--against OLD`, or the table with `--data` or `--endpoint`",
        "a plan compares MODEL with the one that is deployed, and nothing says which one that is"
    )
}

/// The model that the table says was deployed before `new`. It is `new` itself if nothing of another one is left.
pub(super) async fn deployed(place: &WorkspaceArgs, new: &Model, now: Option<Timestamp>) -> miette::Result<OldModel> {
    let workspace = Workspace::open_with(Arc::new(new.clone()), place, now, Needs::history()).await?;
    let found = found(&workspace, new).await;
    workspace.close().await;
    found
}

async fn found(workspace: &Workspace, new: &Model) -> miette::Result<OldModel> {
    let unreadable =
        |why: String| miette!(help = "name the model with `--against OLD`", "the deployed model cannot be read: {why}");
    let (instep, run) = (&workspace.instep, &workspace.run);
    let known = instep.deployed_models(run).await.map_err(unreadable)?.ok_or_else(|| {
        miette!(
            help =
                "name the model that is deployed with `--against OLD`; from the next deployment on, the table says it",
            "the table does not say which model is deployed"
        )
    })?;
    let new_hash = new.text_hash();
    let is_new_deployed = known.history.current == new_hash;
    let hash = known.history.before(&new_hash).cloned().unwrap_or(new_hash);
    let model = instep.kept_model(&hash, run).await.map_err(unreadable)?;
    Ok(OldModel { model, hash, is_new_deployed })
}
