//! The page that lists all settings of the model language.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use instep_model::settings::{REFERENCE, Setting, SettingShape, settings};

const ABOUT: &str = "# Settings

Every setting of a [table model](../guide/first-model.md), table by table. `instep schema` prints the same as a JSON
Schema, with which an editor completes them. The examples are from models that `instep check` accepts, and
the others from models that it refuses, with its error.
";

/// Statements about a setting, each from a model.
#[derive(Debug, Default)]
pub struct SettingSample {
    /// From a valid model.
    pub example: Option<String>,
    /// From a model that is refused, with the error.
    pub refused: Option<(String, String)>,
}

/// The page, in Markdown, with these samples of the settings.
#[must_use]
pub fn settings_page(samples: &BTreeMap<&str, SettingSample>) -> String {
    let mut page = ABOUT.to_owned();
    let mut tables: Vec<(&str, Vec<&Setting>)> = Vec::new();
    for setting in settings() {
        let name = table_of(setting);
        match tables.iter_mut().find(|(table, _)| *table == name) {
            Some((_, settings)) => settings.push(setting),
            None => tables.push((name, vec![setting])),
        }
    }
    for (name, table) in tables {
        let _ = write!(
            page,
            "\n## {}\n\n| setting | value | if absent | meaning |\n| --- | --- | --- | --- |\n",
            heading(name)
        );
        for setting in &table {
            let Setting { shape, default, doc, .. } = setting;
            let _ = writeln!(page, "| {} | {} | {default} | {} |", shown_word(setting), shown(*shape), linked(doc));
        }
        let _ = write!(page, "\n| for example | refused, for example |\n| --- | --- |\n");
        for sample in table.iter().filter_map(|setting| samples.get(setting.path)) {
            let example = sample.example.as_ref().map_or_else(String::new, |example| format!("`{example}`"));
            let refused = sample.refused.as_ref();
            let refused = refused.map_or_else(String::new, |(text, error)| format!("`{text}`: {error}"));
            let _ = writeln!(page, "| {example} | {refused} |");
        }
    }
    page
}

/// The table of a setting.
fn table_of(setting: &Setting) -> &'static str {
    setting.path.rsplit_once('.').map_or("", |(table, _)| table)
}

/// The word of a setting.
fn shown_word(setting: &Setting) -> String {
    match setting.path.rsplit('.').next() {
        Some("*") | None => "any name".to_owned(),
        Some(word) => format!("`{word}`"),
    }
}

/// What a table is called: its path, with what stands for a name.
fn heading(table: &str) -> String {
    if table.is_empty() {
        return "The model".to_owned();
    }
    if table == REFERENCE {
        return "A reference".to_owned();
    }
    let mut words: Vec<&str> = Vec::new();
    for word in table.split('.') {
        words.push(match (word, words.last()) {
            ("*", Some(&"items")) => "TYPE",
            ("*", Some(&"verb")) => "VERB",
            ("*", _) => "NAME",
            (word, _) => word,
        });
    }
    format!("`{}`", words.join("."))
}

fn shown(shape: SettingShape) -> String {
    let quoted = |words: &[&str]| words.iter().map(|word| format!("`\"{word}\"`")).collect::<Vec<_>>().join(", ");
    match shape {
        SettingShape::Text => "a string".to_owned(),
        SettingShape::Texts => "a string, or a list".to_owned(),
        SettingShape::Template => "a template".to_owned(),
        SettingShape::Templates => "a template, or a list".to_owned(),
        SettingShape::Flag => "`true` or `false`".to_owned(),
        SettingShape::OneOf(words) => quoted(words),
        SettingShape::SomeOf(words) => format!("one or several of {}", quoted(words)),
        SettingShape::Condition => "a condition".to_owned(),
        SettingShape::Value => "a string, a number, `true` or `false`".to_owned(),
        SettingShape::Reference => "a reference".to_owned(),
        SettingShape::References => "a reference, or a list".to_owned(),
        SettingShape::Within => "a reference, a list, or a table".to_owned(),
        SettingShape::TextOrTable => "a string, or a table".to_owned(),
        SettingShape::ReferenceOrTemplate => "a reference, or a template".to_owned(),
        SettingShape::User => "a reference, or a table".to_owned(),
        SettingShape::Group => "a reference, a template, or a table".to_owned(),
        SettingShape::Groups | SettingShape::Words => "a template, a table, or a list of these".to_owned(),
        SettingShape::NameRule => "a list, or a table".to_owned(),
        SettingShape::Precedence => "a number, a table of numbers, or a template".to_owned(),
        SettingShape::IamRole => "an ARN, or a table of ARNs".to_owned(),
        SettingShape::Create => "`\"silent\"`, `\"invite\"` or `false`".to_owned(),
        SettingShape::Keep => "`true`, `\"fill\"` or `false`".to_owned(),
        SettingShape::UserDeletion => "`true`, `false`, or a table".to_owned(),
        SettingShape::Identities => "a list of tables".to_owned(),
        SettingShape::OneOrMore => "a table, or a list of tables".to_owned(),
    }
}

/// A text whose links begin at the folder of the page. They are written as from `docs`.
fn linked(text: &str) -> String {
    text.replace("](", "](../").replace("](../reference/", "](")
}

/// A text without its links.
pub(crate) fn plain(text: &str) -> String {
    let mut rest = text;
    let mut plain = String::new();
    while let Some((before, link)) = rest.split_once("](") {
        let (_, after) = link.split_once(')').unwrap_or(("", ""));
        let (text, words) = before.rsplit_once('[').unwrap_or(("", before));
        plain.extend([text, words]);
        rest = after;
    }
    plain.push_str(rest);
    plain
}
