//! What a table implies, item by item, read from the model file's own words: who is in which Cognito group, which users and groups
//! there are, who holds which value, what belongs to what. It uses the model's keys and templates and nothing of the product's stages.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use instep_model::{
    CognitoUser, Create, Identity, Item, Key, LinkId, Made, Model, Names, Object, Roles, Scope, Subject, TypeId, Up,
    Value, Verb,
};

/// Something outside an item that follows from the table.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub enum Fact {
    /// A user in a group.
    Member(String, String),
    /// A Cognito user, who may sign in or not.
    User(String),
    /// A user and an attribute of theirs.
    Attribute(String, String),
    /// A Cognito group that an item brings.
    Group(String),
    /// A unique value, by its guard, and one who has it or holds it.
    Value(Object, Object),
}

/// What a fact is to be. Absent facts are not listed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum State {
    /// There, and so.
    Is(String),
    /// On the way to be gone: there or not, both are right.
    Either,
}

/// A membership that an item asks for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Ask {
    /// Cognito user and group.
    pub pair: (String, String),
    /// What must be there.
    pub needs: Vec<Object>,
    /// People make the group.
    pub by_hand: bool,
}

/// Something that an item goes with.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Parent {
    /// Which link.
    pub link: LinkId,
    /// What the item knows of the other: all names of its key, or some.
    pub known: Object,
    /// Where the other is looked up in an index: what else the item knows of it.
    more: Names,
}

/// An item, as far as something follows from it.
#[derive(Debug, Clone)]
pub struct Row {
    /// Which.
    pub object: Object,
    /// As it is.
    pub item: Item,
    /// Asks for the impossible: it is parked. What it asks for beside that counts.
    pub is_bad: bool,
    /// Its key could be taken for another's: nothing of it counts.
    is_void: bool,
    /// Its memberships.
    pub asks: Vec<Ask>,
    /// Its Cognito user: what is to be so of it.
    pub user: Vec<(Fact, String)>,
    /// Its Cognito groups.
    pub groups: Vec<String>,
    /// Its unique values; true: strong enough to take the value from another.
    pub values: BTreeMap<Object, bool>,
    /// What it goes with.
    pub parents: Vec<Parent>,
    /// Whose guard it is.
    pub owner: Option<Object>,
}

/// What became of an object.
#[derive(Debug, Default)]
struct Life {
    /// Items that are it: one key may have several spellings.
    items: usize,
    /// It was there no longer at some moment.
    has_gone: bool,
}

/// What must be heard of one record: verb and role.
pub type Heard = (Verb, Option<String>);

/// A table's items, and what follows from them.
#[derive(Debug)]
pub struct Implied {
    /// The model.
    pub model: Arc<Model>,
    /// Groups that people made.
    by_hand: BTreeSet<String>,
    /// Users that people made, where Instep makes none.
    users_by_hand: BTreeSet<String>,
    rows: BTreeMap<Key, Row>,
    objects: BTreeMap<Object, Life>,
    /// Keys that no type describes, or no bookkeeping.
    unknown: BTreeSet<Key>,
    /// Bookkeeping items.
    pub books: BTreeMap<Key, Item>,
}

impl Implied {
    /// Of an empty table.
    #[must_use]
    pub fn new(model: Arc<Model>) -> Self {
        Self {
            model,
            by_hand: BTreeSet::new(),
            users_by_hand: BTreeSet::new(),
            rows: BTreeMap::new(),
            objects: BTreeMap::new(),
            unknown: BTreeSet::new(),
            books: BTreeMap::new(),
        }
    }

    /// Takes note of a write.
    pub fn write(&mut self, key: &Key, item: Option<Item>) {
        let Identity::Item { object, canonical } = self.model.identify(key) else {
            let list_in = self.model.identify(key) == Identity::Bookkeeping;
            match item {
                Some(item) if list_in => drop(self.books.insert(key.clone(), item)),
                None if list_in => drop(self.books.remove(key)),
                Some(_) => drop(self.unknown.insert(key.clone())),
                None => drop(self.unknown.remove(key)),
            }
            return;
        };
        match item {
            Some(item) => {
                let before = self.rows.insert(key.clone(), self.row(object.clone(), canonical, item));
                self.objects.entry(object).or_default().items += usize::from(before.is_none());
            }
            None => {
                let before = self.rows.remove(key);
                let life = self.objects.entry(object).or_default();
                life.items -= usize::from(before.is_some());
                life.has_gone |= life.items == 0;
            }
        }
    }

    /// Takes note of groups and users that people made: what items ask of these can be given now.
    pub fn made_by_hand(&mut self, groups: &[&str], users: &[&str]) {
        self.by_hand.extend(groups.iter().map(|&group| group.to_owned()));
        self.users_by_hand.extend(users.iter().map(|&user| user.to_owned()));
        for (key, Row { item, .. }) in self.rows.clone() {
            self.write(&key, Some(item));
        }
    }

    /// The items that the model describes.
    #[must_use]
    pub fn rows(&self) -> &BTreeMap<Key, Row> {
        &self.rows
    }

    /// Keys of what asks for the impossible, or is of no type.
    pub fn garbage(&self) -> impl Iterator<Item = &Key> {
        self.unknown.iter().chain(self.rows.iter().filter(|(_, row)| row.is_bad).map(|(key, _)| key))
    }

    /// Whether an object is there; of one that is known in part: whether any like it is.
    #[must_use]
    pub fn is_there(&self, known: &Object) -> bool {
        self.model.item(known.of).assumed.contains(&known.names) || self.like(known).any(|(_, life)| life.items > 0)
    }

    /// Whether an object, or one like it, was there and went.
    #[must_use]
    pub fn was_removed(&self, known: &Object) -> bool {
        self.like(known).any(|(_, life)| life.has_gone)
    }

    /// What is or was there of an object; of one that is known in part: of all that are like it.
    fn like<'a>(&'a self, known: &'a Object) -> impl Iterator<Item = (&'a Object, &'a Life)> {
        let is_whole = known.names.len() == self.model.key_order(known.of).len();
        let first = if is_whole { known.clone() } else { Object { of: known.of, names: Names::new() } };
        let from = self
            .objects
            .range(first..)
            .take_while(move |(object, _)| if is_whole { *object == known } else { object.of == known.of });
        from.filter(|(object, _)| is_like(known, object))
    }

    /// Whether an item goes with something that went.
    #[must_use]
    pub fn is_orphan(&self, row: &Row) -> bool {
        row.parents.iter().any(|parent| self.went(parent))
    }

    /// Whether a parent went.
    #[must_use]
    pub fn went(&self, parent: &Parent) -> bool {
        match self.model.link(parent.link).up {
            // Nothing says whether another of that id is there.
            Up::Unknown => self.like(&parent.known).any(|(_, life)| life.has_gone && life.items == 0),
            Up::Key => !self.is_there(&parent.known) && self.was_removed(&parent.known),
            Up::Index { .. } => self.namesakes(parent).next().is_none() && self.was_removed(&parent.known),
        }
    }

    /// The items that a parent which is known by an index may be.
    fn namesakes(&self, parent: &Parent) -> impl Iterator<Item = &Object> {
        let agrees = |row: &&Row| {
            let lookup = self.model.lookup(row.object.of, &row.object.names, Some(&row.item));
            is_like(&parent.known, &row.object)
                && parent.more.iter().all(|(name, text)| lookup(name).as_ref() == Some(text))
        };
        self.rows.values().filter(agrees).map(|row| &row.object)
    }

    /// Whether a parent that is known by an index went, and all that are like it are so fresh that the index need not show them.
    #[must_use]
    pub fn is_shadowed(&self, parent: &Parent, is_fresh: impl Fn(&Object) -> bool) -> bool {
        let mut like = self.rows.values().map(|row| &row.object).filter(|object| is_like(&parent.known, object));
        matches!(self.model.link(parent.link).up, Up::Index { .. })
            && self.was_removed(&parent.known)
            && like.all(is_fresh)
    }

    /// Whether an ask holds now.
    #[must_use]
    pub fn holds(&self, row: &Row, ask: &Ask) -> Option<State> {
        let is_made = !ask.by_hand || self.by_hand.contains(&ask.pair.1);
        if row.is_void || !is_made || !ask.needs.iter().all(|need| self.is_there(need)) {
            return None;
        }
        Some(if self.is_orphan(row) { State::Either } else { State::Is(String::new()) })
    }

    /// All facts of Cognito.
    #[must_use]
    pub fn facts(&self) -> BTreeMap<Fact, State> {
        let mut facts = BTreeMap::new();
        for row in self.rows.values().filter(|row| !row.is_void) {
            for ask in &row.asks {
                if let Some(state) = self.holds(row, ask) {
                    let fact = Fact::Member(ask.pair.0.clone(), ask.pair.1.clone());
                    // Held by one, it is held, whatever becomes of the other.
                    if facts.get(&fact).is_none_or(|before| *before == State::Either) {
                        facts.insert(fact, state);
                    }
                }
            }
            facts.extend(row.user.iter().map(|(fact, looks)| (fact.clone(), State::Is(looks.clone()))));
            facts.extend(row.groups.iter().map(|group| (Fact::Group(group.clone()), State::Is(String::new()))));
        }
        for (of, ty) in self.model.items.iter().enumerate() {
            for names in ty.assumed.iter().filter(|_| ty.groups.is_some()) {
                // Nobody writes it, so nobody asks for its groups before a member comes.
                let groups = self.groups(&Object { of: TypeId(of), names: names.clone() });
                facts.extend(groups.into_iter().map(|group| (Fact::Group(group), State::Either)));
            }
        }
        facts
    }

    /// Who has the value of a guard, and who of them may take it.
    #[must_use]
    pub fn claimants(&self, guard: &Object) -> BTreeMap<&Object, bool> {
        let rows = self.rows.values().filter(|row| !row.is_void);
        rows.filter_map(|row| Some((&row.object, *row.values.get(guard)?))).collect()
    }

    /// What is wrong with whom, of those who have a value or hold it.
    #[must_use]
    pub fn wrong_values(&self) -> BTreeMap<Fact, String> {
        // Of each guard: the first item that it is, and who has its value.
        let mut guards: BTreeMap<&Object, (Option<&Row>, BTreeMap<&Object, bool>)> = BTreeMap::new();
        for row in self.rows.values() {
            if self.model.item(row.object.of).guard.is_some() {
                guards.entry(&row.object).or_default().0.get_or_insert(row);
            }
            for (guard, strong) in row.values.iter().filter(|_| !row.is_void) {
                guards.entry(guard).or_default().1.insert(&row.object, *strong);
            }
        }
        let mut wrong = BTreeMap::new();
        for (guard, (held, claimants)) in guards {
            let holder = held.and_then(|row| row.owner.as_ref());
            let strength = holder.and_then(|holder| claimants.get(holder)).copied();
            let mut note =
                |of: &Object, what: &str| wrong.insert(Fact::Value(guard.clone(), of.clone()), what.to_owned());
            match (held, strength) {
                (None, _) => claimants.keys().for_each(|owner| drop(note(owner, "held by nobody"))),
                (Some(row), None) => {
                    claimants.keys().for_each(|owner| drop(note(owner, "held by one who does not have it")));
                    note(holder.unwrap_or(&row.object), "held, and does not have it");
                }
                (Some(_), Some(strength)) => {
                    let stronger = claimants.iter().filter(|(_, strong)| **strong && !strength);
                    stronger.for_each(|(owner, _)| drop(note(owner, "held by one who has to give it up")));
                }
            }
        }
        wrong
    }

    /// Reads an item.
    #[must_use]
    pub fn row(&self, object: Object, canonical: bool, item: Item) -> Row {
        let model = &self.model;
        let ty = model.item(object.of);
        let lookup = model.lookup(object.of, &object.names, Some(&item));
        let is_void = !canonical;
        let is_bad = is_void || self.asks_the_impossible(&object, &item);
        let roles = self.given(&object, Some(&item));
        let links = self.needed(object.of);
        let mut needs = Vec::new();
        let mut is_whole = true;
        for id in &links {
            // Where a reference leads by type, the others lead nowhere.
            let Some(target) = self.target(*id, &object, &item) else { continue };
            if matches!(model.link(*id).up, Up::Key) {
                needs.push(target);
            }
        }
        let mut asks = Vec::new();
        if let Some(member) = ty.member.as_ref().filter(|_| !is_void) {
            let user = match &member.user {
                Subject::Itself => self.user_name(&object),
                Subject::Link(id) => self.target(*id, &object, &item).and_then(|user| self.user_name(&user)),
            };
            let group_of = member.group_of.map(|id| self.target(id, &object, &item));
            is_whole &= !matches!(group_of, Some(None));
            for role in roles.iter().filter(|_| is_whole) {
                let text = |name: &str| match (&group_of, name) {
                    (_, "role") if role.is_some() => role.clone(),
                    (Some(Some(group)), _) => model.lookup(group.of, &group.names, None)(name),
                    (_, _) => lookup(name),
                };
                let of = group_of.iter().flatten().map(|group| group.of).next().unwrap_or(object.of);
                if let (Some(user), Ok(group)) = (&user, model.cognito_name(of, &member.group, &text)) {
                    let by_hand = member.made == Made::ByHand;
                    asks.push(Ask { pair: (user.clone(), group), needs: needs.clone(), by_hand });
                }
            }
        }
        let user = ty.user.as_ref().filter(|_| !is_void);
        let user = user.and_then(|user| {
            let name = self.user_name(&object)?;
            let is_off =
                !user.disabled.is_empty() && user.disabled.iter().all(|(name, value)| item.get(name) == Some(value));
            let attributes =
                user.attributes.iter().filter_map(|(name, text)| Some((name.as_str(), text.render(&lookup).ok()?)));
            Some(user_facts(&name, !is_off, attributes))
        });
        let user = user.unwrap_or_default();
        let groups = if is_void { Vec::new() } else { self.groups(&object) };
        let values = if is_void { BTreeMap::new() } else { self.values(&object, &item) };
        let goes = model.links_from(object.of).filter(|(_, link)| link.goes);
        let parents = goes.filter_map(|(link, _)| {
            let known = self.target(link, &object, &item)?;
            let mut more = model.link_target(model.link(link), &object.names, Some(&item))?;
            more.retain(|name, _| !known.names.contains_key(name));
            Some(Parent { link, known, more })
        });
        let parents = parents.collect();
        let owner = ty.guard.as_ref().and_then(|guard| {
            let names = guard.owner_attributes.iter();
            let names = names.map(|(name, attribute)| Some((name.clone(), item.get(attribute)?.to_text()?)));
            Some(Object { of: guard.owner, names: names.collect::<Option<Names>>()? })
        });
        drop(lookup);
        Row { object, item, is_bad, is_void, asks, user, groups, values, parents, owner }
    }

    /// The links that a membership hangs on.
    fn needed(&self, of: TypeId) -> BTreeSet<LinkId> {
        let ty = self.model.item(of);
        let mut links = BTreeSet::new();
        let mut subject = |subject: &Subject| {
            if let Subject::Link(id) = subject {
                links.insert(*id);
            }
        };
        ty.grant.iter().for_each(|grant| subject(&grant.subject));
        ty.member.iter().for_each(|member| subject(&member.user));
        if let Some(Scope::Links(ids)) = ty.grant.as_ref().map(|grant| &grant.scope) {
            links.extend(ids);
        }
        links.extend(ty.member.iter().filter_map(|member| member.group_of));
        links
    }

    /// What a link leads to, as far as the item knows it.
    #[must_use]
    pub fn target(&self, id: LinkId, object: &Object, item: &Item) -> Option<Object> {
        let link = self.model.link(id);
        let mut names = self.model.link_target(link, &object.names, Some(item))?;
        let key_names = self.model.key_order(link.to);
        names.retain(|name, _| key_names.contains(&name.as_str()));
        Some(Object { of: link.to, names })
    }

    /// An object's Cognito user; none where neither Instep nor people make it.
    fn user_name(&self, object: &Object) -> Option<String> {
        let user = self.model.item(object.of).user.as_ref()?;
        let lookup = self.model.lookup(object.of, &object.names, None);
        let name = self.model.cognito_name(object.of, &user.name, &lookup).ok()?;
        (user.create != Create::Never || self.users_by_hand.contains(&name)).then_some(name)
    }

    /// Whether the model says this of its users.
    #[must_use]
    pub fn users_are(&self, said: impl Fn(&CognitoUser) -> bool) -> bool {
        self.model.items.iter().filter_map(|ty| ty.user.as_ref()).any(said)
    }

    /// The Cognito groups that an item brings.
    #[must_use]
    pub fn groups(&self, object: &Object) -> Vec<String> {
        let Some(groups) = &self.model.item(object.of).groups else { return Vec::new() };
        let lookup = self.model.lookup(object.of, &object.names, None);
        let each: Vec<Option<(&String, &String)>> = match &groups.each {
            Some(name) => self.closed(object.of, name).iter().map(|value| Some((name, value))).collect(),
            None => vec![None],
        };
        let named = |each: Option<(&String, &String)>| {
            let text = |name: &str| match each {
                Some((own, value)) if own == name => Some(value.clone()),
                Some(_) | None => lookup(name),
            };
            self.model.cognito_name(object.of, &groups.name, &text).ok()
        };
        each.into_iter().filter_map(named).collect()
    }

    /// The values that a name may have; empty: any.
    #[must_use]
    pub fn closed(&self, of: TypeId, name: &str) -> &[String] {
        let own = self.model.item(of).values.get(name);
        own.or_else(|| self.model.names.get(name).map(|rule| &rule.values)).map_or(&[], Vec::as_slice)
    }

    fn values(&self, object: &Object, item: &Item) -> BTreeMap<Object, bool> {
        let has = |when: &[(String, Value)]| when.iter().all(|(name, value)| item.get(name) == Some(value));
        let lookup = self.model.lookup(object.of, &object.names, Some(item));
        let mut values = BTreeMap::new();
        for (place, ty) in self.model.items.iter().enumerate() {
            let Some(guard) = ty.guard.as_ref().filter(|guard| guard.owner == object.of) else { continue };
            for claim in guard.claims.iter().filter(|claim| has(&claim.when)) {
                let names = claim.names.iter().map(|(name, text)| Some((name.clone(), text.render(&lookup).ok()?)));
                let Some(names) = names.collect::<Option<Names>>() else { continue };
                let guard = Object { of: TypeId(place), names };
                if self.model.keys(&guard).is_ok() {
                    values.insert(guard, claim.transfer.as_deref().is_some_and(has));
                }
            }
        }
        values
    }

    /// The roles that an item names and that are roles, and whether all that it names are.
    fn roles(&self, object: &Object, item: &Item) -> (BTreeSet<Option<String>>, bool) {
        let nameless = || (BTreeSet::from([None]), true);
        let Some(grant) = &self.model.item(object.of).grant else { return nameless() };
        match &grant.roles {
            Roles::None => nameless(),
            Roles::Template(template) => {
                let text = template.render(&self.model.lookup(object.of, &object.names, Some(item))).ok();
                (text.into_iter().map(Some).collect(), true)
            }
            Roles::Attribute(spellings) => {
                let texts = match spellings.iter().find_map(|name| item.get(name)) {
                    None | Some(Value::Null(_)) => Some(Vec::new()),
                    Some(Value::S(text)) => Some(vec![text.clone()]),
                    Some(Value::Ss(texts)) => Some(texts.clone()),
                    Some(Value::L(values)) => values.iter().map(|value| value.as_s().map(str::to_owned)).collect(),
                    Some(_) => None,
                };
                let Some(texts) = texts else { return (BTreeSet::new(), false) };
                let closed = spellings.first().map_or(&[][..], |name| self.closed(object.of, name));
                let named: BTreeSet<_> = texts.into_iter().filter(|text| !text.is_empty()).collect();
                let count = named.len();
                let is_role = |text: &String| closed.is_empty() || closed.contains(text);
                let roles: BTreeSet<_> = named.into_iter().filter(is_role).map(Some).collect();
                let are_all = roles.len() == count;
                (roles, are_all)
            }
        }
    }

    /// The roles that an image gives while its window is open.
    fn given(&self, object: &Object, item: Option<&Item>) -> BTreeSet<Option<String>> {
        let grant = self.model.item(object.of).grant.as_ref();
        item.filter(|item| is_open(grant, item)).map(|item| self.roles(object, item).0).unwrap_or_default()
    }

    fn asks_the_impossible(&self, object: &Object, item: &Item) -> bool {
        let ty = self.model.item(object.of);
        let Some(grant) = &ty.grant else { return false };
        let is_moment = |name: &String| item.get(name).is_none_or(|value| moment(value).is_some());
        !self.roles(object, item).1 || !grant.from.iter().chain(&grant.until).all(is_moment)
    }

    /// What must be heard of a write, in whatever order.
    #[must_use]
    pub fn heard(&self, object: &Object, old: Option<&Item>, new: Option<&Item>) -> BTreeSet<Heard> {
        let ty = self.model.item(object.of);
        let mut heard = BTreeSet::new();
        if ty.is_entity {
            heard.insert((
                match (old, new) {
                    (None, _) => Verb::Created,
                    (_, None) => Verb::Deleted,
                    (_, _) => Verb::Updated,
                },
                None,
            ));
        }
        if let Some(grant) = &ty.grant {
            let (was, is) = (self.given(object, old), self.given(object, new));
            let taken = was.difference(&is).map(|role| (Verb::Revoked, role.clone()));
            let given = is.difference(&was).map(|role| (Verb::Granted, role.clone()));
            let roles: Vec<_> = taken.chain(given).collect();
            let rest = |item: Option<&Item>| {
                let spellings = if let Roles::Attribute(spellings) = &grant.roles { spellings.as_slice() } else { &[] };
                item.cloned().map(|mut rest| {
                    rest.retain(|name, _| !spellings.contains(name) && !self.model.secret.contains(name));
                    rest
                })
            };
            let is_other = old.is_some() && new.is_some() && rest(old) != rest(new);
            if is_other || roles.is_empty() && !ty.is_entity {
                heard.insert((Verb::Updated, None));
            }
            heard.extend(roles);
        }
        heard.retain(|(verb, _)| ty.publish.contains(verb));
        heard
    }
}

/// The facts that a write moves.
#[must_use]
pub fn moved(old: Option<&Row>, new: Option<&Row>) -> BTreeSet<Fact> {
    let facts = |row: Option<&Row>| -> Vec<(Fact, String)> {
        let Some(row) = row.filter(|row| !row.is_void) else { return Vec::new() };
        let asks = row.asks.iter().map(|ask| (Fact::Member(ask.pair.0.clone(), ask.pair.1.clone()), String::new()));
        let users = row.user.iter().cloned();
        let groups = row.groups.iter().map(|group| (Fact::Group(group.clone()), String::new()));
        let value = |guard: &Object| Fact::Value(guard.clone(), row.object.clone());
        let values = row.values.iter().map(|(guard, strong)| (value(guard), strong.to_string()));
        asks.chain(users).chain(groups).chain(values).collect()
    };
    let (old, new) = (facts(old), facts(new));
    let is_moved = |one: &[(Fact, String)], fact: &(Fact, String)| !one.contains(fact);
    let moved = old.iter().filter(|fact| is_moved(&new, fact)).chain(new.iter().filter(|fact| is_moved(&old, fact)));
    moved.map(|(fact, _)| fact.clone()).collect()
}

/// The state of a user who may sign in.
const ON: &str = "enabled";
/// That of one who may not.
pub const OFF: &str = "disabled";

/// What is so of a Cognito user.
pub fn user_facts<'a>(
    name: &str,
    is_enabled: bool,
    attributes: impl Iterator<Item = (&'a str, String)>,
) -> Vec<(Fact, String)> {
    let user = (Fact::User(name.to_owned()), if is_enabled { ON } else { OFF }.to_owned());
    let attributes = attributes.map(|(attribute, text)| (Fact::Attribute(name.to_owned(), attribute.to_owned()), text));
    std::iter::once(user).chain(attributes).collect()
}

fn is_like(known: &Object, object: &Object) -> bool {
    known.of == object.of && known.names.iter().all(|(name, text)| object.names.get(name) == Some(text))
}

/// Moments are years apart from a run: 2020 is past, 2030 to come.
fn moment(value: &Value) -> Option<bool> {
    let text = value.to_text()?;
    let year: u32 = text.get(..4)?.parse().ok()?;
    text.contains('T').then_some(year < 2026)
}

fn is_open(grant: Option<&instep_model::Grant>, item: &Item) -> bool {
    let Some(grant) = grant else { return true };
    let past = |names: &[String]| names.iter().find_map(|name| item.get(name)).map(moment);
    past(&grant.from).is_none_or(|past| past == Some(true)) && past(&grant.until).is_none_or(|past| past == Some(false))
}
