//! The next template of a stack that exists: CloudFormation makes no change of everything at once.
//!
//! What AWS does with a stack that exists:
//! - A table gets or loses one index in an update, and nothing else should change with it. Source: AWS CloudFormation
//!   Template Reference, "AWS::DynamoDB::Table"; aws/aws-cdk#12246, aws/aws-sam-cli#2753.
//! - An update is complete before a new index has its items. Until then DynamoDB refuses a query of it ("Cannot read from
//!   backfilling global secondary index"). Source: aws-cloudformation/cloudformation-coverage-roadmap#1075.
//! - The attribute of the time to live changes only while it is disabled, and DynamoDB takes a change of it once an hour.
//!   Source: API reference of `UpdateTimeToLive`; go-to-k/cdkd#932, aws/aws-cdk#13106.
//! - A pool keeps its attributes and its handling of case: [`pool`].
//!
//! So the order is: each new index, under the model that is deployed; time to live disabled; the new model, with all that
//! changes in place; each index that is gone.

use std::path::Path;

use miette::{Result, miette};
use serde_json::{Value, json};

use super::expand::{merge, take, text};
use super::form::{Form, OWN};
use super::history::DeployedTemplate;
use super::pool::{self, PoolProperties};
use super::refusals;
use super::stack::{Parts, WantedStack};
use super::table;

/// One deployment of a change.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum StackStep {
    /// Adds an index, under the model that is deployed.
    Add(String),
    /// Disables the time to live by this attribute, under the model that is deployed.
    Disable(String),
    /// Deploys the new model.
    Switch,
    /// Drops an index that the model has no more.
    Drop(String),
}

/// The next template.
pub(super) struct NextTemplate {
    pub(super) text: String,
    /// What it does, and what follows. Empty: nothing changes in the stack.
    pub(super) steps: Vec<StackStep>,
    /// How many steps of this change are deployed.
    done: usize,
    notes: Vec<String>,
}

/// The template to deploy next on the stack that was deployed with `history`.
pub(super) fn next(stack: &WantedStack<'_>, history: &DeployedTemplate) -> Result<NextTemplate> {
    let refused = refusals::all(stack, history);
    if !refused.is_empty() {
        let whats: Vec<&str> = refused.iter().map(|refusal| &*refusal.what).collect();
        let helps: Vec<&str> = refused.iter().map(|refusal| &*refusal.help).collect();
        return Err(miette!(help = helps.join("\n"), "{}", whats.join("\n")));
    }
    let change = Change::of(stack, history);
    let steps = change.steps()?;
    let done = history.own("Step").split_once(" of ").filter(|_| history.own("Next") == stack.digest);
    let done = done.and_then(|(done, _)| done.parse().ok()).unwrap_or(0);
    let text = change.text(&steps, done)?;
    let notes = if steps.first() == Some(&StackStep::Switch) { notes(stack, history) } else { Vec::new() };
    Ok(NextTemplate { text, steps, done, notes })
}

/// What a change has to do with the table, beside the new model.
struct Change<'a> {
    stack: &'a WantedStack<'a>,
    history: &'a DeployedTemplate,
    /// The table that exists, if both templates create it.
    old: Option<&'a Value>,
    /// What the model says of it.
    new: Value,
    added: Vec<String>,
    /// The attribute of a time to live that has to be disabled.
    disabled: Option<String>,
    gone: Vec<String>,
}

impl<'a> Change<'a> {
    fn of(stack: &'a WantedStack<'a>, history: &'a DeployedTemplate) -> Self {
        let new = table::of(&stack.model);
        let old = history.table().filter(|_| refusals::creates_table(stack));
        let names = |of: &Value, other: &Value| -> Vec<String> {
            let missing = table::indexes(of).iter().map(|index| text(index, "IndexName"));
            missing.filter(|name| table::index(other, name).is_none()).map(str::to_owned).collect()
        };
        let added = old.map_or_else(Vec::new, |old| names(&new, old));
        let gone = old.map_or_else(Vec::new, |old| names(old, &new));
        let disabled = old.and_then(table::time_to_live).filter(|there| Some(*there) != table::time_to_live(&new));
        let disabled = disabled.map(str::to_owned);
        Self { stack, history, old, new, added, disabled, gone }
    }

    fn steps(&self) -> Result<Vec<StackStep>> {
        let mut steps: Vec<StackStep> = self.added.iter().cloned().map(StackStep::Add).collect();
        steps.extend(self.disabled.clone().map(StackStep::Disable));
        if self.history.form() != self.stack.form() || !self.is_switched()? {
            steps.push(StackStep::Switch);
        }
        steps.extend(self.gone.iter().cloned().map(StackStep::Drop));
        Ok(steps)
    }

    /// Whether the new model makes no difference any more, once its indexes are there and time to live is disabled.
    fn is_switched(&self) -> Result<bool> {
        let target = self.target(&self.gone, json!({}))?;
        let Some(target) = DeployedTemplate::of(&self.history.path, target)? else { return Ok(false) };
        let mut before = self.history.template.clone();
        if let Some(old) = self.old {
            let mut ready = self.added.iter().fold(old.clone(), |ready, name| self.with_added(ready, name));
            if self.disabled.is_some() {
                ready = table::without_time_to_live(ready);
            }
            merge(&mut before, json!({ "Resources": { "Table": { "Properties": ready } } }));
        }
        Ok(comparable(before, self.stack.form()) == comparable(target.template, self.stack.form()))
    }

    fn with_added(&self, table: Value, name: &str) -> Value {
        let Some(index) = table::index(&self.new, name) else { return table };
        table::with_index(table, index, &self.new)
    }

    /// The template of the new model, with these indexes of the old one.
    fn target(&self, gone: &[String], step: Value) -> Result<String> {
        let stack = self.stack;
        let old = self.old.unwrap_or(&Value::Null);
        let kept = gone.iter().filter_map(|name| table::index(old, name));
        let table = kept.fold(self.new.clone(), |table, index| table::with_index(table, index, old));
        let pool = match self.history.pool() {
            Some(exists) => PoolProperties::after(&stack.model, exists),
            None => PoolProperties::of(&stack.model),
        };
        let mut own = stack.own();
        merge(&mut own, step);
        stack.text(&Parts { table, pool, own })
    }

    /// The template of the first of these steps.
    fn text(&self, steps: &[StackStep], done: usize) -> Result<String> {
        let step = if steps.len() > 1 {
            json!({ "Step": format!("{} of {}", done + 1, done + steps.len()), "Next": self.stack.digest })
        } else {
            json!({})
        };
        let old = || self.old.cloned().unwrap_or_default();
        let table = match steps.first() {
            Some(StackStep::Add(name)) => self.with_added(old(), name),
            Some(StackStep::Disable(_)) => table::without_time_to_live(old()),
            Some(StackStep::Switch) => return self.target(&self.gone, step),
            Some(StackStep::Drop(_)) => return self.target(self.gone.get(1..).unwrap_or_default(), step),
            None => return self.target(&[], step),
        };
        self.history.with_table(&table, step, self.stack.args.out.as_deref())
    }
}

/// A template without what makes no difference to the stack.
fn comparable(mut template: Value, form: Form) -> Value {
    let mut metadata = take(&mut template, "Metadata");
    if form == Form::Sam {
        // The layer has the same path, whatever is in it.
        let digest = take(&mut take(&mut metadata, OWN), "Digest");
        merge(&mut template, json!({ "Metadata": digest }));
    }
    for list in ["GlobalSecondaryIndexes", "AttributeDefinitions"] {
        let path = format!("/Resources/Table/Properties/{list}");
        if let Some(Value::Array(entries)) = template.pointer_mut(&path) {
            entries.sort_by_key(ToString::to_string);
        }
    }
    template
}

/// What people have to know of what the new template leaves as it is.
fn notes(stack: &WantedStack<'_>, history: &DeployedTemplate) -> Vec<String> {
    let mut notes = Vec::new();
    if let Some(exists) = history.pool() {
        if refusals::creates_pool(stack) {
            notes.extend(pool::notes(&stack.model, exists));
        } else if !stack.model.uses_cognito() {
            notes.push(
                "the user pool leaves the stack: the model uses nothing of Cognito. The pool itself stays".to_owned(),
            );
        }
    }
    let old = history.table().filter(|_| refusals::creates_table(stack));
    if old.is_some_and(|old| table::time_to_live(old) != table::time_to_live(&table::of(&stack.model))) {
        notes.push("DynamoDB takes no other change of the time to live for an hour".to_owned());
    }
    if history.table().is_none() && !stack.model.indexes.is_empty() {
        notes.push(
            "the table is not the stack's: `instep doctor` with the new model lists the indexes that it lacks. Create \
             them, and wait until they are ACTIVE, before you deploy this"
                .to_owned(),
        );
    }
    notes
}

impl NextTemplate {
    /// What the template does, what to wait for, and what follows, as lines.
    pub(super) fn told(&self, history: &DeployedTemplate, form: Form) -> Vec<String> {
        let Some((step, following)) = self.steps.split_first() else {
            return vec![format!("Nothing changes in a stack that is deployed with `{}` as it was.", history.name())];
        };
        let (now, all) = (self.done + 1, self.done + self.steps.len());
        let mut lines = vec![format!(
            "Step {now} of {all}: {}. It is for a stack that is deployed with `{}` as it was.",
            step.says(),
            history.name()
        )];
        lines.extend(self.notes.iter().map(|note| format!("Note: {note}.")));
        if form == Form::Sam && history.table().is_some() && *step != StackStep::Switch {
            lines.push(
                "Note: if the stack has a `TableStreamArn`, the table is yours, and you do the same to it.".to_owned(),
            );
        }
        if !following.is_empty() {
            lines.push("When it is deployed, wait:".to_owned());
            lines.extend(step.wait().into_iter().map(|line| format!("  {line}")));
            let rest: Vec<String> = following.iter().map(StackStep::says).collect();
            lines.push(format!("Then run this command again, for what follows: {}.", rest.join("; ")));
        }
        lines
    }
}

impl StackStep {
    fn says(&self) -> String {
        match self {
            Self::Add(name) => format!("adds the index `{name}`, under the model that is deployed"),
            Self::Disable(attribute) => {
                format!("disables the time to live by `{attribute}`, under the model that is deployed")
            }
            Self::Switch => "deploys the new model".to_owned(),
            Self::Drop(name) => format!("drops the index `{name}`"),
        }
    }

    fn wait(&self) -> Vec<String> {
        match self {
            Self::Add(name) => vec![
                "until the index is ACTIVE. CloudFormation does not wait for that, and the new model's queries would fail:"
                    .to_owned(),
                format!(
                    "aws dynamodb describe-table --table-name TABLE --query \
                     \"Table.GlobalSecondaryIndexes[?IndexName=='{name}'].IndexStatus\""
                ),
            ],
            Self::Disable(_) => {
                vec!["an hour. DynamoDB takes no other change of the time to live before that".to_owned()]
            }
            Self::Switch => vec![
                "until the change is complete: nothing is in the work queue, and a sweep lists nothing. Up to then the \
                 old index is the way back"
                    .to_owned(),
            ],
            Self::Drop(_) => vec!["until the table is ACTIVE".to_owned()],
        }
    }
}

/// The template that a command reads as the history: another one, or the file that it overwrites.
pub(super) fn history(stack: &WantedStack<'_>) -> Result<Option<DeployedTemplate>> {
    let args = stack.args;
    if args.fresh {
        return Ok(None);
    }
    let overwritten = args.out.as_deref().filter(|path: &&Path| path.exists());
    args.against.as_deref().or(overwritten).map_or(Ok(None), DeployedTemplate::read)
}

#[cfg(test)]
mod tests;
