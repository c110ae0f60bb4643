//! What declarations in any language are made of: the envelope, which is the same for every event, and what each event has of
//! its own. All of it is read from the schemas.

use std::collections::BTreeSet;

use instep_model::Model;
use serde_json::{Map, Value, json};

use crate::identifier::{RESERVED, free_name, identifier, union};
use crate::schema::{PARTS, at, envelope_schema, in_schema};

/// The fields of data that only some events have.
pub(crate) const OF_SOME_EVENTS: [&str; 4] = ["role", "scope", "scopeEntity", "guard"];

/// The type parameters of the parts of the envelope: fields whose types an event decides, and what stands for them.
pub(crate) const PARAMETERS: [(&str, &[(&str, &str)]); 4] = [
    ("Metadata", &[("entity", "Entity"), ("verb", "Verb"), ("kind", "Kind"), ("cause", "Cause")]),
    ("Data", &[("keys", "Keys"), ("old", "Old"), ("new", "New")]),
    ("Detail", &[("metadata", "OwnMetadata"), ("data", "OwnData")]),
    ("InstepEvent", &[("detail-type", "DetailType"), ("detail", "OwnDetail")]),
];

/// The parts of the envelope that have types of keys and attributes, where these are the only ones that an event decides.
pub(crate) const GENERIC: [&str; 3] = ["Data", "Detail", "InstepEvent"];

/// The shape without fields.
pub(crate) const NOTHING: &str = "Nothing";

/// What a field can be.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum FieldType {
    Any,
    Text,
    Count,
    Truth,
    OneOf(Vec<String>),
    OrNull(Box<Self>),
    List(Box<Self>),
    ByName(Box<Self>),
    /// Another declaration.
    Named(String),
}

/// A field of a declaration.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct DeclaredField {
    pub(crate) name: String,
    pub(crate) says: String,
    pub(crate) is_required: bool,
    pub(crate) ty: FieldType,
}

/// An object: a part of the envelope, the names in a key, or the attributes of an item type.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct DeclaredShape {
    pub(crate) name: String,
    pub(crate) says: String,
    pub(crate) fields: Vec<DeclaredField>,
}

/// An event.
#[derive(Debug)]
pub(crate) struct DeclaredEvent {
    pub(crate) name: String,
    pub(crate) when: String,
    /// `detail-type`: one text, or any.
    pub(crate) detail_type: FieldType,
    pub(crate) variants: Vec<DeclaredVariant>,
}

/// What an event says of one item type.
#[derive(Debug)]
pub(crate) struct DeclaredVariant {
    /// The item type.
    pub(crate) title: String,
    pub(crate) entity: FieldType,
    pub(crate) verb: FieldType,
    pub(crate) kind: FieldType,
    pub(crate) cause: FieldType,
    /// The names of shapes.
    pub(crate) keys: String,
    /// Of no item: `None`.
    pub(crate) old: Option<String>,
    pub(crate) new: Option<String>,
    /// Role, scope and guard.
    pub(crate) more: Vec<DeclaredField>,
    /// Of the beginning and the end of a snapshot: the fields of its mark that are always there.
    pub(crate) mark: Option<Vec<DeclaredField>>,
}

/// Everything that is declared.
#[derive(Debug)]
pub(crate) struct Declared {
    /// The envelope, with the fields that only some events have.
    pub(crate) parts: Vec<DeclaredShape>,
    /// Keys and attributes.
    pub(crate) shapes: Vec<DeclaredShape>,
    pub(crate) events: Vec<DeclaredEvent>,
    taken: BTreeSet<String>,
}

impl Declared {
    /// The declarations of these events.
    pub(crate) fn of(model: &Model, schemas: &[(String, Value)]) -> Self {
        let envelope = envelope_schema(model);
        let parts = PARTS.map(|(path, name)| (format!("/detail{path}"), name)).into_iter();
        let whole = [("/detail".to_owned(), "Detail"), (String::new(), "InstepEvent")];
        let parts: Vec<(String, &str)> = parts.chain(whole).collect();
        let part = |(path, name): &(String, &str)| {
            let mut fields = fields(at(&envelope, &in_schema(path)));
            for field in &mut fields {
                let inner = format!("{path}/{}", field.name);
                if let Some((_, name)) = parts.iter().find(|(other, _)| *other == inner) {
                    field.ty = FieldType::Named((*name).to_owned());
                }
            }
            DeclaredShape { name: (*name).to_owned(), says: says(at(&envelope, &in_schema(path))), fields }
        };
        let mut declared = Self {
            parts: parts.iter().map(part).collect(),
            shapes: Vec::new(),
            events: Vec::new(),
            taken: RESERVED.map(str::to_owned).into(),
        };
        declared.taken.insert(union(model));
        declared.taken.extend(schemas.iter().map(|(name, _)| name.clone()));
        for (name, schema) in schemas {
            let detail = at(schema, "/properties/detail");
            let alone = [detail.clone()];
            let variants = detail.get("anyOf").and_then(Value::as_array).map_or(alone.as_slice(), Vec::as_slice);
            let variants = variants.iter().map(|variant| declared.variant(variant)).collect();
            let detail_type = field_type(at(schema, "/properties/detail-type"));
            declared.events.push(DeclaredEvent { name: name.clone(), when: says(schema), detail_type, variants });
        }
        declared
    }

    fn variant(&mut self, detail: &Value) -> DeclaredVariant {
        let title = at(detail, "/title").as_str().unwrap_or_default().to_owned();
        let of = |path: &str| at(detail, &in_schema(path));
        let metadata = |name: &str| field_type(of(&format!("/metadata/{name}")));
        let is_there = |part: &str| of(&format!("/data/{part}")).get("maxProperties").is_none();
        let attributes = ["old", "new"].into_iter().find(|part| is_there(part));
        let attributes = attributes.map(|part| {
            let says = format!("The attributes of {title} that events show.");
            self.shape(&format!("{title}Attributes"), says, fields(of(&format!("/data/{part}"))))
        });
        let is_present = |part: &str| if is_there(part) { attributes.clone() } else { None };
        let keys = if is_there("keys") {
            let names = fields(of("/data/keys"));
            self.shape(&format!("{title}Keys"), format!("The names in the key of {title}."), names)
        } else {
            NOTHING.to_owned()
        };
        let mark = fields(of("/metadata"));
        let mark = mark.iter().any(|field| field.name == "snapshot" && field.is_required);
        let always = || fields(of("/metadata/snapshot")).into_iter().filter(|field| field.is_required);
        let more =
            fields(of("/data")).into_iter().filter(|field| OF_SOME_EVENTS.contains(&&*field.name)).map(named_guard);
        DeclaredVariant {
            entity: metadata("entity"),
            verb: metadata("verb"),
            kind: metadata("kind"),
            cause: metadata("cause"),
            old: is_present("old"),
            new: is_present("new"),
            more: more.collect(),
            mark: mark.then(|| always().filter(|field| ["count", "complete"].contains(&&*field.name)).collect()),
            keys,
            title,
        }
    }

    /// The name of a shape: that of an equal one with this name, or a new one.
    fn shape(&mut self, name: &str, says: String, fields: Vec<DeclaredField>) -> String {
        let name = identifier(name);
        let number = |nth: usize| if nth == 1 { name.clone() } else { format!("{name}{nth}") };
        let mut nth = 1;
        loop {
            let wanted = number(nth);
            if let Some(shape) = self.shapes.iter().find(|shape| shape.name == wanted)
                && shape.fields == fields
            {
                return wanted;
            }
            if self.taken.insert(wanted.clone()) {
                self.shapes.push(DeclaredShape { name: wanted.clone(), says, fields });
                return wanted;
            }
            nth += 1;
        }
    }

    /// A name that nothing has.
    pub(crate) fn unique(&mut self, name: &str) -> String {
        free_name(&mut self.taken, name)
    }

    /// The shape of this name.
    pub(crate) fn fields_of(&self, name: &str) -> &[DeclaredField] {
        self.shapes.iter().find(|shape| shape.name == name).map_or(&[], |shape| &shape.fields)
    }

    /// For languages in which an event has one type of keys and one of attributes: the shapes of all its variants together.
    /// Returns their names.
    pub(crate) fn merged(&mut self, nth: usize) -> (String, String) {
        let Some(event) = self.events.get(nth) else { return (String::new(), String::new()) };
        let name = event.name.clone();
        let keys: Vec<String> = event.variants.iter().map(|variant| variant.keys.clone()).collect();
        let attributes =
            event.variants.iter().filter_map(|variant| variant.old.clone().or_else(|| variant.new.clone()));
        let attributes: Vec<String> = attributes.collect();
        (
            self.together(&format!("{name}Keys"), "The names in the key.", &keys),
            self.together(&format!("{name}Attributes"), "The attributes that events show.", &attributes),
        )
    }

    fn together(&mut self, name: &str, says: &str, shapes: &[String]) -> String {
        let mut all: Vec<DeclaredField> = Vec::new();
        for shape in shapes {
            for field in self.fields_of(shape) {
                if all.iter().all(|other| other.name != field.name) {
                    all.push(field.clone());
                }
            }
        }
        for field in &mut all {
            let is_always = |shape: &String| {
                self.fields_of(shape).iter().any(|other| other.name == field.name && other.is_required)
            };
            field.is_required = shapes.iter().all(is_always);
        }
        match shapes {
            [] => NOTHING.to_owned(),
            [one] => one.clone(),
            [first, ..] if self.fields_of(first) == all => first.clone(),
            _ => self.shape(name, says.to_owned(), all),
        }
    }
}

fn says(schema: &Value) -> String {
    at(schema, "/description").as_str().unwrap_or_default().to_owned()
}

/// The guard of a conflict is a part of the envelope.
fn named_guard(mut field: DeclaredField) -> DeclaredField {
    if field.name == "guard" {
        field.ty = FieldType::Named("Conflict".to_owned());
    }
    field
}

/// The fields of an object's schema.
fn fields(schema: &Value) -> Vec<DeclaredField> {
    let required = at(schema, "/required").as_array().cloned().unwrap_or_default();
    let none = Map::new();
    let properties = at(schema, "/properties").as_object().unwrap_or(&none);
    let field = |(name, property): (&String, &Value)| DeclaredField {
        name: name.clone(),
        says: says(property),
        is_required: required.contains(&json!(name)),
        ty: field_type(property),
    };
    properties.iter().map(field).collect()
}

fn field_type(schema: &Value) -> FieldType {
    if let Some(constant) = schema.get("const") {
        return of_constants(std::slice::from_ref(constant));
    }
    if let Some(values) = schema.get("enum").and_then(Value::as_array) {
        return of_constants(values);
    }
    match schema.get("type") {
        Some(Value::Array(types)) => {
            let some = types.iter().filter_map(Value::as_str).find(|ty| *ty != "null").unwrap_or_default();
            FieldType::OrNull(Box::new(of_type(some, schema)))
        }
        Some(Value::String(ty)) => of_type(ty, schema),
        Some(_) | None => FieldType::Any,
    }
}

fn of_constants(values: &[Value]) -> FieldType {
    let texts: Option<Vec<String>> = values.iter().map(|value| value.as_str().map(str::to_owned)).collect();
    match (texts, values.first()) {
        (Some(texts), _) => FieldType::OneOf(texts),
        (None, Some(Value::Bool(_))) => FieldType::Truth,
        (None, Some(Value::Number(_))) => FieldType::Count,
        (None, Some(Value::Null)) => FieldType::OrNull(Box::new(FieldType::Text)),
        (None, _) => FieldType::Any,
    }
}

fn of_type(ty: &str, schema: &Value) -> FieldType {
    let inner = |word: &str| Box::new(schema.get(word).map_or(FieldType::Any, field_type));
    match ty {
        "array" => FieldType::List(inner("items")),
        "object" => FieldType::ByName(inner("additionalProperties")),
        "integer" | "number" => FieldType::Count,
        "boolean" => FieldType::Truth,
        _ => FieldType::Text,
    }
}
