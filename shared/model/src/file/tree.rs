//! The TOML of a model and of what it extends, as one tree. Every node has its place.

use toml::Spanned;
use toml::de::{DeTable, DeValue};

use super::extends::{Files, extended};
use crate::errors::{Mistake, Mistakes};
use crate::source::{Located, SourceFile, Span};

/// The maximum depth of tables. No model needs more.
const DEPTH_MAX: usize = 16;
/// The maximum length of a chain of models that extend each other. No model needs more.
const EXTENDS_MAX: usize = 32;

/// A value and where it is written.
#[derive(Debug, Clone)]
pub(crate) struct Node {
    pub(crate) span: Span,
    pub(crate) value: NodeValue,
}

/// The value of a node.
#[derive(Debug, Clone)]
pub(crate) enum NodeValue {
    Text(String),
    Number(String),
    Flag(bool),
    List(Vec<Node>),
    Table(Vec<TreeEntry>),
    /// A date or time of TOML. No word accepts one.
    Moment,
}

/// A key of a table and its value, in the order of the file.
#[derive(Debug, Clone)]
pub(crate) struct TreeEntry {
    pub(crate) key: String,
    pub(crate) key_span: Span,
    pub(crate) node: Node,
}

impl TreeEntry {
    /// The key and where it is written.
    pub(crate) fn name(&self) -> Located<String> {
        Located::new(self.key_span, self.key.clone())
    }
}

impl NodeValue {
    /// With its article, for messages.
    pub(crate) const fn what(&self) -> &'static str {
        match self {
            Self::Text(_) => "a string",
            Self::Number(_) => "a number",
            Self::Flag(_) => "true or false",
            Self::List(_) => "a list",
            Self::Table(_) => "a table",
            Self::Moment => "a date or time",
        }
    }
}

/// Reads the first source and all that it extends, merged. `None` if one of them is not TOML or
/// cannot be found.
pub(crate) fn read_all(sources: &mut Vec<SourceFile>, files: &dyn Files, mistakes: &mut Mistakes) -> Option<Node> {
    let mut chain: Vec<Node> = Vec::new();
    loop {
        let place = chain.len();
        let source = sources.get(place)?;
        let mut tree = read_one(place, &source.text, mistakes)?;
        let extends = take(&mut tree, "extends");
        chain.push(tree);
        let Some(extends) = extends else { break };
        let at = extends.node.span;
        let NodeValue::Text(name) = extends.node.value else {
            let message = format!("`extends` is {}, not a string", extends.node.value.what());
            mistakes.add(Mistake::new(at, message, "the name of a model, or a file").help(EXTENDS_HELP));
            return None;
        };
        match extended(&source.name, &name, files) {
            Ok(_) if place >= EXTENDS_MAX => {
                let message = format!("more than {EXTENDS_MAX} models extend each other in a chain");
                let help = "extend a model that is nearer to the end of the chain";
                mistakes.add(Mistake::new(at, message, "too long a chain").help(help));
                return None;
            }
            Ok(next) if sources.iter().any(|before| before.name == next.name) => {
                let mistake =
                    Mistake::new(at, format!("`{name}` extends itself"), "this extends an earlier model again");
                mistakes.add(mistake.help("remove `extends` from one of them"));
                return None;
            }
            Ok(next) => sources.push(next),
            Err(why) => {
                mistakes
                    .add(Mistake::new(at, format!("the model `{name}` cannot be extended"), why).help(EXTENDS_HELP));
                return None;
            }
        }
    }
    chain.into_iter().rev().reduce(merge)
}

const EXTENDS_HELP: &str =
    "`extends` needs the name of a shipped model, or the path of a `.toml` file relative to this one";

fn read_one(source: usize, text: &str, mistakes: &mut Mistakes) -> Option<Node> {
    match DeTable::parse(text) {
        Ok(table) => {
            let span = table.span();
            let value = table_of(source, table.into_inner(), 0, mistakes)?;
            Some(Node { span: Span { source, start: span.start, len: 0 }, value })
        }
        Err(error) => {
            let range = error.span().unwrap_or(0..0);
            let mut span = span_of(source, range);
            // At the end of a line there is nothing to show, so the text before it is shown.
            if span.start > 0
                && text.get(span.start..).is_none_or(|rest| rest.is_empty() || rest.starts_with(['\r', '\n']))
            {
                let before = text.get(..span.start).and_then(|before| before.char_indices().next_back());
                span = before.map_or(span, |(start, c)| Span { start, len: c.len_utf8(), ..span });
            }
            let help = match error.message() {
                "duplicate key" => "write it once; several values of one setting are a list: `parent = [\"A\", \"B\"]`",
                _ => "strings are in quotes and a table's name in brackets; an inline table can have several lines",
            };
            mistakes.add(Mistake::new(span, format!("this is not TOML: {}", error.message()), "here").help(help));
            None
        }
    }
}

fn table_of(source: usize, table: DeTable<'_>, depth: usize, mistakes: &mut Mistakes) -> Option<NodeValue> {
    let mut entries = Vec::new();
    for (key, value) in table {
        let key_span = span_of(source, key.span());
        let node = node_of(source, value, depth + 1, mistakes)?;
        entries.push(TreeEntry { key: key.into_inner().into_owned(), key_span, node });
    }
    entries.sort_by_key(|entry| entry.key_span);
    Some(NodeValue::Table(entries))
}

fn node_of(source: usize, value: Spanned<DeValue<'_>>, depth: usize, mistakes: &mut Mistakes) -> Option<Node> {
    let span = span_of(source, value.span());
    if depth > DEPTH_MAX {
        mistakes.add(Mistake::new(span, "tables are nested too deeply", "no setting of a model is nested so deeply"));
        return None;
    }
    let value = match value.into_inner() {
        DeValue::String(text) => NodeValue::Text(text.into_owned()),
        DeValue::Integer(number) => NodeValue::Number(number.to_string()),
        DeValue::Float(number) => NodeValue::Number(number.to_string()),
        DeValue::Boolean(flag) => NodeValue::Flag(flag),
        DeValue::Datetime(_) => NodeValue::Moment,
        DeValue::Array(list) => {
            let nodes = list.into_iter().map(|node| node_of(source, node, depth + 1, mistakes));
            NodeValue::List(nodes.collect::<Option<Vec<_>>>()?)
        }
        DeValue::Table(table) => table_of(source, table, depth, mistakes)?,
    };
    Some(Node { span, value })
}

fn span_of(source: usize, range: std::ops::Range<usize>) -> Span {
    Span { source, start: range.start, len: range.end.saturating_sub(range.start) }
}

fn take(tree: &mut Node, key: &str) -> Option<TreeEntry> {
    let NodeValue::Table(entries) = &mut tree.value else { return None };
    let place = entries.iter().position(|entry| entry.key == key)?;
    Some(entries.remove(place))
}

/// Tables merge, everything else replaces.
fn merge(base: Node, over: Node) -> Node {
    match (base.value, over.value) {
        (NodeValue::Table(mut entries), NodeValue::Table(more)) => {
            for entry in more {
                match entries.iter().position(|before| before.key == entry.key) {
                    Some(place) => {
                        let before = entries.remove(place);
                        let node = merge(before.node, entry.node);
                        entries.insert(place, TreeEntry { key: entry.key, key_span: entry.key_span, node });
                    }
                    None => entries.push(entry),
                }
            }
            Node { span: over.span, value: NodeValue::Table(entries) }
        }
        (_, value) => Node { span: over.span, value },
    }
}
