//! Templates: constants and names, such as `ROLE#{scope_type}#{role_id}` or
//! `{email|lower|urlencode}`.

use std::fmt;

use thiserror::Error;

pub use crate::slot::TRANSFORMS;
pub(crate) use crate::slot::{Slot, is_url_encoded};
pub use crate::template_error::TemplateError;

/// A text with names in it. It renders a text, and as a template of a key it also matches one.
#[derive(Clone, PartialEq, Eq, Default)]
pub struct Template {
    source: String,
    parts: Vec<TemplatePart>,
}

/// One part of a template. Two names are never adjacent.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum TemplatePart {
    /// Literal text; never empty.
    Constant(String),
    /// A name.
    Name(Slot),
}

impl TemplatePart {
    /// The part of a name's shape, as it is rendered in the place of the name.
    pub(crate) fn within(&self, outer: &Slot) -> Self {
        match self {
            Self::Constant(constant) => Self::Constant(outer.apply(constant).into_owned()),
            Self::Name(inner) => Self::Name(Slot {
                name: format!("{}{}", prefix(&outer.name), inner.name),
                lower: inner.lower || outer.lower,
                pad: inner.pad,
                urlencode: inner.urlencode || outer.urlencode,
                each: false,
            }),
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

/// Its parts: texts that differ and have the same parts are one template.
impl fmt::Debug for Template {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Template").field(&self.parts).finish()
    }
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
        let mut parts: Vec<TemplatePart> = Vec::new();
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
                    parts.push(TemplatePart::Constant(std::mem::take(&mut constant)));
                } else if let Some(TemplatePart::Name(before)) = parts.last() {
                    return Err(TemplateError::Adjacent { at, first: before.name.clone(), second: slot.name });
                }
                parts.push(TemplatePart::Name(slot));
                rest = tail;
            } else if first == '}' {
                return Err(TemplateError::Unopened { at });
            } else {
                constant.push(first);
                rest = rest.get(first.len_utf8()..).unwrap_or_default();
            }
        }
        if !constant.is_empty() {
            parts.push(TemplatePart::Constant(constant));
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

    /// Whether all of its texts are in lower case: every constant is, and every name, as `is_lowered` says.
    pub(crate) fn is_lowered(&self, is_lowered: &dyn Fn(&Slot) -> bool) -> bool {
        self.parts.iter().all(|part| match part {
            TemplatePart::Constant(text) => text.to_lowercase() == *text,
            TemplatePart::Name(slot) => is_lowered(slot),
        })
    }

    /// The template with every constant and every name in lower case.
    pub(crate) fn lowered(&self) -> Self {
        Self::from_parts(self.parts.iter().map(|part| match part {
            TemplatePart::Constant(text) => TemplatePart::Constant(text.to_lowercase()),
            TemplatePart::Name(slot) => TemplatePart::Name(Slot { lower: true, ..slot.clone() }),
        }))
    }

    /// The template with every name as it is written: without `lower`.
    #[must_use]
    pub fn as_written(&self) -> Self {
        Self::from_parts(self.parts.iter().map(|part| match part {
            TemplatePart::Constant(text) => TemplatePart::Constant(text.clone()),
            TemplatePart::Name(slot) => TemplatePart::Name(Slot { lower: false, ..slot.clone() }),
        }))
    }

    /// The template with what another one says in the place of a name. `None` if the name has a transform there, and
    /// the other one is more than a name without one.
    pub(crate) fn with(&self, name: &str, text: &Self) -> Option<Self> {
        let plain = text.as_single().filter(|own| **own == Slot { each: own.each, ..Slot::plain(&own.name) });
        let mut parts = Vec::new();
        for part in &self.parts {
            match (part, plain) {
                (TemplatePart::Name(slot), Some(own)) if slot.name == name => {
                    parts.push(TemplatePart::Name(Slot { name: own.name.clone(), each: own.each, ..slot.clone() }));
                }
                (TemplatePart::Name(slot), None) if *slot == Slot::plain(name) => {
                    parts.extend(text.parts.iter().cloned());
                }
                (TemplatePart::Name(slot), None) if slot.name == name => return None,
                (part, _) => parts.push(part.clone()),
            }
        }
        Some(Self::from_parts(parts))
    }

    /// A template of one name that stands for each text of a list.
    pub(crate) fn each_of(name: &str) -> Self {
        Self::from_parts([TemplatePart::Name(Slot { each: true, ..Slot::plain(name) })])
    }

    /// Renders the template with the values that `lookup` gives.
    ///
    /// # Errors
    /// The first name for which `lookup` has no value.
    pub fn render<T: AsRef<str>>(&self, lookup: &dyn Fn(&str) -> Option<T>) -> Result<String, MissingName> {
        self.render_or(&|slot| lookup(&slot.name).ok_or_else(|| MissingName { name: slot.name.clone() }))
    }

    /// Renders the beginning of the template, up to the first name for which `lookup` has no value, and says whether that is
    /// all of it.
    pub(crate) fn render_known<T: AsRef<str>>(&self, lookup: &dyn Fn(&str) -> Option<T>) -> (String, bool) {
        let mut text = String::with_capacity(self.source.len());
        for part in &self.parts {
            match part {
                TemplatePart::Constant(constant) => text.push_str(constant),
                TemplatePart::Name(slot) => match lookup(&slot.name) {
                    Some(value) => text.push_str(&slot.apply(value.as_ref())),
                    None => return (text, false),
                },
            }
        }
        (text, true)
    }

    /// Renders the template with the values of `value`, or returns its first error.
    pub(crate) fn render_or<T: AsRef<str>, E>(&self, value: &dyn Fn(&Slot) -> Result<T, E>) -> Result<String, E> {
        // In most templates the values are no longer than their names with braces.
        let mut text = String::with_capacity(self.source.len());
        for part in &self.parts {
            match part {
                TemplatePart::Constant(constant) => text.push_str(constant),
                TemplatePart::Name(slot) => text.push_str(&slot.apply(value(slot)?.as_ref())),
            }
        }
        Ok(text)
    }

    pub(crate) fn parts(&self) -> &[TemplatePart] {
        &self.parts
    }

    pub(crate) fn slots(&self) -> impl Iterator<Item = &Slot> {
        self.parts.iter().filter_map(|part| match part {
            TemplatePart::Constant(_) => None,
            TemplatePart::Name(slot) => Some(slot),
        })
    }

    /// The constant at the beginning of the template; empty if it begins with a name.
    #[must_use]
    pub fn leading_constant(&self) -> &str {
        match self.parts.first() {
            Some(TemplatePart::Constant(constant)) => constant,
            Some(TemplatePart::Name(_)) | None => "",
        }
    }

    /// The slot, if the template is one name and nothing else.
    pub(crate) fn as_single(&self) -> Option<&Slot> {
        match self.parts.as_slice() {
            [TemplatePart::Name(slot)] => Some(slot),
            _ => None,
        }
    }

    /// A template of these parts. Adjacent constants become one. The caller must not pass adjacent
    /// names.
    pub(crate) fn from_parts(parts: impl IntoIterator<Item = TemplatePart>) -> Self {
        let mut joined: Vec<TemplatePart> = Vec::new();
        for part in parts {
            match (joined.last_mut(), part) {
                (Some(TemplatePart::Constant(before)), TemplatePart::Constant(more)) => before.push_str(&more),
                (_, TemplatePart::Constant(text)) if text.is_empty() => {}
                (_, part) => joined.push(part),
            }
        }
        let source = joined.iter().map(ToString::to_string).collect();
        Self { source, parts: joined }
    }

    /// A template without names.
    pub(crate) fn constant(text: &str) -> Self {
        Self::from_parts([TemplatePart::Constant(text.to_owned())])
    }

    /// A template of one name without transforms.
    pub(crate) fn single(name: &str) -> Self {
        Self::from_parts([TemplatePart::Name(Slot::plain(name))])
    }
}

/// The name's last segment: `parent.groupId` and `child.groupId` follow the rules of `groupId`.
#[must_use]
pub fn base(name: &str) -> &str {
    // Names are short: a search through bytes takes less time than one for a pattern.
    let start = name.bytes().rposition(|byte| byte == b'.').map_or(0, |dot| dot + 1);
    name.get(start..).unwrap_or(name)
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

impl fmt::Display for TemplatePart {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Constant(text) => f.write_str(&text.replace('{', "{{").replace('}', "}}")),
            Self::Name(slot) => slot.fmt(f),
        }
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
        assert_eq!(render("{x|lower}", "\u{c9}"), "\u{e9}", "letters beyond ASCII, too");
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
        assert_eq!(slot.invert("%C3%89"), None, "upper case beyond ASCII");
        assert_eq!(slot.invert("%FF"), None, "not UTF-8");
        let template = Template::parse("{n|pad:4}").unwrap();
        let slot = template.as_single().unwrap();
        let read = ["0042", "0000", "12345"].map(|text| slot.invert(text));
        assert_eq!(read, ["42", "0", "12345"].map(|text| Some(text.into())));
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
