//! A run: the product's own loop over what it holds, and the calls that the loop asks for.

use std::collections::{BTreeMap, BTreeSet};
use std::mem;

use instep_flow::answers::{Answers, Asks, Page, PageAsk, Query};
use instep_flow::effect::{Effect, Effects, Phase, lanes};
use instep_flow::plan::Plan;
use instep_flow::reconcile::{Applied, Next, Reconciler};
use instep_model::{Item as Attributes, Key};

use crate::design::{Design, moment};
use crate::message::Message;
use crate::rules::{Rule, Rules};
use crate::world::{SmallMembership, SmallObject};

/// Where a run's records or messages come from.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum Source {
    /// A shard, and how many of its first records. They are delivered again until a run over them
    /// ends.
    Shard(u8, usize),
    /// The work queue. The messages are delivered again until a run over them ends.
    Queue(Vec<Message>),
    /// A delivery that is not repeated.
    Once,
}

/// What a run reads with one call. The product reads many items with one call, but not as a
/// snapshot.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Ask {
    /// An item.
    Item(Key),
    /// All rows of a query.
    Rows(Query),
    /// A page of a query.
    Page(PageAsk),
    /// The Cognito groups of a user.
    Groups(String),
}

/// The answer to an [`Ask`] of the same name.
#[derive(Debug, Clone, Hash)]
pub enum CallAnswer {
    /// An item.
    Item(Option<Attributes>),
    /// Rows.
    Rows(Vec<Attributes>),
    /// A page.
    Page(Page),
    /// Groups.
    Groups(BTreeSet<String>),
}

/// A run.
#[derive(Debug, Clone, Hash)]
pub struct Run<'d> {
    /// Where its records and messages come from.
    pub source: Source,
    /// The objects that its records and messages name.
    pub holds: BTreeSet<SmallObject>,
    /// What it has to read.
    pub asks: BTreeSet<Ask>,
    /// The back-references that it has to write before it reads.
    pub references: BTreeMap<Key, Attributes>,
    /// What it has to apply in this phase.
    pub due: Effects,
    /// It has reconciled, and parks and publishes next.
    pub is_reconciled: bool,
    /// It gave up.
    pub has_failed: bool,
    /// It has made a call.
    pub has_acted: bool,
    /// It has created a user or group, or may have.
    pub has_created: bool,
    /// Memberships that were implied at some moment since it began to read. Only where the world
    /// asks for it.
    pub seen: BTreeSet<SmallMembership>,
    answers: Answers,
    reads_again: bool,
    reconciler: Reconciler<'d>,
    without: Without,
}

/// What a run keeps in mind if a rule is off.
#[derive(Debug, Clone, Hash, Default)]
struct Without {
    /// Without [`Rule::ReadAgain`]: the first answers.
    answers: BTreeMap<Ask, CallAnswer>,
    /// Without [`Rule::RevokeFirst`]: the revocations.
    revocations: Effects,
    /// Without [`Rule::ReferenceFirst`] and [`Rule::TombstoneFirst`]: what is written too late.
    late: BTreeMap<Key, Attributes>,
}

impl<'d> Run<'d> {
    /// A run over what a plan names.
    #[must_use]
    pub fn begin(design: &'d Design, rules: &Rules, source: Source, plan: Plan, clock: u32) -> Self {
        let references = plan.references.iter().map(|(key, (item, _))| (key.clone(), item.clone()));
        let (now, late) = references.partition(|_| rules.has(Rule::ReferenceFirst));
        let mut run = Self {
            source,
            holds: plan.objects.keys().filter_map(|object| design.known(object)).collect(),
            asks: BTreeSet::new(),
            references: now,
            due: BTreeMap::new(),
            is_reconciled: false,
            has_failed: false,
            has_acted: false,
            has_created: false,
            seen: BTreeSet::new(),
            answers: Answers::default(),
            reads_again: true,
            reconciler: Reconciler::new(&design.model, plan, moment(clock)),
            without: Without { late, ..Without::default() },
        };
        run.advance(rules);
        run
    }

    /// Whether it begins to read everything.
    #[must_use]
    pub fn begins_to_read(&self) -> bool {
        self.reads_again && !self.asks.is_empty()
    }

    /// The places in [`Run::due`] of the effects that may come next: the first of each lane.
    #[must_use]
    pub fn next_effects(&self, any_order: bool) -> Vec<usize> {
        let lanes = lanes(self.due.keys().map(|effect| &**effect));
        let first = lanes.into_iter().filter_map(|lane| lane.into_iter().next());
        first.take(if any_order { usize::MAX } else { 1 }).collect()
    }

    /// An effect that is due.
    #[must_use]
    pub fn effect(&self, nth: usize) -> Option<&Effect> {
        self.due.keys().nth(nth).map(|effect| &**effect)
    }

    /// Whether it has something left to revoke.
    #[must_use]
    pub fn has_to_revoke(&self) -> bool {
        self.due.keys().chain(self.without.revocations.keys()).any(|effect| effect.phase() == Phase::Revoke)
    }

    /// Takes an answer.
    pub fn answer(&mut self, rules: &Rules, ask: Ask, answer: CallAnswer) {
        self.asks.remove(&ask);
        self.reads_again = false;
        if !rules.has(Rule::ReadAgain) {
            self.without.answers.insert(ask.clone(), answer.clone());
        }
        self.take(ask, answer);
        self.advance(rules);
    }

    fn take(&mut self, ask: Ask, answer: CallAnswer) {
        match (ask, answer) {
            (Ask::Item(key), CallAnswer::Item(item)) => self.answers.item(key, item),
            (Ask::Rows(query), CallAnswer::Rows(rows)) => self.answers.rows(query, rows),
            (Ask::Page(ask), CallAnswer::Page(page)) => self.answers.page(ask, page),
            (Ask::Groups(user), CallAnswer::Groups(groups)) => self.answers.groups_of(user, groups),
            (_, _) => {}
        }
    }

    /// Stores the outcome of an effect.
    pub fn applied(&mut self, rules: &Rules, effect: &Effect, applied: Applied) {
        self.has_acted = true;
        self.has_created |= applied == Applied::Done { created: true };
        let Some((effect, places)) = self.due.remove_entry(effect) else { return };
        self.reads_again |= effect.needs_second_read() || applied == Applied::Changed;
        self.reconciler.applied(&effect, &places, applied);
        self.advance(rules);
    }

    /// It writes a back-reference.
    pub fn refer(&mut self, rules: &Rules) -> Option<(Key, Attributes)> {
        self.has_acted = true;
        let written = self.references.pop_first();
        self.advance(rules);
        written
    }

    /// It writes a bookkeeping item later than it should.
    pub fn defer(&mut self, (key, item): (Key, Attributes)) {
        self.without.late.insert(key, item);
    }

    /// Continues with the next call.
    fn advance(&mut self, rules: &Rules) {
        while self.references.is_empty() && self.asks.is_empty() && self.due.is_empty() && !self.is_reconciled {
            if !self.without.revocations.is_empty() {
                self.go_past_revocations();
                continue;
            }
            self.reconciler.answer(mem::take(&mut self.answers), std::time::Duration::ZERO);
            match self.reconciler.next() {
                Next::Read(asks) => self.ask(asks),
                Next::Apply(effects) if is_revocation(&effects) && !rules.has(Rule::RevokeFirst) => {
                    self.without.revocations = effects;
                }
                Next::Apply(effects) => {
                    let is_last = effects.keys().any(|effect| effect.phase() >= Phase::Follow);
                    self.references = if is_last { mem::take(&mut self.without.late) } else { BTreeMap::new() };
                    self.due = effects;
                }
                Next::Done(_) if !self.without.late.is_empty() => self.references = mem::take(&mut self.without.late),
                Next::Done(reconciled) => {
                    self.has_failed = reconciled.failed.is_some();
                    self.is_reconciled = true;
                }
            }
        }
    }

    fn ask(&mut self, Asks { keys, queries, pages, groups_of }: Asks) {
        let asks = keys.into_iter().map(Ask::Item).chain(queries.into_iter().map(Ask::Rows));
        let asks = asks.chain(pages.into_iter().map(Ask::Page)).chain(groups_of.into_iter().map(Ask::Groups));
        for ask in asks {
            match self.without.answers.get(&ask).cloned() {
                Some(answer) => self.take(ask, answer),
                None => drop(self.asks.insert(ask)),
            }
        }
    }

    fn go_past_revocations(&mut self) {
        match overtaking(&self.reconciler) {
            Some((reconciler, effects)) => (self.reconciler, self.due) = (reconciler, effects),
            None => self.due = mem::take(&mut self.without.revocations),
        }
    }
}

fn is_revocation(effects: &Effects) -> bool {
    effects.keys().all(|effect| effect.phase() == Phase::Revoke)
}

/// Without [`Rule::RevokeFirst`] the loop goes on to the effects that it would apply after the
/// revocations.
fn overtaking<'d>(loop_: &Reconciler<'d>) -> Option<(Reconciler<'d>, Effects)> {
    let mut ahead = loop_.clone();
    match ahead.next() {
        Next::Apply(effects) if effects.keys().all(|effect| is_grant(effect)) => Some((ahead, effects)),
        Next::Apply(_) | Next::Read(_) | Next::Done(_) => None,
    }
}

fn is_grant(effect: &Effect) -> bool {
    matches!(effect, Effect::EnsureGroup { .. } | Effect::EnsureUser(_) | Effect::AddMember(_))
}
