//! The settings of the language: where each is, what it may be, and what it means. The reference and the schema for editors
//! follow from this table. A test finds a setting that the parser reads and the table lacks, and one that the parser never reads.

mod answers;
mod follows;
mod item_type;
mod model;
mod reads;

/// A setting.
#[derive(Debug, Clone, Copy)]
pub struct Setting {
    /// The tables that it is in, and its word, joined by dots. `*` is any name; `INDEX` is the name of an index; what begins
    /// with [`REFERENCE`] is in any reference that is a table.
    pub path: &'static str,
    /// What it may be.
    pub shape: SettingShape,
    /// What holds if it is absent, in words. Empty: nothing.
    pub default: &'static str,
    /// What it means, in Markdown. Links are relative to `docs/`.
    pub doc: &'static str,
}

/// What a setting may be.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SettingShape {
    /// A string.
    Text,
    /// A string, or a list of strings.
    Texts,
    /// A template.
    Template,
    /// A template, or a list of templates.
    Templates,
    /// `true` or `false`.
    Flag,
    /// One of these words.
    OneOf(&'static [&'static str]),
    /// One of these words, or a list of some.
    SomeOf(&'static [&'static str]),
    /// A table of attributes, each with a value, a list of values, `{ not = … }` or `{ present = true }`; or a list of such
    /// tables, of which one suffices.
    Condition,
    /// The value of an attribute.
    Value,
    /// A reference to an item type: its name, or a table.
    Reference,
    /// A reference, or a list of references.
    References,
    /// A reference, a list of references, or a table with a path.
    Within,
    /// A reference, or a template.
    ReferenceOrTemplate,
    /// A reference, or a table with the value by which the account of somebody who signs up is known.
    User,
    /// A reference, a template, or a table with the group's constant name.
    Group,
    /// A template, a table, or a list of these.
    Groups,
    /// A number, a template, or a table of numbers.
    Precedence,
    /// The ARN of an IAM role, or a table of these.
    IamRole,
    /// A word, a table, or a list of these.
    Words,
    /// A list of names, or a table.
    NameRule,
    /// `"silent"`, `"invite"` or `false`.
    Create,
    /// `true`, `false` or `"fill"`.
    Keep,
    /// A string, or a table.
    TextOrTable,
    /// `true`, `false`, or a table.
    UserDeletion,
    /// A list of tables of names and their values.
    Identities,
    /// A table, or a list of tables.
    OneOrMore,
}

/// What the paths of a reference's settings begin with.
pub const REFERENCE: &str = "REFERENCE";

/// All settings, table by table.
pub fn settings() -> impl Iterator<Item = &'static Setting> {
    let all =
        [model::OF_MODEL, item_type::OF_ITEM_TYPE, answers::OF_ANSWERS, follows::OF_WHAT_FOLLOWS, reads::OF_READS];
    all.into_iter().flatten()
}

#[cfg(test)]
pub(crate) mod tests {
    use std::cell::RefCell;
    use std::collections::BTreeSet;
    use std::path::Path;

    use super::settings;
    use crate::Model;

    thread_local! {
        static ASKED: RefCell<BTreeSet<(&'static str, &'static str)>> = const { RefCell::new(BTreeSet::new()) };
    }

    /// The parser asks for a word of a table.
    pub(crate) fn note(table: &'static str, word: &'static str) {
        ASKED.with_borrow_mut(|asked| asked.insert((table, word)));
    }

    /// What the parser calls its tables in errors, and where they are.
    const TABLES: [(&str, &str); 29] = [
        ("a model", ""),
        ("`table`", "table."),
        ("an index", "indexes.*."),
        ("a name", "names.*."),
        ("`oneof`", "oneof.*."),
        ("`cognito`", "cognito."),
        ("`cognito.extra`", "cognito.extra."),
        ("an item type", "items.*."),
        ("an item type's index", "items.*.INDEX."),
        ("a word for a verb", "items.*.verb.*."),
        ("`edge`", "items.*.edge."),
        ("`conveys`", "items.*.edge.conveys."),
        ("`within`", "items.*.within."),
        ("`permits`", "items.*.permits."),
        ("`grant`", "items.*.grant."),
        ("`last`", "items.*.grant.last."),
        ("`guard`", "items.*.guard."),
        ("a claim", "items.*.claims."),
        ("`transfer`", "items.*.claims.transfer."),
        ("an item type's `cognito`", "items.*.cognito."),
        ("`cognito.user`", "items.*.cognito.user."),
        ("`delete`", "items.*.cognito.user.delete."),
        ("`cognito.groups`", "items.*.cognito.groups."),
        ("`cognito.member`", "items.*.cognito.member."),
        ("a user", "items.*.cognito.member.user."),
        ("a group", "items.*.cognito.member.group."),
        ("`due`", "items.*.due."),
        ("a reference", "REFERENCE."),
        ("a read", "reads.*."),
    ];

    #[test]
    fn the_table_has_each_setting_that_the_parser_reads_and_no_other() {
        // What is refused has each word, too.
        for folder in ["models", "tests/refusals"] {
            for file in std::fs::read_dir(Path::new(env!("CARGO_MANIFEST_DIR")).join(folder)).unwrap() {
                drop(Model::load(&file.unwrap().path()));
            }
        }
        let asked = ASKED.with_borrow(Clone::clone);
        // The words of a test in a condition are the shape's own.
        let asked: BTreeSet<String> = asked
            .iter()
            .filter(|(table, _)| *table != "a test")
            .map(|(table, word)| {
                let at = TABLES.iter().find(|(what, _)| what == table).unwrap_or_else(|| panic!("no table `{table}`"));
                format!("{}{word}", at.1)
            })
            .collect();
        let known: BTreeSet<&str> = settings().map(|setting| setting.path).collect();
        let is_known = |word: &&String| {
            known.contains(word.as_str()) || known.iter().any(|path| path.starts_with(&format!("{word}.")))
        };
        let lacking: Vec<&String> = asked.iter().filter(|word| !is_known(word)).collect();
        assert!(lacking.is_empty(), "the table lacks {lacking:?}");
        let is_free = |path: &str| path.ends_with('*');
        let unread: Vec<&&str> = known.iter().filter(|path| !is_free(path) && !asked.contains(**path)).collect();
        assert!(unread.is_empty(), "the parser never reads {unread:?}");
    }
}
