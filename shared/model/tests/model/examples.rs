//! Every block of TOML in the documents is read by the parser. The worked example of
//! `docs/guide/first-model.md` and another of `docs/reference/systems.md` are complete models. The others are parts of
//! one: the test completes each with what the heading above it says. A block is refused if the text
//! right before it says that Instep refuses it.

use instep_model::Model;

use crate::{HEAD, rendered};

/// A block of a page.
struct Block {
    page: String,
    heading: String,
    /// The paragraph right before it.
    before: String,
    /// The word after the opening fence.
    language: String,
    text: String,
}

/// The documents, in the order of their paths. The models of libraries are copies of files, which another test compares.
fn pages() -> Vec<String> {
    let mut pages = Vec::new();
    for folder in ["", "docs/design/", "docs/guide/", "docs/operate/", "docs/reference/", "events/"] {
        for file in std::fs::read_dir(in_repository(folder)).unwrap() {
            let name = file.unwrap().file_name().into_string().unwrap();
            if name.ends_with(".md") && name != "libraries.md" {
                pages.push(format!("{folder}{name}"));
            }
        }
    }
    pages.sort();
    pages
}

fn in_repository(path: &str) -> String {
    format!("{}/../../{path}", env!("CARGO_MANIFEST_DIR"))
}

fn blocks(page: &str) -> Vec<Block> {
    let text = std::fs::read_to_string(in_repository(page)).unwrap();
    let (mut blocks, mut heading, mut paragraph, mut ended) = (Vec::new(), String::new(), String::new(), false);
    let mut lines = text.lines();
    while let Some(line) = lines.next() {
        if let Some(language) = line.trim_start().strip_prefix("```") {
            let within: Vec<&str> = lines.by_ref().take_while(|line| line.trim() != "```").collect();
            let (heading, before, text) = (heading.clone(), std::mem::take(&mut paragraph), within.join("\n"));
            blocks.push(Block { page: page.to_owned(), heading, before, language: language.to_owned(), text });
        } else if line.trim().is_empty() {
            ended = true;
        } else {
            if std::mem::take(&mut ended) {
                paragraph.clear();
            }
            paragraph.push_str(line.trim());
            paragraph.push(' ');
            if line.starts_with('#') {
                line.trim_start_matches(['#', ' ']).clone_into(&mut heading);
            }
        }
    }
    blocks
}

const TEAM: &str = "[items.Team]\npk = \"TEAM#{teamId}\"\nsk = \"TEAM\"\nentity = \"Team\"\n";

const PERSON: &str = "[items.Person]\npk = \"PERSON#{personId}\"\nsk = \"PERSON\"\nentity = \"Person\"\n\
                      cognito.user.name = \"{personId}\"\n";

/// The whole model of an example: what the reader has to imagine before and after it.
fn completed(block: &Block) -> String {
    let (before, after) = match (block.page.as_str(), block.heading.as_str()) {
        ("README.md", "From a write to what follows") | ("docs/guide/first-model.md", "A worked example") => {
            return block.text.clone();
        }
        ("docs/guide/people.md", "Deletions that wait") => (String::new(), ""),
        ("docs/guide/people.md" | "docs/guide/tokens.md", _) => return block.text.clone(),
        ("docs/guide/reads.md", _) => return format!("extends = \"platform\"\n{}", block.text),
        ("docs/reference/templates.md", "Conditions") => {
            let person = PERSON.replace("cognito.user.name", "[items.Person.cognito.user]\nname");
            (person, "")
        }
        ("docs/reference/templates.md", "Words for verbs") => {
            let request = "[items.Request]\npk = \"R#{requestId}\"\nsk = \"R\"\nentity = \"Request\"\n";
            (format!("{request}events = [\"status\"]\n"), "")
        }
        ("docs/guide/relations.md", "References") => {
            (format!("{TEAM}[items.Board]\npk = \"BOARD#{{boardId}}\"\nsk = \"BOARD\"\n"), "")
        }
        // The second example is of the same task.
        ("docs/guide/relations.md", "A part of a key") => {
            let task = "[items.Task]\npk = \"PROJECT#{projectId}\"\nsk = \"TASK#{createdAt}#{taskId}\"\n";
            (if block.text.contains("[items.Task]") { String::new() } else { task.to_owned() }, "")
        }
        ("docs/guide/relations.md", "Index keys") => (
            "[indexes]\nGSI1 = { pk = \"GSI1PK\", sk = \"GSI1SK\" }\n\n[items.Account]\npk = \"ACCOUNT#{accountId}\"\n\
             sk = \"ACCOUNT\"\n"
                .to_owned(),
            "",
        ),
        // The second example is of the same items.
        ("docs/guide/relations.md", "One edge for each child") => {
            let items = "[items.Folder]\npk = \"FOLDER#{folderId}\"\nsk = \"FOLDER\"\n\
                         [items.File]\npk = \"FILE#{fileId}\"\nsk = \"FILE\"\n";
            (if block.text.contains("[items.File]") { String::new() } else { items.to_owned() }, "")
        }
        ("docs/guide/relations.md", "Lists") => (format!("{TEAM}{PERSON}"), ""),
        ("docs/guide/relations.md", "Roles that are items") => (
            format!("{TEAM}{}", PERSON.replace("Person", "User").replace("person", "user").replace("PERSON", "USER")),
            "",
        ),
        ("docs/guide/relations.md", "References by type") => {
            (format!("{TEAM}{PERSON}[indexes]\nGSI1 = {{ pk = \"GSI1PK\", sk = \"GSI1SK\" }}\n"), "")
        }
        ("docs/guide/guards.md", "Guards of any value") => {
            (PERSON.replace("Person", "User").replace("person", "user").replace("PERSON", "USER"), "")
        }
        ("docs/guide/relations.md", "Two item types under one key")
        | ("docs/guide/cognito.md", "Unique attributes" | "Precedence and IAM roles" | "Sign-out") => {
            (String::new(), "")
        }
        ("docs/operate/changing.md", "What you can change freely") => {
            (String::new(), "pk = \"D#{directoryId}\"\nsk = \"D\"\n")
        }
        (page, heading) => panic!("{page} has an example under `{heading}`: say here what completes it"),
    };
    format!("{HEAD}{before}{}\n{after}", block.text)
}

#[test]
fn every_example_is_accepted_or_refused_as_its_page_says() {
    let (mut accepted, mut refused) = (Vec::new(), Vec::new());
    for page in pages() {
        for block in blocks(&page).iter().filter(|block| block.language == "toml") {
            let is_refused = block.before.contains("refuse");
            match Model::parse(&page, &completed(block)) {
                Ok(_) if is_refused => panic!("{page}: Instep accepts this:\n{}", block.text),
                Ok(_) => accepted.push(page.clone()),
                Err(_) if is_refused => refused.push(page.clone()),
                Err(errors) => panic!("{page}, under `{}`:\n{}", block.heading, rendered(&errors)),
            }
        }
    }
    let cognito = "docs/guide/cognito.md";
    let (relations, templates) = ("docs/guide/relations.md", "docs/reference/templates.md");
    let (guards, people) = ("docs/guide/guards.md", "docs/guide/people.md");
    let pages = [
        "README.md",
        cognito,
        cognito,
        cognito,
        "docs/guide/first-model.md",
        guards,
        people,
        people,
        people,
        people,
        people,
        "docs/guide/reads.md",
        relations,
        relations,
        relations,
        relations,
        relations,
        relations,
        relations,
        relations,
        "docs/guide/tokens.md",
        "docs/operate/changing.md",
        templates,
        templates,
        templates,
    ];
    assert_eq!(accepted, pages);
    assert_eq!(refused, [cognito, cognito, guards, people, relations, relations, relations]);
}

/// No example hides in a block that the test above does not look at.
#[test]
fn every_block_says_what_it_is() {
    for page in pages() {
        for block in blocks(&page) {
            let known = ["toml", "sh", "text", "json", "ts"].contains(&block.language.as_str());
            assert!(known, "{page}, under `{}`: a block of `{}`", block.heading, block.language);
            let is_model = block.language != "toml" && block.text.contains("[items.");
            assert!(!is_model, "{page}, under `{}`: mark it as toml", block.heading);
        }
    }
}

/// The error that the page shows is the error of such a model.
#[test]
fn the_error_on_the_page_is_real() {
    let shown = blocks("docs/guide/first-model.md").into_iter().find(|block| block.text.contains("parnt")).unwrap();
    let lines = "\n[items.User]\npk = \"U:{u}\"\nsk = \"U:{u}\"\n\n\n\n\n\n\n[items.Group]\npk = \"G:{g}\"\n\
                 sk = \"G:{g}\"\nparnt = \"User\"\n";
    let errors = Model::parse("mine.toml", &format!("{HEAD}{lines}")).unwrap_err();
    let mut text = String::new();
    let handler = miette::GraphicalReportHandler::new_themed(miette::GraphicalTheme::none());
    handler.with_width(100).render_report(&mut text, &errors).unwrap();
    let text: Vec<&str> = text.lines().map(str::trim_end).collect();
    assert!(text.join("\n").contains(shown.text.trim_end()), "{}\n\nThe page has:\n{}", text.join("\n"), shown.text);
}
