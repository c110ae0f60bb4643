//! Reads a pattern. It refuses what EventBridge refuses, so that a pattern that works here works in a rule.

use std::sync::Arc;

use serde_json::value::RawValue;

use super::address::Range;
use super::json::{Fields, Leaf};
use super::text::{Letters, TextTest};
use super::{Comparison, Path, Pattern, Test, Way};

const HELP: &str =
    "a pattern is JSON such as {\"detail\": {\"metadata\": {\"verb\": [\"granted\"]}}}, or a file with it";

/// The characters of a pattern, unless an account's quota was raised. Source: Amazon EventBridge User Guide, "Amazon
/// EventBridge quotas".
const PATTERN_CHARACTERS_MAX: usize = 2_048;

/// EventBridge takes from two branches.
const BRANCHES_MIN: usize = 2;

/// The ways to match that `$or` may make. Without a limit, a pattern of allowed length could make more than a
/// computer can hold.
const WAYS_MAX: usize = 1_000;

/// The largest number that can be compared, on both sides of zero. Source: Amazon EventBridge User Guide, "Numeric
/// matching".
const NUMBER_MAX: f64 = 5e9;

/// Names that no field in `$or` may have: they are operators, or may become some. Source: the engine's `Constants`.
const RESERVED_IN_OR: [&str; 24] = [
    "exactly",
    "equals-ignore-case",
    "prefix",
    "suffix",
    "anything-but",
    "exists",
    "wildcard",
    "numeric",
    "cidr",
    "=",
    "<",
    "<=",
    ">",
    ">=",
    "regex",
    "not-wildcard",
    "not-equals-ignore-case",
    "date-after",
    "date-on-or-after",
    "date-before",
    "date-on-or-before",
    "in-date-range",
    "ip-address-in-range",
    "ip-address-not-in-range",
];

/// A text is no pattern that EventBridge takes.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{what}")]
pub struct PatternError {
    what: String,
    help: &'static str,
}

impl PatternError {
    fn new(help: &'static str, what: impl Into<String>) -> Self {
        Self { what: what.into(), help }
    }

    /// What to write instead.
    #[must_use]
    pub const fn help(&self) -> &'static str {
        self.help
    }
}

impl Pattern {
    /// Reads a pattern.
    ///
    /// # Errors
    /// The text is no pattern.
    pub fn read(text: &str) -> Result<Self, PatternError> {
        let characters = text.chars().count();
        if characters > PATTERN_CHARACTERS_MAX {
            let help = "remove white space, or divide it: a rule for each part";
            let says = format!("the pattern has {characters} characters: EventBridge takes {PATTERN_CHARACTERS_MAX}");
            return Err(PatternError::new(help, says));
        }
        let raw: &RawValue = serde_json::from_str(text)
            .map_err(|error| PatternError::new(HELP, format!("the pattern is no JSON: {error}")))?;
        if !is_object(raw) {
            return Err(PatternError::new(HELP, "the pattern is no object"));
        }
        let mut ways = vec![Way::default()];
        Place { path: String::new(), is_in_or: false }.read(raw, &mut ways)?;
        Ok(Self(ways))
    }
}

/// Where an object of a pattern is.
struct Place {
    path: String,
    is_in_or: bool,
}

impl Place {
    /// Adds the tests of an object to each way.
    fn read(&self, object: &RawValue, ways: &mut Vec<Way>) -> Result<(), PatternError> {
        let fields = fields(object)?;
        if fields.is_empty() {
            let place = if self.path.is_empty() { "the pattern".to_owned() } else { format!("`{}`", self.path) };
            return Err(PatternError::new(HELP, format!("{place} tests nothing")));
        }
        fields.iter().try_for_each(|(name, value)| self.field(name, value, ways))
    }

    fn field(&self, name: &str, value: &RawValue, ways: &mut Vec<Way>) -> Result<(), PatternError> {
        let path = if self.path.is_empty() { name.to_owned() } else { format!("{}.{name}", self.path) };
        if name == "$or" {
            return self.or(&path, value, ways);
        }
        if self.is_in_or && RESERVED_IN_OR.contains(&name) {
            let help = "in `$or`, EventBridge reserves the names of operators";
            return Err(PatternError::new(help, format!("`{path}` cannot be a field in `$or`")));
        }
        if is_object(value) {
            return Self { path, is_in_or: self.is_in_or }.read(value, ways);
        }
        let tests = list(value).filter(|tests| !tests.is_empty());
        let Some(tests) = tests else {
            return Err(PatternError::new("write a list: `[\"admin\"]`", format!("`{path}` is no list of values")));
        };
        let read = |one: &&RawValue| {
            let refused = || PatternError::new(HELP, format!("`{path}` has no such test: {one}"));
            test(one)
                .map_err(|help| help.map_or_else(refused, |help| PatternError::new(help, format!("`{path}`: {one}"))))
        };
        let tests: Arc<[Test]> = tests.iter().map(read).collect::<Result<_, _>>()?;
        for way in ways {
            // Of two tests of a path, such as one beside `$or` and one in it, the engine keeps the later.
            way.0.insert(Path(path.clone()), Arc::clone(&tests));
        }
        Ok(())
    }

    fn or(&self, path: &str, value: &RawValue, ways: &mut Vec<Way>) -> Result<(), PatternError> {
        let branches = list(value).filter(|branches| branches.iter().all(|branch| is_object(branch)));
        let Some(branches) = branches.filter(|branches| branches.len() >= BRANCHES_MIN) else {
            return Err(PatternError::new(HELP, format!("`{path}` is no list of two or more patterns")));
        };
        let inner = Self { path: self.path.clone(), is_in_or: true };
        let before = std::mem::take(ways);
        for branch in branches {
            let mut own = before.clone();
            inner.read(branch, &mut own)?;
            ways.extend(own);
            if ways.len() > WAYS_MAX {
                let help = "divide the pattern: a rule for each part";
                return Err(PatternError::new(help, format!("`{path}` makes more than {WAYS_MAX} combinations")));
            }
        }
        Ok(())
    }
}

fn is_object(value: &RawValue) -> bool {
    value.get().starts_with('{')
}

/// Those of an object.
fn fields(object: &RawValue) -> Result<Vec<(String, &RawValue)>, PatternError> {
    let fields = serde_json::from_str(object.get()).map(|Fields(fields)| fields);
    fields.map_err(|error| PatternError::new(HELP, error.to_string()))
}

/// `None`: it is no list.
fn list(value: &RawValue) -> Option<Vec<&RawValue>> {
    serde_json::from_str(value.get()).ok()
}

/// `None`: it is no string.
fn string(value: &RawValue) -> Option<String> {
    serde_json::from_str(value.get()).ok()
}

/// The one field of an object.
fn only(value: &RawValue) -> Option<(String, &RawValue)> {
    let fields = is_object(value).then(|| fields(value).ok())??;
    <[_; 1]>::try_from(fields).ok().map(|[field]| field)
}

/// Why there is no such test: what to write instead, if that is not clear.
type Refused = Option<&'static str>;

fn test(value: &RawValue) -> Result<Test, Refused> {
    let Some((operator, argument)) = only(value) else {
        return literal(value).ok_or(None);
    };
    match operator.as_str() {
        "exists" => serde_json::from_str(argument.get()).map(Test::Exists).map_err(|_| None),
        "exactly" => string(argument).map(|text| Test::Same(Leaf::Text(text))).ok_or(None),
        "cidr" => {
            let range = string(argument).and_then(|text| Range::of_cidr(&text)).map(Test::Address);
            range.ok_or(Some("write an address and a mask below 32 (IPv6: 128), such as 10.0.0.0/24"))
        }
        "numeric" => numeric(&list(argument).ok_or(None)?).map(Test::Numeric),
        "anything-but" => anything_but(argument).map(Test::AnythingBut),
        _ => text(&operator, argument).map(Test::Text).ok_or(None),
    }
}

fn literal(value: &RawValue) -> Option<Test> {
    let leaf = Leaf::read(value.get())?;
    let address = leaf.text().and_then(Range::of_address).map(Test::Address);
    Some(address.unwrap_or(Test::Same(leaf)))
}

fn text(operator: &str, argument: &RawValue) -> Option<TextTest> {
    match operator {
        "prefix" => affix(argument).map(TextTest::Prefix),
        "suffix" => affix(argument).map(TextTest::Suffix),
        "equals-ignore-case" => string(argument).map(|text| TextTest::IgnoreCase(Letters::any_case(&text))),
        "wildcard" => wildcard(&string(argument)?).map(TextTest::Wildcard),
        _ => None,
    }
}

fn affix(argument: &RawValue) -> Option<Letters> {
    if let Some(text) = string(argument) {
        return Some(Letters::exact(&text));
    }
    let (operator, text) = only(argument)?;
    (operator == "equals-ignore-case").then(|| string(text).map(|text| Letters::any_case(&text)))?
}

/// `\*` is an asterisk, and `\\` a backslash. Two asterisks in a row are refused.
fn wildcard(pattern: &str) -> Option<Vec<String>> {
    let (mut parts, mut part) = (Vec::new(), String::new());
    let mut characters = pattern.chars().peekable();
    while let Some(character) = characters.next() {
        match character {
            '*' if characters.peek() == Some(&'*') => return None,
            '*' => parts.push(std::mem::take(&mut part)),
            '\\' => part.push(characters.next().filter(|next| matches!(next, '*' | '\\'))?),
            _ => part.push(character),
        }
    }
    parts.push(part);
    Some(parts)
}

/// A string or a number, strings or numbers, or an operator of strings with one string or several.
fn anything_but(argument: &RawValue) -> Result<Vec<Test>, Refused> {
    if is_object(argument) {
        let (operator, argument) = only(argument).ok_or(None)?;
        let is_affix = matches!(operator.as_str(), "prefix" | "suffix");
        let one = |argument: &RawValue| {
            // EventBridge takes no empty affix here.
            let is_right = string(argument).is_some_and(|text| !is_affix || !text.is_empty());
            is_right.then(|| text(&operator, argument).map(Test::Text)).flatten()
        };
        let all = list(argument).unwrap_or_else(|| vec![argument]);
        return all.into_iter().map(one).collect::<Option<Vec<_>>>().filter(|all| !all.is_empty()).ok_or(None);
    }
    let all = list(argument).unwrap_or_else(|| vec![argument]);
    let all: Vec<Leaf> = all.iter().map(|one| Leaf::read(one.get())).collect::<Option<_>>().ok_or(None)?;
    let are_texts = !all.is_empty() && all.iter().all(|leaf| leaf.text().is_some());
    let are_numbers = !all.is_empty() && all.iter().all(|leaf| matches!(leaf, Leaf::Number { .. }));
    if are_numbers {
        all.iter().try_for_each(|leaf| comparable(leaf).map(drop))?;
    }
    if are_texts || are_numbers { Ok(all.into_iter().map(Test::Same).collect()) } else { Err(None) }
}

/// `["<", 10]`, or a range: `[">", 0, "<=", 5]`.
fn numeric(parts: &[&RawValue]) -> Result<Vec<(Comparison, f64)>, Refused> {
    use Comparison::{Greater, GreaterOrEqual, Less, LessOrEqual};
    let read = |operator: &RawValue, limit: &RawValue| {
        let comparison = string(operator).and_then(|operator| comparison(&operator)).ok_or(None)?;
        Ok::<_, Refused>((comparison, comparable(&Leaf::read(limit.get()).ok_or(None)?)?))
    };
    match parts {
        [operator, limit] => Ok(vec![read(operator, limit)?]),
        [from, bottom, to, top] => {
            let (from, to) = (read(from, bottom)?, read(to, top)?);
            let is_range = matches!(from.0, Greater | GreaterOrEqual) && matches!(to.0, Less | LessOrEqual);
            if is_range && from.1 < to.1 { Ok(vec![from, to]) } else { Err(None) }
        }
        _ => Err(None),
    }
}

/// The value of a number that EventBridge can compare with others.
fn comparable(leaf: &Leaf) -> Result<f64, Refused> {
    let Leaf::Number { value, .. } = leaf else { return Err(None) };
    let help = "EventBridge compares numbers from -5e9 to 5e9, of up to 15 digits";
    value.filter(|value| value.abs() <= NUMBER_MAX).ok_or(Some(help))
}

fn comparison(operator: &str) -> Option<Comparison> {
    match operator {
        "=" => Some(Comparison::Equal),
        "<" => Some(Comparison::Less),
        "<=" => Some(Comparison::LessOrEqual),
        ">" => Some(Comparison::Greater),
        ">=" => Some(Comparison::GreaterOrEqual),
        _ => None,
    }
}
