//! A plan for people, and for programs.

use instep_console::output::Output;
use instep_documents::ContractVerdict;
use instep_flow::transition::{FoundText, Transition, TransitionSection, TransitionTotals};
use instep_model::{Advice, ChangeVerdict, SettingClass, escaped};
use owo_colors::OwoColorize as _;
use serde_json::{Value, json};
use sha2::{Digest as _, Sha256};

use super::ModelPlan;
use super::steps::{PlannedStep, StepDoer};
use crate::changes::{SUBSCRIBERS, difference, paragraph};
use crate::subscribers::{self, ForSubscribers};

/// So many examples of a finding are printed.
const EXAMPLES: usize = 2;

/// The bytes of a plan's hash that are printed.
const HASH_BYTES: usize = 2;

/// The title of what differs in a pool that was not read.
const UNREAD_POOL: &str = "Cognito (the pool was not read: what OLD makes counts as what exists)";

/// What differs in a part.
const NOTHING: &str = "  nothing changes";

/// Prints a plan for people.
pub(super) fn text(plan: &ModelPlan, out: &mut Output) -> miette::Result<()> {
    out.line("Model")?;
    plan.changes.iter().try_for_each(|change| difference(change, out))?;
    if plan.changes.is_empty() {
        out.line(NOTHING)?;
    }
    if let Some(counted) = &plan.counted {
        for (title, section) in [("Cognito", TransitionSection::Cognito), ("Table", TransitionSection::Table)] {
            let is_unread = section == TransitionSection::Cognito && !counted.reads_pool;
            out.line(if is_unread { UNREAD_POOL } else { title })?;
            if !findings(&counted.found, section, out)? {
                out.line(NOTHING)?;
            }
        }
    }
    subscribers(plan, out)?;
    stack(plan, out)?;
    out.line("Steps")?;
    plan.steps.iter().enumerate().try_for_each(|(nth, step)| step_lines(nth + 1, step, out))?;
    let verdict = word(plan.verdict);
    let Some(counted) = &plan.counted else {
        return out.line(&format!("{verdict}. Nothing was counted: no table was named."));
    };
    let last = totals(&counted.totals);
    let is_red = counted.totals != TransitionTotals::default();
    let last = if is_red { last.red().to_string() } else { last };
    out.line(&format!("Plan {}, {verdict}, for {} items: {last}", hash(plan), counted.items))
}

/// The verdict for people.
const fn word(verdict: ChangeVerdict) -> &'static str {
    match verdict {
        ChangeVerdict::Deploy => "deploy",
        ChangeVerdict::DeployWithSteps => "deploy, with steps",
        ChangeVerdict::DoNotDeploy => "do not deploy",
    }
}

/// Prints what was found in a section. False: nothing.
fn findings(found: &Transition, section: TransitionSection, out: &mut Output) -> miette::Result<bool> {
    let mut is_any = false;
    for ((kind, why), all) in found.found.iter().filter(|((kind, _), _)| kind.row().section == section) {
        let row = kind.row();
        let why = if why.is_empty() { String::new() } else { format!(": {why}") };
        let line = format!("  {} {:>4} {}{why} (by {}, `{}`)", row.sign, all.len(), row.what, row.by.word(), row.word);
        out.line(&if kind.is_red() { line.red().to_string() } else { line })?;
        for text in all.iter().take(EXAMPLES) {
            out.line(&format!("         {}", escaped(text.shown())))?;
        }
        if all.len() > EXAMPLES {
            out.line(&format!("         … {} more", all.len() - EXAMPLES))?;
        }
        is_any = true;
    }
    Ok(is_any)
}

fn subscribers(plan: &ModelPlan, out: &mut Output) -> miette::Result<()> {
    out.line(SUBSCRIBERS)?;
    let mut is_any = subscribers::print(&for_subscribers(plan), "  ", out)?;
    if let Some(counted) = &plan.counted {
        is_any |= findings(&counted.found, TransitionSection::Subscribers, out)?;
    }
    if is_any { Ok(()) } else { out.line(NOTHING) }
}

/// What subscribers have to know, each with its verdict.
fn for_subscribers(plan: &ModelPlan) -> Vec<ForSubscribers> {
    let counted = || (ContractVerdict::Rebuild, "no event tells what changes: take a snapshot".to_owned());
    subscribers::of_contract(&plan.contract).chain(plan.is_rebuild_counted().then(counted)).collect()
}

fn stack(plan: &ModelPlan, out: &mut Output) -> miette::Result<()> {
    out.line("Stack")?;
    let mut changes = plan.of_class(SettingClass::Stack).peekable();
    if changes.peek().is_none() {
        return out.line("  in place: functions, filters, policies, layer");
    }
    changes.try_for_each(|change| out.line(&format!("  {}: see above, and the steps", escaped(&change.what))))
}

fn step_lines(nth: usize, PlannedStep { who, what, command }: &PlannedStep, out: &mut Output) -> miette::Result<()> {
    let who = match who {
        StepDoer::You => "you",
        StepDoer::Instep => "Instep",
    };
    paragraph(&format!("{nth}. {who}: {what}"), "  ", out)?;
    command.iter().try_for_each(|command| out.line(&format!("     {}", escaped(command))))
}

fn totals(totals: &TransitionTotals) -> String {
    let TransitionTotals { gives, takes, deletes_users, deletes_groups, deletes_items, sends_mails } = totals;
    format!(
        "gives {gives}, takes {takes} memberships; deletes {deletes_users} users, {deletes_groups} groups, {deletes_items} \
         items; sends {sends_mails} mails"
    )
}

/// Prints a plan for programs.
pub(super) fn json(plan: &ModelPlan, out: &mut Output) -> miette::Result<()> {
    let mut value = as_json(plan);
    if let Some(fields) = value.as_object_mut() {
        fields.insert("plan".to_owned(), json!(hash(plan)));
    }
    out.line(&value.to_string())
}

fn as_json(plan: &ModelPlan) -> Value {
    let settings = plan.changes.iter().map(|change| {
        let (advice, steps) = match &change.advice {
            Advice::Nothing => ("nothing", Vec::new()),
            Advice::Steps(steps) => ("steps", steps.clone()),
            Advice::DoNotDeploy(fix) => ("do not deploy", vec![fix.clone()]),
        };
        json!({"setting": change.what, "class": change.class.word(), "meaning": change.meaning, "advice": advice, "steps": steps})
    });
    let findings = plan.counted.iter().flat_map(|counted| &counted.found.found).map(|((kind, why), all)| {
        let row = kind.row();
        json!({
            "section": row.section, "sign": row.sign.to_string(), "kind": row.word, "code": why, "what": row.what,
            "count": all.len(), "examples": all.iter().take(EXAMPLES).map(FoundText::shown).collect::<Vec<_>>(), "by": row.by, "red": kind.is_red(),
        })
    });
    let stack =
        plan.of_class(SettingClass::Stack).map(|change| json!({"setting": change.what, "meaning": change.meaning}));
    json!({
        "verdict": word(plan.verdict),
        "settings": settings.collect::<Vec<_>>(),
        "findings": findings.collect::<Vec<_>>(),
        "subscribers": subscribers::json(&for_subscribers(plan)),
        "stack": stack.collect::<Vec<_>>(),
        "steps": plan.steps,
        "counted": plan.counted.is_some(),
        "poolRead": plan.counted.as_ref().map(|counted| counted.reads_pool),
        "items": plan.counted.as_ref().map(|counted| counted.items),
        "totals": plan.counted.as_ref().map(|counted| counted.totals),
    })
}

/// A hash of what a plan says.
fn hash(plan: &ModelPlan) -> String {
    let hash = Sha256::digest(as_json(plan).to_string().as_bytes());
    hash.iter().take(HASH_BYTES).map(|byte| format!("{byte:02x}")).collect()
}
