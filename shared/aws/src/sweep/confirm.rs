//! The second read of differences.

use std::collections::BTreeSet;

use instep_flow::sweep::{About, Candidate, Difference, DifferenceKind, SweepTally};
use instep_model::{Key, Object};
use serde::{Deserialize, Serialize};

use super::read::candidates;
use super::repairs::{Repairs, lost_references};
use crate::instep::Instep;
use crate::run_options::RunOptions;

/// What a difference of a sweep says to people.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct FoundDifference {
    /// Its kind.
    pub kind: DifferenceKind,
    /// What differs.
    pub about: String,
    /// Why.
    pub why: String,
    /// Whether a sweep repairs it.
    pub repairable: bool,
    /// Whether that takes something out of Cognito.
    pub removes: bool,
    /// What people can do.
    pub advice: Option<String>,
}

impl FoundDifference {
    /// What a difference says.
    #[must_use]
    pub fn of(found: &Difference) -> Self {
        Self {
            kind: found.kind,
            about: found.about.to_string(),
            why: found.why.clone(),
            repairable: found.is_repairable(),
            removes: found.removes(),
            advice: found.advice().map(str::to_owned),
        }
    }
}

/// Differences that both reads show, and what follows.
#[derive(Debug, Serialize, Deserialize)]
pub(super) struct Confirmed {
    pub(super) differences: Vec<FoundDifference>,
    /// The items whose back-references are lost.
    pub(super) references: BTreeSet<Key>,
    pub(super) repairs: Repairs,
}

impl Confirmed {
    /// What follows from differences.
    pub(super) fn of(differences: &[Difference]) -> Self {
        Self {
            differences: differences.iter().map(FoundDifference::of).collect(),
            references: lost_references(differences),
            repairs: Repairs::of(differences),
        }
    }
}

/// What the second read of so many differences counts.
pub(super) fn tally_of(found: usize, confirmed: &[Difference]) -> SweepTally {
    let mut tally = SweepTally { in_progress: found.saturating_sub(confirmed.len()) as u64, ..SweepTally::default() };
    for difference in confirmed {
        *tally.kinds.entry(difference.kind).or_default() += 1;
        tally.repairable += u64::from(difference.is_repairable());
        tally.own += u64::from(difference.deletes_own());
        tally.orphans += u64::from(difference.is_repairable() && difference.kind == DifferenceKind::Orphan);
        tally.reported += u64::from(!difference.is_repairable() && !difference.kind.is_of_writers());
        tally.removals += u64::from(difference.removes());
    }
    tally
}

impl Instep {
    /// Those differences that are still there, by reads of their own.
    pub(super) async fn confirmed(&self, found: &[Candidate], run: &RunOptions) -> Result<Vec<Difference>, String> {
        let mut confirmed: Vec<Difference> = Vec::new();
        for chunk in found.chunks(super::table::CHECKED) {
            let mut again = self.again(chunk, run).await?;
            let is_missing = |user: &str| {
                let is_it = |about: &About| matches!(about, About::User(missing) if missing == user);
                chunk.iter().any(|found| found.kind == DifferenceKind::MissingUser && is_it(&found.about))
            };
            // The first read could not know whose the memberships of a user with another address are.
            let is_of_missing = |difference: &Difference| {
                let is_extra = difference.kind == DifferenceKind::ExtraMember;
                is_extra && matches!(&difference.about, About::Member(member) if is_missing(&member.user))
            };
            again.retain(|found| chunk.iter().any(|candidate| candidate.is(found)) || is_of_missing(found));
            confirmed.extend(again);
        }
        // Two sides may have found one difference.
        let mut known = BTreeSet::new();
        confirmed.retain(|difference| known.insert((difference.kind, difference.about.clone())));
        confirmed.sort_by(|one, other| (one.kind, &one.about).cmp(&(other.kind, &other.about)));
        self.cognito.without_doubtful(confirmed, run).await
    }

    /// What is different now of what was different.
    async fn again(&self, chunk: &[Candidate], run: &RunOptions) -> Result<Vec<Difference>, String> {
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
        let mut again = self.check_items(items, run).await?;
        let Some(pool) = &self.settings.user_pool else { return Ok(again) };
        let mut there = Vec::new();
        for user in users {
            there.extend(self.cognito.user(pool, &user, run).await?);
        }
        let mut own = Vec::new();
        for group in groups {
            own.extend(self.cognito.group(pool, &group, run).await?);
        }
        let members = self.cognito.present(members, run).await?;
        again.extend(self.check_pool(there, own, members, run).await?);
        Ok(again)
    }

    /// The differences of one object and what depends on it, of one read, and how much was read.
    pub(super) async fn only(&self, object: &Object, run: &RunOptions) -> Result<(Vec<Candidate>, SweepTally), String> {
        let related = self.related_to(object, run).await?;
        let (mut found, mut tally) = (Vec::new(), SweepTally::default());
        tally.items = related.items.len() as u64;
        tally.users = related.users.len() as u64;
        tally.groups = related.groups.len() as u64;
        tally.members = related.members.len() as u64;
        for items in related.items.chunks(super::table::CHECKED) {
            let items = items.iter().map(|(_, item)| item.clone()).collect();
            found.extend(candidates(&self.check_items(items, run).await?));
        }
        found.extend(candidates(&self.check_pool(related.users, related.groups, related.members, run).await?));
        Ok((found, tally))
    }
}
