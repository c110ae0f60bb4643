//! What a page of the table wants of the pool's users, to be compared with the names that other units
//! have read there.
//!
//! Both sides are divided by the hash of the user's name. So one part of the names has all that is
//! needed to compare that part, and a part fits the memory of a process.

use std::collections::BTreeSet;

use instep_model::Key;
use serde::{Deserialize, Serialize};
use sha2::{Digest as _, Sha256};

use super::{About, Difference, DifferenceKind, Repair};
use crate::implied::Membership;
use crate::work::{Leftovers, is_false};

/// The bytes of a name: the hash of its user and, of a membership, the hash of both.
const NAME_BYTES: usize = 16;

/// A difference of one read, to be read once more.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Candidate {
    /// Its kind.
    pub kind: DifferenceKind,
    /// What differs.
    pub about: About,
    /// The items that showed it.
    #[serde(default, skip_serializing_if = "BTreeSet::is_empty")]
    pub keys: BTreeSet<Key>,
    /// A sweep only reports it.
    #[serde(default, skip_serializing_if = "is_false")]
    pub reported: bool,
}

impl Candidate {
    /// A difference, to be read once more.
    #[must_use]
    pub fn of(found: &Difference) -> Self {
        let keys = match (&found.repair, &found.about) {
            (Repair::Items(keys), _) => keys.clone(),
            (Repair::Extra(Leftovers { bookkeeping, .. }), _) if !bookkeeping.is_empty() => {
                bookkeeping.iter().cloned().collect()
            }
            (_, About::Item(_, key)) => BTreeSet::from([key.clone()]),
            (_, About::Member(_) | About::User(_) | About::Group(_)) => BTreeSet::new(),
        };
        Self { kind: found.kind, about: found.about.clone(), keys, reported: !found.is_repairable() }
    }

    /// Whether this is that difference.
    #[must_use]
    pub fn is(&self, found: &Difference) -> bool {
        found.kind == self.kind && found.about == self.about
    }
}

/// Something that the table implies of a user: it is a difference if the pool lacks it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Wanted {
    /// The user.
    pub user: String,
    /// Whether that is the `sub` of the user's account.
    pub sub: bool,
    /// The group in which the user has to be. `None`: the user has to exist.
    pub group: Option<String>,
    /// The membership is pending while the user does not exist.
    pub only_if_user: bool,
    /// The difference.
    pub difference: Difference,
}

/// The hash of a name.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Hash(u64);

impl Hash {
    fn of(parts: [&str; 2]) -> Self {
        let mut hash = Sha256::new();
        parts.iter().for_each(|part| {
            hash.update(part.as_bytes());
            // No name contains it.
            hash.update([0]);
        });
        let bytes = hash.finalize();
        Self(bytes.iter().take(8).fold(0, |value, byte| value << 8 | u64::from(*byte)))
    }

    /// The part of the names to which a user belongs.
    #[must_use]
    pub fn part(self, parts: u32) -> u32 {
        u32::try_from(self.0 % u64::from(parts.max(1))).unwrap_or_default()
    }

    fn is_in(self, parts: u32, (of, nth): (u64, u64)) -> bool {
        (self.0 / u64::from(parts.max(1))) % of.max(1) == nth
    }
}

/// A user, or a membership: the hash of the user's name, and of both names. A user alone has no second
/// hash.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct NameHash {
    /// The user.
    pub user: Hash,
    member: Option<Hash>,
}

impl NameHash {
    /// A user.
    #[must_use]
    pub fn user(user: &str, folds_case: bool) -> Self {
        Self { user: Hash::of([&folded(user, folds_case), ""]), member: None }
    }

    /// A user, by the `sub` of the account.
    #[must_use]
    pub fn sub(sub: &str) -> Self {
        Self { user: Hash::of([&by_sub(sub), ""]), member: None }
    }

    /// A membership.
    #[must_use]
    pub fn member(of: &Membership, folds_case: bool) -> Self {
        let user = if of.sub { by_sub(&of.user) } else { folded(&of.user, folds_case) };
        Self { user: Hash::of([&user, ""]), member: Some(Hash::of([&user, &of.group])) }
    }

    fn bytes(self) -> [u8; NAME_BYTES] {
        // The hash of a membership is never that of a user alone.
        let (user, member) = (self.user.0, self.member.map_or(0, |member| member.0.max(1)));
        (u128::from(user) << 64 | u128::from(member)).to_be_bytes()
    }
}

/// No user has such a name: it contains white space.
fn by_sub(sub: &str) -> String {
    format!("sub {sub}")
}

fn folded(user: &str, folds_case: bool) -> String {
    if folds_case { user.to_lowercase() } else { user.to_owned() }
}

/// What the table wants of a user, as it is kept until it is compared.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct KeptWant {
    name: NameHash,
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    only_if_user: bool,
    of: Candidate,
}

impl KeptWant {
    /// What is kept of something that the table wants.
    #[must_use]
    pub fn new(wanted: &Wanted, folds_case: bool) -> Self {
        let name = match &wanted.group {
            None => NameHash::user(&wanted.user, folds_case),
            Some(group) => {
                let Wanted { user, sub, .. } = wanted;
                NameHash::member(&Membership { sub: *sub, ..Membership::named(user, group) }, folds_case)
            }
        };
        Self { name, only_if_user: wanted.only_if_user, of: Candidate::of(&wanted.difference) }
    }

    /// The part to which it belongs.
    #[must_use]
    pub fn part(&self, parts: u32) -> u32 {
        self.name.user.part(parts)
    }
}

/// A share of a part of the names in a pool.
#[derive(Debug, Default)]
pub struct PoolNames {
    names: Vec<[u8; NAME_BYTES]>,
}

impl PoolNames {
    /// Names as bytes.
    #[must_use]
    pub fn encode(names: impl IntoIterator<Item = NameHash>) -> Vec<u8> {
        names.into_iter().flat_map(NameHash::bytes).collect()
    }

    /// Names as bytes, by part.
    #[must_use]
    pub fn encode_parts(names: &[NameHash], parts: u32) -> Vec<Vec<u8>> {
        (0..parts)
            .map(|part| Self::encode(names.iter().filter(|name| name.user.part(parts) == part).copied()))
            .collect()
    }

    /// The number of names of each part.
    #[must_use]
    pub fn counts(names: &[NameHash], parts: u32) -> Vec<u64> {
        (0..parts).map(|part| names.iter().filter(|name| name.user.part(parts) == part).count() as u64).collect()
    }

    /// Adds encoded names of a share. Returns whether there are at most `most`.
    pub fn add(&mut self, bytes: &[u8], parts: u32, share: (u64, u64), most: usize) -> bool {
        let (names, _) = bytes.as_chunks::<NAME_BYTES>();
        let is_in = |name: &&[u8; NAME_BYTES]| {
            let user = u64::try_from(u128::from_be_bytes(**name) >> 64).unwrap_or_default();
            Hash(user).is_in(parts, share)
        };
        self.names.extend(names.iter().filter(is_in));
        self.names.len() <= most
    }

    /// Call this after the last [`PoolNames::add`].
    pub fn sort(&mut self) {
        self.names.sort_unstable();
        self.names.dedup();
    }

    fn has(&self, name: NameHash) -> bool {
        self.names.binary_search(&name.bytes()).is_ok()
    }

    /// Those of the wanted of a share that the pool lacks.
    pub fn lacking(&self, wanted: Vec<KeptWant>, parts: u32, share: (u64, u64)) -> impl Iterator<Item = Candidate> {
        let own = wanted.into_iter().filter(move |kept| kept.name.user.is_in(parts, share));
        let lacks = |kept: &KeptWant| {
            let is_pending = kept.only_if_user && !self.has(NameHash { member: None, ..kept.name });
            !is_pending && !self.has(kept.name)
        };
        own.filter(lacks).map(|kept| kept.of)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn member(user: &str, group: &str) -> Membership {
        Membership::named(user, group)
    }

    fn wanted(user: &str, group: Option<&str>, only_if_user: bool) -> KeptWant {
        let about = group.map_or(About::User(user.to_owned()), |group| About::Member(member(user, group)));
        let repair = Repair::Items(BTreeSet::new());
        let difference = Difference { kind: DifferenceKind::MissingMember, about, why: String::new(), repair };
        let group = group.map(str::to_owned);
        let wanted = Wanted { user: user.to_owned(), sub: false, group, only_if_user, difference };
        KeptWant::new(&wanted, true)
    }

    fn lacking(names: &[NameHash], wanted: Vec<KeptWant>, parts: u32) -> Vec<String> {
        let bytes = PoolNames::encode(names.iter().copied());
        let mut lacking = Vec::new();
        for nth in 0..3 {
            let mut share = PoolNames::default();
            assert!(share.add(&bytes, parts, (3, nth), 100));
            share.sort();
            lacking.extend(share.lacking(wanted.clone(), parts, (3, nth)).map(|of| of.about.to_string()));
        }
        lacking.sort();
        lacking
    }

    /// Each is compared in exactly one share, and case does not matter where the pool folds it.
    #[test]
    fn what_the_pool_lacks_is_found_once() {
        let names =
            [NameHash::user("Ann", true), NameHash::user("bob", true), NameHash::member(&member("ANN", "g"), true)];
        let all = || {
            vec![
                wanted("ann", None, false),
                wanted("ann", Some("g"), false),
                wanted("bob", Some("g"), true),
                wanted("eve", None, false),
                wanted("eve", Some("g"), true),
                wanted("eve", Some("h"), false),
                wanted("ann", Some("G"), false),
            ]
        };
        for parts in [1, 2, 7] {
            assert_eq!(lacking(&names, all(), parts), ["ann in G", "bob in g", "eve", "eve in h"], "{parts} parts");
        }
    }

    /// INVARIANT 8: a share that is too large is noticed.
    #[test]
    fn a_share_knows_when_it_is_too_large() {
        let users: Vec<NameHash> = (0..50).map(|nth| NameHash::user(&nth.to_string(), false)).collect();
        let bytes = PoolNames::encode(users);
        assert!(PoolNames::default().add(&bytes, 1, (1, 0), 50));
        assert!(!PoolNames::default().add(&bytes, 1, (1, 0), 49));
        let shares: Vec<usize> = (0..4)
            .map(|nth| {
                let mut share = PoolNames::default();
                share.add(&bytes, 1, (4, nth), 50);
                share.names.len()
            })
            .collect();
        assert_eq!(shares.iter().sum::<usize>(), 50, "{shares:?}");
        assert!(shares.iter().all(|share| *share > 0));
    }
}
