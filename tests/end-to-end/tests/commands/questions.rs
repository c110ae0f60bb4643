//! Each question of `questions/`, typed: the command over a table in a directory.

use std::collections::BTreeSet;
use std::path::Path;

use instep_local::{Clock, Stack, StackOptions};
use serde_json::Value;

use super::answers::{AskedQuestion, LaggingTable, NOW, questions, texts};
use super::support::instep;

/// The words of the command.
fn words(asked: &AskedQuestion) -> Vec<String> {
    let subject = |text: &String| {
        let (of, names) = text.split_once(' ').unwrap();
        let values: Vec<&str> = names.split(' ').map(|name| name.split_once('=').unwrap().1).collect();
        format!("{of}={}", values.join("/"))
    };
    let place = asked.at.iter().flat_map(|at| at.split(' ').map(str::to_owned)).chain(asked.text.clone());
    let place: Vec<String> = place.collect();
    let at = if asked.who == Some(true) || place.is_empty() { None } else { Some("--at".to_owned()) };
    let mut words: Vec<String> = match (&asked.can, &asked.what, &asked.scopes) {
        (Some(who), ..) => vec!["can".to_owned(), subject(who)],
        (_, Some(who), _) => vec!["what".to_owned(), subject(who)],
        (.., Some(scope)) => ["scopes"].into_iter().chain(scope.split(' ')).map(str::to_owned).collect(),
        (None, None, None) => vec!["who".to_owned()],
    };
    match &asked.permission {
        Some(permission) if asked.who == Some(true) => words.extend(["--permission".to_owned(), permission.clone()]),
        Some(permission) => words.push(permission.clone()),
        None => {}
    }
    words.extend(asked.role.iter().flat_map(|role| ["--role".to_owned(), role.clone()]));
    words.extend(at.into_iter().chain(place));
    words.extend(["--json", "--now", asked.now.as_deref().unwrap_or(NOW)].map(str::to_owned));
    words
}

/// The table, in a directory.
async fn persist(table: &LaggingTable, dir: &Path) {
    let clock = Clock::new(NOW.parse().unwrap());
    let options = StackOptions { dir: Some(dir.to_owned()), table: "questions".to_owned(), clock };
    let stack = Stack::open(&table.model, options).await.unwrap();
    stack.import(&table.items.values().cloned().collect::<Vec<_>>()).unwrap();
    stack.close().await;
}

/// Whether what the command printed, and its exit status, are what was expected.
fn is_right(expect: &Value, status: i32, printed: &Value) -> bool {
    let grants = || -> BTreeSet<String> {
        let held = printed["grants"].as_array().into_iter().flatten();
        let text = |held: &Value| {
            let role = held["role"].as_str().map(|role| format!("{role} ")).unwrap_or_default();
            let at = held["at"].as_str().unwrap();
            if at == "everywhere" { format!("{role}{at}") } else { format!("{role}at {at}") }
        };
        held.map(text).collect()
    };
    match expect.as_str() {
        Some("refused") => status == 2,
        Some("allow") => status == 0 && printed["answer"] == "allow",
        Some(text) => {
            let reasons = printed["reasons"].as_array().into_iter().flatten();
            let reasons: BTreeSet<&str> = reasons.filter_map(Value::as_str).collect();
            status == 1 && printed["answer"] == "deny" && reasons.contains(text.strip_prefix("deny:").unwrap())
        }
        None if expect["grants"].is_array() => {
            let is_permitted =
                expect["permissions"].is_null() || texts(&printed["permissions"]) == texts(&expect["permissions"]);
            grants() == texts(&expect["grants"]) && is_permitted
        }
        None if expect["subjects"].is_array() => {
            let is_complete = expect["complete"] == true;
            texts(&printed["subjects"]) == texts(&expect["subjects"])
                && printed["complete"] == expect["complete"]
                && status == i32::from(!is_complete)
        }
        None if expect["scopes"].is_array() => printed["scopes"] == expect["scopes"],
        None => status == 0 && printed["answer"] == expect["answer"] && printed["until"] == expect["until"],
    }
}

/// Promise 2: each question that is typed has the answer that the design says. An index of this table does not lag: the questions
/// about one that does are asked in `answers`.
#[tokio::test]
async fn each_question_has_its_answer_when_it_is_typed() {
    let mut mistakes = Vec::new();
    let mut count = 0;
    for (design, asked) in questions() {
        let table = LaggingTable::of(&design);
        let dir = tempfile::tempdir().unwrap();
        let unchanged = dir.path().join("unchanged");
        persist(&table, &unchanged).await;
        for asked in asked.iter().filter(|asked| asked.index_lacks.is_empty() && asked.index_shows.is_empty()) {
            let data = if asked.write.is_empty() && asked.delete.is_empty() {
                unchanged.clone()
            } else {
                let data = dir.path().join(&asked.id);
                persist(&table.with(asked), &data).await;
                data
            };
            let words = words(asked);
            let place = ["--model", &table.named, "--data", data.to_str().unwrap()];
            let typed: Vec<&str> = words.iter().map(String::as_str).chain(place).collect();
            let ran = instep(&typed);
            let printed = serde_json::from_str(&ran.stdout).unwrap_or_default();
            if !is_right(&asked.expect, ran.status, &printed) {
                mistakes.push(format!("{}: {words:?}: {}\n{}{}", asked.id, ran.status, ran.stdout, ran.stderr));
            }
            count += 1;
        }
    }
    assert!(mistakes.is_empty(), "{} of {count}\n{}", mistakes.len(), mistakes.join("\n"));
    assert!(count > 100, "{count}");
}
