//! The changes of one transaction, and what it means if a condition fails.

use std::collections::BTreeMap;

use instep_model::{Key, Names};

use super::WriterError;
use crate::effect::{Action, Expect};

/// The maximum actions of one transaction. Source: DynamoDB API reference, TransactWriteItems.
pub const ACTIONS_MAX: usize = 100;

/// Why a condition of a transaction failed. A message names types and attributes, and no value: so
/// it can be logged.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum WriteConflict {
    /// Another item has a unique value.
    #[error("the value of {} is taken: its guard `{guard}` belongs to another item; give another value", named(values))]
    Taken {
        /// The item type of the guard.
        guard: String,
        /// The attributes of the new item that make the value, with what they contain.
        values: BTreeMap<String, String>,
    },
    /// An item with the key of the new item exists.
    #[error("a `{item}` with these names exists; replace it, or give other names")]
    Exists {
        /// Its item type.
        item: String,
        /// The names in its key.
        names: Names,
    },
    /// The item does not exist any more, or it or its guard has changed.
    #[error("the `{item}` or its guard has changed since it was read; read it again, then decide")]
    Changed {
        /// Its item type.
        item: String,
        /// The names in its key.
        names: Names,
    },
}

fn named(values: &BTreeMap<String, String>) -> String {
    values.keys().map(|name| format!("`{name}`")).collect::<Vec<_>>().join(" and ")
}

/// The changes of one transaction: at most one action for each item.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Changes {
    actions: BTreeMap<Key, (Action, WriteConflict)>,
}

impl Changes {
    /// These changes and others, in one transaction. If one side releases a unique value that the
    /// other claims, the guard is moved.
    ///
    /// # Errors
    /// Both write one item, or there are more than 100 actions.
    pub fn join(mut self, later: Self) -> Result<Self, WriterError> {
        for (action, conflict) in later.actions.into_values() {
            self.push(action, conflict)?;
        }
        match self.actions.len() {
            count if count > ACTIONS_MAX => Err(WriterError::TooMany(count)),
            _ => Ok(self),
        }
    }

    /// The actions, in the order of their keys.
    #[must_use]
    pub fn actions(&self) -> Vec<Action> {
        self.actions.values().map(|(action, _)| action.clone()).collect()
    }

    /// What it means that the condition of the action at this place failed.
    #[must_use]
    pub fn conflict(&self, place: usize) -> Option<&WriteConflict> {
        self.actions.values().nth(place).map(|(_, conflict)| conflict)
    }

    pub(super) fn push(&mut self, action: Action, conflict: WriteConflict) -> Result<(), WriterError> {
        let key = action.key().clone();
        let joined = match self.actions.remove(&key) {
            None => (action, conflict),
            Some(before) => one((before, (action, conflict)))?,
        };
        self.actions.insert(key, joined);
        Ok(())
    }
}

/// Two actions on one item as one.
fn one(
    (before, after): ((Action, WriteConflict), (Action, WriteConflict)),
) -> Result<(Action, WriteConflict), WriterError> {
    match (before, after) {
        // Deleted, and created again: replaced on condition that the deletion has.
        ((Action::Delete { expect, .. }, changed), (Action::Put { key, item, expect: Expect::Absent }, _)) => {
            Ok((Action::Put { key, item, expect }, changed))
        }
        // Of a guard, the order does not matter: the claim is what the writer wants.
        (
            (Action::Put { key, item, expect: Expect::Absent }, WriteConflict::Taken { .. }),
            (Action::Delete { expect, .. }, changed),
        ) => Ok((Action::Put { key, item, expect }, changed)),
        (_, (_, conflict)) => Err(WriterError::Twice(match conflict {
            WriteConflict::Taken { guard, .. } => guard,
            WriteConflict::Exists { item, .. } | WriteConflict::Changed { item, .. } => item,
        })),
    }
}
