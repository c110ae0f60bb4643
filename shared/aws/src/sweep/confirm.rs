//! The second read of differences.

use std::collections::BTreeSet;

use instep_flow::sweep::{About, Candidate, Difference};
use instep_model::{Key, Object};

use super::{Known, Swept};
use crate::instep::{Instep, Run};

impl Instep {
    /// Those differences that are still there, by reads of their own.
    pub(super) async fn confirmed(&self, found: &[Candidate], run: &Run) -> Result<Vec<Difference>, String> {
        let mut confirmed: Vec<Difference> = Vec::new();
        for chunk in found.chunks(super::table::CHECKED) {
            let mut again = self.again(chunk, run).await?;
            again.retain(|difference| chunk.iter().any(|candidate| candidate.is(difference)));
            confirmed.extend(again);
        }
        // Two sides may have found one difference.
        let mut known = BTreeSet::new();
        confirmed.retain(|difference| known.insert((difference.kind, difference.about.clone())));
        confirmed.sort_by(|one, other| (one.kind, &one.about).cmp(&(other.kind, &other.about)));
        self.without_doubtful(confirmed, run).await
    }

    /// What is different now of what was different.
    async fn again(&self, chunk: &[Candidate], run: &Run) -> Result<Vec<Difference>, String> {
        let mut keys: BTreeSet<Key> = BTreeSet::new();
        let (mut users, mut groups, mut members) = (BTreeSet::new(), BTreeSet::new(), Vec::new());
        for Candidate { about, keys: of, .. } in chunk {
            match about {
                _ if !of.is_empty() => keys.extend(of.iter().cloned()),
                About::Item(_, key) => keys.extend([key.clone()]),
                About::User(user) => drop(users.insert(user.clone())),
                About::Group(group) => drop(groups.insert(group.clone())),
                About::Member(member) => members.push(member.clone()),
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
