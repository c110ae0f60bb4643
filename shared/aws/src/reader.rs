//! For programs that ask who may do what: answers from the table, by strongly consistent reads.
//!
//! A [`Reader`] needs only a client of DynamoDB, a model and the table's name. It needs the permissions `dynamodb:BatchGetItem`
//! and `dynamodb:Query`, on the table and on its indexes.
//!
//! ```no_run
//! # async fn example(dynamodb: aws_sdk_dynamodb::Client, now: jiff::Timestamp) -> Result<(), Box<dyn std::error::Error>> {
//! use instep_answers::{Answer, NamedItem, AskedPlace, Question, WantedAccess};
//! use instep_aws::reader::Reader;
//!
//! let model = std::sync::Arc::new(instep_model::Model::load("model.toml".as_ref())?);
//! let named = |of, name, text| NamedItem::new(&model, of, [(name, text)]).ok_or("no such item type");
//! let question = Question::Can {
//!     subject: named("User", "email", "ann@example.com")?,
//!     wanted: WantedAccess::Role("admin".to_owned()),
//!     at: AskedPlace::Item(named("Group", "groupId", "/usa")?),
//! };
//! let reader = Reader::new(dynamodb, std::sync::Arc::clone(&model), "table");
//! let (answer, _) = reader.ask(question, now).await?;
//! assert!(matches!(answer, Answer::Allow(_)));
//! # Ok(())
//! # }
//! ```

use std::sync::Arc;

use aws_sdk_dynamodb::Client;
use instep_answers::{Answer, Asking, AskingStep, Question, QuestionCost, RefusedQuestion};
use instep_flow::account::{Account, account, account_key};
use instep_flow::answers::{Asks, View};
use instep_model::{Model, Object};
use jiff::Timestamp;
use thiserror::Error;
use tokio::time::Instant;

use crate::instep::Instep;
use crate::table::Table;

/// Answers questions from one table. Clones share the client.
#[derive(Debug, Clone)]
pub struct Reader {
    table: Table,
    deadline: Option<Instant>,
}

/// A question has no answer. Nothing may be allowed then.
#[derive(Debug, Error)]
pub enum AskError {
    /// The model cannot answer it.
    #[error(transparent)]
    Refused(#[from] RefusedQuestion),
    /// The table cannot be read.
    #[error("the table cannot be read: {0}")]
    Failed(String),
}

impl Reader {
    /// A reader of the table of this name, which `model` describes.
    #[must_use]
    pub fn new(dynamodb: Client, model: Arc<Model>, table: impl Into<String>) -> Self {
        Self { table: Table { dynamodb, name: table.into(), model }, deadline: None }
    }

    /// The same reader, with a time at which its calls must have ended. Without one, it gives up a busy service after six
    /// attempts.
    #[must_use]
    pub fn until(&self, deadline: Instant) -> Self {
        Self { deadline: Some(deadline), ..self.clone() }
    }

    /// The answer to a question at a moment, and what it cost.
    ///
    /// # Errors
    /// The model cannot answer it, or the table cannot be read.
    pub async fn ask(&self, question: Question, now: Timestamp) -> Result<(Answer, QuestionCost), AskError> {
        let mut asking = Asking::new(&self.table.model, question, now)?;
        loop {
            match asking.next() {
                AskingStep::Done(answer) => return Ok((answer, asking.cost())),
                AskingStep::Read(asks) => {
                    let read = self.table.read(&asks, None, self.deadline).await;
                    asking.read(read.map_err(AskError::Failed)?);
                }
            }
        }
    }
}

impl Reader {
    /// What the account item of an object says: which Cognito user serves it. `None` if there is none.
    ///
    /// # Errors
    /// The table cannot be read.
    pub async fn account(&self, of: &Object) -> Result<Option<Account>, AskError> {
        let key = account_key(&self.table.model, of);
        let asks = Asks { keys: [key.clone()].into(), ..Asks::default() };
        let answers = self.table.read(&asks, None, self.deadline).await.map_err(AskError::Failed)?;
        let item = View::new(&self.table.model, &answers).item(&key).ok().flatten();
        Ok(item.and_then(account))
    }
}

impl Instep {
    /// A reader of the same table.
    #[must_use]
    pub fn reader(&self) -> Reader {
        Reader { table: self.table.clone(), deadline: None }
    }
}
