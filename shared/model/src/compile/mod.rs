//! From the words of a model file to a model: resolves references, derives what follows, and
//! refuses contradictions.

mod alternatives;
mod answers;
mod cognito;
mod conditions;
mod context;
mod deletions;
mod due_values;
mod group_settings;
mod guards;
mod ineffective;
mod items;
mod key_overlap;
mod last_revocation;
mod link_mistakes;
mod links;
mod loops;
mod names;
mod on_demand;
mod oneof;
mod paths;
mod publish;
mod quotas;
mod reads;
mod relations;
mod role_text;
mod roles;
mod secrets;
mod shared;
mod subject;
mod tokens;
mod unique_end;
mod unique_names;
mod updates;
mod user_attributes;
mod user_values;

use std::collections::BTreeMap;

use crate::changes::fingerprint;
use crate::errors::{Mistake, Mistakes};
use crate::file::DraftModel;
use crate::identity::{BOOKKEEPING_ATTRIBUTE, BOOKKEEPING_PREFIX};
use crate::model::{Derived, ExtraPolicy, IdForm, ItemType, Link, LinkId, Model, TableSchema, TypeId};
use crate::source::Span;
use crate::uses;
use context::Context;
use items::unbound;

/// Names and `Source`s with this prefix belong to AWS.
const AWS_SOURCE_PREFIX: &str = "aws.";

pub(crate) fn compile(draft: &DraftModel, mistakes: &mut Mistakes) -> Option<Model> {
    check_top(draft, mistakes);
    ineffective::check(draft, mistakes);
    let rules = names::rules(draft, mistakes);
    let order = key_overlap::order(draft, &rules, mistakes);
    // With wrong keys, the checks of links would report errors that only follow from those.
    if !mistakes.is_empty() {
        return None;
    }
    let context = Context::new(draft, &rules, &order?);
    oneof::check(&context, mistakes);
    conditions::check(&context, mistakes);
    due_values::check(&context, mistakes);
    let mut items = items::items(&context, mistakes);
    relations::users_and_groups(&context, &mut items, mistakes);
    // So would checks of links to an item whose Cognito name has no source.
    if !mistakes.is_empty() {
        return None;
    }
    let mut links = links::Links::new(&context);
    relations::relate(&context, &mut items, &mut links, mistakes);
    let links = links.finish(mistakes);
    unique_names::check(&context, &items, &links, mistakes);
    user_values::check(&context, &items, &links, mistakes);
    last_revocation::check(&context, &items, &links, mistakes);
    shared::relate(&context, &mut items, &links, mistakes);
    on_demand::relate(&context, &mut items, &links);
    tokens::relate(&context, &mut items, &links, mistakes);
    answers::relate(&context, &mut items, &links, mistakes);
    loops::check(&context, &items, mistakes);
    let reads = reads::reads(&context, &items, &links, mistakes);
    let derived = derived(&rules, &items, &links);
    let mut model = Model {
        name: draft.model.value.clone(),
        source: draft.source.value.clone(),
        detail_type: draft.detail_type.value.clone(),
        tenant: draft.tenant.iter().map(|name| name.value.clone()).collect(),
        correlation: context.attributes_of(&draft.correlation),
        secret: draft.table.secret.iter().map(|attribute| attribute.value.clone()).collect(),
        table: table(draft),
        indexes: context.indexes.clone(),
        names: rules.names.clone(),
        items,
        links,
        reads,
        marker: draft.cognito.marker,
        extra_members: draft.cognito.extra_members.as_ref().map_or(ExtraPolicy::Report, |extra| extra.value),
        extra_users: draft.cognito.extra_users.as_ref().map_or(ExtraPolicy::Report, |extra| extra.value),
        orphans: draft.table.orphans.as_ref().map_or(ExtraPolicy::Report, |extra| extra.value),
        derived,
    };
    user_attributes::relate(&mut model);
    updates::relate(draft, &mut model, mistakes);
    model.derived.uses = uses::of_types(&model);
    secrets::check(draft, &model, mistakes);
    answers::check_secrets(draft, &model, mistakes);
    quotas::check(draft, &model, mistakes);
    Some(model)
}

/// What follows from names, items and links. The uses follow from the whole model.
fn derived(rules: &names::NameRules, items: &[ItemType], links: &[Link]) -> Derived {
    Derived {
        forbidden: rules.forbidden.clone(),
        lowered: rules.lowered.clone(),
        links_from: per_type(items.len(), links.iter().map(|link| link.from)),
        links_to: per_type(items.len(), links.iter().map(|link| link.to)),
        ids: items.iter().enumerate().map(|(place, item)| IdForm::of(TypeId(place), item, links)).collect(),
        fingerprint: fingerprint(items),
        uses: Vec::new(),
        text: String::new(),
        former_ways: BTreeMap::new(),
    }
}

fn table(draft: &DraftModel) -> TableSchema {
    TableSchema {
        pk: draft.table.pk.value.clone(),
        sk: draft.table.sk.value.clone(),
        type_attribute: draft.table.type_attribute.as_ref().map(|attribute| attribute.value.clone()),
        ttl: draft.table.ttl.value.clone(),
        unknown: draft.table.unknown,
    }
}

/// The links at each item type, given the item type at one end of each link.
fn per_type(types: usize, ends: impl Iterator<Item = TypeId>) -> Vec<Vec<LinkId>> {
    let mut of_types = vec![Vec::new(); types];
    for (place, TypeId(end)) in ends.enumerate() {
        of_types.get_mut(end).into_iter().for_each(|links: &mut Vec<LinkId>| links.push(LinkId(place)));
    }
    of_types
}

fn check_top(draft: &DraftModel, mistakes: &mut Mistakes) {
    if draft.source.value.starts_with(AWS_SOURCE_PREFIX) {
        let message = format!("the source `{}` belongs to AWS", draft.source.value);
        let help = "EventBridge refuses sources that begin with `aws.`: write your own domain, reversed";
        mistakes.add(Mistake::new(draft.source.span, message, "reserved").help(help));
    }
    for name in draft.detail_type.value.names().filter(|name| !["Entity", "Verb"].contains(name)) {
        mistakes.add(unbound(&draft.detail_type, name, &["Entity", "Verb"], "`detail_type` is built from"));
    }
    if draft.table.pk.value == draft.table.sk.value {
        let message = "the table's partition and sort key are one attribute";
        mistakes.add(
            Mistake::new(draft.table.sk.span, message, "the same")
                .also(draft.table.pk.span, "as this")
                .help("Instep needs a table with both a partition key and a sort key"),
        );
    }
    for key in [&draft.table.pk, &draft.table.sk].into_iter().filter(|key| key.value == draft.table.ttl.value) {
        let message = format!("`{}` is both a key and the TTL attribute", key.value);
        let mistake = Mistake::new(draft.table.ttl.span, message, "the same").also(key.span, "as this");
        mistakes.add(mistake.help("DynamoDB needs a number in one and a string in the other"));
    }
    check_reserved(draft, mistakes);
    if draft.items.is_empty() && mistakes.is_empty() {
        let help = "add a table such as `[items.User]` with `pk` and `sk`";
        mistakes.add(Mistake::new(draft.span, "the model has no item type", "here").help(help));
    }
    let mut names: BTreeMap<&str, Span> =
        draft.items.iter().map(|item| (item.name.value.as_str(), item.name.span)).collect();
    for formerly in draft.items.iter().filter_map(|item| item.formerly.as_ref()) {
        if let Some(before) = names.insert(&formerly.value, formerly.span) {
            let message = format!("two item types have the name `{}`, or had it", formerly.value);
            let mistake = Mistake::new(formerly.span, message, "the same name").also(before, "here too");
            mistakes.add(mistake.help("bookkeeping says that name: only one item type can have it"));
        }
    }
    for item in draft.items.iter().filter(|item| item.user_value.is_none()) {
        for template in item.pk.iter().filter(|pk| pk.value.leading_constant().starts_with(BOOKKEEPING_PREFIX)) {
            let message = format!("keys that begin with `{BOOKKEEPING_PREFIX}` are reserved for Instep");
            mistakes.add(Mistake::new(template.span, message, "reserved").help("choose another constant"));
        }
    }
}

/// Instep's own items have an attribute of their own and the TTL attribute. They would be refused if
/// either had to be a key as well.
fn check_reserved(draft: &DraftModel, mistakes: &mut Mistakes) {
    let index_keys = || draft.indexes.iter().flat_map(|index| index.pk.iter().chain(&index.sk));
    let table = [&draft.table.pk, &draft.table.sk, &draft.table.ttl].into_iter().chain(&draft.table.type_attribute);
    let set = draft.items.iter().flat_map(|item| &item.due).flat_map(|due| &due.set).map(|(attribute, _)| attribute);
    for own in table.chain(index_keys()).chain(set).filter(|own| own.value == BOOKKEEPING_ATTRIBUTE) {
        let message = format!("the attribute `{BOOKKEEPING_ATTRIBUTE}` is reserved for Instep's own items");
        mistakes.add(Mistake::new(own.span, message, "reserved").help("choose another attribute"));
    }
    for key in index_keys().filter(|key| key.value == draft.table.ttl.value) {
        let message = format!("`{}` is both a key of an index and the TTL attribute", key.value);
        let mistake = Mistake::new(key.span, message, "the same").also(draft.table.ttl.span, "as this");
        mistakes.add(mistake.help("keys of indexes are strings, and the time to live is a number: choose another"));
    }
}
