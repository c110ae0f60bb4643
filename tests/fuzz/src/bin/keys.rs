//! Keys: the first two lines are a key, all lines are texts of names and templates. What is read has that key, what is rendered is
//! read back, and Instep's own items say again what they were made of.

#![cfg_attr(feature = "libfuzzer", no_main)]

use std::collections::BTreeMap;

use fuzz::designs::DESIGNS;
use fuzz::flow::SECRET;
use instep_flow::bookkeeping::{self, Job, Kind};
use instep_model::template::Template;
use instep_model::{BOOKKEEPING_PREFIX, Identity, Key, Model, Names, Thing, TypeId};
use jiff::Timestamp;

fuzz::target!("keys", check, further: [], mutations: 1_000);

/// DynamoDB's limits on key values, in bytes.
const PARTITION_KEY_MAX: usize = 2_048;
const SORT_KEY_MAX: usize = 1_024;

fn check(bytes: &[u8]) {
    let text = String::from_utf8_lossy(bytes);
    let lines: Vec<&str> = text.split('\n').collect();
    lines.iter().for_each(|line| template(line));
    let line = |place: usize| (*lines.get(place).unwrap_or(&"")).to_owned();
    let key = Key { pk: line(0), sk: line(1) };
    for design in DESIGNS.iter() {
        what_is_read_has_that_key(&design.model, &key);
        let things = what_is_rendered_is_read_back(&design.model, &lines);
        what_is_noted_is_told_apart(&design.model, &things);
    }
}

fn template(source: &str) {
    match Template::parse(source) {
        Ok(template) => {
            assert_eq!(template.source(), source);
            let named = template.render(&|name| Some(name.to_owned()));
            assert!(named.is_ok_and(|text| text.starts_with(template.leading_constant())));
            assert!(template.names().count() == 0 || template.render(&|_| None).is_err());
        }
        Err(error) => {
            let (at, len) = error.span();
            assert!(len > 0 && source.is_char_boundary(at) && at + len <= source.len() + 1, "{error:?} in {source:?}");
            assert!(!error.help().is_empty() && !error.to_string().is_empty());
        }
    }
}

fn what_is_read_has_that_key(model: &Model, key: &Key) {
    match model.identify(key) {
        Identity::Item { thing, .. } => {
            let keys = model.keys(&thing);
            let can_be_a_key = key.pk.len() <= PARTITION_KEY_MAX && key.sk.len() <= SORT_KEY_MAX;
            assert!(
                !can_be_a_key || keys.as_ref().is_ok_and(|keys| keys.contains(key)),
                "{key:?}: {thing:?}, {keys:?}"
            );
        }
        Identity::Bookkeeping => assert!(key.pk.starts_with(BOOKKEEPING_PREFIX)),
        Identity::Unknown { forged, name, .. } => assert!(!forged || name.is_some()),
    }
}

/// Gives the things that have keys.
fn what_is_rendered_is_read_back(model: &Model, lines: &[&str]) -> Vec<Thing> {
    let mut things = Vec::new();
    for (place, item) in model.items.iter().enumerate() {
        // Two things of each form, with the same texts in other places.
        for (form, skip) in item.forms.iter().flat_map(|form| [(form, 0), (form, 1)]) {
            let texts = lines.iter().cycle().skip(skip).map(|text| (*text).to_owned());
            let names: Names = form.names.iter().cloned().zip(texts).collect();
            let thing = Thing { of: TypeId(place), names };
            match model.keys(&thing) {
                Ok(keys) => {
                    assert!(!keys.is_empty());
                    for key in keys {
                        let read = model.identify(&key);
                        let is_same = matches!(&read, Identity::Item { thing: read, .. } if *read == thing);
                        assert!(is_same, "{thing:?} has the key {key:?} of {read:?}");
                        assert!(key.pk.len() <= PARTITION_KEY_MAX && key.sk.len() <= SORT_KEY_MAX);
                    }
                    things.push(thing);
                }
                Err(error) => assert!(!error.to_string().contains(SECRET), "a text in a message: {error}"),
            }
        }
    }
    things
}

/// INVARIANT 2: no two things share a back-reference, a tombstone or a claim, and each says what it is of.
fn what_is_noted_is_told_apart(model: &Model, things: &[Thing]) {
    let mut partitions: BTreeMap<String, &Thing> = BTreeMap::new();
    for (thing, other) in things.iter().zip(things.iter().cycle().skip(1)) {
        let (reference_key, reference) = bookkeeping::reference(model, thing, other);
        let (claim_key, claim) = bookkeeping::claim(model, thing, other, Timestamp::UNIX_EPOCH);
        let gone_key = bookkeeping::gone_key(model, thing);
        let before = partitions.insert(gone_key.pk.clone(), thing);
        assert!(before.is_none_or(|before| before == thing), "{before:?} and {thing:?} share {gone_key:?}");
        assert_eq!(bookkeeping::thing(model, &reference).as_ref(), Some(other));
        assert_eq!(bookkeeping::thing(model, &claim).as_ref(), Some(other));
        assert_eq!(bookkeeping::claimed_guard(model, &claim).as_ref(), Some(thing));
        assert_eq!(bookkeeping::since(&claim), Some(Timestamp::UNIX_EPOCH));
        let job = Job { pass: 3, gone: true, link: 1, cursor: Some(reference.clone()), not_before_ms: Some(-1) };
        let open = bookkeeping::tombstone(model, &gone_key, thing, Timestamp::MAX, Some(&job));
        assert_eq!(bookkeeping::job(&open), Some((job, Timestamp::MAX)));
        let done = bookkeeping::tombstone(model, &gone_key, thing, Timestamp::MAX, None);
        assert_eq!((bookkeeping::job(&done), bookkeeping::removed_at(&done)), (None, Some(Timestamp::MAX)));
        for (kind, key, item) in [
            (Kind::Reference, &reference_key, &reference),
            (Kind::Claim, &claim_key, &claim),
            (Kind::Gone, &gone_key, &open),
        ] {
            assert_eq!(Kind::of(key), Some(kind));
            assert_eq!(model.identify(key), Identity::Bookkeeping);
            assert_eq!(model.table.key_of(item).as_ref(), Some(key));
            assert!(key.pk.len() <= PARTITION_KEY_MAX && key.sk.len() <= SORT_KEY_MAX, "{key:?}");
        }
    }
}
