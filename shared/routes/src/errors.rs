//! Errors in a file of routes.

use std::fmt;
use std::ops::Range;

use instep_model::{Problem, escaped};
use miette::Diagnostic;

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
    problems: Vec<Problem>,
}

impl RouteErrors {
    pub(crate) fn new(name: &str, text: &str, mut mistakes: RouteMistakes) -> Self {
        mistakes.0.sort_by_key(|mistake| mistake.at.start);
        let problem =
            |RouteMistake { at, message, label, help }| Problem::in_file((name, text), at, &message, label, &help);
        Self { name: escaped(name), problems: mistakes.0.into_iter().map(problem).collect() }
    }

    pub(crate) fn unreadable(name: &str, why: &str) -> Self {
        Self { name: escaped(name), problems: vec![Problem::unreadable(name, why)] }
    }

    /// The errors, in the order of the file.
    #[must_use]
    pub fn problems(&self) -> &[Problem] {
        &self.problems
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
