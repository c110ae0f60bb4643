//! The template as plain CloudFormation: without SAM's transform, and without the conditions that are decided when it is
//! generated. So a caller may pass attributes of its own resources as parameters, which no condition may read.

use std::collections::BTreeMap;

use miette::Result;
use serde_json::{Map, Value, json};

use super::expand::{expand, members, merge, take, text};
use super::form::OWN;
use super::yaml;
use crate::cli::template::{NewResource, StackArgs};

/// Whether the stack creates a resource: the condition of SAM's template, and the parameter that it reads.
pub(super) struct Creates {
    pub(super) what: NewResource,
    /// The resource.
    pub(super) resource: &'static str,
    condition: &'static str,
    pub(super) parameter: &'static str,
    /// What the parameter is when it may not be empty.
    existing: &'static str,
}

pub(super) const CREATES: [Creates; 3] = [
    Creates {
        what: NewResource::Table,
        resource: "Table",
        condition: "NewTable",
        parameter: "TableStreamArn",
        existing: "The stream of the table (NEW_AND_OLD_IMAGES).",
    },
    Creates {
        what: NewResource::Pool,
        resource: "UserPool",
        condition: "NewUserPool",
        parameter: "UserPoolId",
        existing: "The Cognito user pool.",
    },
    Creates {
        what: NewResource::Bus,
        resource: "EventBus",
        condition: "NewEventBus",
        parameter: "EventBusName",
        existing: "The event bus (\"default\" is the account's own).",
    },
];

/// What the parameter of the alarms' topic is when it may not be empty.
const ALARM_TOPIC: &str = "The SNS topic that alarms are sent to.";

/// The conditions that are decided, with their values.
type Decided = BTreeMap<&'static str, bool>;

/// The plain form of a template of SAM. `layer` is the archive of the model, unless it is a shipped one.
pub(super) fn plain(sam: &str, args: &StackArgs, layer: Option<&str>) -> Result<String> {
    let mut template = yaml::read(sam)?;
    expand(&mut template, layer)?;
    // How the console groups the parameters would make the template too large for a request.
    let own = take(&mut take(&mut template, "Metadata"), OWN);
    if own != json!({}) {
        merge(&mut template, json!({ "Metadata": { OWN: own } }));
    }
    set_parameters(&mut template, args);
    let decided = decided(args);
    let conditions = members(take(&mut template, "Conditions")).into_iter();
    let open: Map<String, Value> = conditions.filter(|(name, _)| !decided.contains_key(name.as_str())).collect();
    merge(&mut template, json!({ "Conditions": open }));
    for section in ["Resources", "Outputs"] {
        let kept = members(take(&mut template, section)).into_iter();
        let kept = kept.filter(|(name, _)| args.dashboard || name != "Dashboard");
        let kept: Map<String, Value> = kept.filter_map(|(name, part)| Some((name, part_of(part, &decided)?))).collect();
        merge(&mut template, json!({ section: kept }));
    }
    Ok(lines(template))
}

fn decided(args: &StackArgs) -> Decided {
    let mut decided: Decided =
        CREATES.iter().map(|creates| (creates.condition, args.create.contains(&creates.what))).collect();
    decided.extend([("HasAlarmTopic", args.alarm_topic), ("HasArchive", args.archive), ("HasConsumer", args.consumer)]);
    if !args.consumer {
        decided.insert("HasOrderedConsumer", false);
    }
    decided
}

/// A resource or an output as the decisions make it. `None` if there is none.
fn part_of(mut part: Value, decided: &Decided) -> Option<Value> {
    match decided.get(text(&part, "Condition")) {
        Some(false) => return None,
        Some(true) => {
            take(&mut part, "Condition");
        }
        None => {}
    }
    Some(chosen(part, decided))
}

/// A value with what each decided condition chooses in place of both choices.
fn chosen(value: Value, decided: &Decided) -> Value {
    match value {
        Value::Object(mut object) => {
            let choice = object.get_mut("Fn::If").and_then(Value::as_array_mut);
            if let Some([Value::String(condition), yes, no]) = choice.map(Vec::as_mut_slice)
                && let Some(holds) = decided.get(condition.as_str())
            {
                return chosen((if *holds { yes } else { no }).take(), decided);
            }
            let members = object.into_iter().map(|(name, value)| (name, chosen(value, decided)));
            Value::Object(members.filter(|(_, value)| *value != json!({ "Ref": "AWS::NoValue" })).collect())
        }
        Value::Array(values) => values.into_iter().map(|value| chosen(value, decided)).collect(),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => value,
    }
}

/// The parameters of the plain form: what the stack does not create is needed, and so is the place of the code.
fn set_parameters(template: &mut Value, args: &StackArgs) {
    let mut parameters = take(template, "Parameters");
    let created = CREATES.iter().map(|of| (of.parameter, of.existing, !args.create.contains(&of.what)));
    for (name, what, is_needed) in created.chain([("AlarmTopicArn", ALARM_TOPIC, args.alarm_topic)]) {
        let mut parameter = take(&mut parameters, name);
        if !parameter.is_null() && is_needed {
            take(&mut parameter, "Default");
            let pattern = text(&parameter, "AllowedPattern").trim_start_matches("^$|").to_owned();
            merge(&mut parameter, json!({ "AllowedPattern": pattern, "Description": what }));
            merge(&mut parameters, json!({ name: parameter }));
        }
    }
    take(&mut parameters, "ArchiveDays");
    if args.archive {
        let days = json!({
            "Type": "Number",
            "Default": 30,
            "MinValue": 1,
            "Description": "How many days EventBridge keeps the events, so that they can be replayed.",
        });
        merge(&mut parameters, json!({ "ArchiveDays": days }));
    }
    take(&mut parameters, "ExampleConsumer");
    if args.consumer {
        let kinds = json!({
            "Type": "String",
            "Default": "standard",
            "AllowedValues": ["standard", "fifo"],
            "Description": "The queue of the example of a subscriber. \"fifo\" is ordered, and takes repeated events once.",
        });
        merge(&mut parameters, json!({ "ExampleConsumer": kinds }));
    }
    merge(&mut parameters, code_parameters());
    merge(template, json!({ "Parameters": parameters }));
}

fn code_parameters() -> Value {
    json!({
        "CodeBucket": {
            "Type": "String",
            "Description": "A bucket in the region of the stack, to which `instep template functions` copied the functions.",
            "AllowedPattern": "^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$",
        },
        "CodePrefix": {
            "Type": "String",
            "Default": "",
            "Description": "The prefix that `instep template functions` was given.",
            "AllowedPattern": "^$|^.+/$",
        },
    })
}

/// A template as JSON, with each member of a section on a line of its own. CloudFormation reads it without the spaces
/// that a person would like, which would make it too large for a request.
pub(super) fn lines(template: Value) -> String {
    let object = |lines: Vec<String>| format!("{{\n{}\n}}", lines.join(",\n"));
    let line = |name: String, value: String| format!("{}:{value}", Value::from(name));
    let sections = members(template).into_iter().map(|(name, section)| {
        let text = match section {
            Value::Object(all) => object(all.into_iter().map(|(name, value)| line(name, value.to_string())).collect()),
            Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) | Value::Array(_) => section.to_string(),
        };
        line(name, text)
    });
    object(sections.collect()) + "\n"
}
