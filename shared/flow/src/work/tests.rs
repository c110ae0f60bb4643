use instep_model::Model;
use serde_json::value::RawValue;
use serde_json::{Value, json};

use super::*;

const NOW: Timestamp = Timestamp::UNIX_EPOCH;

fn records(count: usize, kept: usize) -> Work {
    let record = |place: usize| RawValue::from_string(place.to_string()).unwrap();
    let object = |place: usize| serde_json::from_value(json!({"bucket": "b", "key": place.to_string()})).unwrap();
    let (records, objects) = ((0..count).map(record).collect(), (count..count + kept).map(object).collect());
    Work::Records(Records {
        origin: Origin::Failed,
        records,
        objects,
        records_of: None,
        publish: true,
        adopt_before: None,
    })
}

/// Parts of a message that has `work`, after `handled` of its records were handled.
fn parts(work: Work, handled: usize) -> Vec<Value> {
    let model = Model::shipped("platform").unwrap();
    let message = WorkMessage { redrives: 2, ..WorkMessage::new(&model, "table", 7, NOW, work) };
    let parts = message.divided(handled).into_iter().map(|part| part.replaced(&model, NOW, |_, _| false));
    let parts: Vec<Value> = parts.map(|part| serde_json::to_value(part).unwrap()).collect();
    let is_replaced = |part: &Value| part.get("doubt").is_some() && part["hops"] == 7 && part["redrives"] == 2;
    assert!(parts.iter().all(is_replaced));
    parts
}

/// Promise 6: the parts have exactly what is left.
#[test]
fn the_parts_of_a_message_have_what_is_left() {
    let numbers = |part: &Value| {
        let [all, kept] = ["records", "objects"].map(|name| part["work"]["records"][name].as_array().cloned());
        let kept = kept.into_iter().flatten().map(|object| object["key"].as_str().unwrap().parse().unwrap());
        all.into_iter().flatten().map(|record| record.as_u64().unwrap()).chain(kept).collect::<Vec<u64>>()
    };
    for (count, kept) in [(0, 3), (1, 0), (1, 1), (2, 0), (3, 2), (25, 0)] {
        for handled in 0..count + kept {
            let parts: Vec<Vec<u64>> = parts(records(count, kept), handled).iter().map(numbers).collect();
            if count + kept == 1 {
                assert!(parts.is_empty(), "one record cannot be divided");
                continue;
            }
            assert_eq!(parts.concat(), (handled as u64..(count + kept) as u64).collect::<Vec<u64>>());
            assert_eq!(parts.len(), if handled == 0 { 2 } else { 1 });
            assert!(parts.iter().all(|part| !part.is_empty()));
        }
    }
}

#[test]
fn objects_and_what_a_sweep_has_found_are_halved() {
    let object = |id: &str| json!({"type": "T", "names": {"id": id}});
    let work = |work: Value| serde_json::from_value::<Work>(work).unwrap();
    let halves = parts(work(json!({"reconcile": [object("a"), object("b"), object("c")]})), 0);
    let works: Vec<&Value> = halves.iter().map(|half| &half["work"]).collect();
    assert_eq!(works, [&json!({"reconcile": [object("a")]}), &json!({"reconcile": [object("b"), object("c")]})]);
    assert!(parts(work(json!({"reconcile": [object("a")]})), 0).is_empty());
    let halves = parts(work(json!({"extra": {"groups": ["a", "b"], "members": [{"user": "u", "group": "a"}]}})), 0);
    let works: Vec<&Value> = halves.iter().map(|half| &half["work"]).collect();
    let first = json!({"extra": {"members": [{"user": "u", "group": "a"}]}});
    assert_eq!(works, [&first, &json!({"extra": {"groups": ["a", "b"]}})]);
}

/// Promise 1: what replaces a message says what a run may have done of it. Records and pages say it as a whole.
#[test]
fn what_replaces_a_message_is_unsure_of_what_a_run_touched() {
    let model = Model::shipped("access-management").unwrap();
    let group = |id: &str| json!({"type": "Group", "names": {"groupId": id}});
    let work = |work: Value| serde_json::from_value::<Work>(work).unwrap();
    let replaced = |message: WorkMessage| {
        let touches = |object: &Object, _: &NamedObject| object.names.values().any(|id| id == "/a");
        let message = message.replaced(&model, NOW, touches);
        let Work::Reconcile(objects) = &message.work else { return (message.doubt, Vec::new()) };
        (message.doubt, objects.iter().map(|object| object.doubt == Doubt::MayBeDone).collect())
    };
    let message = |work| WorkMessage::new(&model, "table", 0, NOW, work);
    let named = || work(json!({"reconcile": [group("/a"), group("/b")]}));
    assert_eq!(replaced(message(named())), (Doubt::Replaces, vec![true, false]));
    assert_eq!(
        replaced(WorkMessage { doubt: Doubt::MayBeDone, ..message(named()) }),
        (Doubt::MayBeDone, vec![true, false])
    );
    let sweep_found = json!({"type": "Group", "names": {"groupId": "/b"}, "doubt": "mayBeDone"});
    assert_eq!(replaced(message(work(json!({"reconcile": [sweep_found]})))), (Doubt::Replaces, vec![true]));
    assert_eq!(replaced(message(records(2, 0))), (Doubt::MayBeDone, vec![]));
}

/// Promise 2: a copy is as old as the message that was sent first, and what a run replaces in time is as new as
/// the run.
#[test]
fn a_message_keeps_its_age() {
    let model = Model::shipped("platform").unwrap();
    let message = WorkMessage::new(&model, "table", 0, NOW, records(2, 0));
    let after = |hours| NOW.saturating_add(SignedDuration::from_hours(hours)).unwrap();
    assert!(is_live(message.sent_at, NOW) && is_live(message.sent_at, after(6)));
    assert!(!is_live(message.sent_at, after(7)) && !is_live(None, NOW));
    assert!(!is_live(message.sent_at, after(-1)), "a time that has not come shows no age");
    let text = serde_json::to_string(&message).unwrap();
    assert_eq!(WorkMessage::parse(&model, "table", &text).unwrap().sent_at, Some(NOW));
    assert!(message.clone().divided(1).iter().all(|part| part.sent_at == Some(NOW)));
    let replaced = |hours| message.clone().replaced(&model, after(hours), |_, _| false).sent_at;
    assert_eq!((replaced(5), replaced(7)), (Some(after(5)), Some(NOW)));
}
