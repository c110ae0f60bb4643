//! A name's place in a template, and the transforms between its value and its text there.

use std::borrow::Cow;
use std::fmt;

use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, percent_decode_str, utf8_percent_encode};

use crate::template_error::TemplateError;

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

/// A text as `encodeURIComponent` writes it.
#[must_use]
pub fn encode_uri_component(text: &str) -> Cow<'_, str> {
    utf8_percent_encode(text, URI_COMPONENT).into()
}

/// The transforms of a name, in the order in which they may be written.
pub const TRANSFORMS: [&str; 4] = ["lower", "pad:…", "urlencode", "each"];

/// The largest width of a padded number: DynamoDB's numbers have at most 38 digits.
const PAD_MAX: usize = 38;

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

impl Slot {
    pub(crate) fn parse(inside: &str, at: usize) -> Result<Self, TemplateError> {
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
    pub(crate) fn plain(name: &str) -> Self {
        Self { name: name.to_owned(), lower: false, pad: None, urlencode: false, each: false }
    }

    /// The width of `pad:10`.
    fn width(word: &str) -> Option<usize> {
        let digits = word.strip_prefix("pad:").filter(|digits| is_digits(digits) && !digits.starts_with('0'))?;
        digits.parse().ok().filter(|width| *width <= PAD_MAX)
    }

    /// A name's value as it is written in the rendered template.
    pub(crate) fn apply<'t>(&self, text: &'t str) -> Cow<'t, str> {
        let text = if self.lower { lowered(text) } else { Cow::Borrowed(text) };
        let text = match self.pad {
            Some(width) if is_digits(&text) => Cow::Owned(format!("{text:0>width$}")),
            Some(_) | None => text,
        };
        if self.urlencode { map(text, encode_uri_component) } else { text }
    }

    /// Why no text of this template has the value. `None` if one can have it.
    pub(crate) fn refuses(&self, text: &str) -> Option<&'static str> {
        let has_upper = self.lower && lowered(text) != text;
        if has_upper { Some("it contains upper case") } else { self.refuses_to_pad(text) }
    }

    /// Why a value cannot be padded: with leading zeros it would be another number's text, too.
    pub(crate) fn refuses_to_pad(&self, text: &str) -> Option<&'static str> {
        let is_number = is_digits(text) && (text.len() == 1 || !text.starts_with('0'));
        (self.pad.is_some() && !is_number).then_some("it is not a number without leading zeros")
    }

    /// The name's value, given its form in a rendered template: only a value that renders to
    /// exactly this.
    pub(crate) fn invert<'t>(&self, rendered: &'t str) -> Option<Cow<'t, str>> {
        let text =
            if self.urlencode { percent_decode_str(rendered).decode_utf8().ok()? } else { Cow::Borrowed(rendered) };
        let text = match self.pad {
            Some(_) if !is_digits(&text) => return None,
            Some(_) => map(text, |text| Cow::Borrowed(without_zeros(text))),
            None => text,
        };
        (self.apply(&text) == rendered && (!self.lower || lowered(&text) == text)).then_some(text)
    }
}

/// A number without leading zeros.
fn without_zeros(digits: &str) -> &str {
    Some(digits.trim_start_matches('0')).filter(|rest| !rest.is_empty()).unwrap_or("0")
}

/// A text in lower case.
pub(crate) fn lowered(text: &str) -> Cow<'_, str> {
    let may_change = |b: u8| !b.is_ascii() || b.is_ascii_uppercase();
    if text.bytes().any(may_change) { Cow::Owned(text.to_lowercase()) } else { Cow::Borrowed(text) }
}

/// What `change` makes of a text.
fn map<'t>(text: Cow<'t, str>, change: impl Fn(&str) -> Cow<'_, str>) -> Cow<'t, str> {
    match text {
        Cow::Borrowed(text) => change(text),
        Cow::Owned(text) => Cow::Owned(change(&text).into_owned()),
    }
}

fn is_digits(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|b| b.is_ascii_digit())
}

/// Whether URL encoding changes this character.
pub(crate) fn is_url_encoded(c: char) -> bool {
    let mut buffer = [0; 4];
    let text: &str = c.encode_utf8(&mut buffer);
    encode_uri_component(text) != text
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
