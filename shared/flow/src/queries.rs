//! How the dependents of an object are found: the query that follows from the templates of a link.

use std::collections::{BTreeMap, BTreeSet};

use instep_model::{
    CognitoMember, FindQuery, Identity, Item, ItemType, Key, Link, LinkId, Model, Names, Object, Subject, ToDependents,
    ToParent, TypeId, UserValue, Value, Way,
};

use crate::answers::{Query, View};
use crate::bookkeeping::{self, BookkeepingKind};
use crate::implied;
use crate::known::{Known, all};
pub(crate) use crate::known_names::is_partly_known;

pub use crate::known_names::{addressed, as_known};

/// Whether an object that has dependents exists.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Presence {
    /// It was deleted, and so are the items that are deleted with it.
    Deleted,
    /// It was deleted, and the items that stay lose memberships which nothing else removes.
    Absent,
    /// It was deleted, and its user is kept for a while: all memberships of that user go.
    AbsentWithUser,
    /// It exists.
    Present,
    /// It exists, and was deleted before.
    Restored,
}

/// One of the queries that together find the dependents of a link.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct LinkQuery {
    /// The link.
    pub link: LinkId,
    /// Its place among the queries of the link.
    pub nth: usize,
}

/// The queries that find the dependents of a link. Empty if the model leaves them to the sweep.
pub fn queries(model: &Model, link: LinkId) -> impl Iterator<Item = LinkQuery> + use<> {
    (0..model.ways(link).count()).map(move |nth| LinkQuery { link, nth })
}

/// The query for the items that depend on `object`. `None` if its key cannot be rendered from the
/// object's names, or if the link has no such query.
#[must_use]
pub fn query(model: &Model, LinkQuery { link, nth }: LinkQuery, object: &Object) -> Option<Query> {
    let (id, link) = (link, model.link(link));
    match model.ways(id).nth(nth)? {
        Way::Query(FindQuery { index, pk, sk_prefix }) => {
            let lookup = model.lookup(object.of, &object.names, None);
            let sk_prefix = sk_prefix.render(&lookup).ok()?;
            Some(Query { sk_prefix, ..Query::of_partition(model, *index, pk.render(&lookup).ok()?) })
        }
        Way::BackReference => Some(Query {
            sk_prefix: format!("{}/", model.item(link.from).stable_name()),
            ..bookkeeping_items(model, BookkeepingKind::Reference, &as_known(link, object))
        }),
    }
}

/// Whether the dependents of a link are reconciled after the object that they depend on was
/// deleted, created or restored.
#[must_use]
pub fn follows(model: &Model, id: LinkId, presence: Presence) -> bool {
    let link = model.link(id);
    match presence {
        Presence::Deleted => link.deleted_with,
        Presence::Absent => outlive(model, id),
        Presence::AbsentWithUser => link.needed && !link.deleted_with,
        Presence::Present => link.needed,
        Presence::Restored => link.needed || suspends_grants(model, link),
    }
}

/// Whether items of a link have memberships that stay in Cognito when the object at its other end is
/// deleted, or whose users are signed out then: neither their user nor their group is deleted with it.
fn outlive(model: &Model, id: LinkId) -> bool {
    let link = model.link(id);
    let user_is_deleted = model.item(link.to).user.as_ref().is_some_and(|user| user.delete);
    let goes = |member: &CognitoMember| {
        let is_its_user = matches!(member.user, Subject::Link(user) if user == id);
        let is_its_group = member.group_link() == Some(id);
        is_its_user && user_is_deleted || is_its_group && !member.sign_out
    };
    link.needed && !link.deleted_with && !model.item(link.from).members.iter().all(goes)
}

/// Whether the items of a link grant nothing while the object at its other end is known to be
/// deleted, although they do not require that object to exist.
#[must_use]
pub fn suspends_grants(model: &Model, link: &Link) -> bool {
    // What only a sweep finds would stay suspended when the other item is written again.
    link.deleted_with && link.leads_down() && !link.needed && !model.item(link.from).members.is_empty()
}

/// The keys of the tombstones that show whether an existing object was deleted before, if that
/// matters to its dependents.
#[must_use]
pub fn suspending_tombstones(model: &Model, object: &Object) -> BTreeSet<Key> {
    let links = model.links_to(object.of).filter(|(_, link)| suspends_grants(model, link));
    let known = links.map(|(_, link)| as_known(link, object));
    known.map(|known| bookkeeping::tombstone_key(model, &known)).collect()
}

/// The query for the addresses of the objects with these names.
#[must_use]
pub fn addresses(model: &Model, known: &Object) -> Query {
    bookkeeping_items(model, BookkeepingKind::Address, known)
}

/// The queries for the item that `link` leads to, by the names that [`Model::link_target`] returns: of the table
/// itself, or of an index. Empty if the link does not need any to find that item.
#[must_use]
pub fn up(model: &Model, link: LinkId, names: &Names) -> Vec<Query> {
    let lookup = |name: &str| names.get(name);
    match &model.link(link).up {
        ToParent::Partition(queries) => {
            let query = |FindQuery { pk, sk_prefix, .. }: &FindQuery| {
                let sk_prefix = sk_prefix.render(&lookup).ok()?;
                Some(Query { sk_prefix, ..Query::of_partition(model, None, pk.render(&lookup).ok()?) })
            };
            queries.iter().filter_map(query).collect()
        }
        ToParent::Index { index, pk, sk_prefix, sk_is_whole } => {
            let query = |pk: String| {
                let sk_prefix = sk_prefix.render(&lookup).unwrap_or_default();
                Query { sk_prefix, sk_is_whole: *sk_is_whole, ..Query::of_partition(model, Some(*index), pk) }
            };
            pk.render(&lookup).ok().map(query).into_iter().collect()
        }
        ToParent::Key | ToParent::Unknown => Vec::new(),
    }
}

/// The tombstones of an object, by key: one for each set of names by which its dependents refer to
/// it, with those names.
#[must_use]
pub fn tombstones(model: &Model, object: &Object) -> BTreeMap<Key, Object> {
    let links = model.links_to(object.of).filter(|(_, link)| link.deleted_with && is_partly_known(link, object));
    let known = links.map(|(_, link)| as_known(link, object)).chain([object.clone()]);
    known.map(|known| (bookkeeping::tombstone_key(model, &known), known)).collect()
}

/// Whether an object has the names beside its key by which the items at the other end of a link know it: one that
/// [`crate::implied::known_by_attributes`] returns does.
pub(crate) fn says_all_names(link: &Link, object: &Object) -> bool {
    link.beside_key.iter().all(|name| object.names.contains_key(name))
}

/// Whether a query reads an index.
#[must_use]
pub fn is_by_index(model: &Model, LinkQuery { link, nth }: LinkQuery) -> bool {
    matches!(model.ways(link).nth(nth), Some(Way::Query(query)) if query.index.is_some())
}

/// Whether a query of the table itself also finds this key. Then an index row with the key is
/// redundant, and may show an item that is already deleted.
#[must_use]
pub fn is_in_table_query(model: &Model, link: LinkId, object: &Object, key: &Key) -> bool {
    let in_table = queries(model, link).filter(|query| !is_by_index(model, *query));
    let mut found = in_table.filter_map(|part| query(model, part, object));
    found.any(|query| query.pk == key.pk && key.sk.starts_with(&query.sk_prefix))
}

/// Whether Instep needs an index to find the item that a link leads to.
#[must_use]
pub const fn resolves_by_index(link: &Link) -> bool {
    matches!(link.up, ToParent::Index { .. })
}

/// The attributes of an object by which an index leads from pending grants to it, as an image has them. Of
/// a sort key that no query names, it matters only whether it is there.
pub(crate) fn looked_up_by<'i>(model: &Model, of: TypeId, image: &'i Item) -> Vec<(bool, Option<&'i Value>)> {
    let lookups = model.links_to(of).filter(|(_, link)| link.needed).filter_map(|(_, link)| match &link.up {
        ToParent::Index { index, sk_prefix, sk_is_whole, .. } => {
            Some((model.index_at(*index), *sk_is_whole || !sk_prefix.source().is_empty()))
        }
        ToParent::Key | ToParent::Partition(_) | ToParent::Unknown => None,
    });
    let attributes = lookups.flat_map(|(index, names_sk)| {
        let pk = index.pk.iter().map(|name| (name, true));
        pk.chain(index.sk.iter().flatten().map(move |name| (name, names_sk)))
    });
    attributes.map(|(name, is_named)| (image.contains_key(name), image.get(name).filter(|_| is_named))).collect()
}

/// The query for the bookkeeping items of a kind under an object.
fn bookkeeping_items(model: &Model, kind: BookkeepingKind, object: &Object) -> Query {
    Query::of_partition(model, None, bookkeeping::partition(model, kind, object))
}

/// The query for the pending claims of a guard.
#[must_use]
pub fn claims(model: &Model, guard: &Object) -> Query {
    bookkeeping_items(model, BookkeepingKind::Claim, guard)
}

/// The query for the groups that were created on demand, and that are deleted with an object.
#[must_use]
pub fn groups_on_demand(model: &Model, object: &Object, limit: Option<usize>) -> Query {
    Query { limit, ..bookkeeping_items(model, BookkeepingKind::Group, object) }
}

/// The object of a row of the table. `None` if the model does not describe it.
#[must_use]
pub fn identify(model: &Model, row: &Item) -> Option<(Key, Object)> {
    let key = model.table.key_of(row)?;
    match model.identify(&key) {
        instep_model::Identity::Item { object, .. } => Some((key, object)),
        instep_model::Identity::Bookkeeping | instep_model::Identity::Unknown(_) => None,
    }
}

/// The object of a row of a query for dependents. For a back-reference, the referring item. `None` if the model does not
/// describe it.
#[must_use]
pub fn dependent(model: &Model, row: &Item) -> Option<Object> {
    match model.identify(&model.table.key_of(row)?) {
        Identity::Item { object, .. } => Some(object),
        Identity::Bookkeeping => bookkeeping::object(model, row),
        Identity::Unknown(_) => None,
    }
}

/// The objects that can have the Cognito user of this name.
#[must_use]
pub fn objects_with_user(model: &Model, user: &str) -> Vec<Object> {
    let by =
        |(of, ty): (TypeId, &ItemType)| model.object_named(of, &model.read_name(of, &ty.user.as_ref()?.name, user)?);
    model.types().filter(|(_, ty)| ty.user_value.is_none()).filter_map(by).collect()
}

/// The objects that can have the Cognito group of this name.
pub(crate) fn objects_with_group(model: &Model, group: &str) -> Vec<Object> {
    let by = |(of, ty): (TypeId, &ItemType)| {
        let mut groups = ty.groups.iter();
        groups.find_map(|groups| model.object_named(of, &model.read_name(of, &groups.name, group)?))
    };
    model.types().filter_map(by).collect()
}

/// Whether the members of a group are known by the `sub` of their accounts. The loader refuses a model in which some
/// of them are, and others are known by the users of items.
#[must_use]
pub fn is_by_sub(model: &Model, group: &str) -> bool {
    if model.user_value().is_none_or(|(_, value)| value != UserValue::Sub) {
        return false;
    }
    let rules = model.types().flat_map(|(of, ty)| ty.members.iter().map(move |rule| (of, rule)));
    let mut by_sub = rules.filter(|(_, rule)| implied::user_value(model, rule).is_some());
    by_sub.any(|(of, rule)| {
        let of = rule.group_link().map_or(of, |link| model.link(link).to);
        model.read_name(of, &rule.group, group).is_some()
    })
}

/// The rules that name a group which no item type has, and can name it so. Each with what the name says about the
/// items that ask for it.
pub(crate) fn with_members<'a>(
    model: &'a Model,
    group: &'a str,
) -> impl Iterator<Item = (TypeId, &'a CognitoMember, Names)> {
    let rules = model.types().flat_map(|(of, ty)| ty.members.iter().map(move |rule| (of, rule)));
    let rules = rules.filter(|(_, rule)| rule.group_link().is_none());
    rules.filter_map(|(of, rule)| Some((of, rule, model.read_name(of, &rule.group, group)?)))
}

/// The name in reports of the item under a key: its type and id. For a secret item, its type only.
#[must_use]
pub fn label(model: &Model, key: &Key) -> String {
    match model.identify(key) {
        instep_model::Identity::Item { object, .. } => label_of(model, &object),
        instep_model::Identity::Bookkeeping => "bookkeeping item".to_owned(),
        instep_model::Identity::Unknown(_) => "item of no known type".to_owned(),
    }
}

/// The name of an object in reports.
#[must_use]
pub fn label_of(model: &Model, object: &Object) -> String {
    let ty = model.item(object.of);
    if ty.secret { ty.label().to_owned() } else { format!("{} {}", ty.label(), model.id_text(object)) }
}

/// The name in reports of what an item refers to, whether it exists or not. INVARIANT 9: without the names that a
/// secret item or attribute gives.
#[must_use]
pub fn label_through(model: &Model, link: &Link, target: &Object) -> String {
    let names = link.names.values().flat_map(|template| template.names());
    let mut sources = names.flat_map(|name| model.sources(link.from, &Names::new(), name));
    if sources.any(|name| model.secret.contains(&name)) {
        return model.item(target.of).name.clone();
    }
    label_named_by(model, link.from, target)
}

/// The name in reports of an object that an item of a type names, whether it exists or not. INVARIANT 9: a secret item
/// names only its type.
#[must_use]
pub fn label_named_by(model: &Model, by: TypeId, object: &Object) -> String {
    if model.item(by).secret { model.item(object.of).name.clone() } else { label_of(model, object) }
}

/// The rows of the dependents of an object over a link. `None` if the model gives no way to find them all.
///
/// # Errors
/// They are not read yet.
pub fn dependents_of<'a>(
    view: &mut View<'a>,
    model: &Model,
    link: LinkId,
    object: &Object,
) -> Known<Option<Vec<&'a Item>>> {
    let queries: Option<Vec<Query>> = queries(model, link).map(|of| query(model, of, object)).collect();
    let Some(queries) = queries.filter(|queries| !queries.is_empty()) else { return Ok(None) };
    let rows: Vec<&'a [Item]> = all(&queries, |query| view.rows(query))?;
    Ok(Some(rows.into_iter().flatten().collect()))
}

/// How the dependents of a link are found, for people.
#[must_use]
pub fn found_through(model: &Model, link: &Link) -> String {
    match &link.find {
        ToDependents::Queries(queries) => {
            let one = |query: &FindQuery| match query.index {
                Some(index) => format!("index {}", model.index_at(index).name),
                None => "its partition".to_owned(),
            };
            let places: BTreeSet<String> = queries.iter().map(one).collect();
            places.into_iter().collect::<Vec<_>>().join(" and ")
        }
        ToDependents::BackReference => "back-references".to_owned(),
        ToDependents::Sweep => "a sweep".to_owned(),
    }
}
