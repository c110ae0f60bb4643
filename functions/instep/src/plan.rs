//! `instep plan`: what a new model changes of a table and a user pool, and the steps to deploy it.

mod old;
mod print;
mod steps;

use std::process::ExitCode;
use std::sync::Arc;

use instep_aws::sweep::{SweepListener, SweepProgress};
use instep_console::model_source::ModelSource;
use instep_console::output::Output;
use instep_console::report::progress::RunProgress;
use instep_documents::{ContractDifference, ContractVerdict, contract, diff};
use instep_flow::transition::{StoredPool, StoredTable, Transition, TransitionKind, TransitionTotals};
use instep_model::{ChangeVerdict, Create, Model, ModelChange, SettingClass, escaped};
use jiff::Timestamp;
use miette::miette;

use crate::changes::exit_code;
use crate::cli::{self, PlanArgs};
use crate::remote::Needs;
use crate::subscribers;
use crate::workspace::Workspace;
use steps::{PlanCommands, PlannedStep};

/// A plan.
struct ModelPlan {
    /// The differences of the models.
    changes: Vec<ModelChange>,
    /// The differences of what subscribers receive.
    contract: Vec<ContractDifference>,
    /// What the table and the pool show. `None`: they were not read.
    counted: Option<Counted>,
    steps: Vec<PlannedStep>,
    verdict: ChangeVerdict,
}

/// What a table and a pool show.
struct Counted {
    found: Transition,
    totals: TransitionTotals,
    items: usize,
    /// Whether the pool was read.
    reads_pool: bool,
}

impl Counted {
    fn has_any(&self, kinds: &[TransitionKind]) -> bool {
        kinds.iter().any(|kind| self.found.count(*kind) > 0)
    }

    /// Whether rows of subscribers become wrong, and no event tells it.
    fn makes_rows_wrong(&self) -> bool {
        self.has_any(&[
            TransitionKind::Given,
            TransitionKind::Taken,
            TransitionKind::Untold,
            TransitionKind::RenamedInEvents,
        ])
    }

    /// Whether rows of subscribers can be of another item or grant, of one more, or of one less.
    fn concerns_rows(&self) -> bool {
        let of_items = [TransitionKind::RenamedNames, TransitionKind::Handled, TransitionKind::Parked];
        self.makes_rows_wrong() || self.has_any(&of_items)
    }
}

impl ModelPlan {
    /// The changes of which a count says no more than they do.
    fn uncounted(&self) -> impl Iterator<Item = &ModelChange> {
        let is_counted = self.counted.is_some();
        self.changes.iter().filter(move |change| !(is_counted && change.is_answered_by_counts()))
    }

    /// The changes of a class.
    fn of_class(&self, class: SettingClass) -> impl Iterator<Item = &ModelChange> {
        self.changes.iter().filter(move |change| change.class == class)
    }

    /// The settings of which contracts show nothing, and which break subscribers all the same.
    fn breaking(&self) -> impl Iterator<Item = &ModelChange> {
        self.changes.iter().filter(|change| change.breaks_subscribers())
    }

    /// Whether what subscribers keep becomes wrong although no event tells it.
    fn needs_rebuild(&self) -> bool {
        self.contract.iter().any(|one| one.verdict == ContractVerdict::Rebuild) || self.is_rebuild_counted()
    }

    /// Whether the table shows that.
    fn is_rebuild_counted(&self) -> bool {
        self.counted.as_ref().is_some_and(Counted::makes_rows_wrong)
    }
}

/// Plans.
pub(crate) async fn run(args: PlanArgs, out: &mut Output) -> miette::Result<ExitCode> {
    let new = ModelSource::named(&args.model)?.load()?;
    let has_table = args.data.is_some() || args.endpoint.is_some();
    if args.items.is_some() && !has_table {
        let help = "name a table by `--data` or `--endpoint`";
        return Err(miette!(help = help, "`--items` lists what a table shows, and there is none"));
    }
    if args.no_pool && !has_table {
        let help = "leave it out, or name a table by `--data` or `--endpoint`";
        return Err(miette!(help = help, "`--no-pool` is for a plan that reads a table, and none is named"));
    }
    let (named, items, is_json, reads_pool) = (args.against.clone(), args.items.clone(), args.json, !args.no_pool);
    let named = named.filter(|named| named != old::DEPLOYED);
    let mut commands = commands_of(&args, named.clone(), new.text_hash());
    let (now, place) = place_of(args).await;
    let (old, is_new_deployed) = match &named {
        Some(old) => (ModelSource::named(old)?.load()?, false),
        None if has_table => {
            let old = old::deployed(&place, &new, now).await?;
            commands.old_hash = Some(old.hash);
            commands.is_deployed = old.is_new_deployed;
            (old.model, old.is_new_deployed)
        }
        None => return Err(old::needed()),
    };
    let counted =
        if has_table { Some(count(&place, now, (&old, &new), is_new_deployed, reads_pool).await?) } else { None };
    if let Some((word, counted)) = items.zip(counted.as_ref()) {
        list(&word, &counted.found, out)?;
        return Ok(ExitCode::SUCCESS);
    }
    let mut differences = diff(&contract(&old), &contract(&new));
    if counted.as_ref().is_some_and(|counted| !counted.concerns_rows()) {
        differences.retain(|one| !one.is_countable);
    }
    let mut plan = ModelPlan {
        changes: new.changes_since(&old),
        contract: differences,
        counted,
        steps: Vec::new(),
        verdict: ChangeVerdict::Deploy,
    };
    plan.verdict = verdict(&plan);
    plan.steps = steps::of(&plan, &commands);
    if is_json {
        print::json(&plan, out)?
    } else {
        print::text(&plan, out)?
    }
    out.flush()?;
    Ok(exit_code(plan.verdict))
}

/// The verdict of the models, of their contracts, and of what was counted.
fn verdict(plan: &ModelPlan) -> ChangeVerdict {
    let of_models = plan.uncounted().map(|change| change.advice.verdict());
    let of_contract = [subscribers::deployment(&plan.contract)];
    let of_counts = plan.counted.as_ref().map(|counted| counted.found.verdict());
    of_models.chain(of_contract).chain(of_counts).max().unwrap_or(ChangeVerdict::Deploy)
}

/// Where the table is, and the present time.
async fn place_of(args: PlanArgs) -> (Option<Timestamp>, cli::WorkspaceArgs) {
    let endpoint = args.endpoint.filter(|endpoint| endpoint != "aws");
    let mut at = cli::At { model: None, deployment: args.deployment, endpoint };
    at.complete().await;
    (args.now, cli::WorkspaceArgs { at, data: args.data, json: false })
}

/// Reads the table and the pool, and compares what the two models make of them.
async fn count(
    place: &cli::WorkspaceArgs,
    now: Option<Timestamp>,
    (old, new): (&Model, &Model),
    is_new_deployed: bool,
    reads_pool: bool,
) -> miette::Result<Counted> {
    if (&old.table.pk, &old.table.sk) != (&new.table.pk, &new.table.sk) {
        let help = "`instep check NEW --against OLD` compares the models alone";
        return Err(miette!(help = help, "the two models are of two tables: their keys are other attributes"));
    }
    let needs = Needs { only_table: !reads_pool, any_indexes: true, ..Needs::default() };
    // The pool is the deployed one's.
    let (deployed, other) = if is_new_deployed { (new, old) } else { (old, new) };
    let workspace = Workspace::open_with(Arc::new(deployed.clone()), place, now, needs).await?;
    let bar = match workspace.instep.size(&workspace.run).await {
        Some(total) => RunProgress::of(total),
        None => RunProgress::counting(),
    };
    let listener = |progress| {
        if let SweepProgress::Items(count) | SweepProgress::Pool(count) = progress {
            bar.more(count);
        }
    };
    let read = read_whole(&workspace, other, reads_pool, &listener).await;
    bar.end();
    let help = "run the same command again";
    let (table, pool) = read.map_err(|why| miette!(help = help, "table or pool cannot be read: {why}"))?;
    let found = Transition::between(old, new, &table, pool.as_ref(), workspace.run.now);
    let found = found.map_err(|why| miette!("the items cannot be compared: {why}"))?;
    workspace.close().await;
    let invites = new.items.iter().filter_map(|ty| ty.user.as_ref()).any(|user| user.create == Create::Invite);
    Ok(Counted { totals: found.totals(invites), found, items: own_items(&table), reads_pool })
}

/// Reads the table, and the pool if `reads_pool` says so.
async fn read_whole(
    workspace: &Workspace,
    other: &Model,
    reads_pool: bool,
    listener: SweepListener<'_>,
) -> Result<(StoredTable, Option<StoredPool>), String> {
    let (instep, run) = (&workspace.instep, &workspace.run);
    let table = instep.read_whole_table(other, run, listener).await?;
    if !reads_pool {
        return Ok((table, Some(StoredPool::unread())));
    }
    Ok((table, instep.read_whole_pool(other, run, listener).await?))
}

/// The number of items that are not Instep's own.
fn own_items(table: &StoredTable) -> usize {
    table.items().keys().filter(|key| !key.pk.starts_with(instep_model::BOOKKEEPING_PREFIX)).count()
}

/// What the commands of the steps name.
fn commands_of(args: &PlanArgs, old: Option<String>, new_hash: String) -> PlanCommands {
    let data = args.data.iter().map(|dir| format!(" --data {}", dir.display()));
    let endpoint = args.endpoint.iter().map(|endpoint| format!(" --endpoint {endpoint}"));
    PlanCommands {
        new: args.model.clone(),
        old,
        old_hash: None,
        is_deployed: false,
        new_hash,
        at: data.chain(endpoint).collect(),
    }
}

/// Prints all that was found of a kind.
fn list(word: &str, found: &Transition, out: &mut Output) -> miette::Result<()> {
    for kind in TransitionKind::ALL.into_iter().filter(|kind| kind.row().word == word) {
        for text in found.of(kind) {
            out.line(&escaped(text).to_string())?;
        }
    }
    out.flush()
}
