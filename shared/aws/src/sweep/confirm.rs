//! The second read of differences.

use std::collections::BTreeSet;

use instep_flow::sweep::{About, Difference, Repair};
use instep_flow::work::Extra;
use instep_model::{Key, Object};

use super::{Known, Swept};
use crate::instep::{Instep, Run};

impl Instep {
    /// Those differences that are still there, by reads of their own.
    pub(super) async fn confirmed(&self, found: Vec<Difference>, run: &Run) -> Result<Vec<Difference>, String> {
        let mut confirmed = Vec::new();
        for chunk in found.chunks(super::table::CHECKED) {
            let again = self.again(chunk, run).await?;
            let is_still = |difference: &Difference| {
                again.iter().any(|other| other.kind == difference.kind && other.about == difference.about)
            };
            confirmed.extend(chunk.iter().filter(|difference| is_still(difference)).cloned());
        }
        // Two sides may have found one difference.
        let mut known = BTreeSet::new();
        confirmed.retain(|difference| known.insert((difference.kind, difference.about.clone())));
        confirmed.sort_by(|one, other| (one.kind, &one.about).cmp(&(other.kind, &other.about)));
        Ok(confirmed)
    }

    /// What is different now of what was different.
    async fn again(&self, chunk: &[Difference], run: &Run) -> Result<Vec<Difference>, String> {
        let mut keys: BTreeSet<Key> = BTreeSet::new();
        let (mut users, mut groups, mut members) = (BTreeSet::new(), BTreeSet::new(), Vec::new());
        for Difference { about, repair, .. } in chunk {
            match (about, repair) {
                (_, Repair::Items(of)) => keys.extend(of.iter().cloned()),
                (_, Repair::Extra(Extra { entries, .. })) if !entries.is_empty() => {
                    keys.extend(entries.iter().cloned())
                }
                (About::Item(_, key), _) => keys.extend([key.clone()]),
                (About::User(user), _) => drop(users.insert(user.clone())),
                (About::Group(group), _) => drop(groups.insert(group.clone())),
                (About::Member(member), _) => members.push(member.clone()),
            }
        }
        let items = self.items_at(&keys, run).await?;
        let mut again = self.check_items(items, &Known::Nothing, run).await?;
        let Some(pool) = &self.settings.user_pool else { return Ok(again) };
        let mut there = Vec::new();
        for user in users {
            there.extend(self.user(pool, &user, run).await?);
        }
        let mut own = Vec::new();
        for group in groups {
            own.extend(self.group(pool, &group, run).await?.map(|_| group));
        }
        let members = self.present(members, run).await?;
        again.extend(self.check_pool(there, own, members, run).await?);
        Ok(again)
    }

    /// Sweeps one object and what depends on it.
    pub(super) async fn only(&self, object: &Object, run: &Run, swept: &mut Swept) -> Result<(), String> {
        let related = self.related_to(object, run).await?;
        swept.items = related.items.len() as u64;
        for items in related.items.chunks(super::table::CHECKED) {
            let items = items.iter().map(|(_, item)| item.clone()).collect();
            swept.keep(self.check_items(items, &Known::Nothing, run).await?);
        }
        swept.keep(self.check_pool(related.users.clone(), related.groups.clone(), related.members.clone(), run).await?);
        swept.users = related.users.len() as u64;
        swept.groups = related.groups.len() as u64;
        swept.members = related.members.len() as u64;
        Ok(())
    }
}
