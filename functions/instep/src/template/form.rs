//! In which form a template is, and where it says of which model it is.

use serde_json::Value;

use super::yaml::flow;

/// Under this name the metadata of a template says of which model it is, and which step of a change.
pub(super) const OWN: &str = "Instep";

/// In which form a template is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Form {
    Sam,
    Plain,
}

/// What a template of SAM says of itself.
pub(super) fn own_lines(own: &Value) -> Vec<String> {
    vec![format!("{OWN}: {}", flow(own))]
}
