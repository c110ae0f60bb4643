//! The attributes of the items that writers write.

use std::collections::{BTreeMap, BTreeSet};

use instep_model::template::{Template, base};
use instep_model::{
    Condition, Grant, Index, Item, ItemType, Keep, Key, Names, Object, Precedence, Roles, TypeId, Value,
};

use crate::implied::{decisive, set_value};

use super::names::IDS;
use super::odds::{Choice, Odds};
use super::writer::DrawnWriter;
use super::{SECRET, UNNAMED};

/// Roles where the model has no closed set.
const ROLES: [&str; 3] = ["r1", "r2", "r3"];

/// A role that no closed set has.
const UNKNOWN_ROLE: &str = "king";

/// Text that is no moment.
const NO_MOMENT: &str = "soon";

/// A type attribute that disagrees with the item's key.
const OTHER_TYPE: &str = "Other";

/// An index key that Instep has to correct.
const WRONG_INDEX_KEY: &str = "wrong";

/// An attribute that no model names.
const NOTE: &str = "note";

/// The attribute of items whose whole type is secret.
const TOKEN: &str = "token";

/// How many values a note, a secret or a token may have.
const FEW: usize = 3;

/// An item lists fewer names than this.
const NAMES_IN_A_LIST: usize = 4;

/// An item lists fewer roles than this.
const ROLES_IN_A_LIST: usize = 4;

/// Bytes of a fat attribute.
const FAT_BYTES: usize = 380_000;

/// In one of so many worlds, lists of roles have thousands of elements, and a long text is beside the roles. That
/// depends on the seed alone.
const LONG_WORLDS: u64 = 32;
const LONG_WORLD: u64 = 11;

/// Elements of a long list. Most repeat an earlier one: each role is a group.
const LONG_LIST: usize = 3_000;

/// Bytes of a text beside the roles, and the end of its path.
const LONG_TEXT_BYTES: usize = 150_000;
const LONG_TEXT: &str = "bulk";

/// How often a change touches an attribute. Most changes are of one or two.
const CHANGE_TOUCHES_ATTRIBUTE: Odds = Odds::percent(30);
const CHANGE_TOUCHES_ROLES: Odds = Odds::EVEN;
const CHANGE_TOUCHES_WINDOW: Odds = Odds::percent(30);

/// How often an attribute has the first of its spellings for sure.
const SPELLING_IS_THE_FIRST: Odds = Odds::percent(90);

const ATTRIBUTE_IS_PRESENT: Odds = Odds::percent(85);

/// How often an attribute has a value that the model names.
const VALUE_MATTERS: Odds = Odds::percent(60);

/// How often an item says when it was last written.
const WRITTEN_IS_STAMPED: Odds = Odds::percent(70);

/// How often an item of a fat world is fat, and how often an attribute that events show is.
const ITEM_IS_FAT: Odds = Odds::percent(15);
const FAT_ATTRIBUTE_IS_LISTED: Odds = Odds::percent(70);

const TYPE_ATTRIBUTE_DISAGREES: Odds = Odds::percent(2);

const UNKNOWN_ROLE_IS_OFFERED: Odds = Odds::percent(3);
const ROLE_IS_A_NUMBER: Odds = Odds::percent(10);
const ROLE_IS_MISSING: Odds = Odds::percent(20);

const WINDOW_HAS_AN_END: Odds = Odds::percent(30);
const WINDOW_IS_NO_MOMENT: Odds = Odds::percent(5);

/// How often a writer leaves an index key to Instep, and how often it writes a wrong one then.
const INDEX_KEY_IS_LEFT: Odds = Odds::EVEN;
const LEFT_INDEX_KEY_IS_WRONG: Odds = Odds::percent(30);

/// How an item spells its roles.
#[derive(Debug, Clone, Copy, Default)]
enum RoleForm {
    List,
    /// A string set. DynamoDB has no empty one: one role is written then.
    Set,
    /// A number now and then, which is no role. Else one role.
    Number,
    /// No attribute now and then. Else one role.
    Missing,
    #[default]
    One,
}

impl Choice for RoleForm {
    const ALL: &'static [Self] = &[Self::List, Self::Set, Self::Number, Self::Missing, Self::One];

    fn shares(self) -> usize {
        match self {
            Self::List | Self::Set | Self::Number | Self::Missing => 1,
            Self::One => 2,
        }
    }
}

/// What an item is written for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    New,
    Change,
}

/// Gives an item one attribute that nearly fills the item. Other fat attributes are removed.
///
/// A fat note consists of quotation marks, which take two bytes each in JSON. A record with two
/// such images fits into no message. Events do not show a note.
pub(crate) fn fatten(item: &mut Item, name: &str) {
    item.retain(|_, value| value.as_s().is_none_or(|text| text.len() < FAT_BYTES));
    let letter = if name == NOTE { "\"" } else { "x" };
    item.insert(name.to_owned(), Value::S(letter.repeat(FAT_BYTES)));
}

/// Gives an item a fat note.
pub(crate) fn fatten_note(item: &mut Item) {
    fatten(item, NOTE);
}

/// A list with its elements again and again.
fn long(value: Value) -> Value {
    match value {
        Value::L(elements) => {
            let most = if elements.is_empty() { 0 } else { LONG_LIST };
            Value::L(elements.into_iter().cycle().take(most).collect())
        }
        Value::S(_)
        | Value::N(_)
        | Value::B(_)
        | Value::Bool(_)
        | Value::Null(_)
        | Value::M(_)
        | Value::Ss(_)
        | Value::Ns(_)
        | Value::Bs(_) => value,
    }
}

/// Whole items.
impl DrawnWriter<'_> {
    /// An item with nothing but its key.
    pub(crate) fn keyed(&self, key: &Key) -> Item {
        let table = &self.model.table;
        Item::from([(table.pk.clone(), Value::S(key.pk.clone())), (table.sk.clone(), Value::S(key.sk.clone()))])
    }

    /// Draws an item. `before` is the item that a change starts from.
    pub(crate) fn item(&self, key: &Key, object: &Object, before: Option<&Item>) -> Item {
        let ty = self.model.item(object.of);
        let kind = if before.is_some() { Kind::Change } else { Kind::New };
        let mut item = before.cloned().unwrap_or_else(|| self.keyed(key));
        self.draw_attributes(object, kind, &mut item);
        if let Some(grant) = &ty.grant {
            self.draw_roles(object, grant, kind, &mut item);
            self.draw_window(grant, kind, &mut item);
        }
        self.stamp_written(&mut item);
        item.insert(NOTE.to_owned(), Value::S(format!("{UNNAMED}{}", self.below(FEW))));
        if self.net.is_fat && self.happens(ITEM_IS_FAT) {
            // A record may have it in both images. Then it fits into no message.
            let listed =
                self.pick(&ty.attributes).filter(|name| !self.has_consequences(ty, name) && !self.is_index_key(name));
            let name = listed.filter(|_| self.happens(FAT_ATTRIBUTE_IS_LISTED)).unwrap_or_else(|| NOTE.to_owned());
            fatten(&mut item, &name);
        }
        let secrets = self.model.secret.iter().map(String::as_str).chain(ty.secret.then_some(TOKEN));
        for name in secrets {
            item.insert(name.to_owned(), Value::S(format!("{SECRET}{}", self.below(FEW))));
        }
        if let (Some(attribute), Some(value)) = (&self.model.table.type_attribute, ty.type_values.first()) {
            let value = if self.happens(TYPE_ATTRIBUTE_DISAGREES) { OTHER_TYPE } else { value };
            item.insert(attribute.clone(), Value::S(value.to_owned()));
        }
        self.set_index_keys(object, &mut item);
        item
    }

    /// An item without one of the attributes that the model names, where it has such.
    pub(crate) fn without_an_attribute(&self, object: &Object, item: &Item) -> Option<Item> {
        let written = self.written_attributes();
        let names = self.model.item(object.of).attributes.iter();
        let names = names.filter(|name| item.contains_key(*name) && !written.contains(name) && !self.is_key(name));
        let name = self.pick(&names.collect::<Vec<_>>())?;
        let mut poorer = item.clone();
        poorer.remove(name);
        Some(poorer)
    }

    /// The guard of an owner's unique value.
    pub(crate) fn guard(&self, key: &Key, guard: &Object, owner: &Object) -> Item {
        let mut item = self.keyed(key);
        let Some(rule) = &self.model.item(guard.of).guard else { return item };
        for (name, attribute) in &rule.owner_attributes {
            item.extend(owner.names.get(name).map(|text| (attribute.clone(), Value::S(text.clone()))));
        }
        item
    }
}

/// Parts of an item.
impl DrawnWriter<'_> {
    fn draw_attributes(&self, object: &Object, kind: Kind, item: &mut Item) {
        let lists = self.lists_of(object.of);
        for (name, values) in self.attributes_of(object.of) {
            let is_kept = || kind == Kind::Change && !self.happens(CHANGE_TOUCHES_ATTRIBUTE);
            if object.names.contains_key(&name) || is_kept() {
                continue;
            }
            let spellings = self.model.attributes_of(&name);
            let is_first = self.happens(SPELLING_IS_THE_FIRST);
            let spelled = if is_first { spellings.first().cloned() } else { self.pick(&spellings) };
            for spelling in &spellings {
                set_value(item, spelling, None);
            }
            if self.happens(ATTRIBUTE_IS_PRESENT) {
                let any = || Value::S(self.name(object.of, &name, &Names::new()));
                let value = self.pick(&values).filter(|_| self.happens(VALUE_MATTERS));
                let value = if lists.contains(&name) { self.list(object.of, &name) } else { value.unwrap_or_else(any) };
                if let Some(spelling) = spelled {
                    set_value(item, &spelling, Some(value));
                }
            }
        }
    }

    /// A list or set of names, or one name. Now and then what is no list of texts.
    fn list(&self, of: TypeId, name: &str) -> Value {
        let names: BTreeSet<String> =
            (0..self.below(NAMES_IN_A_LIST)).map(|_| self.name(of, name, &Names::new())).collect();
        let mut texts: Vec<Value> = names.iter().cloned().map(Value::S).collect();
        match self.choose() {
            RoleForm::Set if !names.is_empty() => Value::Ss(names.into_iter().collect()),
            RoleForm::Number if self.happens(ROLE_IS_A_NUMBER) => {
                texts.push(Value::N("1".to_owned()));
                Value::L(texts)
            }
            RoleForm::One => texts.pop().unwrap_or(Value::Null(true)),
            RoleForm::List | RoleForm::Set | RoleForm::Number | RoleForm::Missing => Value::L(texts),
        }
    }

    fn draw_roles(&self, object: &Object, grant: &Grant, kind: Kind, item: &mut Item) {
        let Roles::Attribute(spellings) = &grant.roles else { return };
        if kind == Kind::Change && !self.happens(CHANGE_TOUCHES_ROLES) {
            return;
        }
        let path = spellings.first().cloned().unwrap_or_default();
        let name = grant.role_names.first().cloned().unwrap_or_default();
        let mut roles = self.net.watch().implied.closed(object.of, &name).to_vec();
        let items = grant.role_links.first().map(|id| self.model.link(*id));
        let of_item =
            items.and_then(|link| Some((link.to, link.names.iter().find(|(_, text)| text.each().is_some())?.0)));
        if let Some((to, name)) = of_item {
            roles = self.net.watch().implied.closed(to, name).to_vec();
            if roles.is_empty() {
                roles = IDS.map(str::to_owned).to_vec();
            }
        }
        if roles.is_empty() {
            roles = ROLES.map(str::to_owned).to_vec();
        } else if self.happens(UNKNOWN_ROLE_IS_OFFERED) {
            roles.push(UNKNOWN_ROLE.to_owned());
        }
        let role = || self.pick(&roles).unwrap_or_default();
        let several: BTreeSet<String> = (0..self.below(ROLES_IN_A_LIST)).map(|_| role()).collect();
        let value = match self.choose() {
            RoleForm::List => Some(Value::L(several.into_iter().map(Value::S).collect())),
            RoleForm::Set if !several.is_empty() => Some(Value::Ss(several.into_iter().collect())),
            RoleForm::Number if self.happens(ROLE_IS_A_NUMBER) => Some(Value::N("1".to_owned())),
            RoleForm::Missing if self.happens(ROLE_IS_MISSING) => None,
            RoleForm::Set | RoleForm::Number | RoleForm::Missing | RoleForm::One => Some(Value::S(role())),
        };
        let is_long = self.net.chance.seed % LONG_WORLDS == LONG_WORLD;
        set_value(item, &path, if is_long { value.map(long) } else { value });
        if let Some((outer, _)) = path.rsplit_once('.').filter(|_| is_long) {
            set_value(item, &format!("{outer}.{LONG_TEXT}"), Some(Value::S("x".repeat(LONG_TEXT_BYTES))));
        }
    }

    /// Draws the time in which a grant is in force.
    fn draw_window(&self, grant: &Grant, kind: Kind, item: &mut Item) {
        for names in [&grant.from, &grant.until] {
            let Some(name) = names.first() else { continue };
            if kind == Kind::Change && !self.happens(CHANGE_TOUCHES_WINDOW) {
                continue;
            }
            item.remove(name);
            if self.happens(WINDOW_HAS_AN_END) {
                let is_wrong = self.happens(WINDOW_IS_NO_MOMENT);
                let text = if is_wrong { NO_MOMENT.to_owned() } else { self.moment() };
                item.insert(name.clone(), Value::S(text));
            }
        }
    }

    /// Says when the item was last written, where a model asks for it.
    fn stamp_written(&self, item: &mut Item) {
        let now = Value::S(self.net.now().to_string());
        let written = self.written_attributes();
        let stamped = written.into_iter().filter(|_| self.happens(WRITTEN_IS_STAMPED));
        item.extend(stamped.map(|name| (name.clone(), now.clone())));
    }

    /// Sets the index attributes, as good writers do. Those that Instep keeps are wrong now and
    /// then.
    pub(crate) fn set_index_keys(&self, object: &Object, item: &mut Item) {
        let ty = self.model.item(object.of);
        for keys in &ty.index_keys {
            let index = self.model.index_at(keys.index);
            let own = [Some((&index.pk, &keys.pk)), index.sk.as_ref().zip(keys.sk.as_ref())];
            for (spellings, template) in own.into_iter().flatten() {
                let Some(name) = spellings.first().filter(|name| !self.is_key(name)) else { continue };
                let text = self.index_key(object, item, name, template);
                if keys.keep != Keep::No && self.happens(INDEX_KEY_IS_LEFT) {
                    let wrong = self.happens(LEFT_INDEX_KEY_IS_WRONG).then(|| Value::S(WRONG_INDEX_KEY.to_owned()));
                    item.extend(wrong.map(|value| (name.clone(), value)));
                } else {
                    item.extend(text.map(|text| (name.clone(), Value::S(text))));
                }
            }
        }
    }

    /// The text of an index attribute. What the item itself does not say, its writer knows.
    fn index_key(&self, object: &Object, item: &Item, name: &str, template: &Template) -> Option<String> {
        let ty = self.model.item(object.of);
        let mut rest = item.clone();
        rest.remove(name);
        let said = self.model.lookup(object.of, &object.names, Some(&rest));
        let text = template.render(&said).ok();
        let is_other_form = template
            .names()
            .any(|own| !object.names.contains_key(own) && ty.forms.iter().any(|form| form.names.contains(own)));
        let known = |own: &str| {
            let drawn = self.name(object.of, own, &object.names);
            said(own).or(Some(drawn.into()))
        };
        text.or_else(|| template.render(&known).ok()).filter(|_| !is_other_form)
    }
}

/// What the model says about attributes.
impl DrawnWriter<'_> {
    fn is_key(&self, name: &str) -> bool {
        [&self.model.table.pk, &self.model.table.sk].into_iter().any(|key| key == name)
    }

    /// DynamoDB refuses a long value there.
    fn is_index_key(&self, name: &str) -> bool {
        let of_indexes = |index: &Index| index.pk.iter().chain(index.sk.iter().flatten()).any(|key| key == name);
        self.model.indexes.iter().any(of_indexes)
    }

    /// Attributes that say when a subject was last written.
    fn written_attributes(&self) -> BTreeSet<&String> {
        let lasts = self.model.items.iter().filter_map(|ty| ty.grant.as_ref()?.last.as_ref());
        lasts.flat_map(|last| &last.written).collect()
    }

    /// Names that items of a type take from attributes, each with the values that matter.
    fn attributes_of(&self, of: TypeId) -> BTreeMap<String, Vec<Value>> {
        let ty = self.model.item(of);
        let mut found: BTreeMap<String, Vec<Value>> = BTreeMap::new();
        let mut templates: Vec<&Template> = Vec::new();
        let mut conditions: Vec<&Condition> = Vec::new();
        templates.extend(ty.user.iter().flat_map(|user| user.attributes.iter().map(|(_, text)| text)));
        conditions.extend(ty.user.iter().flat_map(|user| [Some(&user.when), user.disabled.as_ref()]).flatten());
        conditions.extend(ty.grant.iter().map(|grant| &grant.when));
        conditions.extend(ty.due.iter().map(|rule| &rule.when));
        conditions.extend(ty.groups.iter().map(|groups| &groups.when));
        conditions.extend(ty.members.iter().map(|member| &member.when));
        conditions.extend(self.model.links_from(of).map(|(_, link)| &link.condition));
        for groups in &ty.groups {
            if let Some(Precedence::OfItem(template)) = &groups.precedence {
                let numbers = ["1", "5", "2147483647"].map(|number| Value::N(number.to_owned()));
                let texts = ["3", "high"].map(|text| Value::S(text.to_owned()));
                let values = numbers.into_iter().chain(texts);
                template.names().for_each(|name| found.entry(name.to_owned()).or_default().extend(values.clone()));
            }
        }
        templates.extend(ty.members.iter().filter(|member| member.group_link().is_none()).map(|member| &member.group));
        templates.extend(ty.index_keys.iter().flat_map(|keys| std::iter::once(&keys.pk).chain(&keys.sk)));
        templates.extend(ty.entity.iter().chain(ty.verb_words.values().flatten().map(|word| &word.word)));
        templates.extend(self.model.links_from(of).flat_map(|(_, link)| link.names.values()));
        let guards = self.model.items.iter().filter_map(|ty| ty.guard.as_ref()).filter(|guard| guard.owner == of);
        for claim in guards.flat_map(|guard| &guard.claims) {
            templates.extend(claim.names.values());
            conditions.extend([Some(&claim.when), claim.transfer.as_ref()].into_iter().flatten());
        }
        for (name, value) in conditions.into_iter().flat_map(decisive) {
            found.entry(name).or_default().extend(value);
        }
        let times = ty.due.iter().map(|rule| rule.at.as_str());
        for name in templates.into_iter().flat_map(Template::names).chain(times) {
            found.entry(name.to_owned()).or_default();
        }
        let holds_one = |outer: &&String| found.keys().any(|name| self.is_within(outer, name));
        let outers: Vec<String> = self.model.names.keys().filter(holds_one).cloned().collect();
        for outer in outers {
            found.entry(outer).or_default();
        }
        found.retain(|name, _| !self.is_drawn_elsewhere(ty, name) && !self.is_key(name));
        found
    }

    /// The names of a type that have lists.
    fn lists_of(&self, of: TypeId) -> BTreeSet<String> {
        let groups = self.model.item(of).members.iter().filter_map(|member| member.group.each().map(str::to_owned));
        groups.chain(self.model.links_from(of).filter_map(|(_, link)| link.each.clone())).collect()
    }

    /// Whether another draw decides about a name: it is part of the key or has the roles.
    fn is_drawn_elsewhere(&self, ty: &ItemType, name: &str) -> bool {
        let is_first_role = |grant: &Grant| match &grant.roles {
            Roles::Attribute(spellings) => spellings.first().is_some_and(|own| own == name),
            Roles::None | Roles::Template(_) => false,
        };
        let is_in_key = |key: &String| key == name || self.is_within(key, name);
        name == "role"
            || ty.grant.iter().any(is_first_role)
            || ty.forms.iter().flat_map(|form| &form.names).any(is_in_key)
    }

    /// Whether a name is part of another's text: `resourceId` of `urn`.
    fn is_within(&self, outer: &str, name: &str) -> bool {
        let like = self.model.names.get(base(outer)).and_then(|rule| rule.like.as_ref());
        like.is_some_and(|like| like.names().any(|inner| inner == name))
    }

    /// Whether something outside the item follows from an attribute.
    fn has_consequences(&self, ty: &ItemType, name: &str) -> bool {
        let of = self.model.type_named(&ty.name);
        let is_in_key = ty.forms.iter().flat_map(|form| &form.names).any(|key| key == name);
        let is_role = |grant: &Grant| match &grant.roles {
            Roles::Attribute(spellings) => spellings.iter().any(|own| own == name),
            Roles::None | Roles::Template(_) => false,
        };
        is_in_key
            || ty.grant.iter().any(is_role)
            || self.is_key(name)
            || of.is_some_and(|of| {
                let names = self.attributes_of(of).into_keys();
                names.flat_map(|own| self.model.attributes_of(&own)).any(|own| own == name)
            })
    }
}
