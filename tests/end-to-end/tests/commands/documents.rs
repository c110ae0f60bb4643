//! The documents agree with the program.

use std::collections::BTreeSet;
use std::path::PathBuf;

use instep_contract::Detail;

use crate::support::{captures, instep, root};

fn read(name: &str) -> String {
    std::fs::read_to_string(root().join(name)).unwrap()
}

/// The text of the first code block after a mark.
fn block<'a>(text: &'a str, after: &str, fence: &str) -> &'a str {
    let from = text.split_once(after).unwrap().1.split_once(fence).unwrap().1;
    from.split_once("```").unwrap().0.trim_start_matches('\n')
}

/// The texts in backquotes.
fn quoted(text: &str) -> Vec<&str> {
    text.split('`').skip(1).step_by(2).collect()
}

/// The README's first screen: its model is the file, and each row says what follows from a write, no more and no
/// less.
#[test]
fn what_follows_from_seven_writes_is_real() {
    let readme = read("README.md");
    let model = block(&readme, "shared/model/models/teams.toml: checked by", "```toml");
    assert_eq!(model, read("shared/model/models/teams.toml"));
    assert_eq!(model.lines().count(), 16);
    let ran = instep(&["replay", "examples/teams/writes.json", "--batch", "1", "--json"]);
    assert_eq!(ran.status, 0, "{}", ran.stderr);
    // What follows from a write, to the next one: records of Instep's own writes follow from it, too.
    let mut follows: Vec<(Vec<String>, Vec<String>)> = Vec::new();
    for line in &ran.lines {
        let text = |name: &str| line[name].as_str().unwrap_or_default();
        match (text("kind"), follows.last_mut()) {
            ("record", _) if line["own"] == false => follows.push((Vec::new(), Vec::new())),
            ("effect", Some((effects, _))) if text("outcome") == "done" => {
                effects.push(format!("{} {}", text("operation"), text("target")));
            }
            ("event", Some((_, events))) => events.push(line["event"]["detail-type"].as_str().unwrap().to_owned()),
            (_, _) => {}
        }
    }
    let table = readme.split_once("examples/teams/writes.json: checked by").unwrap().1.split_once("\n\n").unwrap().0;
    let rows: Vec<Vec<&str>> = table.lines().skip(3).map(|row| row.split('|').map(str::trim).collect()).collect();
    assert_eq!(rows.len(), follows.len(), "{follows:?}");
    for (row, (effects, events)) in rows.iter().zip(&follows) {
        let [_, write, says, published, _] = row.as_slice() else { panic!("{row:?}") };
        assert_eq!(quoted(published), *events, "{write}");
        for effect in effects {
            assert!(quoted(says).iter().any(|name| effect.contains(name)), "{write}: `{effect}` is not said");
        }
        for name in quoted(says) {
            assert!(effects.iter().any(|effect| effect.contains(name)), "{write}: `{name}` has no effect: {effects:?}");
        }
    }
    let verbs: Vec<Vec<&str>> =
        follows.iter().map(|(effects, _)| effects.iter().map(|e| e.split(' ').next().unwrap()).collect()).collect();
    assert_eq!(
        verbs,
        [
            vec!["CreateGroup", "CreateGroup"],
            vec!["TransactWriteItems", "PutItem", "AdminCreateUser", "PutItem"],
            vec!["AdminAddUserToGroup"],
            vec!["AdminRemoveUserFromGroup", "AdminAddUserToGroup"],
            vec![],
            vec!["PutItem", "AdminCreateUser", "PutItem", "TransactWriteItems"],
            vec!["DeleteGroup", "DeleteGroup", "TransactWriteItems", "TransactWriteItems"],
        ]
    );
}

/// The page about libraries quotes the models with which their applications are tested, and `check` accepts these.
#[test]
fn the_models_of_libraries_are_real() {
    let page = read("docs/guide/libraries.md");
    for library in ["electrodb", "onetable", "toolbox"] {
        let path = format!("tests/dev/libraries/{library}.toml");
        let quoted = block(&page, &format!("(../../{path})"), "```toml");
        let model = read(&path);
        for paragraph in quoted.trim_end().split("\n\n") {
            assert!(model.contains(&format!("{paragraph}\n")), "{path} does not have\n{paragraph}");
        }
        let checked = instep(&["check", &path]);
        assert_eq!(checked.status, 0, "{path}: {}", checked.stderr);
    }
}

/// Each model of the page about people is one that `check` accepts.
#[test]
fn the_models_of_people_are_real() {
    let page = read("docs/guide/people.md");
    let blocks = page.split("```toml\n").skip(1).map(|rest| rest.split_once("```").unwrap().0);
    let models: Vec<&str> = blocks.filter(|block| block.starts_with("model = ")).collect();
    assert_eq!(models.len(), 4);
    for model in models {
        let loaded = instep_model::Model::parse("people.md", model);
        assert!(loaded.is_ok(), "{:?}\n{model}", loaded.err());
        assert!(model.lines().count() <= 16, "{model}");
    }
}

/// The example event for subscribers is published by the program, and has the published schema.
#[test]
fn the_example_event_is_real() {
    let page = read("docs/guide/subscribers.md");
    let shown: serde_json::Value = serde_json::from_str(block(&page, "commands/documents.rs -->", "```json")).unwrap();
    let ran = instep(&["replay", "events/access-management/13-role-changed.json", "--json"]);
    assert!(ran.of("event").iter().any(|event| event["event"]["detail"] == shown), "no such event is published");
    let detail: Detail = serde_json::from_value(shown.clone()).unwrap();
    assert_eq!(serde_json::to_value(detail).unwrap(), shown);
}

/// The files of the repository whose name ends so.
fn files(end: &str) -> Vec<PathBuf> {
    let (mut found, mut open) = (Vec::new(), vec![root()]);
    while let Some(folder) = open.pop() {
        for path in std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()) {
            let name = path.file_name().unwrap().to_str().unwrap();
            // What is built, installed or hidden is not the repository's.
            if path.is_dir() && !name.starts_with('.') && !["target", "node_modules"].contains(&name) {
                open.push(path);
            } else if name.ends_with(end) {
                found.push(path);
            }
        }
    }
    assert!(found.len() > 10, "only {found:?}");
    found
}

/// A page for people who change Instep names functions, types and files that exist: a change of a name changes the
/// page.
#[test]
fn pages_about_the_code_name_what_exists() {
    let sources = [files(".rs"), files(".py"), files(".toml")].concat();
    let texts: Vec<String> = sources.iter().map(|path| std::fs::read_to_string(path).unwrap()).collect();
    let is_of_name = |letter: char| letter.is_alphanumeric() || letter == '_';
    let known: BTreeSet<&str> = texts.iter().flat_map(|text| text.split(|letter| !is_of_name(letter))).collect();
    let is_about_code = |page: &PathBuf| {
        let page = page.strip_prefix(root()).unwrap();
        let of_crates = ["docs/design", "shared", "functions"].iter().any(|folder| page.starts_with(folder));
        of_crates || page.ends_with("ARCHITECTURE.md") || page.ends_with("CONTRIBUTING.md")
    };
    let mut checked = 0;
    for page in files(".md").into_iter().filter(is_about_code) {
        for name in quoted(&std::fs::read_to_string(&page).unwrap()) {
            if name.ends_with(".rs") && !name.contains(' ') {
                assert!(
                    sources.iter().any(|path| path.ends_with(name)),
                    "{}: no file is called {name}",
                    page.display()
                );
                checked += 1;
            } else if !name.is_empty() && name.chars().all(|letter| is_of_name(letter) || letter == ':') {
                let unknown = name.split("::").find(|part| !known.contains(part));
                assert_eq!(unknown, None, "{}: nothing is called {name}", page.display());
                checked += 1;
            }
        }
    }
    assert!(checked > 300, "only {checked} names");
}

/// The README of a crate is what its documentation begins with, so that it is written once.
#[test]
fn each_crate_has_a_readme() {
    let mut crates = 0;
    for folder in ["shared", "functions", "tests"] {
        for path in std::fs::read_dir(root().join(folder)).unwrap().map(|entry| entry.unwrap().path()) {
            let sources = ["src/lib.rs", "src/main.rs"].map(|source| path.join(source));
            let Some(source) = sources.iter().find(|source| source.is_file()) else { continue };
            let text = std::fs::read_to_string(source).unwrap();
            let begins = "#![doc = include_str!(\"../README.md\")]\n";
            assert!(text.starts_with(begins), "{} does not begin with {begins}", source.display());
            crates += 1;
        }
    }
    assert!(crates > 20, "only {crates} crates");
}

/// What a manifest says has no tests or no examples, so that none is built of it, has none.
#[test]
fn no_test_is_left_out() {
    for manifest in files("Cargo.toml") {
        let text = std::fs::read_to_string(&manifest).unwrap();
        let sections: Vec<&str> = text.split("\n[").collect();
        let says = |section: &str, line: &str| {
            sections.iter().any(|text| text.starts_with(section) && text.lines().any(|own| own == line))
        };
        let source = manifest.with_file_name("src");
        for file in files(".rs").into_iter().filter(|file| file.starts_with(&source)) {
            let section = if file.ends_with("src/main.rs") { "[bin]]" } else { "lib]" };
            let text = std::fs::read_to_string(&file).unwrap();
            let has_tests = text.contains("#[test]") || text.contains("#[tokio::test");
            assert!(!(has_tests && says(section, "test = false")), "the tests of {} are left out", file.display());
            let has_examples = text.lines().any(|line| matches!(line.trim(), "/// ```" | "//! ```"));
            assert!(!(has_examples && says("lib]", "doctest = false")), "{} has an example", file.display());
        }
    }
}

/// Every folder and file of captures and code that a page names exists. `tests/book/run` follows the links.
#[test]
fn pages_name_folders_and_files_that_exist() {
    for page in files(".md") {
        let text = std::fs::read_to_string(&page).unwrap();
        let words = text.split(['`', ' ', '\n']);
        for word in words.filter(|word| word.starts_with("events/") || word.starts_with("shared/")) {
            let path = word.trim_end_matches(['.', ',', ':', ')', '*']);
            assert!(path.contains('<') || root().join(path).exists(), "{} names {path}", page.display());
        }
    }
}

/// Every rule has histories, and every history has a rule.
#[test]
fn every_history_is_in_the_table() {
    let page = read("docs/reference/systems.md");
    for section in page.split("\n## ").skip(1) {
        let (system, rules) = section.split_once('\n').unwrap();
        let mut named = BTreeSet::new();
        for row in rules
            .lines()
            .filter(|line| line.starts_with("| ") && !line.starts_with("| rule") && !line.starts_with("| ---"))
        {
            let files = row.trim_end_matches(" |").rsplit('|').next().unwrap().replace(',', " ");
            let words: Vec<&str> = files.split_whitespace().collect();
            for (place, word) in words.iter().enumerate() {
                if *word == "to" {
                    let (from, to): (u32, u32) = (words[place - 1].parse().unwrap(), words[place + 1].parse().unwrap());
                    named.extend(from..=to);
                } else {
                    named.insert(word.parse().unwrap());
                }
            }
        }
        let there: BTreeSet<u32> = captures(system)
            .iter()
            .map(|path| path.file_name().unwrap().to_str().unwrap()[..2].parse().unwrap())
            .collect();
        assert_eq!(named, there, "{system}");
    }
}
