//! The table model of a world, and its items, records and groups as the model spells them.
//!
//! The model is TOML text that the product loads. Items, keys and names are spelled here once more,
//! so that the truth of a world does not depend on the product's templates.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::hash::{Hash, Hasher};
use std::sync::Arc;

use instep_flow::account::{Account, AccountItem, AccountState, account_key};
use instep_flow::bookkeeping;
use instep_flow::decode::{Change, Decoded, decode};
use instep_flow::effect::Action;
use instep_model::{Identity, Item as Attributes, Key, Model, Names, Value};
use jiff::Timestamp;
use serde_json::json;
use serde_json::value::RawValue;

use crate::item::{SmallItem, SmallRecord};
use crate::world::{Find, SmallLink, SmallMembership, SmallObject, SmallWorld};

/// The second at which a world begins.
const EPOCH_SECOND: i64 = 1_780_000_000;

/// The index of an item: attributes of its partition and sort key.
const INDEX: [&str; 2] = ["IPK", "ISK"];

/// The table model of a world.
#[derive(Debug)]
pub struct Design {
    /// The model, as the product loads it.
    pub model: Model,
    /// The keys of all items that a world can have.
    keys: BTreeMap<Key, SmallObject>,
}

/// A design is the same in every state of a world.
impl Hash for Design {
    fn hash<H: Hasher>(&self, _: &mut H) {}
}

impl Design {
    /// The design of a world.
    #[must_use]
    #[expect(clippy::panic, reason = "a world that the product refuses is a bug of this crate")]
    pub fn of(world: &SmallWorld) -> Self {
        let text = text(world);
        let model = Model::parse("world.toml", &text).unwrap_or_else(|errors| panic!("{errors}\n{text}"));
        let keys = world.objects().into_iter().map(|object| (key(world, object), object)).collect();
        Self { model, keys }
    }

    /// The object whose item has a key.
    #[must_use]
    pub fn object(&self, key: &Key) -> Option<SmallObject> {
        self.keys.get(key).copied()
    }

    /// An object of the product.
    pub(crate) fn known(&self, object: &instep_model::Object) -> Option<SmallObject> {
        self.model.keys(object).ok()?.iter().find_map(|key| self.object(key))
    }

    /// An object, as the product names it.
    pub(crate) fn named(&self, world: &SmallWorld, object: SmallObject) -> Option<instep_model::Object> {
        if let (SmallObject::User(user), Some((of, value))) = (object, self.model.user_value()) {
            let names = Names::from([(value.name().to_owned(), format!("u{user}"))]);
            return Some(instep_model::Object { of, names });
        }
        match self.model.identify(&key(world, object)) {
            Identity::Item { object, .. } => Some(object),
            Identity::Bookkeeping | Identity::Unknown(_) => None,
        }
    }

    /// The key and item that say that the account under a user's name is the user's.
    pub(crate) fn account(&self, world: &SmallWorld, user: u8) -> Option<(Key, Attributes)> {
        let of = self.named(world, SmallObject::User(user))?;
        let key = account_key(&self.model, &of);
        let read_at = Timestamp::UNIX_EPOCH;
        let (name, item) = (format!("u{user}"), AccountItem { of, key, read: None, read_at, is_confirmed: true });
        let state = AccountState::Bound { sub: name.clone(), username: name.clone() };
        let account = Account { nonce: name, since: read_at, after: None, state };
        let (mut actions, _) = item.change(&self.model, &account);
        let Some(Action::Put { key, item, .. }) = actions.pop() else { return None };
        Some((key, item))
    }

    /// The key and item of the back-reference from one object to another.
    #[must_use]
    pub fn reference(&self, world: &SmallWorld, to: SmallObject, from: SmallObject) -> Option<(Key, Attributes)> {
        Some(bookkeeping::reference(&self.model, &self.named(world, to)?, &self.named(world, from)?))
    }

    /// The key of an object's tombstone.
    pub(crate) fn tombstone(&self, world: &SmallWorld, of: SmallObject) -> Option<Key> {
        Some(bookkeeping::tombstone_key(&self.model, &self.named(world, of)?))
    }

    /// A stream record, as Lambda delivers it.
    pub(crate) fn raw(&self, world: &SmallWorld, record: &SmallRecord) -> Option<Box<RawValue>> {
        serde_json::value::to_raw_value(&record_json(world, record)).ok()
    }

    /// What a record means, as the product decodes it. `None` if it takes it for no change.
    pub(crate) fn change(&self, raw: &RawValue) -> Option<Arc<Change>> {
        match decode(&self.model, None, raw) {
            Ok(Decoded::Change(change)) => Some(change),
            Ok(Decoded::Bookkeeping(_) | Decoded::Nothing(_)) | Err(_) => None,
        }
    }
}

/// A moment of a world's clock.
#[must_use]
pub(crate) fn moment(clock: u32) -> Timestamp {
    Timestamp::from_second(EPOCH_SECOND + i64::from(clock)).unwrap_or_default()
}

/// The name of a Cognito group.
pub(crate) fn group_name(group: u8, role: u8) -> String {
    format!("g{group}|r{role}")
}

/// The user of a Cognito user's name.
pub(crate) fn user_of(name: &str) -> Option<u8> {
    name.strip_prefix('u')?.parse().ok()
}

/// The group and role of a Cognito group's name.
pub(crate) fn group_of(name: &str) -> Option<(u8, u8)> {
    let (group, role) = name.strip_prefix('g')?.split_once("|r")?;
    Some((group.parse().ok()?, role.parse().ok()?))
}

/// The membership of a user's and a group's name.
pub(crate) fn membership_of(user: &str, group: &str) -> Option<SmallMembership> {
    let (group, role) = group_of(group)?;
    Some(SmallMembership { user: user_of(user)?, group, role })
}

/// The partition of what belongs to an object.
fn partition(object: SmallObject) -> String {
    match object {
        SmallObject::User(user) => format!("U#u{user}"),
        SmallObject::Group(group) => format!("G#g{group}"),
        SmallObject::Grant(user, group) => format!("GRANT#u{user}#g{group}"),
        SmallObject::Child(child) => format!("CHILD#c{child}"),
    }
}

/// The user or group that a child is below, directly or not.
fn root(world: &SmallWorld, object: SmallObject) -> SmallObject {
    match object {
        SmallObject::Child(child) => {
            let parent = world.children.get(usize::from(child));
            parent.map_or(object, |parent| root(world, *parent))
        }
        SmallObject::User(_) | SmallObject::Group(_) | SmallObject::Grant(..) => object,
    }
}

/// The key of an object's item.
#[must_use]
pub(crate) fn key(world: &SmallWorld, object: SmallObject) -> Key {
    let (pk, sk) = match object {
        SmallObject::User(_) => (partition(object), "USER".to_owned()),
        SmallObject::Group(_) => (partition(object), "GROUP".to_owned()),
        SmallObject::Grant(user, group) => match (world.find_by_user, world.find_by_group) {
            (_, Find::Partition) => (partition(SmallObject::Group(group)), format!("GRANT#u{user}")),
            (Find::Partition, _) => (partition(SmallObject::User(user)), format!("GRANT#g{group}")),
            (_, _) => (partition(object), "GRANT".to_owned()),
        },
        SmallObject::Child(child) if world.find_children == Find::Partition => {
            (partition(root(world, object)), format!("CHILD{child}"))
        }
        SmallObject::Child(child) => (partition(object), format!("CHILD{child}")),
    };
    Key { pk, sk }
}

/// An item as the table has it.
#[must_use]
pub(crate) fn item(world: &SmallWorld, object: SmallObject, item: SmallItem) -> Attributes {
    let Key { pk, sk } = key(world, object);
    let mut all = vec![("PK".to_owned(), pk), ("SK".to_owned(), sk)];
    let index = |link: &str, of: SmallObject, sk: String| {
        [(format!("{link}{}", INDEX[0]), partition(of)), (format!("{link}{}", INDEX[1]), sk)]
    };
    match object {
        SmallObject::User(_) => {
            all.push(("value".to_owned(), item.value.to_string()));
            all.push(("updatedAt".to_owned(), moment(item.written).to_string()));
        }
        SmallObject::Group(_) => {}
        SmallObject::Grant(user, slot) => {
            all.push(("role".to_owned(), format!("r{}", item.value)));
            let group = world.membership(object, item.value).map_or(slot, |membership| membership.group);
            if world.role_moves {
                all.push(("in".to_owned(), format!("g{group}")));
            }
            if world.find_by_user == Find::Index {
                all.extend(index("U", SmallObject::User(user), format!("GRANT#g{slot}")));
            }
            if world.find_by_group == Find::Index {
                all.extend(index("G", SmallObject::Group(group), format!("GRANT#u{user}#g{slot}")));
            }
        }
        SmallObject::Child(child) => {
            let parent = world.children.get(usize::from(child));
            if let (Find::Index, Some(parent)) = (world.find_children, parent) {
                all.extend(index("C", *parent, format!("CHILD{child}")));
            }
        }
    }
    all.into_iter().map(|(name, value)| (name, Value::S(value))).collect()
}

/// The item that attributes show. `None` if the table of the world cannot have such an item.
#[must_use]
pub(crate) fn shown(world: &SmallWorld, object: SmallObject, attributes: &Attributes) -> Option<SmallItem> {
    let written = attributes.get("updatedAt").and_then(Value::as_s).map(str::parse::<Timestamp>);
    let second = written.map_or(Some(EPOCH_SECOND), |at| Some(at.ok()?.as_second()))?;
    let written = u32::try_from(second - EPOCH_SECOND).ok()?;
    let mut items = (1..=world.values(object)).map(|value| SmallItem { value, written });
    items.find(|shown| item(world, object, *shown) == *attributes)
}

/// A stream record, as Lambda delivers it.
fn record_json(world: &SmallWorld, record: &SmallRecord) -> serde_json::Value {
    let image = |shown: Option<SmallItem>| shown.map(|shown| item(world, record.object, shown));
    let (old, new) = (image(record.old), image(record.new));
    let name = match (&old, &new) {
        (None, _) => "INSERT",
        (_, None) => "REMOVE",
        (Some(_), Some(_)) => "MODIFY",
    };
    let Key { pk, sk } = key(world, record.object);
    let mut body = json!({
        "ApproximateCreationDateTime": moment(record.at).as_second(),
        "Keys": {"PK": {"S": pk}, "SK": {"S": sk}},
        "SequenceNumber": format!("{:021}", record.at + 1),
    });
    if let Some(body) = body.as_object_mut() {
        body.extend(old.map(|old| ("OldImage".to_owned(), json!(old))));
        body.extend(new.map(|new| ("NewImage".to_owned(), json!(new))));
    }
    json!({"eventName": name, "dynamodb": body})
}

/// The model's text.
fn text(world: &SmallWorld) -> String {
    let roles: Vec<String> = (1..=world.roles).map(|role| format!("\"r{role}\"")).collect();
    let mut text = format!(
        "model = \"world\"\n[table]\npk = \"PK\"\nsk = \"SK\"\n[names]\nrole = [{}]\n[indexes]\n",
        roles.join(", ")
    );
    for (link, find) in [("U", world.find_by_user), ("G", world.find_by_group), ("C", world.find_children)] {
        if find.has_index() {
            let _ = writeln!(text, "By{link} = {{ pk = \"{link}{}\", sk = \"{link}{}\" }}", INDEX[0], INDEX[1]);
        }
    }
    let delete = if world.keeps_users { ", delete = false" } else { "" };
    if !world.signs_up {
        let _ = write!(
            text,
            r#"
[items.User]
pk = "U#{{userId}}"
sk = "USER"
entity = "User"
events = ["updatedAt"]
cognito.user = {{ name = "{{userId}}", attributes = {{ nickname = "{{value}}" }}{delete} }}
"#
        );
    }
    text.push_str(
        r#"
[items.Group]
pk = "G#{groupId}"
sk = "GROUP"
cognito.groups = "{groupId}|{role}"
"#,
    );
    grant(world, &mut text);
    for child in (0..).zip(&world.children) {
        add_child(world, child, &mut text);
    }
    text
}

/// A reference to an object. `names` are its names that only attributes have.
fn reference(of: &str, names: &str, find: Find) -> String {
    let find = match find {
        Find::Partition | Find::Index | Find::Nothing => "",
        Find::Reference => ", find = \"back-reference\"",
    };
    format!("{{ type = \"{of}\"{names}{find} }}")
}

fn grant(world: &SmallWorld, text: &mut String) {
    let slot = if world.role_moves { "{slot}" } else { "{groupId}" };
    let (pk, sk) = match (world.find_by_user, world.find_by_group) {
        (_, Find::Partition) => (format!("G#{slot}"), "GRANT#{userId}".to_owned()),
        (Find::Partition, _) => ("U#{userId}".to_owned(), format!("GRANT#{slot}")),
        (_, _) => (format!("GRANT#{{userId}}#{slot}"), "GRANT".to_owned()),
    };
    let _ = writeln!(text, "[items.Grant]\npk = \"{pk}\"\nsk = \"{sk}\"");
    let group = if world.role_moves { "{in}" } else { "{groupId}" };
    if world.find_by_user.has_index() {
        let _ = writeln!(text, "ByU = {{ pk = \"U#{{userId}}\", sk = \"GRANT#{slot}\" }}");
    }
    if world.find_by_group.has_index() {
        let _ = writeln!(text, "ByG = {{ pk = \"G#{group}\", sk = \"GRANT#{{userId}}#{slot}\" }}");
    }
    let user = match world.signs_up {
        true => "{ sub = \"{userId}\" }".to_owned(),
        false => reference("User", "", world.find_by_user),
    };
    let subject = if world.signs_up { "\"Grant\"" } else { user.as_str() };
    let names = if world.role_moves { ", groupId = \"{in}\"" } else { "" };
    let group = reference("Group", names, world.find_by_group);
    if world.belongs(SmallLink::GrantOfUser) {
        let _ = writeln!(text, "parent = [{user}, {group}]");
    } else if world.belongs(SmallLink::GrantOfGroup) {
        let _ = writeln!(text, "parent = {group}");
    }
    let _ = writeln!(text, "cognito.member = {{ user = {user}, group = {group} }}");
    let last = if world.last_revocation { "last = { delete = \"subject\", written = [\"updatedAt\"] }\n" } else { "" };
    let _ = write!(text, "[items.Grant.grant]\nsubject = {subject}\nscope = {group}\nroles = \"role\"\n{last}");
}

fn add_child(world: &SmallWorld, (child, parent): (u8, &SmallObject), text: &mut String) {
    let (of, name) = match parent {
        SmallObject::User(_) => ("User".to_owned(), "U#{userId}".to_owned()),
        SmallObject::Group(_) => ("Group".to_owned(), "G#{groupId}".to_owned()),
        SmallObject::Child(other) => (format!("Child{other}"), format!("CHILD#{{child{other}}}")),
        SmallObject::Grant(..) => return,
    };
    let _ = writeln!(text, "[items.Child{child}]\nparent = \"{of}\"\nsk = \"CHILD{child}\"");
    let _ = match (world.find_children, root(world, *parent)) {
        (Find::Partition, SmallObject::User(_)) => writeln!(text, "pk = \"U#{{userId}}\""),
        (Find::Partition, _) => writeln!(text, "pk = \"G#{{groupId}}\""),
        (_, _) => {
            writeln!(text, "pk = \"CHILD#{{child{child}}}\"\nByC = {{ pk = \"{name}\", sk = \"CHILD{child}\" }}")
        }
    };
}
