//! Answers: each question of `questions/` on the final state of the captures, what a lag of an index or a deletion makes of it,
//! and the commands.

use std::collections::{BTreeMap, BTreeSet};

use instep_answers::{Answer, AskedPlace, Asking, AskingStep, NamedItem, Question, QuestionCost, WantedAccess};
use instep_flow::answers::{Answers, Asks};
use instep_flow::implied;
use instep_flow::reconcile::{AccountGroups, AccountGroupsStep, SigningInAccount};
use instep_flow::transition::StoredTable;
use instep_model::{Identity, Item, Key, Model, Value};
use serde::Deserialize;

use super::support::{instep, model_of, replayed, root};

fn folder(design: &str) -> String {
    format!("events/{design}")
}

/// The time of questions that name none.
pub(super) const NOW: &str = "2026-04-20T12:00:00Z";

/// A question, with what is changed in the table before it is asked.
#[derive(Debug, Clone, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(super) struct AskedQuestion {
    pub(super) id: String,
    pub(super) can: Option<String>,
    pub(super) what: Option<String>,
    pub(super) scopes: Option<String>,
    pub(super) who: Option<bool>,
    pub(super) role: Option<String>,
    pub(super) permission: Option<String>,
    /// An item type and names.
    pub(super) at: Option<String>,
    /// A scope that is only a text.
    pub(super) text: Option<String>,
    pub(super) now: Option<String>,
    #[serde(default)]
    pub(super) write: Vec<serde_json::Map<String, serde_json::Value>>,
    #[serde(default)]
    pub(super) delete: Vec<(String, String)>,
    /// Items that the indexes do not show yet.
    #[serde(default)]
    pub(super) index_lacks: Vec<(String, String)>,
    /// Items that the indexes still show.
    #[serde(default)]
    pub(super) index_shows: Vec<serde_json::Map<String, serde_json::Value>>,
    pub(super) expect: serde_json::Value,
}

/// A value of plain JSON.
fn value(json: &serde_json::Value) -> Value {
    match json {
        serde_json::Value::Null => Value::Null(true),
        serde_json::Value::Bool(flag) => Value::Bool(*flag),
        serde_json::Value::Number(number) => Value::N(number.to_string()),
        serde_json::Value::String(text) => Value::S(text.clone()),
        serde_json::Value::Array(values) => Value::L(values.iter().map(value).collect()),
        serde_json::Value::Object(fields) => Value::M(item(fields)),
    }
}

fn item(fields: &serde_json::Map<String, serde_json::Value>) -> Item {
    fields.iter().map(|(name, json)| (name.clone(), value(json))).collect()
}

fn key((pk, sk): &(String, String)) -> Key {
    Key { pk: pk.clone(), sk: sk.clone() }
}

/// A printed state masks the names in back-references of a model with secrets. Their sort keys have them, too.
fn unmask(key: &Key, item: &mut Item) {
    let in_key: BTreeMap<&str, &str> = key.sk.split('/').filter_map(|part| part.split_once('=')).collect();
    let Some(Value::M(fields)) = item.get_mut("instep").filter(|_| key.pk.starts_with("INSTEP#REF#")) else { return };
    let Some(Value::M(names)) = fields.get_mut("names") else { return };
    for (name, value) in names.iter_mut().filter(|(_, value)| value.as_s() == Some("***")) {
        *value = Value::S(in_key[name.as_str()].to_owned());
    }
}

/// A table whose indexes may lag.
#[derive(Debug, Clone)]
pub(super) struct LaggingTable {
    pub(super) model: Model,
    /// For `--model`.
    pub(super) named: String,
    pub(super) items: BTreeMap<Key, Item>,
    hidden: BTreeSet<Key>,
    shown: Vec<Item>,
}

impl LaggingTable {
    /// The final state of the captures of a design.
    pub(super) fn of(design: &str) -> Self {
        let test_model = root().join(format!("tests/end-to-end/questions/{design}.toml"));
        let captured = if design == "relational-grants" { "relational-store" } else { design };
        let (model, named) = if test_model.exists() {
            (Model::load(&test_model).unwrap(), test_model.to_str().unwrap().to_owned())
        } else {
            model_of(design)
        };
        let state = replayed(&folder(captured)).state();
        let items = state.into_iter().filter(|line| line["of"] == "item");
        let items = items.map(|line| serde_json::from_value::<Item>(line["item"].clone()).unwrap());
        let items = items.map(|mut item| {
            let key = model.table.key_of(&item).unwrap();
            unmask(&key, &mut item);
            (key, item)
        });
        let items = items.collect();
        Self { model, named, items, hidden: BTreeSet::new(), shown: Vec::new() }
    }

    pub(super) fn with(&self, asked: &AskedQuestion) -> Self {
        let mut table = self.clone();
        for gone in &asked.delete {
            table.items.remove(&key(gone)).unwrap_or_else(|| panic!("{}: {gone:?} is no item", asked.id));
        }
        let written = asked.write.iter().map(item).map(|item| (table.model.table.key_of(&item).unwrap(), item));
        table.items.extend(written.collect::<Vec<_>>());
        table.hidden.extend(asked.index_lacks.iter().map(key));
        table.shown.extend(asked.index_shows.iter().map(item));
        table
    }

    /// What the table says, and the indexes, which may lag.
    fn stored(&self) -> (StoredTable, StoredTable) {
        let stored = |items: Vec<Item>| StoredTable::new([&self.model, &self.model], items);
        let in_indexes = self.items.iter().filter(|(key, _)| !self.hidden.contains(key)).map(|(_, item)| item);
        (stored(self.items.values().cloned().collect()), stored(in_indexes.chain(&self.shown).cloned().collect()))
    }

    /// The groups in the token of an account.
    fn in_token(&self, (username, sub): (&str, &str)) -> BTreeSet<String> {
        let account = SigningInAccount {
            username: username.to_owned(),
            sub: sub.to_owned(),
            addresses: Vec::new(),
            ignores_case: false,
        };
        let mut groups = AccountGroups::new(&self.model, account, NOW.parse().unwrap());
        let stored = self.stored();
        loop {
            match groups.next() {
                AccountGroupsStep::Read(asks) => {
                    answers(&stored, asks).into_iter().for_each(|answers| groups.read(answers));
                }
                AccountGroupsStep::Done(found) => return found.groups,
                AccountGroupsStep::Undecided => panic!("no groups of {username}"),
            }
        }
    }

    /// The answer, what it cost, and the keys that it read. `None` if the model cannot answer it.
    fn ask(&self, question: Question, now: &str) -> Option<(Answer, QuestionCost, BTreeSet<Key>)> {
        let mut asking = Asking::new(&self.model, question, now.parse().unwrap()).ok()?;
        let stored = self.stored();
        let mut keys = BTreeSet::new();
        loop {
            match asking.next() {
                AskingStep::Done(answer) => return Some((answer, asking.cost(), keys)),
                AskingStep::Read(asks) => {
                    let is_row = |item: &&Item| asks.queries.iter().any(|query| query.matches(item));
                    let rows = self.items.values().chain(&self.shown).filter(is_row);
                    keys.extend(rows.filter_map(|row| self.model.table.key_of(row)));
                    keys.extend(asks.keys.iter().cloned());
                    answers(&stored, asks).into_iter().for_each(|answers| asking.read(answers));
                }
            }
        }
    }
}

/// What the table and its indexes say.
fn answers((table, indexes): &(StoredTable, StoredTable), asks: Asks) -> [Answers; 2] {
    let (of_indexes, of_table) = asks.queries.into_iter().partition(|query| query.index.is_some());
    let of_table = table.answers(&Asks { queries: of_table, ..asks }, None);
    [of_table, indexes.answers(&Asks { queries: of_indexes, ..Asks::default() }, None)]
}

fn named(model: &Model, words: &str) -> NamedItem {
    let mut words = words.split(' ');
    let of = words.next().unwrap();
    NamedItem::new(model, of, words.map(|word| word.split_once('=').unwrap())).unwrap()
}

fn question(model: &Model, asked: &AskedQuestion) -> Question {
    let wanted = match (&asked.permission, &asked.role) {
        (Some(permission), _) => WantedAccess::Permission(permission.clone()),
        (None, Some(role)) => WantedAccess::Role(role.clone()),
        (None, None) => WantedAccess::Access,
    };
    let at = match (&asked.at, &asked.text) {
        (Some(at), _) => AskedPlace::Item(named(model, at)),
        (None, Some(text)) => AskedPlace::Text(text.clone()),
        (None, None) => AskedPlace::Nowhere,
    };
    if asked.who == Some(true) {
        return Question::Who { wanted, at, from: None };
    }
    match (&asked.can, &asked.what, &asked.scopes) {
        (Some(subject), None, None) => Question::Can { subject: named(model, subject), wanted, at },
        (None, Some(subject), None) => Question::What { subject: named(model, subject) },
        (None, None, Some(at)) => Question::Scopes { at: named(model, at) },
        _ => panic!("{}: one question", asked.id),
    }
}

pub(super) fn texts(json: &serde_json::Value) -> BTreeSet<String> {
    json.as_array().unwrap().iter().map(|text| text.as_str().unwrap().to_owned()).collect()
}

/// What is wrong with an answer.
fn wrong(expect: &serde_json::Value, answer: Option<&Answer>) -> Option<String> {
    let is_right = match (expect.as_str(), answer) {
        (Some("refused"), None) => true,
        (Some("allow"), Some(Answer::Allow(_))) => true,
        (Some(text), Some(Answer::Deny(denied))) => {
            text.strip_prefix("deny:").is_some_and(|reason| denied.reasons.iter().any(|found| found.word() == reason))
        }
        (None, Some(Answer::Holds(holdings))) => {
            let grants: BTreeSet<String> = holdings.grants.iter().map(instep_answers::Holding::text).collect();
            grants == texts(&expect["grants"])
                && (expect["permissions"].is_null() || holdings.permissions == texts(&expect["permissions"]))
        }
        (None, Some(Answer::Allow(allowed))) => {
            expect["answer"] == "allow" && serde_json::json!(allowed.until) == expect["until"]
        }
        (None, Some(Answer::Who(holders))) => {
            let subjects: BTreeSet<String> = holders.subjects.iter().map(|holder| holder.subject.clone()).collect();
            subjects == texts(&expect["subjects"]) && serde_json::json!(holders.is_complete) == expect["complete"]
        }
        (None, Some(Answer::Scopes(scopes))) => serde_json::json!(scopes) == expect["scopes"],
        _ => false,
    };
    (!is_right).then(|| format!("expected {expect}, got {answer:?}"))
}

/// The designs with questions, and their questions.
pub(super) fn questions() -> Vec<(String, Vec<AskedQuestion>)> {
    let mut files: Vec<_> = std::fs::read_dir(root().join("tests/end-to-end/questions"))
        .unwrap()
        .map(|file| file.unwrap().path())
        .collect();
    files.sort();
    let of_design = files.into_iter().filter(|path| path.extension().is_some_and(|end| end == "jsonl")).map(|path| {
        let text = std::fs::read_to_string(&path).unwrap();
        let asked = text.lines().map(|line| serde_json::from_str(line).unwrap_or_else(|why| panic!("{line}: {why}")));
        (path.file_stem().unwrap().to_str().unwrap().to_owned(), asked.collect())
    });
    of_design.collect()
}

/// Promise 2: each question of the designs has the answer that the design says.
#[test]
fn each_question_has_the_answer_of_the_design() {
    let mut mistakes = Vec::new();
    let mut count = 0;
    for (design, asked) in questions() {
        let table = LaggingTable::of(&design);
        for asked in asked {
            let table = table.with(&asked);
            let now = asked.now.as_deref().unwrap_or(NOW);
            let answer = table.ask(question(&table.model, &asked), now);
            let answer = answer.as_ref().map(|(answer, ..)| answer);
            mistakes.extend(wrong(&asked.expect, answer).map(|why| format!("{}: {why}", asked.id)));
            count += 1;
        }
    }
    assert!(mistakes.is_empty(), "{}", mistakes.join("\n"));
    assert!(count > 100, "{count}");
}

/// Promise 2: neither the deletion of an item that was read, nor an index that lags behind, turns a deny into an allow.
#[test]
fn no_deletion_and_no_lag_turns_a_deny_into_an_allow() {
    let mut tried = 0;
    for (design, asked) in questions() {
        let table = LaggingTable::of(&design);
        for asked in asked.into_iter().filter(|asked| asked.can.is_some()) {
            let table = table.with(&asked);
            let now = asked.now.as_deref().unwrap_or(NOW);
            let question = question(&table.model, &asked);
            let Some((answer, _, keys)) = table.ask(question.clone(), now) else { continue };
            let allows =
                |table: &LaggingTable| matches!(table.ask(question.clone(), now), Some((Answer::Allow(_), ..)));
            let is_allowed = matches!(answer, Answer::Allow(_));
            // Two items with the names of one: which is meant is known again once one of them is gone.
            let is_ambiguous =
                matches!(&answer, Answer::Deny(denied) if denied.reasons.contains(&instep_answers::Reason::Ambiguous));
            for key in keys {
                let Some(item) = table.items.get(&key) else { continue };
                let mut deleted = table.clone();
                deleted.items.remove(&key);
                let mut stale = deleted.clone();
                stale.shown.push(item.clone());
                let mut hidden = table.clone();
                hidden.hidden.insert(key.clone());
                let without = allows(&deleted);
                assert!(is_allowed || is_ambiguous || !without, "{}: {key:?} is deleted", asked.id);
                assert!(without || !allows(&stale), "{}: an index still shows {key:?}", asked.id);
                assert!(is_allowed || is_ambiguous || !allows(&hidden), "{}: no index shows {key:?}", asked.id);
                tried += 3;
            }
        }
    }
    assert!(tried > 1_000, "{tried}");
}

fn is_grant(model: &Model, key: &Key) -> bool {
    matches!(model.identify(key), Identity::Item { object, .. } if model.item(object.of).grant.is_some())
}

/// Promise 2: what an index shows and the table does not have gives no token a group.
#[test]
fn no_lag_adds_a_group_to_a_token() {
    let mut given = 0;
    for design in ["access-management", "authorization", "platform"] {
        let table = LaggingTable::of(design);
        let accounts = table.items.values().filter_map(|item| {
            let Value::M(fields) = item.get("instep")? else { return None };
            Some((fields.get("username")?.as_s()?, fields.get("sub")?.as_s()?))
        });
        for account in accounts {
            let groups = table.in_token(account);
            for (key, item) in table.items.iter().filter(|(key, _)| is_grant(&table.model, key)) {
                let mut deleted = table.clone();
                deleted.items.remove(key);
                let without = deleted.in_token(account);
                deleted.shown.push(item.clone());
                assert_eq!(deleted.in_token(account), without, "{design}: an index still shows {key:?}");
                given += usize::from(without != groups);
            }
        }
    }
    assert!(given > 10, "{given}");
}

/// Promise 2: no value forges an id, a scope, a role or a permission.
#[test]
fn no_value_is_taken_for_several() {
    let table = LaggingTable::of("account-management");
    let model = &table.model;
    let forged = ["cl-16#x", "cl-16\0", "", " ", "*", "{client_id}", "cl-16#ROLE", "16", "cl-16/METADATA"];
    let subject = |id: &str| NamedItem::new(model, "User", [("user_id", id)]).unwrap();
    let read = || WantedAccess::Permission("energy:read:meters".to_owned());
    let mut asked = Vec::new();
    for value in forged {
        let names: [&[(&str, &str)]; 3] = [
            &[("client_id", value)],
            &[("client_id", "cl-16"), ("project_id", value)],
            &[("client_id", "cl-16"), ("project_id", "pr-16"), ("building_id", value)],
        ];
        for (of, names) in ["Client", "Project", "Building"].into_iter().zip(names) {
            let at = NamedItem::new(model, of, names.iter().copied()).unwrap();
            let wanted = [read(), WantedAccess::Role("ro-16".to_owned()), WantedAccess::Access];
            asked.extend(wanted.into_iter().map(|wanted| (subject("us-16"), wanted, AskedPlace::Item(at.clone()))));
        }
    }
    let client = || AskedPlace::Item(NamedItem::new(model, "Client", [("client_id", "cl-16")]).unwrap());
    for id in ["us-16#x", "us-16#METADATA", "us-16 ", ""] {
        asked.push((subject(id), WantedAccess::Role("ro-16".to_owned()), client()));
    }
    for role in ["ro-16#x", "", "ro-1", "client#cl-16#ro-16"] {
        asked.push((subject("us-16"), WantedAccess::Role(role.to_owned()), client()));
    }
    for permission in ["energy:read:meters:x", "::", "energy:read", "energy:read:", "energy::meters", "*:*:*"] {
        asked.push((subject("us-16"), WantedAccess::Permission(permission.to_owned()), client()));
    }
    for (subject, wanted, at) in asked {
        let question = Question::Can { subject, wanted, at };
        let answer = table.ask(question.clone(), NOW);
        assert!(!matches!(answer, Some((Answer::Allow(_), ..))), "{question:?}");
    }
    let honest = Question::Can { subject: subject("us-16"), wanted: read(), at: client() };
    assert!(matches!(table.ask(honest, NOW), Some((Answer::Allow(_), ..))));
}

/// Promise 1: the memberships of the grants that count are those that Cognito has after a replay.
#[test]
fn what_counts_is_what_cognito_has() {
    let mut compared = 0;
    for design in ["access-management", "account-management", "bookings"] {
        let table = LaggingTable::of(design);
        let model = &table.model;
        let state = replayed(&folder(design)).state();
        let mut in_pool: BTreeSet<(String, String)> = BTreeSet::new();
        for group in state.iter().filter(|line| line["of"] == "group") {
            let members = group["members"].as_array().into_iter().flatten();
            in_pool.extend(
                members.map(|member| (member.as_str().unwrap().to_owned(), group["name"].as_str().unwrap().to_owned())),
            );
        }
        // A disabled user keeps its memberships, and may do nothing.
        let disabled = state.iter().filter(|line| line["of"] == "user" && line["enabled"] == false);
        let disabled: BTreeSet<&str> = disabled.filter_map(|line| line["username"].as_str()).collect();
        in_pool.retain(|(user, _)| !disabled.contains(user.as_str()));
        let now = if design == "account-management" { "2026-04-03T17:00:00Z" } else { NOW };
        let mut counting = BTreeSet::new();
        for key in table.items.keys() {
            let Identity::Item { object, .. } = model.identify(key) else { continue };
            let subject = NamedItem { of: object.of, names: object.names };
            let Some((Answer::Holds(holdings), ..)) = table.ask(Question::What { subject }, now) else { continue };
            for held in holdings.grants {
                let key = held.grant.map(|key| Key { pk: key.0, sk: key.1 }).unwrap();
                let item = &table.items[&key];
                let Identity::Item { object, .. } = model.identify(&key) else { panic!("{key:?}") };
                for member in &model.item(object.of).members {
                    let by_group =
                        implied::memberships_by_group(model, member, &object, item, std::slice::from_ref(&held.role));
                    let all = by_group.into_values().flatten();
                    counting.extend(all.map(|membership| (membership.user, membership.group)));
                }
            }
        }
        assert_eq!(counting, in_pool, "{design}");
        compared += counting.len();
    }
    assert!(compared > 20, "{compared}");
}

/// The calls and rounds of each kind of question are figures that are committed.
#[test]
fn the_calls_of_questions_are_as_many_as_before() {
    let mut costs: BTreeMap<(String, &str, &str), (QuestionCost, QuestionCost, usize)> = BTreeMap::new();
    for (design, asked) in questions() {
        let table = LaggingTable::of(&design);
        for asked in asked {
            let table = table.with(&asked);
            let now = asked.now.as_deref().unwrap_or(NOW);
            let Some((answer, cost, _)) = table.ask(question(&table.model, &asked), now) else { continue };
            let (kind, outcome) = match answer {
                Answer::Allow(_) => ("can", "allow"),
                Answer::Deny(_) => ("can", "deny"),
                Answer::Holds(_) => ("what", ""),
                Answer::Scopes(_) => ("scopes", ""),
                Answer::Who(_) => ("who", ""),
            };
            let (least, most, count) = costs.entry((design.clone(), kind, outcome)).or_insert((cost, cost, 0));
            *least = QuestionCost { calls: least.calls.min(cost.calls), rounds: least.rounds.min(cost.rounds) };
            *most = QuestionCost { calls: most.calls.max(cost.calls), rounds: most.rounds.max(cost.rounds) };
            *count += 1;
        }
    }
    let line = |((design, kind, outcome), (least, most, count)): (
        &(String, &str, &str),
        &(QuestionCost, QuestionCost, usize),
    )| {
        format!(
            "{design:22} {kind:6} {outcome:5} {count:3} questions: {} to {} calls in {} to {} rounds",
            least.calls, most.calls, least.rounds, most.rounds
        )
    };
    let lines: Vec<String> = costs.iter().map(line).collect();
    expect_test::expect_file!["../../questions/costs.txt"].assert_eq(&format!("{}\n", lines.join("\n")));
}

/// A sweep lists the grants of all subjects that give memberships and that no answer counts.
#[test]
fn a_sweep_lists_what_no_answer_counts() {
    let dir = tempfile::tempdir().unwrap();
    let sweep = |design: &str, words: &[&str]| {
        let data = dir.path().join(design).to_str().unwrap().to_owned();
        assert_eq!(instep(&["replay", &folder(design), "--data", &data]).status, 0);
        instep(&[&["sweep", "--data", &data, "--now", NOW], words].concat()).stdout
    };
    let count = |text: &str| text.lines().filter(|line| line.starts_with("uncounted")).count();
    assert_eq!(count(&sweep("authorization", &[])), 0);
    let found = sweep("authorization", &["--answers"]);
    let role =
        "uncounted       TENANT#01KMYZHAM0NN7FP2JZWVAT2J9C | USER#01KMYZK570YZYZKSAD84DGH39T: no-role, the item of a";
    assert!(found.contains(role), "{found}");
    let one = sweep("authorization", &["--answers", "--only", "User=01KMYZK570YZYZKSAD84DGH39T"]);
    assert_eq!(count(&one), 1, "{one}");
    assert_eq!(count(&sweep("access-management", &["--answers"])), 0);
}

const HANA: &str = "hana.sato@example.com";

/// The commands: an answer, its exit status, and the mistakes that people make.
#[test]
fn questions_can_be_typed() {
    let dir = tempfile::tempdir().unwrap();
    let data = |design: &str| {
        let data = dir.path().join(design).to_str().unwrap().to_owned();
        assert_eq!(instep(&["replay", &folder(design), "--data", &data]).status, 0);
        data
    };
    let (groups, clients, menus) = (data("access-management"), data("account-management"), data("platform"));
    let ask = |data: &str, words: &[&str]| {
        let mut args = words.to_vec();
        args.extend(["--now", NOW, "--data", data]);
        let ran = instep(&args);
        (ran.status, format!("{}{}", ran.stdout, ran.stderr))
    };
    let cases: [(&str, &[&str], i32, &str); 21] = [
        (
            &groups,
            &["can", HANA, "--role", "admin", "--at", "/japan"],
            0,
            "allow: User hana.sato@example.com role admin at Group /japan",
        ),
        (&groups, &["can", HANA, "--at", "/japan/tokyo"], 1, "no-scope: the scope does not exist"),
        (&groups, &["can", HANA, "--role", "reader", "--at", "Group=/japan"], 1, "not-permitted"),
        (&groups, &["can", "Grup=/japan", "--at", "/japan"], 2, "Grup=/japan names no item of the model"),
        (&groups, &["can", HANA, "--at", "Grup=/japan"], 2, "Grup=/japan names no item of the model"),
        (&groups, &["can", HANA, "--at", "Group"], 2, "which Group?"),
        (&groups, &["can", "Group=/japan", "--at", "/japan"], 2, "no grant has a Group as its subject"),
        (&groups, &["scopes", "Group=/norway/bergen"], 0, "Group /norway/bergen\nGroup /norway\nGroup /\n"),
        (&groups, &["scopes", "Group=/atlantis"], 1, "does not exist"),
        (&groups, &["who", "/usa"], 0, "who at Group /usa\n  User rosa.keller@example.com: admin at Group /\n"),
        (&groups, &["who", "/japan", "--role", "reader"], 0, "who role reader at Group /japan\n  nobody\n"),
        (&groups, &["who", "Group=/atlantis"], 1, "no-scope: the scope does not exist"),
        (&groups, &["who", "/usa", "--from", "x"], 2, "no cursor of a page"),
        (&clients, &["who", "Building=pr-16/bu-16", "--role", "ro-16"], 0, "User us-16: ro-16 at"),
        (&menus, &["who", "reports"], 2, "no key, index or back-reference leads from `reports` to its grants"),
        (&clients, &["what", "us-16"], 0, "may energy:read:meters at Client cl-16"),
        (&clients, &["can", "us-16", "energy:read:meters", "--at", "Project=pr-16"], 0, "permitted by Role ro-16"),
        (
            &clients,
            &["can", "us-16", "read", "--at", "Project=pr-16"],
            2,
            "no permission of the model has the form of `read`: write `{module}:{action}:{resource}`",
        ),
        (
            &clients,
            &["can", "us-16", "--at", "Project", "client=cl-16"],
            2,
            "no key and no index of a Project has `client`",
        ),
        (&clients, &["what", "us-nobody"], 1, "no-subject: the subject does not exist"),
        (
            &menus,
            &["can", "Role=rol-28b", "--at", "reports"],
            0,
            "at reports by the grant ROLE#rol-28b | PERMISSION#reports",
        ),
    ];
    for (data, words, status, contains) in cases {
        let (ended, text) = ask(data, words);
        assert!(ended == status && text.contains(contains), "{words:?}: {ended}\n{text}");
    }
}

/// The commands of the page print what it says, and its model is the shipped one.
#[test]
fn the_page_about_answers_is_real() {
    let page = std::fs::read_to_string(root().join("docs/guide/answers.md")).unwrap();
    let mut blocks = page.split("```text\n").skip(1).map(|rest| rest.split_once("\n```").unwrap().0.to_owned());
    let (lines, commands) = (blocks.next().unwrap(), blocks.next().unwrap());
    let model = instep_model::shipped_text("account-management").unwrap();
    for line in lines.lines() {
        let (name, value) = line.split_once(" = ").unwrap();
        let setting = format!("{} = {}", name.rsplit('.').next().unwrap(), value.split(" #").next().unwrap().trim());
        assert!(model.contains(&setting), "the shipped model has no `{setting}`");
    }
    let dir = tempfile::tempdir().unwrap();
    let kept = ["data", "groups"].map(|name| (name, dir.path().join(name).to_str().unwrap().to_owned()));
    let mut says = String::new();
    for part in commands.split("$ ").skip(1) {
        let command = part.lines().next().unwrap();
        let args: Vec<&str> = command
            .split(' ')
            .skip(1)
            .map(|word| kept.iter().find(|(name, _)| *name == word).map_or(word, |(_, dir)| dir))
            .collect();
        let printed = instep(&args).stdout;
        let printed = if args[0] == "replay" { "" } else { printed.trim_end() };
        says.push_str(&format!("\n$ {command}\n{printed}"));
    }
    let says = says.replace("\n\n", "\n");
    assert_eq!(says.trim(), commands.trim());
}

const SITES: &str = r#"
model = "sites"
table = { pk = "pk", sk = "sk" }
indexes.bySite = { pk = "site", sk = "kind" }
[items.User]
pk = "USER#{userId}"
sk = "USER"
entity = "User"
[items.Org]
pk = "ORG#{orgId}"
sk = "ORG"
entity = "Org"
[items.Site]
pk = "ORG#{orgId}"
sk = "SITE#{siteId}"
bySite = { pk = "SITE#{siteId}", sk = "SITE" }
entity = "Site"
within = "Org"
[items.Room]
pk = "ROOM#{roomId}"
sk = "ROOM"
entity = "Room"
within = { type = "Site", siteId = "{siteId}" }
[items.Deal]
pk = "DEAL#{dealId}"
sk = "DEAL"
[items.Access]
pk = "USER#{userId}"
sk = "ACCESS#{siteId}"
parent = { type = "Deal", dealId = "{dealId}", find = "back-reference" }
grant = { subject = "User", scope = { type = "Site", siteId = "{siteId}", find = "back-reference" }, roles = "role" }
"#;

/// Promise 2: a scope that is known by a part of its key, a question that says too much, and a grant that needs something else.
#[test]
fn what_is_not_certain_is_denied() {
    let model = Model::parse("sites.toml", SITES).unwrap();
    let row = |json: serde_json::Value| item(json.as_object().unwrap());
    let site = |org: &str| {
        row(serde_json::json!({"pk": format!("ORG#{org}"), "sk": "SITE#1", "site": "SITE#1", "kind": "SITE"}))
    };
    let with = |rows: Vec<Item>| {
        let common = [
            row(serde_json::json!({"pk": "USER#ann", "sk": "USER"})),
            row(serde_json::json!({"pk": "ORG#a", "sk": "ORG"})),
            row(serde_json::json!({"pk": "ROOM#r", "sk": "ROOM", "siteId": "1"})),
            row(serde_json::json!({"pk": "USER#ann", "sk": "ACCESS#1", "role": "guest", "dealId": "d"})),
            site("a"),
        ];
        let items = common.into_iter().chain(rows).map(|item| (model.table.key_of(&item).unwrap(), item)).collect();
        LaggingTable { model: model.clone(), named: String::new(), items, hidden: BTreeSet::new(), shown: Vec::new() }
    };
    let deal = || row(serde_json::json!({"pk": "DEAL#d", "sk": "DEAL"}));
    let ask = |table: &LaggingTable, at: &str| {
        let (subject, at) = (named(&model, "User userId=ann"), AskedPlace::Item(named(&model, at)));
        let wanted = WantedAccess::Role("guest".to_owned());
        match table.ask(Question::Can { subject, wanted, at }, NOW) {
            Some((Answer::Allow(allowed), ..)) => format!("allow at {}", allowed.at),
            Some((Answer::Deny(denied), ..)) => denied.reasons.iter().map(|reason| reason.word()).collect(),
            other => panic!("{other:?}"),
        }
    };
    let whole = with(vec![deal()]);
    assert_eq!(ask(&whole, "Site orgId=a siteId=1"), "allow at Site a/1");
    assert_eq!(ask(&whole, "Room roomId=r"), "allow at Site a/1");
    assert_eq!(ask(&whole, "Room roomId=r orgId=a"), "allow at Site a/1", "what the room is in says its organization");
    assert_eq!(ask(&whole, "Room roomId=r orgId=b"), "no-scope", "the room is not in that one");
    assert_eq!(ask(&whole, "Room roomId=r floor=2"), "no-scope", "nothing says its floor");
    assert_eq!(ask(&with(vec![]), "Room roomId=r"), "pending", "the deal does not exist");
    let gone = row(serde_json::json!({"pk": "INSTEP#GONE#Deal/dealId=d", "sk": "GONE"}));
    assert_eq!(ask(&with(vec![gone.clone()]), "Room roomId=r"), "pending", "the deal was deleted");
    assert_eq!(ask(&with(vec![gone, deal()]), "Room roomId=r"), "allow at Site a/1", "it was written again");
    let two = with(vec![deal(), site("b")]);
    assert_eq!(ask(&two, "Site orgId=a siteId=1"), "ambiguous", "the grant may mean either site");
    assert_eq!(ask(&two, "Room roomId=r"), "no-grant", "so may the room");
}

/// Promise 2: an object may have an item under each spelling of its key, and each is a grant, also of itself.
#[test]
fn each_spelling_of_a_grant_counts() {
    let spelled = SITES.replace(r##"sk = "ACCESS#{siteId}""##, r##"sk = ["ACCESS#{siteId}", "GRANT#{siteId}"]"##);
    let own = r##"pk = ["USER#{userId}", "PERSON#{userId}"]
        grant = { subject = "User", roles = "roles" }
        sk = "USER""##;
    let spelled = spelled.replace("pk = \"USER#{userId}\"\nsk = \"USER\"", own);
    let model = Model::parse("sites.toml", &spelled).unwrap();
    let row = |json: serde_json::Value| item(json.as_object().unwrap());
    let grant =
        |sk: &str, role: &str| row(serde_json::json!({"pk": "USER#ann", "sk": sk, "role": role, "dealId": "d"}));
    let rows = [
        row(serde_json::json!({"pk": "USER#ann", "sk": "USER", "roles": "clerk"})),
        row(serde_json::json!({"pk": "PERSON#ann", "sk": "USER", "roles": "cook"})),
        row(serde_json::json!({"pk": "ORG#a", "sk": "SITE#1", "site": "SITE#1", "kind": "SITE"})),
        row(serde_json::json!({"pk": "DEAL#d", "sk": "DEAL"})),
        grant("ACCESS#1", "guest"),
        grant("GRANT#1", "host"),
    ];
    let items = rows.into_iter().map(|item| (model.table.key_of(&item).unwrap(), item)).collect();
    let table =
        LaggingTable { model: model.clone(), named: String::new(), items, hidden: BTreeSet::new(), shown: Vec::new() };
    let site = || AskedPlace::Item(named(&model, "Site orgId=a siteId=1"));
    let nowhere = || AskedPlace::Nowhere;
    for (role, at) in [("guest", site()), ("host", site()), ("clerk", nowhere()), ("cook", nowhere())] {
        let subject = named(&model, "User userId=ann");
        let can = Question::Can { subject, wanted: WantedAccess::Role(role.to_owned()), at };
        assert!(matches!(table.ask(can, NOW), Some((Answer::Allow(_), ..))), "{role}");
    }
}

/// Everybody who may is listed, page by page, and nobody else: each of the subjects is asked with `can`.
#[test]
fn who_lists_each_subject_that_can_and_no_other() {
    let model = Model::shipped("access-management").unwrap();
    let mut table = LaggingTable::of("access-management");
    let row = |json: serde_json::Value| item(json.as_object().unwrap());
    let mut put = |json: serde_json::Value| {
        let item = row(json);
        table.items.insert(model.table.key_of(&item).unwrap(), item);
    };
    for number in 0..250 {
        let email = format!("user{number:03}@example.com");
        // Every third user is disabled, and every fifth does not exist.
        let state = if number % 3 == 0 { "disabled" } else { "enabled" };
        if number % 5 != 0 {
            put(serde_json::json!({"pk": format!("U:{email}"), "sk": format!("U:{email}"), "state": state}));
        }
        put(serde_json::json!({"pk": format!("U:{email}"), "sk": "G:/japan", "role": "reader"}));
        let reference = serde_json::json!({"of": "Membership", "names": {"email": email, "groupId": "/japan"}});
        let sk = format!("Membership/email={email}/groupId=%2Fjapan");
        put(serde_json::json!({"pk": "INSTEP#REF#Group/groupId=%2Fjapan", "sk": sk, "instep": reference}));
    }
    let at = || AskedPlace::Item(named(&model, "Group groupId=/japan"));
    let mut listed = BTreeSet::new();
    let (mut from, mut pages) = (None, 0);
    loop {
        let question = Question::Who { wanted: WantedAccess::Role("reader".to_owned()), at: at(), from };
        let Some((Answer::Who(holders), ..)) = table.ask(question, NOW) else { panic!("no list") };
        assert!(holders.is_complete && holders.subjects.len() <= instep_answers::PAGE_SUBJECTS);
        for holder in holders.subjects {
            assert!(listed.insert(holder.subject), "in two pages");
        }
        (from, pages) = (holders.next, pages + 1);
        if from.is_none() {
            break;
        }
    }
    let mut can = BTreeSet::new();
    for key in table.items.keys() {
        let Identity::Item { object, .. } = model.identify(key) else { continue };
        if model.item(object.of).name != "User" {
            continue;
        }
        let subject = NamedItem { of: object.of, names: object.names };
        let label = subject.label(&model);
        let question = Question::Can { subject, wanted: WantedAccess::Role("reader".to_owned()), at: at() };
        if matches!(table.ask(question, NOW), Some((Answer::Allow(_), ..))) {
            can.insert(label);
        }
    }
    assert_eq!(listed, can);
    assert!(can.len() > 100 && pages == 3, "{} subjects in {pages} pages", can.len());
}

/// What could be missing is said: a role that counts everywhere, an index that Instep does not keep, and what only a subject's
/// value completes.
#[test]
fn a_list_that_may_lack_somebody_says_so() {
    let base = "model = \"m\"\ntable = { pk = \"PK\", sk = \"SK\" }\nindexes.byHall = { pk = \"hallKey\", sk = \"hallSort\" }\n\
                [items.User]\npk = \"USER#{user}\"\nsk = \"USER\"\n[items.Hall]\npk = \"HALL#{hall}\"\nsk = \"HALL\"\n\
                [items.Pass]\npk = \"USER#{user}\"\nsk = \"PASS#{hall}\"\nbyHall = { pk = \"HALL#{hall}\", sk = \"USER#{user}\"KEEP }\n\
                grant = { subject = \"User\", scope = \"Hall\" }\n";
    let ask = |text: &str| {
        let model = Model::parse("m.toml", text).unwrap();
        let row = |json: serde_json::Value| item(json.as_object().unwrap());
        let items = [
            row(serde_json::json!({"PK": "USER#ann", "SK": "USER"})),
            row(serde_json::json!({"PK": "HALL#h", "SK": "HALL"})),
            row(serde_json::json!({"PK": "USER#ann", "SK": "PASS#h", "hallKey": "HALL#h", "hallSort": "USER#ann"})),
        ];
        let items = items.into_iter().map(|item| (model.table.key_of(&item).unwrap(), item)).collect();
        let at = AskedPlace::Item(named(&model, "Hall hall=h"));
        let table = LaggingTable { model, named: String::new(), items, hidden: BTreeSet::new(), shown: Vec::new() };
        match table.ask(Question::Who { wanted: WantedAccess::Access, at, from: None }, NOW) {
            Some((Answer::Who(holders), ..)) => (holders.subjects.len(), holders.is_complete),
            other => panic!("{other:?}"),
        }
    };
    let kept = base.replace("KEEP", ", keep = true");
    assert_eq!(ask(&kept), (1, true));
    assert_eq!(ask(&base.replace("KEEP", "")), (1, false), "the index may lack a pass");
    let everywhere =
        format!("{kept}[items.Master]\npk = \"USER#{{user}}\"\nsk = \"MASTER\"\ngrant = {{ subject = \"User\" }}\n");
    assert_eq!(ask(&everywhere), (1, false), "a master key counts everywhere");
}
