//! `instep redrive` is interrupted, as people do it.

use std::io::{BufRead as _, BufReader, Read as _};
use std::process::{Child, Command, Stdio};

use aws_sdk_sqs::Client;
use aws_sdk_sqs::types::{QueueAttributeName, SendMessageBatchRequestEntry};
use instep_aws::calls::Calls;
use instep_aws::connect;

use crate::support::{binary, root};

const WORK: &str = "https://sqs.us-east-1.amazonaws.com/000000000000/work";
const DEAD_LETTERS: &str = "https://sqs.us-east-1.amazonaws.com/000000000000/work-dead-letters";

/// So many that their lines fill the pipe: the redrive cannot end before it is read.
const MESSAGES: usize = 600;

/// `instep dev`, until it is dropped.
struct Dev {
    process: Child,
    url: String,
}

impl Dev {
    fn start() -> Self {
        let dir = tempfile::tempdir().unwrap();
        let mut command = Command::new(binary());
        for name in ["ACCESS_KEY_ID", "PROFILE", "WEB_IDENTITY_TOKEN_FILE", "CONTAINER_CREDENTIALS_FULL_URI"] {
            command.env_remove(format!("AWS_{name}"));
        }
        command.args(["dev", "access-management", "--port", "0"]).env("HOME", dir.path()).stdout(Stdio::piped());
        let mut process = command.spawn().unwrap();
        let mut lines = BufReader::new(process.stdout.take().unwrap()).lines().map(Result::unwrap);
        let page = lines.find(|line| line.trim_start().starts_with("page")).unwrap();
        Self { process, url: page.split_whitespace().last().unwrap().to_owned() }
    }
}

impl Drop for Dev {
    fn drop(&mut self) {
        self.process.kill().unwrap();
        self.process.wait().unwrap();
    }
}

/// Promise 6: what an interrupted redrive has received and not sent is there for the next one.
#[cfg(unix)]
#[tokio::test]
async fn an_interrupted_redrive_hides_no_message() {
    let dev = Dev::start();
    let client = Client::new(&connect::endpoint(&dev.url, &Calls::default()).await);
    let unreadable = r#"{"instepParked":"1","code":"c","reason":"r","record":"***"}"#;
    let entry = |id: usize| SendMessageBatchRequestEntry::builder().id(id.to_string()).message_body(unreadable);
    for _ in 0..MESSAGES / 10 {
        let entries = (0..10).map(|id| entry(id).build().unwrap()).collect();
        client.send_message_batch().queue_url(DEAD_LETTERS).set_entries(Some(entries)).send().await.unwrap();
    }
    let file = root().join("events/access-management/01-user-created.json");
    let names = ["--table", "access-management", "--user-pool", "us-east-1_instep000", "--bus", "instep"];
    let mut redrive = Command::new(binary())
        .args(["redrive", DEAD_LETTERS, file.to_str().unwrap(), "--endpoint", &dev.url, "--work-queue", WORK])
        .args(["--model", "access-management"])
        .args(names)
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut stdout = BufReader::new(redrive.stdout.take().unwrap());
    stdout.read_line(&mut String::new()).unwrap();
    assert!(Command::new("kill").args(["-INT", &redrive.id().to_string()]).status().unwrap().success());
    let mut rest = String::new();
    stdout.read_to_string(&mut rest).unwrap();
    let ended = redrive.wait_with_output().unwrap();
    let stderr = String::from_utf8(ended.stderr).unwrap();
    assert_eq!(ended.status.code(), Some(1), "{rest}{stderr}");
    assert!(rest.contains("some were not sent") && stderr.contains("not read: 1"), "{rest}{stderr}");
    let attributes = client.get_queue_attributes().queue_url(DEAD_LETTERS).attribute_names(QueueAttributeName::All);
    let attributes = attributes.send().await.unwrap().attributes.unwrap();
    assert_eq!(attributes[&QueueAttributeName::ApproximateNumberOfMessages], MESSAGES.to_string());
}
