//! The models that were deployed for a table, as items in the table itself: a table that is restored brings them along,
//! and what an earlier model made can be found after the deployment of a later one. Pure.
//!
//! Partition `INSTEP#MODEL` has an item for each model with its text, and `NOW`, which says which of them is deployed.

use std::collections::BTreeMap;

use instep_model::{BOOKKEEPING_PREFIX, Item, Key, Model, Value};
use jiff::Timestamp;

use crate::bookkeeping::{BookkeepingKind, FIELDS, TOMBSTONE_SECONDS};

/// The largest text of a model that a table keeps. An item has at most 400 KB. Source: Amazon DynamoDB Developer Guide,
/// "Service, account, and table quotas".
pub const MODEL_BYTES_MAX: usize = 300 * 1024;

/// The most models whose changes may be under way at the same time.
pub const PREVIOUS_MAX: usize = 3;

/// The sort key of the item that says which model is deployed.
const NOW_SK: &str = "NOW";

/// What is known of the models of a table.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ModelHistory {
    /// The hash of the model that is deployed.
    pub current: String,
    /// The hashes of the models before it that may have left something, the latest first. Empty: the change is
    /// complete.
    pub previous: Vec<String>,
    /// Since when the model is deployed.
    pub since: Timestamp,
    /// When the change to it was complete.
    pub completed_at: Option<Timestamp>,
    /// The rounds of the change that have ended.
    pub rounds: u32,
    /// What the change waits for.
    pub waits: Option<ChangeWait>,
    /// A person has approved of what the change removes, and of what it leaves.
    pub is_approved: bool,
    /// The last models of which nothing is left, the latest first. An old record that is handled again may be of their time.
    pub left: Vec<LeftModel>,
}

/// A model of which nothing is left.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LeftModel {
    /// Its hash.
    pub hash: String,
    /// When the change from it was complete.
    pub at: Timestamp,
}

/// For what a change waits.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ChangeWait {
    /// What it is.
    pub what: WaitsFor,
    /// How many there are.
    pub count: u64,
}

/// What a person has to do for a change.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum WaitsFor {
    /// Approve: it would remove more than it may.
    Removals,
    /// Decide about what earlier models have left: users, groups, and items that stay.
    Decisions,
    /// Look: differences are found again and again.
    Repairs,
}

impl WaitsFor {
    const ALL: [Self; 3] = [Self::Removals, Self::Decisions, Self::Repairs];

    /// It in the table and for programs.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Self::Removals => "removals",
            Self::Decisions => "decisions",
            Self::Repairs => "repairs",
        }
    }
}

/// The most rounds of a change until somebody has to look. INVARIANT 8.
const ROUNDS_MAX: u32 = 20;

/// What a round of a change has done.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct ChangeRound {
    /// What it would remove, if that is more than it may: then it has done nothing.
    pub too_many: Option<u64>,
    /// Differences that it sent repairs for, or left to the next round.
    pub repaired: u64,
    /// What earlier models have left, and people decide about.
    pub left: u64,
}

/// Why the table does not keep a model.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum NotNoted {
    /// It does not fit an item.
    #[error(
        "the model has {0} bytes with all that it extends, and a table keeps a model of at most {MODEL_BYTES_MAX}: \
         `instep plan` needs `--against OLD` for it"
    )]
    TooLarge(usize),
    /// Too many changes are under way.
    #[error(
        "{PREVIOUS_MAX} earlier models may have left something, and a table keeps no more: do what `instep plan NEW` says, \
         or what `instep change --status` says"
    )]
    TooManyPrevious,
    /// A service failed.
    #[error("{0}")]
    Failed(String),
}

impl ModelHistory {
    /// The history of a table of which nothing is known yet.
    #[must_use]
    pub const fn first(hash: String, now: Timestamp) -> Self {
        let completed_at = Some(now);
        Self {
            current: hash,
            previous: Vec::new(),
            since: now,
            completed_at,
            rounds: 0,
            waits: None,
            is_approved: false,
            left: Vec::new(),
        }
    }

    /// The history once another model is deployed. `None` if it is the one that is.
    ///
    /// # Errors
    /// Too many changes would be under way: what the earliest model made could not be found any more.
    pub fn followed_by(&self, hash: &str, now: Timestamp) -> Result<Option<Self>, NotNoted> {
        if self.current == hash {
            return Ok(None);
        }
        // After a rollback, the model that was deployed for a while may have left something, too.
        let before = [&self.current].into_iter().chain(&self.previous).filter(|before| *before != hash);
        let previous: Vec<String> = before.cloned().collect();
        if previous.len() > PREVIOUS_MAX {
            return Err(NotNoted::TooManyPrevious);
        }
        let left = self.left.clone();
        Ok(Some(Self { previous, completed_at: None, left, ..Self::first(hash.to_owned(), now) }))
    }

    /// The history once nothing of the earlier models is left.
    #[must_use]
    pub fn completed(&self, now: Timestamp) -> Self {
        let of_change = self.previous.iter().map(|hash| LeftModel { hash: hash.clone(), at: now });
        let before = self.left.iter().filter(|left| !self.previous.contains(&left.hash)).cloned();
        let left = of_change.chain(before).take(PREVIOUS_MAX).collect();
        Self { previous: Vec::new(), completed_at: Some(now), waits: None, left, ..self.clone() }
    }

    /// The history after a round of the change.
    #[must_use]
    pub fn after(&self, round: ChangeRound, now: Timestamp) -> Self {
        let ChangeRound { too_many, repaired, left } = round;
        let rounds = self.rounds.saturating_add(1);
        let waits = |what, count| Some(ChangeWait { what, count });
        let waits = match too_many {
            Some(removals) => waits(WaitsFor::Removals, removals),
            None if repaired > 0 && rounds < ROUNDS_MAX => None,
            None if repaired > 0 => waits(WaitsFor::Repairs, repaired),
            None if left > 0 && !self.is_approved => waits(WaitsFor::Decisions, left),
            None => return Self { rounds, ..self.completed(now) },
        };
        Self { rounds, waits, ..self.clone() }
    }

    /// The history once a person has approved of what the change removes, and of what it leaves. It goes on then.
    #[must_use]
    pub fn approved(&self) -> Self {
        Self { is_approved: true, waits: None, rounds: 0, ..self.clone() }
    }

    /// Whether the next round of the change follows at once.
    #[must_use]
    pub const fn goes_on(&self) -> bool {
        !self.is_complete() && self.waits.is_none()
    }

    /// The state for people and programs.
    #[must_use]
    pub const fn state(&self) -> &'static str {
        match (self.is_complete(), self.waits.is_some()) {
            (true, _) => "complete",
            (false, true) => "waiting",
            (false, false) => "changing",
        }
    }

    /// Whether the change to the current model is complete.
    #[must_use]
    pub const fn is_complete(&self) -> bool {
        self.previous.is_empty()
    }

    /// The model from which a deployment of `hash` starts, or has started. `None`: nothing of another model is left.
    #[must_use]
    pub fn before(&self, hash: &str) -> Option<&String> {
        if self.current == hash { self.previous.first() } else { Some(&self.current) }
    }

    /// What the item `NOW` says. `None` if it is none.
    #[must_use]
    pub fn read(item: &Item) -> Option<Self> {
        let fields = fields(item)?;
        let text = |name: &str| fields.get(name).and_then(Value::as_s);
        let time = |name: &str| text(name)?.parse().ok();
        let Some(Value::L(previous)) = fields.get("previous") else { return None };
        let previous: Option<Vec<String>> = previous.iter().map(|hash| Some(hash.as_s()?.to_owned())).collect();
        let number = |name: &str| match fields.get(name) {
            Some(Value::N(number)) => number.parse().ok(),
            Some(_) | None => None,
        };
        let what = text("waits").and_then(|word| WaitsFor::ALL.into_iter().find(|what| what.word() == word));
        Some(Self {
            current: text("current")?.to_owned(),
            previous: previous?,
            since: time("since")?,
            completed_at: time("completedAt"),
            rounds: number("rounds").and_then(|rounds| u32::try_from(rounds).ok()).unwrap_or_default(),
            waits: what.map(|what| ChangeWait { what, count: number("count").unwrap_or_default() }),
            is_approved: fields.get("approved") == Some(&Value::Bool(true)),
            left: match fields.get("left") {
                Some(Value::L(left)) => left.iter().filter_map(LeftModel::read).collect(),
                Some(_) | None => Vec::new(),
            },
        })
    }

    /// The item `NOW`.
    #[must_use]
    pub fn item(&self, model: &Model) -> Item {
        let previous = self.previous.iter().cloned().map(Value::S).collect();
        let left = self.left.iter().map(LeftModel::value).collect();
        let mut fields = BTreeMap::from([
            ("current".to_owned(), Value::S(self.current.clone())),
            ("previous".to_owned(), Value::L(previous)),
            ("state".to_owned(), Value::S(self.state().to_owned())),
            ("since".to_owned(), Value::S(self.since.to_string())),
            ("rounds".to_owned(), Value::N(self.rounds.to_string())),
            ("approved".to_owned(), Value::Bool(self.is_approved)),
            ("left".to_owned(), Value::L(left)),
        ]);
        if let Some(ChangeWait { what, count }) = self.waits {
            fields.insert("waits".to_owned(), Value::S(what.word().to_owned()));
            fields.insert("count".to_owned(), Value::N(count.to_string()));
        }
        fields.extend(self.completed_at.map(|at| ("completedAt".to_owned(), Value::S(at.to_string()))));
        item(model, now_key(), fields)
    }
}

impl LeftModel {
    fn read(value: &Value) -> Option<Self> {
        let Value::M(fields) = value else { return None };
        let text = |name: &str| fields.get(name).and_then(Value::as_s);
        Some(Self { hash: text("hash")?.to_owned(), at: text("at")?.parse().ok()? })
    }

    fn value(&self) -> Value {
        let Self { hash, at } = self;
        Value::M(BTreeMap::from([
            ("hash".to_owned(), Value::S(hash.clone())),
            ("at".to_owned(), Value::S(at.to_string())),
        ]))
    }
}

/// The key of the item that says which model is deployed.
#[must_use]
pub fn now_key() -> Key {
    key(NOW_SK.to_owned())
}

/// The key of the model with this hash.
#[must_use]
pub fn model_key(hash: &str) -> Key {
    // No hash is `NOW`.
    key(format!("TEXT#{hash}"))
}

/// The item of a model.
///
/// # Errors
/// The model is too large.
pub fn model_item(model: &Model) -> Result<Item, NotNoted> {
    let text = model.resolved_text();
    if text.len() > MODEL_BYTES_MAX {
        return Err(NotNoted::TooLarge(text.len()));
    }
    let fields = BTreeMap::from([("text".to_owned(), Value::S(text.to_owned()))]);
    Ok(item(model, model_key(&model.text_hash()), fields))
}

/// The text of a model in its item.
#[must_use]
pub fn model_text(item: &Item) -> Option<&str> {
    fields(item)?.get("text")?.as_s()
}

/// The item of a model of which nothing is left. It is kept as long as an old record can be handled again.
#[must_use]
pub fn left_behind(model: &Model, item: &Item, now: Timestamp) -> Item {
    let expires = now.as_second().saturating_add(TOMBSTONE_SECONDS);
    let mut item = item.clone();
    item.insert(model.table.ttl.clone(), Value::N(expires.to_string()));
    item
}

fn key(sk: String) -> Key {
    Key { pk: format!("{BOOKKEEPING_PREFIX}{}", BookkeepingKind::Model.word()), sk }
}

fn item(model: &Model, key: Key, fields: BTreeMap<String, Value>) -> Item {
    Item::from([
        (model.table.pk.clone(), Value::S(key.pk)),
        (model.table.sk.clone(), Value::S(key.sk)),
        (FIELDS.to_owned(), Value::M(fields)),
    ])
}

fn fields(item: &Item) -> Option<&BTreeMap<String, Value>> {
    match item.get(FIELDS) {
        Some(Value::M(fields)) => Some(fields),
        Some(_) | None => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(second: i64) -> Timestamp {
        Timestamp::from_second(second).unwrap()
    }

    fn after(history: &ModelHistory, hash: &str, second: i64) -> ModelHistory {
        history.followed_by(hash, at(second)).unwrap().unwrap()
    }

    /// A model that was deployed and may have left something is known until the change is complete, also after a
    /// rollback.
    #[test]
    fn each_model_that_may_have_left_something_is_known() {
        let first = ModelHistory::first("a".to_owned(), at(1));
        assert_eq!((first.is_complete(), first.followed_by("a", at(2))), (true, Ok(None)));
        let second = after(&first, "b", 2);
        assert_eq!((second.before("b"), second.before("c")), (Some(&"a".to_owned()), Some(&"b".to_owned())));
        assert_eq!((second.is_complete(), second.completed_at, second.since), (false, None, at(2)));
        let back = after(&second, "a", 3);
        assert_eq!((back.current.as_str(), back.previous.as_slice()), ("a", ["b".to_owned()].as_slice()));
        let done = back.completed(at(4));
        assert_eq!((done.is_complete(), done.completed_at, done.before("a")), (true, Some(at(4)), None));
    }

    /// A fourth change waits: the first model would be forgotten, and with it where to look for what it made.
    #[test]
    fn no_model_is_forgotten_before_its_change_is_complete() {
        let mut history = ModelHistory::first("a".to_owned(), at(1));
        for (hash, second) in [("b", 2), ("c", 3), ("d", 4)] {
            history = after(&history, hash, second);
        }
        assert_eq!(history.previous, ["c", "b", "a"]);
        assert_eq!(history.followed_by("e", at(5)), Err(NotNoted::TooManyPrevious));
        assert_eq!(after(&history, "a", 5).previous, ["d", "c", "b"]);
        assert!(history.completed(at(5)).followed_by("e", at(6)).is_ok());
    }

    /// A change goes on while it repairs something, waits for a person if there is something to decide, and ends
    /// otherwise. INVARIANT 8: it does not go on for ever.
    #[test]
    fn a_change_ends_or_waits() {
        let change = after(&ModelHistory::first("a".to_owned(), at(1)), "b", 2);
        let round = |too_many, repaired, left| ChangeRound { too_many, repaired, left };
        let state = |history: &ModelHistory, of| history.after(of, at(3)).state();
        assert_eq!(state(&change, round(None, 1, 5)), "changing");
        assert_eq!(state(&change, round(None, 0, 0)), "complete");
        let decisions = change.after(round(None, 0, 5), at(3));
        assert_eq!(decisions.waits, Some(ChangeWait { what: WaitsFor::Decisions, count: 5 }));
        let removals = change.after(round(Some(200), 0, 5), at(3));
        assert_eq!(removals.waits, Some(ChangeWait { what: WaitsFor::Removals, count: 200 }));
        let approved = removals.approved();
        assert_eq!((approved.state(), state(&approved, round(None, 0, 5))), ("changing", "complete"));
        let mut again = change;
        for _ in 0..ROUNDS_MAX {
            assert!(again.goes_on());
            again = again.after(round(None, 1, 0), at(3));
        }
        assert_eq!(again.waits, Some(ChangeWait { what: WaitsFor::Repairs, count: 1 }));
        assert_eq!(ModelHistory::read(&again.item(&Model::shipped("teams").unwrap())), Some(again));
    }

    /// What is written is what is read.
    #[test]
    fn an_item_says_what_the_history_says() {
        let model = Model::shipped("teams").unwrap();
        let first = ModelHistory::first(model.text_hash(), at(1));
        for history in [first.clone(), after(&first, "b", 2), after(&first, "b", 2).completed(at(3))] {
            let item = history.item(&model);
            assert_eq!(ModelHistory::read(&item), Some(history));
            assert_eq!(model.table.key_of(&item), Some(now_key()));
        }
        let item = model_item(&model).unwrap();
        assert_eq!((model_text(&item), ModelHistory::read(&item)), (Some(model.resolved_text()), None));
    }
}
