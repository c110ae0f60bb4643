//! The mark that a pending claim leaves when it gets its value. It is in the guard, and the transaction that deletes
//! the pending claim writes it. So the guard's own record tells a claim that was pending from a first one and from one
//! that was withdrawn.

use instep_model::{Item, Model, Object, Value};
use jiff::{SignedDuration, Timestamp};

use crate::bookkeeping;
use crate::change::Change;
use crate::implied;

/// The member of the mark, which has the owner and the time.
const RESOLVED: &str = "resolved";

/// How long after a mark its record can be written. A later record is of a copy of the guard, such as one in another
/// table. A run ends within 15 minutes, and the rest is for clocks that differ. Source: AWS Lambda Developer Guide,
/// "Lambda quotas".
const WRITTEN_WITHIN: SignedDuration = SignedDuration::from_hours(1);

/// The mark of a guard whose owner's claim was pending until `now`.
pub(crate) fn mark(model: &Model, owner: &Object, now: Timestamp) -> Value {
    let mut fields = bookkeeping::names_object(model, owner);
    fields.insert("at".to_owned(), Value::S(now.to_string()));
    Value::M([(RESOLVED.to_owned(), Value::M(fields))].into())
}

/// The owner whose pending claim got the value with this write of a guard.
pub(crate) fn resolved(model: &Model, change: &Change) -> Option<Object> {
    model.item(change.object.of).guard.as_ref()?;
    let new = change.new.as_ref()?;
    let fields = marked(new)?;
    if change.old.as_ref().and_then(marked) == Some(fields) {
        return None;
    }
    let Value::M(fields) = fields else { return None };
    let at: Timestamp = fields.get("at")?.as_s()?.parse().ok()?;
    let is_copy = change.recorded_at.is_some_and(|recorded_at| recorded_at.duration_since(at) > WRITTEN_WITHIN);
    let owner = bookkeeping::named_object(model, fields)?;
    (!is_copy && implied::owner(model, &change.object, new).as_ref() == Some(&owner)).then_some(owner)
}

fn marked(guard: &Item) -> Option<&Value> {
    bookkeeping::fields(guard).and_then(|fields| fields.get(RESOLVED))
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use instep_contract::Cause;

    use super::*;
    use crate::bookkeeping::FIELDS;

    fn model() -> Model {
        Model::load(Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../model/models/teams.toml"))).unwrap()
    }

    fn change(model: &Model, old: Option<Item>, new: Option<Item>, recorded_at: &str) -> Change {
        let object = Object {
            of: model.type_named("Email").unwrap(),
            names: [("email".to_owned(), "a@x.example".to_owned())].into(),
        };
        let key = model.keys(&object).unwrap().remove(0);
        let recorded_at = recorded_at.parse().ok();
        let (epoch, sequence) = (String::new(), "1".to_owned());
        Change { object, key, old, new, epoch, sequence, recorded_at, cause: Cause::Write, notes: Vec::new() }
    }

    /// Promise 4: a win is published with the write that marks the guard for the owner that it names, and with no other.
    #[test]
    fn a_mark_is_one_write_for_one_owner() {
        let model = model();
        let user = |id: &str| Object {
            of: model.type_named("User").unwrap(),
            names: [("userId".to_owned(), id.to_owned())].into(),
        };
        let at = "2026-01-01T00:00:00Z";
        let marked = |owner: &str, named: &str, at: &str| {
            let mark = mark(&model, &user(owner), at.parse().unwrap());
            Some(Item::from([("userId".to_owned(), Value::S(named.to_owned())), (FIELDS.to_owned(), mark)]))
        };
        let plain = Some(Item::from([("userId".to_owned(), Value::S("ann".to_owned()))]));
        let of = |old: Option<Item>, new: Option<Item>, when: &str| resolved(&model, &change(&model, old, new, when));
        let bob = marked("bob", "bob", at);
        assert_eq!(of(plain.clone(), bob.clone(), at), Some(user("bob")), "the guard was given to it");
        assert_eq!(of(None, bob.clone(), at), Some(user("bob")), "the guard was written for it");
        assert_eq!(of(bob.clone(), plain.clone(), at), None, "it lost the guard");
        assert_eq!(of(plain.clone(), None, at), None);
        assert_eq!(of(bob.clone(), bob.clone(), at), None, "another write of the guard");
        assert_eq!(of(plain.clone(), marked("bob", "ann", at), at), None, "a writer gave it to another");
        assert_eq!(of(None, bob.clone(), "2026-01-01T02:00:00Z"), None, "a copy of the guard");
        assert_eq!(of(bob, marked("bob", "bob", "2026-01-02T00:00:00Z"), at), Some(user("bob")), "it got it again");
        assert_eq!(of(None, plain, at), None, "a first claim");
    }
}
