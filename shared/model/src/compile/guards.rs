//! Guards: the owner of each, and the unique values of an owner.

use std::collections::BTreeMap;

use crate::errors::{Mistake, Mistakes};
use crate::file::{DraftClaim, DraftGuard, FindWord, GuardFind, Reference, no_such_type};
use crate::identity::BOOKKEEPING_ATTRIBUTE;
use crate::messages::{list, near_word};
use crate::model::{Claim, Guard, LinkId, LinkRole, TypeId};
use crate::path::attribute_of;
use crate::source::Located;
use crate::template::{Slot, Template};

use super::context::{Context, TypeContext};
use super::items::{check_names, plain_condition, unbound};
use super::links::{LinkReason, Links, Resolution};

/// The name for the time of the write, in what a new guard contains.
const NOW: &str = "now";

pub(super) fn guard(
    context: &Context<'_>,
    entry: &TypeContext<'_>,
    guard: &DraftGuard,
    mistakes: &mut Mistakes,
) -> Option<Guard> {
    let Some(owner) = context.type_id(&guard.owner.value) else {
        let known: Vec<&str> = context.items.iter().map(|item| item.draft.name.value.as_str()).collect();
        mistakes.add(no_such_type(&guard.owner, &known));
        return None;
    };
    let owner_attributes = owner_attributes(context, owner, guard, mistakes);
    let claims = match &guard.claims {
        None => {
            let own = DraftClaim { when: Vec::new(), names: Vec::new(), transfer: None };
            vec![claim(context, entry, owner, &own, mistakes)]
        }
        Some(claims) => claims.iter().map(|said| claim(context, entry, owner, said, mistakes)).collect(),
    };
    if claims.is_empty() {
        check_claimless(entry, guard, mistakes);
    }
    let mut known: Vec<&str> = entry.key_names.iter().map(String::as_str).collect();
    known.push(NOW);
    for (_, template) in &guard.writes {
        for name in template.value.names().filter(|name| !known.contains(name)) {
            mistakes.add(unbound(template, name, &known, "a guard is written from its key and the time:"));
        }
    }
    let is_now = |template: &Located<Template>| template.value.names().any(|name| name == NOW);
    if entry.key_names.contains(NOW)
        && let Some((_, template)) = guard.writes.iter().find(|(_, template)| is_now(template))
    {
        let message = format!("`{{{NOW}}}` is the time, and the key of this guard has a `{NOW}`, too");
        mistakes.add(Mistake::new(template.span, message, "which of them?").help("rename it in the key"));
    }
    check_written(context, entry, guard, &owner_attributes, mistakes);
    check_dues(context, entry, &owner_attributes, mistakes);
    check_forms(entry, guard, mistakes);
    let writes = guard.writes.iter().map(|(attribute, template)| (attribute.value.clone(), template.value.clone()));
    Some(Guard { owner, owner_attributes, owner_link: None, claims, writes: writes.collect() })
}

/// The link from guards to the owner that their attributes name, if the model says how a deleted owner finds them.
pub(super) fn owner_link(
    context: &Context<'_>,
    entry: &TypeContext<'_>,
    guard: &Guard,
    links: &mut Links<'_, '_>,
    mistakes: &mut Mistakes,
) -> Option<LinkId> {
    let said = entry.draft.guard.as_ref()?;
    let find = said.find.as_ref()?;
    // An owner whose key has several spellings, or no names, is refused already.
    let is_one = matches!(context.entry(guard.owner).forms.as_slice(), [form] if !form.names.is_empty());
    if !is_one {
        return None;
    }
    let at = find.span;
    let named = |(name, attribute): &(String, String)| {
        (Located::new(at, name.clone()), Located::new(at, Template::single(attribute)))
    };
    let reference = Reference {
        to: Located::new(at, said.owner.value.clone()),
        needed: false,
        find: matches!(find.value, GuardFind::BackReference).then_some(FindWord::BackReference),
        when: None,
        written: Vec::new(),
        names: guard.owner_attributes.iter().map(named).collect(),
    };
    let reason = LinkReason { role: LinkRole::Owner, needed: false, role_text: None };
    match links.resolve(entry.id, &reference, &reason, mistakes) {
        Resolution::Links(links) => links.into_iter().next(),
        Resolution::Itself | Resolution::Failed => None,
    }
}

/// Guards that no owner claims are made by writers alone. Only their attributes lead to them, and Instep writes none.
fn check_claimless(entry: &TypeContext<'_>, guard: &DraftGuard, mistakes: &mut Mistakes) {
    let (name, owner) = (&entry.draft.name.value, &guard.owner.value);
    if guard.find.is_none() {
        let message = format!("no claim leads from a deleted `{owner}` to the `{name}` items that name it");
        let help = "say in `guard` how it finds them: `find = \"back-reference\"`, or `find = \"query\"` if a partition or \
                    an index leads to them; or remove `claims = []`";
        mistakes.add(Mistake::new(guard.owner.span, message, "they would stay").help(help));
    }
    if let Some((attribute, _)) = guard.writes.first() {
        let message = format!("Instep creates no `{name}`: `claims = []` says that no owner claims one");
        mistakes.add(Mistake::new(attribute.span, message, "has no effect").help("remove `writes`, or add a claim"));
    }
}

/// The attribute of the guard for each name of the owner's key. All of them are needed, so that the
/// owner can be read.
fn owner_attributes(
    context: &Context<'_>,
    owner: TypeId,
    guard: &DraftGuard,
    mistakes: &mut Mistakes,
) -> Vec<(String, String)> {
    let target = context.entry(owner);
    let known: Vec<&str> = target.key_names.iter().map(String::as_str).collect();
    for (name, _) in guard.by.iter().filter(|(name, _)| !target.key_names.contains(&name.value)) {
        let help = match near_word(&name.value, &known) {
            Some(near) => format!("did you mean `{near}`?"),
            None => format!("its key has {}", list(&known)),
        };
        let message = format!("`{}` is not a name in the key of `{}`", name.value, guard.owner.value);
        mistakes.add(Mistake::new(name.span, message, "not known").help(help));
    }
    let differ = target.forms.iter().any(|form| form.names != target.key_names);
    if differ || known.is_empty() {
        let message = format!("a guard's attributes cannot determine which `{}` is its owner", guard.owner.value);
        let help =
            format!("the key of `{}` is written with different names: split the item type in two", guard.owner.value);
        mistakes.add(Mistake::new(guard.owner.span, message, "here").help(help));
    } else if target.forms.len() > 1 {
        let message = format!("a `{}` may have several items, one for each spelling of its key", guard.owner.value);
        let help = "an owner of unique values has one item: give its key one spelling";
        mistakes.add(Mistake::new(guard.owner.span, message, "which of them owns the value?").help(help));
    }
    let mut attributes = Vec::new();
    for name in &target.key_names {
        let said = guard.by.iter().find(|(said, _)| said.value == *name).map(|(_, attribute)| attribute.value.clone());
        let attributes_of_rule = context.rules.names.get(name).map_or(&[][..], |rule| &rule.attributes);
        if let (None, [first, _, ..]) = (&said, attributes_of_rule) {
            mistakes.add(in_several(guard, name, first, attributes_of_rule));
        }
        let rule = attributes_of_rule.first().cloned();
        if said.is_none() && rule.is_none() && name.contains('.') {
            let message = format!("no attribute of the guard has `{name}` of its owner");
            let help = format!("name it: `by = {{ \"{name}\" = \"anAttribute\" }}`");
            mistakes.add(Mistake::new(guard.owner.span, message, "who is the owner?").help(help));
        }
        attributes.push((name.clone(), said.or(rule).unwrap_or_else(|| name.clone())));
    }
    attributes
}

/// A guard that names its owner in the second attribute would seem to have no owner, and the value
/// would be given away.
fn in_several(guard: &DraftGuard, name: &str, first: &str, all: &[String]) -> Mistake {
    let message = format!("the rule of `{name}` names several attributes, and a guard has its owner in one");
    let by = format!("by = {{ \"{name}\" = \"{first}\" }}");
    let help = format!("say which of {} guards have: `{by}`", list(all));
    Mistake::new(guard.owner.span, message, "who is the owner?").help(help)
}

/// No two words write one attribute of a guard. Otherwise it would name another owner, or not have
/// what the model gives it.
fn check_written(
    context: &Context<'_>,
    entry: &TypeContext<'_>,
    guard: &DraftGuard,
    owner_attributes: &[(String, String)],
    mistakes: &mut Mistakes,
) {
    let mut names: BTreeMap<&str, &str> = BTreeMap::new();
    for (name, attribute) in owner_attributes {
        let by = guard.by.iter().find(|(said, _)| said.value == *name);
        let at = by.map_or(guard.owner.span, |(_, attribute)| attribute.span);
        let other = names.insert(attribute, name);
        let is = if let Some(other) = other {
            Some(format!("it has `{other}`"))
        } else if attribute != name && attribute_of(attribute) != attribute {
            Some("it is a path".to_owned())
        } else if is_indexed_by(context, entry, attribute) {
            None
        } else {
            of_its_own(context, entry, attribute).map(|(is, _)| format!("it is {is}"))
        };
        if let Some(is) = is {
            let message = format!("the attribute `{attribute}` cannot have `{name}` of the guard's owner: {is}");
            let help = format!("choose another attribute: `by = {{ \"{name}\" = \"anAttribute\" }}`");
            mistakes.add(Mistake::new(at, message, "who is the owner?").help(help));
        }
    }
    for (attribute, _) in &guard.writes {
        if let Some((is, help)) = of_its_own(context, entry, &attribute.value) {
            let message = format!("`{}` is {is}", attribute.value);
            mistakes.add(Mistake::new(attribute.span, message, "here").help(format!("remove it: {help}")));
        } else if let Some(name) = names.get(attribute.value.as_str()) {
            let message = format!("`{}` has `{name}` of the guard's owner", attribute.value);
            let help = format!("remove it, or choose another attribute for the owner: `by = {{ \"{name}\" = \"…\" }}`");
            mistakes.add(Mistake::new(attribute.span, message, "here").help(help));
        }
    }
}

/// The claim of a value decides who owns it, and how long the guard exists.
fn check_dues(
    context: &Context<'_>,
    entry: &TypeContext<'_>,
    owner_attributes: &[(String, String)],
    mistakes: &mut Mistakes,
) {
    for (set, _) in entry.draft.due.iter().flat_map(|due| &due.set) {
        let is = if owner_attributes.iter().any(|(_, attribute)| attribute_of(attribute) == set.value) {
            "says who owns the value"
        } else if context.draft.table.ttl.value == set.value {
            "is the TTL attribute, and a guard exists as long as its claim"
        } else {
            continue;
        };
        let message = format!("`{}` {is}: Instep would write the guard again", set.value);
        let help = "let a `due` rule of the owner change what `claims.when` tests";
        mistakes.add(Mistake::new(set.span, message, "would be undone").help(help));
    }
}

/// All spellings of a guard's key have the same names: a claim gives all of them. A new guard has an attribute
/// for each, unless `writes` says otherwise.
fn check_forms(entry: &TypeContext<'_>, guard: &DraftGuard, mistakes: &mut Mistakes) {
    if entry.forms.iter().any(|form| form.names != entry.key_names) {
        let message = format!("the key of `{}` is written with different names", entry.draft.name.value);
        let help = "a guard has one value: write an item type for each spelling";
        mistakes.add(Mistake::new(guard.owner.span, message, "which value is unique?").help(help));
    }
    if guard.writes.is_empty() && entry.key_names.contains(BOOKKEEPING_ATTRIBUTE) {
        let message =
            format!("a guard would have an attribute `{BOOKKEEPING_ATTRIBUTE}`: Instep knows its own items by it");
        let help = "choose another name in the key, or say with `writes` what a new guard has";
        mistakes.add(Mistake::new(guard.owner.span, message, "here").help(help));
    }
}

/// Whether an index of a guard has the attribute that names its owner, as it is, for its key.
fn is_indexed_by(context: &Context<'_>, entry: &TypeContext<'_>, name: &str) -> bool {
    // The name of a rule may be in other attributes.
    let is_elsewhere = |attributes: &Vec<String>| !attributes.is_empty() && *attributes != [name];
    if context.rules.names.get(name).is_some_and(|rule| is_elsewhere(&rule.attributes)) {
        return false;
    }
    let is_it = |attributes: Option<&Vec<String>>, template: Option<&Located<Template>>| {
        attributes.and_then(|all| all.first()).is_some_and(|own| own == name)
            && template.and_then(|template| template.value.as_single()).is_some_and(|slot| *slot == Slot::plain(name))
    };
    let mut declared = entry.draft.indexes.iter();
    !entry.key_names.contains(name)
        && declared.any(|keys| {
            let index = context.indexes.iter().find(|index| index.name == keys.index.value);
            index.is_some_and(|index| {
                is_it(Some(&index.pk), keys.pk.as_ref()) || is_it(index.sk.as_ref(), keys.sk.as_ref())
            })
        })
}

/// What an attribute of a guard is if no word of `guard` decides its value, and what does.
fn of_its_own(context: &Context<'_>, entry: &TypeContext<'_>, attribute: &str) -> Option<(String, &'static str)> {
    let table = &context.draft.table;
    if attribute == BOOKKEEPING_ATTRIBUTE {
        return Some(("reserved for Instep's own items".to_owned(), "Instep knows its own items by it"));
    }
    if [&table.pk, &table.sk].iter().any(|key| key.value == attribute) {
        return Some(("a key of the table".to_owned(), "the claim determines the keys"));
    }
    if table.type_attribute.as_ref().is_some_and(|own| own.value == attribute) {
        return Some(("the attribute with the item type's name".to_owned(), "the item type determines it"));
    }
    if table.ttl.value == attribute {
        return Some(("the TTL attribute of the table".to_owned(), "a guard exists as long as its claim"));
    }
    let declared = |name: &str| entry.draft.indexes.iter().any(|keys| keys.index.value == name);
    let mut indexes = context.indexes.iter().filter(|index| declared(&index.name));
    let index = indexes.find(|index| index.pk.iter().chain(index.sk.iter().flatten()).any(|own| own == attribute))?;
    Some((format!("a key of the index `{}`", index.name), "the templates of the index determine it"))
}

fn claim(
    context: &Context<'_>,
    entry: &TypeContext<'_>,
    owner: TypeId,
    said: &DraftClaim,
    mistakes: &mut Mistakes,
) -> Claim {
    let guard_names: Vec<&str> =
        entry.forms.first().into_iter().flat_map(|form| &form.names).map(String::as_str).collect();
    for (name, _) in said.names.iter().filter(|(name, _)| !guard_names.contains(&name.value.as_str())) {
        let more: Vec<&str> = guard_names.iter().copied().chain(["when", "transfer"]).collect();
        let help = match near_word(&name.value, &more) {
            Some(near) => format!("did you mean `{near}`?"),
            None => {
                format!("the guard's key has {}; a claim also takes `when` and `transfer`", list(&guard_names))
            }
        };
        let message = format!("`{}` is not a name in the key of `{}`", name.value, entry.draft.name.value);
        mistakes.add(Mistake::new(name.span, message, "not known").help(help));
    }
    let mut names: BTreeMap<String, Template> = BTreeMap::new();
    for name in guard_names {
        let given = said.names.iter().find(|(given, _)| given.value == *name).map(|(_, template)| template);
        if given.is_none() && name.contains('.') && !context.entry(owner).known.contains(name) {
            let message = format!("cannot determine `{name}` in this claim");
            let help = format!(
                "add a claim: `[[items.{}.claims]]` with `\"{name}\" = \"{{anAttribute}}\"`",
                entry.draft.name.value
            );
            mistakes.add(Mistake::new(entry.draft.name.span, message, "here").help(help));
            continue;
        }
        if let Some(template) = given {
            check_names(context, owner, template, &[], mistakes);
        }
        let at = given.map_or(entry.draft.name.span, |template| template.span);
        let own = given.map_or_else(|| Template::single(name), |template| template.value.clone());
        let template = context.as_in_key(entry.id, name, &own);
        context.check_text((owner, entry.id), name, (&template, at), mistakes);
        names.insert(name.to_owned(), template);
    }
    Claim { when: plain_condition(&said.when), names, transfer: said.transfer.as_ref().map(plain_condition) }
}
