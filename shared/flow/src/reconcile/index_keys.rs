//! Index keys: corrects the attributes that the model asks Instep to keep.

use std::collections::BTreeMap;

use instep_model::template::Template;
use instep_model::{IndexKeys, Item, Keep, Key, LinkId, Model, Object, Value};

use super::Pass;
use super::refusal::Refusal;
use super::touched::own_changes;
use crate::answers::is_possible;
use crate::change::Change;
use crate::effect::{Action, Expect, Write, WriteReason};
use crate::plan::Mentions;

/// Index attributes that Instep keeps.
struct KeptKeys<'a> {
    keys: &'a IndexKeys,
    attributes: Vec<(&'a String, ShouldBe)>,
    /// Whether the key would be one that DynamoDB does not take.
    is_refused: bool,
}

/// What Instep makes of an index attribute.
enum ShouldBe {
    This(Value),
    /// The item is not to have it.
    Absent,
    /// Only its writer knows.
    AsWritten,
}

impl ShouldBe {
    /// The value that an attribute with this value gets.
    fn of<'v>(&'v self, written: Option<&'v Value>) -> Option<&'v Value> {
        match self {
            Self::This(value) => Some(value),
            Self::Absent => None,
            Self::AsWritten => written,
        }
    }
}

impl Pass<'_> {
    /// Corrects the index attributes that Instep keeps.
    pub(super) fn index_keys(&mut self, object: &Object, key: &Key, item: &Item, mentions: &Mentions) {
        if mentions.changes.is_empty() {
            return;
        }
        let model = self.model;
        let mut wrong: BTreeMap<String, Option<Value>> = BTreeMap::new();
        let mut sources: BTreeMap<String, Option<Value>> = BTreeMap::new();
        self.ask_again_if_hidden(object, item, key, mentions);
        for kept in kept_keys(model, object, item) {
            if kept.is_refused {
                self.refuse(&mentions.entries(), Refusal::KeyTooLong);
            }
            for (attribute, should) in kept.attributes {
                let (is, should) = (item.get(attribute), should.of(item.get(attribute)));
                if is != should {
                    sources.insert(attribute.clone(), is.cloned());
                    wrong.insert(attribute.clone(), should.cloned());
                }
            }
            let names = [Some(&kept.keys.pk), kept.keys.sk.as_ref()].into_iter().flatten().flat_map(Template::names);
            for name in names.flat_map(|name| model.sources(object.of, &object.names, name)) {
                sources.insert(name.clone(), item.get(&name).cloned());
            }
        }
        if !wrong.is_empty() {
            let set = Action::Set { key: key.clone(), attributes: wrong, expect: Expect::Like(sources) };
            let label = format!("index keys of {}", self.label(object));
            self.write(Write::follow(WriteReason::IndexKeys(object.of), label, vec![set]), &mentions.entries());
        }
    }

    /// A write may hide a grant from the runs over its user and group, until its index keys are
    /// corrected. If the user or the group is created again meanwhile, nothing else grants the
    /// membership. INVARIANT 1.
    fn ask_again_if_hidden(&mut self, object: &Object, item: &Item, key: &Key, mentions: &Mentions) {
        if self.model.item(object.of).members.is_empty() {
            return;
        }
        let is_hidden = |id| own_changes(mentions, key).any(|own| self.took_out_of_index(id, object, &own.change));
        if self.model.links_from(object.of).any(|(id, _)| is_hidden(id)) {
            self.ask_once_more_late(object, item, mentions);
        }
    }

    /// Whether a write took an item out of an index by which a link finds it, until Instep corrects the
    /// item's keys.
    pub(super) fn took_out_of_index(&self, id: LinkId, object: &Object, change: &Change) -> bool {
        let find = &self.model.link(id).find;
        let Some((old, new)) = change.old.as_ref().zip(change.new.as_ref()).filter(|_| find.queries_index()) else {
            return false;
        };
        let kept = |image: &Item| {
            let kept = kept_keys(self.model, object, image).into_iter();
            let kept = kept.filter(|kept| find.queries().iter().any(|query| query.index == Some(kept.keys.index)));
            kept.flat_map(|kept| kept.attributes)
        };
        kept(old).zip(kept(new)).any(|((name, was), (_, is))| {
            let (had, has) = (old.get(name), new.get(name));
            had.is_some() && was.of(had) == had && is.of(has) != has
        })
    }
}

/// The index attributes of an item that Instep keeps, as they should be.
fn kept_keys<'m>(model: &'m Model, object: &Object, item: &Item) -> Vec<KeptKeys<'m>> {
    let kept = model.item(object.of).index_keys.iter().filter(|keys| keys.keep.writes());
    let kept = kept.filter_map(|keys| Some((keys, model.indexes.get(keys.index)?)));
    kept.map(|(keys, index)| {
        let part = |template, spellings: &[String]| key_part(model, object, item, keys.keep, template, spellings);
        let pk = part(&keys.pk, &index.pk);
        let sk = keys.sk.as_ref().map(|sk| part(sk, index.sk.as_deref().unwrap_or_default()));
        // With half a key, the item would not be in the index anyway.
        let whole = pk.text.is_some() && sk.as_ref().is_none_or(|sk| sk.text.is_some());
        // INVARIANT 6: DynamoDB would refuse the write. Under its old key, readers would find the
        // item where it no longer is.
        let text = |part: &KeyPart| part.text.clone().unwrap_or_default();
        let is_possible = is_possible(&text(&pk), &sk.as_ref().map(text).unwrap_or_default());
        let is_refused = whole && !is_possible;
        let should = |KeyPart { text, is_written }: KeyPart| match text.filter(|_| whole && is_possible) {
            Some(_) if is_written => ShouldBe::AsWritten,
            Some(text) => ShouldBe::This(Value::S(text)),
            None if keys.keep == Keep::Fill => ShouldBe::AsWritten,
            None => ShouldBe::Absent,
        };
        let parts = [(index.pk.first(), Some(pk)), (index.sk.as_ref().and_then(|sk| sk.first()), sk)];
        let parts = parts.into_iter().filter_map(|(attribute, part)| Some((attribute?, part?)));
        let attributes = parts.map(|(attribute, part)| (attribute, should(part))).collect();
        KeptKeys { keys, attributes, is_refused }
    })
    .collect()
}

/// One of the two keys of an index.
struct KeyPart {
    text: Option<String>,
    /// Only the attribute itself says it.
    is_written: bool,
}

/// `spellings`: the attributes that may have the key, of which Instep writes the first.
fn key_part(
    model: &Model,
    object: &Object,
    item: &Item,
    keep: Keep,
    template: &Template,
    spellings: &[String],
) -> KeyPart {
    if keep == Keep::Always {
        let text = template.render(&model.lookup(object.of, &object.names, Some(item))).ok();
        return KeyPart { text, is_written: false };
    }
    if let Some(text) = model.index_key(object.of, &object.names, item, template) {
        return KeyPart { text: Some(text), is_written: false };
    }
    let written = |name: &String| item.get(name).and_then(Value::to_text).filter(|text| !text.is_empty());
    let found = spellings.iter().enumerate().find_map(|(place, name)| Some((place == 0, written(name)?)));
    let is_written = found.as_ref().is_some_and(|(is_first, _)| *is_first);
    KeyPart { text: found.map(|(_, text)| text.into_owned()), is_written }
}

/// An item with the index keys that Instep makes of it.
pub(crate) fn corrected(model: &Model, object: &Object, item: &Item) -> Item {
    let mut corrected = item.clone();
    for (name, should) in kept_keys(model, object, item).into_iter().flat_map(|kept| kept.attributes) {
        match should {
            ShouldBe::This(value) => drop(corrected.insert(name.clone(), value)),
            ShouldBe::Absent => drop(corrected.remove(name)),
            ShouldBe::AsWritten => {}
        }
    }
    corrected
}

/// An item without the index keys that Instep corrects: a correction is no change by a writer.
pub(super) fn as_written(model: &Model, object: &Object, item: &Item) -> Item {
    let mut written = item.clone();
    for kept in kept_keys(model, object, item) {
        let is_own = |name: &String| *name == model.table.pk || *name == model.table.sk;
        let corrected = kept.attributes.iter().filter(|(_, should)| !matches!(should, ShouldBe::AsWritten));
        corrected.filter(|(name, _)| !is_own(name)).for_each(|(name, _)| {
            written.remove(*name);
        });
    }
    written
}
