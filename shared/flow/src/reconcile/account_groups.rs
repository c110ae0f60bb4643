//! The groups that the table implies for one account now: by the rules by which a run over its items decides.

use std::collections::{BTreeMap, BTreeSet};

use instep_model::{Item, Key, LinkId, Model, Names, Object, Subject, ToDependents, UserValue};
use jiff::Timestamp;

use super::batch_part::Progress;
use super::{Pass, Times};
use crate::account::{self, AccountItem};
use crate::answers::{Answers, Asks};
use crate::due;
use crate::entries::EntryId;
use crate::group_settings::groups_of;
use crate::implied;
use crate::known::{Known, all};
use crate::plan::{Mentions, Plan};
use crate::queries::{self, LinkQuery};

/// The maximum number of reads. Each read follows from the answers to the one before. INVARIANT 8.
const READS_MAX: usize = 12;

/// An account that signs in, as Cognito knows it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SigningInAccount {
    /// `Username`: its name, never an alias or an address by which it signed in.
    pub username: String,
    /// Its `sub`.
    pub sub: String,
    /// Its email address and its phone number.
    pub addresses: Vec<String>,
    /// Whether its pool ignores case: no other account has this name in other letters.
    pub ignores_case: bool,
}

/// The groups that the table implies for an account.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ImpliedGroups {
    /// Their names.
    pub groups: BTreeSet<String>,
    /// Whether there may be more: the account has more grants than one run reads.
    pub is_cut: bool,
}

/// What comes next.
#[derive(Debug)]
pub enum AccountGroupsStep {
    /// This must be read.
    Read(Asks),
    /// The groups.
    Done(ImpliedGroups),
    /// There is no end to what must be read. Nothing may be granted then.
    Undecided,
}

/// Whose groups are asked for.
#[derive(Debug)]
enum GroupsOf {
    Account(SigningInAccount),
    Item(Box<(Object, Item)>),
}

/// The groups of an account, as they are found out: a state machine without I/O.
#[derive(Debug)]
pub struct AccountGroups<'m> {
    model: &'m Model,
    of: GroupsOf,
    now: Timestamp,
    read: Answers,
    reads: usize,
}

impl<'m> AccountGroups<'m> {
    /// Asks for the groups of an account, at a moment.
    #[must_use]
    pub fn new(model: &'m Model, account: SigningInAccount, now: Timestamp) -> Self {
        Self { model, of: GroupsOf::Account(account), now, read: Answers::default(), reads: 0 }
    }

    /// Asks for the groups that one item gives, whoever its user is.
    #[must_use]
    pub fn of_item(model: &'m Model, object: Object, item: Item, now: Timestamp) -> Self {
        Self { model, of: GroupsOf::Item(Box::new((object, item))), now, read: Answers::default(), reads: 0 }
    }

    /// The next step.
    #[expect(clippy::should_implement_trait, reason = "it ends with a value, and asks its driver in between")]
    pub fn next(&mut self) -> AccountGroupsStep {
        let (plan, progress) = (Plan::default(), Progress::default());
        let times = Times { now: self.now, present: self.now };
        let mut pass = Pass::new(self.model, &plan, &self.read, times, &progress);
        let groups = match &self.of {
            GroupsOf::Account(account) => pass.groups_of_account(account),
            GroupsOf::Item(item) => {
                let desired = pass.desired_memberships(&item.0, &item.1, &Mentions::late([EntryId(0)]));
                let groups = desired.map(|desired| desired.into_iter().map(|of| of.group).collect());
                groups.map(|groups| ImpliedGroups { groups, is_cut: false })
            }
        };
        let asks = pass.view.asks;
        // INVARIANT 2: a pass that has asked for anything counts for nothing.
        match groups {
            Ok(groups) if asks.is_empty() => AccountGroupsStep::Done(groups),
            Ok(_) | Err(_) if asks.is_empty() || self.reads >= READS_MAX => AccountGroupsStep::Undecided,
            Ok(_) | Err(_) => {
                self.reads += 1;
                AccountGroupsStep::Read(asks)
            }
        }
    }

    /// Takes what was read.
    pub fn read(&mut self, answers: Answers) {
        self.read.extend(answers);
    }
}

/// Whether a model can give this name to a group, or names it so in a membership: nobody else's word counts for it.
#[must_use]
pub fn is_of_model(model: &Model, group: &str) -> bool {
    model.is_group_name(group) || is_made_by_hand(model, group)
}

/// Whether people make a group of this name for memberships of the model.
#[must_use]
pub fn is_made_by_hand(model: &Model, group: &str) -> bool {
    model.types().any(|(of, ty)| {
        let mut by_hand = ty.members.iter().filter(|rule| rule.is_by_hand());
        by_hand.any(|rule| model.read_name(of, &rule.group, group).is_some())
    })
}

/// The IAM roles of the model that groups with these names have.
pub fn roles_of_groups<'g>(model: &Model, groups: impl IntoIterator<Item = &'g String>) -> BTreeSet<String> {
    let of_group = |group: &String| {
        let objects = queries::objects_with_group(model, group);
        let all: Vec<_> = objects.iter().flat_map(|object| groups_of(model, object, None)).collect();
        all.into_iter().filter(|own| own.name == *group).filter_map(|own| own.settings.iam_role).collect::<Vec<_>>()
    };
    groups.into_iter().flat_map(of_group).collect()
}

impl<'a> Pass<'a> {
    fn groups_of_account(&mut self, account: &SigningInAccount) -> Known<ImpliedGroups> {
        let found: Vec<ImpliedGroups> = all(self.may_be_served_by(account), |object| {
            let is_served = self.is_served_by(&object, account);
            if is_served == Ok(false) {
                return Ok(ImpliedGroups::default());
            }
            // What its user has is read together with what says whose it is.
            let groups = self.groups_of_user(&object);
            is_served.and(groups)
        })?;
        Ok(ImpliedGroups {
            is_cut: found.iter().any(|found| found.is_cut),
            groups: found.into_iter().flat_map(|found| found.groups).collect(),
        })
    }

    /// The objects that an account may serve, by its names.
    fn may_be_served_by(&self, account: &SigningInAccount) -> BTreeSet<Object> {
        let (model, mut objects) = (self.model, BTreeSet::new());
        let SigningInAccount { username, sub, addresses, ignores_case } = account;
        // Nobody else's account has these names. Which letters beyond ASCII Cognito takes for one is not known.
        let folded = Some(username.to_ascii_lowercase()).filter(|_| *ignores_case && model.has_lowered_users());
        let own: BTreeSet<String> = [username.clone()].into_iter().chain(folded).collect();
        match model.user_value() {
            Some((of, UserValue::Sub)) if !sub.is_empty() => drop(objects.insert(person(of, UserValue::Sub, sub))),
            Some((of, UserValue::Name)) => objects.extend(own.iter().map(|name| person(of, UserValue::Name, name))),
            Some((_, UserValue::Sub)) | None => {}
        }
        let by_name = own.iter().flat_map(|name| queries::objects_with_user(model, name));
        objects.extend(by_name.filter(|object| !account::is_kept_for(model, object)));
        // Of these, the account item says whose they are.
        let is_generated = username == sub;
        let names = [username].into_iter().chain(addresses);
        for name in names.flat_map(|name| BTreeSet::from([name.clone(), name.to_lowercase()])) {
            let is_own_name = name.to_lowercase() == username.to_lowercase();
            let found = queries::objects_with_user(model, &name).into_iter();
            objects.extend(found.filter(|object| {
                let is_known_so = is_own_name || is_generated && account::is_named_by_address(model, object);
                is_known_so && account::is_kept_for(model, object)
            }));
        }
        objects.retain(|object| model.has_canonical_key(object));
        objects
    }

    /// Whether an account serves an object, and may sign in.
    ///
    /// INVARIANT 2: of an object whose users Instep makes, the account item has to have the account's `sub`. A name says
    /// whom an account is meant for, and not who made it.
    fn is_served_by(&mut self, object: &Object, account: &SigningInAccount) -> Known<bool> {
        let is_disabled = self.is_disabled(object);
        let is_bound = match account::is_kept_for(self.model, object) {
            true => self.account(object).map(|item| item.is_some_and(|item: AccountItem| item.serves(&account.sub))),
            false => Ok(true),
        };
        Ok(is_bound? && !is_disabled?)
    }

    /// Whether the item of an object says that its user is disabled, also if the clock has not written it yet.
    fn is_disabled(&mut self, object: &Object) -> Known<bool> {
        let model = self.model;
        let Some(disabled) = model.item(object.of).user.as_ref().and_then(|user| user.disabled.as_ref()) else {
            return Ok(false);
        };
        // Of the spellings of its key, the first says what its user is, as in a run.
        let item = self.view.items(object)?.into_iter().next();
        Ok(item.is_some_and(|(_, item)| {
            let states = due::applied(model, object, item);
            let present = states.iter().rfind(|(at, _)| *at <= self.times.now).map_or(item, |(_, item)| item);
            disabled.holds(&object.names, present)
        }))
    }

    /// The groups of the user of an object.
    fn groups_of_user(&mut self, user: &Object) -> Known<ImpliedGroups> {
        let (model, mut found) = (self.model, ImpliedGroups::default());
        let Some(name) = implied::user_name(model, user) else { return Ok(found) };
        let by_sub = model.item(user.of).user_value == Some(UserValue::Sub);
        let mut items: BTreeMap<Key, (Object, &Item)> = BTreeMap::new();
        let rules = model.types().flat_map(|(of, ty)| ty.members.iter().map(move |rule| (of, rule)));
        let links: BTreeSet<LinkId> =
            rules.filter_map(|(_, rule)| rule.user.link()).filter(|link| model.link(*link).to == user.of).collect();
        let has_own = model.item(user.of).members.iter().any(|rule| matches!(rule.user, Subject::Itself));
        let own = if has_own { self.view.items(user) } else { Ok(Vec::new()) };
        let dependents: Known<Vec<_>> = all(links, |link| {
            found.is_cut |= self.has_unread_dependents(link, user) || !model.link(link).leads_down();
            let queries = queries::queries(model, link);
            all(queries, |query| self.dependents_by(query, user)).map(|by_query: Vec<Vec<_>>| by_query.concat())
        });
        items.extend(own?.into_iter().map(|(key, item)| (key, (user.clone(), item))));
        items.extend(dependents?.into_iter().flatten());
        let groups: Vec<BTreeSet<String>> = all(items.into_values(), |(object, item)| {
            let is_own = |of: &implied::Membership| of.sub == by_sub && of.user == name;
            if !implied::memberships_anywhere(model, &object, item).iter().any(is_own) {
                return Ok(BTreeSet::new());
            }
            let desired = self.desired_memberships(&object, item, &Mentions::late([EntryId(0)]))?;
            Ok(desired.into_iter().filter(is_own).map(|of| of.group).collect())
        })?;
        found.groups = groups.into_iter().flatten().collect();
        Ok(found)
    }

    /// The items that a query shows. An index only finds keys: each of its items is read from the table.
    fn dependents_by(&mut self, of: LinkQuery, user: &Object) -> Known<Vec<(Key, (Object, &'a Item))>> {
        let model = self.model;
        let Some(query) = queries::query(model, of, user) else { return Ok(Vec::new()) };
        let rows = self.view.rows(&query)?;
        let is_item = !queries::is_by_index(model, of) && matches!(model.link(of.link).find, ToDependents::Queries(_));
        if is_item {
            let found =
                rows.iter().filter_map(|row| queries::identify(model, row).map(|(key, object)| (key, (object, row))));
            return Ok(found.collect());
        }
        let shown: BTreeSet<Object> = rows.iter().filter_map(|row| queries::dependent(model, row)).collect();
        let items: Vec<Vec<_>> = all(shown, |object| {
            let items = self.view.items(&object)?.into_iter();
            Ok(items.map(|(key, item)| (key, (object.clone(), item))).collect())
        })?;
        Ok(items.concat())
    }
}

/// Somebody who signs up, whom items name by a value.
fn person(of: instep_model::TypeId, value: UserValue, text: &str) -> Object {
    Object { of, names: Names::from([(value.name().to_owned(), text.to_owned())]) }
}
