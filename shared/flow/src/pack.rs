//! Packs the objects that a run hands on into work messages.

use std::collections::BTreeSet;

use crate::work::{NamedObject, OBJECTS_MAX, halves};

/// Packs objects into messages with at most `bytes_max` bytes of objects. The objects of a group
/// are in one message, unless they are too large for it. No message contains an object twice with
/// the same image.
#[must_use]
pub fn pack(groups: Vec<Vec<NamedObject>>, bytes_max: usize) -> Vec<Vec<NamedObject>> {
    let mut packed: Vec<(BTreeSet<NamedObject>, usize)> = Vec::new();
    for group in groups.into_iter().flat_map(|group| split(group, bytes_max)) {
        let more: BTreeSet<NamedObject> = group.into_iter().collect();
        let missing = |last: &BTreeSet<NamedObject>| -> Vec<NamedObject> { more.difference(last).cloned().collect() };
        if let Some((last, bytes)) = packed.last_mut() {
            let missing = missing(last);
            let size = bytes_of(&missing);
            if last.len() + missing.len() <= OBJECTS_MAX && *bytes + size <= bytes_max {
                last.extend(missing);
                *bytes += size;
                continue;
            }
        }
        let size = bytes_of(&more);
        packed.push((more, size));
    }
    packed.into_iter().map(|(objects, _)| objects.into_iter().collect()).collect()
}

/// Halves a group until each part fits into a message.
fn split(group: Vec<NamedObject>, bytes_max: usize) -> Vec<Vec<NamedObject>> {
    if group.len() > 1 && bytes_of(&group) > bytes_max {
        return halves(group).into_iter().flat_map(|half| split(half, bytes_max)).collect();
    }
    vec![group]
}

fn bytes_of<'a>(objects: impl IntoIterator<Item = &'a NamedObject>) -> usize {
    objects.into_iter().map(|object| serde_json::to_vec(object).map_or(0, |bytes| bytes.len())).sum()
}

#[cfg(test)]
mod tests {
    use super::{NamedObject, OBJECTS_MAX, pack};
    use instep_model::{Item, Names, Value};

    fn object(name: &str, bytes: usize) -> NamedObject {
        let names = Names::from([("id".to_owned(), name.to_owned())]);
        let image = Some(Item::from([("text".to_owned(), Value::S("x".repeat(bytes)))]));
        NamedObject { of: "T".to_owned(), names, image, late: false, come: None, unsure: false }
    }

    /// INVARIANT 6: a run over a grant alone could not create the grant's user and group.
    #[test]
    fn the_objects_of_a_group_stay_together() {
        let groups: Vec<Vec<NamedObject>> = (0..10)
            .map(|group| ["user", "group", "grant"].map(|what| object(&format!("{what}{group}"), 40)).to_vec())
            .collect();
        for bytes_max in [500, 1_000, 100_000] {
            let packed = pack(groups.clone(), bytes_max);
            for group in &groups {
                assert!(packed.iter().any(|message| group.iter().all(|object| message.contains(object))));
            }
            assert!(packed.iter().all(|message| message.len() <= OBJECTS_MAX));
            assert_eq!(packed.iter().map(Vec::len).sum::<usize>(), 30);
        }
    }

    #[test]
    fn a_page_of_large_objects_needs_several_messages() {
        let page: Vec<NamedObject> = (0..8).map(|place| object(&place.to_string(), 1_000)).collect();
        let packed = pack(vec![page], 2_500);
        assert!(packed.iter().all(|message| message.len() <= 2), "{packed:?}");
        assert_eq!(packed.concat().len(), 8);
    }

    #[test]
    fn an_object_is_in_a_message_once() {
        let shared = object("user", 10);
        let groups = vec![vec![shared.clone(), object("a", 10)], vec![shared, object("b", 10)]];
        assert_eq!(pack(groups, 100_000).concat().len(), 3);
    }
}
