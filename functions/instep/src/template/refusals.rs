//! Changes of a stack that no sequence of templates makes, or only with a loss that nobody asked for.

use serde_json::Value;

use super::expand::text;
use super::form::Form;
use super::history::DeployedTemplate;
use super::plain::CREATES;
use super::refusal::Contradiction;
use super::stack::WantedStack;
use super::{pool, table};
use crate::cli::template::NewResource;

/// The number of global secondary indexes of a table. Source: Amazon DynamoDB Developer Guide, "Quotas in Amazon
/// DynamoDB".
const INDEXES_MAX: usize = 20;

/// Properties with which CloudFormation replaces a table when they change.
/// Source: the registry schema of `AWS::DynamoDB::Table`, `createOnlyProperties` and `conditionalCreateOnlyProperties`.
const REPLACING: [&str; 4] = ["KeySchema", "TableName", "ImportSourceSpecification", "LocalSecondaryIndexes"];

/// Whether the new template creates a table, or may.
pub(super) fn creates_table(stack: &WantedStack<'_>) -> bool {
    creates(stack, NewResource::Table)
}

/// Whether the new template creates a pool, or may.
pub(super) fn creates_pool(stack: &WantedStack<'_>) -> bool {
    creates(stack, NewResource::Pool)
}

fn creates(stack: &WantedStack<'_>, what: NewResource) -> bool {
    let is_needed = what != NewResource::Pool || stack.model.uses_cognito();
    is_needed && (stack.form() == Form::Sam || stack.args.create.contains(&what))
}

/// All that contradicts the stack that exists.
pub(super) fn all(stack: &WantedStack<'_>, history: &DeployedTemplate) -> Vec<Contradiction> {
    let file = history.name();
    if let Some(name) = history.model_name().filter(|name| *name != stack.model.name) {
        return vec![Contradiction::new(
            format!("`{file}` is of the model `{name}`, and the new one is `{}`", stack.model.name),
            "a model that is deployed keeps its name. If the file is not deployed, or is of another stack, add `--fresh`",
        )];
    }
    let mut found = of_resources(stack, history);
    if !found.is_empty() {
        return found;
    }
    if let Some(old) = history.table().filter(|_| creates_table(stack)) {
        found.extend(of_table(stack, old, &file));
        found.extend(of_form(stack, history, old));
    }
    if let Some(old) = history.pool().filter(|_| creates_pool(stack)) {
        found.extend(pool::refusals(&stack.model, old, &file, history.form()));
    }
    found
}

/// What the stack creates stays what it creates. In the form for SAM parameters say that.
fn of_resources(stack: &WantedStack<'_>, history: &DeployedTemplate) -> Vec<Contradiction> {
    if (stack.form(), history.form()) != (Form::Plain, Form::Plain) {
        return Vec::new();
    }
    let file = history.name();
    let mut found = Vec::new();
    for part in &CREATES {
        let word = match part.what {
            NewResource::Table => "table",
            NewResource::Pool => "pool",
            NewResource::Bus => "bus",
        };
        let is_parameter = history.template.pointer(&format!("/Parameters/{}", part.parameter)).is_some();
        let was_created = history.template.pointer(&format!("/Resources/{}", part.resource)).is_some();
        let is_needed = part.what != NewResource::Pool || stack.model.uses_cognito();
        if was_created && !creates(stack, part.what) && is_needed {
            found.push(Contradiction::new(
                format!("`{file}` creates the {word}, and the new template would not: the stack would give it up"),
                format!("add `{word}` to `--create`. If the {word} is to leave the stack, and stay, add `--fresh`"),
            ));
        } else if is_parameter && creates(stack, part.what) {
            found.push(Contradiction::new(
                format!("the stack uses a {word} of yours (`{}`), and would create an empty one", part.parameter),
                format!("leave `{word}` out of `--create`. If you want a new one, add `--fresh`"),
            ));
        }
    }
    found
}

fn of_table(stack: &WantedStack<'_>, old: &Value, file: &str) -> Vec<Contradiction> {
    let new = table::of(&stack.model);
    let mut found = Vec::new();
    for name in REPLACING.into_iter().filter(|name| old.get(*name) != new.get(*name)) {
        found.push(Contradiction::new(
            format!("the table's {name} would change: CloudFormation would replace the table by an empty one"),
            if name == "KeySchema" {
                "keep `pk` and `sk` under `[table]` as they are. With other keys the items need a new table: add \
                 `--fresh`, for a stack of its own, and copy them"
                    .to_owned()
            } else {
                format!("Instep does not write it. Take it out of `{file}` only if the stack does not have it")
            },
        ));
    }
    let mut together = table::indexes(old).len();
    for index in table::indexes(&new) {
        let name = text(index, "IndexName");
        let Some(there) = table::index(old, name) else {
            together += 1;
            continue;
        };
        if ["KeySchema", "Projection"].iter().any(|part| there.get(part) != index.get(part)) {
            found.push(Contradiction::new(
                format!("the index `{name}` would change its keys or what it projects, which DynamoDB refuses"),
                format!(
                    "give the new one another name in the model: both exist for a while, and `{name}` is dropped last"
                ),
            ));
        }
    }
    if together > INDEXES_MAX {
        found.push(Contradiction::new(
            format!("the old and the new indexes of the table are {together} together"),
            format!(
                "a DynamoDB table has at most {INDEXES_MAX}, unless AWS raises it: deploy a model with fewer of the old \
                 ones first"
            ),
        ));
    }
    found
}

/// A step under the deployed model needs that model.
fn of_form(stack: &WantedStack<'_>, history: &DeployedTemplate, old: &Value) -> Option<Contradiction> {
    let new = table::of(&stack.model);
    let adds = table::indexes(&new).iter().any(|index| table::index(old, text(index, "IndexName")).is_none());
    let disables = table::time_to_live(old).is_some_and(|there| Some(there) != table::time_to_live(&new));
    if !adds && !disables {
        return None;
    }
    let file = history.name();
    if stack.form() != history.form() {
        return Some(Contradiction::new(
            format!("`{file}` has the other form, and the change begins with a step under the model that is deployed"),
            "write the steps in the form of the template that is deployed, and change the form with a later template",
        ));
    }
    if history.form() == Form::Plain || history.builds_the_same_model() {
        return None;
    }
    Some(Contradiction::new(
        format!(
            "the change begins with a step under the model that is deployed, but `sam build` would take another one: what \
             `{file}` names has changed since"
        ),
        "put the new model into a folder of its own, beside that of the old one, bring the old one back as it was \
         (`git checkout`), and name the new one. Of a shipped model deploy the old text first, as a model file of yours",
    ))
}
