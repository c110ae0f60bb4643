//! Faults, and the counts of calls.

use std::collections::HashMap;

use aws_sdk_dynamodb::types::{KeysAndAttributes, PutRequest, WriteRequest};

use super::{TABLE, code, cognito, item, put, stack, table, text};
use crate::Fault;

#[tokio::test]
async fn a_refused_call_has_no_effect() {
    let stack = stack().await;
    let create = cognito(&stack).create_group().user_pool_id(stack.user_pool()).group_name("g");
    stack.faults().next("CreateGroup", 1, Fault::refuse("TooManyRequestsException"));
    assert_eq!(code(create.clone().send().await), "TooManyRequestsException");
    create.send().await.unwrap();
    stack.faults().next("PutItem", 1, Fault::Refuse { status: 500, code: "InternalServerError".to_owned() });
    let put = table(&stack).put_item().table_name(TABLE).set_item(Some(item("a", &[])));
    assert_eq!(code(put.send().await), "InternalServerError");
    assert!(stack.state().await.unwrap().items.is_empty());
}

#[tokio::test]
async fn a_lost_answer_has_its_effect() {
    let stack = stack().await;
    stack.faults().next("PutItem", 1, Fault::LoseAnswer);
    stack.faults().next("CreateGroup", 1, Fault::LoseAnswer);
    let put = table(&stack).put_item().table_name(TABLE).set_item(Some(item("a", &[])));
    let error = put.send().await.unwrap_err();
    assert!(error.as_service_error().is_none(), "{error:?}");
    let create = cognito(&stack).create_group().user_pool_id(stack.user_pool()).group_name("g");
    create.send().await.unwrap_err();
    let state = stack.state().await.unwrap();
    assert_eq!((state.items.len(), state.groups.len()), (1, 1));
}

#[tokio::test]
async fn batches_hand_back_what_they_did_not_do() {
    let stack = stack().await;
    put(&stack, "a", &[]).await;
    put(&stack, "b", &[]).await;
    let keys = ["a", "b"].map(|key| item(key, &[]));
    let keys = KeysAndAttributes::builder().set_keys(Some(keys.to_vec())).consistent_read(true).build().unwrap();
    for (count, got) in [(1, 1), (2, 0), (0, 2)] {
        stack.faults().next("BatchGetItem", 1, Fault::Unprocessed { count });
        let get = table(&stack).batch_get_item().request_items(TABLE, keys.clone());
        let answer = get.send().await.unwrap();
        let found = answer.responses().and_then(|tables| tables.get(TABLE)).map_or(0, Vec::len);
        let unprocessed =
            answer.unprocessed_keys().and_then(|tables| tables.get(TABLE)).map_or(0, |keys| keys.keys().len());
        assert_eq!((found, unprocessed), (got, count));
    }
    let write = |key: &str| {
        let put = PutRequest::builder().set_item(Some(item(key, &[("n", text("1"))]))).build().unwrap();
        WriteRequest::builder().put_request(put).build()
    };
    stack.faults().next("BatchWriteItem", 1, Fault::Unprocessed { count: 1 });
    let items = HashMap::from([(TABLE.to_owned(), vec![write("c"), write("d")])]);
    let answer = table(&stack).batch_write_item().set_request_items(Some(items)).send().await.unwrap();
    assert_eq!(answer.unprocessed_items().unwrap()[TABLE], [write("d")]);
    assert_eq!(stack.state().await.unwrap().items.len(), 3);
}

#[tokio::test]
async fn calls_of_the_code_under_test_are_counted_and_no_others() {
    let stack = stack().await;
    put(&stack, "a", &[]).await;
    stack.faults().next("PutItem", 1, Fault::refuse("ThrottlingException"));
    let put = table(&stack).put_item().table_name(TABLE).set_item(Some(item("a", &[])));
    put.send().await.unwrap_err();
    let list = cognito(&stack).list_groups().user_pool_id(stack.user_pool());
    list.send().await.unwrap();
    stack.state().await.unwrap();
    let counts: Vec<_> = stack.calls().snapshot().into_iter().collect();
    assert_eq!(counts, [("ListGroups".to_owned(), 1), ("PutItem".to_owned(), 2)]);
}
