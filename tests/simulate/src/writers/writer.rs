//! What every writer can do: read the table, write to it, wait, and disturb calls.

use std::time::Duration;

use instep_model::{CognitoUser, Identity, Item, Key, Model, Object, TypeId};

use super::odds::{Choice, Odds};
use crate::net::{Net, RecordOf, pause};

pub(crate) use crate::net::Disturbed;

/// Longer than a write takes to be reconciled, most of the time.
const RECONCILED: Duration = Duration::from_secs(3);

/// An object, and its item under one of its keys. The item need not be in the table.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Actor {
    pub(crate) key: Key,
    pub(crate) object: Object,
    pub(crate) item: Item,
}

/// An object, and the key that its item has or would have.
#[derive(Debug, Clone)]
pub(crate) struct Place {
    pub(crate) key: Key,
    pub(crate) object: Object,
}

/// One write to the table.
#[derive(Debug, Clone)]
pub(crate) enum DrawnWrite {
    Put(Key, Item),
    Delete(Key),
    /// DynamoDB's time to live deletes the item.
    Expire(Key),
}

impl DrawnWrite {
    pub(crate) fn put(actor: &Actor) -> Self {
        Self::Put(actor.key.clone(), actor.item.clone())
    }

    pub(crate) fn delete(actor: &Actor) -> Self {
        Self::Delete(actor.key.clone())
    }
}

/// Names of AWS operations that scenes wait for.
pub(crate) mod calls {
    pub(crate) const ADD_USER_TO_GROUP: &str = "AdminAddUserToGroup";
    pub(crate) const CREATE_GROUP: &str = "CreateGroup";
    pub(crate) const CREATE_USER: &str = "AdminCreateUser";
    pub(crate) const DELETE_GROUP: &str = "DeleteGroup";
    pub(crate) const DELETE_USER: &str = "AdminDeleteUser";
    pub(crate) const DISABLE_USER: &str = "AdminDisableUser";
    pub(crate) const ENABLE_USER: &str = "AdminEnableUser";
    pub(crate) const LIST_GROUPS_FOR_USER: &str = "AdminListGroupsForUser";
    pub(crate) const PUT_ITEM: &str = "PutItem";
    pub(crate) const QUERY: &str = "Query";
    pub(crate) const REMOVE_USER_FROM_GROUP: &str = "AdminRemoveUserFromGroup";
    pub(crate) const SEND_MESSAGES: &str = "SendMessageBatch";
    pub(crate) const TRANSACT_WRITE: &str = "TransactWriteItems";
}

/// A writer of the table.
pub(crate) struct DrawnWriter<'a> {
    pub(crate) net: &'a Net,
    pub(crate) model: &'a Model,
}

/// Chance.
impl<'a> DrawnWriter<'a> {
    pub(crate) fn of(net: &'a Net) -> Self {
        Self { net, model: &net.model }
    }

    pub(crate) fn below(&self, end: usize) -> usize {
        self.net.chance.below(end)
    }

    pub(crate) fn happens(&self, odds: Odds) -> bool {
        odds.draw(&self.net.chance)
    }

    pub(crate) fn pick<T: Clone>(&self, of: &[T]) -> Option<T> {
        self.net.chance.pick(of).cloned()
    }

    pub(crate) fn choose<C: Choice>(&self) -> C {
        C::draw(&self.net.chance)
    }
}

/// Reading the table.
impl DrawnWriter<'_> {
    /// All items of the model's types that are in the table.
    pub(crate) fn all(&self) -> Vec<Actor> {
        let watch = self.net.watch();
        let rows = watch.implied.rows().iter();
        rows.map(|(key, row)| Actor { key: key.clone(), object: row.object.clone(), item: row.item.clone() }).collect()
    }

    pub(crate) fn item_at(&self, key: &Key) -> Option<Item> {
        self.net.watch().implied.rows().get(key).map(|row| row.item.clone())
    }

    /// The first of the keys that an object may have.
    pub(crate) fn key_of(&self, object: &Object) -> Option<Key> {
        self.model.keys(object).ok()?.into_iter().next()
    }

    /// What the model says about the user that an item defines.
    pub(crate) fn user_at(&self, key: &Key) -> Option<&CognitoUser> {
        match self.model.identify(key) {
            Identity::Item { object, .. } => self.model.item(object.of).user.as_ref(),
            Identity::Unknown(_) | Identity::Bookkeeping => None,
        }
    }

    /// Whether items of a type are guards of what their owners claim. Those that nobody claims are written as other
    /// items are.
    pub(crate) fn is_guard(&self, of: TypeId) -> bool {
        self.model.item(of).guard.as_ref().is_some_and(|guard| !guard.claims.is_empty())
    }

    /// Whether items of a type give access.
    pub(crate) fn gives_access(&self, of: TypeId) -> bool {
        let ty = self.model.item(of);
        ty.grant.is_some() || !ty.members.is_empty()
    }

    /// Whether the last grant of a type takes its subject with it.
    pub(crate) fn ends_its_subject(&self, of: TypeId) -> bool {
        self.model.item(of).grant.as_ref().is_some_and(|grant| grant.last.is_some())
    }
}

/// Writing.
impl DrawnWriter<'_> {
    pub(crate) fn write(&self, write: DrawnWrite) {
        match write {
            DrawnWrite::Put(key, item) => self.net.write(key, Some(item)),
            DrawnWrite::Delete(key) => self.net.write(key, None),
            DrawnWrite::Expire(key) => self.net.expire(key),
        }
    }

    pub(crate) fn put(&self, actor: &Actor) {
        self.put_item(&actor.key, actor.item.clone());
    }

    pub(crate) fn put_item(&self, key: &Key, item: Item) {
        self.net.write(key.clone(), Some(item));
    }

    pub(crate) fn put_all<'b>(&self, actors: impl IntoIterator<Item = &'b Actor>) {
        actors.into_iter().for_each(|actor| self.put(actor));
    }

    pub(crate) fn delete(&self, key: &Key) {
        self.net.write(key.clone(), None);
    }

    /// Puts all of the actors. Deletes the one that the scene wants to be absent.
    pub(crate) fn put_all_but(&self, absent: &Key, actors: &[Actor]) {
        for actor in actors {
            if actor.key == *absent { self.delete(&actor.key) } else { self.put(actor) }
        }
    }

    /// Puts an absent item. Deletes or changes a present one.
    pub(crate) fn toggled(&self, actor: &Actor, is_changed: impl FnOnce() -> bool) -> DrawnWrite {
        let key = actor.key.clone();
        match self.item_at(&key) {
            Some(now) if is_changed() => DrawnWrite::Put(key, self.item(&actor.key, &actor.object, Some(&now))),
            Some(_) => DrawnWrite::Delete(key),
            None => DrawnWrite::Put(key, actor.item.clone()),
        }
    }
}

/// Waiting.
impl DrawnWriter<'_> {
    /// Waits for so many milliseconds at most.
    pub(crate) async fn pause(&self, most_ms: usize) {
        pause(self.net, most_ms).await;
    }

    /// Waits until earlier writes are reconciled, most of the time.
    pub(crate) async fn let_reconcile(&self) {
        tokio::time::sleep(RECONCILED).await;
    }

    /// Waits twice as long: until cascades are reconciled too, most of the time.
    pub(crate) async fn let_cascades_reconcile(&self) {
        tokio::time::sleep(2 * RECONCILED).await;
    }

    /// Waits for one of these calls and disturbs it at random: its effect is late, or its answer is
    /// late or lost. Now and then an operation fails for a while too.
    pub(crate) async fn disturb(&self, operations: &'static [&'static str]) -> Disturbed {
        self.net.hook_call(operations).await
    }

    /// Waits for such a call. Its effect is late by so much.
    pub(crate) async fn delay(&self, operations: &'static [&'static str], how_long: Duration) -> Disturbed {
        self.net.hold(operations, how_long).await
    }

    /// Waits for such a call. It has its effect at once, and its answer is late by so much.
    pub(crate) async fn delay_answer(&self, operations: &'static [&'static str], how_long: Duration) -> Disturbed {
        self.net.hold_answer(operations, how_long).await
    }

    /// Waits for such a call. It has its effect, and its answer is lost.
    pub(crate) async fn lose_answer(&self, operations: &'static [&'static str]) -> Disturbed {
        self.net.lose_answer(operations).await
    }

    /// Waits for such a call. It has its effect, and then the process crashes.
    pub(crate) async fn crash_after(&self, operations: &'static [&'static str]) -> Disturbed {
        self.net.crash_after(operations).await
    }

    /// Lets all calls of an operation fail for so long.
    pub(crate) fn fail(&self, operation: &str, how_long: Duration) {
        self.net.breaks(operation, how_long);
    }

    /// Lets Cognito have no room for another group for a while.
    pub(crate) fn exhaust_group_quota(&self) {
        self.net.fill();
    }

    /// Has the last record of an item run again, beside the stream.
    pub(crate) fn replay_last_record_of(&self, key: Key) {
        self.net.ask_for_replay(RecordOf::Last(key));
    }

    /// Has the first record of an item run again, beside the stream.
    pub(crate) fn replay_first_record_of(&self, key: Key) {
        self.net.ask_for_replay(RecordOf::First(key));
    }
}
