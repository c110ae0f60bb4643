//! How an item finds what it depends on, and how that finds the item. Both follow from the
//! templates.

use std::collections::{BTreeMap, BTreeSet};

use crate::model::{FindQuery, KeyForm, ToDependents, ToParent, TypeId};
use crate::template::{Slot, Template, TemplatePart};

use super::context::{Context, IndexTemplates};

/// How `from` finds `to`, given templates for some key names of `to`. May add names that an index
/// of `to` needs.
pub(super) fn up(context: &Context<'_>, from: TypeId, to: TypeId, names: &mut BTreeMap<String, Template>) -> ToParent {
    let target = context.entry(to);
    // If the key has several forms, some names of one form could be all names of another.
    if target.key_names.iter().all(|name| names.contains_key(name)) {
        return ToParent::Key;
    }
    // What has names beside the key is known by an index key or an attribute.
    let is_in_key = names.keys().all(|name| target.key_names.contains(name));
    if let Some(way) = up_by_partition(&target.forms, names).filter(|_| is_in_key) {
        return way;
    }
    let shared = |name: &str| is_shared(context, from, to, name);
    let is_given = |template: &Template| template.names().all(|name| names.contains_key(name));
    let mut best = None;
    for IndexTemplates { index, pk, sk } in context.index_templates_of_all_forms(to) {
        let sk_is_whole = sk.as_ref().is_some_and(is_given);
        let sk_prefix = sk.map(|sk| given_prefix(&sk, names)).unwrap_or_default();
        let sk_names = sk_prefix.names().next().is_some();
        let renders = pk.names().all(|name| names.contains_key(name) || shared(name));
        // A name that both have may differ, or the other item may lack it: it counts only if need be.
        let rank = (is_given(&pk), sk_is_whole, sk_names);
        let better = best.as_ref().is_none_or(|(before, _)| rank > *before);
        if renders && has_name(&pk, &sk_prefix) && better {
            let sk_prefix = if sk_is_whole || sk_names { sk_prefix } else { Template::default() };
            best = Some((rank, ToParent::Index { index, pk, sk_prefix, sk_is_whole }));
        }
    }
    let Some((_, way)) = best else { return ToParent::Unknown };
    if let ToParent::Index { pk, .. } = &way {
        for name in pk.names() {
            names.entry(name.to_owned()).or_insert_with(|| Template::single(name));
        }
    }
    way
}

/// The queries of the table, if a reference gives the partition under every form of the key.
fn up_by_partition(forms: &[KeyForm], names: &BTreeMap<String, Template>) -> Option<ToParent> {
    let mut queries: Vec<FindQuery> = Vec::new();
    for form in forms {
        if !form.pk.names().all(|name| names.contains_key(name)) {
            return None;
        }
        let with_pk = forms.iter().filter(|other| other.pk == form.pk);
        let prefixes = with_pk.map(|other| given_prefix(&other.sk, names));
        let sk_prefix = prefixes.reduce(|one, other| common_prefix(&one, &other)).unwrap_or_default();
        if !has_name(&form.pk, &sk_prefix) {
            return None;
        }
        let query = FindQuery { index: None, pk: form.pk.clone(), sk_prefix };
        if !queries.contains(&query) {
            queries.push(query);
        }
    }
    Some(ToParent::Partition(queries))
}

/// The beginning of a template that given names render.
fn given_prefix(template: &Template, names: &BTreeMap<String, Template>) -> Template {
    let is_given = |part: &&TemplatePart| match part {
        TemplatePart::Constant(_) => true,
        TemplatePart::Name(slot) => names.contains_key(&slot.name),
    };
    Template::from_parts(template.parts().iter().take_while(is_given).cloned())
}

/// Whether both item types have this name, with the same meaning: not a time and not a state of one
/// of them.
fn is_shared(context: &Context<'_>, from: TypeId, to: TypeId, name: &str) -> bool {
    let is_moment = context.rules.names.get(name).is_some_and(|rule| rule.is.is_some());
    let is_set = context.texts(from).values_of(name).is_some() || context.texts(to).values_of(name).is_some();
    context.entry(from).known.contains(name) && !is_moment && !is_set && !context.entry(to).key_names.contains(name)
}

/// How an item of `to` finds the items of `from` that depend on it. `None` if the templates give no
/// way, or one that also leads to the dependents of other items.
pub(super) fn find(
    context: &Context<'_>,
    from: TypeId,
    to: TypeId,
    when: Option<&(String, String)>,
    names: &BTreeMap<String, Template>,
) -> Option<ToDependents> {
    let forms = &context.entry(from).forms;
    let inverse = Inverse::new(&context.entry(to).key_names, forms, when, names);
    let mut queries: Vec<FindQuery> = Vec::new();
    // A partition of the table is read consistently, so it comes before an index. An index shows
    // what no such partition contains.
    let mut elsewhere: Vec<&KeyForm> = Vec::new();
    for form in forms {
        match inverse.in_table(form, forms) {
            Some(query) if queries.contains(&query) => {}
            Some(query) => queries.push(query),
            None => elsewhere.push(form),
        }
    }
    for form in elsewhere {
        let query = inverse.in_index(context, from, form)?;
        if !queries.contains(&query) {
            queries.push(query);
        }
    }
    Some(ToDependents::Queries(queries))
}

fn has_name(pk: &Template, sk_prefix: &Template) -> bool {
    pk.names().chain(sk_prefix.names()).next().is_some()
}

/// From the names of the dependent item to those of the item that it depends on.
struct Inverse<'a> {
    /// By name and whether it is in lower case: the key name of the other item.
    names: BTreeMap<(&'a str, bool), &'a str>,
    /// A name whose value the link determines.
    fixed: Option<&'a (String, String)>,
}

impl<'a> Inverse<'a> {
    fn new(
        key_names: &BTreeSet<String>,
        forms: &[KeyForm],
        when: Option<&'a (String, String)>,
        names: &'a BTreeMap<String, Template>,
    ) -> Self {
        let given = names.iter().filter(|(name, _)| key_names.contains(*name));
        let single = given.filter_map(|(name, template)| {
            // A name that only the reference pads has another text in the item's own keys.
            let is_padded_alike = |slot: &Slot| {
                let own = forms.iter().flat_map(KeyForm::slots);
                let mut own = own.filter(|own| own.name == slot.name).peekable();
                slot.pad.is_none() || own.peek().is_some() && own.all(|own| own.pad == slot.pad)
            };
            let slot = template.as_single().filter(|slot| !slot.urlencode && is_padded_alike(slot))?;
            Some(((slot.name.as_str(), slot.lower), name.as_str()))
        });
        Self { names: single.collect(), fixed: when }
    }

    /// The partition of the table with the items of a form, and with what has the same partition
    /// key in another form.
    fn in_table(&self, form: &KeyForm, forms: &[KeyForm]) -> Option<FindQuery> {
        let (pk, whole) = self.prefix_of(&form.pk);
        let spellings = forms.iter().filter(|other| other.pk == form.pk);
        let sk = spellings.map(|other| self.prefix_of(&other.sk).0).reduce(|one, other| common_prefix(&one, &other));
        let sk_prefix = sk.unwrap_or_default();
        (whole && has_name(&pk, &sk_prefix)).then_some(FindQuery { index: None, pk, sk_prefix })
    }

    /// The partition of an index with the items of a form.
    fn in_index(&self, context: &Context<'_>, from: TypeId, form: &KeyForm) -> Option<FindQuery> {
        context.index_templates(from, form).into_iter().find_map(|keys| {
            let (pk, whole) = self.prefix_of(&keys.pk);
            let sk_prefix = keys.sk.map(|sk| self.prefix_of(&sk).0).unwrap_or_default();
            (whole && has_name(&pk, &sk_prefix)).then_some(FindQuery { index: Some(keys.index), pk, sk_prefix })
        })
    }

    /// The beginning of a template that the names of the other item determine, as a template over
    /// those names, and whether it is complete.
    fn prefix_of(&self, template: &Template) -> (Template, bool) {
        let parts = template.parts();
        let known: Vec<TemplatePart> = parts.iter().map_while(|part| self.part(part)).collect();
        let whole = known.len() == parts.len();
        (Template::from_parts(known), whole)
    }

    fn part(&self, part: &TemplatePart) -> Option<TemplatePart> {
        let slot = match part {
            TemplatePart::Constant(constant) => return Some(TemplatePart::Constant(constant.clone())),
            TemplatePart::Name(slot) => slot,
        };
        if let Some((_, value)) = self.fixed.filter(|(name, _)| *name == slot.name) {
            return Some(TemplatePart::Constant(slot.apply(value).into_owned()));
        }
        let plain = self.names.get(&(slot.name.as_str(), false));
        let lower = slot.lower.then(|| self.names.get(&(slot.name.as_str(), true))).flatten();
        plain.or(lower).map(|name| TemplatePart::Name(Slot { name: (*name).to_owned(), ..slot.clone() }))
    }
}

/// What two templates have in common at their beginnings.
pub(super) fn common_prefix(one: &Template, other: &Template) -> Template {
    let mut common = Vec::new();
    for pair in one.parts().iter().zip(other.parts()) {
        match pair {
            (TemplatePart::Constant(first), TemplatePart::Constant(second)) if first != second => {
                let same = first.chars().zip(second.chars()).take_while(|(a, b)| a == b);
                common.push(TemplatePart::Constant(same.map(|(c, _)| c).collect()));
                break;
            }
            (first, second) if first == second => common.push(first.clone()),
            _ => break,
        }
    }
    Template::from_parts(common)
}
