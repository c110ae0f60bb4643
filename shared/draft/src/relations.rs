//! What the item types are to each other: parents, edges, references by type, grants, people. Guards are in
//! [`guards`](crate::guards).

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;

use crate::guards::{self, GuardGuess};
use crate::item_names::ItemNames;
use crate::slots::Types;
use crate::text::slots;
use crate::tokens::SampleTable;
use crate::words::{camel, is_word, norm};

/// The share of the items that name a parent of which it has to exist. Tables have some items that lost theirs.
const EXIST_PERCENT_MIN: usize = 90;

/// The relations of all item types, in the order of [`Types::types`].
#[derive(Debug, Default)]
pub(crate) struct Relations {
    pub(crate) of: Vec<Relation>,
    pub(crate) oneofs: Vec<OneofGuess>,
}

/// The relations of an item type.
#[derive(Debug, Default)]
pub(crate) struct Relation {
    pub(crate) parents: Vec<ParentGuess>,
    /// Parents of its parents, which an index key also names.
    pub(crate) above: Vec<usize>,
    /// The item type at both ends of an edge.
    pub(crate) edge: Option<usize>,
    pub(crate) guard: Option<GuardGuess>,
    /// By its place in [`Relations::oneofs`].
    pub(crate) oneof: Option<usize>,
    pub(crate) of_oneof: Evidence,
    pub(crate) grant: Option<GrantGuess>,
    pub(crate) is_person: bool,
}

/// A parent.
#[derive(Debug, Clone)]
pub(crate) struct ParentGuess {
    pub(crate) to: usize,
    pub(crate) evidence: Evidence,
    /// The names of its key that only attributes have.
    pub(crate) given: Vec<String>,
    /// Its names are in the item's own key. Otherwise an index, or an attribute, names it.
    pub(crate) is_in_key: bool,
}

/// What the items show of a parent.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Evidence {
    /// In how many items it exists, of those that name one.
    exist: usize,
    named: usize,
}

impl Evidence {
    /// Whether it suffices for an active line: a wrong parent deletes items.
    pub(crate) const fn is_enough(self) -> bool {
        self.exist * 100 >= self.named * EXIST_PERCENT_MIN
    }
}

impl fmt::Display for Evidence {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} of {} exist", self.exist, self.named)
    }
}

/// A reference by type.
#[derive(Debug)]
pub(crate) struct OneofGuess {
    pub(crate) name: String,
    pub(crate) by: String,
    pub(crate) id: String,
    /// By the word: the item type, and its name for the id.
    pub(crate) cases: BTreeMap<String, (usize, String)>,
    evidence: Evidence,
}

/// A grant.
#[derive(Debug, Clone)]
pub(crate) struct GrantGuess {
    pub(crate) subject: usize,
    /// None: the scope is the reference by type.
    pub(crate) scope: Option<usize>,
    pub(crate) roles: Option<String>,
}

/// The relations of the item types.
pub(crate) fn relate<'k>(table: &'k SampleTable<'k>, types: &'k Types) -> Relations {
    let names = ItemNames::of(table, types);
    let mut relations =
        Relations { of: types.types.iter().map(|_| Relation::default()).collect(), ..Relations::default() };
    for (at, guard) in guards::guards(&names).into_iter().enumerate() {
        if let Some(relation) = relations.of.get_mut(at) {
            relation.guard = guard;
        }
    }
    for at in 0..types.types.len() {
        let is_guard = |at: usize| relations.of.get(at).is_some_and(|relation| relation.guard.is_some());
        if is_guard(at) {
            continue;
        }
        let edge = names.edge(at);
        let parents = names.parents(at, &is_guard, edge);
        if let Some(relation) = relations.of.get_mut(at) {
            (relation.edge, relation.parents) = (edge, parents);
        }
    }
    let is_guard = |at: usize| relations.of.get(at).is_some_and(|relation| relation.guard.is_some());
    for at in names.people(&is_guard) {
        if let Some(relation) = relations.of.get_mut(at) {
            relation.is_person = true;
        }
    }
    names.add_oneofs(&mut relations);
    leave_out_above(&mut relations);
    for at in 0..types.types.len() {
        let grant = names.grant(&relations, at);
        if let Some(relation) = relations.of.get_mut(at) {
            relation.grant = grant;
        }
    }
    relations
}

impl<'k> ItemNames<'k> {
    /// The item type at both ends of an edge.
    fn edge(&self, at: usize) -> Option<usize> {
        let of = self.types.types.get(at).filter(|of| of.ends.len() == 2)?;
        let ended = of.key_slots().filter_map(|slot| self.types.slots.get(slot)).find(|slot| slot.end.is_some())?;
        let name = ended.name.as_str();
        let mut others = self.types.types.iter().enumerate().filter(|(_, other)| other.ends.is_empty());
        others.find(|(other, _)| self.key_names(*other) == BTreeSet::from([name])).map(|(other, _)| other)
    }

    fn parents(&self, at: usize, is_guard: &dyn Fn(usize) -> bool, edge: Option<usize>) -> Vec<ParentGuess> {
        let others =
            (0..self.types.types.len()).filter(|other| *other != at && !is_guard(*other) && edge != Some(*other));
        let all: Vec<ParentGuess> = others.filter_map(|other| self.parent(at, other)).collect();
        let is_above = |one: &ParentGuess| {
            let names = self.key_names(one.to);
            all.iter().any(|other| {
                let of_other = self.key_names(other.to);
                other.to != one.to && names.len() < of_other.len() && names.is_subset(&of_other)
            })
        };
        all.iter().filter(|parent| !is_above(parent)).cloned().collect()
    }

    /// Another item type as a parent, if items of it exist for items of this one.
    fn parent(&self, at: usize, other: usize) -> Option<ParentGuess> {
        let (of, parent) = (self.types.types.get(at)?, self.types.types.get(other)?);
        let (own, theirs) = (self.key_names(at), self.key_names(other));
        if theirs.is_empty() || !parent.ends.is_empty() {
            return None;
        }
        let in_indexes =
            self.slot_names(of.index_slots().filter(|at| self.types.slots.get(*at).is_some_and(|slot| !slot.is_plain)));
        let mut needed = theirs.clone();
        let mut given = Vec::new();
        if !theirs.iter().all(|name| own.contains(name) || in_indexes.contains(name)) {
            let ids = self.slot_names(slots(&parent.sk));
            let ids = if ids.is_empty() { theirs.clone() } else { ids };
            if !ids.is_subset(&own) || ids.iter().any(|name| self.homes.get(name) != Some(&other)) {
                return None;
            }
            let of_indexes = self.slot_names(parent.index_slots());
            let attributes = self.attributes(at);
            if !of_indexes.is_disjoint(&ids) {
                needed = ids;
            } else if theirs.iter().all(|name| own.contains(name) || attributes.contains(name)) {
                given = theirs.iter().filter(|name| !own.contains(*name)).map(|name| (*name).to_owned()).collect();
            } else {
                return None;
            }
        }
        if theirs == own && !self.is_below_one_key(at, other) {
            return None;
        }
        let evidence = self.count(at, other, &needed, &given);
        let is_in_key = theirs.is_subset(&own);
        // An appointment that an index finds by its clinic and its doctor does not belong to the doctor's place in the
        // clinic.
        let is_link =
            theirs.len() > 1 && theirs.iter().all(|name| self.homes.get(name).is_some_and(|home| *home != other));
        if is_link && !is_in_key {
            return None;
        }
        (evidence.exist > 0).then_some(ParentGuess { to: other, evidence, given, is_in_key })
    }

    /// Whether an item of two types with the same names is a part of the other: `USER#…` / `SETTINGS` of
    /// `USER#…` / `PROFILE`.
    fn is_below_one_key(&self, at: usize, other: usize) -> bool {
        let (Some(of), Some(parent)) = (self.types.types.get(at), self.types.types.get(other)) else { return false };
        if of.pk != parent.pk && self.template_names(&of.pk) != self.template_names(&parent.pk) {
            return self.attributes(at).len() < self.attributes(other).len();
        }
        let has_word = crate::text::constants(&of.sk).next().is_some();
        self.key_names(at).len() == 1 && has_word && self.is_root(other) && !self.is_root(at)
    }

    fn template_names(&self, parts: &[crate::text::KeyPart]) -> (Vec<String>, Vec<String>) {
        let constants = crate::text::constants(parts).map(str::to_owned).collect();
        (constants, slots(parts).filter_map(|at| self.types.slots.get(at)).map(|slot| slot.name.clone()).collect())
    }

    /// Whether an item type's sort key says nothing that its partition does not.
    fn is_root(&self, at: usize) -> bool {
        let Some(of) = self.types.types.get(at) else { return false };
        slots(&of.sk).next().is_none() && !self.is_satellite(at)
            || self.template_names(&of.sk) == self.template_names(&of.pk)
    }

    /// In how many items the other exists, and in how many it is named.
    fn count(&self, at: usize, other: usize, needed: &BTreeSet<&str>, given: &[String]) -> Evidence {
        let lower = |text: &str| text.to_lowercase();
        let of_other = |item: usize| -> Option<Vec<String>> {
            needed.iter().map(|name| self.in_key(other, item, name).map(lower)).collect()
        };
        let others: BTreeSet<Vec<String>> = self.items(other).filter_map(|(place, _)| of_other(place)).collect();
        let mut counts = Evidence::default();
        for (place, item) in self.items(at) {
            let value = |name: &&str| -> Option<String> {
                let own = self.in_key(at, place, name).or_else(|| self.in_index(at, place, name));
                let attribute = || given.iter().any(|given| given == name).then(|| item.get(*name)?.to_text());
                own.map(lower).or_else(|| attribute().flatten().map(|text| lower(&text)))
            };
            if let Some(values) = needed.iter().map(value).collect::<Option<Vec<_>>>() {
                counts.named += 1;
                counts.exist += usize::from(others.contains(&values));
            }
        }
        counts
    }

    /// The item types that stand for people: those that are called so. If none is, those that have an address to
    /// sign in with.
    fn people(&self, is_guard: &dyn Fn(usize) -> bool) -> BTreeSet<usize> {
        const PEOPLE: [&str; 9] =
            ["user", "person", "people", "member", "employee", "customer", "identity", "login", "accountholder"];
        const OTHERS: [&str; 6] = ["membership", "tech", "audit", "session", "token", "group"];
        const SIGN_IN: [&str; 5] = ["email", "mail", "emailaddres", "username", "login"];
        let is_called_so = |at: usize| {
            let name = self.types.types.get(at).map(|of| norm(&of.name)).unwrap_or_default();
            PEOPLE.iter().any(|word| name.contains(word)) && !OTHERS.iter().any(|word| name.contains(word))
        };
        let signs_in = |at: usize| {
            let names = self.attributes(at).into_iter().chain(self.key_names(at));
            names.map(norm).any(|name| SIGN_IN.contains(&name.as_str()))
        };
        let all = || (0..self.types.types.len()).filter(|at| !is_guard(*at) && self.key_names(*at).len() == 1);
        // An item that has the id of another person as an attribute is something of that person.
        let is_of_another = |at: usize| {
            let own = self.key_names(at);
            self.attributes(at).iter().any(|name| {
                let home = self.homes.get(name).filter(|home| **home != at && !is_guard(**home) && !own.contains(name));
                home.is_some_and(|home| is_called_so(*home))
            })
        };
        let called: BTreeSet<usize> = all().filter(|at| is_called_so(*at) && !is_of_another(*at)).collect();
        if called.is_empty() { all().filter(|at| signs_in(*at)).collect() } else { called }
    }

    /// References by type: a word beside an id, where each word is of another item type's ids.
    fn add_oneofs(&self, relations: &mut Relations) {
        for at in 0..self.types.types.len() {
            let Some(found) = self.oneof(at, relations) else { continue };
            let targets: BTreeSet<usize> = found.cases.values().map(|(to, _)| *to).collect();
            let evidence = found.evidence;
            let known = relations.oneofs.iter().position(|known| known.by == found.by && known.id == found.id);
            let place = known.unwrap_or(relations.oneofs.len());
            match relations.oneofs.get_mut(place) {
                Some(known) => known.cases.extend(found.cases),
                None => relations.oneofs.push(found),
            }
            if let Some(relation) = relations.of.get_mut(at) {
                (relation.oneof, relation.of_oneof) = (Some(place), evidence);
                relation.parents.retain(|parent| !targets.contains(&parent.to));
            }
        }
    }

    fn oneof(&self, at: usize, relations: &Relations) -> Option<OneofGuess> {
        const CASES_MAX: usize = 6;
        let of = self.types.types.get(at)?;
        if relations.of.get(at)?.guard.is_some() {
            return None;
        }
        let own: Vec<_> = of.key_slots().filter_map(|slot| self.types.slots.get(slot)).collect();
        for by in
            own.iter().filter(|by| (2..=CASES_MAX).contains(&by.set.len()) && by.set.iter().all(|word| is_word(word)))
        {
            for id in own.iter().filter(|id| id.name != by.name) {
                let (mut cases, mut evidence) = (BTreeMap::new(), Evidence::default());
                for word in &by.set {
                    let ids: BTreeSet<&str> = (by.values.iter().zip(&id.values))
                        .filter(|(of, _)| *of == word)
                        .map(|(_, id)| id.as_str())
                        .collect();
                    if let Some((common, to, name)) = self.home_of(&ids, at, word) {
                        cases.insert(word.clone(), (to, name));
                        evidence.exist += common;
                        evidence.named += ids.len();
                    }
                }
                let targets: BTreeSet<usize> = cases.values().map(|(to, _)| *to).collect();
                if cases.len() >= 2 && targets.len() == cases.len() {
                    let (by, id) = (by.name.clone(), id.name.clone());
                    let stem = ["Id", "_id", "ID"].iter().find_map(|end| id.strip_suffix(end)).unwrap_or(&id);
                    return Some(OneofGuess { name: camel(stem) + "Reference", by, cases, id, evidence });
                }
            }
        }
        None
    }

    /// The item type that has half of these ids: how many, the type, and its name for them.
    fn home_of(&self, ids: &BTreeSet<&str>, except: usize, word: &str) -> Option<(usize, usize, String)> {
        let share = |(name, home): (&&'k str, &usize)| {
            let own: BTreeSet<&str> =
                self.items(*home).filter_map(|(place, _)| self.in_key(*home, place, name)).collect();
            let common = ids.iter().filter(|id| own.contains(*id)).count();
            let of = self.types.types.get(*home)?;
            let is_named_so = norm(&of.name).contains(&norm(word));
            (*home != except && common * 2 >= ids.len()).then(|| (common, is_named_so, *home, (*name).to_owned()))
        };
        let best = self
            .homes
            .iter()
            .filter_map(share)
            .max_by_key(|(common, is_named_so, home, _)| (*common, *is_named_so, std::cmp::Reverse(*home)));
        best.map(|(common, _, home, name)| (common, home, name))
    }

    /// A grant: one parent is a person, and another is none.
    fn grant(&self, relations: &Relations, at: usize) -> Option<GrantGuess> {
        let relation = relations.of.get(at)?;
        let is_person = |parent: &&ParentGuess| relations.of.get(parent.to).is_some_and(|of| of.is_person);
        let (people, others): (Vec<&ParentGuess>, Vec<&ParentGuess>) = relation.parents.iter().partition(is_person);
        let [person] = people[..] else { return None };
        let scope = match (relation.oneof, &others[..]) {
            (Some(_), _) => None,
            (None, [only, ..]) => Some(only.to),
            (None, []) => return None,
        };
        let roles = self.roles(at).map(str::to_owned);
        // An index that also finds an item by a person says nothing of access.
        (person.is_in_key || roles.is_some()).then_some(GrantGuess { subject: person.to, scope, roles })
    }

    /// The attribute with the roles of an item type.
    pub(crate) fn roles(&self, at: usize) -> Option<&'k str> {
        const WORDS: [&str; 8] =
            ["role", "permission", "action", "access", "accesslevel", "privilege", "scope", "group"];
        let names = self.key_names(at);
        let is_role = |name: &&str| {
            let last = name.rsplit('_').next().map(norm).unwrap_or_default();
            let ends = |end: &str| name.ends_with(end);
            WORDS.contains(&norm(name).as_str())
                || WORDS.contains(&last.as_str())
                || ends("Role")
                || ends("Roles")
                || ends("Permissions")
        };
        // A name of the key says nothing of an attribute with roles.
        let all = self.attributes(at);
        let mut found: Vec<&str> = all.into_iter().filter(|name| is_role(name) && !names.contains(name)).collect();
        found.sort_by_key(|name| WORDS.iter().position(|word| norm(name).ends_with(word)));
        found.first().copied()
    }
}

/// Leaves out a parent that is only named in an index and is reached through another parent.
fn leave_out_above(relations: &mut Relations) {
    let parents: Vec<BTreeSet<usize>> =
        relations.of.iter().map(|relation| relation.parents.iter().map(|parent| parent.to).collect()).collect();
    let people: BTreeSet<usize> =
        relations.of.iter().enumerate().filter(|(_, relation)| relation.is_person).map(|(at, _)| at).collect();
    for relation in &mut relations.of {
        let own: BTreeSet<usize> = relation.parents.iter().map(|parent| parent.to).collect();
        let is_above = |parent: &ParentGuess| {
            let reaches = |through: &usize| parents.get(*through).is_some_and(|above| above.contains(&parent.to));
            !parent.is_in_key && !people.contains(&parent.to) && own.iter().any(reaches)
        };
        let (above, kept): (Vec<ParentGuess>, Vec<ParentGuess>) =
            std::mem::take(&mut relation.parents).into_iter().partition(is_above);
        relation.parents = kept;
        relation.above = above.into_iter().map(|parent| parent.to).collect();
    }
}
