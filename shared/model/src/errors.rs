//! Errors in a model file: the place, the error and the fix.

use std::fmt;
use std::ops::Range;
use std::sync::Arc;

use miette::{Diagnostic, LabeledSpan, NamedSource, SourceCode};

use crate::messages::{escaped, masked};
use crate::source::{SourceFile, Span};

/// An error, before it is known in which file its spans are.
#[derive(Debug)]
pub(crate) struct Mistake {
    message: String,
    labels: Vec<(Span, String)>,
    help: Option<String>,
}

impl Mistake {
    pub(crate) fn new(at: Span, message: impl Into<String>, label: impl Into<String>) -> Self {
        Self { message: message.into(), labels: vec![(at, label.into())], help: None }
    }

    pub(crate) fn also(mut self, at: Span, label: impl Into<String>) -> Self {
        self.labels.push((at, label.into()));
        self
    }

    pub(crate) fn help(mut self, help: impl Into<String>) -> Self {
        self.help = Some(help.into());
        self
    }

    /// Another way to mend it.
    pub(crate) fn or_help(mut self, more: &str) -> Self {
        self.help = Some(self.help.map_or_else(
            || more.to_owned(),
            |help| {
                let and = if help.ends_with('?') { " Or, " } else { "; or, " };
                format!("{help}{and}{more}")
            },
        ));
        self
    }
}

/// The errors found so far.
#[derive(Debug, Default)]
pub(crate) struct Mistakes(Vec<Mistake>);

impl Mistakes {
    pub(crate) fn add(&mut self, mistake: Mistake) {
        self.0.push(mistake);
    }

    pub(crate) fn len(&self) -> usize {
        self.0.len()
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

/// The maximum number of errors that are shown. The rest are counted.
const SHOWN_MAX: usize = 20;

/// Everything that is wrong with a model file.
#[derive(Debug, Clone)]
pub struct ModelErrors {
    name: String,
    count: usize,
    problems: Vec<Problem>,
    /// The remark that there are more errors than those.
    more: Option<Box<Problem>>,
}

/// One error in a model file.
#[derive(Debug, Clone)]
pub struct Problem {
    message: String,
    help: Option<String>,
    place: String,
    labels: Vec<LabeledSpan>,
    source: Option<Arc<NamedSource<String>>>,
}

impl ModelErrors {
    pub(crate) fn new(sources: &[SourceFile], mistakes: Mistakes) -> Self {
        let named = |source: &SourceFile| Arc::new(NamedSource::new(escaped(&source.name), masked(&source.text)));
        let texts: Vec<_> = sources.iter().map(named).collect();
        let mut drafts = mistakes.0;
        drafts.sort_by_key(|mistake| mistake.labels.first().map(|(span, _)| *span));
        let count = drafts.len();
        drafts.truncate(SHOWN_MAX);
        let problems: Vec<_> = drafts.into_iter().map(|mistake| Problem::new(mistake, sources, &texts)).collect();
        let name = sources.first().map(|source| escaped(&source.name)).unwrap_or_default();
        let rest = count - problems.len();
        let more = (rest > 0).then(|| {
            let errors = if rest == 1 { "error is" } else { "errors are" };
            let help = "fix those above first: some of the others may follow from them".to_owned();
            Box::new(Problem { help: Some(help), ..Problem::plain(format!("{rest} more {errors} not shown"), &name) })
        });
        Self { name, count, problems, more }
    }

    pub(crate) fn unreadable(name: &str, why: &str) -> Self {
        Self { name: escaped(name), count: 1, problems: vec![Problem::unreadable(name, why)], more: None }
    }

    /// The first errors, in the order of the files.
    #[must_use]
    pub fn problems(&self) -> &[Problem] {
        &self.problems
    }
}

impl Problem {
    /// An error in another file that is checked against a model: its place, a label for it, and the fix.
    #[must_use]
    pub fn in_file((name, text): (&str, &str), at: Range<usize>, message: &str, label: &str, help: &str) -> Self {
        let file = SourceFile { name: name.to_owned(), text: text.to_owned() };
        let shown = Arc::new(NamedSource::new(escaped(name), masked(text)));
        let span = Span { source: 0, start: at.start, len: at.len() };
        Self::new(Mistake::new(span, message, label).help(help), &[file], &[shown])
    }

    /// A file cannot be read.
    #[must_use]
    pub fn unreadable(name: &str, why: &str) -> Self {
        let name = escaped(name);
        Self::plain(format!("`{name}` cannot be read: {}", escaped(why)), &name)
    }

    fn plain(message: String, place: &str) -> Self {
        Self { message, help: None, place: place.to_owned(), labels: Vec::new(), source: None }
    }

    fn new(mistake: Mistake, sources: &[SourceFile], texts: &[Arc<NamedSource<String>>]) -> Self {
        let first = mistake.labels.first().map(|(span, _)| *span).unwrap_or_default();
        let place = sources.get(first.source).map_or_else(String::new, |source| source.place(first.start));
        let mut labels = Vec::new();
        let mut help = mistake.help;
        for (number, (span, label)) in mistake.labels.into_iter().enumerate() {
            if span.source != first.source {
                // A snippet shows one file. The message names the place in another file.
                let other = sources.get(span.source).map_or_else(String::new, |source| source.place(span.start));
                let said = help.unwrap_or_default();
                help = Some(format!("{said}\n{other}: {label}").trim_start().to_owned());
            } else if number == 0 {
                labels.push(LabeledSpan::new_primary_with_span(Some(escaped(&label)), (span.start, span.len)));
            } else {
                labels.push(LabeledSpan::new_with_span(Some(escaped(&label)), (span.start, span.len)));
            }
        }
        let source = texts.get(first.source).cloned();
        let help = help.as_deref().map(escaped);
        Self { message: escaped(&mistake.message), help, place: escaped(&place), labels, source }
    }

    /// Where: file, line and column, `model.toml:3:7`.
    #[must_use]
    pub fn place(&self) -> &str {
        &self.place
    }
}

impl fmt::Display for ModelErrors {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.count {
            1 => write!(f, "the table model `{}` has an error", self.name),
            several => write!(f, "the table model `{}` has {several} errors", self.name),
        }
    }
}

impl std::error::Error for ModelErrors {}

impl Diagnostic for ModelErrors {
    fn related<'a>(&'a self) -> Option<Box<dyn Iterator<Item = &'a dyn Diagnostic> + 'a>> {
        Some(Box::new(self.problems.iter().chain(self.more.as_deref()).map(|problem| problem as &dyn Diagnostic)))
    }
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl std::error::Error for Problem {}

impl Diagnostic for Problem {
    fn help<'a>(&'a self) -> Option<Box<dyn fmt::Display + 'a>> {
        self.help.as_ref().map(|help| Box::new(help) as Box<dyn fmt::Display + 'a>)
    }

    fn source_code(&self) -> Option<&dyn SourceCode> {
        self.source.as_deref().map(|source| source as &dyn SourceCode)
    }

    fn labels(&self) -> Option<Box<dyn Iterator<Item = LabeledSpan> + '_>> {
        (!self.labels.is_empty())
            .then(|| Box::new(self.labels.iter().cloned()) as Box<dyn Iterator<Item = LabeledSpan>>)
    }
}
