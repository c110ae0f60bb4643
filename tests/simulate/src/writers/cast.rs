//! Finds the objects that a scene is about.

use std::collections::{BTreeMap, BTreeSet};

use instep_model::template::Template;
use instep_model::{Guard, Item, Key, Names, Object, Value};

use crate::implied::{fulfilled, set_value};

use super::names::back_to;
use super::writer::{Actor, DrawnWriter, Place};

/// How many places are drawn for each rival, and for each edge of a child. Not every draw gives a
/// place, and some give the same.
const DRAWS: usize = 10;

/// An object that gives access, and everything that it depends on.
#[derive(Debug, Clone)]
pub(crate) struct DrawnGrant {
    pub(crate) own: Actor,
    pub(crate) dependencies: Vec<Actor>,
}

/// A grant, and one of its dependencies on another shard. Instep may handle the records of both in
/// any order.
#[derive(Debug, Clone)]
pub(crate) struct SplitGrant {
    pub(crate) own: Actor,
    /// All dependencies, the remote one among them.
    pub(crate) dependencies: Vec<Actor>,
    pub(crate) remote: Actor,
}

/// An attribute and its value.
#[derive(Debug, Clone)]
pub(crate) struct Attribute {
    pub(crate) name: String,
    pub(crate) value: Value,
}

impl Attribute {
    pub(crate) fn set(&self, item: &mut Item) {
        set_value(item, &self.name, Some(self.value.clone()));
    }
}

/// Objects of one type that claim the same unique values.
#[derive(Debug, Clone)]
pub(crate) struct Rivals {
    pub(crate) actors: Vec<Actor>,
    /// Attributes that the values are made of.
    pub(crate) claimed: Vec<String>,
    /// Attributes that make a claim strong: a strong rival takes the value from a weak one.
    pub(crate) strengths: Vec<Attribute>,
}

/// Grants.
impl DrawnWriter<'_> {
    /// Everything that an object depends on, drawn one by one. It need not be in the table.
    pub(crate) fn dependencies_of(&self, object: &Object, item: &Item) -> impl Iterator<Item = Actor> {
        let links = self.model.links_from(object.of);
        let targets: Vec<_> = links.flat_map(|(id, _)| self.net.watch().implied.targets(id, object, item)).collect();
        targets.into_iter().filter_map(|object| {
            let key = self.key_of(&object)?;
            let item = self.item_at(&key).unwrap_or_else(|| self.item(&key, &object, None));
            Some(Actor { key, object, item })
        })
    }

    /// Draws an item for a place.
    pub(crate) fn actor_at(&self, Place { key, object }: Place) -> Actor {
        let item = self.item(&key, &object, None);
        Actor { key, object, item }
    }

    pub(crate) fn draw_grant(&self) -> Option<DrawnGrant> {
        let own = self.actor_at(self.place_where(|of| self.gives_access(of))?);
        let dependencies = self.dependencies_of(&own.object, &own.item).collect();
        Some(DrawnGrant { own, dependencies })
    }

    /// Draws a grant. Draws one of its dependencies on another shard, where it has one.
    pub(crate) fn draw_split_grant(&self) -> Option<SplitGrant> {
        let DrawnGrant { own, dependencies } = self.draw_grant()?;
        let is_remote = |other: &&Actor| self.net.table().are_apart(&own.key.pk, &other.key.pk);
        let remote = self.pick(&dependencies.iter().filter(is_remote).cloned().collect::<Vec<_>>())?;
        Some(SplitGrant { own, dependencies, remote })
    }
}

/// Rivals.
impl DrawnWriter<'_> {
    /// Draws so many objects that claim the same values.
    pub(crate) fn draw_rivals(&self, count: usize) -> Option<Rivals> {
        let guards = self.model.items.iter().filter_map(|ty| ty.guard.as_ref());
        let guard = self.pick(&guards.collect::<Vec<_>>())?;
        let places = (0..DRAWS * count).filter_map(|_| self.place(guard.owner, &Names::new()));
        let keys: BTreeMap<Object, Key> = places.map(|place| (place.object, place.key)).collect();
        let mut places = keys.into_iter().map(|(object, key)| Place { key, object });
        let mut first = self.actor_at(places.next()?);
        for (name, value) in guard.claims.iter().flat_map(|claim| fulfilled(&claim.when)) {
            set_value(&mut first.item, &name, value);
        }
        let claimed = self.claim_values(guard, &mut first.item);
        let others = places.map(|Place { key, object }| {
            let mut item = first.item.clone();
            item.extend(self.keyed(&key));
            self.set_index_keys(&object, &mut item);
            Actor { key, object, item }
        });
        let mut actors: Vec<_> = others.chain([first.clone()]).take(count).collect();
        let start = self.below(actors.len());
        actors.rotate_left(start);
        let transfers = guard.claims.iter().flat_map(|claim| &claim.transfer).flat_map(fulfilled);
        let strengths = transfers.filter_map(|(name, value)| Some(Attribute { name, value: value? })).collect();
        (actors.len() == count).then_some(Rivals { actors, claimed, strengths })
    }

    /// Gives an item all attributes that its unique values are made of. Returns their names.
    fn claim_values(&self, guard: &Guard, item: &mut Item) -> Vec<String> {
        let templates = guard.claims.iter().flat_map(|claim| claim.names.values());
        let mut claimed = Vec::new();
        for name in templates.flat_map(Template::names) {
            let spellings = self.model.attributes_of(name);
            let has_it = spellings.iter().any(|spelling| item.contains_key(spelling));
            if let (Some(spelling), false) = (spellings.first(), has_it) {
                item.insert(spelling.clone(), Value::S(self.name(guard.owner, name, &Names::new())));
            }
            claimed.extend(spellings);
        }
        claimed
    }
}

/// Children with several parents.
impl DrawnWriter<'_> {
    /// Puts a child that is deleted with the last of its parents. Puts up to two parents, and the
    /// edges between them and the child. So many families are drawn, and one with two parents is
    /// kept. Returns the parents.
    pub(crate) fn put_child_of_two(&self, families: usize) -> Vec<Actor> {
        let mut parents = Vec::new();
        let cascading_edge =
            self.model.links.iter().filter_map(|link| Some((link, self.model.link(link.cascades_to?))));
        let Some((up, down)) = self.pick(&cascading_edge.collect::<Vec<_>>()) else { return parents };
        let families = (0..families).filter_map(|_| {
            let child = self.place(down.to, &Names::new())?.object;
            let edges = (0..DRAWS).filter_map(|_| Some(self.place(up.from, &back_to(down, &child))?.object));
            Some((edges.collect::<BTreeSet<_>>(), child))
        });
        let Some((edges, child)) = families.max_by_key(|(edges, _)| edges.len().min(2)) else { return parents };
        for edge in edges.into_iter().take(2) {
            for object in self.ends(&edge).into_iter().flatten().chain([edge]) {
                let Some(key) = self.key_of(&object) else { continue };
                let is_parent = object.of == up.to && object != child;
                let actor = match self.item_at(&key) {
                    Some(item) => Actor { key, object, item },
                    None => {
                        let actor = self.actor_at(Place { key, object });
                        self.put(&actor);
                        actor
                    }
                };
                parents.extend(is_parent.then_some(actor));
            }
        }
        parents
    }
}
