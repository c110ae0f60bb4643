//! The function's own binary, where it cannot start: a clear error, on the log, and no panic.

#![expect(clippy::unwrap_used, clippy::indexing_slicing, reason = "a test stops where it cannot go on")]

use std::collections::BTreeMap;
use std::process::Command;

/// Lambda's own variables, and a sound configuration.
const SOUND: [(&str, &str); 14] = [
    ("AWS_LAMBDA_RUNTIME_API", "127.0.0.1:1"),
    ("AWS_LAMBDA_FUNCTION_NAME", "stream"),
    ("AWS_LAMBDA_FUNCTION_MEMORY_SIZE", "256"),
    ("AWS_LAMBDA_FUNCTION_VERSION", "$LATEST"),
    ("AWS_REGION", "eu-west-1"),
    ("AWS_ACCESS_KEY_ID", "x"),
    ("AWS_SECRET_ACCESS_KEY", "x"),
    ("INSTEP_MODEL", "access-management"),
    ("INSTEP_TABLE", "table"),
    ("INSTEP_USER_POOL", "eu-west-1_x"),
    ("INSTEP_BUS", "bus"),
    ("INSTEP_PARKED_QUEUE", "http://127.0.0.1:1/queue"),
    ("INSTEP_BUCKET", "bucket"),
    ("INSTEP_WORK_QUEUE_URL", "http://127.0.0.1:1/work"),
];

/// Starts the function with changes to a sound environment: its exit status and the problems that
/// its log names.
fn start(changes: &[(&str, &str)]) -> (i32, Vec<String>) {
    let mut environment = BTreeMap::from(SOUND);
    environment.extend(changes.iter().copied());
    environment.retain(|_, text| !text.is_empty());
    let output = Command::new(env!("CARGO_BIN_EXE_stream")).env_clear().envs(environment).output().unwrap();
    let log = String::from_utf8(output.stdout).unwrap();
    assert!(output.stderr.is_empty(), "a panic? {}", String::from_utf8_lossy(&output.stderr));
    let problems = log.lines().map(|line| {
        let line: serde_json::Value = serde_json::from_str(line).unwrap();
        assert!(
            line["timestamp"].is_string() && line["level"] == "ERROR" && line["message"] == "cannot start",
            "{line}"
        );
        line["problem"].as_str().unwrap().to_owned()
    });
    (output.status.code().unwrap(), problems.collect())
}

#[test]
fn every_problem_of_the_environment_is_named() {
    let (status, problems) = start(&[
        ("INSTEP_TABLE", ""),
        ("INSTEP_BUS", ""),
        ("INSTEP_MODEL", "nonsense.toml"),
        ("INSTEP_METRICS", "many"),
    ]);
    assert_eq!((status, problems.len()), (1, 4), "{problems:?}");
    assert_eq!(problems[1], "INSTEP_TABLE is not set: it is the table's name");
}

#[test]
fn outside_lambda_the_error_says_that_it_is_a_lambda_function() {
    let (status, problems) = start(&[("AWS_LAMBDA_RUNTIME_API", "")]);
    assert_eq!(status, 1);
    assert!(
        problems[0].contains("this program is an AWS Lambda function and runs behind Lambda's runtime API only"),
        "{problems:?}"
    );
}
