//! What `instep check` accepts comes true: words of own models, each in a small world.

use aws_sdk_dynamodb::types::{
    AttributeDefinition, CreateGlobalSecondaryIndexAction, DeleteGlobalSecondaryIndexAction,
    GlobalSecondaryIndexUpdate, KeySchemaElement, KeyType, Projection, ProjectionType, ScalarAttributeType,
};
use serde_json::json;

use crate::own::{keys, put, world};
use crate::world::World;

/// Promise 1: of an index only the keys are used, so it may project nothing else.
#[tokio::test]
async fn an_index_that_projects_only_keys_is_enough() {
    let text = "[indexes]\nGSI1 = { pk = \"g1p\", sk = \"g1s\" }\n\
                [items.Person]\npk = \"P#{personId}\"\nsk = \"P\"\nentity = \"Person\"\n\
                [items.Note]\npk = \"N#{noteId}\"\nsk = \"N\"\nentity = \"Note\"\nparent = \"Person\"\n\
                GSI1 = { pk = \"PERSON#{personId}\", sk = \"N\" }\n";
    let world = world(text).await;
    keys_only(&world).await;
    put(&world, ("P#1", "P"), json!({})).await;
    put(&world, ("N#n", "N"), json!({"personId": "1", "g1p": "PERSON#1", "g1s": "N"})).await;
    world.drain().await;
    world.delete(("pk", "sk"), ("P#1", "P")).await;
    world.drain().await;
    assert_eq!(keys(&world).await, [""; 0]);
}

/// Makes the index anew, with keys alone.
async fn keys_only(world: &World) {
    let update = || world.client.update_table().table_name("table");
    let drop = DeleteGlobalSecondaryIndexAction::builder().index_name("GSI1").build().unwrap();
    let drop = GlobalSecondaryIndexUpdate::builder().delete(drop).build();
    update().global_secondary_index_updates(drop).send().await.unwrap();
    let key = |name: &str, of: KeyType| KeySchemaElement::builder().attribute_name(name).key_type(of).build().unwrap();
    let named = |name: &str| {
        AttributeDefinition::builder().attribute_name(name).attribute_type(ScalarAttributeType::S).build().unwrap()
    };
    let create = CreateGlobalSecondaryIndexAction::builder()
        .index_name("GSI1")
        .key_schema(key("g1p", KeyType::Hash))
        .key_schema(key("g1s", KeyType::Range))
        .projection(Projection::builder().projection_type(ProjectionType::KeysOnly).build())
        .build()
        .unwrap();
    let create = GlobalSecondaryIndexUpdate::builder().create(create).build();
    let attributes = ["pk", "sk", "g1p", "g1s"].map(named);
    update()
        .set_attribute_definitions(Some(attributes.to_vec()))
        .global_secondary_index_updates(create)
        .send()
        .await
        .unwrap();
}
