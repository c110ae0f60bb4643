//! The texts that a model is read from, and places in them.

/// A place in one of the files that make a model.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub(crate) struct Span {
    pub(crate) source: usize,
    pub(crate) start: usize,
    pub(crate) len: usize,
}

/// A value and where it is written.
#[derive(Debug, Clone)]
pub(crate) struct Located<T> {
    pub(crate) span: Span,
    pub(crate) value: T,
}

impl<T> Located<T> {
    pub(crate) fn new(span: Span, value: T) -> Self {
        Self { span, value }
    }
}

/// One of the files that make a model.
#[derive(Debug, Clone)]
pub(crate) struct SourceFile {
    pub(crate) name: String,
    pub(crate) text: String,
}

impl SourceFile {
    /// The file, the line and the column of a byte: `model.toml:3:7`.
    pub(crate) fn place(&self, at: usize) -> String {
        let before = self.text.get(..at).unwrap_or(&self.text);
        let line = before.matches('\n').count() + 1;
        let column = before.rsplit('\n').next().unwrap_or_default().chars().count() + 1;
        format!("{}:{line}:{column}", self.name)
    }
}
