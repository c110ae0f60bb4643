//! The JSON Schema of a model file, for the completion and the hints of editors. It accepts every model that `instep check`
//! accepts; most mistakes are of meaning, and only `check` finds them.

use instep_model::PRECEDENCE_MAX;
use instep_model::settings::{REFERENCE, Setting, SettingShape, settings};
use serde_json::{Map, Value, json};

use crate::settings_page::plain;

/// A table of the language, or a setting.
#[derive(Default)]
struct Node {
    own: Option<&'static Setting>,
    children: Vec<(&'static str, Node)>,
}

impl Node {
    fn child(&mut self, word: &'static str) -> Option<&mut Self> {
        if !self.children.iter().any(|(own, _)| *own == word) {
            self.children.push((word, Self::default()));
        }
        self.children.iter_mut().find(|(own, _)| *own == word).map(|(_, child)| child)
    }

    fn schema(&self) -> Value {
        let mut schema = match (self.own.map(|own| own.shape), self.children.is_empty()) {
            (Some(shape), true) => value(shape),
            (None, _) => self.table(),
            (Some(shape), false) => or_table(shape, self.table()),
        };
        if let (Some(own), Some(schema)) = (self.own, schema.as_object_mut()) {
            let default = if own.default.is_empty() { String::new() } else { format!(" If absent: {}.", own.default) };
            schema.insert("description".to_owned(), json!(plain(&format!("{}{default}", own.doc))));
        }
        schema
    }

    fn table(&self) -> Value {
        let known = self.children.iter().filter(|(word, _)| !["*", "INDEX"].contains(word));
        let known: Map<String, Value> = known.map(|(word, child)| ((*word).to_owned(), child.schema())).collect();
        let more = self.children.iter().find(|(word, _)| ["*", "INDEX"].contains(word));
        let more = more.map_or(json!(false), |(_, child)| child.schema());
        json!({"type": "object", "properties": known, "additionalProperties": more})
    }
}

/// The schema, in draft 4: what editors of TOML read.
#[must_use]
pub fn model_schema() -> Value {
    let mut root = Node::default();
    for setting in settings() {
        let end = setting.path.split('.').try_fold(&mut root, Node::child);
        end.into_iter().for_each(|node| node.own = Some(setting));
    }
    let reference = root.children.iter().position(|(word, _)| *word == REFERENCE);
    let reference = reference.map(|at| root.children.remove(at).1.table());
    let mut schema = root.table();
    if let Some(schema) = schema.as_object_mut() {
        schema.insert("$schema".to_owned(), json!("http://json-schema.org/draft-04/schema#"));
        schema.insert("title".to_owned(), json!("A table model of Instep"));
        schema.insert("definitions".to_owned(), json!({ "reference": reference }));
    }
    schema
}

fn text() -> Value {
    json!({"type": "string"})
}

fn any_of(schemas: impl Into<Vec<Value>>) -> Value {
    json!({ "anyOf": schemas.into() })
}

fn or_list(of: &Value) -> Value {
    any_of([of.clone(), json!({"type": "array", "items": of})])
}

fn reference() -> Value {
    any_of([text(), json!({"$ref": "#/definitions/reference"})])
}

fn scalar() -> Value {
    json!({"type": ["string", "number", "boolean"]})
}

fn value(shape: SettingShape) -> Value {
    match shape {
        SettingShape::Text | SettingShape::Template | SettingShape::TextOrTable => text(),
        SettingShape::Texts | SettingShape::Templates => or_list(&text()),
        SettingShape::Flag => json!({"type": "boolean"}),
        SettingShape::OneOf(words) => json!({ "enum": words }),
        SettingShape::SomeOf(words) => or_list(&json!({ "enum": words })),
        SettingShape::Condition => {
            let table = |word: &str, of: &Value| json!({"type": "object", "properties": {word: of}, "additionalProperties": false});
            let present = table("present", &json!({"type": "boolean"}));
            let values = any_of([scalar(), json!({"type": "array", "items": any_of([scalar(), present.clone()])})]);
            let test = any_of([values.clone(), present, table("not", &values)]);
            or_list(&json!({"type": "object", "additionalProperties": test}))
        }
        SettingShape::Value => scalar(),
        SettingShape::Reference | SettingShape::ReferenceOrTemplate | SettingShape::User | SettingShape::Group => {
            reference()
        }
        SettingShape::References | SettingShape::Within => or_list(&reference()),
        SettingShape::Precedence => {
            let number = json!({"type": "integer", "minimum": 0, "maximum": PRECEDENCE_MAX});
            any_of([number.clone(), text(), json!({"type": "object", "additionalProperties": number})])
        }
        SettingShape::IamRole => any_of([text(), json!({"type": "object", "additionalProperties": text()})]),
        SettingShape::Create => json!({"enum": ["silent", "invite", false]}),
        SettingShape::Keep => json!({"enum": [true, "fill", false]}),
        SettingShape::UserDeletion => value(SettingShape::Flag),
        SettingShape::Identities => {
            json!({"type": "array", "items": {"type": "object", "additionalProperties": text()}})
        }
        SettingShape::Groups | SettingShape::Words | SettingShape::NameRule | SettingShape::OneOrMore => json!({}),
    }
}

/// A setting that may also be written as a table.
fn or_table(shape: SettingShape, table: Value) -> Value {
    if shape == SettingShape::OneOrMore {
        or_list(&table)
    } else if [SettingShape::Groups, SettingShape::Words].contains(&shape) {
        or_list(&any_of([text(), table]))
    } else if shape == SettingShape::NameRule {
        any_of([json!({"type": "array", "items": text()}), table])
    } else {
        any_of([table, value(shape)])
    }
}
