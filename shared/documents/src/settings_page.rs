//! The page that lists all settings of the model language.

use std::fmt::Write as _;

use instep_model::settings::{REFERENCE, Setting, SettingShape, settings};

const ABOUT: &str = "# Settings

Every setting of a [table model](../guide/first-model.md), table by table. `instep schema` prints the same as a JSON
Schema, with which an editor completes them.
";

/// The page, in Markdown.
#[must_use]
pub fn settings_page() -> String {
    let mut page = ABOUT.to_owned();
    let mut at = None;
    for setting in settings() {
        let (table, word) = setting.path.rsplit_once('.').unwrap_or(("", setting.path));
        if at != Some(table) {
            at = Some(table);
            let _ = write!(
                page,
                "\n## {}\n\n| setting | value | if absent | meaning |\n| --- | --- | --- | --- |\n",
                heading(table)
            );
        }
        let Setting { shape, default, doc, .. } = setting;
        let word = if word == "*" { "any name".to_owned() } else { format!("`{word}`") };
        let _ = writeln!(page, "| {word} | {} | {default} | {} |", shown(*shape), linked(doc));
    }
    page
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
        SettingShape::ReferenceOrTemplate => "a reference, or a template".to_owned(),
        SettingShape::Group => "a reference, a template, or a table".to_owned(),
        SettingShape::Groups | SettingShape::Words => "a template, a table, or a list of these".to_owned(),
        SettingShape::NameRule => "a list, or a table".to_owned(),
        SettingShape::Create => "`\"silent\"`, `\"invite\"` or `false`".to_owned(),
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
