//! Assertions about Instep's bookkeeping items, whatever objects they are of.

use std::collections::BTreeMap;

use instep_flow::bookkeeping::{self, BookkeepingKind};
use instep_model::{Identity, Model, Object};
use jiff::Timestamp;

/// DynamoDB's limit on a partition key's value, in bytes.
pub const PARTITION_KEY_MAX: usize = 2_048;
/// DynamoDB's limit on a sort key's value, in bytes.
pub const SORT_KEY_MAX: usize = 1_024;

/// INVARIANT 2: no two objects share a back-reference, a tombstone or a claim, and each of these
/// names its object.
///
/// # Panics
/// The assertion fails.
pub fn assert_distinct(model: &Model, objects: &[Object]) {
    let mut partitions: BTreeMap<String, &Object> = BTreeMap::new();
    for (object, other) in objects.iter().zip(objects.iter().cycle().skip(1)) {
        no_text_passes_for_a_boundary(model, object);
        let (reference_key, reference) = bookkeeping::reference(model, object, other);
        let (claim_key, claim) = bookkeeping::claim(model, object, other, Timestamp::UNIX_EPOCH);
        let tombstone_key = bookkeeping::tombstone_key(model, object);
        let before = partitions.insert(tombstone_key.pk.clone(), object);
        assert!(before.is_none_or(|before| before == object), "{before:?} and {object:?} share {tombstone_key:?}");
        assert_eq!(bookkeeping::object(model, &reference).as_ref(), Some(other));
        assert_eq!(bookkeeping::object(model, &claim).as_ref(), Some(other));
        let is_guard = model.item(object.of).guard.is_some();
        assert_eq!(bookkeeping::claimed_guard(model, &claim).as_ref(), is_guard.then_some(object));
        assert_eq!(bookkeeping::since(&claim), Some(Timestamp::UNIX_EPOCH));
        let kept =
            bookkeeping::tombstone(model, &tombstone_key, object, Timestamp::MAX, Timestamp::MAX, Some(&reference));
        assert_eq!(bookkeeping::deleted_item(&kept), Some(&reference));
        let plain = bookkeeping::tombstone(model, &tombstone_key, object, Timestamp::MAX, Timestamp::MAX, None);
        assert_eq!((bookkeeping::deleted_item(&plain), bookkeeping::removed_at(&plain)), (None, Some(Timestamp::MAX)));
        for (kind, key, item) in [
            (BookkeepingKind::Reference, &reference_key, &reference),
            (BookkeepingKind::Claim, &claim_key, &claim),
            (BookkeepingKind::Tombstone, &tombstone_key, &kept),
            (BookkeepingKind::Tombstone, &tombstone_key, &plain),
        ] {
            assert_eq!(BookkeepingKind::of(key), Some(kind));
            assert_eq!(model.identify(key), Identity::Bookkeeping);
            assert_eq!(model.table.key_of(item).as_ref(), Some(key));
            assert!(!key.pk.is_empty() && !key.sk.is_empty());
            assert!(key.pk.len() <= PARTITION_KEY_MAX && key.sk.len() <= SORT_KEY_MAX, "{key:?}");
        }
    }
}

/// The boundaries between the texts of names are unambiguous, whatever the texts contain.
fn no_text_passes_for_a_boundary(model: &Model, object: &Object) {
    let mut names = object.names.keys();
    let (Some(first), Some(second)) = (names.next(), names.next()) else { return };
    let partition = |one: &str, other: &str| {
        let mut object = object.clone();
        object.names.extend([(first.clone(), one.to_owned()), (second.clone(), other.to_owned())]);
        bookkeeping::partition(model, BookkeepingKind::Tombstone, &object)
    };
    assert_ne!(partition(&format!("1/{second}=2"), "3"), partition("1", &format!("2/{second}=3")), "{object:?}");
}
