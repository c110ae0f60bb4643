//! What a run leaves as it is, and people should know: nothing else would show that a key is misspelt.

use instep_model::{Item, LinkId, Object, TypeId};

use super::Pass;
use crate::entries::{Entries, EntryId};
use crate::plan::Mentions;
use crate::{implied, pending};

/// Something in the table that Instep leaves as it is.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Finding {
    /// The entry that shows it.
    pub entry: EntryId,
    /// Its kind.
    pub kind: FindingKind,
    /// The item type of the guard, or of the item that refers.
    pub of: TypeId,
    /// What it is, in words.
    pub why: String,
    /// How many items it is about.
    pub count: u64,
}

/// A kind of finding.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum FindingKind {
    /// A guard names an owner that does not exist.
    OwnerMissing,
    /// A guard names no owner, and no item in the batch has its value.
    OwnerUnnamed,
    /// No claim of the model leads to a guard.
    GuardOfNoClaim,
    /// What an item refers to does not exist.
    ReferenceToNothing,
    /// An item was written again before its deletion was handled, and has children.
    ChildrenKept,
}

impl FindingKind {
    /// The word for it in logs and metrics.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Self::OwnerMissing => "owner-missing",
            Self::OwnerUnnamed => "owner-unnamed",
            Self::GuardOfNoClaim => "guard-of-no-claim",
            Self::ReferenceToNothing => "reference-to-nothing",
            Self::ChildrenKept => "children-kept",
        }
    }

    /// Whether it is about a guard.
    #[must_use]
    pub const fn is_of_guard(self) -> bool {
        match self {
            Self::OwnerMissing | Self::OwnerUnnamed | Self::GuardOfNoClaim => true,
            Self::ReferenceToNothing | Self::ChildrenKept => false,
        }
    }
}

impl Pass<'_> {
    /// What an item refers to does not exist. Until it does, nothing follows from the reference. If a write has
    /// just made it, its id may be misspelt.
    pub(super) fn leads_to_nothing(&mut self, id: LinkId, object: &Object, mentions: &Mentions, target: &Object) {
        let link = self.model.link(id);
        let leads = |image: &Option<Item>| {
            image.as_ref().is_some_and(|image| implied::targets(self.model, id, object, Some(image)).contains(target))
        };
        let is_new = mentions.changes().any(|change| leads(&change.new) && !leads(&change.old));
        let why = pending::on_link(self.model, link, target);
        if is_new {
            self.finding(&mentions.entries(), FindingKind::ReferenceToNothing, link.from, &why, 1);
        } else {
            self.note(&mentions.entries(), &why);
        }
    }

    /// Adds a finding about so many items, and says it of its entries.
    pub(super) fn finding(&mut self, entries: &Entries, kind: FindingKind, of: TypeId, why: &str, count: u64) {
        self.note(entries, why);
        let findings = entries.iter().map(|entry| Finding { entry, kind, of, why: why.to_owned(), count });
        self.desired.findings.extend(findings);
    }
}
