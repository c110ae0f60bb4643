//! Single runs over a table that a test writes itself. Effects are collected. Only deletions of the
//! bookkeeping items of groups are applied.

#![expect(clippy::unwrap_used, clippy::panic, reason = "a test stops where it cannot go on")]

use std::cell::Cell;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;
use std::time::Duration;

use instep_flow::answers::{Answers, Asks, Page, Query};
use instep_flow::bookkeeping::{self, BookkeepingKind};
use instep_flow::decode::{Decoded, decode};
use instep_flow::doubt::Doubt;
use instep_flow::due::{ArrivedMoment, MomentKind};
use instep_flow::effect::{Action, Effect};
use instep_flow::entries::EntryId;
use instep_flow::plan::{Delivery, Plan};
use instep_flow::reconcile::{Applied, Next, Reconciler, RunOutcome};
use instep_flow::stream_record::RecordPlace;
use instep_flow::work::{Dependents, Extent, NamedObject, Which};
use instep_model::{Item, Key, Model, Names, Object, Value};
use jiff::Timestamp;
use serde_json::json;
use serde_json::value::to_raw_value;

fn now() -> Timestamp {
    Timestamp::from_second(1_780_000_000).unwrap()
}

/// A table of people, and of what a test adds.
const HEAD: &str = r#"
model = "own"
table = { pk = "pk", sk = "sk" }
[items.Person]
pk = "P#{personId}"
sk = "P"
cognito.user = { name = "{personId}" }
"#;

fn model(text: &str) -> Model {
    Model::parse("own.toml", &format!("{HEAD}{text}")).unwrap()
}

struct Table<'a> {
    model: &'a Model,
    items: BTreeMap<(String, String), Item>,
    /// The rows that are read of a query without a limit.
    rows_max: usize,
    /// The rows that all queries have read.
    rows_read: Cell<usize>,
    /// How long the reads take.
    reading: Duration,
}

impl<'a> Table<'a> {
    fn new(model: &'a Model, rows_max: usize) -> Self {
        Self { model, items: BTreeMap::new(), rows_max, rows_read: Cell::new(0), reading: Duration::ZERO }
    }

    fn put(&mut self, (pk, sk): (&str, &str), more: &[(&str, &str)]) {
        let all = [("pk", pk), ("sk", sk)].into_iter().chain(more.iter().copied());
        let item = all.map(|(name, text)| (name.to_owned(), Value::S(text.to_owned()))).collect();
        self.items.insert((pk.to_owned(), sk.to_owned()), item);
    }

    fn rows(&self, query: &Query) -> Vec<Item> {
        let text = |item: &Item, name: &str| item.get(name).and_then(Value::as_s).map(str::to_owned);
        let is_row = |item: &&Item| {
            let is_sorted = |sk: String| {
                if query.sk_is_whole { sk == query.sk_prefix } else { sk.starts_with(&query.sk_prefix) }
            };
            text(item, &query.pk_attribute).as_ref() == Some(&query.pk)
                && text(item, &query.sk_attribute).is_some_and(is_sorted)
        };
        self.items.values().filter(is_row).cloned().collect()
    }

    fn read(&self, asks: Asks) -> Answers {
        let mut answers = Answers::default();
        for Key { pk, sk } in asks.keys {
            let item = self.items.get(&(pk.clone(), sk.clone())).cloned();
            answers.item(Key { pk, sk }, item);
        }
        for query in asks.queries {
            let mut rows = self.rows(&query);
            let rows_max = query.limit.unwrap_or(self.rows_max);
            if rows.len() > rows_max {
                rows.truncate(rows_max);
                answers.cut(query.clone());
            }
            self.rows_read.set(self.rows_read.get() + rows.len());
            answers.rows(query, rows);
        }
        for ask in asks.pages {
            let rows = self.rows(&ask.query);
            answers.page(ask, Page { rows, next: None });
        }
        for user in asks.groups_of {
            answers.groups_of(user, BTreeSet::new());
        }
        answers
    }

    fn run(&mut self, plan: Plan) -> (Vec<Arc<Effect>>, RunOutcome) {
        let mut all = Vec::new();
        let mut reconciler = Reconciler::new(self.model, plan, now());
        loop {
            match reconciler.next() {
                Next::Read(asks) => reconciler.answer(self.read(asks), self.reading),
                Next::Apply(effects) => {
                    for (effect, places) in effects {
                        self.delete_entries_of_groups(&effect);
                        reconciler.applied(&effect, &places, Applied::DONE);
                        all.push(effect);
                    }
                }
                Next::Done(reconciled) => {
                    assert_eq!(reconciled.failed, None);
                    return (all, reconciled);
                }
            }
        }
    }

    fn delete_entries_of_groups(&mut self, effect: &Effect) {
        let Effect::Write(write) = effect else { return };
        for action in &write.actions {
            if let Action::Delete { key, .. } = action
                && BookkeepingKind::of(key) == Some(BookkeepingKind::Group)
            {
                self.items.remove(&(key.pk.clone(), key.sk.clone()));
            }
        }
    }

    /// Deletes an item, and handles its record.
    fn delete(&mut self, pk: &str, sk: &str) -> (Vec<Arc<Effect>>, Vec<&'static str>) {
        let old = self.items.remove(&(pk.to_owned(), sk.to_owned())).unwrap();
        let body = json!({
            "ApproximateCreationDateTime": now().as_second(),
            "Keys": {"pk": {"S": pk}, "sk": {"S": sk}},
            "SequenceNumber": "100",
            "OldImage": old,
        });
        let record = to_raw_value(&json!({"eventName": "REMOVE", "dynamodb": body})).unwrap();
        let Decoded::Change(change) = decode(self.model, None, &record).unwrap() else { panic!("no change") };
        let mut plan = Plan::default();
        plan.add(self.model, EntryId(0), &change, Delivery::STREAM);
        let (effects, reconciled) = self.run(plan);
        (effects, reconciled.refused.iter().map(|(_, code, _)| *code).collect())
    }
}

const SEATS: &str = r#"
[items.Seat]
pk = "P#{personId}"
sk = "SEAT#{seatId}"
parent = "Person"
cognito.member = { user = "Person", group = { name = "staff" }, when = { state = "on" } }
"#;

/// Promises 1 and 2: a membership stays if not every item was read that could imply it, and its record
/// is parked. It goes if none of all does.
#[test]
fn a_membership_of_unread_items_stays() {
    let model = model(SEATS);
    let mut table = Table::new(&model, 3);
    table.put(("P#ann", "P"), &[]);
    for seat in ["1", "2", "3", "4"] {
        table.put(("P#ann", &format!("SEAT#{seat}")), &[("state", "off")]);
    }
    for seat in ["5", "6"] {
        table.put(("P#ann", &format!("SEAT#{seat}")), &[("state", "on")]);
    }
    let removes = |effects: &[Arc<Effect>]| effects.iter().any(|effect| matches!(**effect, Effect::RemoveMember(_)));
    let (effects, parked) = table.delete("P#ann", "SEAT#5");
    assert_eq!((removes(&effects), parked), (false, vec!["too-many-items"]));
    table.put(("P#ann", "SEAT#5"), &[("state", "on")]);
    let person = table.items.remove(&("P#ann".to_owned(), "P".to_owned())).unwrap();
    let (effects, parked) = table.delete("P#ann", "SEAT#5");
    assert_eq!((removes(&effects), parked), (true, vec![]), "no seat counts without its person");
    table.items.insert(("P#ann".to_owned(), "P".to_owned()), person);
    table.rows_max = 6;
    let (effects, parked) = table.delete("P#ann", "SEAT#6");
    assert_eq!((removes(&effects), parked), (true, vec![]));
}

const FOLDERS: &str = r#"
[items.Folder]
pk = "FOLDER#{folderId}"
sk = "FOLDER"
[items.File]
pk = "FILE#{fileId}"
sk = "FILE"
[items.Within]
pk = "FOLDER#{folder.folderId}"
sk = "FILE#{file.fileId}"
edge = { folder = "Folder", file = { type = "File", find = "back-reference" }, takes = "file" }
"#;

fn named(model: &Model, of: &str, names: &[(&str, &str)]) -> Object {
    let names = names.iter().map(|(name, text)| ((*name).to_owned(), (*text).to_owned())).collect::<Names>();
    Object { of: model.type_named(of).unwrap(), names }
}

/// Promises 1 and 2: a child stays if not every edge was read that could give it a parent, its edge
/// stays for the redrive, and the record is parked. It goes if none of all does.
#[test]
fn a_child_of_unread_edges_stays() {
    for (rows_max, deletes) in [(2, false), (3, true)] {
        let model = model(FOLDERS);
        let mut table = Table::new(&model, rows_max);
        table.put(("FILE#x", "FILE"), &[]);
        table.put(("FOLDER#a", "FOLDER"), &[]);
        for folder in ["a", "b", "c"] {
            table.put((&format!("FOLDER#{folder}"), "FILE#x"), &[]);
            let file = named(&model, "File", &[("fileId", "x")]);
            let edge = named(&model, "Within", &[("folder.folderId", folder), ("file.fileId", "x")]);
            let (key, item) = bookkeeping::reference(&model, &file, &edge);
            table.items.insert((key.pk, key.sk), item);
        }
        let (effects, parked) = table.delete("FOLDER#a", "FOLDER");
        let pages = effects.iter().filter_map(|effect| {
            let Effect::DeletePage(page) = &**effect else { return None };
            Some(page.units.iter().flat_map(|unit| &unit.actions))
        });
        let deleted: Vec<&str> = pages.flatten().map(Action::key).map(|key| key.sk.as_str()).collect();
        if deletes {
            assert_eq!((deleted, parked), (vec!["FILE#x", "FILE"], vec![]));
        } else {
            assert_eq!((deleted, parked), (vec![], vec!["too-many-items"]));
        }
    }
}

/// Promise 1: a run over a message that a `due` rule has come does nothing for the memberships of its
/// item. So a run over the same batch that creates the group of the item sends it to the work queue.
#[test]
fn an_item_of_a_due_rule_is_not_in_hand() {
    let model = model(
        r#"
[items.Team]
pk = "T#{teamId}"
sk = "T"
cognito.groups = "{teamId}"
[items.Seat]
pk = "T#{teamId}"
sk = "SEAT#{personId}"
parent = "Team"
grant = { subject = { type = "Person", find = "back-reference" }, scope = "Team" }
cognito.member = { user = "Person", group = "Team" }
due = [{ at = "end", when = { state = "on" }, set = { state = "off" } }]
[names]
end = { is = "time" }
"#,
    );
    let mut table = Table::new(&model, 100);
    table.put(("P#ann", "P"), &[]);
    table.put(("T#red", "T"), &[]);
    let at = now().to_string();
    table.put(("T#red", "SEAT#ann"), &[("end", &at), ("state", "on")]);
    let seat = named(&model, "Seat", &[("teamId", "red"), ("personId", "ann")]);
    let item = table.items.get(&("T#red".to_owned(), "SEAT#ann".to_owned())).cloned();
    let moment = ArrivedMoment { at: now(), kind: MomentKind::Rule, place: RecordPlace::default() };
    let due = NamedObject { moment: Some(moment), ..NamedObject::new(&model, &seat, item) };
    let team = NamedObject::new(&model, &named(&model, "Team", &[("teamId", "red")]), None);
    let mut plan = Plan::default();
    plan.add_named(&model, EntryId(0), &due, Doubt::Sure);
    plan.add_named(&model, EntryId(1), &team, Doubt::MayBeDone);
    let (effects, _) = table.run(plan);
    let sent = effects
        .iter()
        .filter_map(|effect| if let Effect::SendObjects(objects) = &**effect { Some(objects) } else { None });
    assert_eq!(sent.flatten().map(|object| object.of.as_str()).collect::<Vec<_>>(), ["Seat"]);
}

const ROOMS: &str = r#"
[indexes]
GSI1 = { pk = "GSI1PK", sk = "GSI1SK" }
[items.Room]
pk = "SITE#{siteId}"
sk = "ROOM#{roomId}"
GSI1 = { pk = "ROOM#{roomId}", sk = "SITE#{siteId}" }
[items.Key]
pk = "P#{personId}"
sk = "ROOM#{roomId}#{role}"
parent = ["Person", { type = "Room", find = "back-reference" }]
grant = { subject = "Person", roles = "{role}" }
cognito.member = { user = "Person", group = "room|{roomId}|{role}", made = "on-demand" }
"#;

impl Table<'_> {
    /// The bookkeeping items of groups of the room `r1`, which the names of a site lead to.
    fn groups_of_room(&mut self, prefix: &str, site: &str, count: usize) {
        let room = named(self.model, "Room", &[("roomId", "r1")]);
        let names: Names = [("roomId", "r1"), ("siteId", site)].map(|(name, id)| (name.into(), id.into())).into();
        for number in 0..count {
            let group = format!("room|r1|{prefix}{number:03}");
            let parents = vec![(room.clone(), Some(names.clone()))];
            for (key, item) in bookkeeping::groups(self.model, &group, parents, now()) {
                self.items.insert((key.pk, key.sk), item);
            }
        }
    }

    /// The groups that a run over the late message about a deleted room deletes, and whether it sends
    /// another such message.
    fn groups_deleted_with_room(&mut self) -> (Vec<String>, bool) {
        let room = named(self.model, "Room", &[("siteId", "a"), ("roomId", "r1")]);
        let (effects, message) = self.run_late(&room, Which::Groups);
        let deleted = effects.iter().filter_map(|effect| {
            let Effect::DeleteGroup { group, .. } = &**effect else { return None };
            Some(group.clone())
        });
        let goes_on =
            effects.iter().any(|effect| matches!(&**effect, Effect::SendDependents(rest) if *rest == message));
        (deleted.collect(), goes_on)
    }

    /// A run over a message that names an object with its present item.
    fn run_named(&mut self, object: &Object, (pk, sk): (&str, &str)) -> Vec<Arc<Effect>> {
        let image = self.items.get(&(pk.to_owned(), sk.to_owned())).cloned();
        let mut plan = Plan::default();
        plan.add_named(self.model, EntryId(0), &NamedObject::new(self.model, object, image), Doubt::Sure);
        self.run(plan).0
    }

    /// A run over the late message about a deleted object, or only about its groups on demand.
    fn run_late(&mut self, object: &Object, which: Which) -> (Vec<Arc<Effect>>, Dependents) {
        let key = bookkeeping::tombstone_key(self.model, object);
        let tombstone = bookkeeping::tombstone(self.model, &key, object, now(), now(), None);
        self.items.insert((key.pk, key.sk), tombstone);
        let message = Dependents::of(self.model, object, which, Extent::Late);
        let mut plan = Plan::default();
        plan.add_dependents(EntryId(0), &message, Doubt::Sure, true);
        (self.run(plan).0, message)
    }
}

/// Promise 8: an item implies thousands of memberships. They share its image, and a message about one of them
/// carries its role alone.
#[test]
fn the_memberships_of_an_item_share_its_image() {
    let model = model(
        r#"
[items.Seat]
pk = "P#{personId}"
sk = "SEAT"
grant = { subject = "Person", roles = "roles" }
cognito.member = { user = "Person", group = "staff-{role}" }
"#,
    );
    let mut table = Table::new(&model, 100);
    table.put(("P#ann", "P"), &[]);
    table.put(("P#ann", "SEAT"), &[]);
    let seat = table.items.get_mut(&("P#ann".to_owned(), "SEAT".to_owned())).unwrap();
    let roles = ["a", "b", "c"];
    seat.insert("roles".to_owned(), Value::L(roles.map(|role| Value::S(role.to_owned())).to_vec()));
    let effects = table.run_named(&named(&model, "Seat", &[("personId", "ann")]), ("P#ann", "SEAT"));
    let added =
        effects.iter().filter_map(|effect| if let Effect::AddMember(add) = &**effect { Some(add) } else { None });
    let added: Vec<_> = added.collect();
    assert_eq!(
        added.iter().map(|add| add.membership.group.as_str()).collect::<Vec<_>>(),
        roles.map(|role| format!("staff-{role}"))
    );
    for (add, role) in added.iter().zip(roles) {
        assert!(added.iter().all(|other| Arc::ptr_eq(&add.image, &other.image)));
        let sent = add.to_send(&model).pop().unwrap();
        assert_eq!(sent.image, Some(Item::from([("roles".to_owned(), Value::L(vec![Value::S(role.to_owned())]))])));
    }
}

/// Promise 8: a run deletes a few of a parent's groups on demand and sends a message for the rest. It reads
/// little more than what it deletes, before the deletion and after it.
#[test]
fn a_run_deletes_and_reads_few_groups_of_a_deleted_parent() {
    for (count, deleted, goes_on) in [(0, 0, false), (10, 10, false), (11, 10, true), (500, 10, true)] {
        let model = model(ROOMS);
        let mut table = Table::new(&model, 1_000);
        table.groups_of_room("", "a", count);
        let (groups, more) = table.groups_deleted_with_room();
        assert_eq!((groups.len(), more), (deleted, goes_on), "of {count}");
        assert!(table.rows_read.get() <= 2 * 11, "{} rows read of {count}", table.rows_read.get());
    }
}

/// Promise 1: groups that are deleted with a parent are found behind any number of groups that stay.
#[test]
fn a_group_is_found_behind_many_that_stay() {
    let model = model(ROOMS);
    let mut table = Table::new(&model, 1_000);
    table.put(("SITE#b", "ROOM#r1"), &[("GSI1PK", "ROOM#r1"), ("GSI1SK", "SITE#b")]);
    table.groups_of_room("stays", "b", 40);
    table.groups_of_room("too", "a", 2);
    let (groups, more) = table.groups_deleted_with_room();
    assert_eq!((groups, more), (vec!["room|r1|too000".to_owned(), "room|r1|too001".to_owned()], false));
}

/// Promise 8: a run that deletes a group on demand does not write its bookkeeping item again for a grant that is gone: it
/// would delete and write it without an end.
#[test]
fn a_group_that_a_run_deletes_gets_no_entry_again() {
    let model = model(ROOMS);
    let mut table = Table::new(&model, 1_000);
    table.put(("SITE#b", "ROOM#r1"), &[("GSI1PK", "ROOM#r1"), ("GSI1SK", "SITE#b")]);
    table.groups_of_room("", "a", 1);
    // Who knows the room alone finds one tombstone of both rooms. It names the one that exists again.
    let room = |site| named(&model, "Room", &[("siteId", site), ("roomId", "r1")]);
    for (known, deleted) in [(room("a"), room("a")), (named(&model, "Room", &[("roomId", "r1")]), room("b"))] {
        let key = bookkeeping::tombstone_key(&model, &known);
        let tombstone = bookkeeping::tombstone(&model, &key, &deleted, now(), now(), None);
        table.items.insert((key.pk, key.sk), tombstone);
    }
    let grant = named(&model, "Key", &[("personId", "ann"), ("roomId", "r1"), ("role", "000")]);
    let image = [("pk", "P#ann"), ("sk", "ROOM#r1#000")];
    let image = image.map(|(name, text)| (name.to_owned(), Value::S(text.to_owned()))).into_iter().collect();
    let message = Dependents::of(&model, &room("a"), Which::Groups, Extent::Late);
    let mut plan = Plan::default();
    plan.add_dependents(EntryId(0), &message, Doubt::Sure, true);
    plan.add_named(&model, EntryId(1), &NamedObject::new(&model, &grant, Some(image)), Doubt::MayBeDone);
    let (effects, _) = table.run(plan);
    let deletes =
        |effect: &&Arc<Effect>| matches!(&***effect, Effect::DeleteGroup { group, .. } if group == "room|r1|000");
    assert_eq!(effects.iter().filter(deletes).count(), 1, "{effects:?}");
    let written = effects.iter().filter_map(|effect| effect.as_write()).flat_map(|write| &write.actions);
    let is_entry = |action: &&Action| matches!(action, Action::Put { key, .. } if BookkeepingKind::of(key) == Some(BookkeepingKind::Group));
    assert_eq!(written.filter(is_entry).count(), 0, "{effects:?}");
}

/// Promise 2: a run grants by no window that opens while it reads: the item may be of before, and gone. The message of that
/// moment grants.
#[test]
fn a_window_that_opens_while_a_run_reads_grants_nothing() {
    let model = model(
        r#"
[items.Seat]
pk = "P#{personId}"
sk = "SEAT"
grant = { subject = "Person", from = "start" }
cognito.member = { user = "Person", group = { name = "staff" } }
"#,
    );
    for (opens, grants) in [(-30, true), (30, false)] {
        let mut table = Table::new(&model, 100);
        table.reading = Duration::from_secs(60);
        let start = Timestamp::from_second(now().as_second() + opens).unwrap().to_string();
        table.put(("P#ann", "P"), &[]);
        table.put(("P#ann", "SEAT"), &[("start", &start)]);
        let effects = table.run_named(&named(&model, "Seat", &[("personId", "ann")]), ("P#ann", "SEAT"));
        let adds = effects.iter().any(|effect| matches!(**effect, Effect::AddMember(_)));
        assert_eq!(adds, grants, "it opens at {opens} s");
    }
}

/// Promises 1 and 8: an index that leads to a parent shows only items with the whole name, and not all that
/// begin with it: so many could be there that a run does not read them all.
#[test]
fn a_parent_is_looked_up_by_its_whole_name() {
    let model = model(
        r#"
[indexes]
GSI1 = { pk = "GSI1PK", sk = "GSI1SK" }
[items.Room]
pk = "SITE#{siteId}"
sk = "ROOM#{roomId}"
GSI1 = { pk = "ROOMS", sk = "{roomId}" }
[items.Key]
pk = "K#{keyId}"
sk = "ROOM#{roomId}"
parent = { type = "Room", find = "back-reference" }
"#,
    );
    let mut table = Table::new(&model, 3);
    for room in ["1", "10", "11", "12", "13"] {
        table.put(("SITE#a", &format!("ROOM#{room}")), &[("GSI1PK", "ROOMS"), ("GSI1SK", room)]);
    }
    table.put(("K#k", "ROOM#1"), &[]);
    let key = named(&model, "Key", &[("keyId", "k"), ("roomId", "1")]);
    let room = named(&model, "Room", &[("roomId", "1")]);
    let (entry, item) = bookkeeping::reference(&model, &room, &key);
    table.items.insert((entry.pk, entry.sk), item);
    table.items.remove(&("SITE#a".to_owned(), "ROOM#1".to_owned()));
    let room = named(&model, "Room", &[("siteId", "a"), ("roomId", "1")]);
    let (effects, _) = table.run_late(&room, Which::All);
    let deleted = effects.iter().any(|effect| matches!(&**effect, Effect::DeletePage(page) if page.units.len() == 1));
    assert!(deleted, "{effects:?}");
}
