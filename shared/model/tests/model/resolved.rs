//! A model's text with all that it extends.

use instep_model::Model;

use super::{DESIGNS, design, rendered};

fn parsed(text: &str) -> Model {
    Model::parse("resolved.toml", text).unwrap_or_else(|errors| panic!("{}\n{text}", rendered(&errors)))
}

/// The table keeps this text, and what it says has to be what the files said.
#[test]
fn a_resolved_text_says_what_the_files_say() {
    for name in DESIGNS {
        let model = design(name);
        let again = parsed(model.resolved_text());
        assert_eq!(again.changes_since(&model), [], "{name}");
        assert_eq!((again.resolved_text(), again.text_hash()), (model.resolved_text(), model.text_hash()), "{name}");
        assert!(!model.resolved_text().contains("extends"), "{name}");
    }
}

/// A comment and another layout make no other model, and any other word does.
#[test]
fn the_hash_follows_from_what_a_file_says() {
    let hash = |items: &str| super::parsed(items).text_hash();
    let one = hash("[items.User]\npk = \"USER#{userId}\"\nsk = \"USER\"\n");
    assert_eq!(one, hash("# people\nitems.User = { pk = 'USER#{userId}', sk = 'USER' }\n"));
    assert_ne!(one, hash("[items.User]\npk = \"USER#{userId}\"\nsk = \"PROFILE\"\n"));
    assert_eq!(one.len(), 16);
}

/// Quotes, keys and control characters of a file are those of the text.
#[test]
fn a_resolved_text_keeps_every_character() {
    let items =
        "[items.User]\npk = \"USER#{userId}\"\nsk = \"\\\"U\\\\ é\"\n[names.\"userId\"]\nvalues = [\"a b\", \"c\"]\n";
    let model = super::parsed(items);
    assert_eq!(parsed(model.resolved_text()).changes_since(&model), []);
    assert!(model.resolved_text().contains(r#"sk = "\"U\\ é""#), "{}", model.resolved_text());
}
