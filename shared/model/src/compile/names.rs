//! The rules for names: closed sets, shapes, and the characters that end a name.

use std::collections::{BTreeMap, BTreeSet};

use crate::errors::{Mistake, Mistakes};
use crate::file::{DraftGroups, DraftItem, DraftModel, DraftScope, ROLE};
use crate::matching::Texts;
use crate::messages::near_word;
use crate::model::{End, Ends, NameRule};
use crate::source::{Located, Span};
use crate::template::{Slot, Template, TemplatePart, base, is_url_encoded};

/// The maximum number of parts of a shape, with the shapes inside it expanded. The number doubles
/// with each shape that the next one uses twice.
const SHAPE_PARTS_MAX: usize = 64;

/// What is known of names before there is a model.
#[derive(Debug, Default)]
pub(super) struct NameRules {
    pub(super) names: BTreeMap<String, NameRule>,
    pub(super) forbidden: BTreeMap<String, Ends>,
    pub(super) lowered: BTreeSet<String>,
    /// Per item type, by name.
    pub(super) values: BTreeMap<String, BTreeMap<String, Vec<String>>>,
}

impl NameRules {
    pub(super) fn texts(&self, item: &str) -> Texts<'_> {
        static NONE: BTreeMap<String, Vec<String>> = BTreeMap::new();
        Texts { names: &self.names, forbidden: &self.forbidden, values: self.values.get(item).unwrap_or(&NONE) }
    }

    /// What ends another name ends this one, too.
    fn end(&mut self, name: &str, ends: &Ends) {
        let own = self.forbidden.entry(name.to_owned()).or_default();
        for (character, end) in ends {
            own.entry(*character).or_insert_with(|| end.clone());
        }
    }
}

pub(super) fn rules(draft: &DraftModel, mistakes: &mut Mistakes) -> NameRules {
    let mut rules = NameRules::default();
    for (name, said) in &draft.names {
        if name.value.contains('.') && (!said.values.is_empty() || said.like.is_some()) {
            let message = format!("`{}` follows the rule of `{}`", name.value, base(&name.value));
            let help = format!("write the rule for `{}`; only `attribute` is allowed here", base(&name.value));
            mistakes.add(Mistake::new(name.span, message, "two ends of one name").help(help));
        }
        let values = plain(&said.values);
        let like = said.like.as_ref().map(|like| like.value.clone());
        rules.names.insert(name.value.clone(), NameRule { values, like, ..said.rule.clone() });
    }
    for item in &draft.items {
        let values = item.values.iter().map(|(name, values)| (name.value.clone(), plain(values)));
        rules.values.insert(item.name.value.clone(), values.collect());
    }
    check_shapes(draft, &rules, mistakes);
    check_sizes(draft, mistakes);
    if !mistakes.is_empty() {
        return rules;
    }
    forbid(draft, &mut rules, mistakes);
    lower(draft, &mut rules);
    check_sets(draft, &rules, mistakes);
    check_keys(draft, &rules, mistakes);
    check_used(draft, mistakes);
    rules
}

fn plain(values: &[Located<String>]) -> Vec<String> {
    values.iter().map(|value| value.value.clone()).collect()
}

/// All templates that take part in keys, index keys and Cognito names, with the item type that has
/// them.
fn templates(draft: &DraftModel) -> impl Iterator<Item = &Located<Template>> {
    draft.items.iter().flatten_templates().chain(draft.names.iter().filter_map(|(_, said)| said.like.as_ref()))
}

trait FlattenTemplates<'a> {
    fn flatten_templates(self) -> impl Iterator<Item = &'a Located<Template>>;
}

impl<'a, I: Iterator<Item = &'a DraftItem>> FlattenTemplates<'a> for I {
    fn flatten_templates(self) -> impl Iterator<Item = &'a Located<Template>> {
        self.flat_map(|item| {
            let indexes = item.indexes.iter().flat_map(|keys| keys.pk.iter().chain(&keys.sk));
            item.pk.iter().chain(&item.sk).chain(indexes).chain(cognito_templates(item))
        })
    }
}

fn cognito_templates(item: &DraftItem) -> impl Iterator<Item = &Located<Template>> {
    let members = item.members.iter().filter_map(|member| match &member.group {
        DraftScope::Value(template) => Some(template),
        DraftScope::Item(_) => None,
    });
    // Its text stands for a role in the names of groups.
    let grant = item.grant.iter().filter(|_| !item.members.is_empty());
    let roles = grant.filter_map(|grant| grant.roles_template.as_ref());
    let groups = item.groups.iter().map(|groups| &groups.name);
    item.user.iter().map(|user| &user.name).chain(groups).chain(members).chain(roles)
}

/// The names whose text stands for a role in the name of a group, each with the name in that
/// group's template.
fn role_names(draft: &DraftModel) -> Vec<(&str, &str)> {
    let mut pairs = Vec::new();
    for item in &draft.items {
        let Some(grant) = &item.grant else { continue };
        let of_template = grant.roles_template.iter().flat_map(|template| template.value.names());
        let names: Vec<&str> = grant.roles.iter().map(|name| name.value.as_str()).chain(of_template).collect();
        let standing = item.members.iter().flat_map(|member| match &member.group {
            DraftScope::Value(_) => vec![ROLE],
            DraftScope::Item(reference) => {
                let of = draft.items.iter().find(|item| item.name.value == reference.to.value);
                let in_key = |of: &DraftItem, name: &str| {
                    of.pk.iter().chain(&of.sk).any(|template| template.value.names().any(|own| own == name))
                };
                let groups = of.into_iter().flat_map(|of| of.groups.iter().map(move |groups| (of, groups)));
                groups.flat_map(|(of, groups)| groups.name.value.names().filter(|name| !in_key(of, name))).collect()
            }
        });
        let standing: Vec<&str> = standing.collect();
        pairs.extend(names.iter().flat_map(|name| standing.iter().map(|standing| (base(name), base(standing)))));
    }
    pairs
}

/// Shapes end: the shape of a name contains neither the name nor a name whose shape contains it.
fn check_shapes(draft: &DraftModel, rules: &NameRules, mistakes: &mut Mistakes) {
    for (name, said) in &draft.names {
        let Some(like) = &said.like else { continue };
        if !said.values.is_empty() {
            let message = format!("`{}` has both a shape and fixed values", name.value);
            mistakes.add(Mistake::new(like.span, message, "one of them").help("the fixed values are enough"));
        }
        let mut within: Vec<&str> = like.value.names().collect();
        let mut seen: BTreeSet<&str> = BTreeSet::new();
        while let Some(inner) = within.pop() {
            if inner == name.value {
                let message = format!("the shape of `{}` contains `{}` again", name.value, name.value);
                mistakes.add(Mistake::new(like.span, message, "never ends").help("use another name in the shape"));
                break;
            }
            if inner.contains('.') {
                let message = format!("a shape cannot contain `{inner}`");
                mistakes.add(Mistake::new(like.span, message, "a name with a dot").help("remove the dot"));
                break;
            }
            if seen.insert(inner) {
                let deeper = rules.names.get(inner).and_then(|rule| rule.like.as_ref());
                within.extend(deeper.into_iter().flat_map(Template::names));
            }
        }
    }
}

/// Shapes stay small when they are expanded.
fn check_sizes(draft: &DraftModel, mistakes: &mut Mistakes) {
    let shapes = || draft.names.iter().filter_map(|(name, said)| Some((name.value.as_str(), said.like.as_ref()?)));
    let mut sizes: BTreeMap<&str, usize> = BTreeMap::new();
    // Shapes are nested no deeper than there are shapes.
    for _ in shapes() {
        for (name, like) in shapes() {
            let within = like.value.names().map(|inner| sizes.get(inner).copied().unwrap_or(1));
            let size = within.fold(like.value.parts().len(), usize::saturating_add);
            sizes.insert(name, size);
        }
    }
    for (name, like) in shapes().filter(|(name, _)| sizes.get(name).is_some_and(|size| *size > SHAPE_PARTS_MAX)) {
        let message =
            format!("the shape of `{name}` has more than {SHAPE_PARTS_MAX} parts, including the shapes in it");
        mistakes.add(Mistake::new(like.span, message, "too many").help("use names without a shape in it"));
    }
}

/// INVARIANT 2: the value of a name never contains what ends the name in some template. So no value
/// can be parsed as more than the name.
fn forbid(draft: &DraftModel, rules: &mut NameRules, mistakes: &mut Mistakes) {
    for template in templates(draft) {
        for (slot, next) in followed(&template.value) {
            let Some(first) = next.chars().next() else { continue };
            if !slot.urlencode || !is_url_encoded(first) {
                let end = || End { template: template.value.clone(), span: template.span, place: String::new() };
                rules.forbidden.entry(base(&slot.name).to_owned()).or_default().entry(first).or_insert_with(end);
            }
            if slot.urlencode && (first == '%' || first.is_ascii_hexdigit()) {
                let message = format!("cannot determine where `{slot}` ends in `{first}`");
                let help = "put a character there that URL encoding never produces, such as `#` or `:`";
                mistakes.add(Mistake::new(template.span, message, "URL encoding produces such characters").help(help));
            }
            if slot.pad.is_some() && first.is_ascii_digit() {
                let message = format!("cannot determine where `{slot}` ends in `{first}`");
                let help = "put another character there, such as `#` or `:`";
                mistakes.add(Mistake::new(template.span, message, "a digit ends no number").help(help));
            }
        }
    }
    // What ends a role in the name of a group also ends the name that has the role.
    for (name, standing) in role_names(draft) {
        let ends = rules.forbidden.get(standing).cloned().unwrap_or_default();
        rules.end(name, &ends);
    }
    // What ends a name with a shape also ends the names in the shape.
    let shapes: Vec<(String, Template)> =
        rules.names.iter().filter_map(|(name, rule)| Some((name.clone(), rule.like.clone()?))).collect();
    for _ in 0..=shapes.len() {
        for (name, like) in &shapes {
            let ends = rules.forbidden.get(name).cloned().unwrap_or_default();
            for inner in like.names() {
                rules.end(inner, &ends);
            }
        }
    }
    for (name, said) in &draft.names {
        let Some(like) = &said.like else { continue };
        let ends = rules.forbidden.get(&name.value).into_iter().flat_map(BTreeMap::keys);
        for c in ends.filter(|c| constants(&like.value).any(|constant| constant.contains(**c))) {
            let message =
                format!("`{c}` follows `{0}` in a template, but the shape of `{0}` contains `{c}`", name.value);
            let help = format!("put another character after `{}`, so that its end can be determined", name.value);
            mistakes.add(Mistake::new(like.span, message, "the shape").help(help));
        }
    }
}

/// Each name of a template with the constant that follows it.
fn followed(template: &Template) -> impl Iterator<Item = (&Slot, &str)> {
    template.parts().iter().zip(template.parts().iter().skip(1)).filter_map(|pair| match pair {
        (TemplatePart::Name(slot), TemplatePart::Constant(next)) => Some((slot, next.as_str())),
        (TemplatePart::Name(_) | TemplatePart::Constant(_), _) => None,
    })
}

fn constants(template: &Template) -> impl Iterator<Item = &str> {
    template.parts().iter().filter_map(|part| match part {
        TemplatePart::Constant(constant) => Some(constant.as_str()),
        TemplatePart::Name(_) => None,
    })
}

/// Names that Cognito names have in lower case, with the names in their shapes.
fn lower(draft: &DraftModel, rules: &mut NameRules) {
    for template in draft.items.iter().flat_map(cognito_templates) {
        for slot in template.value.slots().filter(|slot| slot.lower) {
            rules.lowered.insert(base(&slot.name).to_owned());
        }
    }
    for (name, standing) in role_names(draft) {
        if rules.lowered.contains(standing) {
            rules.lowered.insert(name.to_owned());
        }
    }
}

/// Values of closed sets must be allowed wherever their name is used.
fn check_sets(draft: &DraftModel, rules: &NameRules, mistakes: &mut Mistakes) {
    let global = draft.names.iter().map(|(name, said)| (name, &said.values));
    let own = draft.items.iter().flat_map(|item| item.values.iter().map(|(name, values)| (name, values)));
    for (name, values) in global.chain(own) {
        let mut seen: BTreeMap<&str, Span> = BTreeMap::new();
        for value in values {
            let ends = rules.forbidden.get(base(&name.value)).into_iter().flat_map(BTreeMap::keys);
            if let Some(c) = ends.into_iter().find(|c| value.value.contains(**c)) {
                let message = format!("`{}` cannot be a value of `{}`: it contains `{c}`", value.value, name.value);
                let help = format!("`{c}` follows `{}` in a template, so it marks the end of the value", name.value);
                mistakes.add(Mistake::new(value.span, message, "here").help(help));
            }
            if let Some(before) = seen.insert(&value.value, value.span) {
                let message = format!("`{}` is listed twice", value.value);
                mistakes.add(Mistake::new(value.span, message, "again").also(before, "first").help("remove one"));
            }
            if rules.lowered.contains(base(&name.value)) && value.value.to_lowercase() != value.value {
                let message = format!(
                    "`{}` is not in lower case, but Cognito names use `{}` in lower case",
                    value.value, name.value
                );
                mistakes.add(Mistake::new(value.span, message, "here").help("write it in lower case"));
            }
        }
    }
}

/// Keys have the values of closed sets and the shapes as they are written.
fn check_keys(draft: &DraftModel, rules: &NameRules, mistakes: &mut Mistakes) {
    for item in &draft.items {
        let texts = rules.texts(&item.name.value);
        for template in item.pk.iter().chain(&item.sk) {
            if let Some((message, help)) = template.value.slots().find_map(|slot| never_written(&texts, slot)) {
                mistakes.add(Mistake::new(template.span, message, "no item has such a key").help(help));
            }
        }
    }
}

/// What no key has in the place of a name, and the fix.
fn never_written(texts: &Texts<'_>, slot: &Slot) -> Option<(String, String)> {
    let name = &slot.name;
    if let Some(values) = texts.values_of(name) {
        let (value, why) = values.iter().find_map(|value| Some((value, slot.refuses(value)?)))?;
        let message = format!("`{slot}` never has the value `{value}` of `{name}`: {why}");
        return Some((message, "write the value in `values` as keys have it, or change the template".to_owned()));
    }
    let like = texts.like_of(name)?;
    if slot.pad.is_some() {
        let message = format!("`{slot}` is no number: `{name}` has a shape");
        return Some((message, format!("write `pad` in the shape `{like}`, for the name of a number")));
    }
    // This ends: shapes do not contain themselves.
    like.parts().iter().find_map(|part| match part.within(slot) {
        TemplatePart::Constant(_) => {
            let has_upper = slot.lower && constants(like).any(|constant| constant.to_lowercase() != constant);
            let message = format!("`{slot}` never has the shape `{like}`: it contains upper case");
            has_upper.then(|| (message, "write the shape in lower case, or remove `lower`".to_owned()))
        }
        TemplatePart::Name(inner) => never_written(texts, &inner),
    })
}

/// A rule for a name that no template uses is a typing error.
fn check_used(draft: &DraftModel, mistakes: &mut Mistakes) {
    for item in &draft.items {
        let words = item.verb.iter().map(|(_, word)| &word.word).chain(&item.entity).chain(&item.id);
        let named: BTreeSet<&str> = [item]
            .into_iter()
            .flatten_templates()
            .chain(words)
            .chain(item.groups.iter().flat_map(DraftGroups::templates))
            .flat_map(|template| template.value.names())
            .chain(item.grant.iter().flat_map(|grant| &grant.roles).map(|name| name.value.as_str()))
            .map(base)
            .collect();
        for (name, _) in item.values.iter().filter(|(name, _)| !named.contains(base(&name.value))) {
            let known: Vec<&str> = named.iter().copied().collect();
            let help = match near_word(&name.value, &known) {
                Some(near) => format!("did you mean `{near}`?"),
                None => "remove it, or use the name in a template of this item type".to_owned(),
            };
            let message = format!("no template of `{}` contains `{}`", item.name.value, name.value);
            mistakes.add(Mistake::new(name.span, message, "has no effect").help(help));
        }
    }
}
