//! From a Cognito name back to the item that has it. The loader sees to it that at most one item of
//! a model has a name.

use crate::cognito::refused_char;
use crate::model::{Link, Model, Names, Object, TypeId};
use crate::template::{Template, base, prefix};

impl Model {
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

    /// What the names of the item at the end of a link say about the item at its beginning. `None` if
    /// no item is linked to such an item.
    #[must_use]
    pub fn names_before(&self, link: &Link, target: &Names) -> Option<Names> {
        let texts = self.texts(self.item(link.from));
        let mut bound: Names = link.when.iter().cloned().collect();
        for (name, template) in &link.names {
            if let Some(text) = target.get(name)
                && !texts.read(template, text, &mut bound)
            {
                return None;
            }
        }
        Some(bound)
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
