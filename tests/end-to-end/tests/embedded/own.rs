//! Small worlds of models that a test writes itself.

use std::time::Duration;

use instep_flow::report::{Outcome, Report};
use instep_model::Model;
use serde_json::{Value, json};

use crate::world::{World, pk};

const TABLE: &str = "pk = \"pk\", sk = \"sk\"";

pub async fn world(text: &str) -> World {
    world_with(TABLE, text).await
}

/// A world with these settings of the table.
pub async fn world_with(table: &str, text: &str) -> World {
    let text = format!("model = \"own\"\ntable = {{ {table} }}\n{text}");
    let model = Model::parse("own.toml", &text).map_err(|errors| format!("{errors:?}"));
    World::of(model.unwrap(), Duration::ZERO).await
}

pub async fn put(world: &World, key: (&str, &str), more: Value) {
    let mut item = json!({"pk": key.0, "sk": key.1});
    item.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
    world.put(item).await;
}

pub fn parked(reports: &[Report]) -> Vec<&'static str> {
    let records = reports.iter().flat_map(|report| &report.records);
    let codes = records.filter_map(|record| match &record.outcome {
        Outcome::Parked(parked) => Some(parked.code),
        Outcome::Handled | Outcome::Skipped { .. } | Outcome::Retry { .. } => None,
    });
    codes.collect()
}

/// The items of the table, without Instep's own.
pub async fn keys(world: &World) -> Vec<String> {
    let items = world.state().await.items;
    let own = items.iter().filter(|item| !pk(item, "pk").starts_with("INSTEP#"));
    own.map(|item| format!("{} {}", pk(item, "pk"), pk(item, "sk"))).collect()
}

pub async fn groups(world: &World) -> Vec<String> {
    world.state().await.groups.into_iter().map(|group| group.name).collect()
}
