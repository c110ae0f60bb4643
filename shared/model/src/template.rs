//! Key templates.

/// A template.
#[derive(Debug, Clone)]
pub struct Template {}
