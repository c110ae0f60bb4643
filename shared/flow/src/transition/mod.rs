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

use instep_model::{ChangeVerdict, Identity, Key, Model};
use jiff::Timestamp;

use crate::mask;
use whole::ImpliedWhole;

/// All that was found.
#[derive(Debug, Default)]
pub struct Transition {
    /// The findings of each kind, each with the words for people. Of some kinds, with a reason that they share.
    pub found: BTreeMap<(TransitionKind, &'static str), BTreeSet<FoundText>>,
}

/// What was found, in words.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct FoundText {
    /// What tells it from others. It may be secret.
    id: String,
    shown: String,
}

impl FoundText {
    /// What people may see.
    #[must_use]
    pub fn shown(&self) -> &str {
        &self.shown
    }

    fn then(mut self, more: &str) -> Self {
        self.id.push_str(more);
        self.shown.push_str(more);
        self
    }
}

impl<T: Into<String>> From<T> for FoundText {
    fn from(text: T) -> Self {
        let text = text.into();
        Self { id: text.clone(), shown: text }
    }
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
        let implied = ImpliedWhole::of(old, table, pool, now)?;
        let supposed = pool.is_some_and(|pool| pool.is_unread).then(|| implied.pool());
        let mut compared = Compared {
            old: (old, implied),
            new: (new, ImpliedWhole::of(new, table, pool, now)?),
            table,
            pool: supposed.as_ref().or(pool).unwrap_or(&none),
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
    pub fn of(&self, kind: TransitionKind) -> impl Iterator<Item = &str> {
        self.found.iter().filter(move |((of, _), _)| *of == kind).flat_map(|(_, all)| all).map(FoundText::shown)
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

    fn add(&mut self, kind: TransitionKind, text: impl Into<FoundText>) {
        self.add_because(kind, "", text);
    }

    fn add_because(&mut self, kind: TransitionKind, why: &'static str, text: impl Into<FoundText>) {
        self.found.entry((kind, why)).or_default().insert(text.into());
    }
}

impl Compared<'_> {
    /// A key for people. INVARIANT 9: not that of an item that either model keeps secret.
    fn key(&self, key: &Key) -> FoundText {
        let id = format!("{} | {}", key.pk, key.sk);
        let of = |model: &Model| match model.identify(key) {
            Identity::Unknown(_) => None,
            Identity::Item { .. } | Identity::Bookkeeping => Some(mask::key(model, key).is_none()),
        };
        let is_secret = match (of(self.old.0), of(self.new.0)) {
            (None, None) => mask::key(self.old.0, key).or_else(|| mask::key(self.new.0, key)).is_none(),
            (old, new) => old.unwrap_or_default() || new.unwrap_or_default(),
        };
        let shown = if is_secret { "a secret item".to_owned() } else { id.clone() };
        FoundText { id, shown }
    }

    /// An object for people, by what [`crate::meaning::ItemMeaning`] calls it.
    fn object(&self, label: &str) -> FoundText {
        let (of, _) = label.split_once(' ').unwrap_or((label, ""));
        let is_secret = |model: &Model| model.type_named(of).is_some_and(|of| model.item(of).secret);
        let shown = if is_secret(self.old.0) || is_secret(self.new.0) { of } else { label };
        FoundText { id: label.to_owned(), shown: shown.to_owned() }
    }
}
