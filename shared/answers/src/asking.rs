//! Asking a question: a state machine without I/O, which reads in rounds.

use instep_flow::answers::{Answers, Asks, View};
use instep_model::{Model, Object};
use jiff::Timestamp;

use crate::answer::{Answer, Denied, Reason};
use crate::evaluation::{Evaluation, EvaluationStop};
use crate::question::{Question, RefusedQuestion};
use crate::who::after;

/// The rounds after which a question is undecided. INVARIANT 8: levels of scopes and roles end long before.
const ROUNDS_MAX: usize = 100;

/// The maximum number of keys of one BatchGetItem. Source: Amazon DynamoDB API Reference, BatchGetItem.
const KEYS_IN_A_CALL: usize = 100;

/// A question that is being answered.
#[derive(Debug)]
pub struct Asking<'m> {
    model: &'m Model,
    question: Question,
    /// The subject after which the page of a list begins.
    after: Option<Object>,
    now: Timestamp,
    read: Answers,
    cost: QuestionCost,
}

/// What a question costs.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct QuestionCost {
    /// The calls to DynamoDB, if no query has more than a page.
    pub calls: usize,
    /// The rounds: the calls of one are made at the same time.
    pub rounds: usize,
}

/// What comes next.
#[derive(Debug)]
pub enum AskingStep {
    /// This must be read.
    Read(Asks),
    /// The answer.
    Done(Answer),
}

impl<'m> Asking<'m> {
    /// Asks a question, at a moment.
    ///
    /// # Errors
    /// The model cannot answer it.
    pub fn new(model: &'m Model, question: Question, now: Timestamp) -> Result<Self, RefusedQuestion> {
        question.check(model)?;
        let after = match &question {
            Question::Who { from, .. } => after(model, from.as_deref())?,
            Question::Can { .. } | Question::What { .. } | Question::Scopes { .. } => None,
        };
        Ok(Self { model, question, after, now, read: Answers::default(), cost: QuestionCost::default() })
    }

    /// The next step.
    #[expect(clippy::should_implement_trait, reason = "it ends with a value, and asks its driver in between")]
    pub fn next(&mut self) -> AskingStep {
        let mut view = View::new(self.model, &self.read);
        let mut evaluation = Evaluation { view: &mut view, model: self.model, now: self.now };
        let answer = match &self.question {
            Question::Can { subject, wanted, at } => evaluation.can(subject, wanted, at),
            Question::What { subject } => evaluation.what(subject),
            Question::Scopes { at } => evaluation.scopes(at),
            Question::Who { wanted, at, from: _ } => evaluation.who(at, wanted, self.after.as_ref()),
        };
        let asks = view.asks;
        match answer {
            Ok(answer) => AskingStep::Done(answer),
            Err(EvaluationStop::Unread) if !asks.is_empty() && self.cost.rounds < ROUNDS_MAX => {
                self.cost.rounds += 1;
                self.cost.calls += calls_of(&asks);
                AskingStep::Read(asks)
            }
            Err(EvaluationStop::Unread | EvaluationStop::Undecided) => {
                AskingStep::Done(Answer::Deny(Denied { reasons: [Reason::Undecided].into(), ..Denied::default() }))
            }
        }
    }

    /// Takes what was read.
    pub fn read(&mut self, answers: Answers) {
        self.read.extend(answers);
    }

    /// What it has cost so far.
    #[must_use]
    pub const fn cost(&self) -> QuestionCost {
        self.cost
    }
}

/// The calls that read all of this.
pub(crate) fn calls_of(asks: &Asks) -> usize {
    asks.keys.len().div_ceil(KEYS_IN_A_CALL) + asks.queries.len() + asks.pages.len()
}
