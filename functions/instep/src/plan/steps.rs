//! The steps of a plan, in their order.

use instep_documents::ContractVerdict;
use instep_flow::transition::{DoneBy, Transition, TransitionKind};
use instep_model::{Advice, ChangeVerdict, ModelChange, SettingClass};
use serde::Serialize;

use super::ModelPlan;

/// How the new model is deployed.
const DEPLOY: &str = "deploy the new model";

/// What to tell subscribers whose programs miss something.
const TELL: &str = "tell the subscribers what their programs miss";

/// How items get another key.
const BOTH_SPELLINGS: &str = "if items are to get another key: deploy a model with both spellings first, the new one first \
                              (`sk = [\"NEW\", \"OLD\"]`, or `pk`), write each item under its new key, delete it under the old \
                              one, and plan again";

/// Who does a step.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub(super) enum StepDoer {
    You,
    Instep,
}

/// A step.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub(super) struct PlannedStep {
    pub(super) who: StepDoer,
    pub(super) what: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) command: Option<String>,
}

/// What the commands of steps name.
pub(super) struct PlanCommands {
    /// The new model.
    pub(super) new: String,
    /// The old one, if it was named.
    pub(super) old: Option<String>,
    /// Its hash, if the table keeps it.
    pub(super) old_hash: Option<String>,
    /// Whether the new one is deployed by now.
    pub(super) is_deployed: bool,
    /// The hash of the new one.
    pub(super) new_hash: String,
    /// Where the table is, as options.
    pub(super) at: String,
}

impl PlanCommands {
    /// Whether the table is on this machine: no stack is deployed there, and only a command does the change.
    fn is_local(&self) -> bool {
        !self.at.is_empty() && !self.at.contains(" --endpoint aws")
    }

    /// Whether it is in a kept embedded stack.
    fn is_kept(&self) -> bool {
        self.at.contains(" --data ")
    }

    /// Where the table is, for commands that take what the environment names as AWS.
    fn place(&self) -> String {
        self.at.replace(" --endpoint aws", "")
    }

    fn deploy(&self) -> String {
        if self.is_kept() {
            return format!("instep dev {}{}", self.new, self.at);
        }
        if self.is_local() {
            return format!("cp {} FILE, with the file that `instep dev FILE --watch` runs", self.new);
        }
        format!("instep template stack {} --out template.yaml --force; sam deploy", self.new)
    }

    fn diff(&self) -> String {
        match (&self.old, &self.old_hash) {
            (Some(old), _) => format!("instep contract diff {old} {}", self.new),
            (None, hash) => {
                let hash = hash.as_deref().unwrap_or_default();
                let at = self.place();
                let kept = format!("instep change --model {} --text {hash}{at} > old.toml", self.new);
                format!("{kept}; instep contract diff old.toml {}", self.new)
            }
        }
    }

    fn change(&self) -> String {
        let at = self.place();
        let run = if self.is_local() { " --run" } else { "" };
        format!("instep change --model {}{run}{at}", self.new)
    }

    fn snapshot(&self) -> String {
        let at = self.place();
        format!("instep contract snapshot --model {}{at}", self.new)
    }

    fn approve(&self) -> String {
        let at = self.place();
        format!("instep change --model {} --approve {}{at}", self.new, self.new_hash)
    }

    fn items(&self, kind: TransitionKind) -> String {
        let against = self.old.iter().map(|old| format!(" --against {old}")).collect::<String>();
        format!("instep plan {}{against}{} --items {}", self.new, self.at, kind.row().word)
    }
}

impl PlannedStep {
    fn you(what: impl Into<String>, command: Option<String>) -> Self {
        Self { who: StepDoer::You, what: what.into(), command }
    }
}

/// The steps of a plan.
pub(super) fn of(plan: &ModelPlan, commands: &PlanCommands) -> Vec<PlannedStep> {
    if plan.verdict == ChangeVerdict::DoNotDeploy {
        return fixes(plan);
    }
    let mut steps = Vec::new();
    let found = plan.counted.as_ref().map(|counted| &counted.found);
    let has_other_keys = plan.changes.iter().any(|change| change.class == SettingClass::Keys);
    if has_other_keys && found.is_some_and(|found| found.count(TransitionKind::Parked) > 0) {
        steps.push(PlannedStep::you(BOTH_SPELLINGS, None));
    }
    if !commands.is_deployed {
        steps.extend(found.into_iter().flat_map(|found| before(found, commands)));
    }
    let (mut deploys, mut after) = (Vec::new(), Vec::new());
    // A kept embedded table gets the indexes of the model that runs.
    let is_ours = |change: &&ModelChange| change.class != SettingClass::Stack || !commands.is_kept();
    for change in plan.uncounted().filter(is_ours) {
        let (first, deployment, later) = change.steps();
        if !commands.is_deployed {
            steps.extend(first.iter().map(|step| PlannedStep::you(step.as_str(), None)));
            deploys.extend(deployment);
        }
        after.extend(later.iter().map(|step| PlannedStep::you(step.as_str(), None)));
    }
    if ContractVerdict::of(&plan.contract) == ContractVerdict::Breaking && plan.breaking().next().is_none() {
        steps.push(PlannedStep::you(TELL, Some(commands.diff())));
    }
    // The longest says most: when, or with what.
    let deploy = deploys.into_iter().max_by_key(|step| step.len());
    let deploy = deploy.map_or(DEPLOY, |step| step.strip_prefix("then ").unwrap_or(step));
    if !commands.is_deployed {
        steps.push(PlannedStep::you(deploy, Some(commands.deploy())));
    }
    steps.extend(found.into_iter().flat_map(|found| later(found, commands, !plan.changes.is_empty())));
    steps.extend(after);
    if plan.needs_rebuild() {
        let what = "subscribers delete their rows and take a snapshot: no event tells them";
        steps.push(PlannedStep::you(what, Some(commands.snapshot())));
    }
    let mut known = Vec::new();
    steps.retain(|step| {
        !known.contains(step) && {
            known.push(step.clone());
            true
        }
    });
    steps
}

/// What has to change before NEW can be deployed.
fn fixes(plan: &ModelPlan) -> Vec<PlannedStep> {
    let fixes = plan.changes.iter().filter_map(|change| match &change.advice {
        Advice::DoNotDeploy(fix) => Some(PlannedStep::you(fix.as_str(), None)),
        Advice::Nothing | Advice::Steps(_) => None,
    });
    fixes.chain([PlannedStep::you("plan again", None)]).collect()
}

/// What people do before the deployment, as the items show it.
fn before(found: &Transition, commands: &PlanCommands) -> Vec<PlannedStep> {
    let rows: [(TransitionKind, &str); 8] = [
        (
            TransitionKind::Parked,
            "under OLD, change or delete the items that NEW does not handle; wait until the work queue is empty",
        ),
        (
            TransitionKind::Stays,
            "decide about the items that stay when what they depend on is deleted: write their keys or attributes, or it is meant",
        ),
        (
            TransitionKind::RenamedNames,
            "keep the old names in the keys (`names.N.attribute`), or delete none of these items until the change is complete",
        ),
        (TransitionKind::Unfound, "decide about the items whose access stays when what they depend on is deleted"),
        (TransitionKind::Goes, "make sure that these items may go when what they depend on is deleted"),
        (TransitionKind::SweptMembers, "make sure that nobody needs the memberships that a sweep removes from now on"),
        (TransitionKind::SweptUsers, "make sure that nobody needs the users that a sweep deletes from now on"),
        (TransitionKind::SweptOrphans, "make sure that nobody needs the items that a sweep deletes from now on"),
    ];
    let mut steps: Vec<PlannedStep> =
        rows.into_iter().filter_map(|(kind, what)| step(found, kind, what, commands)).collect();
    if found.count(TransitionKind::LeftReferences) > 0 && found.count(TransitionKind::Stays) > 0 {
        let what = "do not approve of the change until the items that stay have their keys: it then deletes the \
                    back-references, which are the only way to them";
        steps.push(PlannedStep::you(what, None));
    }
    steps
}

/// What is done after it.
fn later(found: &Transition, commands: &PlanCommands, changes: bool) -> Vec<PlannedStep> {
    let mut steps = Vec::new();
    let count = |by| TransitionKind::ALL.iter().filter(|kind| kind.row().by == by).map(|kind| found.count(*kind)).sum();
    let (changed, swept): (usize, usize) = (count(DoneBy::Change), count(DoneBy::Sweep));
    if changed > 0 {
        let taken = found.count(TransitionKind::Taken);
        let parts = [(changed - taken, "makes or changes", "things"), (taken, "takes", "memberships")];
        let parts = parts.iter().filter(|(count, ..)| *count > 0);
        let parts: Vec<String> = parts.map(|(count, does, what)| format!("{does} {count} {what}")).collect();
        let what = format!("{}: this says when it is done", parts.join(", "));
        steps.push(PlannedStep { who: StepDoer::Instep, what, command: Some(commands.change()) });
    } else if changes {
        let what = "looks whether anything is left to do: this says when that is done".to_owned();
        steps.push(PlannedStep { who: StepDoer::Instep, what, command: Some(commands.change()) });
    }
    let rows: [(TransitionKind, &str); 6] = [
        (TransitionKind::LeftGroups, "delete these groups, if they have no member whom you want to keep"),
        (TransitionKind::PeoplesGroups, "keep these groups as yours, or delete them"),
        (TransitionKind::LeftUsers, "delete these users, if nobody needs them: passwords and MFA do not come back"),
        (TransitionKind::Unmanaged, "set this by hand where it is wrong: nothing changes it again"),
        (TransitionKind::Orphans, "decide about these items: their parent does not exist"),
        (TransitionKind::RenamedInEvents, "tell the subscribers that these items have another name in events"),
    ];
    steps.extend(rows.into_iter().filter_map(|(kind, what)| step(found, kind, what, commands)));
    let left = [TransitionKind::LeftGroups, TransitionKind::LeftUsers, TransitionKind::Stays];
    if left.into_iter().any(|kind| found.count(kind) > 0) {
        let what = "when you have decided about all of these: let what is left of them stay. The next round then completes the change";
        steps.push(PlannedStep::you(what, Some(commands.approve())));
    }
    if swept > 0 {
        let what = format!("a sweep that repairs deletes {swept} things that are left over");
        steps.push(PlannedStep { who: StepDoer::Instep, what, command: None });
    }
    steps
}

/// A step about what was found of a kind.
fn step(found: &Transition, kind: TransitionKind, what: &str, commands: &PlanCommands) -> Option<PlannedStep> {
    let count = found.count(kind);
    (count > 0).then(|| PlannedStep::you(format!("{what} ({count})"), Some(commands.items(kind))))
}
