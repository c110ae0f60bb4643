//! The reference and the schema of the model language.

#![expect(clippy::unwrap_used, reason = "a test stops where it cannot go on")]

mod samples;

use std::path::{Path, PathBuf};

use boon::{Compiler, Schemas};
use instep_documents::{SettingSample, model_schema, settings_page};
use instep_model::Model;
use instep_model::settings::settings;
use serde_json::Value;

/// What an example of a page leaves out.
const HEAD: &str = "model = \"m\"\ntable = { pk = \"pk\", sk = \"sk\" }\n";

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").canonicalize().unwrap()
}

/// All files of the repository with models in them.
fn files(folder: &Path, found: &mut Vec<PathBuf>) {
    for path in std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()) {
        let name = path.file_name().unwrap().to_str().unwrap();
        if path.is_dir() && !name.starts_with('.') && !["target", "node_modules"].contains(&name) {
            files(&path, found);
        } else if name.ends_with(".toml") || name.ends_with(".md") {
            found.push(path);
        }
    }
}

/// The blocks of TOML of a page.
fn blocks(page: &str) -> impl Iterator<Item = &str> {
    page.split("```toml\n").skip(1).filter_map(|rest| rest.split("```").next())
}

/// Why the schema refuses a text. `None` if it does not.
fn refused(text: &str) -> Option<String> {
    let mut compiler = Compiler::new();
    compiler.add_resource("model.json", model_schema()).unwrap();
    let mut schemas = Schemas::new();
    let schema = compiler.compile("model.json", &mut schemas).unwrap();
    let model: Value = toml::from_str(text).unwrap();
    schemas.validate(&model, schema).err().map(|error| error.to_string())
}

/// What `instep check` accepts, an editor does not mark.
#[test]
fn the_schema_accepts_every_valid_model() {
    let mut found = Vec::new();
    files(&root(), &mut found);
    let mut accepted = 0;
    for file in &found {
        let text = std::fs::read_to_string(file).unwrap();
        let valid: Vec<String> = if file.extension().is_some_and(|ending| ending == "toml") {
            Model::load(file).is_ok().then_some(text.clone()).into_iter().collect()
        } else {
            blocks(&text)
                .map(|block| if block.contains("model = ") { block.to_owned() } else { format!("{HEAD}{block}") })
                .filter(|block| Model::parse("block.toml", block).is_ok())
                .collect()
        };
        for model in &valid {
            assert_eq!(refused(model), None, "{}:\n{model}", file.display());
            accepted += 1;
        }
    }
    assert!(accepted > 60, "only {accepted} models");
}

#[test]
fn the_schema_marks_words_that_are_none() {
    let with =
        |line: &str| format!("model = \"m\"\ntable = {{ pk = \"PK\", sk = \"SK\" }}\n[items.A]\npk = \"A\"\n{line}\n");
    assert_eq!(refused(&with("sk = \"{a}\"")), None);
    for line in [
        "cognito.user = { nam = \"{a}\" }",
        "publish = [\"create\"]",
        "secret = \"yes\"",
        "parent = { find = \"scan\" }",
    ] {
        assert!(refused(&with(line)).is_some(), "{line}");
    }
}

/// `UPDATE_EXPECT=1` writes the page.
#[test]
fn the_page_lists_each_setting() {
    let samples = samples::samples();
    let lacks = |has: fn(&SettingSample) -> bool| {
        let lacking = settings().filter(|setting| !samples.get(setting.path).is_some_and(has));
        lacking.map(|setting| setting.path).collect::<Vec<_>>()
    };
    assert_eq!(lacks(|sample| sample.example.is_some()), [""; 0], "no valid model says these in a line");
    assert_eq!(lacks(|sample| sample.refused.is_some()), [""; 0], "no model is refused for these");
    expect_test::expect_file![root().join("docs/reference/settings.md")].assert_eq(&settings_page(&samples));
}
