//! Stories: writes and what they lead to, as text. Each page under `tests/end-to-end/stories` has a model and stories
//! about it. Its README says what a step may be.

mod found;
mod page;
mod stage;

use std::path::{Path, PathBuf};

use stage::Stage;
use tokio::task::LocalSet;

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("stories")
}

/// Plays each story of a page, and each case of it, in a world of its own.
#[expect(clippy::print_stderr, reason = "a test that fails shows which story panicked")]
async fn play(name: &str) {
    let page = std::fs::read_to_string(folder().join(name).with_extension("md")).unwrap();
    let mut wrong = Vec::new();
    for story in page::stories(&page) {
        assert!(story.says_something(), "{name}: `{}` says of nothing what there is", story.title);
        eprintln!("{}", story.title);
        for case in &story.cases {
            if let Err(error) = Stage::set(&story.setting, case).await.play(&story.steps).await {
                wrong.push(format!("{}\n{error}\n    case: {case:?}", story.title));
            }
        }
    }
    assert!(wrong.is_empty(), "tests/end-to-end/stories/{name}.md\n{}", wrong.join("\n"));
}

macro_rules! pages {
    ($($name:ident),+ $(,)?) => {
        $(#[tokio::test] async fn $name() { LocalSet::new().run_until(play(stringify!($name))).await; })+

        #[test]
        fn each_page_is_played() {
            let known = [$(stringify!($name)),+];
            let files = std::fs::read_dir(folder()).unwrap().map(|file| file.unwrap().path());
            let names = files.map(|file| file.file_stem().unwrap().to_str().unwrap().to_owned());
            let mut pages: Vec<String> = names.filter(|name| name != "README").collect();
            pages.sort();
            assert_eq!(pages, known);
        }
    };
}

pages!(
    accounts,
    attributes,
    cascades,
    changed_model,
    children,
    conditions,
    deletions,
    group_settings,
    guards,
    guards_of_any_value,
    index_keys,
    kept,
    keys,
    lag,
    last_revocation,
    lists,
    on_demand,
    one_membership,
    one_parent,
    parked,
    parts_of_keys,
    people,
    races,
    references,
    refused,
    role_items,
    roles,
    scopes,
    services,
    shared,
    sign_out,
    soft_deletion,
    spellings,
    takes,
    tenants,
    time,
    tokens,
    updates,
);
