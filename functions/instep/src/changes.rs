//! The differences of two models, for people: `check --against` and `plan` print them alike.

use std::process::ExitCode;

use instep_console::output::{Output, WIDTH};
use instep_documents::ContractDifference;
use instep_model::{Advice, ChangeVerdict, ModelChange, escaped};

use crate::subscribers;

/// A change needs steps of people.
const STEPS_NEEDED: u8 = 1;
/// A change must not be deployed.
const NOT_TO_BE_DEPLOYED: u8 = 3;

/// The title of what subscribers have to know.
pub(crate) const SUBSCRIBERS: &str = "Subscribers";

/// The exit status for a verdict.
pub(crate) fn exit_code(verdict: ChangeVerdict) -> ExitCode {
    match verdict {
        ChangeVerdict::Deploy => ExitCode::SUCCESS,
        ChangeVerdict::DeployWithSteps => ExitCode::from(STEPS_NEEDED),
        ChangeVerdict::DoNotDeploy => ExitCode::from(NOT_TO_BE_DEPLOYED),
    }
}

/// Prints a difference: its setting, its class, and what follows.
pub(crate) fn difference(change: &ModelChange, out: &mut Output) -> miette::Result<()> {
    out.line(&format!("  {} ({})", escaped(&change.what), change.class.word()))?;
    paragraph(&change.meaning, "    ", out)
}

/// Prints what a change means, also to subscribers, and the verdict.
pub(crate) fn explain(
    changes: &[ModelChange],
    contract: &[ContractDifference],
    out: &mut Output,
) -> miette::Result<ChangeVerdict> {
    let titles = [
        (ChangeVerdict::DoNotDeploy, "Do not deploy"),
        (ChangeVerdict::DeployWithSteps, "Needs further steps"),
        (ChangeVerdict::Deploy, "Good to know"),
    ];
    for (verdict, title) in titles {
        let changes: Vec<&ModelChange> = changes.iter().filter(|change| change.advice.verdict() == verdict).collect();
        if !changes.is_empty() {
            out.line(title)?;
        }
        for change in changes {
            difference(change, out)?;
            match &change.advice {
                Advice::Nothing => {}
                Advice::Steps(steps) => steps.iter().try_for_each(|step| paragraph(step, "    -> ", out))?,
                Advice::DoNotDeploy(fix) => paragraph(fix, "    -> ", out)?,
            }
        }
    }
    if !contract.is_empty() {
        out.line(SUBSCRIBERS)?;
        subscribers::print(&subscribers::of_contract(contract).collect::<Vec<_>>(), "  ", out)?;
    }
    let verdict = ChangeVerdict::of(changes).max(subscribers::deployment(contract));
    paragraph(said(verdict, changes), "", out)?;
    Ok(verdict)
}

/// The verdict, for people.
fn said(verdict: ChangeVerdict, changes: &[ModelChange]) -> &'static str {
    match verdict {
        ChangeVerdict::Deploy if changes.is_empty() => {
            "Nothing changes for items, users and subscribers: deploy the new one."
        }
        ChangeVerdict::Deploy => "Deploy the new one.",
        ChangeVerdict::DeployWithSteps => {
            "Deploy the new one with these steps, in their order. The table was not read: a step is not needed if no item \
             is like it."
        }
        ChangeVerdict::DoNotDeploy => "Do not deploy the new one as it is.",
    }
}

/// A text, wrapped. Its further lines begin below its first word.
pub(crate) fn paragraph(text: &str, indent: &str, out: &mut Output) -> miette::Result<()> {
    let text = escaped(text);
    let mut line = String::from(indent);
    for word in text.split(' ') {
        if line.chars().count() + 1 + word.chars().count() > WIDTH && line.trim() != "" {
            out.line(line.trim_end())?;
            line = " ".repeat(indent.len());
        }
        line.push_str(word);
        line.push(' ');
    }
    out.line(line.trim_end())
}
