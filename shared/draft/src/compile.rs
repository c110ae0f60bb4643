//! Compiles a draft. A line that is refused becomes a comment with the reason, until the rest compiles.

use std::collections::BTreeSet;

use instep_model::{Model, ModelErrors, Problem};

use crate::{Draft, NoDraft};

/// The name of the draft in messages of the compiler.
const FILE: &str = "draft";

/// One line of a draft.
#[derive(Debug, Clone)]
pub(crate) struct DraftLine {
    pub(crate) text: String,
    /// The table of the file that it is in: `[items.Team]` with all its lines is one.
    pub(crate) block: usize,
    pub(crate) kind: LineKind,
}

/// What becomes of a line that is refused.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum LineKind {
    /// A comment, or a blank line.
    Comment,
    /// It becomes a comment alone. The other text is tried first, if there is one.
    Setting { or: Option<String> },
    /// Its whole block becomes a comment.
    Essential,
}

/// The block of the lines before the first item type. Without them there is no model.
pub(crate) const HEAD: usize = 0;

/// The draft of these lines.
pub(crate) fn compiled(mut lines: Vec<DraftLine>) -> Result<Draft, NoDraft> {
    let mut refused = 0;
    // INVARIANT 8: each round turns a line into a comment, or uses up the other text of one.
    loop {
        let text = text(&lines);
        let errors = match Model::parse(FILE, &text) {
            Ok(model) if !model.items.is_empty() => return Ok(Draft { text, model, refused }),
            Ok(_) => return Err(NoDraft::Refused { why: "nothing is left of them".to_owned() }),
            Err(errors) => errors,
        };
        let before = refused;
        let mut has_changed = false;
        for (at, why) in places(&errors) {
            has_changed |= change(&mut lines, at, &why, &mut refused);
        }
        if !has_changed && refused == before {
            let why = errors.problems().first().map(ToString::to_string).unwrap_or_default();
            if !give_up_one(&mut lines, &why, &mut refused) {
                return Err(NoDraft::Refused { why });
            }
        }
    }
}

/// The lines as a file.
pub(crate) fn text(lines: &[DraftLine]) -> String {
    lines.iter().map(|line| format!("{}\n", line.text)).collect()
}

/// The lines that errors are in, with the reason of each.
fn places(errors: &ModelErrors) -> Vec<(usize, String)> {
    let mut seen = BTreeSet::new();
    let place = |problem: &Problem| {
        let line: usize = problem.place().strip_prefix(FILE)?.strip_prefix(':')?.split(':').next()?.parse().ok()?;
        Some((line.checked_sub(1)?, problem.to_string()))
    };
    errors.problems().iter().filter_map(place).filter(|(line, _)| seen.insert(*line)).collect()
}

/// Changes a line that is refused. False if it is a comment already, or cannot be missed.
fn change(lines: &mut [DraftLine], at: usize, why: &str, refused: &mut usize) -> bool {
    let Some(line) = lines.get_mut(at) else { return false };
    match std::mem::replace(&mut line.kind, LineKind::Comment) {
        LineKind::Comment => false,
        LineKind::Setting { or: Some(other) } => {
            line.text = other;
            line.kind = LineKind::Setting { or: None };
            true
        }
        LineKind::Setting { or: None } => {
            comment(line, Some(why));
            *refused += 1;
            true
        }
        LineKind::Essential if line.block == HEAD => {
            line.kind = LineKind::Essential;
            false
        }
        LineKind::Essential => {
            let block = line.block;
            comment(line, Some(why));
            *refused += 1;
            for line in lines.iter_mut().filter(|line| line.block == block && line.kind != LineKind::Comment) {
                comment(line, None);
                line.kind = LineKind::Comment;
                *refused += 1;
            }
            true
        }
    }
}

/// Turns the last line that can be missed into a comment, for an error whose place says nothing.
fn give_up_one(lines: &mut [DraftLine], why: &str, refused: &mut usize) -> bool {
    let setting = lines.iter().rposition(|line| matches!(line.kind, LineKind::Setting { .. }));
    let block = || lines.iter().rposition(|line| line.kind == LineKind::Essential && line.block != HEAD);
    match setting.or_else(block) {
        Some(at) => change(lines, at, why, refused),
        None => false,
    }
}

fn comment(line: &mut DraftLine, why: Option<&str>) {
    let why = why.map(|why| format!("`instep check` refuses it: {}: ", one_line(why))).unwrap_or_default();
    line.text = format!("# {why}{}", line.text);
}

/// A text for a comment: TOML allows no control characters there.
pub(crate) fn one_line(text: &str) -> String {
    instep_model::escaped(&text.replace('\n', " "))
}
