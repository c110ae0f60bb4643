//! The tables that the compiler reads: item types in their order, their forms, and their index
//! keys.

use std::collections::{BTreeMap, BTreeSet};

use crate::errors::{Mistake, Mistakes};
use crate::file::{DraftItem, DraftModel, Oneof};
use crate::matching::{Texts, listed};
use crate::messages::list;
use crate::model::{Index, KeyForm, Link, TypeId};
use crate::source::{Located, Span};
use crate::template::{Template, base, prefix};

use super::key_overlap::SpannedForm;
use super::names::NameRules;

pub(super) struct Context<'a> {
    pub(super) draft: &'a DraftModel,
    pub(super) rules: &'a NameRules,
    pub(super) indexes: Vec<Index>,
    pub(super) items: Vec<TypeContext<'a>>,
    ids: BTreeMap<&'a str, TypeId>,
}

/// An item type, its forms, and the names that are known of its items.
pub(super) struct TypeContext<'a> {
    pub(super) id: TypeId,
    pub(super) draft: &'a DraftItem,
    pub(super) forms: Vec<KeyForm>,
    /// Names in keys, of all forms.
    pub(super) key_names: BTreeSet<String>,
    /// Names in keys and index keys, and inside those that have a shape.
    pub(super) known: BTreeSet<String>,
}

impl TypeContext<'_> {
    /// Whether every form of the key has a name.
    pub(super) fn is_in_every_key(&self, name: &str) -> bool {
        self.forms.iter().all(|form| form.names.contains(name))
    }
}

/// The templates of an item type's index keys.
#[derive(PartialEq)]
pub(super) struct IndexTemplates {
    pub(super) index: usize,
    pub(super) pk: Template,
    pub(super) sk: Option<Template>,
}

impl<'a> Context<'a> {
    pub(super) fn new(draft: &'a DraftModel, rules: &'a NameRules, order: &[(usize, Vec<SpannedForm>)]) -> Self {
        let mut items = Vec::new();
        for (place, forms) in order {
            let Some(item) = draft.items.get(*place) else { continue };
            let forms: Vec<KeyForm> = forms.iter().map(|form| form.form.clone()).collect();
            let key_names: BTreeSet<String> = forms.iter().flat_map(|form| form.names.iter().cloned()).collect();
            let indexed = item.indexes.iter().flat_map(|keys| keys.pk.iter().chain(&keys.sk));
            let mut known: BTreeSet<String> =
                indexed.flat_map(|template| template.value.names()).map(str::to_owned).collect();
            known.extend(key_names.iter().cloned());
            // This ends: shapes do not contain themselves.
            let mut open: Vec<String> = known.iter().cloned().collect();
            while let Some(name) = open.pop() {
                let like = rules.names.get(base(&name)).and_then(|rule| rule.like.as_ref());
                for inner in like.into_iter().flat_map(Template::names) {
                    let inner = format!("{}{inner}", prefix(&name));
                    known.insert(inner.clone());
                    open.push(inner);
                }
            }
            items.push(TypeContext { id: TypeId(items.len()), draft: item, forms, key_names, known });
        }
        let texts = |list: &[Located<String>]| list.iter().map(|attribute| attribute.value.clone()).collect();
        let indexes = draft.indexes.iter().map(|index| Index {
            name: index.name.value.clone(),
            pk: texts(&index.pk),
            sk: (!index.sk.is_empty()).then(|| texts(&index.sk)),
        });
        let ids = items.iter().map(|item| (item.draft.name.value.as_str(), item.id)).collect();
        Self { draft, rules, indexes: indexes.collect(), items, ids }
    }

    pub(super) fn type_id(&self, name: &str) -> Option<TypeId> {
        self.ids.get(name).copied()
    }

    /// A text for a name in the key of another item can stand there: a constant, and one of the fixed values that
    /// the name of the template has in `from`. Those of an attribute hold only if the item type itself gives them.
    /// The template is as in the key.
    pub(super) fn check_text(
        &self,
        (from, to): (TypeId, TypeId),
        name: &str,
        (template, at): (&Template, Span),
        mistakes: &mut Mistakes,
    ) {
        let entry = self.entry(from);
        let is_fixed = |own: &str| {
            entry.known.contains(own) || entry.draft.values.iter().any(|(given, _)| base(&given.value) == base(own))
        };
        let single = template.as_single().filter(|slot| is_fixed(&slot.name));
        let of_name = single.and_then(|slot| Some((slot, self.texts(from).values_of(&slot.name)?)));
        let texts: Vec<String> = match of_name {
            Some((slot, values)) => values.iter().map(|value| slot.apply(value).into_owned()).collect(),
            None => template.render(&|_| None::<&str>).ok().filter(|text| !text.is_empty()).into_iter().collect(),
        };
        let forms = &self.entry(to).forms;
        let refused: Vec<String> =
            texts.iter().filter_map(|text| self.texts(to).refused_in(forms, name, text)).collect();
        // Others are parked when an item has them.
        let Some(why) = refused.first().filter(|_| refused.len() == texts.len()) else { return };
        let (texts, to) = (list(&texts), self.name(to));
        let (message, help) = match of_name {
            Some((slot, _)) => {
                let own = format!("`{}` of a `{}` is one of {texts}", slot.name, self.name(from));
                let message = format!("{own}, and none of them can be `{name}` in the key of `{to}`: {why}");
                (message, "give both names the same fixed values, or refer by another name")
            }
            None => (format!("`{name}` in the key of `{to}` is never {texts}: {why}"), "write another value"),
        };
        mistakes.add(Mistake::new(at, message, "leads to no item").help(help));
    }

    /// A name in the key of what a link leads to that the link does not give.
    pub(super) fn missing_in_key(&self, link: &Link) -> Option<&str> {
        let is_missing = |name: &&String| !link.names.contains_key(*name);
        self.entry(link.to).key_names.iter().find(is_missing).map(String::as_str)
    }

    #[expect(clippy::indexing_slicing, reason = "a `TypeId` is a place in `items` of the context that gave it out")]
    pub(super) fn entry(&self, of: TypeId) -> &TypeContext<'a> {
        &self.items[of.0]
    }

    pub(super) fn name(&self, of: TypeId) -> &'a str {
        &self.entry(of).draft.name.value
    }

    pub(super) fn oneof(&self, name: &str) -> Option<&'a Oneof> {
        self.draft.oneof.iter().find(|oneof| oneof.name.value == name)
    }

    pub(super) fn texts(&self, of: TypeId) -> Texts<'_> {
        self.rules.texts(self.name(of))
    }

    /// The attributes that contain these names: those that the rule of each name says, each once.
    pub(super) fn attributes_of(&self, names: &[Located<String>]) -> Vec<String> {
        let mut attributes: Vec<String> = Vec::new();
        for name in names {
            let of_name = self.attributes_of_name(&name.value).into_iter();
            attributes.extend(of_name.filter(|own| !attributes.contains(own)).collect::<Vec<_>>());
        }
        attributes
    }

    /// The attributes that contain a name.
    pub(super) fn attributes_of_name(&self, name: &str) -> Vec<String> {
        self.listed_attributes(name).map_or_else(|| vec![name.to_owned()], <[String]>::to_vec)
    }

    /// The attributes that the rule of a name lists.
    pub(super) fn listed_attributes(&self, name: &str) -> Option<&'a [String]> {
        listed(&self.rules.names, name)
    }

    /// A name that stands for an attribute, although its rule lists others: the error.
    pub(super) fn other_attribute(&self, name: &Located<String>, does: &str) -> Option<Mistake> {
        let listed = self.listed_attributes(&name.value).filter(|listed| !listed.contains(&name.value))?;
        let message = format!("`{}` is in {}, and {does} attributes", name.value, list(listed));
        let help = format!("write `{}`", listed.first().map_or("", String::as_str));
        Some(Mistake::new(name.span, message, "not the name").help(help))
    }

    /// The item types that a reference can lead to.
    pub(super) fn referable(&self) -> Vec<&'a str> {
        let oneof = self.draft.oneof.iter().map(|oneof| oneof.name.value.as_str());
        let items = self.items.iter().map(|item| item.draft).filter(|item| item.user_value.is_none());
        items.map(|item| item.name.value.as_str()).chain(oneof).collect()
    }

    /// The templates of an item type's keys in each index that contains its items of a form. An
    /// index on the table's own keys has the form's templates. A query reads one attribute, so an index
    /// with several contains all items only if Instep keeps the first one.
    pub(super) fn index_templates(&self, of: TypeId, form: &KeyForm) -> Vec<IndexTemplates> {
        let entry = self.entry(of);
        let mut found = Vec::new();
        for (place, index) in self.indexes.iter().enumerate() {
            let declared = entry.draft.indexes.iter().find(|keys| keys.index.value == index.name);
            if index.has_spellings() && !declared.is_some_and(|keys| keys.keep.writes()) {
                continue;
            }
            let own = declared.and_then(|keys| keys.pk.as_ref()).map(|pk| pk.value.clone());
            let Some(pk) = self.own_key(&index.pk, form).or(own) else { continue };
            let sk = index.sk.as_ref().map(|attributes| {
                let own = declared.and_then(|keys| keys.sk.as_ref()).map(|sk| sk.value.clone());
                self.own_key(attributes, form).or(own)
            });
            match sk {
                Some(Some(sk)) => found.push(IndexTemplates { index: place, pk, sk: Some(sk) }),
                // An item without the sort attribute is not in the index.
                Some(None) => {}
                None => found.push(IndexTemplates { index: place, pk, sk: None }),
            }
        }
        found
    }

    /// The templates of an item type's keys in each index that contains its items of every form
    /// under the same templates.
    pub(super) fn index_templates_of_all_forms(&self, of: TypeId) -> Vec<IndexTemplates> {
        let mut by_form = self.entry(of).forms.iter().map(|form| self.index_templates(of, form));
        let mut common = by_form.next().unwrap_or_default();
        for templates in by_form {
            common.retain(|keys| templates.contains(keys));
        }
        common
    }

    /// The form's own template, if a key of the index is a key of the table.
    pub(super) fn own_key(&self, attributes: &[String], form: &KeyForm) -> Option<Template> {
        let (pk, sk) = (&self.draft.table.pk.value, &self.draft.table.sk.value);
        if attributes.contains(pk) { Some(form.pk.clone()) } else { attributes.contains(sk).then(|| form.sk.clone()) }
    }

    /// A template for a name of an item type's key, in lower case if the key has the name so. Other
    /// transforms of the key change how a value is written, not the value.
    pub(super) fn as_in_key(&self, of: TypeId, name: &str, template: &Template) -> Template {
        if self.is_lower_in_key(of, name) { template.lowered() } else { template.clone() }
    }

    /// Whether a name of an item type's key is written in lower case there.
    pub(super) fn is_lower_in_key(&self, of: TypeId, name: &str) -> bool {
        self.entry(of).forms.iter().flat_map(KeyForm::slots).any(|slot| slot.name == name && slot.lower)
    }
}
