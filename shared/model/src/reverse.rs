//! From a Cognito name back to the item that has it. The loader sees to it that at most one item of
//! a model has a name.

use crate::cognito::refused_char;
use crate::matching::Texts;
use crate::model::{KeyForm, Link, Model, Names, Object, TypeId};
use crate::slot::is_url_encoded;
use crate::template::{Slot, Template, TemplatePart, base, prefix};

/// Whether all spellings of a key have a name.
fn in_every_form(forms: &[KeyForm], name: &str) -> bool {
    forms.iter().all(|form| form.names.contains(name))
}

/// Whether the text that an item gives to a template in a reference always gives back the values of its names.
/// Not if it was changed to lower case or padded and the item's own key was not, and not if one name could go
/// on where another begins.
pub(crate) fn gives_back(texts: &Texts<'_>, forms: &[KeyForm], template: &Template) -> bool {
    let in_key = |slot: &Slot| {
        let own = forms.iter().flat_map(KeyForm::slots);
        let mut own = own.filter(|own| own.name == slot.name).peekable();
        own.peek().is_some() && own.all(|own| (!slot.lower || own.lower) && (slot.pad.is_none() || own.pad.is_some()))
    };
    let is_kept = |slot: &Slot| !slot.each && (!slot.lower && slot.pad.is_none() || in_key(slot));
    // Nothing keeps the text of an attribute from having any character.
    let is_kept_from = |slot: &Slot, next: &str| {
        in_every_form(forms, &slot.name) && texts.forbidden_in(&slot.name).any(|c| next.starts_with(c))
            || slot.urlencode && next.starts_with(is_url_encoded)
    };
    let ends = |(place, part): (usize, &TemplatePart)| match (part, template.parts().get(place + 1)) {
        (TemplatePart::Constant(_), _) | (TemplatePart::Name(_), None) => true,
        (TemplatePart::Name(_), Some(TemplatePart::Name(_))) => false,
        // Of one name in a template, the constants around it decide.
        (TemplatePart::Name(slot), Some(TemplatePart::Constant(next))) => {
            template.slots().count() == 1 || is_kept_from(slot, next)
        }
    };
    template.slots().all(is_kept) && template.parts().iter().enumerate().all(ends)
}

impl Model {
    /// What the names that were read from a template of `of` say for certain about the item: not an attribute that
    /// the template has changed.
    #[must_use]
    pub fn certain(&self, of: TypeId, template: &Template, mut names: Names) -> Names {
        let forms = &self.item(of).forms;
        let is_changed =
            |name: &str| template.slots().any(|slot| slot.name == name && (slot.lower || slot.pad.is_some()));
        names.retain(|name, _| in_every_form(forms, name) || !is_changed(name));
        names
    }

    /// The values that a text gives to the names of a template of `of`. `None` if the template cannot
    /// give this text, or Cognito would refuse it as a name.
    #[must_use]
    pub fn read_name(&self, of: TypeId, template: &Template, text: &str) -> Option<Names> {
        if refused_char(text).is_some() {
            return None;
        }
        let mut bound = Names::new();
        self.texts(self.item(of)).read(template, text, &mut bound).then_some(bound)
    }

    /// What the names of the item at the end of a link say for certain about the item at its beginning.
    #[must_use]
    pub fn names_before(&self, link: &Link, target: &Names) -> Names {
        let from = self.item(link.from);
        let texts = self.texts(from);
        let mut bound: Names = link.when.iter().cloned().collect();
        for (name, template) in link.names.iter().filter(|(_, template)| gives_back(&texts, &from.forms, template)) {
            let mut read = Names::new();
            // An attribute may have a value that the name's rule refuses.
            if target.get(name).is_some_and(|text| texts.read(template, text, &mut read)) {
                bound.extend(read);
            }
        }
        bound
    }

    /// The object with these names in its key. `None` if they do not suffice for a key. Further names
    /// do no harm.
    #[must_use]
    pub fn object_named(&self, of: TypeId, known: &Names) -> Option<Object> {
        let mut forms = self.item(of).forms.iter();
        forms.find_map(|form| {
            let names: Option<Names> =
                form.names.iter().map(|name| Some((name.clone(), self.value_of(of, known, name)?))).collect();
            let object = Object { of, names: names? };
            self.keys(&object).is_ok().then_some(object)
        })
    }

    /// The value of a name: known, the only one that it can have, or made of the names in its shape.
    fn value_of(&self, of: TypeId, known: &Names, name: &str) -> Option<String> {
        let texts = self.texts(self.item(of));
        let only = || texts.values_of(name).filter(|values| values.len() == 1)?.first().cloned();
        let of_shape = || {
            let in_key = |name: &str| self.key_order(of).contains(&name);
            let inner = |within: &str| {
                let within = format!("{}{within}", prefix(name));
                self.value_of(of, known, &within).filter(|_| texts.is_only_source(&in_key, name, &within))
            };
            texts.like_of(base(name))?.render(&inner).ok()
        };
        known.get(name).cloned().or_else(only).or_else(of_shape)
    }
}
