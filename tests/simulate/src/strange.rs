//! Strange models: a random design with some words changed, as people change them by mistake or on
//! purpose. Each is refused with a message, or does what it says.

use crate::chance::Chance;

/// At most so many changes are made to a design.
const CHANGES_MAX: usize = 4;

/// A design with some of its words changed.
#[must_use]
pub fn changed(chance: &Chance, design: &str) -> String {
    let mut lines: Vec<String> = design.lines().map(str::to_owned).collect();
    for _ in 0..=chance.below(CHANGES_MAX) {
        change(chance, &mut lines);
    }
    let text = lines.join("\n");
    // The watch takes this text for a secret, wherever it is.
    let is_secret = text.contains("secret = [\"pin\"]") && text.contains("pin = \"SECRET0\"");
    if is_secret { text } else { text.replace("SECRET0", "X") }
}

fn change(chance: &Chance, lines: &mut Vec<String>) {
    let text = lines.join("\n");
    // The first lines name the model and the table.
    let place = 1 + chance.below(lines.len().saturating_sub(1));
    let Some(line) = lines.get(place).cloned() else { return };
    let line = match chance.below(9) {
        0 if !line.starts_with('[') => {
            lines.remove(place);
            return;
        }
        1 => swapped(chance, &line, &between(&text, '{', '}'), '{', '}'),
        2 => swapped(chance, &line, &between(&text, '"', '"'), '"', '"'),
        3 => swapped(chance, &line, &types(&text), '"', '"'),
        4 => line.replace("|lower", "").replace("|each", "").replace("|pad:3", ""),
        5 => line.replacen('}', "|lower}", 1),
        6 => line.replacen("\"{", "\"X{", 1),
        7 => line.replacen(", find = \"back-reference\"", "", 1),
        _ => more(chance, &line),
    };
    // The values that are drawn for other names are no email addresses, which Cognito refuses.
    if line.contains("attributes = { email = ") && !line.contains("{email") {
        return;
    }
    if let Some(place) = lines.get_mut(place) {
        *place = line;
    }
}

/// A word beside those that the line has.
fn more(chance: &Chance, line: &str) -> String {
    let words = [
        ", when = { state = \"on\" } }",
        ", when = { state = { present = true } } }",
        ", when = { state = { not = [\"on\", { present = false }] } } }",
        ", when = [{ state = \"on\" }, { left = { not = true } }] }",
        ", find = \"sweep\" }",
        ", find = \"back-reference\" }",
        ", made = \"by-hand\" }",
        ", delete = false }",
        ", sign_out = true }",
    ];
    match (line.strip_suffix(" }"), chance.pick(&words)) {
        (Some(line), Some(word)) => format!("{line}{word}"),
        (_, _) => line.replacen("\"Team\"", "\"Team?\"", 1),
    }
}

/// The texts between two characters.
fn between(text: &str, open: char, close: char) -> Vec<String> {
    let parts = text.split(open).skip(1).filter_map(|rest| rest.split_once(close).map(|(inside, _)| inside.to_owned()));
    parts.filter(|inside| !inside.is_empty() && !inside.contains('\n') && inside.len() < 40).collect()
}

/// The item types of a design.
fn types(text: &str) -> Vec<String> {
    let headings = text.lines().filter_map(|line| line.strip_prefix("[items.")?.strip_suffix(']'));
    headings.filter(|name| !name.contains('.')).map(str::to_owned).collect()
}

/// The line with one of its texts replaced by another text of the design.
fn swapped(chance: &Chance, line: &str, texts: &[String], open: char, close: char) -> String {
    let own = between(line, open, close);
    let (Some(before), Some(after)) = (chance.pick(&own), chance.pick(texts)) else { return line.to_owned() };
    line.replacen(&format!("{open}{before}{close}"), &format!("{open}{after}{close}"), 1)
}
