//! Templates: constants and names, such as `ROLE#{scope_type}#{role_id}` or
//! `{email|lower|urlencode}`.

use std::fmt;

use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, percent_decode_str, utf8_percent_encode};
use thiserror::Error;

/// What JavaScript's `encodeURIComponent` encodes: everything but letters, digits and these
/// (ECMA-262, `uriUnescaped`).
const URI_COMPONENT: &AsciiSet = &NON_ALPHANUMERIC
    .remove(b'-')
    .remove(b'_')
    .remove(b'.')
    .remove(b'!')
    .remove(b'~')
    .remove(b'*')
    .remove(b'\'')
    .remove(b'(')
    .remove(b')');

/// The transforms of a name, in the order in which they may be written.
pub const TRANSFORMS: [&str; 4] = ["lower", "pad:…", "urlencode", "each"];

/// The largest width of a padded number: DynamoDB's numbers have at most 38 digits.
const PAD_MAX: usize = 38;

/// A text with names in it. It renders a text, and as a template of a key it also matches one.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Template {
    source: String,
    parts: Vec<Part>,
}

/// One part of a template. Two names are never adjacent.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Part {
    /// Literal text; never empty.
    Constant(String),
    /// A name.
    Name(Slot),
}

/// A name's place in a template.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Slot {
    pub(crate) name: String,
    pub(crate) lower: bool,
    /// A number is written with leading zeros up to this width.
    pub(crate) pad: Option<usize>,
    pub(crate) urlencode: bool,
    /// The value is a list of texts, and the template stands for one text for each.
    pub(crate) each: bool,
}

/// A template that cannot be parsed. `at` is a byte offset into it.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum TemplateError {
    /// `{` without `}`.
    #[error("a `{{` is never closed")]
    Unclosed {
        /// Where the brace is.
        at: usize,
    },
    /// `}` without `{`.
    #[error("a `}}` closes nothing")]
    Unopened {
        /// Where the brace is.
        at: usize,
    },
    /// `{}` or a name with characters that no name has.
    #[error("`{name}` is not a name")]
    NotAName {
        /// Where it begins.
        at: usize,
        /// What is there.
        name: String,
    },
    /// `{a}{b}`.
    #[error("nothing separates `{first}` from `{second}`")]
    Adjacent {
        /// Where the second name's brace is.
        at: usize,
        /// The first name.
        first: String,
        /// The second name.
        second: String,
    },
    /// A word after `|` that is no transform, or is in the wrong order.
    #[error("`{word}` is not a transform that can stand here")]
    Transform {
        /// Where it begins.
        at: usize,
        /// The word.
        word: String,
    },
}

impl TemplateError {
    /// Where in the template the error is, as a byte offset and a length.
    #[must_use]
    pub fn span(&self) -> (usize, usize) {
        match self {
            Self::Unclosed { at } | Self::Unopened { at } => (*at, 1),
            Self::NotAName { at, name } => (*at, name.len().max(1)),
            Self::Adjacent { at, second, .. } => (*at, second.len() + 1),
            Self::Transform { at, word } => (*at, word.len().max(1)),
        }
    }

    /// How to fix it.
    #[must_use]
    pub fn help(&self) -> String {
        match self {
            Self::Unclosed { .. } => "close the name with `}`, or write `{{` for a literal brace".to_owned(),
            Self::Unopened { .. } => "open a name with `{`, or write `}}` for a literal brace".to_owned(),
            Self::NotAName { .. } => {
                "a name consists of letters, digits and `_`, `-`, `.`, `:`, such as `{groupId}`".to_owned()
            }
            Self::Adjacent { first, second, .. } => format!(
                "put a constant between them, such as `{{{first}}}#{{{second}}}`: a key could not be parsed \
                 otherwise"
            ),
            Self::Transform { .. } => {
                "the transforms are `lower`, `pad:10`, `urlencode` and `each`, each at most once and in this order"
                    .to_owned()
            }
        }
    }
}

/// A template cannot be rendered, because a name has no value.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("`{name}` has no value")]
pub struct MissingName {
    /// The name.
    pub name: String,
}

impl Template {
    /// Parses a template: `{name}`, `{name|lower|urlencode}`, and `{{` and `}}` for literal braces.
    ///
    /// # Errors
    /// The template has an error: the kind and the place.
    ///
    /// ```
    /// let template = instep_model::template::Template::parse("G:{groupId|lower}")?;
    /// let text = template.render(&|name| (name == "groupId").then(|| "/USA".to_owned()));
    /// assert_eq!(text.as_deref(), Ok("G:/usa"));
    /// # Ok::<(), instep_model::template::TemplateError>(())
    /// ```
    pub fn parse(source: &str) -> Result<Self, TemplateError> {
        let mut parts: Vec<Part> = Vec::new();
        let mut constant = String::new();
        let mut rest = source;
        while let Some(first) = rest.chars().next() {
            let at = source.len() - rest.len();
            if let Some(after) = rest.strip_prefix("{{").or_else(|| rest.strip_prefix("}}")) {
                constant.push(first);
                rest = after;
            } else if let Some(after) = rest.strip_prefix('{') {
                let (inside, tail) = after.split_once('}').ok_or(TemplateError::Unclosed { at })?;
                let slot = Slot::parse(inside, at + 1)?;
                if !constant.is_empty() {
                    parts.push(Part::Constant(std::mem::take(&mut constant)));
                } else if let Some(Part::Name(before)) = parts.last() {
                    return Err(TemplateError::Adjacent { at, first: before.name.clone(), second: slot.name });
                }
                parts.push(Part::Name(slot));
                rest = tail;
            } else if first == '}' {
                return Err(TemplateError::Unopened { at });
            } else {
                constant.push(first);
                rest = rest.get(first.len_utf8()..).unwrap_or_default();
            }
        }
        if !constant.is_empty() {
            parts.push(Part::Constant(constant));
        }
        Ok(Self { source: source.to_owned(), parts })
    }

    /// The source text of the template.
    #[must_use]
    pub fn source(&self) -> &str {
        &self.source
    }

    /// The name that stands for each text of a list.
    #[must_use]
    pub fn each(&self) -> Option<&str> {
        self.slots().find(|slot| slot.each).map(|slot| slot.name.as_str())
    }

    /// The names in it, in order. A name that is used twice is returned twice.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.slots().map(|slot| slot.name.as_str())
    }

    /// Whether it writes every name in lower case. Then values that differ in case only give the
    /// same text.
    #[must_use]
    pub fn is_lowered(&self) -> bool {
        self.slots().all(|slot| slot.lower)
    }

    /// The template with every constant and every name in lower case.
    pub(crate) fn lowered(&self) -> Self {
        Self::from_parts(self.parts.iter().map(|part| match part {
            Part::Constant(text) => Part::Constant(text.to_lowercase()),
            Part::Name(slot) => Part::Name(Slot { lower: true, ..slot.clone() }),
        }))
    }

    /// Renders the template with the values that `lookup` gives.
    ///
    /// # Errors
    /// The first name for which `lookup` has no value.
    pub fn render(&self, lookup: &dyn Fn(&str) -> Option<String>) -> Result<String, MissingName> {
        let mut text = String::new();
        for part in &self.parts {
            match part {
                Part::Constant(constant) => text.push_str(constant),
                Part::Name(slot) => {
                    let value = lookup(&slot.name).ok_or_else(|| MissingName { name: slot.name.clone() })?;
                    text.push_str(&slot.apply(&value));
                }
            }
        }
        Ok(text)
    }

    pub(crate) fn parts(&self) -> &[Part] {
        &self.parts
    }

    pub(crate) fn slots(&self) -> impl Iterator<Item = &Slot> {
        self.parts.iter().filter_map(|part| match part {
            Part::Constant(_) => None,
            Part::Name(slot) => Some(slot),
        })
    }

    /// The constant at the beginning of the template; empty if it begins with a name.
    #[must_use]
    pub fn leading_constant(&self) -> &str {
        match self.parts.first() {
            Some(Part::Constant(constant)) => constant,
            Some(Part::Name(_)) | None => "",
        }
    }

    /// The slot, if the template is one name and nothing else.
    pub(crate) fn as_single(&self) -> Option<&Slot> {
        match self.parts.as_slice() {
            [Part::Name(slot)] => Some(slot),
            _ => None,
        }
    }

    /// A template of these parts. Adjacent constants become one. The caller must not pass adjacent
    /// names.
    pub(crate) fn from_parts(parts: impl IntoIterator<Item = Part>) -> Self {
        let mut joined: Vec<Part> = Vec::new();
        for part in parts {
            match (joined.last_mut(), part) {
                (Some(Part::Constant(before)), Part::Constant(more)) => before.push_str(&more),
                (_, Part::Constant(text)) if text.is_empty() => {}
                (_, part) => joined.push(part),
            }
        }
        let source = joined.iter().map(ToString::to_string).collect();
        Self { source, parts: joined }
    }

    /// A template of one name without transforms.
    pub(crate) fn single(name: &str) -> Self {
        Self::from_parts([Part::Name(Slot::plain(name))])
    }
}

impl Slot {
    fn parse(inside: &str, at: usize) -> Result<Self, TemplateError> {
        let mut words = inside.split('|');
        let name = words.next().unwrap_or_default();
        let fits = |c: char| c.is_alphanumeric() || matches!(c, '_' | '-' | '.' | ':' | '$' | '@');
        if name.is_empty() || !name.chars().all(fits) || name.starts_with('.') || name.ends_with('.') {
            return Err(TemplateError::NotAName { at, name: name.to_owned() });
        }
        let mut slot = Self::plain(name);
        let mut word_at = at + name.len() + 1;
        for word in words {
            match word {
                "lower" if !slot.lower && slot.pad.is_none() && !slot.urlencode && !slot.each => slot.lower = true,
                "urlencode" if !slot.urlencode && !slot.each => slot.urlencode = true,
                "each" if !slot.each => slot.each = true,
                _ if slot.pad.is_none() && !slot.urlencode && !slot.each && Self::width(word).is_some() => {
                    slot.pad = Self::width(word);
                }
                _ => return Err(TemplateError::Transform { at: word_at, word: word.to_owned() }),
            }
            word_at += word.len() + 1;
        }
        Ok(slot)
    }

    /// A name without transforms.
    fn plain(name: &str) -> Self {
        Self { name: name.to_owned(), lower: false, pad: None, urlencode: false, each: false }
    }

    /// The width of `pad:10`.
    fn width(word: &str) -> Option<usize> {
        let digits = word.strip_prefix("pad:").filter(|digits| is_digits(digits) && !digits.starts_with('0'))?;
        digits.parse().ok().filter(|width| *width <= PAD_MAX)
    }

    /// A name's value as it is written in the rendered template.
    pub(crate) fn apply(&self, text: &str) -> String {
        let text = if self.lower { text.to_lowercase() } else { text.to_owned() };
        let text = match self.pad {
            Some(width) if is_digits(&text) => format!("{text:0>width$}"),
            Some(_) | None => text,
        };
        if self.urlencode { utf8_percent_encode(&text, URI_COMPONENT).to_string() } else { text }
    }

    /// The name's value, given its form in a rendered template: only a value that renders to
    /// exactly this.
    pub(crate) fn invert(&self, rendered: &str) -> Option<String> {
        let text = if self.urlencode {
            percent_decode_str(rendered).decode_utf8().ok()?.into_owned()
        } else {
            rendered.to_owned()
        };
        let text = match self.pad {
            Some(_) if !is_digits(&text) => return None,
            Some(_) => Some(text.trim_start_matches('0')).filter(|rest| !rest.is_empty()).unwrap_or("0").to_owned(),
            None => text,
        };
        (self.apply(&text) == rendered && (!self.lower || text.to_lowercase() == text)).then_some(text)
    }
}

fn is_digits(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|b| b.is_ascii_digit())
}

/// Whether URL encoding changes this character.
pub(crate) fn is_url_encoded(c: char) -> bool {
    let mut buffer = [0; 4];
    let text: &str = c.encode_utf8(&mut buffer);
    utf8_percent_encode(text, URI_COMPONENT).to_string() != text
}

/// The name's last segment: `parent.groupId` and `child.groupId` follow the rules of `groupId`.
#[must_use]
pub fn base(name: &str) -> &str {
    name.rsplit('.').next().unwrap_or(name)
}

/// The part before the last segment, with its dot: `parent.` of `parent.groupId`.
pub(crate) fn prefix(name: &str) -> &str {
    name.get(..name.len() - base(name).len()).unwrap_or_default()
}

impl fmt::Display for Template {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.source)
    }
}

impl fmt::Display for Part {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Constant(text) => f.write_str(&text.replace('{', "{{").replace('}', "}}")),
            Self::Name(slot) => slot.fmt(f),
        }
    }
}

impl fmt::Display for Slot {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let lower = if self.lower { "|lower" } else { "" };
        let urlencode = if self.urlencode { "|urlencode" } else { "" };
        let pad = self.pad.map(|width| format!("|pad:{width}")).unwrap_or_default();
        let each = if self.each { "|each" } else { "" };
        write!(f, "{{{}{lower}{pad}{urlencode}{each}}}", self.name)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn render(source: &str, value: &str) -> String {
        Template::parse(source).unwrap().render(&|_| Some(value.to_owned())).unwrap()
    }

    #[test]
    fn renders_constants_names_and_transforms() {
        assert_eq!(render("U:{email}", "A@b"), "U:A@b");
        assert_eq!(render("u:{email|lower|urlencode}!", "A@b/É (1)"), "u:a%40b%2F%C3%A9%20(1)!");
        assert_eq!(render("{{{x}}}", "1"), "{1}");
        assert_eq!(render("N#{n|pad:5}", "42"), "N#00042");
        assert_eq!(render("N#{n|pad:2}", "1234"), "N#1234");
        assert_eq!(render("N#{n|pad:5}", "4x"), "N#4x", "no number: no key is read as it");
    }

    #[test]
    fn inverts_only_what_it_would_render() {
        let template = Template::parse("{x|lower|urlencode}").unwrap();
        let slot = template.as_single().unwrap();
        assert_eq!(slot.invert("a%40b").as_deref(), Some("a@b"));
        assert_eq!(slot.invert("a@b"), None, "not encoded");
        assert_eq!(slot.invert("%61"), None, "encoded without need");
        assert_eq!(slot.invert("a%4"), None, "cut short");
        assert_eq!(slot.invert("A"), None, "upper case");
        assert_eq!(slot.invert("%FF"), None, "not UTF-8");
        let template = Template::parse("{n|pad:4}").unwrap();
        let slot = template.as_single().unwrap();
        let read = ["0042", "0000", "12345"].map(|text| slot.invert(text));
        assert_eq!(read, ["42", "0", "12345"].map(|text| Some(text.to_owned())));
        for wrong in ["42", "00042", "004x", ""] {
            assert_eq!(slot.invert(wrong), None, "{wrong}");
        }
    }

    #[test]
    fn says_where_a_mistake_is() {
        let at = |source: &str| Template::parse(source).map_err(|error| (error.to_string(), error.span()));
        assert_eq!(at("U:{email"), Err(("a `{` is never closed".to_owned(), (2, 1))));
        assert_eq!(at("U:email}"), Err(("a `}` closes nothing".to_owned(), (7, 1))));
        assert_eq!(at("{a}{b}"), Err(("nothing separates `a` from `b`".to_owned(), (3, 2))));
        assert_eq!(at("{a b}"), Err(("`a b` is not a name".to_owned(), (1, 3))));
        assert_eq!(at("{}"), Err(("`` is not a name".to_owned(), (1, 1))));
        let transform = "is not a transform that can stand here";
        assert_eq!(at("{a|upper}"), Err((format!("`upper` {transform}"), (3, 5))));
        assert_eq!(at("{a|pad:0}"), Err((format!("`pad:0` {transform}"), (3, 5))));
        assert_eq!(at("{a|each|lower}"), Err((format!("`lower` {transform}"), (8, 5))));
        assert_eq!(at("{a|urlencode|lower}"), Err((format!("`lower` {transform}"), (13, 5))));
    }
}
