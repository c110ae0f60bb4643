//! A parsed model file: each word is in its place, and not yet checked against the others.

use super::item::{DraftItem, check_index_name, read_item};
use super::reads::{DraftRead, read_read};
use super::reference::{Reference, reference};
use super::tree::{Node, NodeValue, TreeEntry};
use super::value_type::value_type;
use super::words::{Words, entries, fixed};
use crate::errors::{Mistake, Mistakes};
use crate::model::{ExtraPolicy, Marker, NameRule, TimeFormat, Unknown};
use crate::source::{Located, Span};
use crate::template::Template;

/// The TTL attribute of Instep's own items, if the table names none.
const TTL_DEFAULT: &str = "instepTtl";

/// A whole model file.
#[derive(Debug)]
pub(crate) struct DraftModel {
    /// The file itself: the place of errors that concern no single word.
    pub(crate) span: Span,
    pub(crate) model: Located<String>,
    pub(crate) source: Located<String>,
    pub(crate) detail_type: Located<Template>,
    pub(crate) correlation: Vec<Located<String>>,
    pub(crate) tenant: Vec<Located<String>>,
    pub(crate) table: DraftTable,
    pub(crate) indexes: Vec<DraftIndex>,
    pub(crate) names: Vec<(Located<String>, DraftName)>,
    pub(crate) oneof: Vec<Oneof>,
    pub(crate) cognito: DraftSettings,
    pub(crate) items: Vec<DraftItem>,
    pub(crate) reads: Vec<DraftRead>,
}

#[derive(Debug)]
pub(crate) struct DraftTable {
    pub(crate) pk: Located<String>,
    pub(crate) sk: Located<String>,
    pub(crate) type_attribute: Option<Located<String>>,
    pub(crate) ttl: Located<String>,
    pub(crate) unknown: Unknown,
    pub(crate) orphans: Option<Located<ExtraPolicy>>,
    pub(crate) secret: Vec<Located<String>>,
}

#[derive(Debug)]
pub(crate) struct DraftIndex {
    pub(crate) name: Located<String>,
    pub(crate) pk: Vec<Located<String>>,
    pub(crate) sk: Vec<Located<String>>,
}

/// The rule for a name.
#[derive(Debug)]
pub(crate) struct DraftName {
    pub(crate) values: Vec<Located<String>>,
    pub(crate) like: Option<Located<Template>>,
    /// The other parts, ready for use.
    pub(crate) rule: NameRule,
}

/// What the model says of its whole user pool.
#[derive(Debug)]
pub(crate) struct DraftSettings {
    pub(crate) marker: Marker,
    pub(crate) extra_members: Option<Located<ExtraPolicy>>,
    pub(crate) extra_users: Option<Located<ExtraPolicy>>,
}

impl Default for DraftSettings {
    fn default() -> Self {
        Self { marker: Marker::Description, extra_members: None, extra_users: None }
    }
}

/// A reference that leads to different item types.
#[derive(Debug)]
pub(crate) struct Oneof {
    pub(crate) name: Located<String>,
    pub(crate) by: Located<String>,
    /// By the value of `by`.
    pub(crate) cases: Vec<(Located<String>, Reference)>,
}

pub(crate) fn read_draft(tree: &Node, mistakes: &mut Mistakes) -> Option<DraftModel> {
    let mut words = Words::of(tree, "a model", mistakes)?;
    let model = words.text("model", mistakes);
    if model.is_none() {
        words.required("model", "\"the-name-of-this-model\"", mistakes);
    }
    let model = model.unwrap_or_else(|| Located::new(words.span, String::new()));
    let source = words.text("source", mistakes);
    let source = source.unwrap_or_else(|| Located::new(model.span, format!("instep.{}", model.value)));
    let detail_type = words.template("detail_type", mistakes);
    let correlation = words.texts("correlation", mistakes);
    let tenant = words.texts("tenant", mistakes);
    let table = match words.get("table") {
        Some(node) => read_table(node, mistakes),
        None => {
            words.required("table", "{ pk = \"PK\", sk = \"SK\" }", mistakes);
            None
        }
    };
    let indexes = words.get("indexes").map_or(&[][..], |node| entries(node, "`indexes`", mistakes));
    let indexes: Vec<DraftIndex> = indexes.iter().filter_map(|entry| read_index(entry, mistakes)).collect();
    let names = words.get("names").map_or(&[][..], |node| entries(node, "`names`", mistakes));
    let names = names.iter().filter_map(|entry| read_name(entry, mistakes)).collect();
    let oneof = words.get("oneof").map_or(&[][..], |node| entries(node, "`oneof`", mistakes));
    let oneof = oneof.iter().filter_map(|entry| read_oneof(entry, mistakes)).collect();
    let cognito = words.get("cognito").and_then(|node| read_cognito(node, mistakes)).unwrap_or_default();
    let index_names: Vec<String> = indexes.iter().map(|index| index.name.value.clone()).collect();
    let items = match words.get("items") {
        Some(node) => entries(node, "`items`", mistakes),
        None => {
            words.required("items", "{ … }` or tables `[items.Something]", mistakes);
            &[]
        }
    };
    let mut items: Vec<_> = items.iter().filter_map(|entry| read_item(entry, &index_names, mistakes)).collect();
    items.extend(value_type(&items, mistakes));
    let reads = words.get("reads").map_or(&[][..], |node| entries(node, "`reads`", mistakes));
    let reads = reads.iter().filter_map(|entry| read_read(entry, mistakes)).collect();
    // `extends` was removed when the files were merged. It still is a known word.
    words.get("extends");
    let span = words.span;
    words.done(&[], mistakes);
    let detail_type = match detail_type {
        Some(template) => template,
        None => Located::new(model.span, Template::parse("{Entity} {Verb}").ok()?),
    };
    let table = table?;
    Some(DraftModel {
        span,
        model,
        source,
        detail_type,
        correlation,
        tenant,
        table,
        indexes,
        names,
        oneof,
        cognito,
        items,
        reads,
    })
}

fn read_table(node: &Node, mistakes: &mut Mistakes) -> Option<DraftTable> {
    let mut words = Words::of(node, "`table`", mistakes)?;
    let pk = words.text("pk", mistakes);
    let sk = words.text("sk", mistakes);
    for (word, found) in [("pk", &pk), ("sk", &sk)] {
        if found.is_none() {
            words.required(word, &format!("\"{}\"", word.to_uppercase()), mistakes);
        }
    }
    let type_attribute = words.text("type", mistakes);
    let ttl = words.text("ttl", mistakes).unwrap_or_else(|| Located::new(words.span, TTL_DEFAULT.to_owned()));
    let choices = [("park", Unknown::Park), ("skip", Unknown::Skip)];
    let unknown = words.choice("unknown", &choices, mistakes).unwrap_or(Unknown::Park);
    let orphans = read_extra(&mut words, "orphans", mistakes);
    let secret = words.texts("secret", mistakes);
    words.done(&[], mistakes);
    Some(DraftTable { pk: pk?, sk: sk?, type_attribute, ttl, unknown, orphans, secret })
}

fn read_index(entry: &TreeEntry, mistakes: &mut Mistakes) -> Option<DraftIndex> {
    let mut words = Words::of(&entry.node, "an index", mistakes)?;
    let pk = words.texts("pk", mistakes);
    let sk = words.texts("sk", mistakes);
    if pk.is_empty() {
        words.required("pk", "\"GSI1PK\"", mistakes);
    }
    words.done(&[], mistakes);
    let name = entry.name();
    check_index_name(&name, mistakes);
    Some(DraftIndex { name, pk, sk })
}

/// `role = ["admin", "reader"]`, or a table of words.
fn read_name(entry: &TreeEntry, mistakes: &mut Mistakes) -> Option<(Located<String>, DraftName)> {
    let name = entry.name();
    let is_empty = match &entry.node.value {
        NodeValue::List(nodes) => nodes.is_empty(),
        NodeValue::Table(entries) => entries.is_empty(),
        NodeValue::Text(_) | NodeValue::Number(_) | NodeValue::Flag(_) | NodeValue::Moment => false,
    };
    if is_empty {
        let message = format!("the rule for `{}` says nothing", name.value);
        let help = "give its `values`, `like`, `attribute` or `is`; or remove it";
        mistakes.add(Mistake::new(name.span, message, "no effect").help(help));
    }
    if let NodeValue::Text(text) = &entry.node.value {
        let message = format!("the rule for `{}` is a string, not a list of values or a table", name.value);
        let rule = if text.contains('{') { format!("{{ like = \"{text}\" }}") } else { format!("[\"{text}\"]") };
        mistakes.add(Mistake::new(entry.node.span, message, "here").help(format!("write `{} = {rule}`", name.value)));
        return None;
    }
    if let NodeValue::List(_) = entry.node.value {
        let values = fixed(&entry.node, &name.value, mistakes);
        return Some((name, DraftName { values, like: None, rule: NameRule::default() }));
    }
    let mut words = Words::of(&entry.node, "a name", mistakes)?;
    let values = words.get("values").map(|node| fixed(node, &name.value, mistakes)).unwrap_or_default();
    let like = words.template("like", mistakes);
    let attributes = words.texts("attribute", mistakes).into_iter().map(|attribute| attribute.value).collect();
    let is = words.choice("is", &[("date", TimeFormat::Date), ("time", TimeFormat::Time)], mistakes);
    words.done(&[], mistakes);
    Some((name, DraftName { values, like, rule: NameRule { attributes, is, ..NameRule::default() } }))
}

fn read_oneof(entry: &TreeEntry, mistakes: &mut Mistakes) -> Option<Oneof> {
    let mut words = Words::of(&entry.node, "`oneof`", mistakes)?;
    let by = words.text("by", mistakes);
    if by.is_none() {
        words.required("by", "\"the_name_that_decides\"", mistakes);
    }
    let mut cases = Vec::new();
    for case in words.rest() {
        if let Some(reference) = reference(&case.node, mistakes) {
            cases.push((case.name(), reference));
        }
    }
    if cases.is_empty() {
        let message = format!("`{}` has no item types", entry.key);
        let help = "add a line for each value, such as `project = { type = \"Project\", project_id = \"{scope_id}\" }`";
        mistakes.add(Mistake::new(entry.key_span, message, "no case is given").help(help));
    }
    Some(Oneof { name: entry.name(), by: by?, cases })
}

fn read_cognito(node: &Node, mistakes: &mut Mistakes) -> Option<DraftSettings> {
    let mut words = Words::of(node, "`cognito`", mistakes)?;
    let choices = [("description", Marker::Description), ("name", Marker::Name)];
    let marker = words.choice("marker", &choices, mistakes).unwrap_or(Marker::Description);
    let extra = words.get("extra");
    words.done(&[], mistakes);
    let mut settings = DraftSettings { marker, ..DraftSettings::default() };
    if let Some(mut words) = extra.and_then(|node| Words::of(node, "`cognito.extra`", mistakes)) {
        settings.extra_members = read_extra(&mut words, "members", mistakes);
        settings.extra_users = read_extra(&mut words, "users", mistakes);
        words.done(&[], mistakes);
    }
    Some(settings)
}

fn read_extra(words: &mut Words<'_>, word: &'static str, mistakes: &mut Mistakes) -> Option<Located<ExtraPolicy>> {
    let at = words.get(word)?.span;
    let extra = words.choice(word, &[("report", ExtraPolicy::Report), ("remove", ExtraPolicy::Remove)], mistakes)?;
    Some(Located::new(at, extra))
}
