//! What earlier models have left, while the change to a later one is under way.

use std::collections::BTreeSet;

use instep_model::{Item, Model};

use super::{About, Difference, DifferenceKind, Repair};
use crate::effect::{Effect, Effects};
use crate::implied::Membership;
use crate::meaning::{Dependence, meaning};

/// What people can do about an item that stays.
const STAYS: &str =
    "write the key or the attribute by which it is found, or let it stay: `instep change --approve HASH`";

/// What earlier models imply of a part of the pool, by the present items.
#[derive(Debug, Default)]
pub struct FormerPool {
    pub(super) members: BTreeSet<Membership>,
    pub(super) users: BTreeSet<String>,
    pub(super) groups: BTreeSet<String>,
}

impl FormerPool {
    /// Notes what a run under an earlier model would make.
    pub fn note(&mut self, effects: &Effects) {
        for effect in effects.keys() {
            match &**effect {
                Effect::AddMember(add) => drop(self.members.insert(add.membership.clone())),
                Effect::EnsureUser(ensure) => drop(self.users.insert(ensure.user.clone())),
                Effect::EnsureGroup { group, .. } => drop(self.groups.insert(group.clone())),
                Effect::DeleteGroup { .. }
                | Effect::RemoveMember(_)
                | Effect::SignOut { .. }
                | Effect::DisableUser { .. }
                | Effect::DeleteUser { .. }
                | Effect::Write(_)
                | Effect::MarkDeleted(_)
                | Effect::DeleteSubject(_)
                | Effect::DeletePage(_)
                | Effect::SendObjects(_)
                | Effect::SendDependents(_) => {}
            }
        }
    }
}

/// The items that were found and deleted with what they depend on under an earlier model, and are not under this one.
#[must_use]
pub fn former_links(model: &Model, former: &Model, items: &[Item]) -> Vec<Difference> {
    let of_item = |item: &Item| {
        let key = model.table.key_of(item)?;
        let (was, is) = (meaning(former, item)?, meaning(model, item)?);
        let stays = |label: &String| !is.depends_on.get(label).is_some_and(Dependence::goes);
        let (_, before) = was.depends_on.iter().find(|(label, before)| before.goes() && stays(label))?;
        Some(Difference {
            kind: DifferenceKind::FormerLink,
            about: About::item(model, &key),
            why: format!("it was deleted with its {} under an earlier model, and stays under this one", before.on),
            repair: Repair::Report(STAYS),
        })
    };
    items.iter().filter_map(of_item).collect()
}
