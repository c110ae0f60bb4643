//! The text of a model with all that it extends: one file that says the same.

use std::fmt::Write as _;

use super::tree::{Node, NodeValue, TreeEntry};

/// So many levels of tables have a heading of their own. Those below are inline.
const HEADINGS: usize = 2;

/// The text. It depends on what the files say, and not on their comments, their layout, or how they are divided.
pub(super) fn text(tree: &Node) -> String {
    let mut text = String::new();
    if let NodeValue::Table(entries) = &tree.value {
        table(&mut text, &mut Vec::new(), entries);
    }
    text
}

fn table<'t>(text: &mut String, path: &mut Vec<&'t str>, entries: &'t [TreeEntry]) {
    let has_heading = |entry: &&TreeEntry| path.len() < HEADINGS && matches!(entry.node.value, NodeValue::Table(_));
    let (below, own): (Vec<&TreeEntry>, Vec<&TreeEntry>) = entries.iter().partition(has_heading);
    if !path.is_empty() && (!own.is_empty() || below.is_empty()) {
        let keys: Vec<String> = path.iter().map(|part| key(part)).collect();
        let _ = writeln!(text, "\n[{}]", keys.join("."));
    }
    for entry in own {
        let _ = writeln!(text, "{} = {}", key(&entry.key), inline(&entry.node));
    }
    for entry in below {
        if let NodeValue::Table(entries) = &entry.node.value {
            path.push(&entry.key);
            table(text, path, entries);
            path.pop();
        }
    }
}

fn inline(node: &Node) -> String {
    match &node.value {
        NodeValue::Text(text) => quoted(text),
        NodeValue::Number(number) => number.clone(),
        NodeValue::Flag(flag) => flag.to_string(),
        NodeValue::List(nodes) => {
            let nodes: Vec<String> = nodes.iter().map(inline).collect();
            format!("[{}]", nodes.join(", "))
        }
        NodeValue::Table(entries) if entries.is_empty() => "{}".to_owned(),
        NodeValue::Table(entries) => {
            let entries: Vec<String> =
                entries.iter().map(|entry| format!("{} = {}", key(&entry.key), inline(&entry.node))).collect();
            format!("{{ {} }}", entries.join(", "))
        }
        // No word accepts one, so no model that is valid has one.
        NodeValue::Moment => quoted(""),
    }
}

fn key(key: &str) -> String {
    let is_bare = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'-' || byte == b'_';
    if !key.is_empty() && key.bytes().all(is_bare) { key.to_owned() } else { quoted(key) }
}

/// A basic string of TOML.
fn quoted(text: &str) -> String {
    let mut quoted = String::from("\"");
    for c in text.chars() {
        match c {
            '"' => quoted.push_str("\\\""),
            '\\' => quoted.push_str("\\\\"),
            '\n' => quoted.push_str("\\n"),
            '\t' => quoted.push_str("\\t"),
            c if c.is_control() => {
                let _ = write!(quoted, "\\u{:04X}", u32::from(c));
            }
            c => quoted.push(c),
        }
    }
    quoted.push('"');
    quoted
}
