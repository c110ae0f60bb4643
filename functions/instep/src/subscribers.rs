//! What a change means to subscribers: `contract diff`, `plan` and `check --against` print it alike.

use instep_console::output::Output;
use instep_documents::{ContractDifference, ContractVerdict};
use instep_model::{ChangeVerdict, escaped};
use serde_json::{Value, json};

/// What subscribers have to know, each with its verdict.
pub(crate) type ForSubscribers = (ContractVerdict, String);

/// The differences of two contracts as texts.
pub(crate) fn of_contract(found: &[ContractDifference]) -> impl Iterator<Item = ForSubscribers> {
    found.iter().map(|one| (one.verdict, one.to_string()))
}

/// Prints what subscribers have to know, the hardest first. False: nothing.
pub(crate) fn print(known: &[ForSubscribers], indent: &str, out: &mut Output) -> miette::Result<bool> {
    for verdict in ContractVerdict::ALL {
        let mut own = known.iter().filter(|(of, _)| *of == verdict).peekable();
        if own.peek().is_some() {
            out.line(&format!("{indent}{}", title(verdict)))?;
        }
        own.try_for_each(|(_, what)| out.line(&format!("{indent}  {}", escaped(what))))?;
    }
    Ok(!known.is_empty())
}

/// The same for programs.
pub(crate) fn json(known: &[ForSubscribers]) -> Vec<Value> {
    known.iter().map(|(verdict, what)| json!({"verdict": verdict.word(), "what": what})).collect()
}

/// What these differences mean for the deployment of the new model.
pub(crate) fn deployment(found: &[ContractDifference]) -> ChangeVerdict {
    match ContractVerdict::of(found) {
        ContractVerdict::Compatible => ChangeVerdict::Deploy,
        ContractVerdict::Rebuild | ContractVerdict::Breaking => ChangeVerdict::DeployWithSteps,
    }
}

const fn title(verdict: ContractVerdict) -> &'static str {
    match verdict {
        ContractVerdict::Breaking => "Breaking",
        ContractVerdict::Rebuild => "Needs a rebuild",
        ContractVerdict::Compatible => "Compatible",
    }
}
