//! An object in one text: its id, and with its type the item of events. Two objects never have one text.

use std::borrow::Cow;

use crate::model::{Model, Object, TypeId};

/// Stands between the names of an id.
const JOINT: char = '/';

/// A value without the characters that end it in a text.
fn escaped_value(value: &str, end: char) -> Cow<'_, str> {
    if !value.contains([end, '%']) {
        return Cow::Borrowed(value);
    }
    let code = format!("%{:02X}", u32::from(end));
    Cow::Owned(value.replace('%', "%25").replace(end, &code))
}

impl Model {
    /// The id of an object: the names of its key, joined by `/` in the order of the key. If ids of its type can have
    /// several names, `/` and `%` in their values are `%2F` and `%25`. If two objects could have one text all the same,
    /// a name that an object does not have is an empty part. This is the entity id, unless the model gives another.
    #[must_use]
    pub fn id_text(&self, object: &Object) -> String {
        let Some(form) = self.derived.ids.get(object.of.0) else { return String::new() };
        form.text(|name| {
            let value = object.names.get(name)?;
            Some(if form.is_escaped { escaped_value(value, JOINT) } else { Cow::Borrowed(value.as_str()) })
        })
    }

    /// An object as events name it: its type's first name, and its id.
    #[must_use]
    pub fn item_text(&self, object: &Object) -> String {
        format!("{} {}", self.type_text(object.of), self.id_text(object))
    }

    /// The type in the item of events. It has no space, because the id follows after the first one.
    #[must_use]
    pub fn type_text(&self, of: TypeId) -> Cow<'_, str> {
        escaped_value(self.item(of).stable_name(), ' ')
    }

    /// The ids of a type's items as templates, one for each set of names that its keys can have.
    #[must_use]
    pub fn id_templates(&self, of: TypeId) -> Vec<String> {
        let Some(form) = self.derived.ids.get(of.0) else { return Vec::new() };
        let mut found: Vec<String> = Vec::new();
        for names in self.item(of).forms.iter().map(|key| &key.names) {
            let text = form.text(|name| {
                let mark = if form.is_escaped { "|escaped" } else { "" };
                names.contains(name).then(|| Cow::Owned(format!("{{{name}{mark}}}")))
            });
            if !found.contains(&text) {
                found.push(text);
            }
        }
        found
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::Names;

    fn model(items: &str) -> Model {
        let text = format!("model = \"m\"\nsource = \"org.example\"\n[table]\npk = \"PK\"\nsk = \"SK\"\n{items}");
        Model::parse("m.toml", &text).unwrap()
    }

    fn object(model: &Model, of: &str, names: &[(&str, &str)]) -> Object {
        let names: Names = names.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect();
        Object { of: model.type_named(of).unwrap(), names }
    }

    /// Two items that a joined text would confuse have two texts, and simple ones stay as they are.
    #[test]
    fn two_objects_never_have_one_text() {
        let model = model(
            "[items.Setting]\npk = \"SCOPE#{scope}\"\nsk = \"SETTING#{key}\"\n\
             [items.Group]\npk = \"GROUP#{groupId}\"\nsk = \"GROUP\"\n",
        );
        let setting = |scope, key| model.item_text(&object(&model, "Setting", &[("scope", scope), ("key", key)]));
        assert_eq!(setting("a", "b"), "Setting a/b");
        assert_eq!(setting("a", "b/c"), "Setting a/b%2Fc");
        assert_eq!(setting("a/b", "c"), "Setting a%2Fb/c");
        assert_eq!(setting("a%2Fb", "c"), "Setting a%252Fb/c");
        assert_eq!(model.item_text(&object(&model, "Group", &[("groupId", "/a%")])), "Group /a%");
    }

    /// Keys with as many names, but not the same ones, are told apart.
    #[test]
    fn names_that_are_not_there_have_a_place_where_it_matters() {
        let two = "[items.Doc]\npk = [\"USER#{user}\", \"TEAM#{team}\"]\nsk = \"DOC\"\n";
        let model = model(two);
        let text = |name, value| model.id_text(&object(&model, "Doc", &[(name, value)]));
        assert_eq!((text("user", "x"), text("team", "x")), ("x/".to_owned(), "/x".to_owned()));
        assert_ne!(text("user", "/x"), text("team", "x/"));
    }
}
