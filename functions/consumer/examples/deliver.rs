//! Reads deliveries, one JSON object a line, and applies them as the Lambda function does, to a table of
//! the embedded stand-in. After `{"end": true}` it prints the read model and starts again.

use std::error::Error;
use std::io::{BufRead as _, Write as _};

use instep_consumer_function::{Rows, handle};
use instep_local::{Clock, Stack, StackOptions};
use instep_model::Model;
use lambda_runtime::{Context, LambdaEvent};
use serde_json::{json, value::to_raw_value};

/// A model of the consumer's table, for its keys.
const MODEL: &str = r#"
model = "consumer"
[table]
pk = "subject"
sk = "grant"
[items.Row]
pk = "{entity}#{entityId}"
sk = "{hash}"
"#;

/// The most messages of a batch. Source: AWS Lambda Developer Guide, "Using Lambda with Amazon SQS".
const BATCH: usize = 10;

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), Box<dyn Error>> {
    let model = Model::parse("consumer.toml", MODEL).map_err(|errors| errors.to_string())?;
    let mut out = std::io::stdout();
    let mut deliveries = Vec::new();
    for line in std::io::stdin().lock().lines() {
        let line = line?;
        if line != "{\"end\": true}" {
            deliveries.push(line);
            continue;
        }
        let clock = Clock::new(jiff::Timestamp::UNIX_EPOCH);
        let stack = Stack::open(&model, StackOptions { dir: None, table: "consumer".to_owned(), clock }).await?;
        let client = aws_sdk_dynamodb::Client::new(&stack.uncounted_config());
        let rows = Rows::new(client, stack.table().to_owned());
        for batch in deliveries.chunks(BATCH) {
            let message = |(place, body): (usize, &String)| json!({"messageId": place.to_string(), "body": body});
            let records: Vec<_> = batch.iter().enumerate().map(message).collect();
            let event = LambdaEvent::new(to_raw_value(&json!({"Records": records}))?, Context::default());
            let response = handle(&rows, event).await?;
            if !response.batch_item_failures.is_empty() {
                return Err("a delivery was not applied".into());
            }
        }
        deliveries.clear();
        writeln!(out, "{}", serde_json::to_string(&rows.all().await?)?)?;
        out.flush()?;
        stack.close().await;
    }
    Ok(())
}
