//! The workload: stream records of a table that has users, groups and memberships, and parents with
//! ten children each.
//!
//! Of 1,000 records, 400 are insertions (100 users, 50 groups, 250 memberships), 300 change memberships
//! (100 change the role, 50 change nothing that matters, 150 are removals), 100 remove a parent, and
//! 200 concern nobody. The same seed gives the same records.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::value::RawValue;
use serde_json::{Map, Value, json};

use crate::memberships;

/// The children of each parent.
pub const CHILDREN: usize = 10;

/// The entries of one PutEvents, and the items of one BatchWriteItem. Source: the services' API references.
pub(crate) const EVENTS_OF_CALL: usize = 10;
const ITEMS_OF_CALL: usize = 25;

/// The records of a workload.
#[derive(Debug)]
pub struct Mix {
    /// The records, in Lambda's form.
    pub records: Vec<Value>,
    /// The fewest calls that a function could make which never reads the table: an effect for each
    /// change, and full batches.
    pub baseline: BTreeMap<&'static str, usize>,
    /// The changes to memberships that are left if each membership is changed once.
    pub net_changes: usize,
    /// The memberships that the changes grant or revoke, each once.
    pub named: usize,
}

/// A kind of record.
#[derive(Debug, Clone, Copy)]
enum Kind {
    User,
    Group,
    Granted,
    RoleChanged,
    Touched,
    Revoked,
    ParentRemoved,
    Unknown,
    Audit,
}

impl Kind {
    /// The kinds, and how many of 1,000 records are of each.
    const SHARES: [(Self, usize); 9] = [
        (Self::User, 100),
        (Self::Group, 50),
        (Self::Granted, 250),
        (Self::RoleChanged, 100),
        (Self::Touched, 50),
        (Self::Revoked, 150),
        (Self::ParentRemoved, 100),
        (Self::Unknown, 100),
        (Self::Audit, 100),
    ];
}

/// Who writes the items.
const BY: &str = "admin@example.com";

const ROLES: [&str; 3] = ["admin", "contributor", "reader"];

type Item = Map<String, Value>;

struct Maker {
    chance: fastrand::Rng,
    sequence: u128,
    records: Vec<Value>,
    /// Memberships that the batch has written.
    granted: Vec<Item>,
    hot: u8,
    counts: BTreeMap<&'static str, usize>,
}

impl Mix {
    /// `count` records. Of the changes to memberships, `hot` percent are of memberships that an earlier
    /// record wrote.
    #[must_use]
    pub fn new(count: usize, seed: u64, hot: u8) -> Self {
        let mut kinds: Vec<Kind> =
            Kind::SHARES.iter().flat_map(|(kind, share)| vec![*kind; (count * share).div_ceil(1000)]).collect();
        let mut chance = fastrand::Rng::with_seed(seed);
        chance.shuffle(&mut kinds);
        kinds.truncate(count);
        let counts = BTreeMap::new();
        let mut maker = Maker { chance, sequence: 1 << 90, records: Vec::new(), granted: Vec::new(), hot, counts };
        kinds.into_iter().enumerate().for_each(|(place, kind)| maker.add(place, kind));
        let count_of = |what: &str| maker.counts.get(what).copied().unwrap_or_default();
        let baseline = BTreeMap::from([
            ("Cognito", count_of("add") + count_of("remove")),
            ("Query", count_of("parent")),
            ("BatchWriteItem", (count_of("parent") * CHILDREN).div_ceil(ITEMS_OF_CALL)),
            ("PutEvents", count_of("event").div_ceil(EVENTS_OF_CALL)),
        ]);
        let (net_changes, named) = (memberships::net_changes(&maker.records), memberships::named(&maker.records));
        Self { net_changes, named, records: maker.records, baseline }
    }

    /// The records as a batch has them.
    #[must_use]
    pub fn raw(&self) -> Vec<Box<RawValue>> {
        self.records.iter().filter_map(|record| serde_json::value::to_raw_value(record).ok()).collect()
    }

    /// The event that invokes a function.
    #[must_use]
    pub fn event(&self) -> String {
        json!({ "Records": self.records }).to_string()
    }
}

/// The record of a new membership. Each place gives another.
#[must_use]
pub fn grant(place: usize) -> Value {
    one(Kind::Granted, place).pop().unwrap_or_default()
}

fn one(kind: Kind, place: usize) -> Vec<Value> {
    let chance = fastrand::Rng::with_seed(7);
    let (records, granted, counts) = (Vec::new(), Vec::new(), BTreeMap::new());
    let mut maker = Maker { chance, sequence: 1 << 90, records, granted, hot: 0, counts };
    maker.add(place, kind);
    maker.records
}

/// Records of the common small batches.
#[must_use]
pub fn small() -> Vec<(&'static str, Vec<Value>)> {
    let one = |kind| one(kind, 1);
    vec![
        ("one membership is granted", one(Kind::Granted)),
        ("one membership changes its role", one(Kind::RoleChanged)),
        ("one membership is revoked", one(Kind::Revoked)),
        ("one new user", one(Kind::User)),
        ("one deleted parent with ten children", one(Kind::ParentRemoved)),
    ]
}

fn group(place: usize) -> Item {
    let at = time(place);
    let group = format!("/emea/dach/site{place:04}");
    let group = json!({
        "PK": format!("G:{group}"), "SK": format!("G:{group}"), "siKey1": "G", "_recordType": "Group",
        "_schemaVersion": 3, "id": group, "name": format!("Site {place}"), "description": "A group of a site",
        "state": "enabled", "createdAt": at, "createdBy": BY, "updatedAt": at, "updatedBy": BY,
    });
    item(group)
}

fn item(value: Value) -> Item {
    if let Value::Object(item) = value { item } else { Item::new() }
}

fn time(place: usize) -> String {
    format!("2025-01-{:02}T{:02}:{:02}:20.{:03}Z", 1 + place % 28, place % 24, place % 60, place % 1000)
}

impl Maker {
    fn id(&mut self) -> String {
        let id = format!("{:032x}", self.chance.u128(..));
        [(0, 8), (8, 12), (12, 16), (16, 20), (20, 32)].map(|(from, to)| id.get(from..to).unwrap_or_default()).join("-")
    }

    fn one_of(&mut self, of: &[&'static str]) -> &'static str {
        of.get(self.chance.usize(..of.len().max(1))).copied().unwrap_or_default()
    }

    fn email(&mut self, place: usize) -> String {
        let name = self.one_of(&["smith", "garcia", "chen", "okafor", "novak"]);
        format!("user{place:05}.{name}@example.com")
    }

    fn membership(&mut self, place: usize) -> Item {
        let email = self.email(place);
        let region = self.one_of(&["usa/northwest", "usa/south", "emea/uk", "emea/dach", "apac/anz", "latam/br"]);
        let group = format!("/{region}/site{:04}", place % 400);
        item(json!({
            "PK": format!("U:{email}"), "SK": format!("G:{group}"), "_recordType": "GroupMembership", "_schemaVersion": 3,
            "email": email, "groupId": group, "role": self.one_of(&ROLES), "createdAt": time(place),
            "createdBy": "admin@example.com", "updatedAt": time(place),
        }))
    }

    /// A membership that exists: one that an earlier record wrote, or another.
    fn existing(&mut self, place: usize) -> Item {
        if !self.granted.is_empty() && self.chance.u8(1..=100) <= self.hot {
            let chosen = self.chance.usize(..self.granted.len());
            return self.granted.swap_remove(chosen);
        }
        self.membership(place)
    }

    fn count(&mut self, what: &'static str, count: usize) {
        *self.counts.entry(what).or_default() += count;
    }

    fn add(&mut self, place: usize, kind: Kind) {
        match kind {
            Kind::User => {
                let user = self.user(place);
                self.count("event", 1);
                self.record(place, None, Some(user));
            }
            Kind::Group => {
                self.count("event", 1);
                self.record(place, None, Some(group(place)));
            }
            Kind::Granted => {
                let new = self.membership(place);
                self.granted.push(new.clone());
                self.count("add", 1);
                self.count("event", 1);
                self.record(place, None, Some(new));
            }
            Kind::RoleChanged => {
                let old = self.existing(place);
                let others: Vec<&str> =
                    ROLES.into_iter().filter(|role| old.get("role") != Some(&json!(role))).collect();
                let role = self.one_of(&others);
                self.count("add", 1);
                self.count("remove", 1);
                // One for each role, and one for the other attributes.
                self.count("event", 3);
                self.change(place, old, &[("role", role.to_owned()), ("updatedAt", time(place + 7))]);
            }
            Kind::Touched => {
                let old = self.existing(place);
                self.count("event", 1);
                self.change(place, old, &[("updatedAt", time(place + 7))]);
            }
            Kind::Revoked => {
                let old = self.existing(place);
                self.count("remove", 1);
                self.count("event", 1);
                self.record(place, Some(old), None);
            }
            Kind::ParentRemoved => {
                let old = self.parent(place);
                self.count("parent", 1);
                self.count("event", 1);
                self.record(place, Some(old), None);
            }
            Kind::Unknown => {
                let unknown = self.unknown(place);
                self.record(place, None, Some(unknown));
            }
            Kind::Audit => {
                let audit = self.audit(place);
                self.change(place, audit, &[("count", (place + 1).to_string())]);
            }
        }
    }

    fn user(&mut self, place: usize) -> Item {
        let at = time(place);
        let email = self.email(place);
        let user = json!({
            "PK": format!("U:{email}"), "SK": format!("U:{email}"), "siKey1": "U", "_recordType": "User",
            "_schemaVersion": 3, "email": email, "state": "enabled", "displayName": format!("User Number {place}"),
            "tags": {"dept": "field-ops", "cost": (place % 97).to_string()}, "createdAt": at, "createdBy": BY,
            "updatedAt": at, "updatedBy": BY,
        });
        item(user)
    }

    fn unknown(&mut self, place: usize) -> Item {
        let at = time(place);
        let (email, of) = (format!("user{place}@example.com"), self.id());
        let value = json!({
            "PK": format!("UniqueKeyValue#User#email#{email}"), "SK": "UniqueKeyValue#User#email",
            "_recordType": "UniqueKeyValue", "key": "email", "value": email, "associatedRecordUrn": of,
            "_createdAt": at, "_updatedAt": at,
        });
        item(value)
    }

    fn audit(&mut self, place: usize) -> Item {
        let at = time(place);
        let audit = json!({
            "PK": format!("Audit#{}", self.id()), "SK": format!("Audit#{at}"), "_recordType": "Audit", "actor": BY,
            "action": "viewed", "count": place.to_string(), "ip": "203.0.113.7", "_createdAt": at,
        });
        item(audit)
    }

    fn parent(&mut self, place: usize) -> Item {
        let (id, account) = (self.id(), self.id());
        let urn = format!("urn:example:System.Account.JobCollection::{id}");
        item(json!({
            "PK": format!("Resource#{urn}"), "SK": format!("Resource#{urn}"), "_recordType": "Resource",
            "_resourceType": "System.Account.JobCollection", "_id": id, "urn": urn, "_schemaVersion": 3,
            "_createdAt": time(place), "_updatedAt": time(place), "_accountUrn": format!("urn:example:System.Account::{account}"),
            "name": format!("Job collection {place}"), "labels": ["alpha", "beta", "gamma"],
            "config": {"retries": 3, "enabled": true, "owner": format!("user{place}")},
        }))
    }

    fn change(&mut self, place: usize, old: Item, changes: &[(&str, String)]) {
        let mut new = old.clone();
        new.extend(changes.iter().map(|(name, value)| ((*name).to_owned(), json!(value))));
        if new.contains_key("role") {
            self.granted.push(new.clone());
        }
        self.record(place, Some(old), Some(new));
    }

    fn record(&mut self, place: usize, old: Option<Item>, new: Option<Item>) {
        self.sequence += u128::from(self.chance.u8(1..=9));
        let name = match (&old, &new) {
            (None, _) => "INSERT",
            (Some(_), Some(_)) => "MODIFY",
            (Some(_), None) => "REMOVE",
        };
        let any = new.as_ref().or(old.as_ref());
        let keys: Item = any
            .iter()
            .flat_map(|item| item.iter())
            .filter(|(name, _)| ["PK", "SK"].contains(&name.as_str()))
            .map(|(name, value)| (name.clone(), typed(value)))
            .collect();
        let mut body = json!({
            "ApproximateCreationDateTime": 1_735_700_000 + place / 50, "Keys": keys,
            "SequenceNumber": self.sequence.to_string(), "SizeBytes": 500, "StreamViewType": "NEW_AND_OLD_IMAGES",
        });
        if let Some(body) = body.as_object_mut() {
            let images = [("OldImage", old), ("NewImage", new)];
            let images = images.into_iter().filter_map(|(name, image)| Some((name.to_owned(), image_of(&image?))));
            body.extend(images);
        }
        let id = self.id().replace('-', "");
        self.records.push(json!({
            "eventID": id, "eventName": name, "eventVersion": "1.1", "eventSource": "aws:dynamodb",
            "awsRegion": "eu-west-1", "dynamodb": body,
            "eventSourceARN": "arn:aws:dynamodb:eu-west-1:123456789012:table/app/stream/2025-01-01T00:00:00.000",
        }));
    }
}

/// An item in DynamoDB's JSON.
fn image_of(item: &Item) -> Value {
    item.iter().map(|(name, value)| (name.clone(), typed(value))).collect::<Item>().into()
}

fn typed(value: &Value) -> Value {
    match value {
        Value::Null => json!({"NULL": true}),
        Value::Bool(flag) => json!({"BOOL": flag}),
        Value::Number(number) => json!({"N": number.to_string()}),
        Value::String(text) => json!({"S": text}),
        Value::Array(values) => json!({"L": values.iter().map(typed).collect::<Vec<_>>()}),
        Value::Object(values) => json!({"M": image_of(values)}),
    }
}

/// The items of the table when the records are handled: what the last record of each item says, the
/// users of all memberships, and the children of removed parents.
#[must_use]
pub fn table(records: &[Value]) -> Vec<Value> {
    let mut items: BTreeMap<String, Option<Value>> = BTreeMap::new();
    let mut users: BTreeSet<String> = BTreeSet::new();
    let mut all = Vec::new();
    for record in records {
        let Some(body) = record.get("dynamodb") else { continue };
        let pk = body.pointer("/Keys/PK/S").and_then(Value::as_str).unwrap_or_default();
        let new = body.get("NewImage").cloned();
        if new.is_none()
            && let Some(urn) = pk.strip_prefix("Resource#")
        {
            all.extend((0..CHILDREN).map(|child| self::child(urn, child)));
        }
        if pk.starts_with("U:") {
            users.insert(pk.to_owned());
        }
        items.insert(body.get("Keys").map(Value::to_string).unwrap_or_default(), new);
    }
    let user = |pk: &String| json!({"PK": {"S": pk}, "SK": {"S": pk}, "email": {"S": pk.trim_start_matches("U:")}});
    let known: BTreeSet<String> =
        items.values().flatten().filter_map(|item| item.pointer("/SK/S")?.as_str().map(str::to_owned)).collect();
    all.extend(users.iter().filter(|pk| !known.contains(*pk)).map(user));
    all.extend(items.into_values().flatten());
    all
}

/// A child of a parent.
#[must_use]
pub fn child(urn: &str, place: usize) -> Value {
    let child = format!("urn:example:System.Account.JobCollection.Job::{place:08}");
    json!({
        "PK": {"S": format!("Parent#{urn}")}, "SK": {"S": format!("Child#{child}")},
        "_recordType": {"S": "ParentChildRelationship"}, "parentUrn": {"S": urn}, "childUrn": {"S": child},
        "_createdAt": {"S": "2026-01-02T03:04:05.678Z"},
    })
}
