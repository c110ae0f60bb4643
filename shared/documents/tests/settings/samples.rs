//! For each setting an example from a valid model, and one from a model that is refused, with the error.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use instep_documents::SettingSample;
use instep_model::Model;
use instep_model::settings::{REFERENCE, Setting, SettingShape, settings};
use toml::de::DeTable;

use crate::{blocks, root};

/// A statement that is longer is no example for a table.
const LONGEST: usize = 90;

/// A setting of a model's text.
struct Said {
    setting: &'static Setting,
    /// Where the statement is.
    from: usize,
    to: usize,
    /// The statement, from the item type or the table on, if it is one.
    statement: Option<String>,
}

/// The settings of a model's text, in the order of the file.
fn said(text: &str) -> Vec<Said> {
    let mut all = Vec::new();
    if let Ok(table) = DeTable::parse(text) {
        walk(text, table.get_ref(), &[], &mut all);
    }
    all.sort_by_key(|said| said.from);
    all
}

fn walk(text: &str, table: &DeTable<'_>, path: &[String], all: &mut Vec<Said>) {
    for (key, value) in table {
        let path = [path, &[key.get_ref().to_string()]].concat();
        let setting = setting_at(&path);
        if let Some(setting) = setting {
            // The value of a table with a heading is the heading.
            let shown = text.get(value.span()).filter(|shown| !shown.starts_with("[["));
            let shown = shown.filter(|shown| value.get_ref().as_table().is_none() || shown.starts_with('{'));
            let statement = shown.map(|shown| format!("{} = {shown}", shown_path(&path)));
            all.push(Said { setting, from: key.span().start, to: value.span().end, statement });
        }
        let is_path = value.get_ref().as_table().is_some_and(|table| !table.contains_key("type"));
        let is_reference = setting.is_some_and(|setting| {
            use SettingShape::{Reference, ReferenceOrTemplate, References, Within};
            matches!(setting.shape, Reference | References | ReferenceOrTemplate) || setting.shape == Within && !is_path
        });
        let below = if is_reference { vec![REFERENCE.to_owned()] } else { path.clone() };
        let value = value.get_ref();
        let listed = value.as_array().into_iter().flatten().filter_map(|value| value.get_ref().as_table());
        value.as_table().into_iter().chain(listed).for_each(|table| walk(text, table, &below, all));
    }
}

/// The path as a model writes it: below the item type, whose name says nothing here.
fn shown_path(path: &[String]) -> String {
    let path = match path {
        [items, _, rest @ ..] if items == "items" => rest,
        [reference, rest @ ..] if reference == REFERENCE => rest,
        path => path,
    };
    path.join(".")
}

/// The setting at a path. A word of its own counts before any name.
fn setting_at(path: &[String]) -> Option<&'static Setting> {
    let fits = |known: &&Setting| {
        let words: Vec<&str> = known.path.split('.').collect();
        words.len() == path.len()
            && words.iter().zip(path).all(|(known, word)| ["*", "INDEX"].contains(known) || known == word)
    };
    let exact = |known: &&Setting| known.path.split('.').filter(|word| !["*", "INDEX"].contains(word)).count();
    settings().filter(fits).max_by_key(exact)
}

/// The files of a folder whose name ends so, in order.
fn files(folder: &str, end: &str) -> Vec<PathBuf> {
    let mut files: Vec<PathBuf> = std::fs::read_dir(root().join(folder))
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .filter(|path| path.to_string_lossy().ends_with(end))
        .collect();
    files.sort();
    files
}

/// The valid models, simple ones first.
fn valid() -> Vec<String> {
    let mut texts: Vec<String> = vec![std::fs::read_to_string(root().join("shared/model/models/teams.toml")).unwrap()];
    let pages =
        [files("docs/guide", ".md"), files("docs/reference", "templates.md"), files("tests/end-to-end/stories", ".md")];
    let models = [
        files("shared/model/models", ".toml"),
        vec![root().join("events/bookings/model.toml")],
        vec![root().join("shared/documents/tests/settings/rest.toml")],
        files("tests/foreign", "")
            .iter()
            .map(|folder| folder.join("model.toml"))
            .filter(|path| path.is_file())
            .collect(),
    ];
    texts.extend(models.concat().iter().map(|path| std::fs::read_to_string(path).unwrap()));
    for page in pages.concat() {
        let text = std::fs::read_to_string(page).unwrap();
        texts.extend(blocks(&text).filter(|block| block.contains("model = ")).map(str::to_owned));
    }
    texts.retain(|text| Model::parse("valid.toml", text).is_ok());
    texts
}

/// The place of an error in a text.
fn offset(text: &str, place: &str) -> Option<usize> {
    let mut numbers = place.rsplit(':');
    let (column, line): (usize, usize) = (numbers.next()?.parse().ok()?, numbers.next()?.parse().ok()?);
    let before: usize = text.split_inclusive('\n').take(line - 1).map(str::len).sum();
    Some(before + text.get(before..)?.chars().take(column - 1).map(char::len_utf8).sum::<usize>())
}

/// What a model that is refused says at the place of each of its errors.
fn refused(path: &Path) -> Vec<(&'static str, String, String)> {
    let text = std::fs::read_to_string(path).unwrap();
    let Err(errors) = Model::parse("refused.toml", &text) else { return Vec::new() };
    let said = said(&text);
    let problems = errors.problems().iter().filter_map(|problem| {
        let at = offset(&text, problem.place())?;
        let there = said.iter().filter(|said| (said.from..said.to).contains(&at));
        let of = there.min_by_key(|said| said.to - said.from)?;
        Some((of.setting.path, of.statement.clone()?, problem.to_string()))
    });
    problems.collect()
}

/// Whether a statement can stand in a table of a page.
fn is_short(statement: &str) -> bool {
    statement.len() <= LONGEST && !statement.contains(['\n', '|', '`'])
}

/// The samples of each setting.
pub(crate) fn samples() -> BTreeMap<&'static str, SettingSample> {
    let mut samples: BTreeMap<&'static str, SettingSample> = BTreeMap::new();
    for text in valid() {
        for Said { setting, statement, .. } in said(&text) {
            let sample = samples.entry(setting.path).or_default();
            sample.example = sample.example.take().or(statement.filter(|statement| is_short(statement)));
        }
    }
    for path in files("shared/model/tests/refusals", ".toml") {
        for (setting, statement, error) in refused(&path) {
            if is_short(&statement) && !error.contains(['\n', '|']) {
                let sample = samples.entry(setting).or_default();
                sample.refused = sample.refused.take().or(Some((statement, error)));
            }
        }
    }
    samples
}
