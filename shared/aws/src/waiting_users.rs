//! The users whose deletion waits: for a time, or for a person. A person decides here.

use std::collections::BTreeMap;

use instep_flow::account::{Account, AccountItem, AccountState, HELD, Waiting, account_key};
use instep_flow::deletion_limit;
use instep_flow::due::MomentKind;
use instep_flow::effect::{Action, Expect};
use instep_flow::queries;
use instep_flow::work::{NamedObject, Work};
use instep_model::{Item, Key, Object};

use crate::apply::WriteResult;
use crate::instep::Instep;
use crate::run_options::RunOptions;
use crate::send::{ENTRIES_MAX, Outgoing};

/// A user whose deletion waits.
#[derive(Debug, Clone)]
pub struct WaitingUser {
    /// The object whose user it was.
    pub object: Object,
    /// That object, for people.
    pub label: String,
    /// What the table says of it.
    pub waiting: Waiting,
    account: Account,
    item: AccountItem,
}

/// What a person decides about a user.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Decision {
    /// It is deleted now.
    Delete,
    /// It stays, disabled, and serves no item.
    Keep,
}

impl Instep {
    /// The users whose deletion waits, in the order of their times: those that are held come last.
    ///
    /// # Errors
    /// A service failed.
    pub async fn waiting_users(&self, run: &RunOptions) -> Result<Vec<WaitingUser>, String> {
        let (moments, _) = self.upcoming(None, usize::MAX, run).await?;
        let is_of_user =
            |named: &NamedObject| named.moment.as_ref().is_some_and(|moment| moment.kind == MomentKind::DeleteUser);
        let objects = moments.iter().filter(|named| is_of_user(named)).filter_map(|named| named.object(&self.model));
        self.waiting_of(objects.collect(), run).await
    }

    /// Those of some objects.
    ///
    /// # Errors
    /// A service failed.
    pub async fn waiting_of(&self, objects: Vec<Object>, run: &RunOptions) -> Result<Vec<WaitingUser>, String> {
        let keys = objects.iter().map(|object| account_key(&self.model, object)).collect();
        let items = self.items_at(&keys, run).await?;
        let mut read: BTreeMap<Key, Item> =
            items.into_iter().filter_map(|item| Some((self.model.table.key_of(&item)?, item))).collect();
        let mut of = |object: Object| {
            let key = account_key(&self.model, &object);
            let read = read.remove(&key);
            let item = AccountItem { of: object.clone(), key, read, read_at: run.now, is_confirmed: false };
            let (waiting, account) = (item.waiting()?, item.account()?);
            let label = queries::label_of(&self.model, &object);
            Some(WaitingUser { object, label, waiting, account, item })
        };
        Ok(objects.into_iter().filter_map(&mut of).collect())
    }

    /// Lets users be deleted again, and those that were held until now be deleted. Returns these.
    ///
    /// # Errors
    /// A service failed. What was not done is done by the next attempt.
    pub async fn go_on(&self, run: &RunOptions) -> Result<Vec<WaitingUser>, String> {
        // First: a user that is held from now on is held because there are too many again.
        let stopped = Action::Delete { key: deletion_limit::stopped_key(), expect: Expect::Any };
        self.table.write(&[], &[stopped], run.deadline).await.map_err(|failure| failure.words("DeleteItem"))?;
        let waiting = self.waiting_users(run).await?;
        let held: Vec<WaitingUser> = waiting.into_iter().filter(|user| user.waiting.until == HELD).collect();
        let mut gone = Vec::new();
        for users in held.chunks(ENTRIES_MAX) {
            let mut messages = Vec::new();
            for user in users {
                if self.note_decision(user, Decision::Delete, run).await? {
                    messages.push(self.asks_about(user, run));
                    gone.push(user.clone());
                }
            }
            self.queue.send_work(messages, run).await?;
        }
        Ok(gone)
    }

    /// Decides about a user whose deletion waits. False if its item was written again, or it was deleted, meanwhile.
    ///
    /// # Errors
    /// A service failed.
    pub async fn decide(&self, user: &WaitingUser, decision: Decision, run: &RunOptions) -> Result<bool, String> {
        let is_noted = self.note_decision(user, decision, run).await?;
        if is_noted && decision == Decision::Delete {
            self.queue.send_work(vec![self.asks_about(user, run)], run).await?;
        }
        Ok(is_noted)
    }

    /// A message whose run reads what the table says of a user. If it is not sent, the next attempt sends it.
    fn asks_about(&self, user: &WaitingUser, run: &RunOptions) -> Outgoing {
        self.queue.message(0, run, Work::Reconcile(vec![NamedObject::new(&self.model, &user.object, None)]), false)
    }

    /// Writes what a person decides into the account item. False as of [`Self::decide`].
    async fn note_decision(&self, user: &WaitingUser, decision: Decision, run: &RunOptions) -> Result<bool, String> {
        let state = match decision {
            Decision::Delete => AccountState::Waiting(Waiting { is_approved: true, ..user.waiting.clone() }),
            Decision::Keep => AccountState::Foreign { sub: user.waiting.sub.clone() },
        };
        let (actions, _) = user.item.change(&self.model, &Account { state, ..user.account.clone() });
        let written = self.table.write(&[], &actions, run.deadline).await;
        Ok(!matches!(written.map_err(|failure| failure.words("PutItem"))?, WriteResult::Changed))
    }
}
