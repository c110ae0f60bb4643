//! An item type as it is written.

use super::tree::{Entry, Kind, Node};
use super::words::{Words, choice, entries, one_or_more, template, templates, text, texts, unknown_word, values};
use crate::errors::{Mistake, Mistakes};
use crate::model::{Create, Made, Verb};
use crate::source::{At, Span};
use crate::template::Template;
use crate::value::Value;

/// The words of an item type. No index may have such a name.
const ITEM_WORDS: [&str; 18] = [
    "pk", "sk", "type", "values", "entity", "id", "publish", "verb", "events", "secret", "assumed", "parent", "edge",
    "grant", "guard", "claims", "cognito", "due",
];

/// An item type.
#[derive(Debug)]
pub(crate) struct DraftItem {
    pub(crate) name: At<String>,
    pub(crate) pk: Vec<At<Template>>,
    pub(crate) sk: Vec<At<Template>>,
    pub(crate) type_values: Vec<At<String>>,
    pub(crate) values: Vec<(At<String>, Vec<At<String>>)>,
    pub(crate) entity: Vec<At<Template>>,
    pub(crate) id: Option<At<Template>>,
    pub(crate) publish: Option<Vec<At<Verb>>>,
    pub(crate) verb: Vec<(Verb, At<Template>)>,
    pub(crate) events: Vec<At<String>>,
    pub(crate) secret: bool,
    pub(crate) assumed: Vec<At<Identity>>,
    pub(crate) indexes: Vec<DraftIndexKeys>,
    pub(crate) parents: Vec<Reference>,
    pub(crate) edge: Option<DraftEdge>,
    pub(crate) grant: Option<DraftGrant>,
    pub(crate) guard: Option<DraftGuard>,
    pub(crate) user: Option<DraftUser>,
    pub(crate) groups: Option<At<Template>>,
    pub(crate) member: Option<DraftMember>,
    pub(crate) due: Vec<DraftDue>,
}

#[derive(Debug)]
pub(crate) struct DraftIndexKeys {
    pub(crate) index: At<String>,
    pub(crate) pk: Option<At<Template>>,
    pub(crate) sk: Option<At<Template>>,
    pub(crate) keep: bool,
}

/// A reference to an item type or a `oneof`.
#[derive(Debug, Clone)]
pub(crate) struct Reference {
    pub(crate) to: At<String>,
    /// The other item must exist; `?` after the name says that it need not.
    pub(crate) needed: bool,
    pub(crate) find: Option<FindWord>,
    /// The key names of the other item that the reference gives.
    pub(crate) names: Vec<(At<String>, At<Template>)>,
}

/// How the other item finds its dependents, if the model says so.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum FindWord {
    BackReference,
    Sweep,
}

#[derive(Debug)]
pub(crate) struct DraftEdge {
    pub(crate) span: Span,
    pub(crate) ends: Vec<(At<String>, Reference)>,
    pub(crate) takes: Option<At<String>>,
}

#[derive(Debug)]
pub(crate) struct DraftGrant {
    pub(crate) subject: Reference,
    pub(crate) scope: Option<DraftScope>,
    pub(crate) roles: Vec<At<String>>,
    pub(crate) roles_template: Option<At<Template>>,
    pub(crate) from: Vec<At<String>>,
    pub(crate) until: Vec<At<String>>,
    pub(crate) last: Option<Vec<At<String>>>,
}

#[derive(Debug)]
pub(crate) enum DraftScope {
    Item(Reference),
    Value(At<Template>),
}

#[derive(Debug)]
pub(crate) struct DraftGuard {
    pub(crate) owner: At<String>,
    /// Key name of the owner, and the guard's attribute with its value.
    pub(crate) by: Vec<(At<String>, At<String>)>,
    pub(crate) writes: Vec<(At<String>, At<Template>)>,
    pub(crate) claims: Vec<DraftClaim>,
}

#[derive(Debug)]
pub(crate) struct DraftClaim {
    pub(crate) when: Vec<(At<String>, Value)>,
    pub(crate) names: Vec<(At<String>, At<Template>)>,
    pub(crate) transfer: Option<Vec<(At<String>, Value)>>,
}

#[derive(Debug)]
pub(crate) struct DraftUser {
    pub(crate) name: At<Template>,
    pub(crate) create: Create,
    pub(crate) delete: bool,
    pub(crate) disabled: Vec<(At<String>, Value)>,
    pub(crate) attributes: Vec<(At<String>, At<Template>)>,
}

#[derive(Debug)]
pub(crate) struct DraftMember {
    pub(crate) user: Reference,
    pub(crate) group: DraftScope,
    pub(crate) made: Option<At<Made>>,
}

#[derive(Debug)]
pub(crate) struct DraftDue {
    pub(crate) span: Span,
    pub(crate) at: At<String>,
    pub(crate) when: Vec<(At<String>, Value)>,
    pub(crate) set: Vec<(At<String>, Value)>,
}

const VERBS: [(&str, Verb); 6] = [
    ("created", Verb::Created),
    ("updated", Verb::Updated),
    ("deleted", Verb::Deleted),
    ("granted", Verb::Granted),
    ("revoked", Verb::Revoked),
    ("conflicted", Verb::Conflicted),
];

pub(crate) fn read_item(entry: &Entry, index_names: &[String], mistakes: &mut Mistakes) -> Option<DraftItem> {
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
    let (user, groups, member) = cognito.map_or((None, None, None), |words| read_cognito(words, mistakes));
    let claims =
        words.get("claims").map(|node| one_or_more(node).into_iter().filter_map(|node| read_claim(node, mistakes)));
    let claims: Vec<DraftClaim> = claims.map(Iterator::collect).unwrap_or_default();
    let guard = words.get("guard").and_then(|node| read_guard(node, mistakes));
    let item = DraftItem {
        name,
        pk,
        sk,
        type_values: words.texts("type", mistakes),
        values: words.get("values").map(|node| read_values(node, mistakes)).unwrap_or_default(),
        entity: words.templates("entity", mistakes),
        id: words.template("id", mistakes),
        publish: words.get("publish").map(|node| read_publish(node, mistakes)),
        verb: words.get("verb").map(|node| read_verbs(node, mistakes)).unwrap_or_default(),
        events: words.texts("events", mistakes),
        secret: words.flag("secret", mistakes).unwrap_or(false),
        assumed: words.get("assumed").map(|node| read_assumed(node, mistakes)).unwrap_or_default(),
        parents: words.get("parent").map(|node| references(node, mistakes)).unwrap_or_default(),
        edge: words.get("edge").and_then(|node| read_edge(node, mistakes)),
        grant: words.get("grant").and_then(|node| read_grant(node, mistakes)),
        guard: read_claims_of(guard, claims, entry, mistakes),
        user,
        groups,
        member,
        due: words.get("due").map(|node| read_dues(node, mistakes)).unwrap_or_default(),
        indexes: read_index_keys(&words, index_names, mistakes),
    };
    words.done(index_names, mistakes);
    Some(item)
}

fn read_claims_of(
    guard: Option<DraftGuard>,
    claims: Vec<DraftClaim>,
    entry: &Entry,
    mistakes: &mut Mistakes,
) -> Option<DraftGuard> {
    if guard.is_none() && !claims.is_empty() {
        let help = "add `guard = { owner = \"…\" }`: claims say which values of that owner are unique";
        mistakes.add(
            Mistake::new(entry.key_span, format!("`{}` has claims and is no guard", entry.key), "here").help(help),
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
            keep: words.flag("keep", mistakes).unwrap_or(false),
        });
        words.done(&[], mistakes);
    }
    read
}

fn read_values(node: &Node, mistakes: &mut Mistakes) -> Vec<(At<String>, Vec<At<String>>)> {
    let mut read = Vec::new();
    for entry in entries(node, "`values`", mistakes) {
        read.push((entry.name(), texts(&entry.node, mistakes)));
    }
    read
}

fn read_publish(node: &Node, mistakes: &mut Mistakes) -> Vec<At<Verb>> {
    let words = texts(node, mistakes);
    let verbs = words.iter().filter_map(|word| choice(word, &VERBS, mistakes).map(|verb| At::new(word.span, verb)));
    verbs.collect()
}

fn read_verbs(node: &Node, mistakes: &mut Mistakes) -> Vec<(Verb, At<Template>)> {
    let mut read = Vec::new();
    for entry in entries(node, "`verb`", mistakes) {
        let word = entry.name();
        let verb = choice(&word, &VERBS, mistakes);
        read.extend(verb.zip(template(&entry.node, mistakes)));
    }
    read
}

fn references(node: &Node, mistakes: &mut Mistakes) -> Vec<Reference> {
    one_or_more(node).into_iter().filter_map(|node| reference(node, mistakes)).collect()
}

/// `"User"`, `"Scope?"`, or `{ type = "User", find = "sweep", user_id = "{owner_id}" }`.
pub(crate) fn reference(node: &Node, mistakes: &mut Mistakes) -> Option<Reference> {
    let (to, find, names) = if let Kind::Table(_) = node.value {
        let mut words = Words::of(node, "a reference", mistakes)?;
        let Some(to) = words.text("type", mistakes) else {
            words.required("type", "\"the item type referred to\"", mistakes);
            return None;
        };
        let choices = [("back-reference", FindWord::BackReference), ("sweep", FindWord::Sweep)];
        let find = words.choice("find", &choices, mistakes);
        // The remaining words map key names of the other item. They are checked when all item types
        // are known.
        (to, find, words.rest_as_templates(mistakes))
    } else {
        (text(node, mistakes)?, None, Vec::new())
    };
    let needed = !to.value.ends_with('?');
    let to = At::new(to.span, to.value.trim_end_matches('?').to_owned());
    Some(Reference { to, needed, find, names })
}

fn read_edge(node: &Node, mistakes: &mut Mistakes) -> Option<DraftEdge> {
    let mut words = Words::of(node, "`edge`", mistakes)?;
    let takes = words.text("takes", mistakes);
    let mut ends = Vec::new();
    for entry in words.rest() {
        ends.extend(reference(&entry.node, mistakes).map(|end| (entry.name(), end)));
    }
    Some(DraftEdge { span: node.span, ends, takes })
}

fn read_grant(node: &Node, mistakes: &mut Mistakes) -> Option<DraftGrant> {
    let mut words = Words::of(node, "`grant`", mistakes)?;
    let subject = words.get("subject").map(|node| reference(node, mistakes));
    if subject.is_none() {
        words.required("subject", "\"User\"", mistakes);
    }
    let scope = words.get("scope").and_then(|node| item_or_value(node, mistakes));
    let roles = words.get("roles");
    let roles_template = roles.filter(|node| is_template(node)).and_then(|node| template(node, mistakes));
    let roles = roles.filter(|node| !is_template(node)).map(|node| texts(node, mistakes)).unwrap_or_default();
    let from = words.texts("from", mistakes);
    let until = words.texts("until", mistakes);
    let last = words.get("last").and_then(|node| read_last(node, mistakes));
    words.done(&[], mistakes);
    Some(DraftGrant { subject: subject.flatten()?, scope, roles, roles_template, from, until, last })
}

fn is_template(node: &Node) -> bool {
    matches!(&node.value, Kind::Text(text) if text.contains(['{', '}']))
}

/// A string with a name in it is a value. Any other string, and a table, refer to an item.
fn item_or_value(node: &Node, mistakes: &mut Mistakes) -> Option<DraftScope> {
    if is_template(node) {
        template(node, mistakes).map(DraftScope::Value)
    } else {
        reference(node, mistakes).map(DraftScope::Item)
    }
}

fn read_last(node: &Node, mistakes: &mut Mistakes) -> Option<Vec<At<String>>> {
    const EXAMPLE: &str = "last = { delete = \"subject\", written = [\"updatedAt\"] }";
    if !matches!(node.value, Kind::Table(_)) {
        let label = "what goes, and which of its attributes say when it was written";
        mistakes.add(Mistake::new(node.span, "`last` is a table", label).help(format!("write `{EXAMPLE}`")));
        return None;
    }
    let mut words = Words::of(node, "`last`", mistakes)?;
    if words.choice("delete", &[("subject", ())], mistakes).is_none() && words.get("delete").is_none() {
        words.required("delete", "\"subject\"", mistakes);
    }
    let written = words.texts("written", mistakes);
    if written.is_empty() {
        words.required("written", "[\"updatedAt\"]", mistakes);
    }
    words.done(&[], mistakes);
    Some(written)
}

fn read_guard(node: &Node, mistakes: &mut Mistakes) -> Option<DraftGuard> {
    let mut words = Words::of(node, "`guard`", mistakes)?;
    let owner = words.text("owner", mistakes);
    if owner.is_none() {
        words.required("owner", "\"User\"", mistakes);
    }
    let mut by = Vec::new();
    for entry in words.get("by").map_or(&[][..], |node| entries(node, "`by`", mistakes)) {
        by.extend(text(&entry.node, mistakes).map(|attribute| (entry.name(), attribute)));
    }
    let writes = words.get("writes").map(|node| templates(node, "`writes`", mistakes)).unwrap_or_default();
    words.done(&[], mistakes);
    Some(DraftGuard { owner: owner?, by, writes, claims: Vec::new() })
}

fn read_claim(node: &Node, mistakes: &mut Mistakes) -> Option<DraftClaim> {
    let mut words = Words::of(node, "a claim", mistakes)?;
    let when = words.values("when", mistakes);
    let transfer = words.get("transfer").and_then(|node| Words::of(node, "`transfer`", mistakes));
    let transfer = transfer.map(|mut words| {
        let when = words.values("when", mistakes);
        if when.is_empty() {
            words.required("when", "{ verified = true }", mistakes);
        }
        words.done(&[], mistakes);
        when
    });
    Some(DraftClaim { when, names: words.rest_as_templates(mistakes), transfer })
}

type Cognito = (Option<DraftUser>, Option<At<Template>>, Option<DraftMember>);

fn read_cognito(mut words: Words<'_>, mistakes: &mut Mistakes) -> Cognito {
    let user = words.get("user").and_then(|node| read_user(node, mistakes));
    let groups = words.template("groups", mistakes);
    let member = words.get("member").and_then(|node| read_member(node, mistakes));
    words.done(&[], mistakes);
    (user, groups, member)
}

fn read_user(node: &Node, mistakes: &mut Mistakes) -> Option<DraftUser> {
    let mut words = Words::of(node, "`cognito.user`", mistakes)?;
    let name = words.template("name", mistakes);
    if words.get("name").is_none() {
        words.required("name", "\"{userId}\"", mistakes);
    }
    let create = match words.get("create") {
        Some(Node { value: Kind::Flag(false), .. }) => Some(Create::Never),
        Some(node) => text(node, mistakes)
            .and_then(|word| choice(&word, &[("invite", Create::Invite), ("silent", Create::Silent)], mistakes)),
        None => None,
    };
    // Cognito sends no message to users unless the model says so.
    let create = create.unwrap_or(Create::Silent);
    let delete = words.flag("delete", mistakes).unwrap_or(create != Create::Never);
    let disabled = words.values("disabled", mistakes);
    let attributes = words.get("attributes").map(|node| templates(node, "`attributes`", mistakes));
    words.done(&[], mistakes);
    Some(DraftUser { name: name?, create, delete, disabled, attributes: attributes.unwrap_or_default() })
}

fn read_member(node: &Node, mistakes: &mut Mistakes) -> Option<DraftMember> {
    let mut words = Words::of(node, "`cognito.member`", mistakes)?;
    let user = words.get("user").map(|node| reference(node, mistakes));
    let group = words.get("group").map(|node| item_or_value(node, mistakes));
    if user.is_none() {
        words.required("user", "\"User\"", mistakes);
    }
    if group.is_none() {
        words.required("group", "\"{tenantId}:{role}\"", mistakes);
    }
    let at = words.get("made").map(|node| node.span);
    let choices = [("with-item", Made::WithItem), ("on-demand", Made::OnDemand), ("by-hand", Made::ByHand)];
    let made = words.choice("made", &choices, mistakes);
    words.done(&[], mistakes);
    let made = at.zip(made).map(|(at, made)| At::new(at, made));
    Some(DraftMember { user: user.flatten()?, group: group.flatten()?, made })
}

fn read_dues(node: &Node, mistakes: &mut Mistakes) -> Vec<DraftDue> {
    let mut read = Vec::new();
    for node in one_or_more(node) {
        let Some(mut words) = Words::of(node, "`due`", mistakes) else { continue };
        let at = words.text("at", mistakes);
        if at.is_none() {
            words.required("at", "\"end_date\"", mistakes);
        }
        let when = words.get("when").map(|node| values(node, mistakes)).unwrap_or_default();
        let set = words.values("set", mistakes);
        if set.is_empty() {
            words.required("set", "{ status = \"expired\" }", mistakes);
        }
        words.done(&[], mistakes);
        read.extend(at.map(|at| DraftDue { span: node.span, at, when, set }));
    }
    read
}

/// Names of a key and their values.
pub(crate) type Identity = Vec<(At<String>, String)>;

/// Identities, each a table of names and values.
fn read_assumed(node: &Node, mistakes: &mut Mistakes) -> Vec<At<Identity>> {
    let mut assumed = Vec::new();
    for node in one_or_more(node) {
        let mut names = Vec::new();
        for entry in entries(node, "an assumed identity", mistakes) {
            if let Some(text) = text(&entry.node, mistakes) {
                names.push((entry.name(), text.value));
            }
        }
        assumed.push(At::new(node.span, names));
    }
    assumed
}

/// An index whose name is a word of item types could not be used there.
pub(crate) fn check_index_name(name: &At<String>, mistakes: &mut Mistakes) {
    if ITEM_WORDS.contains(&name.value.as_str()) {
        let message = format!("`{}` is a word of item types, so no index can be called so here", name.value);
        let help = "an item type's index keys stand under the index's name: another index name is needed";
        mistakes.add(Mistake::new(name.span, message, "taken").help(help));
    }
}

/// The longest name of an item type, in bytes. The name is part of Instep's own keys.
const TYPE_NAME_MAX: usize = 100;

/// INVARIANT 2: in Instep's own keys, the text of an identity begins with the item type's name,
/// which ends at a `/`.
fn check_type_name(name: &At<String>, mistakes: &mut Mistakes) {
    let message = match name.value.as_str() {
        "" => "an item type has no name".to_owned(),
        text if text.contains('/') => format!("`{text}` cannot be the name of an item type: it holds `/`"),
        text if text.len() > TYPE_NAME_MAX => format!("the name of an item type has more than {TYPE_NAME_MAX} bytes"),
        _ => return,
    };
    mistakes.add(Mistake::new(name.span, message, "here").help("write a short name, such as `[items.User]`"));
}

/// A reference to an item type that does not exist.
pub(crate) fn no_such_type(to: &At<String>, known: &[&str]) -> Mistake {
    unknown_word(&to.value, to.span, "no item type of this model", known)
}
