//! Why Cognito has what it has of an object, what it should have, and what becomes due.

use std::collections::{BTreeMap, BTreeSet};

use instep_flow::due::{Moment, MomentKind, moments};
use instep_flow::effect::Effect;
use instep_flow::entries::EntryId;
use instep_flow::implied::{self, Membership};
use instep_flow::reconcile::{AccountGroups, AccountGroupsStep};
use instep_flow::sweep::{Difference, ItemsPlan, PoolUser};
use instep_flow::{account, mask, queries, reason};
use instep_model::{Identity, Item, ItemType, Key, Model, Names, Object, Value, value_at};
use jiff::Timestamp;
use jiff::civil::Date;

use crate::instep::Instep;
use crate::run_options::RunOptions;
use crate::waiting_users::WaitingUser;

/// What an item asks for.
#[derive(Debug)]
pub struct ExplainedItem {
    /// Its name in reports.
    pub label: String,
    /// Its key. `None` if the item is secret.
    pub key: Option<Key>,
    /// The memberships that it asks for.
    pub asks: BTreeMap<Membership, AskedMembership>,
    /// Why it does not imply them, and other remarks.
    pub notes: Vec<String>,
    /// What becomes due.
    pub due: Vec<Moment>,
    /// When the window of its grant opened, if it has a beginning.
    pub since: Option<Timestamp>,
    /// The attributes with a time that its events publish, such as when it was created. The table has
    /// no other record of when something was granted.
    pub times: BTreeMap<String, String>,
}

/// A membership that an item asks for.
#[derive(Debug)]
pub struct AskedMembership {
    /// Whether the item implies it now.
    pub is_implied: bool,
    /// The setting by which the item asks for it.
    pub because: Option<String>,
    /// Whether it is in tokens alone: the pool does not have it.
    pub in_token: bool,
}

/// A user whose deletion waits, and what Cognito has of it.
#[derive(Debug)]
pub struct ExplainedWaiting {
    /// The user.
    pub user: WaitingUser,
    /// The name that its item gives it. The pool may have made another one.
    pub name: String,
    /// Whether it can sign in. `None` if Cognito does not have it.
    pub enabled: Option<bool>,
    /// Its groups, also those that the model does not know.
    pub groups: BTreeSet<String>,
}

/// An object, explained.
#[derive(Debug, Default)]
pub struct Explanation {
    /// Its name in reports.
    pub label: String,
    /// Its own items, then those that refer to it and matter for access or time.
    pub items: Vec<ExplainedItem>,
    /// Whether it can have a user in Cognito.
    pub can_have_user: bool,
    /// Its user in Cognito.
    pub user: Option<PoolUser>,
    /// The users of the object and of the memberships below whose deletion waits.
    pub waiting: Vec<ExplainedWaiting>,
    /// Those of the memberships above that Cognito has, and others of the user in groups of the model.
    pub actual: BTreeSet<Membership>,
    /// What differs.
    pub differences: Vec<Difference>,
}

impl Instep {
    /// Explains an object.
    ///
    /// # Errors
    /// A service failed.
    pub async fn explain(&self, object: &Object, run: &RunOptions) -> Result<Explanation, String> {
        let model = &self.model;
        let related = self.related_to(object, run).await?;
        let mut explained = Explanation { label: queries::label_of(model, object), ..Explanation::default() };
        explained.can_have_user = model.item(object.of).user.is_some();
        explained.user = related.users.first().cloned();
        explained.actual = related.members.iter().cloned().collect();
        for items in related.items.chunks(super::table::CHECKED) {
            let plain: Vec<_> = items.iter().map(|(_, item)| item.clone()).collect();
            explained.differences.extend(self.check_items(plain.clone(), run).await?);
            let implied = self.implied(ItemsPlan::new(model, plain, run.now).plan, run).await?;
            for (place, (key, item)) in items.iter().enumerate() {
                let Identity::Item { object: of, .. } = model.identify(key) else { continue };
                let is_implied = |asked: &Membership| {
                    implied.effects.iter().any(|(effect, entries)| {
                        matches!(&**effect, Effect::AddMember(add) if add.membership == *asked)
                            && entries.contains(EntryId(place))
                    })
                };
                let asks = implied::memberships_anywhere(model, &of, item).into_iter();
                let in_tokens =
                    if model.has_token_groups() { self.groups_of_item(&of, item, run).await? } else { BTreeSet::new() };
                let asks: BTreeMap<_, _> = asks
                    .map(|asked| {
                        let because = reason::member(model, &of, item, &asked);
                        let in_token = model.is_token_group(&asked.group);
                        let is_implied = if in_token { in_tokens.contains(&asked.group) } else { is_implied(&asked) };
                        (asked.clone(), AskedMembership { is_implied, because, in_token })
                    })
                    .collect();
                let notes = implied.reconciled.notes.iter().filter(|(of, _)| *of == EntryId(place));
                let withheld = reason::withheld(model, &of, item);
                let notes: Vec<String> = notes.map(|(_, note)| note.clone()).chain(withheld).collect();
                let (due, past): (Vec<Moment>, Vec<Moment>) =
                    moments(model, &of, item).into_iter().partition(|due| due.at > run.now);
                let since = past.iter().filter(|past| past.kind == MomentKind::Opens).map(|past| past.at).max();
                if of == *object || !asks.is_empty() || !due.is_empty() {
                    let label = queries::label(model, key);
                    let times = times(model.item(of.of), item);
                    let key = mask::key(model, key).map(|_| key.clone());
                    explained.items.push(ExplainedItem { label, key, asks, notes, due, since, times });
                }
            }
        }
        let asked = explained.items.iter().flat_map(|item| &item.asks);
        let asked = asked.filter(|(_, asked)| !asked.in_token).map(|(member, _)| member.clone()).collect();
        explained.actual.extend(self.cognito.present(asked, run).await?);
        explained.waiting = self.explain_waiting(object, &explained.items, run).await?;
        let found = self.check_pool(related.users, related.groups, related.members, run).await?;
        explained.differences.extend(found);
        let mut known = BTreeSet::new();
        explained.differences.retain(|found| known.insert((found.kind, found.about.clone())));
        Ok(explained)
    }

    /// The groups that an item gives now, also those that are in tokens alone.
    async fn groups_of_item(&self, of: &Object, item: &Item, run: &RunOptions) -> Result<BTreeSet<String>, String> {
        let mut groups = AccountGroups::of_item(&self.model, of.clone(), item.clone(), run.now);
        loop {
            match groups.next() {
                AccountGroupsStep::Done(found) => return Ok(found.groups),
                AccountGroupsStep::Undecided => return Ok(BTreeSet::new()),
                AccountGroupsStep::Read(asks) => groups.read(self.read(&asks, run).await?),
            }
        }
    }

    /// The users of an object, and of the memberships that items ask for, whose deletion waits.
    async fn explain_waiting(
        &self,
        object: &Object,
        items: &[ExplainedItem],
        run: &RunOptions,
    ) -> Result<Vec<ExplainedWaiting>, String> {
        let model = &self.model;
        let names: BTreeSet<&String> = items
            .iter()
            .flat_map(|item| item.asks.keys())
            .filter(|asked| !asked.sub)
            .map(|asked| &asked.user)
            .collect();
        let mut objects: BTreeSet<Object> =
            names.into_iter().flat_map(|name| queries::objects_with_user(model, name)).collect();
        objects.insert(object.clone());
        objects.retain(|object| account::is_kept_for(model, object));
        let mut explained = Vec::new();
        for user in self.waiting_of(objects.into_iter().collect(), run).await? {
            let username = &user.waiting.username;
            let present = match &self.settings.user_pool {
                Some(pool) => self.cognito.user(pool, username, run).await?,
                None => None,
            };
            let groups = self.cognito.groups_of(username, run).await;
            let groups = groups.map_err(|failure| failure.words("AdminListGroupsForUser"))?;
            let name = implied::user_name(model, &user.object).unwrap_or_else(|| username.clone());
            explained.push(ExplainedWaiting { user, name, enabled: present.map(|user| user.enabled), groups });
        }
        Ok(explained)
    }
}

/// The attributes with a time that an item's events publish. None is secret: the model's loader refuses
/// a secret attribute in `events`, and `events` of a secret item type.
fn times(ty: &ItemType, item: &Item) -> BTreeMap<String, String> {
    let time = |path: &String| {
        let Value::S(text) = value_at(item, path)? else { return None };
        let is_time = text.parse::<Timestamp>().is_ok() || text.parse::<Date>().is_ok();
        is_time.then(|| (path.clone(), text.clone()))
    };
    ty.attributes.iter().filter_map(time).collect()
}

/// The object that a text such as `Seat=team/person` names: the type, and the names in its key in
/// their order.
///
/// # Errors
/// The text names no object, and why.
pub fn object_named(model: &Model, text: &str) -> Result<Object, String> {
    let types = || {
        let word = |ty: &ItemType| ty.user_value.map_or_else(|| ty.name.clone(), |value| value.word().to_owned());
        model.items.iter().map(|ty| format!("`{}`", word(ty))).collect::<Vec<_>>().join(", ")
    };
    let Some((ty, id)) = text.split_once('=') else {
        return Err("write an item type and an id, such as `User=alice`".to_owned());
    };
    // Somebody who signs up has no item.
    if let Some((of, value)) =
        model.user_value().filter(|(_, value)| model.type_named(ty).is_none() && value.word() == ty)
    {
        return Ok(Object { of, names: Names::from([(value.name().to_owned(), id.to_owned())]) });
    }
    let Some(of) = model.type_named(ty) else { return Err(format!("there is no item type `{ty}`, but {}", types())) };
    for form in &model.item(of).forms {
        let order: Vec<&str> = model.key_order(of).into_iter().filter(|name| form.names.contains(*name)).collect();
        let parts: Vec<&str> = id.splitn(order.len().max(1), '/').collect();
        let names: Names =
            order.iter().zip(&parts).map(|(name, text)| ((*name).to_owned(), (*text).to_owned())).collect();
        let object = Object { of, names };
        if parts.len() == order.len().max(1) && model.keys(&object).is_ok() {
            return Ok(object);
        }
    }
    let order = model.key_order(of).into_iter().map(|name| format!("{{{name}}}")).collect::<Vec<_>>().join("/");
    Err(format!("`{id}` is no id of a `{ty}`: write `{ty}={order}`"))
}
