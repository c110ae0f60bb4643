//! Reads words. The parser asks for each by name, and every other word is an error.

use super::tree::{Node, NodeValue, TreeEntry};
use crate::errors::{Mistake, Mistakes};
use crate::messages::{list, near_word};
use crate::model::Test;
use crate::number::{DIGITS_MAX, Number};
use crate::source::{Located, Span};
use crate::template::Template;
use crate::value::Value;

/// The words of one table.
pub(crate) struct Words<'n> {
    /// What the table describes, for messages.
    what: &'static str,
    pub(crate) span: Span,
    entries: &'n [TreeEntry],
    asked: Vec<&'static str>,
}

impl<'n> Words<'n> {
    /// `None`, and an error, if the node is no table.
    pub(crate) fn of(node: &'n Node, what: &'static str, mistakes: &mut Mistakes) -> Option<Self> {
        match &node.value {
            NodeValue::Table(entries) => Some(Self { what, span: node.span, entries, asked: Vec::new() }),
            NodeValue::Text(_) | NodeValue::Number(_) | NodeValue::Flag(_) | NodeValue::List(_) | NodeValue::Moment => {
                wrong(node, &format!("{what} must be a table"), TABLE_HELP, mistakes);
                None
            }
        }
    }

    pub(crate) fn get(&mut self, word: &'static str) -> Option<&'n Node> {
        #[cfg(test)]
        crate::settings::tests::note(self.what, word);
        if !self.asked.contains(&word) {
            self.asked.push(word);
        }
        self.entries.iter().find(|entry| entry.key == word).map(|entry| &entry.node)
    }

    /// The words that have not been asked for.
    pub(crate) fn rest(&self) -> impl Iterator<Item = &'n TreeEntry> {
        self.entries.iter().filter(|entry| !self.asked.contains(&entry.key.as_str()))
    }

    /// The words that have not been asked for, each with a template.
    pub(crate) fn rest_as_templates(&self, mistakes: &mut Mistakes) -> Vec<(Located<String>, Located<Template>)> {
        self.rest().filter_map(|entry| named_template(entry, mistakes)).collect()
    }

    /// Every word that was not asked for is an error. `more` are words that are also valid here.
    pub(crate) fn done(self, more: &[String], mistakes: &mut Mistakes) {
        let known: Vec<&str> = self.asked.iter().copied().chain(more.iter().map(String::as_str)).collect();
        for entry in self.rest().filter(|entry| !more.contains(&entry.key)) {
            let not = format!("not a setting of {}", self.what);
            mistakes.add(unknown_word(&entry.key, entry.key_span, &not, &known));
        }
    }

    pub(crate) fn text(&mut self, word: &'static str, mistakes: &mut Mistakes) -> Option<Located<String>> {
        text(self.get(word)?, mistakes)
    }

    pub(crate) fn texts(&mut self, word: &'static str, mistakes: &mut Mistakes) -> Vec<Located<String>> {
        self.get(word).map(|node| texts(node, mistakes)).unwrap_or_default()
    }

    pub(crate) fn template(&mut self, word: &'static str, mistakes: &mut Mistakes) -> Option<Located<Template>> {
        template(self.get(word)?, mistakes)
    }

    pub(crate) fn templates(&mut self, word: &'static str, mistakes: &mut Mistakes) -> Vec<Located<Template>> {
        let nodes = self.get(word).map(one_or_more).unwrap_or_default();
        nodes.into_iter().filter_map(|node| template(node, mistakes)).collect()
    }

    pub(crate) fn values(&mut self, word: &'static str, mistakes: &mut Mistakes) -> Vec<(Located<String>, Value)> {
        self.get(word).map(|node| values(node, mistakes)).unwrap_or_default()
    }

    pub(crate) fn condition(&mut self, word: &'static str, mistakes: &mut Mistakes) -> DraftCondition {
        self.get(word).map(|node| condition(node, mistakes)).unwrap_or_default()
    }

    pub(crate) fn located_flag(&mut self, word: &'static str, mistakes: &mut Mistakes) -> Option<Located<bool>> {
        let value = self.flag(word, mistakes)?;
        self.get(word).map(|node| Located::new(node.span, value))
    }

    pub(crate) fn flag(&mut self, word: &'static str, mistakes: &mut Mistakes) -> Option<bool> {
        let node = self.get(word)?;
        match &node.value {
            NodeValue::Flag(flag) => Some(*flag),
            NodeValue::Text(_)
            | NodeValue::Number(_)
            | NodeValue::List(_)
            | NodeValue::Table(_)
            | NodeValue::Moment => {
                wrong(node, &format!("`{word}` must be `true` or `false`"), "write it without quotes", mistakes);
                None
            }
        }
    }

    /// One of a few words, each with what it means.
    pub(crate) fn choice<T: Copy>(
        &mut self,
        word: &'static str,
        choices: &[(&str, T)],
        mistakes: &mut Mistakes,
    ) -> Option<T> {
        let node = self.get(word)?;
        choice(&text(node, mistakes)?, choices, mistakes)
    }

    /// A word that must be present. If it is present and wrong, that was reported already.
    pub(crate) fn required(&self, word: &str, example: &str, mistakes: &mut Mistakes) {
        let is_empty = |node: &Node| matches!(&node.value, NodeValue::List(nodes) if nodes.is_empty());
        if self.entries.iter().any(|entry| entry.key == word && !is_empty(&entry.node)) {
            return;
        }
        let message = format!("{} needs `{word}`", self.what);
        mistakes.add(Mistake::new(self.span, message, "here").help(format!("add `{word} = {example}`")));
    }
}

/// A word that is not known here.
pub(crate) fn unknown_word(word: &str, at: Span, not: &str, known: &[&str]) -> Mistake {
    let help = match near_word(word, known) {
        Some(near) => format!("did you mean `{near}`?"),
        None if known.is_empty() => "remove it".to_owned(),
        None => format!("known here: {}", list(known)),
    };
    Mistake::new(at, format!("`{word}` is {not}"), "not known").help(help)
}

pub(crate) fn choice<T: Copy>(word: &Located<String>, choices: &[(&str, T)], mistakes: &mut Mistakes) -> Option<T> {
    let found = choices.iter().find(|(known, _)| *known == word.value).map(|(_, meaning)| *meaning);
    if found.is_none() {
        let known: Vec<&str> = choices.iter().map(|(known, _)| *known).collect();
        mistakes.add(unknown_word(&word.value, word.span, "not known here", &known));
    }
    found
}

const TABLE_HELP: &str = "write `{ setting = …, setting = … }`, or lines under a heading in brackets";

fn wrong(node: &Node, expected: &str, help: &str, mistakes: &mut Mistakes) {
    let message = format!("{expected}, but this is {}", node.value.what());
    mistakes.add(Mistake::new(node.span, message, "here").help(help));
}

/// A value, or the values of a list.
pub(crate) fn one_or_more(node: &Node) -> Vec<&Node> {
    match &node.value {
        NodeValue::List(nodes) => nodes.iter().collect(),
        NodeValue::Text(_) | NodeValue::Number(_) | NodeValue::Flag(_) | NodeValue::Table(_) | NodeValue::Moment => {
            vec![node]
        }
    }
}

pub(crate) fn text(node: &Node, mistakes: &mut Mistakes) -> Option<Located<String>> {
    match &node.value {
        NodeValue::Text(text) if text.is_empty() => {
            mistakes.add(
                Mistake::new(node.span, "this string is empty", "here").help("write a value, or remove the setting"),
            );
            None
        }
        NodeValue::Text(text) => Some(Located::new(node.span, text.clone())),
        NodeValue::Number(_) | NodeValue::Flag(_) | NodeValue::List(_) | NodeValue::Table(_) | NodeValue::Moment => {
            wrong(node, "a string is expected", "put it in quotes; list several in brackets", mistakes);
            None
        }
    }
}

pub(crate) fn texts(node: &Node, mistakes: &mut Mistakes) -> Vec<Located<String>> {
    one_or_more(node).into_iter().filter_map(|node| text(node, mistakes)).collect()
}

/// The fixed values of a name. A template among them is a shape.
pub(crate) fn fixed(node: &Node, name: &str, mistakes: &mut Mistakes) -> Vec<Located<String>> {
    let values = texts(node, mistakes);
    for value in values.iter().filter(|value| value.value.contains('{')) {
        let message = format!("`{}` is a template, and values of `{name}` are fixed texts", value.value);
        let help = format!("for a shape, write `{name} = {{ like = \"{}\" }}` under `[names]`", value.value);
        mistakes.add(Mistake::new(value.span, message, "here").help(help));
    }
    values
}

pub(crate) fn template(node: &Node, mistakes: &mut Mistakes) -> Option<Located<Template>> {
    let text = text(node, mistakes)?;
    match Template::parse(&text.value) {
        Ok(template) => Some(Located::new(text.span, template)),
        Err(error) => {
            let (at, len) = error.span();
            // In a string without escapes, the template begins after the quote.
            let plain = text.span.len == text.value.len() + 2;
            let span = if plain { Span { start: text.span.start + 1 + at, len, ..text.span } } else { text.span };
            mistakes.add(Mistake::new(span, error.to_string(), "here").help(error.help()));
            None
        }
    }
}

/// A condition as it is written: alternatives, each with its tests. Without one, the file has no condition.
pub(crate) type DraftCondition = Vec<Located<DraftTests>>;

/// Attributes, each with a test.
pub(crate) type DraftTests = Vec<(Located<String>, Test)>;

/// A table of attributes, each with its test; or a list of such tables, of which one suffices.
pub(crate) fn condition(node: &Node, mistakes: &mut Mistakes) -> DraftCondition {
    if matches!(&node.value, NodeValue::List(nodes) if nodes.is_empty()) {
        let help = "list conditions of which one suffices, `[{ attribute = value }, { … }]`, or remove the key";
        mistakes.add(Mistake::new(node.span, "this list has no condition", "never true").help(help));
    }
    one_or_more(node).into_iter().filter_map(|node| tests(node, mistakes)).collect()
}

fn tests(node: &Node, mistakes: &mut Mistakes) -> Option<Located<DraftTests>> {
    let NodeValue::Table(entries) = &node.value else {
        wrong(node, "a condition must be a table of attributes and values", "write `{ attribute = value }`", mistakes);
        return None;
    };
    if entries.is_empty() {
        let help = "write `{ attribute = value }`, or remove the key";
        mistakes.add(Mistake::new(node.span, "this condition has no test", "always true").help(help));
        return None;
    }
    let tests = entries.iter().filter_map(|entry| Some((entry.name(), test(entry, mistakes)?)));
    Some(Located::new(node.span, tests.collect()))
}

fn test(entry: &TreeEntry, mistakes: &mut Mistakes) -> Option<Test> {
    let NodeValue::Table(within) = &entry.node.value else { return one_of(&entry.node, mistakes) };
    if !within.iter().any(|entry| ["present", "not"].contains(&entry.key.as_str())) {
        let inner = within.first().map_or("name", |entry| entry.key.as_str());
        let message = "a test of an attribute is a value, a list of values, `{ not = … }` or `{ present = true }`";
        let help = format!("for an attribute of a map, write its path in quotes: `\"{}.{inner}\" = …`", entry.key);
        mistakes.add(Mistake::new(entry.node.span, message, "here").help(help));
        return None;
    }
    let mut words = Words::of(&entry.node, "a test", mistakes)?;
    let not = words.get("not");
    let is_present = words.flag("present", mistakes);
    words.done(&[], mistakes);
    match (not, is_present) {
        (Some(_), Some(_)) => {
            let help = "for a value that is there and is not this one, write `{ not = [value, { present = false }] }`";
            mistakes.add(Mistake::new(entry.node.span, "a test has either `not` or `present`", "here").help(help));
            None
        }
        (Some(node), None) => {
            if let NodeValue::Table(_) = &node.value {
                let help = "write one test: `{ present = true }` and `{ present = false }` are each other's opposite, \
                            and `not` takes a value or a list";
                wrong(node, "`not` takes a value or a list of values", help, mistakes);
                return None;
            }
            Some(Test { not: true, ..one_of(node, mistakes)? })
        }
        (None, Some(is_present)) => Some(Test { not: is_present, ..Test::present() }),
        (None, None) => None,
    }
}

/// A value, or a list of values. One of these may be that there is none, `{ present = false }`.
fn one_of(node: &Node, mistakes: &mut Mistakes) -> Option<Test> {
    let NodeValue::List(nodes) = &node.value else {
        return value(node, mistakes).map(|value| Test::one_of(vec![value]));
    };
    if nodes.is_empty() {
        let help = "list the values, or write `{ present = false }` for an attribute that is absent";
        mistakes.add(Mistake::new(node.span, "this list is empty", "no value").help(help));
        return None;
    }
    let mut test = Test::one_of(Vec::new());
    for node in nodes {
        if let NodeValue::Table(_) = &node.value {
            test.absent |= is_absence(node, mistakes);
        } else {
            test.values.extend(value(node, mistakes));
        }
    }
    Some(test)
}

fn is_absence(node: &Node, mistakes: &mut Mistakes) -> bool {
    let is_absence = match &node.value {
        NodeValue::Table(entries) => matches!(
            entries.as_slice(),
            [TreeEntry { key, node: Node { value: NodeValue::Flag(false), .. }, .. }] if key == "present"
        ),
        NodeValue::Text(_) | NodeValue::Number(_) | NodeValue::Flag(_) | NodeValue::List(_) | NodeValue::Moment => {
            false
        }
    };
    if !is_absence {
        let help = "beside values, write `{ present = false }` for an attribute that is absent; any other test stands \
                    alone, or in a condition of its own: `when = [{ … }, { … }]`";
        mistakes.add(Mistake::new(node.span, "this is no value", "in a list of values").help(help));
    }
    is_absence
}

/// A table of attributes and their values.
pub(crate) fn values(node: &Node, mistakes: &mut Mistakes) -> Vec<(Located<String>, Value)> {
    let NodeValue::Table(entries) = &node.value else {
        wrong(node, "attributes and their values must be a table", "write `{ attribute = value }`", mistakes);
        return Vec::new();
    };
    let read = entries.iter().filter_map(|entry| {
        let value = value(&entry.node, mistakes)?;
        Some((entry.name(), value))
    });
    read.collect()
}

fn value(node: &Node, mistakes: &mut Mistakes) -> Option<Value> {
    let plain = |text: &str| {
        let plain = text.strip_prefix('-').unwrap_or(text).chars().all(|c| c.is_ascii_digit() || c == '.');
        let number = Number::parse(text).filter(|number| plain && number.digits.len() <= DIGITS_MAX);
        number.and_then(|number| number.written())
    };
    match &node.value {
        NodeValue::Text(text) => Some(Value::S(text.clone())),
        NodeValue::Flag(flag) => Some(Value::Bool(*flag)),
        NodeValue::Number(number) => {
            let plain = plain(number);
            if plain.is_none() {
                let help =
                    "write it as DynamoDB does: at most 38 decimal digits, `.` only before decimals, and no exponent";
                mistakes.add(Mistake::new(node.span, "this number is not written in plain digits", "here").help(help));
            }
            plain.map(Value::N)
        }
        NodeValue::List(_) | NodeValue::Table(_) | NodeValue::Moment => {
            wrong(
                node,
                "an attribute's value is a string, a number, `true` or `false`",
                "write one of these",
                mistakes,
            );
            None
        }
    }
}

/// The entries of a table of tables or values. Empty, with an error, if it is no table.
pub(crate) fn entries<'n>(node: &'n Node, what: &str, mistakes: &mut Mistakes) -> &'n [TreeEntry] {
    match &node.value {
        NodeValue::Table(entries) => entries,
        NodeValue::Text(_) | NodeValue::Number(_) | NodeValue::Flag(_) | NodeValue::List(_) | NodeValue::Moment => {
            wrong(node, &format!("{what} must be a table"), TABLE_HELP, mistakes);
            &[]
        }
    }
}

/// Names or attributes, each with a template.
pub(crate) fn templates(node: &Node, what: &str, mistakes: &mut Mistakes) -> Vec<(Located<String>, Located<Template>)> {
    entries(node, what, mistakes).iter().filter_map(|entry| named_template(entry, mistakes)).collect()
}

/// A word and its value, which is a template.
fn named_template(entry: &TreeEntry, mistakes: &mut Mistakes) -> Option<(Located<String>, Located<Template>)> {
    Some((entry.name(), template(&entry.node, mistakes)?))
}
