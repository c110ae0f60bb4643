//! Describes a loaded model for people: `instep check` prints this. It describes whole parts, so it reads the model and
//! not its `uses`. An item type and its parts are destructured without `..`, as there: a new field of the model does not
//! compile before it is described here, or named as one that another part describes.

mod answers;
mod reads;
mod secrets;

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::{Display, Write as _};

use crate::duration::duration_text;
use crate::identity::BOOKKEEPING_PREFIX;
use crate::messages::escaped;
use crate::model::{
    ADDRESSES, Claim, CognitoGroups, CognitoMember, CognitoUser, Condition, Create, DueRule, FindQuery, Grant,
    GroupOwner, Guard, IndexKeys, ItemType, Keep, KeyForm, LastRevoked, Link, LinkId, Model, OfGroups, Precedence,
    Roles, Scope, Subject, ToDependents, ToParent, TypeId, UniqueAttribute, UniqueEnd, Unknown, UserValue, Verb,
    VerbWord,
};
use crate::template::Template;
use crate::value::Value;

/// Lines wrap before this column.
const WIDTH: usize = 96;

/// Describes a loaded model: item types, access paths, reactions, events.
#[must_use]
pub fn describe(model: &Model) -> String {
    let mut text = String::new();
    let unknown = match model.table.unknown {
        Unknown::Park => "parked",
        Unknown::Skip => "skipped",
    };
    let indexes: Vec<&str> = model.indexes.iter().map(|index| index.name.as_str()).collect();
    let _ = writeln!(text, "{}", model.name);
    let mut head = Block::new(&mut text, 8);
    head.row(
        "table",
        &[format!("keys {} and {}; {}", model.table.pk, model.table.sk, {
            if indexes.is_empty() { "no indexes".to_owned() } else { format!("indexes {}", indexes.join(", ")) }
        })],
    );
    head.row(
        "items",
        &[format!(
            "{} types; others are {unknown}; keys that begin with {BOOKKEEPING_PREFIX} are Instep's own",
            model.with_keys().count()
        )],
    );
    head.row("events", &[format!("source {}, detail type {}{}", model.source, model.detail_type, tenant(model))]);
    let width = model.with_keys().map(|item| item.name.chars().count()).max().unwrap_or_default();
    let _ = writeln!(text, "\nItem types, in the order in which a key is tried");
    let kind_width = model.with_keys().map(|item| kinds(item).chars().count()).max().unwrap_or_default();
    for item in model.with_keys() {
        let head = format!("{:<width$}  {:<kind_width$}", item.name, kinds(item));
        Block::new(&mut text, width + 2 + kind_width).row(&head, &keys(item));
    }
    names(model, &mut text);
    paths(model, &mut text);
    let _ = writeln!(text, "\nReactions");
    let mut none = true;
    for (of, item) in model.types().filter(|(_, item)| item.user_value.is_none()) {
        let reactions = reactions(model, of, item);
        none &= reactions.is_empty();
        if !reactions.is_empty() {
            Block::new(&mut text, width).row(&item.name, &reactions);
        }
    }
    if none {
        let _ = writeln!(text, "  none");
    }
    let _ = writeln!(text, "\nEvents");
    for item in model.with_keys() {
        Block::new(&mut text, width).row(&item.name, &events(item));
    }
    let reads = reads::reads(model);
    if !reads.is_empty() {
        let _ = writeln!(text, "\nReads");
        let width = reads.iter().map(|(name, _)| name.chars().count()).max().unwrap_or_default();
        reads.iter().for_each(|(name, says)| Block::new(&mut text, width).row(name, says));
    }
    let secrets = secrets::secrets(model);
    if !secrets.is_empty() {
        let _ = writeln!(text, "\nSecrets");
        let width = secrets.iter().map(|(name, _)| name.chars().count()).max().unwrap_or_default();
        secrets.iter().for_each(|(name, says)| Block::new(&mut text, width).row(name, says));
    }
    escaped(&text)
}

/// Rows of a name and its description. Descriptions are aligned and wrapped.
struct Block<'t> {
    text: &'t mut String,
    width: usize,
}

impl<'t> Block<'t> {
    fn new(text: &'t mut String, width: usize) -> Self {
        Self { text, width }
    }

    fn row(&mut self, name: &str, says: &[String]) {
        let mut name = name;
        for say in says {
            let room = WIDTH.saturating_sub(self.width + 4).max(20);
            let mut line = String::new();
            let mut indent = "";
            for word in say.split(' ') {
                if !line.is_empty() && indent.len() + line.chars().count() + 1 + word.chars().count() > room {
                    let _ = writeln!(self.text, "  {name:<0$}  {indent}{line}", self.width);
                    (name, indent) = ("", "  ");
                    line.clear();
                }
                line.push_str(if line.is_empty() { "" } else { " " });
                line.push_str(word);
            }
            let _ = writeln!(self.text, "  {name:<0$}  {indent}{line}", self.width);
            name = "";
        }
    }
}

/// What follows from an item of a type, a sentence each.
#[must_use]
pub fn follows(model: &Model, of: TypeId) -> Vec<String> {
    reactions(model, of, model.item(of)).iter().map(|text| escaped(text)).collect()
}

/// The keys of an item type: the templates of the partition key and of the sort key, all spellings.
#[must_use]
pub fn keys_of(item: &ItemType) -> Vec<String> {
    item.forms.iter().map(|KeyForm { pk, sk, names: _ }| format!("{pk} / {sk}")).collect()
}

fn keys(item: &ItemType) -> Vec<String> {
    let or = |place: usize| if place == 0 { "" } else { "or " };
    keys_of(item).iter().enumerate().map(|(place, key)| format!("{}{key}", or(place))).collect()
}

/// What an item type is: entity, edge, grant, guard, secret, or plain.
#[must_use]
pub fn kinds(item: &ItemType) -> String {
    let mut kinds: Vec<&str> = Vec::new();
    // An entity has a name in events. An edge has two ends and is deleted with either.
    kinds.extend((!item.entity.is_empty()).then_some("entity"));
    kinds.extend((item.is_entity && item.entity.is_empty()).then_some("edge"));
    kinds.extend(item.grant.is_some().then_some("grant"));
    kinds.extend(item.guard.is_some().then_some("guard"));
    kinds.extend(item.secret.then_some("secret"));
    if kinds.is_empty() { "plain".to_owned() } else { kinds.join(", ") }
}

/// The characters that the value of each name must not contain, with the templates in which they end it.
fn names(model: &Model, text: &mut String) {
    let ended = || model.derived.forbidden.iter().filter(|(_, ends)| !ends.is_empty());
    let Some(width) = ended().map(|(name, _)| name.chars().count()).max() else { return };
    let _ = writeln!(text, "\nNames, and the characters that their values never contain");
    for (name, ends) in ended() {
        let ends: Vec<String> =
            ends.iter().map(|(character, end)| format!("{character} (in {})", end.template)).collect();
        Block::new(text, width).row(name, &[ends.join(", ")]);
    }
}

fn paths(model: &Model, text: &mut String) {
    let _ = writeln!(text, "\nAccess paths");
    if model.links.is_empty() {
        let _ = writeln!(text, "  none");
    }
    for link in &model.links {
        let (from, to) = (&model.item(link.from).name, model.item(link.to).label());
        let when = link.when.as_ref().map(|(name, value)| format!(" where {name} is {value}")).unwrap_or_default();
        let written =
            if link.written.is_empty() { String::new() } else { format!(", written {}", link.written.join(" or ")) };
        let condition = only_while(&link.condition);
        let _ = writeln!(text, "  {from} -> {to} ({}){when}{condition}{written}", link.role.word());
        let mut block = Block::new(text, 6);
        block.row("  down", &[down(model, link, from, to)]);
        block.row("  up", &[up(model, link, to)]);
    }
}

fn begins(prefix: &Template) -> String {
    match prefix.source() {
        "" => String::new(),
        prefix => format!(", sort keys that begin with {prefix}"),
    }
}

/// What happens with several items that a reference means, if it does not give their whole sort key.
fn as_one(model: &Model, link: &Link, to: &str) -> String {
    let forms = &model.item(link.to).forms;
    let is_given = |name: &str| link.names.contains_key(name);
    if forms.iter().all(|form| form.sk.names().all(is_given)) {
        return String::new();
    }
    let given = forms.iter().flat_map(|form| &form.names).filter(|name| is_given(name)).chain(&link.beside_key);
    let given: BTreeSet<&str> = given.map(String::as_str).collect();
    let given: Vec<&str> = given.into_iter().collect();
    format!("; several {to} items with one {} count as one", given.join(" and "))
}

fn down(model: &Model, link: &Link, from: &str, to: &str) -> String {
    let query = |FindQuery { index, pk, sk_prefix }: &FindQuery| {
        let index = index.map(|index| format!("index {}, ", model.index_at(index).name)).unwrap_or_default();
        // The names of a partition key are often those of what the other item belongs to.
        let own = model.item(link.to).forms.iter().map(|form| [&form.sk, &form.pk]);
        let own = own.filter_map(|keys| keys.into_iter().find(|key| key.names().next().is_some()));
        let is_given = |name| pk.names().chain(sk_prefix.names()).any(|given| given == name);
        let is_of_one = own.flat_map(Template::names).all(|name| is_given(name) || !link.names.contains_key(name));
        let others = if is_of_one {
            String::new()
        } else {
            format!(", together with those of other {to} items: `find = \"back-reference\"` reads less")
        };
        format!("{index}partition {pk}{}{others}", begins(sk_prefix))
    };
    match &link.find {
        ToDependents::Queries(queries) => queries.iter().map(query).collect::<Vec<_>>().join("; and "),
        ToDependents::BackReference => format!("back-references that Instep writes under each {to}"),
        ToDependents::Sweep if link.deleted_with || link.needed => {
            format!("only by the sweep: a {to} does not lead to its {from} items")
        }
        ToDependents::Sweep => "not needed".to_owned(),
    }
}

fn up(model: &Model, link: &Link, to: &str) -> String {
    let name = |name: &str| name.trim_start_matches('/').to_owned();
    let names: Vec<String> = link.names.iter().map(|(own, template)| format!("{} = {template}", name(own))).collect();
    match &link.up {
        ToParent::Key if model.item(link.to).user_value.is_some() => {
            format!("in Cognito, {}", names.join(", "))
        }
        ToParent::Key => format!("by key, {}", names.join(", ")),
        ToParent::Partition(queries) => {
            let query = |FindQuery { pk, sk_prefix, .. }: &FindQuery| format!("partition {pk}{}", begins(sk_prefix));
            let queries: Vec<String> = queries.iter().map(query).collect();
            format!("the table's {}{}", queries.join(" and "), as_one(model, link, to))
        }
        ToParent::Index { index, pk, sk_prefix, sk_is_whole } => {
            let sk = match sk_prefix.source() {
                "" => String::new(),
                sk if *sk_is_whole => format!(" / {sk}"),
                _ => begins(sk_prefix),
            };
            let which = if link.beside_key.is_empty() { String::new() } else { format!(": {}", names.join(", ")) };
            format!("index {}, {pk}{sk}{which}{}", model.index_at(*index).name, as_one(model, link, to))
        }
        ToParent::Unknown if model.has_addresses(link) => {
            format!("addresses that Instep writes for each {to}, {}", names.join(", "))
        }
        ToParent::Unknown => format!("none: {} alone does not lead to a {to}", names.join(", ")),
    }
}

fn values(values: &[(String, Value)]) -> String {
    values
        .iter()
        .map(|(name, value)| format!("{name} is {}", value.to_text().unwrap_or_default()))
        .collect::<Vec<_>>()
        .join(" and ")
}

fn only_while(condition: &Condition) -> String {
    if condition.is_empty() { String::new() } else { format!(", only while {condition}") }
}

/// With which items those of a type are deleted, by each condition.
fn deletions(model: &Model, of: TypeId) -> Vec<String> {
    let mut found: BTreeMap<(&str, String), Vec<&str>> = BTreeMap::new();
    for (_, link) in model.links_from(of).filter(|(_, link)| link.deleted_with) {
        let word = if link.leads_down() { "deleted" } else { "left to a sweep" };
        add(found.entry((word, only_while(&link.condition))).or_default(), &model.item(link.to).name);
    }
    let say = |((word, only), to): ((&str, String), Vec<&str>)| {
        format!("{word} when its {} is deleted{only}", to.join(" or "))
    };
    found.into_iter().map(say).collect()
}

fn add<'m>(names: &mut Vec<&'m str>, name: &'m str) {
    if !names.contains(&name) {
        names.push(name);
    }
}

fn reactions(model: &Model, of: TypeId, item: &ItemType) -> Vec<String> {
    let ItemType {
        index_keys,
        grant,
        guard,
        user,
        groups,
        members,
        due,
        assumed,
        unique_end,
        values: closed,
        // `kinds`, `keys` and `events` describe these.
        name: _,
        forms: _,
        is_entity: _,
        is_edge: _,
        secret: _,
        entity: _,
        publish: _,
        publish_unchanged: _,
        verb_words: _,
        attributes: _,
        // A value has no reactions of its own.
        user_value: _,
        // Nobody who reads a description needs these.
        formerly: _,
        type_values: _,
        entity_id: _,
        // `answers` describes these.
        within: _,
        conveys: _,
        permits: _,
        inherits: _,
    } = item;
    let mut says = of_links(model, of);
    says.extend(unique_end.iter().map(|unique| of_unique_end(model, item, unique)));
    says.extend(grant.iter().flat_map(|grant| of_grant(model, grant)));
    says.extend(user.iter().flat_map(|user| of_user(model, user)));
    says.extend(groups.iter().flat_map(|groups| of_own_groups(model, groups, closed)));
    says.extend(members.iter().map(|member| of_member(model, member)));
    says.extend(guard.iter().flat_map(|guard| of_guard(model, guard)));
    for IndexKeys { index, pk, sk, keep } in index_keys {
        let what = match keep {
            Keep::No => continue,
            Keep::Fill => "fills in its keys of index",
            Keep::Always => "keeps its keys of index",
        };
        let sk = sk.as_ref().map(|sk| format!(" / {sk}")).unwrap_or_default();
        says.push(format!("Instep {what} {}: {pk}{sk}", model.index_at(*index).name));
    }
    for DueRule { at, when, set } in due {
        let becomes = values(set).replace(" is ", " becomes ");
        says.push(format!("after its {at}, while {}: {becomes}", when));
    }
    for names in assumed {
        let names: Vec<String> = names.iter().map(|(name, text)| format!("{name} {text}")).collect();
        says.push(format!("{} exists without an item", names.join(", ")));
    }
    says.extend(answers::of_answers(model, item));
    says
}

/// The groups of an item. The fixed values of its own names come before those of the model.
fn of_own_groups(model: &Model, groups: &CognitoGroups, closed: &BTreeMap<String, Vec<String>>) -> Vec<String> {
    let CognitoGroups { name, each, when, precedence, iam_role, in_token } = groups;
    let each = each.as_ref().map(|name| {
        let values = closed.get(name).or_else(|| model.names.get(name).map(|rule| &rule.values));
        format!(", one for each {name} ({})", values.map(|values| values.join(", ")).unwrap_or_default())
    });
    let place = if *in_token { ", in tokens alone" } else { "" };
    let mut says = vec![format!("Cognito groups {name}{}{place}{}", each.unwrap_or_default(), only_while(when))];
    says.extend(precedence.as_ref().map(|precedence| match precedence {
        Precedence::Fixed(fixed) => format!("their precedence: {}", of_groups(fixed)),
        Precedence::OfItem(template) => format!("their precedence: {template}, if the item has it"),
    }));
    says.extend(iam_role.as_ref().map(|roles| format!("their IAM role: {}", of_groups(roles))));
    says
}

/// A setting of groups.
fn of_groups<T: Display>(setting: &OfGroups<T>) -> String {
    match setting {
        OfGroups::All(all) => all.to_string(),
        OfGroups::Each(each) => {
            let each: Vec<String> = each.iter().map(|(value, setting)| format!("{value} {setting}")).collect();
            each.join(", ")
        }
    }
}

fn of_links(model: &Model, of: TypeId) -> Vec<String> {
    let mut says = deletions(model, of);
    let mut taken: Vec<String> = Vec::new();
    for (_, link) in model.links_from(of) {
        if let Some(to) = link.cascades_to.map(|taken| model.link(taken)) {
            let say = format!(
                "when its {} is deleted, its {} ({}) is deleted too, unless another edge gives that an existing parent",
                link.role.word(),
                to.role.word(),
                model.item(to.to).name
            );
            // An end can be of several item types.
            if !taken.contains(&say) {
                taken.push(say);
            }
        }
    }
    says.extend(taken);
    let mut needs: Vec<&str> = Vec::new();
    // Each role of a list waits for its own item: the grant says so.
    let of_roles = model.item(of).grant.iter().flat_map(|grant| &grant.role_links);
    let of_roles: Vec<LinkId> = of_roles.copied().filter(|link| model.link(*link).each.is_some()).collect();
    let is_item = |link: &Link| model.item(link.to).user_value.is_none();
    for (_, link) in model.links_from(of).filter(|(id, link)| link.needed && !of_roles.contains(id) && is_item(link)) {
        add(&mut needs, &model.item(link.to).name);
    }
    if !needs.is_empty() {
        says.push(format!("pending while its {} does not exist", needs.join(" or ")));
    }
    says
}

fn of_unique_end(model: &Model, edge: &ItemType, UniqueEnd { end, guard, claim: _ }: &UniqueEnd) -> String {
    let (edge, guard) = (&edge.name, &model.item(*guard).name);
    format!("one for each {end}: another {edge} has no effect while the one that its {guard} names exists")
}

fn of_guard(model: &Model, guard: &Guard) -> Vec<String> {
    // Its link is among those of the item type.
    let Guard { owner, owner_attributes, claims, owner_link: _, writes: _ } = guard;
    let by: Vec<&str> = owner_attributes.iter().map(|(_, attribute)| attribute.as_str()).collect();
    let owner = &model.item(*owner).name;
    let mut says = vec![format!("reserves a value for the {owner} that its {} names", by.join(", "))];
    if claims.is_empty() {
        says.push("made by writers: no owner claims a value".to_owned());
    }
    for Claim { names, when, transfer } in claims {
        let of: Vec<String> = names.iter().map(|(name, template)| format!("{name} = {template}")).collect();
        let when = if when.is_empty() { String::new() } else { format!(" where {}", when) };
        let transfer = transfer.as_ref().map(|has| format!("; an owner whose {} takes it over", has));
        says.push(format!("unique: {}{when}{}", of.join(", "), transfer.unwrap_or_default()));
    }
    says
}

fn who<'m>(model: &'m Model, subject: &Subject) -> &'m str {
    match subject {
        Subject::Itself => "itself",
        Subject::Link(link) => &model.item(model.link(*link).to).name,
    }
}

fn of_grant(model: &Model, grant: &Grant) -> Vec<String> {
    let Grant { subject, scope, roles, role_links, from, until, when, last, role_names: _, same: _ } = grant;
    let roles = match roles {
        Roles::None => "access".to_owned(),
        Roles::Template(template) => format!("role {template}"),
        Roles::Attribute(attributes) => format!("roles (attribute {})", attributes.join(" or ")),
    };
    let scope = match scope {
        Scope::Global => "everywhere".to_owned(),
        Scope::Value(template) => format!("in {template}"),
        Scope::Links(links) => {
            let names: Vec<&str> = links.iter().map(|link| model.item(model.link(*link).to).name.as_str()).collect();
            format!("in its {}", names.join(" or "))
        }
    };
    let window = [("from", from), ("until", until)].into_iter().filter(|(_, paths)| !paths.is_empty());
    let window: String = window.map(|(word, paths)| format!(", {word} {}", paths.join(" or "))).collect();
    let to = match subject {
        Subject::Itself => "itself".to_owned(),
        Subject::Link(_) => format!("its {}", who(model, subject)),
    };
    let mut says = vec![format!("grants {to} {roles} {scope}{window}{}", only_while(when))];
    if let Some(first) = role_links.first().map(|link| model.link(*link)) {
        let mut items: Vec<&str> = Vec::new();
        role_links.iter().for_each(|link| add(&mut items, &model.item(model.link(*link).to).name));
        let items = items.join(" or ");
        says.push(match (first.needed, first.each.is_some()) {
            (false, _) => format!("its role is a {items}, which need not exist"),
            (true, false) => format!("its role is a {items}, which must exist"),
            (true, true) => format!("each role is a {items}, and pending while that does not exist"),
        });
    }
    if let Some(LastRevoked { written }) = last {
        let written = written.join(", ");
        let has_user = matches!(subject, Subject::Link(link) if model.item(model.link(*link).to).user.is_some());
        let alone = if has_user { " and Cognito has its user in no other group" } else { "" };
        says.push(format!(
            "revoking the last one deletes its {}, if its {written} is older{alone}",
            who(model, subject)
        ));
    }
    says
}

fn of_user(model: &Model, user: &CognitoUser) -> Vec<String> {
    let CognitoUser { name, when, create, delete, grace, disabled, attributes, unique, named_by_address: _ } = user;
    let create = match create {
        Create::Invite => "created with an invitation",
        Create::Silent => "created without a message",
        Create::Never => "never created",
    };
    let delete = match grace {
        Some(grace) => format!("disabled with the item and deleted {} later", duration_text(*grace)),
        None if *delete => "deleted with the item".to_owned(),
        None => "kept when the item is deleted".to_owned(),
    };
    let disabled: String = disabled.iter().map(|disabled| format!(", disabled while {}", disabled)).collect();
    let mut says = vec![format!("Cognito user {name}: {create}{disabled}, {delete}{}", only_while(when))];
    if !attributes.is_empty() {
        let attributes = attributes.iter().map(|(name, template)| format!("{name} = {template}"));
        says.push(format!("Cognito user attributes: {}", attributes.collect::<Vec<_>>().join(", ")));
    }
    if let Some(grace) = grace
        && !attributes.iter().any(|(name, _)| ADDRESSES.contains(&name.as_str()))
    {
        says.push(format!(
            "nothing tells people of one name apart: an item that is written under it within {} gets the earlier account, \
             with its password. An attribute {} prevents that",
            duration_text(*grace),
            ADDRESSES.join(" or ")
        ));
    }
    let mut of_guards: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
    for UniqueAttribute { attribute, guard, claim: _ } in unique {
        add(of_guards.entry(&model.item(*guard).name).or_default(), attribute);
    }
    for (guard, attributes) in of_guards {
        says.push(format!("{} only while its {guard} names it", attributes.join(", ")));
    }
    says
}

fn of_member(model: &Model, member: &CognitoMember) -> String {
    let CognitoMember { user, group, group_owner, when, sign_out, in_token, role: _, shared_with: _ } = member;
    let made = match group_owner {
        _ if *in_token => "in tokens alone".to_owned(),
        GroupOwner::Link(..) | GroupOwner::Itself(_) => "created with its item".to_owned(),
        GroupOwner::Nothing { deleted_with } => {
            let parents = deleted_with.iter().map(|link| model.item(model.link(*link).to).name.as_str());
            let parents: Vec<&str> = parents.collect::<BTreeSet<_>>().into_iter().collect();
            match parents.as_slice() {
                [] => "created for its first member".to_owned(),
                parents => format!("created for its first member, deleted with its {}", parents.join(" or ")),
            }
        }
        GroupOwner::People => "created by people".to_owned(),
    };
    let ends = if *sign_out { "; signed out when the membership is removed" } else { "" };
    let group = format!("is a member of Cognito group {group}, {made}{}{ends}", only_while(when));
    let value = match user {
        Subject::Link(link) => of_value(model, model.link(*link)),
        Subject::Itself => None,
    };
    match value {
        Some((UserValue::Sub, value)) => {
            format!("the user whose sub is {value} {group}; pending until the user signs up")
        }
        Some((UserValue::Name, value)) => format!(
            "the user with the name {value} {group}; pending until the user signs up. People choose their names: write \
             the item only after this user has signed in"
        ),
        None => format!("{} {group}", who(model, user)),
    }
}

/// The value by which a link names somebody who signs up.
fn of_value<'m>(model: &'m Model, link: &'m Link) -> Option<(UserValue, &'m Template)> {
    model.item(link.to).user_value.zip(link.names.values().next())
}

/// Where the tenant of events comes from.
fn tenant(model: &Model) -> String {
    if model.tenant.is_empty() {
        return String::new();
    }
    let has_grants = model.items.iter().any(|item| item.grant.is_some() && !item.publish.is_empty());
    let of_grants = if has_grants { "; without one, a grant has that of its subject or scope" } else { "" };
    format!(", tenant {}{of_grants}", model.tenant.join(" or "))
}

fn events(item: &ItemType) -> Vec<String> {
    if item.publish.is_empty() {
        return vec!["none".to_owned()];
    }
    let as_word = |VerbWord { word, when, by_ttl, changed }: &VerbWord| {
        let is_alone = changed.is_empty() && !by_ttl || when.alternatives.len() < 2;
        let when = (!when.is_empty()).then(|| if is_alone { when.to_string() } else { format!("({when})") });
        let changed = (!changed.is_empty()).then(|| format!("{} changed", changed.join(" or ")));
        let ttl = by_ttl.then(|| "by TTL".to_owned());
        let all: Vec<String> = when.into_iter().chain(changed).chain(ttl).collect();
        if all.is_empty() { word.to_string() } else { format!("{word} if {}", all.join(" and ")) }
    };
    let verb = |verb: &Verb| {
        let always = if *verb == Verb::Updated && item.publish_unchanged { " by every write" } else { "" };
        match item.verb_words.get(verb) {
            Some(words) => {
                let words = words.iter().map(as_word).collect::<Vec<_>>().join(", else ");
                format!("{}{always} (as {words})", verb.word())
            }
            None => format!("{}{always}", verb.word()),
        }
    };
    let entity = match item.entity.as_slice() {
        [entity] if entity.source() == item.name => String::new(),
        [] => String::new(),
        templates => format!(" as {}", templates.iter().map(Template::source).collect::<Vec<_>>().join(" or ")),
    };
    // Revocations and grants are events of the subject.
    let has_subject = item.grant.as_ref().is_some_and(|grant| !matches!(grant.subject, Subject::Itself));
    let is_of_subject = |verb: &&Verb| has_subject && matches!(verb, Verb::Granted | Verb::Revoked);
    let published = Verb::ALL.iter().filter(|verb| item.publish.contains(verb));
    let (of_subject, own): (Vec<&Verb>, Vec<&Verb>) = published.partition(is_of_subject);
    let part = |verbs: Vec<&Verb>, entity: &str| {
        let verbs: Vec<String> = verbs.into_iter().map(verb).collect();
        (!verbs.is_empty()).then(|| format!("{}{entity}", verbs.join(", ")))
    };
    let parts = [part(own, &entity), part(of_subject, " as its subject")];
    let head = parts.into_iter().flatten().collect::<Vec<_>>().join("; ");
    if item.attributes.is_empty() {
        vec![format!("{head}; keys only")]
    } else {
        vec![head, format!("with {}", item.attributes.join(", "))]
    }
}
