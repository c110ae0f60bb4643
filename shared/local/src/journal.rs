//! A state that is persisted as a journal: a line for each change that led to it.

use std::path::Path;

use serde::Serialize;
use serde::de::DeserializeOwned;

use crate::dir::LineFile;
use crate::error::LocalError;
use crate::wire::ErrorResponse;

/// The number of lines from which a journal is compacted into one line when it is opened.
const LINES_MAX: usize = 1_000;

/// A state, and the journal that persists it, if there is a directory.
#[derive(Debug, Default)]
pub(crate) struct Journaled<S> {
    pub(crate) state: S,
    file: Option<LineFile>,
    /// The lines that the journal had when it was opened.
    lines: usize,
    /// Why the journal cannot be written: the state is ahead of it, and all further calls fail.
    broken: Option<String>,
}

impl<S> Journaled<S> {
    /// A state in memory.
    pub(crate) const fn in_memory(state: S) -> Self {
        Self { state, file: None, lines: 0, broken: None }
    }

    /// The state after the changes in the journal at `path`. `redo` makes the change of a line: only successful ones
    /// are written, and they succeed again from the same state.
    pub(crate) fn open<L: DeserializeOwned>(
        path: &Path,
        mut state: S,
        redo: impl Fn(&mut S, L) -> Result<(), ErrorResponse>,
    ) -> Result<Self, LocalError> {
        let (file, lines) = LineFile::open(path)?;
        for (place, line) in lines.iter().enumerate() {
            let line = serde_json::from_str(line).map_err(|error| file.damaged(place, error.to_string()))?;
            redo(&mut state, line).map_err(|refusal| file.damaged(place, refusal.message))?;
        }
        Ok(Self { state, file: Some(file), lines: lines.len(), broken: None })
    }

    /// Writes a long journal anew: one line with the state.
    pub(crate) fn compact<L: Serialize>(&mut self, line: impl FnOnce(&S) -> L) -> Result<(), LocalError> {
        let Some(file) = self.file.as_mut().filter(|_| self.lines > LINES_MAX) else { return Ok(()) };
        let line = serde_json::to_vec(&line(&self.state));
        file.replace(line.map_err(LocalError::engine("write a journal"))?)
    }

    /// Refuses a call if the state is ahead of its journal. `code` is the service's for its own errors.
    pub(crate) fn check(&self, code: &str) -> Result<(), ErrorResponse> {
        self.broken.as_ref().map_or(Ok(()), |why| Err(internal(code, why.clone())))
    }

    /// Writes a change of the state.
    pub(crate) fn note(&mut self, line: &impl Serialize, code: &str) -> Result<(), ErrorResponse> {
        let Some(file) = &mut self.file else { return Ok(()) };
        let line = serde_json::to_vec(line).map_err(LocalError::engine("write a journal"));
        line.and_then(|line| file.append(line)).map_err(|error| {
            let why = error.to_string();
            self.broken = Some(why.clone());
            internal(code, why)
        })
    }
}

fn internal(code: &str, message: String) -> ErrorResponse {
    ErrorResponse { status: 500, code: code.to_owned(), message }
}
