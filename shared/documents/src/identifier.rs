//! Names of declarations.

use std::collections::BTreeSet;

use instep_model::Model;

/// Names of declarations that no event and no shape takes.
pub(crate) const RESERVED: [&str; 36] = [
    "InstepEvent",
    "Detail",
    "Metadata",
    "SnapshotMark",
    "Data",
    "Conflict",
    "Omitted",
    "PrimaryKey",
    "Nothing",
    "Json",
    "Events",
    "EventType",
    // What the languages have.
    "Any",
    "Generic",
    "List",
    "Literal",
    "NotRequired",
    "TypedDict",
    "TypeVar",
    "Union",
    "Map",
    "String",
    "Boolean",
    "Long",
    "JsonNode",
    "TypeReference",
    // Type parameters.
    "Entity",
    "Verb",
    "Kind",
    "Cause",
    "Keys",
    "Old",
    "New",
    "OwnMetadata",
    "OwnData",
    "OwnDetail",
];

/// A text in one word, each of its words with a capital: `User Granted` → `UserGranted`.
pub(crate) fn identifier(text: &str) -> String {
    let words = text.split(|c: char| !c.is_ascii_alphanumeric()).filter(|word| !word.is_empty());
    let joined: String = words
        .flat_map(|word| {
            let mut chars = word.chars();
            chars.next().map(|first| first.to_ascii_uppercase()).into_iter().chain(chars)
        })
        .collect();
    // A declaration cannot begin with a digit.
    if joined.starts_with(|c: char| c.is_ascii_alphabetic()) { joined } else { format!("Event{joined}") }
}

/// The name, or the name with the first number, that is not taken. It is taken then.
pub(crate) fn free_name(taken: &mut BTreeSet<String>, name: &str) -> String {
    let mut free = name.to_owned();
    let mut nth = 2;
    while !taken.insert(free.clone()) {
        free = format!("{name}{nth}");
        nth += 1;
    }
    free
}

/// The name of the type of every event of a model.
pub(crate) fn union(model: &Model) -> String {
    format!("{}Event", identifier(&model.name))
}
