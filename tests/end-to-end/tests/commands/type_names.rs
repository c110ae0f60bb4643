//! No two public types of the workspace have one name. So whoever searches for a type finds its definition, and a reader
//! knows which one is meant.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use crate::support::root;

/// The name of the public type that a line of a source file defines.
fn public_type(line: &str) -> Option<&str> {
    let after = line.trim_start().strip_prefix("pub")?;
    let after = match after.strip_prefix('(') {
        Some(visibility) => visibility.split_once(')')?.1,
        None => after,
    };
    let (kind, rest) = after.strip_prefix(' ')?.split_once(' ')?;
    let is_name = |c: char| c.is_alphanumeric() || c == '_';
    ["struct", "enum", "trait", "type", "union"].contains(&kind).then(|| rest.split(|c| !is_name(c)).next())?
}

fn sources(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            sources(&path, found);
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            found.push(path);
        }
    }
}

#[test]
fn no_two_public_types_have_one_name() {
    let mut files = Vec::new();
    ["shared", "functions", "tests"].iter().for_each(|part| sources(&root().join(part), &mut files));
    let mut types: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for file in &files {
        let text = std::fs::read_to_string(file).unwrap();
        for name in text.lines().filter_map(public_type) {
            let file = file.strip_prefix(root()).unwrap().display().to_string();
            types.entry(name.to_owned()).or_default().push(file);
        }
    }
    assert!(types.len() > 500, "{}", types.len());
    types.retain(|_, files| files.len() > 1);
    assert!(types.is_empty(), "give each a name of its own: {types:#?}");
}

#[test]
fn a_public_type_is_found() {
    let lines = [
        ("pub struct Name;", Some("Name")),
        ("pub(crate) enum Name<'a> {", Some("Name")),
        ("    pub(in crate::a) type Name = u8;", Some("Name")),
        ("struct Name;", None),
        ("pub fn name() {}", None),
        ("pub struct_name: u8,", None),
    ];
    for (line, name) in lines {
        assert_eq!(public_type(line), name, "{line}");
    }
}
