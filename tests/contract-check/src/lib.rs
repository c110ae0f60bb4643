#![doc = include_str!("../README.md")]

use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};

use boon::{Compiler, SchemaIndex, Schemas};
use instep_documents::{EventType, Openness, as_draft_04, event_schema};
use instep_model::Model;
use serde_json::{Value, json};

/// The schemas of a model's events. Each is compiled when the first such event comes.
pub struct Contract {
    model: Model,
    events: Vec<EventType>,
    compiled: Mutex<Compiled>,
}

#[derive(Default)]
struct Compiled {
    schemas: Schemas,
    by_name: HashMap<String, SchemaIndex>,
}

impl std::fmt::Debug for Contract {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Contract").field("model", &self.model.name).finish_non_exhaustive()
    }
}

impl Contract {
    /// The schemas of a model.
    #[must_use]
    pub fn of(model: &Model) -> Self {
        Self { model: model.clone(), events: EventType::all(model), compiled: Mutex::default() }
    }

    /// Validates an event. Fields that its schema does not name are errors, too.
    ///
    /// # Errors
    /// What is wrong, and where.
    pub fn check(&self, source: &str, detail_type: &str, detail: &str) -> Result<(), String> {
        let detail: Value = serde_json::from_str(detail).map_err(|error| format!("no JSON: {error}"))?;
        let event = json!({"source": source, "detail-type": detail_type, "detail": detail});
        // An open name can look like a fixed one: of the same item type's other verbs, for example.
        let fixed = self.events.iter().filter(|of| of.fixed() == Some(detail_type));
        let open = self.events.iter().filter(|of| of.fixed().is_none());
        let mut wrong = Vec::new();
        for of in fixed.chain(open) {
            match self.validate(of, &event) {
                Ok(()) => return Ok(()),
                Err(why) => wrong.push((of.fixed().is_none(), why)),
            }
        }
        // If the name is fixed, what the open ones say does not help.
        let has_fixed = wrong.iter().any(|(is_open, _)| !is_open);
        let shown = wrong.into_iter().filter(|(is_open, _)| !(has_fixed && *is_open)).map(|(_, why)| why);
        let shown: Vec<String> = shown.collect();
        let shown = if shown.is_empty() { "the contract has no such event".to_owned() } else { shown.join("\n") };
        Err(format!("`{detail_type}` is not as its schema says: {shown}\n{event}"))
    }

    fn validate(&self, of: &EventType, event: &Value) -> Result<(), String> {
        let mut compiled = self.compiled.lock().unwrap_or_else(PoisonError::into_inner);
        let Compiled { schemas, by_name } = &mut *compiled;
        let index = match by_name.get(&of.name) {
            Some(index) => *index,
            None => {
                let index = compile(schemas, &of.name, event_schema(&self.model, of, Openness::Closed))?;
                by_name.insert(of.name.clone(), index);
                index
            }
        };
        schemas.validate(event, index).map_err(|error| format!("{error:#}"))
    }
}

fn compile(schemas: &mut Schemas, name: &str, schema: Value) -> Result<SchemaIndex, String> {
    let mut compiler = Compiler::new();
    let url = format!("https://instep.example/{name}.json");
    let mut schema = schema;
    if let Some(fields) = schema.as_object_mut() {
        fields.remove("$id");
        fields.remove("id");
    }
    compiler.add_resource(&url, schema).map_err(|error| error.to_string())?;
    compiler.compile(&url, schemas).map_err(|error| format!("the schema of {name} is no schema: {error}"))
}

/// Validates an event against a published schema, and against the same one in draft-04.
///
/// # Errors
/// What is wrong, and where.
pub fn check_published(schema: &Value, event: &Value) -> Result<(), String> {
    for schema in [schema.clone(), as_draft_04(schema)] {
        let mut schemas = Schemas::new();
        let index = compile(&mut schemas, "event", schema)?;
        schemas.validate(event, index).map_err(|error| format!("{error:#}"))?;
    }
    Ok(())
}
