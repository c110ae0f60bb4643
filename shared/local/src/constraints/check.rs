//! The check of one request. It reads the body once and keeps nothing of it: most of what it meets has no constraint,
//! and is skipped.

use std::borrow::Cow;
use std::fmt;

use serde::Deserialize;
use serde::de::{DeserializeSeed, Deserializer, Error, IgnoredAny, MapAccess, SeqAccess, Visitor};

use super::data::{Service, Shape, ShapeType, ValuePattern, service};
use crate::wire::{COGNITO, ErrorResponse, SQS};

/// Checks the body of a request.
pub(crate) fn check(prefix: &str, operation: &str, body: &[u8]) -> Result<(), ErrorResponse> {
    let unknown = || ErrorResponse::unknown_operation(&format!("{prefix}.{operation}"));
    let service = service(prefix).ok_or_else(unknown)?;
    let shape = service.operations.get(operation).ok_or_else(unknown)?;
    let mut found = Vec::new();
    let shape = service.shape(shape.as_ref());
    let value = Value { service, shape, size: body.len(), path: &Path::Request, found: &mut found };
    let mut json = serde_json::Deserializer::from_slice(if body.is_empty() { b"{}" } else { body });
    let read = value.deserialize(&mut json).and_then(|is_there| {
        json.end()?;
        if is_there { Ok(()) } else { Err(serde_json::Error::custom("a request cannot be `null`")) }
    });
    read.map_err(|error| ErrorResponse::unreadable(&error))?;
    if found.is_empty() { Ok(()) } else { Err(refusal(prefix, &found)) }
}

/// A constraint that a value violates.
struct Violation {
    /// Where the value is, as AWS writes it: `userAttributes.1.member.value`.
    at: String,
    /// The value. `None` if it is no text, or must not be repeated.
    value: Option<String>,
    what: What,
}

enum What {
    Missing,
    TooShort(i64),
    TooLong(i64),
    TooSmall(i64),
    TooGreat(i64),
    Pattern(&'static str),
    Enum(&'static [String]),
}

/// The error as the service gives it. Sources: the services' API references, "Common errors", and for SQS the errors
/// of each operation.
fn refusal(prefix: &str, found: &[Violation]) -> ErrorResponse {
    if prefix == SQS
        && let Some(first) = found.first()
    {
        return if matches!(first.what, What::Missing) {
            ErrorResponse::new("MissingParameter", format!("The request must contain the parameter {}.", first.at))
        } else {
            ErrorResponse::new("InvalidAttributeName", format!("Unknown Attribute {}.", first.text()))
        };
    }
    let code = if prefix == COGNITO { "InvalidParameterException" } else { "ValidationException" };
    let (count, plural) = (found.len(), if found.len() == 1 { "" } else { "s" });
    let all: Vec<String> = found.iter().map(Violation::words).collect();
    ErrorResponse::new(code, format!("{count} validation error{plural} detected: {}", all.join("; ")))
}

impl Violation {
    fn text(&self) -> &str {
        self.value.as_deref().unwrap_or_default()
    }

    fn words(&self) -> String {
        let value = match (&self.what, &self.value) {
            (What::Missing, _) => " null".to_owned(),
            (_, Some(value)) => format!(" '{value}'"),
            (_, None) => String::new(),
        };
        let must = match self.what {
            What::Missing => "not be null".to_owned(),
            What::TooShort(min) => format!("have length greater than or equal to {min}"),
            What::TooLong(max) => format!("have length less than or equal to {max}"),
            What::TooSmall(min) => format!("have value greater than or equal to {min}"),
            What::TooGreat(max) => format!("have value less than or equal to {max}"),
            What::Pattern(pattern) => format!("satisfy regular expression pattern: {pattern}"),
            What::Enum(values) => format!("satisfy enum value set: [{}]", values.join(", ")),
        };
        format!("Value{value} at '{}' failed to satisfy constraint: Member must {must}", self.at)
    }
}

/// The place of a value in a request.
enum Path<'a> {
    Request,
    Member(&'a Path<'a>, &'a str),
    /// An element of a list, counted from 1, or the value of a key of a map.
    Part(&'a Path<'a>, &'a dyn fmt::Display),
}

impl fmt::Display for Path<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let dot = |f: &mut fmt::Formatter<'_>, before: &Path<'_>| match before {
            Path::Request => Ok(()),
            Path::Member(..) | Path::Part(..) => write!(f, "{before}."),
        };
        match self {
            Self::Request => Ok(()),
            Self::Member(before, name) => {
                dot(f, before)?;
                let mut letters = name.chars();
                letters.next().into_iter().try_for_each(|first| write!(f, "{}", first.to_lowercase()))?;
                f.write_str(letters.as_str())
            }
            Self::Part(before, place) => {
                dot(f, before)?;
                write!(f, "{place}.member")
            }
        }
    }
}

/// A value that is checked while it is read. The result says whether it is there: `null` is not.
struct Value<'a> {
    service: &'static Service,
    shape: Option<&'static Shape>,
    /// The size of the request in bytes.
    size: usize,
    path: &'a Path<'a>,
    found: &'a mut Vec<Violation>,
}

/// The name of a member or a key.
#[derive(Deserialize)]
struct Name<'a>(#[serde(borrow)] Cow<'a, str>);

impl<'de> DeserializeSeed<'de> for Value<'_> {
    type Value = bool;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<bool, D::Error> {
        // Most of a request to DynamoDB is items, in which only names of 64 KB would be wrong.
        match self.shape.filter(|shape| self.size > shape.harmless) {
            Some(shape) => deserializer.deserialize_any(Constrained { value: self, shape }),
            None => Option::<IgnoredAny>::deserialize(deserializer).map(|value| value.is_some()),
        }
    }
}

struct Constrained<'a> {
    value: Value<'a>,
    shape: &'static Shape,
}

impl Constrained<'_> {
    fn add(&mut self, value: Option<String>, what: What) {
        let value = value.filter(|_| !self.shape.sensitive);
        self.value.found.push(Violation { at: self.value.path.to_string(), value, what });
    }

    /// The part with this shape at a place within the value.
    fn part<'b>(&'b mut self, shape: Option<&String>, path: &'b Path<'b>) -> Value<'b> {
        let (service, size) = (self.value.service, self.value.size);
        Value { service, shape: service.shape(shape), size, path, found: self.value.found }
    }

    fn expect<E: Error>(&self, kind: ShapeType, is: &str) -> Result<(), E> {
        if self.shape.kind == kind { Ok(()) } else { Err(E::custom(format!("{is} cannot be `{}`", self.value.path))) }
    }

    /// `null` is no element of a list, no value of a map, and no required member.
    fn must_be_there(&mut self, is_there: bool, path: &Path<'_>) {
        if !is_there {
            self.value.found.push(Violation { at: path.to_string(), value: None, what: What::Missing });
        }
    }

    fn check_length(&mut self, length: usize, value: Option<&str>) {
        let length = i64::try_from(length).unwrap_or(i64::MAX);
        if let Some(min) = self.shape.min.filter(|min| length < *min) {
            self.add(value.map(str::to_owned), What::TooShort(min));
        }
        if let Some(max) = self.shape.max.filter(|max| length > *max) {
            self.add(value.map(str::to_owned), What::TooLong(max));
        }
    }

    fn check_number(&mut self, number: i64) {
        if let Some(min) = self.shape.min.filter(|min| number < *min) {
            self.add(Some(number.to_string()), What::TooSmall(min));
        }
        if let Some(max) = self.shape.max.filter(|max| number > *max) {
            self.add(Some(number.to_string()), What::TooGreat(max));
        }
    }

    fn check_text(&mut self, text: &str) {
        let shape = self.shape;
        // Counting is not free, and no text has more characters than bytes.
        let is_long = shape.max.is_some_and(|max| i64::try_from(text.len()).is_ok_and(|bytes| bytes > max));
        if is_long || shape.min.is_some_and(|min| min > 0) {
            self.check_length(text.chars().count(), Some(text));
        }
        if let Some(ValuePattern { text: pattern, whole }) = &shape.pattern
            && !whole.is_match(text)
        {
            self.add(Some(text.to_owned()), What::Pattern(pattern));
        }
        if !shape.values.is_empty() && !shape.values.iter().any(|value| value == text) {
            self.add(Some(text.to_owned()), What::Enum(&shape.values));
        }
    }
}

impl<'de> Visitor<'de> for Constrained<'_> {
    type Value = bool;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "the value of `{}`", self.value.path)
    }

    fn visit_unit<E: Error>(self) -> Result<bool, E> {
        Ok(false)
    }

    fn visit_str<E: Error>(mut self, text: &str) -> Result<bool, E> {
        self.expect(ShapeType::String, "a string")?;
        self.check_text(text);
        Ok(true)
    }

    fn visit_i64<E: Error>(mut self, number: i64) -> Result<bool, E> {
        self.expect(ShapeType::Number, "a number")?;
        self.check_number(number);
        Ok(true)
    }

    fn visit_u64<E: Error>(self, number: u64) -> Result<bool, E> {
        self.visit_i64(i64::try_from(number).unwrap_or(i64::MAX))
    }

    fn visit_seq<A: SeqAccess<'de>>(mut self, mut elements: A) -> Result<bool, A::Error> {
        self.expect(ShapeType::List, "a list")?;
        let (shape, path) = (self.shape, self.value.path);
        let mut length = 0;
        loop {
            let place = length + 1;
            let path = Path::Part(path, &place);
            let Some(is_there) = elements.next_element_seed(self.part(shape.of.as_ref(), &path))? else { break };
            self.must_be_there(is_there, &path);
            length = place;
        }
        self.check_length(length, None);
        Ok(true)
    }

    fn visit_map<A: MapAccess<'de>>(mut self, mut members: A) -> Result<bool, A::Error> {
        if self.shape.kind == ShapeType::Structure {
            return self.visit_structure(members).map(|()| true);
        }
        self.expect(ShapeType::Map, "an object")?;
        let (shape, path) = (self.shape, self.value.path);
        let mut length = 0;
        while let Some(Name(name)) = members.next_key()? {
            let path = Path::Part(path, &name);
            if let Some(shape) = self.value.service.shape(shape.key.as_ref()) {
                Constrained { value: self.part(None, &path), shape }.check_text(&name);
            }
            let is_there = members.next_value_seed(self.part(shape.value.as_ref(), &path))?;
            self.must_be_there(is_there, &path);
            length += 1;
        }
        self.check_length(length, None);
        Ok(true)
    }
}

impl Constrained<'_> {
    fn visit_structure<'de, A: MapAccess<'de>>(&mut self, mut members: A) -> Result<(), A::Error> {
        let (shape, path) = (self.shape, self.value.path);
        // A structure has few required members: a bit for each.
        let mut there: Vec<bool> = vec![false; shape.required.len()];
        while let Some(Name(name)) = members.next_key()? {
            let member = shape.members.get(name.as_ref());
            let is_there = members.next_value_seed(self.part(member, &Path::Member(path, &name)))?;
            let places = shape.required.iter().zip(&mut there).filter(|(required, _)| **required == name);
            places.for_each(|(_, there)| *there = is_there);
        }
        for (required, _) in shape.required.iter().zip(there).filter(|(_, there)| !there) {
            self.must_be_there(false, &Path::Member(path, required));
        }
        Ok(())
    }
}
