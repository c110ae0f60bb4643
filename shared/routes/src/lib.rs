#![doc = include_str!("../README.md")]

mod check;
mod errors;
mod file;
mod pattern;
mod places;
mod route;
mod subject;

use std::path::Path;

use instep_model::Model;

pub use errors::RouteErrors;
pub use route::{Route, RouteAsked, Routes};
pub use subject::{TokenSubject, TokenUser, subject_of};

use errors::RouteMistakes;

impl Routes {
    /// Reads the text of a file of routes, and checks it against a model. `name` is the file's, for errors.
    ///
    /// # Errors
    /// All that is wrong, each with its place and the fix.
    pub fn parse(model: &Model, name: &str, text: &str) -> Result<Self, RouteErrors> {
        let mut mistakes = RouteMistakes::default();
        let drafts = file::read(text, &mut mistakes);
        let routes = check::routes(model, drafts, &mut mistakes);
        if mistakes.0.is_empty() { Ok(routes) } else { Err(RouteErrors::new(name, text, mistakes)) }
    }

    /// As [`Self::parse`], of a file.
    ///
    /// # Errors
    /// The file cannot be read, or something is wrong with it.
    pub fn load(model: &Model, path: &Path) -> Result<Self, RouteErrors> {
        let name = path.display().to_string();
        match std::fs::read_to_string(path) {
            Ok(text) => Self::parse(model, &name, &text),
            Err(why) => Err(RouteErrors::unreadable(&name, &why.to_string())),
        }
    }
}
