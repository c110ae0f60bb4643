//! A deployment in the middle of a history: the same design, written in another way. What was made
//! under the old model has to be found under the new one.

use crate::chance::Chance;

/// The name of an item type after a deployment that renames it.
const RENAMED: &str = "Renamed";

/// A model that means the same: its item types, parents and roles in another order, and an item type
/// under another name.
#[must_use]
pub fn rewritten(chance: &Chance, text: &str) -> String {
    let (head, mut sections) = sections(text);
    if let Some((own, _)) = chance.pick(&sections).cloned() {
        sections = sections.into_iter().map(|(name, text)| (name, renamed(&text, &own))).collect();
    }
    if chance.of_thousand(500) {
        sections.reverse();
    }
    let body: Vec<String> = sections.into_iter().map(|(_, text)| text).collect();
    let lines = format!("{head}{}", body.concat());
    lines.lines().map(|line| turned(line) + "\n").collect()
}

/// What stands before the first item type, and the lines of each item type.
fn sections(text: &str) -> (String, Vec<(String, String)>) {
    let (mut head, mut sections) = (String::new(), Vec::<(String, String)>::new());
    for line in text.lines() {
        let heading = line.trim_start_matches('[').strip_prefix("items.").filter(|_| line.starts_with('['));
        let name = heading.and_then(|heading| heading.split(['.', ']']).next());
        if let Some(name) = name.filter(|name| sections.last().is_none_or(|(last, _)| last != name)) {
            sections.push((name.to_owned(), String::new()));
        }
        let own = sections.last_mut().map_or(&mut head, |(_, text)| text);
        own.push_str(line);
        own.push('\n');
    }
    (head, sections)
}

/// The lines with another name for an item type. The entity in its events keeps its name.
fn renamed(text: &str, own: &str) -> String {
    let mut lines = String::new();
    for line in text.lines() {
        if line == format!("[items.{own}]") {
            lines.push_str(&format!("[items.{RENAMED}]\nformerly = \"{own}\"\n"));
            continue;
        }
        let line = line.replace(&format!("[items.{own}."), &format!("[items.{RENAMED}."));
        let is_reference = !line.starts_with("entity");
        let other = if is_reference { line.replace(&format!("\"{own}\""), &format!("\"{RENAMED}\"")) } else { line };
        lines.push_str(&other);
        lines.push('\n');
    }
    lines
}

/// The line with the list of its parents or roles in the opposite order.
fn turned(line: &str) -> String {
    let is_list = line.starts_with("parent = [") || line.ends_with("= [\"owner\", \"guest\"]");
    let Some((before, list)) = line.split_once('[').filter(|_| is_list) else { return line.to_owned() };
    let (mut parts, mut depth) = (vec![String::new()], 0);
    for sign in list.trim_end_matches(']').chars() {
        match sign {
            '{' => depth += 1,
            '}' => depth -= 1,
            ',' if depth == 0 => {
                parts.push(String::new());
                continue;
            }
            _ => {}
        }
        parts.last_mut().into_iter().for_each(|part| part.push(sign));
    }
    let parts: Vec<&str> = parts.iter().rev().map(|part| part.trim()).collect();
    format!("{before}[{}]", parts.join(", "))
}
