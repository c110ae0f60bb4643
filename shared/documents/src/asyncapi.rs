//! An AsyncAPI 3 document: the event bus as a channel, each event type as a message.

use instep_contract::CONTRACT_VERSION;
use instep_model::Model;
use serde_json::{Map, Value, json};

use crate::event_type::EventType;

/// The document. `schemas` and `events` are in the same order; `examples` are events by `name`.
pub(crate) fn document(
    model: &Model,
    events: &[EventType],
    schemas: &[(String, Value)],
    examples: &Map<String, Value>,
) -> Value {
    let (mut messages, mut in_channel) = (Map::new(), Map::new());
    for (event, (name, schema)) in events.iter().zip(schemas) {
        let mut payload = schema.clone();
        if let Some(fields) = payload.as_object_mut() {
            fields.remove("$schema");
            fields.remove("$id");
        }
        let mut message = json!({
            "name": name,
            "title": event.shown(),
            "summary": crate::words::when(model, event),
            "contentType": "application/json",
            "payload": payload,
        });
        if let Some(example) = examples.get(name) {
            crate::schema::set(&mut message, "examples", json!([{"name": name, "payload": example}]));
        }
        messages.insert(name.clone(), message);
        in_channel.insert(name.clone(), json!({"$ref": format!("#/components/messages/{name}")}));
    }
    json!({
        "asyncapi": "3.0.0",
        "id": format!("urn:instep:{}", model.name),
        "info": {
            "title": format!("Events of {}", model.name),
            "version": format!("{CONTRACT_VERSION}.0.0"),
            "description": "What Instep publishes on Amazon EventBridge after changes of a DynamoDB table. Events are \
                            delivered at least once and in any order: of one item, keep the last by `epoch`, then by \
                            `sequence`, then by `index`.",
        },
        "defaultContentType": "application/json",
        "channels": {
            "bus": {
                "title": "The event bus",
                "description": format!("An Amazon EventBridge bus. The source of all events is `{}`.", model.source),
                "messages": in_channel,
            },
        },
        "operations": {
            "publish": {
                "action": "send",
                "channel": {"$ref": "#/channels/bus"},
                "summary": "Instep publishes each change after its effects are in place, or when its record is parked.",
            },
        },
        "components": {"messages": messages},
    })
}
