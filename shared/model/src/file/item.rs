//! An item type as it is written.

use super::answers::{DraftPermits, DraftWithin, read_permits, read_within};
use super::cognito::{DraftGroups, DraftMember, DraftUser, read_cognito};
use super::due::{DraftDue, read_dues};
use super::guard::{DraftClaim, DraftGuard, read_claim, read_guard};
use super::reference::{Reference, reference, references};
use super::relations::{DraftEdge, DraftGrant, read_edge, read_grant};
use super::tree::{Node, NodeValue, TreeEntry};
use super::words::{DraftCondition, Words, choice, entries, fixed, one_or_more, template, text, texts};
use crate::errors::{Mistake, Mistakes};
use crate::messages::near_word;
use crate::model::{Keep, UserValue, Verb};
use crate::source::{Located, Span};
use crate::template::Template;

/// The words of an item type. No index may have such a name.
const ITEM_WORDS: [&str; 23] = [
    "formerly",
    "pk",
    "sk",
    "type",
    "values",
    "entity",
    "id",
    "publish",
    "publish_unchanged",
    "verb",
    "events",
    "secret",
    "assumed",
    "parent",
    "edge",
    "grant",
    "guard",
    "claims",
    "cognito",
    "due",
    "within",
    "permits",
    "inherits",
];

/// An item type.
#[derive(Debug)]
pub(crate) struct DraftItem {
    pub(crate) name: Located<String>,
    pub(crate) formerly: Option<Located<String>>,
    pub(crate) pk: Vec<Located<Template>>,
    pub(crate) sk: Vec<Located<Template>>,
    pub(crate) type_values: Vec<Located<String>>,
    pub(crate) values: Vec<(Located<String>, Vec<Located<String>>)>,
    pub(crate) entity: Vec<Located<Template>>,
    pub(crate) id: Option<Located<Template>>,
    pub(crate) publish: Option<Vec<Located<Verb>>>,
    pub(crate) publish_unchanged: Option<Located<bool>>,
    pub(crate) verb: Vec<(Verb, DraftWord)>,
    pub(crate) events: Vec<Located<String>>,
    pub(crate) secret: bool,
    pub(crate) assumed: Vec<Located<IdentityNames>>,
    /// No item is of this type, but values by which items name accounts of people who sign up.
    pub(crate) user_value: Option<UserValue>,
    pub(crate) indexes: Vec<DraftIndexKeys>,
    pub(crate) parents: Vec<Reference>,
    pub(crate) edge: Option<DraftEdge>,
    pub(crate) grant: Option<DraftGrant>,
    pub(crate) guard: Option<DraftGuard>,
    pub(crate) user: Option<DraftUser>,
    pub(crate) groups: Vec<DraftGroups>,
    pub(crate) members: Vec<DraftMember>,
    pub(crate) due: Vec<DraftDue>,
    pub(crate) within: Option<DraftWithin>,
    pub(crate) permits: Option<DraftPermits>,
    pub(crate) inherits: Option<Reference>,
}

#[derive(Debug)]
pub(crate) struct DraftIndexKeys {
    pub(crate) index: Located<String>,
    pub(crate) pk: Option<Located<Template>>,
    pub(crate) sk: Option<Located<Template>>,
    pub(crate) keep: Keep,
}

/// A word that replaces a verb.
#[derive(Debug)]
pub(crate) struct DraftWord {
    pub(crate) span: Span,
    pub(crate) word: Located<Template>,
    pub(crate) when: DraftCondition,
    pub(crate) by_ttl: Option<Span>,
    pub(crate) changed: Vec<Located<String>>,
}

/// Names of a key and their values.
pub(crate) type IdentityNames = Vec<(Located<String>, String)>;

const VERBS: [(&str, Verb); 7] = [
    ("created", Verb::Created),
    ("updated", Verb::Updated),
    ("deleted", Verb::Deleted),
    ("granted", Verb::Granted),
    ("revoked", Verb::Revoked),
    ("conflicted", Verb::Conflicted),
    ("resolved", Verb::Resolved),
];

pub(crate) fn read_item(entry: &TreeEntry, index_names: &[String], mistakes: &mut Mistakes) -> Option<DraftItem> {
    let mut words = Words::of(&entry.node, "an item type", mistakes)?;
    words.span = entry.key_span;
    let name = entry.name();
    check_type_name(&name, mistakes);
    let pk = words.templates("pk", mistakes);
    let sk = words.templates("sk", mistakes);
    for (word, found) in [("pk", words.get("pk")), ("sk", words.get("sk"))] {
        if found.is_none() {
            words.required(word, "\"USER#{userId}\"", mistakes);
        }
    }
    let cognito = words.get("cognito").and_then(|node| Words::of(node, "an item type's `cognito`", mistakes));
    let (user, groups, members) = cognito.map_or((None, Vec::new(), Vec::new()), |words| read_cognito(words, mistakes));
    let claims =
        words.get("claims").map(|node| one_or_more(node).into_iter().filter_map(|node| read_claim(node, mistakes)));
    let claims: Option<Vec<DraftClaim>> = claims.map(Iterator::collect);
    let guard = words.get("guard").and_then(|node| read_guard(node, mistakes));
    let formerly = words.text("formerly", mistakes);
    formerly.iter().for_each(|name| check_type_name(name, mistakes));
    let item = DraftItem {
        name,
        formerly,
        pk,
        sk,
        type_values: words.texts("type", mistakes),
        values: words.get("values").map(|node| read_values(node, mistakes)).unwrap_or_default(),
        entity: words.templates("entity", mistakes),
        id: words.template("id", mistakes),
        publish: words.get("publish").map(|node| read_publish(node, mistakes)),
        publish_unchanged: words.located_flag("publish_unchanged", mistakes),
        verb: words.get("verb").map(|node| read_verbs(node, mistakes)).unwrap_or_default(),
        events: words.texts("events", mistakes),
        secret: words.flag("secret", mistakes).unwrap_or(false),
        assumed: words.get("assumed").map(|node| read_assumed(node, mistakes)).unwrap_or_default(),
        user_value: None,
        parents: words.get("parent").map(|node| references(node, mistakes)).unwrap_or_default(),
        edge: words.get("edge").and_then(|node| read_edge(node, mistakes)),
        grant: words.get("grant").and_then(|node| read_grant(node, mistakes)),
        guard: read_claims_of(guard, claims, entry, mistakes),
        user,
        groups,
        members,
        due: words.get("due").map(|node| read_dues(node, mistakes)).unwrap_or_default(),
        within: words.get("within").and_then(|node| read_within(node, mistakes)),
        permits: words.get("permits").and_then(|node| read_permits(node, mistakes)),
        inherits: words.get("inherits").and_then(|node| reference(node, mistakes)),
        indexes: read_index_keys(&words, index_names, mistakes),
    };
    let undeclared = words.rest().filter(|entry| !index_names.contains(&entry.key) && has_index_keys(&entry.node));
    let undeclared: Vec<&TreeEntry> = undeclared.collect();
    for entry in &undeclared {
        mistakes.add(no_such_index(entry, index_names));
    }
    let more: Vec<String> = index_names.iter().chain(undeclared.iter().map(|entry| &entry.key)).cloned().collect();
    words.done(&more, mistakes);
    Some(item)
}

/// Whether a word of an item type is written as the keys of an index are.
fn has_index_keys(node: &Node) -> bool {
    matches!(&node.value, NodeValue::Table(entries) if entries.iter().any(|entry| ["pk", "sk", "keep"].contains(&entry.key.as_str())))
}

fn no_such_index(entry: &TreeEntry, index_names: &[String]) -> Mistake {
    let name = &entry.key;
    let near = near_word(name, index_names).map(|near| format!("; or did you mean `{near}`?")).unwrap_or_default();
    let help = format!("declare it under `[indexes]`: `{name} = {{ pk = \"{name}PK\", sk = \"{name}SK\" }}`{near}");
    Mistake::new(entry.key_span, format!("the model has no index `{name}`"), "not declared").help(help)
}

fn read_claims_of(
    guard: Option<DraftGuard>,
    claims: Option<Vec<DraftClaim>>,
    entry: &TreeEntry,
    mistakes: &mut Mistakes,
) -> Option<DraftGuard> {
    if guard.is_none() && claims.is_some() {
        let help = "add `guard = { owner = \"…\" }`: claims define which values of that owner are unique";
        mistakes.add(
            Mistake::new(entry.key_span, format!("`{}` has claims but is not a guard", entry.key), "here").help(help),
        );
    }
    guard.map(|guard| DraftGuard { claims, ..guard })
}

fn read_index_keys(words: &Words<'_>, index_names: &[String], mistakes: &mut Mistakes) -> Vec<DraftIndexKeys> {
    let mut read = Vec::new();
    for entry in words.rest().filter(|entry| index_names.contains(&entry.key)) {
        let Some(mut words) = Words::of(&entry.node, "an item type's index", mistakes) else { continue };
        read.push(DraftIndexKeys {
            index: entry.name(),
            pk: words.template("pk", mistakes),
            sk: words.template("sk", mistakes),
            keep: read_keep(&mut words, mistakes),
        });
        words.done(&[], mistakes);
    }
    read
}

/// `true`, `false` or `"fill"`.
fn read_keep(words: &mut Words<'_>, mistakes: &mut Mistakes) -> Keep {
    let chosen = match words.get("keep").map(|node| &node.value) {
        // In quotes, `true` and `false` are refused as with every other flag.
        Some(NodeValue::Text(text)) if !["true", "false"].contains(&text.as_str()) => {
            words.choice("keep", &[("fill", Keep::Fill)], mistakes)
        }
        Some(_) => words.flag("keep", mistakes).map(|flag| if flag { Keep::Always } else { Keep::No }),
        None => None,
    };
    chosen.unwrap_or(Keep::No)
}

fn read_values(node: &Node, mistakes: &mut Mistakes) -> Vec<(Located<String>, Vec<Located<String>>)> {
    let mut read = Vec::new();
    for entry in entries(node, "`values`", mistakes) {
        read.push((entry.name(), fixed(&entry.node, &entry.key, mistakes)));
    }
    read
}

fn read_publish(node: &Node, mistakes: &mut Mistakes) -> Vec<Located<Verb>> {
    let words = texts(node, mistakes);
    let verbs =
        words.iter().filter_map(|word| choice(word, &VERBS, mistakes).map(|verb| Located::new(word.span, verb)));
    verbs.collect()
}

fn read_verbs(node: &Node, mistakes: &mut Mistakes) -> Vec<(Verb, DraftWord)> {
    let mut read = Vec::new();
    for entry in entries(node, "`verb`", mistakes) {
        let Some(verb) = choice(&entry.name(), &VERBS, mistakes) else { continue };
        let words = one_or_more(&entry.node).into_iter().filter_map(|node| read_word(node, mistakes));
        read.extend(words.map(|word| (verb, word)));
    }
    read
}

/// A template, or a table that says when the word applies.
fn read_word(node: &Node, mistakes: &mut Mistakes) -> Option<DraftWord> {
    let span = node.span;
    if !matches!(node.value, NodeValue::Table(_)) {
        let word = template(node, mistakes)?;
        return Some(DraftWord { span, word, when: Vec::new(), by_ttl: None, changed: Vec::new() });
    }
    let mut words = Words::of(node, "a word for a verb", mistakes)?;
    let word = words.template("word", mistakes);
    if words.get("word").is_none() {
        words.required("word", "\"approved\"", mistakes);
    }
    let when = words.condition("when", mistakes);
    let at = words.get("cause").map(|node| node.span);
    let by_ttl = at.filter(|_| words.choice("cause", &[("ttl", ())], mistakes).is_some());
    let changed = words.texts("changed", mistakes);
    words.done(&[], mistakes);
    Some(DraftWord { span, word: word?, when, by_ttl, changed })
}

/// Identities, each a table of names and values.
fn read_assumed(node: &Node, mistakes: &mut Mistakes) -> Vec<Located<IdentityNames>> {
    let mut assumed = Vec::new();
    for node in one_or_more(node) {
        let mut names = Vec::new();
        for entry in entries(node, "an assumed identity", mistakes) {
            if let Some(text) = text(&entry.node, mistakes) {
                names.push((entry.name(), text.value));
            }
        }
        assumed.push(Located::new(node.span, names));
    }
    assumed
}

/// The length of an index's name. Source: Amazon DynamoDB Developer Guide, "Naming rules".
const INDEX_NAME_MIN: usize = 3;
const INDEX_NAME_MAX: usize = 255;

/// An index whose name is a word of item types could not be used there.
pub(crate) fn check_index_name(name: &Located<String>, mistakes: &mut Mistakes) {
    if ITEM_WORDS.contains(&name.value.as_str()) {
        let message = format!("`{}` is a setting of item types, so an index cannot have this name", name.value);
        let help = "an item type's index keys are under the index's name: choose another index name";
        mistakes.add(Mistake::new(name.span, message, "taken").help(help));
    }
    let is_valid = |byte: u8| byte.is_ascii_alphanumeric() || b"_.-".contains(&byte);
    let (is_right, shortest, longest) = (name.value.bytes().all(is_valid), INDEX_NAME_MIN, INDEX_NAME_MAX);
    if !is_right || !(shortest..=longest).contains(&name.value.len()) {
        let message = format!("`{}` cannot be the name of an index in DynamoDB", name.value);
        let help =
            format!("it has {shortest} to {longest} letters, digits, `_`, `.` and `-`: write it as the table has it");
        mistakes.add(Mistake::new(name.span, message, "refused").help(help));
    }
}

/// The longest name of an item type, in bytes. The name is part of Instep's own keys.
const TYPE_NAME_MAX: usize = 100;

/// INVARIANT 2: in Instep's own keys, the text of an identity begins with the item type's name,
/// which ends at a `/`.
fn check_type_name(name: &Located<String>, mistakes: &mut Mistakes) {
    let message = match name.value.as_str() {
        "" => "an item type has no name".to_owned(),
        text if text.contains('/') => format!("`{text}` cannot be the name of an item type: it contains `/`"),
        text if text.len() > TYPE_NAME_MAX => format!("the name of an item type has more than {TYPE_NAME_MAX} bytes"),
        _ => return,
    };
    mistakes.add(Mistake::new(name.span, message, "here").help("write a short name, such as `[items.User]`"));
}
