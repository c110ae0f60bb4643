//! The Lambda function of the example consumer. It needs one environment variable, `CONSUMER_TABLE`: the
//! name of its table.

use std::process::ExitCode;

use aws_sdk_dynamodb::Client;
use instep_aws::calls::Calls;
use instep_aws::connect;
use instep_consumer_function::{Rows, TABLE, handle};
use instep_lambda::{environment, start_logs};
use lambda_runtime::{LambdaEvent, service_fn};
use serde_json::value::RawValue;
use tracing::error;

#[tokio::main(flavor = "current_thread")]
async fn main() -> ExitCode {
    start_logs();
    let Some(table) = environment(TABLE) else {
        error!(problem = "CONSUMER_TABLE is not set: the name of the consumer's table", "cannot start");
        return ExitCode::FAILURE;
    };
    let rows = Rows::new(Client::new(&connect::lambda(&Calls::default()).await), table);
    let service = service_fn(|event: LambdaEvent<Box<RawValue>>| handle(&rows, event));
    match lambda_runtime::run(service).await {
        Ok(()) => ExitCode::SUCCESS,
        Err(why) => {
            error!(problem = %why, "the runtime ended");
            ExitCode::FAILURE
        }
    }
}
