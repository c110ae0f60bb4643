//! The words of a file of routes.

use std::ops::Range;

use instep_model::suggestion;
use toml::Spanned;
use toml::de::{DeTable, DeValue};

use crate::errors::RouteMistakes;
use crate::pattern::{METHODS, RoutePattern};

/// A text, and where it is written.
pub(crate) type PlacedText = Spanned<String>;

/// A route, as the file has it.
#[derive(Debug)]
pub(crate) struct DraftRoute {
    pub(crate) pattern: RoutePattern,
    pub(crate) span: Range<usize>,
    pub(crate) can: Option<PlacedText>,
    pub(crate) role: Option<Vec<PlacedText>>,
    pub(crate) at: Option<PlacedText>,
    pub(crate) ignores: Vec<PlacedText>,
}

const WORDS: [&str; 4] = ["can", "role", "at", "ignores"];

const EXAMPLE: &str = "write a table for each route: `[\"GET /projects/{project_id}\"]`, then `can = \"read\"` and \
                       `at = \"Project\"`";

/// Reads the routes of a file.
pub(crate) fn read(text: &str, mistakes: &mut RouteMistakes) -> Vec<DraftRoute> {
    let table = match DeTable::parse(text) {
        Ok(table) => table.into_inner(),
        Err(error) => {
            let message = format!("this is not TOML: {}", error.message());
            let help = if error.message() == "duplicate key" { "write each route and each word once" } else { EXAMPLE };
            mistakes.add(&error.span().unwrap_or_default(), message, "here", help);
            return Vec::new();
        }
    };
    if table.is_empty() {
        mistakes.add(&(0..0), "the file has no routes, so every request would be denied", "here", EXAMPLE);
    }
    let mut routes: Vec<DraftRoute> =
        table.into_iter().filter_map(|(name, value)| route(&name, value, mistakes)).collect();
    routes.sort_by_key(|route| route.span.start);
    routes
}

fn route(
    name: &Spanned<std::borrow::Cow<'_, str>>,
    value: Spanned<DeValue<'_>>,
    mistakes: &mut RouteMistakes,
) -> Option<DraftRoute> {
    let (span, before) = (name.span(), mistakes.0.len());
    let pattern = match RoutePattern::parse(name.get_ref()) {
        Ok(pattern) => pattern,
        Err(why) => {
            let help = format!(
                "write a route as API Gateway names it, such as `GET /projects/{{project_id}}`; the methods are {}",
                METHODS.join(", ")
            );
            mistakes.add(&span, why, "no route", help);
            return None;
        }
    };
    let DeValue::Table(words) = value.into_inner() else {
        mistakes.add(&span, format!("`{}` is not a table", name.get_ref()), "this route", EXAMPLE);
        return None;
    };
    let mut draft = DraftRoute { pattern, span, can: None, role: None, at: None, ignores: Vec::new() };
    for (word, value) in words {
        match &**word.get_ref() {
            "can" => draft.can = text(value, mistakes),
            "at" => draft.at = text(value, mistakes),
            "role" => draft.role = texts(value, mistakes),
            "ignores" => draft.ignores = texts(value, mistakes).unwrap_or_default(),
            other => {
                let near = suggestion(other, &WORDS).map(|near| format!("did you mean `{near}`? ")).unwrap_or_default();
                let help = format!("{near}the words of a route are {}", listed(&WORDS));
                mistakes.add(&word.span(), format!("unknown word `{other}`"), "no word of a route", help);
            }
        }
    }
    // What cannot be read is the only mistake that is shown of a route: others would only follow from it.
    (mistakes.0.len() == before).then_some(draft)
}

fn text(value: Spanned<DeValue<'_>>, mistakes: &mut RouteMistakes) -> Option<PlacedText> {
    let span = value.span();
    if let DeValue::String(text) = value.into_inner()
        && !text.is_empty()
    {
        return Some(Spanned::new(span, text.into_owned()));
    }
    mistakes.add(&span, "a string is needed", "here", "write a text in quotes");
    None
}

/// A list of texts, or one alone.
fn texts(value: Spanned<DeValue<'_>>, mistakes: &mut RouteMistakes) -> Option<Vec<PlacedText>> {
    let span = value.span();
    let inner = value.into_inner();
    let DeValue::Array(list) = inner else {
        return text(Spanned::new(span, inner), mistakes).map(|text| vec![text]);
    };
    if list.is_empty() {
        mistakes.add(&span, "the list is empty", "here", "write at least one text");
        return None;
    }
    list.into_iter().map(|value| text(value, mistakes)).collect()
}

/// Words for people: `a`, `b`.
pub(crate) fn listed<T: AsRef<str>>(words: &[T]) -> String {
    words.iter().map(|word| format!("`{}`", word.as_ref())).collect::<Vec<_>>().join(", ")
}
