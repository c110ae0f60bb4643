//! The actual state of Cognito, compared with what the table implies.

use std::collections::{BTreeMap, BTreeSet};

use instep_flow::bookkeeping::{self, BookkeepingKind};
use instep_local::{GroupState, UserState};
use instep_model::{Item, Key, Model, Names, Object, TypeId};

use super::{OTHERS, STRANGER, Watch};
use crate::implied::{Fact, FactState, OFF, Parent, group_facts, noted, user_facts};
use crate::people::is_guest;
use crate::table::Written;

/// The facts of two maps whose states differ.
fn changed<T: PartialEq>(before: &BTreeMap<Fact, T>, after: &BTreeMap<Fact, T>) -> BTreeSet<Fact> {
    let all = before.keys().chain(after.keys());
    all.filter(|fact| before.get(*fact) != after.get(*fact)).cloned().collect()
}

/// The facts of a map that are attributes of a user.
fn attributes_of<'a, T>(facts: &'a BTreeMap<Fact, T>, user: &'a str) -> impl Iterator<Item = &'a Fact> {
    let first = Fact::Attribute(user.to_owned(), String::new());
    let from = facts.range(first..).map(|(fact, _)| fact);
    from.take_while(move |fact| matches!(fact, Fact::Attribute(of, _) if of == user))
}

/// The facts of the pool that the watch looks at.
fn of_pool(model: &Model, groups: &[GroupState], users: &[UserState]) -> BTreeMap<Fact, String> {
    let mut actual = BTreeMap::new();
    for group in groups.iter().filter(|group| group.name != OTHERS) {
        actual.extend(of_group(group));
        let members = group.members.iter().map(|user| Fact::Member(user.clone(), group.name.clone()));
        actual.extend(members.map(|fact| (fact, String::new())));
    }
    actual.extend(users.iter().flat_map(|user| of_user(model, user)));
    actual
}

/// The facts of a group of the pool.
fn of_group(group: &GroupState) -> Vec<(Fact, String)> {
    group_facts(&group.name, group.precedence.map(|precedence| precedence.to_string()), group.iam_role.clone())
}

/// The facts of a user of the pool: whether the user is enabled, and the attributes that the model names.
fn of_user(model: &Model, user: &UserState) -> Vec<(Fact, String)> {
    if user.username == STRANGER || is_guest(&user.username) {
        return Vec::new();
    }
    let rules = model.with_keys().filter_map(|ty| ty.user.as_ref());
    let named: BTreeSet<&String> = rules.flat_map(|rule| &rule.attributes).map(|(name, _)| name).collect();
    let attributes = user.attributes.iter().filter(|(name, _)| named.contains(name));
    user_facts(&user.username, user.enabled, attributes.map(|(name, text)| (name.as_str(), text.clone())))
}

impl Watch {
    /// Records the state of the user pool.
    pub fn pool(&mut self, groups: &[GroupState], users: &[UserState]) {
        let actual = of_pool(&self.implied.model, groups, users);
        let state = |fact: Fact| (actual.get(&fact).cloned(), fact);
        let changed = changed(&self.actual, &actual).into_iter().map(state);
        self.are(changed.map(|(state, fact)| (fact, state)).collect());
    }

    /// A request has changed nothing in the pool.
    pub fn pool_is_as_before(&mut self) {
        self.are(BTreeMap::new());
    }

    /// A user is, or is not, a member of a group.
    pub fn member_is(&mut self, user: String, group: &str, is_member: bool) {
        let fact = Fact::Member(user, group.to_owned());
        let state = is_member.then(String::new);
        self.are([(fact, state)].into_iter().filter(|_| group != OTHERS).collect());
    }

    /// A user exists, and is like this.
    pub fn user_is(&mut self, state: &UserState) {
        let old = attributes_of(&self.actual, &state.username).map(|fact| (fact.clone(), None));
        let mut facts: BTreeMap<Fact, Option<String>> = old.collect();
        facts.extend(of_user(&self.implied.model, state).into_iter().map(|(fact, state)| (fact, Some(state))));
        self.are(facts);
    }

    /// Whether the pool has a user with exactly this name, as far as the watch knows.
    #[must_use]
    pub fn has_user(&self, user: &str) -> bool {
        self.actual.contains_key(&Fact::User(user.to_owned()))
    }

    /// A user does not exist, and is a member of no group.
    pub fn user_is_gone(&mut self, user: &str) {
        let first = Fact::Member(user.to_owned(), String::new());
        let members = self.actual.range(first..).map(|(fact, _)| fact);
        let members = members.take_while(|fact| matches!(fact, Fact::Member(of, _) if of == user));
        let user_itself = [Fact::User(user.to_owned())];
        let facts = members.chain(attributes_of(&self.actual, user)).chain(&user_itself);
        self.are(facts.map(|fact| (fact.clone(), None)).collect());
    }

    /// A group is like this, or does not exist and has no members.
    pub fn group_is(&mut self, group: &str, state: Option<&GroupState>) {
        let is_of_group = |fact: &&Fact| match fact {
            Fact::Member(_, of) => state.is_none() && of == group,
            Fact::Group(of) | Fact::GroupSetting(of, _) => of == group,
            Fact::User(_) | Fact::Attribute(..) | Fact::Value(..) => false,
        };
        let old = self.actual.keys().filter(is_of_group).map(|fact| (fact.clone(), None));
        let mut facts: BTreeMap<Fact, Option<String>> = old.collect();
        facts.extend(state.into_iter().flat_map(of_group).map(|(fact, value)| (fact, Some(value))));
        self.are(if group == OTHERS { BTreeMap::new() } else { facts });
    }

    /// What the account is called that has this user name. See [`Watch::given`].
    #[must_use]
    pub fn called<'a>(&'a self, username: &'a str) -> &'a str {
        self.given.get(username).map_or(username, String::as_str)
    }

    /// The names that users of items have had, and that no account has now.
    #[must_use]
    pub fn free_names(&self) -> Vec<String> {
        let users = self.ever.iter().filter_map(|fact| if let Fact::User(name) = fact { Some(name) } else { None });
        users.filter(|name| !self.has_user(name)).cloned().collect()
    }

    /// What the watch has come to know step by step, and is not so when all is read at once.
    #[must_use]
    pub fn misread(&self, groups: &[GroupState], users: &[UserState]) -> Vec<String> {
        let misread = changed(&self.actual, &of_pool(&self.implied.model, groups, users)).into_iter();
        let misread = misread.chain(changed(&self.facts, &self.implied.facts()));
        let values: BTreeSet<Fact> = self.implied.wrong_values().into_keys().collect();
        let misread = misread.chain(values.symmetric_difference(&self.wrong_values).cloned());
        let all: BTreeSet<&Fact> = self.facts.keys().chain(self.actual.keys()).chain(&self.wrong_values).collect();
        let unjudged = all.into_iter().filter(|fact| self.is_wrong(fact) != self.wrong.contains_key(*fact));
        misread.chain(unjudged.cloned()).map(|fact| format!("the watch has misread {fact:?}")).collect()
    }

    /// Records the states of facts of the pool. `None`: the fact is not so.
    fn are(&mut self, facts: BTreeMap<Fact, Option<String>>) {
        let is_new = |(fact, is): &(Fact, Option<String>)| self.actual.get(fact) != is.as_ref();
        let facts: Vec<(Fact, Option<String>)> = facts.into_iter().filter(is_new).collect();
        for (fact, is) in &facts {
            // The absence of a disabled user is harmless until another run creates the user.
            if let (Fact::User(user), Some(_)) = (fact, is)
                && absent_and_off(&self.facts, &self.actual, fact).is_some()
            {
                let of_user = attributes_of(&self.wrong, user).cloned().chain([fact.clone()]);
                for fact in of_user.collect::<Vec<_>>() {
                    self.wrong.entry(fact).and_modify(|since| *since = (*since).max(self.sequence + 1));
                }
            }
            // A fact that now is as an earlier record implied was correct after that record.
            let fits = |(_, state): &&(u128, Option<FactState>)| match state {
                None => is.is_none(),
                Some(FactState::Is(value)) => is.as_ref() == Some(value),
                Some(FactState::Either) => true,
            };
            let then = self.implied_at.get(fact).and_then(|implied| implied.iter().rev().find(fits));
            if let (Some((sequence, _)), Some(since)) = (then, self.wrong.get_mut(fact)) {
                *since = (*since).max(sequence + 1);
            }
        }
        let mut changed = BTreeSet::new();
        for (fact, is) in facts {
            match is {
                Some(state) => drop(self.actual.insert(fact.clone(), state)),
                None => drop(self.actual.remove(&fact)),
            }
            changed.insert(fact);
        }
        // What is correct now was correct after the last record.
        self.compare(self.sequence + 1, changed);
    }

    /// The facts of the user pool.
    pub fn actual(&self) -> impl Iterator<Item = &Fact> {
        self.actual.keys()
    }

    /// Notes what is implied now. Returns the facts whose states have changed, each with its state before.
    fn note_implied(&mut self) -> BTreeMap<Fact, Option<FactState>> {
        let mut changed = BTreeMap::new();
        for (fact, is) in self.implied.news() {
            let was = self.facts.get(&fact).cloned();
            if was == is {
                continue;
            }
            self.ticks.insert(fact.clone(), self.tick);
            self.since_ms.insert(fact.clone(), self.written_ms);
            self.implied_at.entry(fact.clone()).or_default().push((self.sequence, is.clone()));
            if let Fact::Member(_, group) = &fact {
                let members = self.members.entry(group.clone()).or_default();
                *members = *members + usize::from(is.is_some()) - usize::from(was.is_some());
            }
            if is.is_some() && matches!(fact, Fact::Member(..) | Fact::Group(_)) {
                self.ever.insert(fact.clone());
            }
            match is {
                Some(state) => drop(self.facts.insert(fact.clone(), state)),
                None => drop(self.facts.remove(&fact)),
            }
            changed.insert(fact, was);
        }
        changed
    }

    /// Notes which unique values the wrong object holds. Returns those of which that may have changed.
    fn note_values(&mut self) -> BTreeSet<Fact> {
        let mut changed = BTreeSet::new();
        for (guard, wrong) in self.implied.value_news() {
            let first = Fact::Value(guard.clone(), Object { of: TypeId(0), names: Names::new() });
            let from = self.wrong_values.range(first..);
            let before = from.take_while(|fact| matches!(fact, Fact::Value(of, _) if *of == guard));
            let before: BTreeSet<Fact> = before.cloned().collect();
            before.iter().for_each(|fact| _ = self.wrong_values.remove(fact));
            self.wrong_values.extend(wrong.iter().cloned());
            changed.extend(before.into_iter().chain(wrong));
        }
        changed
    }

    /// Compares what is implied with what is, after facts have changed in the pool. It looks at these, at those that
    /// are implied in another way than before, and at what depends on them: not at all facts, of which a wide world
    /// has thousands.
    pub(super) fn compare(&mut self, since: u128, mut suspects: BTreeSet<Fact>) {
        self.tick += 1;
        let implied = self.note_implied();
        suspects.extend(self.note_values());
        suspects.extend(implied.keys().cloned());
        // Whether an attribute is right follows from its user, too.
        let users = suspects.iter().filter_map(|fact| if let Fact::User(user) = fact { Some(user) } else { None });
        let of_users = users.flat_map(|user| attributes_of(&self.actual, user).chain(attributes_of(&self.wrong, user)));
        let of_users: Vec<Fact> = of_users.cloned().collect();
        suspects.extend(of_users);
        for group in suspects.iter().filter(|fact| matches!(fact, Fact::Group(_))) {
            if self.actual.contains_key(group) && !self.facts.contains_key(group) {
                self.stray_groups.insert(group.clone());
            } else {
                self.stray_groups.remove(group);
            }
        }
        // Whether such a group may stay follows from its parents.
        suspects.extend(self.stray_groups.iter().cloned());
        for fact in suspects {
            if !self.is_wrong(&fact) {
                self.wrong.remove(&fact);
                continue;
            }
            // A user who should be disabled need not exist. From now on the user has to.
            let user = user_of(&fact);
            let was_off =
                user.as_ref().and_then(|user| implied.get(user)).is_some_and(|was| was.as_ref() == Some(&off()));
            let was_harmless = was_off && user.is_some_and(|user| !self.actual.contains_key(&user));
            let is_harmless = absent_and_off(&self.facts, &self.actual, &fact).is_some();
            let known = self.wrong.entry(fact).or_insert(since);
            if was_harmless && !is_harmless {
                *known = since;
            }
        }
    }

    /// Whether a fact differs from what the table implies.
    pub(super) fn is_wrong(&self, fact: &Fact) -> bool {
        // Its item was written again, and no run has seen that yet, or a person has to decide first.
        if let Fact::User(user) | Fact::Attribute(user, _) | Fact::Member(user, _) = fact
            && self.facts.contains_key(fact)
            && self.is_to_be_deleted(user)
        {
            return false;
        }
        match (self.facts.get(fact), self.actual.get(fact)) {
            (Some(FactState::Either), _) => false,
            (Some(FactState::Is(value)), actual) => actual != Some(value),
            (None, Some(_)) => !self.may_stay_in_the_pool(fact),
            (None, None) => self.wrong_values.contains(fact),
        }
    }

    /// Whether something may stay in the pool that nothing implies. Groups that were created on demand stay until
    /// their parent is deleted. So do groups of others, and users whom the model keeps.
    fn may_stay_in_the_pool(&self, fact: &Fact) -> bool {
        let keeps_users = || self.implied.users_are(|user| !user.delete);
        match fact {
            Fact::User(user) | Fact::Attribute(user, _) if self.waits(user) => true,
            Fact::Group(name) => !self.ever.contains(fact) && !self.is_over(name) || self.of_others.contains(name),
            Fact::User(_) => keeps_users(),
            // The user of an item that asks for something impossible keeps what it has, also what the item lacks.
            Fact::Attribute(user, _) => {
                keeps_users() || self.facts.get(&Fact::User(user.clone())) == Some(&FactState::Either)
            }
            // People alone decide about what the model does not say, and Cognito keeps what nobody says any more.
            Fact::GroupSetting(..) => true,
            // The group of an item that was refused as long as it existed is still people's.
            Fact::Member(_, group) => self.of_others.contains(group) && !self.on_demand.contains_key(group),
            Fact::Value(..) => false,
        }
    }

    /// Whether the parents of a group on demand were deleted, and nobody is to be a member of it.
    fn is_over(&self, name: &str) -> bool {
        !self.has_members(name) && self.on_demand.get(name).is_some_and(|parents| self.implied.is_over(parents))
    }

    /// Whether the table implies a member of a group.
    fn has_members(&self, group: &str) -> bool {
        self.members.get(group).is_some_and(|members| *members > 0)
    }

    /// Whether a user is disabled, and its account item says that its deletion waits.
    fn waits(&self, user: &str) -> bool {
        self.actual.get(&Fact::User(user.to_owned())).is_some_and(|state| state == OFF) && self.is_to_be_deleted(user)
    }

    /// Whether the account item of a user says that its deletion waits.
    pub(super) fn is_to_be_deleted(&self, user: &str) -> bool {
        let mut names = self.implied.books.values().filter_map(user_to_be_deleted);
        names.any(|username| self.called(username) == user)
    }

    /// The same, when a run began.
    pub(super) fn was_to_be_deleted(&self, user: &str, began_ms: i64) -> bool {
        self.kept_at_ms.get(user).is_some_and(|kept_ms| *kept_ms >= began_ms)
    }

    /// The `sub` of the account whose deletion waits, as its account item says, if no item has its user.
    pub(super) fn sub_that_waits(&self, account: &Item) -> Option<String> {
        let user = Fact::User(self.called(user_to_be_deleted(account)?).to_owned());
        noted(account, "sub").filter(|_| !self.facts.contains_key(&user)).map(str::to_owned)
    }

    /// The bookkeeping items of groups on demand: those that there have to be, and those that there
    /// may be. An item of a group that nobody was to be a member of leads to nothing.
    #[must_use]
    pub fn group_entries(&self) -> (BTreeSet<Key>, BTreeSet<Key>) {
        let is_group = |key: &&Key| BookkeepingKind::of(key) == Some(BookkeepingKind::Group);
        let is_unknown = |key: &&Key| {
            !self.on_demand.contains_key(&key.sk) && !self.actual.contains_key(&Fact::Group(key.sk.clone()))
        };
        let unknown = self.implied.books.keys().filter(is_group).filter(is_unknown);
        let (mut due, mut allowed): (BTreeSet<Key>, BTreeSet<Key>) = (BTreeSet::new(), unknown.cloned().collect());
        for (group, parents) in &self.on_demand {
            // A run over one parent deletes the items of all. If that parent was restored before the
            // run, they stay, and lead to no group.
            let are_over = parents.iter().all(|parent| self.implied.is_deleted(parent)) && !parents.is_empty();
            if are_over && !self.has_members(group) {
                continue;
            }
            let keys = self.entries_of(group, parents);
            let is_own = self.actual.contains_key(&Fact::Group(group.clone())) && !self.of_others.contains(group);
            due.extend(keys.iter().filter(|_| is_own && !self.implied.is_over(parents)).cloned());
            allowed.extend(keys);
        }
        (due, allowed)
    }

    /// The items of a group on demand, one under each of its parents.
    fn entries_of(&self, group: &str, parents: &[Parent]) -> BTreeSet<Key> {
        let partition =
            |parent: &Parent| bookkeeping::partition(&self.implied.model, BookkeepingKind::Group, &parent.known);
        parents.iter().map(|parent| Key { pk: partition(parent), sk: group.to_owned() }).collect()
    }

    /// The items of all groups on demand that there have ever been.
    pub(crate) fn all_group_entries(&self) -> BTreeSet<Key> {
        self.on_demand.iter().flat_map(|(group, parents)| self.entries_of(group, parents)).collect()
    }

    /// Facts that differ from what the table implies.
    #[must_use]
    pub fn wrong(&self) -> Vec<String> {
        self.wrong_but(|_| false)
    }

    /// Facts that differ from what the table implies, but for some.
    pub(crate) fn wrong_but(&self, may_be: impl Fn(&Fact) -> bool) -> Vec<String> {
        let values = self.implied.wrong_values();
        let words = |fact: &&Fact| match fact {
            Fact::Value(..) => format!("7: {fact:?}: {}", values.get(fact).cloned().unwrap_or_default()),
            Fact::Member(..) | Fact::User(_) | Fact::Attribute(..) | Fact::Group(_) | Fact::GroupSetting(..) => {
                format!("1: {fact:?} should be {:?} and is {:?}", self.facts.get(fact), self.actual.get(fact))
            }
        };
        // What did not count while a deletion waited counts now.
        let all = self.facts.keys().chain(self.actual.keys()).filter(|fact| self.is_wrong(fact));
        let wrong: BTreeSet<&Fact> = self.wrong.keys().chain(all).collect();
        wrong.iter().filter(|fact| !may_be(fact)).map(words).collect()
    }

    /// What was implied at some time.
    pub(crate) fn ever_implied(&self) -> impl Iterator<Item = &Fact> {
        self.implied_at.keys()
    }

    /// Follows the whole history of a table that another watch has watched.
    pub(crate) fn follow(&mut self, history: Vec<Written>, other: &Self) {
        self.implied.people_as(&other.implied);
        self.of_others.clone_from(&other.of_others);
        self.groups_made_ms.clone_from(&other.groups_made_ms);
        self.made_ms.clone_from(&other.made_ms);
        self.given.clone_from(&other.given);
        self.takers.clone_from(&other.takers);
        for write in history {
            self.pass(write.at_ms);
            self.written(vec![write], None);
        }
    }

    /// Whether the parents of a group on demand were deleted. `None` if no group has a parent.
    #[must_use]
    pub fn ends_groups_on_demand(&self) -> Option<bool> {
        let mut with_parents = self.on_demand.values().filter(|parents| !parents.is_empty()).peekable();
        with_parents.peek()?;
        Some(with_parents.any(|parents| self.implied.is_over(parents)))
    }

    /// Promise 1: what the table implies and Cognito lacks, whatever window was hit.
    #[must_use]
    pub fn lacking(&self) -> Vec<String> {
        let is_lacking = |fact: &&Fact| matches!(self.facts.get(*fact), Some(FactState::Is(_)));
        let lacking = self.wrong.keys().filter(is_lacking);
        lacking.map(|fact| format!("1: {fact:?} is implied, and is {:?}", self.actual.get(fact))).collect()
    }
}

/// The user of a fact, if that user should be disabled and does not exist.
pub(super) fn absent_and_off(
    facts: &BTreeMap<Fact, FactState>,
    actual: &BTreeMap<Fact, String>,
    fact: &Fact,
) -> Option<Fact> {
    user_of(fact).filter(|user| facts.get(user) == Some(&off()) && !actual.contains_key(user))
}

/// The user that a fact is about.
fn user_of(fact: &Fact) -> Option<Fact> {
    match fact {
        Fact::User(user) | Fact::Attribute(user, _) => Some(Fact::User(user.clone())),
        Fact::Member(..) | Fact::Group(_) | Fact::GroupSetting(..) | Fact::Value(..) => None,
    }
}

/// The state of a user who should be disabled.
fn off() -> FactState {
    FactState::Is(OFF.to_owned())
}

/// The user whose deletion waits, as its account item says.
pub(super) fn user_to_be_deleted(item: &Item) -> Option<&str> {
    noted(item, "username").filter(|_| noted(item, "until").is_some())
}
