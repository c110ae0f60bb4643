//! One transaction of a writer: several items with their guards, all or none.

use instep_flow::writer::{self, Changes};
use jiff::Timestamp;
use serde::Serialize;

use super::{KeyNames, WriteError, Writer, owned};
use crate::apply::{Transacted, new_token};

/// Changes that DynamoDB makes all or none, at most 100 with their guards.
///
/// If [`Transaction::commit`] fails because DynamoDB was busy or did not answer, commit the same
/// transaction again. If the changes were made, and only the answer was lost, that succeeds. DynamoDB
/// recognises a transaction for 10 minutes.
#[derive(Debug)]
pub struct Transaction<'a> {
    writer: &'a Writer,
    now: Timestamp,
    changes: Changes,
    token: String,
}

impl<'a> Transaction<'a> {
    pub(super) fn new(writer: &'a Writer, now: Timestamp) -> Self {
        Self { writer, now, changes: Changes::default(), token: new_token() }
    }

    /// Adds a new item, on condition that its key and its unique values are free.
    ///
    /// # Errors
    /// The model does not allow the item.
    pub fn create<T: Serialize>(&mut self, of: &str, names: &KeyNames<'_>, value: &T) -> Result<(), WriteError> {
        let object = self.writer.object(of, names)?;
        let item = Writer::item(of, value)?;
        self.add(writer::create(&self.writer.model, &object, &item, self.now)?)
    }

    /// Adds an item that is created, or replaces the one that is in the table. Attributes that the
    /// struct lacks are removed, as by PutItem. The commit fails if the unique values of the item
    /// have changed after this read.
    ///
    /// # Errors
    /// The model does not allow the item, or the read failed.
    pub async fn put<T: Serialize>(&mut self, of: &str, names: &KeyNames<'_>, value: &T) -> Result<(), WriteError> {
        let object = self.writer.object(of, names)?;
        let item = Writer::item(of, value)?;
        let model = &self.writer.model;
        let changes = match self.writer.stored(&object).await? {
            Some(before) => writer::replace(model, &object, &before, &item, self.now)?,
            None => writer::create(model, &object, &item, self.now)?,
        };
        self.add(changes)
    }

    /// Adds the deletion of an item and of its guards. If there is no such item, adds nothing.
    ///
    /// # Errors
    /// The names make no key of this type, or the read failed.
    pub async fn delete(&mut self, of: &str, names: &KeyNames<'_>) -> Result<(), WriteError> {
        let object = self.writer.object(of, names)?;
        match self.writer.stored(&object).await? {
            Some(before) => self.add(writer::delete(&self.writer.model, &object, &before)?),
            None => Ok(()),
        }
    }

    /// Adds an item under new names, in place of the one under the old names. Its guards are moved.
    /// Instep deletes the children of the old item: write them in this transaction, too.
    ///
    /// # Errors
    /// There is no such item, the model does not allow the new one, or the read failed.
    pub async fn rename<T: Serialize>(
        &mut self,
        of: &str,
        names: &KeyNames<'_>,
        to: &KeyNames<'_>,
        value: &T,
    ) -> Result<(), WriteError> {
        let object = self.writer.object(of, names)?;
        let item = Writer::item(of, value)?;
        let Some(before) = self.writer.stored(&object).await? else {
            return Err(WriteError::Missing { item: of.to_owned() });
        };
        self.add(writer::rename(&self.writer.model, &object, &before, &owned(to), &item, self.now)?)
    }

    /// Makes all changes or none. May be called again: see [`Transaction`].
    ///
    /// # Errors
    /// [`WriteError::can_retry`] says whether a further commit can succeed.
    pub async fn commit(&self) -> Result<(), WriteError> {
        let actions = self.changes.actions();
        if actions.is_empty() {
            return Ok(());
        }
        // Always a transaction, although a put of one item would cost half: only a transaction has a
        // token by which DynamoDB recognises an attempt whose answer was lost.
        match self.writer.table.transact(&self.token, &[], &actions, self.writer.deadline).await {
            Ok(Transacted::Done) => Ok(()),
            Ok(Transacted::Refused(places)) => {
                let conflicts = places.into_iter().filter_map(|place| self.changes.conflict(place).cloned());
                Err(WriteError::Conflict(conflicts.collect()))
            }
            Err(failure) => Err(WriteError::from_call("TransactWriteItems", &failure)),
        }
    }

    fn add(&mut self, changes: Changes) -> Result<(), WriteError> {
        self.changes = self.changes.clone().join(changes)?;
        // Another transaction than one that was committed before.
        self.token = new_token();
        Ok(())
    }
}
