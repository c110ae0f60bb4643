//! The parts of the template that depend on the model: lines between comments that mark them.

/// The comment before generated lines: `# from the model: NAME`.
const BEGIN: &str = "# from the model: ";

/// Ends them.
const END: &str = "# end";

/// The comment before lines that only some models need: `# if NAME`.
const IF: &str = "# if ";

/// Ends them.
const END_IF: &str = "# end if";

/// The template with each block replaced by the lines that `block` returns for its name, indented
/// like its comment. `None` leaves the block as it is. Lines after an `# if` remain only if `wanted` returns true.
pub(super) fn fill(
    template: &str,
    block: impl Fn(&str) -> Option<Vec<String>>,
    wanted: impl Fn(&str) -> bool,
) -> String {
    let mut text = String::with_capacity(template.len());
    let mut inside = false;
    let mut left_out = false;
    for line in template.lines() {
        let mark = line.trim_start();
        let indent = line.get(..line.len() - mark.len()).unwrap_or_default();
        if let Some(name) = mark.strip_prefix(IF) {
            left_out = !wanted(name);
        }
        if left_out {
            left_out = mark != END_IF;
            continue;
        }
        if mark == END {
            inside = false;
        }
        if !inside {
            text.push_str(line);
            text.push('\n');
        }
        if let Some(name) = mark.strip_prefix(BEGIN) {
            let filled = block(name);
            inside = filled.is_some();
            for line in filled.unwrap_or_default() {
                text.push_str(indent);
                text.push_str(&line);
                text.push('\n');
            }
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn blocks_are_filled_and_left_out() {
        let template = "a\n  # from the model: x\n  old\n  # end\nb\n# if c\nd\n# end if\ne\n";
        let filled = fill(template, |name| Some(vec![format!("new {name}"), "- y".to_owned()]), |_| true);
        assert_eq!(filled, "a\n  # from the model: x\n  new x\n  - y\n  # end\nb\n# if c\nd\n# end if\ne\n");
        let without = fill(&filled, |_| Some(Vec::new()), |name| name != "c");
        assert_eq!(without, "a\n  # from the model: x\n  # end\nb\ne\n");
        assert_eq!(fill(template, |_| None, |_| true), template, "as it is");
    }
}
