//! The resources of SAM in a template as those of CloudFormation that SAM's transform makes of them. They have the same
//! names, so that a stack that SAM deployed can be updated with the result.

use miette::{Result, miette};
use serde_json::{Map, Value, json};

use super::release;

/// What begins the types of SAM's resources.
const SERVERLESS: &str = "AWS::Serverless::";

/// Resources by their names.
type Resources = Map<String, Value>;

/// Replaces all that needs the transform. `layer` is the name of the model's archive.
pub(super) fn expand(template: &mut Value, layer: Option<&str>) -> Result<()> {
    take(template, "Transform");
    let globals = take(&mut take(template, "Globals"), "Function");
    let mut expanded = Resources::new();
    for (name, resource) in members(take(template, "Resources")) {
        expanded.extend(Source { name: &name, globals: &globals, layer }.resources(resource)?);
    }
    merge(template, json!({ "Resources": expanded }));
    Ok(())
}

/// The resource that others are made from.
struct Source<'a> {
    name: &'a str,
    /// The properties of every function.
    globals: &'a Value,
    layer: Option<&'a str>,
}

impl Source<'_> {
    fn resources(&self, mut resource: Value) -> Result<Resources> {
        let kind = text(&resource, "Type").to_owned();
        let Some(own) = kind.strip_prefix(SERVERLESS) else {
            return Ok(Resources::from_iter([(self.name.to_owned(), resource)]));
        };
        let properties = take(&mut resource, "Properties");
        let condition = take(&mut resource, "Condition");
        let mut made = match own {
            "Function" => self.function(properties)?,
            "LayerVersion" => self.layer_version(properties)?,
            "StateMachine" => self.state_machine(properties),
            _ => return Err(miette!("`{}`: `{kind}` has no plain form", self.name)),
        };
        if !condition.is_null() {
            made.values_mut().for_each(|made| merge(made, json!({ "Condition": condition })));
        }
        Ok(made)
    }

    /// A function, and what invokes it or takes the input of what failed.
    fn function(&self, mut properties: Value) -> Result<Resources> {
        let folder = take(&mut properties, "CodeUri");
        let code = folder.as_str().and_then(release::archive_of);
        let code = code.ok_or_else(|| miette!("`{}`: a release has no function from {folder}", self.name))?;
        let events = take(&mut properties, "Events");
        let invoked = take(&mut properties, "EventInvokeConfig");
        let mut all = json!({ "Code": release::object(&code) });
        merge(&mut all, self.globals.clone());
        merge(&mut all, properties);
        let mut made = self.one("", "AWS::Lambda::Function", all);
        for (event, schedule) in members(events) {
            made.extend(self.schedule(&event, schedule));
        }
        if !invoked.is_null() {
            made.extend(self.invoke_config(invoked));
        }
        Ok(made)
    }

    fn schedule(&self, event: &str, mut schedule: Value) -> Resources {
        let rule = format!("{}{event}", self.name);
        let mut target = take(&mut schedule, "Properties");
        let expression = take(&mut target, "Schedule");
        let state = if take(&mut target, "Enabled") == false { "DISABLED" } else { "ENABLED" };
        let function = json!({ "Fn::GetAtt": [self.name, "Arn"] });
        merge(&mut target, json!({ "Arn": function, "Id": format!("{rule}LambdaTarget") }));
        let starts = json!({ "ScheduleExpression": expression, "State": state, "Targets": [target] });
        let may = json!({
            "Action": "lambda:InvokeFunction",
            "FunctionName": { "Ref": self.name },
            "Principal": "events.amazonaws.com",
            "SourceArn": { "Fn::GetAtt": [rule, "Arn"] },
        });
        let mut made = self.one(event, "AWS::Events::Rule", starts);
        made.extend(self.one(&format!("{event}Permission"), "AWS::Lambda::Permission", may));
        made
    }

    fn invoke_config(&self, mut properties: Value) -> Resources {
        // From its type the transform derives a permission, which the function's own role has.
        if let Some(destination) = properties.pointer_mut("/DestinationConfig/OnFailure") {
            take(destination, "Type");
        }
        merge(&mut properties, json!({ "FunctionName": { "Ref": self.name }, "Qualifier": "$LATEST" }));
        self.one("EventInvokeConfig", "AWS::Lambda::EventInvokeConfig", properties)
    }

    /// The layer of the model. CloudFormation replaces it when its archive has another name.
    fn layer_version(&self, mut properties: Value) -> Result<Resources> {
        let layer = self.layer.ok_or_else(|| miette!("`{}` has no archive", self.name))?;
        take(&mut properties, "ContentUri");
        // The default of CloudFormation, but not of SAM.
        take(&mut properties, "RetentionPolicy");
        merge(&mut properties, json!({ "LayerName": self.name, "Content": release::object(layer) }));
        Ok(self.one("", "AWS::Lambda::LayerVersion", properties))
    }

    /// A state machine. `Fn::Sub` puts in what its definition needs: linters know that, and read a definition with
    /// substitutions of its own as if they were not there.
    fn state_machine(&self, mut properties: Value) -> Resources {
        let definition = take(&mut properties, "Definition").to_string();
        let definition = json!({ "Fn::Sub": [definition, take(&mut properties, "DefinitionSubstitutions")] });
        let kind = take(&mut properties, "Type");
        let role = take(&mut properties, "Role");
        merge(&mut properties, json!({ "DefinitionString": definition, "StateMachineType": kind, "RoleArn": role }));
        self.one("", "AWS::StepFunctions::StateMachine", properties)
    }

    /// A resource whose name is that of its source, with a suffix.
    fn one(&self, suffix: &str, kind: &str, properties: Value) -> Resources {
        let resource = json!({ "Type": kind, "Properties": properties });
        Resources::from_iter([(format!("{}{suffix}", self.name), resource)])
    }
}

/// The text that an object has under a name. Empty if there is none.
pub(super) fn text<'a>(object: &'a Value, name: &str) -> &'a str {
    object.get(name).and_then(Value::as_str).unwrap_or_default()
}

/// Removes and returns what an object has under a name, or null.
pub(super) fn take(object: &mut Value, name: &str) -> Value {
    object.as_object_mut().and_then(|object| object.shift_remove(name)).unwrap_or_default()
}

/// The members of an object. Null has none.
pub(super) fn members(value: Value) -> Map<String, Value> {
    match value {
        Value::Object(members) => members,
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) | Value::Array(_) => Map::new(),
    }
}

/// Adds the members of an object to another, and those of their objects to each other.
pub(super) fn merge(into: &mut Value, from: Value) {
    match (into, from) {
        (Value::Object(into), Value::Object(from)) => {
            for (name, value) in from {
                merge(into.entry(name).or_insert(Value::Null), value);
            }
        }
        (into, from) => *into = from,
    }
}
