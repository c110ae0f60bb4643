//! Keys: the first two lines are a key. All lines are values of names and templates. A key that is
//! matched renders to itself, a rendered key matches its object, and bookkeeping items name the
//! objects that they were created for.

#![cfg_attr(feature = "libfuzzer", no_main)]

use fuzz::designs::DESIGNS;
use fuzz::flow::SECRET;
use fuzz::notes::{self, PARTITION_KEY_MAX, SORT_KEY_MAX};
use instep_model::template::Template;
use instep_model::{BOOKKEEPING_PREFIX, Identity, Key, Model, Names, Object, TypeId};

fuzz::target!("keys", check, further: [], mutations: 300);

fn check(bytes: &[u8]) {
    let text = String::from_utf8_lossy(bytes);
    let lines: Vec<&str> = text.split('\n').collect();
    lines.iter().for_each(|line| template(line));
    let line = |place: usize| (*lines.get(place).unwrap_or(&"")).to_owned();
    let key = Key { pk: line(0), sk: line(1) };
    for design in DESIGNS.iter() {
        a_matched_object_has_that_key(&design.model, &key);
        let objects = a_rendered_key_matches_its_object(&design.model, &lines);
        notes::assert_distinct(&design.model, &objects);
    }
}

fn template(source: &str) {
    match Template::parse(source) {
        Ok(template) => {
            assert_eq!(template.source(), source);
            let named = template.render(&|name| Some(name.to_owned()));
            assert!(named.is_ok_and(|text| text.starts_with(template.leading_constant())));
            assert!(template.names().count() == 0 || template.render(&|_| None::<&str>).is_err());
        }
        Err(error) => {
            let (at, len) = error.span();
            assert!(len > 0 && source.is_char_boundary(at) && at + len <= source.len() + 1, "{error:?} in {source:?}");
            assert!(!error.help().is_empty() && !error.to_string().is_empty());
        }
    }
}

fn a_matched_object_has_that_key(model: &Model, key: &Key) {
    match model.identify(key) {
        Identity::Item { object, .. } => {
            let keys = model.keys(&object);
            let can_be_a_key = key.pk.len() <= PARTITION_KEY_MAX && key.sk.len() <= SORT_KEY_MAX;
            assert!(
                !can_be_a_key || keys.as_ref().is_ok_and(|keys| keys.contains(key)),
                "{key:?}: {object:?}, {keys:?}"
            );
        }
        Identity::Bookkeeping => assert!(key.pk.starts_with(BOOKKEEPING_PREFIX)),
        Identity::Unknown(_) => {}
    }
}

/// Objects that have keys.
fn a_rendered_key_matches_its_object(model: &Model, lines: &[&str]) -> Vec<Object> {
    let mut objects = Vec::new();
    for (place, item) in model.items.iter().enumerate() {
        // Two objects of each form, with the same texts in other places.
        for (form, skip) in item.forms.iter().flat_map(|form| [(form, 0), (form, 1)]) {
            let texts = lines.iter().cycle().skip(skip).map(|text| (*text).to_owned());
            let names: Names = form.names.iter().cloned().zip(texts).collect();
            let object = Object { of: TypeId(place), names };
            match model.keys(&object) {
                Ok(keys) => {
                    assert!(!keys.is_empty());
                    for key in keys {
                        let read = model.identify(&key);
                        let is_same = matches!(&read, Identity::Item { object: read, .. } if *read == object);
                        assert!(is_same, "{object:?} has the key {key:?} of {read:?}");
                        assert!(key.pk.len() <= PARTITION_KEY_MAX && key.sk.len() <= SORT_KEY_MAX);
                    }
                    objects.push(object);
                }
                Err(error) => assert!(!error.to_string().contains(SECRET), "a text in a message: {error}"),
            }
        }
    }
    objects
}
