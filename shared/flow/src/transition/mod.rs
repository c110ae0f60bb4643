//! From one model to another: what differs between what the two make of the same table and user pool, and what exists.
//!
//! A finding is a difference between what the old and the new model imply, or between one of them and what exists. Both
//! are asked as a sweep asks a model: by the [`crate::reconcile::Reconciler`], with nothing applied.

mod cognito;
mod items;
mod kind;
mod stored;
mod whole;

pub use kind::{DoneBy, KindRow, TransitionKind, TransitionSection};
pub use stored::{StoredPool, StoredTable};

use std::collections::{BTreeMap, BTreeSet};

use instep_model::{ChangeVerdict, Key, Model};
use jiff::Timestamp;

use whole::ImpliedWhole;

/// All that was found.
#[derive(Debug, Default)]
pub struct Transition {
    /// The findings of each kind, each with the words for people. Of some kinds, with a reason that they share.
    pub found: BTreeMap<(TransitionKind, &'static str), BTreeSet<String>>,
}

/// What a plan counts in its last line.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, serde::Serialize)]
#[serde(rename_all = "camelCase")]
pub struct TransitionTotals {
    /// Memberships that are given.
    pub gives: usize,
    /// Memberships that are to be taken.
    pub takes: usize,
    /// Users that are to be deleted.
    pub deletes_users: usize,
    /// Groups that are to be deleted.
    pub deletes_groups: usize,
    /// Items that are to be deleted.
    pub deletes_items: usize,
    /// Invitations by mail.
    pub sends_mails: usize,
}

/// What is compared.
struct Compared<'a> {
    old: (&'a Model, ImpliedWhole),
    new: (&'a Model, ImpliedWhole),
    table: &'a StoredTable,
    pool: &'a StoredPool,
    found: Transition,
}

impl Transition {
    /// What differs.
    ///
    /// # Errors
    /// One of the models asks for more reads than a run does.
    pub fn between(
        old: &Model,
        new: &Model,
        table: &StoredTable,
        pool: Option<&StoredPool>,
        now: Timestamp,
    ) -> Result<Self, String> {
        let none = StoredPool::default();
        let mut compared = Compared {
            old: (old, ImpliedWhole::of(old, table, pool, now)?),
            new: (new, ImpliedWhole::of(new, table, pool, now)?),
            table,
            pool: pool.unwrap_or(&none),
            found: Self::default(),
        };
        compared.cognito();
        compared.items();
        Ok(compared.found)
    }

    /// The verdict on these findings alone.
    #[must_use]
    pub fn verdict(&self) -> ChangeVerdict {
        self.found.keys().map(|(kind, _)| kind.verdict()).max().unwrap_or(ChangeVerdict::Deploy)
    }

    /// How many there are of a kind.
    #[must_use]
    pub fn count(&self, kind: TransitionKind) -> usize {
        self.of(kind).count()
    }

    /// All of a kind.
    pub fn of(&self, kind: TransitionKind) -> impl Iterator<Item = &String> {
        self.found.iter().filter(move |((of, _), _)| *of == kind).flat_map(|(_, all)| all)
    }

    /// What the last line says. `invites`: whether users who are made get a mail.
    #[must_use]
    pub fn totals(&self, invites: bool) -> TransitionTotals {
        let count = |kinds: &[TransitionKind]| kinds.iter().map(|kind| self.count(*kind)).sum();
        TransitionTotals {
            gives: count(&[TransitionKind::Given]),
            takes: count(&[TransitionKind::Taken, TransitionKind::SweptMembers]),
            deletes_users: count(&[TransitionKind::LeftUsers, TransitionKind::SweptUsers]),
            deletes_groups: count(&[TransitionKind::LeftGroups]),
            deletes_items: count(&[TransitionKind::DeletedItems, TransitionKind::SweptOrphans]),
            sends_mails: if invites { count(&[TransitionKind::NewUsers]) } else { 0 },
        }
    }

    fn add(&mut self, kind: TransitionKind, text: impl Into<String>) {
        self.add_because(kind, "", text);
    }

    fn add_because(&mut self, kind: TransitionKind, why: &'static str, text: impl Into<String>) {
        self.found.entry((kind, why)).or_default().insert(text.into());
    }
}

/// A key for people.
fn key_text(Key { pk, sk }: &Key) -> String {
    format!("{pk} | {sk}")
}
