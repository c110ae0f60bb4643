//! Errors in a file of routes: the place, the error and the fix.

use std::fmt;
use std::ops::Range;
use std::sync::Arc;

use instep_model::escaped;
use miette::{Diagnostic, LabeledSpan, NamedSource, SourceCode};

/// An error, before it is known of which file.
#[derive(Debug)]
pub(crate) struct RouteMistake {
    pub(crate) at: Range<usize>,
    pub(crate) message: String,
    pub(crate) label: &'static str,
    pub(crate) help: String,
}

/// The errors found so far.
#[derive(Debug, Default)]
pub(crate) struct RouteMistakes(pub(crate) Vec<RouteMistake>);

impl RouteMistakes {
    pub(crate) fn add(
        &mut self,
        at: &Range<usize>,
        message: impl Into<String>,
        label: &'static str,
        help: impl Into<String>,
    ) {
        self.0.push(RouteMistake { at: at.clone(), message: message.into(), label, help: help.into() });
    }
}

/// Everything that is wrong with a file of routes.
#[derive(Debug, Clone)]
pub struct RouteErrors {
    name: String,
    problems: Vec<RouteProblem>,
}

/// One error in a file of routes.
#[derive(Debug, Clone)]
pub struct RouteProblem {
    message: String,
    help: Option<String>,
    place: String,
    label: Option<LabeledSpan>,
    source: Option<Arc<NamedSource<String>>>,
}

impl RouteErrors {
    pub(crate) fn new(name: &str, text: &str, mut mistakes: RouteMistakes) -> Self {
        let source = Arc::new(NamedSource::new(escaped(name), text.to_owned()));
        mistakes.0.sort_by_key(|mistake| mistake.at.start);
        let problem = |RouteMistake { at, message, label, help }| RouteProblem {
            message: escaped(&message),
            help: Some(escaped(&help)),
            place: place(name, text, at.start),
            label: Some(LabeledSpan::new_primary_with_span(Some(label.to_owned()), at)),
            source: Some(Arc::clone(&source)),
        };
        Self { name: escaped(name), problems: mistakes.0.into_iter().map(problem).collect() }
    }

    pub(crate) fn unreadable(name: &str, why: &str) -> Self {
        let name = escaped(name);
        let message = format!("`{name}` cannot be read: {}", escaped(why));
        let problem = RouteProblem { message, help: None, place: name.clone(), label: None, source: None };
        Self { name, problems: vec![problem] }
    }

    /// The errors, in the order of the file.
    #[must_use]
    pub fn problems(&self) -> &[RouteProblem] {
        &self.problems
    }
}

/// File, line and column.
fn place(name: &str, text: &str, at: usize) -> String {
    let before = text.get(..at).unwrap_or_default();
    let line = before.matches('\n').count() + 1;
    let column = before.rsplit('\n').next().unwrap_or_default().chars().count() + 1;
    format!("{}:{line}:{column}", escaped(name))
}

impl RouteProblem {
    /// Where: file, line and column, `routes.toml:3:7`.
    #[must_use]
    pub fn place(&self) -> &str {
        &self.place
    }
}

impl fmt::Display for RouteErrors {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.problems.len() {
            1 => write!(f, "the file of routes `{}` has an error", self.name),
            several => write!(f, "the file of routes `{}` has {several} errors", self.name),
        }
    }
}

impl std::error::Error for RouteErrors {}

impl Diagnostic for RouteErrors {
    fn related<'a>(&'a self) -> Option<Box<dyn Iterator<Item = &'a dyn Diagnostic> + 'a>> {
        Some(Box::new(self.problems.iter().map(|problem| problem as &dyn Diagnostic)))
    }
}

impl fmt::Display for RouteProblem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl std::error::Error for RouteProblem {}

impl Diagnostic for RouteProblem {
    fn help<'a>(&'a self) -> Option<Box<dyn fmt::Display + 'a>> {
        self.help.as_ref().map(|help| Box::new(help) as Box<dyn fmt::Display + 'a>)
    }

    fn source_code(&self) -> Option<&dyn SourceCode> {
        self.source.as_deref().map(|source| source as &dyn SourceCode)
    }

    fn labels(&self) -> Option<Box<dyn Iterator<Item = LabeledSpan> + '_>> {
        Some(Box::new(self.label.iter().cloned()))
    }
}
