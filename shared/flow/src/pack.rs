//! Packs the objects that a run sends into work messages.

use std::collections::BTreeSet;

use crate::work::{NamedObject, OBJECTS_MAX, halves};

/// The objects of a message, and the places of the groups that they are from.
#[derive(Debug, Default)]
pub struct Packed {
    /// The objects.
    pub objects: BTreeSet<NamedObject>,
    /// The places of the groups.
    pub of: BTreeSet<usize>,
    bytes: usize,
}

/// Packs objects into messages with about `bytes_max` bytes of objects. Groups have images of several items:
/// those of the dependents of an object, which may be in different messages. Or they have one, of a grant,
/// with what a run over it has to create. No message contains an object twice with the same image.
#[must_use]
pub fn pack(groups: Vec<Vec<NamedObject>>, bytes_max: usize) -> Vec<Packed> {
    let mut packed: Vec<Packed> = Vec::new();
    let parts = groups.into_iter().enumerate();
    for (place, part) in
        parts.flat_map(|(place, group)| split(group, bytes_max).into_iter().map(move |part| (place, part)))
    {
        let missing = |last: &Packed| -> Vec<NamedObject> {
            part.iter().filter(|object| !last.objects.contains(*object)).cloned().collect()
        };
        let fitting = packed.last_mut().and_then(|last| {
            let missing = missing(last);
            let bytes = bytes_of(&missing);
            let fits = last.objects.len() + missing.len() <= OBJECTS_MAX && last.bytes + bytes <= bytes_max;
            fits.then_some((last, missing, bytes))
        });
        match fitting {
            Some((last, missing, bytes)) => {
                last.objects.extend(missing);
                last.of.insert(place);
                last.bytes += bytes;
            }
            None => {
                let bytes = bytes_of(&part);
                packed.push(Packed { objects: part.into_iter().collect(), of: [place].into(), bytes });
            }
        }
    }
    packed
}

/// Halves a group with several images until each part fits into a message. INVARIANT 6: one with a single image
/// is never divided, because a run over a grant alone could not create the grant's user and group.
fn split(group: Vec<NamedObject>, bytes_max: usize) -> Vec<Vec<NamedObject>> {
    let images = group.iter().filter(|object| object.image.is_some()).count();
    if images > 1 && bytes_of(&group) > bytes_max {
        return halves(group).into_iter().flat_map(|half| split(half, bytes_max)).collect();
    }
    vec![group]
}

fn bytes_of<'a>(objects: impl IntoIterator<Item = &'a NamedObject>) -> usize {
    objects.into_iter().map(|object| serde_json::to_vec(object).map_or(0, |bytes| bytes.len())).sum()
}

#[cfg(test)]
mod tests {
    use super::{NamedObject, OBJECTS_MAX, Packed, pack};
    use instep_model::{Item, Names, Value};

    fn objects(packed: Vec<Packed>) -> Vec<Vec<NamedObject>> {
        packed.into_iter().map(|message| message.objects.into_iter().collect()).collect()
    }

    fn object(name: &str, bytes: usize) -> NamedObject {
        let names = Names::from([("id".to_owned(), name.to_owned())]);
        let image = Some(Item::from([("text".to_owned(), Value::S("x".repeat(bytes)))]));
        NamedObject {
            of: "T".to_owned(),
            names,
            image,
            late: false,
            moment: None,
            doubt: crate::doubt::Doubt::Sure,
            adopt_before: None,
            revokes: false,
        }
    }

    /// INVARIANT 6: a run over a grant alone could not create the grant's user and group.
    #[test]
    fn the_objects_of_a_group_stay_together() {
        let groups: Vec<Vec<NamedObject>> = (0..10)
            .map(|group| ["user", "group", "grant"].map(|what| object(&format!("{what}{group}"), 40)).to_vec())
            .collect();
        for bytes_max in [500, 1_000, 100_000] {
            let packed = objects(pack(groups.clone(), bytes_max));
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
        let packed = objects(pack(vec![page], 2_500));
        assert!(packed.iter().all(|message| message.len() <= 2), "{packed:?}");
        assert_eq!(packed.concat().len(), 8);
    }

    #[test]
    fn an_object_is_in_a_message_once() {
        let shared = object("user", 10);
        let groups = vec![vec![shared.clone(), object("a", 10)], vec![shared, object("b", 10)]];
        assert_eq!(objects(pack(groups, 100_000)).concat().len(), 3);
    }

    /// INVARIANT 6: a grant that fits no message stays together with what it needs.
    #[test]
    fn a_large_grant_is_in_one_message_with_its_user_and_group() {
        let bare = |name| NamedObject { image: None, ..object(name, 0) };
        let groups = vec![vec![bare("user"), bare("group"), object("grant", 5_000)], vec![object("other", 10)]];
        let packed = pack(groups, 1_000);
        assert_eq!(packed.iter().map(|message| message.objects.len()).collect::<Vec<_>>(), [3, 1]);
        assert_eq!(packed.iter().map(|message| message.of.clone()).collect::<Vec<_>>(), [[0].into(), [1].into()]);
    }
}
