//! What a directory persists, and the states from which the next process can continue.

use std::fs;
use std::io::Write as _;

use aws_sdk_eventbridge::types::PutEventsRequestEntry;
use instep_model::Model;
use serde_json::value::RawValue;

use super::{TABLE, clock, cognito, open, put, table};
use crate::{Handler, LocalError, PumpOptions, Stack, StackOptions};

struct Count(usize);

impl Handler for Count {
    async fn handle(&mut self, records: &[Box<RawValue>]) -> Result<Vec<String>, String> {
        self.0 += records.len();
        Ok(Vec::new())
    }
}

async fn drained(stack: &Stack) -> usize {
    let mut count = Count(0);
    stack.pump(PumpOptions::default()).unwrap().drain(&mut count).await.unwrap();
    count.0
}

async fn fill(stack: &Stack) {
    let (client, pool) = (cognito(stack), stack.user_pool());
    client.create_group().user_pool_id(pool).group_name("staff").send().await.unwrap();
    client.create_group().user_pool_id(pool).group_name("empty").send().await.unwrap();
    let create = client.admin_create_user().user_pool_id(pool).username("bob");
    create.temporary_password("secret-Secret-1").send().await.unwrap();
    client.admin_add_user_to_group().user_pool_id(pool).username("bob").group_name("staff").send().await.unwrap();
    client.admin_disable_user().user_pool_id(pool).username("bob").send().await.unwrap();
    put(stack, "a", &[]).await;
    let entry = PutEventsRequestEntry::builder().source("x").detail_type("x").detail("{}").event_bus_name("instep");
    let events = aws_sdk_eventbridge::Client::new(&stack.sdk_config());
    events.put_events().entries(entry.build()).send().await.unwrap();
}

#[tokio::test]
async fn a_reopened_stack_has_its_state() {
    let dir = tempfile::tempdir().unwrap();
    let stack = open(Some(dir.path())).await.unwrap();
    fill(&stack).await;
    assert_eq!(drained(&stack).await, 1);
    put(&stack, "b", &[]).await;
    let (state, published) = (stack.state().await.unwrap(), stack.published());
    // Dropped without closing, as a killed process leaves it.
    drop(stack);
    let stack = open(Some(dir.path())).await.unwrap();
    assert_eq!(stack.state().await.unwrap(), state);
    assert_eq!(stack.published(), published);
    assert_eq!(drained(&stack).await, 1, "only what was not handled before");
    let journal = fs::read_to_string(dir.path().join("cognito.jsonl")).unwrap();
    assert!(!journal.contains("secret-Secret-1"));
    stack.close().await;
    let stack = open(Some(dir.path())).await.unwrap();
    assert_eq!(drained(&stack).await, 0);
}

#[tokio::test]
async fn an_incomplete_line_is_dropped() {
    let dir = tempfile::tempdir().unwrap();
    let stack = open(Some(dir.path())).await.unwrap();
    fill(&stack).await;
    let state = stack.state().await.unwrap();
    stack.close().await;
    let journal = dir.path().join("cognito.jsonl");
    let whole = fs::read(&journal).unwrap();
    fs::File::options().append(true).open(&journal).unwrap().write_all(br#"{"Request":{"at_ms":17"#).unwrap();
    let stack = open(Some(dir.path())).await.unwrap();
    assert_eq!(stack.state().await.unwrap(), state);
    drop(stack);
    assert_eq!(fs::read(&journal).unwrap(), whole);

    fs::write(&journal, [b"nonsense\n", whole.as_slice()].concat()).unwrap();
    let error = open(Some(dir.path())).await.unwrap_err();
    assert!(matches!(error, LocalError::Damaged { line: 1, .. }), "{error}");
}

#[tokio::test]
async fn a_long_journal_is_compacted() {
    let dir = tempfile::tempdir().unwrap();
    let stack = open(Some(dir.path())).await.unwrap();
    fill(&stack).await;
    for number in 0..1_000 {
        let body = format!(r#"{{"UserPoolId":"{}","GroupName":"g{number}"}}"#, stack.user_pool());
        stack.in_process("CreateGroup", &body).unwrap();
    }
    let state = stack.state().await.unwrap();
    drop(stack);
    let stack = open(Some(dir.path())).await.unwrap();
    assert_eq!(fs::read_to_string(dir.path().join("cognito.jsonl")).unwrap().lines().count(), 1);
    assert_eq!(stack.state().await.unwrap(), state);
    let add = cognito(&stack).admin_add_user_to_group().user_pool_id(stack.user_pool());
    add.username("bob").group_name("g7").send().await.unwrap();
    let state = stack.state().await.unwrap();
    drop(stack);
    assert_eq!(open(Some(dir.path())).await.unwrap().state().await.unwrap(), state);
}

#[tokio::test]
async fn a_directory_belongs_to_one_process() {
    let dir = tempfile::tempdir().unwrap();
    let stack = open(Some(dir.path())).await.unwrap();
    let error = open(Some(dir.path())).await.unwrap_err();
    assert!(matches!(error, LocalError::Locked(_)), "{error}");
    stack.close().await;
    open(Some(dir.path())).await.unwrap();
}

#[tokio::test]
async fn a_directory_belongs_to_one_model_and_table() {
    let dir = tempfile::tempdir().unwrap();
    open(Some(dir.path())).await.unwrap().close().await;
    let options =
        |table: &str| StackOptions { dir: Some(dir.path().to_owned()), table: table.to_owned(), clock: clock() };
    let other = Model::shipped("relational-store").unwrap();
    let error = Stack::open(&other, options(TABLE)).await.unwrap_err();
    assert!(matches!(error, LocalError::MadeFor { what: "model", .. }), "{error}");
    let error = Stack::open(&super::model(), options("others")).await.unwrap_err();
    assert!(matches!(error, LocalError::MadeFor { what: "table", .. }), "{error}");
    let mut changed = super::model();
    changed.indexes[0].sk = None;
    let error = Stack::open(&changed, options(TABLE)).await.unwrap_err();
    assert!(error.to_string().contains(&format!("its index `{}`", changed.indexes[0].name)), "{error}");
    let mut changed = super::model();
    changed.table.ttl = "expires".to_owned();
    let error = Stack::open(&changed, options(TABLE)).await.unwrap_err();
    assert!(error.to_string().contains("`expires`"), "{error}");
}

#[tokio::test]
async fn a_directory_of_something_else_is_left_alone() {
    let dir = tempfile::tempdir().unwrap();
    fs::write(dir.path().join("thesis.txt"), "x").unwrap();
    let error = open(Some(dir.path())).await.unwrap_err();
    assert!(matches!(error, LocalError::NotOurs(_)), "{error}");
    assert_eq!(fs::read_dir(dir.path()).unwrap().count(), 1);
    let error = open(Some(&dir.path().join("thesis.txt"))).await.unwrap_err();
    assert!(matches!(error, LocalError::NoDirectory(_)), "{error}");
}

/// A process is killed between creating the table and setting its TTL.
#[tokio::test]
async fn a_table_without_ttl_is_completed() {
    let dir = tempfile::tempdir().unwrap();
    let stack = open(Some(dir.path())).await.unwrap();
    let off = aws_sdk_dynamodb::types::TimeToLiveSpecification::builder().enabled(false);
    let off = off.attribute_name(&super::model().table.ttl).build().unwrap();
    table(&stack).update_time_to_live().table_name(TABLE).time_to_live_specification(off).send().await.unwrap();
    drop(stack);
    let stack = open(Some(dir.path())).await.unwrap();
    let ttl = table(&stack).describe_time_to_live().table_name(TABLE).send().await.unwrap();
    let status = ttl.time_to_live_description.unwrap().time_to_live_status.unwrap();
    assert_eq!(status.as_str(), "ENABLED");
}

/// A model of access-management's table with other properties of its table.
fn changed(table: &str, more: &str) -> Model {
    let text = format!(
        "model = \"access-management\"\ntable = {table}\n[items.Team]\npk = \"T#{{teamId}}\"\nsk = \"T\"\n{more}"
    );
    Model::parse("changed.toml", &text).unwrap()
}

#[tokio::test]
async fn a_stack_follows_another_model_with_its_items() {
    const BY_DAY: &str = "byDay = { pk = \"D#{teamId}\" }\n[indexes.byDay]\npk = \"D\"\n";
    const KEYS: &str = "{ pk = \"pk\", sk = \"sk\" }";
    let stack = open(None).await.unwrap();
    fill(&stack).await;
    put(&stack, "T#1", &[("D", super::text("D#1")), ("E", super::text("D#1"))]).await;
    let (items, stream) = (stack.state().await.unwrap(), stack.stream_arn().to_owned());
    let found = async |expected: Option<i32>| {
        let query = table(&stack).query().table_name(TABLE).index_name("byDay");
        let query =
            query.key_condition_expression("#day = :day").expression_attribute_values(":day", super::text("D#1"));
        let day = if expected == Some(2) { "E" } else { "D" };
        let rows = query.expression_attribute_names("#day", day).send().await.ok().map(|answer| answer.count());
        assert_eq!(rows, expected.map(|_| 1));
    };
    found(None).await;
    stack.follow(&changed(KEYS, BY_DAY)).await.unwrap();
    found(Some(1)).await;
    stack.follow(&changed(KEYS, &BY_DAY.replace("\"D\"", "\"E\""))).await.unwrap();
    found(Some(2)).await;
    stack.follow(&changed(KEYS, "")).await.unwrap();
    found(None).await;
    for (table, what) in [
        ("{ pk = \"PK\", sk = \"sk\" }", "its key is `pk`, `sk`"),
        ("{ pk = \"pk\", sk = \"sk\", ttl = \"gone\" }", "its TTL"),
    ] {
        let refused = stack.follow(&changed(table, "")).await.unwrap_err().to_string();
        assert!(refused.contains(what), "{refused}");
    }
    assert_eq!(stack.state().await.unwrap(), items);
    assert_eq!(stack.stream_arn(), stream);
    assert_eq!(drained(&stack).await, 2, "no record is lost");
}

#[tokio::test]
async fn a_copy_has_the_items_and_the_pool_and_changes_alone() {
    let (stack, copy) = (open(None).await.unwrap(), open(None).await.unwrap());
    fill(&stack).await;
    put(&stack, "b", &[("name", super::text("Bo"))]).await;
    let state = stack.state().await.unwrap();
    copy.import(&state.items).unwrap();
    stack.front().copy_pool_to(&copy);
    assert_eq!(copy.state().await.unwrap(), state);
    assert_eq!(drained(&copy).await, 0, "what was there before has no record");
    put(&copy, "c", &[]).await;
    cognito(&copy).delete_group().user_pool_id(copy.user_pool()).group_name("staff").send().await.unwrap();
    assert_eq!(drained(&copy).await, 1);
    assert_eq!(stack.state().await.unwrap(), state);
}
