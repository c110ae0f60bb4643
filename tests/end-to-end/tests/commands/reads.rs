//! Named reads: each access pattern of the designs on the final state of the captures, with the keys that it has to return.

use std::collections::{BTreeMap, BTreeSet};

use instep_model::Model;
use serde::Deserialize;

use super::support::{instep, model_of, root};

/// A read, and what it returns. The keys were written down from the captures.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Asked {
    read: String,
    names: BTreeMap<String, String>,
    /// The keys, as `PK | SK`.
    #[serde(default)]
    expect: BTreeSet<String>,
    #[serde(default = "yes")]
    complete: bool,
    /// A part of the refusal.
    refused: Option<String>,
    #[serde(rename = "why")]
    _why: Option<String>,
}

const fn yes() -> bool {
    true
}

fn asked(design: &str) -> Vec<Asked> {
    let text = std::fs::read_to_string(root().join(format!("tests/end-to-end/reads/{design}.jsonl"))).unwrap();
    text.lines().map(|line| serde_json::from_str(line).unwrap_or_else(|why| panic!("{line}: {why}"))).collect()
}

/// The keys of a page, with its last line.
fn page(model: &Model, args: &[&str]) -> (BTreeSet<String>, serde_json::Value) {
    let (keys, end) = in_order(model, args);
    (keys.into_iter().collect(), end)
}

/// The keys of a page in the order in which it has them, with its last line.
fn in_order(model: &Model, args: &[&str]) -> (Vec<String>, serde_json::Value) {
    let ran = instep(args);
    assert_eq!(ran.status, 0, "{args:?}: {}", ran.stderr);
    let (end, items) = ran.lines.split_last().unwrap();
    let key = |line: &serde_json::Value| {
        let text = |name: &str| line["item"][name]["S"].as_str().unwrap().to_owned();
        format!("{} | {}", text(&model.table.pk), text(&model.table.sk))
    };
    assert_eq!(end["items"], items.len());
    (items.iter().map(key).collect(), end.clone())
}

/// Promise 2 of answers, for reads: a read returns what its names say, no more and no less, or is refused.
#[test]
fn each_access_pattern_returns_what_the_captures_have() {
    let dir = tempfile::tempdir().unwrap();
    for design in
        ["access-management", "account-management", "authorization", "platform", "relational-store", "bookings"]
    {
        let data = dir.path().join(design).to_str().unwrap().to_owned();
        assert_eq!(instep(&["replay", &format!("events/{design}"), "--data", &data]).status, 0);
        let (model, named) = model_of(design);
        let asked = asked(design);
        for Asked { read, names, expect, complete, refused, _why } in &asked {
            let names: Vec<String> = names.iter().map(|(name, text)| format!("{name}={text}")).collect();
            let mut args = vec!["read", read.as_str()];
            args.extend(names.iter().map(String::as_str));
            args.extend(["--model", &named, "--data", &data, "--json"]);
            if let Some(refused) = refused {
                let ran = instep(&args);
                let text = ran.stderr.split_whitespace().collect::<Vec<_>>().join(" ");
                assert!(ran.status == 2 && text.contains(refused) && text.contains("help:"), "{args:?}: {text}");
                continue;
            }
            let (found, end) = page(&model, &args);
            assert_eq!(found, *expect, "{design}: {args:?}");
            assert_eq!((&end["complete"], &end["next"]), (&(*complete).into(), &serde_json::Value::Null), "{args:?}");
        }
        let tried: BTreeSet<&str> = asked.iter().map(|asked| asked.read.as_str()).collect();
        let untried: Vec<&String> =
            model.reads.iter().map(|read| &read.name).filter(|name| !tried.contains(name.as_str())).collect();
        assert!(untried.is_empty(), "{design}: no line reads {untried:?}");
    }
}

/// The items of a table, page by page, also where a page has only rows of other types. A cursor is of one read alone.
#[test]
fn pages_follow_each_other_and_cursors_do_not_lead_elsewhere() {
    let dir = tempfile::tempdir().unwrap();
    let path = |name: &str| dir.path().join(name).to_str().unwrap().to_owned();
    let (data, file, writes) = (path("data"), path("pages.toml"), path("writes.jsonl"));
    let text = "model = \"pages\"\ntable = { pk = \"PK\", sk = \"SK\" }\n[items.Seat]\npk = \"ROOM#{room}\"\nsk = \
                \"SEAT#{seat|pad:4}\"\n[items.Lamp]\npk = \"ROOM#{room}\"\nsk = \"LAMP#{lamp|pad:4}\"\n[items.Room]\npk = \
                \"ROOM#{room}\"\nsk = \"ROOM\"\n[reads]\nall = { items = [\"Room\", \"Seat\"], given = \"room\" }\nseats = { \
                items = \"Seat\", given = \"room\", range = \"seat\" }\n";
    std::fs::write(&file, text).unwrap();
    let put = |sk: String| {
        format!("{{\"at\": \"2026-04-01T18:00:00Z\", \"put\": {{\"PK\": \"ROOM#1\", \"SK\": \"{sk}\"}}}}\n")
    };
    let lamps = (1..=120).map(|lamp| put(format!("LAMP#{lamp:04}")));
    let items: String =
        lamps.chain([put("ROOM".to_owned())]).chain((1..=105).map(|seat| put(format!("SEAT#{seat:04}")))).collect();
    std::fs::write(&writes, items).unwrap();
    let ran = instep(&["replay", &writes, "--model", &file, "--data", &data, "--batch", "100"]);
    assert_eq!(ran.status, 0, "{}{}", ran.stdout, ran.stderr);
    let model = Model::load(file.as_ref()).unwrap();
    let (first, end) = page(&model, &["read", "all", "room=1", "--model", &file, "--data", &data, "--json"]);
    assert_eq!(first.len(), 0, "the first page has lamps alone");
    let mut next = end["next"].as_str().map(str::to_owned);
    let cursor = next.clone().unwrap();
    let mut found = BTreeSet::new();
    let mut pages = 1;
    while let Some(from) = next {
        let (more, end) =
            page(&model, &["read", "all", "room=1", "--model", &file, "--data", &data, "--json", "--from", &from]);
        assert!(found.is_disjoint(&more), "an item is in two pages");
        found.extend(more);
        next = end["next"].as_str().map(str::to_owned);
        pages += 1;
    }
    assert_eq!((found.len(), pages), (106, 3), "{found:?}");
    let (few, _) =
        page(&model, &["read", "seats", "room=1", "seat=9..12", "--model", &file, "--data", &data, "--json"]);
    assert_eq!(few, (9..=12).map(|seat| format!("ROOM#1 | SEAT#{seat:04}")).collect());
    for wrong in [vec!["seats", "room=1", "seat=1..2"], vec!["all", "room=2"]] {
        let ran =
            instep(&[&["read"], wrong.as_slice(), &["--model", &file, "--data", &data, "--from", &cursor]].concat());
        assert!(ran.status == 2 && ran.stderr.contains("no cursor of the read"), "{wrong:?}: {}", ran.stderr);
    }
    for (words, says) in [
        (vec!["all", "room=1", "--from", "x"], "no cursor of the read"),
        (vec!["all", "room"], "no NAME=VALUE"),
        (vec!["all", "room=1", "room=2"], "two values"),
        (vec!["all"], "needs a value for `room`"),
        (vec!["seats", "room=1", "seat=10000..10001"], "more digits"),
        (vec!["seats", "room=1", "seat=01..2"], "leading zeros"),
    ] {
        let ran = instep(&[&["read"], words.as_slice(), &["--model", &file, "--data", &data]].concat());
        assert!(ran.status == 2 && ran.stderr.contains(says), "{words:?}: {}", ran.stderr);
    }
}

/// Reads in both orders.
const BOTH_ORDERS: &str = r##"
model = "descending"
table = { pk = "PK", sk = "SK" }
indexes.byRow = { pk = "rowKey", sk = "rowSort" }
[items.Seat]
pk = "ROOM#{room}"
sk = "SEAT#{seat|pad:4}"
byRow = { pk = "ROW#{row}", sk = "SEAT#{seat|pad:4}", keep = true }
[items.Room]
pk = "ROOM#{room}"
sk = "ROOM"
[items.Door]
pk = "ROOM#{from.room}"
sk = "DOOR#{to.room}"
edge = { from = "Room", to = { type = "Room", find = "back-reference" } }
[reads]
up = { items = "Seat", given = "room", range = "seat" }
down = { items = "Seat", given = "room", range = "seat", descending = true }
row = { items = "Seat", index = "byRow", given = "row", descending = true }
doors = { items = "Door", given = "from.room", follow = "to", descending = true }
"##;

/// With `descending`, every page goes on downwards from where the one before ended: of the table, of a range, of an index, and of
/// the edges that are followed.
#[test]
fn rows_come_from_the_last_sort_key_to_the_first() {
    let dir = tempfile::tempdir().unwrap();
    let path = |name: &str| dir.path().join(name).to_str().unwrap().to_owned();
    let (data, file, writes) = (path("data"), path("descending.toml"), path("writes.jsonl"));
    std::fs::write(&file, BOTH_ORDERS).unwrap();
    let put = |pk: &str, sk: &str, more: &str| {
        let item = format!("{{\"PK\": \"ROOM#{pk}\", \"SK\": \"{sk}\"{more}}}");
        format!("{{\"at\": \"2026-04-01T18:00:00Z\", \"put\": {item}}}\n")
    };
    let seats = (1..=205).map(|seat| put("1", &format!("SEAT#{seat:04}"), ", \"row\": \"a\""));
    let rooms = (1..=4).map(|room| put(&room.to_string(), "ROOM", ""));
    let doors = (2..=4).map(|room| put("1", &format!("DOOR#{room}"), ""));
    std::fs::write(&writes, seats.chain(rooms).chain(doors).collect::<String>()).unwrap();
    let ran = instep(&["replay", &writes, "--model", &file, "--data", &data, "--batch", "100"]);
    assert_eq!(ran.status, 0, "{}{}", ran.stdout, ran.stderr);
    let model = Model::load(file.as_ref()).unwrap();
    let ask =
        |words: &[&str]| in_order(&model, &[&["read"], words, &["--model", &file, "--data", &data, "--json"]].concat());
    let pages = |words: &[&str]| {
        let (mut found, mut sizes, mut next) = (Vec::new(), Vec::new(), None::<String>);
        loop {
            let from: Vec<&str> = next.iter().flat_map(|next| ["--from", next]).collect();
            let (more, end) = ask(&[words, &from].concat());
            sizes.push(more.len());
            found.extend(more);
            next = end["next"].as_str().map(str::to_owned);
            if next.is_none() {
                return (found, sizes);
            }
        }
    };
    let seats: Vec<String> = (1..=205).map(|seat| format!("ROOM#1 | SEAT#{seat:04}")).collect();
    let reversed = |seats: &[String]| seats.iter().rev().cloned().collect::<Vec<_>>();
    assert_eq!(pages(&["up", "room=1"]), (seats.clone(), vec![100, 100, 5]));
    assert_eq!(pages(&["down", "room=1"]), (reversed(&seats), vec![100, 100, 5]));
    assert_eq!(pages(&["row", "row=a"]), (reversed(&seats), vec![100, 100, 5]));
    assert_eq!(pages(&["down", "room=1", "seat=20..140"]), (reversed(&seats[19..140]), vec![100, 21]));
    let rooms = [4, 3, 2].map(|room| format!("ROOM#{room} | ROOM"));
    assert_eq!(ask(&["doors", "from.room=1"]).0, rooms, "the rooms are in the order of the doors");
}

#[test]
fn plans_and_the_contract_say_the_order() {
    let dir = tempfile::tempdir().unwrap();
    let path = |name: &str| dir.path().join(name).to_str().unwrap().to_owned();
    let file = path("descending.toml");
    std::fs::write(&file, BOTH_ORDERS).unwrap();
    let plan = |read: &[&str]| {
        let ran = instep(&[&["read"], read, &["--plan", "--json", "--model", &file]].concat());
        assert_eq!(ran.status, 0, "{}", ran.stderr);
        ran.lines[0].clone()
    };
    assert_eq!(instep(&["contract", &file, "--out", &path("contract")]).status, 0);
    let text = std::fs::read_to_string(path("contract/reads.json")).unwrap();
    let document: serde_json::Value = serde_json::from_str(&text).unwrap();
    for (read, given, descending) in [("up", "room=1", false), ("down", "room=1", true), ("row", "row=a", true)] {
        assert_eq!(plan(&[read, given])["descending"], descending, "{read}");
        assert_eq!(document["reads"][read]["descending"], descending, "{read}");
    }
}

/// `--plan` says what a program in another language asks for, and the contract's `reads.json` says the same with templates.
#[test]
fn a_plan_is_a_key_condition() {
    let plan = |words: &[&str]| {
        let ran = instep(&[&["read"], words, &["--plan", "--json"]].concat());
        assert_eq!(ran.status, 0, "{}", ran.stderr);
        ran.lines[0].clone()
    };
    let range = plan(&["expiring-licenses", "end_date=2026-04-01..2026-05-01", "--model", "platform"]);
    assert_eq!(range["keyCondition"], "#pk = :pk AND #sk BETWEEN :sk AND :last");
    assert_eq!(range["names"], serde_json::json!({"#pk": "GSI3PK", "#sk": "GSI3SK"}));
    let values = serde_json::json!({
        ":pk": {"S": "LICENSE#STATUS#active"}, ":sk": {"S": "2026-04-01"}, ":last": {"S": "2026-05-01\u{10ffff}"},
    });
    assert_eq!(range["values"], values);
    assert_eq!(range["consistent"], false);
    let until = plan(&["expiring-licenses", "end_date=..2026-05-01", "--model", "platform"]);
    assert_eq!(until["keyCondition"], "#pk = :pk AND #sk <= :last", "DynamoDB takes no empty value");
    let item = plan(&["group", "groupId=/usa", "--model", "access-management"]);
    assert_eq!(item["operation"], "GetItem");
    assert_eq!(item.get("descending"), None, "one item has no order");
    assert_eq!(item["keys"], serde_json::json!([{"pk": {"S": "G:/usa"}, "sk": {"S": "G:/usa"}}]));
    let children = plan(&["child-groups", "parent.groupId=/usa", "--model", "access-management"]);
    assert_eq!(
        (&children["drops"], &children["follow"]["items"][0]["item"]),
        (&serde_json::json!(["Group"]), &serde_json::json!("Group"))
    );

    let dir = tempfile::tempdir().unwrap();
    let out = dir.path().join("contract").to_str().unwrap().to_owned();
    assert_eq!(instep(&["contract", "platform", "--out", &out]).status, 0);
    let text = std::fs::read_to_string(dir.path().join("contract/reads.json")).unwrap();
    let document: serde_json::Value = serde_json::from_str(&text).unwrap();
    let reads = document["reads"].as_object().unwrap();
    assert_eq!(reads.len(), 17);
    let expiring = &reads["expiring-licenses"];
    assert_eq!(expiring["keyCondition"], range["keyCondition"]);
    assert_eq!(expiring["values"][":last"]["S"], "{to}\u{10ffff}");
    assert_eq!(reads["users-of-account"]["values"][":pk"]["S"], "ACCOUNT#{account_id}#USERS");
}

/// The commands of the page print what it says.
#[test]
fn the_page_about_reads_is_real() {
    let text = std::fs::read_to_string(root().join("docs/guide/reads.md")).unwrap();
    let commands = text.split("```text\n").nth(1).unwrap().split_once("\n```").unwrap().0;
    let dir = tempfile::tempdir().unwrap();
    let data = dir.path().join("data").to_str().unwrap().to_owned();
    let mut says = String::new();
    for part in commands.split("$ ").skip(1) {
        let command = part.lines().next().unwrap();
        let args: Vec<&str> =
            command.split(' ').skip(1).map(|word| if word == "data" { &data } else { word }).collect();
        let printed = instep(&args).stdout;
        let printed = if args[0] == "replay" { "" } else { printed.trim_end() };
        says.push_str(&format!("\n$ {command}\n{printed}"));
    }
    let says = says.replace("\n\n", "\n");
    assert_eq!(says.trim(), commands.trim());
}
