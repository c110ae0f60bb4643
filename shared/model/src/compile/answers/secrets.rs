//! No answer depends on a secret: people could ask until they know it.

use std::collections::BTreeMap;

use crate::errors::{Mistake, Mistakes};
use crate::file::DraftModel;
use crate::model::{Conveys, Grant, ItemType, Link, LinkId, Model, Permits, Scope, Subject, TypeId, Within};
use crate::path::attribute_of;
use crate::template::Template;

/// Refuses secret attributes and items on which an answer depends.
pub(in super::super) fn check(draft: &DraftModel, model: &Model, mistakes: &mut Mistakes) {
    let mut reads = Reads { model, attributes: BTreeMap::new(), types: BTreeMap::new() };
    model.types().for_each(|(of, item)| reads.item(of, item));
    let Reads { attributes, types, model: _ } = reads;
    for secret in &draft.table.secret {
        if let Some(word) = attributes.get(&secret.value) {
            let message = format!("`{}` is secret, and an answer would depend on it: {word}", secret.value);
            let help = "remove it from `secret`, or name another attribute there";
            mistakes.add(Mistake::new(secret.span, message, "secret").help(help));
        }
    }
    for (of, word) in types.iter().filter(|(of, _)| model.item(**of).secret) {
        let name = &model.item(*of).name;
        let Some(item) = draft.items.iter().find(|item| item.name.value == *name) else { continue };
        let message = format!("`{name}` is secret, and an answer would depend on it: {word}");
        let help = format!("remove `secret` of `{name}`, or what only answers read");
        mistakes.add(Mistake::new(item.name.span, message, "secret").help(help));
    }
}

/// The attributes and item types on which answers depend, each with the setting.
struct Reads<'m> {
    model: &'m Model,
    attributes: BTreeMap<String, String>,
    types: BTreeMap<TypeId, String>,
}

impl Reads<'_> {
    fn item(&mut self, of: TypeId, item: &ItemType) {
        let word = |word: &str| format!("`{word}` of `{}`", item.name);
        if let Some(within) = &item.within {
            self.of_type(of, &word("within"));
            match within {
                Within::Items(links) => links.iter().for_each(|link| self.link(link, &word("within"))),
                // The key has it.
                Within::Path { name: _, separator: _ } => {}
            }
        }
        if let Some(link) = &item.inherits {
            self.link(link, &word("inherits"));
        }
        if let Some(Conveys { to, from, when, end: _ }) = &item.conveys {
            let word = word("conveys");
            self.of_type(of, &word);
            when.attributes().for_each(|attribute| self.attribute(attribute, &word));
            to.iter().chain(from).for_each(|link| self.of_type(self.model.link(*link).to, &word));
        }
        if let Some(permits) = &item.permits {
            self.permits(of, permits, &word("permits"));
        }
        if let Some(grant) = &item.grant {
            self.same(of, grant, &word("same"));
        }
    }

    fn permits(&mut self, of: TypeId, Permits { permission, list, role, any: _ }: &Permits, word: &str) {
        self.of_type(of, word);
        match list {
            Some(list) => self.attribute(list, word),
            None => self.names(of, permission.names(), word),
        }
        role.iter().for_each(|link| self.link(link, word));
    }

    fn same(&mut self, of: TypeId, grant: &Grant, word: &str) {
        let subject = if let Subject::Link(link) = &grant.subject { Some(link) } else { None };
        let scopes: &[LinkId] = if let Scope::Links(links) = &grant.scope { links } else { &[] };
        let others = subject.into_iter().chain(scopes).chain(&grant.role_links).map(|link| self.model.link(*link).to);
        let sides: Vec<TypeId> = others.chain(subject.is_none().then_some(of)).collect();
        for side in sides {
            self.names(side, grant.same.iter().map(String::as_str), word);
        }
    }

    fn link(&mut self, link: &Link, word: &str) {
        self.of_type(link.from, word);
        self.of_type(link.to, word);
        let when = link.when.iter().map(|(name, _)| name.as_str());
        self.names(link.from, link.names.values().flat_map(Template::names).chain(when), word);
    }

    fn names<'n>(&mut self, of: TypeId, names: impl Iterator<Item = &'n str>, word: &str) {
        let in_key = self.model.names_in_each_key(of);
        for name in names {
            for attribute in self.model.sources(of, &in_key, name) {
                self.attribute(&attribute, word);
            }
        }
    }

    fn attribute(&mut self, path: &str, word: &str) {
        self.attributes.entry(attribute_of(path).to_owned()).or_insert_with(|| word.to_owned());
    }

    fn of_type(&mut self, of: TypeId, word: &str) {
        self.types.entry(of).or_insert_with(|| word.to_owned());
    }
}
