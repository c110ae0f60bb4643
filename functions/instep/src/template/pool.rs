//! The user pool that a model needs, and what of it is kept from the pool that exists.

use instep_model::{
    ACCOUNT_MARK, COGNITO_USER_ATTRIBUTES, CUSTOM_ATTRIBUTE, CUSTOM_ATTRIBUTES_MAX, DEVELOPER_ATTRIBUTE, Model,
};
use serde_json::{Map, Value, json};

use super::expand::{merge, text};
use super::form::Form;
use super::refusal::Contradiction;
use super::yaml::flow;
use super::{sign_up, tokens};

/// What cannot be changed in a pool, apart from its schema. An absent one cannot be added.
/// Source: Amazon Cognito Developer Guide, "Settings you can't change".
const FIXED: [&str; 3] = [CASE, "AliasAttributes", "UsernameAttributes"];

const CASE: &str = "UsernameConfiguration";
const SCHEMA: &str = "Schema";

/// The properties of a pool that depend on the model and cannot be changed.
pub(super) struct PoolProperties {
    fixed: Map<String, Value>,
    /// The entries of its schema. An entry can be added, and neither changed nor removed.
    schema: Vec<Value>,
    /// The names of the properties that a new pool would have otherwise.
    kept: Vec<&'static str>,
}

impl PoolProperties {
    /// A new pool.
    pub(super) fn of(model: &Model) -> Self {
        // If user names are in lower case, users can sign in with any case.
        let fixed = json!({ "CaseSensitive": !model.pool_ignores_case() });
        Self { fixed: Map::from_iter([(CASE.to_owned(), fixed)]), schema: schema(model), kept: Vec::new() }
    }

    /// The pool that exists with these properties, as far as a template can change it.
    pub(super) fn after(model: &Model, exists: &Value) -> Self {
        let new = Self::of(model);
        let mut fixed = Map::new();
        for name in FIXED {
            fixed.extend(exists.get(name).map(|value| (name.to_owned(), value.clone())));
        }
        let there = entries(exists);
        let added = new.schema.iter().filter(|entry| !there.iter().any(|old| is_same(old, entry)));
        let schema: Vec<Value> = there.iter().chain(added).cloned().collect();
        let mut kept: Vec<&str> = FIXED.into_iter().filter(|name| fixed.get(*name) != new.fixed.get(*name)).collect();
        kept.extend((schema != new.schema).then_some(SCHEMA));
        Self { fixed, schema, kept }
    }

    /// What says in the resource that it is not as it would be in a new stack.
    pub(super) fn remark(&self) -> Vec<String> {
        if self.kept.is_empty() {
            return Vec::new();
        }
        let why = format!("as the pool has it, because Cognito cannot change it: {}", self.kept.join(", "));
        vec![format!("Metadata: {}", flow(&json!({ "Kept": why })))]
    }

    /// Whether it ignores the case of user names.
    pub(super) fn ignores_case(&self) -> bool {
        !heeds_case(&Value::Object(self.fixed.clone()))
    }

    /// The properties that depend on the model. `has_tokens`: whether a function says which groups tokens get.
    pub(super) fn properties(&self, model: &Model, has_tokens: bool) -> Vec<String> {
        let mut lines: Vec<String> =
            self.fixed.iter().map(|(name, value)| format!("{name}: {}", flow(value))).collect();
        let (properties, trigger) = sign_up::pool(model);
        lines.extend(properties.iter().map(|line| (*line).to_owned()));
        let triggers: Vec<&str> = trigger.into_iter().chain(has_tokens.then(tokens::trigger)).collect();
        lines.extend((!triggers.is_empty()).then(|| format!("LambdaConfig: {{ {} }}", triggers.join(", "))));
        if !self.schema.is_empty() {
            lines.push(format!("{SCHEMA}:"));
            lines.extend(self.schema.iter().map(|entry| format!("  - {}", flow(entry))));
        }
        lines
    }
}

/// What an existing pool has that contradicts a model. `file` is the template that has it.
pub(super) fn refusals(model: &Model, exists: &Value, file: &str, form: Form) -> Vec<Contradiction> {
    let mut found = Vec::new();
    if !heeds_case(exists) && !model.has_lowered_users() {
        let mut help =
            "write the names with `|lower`, or in one case in the keys; or give the stack another pool".to_owned();
        if form == Form::Sam {
            help += &format!(
                ". If the stack has a `UserPoolId`, the pool of `{file}` was never made: set `CaseSensitive: true` there"
            );
        }
        found.push(Contradiction::new(
            "the user pool ignores case, and the model's user names do not: two items could share a user, and Cognito \
             cannot change this",
            help,
        ));
    }
    let there = entries(exists);
    let new = schema(model);
    for entry in &new {
        let Some(old) = there.iter().find(|old| is_same(old, entry)) else { continue };
        let differs =
            |name: &str, default: Value| old.get(name).unwrap_or(&default) != entry.get(name).unwrap_or(&default);
        if differs("AttributeDataType", json!("String")) || differs("Mutable", json!(true)) {
            found.push(Contradiction::new(
                format!(
                    "the user pool has the attribute `{}` as {}, and the model needs {}: Cognito changes no attribute",
                    text(old, "Name"),
                    flow(old),
                    flow(entry)
                ),
                "give it another name in the model",
            ));
        }
    }
    let added = new.iter().filter(|entry| !there.iter().any(|old| is_same(old, entry)));
    let custom = there.iter().chain(added).filter(|entry| !COGNITO_USER_ATTRIBUTES.contains(&text(entry, "Name")));
    let count = custom.count();
    if count > CUSTOM_ATTRIBUTES_MAX {
        found.push(Contradiction::new(
            format!("with the attributes that it has already, the user pool would have {count} custom ones"),
            format!("a pool has at most {CUSTOM_ATTRIBUTES_MAX}, and deletes none: use names again that it has"),
        ));
    }
    found
}

/// What people have to know of a pool that stays as it is.
pub(super) fn notes(model: &Model, exists: &Value) -> Vec<String> {
    let mut notes = Vec::new();
    if heeds_case(exists) && model.pool_ignores_case() {
        notes.push(
            "the user pool heeds case, as before: users have to type their names in lower case, as the model has them"
                .to_owned(),
        );
    }
    let new = schema(model);
    let gone = entries(exists).iter().filter(|old| !new.iter().any(|entry| is_same(old, entry)));
    let gone: Vec<String> = gone.map(|entry| format!("`{}`", text(entry, "Name"))).collect();
    if !gone.is_empty() {
        notes.push(format!(
            "the user pool keeps the attributes that the model has no more: {}. Cognito deletes none",
            gone.join(", ")
        ));
    }
    notes
}

/// Source: AWS CloudFormation Template Reference, "AWS::Cognito::UserPool UsernameConfiguration": the default is true.
fn heeds_case(pool: &Value) -> bool {
    let value = pool.get(CASE).and_then(|names| names.get("CaseSensitive"));
    value.is_none_or(|value| *value != false && *value != "false")
}

/// The custom attributes that a model needs in its pool.
fn schema(model: &Model) -> Vec<Value> {
    let entry = |name: &str| {
        let (own, only) = match name.strip_prefix(DEVELOPER_ATTRIBUTE) {
            Some(own) => (own, true),
            None => (name, false),
        };
        let own = own.strip_prefix(CUSTOM_ATTRIBUTE).unwrap_or(own);
        // Nobody changes who made a user.
        let mut entry = json!({ "Name": own, "AttributeDataType": "String", "Mutable": name != ACCOUNT_MARK });
        if only {
            merge(&mut entry, json!({ "DeveloperOnlyAttribute": true }));
        }
        entry
    };
    model.custom_user_attributes().into_iter().map(entry).collect()
}

fn entries(pool: &Value) -> &[Value] {
    pool.get(SCHEMA).and_then(Value::as_array).map_or(&[], Vec::as_slice)
}

/// Whether two entries of a schema are about the same attribute.
fn is_same(one: &Value, other: &Value) -> bool {
    let is_for_developers = |entry: &Value| entry.get("DeveloperOnlyAttribute").is_some_and(|only| *only == true);
    text(one, "Name") == text(other, "Name") && is_for_developers(one) == is_for_developers(other)
}
